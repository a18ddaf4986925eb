"""The door: what it writes, what it refuses, and that nothing is lost or doubled."""

from __future__ import annotations

import uuid
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import connection

from domain.engine import Rule, shuffle
from games.exceptions import Forbidden, GameEnded, Malformed, NotNow, NotYourSeat, Stale
from games.models import Action, Deal, Game, GameHand
from games.services import play
from notices.models import Outbox
from tests.games.table_kit import (
    ENTROPY,
    advised,
    laid,
    person,
    play_hand,
    play_out,
    seat_of,
    sit,
    step,
    submit,
    wait,
    wait_for_worker,
)
from tests.long import LONG
from tests.refusals import refuses

pytestmark = pytest.mark.django_db


def on_turn(**how: object):
    player = person()
    game = laid(player, **how)
    sit(game, player)
    wait(game, player)
    return game, player


def snapshot(game: Game) -> tuple[object, ...]:
    game.refresh_from_db()
    return (
        game.number,
        game.to_act,
        game.totals,
        Action.objects.count(),
        list(Deal.objects.values_list("pack", "entropy")),
        Outbox.objects.count(),
    )


def test_a_new_table_promises_its_pack_before_anybody_acts():
    game = laid(person())
    deal = game.hands.get().deal
    assert deal.pack is None
    assert deal.commitment == shuffle.commitment(bytes(deal.secret), table=game.public_id, hand=1)
    assert game.to_act is None


def test_the_pack_mixes_in_what_the_browser_added():
    game, _player = on_turn()
    deal = game.hands.get(number=1).deal
    cards = list(shuffle.CANONICAL_78)
    facts = {"table": game.public_id, "hand": 1, "ruleset": "troccas", "ruleset_version": 1}
    mixed = shuffle.shuffled(cards, shuffle.seed(bytes(deal.secret), entropy={0: bytes.fromhex(ENTROPY)}, **facts))
    alone = shuffle.shuffled(cards, shuffle.seed(bytes(deal.secret), entropy={}, **facts))
    assert deal.pack.split() == list(mixed) != list(alone)


def test_partners_are_drawn_when_the_table_says_so():
    player = person()
    game = laid(player, draws_partners=True)
    sit(game, player)
    drawn = game.actions.get(text="drawn")
    assert sorted(drawn.data["seats"]) == [0, 1, 2, 3]
    assert game.seats.get(number=drawn.data["seats"].index(0)).player == player


def test_an_action_is_numbered_and_moves_the_turn_on():
    game, player = on_turn()
    before = game.number
    receipt = submit(game, player, advised(game, player))
    game.refresh_from_db()
    assert receipt.number == before + 1
    assert game.number >= receipt.number
    assert game.actions.get(number=receipt.number).player == player


def test_the_same_request_gets_the_first_answer_again_and_acts_once():
    game, player = on_turn()
    action, request_id, expected = advised(game, player), uuid.uuid4(), game.number
    first = submit(game, player, action, request_id=request_id)
    again = submit(game, player, action, request_id=request_id, expected=expected)
    assert again == first
    assert game.actions.filter(request_id=request_id).count() == 1


def test_a_request_id_with_another_action_is_refused():
    game, player = on_turn()
    request_id = uuid.uuid4()
    submit(game, player, advised(game, player), request_id=request_id)
    with refuses("request-reused"):
        submit(game, player, "cut 1", request_id=request_id)


@pytest.mark.parametrize(
    ("action", "refusal"),
    [("play T99", Malformed), ("nonsense", Malformed), ("", Malformed), ("play CK " * 200, Malformed)],
)
def test_what_cannot_be_read_changes_nothing(action, refusal):
    game, player = on_turn()
    before = snapshot(game)
    with pytest.raises(refusal):
        submit(game, player, action)
    assert snapshot(game) == before


def test_an_action_on_an_old_page_is_stale_and_changes_nothing():
    game, player = on_turn()
    before = snapshot(game)
    with pytest.raises(Stale):
        submit(game, player, advised(game, player), expected=game.number - 1)
    assert snapshot(game) == before


def test_nobody_acts_for_another_seat():
    game, player = on_turn()
    before = snapshot(game)
    for stranger in (person(), game.seats.exclude(player=player).first().player):
        with pytest.raises(NotYourSeat):
            play.submit(game.pk, game.to_act, "veto", expected=game.number, request_id=uuid.uuid4(), by=stranger)
    assert snapshot(game) == before


def test_nobody_acts_out_of_turn():
    player = person(bot_speed="normal")
    game = laid(player)
    sit(game, player)
    game.refresh_from_db()
    assert game.to_act != seat_of(game, player)
    before = snapshot(game)
    with refuses("not-your-turn"):
        submit(game, player, "cut 30")
    assert snapshot(game) == before


def test_a_rule_that_forbids_is_named_and_nothing_changes():
    game, player = on_turn()
    before = snapshot(game)
    with pytest.raises(Forbidden) as refused:
        submit(game, player, "take CK")
    assert refused.value.illegality.rule is Rule.NOT_ASKED
    assert snapshot(game) == before


def test_no_card_is_played_between_two_deals():
    player = person()
    game = laid(player)
    with pytest.raises(NotNow):
        submit(game, player, "veto")


@pytest.mark.parametrize("entropy", ["xyz", "00", "0" * 33, "G" * 32])
def test_chance_that_is_not_sixteen_bytes_is_refused(entropy):
    player = person()
    game = laid(player)
    before = snapshot(game)
    with pytest.raises(Malformed):
        sit(game, player, entropy)
    assert snapshot(game) == before


def test_one_sits_down_once():
    player = person()
    game = laid(player)
    request_id = uuid.uuid4()
    ask = {"entropy": ENTROPY, "expected": game.number, "request_id": request_id, "by": player}
    first = play.ready(game.pk, 0, **ask)
    assert play.ready(game.pk, 0, **ask) == first
    game.refresh_from_db()
    with pytest.raises(NotNow):
        play.ready(game.pk, 0, **ask | {"request_id": uuid.uuid4(), "expected": game.number})


def test_who_gets_ready_at_the_same_time_as_others_is_not_refused():
    players = [person() for _ in range(4)]
    game = play.start("troccas", players)
    seen = game.number
    for seat, player in enumerate(players):
        play.ready(game.pk, seat, expected=seen, request_id=uuid.uuid4(), by=player)
    game.refresh_from_db()
    assert game.to_act is not None
    with pytest.raises(Stale):
        play.ready(game.pk, 0, expected=0, request_id=uuid.uuid4(), by=players[0])


def test_a_thrown_in_hand_is_dealt_again_by_the_same_dealer_with_a_new_promise():
    for _ in range(200):
        game, player = on_turn(dealer=0)
        while game.to_act is not None and game.asked != "play":
            wanted = advised(game, player)
            submit(game, player, "throw-in" if wanted in ("go", "throw-in") else wanted)
            wait(game, player)
        thrown = game.hands.filter(status=GameHand.Status.THROWN_IN).first()
        if thrown is not None:
            again = game.hands.get(number=thrown.number + 1)
            assert again.dealer == thrown.dealer
            assert again.deal.commitment != thrown.deal.commitment
            return
    pytest.fail("no hand was thrown in")


def test_a_game_is_four_hands_and_then_over():
    player = person()
    game = laid(player)
    play_out(game, player)
    assert game.status == Game.Status.FINISHED
    assert game.hands_played == 4
    assert game.hands.exclude(status=GameHand.Status.THROWN_IN).count() == 4
    assert sum(game.totals) == 0
    with pytest.raises(GameEnded):
        submit(game, player, "veto")


def test_leaving_ends_the_game_and_keeps_the_log():
    game, player = on_turn()
    entries = game.actions.count()
    play.resign(game.pk, seat_of(game, player), request_id=uuid.uuid4(), by=player)
    game.refresh_from_db()
    assert game.status == Game.Status.RESIGNED
    assert game.due_at is None
    assert game.actions.count() == entries + 1


def test_the_log_is_never_changed():
    game, _ = on_turn()
    entry = game.actions.first()
    with pytest.raises(TypeError):
        entry.save()
    with pytest.raises(TypeError):
        entry.delete()
    with pytest.raises(TypeError):
        game.actions.update(text="veto")
    with pytest.raises(TypeError):
        game.actions.all().delete()


def test_a_turn_is_noted_for_telling_in_the_same_transaction():
    game, player = on_turn()
    assert Outbox.objects.filter(event="game.turn", player=player, params__number=game.number).exists()


def test_the_last_hand_stays_closed_while_the_next_may_be_dealt_from_its_cards():
    from games.selectors import replay

    player = person()
    game = laid(player)
    play_hand(game, player)
    while game.hands_played == 0:
        play_hand(game, player)
    played = game.hands.get(status=GameHand.Status.PLAYED)
    Game.objects.filter(pk=game.pk).update(totals=[-20, 20, -20, 20])
    GameHand.objects.filter(pk=played.pk).update(scores=[-20, 20, -20, 20])
    game.refresh_from_db()
    with pytest.raises(replay.NotOpen):
        replay.replay(game, played.number, None, player)
    assert not replay.record(game).hands[played.number - 1 :]


@pytest.mark.django_db(transaction=True)
def test_two_browsers_with_the_same_action_make_one():
    game, player = on_turn()
    action, expected, request_ids = advised(game, player), game.number, [uuid.uuid4(), uuid.uuid4()]

    def post(request_id: uuid.UUID) -> str:
        try:
            submit_at = play.submit(
                game.pk, seat_of(game, player), action, expected=expected, request_id=request_id, by=player
            )
            return f"accepted {submit_at.number}"
        except Stale:
            return "stale"
        finally:
            connection.close()

    with ThreadPoolExecutor(2) as pool:
        answers = sorted(pool.map(post, request_ids))
    assert answers == [f"accepted {expected + 1}", "stale"]
    assert game.actions.filter(number=expected + 1).count() == 1


@pytest.mark.django_db(transaction=True)
def test_the_same_request_at_the_same_time_acts_once_and_is_answered_alike():
    game, player = on_turn()
    action, expected, request_id = advised(game, player), game.number, uuid.uuid4()

    def post(_: int) -> int:
        try:
            return play.submit(
                game.pk, seat_of(game, player), action, expected=expected, request_id=request_id, by=player
            ).number
        finally:
            connection.close()

    with ThreadPoolExecutor(4) as pool:
        assert set(pool.map(post, range(4))) == {expected + 1}


def test_a_whole_game_rebuilds_from_its_log_at_every_moment():
    from games.services.rebuilding import rebuild

    player = person()
    game = laid(player, draws_partners=True)
    for _ in range(60 if LONG else 20):
        assert rebuild(game.pk) == []
        step(game, player, wait_for_worker)
    play_out(game, player)
    assert rebuild(game.pk) == []


def test_a_damaged_projection_is_mended_from_the_log():
    from games.services.rebuilding import rebuild

    game, player = on_turn()
    Game.objects.filter(pk=game.pk).update(to_act=None, totals=[9, 9, 9, 9], number=3)
    assert sorted(rebuild(game.pk)) == ["game: number", "game: to_act", "game: totals"]
    submit(game, player, advised(game, player))
