"""The analysis on the pages: asked for, on the way, and read; and never for cards that are still secret."""

from __future__ import annotations

import re

import pytest
from django.test import Client
from django.urls import reverse

from accounts import sessions
from games.analysis.models import Analysis, JudgedAction
from tests.games.analysis.kit import analysed, begun
from tests.games.replay_kit import stored
from tests.games.table_kit import laid, person, sit

pytestmark = pytest.mark.django_db


def address(game, *step: int) -> str:
    return reverse("games:decision" if step else "games:analysis", args=[game.public_id, 1, *step])


def page(game, *step: int, viewer=None) -> str:
    client = Client()
    if viewer is not None:
        client.cookies["guest"] = sessions.issue_guest_token(viewer)
    answer = client.get(address(game, *step))
    assert answer.status_code == 200
    return str(answer.content.decode())


@pytest.fixture
def game():
    return stored("troggu")


def test_a_hand_that_is_still_played_has_no_analysis_for_anybody():
    player = person()
    running = laid(player)
    sit(running, player)
    client = Client()
    client.cookies["guest"] = sessions.issue_guest_token(player)
    for answer in (client.get(address(running)), client.post(address(running)), client.get(address(running, 5))):
        assert answer.status_code == 404
    assert not Analysis.objects.exists()


def test_the_replay_offers_it_and_the_press_of_a_button_asks_for_it(game):
    replay = reverse("games:replay", args=[game.public_id, 1])
    assert f'action="{address(game)}"' in Client().get(replay).text
    answer = Client().post(address(game))
    assert (answer.status_code, answer["Location"]) == (303, address(game))
    assert Analysis.objects.get().hand.game == game
    assert "is being made" in Client().get(replay).text


def test_while_it_is_made_the_page_asks_again_until_it_is_there(game):
    begun(game)
    assert "every 2s" in page(game)
    assert Client().get(address(game) + "?fragment=1").status_code == 200
    Analysis.objects.update(status=Analysis.Status.DONE)
    assert Client().get(address(game) + "?fragment=1").status_code == 286
    assert "every 2s" not in page(game)


def test_the_page_names_each_decision_and_leads_to_it(game):
    made = analysed(game)
    text = page(game)
    for judged in made.judged.all():
        assert address(game, judged.step) in text


def test_a_mistake_is_told_with_what_was_better_and_how_sure_that_is(game):
    made = analysed(game)
    judged = made.judged.filter(asked="play").first()
    best = next(option for option in judged.options if option[0] != judged.action)
    judged.options = [best, *(option for option in judged.options if option != best)]
    judged.cost, judged.error, judged.reason = 12.5, 1.5, "lead-low"
    judged.facts = [["trumps-out", -1, "", -1, 3]]
    judged.prospects = [[71, 40, 310, 520], [38, 42, 290, 510]]
    judged.save()
    text = page(game)
    assert "1 was a clear mistake." in text or "were clear mistakes." in text
    assert "cost about 12.5 ± 1.5 Rappen" in text
    assert "3 trumps had not been seen yet." in text
    name = game.seats.get(number=judged.seat).player.name
    assert f"this trick goes to the side of {name} in 71 % of the cases, with the other in 38 %." in text
    assert f"the side of {name} takes 3.10 tricks on average from this one on, with the other 2.90." in text
    assert "the I ends with" not in text


def test_one_decision_shows_what_could_be_done_and_where_the_cards_could_lie(game):
    made = analysed(game)
    judged = made.judged.filter(trick=1).first()
    text = page(game, judged.step)
    suits = [len({code[0] for code in cards.split()}) for cards, _shares in judged.chances]
    assert text.count('<th scope="row">') == len(judged.options) + sum(suits)
    seats = game.table_size + 1
    assert all(len(shares) == seats and abs(sum(shares) - 100) <= seats for _cards, shares in judged.chances)


def test_the_error_of_what_could_be_done_is_that_of_its_difference_to_the_best(game):
    """How good the best itself is, on average, is not known to a tenth of a Rappen."""
    judged = analysed(game).judged.filter(trick=1).first()
    judged.exact, judged.options = False, [["play C3", 61.5, 0.0], ["play C4", 61.5, 0.0], ["play CK", 4.1, 2.2]]
    judged.save()
    rows = re.findall(r'<td class="number">(.*?)</td>', page(game, judged.step))
    assert rows == ["+61.5", "–", "+61.5", "0.0", "+4.1", "−57.4 ± 2.2"]


def test_there_is_nothing_where_nothing_was_decided(game):
    analysed(game)
    step = 1 + max(JudgedAction.objects.values_list("step", flat=True))
    assert Client().get(address(game, step)).status_code == 404


def test_the_reader_is_spoken_to(game):
    player = game.seats.get(number=0).player
    analysed(game)
    assert "(you)" in page(game, viewer=player)
    assert "(you)" not in page(game)


def test_the_result_of_the_hand_is_a_whole_number(game):
    analysed(game)
    assert re.search(r"The result was [+−]?\d+\. ", page(game))
