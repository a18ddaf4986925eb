"""Every example of every article, in every language, is proved; and all languages of an article have the same examples."""

from __future__ import annotations

import re
import tomllib
from collections import defaultdict
from html.parser import HTMLParser
from pathlib import Path

import pytest
from django.utils import translation

from rules.examples import BadExample, read, show
from rules.examples.answering import what_was_played
from rules.examples.reading import RecordExample, examples_in

ARTICLES = Path(__file__).resolve().parents[2] / "rules" / "content" / "articles"
FILES = sorted(ARTICLES.glob("*/*.md"))
NAMES = [f"{path.parent.name}/{path.stem}" for path in FILES]
_FRONT = re.compile(r"\A\+\+\+\n(.*?)^\+\+\+\n", re.MULTILINE | re.DOTALL)


def parts(path: Path) -> tuple[dict[str, object], str]:
    """The front matter of an article's file and its text."""
    whole = path.read_text(encoding="utf-8")
    front = _FRONT.match(whole)
    assert front is not None, path
    return tomllib.loads(front[1]), whole[front.end() :]


def test_there_are_articles_with_examples():
    assert sum(len(list(examples_in(path.read_text(encoding="utf-8")))) for path in FILES) > 50


@pytest.mark.django_db
@pytest.mark.parametrize("path", FILES, ids=NAMES)
def test_every_example_of_the_article_is_proved(path):
    front, text = parts(path)
    wrong = []
    with translation.override("en"):
        for name, body in examples_in(text):
            try:
                example = read(body, ruleset=str(front.get("ruleset", "")) or None, seats=None)
                html = show(example, path.parent.name, id=name)
            except BadExample as bad:
                wrong.append(f"{name}: {bad.message}")
            else:
                assert f'id="example-{name}"' in html
                assert balanced(html), name
    assert not wrong


@pytest.mark.parametrize("path", FILES, ids=NAMES)
def test_no_example_is_missed_by_the_way_it_is_written(path):
    _front, text = parts(path)
    assert len(re.findall(r"^:::\s*example", text, re.MULTILINE)) == len(list(examples_in(text)))


def test_all_languages_of_an_article_have_the_same_examples():
    ids: dict[str, dict[str, list[str]]] = defaultdict(dict)
    for path in FILES:
        ids[path.stem][path.parent.name] = [name for name, _body in examples_in(parts(path)[1])]
    different = {
        f"{key}: {language} {sorted(set(found) ^ set(languages['en']))}"
        for key, languages in ids.items()
        for language, found in languages.items()
        if language in ("en", "de") and "en" in languages and sorted(found) != sorted(languages["en"])
    }
    assert not different
    doubled = {key for key, languages in ids.items() for found in languages.values() if len(found) != len(set(found))}
    assert not doubled


def test_all_languages_of_an_example_speak_of_the_same_cards():
    said: dict[str, dict[str, object]] = defaultdict(dict)
    for path in FILES:
        front, text = parts(path)
        for name, body in examples_in(text):
            said[f"{path.stem}: {name}"][path.parent.name] = read(
                body, ruleset=str(front.get("ruleset", "")) or None, seats=None
            )
    assert not [name for name, by_language in said.items() if len(set(by_language.values())) > 1]


def test_the_example_in_which_the_called_card_falls_shows_the_trick_in_which_it_falls():
    for path in ARTICLES.glob("*/troggu.md"):
        front, text = parts(path)
        (body,) = (body for name, body in examples_in(text) if name == "partner-shows")
        example = read(body, ruleset=str(front["ruleset"]), seats=None)
        assert isinstance(example, RecordExample)
        (trick,) = what_was_played(example).tricks
        assert [(event.kind, event.code) for event in trick.events] == [("partner-shown", "T2")], path


class _Tags(HTMLParser):
    """Which elements are open."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.sound = True

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in ("img", "br", "input", "use"):
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag != "use":
            self.sound = self.sound and bool(self.open) and self.open.pop() == tag


def balanced(html: str) -> bool:
    """Whether every element is closed."""
    tags = _Tags()
    tags.feed(html)
    tags.close()
    return tags.sound and not tags.open


@pytest.mark.django_db
@pytest.mark.parametrize(
    "body",
    [
        'kind = "play"\ntrick = "C9 C2"\nhold = "C4 CJ S9"',
        'kind = "trick"\ntrick = "O10 O3 O1 O7"',
        'kind = "call"\ntrick = "CK C8 C1 C3"\njack = 3\ncall = "buob"',
    ],
)
def test_an_explanation_stands_with_the_answer_only(body):
    example = read(f'{body}\nwhy = "So it *is*."\ncaption = "Look."', ruleset="troccas", seats=None)
    before, _fold, answer = show(example, "en", id="x").partition("<details")
    assert "Look." in before
    assert "So it" not in before
    assert "So it <em>is</em>." in answer.partition("</details>")[0]


def test_what_asks_nothing_explains_nothing():
    with pytest.raises(BadExample):
        read('kind = "order"\ncards = "C1 C2"\nwhy = "x"', ruleset="troccas", seats=None)
