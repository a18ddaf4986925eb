"""Pages of words: one concept with all its names, the phrase book, the same word elsewhere, the front page."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.contrib.staticfiles import finders
from django.core.cache import caches
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from rules import services
from rules.models import Concept, Redirect
from rules.selectors import PAGES
from rules.wordbook.page import WordPage, cards_of
from tests.refusals import refuses
from tests.rules.entries import article, published, source, word

pytestmark = pytest.mark.django_db

MUND: tuple[dict[str, Any], ...] = (
    {"lang": "en", "text": "the World", "sources": ["pagat: The Play"]},
    {"lang": "de", "text": "die Welt", "gender": "f"},
    {
        "lang": "rm-sursilv",
        "text": "il mund",
        "gender": "m",
        "sources": ["pagat: The Play", "jv"],
        "look_up": ["mund", "igl mund"],
    },
    {
        "lang": "rm-sursilv",
        "text": "la vacca",
        "status": "admitted",
        "register": "jocular",
        "gloss": {"en": "the cow", "de": "die Kuh"},
        "note": {"en": "Said with a wink.", "de": "Mit Augenzwinkern."},
        "place": "medel",
        "look_up": ["vacha"],
        "examples": [
            {
                "text": "Dai la vacca!",
                "meaning": {"en": "Play the cow!"},
                "source": "jv: 3",
                "speaker": "Gion",
                "place": "medel",
            }
        ],
    },
    {"lang": "fr", "text": "Le Monde", "status": "preferred", "register": "printed on the cards"},
    {"lang": "rm-rumgr", "text": "il mund", "status": "proposed"},
)


@pytest.fixture
def mund() -> Concept:
    """The highest trump with some of its names."""
    source("pagat", author="John McLeod")
    source("jv")
    published("place", "medel", {"names": {"": "Medel"}, "sort": "valley"})
    word(
        "trumps.21",
        *MUND,
        games=("troccas", "troggu"),
        theme="trumps",
        definitions={
            "en": {"text": "The *highest* trump.", "sources": ["pagat: The Play"]},
            "de": {"text": "Der höchste Trumpf."},
        },
        related=["words.trump"],
    )
    return Concept.objects.get(key="trumps.21")


def made(concept: Concept, language: str = "en") -> WordPage:
    return WordPage(concept, language)


def text_of(html: str) -> str:
    """A page as somebody reads it."""
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", "", html[html.index("<main") :]))


def test_a_word_is_called_as_the_reader_says_and_the_players_own_words_stand_beside_it(mund: Concept) -> None:
    page = made(mund, "de")
    assert (page.title.text, page.title.language, page.numeral) == ("die Welt", "de", "XXI")
    assert [(name.text, name.language) for name in page.own] == [("il mund", "rm-sursilv")]


def test_a_reader_of_sursilvan_gets_that_word_and_the_german_definition_first(mund: Concept) -> None:
    page = made(mund, "rm-sursilv")
    assert page.title.text == "il mund"
    assert page.own == []
    assert [each.language for each in page.definitions] == ["de", "en"]


def test_everything_known_about_a_word_is_on_its_page(client: Client, mund: Concept) -> None:
    page = text_of(client.get("/en/words/trumps-21/").content.decode())
    for fact in (
        "The highest trump.",
        "Der höchste Trumpf.",
        "la vacca",
        "jocular",
        "the cow",
        "Said with a wink.",
        "Medel",
        "Also looked up as: vacha",
        "Dai la vacca! – Play the cow!",
        "Gion",
        "preferred",
        "admitted",
        "may be used",
        "proposed",
        "printed on the cards",
        "John McLeod",
        "Rumantsch Grischun",
    ):
        assert fact in page, fact


def test_every_word_on_the_page_says_its_language(client: Client, mund: Concept) -> None:
    page = client.get("/en/words/trumps-21/").content.decode()
    assert '<span class="name" lang="rm-sursilv"><span class="the">la </span>vacca</span>' in page
    assert 'lang="fr"><span class="the">Le </span>Monde</span>' in page
    assert '<q lang="en">the cow</q>' in page


def test_the_page_shows_the_card_with_its_name(client: Client, mund: Concept) -> None:
    page = client.get("/en/words/trumps-21/").content.decode()
    assert "deck/deck.svg#T21" in page
    assert 'aria-label="XXI, the World"' in page


@pytest.mark.parametrize(
    ("key", "wider", "cards"),
    [
        ("trumps.1", "", ["T1"]),
        ("fool", "", ["F"]),
        ("ranks.king", "", ["CK", "OK", "SK", "BK"]),
        ("suits.cups", "", ["CK", "CQ", "CN", "CJ"]),
        ("words.bagat", "trumps.1", ["T1"]),
        ("words.scart", "words.trump", []),
        ("words.scart", "", []),
        ("trumps.99", "", []),
    ],
)
def test_a_concept_shows_the_cards_it_is_about(key: str, wider: str, cards: list[str]) -> None:
    assert cards_of(key, wider) == cards


def test_sources_are_numbered_notes_the_same_place_in_a_work_only_once(client: Client, mund: Concept) -> None:
    page = client.get("/en/words/trumps-21/").content.decode()
    notes = page[page.index('<ol class="footnotes">') :]
    assert re.findall(r'<li id="source-(\d+)"', notes) == ["1", "2", "3"]
    for mark in re.findall(r'href="#cited-([\d-]+)"', notes):
        assert f'id="cited-{mark}"' in page


def test_a_source_that_does_not_exist_is_said_so(client: Client) -> None:
    word("words.x", {"lang": "en", "text": "x", "sources": ["nobody: page 3"]})
    assert "[source?]" in client.get("/en/words/x/").content.decode()


def test_a_place_leads_to_its_page(client: Client, mund: Concept) -> None:
    page = client.get("/en/words/trumps-21/").content.decode()
    assert '<a href="/en/places/medel/">Medel</a>' in page
    assert "la vacca" in text_of(client.get("/en/places/medel/").content.decode())


def test_look_up_forms_that_only_lack_the_article_are_not_repeated(mund: Concept) -> None:
    sursilvan = next(row for row in made(mund).languages if row.language == "rm-sursilv")
    assert [each.look_up for each in sursilvan.words] == [(), ("vacha",)]


def test_a_name_no_source_attests_is_marked_for_review(client: Client) -> None:
    word("words.hand", {"lang": "en", "text": "hand"}, {"lang": "rm-sursilv", "text": "maun", "status": "proposed"})
    page = client.get("/rm-sursilv/words/hand/").content.decode()
    assert re.search(r'<h1 lang="rm-sursilv" class="draft">maun</h1>', page)
    assert made(Concept.objects.get(key="words.hand")).own == []


@pytest.mark.parametrize("standing", ["doubtful", "near"])
def test_only_a_word_that_a_source_has_in_this_sense_is_the_players_own(client: Client, standing: str) -> None:
    printed = {"lang": "rm-sursilv", "text": "la sulegl", "sources": ["pagat"], "standing": standing}
    word("trumps.19", {"lang": "en", "text": "the Sun"}, printed)
    word("words.light", {"lang": "en", "text": "light"}, related=["trumps.19"])
    assert made(Concept.objects.get(key="trumps.19")).own == []
    assert [bool(each.own) for each in made(Concept.objects.get(key="words.light")).related] == [False]


def test_related_words_lead_to_each_other_even_if_only_one_names_the_other(mund: Concept) -> None:
    word("words.trump", {"lang": "en", "text": "trump"})
    word("words.mund", {"lang": "en", "text": "XXI"}, broader="trumps.21")
    word("words.world", {"lang": "en", "text": "globe"}, related=["trumps.21"])
    page = made(mund)
    assert [each.name.text for each in page.related] == ["trump", "globe"]
    assert [each.name.text for each in page.narrower] == ["XXI"]
    assert [each.name.text for each in made(Concept.objects.get(key="words.mund")).wider] == ["the World"]


def test_articles_that_use_a_word_are_named_with_the_section_that_does_most(mund: Concept) -> None:
    article(
        "troccas",
        "The World opens.\n\n## Deal {#deal}\n\nNone.\n\n## Play {#play}\n\nThe World beats all. "
        "So *la vacca* does.\n\n## Words {#words}\n\nla vacca la vacca la vacca",
        ruleset="troccas",
    )
    article("oinkers", "Worldly things, and a source [@pagat: The World].")
    article("asked", "By name: [[trumps.21|the highest]].")
    used = made(mund).used_in
    assert {(each.title, each.section, each.address) for each in used} == {
        ("Troccas", "Play", "/en/rules/troccas/#play"),
        ("Asked", "", "/en/rules/asked/"),
    }


def test_a_section_named_after_the_word_is_preferred_to_one_that_only_uses_it() -> None:
    word("words.deal", {"lang": "en", "text": "deal"})
    article("game", "## Play {#play}\n\nDeal, deal, deal.\n\n## The deal {#deal}\n\nAs follows.")
    (used,) = made(Concept.objects.get(key="words.deal")).used_in
    assert used.section == "The deal"


def test_what_fills_in_an_example_is_no_use_of_a_word() -> None:
    word("words.title", {"lang": "en", "text": "card title", "look_up": ["title", "captions"]})
    word("words.trick", {"lang": "en", "text": "trick"})
    data = 'kind = "trick"\ntitle = "Who wins?"\ntrick = "O10 O3 O1 O7"\n'
    text = f"## Play {{#play}}\n\nA trick.\n\n## Examples {{#examples}}\n\n::: example one\n{data}:::\n\n::: example two\n{data}:::"
    article("game", text)
    article("other", f'A row.\n\n::: example three\n{data}caption = "The captions."\n:::')
    (trick,) = made(Concept.objects.get(key="words.trick")).used_in
    assert (trick.title, trick.section) == ("Game", "Play")
    assert [each.title for each in made(Concept.objects.get(key="words.title")).used_in] == ["Other"]


def test_an_article_of_the_other_game_does_not_use_a_word_that_looks_the_same() -> None:
    word("words.tapp", {"lang": "gsw", "text": "Tapp"}, {"lang": "en", "text": "talon"}, games=("troggu",))
    article("troccas-3", "The talon.", ruleset="troccas-3")
    article("troggu", "The talons.", ruleset="troggu")
    concept = Concept.objects.get(key="words.tapp")
    assert [each.title for each in made(concept).used_in] == ["Troggu"]


def test_a_german_noun_is_not_met_in_its_small_twin() -> None:
    word("words.trick", {"lang": "de", "text": "Stich", "pos": "noun"}, {"lang": "en", "text": "trick"})
    article("klein", "Er stich.", "de")
    assert made(Concept.objects.get(key="words.trick"), "de").used_in == []
    article("gross", "Ein Stich.", "de")
    assert [each.title for each in made(Concept.objects.get(key="words.trick"), "de").used_in] == ["Gross"]


def test_an_old_address_leads_to_the_present_one(client: Client, mund: Concept) -> None:
    Redirect.objects.create(kind="concept", slug="world", key="trumps.21")
    answer = client.get("/en/words/world/")
    assert (answer.status_code, answer["Location"]) == (301, "/en/words/trumps-21/")
    assert client.get("/en/words/nothing/").status_code == 404


@pytest.mark.parametrize("slug", ["list", "phrases", "elsewhere"])
def test_no_word_can_stand_where_another_page_is(slug: str) -> None:
    with refuses("address-taken"):
        services.new_entry("concept", "words.something", slug=slug)


def test_a_page_takes_as_many_queries_for_many_words_as_for_few(client: Client, mund: Concept) -> None:
    terms = [{"lang": "de", "text": f"Wort {number}", "sources": [f"pagat: {number}"]} for number in range(50)]
    word("trumps.20", *terms, related=[f"words.w{number}" for number in range(20)])
    for number in range(20):
        word(f"words.w{number}", {"lang": "en", "text": f"w{number}"})
    counted = []
    for slug in ("trumps-20", "trumps-21"):
        client.get(f"/en/words/{slug}/")
        caches[PAGES].clear()
        with CaptureQueriesContext(connection) as queries:
            client.get(f"/en/words/{slug}/")
        counted.append(len(queries))
    assert counted[0] <= counted[1]


def test_a_recording_is_played_only_with_a_licence_and_a_file(
    client: Client, monkeypatch: pytest.MonkeyPatch, tmp_path: Any, settings: Any
) -> None:
    audio = {"file": "mund.ogg", "licence": "CC BY 4.0", "speaker": "Gion"}
    word("words.mund", {"lang": "rm-sursilv", "text": "mund", "ipa": "munt", "audio": audio})
    page = client.get("/en/words/mund/").content.decode()
    assert "[munt]" in page
    assert "<audio" not in page
    (tmp_path / "audio").mkdir()
    (tmp_path / "audio" / "mund.ogg").write_bytes(b"OggS")
    settings.STATICFILES_DIRS = [*settings.STATICFILES_DIRS, tmp_path]
    finders.get_finder.cache_clear()  # type: ignore[attr-defined]
    caches[PAGES].clear()  # files come with a new version, which begins anew
    try:
        page = client.get("/en/words/mund/").content.decode()
    finally:
        finders.get_finder.cache_clear()  # type: ignore[attr-defined]
    assert 'src="/static/audio/mund.ogg"' in page
    assert "CC BY 4.0" in page


def test_hostile_words_are_harmless_text(client: Client) -> None:
    word(
        "words.x",
        {
            "lang": "en",
            "text": '<img src=x onerror="alert(1)">',
            "note": {"en": "[click](javascript:alert(1)) <script>alert(2)</script>"},
            "register": "</span><script>",
        },
        definitions={"en": {"text": "<iframe src=//evil.example></iframe>"}},
    )
    for address in ("/en/words/x/", "/en/words/", "/en/words/list/?from=en&explained=yes"):
        page = client.get(address).content.decode()
        assert "<img src=x" not in page
        assert "<iframe" not in page
        assert "<script>alert" not in page
        assert 'href="javascript' not in page


# --- All of them ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("language", ["en", "de", "rm-sursilv"])
@pytest.mark.parametrize("path", ["", "list/", "phrases/", "elsewhere/"])
def test_pages_stand_while_nothing_is_published(client: Client, language: str, path: str) -> None:
    assert client.get(f"/{language}/words/{path}").status_code == 200


@pytest.mark.parametrize("path", ["", "list/", "phrases/", "elsewhere/", "trumps-21/"])
def test_sursilvan_pages_say_that_they_are_drafts(client: Client, mund: Concept, path: str) -> None:
    drafted = client.get(f"/rm-sursilv/words/{path}").content.decode()
    assert 'data-level="warning"' in drafted
    assert 'data-level="warning"' not in client.get(f"/en/words/{path}").content.decode()


def test_the_front_page_leads_to_every_list(client: Client, mund: Concept) -> None:
    page = client.get("/en/words/").content.decode()
    for address in (
        "/en/words/list/?game=troccas",
        "/en/words/list/?game=troggu",
        "/en/words/phrases/",
        "/en/words/elsewhere/",
        "/en/words/list/?theme=trumps",
        "#letter-w",
        'action="/en/search/"',
    ):
        assert address in page, address


def test_the_lists_can_be_found_again_from_paper(client: Client, mund: Concept) -> None:
    page = client.get("/en/words/list/?game=troccas").content.decode()
    assert '<svg aria-hidden="true" focusable="false"' in page
    assert "/en/words/list/?from=rm-sursilv&amp;to=en&amp;game=troccas</figcaption>" in page


def test_the_page_of_a_word_leads_to_its_history_and_its_discussion(client: Client, mund: Concept) -> None:
    page = client.get("/en/words/trumps-21/").content.decode()
    for address in ("/en/history/concept/trumps.21/", "/en/talk/concept/trumps.21/"):
        assert address in page, address
