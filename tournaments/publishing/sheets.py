"""The papers to print: each kind with its name, its size, who may print it, and its contents.

A slip is the sheet of one table, with a part for each side that has the side's own code. Whoever has a side's part can
write and confirm for it, so only people who run the tournament print slips. They also work without phones: everything
can be written on them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

from django.http import Http404
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from clubs import money, naming
from clubs import text as club_text
from domain.standings.till import IN
from domain.tournament.state import CONFIRMED, DRAFT, EXPECTED, HERE, PAIR, Round, State, form_for
from tournaments import read_models
from tournaments.models import Tournament
from tournaments.publishing import base, selectors
from tournaments.publishing.base import Reading
from tournaments.publishing.tabular import phase_name
from tournaments.read_models import Names, Seat, TableSeen, everybody, table_seen
from tournaments.registration import services
from tournaments.selectors import awards
from tournaments.services import codes
from tournaments.services import codes as keys


@dataclass(frozen=True, slots=True)
class SlipSide:
    """The part of a side: its letter, its people, the address of its QR code, and the digits with which it confirms."""

    letter: str
    seats: tuple[Seat, ...]
    address: str
    confirm: str

    @property
    def typed(self) -> str:
        """The address in the form to type."""
        return self.address.removeprefix("https://")


@dataclass(frozen=True, slots=True)
class Row:
    """A deal to be written down: who deals, and which sides (by index) play."""

    number: int
    dealer: str
    playing: tuple[bool, ...]


@dataclass(frozen=True, slots=True)
class Slip:
    table: TableSeen
    sides: tuple[SlipSide, ...]
    rows: tuple[Row, ...]


def slips_of(tournament: Tournament, state: State, round: Round, names: Names, only: Iterable[int] = ()) -> list[Slip]:
    """The slips of a round in order of tables; only those of the table numbers `only`, if there are any."""
    numbers = set(only)
    phase = state.phases[round.phase - 1]
    return [
        _slip(tournament, state, table_seen(state, phase, round, table, names))
        for number, table in sorted(round.tables.items())
        if not numbers or number in numbers
    ]


def _slip(tournament: Tournament, state: State, table: TableSeen) -> Slip:
    digits = codes.confirm_codes(tournament, state, table.key)
    sides = tuple(
        SlipSide(
            letter=chr(ord("A") + index),
            seats=side,
            address=base.code_address(tournament, "s", codes.table_code(tournament, state, table.key, side[0].place)),
            confirm=digits[min(seat.place for seat in side)],
        )
        for index, side in enumerate(table.sides)
    )
    rows = tuple(
        Row(
            number=deal.number,
            dealer=deal.dealer,
            playing=tuple(any(seat.place in places for places in deal.places for seat in side) for side in table.sides),
        )
        for deal in table.sheet
    )
    return Slip(table, sides, rows)


MOST_SIGNS: Final = 200
MOST_SHEETS: Final = 60
MOST_DIPLOMAS: Final = 20
_FIRST: Final = 3
_ROWS_FOR_ALL: Final = 8
"""Rows of an empty sheet if the plan has no number of deals."""

Making = Callable[[Reading], dict[str, Any]]


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of paper.

    `size` is a page in tournament_print.css; `staff`: only people who run the tournament may print it.

    `rounds`: it is made for one round; `two_up`: two A5 pages share a sheet of A4, unless A5 is chosen.
    """

    title: str | Promise
    about: str | Promise
    make: Making
    size: str = "a4"
    staff: bool = True
    rounds: bool = False
    two_up: bool = False


def paper_names(reading: Reading) -> Names:
    """The names on paper: as in the hall for people who run the tournament, else as the reader may see them."""
    if not reading.runs_it:
        return reading.names
    return Names(reading.tournament, naming.HALL, more=everybody(reading.state))


def chosen_round(reading: Reading) -> Round:
    """The round of the address, else the latest one (for the director also a draft). Raises Http404."""
    key = reading.parameter("round")
    if key:
        return reading.round(key)
    rounds = [
        round for phase in reading.state.phases for round in phase.rounds if reading.runs_it or round.status != DRAFT
    ]
    if not rounds:
        raise Http404
    return rounds[-1]


def _number(reading: Reading, name: str, usual: int, most: int) -> int:
    text = reading.parameter(name, 6)
    return min(max(1, int(text)), most) if text.isdecimal() else usual


def _seating(reading: Reading) -> dict[str, Any]:
    round, names = chosen_round(reading), paper_names(reading)
    shown = read_models.round_seen(reading.state, round, names)
    by = reading.parameter("by")
    return {
        "round": shown,
        "part": phase_name(reading.state, round.phase),
        "seats": selectors.seats_of(shown, names, reading.state) if by != "table" else [],
        "by_table": by != "name",
    }


def _slips(reading: Reading) -> dict[str, Any]:
    round = chosen_round(reading)
    only = [int(text) for text in reading.parameter("table").split(",") if text.strip().isdecimal()]
    slips = slips_of(reading.tournament, reading.state, round, paper_names(reading), only)
    phase = reading.state.phases[round.phase - 1]
    return {
        "round": round,
        "part": phase_name(reading.state, round.phase),
        "slips": slips,
        "games": {name: club_text.game_name(name) for name in {each.table.ruleset for each in slips}},
        "confirm": phase.plan.confirm,
        "plan": phase.plan,
    }


def _empty(reading: Reading) -> dict[str, Any]:
    phase = reading.state.current
    plan = phase.plan if phase else reading.state.plan
    usual = 4 if plan.kind == PAIR or plan.usual == 4 else plan.usual
    people = _number(reading, "people", usual, 8)
    form = form_for(plan, 2 if plan.kind == PAIR and people == 4 else people, people)
    deals = plan.rules.at(people).deals or _ROWS_FOR_ALL
    return {
        "sides": [len(side) for side in form.sides],
        "letters": [chr(ord("A") + index) for index in range(len(form.sides))],
        "deals": range(1, deals + 1),
        "total": form.total,
        "copies": range(_number(reading, "copies", 2, MOST_SHEETS)),
        "game": club_text.game_name(form.ruleset),
        "people": people,
    }


def _ranking(reading: Reading) -> dict[str, Any]:
    state, names = reading.state, paper_names(reading)
    number = _number(reading, "phase", 0, 99) if reading.parameter("phase") else 0
    phase = state.phase(number) if number else None
    if number and phase is None:
        raise Http404
    ranking = selectors.trimmed(
        read_models.phase_seen(state, phase, names) if phase else read_models.ranking_seen(state, names)
    )
    heads = [club_text.criterion(code) for code in ranking.criteria]
    return {"ranking": ranking, "heads": heads, "part": phase_name(state, number) if number else ""}


def _result(reading: Reading) -> dict[str, Any]:
    state, names = reading.state, paper_names(reading)
    who = reading.entrant(reading.parameter("entrant") or "e1")
    rounds = list(reversed(read_models.published(state)))
    ranking = selectors.trimmed(read_models.ranking_seen(state, names))
    evening = selectors.evening_of(state, who, rounds, names, ranking)
    values = selectors.values_of(evening.place)
    kinds = {each.score.kind: club_text.choice("kind", each.score.kind) for each in evening.turns if each.score}
    return {"evening": evening, "values": values, "final": ranking.final, "kinds": kinds}


def _prizes(reading: Reading) -> dict[str, Any]:
    names = paper_names(reading)
    given = awards(reading.state)
    ranks = {each.entrant: each.rank for each in read_models.ranking_seen(reading.state, names).places}
    lines = [
        {
            "rank": ranks.get(each.id, 0),
            "name": names.entrant(reading.state.entrants[each.id]),
            "category": "" if each.category == "all" else each.category,
            "amount": money.money_text(each.amount) if each.amount else "",
            "things": each.things,
            "shared": len(each.shared_with),
        }
        for each in given.given
    ]
    lines.reverse()
    return {
        "lines": lines,
        "kept": money.money_text(given.kept) if given.kept else "",
        "nobody": given.nobody,
    }


def _till(reading: Reading) -> dict[str, Any]:
    state = reading.state
    names = reading.names
    books = services.books_of(state, _due(reading))
    name = {each.id: names.entrant(each) for each in state.entrants.values() if each.members}
    return {
        "books": books,
        "sums": [(club_text.choice("till", kind), amount, kind in IN) for kind, amount in books.sums if amount],
        "owed": [(name.get(who, who), amount) for who, amount in books.owed],
        "prizes_due": [(name.get(who, who), amount) for who, amount in books.prizes_due],
        "entries": [
            (
                each,
                club_text.choice("till", each.kind),
                name.get(each.who, each.who),
                state.money_cancelled.get(each.id, ""),
            )
            for each in services.till_entries(state)
        ],
    }


def _due(reading: Reading) -> dict[str, int]:
    found: dict[str, int] = {}
    for each in awards(reading.state).given if reading.state.closed else ():
        found[each.id] = found.get(each.id, 0) + each.amount
    return found


def _rules(reading: Reading) -> dict[str, Any]:
    """The house rules of the first part, and what is different in those that follow. The fee is that of the evening."""
    state = reading.state
    plans = [phase.plan for phase in state.phases] or [state.plan]
    rules, *others = [replace(plan.rules, fee=state.fee) for plan in plans]
    later = [
        (phase_name(state, number), club_text.rule_differences(rules, each)) for number, each in enumerate(others, 2)
    ]
    return {
        "parts": club_text.rules_in_words(rules),
        "later": [(name, differences) for name, differences in later if differences],
    }


def _diplomas(reading: Reading) -> dict[str, Any]:
    names = paper_names(reading)
    ranking = read_models.ranking_seen(reading.state, names)
    rounds = [round for phase in reading.state.phases for round in phase.rounds]
    if not any(table.state == CONFIRMED for round in rounds for table in round.tables.values()):
        return {"diplomas": [], "final": False}  # all would share the first rank
    first = _number(reading, "first", _FIRST, MOST_DIPLOMAS)
    diplomas = [
        {"rank": each.rank, "name": each.name, "category": ""} for each in ranking.places if 0 < each.rank <= first
    ]
    categories = dict.fromkeys(category for each in reading.state.entrants.values() for category in each.categories)
    for category in categories:
        best = [
            each for each in ranking.places if each.rank and category in reading.state.entrants[each.entrant].categories
        ]
        # Everybody who shares the best rank of a category gets its diploma.
        diplomas += [{"rank": 1, "name": each.name, "category": category} for each in best if each.rank == best[0].rank]
    return {"diplomas": diplomas, "final": ranking.final}


def _signs(reading: Reading) -> dict[str, Any]:
    rounds = [round for phase in reading.state.phases for round in phase.rounds]
    tables = max((max(round.tables, default=0) for round in rounds), default=0)
    here = sum(len(each.members) for each in reading.state.entrants.values() if each.status in (HERE, EXPECTED))
    return {"tables": range(1, _number(reading, "count", tables or max(1, -(-here // 4)), MOST_SIGNS) + 1)}


def _entrance(reading: Reading) -> dict[str, Any]:
    code = keys.hall_code(reading.tournament, reading.state, keys.ARRIVE)
    return {"address": base.code_address(reading.tournament, "k", code), "fee": reading.state.fee}


def _codes(reading: Reading) -> dict[str, Any]:
    codes = {what: keys.hall_code(reading.tournament, reading.state, what) for what in (keys.DOOR, keys.SCREEN)}
    return {f"{what}_address": base.code_address(reading.tournament, "k", code) for what, code in codes.items()} | {
        "home_address": base.absolute("home", reading.tournament)
    }


def _place_cards(reading: Reading) -> dict[str, Any]:
    state, names = reading.state, paper_names(reading)
    rounds = [round for phase in state.phases for round in phase.rounds]
    last = rounds[-1].tables if rounds else {}
    tables = {person: number for number, table in last.items() for person in table.people}
    people = [
        {"name": names.person(person), "order": names.order(person), "table": tables.get(person, 0)}
        for each in read_models.entrants(state)
        if each.status in (HERE, EXPECTED)
        for member in each.members
        for person in [member if member in tables else each.playing_for(member)[0]]
    ]
    return {"people": sorted(people, key=lambda each: (each["table"], each["order"]))}


def _cards(reading: Reading) -> dict[str, Any]:
    names = paper_names(reading)
    people = [
        {
            "name": names.person(person),
            "order": names.order(person),
            "address": base.code_address(reading.tournament, "p", keys.person_code(reading.tournament, person)),
        }
        for each in read_models.entrants(reading.state)
        if each.status != "withdrawn"
        for person in dict.fromkeys((*each.members, *(each.playing_for(member)[0] for member in each.members)))
    ]
    return {"people": sorted(people, key=lambda each: each["order"])}


KINDS: Final[Mapping[str, Kind]] = {
    "seating": Kind(
        *(_("Seating plan"), _("Of a round, by table and by name, to hang up."), _seating), staff=False, rounds=True
    ),
    "slips": Kind(
        *(
            _("Slips with codes"),
            _("For each table its sheet, and for each side its code. Print them for every round."),
        ),
        make=_slips,
        size="a5",
        rounds=True,
        two_up=True,
    ),
    "sheets": Kind(
        _("Empty score sheets"),
        _("For tables without phones, or as a reserve."),
        _empty,
        "a5",
        staff=False,
        two_up=True,
    ),
    "ranking": Kind(_("Ranking"), _("As it stands, provisional or final."), _ranking, staff=False),
    "result": Kind(_("One evening"), _("Everything one person, or one pair, has played."), _result, "a5", staff=False),
    "prizes": Kind(_("Prize list"), _("To read out, from the last prize to the first."), _prizes),
    "diplomas": Kind(
        _("Diplomas"), _("For the first three, and the best of every category."), _diplomas, "a4-landscape"
    ),
    "till": Kind(_("Treasurer’s sheet"), _("All entries of the till and their sums."), _till),
    "rules": Kind(_("House rules"), _("What holds this evening, on one page."), _rules, staff=False),
    "signs": Kind(_("Table signs"), _("A big number for each table."), _signs, "a5-landscape"),
    "entrance": Kind(
        *(_("Sheet for the entrance"), _("With a code by which people say that they are here."), _entrance)
    ),
    "cards": Kind(
        _("Cards for everybody"), _("With a code that leads to one’s own page: table, partner, results."), _cards
    ),
    "place-cards": Kind(
        _("Place cards"),
        _("Names to fold and stand on the tables, with the table’s number once they are seated."),
        _place_cards,
    ),
    "codes": Kind(
        _("Codes for helpers"), _("For the big screen and for helpers at the door. Keep it to yourselves."), _codes
    ),
}
"""All kinds of paper, in the order in which an evening needs them."""
OF_A_HALL: Final = frozenset({"slips", "sheets", "signs", "entrance", "cards", "place-cards", "codes"})
"""What nobody needs of a tournament that is played online."""
