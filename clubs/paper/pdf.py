"""Paper as PDF, by WeasyPrint, where its libraries are on the machine; else the page says so and the browser prints.

Nothing is fetched from anywhere: styles, fonts and pictures are our own static files.
"""

from __future__ import annotations

import logging
import mimetypes
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

from django.conf import settings
from django.contrib.staticfiles import finders
from django.core.exceptions import SuspiciousFileOperation
from django.utils._os import safe_join

if TYPE_CHECKING:
    from types import ModuleType

_BASE: Final = "http://paper.invalid"
"""No address of anybody's: what a page names is looked up among our files by its path."""
_log = logging.getLogger(__name__)
logging.getLogger("weasyprint").setLevel(logging.ERROR)
logging.getLogger("fontTools").setLevel(logging.WARNING)


class NotStatic(ValueError):
    """A page asked for something that is not a static file of ours."""


@cache
def _weasyprint() -> ModuleType | None:
    try:
        import weasyprint  # noqa: PLC0415  # its libraries may be missing, and it takes half a second
    except (ImportError, OSError) as missing:  # Pango and what belongs to it are libraries of the system
        _log.warning("PDF cannot be made here: %s", missing)
        return None
    return weasyprint


def available() -> bool:
    """Whether this machine can make PDF."""
    return _weasyprint() is not None


def made(html: str, title: str = "") -> bytes:
    """The page as PDF. Only call it where it is `available`."""
    weasyprint = _weasyprint()
    assert weasyprint is not None
    page = weasyprint.HTML(string=html, base_url=f"{_BASE}/", media_type="print", url_fetcher=_fetcher())
    data: bytes = page.write_pdf()
    return data


def static_file(url: str) -> Path:
    """The file behind an address of a static file. Raises NotStatic for every other address."""
    path = url.removeprefix(_BASE).partition("?")[0].partition("#")[0]
    if not url.startswith(_BASE + settings.STATIC_URL):
        raise NotStatic(url)
    name = path.removeprefix(settings.STATIC_URL)
    try:
        collected = Path(safe_join(str(settings.STATIC_ROOT), name))
        found = finders.find(name)
    except SuspiciousFileOperation:
        raise NotStatic(url) from None
    for each in (collected, Path(found) if isinstance(found, str) else None):
        if each is not None and each.is_file():
            return each
    raise NotStatic(url)


@cache
def _fetcher() -> object:
    from weasyprint.urls import URLFetcher, URLFetcherResponse  # noqa: PLC0415  # as above

    class StaticFiles(URLFetcher):
        """Answers from our static files, and refuses everything else."""

        def fetch(self, url: str, headers: object = None) -> object:
            """The file. Raises NotStatic."""
            file = static_file(url)
            kind = mimetypes.guess_type(file.name)[0] or "application/octet-stream"
            return URLFetcherResponse(url, file.read_bytes(), {"Content-Type": kind})

    return StaticFiles()
