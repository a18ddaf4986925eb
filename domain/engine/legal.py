"""The legal actions of a moment: set-like values (`in`, `len`, iteration) with a description in the words of records.

`why_these` says why just these cards may be played, as a word that pages put into the reader's language.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from math import comb
from typing import TYPE_CHECKING, Final, Literal, TypeAlias

from domain.engine.actions import BARE, PLAYS, SAY, TALK_VERBS, Action
from domain.engine.cards import (
    BIT,
    CODES,
    FOOL,
    FOOL_BIT,
    KINGS,
    LANE_OF,
    LANES,
    TRUMP_CARDS,
    TRUMPS,
    Card,
    CardSet,
    cards_in,
    codes,
    set_of,
)
from domain.engine.state import NOBODY

if TYPE_CHECKING:
    from domain.engine.view import View

Described: TypeAlias = "list[str] | dict[str, int | list[str]]"


@dataclass(slots=True, unsafe_hash=True)
class LegalPlays:
    """What may be played to the trick.

    `cards` may be played alone, the kings `pairs` together with their companion (`below_king` lower, the jack). One may
    knock with the cards `knocks`, and call the jack with the kings `calls` (`play CK buob`).

    Treat it as immutable. It is not declared frozen because one is made at every decision and that would take three
    times as long.
    """

    cards: CardSet
    pairs: CardSet = 0
    knocks: CardSet = 0
    below_king: int = 3
    calls: CardSet = 0

    asked = "play"

    def __contains__(self, action: object) -> bool:
        if not isinstance(action, Action) or action.verb != "play":
            return False
        if action != Action("play", action.cards, signal=action.signal):
            return False
        if len(action.cards) == 1:
            allowed = {"": self.cards, "knock": self.knocks, "buob": self.calls}.get(action.signal, 0)
            return bool(allowed >> action.cards[0] & 1)
        return not action.signal and action in self._pair_plays()

    def __iter__(self) -> Iterator[Action]:
        plays: list[Action] = []
        cards = self.cards
        while cards:  # from the top down: that takes one operation less for each card than finding the lowest
            card = cards.bit_length() - 1
            plays.append(PLAYS[card])
            cards ^= BIT[card]
        plays.reverse()
        if self.pairs:
            plays += self._pair_plays()
        if self.calls:
            plays += [Action("play", (king,), signal="buob") for king in cards_in(self.calls)]
        return iter(plays)

    def _pair_plays(self) -> Iterator[Action]:
        return (Action("play", (king, king - self.below_king)) for king in cards_in(self.pairs))

    def __len__(self) -> int:
        if self.pairs or self.calls:
            return self.cards.bit_count() + self.pairs.bit_count() + self.calls.bit_count()
        return self.cards.bit_count()

    def described(self) -> Described:
        return sorted(str(action) for action in self)


@dataclass(frozen=True, slots=True)
class LegalChoice:
    """Discard `count` cards of `cards`, in any order, or do one of the actions `otherwise` instead.

    The cards of `together` may be among them, but only all of them at once.
    """

    verb: str
    count: int
    cards: CardSet
    otherwise: tuple[Action, ...] = ()
    together: CardSet = 0

    @property
    def asked(self) -> str:
        return self.verb

    def __contains__(self, action: object) -> bool:
        if not isinstance(action, Action):
            return False
        if action in self.otherwise:
            return True
        chosen = set_of(action.cards)
        return (
            action == Action(self.verb, action.cards)
            and len(action.cards) == self.count == chosen.bit_count()
            and not chosen & ~(self.cards | self.together)
            and chosen & self.together in (0, self.together)
        )

    def __iter__(self) -> Iterator[Action]:
        for chosen in combinations(cards_in(self.cards), self.count):
            yield Action(self.verb, chosen)
        if self.together:
            whole = tuple(cards_in(self.together))
            for chosen in combinations(cards_in(self.cards), self.count - len(whole)):
                yield Action(self.verb, (*whole, *chosen))
        yield from self.otherwise

    def __len__(self) -> int:
        free = self.cards.bit_count()
        with_the_set = comb(free, self.count - self.together.bit_count()) if self.together else 0
        return comb(free, self.count) + with_the_set + len(self.otherwise)

    def described(self) -> Described:
        described: dict[str, int | list[str]] = {"choose": self.count, "from": codes(self.cards)}
        if self.together:
            described["together"] = codes(self.together)
        if self.otherwise:
            described["or"] = [str(action) for action in self.otherwise]
        return described


@dataclass(frozen=True, slots=True)
class LegalWords:
    """A short list of actions. `talk` is what may be said with them: nothing (""), `phrases` or `free`."""

    asked: str
    actions: tuple[Action, ...]
    talk: str = ""
    phrases: frozenset[str] = frozenset()

    def __contains__(self, action: object) -> bool:
        if not isinstance(action, Action):
            return False
        if action.said or action.words:
            if not self.talk or not self._is_asked(action.verb):
                return False
            if action.words and self.talk != "free":
                return False
            return not action.cards and not action.number and not action.signal and self.phrases.issuperset(action.said)
        return action in self.actions

    def _is_asked(self, verb: str) -> bool:
        return self.asked == SAY if verb == SAY else verb in TALK_VERBS and BARE[verb] in self.actions

    def __iter__(self) -> Iterator[Action]:
        return iter(self.actions)

    def __len__(self) -> int:
        return len(self.actions)

    def described(self) -> Described:
        return sorted(str(action) for action in self.actions)


@dataclass(frozen=True, slots=True)
class LegalCut:
    """A cut lifts 1 to `most` cards."""

    most: int

    asked = "cut"

    def __contains__(self, action: object) -> bool:
        return (
            isinstance(action, Action)
            and action == Action("cut", number=action.number)
            and 1 <= action.number <= self.most
        )

    def __iter__(self) -> Iterator[Action]:
        return (Action("cut", number=lifted) for lifted in range(1, self.most + 1))

    def __len__(self) -> int:
        return self.most

    def described(self) -> Described:
        return [f"cut 1..{self.most}"]


@dataclass(frozen=True, slots=True)
class LegalArrangement:
    """One's own tricks, top card first, may be put in any order; iteration offers only to leave them as they are."""

    pile: tuple[Card, ...]

    asked = "arrange"

    def __contains__(self, action: object) -> bool:
        if not isinstance(action, Action) or action != Action("arrange", action.cards):
            return False
        return not action.cards or sorted(action.cards) == sorted(self.pile)

    def __iter__(self) -> Iterator[Action]:
        yield BARE["arrange"]

    def __len__(self) -> int:
        return 1

    def described(self) -> Described:
        return ["arrange"]

    def codes(self) -> list[str]:
        """The pile's cards, top first."""
        return [CODES[card] for card in self.pile]


NOTHING_LEGAL: Final = LegalWords("", ())
"""For a hand that is over, or when somebody else is on turn."""

Legal: TypeAlias = LegalPlays | LegalChoice | LegalWords | LegalCut | LegalArrangement


Reason: TypeAlias = Literal[
    "lead", "lead-trump", "free", "follow", "called", "trump", "withhold", "no-trump", "anything"
]


def why_these(view: View, legal: LegalPlays) -> Reason:
    """Why the player on turn, whose view this is, may play just the cards of `legal`.

    `lead`: the trick is empty; `free`: it has only a Fool; `follow`, `trump`, `anything`: the rules of following suit.
    In some games also `lead-trump` (the first lead), `called` (the jack must be played), `withhold` (the Fool is the
    only trump), `no-trump` (trumps must follow a led Fool, but the player has none; a suit may still win).
    """
    if not view.trick:
        return "lead" if legal.cards | FOOL_BIT == view.held | FOOL_BIT else "lead-trump"
    if view.lane == NOBODY:
        return "free"
    if view.caller not in (NOBODY, view.seat) and legal.cards != view.held and legal.cards.bit_count() == 1:
        rule = view.ruleset.call
        if rule is not None and legal.cards & LANES[view.lane] & (KINGS >> rule.below_king):
            return "called"
    real = legal.cards & ~FOOL_BIT
    if view.ruleset.bidding is not None and legal.cards & FOOL_BIT and not view.held & TRUMP_CARDS:
        suit = LANES[view.lane] if view.lane != TRUMPS else 0
        if not view.held & suit and not view.fool_withheld:
            return "withhold"
    lanes = {LANE_OF[card] for card in cards_in(real)}
    if view.lane in lanes and len(lanes) == 1:
        return "follow"
    if lanes == {TRUMPS}:
        return "trump"
    return "no-trump" if view.trick[0] == FOOL and view.lane == TRUMPS and view.ruleset.bidding is None else "anything"
