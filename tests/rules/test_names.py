"""What cards, suits and the words of the game are called."""

import itertools

import pytest
from django.utils import translation

from domain.engine.cards import CODES
from rules import terms
from rules.text import names

LANGUAGES = ("en", "de", "rm-sursilv")


@pytest.mark.parametrize(
    ("code", "english", "german", "sursilvan"),
    [
        ("CK", "King of cups", "Becher-König", "retg da cuppas"),
        ("OQ", "Queen of coins", "Münzen-Königin", "regina da rosas"),
        ("SN", "Cavalier of swords", "Schwerter-Reiter", "cavagl da spadas"),
        ("BJ", "Jack of batons", "Stäbe-Bube", "buob da bastuns"),
        ("B10", "10 of batons", "Stäbe 10", "10 da bastuns"),
        ("C1", "1 of cups", "Becher 1", "1 da cuppas"),
        ("T21", "XXI, the World", "XXI, die Welt", "XXI, il mund"),
        ("T9", "VIIII, the Hermit", "VIIII, der Eremit", "VIIII, il pader"),
        ("F", "the Fool", "der Narr", "il narr"),
    ],
)
def test_a_card_has_a_name_in_each_language(code: str, english: str, german: str, sursilvan: str) -> None:
    assert [names.card_name(code, lang) for lang in LANGUAGES] == [english, german, sursilvan]


@pytest.mark.parametrize("lang", LANGUAGES)
def test_no_two_of_the_78_cards_share_a_name(lang: str) -> None:
    assert len({names.card_name(code, lang) for code in CODES}) == 78
    assert len({names.card_object(code, lang) for code in CODES}) == 78
    assert len({names.card_short(code, lang) for code in CODES}) == 78


@pytest.mark.parametrize("lang", LANGUAGES)
def test_no_card_falls_back_to_another_language(lang: str) -> None:
    assert {names.card_term(code, lang).lang for code in CODES} == {lang}


def test_in_a_sentence_the_name_of_a_card_is_not_capitalised() -> None:
    assert names.card_name("CK", "en", in_sentence=True) == "king of cups"
    assert names.card_name("CK", "de", in_sentence=True) == "Becher-König"


@pytest.mark.parametrize(
    ("code", "english", "german", "sursilvan"),
    [
        ("CK", "the king of cups", "den Becher-König", "il retg da cuppas"),
        ("CQ", "the queen of cups", "die Becher-Königin", "la regina da cuppas"),
        ("BJ", "the jack of batons", "den Stäbe-Buben", "il buob da bastuns"),
        ("S7", "the 7 of swords", "die Schwerter 7", "il 7 da spadas"),
        ("T1", "the I (the Magician)", "die I (der Magier)", "il bagat (I)"),
        ("F", "the Fool", "den Narren", "il narr"),
    ],
)
def test_a_card_that_is_played_carries_its_article(code: str, english: str, german: str, sursilvan: str) -> None:
    assert [names.card_object(code, lang) for lang in LANGUAGES] == [english, german, sursilvan]


def test_short_names_have_no_article_and_trumps_only_their_numeral() -> None:
    assert [names.card_short(code, "en") for code in ("CK", "T17", "F")] == ["king of cups", "XVII", "Fool"]
    assert names.card_short("F", "de") == "Narr"


def test_a_heading_begins_with_a_capital() -> None:
    assert names.card_label("F", "de") == "Der Narr"
    assert names.card_label("T21", "en") == "XXI, the World"


def test_the_language_of_the_page_is_used_when_none_is_given() -> None:
    with translation.override("de"):
        assert names.card_name("CK") == "Becher-König"
        assert names.suit_name("O") == "Münzen"
    with translation.override("rm-sursilv"):
        assert names.card_name("CK") == "retg da cuppas"


@pytest.mark.parametrize(
    ("lang", "expected"), [("de-ch", "de"), ("rm_Sursilv", "rm-sursilv"), ("fr-ch", "fr"), ("es", "en"), ("", "en")]
)
def test_a_region_reads_its_language_and_a_stranger_english(lang: str, expected: str) -> None:
    assert terms.reading_language(lang) == expected


def test_with_translations_switched_off_names_are_english() -> None:
    with translation.override(None):
        assert names.card_name("CK") == "King of cups"


def test_numerals_only_add() -> None:
    assert [names.trump_numeral(number) for number in (1, 4, 9, 14, 17, 19, 20, 21)] == [
        "I", "IIII", "VIIII", "XIIII", "XVII", "XVIIII", "XX", "XXI",
    ]  # fmt: skip


@pytest.mark.parametrize("number", [0, 22, -1])
def test_there_are_21_trumps(number: int) -> None:
    with pytest.raises(ValueError, match=str(number)):
        names.trump_numeral(number)


@pytest.mark.parametrize("code", ["", "T0", "T22", "C11", "CX", "X1", "K", "back", "F1"])
def test_what_is_no_card_has_no_name(code: str) -> None:
    for name in (names.card_name, names.card_object, names.card_short):
        with pytest.raises(names.UnknownTerm):
            name(code)


def test_suits_and_ranks() -> None:
    assert [names.suit_name(suit, "en") for suit in "COSBT"] == ["cups", "coins", "swords", "batons", "trumps"]
    assert [names.rank_name(rank, "rm-sursilv") for rank in ("K", "Q", "N", "J", "10")] == [
        "retg", "regina", "cavagl", "buob", "10",
    ]  # fmt: skip
    with pytest.raises(names.UnknownTerm):
        names.suit_name("X")
    with pytest.raises(names.UnknownTerm):
        names.rank_name("11")


def test_trumps_know_their_popular_names() -> None:
    popular = terms.names_of("trumps.21", "rm-sursilv")[1:]
    assert [name.text for name in popular] == ["la vacca", "la biala", "il min", "il miau", "la ferma"]
    assert dict(popular[0].gloss) == {"en": "the cow", "de": "die Kuh"}


def test_the_sun_has_the_form_to_be_expected_as_a_draft_and_then_the_printed_one() -> None:
    expected, printed = terms.names_of("trumps.19", "rm-sursilv")
    assert (expected.text, expected.draft) == ("il sulegl", True)
    assert (printed.text, printed.draft, printed.source) == ("la sulegl", False, "pagat")


def test_a_word_is_given_in_the_language_of_the_reader() -> None:
    assert names.word("trick", "de").text == "Stich"
    assert str(names.word("scart", "rm-sursilv")) == "scart"


def test_a_word_missing_in_sursilvan_is_german_and_says_so() -> None:
    term = names.word("throw-in", "rm-sursilv")
    assert (term.text, term.lang) == ("einwerfen", "de")


def test_the_games_own_word_stays_and_its_meaning_is_translated() -> None:
    buob = names.own_word("buob", "de")
    assert (buob.text, buob.lang, buob.draft) == ("buob", "rm-sursilv", False)
    assert buob.meaning.startswith("Bube")
    assert buob.meaning_lang == "de"
    assert names.own_word("tapp", "en").lang == "gsw"


def test_a_meaning_without_a_sursilvan_one_is_german_and_says_so() -> None:
    assert names.own_word("buob", "rm-sursilv").meaning_lang == "de"
    assert names.word("card", "de").meaning_lang == ""


def test_a_word_the_players_have_no_own_word_for_is_refused() -> None:
    with pytest.raises(names.UnknownTerm):
        names.own_word("trick")
    with pytest.raises(names.UnknownTerm):
        names.word("nonsense")


def test_every_word_exists_in_english_and_german() -> None:
    for concept, lang in itertools.product(terms.content("words")["words"], ("en", "de")):
        term = names.word(concept, lang)
        assert term.lang == lang, concept
        assert term.text, concept
        assert not term.draft, concept


def all_concepts() -> list[str]:
    cards = terms.content("cards")
    grouped = [f"{kind}.{key}" for kind in ("suits", "ranks", "trumps") for key in cards[kind]]
    return [*grouped, "fool", *(f"words.{word}" for word in terms.content("words")["words"])]


def test_every_romansh_word_is_attested_or_a_draft() -> None:
    for name in (name for concept in all_concepts() for name in terms.names_of(concept, "rm-sursilv")):
        assert name.source or name.draft, name
        # A list that shows a form but not its sense attests no sense.
        assert name.draft or name.source != "pg", name
        if name.source:
            assert name.source in terms.content("sources"), name


def test_every_valais_word_is_attested() -> None:
    for name in (name for concept in all_concepts() for name in terms.names_of(concept, "gsw")):
        assert name.source in terms.content("sources"), name
        assert not name.draft, name


def test_a_word_of_the_games_own_is_attested_in_that_language() -> None:
    for concept in all_concepts():
        own = terms.own_language(concept)
        if own:
            assert all(name.source and not name.draft for name in terms.names_of(concept, own)[:1]), concept
            assert terms.best_name(concept, own).lang == own, concept
            assert terms.meaning_of(concept, "de") != terms.meaning_of(concept, "en"), concept
