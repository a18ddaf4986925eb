"""The open days as plain data for programs: the same for everybody, and nobody is named."""

from __future__ import annotations

from datetime import date

from django.conf import settings
from django.urls import reverse

from games.daily import reading


def days(before: date | None) -> dict[str, object]:
    """Open days, the last one first; `next` leads to those before, where there are more."""
    found = reading.fed(before)
    more = None
    if len(found) == reading.FED:
        more = f"{settings.SITE_URL}{reverse('daily-days')}?before={found[-1][0].date.isoformat()}"
    return {
        "format": "troccas-daily",
        "version": 1,
        "days": [
            {
                "day": day.date.isoformat(),
                "ruleset": day.board_set.ruleset,
                "ruleset_version": day.board_set.ruleset_version,
                "table_size": day.board_set.table_size,
                "players": day.players,
                "average": day.datum,
                "computer": day.computer_points,
                "results": [{"points": points, "people": people} for points, people in counted],
                "url": settings.SITE_URL + reverse("daily:day", args=[day.date]),
                "record": _record(day.computer.public_id if day.computer_points is not None and day.computer else ""),
            }
            for day, counted in found
        ],
        "next": more,
    }


def _record(game: str) -> str | None:
    """The computer player's game, with the pack and its proof."""
    return settings.SITE_URL + reverse("games:record", args=[game]) if game else None
