"""Who plays for whom in games that go on: substitutes that are sought, named by a director, and seats that are given up."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from datetime import datetime

from accounts.models import Player
from clubs.evening.state import CONFIRMED, State
from clubs.online import accounts
from clubs.online.refusals import AccountNeeded, CannotTakeSeat, PlaysInThisRound
from clubs.online_models import OnlineTable
from clubs.room_models import Member
from clubs.tournament_models import Tournament
from clubs.tournaments import door
from clubs.tournaments.actors import Actor
from clubs.tournaments.door import Receipt
from games import directing
from games.models import Game, Seat
from games.refusals import GameEnded, MayNotMeet, MetAlready, NotNow


def plays_online(state: State) -> bool:
    """Whether what is played now, or comes next, is online."""
    phase = state.current
    plan = state.plan if phase is None or phase.finished else phase.plan
    return plan.online is not None


def name_substitute(
    tournament: Tournament, entrant: str, old: str, new: Member, *, by: Actor, request_id: uuid.UUID
) -> Receipt:
    """A director names somebody who plays for `old` from now on: they take the seat in games that go on at once, and the next
    rounds are drawn with them. The result stays the entrant's.

    Raises Refused (``no-account`` too), CannotTakeSeat, IsSuspended, RequestReused.
    """
    data: door.Doing = ("entrant.substituted", {"id": entrant, "old": old, "new": new.public_id})
    return door.act(tournament.pk, [data], by=by, request_id=request_id)


def check_may_sit(game: Game, player: Player) -> None:
    """Who takes over a seat that is free in a tournament's game: somebody with an account who plays at no other table of this
    round. Reads only; called with the lock on the game's row. Raises AccountNeeded, PlaysInThisRound."""
    row = OnlineTable.objects.filter(game=game).first()
    if row is None:
        return
    if not accounts.can_play(player.current):
        raise AccountNeeded
    round = f"{row.key.rpartition('.')[0]}."
    others = OnlineTable.objects.filter(tournament=row.tournament_id, key__startswith=round).exclude(pk=row.pk)
    person = player.current
    sitting = Seat.objects.filter(game__in=others.filter(game__isnull=False).values("game"))
    if sitting.filter(player=person).exists() or sitting.filter(player__merged_into=person).exists():
        raise PlaysInThisRound


def take_over(state: State, entrant: str, old: str, new: str, by: Player | None, now: datetime) -> None:
    """In every game that goes on where the place of `old` is this entrant's, `new` sits from now on. Expects the lock on the
    tournament's row; takes those of the games. Raises CannotTakeSeat, IsSuspended."""
    player = accounts.players_of([new]).get(new)
    for game, seat in _games_of(state, entrant, old):
        if player is None or _plays_elsewhere(game, player):
            raise CannotTakeSeat
        if game.seats.filter(number=seat, player=player).exists():
            continue
        try:
            directing.appoint(game.pk, seat, player, by=by, now=now)
        except (MetAlready, MayNotMeet, NotNow):
            raise CannotTakeSeat from None
        except GameEnded:
            continue


def give_up(state: State, entrant: str, now: datetime) -> None:
    """An entrant goes: in their games that go on, a substitute is looked for or a computer player acts, as their pace says.
    Expects the lock on the tournament's row; takes those of the games."""
    for game, seat in _games_of(state, entrant):
        directing.give_up(game.pk, seat, now=now)


def _plays_elsewhere(game: Game, player: Player) -> bool:
    try:
        check_may_sit(game, player)
    except (AccountNeeded, PlaysInThisRound):
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
