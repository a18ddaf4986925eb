"""A question, taken apart into its words, and how well a row answers it. Pure; the same on every database.

Rows rank in this order: the name itself; the name in another spelling, with another article, or as the topic of a
sentence; names that begin so; names that contain all words; texts that contain all words; longer words that contain a
word ("Karte" in "Figurenkarten"); mistyped words; some of the words. Within each band the row's weight decides, then
the reader's own language, then how much of the row was asked for.
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
"""Longer questions are cut, and the page says so."""
MAX_WORDS: Final = 10
"""At most this many telling words are looked up; words that only ask do not count."""
_MOST_WORDS: Final = 24
# Words that say nothing about the topic of a whole sentence. A row need not contain them.
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
_NICK_WORDS: Final = """
nickname nicknames spitzname spitznamen ubername ubernamen beiname beinamen surnom surnoms soprannome soprannomi
"""
_NICK: Final = frozenset(_NICK_WORDS.split())
_ASKING: Final = frozenset(_ASKING_WORDS.split()) | _NICK
_CALLING_WORDS: Final = """
called call word words name names named say said term heisst heissen sagt sagen sage nennt nennen wort
dian dir plaid dit appelle mot nom noms nome nomi dice dicono chiama chiamano parola
"""
_PHRASES: Final = frozenset(["phrase", "phrases", "expression", "spruch", "redensart", "sprichwort"])
"""A question with one of these words does not ask for the name of a thing."""
_CALLING: Final = frozenset(_CALLING_WORDS.split()) | _NICK
"""Words for asking what something is called."""
_WHO: Final = frozenset(["who", "wer", "tgi", "qui", "chi", "when", "wann", "cura", "quand", "quando"])
_ARTICLES: Final = frozenset({
    "the", "a", "an", "der", "die", "das", "den", "ein", "eine", "il", "igl", "ils", "la", "las", "in", "ina", "l", "le", "les",
    "lo", "un", "una", "une",
})  # fmt: skip


class Token(NamedTuple):
    """A word to look for; with `is_prefix`, any word that begins so."""

    text: str
    is_prefix: bool = False


Groups: TypeAlias = list[list[Token]]
"""A row must contain a token of every group."""


@dataclass(frozen=True, slots=True)
class Word:
    """One word of a question, folded, and as skeleton."""

    folded: str
    skeleton: str
    spellings: tuple[str, ...]
    """The word, and its skeleton if it differs."""
    beginnings: tuple[str, ...] = ()
    """Beginnings of longer words that may be meant: only for the last word, which may not be complete yet."""

    def tokens(self) -> list[Token]:
        """The word in its spellings, and what it may be the beginning of."""
        return [*map(Token, self.spellings), *(Token(text, is_prefix=True) for text in self.beginnings)]


@dataclass(frozen=True)
class Question:
    """What somebody typed, at most MAX_LETTERS of it. `folded` is empty if it has not a single letter or figure."""

    text: str
    folded: str
    skeleton: str
    words: tuple[Word, ...]
    was_cut: bool = False

    def telling(self) -> tuple[Word, ...]:
        """The words that say what is meant; all words if none does."""
        return tuple(word for word in self.words if word.folded not in _EMPTY) or self.words

    @cached_property
    def _rest(self) -> tuple[Word, ...]:
        first, last = 0, len(self.words)
        if last > 1 and self.words[0].folded in _WHO and self.words[1].folded in _CALLING:
            return self.words  # "wer sagt liber" does not ask what it means
        if last and self.words[0].folded == "called":
            return self.words  # "called card is in the tapp" is about a card
        while first < last and self.words[first].folded in _ASKING:
            first += 1
        while last > first and self.words[last - 1].folded in _ASKING:
            last -= 1
        return self.words[first:last]

    @cached_property
    def rest(self) -> str:
        """What remains without the words at both ends that only ask, as skeleton.

        "in tec carn" for "what does in tec carn mean", "death" for "what is the death card called in Romansh".
        """
        return " ".join(word.skeleton for word in self._rest)

    @cached_property
    def rest_folded(self) -> str:
        """Like `rest`, but folded words instead of skeletons."""
        return " ".join(word.folded for word in self._rest)

    @cached_property
    def is_for_a_name(self) -> bool:
        """Whether the question only asks what a word means, or what something is called."""
        return 0 < len(self._rest) < len(self.words)

    def named(self) -> set[str]:
        """The possible names in question, as skeletons, without and with every article: "mund", "il mund"."""
        return {self.rest, *(f"{skeleton(article)} {self.rest}" for article in _ARTICLES)} if self.rest else set()

    @cached_property
    def core(self) -> str:
        """The telling words as skeleton: "scart" for "what is the scart". Empty if the question asks how many."""
        if KINDS["many"].search(self.folded):
            return ""
        return " ".join(word.skeleton for word in self.telling())


def read(text: str) -> Question:
    """Read any text as a question. Never raises."""
    # PostgreSQL accepts no NUL, and lone surrogates cannot be encoded as UTF-8.
    tidy = " ".join("".join(char for char in text if char.isprintable() or char.isspace()).split())
    cut = tidy[:MAX_LETTERS].rstrip()
    all_words = [word[:WORD_LENGTH] for word in plain(fold(cut)).split()]
    folded = all_words[: _words_read(all_words)]
    skeletons = [skeleton(word) for word in folded]
    last = len(folded) - 1
    words = tuple(
        _word(word, bones, is_last=number == last)
        for number, (word, bones) in enumerate(zip(folded, skeletons, strict=True))
    )
    was_cut = len(tidy) > len(cut) or len(all_words) > len(folded)
    return Question(cut, " ".join(folded), " ".join(skeletons), words, was_cut)


def _words_read(words: Sequence[str]) -> int:
    """How many of the words of a question are read; the others are ignored."""
    telling = 0
    for number, word in enumerate(words[:_MOST_WORDS]):
        telling += word not in _EMPTY
        if telling > MAX_WORDS:
            return number
    return min(len(words), _MOST_WORDS)


def _word(folded: str, bones: str, *, is_last: bool) -> Word:
    spellings = tuple(dict.fromkeys((folded, bones)))
    # A single letter says too little to be compared by its sound.
    beginnings = tuple(text for text in spellings if text == folded or len(text) > 1) if is_last else ()
    return Word(folded, bones, spellings, beginnings)


_LANGUAGES: Final = {
    "rm-sursilv": frozenset(["romansh", "romansch", "rumantsch", "romontsch", "sursilvan", "romanisch", "ratoromanisch", "sursilvanisch", "romanischer", "romanische", "surselva", "romanche", "romanches", "romancio", "romancia", "romanci", "sursilvano", "sursilvana", "rumancio", "rumantscha"]),
    "gsw": frozenset(["walliserdeutsch", "walliser", "wallis", "valais", "schweizerdeutsch", "mundart", "dialekt", "valaisan", "valaisanne", "vallesano", "vallesana", "vallese"]),
    "de": frozenset(["german", "deutsch", "tudestg", "hochdeutsch", "allemand", "tedesco"]),
    "en": frozenset(["english", "englisch", "angles", "anglais", "inglese"]),
}  # fmt: skip


_FEW: Final = 4
"""Up to this many words with a language among them ask for a word: "Becher auf Walliserdeutsch"."""


def requested_language(question: Question) -> str:
    """The language in which a question asks for a word; "" if it names none or asks for more than a word.

    Questions about nicknames of cards ask for Sursilvan.
    """
    words = {word.folded for word in question.words}
    if words & _PHRASES or (not words & _CALLING and len(words) > _FEW):
        return ""
    for code, names in _LANGUAGES.items():
        if words & names:
            return code
    return "rm-sursilv" if words & _NICK else ""


def edits_in(spelling: str) -> int:
    """How many letters of a word may be wrong: none in numbers and words of up to two letters."""
    if any(char.isdigit() for char in spelling):
        return 0
    return 2 if len(spelling) >= 8 else 1 if len(spelling) >= 3 else 0


def one_edit_from(word: str) -> set[str]:
    """Every word at a distance of one slip: a letter missing, added or wrong, or two neighbours exchanged."""
    parts = [(word[:split], word[split:]) for split in range(len(word) + 1)]
    missing = {first + rest[1:] for first, rest in parts if rest}
    exchanged = {first + rest[1] + rest[0] + rest[2:] for first, rest in parts if len(rest) > 1}
    wrong = {first + letter + rest[1:] for first, rest in parts if rest for letter in ascii_lowercase}
    added = {first + letter + rest for first, rest in parts for letter in ascii_lowercase}
    return (missing | exchanged | wrong | added) - {word, ""}


def likeness(one: str, other: str) -> float:
    """The share of trigrams that two words have in common, from 0 to 1, as PostgreSQL computes it."""
    mine, theirs = set(trigrams(f"  {one} ")), set(trigrams(f"  {other} "))
    return len(mine & theirs) / len(mine | theirs)


def likeness_of_two_edits(word: str) -> float:
    """The least likeness of two words that are two slips apart.

    A slip spoils at most three trigrams, an exchange of two letters four. Two exchanges in a word of eight letters may
    leave a single trigram; that says too little, so two are required, and such a word is not found.
    """
    count = len(set(trigrams(f"  {word} ")))
    return max((count - 8) / (count + 8), 1 / count + 0.001)


def without_article(name: str) -> str:
    """A folded name without the article before it: "mund" for "il mund"."""
    article, _blank, rest = name.partition(" ")
    return rest if rest and article in _ARTICLES else name


def trigrams(text: str) -> list[str]:
    """All sequences of three letters, each once."""
    return list(dict.fromkeys(text[start : start + 3] for start in range(len(text) - 2)))


EXACT: Final = 1000
_AS_SPELLED: Final = 950
SAME: Final = 900
BEGINS: Final = 800
NEARLY: Final = 740
"""A name with a slip or two."""
_WORDS: Final = (600, 700)  # for a text, for a name
_HOLDING: Final = (450, 500)
_TYPO: Final = (300, 400)
_SOME: Final = 200
_PER_EDIT: Final = 25
_SOURCES_BEHIND: Final = 200
"""Subtracted for sources: whoever types "Troccas" looks for the game, not for works about it."""
_OWN_LANGUAGE: Final = 3
_IN_A_ROW: Final = 8


class Row(NamedTuple):
    """What ranking needs to know about a `SearchEntry`."""

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
"""The SQL that reads `Row`s from any database; `ids` is a query for their ids."""


@dataclass(slots=True)
class Near:
    """Words of the vocabulary that may be meant, in either spelling, by the skeleton of the typed word."""

    typos: dict[str, Mapping[str, int]] = field(default_factory=dict)
    """Each with the number of edits."""
    holding: dict[str, tuple[str, ...]] = field(default_factory=dict)
    """Longer words that contain the typed one."""


class _Match(NamedTuple):
    """How well a row matches one word of a question: `worth` from 0 to 1 within its band, `edits` for a mistyped word.

    `is_held`: only a longer word contains it. `is_beside`: it is only in the row's context.
    """

    worth: float
    edits: int = 0
    is_held: bool = False
    is_beside: bool = False


_MISSING: Final = _Match(0.0)


def score(row: Row, question: Question, near: Near, language: str) -> float | None:
    """How well `row` answers: higher is better; None if it does not answer."""
    band = _as_a_name(row, question) if row.part in NAMES else 0
    points: float | None
    if band:
        points = band + row.weight + _tie_break(row, language, len(question.folded))
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
    matches = [_match(word, own, beside, near) for word in words]
    if not any(match.worth and not match.is_beside for match in matches):
        return None
    # The other words of a sentence only decide between rows that contain its topic.
    others = [word for word in question.words if word not in words]
    worth = sum(match.worth for match in matches) + sum(_match(word, own, beside, near).worth for word in others)
    mean = worth / len(question.words)
    edits = sum(match.edits for match in matches)
    letters = sum(len(word.folded) for word, match in zip(words, matches, strict=True) if match.worth)
    rest = row.weight + _tie_break(row, language, letters)
    if not all(match.worth for match in matches):
        return _SOME * letters / sum(len(word.folded) for word in words) + 20 * mean - 10 * edits + rest / 4
    if edits:
        band = _TYPO[is_name]
    elif any(match.is_held for match in matches):
        band = _HOLDING[is_name]
    else:
        band = _WORDS[is_name]
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


def _tie_break(row: Row, language: str, letters: int) -> float:
    """Points that decide between equals: the reader's language, then how much of the row was asked for. Below 5."""
    return (_OWN_LANGUAGE if row.language == language else 0) + min(1.0, letters / max(1, row.length))
