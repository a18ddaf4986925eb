"""Find places that answer similar questions: `questions/` has what people ask, and where it is answered.

A question resembles a wording if they share telling words: in the same form, as synonyms, or as names of one concept.
Rare words count for more, and the kind of question (who, when, how many, why …) counts as a word, too.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from math import log, sqrt
from pathlib import Path
from typing import Final, NamedTuple

from rules.search.stems import Group

KINDS: Final[Mapping[str, re.Pattern[str]]] = {
    kind: re.compile(rf"\b(?:{pattern})\b")
    for kind, pattern in {
        "many": r"how (?:many|much)|number of|wie ?viele?|con(?:ts|tas)|qu[ao]nt(?:a?s|[aieo])|con biars|combien|wie gross|how (?:big|large)",
        "who": r"who|whose|whom|wer|wem|wen|tgi|qui",
        "when": r"when|until when|wann|ab wann|cura|quand|seit wann",
        "where": r"where|wo|woher|nua|ou",
        "why": r"why|warum|weshalb|pertgei|pourquoi",
        "compare": r"difference|different|differ|differs|vs|versus|compared|unterschied|unterschiede|unterscheidet|dasselbe|difference|differents|differenza|differenze|diverso",
        "may": r"may|can|allowed|permitted|legal|darf|durfen|kann|konnen|erlaubt|astg\w*|peut on|po",
        "must": r"must|have to|need to|compulsory|obliged|forced|muss|mussen|sto|dois je|faut il",
    }.items()
}
"""The words that mark each kind of question, in folded text."""
_KIND_WEIGHT: Final = 1.8
_RAREST: Final = 3.0
"""The upper limit for the weight of rare words: in a long question, many words are rare but do not matter."""
_UNKNOWN: Final = 0.6
"""The factor for a word that no wording has: it says little against any of them."""
LEAST: Final = 0.35
"""Wordings less alike than this do not count."""


class Wording(NamedTuple):
    """A wording of a question: where it is answered, the best place first, and the total weight of its words."""

    places: tuple[str, ...]
    weight: float


class Wordings:
    """All wordings, and the index of the tokens in them."""

    def __init__(self, questions: Sequence[tuple[tuple[str, ...], Sequence[Group]]]) -> None:
        """`questions`: for each wording, where it is answered, and its groups."""
        self._index: dict[str, dict[int, float]] = {}
        for number, (_places, groups) in enumerate(questions):
            for group in groups:
                for token, worth in group.tokens:
                    worths = self._index.setdefault(token, {})
                    worths[number] = max(worth, worths.get(number, 0.0))
        self._count = len(questions)
        weight = cache(self._weight)  # thousands of wordings are made of the same few hundred words
        self.wordings = [Wording(places, sum(map(weight, groups))) for places, groups in questions]

    def _matches(self, group: Group) -> dict[int, float]:
        """The wordings in which a group occurs, and how well each matches."""
        matches: dict[int, float] = {}
        for token, worth in group.tokens:
            for number, other in self._index.get(token, {}).items():
                match = worth * other if token[0] in "~§" else min(worth, other)
                matches[number] = max(matches.get(number, 0.0), match)
        return matches

    def _frequency(self, group: Group) -> int:
        """The number of wordings in which a group occurs."""
        return len(set[int]().union(*(self._index.get(token, ()) for token, _worth in group.tokens)))

    def _weight(self, group: Group) -> float:
        if group.tokens[0][0].startswith("?"):
            return _KIND_WEIGHT
        frequency = self._frequency(group)
        rarity = min(_RAREST, log(1 + self._count / (1 + frequency))) * (1 if frequency else _UNKNOWN)
        return rarity * (1 + 0.3 * (group.length - 1))

    def places(self, groups: Sequence[Group], without: frozenset[int] = frozenset()) -> dict[str, float]:
        """Places that answer such a question, each with the likeness of the most similar wording, from LEAST to 1.

        Later places of one wording get a little less. `without` leaves out wordings, to measure how well the others do.
        """
        total = 0.0
        shared: dict[int, float] = {}
        for group in groups:
            weight = self._weight(group)
            total += weight
            for number, worth in self._matches(group).items():
                shared[number] = shared.get(number, 0.0) + weight * worth
        likely: dict[str, float] = {}
        for number, weight in shared.items():
            wording = self.wordings[number]
            alike = weight / sqrt(total * wording.weight) if wording.weight else 0.0
            if number in without or alike < LEAST:
                continue
            for rank, place in enumerate(wording.places):
                likely[place] = max(likely.get(place, 0.0), min(alike, 1.0) * (1 - 0.03 * rank))
        return likely


def kinds(folded: str) -> Iterator[Group]:
    """The kinds of a question, as groups."""
    for kind, pattern in KINDS.items():
        if pattern.search(folded):
            yield Group(((f"?{kind}", 1.0),), 1)


@cache
def read() -> Sequence[tuple[tuple[str, ...], str]]:
    """Each wording of the files, with the places that answer it."""
    files = sorted(Path(__file__).with_name("questions").glob("*.toml"))
    topics = [topic for file in files for topic in tomllib.loads(file.read_text(encoding="utf-8")).items()]
    return [(tuple(places.split()), line) for places, lines in topics for line in lines.strip().splitlines()]
