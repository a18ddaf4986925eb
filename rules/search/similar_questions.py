"""Which places answer questions like the one that is asked: `questions/` has what people ask, and where it is answered.

A question is like a wording if they share their telling words, in the same form, in a form that means the same, or as names of
one concept; rare words count for more, and what kind of question it is (who, when, how many, why …) is a word as well.
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
"""By which words a kind of question is known, in folded text."""
_KIND_WEIGHT: Final = 1.8
_RAREST: Final = 3.0
"""What a rare word counts at the most: in a long question, many words are rare that do not matter."""
_UNKNOWN: Final = 0.6
"""A word that no wording has says little against one."""
LEAST: Final = 0.35
"""Questions less alike than this are not taken for the same."""


class Wording(NamedTuple):
    """A wording of a question: where it is answered, the best place first, and what its words weigh together."""

    places: tuple[str, ...]
    weight: float


class Wordings:
    """All wordings, and in which of them each token occurs."""

    def __init__(self, asked: Sequence[tuple[tuple[str, ...], Sequence[Group]]]) -> None:
        """`asked`: for each wording, where it is answered, and its groups."""
        self._held: dict[str, dict[int, float]] = {}
        for number, (_places, groups) in enumerate(asked):
            for group in groups:
                for token, worth in group.tokens:
                    held = self._held.setdefault(token, {})
                    held[number] = max(worth, held.get(number, 0.0))
        self._count = len(asked)
        weight = cache(self._weight)  # thousands of wordings are made of the same few hundred words
        self.wordings = [Wording(places, sum(map(weight, groups))) for places, groups in asked]

    def _met(self, group: Group) -> dict[int, float]:
        """In which wordings a group occurs, and how well."""
        met: dict[int, float] = {}
        for token, worth in group.tokens:
            for number, held in self._held.get(token, {}).items():
                met[number] = max(met.get(number, 0.0), worth * held if token[0] in "~§" else min(worth, held))
        return met

    def _many(self, group: Group) -> int:
        """In how many wordings a group occurs."""
        return len(set[int]().union(*(self._held.get(token, ()) for token, _worth in group.tokens)))

    def _weight(self, group: Group) -> float:
        if group.tokens[0][0].startswith("?"):
            return _KIND_WEIGHT
        many = self._many(group)
        rarity = min(_RAREST, log(1 + self._count / (1 + many))) * (1 if many else _UNKNOWN)
        return rarity * (1 + 0.3 * (group.length - 1))

    def places(self, groups: Sequence[Group], without: frozenset[int] = frozenset()) -> dict[str, float]:
        """Places that answer such a question, with how much it is like the likest wording: from LEAST to 1.

        Of one wording, later places get a little less. `without` leaves out wordings, to measure how well the others do.
        """
        total = 0.0
        shared: dict[int, float] = {}
        for group in groups:
            weight = self._weight(group)
            total += weight
            for number, worth in self._met(group).items():
                shared[number] = shared.get(number, 0.0) + weight * worth
        found: dict[str, float] = {}
        for number, weight in shared.items():
            wording = self.wordings[number]
            alike = weight / sqrt(total * wording.weight) if wording.weight else 0.0
            if number in without or alike < LEAST:
                continue
            for rank, place in enumerate(wording.places):
                found[place] = max(found.get(place, 0.0), min(alike, 1.0) * (1 - 0.03 * rank))
        return found


def kinds(folded: str) -> Iterator[Group]:
    """What kind of question it is, as groups."""
    for kind, pattern in KINDS.items():
        if pattern.search(folded):
            yield Group(((f"?{kind}", 1.0),), 1)


@cache
def read() -> Sequence[tuple[tuple[str, ...], str]]:
    """Each wording of the files, with the places that answer it."""
    files = sorted(Path(__file__).with_name("questions").glob("*.toml"))
    topics = [topic for file in files for topic in tomllib.loads(file.read_text(encoding="utf-8")).items()]
    return [(tuple(places.split()), line) for places, lines in topics for line in lines.strip().splitlines()]
