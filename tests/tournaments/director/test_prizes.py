"""Prizes at the desk: what there is to win, who gets it, to the Rappen; closing and the log."""

from __future__ import annotations

import re

import pytest
from django.utils import timezone

from clubs.models import Season
from domain.standings.till import till_balance
from domain.tournament.events import HANDLERS
from tests.tournaments.director.conftest import text
from tournaments.director import log_text, services
from tournaments.models import SeasonEvening
from tournaments.selectors import awards


@pytest.fixture
def played(desk):
    """A tournament of eight, played to the end."""

    def made(number: int = 8, **plan):
        here = desk(
            number, **({"rules": {"rounds": 1, "deals": 2, "tie_breaks": ["match-points", "card-points"]}} | plan)
        )
        here.night.begin()
        here.night.draw()
        here.night.play_round("1.1")
        return here

    return made


def test_every_field_of_the_prizes_says_of_which_line_it_is(desk):
    here = desk(4)
    page = here.client.get(here.url("prize-plan")).content.decode()
    labels = re.findall(r'aria-label="((?:Category|Money|Thing|Worth) \d+)"', page)
    assert len(labels) == len(set(labels)) > 4


def test_prizes_are_made_from_the_fees_by_weight(played):
    here = played()
    for number in range(1, 9):
        here.night.do("money.entered", kind="fee", amount=1000, who=f"e{number}")
    assert "CHF 80.00 of fees" in here.get("prize-plan")
    here.post("prize-plan", do="fund", amount="80.–", weights="5, 3, 2", category="all")
    assert [prize.amount for prize in here.night.state.prizes] == [4000, 2400, 1600]
    here.night.do("entrant.changed", id="e1", categories=["women"])
    refused = here.post("prize-plan", do="fund", amount="80", weights="three", category="women", status=422)
    assert "Write weights" in text(refused)
    assert 'value="women" selected' in refused.content.decode()


def test_prizes_are_written_line_by_line(played):
    here = played()
    lines = {"code0": "", "category0": "all", "amount0": "20.–", "code1": "", "category1": "all", "thing1": "a ham"}
    lines |= {"worth1": "15", "code2": "", "category2": "all", "thing2": "a wooden spoon", "last2": "on"}
    rules = {"one_each": "on", "ties": "equal", "unit": "5", "rest": "till"}
    refused = here.post("prize-plan", do="set", **(lines | {"amount0": "lots"}), **rules, status=422)
    assert "Write a sum in francs" in text(refused)
    again = refused.content.decode()
    for kept in ('value="a ham"', 'value="equal" selected', 'value="till" selected'):
        assert kept in again
    here.post("prize-plan", do="set", **lines, **rules)
    state = here.night.state
    assert [(each.code, each.amount, each.thing, each.last) for each in state.prizes] == [
        ("p1", 2000, "", False),
        ("p2", 0, "a ham", False),
        ("p3", 0, "a wooden spoon", True),
    ]
    page = here.get("prizes")
    assert "a wooden spoon" in page
    assert "CHF 20.00" in page


def test_prizes_and_till_balance_to_the_rappen(played):
    here = played()
    prizes = [{"code": f"p{n}", "amount": amount} for n, amount in enumerate((3335, 2220, 1115), 1)]
    here.night.do("prizes.set", prizes=prizes, one_each=True, ties="equal", unit=5, rest="first")
    dues = services.dues_of(here.night.state)
    assert sum(due.amount for due in dues) + awards(here.night.state).kept == 6670
    for due in dues:
        here.post("prizes", do="hand", what=due.entrant)
    state = here.night.state
    account = till_balance(
        0, state.money, tuple(state.money_cancelled), None, {due.entrant: due.amount for due in dues}
    )
    assert dict(account.sums)["prize"] == 6670
    assert account.prizes_due == ()
    assert "Still to hand over" in here.get("prizes")


def test_a_prize_is_handed_over_once_though_two_press_the_button(played):
    here = played()
    here.night.do("prizes.set", prizes=[{"code": "p1", "amount": 2000, "thing": "a ham"}], ties="by-rank")
    winner = services.dues_of(here.night.state)[0].entrant
    here.post("prizes", do="hand", what=winner)
    refused = here.post("prizes", do="hand", what=winner, status=422)
    assert "have their prize already" in text(refused)
    assert sum(entry.amount for entry in here.night.state.money) == services.dues_of(here.night.state)[0].amount


def test_a_prize_comes_back_with_a_reason(played):
    here = played()
    here.night.do("prizes.set", prizes=[{"code": "p1", "amount": 2000}], ties="by-rank")
    winner = services.dues_of(here.night.state)[0].entrant
    here.post("prizes", do="hand", what=winner)
    here.post("prizes", do="take-back", what=winner, reason="", status=422)
    here.post("prizes", do="take-back", what=winner, reason="the wrong envelope")
    assert services.dues_of(here.night.state)[0].paid == 0
    assert not here.night.state.handed


def test_what_was_paid_too_much_before_a_correction_is_said(played):
    here = played(4)
    here.night.do("prizes.set", prizes=[{"code": "p1", "amount": 2000}], ties="by-rank")
    for due in services.dues_of(here.night.state):
        here.post("prizes", do="hand", what=due.entrant)
    turned = [{"deal": 1, "scores": [50, 94], "of": 2}]
    here.night.do("table.settled", table="1.1.1", lines=turned, reason="the wrong side")
    assert "too much were handed over" in here.get("prizes")


def test_the_list_is_read_out_from_the_last_to_the_first(played):
    here = played()
    better = [{"deal": 1, "scores": [100, 44], "of": 2}]
    here.night.do("table.settled", table="1.1.1", lines=better, reason="the slip says so")
    prizes = [{"code": f"p{n}", "amount": 1000 * n} for n in (3, 2, 1)]
    here.night.do("prizes.set", prizes=prizes, ties="by-rank")
    page = here.get("prizes-read")
    assert "CHF" in page
    ranks = [services.dues_of(here.night.state)[0].rank, services.dues_of(here.night.state)[-1].rank]
    names = [here.night.people[int(due.entrant[1:]) - 1].last_name for due in services.dues_of(here.night.state)]
    assert ranks == sorted(ranks)
    assert page.index(names[-1]) < page.index(names[0])


def test_closing_is_refused_in_words_while_tables_are_open_and_done_with_a_reason(desk):
    here = desk(8)
    here.night.begin()
    here.night.draw()
    refused = here.post("closing", do="close", status=422)
    assert "2 tables do not count yet" in text(refused)
    here.post("closing", do="close", despite="the hall closes at midnight")
    assert here.night.state.closed
    assert "The ranking is final" in here.get("closing")
    here.post("closing", do="reopen", reason="a slip turned up")
    assert not here.night.state.closed
    assert "the hall closes at midnight" in here.get("log")


def test_opening_an_evening_again_warns_of_final_seasons(played):
    here = played()
    here.post("closing", do="close")
    tournament = here.night.tournament
    for name, ended in (("Winter 2026", timezone.now()), ("Summer 2027", None)):
        season = Season.objects.create(club=tournament.club, name=name, ended_at=ended)
        SeasonEvening.objects.create(season=season, tournament=tournament)
    page = here.get("closing")
    assert "The final list of “Winter 2026” loses this evening until it is closed again" in page
    assert "Summer 2027" not in page


def test_what_is_still_open_is_listed_before_closing(played):
    here = played()
    page = here.get("closing")
    assert "All tables are confirmed" in page
    assert "Fees not paid" in page
    here.post("closing", do="close")
    assert here.night.state.closed


def test_the_log_tells_everything_in_sentences(played):
    here = played()
    page = here.get("log")
    assert "Closed: round 1." in page
    assert "Dirigenta" in page
    tables = here.get("log", query="?part=tables")
    assert "The sheet of table 1, round 1 was confirmed." in tables
    assert "Closed: round" not in tables


def test_every_kind_of_event_has_words():
    assert set(HANDLERS) == log_text.KINDS


def test_who_paid_singly_and_became_a_pair_owes_nothing_at_the_end(desk):
    here = desk(4, kind="pair")
    for number in range(1, 5):
        here.night.do("money.entered", kind="fee", amount=1000, who=f"e{number}")
    here.night.do("pairs.made", pairs=[["e1", "e2"], ["e3", "e4"]])
    assert "Fees not paid" not in here.get("closing")


def test_who_withdrew_is_still_named_in_the_log(desk):
    here = desk(4)
    late = here.night.person()
    here.night.do("entrant.added", members=[late.public_id])
    here.night.do("entrant.withdrawn", id="e5")
    assert f"{late.first_name} {late.last_name} is not coming" in here.get("log")
