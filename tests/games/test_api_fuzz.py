"""Schemathesis against the whole description: whatever is sent, the answer is one that was described, and nothing breaks."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, Any

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from schemathesis import GenerationMode
from schemathesis.checks import load_all_checks
from schemathesis.config import SchemathesisConfig
from schemathesis.specs.openapi import checks

from games.api.base import PATH
from games.api.urls import api
from tests.games.test_api_live import Caller, tokens
from tests.long import LONG

if TYPE_CHECKING:
    from tests.live import LiveSite

load_all_checks()
DESCRIBED = api.get_openapi_schema(path_prefix=PATH)
# A parameter nobody knows is overlooked, as everywhere on the web.
CONFIG = SchemathesisConfig.from_dict({"generation": {"allow-extra-parameters": False}})
SCHEMA = schemathesis.openapi.from_dict(DESCRIBED, config=CONFIG)
OPERATIONS = [(path, method) for path, methods in DESCRIBED["paths"].items() for method in methods]
# What is well formed may still be against the rules, and no second request without a token is wanted: `test_api` has those.
LEFT_OUT = [checks.positive_data_acceptance, checks.ignored_auth]
EXAMPLES = 8 if LONG else 3


@pytest.fixture(scope="module")
def world(live_site: LiveSite) -> dict[str, Any]:
    """A game and a table, and the tokens of other people who try everything there."""
    raw, *others = tokens(live_site, "Host", *[f"Somebody {number}" for number in range(6)])
    host = Caller(live_site, raw)
    game = host.call("POST", "/games", {"ruleset": "troccas", "options": {"throw_in": False}})
    host.say(f"/games/{game['public_id']}/ready", expected=game["number"])
    table = host.say("/tables", ruleset="troccas-3", entry="invited")
    return {"games": game["public_id"], "tables": table["public_id"], "tokens": itertools.cycle(others)}


@pytest.mark.parametrize(("path", "method"), OPERATIONS)
def test_every_answer_is_one_that_was_described(live_site, world, path, method):
    operation = SCHEMA[path][method.upper()]
    raw = next(world["tokens"])  # one alone would soon have asked too often
    kinds = st.one_of([operation.as_strategy(generation_mode=mode) for mode in GenerationMode])

    @settings(
        max_examples=EXAMPLES, derandomize=True, database=None, deadline=None, phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )  # fmt: skip
    @given(case=kinds, known=st.booleans())
    def ask(case: Any, known: bool) -> None:
        if known and case.path_parameters and "key" in case.path_parameters:
            case.path_parameters["key"] = world[path.removeprefix(PATH).split("/")[0]]
        if path.endswith("/events") and isinstance(case.query, dict) and not case.query.get("seconds"):
            case.query["seconds"] = 0  # a stream that goes on for an hour would keep us
        if path.endswith("/events") and str(dict(case.query or {}).get("seconds")).isdigit():
            case.query["seconds"] = 0
        headers = {"Authorization": f"Bearer {raw}"}
        case.call_and_validate(base_url=live_site.url, headers=headers, excluded_checks=LEFT_OUT, timeout=30)

    ask()
    assert "Traceback" not in live_site.log
