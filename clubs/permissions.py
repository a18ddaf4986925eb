"""Who may do what in a club: one table, and the two functions with which everything else asks it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from accounts import permissions as account_permissions
from accounts.models import Player
from clubs import naming
from clubs.exceptions import AccountNeeded, NotAllowed, RoleRests
from clubs.models import Club, Member


class Act(StrEnum):
    EDIT = "edit"
    """Change what the club's page says, and how the club deals with names."""
    CLOSE = "close"
    GIVE_ROLES = "give-roles"
    KEEP_MEMBERS = "keep-members"
    """Enter, change and delete entries of the list, answer requests, invite, import and export."""
    SEE_MEMBERS = "see-members"
    ENTER_GUESTS = "enter-guests"
    """Enter guests who walk in at the entrance."""
    CALENDAR = "calendar"
    NEWS = "news"
    HOUSE_RULES = "house-rules"
    SEASONS = "seasons"
    PLAN_TOURNAMENTS = "plan-tournaments"
    """Announce, change and delete tournaments."""
    RUN_TOURNAMENTS = "run-tournaments"
    """Draw, seat, correct, close: everything during the evening itself."""


_DIRECTOR: Final = frozenset({Act.SEE_MEMBERS, Act.ENTER_GUESTS, Act.RUN_TOURNAMENTS})
_SECRETARY: Final = _DIRECTOR | {
    Act.KEEP_MEMBERS,
    Act.CALENDAR,
    Act.NEWS,
    Act.HOUSE_RULES,
    Act.SEASONS,
    Act.PLAN_TOURNAMENTS,
}
GRANTED: Final[Mapping[str, frozenset[Act]]] = {
    Member.Role.PRESIDENT: frozenset(Act),
    Member.Role.SECRETARY: _SECRETARY,
    Member.Role.DIRECTOR: _DIRECTOR,
    Member.Role.MEMBER: frozenset(),
}
"""What each role may do. Members see the list too, if the club allows it (`Club.list_for`)."""
_WRITING: Final = frozenset({Act.EDIT, Act.NEWS, Act.CALENDAR})
"""What a suspended person may not do. An evening that has begun goes on."""


@dataclass(frozen=True, slots=True)
class Standing:
    """The position of one person in one club: their entry, if any, and what they may do."""

    member: Member | None
    acts: frozenset[Act]
    rests: bool = False
    """Whether they have a role that is suspended, because they lack the second factor that the club demands."""

    @property
    def is_staff(self) -> bool:
        """Whether they have a role that runs evenings, and therefore see names."""
        return Act.RUN_TOURNAMENTS in self.acts

    @property
    def audience(self) -> naming.Audience:
        if self.is_staff:
            return naming.STAFF
        return naming.HALL if Act.SEE_MEMBERS in self.acts else naming.PUBLIC

    def may(self, act: Act) -> bool:
        return act in self.acts

    def check(self, act: Act) -> None:
        """Raise RoleRests or NotAllowed unless they may do this."""
        if act not in self.acts:
            raise RoleRests if self.rests else NotAllowed


def standing(club: Club, player: Player | None) -> Standing:
    """The position of `player` in `club`.

    One query for members of the site, two for its moderators, and one more for somebody with a role in a club that
    demands a second factor.
    """
    if player is None or not player.is_member or club.closed_at is not None:
        return Standing(None, frozenset())
    member = Member.objects.filter(club=club, player=player, left_on__isnull=True).first()
    acts = GRANTED[member.role] if member is not None and member.kind == Member.Kind.MEMBER else frozenset()
    rests = bool(acts) and club.demands_second_factor and not account_permissions.has_second_factor(player)
    if rests:
        acts = frozenset()
    if member is not None and member.kind == Member.Kind.MEMBER and club.list_for == Club.ListFor.MEMBERS:
        acts |= {Act.SEE_MEMBERS}
    if Act.CLOSE not in acts and account_permissions.may(player, account_permissions.MODERATOR):
        acts |= {Act.CLOSE}
    return Standing(member, acts, rests)


def may(player: Player | None, club: Club, act: Act) -> bool:
    return standing(club, player).may(act)


def check_may(player: Player | None, club: Club, act: Act) -> Standing:
    """The player's standing, if they may do this. Raises AccountNeeded, NotAllowed, RoleRests or Suspended."""
    if player is None or not player.is_member:
        raise AccountNeeded
    position = standing(club, player)
    position.check(act)
    if act in _WRITING:
        account_permissions.check_not_suspended(player)
    return position
