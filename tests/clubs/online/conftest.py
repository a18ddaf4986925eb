"""A clock that tests can turn: it is the only one that the site asks."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from tests.clubs.online import kit


@pytest.fixture(autouse=True)
def turned_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    """Time begins where it is, and goes on as `kit.CLOCK` is turned."""
    kit.CLOCK.ahead = timedelta(0)
    really = timezone.now
    monkeypatch.setattr(timezone, "now", lambda: really() + kit.CLOCK.ahead)
