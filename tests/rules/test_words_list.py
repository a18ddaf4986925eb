"""The word list: any pair of languages, by letter or theme, narrowed down, in pages, with few queries."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from rules.wordbook import lists as wordlists
from rules.wordbook.lists import OWN, ListQuery, parse_query, word_list
from rules.wordbook.naming import Naming
from tests.rules.entries import published, word

pytestmark = pytest.mark.django_db


def shown(wanted: ListQuery, language: str = "en") -> dict[str, list[str]]:
    """First words of the rows by the name of their group."""
    groups = word_list(wanted, language).groups
    return {group.name: [row.names[0].text for row in group.rows] for group in groups}


@pytest.fixture
def words() -> None:
    """A few words of both games."""
    published("place", "visp", {"names": {"": "Visp"}, "sort": "village"})
    word(
        "trumps.21",
        {"lang": "en", "text": "the World"},
        {"lang": "de", "text": "die Welt", "gender": "f"},
        {"lang": "rm-sursilv", "text": "il mund", "gender": "m"},
        {"lang": "rm-sursilv", "text": "la vacca", "status": "admitted"},
        {"lang": "gsw", "text": "Mund", "place": "visp"},
        theme="trumps",
        games=("troccas", "troggu"),
        definitions={"en": {"text": "The highest trump."}},
    )
    word(
        "words.scart",
        {"lang": "en", "text": "discard"},
        {"lang": "en", "text": "cache", "status": "deprecated"},
        {"lang": "rm-sursilv", "text": "scart"},
        theme="discard",
        games=("troccas",),
    )
    word(
        "words.tapp",
        {"lang": "en", "text": "talon"},
        {"lang": "gsw", "text": "Tapp"},
        theme="discard",
        games=("troggu",),
    )
    published(
        "concept",
        "phrases.ina-flur",
        {
            "sort": "phrase",
            "theme": "talk",
            "games": ["troccas"],
            "terms": [{"lang": "rm-sursilv", "text": "ina flur", "status": "preferred"}],
            "literal": {"en": "one flower"},
            "tells": {"en": "worth two kings"},
        },
    )


@pytest.mark.usefixtures("words")
def test_every_word_of_the_first_language_stands_under_its_letter() -> None:
    assert shown(ListQuery("rm-sursilv", "en")) == {
        "F": ["ina flur"],
        "M": ["il mund"],
        "S": ["scart"],
        "V": ["la vacca"],
    }


@pytest.mark.usefixtures("words")
def test_by_theme_a_concept_is_one_row_in_the_order_of_the_themes() -> None:
    rows = word_list(ListQuery("rm-sursilv", "en", order="theme"), "en").groups
    assert [group.name for group in rows] == ["Trumps", "The talk", "Laying away"]
    assert [name.text for name in rows[0].rows[0].names] == ["il mund", "la vacca"]


@pytest.mark.usefixtures("words")
@pytest.mark.parametrize(("source", "target"), [("de", "gsw"), ("gsw", "de"), ("rm-sursilv", "gsw"), ("en", "de")])
def test_any_pair_of_languages_will_do(source: str, target: str) -> None:
    rows = [row for group in word_list(ListQuery(source, target), "en").groups for row in group.rows]
    world = next(row for row in rows if row.names[0].text in {"die Welt", "Mund", "il mund", "the World"})
    assert {name.language for name in world.meanings} == {target}


@pytest.mark.usefixtures("words")
def test_a_list_of_one_game_holds_its_words_and_those_of_both() -> None:
    assert shown(ListQuery("en", OWN, game="troggu")) == {"T": ["talon"], "W": ["the World"]}


@pytest.mark.usefixtures("words")
def test_a_list_of_one_theme_holds_no_other() -> None:
    assert shown(ListQuery("en", OWN, theme="discard", order="theme")) == {"Laying away": ["discard", "talon"]}


@pytest.mark.usefixtures("words")
def test_a_word_better_not_used_is_found_under_its_letter_but_is_no_translation() -> None:
    assert "cache" in shown(ListQuery("en", OWN))["C"]
    rows = [row for group in word_list(ListQuery("rm-sursilv", "en"), "en").groups for row in group.rows]
    assert "cache" not in {name.text for row in rows for name in row.meanings}


@pytest.mark.usefixtures("words")
def test_a_phrase_has_its_literal_sense_where_other_words_have_a_counterpart() -> None:
    phrase = word_list(ListQuery("rm-sursilv", "en"), "en").groups[0].rows[0]
    assert (phrase.literal.text, phrase.meanings) == ("one flower", ())


@pytest.mark.usefixtures("words")
def test_a_list_is_narrowed_down_by_letters_without_accents_on_either_side() -> None:
    assert shown(ListQuery("rm-sursilv", "en", containing="DISC")) == {"S": ["scart"]}
    assert shown(ListQuery("rm-sursilv", "en", containing="vácc")) == {"V": ["la vacca"]}
    assert shown(ListQuery("rm-sursilv", "en", containing="zzz")) == {}


@pytest.mark.usefixtures("words")
def test_with_explanations_a_row_says_what_it_means_and_a_phrase_what_it_tells() -> None:
    rows = {
        row.names[0].text: row.explanation.text
        for group in word_list(ListQuery("rm-sursilv", "en", explained=True), "de").groups
        for row in group.rows
    }
    assert rows["il mund"] == "The highest trump."
    assert rows["ina flur"] == "worth two kings"


@pytest.mark.parametrize(
    ("game", "language", "pair"),
    [
        ("troccas", "en", ("rm-sursilv", "en")),
        ("troggu", "de", ("gsw", "de")),
        ("", "en", (OWN, "en")),
        ("troccas", "rm-sursilv", ("rm-sursilv", "de")),
    ],
)
def test_without_being_asked_a_list_leads_from_the_players_words_to_the_readers(
    game: str, language: str, pair: tuple[str, str]
) -> None:
    found = parse_query({"game": game}, language)
    assert (found.source, found.target) == pair


def test_from_the_readers_language_it_leads_to_the_players_words() -> None:
    assert parse_query({"from": "de"}, "de").target == OWN


@pytest.mark.services
@pytest.mark.parametrize(
    "query",
    [
        {"from": "klingon", "to": "../etc", "game": "poker", "theme": "<b>", "order": "random", "page": "-1"},
        {"page": "99999999999999999999"},
        {"page": "²"},
        {"q": "x" * 10_000},
        {"q": "\u202e[[words.scart]]"},
    ],
)
def test_nonsense_is_as_if_it_were_not_there(client: Client, query: dict[str, str]) -> None:
    assert client.get("/en/words/list/", query).status_code == 200


def test_an_address_asks_for_what_it_was_made_of() -> None:
    wanted = ListQuery("fr", "de", "troccas", "trumps", "theme", "a b", True, 3)
    from django.http import QueryDict

    assert parse_query(QueryDict(wanted.query).dict(), "en") == wanted


def test_long_lists_come_in_pages_and_the_letters_lead_to_theirs(
    monkeypatch: pytest.MonkeyPatch, client: Client
) -> None:
    monkeypatch.setattr(wordlists, "PAGE", 2)
    for text in ("apple", "axe", "bell", "bow", "cup"):
        word(f"words.{text}", {"lang": "en", "text": text})
    second = word_list(ListQuery("en", OWN, page=2), "en")
    assert second.pages == 3
    assert [[row.names[0].text for row in group.rows] for group in second.groups] == [["bell", "bow"]]
    assert [(group.name, group.page) for group in second.contents] == [("A", 1), ("B", 2), ("C", 3)]
    page = client.get("/en/words/list/?from=en&page=2").content.decode()
    assert 'href="#letter-b"' in page
    assert "page=3#letter-c" in page
    assert word_list(ListQuery("en", OWN, page=9), "en").asked.page == 3


def test_a_page_reads_no_words_but_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wordlists, "PAGE", 2)
    for text in ("apple", "axe", "bell", "bow", "cup"):
        word(f"words.{text}", {"lang": "en", "text": text}, {"lang": "de", "text": f"{text} auf Deutsch"})
    read: list[str] = []
    of = Naming.of

    def noted(term: Mapping[str, Any]) -> Naming:
        read.append(term["text"])
        return of(term)

    monkeypatch.setattr(Naming, "of", noted)
    word_list(ListQuery("en", "de", page=2), "en")
    assert sorted(set(read)) == ["bell", "bell auf Deutsch", "bow", "bow auf Deutsch"]


def test_accents_and_articles_do_not_count_and_what_has_no_letter_comes_last() -> None:
    for number, text in enumerate(("72", "der Zug", "Ärmel", "die Arbeit", "das Aas")):
        word(f"words.w{number}", {"lang": "de", "text": text})
    assert shown(ListQuery("de", "en")) == {"A": ["das Aas", "die Arbeit", "Ärmel"], "Z": ["der Zug"], "#": ["72"]}
    assert wordlists.letters("de") == ["A", "Z", "#"]


def three_hundred_words() -> None:
    for number in range(300):
        word(
            f"words.w{number}",
            {"lang": "en", "text": f"word {number}"},
            {"lang": "rm-sursilv", "text": f"plaid {number}", "gender": "m"},
            definitions={"en": {"text": f"What number {number} is."}},
        )


def test_three_hundred_words_take_as_many_queries_as_three(
    client: Client, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    three_hundred_words()
    address = "/en/words/list/?from=en&to=rm-sursilv&order=theme&explained=yes"
    client.get(address)
    with django_assert_num_queries(4) as queries:
        page = client.get(address).content.decode()
    assert page.count("<tr>") - 1 == 300, [query["sql"] for query in queries]


@pytest.mark.usefixtures("words")
def test_every_word_says_its_language_and_where_it_is_said(client: Client) -> None:
    page = client.get("/en/words/list/?from=gsw&to=de").content.decode()
    assert '<span class="name" lang="gsw">Mund</span></a> <small class="where">Visp</small>' in page
    assert (
        '<span class="name" lang="de"><span class="the">die </span>Welt</span> <abbr title="feminine">f.</abbr>' in page
    )


@pytest.mark.usefixtures("words")
def test_a_word_without_counterpart_says_so(client: Client) -> None:
    assert "no word known" in client.get("/en/words/list/?from=gsw&to=fr").content.decode()


def test_what_somebody_wrote_is_text_in_the_list(client: Client) -> None:
    word("words.x", {"lang": "en", "text": "<script>alert(1)</script>"})
    page = client.get("/en/words/list/?from=en&q=<b>").content.decode()
    assert "<script>alert" not in client.get("/en/words/list/?from=en").content.decode()
    assert 'value="&lt;b&gt;"' in page


def test_an_empty_list_says_what_to_do(client: Client) -> None:
    page = client.get("/en/words/list/").content.decode()
    assert "No word fits." in page
    assert "Show the whole list" in page


@pytest.mark.usefixtures("words")
def test_what_there_is_is_counted(client: Client) -> None:
    counts = wordlists.counts()
    assert (counts.concepts, counts.phrases, counts.languages) == (3, 1, 4)
    assert counts.games == {"troccas": 3, "troggu": 2}
    assert counts.themes == {"trumps": 1, "discard": 2}
