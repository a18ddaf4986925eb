"""The draws of a tournament. All their luck comes from one secret, to which the tournament commits before it begins.

    commitment = SHA-256("troccas-tournament-1|commit|" + secret)                        when the tournament opens
    seed       = HMAC-SHA-256(secret, "draw|" + phase + "|" + round + "|" + attempt)      a draw
    seed       = HMAC-SHA-256(secret, "plan|" + phase + "|" + attempt)                    a plan for a whole phase
    seed       = HMAC-SHA-256(secret, "lot|" + label)                                     a lot

`secret` has 32 bytes and is published when the tournament is closed. So neither the director nor the site can choose a
seed after the opening; and the seed itself contains how often a round was drawn.

Drawing a round: from the state of the tournament to the input of `domain.seating`, and from a seating to tables.

`verify` checks a file with everything that was drawn in a tournament. JSON, UTF-8. `secret` is null until the
tournament is closed; until then only the draws themselves can be checked:

    {"format": "troccas-tournament-draws", "version": 1, "tournament": "…", "commitment": "64 hex digits", "secret": "…",
     "draws": [{"phase": 1, "round": 2, "attempt": 1, "promised_at": "…", "drawn_at": "…", "status": "out",
                "undone": null, "file": {see `domain.seating.files`}}],
     "pairs": [{"attempt": 17, "at": "…", "single": ["e1", …], "pairs": [["e1", "e4"], …]}],
     "lots": [{"phase": 1, "label": "…", "order": ["e3", "e5"], "seed": "64 hex digits"}]}

`undone` is null, or the reason and the time of a draw that was undone. The file of a draw that is not published yet
(`status` draft) contains only the promise.
"""

from __future__ import annotations

import hashlib
import hmac
from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations
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
from domain.tournament.state import GONE, HERE, PAIR, Entrant, Phase, Round, State, Table, form_for

SCHEME: Final = "troccas-tournament-1"


def commitment(secret: bytes) -> str:
    """64 hex digits that fix all draws of a tournament."""
    return hashlib.sha256(f"{SCHEME}|commit|".encode() + secret).hexdigest()


def draw_seed(secret: bytes, method: str, phase: int, round: int, attempt: int) -> bytes:
    """The seed of one draw; in a phase with one plan, it is the same for all rounds."""
    label = f"plan|{phase}|{attempt}" if method in PLANNED else f"draw|{phase}|{round}|{attempt}"
    return _seed(secret, label)


def lot_seed(secret: bytes, label: str) -> bytes:
    """The seed of a lot among equal entrants."""
    return _seed(secret, f"lot|{label}")


def pairs_seed(secret: bytes, attempt: int) -> bytes:
    """The seed for drawing pairs from single entrants."""
    return _seed(secret, f"pairs|{attempt}")


def _seed(secret: bytes, label: str) -> bytes:
    return hmac.new(secret, label.encode(), hashlib.sha256).digest()


BY_RESULT: Final = frozenset({"standing", "swiss", "knock-out"})
"""Methods whose next round depends on the results of the one before."""


def waits_for_results(phase: Phase) -> bool:
    """Whether the next draw of a phase waits for the tables of the last round."""
    return phase.plan.method == "knock-out" or (phase.plan.online is not None and phase.plan.method in BY_RESULT)


@dataclass(frozen=True, slots=True)
class Drawn:
    """A draw that was made: the file to publish, and the data of the event `round.drawn`."""

    file: Mapping[str, Plain]
    seats: tuple[tuple[str, ...], ...]
    byes: tuple[str, ...]
    remarks: tuple[str, ...]


def entrants_of(state: State, phase: Phase) -> tuple[Entrant, ...]:
    """The entrants of a phase, present or not, in order of their ids.

    Entrants who never came are left out. In a phase played online, all computer players of the house are included.
    """
    house = [each for each in state.entrants.values() if each.house] if phase.plan.online else []
    if phase.entrants is not None:
        chosen = [state.entrants[id] for id in phase.entrants]
    else:
        came = [each for each in state.entrants.values() if each.came and each.status in (HERE, GONE)]
        chosen = [each for each in came if not each.house]
    return tuple(sorted([*chosen, *house], key=lambda each: int(each.id[1:])))


def house_of(state: State, phase: Phase, number: int) -> frozenset[str]:
    """The entrants of the house that take part in the draw of round `number`.

    Those who are here, except as many as would make somebody sit out. A knock-out keeps those of its first round, who
    have their places in its bracket.
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
    """The input for the draw of round `number` of a phase. Earlier rounds count as they were played."""
    before = phase.rounds[: number - 1]
    house = house_of(state, phase, number)
    entrants = [each for each in entrants_of(state, phase) if not each.house or each.id in house]
    knock_out = phase.plan.method == "knock-out"
    out: set[str] = set()
    if knock_out:
        wins, out = _wins_and_losers(state, phase, before)
        if before:
            entrants, out = _in_bracket(state, before, out)
    ids = {each.id for each in entrants}
    absent = {each.id for each in entrants if each.id in out or not can_sit(each, phase, number)}
    if knock_out:
        points = {who: won for who, won in wins.items() if who in ids}
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
                # The file of the draw is public: it names people by their pair, not by their id in the club.
                members=tuple(f"{each.id}.{number}" for number in range(1, len(each.members) + 1))
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
        # Whoever plays wants people at the table: those of the house are spread.
        apart=(
            *(pair for pair in state.apart if set(pair) <= ids),
            *combinations([each.id for each in entrants if each.house], 2),
        ),
        keeps=tuple((each.id, each.table) for each in entrants if each.table),
    )


def _in_bracket(state: State, before: tuple[Round, ...], lost: set[str]) -> tuple[list[Entrant], set[str]]:
    """The entrants of a knock-out that has begun, and those of them who are out.

    The bracket is that of the first draw: whoever came later has no place in it, and whoever was not in the last round
    is out. If somebody who came later was seated by hand, those who are still in make a new one.
    """
    file = before[0].draw or {}
    inputs = cast("Mapping[str, Mapping[str, list[Mapping[str, str]]]]", file["inputs"])
    drawn = {each["id"] for each in inputs["field"]["entrants"]}
    still_in = before[-1].seated - lost
    chosen = drawn if all(round.seated <= drawn for round in before) else still_in
    return sorted((state.entrants[id] for id in chosen), key=lambda each: int(each.id[1:])), chosen - still_in


def can_sit(entrant: Entrant, phase: Phase, number: int) -> bool:
    """Whether an entrant is to be seated in this round: here, not pausing, and in a phase for pairs, complete."""
    return (
        entrant.status == HERE
        and f"{phase.number}.{number}" not in entrant.pauses
        and (phase.plan.kind != PAIR or len(entrant.members) == 2)
    )


def drawn_by(round: Round) -> str:
    """The method by which a round was drawn."""
    return _method({"file": round.draw})


def past_of(round: Round) -> Past:
    """A round as it was played, for the draws after it."""
    return Past(tuple(table.seats for _, table in sorted(round.tables.items())), round.byes)


def promise(state: State, phase: Phase, secret: bytes) -> tuple[int, int, Draw]:
    """The next draw of a phase, to be promised: its round, its attempt (from 1) and the draw.

    Raises DomainError: ``phase-over``, ``draft-open`` (the last round is not published yet), ``nobody-here``, or in a
    knock-out ``decided``; online, with a method that needs results, ``tables-open``. Late tables hold up only a knock-out (``undecided``,
    or ``drawn`` where one more deal is needed).
    """
    number = len(phase.rounds) + 1
    refuse_if(phase.finished or number > phase.plan.rules.rounds, "phase-over", "phase", rounds=phase.plan.rules.rounds)
    refuse_if(phase.draft, "draft-open", "round", round=phase.draft)
    method = phase.plan.method
    if phase.plan.online and method in BY_RESULT:
        for round in phase.rounds:
            check_played(round)
    attempts = phase.attempts.get(0 if method in PLANNED else number, 0)
    attempt = max(attempts, 1) if method in PLANNED and number > 1 else attempts + 1
    field = field_of(state, phase, number)
    begun = method == "knock-out" and number > 1
    refuse_if(len(field.present) < 2, "decided" if begun else "nobody-here", "entrants")
    seed = draw_seed(secret, method, phase.number, number, attempt)
    return number, attempt, Draw(method, field, phase.settings, seed)


def make_draw(draw: Draw, hall: str) -> Drawn:
    """Make the draw, with what people in the hall added. Raises DomainError (``decided``, ``nobody-here``)."""
    draw = Draw(draw.method, draw.field, draw.settings, draw.seed, hall)
    seating = draw.seating()
    refuse_if(not seating.tables, "decided" if "decided" in seating.remarks else "nobody-here", "round")
    return Drawn(
        file=cast("Mapping[str, Plain]", draw.revealed()),
        seats=tuple(table.seats for table in seating.tables),
        byes=seating.out,
        remarks=seating.remarks,
    )


def promised_draw(file: Mapping[str, Plain], seed: bytes) -> Draw:
    """The draw in the file of a promise, to be made with its seed."""
    return files.read(cast("dict[str, object]", file["inputs"]), seed, "")


def table_from(state: State, phase: Phase, round: int, number: int, seats: tuple[str, ...]) -> Table:
    """A table by the rules of the phase, for these entrants in order of places."""
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
    """Raise DomainError (``tables-open``) while a table is not confirmed; a late one does not count as open."""
    open = round.open_tables
    refuse_if(open, "tables-open", "round", tables=len(open), first=min(open, default=0))


def _wins_and_losers(state: State, phase: Phase, before: tuple[Round, ...]) -> tuple[dict[str, int], set[str]]:
    """The wins so far, and the entrants who are out. Raises DomainError while a table has no winner: ``drawn`` if it counts,
    else ``undecided``.

    If the plan has a match for third place, the two losers of the semi-finals are not out before the final.
    """
    everybody = {each.id for each in entrants_of(state, phase)}
    wins: Counter[str] = Counter(dict.fromkeys(everybody, 0))
    lost: set[str] = set()
    lost_last: set[str] = set()
    for round, of_round in zip(before, meetings(state, phase, before), strict=True):
        lost_last = set()
        for meeting in of_round:
            code = "drawn" if meeting.drawn else "undecided"
            refuse_if(meeting.open, code, "table", round=round.number, table=meeting.table)
            wins.update(meeting.winners)
            lost |= set(meeting.seats) - meeting.winners
            if meeting.table and not round.tables[meeting.table].forfeit and not meeting.third:
                lost_last |= set(meeting.seats) - meeting.winners
    first_round = meetings(state, phase, before[:1])
    still_in = {who for of_round in first_round for each in of_round for who in each.seats} - lost
    if phase.plan.third and len(still_in) == len(lost_last) == 2:
        lost -= lost_last
    return dict(wins), lost


def _season(state: State, ids: set[str], pairs: bool) -> tuple[Past, ...]:
    """Who sat with whom on earlier evenings.

    Each table becomes a `Past` of its own, because an evening has several rounds.
    """
    of_person = {
        person: each.id
        for each in state.entrants.values()
        for person in each.members
        if each.id in ids and not each.house
    }
    pasts = []
    for evening in state.season:
        weight = evening.get("weight", 1)
        for table in cast("list[list[str]]", evening["tables"]):
            # A person who is not here tonight keeps a place, so that the others keep theirs; a pair sits at two places.
            seats = tuple(dict.fromkeys(of_person.get(person, f"-{place}") for place, person in enumerate(table)))
            if len(seats) > 1 and (pairs or len(seats) == len(table)):
                pasts.append(Past((seats,), weight=weight if isinstance(weight, int) else 1))
    return tuple(pasts)


FORMAT: Final = "troccas-tournament-draws"
VERSION: Final = 1
SECRET_BYTES: Final = 32


@dataclass(frozen=True, slots=True)
class Problem:
    """An error in a published file.

    `where` names the draw (``1.2/1``: phase, round, attempt), the lot or the pairs; empty for the whole file. The
    codes:

    * ``bad-format``: not a file of this kind and version, or a part of it is malformed.
    * ``wrong-secret``: the secret is not the one that was promised when the tournament opened.
    * ``wrong-seed``: the seed does not come from the secret.
    * ``attempt-missing``: a draw was made that is not in the file.
    * ``wrong-lot``, ``wrong-pairs``: the seed leads to another order.
    * the codes of `domain.seating.files.verify` for a draw.
    """

    code: str
    where: str = ""


@dataclass(frozen=True, slots=True)
class Report:
    """The problems of a file, and the numbers of draws, lots and drawings of pairs that were checked.

    Among these, `by_hand` lots were cut in the hall, only the promise is known of `drafts` draws, and the files of
    `withheld` draws leave out the organiser's wishes. `secret`: whether the file contained it, so that seeds could be
    checked.
    """

    problems: tuple[Problem, ...]
    draws: int = 0
    lots: int = 0
    pairs: int = 0
    by_hand: int = 0
    drafts: int = 0
    withheld: int = 0
    secret: bool = False


def verify(data: object) -> Report:
    """Check a published file. Never raises: a file that cannot be read is ``bad-format``."""
    try:
        return _verify(data)
    except (KeyError, TypeError, ValueError, AttributeError):
        return Report((Problem("bad-format"),))


def _verify(data: object) -> Report:
    if not isinstance(data, dict) or data.get("format") != FORMAT or data.get("version") != VERSION:
        return Report((Problem("bad-format"),))
    secret = None if data["secret"] is None else bytes.fromhex(data["secret"])
    draws, drawn_lots, pairs = _list(data, "draws"), _list(data, "lots"), _list(data, "pairs")
    promise_kept = secret is None or (len(secret) == SECRET_BYTES and commitment(secret) == data["commitment"])
    return Report(
        (
            *(() if promise_kept else (Problem("wrong-secret"),)),
            *(problem for each in draws for problem in _draw_problems(each, secret)),
            *_missing_attempts(draws),
            *(problem for each in drawn_lots for problem in _lot_problems(each, secret)),
            *(problem for each in pairs for problem in _pairs_problems(each, secret)),
        ),
        draws=len(draws),
        lots=len(drawn_lots),
        pairs=len(pairs),
        by_hand=sum(not each["seed"] for each in drawn_lots),
        drafts=sum(each["status"] == "draft" for each in draws),
        withheld=sum(_is_withheld(each) for each in draws),
        secret=secret is not None,
    )


def _draw_problems(draw: Mapping[str, object], secret: bytes | None) -> list[Problem]:
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


def _missing_attempts(draws: list[Mapping[str, object]]) -> list[Problem]:
    """A problem for every attempt that is missing before the last one of a round. (The number is part of the seed.)"""
    attempts: dict[tuple[int, int], set[int]] = defaultdict(set)
    for each in draws:
        phase, round, attempt = _numbers(each, "phase", "round", "attempt")
        attempts[phase, 0 if _method(each) in PLANNED else round].add(attempt)
    return [
        Problem("attempt-missing", f"{phase}.{round or 1}/{number}")
        for (phase, round), numbers in sorted(attempts.items())
        for number in range(1, max(numbers))
        if number not in numbers
    ]


def _lot_problems(lot: Mapping[str, object], secret: bytes | None) -> list[Problem]:
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


def _pairs_problems(pairs: Mapping[str, object], secret: bytes | None) -> list[Problem]:
    if secret is None:
        return []
    (attempt,) = _numbers(pairs, "attempt")
    order = Chance(pairs_seed(secret, attempt), "pairs").shuffled(sorted(_texts(pairs, "single")))
    expected = [[min(a, b), max(a, b)] for a, b in zip(order[::2], order[1::2], strict=False)]
    return [] if expected == pairs["pairs"] else [Problem("wrong-pairs", f"pairs {attempt}")]


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
    values = tuple(data[name] for name in names)
    if any(isinstance(each, bool) or not isinstance(each, int) for each in values):
        raise TypeError(names)
    return cast("tuple[int, ...]", values)
