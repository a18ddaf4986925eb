"""Tournaments are read in tests as on the site: what the test has written counts as committed."""

from __future__ import annotations

import pytest
from django.db import connection

from tournaments import selectors


def _committed() -> bool:
    """As on the site, but for the transaction around each test, which is taken back when the test is over."""
    return all(getattr(block, "_from_testcase", False) for block in connection.atomic_blocks)


@pytest.fixture(autouse=True)
def states_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    """States of tournaments are kept although the whole test is one transaction; each tournament has a random id."""
    monkeypatch.setattr(selectors, "committed", _committed)
