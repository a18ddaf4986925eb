"""The small language of plans: "if cups are led and my partner is winning, my lowest; else the Fool". Pure data and reading.

A plan is a few lines in order; at the player's turn the first that fits and is legal says which card is played. The talk of a
deal is answered ahead in the same way: veto, consent, or veto unless the hand is weak. When it is done is said in `moments`.
Which lines can come true at all is told as far as their owner can tell from what they see.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Final, TypeAlias

from domain.bots.common import fool_is_high, takes
from domain.engine import CODES, UNKNOWN, CardSet, View, card_of, cards_in
from domain.engine import Action as Move
from domain.engine.actions import BARE, PLAYS
from domain.engine.cards import (
    BIT,
    FOOL,
    FOOL_BIT,
    LANES,
    NO_LANE,
    TRUMP_CARDS,
    TRUMPS,
    Lane,
    lane_set,
    set_of,
    value_of,
)
from domain.engine.claims import playable_if_led
from domain.engine.legal import LegalPlays

Json: TypeAlias = dict[str, object]

LONGEST: Final = 8
"""How many lines a plan has at most."""
LED: Final = {"C": 0, "O": 1, "S": 2, "B": 3, "T": TRUMPS}
"""What may be led, by the letter of the suit (T the trumps)."""
LEADING: Final = "me"
"""In the place of a suit: nothing is led yet, the player leads."""
WINNING: Final = ("partner", "opponent")
CHOICES: Final = ("lowest", "highest", "winner", "spare", "cheapest", "dearest", "lowest-trump", "fool")
"""What to play beside a named card: the lowest or highest of the suit led; the lowest card that takes the trick as it lies; the
lowest where the choice hardly matters, since none takes the trick and all are alike (`_spare`); the card worth least or most (of those alike the lowest, trumps last; never the Fool); the lowest trump; the Fool."""


class NoPlan(ValueError):
    """What was sent is no plan; `str()` says what is wrong with it."""


@dataclass(frozen=True, slots=True)
class Line:
    """One line: all its conditions must hold (an empty one always does), then `play` is played.

    `play` is one of `CHOICES` or the code of a card; `fallen` the code of a card that must have been played in this hand.
    """

    play: str
    led: str = ""
    winning: str = ""
    fallen: str = ""
    last: bool = False

    @property
    def card(self) -> int | None:
        return None if self.play in CHOICES else card_of(self.play)


@dataclass(frozen=True, slots=True)
class Plan:
    """Some lines, for the player's next card only, or (`lasts`) for every card of the hand.

    With `at_once` the card is played as soon as it is asked for: the others then see that it was planned.
    """

    lines: tuple[Line, ...] = ()
    lasts: bool = False
    at_once: bool = False

    def __bool__(self) -> bool:
        return bool(self.lines)

    def to_json(self) -> Json:
        """Plain JSON; only what is said."""
        lines = [{name: value for name, value in asdict(line).items() if value} for line in self.lines]
        return {"lasts": self.lasts, "at_once": self.at_once, "lines": lines}

    def without(self, gone: CardSet) -> Plan:
        """The plan without the lines that play a card of `gone`."""
        return replace(self, lines=tuple(line for line in self.lines if line.card is None or not gone & BIT[line.card]))


def read_plan(data: Mapping[str, object]) -> Plan:
    """The plan that JSON stands for; an empty mapping is an empty plan. Raises NoPlan."""
    lines = data.get("lines", [])
    lasts, at_once = data.get("lasts", False), data.get("at_once", False)
    if not isinstance(lines, list) or not isinstance(lasts, bool) or not isinstance(at_once, bool):
        raise NoPlan("a plan has lines, and says whether it lasts and is done at once")
    if set(data) - {"lines", "lasts", "at_once"}:
        raise NoPlan("a plan says nothing else")
    if len(lines) > LONGEST:
        raise NoPlan(f"a plan has at most {LONGEST} lines")
    return Plan(tuple(_read_line(line) for line in lines), lasts, at_once)


def _read_line(data: object) -> Line:
    if not isinstance(data, Mapping) or set(data) - {"play", "led", "winning", "fallen", "last"}:
        raise NoPlan("a line has conditions and a card to play")
    play, led, winning, fallen = (data.get(name, "") for name in ("play", "led", "winning", "fallen"))
    last = data.get("last", False)
    if not (play in CHOICES or play in CODES):
        raise NoPlan("a line says what to play")
    if led not in ("", LEADING, *LED) or winning not in ("", *WINNING) or not isinstance(last, bool):
        raise NoPlan("no such condition")
    if fallen != "" and fallen not in CODES:
        raise NoPlan("a line waits for a card")
    return Line(str(play), str(led), str(winning), str(fallen), last)


def chosen(plan: Plan, view: View) -> Move | None:
    """What the first line that fits plays; None if no card is asked of the viewer, or no line fits.

    A line whose card may not be played now does not fit.
    """
    legal = view.legal
    if not isinstance(legal, LegalPlays):
        return None
    for line in plan.lines:
        if _holds(line, view):
            card = _card(line.play, view, legal.cards, view.lane if view.trick else NO_LANE)
            if card is not None:
                return PLAYS[card]
    return None


def fallen(view: View) -> CardSet:
    """The cards that were played in this hand and are not in anybody's hand any more."""
    return set_of((*(card for trick in view.tricks for card in trick.cards), *view.trick))


def _holds(line: Line, view: View) -> bool:
    if line.led == LEADING and view.trick:
        return False
    if line.led in LED and (not view.trick or view.lane != LED[line.led]):
        return False
    if line.winning and _winning(view) != line.winning:
        return False
    if line.fallen and not fallen(view) & BIT[card_of(line.fallen)]:
        return False
    return not line.last or len(view.trick) == len(view.counts) - 1


def _winning(view: View) -> str:
    """Who takes the trick so far, as far as the viewer can tell: `partner`, `opponent`, or nothing."""
    if not view.trick or view.seat is None or view.best < 0:
        return ""
    winner, own = view.sides[view.seat_of(view.best)], view.sides[view.seat]
    if UNKNOWN in (winner, own):
        return ""
    return "partner" if winner == own else "opponent"


def card_if_led(play: str, view: View, lane: Lane) -> int | None:
    """The card that `play` would be if `lane` were led (`NO_LANE`: nothing) to the viewer's present hand; None if it could not
    be played. Not for ``winner`` and ``spare``, which depend on what lies there."""
    return _card(play, view, playable_if_led(view, lane), lane)


def _card(play: str, view: View, legal: CardSet, lane: Lane) -> int | None:
    """The card a line plays where `lane` is led, if it may be played."""
    if play in ("lowest", "highest"):
        if lane < 0:
            return None
        suit = LANES[TRUMPS] if lane == TRUMPS else lane_set(lane)
        return _end(legal & suit, highest=play == "highest")
    if play == "winner":
        return _lowest_that_takes(view, legal)
    if play == "spare":
        return _spare(view, legal)
    if play in ("cheapest", "dearest"):
        worth = -1 if play == "dearest" else 1
        return min(cards_in(legal & ~FOOL_BIT), key=lambda card: (worth * value_of(card), card), default=None)
    if play == "lowest-trump":
        return _end(legal & TRUMP_CARDS, highest=False)
    wanted = FOOL_BIT if play == "fool" else BIT[card_of(play)]
    return (FOOL if play == "fool" else card_of(play)) if legal & wanted else None


def _lowest_that_takes(view: View, legal: CardSet) -> int | None:
    """The lowest card, of the suit led before trumps, that takes the trick as it lies; None where none does, or nothing lies."""
    if view.best < 0 or not view.trick:
        return None
    high_fool = fool_is_high(view.ruleset) and not view.fool_withheld
    best = view.trick[view.best]
    return next((card for card in cards_in(legal) if takes(card, best, view.lane, high_fool)), None)


def _spare(view: View, legal: CardSet) -> int | None:
    """The lowest card where none that may be played takes the trick as it lies, and all are of one suit and worth the same;
    None otherwise, and where the Fool may be played."""
    if _lowest_that_takes(view, legal) is not None or view.best < 0 or not view.trick:
        return None
    one_suit = any(not legal & ~suit for suit in LANES)
    return _end(legal, highest=False) if one_suit and len({value_of(card) for card in cards_in(legal)}) == 1 else None


def _end(cards: CardSet, *, highest: bool) -> int | None:
    if not cards:
        return None
    return cards.bit_length() - 1 if highest else (cards & -cards).bit_length() - 1


WORDS: Final = ("", "veto", "allow", "unless")
"""Of one round: ask me; veto; consent to a throw-in; veto unless I hold few trumps."""
MOST_TRUMPS: Final = 21
_ANSWERS: Final = {
    "talk": {"veto": "veto", "allow": "allow"},
    "free": {"veto": "veto", "allow": "liber"},
    # Who decides alone is not asked for consent: only the wish to go on is an answer to it.
    "demand": {"veto": "veto"},
    "decide": {"veto": "go"},
}


class NoTalk(ValueError):
    """What was sent says nothing about the talk; `str()` says what is wrong with it."""


@dataclass(frozen=True, slots=True)
class Talk:
    """What to say after each round, the first first; rounds beyond the last word are answered like it.

    `fewer` belongs to `unless`: with fewer trumps than that (the Fool is none), a throw-in is consented to.
    """

    rounds: tuple[str, ...] = ()
    fewer: int = 0

    def __bool__(self) -> bool:
        return any(self.rounds)

    def to_json(self) -> dict[str, object]:
        return {"rounds": list(self.rounds), "fewer": self.fewer}


def read_talk(data: Mapping[str, object]) -> Talk:
    """The talk that JSON stands for; an empty mapping says nothing ahead. Raises NoTalk."""
    rounds, fewer = data.get("rounds", []), data.get("fewer", 0)
    if not isinstance(rounds, list) or len(rounds) > 9 or not all(word in WORDS for word in rounds):
        raise NoTalk("rounds are veto, allow, unless, or nothing")
    if not isinstance(fewer, int) or isinstance(fewer, bool) or not 0 <= fewer <= MOST_TRUMPS:
        raise NoTalk(f"fewer is a number of trumps up to {MOST_TRUMPS}")
    return Talk(tuple(rounds), fewer)


def answer(talk: Talk, view: View) -> Move | None:
    """What is said now; None if no talk is asked of the viewer, or they want to be asked."""
    if not talk.rounds or view.turn != view.seat or view.asked not in _ANSWERS:
        return None
    wish = talk.rounds[min(view.dealt, len(talk.rounds)) - 1]
    if wish == "unless":
        wish = "allow" if (view.held & TRUMP_CARDS).bit_count() < talk.fewer else "veto"
    verb = _ANSWERS[view.asked].get(wish)
    action = BARE.get(verb) if verb else None
    return action if action is not None and action in view.legal else None


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
