"""Tournaments are read in tests as on the site: what the test has written counts as committed."""

from __future__ import annotations

from functools import partial

import pytest
from django.db import connection

from domain.seating.field import Settings
from domain.tournament import state
from tournaments import selectors

SHORT = {"handover", "publishing"}
"""Folders of tests that look at files and pages of a draw, whatever it is."""
STEPS = 2000


def _committed() -> bool:
    """As on the site, but for the transaction around each test, which is taken back when the test is over."""
    return all(getattr(block, "_from_testcase", False) for block in connection.atomic_blocks)


@pytest.fixture(autouse=True)
def states_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    """States of tournaments are kept although the whole test is one transaction; each tournament has a random id."""
    monkeypatch.setattr(selectors, "committed", _committed)


@pytest.fixture(autouse=True)
def short_search(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """There, whom to seat where is looked for in 2,000 steps instead of 60,000. Eight people, who must meet again, use up all of
    them, which takes most of the time of such a test. The whole search is tested in `domain/seating`, and on the site where
    evenings are held from their beginning to their end.
    """
    if SHORT & set(request.path.parts):
        monkeypatch.setattr(state, "Settings", partial(Settings, steps=STEPS))
