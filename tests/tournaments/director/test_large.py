"""The desk with many people: as many queries as with few."""

from __future__ import annotations

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

PAGES = [("rounds",), ("round", "1.1"), ("slips", "1.1"), ("standings",), ("closing",), ("prizes",), ("log",)]


def test_more_people_cost_no_more_queries(desk):
    here = desk(8)
    here.night.begin()
    here.night.draw()
    few = _counted(here)
    here.night.do("draw.undone", phase=1, round=1, reason="more have come")
    for _person in range(24):
        here.night.walk_in()
    here.night.draw()
    many = dict(zip(PAGES, _counted(here), strict=True))
    assert {page: count for page, count in many.items() if count > few[PAGES.index(page)]} == {}


@pytest.mark.parametrize("page", ["round", "slips"])
@pytest.mark.slow(but="round")
def test_a_hundred_people_are_shown_at_once(desk, page):
    here = desk(102, odd=["five-dealer-out"])
    here.night.begin()
    here.night.draw()
    assert "Table 25" in here.get(page, "1.1")


def _counted(here) -> list[int]:
    """Queries of each page. The fewest of three: now and then a process asks whether words were changed meanwhile."""
    return [min(_queries(here, page) for _time in range(3)) for page in PAGES]


def _queries(here, page) -> int:
    with CaptureQueriesContext(connection) as queries:
        here.get(*page)
    return len(queries)
