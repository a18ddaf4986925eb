"""The account of a deal looked back at: what happened as sentences, their terms linked, and what was written meanwhile."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import TypeVar

from django.utils.safestring import SafeString

from games import wording
from games.chat.seen import MessageSeen, NoteSeen
from games.seen import Line, Replay, Step
from rules.markup.mentions import Mentions

Anchored = TypeVar("Anchored", MessageSeen, NoteSeen)


@dataclass(frozen=True, slots=True)
class Told:
    """One step: its number, what happened then (`html` with links to terms, `text` without), and what was written then."""

    number: int
    html: SafeString
    text: str
    messages: tuple[MessageSeen, ...] = ()
    notes: tuple[NoteSeen, ...] = ()


@dataclass(frozen=True, slots=True)
class Chapter:
    """The steps of one trick, or those before the play (trick 0)."""

    trick: int
    steps: tuple[Told, ...]


@dataclass(frozen=True, slots=True)
class Account:
    """The whole of it. `opening` is what was written before the first step; `glossary` explains the terms."""

    chapters: tuple[Chapter, ...]
    opening: Told
    glossary: SafeString


def account(
    replay: Replay, language: str, messages: Iterable[MessageSeen] = (), notes: Iterable[NoteSeen] = ()
) -> Account:
    """What happened in a deal, in `language`, trick by trick; messages and notes stand where they were written."""
    mentions = Mentions(language, replay.ruleset)
    masked = replace(replay, seats=tuple(replace(seat, name=mentions.keep(seat.name)) for seat in replay.seats))
    said = _by_step(replay.steps, list(messages))
    noted = _by_step(replay.steps, list(notes))
    chapters = []
    for trick, steps in groupby(replay.steps, key=lambda step: step.trick):
        mentions.chapter()
        told = tuple(
            _told(step, masked, mentions, said.get(step.number, ()), noted.get(step.number, ())) for step in steps
        )
        chapters.append(Chapter(trick, told))
    opening = Told(0, SafeString(""), "", tuple(said.get(0, ())), tuple(noted.get(0, ())))
    return Account(tuple(chapters), opening, mentions.glossary())


def _told(
    step: Step, masked: Replay, mentions: Mentions, messages: Sequence[MessageSeen], notes: Sequence[NoteSeen]
) -> Told:
    sentence = " ".join(wording.line(_masked(line, mentions), masked) for line in step.lines)
    return Told(step.number, mentions.linked(sentence), mentions.plain(sentence), tuple(messages), tuple(notes))


def _masked(line: Line, mentions: Mentions) -> Line:
    """The line with what people are called and what they said put aside."""
    return replace(
        line,
        words=mentions.keep(line.words) if line.words else "",
        name=mentions.keep(line.name) if line.name else "",
        then=tuple(replace(sat, name=mentions.keep(sat.name)) for sat in line.then),
    )


def _by_step(steps: Sequence[Step], written: Sequence[Anchored]) -> dict[int, list[Anchored]]:
    """What was written after each step: the last one whose action is not later than it; 0 before the first."""
    found: dict[int, list[Anchored]] = {}
    for each in written:
        at = max((step.number for step in steps if step.action <= each.number), default=0)
        found.setdefault(at, []).append(each)
    return found
