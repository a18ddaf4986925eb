"""Several people at one table at the same moment: a card is taken back once, or played over, and never both."""

from __future__ import annotations

import uuid
from functools import partial

import pytest

from core.exceptions import Refusal
from games import projections
from games.exceptions import NotNow, Stale
from games.models import Action, Game
from games.selectors import log
from games.services import computers, play, undo
from games.services.rebuilding import rebuild
from games.table.tasks import catch_up
from tests.games.pace_kit import act, asked, fresh, people, request
from tests.games.plans_kit import at_position
from tests.games.table_kit import advised, seat_of
from tests.games.test_lobby_at_once import at_once
from tests.games.undo_kit import QUIET, ask, last_move, reply, same_as_never_made

pytestmark = pytest.mark.django_db(transaction=True)


def table_with_a_card() -> tuple[Game, list]:
    """A table of four people with one card on it, laid through the door."""
    players = people()

    def wanted(hand):
        return hand.asked == "play" and len(hand.trick) == 1 and hand.hands[hand.turn].bit_count() > 3

    return at_position(players, wanted, QUIET, last_through_the_door=True), players


def answer(game: Game, player, move: int, one: uuid.UUID | None = None, *, agree: bool = True):
    """One answer, to be given in a thread."""
    how = {"agree": agree, "request_id": one or request(), "by": player}
    return partial(undo.answer, game.pk, seat_of(game, player), move, **how)


def consistent(game: Game) -> Game:
    """Nothing is doubled or lost, and the log alone says the same."""
    numbers = [*game.actions.order_by("number").values_list("number", flat=True)]
    assert numbers == [*range(1, len(numbers) + 1)]
    assert fresh(game).number == numbers[-1]
    assert rebuild(game.pk) == []
    return fresh(game)


def test_the_last_two_agree_at_once_and_the_card_is_taken_back_once():
    for _ in range(4):
        game, players = table_with_a_card()
        move = last_move(game)
        who = move.player
        ask(game, who)
        first, second, third = (player for player in players if player != who)
        reply(game, first)
        at_once(answer(game, second, move.number), answer(game, third, move.number))
        game = consistent(game)
        assert game.actions.filter(text="undone").count() == 1
        assert game.to_act == seat_of(game, who)
        same_as_never_made(game)


def test_the_same_consent_sent_four_times_at_once_counts_once():
    game, players = table_with_a_card()
    move, one = last_move(game), request()
    ask(game, move.player)
    other = next(player for player in players if player != move.player)
    receipts = at_once(*[answer(game, other, move.number, one)] * 4)
    assert len({receipt.number for receipt in receipts}) == 1
    assert fresh(game).actions.filter(text="undo-agreed").count() == 1
    assert projections.undo_proposal_of(consistent(game)) is not None


def test_who_is_asked_plays_as_the_last_one_consents_and_only_one_of_the_two_happens():
    played = 0
    for _ in range(6):
        game, players = table_with_a_card()
        move = last_move(game)
        ask(game, move.player)
        rest = [player for player in players if player != move.player]
        following = asked(game)
        last = next(player for player in rest if player != following)
        for player in rest:
            if player != last:
                reply(game, player)
        number = fresh(game).number
        card = advised(game, following)
        seat = seat_of(game, following)
        results = at_once(
            partial(play.submit, game.pk, seat, card, expected=number, request_id=request(), by=following),
            answer(game, last, move.number),
        )
        game = consistent(game)
        refused = [result for result in results if isinstance(result, Refusal)]
        assert len(refused) == 1
        taken_back = game.actions.filter(text="undone").exists()
        assert isinstance(refused[0], Stale if taken_back else NotNow)
        assert (move.number in {one.number for one in log.moves_of(game, 1)}) is not taken_back
        assert game.undo == {}
        same_as_never_made(game)
        played += not taken_back
    assert 0 <= played <= 6


def test_one_asks_as_the_next_plays_and_whoever_is_first_is_right():
    for _ in range(6):
        game, _players = table_with_a_card()
        move, following = last_move(game), asked(game)
        number, card, seat = game.number, advised(game, following), seat_of(game, following)
        results = at_once(
            partial(play.submit, game.pk, seat, card, expected=number, request_id=request(), by=following),
            partial(
                undo.propose, game.pk, move.seat, move.number, request_id=request(), by=move.player
            ),
        )  # fmt: skip
        game = consistent(game)
        refused = [result for result in results if isinstance(result, Refusal)]
        assert len(refused) == 1
        assert refused[0].code in ("stale", "cannot-take-back")
        assert bool(game.undo) is isinstance(refused[0], Stale)


def test_one_agrees_as_another_declines():
    for _ in range(4):
        game, players = table_with_a_card()
        move = last_move(game)
        ask(game, move.player)
        first, second, third = (player for player in players if player != move.player)
        reply(game, first)
        reply(game, second)
        at_once(answer(game, third, move.number), answer(game, second, move.number, agree=False))
        game = consistent(game)
        events = {*game.actions.values_list("text", flat=True)}
        assert len(events & {"undone", "undo-declined"}) == 1
        assert game.undo == {}


def test_two_workers_let_it_lapse_once():
    game, _players = table_with_a_card()
    ask(game, last_move(game).player)
    game = fresh(game)
    until = projections.undo_proposal_of(game).until
    at_once(*[partial(undo.lapse, game.pk, expected=game.number, now=until)] * 2, partial(catch_up, game, until))
    assert consistent(game).actions.filter(text="undo-declined").count() == 1


def test_a_computer_player_and_who_asks_at_the_same_moment():
    for _ in range(4):
        players = people(3)
        game = play.start("troccas", [*players, *computers.computer_players(1)], options=QUIET)
        for player in players:
            play.ready(
                game.pk, seat_of(game, player), expected=fresh(game).number, request_id=request(), by=player
            )  # fmt: skip
        while True:
            game = fresh(game)
            by = asked(game)
            if by.is_computer:
                if last_move_can_be_asked(game):
                    break
                assert computers.act_for(game)
            else:
                act(game)
        move = last_move(game)
        at_once(
            partial(computers.act_for, game),
            partial(undo.propose, game.pk, move.seat, move.number, request_id=request(), by=move.player),
        )
        game = consistent(game)
        acted = game.actions.filter(kind=Action.Kind.MOVE, number__gt=move.number).exists()
        assert acted is not bool(game.undo)


def last_move_can_be_asked(game: Game) -> bool:
    """Whether the door would let the last move be proposed."""
    return bool(game.asked == "play" and projections.takeable_move(log.open_table(game)))
