"""Pages that are read: articles in the reader's language, the contents, sources, places."""

from __future__ import annotations

import re

import pytest
from django.core.cache import caches
from django.test import Client
from django.urls import reverse
from pytest_django import DjangoAssertNumQueries

from rules import selectors
from rules.models import Entry, Place, Redirect, Revision
from tests.rules import entries

pytestmark = pytest.mark.django_db


def page(client: Client, path: str, status: int = 200) -> str:
    answer = client.get(path)
    assert answer.status_code == status
    return answer.content.decode()


@pytest.fixture
def troccas() -> Entry:
    entries.source("pagat", container="pagat.com", url="https://www.pagat.com/")
    return entries.article(
        "troccas",
        "Two pairs [@pagat: Play].\n\n## Deal {#deal}\n\nThe {CK} is dealt.",
        title="Troccas for four",
        summary="The principal game.",
        ruleset="troccas",
        order=10,
    )


# --- Articles ----------------------------------------------------------------------------------------------------------


def test_an_article_shows_its_text_its_sections_and_the_way_to_the_table(client: Client, troccas: Entry) -> None:
    html = page(client, "/en/rules/troccas/")
    assert '<h1 lang="en">Troccas for four</h1>' in html
    assert "The principal game." in html
    assert re.search(r'<a href="#deal"[^>]*>Deal</a>', html)
    assert '<span class="card-name">king of cups</span>' in html
    assert f'href="{reverse("choose")}#troccas"' in html
    assert 'id="source-1"' in html


def test_an_article_is_shown_in_the_readers_language_where_there_is_one(client: Client, troccas: Entry) -> None:
    entries.article("troccas", "Zwei Paare.", "de", title="Troccas zu viert")
    assert '<h1 lang="de">Troccas zu viert</h1>' in page(client, "/de/rules/troccas/")
    assert "Troccas for four" in page(client, "/en/rules/troccas/")


def test_an_article_leads_to_its_translations_and_only_to_those(client: Client, troccas: Entry) -> None:
    entries.article("troccas", "Zwei Paare.", "de")
    found = re.findall(r'href="([^"]+)" lang="[^"]+" hreflang="([^"]+)"', page(client, "/en/rules/troccas/"))
    assert found == [("/de/rules/troccas/", "de")]


def test_what_is_not_translated_is_shown_in_english_and_says_so(client: Client, troccas: Entry) -> None:
    html = page(client, "/de/rules/troccas/")
    assert '<h1 lang="en">Troccas for four</h1>' in html
    assert '<div class="article-text" lang="en">' in html
    assert "; hier steht sie auf Englisch." in html
    assert "la voici en anglais." in page(client, "/fr/rules/troccas/")


def test_links_in_a_text_that_is_not_translated_lead_to_the_readers_pages(client: Client, troccas: Entry) -> None:
    entries.article("troggu", "See [there](rules:troccas).")
    assert '<a href="/de/rules/troccas/">there</a>' in page(client, "/de/rules/troggu/")


def test_a_translation_behind_its_source_says_by_how_much(client: Client, troccas: Entry) -> None:
    source = troccas.published
    german = entries.article("troccas", "Zwei Paare.", "de")
    follow(german, source)
    assert 'data-level="warning"' not in page(client, "/de/rules/troccas/")
    for text in ("Two sides.", "Two sides of two."):
        entries.article("troccas", text)
    html = page(client, "/de/rules/troccas/")
    assert re.search(r'data-level="warning">[^<]*2 ', html)


def follow(entry: Entry, source: Revision | None) -> None:
    """One more revision of a translation, which follows a revision of its source."""
    revision = entry.published
    assert revision is not None
    entry.revisions_made += 1
    entry.published = Revision.objects.create(
        entry=entry, number=entry.revisions_made, parent=revision, document=revision.document, follows=source
    )
    entry.save()


def test_a_draft_says_that_it_is_one(client: Client) -> None:
    entries.article("overview", "Dus giugs.", "rm-sursilv", draft=True, section="world")
    assert 'data-level="warning"' in page(client, "/rm-sursilv/rules/")


def test_an_address_that_an_article_once_had_leads_to_its_present_one(client: Client, troccas: Entry) -> None:
    Redirect.objects.create(kind="article", slug="four", key="troccas")
    answer = client.get("/en/rules/four/")
    assert (answer.status_code, answer["Location"]) == (301, "/en/rules/troccas/")


def test_there_is_no_page_for_what_was_never_published_or_is_withdrawn(client: Client, troccas: Entry) -> None:
    page(client, "/en/rules/nothing/", 404)
    Redirect.objects.create(kind="article", slug="gone", key="gone")
    page(client, "/en/rules/gone/", 404)
    troccas.published = None
    troccas.save()
    page(client, "/en/rules/troccas/", 404)


def test_articles_of_a_section_lead_to_each_other(client: Client, troccas: Entry) -> None:
    entries.article("troggu", "x", order=20)
    entries.article("history", "x", order=15, section="world")
    assert re.search(r'rel="next" href="/en/rules/troggu/"', page(client, "/en/rules/troccas/"))
    assert re.search(r'rel="prev" href="/en/rules/troccas/"', page(client, "/en/rules/troggu/"))
    assert 'class="neighbours' not in page(client, "/en/rules/history/")


def test_the_printed_page_carries_its_address_as_a_picture(client: Client, troccas: Entry) -> None:
    html = page(client, "/en/rules/troccas/")
    assert 'class="qr"' in html
    assert "/en/rules/troccas/</figcaption>" in html


# --- Kept renderings ---------------------------------------------------------------------------------------------------


def test_a_text_is_rendered_once_until_something_is_published(client: Client, troccas: Entry) -> None:
    page(client, "/en/rules/troccas/")
    kept = len(caches[selectors.PAGES]._cache)  # type: ignore[attr-defined]  # the cache has no public length
    page(client, "/en/rules/troccas/")
    assert len(caches[selectors.PAGES]._cache) == kept  # type: ignore[attr-defined]
    entries.source("pagat", container="Another name")
    assert "Another name" in page(client, "/en/rules/troccas/")


def test_a_kept_page_takes_few_queries(
    client: Client, troccas: Entry, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    for number in range(12):
        entries.article(f"game-{number}", "x", order=number)
    page(client, "/en/rules/troccas/")
    with django_assert_max_num_queries(8):
        page(client, "/en/rules/troccas/")


# --- Contents ----------------------------------------------------------------------------------------------------------


def test_the_contents_list_every_article_by_section_and_open_with_the_overview(client: Client, troccas: Entry) -> None:
    entries.article("overview", "Where to begin.", section="world", title="Two games")
    entries.article("counting", "x", section="table", title="How to count")
    html = page(client, "/en/rules/")
    assert "<h1>Two games</h1>" in html
    assert "Where to begin." in html
    assert (
        html.index('id="games"')
        < html.index("Troccas for four")
        < html.index('id="table"')
        < html.index("How to count")
    )
    assert html.count("Two games</a>") == 0
    assert 'id="world"' not in html


def test_the_overview_has_one_address(client: Client) -> None:
    entries.article("overview", "x", section="world")
    answer = client.get("/en/rules/overview/")
    assert (answer.status_code, answer["Location"]) == (301, "/en/rules/")


def test_an_empty_encyclopedia_says_so(client: Client) -> None:
    assert "Nothing has been published here yet." in page(client, "/en/rules/")


# --- Sources and places ------------------------------------------------------------------------------------------------


def test_a_source_lists_what_cites_it(client: Client, troccas: Entry) -> None:
    entries.source("jv")
    entries.word("words.scart", {"lang": "rm-sursilv", "text": "scart", "sources": ["pagat: The Scart"]})
    entries.word("words.tapp", {"lang": "gsw", "text": "Tapp", "sources": ["jv"]})
    cited = re.findall(r'<li><(?:a href="[^"]*"|span) lang="[^"]+">([^<]+)<', page(client, "/en/sources/pagat/"))
    assert cited == ["Troccas for four", "scart"]


@pytest.mark.parametrize(
    ("language", "licence"),
    [
        ("en", "Licence: © the author"),
        ("de", "Lizenz: © beim Autor"),
        ("fr", "Licence\u202f: © l’auteur"),
        ("it", "Licenza: © l’autore"),
    ],
)
def test_the_licence_of_a_source_is_said_in_the_readers_language(client: Client, language: str, licence: str) -> None:
    entries.source("pagat", licence="© the author")
    entries.source("jv", licence="CC BY-SA 4.0")
    assert licence in page(client, f"/{language}/sources/pagat/")
    assert "CC BY-SA 4.0" in page(client, f"/{language}/sources/jv/")


def test_a_source_is_not_taken_for_one_whose_key_begins_alike(client: Client) -> None:
    entries.source("pagat")
    entries.source("pagat-troggu")
    entries.word("words.tapp", {"lang": "gsw", "text": "Tapp", "sources": ["pagat-troggu: Bids"]})
    assert ">Tapp<" not in page(client, "/en/sources/pagat/")  # without the tags, a token may hold it
    assert ">Tapp<" in page(client, "/en/sources/pagat-troggu/")


def test_all_sources_are_listed_in_few_queries(
    client: Client, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    for number in range(20):
        entries.source(f"work-{number}")
    with django_assert_max_num_queries(6):
        assert page(client, "/en/sources/").count('href="/en/sources/work-') >= 20


def test_a_source_with_an_address_that_is_none_is_not_linked(client: Client) -> None:
    entry = entries.source("odd", url="https://example.org/")
    entry.source.document["url"] = "javascript:alert(1)"
    entry.source.save()
    assert "javascript:" not in page(client, "/en/sources/odd/")


def test_a_place_shows_its_words_and_those_of_the_places_in_it(client: Client) -> None:
    entries.published("place", "wallis", {"names": {"": "Wallis", "en": "Valais"}, "sort": "canton"})
    entries.published("place", "visp", {"names": {"": "Visp"}, "sort": "village", "parent": "wallis"})
    entries.word("words.tapp", {"lang": "gsw", "text": "Tappu", "place": "visp"})
    html = page(client, "/en/places/wallis/")
    assert "<h1>Valais</h1>" in html
    assert '<a href="/en/places/visp/">Visp</a>' in html
    assert "Tappu" in html
    assert '<a href="/de/places/wallis/">Wallis</a>' in page(client, "/de/places/visp/")


def test_places_that_are_said_to_lie_in_each_other_do_no_harm() -> None:
    for key in ("a", "b"):
        entries.published("place", key, {"names": {"": key.upper()}, "sort": "village"})
    one, other = Place.objects.order_by("key")
    one.parent, other.parent = other, one
    one.save()
    other.save()
    assert selectors.places_below(one) == [one, other]


@pytest.mark.parametrize("path", ["/en/sources/nothing/", "/en/places/nothing/"])
def test_there_is_no_page_for_an_unknown_source_or_place(client: Client, path: str) -> None:
    page(client, path, 404)
