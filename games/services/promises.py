"""Promised packs: deals whose secret is drawn and whose commitment is shown, while their pack is not made yet.

At a table with a pace each deal begins by itself. The next pack is therefore promised from the beginning of the deal
before, which can take days, and anyone who opens the table in the meantime adds entropy of their own. Nothing is
written to the log and nobody's page changes: only the row of the deal keeps it, and its proof when that deal is over.
"""

from __future__ import annotations

from django.db import transaction

from accounts.models import Player
from games import packs
from games.exceptions import Malformed, NotNow, NotYourSeat, Stale
from games.models import Deal, Game
from games.selectors.log import Promise, Table
from games.services import boards, common


def sealed_deal(game: Game, number: int) -> Deal:
    """The promised deal with this number, created now if it does not exist: its secret cannot be changed unnoticed.

    Shared deals were promised when their set was created. Call it with the game's row locked.
    """
    shared = boards.deal_of(game, number)
    if shared is not None:
        return shared
    deal = packs.promised(game, number)
    if deal is None:
        deal = packs.sealed_deal(game.public_id, number)
        deal.save()
    return deal


def seal_ahead(table: Table) -> None:
    """Promise the pack of the next deal, if there may be one, at a table where deals begin by themselves.

    Call it when a deal begins, with the game's row locked.
    """
    game = table.game
    if (
        game.pace
        and game.board_set_id is None
        and (game.options.get("throw_in") or game.hands_played + 1 < int(game.options["hands"]))
    ):
        deal = sealed_deal(game, game.hand_number + 1)
        table.next_promise = Promise(deal.ordinal, deal.commitment, deal.entropy)


def drop_promises(game: Game) -> None:
    """Delete the promise of the next deal of a game that is over; nothing was ever dealt from it."""
    Deal.objects.filter(table=game.public_id, ordinal__gt=game.hand_number, pack=None, hands=None).delete()


def _coming(game: Game) -> Deal | None:
    """The deal of `Table.coming` of a game that is being played. One query."""
    if not game.pace or game.board_set_id is not None:
        return None
    return packs.promised(game, game.hand_number + (1 if game.to_act is not None else 0))


def check_entropy(text: str) -> None:
    """Raise Malformed unless `text` is 16 bytes in hex."""
    if len(text) != 32 or not all(digit in "0123456789abcdef" for digit in text):
        raise Malformed("entropy is 32 hexadecimal digits", where="entropy")


def add_entropy(game_id: int, hand: int, entropy: str, *, by: Player) -> bool:
    """Add 16 bytes of entropy (hex) from the browser of `by` to the pack of deal `hand`.

    Returns False if they did so before.

    Only the first entropy of each seat counts. Raises Malformed; NotYourSeat; GameEnded; Stale if `hand` is not the
    coming deal; NotNow if none is coming.
    """
    check_entropy(entropy)
    with transaction.atomic():
        game = common.locked(game_id)
        seat = game.seats.filter(player=by).values_list("number", flat=True).first()
        if seat is None or by.is_computer:
            raise NotYourSeat
        common.check_playing(game)
        deal = _coming(game)
        if deal is None:
            raise NotNow
        if deal.ordinal != hand:
            raise Stale
        if str(seat) in deal.entropy:
            return False
        deal.entropy[str(seat)] = entropy
        deal.given_by[str(seat)] = by.current.public_id
        deal.save(update_fields=["entropy", "given_by"])
        return True
