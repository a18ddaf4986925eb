"""Clocks and substitutes keep secrets as they are: who takes a seat knows what it knew, who left it knows no more."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest
from django.utils import timezone

from accounts import sessions
from accounts.models import Player
from domain.engine import Hand, ruleset
from domain.pace import Rhythm
from games.models import Action, Game, Seat
from games.read_models import Sight
from games.selectors import table
from games.services.rebuilding import rebuild
from tests.games.pace_kit import DAYS, MONDAY, turned
from tests.games.store_kit import exchange_stored, pack_of, random_hand, store, texts_of
from tests.games.test_secrets import exchanged, outputs
from tests.long import LONG

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def clock(monkeypatch):
    with turned(monkeypatch) as wall_clock:
        yield wall_clock


def with_clock(hand: Hand, players: list[Player]) -> Game:
    """A game with a clock whose first deal is this hand."""
    game = store(hand, players)
    Game.objects.filter(pk=game.pk).update(pace=DAYS.to_json())
    rebuild(game.pk)
    game.refresh_from_db()
    return game


def substitute(game: Game, seat: int, newcomer: Player) -> None:
    """What `timing.substitute` writes, at a table that stands where the engine left it."""
    gone = Seat.objects.get(game=game, number=seat).player
    for text, player, data in (
        ("substitute-asked", gone, {}),
        ("substituted", newcomer, {"of": gone.public_id, "rhythm": Rhythm("Asia/Tokyo").to_json()}),
    ):
        last = game.actions.order_by("number").last()
        Action.objects.create(
            game=game, number=last.number + 1, hand_number=1, kind="event", text=text, seat=seat, player=player,
            data=data, at=timezone.now(),
        )  # fmt: skip
    rebuild(game.pk)
    game.refresh_from_db()
    assert Seat.objects.get(game=game, number=seat).player == newcomer


def knowledge(seen: Sight) -> Sight:
    """What is known of cards and talk, without who is who, when, what the log says of seats, and who may take a card back."""
    seats = tuple(
        replace(seat, name="", player="", reserve=None, reliability="", away="", page="") for seat in seen.seats
    )
    kinds = {"substitute-sought", "substituted"}
    lines = tuple(replace(line, number=0, name="", then=()) for line in seen.lines if line.kind not in kinds)
    return replace(seen, seats=seats, lines=lines, number=0, clock=None, undo=None)


@pytest.mark.parametrize("rules", [ruleset("troccas"), ruleset("troggu", None, 7)], ids=["troccas", "troggu-7"])
def test_a_substitute_sees_exactly_what_the_seat_knew(rules):
    compared = 0
    for seed in range(12):
        hand = random_hand(seed, 20 + 5 * seed, rules=rules)
        if hand.over:
            continue
        players = [Player.objects.create(name=f"P{number}") for number in range(hand.seats)]
        newcomer = Player.objects.create(name="Newcomer")
        game = with_clock(hand, players)
        seat = seed % hand.seats
        before = knowledge(table.sight_of(game, players[seat]))
        stranger = knowledge(table.sight_of(game, newcomer))
        substitute(game, seat, newcomer)
        assert knowledge(table.sight_of(game, newcomer)) == before
        assert knowledge(table.sight_of(game, players[seat])) == stranger
        compared += 1
    assert compared > 5


@pytest.mark.parametrize("who", ["newcomer", "gone", "other"])
@pytest.mark.slow(but="other")
def test_hidden_cards_change_nothing_at_a_table_with_a_clock_and_a_substitute(who):
    compared = 0
    for seed in range(30):
        hand = random_hand(seed, 15 + 3 * seed)
        if hand.over or compared == (8 if LONG else 2):
            continue
        seat = seed % 4
        viewing = {"newcomer": seat, "gone": None, "other": (seat + 1) % 4}[who]
        twin, pairs = exchanged(hand, viewing, random.Random(seed))
        if not pairs:
            continue
        players = [Player.objects.create(name=f"P{number}") for number in range(4)]
        newcomer = Player.objects.create(name="Newcomer")
        game = with_clock(hand, players)
        substitute(game, seat, newcomer)
        viewer = {"newcomer": newcomer, "gone": players[seat], "other": players[(seat + 1) % 4]}[who]
        raw = sessions.issue_guest_token(viewer)
        before = outputs(game, viewer, raw)
        exchange_stored(game, pack_of(twin), texts_of(twin))
        assert outputs(game, viewer, raw) == before
        compared += 1
    assert compared > (4 if LONG else 1)


def test_clocks_tell_nothing_of_the_cards(clock):
    """Exchange any cards at all, also one's own: as long as the same seat is asked, every clock stays the same."""
    compared = 0
    for seed in range(20):
        hand = random_hand(seed, 30)
        twin, pairs = (hand, 0) if hand.over else exchanged(hand, None, random.Random(seed))
        if not pairs:
            continue
        players = [Player.objects.create(name=f"P{number}") for number in range(4)]
        game = with_clock(hand, players)
        before = (table.sight_of(game, None).clock, game.deadline_at, game.remind_at)
        exchange_stored(game, pack_of(twin), texts_of(twin))
        assert rebuild(game.pk) == []
        game.refresh_from_db()
        assert (table.sight_of(game, None).clock, game.deadline_at, game.remind_at) == before
        assert clock.now == MONDAY
        compared += 1
    assert compared > 5
