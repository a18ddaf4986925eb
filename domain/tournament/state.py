"""What a tournament is made of. Everything is frozen: a new event makes a new state, and readers keep the old one.

Ids are opaque: an entrant is ``e12``, a person whatever the caller calls them. A round is named by its key ``2.3`` (the
third round of the second phase), a table by ``2.3.7``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from domain.seating.settings import Settings
from domain.standings.prizes import Entry, Prize, PrizeRules
from domain.standings.profile import HouseRules
from domain.standings.results import Penalty
from domain.standings.sheets import Lot
from domain.tournament.payload import Plain

SINGLE: Final = "single"
PAIR: Final = "pair"
KINDS: Final = (SINGLE, PAIR)

EXPECTED: Final = "expected"
HERE: Final = "here"
GONE: Final = "gone"
WITHDRAWN: Final = "withdrawn"
MERGED: Final = "merged"

DRAFT: Final = "draft"
OUT: Final = "out"
CLOSED: Final = "closed"

PLAYING: Final = "playing"
HANDED_IN: Final = "handed-in"
CONFIRMED: Final = "confirmed"
DISPUTED: Final = "disputed"

ABANDONED: Final = "abandoned"
"""The kind of change that lets a table's game go."""


@dataclass(frozen=True, slots=True)
class Substitution:
    """From this round on, `new` sits where `old` sat; the result stays the entrant's."""

    old: str
    new: str
    phase: int
    round: int


@dataclass(frozen=True, slots=True)
class Entrant:
    """Who takes part: one person, or a pair.

    `came` and `left` are (phase, round): the first round they can be seated in, and the last one they were here for.
    `pauses` are keys of rounds they sit out by wish. `fee` in Rappen. `groups` are opaque marks of what is kept apart.
    `alone` is the first of a pair that was made, as they had entered. `house` are computer players who fill up tables of an
    online round: they are seated as everybody and ranked nowhere.
    """

    id: str
    members: tuple[str, ...]
    groups: tuple[str, ...] = ()
    categories: tuple[str, ...] = ()
    seed: int = 0
    fee: int = 0
    status: str = EXPECTED
    came: tuple[int, int] | None = None
    left: tuple[int, int] | None = None
    pauses: frozenset[str] = frozenset()
    substitutions: tuple[Substitution, ...] = ()
    merged_into: str = ""
    alone: Entrant | None = None
    house: bool = False

    def people(self, phase: int, round: int) -> tuple[str, ...]:
        """The persons who play for this entrant in a round."""
        people = list(self.members)
        for each in self.substitutions:
            if (each.phase, each.round) <= (phase, round):
                people = [each.new if who == each.old else who for who in people]
        return tuple(people)


@dataclass(frozen=True, slots=True)
class Online:
    """A phase that is played online by correspondence.

    `pace` is what the games are laid with (`domain.pace.terms.Terms` as JSON, not looked at here), `days` how long a round
    lasts. `duplicate`: all tables of a round play the same deals, and gains are counted instead of points. `fill`: computer
    players take the seats that are left over. `auto`: the site draws the rounds after the first by itself, and ends the phase.
    """

    pace: Mapping[str, Plain]
    days: int
    duplicate: bool = False
    fill: bool = True
    auto: bool = True


@dataclass(frozen=True, slots=True)
class Plan:
    """What was chosen for a phase. `rules` are the club's house rules, in the version it is played by.

    * `method`: a name of `domain.seating.seat.METHODS`.
    * `odd`: what happens to numbers that do not fit, the most welcome first: names of `domain.tournament.tables.ODD`.
    * `forms`: size of table -> ruleset played there, where it is not the usual one.
    * `minutes` of a round, no new deal in the last `last_deal` of them (0: no clock).
    * `avoid_season`: earlier evenings count a little when partners are drawn.
    * `confirm`: whether the other side confirms what was written.
    * `online`: how it is played by correspondence (None: in the hall).
    """

    rules: HouseRules = field(default_factory=HouseRules)
    kind: str = SINGLE
    method: str = "draw"
    odd: tuple[str, ...] = ("three", "five")
    forms: tuple[tuple[int, str], ...] = ()
    usual: int = 4
    minutes: int = 0
    last_deal: int = 0
    avoid_season: bool = False
    strict: bool = False
    confirm: bool = True
    online: Online | None = None


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a table's sheet: one deal, or several added up (`of`). `scores` in order of the sides of that deal.

    `writer` is the place that wrote (-1: the desk).
    """

    scores: tuple[int, ...]
    of: int = 1
    extra: bool = False
    writer: int = 0


@dataclass(frozen=True, slots=True)
class Version:
    """What the other side says was played, line by line, and why. `place` is who says so."""

    place: int
    lines: tuple[tuple[int, Line], ...]
    note: str = ""


@dataclass(frozen=True, slots=True)
class Change:
    """Something the director did to a table, with the lines as they were before; `game`: the game that was let go."""

    at: str
    by: str
    reason: str
    before: tuple[tuple[int, Line], ...]
    kind: str
    game: str = ""


@dataclass(frozen=True, slots=True)
class Table:
    """A table of one round.

    `seats` are entrants as the draw gave them; `people` who sits there, by places, and `owners` the entrant of each
    place. `sides` are places that score together. `ruleset` is what is played, `total` what a deal adds up to (None: need
    not), `deals` how many are to be played. `in_turn`: how many places look on in each deal, in turn (a dealer of five).

    Online, `game` is the public id of the game that was laid for it ("": none yet) and `turn` the place that deals first.
    `late`: the deadline has passed and its result counts when it comes. `forfeit` are entrants who kept it waiting: then it
    counts as confirmed, without lines.
    """

    number: int
    seats: tuple[str, ...]
    people: tuple[str, ...]
    owners: tuple[str, ...]
    sides: tuple[tuple[int, ...], ...]
    ruleset: str
    total: int | None
    deals: int
    odd: bool = False
    in_turn: str = ""
    lines: tuple[tuple[int, Line], ...] = ()
    state: str = PLAYING
    handed_in_by: int = -1
    confirmed_by: str = ""
    dispute: Version | None = None
    short: bool = False
    changes: tuple[Change, ...] = ()
    key: int = 0
    note: str = ""
    game: str = ""
    turn: int = 0
    late: bool = False
    forfeit: tuple[str, ...] = ()

    @property
    def touched(self) -> bool:
        """Whether something was written here, or decided by the director. A game that was let go leaves nothing."""
        return bool(self.lines or self.forfeit or self.corrected)

    @property
    def corrected(self) -> bool:
        """Whether the director has written here."""
        return any(change.kind != ABANDONED for change in self.changes)

    @property
    def sheet(self) -> dict[int, Line]:
        """The lines by the number of the deal, from 1."""
        return dict(self.lines)

    @property
    def played(self) -> int:
        """How many deals are written, without an extra one."""
        return sum(line.of for _, line in self.lines if not line.extra)


@dataclass(frozen=True, slots=True)
class Clock:
    """When a round ends. `ends` and `last_deal` as ISO times; while it stands still, `left` seconds remain."""

    ends: str = ""
    last_deal: str = ""
    left: int = 0
    running: bool = False


@dataclass(frozen=True, slots=True)
class Board:
    """A deal that all tables of a round play: its number, and what was promised of its cards."""

    number: int
    commitment: str


@dataclass(frozen=True, slots=True)
class Round:
    """A round of a phase. `status` draft (only the desk sees it), out (all do), closed.

    `draw` is what is published: the promise, then seed and result too. `attempts` counts draws of this round, undone
    ones included. `by_hand` holds the reasons of changes by hand. `generation` counts the codes that took the place
    of others, so that no table ever gets one again that was out before.

    Online, `deadline` is an ISO time; of a duplicate, `boards` are the deals that were promised and `board_set` is where
    they lie.
    """

    phase: int
    number: int
    status: str = DRAFT
    tables: Mapping[int, Table] = field(default_factory=dict)
    byes: tuple[str, ...] = ()
    draw: Mapping[str, Plain] | None = None
    by_hand: tuple[str, ...] = ()
    clock: Clock = Clock()
    generation: int = 0
    deadline: str = ""
    boards: tuple[Board, ...] = ()
    board_set: str = ""

    @property
    def key(self) -> str:
        """``2.3``: the third round of the second phase."""
        return f"{self.phase}.{self.number}"

    @property
    def begun(self) -> bool:
        """Whether something was written at one of its tables."""
        return any(table.touched for table in self.tables.values())


@dataclass(frozen=True, slots=True)
class Promise:
    """A draw that is promised and not made: its attempt, what it will be made from, and the commitment."""

    round: int
    attempt: int
    file: Mapping[str, Plain]
    here: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Phase:
    """A part of the tournament with its own rounds.

    `after` is the phase whose ranking it takes its `entrants` from (0: all who come, `entrants` is None then).
    `carry`: whether the rounds of that phase count on. Phases after the same one rank in order of their numbers.
    """

    number: int
    name: str
    plan: Plan
    settings: Settings
    after: int = 0
    carry: bool = False
    entrants: tuple[str, ...] | None = None
    rounds: tuple[Round, ...] = ()
    promise: Promise | None = None
    attempts: Mapping[int, int] = field(default_factory=dict)
    undone: tuple[Mapping[str, Plain], ...] = ()
    finished: bool = False
    hall: str = ""

    def round(self, number: int) -> Round | None:
        """A round by its number."""
        return self.rounds[number - 1] if 1 <= number <= len(self.rounds) else None


@dataclass(frozen=True, slots=True)
class Handed:
    """A prize that was handed over."""

    entrant: str
    code: str


@dataclass(frozen=True, slots=True)
class State:
    """A tournament after `number` events.

    `commitment` was published when it opened; all seeds come from what it fixes (the secret is told once it is closed).
    `keys` counts how often a code of the hall was renewed.
    """

    number: int = 0
    open: bool = False
    closed: bool = False
    commitment: str = ""
    plan: Plan = field(default_factory=Plan)
    fee: int = 0
    entrants: Mapping[str, Entrant] = field(default_factory=dict)
    phases: tuple[Phase, ...] = ()
    apart: tuple[tuple[str, str], ...] = ()
    penalties: Mapping[str, Penalty] = field(default_factory=dict)
    penalty_phase: Mapping[str, int] = field(default_factory=dict)
    penalties_cancelled: Mapping[str, str] = field(default_factory=dict)
    lots: tuple[tuple[int, Lot], ...] = ()
    opening: int = 0
    money: tuple[Entry, ...] = ()
    money_cancelled: Mapping[str, str] = field(default_factory=dict)
    counted: Mapping[int, int] | None = None
    prizes: tuple[Prize, ...] = ()
    prize_rules: PrizeRules = field(default_factory=PrizeRules)
    handed: tuple[Handed, ...] = ()
    season: tuple[Mapping[str, Plain], ...] = ()
    keys: Mapping[str, int] = field(default_factory=dict)

    def phase(self, number: int) -> Phase | None:
        """A phase by its number."""
        return self.phases[number - 1] if 1 <= number <= len(self.phases) else None

    @property
    def current(self) -> Phase | None:
        """The phase that began last and is not finished; else the last one."""
        open = [phase for phase in self.phases if not phase.finished]
        return open[-1] if open else (self.phases[-1] if self.phases else None)

    def round(self, key: str) -> Round | None:
        """A round by its key."""
        phase, _, number = key.partition(".")
        found = self.phase(int(phase)) if phase.isdecimal() else None
        return found.round(int(number)) if found and number.isdecimal() else None

    def table(self, key: str) -> Table | None:
        """A table by its key."""
        round, _, number = key.rpartition(".")
        found = self.round(round)
        return found.tables.get(int(number)) if found and number.isdecimal() else None
