"""Who plays online: the accounts of a tournament's people, substitutes, seats that are given up, and late entries."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from typing import Final

from accounts.models import Player
from clubs import naming
from clubs.models import Member
from domain.seating.seat import PLANNED
from domain.tournament.drawing import can_sit, entrants_of
from domain.tournament.registering import COMPUTER, computer_number
from domain.tournament.state import CONFIRMED, EXPECTED, HERE, Phase, Round, State, Table
from games.exceptions import GameEnded, MayNotMeet, MetAlready, NotNow
from games.models import Game, Seat
from games.services import computers, seats
from tournaments.exceptions import OnlineError
from tournaments.models import OnlineTable, Tournament


def players_of(people: Iterable[str]) -> dict[str, Player]:
    """The accounts of those people (public ids of entries in a club's list) who can sit at a table. One query."""
    rows = Member.objects.filter(public_id__in=set(people), player__isnull=False)
    players = {row.public_id: row.player.current for row in rows.select_related("player__merged_into") if row.player}
    return {person: player for person, player in players.items() if can_play(player)}


def can_play(player: Player) -> bool:
    """Whether the player has an account that is still active."""
    return player.is_member and player.retired_at is None


def without_account(people: Iterable[str]) -> tuple[Member, ...]:
    """The entries of the people who have no account, in order. Computer players of the site need none."""
    humans = [person for person in dict.fromkeys(people) if not person.startswith(COMPUTER)]
    players = players_of(humans)
    missing = [person for person in humans if person not in players]
    rows = {row.public_id: row for row in Member.objects.filter(public_id__in=missing)}
    return tuple(rows[person] for person in missing if person in rows)


def missing_accounts(state: State, phase: Phase | None, tournament: Tournament) -> tuple[Member, ...]:
    """The people without an account among those to be seated next in `phase` (None: among all who entered)."""
    del tournament  # people are found in whichever club's list they are
    if phase is None:
        entered = [each for each in state.entrants.values() if each.status in (HERE, EXPECTED) and not each.house]
        return without_account(person for each in entered for person in each.people(1, 1))
    number = len(phase.rounds) + 1
    sitting = [each for each in entrants_of(state, phase) if not each.house and can_sit(each, phase, number)]
    return without_account(person for each in sitting for person in each.people(phase.number, number))


def missing_at(round: Round) -> tuple[Member, ...]:
    """The people without an account who have a place at a table of this round."""
    return without_account(person for _, table in sorted(round.tables.items()) for person in table.people)


def named(members: Sequence[Member]) -> str:
    """The names of these members, in full, for the director."""
    return ", ".join(naming.full_name(member) for member in members)


def seated(table: Table) -> list[Player]:
    """The players at a table, place by place.

    Computer players of the tournament become those of the site that have their names; others sit for people whose
    account is gone.
    """
    players = players_of(table.people)
    computer_players = computers.computer_players(len(computers.NAMES))
    seated_players: dict[int, Player] = {}
    for place, person in enumerate(table.people):
        number = computer_number(person)
        player = computer_players[(number - 1) % len(computer_players)] if number else players.get(person)
        if player is not None and player not in seated_players.values():
            seated_players[place] = player
    free = (each for each in computer_players if each not in seated_players.values())
    return [seated_players.get(place) or next(free) for place in range(len(table.people))]


def plays_online(state: State) -> bool:
    """Whether the current part, or the next one, is played online."""
    phase = state.current
    plan = state.plan if phase is None or phase.finished else phase.plan
    return plan.online is not None


def check_may_sit(game: Game, player: Player) -> None:
    """Check that a player may take over a free seat in a tournament's game.

    They need an account and must not play at another table of the round. Only reads; called with the lock on the game's
    row. Raises ``account-needed``, ``plays-in-this-round``.
    """
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
    """Raise NotNow for a tournament's game: players finish it, or the director ends it."""
    if OnlineTable.objects.filter(game=game).exists():
        raise NotNow


def seat_substitute(state: State, entrant: str, old: str, new: str, by: Player | None, now: datetime) -> None:
    """Seat `new` in every running game in which `old` has a place for this entrant.

    Expects the lock on the tournament's row; takes those of the games. Raises ``cannot-take-seat``, ``suspended``.
    """
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
    """Give up the seats of an entrant who leaves, in all their running games, except those that others have taken over.

    Depending on the pace, a substitute is looked for or a computer player acts. Expects the lock on the tournament's
    row; takes those of the games.
    """
    leaving = state.entrants[entrant]
    own = set(players_of(leaving.playing_for(member)[0] for member in leaving.members).values())
    for game, seat in _games_of(state, entrant):
        if game.seats.select_related("player__merged_into").get(number=seat).player.current in own:
            seats.give_up(game.pk, seat, now=now)


def _plays_elsewhere(game: Game, player: Player) -> bool:
    try:
        check_may_sit(game, player)
    except OnlineError:
        return True
    return False


def _games_of(state: State, entrant: str, person: str = "") -> Iterator[tuple[Game, int]]:
    """The running games of an entrant, in order, with their seats there (those where `person` sits, if given)."""
    places: dict[str, list[int]] = {}
    for phase in state.phases:
        for round in phase.rounds:
            for table in round.tables.values():
                if not table.game or table.state == CONFIRMED:
                    continue
                for place, (owner, who) in enumerate(zip(table.owners, state.sitting(table), strict=True)):
                    if owner == entrant and person in ("", who):
                        places.setdefault(table.game, []).append(place)
    for game in Game.objects.filter(public_id__in=places, status=Game.Status.PLAYING).order_by("pk"):
        for place in places[game.public_id]:
            yield game, place


_NO_LATECOMERS: Final = frozenset({*PLANNED, "knock-out"})
"""Ways of seating without latecomers: those with one plan for all rounds, and the knock-out."""


def is_open(state: State) -> bool:
    """Whether people can enter themselves now: before the first draw, and later if latecomers are possible."""
    if state.closed:
        return False
    if not plays_online(state):
        return not state.phases
    drawn = any(phase.rounds or phase.promise for phase in state.phases)
    return not drawn or takes_latecomers(state)


def takes_latecomers(state: State) -> bool:
    """Whether people can still enter between rounds of an online phase.

    The house rules have to give a score for missed rounds, the phase must be open to everybody, and it must draw each
    round separately.
    """
    phase = state.current
    if phase is None or phase.finished or phase.plan.online is None or phase.entrants is not None:
        return False
    late = phase.plan.rules.late
    gives = late.method != "fixed" or late.points > 0 or late.match > 0
    return gives and phase.plan.method not in _NO_LATECOMERS and len(phase.rounds) < phase.plan.rules.rounds
