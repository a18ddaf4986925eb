"""The views of replays: finished deals of games and of imported records, lists of them, records, pictures, and
playing on.

A table that is closed to others while its game goes on is closed here too: `games.table.views.game.guarded` does
that.
"""

from __future__ import annotations

from django.contrib import messages
from django.http import Http404, HttpResponseBase, HttpResponseRedirect, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from accounts.middleware import PlayerRequest, address_of
from accounts.models import Player
from accounts.services import ensure_player
from core.http import page_of, private, require_safe_or_post, unlisted, whole_number
from core.limits import take
from domain.engine import Record
from games.analysis import selectors as analysis
from games.chat.selectors import messages_of, notes_of
from games.imports import selectors, services
from games.imports.forms import ImportForm
from games.imports.models import ImportedGame
from games.models import Game
from games.positions import selectors as positions
from games.selectors import replay as replay_selector
from games.selectors import rulesets
from games.table import replay as replay_page
from games.table import services as practice
from games.table.views.game import game_of


def closed(request: PlayerRequest, game: Game, number: int) -> HttpResponseBase:
    """The page that says why deal `number` is not open yet. Raises Http404 if there is none."""
    if not game.hands.filter(number=number).exists():
        raise Http404
    context = {"public_id": game.public_id, "sealed": game.is_sealed}
    return private(render(request, "games/not_open.html", context, status=404))


@require_safe
def replay(request: PlayerRequest, public_id: str, number: int) -> HttpResponseBase:
    """A finished deal, step by step, with all hands open."""
    game, player = game_of(public_id), request.visit.player
    try:
        seen = replay_selector.replay(game, number, replay_page.step_of(request), player)
    except replay_selector.NotOpen:
        return closed(request, game, number)
    where = replay_page.addresses_of(seen, "games")
    if request.GET.get("fragment") == "1":
        return private(render(request, "games/_replay.html", {"replay": seen, "where": where}))
    written, noted = messages_of(game, number, player), notes_of(game, number, player)
    context = replay_page.page_context(seen, where, messages=written, notes=noted, shared=True)
    context |= {"player": player, "public_id": public_id, "drawn": game.draws_partners}
    context |= {"analysis": analysis.status_of(game, number), "played": seen.sheet.status == "played"}
    where["analysis"] = reverse("games:analysis", args=[public_id, number])
    return private(render(request, "games/replay.html", context | {"game_notes": notes_of(game, 0, player)}))


@require_safe
def hands(request: PlayerRequest, public_id: str) -> HttpResponseBase:
    """All deals of a game that are over, with their scores, and the records."""
    game = game_of(public_id)
    seen = replay_selector.overview(game, request.visit.player)
    context = {"overview": seen, "room": "games", "title": rulesets.game_name(seen.ruleset)}
    return private(render(request, "games/hands.html", context))


@require_safe
def record(request: PlayerRequest, public_id: str) -> HttpResponseBase:
    """The game's record: every deal that may be looked back at."""
    return sent(replay_selector.record(game_of(public_id)), public_id)


@require_safe
def hand_record(request: PlayerRequest, public_id: str, number: int) -> HttpResponseBase:
    game = game_of(public_id)
    try:
        return sent(replay_selector.record_of_hand(game, number), f"{public_id}-{number}")
    except replay_selector.NotOpen:
        return closed(request, game, number)


def sent(written: Record, name: str) -> HttpResponseBase:
    """A record as a file for download."""
    response = JsonResponse(written.to_json(), json_dumps_params={"ensure_ascii": False, "indent": 1})
    response["Content-Disposition"] = f'attachment; filename="{written.ruleset.id}-{name}.json"'
    return private(response)


@require_safe
def picture(request: PlayerRequest, public_id: str, number: int, kind: str) -> HttpResponseBase:
    """A moment as a picture, which is the same for every viewer."""
    game = game_of(public_id)
    try:
        seen = replay_selector.replay(game, number, replay_page.step_of(request), None)
    except replay_selector.NotOpen:
        return closed(request, game, number)
    return replay_page.picture(request, seen, kind)


@require_POST
def from_here(request: PlayerRequest, public_id: str, number: int) -> HttpResponseBase:
    """Begin a practice game at a moment (`step`) of a deal, in `seat`."""
    game = game_of(public_id)
    try:
        # The deal itself must be open; the record then normally has every deal up to it.
        replay_selector.replay(game, number, None, request.visit.player)
        written = replay_selector.record(game)
    except replay_selector.NotOpen:
        return closed(request, game, number)
    back = reverse("games:replay", args=[public_id, number])
    return play_on(request, written, public_id, number, source="game", back=back)


@require_safe
def edit(request: PlayerRequest, public_id: str, number: int) -> HttpResponseBase:
    """Open the editor of positions with a moment (`step`) of a deal."""
    game = game_of(public_id)
    try:
        written = replay_selector.record_of_hand(game, number)
    except replay_selector.NotOpen:
        return closed(request, game, number)
    return HttpResponseRedirect(positions.edit_address(written, len(written.hands), replay_page.step_of(request)))


@require_safe
def imported_edit(request: PlayerRequest, public_id: str, number: int) -> HttpResponseBase:
    written = selectors.record_of_hand(_imported(public_id), number)
    if written is None:
        raise Http404
    return HttpResponseRedirect(positions.edit_address(written, len(written.hands), replay_page.step_of(request)))


def play_on(
    request: PlayerRequest, written: Record, public_id: str, number: int, *, source: practice.Source, back: str
) -> HttpResponseBase:
    """Begin a practice game at the moment and in the seat of the posted form; `back` is the URL of its page."""
    moment = practice.Moment(public_id, number, _number(request, "step"), _number(request, "seat"), source)
    if not take(f"new-game:{address_of(request)}", rate=60, per=3600, burst=30):
        return render(request, "games/too_many.html", status=429)
    try:
        practice.check_playable(written, moment)
    except practice.NothingToPlay:
        return private(render(request, "games/nothing_to_play.html", {"back": back}, status=422))
    game = practice.table_from(ensure_player(request), written, moment)
    return HttpResponseRedirect(reverse("games:table", args=[game.public_id]), status=303)


def _number(request: PlayerRequest, name: str) -> int:
    """A number of at most four digits in a form; -1 for anything else."""
    number = whole_number(request.POST.get(name, ""), 4)
    return -1 if number is None else number


_ON_A_PAGE = 20


def _imported(public_id: str) -> ImportedGame:
    imported = services.record_of(public_id)
    if imported is None:
        raise Http404
    return imported


def _is_owner(imported: ImportedGame, player: Player | None) -> bool:
    return player is not None and imported.owner_id == player.pk


def _own_import(request: PlayerRequest, public_id: str) -> ImportedGame:
    imported = _imported(public_id)
    if not _is_owner(imported, request.visit.player):
        raise Http404
    return imported


@require_safe_or_post
def own_records(request: PlayerRequest) -> HttpResponseBase:
    """The player's own records, and the form to upload another (POST)."""
    keeps = request.visit.player is not None and request.visit.player.is_member
    if request.method == "POST":
        form = ImportForm(request.POST, request.FILES, keeps=keeps)
        # Checked before anything is read, because replaying a record is expensive.
        if not take(f"import:{address_of(request)}", rate=60, per=3600, burst=20):
            return unlisted(render(request, "games/too_many.html", status=429))
        if form.is_valid():
            return _import(request, form, keeps=keeps)
    else:
        form = ImportForm(keeps=keeps)
    rows = (
        services.kept_records(request.visit.player) if request.visit.player is not None else ImportedGame.objects.none()
    )
    page = page_of(request, rows, _ON_A_PAGE)
    context = {
        "form": form,
        "page": page,
        "lines": [(row, rulesets.game_name(row.ruleset), row.record["players"]) for row in page],
        "keeps": keeps,
        "player": request.visit.player,
    }
    return unlisted(render(request, "games/imports/list.html", context, status=422 if form.errors else 200))


def _import(request: PlayerRequest, form: ImportForm, *, keeps: bool) -> HttpResponseBase:
    keep = keeps and bool(form.cleaned_data.get("keep"))
    try:
        imported = services.store(
            ensure_player(request), form.brought, title=form.cleaned_data.get("title", ""), keep=keep
        )
    except services.TooMany:
        messages.error(
            request,
            _("You keep %(number)d records, which is as many as one can. Delete some, or only look at this one.")
            % {"number": services.KEPT_AT_MOST},
        )
        return redirect("records:list")
    return redirect("imported:replay", imported.public_id, 1)


@require_safe
def imported_replay(request: PlayerRequest, public_id: str, number: int) -> HttpResponseBase:
    """A hand of the record, step by step."""
    imported = _imported(public_id)
    shown = selectors.replay(imported, number, replay_page.step_of(request))
    if shown is None:
        raise Http404
    where = replay_page.addresses_of(shown, "imported")
    if request.GET.get("fragment") == "1":
        return unlisted(render(request, "games/_replay.html", {"replay": shown, "where": where}))
    context = replay_page.page_context(shown, where, shared=False)
    context |= _about(request, imported)
    return unlisted(render(request, "games/replay.html", context))


@require_safe
def imported_hands(request: PlayerRequest, public_id: str) -> HttpResponseBase:
    """All hands of the record with their scores."""
    imported = _imported(public_id)
    shown = selectors.overview(imported)
    context = {
        "overview": shown,
        "room": "imported",
        "title": imported.title or rulesets.game_name(shown.ruleset),
    } | _about(request, imported)
    return unlisted(render(request, "games/hands.html", context))


def _about(request: PlayerRequest, imported: ImportedGame) -> dict[str, object]:
    """What the pages of a record say about the record itself, and to whoever brought it."""
    player = request.visit.player
    return {
        "imported": imported,
        "mine": _is_owner(imported, player),
        "keeps": player is not None and player.is_member,
        "player": player,
    }


@require_safe
def imported_record(request: PlayerRequest, public_id: str) -> HttpResponseBase:
    return sent(selectors.record_of(_imported(public_id)), public_id)


@require_safe
def imported_hand_record(request: PlayerRequest, public_id: str, number: int) -> HttpResponseBase:
    """The record of one hand, with the earlier ones on which it depends."""
    written = selectors.record_of_hand(_imported(public_id), number)
    if written is None:
        raise Http404
    return sent(written, f"{public_id}-{number}")


@require_safe
def imported_picture(request: PlayerRequest, public_id: str, number: int, kind: str) -> HttpResponseBase:
    """A moment of the record as a picture."""
    shown = selectors.replay(_imported(public_id), number, replay_page.step_of(request))
    if shown is None:
        raise Http404
    return unlisted(replay_page.picture(request, shown, kind))


@require_POST
def imported_from_here(request: PlayerRequest, public_id: str, number: int) -> HttpResponseBase:
    """Begin a practice game at a moment of the record."""
    written, back = selectors.record_of(_imported(public_id)), reverse("imported:replay", args=[public_id, number])
    return play_on(request, written, public_id, number, source="imported", back=back)


@require_POST
def keep(request: PlayerRequest, public_id: str) -> HttpResponseBase:
    """Keep a record that was uploaded only to look at it."""
    imported = _own_import(request, public_id)
    if not imported.owner.is_member:
        raise Http404
    try:
        services.keep(imported)
        messages.success(request, _("Kept. You find it among your records."))
    except services.TooMany:
        messages.error(
            request,
            _("You keep %(number)d records, which is as many as one can. Delete some first.")
            % {"number": services.KEPT_AT_MOST},
        )
    return redirect("imported:replay", public_id, 1)


@require_safe_or_post
def delete(request: PlayerRequest, public_id: str) -> HttpResponseBase:
    """Delete a record: ask for confirmation (GET), then delete it (POST)."""
    imported = _own_import(request, public_id)
    if request.method == "POST":
        services.delete(imported)
        messages.success(request, _("The record has been deleted. Its address no longer opens anything."))
        return redirect("records:list")
    context = {"imported": imported, "game": rulesets.game_name(imported.ruleset)}
    return unlisted(render(request, "games/imports/delete.html", context))
