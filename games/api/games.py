"""Games: one's own in lists, one of them, beginning one against computer players, and acting in one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict
from typing import Annotated, Any, Literal

from django.conf import settings
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from ninja import Query, Router, Status

from accounts.models import Player
from domain.engine.rulesets import UnknownRuleset, ruleset
from domain.pace import Kind
from games import permissions as watching_permissions
from games.api import base
from games.api.base import LAYS, PLAYS, READS, Asking, limit, player_of, problem, problems, refusal
from games.api.schemas import (
    ActedOut,
    ActIn,
    AnswerIn,
    ChanceIn,
    ClaimIn,
    GameLines,
    GameOut,
    Key,
    MeIn,
    MeOut,
    PageNumber,
    ReadyIn,
    RequestIn,
    StartIn,
    TableOut,
    UndoIn,
    WatchLines,
    game_out,
    table_out,
)
from games.conditional.services import claim as claim_rest
from games.exceptions import Malformed, NotYourSeat, Stale
from games.forms import TableForm
from games.lobby.services import tables
from games.models import Game, Seat
from games.mygames import selectors as mygames_selectors
from games.mygames import services as mygames_services
from games.selectors import table
from games.services import agreements, play, promises
from games.services import undo as undo_services
from games.services.common import Receipt
from games.table.services import table_of
from games.table.views import game as views
from games.watching import selectors as watching_selectors

router = Router(tags=["games"])


@router.get("/me", auth=READS, response={200: MeOut, **problems(401)}, summary="Who you are here")
def me(request: HttpRequest) -> dict[str, Any]:
    """The player the token acts for, and what it may do."""
    return _me(request)


@router.patch("/me", auth=PLAYS, response={200: MeOut, **problems(401, 403)}, summary="Change how your tables behave")
def change_me(request: HttpRequest, wanted: MeIn) -> dict[str, Any]:
    """Switch the computer players' pause for thought on or off, at all your tables. Needs `games:play`."""
    player = player_of(request)
    player.bot_pause = wanted.computers_pause
    player.save(update_fields=["bot_pause"])
    return _me(request)


@router.get("/games", auth=READS, response={200: GameLines, **problems(401)}, summary="Your games")
def games(
    request: HttpRequest,
    which: Annotated[
        Literal["playing", "waiting", "over"],
        Query(description="playing: all that go on; waiting: those that wait for you; over: those that are over"),
    ] = "playing",
    page: PageNumber = 1,
) -> dict[str, Any]:
    """The most urgent first; those that are over, the latest first."""
    player = player_of(request)
    if which == "over":
        return _page(mygames_selectors.finished_games(player, mygames_selectors.Wanted(), page), page)
    if which == "playing":
        return _page(mygames_selectors.open_games(player, page), page)
    seats = mygames_selectors.with_tables(mygames_selectors.urgent(mygames_selectors.waiting_seats(player)))
    return _page(Paginator(seats, mygames_selectors.PER_PAGE).get_page(page), page)


@router.post(
    "/games",
    auth=PLAYS,
    response={201: GameOut, **problems(401, 403, 404, 422)},
    summary="Begin against computer players",
)
def start(request: HttpRequest, wanted: StartIn) -> HttpResponse | Any:
    """A game at a table of your own, where computer players take the other seats. Needs `games:play`.

    While such a table waits for its first deal, asking for the same again leads to that one: nothing is begun twice.
    """
    try:
        rules = ruleset(wanted.ruleset)
    except UnknownRuleset:
        return unknown_ruleset()
    form = TableForm(rules, filled(TableForm(rules), {"size": wanted.size, "memory": wanted.memory}, wanted.options))
    wrong = [*unknown_options(rules.options, wanted.options), *errors_of(form)]
    if wrong:
        return problem(422, "unusable", _("Some of it cannot be so: see which parts."), errors=wrong)
    player = player_of(request)
    base.limit("new-game", player, rate=60, burst=30)
    size, options = form.chosen()
    game = table_of(player, ruleset(rules.id, rules.version, size), options, form.memory())
    return _created(game, player)


@router.get(
    "/games/{key}", auth=READS, response={200: GameOut, **problems(401, 404)}, summary="One game, as you see it"
)
def one(request: HttpRequest, key: Key) -> dict[str, Any]:
    """What its page knows and no more: your own cards if you sit there, what lies on the table if you watch."""
    player = player_of(request)
    return seen(game_for(key, player), player)


@router.get("/watch", auth=READS, response={200: WatchLines, **problems(401)}, summary="Games worth watching")
def watch(
    request: HttpRequest,
    ruleset: Annotated[str, Query(max_length=40, description="only those of this ruleset")] = "",
    pace: Annotated[Literal["", "live", "days"], Query(description="only those of this pace")] = "",
    page: PageNumber = 1,
) -> dict[str, Any]:
    """Games of others that go on and are open to everybody. `GET /games/{id}` shows what lies on the table, no hands."""
    found, lines = watching_selectors.tables(watching_selectors.Sought(ruleset, pace), player_of(request), str(page))
    pages = found.paginator.num_pages
    results = [asdict(line) | {"live": line.pace == Kind.LIVE} for line in lines] if page <= pages else []
    return {"count": found.paginator.count, "page": page, "pages": pages, "results": results}


def game_for(key: str, player: Player) -> Game:
    """The game, after what was due by its clock. Raises Http404, and Refusal for who may not look at it."""
    game = views.game_of(key)
    watching_permissions.check_may_see(game, player)
    return game


def seen(game: Game, player: Player) -> dict[str, Any]:
    """A game as `player` sees it, for `GameOut`."""
    return game_out(table.sight_of(game, player), settings.SITE_URL, reverse("games:table", args=[game.public_id]))


def seat_of(game: Game, player: Player) -> int:
    """Where the player sits. Raises NotYourSeat."""
    number = game.seats.filter(player=player).values_list("number", flat=True).first()
    if number is None:
        raise NotYourSeat
    return number


def unknown_ruleset() -> HttpResponse:
    """The answer where there is no such ruleset."""
    return problem(404, "no-such-ruleset", _("There is no such game here. GET /rulesets lists all there are."))


def filled(form: Any, given: dict[str, Any], options: dict[str, Any]) -> dict[str, Any]:
    """What is sent, as data for a form: what is left out is as the form would have it at first."""
    usual = {name: form.get_initial_for_field(field, name) for name, field in form.fields.items()}
    return usual | options | {name: value for name, value in given.items() if value is not None}


def unknown_options(known: Any, options: dict[str, Any]) -> list[dict[str, str]]:
    """What is wrong with the names of options, and with switches that are neither true nor false."""
    by_name = {option.name: option for option in known}
    wrong = []
    for name, value in options.items():
        if name not in by_name:
            wrong.append({"where": f"options.{name[:40]}", "message": _("There is no such option.")})
        elif isinstance(by_name[name].default, bool) != isinstance(value, bool):
            wrong.append({"where": f"options.{name}", "message": _("Choose one of the ways in the list.")})
    return wrong


def errors_of(form: Any) -> list[dict[str, str]]:
    """What is wrong with a form, field by field."""
    if form.is_valid():
        return []
    return [
        {"where": "body" if name == "__all__" else name, "message": str(message)}
        for name, messages in form.errors.items()
        for message in messages
    ]


def _created(game: Game, player: Player) -> Any:
    return Status(201, seen(game, player))


def _me(request: HttpRequest) -> dict[str, Any]:
    asking = request.auth  # type: ignore[attr-defined]  # ninja sets it
    assert isinstance(asking, Asking)
    player, token = asking.player, asking.token
    return {
        "player": player.public_id,
        "name": player.display_name,
        "language": player.language,
        "computers_pause": player.bot_pause,
        "waiting": mygames_selectors.waiting(player),
        "token": {"name": token.name, "scopes": token.scopes, "expires_at": token.expires_at},
    }


def _page(found: Any, page: int) -> dict[str, Any]:
    """A page of seats; beyond the last one it is empty."""
    pages = found.paginator.num_pages
    seats = list(found) if page <= pages else []
    return {"count": found.paginator.count, "page": page, "pages": pages, "results": [_line(seat) for seat in seats]}


def _line(seat: Seat) -> dict[str, Any]:
    game = seat.game
    waits = bool(game.waits_for >> seat.number & 1)
    return {
        "public_id": game.public_id,
        "url": settings.SITE_URL + reverse("games:table", args=[game.public_id]),
        "ruleset": game.ruleset,
        "kind": game.kind,
        "status": game.status,
        "number": game.number,
        "seat": seat.number,
        "waits": waits,
        "asked": game.asked,
        "until": game.deadline_at if waits else None,
        "hand": game.hand_number,
        "hands": int(game.options["hands"]),
        "hands_played": game.hands_played,
        "totals": game.totals,
        "players": [
            {
                "seat": other.number,
                "name": other.player.display_name,
                "computer": other.player.is_computer,
            }
            for other in game.seats.all()
        ],
        "created_at": game.created_at,
        "ended_at": game.ended_at,
    }


acting_router = Router(tags=["acting"])
_ANSWERS = {200: ActedOut, **problems(401, 403, 404, 409, 422)}


@acting_router.post(
    "/games/{key}/ready", auth=PLAYS, response=_ANSWERS, summary="Sit down, or be ready for the next deal"
)
def ready(request: HttpRequest, key: Key, wanted: ReadyIn) -> Any:
    """Asked where `legal` says `ready`. When all people are ready the deal begins. Needs `games:play`."""

    def act(game: Game, seat: int, player: Player) -> Receipt:
        return play.ready(
            game.pk,
            seat,
            entropy=wanted.entropy,
            expected=wanted.expected,
            request_id=wanted.request_id,
            by=player,
        )

    return _acted(request, key, act)


@acting_router.post(
    "/games/{key}/chance",
    auth=PLAYS,
    response={200: GameOut, **problems(401, 403, 404, 409, 422)},
    summary="Add chance to a pack that is promised",
)
def add_chance(request: HttpRequest, key: Key, wanted: ChanceIn) -> Any:
    """Where `adds_to` names a deal: nobody sits down for it, and its pack is mixed with what each player adds.

    Needs `games:play`.
    """
    player = player_of(request)
    game = game_for(key, player)
    seat_of(game, player)
    promises.add_entropy(game.pk, wanted.deal, wanted.entropy, by=player)
    game.refresh_from_db()
    return seen(game, player)


@acting_router.post(
    "/games/{key}/act", auth=PLAYS, response=_ANSWERS, summary="Act: cut, speak, lay away, bid, play, call"
)
def act(request: HttpRequest, key: Key, wanted: ActIn) -> Any:
    """Any action of `legal`, words of the talk with it. Needs `games:play`.

    409 if the game has moved on since `expected`: the answer holds the present table, decide again. 422 if it is not
    allowed: the answer names the rule.
    """
    if not wanted.action.isprintable():
        raise Malformed("an action is one line of plain signs")

    def do(game: Game, seat: int, player: Player) -> Receipt:
        receipt = play.submit(
            game.pk, seat, wanted.action, expected=wanted.expected, request_id=wanted.request_id, by=player
        )
        mygames_services.note(game, player, wanted.expected, done=True)
        return receipt

    return _acted(request, key, do)


@acting_router.post("/games/{key}/claim", auth=PLAYS, response=_ANSWERS, summary="Claim every trick that is left")
def claim(request: HttpRequest, key: Key, wanted: ClaimIn) -> Any:
    """Where `question.claim` is true: your cards prove it, and the hand is played to its end. Needs `games:play`."""

    def act(game: Game, seat: int, player: Player) -> Receipt:
        return claim_rest(game.pk, seat, expected=wanted.expected, request_id=wanted.request_id, by=player)

    return _acted(request, key, act)


@acting_router.post("/games/{key}/undo", auth=PLAYS, response=_ANSWERS, summary="Ask to take an action back")
def undo(request: HttpRequest, key: Key, wanted: UndoIn) -> Any:
    """Where `undo.by` is null: all people at the table have to agree. Needs `games:play`."""

    def act(game: Game, seat: int, player: Player) -> Receipt:
        return undo_services.propose(game.pk, seat, wanted.move, request_id=wanted.request_id, by=player)

    return _acted(request, key, act)


@acting_router.post(
    "/games/{key}/answer", auth=PLAYS, response=_ANSWERS, summary="Agree to what is proposed, or decline it"
)
def answer(request: HttpRequest, key: Key, wanted: AnswerIn) -> Any:
    """Where `undo.mine` or `clock.proposal.mine` is true. Needs `games:play`."""

    def act(game: Game, seat: int, player: Player) -> Receipt:
        asked: dict[str, Any] = {"agree": wanted.agree, "request_id": wanted.request_id, "by": player}
        if wanted.about == "undo":
            return undo_services.answer(game.pk, seat, wanted.move, **asked)
        return agreements.answer(game.pk, seat, **asked)

    return _acted(request, key, act)


@acting_router.post("/games/{key}/leave", auth=PLAYS, response=_ANSWERS, summary="Leave the game for good")
def leave(request: HttpRequest, key: Key, wanted: RequestIn) -> Any:
    """The game ends; where time is kept and others play on, a computer player takes over instead. Needs `games:play`."""

    def act(game: Game, seat: int, player: Player) -> Receipt:
        return play.resign(game.pk, seat, request_id=wanted.request_id, by=player)

    return _acted(request, key, act)


@acting_router.post(
    "/games/{key}/rematch",
    auth=LAYS,
    response={200: TableOut, **problems(401, 403, 404, 409, 422)},
    summary="The same people once more",
)
def play_again(request: HttpRequest, key: Key, wanted: RequestIn) -> Any:
    """Lays the table of another game after one that is over, or sits down at the one that is laid. Needs `tables:write`."""
    player = player_of(request)
    limit("rematch", player, rate=30, burst=15)
    table = tables.rematch(game_for(key, player).pk, player, request_id=wanted.request_id)
    return table_out(table, player)


def _acted(request: HttpRequest, key: str, act: Callable[[Game, int, Player], Receipt]) -> Any:
    """Let the player act where they sit; then the game as they see it now."""
    player = player_of(request)
    game = game_for(key, player)
    try:
        receipt = act(game, seat_of(game, player), player)
    except Stale as stale:
        game.refresh_from_db()
        return refusal(stale, seen(game, player))
    game.refresh_from_db()
    return {"number": receipt.number, "at": receipt.at, "game": seen(game, player)}
