"""What the API says of who asks, and of lists of games; and what it is told to begin one."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Literal
from uuid import UUID

from ninja import Field, Path, Query, Schema
from pydantic import ConfigDict

from games.api.shapes import GameOut, Option

Key = Annotated[str, Path(pattern=r"^[0-9A-Za-z_-]{1,12}$", description="the public id")]
PageNumber = Annotated[int, Query(ge=1, le=10_000, description="which page of the list; beyond the last it is empty")]
RequestId = Annotated[
    UUID, Field(description="an id of your own for this request; the same sent again is done once and answered again")
]


class Asked(Schema):
    """What is sent: names that there are not are an error, so that no wish is overlooked."""

    model_config = ConfigDict(extra="forbid")


class TokenOut(Schema):
    """The token that came with the request."""

    name: str
    scopes: list[str]
    expires_at: datetime | None


class MeOut(Schema):
    """Who the token acts for."""

    player: str = Field(description="public id")
    name: str
    language: str = Field(description="the language of answers that are asked for in none; empty: English")
    computers_pause: bool = Field(description="whether computer players take a moment to think at your tables")
    waiting: int = Field(description="how many games wait for you; 100 stands for more than 99")
    token: TokenOut


class MeIn(Asked):
    """What may be changed."""

    computers_pause: bool = Field(description="false: computer players at your tables act at once")


class PersonOut(Schema):
    """Somebody at a table."""

    seat: int
    name: str
    computer: bool


class GameLineOut(Schema):
    """One of your games in a list; `GET /games/{id}` tells all of it."""

    public_id: str
    url: str
    ruleset: str
    kind: str
    status: str
    number: int
    seat: int = Field(description="your seat")
    waits: bool = Field(description="whether it waits for you")
    asked: str = Field(description="what is asked, as in `question` of the game; empty if nobody is")
    until: datetime | None = Field(description="when your time is out")
    hand: int
    hands: int
    hands_played: int
    totals: list[int]
    players: list[PersonOut]
    created_at: datetime
    ended_at: datetime | None


class GameLines(Schema):
    """A page of games."""

    count: int
    page: int
    pages: int
    results: list[GameLineOut]


class PartyOut(Schema):
    """Those who share a total, and how it stands."""

    names: list[str]
    total: int


class WatchLineOut(Schema):
    """A game of others that may be watched."""

    public_id: str
    ruleset: str
    live: bool
    hand: int
    hands: int
    watchers: int
    parties: list[PartyOut]
    rappen: bool = Field(description="the totals are money")
    reasons: list[str] = Field(description="why it is worth watching")


class WatchLines(Schema):
    """A page of games that may be watched."""

    count: int
    page: int
    pages: int
    results: list[WatchLineOut]


class StartIn(Asked):
    """A game against computer players: what is left out is as the ruleset has it."""

    ruleset: str = Field(max_length=40, description="an id of GET /rulesets")
    size: int | None = Field(None, description="how many play, where the ruleset leaves that open")
    options: dict[str, Option] = Field(default_factory=dict, description="by their names in GET /rulesets")
    memory: Literal["last", "all"] | None = Field(None, description="which tricks of a running hand are shown")


class ActIn(Asked):
    """An action: a text as in `legal` of the game."""

    action: str = Field(min_length=1, max_length=600)
    expected: int = Field(ge=0, le=999_999_999, description="the `number` of the game as you saw it")
    request_id: RequestId


class ReadyIn(Asked):
    """Sitting down for the deal that waits."""

    expected: int = Field(ge=0, le=999_999_999)
    request_id: RequestId
    entropy: str = Field(
        "", pattern=r"^([0-9a-f]{32})?$", description="16 bytes of chance of your own for the pack, in hex"
    )


class ChanceIn(Asked):
    """Chance of your own for the pack of a deal that is promised."""

    deal: int = Field(ge=1, le=999, description="`adds_to` of the game")
    entropy: str = Field(pattern=r"^[0-9a-f]{32}$", description="16 bytes in hex")


class ClaimIn(Asked):
    """Claiming every trick that is left."""

    expected: int = Field(ge=0, le=999_999_999)
    request_id: RequestId


class RequestIn(Asked):
    """A request that says nothing but its own id."""

    request_id: RequestId


class UndoIn(Asked):
    """Asking to take an action back."""

    request_id: RequestId
    move: int = Field(ge=0, le=999_999_999, description="`undo.move` of the game")


class AnswerIn(Asked):
    """Saying yes or no to what somebody at the table proposes."""

    request_id: RequestId
    about: Literal["undo", "pause", "live"] = Field(description="undo: taking back; else `clock.proposal.what`")
    agree: bool
    move: int = Field(0, ge=0, le=999_999_999, description="about undo: `undo.move` of the game")


class ActedOut(Schema):
    """What was written: `number` is that of your action. A repeated request has the first answer; `game` is as it stands now."""

    number: int
    at: datetime
    game: GameOut
