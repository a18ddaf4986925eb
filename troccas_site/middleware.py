"""What every request gets: an id for the log, metrics, headers and policies for browsers, compression, a language.

Also error reports that give away nothing private.
"""

import time
from collections.abc import Awaitable, Callable, Collection, ItemsView, MutableMapping
from http import HTTPStatus
from secrets import token_hex
from types import FrameType
from typing import Any, Final
from urllib.parse import urljoin

from django.conf import settings
from django.core.exceptions import DisallowedHost
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.http.response import HttpResponseBase
from django.middleware.gzip import GZipMiddleware
from django.template.loader import render_to_string
from django.urls import is_valid_path
from django.utils.cache import add_never_cache_headers, patch_vary_headers
from django.utils.translation import activate, get_language, get_language_from_path
from django.views.debug import SafeExceptionReporterFilter

from core import metrics
from core.http import page_before
from core.reading_languages import READING, is_read, language_instead, view_at
from troccas_site import monitoring
from troccas_site.logs import NO_REQUEST, request_id

GetResponse = Callable[[HttpRequest], HttpResponse]

Scope = MutableMapping[str, Any]
Application = Callable[[Scope, Any, Any], Awaitable[None]]


def numbered(application: Application) -> Application:
    """Wrap an ASGI application so that each request and socket gets a random id, which is in every line that it logs.

    This wraps Django from outside, because Django logs refused requests after all middleware is done. An id sent by the
    client is not used: it could forge or confuse the log.
    """

    async def with_id(scope: Scope, receive: Any, send: Any) -> None:
        request_id.set(token_hex(6))  # for this task only
        await application(scope, receive, send)

    return with_id


class _Middleware:
    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response


class RequestIdMiddleware(_Middleware):
    """Puts the id of the request on the response as `X-Request-ID`.

    A request that has not gone through `numbered` gets one here.
    """

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if request_id.get() != NO_REQUEST:
            return self._marked(request)
        token = request_id.set(token_hex(6))
        try:
            return self._marked(request)
        finally:
            request_id.reset(token)

    def _marked(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        response["X-Request-ID"] = request_id.get()
        return response


class MonitoringMiddleware(_Middleware):
    """Answers the probes and collectors of `monitoring`, and counts and times all other requests.

    It comes before the middleware that checks the host and https: probes and collectors come from inside the network,
    by an address that nobody else uses.
    """

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if request.path_info in ("/readyz", "/metrics") and (answer := monitoring.answer(request)) is not None:
            return answer
        started = time.perf_counter()
        response = self.get_response(request)
        view = request.resolver_match.view_name if request.resolver_match is not None else "none"
        metrics.requests.labels(view, response.status_code).inc()
        metrics.request_seconds.labels(view.partition(":")[0]).observe(time.perf_counter() - started)
        return response


class NotAllowedMiddleware(_Middleware):
    """Gives a browser a page where the method is not allowed: Django's response is empty.

    A refused form without script leaves its address in the browser. Opened again, or in another language, that leads to
    the page above it. Must come after (inside) Django's LocaleMiddleware.
    """

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        is_empty = response.status_code == HTTPStatus.METHOD_NOT_ALLOWED and not response.content
        if is_empty and "text/html" in request.headers.get("Accept", ""):
            before, above = page_before(request), urljoin(request.path, "..")
            if request.method == "GET" and before in ("", request.path) and is_valid_path(above):
                return HttpResponseRedirect(above)
            response.content = render_to_string("405.html", {"page_before": before})
        return response


class SocketSourceMiddleware(_Middleware):
    """Allows a page to connect to the sockets of the host it came from. Must come after (inside) the CSP middleware."""

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        try:
            scheme = "wss" if request.is_secure() else "ws"
            source = f"{scheme}://{request.get_host()}"
        except DisallowedHost:
            return response
        added = getattr(response, "_csp_update", None) or {}
        response._csp_update = {**added, "connect-src": source}  # type: ignore[attr-defined]  # the name django-csp reads
        return response


_FEATURES: Final = (
    "accelerometer", "camera", "display-capture", "geolocation", "gyroscope", "hid", "magnetometer",
    "microphone", "midi", "payment", "serial", "usb",
)  # fmt: skip
"""Features of a device that hardly any page here needs."""


def policy(used: Collection[str] = ()) -> str:
    """A Permissions-Policy that allows a page of ours only these features."""
    return ", ".join(f"{name}=({'self' if name in used else ''})" for name in _FEATURES)


class HeadersMiddleware(_Middleware):
    """Limits what browsers may do with a response: only what its page needs (`response.uses`).

    Pages of an account are not cached. Signing out does not send `Clear-Site-Data`: browsers delay the response until
    their cache is empty, which takes the longer the more they have cached of all sites, and they would also delete the
    storage for the offline page. It is not needed: personal pages are not cached, responses with a name vary with the
    cookie (`Vary`), and the service worker deletes personal data from the storage.
    """

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        response.setdefault("Permissions-Policy", policy(getattr(response, "uses", ())))
        if response.get("Content-Type", "").startswith("text/html"):
            response.setdefault("Cross-Origin-Resource-Policy", "same-origin")
        if "/account/" in request.path_info:
            add_never_cache_headers(response)  # nobody who presses "back" later may see addresses, browsers, keys
        return response


class CompressionMiddleware(GZipMiddleware):
    """Compresses pages, parts of pages and the texts of scripts.

    Django blurs their length, so that it does not reveal their contents (BREACH). Streams without an end
    (`text/event-stream`) are left alone: they must not wait until there is enough to compress. Files are compressed
    already.
    """

    KINDS: Final = ("text/html", "text/javascript")

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        if response.streaming or not response.get("Content-Type", "").startswith(self.KINDS):
            return response
        return super().process_response(request, response)


class ReadingLanguageMiddleware(_Middleware):
    """Allows reading languages only for the encyclopedia. Must come after (inside) Django's LocaleMiddleware.

    A page with such a language in its address that does not exist in it redirects to the same page in another language.
    A page without a language in its address is shown in another language.
    """

    def __call__(self, request: HttpRequest) -> HttpResponse:
        language = get_language()
        if language not in READING or is_read(view_at(request.path_info, language)):
            return self.get_response(request)
        instead = language_instead(request)
        if get_language_from_path(request.path_info) == language:
            path = request.get_full_path().replace(f"/{language}/", f"/{instead}/", 1)
            response = HttpResponseRedirect(path, preserve_request=request.method not in ("GET", "HEAD"))
            patch_vary_headers(response, ("Accept-Language",))
            return response
        activate(instead)
        request.LANGUAGE_CODE = instead
        return self.get_response(request)


class RememberLanguageMiddleware(_Middleware):
    """Remembers the language of the last page that had one in its address, for pages that have none (games).

    A player who reads in German and sits down at a table continues in German. A reading language is kept across pages
    that do not exist in it. Must come after (inside) Django's LocaleMiddleware.
    """

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        language = get_language_from_path(request.path_info)
        remembered = request.COOKIES.get(settings.LANGUAGE_COOKIE_NAME)
        is_page = response.status_code == HTTPStatus.OK and response.get("Content-Type", "").startswith("text/html")
        keeps = remembered in READING and not is_read(request.resolver_match)  # the page could not be in that language
        if is_page and language is not None and language != remembered and not keeps:
            response.set_cookie(
                settings.LANGUAGE_COOKIE_NAME,
                language,
                max_age=settings.LANGUAGE_COOKIE_AGE,
                secure=settings.LANGUAGE_COOKIE_SECURE,
                httponly=settings.LANGUAGE_COOKIE_HTTPONLY,
                samesite="Lax",
            )
        return response


class NothingPrivateFilter(SafeExceptionReporterFilter):
    """Leaves local variables, settings, form values and cookies out of every error report, even while debugging.

    A stack frame of a game contains everybody's cards, a form contains passwords, a cookie is the key to somebody's
    seat, and the addresses of services contain their passwords.
    """

    def is_active(self, request: HttpRequest | None) -> bool:
        """Always. Django's own filter is not active while debugging."""
        return True

    def get_traceback_frame_variables(self, request: HttpRequest | None, tb_frame: FrameType) -> ItemsView[str, Any]:
        return {}.items()

    def get_safe_settings(self) -> dict[str, Any]:
        """No settings, since several contain an address with a password in it."""
        return {}

    def get_safe_request_meta(self, request: HttpRequest) -> dict[str, Any]:
        """The data that the client sent, without the environment of the process, which some servers mix into it."""
        return {
            name: value
            for name, value in super().get_safe_request_meta(request).items()
            if name.startswith("HTTP_") or name in {"PATH_INFO", "REQUEST_METHOD", "SERVER_NAME", "SERVER_PORT"}
        }

    def get_post_parameters(self, request: HttpRequest | None) -> dict[str, str]:
        """The names of the form's fields, without their values."""
        return {} if request is None else dict.fromkeys(request.POST, self.cleansed_substitute)

    def get_safe_cookies(self, request: HttpRequest) -> dict[str, str]:
        """The names of the cookies, without their values."""
        return dict.fromkeys(request.COOKIES, self.cleansed_substitute)
