"""The names of cards, suits, ranks and trumps, and the words of the game, in the reader's language.

Every function takes `lang`, or uses the active language when it is None. Codes are those of the record: `T1`…`T21`, `F`,
and suit letter + rank (`CK`, `B10`). A wrong code or word raises UnknownTerm.

The engine decides which phrases of the talk exist (records name them by id); this module has what they say and tell: as
published in the encyclopedia, else from the files. Source of the phrases: pagat, "Tschintschar".
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final, Literal, TypeAlias

from core.sursilvan import GERMAN, SURSILVAN, Own, StandIn, capfirst
from core.text import fold
from domain.engine.talk import phrase_book
from rules.models import SOURCE_LANGUAGE
from rules.terms import (
    Name,
    Term,
    UnknownTerm,
    best_name,
    cached_by_snapshot,
    content,
    fallbacks,
    meaning_of,
    names_of,
    own_language,
    published,
    reading_language,
)

__all__ = ["Term", "UnknownTerm"]  # from `rules.terms`, for users of this module

Form: TypeAlias = Literal["label", "running", "object"]

_SUITS: Final = {"C": "suits.cups", "O": "suits.coins", "S": "suits.swords", "B": "suits.batons"}
_COURTS: Final = {"K": "ranks.king", "Q": "ranks.queen", "N": "ranks.cavalier", "J": "ranks.jack"}
_NUMERALS: Final = tuple(str(number) for number in range(1, 11))
_TRUMPS: Final = {f"T{number}": f"trumps.{number}" for number in range(1, 22)}
_FOOL: Final = "F"
_VOWELS: Final = frozenset("aeiou")
# The definite article before a card that is played: the German accusative, the Sursilvan form before a consonant.
_ARTICLES: Final = {
    "en": {"": "the"},
    "de": {"m": "den", "f": "die", "n": "das", "p": "die"},
    "rm-sursilv": {"m": "il", "f": "la"},
    "fr": {"m": "le", "f": "la"},
    "it": {"m": "il", "f": "la"},
}


def trump_numeral(number: int) -> str:
    """The Roman numeral as printed on the cards, without subtraction: 9 is VIIII, 19 is XVIIII.

    Raises ValueError unless the number is from 1 to 21.
    """
    if not 1 <= number <= 21:
        raise ValueError(f"no such trump: {number}")
    tens, rest = divmod(number, 10)
    fives, ones = divmod(rest, 5)
    return "X" * tens + "V" * fives + "I" * ones


def _worded(wording: Callable[[str], str], lang: str | None) -> str:
    """The result of `wording` for the reader's language.

    In Sursilvan, it also carries the German text, for sentences that are shown in German.
    """
    reading = reading_language(lang)
    return Own(wording(SURSILVAN), wording(GERMAN)) if reading == SURSILVAN else wording(reading)


def card_term(code: str, lang: str | None = None, form: Form = "label") -> Term:
    """A card's name with its language and whether it is a draft.

    `label` is used alone ("King of cups"), `running` inside a sentence ("king of cups"), `object` as the object of a
    verb, with its article ("the king of cups", "den Becher-König").
    """
    return _card_term(code, reading_language(lang), form)


def card_name(code: str, lang: str | None = None, *, in_sentence: bool = False) -> str:
    """The name of a card: "King of cups", "XXI, the World", "the Fool"; in a sentence "king of cups"."""
    return _worded(lambda reading: card_term(code, reading, "running" if in_sentence else "label").text, lang)


def card_object(code: str, lang: str | None = None) -> str:
    """The card as the object of a sentence, with its article: "the king of cups", "den Narren", "il retg da cuppas"."""
    return _worded(lambda reading: card_term(code, reading, "object").text, lang)


def card_short(code: str, lang: str | None = None) -> str:
    """The shortest name for lists and logs, without article: "king of cups", "XXI", "Fool"."""
    if code in _TRUMPS:
        return trump_numeral(int(code[1:]))
    if code == _FOOL:
        return _worded(lambda reading: best_name("fool", reading).bare or best_name("fool", reading).text, lang)
    return card_name(code, lang, in_sentence=True)


def card_label(code: str, lang: str | None = None) -> str:
    """The name with a capital first letter, for headings: "The Fool", "Retg da cuppas"."""
    return capfirst(card_name(code, lang))


def suit_name(letter: str, lang: str | None = None) -> str:
    """The name of a suit in running text: "cups" for C, "coins" for O, "swords" for S, "batons" for B, T for trumps."""
    if letter == "T":
        return word("trumps", lang).text
    try:
        return _worded(lambda reading: best_name(_SUITS[letter], reading).text, lang)
    except KeyError:
        raise UnknownTerm(letter) from None


def rank_name(rank: str, lang: str | None = None) -> str:
    """The name of a rank: "king" for K, "queen" for Q, "cavalier" for N, "jack" for J; numerals are figures."""
    if rank in _NUMERALS:
        return rank
    try:
        return _worded(lambda reading: best_name(_COURTS[rank], reading).text, lang)
    except KeyError:
        raise UnknownTerm(rank) from None


def card_rank(code: str) -> str:
    """The shortest name of a card, beside others of its suit: "king", "7", "XXI"."""
    return card_short(code) if code[0] in "TF" else rank_name(code[1:])


def word(concept: str, lang: str | None = None) -> Term:
    """A word of the game in the reader's language, or in the next of its fallbacks."""
    return _word(concept, reading_language(lang))


def own_word(concept: str, lang: str | None = None) -> Term:
    """The game's own word ("buob", Sursilvan; "Tapp", Valais German) with its meaning in the reader's language.

    Raises UnknownTerm also for a concept for which the players have no word of their own.
    """
    return _own_word(concept, reading_language(lang))


_SPOKEN: Final = ("troggu", "tapp", "tappist", "take", "solo", "misere", "talk", "liber", "scart", "buob", "buob-sche")


def game_terms(own: str, without: frozenset[str] = frozenset(), lang: str | None = None) -> tuple[Term, ...]:
    """The words in the players' language `own` for cards, suits and calls, with the reader's words as their meanings.

    Only words that a source attests in that language, and not those of the concepts `without`.
    """
    return _game_terms(own, without, reading_language(lang))


@cached_by_snapshot
def _game_terms(own: str, without: frozenset[str], lang: str) -> tuple[Term, ...]:
    terms = []
    for concept in (*_SUITS.values(), *_COURTS.values(), "fool", "trumps.21", "trumps.1"):
        for name in names_of(concept, own)[:1]:
            reader = best_name(concept, lang)
            is_trump = concept.startswith("trumps")
            meaning = f"{trump_numeral(int(concept[7:]))}, {reader.text}" if is_trump else reader.text
            if not name.draft:
                terms.append(Term(name.text, own, meaning=meaning, meaning_lang=reader.lang, source=name.source))
    for concept in _SPOKEN:
        key = f"words.{concept}"
        if own_language(key) == own and concept not in without:
            terms.append(_own_word(concept, lang))
    return tuple(terms)


@cached_by_snapshot
def _word(concept: str, lang: str) -> Term:
    key = f"words.{concept}"
    term = _term(best_name(key, lang), *meaning_of(key, lang))
    if lang != SURSILVAN:
        return term
    own = term.lang == SURSILVAN
    return replace(term, text=Own(term.text, best_name(key, GERMAN).text) if own else StandIn(term.text))


@cached_by_snapshot
def _own_word(concept: str, lang: str) -> Term:
    key = f"words.{concept}"
    own = own_language(key)
    if not own:
        raise UnknownTerm(f"{concept}: no word of the game's own")
    return _term(best_name(key, own), *meaning_of(key, lang))


def _term(name: Name, meaning: str, meaning_lang: str) -> Term:
    return Term(name.text, name.lang, name.draft, meaning, meaning_lang, name.gender, name.source)


def _concept(code: str) -> str:
    """The concept of a trump or the Fool; empty for a card of the suits. Raises UnknownTerm for an unknown card."""
    if code in _TRUMPS:
        return _TRUMPS[code]
    if code == _FOOL:
        return "fool"
    if code[:1] in _SUITS and (code[1:] in _COURTS or code[1:] in _NUMERALS):
        return ""
    raise UnknownTerm(f"no such card: {code}")


def _patterns(lang: str) -> Mapping[str, Mapping[str, str]]:
    patterns: Mapping[str, Mapping[str, Mapping[str, str]]] = content("cards")["patterns"]
    return patterns.get(lang) or patterns["en"]


def _of(suit: str, pattern: str) -> str:
    """A suit after the French "de", if the pattern needs it: "de coupes", "d’épées"."""
    if "{of_suit}" not in pattern:
        return ""
    return f"d’{suit}" if fold(suit)[:1] in _VOWELS else f"de {suit}"


@cached_by_snapshot
def _card_term(code: str, lang: str, form: Form) -> Term:
    concept = _concept(code)
    if concept == "fool":
        fool = best_name(concept, lang)
        text = fool.object or fool.text if form == "object" else fool.text
        return Term(text, fool.lang, fool.draft, gender=fool.gender, source=fool.source)
    if concept:
        title = best_name(concept, lang)
        pattern = _patterns(title.lang)["trump"][form]
        text = pattern.format(numeral=trump_numeral(int(code[1:])), name=title.text)
        return Term(text, title.lang, title.draft, gender=title.gender, source=title.source)
    suit = best_name(_SUITS[code[0]], lang)
    if code[1:] in _NUMERALS:
        patterns = _patterns(lang)
        pattern = patterns.get(code[1:], patterns["numeral"])[form]
        text = pattern.format(rank=code[1:], suit=suit.text, of_suit=_of(suit.text, pattern))
        return Term(text, suit.lang, suit.draft, source=suit.source)
    rank = best_name(_COURTS[code[1:]], lang)
    pattern = _patterns(lang)["court"][form]
    text = pattern.format(
        rank=rank.text,
        Rank=capfirst(rank.text),
        inflected=rank.inflected or rank.text,
        article=_ARTICLES.get(lang, {}).get(rank.gender, ""),
        suit=suit.text,
        of_suit=_of(suit.text, pattern),
    )
    return Term(text, suit.lang, suit.draft or rank.draft, gender=rank.gender, source=rank.source)


PHRASE_LANGUAGE: Final = "rm-sursilv"


@dataclass(frozen=True, slots=True)
class Phrase:
    """One phrase of the talk.

    `romansh` is its text in Sursilvan. `literal` (word for word; empty if the source has no translation) and `tells`
    (about the speaker's hand) are in `lang`: the reader's language, or else a fallback. `theme` is a Theme's id,
    `strength` runs from 0 (weak) to 5 (strong), `place` is the village or valley where the phrase was heard, empty if
    it is known everywhere. `draft`: no source attests the phrase in this form.
    """

    id: str
    romansh: str
    literal: str
    theme: str
    tells: str
    strength: int
    place: str
    lang: str
    draft: bool = False

    @property
    def key(self) -> str:
        """The key of its concept in the encyclopedia."""
        return f"phrases.{self.id}"


@dataclass(frozen=True, slots=True)
class Theme:
    """The subject of phrases, with its name in `lang`; `draft`: no source attests that name."""

    id: str
    name: str
    lang: str
    draft: bool = False


def themes(lang: str | None = None) -> tuple[Theme, ...]:
    """The themes in the order they are offered, their names in the reader's language."""
    return _themes(reading_language(lang))


def phrases(lang: str | None = None, *, theme: str = "") -> tuple[Phrase, ...]:
    """All phrases in the order of the book, or those of one theme. Raises UnknownTerm for an unknown theme."""
    book = _book(reading_language(lang)).values()
    if not theme:
        return tuple(book)
    of_theme = tuple(phrase for phrase in book if phrase.theme == theme)
    if not of_theme:
        raise UnknownTerm(theme)
    return of_theme


def by_id(phrase: str, lang: str | None = None) -> Phrase:
    """The phrase with this id. Raises UnknownTerm."""
    try:
        return _book(reading_language(lang))[phrase]
    except KeyError:
        raise UnknownTerm(phrase) from None


@cached_by_snapshot
def _themes(lang: str) -> tuple[Theme, ...]:
    return tuple(_theme(key, row, lang) for key, row in content("phrases")["themes"].items())


def _theme(key: str, row: Mapping[str, Any], lang: str) -> Theme:
    """The theme of a row in the file, where a name is a plain string, or a table if its source must be given."""
    code = next(code for code in fallbacks(lang) if code in row)
    name = row[code]
    if isinstance(name, str):
        return Theme(key, name, code)
    return Theme(key, name["text"], code, name.get("draft", False))


@cached_by_snapshot
def _book(lang: str) -> dict[str, Phrase]:
    theme_ids = {theme.name: theme.id for theme in _themes(SOURCE_LANGUAGE)}
    book = {}
    for said in phrase_book().values():
        given, words = _translated(said.id, lang)
        book[said.id] = Phrase(
            said.id,
            said.romansh,
            words.get("literal", "") if words else said.literal,
            theme_ids[said.theme],
            words["tells"] if words else said.tells,
            said.strength,
            said.place,
            given,
        )
    return {key: _as_published(phrase, lang) for key, phrase in book.items()}


def _translated(phrase: str, lang: str) -> tuple[str, Mapping[str, str]]:
    """The first fallback of `lang` in which the file has the phrase, and its texts; English, without texts, if none."""
    for code in fallbacks(lang):
        words: Mapping[str, str] = content("phrases").get(code, {}).get(phrase, {})
        if words:
            return code, words
    return SOURCE_LANGUAGE, {}


def _as_published(phrase: Phrase, lang: str) -> Phrase:
    """The phrase with its published texts. A language counts only if it has both parts, if there are two."""
    document = published(phrase.key)
    if not document:
        return phrase
    literal, tells = document.get("literal", {}), document.get("tells", {})
    code = next((code for code in fallbacks(lang) if code in tells and (code in literal or not literal)), "")
    own_names = names_of(phrase.key, PHRASE_LANGUAGE)
    return replace(
        phrase,
        romansh=own_names[0].text if own_names else phrase.romansh,
        literal=literal.get(code, "") if code else phrase.literal,
        tells=tells[code] if code else phrase.tells,
        strength=document.get("strength", phrase.strength),
        lang=code or phrase.lang,
        draft=own_names[0].draft if own_names else phrase.draft,
    )
