"""Find the sentences that answer a question best.

They are weighed by how much of the question they contain, in the same words, in synonyms (from the term base and
`synonyms.toml`) or in the heading above them, and by whether similar questions are answered there (`questions/`). The
principal game counts more than its variants, the game or number of players in the question more than others, a short
sentence more than a long one, and a sentence with a number more if the question asks for one. If there is room, the
next best sentence of the section is shown with the best.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from math import log, sqrt
from typing import Final, NamedTuple

from core.text import fold, skeleton
from rules.search.passages import LONGEST, PRINCIPAL, TOURNAMENT, Book, Passage, book
from rules.search.stems import (
    COUNTED,
    EMPTY,
    NUMBER_ASKED,
    PARTICLES,
    PLAYERS,
    Group,
    alike,
    joined,
    plain,
    seats_asked,
    stem,
)


class Answer(NamedTuple):
    """A passage that answers, how well it does (0 to about 1.5), and how much of the question it covers (0 to 1)."""

    passage: Passage
    points: float
    covered: float


_NOTHING: Final = "a"
"""An empty word, to replace one that says nothing more."""
_LIKELY: Final = 0.9
"""The weight of similar questions being answered in a place, beside that of matching words (about 1 at most)."""
_THE_SAME: Final = 0.9
_SURE: Final = 1.6
"""The factor for a question that is practically the same as a known one (`_THE_SAME`)."""
_LEAST: Final = 0.3
"""A sentence that contains less of the question does not answer it."""
_OTHER_GAME: Final = 0.7
"""The factor for the game itself if a variant of it is meant."""
_PHRASE: Final = 1.6
_NAMED_HERE: Final = 0.4
_OF_ELSE: Final = 0.8
"""The factor for a sentence that mentions what is to be counted neither itself nor in its heading."""
_AS_WELL: Final = 0.7
"""A second sentence of the section is shown as well if it has at least this share of the points of the first."""
_BETWEEN: Final = " … "
_MOST: Final = 12
_EACH: Final = 2
"""The most sections of one article."""


_TRUMP_ONE: Final = re.compile(r"\b(?:the|die|der|den|le|il) i\b")
"""The lowest trump; a plain "I" is only the person asking."""
_CARDS: Final = frozenset(stem(word) for word in ["card", "karten", "carte", "cartas"])
_EACH_GETS: Final = tuple(
    (stem(word), 1.0)
    for word in ["each", "everyone", "je", "alle", "jede", "hand", "hands", "chacun", "ognuno", "ciascuno"]
)
"""A plain "how many cards" asks how many each player gets."""


def alike_cards(corpus: Book) -> frozenset[str]:
    """The concepts that a word for "card" can name."""
    return frozenset(key for word in _CARDS for key in corpus.concepts.get((word,), ()))


def answers_to(question: str, language: str) -> list[Answer]:
    """The passages that answer best, the best first; one for each section, at most two of an article."""
    corpus = book(language)
    folded = _TRUMP_ONE.sub("trump i", plain(fold(question)))
    words = [stem(word) for word in folded.split()]
    asked = _Asked.of(corpus, folded, words)
    unstemmed = folded.split()
    groups = list(corpus.groups(words, [_NOTHING if asked.is_said(stem(word)) else word for word in unstemmed]))
    groups = groups or list(corpus.groups(words, [word if word not in EMPTY else _NOTHING for word in unstemmed]))
    if unstemmed[-1] in PARTICLES:
        verbs = [verb for verb in joined(unstemmed) if verb in corpus.postings]
        groups += [Group(tuple((token, 1.0) for verb in verbs for token in corpus.tokens([verb])), 1)] if verbs else []
    if not groups or not corpus.passages:
        return []
    if asked.number and {token for group in groups for token, _worth in group.tokens} <= _CARDS | alike_cards(corpus):
        groups.append(Group(_EACH_GETS, 1))
    about = frozenset(key for _start, _length, keys in corpus.named(words) for key in keys) | {
        token for group in groups for token, _worth in group.tokens if token.startswith("§")
    }
    counted_match = COUNTED.search(folded)
    counted = stem(counted_match["what"]) if counted_match else ""
    mentioning: set[int] | None = None
    scores: dict[int, float] = {}
    covered: dict[int, float] = {}
    total = 0.0
    for group in groups:
        best: dict[int, float] = {}
        for token, worth in group.tokens:
            for number, nearness in corpus.postings.get(token, ()):
                value = worth * nearness
                if value > best.get(number, 0.0):
                    best[number] = value
        if counted in dict(group.tokens):
            mentioning = {number for number, value in best.items() if value >= _NAMED_HERE}
        rarity = sqrt(log(1 + len(corpus.passages) / (1 + len(best)))) * (1 + 0.35 * (group.length - 1))
        total += rarity
        for number, value in best.items():
            scores[number] = scores.get(number, 0.0) + rarity * value
            covered[number] = covered.get(number, 0.0) + rarity
    named = 1.7 if len(groups) == 1 and not asked.number else 1.2
    likely = asked.places(corpus, corpus.wordings.places(corpus.question(folded)))
    ranked = []
    for number in {*scores, *(number for place in likely for number in corpus.places.get(place, ()))}:
        passage = corpus.passages[number]
        share = scores.get(number, 0.0) / total
        likeness = likely.get(passage.place, 0.0)
        if share < _LEAST and not likeness:
            continue
        length = 1 / (1 + 0.12 * log(max(passage.words, 8) / 8))
        whole = covered.get(number, 0.0) / total
        fit = passage.weight * asked.fit(passage)
        if mentioning is not None and number not in mentioning:
            fit *= _OF_ELSE
        by_words = share * length * (0.5 + 0.5 * whole) * _of_name(passage, about, named)
        by_likeness = _LIKELY * likeness * (_SURE if likeness > _THE_SAME else 1)
        ranked.append(Answer(passage, fit * (by_words + by_likeness), whole))
    ranked.sort(key=lambda each: (-each.points, each.passage.key, each.passage.anchor, each.passage.text))
    first = list(_apart(ranked))[:_MOST]
    beside: dict[str, list[Answer]] = {each.passage.place: [] for each in first}
    for each in ranked:
        if (others := beside.get(each.passage.place)) is not None:
            others.append(each)
    return [_with_another(each, beside[each.passage.place]) for each in first]


def _of_name(passage: Passage, about: frozenset[str], named: float) -> float:
    """The factor for a passage about a thing that the question names; a phrase is hardly ever named by chance."""
    if f"§{passage.key}" not in about:
        return 1.0
    return _PHRASE if passage.kind == "phrase" else named


@dataclass(frozen=True, slots=True)
class _Asked:
    """What a question says about the game and the number of players, and whether it asks for a number."""

    family: str
    seats: int
    number: bool
    words: frozenset[str]
    bones: frozenset[str]
    """The words as they sound: "Grächen" and "Graechen" are one."""

    @classmethod
    def of(cls, corpus: Book, folded: str, words: Sequence[str]) -> _Asked:
        named = set(words)
        games_of_names = [
            corpus.games.get(key, frozenset())
            for start, length, keys in corpus.named(words)
            for key in keys[:1]
            if tuple(words[start : start + length]) not in corpus.verbs
        ]
        only = {next(iter(games)) for games in games_of_names if len(games) == 1}
        family = next((game for game in PRINCIPAL if stem(game) in named), "")
        if TOURNAMENT in only:
            family = TOURNAMENT
        elif not family and len(only) == 1:
            family = only.pop()
        elif not family and not only:
            family = _of_numbers(corpus, words) or _of_dialect(corpus, words)
        return cls(
            family,
            seats_asked(folded),
            bool(NUMBER_ASKED.search(folded)),
            frozenset(words),
            frozenset(map(skeleton, words)),
        )

    def is_said(self, word: str) -> bool:
        """Whether a word only says which game is meant, or how many play."""
        return bool(self.family and word == stem(self.family)) or bool(
            self.seats and (PLAYERS.get(word) == self.seats or "~players" in alike().get(word, ()))
        )

    def places(self, corpus: Book, likely: dict[str, float]) -> dict[str, float]:
        """The likely places; if a variant is meant, the same sections of the variant, too."""
        variants = [variant.key for variant in corpus.variants if self.means(variant)]
        places = dict(likely)
        for place, likeness in likely.items():
            key, _hash, anchor = place.partition("#")
            for variant in variants:
                if key in PRINCIPAL and variant.startswith(f"{key}-") and anchor:
                    places[f"{variant}#{anchor}"] = likeness
                    places[place] = likeness * _OTHER_GAME
        return places

    def means(self, passage: Passage) -> bool:
        """Whether a passage belongs to the variant that the question names, or to its number of players."""
        return bool(_special(passage.key) & self.bones) or (
            passage.family == PRINCIPAL[0] and passage.seats == (self.seats,)
        )

    def fit(self, passage: Passage) -> float:
        """How well a passage suits the question: by the game, the number of players, and whether it has a number."""
        points = 1.0
        if self.family and passage.family:
            points *= 1.2 if passage.family == self.family else 0.6
        elif passage.family == PRINCIPAL[0]:
            points *= 1.12
        own = _special(passage.key)
        if own and not own & self.bones:
            points *= 0.85
        if own & self.bones:
            points *= 1.5
        elif self.seats and passage.seats:
            only = 1.45 if len(passage.seats) == 1 else 1.2
            points *= only if self.seats in passage.seats else 0.65
            points *= 0.85 if passage.family == PRINCIPAL[1] and not passage.is_principal else 1.0
            points *= 1.0 if passage.is_principal or self.seats != 4 else 0.85
        elif passage.seats and not passage.is_principal:
            points *= 0.8
        if self.seats and not passage.seats:
            points *= 0.85
        if passage.asked:
            alike_words = len(self.words & passage.asked) / len(self.words | passage.asked)
            points *= 0.72 + 0.8 * alike_words
        if self.number:
            points *= 1.15 if passage.numbers - self.words else 0.8
        return points


def _of_numbers(corpus: Book, words: Sequence[str]) -> str:
    """The only game in which the numbers of a question occur, if any: 57 is half of the points of Troggu."""
    games = {
        corpus.passages[number].family
        for word in words
        if word.isdigit()
        for number, nearness in corpus.postings.get(word, ())
        if nearness == 1.0
    } & {*PRINCIPAL}
    return games.pop() if len(games) == 1 else ""


def _of_dialect(corpus: Book, words: Sequence[str]) -> str:
    """The game of a name that only Valais German has: whoever asks for the "Bättler" plays Troggu."""
    games = (corpus.dialect.get(tuple(words[start : start + length])) for start, length, _keys in corpus.named(words))
    return next((game for game in games if game), "")


@lru_cache(maxsize=512)
def _special(key: str) -> frozenset[str]:
    """The words in a key that distinguish a variant from its game: "oinkers", "online", "graechen", "niklaus"."""
    parts = key.removeprefix("words.").split("-")
    if parts[-1] in ("rules", "game"):
        parts = ["", *parts[:-1]]
    elif parts[0] not in PRINCIPAL:
        return frozenset()
    return frozenset(skeleton(stem(fold(part))) for part in parts[1:] if len(part) > 3)


def _apart(ranked: Iterable[Answer]) -> Iterator[Answer]:
    """Only the best passage of each section, and a few sections of each article."""
    seen: set[tuple[str, str, str]] = set()
    counts: dict[tuple[str, str], int] = {}
    for each in ranked:
        place = (each.passage.kind, each.passage.key, each.passage.anchor)
        entry = place[:2]
        if place in seen or counts.get(entry, 0) >= _EACH:
            continue
        seen.add(place)
        counts[entry] = counts.get(entry, 0) + 1
        yield each


def _with_another(best: Answer, section: Iterable[Answer]) -> Answer:
    """Append the next best sentence of the same section if there is room: usually one of the two answers.

    `section` has the answers of its section, the best first.
    """
    shown = best.passage
    room = LONGEST - len(shown.text) - len(_BETWEEN)
    for each in section:
        said = each.passage.said
        if not said or len(said) > room or each.points < best.points * _AS_WELL:
            continue
        if said not in shown.text and shown.said not in said:
            return best._replace(passage=replace(shown, text=f"{shown.text}{_BETWEEN}{said}"))
    return best
