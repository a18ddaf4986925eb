"""The promises of packs: deals whose secret is drawn and whose commitment is shown, while their pack does not lie yet."""

from __future__ import annotations

from games import packs
from games.models import Deal, Game
from games.services import boards


def sealed(game: Game, number: int) -> Deal:
    """The promise of the pack of one deal, made now if it was not made before: its secret cannot be changed unnoticed.

    Where deals are shared it was made when they were laid. Call it with the game's row locked.
    """
    shared = boards.deal_of(game, number)
    if shared is not None:
        return shared
    deal = packs.promised(game, number)
    if deal is None:
        deal = packs.sealed_deal(game, number)
        deal.save()
    return deal


def seal_ahead(game: Game) -> None:
    """As a deal begins where nobody sits down, promise the pack of the next one, if there may be one. With the row locked."""
    if (
        game.pace
        and game.board_set_id is None
        and (game.options.get("throw_in") or game.hands_played + 1 < int(game.options["hands"]))
    ):
        sealed(game, game.hand_number + 1)


def let_go(game: Game) -> None:
    """The game is over: what was promised for a deal that will not come is let go; nothing was ever dealt from it."""
    Deal.objects.filter(table=game.public_id, ordinal__gt=game.hand_number, pack=None, hands=None).delete()
