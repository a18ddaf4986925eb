"""The position of an example in the engine: the hand, and the deal and actions that lead to it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from django.utils.translation import gettext as _

from domain.engine import CODES, Action, Card, Hand, IllegalAction, cards_in, set_of
from domain.engine.cards import BIT, FOOL_BIT, KINGS, LANE_OF, LANE_SIZE
from domain.engine.cards import KING as KING_PLACE
from domain.engine.jack import EarlyCall
from domain.engine.ruleset import OptionValue
from rules.examples import reading
from rules.examples.composing import ATTEMPTS, Composed, Requirements, compose, lane_asked
from rules.text import legality, names

KEPT: Final = 512  # positions kept in the process; one is about 10 kB
_ALL_SUITS: Final = frozenset(range(4))


@dataclass(frozen=True, slots=True)
class Position:
    """What a practice table needs: the deal, and the actions before `seat` is on turn.

    `pack` is in the order before the cut, top first.
    """

    ruleset: str
    seats: int
    options: Mapping[str, OptionValue]
    pack: tuple[str, ...]
    dealer: int
    actions: tuple[tuple[int, str], ...]
    seat: int


@dataclass(frozen=True, slots=True)
class Reached:
    """An example's moment in the engine. `hand` is shared: copy it before acting. `base` is the seat of place 0."""

    hand: Hand
    base: int
    composed: Composed
    actions: tuple[tuple[int, str], ...]

    def place(self, seat: int) -> int:
        return (seat - self.base) % self.hand.seats


def position(example: reading.Example) -> Position | None:
    """The position from which to play on; None if the example has none. Raises BadExample if it cannot occur."""
    if isinstance(example, reading.RecordExample):
        return _recorded(example)
    if not isinstance(example, reading.PlayExample | reading.CallExample):
        return None
    reached = reach(example)
    deal = reached.composed.deal
    return Position(
        example.ruleset,
        example.seats,
        deal.options,
        tuple(CODES[card] for card in deal.pack),
        deal.dealer,
        reached.actions,
        reached.hand.turn,
    )


def _recorded(example: reading.RecordExample) -> Position | None:
    """A recorded hand before the first trick that is shown; None if a side had asked for another kind of deal."""
    record = reading.record(example.record)
    assert record is not None
    hand = reading.hand_at(example.record, example.hand, example.first - 1)
    dealt = record.hands[example.hand - 1]
    done = [(seat, str(action)) for seat, action in hand.history if str(action) != "deal 3"]
    if any(text.startswith("deal ") for _seat, text in done):
        return None
    wished = dict(record.options) | {"hands": 1} | ({"demands": False} if "demands" in record.options else {})
    pack = tuple(CODES[card] for card in dealt.pack)
    return Position(example.ruleset, example.seats, wished, pack, dealt.dealer, tuple(done), hand.turn)


@lru_cache(maxsize=KEPT)
def reach(example: reading.PlayExample | reading.TrickExample | reading.CallExample) -> Reached:
    """The moment that the example asks about: which card to play, who wins the complete trick, or whether to call.

    Raises BadExample if the rules forbid what it describes. Equal examples give the very same position.
    """
    composed = None
    for wanted, attempts in _wishes(example):
        composed = compose(wanted, _seed(example), attempts)
        if composed is not None:
            break
    if composed is None:
        raise reading.BadExample(
            _(
                "no deal was found in which this happens. Check whether everybody could have played like this, or give more cards to the player who is asked."
            )
        )
    hand = composed.hand.copy()
    actions = list(composed.actions)
    for number, put in enumerate(example.trick, 1):
        early = isinstance(example, reading.CallExample) and isinstance(hand.ruleset.play, EarlyCall)
        if early and KINGS & BIT[put[0]] and LANE_OF[put[0]] == lane_asked(hand.ruleset, (*example.trick[:number],)):
            break  # whoever plays the king is asked whether to call with it
        action = Action("play", put)
        actions.append((hand.turn, str(action)))
        push(hand, action, number)
    return Reached(hand, composed.base, composed, tuple(actions))


def push(hand: Hand, action: Action, number: int) -> None:
    """Push `action` for the place `number`, counted from 1. Raises BadExample with the rule that forbids it."""
    try:
        hand.push(action)
    except IllegalAction as error:
        cards = " + ".join(names.card_short(CODES[card]) for card in action.cards)
        told = {"number": number, "cards": cards, "why": legality.why_illegal(error.illegality)}
        raise reading.BadExample(_("player %(number)d cannot play %(cards)s: %(why)s") % told, "trick") from None


def _seed(example: reading.Example) -> str:
    """The random seed of an example: its content without its title and texts."""
    return repr([
        (name, sorted(value) if isinstance(value, frozenset) else value)
        for name in type(example).__dataclass_fields__
        if name not in ("title", "caption", "why")
        for value in [getattr(example, name)]
    ])  # fmt: skip


# --- Requirements for the position ------------------------------------------------------------------------------------


def _wishes(
    example: reading.PlayExample | reading.TrickExample | reading.CallExample,
) -> Iterator[tuple[Requirements, int]]:
    """Requirements for the position, the most fitting first, each with the number of attempts to find one."""
    if isinstance(example, reading.PlayExample):
        yield from _play_wishes(example)
    else:
        yield from _trick_wishes(example)


def _play_wishes(example: reading.PlayExample) -> Iterator[tuple[Requirements, int]]:
    rules = example.rules
    place = len(example.trick)
    known = [set_of(put) for put in example.trick] + [0] * (rules.seats - place)
    known[place] = hold = set_of(example.hold)
    before = reading.hand_size(rules) - len(example.hold)
    lane = lane_asked(rules, example.trick)
    _check_led(example.led_before, before)
    if example.withheld and not before:
        raise reading.BadExample(_("in the first trick nobody has withheld the Fool yet."), "withheld")
    # Suits in which it matters whether they have been led: king and companion, or a call with the king.
    asking = hold & KINGS if isinstance(rules.play, EarlyCall) else 0
    if rules.pair is not None:
        asking |= hold & KINGS & hold << rules.pair.below_king
    pairs = frozenset(LANE_OF[king] for king in cards_in(asking) if lane in (-1, LANE_OF[king]))
    led = example.led_before
    phases = [pairs | _suits(lane), pairs] if led is None else [_ALL_SUITS - led, (pairs | _suits(lane)) - led]
    if rules.pair is None and rules.call is None:
        phases.append(frozenset())  # there it makes no difference what has been led
    for fresh in dict.fromkeys(phases):
        yield (
            Requirements(
                rules=rules,
                before=before,
                puts=example.trick,
                known=tuple(known),
                whole=place,
                led=led or frozenset(),
                fresh=fresh,
                contract=example.contract,
                withheld=example.withheld,
                aside=_aside(example.contract, rules.seats, hold | _all(example.trick)),
            ),
            ATTEMPTS if fresh == phases[-1] else ATTEMPTS // 2,
        )


def _trick_wishes(example: reading.TrickExample | reading.CallExample) -> Iterator[tuple[Requirements, int]]:
    rules = example.rules
    lane = lane_asked(rules, example.trick)
    known = [set_of(put) for put in example.trick]
    led = example.led_before if isinstance(example, reading.TrickExample) else None
    contract = example.contract if isinstance(example, reading.TrickExample) else ""
    aside, gone = 0, None
    if isinstance(example, reading.CallExample):
        aside, gone = _place_jack(example, lane, known)
    aside |= _aside(contract, rules.seats, _all(example.trick))
    full = reading.hand_size(rules)
    _check_led(led, full)
    phases = [_suits(lane)] if led is None else [_ALL_SUITS - led, _suits(lane) - led]
    if led is None and isinstance(example, reading.TrickExample):
        phases.append(frozenset())
    for fresh in dict.fromkeys(phases):
        for before in range(len(led or ()), full):
            yield (
                Requirements(
                    rules=rules,
                    before=before,
                    puts=example.trick,
                    known=tuple(known),
                    led=led or frozenset(),
                    fresh=fresh,
                    gone=gone,
                    aside=aside,
                    contract=contract,
                ),
                4,
            )


def _place_jack(example: reading.CallExample, lane: int, known: list[int]) -> tuple[int, Card | None]:
    """Put the called card where the example says: into a hand, among the discards, or into an earlier trick.

    Returns the cards set aside and the card that was played earlier, if any.
    """
    rule = example.rules.call
    assert rule is not None
    jack = lane * LANE_SIZE + KING_PLACE - rule.below_king
    early = isinstance(example.rules.play, EarlyCall)
    if early and isinstance(example.jack, int) and example.trick[example.jack] == (jack,):
        return 0, None  # its holder had yet to play, and had to play it
    if BIT[jack] & _all(example.trick):
        raise reading.BadExample(_("it lies in the trick: nobody calls for it."), "jack")
    if example.jack == "scart":
        if not example.rules.scart:
            raise reading.BadExample(_("in this game nothing is laid away."), "jack")
        return BIT[jack], None
    if example.jack == "played":
        return 0, jack
    known[example.jack] |= BIT[jack]
    return 0, None


def _all(trick: Iterable[reading.Put]) -> int:
    return set_of(card for put in trick for card in put)


def _suits(lane: int) -> frozenset[int]:
    return frozenset([lane]) if lane in _ALL_SUITS else frozenset()


def _aside(contract: str, seats: int, seen: int) -> int:
    """In a Misere of seven or eight players, the Fool and the I are in the Tapp: otherwise their holder had to play."""
    if contract != "misere" or seats < 7:
        return 0
    forcing = FOOL_BIT | BIT[56]
    if seen & forcing:
        raise reading.BadExample(
            _("with so many players, whoever holds the Fool or the I must play: nobody plays Misere.")
        )
    return forcing


def _check_led(led: frozenset[int] | None, before: int) -> None:
    if led and len(led) > before:
        raise reading.BadExample(_("no trick has been played in which these suits were led."), "led_before")
