"""The views of a game's chats and notes: reading, writing, agreeing, and reporting and moderating messages."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from functools import partial
from typing import Any, Final

from django.contrib import messages
from django.http import Http404, HttpResponse, HttpResponseBase, HttpResponseRedirect, JsonResponse, QueryDict
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _

from accounts import reports as account_reports
from accounts.forms import ReportForm
from accounts.middleware import PlayerRequest
from accounts.models import Player
from core.exceptions import Refusal
from core.http import require_safe_or_post, unlisted, whole_number
from games import forms
from games.chat import moderation, selectors
from games.chat import permissions as chat_permissions
from games.chat import services as chat_services
from games.chat.exceptions import ChatError, NoSuchMessage
from games.chat.models import Message
from games.chat.selectors import notes_at
from games.chat.text import greetings
from games.exceptions import Malformed, NotNow
from games.models import Game
from games.selectors.table import hand_at, ordinals_of
from games.table.views import game as views

PAGE: Final = 100
"""The number of messages of each chat on the page of the chats."""


_number: Final = partial(forms.read_number, digits=17)


# the chats


@require_safe_or_post
def chat(request: PlayerRequest, public_id: str) -> HttpResponseBase:
    """The chats of a game that the viewer may read. POST does what the field `do` names."""
    game = views.game_of(public_id)
    if request.method != "POST":
        return _chat(request, game)
    try:
        player = _player(request)
        verb = request.POST.get("do", "")
        if verb not in _DOING:
            raise Malformed("do names no known action")
        _DOING[verb](game, player, request.POST)
    except Refusal as refusal:
        return _chat(request, game, refusal)
    if request.htmx:
        return _chat(request, game)
    back = reverse("games:chat" if "page" in request.POST else "games:table", args=[game.public_id])
    return HttpResponseRedirect(f"{back}#chat", status=303)


def _player(request: PlayerRequest) -> Player:
    if request.visit.player is None:
        raise ChatError("members-only")
    return request.visit.player


def _chat(request: PlayerRequest, game: Game, refusal: Refusal | None = None) -> HttpResponseBase:
    status = 200 if refusal is None else refusal.status
    fragment = bool(request.htmx)
    before = request.GET.get("before", "")
    limit = selectors.SHOWN if fragment else PAGE
    context: dict[str, Any] = {
        "public_id": game.public_id,
        "greetings": greetings(),
        "chat": selectors.chats_of(game, request.visit.player, before=whole_number(before, 17), limit=limit),
        "chat_page": not fragment,
        "before": before,
        "player": request.visit.player,
        "request_id": uuid.uuid4(),
        "chat_refusal": views.refusal_text(refusal) if refusal is not None else "",
        "written": request.POST.get("text", "")[:4000] if refusal is not None else "",
        "written_in": request.POST.get("channel", "") if refusal is not None else "",
    }
    return unlisted(render(request, "games/_chat_body.html" if fragment else "games/chat.html", context, status=status))


def _writes(write: Callable[..., object], field: str) -> Callable[[Game, Player, QueryDict], object]:
    return lambda game, player, data: write(
        game.pk, player, data.get("channel", ""), data.get(field, ""), request_id=forms.read_request_id(data)
    )


def _other(data: QueryDict) -> Player:
    person = Player.objects.select_related("merged_into").filter(public_id=data.get("person", "")[:20]).first()
    if person is None or person.is_computer:
        raise NotNow
    return person


_DOING: Final[dict[str, Callable[[Game, Player, QueryDict], object]]] = {
    "say": _writes(chat_services.say, "text"),
    "greet": _writes(chat_services.greet, "greeting"),
    "read": lambda game, player, data: chat_services.mark_read(game, player, _number(data, "up_to")),
    "close": lambda game, player, _data: chat_services.close_for_me(game, player, closed=True),
    "reopen": lambda game, player, _data: chat_services.close_for_me(game, player, closed=False),
    "propose": lambda game, player, data: chat_services.propose(game.pk, player, data.get("mode", "")),
    "agree": lambda game, player, data: chat_services.answer(game.pk, player, agree=True, mode=data.get("mode", "")),
    "decline": lambda game, player, data: chat_services.answer(game.pk, player, agree=False, mode=data.get("mode", "")),
    "mute": lambda _game, player, data: chat_services.mute(player, _other(data)),
    "unmute": lambda _game, player, data: chat_services.unmute(player, _other(data)),
}


# notes


@require_safe_or_post
def own_notes(request: PlayerRequest, public_id: str) -> HttpResponseBase:
    """The viewer's notes of a game: a page of all, or (for the page's script) the one of a `hand` and `trick`, with the
    ordinal of that hand.

    POST writes one.
    """
    game = views.game_of(public_id)
    try:
        player = _player(request)
        if request.method == "POST":
            return _write_note(request, game, player)
        if request.htmx:
            hand, trick = _number(request.GET, "hand"), _number(request.GET, "trick")
            text = notes_at(game, player, hand, trick)[1]
            return unlisted(JsonResponse({"text": text, "ordinal": hand_at(game.public_id, hand)}))
    except Refusal as refusal:
        if request.htmx:
            told = {"refusal": views.refusal_text(refusal)}
            if refusal.code == "note-changed":
                told["text"] = _stored_note(game, player, request.POST)
            return unlisted(JsonResponse(told, status=refusal.status))
        return _notes_page(request, game, refusal)
    return _notes_page(request, game, None)


def _stored_note(game: Game, player: Player, data: QueryDict) -> str:
    return notes_at(game, player, _number(data, "hand"), _number(data, "trick"))[1]


def _write_note(request: PlayerRequest, game: Game, player: Player) -> HttpResponseBase:
    data = request.POST
    chat_services.write(
        game,
        player,
        data.get("text", ""),
        hand=_number(data, "hand"),
        trick=_number(data, "trick"),
        number=_number(data, "number") if data.get("number") else game.number,
        known=data.getlist("known") if "known" in data else None,
    )
    if request.htmx:
        return unlisted(HttpResponse(status=204))
    if "page" in data:
        return HttpResponseRedirect(reverse("games:notes", args=[game.public_id]), status=303)
    return HttpResponseRedirect(f"{reverse('games:table', args=[game.public_id])}#notes", status=303)


def _notes_page(request: PlayerRequest, game: Game, refusal: Refusal | None) -> HttpResponseBase:
    player, data = request.visit.player, request.POST
    notes = chat_services.all_notes(game, player) if player is not None else []
    context: dict[str, Any] = {"public_id": game.public_id}
    ordinals = ordinals_of(game.public_id)
    context["notes"] = [(f"note-{one.pk}", one, ordinals.get(one.hand)) for one in notes]
    if refusal is not None:
        context |= {"refusal": views.refusal_text(refusal), "written": data.get("text", "")[:8000]}
        hand, trick = (whole_number(data.get(field, "")) or 0 for field in ("hand", "trick"))
        context |= {"hand": hand, "trick": trick, "ordinal": ordinals.get(hand)}
        context["known"] = data.get("known", "")
        if refusal.code == "note-changed" and player is not None:
            context["known"] = _stored_note(game, player, data)
    return unlisted(render(request, "games/notes.html", context, status=200 if refusal is None else refusal.status))


# reports, and what moderators do


@require_safe_or_post
def report(request: PlayerRequest, public_id: str, message: int) -> HttpResponseBase:
    game = views.game_of(public_id)
    table = reverse("games:table", args=[game.public_id])
    form = ReportForm(request.POST if request.method == "POST" else None, context=table)
    status, refused, row = 200, "", None
    try:
        player = _player(request)
        row = moderation.find_message(game, message, player)
        if row.author_id == player.pk:
            raise NotNow
        if request.method == "POST":
            if form.is_valid():
                data = form.cleaned_data
                moderation.report(row, player, reason=data["reason"], text=data["text"])
                messages.success(request, account_reports.thanks(row.author))
                return HttpResponseRedirect(f"{table}#chat", status=303)
            status = 422
    except NoSuchMessage:
        raise Http404 from None
    except Refusal as refusal:
        status, refused = refusal.status, views.refusal_text(refusal)
    read = selectors.messages_of(game, row.hand, request.visit.player) if row is not None else ()
    shown = next((one for one in read if one.id == message), None)
    context = {"public_id": public_id, "message": shown, "form": form, "refusal": refused}
    return unlisted(render(request, "games/report_message.html", context, status=status))


@require_safe_or_post
def appeal(request: PlayerRequest, public_id: str, message: int) -> HttpResponseBase:
    """Tell the author of a removed message why, let them ask the moderators to look again, and show the answer."""
    game, player = views.game_of(public_id), request.visit.player
    row = Message.objects.filter(pk=message, game=game, author=player).exclude(kind=Message.Kind.GONE).first()
    before = moderation.appeal_of(row) if row is not None else None
    if player is None or row is None or (row.removed_at is None and before is None):
        raise Http404
    status, refused = 200, ""
    if request.method == "POST":
        try:
            moderation.appeal(row, player, request.POST.get("text", ""))
        except Refusal as refusal:
            status, refused = refusal.status, views.refusal_text(refusal)
        else:
            messages.success(request, _("Thank you. A moderator will look at it again."))
            return HttpResponseRedirect(reverse("games:table", args=[game.public_id]), status=303)
    written = request.POST.get("text", before.text if before is not None else "")[:1000]
    context = {"public_id": public_id, "message": row, "appeal": before, "refusal": refused, "written": written}
    return unlisted(render(request, "games/appeal.html", context, status=status))


@require_safe_or_post
def moderate(request: PlayerRequest, public_id: str, message: int) -> HttpResponseBase:
    """A reported message with its context, for moderators: they can remove or restore it, and ban its author from
    writing."""
    game, player = views.game_of(public_id), request.visit.player
    row = Message.objects.filter(pk=message, game=game).select_related("game", "author__merged_into").first()
    if row is None or player is None or not moderation.may_moderate(row, player):
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
        "evidence": moderation.evidence(str(row.pk), player),
        "ban": chat_permissions.ban_of(row.author.current),
        "lengths": [length.days for length in moderation.BANS],
        "removable": row.kind == Message.Kind.SAID,
        "refusal": refused,
        "reason": request.POST.get("reason", "")[:400],
    }
    return unlisted(render(request, "games/moderate.html", context, status=status))


def _moderate(row: Message, player: Player, data: QueryDict) -> str:
    """Do what the form asks for. Returns the sentence that confirms it."""
    verb, reason = data.get("do", ""), data.get("reason", "")
    if verb == "remove":
        moderation.remove(row, player, reason)
        return _("The message is removed. Its author is told why.")
    if verb == "restore":
        moderation.restore(row, player)
        return _("The message stands again.")
    if verb == "suspend":
        days = _number(data, "days")
        length = next((length for length in moderation.BANS if length.days == days), None)
        if length is None:
            raise Malformed("days is one of those that are offered")
        moderation.suspend(row.author, player, length, reason)
        return _("They cannot write in chats for that time, and are told why.")
    if verb == "lift":
        moderation.lift(row.author)
        return _("They can write again.")
    raise Malformed("do names no known action")
