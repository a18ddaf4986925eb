"""How long a game will take is said of every pace with a clock: measured here, or simulated as long as few were played."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from benchmarks import slow_games
from domain.engine import ruleset
from games.lobby import durations, text
from games.models import Game
from games.selectors import rulesets
from tests.games.pace_kit import people

pytestmark = pytest.mark.django_db
DAY = timedelta(days=1)


def pace(id: str) -> text.Pace:
    found = text.pace_of(id)
    assert found is not None
    return found


def finished(id: str, days: float, hands: int = 2, **fields: object) -> None:
    """A game of this pace that took so long, without its log."""
    terms, now = pace(id).terms, timezone.now()
    game = Game.objects.create(
        ruleset="troccas", ruleset_version=1, options={"hands": hands}, totals=[0] * 4, status=Game.Status.FINISHED,
        hands_played=hands, created_at=now - DAY * days, ended_at=now, pace=terms.to_json() if terms is not None else {},
        **fields,
    )  # fmt: skip
    for number, player in enumerate(people()):
        game.seats.create(number=number, player=player)


@pytest.mark.parametrize("game", rulesets.ORDER)
def test_every_pace_of_every_game_with_a_clock_says_how_long_it_takes(client, game):
    timed = [offered for offered in text.offered_paces() if offered.terms is not None]
    for offered in timed:
        assert durations.expected(game, offered, 2) is not None, (game, offered.id)
    page = client.get(reverse("tables:new"), {"game": game}).content.decode()
    assert page.count("takes about") == len(timed)


def test_without_a_clock_nothing_is_said_until_enough_games_were_played():
    assert durations.expected("troccas", pace("none"), 2) is None
    for _game in range(durations.FEWEST_GAMES):
        finished("none", 1 / 24)
    assert durations.in_words(expected(pace("none"), 2)) == "60 minutes"


def expected(offered: text.Pace, hands: int) -> timedelta:
    found = durations.expected("troccas", offered, hands)
    assert found is not None
    return found


def test_slower_paces_take_longer_and_more_hands_too():
    days = {offered.id: expected(offered, 2) for offered in text.offered_paces() if offered.terms is not None}
    assert days["fast"] < days["live"] < days["brisk"] <= days["day"] < days["slow"]
    assert expected(pace("day"), 4) == 2 * days["day"]


def test_the_simulation_measures_every_pace_with_a_clock_at_its_own():
    measured = slow_games.measured(ruleset("troccas"), 2, 78)
    assert list(measured) == [offered.id for offered in text.offered_paces() if offered.terms is not None]
    assert measured["fast"] < measured["live"] / 2


def test_games_that_were_played_here_tell_more_than_a_simulation_once_there_are_enough():
    simulated = durations.expected("troccas", pace("day"), 2)
    for _game in range(durations.FEWEST_GAMES - 1):
        finished("day", 5)
    assert durations.expected("troccas", pace("day"), 2) == simulated
    finished("slow", 300)
    finished("day", 300, kind=Game.Kind.PRACTICE)
    assert durations.expected("troccas", pace("day"), 2) == simulated
    finished("day", 5)
    assert durations.expected("troccas", pace("day"), 2) == pytest.approx(5 * DAY, abs=timedelta(minutes=1))


@pytest.mark.parametrize(
    ("time", "words"),
    [
        (timedelta(minutes=2), "5 minutes"),
        (timedelta(minutes=42), "40 minutes"),
        (timedelta(hours=5), "5 hours"),
        (4 * DAY, "4 days"),
        (20 * DAY, "3 weeks"),
        (95 * DAY, "3 months"),
    ],
)
def test_it_is_said_roughly(time, words):
    assert durations.in_words(time) == words


@pytest.mark.parametrize("offered", text.offered_paces(), ids=lambda offered: offered.id)
def test_the_page_of_a_new_table_ends_each_sentence_once(client, offered):
    page = client.get(f"{reverse('tables:new')}?game=troccas&pace={offered.id}").content.decode()
    chosen = page.partition('class="pace-chosen')[2].partition("</p>")[0]
    assert (". A game of " in chosen) == (offered.terms is not None)
    assert ".." not in chosen
