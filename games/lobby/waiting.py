"""How long a table waits: the reminder before its time is over, and more time from its host.

A wing of the door, with the door's rules: the lock on the table's row first, then the checks, one transaction.
"""

from __future__ import annotations

import uuid
from datetime import datetime, timedelta
from typing import Final

from django.db import transaction
from django.utils import timezone

from accounts.models import Player
from games.lobby import steps
from games.lobby.refusals import WaitsLongEnough
from games.lobby_models import OpenTable

ENDING: Final = "table.ending"
NEAR_THE_END: Final = 0.25
"""The part of its time that is left when a table's host is reminded, and may let it wait longer …"""
AT_MOST_BEFORE: Final = timedelta(days=1)
"""… and never earlier than this before the end."""


def remind_at(begun: datetime, end: datetime) -> datetime:
    """When the host of a table that waits from `begun` to `end` is reminded."""
    return end - min((end - begun) * NEAR_THE_END, AT_MOST_BEFORE)


def begun_at(table: OpenTable) -> datetime:
    """Since when the table waits, counted anew each time it was given more. One query."""
    last = table.events.filter(text__in=("laid", "extended")).order_by("-number").values_list("at", flat=True).first()
    return last or table.created_at


def longer(table: OpenTable, now: datetime) -> datetime | None:
    """Until when the table would wait if its host let it wait longer now: as long again; None while it is too early."""
    begun = begun_at(table)
    if now < remind_at(begun, table.expires_at):
        return None
    return now + (table.expires_at - begun)


def remind(table: OpenTable) -> None:
    """Note a reminder for the table's host, told when its time is nearly over and if it waits still. Needs the lock."""
    at = remind_at(begun_at(table), table.expires_at)
    steps.tell(ENDING, table, [table.host], due_at=max(at, timezone.now()))


def extend(table_id: int, host: Player, *, request_id: uuid.UUID) -> OpenTable:
    """The host lets the table wait as long again, from now on.

    Raises TableGone, NotHost, WaitsLongEnough (the end is not near), RequestReused.
    """
    with transaction.atomic():
        table = steps.locked(table_id)
        if steps.answered(table_id, host, request_id, "extended") is not None:
            return table
        steps.check_waiting(table)
        steps.check_host(table, host)
        until = longer(table, timezone.now())
        if until is None:
            raise WaitsLongEnough
        table.expires_at = until
        steps.log(table, "extended", actor=host, request_id=request_id)
        remind(table)
        steps.done(table)
        return table
