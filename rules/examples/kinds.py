"""What an example may ask or tell, as plain data. Two with equal data are the same example, whatever they are called.

What is wrong with an example, said to who writes it.

The recorded games that articles may show tricks of: `rules/content/records/*.json`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Final, Literal, TypeAlias

from domain.engine import Card, CardSet, Hand, Match, Record, Ruleset, parse_record
from domain.engine.actions import parse_line
from domain.engine.rulesets import ruleset

Put: TypeAlias = tuple[Card, ...]
"""What one player put into the trick: a card, or a king with its companion."""

Contract: TypeAlias = Literal["", "normal", "solo", "misere"]
CONTRACTS: Final[tuple[Contract, ...]] = ("normal", "solo", "misere")


@dataclass(frozen=True, slots=True, kw_only=True)
class Example:
    """What all have: a title, a caption in Markdown ("" without), and the game. Cards lie in the order of play.

    `why`, in Markdown, stands with the answer of those that ask something, so that it gives nothing away before.

    Players are spoken of by their place: 0 leads to the trick, 1 plays next (the writer counts from 1).
    """

    ruleset: str
    seats: int
    title: str = field(default="", compare=False)
    caption: str = field(default="", compare=False)
    why: str = field(default="", compare=False)

    @property
    def rules(self) -> Ruleset:
        """The game at a table of this size."""
        return ruleset(self.ruleset, None, self.seats)


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayExample(Example):
    """What may be played here? `hold` is the whole hand of who is asked, after `trick`.

    `led_before`: the suits led earlier in this hand, None where it does not matter. `withheld`: the Fool was withheld.
    """

    hold: tuple[Card, ...]
    trick: tuple[Put, ...] = ()
    led_before: frozenset[int] | None = None
    contract: Contract = ""
    withheld: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class TrickExample(Example):
    """Who wins, and why? The trick is complete. `takes`: which card comes back to who played king and companion."""

    trick: tuple[Put, ...]
    led_before: frozenset[int] | None = None
    contract: Contract = ""
    takes: Card | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class CallExample(Example):
    """What comes of a call? `jack` is the place of who holds the called card, or where it lies else.

    `answer` is what the holder of the Fool does with the jack, where that is asked.
    """

    trick: tuple[Put, ...]
    jack: int | Literal["scart", "played"]
    call: Literal["buob", "buob-sche"]
    answer: Literal["give", "keep"] = "give"


@dataclass(frozen=True, slots=True, kw_only=True)
class CountExample(Example):
    """What do these cards of one side count? `laid` of them lay in the scart; `dealer_side`: it is the dealer's side."""

    cards: tuple[Card, ...]
    laid: CardSet = 0
    tricks: int | None = None
    dealer_side: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class SettleExample(Example):
    """Who pays whom? `points` of the Tappist's side and of the others, or of each player in a Misère."""

    contract: Contract
    points: tuple[int, ...]
    tappist: int = 0
    partner: int | None = None
    no_trick: bool = False
    options: tuple[tuple[str, int], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class OrderExample(Example):
    """How do these cards rank? All of one suit, or trumps and the Fool."""

    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordExample(Example):
    """Tricks `first` to `last` of hand `hand` of a recorded game, all counted from 1."""

    record: str
    hand: int
    first: int
    last: int


class BadExample(Exception):
    """An example that cannot be shown. `message` says in the active language what is wrong and where.

    `field` names the line of the example it is about, empty if it is about the whole; `line` counts from 1 inside the
    example, 0 where it is not known.
    """

    def __init__(self, message: str, field: str = "", line: int = 0) -> None:
        super().__init__(f"{field}: {message}" if field else message)
        self.message = str(self)
        self.field = field
        self.line = line


FOLDER: Final = Path(__file__).resolve().parent.parent / "content" / "records"
_ALL: Final = 99  # more tricks than any hand has
_NAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9-]{0,99}")


@cache
def record(name: str) -> Record | None:
    """The record of that name, None if there is none."""
    if not _NAME.fullmatch(name):
        return None
    path = FOLDER / f"{name}.json"
    return parse_record(path.read_bytes()) if path.is_file() else None


@cache
def hand_at(name: str, number: int, trick: int) -> Hand:
    """Hand `number` of a record that exists, when `trick` tricks have been gathered and all about them is settled.

    Everybody gets the same hand: copy it before acting. One that ended earlier is given at its end.
    """
    found = record(name)
    assert found is not None
    match = Match(found.ruleset, found.options, dealer=found.hands[0].dealer)
    for at, recorded in enumerate(found.hands[:number], 1):
        hand = match.deal(recorded.pack)
        for line in recorded.actions:
            if at == number and len(hand.tricks) == trick and hand.asked == "play":
                return hand
            match.push(parse_line(line)[1])
    return hand


def tricks_played(name: str, number: int) -> int:
    """How many tricks were played in a hand of a record that exists; 0 if it was not played at all."""
    return len(hand_at(name, number, _ALL).tricks)
