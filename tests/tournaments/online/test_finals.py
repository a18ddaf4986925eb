"""A part is played in the hall and the next one online, or the other way round: the desk chooses where."""

from __future__ import annotations

import re

import pytest
from django.test import Client

from domain.tournament.scoring import standing_of
from domain.tournament.state import CLOSED, OUT
from notices.models import Outbox
from tests.tournaments.director.conftest import DeskClient, text
from tests.tournaments.online.kit import League

pytestmark = pytest.mark.django_db


def at_desk(league: League) -> DeskClient:
    """The director's browser."""
    client = Client()
    client.force_login(league.director.user)
    return DeskClient(league, client)


def form_of(page: str) -> dict[str, object]:
    """What a browser would send of the form for a final, as it stands."""
    page = page[page.index('<form class="form wide"') :]
    found: dict[str, object] = dict(re.findall(r'<input type="number" name="(\w+)" value="(\d+)"', page))
    for name, options in re.findall(r'<select name="(\w+)"[^>]*>(.*?)</select>', page, re.DOTALL):
        chosen = re.search(r'<option value="([^"]*)" selected', options)
        found[name] = chosen[1] if chosen else ""
    found |= dict.fromkeys(re.findall(r'<input type="checkbox" name="(\w+)" id="\w+" checked', page), "on")
    return found | {"do": "start", "name": "Final", "carry": "on", "who": re.findall(r'value="(e\d+)" checked', page)}


def final(here: DeskClient, where: str, **more: object) -> str:
    """Start a final of the first four there; the page that was filled in."""
    query = f"?after=1&first=1&last=4&where={where}"
    page = here.client.get(here.url("new-phase") + query).content.decode()
    here.post("new-phase", query=query, **(form_of(page) | more))
    return page


@pytest.mark.parametrize("how", ["final", "finish"])
def test_who_played_the_last_round_is_told_of_it_when_the_desk_ends_the_part(how):
    league = League.of(4, rules={"rounds": 1, "deals": 1})
    league.round()
    people = {league.player(person) for person in league.table("1.1.1").people}
    league.play_out("1.1.1")
    league.look()
    here = at_desk(league)
    if how == "final":
        final(here, "online")
    else:
        here.post("phases", do="finish", phase=1)
    assert league.at_key("1.1").status == CLOSED
    told = Outbox.objects.filter(event="tournament.result", params__round="1.1")
    assert sorted(row.player.pk for row in told) == sorted(player.pk for player in people)


def test_a_round_that_is_still_played_stays_open_when_the_desk_ends_the_part():
    league = League.of(4, rules={"rounds": 1, "deals": 1})
    league.round()
    at_desk(league).post("phases", do="finish", phase=1)
    assert league.state.phases[0].finished
    assert league.at_key("1.1").status == OUT
    assert not Outbox.objects.filter(event="tournament.result").exists()


def test_an_online_league_ends_with_a_final_in_the_hall():
    league = League.of(4, rules={"rounds": 1, "deals": 1})
    league.round()
    league.play_out("1.1.1")
    league.look()
    here = at_desk(league)
    page = final(here, "hall")
    assert 'name="minutes"' in page
    assert 'name="days"' not in page
    phase = league.state.phases[1]
    assert phase.plan.online is None
    assert phase.plan.confirm
    here.post("rounds", do="draw", phase=2)
    here.post("round", "2.1", do="publish")
    league.look()
    table = league.table("2.1.1")
    assert (table.game, league.at_key("2.1").status) == ("", OUT)
    league.play_round("2.1")
    assert {len(row.sheet.rounds) for row in standing_of(league.state, league.state.phases[1]).rows} == {2}
    for public in ("standings", "home"):
        assert here.client.get(here.url(public)).status_code == 200


def evening(*, strangers: int = 0) -> League:
    """One round of four in the hall, played; so many of them have no account."""
    league = League.at(0, rules={"rounds": 1, "deals": 1}, odd=[], minutes=30, last_deal=5)
    for _person in range(4 - strangers):
        league.join()
    for _person in range(strangers):
        league.walk_in()
    league.begin()
    league.draw()
    league.play_round("1.1")
    return league


def test_an_evening_is_followed_by_a_final_online():
    league = evening()
    here = at_desk(league)
    page = final(here, "online", days="9", duplicate="on")
    assert 'name="minutes"' not in page
    assert form_of(page)["days"] == "14"
    phase = league.state.phases[1]
    assert phase.plan.online is not None
    assert (phase.plan.online.days, phase.plan.online.duplicate, phase.plan.online.auto) == (9, True, False)
    assert (phase.plan.minutes, phase.plan.last_deal) == (0, 0)
    here.post("rounds", do="draw", phase=2)
    here.post("round", "2.1", do="publish")
    league.look()
    assert league.table("2.1.1").game
    league.play_out("2.1.1")
    league.look()
    assert league.table("2.1.1").lines


def test_nobody_without_an_account_can_be_drawn_for_a_final_online():
    league = evening(strangers=1)
    here = at_desk(league)
    final(here, "online")
    refused = here.post("rounds", do="draw", phase=2, status=422)
    assert "account" in text(refused)


def test_without_a_choice_a_final_is_played_where_the_part_before_was():
    league = evening()
    here = at_desk(league)
    final(here, "")
    plan, before = league.state.phases[1].plan, league.state.phases[0].plan
    assert (plan.online, plan.minutes, plan.last_deal) == (None, before.minutes, before.last_deal)
