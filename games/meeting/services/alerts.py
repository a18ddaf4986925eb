"""Alerts: asking for notices about new tables of a kind, and sending them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from accounts import permissions as account_permissions
from accounts.models import Player
from games.lobby.models import OpenTable
from games.lobby.services import common as lobby
from games.meeting.exceptions import MeetingError
from games.meeting.models import Alert
from games.meeting.services import wishes
from notices import outbox

MOST: Final = 5
TABLE: Final = "meeting.table"


def make(player: Player, *, games: Sequence[str] = (), pace: str = "", language: str = "") -> Alert:
    """Make an alert: the player is told of each new table of this kind. Empty fields match every table.

    Raises ``account-needed``, ``too-many-alerts``. Locks the player's row.
    """
    if not player.is_member:
        raise MeetingError("account-needed")
    with transaction.atomic():
        Player.objects.select_for_update(no_key=True).get(pk=player.pk)
        own = Alert.objects.filter(player=player)
        same = own.filter(games=list(games), pace=pace, language=language).first()
        if same is not None:
            return same
        if own.count() >= MOST:
            raise MeetingError("too-many-alerts")
        return Alert.objects.create(player=player, games=list(games), pace=pace, language=language)


def remove(player: Player, key: int) -> None:
    """Delete an alert of the player. Raises ``no-such-alert``."""
    if not Alert.objects.filter(player=player, pk=key).delete()[0]:
        raise MeetingError("no-such-alert")


def fits(alert: Alert, table: OpenTable) -> bool:
    """Whether the alert asks for such a table. A table without a language fits every language."""
    kind = table.pace.get("kind", "live") if table.pace else "live"
    return (
        (not alert.games or table.ruleset in alert.games)
        and alert.pace in ("", kind)
        and alert.language in ("", table.language or alert.language)
    )


def asks(player: Player, table: OpenTable) -> bool:
    """Whether the player has an alert for such a table or an open wish that it fulfils. Two queries."""
    own = wishes.open_wishes(timezone.now()).filter(player=player)
    return any(fits(alert, table) for alert in Alert.objects.filter(player=player)) or any(
        wishes.fits_table(wish, table) for wish in own
    )


def tell(table: OpenTable) -> None:
    """Write notices about a newly opened table, in its transaction, if others can find it.

    Everybody with a matching alert or wish gets one notice, except people who sit there or may not meet its host.
    """
    if table.state != OpenTable.State.WAITING or not lobby.is_listed(table):
        return
    away = account_permissions.strangers_to(table.host)
    others = ~Q(player__in=away) & ~Q(player__in=table.chairs.values("player")) & Q(player__retired_at=None)
    alerts = Alert.objects.filter(others).select_related("player")
    open_wishes = wishes.open_wishes(timezone.now()).filter(others)
    people = [alert.player for alert in alerts if fits(alert, table)]
    people += [wish.player for wish in open_wishes.select_related("player") if wishes.fits_table(wish, table)]
    for player in {player.pk: player for player in people}.values():
        if lobby.may_find(table, player):
            params = {"table": table.public_id, "ruleset": table.ruleset}
            outbox.put(TABLE, player, params, expires_at=table.expires_at)
