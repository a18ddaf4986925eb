"""What is written down of a hand that is over, by the door and by rebuilding alike; and what is never."""

from __future__ import annotations

import random

import pytest
from django.db import connection

from accounts import services
from accounts.models import Player
from domain.engine import Hand, cards_in, ruleset
from domain.engine.cards import BAGAT, BIT, FOOL, HONOURS
from domain.engine.counting import tallies
from domain.engine.rulesets import RULESETS
from games.models import Action, Game, GameHand, PlayedSeat
from games.services import computers, rebuilding
from tests.games import table_kit
from tests.games.lobby_kit import guest, member
from tests.games.store_kit import random_action, random_hand, store
from tests.long import LONG

SIZES = [(rules.id, size) for rules in RULESETS.values() for size in rules.sizes]


def played(name: str, size: int, seed: int) -> Hand:
    """A hand of a ruleset, played at random to its end."""
    rules = ruleset(name, None, size)
    chance = random.Random(seed)
    while True:
        pack = list(cards_in(rules.pack))
        chance.shuffle(pack)
        hand = Hand(rules, chance.randrange(rules.seats), pack, options=rules.settled_options({}))
        while not hand.over:
            hand.push(random_action(hand, chance))
        if hand.result is not None and hand.result.status == "played":
            return hand


@pytest.mark.parametrize(("name", "size"), SIZES)
def test_the_seats_of_a_hand_add_up_to_it(name: str, size: int):
    for seed in range(8 if LONG else 2):
        hand = played(name, size, seed)
        assert hand.result is not None
        found = tallies(hand)
        assert [one.score for one in found] == list(hand.result.scores)
        assert [one.points for one in found] == [
            next(points for party, points in zip(hand.result.parties, hand.result.points, strict=True) if seat in party)
            for seat in range(size)
        ]
        assert sum(one.tricks for one in found) == len(hand.tricks)
        assert [one.dealer for one in found].index(True) == hand.dealer
        fallen = 0
        for trick in hand.tricks:
            for card in trick.cards:
                fallen |= BIT[card]
        assert sum(one.honours for one in found) == (fallen & HONOURS & ~BIT[FOOL]).bit_count()
        assert sum(one.fool != "" for one in found) == bool(fallen & BIT[FOOL])
        assert sum(one.bagat != "" for one in found) == bool(fallen & BIT[BAGAT])
        made = [
            action
            for _, action in hand.history
            if action.verb in ("buob", "buob-sche", "call") or action.signal == "buob"
        ]
        assert sum(one.calls for one in found) == len(made)
        assert all(one.calls_met <= one.calls for one in found)
        came = sum(event.kind == "jack-given" for event in hand.happenings)
        assert sum(one.jacks_called for one in found) >= came
        if name == "troccas":
            assert sum(one.jacks_called for one in found) == sum(one.calls_met for one in found) == came


def test_every_call_that_is_met_and_every_lost_fool_comes_up():
    """The chances above are not empty: what is counted does happen."""
    found = [one for seed in range(60) for one in tallies(played("troccas-3", 3, seed))]
    assert {one.fool for one in found} >= {"", "saved"}
    assert {one.bagat for one in found} == {"", "saved", "lost"}
    calling = [one for seed in range(60) for one in tallies(played("troccas", 4, seed))]
    assert any(one.calls_met for one in calling)
    assert any(one.calls > one.calls_met for one in calling)
    roles = {one.role for seed in range(60) for one in tallies(played("troggu", 7, seed))}
    assert roles >= {"tappist", "soloist", "partner", "against"}


def test_a_hand_that_is_not_over_or_not_played_has_no_tallies():
    assert tallies(random_hand(1, 30)) == ()
    hand = played("troccas", 4, 2)
    unfinished = Hand(hand.ruleset, hand.dealer, hand.pack, options=hand.option)
    assert tallies(unfinished) == ()


@pytest.mark.django_db
def test_the_hands_last_action_writes_a_row_for_each_seat_and_nothing_before():
    anna = member()
    game = table_kit.laid(anna, options={"throw_in": False, "hands": 2})
    table_kit.sit(game, anna)
    seat = table_kit.seat_of(game, anna)
    table_kit.rush(game, until=lambda hand: hand.turn == seat and hand.hands[seat].bit_count() <= 3)
    while Game.objects.get(pk=game.pk).hands_played == 0:
        assert not PlayedSeat.objects.exists()
        table_kit.step(game, anna, table_kit.wait_for_worker)
        game.refresh_from_db()
    rows = list(PlayedSeat.objects.order_by("seat"))
    hand = GameHand.objects.get(game=game, number=1)
    assert [(row.hand, row.score) for row in rows] == [(hand, score) for score in hand.scores]
    assert [row.player for row in rows] == [seat.player for seat in game.seats.all()]
    assert not any(row.people_only or row.shared for row in rows)
    assert rows[0].at == Action.objects.filter(game=game, hand_number=1, kind="move").last().at


@pytest.mark.django_db
def test_rebuilding_finds_the_rows_as_they_are_and_mends_what_is_wrong():
    anna = member()
    game = table_kit.laid(anna, options={"hands": 2})
    table_kit.play_out(game, anna)
    assert rebuilding.rebuild(game.pk) == []
    before = list(PlayedSeat.objects.order_by("hand", "seat").values_list("hand", "seat", "player", "score", "honours"))
    PlayedSeat.objects.filter(seat=1).update(score=99)
    PlayedSeat.objects.filter(hand__number=1, seat=2).delete()
    assert all("played seats" in change for change in rebuilding.rebuild(game.pk))
    after = list(PlayedSeat.objects.order_by("hand", "seat").values_list("hand", "seat", "player", "score", "honours"))
    assert after == before
    assert rebuilding.rebuild(game.pk) == []


@pytest.mark.django_db
@pytest.mark.parametrize("kind", [Game.Kind.PRACTICE, Game.Kind.GUIDED])
def test_practice_and_lessons_leave_no_rows(kind: str):
    anna = member()
    game = table_kit.laid(anna, options={"hands": 1}, kind=kind)
    table_kit.play_out(game, anna)
    assert game.hands_played == 1
    assert not PlayedSeat.objects.exists()
    assert rebuilding.rebuild(game.pk) == []


@pytest.mark.django_db
def test_a_hand_is_theirs_who_made_most_of_its_moves():
    people = [guest(name) for name in ("Anna", "Beat", "Clau", "Duri")]
    hand = played("troccas", 4, 3)
    game = store(hand, people)
    moves = list(Action.objects.filter(game=game, kind="move", seat=1).order_by("number").values_list("pk", flat=True))
    other, machine = guest("Emil"), computers.stand_in()

    # The log is never changed but here, to tell of two who played the seat after each other.
    def given(player: Player, keys: list[int]) -> None:
        with connection.cursor() as cursor:
            for key in keys:
                cursor.execute("UPDATE games_action SET player_id = %s WHERE id = %s", [player.pk, key])

    given(other, moves[-3:])
    rebuilding.rebuild(game.pk)
    row = PlayedSeat.objects.get(seat=1)
    assert (row.player, row.shared, row.people_only) == (people[1], True, True)
    given(machine, moves[2:])
    rebuilding.rebuild(game.pk)
    row = PlayedSeat.objects.get(seat=1)
    assert (row.player, row.shared, row.people_only) == (machine, True, False)


@pytest.mark.django_db
def test_a_guest_who_becomes_a_member_brings_their_hands_along():
    visitor, anna = guest(), member()
    game = table_kit.laid(visitor, options={"hands": 1})
    table_kit.play_out(game, visitor)
    services.claim(visitor, anna)
    assert PlayedSeat.objects.get(player__computer="").player == anna
    assert rebuilding.rebuild(game.pk) == []


@pytest.mark.django_db
def test_two_selves_in_one_game_stay_two():
    visitor, anna = guest(), member()
    game = store(played("troccas-3", 3, 4), [visitor, anna, guest("Clau")])
    services.claim(visitor, anna)
    assert list(PlayedSeat.objects.order_by("seat").values_list("player", flat=True))[:2] == [visitor.pk, anna.pk]
    assert rebuilding.rebuild(game.pk) == []
