"""What a tournament is made of. Everything is frozen: a new event makes a new state, and readers keep the old one.

Ids are opaque: an entrant is ``e12``, a person whatever the caller calls them. A round is named by its key ``2.3`` (the
third round of the second phase), a table by ``2.3.7``.

What tables there are: which sizes a game allows, who plays together there, what a deal adds up to.

The rules themselves are the engine's; here is only what a table of a club makes of them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Final

from domain.engine.ruleset import Ruleset
from domain.engine.rulesets import UnknownRuleset, ruleset
from domain.errors import DomainError, refuse_if
from domain.seating.field import (
    FIVE_ALONE,
    FIVE_DEALER_OUT,
    FOUR,
    SIX_IN_TEAMS,
    THREE_ALONE,
    THREE_PAIRS,
    TWO_PAIRS,
    Settings,
    Shape,
    alone,
)
from domain.seating.seat import IN_TWOS
from domain.standings.criteria import Lot
from domain.standings.prizes import Entry, Prize, PrizeRules
from domain.standings.profile import HouseRules, TableSize
from domain.standings.results import Penalty
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
    `alone` is the first of a pair that was made, as they had entered. `table` is the number of the table they keep in every
    round (0: none). `house` are computer players who fill up tables of an
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
    table: int = 0
    house: bool = False
    by_phone: bool = False
    """Whether they entered on a phone with the entrance's code, and nobody has seen them yet."""

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
    * `odd`: what happens to numbers that do not fit, the most welcome first: names of `domain.tournament.state.ODD`.
    * `forms`: size of table -> ruleset played there, where it is not the usual one.
    * `minutes` of a round, no new deal in the last `last_deal` of them (0: no clock).
    * `avoid_season`: earlier evenings count a little when partners are drawn.
    * `confirm`: whether the other side confirms what was written.
    * `third`: in a knock-out the losers of the semi-finals play for third place, beside the final.
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
    third: bool = False
    online: Online | None = None


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a table's sheet: one deal, or several added up (`of`). `scores` in order of the sides of that deal.

    `writer` is the place that wrote (-1: the director).
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
    """A round of a phase. `status` draft (only the director sees it), out (all do), closed.

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
    def seated(self) -> set[str]:
        """Everybody who has a place, or sits out."""
        return {id for table in self.tables.values() for id in table.seats} | set(self.byes)

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

    @property
    def draft(self) -> int:
        """The number of the last round, if it is not out yet; else 0."""
        return self.rounds[-1].number if self.rounds and self.rounds[-1].status == DRAFT else 0

    def round(self, number: int) -> Round | None:
        return self.rounds[number - 1] if 1 <= number <= len(self.rounds) else None


@dataclass(frozen=True, slots=True)
class Handed:
    entrant: str
    code: str


@dataclass(frozen=True, slots=True)
class State:
    """A tournament after `number` events.

    `commitment` was published when it opened; all seeds come from what it fixes (the secret is told once it is closed).
    `keys` counts how often a code of the hall was renewed. `screen_line` stands on all big screens.
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
    screen_line: str = ""

    def phase(self, number: int) -> Phase | None:
        return self.phases[number - 1] if 1 <= number <= len(self.phases) else None

    @property
    def current(self) -> Phase | None:
        """The phase that began last and is not finished; else the last one."""
        open = [phase for phase in self.phases if not phase.finished]
        return open[-1] if open else (self.phases[-1] if self.phases else None)

    def round(self, key: str) -> Round | None:
        phase, _, number = key.partition(".")
        found = self.phase(int(phase)) if phase.isdecimal() else None
        return found.round(int(number)) if found and number.isdecimal() else None

    def table(self, key: str) -> Table | None:
        round, _, number = key.rpartition(".")
        found = self.round(round)
        return found.tables.get(int(number)) if found and number.isdecimal() else None


def put_table(state: State, round: Round, table: Table) -> State:
    """The state with a table in place of the one of the same number."""
    return put_round(state, replace(round, tables={**round.tables, table.number: table}))


def put_round(state: State, round: Round) -> State:
    """The state with a round in place of the one of the same key."""
    phase = state.phases[round.phase - 1]
    rounds = tuple(round if each.number == round.number else each for each in phase.rounds)
    return put_phase(state, replace(phase, rounds=rounds))


def put_phase(state: State, phase: Phase) -> State:
    """The state with a phase in place of the one of the same number."""
    return replace(state, phases=tuple(phase if each.number == phase.number else each for each in state.phases))


Sides = tuple[tuple[int, ...], ...]

ODD: Final = ("three", "five", "five-dealer-out", "six", "three-pairs", "bye")
"""What an organiser may allow for numbers that do not fit: a table of three or five where each plays alone, five where
the dealer looks on, six in two teams, three pairs of which one looks on in turn, sitting out."""

DEALER: Final = "dealer"
PAIR_LOOKS_ON: Final = "pair"
FORMS: Final = {
    "troccas": {"three": "troccas-3", "five": "troccas-5", "six": "troccas-6"},
}
"""The forms of a game for tables of other sizes, as the rules describe them; of the others none is described."""
_SHAPES: Final = {
    "three": THREE_ALONE,
    "five": FIVE_ALONE,
    "five-dealer-out": FIVE_DEALER_OUT,
    "six": SIX_IN_TEAMS,
    "three-pairs": THREE_PAIRS,
}
NOT_ONLINE: Final = ("five-dealer-out", "three-pairs")
"""No game has somebody who looks on in turn."""
MOST_DEALS_ONLINE: Final = 16
_FIRST_PRICE: Final = 100
_BYE_PRICE: Final = 10_000


@dataclass(frozen=True, slots=True)
class Form:
    """What is played at one table: the ruleset, places that score together, what a deal adds up to."""

    ruleset: str
    sides: Sides
    total: int | None
    in_turn: str = ""


def game_of(ruleset_id: str) -> Ruleset:
    """The game, in its newest version. Raises DomainError (``unknown-ruleset``)."""
    try:
        return ruleset(ruleset_id)
    except UnknownRuleset:
        raise DomainError("unknown-ruleset", "ruleset", ruleset=ruleset_id) from None


def each_alone(ruleset_id: str) -> bool:
    """Whether this is a game each for himself at its usual table, where individuals have no partners (Troggu)."""
    rules = game_of(ruleset_id)
    return bool(rules.tables) or len(set(rules.sides)) == rules.seats


def odd_allowed(ruleset_id: str, kind: str) -> tuple[str, ...]:
    """What an organiser may choose among for odd numbers, by the game and by the kind of entrants."""
    if kind == PAIR:
        return ("three-pairs", "bye")
    if each_alone(ruleset_id):
        return ("bye",)
    forms = FORMS.get(ruleset_id, {})
    return tuple(name for name in ODD if name in forms or name in ("five-dealer-out", "bye"))


def settings_for(plan: Plan) -> Settings:
    """The settings of the draw. Raises DomainError: ``unknown-ruleset``, ``not-a-choice``, ``needs-pairs``."""
    known = game_of(plan.rules.ruleset)
    allowed = odd_allowed(known.id, plan.kind)
    for name in plan.odd:
        refuse_if(name not in allowed, "not-a-choice", "odd", given=name)
    refuse_if(plan.method in IN_TWOS and plan.kind != PAIR, "needs-pairs", "method", method=plan.method)
    refuse_if(plan.kind == PAIR and each_alone(known.id), "no-partners", "kind", ruleset=known.id)
    refuse_if(plan.kind == PAIR and plan.method == "rotation", "needs-singles", "method", method=plan.method)
    bye = _BYE_PRICE
    shapes: list[Shape] = []
    if plan.kind == PAIR:
        shapes.append(TWO_PAIRS)
    elif each_alone(known.id):
        refuse_if(plan.usual not in known.sizes, "not-a-choice", "usual", given=str(plan.usual))
        # The deals of a duplicate are compared among all tables, so these have one size.
        one_size = plan.online is not None and plan.online.duplicate
        low, high = (plan.usual, plan.usual) if one_size else (known.sizes[0], known.sizes[-1])
        shapes += alone(plan.usual, low, high)
    else:
        refuse_if(known.seats != FOUR.size, "no-partners", "ruleset", ruleset=known.id)
        shapes.append(FOUR)
    sizes = {shape.size for shape in shapes}
    for place, name in enumerate(plan.odd):
        price = _FIRST_PRICE + 10 * place
        if name == "bye":
            # One who sits out against one odd table: named first, it is the cheaper of the two.
            bye = price - 50 if place == 0 else price
        elif _SHAPES[name].size not in sizes:
            shapes.append(replace(_SHAPES[name], price=price))
            sizes.add(_SHAPES[name].size)
    return Settings(shapes=tuple(shapes), bye_price=bye, strict=plan.strict)


def check_online(plan: Plan) -> None:
    """Whether a plan can be played online, if it is to be. Raises DomainError: ``out-of-range`` for too many deals,
    ``not-online`` for a clock and for tables that no game is made for; of a duplicate, for all but the usual size."""
    online = plan.online
    if online is None:
        return
    rules = plan.rules
    for name, deals in (
        ("rules.deals", rules.deals),
        *(("rules.table_sizes", each.deals) for each in rules.table_sizes),
    ):
        refuse_if(deals > MOST_DEALS_ONLINE, "out-of-range", name, low=1, high=MOST_DEALS_ONLINE)
    refuse_if(plan.minutes, "not-online", "minutes")
    for name in plan.odd:
        refuse_if(name in NOT_ONLINE or (online.duplicate and name != "bye"), "not-online", "odd", given=name)


def check_game(plan: Plan, table: Table) -> None:
    """Whether a game can be laid for a table, if the plan wants one. Raises DomainError (``not-online``): there is none of
    that size, or it is no table of the usual size in a duplicate."""
    online = plan.online
    if online is None:
        return
    people = len(table.people)
    usual = plan.usual if each_alone(plan.rules.ruleset) else FOUR.size
    rules = game_of(table.ruleset)
    playable = people in rules.sizes and not table.in_turn
    if playable:
        seats = ruleset(rules.id, seats=people)
        playable = table.sides == seats.parties(seats.sides)
    refuse_if(not playable or (online.duplicate and people != usual), "not-online", "tables", table=table.number)


def rules_for(plan: Plan) -> HouseRules:
    """The house rules with the deals filled in of tables where somebody looks on, so that all play as many.

    A table of five plays a quarter more deals, three pairs half as many again, unless the club says otherwise.
    """
    known = {each.size: each for each in plan.rules.table_sizes}
    more = dict(known)
    if _dealer_looks_on(plan):
        more[5] = _longer(known.get(5, TableSize(5)), -(-plan.rules.deals * 5 // 4))
    if "three-pairs" in plan.odd:
        more[6] = _longer(known.get(6, TableSize(6)), -(-plan.rules.deals * 3 // 2))
    return replace(plan.rules, table_sizes=tuple(more.values()))


def _dealer_looks_on(plan: Plan) -> bool:
    """Whether this is how a table of five plays: of the two ways the one named first."""
    return next((name for name in plan.odd if name.startswith("five")), "") == "five-dealer-out"


def _longer(size: TableSize, deals: int) -> TableSize:
    return size if size.deals else replace(size, deals=deals)


def form_for(plan: Plan, seats: int, people: int) -> Form:
    """What is played at a table of so many entrants and people. A table no rule describes is played each alone, its sum open."""
    game = plan.rules.ruleset
    known = game_of(game)
    own = dict(plan.forms).get(people)
    if plan.kind == PAIR:
        if seats == 2 and people == 4:
            return Form(game, ((0, 2), (1, 3)), known.control_sum)
        if seats == 3 and people == 6:
            return Form(game, ((0, 3), (1, 4), (2, 5)), known.control_sum, PAIR_LOOKS_ON)
        return Form(game, tuple((place,) for place in range(people)), None)
    if each_alone(game):
        rules = game_of(own or game)
        return Form(rules.id, tuple((place,) for place in range(people)), rules.control_sum)
    if people == known.seats:
        return Form(game, known.parties(known.sides), known.control_sum)
    if people == 5 and _dealer_looks_on(plan):
        return Form(game, tuple((place,) for place in range(5)), known.control_sum, DEALER)
    name = own or FORMS.get(game, {}).get({3: "three", 5: "five", 6: "six"}.get(people, ""))
    if name and people in game_of(name).sizes:
        rules = ruleset(name, seats=people)
        return Form(name, rules.parties(rules.sides), rules.control_sum)
    return Form(game, tuple((place,) for place in range(people)), None)


def sides_in_turn(in_turn: str, deal: int) -> Sides:
    """Who plays together in a deal at a table where somebody looks on: the first place in the first deal, then the next."""
    if in_turn == DEALER:
        out = (deal - 1) % 5
        first, second, third, fourth = ((out + step) % 5 for step in range(1, 5))
        return (first, third), (second, fourth)
    out = (deal - 1) % 3
    one, two = ((out + step) % 3 for step in (1, 2))
    return (one, one + 3), (two, two + 3)


def sides_of(table: Table, deal: int) -> Sides:
    """Places that score together in a deal of this table: its own, or without who looks on."""
    return sides_in_turn(table.in_turn, deal) if table.in_turn else table.sides


def dealer_of(table: Table, deal: int) -> int:
    """The place that deals: the first place (online, the one whose turn it is) the first deal, then the next to the right;
    who looks on deals."""
    return (table.turn + deal - 1) % dealers_at(table)


def dealers_at(table: Table) -> int:
    """Among how many places the deal goes round; of three pairs one of each."""
    return 3 if table.in_turn == PAIR_LOOKS_ON else len(table.people)
