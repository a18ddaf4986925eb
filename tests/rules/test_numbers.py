"""Numbers in definitions and articles are those of the engine: what two texts say of one thing cannot differ.

A definition names the same numbers in all its languages. What an entry says of a rule is listed here beside the engine's value:
where one of the two changes, or the rule, a test fails. A definition with a number stands in one of the two lists, `SAID` or `NO_RULE`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache

import pytest

from domain.engine.cards import HONOURS, KINGS, cards_in, value_of, values
from domain.engine.counting import DifferenceToPar, GroupsOf
from domain.engine.dealing import ONE_ROUND_FROM, TWO_ROUNDS_FROM
from domain.engine.ruleset import Ruleset
from domain.engine.rulesets import ruleset
from rules import content_files as filing
from rules.documents import Document

_WORDS: Mapping[str, Mapping[str, int]] = {
    "en": {
        word: number
        for number, word in enumerate(
            [
                "zero",
                "one",
                "two",
                "three",
                "four",
                "five",
                "six",
                "seven",
                "eight",
                "nine",
                "ten",
                "eleven",
                "twelve",
                "thirteen",
                "fourteen",
                "fifteen",
                "sixteen",
                "seventeen",
                "eighteen",
                "nineteen",
                "twenty",
            ]
        )
    }
    | {"sevens": 7, "fours": 4, "threes": 3}
    | {"twenty-one": 21, "twenty-five": 25, "twenty-four": 24, "forty": 40, "nought": 0},
    "de": {
        word: number
        for number, word in enumerate(
            [
                "null",
                "eins",
                "zwei",
                "drei",
                "vier",
                "fünf",
                "sechs",
                "sieben",
                "acht",
                "neun",
                "zehn",
                "elf",
                "zwölf",
                "dreizehn",
                "vierzehn",
                "fünfzehn",
                "sechzehn",
                "siebzehn",
                "achtzehn",
                "neunzehn",
                "zwanzig",
            ]
        )
    }
    | {"einundzwanzig": 21, "fünfundzwanzig": 25, "vierundzwanzig": 24, "vierzig": 40}
    | {"dritt": 3, "viert": 4, "fünft": 5, "sechst": 6, "siebt": 7},
}
_PLAIN = {"en": {1}, "de": {1}}
"""What is a number in one language and an article in the other says nothing."""
_FIGURE = re.compile(r"(?<![\d.])\d+(?![\d.]*\d)")


@cache
def _concepts() -> Mapping[str, Document]:
    return {entry.key: entry.document for entry in filing.read_files().entries if entry.kind == "concept"}


@cache
def _articles(language: str) -> Mapping[str, str]:
    return {
        entry.key: entry.document["text"]
        for entry in filing.read_files().entries
        if entry.kind == "article" and entry.language == language
    }


def numbers(text: str, language: str) -> set[int]:
    """The numbers in a text, in figures or written; without 1, which is an article as well."""
    found = {int(figure) for figure in _FIGURE.findall(text)}
    words = _WORDS[language]
    found |= {words[word] for word in re.findall(r"[\w-]+", text.casefold()) if word in words}
    return found - {1}


def hand(game: str, seats: int = 0) -> int:
    """How many cards each player gets."""
    rules = ruleset(game)
    rules = rules.at(seats) if seats else rules
    return sum(next(iter(rules.batches.values())))


def option(game: str, name: str) -> int:
    return int(next(each.default for each in ruleset(game).options if each.name == name))


def total(game: str) -> int:
    rules: Ruleset = ruleset(game)
    return rules.count.total(rules.pack, rules.scart)


def worth(code: str) -> int:
    from domain.engine.cards import CODES

    return next(value_of(card) for card in cards_in(ruleset("troccas").pack) if CODES[card] == code)


TROCCAS, TROGGU = ruleset("troccas"), ruleset("troggu")
FOURS, THREES = TROCCAS.count, ruleset("troccas-3").count
assert isinstance(FOURS, GroupsOf)
assert isinstance(THREES, GroupsOf)
WITH_PARTNER = {size for size in TROGGU.tables if TROGGU.bidding and size >= TROGGU.bidding.partner_from}
FORCED = {size for size in TROGGU.tables if TROGGU.bidding and size >= TROGGU.bidding.forced_from}
STAKES = {game: option(game, "stake") for game in ("troggu", "troggu-st-niklaus", "troggu-graechen")}
DOUBLE = {game: option(game, "double_at") for game in STAKES}
ONE_SIDED = {
    "words.allow": "the first two, die ersten beiden",
    "words.third-player": "the first two, die ersten beiden",
    "words.swiss-tarot": "the two J, die beiden J",
    "words.counting-per-trick": "group of four, Vierergruppe",
    "words.treble-stake": "three times, das Dreifache",
}
"""Where one language has a number in another word."""
SAID: Mapping[str, set[int]] = {
    "words.card": {78, 56, 21, 62, TROCCAS.pack.bit_count(), TROGGU.pack.bit_count(), 4},
    "words.pack": {TROCCAS.pack.bit_count(), TROGGU.pack.bit_count()},
    "words.card-value": {worth("CK"), worth("CQ"), worth("CN"), worth("CJ")},
    "words.total": {4, 6, 3, 5, total("troccas"), total("troccas-6"), total("troccas-3"), total("troccas-3-singles"), total("troggu")},
    "words.par": {total("troccas") // 2, total("troccas"), total("troggu") // 2, total("troggu") // 2 + 1, total("troggu"), 3, 5},
    "words.even-split": {total("troccas") // 2, total("troggu") // 2},
    "words.control-sum": {total("troccas"), 157},
    "words.game": {4, 6, option("troccas", "hands"), option("troccas-6", "hands")},
    "words.scart": {ruleset("troccas").scart, 4, ruleset("troccas-3").scart, 5},
    "words.dealer": {TROCCAS.dealer_extra, sum(TROCCAS.batches[3]) + TROCCAS.dealer_extra, 4},
    "words.round-of-deal": {4, 3, *TROCCAS.batches[3], TROCCAS.batches[3][-1] + TROCCAS.dealer_extra},
    "words.two-round-deal": {*TROCCAS.batches[2], TROCCAS.batches[2][-1] + TROCCAS.dealer_extra, -TWO_ROUNDS_FROM},
    "words.one-round-deal": {*TROCCAS.batches[1], TROCCAS.batches[1][-1] + TROCCAS.dealer_extra, -ONE_ROUND_FROM},
    "words.demand": {2, -TWO_ROUNDS_FROM, -ONE_ROUND_FROM},
    "words.troccas-3": {3, hand("troccas-3"), ruleset("troccas-3").scart},
    "words.troccas-5": {5, hand("troccas-5"), hand("troccas-5") + ruleset("troccas-5").dealer_extra, ruleset("troccas-5").scart},
    "words.troccas-6": {6, 3, hand("troccas-6"), option("troccas-6", "hands")},
    "words.tapp": {*TROGGU.tables, *(each.tapp for each in TROGGU.tables.values())},
    "words.discard-rule": {worth("CK"), 4, 7},
    "words.basic-stake": {*STAKES.values()},
    "words.double-threshold": {*DOUBLE.values()},
    "words.double-stake": {*DOUBLE.values()},
    "words.visp-rules": {STAKES["troggu"], DOUBLE["troggu"], 4},
    "words.st-niklaus-rules": {7, max(ruleset("troggu-st-niklaus").sizes), STAKES["troggu-st-niklaus"], DOUBLE["troggu-st-niklaus"]},
    "words.graechen-rules": {STAKES["troggu-graechen"], DOUBLE["troggu-graechen"]},
    "words.honours": {7, 5, worth("CK"), 4, 21} - {21},
    "words.numeral": {10, 6},
    "words.trump": {21},
    "words.all-tricks": {total("troccas")},
    "words.counting-singly": {total("troggu"), 5, 3, total("troccas-3-singles"), total("troccas-5")},
    "words.group-of-three": {3, 2, total("troccas-3")},
    "ranks.king": {worth("CK")},
    "ranks.queen": {worth("CQ")},
    "ranks.cavalier": {worth("CN")},
    "ranks.jack": {worth("CJ")},
    "trumps.1": {worth("T1")},
    "trumps.21": {worth("T21")},
    "fool": {worth("F")},
    "words.troccas": {17, TROCCAS.seats, len({*TROCCAS.sides}), TROCCAS.pack.bit_count()},
    "words.troggu": {min(TROGGU.sizes), max(TROGGU.sizes), TROGGU.pack.bit_count()},
    "words.short-pack": {TROGGU.pack.bit_count()},
    "words.piedmontese-tarot": {TROGGU.pack.bit_count()},
    "words.partner": {TROCCAS.seats, *WITH_PARTNER},
    "words.partnership": {2, 3, ruleset("troccas-6").seats},
    "words.opponents": {min(TROGGU.sizes), min(WITH_PARTNER) - 1},
    "words.take": WITH_PARTNER,
    "words.call-partner": WITH_PARTNER,
    "words.forced-game": FORCED,
    "words.balance": {2, *WITH_PARTNER, *(size - 2 - 2 for size in WITH_PARTNER)},
    "words.treble-stake": {3},
    "words.rappen": {*STAKES.values()},
    "words.four-kings": {KINGS.bit_count()},
    "words.seven-honours": {HONOURS.bit_count()},
    "words.packet": {TROCCAS.batches[3][0]},
    "words.cut-card": {max(TROCCAS.batches)},
    "words.group-of-four": {FOURS.size, FOURS.less},
    "words.counting-per-trick": {FOURS.size},
    "words.deduction": {FOURS.size, FOURS.less, THREES.size, THREES.less, TROCCAS.scart},
    "words.odd-cards": {TROCCAS.pack.bit_count() % FOURS.size, FOURS.size},
    "words.oinkers-game": {ruleset("troccas-oinkers").batches[3][0], total("troccas-oinkers")},
    "words.incomplete-table": {ruleset(game).seats for game in ("troccas", "troccas-3", "troccas-5", "troccas-6")},
    "words.round-suits": {2, 3},
    "words.suit": {4},
}  # fmt: skip
NO_RULE: Mapping[str, str] = {
    "suits.cups suits.swords suits.batons words.long-suits words.rank-order words.additive-numeral": "names of cards",
    "trumps.6 trumps.15 trumps.20 words.swiss-tarot": "what pictures and names show",
    "words.tarot-no-1 words.tarot-family words.troggen words.tape words.championship": "years",
    "words.allow words.third-player words.draw-for-partners words.score words.draw-game words.settle": "no number of a rule",
    "words.french-tarot words.pairs-event words.tournament-passe words.match-points": "of other games and of tournaments",
}
"""Definitions with numbers that the engine does not know, and what they are."""


@pytest.mark.parametrize("key", sorted(SAID))
def test_a_definition_says_what_the_engine_plays(key: str) -> None:
    definition = _concepts()[key]["definitions"]["en"]["text"]
    assert numbers(definition, "en") == SAID[key], definition


def test_a_number_in_a_definition_is_the_engines_or_of_no_rule() -> None:
    """Each number in a definition is bound to the engine in `SAID`, or it is said why no rule knows it."""
    of_no_rule = {key for keys in NO_RULE for key in keys.split()}
    with_numbers = {
        key
        for key, document in _concepts().items()
        if "en" in document.get("definitions", {}) and numbers(document["definitions"]["en"]["text"], "en")
    }
    assert with_numbers - SAID.keys() == of_no_rule


def test_every_definition_has_the_same_numbers_in_english_and_german() -> None:
    different = {}
    for key, document in _concepts().items():
        said = document.get("definitions", {})
        if {"en", "de"} <= {*said}:
            english, german = numbers(said["en"]["text"], "en"), numbers(said["de"]["text"], "de")
            if english != german and key not in ONE_SIDED:
                different[key] = (english, german)
    assert different == {}


def test_a_figure_in_another_language_is_one_of_the_english_definition() -> None:
    """French and Italian write numbers in other words; their figures at least are those of the definition."""
    for key, document in _concepts().items():
        said = document.get("definitions", {})
        for language in {"fr", "it"} & {*said}:
            figures = {int(each) for each in _FIGURE.findall(said[language]["text"])} - {1}
            assert figures <= numbers(said["en"]["text"], "en"), f"{key} ({language})"


def _section(text: str, anchor: str) -> str:
    """A section with those below it, up to the next of its level."""
    found = re.search(rf"^(#+) .*\{{#{anchor}\}}$(.*?)(?=^\1 |\Z)", text, re.MULTILINE | re.DOTALL)
    assert found, anchor
    return found[2]


ARTICLES: Mapping[tuple[str, str], set[int]] = {
    ("troccas", "at-a-glance"): {hand("troccas"), hand("troccas") + TROCCAS.dealer_extra, total("troccas") // 2, total("troccas"), option("troccas", "hands")},
    ("troccas", "rounds"): {hand("troccas"), hand("troccas") + TROCCAS.dealer_extra, *TROCCAS.batches[3]},
    ("troccas", "demands"): {-TWO_ROUNDS_FROM, -ONE_ROUND_FROM, *TROCCAS.batches[2]},
    ("troccas", "counting"): {total("troccas"), total("troccas") // 2, option("troccas", "hands"), FOURS.size, FOURS.less},
    ("troccas", "cards"): {TROCCAS.pack.bit_count(), 14, 21},
    ("troccas", "cut"): {sum(TROCCAS.batches[3][:2])},
    ("troccas", "discard"): {TROCCAS.scart, worth("CK")},
    ("the-pack", "at-a-glance"): {TROCCAS.pack.bit_count(), TROGGU.pack.bit_count(), 14, 21, worth("CK")},
    ("the-pack", "troggu"): {TROCCAS.pack.bit_count() - TROGGU.pack.bit_count()},
    ("counting", "why-72"): {total("troccas"), values(TROCCAS.pack), hand("troccas")},
    ("counting", "threes"): {total("troccas-3"), total("troccas-3-singles"), 26, 42, 43, 25, 27},
    ("counting", "troggu"): {total("troggu"), values(TROCCAS.pack), total("troggu") // 2 + 1},
    ("tournaments", "sheet"): {total("troccas"), total("troggu"), total("troccas-3"), total("troccas-3-singles")},
    ("troggu", "players-and-cards"): {TROGGU.pack.bit_count(), worth("CK"), worth("CQ"), worth("CN"), worth("CJ")},
    ("troggu", "deal"): {TROGGU.tables[4].tapp, sum(TROGGU.tables[4].batches), TROGGU.pack.bit_count()},
    ("troggu-graechen", "deal"): {*ruleset("troggu-graechen").tables[4].batches, ruleset("troggu-graechen").tables[4].tapp, ruleset("troggu-graechen").tables[5].tapp},
    ("troggu-graechen", "at-a-glance"): {STAKES["troggu-graechen"], DOUBLE["troggu-graechen"], total("troggu"), TROGGU.pack.bit_count()},
    ("troggu-st-niklaus", "at-a-glance"): {STAKES["troggu-st-niklaus"], DOUBLE["troggu-st-niklaus"], total("troggu"), max(ruleset("troggu-st-niklaus").sizes)},
    ("troccas", "values"): {worth("CK"), worth("CQ"), worth("CN"), worth("CJ")},
    ("troccas-3", "at-a-glance"): {hand("troccas-3"), total("troccas-3"), total("troccas-3") // 3, ruleset("troccas-3").scart},
    ("troccas-3-singles", "at-a-glance"): {hand("troccas-3-singles"), total("troccas-3-singles")},
    ("troccas-5", "at-a-glance"): {total("troccas-5"), ruleset("troccas-5").scart},
    ("troccas-6", "at-a-glance"): {total("troccas-6"), total("troccas-6") // 2},
    ("troggu", "at-a-glance"): {TROGGU.pack.bit_count(), total("troggu"), total("troggu") // 2 + 1, min(TROGGU.sizes), max(TROGGU.sizes)},
    ("troggu", "counting"): {STAKES["troggu"], 2 * STAKES["troggu"], 3 * STAKES["troggu"], DOUBLE["troggu"], total("troggu")},
    ("troggu-st-niklaus", "counting"): {STAKES["troggu-st-niklaus"], DOUBLE["troggu-st-niklaus"]},
    ("troggu-graechen", "counting"): {STAKES["troggu-graechen"], DOUBLE["troggu-graechen"]},
}  # fmt: skip


def _rows(text: str) -> list[list[str]]:
    """The rows of the tables in a text, cell by cell."""
    return [
        [cell.strip() for cell in line.strip("|").split("|")] for line in text.splitlines() if line.startswith("| ")
    ]


@pytest.mark.parametrize("language", ["en", "de", "fr", "it"])
@pytest.mark.parametrize("game", sorted(STAKES))
def test_a_table_of_stakes_is_the_engines(game: str, language: str) -> None:
    """More than so many points, so many or fewer, no trick: single, double and treble, and twice that in a Solo."""
    article = _articles(language).get(game)
    if article is None:
        return  # not read in that language
    head, *rows = _rows(_section(article, "counting"))
    assert head[-1].casefold() == "solo"
    assert [[int(cell) for cell in row[1:]] for row in rows] == [
        [times * STAKES[game], 2 * times * STAKES[game]] for times in (1, 2, 3)
    ]
    assert [numbers(row[0], "en") for row in rows] == [{DOUBLE[game]}, {DOUBLE[game]}, set()]


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize("game", ["troggu-graechen", "troggu-st-niklaus"])
def test_a_table_beside_the_game_of_visp_is_the_engines(game: str, language: str) -> None:
    rows = _rows(_section(_articles(language)[game], "at-a-glance"))
    compared = [[int(figure) for figure in _FIGURE.findall(" ".join(row))] for row in rows]
    assert [row for row in compared if row] == [[STAKES["troggu"], STAKES[game]], [DOUBLE["troggu"], DOUBLE[game]]]


@pytest.mark.parametrize("language", ["en", "de"])
def test_the_table_of_all_counts_is_the_engines(language: str) -> None:
    rows = {
        row[0].rpartition("rules:")[2].rstrip(")"): row[1:]
        for row in _rows(_section(_articles(language)["counting"], "at-a-glance"))[1:]
    }
    for game, (counted, together, par) in rows.items():
        rules = ruleset(game)
        assert int(together) == total(game), game
        if isinstance(rules.count, GroupsOf):
            assert str(rules.count.less) in counted, game
        if isinstance(rules.settlement, DifferenceToPar):
            pars = {rules.settlement.par, rules.settlement.dealer_par or rules.settlement.par}
            assert {int(figure) for figure in _FIGURE.findall(par)} == pars, game
    assert {*rows} == {"troccas", "troccas-6", "troccas-3", "troccas-3-singles", "troccas-5", "troccas-online", "troccas-oinkers", "troggu"}  # fmt: skip


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize(("article", "section"), sorted(ARTICLES))
def test_an_article_says_what_the_engine_plays(article: str, section: str, language: str) -> None:
    text = _section(_articles(language)[article], section)
    missing = ARTICLES[article, section] - numbers(text, language)
    assert not missing, f"{article}#{section} ({language}) does not name {missing}"


def test_all_cards_together_are_worth_what_the_articles_say() -> None:
    for game, article in (("troccas", "counting"), ("troggu", "counting")):
        for language in ("en", "de"):
            assert values(ruleset(game).pack) in numbers(_articles(language)[article], language), (game, language)
