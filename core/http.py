"""What views and feeds share: the name of the site, caching headers, allowed methods, pages of a list, and a database that is away."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from datetime import datetime
from typing import TYPE_CHECKING, Final, TypeVar
from urllib.parse import urlsplit

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
from django.utils.module_loading import import_string
from django.views.decorators.http import require_http_methods

if TYPE_CHECKING:
    from django.core.paginator import _SupportsPagination


R = TypeVar("R", bound=HttpResponseBase)
T = TypeVar("T")

require_safe_or_post: Final = require_http_methods(["GET", "HEAD", "POST"])


def own_host() -> str:
    """The name of this site, in the ids of letters and of entries of calendars."""
    return urlsplit(settings.SITE_URL).hostname or "localhost"


def private(response: R) -> R:
    patch_cache_control(response, private=True, no_store=True)
    return response


def shown_count(count: int) -> HttpResponse:
    """How many of something there are, as the head of a page shows it: nothing for none, "99+" for more."""
    return private(HttpResponse("99+" if count > 99 else str(count or ""), content_type="text/plain"))


def unlisted(response: R, robots: str = "noindex") -> R:
    """As `private`, and no search engine lists it: often the address is all that protects it."""
    response["X-Robots-Tag"] = robots
    return private(response)


def page_of(request: HttpRequest, rows: _SupportsPagination[T], per_page: int) -> Page[T]:
    """The page of a list that `page` in the query asks for; the nearest one for a number there is not."""
    return Paginator(rows, per_page).get_page(request.GET.get("page"))


def whole_number(text: str, digits: int = 9) -> int | None:
    """The number that was sent as at most so many digits; None for anything else."""
    return int(text) if text.isascii() and text.isdigit() and len(text) <= digits else None


RETRY_AFTER: Final = 10
"""Seconds after which to ask again where the database is away: longer than PostgreSQL takes to start again."""
_SQLITE_AWAY: Final = (
    sqlite3.SQLITE_BUSY,
    sqlite3.SQLITE_LOCKED,
    sqlite3.SQLITE_READONLY,
    sqlite3.SQLITE_IOERR,
    sqlite3.SQLITE_FULL,
    sqlite3.SQLITE_CANTOPEN,
)


def database_is_away(error: BaseException | None) -> bool:
    """Whether it was raised because the database cannot answer or write just now, and not because of what it was asked."""
    if isinstance(error, InterfaceError):
        return True
    cause = getattr(error, "__cause__", None)
    if isinstance(cause, sqlite3.Error):  # an OperationalError too where a table is missing
        return getattr(cause, "sqlite_errorcode", sqlite3.SQLITE_ERROR) & 0xFF in _SQLITE_AWAY
    return isinstance(error, OperationalError)


class ImportedLate(URLResolver):
    """The addresses of a module that is imported when one of them is asked for: `ImportedLate("api/", "rules.api")`.

    No page can link to one of them by name (`reverse`): to look up any name at all, Django would have to import the module.
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
    """A view whose module is imported when it is first asked for."""

    def asked(request: HttpRequest) -> HttpResponseBase:
        answer: HttpResponseBase = import_string(view)(request)
        return answer

    return asked


class SteadyAtom(Atom1Feed):
    """An Atom feed that is given `since`, an aware moment: when a feed without entries was last changed.

    Without it Django takes the moment at which the feed is read, and every reader sees something new in nothing.
    """

    def latest_post_date(self) -> datetime:
        """When its newest entry was made or changed; `since` where there is none."""
        if self.items:
            return super().latest_post_date()
        since: datetime = self.feed["since"]
        return since
