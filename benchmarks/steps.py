"""A hand as a sequence of small numbers: what the adapters for other people's programs share (`pettingzoo_env.py`, `openspiel_game.py`).

Numbers 0 to 77 are cards (`domain.engine.CODES`): to play, to call, to take up, or to lay away, one after the other. From there on come
the other actions of the play (`domain/bots/fast/layout.py`), and from `WORDS` on the answers to all other questions, in the order in
which the engine lists them: a question names which they are (`Steps.text`). Nothing is said with a word of the talk. Whoever cuts
lifts half of the pack, and piles stay as they lie, since the pack is mixed already.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from domain.bots.fast.encoding import number_of
from domain.bots.fast.layout import ACTIONS, PAIR
from domain.engine import CODES, Action, Hand, View, codes
from domain.engine.cards import BIT, Card, CardSet, cards_in
from domain.engine.legal import LegalChoice
from domain.engine.ruleset import Ruleset

WORDS: Final = ACTIONS
MOST_WORDS: Final = 32
NUMBERS: Final = WORDS + MOST_WORDS
"""How many numbers there are."""
_OF_THE_PLAY: Final = ("play", "call", "fool", "take")


class Steps:
    """A hand that is played by numbers. `numbers` are the legal ones of the player on turn."""

    def __init__(self, rules: Ruleset, dealer: int, pack: Sequence[Card]) -> None:
        self.hand = Hand(rules, dealer, pack)
        self.chosen: CardSet = 0  # what is laid away so far, before the last card of it is named
        self._skip()

    def copy(self) -> Steps:
        """An independent hand in the same state."""
        twin = object.__new__(Steps)
        twin.hand, twin.chosen = self.hand.copy(), self.chosen
        return twin

    @property
    def over(self) -> bool:
        return self.hand.over

    @property
    def turn(self) -> int:
        return self.hand.turn

    @property
    def scores(self) -> tuple[int, ...]:
        """The scores by seat of a hand that is over; all 0 if it was thrown in."""
        result = self.hand.result
        if result is None:
            raise ValueError("the hand is not over")
        return result.scores or (0,) * self.hand.seats

    @property
    def numbers(self) -> list[int]:
        """What the player on turn may do, in rising order."""
        return sorted(self._actions())

    def text(self, number: int) -> str:
        """The action a legal number stands for, as records write it."""
        action = self._actions()[number]
        return f"{self.hand.asked} {CODES[number]}" if action is None else str(action)

    def push(self, number: int) -> None:
        """Do what a number stands for. Raises ValueError if it is not legal, then nothing has changed."""
        actions = self._actions()
        if number not in actions:
            raise ValueError(f"{number} is not legal")
        action = actions[number]
        if action is not None:
            self.hand.push(action)
            self._skip()
            return
        self.chosen |= BIT[number]
        legal = self.hand.legal
        assert isinstance(legal, LegalChoice)
        if self.chosen.bit_count() == legal.count:
            chosen, self.chosen = self.chosen, 0
            self.hand.push(Action(legal.verb, tuple(cards_in(chosen))))
            self._skip()

    def seen(self, seat: int) -> str:
        """All that a seat knows: its cards and everything that has happened, the same if and only if it knows the same."""
        view = self.hand.view(seat)
        mine = self.chosen if seat == self.hand.turn else 0
        told = [f"{at} {action}" for at, action in view.history]
        told += [f"{each.kind} {each.seat} {each.card} {each.back}" for each in view.happenings]
        told.append(
            f"{seat} of {len(view.counts)}, dealer {view.dealer}, asked {view.asked} of {view.turn}, laid {codes(mine)}"
        )
        told.append(f"holds {codes(view.held)}, away {codes(view.scart or 0)}, tapp {codes(view.tapp or 0)}")
        told.append(
            f"cut {view.cut_card}, face up {view.face_up}, dealt {view.dealt}, before {codes(self._dealt_to(view))}"
        )
        return "\n".join(told)

    @staticmethod
    def _dealt_to(view: View) -> CardSet:
        """The cards that the viewer played: with what it holds, what it had been dealt or taken up."""
        played = 0
        for seat, action in view.history:
            if seat == view.seat and action.verb == "play":
                for card in action.cards:
                    played |= BIT[card]
        return played

    def _actions(self) -> dict[int, Action | None]:
        """By number what may be done; nothing for a card that is one of several to name."""
        hand = self.hand
        legal = hand.legal
        if hand.asked in _OF_THE_PLAY:
            return {number_of(action): action for action in legal if action.signal != "knock"}
        if isinstance(legal, LegalChoice):
            left = legal.count - self.chosen.bit_count()
            missing = legal.together & ~self.chosen
            begun = self.chosen & legal.together
            may = legal.cards & ~self.chosen
            if begun and missing.bit_count() == left:
                may = missing  # these go together or not at all
            elif begun or missing.bit_count() <= left:
                may |= missing
            named: dict[int, Action | None] = dict.fromkeys(cards_in(may))
            if not self.chosen:
                named |= {WORDS + at: action for at, action in enumerate(legal.otherwise)}
            return named
        listed = list(legal)
        if all(len(action.cards) == 1 for action in listed):
            return {action.cards[0]: action for action in listed}
        return {WORDS + at: action for at, action in enumerate(listed)}

    def _skip(self) -> None:
        """Cut, and leave piles as they lie: neither is a decision when the pack is mixed."""
        while not self.hand.over and self.hand.asked in ("cut", "arrange"):
            half = self.hand.ruleset.pack.bit_count() // 2
            self.hand.push(Action("cut", number=half) if self.hand.asked == "cut" else Action("arrange"))


def features(steps: Steps, seat: int) -> list[int]:
    """What a seat knows as ones and zeros, seats counted from itself: own cards, own cards laid away, the cards of the trick by
    who played them, those of the tricks by who played them, who is dealer, who leads, who is of the own side as far as known, the
    trump that was called, what is asked (`QUESTIONS`), and how many cards each has left, as a part of 32 ones.
    """
    view = steps.hand.view(seat)
    seats = len(view.counts)
    trick, gone = [0] * seats, [0] * seats
    for place, card in enumerate(view.trick):
        trick[(view.seat_of(place) - seat) % seats] |= BIT[card]
    for each in view.tricks:
        for card, by in zip(each.cards, each.seats, strict=True):
            gone[(by - seat) % seats] |= BIT[card]
    away = (view.scart or 0) | (steps.chosen if seat == view.turn else 0)
    called = 0 if view.called is None else BIT[view.called]
    row: list[int] = []
    for cards in (view.held, away, *trick, *gone, called):
        row += [cards >> card & 1 for card in range(PAIR)]
    for by in (view.dealer, view.leader):
        row += [int(by == (seat + step) % seats) for step in range(seats)]
    row += [int(view.sides[(seat + step) % seats] == view.sides[seat] != -1) for step in range(seats)]
    row += [int(view.asked == question) for question in QUESTIONS]
    for step in range(seats):
        left = view.counts[(seat + step) % seats]
        row += [int(at < left) for at in range(32)]
    return row


QUESTIONS: Final = (
    "deal",
    "talk",
    "free",
    "demand",
    "decide",
    "scart",
    "packets",
    "bid",
    "discard",
    "partner",
    *_OF_THE_PLAY,
)


def size_of_features(rules: Ruleset) -> int:
    """How long a row of `features` is."""
    return PAIR * (3 + 2 * rules.seats) + rules.seats * (3 + 32) + len(QUESTIONS)
