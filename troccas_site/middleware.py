"""What every request gets: a number to find it in the log, a place in what is counted, a policy that lets its page open our socket, a language.

Error reports that give nothing away.
"""

import time
from collections.abc import Awaitable, Callable, Collection, ItemsView, MutableMapping
from http import HTTPStatus
from secrets import token_hex
from types import FrameType
from typing import Any, Final

from django.conf import settings
from django.core.exceptions import DisallowedHost
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.http.response import HttpResponseBase
from django.middleware.gzip import GZipMiddleware
from django.utils.cache import add_never_cache_headers, patch_vary_headers
from django.utils.translation import activate, get_language, get_language_from_path
from django.views.debug import SafeExceptionReporterFilter

from core import metrics
from core.reading_languages import READING, is_read, language_instead, view_at
from troccas_site import monitoring
from troccas_site.logs import NO_REQUEST, request_id

GetResponse = Callable[[HttpRequest], HttpResponse]

Scope = MutableMapping[str, Any]
Application = Callable[[Scope, Any, Any], Awaitable[None]]


def numbered(application: Application) -> Application:
    """The same application; each request and each socket has a random id, which stands in every line logged meanwhile.

    It stands outside of Django, which logs what was refused after all middleware is done. An id sent by the client is not
    used: it could forge or confuse the log.
    """

    async def answer(scope: Scope, receive: Any, send: Any) -> None:
        request_id.set(token_hex(6))  # for this task alone
        await application(scope, receive, send)

    return answer


class RequestIdMiddleware:
    """Puts the id of the request on the response as `X-Request-ID`; one that came past `numbered` gets an id here."""

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

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


class MonitoringMiddleware:
    """Answers probes and collectors (`monitoring`), and counts what is answered otherwise.

    It stands outside of what looks at the host and at https: a probe or a collector comes from inside, by an address that
    nobody else uses.
    """

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if request.path_info in ("/readyz", "/metrics") and (told := monitoring.answer(request)) is not None:
            return told
        begun = time.perf_counter()
        response = self.get_response(request)
        view = request.resolver_match.view_name if request.resolver_match is not None else "none"
        metrics.requests.labels(view, response.status_code).inc()
        metrics.request_seconds.labels(view.partition(":")[0]).observe(time.perf_counter() - begun)
        return response


class SocketSourceMiddleware:
    """Allows a page to connect to the sockets of the host it came from; stands inside the CSP middleware."""

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

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
    "accelerometer", "bluetooth", "camera", "display-capture", "geolocation", "gyroscope", "hid", "magnetometer",
    "microphone", "midi", "payment", "serial", "usb",
)  # fmt: skip
"""Features of a device that hardly a page here needs."""


def policy(used: Collection[str] = ()) -> str:
    """A Permissions-Policy that allows a page of ours these features alone."""
    return ", ".join(f"{name}=({'self' if name in used else ''})" for name in _FEATURES)


class HeadersMiddleware:
    """What browsers may do with an answer beyond showing it: nothing that its page does not need (`response.uses` names what it does),
    and pages of an account are not kept.

    On signing out nothing is told to the browser (`Clear-Site-Data`): to empty its cache it lets the answer wait, the longer the
    more it has kept of all sites; and its storage also shows a page without a network. Pages of a person are not kept, what
    shows a name hangs on the cookie (`Vary`), and what is a person's in the storage, the service worker forgets.
    """

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        response.setdefault("Permissions-Policy", policy(getattr(response, "uses", ())))
        if response.get("Content-Type", "").startswith("text/html"):
            response.setdefault("Cross-Origin-Resource-Policy", "same-origin")
        if "/account/" in request.path_info:
            add_never_cache_headers(response)  # addresses, browsers, keys: not for whoever presses "back" later
        return response


class CompressionMiddleware(GZipMiddleware):
    """Compresses pages, parts of pages and the words of scripts, whose length Django blurs, so that it does not tell what is in
    them (BREACH).

    What goes on without an end (`text/event-stream`) must not wait for enough to compress; files are compressed already.
    """

    KINDS: Final = ("text/html", "text/javascript")

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        if response.streaming or not response.get("Content-Type", "").startswith(self.KINDS):
            return response
        return super().process_response(request, response)


class ReadingLanguageMiddleware:
    """Answers in a language of reading only where the encyclopedia is read. Stands inside Django's LocaleMiddleware.

    A page that names such a language and is not there in it leads to itself in another; one whose address has no language
    is told in another.
    """

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

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


class RememberLanguageMiddleware:
    """Keeps the language of the last page that carried one in its address, for those that carry none (games).

    Whoever reads in German and sits down at a table goes on in German. A language of reading is kept over pages that are not
    in it. Stands inside Django's LocaleMiddleware.
    """

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        language = get_language_from_path(request.path_info)
        known = request.COOKIES.get(settings.LANGUAGE_COOKIE_NAME)
        is_page = response.status_code == HTTPStatus.OK and response.get("Content-Type", "").startswith("text/html")
        keeps = known in READING and not is_read(request.resolver_match)  # the page could not be in that language
        if is_page and language is not None and language != known and not keeps:
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
    """Leaves local variables, settings, form values and cookies out of every report, also while debugging.

    A frame of a game holds everybody's cards; a form holds passwords; a cookie is a key to somebody's seat; the
    addresses of services carry their passwords.
    """

    def is_active(self, request: HttpRequest | None) -> bool:
        """Active always; Django's own is not while debugging."""
        return True

    def get_traceback_frame_variables(self, request: HttpRequest | None, tb_frame: FrameType) -> ItemsView[str, Any]:
        return {}.items()

    def get_safe_settings(self) -> dict[str, Any]:
        """No settings: several hold an address with a password in it."""
        return {}

    def get_safe_request_meta(self, request: HttpRequest) -> dict[str, Any]:
        """What the client sent; not the environment of the process, which some servers mix into it."""
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
