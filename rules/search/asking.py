"""A question, taken apart: its words, and what the databases are asked for."""

from __future__ import annotations

from dataclasses import dataclass
from string import ascii_lowercase
from typing import Final, NamedTuple, TypeAlias

from rules.search.fold import fold, skeleton
from rules.search.models import WORD_LENGTH

MAX_LETTERS: Final = 100
"""What is longer is cut, and the page says so."""
MAX_WORDS: Final = 10
# Words that say nothing about what is meant, where a whole sentence is asked. Nothing is left out because they are missing.
_EMPTY_WORDS: Final = """
a an and are as at be by can do does for from get gets has have how i if in is it many may me mean meaning means much must my
need number of on or play played playing plays rule rules should the to was what when where which who why with you
als am an anzahl auf aus bedeutet bei bekommt bin bis braucht da darf das dem den der des die du durfen ein eine einem
einen einer er es fur hat heisst ich im in ist kann man mein mich mir mit muss nach nicht oder regel regeln sein sich sie sind so
spielen spielregeln spielt uber um und uns viel viele vom von wann war warum was welche welcher wen wer wie wieviel wieviele wird
wo wohin zu zum zur
c con cu da de del della dil dils e ei en gl ha igl il ils in la las le les lo l nus ora per pli qu que quei sin tgei tgi tier
un una une vus
"""
_EMPTY: Final = frozenset(_EMPTY_WORDS.split())
_ARTICLES: Final = frozenset(
    [
        "the",
        "a",
        "an",
        "der",
        "die",
        "das",
        "den",
        "ein",
        "eine",
        "il",
        "igl",
        "ils",
        "la",
        "las",
        "in",
        "ina",
        "l",
        "le",
        "les",
        "lo",
        "un",
        "una",
        "une",
    ]
)


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


@dataclass(frozen=True, slots=True)
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

    @property
    def core(self) -> str:
        """What remains of a sentence, as skeleton: "scart" of "what is the scart"."""
        return " ".join(word.skeleton for word in self.telling())


def read(text: str) -> Question:
    """Any text as a question. Never raises."""
    # PostgreSQL takes no NUL, and no half of a surrogate pair can be written as UTF-8.
    tidy = " ".join("".join(char for char in text if char.isprintable() or char.isspace()).split())
    cut = tidy[:MAX_LETTERS].rstrip()
    all_words = [word[:WORD_LENGTH] for word in fold(cut).split()]
    folded = all_words[:MAX_WORDS]
    bare = [skeleton(word) for word in folded]
    last = len(folded) - 1
    words = tuple(
        _word(word, bones, is_last=number == last)
        for number, (word, bones) in enumerate(zip(folded, bare, strict=True))
    )
    return Question(cut, " ".join(folded), " ".join(bare), words, len(tidy) > len(cut) or len(all_words) > len(folded))


def _word(folded: str, bones: str, *, is_last: bool) -> Word:
    spellings = tuple(dict.fromkeys((folded, bones)))
    # A single letter says too little for its sound to be taken for another's.
    beginnings = tuple(text for text in spellings if text == folded or len(text) > 1) if is_last else ()
    return Word(folded, bones, spellings, beginnings)


def edits_in(spelling: str) -> int:
    """How many letters of a word may be wrong: none in short words and numbers."""
    if any(char.isdigit() for char in spelling):
        return 0
    return 2 if len(spelling) >= 8 else 1 if len(spelling) >= 4 else 0


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
