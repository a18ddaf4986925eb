"""Answers that belong to no room.

The site as an app on a phone: its manifest, the page shown without a connection, and the service worker with its shell.

The shell is what that page is made of, and nothing else: no page of a person, a game or a table is ever kept. Its version is
a digest of all of it, so a new shell makes the worker's script differ, and browsers take the new one up by themselves.
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
from django.utils.translation import gettext as _
from django.views import defaults
from django.views.decorators.cache import cache_control, never_cache
from django.views.decorators.http import conditional_page, require_safe

from core.http import RETRY_AFTER, database_is_away

LEAVING: Final = ("account_logout", "accounts:forget", "accounts:delete")
"""Views; what is posted there ends that somebody is known on this device."""


@never_cache
@require_safe
def healthz(request: HttpRequest) -> HttpResponse:
    """`ok` if the server answers. Whether its database, Redis and worker do, `/readyz` says."""
    return HttpResponse("ok", content_type="text/plain; charset=utf-8")


@require_safe
def security_txt(request: HttpRequest) -> HttpResponse:
    """Where to report a hole (RFC 9116). Raises Http404 where SECURITY_CONTACT names nobody."""
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
    """What is kept of whom, and for how long; the numbers are those that the program goes by."""
    return render(request, "pages/privacy.html", {"operator": settings.OPERATOR})


@require_safe
def front_door(request: HttpRequest) -> HttpResponse:
    """The address without a language leads to the front page in the reader's."""
    response = HttpResponseRedirect(reverse("home"))
    patch_vary_headers(response, ("Accept-Language", "Cookie"))
    return response


PAPER: Final = "#fcfbf8"
"""--paper by day (tokens.css): a manifest has one colour; by night the theme-color of the page holds."""


@cache_control(public=True, max_age=300)
@conditional_page
@require_safe
def manifest(request: HttpRequest) -> HttpResponse:
    """The web app manifest in the language of the address. The app is one in all languages: `id`, `scope` and start are the same."""
    shortcuts = [
        (_("My games"), reverse("mine:list")),
        (_("Rules"), reverse("rules:contents")),
        (_("New table"), reverse("tables:new")),
    ]
    told: dict[str, Any] = {
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
    return JsonResponse(told, content_type="application/manifest+json", json_dumps_params={"ensure_ascii": False})


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
    """The page that is shown without a connection. The same bytes for everybody: whose games are on it, the device knows."""
    return HttpResponse(offline_page(translation.get_language() or settings.LANGUAGE_CODE))


def offline_page(language: str) -> str:
    """That page in a language, made without a request, so that nobody's name or token can be in it."""
    with translation.override(language):
        return render_to_string("pages/offline.html")


@cache_control(no_cache=True)
@conditional_page
@require_safe
def service_worker(request: HttpRequest) -> HttpResponse:
    """The service worker. It lies at the root, so that it may answer for every page of the site."""
    response = HttpResponse(worker_script(), content_type="text/javascript; charset=utf-8")
    response["Service-Worker-Allowed"] = "/"
    return response


def worker_script() -> str:
    """The script with its shell in front. Worked out once in each process, unless files may change under it."""
    return _worker_script() if settings.DEBUG else _kept_worker_script()


@cache
def _kept_worker_script() -> str:
    return _worker_script()


def _worker_script() -> str:
    script = Path(settings.BASE_DIR, "static", "sw.js").read_text(encoding="utf-8")
    told = shell()
    told["version"] = hashlib.sha256((script + json.dumps(told)).encode()).hexdigest()[:16]
    # No text of a person is in it; still, nothing in it can end a script.
    return f"const SHELL = {json.dumps(told, sort_keys=True)};\n{script}"


def shell() -> dict[str, Any]:
    """What the worker has to know: the offline page of each language and the files these name, and some addresses."""
    pages: dict[str, str] = {}
    bodies: list[str] = []
    leaving: list[str] = []
    for language, _name in settings.INTERFACE_LANGUAGES:
        with translation.override(language):
            pages[language] = reverse("offline")
            leaving += [reverse(name) for name in LEAVING]
        bodies.append(offline_page(language))
    named = re.compile(rf'(?:href|src)="({re.escape(settings.STATIC_URL)}[^"#?]+)')
    return {
        "pages": pages,
        "files": sorted({file for body in bodies for file in named.findall(body)}),
        "bodies": hashlib.sha256("".join(bodies).encode()).hexdigest()[:16],
        "list": reverse("my-last-seen"),
        "count": reverse("my-waiting"),
        "leaving": leaving,
        "language": settings.LANGUAGE_CODE,
        "icon": static("icons/app-192.png"),
        "badge": static("icons/badge-96.png"),
    }


def failed(request: HttpRequest) -> HttpResponse:
    """Called for what a view raised: 503 while the database is away, which mends itself, else 500."""
    if not database_is_away(sys.exc_info()[1]):
        return defaults.server_error(request)
    return HttpResponse(render_to_string("503.html"), status=503, headers={"Retry-After": str(RETRY_AFTER)})
