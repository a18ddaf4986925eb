"""The API put together: its parts, its description, its addresses."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.urls import URLPattern, URLResolver, path
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_safe
from ninja import Field, Schema

from games.api import acting, following, games, records, rulesets, tables
from games.api.auth import Limited
from games.api.base import PATH, Api, Renderer, add_handlers, nothing_here, open_to_pages, problems

EXAMPLE: Final = Path(settings.BASE_DIR) / "docs" / "example_player.py"
DESCRIPTION: Final = """Play Troccas and Troggu by program: the same games, the same rules and the same view as on the pages.

Sign in with a personal token: `Authorization: Bearer troccas_…`. How to get one, and how to begin, is told at /en/api/.
Within version 1 fields and addresses are added, never taken away or changed in meaning: be prepared for fields you do not know.
"""

api = Api(
    title="Troccas and Troggu: playing",
    version="1.0.0",
    description=DESCRIPTION,
    docs_url=None,  # its page would load scripts from elsewhere; /en/api/reference/ shows the same
    openapi_url="/openapi.json",
    urls_namespace="play-api",
    renderer=Renderer(),
    servers=[{"url": settings.SITE_URL, "description": "this site"}],
)
add_handlers(api)
for part in (rulesets, games, acting, following, records, tables):
    api.add_router("", part.router)


class Index(Schema):
    """Where everything is."""

    title: str
    openapi: str = Field(description="the description for programs")
    guide: str = Field(description="the same for people")


@api.get("/", auth=Limited(), response={200: Index, **problems()}, tags=["rules"], summary="Where everything is")
def index(request: HttpRequest) -> dict[str, str]:
    """Links to the description."""
    return {
        "title": api.title,
        "openapi": f"{settings.SITE_URL}{PATH}openapi.json",
        "guide": f"{settings.SITE_URL}/en/api/",
    }


@require_safe
def example(request: HttpRequest) -> HttpResponse:
    """The example program, as it lies in the source."""
    return HttpResponse(EXAMPLE.read_text(encoding="utf-8"), content_type="text/plain; charset=utf-8")


def urls() -> list[URLPattern | URLResolver]:
    """The addresses of the API; they stand before those of the encyclopedia, whose API has the rest of /api/."""
    patterns, app_name, namespace = api.urls
    for pattern in patterns:
        assert isinstance(pattern, URLPattern)
        pattern.callback = csrf_exempt(open_to_pages(pattern.callback))
    at = PATH.removeprefix("/")
    return [
        path(at, (patterns, app_name, namespace)),
        path(f"{at}example_player.py", csrf_exempt(open_to_pages(example)), name="api-example"),
        path(f"{at}<path:rest>", csrf_exempt(open_to_pages(nothing_here))),
    ]
