"""The talk at the table: what is true of one's cards, what is usual, and one press that ends it for the rest of the deal."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from dataclasses import replace

import pytest
from django.urls import reverse

from domain.bots.talking import all_true_phrases, true_phrases
from domain.engine import Action, Hand, card_of, parse_action, ruleset
from domain.engine.cards import set_of
from domain.engine.talk import phrase_book
from games import projections
from games.plans.models import Plans
from games.read_models import Question
from games.selectors import rulesets
from games.table.templatetags import table as tags
from games.text import table as table_text
from tests.games.plans_kit import client_of
from tests.games.store_kit import random_hand
from tests.games.table_kit import advice, laid, person, rush, seat_of, sit
from tests.games.test_wording import SIGHT, held


def test_the_phrases_that_are_true_of_ones_cards_come_first_and_none_comes_twice():
    groups = tags.phrase_groups(replace(SIGHT, cards=held("T21", "T20", "T2", "F", "CK", "C3")))
    first = [phrase.id for phrase in groups[0].phrases]
    assert {"encunter-salvaplauna", "il-narr-bein"} <= set(first)
    shown = [phrase.id for group in groups for phrase in group.phrases]
    assert sorted(shown) == sorted(phrase_book())


@pytest.mark.parametrize("codes", ["C2 C3 O8 S4 B5 B6", "T21 T20 T18 F CK OK", "CK C5 O6 T2 S9 B10"])
def test_all_true_phrases_are_in_the_book_and_hold_what_a_computer_player_would_say(codes: str):
    cards = set_of(card_of(code) for code in codes.split())
    assert set(true_phrases(cards)) <= set(all_true_phrases(cards)) <= set(phrase_book())


def test_who_is_asked_in_the_talk_reads_what_is_usual_and_nobody_else_does():
    for asked in ("talk", "free", "demand", "decide"):
        assert table_text.usual(replace(SIGHT, question=Question(asked, 0, mine=True))).startswith("Usual: ")
        assert table_text.usual(replace(SIGHT, question=Question(asked, 1, mine=False))) == ""
    assert table_text.usual(SIGHT) == ""


def test_in_a_misere_the_line_under_what_is_asked_says_what_it_is_about():
    mine = replace(SIGHT, contract="misere", question=Question("play", 0, mine=True, reason="lead"))
    assert table_text.usual(mine) == "Misere: everyone plays alone and avoids points."
    assert table_text.usual(replace(mine, contract="normal")) == ""


@pytest.mark.parametrize("known", [known for known in rulesets.ORDER if ruleset(known).talk])
def test_no_talk_comes_after_what_can_be_taken_back_alone(known: str):
    """So what is kept for the talk of a deal never answers a second time."""
    for seed in range(5):
        verbs = [action.verb for _seat, action in random_hand(seed, 1000, rules=ruleset(known)).history]
        first = next((at for at, verb in enumerate(verbs) if verb in projections.WITH_CARDS), len(verbs))
        assert not {"allow", "veto", "liber", "go", "throw-in"} & set(verbs[first:])


def _talking(answer: str) -> Callable[[Hand], Action]:
    """As computer players, but all answer the same in the talk, and nobody throws in alone."""
    answers = {"talk": answer, "free": "veto"}
    return lambda hand: parse_action(answers[hand.asked]) if hand.asked in answers else advice(hand)


@pytest.mark.django_db
def test_one_press_says_veto_now_and_for_the_rest_of_the_deal():
    player = person()
    client = client_of(player)
    game = laid(player, options={"talk": "phrases"})
    seat = seat_of(game, player)
    sit(game, player)
    while game.hands.get(number=game.hand_number).dealer not in ((seat + 2) % 4, (seat + 3) % 4):
        rush(game, choose=_talking("veto"))  # the two on the dealer's right are asked
        sit(game, player)
    rush(game, choose=_talking("allow"), until=lambda hand: hand.asked == "talk" and hand.turn == seat)
    address = reverse("games:table", args=[game.public_id])
    assert 'form="rest-form"' in client.get(address).content.decode()
    game.refresh_from_db()
    answer = client.post(
        reverse("games:act", args=[game.public_id]),
        {"expected": game.number, "request_id": str(uuid.uuid4()), "action": "veto", "rest": "1", "phrase": "pas"},
    )
    assert answer.status_code == 303
    row = Plans.objects.get(game=game, player=player)
    assert row.talk["rounds"] == ["veto"]
    assert row.talk_hand == game.hand_number
    assert game.actions.filter(text="veto", player=player).count() == 1
    rush(game, choose=_talking("allow"), until=lambda hand: hand.asked == "talk" and hand.turn == seat)
    page = client.get(address).content.decode()
    assert "From round 1 on: veto." in page
    assert "Your plan answers this for you in a while." in page
