"""The table over HTTP: each view reads the request, calls a command or a selector, and renders. Who may not see a game gets the same
for every table and at every moment, but that a seat is sought: who may take it is told the game, its pace and the people."""

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
from core.models import which_find
from core.prepared_queries import prepared
from domain.engine.rulesets import ruleset
from games import forms, projections
from games import permissions as watching_permissions
from games.chat import selectors as beside
from games.daily import selectors as daily
from games.daily import text as daily_text
from games.exceptions import Forbidden, MetAlready, NotYourSeat
from games.forms import TableForm
from games.lessons import lesson
from games.lessons import services as learning
from games.lobby.selectors import listed, waiting_table
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
    """The page that says that the table is closed; `refusal` is why what was asked for was not done."""
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
    """What stands at the address of a table that `player` may not see: that it is closed, or that a seat can be taken."""
    if not (game.is_sealed and game.seeks and game.status == Game.Status.PLAYING):
        return closed(request, game, refusal)
    assert game.board_set is not None
    if refusal is None and player is not None and boards.has_met(player, game.board_set):
        refusal = MetAlready()
    context = {
        "seeking": listed.seeking_of(game),
        "request_id": uuid.uuid4(),
        "refusal": str(refusal.message) if refusal is not None else "",
        "met": isinstance(refusal, MetAlready),
    }
    status = refusal.status if refusal is not None and request.method == "POST" else 200
    return unlisted(render(request, "games/watching/seat_sought.html", context, status=status))


_ON_THE_FRONT_PAGE: Final = 8
"""Open games that are named there; the rest are one link away."""


class TableRequest(PlayerRequest):
    """A request for a page of a game, which was read already to see who may look at it; None where there is none."""

    game: Game | None


def game_of(public_id: str, read: Game | None = None) -> Game:
    """The game with this public id, after what was due by its clock, with its seats read. Raises Http404.

    `read` is the same game, if its row was read just now.
    """
    game = read or next(iter(_looked_at(public_id)), None)
    if game is None:
        raise Http404
    if game.is_due(timezone.now()):
        game = tasks.catch_up(game)
    game.read_seats()
    return game


def own_seat(game: Game, player: Player | None) -> tuple[int, Player]:
    """Where the player sits. Raises NotYourSeat for anybody else."""
    if player is None:
        raise NotYourSeat
    return watching_permissions.seat_of(game, player), player


def acting(do: Callable[[PlayerRequest, Game], object]) -> Callable[..., HttpResponseBase]:
    """A view (POST) of something that is done at a table; then the table is shown, with what was refused.

    Who does something has taken note of what the page told up to the number it was sent from.
    """

    @require_POST
    @wraps(do)
    def view(request: PlayerRequest, public_id: str) -> HttpResponseBase:
        game, player = game_of(public_id), request.visit.player
        try:
            do(request, game)
        except Refusal as refusal:
            return answer(request, game, refusal)
        shown = whole_number(request.POST.get("expected", ""))
        if shown is not None and player is not None and watching_permissions.sits(game, player):
            mygames_services.note(game, player, shown, acted=True)
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
    # Nobody else sits here, or ever has, and who watches is not read before the end.
    alone = seen.viewer is not None and seen.clock is None and seen.status == Game.Status.PLAYING
    alone = alone and all(seat.own or seat.computer for seat in seen.seats)
    talks = not alone and game.kind == Game.Kind.PLAY
    others, unread = _elsewhere(game, player, talks=talks) if player is not None else (0, 0)
    # What has nothing to say of this game is not asked.
    context: dict[str, Any] = {
        "sight": seen,
        "player": player,
        "request_id": uuid.uuid4(),
        "lesson": table_services.lesson_of(game, seen) if game.kind == Game.Kind.GUIDED else None,
        "hint": table_services.hint_of(game, seen) if seen.hinted else None,
        "practice": table_services.origin_of(game, player) if game.kind == Game.Kind.PRACTICE else None,
        "computers": computers.open_hands(game) if game.kind == Game.Kind.COMPUTERS else None,
        "others_waiting": others,
        "rematch": game.status != Game.Status.PLAYING and tables.offers_rematch(game, player),
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
    """How many other games wait for the player, and how many messages they have not read here; notes whether they have planned
    anything. One query if there is nothing."""
    plays_elsewhere, is_written_to, planned = _asked_elsewhere(game.pk, player.pk, player.current.pk)[0]
    plans_services.note_whether_planned(game, player, planned)
    return (
        mygames_selectors.others_waiting(player, game.public_id) if plays_elsewhere else 0,
        beside.unread(game, player) if is_written_to and talks else 0,
    )


@prepared
def _asked_elsewhere(game: int, player: int, current: int) -> QuerySet[Model, tuple[bool, ...]]:
    here, reader = Game(pk=game), Player(pk=player)
    return which_find(
        here,
        mygames_selectors.other_seats(reader, here),
        beside.later_messages(here, reader),
        plans_services.rows_of(here, Player(pk=current)),
    )


def _beside(request: PlayerRequest, game: Game, seen: Sight) -> dict[str, Any]:
    """What stands beside the table on its page, and keeps itself up to date there."""
    shared = game.kind == Game.Kind.PLAY
    return {
        "beside": beside.panel_of(game, request.visit.player, seen),
        "watching": watching.watching_of(game, request.visit.player) if shared and seen.shared != "sealed" else None,
    }


def refusal_text(refusal: Refusal) -> str:
    """A refusal in the reader's language, with what to do."""
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
    """The table as it stands now, as the page's script or a browser without script wants it; `confirm` is asked on it.

    `done` is what its reader has just done there, of which the page is made where it says how the game stands.
    """
    if not request.htmx and refusal is None and confirm is None:
        return HttpResponseRedirect(reverse("games:table", args=[game.public_id]), status=303)
    if done is None or done.table is None:
        game.refresh_from_db()
        if not watching_permissions.may_see(game, request.visit.player):
            return instead_of_table(request, game, request.visit.player, refusal)
    context = _context(request, game, refusal, done) | {"confirm": confirm}
    status = 200 if refusal is None else refusal.status
    if request.htmx:
        return _moved_on(request, context, status)
    context |= _beside(request, game, context["sight"])
    return private(render(request, "games/table.html", context, status=status))


def _moved_on(request: HttpRequest, context: dict[str, Any], status: int = 200) -> HttpResponse:
    """The table for a page that shows it already: without the parts that it says (`X-Parts`) it shows as they are."""
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
    """As the page keeps it: "yes" while all who play look at the table and the reader is one of them, else "no"."""
    sits = watching_permissions.sits(game, request.visit.player)
    return "yes" if sits and projections.everybody_here(game) else "no"


@require_GET
def since(request: TableRequest, public_id: str, number: int) -> HttpResponseBase:
    """The table if it has moved on since `number`, or if all have come together meanwhile (`here` is what it showed), else 204."""
    game = game_of(public_id, request.game)
    shown = request.GET.get("here", "")
    if game.number == number and (not shown or shown == _all_here(request, game)):
        return private(HttpResponse(status=204))
    return _moved_on(request, _context(request, game, None))


@require_GET
def state(request: PlayerRequest, public_id: str) -> HttpResponseBase:
    """The same as the page shows, as JSON."""
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
        asked = forms.read_request(request.POST)
        action = forms.read_action(request.POST)
        confirm = None
        if player.current.confirm_plays and "sure" not in request.POST:
            confirm = table_services.asked_about(game, player, action, asked.expected)
        if confirm is not None:
            return answer(request, game, None, confirm)
        receipt = play.submit(
            game.pk, seat, action, expected=asked.expected, request_id=asked.request_id, by=player, known=game
        )
    except Refusal as refusal:
        return answer(request, game, refusal)
    mygames_services.note(game, player, asked.expected, acted=True)
    if "rest" in request.POST:
        plans_services.say_talk(game.pk, seat, Talk(("veto",)), every_deal=False, by=player)
        receipt = replace(receipt, table=None)  # it is done for them from now on
    return onward(request, game, player, receipt)


def onward(request: PlayerRequest, game: Game, player: Player, done: play.Receipt | None = None) -> HttpResponseBase:
    """After an action: the table, or, for who wishes so, the next game that waits for them; `done` as for `answer`."""
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
    asked = forms.read_request(request.POST)
    entropy = request.POST.get("entropy", "").strip().lower()
    play.ready(game.pk, seat, entropy=entropy, expected=asked.expected, request_id=asked.request_id, by=player)


def leave(request: PlayerRequest, public_id: str) -> HttpResponseBase:
    """Leave the table for good: asks once (GET), then ends the game (POST)."""
    if request.method != "POST":
        return private(render(request, "games/leave.html", _context(request, game_of(public_id), None)))
    return _leave(request, public_id)


@acting
def _leave(request: PlayerRequest, game: Game) -> None:
    seat, player = own_seat(game, request.visit.player)
    play.resign(game.pk, seat, request_id=forms.read_request_id(request.POST), by=player)


@acting
def go_on(request: PlayerRequest, game: Game) -> None:
    """The trick was looked at, or what a lesson says was read: the others play on."""
    seat, player = own_seat(game, request.visit.player)
    if game.kind == Game.Kind.GUIDED:
        asked = forms.read_request(request.POST)
        learning.mark_read(game.pk, seat, expected=asked.expected, request_id=asked.request_id, by=player)
    else:
        play.go_on(game.pk, seat, by=player)


@acting
def hint(request: PlayerRequest, game: Game) -> None:
    """Be told what a computer player would do."""
    seat, player = own_seat(game, request.visit.player)
    asked = forms.read_request(request.POST)
    play.hint(game.pk, seat, expected=asked.expected, request_id=asked.request_id, by=player)


@require_safe_or_post
def settings(request: PlayerRequest, public_id: str) -> HttpResponseBase:
    """The reader's preferences at the table, as a page or a sheet over it; saved, they lead back to the table."""
    game = game_of(public_id)
    player = request.visit.player
    if player is None or not watching_permissions.sits(game, player):
        return answer(request, game, NotYourSeat())
    form = account_forms.TableForm(request.POST if request.method == "POST" else None, instance=player)
    if form.is_valid():
        request.visit.player = player = form.write()
        if not player.waits_after_trick:
            play.go_on(game.pk, watching_permissions.seat_of(game, player), by=player)
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
    """Do not offer the guided hand any more."""
    if request.visit.player is not None:
        request.visit.player.note_guided_done()
    return HttpResponseRedirect(reverse("home"), status=303)


def _begin(request: PlayerRequest, kind: Game.Kind, rules: str = table_services.RULESET) -> HttpResponseBase:
    player, wanted = request.visit.player, rules if kind == Game.Kind.GUIDED else ""
    game = table_services.open_table_of(player, kind, wanted) if player is not None else None
    if game is None:
        if not take(f"new-game:{address_of(request)}", rate=60, per=3600, burst=30):
            return render(request, "games/too_many.html", status=429)
        game = table_services.new_table(ensure_player(request), kind, rules)
    return HttpResponseRedirect(reverse("games:table", args=[game.public_id]), status=303)


@require_POST
def practice(request: PlayerRequest) -> HttpResponseBase:
    """Lay a table at the position of an example, and sit down where it asks for a card."""
    wanted = forms.read_example(request.POST)
    position = table_services.position_of(wanted)
    if position is None:
        return render(request, "games/no_example.html", status=404)
    if not take(f"new-game:{address_of(request)}", rate=60, per=3600, burst=30):
        return render(request, "games/too_many.html", status=429)
    game = table_services.practice_table(ensure_player(request), wanted, position)
    return HttpResponseRedirect(reverse("games:table", args=[game.public_id]), status=303)


@require_safe_or_post
def choose(request: PlayerRequest) -> HttpResponseBase:
    """All games at a glance, each with the form that lays a table of it (POST)."""
    chosen = request.POST.get("game", "")
    offered, level = [], computers.level_of(request.visit.player)
    for glance in rulesets.glances():
        mine = request.method == "POST" and chosen == glance.id
        form = TableForm(ruleset(glance.id), request.POST if mine else None, level=level)
        if mine and form.is_valid():
            return _lay(request, form)
        offered.append((glance, form))
    wrong = request.method == "POST"
    return private(
        render(
            request,
            "games/choose.html",
            {"offered": offered, "taught": lesson.LESSONS, "strengths": rulesets.strengths()},
            status=422 if wrong else 200,
        )
    )


def _lay(request: PlayerRequest, form: TableForm) -> HttpResponseBase:
    if not take(f"new-game:{address_of(request)}", rate=60, per=3600, burst=30):
        return render(request, "games/too_many.html", status=429)
    size, options = form.chosen()
    rules = ruleset(form.rules.id, form.rules.version, size)
    game = table_services.table_of(ensure_player(request), rules, options, form.memory(), form.level())
    return HttpResponseRedirect(reverse("games:table", args=[game.public_id]), status=303)


def home(request: PlayerRequest) -> HttpResponseBase:
    """The front page: one's open games first, then play, and what this place is."""
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
def _looked_at(public_id: str) -> QuerySet[Game]:
    return Game.objects.select_related(*watching_permissions.WITH_IT).filter(public_id=public_id).order_by()


def guarded(patterns: Iterable[URLPattern]) -> list[URLPattern]:
    """Addresses of games behind which only those who may see the game get to the view."""
    found = list(patterns)
    for pattern in found:
        pattern.callback = _for_who_may_see(pattern.callback, pattern.name or "")
    return found


def _for_who_may_see(view: Callable[..., HttpResponseBase], name: str) -> Callable[..., HttpResponseBase]:
    """The view at the address called `name`. At a sealed table a substitute takes a seat that they could not look at."""

    @wraps(view)
    def guard(request: TableRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        public_id = kwargs.get("public_id")
        if public_id is not None:
            game = next(iter(_looked_at(public_id)), None)
            if game is not None and not watching_permissions.may_see(game, request.visit.player):
                if name == "table":
                    return instead_of_table(request, game, request.visit.player)
                if not (game.is_sealed and _is_for_others(name, request)):
                    return closed(request, game)
            request.game = game
        return view(request, *args, **kwargs)

    return guard


def _is_for_others(name: str, request: HttpRequest) -> bool:
    """What may be done at a sealed table without sitting there, where the view says itself who may: a seat is taken over, a
    moderator looks after what was reported."""
    return name == "moderate" or (name == "time" and request.POST.get("do") == "substitute")
