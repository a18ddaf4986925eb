"""The markup of articles: what a writer types becomes what a reader sees."""

from __future__ import annotations

import re

import pytest
from django.utils import translation
from django.utils.html import strip_tags

from rules.markup import Rendered, inline, render
from rules.markup.page import described
from tests.rules import entries

pytestmark = pytest.mark.django_db


@pytest.fixture
def pagat() -> None:
    entries.source(
        "pagat", author="John McLeod", container="pagat.com", url="https://www.pagat.com/t.html", year="2021"
    )


def made(text: str, **document: object) -> Rendered:
    return render({"text": text, **document}, "en", key="troccas", preview=True)


def told(text: str, **document: object) -> list[str]:
    return [str(trouble) for trouble in made(text, **document).troubles]


# --- Citations ---------------------------------------------------------------------------------------------------------


def test_a_citation_becomes_a_numbered_note_with_a_way_there_and_back(pagat: None) -> None:
    html = made("Cups are red [@pagat: The Deal].").html
    assert '<p>Cups are red<sup class="cite" id="cited-1-1"><a href="#source-1"' in html
    assert '<li id="source-1">John McLeod: ' in html
    assert re.search("<q[^>]*>The Deal</q>", html)
    assert 'href="https://www.pagat.com/t.html"' in html
    assert '<a class="back" href="#cited-1-1">' in html


def test_the_same_place_in_a_work_has_one_number_and_every_mention_a_way_back(pagat: None) -> None:
    rendered = made("A [@pagat: Play]. B [@pagat]. C [@pagat: Play].")
    assert [str(citation) for citation in rendered.citations] == ["pagat: Play", "pagat"]
    assert re.findall(r'id="(cited-\d-\d)"', rendered.html) == ["cited-1-1", "cited-2-1", "cited-1-2"]
    assert re.findall(r'class="back" href="#(cited-\d-\d)"', rendered.html) == ["cited-1-1", "cited-1-2", "cited-2-1"]


def test_several_sources_are_cited_at_once(pagat: None) -> None:
    entries.source("jv")
    assert [str(each) for each in made("A [@pagat: Scoring; @jv].").citations] == ["pagat: Scoring", "jv"]


def test_an_unknown_source_is_told_with_its_line_and_marked_on_the_page() -> None:
    rendered = made("Fine.\n\nNot fine [@nobody: 3].")
    assert [str(trouble) for trouble in rendered.troubles] == ["3: There is no source “nobody”."]
    assert "[source?]" in rendered.html


def test_what_is_no_citation_stays_as_it_is_typed() -> None:
    assert "<p>Write to [@Anna!] or [x].</p>" in made("Write to [@Anna!] or [x].").html


def test_notes_stand_where_the_page_asks_for_them(pagat: None) -> None:
    rendered = made("A [@pagat].\n\n## Sources {#sources}\n\n::: sources\n:::\n\nThe end.")
    assert rendered.html.index('id="source-1"') < rendered.html.index("The end.")
    assert [heading.id for heading in rendered.outline] == ["sources"]


def test_an_article_that_asks_for_no_notes_has_them_at_its_end(pagat: None) -> None:
    rendered = made("A [@pagat].")
    assert [heading.id for heading in rendered.outline] == ["sources"]
    assert rendered.html.index('<h2 id="sources">') < rendered.html.index('id="source-1"')


# --- Sections, cards, links --------------------------------------------------------------------------------------------


def test_headings_carry_the_id_they_were_given_or_one_of_their_words() -> None:
    rendered = made("## The deal {#deal}\n\n## Play\n\n### Leading")
    assert [(heading.id, heading.title) for heading in rendered.outline] == [("deal", "The deal"), ("play", "Play")]
    assert '<h2 id="deal">The deal</h2>' in rendered.html
    assert '<h3 id="leading">' in rendered.html


def test_an_id_is_given_once_and_never_one_of_the_pages_own() -> None:
    rendered = made("## A {#deal}\n\n## B {#deal}\n\n## C {#main}")
    assert [heading.id for heading in rendered.outline] == ["deal", "deal-2", "section-main"]
    assert [trouble.line for trouble in rendered.troubles] == [3, 5]


def test_the_page_has_one_title_so_a_first_level_heading_becomes_a_second() -> None:
    assert '<h2 id="big">Big</h2>' in made("# Big").html


def test_a_card_is_named_in_the_language_of_the_text() -> None:
    assert 'Play the <span class="card-name">king of cups</span>.' in made("Play the {CK}.").html
    assert "Becher-König" in render({"text": "{CK} sticht."}, "de", key="x").html


def test_a_card_begins_a_sentence_with_a_capital() -> None:
    html = made("{CK} wins. {F} does not; {F} stays.").html
    assert re.findall(r'"card-name">([^<]+)<', html) == ["King of cups", "The Fool", "the Fool"]


@pytest.mark.parametrize("typed", ["{CX}", "{T22}", "{}", "{Ck}"])
def test_what_is_no_card_stays_as_it_is_typed(typed: str) -> None:
    assert typed in made(f"Play {typed} now.").html


def test_links_lead_to_other_articles_and_their_sections() -> None:
    entries.article("troggu", "x")
    assert '<a href="/en/rules/troggu/#deal">there</a>' in made("See [there](rules:troggu#deal).").html


def test_links_lead_where_the_reader_reads() -> None:
    entries.article("troggu", "x")
    html = render({"text": "[there](rules:troggu)"}, "en", key="x", reader="de").html
    assert 'href="/de/rules/troggu/"' in html


def test_a_link_that_leads_nowhere_is_text_and_told() -> None:
    rendered = made("See [there](rules:nowhere).")
    assert '<span class="unknown-target">there</span>' in rendered.html
    assert [str(trouble) for trouble in rendered.troubles] == ["1: “rules:nowhere” leads nowhere."]


def test_links_to_the_web_are_not_vouched_for() -> None:
    html = made("[x](https://example.org/a?b=1&c=2)").html
    assert '<a class="external" rel="nofollow ugc noopener" href="https://example.org/a?b=1&amp;c=2">x</a>' in html


def test_tables_scroll_by_themselves_and_align_figures() -> None:
    html = made("| a | b |\n|---|--:|\n| x | 1 |").html
    assert '<div class="table-scroll" role="region" tabindex="0" aria-label="Table">' in html
    assert '<td class="number">1</td>' in html
    assert "style" not in html


def test_every_cell_of_a_table_is_read_with_the_heads_of_its_column_and_of_its_line() -> None:
    html = made("| | Visp | *Grächen* |\n|---|---|--:|\n| **bid** | none | 1 |\n| | two | 3 |").html
    lines = [re.sub(r"\s", "", each) for each in re.findall(r"<tr>(.*?)</tr>", html, re.DOTALL)]
    assert re.sub(r"<em.*?>|</em>", "", lines[0]) == (
        '<td></td><thscope="col">Visp</th><thclass="number"scope="col">Grächen</th>'
    )
    assert lines[1:] == [
        '<thscope="row"><strong>bid</strong></th><td>none</td><tdclass="number">1</td>',
        '<td></td><td>two</td><tdclass="number">3</td>',
    ]


# --- One line ----------------------------------------------------------------------------------------------------------


def test_a_line_has_its_citations_in_brackets(pagat: None) -> None:
    assert inline("*So* it is [@pagat: Play].", "en") == (
        '<em>So</em> it is (<a class="cite" href="/en/sources/pagat/">pagat.com, Pagat: Play</a>).'
    )


def test_a_line_of_plain_text_is_escaped() -> None:
    assert inline("a < b & c", "en") == "a &lt; b &amp; c"


def test_a_line_knows_no_blocks() -> None:
    assert inline("# not a heading\n\n::: note", "en") == "# not a heading ::: note"


@pytest.mark.parametrize(
    ("title", "note"),
    [
        ("How To Play!", "How To Play! a.example."),
        ("Who Deals?", "Who Deals? a.example."),
        ("Rules", "Rules. a.example."),
    ],
)
def test_a_title_that_ends_with_a_mark_gets_no_full_stop_besides(title: str, note: str) -> None:
    assert strip_tags(described({"title": title, "url": "https://a.example/"})) == note
    assert strip_tags(described({"title": title})) == note.removesuffix(" a.example.")


@pytest.mark.parametrize(
    ("locator", "noted"),
    [
        ("page 41", "Seite 41"),
        ("Italian version", "italienische Fassung"),
        ("5.1.2017", "5.1.2017"),
        ("Il gioco", '<q lang="it">Il gioco</q>'),
    ],
)
def test_a_page_or_a_version_is_named_in_the_readers_language_and_a_heading_in_that_of_the_work(
    locator: str, noted: str
) -> None:
    work = {"title": "Tarocchi", "language": "it"}
    with translation.override("de"):
        assert described(work, locator) == f'<span lang="it"><cite>Tarocchi</cite></span>, {noted}.'
