"""Which sentences answer a question best.

They are weighed by how much of the question they hold, in the same words, in words that mean the same (the term base,
`alike.toml`) or in the heading above them, and by whether people who ask so are answered there (`questions/`). The
principal game counts before its variants, the game or the number of players that is named before others, a short sentence
before a long one, and where a number is asked for, a sentence with a number. Where there is room, the next best sentence of
the section is shown with the best.
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
    """A passage that answers, how well (0 to about 1.5), and how much of the question it covers (0 to 1)."""

    passage: Passage
    points: float
    covered: float


_NOTHING: Final = "a"
"""An empty word, in the place of one that says nothing more."""
_LIKELY: Final = 0.9
"""How much it counts, beside the words that are met (about 1 at the most), that questions like this one are answered there."""
_THE_SAME: Final = 0.9
_SURE: Final = 1.6
"""A question that is the same as one that is known is answered there."""
_LEAST: Final = 0.3
"""A sentence that holds less of the question answers nothing."""
_OTHER_GAME: Final = 0.7
"""How likely the game itself answers where a variant of it is meant."""
_PHRASE: Final = 1.6
_NAMED_HERE: Final = 0.4
_OF_ELSE: Final = 0.8
"""What does not speak of what is to be counted, neither itself nor in its heading."""
_AS_WELL: Final = 0.7
"""A second sentence of the section is shown as well if it fits so well beside the first."""
_BETWEEN: Final = " … "
_MOST: Final = 12
_EACH: Final = 2
"""At most so many sections of one article."""


_TRUMP_ONE: Final = re.compile(r"\b(?:the|die|der|den|le|il) i\b")
"""By itself an "I" says who asks."""
_CARDS: Final = frozenset(stem(word) for word in ["card", "karten", "carte", "cartas"])
_EACH_GETS: Final = tuple(
    (stem(word), 1.0)
    for word in ["each", "everyone", "je", "alle", "jede", "hand", "hands", "chacun", "ognuno", "ciascuno"]
)
"""How many cards: as many as each player gets."""


def alike_cards(made: Book) -> frozenset[str]:
    return frozenset(key for word in _CARDS for key in made.concepts.get((word,), ()))


def answers_to(question: str, language: str) -> list[Answer]:
    """The passages that answer best, the best first; one for each section, at most two of an article."""
    made = book(language)
    folded = _TRUMP_ONE.sub("trump i", plain(fold(question)))
    words = [stem(word) for word in folded.split()]
    asked = _Asked.of(made, folded, words)
    said = folded.split()
    groups = list(made.groups(words, [_NOTHING if asked.is_said(stem(word)) else word for word in said]))
    groups = groups or list(made.groups(words, [word if word not in EMPTY else _NOTHING for word in said]))
    if said[-1] in PARTICLES:
        verbs = [verb for verb in joined(said) if verb in made.postings]
        groups += [Group(tuple((token, 1.0) for verb in verbs for token in made.tokens([verb])), 1)] if verbs else []
    if not groups or not made.passages:
        return []
    if asked.number and {token for group in groups for token, _worth in group.tokens} <= _CARDS | alike_cards(made):
        groups.append(Group(_EACH_GETS, 1))
    about = frozenset(key for _start, _length, keys in made.named(words) for key in keys) | {
        token for group in groups for token, _worth in group.tokens if token.startswith("§")
    }
    of_what = COUNTED.search(folded)
    counted = stem(of_what["what"]) if of_what else ""
    speaking: set[int] | None = None
    scores: dict[int, float] = {}
    covered: dict[int, float] = {}
    total = 0.0
    for group in groups:
        best: dict[int, float] = {}
        for token, worth in group.tokens:
            for number, nearness in made.postings.get(token, ()):
                value = worth * nearness
                if value > best.get(number, 0.0):
                    best[number] = value
        if counted in dict(group.tokens):
            speaking = {number for number, value in best.items() if value >= _NAMED_HERE}
        rarity = sqrt(log(1 + len(made.passages) / (1 + len(best)))) * (1 + 0.35 * (group.length - 1))
        total += rarity
        for number, value in best.items():
            scores[number] = scores.get(number, 0.0) + rarity * value
            covered[number] = covered.get(number, 0.0) + rarity
    named = 1.7 if len(groups) == 1 and not asked.number else 1.2
    likely = asked.places(made, made.wordings.places(made.question(folded)))
    found = []
    for number in {*scores, *(number for place in likely for number in made.places.get(place, ()))}:
        passage = made.passages[number]
        share = scores.get(number, 0.0) / total
        likeness = likely.get(passage.place, 0.0)
        if share < _LEAST and not likeness:
            continue
        length = 1 / (1 + 0.12 * log(max(passage.words, 8) / 8))
        whole = covered.get(number, 0.0) / total
        fit = passage.weight * asked.fit(passage)
        if speaking is not None and number not in speaking:
            fit *= _OF_ELSE
        met = share * length * (0.5 + 0.5 * whole) * _of_name(passage, about, named)
        found.append(Answer(passage, fit * (met + _LIKELY * likeness * (_SURE if likeness > _THE_SAME else 1)), whole))
    found.sort(key=lambda each: (-each.points, each.passage.key, each.passage.anchor, each.passage.text))
    first = list(_apart(found))[:_MOST]
    beside: dict[str, list[Answer]] = {each.passage.place: [] for each in first}
    for each in found:
        if (others := beside.get(each.passage.place)) is not None:
            others.append(each)
    return [_with_another(each, beside[each.passage.place]) for each in first]


def _of_name(passage: Passage, about: frozenset[str], named: float) -> float:
    """What is said of a thing that the question names; of a phrase, hardly anything else can be meant."""
    if f"§{passage.key}" not in about:
        return 1.0
    return _PHRASE if passage.kind == "phrase" else named


@dataclass(frozen=True, slots=True)
class _Asked:
    """What a question says of the game, of the number of players, and whether it wants a number."""

    family: str
    seats: int
    number: bool
    words: frozenset[str]
    bones: frozenset[str]
    """The words as they sound: "Grächen" and "Graechen" are one."""

    @classmethod
    def of(cls, made: Book, folded: str, words: Sequence[str]) -> _Asked:
        named = set(words)
        meant = [
            made.games.get(key, frozenset())
            for start, length, keys in made.named(words)
            for key in keys[:1]
            if tuple(words[start : start + length]) not in made.verbs
        ]
        only = {next(iter(games)) for games in meant if len(games) == 1}
        family = next((game for game in PRINCIPAL if stem(game) in named), "")
        if TOURNAMENT in only:
            family = TOURNAMENT
        elif not family:
            family = (
                only.pop() if len(only) == 1 else "" if only else _of_numbers(made, words) or _of_dialect(made, words)
            )
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

    def places(self, made: Book, likely: dict[str, float]) -> dict[str, float]:
        """Where questions like this one are answered: in the same section of the variant, too, if one is meant."""
        variants = [variant.key for variant in made.variants if self.means(variant)]
        found = dict(likely)
        for place, likeness in likely.items():
            key, _hash, anchor = place.partition("#")
            for variant in variants:
                if key in PRINCIPAL and variant.startswith(f"{key}-") and anchor:
                    found[f"{variant}#{anchor}"] = likeness
                    found[place] = likeness * _OTHER_GAME
        return found

    def means(self, passage: Passage) -> bool:
        """Whether a passage is of the variant that is named, or for the number of players that is."""
        return bool(_special(passage.key) & self.bones) or (
            passage.family == PRINCIPAL[0] and passage.seats == (self.seats,)
        )

    def fit(self, passage: Passage) -> float:
        """How well the place of a passage suits: the game, the number of players, the number asked for."""
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


def _of_numbers(made: Book, words: Sequence[str]) -> str:
    """The game in which alone the numbers of a question occur: 57 is half of the points of Troggu."""
    found = {
        made.passages[number].family
        for word in words
        if word.isdigit()
        for number, nearness in made.postings.get(word, ())
        if nearness == 1.0
    } & {*PRINCIPAL}
    return found.pop() if len(found) == 1 else ""


def _of_dialect(made: Book, words: Sequence[str]) -> str:
    """The game of a name that is Valais German: who asks for the "Bättler" plays Troggu."""
    said = (made.dialect.get(tuple(words[start : start + length])) for start, length, _keys in made.named(words))
    return next((game for game in said if game), "")


@lru_cache(maxsize=512)
def _special(key: str) -> frozenset[str]:
    """What tells a variant from its game: "oinkers", "online", "graechen", "niklaus"."""
    parts = key.removeprefix("words.").split("-")
    if parts[-1] in ("rules", "game"):
        parts = ["", *parts[:-1]]
    elif parts[0] not in PRINCIPAL:
        return frozenset()
    return frozenset(skeleton(stem(fold(part))) for part in parts[1:] if len(part) > 3)


def _apart(found: Iterable[Answer]) -> Iterator[Answer]:
    """Only the best passage of each section, and of each article a few sections."""
    seen: set[tuple[str, str, str]] = set()
    many: dict[tuple[str, str], int] = {}
    for each in found:
        place = (each.passage.kind, each.passage.key, each.passage.anchor)
        entry = place[:2]
        if place in seen or many.get(entry, 0) >= _EACH:
            continue
        seen.add(place)
        many[entry] = many.get(entry, 0) + 1
        yield each


def _with_another(best: Answer, found: Iterable[Answer]) -> Answer:
    """With the next best sentence of the same section behind it, where there is room: one of the two mostly answers.

    `found` are the sentences of its section, the best first.
    """
    shown = best.passage
    room = LONGEST - len(shown.text) - len(_BETWEEN)
    for each in found:
        said = each.passage.said
        if not said or len(said) > room or each.points < best.points * _AS_WELL:
            continue
        if said not in shown.text and shown.said not in said:
            return best._replace(passage=replace(shown, text=f"{shown.text}{_BETWEEN}{said}"))
    return best
