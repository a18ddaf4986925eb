"""Enter many people at once, from typed or pasted lines or a spreadsheet with persons, pairs or whole tables.

Lines are read like those of the club's list (`clubs.services.importing`). Nothing is written before the director has
seen a preview. Locks: the club's row first, then the tournament's.
"""

from __future__ import annotations

import hashlib
import re
import uuid
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils.translation import gettext as _

from clubs import spreadsheets
from clubs.exceptions import BadFile
from clubs.models import Club, Member
from clubs.services import common, importing
from clubs.services import members as club_members
from clubs.services.importing import MemberIndex, Outcome
from clubs.services.members import Details, clean_name
from core.http import whole_number
from core.text import fold
from domain.tournament.payload import Plain
from domain.tournament.registering import MOST_TABLES
from domain.tournament.state import DRAFT, HERE, MERGED, PAIR, WITHDRAWN, Round, State
from tournaments.exceptions import EntryError
from tournaments.models import Tournament
from tournaments.online.substitutes import plays_online
from tournaments.permissions import Actor
from tournaments.registration import services
from tournaments.selectors import state_of
from tournaments.services import draws, log
from tournaments.services.log import NewEvent

MOST_CHARACTERS: Final = 100_000
_BETWEEN: Final = re.compile(r"\s*(?:/|&|\+|\s(?:und|and|e|ed)\s)\s*")
_TABLE: Final = re.compile(r"(?:table|tisch|maisa)?\s*(\d{1,3})\s*[:.)]\s*(.*)", re.IGNORECASE)
_TABLE_HEADS: Final = ("table", "tisch", "maisa")
Values = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Person:
    """A person on a line: an entry in the club's list (`member`), or a guest to add to it.

    `entrant`: the one they have entered as already, if any.
    """

    name: str
    values: Values
    member: str = ""
    groups: tuple[str, ...] = ()
    entrant: str = ""


@dataclass(frozen=True, slots=True)
class Line:
    """A numbered line: its people in order of their places, the number of their table if it seats them, and its errors.

    `wrong` says in words what is wrong and what to do.
    """

    number: int
    text: str
    people: tuple[Person, ...] = ()
    table: int = 0
    wrong: tuple[str, ...] = ()

    @property
    def new(self) -> bool:
        """Whether the line enters somebody."""
        return not self.wrong and any(not person.entrant for person in self.people)


@dataclass(frozen=True, slots=True)
class Paste:
    """What saving the lines would do. `strange`: the unknown columns, which are not read."""

    lines: tuple[Line, ...]
    strange: tuple[str, ...]

    @property
    def good(self) -> tuple[Line, ...]:
        return tuple(line for line in self.lines if not line.wrong)

    @property
    def broken(self) -> tuple[Line, ...]:
        return tuple(line for line in self.lines if line.wrong)

    @property
    def seats(self) -> bool:
        """Whether the lines say who sits where."""
        return any(line.table for line in self.lines)

    @property
    def entering_count(self) -> int:
        """How many people the lines enter."""
        return sum(not person.entrant for line in self.good for person in line.people)

    @property
    def mark(self) -> str:
        """A fingerprint, to make sure that what is saved is what the preview showed."""
        rows = [
            (line.number, line.table, line.wrong, [(p.name, p.member, p.entrant) for p in line.people])
            for line in self.lines
        ]
        return hashlib.sha256(repr(rows).encode()).hexdigest()[:16]


def text_of(filename: str, data: bytes) -> str:
    """A spreadsheet as lines with tabs, as if it had been pasted, with the same line numbers. Raises BadFile."""
    lines: list[str] = []
    for number, row in spreadsheets.read_lines(filename, data):
        lines += [""] * (number - 1 - len(lines))
        lines.append("\t".join(cell.replace('"', "'") for cell in row))
    return "\n".join(lines)


def read(club: Club, state: State, text: str) -> Paste:
    """What the lines would do in this tournament. Raises BadFile."""
    if len(text) > MOST_CHARACTERS:
        raise BadFile(_("That is too much at once: at most %(most)d characters.") % {"most": MOST_CHARACTERS})
    rows = spreadsheets.read_lines("", text.encode())
    people = _People(club, state)
    heads = rows[0][1]
    try:
        columns, strange = _columns(heads)
    except BadFile:
        columns, strange = [], []
    else:
        rows = rows[1:]
    table_at = next((index for index, head in enumerate(heads) if columns and fold(head) in _TABLE_HEADS), -1)
    lines = [_line(number, row, columns, table_at, people) for number, row in rows]
    unknown = tuple(head for head in strange if fold(head) not in _TABLE_HEADS)
    return Paste(tuple(_with_table_numbers(lines)), unknown)


def _columns(heads: Sequence[str]) -> tuple[list[dict[str, int]], list[str]]:
    """The columns of each person on a line, and unknown columns. A second person begins where a head is repeated."""
    seen: set[str] = set()
    cuts = [0]
    for index, head in enumerate(heads):
        if head and fold(head) in seen:
            cuts.append(index)
            seen = set()
        seen.add(fold(head))
    columns_of_people, strange = [], []
    for start, end in zip(cuts, [*cuts[1:], len(heads)], strict=True):
        columns, unknown = importing.recognised_columns(heads[start:end])
        columns.pop("public_id", None)
        columns_of_people.append({field: start + index for field, index in columns.items()})
        strange += unknown
    return columns_of_people, strange


class _People:
    """The club's list and the entrants, to find the people of a line; and the people of the lines read so far."""

    def __init__(self, club: Club, state: State) -> None:
        self.pairs = state.plan.kind == PAIR
        self.members = {member.public_id: member for member in Member.objects.filter(club=club)}
        self.club_list = MemberIndex(list(self.members.values()))
        self.by_words: dict[tuple[str, ...], list[Member]] = {}
        for member in self.members.values():
            self.by_words.setdefault(_words(f"{member.first_name} {member.last_name}"), []).append(member)
        self.entrants = {
            person: each.id
            for each in state.entrants.values()
            if each.status not in (WITHDRAWN, MERGED)
            for person in each.members
        }
        self.members_of = {each.id: each.members for each in state.entrants.values()}
        self.lines: dict[str, list[tuple[int, Values]]] = {}


def _words(name: str) -> tuple[str, ...]:
    return tuple(sorted(fold(name).split()))


def _line(number: int, row: list[str], columns: list[dict[str, int]], table_at: int, everybody: _People) -> Line:
    text = "; ".join(cell for cell in row if cell)
    table, wrong = 0, []
    if columns and "first_name" in columns[0]:
        parts = [importing.read_line(row, each) for each in columns]
        people = [values for values, troubles in parts if values or troubles]
        if len(parts) > 1:  # a second person may be missing
            parts = parts[:1] + [each for each in parts[1:] if each[0]]
            people = [values for values, _troubles in parts]
        wrong = [trouble for _values, troubles in parts for trouble in troubles]
        if 0 <= table_at < len(row):
            table = whole_number(row[table_at], 4) or 0
    else:
        start = columns[0].get("last_name", 0) if columns else 0
        cells = [cell for cell in (row if not columns else row[start:]) if cell]
        table, cells = _table_of(cells)
        people, wrong = _split_names(cells, everybody)
    if wrong:
        return Line(number, text, table=table, wrong=tuple(wrong))
    persons, wrong = _persons(number, people, everybody)
    wrong = wrong or _pairing_errors(persons, everybody)
    return Line(number, text, tuple(persons), table or (-1 if len(persons) > 2 else 0), tuple(wrong))


def _table_of(cells: list[str]) -> tuple[int, list[str]]:
    """The table number that a line begins with, and the cells after it.

    Before one or two people it is only a line number.
    """
    match = _TABLE.fullmatch(cells[0])
    if match:
        return int(match[1]), [cell for cell in (match[2], *cells[1:]) if cell]
    if cells[0].isdecimal() and len(cells[0]) < 5 and len(cells) > 1:
        return (int(cells[0]) if len(cells) > 3 else 0), cells[1:]
    return 0, cells


def _split_names(cells: list[str], everybody: _People) -> tuple[list[Values], list[str]]:
    """The names in cells without heads (whole names, or first and last name in a cell each), and the errors."""
    names = [name for cell in cells for name in _BETWEEN.split(cell) if name]
    if len(names) == 2 and any(len(name.split()) < 2 for name in names):
        names = [" ".join(names)]
    if several := next((name for name in names if name.count(",") > 1), ""):
        error = _("“%(name)s” is more than one person. Write “/” between the two of a pair, and “;” between pairs.")
        return [], [error % {"name": several[:60]}]
    people: list[Values] = []
    for name in names:
        alike = everybody.by_words.get(_words(name), [])
        first, _space, last = name.rpartition(" ")
        if len(alike) == 1:
            first, last = alike[0].first_name, alike[0].last_name
        elif not first:
            return [], [_("“%(name)s” is only one name. Write first and last name of everybody.") % {"name": name[:60]}]
        try:
            people.append({"first_name": clean_name(first), "last_name": clean_name(last)})
        except ValidationError as error:
            return [], error.messages
    return people, [] if people else [_("There is no name in this line.")]


def _persons(number: int, people: Iterable[Values], everybody: _People) -> tuple[list[Person], list[str]]:
    """The people of a line; or an error if one is on an earlier line, or if the club has several of that name."""
    persons = []
    for values in people:
        name = f"{values.get('first_name', '')} {values.get('last_name', '')}".strip()
        before = everybody.lines.setdefault(importing.name_key(values), [])
        twin = next((line for line, other in before if not importing.are_two_people(values, other)), 0)
        if twin:
            error = _(
                "%(name)s is on line %(line)d already. Leave one out; a second person of that name enters at the door."
            )
            return [], [error % {"name": name, "line": twin}]
        before.append((number, values))
        line = importing.matched_by_name(number, values, everybody.club_list)
        if line.outcome in (Outcome.WRONG, Outcome.DOUBTFUL):
            return [], [f"{name}: {' '.join(line.why)}", _("Enter this one from the list, or at the door.")]
        member = everybody.members.get(line.member)
        groups = tuple(member.groups) if member else tuple(values.get("groups", ()))
        persons.append(Person(name, values, line.member, groups, everybody.entrants.get(line.member, "")))
    return persons, []


def _pairing_errors(people: list[Person], everybody: _People) -> list[str]:
    """Why these people cannot enter as pairs."""
    entered = [person for person in people if person.entrant]
    if not everybody.pairs or len(people) < 2:
        return []
    if len(people) % 2:
        return [_("At this table somebody has no partner: two names make a pair, in order.")]
    for one, two in zip(people[::2], people[1::2], strict=True):
        if one.entrant != two.entrant and (one in entered or two in entered):
            error = _("%(one)s and %(two)s have not entered as a pair. Make them one at the door first.")
            return [error % {"one": one.name, "two": two.name}]
    return []


def _with_table_numbers(lines: list[Line]) -> Iterator[Line]:
    """Number the tables without a number: each gets the next free one. A number used twice is an error."""
    taken: dict[int, int] = {}
    for line in lines:
        if line.table > 0 and not line.wrong:
            taken.setdefault(line.table, line.number)
    free = 0
    for line in lines:
        if line.table > 0 and taken.get(line.table, line.number) != line.number:
            error = _("Table %(table)d is on line %(line)d already.")
            wrong = error % {"table": line.table, "line": taken[line.table]}
            yield replace(line, wrong=(*line.wrong, wrong))
        elif line.table < 0:
            free = next((number for number in range(free + 1, MOST_TABLES + 1) if number not in taken), MOST_TABLES + 1)
            if free <= MOST_TABLES:
                yield replace(line, table=free)
            else:
                wrong = _("There are too many tables: at most %(most)d.") % {"most": MOST_TABLES}
                yield replace(line, table=0, wrong=(*line.wrong, wrong))
        else:
            yield line


def apply(
    tournament: Tournament, text: str, *, mark: str, here: bool, reason: str, by: Actor, request_id: uuid.UUID
) -> tuple[int, Round | None]:
    """Enter everybody on the good lines. If the lines have tables, also draw the next round and seat it like that.

    The round is a draft, arranged by hand for `reason`. Returns the number of people entered, and the round. A repeated
    request does nothing. Raises BadFile, ``paste-changed`` (it differs from the preview), ``nobody-chosen`` (no line is
    good), ``paste-broken`` (lines with tables, and not all are good), ``list-full``, Refused.
    """
    with transaction.atomic():
        club = common.locked(tournament.club_id)
        row = Tournament.objects.select_for_update().get(pk=tournament.pk)
        same = f"paste|{mark}|{here}|{reason}"
        if log.repeated(row, request_id, same, by) is not None:
            return 0, _last(state_of(row))
        state = state_of(row)
        paste = read(club, state, text)
        if paste.mark != mark:
            raise EntryError("paste-changed")
        if not paste.good:
            raise EntryError("nobody-chosen")
        if paste.seats and paste.broken:
            raise EntryError("paste-broken")
        here = here or paste.seats or plays_online(state)
        doings = [
            _enter(row, club, people, here=here, by=by) for line in paste.good for people in _new_entrants(state, line)
        ]
        arrivals = [id for line in paste.good for id in _not_here_yet(state, line)] if paste.seats else []
        doings += [("entrant.arrived", {"id": id}) for id in arrivals]
        if doings:
            log.act(row.pk, doings, by=by, request_id=request_id, same=same)
        if not paste.seats:
            return paste.entering_count, None
        row.refresh_from_db()
        return paste.entering_count, _seat(row, read(club, state_of(row), text), reason, by, request_id)


def _last(state: State) -> Round | None:
    rounds = [round for phase in state.phases for round in phase.rounds]
    return rounds[-1] if rounds and rounds[-1].status == DRAFT else None


def _new_entrants(state: State, line: Line) -> Iterator[Sequence[Person]]:
    """The people of each new entrant on a line: two for each pair, else one."""
    size = 2 if state.plan.kind == PAIR else 1
    for start in range(0, len(line.people), size):
        people = line.people[start : start + size]
        if not any(person.entrant for person in people):
            yield people


def _enter(tournament: Tournament, club: Club, people: Iterable[Person], *, here: bool, by: Actor) -> NewEvent:
    """Add those who are new to the club's list as guests, and return the event that enters all as one entrant."""
    members = [_member(tournament, club, person, by) for person in people]
    return services.adding(tournament, members, here=here)


def _member(tournament: Tournament, club: Club, person: Person, by: Actor) -> Member:
    if person.member:
        return Member.objects.get(public_id=person.member)
    values = person.values
    details = Details(
        values.get("first_name", ""),
        values.get("last_name", ""),
        email=values.get("email", ""),
        birth_year=values.get("birth_year"),
        groups=tuple(values.get("groups", ())),
        kind=Member.Kind.GUEST,
        named=values.get("named"),
    )
    member = club_members.put(club, by.player, details)
    common.log(club, "member.entered", actor=by.player, member=member, data={"tournament": tournament.public_id})
    return member


def _not_here_yet(state: State, line: Line) -> list[str]:
    """The entrants who are seated by a line and not marked as here yet."""
    entrants = dict.fromkeys(person.entrant for person in line.people if person.entrant)
    return [id for id in entrants if line.table and state.entrants[id].status != HERE]


def _seat(tournament: Tournament, paste: Paste, reason: str, by: Actor, request_id: uuid.UUID) -> Round:
    """Replace the tables of the next round by those of the paste. Draws the round first if necessary."""
    begin, drawing_it, seating = (uuid.uuid5(request_id, step) for step in ("begin", "draw", "seat"))
    state = state_of(tournament)
    if not state.phases:
        state = log.act(tournament.pk, [("phase.started", {"name": ""})], by=by, request_id=begin).state
    round = _last(state)
    if round is None:
        round = draws.round_drawn(draws.draw(tournament, state.phases[-1].number, by=by, request_id=drawing_it))
    tables: dict[int, list[Plain]] = {
        line.table: list(dict.fromkeys(person.entrant for person in line.people)) for line in paste.good if line.table
    }
    all_tables = {**{number: [] for number in round.tables}, **tables}
    arranged: list[Plain] = [{"number": number, "seats": seats} for number, seats in sorted(all_tables.items())]
    seated = {str(id) for seats in tables.values() for id in seats}
    byes: list[Plain] = [*sorted(round.seated - seated)]
    data: dict[str, Plain] = {
        "round": round.key,
        "tables": arranged,
        "byes": byes,
        "reason": reason,
        "substitutes": True,
    }
    state = log.act(tournament.pk, [("round.arranged", data)], by=by, request_id=seating).state
    seated_round = state.round(round.key)
    assert seated_round is not None
    return seated_round
