"""Wishes, appointments and alerts in the reader's language."""

from __future__ import annotations

import calendar
from datetime import date, datetime, timedelta
from typing import Final

from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from core.sursilvan import in_a_row, joined
from domain.engine.rulesets import ruleset
from games.lobby import text as lobby
from games.meeting.models import Alert, StandingWish
from games.meeting.services.wishes import variants_of
from games.selectors import rulesets
from games.text.figures import variant_name

_MONDAY: Final = date(2024, 1, 1)


def weekday_name(number: int) -> str:
    """0 is Monday."""
    return date_format(_MONDAY + timedelta(days=number % len(calendar.day_name)), "l")


def hour_words(hour: int) -> str:
    return f"{hour:02d}:00"


def game_of(name: str, size: int) -> str:
    """ "Troccas", "Troggu of Visp, 5 players"."""
    return variant_name((name, size))


def seats_of(name: str, size: int) -> str:
    """ "Troccas, 4 players": always with the number of players."""
    if name in rulesets.ORDER and len(ruleset(name).sizes) > 1:
        return game_of(name, size)
    players = ngettext("%(size)d player", "%(size)d players", size) % {"size": size}
    return _("%(game)s, %(players)s") % {"game": rulesets.game_name(name, name), "players": players}


def pace_name(pace: str) -> str:
    """The name of a pace in wishes and appointments, where the game does not begin at once."""
    live = {"live": _("Live, without haste"), "fast": _("Live, and fast")}
    if pace in live:
        return live[pace]
    offered = lobby.pace_of(pace)
    return offered.name if offered is not None else pace


def games_of(wish: StandingWish) -> str:
    return in_a_row([game_of(*variant) for variant in variants_of(wish)])


def details_of(wish: StandingWish) -> list[str]:
    """Paces, evenings and languages of a wish, as one phrase each."""
    phrases = [pace_name(pace) for pace in wish.paces]
    if wish.weekdays:
        days = _("any evening")
        if len(wish.weekdays) < len(calendar.day_name):
            days = in_a_row([weekday_name(day) for day in wish.weekdays])
        phrases.append(_("%(days)s, %(hour)s") % {"days": days, "hour": hour_words(wish.hour)})
    if wish.languages:
        phrases.append(in_a_row([lobby.language_name(code) for code in wish.languages]))
    return phrases


def alert_words(alert: Alert) -> str:
    """The kind of table that an alert asks for, in one line."""
    kinds = {"days": _("days"), "live": _("live")}
    games = in_a_row([rulesets.game_name(game, game) for game in alert.games]) or _("any game")
    parts = [games, kinds.get(alert.pace, ""), lobby.language_name(alert.language)]
    return joined(" · ", [part for part in parts if part])


def missing_words(game: str, missing: int) -> str:
    """ "Troccas: 2 more people are needed." """
    return ngettext(
        "%(game)s: %(count)d more person is needed.", "%(game)s: %(count)d more people are needed.", missing
    ) % {"game": game, "count": missing}


def waiting_words(game: str, count: int) -> str:
    """ "3 people are waiting for Troggu." """
    return ngettext(
        "%(count)d person is waiting for %(game)s.", "%(count)d people are waiting for %(game)s.", count
    ) % {
        "game": game,
        "count": count,
    }


def day_of(moment: datetime) -> str:
    return date_format(timezone.localtime(moment), "DATE_FORMAT")
