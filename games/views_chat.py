"""The chats and notes of a game over HTTP: reading, writing, agreeing, and what one does about others' messages."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from typing import Any, Final

from django.contrib import messages
from django.http import Http404, HttpResponse, HttpResponseBase, HttpResponseRedirect, JsonResponse, QueryDict
from django.shortcuts import render
from django.urls import reverse
from django.utils.cache import patch_cache_control
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from accounts.models import Player
from accounts.visits import PlayerRequest
from accounts.you_forms import ReportForm
from games import forms, views
from games.chat import door, moderating, muting, notes, panel, rights, seen
from games.chat.greetings import greetings
from games.chat.refusals import NoSuchMessage, SignIn
from games.chat_models import Message
from games.models import Game
from games.refusals import Malformed, NotNow, Refusal

PAGE: Final = 100
"""Messages of each chat on a page of their own."""


def _private(response: HttpResponseBase) -> HttpResponseBase:
    """What is made for one viewer is kept by nobody."""
    patch_cache_control(response, private=True, no_store=True)
    response["X-Robots-Tag"] = "noindex"
    return response


def _fetched(request: PlayerRequest) -> bool:
    return request.headers.get("X-Requested-With") == "fetch"


def _number(data: QueryDict, name: str, *, default: int | None = None) -> int:
    text = data.get(name, "")
    if not text and default is not None:
        return default
    if not (text.isascii() and text.isdigit() and len(text) < 18):
        raise Malformed(f"{name} is a whole number")
    return int(text)


# the chats


@require_http_methods(["GET", "HEAD", "POST"])
def chat(request: PlayerRequest, public_id: str) -> HttpResponseBase:
    """The chats of a game that the viewer may read; what the field `do` says is done (POST)."""
    game = views.game_of(public_id)
    if request.method != "POST":
        return _chat(request, game)
    try:
        player = _player(request)
        what = request.POST.get("do", "")
        if what not in _DOING:
            raise Malformed("do names what is wanted")
        _DOING[what](game, player, request.POST)
    except Refusal as refusal:
        return _chat(request, game, refusal)
    if _fetched(request):
        return _chat(request, game)
    back = reverse("games:chat" if "page" in request.POST else "games:table", args=[game.public_id])
    return HttpResponseRedirect(f"{back}#chat", status=303)


def _player(request: PlayerRequest) -> Player:
    if request.player is None:
        raise SignIn
    return request.player


def _chat(request: PlayerRequest, game: Game, refusal: Refusal | None = None) -> HttpResponseBase:
    status = 200 if refusal is None else refusal.status
    fragment = _fetched(request)
    before = request.GET.get("before", "")
    shown = seen.of(
        game,
        request.player,
        before=int(before) if before.isascii() and before.isdigit() and len(before) < 18 else None,
        limit=seen.SHOWN if fragment else PAGE,
    )
    context: dict[str, Any] = {
        "public_id": game.public_id,
        "greetings": greetings(),
        "chat": shown,
        "chat_page": not fragment,
        "before": before,
        "zone": panel.zone_of(request.player),
        "player": request.player,
        "request_id": uuid.uuid4(),
        "chat_refusal": views.refusal_text(refusal) if refusal is not None else "",
        "written": request.POST.get("text", "")[:4000] if refusal is not None else "",
        "written_in": request.POST.get("channel", "") if refusal is not None else "",
    }
    return _private(render(request, "games/_chat_body.html" if fragment else "games/chat.html", context, status=status))


def _say(game: Game, player: Player, data: QueryDict) -> None:
    door.say(game.pk, player, data.get("channel", ""), data.get("text", ""), request_id=forms.read_request_id(data))


def _greet(game: Game, player: Player, data: QueryDict) -> None:
    door.greet(
        game.pk, player, data.get("channel", ""), data.get("greeting", ""), request_id=forms.read_request_id(data)
    )


def _other(data: QueryDict) -> Player:
    found = Player.objects.select_related("merged_into").filter(public_id=data.get("person", "")[:20]).first()
    if found is None or found.is_computer:
        raise NotNow
    return found


_DOING: Final[dict[str, Callable[[Game, Player, QueryDict], object]]] = {
    "say": _say,
    "greet": _greet,
    "read": lambda game, player, data: door.read(game, player, _number(data, "up_to")),
    "close": lambda game, player, _data: door.close_for_me(game, player, closed=True),
    "reopen": lambda game, player, _data: door.close_for_me(game, player, closed=False),
    "propose": lambda game, player, data: door.propose(game.pk, player, data.get("mode", "")),
    "agree": lambda game, player, _data: door.answer(game.pk, player, agree=True),
    "decline": lambda game, player, _data: door.answer(game.pk, player, agree=False),
    "mute": lambda _game, player, data: muting.mute(player, _other(data)),
    "unmute": lambda _game, player, data: muting.unmute(player, _other(data)),
}


# notes


@require_http_methods(["GET", "HEAD", "POST"])
def own_notes(request: PlayerRequest, public_id: str) -> HttpResponseBase:
    """The viewer's notes of a game: all on a page, or (for the page's script) that of one `hand` and `trick`; POST writes."""
    game = views.game_of(public_id)
    try:
        player = _player(request)
        if request.method == "POST":
            return _write_note(request, game, player)
        if _fetched(request):
            hand, trick = _number(request.GET, "hand"), _number(request.GET, "trick")
            return _private(JsonResponse({"text": notes.notes_at(game, player, hand, trick)[1]}))
    except Refusal as refusal:
        if _fetched(request):
            return _private(JsonResponse({"refusal": views.refusal_text(refusal)}, status=refusal.status))
        return _notes_page(request, game, refusal)
    return _notes_page(request, game, None)


def _write_note(request: PlayerRequest, game: Game, player: Player) -> HttpResponseBase:
    data = request.POST
    notes.write(
        game,
        player,
        data.get("text", ""),
        hand=_number(data, "hand"),
        trick=_number(data, "trick"),
        number=_number(data, "number", default=game.number),
    )
    if _fetched(request):
        return _private(HttpResponse(status=204))
    if "page" in data:
        return HttpResponseRedirect(reverse("games:notes", args=[game.public_id]), status=303)
    return HttpResponseRedirect(f"{reverse('games:table', args=[game.public_id])}#notes", status=303)


def _notes_page(request: PlayerRequest, game: Game, refusal: Refusal | None) -> HttpResponseBase:
    player, data = request.player, request.POST
    context: dict[str, Any] = {
        "public_id": game.public_id,
        "notes": [(f"note-{one.pk}", one) for one in notes.all_notes(game, player)] if player is not None else [],
        "zone": panel.zone_of(player),
    }
    if refusal is not None:
        context |= {"refusal": views.refusal_text(refusal), "written": data.get("text", "")[:8000]}
        context |= {"hand": data.get("hand", "0")[:4], "trick": data.get("trick", "0")[:4]}
    return _private(render(request, "games/notes.html", context, status=200 if refusal is None else refusal.status))


# reports, and what moderators do


@require_http_methods(["GET", "HEAD", "POST"])
def report(request: PlayerRequest, public_id: str, message: int) -> HttpResponseBase:
    """Tell the moderators about a message."""
    game = views.game_of(public_id)
    table = reverse("games:table", args=[game.public_id])
    form = ReportForm(request.POST if request.method == "POST" else None, context=table)
    status, refused, row = 200, "", None
    try:
        player = _player(request)
        row = moderating.find(game, message, player)
        if row.author_id == player.pk:
            raise NotNow
        if request.method == "POST":
            if form.is_valid():
                data = form.cleaned_data
                moderating.report(row, player, reason=data["reason"], words=data["text"])
                messages.success(request, _("Thank you. The moderators will look at it."))
                return HttpResponseRedirect(f"{table}#chat", status=303)
            status = 422
    except NoSuchMessage:
        raise Http404 from None
    except Refusal as refusal:
        status, refused = refusal.status, views.refusal_text(refusal)
    shown = (
        next((one for one in seen.messages_of(game, row.hand, request.player) if one.id == message), None)
        if row
        else None
    )
    context = {"public_id": public_id, "message": shown, "form": form, "refusal": refused}
    return _private(render(request, "games/report_message.html", context, status=status))


@require_http_methods(["GET", "HEAD", "POST"])
def appeal(request: PlayerRequest, public_id: str, message: int) -> HttpResponseBase:
    """The author of a removed message reads why, and can ask the moderators to look again."""
    game, player = views.game_of(public_id), request.player
    row = Message.objects.filter(pk=message, game=game, author=player, removed_at__isnull=False).first()
    if player is None or row is None or row.kind == Message.Kind.GONE:
        raise Http404
    status, refused = 200, ""
    if request.method == "POST":
        try:
            moderating.appeal(row, player, request.POST.get("text", ""))
        except Refusal as refusal:
            status, refused = refusal.status, views.refusal_text(refusal)
        else:
            messages.success(request, _("Thank you. A moderator will look at it again."))
            return HttpResponseRedirect(reverse("games:table", args=[game.public_id]), status=303)
    context = {
        "public_id": public_id,
        "message": row,
        "refusal": refused,
        "written": request.POST.get("text", "")[:1000],
    }
    return _private(render(request, "games/appeal.html", context, status=status))


@require_http_methods(["GET", "HEAD", "POST"])
def moderate(request: PlayerRequest, public_id: str, message: int) -> HttpResponseBase:
    """A reported message with what stood around it, for moderators: remove it, put it back, keep its author from writing."""
    game, player = views.game_of(public_id), request.player
    row = Message.objects.filter(pk=message, game=game).select_related("game", "author__merged_into").first()
    if row is None or player is None or not moderating.may_moderate(row, player):
        raise Http404
    status, refused = 200, ""
    if request.method == "POST":
        try:
            messages.success(request, _moderate(row, player, request.POST))
            return HttpResponseRedirect(request.path, status=303)
        except Refusal as refusal:
            status, refused = refusal.status, views.refusal_text(refusal)
    context = {
        "message": row,
        "evidence": moderating.evidence(str(row.pk), player),
        "ban": rights.ban_of(row.author.current),
        "lengths": [length.days for length in moderating.BANS],
        "removable": row.kind == Message.Kind.SAID,
        "refusal": refused,
        "reason": request.POST.get("reason", "")[:400],
    }
    return _private(render(request, "games/moderate.html", context, status=status))


def _moderate(row: Message, player: Player, data: QueryDict) -> str:
    """Do what the form asks for; the sentence that says so."""
    what, reason = data.get("do", ""), data.get("reason", "")
    if what == "remove":
        moderating.remove(row, player, reason)
        return _("The message is removed. Its author is told why.")
    if what == "restore":
        moderating.restore(row, player)
        return _("The message stands again.")
    if what == "suspend":
        days = _number(data, "days")
        length = next((length for length in moderating.BANS if length.days == days), None)
        if length is None:
            raise Malformed("days is one of those that are offered")
        moderating.suspend(row.author, player, length, reason)
        return _("They cannot write in chats for that time, and are told why.")
    if what == "lift":
        moderating.lift(row.author)
        return _("They can write again.")
    raise Malformed("do names what is wanted")
