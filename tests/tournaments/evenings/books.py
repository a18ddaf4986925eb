"""What was typed, paid and said on an evening, as a careful person with a pencil would note it beside the site."""

from __future__ import annotations

import random
import threading
from collections.abc import Iterable
from dataclasses import dataclass, field

_BEGINS = [
    "Cav",
    "Grisch",
    "Tum",
    "Pleu",
    "Sava",
    "Lumb",
    "Derg",
    "Flur",
    "Brig",
    "Mede",
    "Schla",
    "Vinz",
    "Nuot",
    "Urt",
    "Peng",
    "Rads",
    "Tscha",
    "Gian",
    "Zarn",
    "Buol",
]
_MIDDLES = [
    "ad",
    "ett",
    "ill",
    "onn",
    "umb",
    "erv",
    "antsch",
    "ils",
    "ond",
    "arp",
    "empf",
    "usch",
    "inz",
    "org",
    "alb",
    "epp",
]
FIRST, LAST = "ulin", "egnez"
"""How first and last names end here: in no word of the site, so that a name is found wherever it stands."""


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody; `named`: has agreed to be named in public."""

    first: str
    last: str
    named: bool

    @property
    def full(self) -> str:
        """As the hall knows them."""
        return f"{self.first} {self.last}"


def some_people(number: int, chance: random.Random) -> list[Person]:
    """So many people, no two with a name in common; every fourth has agreed to be named."""
    stems = [begin + middle for begin in _BEGINS for middle in _MIDDLES]
    firsts, lasts = chance.sample(stems, number), chance.sample(stems, number)
    return [
        Person(first + FIRST, last + LAST, named=place % 4 == 0)
        for place, (first, last) in enumerate(zip(firsts, lasts, strict=True))
    ]


@dataclass(slots=True)
class Line:
    """A line of a sheet: the points of each side, in one deal or in several (`of`)."""

    scores: tuple[int, ...]
    of: int = 1


@dataclass(slots=True)
class Sheet:
    """What was written at a table. `sides` are the people by name; `written` how often the site said yes to a line."""

    key: str
    sides: tuple[tuple[str, ...], ...]
    total: int
    deals: int
    lines: dict[int, Line] = field(default_factory=dict)
    confirmed: bool = False
    written: int = 0

    def sums(self) -> list[int]:
        """The points of each side together."""
        return [sum(line.scores[side] for line in self.lines.values()) for side in range(len(self.sides))]


@dataclass(slots=True)
class Round:
    """A round that was published: its tables by number, and the entrants who sat out with a bye."""

    phase: int
    number: int
    sheets: dict[int, Sheet]
    byes: tuple[str, ...]
    told_repeats: int = 0

    @property
    def key(self) -> str:
        """As the site calls it."""
        return f"{self.phase}.{self.number}"


@dataclass(slots=True)
class Money:
    """Money that changed hands, in Rappen; `cancelled`: a mistake."""

    kind: str
    amount: int
    who: str = ""
    cancelled: bool = False


@dataclass(slots=True)
class Penalty:
    """Points that were taken away in the first phase."""

    entrant: str
    points: int
    cancelled: bool = False


@dataclass(slots=True)
class Books:
    """Everything. Entrants are called by the ids that stand on the pages, people by their full names.

    `came` and `left` are rounds of the first phase: the first one somebody could play in, the last one they were here for.
    """

    people: dict[str, Person] = field(default_factory=dict)
    entrants: dict[str, tuple[str, ...]] = field(default_factory=dict)
    plays_for: dict[str, str] = field(default_factory=dict)
    came: dict[str, int] = field(default_factory=dict)
    left: dict[str, int] = field(default_factory=dict)
    sat_out: dict[str, set[str]] = field(default_factory=dict)
    rounds: list[Round] = field(default_factory=list)
    finalists: tuple[str, ...] = ()
    money: list[Money] = field(default_factory=list)
    opening: int = 0
    penalties: list[Penalty] = field(default_factory=list)
    fund: int = 0
    prizes: dict[str, int] = field(default_factory=dict)
    own_pages: dict[str, str] = field(default_factory=dict)
    lock: threading.Lock = field(default_factory=threading.Lock)

    def know(self, people: Iterable[Person]) -> None:
        """These people are about."""
        self.people |= {person.full: person for person in people}

    def found_in(self, text: str) -> list[str]:
        """The people whose whole names stand in a text, in its order."""
        places = {name: text.find(name) for name in self.people}
        return sorted((name for name, place in places.items() if place >= 0), key=places.__getitem__)

    def of_phase(self, phase: int) -> list[Round]:
        """The rounds of a phase."""
        return [each for each in self.rounds if each.phase == phase]

    def owner(self, person: str) -> str:
        """The entrant somebody plays for."""
        return self.plays_for[person]

    def pay(self, kind: str, amount: int, who: str = "") -> Money:
        """Note money."""
        entry = Money(kind, amount, who)
        with self.lock:
            self.money.append(entry)
        return entry

    def expected(self) -> int:
        """What must be in the till."""
        signs = {"fee": 1, "deposit": 1, "income": 1, "refund": -1, "prize": -1, "expense": -1, "payout": -1}
        return self.opening + sum(signs[each.kind] * each.amount for each in self.money if not each.cancelled)
