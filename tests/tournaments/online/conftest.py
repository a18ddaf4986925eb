"""A clock that tests can turn: it is the only one that the site asks."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from tests.tournaments.online import kit


@pytest.fixture(autouse=True)
def turned_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    """Time begins on an afternoon, and goes on as `kit.CLOCK` is turned.

    Not where it is: rounds end and come at set hours, and what a test says of the next one would be wrong where that hour
    strikes in the middle of it.
    """
    kit.CLOCK.ahead = timedelta(0)
    really = timezone.now
    before = kit.BEGINS - really()
    monkeypatch.setattr(timezone, "now", lambda: really() + before + kit.CLOCK.ahead)
