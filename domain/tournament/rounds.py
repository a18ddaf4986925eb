"""Events of phases and rounds: beginning, drawing, changing by hand before play, the clock, closing; and online rounds.

Nobody writes a sheet at a table that plays online: its game reports the result, and the director may settle it
otherwise.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Final

from domain.errors import DomainError, refuse_if, require
from domain.seating.seat import PLANNED
from domain.tournament.directing import phase_of, plan_from
from domain.tournament.drawing import check_played, entrants_of, table_from
from domain.tournament.payload import Given, Plain
from domain.tournament.registering import human_entrant, left_before, play_from
from domain.tournament.score_sheets import DESK, check_complete, check_lines, check_out, lines_from, table_of
from domain.tournament.state import (
    ABANDONED,
    CLOSED,
    CONFIRMED,
    DRAFT,
    OUT,
    PLAYING,
    Board,
    Change,
    Clock,
    Online,
    Phase,
    Plan,
    Promise,
    Round,
    State,
    check_game,
    put_phase,
    put_round,
    put_table,
    rules_for,
    settings_for,
)

MOST_PHASES: Final = 20
MOST_AT_A_TABLE: Final = 8
MOST_MINUTES: Final = 600


def begin_phase(state: State, given: Given, at: str, by: str) -> State:
    """``phase.started`` {name, plan?, after?, carry?, entrants?}: the ranking of phase `after` chose `entrants`."""
    refuse_if(not state.open, "not-open")
    number = len(state.phases) + 1
    refuse_if(number > MOST_PHASES, "too-many", "phases", most=MOST_PHASES)
    plan = plan_from(given.group("plan"), state.plan) if given.has("plan") else state.plan
    after = given.whole("after", 0, MOST_PHASES, 0)
    earlier = state.phase(after)
    chosen: tuple[str, ...] | None = given.texts("entrants") if given.has("entrants") else None
    if (after and (earlier is None or chosen is None)) or (chosen is not None and len(set(chosen)) < 2):
        raise DomainError("no-such-phase" if after and earlier is None else "too-few-chosen", "entrants")
    refuse_if(not after and state.phases, "needs-entrants", "after")
    for id in chosen or ():
        human_entrant(state, id)
        for other in state.phases:
            taken = other.after == after and other.number != after and id in (other.entrants or ())
            refuse_if(taken, "in-another-phase", "entrants", id=id, phase=other.number)
    plan = replace(plan, rules=rules_for(plan))
    phase = Phase(
        number=number,
        name=given.text("name", "", most=80),
        plan=plan,
        settings=settings_for(plan),
        after=after,
        carry=given.flag("carry") and after > 0,
        entrants=chosen,
    )
    return replace(state, phases=(*state.phases, phase))


def change_phase(state: State, given: Given, at: str, by: str) -> State:
    """``phase.changed`` {phase, plan, reason}: other house rules, formats or numbers; past rounds are recounted."""
    phase = phase_of(state, given)
    given.text("reason")
    plan = plan_from(given.group("plan"), phase.plan)
    if plan.rules.rounds < len(phase.rounds):
        raise DomainError("out-of-range", "plan.rules.rounds", low=len(phase.rounds), high=100)
    refuse_if(phase.rounds and plan.rules.ruleset != phase.plan.rules.ruleset, "ruleset-stays", "plan.rules.ruleset")
    refuse_if(phase.rounds and _online_mode(plan) != _online_mode(phase.plan), "online-stays", "plan.online")
    plan = replace(plan, rules=rules_for(plan))
    return put_phase(state, replace(phase, plan=plan, settings=settings_for(plan), promise=None))


def _online_mode(plan: Plan) -> tuple[bool, bool]:
    """Whether a phase is played online, and whether all tables play the same deals."""
    return plan.online is not None, plan.online is not None and plan.online.duplicate


def finish_phase(state: State, given: Given, at: str, by: str) -> State:
    """``phase.finished`` {phase, off?}: no more rounds follow (`off`: more do after all)."""
    phase = phase_of(state, given)
    refuse_if(phase.draft, "draft-open", "round", round=phase.draft)
    return put_phase(state, replace(phase, finished=not given.flag("off"), promise=None))


def drop_phase(state: State, given: Given, at: str, by: str) -> State:
    """``phase.dropped`` {phase}: the last phase was begun by mistake; it is removed, and its entrants are free again.

    Refused (``not-the-last-phase``, ``phase-used``) if another follows, or if something was ever drawn or decided in it.
    """
    phase = phase_of(state, given)
    refuse_if(phase.number != len(state.phases), "not-the-last-phase", "phase")
    used = phase.attempts or phase.number in state.penalty_phase.values() or phase.number in dict(state.lots)
    refuse_if(used, "phase-used", "phase")
    return replace(state, phases=state.phases[:-1])


def promise(state: State, given: Given, at: str, by: str) -> State:
    """``round.promised`` {phase, round, attempt, file, here}: the inputs of the next draw, with its commitment."""
    phase = phase_of(state, given)
    number = given.whole("round", 1, 100)
    refuse_if(number != len(phase.rounds) + 1, "out-of-order", "round", expected=len(phase.rounds) + 1)
    promised = Promise(number, given.whole("attempt", 1, 10_000), given.group("file").data, given.texts("here"))
    return put_phase(state, replace(phase, promise=promised))


def draw(state: State, given: Given, at: str, by: str) -> State:
    """``round.drawn`` {phase, round, attempt, file, tables: [[id, …], …], byes, hall}: the promised draw was made.

    The round is a draft that only the director sees until it is published.
    """
    phase = phase_of(state, given)
    number, attempt = given.whole("round", 1, 100), given.whole("attempt", 1, 10_000)
    promised = phase.promise and (phase.promise.round, phase.promise.attempt)
    refuse_if(promised != (number, attempt), "not-promised", "round", round=number)
    tables = given.rows("tables", most=1000)
    byes = given.texts("byes")
    everybody = [*(id for seats in tables for id in seats), *byes]
    known = {each.id for each in entrants_of(state, phase)}
    once = len(set(everybody)) == len(everybody)
    refuse_if(not once or not set(everybody) <= known or not tables, "bad-data", "tables")
    by_number = {index: table_from(state, phase, number, index, seats) for index, seats in enumerate(tables, 1)}
    for table in by_number.values():
        check_game(phase.plan, table)
    counted = 0 if phase.plan.method in PLANNED else number
    round = Round(phase.number, number, tables=by_number, byes=byes, draw=given.group("file").data)
    drawn = replace(
        phase,
        rounds=(*phase.rounds, round),
        promise=None,
        attempts={**phase.attempts, counted: attempt},
        hall=given.text("hall", "", most=200) if number == 1 or phase.plan.method not in PLANNED else phase.hall,
    )
    return put_phase(state, drawn)


def undo(state: State, given: Given, at: str, by: str) -> State:
    """``draw.undone`` {phase, round, reason, substitutes?}: remove the latest round.

    The draw stays visible among those that were undone. `substitutes`: those who were named for the round after it play in
    the one that is drawn again. Refused once something was written at its tables
    (``has-results``), or while a table has a game (``has-games``), which must be abandoned first.
    """
    phase = phase_of(state, given)
    reason = given.text("reason")
    round = require(phase.rounds[-1] if phase.rounds else None, "not-the-latest", "round")
    refuse_if(round.number != given.whole("round", 1, 100), "not-the-latest", "round")
    refuse_if(round.begun, "has-results", "round", round=round.number)
    refuse_if(any(table.game for table in round.tables.values()), "has-games", "round", round=round.number)
    kept: dict[str, Plain] = {"round": round.number, "file": dict(round.draw or {}), "reason": reason, "at": at}
    undone = replace(phase, rounds=phase.rounds[:-1], undone=(*phase.undone, kept), promise=None)
    state = left_before(put_phase(state, undone), (phase.number, round.number))
    return play_from(state, round, state.entrants) if given.flag("substitutes") else state


def arrange(state: State, given: Given, at: str, by: str) -> State:
    """``round.arranged`` {round, tables: [{number, seats}], byes, reason, substitutes?}: the director changes the tables by
    hand.

    Only the tables named are changed; one without seats is removed. `substitutes`: those who were named for a later round
    sit at the changed tables. Refused if something was written at one of them
    (``has-results``) or it has a game (``has-games``), and for ids that do not take part in the phase
    (``unknown-entrant``).
    """
    round = round_of(state, given)
    phase = state.phases[round.phase - 1]
    refuse_if(round.status == CLOSED, "round-closed", "round", round=round.number)
    reason = given.text("reason")
    tables = dict(round.tables)
    generation = round.generation
    known = {each.id for each in entrants_of(state, phase)}
    for each in given.groups("tables", most=600):
        number, seats = each.whole("number", 1, 1000), each.texts("seats", most=MOST_AT_A_TABLE)
        before = tables.get(number)
        if before is not None and before.seats != seats:
            refuse_if(before.touched, "has-results", "tables", table=number)
            refuse_if(before.game, "has-games", "tables", table=number)
        if not seats:
            tables.pop(number, None)
        elif before is None or before.seats != seats:
            _check_in_phase(seats, known)
            state = play_from(state, round, seats) if given.flag("substitutes") else state
            refuse_if(len(seats) < 2, "too-few-chosen", "tables", table=number)
            table = table_from(state, phase, round.number, number, seats)
            check_game(phase.plan, table)
            generation += 1
            tables[number] = replace(table, key=generation, changes=before.changes if before else ())
    byes = given.texts("byes") if given.has("byes") else round.byes
    seats_and_byes = Counter([*(id for each in tables.values() for id in each.seats), *byes])
    twice = [id for id, times in seats_and_byes.items() if times > 1]
    refuse_if(twice, "twice", "tables", id=min(twice, default=""))
    _check_in_phase(byes, known)
    by_hand = (*round.by_hand, reason)
    return put_round(state, replace(round, tables=tables, byes=byes, by_hand=by_hand, generation=generation))


def publish(state: State, given: Given, at: str, by: str) -> State:
    """``round.published`` {round, deadline?}: everybody sees where they sit, and the codes of the tables work.

    An online round has a `deadline` (a time with its zone) instead of a clock; a round in the hall has none
    (``in-the-hall``).
    """
    round = round_of(state, given)
    refuse_if(round.status != DRAFT, "is-out", "round", round=round.number)
    if state.phases[round.phase - 1].plan.online:
        return put_round(state, replace(round, status=OUT, deadline=given.moment("deadline")))
    refuse_if(given.has("deadline"), "in-the-hall", "deadline")
    return put_round(state, replace(round, status=OUT))


def close(state: State, given: Given, at: str, by: str) -> State:
    """``round.closed`` {round, off?}: from now on only the director can change its tables (`off`: open again).

    Refused (``tables-open``) while a table is not confirmed; a late one does not count as open.
    """
    round = round_of(state, given)
    refuse_if(round.status == DRAFT, "not-out", "round")
    if given.flag("off"):
        return put_round(state, replace(round, status=OUT))
    check_played(round)
    return put_round(state, replace(round, status=CLOSED, clock=replace(round.clock, running=False)))


def start_clock(state: State, given: Given, at: str, by: str) -> State:
    """``clock.set`` {round, act: start|pause|go-on|add|stop, minutes?}: control the clock of a round."""
    round = round_of(state, given)
    plan = state.phases[round.phase - 1].plan
    refuse_if(plan.online, "plays-online", "round")
    act = given.word("act", ("start", "pause", "go-on", "add", "stop"))
    now, clock = datetime.fromisoformat(at), round.clock
    left = int((datetime.fromisoformat(clock.ends) - now).total_seconds()) if clock.running else clock.left
    if act == "start":
        left = 60 * given.whole("minutes", 1, MOST_MINUTES, plan.minutes or 60)
    elif act == "pause":
        refuse_if(not clock.running, "clock-stands", "clock")
    elif act == "go-on":
        refuse_if(clock.running or not clock.left, "clock-runs", "clock")
    elif act == "add":
        left += 60 * given.whole("minutes", -MOST_MINUTES, MOST_MINUTES)
    runs = act in ("start", "go-on") or (act == "add" and clock.running)
    clock = _running(now, max(0, left), plan.last_deal) if runs else Clock(left=0 if act == "stop" else max(0, left))
    return put_round(state, replace(round, clock=clock))


def _running(now: datetime, left: int, last_deal: int) -> Clock:
    ends = now + timedelta(seconds=left)
    return Clock(
        ends=ends.isoformat(),
        last_deal=(ends - timedelta(minutes=last_deal)).isoformat() if last_deal else "",
        running=True,
    )


def round_of(state: State, given: Given) -> Round:
    """The round whose key the data names. Raises DomainError (``no-such-round``)."""
    return require(state.round(given.text("round", most=20)), "no-such-round", "round")


def _check_in_phase(ids: tuple[str, ...], known: set[str]) -> None:
    unknown = set(ids) - known
    refuse_if(unknown, "unknown-entrant", "tables", id=min(unknown, default=""))


MOST_BOARDS: Final = 100
HIGHEST_BOARD: Final = 10_000
LONGEST_GAME: Final = 40
POSTPONED: Final = "postponed"
FORFEITED: Final = "forfeited"


def set_deadline(state: State, given: Given, at: str, by: str) -> State:
    """``deadline.set`` {round, deadline, reason}: the director gives a round more time, or less."""
    round = round_of(state, given)
    _online(state, round)
    given.text("reason")
    check_out(round)
    return put_round(state, replace(round, deadline=given.moment("deadline")))


def lay_boards(state: State, given: Given, at: str, by: str) -> State:
    """``boards.laid`` {round, set, boards: [{number, commitment}]}: the commitments of the deals of a duplicate round.

    All its tables play these deals. Only once (``boards-already``), and before the first game begins (``has-games``).
    """
    round = round_of(state, given)
    refuse_if(not _online(state, round).duplicate, "not-duplicate", "round")
    refuse_if(round.boards, "boards-already", "round", round=round.number)
    refuse_if(round.status == CLOSED, "round-closed", "round", round=round.number)
    refuse_if(any(table.game for table in round.tables.values()), "has-games", "round", round=round.number)
    boards = tuple(
        Board(each.whole("number", 1, HIGHEST_BOARD), each.text("commitment", most=200))
        for each in given.groups("boards", most=MOST_BOARDS)
    )
    refuse_if(not boards, "missing", "boards")
    refuse_if(len({each.number for each in boards}) != len(boards), "twice", "boards")
    ordered = tuple(sorted(boards, key=lambda each: each.number))
    return put_round(state, replace(round, boards=ordered, board_set=given.text("set", most=100)))


def begin(state: State, given: Given, at: str, by: str) -> State:
    """``table.begun`` {table, game, turn}: a game was created for this table; the place `turn` deals first.

    Only once (``begun-already``), unless the game was abandoned; not for a table that is decided
    (``corrected-already``).
    """
    round, table = table_of(state, given)
    online = _online(state, round)
    game = given.text("game", most=LONGEST_GAME)
    turn = given.whole("turn", 0, len(table.people) - 1)
    if not table.late:
        check_out(round)
    refuse_if(table.game, "begun-already", "table")
    refuse_if(table.state != PLAYING, "corrected-already", "table")
    refuse_if(online.duplicate and not round.boards, "no-boards", "round", round=round.number)
    rounds = (round for phase in state.phases for round in phase.rounds)
    games = {other.game for each in rounds for other in each.tables.values()}
    refuse_if(game in games, "twice", "game")
    return put_table(state, round, replace(table, game=game, turn=turn))


def abandon(state: State, given: Given, at: str, by: str) -> State:
    """``table.abandoned`` {table, reason, substitutes?}: the game of a table does not count, and another may be created.

    `substitutes`: those who took over seats in it have them in the other, too.

    Refused without a game (``not-begun``) and once the table has a result (``has-results``).
    """
    round, table = table_of(state, given)
    _online(state, round)
    reason = given.text("reason")
    refuse_if(not table.game, "not-begun", "table")
    refuse_if(table.lines, "has-results", "table")
    change = Change(at, by, reason, (), ABANDONED, table.game)
    people = table.people
    if given.flag("substitutes"):
        people, state = state.sitting(table), play_from(state, round, table.owners)
    return put_table(state, round, replace(table, people=people, game="", turn=0, changes=(*table.changes, change)))


def report(state: State, given: Given, at: str, by: str) -> State:
    """``table.reported`` {table, game, lines: [{deal, scores}], short?}: the result of a game that is over.

    It counts at once, even in a closed round. Refused if the game is not, or no longer, that of the table
    (``another-game``), and after the director or a forfeit has decided the table (``corrected-already``). If there are
    fewer deals than agreed, `short` must say that this is intended.
    """
    round, table = table_of(state, given)
    _online(state, round)
    game = given.text("game", most=LONGEST_GAME)
    refuse_if(table.game != game, "another-game", "game")
    refuse_if(table.state != PLAYING or table.touched, "corrected-already", "table")
    lines = lines_from(given, table, DESK)
    refuse_if(not lines, "empty-sheet", "lines")
    written = check_lines(state.phases[round.phase - 1], table, lines, False)
    short = check_complete(given, table, written)
    return put_table(state, round, replace(table, lines=lines, state=CONFIRMED, confirmed_by=by, short=short))


def overdue(state: State, given: Given, at: str, by: str) -> State:
    """``table.overdue`` {table, how: postponed|forfeited, who: [entrants]}: the deadline of a table has passed.

    * ``postponed``: the table holds up neither the next draw nor the end of the round; its result counts when it comes.
      This cancels a forfeit.
    * ``forfeited``: the table counts as decided without lines, lost for `who`, its entrants who kept it waiting.

    Refused if there is a result (``has-results``), if it is postponed already (``late-already``), or if `who` sits
    elsewhere (``not-at-this-table``) or is of the house (``is-house``).
    """
    round, table = table_of(state, given)
    _online(state, round)
    how = given.word("how", (POSTPONED, FORFEITED))
    who = tuple(dict.fromkeys(given.texts("who", most=len(table.seats))))
    refuse_if(round.status == DRAFT, "not-out", "round", round=round.number)
    refuse_if(table.lines, "has-results", "table")
    refuse_if(not set(who) <= set(table.seats), "not-at-this-table", "who")
    refuse_if(any(state.entrants[id].house for id in who), "is-house", "who")
    if how == POSTPONED:
        refuse_if(table.late and not table.forfeit, "late-already", "table")
        return put_table(state, round, replace(table, late=True, forfeit=(), state=PLAYING, confirmed_by=""))
    refuse_if(not who, "missing", "who")
    return put_table(state, round, replace(table, forfeit=who, state=CONFIRMED, confirmed_by=by))


def _online(state: State, round: Round) -> Online:
    return require(state.phases[round.phase - 1].plan.online, "in-the-hall", "round")
