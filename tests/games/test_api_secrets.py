"""Programs get no card their player may not know: exchange the hidden cards, and every answer and stream stays the same."""

from __future__ import annotations

import random
import re
import uuid

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from domain.engine import CODES, Hand, ruleset
from games.models import Game
from tests.games.api_kit import API, Program, member
from tests.games.store_kit import exchange_stored, pack_of, random_hand, store, texts_of
from tests.games.test_secrets import codes_in, exchanged
from tests.games.unseen import unseen_by
from tests.long import LONG

pytestmark = pytest.mark.django_db

NUMBERED = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}")
GAMES = [ruleset("troccas"), ruleset("troggu", None, 5), ruleset("troggu", None, 7), ruleset("troccas-3")]


def answers(program: Program, game: Game) -> dict[str, object]:
    """Everything the API gives this program of this game."""
    game.refresh_from_db()
    key = game.public_id
    found: dict[str, object] = {}
    for path in (f"/games/{key}", f"/games/{key}/record", "/games", "/games?which=waiting", "/watch"):
        answer = program.client.get(API + path, headers=program.headers)
        assert answer.status_code == 200
        found[path] = answer.content
        found[path + " headers"] = {
            name: value for name, value in answer.headers.items() if name.lower() != "x-request-id"
        }
    for path in (f"/games/{key}/events", f"/games/{key}/events?state=true", "/events"):
        found[path] = program.stream(path)
    # What is refused says no more: an older table, somebody else's turn, a rule.
    for expected, action in ((0, "pass"), (game.number, "give")):
        body = {"request_id": str(uuid.UUID(int=7, version=4)), "expected": expected, "action": action}
        answer = program.client.post(
            f"{API}/games/{key}/act", body, content_type="application/json", headers=program.headers
        )
        assert answer.status_code in (403, 409, 422)
        found[f"{action} at {expected and 'present'}"] = NUMBERED.sub("", answer.text)
    return found


@settings(suppress_health_check=list(HealthCheck), deadline=None, max_examples=12 if LONG else 4)
@given(
    seed=st.integers(0, 2**32),
    steps=st.integers(0, 110),
    seat=st.sampled_from([0, 1, 2, None]),
    rules=st.sampled_from(GAMES),
)
def test_hidden_cards_change_nothing_a_program_gets(seed, steps, seat, rules):
    hand = random_hand(seed, steps, rules=rules)
    if hand.over:
        return
    twin, pairs = exchanged(hand, seat, random.Random(seed))
    if pairs:
        same_for(hand, twin, seat)


def test_some_cards_are_really_exchanged():
    """The same with hands of which it is certain that they go on."""
    compared = 0
    for seed in range(6 if LONG else 2):
        for steps, seat in ((3, None), (30, 1)):
            hand = random_hand(seed, steps, {"throw_in": False})
            twin, pairs = exchanged(hand, seat, random.Random(seed))
            if not hand.over and pairs:
                same_for(hand, twin, seat)
                compared += 1
    assert compared > (4 if LONG else 1)


def same_for(hand: Hand, twin: Hand, seat: int | None) -> None:
    """Everything a program gets of `hand` is what it would get of `twin`, and names no card it has not seen."""
    players = [member(f"P{number}") for number in range(hand.seats)]
    program = Program(players[seat] if seat is not None else member("Watcher"))
    game = store(hand, players)
    answers(program, game)  # from now on it is known for a program, and says so
    before = answers(program, game)
    hidden = {CODES[card] for card in unseen_by(hand, seat)}
    assert not hidden & set(codes_in(program.ask(f"/games/{game.public_id}")))
    exchange_stored(game, pack_of(twin), texts_of(twin))
    assert answers(program, game) == before
