"""The door's third wing: what saves visits. Claiming the rest of a hand, and saying ahead what to do when one is asked.

The rules are those of `play`: the lock first, then checks; what happens at the table goes into the log as ordinary moves, in
one transaction. What is said ahead never does: it is known to its owner alone until it is done.
"""

from __future__ import annotations

import uuid

from django.db import transaction

from accounts.models import Player
from core.commands import command
from domain.engine import View
from domain.engine.claims import next_claimed, next_given, proven
from domain.pace import State
from games import projections
from games.conditional import keeping, plans
from games.exceptions import GameError, NotNow
from games.models import Action, Game
from games.selectors import log
from games.services import common
from games.services.common import Receipt
from notices import outbox

CLAIMED = "claimed"
"""In the log: who leads has shown that all tricks that are left are theirs; the moves that end the hand follow."""


@command
def claim(game_id: int, seat: int, *, expected: int, request_id: uuid.UUID, by: Player) -> Receipt:
    """The player at `seat`, who leads, claims every trick that is left, and the hand is played to its end.

    Raises ``not-proven`` unless their own cards prove it; ``not-your-turn``, NotNow, Stale, NotYourSeat, GameEnded,
    ``request-reused``.
    """
    game = common.locked(game_id)
    table = common.enter(game, seat, by, request_id, (CLAIMED, {}))
    common.check_expected(game, expected)
    hand = table.hand
    if hand is None or game.kind == Game.Kind.GUIDED:
        raise NotNow
    if hand.turn != seat:
        raise GameError("not-your-turn")
    if not proven(hand.view(seat)):
        raise GameError("not-proven")
    common.welcome_back(table, seat, by)
    entry = common.log(game, Action.Kind.EVENT, CLAIMED, seat=seat, player=by, request_id=request_id)
    own = 0
    while not hand.over:
        turn = hand.turn
        view = hand.view(turn)
        move = next_claimed(view) if turn == seat else next_given(view)
        own += turn == seat
        # The others did not play these cards: nobody's punctuality counts them.
        common.push(table, hand, move, by if turn == seat else None)
    if not by.is_computer:
        outbox.settle(by, game.public_id)
        if game.pace:
            projections.count_punctuality(by, entry.at, actions=own)
    common.follow(table, hand)
    return common.receipt(table, entry)


def say_plan(game_id: int, seat: int, plan: plans.Plan, *, by: Player) -> None:
    """Keep the plan of the player at `seat` for the running hand; an empty one takes it back.

    Nothing of it goes into the log or to anybody. Raises NotNow before the cards are being played, NotYourSeat, GameEnded.
    """
    with transaction.atomic():
        table, view = _own(game_id, seat, by)
        if view is None or view.asked not in ("play", "call", "fool", "take"):
            raise NotNow
        keeping.set_plan(table.game, by, plan.without(~view.held), view.held.bit_count())
        _note(table, seat, view, by)


def say_talk(game_id: int, seat: int, talk: plans.Talk, *, every_deal: bool, by: Player) -> None:
    """Keep what the player at `seat` says in the talk of this deal, or of every deal. Raises NotNow at a table without talk,
    NotYourSeat, GameEnded."""
    with transaction.atomic():
        table, view = _own(game_id, seat, by)
        if table.rules.talk is None or not table.game.options.get("throw_in", False):
            raise NotNow
        keeping.set_talk(table.game, by, talk, every_deal=every_deal)
        _note(table, seat, view, by)


def _own(game_id: int, seat: int, by: Player) -> tuple[log.Table, View | None]:
    game = common.locked(game_id)
    table = log.open_table(game)
    common.check_seat(table, seat, by)
    common.check_playing(game)
    return table, table.hand.view(seat) if table.hand is not None else None


def _note(table: log.Table, seat: int, view: View | None, by: Player) -> None:
    """If the player is asked already, what they have just said is done for them in a while."""
    if view is not None and view.turn == seat and projections.state_of(table.game, seat) in (None, State.HERE):
        keeping.schedule(table.game, by, view)
