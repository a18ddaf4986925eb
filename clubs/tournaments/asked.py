"""What a page of a tournament begins with: which tournament, who asks, and a clear answer where something is refused."""

from __future__ import annotations

import uuid
from dataclasses import dataclass

from django.http import Http404, HttpRequest

from accounts.models import Player
from accounts.visits import PlayerRequest
from clubs.evening.state import State
from clubs.room.rights import Act, Standing, standing
from clubs.tournament_models import Tournament
from clubs.tournaments import actors
from clubs.tournaments.actors import Actor
from clubs.tournaments.reading import state_of


@dataclass(frozen=True, slots=True)
class Asked:
    """A tournament as one request sees it."""

    tournament: Tournament
    state: State
    player: Player | None
    standing: Standing

    @property
    def runs_it(self) -> bool:
        """Whether this person sits at the desk."""
        return self.standing.may(Act.RUN_TOURNAMENTS)

    @property
    def plans_it(self) -> bool:
        """Whether this person may change the announcement."""
        return self.standing.may(Act.PLAN_TOURNAMENTS)

    @property
    def director(self) -> Actor:
        """This person, acting from the desk. Ask `runs_it` before."""
        assert self.player is not None
        assert self.runs_it
        return actors.director(self.player)


def asked(request: PlayerRequest, public_id: str) -> Asked:
    """The tournament of an address. Raises Http404 where there is none."""
    tournament = Tournament.objects.select_related("club").filter(public_id=public_id).first()
    if tournament is None:
        raise Http404
    player = request.player
    return Asked(tournament, state_of(tournament), player, standing(tournament.club, player))


def request_id(request: HttpRequest) -> uuid.UUID:
    """The id the form carries, so that sending it twice does nothing twice; a new one where it carries none that is valid."""
    try:
        return uuid.UUID(request.POST.get("request_id", ""))
    except ValueError:
        return uuid.uuid4()
