"""Who sits at the tables of an online round: accounts of this site behind the persons of a tournament."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from accounts.models import Player
from clubs.evening.door import COMPUTER
from clubs.evening.drawing import can_sit, entrants_of
from clubs.evening.state import EXPECTED, HERE, Phase, Round, State, Table
from clubs.room import naming
from clubs.room_models import Member
from clubs.tournament_models import Tournament
from games import computers


def players_of(people: Iterable[str]) -> dict[str, Player]:
    """The accounts of persons (public ids of entries in a club's list) who can sit at a table. One query."""
    rows = Member.objects.filter(public_id__in=set(people), player__isnull=False)
    found = {row.public_id: row.player.current for row in rows.select_related("player__merged_into") if row.player}
    return {person: player for person, player in found.items() if can_play(player)}


def can_play(player: Player) -> bool:
    """Whether somebody has an account here, and still has it."""
    return player.is_member and player.retired_at is None


def without(people: Iterable[str]) -> tuple[Member, ...]:
    """The entries of those persons who have no account, in their order; computer players of the house's need none."""
    wanted = [person for person in dict.fromkeys(people) if not person.startswith(COMPUTER)]
    known = players_of(wanted)
    missing = [person for person in wanted if person not in known]
    rows = {row.public_id: row for row in Member.objects.filter(public_id__in=missing)}
    return tuple(rows[person] for person in missing if person in rows)


def missing(state: State, phase: Phase | None, tournament: Tournament) -> tuple[Member, ...]:
    """Who is to be seated in the next round of `phase` (None: has entered, before the first one) and has no account."""
    del tournament  # persons are found wherever their entry stands
    if phase is None:
        chosen = [each for each in state.entrants.values() if each.status in (HERE, EXPECTED) and not each.house]
        return without(person for each in chosen for person in each.people(1, 1))
    number = len(phase.rounds) + 1
    sitting = [each for each in entrants_of(state, phase) if not each.house and can_sit(each, phase, number)]
    return without(person for each in sitting for person in each.people(phase.number, number))


def missing_at(round: Round) -> tuple[Member, ...]:
    """Who has a place at a table of this round and no account."""
    return without(person for _, table in sorted(round.tables.items()) for person in table.people)


def named(members: Sequence[Member]) -> str:
    """Their names for the desk, which keeps the list."""
    return ", ".join(naming.full_name(member) for member in members)


def seated(table: Table) -> list[Player]:
    """Who sits down at a table, place by place.

    Computer players of the house's are those of the site; so is whoever sits for a person whose account has gone since.
    """
    known = players_of(table.people)
    free = computers.computer_players(len(computers.NAMES))
    found: list[Player | None] = [known.get(person) for person in table.people]
    sitting: set[int] = set()
    for place, player in enumerate(found):
        if player is not None and player.pk in sitting:
            found[place] = None
        elif player is not None:
            sitting.add(player.pk)
    for place, person in enumerate(table.people):
        if found[place] is None:
            wanted = free[(_number_of(person) - 1) % len(free)]
            chosen = next(each for each in (wanted, *free) if each.pk not in sitting)
            sitting.add(chosen.pk)
            found[place] = chosen
    return [player for player in found if player is not None]


def _number_of(person: str) -> int:
    number = person.removeprefix(COMPUTER)
    return int(number) if number.isdecimal() else 1
