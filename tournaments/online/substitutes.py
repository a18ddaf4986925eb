"""Who plays online: entering, the accounts behind the persons of a tournament, substitutes, and seats that are given up."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from typing import Final

from accounts.models import Player
from clubs import naming
from clubs.models import Member
from domain.seating.seat import PLANNED
from domain.tournament.drawing import can_sit, entrants_of
from domain.tournament.registering import COMPUTER
from domain.tournament.state import CONFIRMED, EXPECTED, HERE, Phase, Round, State, Table
from games.exceptions import GameEnded, MayNotMeet, MetAlready, NotNow
from games.models import Game, Seat
from games.services import computers, seats
from tournaments.exceptions import OnlineError
from tournaments.models import OnlineTable, Tournament


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
    """Their names for the director, who keeps the list."""
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


def plays_online(state: State) -> bool:
    """Whether what is played now, or comes next, is online."""
    phase = state.current
    plan = state.plan if phase is None or phase.finished else phase.plan
    return plan.online is not None


def check_may_sit(game: Game, player: Player) -> None:
    """Who takes over a seat that is free in a tournament's game: somebody with an account who plays at no other table of this
    round. Reads only; called with the lock on the game's row. Raises ``account-needed``, ``plays-in-this-round``."""
    row = OnlineTable.objects.filter(game=game).first()
    if row is None:
        return
    if not can_play(player.current):
        raise OnlineError("account-needed")
    round = f"{row.key.rpartition('.')[0]}."
    others = OnlineTable.objects.filter(tournament=row.tournament_id, key__startswith=round).exclude(pk=row.pk)
    person = player.current
    sitting = Seat.objects.filter(game__in=others.filter(game__isnull=False).values("game"))
    if sitting.filter(player=person).exists() or sitting.filter(player__merged_into=person).exists():
        raise OnlineError("plays-in-this-round")


def check_may_end(game: Game) -> None:
    """A tournament's game is played to its end, or ended by its director. Raises NotNow."""
    if OnlineTable.objects.filter(game=game).exists():
        raise NotNow


def take_over(state: State, entrant: str, old: str, new: str, by: Player | None, now: datetime) -> None:
    """In every game that goes on where the place of `old` is this entrant's, `new` sits from now on. Expects the lock on the
    tournament's row; takes those of the games. Raises ``cannot-take-seat``, ``suspended``."""
    player = players_of([new]).get(new)
    for game, seat in _games_of(state, entrant, old):
        if player is None or _plays_elsewhere(game, player):
            raise OnlineError("cannot-take-seat")
        if game.seats.filter(number=seat, player=player).exists():
            continue
        try:
            seats.appoint(game.pk, seat, player, by=by, now=now)
        except (MetAlready, MayNotMeet, NotNow):
            raise OnlineError("cannot-take-seat") from None
        except GameEnded:
            continue


def give_up(state: State, entrant: str, now: datetime) -> None:
    """An entrant goes: in their games that go on, a substitute is looked for or a computer player acts, as their pace says.
    Expects the lock on the tournament's row; takes those of the games."""
    for game, seat in _games_of(state, entrant):
        seats.give_up(game.pk, seat, now=now)


def _plays_elsewhere(game: Game, player: Player) -> bool:
    try:
        check_may_sit(game, player)
    except OnlineError:
        return True
    return False


def _games_of(state: State, entrant: str, person: str = "") -> Iterator[tuple[Game, int]]:
    """The games of an entrant that go on, in order, with the seats of theirs (of `person`, if one is named).

    Substitutions do not change who is written at a table with a game: a place of `person` is found by whom it was laid for.
    """
    found: dict[str, list[int]] = {}
    for phase in state.phases:
        for round in phase.rounds:
            for table in round.tables.values():
                if not table.game or table.state == CONFIRMED:
                    continue
                for place, owner in enumerate(table.owners):
                    if owner == entrant and (not person or person in _stand(state, entrant, table.people[place])):
                        found.setdefault(table.game, []).append(place)
    for game in Game.objects.filter(public_id__in=found, status=Game.Status.PLAYING).order_by("pk"):
        for place in found[game.public_id]:
            yield game, place


def _stand(state: State, entrant: str, person: str) -> set[str]:
    """Everybody who has come to play for a person of an entrant, one after the other."""
    known = {person}
    for each in state.entrants[entrant].substitutions:
        if each.old in known:
            known.add(each.new)
    return known


_NO_LATECOMERS: Final = frozenset({*PLANNED, "knock-out"})
"""Ways of seating in which nobody can come in later: one plan for all rounds, or who loses is out."""


def is_open(state: State) -> bool:
    """Whether rounds allow that somebody enters by themselves: before the first draw, and later where latecomers may."""
    if state.closed:
        return False
    if not plays_online(state):
        return not state.phases
    drawn = any(phase.rounds or phase.promise for phase in state.phases)
    return not drawn or takes_latecomers(state)


def takes_latecomers(state: State) -> bool:
    """Whether somebody may still come in between rounds: the house rules give a score for rounds they have missed, the phase
    is for all who come, and it seats anew for each round."""
    phase = state.current
    if phase is None or phase.finished or phase.plan.online is None or phase.entrants is not None:
        return False
    late = phase.plan.rules.late
    gives = late.method != "fixed" or late.points > 0 or late.match > 0
    return gives and phase.plan.method not in _NO_LATECOMERS and len(phase.rounds) < phase.plan.rules.rounds
