"""Many people at once over HTTP: lines in, a preview, and one press."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.http import HttpResponseBase
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from clubs.exceptions import BadFile
from clubs.spreadsheets import MOST_BYTES
from core.http import require_safe_or_post
from domain.tournament.state import PAIR
from tournaments.registration import pasting
from tournaments.registration.pasting import Paste
from tournaments.views import Visit, director_only

LONGEST_REASON = 200


@require_safe_or_post
@director_only
def paste(visit: Visit) -> HttpResponseBase:
    """Lines with persons, pairs or tables: first what would come of them, then it is done."""
    return visit.act_or_page(lambda: _enter(visit), "tournaments/registration/paste.html", lambda: _context(visit))


def _text(visit: Visit) -> str:
    """The pasted text, or the text of the file that was sent. Raises BadFile."""
    sent = visit.request.FILES.get("file")
    if sent is None:
        return visit.request.POST.get("text", "")
    if sent.size is None or sent.size > MOST_BYTES:
        raise BadFile(_("This file is too large: at most 1 MB."))
    return pasting.text_of(sent.name or "", sent.read())


def _context(visit: Visit) -> Mapping[str, Any]:
    text, found, trouble = "", None, ""
    if visit.request.method == "POST":
        try:
            text = _text(visit)
            found = pasting.read(visit.club, visit.state, text) if text.strip() else None
        except BadFile as refused:
            trouble = str(refused.message)
    return {
        "text": text,
        "paste": found,
        "trouble": trouble,
        "parts": _parts(found) if found else (),
        "here": visit.request.POST.get("here") == "yes",
        "reason": visit.request.POST.get("reason", "")[:LONGEST_REASON] or _("Lots were drawn in the hall"),
        "pairs": visit.state.plan.kind == PAIR,
        "longest_reason": LONGEST_REASON,
    }


def _parts(found: Paste) -> list[tuple[str, str, list[pasting.Line]]]:
    parts = (
        ("broken", _("To put right first"), [line for line in found.lines if line.wrong]),
        ("new", _("These enter"), [line for line in found.lines if line.new]),
        ("known", _("They have entered already"), [line for line in found.good if not line.new]),
    )
    return [part for part in parts if part[2]]


def _enter(visit: Visit) -> HttpResponseBase | None:
    data = visit.request.POST
    if data.get("do") != "enter":
        return None
    entered, round = pasting.apply(
        visit.tournament,
        data.get("text", ""),
        mark=data.get("mark", ""),
        here=data.get("here") == "yes",
        reason=data.get("reason", "").strip()[:LONGEST_REASON] or _("Lots were drawn in the hall"),
        by=visit.director,
        request_id=visit.request_id,
    )
    told = ngettext("%(number)d person has entered.", "%(number)d persons have entered.", entered)
    if round is not None:
        return visit.done(
            visit.url("round", round.key), _("This is the seating that was typed. Look at it, and publish it.")
        )
    return visit.done(visit.url("people"), told % {"number": entered})
