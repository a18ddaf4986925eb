"""What the public pages of a tournament show, as plain data: where everybody sits, one entrant's evening, the clock."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from django.utils.translation import gettext as _

from clubs import text
from core.text import fold
from domain.standings.criteria import RoundScore
from domain.tournament.scoring import Meeting, meetings, shifts
from domain.tournament.state import CONFIRMED, Entrant, Phase, Round, State
from tournaments.publishing.tabular import phase_name
from tournaments.read_models import (
    Names,
    Place,
    RankingSeen,
    RoundSeen,
    Seat,
    TableSeen,
    phase_seen,
    round_seen,
    sums_of,
)


@dataclass(frozen=True, slots=True)
class SeatOf:
    """Where somebody sits in a round; without a table they sit out. `partners` and `opponents` are short names."""

    name: str
    sort: str
    entrant: str
    table: TableSeen | None
    partners: tuple[str, ...] = ()
    opponents: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Turn:
    """One round of one entrant: where they sat and what it brought (None while nothing is counted)."""

    round: Round
    part: str
    seat: SeatOf | None
    score: RoundScore | None


@dataclass(frozen=True, slots=True)
class EveningOf:
    """One entrant's evening: their place in the ranking, if any, and round by round what they did."""

    name: str
    place: Place | None
    turns: tuple[Turn, ...]


def seats_of(round: RoundSeen, names: Names, state: State) -> list[SeatOf]:
    """Everybody in the order of their names, who sits out among them."""
    found = [seat_of(table, seat, names) for table in round.tables for seat in table.seats]
    for id in round.bye_entrants:
        people = state.entrants[id].people(round.phase, round.number)
        found += [SeatOf(names.person(person), names.order(person), id, None) for person in people]
    return sorted(found, key=lambda each: (each.sort, each.name))


def seat_of(table: TableSeen, seat: Seat, names: Names) -> SeatOf:
    own = table.sides[seat.side]
    return SeatOf(
        name=seat.name,
        sort=names.order(seat.person),
        entrant=seat.entrant,
        table=table,
        partners=tuple(other.short for other in own if other.place != seat.place),
        opponents=tuple(other.short for other in table.seats if other.side != seat.side),
    )


def matching(seats: Sequence[SeatOf], wanted: str) -> list[SeatOf]:
    """Those whose name has a word that begins as one of the words typed, whatever the accents."""
    parts = fold(wanted).split()
    return [
        each
        for each in seats
        if parts and all(any(word.startswith(part) for word in fold(each.name).split()) for part in parts)
    ]


def trimmed(ranking: RankingSeen) -> RankingSeen:
    """The ranking without criteria that say nothing about anybody, as a lot that nobody needed."""
    said = {code for place in ranking.places for code, value in place.values if value is not None}
    return replace(
        ranking,
        criteria=tuple(code for code in ranking.criteria if code in said),
        places=tuple(
            replace(place, values=tuple((code, value) for code, value in place.values if code in said))
            for place in ranking.places
        ),
    )


def evening_of(
    state: State, entrant: Entrant, rounds: Sequence[Round], names: Names, ranking: RankingSeen
) -> EveningOf:
    """An entrant's evening, over the rounds that are out."""
    scores = {
        (phase.number, score.round): score
        for phase in state.phases
        for place in phase_seen(state, phase, names).places
        if place.entrant == entrant.id
        for score in place.row.sheet.rounds
    }
    turns = []
    for round in rounds:
        phase = state.phases[round.phase - 1]
        shift = shifts(state, phase)[phase.number]
        seen = round_seen(state, round, names)
        places = [
            seat_of(table, seat, names) for table in seen.tables for seat in table.seats if seat.entrant == entrant.id
        ]
        if not places and entrant.id in seen.bye_entrants:
            places = [SeatOf(names.entrant(entrant), "", entrant.id, None)]
        score = scores.get((round.phase, round.number + shift))
        if places or score:
            turns.append(Turn(round, phase_name(state, round.phase), _as_one(places, entrant), score))
    place = next((each for each in ranking.places if each.entrant == entrant.id), None)
    return EveningOf(names.entrant(entrant), place, tuple(turns))


def values_of(place: Place | None) -> list[tuple[text.Named, str]]:
    """What an entrant has reached by every criterion, as people read it; nothing for an entrant without a place."""
    return [(text.criterion(code), text.criterion_value(code, value)) for code, value in place.values] if place else []


def _as_one(places: Sequence[SeatOf], entrant: Entrant) -> SeatOf | None:
    """The seats of a pair as one: partners of each other need not be told."""
    if not places:
        return None
    first = places[0]
    partners = () if len(entrant.members) == 2 else first.partners
    return SeatOf(first.name, first.sort, first.entrant, first.table, partners, first.opponents)


@dataclass(frozen=True, slots=True)
class BracketSide:
    """One of a meeting: whether they won it, and their points once these count."""

    name: str
    won: bool
    points: int | None


@dataclass(frozen=True, slots=True)
class BracketMatch:
    """A meeting; of one alone (`free`) the only one goes on."""

    table: int
    sides: tuple[BracketSide, ...]
    open: bool
    third: bool

    @property
    def free(self) -> bool:
        return not self.table


@dataclass(frozen=True, slots=True)
class BracketRound:
    """A round of a knock-out; without matches where it is not drawn yet."""

    title: str
    matches: tuple[BracketMatch, ...]


def bracket_seen(state: State, phase: Phase, names: Names) -> tuple[BracketRound, ...]:
    """A knock-out round by round, the meetings in such an order that winners stand between those they come from."""
    played = list(meetings(state, phase))
    if not played:
        return ()
    for at in range(len(played) - 1, 0, -1):
        wanted = [who for meeting in played[at] if not meeting.third for who in meeting.seats]
        place = {who: number for number, who in enumerate(wanted)}
        played[at - 1] = tuple(
            sorted(played[at - 1], key=lambda each: min((place.get(who, len(place)) for who in each.seats), default=0))
        )
    in_it = sum(len(meeting.seats) for meeting in played[0])
    whole = max(len(played), (in_it - 1).bit_length())
    found = []
    for at in range(whole):
        here = sorted(played[at], key=lambda each: each.third) if at < len(played) else []
        round = phase.rounds[at] if at < len(phase.rounds) else None
        matches = tuple(_match(state, round, each, names) for each in here) if round else ()
        found.append(BracketRound(_stage(whole - at, at + 1), matches))
    return tuple(found)


def _match(state: State, round: Round, meeting: Meeting, names: Names) -> BracketMatch:
    table = round.tables.get(meeting.table)
    counts = table is not None and table.state == CONFIRMED and table.lines
    sums = sums_of(table) if table is not None and counts else ()
    sides = tuple(
        BracketSide(
            names.entrant(state.entrants[who]),
            who in meeting.winners and not meeting.open,
            sums[place] if place < len(sums) else None,
        )
        for place, who in enumerate(meeting.seats)
    )
    return BracketMatch(meeting.table, sides, meeting.open, meeting.third)


def _stage(left: int, number: int) -> str:
    """The name of a round of the bracket, by the number of rounds left with it (1: the final)."""
    named = {1: _("Final"), 2: _("Semi-finals"), 3: _("Quarter-finals")}
    return named.get(left) or _("Round %(number)s") % {"number": number}
