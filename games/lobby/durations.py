"""How long a game takes at a pace: measured in finished games of this site once there are enough of them, until then in
simulated games of people (`durations.json` says how they were simulated)."""

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
FEWEST_GAMES: Final = 30
"""From this number on, games say more than a simulation."""
LATEST_GAMES: Final = 200
"""Only the latest games are measured, at most this number."""
DAY: Final = timedelta(days=1)
HOUR: Final = timedelta(hours=1)
MINUTE: Final = timedelta(minutes=1)


def expected(ruleset: str, pace: Pace, hands: int) -> timedelta | None:
    """The median duration of a game of that many hands at a pace; None if it is unknown. One query."""
    of_a_hand = _played_here(ruleset, pace) or _simulated(ruleset, pace.id)
    return of_a_hand * hands if of_a_hand is not None else None


def sentence(ruleset: str, pace: Pace, hands: int) -> str:
    """The expected duration as a sentence in the reader's language: "A game of 2 hands takes about 3 weeks."

    Empty if it is unknown.
    """
    time = expected(ruleset, pace, hands)
    if time is None:
        return ""
    fields = {"hands": hands, "time": in_words(time)}
    return ngettext(
        "A game of %(hands)d hand takes about %(time)s.", "A game of %(hands)d hands takes about %(time)s.", hands
    ) % fields  # fmt: skip


def in_words(time: timedelta) -> str:
    """A duration, roughly: "3 weeks", "40 minutes"."""
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
    """The median duration of a hand at this pace in the latest games of people; None if there are too few games."""
    games = Game.objects.filter(
        status=Game.Status.FINISHED, kind=Game.Kind.PLAY, ruleset=ruleset, board_set=None, hands_played__gt=0
    ).exclude(seats__player__computer__gt="")
    if pace.terms is None:
        games = games.filter(pace={})
    else:
        agreed = pace.terms.to_json()
        games = games.filter(**{f"pace__{name}": agreed[name] for name in ("kind", "action", "bank", "refills")})
    latest = games.order_by("-ended_at").values_list("created_at", "ended_at", "hands_played")[:LATEST_GAMES]
    durations = [(ended - created) / hands for created, ended, hands in latest if ended is not None]
    return statistics.median_low(durations) if len(durations) >= FEWEST_GAMES else None


def _simulated(ruleset: str, pace: str) -> timedelta | None:
    days = _figures().get(ruleset, {}).get(pace)
    return DAY * days if days is not None else None


@cache
def _figures() -> dict[str, dict[str, float]]:
    days_of_a_hand: dict[str, dict[str, float]] = json.loads(FILE.read_text(encoding="utf-8"))["days_of_a_hand"]
    return days_of_a_hand
