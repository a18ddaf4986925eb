"""What one game of the family is: data, and the few strategies it is made of.

A ruleset is read, not deciphered: `rulesets/troccas.py` says the whole game in one definition, a variant names only what
differs. `course` is the order of the questions of a hand; each stage skips itself where it has nothing to ask.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Protocol, TypeAlias

from games.engine.cards import CardSet
from games.engine.errors import Illegality

if TYPE_CHECKING:
    from games.engine.actions import Action
    from games.engine.hand import Hand
    from games.engine.legal import Legal

OptionValue: TypeAlias = bool | int | str


class OptionError(ValueError):
    """An option that does not exist or has no such value; `name` is the option."""

    def __init__(self, name: str, message: str) -> None:
        super().__init__(message)
        self.name = name


@dataclass(frozen=True, slots=True)
class Option:
    """One thing a table may agree on: a switch (bool), a choice of words, or a count within bounds."""

    name: str
    default: OptionValue
    choices: tuple[str, ...] = ()
    low: int = 0
    high: int = 0

    def settled(self, value: object) -> OptionValue:
        """`value` in the option's own type; `"on"` and `"off"` stand for a switch. Raises OptionError."""
        if isinstance(self.default, bool):
            switch = {"on": True, "off": False}.get(value) if isinstance(value, str) else value
            if isinstance(switch, bool):
                return switch
            raise OptionError(self.name, f"option {self.name} is on or off")
        if self.choices:
            if isinstance(value, str) and value in self.choices:
                return value
            raise OptionError(self.name, f"option {self.name} is one of {', '.join(self.choices)}")
        if isinstance(value, int) and not isinstance(value, bool) and self.low <= value <= self.high:
            return value
        raise OptionError(self.name, f"option {self.name} is a number from {self.low} to {self.high}")


class Stage(Protocol):
    """One kind of question of a hand. Stages hold no state: everything is in the hand."""

    def enter(self, hand: Hand) -> bool:
        """Prepare the question. False when there is nothing to ask: the course goes on."""

    def legal(self, hand: Hand) -> Legal:
        """What the player on turn may do."""

    def why_illegal(self, hand: Hand, action: Action) -> Illegality | None:
        """The rule that forbids `action` to the player on turn, None if it is legal."""

    def act(self, hand: Hand, action: Action) -> None:
        """Check and apply `action`. Raises IllegalAction, then nothing has changed."""


class TrickQuestion(Protocol):
    """Something that may be asked when a trick to the first lead of a suit is complete, before it is gathered."""

    def open(self, hand: Hand) -> bool:
        """Ask, if the trick gives reason to. False when nobody is asked."""


class FoolRule(Protocol):
    """How the Fool is won, kept and paid for."""

    def settle(self, hand: Hand, winner: int) -> None:
        """A trick has been added to its winner's side: move the Fool, pay for it if that is possible now."""

    def finish(self, hand: Hand) -> None:
        """The last trick has fallen: pay what is still owed."""


class Count(Protocol):
    """How the cards of a side are counted."""

    def points(self, hand: Hand) -> tuple[int, ...]:
        """Card points per side, in the order of `hand.parties`."""


class Settlement(Protocol):
    """What a hand adds to each seat's running total."""

    def scores(self, hand: Hand, points: Sequence[int]) -> tuple[int, ...]:
        """The score per seat."""


@dataclass(frozen=True, slots=True)
class TalkRule:
    """The talk after each round of the deal: how many speak first, and whether the next may free the dealer."""

    speakers: int = 2
    third_frees_dealer: bool = True


@dataclass(frozen=True, slots=True)
class CallRule:
    """A card of the suit led may be called into the trick that holds the king: `below_king` = 3 for the jack."""

    below_king: int = 3
    exempting: bool = True  # `buob-sche` exists: queen and cavalier may stay


@dataclass(frozen=True, slots=True)
class PairRule:
    """King and a companion may be played together to the first lead of their suit: `below_king` = 3 for the jack."""

    below_king: int = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Ruleset:
    """One game: everything that differs between games is here, nothing of it anywhere else.

    `sides` gives each seat's side; `batches` the cards to each player per round, by the number of rounds of the deal;
    the dealer takes `dealer_extra` more in the last round and lays `scart` cards away.
    """

    id: str
    version: int
    seats: int
    sides: tuple[int, ...]
    pack: CardSet
    course: tuple[Stage, ...]
    batches: Mapping[int, tuple[int, ...]]
    dealer_extra: int
    scart: int
    talk: TalkRule | None
    call: CallRule | None
    pair: PairRule | None
    after_trick: tuple[TrickQuestion, ...]
    fool: FoolRule
    count: Count
    settlement: Settlement
    options: tuple[Option, ...]
    clockwise: bool = False

    def variant(self, id: str, **changes: object) -> Ruleset:
        """A ruleset that differs from this one only in `changes`."""
        return replace(self, id=id, **changes)  # type: ignore[arg-type]  # the fields are checked by the dataclass

    def settled_options(self, given: Mapping[str, object]) -> dict[str, OptionValue]:
        """All options of the ruleset with `given` over the defaults. Raises OptionError."""
        known = {option.name: option for option in self.options}
        for name in given:
            if name not in known:
                raise OptionError(name, f"{self.id} has no option {name}")
        return {
            name: option.settled(given[name]) if name in given else option.default for name, option in known.items()
        }

    def parties(self, sides: Iterable[int]) -> tuple[tuple[int, ...], ...]:
        """The seats of each side, ascending, ordered by side."""
        by_side: dict[int, list[int]] = {}
        for seat, side in enumerate(sides):
            by_side.setdefault(side, []).append(seat)
        return tuple(tuple(by_side[side]) for side in sorted(by_side))
