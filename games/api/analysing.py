"""The analysis of a finished hand: asking for it, and reading it."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated, Any

from django.conf import settings
from django.http import HttpRequest
from django.urls import reverse
from ninja import Field, Path, Router, Status

from core.schemas import Schema
from domain.bots.evaluating import Prospects
from games.analysis import selectors, services
from games.analysis.exceptions import AnalysisError
from games.api.base import PLAYS, READS, limit, player_of, problems
from games.api.games import game_for
from games.api.schemas import Key, shape_of
from games.models import Game, GameHand
from games.selectors.replay import NotOpen
from games.text.advice import FactSeen

router = Router(tags=["analysis"])
HandNumber = Annotated[int, Path(ge=1, le=999, description="which hand of the game, from 1")]


@shape_of(selectors.OptionSeen)
class ConsideredOut(Schema):
    """Something that could be done, and what it brings its seat on average: points, or Rappen in Troggu."""

    error: float = Field(description="the standard error of the difference to the best, which comes first")
    done: bool = Field(description="whether it was done")


@shape_of(FactSeen)
class FactOut(Schema):
    """Something whoever decided could prove. `seat` is -1 and `card` and `suit` are empty where it is about none."""

    kind: str = Field(
        description="shown-void: the seat had not followed this suit; higher-seen: this higher card was proven to be in its hand; "
        "highest-left: no higher card was out any more; could-win: nobody played afterwards, and this card would have won; "
        "already-ours: nobody played afterwards, and the trick was the partner’s; gave-points, could-bring: nobody played afterwards, and the card gave away, or would have brought, `number` points more; trumps-out: `number` trumps had not been seen; partner-void: the partner had not followed this suit"
    )


@shape_of(Prospects)
class ProspectsOut(Schema):
    """What comes of an action for the side of the seat, in hundredths: how often it takes the trick, how often the lowest trump
    ends with it (-1: that is out already), how many tricks it takes from this one on, and how many card points the trick
    brings it."""


@shape_of(selectors.ChancesSeen)
class ChancesOut(Schema):
    """Hidden cards that have the same chances."""

    shares: list[int] = Field(description="in hundredths: to be held by each seat, and last by nobody")


@shape_of(selectors.DecisionSeen)
class DecisionOut(Schema):
    """A decision, judged by what its seat could know."""

    step: int = Field(description="how many actions of the hand were done before")
    best: str = Field(description="what brings most; the action itself where nothing is better")
    cost: float = Field(description="what the action brings less than the best")
    error: float = Field(description="the standard error of the cost")
    exact: bool = Field(description="every distribution of the hidden cards was played to its end")
    clear: bool = Field(description="a mistake beyond doubt")
    options: list[ConsideredOut] = Field(description="the best, and the one that was done, best first")
    stand_in: bool = Field(description="a computer player decided for somebody who was away")
    reason: str | None = Field(None, description="a code: why the best is good")
    facts: list[FactOut]
    prospects: list[ProspectsOut] = Field(
        description="of the best and of what was done, where a card is played and the best is better"
    )
    chances: list[ChancesOut] = Field(description="where the hidden cards could lie, for all that the seat could prove")


@shape_of(selectors.SeatSummary)
class SeatSummaryOut(Schema):
    """How one seat decided, without what a computer player did for somebody who was away. `cost` is that of its mistakes together, `error` the standard error of it."""


class OutlookOut(Schema):
    """What each seat was to score before a trick, if computer players had played on with the cards as they really lay."""

    step: int
    trick: int = Field(description="0: all cards are dealt, nothing is decided")
    means: list[float]
    errors: list[float]


@shape_of(selectors.AnalysisSeen, hidden=("turning_points",))
class AnalysisOut(Schema):
    """How far the analysis is, and once it is done what it says."""

    status: str = Field(description="none: nobody has asked for it; waiting, running, done, failed")
    players: str = Field("", description="the version of the computer players that judge")
    worlds: int = Field(0, description="in how many distributions of the hidden cards each decision is tried")
    share: int = Field(0, description="how much of it is done, in hundredths")
    url: str = Field(description="its page")
    turning_points: list[int] = Field([], description="the steps of the dearest mistakes, the dearest first")
    decisions: list[DecisionOut] = []
    seats: list[SeatSummaryOut] = []
    outlooks: list[OutlookOut] = []


_AT = "/games/{key}/hands/{number}/analysis"


@router.get(_AT, auth=READS, response={200: AnalysisOut, **problems(401, 404)}, summary="The analysis of a hand")
def analysis(request: HttpRequest, key: Key, number: HandNumber) -> dict[str, Any]:
    """What each decision of a hand that is over cost, what was better, and what could be known. 404 while its cards are secret."""
    game = game_for(key, player_of(request))
    return _analysis_data(game, _row(game, number))


@router.post(
    _AT,
    auth=PLAYS,
    response={202: AnalysisOut, **problems(401, 403, 404, 422)},
    summary="Ask for the analysis of a hand",
)
def ask(request: HttpRequest, key: Key, number: HandNumber) -> Any:
    """Start the analysis, which takes some minutes; poll with GET. Asking again changes nothing. Needs `games:play`."""
    player = player_of(request)
    game = game_for(key, player)
    row = _row(game, number)
    limit("analysis", player, rate=40, burst=15)
    services.ask(game, number)
    return Status(202, _analysis_data(game, row))


def _row(game: Game, number: int) -> GameHand:
    try:
        return services.open_hand(game, number)
    except NotOpen:
        raise AnalysisError("hand-closed") from None


def _analysis_data(game: Game, row: GameHand) -> dict[str, Any]:
    analysed = selectors.analysis_of(row, game.table_size)
    url = settings.SITE_URL + reverse("games:analysis", args=[game.public_id, row.number])
    if analysed is None:
        return {"status": "none", "url": url}
    outlooks = [
        {
            "step": each.step,
            "trick": each.trick,
            "means": [mean.mean for mean in each.means],
            "errors": [mean.error for mean in each.means],
        }
        for each in analysed.outlooks
    ]
    turning_points = [each.step for each in analysed.turning_points]
    return asdict(analysed) | {"url": url, "outlooks": outlooks, "turning_points": turning_points}
