"""How long a player usually takes to answer, read from the log. Everybody at their tables has seen these times as well."""

from __future__ import annotations

from datetime import timedelta
from typing import Final

from django.db.models import OuterRef, Subquery

from accounts.models import Player
from games.models import Action
from games.pace import Calendar

LATELY: Final = 40
"""So many answers are looked at, the latest."""
BY_ITSELF: Final = 5
"""The version of request ids that the site makes for itself (a person's are drawn by chance: version 4)."""


def usual_answers(player: Player, waking: Calendar) -> list[timedelta]:
    """How long the player took for their latest answers in games of days, counted by `waking`. One query.

    Only what they did themselves: what the site did for them would teach it its own habits. An answer outside of their
    waking hours took as long as the wall clock says.
    """
    moves = Action.objects.filter(kind=Action.Kind.MOVE)
    before = moves.filter(game=OuterRef("game"), number__lt=OuterRef("number")).order_by("-number")
    own = moves.filter(player__in=[player.pk, *player.merged.values_list("pk", flat=True)], request_id__isnull=False)
    found = (
        own.filter(game__pace__kind="days")
        .annotate(asked_at=Subquery(before.values("at")[:1]))
        .order_by("-pk")
        .values_list("asked_at", "at", "request_id")[: 2 * LATELY]
    )
    answers = [
        waking.spent(asked_at, at) or at - asked_at
        for asked_at, at, request_id in found
        if asked_at is not None and request_id is not None and request_id.version != BY_ITSELF
    ]
    return answers[:LATELY]
