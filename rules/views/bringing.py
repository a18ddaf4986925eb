"""Reading in a file of words on a page: editors see what it would change, then go ahead or not."""

from __future__ import annotations

from secrets import token_hex
from typing import Any, Final

from django.core.cache import cache
from django.core.files.uploadedfile import UploadedFile
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from accounts import limits, roles
from accounts.models import Player
from accounts.visits import PlayerRequest
from rules.exchange.applying import apply
from rules.exchange.files import BadFile, Flaw
from rules.exchange.planning import FORMATS, Outcome, Plan, format_of, plan
from rules.models import COMMENT_LENGTH
from rules.refused import Refused, TooFast

MOST_BYTES: Final = 1_000_000
"""Larger files are for the command line: they wait in the cache between the two steps."""
FILES_AN_HOUR: Final = 30
STEPS_SHOWN: Final = 300
_HOUR: Final = 3600.0
_TEMPLATE: Final = "rules/leaving/import.html"


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def bring(request: PlayerRequest) -> HttpResponse:
    """The form; what a file would change; and, sent again with the file's token, what has been changed."""
    player = request.player
    if player is None or not roles.languages(player):
        return render(request, _TEMPLATE, {"is_editor": False}, status=403)
    if request.method != "POST":
        return render(request, _TEMPLATE, _empty())
    try:
        if not limits.take(f"import:{player.pk}", rate=FILES_AN_HOUR, per=_HOUR, burst=FILES_AN_HOUR):
            raise TooFast
        if "token" in request.POST:
            return _changed(request, player)
        return _looked_at(request, player)
    except BadFile as refusal:
        return render(request, _TEMPLATE, _empty() | {"flaws": refusal.flaws}, status=refusal.status)
    except Refused as refusal:
        return render(request, _TEMPLATE, _empty() | {"flaws": [Flaw(0, refusal.message)]}, status=refusal.status)


def _looked_at(request: HttpRequest, player: Player) -> HttpResponse:
    """What the file would change; it is kept for an hour."""
    sent = request.FILES.get("file")
    if not isinstance(sent, UploadedFile) or not sent.name:
        raise BadFile([Flaw(0, _("Choose a file first."))])
    if (sent.size or 0) > MOST_BYTES:
        raise BadFile([Flaw(0, format_lazy(_("This file is too large: at most {most} MB, please."), most=1))])
    data, form = sent.read(), format_of(sent.name)
    found = plan(FORMATS[form](data))
    token = token_hex(16)
    cache.set(_place(player, token), (form, data, sent.name[-80:]), timeout=int(_HOUR))
    return render(request, _TEMPLATE, _empty() | _shown(found) | {"token": token, "name": sent.name[-80:]})


def _changed(request: HttpRequest, player: Player) -> HttpResponse:
    """What has been changed by the file that was looked at."""
    kept = cache.get(_place(player, request.POST.get("token", "")))
    if kept is None:
        raise BadFile([Flaw(0, _("This file is not here any more. Send it again."))])
    form, data, name = kept
    said = " ".join(request.POST.get("comment", "").split())[:COMMENT_LENGTH] or f"{name}"
    done = apply(plan(FORMATS[form](data)), by=player, comment=said)
    return render(request, _TEMPLATE, _empty() | {"done": done, "name": name})


def _empty() -> dict[str, Any]:
    return {"is_editor": True, "comment_length": COMMENT_LENGTH}


def _shown(found: Plan) -> dict[str, Any]:
    words = {
        Outcome.NEW: _("new"),
        Outcome.CHANGED: _("changed"),
        Outcome.CONFLICT: _("changed here in the meantime: left alone"),
        Outcome.WRONG: _("cannot be taken"),
    }
    return {
        "plan": found,
        "steps": [(step, words[step.outcome]) for step in found.steps[:STEPS_SHOWN]],
        "more": max(0, len(found.steps) - STEPS_SHOWN),
        "to_do": found.counts[Outcome.NEW] + found.counts[Outcome.CHANGED],
        "counts": found.counts,
    }


def _place(player: Player, token: str) -> str:
    """Where a file waits: nobody but who sent it finds it."""
    kept = token if token.isascii() and token.isalnum() and len(token) == 32 else "none"
    return f"import:{player.pk}:{kept}"
