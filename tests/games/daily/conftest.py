"""What all tests of the daily deal have in common: it is noon of one and the same day."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from django.utils import timezone

NOON = datetime(2026, 6, 21, 10, tzinfo=UTC)
"""A Sunday on which Troccas is played, like two days before; far from midnight, from the end of the month and of the year."""


@pytest.fixture(autouse=True)
def one_noon(monkeypatch: pytest.MonkeyPatch) -> None:
    """A day that ends while a test runs is another day; and what is played hangs on the day of the week."""
    monkeypatch.setattr(timezone, "now", lambda: NOON)
