"""Alerts: asking to hear of new tables of a kind, and telling those who asked."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from django.db import transaction
from django.db.models import Q

from accounts import permissions as account_permissions
from accounts.models import Player
from games.lobby.models import OpenTable
from games.lobby.services import common as lobby
from games.meeting.exceptions import MeetingError
from games.meeting.models import Alert
from notices import outbox

MOST: Final = 5
TABLE: Final = "meeting.table"


def make(player: Player, *, games: Sequence[str] = (), pace: str = "", language: str = "") -> Alert:
    """Tell the player of each new table of this kind; what is empty takes everything.

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
    """Raises ``no-such-alert``."""
    if not Alert.objects.filter(player=player, pk=key).delete()[0]:
        raise MeetingError("no-such-alert")


def fits(alert: Alert, table: OpenTable) -> bool:
    """Whether it asks for such a table. A table without a language is for speakers of any."""
    kind = table.pace.get("kind", "live") if table.pace else "live"
    return (
        (not alert.games or table.ruleset in alert.games)
        and alert.pace in ("", kind)
        and alert.language in ("", table.language or alert.language)
    )


def tell(table: OpenTable) -> None:
    """Somebody has opened a table that others can find: who asked for such a one is told once. In its transaction.

    Nobody is told who sits there, or does not meet its host.
    """
    if table.state != OpenTable.State.WAITING or not lobby.is_listed(table):
        return
    away = account_permissions.strangers_to(table.host)
    sitting = table.chairs.values("player")
    asking = Alert.objects.filter(Q(player__retired_at=None)).exclude(player__in=away).exclude(player__in=sitting)
    told = set()
    for alert in asking.select_related("player"):
        if alert.player_id in told or not fits(alert, table):
            continue
        if not lobby.may_find(table, alert.player):
            continue
        told.add(alert.player_id)
        params = {"table": table.public_id, "ruleset": table.ruleset}
        outbox.put(TABLE, alert.player, params, expires_at=table.expires_at)
