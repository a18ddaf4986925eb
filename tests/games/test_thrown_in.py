"""A deal that was thrown in is none of the game's hands: wherever a hand has a number, it has the same one."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts import sessions
from domain.engine import Action, parse_action
from domain.engine.hand import Hand
from games.chat import services as chat_services
from games.models import Game
from games.selectors import replay as looking_back
from games.selectors import table as table_selector
from games.services import play, timing
from games.table import services
from games.table.services import Moment
from games.text import deal_count
from games.text import table as texts
from tests.games import pace_kit
from tests.games.pace_kit import fresh
from tests.games.table_kit import advice, rush, sit

pytestmark = pytest.mark.django_db


def throwing_in(hand: Hand) -> Action:
    """What brings the cards back, wherever it may be said."""
    words = {"talk": "allow", "free": "liber", "demand": "throw-in", "decide": "throw-in"}
    return parse_action(words[hand.asked]) if hand.asked in words else advice(hand)


def going_on(hand: Hand) -> Action:
    words = {"talk": "veto", "free": "veto", "demand": "veto", "decide": "go"}
    return parse_action(words[hand.asked]) if hand.asked in words else advice(hand)


@pytest.fixture
def game() -> Game:
    """Two hands, before the first of which the cards were thrown in; noted in each deal by who sat first."""
    players = pace_kit.people(4)
    game = pace_kit.table(players, options={"throw_in": True, "hands": 2})
    rush(game, choose=throwing_in)
    assert game.hands.get(number=1).status == "thrown-in"
    for deal in (2, 3):
        game = fresh(game)
        if game.to_act is None:
            assert timing.begin(game.pk, expected=game.number, now=timezone.now() + timedelta(hours=1))
            game = fresh(game)
        chat_services.write(game, players[0], f"note {deal}", hand=deal, trick=0)
        rush(game, choose=going_on)
    return fresh(game)


def test_the_hands_that_count_have_numbers_and_no_truth_values() -> None:
    assert str(table_selector.ordinals(["played", "thrown-in", "passed", "thrown-in"])) == "[1, 0, 2, 0]"


def test_a_hand_has_the_same_number_on_every_page(game) -> None:
    anna = game.seats.get(number=0).player
    client = Client()
    client.cookies["guest"] = sessions.issue_guest_token(anna)

    def page(name: str, *more: object) -> str:
        return client.get(reverse(f"games:{name}", args=[game.public_id, *more])).content.decode()

    sight = table_selector.sight_of(game, anna)
    assert [sheet.ordinal for sheet in sight.sheets] == [0, 1, 2]
    for name in ("table", "hands"):
        rows = re.findall(r'<tr>\s*<th scope="row">(.*?)</th>', page(name))
        assert rows[:3] == ["–", "1", "2"], name
    headings = [re.findall("<h1[^>]*>(.*?)<", page("replay", deal)) for deal in (1, 2, 3)]
    assert headings == [["Thrown in"], ["Hand 1"], ["Hand 2"]]
    assert "Analysis of hand 1" in page("analysis", 2)
    assert "hand 1</title>" in page("picture", 2, "svg")
    notes = page("notes")
    assert "Hand 1, before the play" in notes
    assert "Hand 2, before the play" in notes
    assert "Hand 3" not in notes
    asked = {"hand": 3, "trick": 1}
    fetched = client.get(reverse("games:notes", args=[game.public_id]), asked, headers={"HX-Request": "true"})
    assert fetched.json() == {"text": "", "ordinal": 2}
    assert deal_count.deciding_deal(sight).startswith(("Hand 1 ", "Hand 2 ")) or not sight.winners
    moment = Moment(game.public_id, 2, 30, 0)
    practice = services.table_from(anna, looking_back.record(game), moment)
    assert services.origin_of(practice, anna).hand == 1
    in_the_talk = services.table_from(anna, looking_back.record(game), Moment(game.public_id, 1, 1, 0))
    assert services.origin_of(in_the_talk, anna).hand == 1, "the hand that the cards thrown in were dealt for"


@pytest.mark.parametrize("pace", [pace_kit.DAYS, None])
def test_after_cards_were_thrown_in_no_hand_is_said_to_be_over(pace) -> None:
    players = pace_kit.people(4)
    game = play.start("troccas", players, pace=pace, options={"throw_in": True, "hands": 2})
    client = Client()
    client.cookies["guest"] = sessions.issue_guest_token(players[0])
    for words, button in (("The cards were thrown in. ", "Deal again"), ("The hand is over. ", "Next hand")):
        for player in players:
            sit(game, player)
        rush(game, choose=throwing_in if "thrown" in words else going_on)
        assert texts.prompt(table_selector.sight_of(fresh(game), players[0])).startswith(words)
        page = client.get(reverse("games:table", args=[game.public_id])).content.decode()
        assert re.findall(">(Deal again|Next hand)</button>", page) == [button]


def test_the_first_hand_of_a_game_is_written_as_a_number() -> None:
    players = pace_kit.people(4)
    game = pace_kit.table(players, options={"throw_in": False, "hands": 1})
    rush(game)
    client = Client()
    client.cookies["guest"] = sessions.issue_guest_token(players[0])
    for name in ("table", "hands"):
        page = client.get(reverse(f"games:{name}", args=[game.public_id])).content.decode()
        assert re.findall(r'<tr>\s*<th scope="row">(.*?)</th>', page)[0] == "1", name
