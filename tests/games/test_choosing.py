"""The page that compares the games, and the form that lays a table of one."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import translation
from lxml import html

from domain.engine.rulesets import RULESETS, ruleset
from games.forms import TableForm, choice_words, words_of
from games.models import Game
from games.selectors import rulesets

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def english():
    with translation.override("en"):
        yield


def lay(client: Client, **data: object):
    return client.post(reverse("choose"), data)


def test_every_game_of_the_engine_is_told_of_once():
    assert sorted(rulesets.ORDER) == sorted(rules.id for rules in RULESETS.values())
    assert len({glance.name for glance in rulesets.glances()}) == len(RULESETS)
    assert len({glance.sentence for glance in rulesets.glances()}) == len(RULESETS)


@pytest.mark.parametrize("rules", RULESETS.values(), ids=lambda rules: rules.id)
def test_every_option_has_words_and_the_defaults_are_valid(rules):
    for option in rules.options:
        label, text = words_of(option.name)
        assert label
        assert text.endswith(".")
        assert set(option.choices) <= set(choice_words())
    empty = TableForm(rules)
    sent = {field.name: field.value() for field in empty if field.value() not in (None, False)}
    form = TableForm(rules, sent)
    assert form.is_valid()
    size, options = form.chosen()
    assert size == rules.seats
    assert options == rules.settled_options({})


def test_how_one_sits_down_is_named_with_its_game(client):
    document = html.fromstring(client.get(reverse("choose")).content)
    groups = document.xpath("//form//*[@role='group'][.//select]")
    names = [document.get_element_by_id(group.get("aria-labelledby")).text_content() for group in groups]
    assert names == [glance.name for glance in rulesets.glances()]


def test_what_is_said_at_a_glance_is_what_the_engine_plays():
    told = {glance.id: glance for glance in rulesets.glances()}
    assert (told["troggu"].players, told["troggu"].cards, told["troggu"].length) == (
        "3 to 8",
        62,
        "a hand for each player",
    )
    assert (told["troccas"].sides, told["troccas-6"].sides) == ("2 against 2", "3 against 3")
    assert told["troccas-3"].length == "3 hands"
    assert told["troccas-5"].sides == "everyone alone"


def test_one_click_leads_to_a_table_of_the_chosen_game(client):
    answer = lay(client, game="troggu", size="7", stake="10", double_at="30")
    game = Game.objects.get()
    assert answer.status_code == 303
    assert answer.url == reverse("games:table", args=[game.public_id])
    assert (game.ruleset, game.table_size, game.options["hands"], game.draws_partners) == ("troggu", 7, 7, False)
    assert game.seats.count() == 7
    assert client.get(answer.url).status_code == 200


def test_a_table_that_still_waits_is_not_laid_twice(client):
    first = lay(client, game="troccas-3", hands="3")
    assert lay(client, game="troccas-3", hands="3").url == first.url
    assert lay(client, game="troccas-3", hands="6").url != first.url


def test_options_are_kept_with_the_game(client):
    lay(client, game="troccas", hands="8", talk="silent", knock="on")
    options = Game.objects.get().options
    assert options == ruleset("troccas").settled_options(
        {"hands": 8, "talk": "silent", "knock": True, "throw_in": False, "demands": False}
    )


@pytest.mark.parametrize(
    ("data", "told"),
    [
        ({"game": "troggu", "size": "9", "stake": "10", "double_at": "30"}, "This game cannot be played by that many."),
        ({"game": "troggu", "size": "4", "stake": "0", "double_at": "30"}, "Write a number from 1 to 1000."),
        ({"game": "troccas", "hands": "many", "talk": "silent"}, "Write a whole number."),
        ({"game": "troccas", "hands": "4", "talk": "shouting"}, "Choose one of the options in the list."),
        ({"game": "troccas", "hands": "", "talk": "free"}, "Write a number from 1 to 16."),
    ],
)
def test_what_cannot_be_is_refused_with_a_reason(client, data, told):
    answer = lay(client, **data)
    assert answer.status_code == 422
    assert told in answer.content.decode()
    assert not Game.objects.exists()


def test_a_game_nobody_knows_lays_no_table(client):
    assert lay(client, game="whist").status_code == 422
    assert not Game.objects.exists()
