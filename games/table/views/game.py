"""The views of a table: each reads the request, calls a command or a selector, and renders.

Viewers who may not see a game get the same response for every such game. Only if a seat in it is open to substitutes
do they see the game, its pace and its people.
"""

from __future__ import annotations

import uuid
from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import wraps
from typing import Any, Final

from django.db.models import Model, QuerySet
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase, HttpResponseRedirect, JsonResponse
from django.shortcuts import render
from django.urls import URLPattern, reverse
from django.utils import timezone
from django.views.decorators.http import require_GET, require_POST

from accounts import forms as account_forms
from accounts.middleware import PlayerRequest, address_of
from accounts.models import Player
from accounts.services import ensure_player
from core.exceptions import Refusal
from core.http import private, require_safe_or_post, unlisted, whole_number
from core.limits import take
from core.models import existence_query
from core.prepared_queries import prepared
from domain.engine.rulesets import ruleset
from games import forms, projections
from games import permissions as game_permissions
from games.chat import selectors as beside
from games.daily import selectors as daily
from games.daily import text as daily_text
from games.exceptions import Forbidden, MetAlready, NotYourSeat
from games.forms import TableForm
from games.lessons import lesson
from games.lessons import services as learning
from games.lobby.selectors import open_tables, waiting_table
from games.lobby.services import tables
from games.models import Game
from games.mygames import selectors as mygames_selectors
from games.mygames import services as mygames_services
from games.mygames.since import for_viewer as missed_by
from games.permissions import ClosedTable
from games.plans import selectors as plans_selectors
from games.plans import services as plans_services
from games.plans.language import Talk
from games.read_models import Sight
from games.selectors import rulesets
from games.selectors import table as table_selector
from games.services import boards, computers, play
from games.table import services as table_services
from games.table import tasks
from games.text import table as table_text
from games.watching import selectors as watching
from games.watching.computers import look_in


def closed(request: HttpRequest, game: Game, refusal: Refusal | None = None) -> HttpResponseBase:
    """The page that says that the table is closed; `refusal` is the reason why an action was refused."""
    sealed = game.is_sealed
    reason = ClosedTable(sealed=sealed)
    if request.path.endswith(".json"):
        return unlisted(JsonResponse({"code": reason.code, "message": str(reason.message)}, status=reason.status))
    context = {"sealed": sealed, "refusal": str(refusal.message) if refusal is not None else ""}
    status = refusal.status if refusal is not None else reason.status
    return unlisted(render(request, "games/watching/closed.html", context, status=status))


def instead_of_table(
    request: HttpRequest, game: Game, player: Player | None, refusal: Refusal | None = None
) -> HttpResponseBase:
    """The page of a table that `player` may not see: either the table is closed, or it seeks substitutes."""
    if not (game.is_sealed and game.seeks and game.status == Game.Status.PLAYING):
        return closed(request, game, refusal)
    assert game.board_set is not None
    if refusal is None and player is not None and boards.has_met(player, game.board_set):
        refusal = MetAlready()
    context = {
        "seeking": open_tables.seeking_of(game),
        "request_id": uuid.uuid4(),
        "refusal": str(refusal.message) if refusal is not None else "",
        "met": isinstance(refusal, MetAlready),
    }
    status = refusal.status if refusal is not None and request.method == "POST" else 200
    return unlisted(render(request, "games/watching/seat_sought.html", context, status=status))


_ON_THE_FRONT_PAGE: Final = 8
"""The most open games in the list there; the others are one link away."""


class TableRequest(PlayerRequest):
    """A request for a page of a game, which `guarded` has read already; None if there is no such game."""

    game: Game | None


def game_of(public_id: str, read: Game | None = None) -> Game:
    """The game with this public id, brought up to date with its clock, with its seats read. Raises Http404.

    `read` is the same game, if its row was read just now.
    """
    game = read or next(iter(_games_with(public_id)), None)
    if game is None:
        raise Http404
    if game.is_due(timezone.now()):
        game = tasks.catch_up(game)
    game.read_seats()
    return game


def own_seat(game: Game, player: Player | None) -> tuple[int, Player]:
    """The seat of the player, and the player. Raises NotYourSeat if they do not sit here."""
    if player is None:
        raise NotYourSeat
    return game_permissions.seat_of(game, player), player


def acting(do: Callable[[PlayerRequest, Game], object]) -> Callable[..., HttpResponseBase]:
    """Make a POST view of an action at a table. The view then shows the table, with the refusal if there is one.

    Players who act have seen everything up to the number of their page; that is noted.
    """

    @require_POST
    @wraps(do)
    def view(request: PlayerRequest, public_id: str) -> HttpResponseBase:
        game, player = game_of(public_id), request.visit.player
        try:
            do(request, game)
        except Refusal as refusal:
            return answer(request, game, refusal)
        seen_number = whole_number(request.POST.get("expected", ""))
        if seen_number is not None and player is not None and game_permissions.sits(game, player):
            mygames_services.note(game, player, seen_number, acted=True)
        return answer(request, game, None)

    return view


def _context(
    request: PlayerRequest, game: Game, refusal: Refusal | None, done: play.Receipt | None = None
) -> dict[str, Any]:
    player = request.visit.player
    opened = (done.table if done is not None else None) or table_selector.opened(game)
    game = opened.game
    seen = table_selector.sight_of(game, player, opened)
    first, is_over = game.hand_number == 1, game.status == Game.Status.FINISHED
    # Alone: nobody else sits here or ever has, and the watchers' messages are not shown before the end.
    is_playing_unclocked = seen.viewer is not None and seen.clock is None and seen.status == Game.Status.PLAYING
    is_alone = is_playing_unclocked and all(seat.own or seat.computer for seat in seen.seats)
    talks = not is_alone and game.kind == Game.Kind.PLAY
    others, unread = _elsewhere(game, player, talks=talks) if player is not None else (0, 0)
    offers_rematch = game.status != Game.Status.PLAYING and tables.offers_rematch(game, player)
    # Features that do not concern this game are not asked, to save their queries.
    context: dict[str, Any] = {
        "sight": seen,
        "player": player,
        "request_id": uuid.uuid4(),
        "lesson": table_services.lesson_advice(game, seen) if game.kind == Game.Kind.GUIDED else None,
        "hint": table_services.hint_of(game, seen) if seen.hinted else None,
        "practice": table_services.origin_of(game, player) if game.kind == Game.Kind.PRACTICE else None,
        "computers": computers.open_hands(game) if game.kind == Game.Kind.COMPUTERS else None,
        "others_waiting": others,
        "rematch": offers_rematch,
        "rematch_host": waiting_table.rematch_host(game, player) if offers_rematch else "",
        "plans": plans_selectors.plans_seen(game, player, seen, opened),
        "draw": waiting_table.draw_of(game, player) if game.draws_partners and first else None,
        "drawn": game.draws_partners and not first,
        "chat_unread": unread,
        "daily": (day := daily.at_table(game) if game.board_set_id is not None else None),
        "daily_par": daily_text.par(day) if day is not None and seen.viewer is not None and is_over else "",
        "everybody_here": seen.viewer is not None and projections.everybody_here(game),
    }
    if refusal is not None:
        context["refusal"] = refusal_text(refusal)
    return context


def _elsewhere(game: Game, player: Player, *, talks: bool) -> tuple[int, int]:
    """The number of other games that wait for the player, and of messages here that they have not read.

    Notes on the game whether they have plans. One query if there is nothing.
    """
    plays_elsewhere, has_messages, has_plans = _what_exists(game.pk, player.pk, player.current.pk)[0]
    plans_selectors.note_whether_planned(game, player, has_plans)
    return (
        mygames_selectors.others_waiting(player, game.public_id) if plays_elsewhere else 0,
        beside.unread(game, player) if has_messages and talks else 0,
    )


@prepared
def _what_exists(game: int, player: int, current: int) -> QuerySet[Model, tuple[bool, ...]]:
    here, reader = Game(pk=game), Player(pk=player)
    return existence_query(
        here,
        mygames_selectors.other_seats(reader, here),
        beside.later_messages(here, reader),
        plans_selectors.rows_of(here, Player(pk=current)),
    )


def _beside(request: PlayerRequest, game: Game, seen: Sight) -> dict[str, Any]:
    """The context of the panels beside the table, which update themselves on the page."""
    may_be_watched = game.kind == Game.Kind.PLAY and seen.shared != "sealed"
    return {
        "beside": beside.panel_of(game, request.visit.player, seen),
        "watching": watching.watching_of(game, request.visit.player) if may_be_watched else None,
    }


def refusal_text(refusal: Refusal) -> str:
    """A refusal in the reader's language, with advice."""
    if isinstance(refusal, Forbidden):
        return table_text.refusal(table_selector.why_of(refusal.illegality))
    return str(refusal.message)


def answer(
    request: PlayerRequest,
    game: Game,
    refusal: Refusal | None,
    confirm: table_services.Confirmation | None = None,
    *,
    done: play.Receipt | None = None,
) -> HttpResponseBase:
    """The response to an action: the present table, as a fragment for the page's script, or for a browser without
    script.

    `confirm` is a question to show on it. `done` is the receipt of the reader's action; if it has the state of the
    game, the page is made from that.
    """
    if not request.htmx and refusal is None and confirm is None:
        return HttpResponseRedirect(reverse("games:table", args=[game.public_id]), status=303)
    if done is None or done.table is None:
        game.refresh_from_db()
        if not game_permissions.may_see(game, request.visit.player):
            return instead_of_table(request, game, request.visit.player, refusal)
    context = _context(request, game, refusal, done) | {"confirm": confirm}
    status = 200 if refusal is None else refusal.status
    if request.htmx:
        return _fragment(request, context, status)
    context |= _beside(request, game, context["sight"])
    return private(render(request, "games/table.html", context, status=status))


def _fragment(request: HttpRequest, context: dict[str, Any], status: int = 200) -> HttpResponse:
    """The table for a page that shows it already, without the parts that the page has up to date (`X-Parts`)."""
    held = frozenset(request.headers.get("X-Parts", "").split())
    response = render(request, "games/_table.html", context | {"held": held}, status=status)
    response["X-Number"] = str(context["sight"].number)
    return private(response)


@require_GET
def table(request: TableRequest, public_id: str) -> HttpResponseBase:
    game = game_of(public_id, request.game)
    look_in(game)
    context = _context(request, game, None)
    context["came_from"] = mygames_selectors.came_from(request.visit.player, request.GET.get("from", ""))
    context |= _beside(request, game, context["sight"])
    context["missed"] = missed_by(game, request.visit.player, context["sight"])
    return private(render(request, "games/table.html", context))


def _all_here(request: PlayerRequest, game: Game) -> str:
    """For the page's script: "yes" while all players look at the table and the reader is one of them, else "no"."""
    sits = game_permissions.sits(game, request.visit.player)
    return "yes" if sits and projections.everybody_here(game) else "no"


def _waits_again(request: PlayerRequest, game: Game) -> str:
    """For the page's script: "yes" while somebody has invited the reader to play once more and waits, else "no"."""
    return "yes" if waiting_table.rematch_host(game, request.visit.player) else "no"


@require_GET
def since(request: TableRequest, public_id: str, number: int) -> HttpResponseBase:
    """The table if it has moved on since `number`, else 204.

    Also if it has changed whether all players look at it, or whether one of them waits to play once more; `here` and `again`
    are what the page shows of that.
    """
    game = game_of(public_id, request.game)
    shown, again = request.GET.get("here", ""), request.GET.get("again", "")
    is_same = game.number == number and (not shown or shown == _all_here(request, game))
    if is_same and (not again or again == _waits_again(request, game)):
        return private(HttpResponse(status=204))
    return _fragment(request, _context(request, game, None))


@require_GET
def state(request: PlayerRequest, public_id: str) -> HttpResponseBase:
    """The content of the page as JSON."""
    return private(JsonResponse(table_selector.sight_of(game_of(public_id), request.visit.player).as_json()))


@require_GET
def why(request: PlayerRequest, public_id: str) -> HttpResponseBase:
    """What may be played now, card by card, and which rule says so."""
    return private(render(request, "games/why.html", _context(request, game_of(public_id), None)))


@require_POST
def act(request: TableRequest, public_id: str) -> HttpResponseBase:
    game = game_of(public_id, request.game)
    try:
        seat, player = own_seat(game, request.visit.player)
        posted = forms.read_request(request.POST)
        action = forms.read_action(request.POST)
        confirm = None
        if player.current.confirm_plays and "sure" not in request.POST:
            confirm = table_services.asked_about(game, player, action, posted.expected)
        if confirm is not None:
            return answer(request, game, None, confirm)
        receipt = play.submit(
            game.pk, seat, action, expected=posted.expected, request_id=posted.request_id, by=player, known=game
        )
    except Refusal as refusal:
        return answer(request, game, refusal)
    mygames_services.note(game, player, posted.expected, acted=True)
    if "rest" in request.POST:
        plans_services.save_talk_plan(game.pk, seat, Talk(("veto",)), every_deal=False, by=player)
        receipt = replace(receipt, table=None)  # the plan may have changed the game since
    return onward(request, game, player, receipt)


def onward(request: PlayerRequest, game: Game, player: Player, done: play.Receipt | None = None) -> HttpResponseBase:
    """The response after an action: the table, or the next game that waits for the player, if they prefer that.

    `done` is that of `answer`.
    """
    if done is not None and done.table is not None:
        game = done.table.game
    else:
        game.refresh_from_db()
    address = mygames_selectors.next_address(player, game) if player.next_game else None
    if address is not None and not request.htmx:
        return HttpResponseRedirect(address, status=303)
    response = answer(request, game, None, done=done)
    if address is not None:
        response["X-Onward"] = address
    return response


@acting
def ready(request: PlayerRequest, game: Game) -> None:
    """Take one's seat, or be ready for the next deal."""
    seat, player = own_seat(game, request.visit.player)
    posted = forms.read_request(request.POST)
    entropy = request.POST.get("entropy", "").strip().lower()
    play.ready(game.pk, seat, entropy=entropy, expected=posted.expected, request_id=posted.request_id, by=player)


def leave(request: PlayerRequest, public_id: str) -> HttpResponseBase:
    """Leave the table for good: ask for confirmation (GET), then end the game (POST)."""
    if request.method != "POST":
        return private(render(request, "games/leave.html", _context(request, game_of(public_id), None)))
    return _leave(request, public_id)


@acting
def _leave(request: PlayerRequest, game: Game) -> None:
    seat, player = own_seat(game, request.visit.player)
    play.resign(game.pk, seat, request_id=forms.read_request_id(request.POST), by=player)


@acting
def go_on(request: PlayerRequest, game: Game) -> None:
    """Let the others play on, after looking at a trick or reading what a lesson says."""
    seat, player = own_seat(game, request.visit.player)
    if game.kind == Game.Kind.GUIDED:
        posted = forms.read_request(request.POST)
        learning.mark_read(game.pk, seat, expected=posted.expected, request_id=posted.request_id, by=player)
    else:
        play.go_on(game.pk, seat, by=player)


@acting
def hint(request: PlayerRequest, game: Game) -> None:
    """Ask for a hint: what a computer player would do."""
    seat, player = own_seat(game, request.visit.player)
    posted = forms.read_request(request.POST)
    play.hint(game.pk, seat, expected=posted.expected, request_id=posted.request_id, by=player)


@require_safe_or_post
def settings(request: PlayerRequest, public_id: str) -> HttpResponseBase:
    """The reader's preferences at the table, as a page or a sheet over the table. Saving leads back to the table.

    Whoever no longer waits after a trick goes on at once.
    """
    game = game_of(public_id)
    player = request.visit.player
    if player is None or not game_permissions.sits(game, player):
        return answer(request, game, NotYourSeat())
    form = account_forms.TableForm(request.POST if request.method == "POST" else None, instance=player)
    if form.is_valid():
        request.visit.player = player = form.write()
        if not player.waits_after_trick:
            play.go_on(game.pk, game_permissions.seat_of(game, player), by=player)
        return answer(request, game, None)
    context = {"sight": table_selector.sight_of(game, player), "form": form}
    status = 422 if form.is_bound else 200
    return private(render(request, "games/settings.html", context, status=status))


@require_POST
def play_now(request: PlayerRequest) -> HttpResponseBase:
    """Go back to the open game against computer players, or begin one."""
    return _begin(request, Game.Kind.PLAY)


@require_POST
def guided(request: PlayerRequest) -> HttpResponseBase:
    """Go back to the open lesson of the chosen game, or begin it."""
    rules = request.POST.get("game", "")
    return _begin(request, Game.Kind.GUIDED, rules if rules in lesson.LESSONS else lesson.TROCCAS.ruleset)


@require_POST
def skip_guided(request: PlayerRequest) -> HttpResponseBase:
    """Stop offering the guided hand."""
    if request.visit.player is not None:
        request.visit.player.note_guided_done()
    return HttpResponseRedirect(reverse("home"), status=303)


def _begin(request: PlayerRequest, kind: Game.Kind, rules: str = table_services.RULESET) -> HttpResponseBase:
    player = request.visit.player
    ruleset_id = rules if kind == Game.Kind.GUIDED else ""
    game = table_services.open_table_of(player, kind, ruleset_id) if player is not None else None
    if game is None:
        if not take(f"new-game:{address_of(request)}", rate=60, per=3600, burst=30):
            return render(request, "games/too_many.html", status=429)
        game = table_services.new_table(ensure_player(request), kind, rules)
    return HttpResponseRedirect(reverse("games:table", args=[game.public_id]), status=303)


@require_POST
def practice(request: PlayerRequest) -> HttpResponseBase:
    """Begin a practice game at the position of an example, in the seat that has to play."""
    key = forms.read_example(request.POST)
    position = table_services.position_of(key)
    if position is None:
        return render(request, "games/no_example.html", status=404)
    if not take(f"new-game:{address_of(request)}", rate=60, per=3600, burst=30):
        return render(request, "games/too_many.html", status=429)
    game = table_services.practice_table(ensure_player(request), key, position)
    return HttpResponseRedirect(reverse("games:table", args=[game.public_id]), status=303)


@require_safe_or_post
def choose(request: PlayerRequest) -> HttpResponseBase:
    """All games at a glance, each with a form that begins one against computer players (POST)."""
    chosen = request.POST.get("game", "")
    offered, level = [], computers.level_of(request.visit.player)
    for glance in rulesets.glances():
        is_chosen = request.method == "POST" and chosen == glance.id
        form = TableForm(ruleset(glance.id), request.POST if is_chosen else None, level=level)
        if is_chosen and form.is_valid():
            return _begin_chosen(request, form)
        offered.append((glance, form))
    is_invalid = request.method == "POST"
    return private(
        render(
            request,
            "games/choose.html",
            {"offered": offered, "taught": lesson.LESSONS, "strengths": rulesets.strengths()},
            status=422 if is_invalid else 200,
        )
    )


def _begin_chosen(request: PlayerRequest, form: TableForm) -> HttpResponseBase:
    if not take(f"new-game:{address_of(request)}", rate=60, per=3600, burst=30):
        return render(request, "games/too_many.html", status=429)
    size, options = form.chosen()
    rules = ruleset(form.rules.id, form.rules.version, size)
    game = table_services.find_or_start_table(ensure_player(request), rules, options, form.memory(), form.level())
    return HttpResponseRedirect(reverse("games:table", args=[game.public_id]), status=303)


def home(request: PlayerRequest) -> HttpResponseBase:
    """The front page: the reader's open games first, then ways to play, and what this site is."""
    player = request.visit.player
    context = {
        "player": player,
        "open_games": mygames_selectors.foremost(player, _ON_THE_FRONT_PAGE) if player is not None else [],
        "daily": daily.card(player),
        "offer_guided": player is None or player.guided_done_at is None,
    }
    response = render(request, "home.html", context)
    return private(response) if player is not None else response


# who may see a game


@prepared
def _games_with(public_id: str) -> QuerySet[Game]:
    return Game.objects.select_related(*game_permissions.WITH_IT).filter(public_id=public_id).order_by()


def guarded(patterns: Iterable[URLPattern]) -> list[URLPattern]:
    """URL patterns of games whose views are reached only by viewers who may see the game."""
    guarded_patterns = list(patterns)
    for pattern in guarded_patterns:
        pattern.callback = _guarded(pattern.callback, pattern.name or "")
    return guarded_patterns


def _guarded(view: Callable[..., HttpResponseBase], name: str) -> Callable[..., HttpResponseBase]:
    """Guard the view of the URL pattern called `name`."""

    @wraps(view)
    def guard(request: TableRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        public_id = kwargs.get("public_id")
        if public_id is not None:
            game = next(iter(_games_with(public_id)), None)
            if game is not None and not game_permissions.may_see(game, request.visit.player):
                if name == "table":
                    return instead_of_table(request, game, request.visit.player)
                if not (game.is_sealed and _checks_permission_itself(name, request)):
                    return closed(request, game)
            request.game = game
        return view(request, *args, **kwargs)

    return guard


def _checks_permission_itself(name: str, request: HttpRequest) -> bool:
    """Whether people who do not sit at a sealed table may reach the view, which then checks their permission itself.

    That is so for substitutes, who take a seat at a table they cannot see, and for moderators of a reported message.
    """
    return name == "moderate" or (name == "time" and request.POST.get("do") == "substitute")
