"""How phones in the hall reach this site: in words, with the addresses this very site has now (docs/hall.md)."""

from __future__ import annotations

from urllib.parse import urlsplit

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

_LOOPBACK = ("127.0.0.1", "localhost", "::1")


@require_safe
def hall_help(request: HttpRequest) -> HttpResponse:
    """The page. It says plainly when the codes on paper would lead phones nowhere."""
    host = urlsplit(settings.SITE_URL).hostname or ""
    context = {
        "site_url": settings.SITE_URL,
        "https": settings.HTTPS,
        "only_here": host in _LOOPBACK,
        "listens_here_only": settings.HOST in _LOOPBACK,
        "port": settings.PORT,
    }
    return render(request, "tournaments/publishing/hall_help.html", context)
