"""Views that belong to no app: health check, privacy notice, front door; and the site as an app on a phone.

For the latter there are a manifest, a page that is shown without a connection, and a service worker with its shell. The
shell consists of that page and its files, and nothing else: no page of a person, a game or a table is ever stored. Its
version is a digest of all of it, so a new shell changes the worker's script, and browsers update it by themselves.
"""

from __future__ import annotations

import hashlib
import json
import re
import sys
from datetime import UTC, timedelta
from functools import cache
from pathlib import Path
from typing import Any, Final

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect, JsonResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.templatetags.static import static
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.cache import patch_vary_headers
from django.utils.module_loading import import_string
from django.utils.translation import gettext as _
from django.views import defaults
from django.views.decorators.cache import cache_control, never_cache
from django.views.decorators.http import conditional_page, require_safe

from core.http import RETRY_AFTER, database_is_away

LEAVING: Final = ("account_logout", "accounts:forget", "accounts:delete")
"""Views after whose POST nobody is known on this device any more."""


@never_cache
@require_safe
def healthz(request: HttpRequest) -> HttpResponse:
    """`ok` if the server responds. `/readyz` says whether its database, Redis and worker do."""
    return HttpResponse("ok", content_type="text/plain; charset=utf-8")


@require_safe
def security_txt(request: HttpRequest) -> HttpResponse:
    """Where to report security problems (RFC 9116). Raises Http404 if SECURITY_CONTACT is not set."""
    if not settings.SECURITY_CONTACT:
        raise Http404
    expires = (timezone.now() + timedelta(days=180)).astimezone(UTC).replace(hour=0, minute=0, second=0, microsecond=0)
    lines = {
        "Contact": settings.SECURITY_CONTACT,
        "Expires": expires.isoformat().replace("+00:00", "Z"),
        "Preferred-Languages": "de, en",
        "Canonical": f"{settings.SITE_URL}/.well-known/security.txt",
    }
    text = "".join(f"{name}: {value}\n" for name, value in lines.items())
    return HttpResponse(text, content_type="text/plain; charset=utf-8")


@require_safe
def privacy(request: HttpRequest) -> HttpResponse:
    """The privacy notice: which data are kept, and for how long."""
    return render(request, "pages/privacy.html", {"operator": settings.OPERATOR})


@require_safe
def front_door(request: HttpRequest) -> HttpResponse:
    """Redirect the address without a language to the front page in the reader's language."""
    response = HttpResponseRedirect(reverse("home"))
    patch_vary_headers(response, ("Accept-Language", "Cookie"))
    return response


PAPER: Final = "#fcfbf8"
"""The light --paper of tokens.css: a manifest has one colour. In dark mode the page's theme-color applies."""


@cache_control(public=True, max_age=300)
@conditional_page
@require_safe
def manifest(request: HttpRequest) -> HttpResponse:
    """The web app manifest in the language of the address.

    It is the same app in all languages: `id`, `scope` and start URL are the same.
    """
    shortcuts = [
        (_("My games"), reverse("mine:list")),
        (_("Rules"), reverse("rules:contents")),
        (_("New table"), reverse("tables:new")),
    ]
    data: dict[str, Any] = {
        "id": "/",
        "name": _("Troccas & Troggu"),
        "short_name": "Troccas",
        "description": _("Two tarot games of the Swiss Alps, with a table that is always open."),
        "lang": translation.get_language(),
        "dir": "ltr",
        "start_url": "/",
        "scope": "/",
        "display": "standalone",
        "background_color": PAPER,
        "theme_color": PAPER,
        "categories": ["games"],
        "icons": [
            _icon("app-192", 192, "any"),
            _icon("app-512", 512, "any"),
            _icon("app-maskable-192", 192, "maskable"),
            _icon("app-maskable-512", 512, "maskable"),
        ],
        "shortcuts": [{"name": name, "url": url, "icons": [_icon("app-192", 192, "any")]} for name, url in shortcuts],
    }
    return JsonResponse(data, content_type="application/manifest+json", json_dumps_params={"ensure_ascii": False})


def _icon(name: str, side: int, purpose: str) -> dict[str, str]:
    return {
        "src": static(f"icons/{name}.png"),
        "sizes": f"{side}x{side}",
        "type": "image/png",
        "purpose": purpose,
    }


@cache_control(no_cache=True)
@conditional_page
@require_safe
def offline(request: HttpRequest) -> HttpResponse:
    """The page that is shown without a connection.

    The same bytes for everybody: the device itself fills in the player's games.
    """
    return HttpResponse(offline_page(translation.get_language() or settings.LANGUAGE_CODE))


def offline_page(language: str) -> str:
    """The offline page in a language, rendered without a request, so that it cannot contain anybody's name or token."""
    with translation.override(language):
        return render_to_string("pages/offline.html")


@cache_control(no_cache=True)
@conditional_page
@require_safe
def service_worker(request: HttpRequest) -> HttpResponse:
    """The service worker. It is served from the root, so that it may handle every page of the site."""
    response = HttpResponse(worker_script(), content_type="text/javascript; charset=utf-8")
    response["Service-Worker-Allowed"] = "/"
    return response


def worker_script() -> str:
    """The service worker's script, with the shell in front. Computed once in each process, except while debugging."""
    return _worker_script() if settings.DEBUG else _kept_worker_script()


@cache
def _kept_worker_script() -> str:
    return _worker_script()


def _worker_script() -> str:
    script = Path(settings.BASE_DIR, "static", "sw.js").read_text(encoding="utf-8")
    data = shell()
    data["version"] = hashlib.sha256((script + json.dumps(data)).encode()).hexdigest()[:16]
    # It contains no text that a person has written, so nothing in it can end the script.
    return f"const SHELL = {json.dumps(data, sort_keys=True)};\n{script}"


def shell() -> dict[str, Any]:
    """What the service worker has to know: the offline page of each language, its files, and some addresses."""
    pages: dict[str, str] = {}
    bodies: list[str] = []
    leaving: list[str] = []
    for language, _name in settings.INTERFACE_LANGUAGES:
        with translation.override(language):
            pages[language] = reverse("offline")
            leaving += [reverse(name) for name in LEAVING]
        bodies.append(offline_page(language))
    static_file = re.compile(rf'(?:href|src)="({re.escape(settings.STATIC_URL)}[^"#?]+)')
    return {
        "pages": pages,
        "files": sorted({file for body in bodies for file in static_file.findall(body)}),
        "bodies": hashlib.sha256("".join(bodies).encode()).hexdigest()[:16],
        "list": reverse("my-last-seen"),
        "count": reverse("my-waiting"),
        "leaving": leaving,
        "language": settings.LANGUAGE_CODE,
        "icon": static("icons/app-192.png"),
        "badge": static("icons/badge-96.png"),
    }


def unreadable(request: HttpRequest, exception: Exception) -> HttpResponse:
    """The response to a request that is refused before its view, or cannot be read there."""
    return _told_programs(request, exception) or defaults.bad_request(request, exception)


def failed(request: HttpRequest) -> HttpResponse:
    """The response to an exception in a view, or before it: 503 while the database is away, which is temporary, else 500."""
    error = sys.exc_info()[1]
    if isinstance(error, Exception) and (told := _told_programs(request, error)) is not None:
        return told
    if not database_is_away(error):
        return defaults.server_error(request)
    return HttpResponse(render_to_string("503.html"), status=503, headers={"Retry-After": str(RETRY_AFTER)})


_APIS: Final = {"/api/v1/play/": "games.api.urls.api", "/api/": "rules.api.api"}
"""The APIs by their paths, the longest first; they are only imported when programs use them."""


def _told_programs(request: HttpRequest, error: Exception) -> HttpResponse | None:
    """What failed, as the API at this path tells it in JSON to programs on pages of any site; None for a page of ours."""
    name = next((name for path, name in _APIS.items() if request.path_info.startswith(path)), None)
    if name is None:
        return None
    response: HttpResponse = import_string(name).on_exception(request, error)
    response["Access-Control-Allow-Origin"] = "*"
    return response
