"""Taking back tells nothing: neither that it is offered, nor that it is asked, nor that it was done, hangs on a hidden card."""

from __future__ import annotations

import random

import pytest
from django.utils import timezone
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from accounts import sessions
from accounts.models import Player
from core.exceptions import Refusal
from domain.engine import CODES, Hand, ruleset
from domain.engine.view import can_be_taken_back
from games.models import Game
from games.selectors import table
from games.services import undo
from games.services.rebuilding import rebuild
from games.table import notifications
from games.text.log import log_line
from tests.domain.engine.kit import TROCCAS
from tests.domain.engine.tables import at_few_tables
from tests.games.pace_kit import fresh, request, turned
from tests.games.store_kit import exchange_stored, pack_of, random_hand, replayed, store, texts_of
from tests.games.test_secrets import codes_in, exchanged, outputs
from tests.games.undo_kit import last_move
from tests.long import LONG

pytestmark = pytest.mark.django_db
FIXTURES = [HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
RULES = [
    TROCCAS,
    ruleset("troggu", None, 7),
    ruleset("troccas-5"),
    ruleset("troccas-online"),
    ruleset("troggu", None, 3),
]


@pytest.fixture(autouse=True)
def clock(monkeypatch):
    """Time stands still: "today" must not become "yesterday" between the two looks that are compared."""
    with turned(monkeypatch, timezone.now()) as wall_clock:
        yield wall_clock


def before_the_last(hand: Hand) -> Hand:
    """The hand without its last action."""
    before = replayed(hand, pack_of(hand), texts_of(hand)[:-1])
    assert before is not None
    return before


@at_few_tables
def test_whether_it_can_be_taken_back_hangs_on_no_card_that_anybody_cannot_see(rules):
    """Not even on what only the actor cannot see, and not on what only all the others cannot."""
    compared = 0
    for seed in range(24):
        hand = random_hand(seed, 8 + 4 * seed, rules=rules)
        if hand.over or not hand.history:
            continue
        may = can_be_taken_back(before_the_last(hand), hand)
        for viewer in (None, hand.history[-1][0], hand.turn):
            twin, pairs = exchanged(hand, viewer, random.Random(seed))
            if pairs:
                assert can_be_taken_back(before_the_last(twin), twin) is may
                compared += 1
    assert compared > 10


def proposed(game: Game, hand: Hand, stage: str) -> bool:
    """Bring the stored game to a stage of taking back its last move; whether it can be brought there."""
    move = last_move(game)
    how = {"request_id": request(), "by": move.player}
    if stage == "offered":
        return table.sight_of(fresh(game), move.player).undo is not None
    try:
        undo.propose(game.pk, move.seat, move.number, **how)
    except Refusal as refusal:
        if refusal.code == "cannot-take-back":
            return False
        raise
    others = [seat.player for seat in game.seats.select_related("player") if seat.player != move.player]
    if stage == "asked":
        return True
    for number, other in enumerate(others):
        agree = stage == "undone" or number < 1
        seat = game.seats.get(player=other).number
        undo.answer(game.pk, seat, move.number, agree=agree, request_id=request(), by=other)
        if not agree:
            break
    return True


@settings(suppress_health_check=FIXTURES, deadline=None, max_examples=40 if LONG else 10)
@given(
    seed=st.integers(0, 2**32),
    steps=st.integers(2, 110),
    place=st.integers(-1, 6),
    rules=st.sampled_from(RULES),
    stage=st.sampled_from(["offered", "asked", "declined", "undone"]),
)
def test_hidden_cards_change_nothing_while_something_is_taken_back(seed, steps, place, rules, stage):
    hand = random_hand(seed, steps, rules=rules)
    if hand.over or not hand.history:
        return
    seat = place if 0 <= place < rules.seats else None
    # After a taking back the card is known to who saw it; what stays hidden is what was hidden while it lay there.
    twin, pairs = exchanged(hand, seat, random.Random(seed))
    if not pairs:
        return
    players = [Player.objects.create(name=f"P{number}") for number in range(hand.seats)]
    viewer = players[seat] if seat is not None else None
    raw = sessions.issue_guest_token(viewer) if viewer is not None else ""
    game = store(hand, players)
    if not proposed(game, hand, stage):
        return
    before = everything(game, viewer, raw)
    exchange_stored(game, pack_of(twin), texts_of(twin))
    assert rebuild(game.pk) == []
    assert everything(game, viewer, raw) == before


def everything(game: Game, viewer: Player | None, raw: str) -> dict[str, object]:
    """All that the site gives a viewer, and the notice of who is asked."""
    found = outputs(game, viewer, raw)
    if viewer is not None:
        params = {"game": game.public_id, "what": "undo-proposed", "move": last_move(game).number, "who": "P1"}
        found["notice"] = (
            notifications.words("game.asked", params, viewer, "en"),
            notifications.still_true("game.asked", params, viewer),
        )
    return found


@pytest.mark.parametrize("stage", ["asked", "declined", "undone"])
def test_no_line_names_what_was_taken_back(stage):
    """The card is known to who saw it, and told to nobody again; a scart was never seen at all."""
    told = 0
    for seed in range(60):
        hand = random_hand(seed, 10 + seed, rules=RULES[seed % len(RULES)])
        if hand.over or not hand.history or told > (12 if LONG else 5):
            continue
        players = [Player.objects.create(name=f"P{number}") for number in range(hand.seats)]
        game = store(hand, players)
        move = last_move(game)
        if not proposed(game, hand, stage):
            continue
        laid = {CODES[card] for card in hand.history[-1][1].cards}
        for viewer in (None, *players):
            seen = table.sight_of(fresh(game), viewer)
            since = [line for line in seen.lines if line.number >= move.number]
            about = [line for line in since if line.kind.startswith("und")]
            assert about
            assert not any(line.cards for line in about)
            assert not any(code in log_line(line, seen).split() for line in about for code in laid)
            if stage == "undone":
                assert move.number not in {line.number for line in seen.lines}
                if viewer is None:
                    assert not laid & set(codes_in(seen.as_json()["trick"] or {}))
        told += 1
    assert told > 5
