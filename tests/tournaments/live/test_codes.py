"""Codes of the hall where they do not belong."""

from __future__ import annotations

import io
import logging

import pytest
from django.test import Client

from tests.tournaments.services.kit import Night
from tournaments.services import codes
from troccas_site.logs import WithoutCodesFilter

pytestmark = pytest.mark.django_db


def test_the_log_says_which_page_refused_something_but_not_the_code_that_opened_it():
    night = Night.at(4)
    night.begin()
    night.draw()
    table = codes.table_code(night.tournament, night.state, "1.1.1", 0)
    door = codes.hall_code(night.tournament, night.state, codes.DOOR)
    person = codes.person_code(night.tournament, night.people[0].public_id)
    base = f"/e/{night.tournament.public_id}/"
    found = io.StringIO()
    handler = logging.StreamHandler(found)
    handler.addFilter(WithoutCodesFilter())
    logger = logging.getLogger("django.request")
    logger.addHandler(handler)
    try:
        Client().post(f"{base}s/{table}/write/", {"deal": "1", "s0": "much", "s1": "less"})
        Client().post(f"{base}door/{door}/", {"do": "pay:e99:1000"})
        Client().get(f"{base}k/{door}/in/{person}/")
    finally:
        logger.removeHandler(handler)
    lines = found.getvalue()
    assert lines.count(base) == 3
    for code in (table, door, person):
        assert code not in lines
