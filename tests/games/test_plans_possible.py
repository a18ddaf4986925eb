"""Lines that can never be played are refused with a sentence; what the others would be is shown to their owner alone."""

from __future__ import annotations

import random
from datetime import timedelta
from typing import Any

import pytest
from django.urls import reverse
from django.utils import timezone

from domain.engine.claims import playable_if_led
from domain.engine.legal import LegalPlays
from games.plans import services, tasks
from games.plans.exceptions import PlanError
from games.plans.language import LED, cards_of, chosen, first_impossible, read_plan
from games.plans.models import Plans
from tests.domain.engine.kit import do, position
from tests.domain.engine.tables import at_each_table, walk_table
from tests.games.pace_kit import fresh, people
from tests.games.plans_kit import at_position, client_of, noted, view_of
from tests.games.table_kit import seat_of


@pytest.fixture
def players():
    return people()


def seats(*texts, leader=0):
    """Seats 0 and 2 against 1 and 3; seat 1 has no batons, one trump and no Fool."""
    hand = position("C1 CK S1 T9", "C2 C9 S2 T3", "C3 C8 S3 T21", "C4 CQ S4 F", leader=leader)
    return do(hand, *texts)


def why(hand, seat, *lines, lasts=False):
    """The code of the first line that can never be played, and which line it is."""
    never = first_impossible(read_plan({"lines": list(lines), "lasts": lasts}), hand.view(seat))
    return None if never is None else (never.why, never.number)


@at_each_table
def test_what_could_be_played_if_a_suit_were_led_is_what_the_rules_allow_then(rules):
    looked = 0
    for _match, hand in walk_table(rules, random.Random(7)):
        if hand.over or not isinstance(hand.legal, LegalPlays):
            continue
        view = hand.view(hand.turn)
        expected = playable_if_led(view, hand.lane)
        assert not hand.legal.cards & ~expected
        forced = hand.caller >= 0 or (hand.lane < 0 and not hand.tricks)
        assert forced or hand.legal.cards == expected
        looked += 1
    assert looked > 20


@pytest.mark.parametrize(
    ("seat", "played", "lines", "expected"),
    [
        (1, (), [{"play": "CK"}], ("not-held", 1)),
        (1, (), [{"play": "fool"}], ("not-held", 1)),
        (1, ("play C1",), [{"led": "S", "play": "S2"}], ("other-lead", 1)),
        (1, (), [{"led": "me", "play": "S2"}], ("others-lead", 1)),
        (0, (), [{"led": "C", "play": "C1"}], ("you-lead", 1)),
        (0, (), [{"led": "me", "play": "lowest"}], ("nothing-led", 1)),
        (0, (), [{"led": "me", "winning": "partner", "play": "C1"}], ("nothing-led", 1)),
        (1, (), [{"fallen": "S2", "play": "C2"}], ("own-card", 1)),
        (1, (), [{"last": True, "play": "C2"}], ("not-last", 1)),
        (1, (), [{"led": "C", "play": "S2"}], ("must-follow", 1)),
        (1, (), [{"led": "B", "play": "S2"}], ("must-trump", 1)),
        (1, (), [{"led": "B", "play": "lowest"}], ("none-of-it", 1)),
        (1, (), [{"play": "cheapest"}, {"led": "C", "play": "C2"}], ("never-reached", 2)),
        (1, (), [{"led": "C", "play": "C2"}, {"led": "B", "play": "T3"}], None),
        (3, (), [{"led": "C", "play": "fool"}, {"last": True, "play": "C4"}], None),
        (1, ("play C1",), [{"led": "C", "play": "lowest"}], None),
        (0, ("play C1",), [{"led": "me", "play": "CK"}, {"led": "B", "play": "T9"}], None),
    ],
)  # fmt: skip
def test_a_line_that_can_never_be_played_is_found(seat, played, lines, expected):
    assert why(seats(*played), seat, *lines) == expected


def test_of_a_plan_for_the_whole_hand_only_what_never_changes_is_refused():
    hand = seats("play C1")
    assert why(hand, 1, {"led": "S", "play": "C2"}, lasts=True) is None
    assert why(hand, 1, {"play": "CK"}, lasts=True) == ("not-held", 1)
    assert why(hand, 1, {"led": "me", "last": True, "play": "C2"}, lasts=True) == ("nothing-led", 1)


@at_each_table
def test_what_a_plan_plays_was_never_called_impossible_before(rules):
    """Whatever happens until the player's turn, a line that is played then was not refused."""
    rng = random.Random(11)
    fitted = 0
    kept: dict[int, list[Any]] = {}
    choices = ["lowest", "highest", "winner", "cheapest", "dearest", "lowest-trump"]
    for _match, hand in walk_table(rules, rng):
        if hand.over or not isinstance(hand.legal, LegalPlays):
            kept.clear()
            continue
        for line, number, why_never in kept.pop(hand.turn, []):
            view = hand.view(hand.turn)
            if view.held.bit_count() == number and chosen(line, view) is not None:
                assert why_never is None, (line, why_never)
                fitted += 1
        for seat in range(hand.seats):
            view = hand.view(seat)
            line = {
                "led": rng.choice(["", "me", *LED]), "winning": rng.choice(["", "", "partner", "opponent"]),
                "last": rng.random() < 0.3, "play": rng.choice(choices),
            }  # fmt: skip
            made = read_plan({"lines": [line]})
            kept.setdefault(seat, []).append((made, view.held.bit_count(), first_impossible(made, view)))
    assert fitted > 5


def test_the_preview_names_the_card_for_each_lead():
    view = seats().view(1)
    line = read_plan({"lines": [{"play": "lowest"}]}).lines[0]
    assert cards_of(line, view) == {"C": "C9", "S": "S2", "T": "T3"}, "in cups the 9 is lower than the 2"
    assert cards_of(read_plan({"lines": [{"led": "C", "play": "highest"}]}).lines[0], view) == {"C": "C2"}
    assert cards_of(read_plan({"lines": [{"play": "winner"}]}).lines[0], view) == {}


# at a table


def waiting(players):
    """A table where player 1 leads, and player 0 has several suits."""
    return at_position(
        players, lambda hand: hand.turn == 1 and hand.asked == "play" and not hand.trick and len(hand.tricks) > 2
    )


@pytest.mark.django_db
def test_it_is_refused_in_a_sentence_and_nothing_is_kept(players):
    game = waiting(players)
    client, address = client_of(players[0]), reverse("games:plans", args=[game.public_id])
    answer = client.post(address, {"do": "plan", "led-0": "me", "play-0": "cheapest"})
    assert answer.status_code == 422
    assert "Line 1: somebody else leads this trick. Choose what they may lead." in answer.content.decode()
    assert not Plans.objects.exists()
    with pytest.raises(PlanError) as caught:
        services.save_plan(game.pk, 0, read_plan({"lines": [{"led": "me", "play": "cheapest"}]}), by=players[0])
    assert caught.value.code == "others-lead"


@pytest.mark.django_db
def test_a_preview_says_which_card_it_would_be_and_keeps_nothing(players):
    game = waiting(players)
    client, address = client_of(players[0]), reverse("games:plans", args=[game.public_id])
    page = client.post(address, {"do": "preview", "play-0": "cheapest"}).content.decode()
    assert "In any case: your card worth least. That is" in page
    refused = client.post(address, {"do": "preview", "led-0": "me", "play-0": "cheapest"}).content.decode()
    assert "This cannot be kept: Somebody else leads this trick." in refused
    assert not Plans.objects.exists()


@pytest.mark.django_db
def test_the_page_shows_the_hand_and_the_trick_and_a_card_that_is_pressed_is_the_plan(players):
    game = at_position(players, lambda hand: hand.turn == 3 and hand.asked == "play" and len(hand.trick) == 1)
    client, address = client_of(players[0]), reverse("games:plans", args=[game.public_id])
    page = client.get(address).content.decode()
    view = view_of(game, players[0])
    assert page.count('class="plan-card"') == view.held.bit_count()
    assert "The trick as it stands" in page
    suit = next(suit for suit, lane in LED.items() if lane == view.lane)
    card = next(iter(cards_of(read_plan({"lines": [{"led": suit, "play": "cheapest"}]}).lines[0], view).values()))
    assert client.post(address, {"led-0": suit, "card": card, "at_once": ""}).status_code == 303
    kept = read_plan(Plans.objects.get().plan)
    assert (kept.lines[0].led, kept.lines[0].play, kept.at_once) == (suit, card, False)


@pytest.mark.django_db
def test_at_once_is_done_in_the_same_moment_and_else_after_a_while(players):
    game = at_position(players, lambda hand: hand.turn == 0 and hand.asked == "play" and len(hand.legal) > 3)
    plan = {"lines": [{"play": "cheapest"}]}
    services.save_plan(game.pk, seat_of(game, players[0]), read_plan(plan), by=players[0])
    assert noted(game).due_at > timezone.now() + timedelta(seconds=25)
    services.save_plan(game.pk, seat_of(game, players[0]), read_plan(plan | {"at_once": True}), by=players[0])
    assert noted(game).due_at < timezone.now() + timedelta(seconds=3)
    before = fresh(game).number
    assert tasks.do_due(timezone.now() + timedelta(seconds=3), 5) == 1
    assert fresh(game).number > before
