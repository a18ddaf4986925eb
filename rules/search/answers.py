"""Find the sentences that answer a question best.

They are weighed by how much of the question they contain, in the same words, in synonyms (from the term base and
`synonyms.toml`) or in the heading above them, and by whether similar questions are answered there (`questions/`). The
principal game counts more than its variants, the game or number of players in the question more than others, a short
sentence more than a long one, and a sentence with a number more if the question asks for one. If there is room, the
next best sentence of the section is shown with the best.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Iterator, Sequence, Set
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import islice
from math import log, sqrt
from typing import Final, NamedTuple

from core.text import fold, skeleton
from rules.search.passages import LONGEST, PRINCIPAL, TOURNAMENT, Book, Passage, book
from rules.search.stems import COUNTED, NUMBER_ASKED, PARTICLES, PLAYERS, Group, alike, joined, plain, seats_asked, stem


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
_NAME: Final = 1.2
_ONLY_NAME: Final = 1.7
_PHRASE: Final = 1.6
"""The factors for something that the question names: beside other words, as its only word, by a phrase."""
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


def answers_to(text: str, language: str) -> list[Answer]:
    """The passages that answer a question best, the best first; one for each section, at most two of an article."""
    corpus = book(language)
    question = _Question.of(corpus, text)
    groups = _groups(corpus, question)
    if not groups or not corpus.passages:
        return []
    ranked = sorted(
        _candidates(corpus, question, groups),
        key=lambda each: (-each.points, each.passage.key, each.passage.anchor, each.passage.text),
    )
    sections: dict[str, list[Answer]] = {}
    for each in ranked:
        sections.setdefault(each.passage.place, []).append(each)
    return [_with_another(each, sections[each.passage.place]) for each in islice(_apart(ranked), _MOST)]


def _groups(corpus: Book, question: _Question) -> list[Group]:
    """What to look for: the words of a question, except (if it has others) those that only name the game or players."""
    words = question.folded.split()
    telling = [_NOTHING if question.is_said(stem(word)) else word for word in words]
    groups = list(corpus.groups(question.stems, telling)) or list(corpus.groups(question.stems, words))
    if words[-1] in PARTICLES and (verbs := [verb for verb in joined(words) if verb in corpus.postings]):
        groups.append(Group(tuple((token, 1.0) for verb in verbs for token in corpus.tokens([verb])), 1))
    if groups and question.number and _tokens(groups) <= _CARDS | alike_cards(corpus):
        groups.append(Group(_EACH_GETS, 1))
    return groups


def _tokens(groups: Iterable[Group]) -> set[str]:
    return {token for group in groups for token, _worth in group.tokens}


def _candidates(corpus: Book, question: _Question, groups: Sequence[Group]) -> Iterator[Answer]:
    """The passages that contain enough of the question, and those in places that answer similar questions."""
    scores = _WordScores.of(corpus, groups)
    likely = question.places(corpus, corpus.wordings.places(corpus.question(question.folded)))
    concepts = {key for _start, _length, keys in corpus.named(question.stems) for key in keys} | _tokens(groups)
    name_factor = _ONLY_NAME if len(groups) == 1 and not question.number else _NAME
    on_subject = _passages_on_subject(corpus, question, groups)
    for number in {*scores.points, *(number for place in likely for number in corpus.places.get(place, ()))}:
        passage = corpus.passages[number]
        share = scores.points.get(number, 0.0) / scores.total
        likeness = likely.get(passage.place, 0.0)
        if share < _LEAST and not likeness:
            continue
        coverage = scores.coverage.get(number, 0.0) / scores.total
        length = 1 / (1 + 0.12 * log(max(passage.words, 8) / 8))
        by_words = share * length * (0.5 + 0.5 * coverage) * _of_name(passage, concepts, name_factor)
        by_likeness = _LIKELY * likeness * (_SURE if likeness > _THE_SAME else 1)
        fit = passage.weight * question.fit(passage) * (1 if number in on_subject else _OF_ELSE)
        yield Answer(passage, fit * (by_words + by_likeness), coverage)


@dataclass(slots=True)
class _WordScores:
    """How much of a question each passage contains, by the number of the passage. Rare words count for more."""

    total: float = 0.0
    """All words of the question."""
    points: dict[int, float] = field(default_factory=dict)
    """The words in a passage; they count for less if they match less well."""
    coverage: dict[int, float] = field(default_factory=dict)
    """The words in a passage, however well they match."""

    @classmethod
    def of(cls, corpus: Book, groups: Iterable[Group]) -> _WordScores:
        scores = cls()
        for group in groups:
            matches = _matches(corpus, group)
            rarity = sqrt(log(1 + len(corpus.passages) / (1 + len(matches)))) * (1 + 0.35 * (group.length - 1))
            scores.total += rarity
            for number, match in matches.items():
                scores.points[number] = scores.points.get(number, 0.0) + rarity * match
                scores.coverage[number] = scores.coverage.get(number, 0.0) + rarity
        return scores


def _matches(corpus: Book, group: Group) -> dict[int, float]:
    """The passages in which a group occurs, and how well each matches."""
    matches: dict[int, float] = {}
    for token, worth in group.tokens:
        for number, nearness in corpus.postings.get(token, ()):
            match = worth * nearness
            if match > matches.get(number, 0.0):
                matches[number] = match
    return matches


def _passages_on_subject(corpus: Book, question: _Question, groups: Sequence[Group]) -> Container[int]:
    """The passages that mention, or whose heading mentions, what the question wants counted; all if that is nothing."""
    count = COUNTED.search(question.folded)
    subject = stem(count["what"]) if count else ""
    for group in reversed(groups):
        if subject in dict(group.tokens):
            return {number for number, match in _matches(corpus, group).items() if match >= _NAMED_HERE}
    return range(len(corpus.passages))


def _of_name(passage: Passage, concepts: Set[str], name_factor: float) -> float:
    """The factor for a passage about a thing that the question names; a phrase is hardly ever named by chance."""
    if f"§{passage.key}" not in concepts:
        return 1.0
    return _PHRASE if passage.kind == "phrase" else name_factor


@dataclass(frozen=True, slots=True)
class _Question:
    """A question, the game and the number of players it is about, and whether it asks for a number."""

    folded: str
    stems: tuple[str, ...]
    family: str
    seats: int
    number: bool
    words: frozenset[str]
    bones: frozenset[str]
    """The words as they sound: "Grächen" and "Graechen" are one."""

    @classmethod
    def of(cls, corpus: Book, text: str) -> _Question:
        folded = _TRUMP_ONE.sub("trump i", plain(fold(text)))
        words = tuple(stem(word) for word in folded.split())
        games_of_names = [
            corpus.games.get(key, frozenset())
            for start, length, keys in corpus.named(words)
            for key in keys[:1]
            if words[start : start + length] not in corpus.verbs
        ]
        only = {next(iter(games)) for games in games_of_names if len(games) == 1}
        family = next((game for game in PRINCIPAL if stem(game) in words), "")
        if TOURNAMENT in only:
            family = TOURNAMENT
        elif not family and len(only) == 1:
            family = only.pop()
        elif not family and not only:
            family = _of_numbers(corpus, words) or _of_dialect(corpus, words)
        return cls(
            folded,
            words,
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
