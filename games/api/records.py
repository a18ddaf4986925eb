"""What was played: the record of a game, as far as its hands may be looked at."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest
from ninja import Field, Router, Schema
from pydantic import ConfigDict

from games.api.base import READS, answer, player_of, problems
from games.api.games import game_for
from games.api.schemas.lists import Key
from games.selectors import replay

router = Router(tags=["records"])


class RecordedHandOut(Schema):
    """One deal: who dealt, the pack as it lay before the cut, top first, and all actions as `seat action`."""

    dealer: int
    pack: str
    actions: list[str]


class RecordOut(Schema):
    """A game in the format `troccas-record`, version 1, which docs/record-format.md describes."""

    model_config = ConfigDict(extra="allow")

    format: str
    version: int
    ruleset: str
    ruleset_version: int
    options: dict[str, Any]
    players: list[str]
    hands: list[RecordedHandOut] = Field(description="those that are over and may be looked at")


@router.get(
    "/games/{key}/record", auth=READS, response={200: RecordOut, **problems(401, 404)}, summary="The record of a game"
)
def record(request: HttpRequest, key: Key) -> Any:
    """Every hand that is over: packs, all actions, the promise of the pack and its secret. A hand that runs is not in it."""
    return answer(replay.record(game_for(key, player_of(request))).to_json())
