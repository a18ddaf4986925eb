"""The words of the term base as texts need them: one snapshot for each language and state of the term base.

The first mention of a term in a text becomes a link to its page (`linked_terms`, `link`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from django.utils.html import format_html
from django.utils.safestring import SafeString
from markdown_it.token import Token

from rules import terms
from rules.documents.standing import IN_ANOTHER_SENSE
from rules.markup.page import Page
from rules.models import Concept, Definition, Term
from rules.terms import fallbacks

OWN_LANGUAGES: Final = ("rm-sursilv", "gsw")
"""The languages of the players: their words stand in texts of every language, in italics."""

_OF_GAME: Final[Mapping[str, str]] = {"troccas": "rm-sursilv", "troggu": "gsw"}
"""The language that is spoken at the tables of a game."""
WORD: Final = re.compile(r"[^\W\d_]+(?:[’'][^\W\d_]+)*")
_SHORTEST: Final = 3

# Words of the game that occur in every sentence in their everyday sense: linked only where a writer marks them. Words
# of an expression are joined by hyphens.
_EVERYDAY: Final[Mapping[str, str]] = {
    "en": "go-on card cards game games give go hand hands keep lead own page pages pass place play player players point points quiet round "
    "rounds rose roses side sides stand take table talk throw",
    "de": "ansagen geben gehen hand hände karte karten nehmen partie passe preis preise punkt punkte reden runde runden sagen seite spiel spiele "
    "spielen spieler still tisch weiter",
    "rm-sursilv": "carta cartas dar far gieug ir prender",
    "fr": "camp carte cartes consentir continuer couper demande distribuer donner frapper gagner jeu jeux jouer joueur joueurs libre main "
    "mains mise ordre partie parties passe passer pause phrase phrases point points prix reprendre roses résultat régler sec "
    "signe table tour tours",
    "it": "andare campione carta carte dare distribuire frase frasi gioco giocare giocatore giocatori giro libero mano mani ordine "
    "parte parti partita partite passare pausa posta premio prendere punti richiesta riprendere risultato rose secco segno serie "
    "solo tavolo turno uscire",
}


@dataclass(slots=True)
class Word:
    """A concept as texts in one language show it: its name, the players' own word, its meaning."""

    key: str
    slug: str
    games: frozenset[str]
    text: str = ""
    lang: str = ""
    draft: bool = False
    own: str = ""
    own_lang: str = ""
    meaning: str = ""
    meaning_lang: str = ""

    def is_of(self, game: str) -> bool:
        """Whether a text about a game may mean this concept; a text about no game may mean any."""
        return not game or not self.games or game in self.games


class Own(NamedTuple):
    """What the players of one language call a concept."""

    key: str
    language: str
    text: str


class Form(NamedTuple):
    """One way a concept may be written in a text."""

    words: tuple[str, ...]
    key: str
    capital: bool
    """Whether the first letter must be a capital: for German nouns, which in lower case are other words."""
    rank: tuple[int, int]


@dataclass(slots=True)
class Lexicon:
    """All published concepts, and how they are written in one language."""

    language: str
    words: dict[str, Word] = field(default_factory=dict)
    _forms: dict[str, list[Form]] = field(default_factory=dict)
    _own: dict[str, list[Own]] = field(default_factory=dict)

    def own_word(self, text: str, game: str) -> tuple[Word, str] | None:
        """The concept that the players themselves call `text`, and the language in which they do."""
        candidates = self._own.get(" ".join(folded(text)), ())
        word = self._choose((own.key for own in candidates), game)
        if word is None:
            return None
        names = [own for own in candidates if own.key == word.key]
        usual = _OF_GAME.get(game, "")
        best = min(names, key=lambda own: (own.language != usual, own.text != text))
        return word, best.language

    def matches(self, text: str, game: str) -> Iterable[tuple[int, int, Word]]:
        """The terms in a text, each as start, end and concept; the longest at each place, none inside another.

        In a text about a game, concepts of only the other game are not matched: writers link them by hand.
        """
        words = list(WORD.finditer(text))
        at = 0
        while at < len(words):
            length, word = self._longest(text, words, at, game)
            if word is None:
                at += 1
                continue
            yield words[at].start(), words[at + length - 1].end(), word
            at += length

    def _longest(self, text: str, words: list[re.Match[str]], at: int, game: str) -> tuple[int, Word | None]:
        """The number of words and the concept of the longest term that begins at the word number `at`."""
        forms = self._forms.get(words[at][0].casefold(), ())
        length = 0
        fitting: list[str] = []
        for form in forms:  # longest first
            if len(form.words) < length:
                break
            if self.words[form.key].is_of(game) and self._fits(form, text, words, at):
                length = len(form.words)
                fitting.append(form.key)
        return length, self._choose(fitting, game)

    def _fits(self, form: Form, text: str, words: list[re.Match[str]], at: int) -> bool:
        if at + len(form.words) > len(words) or (form.capital and not words[at][0][0].isupper()):
            return False
        for offset, word in enumerate(form.words):
            match = words[at + offset]
            if match[0].casefold() != word:
                return False
            if offset and text[words[at + offset - 1].end() : match.start()] not in (" ", "-", "\u00a0", "\u2011"):
                return False
        return True

    def _choose(self, keys: Iterable[str], game: str) -> Word | None:
        words = [self.words[key] for key in keys]
        if not words:
            return None
        return next((word for word in words if word.is_of(game)), words[0])


def folded(text: str) -> tuple[str, ...]:
    """The words of a text, for comparing."""
    return tuple(match[0].casefold() for match in WORD.finditer(text))


def lexicon(language: str) -> Lexicon:
    """The published words for texts in `language`; read again only if the term base has changed."""
    words = terms.current()
    if not words.version:
        return _read(language)  # this process has not yet checked which words are published: cache nothing
    cached: Lexicon | None = words.memo.get((Lexicon, language))
    if cached is None:
        cached = words.memo[Lexicon, language] = _read(language)
    return cached


def _read(language: str) -> Lexicon:
    lexicon = Lexicon(language)
    concepts = Concept.objects.order_by("order", "key").values_list("key", "slug", "troccas", "troggu")
    for key, slug, troccas, troggu in concepts:
        games = frozenset(name for name, played in (("troccas", troccas), ("troggu", troggu)) if played)
        lexicon.words[key] = Word(key, slug, games)
    for key, into in terms.merged().items():
        if into in lexicon.words:
            lexicon.words.setdefault(key, lexicon.words[into])
    _add_names(lexicon)
    _set_meanings(lexicon)
    return lexicon


class _TermRow(NamedTuple):
    """A name of a concept in the term base."""

    key: str
    language: str
    text: str
    status: str
    order: int
    look_up: list[str] | None
    pos: str | None
    plural: str | None
    standing: str | None

    @property
    def is_proposed(self) -> bool:
        return self.status == Term.Status.PROPOSED

    @property
    def spellings(self) -> list[str]:
        return [self.text, *(self.look_up or ()), *filter(None, (self.plural,))]


def _add_names(lexicon: Lexicon) -> None:
    """Add what the concepts are called, and how texts write them."""
    terms = _read_terms({*fallbacks(lexicon.language), *OWN_LANGUAGES})
    _set_own_words(lexicon, terms)
    _set_names(lexicon, terms)
    _add_own_names(lexicon, terms)
    _add_forms(lexicon, terms)


def _read_terms(languages: Iterable[str]) -> list[_TermRow]:
    rows = (
        Term.objects.filter(language__in=languages)
        .order_by("concept__order", "concept__key", "order")
        .values_list(
            "concept__key",
            "language",
            "text",
            "status",
            "order",
            "document__look_up",
            "document__pos",
            "document__forms__plural",
            "document__standing",
        )
    )
    return [_TermRow(*row) for row in rows]


def _set_own_words(lexicon: Lexicon, terms: Iterable[_TermRow]) -> None:
    """Set the players' own word for each concept: the first that is attested and has this sense."""
    for term in terms:
        word = lexicon.words[term.key]
        if (
            term.language in OWN_LANGUAGES
            and term.status not in (Term.Status.PROPOSED, Term.Status.DEPRECATED)
            and term.standing not in IN_ANOTHER_SENSE
            and not word.own
        ):
            word.own, word.own_lang = term.text, term.language


def _set_names(lexicon: Lexicon, terms: Iterable[_TermRow]) -> None:
    """Set the name of each concept: in the lexicon's language, else the players' own word, else in a fallback."""
    first: dict[tuple[str, str], _TermRow] = {}
    for term in terms:
        if term.status != Term.Status.DEPRECATED:
            first.setdefault((term.key, term.language), term)
    for word in lexicon.words.values():
        if word.own and (word.key, lexicon.language) not in first:
            word.text, word.lang = word.own, word.own_lang
            continue
        names = (first[word.key, code] for code in fallbacks(lexicon.language) if (word.key, code) in first)
        name = next(names, None)
        if name is not None:
            word.text, word.lang, word.draft = name.text, name.language, name.is_proposed


def _add_own_names(lexicon: Lexicon, terms: Iterable[_TermRow]) -> None:
    """Add every spelling of the players' own words that are foreign to texts in the lexicon's language."""
    for term in terms:
        if term.language in OWN_LANGUAGES and term.language != lexicon.language:
            for spelling in term.spellings:
                own = Own(term.key, term.language, spelling)
                lexicon._own.setdefault(" ".join(folded(spelling)), []).append(own)


def _add_forms(lexicon: Lexicon, terms: Iterable[_TermRow]) -> None:
    """Add the forms in which texts in the lexicon's language write the concepts: the longest first, then the best."""
    forms: dict[tuple[str, ...], list[Form]] = {}
    for term in terms:
        if term.language != lexicon.language:
            continue
        for spelling in _written(term.spellings, term.language, term.pos):
            capital = term.language == "de" and term.pos in (None, "", "noun") and spelling[:1].isupper()
            rank = (_STATUS.index(term.status), term.order)
            _add(forms, Form(folded(spelling), term.key, capital, rank), term.language)
    for same in forms.values():
        same.sort(key=lambda form: form.rank)
        lexicon._forms.setdefault(same[0].words[0], []).extend(same)
    for each in lexicon._forms.values():
        each.sort(key=lambda form: -len(form.words))


_STATUS: Final = ("preferred", "admitted", "proposed", "deprecated")
"""The best first."""


def _written(spellings: Iterable[str], language: str, pos: str | None) -> Iterable[str]:
    """The spellings without digits, and in English the regular plural of nouns."""
    for spelling in spellings:
        if any(char.isdigit() for char in spelling):
            continue  # otherwise "Tarot no" would mean "Tarot No. 1"
        yield spelling
        if language == "en" and pos == "noun" and not spelling.endswith("s"):
            yield f"{spelling}s"


def _add(forms: dict[tuple[str, ...], list[Form]], form: Form, language: str) -> None:
    everyday = _EVERYDAY.get(language, "").split()
    too_short = len(form.words) == 1 and len(form.words[0]) < _SHORTEST
    too_plain = too_short or "-".join(form.words) in everyday
    if not form.words or too_plain:
        return
    same = forms.setdefault(form.words, [])
    if form.key not in {each.key for each in same}:
        same.append(form)


def _set_meanings(lexicon: Lexicon) -> None:
    """Set the meaning of each word: its definition or, for a phrase without one, what it tells."""
    languages = fallbacks(lexicon.language)
    rows = Definition.objects.filter(language__in=languages)
    for key, lang, text in rows.values_list("concept__key", "language", "text"):
        word = lexicon.words[key]
        if not word.meaning or languages.index(lang) < languages.index(word.meaning_lang):
            word.meaning, word.meaning_lang = text, lang
    phrases = Concept.objects.filter(sort=Concept.Sort.PHRASE)
    for key, tells in phrases.values_list("key", "document__tells"):
        word = lexicon.words[key]
        code = next((code for code in languages if code in (tells or {})), "")
        if code and not word.meaning:
            word.meaning, word.meaning_lang = tells[code], code


def link(page: Page, word: Word, label: str, *, language: str = "") -> SafeString:
    """A link to a word's page; on a rule sheet, or if the page has no address, the text with its language.

    `language` is that of the label if it differs from the text's. Notes the concept as mentioned.
    """
    if word.key not in page.terms:
        page.terms.append(word.key)
    lang = format_html(' lang="{}"', language) if language and language != page.language else SafeString("")
    address = "" if page.sheet else page.links.to("word", word.slug)
    if not address:
        return format_html("<span{}>{}</span>", lang, label) if lang else format_html("{}", label)
    return format_html('<a class="term" href="{}" data-term="{}"{}>{}</a>', address, word.key, lang, label)


def linked_terms(page: Page, words: Lexicon, text: str) -> list[Token] | None:
    """A piece of plain text in which terms not mentioned before are linked; None if there are none."""
    tokens: list[Token] = []
    at = 0
    for start, end, word in words.matches(text, page.game):
        if word.key in page.terms:
            continue
        tokens += _text(text[at:start])
        tokens.append(html(link(page, word, text[start:end])))
        at = end
    return [*tokens, *_text(text[at:])] if tokens else None


def emphasised(page: Page, words: Lexicon, text: str) -> Token | None:
    """One of the players' own words, in italics: marked with its language, and linked at its first mention."""
    own = words.own_word(text, page.game)
    if own is None:
        return None
    word, language = own
    if word.key in page.terms:
        return html(format_html('<span lang="{}">{}</span>', language, text))
    return html(link(page, word, text, language=language))


def html(content: str) -> Token:
    return Token("html_inline", "", 0, content=content)


def _text(content: str) -> Iterator[Token]:
    if content:
        yield Token("text", "", 0, content=content)
