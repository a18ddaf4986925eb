"""Shared by wishes, appointments and alerts: who may make them, and the table that they lead to."""

from __future__ import annotations

from datetime import timedelta
from typing import Final

from accounts import permissions as account_permissions
from accounts.models import Player
from core import limits
from domain.engine.rulesets import ruleset
from domain.pace import Kind
from games.lobby import text
from games.lobby.models import OpenTable
from games.lobby.services.tables import CORRESPONDENCE, Wish
from games.meeting.exceptions import MeetingError
from games.selectors import rulesets

LIVE_WAIT: Final = timedelta(hours=1)


def limit(player: Player, *, rate: float = 60, burst: int = 30) -> None:
    """Raise ``too-often`` above `rate` an hour."""
    if not limits.take(f"meeting:{player.pk}", rate=rate, per=3600, burst=burst):
        raise MeetingError("too-often")


def check_person(player: Player) -> None:
    """Raise ``account-needed``, ``name-needed`` or Suspended if this player may not arrange games with others."""
    if not player.is_member:
        raise MeetingError("account-needed")
    if not player.name:
        raise MeetingError("name-needed")
    account_permissions.check_not_suspended(player)


def wish_for_table(game: str, size: int, pace: str, language: str = "", hands: int | None = None) -> Wish:
    """A table of `size` seats for a game at one of the offered paces, with the usual options of that pace.

    Raises ValueError for an unknown pace.
    """
    newest = ruleset(game)
    rules = ruleset(game, newest.version, size)
    offered = text.pace_of(pace)
    if offered is None:
        raise ValueError(f"no such pace: {pace}")
    names = {option.name for option in rules.options}
    usual = CORRESPONDENCE if offered.kind is Kind.DAYS else {}
    options = {name: value for name, value in usual.items() if name in names}
    if hands is not None:
        options["hands"] = hands
    return Wish(
        rules,
        rules.settled_options(options),
        offered.terms,
        LIVE_WAIT,
        entry=OpenTable.Entry.EVERYONE,
        seating=OpenTable.Seating.DRAW if rulesets.draws_partners(rules) else OpenTable.Seating.CHOICE,
        language=language,
    )
