"""The whole API: its routers, its description, its URLs; and the pages that explain it to people."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import URLPattern, URLResolver, path
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_safe
from ninja import Field

from accounts import tokens
from accounts.permissions import Suspended
from core.exceptions import Refusal
from core.schemas import Renderer, Schema
from games.analysis.exceptions import AnalysisError
from games.api import (
    agreeing,
    analysing,
    base,
    following,
    games,
    meeting,
    own,
    people,
    planning,
    preferring,
    puzzling,
    rulesets,
    tables,
    talking,
    webhooks,
)  # fmt: skip
from games.api.base import PATH, Api, Limited, add_handlers, nothing_here, open_to_pages, problems
from games.chat.exceptions import ChatError
from games.exceptions import GameError
from games.lobby.exceptions import LobbyError
from games.meeting.exceptions import MeetingError
from games.permissions import ClosedTable
from games.plans.exceptions import PlanError
from games.puzzles.exceptions import PuzzleError
from games.webhooks.exceptions import WebhookError
from people.exceptions import PeopleError

EXAMPLE: Final = Path(settings.BASE_DIR) / "docs" / "example_player.py"
RECORD_FORMAT: Final = EXAMPLE.with_name("record-format.md")
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
for router in (
    rulesets.router, games.router, games.acting_router, agreeing.router, planning.router, talking.router, following.router,
    rulesets.records_router, analysing.router, tables.router, meeting.router, people.router, own.router, preferring.router, puzzling.router, webhooks.router,
):  # fmt: skip
    api.add_router("", router)


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
    """The source of the example program."""
    return HttpResponse(EXAMPLE.read_text(encoding="utf-8"), content_type="text/plain; charset=utf-8")


@require_safe
def record_format(request: HttpRequest) -> HttpResponse:
    """The description of the format of records."""
    return HttpResponse(RECORD_FORMAT.read_text(encoding="utf-8"), content_type="text/markdown; charset=utf-8")


def _addresses() -> list[URLPattern | URLResolver]:
    patterns, app_name, namespace = api.urls
    for pattern in patterns:
        assert isinstance(pattern, URLPattern)
        pattern.callback = csrf_exempt(open_to_pages(pattern.callback))
    return [
        path("", (patterns, app_name, namespace)),
        path("example_player.py", csrf_exempt(open_to_pages(example)), name="api-example"),
        path("record-format.md", csrf_exempt(open_to_pages(record_format)), name="api-record-format"),
        path("<path:rest>", csrf_exempt(open_to_pages(nothing_here))),
    ]


urlpatterns: Final = _addresses()

_REFUSALS: Final[tuple[type[Refusal], ...]] = (
    Refusal,
    Suspended,
    GameError,
    LobbyError,
    ClosedTable,
    AnalysisError,
    ChatError,
    PlanError,
    PuzzleError,
    WebhookError,
    MeetingError,
    PeopleError,
    base.ApiError,
)
"""The refusals that a program can get."""
_SAMPLES: Final[dict[str, Any]] = {
    "request_id": "00000000-0000-4000-8000-000000000001",
    "expected": 0,
    "action": "play CK",
    "ruleset": "troggu",
    "player": "",
    "url": "https://example.org/troccas",
    "seat": 0,
    "move": 0,
    "about": "undo",
    "agree": True,
    "counts": True,
    "deal": 1,
    "entropy": "0" * 32,
    "computers_speed": "at-once",
    "until": "2027-01-01T12:00:00+01:00",
    "seconds": 86400,
    "lines": [{"led": "C", "play": "lowest"}],
    "rounds": ["veto"],
    "up_to": 0,
    "mode": "open",
    "text": "",
    "shown": True,
    "on": True,
    "week": [[480, 1320]] * 7,
    "first_day": "2027-01-01",
    "last_day": "2027-01-02",
    "id": 1,
    "games": ["troccas"],
    "paces": ["day"],
    "game": "troccas",
    "size": 4,
    "hands": 4,
    "pace": "live",
    "starts_at": "2027-01-01T20:00:00+01:00",
    "comes": True,
    "reason": "",
}


@require_safe
def guide(request: HttpRequest) -> HttpResponse:
    """The guide: how to begin, what a token may do, the limits, and the possible problems."""
    context = {
        "site": settings.SITE_URL,
        "path": PATH,
        "scopes": tokens.SCOPES.items(),
        "a_minute": base.A_MINUTE,
        "burst": base.BURST,
        "strangers": base.STRANGERS_A_MINUTE,
        "streams": following.AT_ONCE,
        "longest": following.LONGEST // 60,
        "heartbeat": int(following.HEARTBEAT),
        "most_tokens": tokens.MOST,
        "problems": sorted(_problems(), key=lambda row: (row["status"], row["code"])),
    }
    return render(request, "games/api/guide.html", context)


@require_safe
def reference(request: HttpRequest) -> HttpResponse:
    """The reference: every operation and every schema of the description, with a form to send a request."""
    described = api.get_openapi_schema(path_prefix=PATH)
    shapes = described["components"]["schemas"]
    operations = [
        _operation(path, method, details, shapes)
        for path, methods in described["paths"].items()
        for method, details in methods.items()
    ]
    groups: dict[str, list[dict[str, Any]]] = {}
    for operation in operations:
        groups.setdefault(operation["tag"], []).append(operation)
    context = {
        "groups": groups,
        "path": PATH,
        "shapes": [
            {"name": name, "text": _marked(shape.get("description", "")), "fields": list(_fields(shape))}
            for name, shape in sorted(shapes.items())
        ],
    }
    return render(request, "games/api/reference.html", context)


def _problems() -> Iterator[dict[str, Any]]:
    """Every code of a problem, with its status and its sentence."""
    words = {code: (kind.status_of(code), words) for kind in _REFUSALS for code, words in kind.words.items()}
    words |= {
        "no-token": (401, _("The token is missing or no longer valid.")),
        "unreadable": (400, _("The request cannot be read; errors says which parts.")),
        "unusable": (422, _("Some of it is not possible; errors says which parts.")),
        "not-found": (404, _("There is nothing at this address.")),
        "no-such-ruleset": (404, _("There is no such game here.")),
        "wrong-method": (405, _("This address does not know that method.")),
        "failed": (500, _("Something failed here. It has been noted.")),
        "away": (503, _("The site cannot get at its data just now; Retry-After says when to send the request again.")),
        "illegal": (422, _("A rule of the game forbids it; why names the rule.")),
    }
    for code, (status, text) in words.items():
        yield {"code": code, "status": status, "text": str(text).replace("%(scope)s", "…")}


def _operation(path: str, method: str, described: dict[str, Any], shapes: dict[str, Any]) -> dict[str, Any]:
    body = described.get("requestBody", {}).get("content", {}).get("application/json", {}).get("schema")
    name = body["$ref"].rsplit("/", 1)[-1] if body else ""
    fields = list(_fields(shapes[name])) if name else []
    success = next(response for status, response in described["responses"].items() if int(status) < 300)
    content = success.get("content", {})
    return {
        "id": described["operationId"].rsplit("_api_", 1)[-1].replace("_", "-"),
        "tag": described["tags"][0],
        "method": method.upper(),
        "path": path,
        "summary": described["summary"],
        "text": _marked(described["description"]),
        "open": not described.get("security"),
        "parameters": [_parameter(each) for each in described.get("parameters", ())],
        "body": name,
        "fields": fields,
        "sample": json.dumps({field["name"]: _SAMPLES[field["name"]] for field in fields if field["needed"]}, indent=1)
        if name
        else "",
        "answer": _type(content["application/json"]["schema"]) if "application/json" in content else None,
        "streams": "text/event-stream" in content,
        "problems": [int(status) for status in described["responses"] if int(status) >= 400],
    }


def _parameter(each: dict[str, Any]) -> dict[str, Any]:
    schema = each["schema"]
    given = "0" if each["name"] == "seconds" else schema.get("default", "")
    return {
        "name": each["name"],
        "place": each["in"],
        "needed": each.get("required", False),
        "text": _marked(each.get("description", "")),
        "options": [option for option in schema.get("enum", ()) if option],
        "given": "" if isinstance(given, bool) else given,
        "type": _type(schema),
    }


def _fields(shape: dict[str, Any]) -> Iterator[dict[str, Any]]:
    needed = shape.get("required", ())
    for name, schema in shape.get("properties", {}).items():
        yield {
            "name": name,
            "type": _type(schema),
            "text": _marked(schema.get("description", "")),
            "needed": name in needed,
        }


def _marked(text: str) -> SafeString:
    """A description as HTML, with the parts in backticks as code."""
    parts = enumerate(text.split("`"))
    return format_html_join(
        "", "{}", ((format_html("<code>{}</code>", part) if index % 2 else part,) for index, part in parts)
    )


def _type(schema: dict[str, Any]) -> dict[str, str]:
    """The type of a value in words: `shape` names its schema, if it has one; `before` and `after` surround it."""
    if "$ref" in schema:
        return {"before": "", "shape": schema["$ref"].rsplit("/", 1)[-1], "after": ""}
    if "anyOf" in schema:
        kinds = [_type(each) for each in schema["anyOf"]]
        first = next((kind for kind in kinds if kind["shape"]), None)
        if first is not None:
            return first | {"after": first["after"] + " or null"}
        return {"before": " or ".join(kind["before"] for kind in kinds), "shape": "", "after": ""}
    if schema.get("type") == "array":
        inner = _type(schema["items"])
        return {"before": f"list of {inner['before']}", "shape": inner["shape"], "after": inner["after"]}
    if "enum" in schema or "const" in schema:
        options = schema.get("enum") or [schema["const"]]
        return {"before": " or ".join(json.dumps(option) for option in options), "shape": "", "after": ""}
    kind = str(schema.get("format") or schema.get("type") or "anything")
    return {"before": kind, "shape": "", "after": ""}
