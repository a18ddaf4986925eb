"""Tables that wait, for tests: members with names, laying and joining with fresh request ids."""

from __future__ import annotations

import uuid
from datetime import timedelta
from typing import Any

from django.contrib.auth import get_user_model

from accounts import names
from accounts.models import Player
from domain.engine.rulesets import ruleset
from games.lobby import text
from games.lobby.models import OpenTable
from games.lobby.services import tables

WEEK = timedelta(days=7)
DAYS = next(pace.terms for pace in text.offered_paces() if pace.terms is not None)
LIVE = next(pace.terms for pace in text.offered_paces() if pace.id == "live")


def member(name: str = "Anna") -> Player:
    """Somebody with an account and a name."""
    user = get_user_model().objects.create_user(f"{uuid.uuid4().hex}@example.org", "neun-und-dreissig")
    player = Player.objects.create(user=user, bot_speed="at-once")
    names.give(player, name)
    return player


def guest(name: str = "Gast") -> Player:
    """Somebody without an account."""
    player = Player.objects.create(bot_speed="at-once")
    if name:
        names.give(player, name)
    return player


def wish(game: str = "troccas", size: int | None = None, **how: Any) -> tables.Wish:
    """A table of a game, for days, by choice of seats, with its usual options."""
    rules = ruleset(game)
    rules = ruleset(game, rules.version, size or rules.seats)
    options = how.pop("options", {"hands": 1})
    fields: dict[str, Any] = {"pace": DAYS, "wait": WEEK} | how
    return tables.Wish(rules, rules.settled_options(options), **fields)


def lay(host: Player, game: str = "troccas", **how: Any) -> OpenTable:
    """A new table."""
    return tables.open_table(host, wish(game, **how), request_id=uuid.uuid4())


def join(table: OpenTable, player: Player, seat: int | None = None) -> OpenTable:
    """Sit down."""
    return tables.join(table.pk, player, request_id=uuid.uuid4(), seat=seat)


def sitting(table: OpenTable) -> dict[int, str]:
    """Who sits where."""
    return {chair.number: chair.player.display_name for chair in table.chairs.select_related("player")}
