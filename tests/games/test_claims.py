"""Claiming the rest through the door: the hand ends with ordinary moves, and nobody can claim what is not proven."""

from __future__ import annotations

import json
import uuid

import pytest
from django.test import Client
from django.urls import reverse

from accounts import sessions
from domain.engine import parse_record, replay
from domain.engine.claims import proven
from games.models import Game, PlayedSeat
from games.plans import services
from games.projections import recount_punctuality
from games.selectors import replay as looking_back
from games.selectors import table
from games.services import play
from games.services.rebuilding import rebuild
from games.text import log
from tests.games.pace_kit import asked, fresh, people
from tests.games.plans_kit import QUIET, at_position, view_of
from tests.games.table_kit import seat_of
from tests.refusals import refuses

pytestmark = pytest.mark.django_db


@pytest.fixture
def players():
    return people()


def claimable(players) -> Game:
    """A table at which whoever is asked can claim at least two tricks."""

    def wanted(hand):
        if hand.asked != "play" or hand.trick or hand.hands[hand.turn].bit_count() < 2:
            return False
        return proven(hand.view(hand.turn))

    return at_position(players, wanted, {**QUIET, "hands": 2})


def claim(game, player, **how):
    return services.claim(
        game.pk, seat_of(game, player), **{"expected": game.number, "request_id": uuid.uuid4(), "by": player} | how
    )


def test_a_claim_ends_the_hand_with_moves_that_rebuild_and_replay(players):
    game = claimable(players)
    who, seat = asked(game), seat_of(game, asked(game))
    recount_punctuality(who)  # what was stored as a position was never counted
    receipt = claim(game, who)
    game = fresh(game)
    assert receipt.number > 0
    assert game.hand_number == 2
    assert game.hands_played == 1
    assert game.actions.filter(text="claimed", seat=seat).count() == 1
    counted = PlayedSeat.objects.filter(hand__game=game, hand__number=1).order_by("seat")
    assert [row.player for row in counted] == [seat.player for seat in game.seats.order_by("number")]
    after = game.actions.filter(number__gt=receipt.number, kind="move")
    assert {entry.player for entry in after} == {who, None}
    assert all((entry.player == who) == (entry.seat == seat) for entry in after)
    assert rebuild(game.pk) == []
    match = replay(parse_record(json.dumps(looking_back.record(game).to_json())))
    assert match.totals == game.totals
    assert recount_punctuality(who) is False


def test_all_are_told_in_a_sentence(players):
    game = claimable(players)
    who = asked(game)
    other = next(player for player in players if player != who)
    claim(game, who)
    for reader, words in ((who, "You show your cards"), (other, f"{who.name} shows the cards")):
        seen = table.sight_of(fresh(game), reader)
        told = [log.log_line(line, seen) for line in seen.lines if line.kind == "claimed"]
        assert len(told) == 1
        assert told[0].startswith(words)


def test_the_same_request_claims_once_and_another_answer_under_it_is_refused(players):
    game = claimable(players)
    who, one = asked(game), uuid.uuid4()
    first = claim(game, who, request_id=one)
    number = fresh(game).number
    assert claim(game, who, request_id=one) == first
    assert fresh(game).number == number
    with refuses("request-reused"):
        play.submit(game.pk, seat_of(game, who), "play CK", expected=number, request_id=one, by=who)


def test_what_is_not_proven_or_not_ones_own_changes_nothing(players):
    game = at_position(players, lambda hand: hand.asked == "play")
    who = asked(game)
    other = next(player for player in players if player != who)
    stranger = people()[0]
    assert not proven(view_of(game, who))
    for player, how, refusal in (
        (who, {}, "not-proven"), (who, {"expected": game.number - 1}, "stale"), (other, {}, "not-your-turn"),
        (other, {"by": stranger}, "not-your-seat"),
    ):  # fmt: skip
        with refuses(refusal):
            claim(game, player, **how)
    assert fresh(game).number == game.number


def test_the_button_stands_there_when_it_is_proven_and_ends_the_hand(players):
    game = claimable(players)
    who = asked(game)
    address = reverse("games:claim", args=[game.public_id])
    for player in players:
        client = Client()
        client.cookies["guest"] = sessions.issue_guest_token(player)
        page = client.get(reverse("games:table", args=[game.public_id])).content.decode()
        assert (address in page) == (player == who)
    client = Client()
    client.cookies["guest"] = sessions.issue_guest_token(who)
    answer = client.post(address, {"expected": game.number, "request_id": str(uuid.uuid4())})
    assert answer.status_code == 303
    assert fresh(game).hand_number == 2
    refused = client.post(address, {"expected": fresh(game).number, "request_id": str(uuid.uuid4())})
    assert refused.status_code == 422
