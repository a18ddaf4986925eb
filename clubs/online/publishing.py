"""Publishing a round that is played online: with the deadline its plan asks for."""

from __future__ import annotations

import uuid
from datetime import datetime

from django.utils import timezone

from clubs.evening.given import Plain
from clubs.evening.refused import EveningRefused
from clubs.online.deadlines import deadline_for
from clubs.tournament_models import Tournament
from clubs.tournaments import door
from clubs.tournaments.actors import Actor
from clubs.tournaments.door import Receipt
from clubs.tournaments.reading import state_of
from clubs.tournaments.refusals import Refused


def publish(
    tournament: Tournament,
    key: str,
    *,
    by: Actor,
    request_id: uuid.UUID,
    deadline: datetime | None = None,
    now: datetime | None = None,
) -> Receipt:
    """Let everybody see a round, in the hall or online: then until `deadline`, or as long as the plan says. The worker lays
    its games. Raises Refused: ``no-account`` names who cannot be seated."""
    moment = now or timezone.now()
    tournament.refresh_from_db()
    state = state_of(tournament)
    round = state.round(key)
    if round is None:
        raise Refused(EveningRefused("no-such-round", "round"))
    plan = state.phases[round.phase - 1].plan
    data: dict[str, Plain] = {"round": key}
    if plan.online is not None:
        data["deadline"] = (deadline or deadline_for(plan, moment)).isoformat()
    return door.act(
        tournament.pk,
        [("round.published", data)],
        by=by,
        request_id=request_id,
        same=f"publish|{key}|{deadline}",
        at=now,
    )
