"""The pages of puzzles: what is shown before one has answered, and what after."""

from __future__ import annotations

import re
import time
from datetime import UTC, datetime
from itertools import count, cycle
from types import SimpleNamespace

import pytest
from django.test import Client
from django.urls import reverse

from accounts.models import Player
from core import limits
from domain.engine import CODES
from games.puzzles import selectors, stored, text
from games.puzzles.models import Attempt, RatedPuzzle, Solver
from games.puzzles.views import PER_PAGE
from tests.games.daily.kit import browser
from tests.games.puzzles.kit import asking
from tests.games.table_kit import person
from tests.long import LONG

pytestmark = pytest.mark.django_db


def page_of(puzzle: stored.Puzzle) -> str:
    return reverse("puzzles:puzzle", args=[puzzle.name])


def wrong(puzzle: stored.Puzzle) -> str:
    """A legal answer that is not the best."""
    return str(puzzle.instead)


def test_a_stranger_reads_a_puzzle_and_nothing_is_written():
    client = Client()
    puzzle = asking("play")
    told = client.get(page_of(puzzle))
    assert told.status_code == 200
    assert told["Cache-Control"] == "private, no-store"
    html = told.content.decode()
    assert 'id="answer"' not in html
    for code in CODES:  # every card that may be played is pressed, no other
        assert (f'value="play {code}"' in html) == (
            f"play {code}" in {str(each) for each in stored.view_of(puzzle).legal}
        )
    assert not Player.objects.filter(computer="").exists()
    assert not RatedPuzzle.objects.exists()


def test_the_best_is_right_and_the_first_answer_counts():
    puzzle = asking("play")
    client = Client()
    answered = client.post(page_of(puzzle), {"action": str(puzzle.best)})
    assert (answered.status_code, answered["Location"]) == (303, f"{page_of(puzzle)}#answer")
    html = client.get(page_of(puzzle)).content.decode()
    assert ">Right<" in html
    assert 'name="action"' not in html
    client.post(page_of(puzzle), {"action": wrong(puzzle)})
    tried = Attempt.objects.get()
    assert (tried.action, tried.solved) == (str(puzzle.best), True)
    assert (Solver.objects.get().solved, RatedPuzzle.objects.get().attempts) == (1, 1)


def test_a_wrong_answer_is_told_with_what_is_better():
    puzzle = asking("play")
    client = Client()
    client.post(page_of(puzzle), {"action": wrong(puzzle)})
    html = client.get(page_of(puzzle)).content.decode()
    assert "Not the best" in html
    assert text.done(str(puzzle.best), puzzle.game) in html
    assert text.theme_words(puzzle.theme, puzzle.game).partition("’")[0] in html


@pytest.mark.parametrize("sent", ["", "play XX", "play T22", "cut 5", "say hello", "nothing", "throw-in"])
def test_what_the_rules_do_not_allow_is_refused_and_changes_nothing(sent):
    puzzle = asking("play")
    answer = Client().post(page_of(puzzle), {"action": sent})
    assert answer.status_code == 422
    assert "Choose one of the answers that are offered." in answer.content.decode()
    assert not Attempt.objects.exists()


def test_cards_are_laid_away_by_their_boxes():
    puzzle = asking("scart")
    client = Client()
    codes = [CODES[card] for card in puzzle.best.cards]
    assert client.post(page_of(puzzle), {"card": codes[:1]}).status_code == 422
    assert not Attempt.objects.exists()
    client.post(page_of(puzzle), {"card": codes[::-1]})
    assert Attempt.objects.get().solved


@pytest.fixture
def slowly(monkeypatch: pytest.MonkeyPatch) -> None:
    """A minute goes by between two answers: nobody may give a hundred at once."""
    minutes = count()
    monkeypatch.setattr(limits, "time", SimpleNamespace(time=lambda: 60.0 * next(minutes), sleep=time.sleep))


@pytest.mark.usefixtures("slowly")
@pytest.mark.slow
def test_every_puzzle_has_a_page_before_and_after_in_both_languages():
    player = person(name="Anna")
    client = browser(player)
    for puzzle, language in zip(stored.all_puzzles().values(), cycle(("en", "de"))):
        path = page_of(puzzle)
        assert client.get(path).status_code == 200
        assert client.post(path, {"action": str(puzzle.best)}).status_code == 303
        for code in ("en", "de") if LONG else (language,):
            html = client.get(path.replace("/en/", f"/{code}/")).content.decode()
            assert 'id="answer"' in html
    assert Attempt.objects.filter(solved=True).count() == len(stored.all_puzzles())


def test_the_puzzle_of_the_day_is_the_same_for_all_and_changes_at_midnight_in_switzerland():
    before, after = datetime(2026, 11, 24, 22, 59, tzinfo=UTC), datetime(2026, 11, 24, 23, 0, tzinfo=UTC)
    assert selectors.today(before) is not selectors.today(after)
    answers = {Client().get(reverse("puzzles:today"))["Location"] for _person in range(2)}
    assert answers == {page_of(selectors.today())}


def test_another_is_one_that_was_not_tried():
    client = Client()
    seen = set()
    for _time in range(4):
        path = client.get(reverse("puzzles:another") + "?game=troccas")["Location"]
        assert path not in seen
        seen.add(path)
        puzzle = selectors.named(path.rstrip("/").rpartition("/")[2])
        assert puzzle.game == "troccas"
        client.post(path, {"action": str(puzzle.best)})


@pytest.mark.usefixtures("slowly")
def test_who_has_tried_all_is_led_to_the_list():
    client = browser(person(name="Anna"))
    for puzzle in stored.all_puzzles().values():
        client.post(page_of(puzzle), {"action": str(puzzle.best)})
    assert client.get(reverse("puzzles:another"))["Location"] == reverse("puzzles:list")


def test_the_list_is_of_a_game_and_a_theme_and_tells_what_one_has_found():
    puzzle = asking("play")
    client = Client()
    client.post(page_of(puzzle), {"action": str(puzzle.best)})
    html = client.get(reverse("puzzles:list"), {"game": puzzle.game, "theme": puzzle.theme}).content.decode()
    listed = set(re.findall(r"/en/puzzles/([a-z0-9-]+-\d+)/", html))
    assert listed == {
        each.name for each in stored.all_puzzles().values() if (each.game, each.theme) == (puzzle.game, puzzle.theme)
    }
    assert ">found<" in html
    assert "There is no such puzzle" in client.get(reverse("puzzles:list"), {"game": "chess"}).content.decode()


def test_the_list_goes_through_all_puzzles_a_page_at_a_time():
    client, listed, pages = Client(), [], 0
    address = reverse("puzzles:list")
    while address:
        html, pages = client.get(address).content.decode(), pages + 1
        names = re.findall(r'<th scope="row"><a href="/en/puzzles/([a-z0-9-]+-\d+)/"', html)
        assert 0 < len(names) <= PER_PAGE
        listed += names
        following = re.search(r'rel="next" href="([^"]*)"', html)
        address = reverse("puzzles:list") + following[1] if following else ""
    assert listed == list(stored.all_puzzles())
    assert pages > 1


def test_where_the_cavalier_is_called_the_theme_names_it():
    puzzle = next(
        each for each in stored.all_puzzles().values() if (each.game, each.theme) == ("troccas-oinkers", "jack")
    )
    client = Client()
    client.post(page_of(puzzle), {"action": str(puzzle.best)})
    html = client.get(page_of(puzzle)).content.decode()
    assert "King and cavalier belong together" in html
    assert "King and jack" not in html
    listed = client.get(reverse("puzzles:list"), {"game": puzzle.game}).content.decode()
    assert "King and cavalier" in listed
    assert "King and jack" not in listed
    assert "King and jack" in client.get(reverse("puzzles:list")).content.decode()


def test_the_open_cards_are_for_who_has_answered():
    puzzle = asking("play")
    client = Client()
    path = reverse("position:puzzle", args=[puzzle.name])
    assert client.get(path)["Location"] == page_of(puzzle)
    client.post(page_of(puzzle), {"action": wrong(puzzle)})
    opened = client.get(client.get(path)["Location"])
    assert opened.status_code == 200
    assert "Play on from here" in opened.content.decode()


@pytest.mark.parametrize("name", ["troccas-0", "chess-1", "x"])
def test_there_is_no_such_puzzle(name):
    assert Client().get(reverse("puzzles:puzzle", args=[name])).status_code == 404
    assert Client().get(reverse("position:puzzle", args=[name])).status_code == 404


def test_front_page_and_list_of_games_lead_there():
    assert reverse("puzzles:today") in Client().get("/en/").content.decode()
    assert reverse("puzzles:list") in Client().get("/en/games/").content.decode()


def test_an_answer_that_a_rule_of_thumb_would_give_is_named_once():
    """Before: "By rule of thumb one would choose otherwise: Play X." and then "Compared with this: Play X."."""
    concerned = [
        each for each in stored.all_puzzles().values() if each.instead == each.thumb and each.thumb not in each.right
    ]
    assert concerned
    for puzzle in concerned:
        reasons = text.reasons(puzzle, selectors.position_of(puzzle))
        assert [reasons.thumb, reasons.instead].count("") == 1
        assert "By rule of thumb" in reasons.thumb + reasons.instead
        assert bool(reasons.instead) is bool(reasons.facts)
