"""What all tests of shared deals have in common: time stands still."""

from __future__ import annotations

import pytest
from django.utils import timezone


@pytest.fixture(autouse=True)
def one_moment(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pages are compared byte by byte: the seconds that are left, and days that are near, are not to differ meanwhile."""
    moment = timezone.now()
    monkeypatch.setattr(timezone, "now", lambda: moment)
