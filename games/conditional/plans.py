"""The small language of plans: "if cups are led and my partner is winning, my lowest; else the Fool". Pure data and reading.

A plan is a few lines in order; at the player's turn the first that fits and is legal says which card is played. The talk of a
deal is answered ahead in the same way: veto, consent, or veto unless the hand is weak. Both are done after as long as the
player usually takes, so that nobody can tell it from an answer of their own.
"""

from __future__ import annotations

import math
import random
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime, timedelta
from enum import Enum
from typing import Final, TypeAlias

from django.db.models import OuterRef, Subquery
from django.utils import timezone

from accounts.models import Player
from domain.bots.facts import fool_is_high, takes
from domain.engine import CODES, UNKNOWN, CardSet, View, card_of, cards_in
from domain.engine import Action as Move
from domain.engine.actions import BARE, PLAYS
from domain.engine.cards import BIT, FOOL, FOOL_BIT, LANES, TRUMP_CARDS, TRUMPS, lane_set, set_of, value_of
from domain.engine.claims import plainly_forced
from domain.engine.legal import LegalPlays
from domain.pace import Calendar, Kind
from games import projections
from games.models import Action, Game

Json: TypeAlias = dict[str, object]

LONGEST: Final = 8
"""How many lines a plan has at most."""
LED: Final = {"C": 0, "O": 1, "S": 2, "B": 3, "T": TRUMPS}
"""What may be led, by the letter of the suit (T the trumps)."""
LEADING: Final = "me"
"""In the place of a suit: nothing is led yet, the player leads."""
WINNING: Final = ("partner", "opponent")
CHOICES: Final = ("lowest", "highest", "winner", "cheapest", "dearest", "lowest-trump", "fool")
"""What to play beside a named card: the lowest or highest of the suit led; the lowest card that takes the trick as it lies; the
card worth least or most (of those alike the lowest, trumps last; never the Fool); the lowest trump; the Fool."""


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
    """Some lines, for the player's next card only, or (`lasts`) for every card of the hand."""

    lines: tuple[Line, ...] = ()
    lasts: bool = False

    def __bool__(self) -> bool:
        return bool(self.lines)

    def to_json(self) -> Json:
        """Plain JSON; only what is said."""
        lines = [{name: value for name, value in asdict(line).items() if value} for line in self.lines]
        return {"lasts": self.lasts, "lines": lines}

    def without(self, gone: CardSet) -> Plan:
        """The plan without the lines that play a card of `gone`."""
        return Plan(tuple(line for line in self.lines if line.card is None or not gone & BIT[line.card]), self.lasts)


def read_plan(data: Mapping[str, object]) -> Plan:
    """The plan that JSON stands for; an empty mapping is an empty plan. Raises NoPlan."""
    lines = data.get("lines", [])
    lasts = data.get("lasts", False)
    if not isinstance(lines, list) or not isinstance(lasts, bool) or set(data) - {"lines", "lasts"}:
        raise NoPlan("a plan has lines, and says whether it lasts")
    if len(lines) > LONGEST:
        raise NoPlan(f"a plan has at most {LONGEST} lines")
    return Plan(tuple(_read_line(line) for line in lines), lasts)


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
            card = _card(line.play, view, legal.cards)
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


def _card(play: str, view: View, legal: CardSet) -> int | None:
    """The card a line plays, if it may be played."""
    if play in ("lowest", "highest"):
        if not view.trick or view.lane < 0:
            return None
        lane = LANES[TRUMPS] if view.lane == TRUMPS else lane_set(view.lane)
        return _end(legal & lane, highest=play == "highest")
    if play == "winner":
        return _lowest_that_takes(view, legal)
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


class Tempo(Enum):
    """What sort of table it is: who waits, and for how long one thinks there (least and most)."""

    ALONE = (timedelta(milliseconds=700), timedelta(milliseconds=1600))
    """Only computer players sit with the player: there is nobody to hide anything from."""
    LIVE = (timedelta(seconds=2), timedelta(seconds=7))
    DAYS = (timedelta(minutes=7), timedelta(hours=5))
    """Counted time: of a waking day of fourteen hours, four minutes to three hours. Where a player's habits are not known."""


AT_LEAST_LEFT: Final = 0.5
"""Of the time that may be waited away without costing anybody anything, the part that never is."""
ENOUGH: Final = 8
"""So many answers of a player tell how long they usually take."""
SHORTEST: Final = timedelta(seconds=30)
"""Nobody is seen to answer faster than this at a table of days, counted time."""
_CHANCE: Final = secrets.SystemRandom()


def drawn(tempo: Tempo, left: timedelta | None, chance: random.Random | None = None) -> timedelta:
    """How long to wait where every second counts. Short waits are as likely as long ones, by ratio (a log-uniform distribution).

    `left` is the time that may be waited without cost, None where there is no clock.
    """
    lot = chance or _CHANCE
    return _within(_log_uniform(tempo, lot), left, lot)


def moment(
    waking: Calendar,
    start: datetime,
    free_until: datetime,
    usual: Sequence[timedelta],
    chance: random.Random | None = None,
) -> datetime:
    """When to act at a table of days: in the hours that `waking` counts, and before `free_until`, after which waiting would cost.

    `usual`: how long the player took lately, in counted time; one of these times is drawn and varied, if there are enough of
    them. Where nothing can be waited away, the answer is `start`.
    """
    lot = chance or _CHANCE
    wait = _log_uniform(Tempo.DAYS, lot)
    if len(usual) >= ENOUGH:
        wait = max(SHORTEST, lot.choice(usual) * 2 ** lot.uniform(-0.5, 0.5))
    return waking.deadline(start, _within(wait, waking.spent(start, free_until), lot))


def _log_uniform(tempo: Tempo, lot: random.Random) -> timedelta:
    least, most = (math.log(bound.total_seconds()) for bound in tempo.value)
    return timedelta(seconds=math.exp(lot.uniform(least, most)))


def _within(wait: timedelta, left: timedelta | None, lot: random.Random) -> timedelta:
    """A wait that leaves a part of what is `left`; one that is too long gives way to any shorter one."""
    if left is None:
        return wait
    most = AT_LEAST_LEFT * max(timedelta(0), left)
    return wait if wait <= most else lot.random() * most


LATELY: Final = 40
"""So many answers are looked at, the latest."""
BY_ITSELF: Final = 5
"""The version of request ids that the site makes for itself (a person's are drawn by chance: version 4)."""


def usual_answers(player: Player, waking: Calendar) -> list[timedelta]:
    """How long the player took for their latest answers in games of days, counted by `waking`. One query.

    Only what they did themselves: what the site did for them would teach it its own habits. An answer outside of their
    waking hours took as long as the wall clock says.
    """
    moves = Action.objects.filter(kind=Action.Kind.MOVE)
    before = moves.filter(game=OuterRef("game"), number__lt=OuterRef("number")).order_by("-number")
    own = moves.filter(player__in=[player.pk, *player.merged.values_list("pk", flat=True)], request_id__isnull=False)
    found = (
        own.filter(game__pace_kind="days")
        .annotate(asked_at=Subquery(before.values("at")[:1]))
        .order_by("-pk")
        .values_list("asked_at", "at", "request_id")[: 2 * LATELY]
    )
    answers = [
        waking.spent(asked_at, at) or at - asked_at
        for asked_at, at, request_id in found
        if asked_at is not None and request_id is not None and request_id.version != BY_ITSELF
    ]
    return answers[:LATELY]


def due_at(game: Game, player: Player, view: View, chance: random.Random | None = None) -> datetime:
    """When to act for `player`, who is asked at the seat of `view`; drawn by chance.

    At a table of days: in their waking hours, after a time such as they usually take, and before their reserve is touched. A
    pause is waited for. What everybody sees to be forced is done at once, whatever the hour.
    """
    now, seat = game.moment or timezone.now(), view.turn
    clock = projections.clock_of(game)
    start = now if clock is None or clock.paused_until is None else max(now, clock.paused_until)
    free = clock.free_until(seat, now) if clock is not None else None
    left = free - start if free is not None else None
    if plainly_forced(view) or not game.seats.filter(player__computer="").exclude(number=seat).exists():
        return start + drawn(Tempo.ALONE, left, chance)
    if clock is None or clock.live or clock.terms.kind is Kind.LIVE or free is None:
        return start + drawn(Tempo.LIVE, left, chance)
    waking = clock.waking(seat)
    return moment(waking, start, free, usual_answers(player.current, waking), chance)
