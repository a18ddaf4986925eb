"""Events of registration: entering, arriving, leaving, substitutes and pairs."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Final

from domain.errors import refuse_if, require
from domain.tournament.drawing import can_sit, entrants_of
from domain.tournament.payload import Given
from domain.tournament.state import (
    CLOSED,
    EXPECTED,
    GONE,
    HERE,
    MERGED,
    PAIR,
    SINGLE,
    WITHDRAWN,
    Entrant,
    Phase,
    Round,
    State,
    Substitution,
    put_table,
)

MOST_ENTRANTS: Final = 2_000
MOST_FEE: Final = 1_000_000
MOST_GROUPS: Final = 10
MOST_TABLES: Final = 1_000
MOST_HOUSE: Final = 7
"""More would make a whole table of computer players: no usual table is larger than eight."""
COMPUTER: Final = "computer:"
"""The prefix of the ids of the house's computer players; a number follows."""


def next_id(state: State) -> str:
    return f"e{len(state.entrants) + 1}"


def computer_number(person: str) -> int:
    """The number of the house's computer player with this id, from 1; 0 for everybody else."""
    number = person.removeprefix(COMPUTER)
    return int(number) if number != person and number.isdecimal() else 0


def entrant_of(state: State, id: str) -> Entrant:
    """An entrant by id. Raises DomainError (``unknown-entrant``), also for one who was merged into another pair."""
    entrant = require(state.entrants.get(id), "unknown-entrant", "id", id=id)
    refuse_if(entrant.status == MERGED, "unknown-entrant", "id", id=id)
    return entrant


def human_entrant(state: State, id: str) -> Entrant:
    """An entrant by id who is not of the house. Raises DomainError (``unknown-entrant``, ``is-house``)."""
    entrant = entrant_of(state, id)
    refuse_if(entrant.house, "is-house", "id", id=id)
    return entrant


def needs_partner(state: State, entrant: Entrant) -> bool:
    """Whether this is a single person in a tournament of pairs, who is expected or here."""
    alone = state.plan.kind == PAIR and len(entrant.members) == 1 and not entrant.house
    return alone and entrant.status in (HERE, EXPECTED)


def next_round(state: State) -> tuple[int, int]:
    """(phase, round) of the next draw, in which somebody who comes now will be seated."""
    phase = state.current
    if phase is None:
        return (1, 1)
    if phase.finished:
        return (phase.number + 1, 1)
    return (phase.number, len(phase.rounds) + 1)


def seat_now(state: State, id: str) -> tuple[Round, int] | None:
    """The latest round that seated the entrant, and the number of the table (0 if they sat out); None if none did."""
    for phase in reversed(state.phases):
        for round in reversed(phase.rounds):
            for number, table in round.tables.items():
                if id in table.seats:
                    return (round, number)
            if id in round.byes:
                return (round, 0)
    return None


def add(state: State, given: Given, at: str, by: str) -> State:
    """``entrant.added`` {members, groups, categories, seed, fee, here, by_phone}: a new entrant; `here` for a walk-in.

    People who enter by phone at the entrance are expected until somebody has seen them.
    """
    members = given.texts("members", most=2)
    refuse_if(not members, "missing", "members")
    refuse_if(state.plan.kind == SINGLE and len(members) != 1, "one-person", "members")
    refuse_if(len(set(members)) != len(members), "twice", "members")
    _check_no_computers(members, "members")
    _check_not_twice(state, members)
    entrant = Entrant(
        id=next_id(state),
        members=members,
        groups=given.texts("groups", most=MOST_GROUPS),
        categories=given.texts("categories", most=MOST_GROUPS),
        seed=given.whole("seed", 0, MOST_ENTRANTS, 0),
        fee=given.whole("fee", 0, MOST_FEE, state.fee * len(members)),
        by_phone=given.flag("by_phone") and not given.flag("here"),
    )
    refuse_if(len(state.entrants) >= MOST_ENTRANTS, "too-many", "entrants", most=MOST_ENTRANTS)
    if given.flag("here"):
        entrant = replace(entrant, status=HERE, came=next_round(state))
    return _put(state, entrant)


def change(state: State, given: Given, at: str, by: str) -> State:
    """``entrant.changed`` {id, groups?, categories?, seed?, fee?, table?}: change the fields that are given.

    Refused (``table-kept``) if somebody else keeps that table.
    """
    entrant = human_entrant(state, given.text("id"))
    table = given.whole("table", 0, MOST_TABLES, entrant.table)
    refuse_if(table != entrant.table and _is_kept(state, table, but=entrant.id), "table-kept", "table", table=table)
    changed = replace(
        entrant,
        groups=given.texts("groups", most=MOST_GROUPS) if given.has("groups") else entrant.groups,
        categories=given.texts("categories", most=MOST_GROUPS) if given.has("categories") else entrant.categories,
        seed=given.whole("seed", 0, MOST_ENTRANTS, entrant.seed),
        fee=given.whole("fee", 0, MOST_FEE, entrant.fee),
        table=table,
    )
    return _put(state, changed)


def arrive(state: State, given: Given, at: str, by: str) -> State:
    """``entrant.arrived`` {id}: the entrant is here, for the first time or again. No effect if they are here already.

    They do not keep a table that somebody else keeps by now. Refused (``entered-already``) for somebody who has entered a
    second time since, or plays for somebody else.
    """
    entrant = human_entrant(state, given.text("id"))
    if entrant.status == HERE:
        return state
    _check_not_twice(state, entrant.people(*next_round(state)), but=entrant.id)
    came = entrant.came or next_round(state)
    return _put_again(state, replace(entrant, status=HERE, came=came, left=None, by_phone=False))


def not_arrive(state: State, given: Given, at: str, by: str) -> State:
    """``entrant.not-arrived`` {id}: the arrival was a mistake.

    Refused (``has-played``) once they were seated in a round.
    """
    entrant = human_entrant(state, given.text("id"))
    refuse_if(seat_now(state, entrant.id), "has-played", "id", id=entrant.id)
    _check_not_twice(state, entrant.people(*next_round(state)), but=entrant.id)
    return _put_again(state, replace(entrant, status=EXPECTED, came=None, left=None))


def leave(state: State, given: Given, at: str, by: str) -> State:
    """``entrant.left`` {id}: the entrant goes home after the latest round that seated them. Results stay."""
    entrant = human_entrant(state, given.text("id"))
    refuse_if(entrant.status != HERE, "not-here", "id", id=entrant.id)
    seat = seat_now(state, entrant.id)
    if seat is None:
        return _put(state, replace(entrant, status=WITHDRAWN, came=None))
    round, _ = seat
    return _put(state, replace(entrant, status=GONE, left=(round.phase, round.number)))


def left_before(state: State, draw: tuple[int, int]) -> State:
    """The state once a draw is undone: entrants who left after that round left after the last round they played."""
    for entrant in [each for each in state.entrants.values() if each.status == GONE and each.left == draw]:
        seat = seat_now(state, entrant.id)
        if entrant.house:
            state = _put(state, replace(entrant, left=_last_round(state, entrant.id)))
        elif seat is None:
            state = _put(state, replace(entrant, status=WITHDRAWN, came=None, left=None))
        else:
            state = _put(state, replace(entrant, left=(seat[0].phase, seat[0].number)))
    return state


def withdraw(state: State, given: Given, at: str, by: str) -> State:
    """``entrant.withdrawn`` {id}: the entrant will not come.

    Refused (``has-played``) once they were seated in a round.
    """
    entrant = human_entrant(state, given.text("id"))
    refuse_if(seat_now(state, entrant.id), "has-played", "id", id=entrant.id)
    return _put(state, replace(entrant, status=WITHDRAWN, came=None, left=None))


def pause(state: State, given: Given, at: str, by: str) -> State:
    """``entrant.paused`` {id, round?, off?}: sit out the next draw by wish, which is not a bye; `off` cancels it."""
    entrant = human_entrant(state, given.text("id"))
    key = given.text("round", "{}.{}".format(*next_round(state)))
    refuse_if(state.round(key), "already-drawn", "round", round=key)
    pauses = entrant.pauses - {key} if given.flag("off") else entrant.pauses | {key}
    return _put(state, replace(entrant, pauses=pauses))


def substitute(state: State, given: Given, at: str, by: str) -> State:
    """``entrant.substituted`` {id, old, new}: `new` plays in place of `old`; the result stays the entrant's.

    From the round that is played now, if nothing has been written at their table and it has no game yet; else from the
    next.
    """
    entrant = human_entrant(state, given.text("id"))
    old, new = given.text("old"), given.text("new")
    _check_no_computers((new,), "new")
    round, place = seat_now(state, entrant.id) or (None, 0)
    table = round.tables[place] if round and round.status != CLOSED and place else None
    if table and (table.lines or table.game):
        table = None
    phase, number = (round.phase, round.number) if round and table else next_round(state)
    refuse_if(old not in entrant.people(phase, number), "not-a-member", "old", id=entrant.id)
    refuse_if(new in _playing(state, phase, number), "plays-already", "new")
    entrant = replace(entrant, substitutions=(*entrant.substitutions, Substitution(old, new, phase, number)))
    state = _put(state, entrant)
    if not round or not table:
        return state
    people = tuple(new if person == old else person for person in table.people)
    return put_table(state, round, replace(table, people=people))


def play_from(state: State, round: Round, ids: Iterable[str]) -> State:
    """The state in which substitutes of these entrants who were named for a later round of the phase play from this one on."""
    for id in ids:
        entrant = state.entrants[id]
        substitutions = tuple(
            replace(each, round=min(each.round, round.number)) if each.phase == round.phase else each
            for each in entrant.substitutions
        )
        if substitutions != entrant.substitutions:
            state = _put(state, replace(entrant, substitutions=substitutions))
    return state


def make_pairs(state: State, given: Given, at: str, by: str) -> State:
    """``pairs.made`` {pairs: [[id, id], …], attempt?, substitutes?}: single entrants become pairs, under the id named first.

    `attempt` is given if they were drawn: the number in the seed (`domain.tournament.drawing.pairs_seed`).
    `substitutes`: whoever plays for the second of two still does.
    """
    refuse_if(state.plan.kind == SINGLE, "one-person", "pairs")
    for pair in given.pairs("pairs"):
        one, two = (human_entrant(state, id) for id in pair)
        for each in (one, two):
            single = len(each.members) == 1 and each.status in (HERE, EXPECTED) and not seat_now(state, each.id)
            refuse_if(not single, "not-single", "pairs", id=each.id)
        refuse_if(one.id == two.id, "not-single", "pairs", id=one.id)
        here = one.status == HERE and two.status == HERE
        joined = replace(
            one,
            members=one.members + two.members,
            groups=tuple(sorted({*one.groups, *two.groups})),
            categories=tuple(sorted({*one.categories} & {*two.categories})),
            fee=one.fee + two.fee,
            status=HERE if here else EXPECTED,
            came=max(one.came, two.came) if here and one.came and two.came else None,
            alone=one,
            table=one.table or two.table,
            substitutions=one.substitutions + (two.substitutions if given.flag("substitutes") else ()),
        )
        state = _put(_put(state, joined), replace(two, status=MERGED, merged_into=one.id, members=()))
    return state


def part(state: State, given: Given, at: str, by: str) -> State:
    """``pair.parted`` {id, substitutes?}: a pair that was made becomes two single entrants again, if it has not been seated yet.

    `substitutes`: whoever plays for the second of them still does.
    """
    entrant = human_entrant(state, given.text("id"))
    others = [each for each in state.entrants.values() if each.merged_into == entrant.id]
    refuse_if(not others or seat_now(state, entrant.id), "not-a-made-pair", "id", id=entrant.id)
    other = others[0]
    first, second = entrant.members
    own = entrant.alone or entrant
    for_second = _playing_for(entrant, second) if given.flag("substitutes") else ()
    single = replace(
        entrant,
        members=(first,),
        fee=max(0, entrant.fee - other.fee),
        groups=own.groups,
        categories=own.categories,
        table=own.table,
        alone=None,
        substitutions=tuple(each for each in entrant.substitutions if each not in for_second),
    )
    other = replace(other, members=(second,), merged_into="", status=entrant.status, came=entrant.came)
    if given.flag("substitutes"):
        other = replace(other, substitutions=for_second)
    return _put_again(_put_again(state, single), other)


def _playing_for(entrant: Entrant, person: str) -> tuple[Substitution, ...]:
    """The substitutions for one member of an entrant, also of their substitutes in turn."""
    chain, people = [], {person}
    for each in entrant.substitutions:
        if each.old in people:
            people.add(each.new)
            chain.append(each)
    return tuple(chain)


def keep_apart(state: State, given: Given, at: str, by: str) -> State:
    """``apart.set`` {pairs: [[id, id], …]}: all pairs that the organiser wants at different tables."""
    pairs = ([human_entrant(state, id).id for id in pair] for pair in given.pairs("pairs", most=500))
    return replace(state, apart=tuple(sorted({(min(pair), max(pair)) for pair in pairs})))


def fill(state: State, given: Given, at: str, by: str) -> State:
    """``house.filled`` {count}: from the next draw on, `count` entrants of the house are here, the first ones first.

    Missing ones are made (members ``computer:1``, …; two for a pair); the others leave and are not in the next draws.
    Refused (``in-the-hall``) if the next round is not played online.
    """
    count = given.whole("count", 0, MOST_HOUSE)
    coming = [phase.plan for phase in state.phases if not phase.finished] or [state.plan]
    refuse_if(count and not any(plan.online for plan in coming), "in-the-hall", "count")
    house = [each for each in state.entrants.values() if each.house]
    for each in house[:count]:
        if each.status != HERE:
            state = _put(state, replace(each, status=HERE, left=None))
    for each in house[count:]:
        if each.status == HERE:
            state = _put(state, replace(each, status=GONE, left=_last_round(state, each.id)))
    size = 1 if state.plan.kind == SINGLE else 2
    for index in range(len(house), count):
        refuse_if(len(state.entrants) >= MOST_ENTRANTS, "too-many", "entrants", most=MOST_ENTRANTS)
        members = tuple(f"{COMPUTER}{size * index + number}" for number in range(1, size + 1))
        state = _put(state, Entrant(next_id(state), members, status=HERE, came=next_round(state), house=True))
    return state


def house_needed(state: State, phase: Phase) -> int:
    """The number of entrants of the house (see ``house.filled``) with which all sit at tables of the usual size.

    For the next round of a phase; 0 if the plan does not fill up tables. A knock-out keeps those of its first round.
    """
    if phase.plan.online is None or not phase.plan.online.fill:
        return 0
    house = [each.id for each in state.entrants.values() if each.house]
    if phase.plan.method == "knock-out" and phase.rounds:
        first = phase.rounds[0].seated
        return max((number for number, id in enumerate(house, 1) if id in first), default=0)
    number = len(phase.rounds) + 1
    people = sum(not each.house and can_sit(each, phase, number) for each in entrants_of(state, phase))
    return -people % phase.settings.shapes[0].size


def _check_no_computers(people: tuple[str, ...], field: str) -> None:
    refuse_if(any(person.startswith(COMPUTER) for person in people), "is-house", field)


def _last_round(state: State, id: str) -> tuple[int, int]:
    """The last round for which an entrant of the house was here: the one that seated it, or the one before the next."""
    seat = seat_now(state, id)
    phase, number = next_round(state)
    return (seat[0].phase, seat[0].number) if seat else (phase, number - 1)


def _check_not_twice(state: State, people: tuple[str, ...], but: str = "") -> None:
    others = [each for each in state.entrants.values() if each.id != but and each.status != WITHDRAWN]
    taken = {person for each in others for person in each.members}
    taken |= _playing(state, *next_round(state), but=but)  # substitutes have a place already, too
    for person in people:
        refuse_if(person in taken, "entered-already", "members", person=person)


def _playing(state: State, phase: int, round: int, but: str = "") -> set[str]:
    entrants = [each for each in state.entrants.values() if each.status in (HERE, EXPECTED) and each.id != but]
    return {person for each in entrants for person in each.people(phase, round)}


def _is_kept(state: State, table: int, but: str) -> bool:
    """Whether an entrant other than `but`, who is here or expected, keeps this table (0: none)."""
    others = (each for each in state.entrants.values() if each.status in (HERE, EXPECTED) and each.id != but)
    return table > 0 and any(each.table == table for each in others)


def _put_again(state: State, entrant: Entrant) -> State:
    """Put in an entrant who comes again; without their table if somebody else keeps it by now."""
    table = 0 if _is_kept(state, entrant.table, but=entrant.id) else entrant.table
    return _put(state, replace(entrant, table=table))


def _put(state: State, entrant: Entrant) -> State:
    return replace(state, entrants={**state.entrants, entrant.id: entrant})
