"""The pages that tell people of the API: how to begin, and all its addresses and shapes, to be tried on the spot."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, Final

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from accounts import personal_tokens
from games.api import auth, streams
from games.api.base import PATH
from games.api.urls import api
from games.refusals import Refusal

_TOLD_BY: Final = ("games.refusals", "games.lobby.refusals", "games.watching.rights", "games.api.")
"""The modules whose refusals a program can meet."""
_SAMPLES: Final[dict[str, Any]] = {
    "request_id": "00000000-0000-4000-8000-000000000001",
    "expected": 0,
    "action": "play CK",
    "ruleset": "troggu",
    "player": "",
    "seat": 0,
    "move": 0,
    "about": "undo",
    "agree": True,
    "deal": 1,
    "entropy": "0" * 32,
    "computers_pause": False,
}


@require_safe
def guide(request: HttpRequest) -> HttpResponse:
    """How to begin, what a token may do, the limits, what can go wrong."""
    context = {
        "site": settings.SITE_URL,
        "path": PATH,
        "scopes": personal_tokens.SCOPES.items(),
        "a_minute": auth.A_MINUTE,
        "burst": auth.BURST,
        "strangers": auth.STRANGERS_A_MINUTE,
        "streams": streams.AT_ONCE,
        "longest": streams.LONGEST // 60,
        "heartbeat": int(streams.HEARTBEAT),
        "most_tokens": personal_tokens.MOST,
        "problems": sorted(_problems(), key=lambda row: (row["status"], row["code"])),
    }
    return render(request, "games/api/guide.html", context)


@require_safe
def reference(request: HttpRequest) -> HttpResponse:
    """Every address and every shape of the description, with a form that sends a request."""
    described = api.get_openapi_schema(path_prefix=PATH)
    shapes = described["components"]["schemas"]
    operations = [
        _operation(path, method, told, shapes)
        for path, methods in described["paths"].items()
        for method, told in methods.items()
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
    """Every code of a problem, with its status and the sentence that goes with it."""
    yield {"code": "no-token", "status": 401, "text": _("A token is missing, or it is not valid any more.")}
    yield {"code": "unreadable", "status": 400, "text": _("The request cannot be read; errors says which parts.")}
    yield {"code": "unusable", "status": 422, "text": _("Some of it cannot be so; errors says which parts.")}
    yield {"code": "not-found", "status": 404, "text": _("There is nothing at this address.")}
    yield {"code": "no-such-ruleset", "status": 404, "text": _("There is no such game here.")}
    yield {"code": "wrong-method", "status": 405, "text": _("This address does not know that method.")}
    yield {"code": "failed", "status": 500, "text": _("Something failed here. It has been noted.")}
    seen = set()
    for kind in _kinds(Refusal):
        if kind.__module__.startswith(_TOLD_BY) and kind.code not in seen:
            seen.add(kind.code)
            text = str(kind.message).replace("%(scope)s", "…")
            if kind.code == "illegal":
                text = _("A rule of the game forbids it; why names the rule.")
            yield {"code": kind.code, "status": kind.status, "text": text}


def _kinds(kind: type[Refusal]) -> Iterator[type[Refusal]]:
    for below in kind.__subclasses__():
        yield below
        yield from _kinds(below)


def _operation(path: str, method: str, told: dict[str, Any], shapes: dict[str, Any]) -> dict[str, Any]:
    body = told.get("requestBody", {}).get("content", {}).get("application/json", {}).get("schema")
    name = body["$ref"].rsplit("/", 1)[-1] if body else ""
    fields = list(_fields(shapes[name])) if name else []
    good = next(answer for status, answer in told["responses"].items() if int(status) < 300)
    content = good.get("content", {})
    return {
        "id": told["operationId"].rsplit("_api_", 1)[-1].replace("_", "-"),
        "tag": told["tags"][0],
        "method": method.upper(),
        "path": path,
        "summary": told["summary"],
        "text": _marked(told["description"]),
        "open": not told.get("security"),
        "parameters": [_parameter(each) for each in told.get("parameters", ())],
        "body": name,
        "fields": fields,
        "sample": json.dumps({field["name"]: _SAMPLES[field["name"]] for field in fields if field["needed"]}, indent=1)
        if name
        else "",
        "answer": _type(content["application/json"]["schema"]) if "application/json" in content else None,
        "streams": "text/event-stream" in content,
        "problems": [int(status) for status in told["responses"] if int(status) >= 400],
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
    """A description with its names set as code."""
    parts = enumerate(text.split("`"))
    return format_html_join(
        "", "{}", ((format_html("<code>{}</code>", part) if at % 2 else part,) for at, part in parts)
    )


def _type(schema: dict[str, Any]) -> dict[str, str]:
    """What a value is, in words: `before`, the name of a shape if it is one, `after`."""
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
