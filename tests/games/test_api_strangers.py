"""Somebody else's token, with every right there is, at every address of the description, with the ids of what belongs to others."""

from __future__ import annotations

import json
import re
import uuid
from datetime import timedelta
from io import StringIO
from typing import Any

import pytest
from django.apps import apps
from django.core.management import call_command
from django.utils import timezone

from accounts.tokens import SCOPES
from games.api.base import DESCRIPTION
from tests.games.api_kit import API, Program, member

pytestmark = pytest.mark.django_db

DESCRIBED = json.loads(DESCRIPTION.read_text(encoding="utf-8"))
OPERATIONS = [(path, method) for path, methods in DESCRIBED["paths"].items() for method in methods if "{" in path]
SECRET = "zuppau"
"""Stands in what is Anna's alone."""
MAY = {
    "/appointments/{key}/answer",
    "/people/{key}/follow",
    "/people/{key}/unfollow",
    "/messages/{key}",
    "/games/{key}/watchers/name",
}
"""What is open to everybody: an appointment without conditions, following, being named as who watches."""
LEGAL: dict[str, dict[str, object]] = {
    "act": {"action": "cut 7"}, "answer": {"about": "undo", "agree": True, "comes": True}, "more-time": {"seat": 0, "seconds": 60},
    "pause": {"until": "2027-01-01"}, "plans": {"lines": []}, "talk": {"rounds": []}, "propose": {"mode": "closed"},
    "chance": {"deal": 1, "entropy": "00" * 16}, "notes": {"text": "mine"}, "chat": {"channel": "table", "text": "hello"},
    "read": {"up_to": 1}, "cancel": {"reason": "no"}, "move": {"seat": 1}, "remove": {"seat": 0}, "undo": {"move": 1},
    "ask-substitute": {"seat": 0}, "substitute": {"seat": 0}, "play-on": {"seat": 0}, "name": {"shown": True}, "end": {},
}  # fmt: skip


def rows() -> dict[tuple[str, object], dict[str, Any]]:
    """All that the apps which Anna has something in know."""
    written = StringIO()
    ours = [app.label for app in apps.get_app_configs() if app.name.split(".")[0] in ("games", "notices")]
    call_command("dumpdata", *ours, "accounts.absence", stdout=written)
    return {(row["model"], row["pk"]): row["fields"] for row in json.loads(written.getvalue())}


@pytest.fixture
def keys() -> dict[str, str]:
    """A game, a table, an appointment, a wish, an alert, a webhook and messages of Anna's; their ids."""
    anna = Program(member("Anna"), scopes=tuple(SCOPES))
    clau = member("Clau")
    for program, other in ((anna, clau), (Program(clau, scopes=tuple(SCOPES)), anna.player)):
        program.client.post(f"{API}/people/{other.public_id}/follow", headers=program.headers)

    def made(path: str, described: str = "", **body: object) -> Any:
        """What the answer to a POST is, with an id where there is to be one."""
        operation = DESCRIBED["paths"][API + (described or path)]["post"]
        given = body | ({"request_id": str(uuid.uuid4())} if "request_id" in _fields(operation["requestBody"]) else {})
        return anna.send(path, int(min(operation["responses"])), given)

    game = made("/games", ruleset="troccas", options={"throw_in": False})
    key = game["public_id"]
    made(f"/games/{key}/ready", "/games/{key}/ready", expected=game["number"])
    made(f"/games/{key}/notes", "/games/{key}/notes", text=SECRET)
    table = made("/tables", ruleset="troccas-3", entry="invited")
    wish = made("/wishes", games=["troccas-3"], paces=["day"])
    at = (timezone.now() + timedelta(days=3)).isoformat()
    evening = made("/appointments", game="troccas", size=4, hands=1, starts_at=at)
    alert = made("/alerts", games=["troccas-3"])
    hook = made("/webhooks", url=f"https://{SECRET}.example.org/")
    made(f"/messages/{clau.public_id}", "/messages/{key}", text=SECRET)
    found = {
        "games": key,
        "tables": table["public_id"],
        "wishes": wish["public_id"],
        "appointments": evening["public_id"],
    }
    found |= {"alerts": _id_of(alert), "webhooks": _id_of(hook)}
    return found | {"people": anna.player.public_id, "messages": clau.public_id}


def _id_of(answer: Any) -> str:
    found = answer if isinstance(answer, dict) else answer[-1]
    return str(found.get("id") or found.get("number") or found["key"])


def test_nobody_reads_or_changes_what_is_somebody_elses(keys):
    bob = Program(member("Bob"), scopes=tuple(SCOPES))
    before, did = rows(), 0
    for path, method in OPERATIONS:
        short = path.removeprefix(API)
        where = short.split("/")[1]
        address = short.replace("{key}", keys.get(where, "x")).replace("{id}", keys.get(where, "1"))
        address = address.replace("{number}", keys[where] if where == "webhooks" else "1")
        if short.endswith("/events"):
            address += "?seconds=0"
        headers = bob.headers
        if method == "get":
            answer = bob.client.get(f"{API}{address}", headers=headers)
        else:
            ask: dict[str, object] = {
                "expected": 2,
                "agree": True,
                "seat": 0,
                "request_id": str(uuid.uuid4()),
            } | LEGAL.get(short.rsplit("/", 1)[-1], {})
            wanted = DESCRIBED["paths"][path][method].get("requestBody")
            body = json.dumps({name: ask[name] for name in _fields(wanted) if name in ask}) if wanted else "{}"
            answer = bob.client.post(f"{API}{address}", body, content_type="application/json", headers=headers)
        text = "" if answer.streaming else answer.content.decode()  # a stream tells when, not what
        assert answer.status_code < 500, (path, text)
        assert SECRET not in text, path
        did += 1
        if short in MAY:
            before = rows()
        else:
            now = rows()
            changed = {row for row in before if now.get(row) != before[row]}
            assert not changed, (path, answer.status_code, changed)
    assert did == len(OPERATIONS) > 50


def _fields(body: dict[str, Any]) -> list[str]:
    schema = next(iter(body["content"].values()))["schema"]
    while "$ref" in schema:
        schema = DESCRIBED["components"]["schemas"][schema["$ref"].rsplit("/", 1)[-1]]
    return list(schema["properties"])


NEEDS = re.compile(r"Needs `(\w+:\w+)`")
NAMED = [
    (path, method, operation) for path, methods in DESCRIBED["paths"].items() for method, operation in methods.items()
]


def test_every_operation_refuses_a_token_with_every_scope_but_its_own():
    anna = member("Anna")
    everything = Program(anna, scopes=tuple(SCOPES))
    without = {scope: Program(anna, scopes=tuple(one for one in SCOPES if one != scope)) for scope in SCOPES}
    refused = 0
    for path, method, operation in NAMED:
        address = re.sub(r"\{\w+\}", "1", path.removeprefix(API)) + ("?seconds=0" if path.endswith("events") else "")
        found = NEEDS.findall(operation["description"])
        if not operation.get("security"):
            assert not found, path
            continue
        send = getattr(everything.client, method)
        how: dict[str, Any] = {} if method == "get" else {"data": "{}", "content_type": "application/json"}
        assert send(API + address, **how).status_code == 401, path
        for scope in found:
            answer = send(API + address, headers=without[scope].headers, **how)
            assert (answer.status_code, answer.json()["code"]) == (403, "scope-missing"), path
            refused += 1
    assert refused > 80
