"""Hostile inputs through the real forms: each ends in a clear message or in harmless text, and soon."""

from __future__ import annotations

import itertools
import time
from html.parser import HTMLParser

import pytest
from django.test import Client

from rules.models import Entry
from tests.long import LONG, quick
from tests.rules import door_kit as kit
from tests.rules.editing_kit import fields_of, filled, signed_in

pytestmark = pytest.mark.django_db

ARTICLE = "/en/edit/article/deal/en/"
WORD = "/en/edit/concept/words.scart/"
SOON = 4.0  # seconds of our own work for sending, the answer, and reading the page

TEXTS = {
    "script": "<script>alert(1)</script><img src=x onerror=alert(1)>\n\n<svg/onload=alert(1)>",
    "javascript link": "[click](javascript:alert(1)) [c](JaVaScRiPt:alert(1)) <javascript:alert(1)> [d](data:text/html,x)",
    "oversized": "a" * 61_000,
    "far too large": "ä" * 300_000,
    "deep nesting": "> " * 5_000 + "x",
    "deep lists": "\n".join("  " * depth + "- x" for depth in range(120)),
    "brackets": "[" * 20_000 + "](" * 5_000,
    "stars": "*_" * 25_000,
    "broken directive": "::: example one\nkind = 'play\nhold = [[[[\n:::\n\n::: note\n::: note\n::: question\n",
    "directive without an end": "::: values\n" * 400,
    "deep toml": "::: example deep\nx = " + "[" * 3_000 + "\n:::",
    "right-to-left override": "The dealer \u202edeals\u202c cards.",
    "zero byte": "The dealer\0deals.",
    "sql": "'; DROP TABLE rules_entry; -- \" OR 1=1 %s {{ settings.SECRET_KEY }} {% debug %}",
    "heaped accents": "Z" + "\u0301" * 500 + "a" + "\u0334" * 500,
    "many links": "[x](https://example.org/) " * 100_000,
    "many own links": "[x](rules:deal) " * 3_700,
    "table of bars": "|a" * 2_000 + "|\n" + "|-" * 2_000 + "|\n" + "|b" * 2_000 + "|",
    "entities": "&lt;script&gt;&#60;script&#62;&NotEqualTilde;" * 500,
    "half a pair": "\ud800 lone",
    "placeholder of the cleaner": "<div>\ue0000.0\ue001</div> \ue000\ue001",
}

ODDEST = ("script", "half a pair")
"""Those texts that are put into every field and sent with every button in the quick run, too."""
FIELDS = ("definitions.en.text", "terms.0.text", "terms.0.note.en", "note.de", "comment", "terms.1.sources.0.at")


class _Alive(HTMLParser):
    """Finds what a browser would run."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        had = {name: value or "" for name, value in attrs}
        if (
            tag == "script"
            and had.get("type") != "application/ld+json"
            and not had.get("src", "").startswith(("/static/", "/en/jsi18n/"))
        ):
            self.found.append(f"<script {had}>")
        if tag in ("iframe", "object", "embed", "base", "style"):
            self.found.append(f"<{tag}>")
        for name, value in had.items():
            is_address = value.strip().casefold().startswith(("javascript:", "data:text", "vbscript:"))
            if name.startswith("on") or (is_address and name not in ("value", "content")):
                self.found.append(f"{tag} {name}={value[:40]}")


def alive(page: str) -> list[str]:
    parser = _Alive()
    parser.feed(page)
    return parser.found


@pytest.fixture(autouse=True)
def world(db: None) -> None:
    kit.world()


def sendable(text: str) -> str:
    return text.encode("utf-8", "surrogatepass").decode("utf-8", "replace")


@pytest.mark.parametrize(
    ("name", "button"),
    quick(
        {*(f"{name}-publish" for name in TEXTS), *(f"{name}-{do}" for name in ODDEST for do in ("preview", "compare"))},
        itertools.product(TEXTS, ["publish", "preview", "compare"]),
    ),
)
@pytest.mark.slow(but="script-publish")
def test_a_hostile_article_is_told_or_harmless(name: str, button: str) -> None:
    client = signed_in(kit.editor())
    sent = filled(client, ARTICLE, text=sendable(TEXTS[name]), comment="Why", anyway="1", do=button)
    started = time.process_time()
    answer = client.post(ARTICLE, sent)
    assert answer.status_code in (200, 302, 413, 422)
    pages = [answer.content.decode()]
    if answer.status_code == 422:
        assert 'role="alert"' in pages[0]
        assert "errorlist" in pages[0] or 'class="notice refusal"' in pages[0]
    if answer.status_code == 413:
        assert "your text is still there" in pages[0]
    if answer.status_code == 302:
        for address in ("/en/rules/deal/", "/en/history/article/deal/en/compare/", "/en/history/article/deal/en/2/"):
            read = client.get(address)
            assert read.status_code == 200
            pages.append(read.content.decode())
    took = time.process_time() - started
    assert [alive(page) for page in pages] == [[] for _page in pages]
    assert Entry.objects.filter(key="deal").count() == 2
    assert took < SOON, f"{took:.1f} s"


@pytest.mark.parametrize(
    ("name", "field"),
    quick(
        {*(f"{name}-{FIELDS[0]}" for name in TEXTS), *(f"{name}-{field}" for name in ODDEST for field in FIELDS)},
        itertools.product(TEXTS, FIELDS),
    ),
)
@pytest.mark.slow(but="half a pair-terms.1.sources.0.at")
def test_a_hostile_word_is_told_or_harmless(name: str, field: str) -> None:
    client = signed_in(kit.editor())
    sent = {**filled(client, WORD, comment="Why"), field: sendable(TEXTS[name]), "do": "publish"}
    answer = client.post(WORD, sent)
    assert answer.status_code in (302, 413, 422)
    pages = [answer.content.decode()]
    if answer.status_code == 302:
        pages += [
            client.get(f"/en/history/concept/words.scart/{tail}").content.decode() for tail in ("", "2/", "compare/")
        ]
        pages.append(client.get("/en/changes/").content.decode())
        pages.append(client.get("/changes.atom").content.decode())
    else:
        assert kit.published(kit.entry("concept", "words.scart")).number == 1
    assert [alive(page) for page in pages] == [[] for _page in pages]


@pytest.mark.parametrize("number", ["9" * 400, "-5", "1e9", "١٢", "0x10", "NaN", " ", "100001", "½"])
def test_a_number_that_is_none_is_told_at_its_field(number: str) -> None:
    client = signed_in(kit.editor())
    answer = client.post(ARTICLE, {**filled(client, ARTICLE, order=number, comment="Why"), "do": "publish"})
    assert answer.status_code == (302 if number == " " else 422)
    if answer.status_code == 422:
        assert fields_of(answer)["order"] == number.strip()
        assert 'href="#f-order"' in answer.content.decode()


@pytest.mark.parametrize(
    "fields",
    [
        {"terms.0": "x", "terms": "y", "terms.0.text.more": "z"},
        {".".join("a" * 50): "x"},
        {"terms." + ".0" * 60 + ".text": "x"},
        {f"terms.{number}.text": "x" for number in range(900 if LONG else 80)},
        {"terms.99999999999999999999.text": "x", "terms.-1.text": "x", "terms.٣.text": "x"},
        {"": "x", ".": "x", "...": "x", "__proto__": "x", "names.all": "x"},
        {"games": ["troccas"] * 900},
        {"base": "1 OR 1=1", "says": "'", "suggestion": "9" * 50, "form": "<x>" * 900},
    ],
)
@pytest.mark.slow(but="fields0")
def test_fields_that_no_form_has_do_no_harm(fields: dict[str, str]) -> None:
    client = signed_in(kit.editor())
    for button in ("publish", "compare", "suggest"):
        answer = client.post(WORD, {**filled(client, WORD, comment="Why"), **fields, "do": button})
        assert answer.status_code in (200, 302, 422)
        assert alive(answer.content.decode()) == []


def test_more_fields_than_any_form_has_are_refused_in_words() -> None:
    client = signed_in(kit.editor())
    sent = {**filled(client, WORD), **{f"x{number}": "" for number in range(20_000)}}
    answer = client.post(WORD, {**sent, "do": "publish"})
    assert answer.status_code == 413
    assert "your text is still there" in answer.content.decode()


@pytest.mark.parametrize("tail", ["%00", "..%2f..%2fetc", "<script>", "'; drop", "a" * 3000])
def test_hostile_addresses_lead_nowhere(tail: str) -> None:
    client = Client()
    for start in ("/en/edit/concept/", "/en/history/article/", "/en/talk/place/", "/en/talk/article/deal/?question="):
        answer = client.get(f"{start}{tail}{'' if '?' in start else '/'}")
        assert answer.status_code in (200, 302, 404)
        assert alive(answer.content.decode()) == []


@pytest.mark.parametrize(
    "query", ["language=%00", "kind='", "page=-1", "page=%F0%9F%98%80", "files=<script>", "in=../../x"]
)
def test_hostile_questions_are_passed_over(query: str) -> None:
    client = signed_in(kit.editor())
    for address in ("/en/changes/", "/en/queue/", "/changes.atom", "/en/suggestions/", "/en/history/article/deal/en/"):
        answer = client.get(f"{address}?{query}")
        assert answer.status_code == 200
        assert "<script>" not in answer.content.decode().replace('<script>"', "")
