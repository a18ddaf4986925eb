"""The state of a tournament. Everything is frozen: a new event makes a new state, and readers keep the old one.

Ids are opaque: an entrant is ``e12``, a person whatever the caller calls them. A round is named by its key ``2.3`` (the
third round of the second phase), a table by ``2.3.7``.

Also the forms of tables: the sizes that a game allows, the partners at them, and the sum of a deal. The rules of the
games are those of the engine; this is only how a club's tables use them.
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
from domain.standings.prizes import Prize, PrizeRules
from domain.standings.profile import HouseRules, TableSize
from domain.standings.results import Penalty
from domain.standings.till import TillEntry
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
"""The kind of change that abandons a table's game."""


@dataclass(frozen=True, slots=True)
class Substitution:
    """From this round on, `new` plays in place of `old`; the result stays the entrant's."""

    old: str
    new: str
    phase: int
    round: int


@dataclass(frozen=True, slots=True)
class Entrant:
    """An entrant: one person, or a pair.

    `came` and `left` are (phase, round): the first round in which they can be seated, and the last one for which they
    were here. `pauses` are the keys of rounds that they sit out by wish. `fee` is in Rappen. `groups` are opaque marks;
    members of the same group are kept apart. `alone` is the first person of a pair that was made, as they had entered.
    `table` is the number of the table that they keep in every round (0: none). Entrants of the `house` are computer
    players who fill up the tables of an online round: they are seated like everybody and never ranked.
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
    """Whether they entered on a phone with the code of the entrance, and nobody has seen them yet."""

    def people(self, phase: int, round: int) -> tuple[str, ...]:
        """The persons who play for this entrant in a round."""
        return tuple(self.playing_for(person, (phase, round))[0] for person in self.members)

    def playing_for(self, person: str, until: tuple[int, int] | None = None) -> tuple[str, int]:
        """Who plays for a person now, or played in the round `until`, and since which round.

        The person themselves, from round 0 on, if nobody has taken their place.
        """
        who, since = person, 0
        for each in self.substitutions:
            if each.old == who and (until is None or (each.phase, each.round) <= until):
                who, since = each.new, each.round
        return who, since


@dataclass(frozen=True, slots=True)
class Online:
    """A phase that is played online by correspondence.

    `pace` is the pace of the games (`domain.pace.terms.Terms` as JSON, not checked here), `days` the length of a round.
    `duplicate`: all tables of a round play the same deals, and gains count instead of points. `fill`: computer players
    take the seats that are left over. `auto`: the site draws the rounds after the first automatically, and finishes the
    phase.
    """

    pace: Mapping[str, Plain]
    days: int
    duplicate: bool = False
    fill: bool = True
    auto: bool = True


@dataclass(frozen=True, slots=True)
class Plan:
    """The choices for a phase. `rules` are the club's house rules, in the version by which it is played.

    * `method`: a name in `domain.seating.seat.METHODS`.
    * `odd`: the ways to handle numbers that do not fit, the preferred one first: names in
      `domain.tournament.state.ODD`.
    * `forms`: the ruleset for each size of table at which it is not the usual one.
    * `minutes`: the length of a round (0: no clock); no deal begins in the last `last_deal` minutes.
    * `avoid_season`: whether earlier evenings count a little when partners are drawn.
    * `confirm`: whether the other side must confirm the sheet.
    * `third`: whether the losers of the semi-finals of a knock-out play for third place, beside the final.
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

    @property
    def extra_deal(self) -> bool:
        """Whether one more deal decides a table that ends level: by the house rules, and in every knock-out."""
        return self.rules.drawn == "extra-deal" or self.method == "knock-out"


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a table's sheet: one deal, or several added up (`of`). `scores` in order of the sides of that deal.

    `writer` is the place that wrote the line (-1: the director).
    """

    scores: tuple[int, ...]
    of: int = 1
    extra: bool = False
    writer: int = 0


@dataclass(frozen=True, slots=True)
class Version:
    """The other side's version of a sheet, line by line, with a note. `place` is the place that gave it."""

    place: int
    lines: tuple[tuple[int, Line], ...]
    note: str = ""


@dataclass(frozen=True, slots=True)
class Change:
    """A change of a table by the director, with the lines before it. `game` is a game that was abandoned."""

    at: str
    by: str
    reason: str
    before: tuple[tuple[int, Line], ...]
    kind: str
    game: str = ""


@dataclass(frozen=True, slots=True)
class Table:
    """A table of one round.

    `seats` are the entrants in the order of the draw, `people` the person at each place, and `owners` the entrant of
    each place. `sides` are the places that score together. `total` is the sum of a deal (None: no fixed sum), `deals`
    the number of deals to be played. `in_turn` says who looks on in turn: `DEALER` (of five), `PAIR_LOOKS_ON` (of
    three), or "" for nobody.

    Online, `game` is the public id of the table's game ("": none yet) and `turn` the place that deals first. `late`:
    the deadline has passed, and the result counts when it comes. `forfeit` are the entrants who kept the table waiting:
    then it counts as confirmed, without lines.
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
        """Whether something was written here or decided by the director. An abandoned game does not count."""
        return bool(self.lines or self.forfeit or self.corrected)

    @property
    def corrected(self) -> bool:
        """Whether the director has changed the sheet."""
        return any(change.kind != ABANDONED for change in self.changes)

    @property
    def sheet(self) -> dict[int, Line]:
        """The lines by the number of the deal, from 1."""
        return dict(self.lines)

    @property
    def played(self) -> int:
        """The number of deals that are written, without extra ones."""
        return sum(line.of for _, line in self.lines if not line.extra)


@dataclass(frozen=True, slots=True)
class Clock:
    """The clock of a round. `ends` and `last_deal` are ISO times; while it is stopped, `left` seconds remain."""

    ends: str = ""
    last_deal: str = ""
    left: int = 0
    running: bool = False


@dataclass(frozen=True, slots=True)
class Board:
    """A deal that all tables of a round play: its number, and the commitment to its cards."""

    number: int
    commitment: str


@dataclass(frozen=True, slots=True)
class Round:
    """A round of a phase. `status` is draft (only the director sees it), out (everybody does) or closed.

    `draw` is the published file of the draw. `by_hand` has the reasons for changes by hand. `generation` counts the
    codes of tables that were replaced, so that no table ever gets an old code again.

    Online, `deadline` is an ISO time; in a duplicate, `boards` are the deals that were committed to, in the set
    `board_set`.
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
        """The entrants who have a place or sit out."""
        return {id for table in self.tables.values() for id in table.seats} | set(self.byes)

    @property
    def begun(self) -> bool:
        """Whether something was written at one of its tables."""
        return any(table.touched for table in self.tables.values())

    @property
    def open_tables(self) -> list[int]:
        """The numbers of the tables that are not confirmed; a late one does not count as open."""
        return [number for number, table in self.tables.items() if table.state != CONFIRMED and not table.late]


@dataclass(frozen=True, slots=True)
class Promise:
    """A draw that is promised but not made: its attempt, its inputs and the commitment (`file`)."""

    round: int
    attempt: int
    file: Mapping[str, Plain]
    here: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Phase:
    """A part of the tournament with its own rounds.

    `after` is the phase whose ranking chose its `entrants` (0: everybody who comes, and `entrants` is None). `carry`:
    whether the rounds of that phase count in this one, too. Phases after the same one rank in order of their numbers.
    `attempts` is the number of draws by round, including undone ones (by 0 for methods with one plan).
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
        """The number of the last round if it is not published yet, else 0."""
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

    `commitment` was published when it opened; it fixes the secret from which all seeds come, and which is published
    once the tournament is closed. `keys` counts how often each code of the hall was renewed. `screen_line` is shown on
    all big screens.
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
    money: tuple[TillEntry, ...] = ()
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
        """The last phase that is not finished; if all are, the last one; None if there is none."""
        unfinished = [phase for phase in self.phases if not phase.finished]
        phases = unfinished or self.phases
        return phases[-1] if phases else None

    def round(self, key: str) -> Round | None:
        """The round with this key, as in `1.2`; None for any other text."""
        phase_number, _, number = key.partition(".")
        phase = self.phase(_number_in(phase_number))
        return phase.round(_number_in(number)) if phase else None

    def table(self, key: str) -> Table | None:
        """The table with this key, as in `1.2.7`; None for any other text."""
        round_key, _, number = key.rpartition(".")
        round = self.round(round_key)
        return round.tables.get(_number_in(number)) if round else None

    def sitting(self, table: Table) -> tuple[str, ...]:
        """The people at a table, place by place; in its game substitutes named since have taken the seats."""
        if not table.game:
            return table.people
        places = zip(table.owners, table.people, strict=True)
        return tuple(self.entrants[owner].playing_for(person)[0] for owner, person in places)

    def named(self, table: Table) -> tuple[str, ...]:
        """The people who are named at a table, place by place: who sits there and, once it counts, who was drawn."""
        return table.people if table.state == CONFIRMED else self.sitting(table)


def _number_in(text: str) -> int:
    """The number in a part of a key; 0, which nothing has, for any other text."""
    return int(text) if text.isascii() and text.isdecimal() and len(text) <= 5 else 0


def put_table(state: State, round: Round, table: Table) -> State:
    """The state with the table of the same number replaced."""
    return put_round(state, replace(round, tables={**round.tables, table.number: table}))


def put_round(state: State, round: Round) -> State:
    """The state with the round of the same key replaced."""
    phase = state.phases[round.phase - 1]
    rounds = tuple(round if each.number == round.number else each for each in phase.rounds)
    return put_phase(state, replace(phase, rounds=rounds))


def put_phase(state: State, phase: Phase) -> State:
    """The state with the phase of the same number replaced."""
    return replace(state, phases=tuple(phase if each.number == phase.number else each for each in state.phases))


Sides = tuple[tuple[int, ...], ...]

ODD: Final = ("three", "five", "five-dealer-out", "six", "three-pairs", "bye")
"""The ways to handle numbers that do not fit, from which an organiser chooses: a table of three or five where everybody
plays alone, five where the dealer looks on, six in two teams, three pairs of which one looks on, or sitting out."""

DEALER: Final = "dealer"
PAIR_LOOKS_ON: Final = "pair"
FORMS: Final = {
    "troccas": {"three": "troccas-3", "five": "troccas-5", "six": "troccas-6"},
}
"""The rulesets of a game for tables of other sizes; the rules describe none for the other games."""
_SHAPES: Final = {
    "three": THREE_ALONE,
    "five": FIVE_ALONE,
    "five-dealer-out": FIVE_DEALER_OUT,
    "six": SIX_IN_TEAMS,
    "three-pairs": THREE_PAIRS,
}
NOT_ONLINE: Final = ("five-dealer-out", "three-pairs")
"""In an online game nobody can look on in turn."""
MOST_DEALS_ONLINE: Final = 16
_FIRST_PRICE: Final = 100
_BYE_PRICE: Final = 10_000


@dataclass(frozen=True, slots=True)
class Form:
    """The form of one table: ruleset, places that score together, the sum of a deal, and who looks on in turn."""

    ruleset: str
    sides: Sides
    total: int | None
    in_turn: str = ""


def game_of(ruleset_id: str) -> Ruleset:
    """The newest version of a ruleset. Raises DomainError (``unknown-ruleset``)."""
    try:
        return ruleset(ruleset_id)
    except UnknownRuleset:
        raise DomainError("unknown-ruleset", "ruleset", ruleset=ruleset_id) from None


def each_alone(ruleset_id: str) -> bool:
    """Whether everybody plays alone at the usual table of this game (Troggu)."""
    rules = game_of(ruleset_id)
    return bool(rules.tables) or len(set(rules.sides)) == rules.seats


def odd_allowed(ruleset_id: str, kind: str) -> tuple[str, ...]:
    """The ways to handle odd numbers from which an organiser may choose, by the game and the kind of entrants."""
    if kind == PAIR:
        return ("three-pairs", "bye")
    if each_alone(ruleset_id):
        return ("bye",)
    forms = FORMS.get(ruleset_id, {})
    return tuple(name for name in ODD if name in forms or name in ("five-dealer-out", "bye"))


def settings_for(plan: Plan) -> Settings:
    """The settings of the draw. Raises DomainError: ``unknown-ruleset``, ``not-a-choice``, ``needs-pairs``."""
    game = game_of(plan.rules.ruleset)
    allowed = odd_allowed(game.id, plan.kind)
    for name in plan.odd:
        refuse_if(name not in allowed, "not-a-choice", "odd", given=name)
    refuse_if(plan.method in IN_TWOS and plan.kind != PAIR, "needs-pairs", "method", method=plan.method)
    refuse_if(plan.kind == PAIR and each_alone(game.id), "no-partners", "kind", ruleset=game.id)
    refuse_if(plan.kind == PAIR and plan.method == "rotation", "needs-singles", "method", method=plan.method)
    bye = _BYE_PRICE
    shapes: list[Shape] = []
    if plan.kind == PAIR:
        shapes.append(TWO_PAIRS)
    elif each_alone(game.id):
        refuse_if(plan.usual not in game.sizes, "not-a-choice", "usual", given=str(plan.usual))
        # The deals of a duplicate are compared among all tables, so these have one size.
        one_size = plan.online is not None and plan.online.duplicate
        low, high = (plan.usual, plan.usual) if one_size else (game.sizes[0], game.sizes[-1])
        shapes += alone(plan.usual, low, high)
    else:
        refuse_if(game.seats != FOUR.size, "no-partners", "ruleset", ruleset=game.id)
        shapes.append(FOUR)
    sizes = {shape.size for shape in shapes}
    for index, name in enumerate(plan.odd):
        price = _FIRST_PRICE + 10 * index
        if name == "bye":
            # If named first, sitting out must be cheaper than one odd table.
            bye = price - 50 if index == 0 else price
        elif _SHAPES[name].size not in sizes:
            shapes.append(replace(_SHAPES[name], price=price))
            sizes.add(_SHAPES[name].size)
    return Settings(shapes=tuple(shapes), bye_price=bye, strict=plan.strict)


def check_online(plan: Plan) -> None:
    """Check that an online plan can be played online.

    Raises DomainError: ``out-of-range`` for too many deals; ``not-online`` for a clock, for tables without an online
    game, and in a duplicate for all sizes but the usual one.
    """
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
    """Check that a table of an online plan can have a game.

    Raises DomainError (``not-online``) if there is no game for its size, or if it is not of the usual size in a
    duplicate.
    """
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
    """The house rules, with the numbers of deals filled in for tables where players look on in turn.

    They are such that everybody plays equally many. A table of five plays a quarter more deals, three pairs half as
    many again, unless the club says otherwise.
    """
    sizes = {each.size: each for each in plan.rules.table_sizes}
    if _dealer_looks_on(plan):
        sizes[5] = _with_deals(sizes.get(5, TableSize(5)), -(-plan.rules.deals * 5 // 4))
    if "three-pairs" in plan.odd:
        sizes[6] = _with_deals(sizes.get(6, TableSize(6)), -(-plan.rules.deals * 3 // 2))
    return replace(plan.rules, table_sizes=tuple(sizes.values()))


def _dealer_looks_on(plan: Plan) -> bool:
    """Whether the dealer looks on at a table of five: the first of the two ways in the plan decides."""
    return next((name for name in plan.odd if name.startswith("five")), "") == "five-dealer-out"


def _with_deals(size: TableSize, deals: int) -> TableSize:
    return size if size.deals else replace(size, deals=deals)


def form_for(plan: Plan, seats: int, people: int) -> Form:
    """The form of a table with this many entrants and people.

    At a table that no rule describes, everybody plays alone and the sum is not checked.
    """
    game = plan.rules.ruleset
    usual = game_of(game)
    own = dict(plan.forms).get(people)
    if plan.kind == PAIR:
        if seats == 2 and people == 4:
            return Form(game, ((0, 2), (1, 3)), usual.control_sum)
        if seats == 3 and people == 6:
            return Form(game, ((0, 3), (1, 4), (2, 5)), usual.control_sum, PAIR_LOOKS_ON)
        return Form(game, tuple((place,) for place in range(people)), None)
    if each_alone(game):
        rules = game_of(own or game)
        return Form(rules.id, tuple((place,) for place in range(people)), rules.control_sum)
    if people == usual.seats:
        return Form(game, usual.parties(usual.sides), usual.control_sum)
    if people == 5 and _dealer_looks_on(plan):
        return Form(game, tuple((place,) for place in range(5)), usual.control_sum, DEALER)
    name = own or FORMS.get(game, {}).get({3: "three", 5: "five", 6: "six"}.get(people, ""))
    if name and people in game_of(name).sizes:
        rules = ruleset(name, seats=people)
        return Form(name, rules.parties(rules.sides), rules.control_sum)
    return Form(game, tuple((place,) for place in range(people)), None)


def sides_in_turn(in_turn: str, deal: int) -> Sides:
    """The partners in a deal at a table where players look on: the first place in the first deal, then the next."""
    if in_turn == DEALER:
        out = (deal - 1) % 5
        first, second, third, fourth = ((out + step) % 5 for step in range(1, 5))
        return (first, third), (second, fourth)
    out = (deal - 1) % 3
    one, two = ((out + step) % 3 for step in (1, 2))
    return (one, one + 3), (two, two + 3)


def sides_of(table: Table, deal: int) -> Sides:
    """The places that score together in a deal of this table, without those who look on."""
    return sides_in_turn(table.in_turn, deal) if table.in_turn else table.sides


def dealer_of(table: Table, deal: int) -> int:
    """The place that deals: the first place (online, `Table.turn`) in the first deal, then the next to the right.

    If players look on in turn, the one who looks on deals.
    """
    return (table.turn + deal - 1) % dealers_at(table)


def dealers_at(table: Table) -> int:
    """The number of places among which the deal goes round; for three pairs, one of each pair."""
    return 3 if table.in_turn == PAIR_LOOKS_ON else len(table.people)
