"""Finding a table over HTTP: each view reads the request, calls the commands of waiting tables, and renders."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from functools import wraps
from typing import Any, Final

from django.contrib import messages
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase, HttpResponseRedirect
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils import translation
from django.utils.cache import patch_cache_control
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_POST
from django_htmx.http import HttpResponseClientRedirect

from accounts.middleware import PlayerRequest, address_of
from accounts.models import Player
from accounts.names import give
from accounts.services import ensure_player
from core.exceptions import Refusal
from core.http import private, require_safe_or_post, search_text, unlisted
from core.limits import take
from core.qr import code_picture
from domain.engine.rulesets import ruleset
from games import forms
from games import permissions as game_permissions
from games.exceptions import Malformed, NotYourSeat
from games.lobby import durations, tasks, text
from games.lobby import forms as lobby_forms
from games.lobby.exceptions import LobbyError
from games.lobby.models import OpenTable
from games.lobby.notifications import facts_of
from games.lobby.selectors import open_tables, waiting_table
from games.lobby.services import common, letters
from games.lobby.services import tables as services
from games.models import Game
from games.selectors import rulesets
from notices import mail

_MOST_SEATS: Final = 8


def table_of(public_id: str) -> OpenTable:
    """The table, ended first if its time is over. Raises Http404."""
    rows = OpenTable.objects.select_related("game", "host__merged_into")
    return tasks.catch_up(get_object_or_404(rows, public_id=public_id))


def _limit(request: PlayerRequest, what: str, *, rate: float, burst: int) -> None:
    """Raise ``too-often`` above `rate` an hour, counted per player, or per IP address for people without one."""
    who = f"player {request.visit.player.pk}" if request.visit.player is not None else address_of(request)
    if not take(f"{what}:{who}", rate=rate, per=3600, burst=burst):
        raise LobbyError("too-often")


# lists


@require_GET
def tables(request: PlayerRequest) -> HttpResponseBase:
    """The open tables that match the search, after the viewer's invitations and the tables where they wait."""
    player = request.visit.player
    search = lobby_forms.SearchForm(request.GET)
    sought = search.sought()
    page = open_tables.open_tables(sought, player, request.GET.get("page", "1"))
    context = {
        "search": search,
        "searching": sought != open_tables.TableSearch(),
        "page": page,
        "rows": open_tables.rows(page, player),
        "own": open_tables.rows(open_tables.own_tables(player), player),
        "invitations": open_tables.rows(open_tables.invitations_of(player), player),
        "seeking": open_tables.games_seeking(player),
        "player": player,
    }
    template = "games/lobby/_open.html" if request.htmx else "games/lobby/tables.html"
    return private(render(request, template, context))


# opening a table


@require_safe_or_post
def new(request: PlayerRequest) -> HttpResponseBase:
    """Open a new table in three steps: the game, the pace, and the table itself (POST).

    With `invite`, a public id, that person is invited to it.
    """
    chosen = request.GET.get("game", "")
    person = _person_to_invite(request)
    if chosen not in rulesets.ORDER:
        games = {"step": 1, "games": rulesets.glances(), "person": person}
        return private(render(request, "games/lobby/new_game.html", games))
    game = rulesets.glance(chosen)
    pace = text.pace_of(request.GET.get("pace", ""))
    if pace is None:
        paces = [
            (each, durations.sentence(chosen, each, lobby_forms.usual_hands(ruleset(chosen), each)))
            for each in text.offered_paces()
        ]
        offered = {"step": 2, "game": game, "paces": paces, "usual": text.USUAL, "person": person}
        return private(render(request, "games/lobby/new_pace.html", offered))
    rules = ruleset(chosen)
    form = lobby_forms.NewTableForm(
        rules, pace, request.visit.player, request.POST if request.method == "POST" else None
    )
    status = 200
    if request.method == "POST":
        status = 422
        if form.is_valid():
            try:
                return _lay(request, form, person)
            except Refusal as refusal:
                _forget_unkept(request)
                form.add_error(None, str(refusal.message))
                status = refusal.status
    words = text.pace_words(pace.terms)
    takes = durations.sentence(chosen, pace, lobby_forms.usual_hands(rules, pace))
    context = {
        "step": 3,
        "game": game,
        "pace": pace,
        "words": words,
        "takes": takes,
        "form": form,
        "person": person,
        "request_id": uuid.uuid4(),
    }
    return private(render(request, "games/lobby/new_table.html", context, status=status))


def _person_to_invite(request: PlayerRequest) -> Player | None:
    """The person to invite to a new table; None if missing, without a page, or the viewer."""
    public_id = request.GET.get("invite", "")
    person = open_tables.person_to_invite(public_id) if public_id else None
    if person is None or person.page == "" or person.current == request.visit.player:
        return None
    return person.current


def _lay(request: PlayerRequest, form: lobby_forms.NewTableForm, person: Player | None) -> HttpResponseBase:
    request_id = forms.read_request_id(request.POST)
    _limit(request, "lay-table", rate=30, burst=15)
    with transaction.atomic():  # a name is kept only with the table it was given for
        player = ensure_player(request)
        if form.cleaned_data.get("name") and not player.name:
            give(player, form.cleaned_data["name"])
        table = services.open_table(player, form.wish(), request_id=request_id)
    if person is not None and table.state == OpenTable.State.WAITING:
        _ask(request, table, player, person, uuid.uuid5(request_id, "invite"))
    return HttpResponseRedirect(_table_url(table), status=303)


def _ask(request: PlayerRequest, table: OpenTable, player: Player, person: Player, request_id: uuid.UUID) -> None:
    """Invite the person for whom the table was opened. If that fails, the table stays open and the page says so."""
    fields = {"name": person.display_name}
    try:
        services.invite(table.pk, player, person, request_id=request_id)
    except Refusal:
        messages.error(request, _("%(name)s cannot be invited. Your table is open all the same.") % fields)
    else:
        messages.success(request, _("%(name)s is invited.") % fields)


@require_GET
def invite_person(request: PlayerRequest, public_id: str) -> HttpResponseBase:
    """Choose the table to invite somebody to: one of the viewer's waiting tables, or a new one.

    `invite` does the rest.
    """
    person, player = open_tables.person_to_invite(public_id), request.visit.player
    if person is None or not person.page:
        raise Http404
    if player is None:
        return HttpResponseRedirect(f"{reverse('account_login')}?next={request.path}")
    if person.current.pk == player.pk:
        return HttpResponseRedirect(reverse("tables:list"))
    candidates = open_tables.tables_to_ask_to(player, person.current)
    context = {"person": person.current, "rows": open_tables.rows(candidates, player), "request_id": uuid.uuid4()}
    return private(render(request, "games/lobby/invite.html", context))


def _table_url(table: OpenTable) -> str:
    """The address where people at the table go on: its page, or its game once it has begun."""
    return common.url_of(OpenTable.objects.select_related("game").get(pk=table.pk))


# the table that waits


def _context(
    request: PlayerRequest,
    table: OpenTable,
    refusal: Refusal | None = None,
    letter_form: lobby_forms.LetterForm | None = None,
) -> dict[str, Any]:
    player = request.visit.player
    link = request.build_absolute_uri(reverse("lobby:table", args=[table.public_id]))
    context: dict[str, Any] = {
        "seen": waiting_table.waiting_table_of(table, player),
        "player": player,
        "link": link,
        "request_id": uuid.uuid4(),
        "refusal": str(refusal.message) if refusal is not None else "",
        "draw": waiting_table.draw_of(table.game, player)
        if table.game and game_permissions.may_see(table.game, player)
        else None,
    }
    if context["seen"].is_host and context["seen"].waiting and player is not None:
        find = search_text(request)
        context["find"] = find
        context["followed"] = followed = open_tables.people_to_ask(table, player)
        context["letter_form"] = letter_form or lobby_forms.LetterForm()
        context["letters"] = table.letters.count()
        context["may_write"] = bool(mail.address_of(player))
        if not find:
            context["found"] = [each for each in open_tables.people_played_with(table, player) if each not in followed]
        elif take(f"find-people:{player.pk}", rate=60, per=600, burst=30):
            context["found"] = open_tables.people_called(find, player)
    return context


@require_GET
def table(request: PlayerRequest, public_id: str) -> HttpResponseBase:
    """The table while it waits, and afterwards what became of it."""
    return private(render(request, "games/lobby/table.html", _context(request, table_of(public_id))))


@require_GET
def since(request: PlayerRequest, public_id: str, number: int) -> HttpResponseBase:
    """The table if anything has happened since event `number`, else 204.

    Players are redirected once the game has begun.
    """
    open_table = table_of(public_id)
    if open_table.number == number:
        return private(HttpResponse(status=204))
    context = _context(request, open_table)
    if context["seen"].sits and context["seen"].game_url:
        return private(HttpResponseClientRedirect(context["seen"].game_url))
    return private(render(request, "games/lobby/_table.html", context))


@require_GET
def qr(request: HttpRequest, public_id: str) -> HttpResponseBase:
    """The table's address as a QR code."""
    address = request.build_absolute_uri(reverse("lobby:table", args=[table_of(public_id).public_id]))
    response = code_picture(address)
    patch_cache_control(response, private=True, max_age=3600)
    return response


def _refusal_page(request: PlayerRequest, open_table: OpenTable, refusal: Refusal) -> HttpResponseBase:
    context = _context(request, table_of(open_table.public_id), refusal)
    return private(render(request, "games/lobby/table.html", context, status=refusal.status))


def _seat(request: HttpRequest) -> int | None:
    """The seat in the request; None if missing. Raises Malformed."""
    if not request.POST.get("seat"):
        return None
    seat = forms.read_number(request.POST, "seat", digits=1)
    if seat >= _MOST_SEATS:
        raise Malformed("seat is a number")
    return seat


def _needed_seat(request: HttpRequest) -> int:
    """The seat in the request. Raises Malformed, also if it is missing."""
    seat = _seat(request)
    if seat is None:
        raise Malformed("a seat is missing")
    return seat


def acting(act: Callable[[PlayerRequest, OpenTable, Player, uuid.UUID], object]) -> Callable[..., HttpResponseBase]:
    """A view that lets a known player do something at a table, and then shows the table or the refusal."""

    @require_POST
    @wraps(act)
    def view(request: PlayerRequest, public_id: str) -> HttpResponseBase:
        open_table = table_of(public_id)
        try:
            player = request.visit.player
            if player is None:
                raise NotYourSeat
            _limit(request, "at-tables", rate=240, burst=60)
            act(request, open_table, player, forms.read_request_id(request.POST))
        except Refusal as refusal:
            return _refusal_page(request, open_table, refusal)
        return HttpResponseRedirect(_table_url(open_table), status=303)

    return view


@require_POST
def join(request: PlayerRequest, public_id: str) -> HttpResponseBase:
    """Sit down. A visitor becomes a guest with a name if need be."""
    open_table = table_of(public_id)
    try:
        request_id = forms.read_request_id(request.POST)
        seat = _seat(request)
        _limit(request, "join-table", rate=60, burst=30)
        if request.visit.player is None and open_table.entry == OpenTable.Entry.MEMBERS:
            raise LobbyError("members-only")
        with transaction.atomic():  # neither a guest nor a name is kept where nobody could sit down
            player = ensure_player(request)
            if not player.name:
                give(player, _name(request))
            services.join(open_table.pk, player, request_id=request_id, seat=seat)
    except Refusal as refusal:
        _forget_unkept(request)
        return _refusal_page(request, open_table, refusal)
    return HttpResponseRedirect(_table_url(open_table), status=303)


def _forget_unkept(request: PlayerRequest) -> None:
    """After a rollback, drop from the request the guest that was created in it, or the name that was given in it."""
    player = request.visit.player
    if player is not None and not Player.objects.filter(pk=player.pk).exists():
        request.visit.player = None
        request.visit.forget()
    elif player is not None:
        player.refresh_from_db()


def _name(request: HttpRequest) -> str:
    form = lobby_forms.NameForm(request.POST)
    if not form.data.get("name", "").strip():
        raise LobbyError("name-needed")
    if not form.is_valid():
        raise LobbyError("name-needed", " ".join(str(error) for error in form.errors["name"]))
    return str(form.cleaned_data["name"])


@acting
def leave(request: PlayerRequest, open_table: OpenTable, player: Player, request_id: uuid.UUID) -> object:
    services.leave(open_table.pk, player, request_id=request_id)
    messages.success(request, _("You are no longer waiting at that table."))
    return None


@acting
def invite(request: PlayerRequest, open_table: OpenTable, player: Player, request_id: uuid.UUID) -> object:
    _limit(request, "invite", rate=40, burst=20)
    person = open_tables.person_to_invite(request.POST.get("person", ""))
    if person is None:
        raise Malformed("person is the public id of a player")
    return services.invite(open_table.pk, player, person, seat=_seat(request), request_id=request_id)


@require_POST
def invite_address(request: PlayerRequest, public_id: str) -> HttpResponseBase:
    """Invite whoever reads mail at an address. The response is the same whether or not it belongs to an account."""
    open_table, player = table_of(public_id), request.visit.player
    form = lobby_forms.LetterForm(request.POST)
    refusal: Refusal | None = None
    try:
        if player is None:
            raise NotYourSeat
        _limit(request, "invite", rate=40, burst=20)
        request_id = forms.read_request_id(request.POST)
        if form.is_valid():
            data = form.cleaned_data
            letters.invite_address(
                open_table.pk, player, data["address"], language=data["language"], request_id=request_id
            )
            messages.success(
                request,
                _(
                    "The invitation goes to this address, unless whoever reads there wants none, or has had several this "
                    "week. You are not told whether they have an account."
                ),
            )
            return HttpResponseRedirect(f"{_table_url(open_table)}#invite", status=303)
    except Refusal as error:
        refusal = error
    context = _context(request, table_of(public_id), refusal, form)
    status = refusal.status if refusal is not None else 422
    return private(render(request, "games/lobby/table.html", context, status=status))


@require_safe_or_post
def letter(request: PlayerRequest, token: str) -> HttpResponseBase:
    """The table to which a mail invites. GET shows what is played there; POST sits down, also as a guest.

    Opening it changes nothing. The link is for one person: others read that it has been used.
    """
    target = letters.find_letter(token)
    player = request.visit.player
    if target.table is not None and player is not None and target.table.chairs.filter(player=player).exists():
        return HttpResponseRedirect(_table_url(target.table), status=303)
    if target.letter is None:
        return unlisted(render(request, "games/lobby/letter_over.html", status=410))
    if player is None:  # a reader without a language of their own reads on in the language of the mail
        translation.activate(target.letter.language)
    table = target.letter.table
    refusal: Refusal | None = None
    if request.method == "POST":
        try:
            request_id = forms.read_request_id(request.POST)
            _limit(request, "join-table", rate=60, burst=30)
            with transaction.atomic():  # neither a guest nor a name is kept where nobody could sit down
                player = ensure_player(request)
                if not player.name:
                    give(player, _name(request))
                letters.join_by_invitation(target.letter, player, request_id=request_id)
        except Refusal as error:
            _forget_unkept(request)
            refusal = error
        else:
            return HttpResponseRedirect(_table_url(table), status=303)
    context = {
        "name": target.letter.by.display_name,
        "facts": facts_of(table.public_id),
        "needs_name": request.visit.player is None or not request.visit.player.name,
        "given": request.POST.get("name", ""),
        "refusal": str(refusal.message) if refusal is not None else "",
        "request_id": uuid.uuid4(),
    }
    page = render(request, "games/lobby/letter.html", context, status=refusal.status if refusal is not None else 200)
    return unlisted(page)


def doing(
    command: Callable[..., object], seat: Callable[[HttpRequest], int | None] | None = None
) -> Callable[..., HttpResponseBase]:
    """A view that only calls `command`, with the `seat` that is read from the request, if any."""

    @acting
    def view(request: PlayerRequest, open_table: OpenTable, player: Player, request_id: uuid.UUID) -> object:
        kwargs = {"seat": seat(request)} if seat is not None else {}
        return command(open_table.pk, player, request_id=request_id, **kwargs)

    return view


start = doing(services.start)
extend = doing(common.extend)
close = doing(services.close)
decline = doing(services.decline)
computer = doing(services.add_computer, _seat)
move = doing(services.move, _needed_seat)
remove = doing(services.remove, _needed_seat)


# games


@require_POST
def play_again(request: PlayerRequest, public_id: str) -> HttpResponseBase:
    """Play again with the same people: open a table, or redirect to the one that is open already."""
    game = get_object_or_404(Game, public_id=public_id)
    try:
        if request.visit.player is None:
            raise NotYourSeat
        _limit(request, "rematch", rate=30, burst=15)
        table = services.rematch(game.pk, request.visit.player, request_id=forms.read_request_id(request.POST))
    except Refusal as refusal:
        messages.error(request, str(refusal.message))
        return HttpResponseRedirect(reverse("games:table", args=[game.public_id]), status=303)
    return HttpResponseRedirect(_table_url(table), status=303)


@require_GET
def draw(request: PlayerRequest, public_id: str) -> HttpResponseBase:
    """How partners were drawn."""
    game = get_object_or_404(Game, public_id=public_id)
    seen = waiting_table.draw_of(game, request.visit.player)
    if seen is None:
        raise Http404
    return private(render(request, "games/draw.html", {"draw": seen, "public_id": game.public_id}))
