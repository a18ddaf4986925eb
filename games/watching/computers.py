"""Tables of computer players only: one for each game, which runs while somebody watches it. Nobody is rated there, and
nothing is kept for long."""

from __future__ import annotations

from collections import Counter
from datetime import datetime, timedelta
from typing import Final

from django.db import IntegrityError, transaction
from django.utils import timezone

from domain.engine.rulesets import ruleset
from games.models import Deal, Game
from games.selectors import rulesets
from games.services import computers, play
from games.watching.services import HOLDS_SECONDS

KEPT: Final = 3
"""How many finished tables of each game are kept for those who watched them."""
IDLE: Final = timedelta(days=1)
"""A table that nobody has watched for this long is closed; the next watcher gets a new one."""


def join(game_id: str) -> Game:
    """The table of this game where computer players play among themselves; begun if there is none.

    Raises UnknownRuleset for a game that is not offered.
    """
    rules = ruleset(game_id if game_id in rulesets.ORDER else "")
    running = Game.objects.filter(kind=Game.Kind.COMPUTERS, status=Game.Status.PLAYING, ruleset=rules.id)
    game = running.first()
    if game is None:
        try:
            with transaction.atomic():
                players = computers.computer_players(rules.seats)
                draws = rulesets.draws_partners(rules)
                game = play.start(rules.id, players, kind=Game.Kind.COMPUTERS, draws_partners=draws)
        except IntegrityError:  # somebody else began it at the same moment
            game = running.get()
    look_in(game)
    return game


def look_in(game: Game) -> None:
    """Let such a table play on for a while, after somebody opened its page, even if their browser has no socket."""
    if game.kind == Game.Kind.COMPUTERS and game.status == Game.Status.PLAYING:
        until = timezone.now() + timedelta(seconds=HOLDS_SECONDS)
        Game.objects.filter(pk=game.pk).update(practice={"until": until.isoformat()})
        computers.wake(game.pk)


def forget(now: datetime) -> int:
    """Close tables that nobody has watched for `IDLE`, and delete all but the latest `KEPT` finished ones of each game.

    Returns how many were deleted.
    """
    alone = Game.objects.filter(kind=Game.Kind.COMPUTERS)
    for game in alone.filter(status=Game.Status.PLAYING, acted_at__lt=now - IDLE):
        play.expire(game.pk)
    finished: Counter[str] = Counter()
    deleted = 0
    for game in alone.exclude(status=Game.Status.PLAYING).order_by("-pk"):
        finished[game.ruleset] += 1
        if finished[game.ruleset] > KEPT:
            with transaction.atomic():
                deals = list(game.hands.values_list("deal", flat=True))
                game.delete()
                Deal.objects.filter(pk__in=deals, hands=None).delete()
            deleted += 1
    return deleted
