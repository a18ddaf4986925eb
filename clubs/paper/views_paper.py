"""Paper: which kinds there are, each as a page that the browser prints, and as PDF where this machine can make it."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.http import Http404, HttpResponse, HttpResponseBase
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.cache import patch_cache_control
from django.utils.translation import get_language, override
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_safe

from accounts.limits import address_of, take
from clubs.paper import feed, kit, pdf
from clubs.paper.kit import Reading, for_readers, for_staff, shown
from clubs.paper.sheets import KINDS, Kind
from clubs.room.refusals import TooOften
from clubs.tournaments import pages
from games.refusals import Refusal


class NoPdf(Refusal):
    """The libraries that make PDF are missing on this machine."""

    status = 501
    code = "no-pdf"
    message = _(
        "This machine has no libraries to make PDF (Pango is missing). Open the page without .pdf and print it from the "
        "browser: there one can also choose to save it as PDF."
    )


@require_safe
@for_staff
def index(reading: Reading) -> HttpResponseBase:
    """Everything that can be printed, in the order in which an evening needs it."""
    rounds = [round for phase in reading.state.phases for round in phase.rounds]
    context = {
        "kinds": [(code, kind) for code, kind in KINDS.items()],
        "rounds": list(reversed(rounds)),
        "several": len(reading.state.phases) > 1,
        "pdf": pdf.available(),
        "tab": "paper",
    }
    return shown(reading, "clubs/paper/index.html", context)


@require_safe
@for_readers
def sheet(reading: Reading, kind: str) -> HttpResponseBase:
    """One kind of paper, as a page to print."""
    made = _kind(reading, kind)
    html = _rendered(reading, kind, made, pdf_too=False)
    response = HttpResponse(html)
    response["X-Robots-Tag"] = pages.NOT_FOUND
    response["Referrer-Policy"] = "same-origin"
    patch_cache_control(response, private=True, no_store=True)
    return response


@require_safe
@for_readers
def as_pdf(reading: Reading, kind: str) -> HttpResponseBase:
    """The same as PDF. Raises NoPdf where this machine has no libraries for it, TooOften for who makes very many."""
    made = _kind(reading, kind)
    if not pdf.available():
        raise NoPdf
    player = reading.visit.asked.player
    who = f"player {player.pk}" if player else address_of(reading.visit.request)
    if not take(f"pdf:{who}", rate=120, per=3600, burst=30):
        raise TooOften
    data = pdf.made(_rendered(reading, kind, made, pdf_too=True))
    response = kit.file(reading, data, "application/pdf", f"{kind}.pdf", inline=True)
    patch_cache_control(response, private=True, no_store=True)
    return response


def _kind(reading: Reading, kind: str) -> Kind:
    found = KINDS.get(kind)
    if found is None:
        raise Http404
    if found.staff:
        reading.visit.check_runs()
    return found


def language_asked(reading: Reading) -> str:
    """The language of the paper: as asked for, else for who runs the tournament that of the tournament, else the reader's."""
    wanted = reading.text("in", 12)
    if wanted in dict(settings.LANGUAGES):
        return wanted
    if reading.runs_it:
        return feed.language_of(reading.tournament)
    return get_language() or settings.LANGUAGE_CODE


def _rendered(reading: Reading, name: str, kind: Kind, *, pdf_too: bool) -> str:
    language = language_asked(reading)
    bar = "" if pdf_too else _bar(reading, name, kind, language)
    with override(language):
        context: dict[str, Any] = {
            "tournament": reading.tournament,
            "club": reading.tournament.club,
            "state": reading.state,
            "kind": kind,
            "size": kind.size,
            "bar": bar,
            "pdf": pdf_too,
            "site": settings.SITE_URL.partition("://")[2],
            "home": kit.absolute("home", reading.tournament),
            **kind.make(reading),
        }
        return render_to_string(f"clubs/paper/sheet_{name}.html", context, request=None)


def _bar(reading: Reading, name: str, kind: Kind, language: str) -> str:
    """What stands above the paper on a screen, in the reader's language."""
    query = reading.visit.request.GET.copy()
    query.pop("in", None)
    address = reverse("tournament:paper-pdf", args=[reading.tournament.public_id, name])
    whole = reading.visit.request.GET.urlencode()
    context = {
        "tournament": reading.tournament,
        "kind": kind,
        "back": reading.visit.url("paper") if reading.runs_it else reading.visit.url("home"),
        "pdf_url": f"{address}?{whole}" if whole else address,
        "available": pdf.available(),
        "languages": settings.LANGUAGES,
        "language": language,
        "query": list(query.items()),
        "rounds": [
            round
            for phase in reading.state.phases
            for round in phase.rounds
            if reading.runs_it or round.status != "draft"
        ]
        if kind.rounds
        else [],
        "round": reading.text("round"),
        "several": len(reading.state.phases) > 1,
    }
    return render_to_string("clubs/paper/_bar.html", context, request=reading.visit.request)
