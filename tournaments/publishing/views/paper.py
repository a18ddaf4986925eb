"""Papers: the list of kinds, and each kind as a page for the browser to print or as PDF.

PDF is made by WeasyPrint if its libraries are installed; otherwise the page says so, and the browser prints. Nothing is
fetched from other sites: styles, fonts and pictures are our own static files.
"""

from __future__ import annotations

import logging
import mimetypes
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from django.conf import settings
from django.contrib.staticfiles import finders
from django.core.exceptions import SuspiciousFileOperation
from django.http import Http404, HttpResponse, HttpResponseBase
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils._os import safe_join
from django.utils.translation import get_language, override
from django.views.decorators.http import require_safe

from accounts.middleware import address_of
from clubs.exceptions import ClubError
from clubs.views.base import NOT_FOUND
from core.http import private, unlisted
from core.limits import take
from domain.tournament.state import DRAFT
from tournaments.exceptions import TournamentError
from tournaments.publishing import base
from tournaments.publishing.base import Reading, for_readers, for_staff
from tournaments.publishing.sheets import KINDS, OF_A_HALL, Kind
from tournaments.selectors import language_of

if TYPE_CHECKING:
    from types import ModuleType


_BASE: Final = "http://paper.invalid"
"""An address that belongs to nobody. What a page refers to is looked up in our static files by its path."""
_log = logging.getLogger(__name__)
logging.getLogger("weasyprint").setLevel(logging.ERROR)
logging.getLogger("fontTools").setLevel(logging.WARNING)


class NotStatic(ValueError):
    """A page refers to something that is not one of our static files."""


@cache
def _weasyprint() -> ModuleType | None:
    try:
        import weasyprint  # noqa: PLC0415  # its libraries may be missing, and it takes half a second
    except (ImportError, OSError) as missing:  # Pango and its dependencies are system libraries
        _log.warning("PDF cannot be made here: %s", missing)
        return None
    return weasyprint


def available() -> bool:
    return _weasyprint() is not None


def pdf_of(html: str) -> bytes:
    """The page as PDF. Call it only if PDF is `available`."""
    weasyprint = _weasyprint()
    assert weasyprint is not None
    page = weasyprint.HTML(string=html, base_url=f"{_BASE}/", media_type="print", url_fetcher=_fetcher())
    data: bytes = page.write_pdf()
    return data


def static_file(url: str) -> Path:
    """The static file at an address. Raises NotStatic for any other address."""
    path = url.removeprefix(_BASE).partition("?")[0].partition("#")[0]
    if not url.startswith(_BASE + settings.STATIC_URL):
        raise NotStatic(url)
    name = path.removeprefix(settings.STATIC_URL)
    try:
        collected = Path(safe_join(str(settings.STATIC_ROOT), name))
        source = finders.find(name)
    except SuspiciousFileOperation:
        raise NotStatic(url) from None
    for each in (collected, Path(source) if isinstance(source, str) else None):
        if each is not None and each.is_file():
            return each
    raise NotStatic(url)


@cache
def _fetcher() -> object:
    from weasyprint.urls import URLFetcher, URLFetcherResponse  # noqa: PLC0415  # as above

    class StaticFiles(URLFetcher):
        """Serves our static files, and refuses everything else."""

        def fetch(self, url: str, headers: object = None) -> object:
            """The content of the file. Raises NotStatic."""
            file = static_file(url)
            kind = mimetypes.guess_type(file.name)[0] or "application/octet-stream"
            return URLFetcherResponse(url, file.read_bytes(), {"Content-Type": kind})

    return StaticFiles()


@require_safe
@for_staff
def index(reading: Reading) -> HttpResponseBase:
    """Everything that can be printed, in the order in which an evening needs it."""
    rounds = [round for phase in reading.state.phases for round in phase.rounds]
    context = {
        "kinds": [(code, kind) for code, kind in KINDS.items() if not (reading.online and code in OF_A_HALL)],
        "online": reading.online,
        "rounds": list(reversed(rounds)),
        "several": len(reading.state.phases) > 1,
        "pdf": available(),
    }
    return reading.page("tournaments/publishing/index.html", context)


@require_safe
@for_readers
def sheet(reading: Reading, kind: str) -> HttpResponseBase:
    paper = _kind(reading, kind)
    html = _rendered(reading, kind, paper, pdf_too=False)
    response = HttpResponse(html)
    response["Referrer-Policy"] = "same-origin"
    return unlisted(response, NOT_FOUND)


@require_safe
@for_readers
def as_pdf(reading: Reading, kind: str) -> HttpResponseBase:
    """A paper as PDF. Raises ``no-pdf`` if the libraries are missing, ``too-often`` if somebody makes very many."""
    paper = _kind(reading, kind)
    if not available():
        raise TournamentError("no-pdf")
    player = reading.player
    who = f"player {player.pk}" if player else address_of(reading.request)
    if not take(f"pdf:{who}", rate=120, per=3600, burst=30):
        raise ClubError("too-often")
    data = pdf_of(_rendered(reading, kind, paper, pdf_too=True))
    response = base.file(reading, data, "application/pdf", f"{kind}.pdf", inline=True)
    return private(response)


def _kind(reading: Reading, kind: str) -> Kind:
    paper = KINDS.get(kind)
    if paper is None:
        raise Http404
    if paper.staff:
        reading.check_runs()
    return paper


def language_of_paper(reading: Reading) -> str:
    """The language of the paper: the chosen one, else the tournament's for people who run it, else the reader's."""
    chosen = reading.parameter("in", 12)
    if chosen in dict(settings.INTERFACE_LANGUAGES):
        return chosen
    if reading.runs_it:
        return language_of(reading.tournament)
    return get_language() or settings.LANGUAGE_CODE


def _rendered(reading: Reading, name: str, kind: Kind, *, pdf_too: bool) -> str:
    language = language_of_paper(reading)
    bar = "" if pdf_too else _bar(reading, name, kind, language)
    with override(language):
        context: dict[str, Any] = {
            "tournament": reading.tournament,
            "club": reading.club,
            "state": reading.state,
            "kind": kind,
            "size": "a5 two-up" if kind.two_up and reading.parameter("size", 4) != "a5" else kind.size,
            "bar": bar,
            "pdf": pdf_too,
            "site": settings.SITE_URL.partition("://")[2],
            "home": base.absolute("home", reading.tournament),
            **kind.make(reading),
        }
        return render_to_string(f"tournaments/publishing/sheet_{name}.html", context, request=None)


def _bar(reading: Reading, name: str, kind: Kind, language: str) -> str:
    """The bar above the paper on a screen, in the reader's language."""
    query = reading.request.GET.copy()
    query.pop("in", None)
    if kind.two_up:
        query.pop("size", None)
    address = reverse("tournament:paper-pdf", args=[reading.tournament.public_id, name])
    whole = reading.request.GET.urlencode()
    context = {
        "tournament": reading.tournament,
        "kind": kind,
        "back": reading.url("paper") if reading.runs_it else reading.url("home"),
        "pdf_url": f"{address}?{whole}" if whole else address,
        "available": available(),
        "languages": settings.INTERFACE_LANGUAGES,
        "language": language,
        "query": list(query.items()),
        "size": reading.parameter("size", 4),
        "rounds": [
            round
            for phase in reading.state.phases
            for round in phase.rounds
            if reading.runs_it or round.status != DRAFT
        ]
        if kind.rounds
        else [],
        "round": reading.parameter("round"),
        "several": len(reading.state.phases) > 1,
    }
    return render_to_string("tournaments/publishing/_bar.html", context, request=reading.request)
