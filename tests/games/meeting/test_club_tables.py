"""Tables for the members of a club: only they find them and sit down, and the club's page lists them."""

from __future__ import annotations

import uuid
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from domain.engine.rulesets import ruleset
from games.lobby.forms import NewTableForm
from games.lobby.models import OpenTable
from games.lobby.selectors import open_tables, waiting_table
from games.lobby.services import tables
from games.lobby.text import pace_of
from games.meeting.services import alerts
from notices.models import Outbox
from tests.clubs import kit
from tests.games.lobby_kit import guest, join, lay, member
from tests.refusals import refuses

pytestmark = pytest.mark.django_db


@pytest.fixture
def club():
    return kit.staffed()


def laid(club, **how) -> OpenTable:
    return lay(club.president, entry=OpenTable.Entry.CLUB, club=club.club.slug, **how)


def found(player) -> list[str]:
    return [table.public_id for table in open_tables.open_tables(open_tables.TableSearch(), player).object_list]


def test_members_find_it_and_sit_down_and_others_do_neither(club):
    table = laid(club)
    outsider = member("Fremd")
    assert found(club.member) == [table.public_id]
    for stranger in (outsider, guest(), None):
        assert found(stranger) == []
        assert waiting_table.waiting_table_of(table, stranger).closed_to == "club"
    with refuses("club-only"):
        join(table, outsider)
    join(table, club.member)
    tables.invite(table.pk, club.president, outsider, request_id=uuid.uuid4())
    join(table, outsider)  # who is invited by name may always


def test_the_clubs_page_lists_it_to_its_members(club):
    table = laid(club)
    address = reverse("club:home", args=[club.club.slug])
    link = reverse("lobby:table", args=[table.public_id])
    assert link in kit.browser(club.member).get(address).text
    assert link not in kit.browser(member("Fremd")).get(address).text
    assert link not in kit.browser(None).get(address).text


def test_the_front_pages_list_has_it_and_asks_for_nothing_twice(club):
    table = laid(club)
    with CaptureQueriesContext(connection) as asked:
        first, count = open_tables.newest_tables(club.member, 2)
    assert ([row.public_id for row in first], count) == ([table.public_id], 1)
    said = [query["sql"] for query in asked.captured_queries]
    assert len(said) == len(set(said))


def test_the_form_offers_ones_own_clubs_and_no_others(club):
    data = {"entry": f"club:{club.club.slug}", "computers": "0", "wait": "604800", "seating": "draw"}
    pace = pace_of("day")
    own: Any = NewTableForm(ruleset("troccas"), pace, club.member)
    assert (f"club:{club.club.slug}", "members of Troccas Trun") in own.fields["entry"].choices
    other: Any = NewTableForm(ruleset("troccas"), pace, member("Fremd"), data)
    assert "entry" in other.errors
    assert "club" not in dict(other.fields["entry"].choices)


def test_a_table_laid_over_http_is_for_the_club(club):
    browser: Any = kit.browser(club.member)
    address = reverse("tables:new") + "?game=troccas-3&pace=day"
    form = browser.get(address).context["form"]
    data = {
        field.html_name: field.value() for field in form if field.value() is not None and field.value() is not False
    }
    data |= {"entry": f"club:{club.club.slug}", "request_id": str(uuid.uuid4())}
    answer = browser.post(address, data)
    assert answer.status_code == 303
    table = OpenTable.objects.get()
    assert (table.entry, table.club) == ("club", club.club.slug)
    assert "members of Troccas Trun" in browser.get(answer.url).text


def test_only_members_are_alerted(club):
    outsider = member("Fremd")
    alerts.make(outsider)
    alerts.make(club.member)
    laid(club)
    assert [row.player for row in Outbox.objects.filter(event="meeting.table")] == [club.member]
