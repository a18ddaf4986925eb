"""Travellers for pages and files: each table's result in a deal, the datum and the gains. And online play in words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from clubs import text
from domain.tournament import scoring
from domain.tournament.finishing import rounds_of
from domain.tournament.state import DRAFT, Round, State, Table
from tournaments import text as tournaments_text
from tournaments.online.selectors import Shared, shared_deals_of
from tournaments.read_models import Names
from tournaments.registration.forms import pace_words


@dataclass(frozen=True, slots=True)
class Person:
    name: str
    entrant: str
    substitute: bool
    house: bool


@dataclass(frozen=True, slots=True)
class SideResult:
    """A side at a table: which cards it held (`lane`, 0 for the dealer's), what it scored with them, what it gained."""

    lane: int
    people: tuple[Person, ...]
    score: int
    gain: int


@dataclass(frozen=True, slots=True)
class TableResult:
    """The result of a table in a deal, the dealer's side first. `corrected`: the director has changed it."""

    number: int
    game: str
    sides: tuple[SideResult, ...]
    corrected: bool


@dataclass(frozen=True, slots=True)
class Traveller:
    """A deal: the datum by lane, and all tables, ordered by the score of the dealer's side, the highest first."""

    deal: int
    datum: Mapping[int, Fraction]
    tables: tuple[TableResult, ...]


@dataclass(frozen=True, slots=True)
class DealResult:
    """A deal as played at one table, the sides in the table's order.

    `made` is None while it is sealed or not played.
    """

    number: int
    is_open: bool
    made: tuple[SideResult, ...] | None


@dataclass(frozen=True, slots=True)
class TableSum:
    """All deals of one table, and the sums of its sides over the open ones, in the table's order."""

    number: int
    game: str
    sides: tuple[tuple[Person, ...], ...]
    deals: tuple[DealResult, ...]
    scores: tuple[int, ...]
    gains: tuple[int, ...]
    corrected: bool


def traveller(state: State, shared: Shared, deal: int, names: Names) -> Traveller:
    """The results of all tables in an open deal; empty for a sealed one."""
    if deal not in shared.open_numbers:
        return Traveller(deal, {}, ())
    tables = []
    for line in scoring.traveller(shared.round, deal):
        table = shared.round.tables[line.table]
        sides = [
            SideResult(lane, people_of(state, table, index, names), line.scores[index], line.gains[index])
            for index, lane in enumerate(line.lanes)
        ]
        sides.sort(key=lambda each: each.lane)
        tables.append(TableResult(line.table, table.game, tuple(sides), table.corrected))
    tables.sort(key=lambda each: (-each.sides[0].score, each.number))
    return Traveller(deal, scoring.datum(shared.round, deal), tuple(tables))


def travellers_of(state: State, names: Names) -> Iterator[tuple[Round, Traveller]]:
    """All open deals of a tournament, with their rounds. Three queries for each duplicate round."""
    for phase in state.phases:
        for each in phase.rounds:
            if each.status != DRAFT and each.board_set:
                shared = shared_deals_of(each)
                for number in sorted(shared.open_numbers):
                    yield each, traveller(state, shared, number, names)


def table_sum(state: State, shared: Shared, number: int, names: Names) -> TableSum:
    """One table with all its deals. Sealed deals stay hidden."""
    table = shared.round.tables[number]
    gains = dict(scoring.gains(shared.round, table))
    people = tuple(people_of(state, table, index, names) for index in range(len(table.sides)))
    sheet = table.sheet
    deals = []
    for each in shared.deals:
        line = sheet.get(each.number)
        made = None
        if line is not None and each.is_open:
            made = tuple(
                SideResult(scoring.lane_of(table, index, each.number), people[index], score, gains[each.number][index])
                for index, score in enumerate(line.scores)
            )
        deals.append(DealResult(each.number, each.is_open, made))
    played = [deal.made for deal in deals if deal.made is not None]
    return TableSum(
        number=number,
        game=table.game,
        sides=people,
        deals=tuple(deals),
        scores=_sums([[side.score for side in made] for made in played], len(table.sides)),
        gains=_sums([[side.gain for side in made] for made in played], len(table.sides)),
        corrected=table.corrected,
    )


def two_places(mean: Fraction) -> int | float:
    """An average as in files: an integer, or rounded to two decimal places."""
    return int(mean) if mean.denominator == 1 else float(round(mean, 2))


def people_of(state: State, table: Table, side: int, names: Names) -> tuple[Person, ...]:
    """The people on a side of a table, in order of their places."""
    seated = [(state.entrants[table.owners[place]], table.people[place]) for place in table.sides[side]]
    return tuple(
        Person(names.person(person), owner.id, not owner.house and person not in owner.members, owner.house)
        for owner, person in seated
    )


def _sums(rows: Sequence[Sequence[int]], sides: int) -> tuple[int, ...]:
    return tuple(sum(row[side] for row in rows) for side in range(sides))


def from_dealer(place: int) -> str:
    """The position of a seat, counted from the dealer in the order of play."""
    if place == 0:
        return _("dealer")
    return ngettext("%(place)s place after the dealer", "%(place)s places after the dealer", place) % {"place": place}


def lane_name(number: int, sides: int) -> str:
    """Whose cards a side held: the dealer's or the other side's if there are two, else the place they were dealt to."""
    if sides == 2:
        return _("dealer’s side") if number == 0 else _("other side")
    return from_dealer(number)


def how_it_works(state: State) -> list[str]:
    """What people should know before they enter: how long it lasts, the pace, and what happens at the deadline."""
    plan = state.current.plan if state.current else state.plan
    online, rules = plan.online, plan.rules
    if online is None:
        return []
    planned = rounds_of(state, state.current) if state.current else rules.rounds
    weeks = max(1, round(online.days * planned / 7))
    facts = {"deals": rules.deals, "days": online.days, "weeks": weeks}
    lasts = ngettext("about %(weeks)s week", "about %(weeks)s weeks", weeks) % facts
    deals = ngettext("%(deals)s deal", "%(deals)s deals", rules.deals) % facts
    days = ngettext("%(days)s day", "%(days)s days", online.days) % facts
    paragraphs = [
        _(
            "You play on this site, whenever you have time: %(rounds)s of %(deals)s, %(days)s for each round, %(lasts)s in all."
        )
        % {"rounds": tournaments_text.rounds_in_words(state), "deals": deals, "days": days, "lasts": lasts},
        _("Pace – %(pace)s") % {"pace": pace_words(online)},
    ]
    if online.duplicate:
        paragraphs.append(
            _(
                "All tables play the same deals, so what counts is what you make of them compared with the others. Until every"
                " table has played a deal, tell nobody about it."
            )
        )
    if online.fill:
        paragraphs.append(_("If the number does not fit, computer players take the seats that are left over."))
    paragraphs.append(
        _("If a table is not over at the deadline: %(what)s.") % {"what": text.choice("overdue", rules.overdue)}
    )
    return paragraphs
