"""Files of evenings: altered bytes, and altered contents whose chain is right again, as whoever has the file can make it."""

from __future__ import annotations

import json
from contextlib import suppress
from typing import Any

import pytest
from django.db import transaction
from hypothesis import given
from hypothesis import strategies as st

from core.exceptions import Refusal
from domain.errors import DomainError
from domain.tournament.events import Event, apply
from domain.tournament.state import State
from tests.fuzz.altered import CAREFULLY, data, in_time, octets
from tests.tournaments.handover.kit import another_computer, saved
from tests.tournaments.live.kit import evening
from tests.tournaments.services.kit import Night
from tournaments.exceptions import FileError
from tournaments.handover import files, services
from tournaments.models import Tournament

pytestmark = pytest.mark.django_db


@pytest.fixture
def night(monkeypatch: pytest.MonkeyPatch) -> Night:
    monkeypatch.setattr(services, "take", lambda *_what, **_how: True)  # more are opened than one may in an hour
    return evening()


def chained(value: Any) -> bytes:
    """The file with a chain that fits, where it still has a head and events."""
    if isinstance(value, dict) and isinstance(value.get("head"), dict) and isinstance(value.get("events"), list):
        with suppress(ValueError, TypeError):  # a text that is none in UTF-8
            value["chain"] = files._chain(value["head"], value["events"])
    return json.dumps(value).encode()


def test_a_file_that_was_altered_is_opened_or_refused_and_then_nothing_of_it_is_left(night):
    good = saved(night)
    plain = json.loads(good)
    assert chained(plain) == json.dumps(plain).encode()

    with another_computer() as laptop:
        with transaction.atomic():
            assert services.open_evening(files.read(good), laptop).is_new
            transaction.set_rollback(True)

        @CAREFULLY
        @given(
            st.one_of(
                data(plain).map(chained),
                data(plain["head"]).map(lambda head: chained(plain | {"head": head})),
                octets(good),
            )
        )
        def reads(altered: bytes) -> None:
            file = in_time(lambda: files.read(altered), FileError)
            if file is None:
                return
            with transaction.atomic():
                opened = in_time(lambda: services.open_evening(file, laptop), Refusal)
                assert Tournament.objects.count() == (opened is not None)
                transaction.set_rollback(True)

        reads()


def test_an_event_is_applied_or_refused(night):
    """Every event of an evening, altered, after those before it."""
    events = [told.event for told in services.log_of(night.tournament)]
    states = [State()]
    for event in events:
        states.append(apply(states[-1], event))

    @CAREFULLY
    @given(st.integers(0, len(events) - 1).flatmap(lambda at: st.tuples(st.just(at), data(dict(events[at].data)))))
    def applies(altered: tuple[int, Any]) -> None:
        at, given_data = altered
        event = events[at]
        made = Event(event.number, event.at, event.kind, given_data, event.by)
        in_time(lambda: apply(states[at], made), DomainError)

    applies()
