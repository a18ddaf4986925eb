"""The schemas of the API's responses and requests.

Those of games are made from `games.read_models`, field by field; the text with which a field is `Annotated` becomes
its description. Every field of a read model is in the API, unless it is hidden; `docs/openapi.json` keeps what
programs rely on.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import asdict, dataclass, is_dataclass
from datetime import datetime
from typing import Annotated, Any, Final, Literal, TypeVar, Union, cast, get_args, get_origin, get_type_hints
from uuid import UUID

from django.conf import settings
from django.urls import reverse
from ninja import Field, Path, Query
from pydantic import ConfigDict, create_model

from accounts.models import Player
from core.schemas import Paged, Schema
from games import read_models
from games.lobby.models import OpenTable
from games.lobby.selectors import open_tables, waiting_table
from games.lobby.selectors.open_tables import Row
from games.lobby.selectors.waiting_table import ChairSeen, Guest
from games.text import table
from games.text.common import readers_of
from games.text.log import log_line
from games.watching.selectors import Party, WatchLine
from rules.terms import cached_by_language


@dataclass(frozen=True, slots=True)
class Allowed:
    """What one viewer may do now, in the terms of `Legal`."""

    kind: str = "none"
    verb: Annotated[str, "number, cards, arrange: the first word of the action"] = ""
    actions: Annotated[tuple[str, ...], "one-of, cards: whole actions, as they stand"] = ()
    low: Annotated[int, "number: the least"] = 0
    high: Annotated[int, "number: the most"] = 0
    count: Annotated[int, "cards: how many"] = 0
    cards: Annotated[tuple[str, ...], "cards, arrange: the cards to choose from, or to put in order"] = ()
    together: Annotated[tuple[str, ...], "cards: to be named all or not at all"] = ()
    talk: Annotated[
        str,
        "silent: nothing more; phrases: ids from /talk may follow allow, veto and liber; free: one text in double quotes may, too",
    ] = "silent"


def legal_of(seen: read_models.Sight) -> dict[str, Any]:
    """All legal actions of the viewer, as data for `Legal`."""
    return asdict(_allowed(seen))


def _allowed(seen: read_models.Sight) -> Allowed:
    question = seen.question
    if not question.mine:
        return Allowed()
    if question.asked == "sit":
        return Allowed("ready")
    if question.asked == "cut":
        return Allowed("number", "cut", low=1, high=question.most)
    if question.asked == "arrange":
        return Allowed("arrange", "arrange", cards=question.pile)
    if question.asked == "play":
        return Allowed("one-of", actions=tuple(action for card in seen.cards for action in _plays(card)))
    actions = tuple(choice.action for choice in question.choices)
    if not question.choose:
        return Allowed("one-of", actions=actions, talk=question.talk)
    together = tuple(card.code for card in seen.cards if card.together)
    cards = tuple(card.code for card in seen.cards if card.playable and not card.together)
    return Allowed("cards", question.asked, actions, count=question.choose, together=together, cards=cards)


def _plays(card: read_models.CardSeen) -> list[str]:
    """All ways to play one card of the hand."""
    ways = {"": True, f" {card.pair}": bool(card.pair), " knock": card.knock, " buob": card.call}
    return [f"play {card.code}{way}" for way, possible in ways.items() if possible and card.playable]


Option = bool | int | str


Shape = TypeVar("Shape", bound=Schema)
_MADE: Final[dict[type, type[Schema]]] = {}


def shape(
    name: str, model: type, doc: str | None, *, hidden: Collection[str] = (), base: type[Schema] = Schema
) -> type[Schema]:
    """Make the schema `name` with the fields of a read model, except those that are `hidden`, or that `base` declares.

    Read models inside it become the schemas that were made for them before. Raises KeyError if there is none.
    """
    fields: dict[str, Any] = {
        field: _described(hint)
        for field, hint in get_type_hints(model, include_extras=True).items()
        if field not in hidden and field not in base.model_fields
    }
    _MADE[model] = create_model(name, __base__=base, __module__=base.__module__, __doc__=doc, **fields)
    return _MADE[model]


def shape_of(model: type, /, *, hidden: Collection[str] = ()) -> Callable[[type[Shape]], type[Shape]]:
    """The same for a schema that declares fields of its own, or that others name in theirs."""

    def extended(base: type[Shape]) -> type[Shape]:
        return cast(type[Shape], shape(base.__name__, model, base.__doc__, hidden=hidden, base=base))

    return extended


def _described(hint: Any) -> tuple[Any, Any]:
    hint, *annotations = get_args(hint) if get_origin(hint) is Annotated else (hint,)
    return _shaped(hint), Field(description=annotations[0] if annotations else None)


def _shaped(hint: Any) -> Any:
    """The JSON type for a type in a read model: lists for tuples, schemas for read models."""
    if is_dataclass(hint):
        return _MADE[cast(type, hint)]
    parts = tuple(_shaped(part) for part in get_args(hint) if part is not Ellipsis)
    if get_origin(hint) is tuple:
        return list[parts[0]]  # type: ignore[valid-type]  # a type that is built here
    return Union[parts] if parts else hint  # noqa: UP007  # the same


@shape_of(read_models.Why)
class WhyOut(Schema):
    """The rule that forbids something. `rule` names it for programs."""


SaidOut = shape("SaidOut", read_models.Said, "What somebody said in the talk after a round of the deal.")
HappenedOut = shape(
    "HappenedOut", read_models.Happened, "Something that was called at a seat, or that came of it, since the last lead."
)
TappOut = shape("TappOut", read_models.TappSeen, "The Tapp on the table, or what was laid away in its place.")
SeatOut = shape("SeatOut", read_models.SeatSeen, "One place at the table.")
EndOut = shape("EndOut", read_models.EndSeen, "Ending the game by consent. `by` is null while nobody proposes it.")
UndoOut = shape(
    "UndoOut",
    read_models.UndoSeen,
    "Something that may be taken back. `by` is null while you may ask for it: `POST /games/{id}/undo` with its `move`.",
)
SatOut = shape("SatOut", read_models.Sat, "Who sat at a seat at some moment.")
CardOut = shape(
    "CardOut",
    read_models.CardSeen,
    "A card of your hand. `playable` is whether it may be played (or laid away) now, `why` what forbids it.",
)
TrickCardOut = shape("TrickCardOut", read_models.TrickCard, "A card on the table.")


@shape_of(read_models.TrickSeen)
class TrickOut(Schema):
    """A trick, complete or not."""


QuestionOut = shape(
    "QuestionOut",
    read_models.Question,
    "What is asked now, and of whom. What may be answered stands in `legal` of the game.",
    hidden=("calls", "choices", "choose", "fool", "most", "pile"),
)


@shape_of(Allowed)
class Legal(Schema):
    """All you may do now. `kind` says how to read it; every action is a text for `POST /games/{id}/act`.

    `none`: it is not your turn; what you may say all the same is in `sayable` of the game. `ready`: send
    `POST /games/{id}/ready`. `one-of`: one of `actions`, as it stands.
    `number`: `verb` and a number from `low` to `high`, as `cut 17`. `cards`: `verb` and `count` different cards of `cards`,
    in any order, as `discard C1 O2`; or all cards of `together` and the rest of `cards`; or one of `actions`. `arrange`:
    `arrange` alone leaves the cards as they lie; with all of `cards` after it, they lie in that order.
    """

    kind: Literal["none", "ready", "one-of", "number", "cards", "arrange"] = Field(description="how to read the rest")


@shape_of(read_models.Line)
class LineOut(Schema):
    """One thing that happened. `text` is the same as a sentence in your language."""

    text: str = Field(description="the same as a sentence in your language")


SheetOut = shape("SheetOut", read_models.HandSheet, "One deal on the score sheet.")
SideCountOut = shape(
    "SideCountOut",
    read_models.SideCount,
    "How the points of a side came together: `tricks`, `scart`, `fool` and `rest` make its `points`.",
)
DealCountOut = shape(
    "DealCountOut",
    read_models.DealCount,
    "How the deal that is just over came out. `scart` and `told` stay empty while it cannot be looked back at.",
)
SealedOut = shape("SealedOut", read_models.Sealed, "The promise about the pack that is dealt.")
ProposalOut = shape(
    "ProposalOut",
    read_models.ProposalSeen,
    "Something all people at the table have to agree on: `POST /games/{id}/answer`.",
)
ClockOut = shape("ClockOut", read_models.ClockSeen, "The clocks of the table; amounts are seconds.")
SuitPlayedOut = shape("SuitPlayedOut", read_models.SuitPlayed, "What was seen played of one suit.")


class HintOut(Schema):
    """What a computer player would do in your place, from what you may know."""

    action: str = Field(description="one of `legal`, to be sent to `/act`")
    doing: str = Field(description="the same in words, in your language")
    because: str = Field(description="why")


@shape_of(read_models.Sight)
class GameOut(Schema):
    """A game as you see it: exactly what the page of the table knows. Cards are codes, as in a record."""

    url: str = Field(description="its page")
    options: dict[str, Option] = Field(description="what was chosen of its ruleset, by the names in GET /rulesets")
    prompt: str = Field(description="what is asked, as a sentence in your language")
    legal: Legal
    hint: HintOut | None = Field(None, description="what you asked for, while `hinted` is true")


_worded: Final = cached_by_language(20_000)(log_line)


def game_out(seen: read_models.Sight, site: str, path: str) -> dict[str, Any]:
    """A game as its viewer sees it, for `GameOut`; `site` and `path` make the URL of its page."""
    readers = readers_of(seen)
    data = _fields(seen) | {"lines": [_fields(line) | {"text": _worded(line, readers)} for line in seen.lines]}
    if seen.counted is not None:
        told = [_fields(line) | {"text": log_line(line, seen)} for line in seen.counted.told]
        data["counted"] = _fields(seen.counted) | {"told": told}
    added = {"url": site + path, "prompt": table.proposal_or_prompt(seen), "legal": legal_of(seen)}
    return data | added | {"options": dict(seen.options)}


def _fields(model: Any) -> dict[str, Any]:
    """The fields of a read model, by name."""
    return {name: getattr(model, name) for name in model.__dataclass_fields__}


Key = Annotated[str, Path(pattern=r"^[0-9A-Za-z_-]{1,12}$", description="the public id")]
PageNumber = Annotated[int, Query(ge=1, le=10_000, description="which page of the list; beyond the last it is empty")]
Before = Annotated[int | None, Query(ge=1, le=2**53 - 1, description="only what is older than this id")]
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
    by_hand: bool = Field(description="an app in which the person plays themselves; else a program decides")
    expires_at: datetime | None


class MeOut(Schema):
    """Who the token acts for."""

    player: str = Field(description="public id")
    name: str
    program: bool = Field(description="whether the account is marked as a program; it stays so")
    language: str = Field(description="the language of answers that are asked for in none; empty: English")
    computers_speed: str = Field(
        description="how fast computer players play at your tables: slow, normal, quick, at-once"
    )
    waiting: int = Field(description="how many games wait for you; 100 stands for more than 99")
    token: TokenOut


class MeIn(Asked):
    """What may be changed."""

    computers_speed: Literal["slow", "normal", "quick", "at-once"] = Field(
        description="how fast computer players play at your tables"
    )


class PersonOut(Schema):
    """Somebody at a table."""

    seat: int = Field(description="counted from 0, in the order of play")
    name: str = Field(description="in your language, where it is no name of a person")
    computer: bool = Field(description="a computer player sits there")
    program: bool = Field(description="somebody's program plays here, under an account that is marked so")


class GameLineOut(Schema):
    """One of your games in a list; `GET /games/{id}` tells all of it."""

    public_id: str = Field(description="names the game in addresses")
    url: str = Field(description="its page")
    ruleset: str = Field(description="an id of GET /rulesets")
    kind: str = Field(description="play, guided, practice, computer")
    status: str = Field(description="playing, finished, resigned, expired")
    number: int = Field(description="the number of the last action")
    seat: int = Field(description="your seat")
    waits: bool = Field(description="whether it waits for you")
    asked: str = Field(description="what is asked, as in `question` of the game; empty if nobody is")
    until: datetime | None = Field(description="when your time runs out")
    hand: int = Field(description="deals count from 1")
    hands: int = Field(description="how many hands the game has")
    hands_played: int = Field(description="how many of them are over")
    totals: list[int] = Field(description="the score so far, seat by seat")
    players: list[PersonOut]
    created_at: datetime = Field(description="when it was begun")
    ended_at: datetime | None = Field(description="when it ended; null while it is played")


class GameLines(Paged):
    """A page of games."""

    results: list[GameLineOut]


PartyOut = shape("PartyOut", Party, "Those who share a total, and how it stands.")


@shape_of(WatchLine)
class WatchLineOut(Schema):
    """A game of others that may be watched."""

    live: bool


class WatchLines(Paged):
    """A page of games that may be watched."""

    results: list[WatchLineOut]


class StartIn(Asked):
    """A game against computer players: what is left out is as the ruleset has it."""

    ruleset: str = Field(max_length=40, description="an id of GET /rulesets")
    size: int | None = Field(None, description="how many play, where the ruleset leaves that open")
    options: dict[str, Option] = Field(default_factory=dict, description="by their names in GET /rulesets")
    memory: Literal["last", "all"] | None = Field(None, description="which tricks of a running hand are shown")
    level: Literal["beginner", "club", "strong"] | None = Field(None, description="how well computer players play")


class ActIn(Asked):
    """An action: a text as in `legal` of the game."""

    action: str = Field(min_length=1, max_length=600)
    expected: int = Field(ge=0, le=999_999_999, description="the `number` of the game as you saw it")
    request_id: RequestId


class ClaimIn(Asked):
    """Claiming every trick that is left."""

    expected: int = Field(ge=0, le=999_999_999)
    request_id: RequestId


class HintIn(ClaimIn):
    """Asking for a hint."""


class ReadyIn(ClaimIn):
    """Sitting down for the deal that waits."""

    entropy: str = Field(
        "", pattern=r"^([0-9a-f]{32})?$", description="16 bytes of chance of your own for the pack, in hex"
    )


class ChanceIn(Asked):
    """Chance of your own for the pack of a deal that is promised."""

    deal: int = Field(ge=1, le=999, description="`adds_to` of the game")
    entropy: str = Field(pattern=r"^[0-9a-f]{32}$", description="16 bytes in hex")


class RequestIn(Asked):
    """A request that says nothing but its own id."""

    request_id: RequestId


class UndoIn(RequestIn):
    """Asking to take an action back."""

    move: int = Field(ge=0, le=999_999_999, description="`undo.move` of the game")


class AnswerIn(RequestIn):
    """Saying yes or no to what somebody at the table proposes."""

    about: Literal["undo", "pause", "live", "end"] = Field(
        description="undo: taking back; end: ending the game; else `clock.proposal.what`"
    )
    agree: bool
    move: int = Field(0, ge=0, le=999_999_999, description="about undo: `undo.move` of the game")


class EndIn(RequestIn):
    """Proposing to end the game."""

    counts: bool = Field(description="true: the score stands as it is; false: as if the game had not been played")


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
    bank: int = Field(description="in reserve, for the whole game or for each deal")
    weekends: bool = Field(description="whether Saturdays and Sundays count")
    holidays: str = Field(description="the canton on whose holidays no time runs, or empty")
    vacation: int = Field(description="days of vacation that each may take")
    out: str = Field(description="what follows when time runs out: computer or substitute")
    refills: bool = Field(False, description="whether the reserve is full again when a deal begins")
    announced: bool = Field(False, description="whether days of announced vacation do not count")


@shape_of(Row, hidden=("pace_name", "waits"))
class TableLineOut(Schema):
    """A table in a list."""

    url: str = Field(description="its page")
    ruleset: str = Field(description="an id of GET /rulesets")
    pace: PaceOut | None


class TableLines(Paged):
    """A page of tables."""

    results: list[TableLineOut]


class OwnTables(Schema):
    """The tables you have to do with."""

    invitations: list[TableLineOut] = Field(description="to which you are invited and have not answered")
    tables: list[TableLineOut] = Field(description="at which you wait")


@shape_of(ChairSeen, hidden=("reliable", "removable"))
class ChairOut(Schema):
    """One place at a table that waits."""


@shape_of(Guest)
class InvitedOut(Schema):
    """Somebody who was invited, and what became of it."""


class TableOut(Schema):
    """A table that waits for players, or what became of it."""

    public_id: str = Field(description="names the table in addresses")
    url: str = Field(description="its page")
    number: int = Field(description="the number of what happened there last")
    state: str = Field(description="waiting, started, expired, closed")
    game: str = Field(description="the public id of its game once it has begun, else empty")
    ruleset: str = Field(description="an id of GET /rulesets")
    size: int = Field(description="how many play")
    options: dict[str, Option] = Field(description="what was chosen of its ruleset, by the names in GET /rulesets")
    pace: PaceOut | None
    entry: str = Field(
        description="who may sit down: everyone, members (people with an account), link, invited, or club"
    )
    club: str = Field(description="the club to whose members it is open (its name in addresses); else empty")
    seating: str = Field(description="choice: everybody takes a seat; draw: seats are drawn when it begins")
    language: str = Field(description="in which people talk there; empty: any")
    note: str = Field(description="what the host says about it")
    host: str = Field(description="the name of the host")
    host_starts: bool = Field(description="a full table waits until the host begins")
    expires_at: datetime = Field(description="until when it waits")
    chairs: list[ChairOut]
    free: int = Field(description="how many seats are free")
    sits: bool = Field(description="whether you sit there")
    is_host: bool = Field(description="whether you are the host")
    invited: bool = Field(description="whether you are invited and have not answered")
    closed_to: str = Field(description="why you may not sit down: members, club, invited, away, full; empty if you may")
    guests: list[InvitedOut]
    lines: list[str] = Field(description="what has happened there, in your language")


class LayIn(RequestIn):
    """The table you want: what is left out is as the page has it at first. Times are seconds, as GET /rulesets lists them."""

    ruleset: str = Field(max_length=40, description="an id of GET /rulesets")
    pace: Literal["day", "slow", "brisk", "live", "fast", "none"] = Field(
        "live", description="from what times to start"
    )
    size: int | None = Field(None, description="how many play, where the ruleset leaves that open")
    options: dict[str, Option] = Field(default_factory=dict, description="by their names in GET /rulesets")
    computers: int | None = Field(None, description="how many computer players sit down at once")
    entry: Literal["everyone", "members", "link", "invited"] | None = Field(
        None,
        description="who may sit down: everybody, people with an account, who has the link, who is invited by name",
    )
    club: str | None = Field(None, max_length=50, description="in place of `entry`: for members of this club of yours")
    seating: Literal["choice", "draw"] | None = Field(
        None, description="choice: everybody takes a seat; draw: seats are drawn when it begins"
    )
    wait: int | None = Field(None, description="how long the table waits")
    language: str | None = Field(None, max_length=12, description="in which you want to talk")
    note: str | None = Field(None, max_length=200, description="what others read about it")
    memory: Literal["last", "all"] | None = Field(None, description="which tricks of a running hand are shown")
    level: Literal["beginner", "club", "strong"] | None = Field(
        None, description="how well computer players play that sit here, or act for people who are away"
    )
    chat: Literal["between", "open", "closed"] | None = Field(None, description="when people may write to each other")
    watchers: Literal["open", "link", "closed"] | None = Field(None, description="who may watch")
    host_starts: bool | None = Field(None, description="a full table waits until you begin (`start`)")
    action: int | None = Field(None, description="time for each move")
    bank: int | None = Field(None, description="reserve of each player")
    refills: bool | None = Field(None, description="whether it is full again when a deal begins")
    weekends: bool | None = Field(None, description="whether time runs at weekends")
    holidays: str | None = Field(None, max_length=2, description="the canton on whose holidays no time runs, as GR")
    vacation: int | None = Field(None, description="days of vacation that each may take")
    out: Literal["computer", "substitute"] | None = Field(
        None, description="who plays on when somebody's time has run out"
    )


class OwnClubOut(Schema):
    """A club to which you belong."""

    slug: str = Field(description="its name in addresses, and in `club` of a new table")
    name: str
    url: str


class JoinIn(RequestIn):
    """Sitting down."""

    seat: SeatNumber = Field(None, ge=0, le=7, description="where; null: wherever there is room")


class SeatIn(RequestIn):
    """Something about one seat."""

    seat: int = Field(ge=0, le=7)


class InviteIn(RequestIn):
    """Asking somebody to the table."""

    player: str = Field(max_length=12, description="the public id of a player, as in `seats` of a game")
    seat: SeatNumber = Field(None, ge=0, le=7, description="the seat that is kept for them")


def table_out(table: OpenTable, viewer: Player) -> dict[str, Any]:
    """A table as `viewer` sees it, for `TableOut`."""
    row = OpenTable.objects.select_related("game", "host__merged_into").get(pk=table.pk)
    shown = asdict(waiting_table.waiting_table_of(row, viewer))
    stored = {name: getattr(row, name) for name in ("options", "entry", "club", "seating", "language")}
    game = row.game.public_id if row.game is not None else ""
    return shown | stored | {"url": _url(row), "game": game, "pace": row.pace or None}


def table_lines(tables: Any, viewer: Player) -> list[dict[str, Any]]:
    """The lines of a list of tables, for `TableLineOut`."""
    rows = open_tables.rows(tables, viewer)
    return [
        asdict(line)
        | {"url": _url(table), "ruleset": table.ruleset, "pace": table.pace or None, "language": table.language}
        for line, table in zip(rows, tables, strict=True)
    ]


def _url(table: OpenTable) -> str:
    return settings.SITE_URL + reverse("lobby:table", args=[table.public_id])
