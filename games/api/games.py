"""Games: lists of one's own, single games, beginning one against computer players, and acting in one."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import asdict
from typing import Annotated, Any, Final, Literal

from django.conf import settings
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from ninja import Query, Router, Status

from accounts.models import Player
from domain.engine.ruleset import Ruleset
from domain.engine.rulesets import UnknownRuleset, ruleset
from domain.pace import Kind
from games import permissions as game_permissions
from games.api import schemas
from games.api.base import LAYS, PLAYS, READS, asking_of, limit, paged, player_of, problem, problems, refusal
from games.exceptions import Malformed, Stale
from games.forms import TableForm
from games.lobby.services import tables
from games.models import Game, Seat
from games.mygames import selectors as mygames_selectors
from games.mygames import services as mygames_services
from games.plans.services import claim as claim_rest
from games.selectors import table
from games.services import agreements, ending, play, promises
from games.services import undo as undo_services
from games.services.common import Receipt
from games.table.services import find_or_start_table, hint_of
from games.table.views import game as views
from games.watching import selectors as watching_selectors

router = Router(tags=["games"])


@router.get("/me", auth=READS, response={200: schemas.MeOut, **problems(401)}, summary="Who you are here")
def me(request: HttpRequest) -> dict[str, Any]:
    """The player the token acts for, and what it may do."""
    asking = asking_of(request)
    player, token = asking.player, asking.token
    return {
        "player": player.public_id,
        "name": player.display_name,
        "program": player.is_program,
        "language": player.language,
        "computers_speed": player.bot_speed,
        "waiting": mygames_selectors.waiting(player),
        "token": {"name": token.name, "scopes": token.scopes, "by_hand": token.by_hand, "expires_at": token.expires_at},
    }


@router.patch(
    "/me", auth=PLAYS, response={200: schemas.MeOut, **problems(401, 403)}, summary="Change how your tables behave"
)
def change_me(request: HttpRequest, payload: schemas.MeIn) -> dict[str, Any]:
    """Say how fast computer players play at all your tables. Needs `games:play`."""
    player = player_of(request)
    player.bot_speed = payload.computers_speed
    player.save(update_fields=["bot_speed"])
    return me(request)


@router.get("/games", auth=READS, response={200: schemas.GameLines, **problems(401)}, summary="Your games")
def games(
    request: HttpRequest,
    which: Annotated[
        Literal["playing", "waiting", "over"],
        Query(description="playing: all that go on; waiting: those that wait for you; over: those that are over"),
    ] = "playing",
    page: schemas.PageNumber = 1,
) -> dict[str, Any]:
    """The most urgent first; those that are over, the latest first."""
    player = player_of(request)
    if which == "over":
        found = mygames_selectors.finished_games(player, mygames_selectors.FinishedSearch(), page)
    elif which == "playing":
        found = mygames_selectors.open_games(player, page)
    else:
        seats = mygames_selectors.with_tables(mygames_selectors.urgent(mygames_selectors.waiting_seats(player)))
        found = Paginator(seats, mygames_selectors.PER_PAGE).get_page(page)
    return paged(found, page, [_line(seat) for seat in found])


@router.post(
    "/games",
    auth=PLAYS,
    response={201: schemas.GameOut, **problems(401, 403, 404, 422)},
    summary="Begin against computer players",
)
def start(request: HttpRequest, payload: schemas.StartIn) -> HttpResponse | Any:
    """A game at a table of your own, where computer players take the other seats. Needs `games:play`.

    While such a table waits for its first deal, asking for the same again leads to that one: nothing is begun twice.
    """
    try:
        rules = ruleset(payload.ruleset)
    except UnknownRuleset:
        return unknown_ruleset()
    form = TableForm(
        rules,
        filled(
            TableForm(rules), {"size": payload.size, "memory": payload.memory, "level": payload.level}, payload.options
        ),
    )
    wrong = [*wrong_size(rules, payload.size), *unknown_options(rules.options, payload.options), *errors_of(form)]
    if wrong:
        return problem(422, "unusable", _("Some of it is not possible: see which parts."), errors=wrong)
    player = player_of(request)
    limit("new-game", player, rate=60, burst=30)
    size, options = form.chosen()
    game = find_or_start_table(player, ruleset(rules.id, rules.version, size), options, form.memory(), form.level())
    return Status(201, seen(game, player))


@router.get(
    "/games/{key}", auth=READS, response={200: schemas.GameOut, **problems(401, 404)}, summary="One game, as you see it"
)
def one(request: HttpRequest, key: schemas.Key) -> dict[str, Any]:
    """What its page knows and no more: your own cards if you sit there, what lies on the table if you watch."""
    player = player_of(request)
    return seen(game_for(key, player), player)


@router.get("/watch", auth=READS, response={200: schemas.WatchLines, **problems(401)}, summary="Games worth watching")
def watch(
    request: HttpRequest,
    ruleset: Annotated[str, Query(max_length=40, description="only those of this ruleset")] = "",
    pace: Annotated[Literal["", "live", "days"], Query(description="only those of this pace")] = "",
    page: schemas.PageNumber = 1,
) -> dict[str, Any]:
    """Games of others that go on and are open to everybody. `GET /games/{id}` shows what lies on the table, no hands."""
    found, lines = watching_selectors.tables(
        watching_selectors.WatchSearch(ruleset, pace), player_of(request), str(page)
    )
    return paged(found, page, [asdict(line) | {"live": line.pace == Kind.LIVE} for line in lines])


def game_for(key: str, player: Player) -> Game:
    """The game, brought up to date with its clock. Raises Http404, and ClosedTable if the player may not see it."""
    game = views.game_of(key)
    game_permissions.check_may_see(game, player)
    return game


def seen(game: Game, player: Player, done: Receipt | None = None) -> dict[str, Any]:
    """A game as `player` sees it, for `GameOut`; `done` is the receipt of their action, if they have just acted."""
    sight = table.sight_of(game, player, done.table if done is not None else None)
    out = schemas.game_out(sight, settings.SITE_URL, reverse("games:table", args=[game.public_id]))
    return out | {"hint": hint_of(game, sight)}


def unknown_ruleset() -> HttpResponse:
    """The response for an unknown ruleset."""
    return problem(404, "no-such-ruleset", _("There is no such game here. GET /rulesets lists all there are."))


def filled(form: Any, values: dict[str, Any], options: dict[str, Any]) -> dict[str, Any]:
    """The data for a form: `values` and `options`, with the form's initial values for missing ones."""
    initial = {name: form.get_initial_for_field(field, name) for name, field in form.fields.items()}
    return initial | options | {name: value for name, value in values.items() if value is not None}


def unknown_options(allowed: Any, options: dict[str, Any]) -> list[dict[str, str]]:
    """The errors of options with unknown names, and of switches that are neither true nor false."""
    by_name = {option.name: option for option in allowed}
    errors = []
    for name, value in options.items():
        if name not in by_name:
            errors.append({"where": f"options.{name[:40]}", "message": _("There is no such option.")})
        elif isinstance(by_name[name].default, bool) != isinstance(value, bool):
            errors.append({"where": f"options.{name}", "message": _("Choose one of the options in the list.")})
    return errors


def wrong_size(rules: Ruleset, size: int | None) -> list[dict[str, str]]:
    """The error of another size than the only one that a game has. Where it has several, the form looks."""
    if len(rules.sizes) > 1 or size in (None, rules.seats):
        return []
    return [{"where": "size", "message": _("This game cannot be played by that many.")}]


def errors_of(form: Any) -> list[dict[str, str]]:
    """The errors of a form, field by field."""
    if form.is_valid():
        return []
    return [
        {"where": "body" if name == "__all__" else name, "message": str(message)}
        for name, messages in form.errors.items()
        for message in messages
    ]


_OF_THE_GAME: Final = (
    "public_id", "ruleset", "kind", "status", "number", "asked", "hands_played", "totals", "created_at", "ended_at",
)  # fmt: skip
"""The fields of a line of a list that are those of its game, with the same names."""


def _line(seat: Seat) -> dict[str, Any]:
    game = seat.game
    is_asked = game.waits_for_seat(seat.number)
    waits = is_asked or mygames_selectors.is_asked_about_proposal(seat)
    return {name: getattr(game, name) for name in _OF_THE_GAME} | {
        "url": settings.SITE_URL + reverse("games:table", args=[game.public_id]),
        "seat": seat.number,
        "waits": waits,
        "until": game.deadline_at if is_asked else None,
        "hand": game.hand_number,
        "hands": int(game.options["hands"]),
        "players": [
            {
                "seat": other.number,
                "name": other.player.display_name,
                "computer": other.player.is_computer,
                "program": other.player.is_program,
            }
            for other in game.seats.all()
        ],
    }


acting_router = Router(tags=["acting"])
_ANSWERS = {200: schemas.ActedOut, **problems(401, 403, 404, 409, 422)}


@acting_router.post(
    "/games/{key}/ready", auth=PLAYS, response=_ANSWERS, summary="Sit down, or be ready for the next deal"
)
def ready(request: HttpRequest, key: schemas.Key, payload: schemas.ReadyIn) -> Any:
    """Asked where `legal` says `ready`. When all people are ready the deal begins. Needs `games:play`."""
    return perform(request, key, play.ready, payload)


@acting_router.post(
    "/games/{key}/chance",
    auth=PLAYS,
    response={200: schemas.GameOut, **problems(401, 403, 404, 409, 422)},
    summary="Add chance to a pack that is promised",
)
def add_chance(request: HttpRequest, key: schemas.Key, payload: schemas.ChanceIn) -> Any:
    """Where `adds_to` names a deal: nobody sits down for it, and its pack is mixed with what each player adds.

    Needs `games:play`.
    """
    player = player_of(request)
    game = game_for(key, player)
    game_permissions.seat_of(game, player)
    promises.add_entropy(game.pk, payload.deal, payload.entropy, by=player)
    game.refresh_from_db()
    return seen(game, player)


@acting_router.post(
    "/games/{key}/act", auth=PLAYS, response=_ANSWERS, summary="Act: cut, speak, lay away, bid, play, call"
)
def act(request: HttpRequest, key: schemas.Key, payload: schemas.ActIn) -> Any:
    """Any action of `legal`, words of the talk with it; or, where `sayable` is not empty, `say` and what is said, whoever's
    turn it is. Needs `games:play`.

    409 if the game has moved on since `expected`: the answer holds the present table, decide again. 422 if it is not
    allowed: the answer names the rule.
    """
    if not payload.action.isprintable():
        raise Malformed("an action is one line of plain signs")
    return perform(request, key, play.submit, payload)


@acting_router.post("/games/{key}/claim", auth=PLAYS, response=_ANSWERS, summary="Claim every trick that is left")
def claim(request: HttpRequest, key: schemas.Key, payload: schemas.ClaimIn) -> Any:
    """Where `question.claim` is true: your cards prove it, and the hand is played to its end. Needs `games:play`."""
    return perform(request, key, claim_rest, payload)


@acting_router.post("/games/{key}/undo", auth=PLAYS, response=_ANSWERS, summary="Ask to take an action back")
def undo(request: HttpRequest, key: schemas.Key, payload: schemas.UndoIn) -> Any:
    """Where `undo.by` is null: all people at the table have to agree. Needs `games:play`."""
    return perform(request, key, undo_services.propose, payload)


@acting_router.post("/games/{key}/go-on", auth=PLAYS, response=_ANSWERS, summary="Go on after a trick")
def go_on(request: HttpRequest, key: schemas.Key) -> Any:
    """Where `rests` is true: you wished to look at each trick. Needs `games:play`."""
    player = player_of(request)
    game = game_for(key, player)
    play.go_on(game.pk, game_permissions.seat_of(game, player), by=player)
    game.refresh_from_db()
    return {"number": game.number, "at": game.acted_at, "game": seen(game, player)}


@acting_router.post("/games/{key}/hint", auth=PLAYS, response=_ANSWERS, summary="Ask for a hint")
def hint(request: HttpRequest, key: schemas.Key, payload: schemas.HintIn) -> Any:
    """Where `may_hint` is true: the game then has the `hint`, until you act. The log says that you asked, and the hand counts
    in no statistics. Needs `games:play`."""
    return perform(request, key, play.hint, payload)


@acting_router.post(
    "/games/{key}/answer", auth=PLAYS, response=_ANSWERS, summary="Agree to what is proposed, or decline it"
)
def answer(request: HttpRequest, key: schemas.Key, payload: schemas.AnswerIn) -> Any:
    """Allowed while `undo.mine`, `ending.mine` or `clock.proposal.mine` is true. The player who proposed ending the
    game withdraws the proposal by declining. Needs `games:play`."""
    if payload.about == "undo":
        return perform(request, key, undo_services.answer, payload, exclude=("about",))
    command = ending.answer if payload.about == "end" else agreements.answer
    return perform(request, key, command, payload, exclude=("about", "move"))


@acting_router.post("/games/{key}/end", auth=PLAYS, response=_ANSWERS, summary="Propose to end the game")
def end(request: HttpRequest, key: schemas.Key, payload: schemas.EndIn) -> Any:
    """Where `ending.by` is null. It ends when everybody who plays has agreed: `POST /games/{id}/answer` about `end`.
    Needs `games:play`."""
    return perform(request, key, ending.propose, payload)


@acting_router.post("/games/{key}/leave", auth=PLAYS, response=_ANSWERS, summary="Leave the game for good")
def leave(request: HttpRequest, key: schemas.Key, payload: schemas.RequestIn) -> Any:
    """The game ends; where time is kept and others play on, a computer player takes over instead. Needs `games:play`."""
    return perform(request, key, play.resign, payload)


@acting_router.post(
    "/games/{key}/rematch",
    auth=LAYS,
    response={200: schemas.TableOut, **problems(401, 403, 404, 409, 422)},
    summary="The same people once more",
)
def play_again(request: HttpRequest, key: schemas.Key, payload: schemas.RequestIn) -> Any:
    """Lays the table of another game after one that is over, or sits down at the one that is laid. Needs `tables:write`."""
    player = player_of(request)
    limit("rematch", player, rate=30, burst=15)
    table = tables.rematch(game_for(key, player).pk, player, request_id=payload.request_id)
    return schemas.table_out(table, player)


def perform(
    request: HttpRequest,
    key: str,
    command: Callable[..., Receipt],
    payload: schemas.Asked,
    *,
    exclude: Collection[str] = (),
    about: int | None = None,
) -> Any:
    """Run `command` for the player's seat with the fields of `payload`, and return the game as the player now sees it.

    `about`: another seat that the command is about. 409 carries the current game.
    """
    player = player_of(request)
    game = game_for(key, player)
    seat = game_permissions.seat_of(game, player)
    known = {"known": game} if isinstance(payload, schemas.ActIn) else {}
    try:
        fields = payload.model_dump(exclude=set(exclude))
        receipt = command(game.pk, seat if about is None else about, **fields, by=player, **known)
    except Stale as stale:
        game.refresh_from_db()
        return refusal(stale, seen(game, player))
    if isinstance(payload, schemas.ActIn):
        mygames_services.note(game, player, payload.expected, acted=True)
    if receipt.table is None:
        game.refresh_from_db()
    else:
        game = receipt.table.game
    return {"number": receipt.number, "at": receipt.at, "game": seen(game, player, receipt)}
