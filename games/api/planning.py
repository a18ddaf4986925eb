"""Plans: cards to play under conditions, and answers in the talk. Only the player knows them."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any, Literal

from django.http import HttpRequest
from ninja import Field, Router

from accounts.models import Player
from core.schemas import Schema
from games import permissions as game_permissions
from games.api import schemas
from games.api.base import PLAYS, player_of, problems
from games.api.games import game_for
from games.exceptions import Malformed
from games.models import Game
from games.plans import selectors, services
from games.plans.language import LONGEST, MOST_TRUMPS, NoPlan, NoTalk, read_plan, read_talk
from games.selectors import table

router = Router(tags=["plans"])


class PlanLine(schemas.Asked):
    """One line: all its conditions must hold, an empty one always does."""

    play: str = Field(
        max_length=20,
        description="a card of yours, or `lowest`, `highest` (of the suit led), `winner` (the lowest that takes the trick), `spare` (the lowest, where none takes the trick and all are alike), `cheapest`, `dearest`, `lowest-trump`, `fool`",
    )
    led: Literal["", "C", "O", "S", "B", "T", "me"] = Field("", description="what is led; `me`: nothing yet, you lead")
    winning: Literal["", "partner", "opponent"] = Field("", description="whose side is winning the trick")
    fallen: str = Field("", max_length=3, description="a card that must have been played in this hand")
    last: bool = Field(False, description="you are the last to play to the trick")


class PlanIn(schemas.Asked):
    """A plan in place of the one before. No lines: none any more."""

    lines: list[PlanLine] = Field(max_length=LONGEST, description="the first that fits and is legal is played")
    lasts: bool = Field(False, description="for every card of this hand, not only the next")
    at_once: bool = Field(
        False, description="play it when your turn comes; else after as long as you usually take, in your waking hours"
    )
    every_hand: bool = Field(False, description="for every hand of this game: a plan that lasts and names no card")


class TalkIn(schemas.Asked):
    """What is said in the talk of the deal. No rounds: you are asked."""

    rounds: list[Literal["", "veto", "allow", "unless"]] = Field(
        max_length=9, description="after which round; empty: ask me; the last holds for all that follow"
    )
    fewer: int = Field(0, ge=0, le=MOST_TRUMPS, description="`unless`: with fewer trumps than that you consent")
    every_deal: bool = Field(False, description="in every deal of this game, not only in this one")


class PlanLineOut(Schema):
    """A line of the plan, and the same in words."""

    play: str
    led: str
    winning: str
    fallen: str
    last: bool
    text: str = Field(description="the same as a sentence in your language")
    cards: str = Field(description="which card that would be with your present hand, as a sentence; may be empty")


class PlansOut(Schema):
    """What you plan in a game; nobody else is told."""

    may_plan: bool = Field(description="cards are being played, so that a plan can be made")
    may_talk: bool = Field(description="the game has a talk that can be answered ahead")
    lines: list[PlanLineOut]
    lasts: bool
    at_once: bool
    every_hand: bool
    ended: str = Field(description="why the last plan holds no more, as a sentence; empty if there is nothing to say")
    soon: bool = Field(description="something is about to be done for you")
    rounds: list[str] = Field(description="what is said in the talk, as in `POST /games/{id}/talk`")
    fewer: int
    every_deal: bool


_ANSWERS = {200: PlansOut, **problems(401, 403, 404, 422)}


@router.get("/games/{key}/plans", auth=PLAYS, response=_ANSWERS, summary="What you plan")
def plans(request: HttpRequest, key: schemas.Key) -> dict[str, Any]:
    """The plan that holds, and what you will say in the talk. Needs `games:play`."""
    game, player, _seat = _own(request, key)
    return _plans_data(game, player)


@router.post("/games/{key}/plans", auth=PLAYS, response=_ANSWERS, summary="Plan your cards")
def say_plan(request: HttpRequest, key: schemas.Key, payload: PlanIn) -> dict[str, Any]:
    """For your next card or all of this hand. A line that can never be played is refused. Needs `games:play`."""
    game, player, seat = _own(request, key)
    try:
        plan = read_plan(payload.model_dump(exclude={"every_hand"}))
    except NoPlan as error:
        raise Malformed(str(error), where="lines") from None
    services.save_plan(game.pk, seat, plan, by=player, every_deal=payload.every_hand)
    return _plans_data(game, player)


@router.post("/games/{key}/talk", auth=PLAYS, response=_ANSWERS, summary="Plan what you say in the talk")
def say_talk(request: HttpRequest, key: schemas.Key, payload: TalkIn) -> dict[str, Any]:
    """After which round of the deal. Needs `games:play`."""
    game, player, seat = _own(request, key)
    try:
        talk = read_talk({"rounds": payload.rounds, "fewer": payload.fewer})
    except NoTalk as error:
        raise Malformed(str(error), where="rounds") from None
    services.save_talk_plan(game.pk, seat, talk, every_deal=payload.every_deal, by=player)
    return _plans_data(game, player)


def _own(request: HttpRequest, key: str) -> tuple[Game, Player, int]:
    player = player_of(request)
    game = game_for(key, player)
    return game, player, game_permissions.seat_of(game, player)


def _plans_data(game: Game, player: Player) -> dict[str, Any]:
    game.refresh_from_db()
    sight = table.sight_of(game, player)
    seen = selectors.plans_seen(game, player, sight)
    row = selectors.plans_of(game, player)
    plan, talk = selectors.plan_of(row, sight.hand, len(sight.cards)), selectors.talk_of(row, sight.hand)
    view = table.view_for(game, sight.viewer) if plan and sight.viewer is not None else None
    previews = selectors.previewed(plan, view) if view is not None else ()
    lines = [
        asdict(line) | {"text": preview.line, "cards": preview.cards}
        for line, preview in zip(plan.lines, previews, strict=False)
    ]
    return {
        "may_plan": seen is not None and seen.may_plan,
        "may_talk": seen is not None and seen.may_talk,
        "lines": lines,
        "lasts": plan.lasts,
        "at_once": plan.at_once,
        "every_hand": seen is not None and seen.every_hand,
        "ended": seen.ended if seen is not None else "",
        "soon": seen is not None and seen.soon,
        "rounds": list(talk.rounds),
        "fewer": talk.fewer,
        "every_deal": seen is not None and seen.every_deal,
    }
