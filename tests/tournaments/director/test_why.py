"""Why am I at this table? For the desk, for everybody, and after changes by hand."""

from __future__ import annotations

import pytest
from django.test import Client

from tests.tournaments.director.conftest import text
from tournaments.models import Tournament


@pytest.mark.slow
def test_what_was_weighed_is_told_with_the_best_exchanges(desk):
    here = desk(8)
    here.night.begin()
    for number in (1, 2, 3):
        here.night.draw()
        here.night.play_round(f"1.{number}")
    here.night.draw()
    seat = here.night.table("1.4.1").seats[0]
    page = here.get("why", "1.4", seat)
    assert "What was weighed" in page
    assert "opponents again" in page
    assert "And somewhere else?" in page


def test_everybody_reads_it_with_initials_and_drafts_are_the_desks(desk):
    here = desk(8)
    here.night.begin()
    here.night.draw(out=False)
    seat = here.night.table("1.1.1").seats[0]
    address = here.url("why", "1.1", seat)
    assert Client().get(address).status_code == 404
    here.night.do("round.published", round="1.1")
    page = text(Client().get(address))
    assert "V. N. sits at table 1" in page
    assert "Vorname" not in page
    assert "Vorname" in here.get("why", "1.1", seat)


def test_it_is_not_told_to_strangers_where_the_tournament_is_not_public(desk):
    here = desk(8)
    here.night.begin()
    here.night.draw()
    Tournament.objects.update(is_public=False)
    seat = here.night.table("1.1.1").seats[0]
    assert Client().get(here.url("why", "1.1", seat)).status_code == 404


def test_who_was_seated_by_hand_is_told_so(desk):
    here = desk(8)
    here.night.begin()
    here.night.draw()
    late = here.night.walk_in()
    here.post("round", "1.1", do="move", who=late, to="1", reason="came late")
    assert "seated them by hand" in here.get("why", "1.1", late)
    seat = here.night.table("1.1.1").seats[0]
    assert "changed this round by hand" in here.get("why", "1.1", seat)


def test_only_the_desk_reads_what_it_wrote_about_a_change_by_hand(desk):
    here = desk(8)
    here.night.begin()
    here.night.draw()
    seat = here.night.table("1.1.1").seats[0]
    other = here.night.table("1.1.2").seats[0]
    here.post("round", "1.1", do="exchange", one=seat, other=other, reason="Nachname1 needs a chair with arms")
    assert "chair with arms" in here.get("why", "1.1", seat)
    page = text(Client().get(here.url("why", "1.1", seat)))
    assert "chair with arms" not in page
    assert "seated people by hand 1 time" in page


def test_who_sits_out_is_told_why(desk):
    here = desk(9, odd=["bye"])
    here.night.begin()
    here.night.draw()
    out = here.night.state.round("1.1").byes[0]
    page = here.get("why", "1.1", out)
    assert "sits out" in page
    assert here.client.get(here.url("why", "1.1", "e99")).status_code == 404
