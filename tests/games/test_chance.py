"""Where nobody sits down, the next pack is promised early, and browsers add to it in passing; the proof stays whole."""

from __future__ import annotations

import importlib.util
import json
import os
import random
from datetime import timedelta
from pathlib import Path

import pytest
from django.urls import reverse
from django.utils import timezone

from domain.engine import shuffle
from games.exceptions import GameEnded, Malformed, NotNow, NotYourSeat, Stale
from games.models import Action, Deal, Game
from games.selectors import replay
from games.selectors import table as table_selector
from games.services import promises, timing
from games.services.rebuilding import rebuild
from tests.games.pace_kit import LIVE, fresh, people, request, table
from tests.games.plans_kit import client_of
from tests.games.table_kit import laid, person, rush, seat_of

pytestmark = pytest.mark.django_db

TWO = {"throw_in": False, "hands": 2}
OWN = "00112233445566778899aabbccddeeff"
OTHER = "ffeeddccbbaa99887766554433221100"


@pytest.fixture
def players():
    return people()


def play_hand(game: Game) -> Game:
    rush(game)
    return fresh(game)


def begin(game: Game) -> Game:
    assert timing.begin(game.pk, expected=fresh(game).number, now=timezone.now() + timedelta(minutes=5))
    return fresh(game)


def test_the_next_pack_is_promised_when_a_deal_begins_and_the_promise_is_kept(players):
    game = table(players, options=TWO)
    seen = table_selector.sight_of(game, players[0])
    assert (seen.coming.hand, seen.coming.lies_ready, seen.adds_to) == (2, False, 2)
    promised = seen.coming.commitment
    assert promised != seen.sealed.commitment
    game = play_hand(game)
    assert table_selector.sight_of(game, players[0]).sealed.commitment == promised
    assert Deal.objects.filter(table=game.public_id).count() == 2


@pytest.mark.parametrize("pace", ["days", "live"])
def test_what_comes_in_passing_is_in_the_pack_and_in_the_proof(players, pace):
    game = table(players, options=TWO) if pace == "days" else table(players, LIVE, options=TWO)
    assert promises.add_entropy(game.pk, 2, OWN, by=players[0])
    assert promises.add_entropy(game.pk, 2, OTHER, by=players[1])
    game = begin(play_hand(game))
    game = play_hand(game)
    assert game.status == Game.Status.FINISHED
    shown = replay.replay(game, 2, None, players[0])
    seats = {str(seat_of(game, players[0])): OWN, str(seat_of(game, players[1])): OTHER}
    assert shown.proof is not None
    assert shown.proof["entropy"] == seats
    assert {(one.name, one.own) for one in shown.chance} == {("Anna", True), ("Beat", False)}
    assert verifier().problems(json.loads(json.dumps(shown.proof)), list(shown.pack), []) == []
    assert rebuild(game.pk) == []


def verifier():
    """The program for one's own computer, which shares no code with the site."""
    where = Path(__file__).resolve().parents[2] / "docs" / "verify_shuffle.py"
    spec = importlib.util.spec_from_file_location("verify_shuffle", where)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_only_the_first_counts_and_it_leaves_no_trace_at_the_table(players):
    game = table(players, options=TWO)
    before = (game.number, Action.objects.count())
    assert promises.add_entropy(game.pk, 2, OWN, by=players[0])
    assert not promises.add_entropy(game.pk, 2, OTHER, by=players[0])
    assert (fresh(game).number, Action.objects.count()) == before
    assert table_selector.opened(fresh(game)).coming.entropy == {str(seat_of(game, players[0])): OWN}


def test_nobody_learns_from_it_who_has_looked_in(players):
    game = table(players, options=TWO)
    before = [table_selector.sight_of(game, viewer) for viewer in (players[1], None)]
    promises.add_entropy(game.pk, 2, OWN, by=players[0])
    assert [table_selector.sight_of(fresh(game), viewer) for viewer in (players[1], None)] == before
    own = table_selector.sight_of(fresh(game), players[0])
    assert (own.coming.contributed, own.adds_to) == ((seat_of(game, players[0]),), 0)
    assert OWN not in json.dumps(own.as_json())


def test_what_is_refused_changes_nothing(players):
    game = table(players, options=TWO)
    for hand, entropy, by, refusal in (
        (2, "short", players[0], Malformed),
        (2, OWN.upper(), players[0], Malformed),
        (2, OWN, person(), NotYourSeat),
        (1, OWN, players[0], Stale),
        (3, OWN, players[0], Stale),
    ):
        with pytest.raises(refusal):
            promises.add_entropy(game.pk, hand, entropy, by=by)
    assert table_selector.opened(fresh(game)).coming.entropy == {}
    alone = person()
    with pytest.raises(NotNow):
        promises.add_entropy(laid(alone).pk, 1, OWN, by=alone)


def test_the_last_deal_promises_no_other_and_the_end_leaves_no_promise_open(players):
    game = table(players, options={"throw_in": False, "hands": 1})
    assert table_selector.sight_of(game, players[0]).coming is None
    with pytest.raises(NotNow):
        promises.add_entropy(game.pk, 2, OWN, by=players[0])
    thrown = table(people(), options={"throw_in": True, "hands": 1})
    assert table_selector.sight_of(thrown, None).coming is not None, "the deal may be thrown in"
    while fresh(thrown).status == Game.Status.PLAYING:
        if fresh(thrown).to_act is None:
            begin(thrown)
        rush(thrown)
    assert not Deal.objects.filter(table=thrown.public_id, pack=None).exists()
    with pytest.raises(GameEnded):
        promises.add_entropy(thrown.pk, 2, OWN, by=thrown.seats.get(number=0).player)


def test_before_the_first_deal_who_is_there_adds_without_sitting_down(players):
    from games.services import play
    from tests.games.pace_kit import DAYS

    game = play.start("troccas", players, pace=DAYS, options=TWO)
    assert table_selector.sight_of(game, players[2]).adds_to == 1
    assert promises.add_entropy(game.pk, 1, OWN, by=players[2])
    begin(game)
    assert Deal.objects.get(table=game.public_id, ordinal=1).entropy == {"2": OWN}
    assert table_selector.opened(fresh(game)).coming.deal == 2


def test_whose_chance_it_was_stays_true_when_a_substitute_comes(players):
    from domain.pace import Out
    from tests.games.pace_kit import SUBSTITUTE, asked, due

    assert SUBSTITUTE.out is Out.SUBSTITUTE
    game = table(players, SUBSTITUTE, options=TWO)
    gone = asked(game)
    seat = seat_of(game, gone)
    promises.add_entropy(game.pk, 2, OWN, by=gone)
    timing.time_out(game.pk, expected=game.number, now=due(game) + timedelta(seconds=1))
    emma = person(name="Emma")
    timing.substitute(game.pk, seat, request_id=request(), by=emma)
    assert not promises.add_entropy(game.pk, 2, OTHER, by=emma)
    game = play_hand(begin(play_hand(game)))
    assert [one.name for one in replay.replay(game, 2, None, emma).chance] == [gone.name]


def test_the_page_asks_for_it_and_the_browser_answers(players):
    game = table(players, options=TWO)
    client = client_of(players[0])
    page = client.get(reverse("games:table", args=[game.public_id])).content.decode()
    assert 'data-adds-to="2"' in page
    assert "The pack after this one" in page
    address = reverse("games:chance", args=[game.public_id])
    assert client.post(address, {"hand": "2", "entropy": OWN}).status_code == 204
    assert client.post(address, {"hand": "2", "entropy": OWN}).status_code == 204
    assert client.post(address, {"hand": "7", "entropy": OWN}).status_code == 409
    assert client.post(address, {"hand": "2", "entropy": "x"}).status_code == 400
    assert client_of(person()).post(address, {"hand": "2", "entropy": OWN}).status_code == 403
    assert client.get(address).status_code == 405
    page = client.get(reverse("games:table", args=[game.public_id])).content.decode()
    assert "data-adds-to" not in page
    assert "Your browser has done so." in page


def test_a_page_that_comes_too_late_is_no_error_and_changes_nothing(players):
    game = table(players, options=TWO)
    address = reverse("games:chance", args=[game.public_id])
    client = client_of(players[0])
    game = begin(play_hand(game))
    dealt = Deal.objects.get(table=game.public_id, ordinal=2)
    assert game.hand_number == 2
    for hand in ("1", "2"):
        assert client.post(address, {"hand": hand, "entropy": OWN}).status_code == 204
    assert client.post(address, {"hand": "0", "entropy": OWN}).status_code == 422
    assert Deal.objects.get(table=game.public_id, ordinal=2).entropy == dealt.entropy == {}
    game = play_hand(game)
    assert game.status == Game.Status.FINISHED
    assert client.post(address, {"hand": "3", "entropy": OWN}).status_code == 204
    assert client.post(address, {"hand": "2", "entropy": "x"}).status_code == 400


def test_the_secret_of_every_pack_comes_from_the_system_and_from_nothing_that_can_be_repeated(players, monkeypatch):
    drawn = []

    def from_the_system(size):
        drawn.append(os.urandom(size))
        return drawn[-1]

    monkeypatch.setattr("secrets.token_bytes", from_the_system)
    secrets_of = []
    for _again in range(2):
        random.seed(7)
        game = play_hand(table(players, options=TWO))
        secrets_of.append(
            [bytes(deal.secret) for deal in Deal.objects.filter(table=game.public_id).order_by("ordinal")]
        )
    first, second = secrets_of
    assert len(first) == len(second) == 2
    assert not set(first) & set(second)
    assert {*first, *second} <= set(drawn)
    assert all(len(secret) == shuffle.SECRET_BYTES for secret in drawn if secret in {*first, *second})
