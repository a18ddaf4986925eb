"""One game of the family: its data, and the few strategies it is made of.

A ruleset should be easy to read: `rulesets/troccas.py` defines the whole game in one place, and a variant names only
its differences. `course` is the order of the questions of a hand; a stage that has nothing to ask is skipped.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final, Literal, Protocol, TypeAlias, cast

from domain.engine.cards import TRUMP_CARDS, Card, CardSet
from domain.engine.errors import Illegality

if TYPE_CHECKING:
    from domain.engine.actions import Action
    from domain.engine.hand import Hand
    from domain.engine.legal import Legal

OptionValue: TypeAlias = bool | int | str


class OptionError(ValueError):
    """An option that does not exist or has no such value; `name` is the option."""

    def __init__(self, name: str, message: str) -> None:
        super().__init__(message)
        self.name = name


@dataclass(frozen=True, slots=True)
class Option:
    """One thing a table may agree on: a switch (bool), one of several words, or a count within bounds.

    The default of a count that is `one_per_player` is the number of players, whatever the definition says.
    """

    name: str
    default: OptionValue
    choices: tuple[str, ...] = ()
    low: int = 0
    high: int = 0
    one_per_player: bool = False

    def settled(self, value: object) -> OptionValue:
        """`value` in the option's own type; a switch may also be `"on"` or `"off"`. Raises OptionError."""
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
        """Prepare the question. Returns whether there is anything to ask; if not, the course goes on."""

    def legal(self, hand: Hand) -> Legal:
        """What the player on turn may do."""

    def why_illegal(self, hand: Hand, action: Action) -> Illegality | None:
        """The rule that forbids `action` to the player on turn, None if it is legal."""

    def act(self, hand: Hand, action: Action) -> None:
        """Check and apply `action`. Raises IllegalAction without changing anything."""


class Play(Stage, Protocol):
    """The last stage of every hand: the tricks."""

    def winning(self, hand: Hand) -> int:
        """The position of the card that takes the trick so far. The trick must not be empty."""

    def winner(self, hand: Hand) -> int:
        """The seat whose card takes the complete trick."""

    def gather(
        self, hand: Hand, winner: int | None = None, extra: tuple[int, Card] | None = None, gone: int = -1
    ) -> None:
        """Give the complete trick to its winner, who leads to the next one."""


class TrickQuestion(Protocol):
    """A question that may be asked when the first trick of a suit is complete, before it is gathered."""

    def open(self, hand: Hand) -> bool:
        """Ask the question if the trick gives reason to, or gather the trick in its own way.

        Returns whether it did either.
        """


class FoolRule(Protocol):
    """How the Fool is won, kept and paid for."""

    def settle(self, hand: Hand, winner: int) -> None:
        """Move the Fool after a trick was added to its winner's side, and pay for it if that is possible now."""

    def finish(self, hand: Hand) -> None:
        """Pay what is still owed after the last trick."""


class LaidAway(Protocol):
    """Which side gets the cards that nobody played."""

    def award(self, hand: Hand) -> None:
        """Add the discarded cards to a side once the tricks are settled, if they count at all."""


class Count(Protocol):
    """How the cards of a side are counted."""

    def points(self, hand: Hand) -> tuple[int, ...]:
        """Card points per side, in the order of `hand.parties`."""

    def worth(self, cards: CardSet, laid_away: CardSet = 0) -> int:
        """The points of these cards counted on their own; `laid_away` are the cards of the scart."""

    def total(self, pack: CardSet, scart: int) -> int:
        """The sum of the points of all sides, from the whole pack and the number of cards discarded."""


class Settlement(Protocol):
    """How the points of a hand become the scores that are added to the running totals."""

    def scores(self, hand: Hand, points: Sequence[int]) -> tuple[int, ...]:
        """The score of each seat."""


@dataclass(frozen=True, slots=True)
class TalkRule:
    """The talk after each round of the deal.

    The first `speakers` players speak. Then the next player either may free the dealer (`third_frees_dealer`) or
    decides himself. A dealer with none of the cards `dealer_lacks` may throw in despite a veto after the last round.
    """

    speakers: int = 2
    third_frees_dealer: bool = True
    dealer_lacks: CardSet = TRUMP_CARDS


@dataclass(frozen=True, slots=True)
class CallRule:
    """A card of the suit led may be called into a trick with the king of that suit: `below_king` = 3 for the jack."""

    below_king: int = 3
    exempting: bool = True  # `buob-sche` may be called: then a queen or cavalier need not be replaced


@dataclass(frozen=True, slots=True)
class PairRule:
    """King and a companion may be played together to the first lead of their suit: `below_king` = 3 for the jack.

    In return the player takes back a card of another player: a numeral of that suit, or any card but the Fool.
    """

    below_king: int = 3
    takes_back: Literal["numeral", "any"] = "numeral"

    @property
    def named(self) -> int:
        """The companion as `Illegality.number` names it: 0 for the jack."""
        return 0 if self.below_king == 3 else self.below_king


@dataclass(frozen=True, slots=True)
class BiddingRule:
    """What follows the bidding. If none takes the game, a `misere` is played or the `next-dealer` deals.

    With `forced_from` players or more, the holder of the Fool, or else of the I, must play instead; with `partner_from`
    players or more, the Tappist calls a partner.
    """

    if_none_takes: Literal["misere", "next-dealer"]
    forced_from: int = 9
    partner_from: int = 9


@dataclass(frozen=True, slots=True)
class Table:
    """The deal of a game with a Tapp at a table of one size.

    `tapp` cards are laid down after `tapp_after` rounds of `batches`; if the dealer may choose how to deal, `packets`
    lists the choices.
    """

    tapp: int
    batches: tuple[int, ...]
    tapp_after: int = 0
    packets: tuple[tuple[int, ...], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Ruleset:
    """One game. Everything that differs between games is defined here and nowhere else.

    `sides` gives each seat's side when the play begins, unless the bidding makes the sides. `course` lists the
    questions of a hand in order, the play last. `batches` gives the cards for each player per round, by the number of
    rounds of the deal; the dealer takes `dealer_extra` more in the last round and discards `scart` cards. Whoever
    discards may discard the honours `together`, but only as a whole.

    A game for tables of several sizes gives `tables`, by the number of seats. For one of them, `at` fills in the seats,
    the sides (each player alone, until there is a Tappist) and the deal.
    """

    id: str
    version: int
    pack: CardSet
    course: tuple[Stage, ...]
    fool: FoolRule
    laid_away: LaidAway
    count: Count
    settlement: Settlement
    options: tuple[Option, ...]
    clockwise: bool = False
    # the table and the deal
    seats: int = 0
    sides: tuple[int, ...] = ()
    batches: Mapping[int, tuple[int, ...]] = field(default_factory=dict)
    dealer_extra: int = 0
    scart: int = 0
    together: CardSet = 0
    cut_card_shown: bool = True
    last_card_open: bool = True
    talk: TalkRule | None = None
    # the tricks
    call: CallRule | None = None
    pair: PairRule | None = None
    after_trick: tuple[TrickQuestion, ...] = ()
    # the Tapp
    tables: Mapping[int, Table] = field(default_factory=dict)
    tapp: int = 0
    tapp_after: int = 0
    packets: tuple[tuple[int, ...], ...] = ()
    bidding: BiddingRule | None = None

    @property
    def sizes(self) -> tuple[int, ...]:
        """The numbers of players that a table of this game may have, ascending."""
        return tuple(sorted(self.tables)) or (self.seats,)

    def asks_to_throw_in(self, options: Mapping[str, object]) -> bool:
        """Whether the players are asked in turn, after each round of the deal, if the cards may be thrown in."""
        return self.talk is not None and bool(options.get("throw_in", False))

    def speaks_unasked(self, options: Mapping[str, object]) -> str:
        """What players may say about their cards without being asked: nothing (""), `phrases` or `free`.

        Where cards may be thrown in, players speak when they are asked about that.
        """
        talk = str(options.get("talk", "silent"))
        return "" if self.talk is None or self.asks_to_throw_in(options) or talk == "silent" else talk

    @property
    def control_sum(self) -> int:
        """The sum of the scores of a hand written down by sides: all card points, or 0 where players pay each other."""
        return 0 if self.bidding is not None else self.count.total(self.pack, self.scart)

    @property
    def play(self) -> Play:
        return cast("Play", self.course[-1])

    def at(self, seats: int) -> Ruleset:
        """This game for a table of that many players. Raises ValueError if it cannot be played by that many."""
        if seats not in self.sizes:
            raise ValueError(f"{self.id} is not played by {seats}")
        options = tuple(
            [replace(option, default=seats) if option.one_per_player else option for option in self.options]
        )
        if not self.tables:
            return replace(self, options=options)
        table = self.tables[seats]
        return replace(
            self,
            options=options,
            seats=seats,
            sides=tuple(range(seats)),
            batches={len(table.batches): table.batches},
            tapp=table.tapp,
            tapp_after=table.tapp_after,
            packets=table.packets,
        )

    def variant(self, id: str, **changes: object) -> Ruleset:
        """A ruleset that differs from this one only in `changes`."""
        changed = replace(self, id=id, **changes)  # type: ignore[arg-type]  # the fields are checked by the dataclass
        return changed.at(changed.seats)

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


# options that several games share

HANDS_OPTION: Final = Option("hands", 4, low=1, high=16, one_per_player=True)
KNOCK_OPTION: Final = Option("knock", False)
DEMANDS_OPTION: Final = Option("demands", True)
TALK_OPTION: Final = Option("talk", "phrases", choices=("phrases", "silent", "free"))
THROW_IN_OPTION: Final = Option("throw_in", True)
