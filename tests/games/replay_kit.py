"""Games that are over, of every ruleset, for tests of looking back."""

from __future__ import annotations

import random

from accounts.models import Player
from domain.bots import advice
from domain.engine import Hand, cards_in
from domain.engine.rulesets import ruleset
from games.models import Game
from games.selectors import rulesets
from tests.games.store_kit import store
from tests.games.table_kit import person

RULESETS = rulesets.ORDER
FEW = {"troccas", "troccas-3", "troggu", "troggu-graechen"}
"""Those of each test that are played in the quick run."""


def played(id: str, seed: int = 1, *, seats: int | None = None) -> Hand:
    """A hand that computer players have played to its end, without a throw-in."""
    rules = ruleset(id, None, seats)
    chance = random.Random(f"{id}-{seed}")
    while True:
        pack = list(cards_in(rules.pack))
        chance.shuffle(pack)
        hand = Hand(rules, chance.randrange(rules.seats), pack, options=rules.settled_options({"hands": 1}))
        while not hand.over:
            hand.push(advice.choose(hand.view(hand.turn)))
        assert hand.result is not None
        if hand.result.status == "played":
            return hand


def stored(id: str, seed: int = 1, *, seats: int | None = None, player: Player | None = None) -> Game:
    """A game of one such hand, in the database; `player` sat at seat 0, others like them elsewhere."""
    hand = played(id, seed, seats=seats)
    others = [person(name=f"Player {number}") for number in range(1, hand.seats)]
    game = store(hand, [player or person(name="Ursina"), *others])
    assert game.status == Game.Status.FINISHED
    return game
