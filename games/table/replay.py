"""What a page of a deal looked back at is made of, whatever game or record it comes from; and its picture.

The account of a deal looked back at: what happened as sentences, their terms linked, and what was written meanwhile.

The draw for partners as everybody saw it: who turned up which cards, and how they came to sit.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Any, TypeVar

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.cache import patch_cache_control
from django.utils.safestring import SafeString
from django.utils.translation import get_language

from accounts.middleware import address_of
from core.http import whole_number
from core.limits import take
from games.chat.selectors import MessageSeen, NoteSeen
from games.read_models import Line, OpenSeat, Replay, Step
from games.table import pictures
from games.text.log import log_line
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
    sentence = " ".join(log_line(_masked(line, mentions), masked) for line in step.lines)
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


_LONGEST_STEP = 4


@dataclass(frozen=True, slots=True)
class Addresses:
    """Where the things of one deal are. `room` is games or imported."""

    room: str
    public_id: str
    hand: int
    previous_hand: int | None = None
    following_hand: int | None = None

    @property
    def page(self) -> str:
        """The page of the deal."""
        return self._of("replay", self.hand)

    @property
    def previous(self) -> str:
        """The deal before, at its beginning; empty if there is none to look at."""
        return f"{self._of('replay', self.previous_hand)}?step=0" if self.previous_hand is not None else ""

    @property
    def following(self) -> str:
        """The deal after, at its beginning; empty if there is none to look at."""
        return f"{self._of('replay', self.following_hand)}?step=0" if self.following_hand is not None else ""

    @property
    def hands(self) -> str:
        """The list of all deals of the game."""
        return reverse(f"{self.room}:hands", args=[self.public_id])

    @property
    def table(self) -> str:
        """The table where it was played; empty for a record."""
        return reverse("games:table", args=[self.public_id]) if self.room == "games" else ""

    @property
    def record(self) -> str:
        """The record of this deal."""
        return self._of("hand_record", self.hand)

    @property
    def game_record(self) -> str:
        """The record of the whole game."""
        return reverse(f"{self.room}:record", args=[self.public_id])

    @property
    def from_here(self) -> str:
        """Where a table at a moment of it is asked for."""
        return self._of("from_here", self.hand)

    @property
    def png(self) -> str:
        """The picture of a moment (`?step=`), as PNG."""
        return reverse(f"{self.room}:picture", args=[self.public_id, self.hand, "png"])

    @property
    def svg(self) -> str:
        """The same as SVG."""
        return reverse(f"{self.room}:picture", args=[self.public_id, self.hand, "svg"])

    def _of(self, name: str, hand: int | None) -> str:
        return reverse(f"{self.room}:{name}", args=[self.public_id, hand])


def step_of(request: HttpRequest) -> int | None:
    """The step an address asks for; None for none, or for what is no number."""
    return whole_number(request.GET.get("step", ""), _LONGEST_STEP)


def addresses_of(replay: Replay, room: str) -> Addresses:
    """The addresses of a deal and of what belongs to it."""
    return Addresses(room, replay.public_id, replay.hand, replay.previous, replay.following)


def context(
    replay: Replay,
    where: Addresses,
    *,
    messages: Sequence[MessageSeen] = (),
    notes: Sequence[NoteSeen] = (),
    shared: bool,
) -> dict[str, Any]:
    """What the page's template gets. With `shared` its head tells other sites what it shows, with a picture."""
    words = pictures.words(replay)
    return {
        "replay": replay,
        "where": where,
        "account": account(replay, get_language() or "en", messages, notes),
        "picture": words,
        "seat_to_take": seat_to_take(replay),
        "site": settings.SITE_URL if shared else "",
    }


def seat_to_take(replay: Replay) -> int:
    """Which seat somebody who plays on is offered first: their own, else the one whose turn it is."""
    turn: OpenSeat | None = next((seat for seat in replay.seats if seat.turn), None)
    if replay.viewer is not None:
        return replay.viewer
    return turn.number if turn is not None else 0


def picture(request: HttpRequest, replay: Replay, kind: str) -> HttpResponse:
    """The picture of a moment, as svg or png; Http404 for another kind. PNG costs time, so nobody gets many at once."""
    if kind not in ("png", "svg"):
        raise Http404
    svg = pictures.draw(replay, pictures.words(replay))
    if kind == "png":
        if not take(f"picture:{address_of(request)}", rate=120, per=3600, burst=20):
            return render(request, "games/too_many.html", status=429)
        answer = HttpResponse(pictures.png(svg), content_type="image/png")
    else:
        answer = HttpResponse(svg, content_type="image/svg+xml")
    answer["Content-Disposition"] = f'inline; filename="{replay.ruleset}-{replay.hand}-{replay.step}.{kind}"'
    patch_cache_control(answer, private=True, no_store=True)
    return answer
