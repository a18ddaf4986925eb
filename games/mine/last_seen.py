"""A player's games as a device may keep them: what the list says, worded so that it stays true when it is read later.

No hand is in it, and no card: the list is made from projections that know none. Moments are told in full, because "today"
would be another day when it is read.
"""

from __future__ import annotations

from datetime import datetime, tzinfo
from typing import Any, Final

from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from accounts import rhythms
from accounts.models import Player
from games.mine import my_games
from games.models import Game, Seat

ENOUGH_PLAYED: Final = 3
"""Games after which somebody is known to come back; more are not counted."""


def told(player: Player, now: datetime | None = None) -> dict[str, Any]:
    """The first page of the player's unfinished games, as plain data in the reader's language.

    `player` (public id), `language`, `at` (ISO), `heading` (when it was seen, in words), `waiting` (to 100), `games`, each
    with `title`, `line`, `group` (0 waits for the player, 1 for others, 2 practice), `until` (words) and `until_at` (ISO);
    `more`, how many games are left out; `played`, games the player ever sat at, to three.
    """
    moment = now or timezone.now()
    zone = rhythms.zone_of(player)
    page = my_games.open_games(player)
    lines = my_games.lines(page, player)
    played = Seat.objects.filter(player=player, game__kind=Game.Kind.PLAY).values_list("pk")[:ENOUGH_PLAYED]
    return {
        "player": player.public_id,
        "language": get_language(),
        "at": moment.isoformat(),
        "heading": _("Your games as last seen on %(when)s") % {"when": _in_full(moment.astimezone(zone))},
        "waiting": my_games.waiting(player),
        "games": [_game(line, zone) for line in lines],
        "more": page.paginator.count - len(lines),
        "played": len(played),
    }


def _game(line: my_games.GameLine, zone: tzinfo) -> dict[str, Any]:
    # While they play on live, the list names no time, though the clock has one.
    until = line.until if line.time else None
    words = _("until %(when)s") % {"when": _in_full(until.astimezone(zone))} if until is not None else ""
    return {
        "title": line.title,
        "line": line.line,
        "group": line.group,
        "until": words,
        "until_at": until and until.isoformat(),
    }


def _in_full(local: datetime) -> str:
    """ "Saturday, November 21, 20:14", in the words of the language."""
    fields = {
        "weekday": date_format(local, "l"),
        "day": date_format(local, "MONTH_DAY_FORMAT"),
        "time": date_format(local, "H:i"),
    }
    return _("%(weekday)s, %(day)s, %(time)s") % fields
