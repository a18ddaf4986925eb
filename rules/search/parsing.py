"""A question, taken apart: its words, and what the databases are asked for.

How well a row answers a question. Pure; the same on every database.

In this order: the name itself; the name in another spelling, with another article, or as what a sentence is about; names that begin so; names that hold all words; texts that hold
all words; longer words that hold a word ("Karte" in "Figurenkarten"); mistyped words; some of the words. Within each band the
row's weight decides, then how much of it was asked for, then the reader's own language.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from string import ascii_lowercase
from typing import Final, NamedTuple, TypeAlias

from core.text import fold, skeleton
from rules.models import WORD_LENGTH
from rules.search.index import CONTEXT, NAMES
from rules.search.similar_questions import KINDS
from rules.search.stems import plain

MAX_LETTERS: Final = 100
"""What is longer is cut, and the page says so."""
MAX_WORDS: Final = 10
"""So many words are looked for that say what is meant; what only asks is not counted among them."""
_MOST_WORDS: Final = 24
# Words that say nothing about what is meant, where a whole sentence is asked. Nothing is left out because they are missing.
_EMPTY_WORDS: Final = """
a an and are as at be by can do does for from get gets has have how i if in is it many may me mean meaning means much must my
need number of on or play played playing plays rule rules should the to was what when where which who why with you
als am an anzahl auf aus bedeutet bei bekommt bin bis braucht da darf das dem den der des die du durfen ein eine einem
einen einer er es fur hat heisst ich im in ist kann man mein mich mir mit muss nach nicht oder regel regeln sein sich sie sind so
spielen spielregeln spielt uber um und uns viel viele vom von wann war warum was welche welcher wen wer wie wieviel wieviele wird
wo wohin zu zum zur
c ce con cu da de del della dil dils e ei en gl ha igl il ils in la las le les lo l nus muntan munta est sont ora per pli qu que quei sin tgei tgi tier
un una une vus
"""
_EMPTY: Final = frozenset(_EMPTY_WORDS.split())
_ASKING_WORDS: Final = """
how do you say said called call name names word words romansh rumantsch romansch sursilvan romanisch ratoromanisch
sursilvanisch wallis walliserdeutsch valais german deutsch tudestg romontsch for in auf wie sagt man which welche
welches andere other what co ins dian di per sin en card karte carta phrase somebody someone jemand comment dit on is
are does the mean means meaning of who was ist sind bedeutet heisst bedeuten der die das ein eine wer tgei tgi ei
muntan munta vul dir il la ils las igl qu que quoi est ce qui le les c che cosa cos e significa vuol dire
trump trumpf atout tarocco trionfo names nickname nicknames name namen spitzname nom noms nome nomi fur another
translation translate translated ubersetzung traduction traduzione bedeutung sens signification significato
"""
_NICK: Final = frozenset(
    [
        "nickname",
        "nicknames",
        "spitzname",
        "spitznamen",
        "ubername",
        "ubernamen",
        "beiname",
        "beinamen",
        "surnom",
        "surnoms",
        "soprannome",
        "soprannomi",
    ]
)
_ASKING: Final = frozenset(_ASKING_WORDS.split()) | _NICK
_CALLING_WORDS: Final = """
called call word words name names named say said term heisst heissen sagt sagen sage nennt nennen wort
dian dir plaid dit appelle mot nom noms nome nomi dice dicono chiama chiamano parola
"""
_PHRASES: Final = frozenset(["phrase", "phrases", "expression", "spruch", "redensart", "sprichwort"])
"""A question for one does not ask for the name of a thing."""
_CALLING: Final = frozenset(_CALLING_WORDS.split()) | _NICK
"""Words by which one asks what something is called."""
_WHO: Final = frozenset(["who", "wer", "tgi", "qui", "chi", "when", "wann", "cura", "quand", "quando"])
_ARTICLES: Final = frozenset({
    "the", "a", "an", "der", "die", "das", "den", "ein", "eine", "il", "igl", "ils", "la", "las", "in", "ina", "l", "le", "les",
    "lo", "un", "una", "une",
})  # fmt: skip


class Token(NamedTuple):
    """A word to look for; `is_prefix`: any word that begins so."""

    text: str
    is_prefix: bool = False


Groups: TypeAlias = list[list[Token]]
"""Rows hold a token of every group."""


@dataclass(frozen=True, slots=True)
class Word:
    """One word of a question, folded, and as skeleton."""

    folded: str
    skeleton: str
    spellings: tuple[str, ...]
    """The word, and its skeleton where that is another."""
    beginnings: tuple[str, ...] = ()
    """What longer words may begin with that are meant: of the last word, which may still be being typed."""

    def tokens(self) -> list[Token]:
        """The word in its spellings, and what it may be the beginning of."""
        return [*map(Token, self.spellings), *(Token(text, is_prefix=True) for text in self.beginnings)]


@dataclass(frozen=True)
class Question:
    """What somebody typed: at most MAX_LETTERS of it. `folded` is empty if there is not a single letter or figure in it."""

    text: str
    folded: str
    skeleton: str
    words: tuple[Word, ...]
    was_cut: bool = False

    def telling(self) -> tuple[Word, ...]:
        """The words that say what is meant; all of them, if none does."""
        return tuple(word for word in self.words if word.folded not in _EMPTY) or self.words

    @cached_property
    def _rest(self) -> tuple[Word, ...]:
        first, last = 0, len(self.words)
        if last > 1 and self.words[0].folded in _WHO and self.words[1].folded in _CALLING:
            return self.words  # "wer sagt liber" knows what it means
        if last and self.words[0].folded == "called":
            return self.words  # "called card is in the tapp" tells of a card
        while first < last and self.words[first].folded in _ASKING:
            first += 1
        while last > first and self.words[last - 1].folded in _ASKING:
            last -= 1
        return self.words[first:last]

    @cached_property
    def rest(self) -> str:
        """What remains without the words before and behind that only ask, as skeleton: "in tec carn" of "what does in tec carn mean",
        "death" of "what is the death card called in Romansh"."""
        return " ".join(word.skeleton for word in self._rest)

    @cached_property
    def rest_folded(self) -> str:
        """The same as it is spelled."""
        return " ".join(word.folded for word in self._rest)

    @cached_property
    def is_for_a_name(self) -> bool:
        """Whether nothing is asked but what a word means, or what something is called."""
        return 0 < len(self._rest) < len(self.words)

    def named(self) -> set[str]:
        """What may be asked about, as skeleton, with every article: "il mund", "the world"."""
        return {self.rest, *(f"{skeleton(article)} {self.rest}" for article in _ARTICLES)} if self.rest else set()

    @cached_property
    def core(self) -> str:
        """What remains of a sentence, as skeleton: "scart" of "what is the scart"; who asks how many knows what they are."""
        if KINDS["many"].search(self.folded):
            return ""
        return " ".join(word.skeleton for word in self.telling())


def read(text: str) -> Question:
    """Any text as a question. Never raises."""
    # PostgreSQL takes no NUL, and no half of a surrogate pair can be written as UTF-8.
    tidy = " ".join("".join(char for char in text if char.isprintable() or char.isspace()).split())
    cut = tidy[:MAX_LETTERS].rstrip()
    all_words = [word[:WORD_LENGTH] for word in plain(fold(cut)).split()]
    folded = all_words[: _end(all_words)]
    bare = [skeleton(word) for word in folded]
    last = len(folded) - 1
    words = tuple(
        _word(word, bones, is_last=number == last)
        for number, (word, bones) in enumerate(zip(folded, bare, strict=True))
    )
    return Question(cut, " ".join(folded), " ".join(bare), words, len(tidy) > len(cut) or len(all_words) > len(folded))


def _end(words: Sequence[str]) -> int:
    """How many of the words of a question are read."""
    telling = 0
    for number, word in enumerate(words[:_MOST_WORDS]):
        telling += word not in _EMPTY
        if telling > MAX_WORDS:
            return number
    return min(len(words), _MOST_WORDS)


def _word(folded: str, bones: str, *, is_last: bool) -> Word:
    spellings = tuple(dict.fromkeys((folded, bones)))
    # A single letter says too little for its sound to be taken for another's.
    beginnings = tuple(text for text in spellings if text == folded or len(text) > 1) if is_last else ()
    return Word(folded, bones, spellings, beginnings)


_LANGUAGES: Final = {
    "rm-sursilv": frozenset(["romansh", "romansch", "rumantsch", "romontsch", "sursilvan", "romanisch", "ratoromanisch", "sursilvanisch", "romanischer", "romanische", "surselva", "romanche", "romanches", "romancio", "romancia", "romanci", "sursilvano", "sursilvana", "rumancio", "rumantscha"]),
    "gsw": frozenset(["walliserdeutsch", "walliser", "wallis", "valais", "schweizerdeutsch", "mundart", "dialekt", "valaisan", "valaisanne", "vallesano", "vallesana", "vallese"]),
    "de": frozenset(["german", "deutsch", "tudestg", "hochdeutsch", "allemand", "tedesco"]),
    "en": frozenset(["english", "englisch", "angles", "anglais", "inglese"]),
}  # fmt: skip


_FEW: Final = 4
"""So few words with a language among them ask for a word: "Becher auf Walliserdeutsch"."""


def language_asked(question: Question) -> str:
    """The language in which a question wants to know a word, "" if it names none or asks for more than a word.

    The nicknames of the cards are Sursilvan."""
    words = {word.folded for word in question.words}
    if words & _PHRASES or (not words & _CALLING and len(words) > _FEW):
        return ""
    return next((code for code, names in _LANGUAGES.items() if words & names), "rm-sursilv" if words & _NICK else "")


def edits_in(spelling: str) -> int:
    """How many letters of a word may be wrong: none in words of two letters and numbers."""
    if any(char.isdigit() for char in spelling):
        return 0
    return 2 if len(spelling) >= 8 else 1 if len(spelling) >= 3 else 0


def one_edit_from(word: str) -> set[str]:
    """Every word that a single slip makes of `word`, or `word` of it: a letter lost, added or wrong, or two exchanged."""
    parts = [(word[:at], word[at:]) for at in range(len(word) + 1)]
    lost = {first + rest[1:] for first, rest in parts if rest}
    exchanged = {first + rest[1] + rest[0] + rest[2:] for first, rest in parts if len(rest) > 1}
    wrong = {first + letter + rest[1:] for first, rest in parts if rest for letter in ascii_lowercase}
    added = {first + letter + rest for first, rest in parts for letter in ascii_lowercase}
    return (lost | exchanged | wrong | added) - {word, ""}


def likeness(one: str, other: str) -> float:
    """How many of the trigrams of two words are the same, from 0 to 1, counted as PostgreSQL counts them."""
    mine, theirs = set(trigrams(f"  {one} ")), set(trigrams(f"  {other} "))
    return len(mine & theirs) / len(mine | theirs)


def likeness_of_two_edits(word: str) -> float:
    """What words are alike, at the least, that two slips lie between.

    A slip spoils at most three trigrams, two letters exchanged four. Two exchanges in a word of eight letters may leave a
    single one; that little says nothing, so two are asked for, and such a word is not found.
    """
    count = len(set(trigrams(f"  {word} ")))
    return max((count - 8) / (count + 8), 1 / count + 0.001)


def without_article(name: str) -> str:
    """A folded name without the article before it: "mund" of "il mund"."""
    article, _blank, rest = name.partition(" ")
    return rest if rest and article in _ARTICLES else name


def trigrams(text: str) -> list[str]:
    """Every three letters in a row, once."""
    return list(dict.fromkeys(text[start : start + 3] for start in range(len(text) - 2)))


EXACT: Final = 1000
_AS_SPELLED: Final = 950
SAME: Final = 900
BEGINS: Final = 800
NEARLY: Final = 740
"""A name but for a slip or two."""
_WORDS: Final = (600, 700)  # of a text, of a name
_HOLDING: Final = (450, 500)
_TYPO: Final = (300, 400)
_SOME: Final = 200
_PER_EDIT: Final = 25
_SOURCES_BEHIND: Final = 200
"""Who types "Troccas" looks for the game before all the works about it."""
_OWN_LANGUAGE: Final = 3
_IN_A_ROW: Final = 8


class Row(NamedTuple):
    """What ranking needs to know of a `SearchEntry`."""

    id: int
    kind: str
    key: str
    part: str
    language: str
    weight: int
    length: int
    anchor: str
    skeleton: str
    folded: str
    words: str


_COLUMNS: Final = ", ".join("entry.key" if name == "key" else f"row.{name}" for name in Row._fields)
ROWS: Final = (
    f"SELECT {_COLUMNS} FROM rules_searchentry AS row JOIN rules_entry AS entry ON entry.id = row.entry_id "  # noqa: S608  # names of columns only
    "WHERE row.id IN ({ids})"
)
"""Reads `Row`s on any database, by a query for their ids."""


@dataclass(slots=True)
class Near:
    """Words of the vocabulary that may be meant, in either spelling, by the skeleton of the word that was typed."""

    typos: dict[str, Mapping[str, int]] = field(default_factory=dict)
    """With the number of letters they differ by."""
    holding: dict[str, tuple[str, ...]] = field(default_factory=dict)
    """Longer words with the typed one in them."""


class _Match(NamedTuple):
    """How one word of a question is met: `worth` from 0 to 1 within its band, `edits` for mistyped ones."""

    worth: float
    edits: int = 0
    is_held: bool = False
    is_beside: bool = False


_MISSING: Final = _Match(0.0)


def score(row: Row, question: Question, near: Near, language: str) -> float | None:
    """How well `row` answers; the higher the better; None if it does not."""
    band = _as_a_name(row, question) if row.part in NAMES else 0
    points: float | None
    if band:
        points = band + row.weight + _beside_the_point(row, language, len(question.folded))
    else:
        # A heading is a sentence more often than a name.
        points = _by_words(row, question, near, language, is_name=row.part in NAMES and row.part != "heading")
    return points - _SOURCES_BEHIND if points is not None and row.kind == "source" else points


def _as_a_name(row: Row, question: Question) -> int:
    if row.folded == question.folded:
        return EXACT
    if row.skeleton.replace(" ", "") == question.skeleton.replace(" ", ""):
        return SAME
    if question.is_for_a_name and without_article(row.folded) == without_article(question.rest_folded):
        return _AS_SPELLED
    if without_article(row.folded) == without_article(question.folded) or row.skeleton == question.core:
        return SAME
    if (
        question.rest
        and row.skeleton.endswith(question.rest)
        and skeleton(without_article(row.folded)) == question.rest
    ):
        return SAME
    beginning = len(question.skeleton) > 1 and row.skeleton.startswith(question.skeleton)
    if beginning or row.folded.startswith(question.folded):
        return BEGINS
    if question.is_for_a_name and row.kind == "phrase" and f" {question.rest} " in f" {row.skeleton} ":
        return BEGINS
    return 0


def _by_words(row: Row, question: Question, near: Near, language: str, *, is_name: bool) -> float | None:
    own, _bar, beside = row.words.partition(CONTEXT)
    own, beside = f" {own} ", f" {beside} "
    words = question.telling()
    found = [_match(word, own, beside, near) for word in words]
    if not any(match.worth and not match.is_beside for match in found):
        return None
    # The other words of a sentence count only between rows that hold what it is about.
    others = [word for word in question.words if word not in words]
    worth = sum(match.worth for match in found) + sum(_match(word, own, beside, near).worth for word in others)
    mean = worth / len(question.words)
    edits = sum(match.edits for match in found)
    met = sum(len(word.folded) for word, match in zip(words, found, strict=True) if match.worth)
    rest = row.weight + _beside_the_point(row, language, met)
    if not all(match.worth for match in found):
        return _SOME * met / sum(len(word.folded) for word in words) + 20 * mean - 10 * edits + rest / 4
    band = (_TYPO if edits else _HOLDING if any(match.is_held for match in found) else _WORDS)[is_name]
    in_a_row = _IN_A_ROW if len(question.words) > 1 and f" {question.folded} " in f" {row.folded} " else 0
    return band + in_a_row + 10 * mean - edits * _PER_EDIT + rest


def _match(word: Word, own: str, beside: str, near: Near) -> _Match:
    if f" {word.folded} " in own:
        return _Match(1.0)
    if f" {word.skeleton} " in own:
        return _Match(0.9)
    if any(f" {text}" in own for text in word.beginnings):
        return _Match(0.7)
    if f" {word.folded} " in beside or f" {word.skeleton} " in beside:
        return _Match(0.4, is_beside=True)
    if any(f" {text}" in beside for text in word.beginnings):
        return _Match(0.3, is_beside=True)
    if any(f" {longer} " in own for longer in near.holding.get(word.skeleton, ())):
        return _Match(0.5, is_held=True)
    edits = min((edits for meant, edits in near.typos.get(word.skeleton, {}).items() if f" {meant} " in own), default=0)
    return _Match(0.5, edits=edits) if edits else _MISSING


def _beside_the_point(row: Row, language: str, letters: int) -> float:
    """What decides between equals: the reader's language, then how much of the row was asked for. Below 5."""
    return (_OWN_LANGUAGE if row.language == language else 0) + min(1.0, letters / max(1, row.length))
