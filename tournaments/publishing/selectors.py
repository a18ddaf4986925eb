"""What the public pages of a tournament show, as plain data: the seats, an entrant's evening, the bracket."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from clubs import text
from core.text import fold
from domain.standings.criteria import ABSENT, RoundScore
from domain.tournament.finishing import still_in
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
    """A person's seat in a round; without a table they sit out. `partners` and `opponents` are short names."""

    name: str
    sort: str
    entrant: str
    table: TableSeen | None
    partners: tuple[str, ...] = ()
    opponents: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Turn:
    """One round of an entrant: where they sat, and the score (None while nothing is counted)."""

    round: Round
    part: str
    seat: SeatOf | None
    score: RoundScore | None


@dataclass(frozen=True, slots=True)
class EveningOf:
    """An entrant's evening: their place in the ranking, if any, and their rounds."""

    name: str
    place: Place | None
    turns: tuple[Turn, ...]


def seats_of(round: RoundSeen, names: Names, state: State) -> list[SeatOf]:
    """The seats of everybody in order of their names, including those who sit out."""
    seats = [seat_of(table, seat, names) for table in round.tables for seat in table.seats]
    for id in round.bye_entrants:
        people = state.entrants[id].people(round.phase, round.number)
        seats += [SeatOf(names.person(person), names.order(person), id, None) for person in people]
    return sorted(seats, key=lambda each: (each.sort, each.name))


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


def matching(seats: Sequence[SeatOf], typed: str) -> list[SeatOf]:
    """The seats of people whose names have, for each typed word, a word that begins with it. Accents do not matter."""
    parts = fold(typed).split()
    return [
        each
        for each in seats
        if parts and all(any(word.startswith(part) for word in fold(each.name).split()) for part in parts)
    ]


def trimmed(ranking: RankingSeen) -> RankingSeen:
    """The ranking without criteria that have no value for anybody, such as a lot that nobody needed."""
    used = {code for place in ranking.places for code, value in place.values if value is not None}
    return replace(
        ranking,
        criteria=tuple(code for code in ranking.criteria if code in used),
        places=tuple(
            replace(place, values=tuple((code, value) for code, value in place.values if code in used))
            for place in ranking.places
        ),
    )


def evening_of(
    state: State, entrant: Entrant, rounds: Sequence[Round], names: Names, ranking: RankingSeen
) -> EveningOf:
    """An entrant's evening, over the published `rounds`."""
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
        if places or (score and not is_out(phase, score)):
            turns.append(Turn(round, phase_name(state, round.phase), _as_one(places, entrant), score))
    place = next((each for each in ranking.places if each.entrant == entrant.id), None)
    return EveningOf(names.entrant(entrant), place, tuple(turns))


def is_out(phase: Phase, score: RoundScore) -> bool:
    """Whether this is a round of a knock-out after an entrant who has no place in it: nobody expected them, and it brings
    them nothing.
    """
    nothing = score.kind == ABSENT and not score.points and not score.match
    return nothing and phase.plan.method == "knock-out"


def values_of(place: Place | None) -> list[tuple[text.Named, str]]:
    """An entrant's value for every criterion, as people read it; empty for an entrant without a place."""
    return [(text.criterion(code), text.criterion_value(code, value)) for code, value in place.values] if place else []


def _as_one(places: Sequence[SeatOf], entrant: Entrant) -> SeatOf | None:
    """The seats of an entrant as one. For a pair the partners are left out: they are the pair itself."""
    if not places:
        return None
    first = places[0]
    partners = () if len(entrant.members) == 2 else first.partners
    return SeatOf(first.name, first.sort, first.entrant, first.table, partners, first.opponents)


@dataclass(frozen=True, slots=True)
class BracketSide:
    """A side of a meeting: whether it won, and its points once they count."""

    name: str
    won: bool
    points: int | None


@dataclass(frozen=True, slots=True)
class BracketMatch:
    """A meeting. If it has only one side (`free`), that side goes on."""

    table: int
    sides: tuple[BracketSide, ...]
    open: bool
    third: bool

    @property
    def free(self) -> bool:
        return not self.table


@dataclass(frozen=True, slots=True)
class BracketRound:
    """A round of a knock-out; without matches if it is not drawn yet."""

    title: str
    matches: tuple[BracketMatch, ...]


def bracket_seen(state: State, phase: Phase, names: Names) -> tuple[BracketRound, ...]:
    """A knock-out round by round, the meetings ordered so that winners are between the two meetings they come from."""
    played = list(meetings(state, phase))
    if not played:
        return ()
    for index in range(len(played) - 1, 0, -1):
        order = [who for meeting in played[index] if not meeting.third for who in meeting.seats]
        position = {who: number for number, who in enumerate(order)}
        last = len(position)
        played[index - 1] = tuple(
            sorted(played[index - 1], key=lambda each: min((position.get(who, last) for who in each.seats), default=0))
        )
    count = len(played) + max(0, still_in(state, phase) - 1).bit_length()
    rounds = []
    for index in range(count):
        here = sorted(played[index], key=lambda each: each.third) if index < len(played) else []
        round = phase.rounds[index] if index < len(phase.rounds) else None
        matches = tuple(_match(state, round, each, names) for each in here) if round else ()
        # Rounds in which nobody would have had an opponent were left out: what was drawn is called after its meetings.
        left = (sum(not each.third for each in here) - 1).bit_length() + 1 if here else count - index
        rounds.append(BracketRound(_stage(left, index + 1), matches))
    return tuple(rounds)


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


_STAGES: Final = {1: gettext_lazy("Final"), 2: gettext_lazy("Semi-finals"), 3: gettext_lazy("Quarter-finals")}


def _stage(left: int, number: int) -> str:
    """The name of a round of the bracket, by the number of rounds left including it (1: the final)."""
    return str(_STAGES[left]) if left in _STAGES else _("Round %(number)s") % {"number": number}
