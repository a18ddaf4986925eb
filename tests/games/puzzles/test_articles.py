"""Puzzles in articles: shown with the answer under a fold, in the language of the text."""

from __future__ import annotations

import re

import pytest

from games.puzzles import selectors, stored
from games.puzzles.views import show
from rules.content_files import CONTENT
from rules.markup import render, sheet, troubles
from tests.games.puzzles.kit import asking

pytestmark = pytest.mark.django_db


def document(text: str) -> dict[str, str]:
    return {"text": text, "ruleset": "troccas"}


def test_a_puzzle_stands_in_an_article_with_its_answer_folded_away():
    puzzle = asking("play")
    written = document(f"## Puzzles {{#puzzles}}\n\n::: puzzle {puzzle.name}\n:::")
    for language, fold, link in (("en", "Show the answer", "/en/puzzles/"), ("de", "Antwort zeigen", "/de/puzzles/")):
        made = render(written, language, key="troccas")
        assert made.troubles == ()
        before, answer = made.html.split(fold)
        assert f"{link}{puzzle.name}/" in answer
        assert "<table" not in before
        assert "<table" in answer


def test_its_answer_is_named_with_the_puzzle():
    puzzle = asking("play")
    made = render(document(f"::: puzzle {puzzle.name}\n:::"), "en", key="troccas").html
    own = f"puzzle-{puzzle.name}"
    assert f'<summary id="{own}-answer" aria-labelledby="{own}-answer {own}-which">' in made
    assert f'id="{own}-which"' in made


def test_links_lead_to_pages_in_the_language_of_the_reader():
    puzzle = asking("play")
    html = show(puzzle.name, "en", "de")
    assert html is not None
    assert f"/de/puzzles/{puzzle.name}/" in html
    assert "What would you do?" in html


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("::: puzzle\n:::", "This directive needs an id"),
        ("::: puzzle troccas-0\n:::", "There is no puzzle “troccas-0”."),
        ("::: puzzle troccas-1\n:::\n\n::: puzzle troccas-1\n:::", "There is an example “troccas-1” already."),
    ],
)
def test_a_writer_is_told_what_is_wrong(text, said):
    assert any(said in trouble.message for trouble in troubles(document(text), "en", key="troccas"))


def test_a_rule_sheet_has_no_puzzles():
    text = "## Play {#play}\n\nPlay a card.\n\n## Puzzles {#puzzles}\n\nWhat would you do?\n\n::: puzzle troccas-1\n:::"
    made = sheet(document(text), "en", key="troccas")
    assert "Play a card." in made.html
    assert "puzzle" not in made.html.lower()


@pytest.mark.parametrize("game", selectors.games())
def test_the_article_of_each_game_with_puzzles_shows_some_of_its_own(game):
    for language in ("en", "de"):
        text = (CONTENT / "articles" / language / f"{game}.md").read_text()
        named = [line.split()[2] for line in text.splitlines() if line.startswith("::: puzzle ")]
        assert named
        assert {stored.all_puzzles()[name].game for name in named} == {game}


def test_in_french_the_points_of_its_answers_have_a_comma():
    puzzle = asking("play")
    shown = {language: show(puzzle.name, language, "de") for language in ("fr", "it")}
    figures = {language: re.findall(r"[+−]\d+([.,])\d", str(page)) for language, page in shown.items()}
    assert set(figures["fr"]) == {","}
    assert set(figures["it"]) == {"."}
