"""The pages of records that somebody brought along: bringing one, one's own list, looking at one, playing on from it."""

from __future__ import annotations

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import Http404, HttpResponseBase
from django.shortcuts import redirect, render
from django.utils.cache import patch_cache_control
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.guests import ensure_player
from accounts.limits import address_of, take
from accounts.visits import PlayerRequest
from games import choosing, replay_page
from games.imported import door, seen
from games.imported.forms import ImportForm
from games.imported_models import ImportedGame
from games.views_replay import play_on, sent

_ON_A_PAGE = 20


def _private(response: HttpResponseBase) -> HttpResponseBase:
    """Nobody keeps it, and no search engine lists it: the address is all that protects a record."""
    patch_cache_control(response, private=True, no_store=True)
    response["X-Robots-Tag"] = "noindex"
    return response


def _found(public_id: str) -> ImportedGame:
    imported = door.found(public_id)
    if imported is None:
        raise Http404
    return imported


def _mine(request: PlayerRequest, public_id: str) -> ImportedGame:
    imported = _found(public_id)
    if request.player is None or imported.owner_id != request.player.pk:
        raise Http404
    return imported


@require_http_methods(["GET", "HEAD", "POST"])
def listed(request: PlayerRequest) -> HttpResponseBase:
    """The player's own records, and the form that brings another (POST)."""
    keeps = request.player is not None and request.player.is_member
    if request.method == "POST":
        form = ImportForm(request.POST, request.FILES, keeps=keeps)
        # Asked before anything is read: replaying a record is work.
        if not take(f"import:{address_of(request)}", rate=60, per=3600, burst=20):
            return _private(render(request, "games/too_many.html", status=429))
        if form.is_valid():
            return _bring(request, form, keeps=keeps)
    else:
        form = ImportForm(keeps=keeps)
    rows = door.kept(request.player) if request.player is not None else ImportedGame.objects.none()
    page = Paginator(rows, _ON_A_PAGE).get_page(request.GET.get("page"))
    context = {
        "form": form,
        "page": page,
        "lines": [(row, choosing.game_name(row.ruleset), row.record["players"]) for row in page],
        "keeps": keeps,
        "player": request.player,
    }
    return _private(render(request, "games/imported/list.html", context, status=422 if form.errors else 200))


def _bring(request: PlayerRequest, form: ImportForm, *, keeps: bool) -> HttpResponseBase:
    keep = keeps and bool(form.cleaned_data.get("keep"))
    try:
        imported = door.bring(ensure_player(request), form.brought, title=form.cleaned_data.get("title", ""), keep=keep)
    except door.TooMany:
        messages.error(
            request,
            _("You keep %(number)d records, which is as many as one can. Delete some, or only look at this one.")
            % {"number": door.KEPT_AT_MOST},
        )
        return redirect("records:list")
    return redirect("imported:replay", imported.public_id, 1)


@require_safe
def replay(request: PlayerRequest, public_id: str, number: int) -> HttpResponseBase:
    """A hand of the record, step by step."""
    imported = _found(public_id)
    shown = seen.replay(imported, number, replay_page.step_of(request))
    if shown is None:
        raise Http404
    where = replay_page.addresses_of(shown, "imported")
    if request.GET.get("fragment") == "1":
        return _private(render(request, "games/_replay.html", {"replay": shown, "where": where}))
    context = replay_page.context(shown, where, shared=False)
    context |= {
        "imported": imported,
        "mine": request.player is not None and imported.owner_id == request.player.pk,
        "keeps": request.player is not None and request.player.is_member,
        "player": request.player,
    }
    return _private(render(request, "games/replay.html", context))


@require_safe
def hands(request: PlayerRequest, public_id: str) -> HttpResponseBase:
    """All hands of the record with their scores."""
    imported = _found(public_id)
    shown = seen.overview(imported)
    context = {
        "overview": shown,
        "room": "imported",
        "title": imported.title or choosing.game_name(shown.ruleset),
        "imported": imported,
        "mine": request.player is not None and imported.owner_id == request.player.pk,
    }
    return _private(render(request, "games/hands.html", context))


@require_safe
def record(request: PlayerRequest, public_id: str) -> HttpResponseBase:
    """The record itself."""
    return sent(seen.record_of(_found(public_id)), public_id)


@require_safe
def hand_record(request: PlayerRequest, public_id: str, number: int) -> HttpResponseBase:
    """The record of one hand, with those before it that it hangs on."""
    written = seen.record_of_hand(_found(public_id), number)
    if written is None:
        raise Http404
    return sent(written, f"{public_id}-{number}")


@require_safe
def picture(request: PlayerRequest, public_id: str, number: int, kind: str) -> HttpResponseBase:
    """A moment of the record as a picture."""
    shown = seen.replay(_found(public_id), number, replay_page.step_of(request))
    if shown is None:
        raise Http404
    return _private(replay_page.picture(request, shown, kind))


@require_POST
def from_here(request: PlayerRequest, public_id: str, number: int) -> HttpResponseBase:
    """Lay a practice table at a moment of the record."""
    return play_on(request, seen.record_of(_found(public_id)), public_id, number, imported=True)


@require_POST
def keep(request: PlayerRequest, public_id: str) -> HttpResponseBase:
    """Keep what was only to be looked at."""
    imported = _mine(request, public_id)
    if not imported.owner.is_member:
        raise Http404
    try:
        door.keep(imported)
        messages.success(request, _("Kept. You find it among your records."))
    except door.TooMany:
        messages.error(
            request,
            _("You keep %(number)d records, which is as many as one can. Delete some first.")
            % {"number": door.KEPT_AT_MOST},
        )
    return redirect("imported:replay", public_id, 1)


@require_http_methods(["GET", "HEAD", "POST"])
def delete(request: PlayerRequest, public_id: str) -> HttpResponseBase:
    """Delete a record: asks once (GET), then does it (POST)."""
    imported = _mine(request, public_id)
    if request.method == "POST":
        door.delete(imported)
        messages.success(request, _("The record is deleted. Its address opens nothing any more."))
        return redirect("records:list")
    context = {"imported": imported, "game": choosing.game_name(imported.ruleset)}
    return _private(render(request, "games/imported/delete.html", context))
