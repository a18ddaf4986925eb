"""The search: what is found, in which order, and where it leads. The same tests run on SQLite and on PostgreSQL."""

from __future__ import annotations

import re

import pytest
from django.db import ProgrammingError, connection
from django.test import Client
from hypothesis import example, given
from hypothesis import strategies as st
from pytest_django import DjangoAssertNumQueries

from core.text import fold, skeleton
from rules.models import Entry, Revision, SearchEntry, SearchWord
from rules.search import index, lookup, postgres, sqlite
from rules.search.lookup import find, look_up, nearest
from rules.search.parsing import MAX_LETTERS, Near, edits_in, one_edit_from, read
from tests.rules import searchable

pytestmark = [pytest.mark.django_db, pytest.mark.services]

TALK = """
Before the first card there is [[words.talk|talk]] [@pagat: The Deal].

## Deal {#deal}

The dealer gives six cards. The {CK} is worth five points.

::: question one-veto
title = "Is a single veto enough?"
reading = "Yes, it ends the pause."
[[says]]
source = "pagat"
quote = "any player may veto"
[[says]]
source = "cadi"
silent = true
:::

## Counting {#counting}

Three points are taken off for every four cards: 130 becomes 72.

::: example four
kind = "count"
title = "Four kings"
caption = "The *best* group there is."
cards = "CK OK SK BK"
:::
"""


def keys(query: str, language: str = "en", kinds: tuple[str, ...] = ()) -> list[str]:
    return [found.key for found in find(query, language=language, kinds=kinds)]


def plain(html: str) -> str:
    return re.sub(r"</?mark>", "", html)


@pytest.fixture
def words() -> None:
    searchable.word(
        "words.scart",
        {"lang": "en", "text": "discard"},
        {"lang": "de", "text": "Abwurf"},
        {"lang": "rm-sursilv", "text": "scart", "look_up": ["scarts"]},
        own="rm-sursilv",
        meaning={"en": "the cards the dealer lays away", "de": "was weggelegt wird"},
        definitions={"en": {"text": "Two cards which the dealer puts aside before the play."}},
    )
    searchable.word("words.scartist", {"lang": "rm-sursilv", "text": "scartist"}, {"lang": "en", "text": "dealer"})
    searchable.word(
        "suits.swords",
        {"lang": "en", "text": "swords"},
        {"lang": "de", "text": "Schwerter"},
        {"lang": "gsw", "text": "Schwäärti"},
    )
    searchable.word("words.cards", {"lang": "en", "text": "court cards"}, {"lang": "de", "text": "Figurenkarten"})
    searchable.word("trumps.21", {"lang": "en", "text": "the World"}, {"lang": "rm-sursilv", "text": "il mund"})
    searchable.word("trumps.11", {"lang": "en", "text": "Strength"})
    searchable.word(
        "phrases.il-narr-blut",
        {"lang": "rm-sursilv", "text": "il narr blut"},
        sort="phrase",
        literal={"en": "the naked Fool", "de": "der blutte Narr"},
        tells={"en": "the Fool without trumps"},
    )
    searchable.word("words.buob-sche", {"lang": "rm-sursilv", "text": "buob, sche"}, {"lang": "en", "text": "jack, if"})


# --- Names ---------------------------------------------------------------------------------------------------------------


@pytest.mark.usefixtures("words")
@pytest.mark.parametrize(
    ("query", "key"),
    [
        ("scart", "words.scart"),
        ("SCART", "words.scart"),
        ("scarts", "words.scart"),
        ("Abwurf", "words.scart"),
        ("schwaerti", "suits.swords"),
        ("schwarti", "suits.swords"),
        ("Schwäärti", "suits.swords"),
        ("Schwa\u0308a\u0308rti", "suits.swords"),
        ("buob sche", "words.buob-sche"),
        ("buobsche", "words.buob-sche"),
        ("buob-sche", "words.buob-sche"),
        ("mund", "trumps.21"),
        ("the mund", "trumps.21"),
        ("21", "trumps.21"),
        ("XXI", "trumps.21"),
        ("what is the scart", "words.scart"),
        ("il narr blut", "phrases.il-narr-blut"),
        ("narr blut", "phrases.il-narr-blut"),
        ("naked fool", "phrases.il-narr-blut"),
        ("der blutte narr", "phrases.il-narr-blut"),
        ("lays away", "words.scart"),
    ],
)
def test_a_thing_is_found_by_any_of_its_names_and_spellings(query: str, key: str) -> None:
    assert keys(query)[0] == key


@pytest.mark.usefixtures("words")
@pytest.mark.parametrize(
    ("query", "key"),
    [
        ("scrat", "words.scart"),  # two letters exchanged
        ("sart", "words.scart"),  # one lost
        ("scaart", "words.scart"),
        ("scirt", "words.scart"),  # a wrong one
        ("schwerdter", "suits.swords"),  # two in a long word
        ("buob shce", "words.buob-sche"),
        ("nakde fool", "phrases.il-narr-blut"),
    ],
)
def test_a_slip_of_the_finger_is_forgiven(query: str, key: str) -> None:
    assert keys(query)[0] == key


@pytest.mark.usefixtures("words")
def test_short_words_and_numbers_are_taken_as_they_are_typed() -> None:
    assert keys("12") == []
    assert "words.buob-sche" not in keys("is", kinds=("word",))


@pytest.mark.usefixtures("words")
def test_what_is_being_typed_is_found_by_its_beginning() -> None:
    assert keys("scar")[:2] == ["words.scart", "words.scartist"]
    assert keys("court ca")[0] == "words.cards"


@pytest.mark.usefixtures("words")
def test_a_part_of_a_compound_is_found() -> None:
    assert keys("karten") == ["words.cards"]


@pytest.mark.usefixtures("words")
def test_similar_numerals_are_not_mixed_up() -> None:
    assert keys("XI")[0] == "trumps.11"


# --- The order ------------------------------------------------------------------------------------------------------------


def test_preferred_comes_before_admitted_before_proposed_before_deprecated() -> None:
    for status in ("deprecated", "proposed", "admitted", "preferred"):
        searchable.word(f"words.{status}", {"lang": "rm-sursilv", "text": "vitas", "status": status})
    assert keys("vitas") == ["words.preferred", "words.admitted", "words.proposed", "words.deprecated"]


def test_exact_comes_before_another_spelling_before_a_beginning_before_a_text_before_a_slip() -> None:
    searchable.word("words.slip", {"lang": "de", "text": "Marsch"})
    searchable.word("words.text", {"lang": "de", "text": "Zug"}, note={"de": "So heisst der Match auch."})
    searchable.word("words.beginning", {"lang": "de", "text": "Matchpunkt"})
    searchable.word("words.spelling", {"lang": "gsw", "text": "Mattch"})
    searchable.word("words.exact", {"lang": "de", "text": "Match", "status": "deprecated"})
    found = keys("match")
    assert found[:4] == ["words.exact", "words.spelling", "words.beginning", "words.text"]


def test_the_readers_language_decides_between_equals() -> None:
    searchable.word("words.one", {"lang": "en", "text": "solo"})
    searchable.word("words.two", {"lang": "de", "text": "Solo"})
    assert keys("solo", "de") == ["words.two", "words.one"]
    assert keys("solo", "en") == ["words.one", "words.two"]


def test_the_smallest_number_of_wrong_letters_wins() -> None:
    searchable.word("words.far", {"lang": "de", "text": "Schwarzkunst"})
    searchable.word("words.near", {"lang": "de", "text": "Schwarzkunde"})
    assert keys("schwarzkumde")[0] == "words.near"


# --- Articles -------------------------------------------------------------------------------------------------------------


@pytest.fixture
def talk() -> Entry:
    return searchable.article("table-talk", TALK, title="Table talk", summary="How to speak before the play.")


@pytest.mark.usefixtures("talk")
@pytest.mark.parametrize(
    ("query", "anchor"),
    [
        ("table talk", ""),
        ("counting", "#counting"),
        ("130", "#counting"),
        ("king of cups", "#deal"),
        ("single veto", "#question-one-veto"),
        ("best group", "#counting"),
        ("talk counting", "#counting"),
    ],
)
def test_an_article_is_found_by_its_text_and_opens_at_the_place(query: str, anchor: str) -> None:
    [found] = find(query, language="en")
    assert found.address == f"/en/rules/table-talk/{anchor}"
    assert plain(found.title) == "Table talk"


@pytest.mark.usefixtures("talk")
def test_markup_is_not_searched() -> None:
    assert keys("pagat") == []
    assert keys("caption") == []
    assert keys("says") == []


def test_an_article_in_several_languages_is_one_answer_in_the_readers_language() -> None:
    searchable.article("counting", "## Cards {#cards}\n\nFour by four.", title="Counting")
    searchable.article("counting", "## Karten {#cards}\n\nZu vieren.", "de", title="Zählen")
    [found] = find("vieren", language="en")
    assert (found.title, found.address) == ("Counting", "/en/rules/counting/#cards")
    assert (found.excerpt, found.excerpt_language) == ("Zu <mark>vieren</mark>.", "de")


def test_a_section_that_has_the_words_in_the_readers_language_too_is_quoted_in_it() -> None:
    searchable.article(
        "laying", "Before the play.\n\n## Discard {#discard}\n\nThe dealer lays the scart away.", title="Laying"
    )
    searchable.article(
        "laying", "Vor dem Spiel.\n\n## Scart {#discard}\n\nDer Geber legt den Scart weg.", "de", title="Weglegen"
    )
    [found] = find("scart", language="en", kinds=("article",))
    assert (found.address, found.excerpt_language) == ("/en/rules/laying/#discard", "en")
    assert "The dealer lays the <mark>scart</mark> away" in found.excerpt
    [german] = find("scart", language="de", kinds=("article",))
    assert (german.language, german.excerpt_language) == ("de", "de")
    [only] = find("geber", language="en", kinds=("article",))  # only the German text has this word
    assert (only.language, only.excerpt_language) == ("en", "de")


def test_an_article_the_readers_language_lacks_is_opened_where_it_was_found() -> None:
    searchable.article("counting", "Zu vieren.", "de", title="Zählen")
    [found] = find("zählen", language="rm-sursilv")
    assert found.address == "/de/rules/counting/"


# --- What is shown --------------------------------------------------------------------------------------------------------


@pytest.mark.usefixtures("words")
def test_an_answer_shows_where_the_question_was_met_and_in_which_language() -> None:
    found = find("naked fool", language="en")[0]
    assert (found.where, found.excerpt) == ("word for word", "the <mark>naked</mark> <mark>Fool</mark>")
    assert found.excerpt_language == "en"
    found = find("schwaerti", language="en")[0]
    assert (found.title, found.excerpt, found.excerpt_language) == ("swords", "<mark>Schwäärti</mark>", "gsw")


def test_a_form_to_be_looked_up_is_shown_where_the_name_itself_says_nothing() -> None:
    searchable.word("words.dealer", {"lang": "de", "text": "Geber", "look_up": ["wer gibt", "Gebers"]})
    found = find("wer gibt", language="de")[0]
    assert (found.title, str(found.where), plain(found.excerpt)) == ("Geber", "found as", "wer gibt")
    assert find("gebers", language="en")[0].key == "words.dealer"


@pytest.mark.usefixtures("words")
def test_a_title_that_answers_says_what_the_thing_is() -> None:
    found = find("scart", language="de")[0]
    assert (found.title, found.own, found.own_language) == ("Abwurf", "<mark>scart</mark>", "rm-sursilv")
    assert (found.excerpt, found.gist, found.gist_language) == ("", "was weggelegt wird", "de")


def test_nothing_that_is_shown_can_be_markup() -> None:
    searchable.word("words.bad", {"lang": "en", "text": "<b>bold</b> & <script>"}, note={"en": "<i>bold</i>"})
    found = find("bold", language="en")[0]
    assert found.title == "&lt;b&gt;<mark>bold</mark>&lt;/b&gt; &amp; &lt;script&gt;"


def test_of_a_long_text_the_piece_that_answers_is_shown() -> None:
    searchable.article(
        "long", "One two three. " * 60 + "Here the *veto* stands. " + "Four five six. " * 60, title="Long"
    )
    [found] = find("veto", language="en")
    assert "<mark>veto</mark>" in found.excerpt
    assert found.excerpt.startswith("… ")
    assert found.excerpt.endswith(" …")
    assert len(found.excerpt) < 250


# --- Keeping up -----------------------------------------------------------------------------------------------------------


def test_a_new_revision_replaces_what_was_found() -> None:
    searchable.word("words.one", {"lang": "en", "text": "herring"})
    searchable.word("words.one", {"lang": "en", "text": "mackerel"})
    assert keys("herring") == []
    assert keys("mackerel") == ["words.one"]


def test_what_is_withdrawn_is_not_found() -> None:
    entry = searchable.word("words.one", {"lang": "en", "text": "herring"})
    entry.published = None
    entry.save()
    index.update(entry)
    assert keys("herring") == []


def test_what_is_deleted_leaves_nothing_in_the_index() -> None:
    entry = searchable.word("words.one", {"lang": "en", "text": "herring"})
    index.remove(entry)
    assert keys("herring") == []
    assert keys("herrin") == []


@pytest.mark.usefixtures("words", "talk")
def test_rebuilding_changes_nothing() -> None:
    def rows() -> list[tuple[object, ...]]:
        fields = ("entry__key", "part", "language", "weight", "anchor", "skeleton", "folded", "words", "text")
        return sorted(SearchEntry.objects.values_list(*fields))

    before, known = rows(), set(SearchWord.objects.values_list("text", flat=True))
    assert index.rebuild() == len(before)
    assert rows() == before
    assert set(SearchWord.objects.values_list("text", flat=True)) == known
    assert keys("scart")[0] == "words.scart"


def test_a_search_takes_few_queries(django_assert_max_num_queries: DjangoAssertNumQueries) -> None:
    for number in range(30):
        searchable.word(f"words.n{number}", {"lang": "en", "text": f"card {'abcdefghijklmnopqrstuvwxyzäöü!'[number]}x"})
    with django_assert_max_num_queries(4):
        assert len(find("card", language="en")) == 20
    with django_assert_max_num_queries(17):
        find("mistipped questoin nobody answers", language="en")


def test_the_answers_come_in_pages() -> None:
    for number in range(45):
        searchable.word(f"words.n{number}", {"lang": "en", "text": f"card {number}"})
    pages = [look_up("card", language="en", start=start) for start in (0, 20, 40)]
    assert [len(page.found) for page in pages] == [20, 20, 5]
    assert {page.total for page in pages} == {45}
    assert len({found.key for page in pages for found in page.found}) == 45


@pytest.mark.usefixtures("words", "talk")
def test_answers_can_be_narrowed_to_a_kind() -> None:
    assert {found.kind for found in find("fool", language="en", kinds=["phrase"])} == {"phrase"}
    assert find("scart", language="en", kinds=["article"]) == []
    assert keys("counting", kinds=("article", "nonsense")) == ["table-talk"]


# --- Any text at all ------------------------------------------------------------------------------------------------------


NASTY = st.one_of(
    st.text(max_size=120),
    st.text(st.sampled_from("\"'*()^:-+&|!<>%_\\~{}[]\x00 ANDORNOTEARabcäß"), max_size=60),
    st.lists(
        st.sampled_from(["scart", "AND", "OR", "NOT", '"', "'", "NEAR(", "scart*", ":*", "<->", "\x00", "\ud800"])
    ).map(" ".join),
)


@given(NASTY)
def test_any_text_can_be_asked(query: str) -> None:
    if not Entry.objects.filter(key="words.nasty").exists():
        searchable.word("words.nasty", {"lang": "en", "text": "scart and not"})
    answer = look_up(query, language="en")
    assert answer.total >= len(answer.found)
    nearest(answer.question)
    if {"scart"} == set(fold(query).split()):
        assert [found.key for found in answer.found] == ["words.nasty"]


@pytest.mark.parametrize("query", ["", "   ", "?!", "\x00", "\ud800", "…", "\u202e"])
def test_a_question_without_letters_finds_nothing(query: str) -> None:
    assert look_up(query, language="en").total == 0
    assert nearest(read(query)) == []


def test_a_long_question_is_cut_and_says_so() -> None:
    searchable.word("words.scart", {"lang": "en", "text": "scart"})
    answer = look_up("scart " * 1000, language="en")
    assert answer.question.was_cut
    assert len(answer.question.text) <= MAX_LETTERS
    assert [found.key for found in answer.found] == ["words.scart"]
    assert not read("scart").was_cut


def test_a_sentence_of_many_words_is_read_to_its_end() -> None:
    asked = read("how do I say thank you for a trick in Sursilvan")
    assert asked.words[-1].folded == "sursilvan"
    assert not asked.was_cut


@given(st.text("abcdefghijklmnopqrstuvwxyz", min_size=2, max_size=9), st.data())
def test_every_slip_is_among_the_slips(word: str, data: st.DataObject) -> None:
    from rapidfuzz.distance import OSA

    near = one_edit_from(word)
    assert all(
        OSA.distance(word, other) == 1 for other in data.draw(st.lists(st.sampled_from(sorted(near)), max_size=20))
    )
    at = data.draw(st.integers(0, len(word) - 2))
    exchanged = word[:at] + word[at + 1] + word[at] + word[at + 2 :]
    assert exchanged == word or exchanged in near
    assert word[:at] + word[at + 1 :] in near


WORDS = st.text("abcdefgh", min_size=8, max_size=12)


@example("abdababd", [(11, "d")])
@given(WORDS, st.lists(st.tuples(st.integers(0, 11), st.sampled_from("abcdefgh-")), min_size=1, max_size=2))
def test_a_long_word_is_found_with_two_letters_wrong_lost_or_added(word: str, slips: list[tuple[int, str]]) -> None:
    SearchWord.objects.all().delete()
    bare = fold(word)
    SearchWord.objects.create(text=bare, length=len(bare))
    typed = bare
    for at, letter in slips:
        typed = typed[:at] + letter + typed[at + 1 :] if letter != "-" else typed[:at] + typed[at + 1 :]
    # What sounds the same is the word itself to the search: nothing else is meant by it.
    if len(typed) < 8 or edits_in(typed) < 2 or skeleton(typed) == skeleton(bare):
        return
    (word_read,) = read(typed).words
    near = Near()
    lookup._think_of(near, [word_read], lookup._backend(), is_answered=True)
    assert bare in near.typos.get(word_read.skeleton, ())


# --- When nothing is found ---------------------------------------------------------------------------------------------


@pytest.mark.usefixtures("words")
def test_where_nothing_is_found_similar_names_are_offered() -> None:
    assert "scartist" in nearest(read("sartisten"))
    assert nearest(read("qqqqqqq")) == []


# --- The page ---------------------------------------------------------------------------------------------------------------


def page(client: Client, query: str, path: str = "/en/search/", **more: str) -> str:
    answer = client.get(path, {"q": query, **more})
    assert answer.status_code == 200
    return answer.content.decode()


@pytest.mark.usefixtures("words")
def test_the_page_lists_the_answers_with_their_languages(client: Client) -> None:
    html = page(client, "schwaerti")
    assert 'href="/en/words/suits-swords/"' in html
    assert '<span lang="gsw"><mark>Schwäärti</mark></span>' in html
    assert "1 result" in html


@pytest.mark.usefixtures("words")
def test_an_empty_page_says_what_can_be_looked_for(client: Client) -> None:
    html = page(client, "")
    assert "Everything is searched at once" in html
    assert "/en/search/?q=" in html


@pytest.mark.usefixtures("words")
def test_the_page_offers_a_way_on_where_nothing_is_found(client: Client) -> None:
    html = page(client, "sartisten")
    assert "Nothing was found for “sartisten”" in html
    assert re.search(r'<a href="/en/search/\?q=scartist"[^>]*>scartist</a>', html)


@pytest.mark.usefixtures("words")
@pytest.mark.parametrize(
    "more",
    [
        {"page": "0"},
        {"page": "-1"},
        {"page": "99999999999999999999"},
        {"page": "²"},
        {"page": "x"},
        {"in": "nothing"},
        {"in": "words", "page": "2"},
    ],
)
@pytest.mark.slow(but="more2")
def test_the_page_answers_whatever_it_is_given(client: Client, more: dict[str, str]) -> None:
    page(client, "scart", **more)
    page(client, "<script>alert(1)</script>\x00\u202e", **more)


def test_what_is_asked_is_shown_as_text(client: Client) -> None:
    html = page(client, '"><script>alert(1)</script>')
    assert "<script>alert" not in html
    assert "&lt;script&gt;" in html


def test_an_over_long_question_is_answered_with_a_message(client: Client) -> None:
    assert "only the beginning was looked for" in page(client, "x" * 5000)


@pytest.mark.usefixtures("words")
def test_what_was_asked_before_is_not_looked_for_again(
    client: Client, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    def results(**more: str) -> str:
        return page(client, "scart", **more).partition("<main")[2]

    before = results(), page(client, "scar", "/en/search/suggest/")
    with django_assert_max_num_queries(5):
        assert (results(), page(client, "scar", "/en/search/suggest/")) == before
    assert "words/scart/" in before[0]
    assert "words/scart/" not in results(**{"in": "phrases"})
    assert '<html lang="de"' in page(client, "scart", "/de/search/")


def test_what_is_published_is_found_at_once_by_who_asked_before(client: Client) -> None:
    assert "Nothing was found" in page(client, "zwirbel")
    assert "option" not in page(client, "zwirbel", "/en/search/suggest/")
    searchable.word("words.zwirbel", {"lang": "gsw", "text": "Zwirbel"})
    assert "Zwirbel" in page(client, "zwirbel")
    assert "Zwirbel" in page(client, "zwirbel", "/en/search/suggest/")


@pytest.mark.usefixtures("words")
def test_the_field_suggests_what_it_would_find_first(client: Client) -> None:
    html = page(client, "scar", "/de/search/suggest/")
    assert html.count('role="option"') == 2
    assert 'data-address="/de/words/scart/"' in html
    assert page(client, "", "/en/search/suggest/").count('role="option"') == 0


@pytest.mark.usefixtures("words")
def test_the_page_sets_no_cookie_and_counts_no_session(client: Client) -> None:
    assert not client.get("/en/search/suggest/", {"q": "scart"}).cookies.get("sessionid")


@pytest.mark.usefixtures("words")
def test_the_indexes_can_be_made_anew_from_the_tables() -> None:
    backend = postgres if connection.vendor == "postgresql" else sqlite
    with connection.cursor() as cursor:
        if backend is postgres:
            cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")  # no index can be made while a check is still to come
        backend.install(cursor.execute)
        assert keys("scart")[0] == "words.scart"
        assert keys("scrat")[0] == "words.scart"
        assert "scartist" in nearest(read("sartisten"))
        backend.remove(cursor.execute)
        backend.install(cursor.execute)
    assert keys("naked fool") == ["phrases.il-narr-blut"]


def test_a_database_without_trigrams_is_told_what_its_owner_must_do() -> None:
    def denied(statement: str) -> None:
        raise ProgrammingError("permission denied to create extension")

    with pytest.raises(postgres.NoTrigrams, match="CREATE EXTENSION pg_trgm"):
        postgres.install(denied)


def test_the_full_text_index_is_used() -> None:
    """On each database the index that a migration made beside the table answers, not a scan."""
    searchable.word("words.scart", {"lang": "en", "text": "scart"})
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            cursor.execute("SELECT count(*) FROM rules_search_fts WHERE rules_search_fts MATCH 'scart'")
        else:
            cursor.execute(
                "SELECT count(*) FROM pg_indexes WHERE indexname IN ('rules_search_fts', 'rules_search_trigrams')"
            )
        assert cursor.fetchone()[0] == (1 if connection.vendor == "sqlite" else 2)


def test_history_is_not_searched() -> None:
    entry = searchable.word("words.one", {"lang": "en", "text": "herring"})
    searchable.word("words.one", {"lang": "en", "text": "mackerel"})
    assert Revision.objects.filter(entry=entry).count() == 2
    assert SearchEntry.objects.filter(entry=entry, text="herring").count() == 0
