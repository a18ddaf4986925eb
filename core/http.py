"""What views and feeds share: the site's host, caching headers, methods, pagination, errors of the database."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Callable
from datetime import datetime
from typing import TYPE_CHECKING, Final, TypeVar
from urllib.parse import urlsplit, urlunsplit

from django.conf import settings
from django.core.checks import CheckMessage
from django.core.paginator import Page, Paginator
from django.db import InterfaceError, OperationalError
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.urls import URLResolver
from django.urls.resolvers import RoutePattern
from django.utils.cache import patch_cache_control
from django.utils.datastructures import MultiValueDict
from django.utils.feedgenerator import Atom1Feed
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.module_loading import import_string
from django.views.decorators.http import require_http_methods

if TYPE_CHECKING:
    from django.core.paginator import _SupportsPagination


R = TypeVar("R", bound=HttpResponseBase)
T = TypeVar("T")

require_safe_or_post: Final = require_http_methods(["GET", "HEAD", "POST"])


def own_host() -> str:
    """The host name of this site, for the ids of mails and of calendar events."""
    return urlsplit(settings.SITE_URL).hostname or "localhost"


def private(response: R) -> R:
    patch_cache_control(response, private=True, no_store=True)
    return response


def shown_count(count: int) -> HttpResponse:
    """A count as the head of a page shows it: "" for 0, "99+" above 99."""
    return private(HttpResponse("99+" if count > 99 else str(count or ""), content_type="text/plain"))


def unlisted(response: R, robots: str = "noindex") -> R:
    """Make a response `private`, and keep it out of search engines: often the address is all that protects the page."""
    response["X-Robots-Tag"] = robots
    return private(response)


def page_before(request: HttpRequest) -> str:
    """The path and query of the page of this site that the request comes from; "" if it comes from elsewhere."""
    referer = request.headers.get("Referer", "")
    if not url_has_allowed_host_and_scheme(referer, request.get_host()):
        return ""
    page = urlsplit(referer)
    return urlunsplit(("", "", f"/{page.path.lstrip('/')}", page.query, ""))


def page_of(request: HttpRequest, rows: _SupportsPagination[T], per_page: int) -> Page[T]:
    """The page of a list that the query parameter `page` asks for; the nearest one if it does not exist."""
    return Paginator(rows, per_page).get_page(request.GET.get("page"))


def search_text(request: HttpRequest, name: str = "find") -> str:
    """What the query parameter `name` searches for: its text without spaces around it, at most 80 characters."""
    return request.GET.get(name, "").strip()[:80]


def whole_number(text: str, digits: int = 9) -> int | None:
    """The number in a text of at most `digits` digits; None for any other text."""
    return int(text) if text.isascii() and text.isdigit() and len(text) <= digits else None


def typed_number(text: str) -> int | None:
    """A whole number as people and their phones type it: 1000, 1’000, 1 000, −12, +12; None for any other text."""
    plain = _BETWEEN_DIGITS.sub("", text).translate(_MINUS)
    return int(plain) if _TYPED.fullmatch(plain) else None


_BETWEEN_DIGITS: Final = re.compile(r"[\s'’]")
_MINUS: Final = str.maketrans("−–", "--")
_TYPED: Final = re.compile(r"[+-]?[0-9]{1,9}")


RETRY_AFTER: Final = 10
"""Seconds after which to try again while the database is away: longer than PostgreSQL takes to restart."""
_SQLITE_AWAY: Final = (
    sqlite3.SQLITE_BUSY,
    sqlite3.SQLITE_LOCKED,
    sqlite3.SQLITE_READONLY,
    sqlite3.SQLITE_IOERR,
    sqlite3.SQLITE_FULL,
    sqlite3.SQLITE_CANTOPEN,
)


def database_is_away(error: BaseException | None) -> bool:
    """Whether an error was raised because the database is unavailable or cannot write, not because of the query."""
    if isinstance(error, InterfaceError):
        return True
    cause = getattr(error, "__cause__", None)
    if isinstance(cause, sqlite3.Error):  # SQLite also raises OperationalError for a missing table
        return getattr(cause, "sqlite_errorcode", sqlite3.SQLITE_ERROR) & 0xFF in _SQLITE_AWAY
    return isinstance(error, OperationalError)


class ImportedLate(URLResolver):
    """The URLs of a module that is imported on the first request for one of them: `ImportedLate("api/", "rules.api")`.

    They cannot be reversed by name: otherwise Django would have to import the module to look up any name at all.
    """

    def __init__(self, route: str, module: str) -> None:
        super().__init__(RoutePattern(route), module)

    def check(self) -> list[CheckMessage]:
        return self.pattern.check()

    def _populate(self) -> None:
        self._populated = True

    @property
    def reverse_dict(self) -> MultiValueDict[str, object]:
        return MultiValueDict()

    @property
    def namespace_dict(self) -> dict[str, tuple[str, URLResolver]]:
        return {}

    @property
    def app_dict(self) -> dict[str, list[str]]:
        return {}


def imported_late(view: str) -> Callable[[HttpRequest], HttpResponseBase]:
    """A view whose module is imported on the first request."""

    def late(request: HttpRequest) -> HttpResponseBase:
        response: HttpResponseBase = import_string(view)(request)
        return response

    return late


class SteadyAtom(Atom1Feed):
    """An Atom feed with `since`, an aware datetime: the time of the last change of a feed without entries.

    Without it, Django takes the time at which the feed is read, so an empty feed would look changed every time.
    """

    def latest_post_date(self) -> datetime:
        """When the newest entry was made or changed; `since` if there are none."""
        if self.items:
            return super().latest_post_date()
        since: datetime = self.feed["since"]
        return since
