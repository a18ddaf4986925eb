"""A replay in templates: `{% load replay %}`. Rows, sentences and sums; the words are in `games.text`."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Final

from django import template
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from core.sursilvan import joined
from games.read_models import HandSheet, Line, OpenSeat, Overview, Replay, TrickCard
from games.text import common, log
from rules.text import names

register = template.Library()

_ROWS: Final = ("CO", "SB", "TF")
_TALK: Final = ("spoke", "throw-in", "bid", "called", "answered", "no-jack")
_END_OF_TALK: Final = ("veto", "go", "throw-in")
_OWN_WORDS: Final = ("liber", "buob", "buob-sche", "take", "solo")


@dataclass(frozen=True, slots=True)
class Laid:
    """The cards of one seat in a trick: one, or the king with its jack."""

    seat: int
    place: int
    cards: tuple[TrickCard, ...]
    led: bool
    winning: bool


@dataclass(frozen=True, slots=True)
class Middle:
    """The trick in the middle: one that is being played, or (if `winner` is a seat) the one just gathered, worth
    `points`."""

    number: int
    laid: tuple[Laid, ...]
    winner: int | None
    points: int


@dataclass(frozen=True, slots=True)
class Spoken:
    """What a player has just said: a word in the language `lang`, phrases of the book with their meaning, and free
    talk."""

    word: str
    lang: str
    phrases: tuple[names.Phrase, ...]
    words: str


@dataclass(frozen=True, slots=True)
class SideScore:
    team: str
    names: str
    tricks: int
    points: int


# the board


@register.filter
def open_rows(seat: OpenSeat) -> list[list[str]]:
    """A seat's cards in three rows, empty ones too: cups and coins, swords and batons, trumps and the Fool."""
    return [[code for code in seat.cards if code[0] in suits] for suits in _ROWS]


@register.filter
def middle(replay: Replay) -> Middle | None:
    """The trick to show: the one on the table, else the one gathered last; None before the play."""
    trick = replay.trick or replay.last_trick
    if trick is None:
        return None
    by_seat: dict[int, list[TrickCard]] = {}
    for card in trick.cards:  # the jack of a pair need not follow its king at once
        by_seat.setdefault(card.seat, []).append(card)
    laid = [
        Laid(seat, cards[0].place, tuple(cards), any(card.led for card in cards), any(card.winning for card in cards))
        for seat, cards in by_seat.items()
    ]
    is_gathered = replay.trick is None
    points = next((row.points for row in replay.tricks if row.number == trick.number), 0)
    return Middle(trick.number, tuple(laid), trick.winner if is_gathered else None, points if is_gathered else 0)


@register.filter
def spoken(seat: OpenSeat, replay: Replay) -> Spoken | None:
    """What the player at this seat said last, until the talk of that round is over and something else follows."""
    for step in reversed(replay.steps[: replay.step]):
        kinds = {line.kind for line in step.lines}
        is_over = step.number < replay.step and any(line.verb in _END_OF_TALK for line in step.lines)
        if is_over or not kinds & set(_TALK):
            return None
        for line in step.lines:
            if line.seat == seat.number and line.kind in _TALK:
                return _spoken(line.verb or line.kind, line.phrases, line.words)
    return None


def _spoken(verb: str, phrases: tuple[str, ...], words: str) -> Spoken | None:
    if verb == "no-jack":
        return None
    if verb in _OWN_WORDS:
        term = names.own_word(verb)
        word, lang = term.text, term.lang
    else:
        word, lang = _plain(verb), ""
    return Spoken(word, lang, tuple(names.by_id(phrase) for phrase in phrases), words)


_PLAIN: Final = {
    "allow": gettext_lazy("throw-in allowed"),
    "go": gettext_lazy("plays on"),
    "throw-in": gettext_lazy("throws in"),
    "say": gettext_lazy("says"),
    "quiet": gettext_lazy("says nothing"),
    "give": gettext_lazy("gives the jack"),
    "keep": gettext_lazy("leaves the Fool"),
    "pass": gettext_lazy("passes"),
}


def _plain(verb: str) -> str:
    return names.word("veto").text if verb == "veto" else str(_PLAIN.get(verb, verb))


@register.filter
def side_scores(replay: Replay) -> list[SideScore]:
    """Each side with its tricks and points so far, the viewer's own first."""
    scores = []
    for side in common.own_first(replay.parties, replay.viewer):
        seat = replay.seats[replay.parties[side][0]]
        scores.append(
            SideScore(common.mark_of(side, replay), common.side_names(replay, side), seat.tricks, seat.points)
        )
    return scores


# the account

register.filter("now", log.just_now)


@register.filter
def with_step(heading: str, replay: Replay) -> str:
    """The heading and what has just happened, in one language: a title cannot mark two."""
    return joined(": ", [heading, log.just_now(replay)])


@register.filter
def column_names(company: Replay | Overview) -> list[tuple[str, str]]:
    """The mark and the names of every side, in the order of the record."""
    sides = range(len(company.parties))
    return [(common.mark_of(side, company), common.side_names(company, side)) for side in sides]


@register.simple_tag
def side_scores_in(scores: tuple[int, ...], party: tuple[int, ...], replay: Replay) -> str:
    """One score for a party whose players all have the same, or else the score of each player."""
    if len({scores[seat] for seat in party}) == 1:
        return common.signed(scores[party[0]])
    return joined(", ", [joined(" ", (common.called(seat, replay), common.signed(scores[seat]))) for seat in party])


# the proof


@register.filter
def cut_line(replay: Replay) -> Line | None:
    """The line of the log about the cut: by whom, and how many cards were lifted."""
    return next((line for step in replay.steps for line in step.lines if line.kind == "cut"), None)


@register.filter
def cutter(replay: Replay) -> OpenSeat | None:
    cut = cut_line(replay)
    return replay.seats[cut.seat] if cut is not None and cut.seat is not None else None


@register.filter
def proof_data(replay: Replay) -> str:
    """The data for the check of the proof in the browser, as JSON."""
    piles = [line.cards for step in replay.steps for line in step.lines if line.kind == "arranged" and line.cards]
    cut = cut_line(replay)
    data = {
        "proof": replay.proof,
        "pack": " ".join(replay.pack),
        "arrangements": [" ".join(cards) for cards in piles],
        "lifted": (cut.count or None) if cut is not None else None,
    }
    return json.dumps(data, separators=(",", ":"))


# all hands of a game


@register.filter
def outcome(sheet: HandSheet) -> str:
    """How a hand ended for which no points were counted."""
    return {"thrown-in": _("thrown in"), "passed": _("passed")}.get(sheet.status, _("not played to its end"))
