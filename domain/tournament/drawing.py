"""What a tournament promises before it begins: all its luck comes from one secret, whose fingerprint is published first.

    commitment = SHA-256("troccas-tournament-1|commit|" + secret)                        when the tournament opens
    seed       = HMAC-SHA-256(secret, "draw|" + phase + "|" + round + "|" + attempt)      a draw
    seed       = HMAC-SHA-256(secret, "plan|" + phase + "|" + attempt)                    a plan for a whole phase
    seed       = HMAC-SHA-256(secret, "lot|" + label)                                     a lot

`secret` has 32 bytes and is published when the tournament is closed. So nobody can choose a seed on the evening: neither
the director nor the site after the opening; and how often a round was drawn is counted in the seed itself.

Drawing a round of a tournament: from its state to what `domain.seating` wants, and from a seating to tables.

Everything that was drawn in a tournament, in one file, and whether it holds.

JSON, UTF-8. Once the tournament is closed `secret` stands in it; until then it is null, and only the draws themselves can
be checked:

    {"format": "troccas-tournament-draws", "version": 1, "tournament": "…", "commitment": "64 hex digits", "secret": "…",
     "draws": [{"phase": 1, "round": 2, "attempt": 1, "promised_at": "…", "drawn_at": "…", "status": "out",
                "undone": null, "file": {what `domain.seating.files` says}}],
     "pairs": [{"attempt": 17, "at": "…", "single": ["e1", …], "pairs": [["e1", "e4"], …]}],
     "lots": [{"phase": 1, "label": "…", "order": ["e3", "e5"], "seed": "64 hex digits"}]}

`undone` is null, or the reason and the time of a draw that was taken back. The file of a draw that is not out yet
(`status` draft) holds the promise only. How seeds follow from the secret is said in `domain.tournament.drawing`.
"""

from __future__ import annotations

import hashlib
import hmac
from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, cast

from domain.errors import refuse_if
from domain.seating import files
from domain.seating.chance import Chance
from domain.seating.field import Entrant as Seated
from domain.seating.field import Field, Past, tables_for
from domain.seating.files import Draw
from domain.seating.seat import PLANNED
from domain.standings import ranking
from domain.standings.criteria import Lot
from domain.tournament.payload import Plain
from domain.tournament.scoring import meetings, standing_of
from domain.tournament.state import CONFIRMED, GONE, HERE, PAIR, Entrant, Phase, Round, State, Table, form_for

SCHEME: Final = "troccas-tournament-1"


def commitment(secret: bytes) -> str:
    """64 hex digits that fix all draws of a tournament."""
    return hashlib.sha256(f"{SCHEME}|commit|".encode() + secret).hexdigest()


def draw_seed(secret: bytes, method: str, phase: int, round: int, attempt: int) -> bytes:
    """The seed of one draw; of a phase with one plan, the same for all its rounds."""
    label = f"plan|{phase}|{attempt}" if method in PLANNED else f"draw|{phase}|{round}|{attempt}"
    return _seed(secret, label)


def lot_seed(secret: bytes, label: str) -> bytes:
    """The seed of a lot among those who are equal."""
    return _seed(secret, f"lot|{label}")


def pairs_seed(secret: bytes, attempt: int) -> bytes:
    """The seed by which single entrants are made into pairs."""
    return _seed(secret, f"pairs|{attempt}")


def _seed(secret: bytes, label: str) -> bytes:
    return hmac.new(secret, label.encode(), hashlib.sha256).digest()


BY_RESULT: Final = frozenset({"standing", "swiss", "knock-out"})
"""Methods whose next round depends on how the one before ended."""


@dataclass(frozen=True, slots=True)
class Drawn:
    """A draw that was made: the file to publish, and what `round.drawn` says about it."""

    file: Mapping[str, Plain]
    seats: tuple[tuple[str, ...], ...]
    byes: tuple[str, ...]
    remarks: tuple[str, ...]


def entrants_of(state: State, phase: Phase) -> tuple[Entrant, ...]:
    """Who takes part in a phase, here or not, in order of their ids; who has never come is not among them. Of one that is
    played online, all computer players of the house's are."""
    house = [each for each in state.entrants.values() if each.house] if phase.plan.online else []
    if phase.entrants is not None:
        chosen = [state.entrants[id] for id in phase.entrants]
    else:
        came = [each for each in state.entrants.values() if each.came and each.status in (HERE, GONE)]
        chosen = [each for each in came if not each.house]
    return tuple(sorted([*chosen, *house], key=lambda each: int(each.id[1:])))


def house_of(state: State, phase: Phase, number: int) -> frozenset[str]:
    """The entrants of the house's that the draw of round `number` knows of.

    Those who are here; but rather one of them stays away than that somebody sits out. A knock-out keeps those of its first
    round, who have their places in its tree.
    """
    house = [each for each in entrants_of(state, phase) if each.house]
    if phase.plan.method == "knock-out" and number > 1:
        first = phase.rounds[0].seated
        return frozenset(each.id for each in house if each.id in first)
    sitting = [each for each in entrants_of(state, phase) if can_sit(each, phase, number)]
    here = [each.id for each in sitting if each.house]
    _, out = tables_for(len(sitting), phase.settings)
    return frozenset(here[: max(0, len(here) - out)])


def field_of(state: State, phase: Phase, number: int) -> Field:
    """What the draw of round `number` of a phase depends on. Rounds before it count as they were played."""
    before = phase.rounds[: number - 1]
    house = house_of(state, phase, number)
    entrants = [each for each in entrants_of(state, phase) if not each.house or each.id in house]
    ids = {each.id for each in entrants}
    absent = {each.id for each in entrants if not can_sit(each, phase, number)}
    if phase.plan.method == "knock-out":
        points, lost = _knocked_out(state, phase, before)
        points = {who: won for who, won in points.items() if who in ids}
        absent |= lost & ids
    else:
        standing = standing_of(state, phase, before, house=True)
        first = phase.plan.rules.tie_breaks[0]
        points = {row.entrant: dict(row.values).get(first) or 0 for row in standing.rows if row.entrant in ids}
    carried = Counter[str]()
    for earlier in state.phases[: phase.number - 1]:
        for round in earlier.rounds:
            carried.update(who for who in round.byes if who in ids)
            carried.update(who for t in round.tables.values() if t.odd for who in t.seats if who in ids)
    return Field(
        entrants=tuple(
            Seated(
                id=each.id,
                groups=each.groups,
                # The file of the draw is for everybody: people stand in it by their pair, not by their entry in the club.
                members=tuple(f"{each.id}.{place}" for place in range(1, len(each.members) + 1))
                if phase.plan.kind == PAIR
                else (),
                seed=each.seed,
                carried=carried[each.id],
            )
            for each in entrants
        ),
        absent=frozenset(absent),
        rounds=tuple(past_of(round) for round in before),
        season=_season(state, ids, phase.plan.kind == PAIR) if phase.plan.avoid_season else (),
        standing=tuple(points.items()),
        apart=tuple(pair for pair in state.apart if set(pair) <= ids),
        keeps=tuple((each.id, each.table) for each in entrants if each.table),
    )


def can_sit(entrant: Entrant, phase: Phase, number: int) -> bool:
    """Whether an entrant is to be seated in this round: here, not pausing, and as many as the phase wants."""
    return (
        entrant.status == HERE
        and f"{phase.number}.{number}" not in entrant.pauses
        and (phase.plan.kind != PAIR or len(entrant.members) == 2)
    )


def past_of(round: Round) -> Past:
    """A round as it was played, for the draws after it."""
    return Past(tuple(table.seats for _, table in sorted(round.tables.items())), round.byes)


def promise(state: State, phase: Phase, secret: bytes) -> tuple[int, int, Draw]:
    """The next draw of a phase: its round, its attempt (from 1) and the draw, to be promised.

    Raises DomainError: ``phase-over``, ``draft-open`` (the last round is not out yet), ``nobody-here``; online, by a
    method that needs results, ``tables-open``. Late tables hold up nothing but a knock-out (``undecided``).
    """
    number = len(phase.rounds) + 1
    refuse_if(phase.finished or number > phase.plan.rules.rounds, "phase-over", "phase", rounds=phase.plan.rules.rounds)
    refuse_if(phase.draft, "draft-open", "round", round=phase.draft)
    method = phase.plan.method
    if phase.plan.online and method in BY_RESULT:
        for round in phase.rounds:
            check_played(round)
    counted = phase.attempts.get(0 if method in PLANNED else number, 0)
    attempt = max(counted, 1) if method in PLANNED and number > 1 else counted + 1
    field = field_of(state, phase, number)
    refuse_if(len(field.present) < 2, "nobody-here", "entrants")
    seed = draw_seed(secret, method, phase.number, number, attempt)
    return number, attempt, Draw(method, field, phase.settings, seed)


def made(draw: Draw, hall: str) -> Drawn:
    """The draw, made: with what the hall threw in."""
    draw = Draw(draw.method, draw.field, draw.settings, draw.seed, hall)
    seating = draw.seating()
    refuse_if(not seating.tables, "decided" if "decided" in seating.remarks else "nobody-here", "round")
    return Drawn(
        file=cast("Mapping[str, Plain]", draw.revealed()),
        seats=tuple(table.seats for table in seating.tables),
        byes=seating.out,
        remarks=seating.remarks,
    )


def promised(file: Mapping[str, Plain], seed: bytes) -> Draw:
    """The draw that a promise holds, to be made with its seed."""
    return files.read(cast("dict[str, object]", file["inputs"]), seed, "")


def table_from(state: State, phase: Phase, round: int, number: int, seats: tuple[str, ...]) -> Table:
    """A table as the rules of the phase want it, for these entrants in order of places."""
    by_seat = [state.entrants[id].people(phase.number, round) for id in seats]
    widest = max(map(len, by_seat))
    places = [
        (id, people[row])
        for row in range(widest)
        for id, people in zip(seats, by_seat, strict=True)
        if row < len(people)
    ]
    form = form_for(phase.plan, len(seats), len(places))
    shape = phase.settings.shape(len(seats))
    return Table(
        number=number,
        seats=seats,
        people=tuple(person for _, person in places),
        owners=tuple(id for id, _ in places),
        sides=form.sides,
        ruleset=form.ruleset,
        total=form.total,
        deals=phase.plan.rules.at(len(places)).deals,
        odd=shape.odd,
        in_turn=form.in_turn,
    )


def check_played(round: Round) -> None:
    """Raises DomainError (``tables-open``) while a table is not confirmed; a late one does not count as open."""
    open = [number for number, table in round.tables.items() if table.state != CONFIRMED and not table.late]
    refuse_if(open, "tables-open", "round", tables=len(open), first=min(open, default=0))


def _knocked_out(state: State, phase: Phase, before: tuple[Round, ...]) -> tuple[dict[str, int], set[str]]:
    """Wins so far, and who is out. Raises DomainError (``undecided``) while a table has no winner.

    Before the final the two who lost their semi-finals are not out, where the plan has a match for third place.
    """
    everybody = {each.id for each in entrants_of(state, phase)}
    wins: Counter[str] = Counter(dict.fromkeys(everybody, 0))
    lost: set[str] = set()
    fell: set[str] = set()
    for round, found in zip(before, meetings(state, phase, before), strict=True):
        fell = set()
        for meeting in found:
            refuse_if(meeting.open, "undecided", "table", round=round.number, table=meeting.table)
            wins.update(meeting.winners)
            lost |= set(meeting.seats) - meeting.winners
            if meeting.table and not round.tables[meeting.table].forfeit and not meeting.third:
                fell |= set(meeting.seats) - meeting.winners
    left = {who for found in meetings(state, phase, before[:1]) for each in found for who in each.seats} - lost
    if phase.plan.third and len(left) == len(fell) == 2:
        lost -= fell
    return dict(wins), lost


def _season(state: State, ids: set[str], pairs: bool) -> tuple[Past, ...]:
    """Earlier evenings, for who sat with whom. An evening has several rounds, a `Past` is one: each table is one of its own."""
    of_person = {
        person: each.id
        for each in state.entrants.values()
        for person in each.members
        if each.id in ids and not each.house
    }
    found = []
    for evening in state.season:
        weight = evening.get("weight", 1)
        for table in cast("list[list[str]]", evening["tables"]):
            # Who is not here tonight keeps a place, so that the others keep theirs; a pair sits at two of them.
            seats = tuple(dict.fromkeys(of_person.get(person, f"-{place}") for place, person in enumerate(table)))
            if len(seats) > 1 and (pairs or len(seats) == len(table)):
                found.append(Past((seats,), weight=weight if isinstance(weight, int) else 1))
    return tuple(found)


FORMAT: Final = "troccas-tournament-draws"
VERSION: Final = 1
SECRET_BYTES: Final = 32


@dataclass(frozen=True, slots=True)
class Problem:
    """Something that does not hold. `where` names the draw (``1.2/1``: phase, round, attempt), the lot or the pairs;
    empty for the whole file. The codes:

    * ``bad-format``: no file of this kind and version, or a part of it is not what it should be.
    * ``wrong-secret``: the secret is not the one that was promised when the tournament opened.
    * ``wrong-seed``: the seed does not come from the secret.
    * ``attempt-missing``: a draw was made that is not in the file.
    * ``wrong-lot``, ``wrong-pairs``: the seed leads to another order.
    * what `domain.seating.files.verify` finds in a draw.
    """

    code: str
    where: str = ""


@dataclass(frozen=True, slots=True)
class Report:
    """What was checked: how many draws, lots and pairings; of these, `by_hand` lots that were cut in the hall, `drafts` of
    which only the promise is known, and `withheld` draws whose file leaves out whom the organiser wants apart. `secret`: whether it was there, and seeds could be checked."""

    problems: tuple[Problem, ...]
    draws: int = 0
    lots: int = 0
    pairs: int = 0
    by_hand: int = 0
    drafts: int = 0
    withheld: int = 0
    secret: bool = False


def verify(data: object) -> Report:
    """Check a file as it was published. Never raises: what cannot be read is ``bad-format``."""
    try:
        return _verify(data)
    except (KeyError, TypeError, ValueError, AttributeError):
        return Report((Problem("bad-format"),))


def _verify(data: object) -> Report:
    if not isinstance(data, dict) or data.get("format") != FORMAT or data.get("version") != VERSION:
        return Report((Problem("bad-format"),))
    secret = None if data["secret"] is None else bytes.fromhex(data["secret"])
    draws, drawn_lots, pairs = _list(data, "draws"), _list(data, "lots"), _list(data, "pairs")
    kept = secret is None or (len(secret) == SECRET_BYTES and commitment(secret) == data["commitment"])
    return Report(
        (
            *(() if kept else (Problem("wrong-secret"),)),
            *(problem for each in draws for problem in _draw(each, secret)),
            *_gaps(draws),
            *(problem for each in drawn_lots for problem in _lot(each, secret)),
            *(problem for each in pairs for problem in _pairs(each, secret)),
        ),
        draws=len(draws),
        lots=len(drawn_lots),
        pairs=len(pairs),
        by_hand=sum(not each["seed"] for each in drawn_lots),
        drafts=sum(each["status"] == "draft" for each in draws),
        withheld=sum(_is_withheld(each) for each in draws),
        secret=secret is not None,
    )


def _draw(draw: Mapping[str, object], secret: bytes | None) -> list[Problem]:
    where = f"{draw['phase']}.{draw['round']}/{draw['attempt']}"
    file = cast("Mapping[str, object]", draw["file"])
    method = _method(draw)
    if draw["status"] == "draft":
        return []
    problems = [] if _is_withheld(draw) else [Problem(code, where) for code in files.verify(file)]
    numbers = _numbers(draw, "phase", "round", "attempt")
    if secret is not None and draw_seed(secret, method, *numbers).hex() != file.get("seed"):
        problems.append(Problem("wrong-seed", where))
    return problems


def _is_withheld(draw: Mapping[str, object]) -> bool:
    return draw["status"] != "draft" and files.verify(draw["file"]) == ["withheld"]


def _gaps(draws: list[Mapping[str, object]]) -> list[Problem]:
    """Draws are counted in their seeds: each number up to the last must be there."""
    attempts: dict[tuple[int, int], set[int]] = defaultdict(set)
    for each in draws:
        phase, round, attempt = _numbers(each, "phase", "round", "attempt")
        attempts[phase, 0 if _method(each) in PLANNED else round].add(attempt)
    return [
        Problem("attempt-missing", f"{phase}.{round or 1}/{number}")
        for (phase, round), found in sorted(attempts.items())
        for number in range(1, max(found))
        if number not in found
    ]


def _lot(lot: Mapping[str, object], secret: bytes | None) -> list[Problem]:
    label, seed = cast("str", lot["label"]), cast("str", lot["seed"])
    where = f"lot {label}"
    if not seed:
        return []
    problems = []
    if not ranking.is_true(Lot(_texts(lot, "order"), label, seed)):
        problems.append(Problem("wrong-lot", where))
    if secret is not None and lot_seed(secret, label).hex() != seed:
        problems.append(Problem("wrong-seed", where))
    return problems


def _pairs(pairs: Mapping[str, object], secret: bytes | None) -> list[Problem]:
    if secret is None:
        return []
    (attempt,) = _numbers(pairs, "attempt")
    order = Chance(pairs_seed(secret, attempt), "pairs").shuffled(sorted(_texts(pairs, "single")))
    wanted = [[min(a, b), max(a, b)] for a, b in zip(order[::2], order[1::2], strict=False)]
    return [] if wanted == pairs["pairs"] else [Problem("wrong-pairs", f"pairs {attempt}")]


def _method(draw: Mapping[str, object]) -> str:
    file = cast("Mapping[str, Mapping[str, object]]", draw["file"])
    return cast("str", file["inputs"]["method"])


def _list(data: Mapping[str, object], field: str) -> list[Mapping[str, object]]:
    value = data[field]
    if not isinstance(value, list) or not all(isinstance(each, dict) for each in value):
        raise TypeError(field)
    return value


def _texts(data: Mapping[str, object], field: str) -> tuple[str, ...]:
    value = data[field]
    if not isinstance(value, list) or not all(isinstance(each, str) for each in value):
        raise TypeError(field)
    return tuple(value)


def _numbers(data: Mapping[str, object], *names: str) -> tuple[int, ...]:
    found = tuple(data[name] for name in names)
    if any(isinstance(each, bool) or not isinstance(each, int) for each in found):
        raise TypeError(names)
    return cast("tuple[int, ...]", found)
