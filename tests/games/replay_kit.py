"""Games that are over, of every ruleset, for tests of looking back: played by computer players through the door."""

from __future__ import annotations

from typing import Any

from accounts.models import Player
from games import choosing, computers, play
from games.engine.rulesets import ruleset
from games.models import Game
from tests.games.table_kit import play_out

RULESETS = choosing.ORDER


def finished(player: Player, id: str = "troccas", *, seats: int | None = None, **options: Any) -> Game:
    """A game of one hand (or `hands` of them) that `player` has played to its end against computer players."""
    rules = ruleset(id, None, seats)
    wished: dict[str, Any] = {"hands": 1} | options
    names = {option.name for option in rules.options}
    if "throw_in" in names:
        wished.setdefault("throw_in", False)
    players = [player, *computers.computer_players(rules.seats - 1)]
    game = play.start(id, players, options=wished)
    play_out(game, player)
    return game
