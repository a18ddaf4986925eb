"""A player's own hand and the table as they see it, for a device on which they chose to keep their games."""

from __future__ import annotations

from typing import Any, Final

from accounts.models import Player
from games.models import Game
from games.selectors import table
from games.text.common import name_of
from games.text.table import prompt
from rules.text import names

MOST: Final = 12
"""Games whose hands are kept: each costs a reading of its log."""


def hand_as_data(game: Game, player: Player) -> dict[str, Any]:
    """`game` (public id), `number`, `prompt`, `trick` (who laid what, in words), `asked` (whether they may play now), `hand`
    (`code`, `name`, and whether it may be played now). In the reader's language; of other hands nothing."""
    seen = table.sight_of(game, player)
    asked = seen.question.mine and seen.question.asked == "play"
    laid = seen.trick.cards if seen.trick is not None else ()
    return {
        "game": seen.public_id,
        "number": seen.number,
        "prompt": prompt(seen),
        "asked": asked,
        "trick": [f"{name_of(card.seat, seen)}: {names.card_label(card.code)}" for card in laid],
        "hand": [
            {"code": card.code, "name": names.card_label(card.code), "playable": asked and card.playable}
            for card in seen.cards
        ],
    }
