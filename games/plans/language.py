"""The small language of plans: "if cups are led and my partner is winning, my lowest; else the Fool". Data and parsing
only.

A plan is a few lines in order; at the player's turn, the first line that fits and is legal decides which card is
played. The talk of a deal is answered in advance in the same way: veto, consent, or veto unless the hand is weak.
`moments` decides when. Lines that can never be played are reported, as far as their owner can tell from what they see.
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
"""The greatest number of lines of a plan."""
LED: Final = {"C": 0, "O": 1, "S": 2, "B": 3, "T": TRUMPS}
"""What may be led, by the letter of the suit (T the trumps)."""
LEADING: Final = "me"
"""In place of a suit: the player leads."""
WINNING: Final = ("partner", "opponent")
CHOICES: Final = ("lowest", "highest", "winner", "spare", "cheapest", "dearest", "lowest-trump", "fool")
"""What to play, besides a named card: the lowest or highest of the suit led; the lowest card that takes the trick as it
is now; the lowest if the choice hardly matters, since none takes the trick and all are alike (`_spare`); the card worth
least or most (of equal cards the lowest, trumps last; never the Fool); the lowest trump; the Fool."""


class NoPlan(ValueError):
    """The data is not a plan; `str()` says what is wrong with it."""


@dataclass(frozen=True, slots=True)
class Line:
    """One line: if all its conditions are true (an empty one always is), `play` is played.

    `play` is one of `CHOICES` or the code of a card; `fallen` the code of a card that must have been played in this
    hand.
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
    """Lines for the player's next card only, or with `lasts` for every card of the hand.

    With `at_once` the card is played as soon as it is the player's turn; the others then see that it was planned.
    """

    lines: tuple[Line, ...] = ()
    lasts: bool = False
    at_once: bool = False

    def __bool__(self) -> bool:
        return bool(self.lines)

    def to_json(self) -> Json:
        """The plan as plain JSON, without empty conditions."""
        lines = [{name: value for name, value in asdict(line).items() if value} for line in self.lines]
        return {"lasts": self.lasts, "at_once": self.at_once, "lines": lines}

    def without(self, gone: CardSet) -> Plan:
        """The plan without the lines that play a card of `gone`."""
        return replace(self, lines=tuple(line for line in self.lines if line.card is None or not gone & BIT[line.card]))


def read_plan(data: Mapping[str, object]) -> Plan:
    """Parse a plan from JSON; an empty mapping is an empty plan. Raises NoPlan."""
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
    """The move of the first line that fits; None if the viewer is not asked for a card, or no line fits.

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
    """The cards that have been played in this hand."""
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
    """Who is winning the trick, as far as the viewer can tell: `partner`, `opponent`, or empty."""
    if not view.trick or view.seat is None or view.best < 0:
        return ""
    winner, own = view.sides[view.seat_of(view.best)], view.sides[view.seat]
    if UNKNOWN in (winner, own):
        return ""
    return "partner" if winner == own else "opponent"


def card_if_led(play: str, view: View, lane: Lane) -> int | None:
    """The card of the viewer's present hand that `play` would be if `lane` were led (`NO_LANE`: the viewer leads).

    None if it could not be played. Not for ``winner`` and ``spare``, which depend on the cards of the trick.
    """
    return _card(play, view, playable_if_led(view, lane), lane)


def _card(play: str, view: View, legal: CardSet, lane: Lane) -> int | None:
    """The card that a line plays if `lane` is led; None if it may not be played."""
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
        sign = -1 if play == "dearest" else 1
        return min(cards_in(legal & ~FOOL_BIT), key=lambda card: (sign * value_of(card), card), default=None)
    if play == "lowest-trump":
        return _end(legal & TRUMP_CARDS, highest=False)
    card = FOOL if play == "fool" else card_of(play)
    return card if legal & BIT[card] else None


def _lowest_that_takes(view: View, legal: CardSet) -> int | None:
    """The lowest card that takes the trick as it is now, of the suit led before trumps; None without one or a trick."""
    if view.best < 0 or not view.trick:
        return None
    high_fool = fool_is_high(view.ruleset) and not view.fool_withheld
    best = view.trick[view.best]
    return next((card for card in cards_in(legal) if takes(card, best, view.lane, high_fool)), None)


def _spare(view: View, legal: CardSet) -> int | None:
    """The lowest legal card if none takes the trick as it is now and all are of one suit and worth the same.

    None otherwise, and if the Fool may be played.
    """
    if _lowest_that_takes(view, legal) is not None or view.best < 0 or not view.trick:
        return None
    one_suit = any(not legal & ~suit for suit in LANES)
    return _end(legal, highest=False) if one_suit and len({value_of(card) for card in cards_in(legal)}) == 1 else None


def _end(cards: CardSet, *, highest: bool) -> int | None:
    if not cards:
        return None
    return cards.bit_length() - 1 if highest else (cards & -cards).bit_length() - 1


WORDS: Final = ("", "veto", "allow", "unless")
"""Answers for one round: ask me; veto; consent to a throw-in; veto unless I hold few trumps."""
MOST_TRUMPS: Final = 21
_ANSWERS: Final = {
    "talk": {"veto": "veto", "allow": "allow"},
    "free": {"veto": "veto", "allow": "liber"},
    # A player who decides alone is not asked for consent, so only the wish to go on answers it.
    "demand": {"veto": "veto"},
    "decide": {"veto": "go"},
}


class NoTalk(ValueError):
    """The data is not a talk; `str()` says what is wrong with it."""


@dataclass(frozen=True, slots=True)
class Talk:
    """The answers after each round, in order; rounds after the last answer get the same one.

    `fewer` belongs to `unless`: with fewer trumps than that (the Fool does not count), the player consents to a
    throw-in.
    """

    rounds: tuple[str, ...] = ()
    fewer: int = 0

    def __bool__(self) -> bool:
        return any(self.rounds)

    def to_json(self) -> dict[str, object]:
        return {"rounds": list(self.rounds), "fewer": self.fewer}


def read_talk(data: Mapping[str, object]) -> Talk:
    """Parse a talk from JSON; an empty mapping is an empty talk. Raises NoTalk."""
    rounds, fewer = data.get("rounds", []), data.get("fewer", 0)
    if not isinstance(rounds, list) or len(rounds) > 9 or not all(word in WORDS for word in rounds):
        raise NoTalk("rounds are veto, allow, unless, or nothing")
    if not isinstance(fewer, int) or isinstance(fewer, bool) or not 0 <= fewer <= MOST_TRUMPS:
        raise NoTalk(f"fewer is a number of trumps up to {MOST_TRUMPS}")
    return Talk(tuple(rounds), fewer)


def answer(talk: Talk, view: View) -> Move | None:
    """The move that answers now; None if the viewer is not asked in the talk, or wants to be asked."""
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
_BY_TRICK: Final = ("winner", "spare")
"""Choices that depend on the cards of the trick."""
_NEEDS_LEAD: Final = ("lowest", "highest", *_BY_TRICK)
"""Choices that make no sense for a player who leads."""
_ALWAYS: Final = ("cheapest", "dearest")
"""Choices that always fit, so that no later line is reached."""


@dataclass(frozen=True, slots=True)
class Never:
    """A line (counted from 1) that can never be played, the reason (a code of `PlanError`), and its card or suit."""

    number: int
    why: str
    card: str = ""
    suit: str = ""


def first_impossible(plan: Plan, view: View) -> Never | None:
    """The first line of a plan that can never be played; None if all can.

    For a plan that lasts, only reasons that no later trick can change count.
    """
    reports = (impossible(plan, number, view) for number in range(1, len(plan.lines) + 1))
    return next((never for never in reports if never is not None), None)


def impossible(plan: Plan, number: int, view: View) -> Never | None:
    """Why the line with this number (the first is 1) can never be played; None if it can."""
    for why, *about in _reasons(plan.lines[number - 1], view, lasts=plan.lasts):
        return Never(number, why, *about)
    before = plan.lines[: number - 1]
    return Never(number, "never-reached") if any(Line(play) in before for play in _ALWAYS) else None


def cards_of(line: Line, view: View) -> dict[str, str]:
    """The card of the present hand that a line would play, for each possible lead (a letter of `LED`, or `LEADING`).

    Leads to which it could not be played are left out. Empty if it depends on the cards of the trick.
    """
    if line.play in _BY_TRICK:
        return {}
    leads = [line.led] if line.led else possible_leads(view)
    cards = {led: card_if_led(line.play, view, _LANE_OF[led]) for led in leads}
    return {led: CODES[card] for led, card in cards.items() if card is not None}


def possible_leads(view: View) -> Sequence[str]:
    """What may be led to the viewer's next trick: letters of `LED`, and `LEADING` if they may lead it."""
    if not _plays_here(view):
        return (*LED, LEADING)
    if view.trick:
        return (_LETTERS[view.lane],) if view.lane in _LETTERS else tuple(LED)
    return (LEADING,) if view.turn == view.seat else tuple(LED)


def _plays_here(view: View) -> bool:
    """Whether the viewer's next card goes to the current trick (on the table, or about to be led)."""
    return view.asked == "play" and _turn_in_trick(view) >= len(view.trick)


def _turn_in_trick(view: View) -> int:
    """How many players play to the current trick before the viewer."""
    assert view.seat is not None
    return (view.seat - view.leader) % len(view.counts)


def _reasons(line: Line, view: View, *, lasts: bool) -> Iterator[tuple[str, ...]]:
    """Why a line can never be played: codes, each with the card and the suit that the reason names."""
    card = FOOL if line.play == "fool" else line.card
    if card is not None and not view.held & BIT[card]:
        yield "not-held", CODES[card]
    if line.led == LEADING and (line.winning or line.last or line.play in _NEEDS_LEAD):
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
    if line.last and _plays_here(view) and _turn_in_trick(view) != len(view.counts) - 1:
        yield ("not-last",)
    matching = [line.led] if line.led else leads
    if line.play in _BY_TRICK or any(card_if_led(line.play, view, _LANE_OF[led]) is not None for led in matching):
        return
    suit = matching[0] if len(matching) == 1 and matching[0] in LED else ""
    if card is None or not suit:
        yield ("none-of-it",)
        return
    follows = bool(view.held & LANES[LED[suit]])
    yield ("must-follow" if follows and suit != "T" else "must-trump"), CODES[card], suit
