"""Who may follow whom, and who may write to whom. Everything in this app that shows or writes something asks here."""

from __future__ import annotations

from accounts import permissions as account_permissions
from accounts.models import Player
from people import registry
from people.exceptions import PeopleError
from people.models import Follow


def check_member(player: Player | None) -> Player:
    """The player, if they have an account. Raises ``account-needed``."""
    if player is None or not player.is_member:
        raise PeopleError("account-needed")
    return player


def can_be_followed(player: Player, other: Player) -> bool:
    """Whether `player` may follow `other`: two different members, neither gone, without a block between them."""
    here = other.is_member and other.retired_at is None and other.pk != player.pk
    return player.is_member and here and account_permissions.may_meet(player, [other])


def follow_each_other(player: Player, other: Player) -> bool:
    """Whether each follows the other. One query."""
    both = Follow.objects.filter(player__in=(player, other), followed__in=(player, other))
    return both.count() == 2


def check_may_write(player: Player, other: Player) -> None:
    """Raise the refusal that keeps `player` from writing to `other` now, if any.

    Raises ``account-needed``, ``gone``, ``not-mutual`` (also if one has blocked the other, who must not learn of it),
    Suspended, and the refusals of the apps above (`registry.may_write`).
    """
    check_member(player)
    if other.retired_at is not None or not other.is_member:
        raise PeopleError("gone")
    if not follow_each_other(player, other) or not account_permissions.may_meet(player, [other]):
        raise PeopleError("not-mutual")
    account_permissions.check_not_suspended(player)
    for check in registry.may_write:
        check(player)
