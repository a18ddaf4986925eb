"""The rule sheet: the article without what is tried, argued or looked up, complete in what one must know at the table."""

from __future__ import annotations

import re

import pytest
import segno
from django.test import Client

from rules.markup import sheet
from rules.models import Redirect
from tests.rules import entries

pytestmark = pytest.mark.django_db

TEXT = """
A game for two pairs [@pagat: Introduction; @oinkers]. Take a [[words.scart|scart]].

## At a glance {#at-a-glance}

::: glance
Players: 4 [@pagat: Players]
:::

## Cards {#players-and-cards}

::: values
:::

### Tried {#tried}

::: example one
kind = "trick"
trick = "C9 CK T3 C2"
:::

## Deal {#deal}

Who deals shuffles [@pagat: The Deal]. See [counting](rules:counting).

::: question cut
title = "Is the pack cut?"
reading = "Yes, by the *left* neighbour."
why = "It protects everybody."
[[says]]
source = "pagat: The Deal"
paraphrase = "It is."
[[says]]
source = "oinkers"
silent = true
:::

::: mistake wrong
claim = "Nobody cuts."
where = "oinkers"
truth = "Somebody does."
:::

## Only an example {#only}

::: example two
kind = "trick"
trick = "C9 CK T3 C2"
:::

## Worked example {#example}

A whole hand.

### And more

Of it.

## Variants {#variants}

Some knock.

## Words {#words}

::: words
:::

## Sources {#sources}

::: sources
:::
"""


@pytest.fixture
def sources() -> None:
    entries.source("pagat", container="pagat.com", title="Troccas")
    entries.source("oinkers", container="", author="", title="How To Play Troccas!", language="en")
    entries.word("words.scart", {"lang": "rm-sursilv", "text": "scart"})


def made(language: str = "en") -> str:
    return sheet({"text": TEXT, "ruleset": "troccas"}, language, key="troccas").html


def test_a_sheet_keeps_prose_and_tables_and_leaves_out_what_is_tried_argued_or_looked_up(sources: None) -> None:
    html = made()
    for kept in ("A game for two pairs.", '<dl class="glance">', "engine-values", "Who deals shuffles.", "Some knock."):
        assert kept in html
    for gone in ("example", "A whole hand", "Of it", "It protects", "Nobody cuts", "word-list", "footnotes", "<sup"):
        assert gone not in html


def test_headings_that_have_lost_what_stood_below_them_go_too(sources: None) -> None:
    assert re.findall(r'<h[23] id="([^"]+)"', made()) == ["at-a-glance", "players-and-cards", "deal", "variants"]


def test_an_open_question_is_one_paragraph_with_what_is_asked_and_what_we_play(sources: None) -> None:
    assert re.search(
        r'<p class="reading"><span class="mark">Our reading:</span> <em>Is the pack cut\?</em> '
        r"Yes, by the <em>left</em> neighbour.</p>",
        made(),
    )


def test_words_are_no_links_on_a_sheet(sources: None) -> None:
    assert "Take a scart." in made()
    assert "data-term" not in made()


def test_the_works_a_sheet_rests_on_are_named_once(sources: None) -> None:
    found = sheet({"text": TEXT, "ruleset": "troccas"}, "en", key="troccas").sources
    assert [name for name, _language in found] == ["pagat.com, Troccas", "How To Play Troccas!"]


def test_a_text_that_is_too_long_or_broken_does_no_harm() -> None:
    assert sheet({"text": "x" * 10_000_000}, "en", key="x") == sheet({"text": ""}, "en", key="x")
    assert "<script" not in sheet({"text": "<script>x</script> ::: question\n\n::: nothing\n:::"}, "en", key="x").html


# --- The page ----------------------------------------------------------------------------------------------------------


def test_the_sheet_of_a_game_says_what_it_is_of_and_is_not_indexed(client: Client, sources: None) -> None:
    entries.article("troccas", TEXT, title="Troccas for four", ruleset="troccas")
    html = client.get("/en/rules/troccas/sheet/").content.decode()
    assert '<h1 class="below-2" lang="en">Troccas for four</h1>' in html
    assert '<meta name="robots" content="noindex">' in html
    canonical = re.search(r'<link rel="canonical" href="([^"]+/en/rules/troccas/)">', html)
    assert canonical
    address = canonical[1]
    drawn = re.search(r'<svg[^>]*class="qr".*? d="([^"]+)"', html, re.DOTALL)
    meant = re.search(r' d="([^"]+)"', segno.make(address, error="m", micro=False).svg_inline(border=2))
    assert drawn
    assert meant
    assert drawn[1] == meant[1], "the code leads to the article itself"
    assert "revision 1," in html
    assert "Sources:</strong>" in html
    assert 'href="/en/rules/troccas/sheet/"' in client.get("/en/rules/troccas/").content.decode()


def test_only_games_have_a_sheet_and_an_old_address_leads_to_the_present_one(client: Client, sources: None) -> None:
    entries.article("counting", "x")
    entries.article("troccas", TEXT, ruleset="troccas")
    Redirect.objects.create(kind="article", slug="four", key="troccas")
    assert client.get("/en/rules/counting/sheet/").status_code == 404
    assert client.get("/en/rules/nothing/sheet/").status_code == 404
    moved = client.get("/en/rules/four/sheet/")
    assert (moved.status_code, moved["Location"]) == (301, "/en/rules/troccas/sheet/")


def test_a_sheet_that_is_not_translated_is_in_english_and_says_so(client: Client, sources: None) -> None:
    entries.article("troccas", TEXT, title="Troccas for four", ruleset="troccas")
    assert (
        '<h1 class="below-2" lang="en">Troccas for four</h1>' in client.get("/de/rules/troccas/sheet/").content.decode()
    )
