"""Rounds at the desk: who may, drawing, seating by hand, undoing, the clock, late tables."""

from __future__ import annotations

import re
import uuid
from datetime import timedelta

import pytest
from django.test import Client

from clubs.models import Member
from tests.tournaments.director.conftest import chosen, text
from tests.tournaments.services.kit import member_player


def test_a_stranger_is_told_to_sign_in_and_a_member_that_it_is_not_theirs(desk):
    here = desk(8)
    stranger = Client().get(here.url("rounds"))
    assert stranger.status_code in (401, 403)
    assert "Sign in" in text(stranger)
    client = Client()
    client.force_login(member_player("Auter").user)
    other = client.get(here.url("rounds"))
    assert other.status_code == 403
    assert "Draw" not in text(other)


def test_the_first_round_is_begun_drawn_and_published_from_the_pages(desk):
    here = desk(8)
    assert "8 entrants are here" in here.get("rounds")
    here.post("rounds", do="begin", name="Sera")
    assert "Draw round 1 of 4" in here.get("rounds")
    here.post("rounds", do="draw", phase=1)
    page = here.get("round", "1.1")
    assert "draft" in page
    assert "Nobody meets anybody again" in page
    here.post("round", "1.1", do="publish")
    assert here.night.state.round("1.1").status == "out"


def test_a_promised_draw_takes_what_the_hall_threw_in(desk):
    here = desk(8)
    here.night.begin()
    here.post("rounds", do="promise", phase=1)
    promise = here.night.state.phases[0].promise.file["commitment"]
    assert promise in here.get("rounds")
    assert promise in here.get("draws")
    here.post("rounds", do="draw", phase=1, hall="4 6 1")
    draw = here.night.state.round("1.1").draw
    assert (draw["commitment"], draw["hall"]) == (promise, "4 6 1")


def test_who_comes_or_goes_after_the_promise_is_named_beside_it(desk):
    here = desk(8)
    here.night.begin()
    here.post("rounds", do="promise", phase=1)
    assert "here now" not in here.get("rounds")
    here.night.walk_in()
    assert "9 entrants are here now. Not in this draw: Vorname9 Nachname9." in here.get("rounds")
    here.night.do("entrant.left", id="e1")
    assert "In this draw, but not here any more: Vorname1 Nachname1." in here.get("rounds")
    here.post("rounds", do="promise", phase=1)
    assert "here now" not in here.get("rounds")


def test_a_draw_sent_twice_is_drawn_once(desk):
    here = desk(8)
    here.night.begin()
    sent = str(uuid.uuid4())
    for _time in range(2):
        here.post("rounds", do="draw", phase=1, request_id=sent)
    assert len(here.night.state.phases[0].rounds) == 1


@pytest.mark.parametrize(
    ("page", "form"),
    [
        ("rounds", {"do": "draw", "phase": 1}),
        ("rounds", {"do": "seat", "what": "1.1"}),
        ("people", {"do": "seat", "what": "1.1"}),
    ],
)
def test_a_draw_that_comes_late_once_more_after_it_was_undone_is_told_so(desk, page, form):
    here = desk(8)
    if form["do"] == "draw":
        here.night.begin()
    form = form | {"request_id": str(uuid.uuid4())}
    here.post(page, **form)
    here.post("round", "1.1", do="undo", reason="forgot two people")
    late = here.post(page, **form, status=409)
    assert "Something has happened in the meantime" in text(late)
    assert not here.night.state.phases[0].rounds


@pytest.mark.parametrize("page", ["rounds", "people"])
def test_of_two_people_who_seat_everybody_for_the_same_round_the_second_is_told_and_no_other_round_is_drawn(desk, page):
    here = desk(8)
    here.night.begin()
    seen = here.client.get(here.url(page)).content.decode()
    assert "Seat everybody for round 1" in seen
    assert 'name="what" value="1.1"' in seen
    here.post(page, do="seat", what="1.1")
    assert "That round is drawn already" in text(here.post(page, do="seat", what="1.1", status=422))
    assert [each.key for each in here.night.state.phases[0].rounds] == ["1.1"]


@pytest.mark.parametrize("page", ["rounds", "people"])
def test_the_next_round_does_not_go_out_over_tables_that_play_without_a_question(desk, page):
    here = desk(8)
    here.post(page, do="seat", what="1.1")
    assert "2 tables of the last round are still playing" in here.get(page)
    asked = here.post(page, do="seat", what="1.2", status=200).content.decode()
    assert "2 tables of round 1 are still playing" in asked
    assert len(here.night.state.phases[0].rounds) == 1
    again = dict(re.findall(r'<input type="hidden" name="(do|sure|what|request_id)" value="([^"]*)"', asked))
    here.post(page, **again)
    assert here.night.state.round("1.2").status == "out"
    here.night.play_round("1.2")
    here.post(page, do="seat", what="1.3")


@pytest.mark.parametrize("page", ["rounds", "people"])
def test_who_has_no_partner_is_not_left_out_of_a_draw_without_a_question(desk, page):
    here = desk(0, kind="pair", odd=["bye"], rules={"rounds": 2, "deals": 2})
    for _pair in range(2):
        here.night.walk_in(pair=True)
    alone = here.night.walk_in()
    seen = here.get("rounds")
    assert "2 entrants are here." in seen
    assert "Vorname5 Nachname5 has no partner and is not seated." in seen
    asked = here.post(page, do="seat", what="1.1", status=200).content.decode()
    assert "1 person here has no partner and is not seated." in asked
    assert not here.night.state.phases
    again = dict(re.findall(r'<input type="hidden" name="(do|sure|what|request_id)" value="([^"]*)"', asked))
    here.post(page, **again)
    assert alone not in here.night.state.round("1.1").seated
    assert "Vorname5 Nachname5 has no partner and is not seated." in here.get("rounds")
    here.night.do("pairs.made", pairs=[[alone, here.night.walk_in()]])
    assert "has no partner" not in here.get("rounds")


def test_one_pair_and_one_person_are_too_few_and_nothing_begins(desk):
    here = desk(0, kind="pair", odd=["bye"], rules={"rounds": 2, "deals": 2})
    here.night.walk_in(pair=True)
    here.night.walk_in()
    here.post("rounds", do="seat", what="1.1", sure="1", status=422)
    assert not here.night.state.phases


def test_a_knock_out_that_has_begun_asks_nobody_for_a_partner(desk):
    here = desk(0, method="knock-out", kind="pair", odd=["bye"], rules={"rounds": 2, "deals": 2})
    for _pair in range(4):
        here.night.walk_in(pair=True)
    here.night.begin()
    here.night.draw()
    here.night.play_round("1.1")
    here.night.walk_in()
    assert "has no partner" not in here.get("rounds")
    here.post("rounds", do="seat", what="1.2")


def test_who_begins_after_somebody_else_has_begun_is_told_so(desk):
    here = desk(8)
    here.post("rounds", do="begin", name="")
    assert "The rounds have begun already." in text(here.post("rounds", do="begin", name="", status=422))
    assert len(here.night.state.phases) == 1


def test_a_draft_drawn_again_that_comes_late_once_more_after_it_was_undone_is_told_so(desk):
    here = desk(8)
    here.night.begin()
    here.night.draw(out=False)
    again = {"do": "draw-again", "request_id": str(uuid.uuid4())}
    here.post("round", "1.1", **again)
    here.post("round", "1.1", do="undo", reason="forgot two people")
    assert here.client.post(here.url("round", "1.1"), again).status_code in (404, 409)
    assert not here.night.state.phases[0].rounds


def test_a_draw_that_comes_late_once_more_leads_to_its_own_round(desk):
    here = desk(8)
    here.night.begin()
    form = {"do": "draw", "phase": 1, "request_id": str(uuid.uuid4())}
    first = here.post("rounds", **form)["Location"]
    here.post("round", "1.1", do="publish")
    here.night.play_round("1.1")
    here.night.draw()
    assert here.post("rounds", **form)["Location"] == first


def test_the_round_says_who_has_gone_home_from_a_table_that_still_plays(desk):
    here = desk(8)
    here.night.begin()
    here.night.draw()
    who = here.night.state.round("1.1").tables[1].seats[0]
    here.night.do("entrant.left", id=who)
    said = "has gone home, and table 1 is still playing"
    assert said in here.get("round", "1.1")
    here.night.play_round("1.1")
    assert said not in here.get("round", "1.1")


def test_two_people_exchange_places_with_a_reason(desk):
    here = desk(8)
    here.night.begin()
    here.night.draw(out=False)
    tables = here.night.state.round("1.1").tables
    one, other = tables[1].seats[0], tables[2].seats[3]
    refused = here.post("round", "1.1", do="exchange", one=one, other=other, reason="", status=422)
    assert "Say why" in text(refused)
    here.post("round", "1.1", do="exchange", one=one, other=other, reason="sitting near the door")
    tables = here.night.state.round("1.1").tables
    assert (tables[1].seats[0], tables[2].seats[3]) == (other, one)
    assert "sitting near the door" in here.get("round", "1.1")


def test_who_comes_late_is_seated_at_a_table_that_has_not_begun(desk):
    here = desk(8)
    here.night.begin()
    here.night.draw()
    here.night.play("1.1.1")
    late = here.night.walk_in()
    page = here.get("round", "1.1")
    assert "Here, and not in this round" in page
    refused = here.post("round", "1.1", do="move", who=late, to="1", reason="came late", status=422)
    assert "Something is written" in text(refused)
    assert "came late" in refused.content.decode()
    here.post("round", "1.1", do="move", who=late, to="2", reason="came late")
    assert late in here.night.state.round("1.1").tables[2].seats
    assert "5 people" in here.get("round", "1.1")


def test_who_left_after_a_draw_is_named_before_it_is_published(desk):
    here = desk(8)
    here.night.begin()
    here.night.draw(out=False)
    assert "not here any more" not in here.get("round", "1.1")
    here.night.do("entrant.left", id="e3")
    page = here.get("round", "1.1")
    assert "Vorname3 Nachname3 is not here any more" in page
    here.night.do("entrant.arrived", id="e3")
    assert "not here any more" not in here.get("round", "1.1")


def test_a_draft_with_somebody_who_has_gone_is_drawn_again_by_one_press(desk):
    here = desk(9, odd=["bye"])
    here.night.begin()
    here.night.draw(out=False)
    who = here.night.state.round("1.1").tables[1].seats[0]
    here.night.do("entrant.left", id=who)
    assert "has gone, but has a place in the draft of round 1" in here.get("people")
    here.post("round", "1.1", do="draw-again")
    drawn = here.night.state.round("1.1")
    assert drawn.status == "draft"
    assert who not in drawn.seated
    assert len(here.night.state.phases[0].undone) == 1
    here.post("round", "1.1", do="publish")


@pytest.mark.parametrize(
    "form",
    [
        {"do": "draw-again"},
        {"do": "undo", "reason": "somebody has left"},
        {"do": "exchange", "one": "", "other": "", "reason": "somebody has left"},
    ],
)
def test_whoever_sits_out_and_is_replaced_is_also_replaced_if_they_are_to_play_after_all(desk, form):
    here = desk(9, odd=["bye"])
    here.night.begin()
    here.night.draw(out=False)
    drawn = here.night.state.round("1.1")
    (out,), left = drawn.byes, drawn.tables[1].seats[0]
    (person,) = here.night.state.entrants[out].members
    new = here.night.person().public_id
    here.night.do("entrant.substituted", id=out, old=person, new=new)
    here.night.do("entrant.left", id=left)
    here.post("round", "1.1", **(form | {"one": left, "other": out} if "one" in form else form))
    if form["do"] == "undo":
        here.night.draw(out=False)
    seated = {each for table in here.night.state.round("1.1").tables.values() for each in table.people}
    assert new in seated
    assert person not in seated


def test_a_round_of_which_every_table_counts_is_not_called_played(desk):
    here = desk(8)
    here.night.begin()
    here.night.draw()
    assert "being played" in here.get("rounds")
    here.night.play("1.1.1")
    here.night.play("1.1.2")
    page = here.get("rounds")
    assert "being played" not in page
    assert "every table counts" in page


def test_a_round_of_a_tournament_that_is_over_is_not_closed_or_timed_any_more(desk):
    here = desk(8)
    here.night.begin()
    here.night.draw()
    here.night.play("1.1.1")
    here.night.play("1.1.2")
    assert "Start the clock" in here.get("round", "1.1")
    here.night.do("tournament.closed", despite="the rounds were left open")
    page = here.get("round", "1.1")
    assert "every table counts" in page
    for gone in ("being played", "Start the clock", "Close the round", "Open the round again"):
        assert gone not in page


def test_publishing_a_place_for_somebody_who_has_gone_asks_once(desk):
    here = desk(8)
    here.night.begin()
    here.night.draw(out=False)
    here.night.do("entrant.left", id="e3")
    asked = here.post("round", "1.1", do="publish", status=200)
    assert "Vorname3 Nachname3 is not here any more, and somebody would wait at that table." in text(asked)
    assert here.night.state.round("1.1").status == "draft"
    here.post("round", "1.1", do="publish", sure="1")
    assert here.night.state.round("1.1").status == "out"


def test_who_is_knocked_out_is_not_taken_for_somebody_who_came_late(desk):
    here = desk(0, method="knock-out", kind="pair", odd=["bye"], rules={"rounds": 2, "deals": 2})
    for _pair in range(4):
        here.night.walk_in(pair=True)
    here.night.begin()
    here.night.draw()
    here.night.play_round("1.1")
    here.night.draw()
    page = here.get("round", "1.2")
    assert "Here, and not in this round" not in page
    assert "Seat somebody elsewhere" in page


def test_a_table_is_taken_away_and_another_one_set_up(desk):
    here = desk(8)
    here.night.begin()
    here.night.draw(out=False)
    people = here.night.state.round("1.1").tables[2].seats
    refused = here.post("round", "1.1", do="take-away", table=2, reason="", status=422)
    assert chosen(refused, "table") == "2"
    here.post("round", "1.1", do="take-away", table=2, reason="one room less")
    assert here.night.state.round("1.1").byes == people
    here.post("round", "1.1", do="set-up", who=[people[1], people[0], people[2], people[3]], reason="again")
    again = here.night.state.round("1.1")
    assert again.tables[2].seats == (people[1], people[0], people[2], people[3])
    assert again.byes == ()


def test_a_draw_is_undone_with_a_reason_and_stays_to_be_seen(desk):
    here = desk(8)
    here.night.begin()
    here.night.draw()
    here.post("round", "1.1", do="undo", reason="forgot two people")
    assert not here.night.state.phases[0].rounds
    page = here.get("rounds")
    assert "1 draw was undone" in page
    assert "forgot two people" in page


def test_a_draw_is_not_undone_once_something_is_written(desk):
    here = desk(8)
    here.night.begin()
    here.night.draw()
    here.night.write("1.1.1")
    refused = here.post("round", "1.1", do="undo", reason="too late", status=422)
    assert "Something is written" in text(refused)
    assert len(here.night.state.phases[0].rounds) == 1


def test_repeats_are_shown_in_words_for_the_seats_as_they_are(desk):
    here = desk(4)
    here.night.begin()
    here.night.draw()
    here.night.play_round("1.1")
    here.night.draw(out=False)
    page = here.get("round", "1.2")
    assert "opponents again (1 time before)" in page
    seats = here.night.state.round("1.2").tables[1].seats
    before = here.night.state.round("1.1").tables[1].seats
    partner = before[(before.index(seats[0]) + 2) % 4]
    here.post("round", "1.2", do="exchange", one=seats[2], other=partner, reason="on purpose")
    assert "partners again (1 time before)" in here.get("round", "1.2")


def test_the_clock_runs_is_stopped_and_given_time(desk):
    here = desk(8, minutes=60, last_deal=10)
    here.night.begin()
    here.night.draw()
    here.post("round", "1.1", do="clock", act="start", minutes=60)
    page = here.get("round", "1.1")
    assert "60 minutes" in page
    assert "no new deal after" in page
    refused = here.post("round", "1.1", do="clock", act="go-on", status=422)
    assert "clock is running" in text(refused)
    here.post("round", "1.1", do="clock", act="pause")
    assert "the clock stands" in here.get("round", "1.1")
    here.post("round", "1.1", do="clock", act="add", minutes=5)
    assert here.night.state.round("1.1").clock.left > 60 * 60


def test_the_next_draw_does_not_wait_for_a_late_table(desk):
    here = desk(8)
    here.night.begin()
    here.night.draw()
    here.night.play("1.1.1")
    assert "1 table of the last round is still playing" in here.get("rounds")
    here.post("rounds", do="draw", phase=1)
    assert len(here.night.state.phases[0].rounds) == 2


def test_a_round_with_open_tables_is_not_closed(desk):
    here = desk(8)
    here.night.begin()
    here.night.draw()
    refused = here.post("round", "1.1", do="close", status=422)
    assert "2 tables are not confirmed yet, the first is table 1" in text(refused)
    for number in (1, 2):
        here.night.play(f"1.1.{number}")
    here.post("round", "1.1", do="close")
    assert here.night.state.round("1.1").status == "closed"


@pytest.mark.parametrize("address", ["round", "slips"])
def test_a_round_there_is_not_is_not_found(desk, address):
    here = desk(8)
    here.night.begin()
    assert here.client.get(here.url(address, "1.9")).status_code == 404


def test_the_radar_names_the_quiet_table_first(desk):
    here = desk(8, rules={"rounds": 4, "deals": 8})
    here.night.begin()
    here.night.draw()
    for deal in range(1, 5):
        here.night.do("deal.entered", table="1.1.1", deal=deal, place=0, scores=[40, 32])
    here.night.do("deal.entered", table="1.1.2", deal=1, place=0, scores=[40, 32])
    here.night.tournament.events.filter(data__table="1.1.2").update(
        at=here.night.tournament.events.first().at - timedelta(days=365)
    )
    page = here.get("round", "1.1")
    tables = page[page.index("First those who are looking for somebody") :]
    assert "look in there" in tables
    assert tables.index("Table 2") < tables.index("Table 1")


def test_lists_of_people_at_a_round_go_by_last_name(desk):
    here = desk(8)
    here.night.begin()
    here.night.draw()
    for first, last in (("Anna", "Zoller"), ("Zita", "Aebi")):
        late = Member.objects.create(club=here.night.club, first_name=first, last_name=last)
        here.night.do("entrant.added", members=[late.public_id], here=True)
    page = here.get("round", "1.1")
    found = page[page.index("Here, and not in this round") :]
    assert found.index("Zita Aebi") < found.index("Anna Zoller")


KNOCK_OUT = {"kind": "pair", "method": "knock-out", "odd": ["bye"]}


EXTRA = {"d1-0": "36", "d1-1": "36", "d1-of": "1", "d2-0": "40", "d2-1": "32", "d2-extra": "on", "agreed": "yes"}
"""A drawn table with its one deal, and the extra deal that decides it."""


def knock_out(desk, pairs: int, rounds: int, **plan):
    """A knock-out of so many pairs, its first round published."""
    here = desk(**KNOCK_OUT | {"rules": {"rounds": rounds, "deals": 1}} | plan)
    for _pair in range(pairs):
        here.night.walk_in(pair=True)
    here.night.begin()
    here.night.draw()
    return here


def test_a_pair_that_comes_after_a_knock_out_has_begun_is_said_to_be_left_out(desk):
    here = knock_out(desk, 9, 4)
    assert "next draws leave them out" not in here.get("round", "1.1")
    here.night.walk_in(pair=True)
    assert "next draws leave them out" in here.get("round", "1.1")
    assert "The knock-out has begun" in here.get("people")
    assert "plays from round" not in here.get("people")
    here.night.play_round("1.1")
    here.post("rounds", do="seat", what="1.2")
    assert len(here.night.state.round("1.2").tables) == 4


def test_a_table_of_a_knock_out_that_is_not_decided_is_named_when_the_next_round_is_drawn(desk):
    here = knock_out(desk, 4, 2)
    here.night.play("1.1.1")
    assert "1 table is not confirmed yet. The next draw waits for the results" in here.get("round", "1.1")
    assert "not confirmed. The next draw waits for the results" in here.get("rounds")
    assert "does not wait" not in here.get("people")
    page = here.post("rounds", do="seat", what="1.2", status=422)
    assert "Table 2 of round 1 has no winner yet" in text(page)


def test_no_draw_is_offered_that_would_be_refused_for_a_table_of_a_knock_out(desk):
    here = knock_out(desk, 4, 2)
    here.night.play("1.1.1")
    offered = ("Seat everybody", "Draw it, and look at it first", "First show the promise")
    assert not [each for each in offered if each in here.get("rounds")]
    here.night.play("1.1.2", 36, 36)
    page = here.get("rounds")
    assert "Round 1, table 2 is drawn, and a knock-out needs a winner. Write the extra deal" in page
    assert not [each for each in offered if each in page]
    here.post("table", "1.1.2", do="settle", mode="deals", mark=here.mark("table", "1.1.2"), reason="extra", **EXTRA)
    assert [each for each in offered if each in here.get("rounds")] == [*offered]


def test_a_drawn_table_of_a_knock_out_is_named_until_one_more_deal_decides_it(desk):
    here = knock_out(desk, 2, 1)
    here.night.play("1.1.1", 36, 36)
    pages = [("round", "1.1"), ("table", "1.1.1"), ("closing",)]
    for page in pages:
        assert "is drawn, and a knock-out needs a winner" in here.get(*page)
    assert "provisional" in here.get("standings-of", 1)
    mark = here.mark("table", "1.1.1")
    here.post("table", "1.1.1", do="settle", mode="deals", mark=mark, reason="extra deal", **EXTRA)
    for page in pages:
        assert "is drawn" not in here.get(*page)
    assert "provisional" not in here.get("standings-of", 1)


def test_a_knock_out_whose_final_is_drawn_is_closed_for_a_reason_only(desk):
    here = knock_out(desk, 4, 2)
    here.night.play("1.1.1")
    here.night.play("1.1.2", 50, 22)
    here.night.draw()
    here.night.play("1.2.1", 36, 36)
    assert "Why it is closed all the same" in here.get("closing")
    refused = here.post("closing", do="close", status=422)
    assert "Table 1 of round 2 is drawn" in text(refused)
    assert not here.night.state.closed
    here.post("closing", do="close", despite="They share the cup.")
    assert here.night.state.closed


def test_before_closing_a_knock_out_without_a_winner_is_named(desk):
    here = knock_out(desk, 4, 1)
    here.night.play_round("1.1")
    assert "the knock-out is not decided, 2 are still in" in here.get("closing")


def test_before_closing_a_round_robin_in_which_not_everybody_met_is_named(desk):
    here = knock_out(desk, 4, 1, method="round-robin")
    here.night.play_round("1.1")
    assert "not everybody has met everybody" in here.get("closing")


def test_before_closing_nothing_is_said_of_a_knock_out_with_a_winner(desk):
    here = knock_out(desk, 2, 1)
    here.night.play_round("1.1")
    assert "still in" not in here.get("closing")


def test_the_last_round_of_a_knock_out_says_which_table_is_the_final(desk):
    here = knock_out(desk, 4, 2, third=True)
    assert "For third place" not in here.get("round", "1.1")
    here.night.play_round("1.1")
    here.night.draw(out=False)
    assert "Table 1 Final" in here.get("round", "1.2")
    here.post("round", "1.2", do="publish")
    page = here.get("round", "1.2")
    assert "Table 1 Final" in page
    assert "Table 2 For third place" in page
    assert "next round" not in page
    assert "next draw" not in page
    assert "Table 2 For third place" in here.get("table", "1.2.2")


def test_only_those_are_offered_another_place_who_can_have_one(desk):
    here = desk(8)
    here.night.begin()
    here.night.draw()
    here.night.do("deal.entered", table="1.1.1", deal=1, place=0, scores=[40, 32])
    page = here.client.get(here.url("round", "1.1")).content.decode()
    offered = re.findall(r'<option value="(e\d+)"', page.partition('id="who"')[2].partition("</select>")[0])
    assert set(offered) == {*here.night.table("1.1.2").seats}
    here.night.write("1.1.2")
    assert "Seat by hand" not in here.get("round", "1.1")
    here.night.walk_in()
    page = here.get("round", "1.1")
    assert "Seat somebody elsewhere, or somebody who came late" in page  # with a bye
    for words in ("Exchange two places", "One table more", "One table less", "Undo this draw"):
        assert words not in page


def test_three_pairs_at_a_table_are_a_table_of_six(desk):
    sizes = [{"size": 3, "deals": 0, "percent": 100, "per_deal": 10}]
    here = desk(0, kind="pair", odd=["three-pairs"], rules={"rounds": 2, "deals": 4, "table_sizes": sizes})
    for _each in range(3):
        here.night.walk_in(pair=True)
    here.night.begin()
    here.night.draw()
    page = here.get("round", "1.1")
    assert "At a table of 6: 6 deals." in page
    assert "points for each deal" not in page
    assert 'paper/rules/">House rules</a>' in here.client.get(here.url("round", "1.1")).content.decode()


def test_a_knock_out_has_no_tables_of_another_size(desk):
    page = desk(0, kind="pair", method="knock-out", odd=["three-pairs"]).get("rounds")
    assert "knock-out" in page
    assert "three pairs at a table" not in page


def test_a_knock_out_that_is_decided_is_drawn_no_further(desk):
    here = knock_out(desk, 4, 5)
    here.night.play_round("1.1")
    assert "Seat everybody for round 2" in here.get("rounds")
    assert "Sits out the next round" not in here.get("people")  # it would put the pair out
    here.post("people", do="pause:e1", status=422)  # from a page that was opened before the knock-out began
    assert not here.night.state.entrants["e1"].pauses
    here.night.draw()
    here.night.play_round("1.2")
    for page in ("rounds", "people"):
        assert "Seat everybody" not in here.get(page)
    assert "Sits out the next round" not in here.get("people")
    assert "All rounds of this part are drawn. Finish it" in here.get("rounds")
    assert "start a final" not in here.get("rounds")
    assert "rounds were drawn" not in here.get("closing")


def test_in_a_knock_out_the_opponent_of_a_pair_that_went_home_goes_on_without_a_table(desk):
    here = knock_out(desk, 4, 5)
    gone, other = here.night.table("1.1.1").seats
    here.night.do("entrant.left", id=gone)
    assert "“not in this round”" in here.get("round", "1.1")
    here.post("round", "1.1", do="move", who=gone, to="nowhere", reason="went home")
    first = here.night.state.round("1.1")
    assert (set(first.tables), first.byes) == ({2}, (other,))
    here.night.play_round("1.1")
    here.night.draw()
    assert other in here.night.table("1.2.1").seats


def test_where_the_slips_are_typed_a_drawn_table_of_a_knock_out_is_named(desk):
    here = knock_out(desk, 2, 1)
    here.night.play("1.1.1", 36, 36)
    page = here.get("slips", "1.1")
    assert "is drawn, and a knock-out needs a winner" in page
    assert "All tables count." not in page
    table = here.client.get(here.url("table", "1.1.1")).content.decode()
    assert '<details class="fold" open><summary>Deal by deal' in table


def test_a_final_that_is_drawn_asks_for_one_more_deal_where_nothing_is_left_to_be_drawn(desk):
    here = desk(0, kind="pair", method="knock-out", odd=["bye"], rules={"rounds": 4, "deals": 1})
    for _pair in range(2):
        here.night.walk_in(pair=True)
    here.night.begin()
    here.night.draw()
    here.night.play("1.1.1", 36, 36)
    seen = here.get("rounds")
    assert "All rounds of this part are drawn." in seen
    assert "Round 1, table 1 is drawn, and a knock-out needs a winner. Write the extra deal" in seen
