"""Who wants nothing to do with whom. Whoever is blocked cannot invite, join before the start, or write to the one who did it."""

from __future__ import annotations

from collections.abc import Iterable

from django.core.exceptions import ValidationError
from django.db.models import Q
from django.utils.translation import gettext as _

from accounts.models import Block, Player

MOST = 500
"""How many people one person may block."""


def block(player: Player, other: Player) -> None:
    """From now on `player` wants nothing to do with `other`; repeating it changes nothing.

    Raises ValidationError, in the reader's language, for oneself, a computer player, or too many.
    """
    blocked = other.current
    if blocked.pk == player.pk:
        raise ValidationError(_("You cannot block yourself."), code="self")
    if blocked.is_computer:
        raise ValidationError(
            _("Computer players cannot be blocked: leave their seats to people instead."), code="computer"
        )
    if Block.objects.filter(player=player).count() >= MOST:
        raise ValidationError(
            _("You have blocked %(count)d people: let one go first."), code="many", params={"count": MOST}
        )
    Block.objects.get_or_create(player=player, blocked=blocked)


def unblock(player: Player, other: Player) -> bool:
    """Take it back; True if it was so."""
    gone, _by_model = Block.objects.filter(player=player, blocked=other.current).delete()
    return gone > 0


def has_blocked(player: Player, other: Player) -> bool:
    """Whether `player` has blocked `other`."""
    return Block.objects.filter(player=player, blocked=other.current).exists()


def may_meet(player: Player, others: Iterable[Player]) -> bool:
    """Whether `player` may sit down with, invite, or write to all of `others`: nobody among them has blocked the other.

    One query. Both directions count: who blocks somebody does not want to meet them at a table either.
    """
    keys = {other.current.pk for other in others}
    mine = player.current.pk
    return not Block.objects.filter(Q(player=mine, blocked__in=keys) | Q(player__in=keys, blocked=mine)).exists()


def strangers_to(player: Player) -> frozenset[int]:
    """Keys of all players with whom `player` may not meet, for leaving them out of lists. One query."""
    rows = Block.objects.filter(Q(player=player) | Q(blocked=player)).values_list("player", "blocked")
    return frozenset(key for row in rows for key in row if key != player.pk)
