"""For `accounts`: what people have in clubs. For `notices`: the name of a club.

When somebody deletes their account, their entries are deleted, or lose their names if they appear in results. An entry
that the club had made itself, before the person took it over, is only reset: it loses the account and the consent, and
keeps the name that the club wrote down, because the club knew that person without this site. If the only president
leaves this way, the role passes to the secretary, else to a director, else to the member with an account who has been
there longest. If nobody with an account is left, the club is closed.
"""

from __future__ import annotations

from collections.abc import Mapping

from django.db.models import Q
from django.urls import reverse
from django.utils.translation import gettext as _

from accounts.models import Player
from accounts.registry import Loss
from clubs import naming, text
from clubs.models import Club, ClubEvent, ImportDraft, JoinRequest, Member, MemberInvitation
from clubs.services import common, retention
from notices.registry import Subject

OF_AN_ENTRY = (
    "public_id", "first_name", "last_name", "email", "birth_year", "groups", "role", "kind", "named", "consent_at",
    "joined_on", "left_on",
)  # fmt: skip
_HEIRS = (Member.Role.PRESIDENT, Member.Role.SECRETARY, Member.Role.DIRECTOR, Member.Role.MEMBER)


def merge(guest: Player, member: Player) -> None:
    """Give the guest's entries, requests and invitations to the member.

    If both have an entry in a club, the guest's entry is left without an account.
    """
    _lock_clubs(guest, member)
    own = Member.objects.filter(player=member).values("club")
    Member.objects.filter(player=guest, club__in=own).update(player=None)
    Member.objects.filter(player=guest).update(player=member)
    asked = JoinRequest.objects.filter(player=member, state=JoinRequest.State.OPEN).values("club")
    JoinRequest.objects.filter(player=guest, club__in=asked).delete()
    JoinRequest.objects.filter(player=guest).update(player=member)
    invited = MemberInvitation.objects.filter(player=member, state=MemberInvitation.State.OPEN).values("club")
    MemberInvitation.objects.filter(player=guest, club__in=invited).delete()
    MemberInvitation.objects.filter(player=guest).update(player=member)
    ImportDraft.objects.filter(by=guest).update(by=member)


def release(player: Player) -> bool:
    """Remove the player from every club by the rules in the module docstring. Locks the clubs.

    What they did is kept, as done by a former player.
    """
    _lock_clubs(player)
    JoinRequest.objects.filter(player=player).delete()
    MemberInvitation.objects.filter(player=player).delete()
    ImportDraft.objects.filter(by=player).delete()
    for entry in Member.objects.filter(player=player).select_related("club").order_by("club", "pk"):
        club = entry.club
        if entry.role == Member.Role.PRESIDENT and not _pass_on_presidency(club, entry):
            common.shut(club, None)
            continue
        if entry.role == Member.Role.PRESIDENT:
            common.forget_name(club)
        if _made_by_club(entry, player):
            entry.player, entry.named, entry.consent_at, entry.consent_by = None, False, None, None
            entry.role = Member.Role.MEMBER
            entry.save()
        else:
            retention.delete_or_reduce([entry], to_initials=False)
    Member.objects.filter(consent_by=player).update(consent_by=None)
    return False


def export(player: Player) -> Mapping[str, object]:
    """The player's entries in clubs, requests and invitations, and what they did for clubs."""
    return {
        "memberships": [_entry(entry) for entry in Member.objects.filter(player=player).select_related("club")],
        "requests_to_join": [
            {"club": each.club.slug}
            | {name: getattr(each, name) for name in ("first_name", "last_name", "named", "message", "state", "at")}
            for each in JoinRequest.objects.filter(player=player).select_related("club").order_by("pk")
        ],
        "invitations_to_clubs": [
            {"club": each.club.slug, "state": each.state, "at": each.at}
            for each in MemberInvitation.objects.filter(player=player).select_related("club").order_by("pk")
        ],
        "done_for_clubs": [
            {"club": each.club.slug, "what": each.what, "at": each.at}
            for each in ClubEvent.objects.filter(actor=player).select_related("club").order_by("pk")
        ],
    }


def _made_by_club(entry: Member, player: Player) -> bool:
    """Whether the club made the player's entry. People who register for a tournament themselves make their own."""
    made = ClubEvent.objects.filter(club=entry.club_id, member=entry, what="member.entered")
    return made.exclude(actor=player).exists()


def _entry(entry: Member) -> dict[str, object]:
    return {"club": entry.club.slug} | {name: getattr(entry, name) for name in OF_AN_ENTRY}


def _lock_clubs(*players: Player) -> None:
    """Lock all clubs in which the players have something, ordered by key, before anything is changed."""
    concerned = Q(members__player__in=players) | Q(requests__player__in=players) | Q(invitations__player__in=players)
    keys = Club.objects.filter(concerned).values("pk")
    list(Club.objects.select_for_update().filter(pk__in=keys).order_by("pk").values_list("pk"))


def losses_of(player: Player) -> list[Loss]:
    """The clubs that pass to somebody else if the player's account is deleted, those that are closed, and those that keep
    the player's entry with its name."""
    losses = []
    entries = Member.objects.filter(player=player, role=Member.Role.PRESIDENT, club__closed_at__isnull=True)
    for entry in entries.select_related("club").order_by("club__name_key", "club"):
        club, heir = entry.club, _next_president(entry)
        if heir is None:
            closed = _("%(club)s is closed, because nobody else there has an account.") % {"club": club.name}
            losses.append(Loss(closed, text.lost_by_closing(club), f"club:{club.slug}"))
        elif heir.role != Member.Role.PRESIDENT:
            name = naming.shown_name(heir, naming.STAFF)
            passes = _("%(name)s becomes president of %(club)s.") % {"name": name, "club": club.name}
            losses.append(Loss(passes))
    for entry in Member.objects.filter(player=player, club__closed_at__isnull=True).select_related("club"):
        stays_open = entry.role != Member.Role.PRESIDENT or _next_president(entry) is not None
        if stays_open and _made_by_club(entry, player):
            kept = _("%(club)s keeps the entry that the club itself made for you, with the name it wrote down.")
            losses.append(Loss(kept % {"club": entry.club.name}))
    return losses


def _next_president(entry: Member) -> Member | None:
    """The president of the club without this entry: another one, or an heir; None if nobody with an account
    is left."""
    others = Member.objects.filter(club=entry.club, player__isnull=False, left_on__isnull=True, kind=Member.Kind.MEMBER)
    people = others.exclude(pk=entry.pk).select_related("player").order_by("joined_on", "pk")
    return min(people, key=lambda other: _HEIRS.index(Member.Role(other.role)), default=None)


def _pass_on_presidency(club: Club, entry: Member) -> bool:
    """Make somebody else president unless there is another one already.

    Returns False if nobody with an account is left.
    """
    heir = _next_president(entry)
    if heir is None or heir.player is None:
        return False
    if heir.role != Member.Role.PRESIDENT:
        heir.role = Member.Role.PRESIDENT
        heir.save(update_fields=["role"])
        common.notify_players("club.role", club, [heir.player])
        common.log(club, "role.passed", actor=None, member=heir, data={"role": str(heir.role)})
    return True


def find_subject(player: Player, topic: str) -> Subject | None:
    """The name and page of the club of a topic `club:<slug>`; None for another topic, or if there is no such club."""
    what, _colon, slug = topic.partition(":")
    club = Club.objects.filter(slug=slug, closed_at__isnull=True).first() if what == "club" else None
    return Subject(club.name, reverse("club:home", args=[club.slug])) if club is not None else None
