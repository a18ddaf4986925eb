"""What the worker does for tables that wait: end those that have waited long enough, and forget those long over."""

from __future__ import annotations

import logging
from datetime import datetime, timedelta
from typing import Final

from django.utils import timezone

from games.lobby.models import OpenTable
from games.lobby.services import tables

logger = logging.getLogger(__name__)

AT_ONCE: Final = 50
KEPT: Final = timedelta(days=30)


def do_due(moment: datetime) -> int:
    """End the tables whose time is over; returns how many. One that is broken waits an hour and holds up nobody."""
    waiting = OpenTable.objects.filter(state=OpenTable.State.WAITING, expires_at__lte=moment).order_by("expires_at")
    ended = 0
    for table in waiting[:AT_ONCE]:
        try:
            ended += tables.expire(table.pk, moment)
        except Exception:
            logger.exception("could not end table %s", table.public_id)
            OpenTable.objects.filter(pk=table.pk).update(expires_at=moment + timedelta(hours=1))
    return ended


def catch_up(table: OpenTable) -> OpenTable:
    """The table after its end, if its time is over: nobody sees one waiting that does not wait."""
    if table.state != OpenTable.State.WAITING or table.expires_at > timezone.now():
        return table
    tables.expire(table.pk)
    return OpenTable.objects.select_related("game", "host__merged_into").get(pk=table.pk)


def forget(moment: datetime) -> int:
    """Delete tables that came to nothing longer ago than they are kept; returns how many."""
    over = (OpenTable.State.EXPIRED, OpenTable.State.CLOSED)
    _all, gone = OpenTable.objects.filter(state__in=over, ended_at__lt=moment - KEPT).delete()
    return gone.get("games.OpenTable", 0)
