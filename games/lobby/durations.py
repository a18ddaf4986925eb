"""How long a game will take at a pace: from games of this site that are over, once there are enough of them; until then from games
of people that were simulated (`durations.json` names how)."""

from __future__ import annotations

import json
import statistics
from datetime import timedelta
from functools import cache
from pathlib import Path
from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.lobby.text import Pace
from games.models import Game

FILE: Final = Path(__file__).with_name("durations.json")
ENOUGH: Final = 30
"""So many games tell more than a simulation."""
LATELY: Final = 200
DAY: Final = timedelta(days=1)
HOUR: Final = timedelta(hours=1)
MINUTE: Final = timedelta(minutes=1)


def expected(ruleset: str, pace: Pace, hands: int) -> timedelta | None:
    """How long a game of so many hands takes at a pace, a median; None where nothing is known. One query."""
    of_a_hand = _played_here(ruleset, pace) or _simulated(ruleset, pace.id)
    return of_a_hand * hands if of_a_hand is not None else None


def sentence(ruleset: str, pace: Pace, hands: int) -> str:
    """The same for the reader: "A game of two hands takes about three weeks."; empty where nothing is known."""
    time = expected(ruleset, pace, hands)
    if time is None:
        return ""
    fields = {"hands": hands, "time": in_words(time)}
    return ngettext(
        "A game of %(hands)d hand takes about %(time)s.", "A game of %(hands)d hands takes about %(time)s.", hands
    ) % fields  # fmt: skip


def in_words(time: timedelta) -> str:
    """A long time, roughly: "three weeks", "40 minutes"."""
    if time < 2 * HOUR:
        minutes = max(5, 5 * round(time / MINUTE / 5))
        return ngettext("%(n)d minute", "%(n)d minutes", minutes) % {"n": minutes}
    if time < 1.5 * DAY:
        hours = round(time / HOUR)
        return ngettext("%(n)d hour", "%(n)d hours", hours) % {"n": hours}
    if time < 10 * DAY:
        days = round(time / DAY)
        return ngettext("%(n)d day", "%(n)d days", days) % {"n": days}
    if time < 60 * DAY:
        weeks = round(time / DAY / 7)
        return ngettext("%(n)d week", "%(n)d weeks", weeks) % {"n": weeks}
    return _("%(n)d months") % {"n": round(time / DAY / 30)}


def _played_here(ruleset: str, pace: Pace) -> timedelta | None:
    """How long a hand took at this pace in the latest games of people here."""
    games = Game.objects.filter(
        status=Game.Status.FINISHED, kind=Game.Kind.PLAY, ruleset=ruleset, board_set=None, hands_played__gt=0
    ).exclude(seats__player__computer__gt="")
    if pace.terms is None:
        games = games.filter(pace={})
    else:
        agreed = pace.terms.to_json()
        games = games.filter(**{f"pace__{name}": agreed[name] for name in ("kind", "action", "bank", "refills")})
    found = [
        (ended - created) / hands
        for created, ended, hands in games.order_by("-ended_at").values_list("created_at", "ended_at", "hands_played")[
            :LATELY
        ]
        if ended is not None
    ]
    return statistics.median_low(found) if len(found) >= ENOUGH else None


def _simulated(ruleset: str, pace: str) -> timedelta | None:
    days = _figures().get(ruleset, {}).get(pace)
    return DAY * days if days is not None else None


@cache
def _figures() -> dict[str, dict[str, float]]:
    found: dict[str, dict[str, float]] = json.loads(FILE.read_text(encoding="utf-8"))["days_of_a_hand"]
    return found
