"""What follows online from what happens in a tournament (`clubs.tournaments.listening`): in the transaction of the event."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Final

from clubs.evening.events import Event
from clubs.evening.given import Plain
from clubs.evening.refused import EveningRefused
from clubs.evening.state import State
from clubs.online import accounts, beginning, projecting, substituting, tellers
from clubs.room_models import Member
from clubs.tournament_models import Tournament
from clubs.tournaments.actors import Actor
from clubs.tournaments.refusals import Refused
from games import directing
from games.models import Game


class Following:
    """The listener of online rounds."""

    def check(self, tournament: Tournament, before: State, after: State, kind: str, data: Mapping[str, Plain]) -> None:
        """Refuse plans no game can be laid by, and rounds and substitutes of people without an account (``no-account``)."""
        try:
            if kind == "tournament.planned":
                beginning.check_plan(after.plan)
            elif kind in ("phase.started", "phase.changed"):
                number = data.get("phase", len(after.phases))
                beginning.check_plan(after.phases[number - 1 if isinstance(number, int) else -1].plan)
            elif kind in ("round.promised", "round.drawn", "round.published"):
                _check_accounts(tournament, before, after, kind, data)
            elif kind == "entrant.substituted" and substituting.plays_online(before):
                _refuse_without(accounts.without([str(data.get("new", ""))]), "new")
        except EveningRefused as why:
            raise Refused(why) from None

    def happened(self, tournament: Tournament, before: State, after: State, events: Sequence[Event], by: Actor) -> None:
        """Write projections, let games follow, tell people."""
        projecting.follow(tournament, before, after, events)
        for event in events:
            _games_follow(before, after, event, by)
        tellers.follow(tournament, before, after, events, by)

    def rebuilt(self, tournament: Tournament, state: State, events: Sequence[Event]) -> list[str]:
        """Make the projections anew."""
        return projecting.rebuild(tournament, state, events)


FOLLOWING: Final = Following()


def _check_accounts(tournament: Tournament, before: State, after: State, kind: str, data: Mapping[str, Plain]) -> None:
    """Whoever is seated online needs an account: when the round is published, and when a later one is drawn."""
    if kind == "round.published":
        round = after.round(str(data.get("round", "")))
        assert round is not None
        if after.phases[round.phase - 1].plan.online:
            _refuse_without(accounts.missing_at(round), "round")
        return
    number = data.get("phase")
    phase = before.phase(number) if isinstance(number, int) else None
    if phase is not None and phase.plan.online and (phase.rounds or phase.after):
        _refuse_without(accounts.missing(before, phase, tournament), "round")


def _refuse_without(members: Sequence[Member], field: str) -> None:
    if members:
        raise EveningRefused("no-account", field, names=accounts.named(members), count=len(members))


def _games_follow(before: State, after: State, event: Event, by: Actor) -> None:
    """A game that is let go, or whose table is forfeited, ends; who leaves gives up their seats, who is named takes them."""
    at = datetime.fromisoformat(event.at)
    if event.kind == "table.abandoned" or (event.kind == "table.overdue" and event.data.get("how") == "forfeited"):
        table = before.table(str(event.data.get("table", "")))
        if table is not None and table.game:
            call_off(table.game, at)
    elif event.kind == "entrant.left":
        substituting.give_up(after, str(event.data.get("id", "")), at)
    elif event.kind == "entrant.substituted":
        data = event.data
        substituting.take_over(
            before, str(data.get("id", "")), str(data.get("old", "")), str(data.get("new", "")), by.player, at
        )


def call_off(game: str, at: datetime) -> None:
    """End a game that goes on, if there is one of this public id."""
    row = Game.objects.filter(public_id=game, status=Game.Status.PLAYING).values_list("pk", flat=True).first()
    if row is not None:
        directing.call_off(row, now=at)
