"""How notices of clubs are told."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext as _

from accounts.models import Player
from clubs.models import Club, JoinRequest, Member, MemberInvitation
from notices.registry import Params, Words


class Clubs:
    """Speaks for the events `club.…`. Parameters: `club`, its slug; `url`, the page; `by`, the public id of who did it.

    `club.closed` also holds for a club that is gone: then `name` says what it was called.
    """

    def still_true(self, event: str, params: Params, player: Player) -> bool:
        """A request holds until it is answered, an invitation while it is open; the rest has happened."""
        club = _club(params)
        if event == "club.closed":
            return True
        if club is None or club.closed_at is not None:
            return False
        if event == "club.asked":
            asked = JoinRequest.objects.filter(club=club, state=JoinRequest.State.OPEN)
            return asked.filter(player__public_id=params.get("by")).exists()
        if event == "club.invited":
            mine = MemberInvitation.objects.filter(club=club, player=player.current)
            return mine.filter(state=MemberInvitation.State.OPEN).exists()
        return True

    def words(self, event: str, params: Params, player: Player, language: str) -> Words | None:
        """The event in the player's language."""
        club, url = _club(params), str(params.get("url") or "")
        if not url.startswith("/") or url.startswith("//"):
            return None
        name = club.name if club is not None else str(params.get("name") or _("a club"))
        told = _told().get(event)
        if told is None:
            return None
        title, line = told
        fields = {"club": name, "name": _doer(params)}
        if event == "club.role" and club is not None:
            entry = Member.objects.filter(club=club, player=player.current).first()
            fields["role"] = entry.get_role_display() if entry is not None else ""
        return Words(
            title % fields, line % (fields | {"role": fields.get("role", "")}), url, f"club-{params.get('club')}"
        )


def _told() -> dict[str, tuple[str, str]]:
    return {
        "club.asked": (_("Somebody wants to join: %(club)s"), _("%(name)s asks to become a member.")),
        "club.accepted": (_("You are a member: %(club)s"), _("Your request was accepted. Welcome!")),
        "club.declined": (_("Not this time: %(club)s"), _("Your request to become a member was declined.")),
        "club.invited": (_("An invitation: %(club)s"), _("%(name)s invites you into the club.")),
        "club.joined": (_("A new member: %(club)s"), _("%(name)s has followed an invitation and is a member now.")),
        "club.left": (_("Somebody left: %(club)s"), _("%(name)s has left the club.")),
        "club.role": (_("Your role: %(club)s"), _("In this club you are now: %(role)s.")),
        "club.closed": (_("Closed: %(club)s"), _("The club was closed, and its list of members deleted.")),
    }


def _club(params: Params) -> Club | None:
    slug = params.get("club")
    return Club.objects.filter(slug=slug).first() if isinstance(slug, str) else None


def _doer(params: Params) -> str:
    """The name of whoever did it, as they are called on this site."""
    by = params.get("by")
    found = Player.objects.select_related("merged_into").filter(public_id=by).first() if isinstance(by, str) else None
    return found.display_name if found is not None else _("Somebody")


CLUBS: Final = Clubs()
