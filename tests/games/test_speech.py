"""Free words in the talk: no suit, no card by name, but the XXI and the Fool may be spoken of."""

from __future__ import annotations

import pytest

from games.exceptions import Forbidden
from games.services.common import named_card
from tests.games.table_kit import laid, person, sit, submit, wait
from tests.refusals import refuses


@pytest.mark.parametrize(
    ("said", "named"),
    [
        ("I hold the king", "king"),
        ("viele Schwerter", "Schwerter"),
        ("ils BASTUNS", "BASTUNS"),
        ("die Königin, und mehr", "Königin"),
        ("the Pope's Devil", "Devil"),
        ("il retg", "retg"),
    ],
)
def test_suits_and_cards_are_found_in_every_language(said, named):
    assert named_card(said) == named


@pytest.mark.parametrize(
    "said", ["the World is mine", "der Narr, allein", "il mund", "I come from Medel", "two flowers", "la vacca", ""]
)
def test_the_highest_trump_the_fool_and_pictures_may_be_spoken_of(said):
    assert named_card(said) == ""


@pytest.mark.django_db
def test_a_card_named_in_the_talk_is_refused_and_other_words_are_said():
    player = person()
    game = laid(player, options={"talk": "free"}, dealer=3)
    sit(game, player)
    wait(game, player)
    with refuses("card-named"):
        submit(game, player, 'allow "I hold the king"')
    receipt = submit(game, player, 'allow "I come from Medel"')
    assert game.actions.get(number=receipt.number).text == 'allow "I come from Medel"'


@pytest.mark.django_db
def test_free_words_are_refused_where_only_phrases_are_said():
    player = person()
    game = laid(player, dealer=3)
    sit(game, player)
    wait(game, player)
    with pytest.raises(Forbidden):
        submit(game, player, 'allow "I come from Medel"')
