"""Schemathesis against the whole description: whatever is sent, the answer is one that was described, and nothing breaks."""

from __future__ import annotations

import itertools
import json
from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pytest
from django.utils import timezone
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from accounts.tokens import SCOPES
from games.api.base import DESCRIPTION, PATH
from tests.games.test_api_live import Caller, tokens
from tests.long import LONG

if TYPE_CHECKING:
    from tests.live import LiveSite

# As it is kept: making it anew takes seconds, and `test_api` proves that it would be the same.
DESCRIBED = json.loads(DESCRIPTION.read_text(encoding="utf-8"))
OPERATIONS = [(path, method) for path, methods in DESCRIBED["paths"].items() for method in methods]
EXAMPLES = 8 if LONG else 3
ALL_SCOPES = tuple(SCOPES)


@pytest.fixture(scope="module")
def schema() -> Any:
    """What Schemathesis makes of the description. It is imported here, as that takes seconds in each process of tests."""
    import schemathesis
    from schemathesis.checks import load_all_checks
    from schemathesis.config import SchemathesisConfig

    load_all_checks()
    # A parameter nobody knows is overlooked, as everywhere on the web.
    config = SchemathesisConfig.from_dict({"generation": {"allow-extra-parameters": False}})
    return schemathesis.openapi.from_dict(DESCRIBED, config=config)


@pytest.fixture(scope="module")
def world(live_site: LiveSite) -> dict[str, Any]:
    """A game, a table, a wish and an appointment, and the tokens of other people who try everything there."""
    raw, *others = tokens(live_site, "Host", *[f"Somebody {number}" for number in range(6)], scopes=ALL_SCOPES)
    host = Caller(live_site, raw)
    game = host.call("POST", "/games", {"ruleset": "troccas", "options": {"throw_in": False}})
    host.say(f"/games/{game['public_id']}/ready", expected=game["number"])
    table = host.say("/tables", ruleset="troccas-3", entry="invited")
    person = game["seats"][game["viewer"]]["player"]
    wish = host.call("POST", "/wishes", {"games": ["troccas-3"], "paces": ["day"]})
    at = (timezone.now() + timedelta(days=3)).isoformat()
    evening = host.say("/appointments", game="troccas", size=4, hands=1, starts_at=at)
    keys = {"games": game["public_id"], "tables": table["public_id"], "people": person, "messages": person}
    keys |= {"wishes": wish["public_id"], "appointments": evening["public_id"]}
    return keys | {"tokens": itertools.cycle(others), "host": raw}


@pytest.mark.parametrize(("path", "method"), OPERATIONS)
@pytest.mark.slow
def test_every_answer_is_one_that_was_described(live_site, world, schema, path, method):
    from schemathesis import GenerationMode
    from schemathesis.specs.openapi import checks

    # What is well formed may still be against the rules, and no second request without a token is wanted: `test_api` has those.
    left_out = [checks.positive_data_acceptance, checks.ignored_auth]
    operation = schema[path][method.upper()]
    # One alone would soon have asked too often; but what belongs to a seat is asked by who sits there, too.
    callers = st.sampled_from(
        [next(world["tokens"]), world["host"]] if "/games/{key}/" in path else [next(world["tokens"])]
    )
    kinds = st.one_of([operation.as_strategy(generation_mode=mode) for mode in GenerationMode])

    @settings(
        max_examples=EXAMPLES, derandomize=True, database=None, deadline=None, phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )  # fmt: skip
    @given(case=kinds, known=st.booleans(), raw=callers)
    def ask(case: Any, known: bool, raw: str) -> None:
        if known and case.path_parameters and "key" in case.path_parameters:
            case.path_parameters["key"] = world[path.removeprefix(PATH).split("/")[0]]
        if path.endswith("/events") and isinstance(case.query, dict) and not case.query.get("seconds"):
            case.query["seconds"] = 0  # a stream that goes on for an hour would keep us
        if path.endswith("/events") and str(dict(case.query or {}).get("seconds")).isdigit():
            case.query["seconds"] = 0
        headers = {"Authorization": f"Bearer {raw}"}
        excluded = list(left_out)
        unusable = {place.name for place, part in case.meta.components.items() if part.mode.is_negative}
        if unusable <= {"HEADER", "PATH"} and (known or "PATH" not in unusable):
            excluded.append(checks.negative_data_rejection)  # what was to be refused has been replaced by what is right
        case.call_and_validate(base_url=live_site.url, headers=headers, excluded_checks=excluded, timeout=30)

    ask()
    assert "Traceback" not in live_site.log
