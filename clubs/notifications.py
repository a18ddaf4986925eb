"""The wording of the notices of clubs."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from accounts.models import Player
from clubs.models import Club, JoinRequest, Member, MemberInvitation, Season
from notices.registry import Key, Kind, Lookup, Params, Words, doer

SEASON: Final = "club.season"


_WORDINGS: Final[Mapping[str, tuple[Promise | str, Promise | str]]] = {
    "club.asked": (_("Somebody wants to join: %(club)s"), _("%(name)s asks to become a member.")),
    "club.accepted": (_("You are a member: %(club)s"), _("Your request was accepted. Welcome!")),
    "club.declined": (_("Not this time: %(club)s"), _("Your request to become a member was declined.")),
    "club.invited": (_("An invitation: %(club)s"), _("%(name)s invites you into the club.")),
    "club.joined": (_("A new member: %(club)s"), _("%(name)s has followed an invitation and is a member now.")),
    "club.left": (_("Somebody left: %(club)s"), _("%(name)s has left the club.")),
    "club.role": (_("Your role: %(club)s"), _("In this club you are now: %(role)s.")),
    SEASON: ("%(club)s: %(season)s", _("%(club)s sends you the standings of the season.")),
    "club.closed": (_("Closed: %(club)s"), _("The club was closed, and its list of members deleted.")),
}
"""The title and the line of each event.

The parameters of the events: `club` is the slug, `url` the page, `by` the public id of the person who did it. The
standings of a season also have its name (`season`) and, if the reader has one, their `rank` among `all` who have one,
whether it is `shared`, and the number of `evenings`. `club.closed` is also told when the club has been deleted: then
`name` is what it was called.
"""
kinds: Final = dict.fromkeys(_WORDINGS, Kind.OTHER) | {SEASON: Kind.CLUB}


def still_true(event: str, params: Params, player: Player) -> bool:
    """Whether a request is still unanswered, or an invitation still open. Everything else stays true."""
    club = _club(params, player)
    if event == "club.closed":
        return True
    if club is None or club.closed_at is not None:
        return False
    if event == "club.asked":
        return params.get("by") in (_asking(params, player) or ())
    if event == "club.invited":
        return _is_invited(params, player) is not None
    if event == SEASON:
        return _season(params, player) is not None
    return True


def words(event: str, params: Params, player: Player, language: str) -> Words | None:
    club, url = _club(params, player), str(params.get("url") or "")
    if not url.startswith("/") or url.startswith("//"):
        return None
    name = club.name if club is not None else str(params.get("name") or gettext("a club"))
    wording = _WORDINGS.get(event)
    if wording is None:
        return None
    title, line = wording
    fields = {"club": name, "name": doer(params, player)}
    if event == "club.role" and club is not None:
        entry = _own_entry(params, player)
        fields["role"] = entry.get_role_display() if entry is not None else ""
    if event == SEASON:
        fields |= {key: str(params.get(key, "")) for key in ("season", "rank", "all", "evenings")}
        if params.get("rank") and params.get("evenings"):
            line = ngettext(
                "Your rank in %(club)s is %(rank)s of %(all)s after %(evenings)s evening.",
                "Your rank in %(club)s is %(rank)s of %(all)s after %(evenings)s evenings.",
                int(params["evenings"]),
            )
            if params.get("shared"):
                line += " " + gettext("You share it with others.")
    return Words(title % fields, line % (fields | {"role": fields.get("role", "")}), url, f"club-{params.get('club')}")


def _clubs(slugs: Collection[Key], player: Player) -> Mapping[Key, Club]:
    return {club.slug: club for club in Club.objects.filter(slug__in=slugs)}


def _people_asking(slugs: Collection[Key], player: Player) -> Mapping[Key, set[str]]:
    """The public ids of the people who ask to join, by club."""
    rows = JoinRequest.objects.filter(club__slug__in=slugs, state=JoinRequest.State.OPEN)
    people: dict[Key, set[str]] = {}
    for slug, person in rows.values_list("club__slug", "player__public_id"):
        people.setdefault(slug, set()).add(person)
    return people


def _inviting(slugs: Collection[Key], player: Player) -> Mapping[Key, bool]:
    mine = MemberInvitation.objects.filter(club__slug__in=slugs, player=player.current)
    return dict.fromkeys(mine.filter(state=MemberInvitation.State.OPEN).values_list("club__slug", flat=True), True)


def _own_entries(slugs: Collection[Key], player: Player) -> Mapping[Key, Member]:
    rows = Member.objects.filter(club__slug__in=slugs, player=player.current).select_related("club")
    return {row.club.slug: row for row in rows}


def _seasons(urls: Collection[Key], player: Player) -> Mapping[Key, Season]:
    """The seasons by the paths of their pages."""
    keys = {str(url).rstrip("/").rpartition("/")[2]: url for url in urls}
    return {keys[season.public_id]: season for season in Season.objects.filter(public_id__in=keys)}


_club: Final = Lookup("club", _clubs)
_asking: Final = Lookup("club", _people_asking)
_season: Final = Lookup("url", _seasons)
_is_invited: Final = Lookup("club", _inviting)
_own_entry: Final = Lookup("club", _own_entries)
