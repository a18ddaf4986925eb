"""What the API says of who asks, and of lists of games; and what it is told to begin one.

What the API says of tables that wait for players, and what it is told to lay one.
"""

from __future__ import annotations

from dataclasses import asdict
from datetime import datetime
from typing import Annotated, Any, Literal
from uuid import UUID

from django.conf import settings
from django.urls import reverse
from ninja import Field, Path, Query, Schema
from pydantic import ConfigDict

from accounts.models import Player
from games.api.schemas.games import GameOut, Option
from games.lobby import selectors
from games.lobby.models import OpenTable

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


SeatNumber = int | None


class PaceOut(Schema):
    """What is agreed about time; amounts are seconds (in days, a day has 86,400 of them)."""

    kind: str = Field(description="live or days")
    action: int = Field(description="for each move")
    bank: int = Field(description="in reserve, for the whole game")
    weekends: bool
    holidays: str
    vacation: int
    out: str = Field(description="what follows when time runs out: computer or substitute")


class TableLineOut(Schema):
    """A table in a list."""

    public_id: str
    url: str
    ruleset: str
    game: str = Field(description="what the game is called in your language")
    pace: PaceOut | None
    hands: int
    size: int
    free: int
    names: list[str] = Field(description="people who sit there, the host first")
    computers: int
    language: str
    note: str
    members: bool = Field(description="only for people with an account")
    expires_at: datetime
    host: bool = Field(description="whether it is your table")


class TableLines(Schema):
    """A page of tables."""

    count: int
    page: int
    pages: int
    results: list[TableLineOut]


class OwnTables(Schema):
    """The tables you have to do with."""

    invitations: list[TableLineOut] = Field(description="to which you are invited and have not answered")
    tables: list[TableLineOut] = Field(description="at which you wait")


class ChairOut(Schema):
    """One place at a table that waits."""

    number: int
    team: str
    name: str
    player: str = Field(description="public id, empty if nobody sits there")
    computer: bool
    own: bool
    host: bool
    kept: str = Field(description="for whom it is kept")
    open: bool = Field(description="whether you may take it")
    deals: bool


class InvitedOut(Schema):
    """Somebody who was invited, and what became of it."""

    name: str
    state: str


class TableOut(Schema):
    """A table that waits for players, or what became of it."""

    public_id: str
    url: str
    number: int = Field(description="the number of what happened there last")
    state: str = Field(description="waiting, started, expired, closed")
    game: str = Field(description="the public id of its game once it has begun, else empty")
    ruleset: str
    size: int
    options: dict[str, Option]
    pace: PaceOut | None
    entry: str
    seating: str
    language: str
    note: str
    host: str
    host_starts: bool
    expires_at: datetime
    chairs: list[ChairOut]
    free: int
    sits: bool = Field(description="whether you sit there")
    is_host: bool
    invited: bool
    closed_to: str = Field(description="why you may not sit down: members, invited, away, full; empty if you may")
    guests: list[InvitedOut]
    lines: list[str] = Field(description="what has happened there, in your language")


class LayIn(Asked):
    """The table you want: what is left out is as the page has it at first. Times are seconds, as GET /rulesets lists them."""

    request_id: RequestId
    ruleset: str = Field(max_length=40)
    pace: Literal["day", "slow", "brisk", "live", "fast"] = Field("live", description="from what times to start")
    size: int | None = None
    options: dict[str, Option] = Field(default_factory=dict)
    computers: int | None = Field(None, description="how many computer players sit down at once")
    entry: Literal["everyone", "members", "link", "invited"] | None = None
    seating: Literal["choice", "draw"] | None = None
    wait: int | None = Field(None, description="how long the table waits")
    language: str | None = Field(None, max_length=12)
    note: str | None = Field(None, max_length=200)
    memory: Literal["last", "all"] | None = Field(None, description="which tricks of a running hand are shown")
    chat: Literal["between", "open", "closed"] | None = Field(None, description="when people may write to each other")
    watchers: Literal["open", "link", "closed"] | None = Field(None, description="who may watch")
    host_starts: bool | None = None
    action: int | None = Field(None, description="time for each move")
    bank: int | None = Field(None, description="reserve of each player")
    weekends: bool | None = None
    holidays: str | None = Field(None, max_length=2)
    vacation: int | None = None
    out: Literal["computer", "substitute"] | None = None


class JoinIn(Asked):
    """Sitting down."""

    request_id: RequestId
    seat: SeatNumber = Field(None, ge=0, le=7, description="where; null: wherever there is room")


class SeatIn(Asked):
    """Something about one seat."""

    request_id: RequestId
    seat: int = Field(ge=0, le=7)


class InviteIn(Asked):
    """Asking somebody to the table."""

    request_id: RequestId
    player: str = Field(max_length=12, description="the public id of a player, as in `seats` of a game")
    seat: SeatNumber = Field(None, ge=0, le=7, description="the seat that is kept for them")


def table_out(table: OpenTable, viewer: Player) -> dict[str, Any]:
    """A table as `viewer` sees it, for `TableOut`."""
    row = OpenTable.objects.select_related("game", "host__merged_into").get(pk=table.pk)
    told = asdict(selectors.waiting_table_of(row, viewer))
    return told | {
        "url": _url(row),
        "game": row.game.public_id if row.game is not None else "",
        "options": row.options,
        "pace": row.pace or None,
        "entry": row.entry,
        "seating": row.seating,
        "language": row.language,
    }


def table_lines(tables: Any, viewer: Player) -> list[dict[str, Any]]:
    """Tables for a list, for `TableLineOut`."""
    rows = selectors.rows(tables, viewer)
    return [
        asdict(line)
        | {"url": _url(table), "ruleset": table.ruleset, "pace": table.pace or None, "language": table.language}
        for line, table in zip(rows, tables, strict=True)
    ]


def _url(table: OpenTable) -> str:
    return settings.SITE_URL + reverse("lobby:table", args=[table.public_id])
