"""When the ratings are to be computed anew: cheap to ask, for the worker."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any, Final

from django.db.models import Max

from clubs.rating_models import RatedPerson, RatingRun
from clubs.tournament_models import TournamentEvent
from games.board_models import BoardSet
from games.statistics_models import PlayedSeat

EVERY: Final = timedelta(days=1)
"""After so long they are computed even if nothing new was seen."""


def marks() -> dict[str, Any]:
    """How far the logs go, and who wants to be shown. Four queries, each answered from an index or a small table."""
    changed = RatedPerson.objects.aggregate(last=Max("changed_at"))["last"]
    opened = BoardSet.objects.aggregate(last=Max("opened_at"))["last"]
    return {
        "event": TournamentEvent.objects.aggregate(last=Max("pk"))["last"] or 0,
        "seat": PlayedSeat.objects.aggregate(last=Max("pk"))["last"] or 0,
        "opened": opened.isoformat() if opened else "",
        "people": changed.isoformat() if changed else "",
    }


def is_due(now: datetime) -> bool:
    """Whether something new has ended, somebody new wants to be shown, or the last run is a day old."""
    row = RatingRun.objects.filter(pk=1).first()
    found = marks()
    if row is None or row.at is None:
        return bool(found["event"] or found["seat"])
    return row.marks != found or now - row.at >= EVERY
