"""The pages of the file of an evening: saving it, handing the evening over, and opening a file."""

from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, Final

from django.conf import settings
from django.contrib import messages
from django.core.files.uploadedfile import UploadedFile
from django.http import HttpResponse, HttpResponseBase, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_GET

from accounts.middleware import PlayerRequest
from core.exceptions import Refusal
from core.http import private, require_safe_or_post, unlisted
from domain.errors import DomainError
from domain.tournament.events import replay
from games.exceptions import Malformed
from tournaments.director.base import Desk
from tournaments.director.log_text import Teller
from tournaments.exceptions import BothWentOn, FileError
from tournaments.handover import files, services
from tournaments.handover.files import EveningFile
from tournaments.handover.services import Opened
from tournaments.models import Tournament, TournamentEvent
from tournaments.read_models import Names, everybody
from tournaments.services.log import LoggedEvent
from tournaments.views import page_for

MOST_SHOWN: Final = 30
"""How many events of each side are shown if both have gone on."""
_PAGE: Final = "tournaments/handover/file.html"

_for_desk = page_for(Desk, Desk.check_runs)


@require_GET
@_for_desk
def download(desk: Desk) -> HttpResponseBase:
    """Download the file: by a button, and after each round by the desk's browser, which saves a copy."""
    response = HttpResponse(services.file_of(desk.tournament), content_type="application/json")
    name = f"evening-{desk.tournament.public_id}-{desk.state.number}.json"
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    return private(response)


@require_safe_or_post
@_for_desk
def page(desk: Desk) -> HttpResponseBase:
    """Save the evening as a file, hand it over, take it back, and open a newer file of it."""
    if desk.sent is None:
        return desk.page(_PAGE, _context(desk))
    try:
        return _done(desk, desk.text("do"))
    except Refusal as refusal:
        desk.read_again()
        more = {"refusal": str(refusal.message), **_both(desk, refusal)}
        return desk.page(_PAGE, {**_context(desk), **more}, status=refusal.status)


def _context(desk: Desk) -> Mapping[str, Any]:
    return {"tab": "file", "can_be_saved": services.can_be_saved(desk.tournament, desk.state)}


def _done(desk: Desk, do: str) -> HttpResponseBase:
    here = desk.url("file")
    if do == "hand-over":
        services.hand_over(desk.tournament, desk.member())
        return desk.done(here, _("The evening is handed over. Save its file now and open it on the other computer."))
    if do == "take-back":
        services.take_back(desk.tournament, desk.member())
        return desk.done(here, _("The evening continues here."))
    if do != "open":
        raise Malformed(f"no action {do!r}")
    file = _uploaded_file(desk.request)
    if file.public_id != desk.tournament.public_id:
        raise FileError("other-evening")
    return desk.done(here, _message(services.open_evening(file, desk.member())))


def _uploaded_file(request: PlayerRequest) -> EveningFile:
    upload = request.FILES.get("file")
    if not isinstance(upload, UploadedFile):
        raise FileError("no-file")
    return files.read(upload.read(files.MOST_BYTES + 1))


def _message(opened: Opened) -> str:
    if opened.is_new:
        return str(_("The evening continues here, from where the file stands."))
    if not opened.taken:
        return str(_("Everything in the file is here already. The evening continues here."))
    return ngettext(
        "%(count)d entry of its log was taken over. The evening continues here.",
        "%(count)d entries of its log were taken over. The evening continues here.",
        opened.taken,
    ) % {"count": opened.taken}


@require_safe_or_post
def open_page(request: PlayerRequest) -> HttpResponseBase:
    """Open an evening from a file, for anybody with an account."""
    player = request.visit.player
    if player is None or not player.is_member:
        words = {"evening": _("Open an evening from a file")}
        return unlisted(render(request, "clubs/sign_in.html", words, status=200 if request.method == "GET" else 403))
    refusal: Refusal | None = None
    file: EveningFile | None = None
    if request.method == "POST":
        try:
            file = _uploaded_file(request)
            opened = services.open_evening(file, player)
            messages.success(request, _message(opened))
            return HttpResponseRedirect(_url_of(opened.tournament), status=303)
        except BothWentOn as both:
            # Only people who run the evening get here: its own page shows both sides.
            existing = Tournament.objects.select_related("club").get(public_id=file.public_id if file else "")
            with timezone.override(settings.TIME_ZONE):
                desk = Desk(request, existing)
                more = {"refusal": str(both.message), **_diverged(desk, both, file.events if file else ())}
                return desk.page(_PAGE, {**_context(desk), **more}, status=both.status)
        except Refusal as refused:
            refusal = refused
    context = {"request_id": uuid.uuid4(), "refusal": refusal.message if refusal else ""}
    status = refusal.status if refusal else 200
    return unlisted(render(request, "tournaments/handover/open.html", context, status=status))


def _url_of(tournament: Tournament) -> str:
    return reverse("tournament:file", args=[tournament.public_id])


def _both(desk: Desk, refusal: Refusal) -> dict[str, Any]:
    upload = desk.request.FILES.get("file")
    if not isinstance(refusal, BothWentOn) or not isinstance(upload, UploadedFile):
        return {}
    upload.seek(0)
    return _diverged(desk, refusal, files.read(upload.read()).events)


def _diverged(desk: Desk, both: BothWentOn, theirs: Sequence[LoggedEvent]) -> dict[str, Any]:
    """What happened here and what in the file since both were the same, in sentences."""
    ours = services.log_of(desk.tournament)
    return {
        "same": both.same,
        "sides": [
            (_("Here"), _sentences(desk, ours, both.same), len(ours) - both.same),
            (_("In the file"), _sentences(desk, theirs, both.same), len(theirs) - both.same),
        ],
    }


def _sentences(desk: Desk, events: Sequence[LoggedEvent], after: int) -> list[tuple[datetime, str]]:
    try:
        state = replay(each.event for each in events)
    except DomainError:
        return []
    teller = Teller(state, Names(desk.tournament, "staff", more=everybody(state)))
    rows = [
        TournamentEvent(number=each.event.number, kind=each.event.kind, data=dict(each.event.data), by=each.event.by)
        for each in events[after : after + MOST_SHOWN]
    ]
    times = (datetime.fromisoformat(each.event.at) for each in events[after:])
    return [(at, teller.told(row)) for at, row in zip(times, rows, strict=False)]
