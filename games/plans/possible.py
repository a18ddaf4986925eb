"""Which lines of a plan can come true at all, as far as their owner can tell from what they see."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from domain.engine import CODES, UNKNOWN, View, card_of
from domain.engine.cards import BIT, FOOL, LANES, NO_LANE, Lane
from games.plans.language import LEADING, LED, Line, Plan, card_if_led

_LANE_OF: Final[dict[str, Lane]] = {LEADING: NO_LANE, **LED}
_LETTERS: Final = {lane: letter for letter, lane in LED.items()}
_BY_WHAT_LIES: Final = ("winner", "spare")
_OF_WHAT_LIES: Final = ("lowest", "highest", *_BY_WHAT_LIES)
_ALWAYS: Final = ("cheapest", "dearest")


@dataclass(frozen=True, slots=True)
class Never:
    """A line (counted from 1) that can never be played, why (a code of `PlanError`), and the card or suit it is about."""

    number: int
    why: str
    card: str = ""
    suit: str = ""


def first_impossible(plan: Plan, view: View) -> Never | None:
    """The first line of a plan that can never be played; None if each of them may be.

    Of a plan for the whole hand only what no later trick can change is looked at.
    """
    found = (impossible(plan, number, view) for number in range(1, len(plan.lines) + 1))
    return next((never for never in found if never is not None), None)


def impossible(plan: Plan, number: int, view: View) -> Never | None:
    """Why the line with this number (the first is 1) can never be played; None if it may be."""
    for why, *about in _reasons(plan.lines[number - 1], view, lasts=plan.lasts):
        return Never(number, why, *about)
    before = plan.lines[: number - 1]
    return Never(number, "never-reached") if any(Line(play) in before for play in _ALWAYS) else None


def cards_of(line: Line, view: View) -> dict[str, str]:
    """Which card of the present hand the line would be, by what may be led to the next trick (a letter of `LED`, or
    `LEADING`); leads to which it could not be played are left out. Empty where it depends on what lies there."""
    if line.play in _BY_WHAT_LIES:
        return {}
    leads = [line.led] if line.led else possible_leads(view)
    found = {led: card_if_led(line.play, view, _LANE_OF[led]) for led in leads}
    return {led: CODES[card] for led, card in found.items() if card is not None}


def possible_leads(view: View) -> Sequence[str]:
    """What may be led to the trick that the viewer plays to next: letters of `LED`, and `LEADING` where they may lead."""
    if not _plays_here(view):
        return (*LED, LEADING)
    if view.trick:
        return (_LETTERS[view.lane],) if view.lane in _LETTERS else tuple(LED)
    return (LEADING,) if view.turn == view.seat else tuple(LED)


def _plays_here(view: View) -> bool:
    """Whether the viewer's next card goes to the trick that is on the table, or is led next."""
    return view.asked == "play" and _place(view) >= len(view.trick)


def _place(view: View) -> int:
    assert view.seat is not None
    return (view.seat - view.leader) % len(view.counts)


def _reasons(line: Line, view: View, *, lasts: bool) -> Iterator[tuple[str, ...]]:
    """Why a line can never be played: codes, each with the card and the suit it is about."""
    card = FOOL if line.play == "fool" else line.card
    if card is not None and not view.held & BIT[card]:
        yield "not-held", CODES[card]
    if line.led == LEADING and (line.winning or line.last or line.play in _OF_WHAT_LIES):
        yield ("nothing-led",)
    if line.winning == "partner" and not view.partners() and UNKNOWN not in view.sides:
        yield ("no-partner",)
    if lasts:
        return
    if line.fallen and view.held & BIT[card_of(line.fallen)]:
        yield "own-card", line.fallen
    leads = possible_leads(view)
    if line.led and line.led not in leads:
        if leads == (LEADING,):
            yield ("you-lead",)
        elif line.led == LEADING:
            yield ("others-lead",)
        else:
            yield "other-lead", "", leads[0]
    if line.last and _plays_here(view) and _place(view) != len(view.counts) - 1:
        yield ("not-last",)
    tried = [line.led] if line.led else leads
    if line.play in _BY_WHAT_LIES or any(card_if_led(line.play, view, _LANE_OF[led]) is not None for led in tried):
        return
    suit = tried[0] if len(tried) == 1 and tried[0] in LED else ""
    if card is None or not suit:
        yield ("none-of-it",)
        return
    follows = bool(view.held & LANES[LED[suit]])
    yield ("must-follow" if follows and suit != "T" else "must-trump"), CODES[card], suit
