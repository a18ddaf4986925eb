"""Time on the page: what it says, in whose zone, what its forms do; and what the log tells."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import translation

from accounts import sessions
from domain.pace import Kind, Out, Terms
from games.lobby.text import USUAL, pace_of
from games.selectors import table as table_selector
from games.services import agreements, seats, timing
from games.text import common
from games.text.log import log_line
from tests.games.pace_kit import (
    DAY,
    DAYS,
    LIVE,
    MONDAY,
    SUBSTITUTE,
    asked,
    due,
    fresh,
    people,
    request,
    table,
    texts,
    turned,
    work_at,
)
from tests.games.table_kit import laid, person, seat_of
from tests.refusals import refuses

pytestmark = pytest.mark.django_db


@pytest.fixture
def clock(monkeypatch):
    with turned(monkeypatch) as wall_clock:
        yield wall_clock


def browser(player) -> Client:
    client = Client()
    client.cookies["guest"] = sessions.issue_guest_token(player)
    return client


def post(game, player, **data):
    data = {"expected": fresh(game).number, "request_id": str(request()), **data}
    return browser(player).post(reverse("games:time", args=[game.public_id]), data)


def said(game, viewer, *, language: str = "en") -> list[str]:
    with translation.override(language):
        seen = table_selector.sight_of(fresh(game), viewer)
        return [log_line(line, seen) for line in seen.lines]


@pytest.mark.parametrize(
    ("later", "words"),
    [
        (timedelta(hours=1), "until today 13:00"),
        (timedelta(hours=8), "until today 20:00"),
        (timedelta(hours=32), "until tomorrow 20:00"),
        (4 * DAY, "until Friday 12:00"),
        (7 * DAY, "until 8 June, 12:00"),
    ],
)
def test_a_deadline_is_said_as_people_say_it(later, words):
    assert common.until(MONDAY + later, "Europe/Zurich", MONDAY) == words


def test_a_deadline_is_said_in_the_readers_zone_and_never_a_minute_early():
    moment = datetime(2026, 6, 1, 21, 59, 59, 999_500, tzinfo=UTC)
    assert common.until(moment, "Europe/Zurich", MONDAY) == "until tomorrow 00:00"
    assert common.until(moment, "America/New_York", MONDAY) == "until today 18:00"


@pytest.mark.parametrize(
    ("seconds", "kind", "words"),
    [
        (0, "days", "nothing"),
        (7200, "days", "a few hours"),
        (43200, "days", "half a day"),
        (86400, "days", "1 day"),
        (129600, "days", "a day and a half"),
        (172800, "days", "2 days"),
        (1, "live", "1 second"),
        (45, "live", "45 seconds"),
        (75, "live", "1:15 minutes"),
        (300, "live", "5 minutes"),
    ],
)
def test_amounts_of_time_in_words(seconds, kind, words):
    assert common.duration(seconds, kind) == words


def test_the_page_says_how_much_time_one_has_and_the_others_until_when(clock):
    game = table(people())
    player = asked(game)
    clock.to(fresh(game).acted_at)
    seen = table_selector.sight_of(game, player)
    own = "You have 2 days, then your reserve of 3 days: in all until Saturday 12:01 (Zurich time)."
    assert common.table_line(seen) == own
    clock.on(days=3)
    assert common.table_line(table_selector.sight_of(game, player)) == (
        "You are spending your reserve: it lasts until Saturday 12:01 (Zurich time)."
    )
    other = next(seat.player for seat in game.seats.select_related("player") if seat.player != player)
    other.time_zone = "Asia/Tokyo"
    other.save()
    assert common.table_line(table_selector.sight_of(game, other)) == f"{player.name} has time until Saturday 19:01."
    page = browser(other).get(reverse("games:table", args=[game.public_id])).content.decode()
    assert f"{player.name} has time until Saturday 19:01." in page
    assert "until Saturday 19:01" in page


def test_who_has_no_time_zone_is_told_by_which_time_the_table_goes(clock):
    players = people()
    game = table(players)
    player = asked(game)
    clock.to(fresh(game).acted_at)
    address = reverse("games:table", args=[game.public_id])
    assert f"{player.name} has time until Saturday 12:01 (Zurich time)." in Client().get(address).content.decode()
    own = table_selector.sight_of(fresh(game), player)
    assert common.table_line(own).endswith("in all until Saturday 12:01 (Zurich time).")
    assert "time runs on until Saturday 12:01 (Zurich time)." in common.only_away(own)
    post(game, player, do="pause", until="2026-06-10")
    for one in players:
        if one != player:
            post(game, one, do="agree")
    assert said(game, None)[-1] == "The game is paused until 10 June, 08:00 (Zurich time)."
    paused = common.table_line(table_selector.sight_of(fresh(game), None))
    assert "paused until 10 June, 08:00 (Zurich time)." in paused
    player.time_zone = "Europe/Zurich"
    player.save()
    assert said(game, player)[-1] == "The game is paused until 10 June, 08:00."
    assert "Zurich" not in browser(player).get(address).content.decode()


def test_of_a_table_of_days_one_page_says_how_one_is_told_and_the_table_leads_there(clock):
    game = table(people())
    page = browser(asked(game)).get(reverse("games:table", args=[game.public_id])).content.decode()
    assert reverse("notices:game", args=[game.public_id]) in page


def test_at_the_usual_pace_whoever_vanishes_holds_the_others_for_two_days(clock):
    usual = pace_of(USUAL)
    assert usual is not None
    assert usual.terms is not None
    game = table(people(), usual.terms)
    gone, since = asked(game), fresh(game).acted_at
    clock.to(since + timedelta(days=2, minutes=1))
    work_at(clock.now)
    assert game.actions.filter(text="absent", player=gone).count() == 1
    assert not game.actions.filter(text="vacation").exists(), "nobody announced any"


def test_nobody_is_told_anothers_hours(clock):
    game = table(people())
    for player in (None, *(seat.player for seat in game.seats.select_related("player"))):
        data = str(table_selector.sight_of(game, player).as_json())
        assert "waking" not in data
        assert "absences" not in data
        assert "rhythm" not in data


def test_the_page_applies_what_is_due_when_it_is_opened(clock):
    game = table(people())
    player = asked(game)
    clock.to(due(game) + timedelta(hours=1))
    page = browser(player).get(reverse("games:table", args=[game.public_id])).content.decode()
    assert texts(fresh(game)) == ["absent"]
    assert "I am back" in page
    assert post(game, player, do="back").status_code == 303
    assert texts(fresh(game)) == ["absent", "returned"]


def test_a_stranger_takes_a_seat_for_which_a_substitute_is_asked(clock):
    game = table(people(), SUBSTITUTE)
    gone = asked(game)
    seat = seat_of(game, gone)
    clock.to(due(game))
    newcomer = person(name="Gieri")
    page = browser(newcomer).get(reverse("games:table", args=[game.public_id])).content.decode()
    assert "Take this seat" in page
    assert f"If nobody takes the seat of {gone.name} by" in page
    own = browser(gone).get(reverse("games:table", args=[game.public_id])).content.decode()
    assert "If nobody takes your seat by" in own
    assert f"the seat of {gone.name} by" not in own
    assert post(game, newcomer, do="substitute", seat=seat).status_code == 303
    assert fresh(game).seats.get(number=seat).player == newcomer
    told = said(game, newcomer)
    assert f"You take the seat of {gone.name} as a substitute." in told
    assert f"{gone.name} sits down." in told
    assert f"{gone.name} has run out of time. A substitute is sought for the seat." in told
    assert post(game, gone, do="back").status_code == 403


def test_the_log_tells_of_time_in_sentences(clock):
    game = table(people())
    player = asked(game)
    seat = seat_of(game, player)
    giver = next(one.player for one in game.seats.select_related("player") if one.player != player)
    assert post(game, giver, do="more", seat=seat, seconds=86400 * 2).status_code == 303
    assert post(game, giver, do="pause", until="2026-06-10").status_code == 303
    assert f"{giver.name} gives you 2 days more." in said(game, player)
    assert f"You give {player.name} 2 days more." in said(game, giver)
    assert f"{giver.name} gives {player.name} 2 days more." in said(game, None)
    assert f"{giver.name} proposes a pause until 10 June, 08:00 (Zurich time)." in said(game, player)
    page = browser(player).get(reverse("games:table", args=[game.public_id])).content.decode()
    assert "proposes a pause until 10 June, 08:00 (Zurich time)." in page
    for one in game.seats.select_related("player"):
        if one.player != giver:
            assert post(game, one.player, do="agree").status_code == 303
    assert said(game, None)[-1] == "The game is paused until 10 June, 08:00 (Zurich time)."
    assert post(game, player, do="resume").status_code == 303
    assert said(game, player)[-1] == "You end the pause."


@pytest.mark.parametrize(
    ("form", "what"),
    [({"do": "pause", "until": "2026-06-10"}, "of a pause"), ({"do": "live"}, "to continue live")],
)
def test_whoever_takes_back_a_proposal_does_not_decline_it(clock, form, what):
    game = table(people())
    one, other = (seat.player for seat in game.seats.select_related("player")[:2])
    assert post(game, one, **form).status_code == 303
    taking_back = {"request_id": str(request()), "do": "decline"}
    assert post(game, one, **taking_back).status_code == 303
    assert said(game, one)[-1] == f"You take back your proposal {what}."
    assert said(game, other)[-1] == f"{one.name} takes back the proposal {what}."
    assert post(game, one, **taking_back).status_code == 303  # sent once more, as nobody had answered
    post(game, one, **form)
    post(game, other, do="decline")
    assert said(game, one)[-1].startswith(f"{other.name} d")  # declines it, or does not want it


def test_whoever_has_agreed_may_decline_after_all(clock):
    game = table(people())
    one, other = (seat.player for seat in game.seats.select_related("player")[:2])
    post(game, one, do="pause", until="2026-06-10")
    post(game, other, do="agree")
    page = browser(other).get(reverse("games:table", args=[game.public_id])).content.decode()
    assert "Decline after all" in page
    post(game, other, do="decline")
    assert said(game, one)[-1] == f"{other.name} declines the pause."


def test_why_a_substitute_is_sought_and_why_no_more_is_told(clock):
    game = table(people())
    gone = asked(game)
    other = next(seat.player for seat in game.seats.select_related("player") if seat.player != gone)
    seat = seat_of(game, gone)
    clock.to(due(game))
    work_at(clock.now)
    assert post(game, other, do="ask-substitute", seat=seat).status_code == 303
    assert said(game, gone)[-1] == "A substitute is sought for your seat."
    assert post(game, other, do="play-on", seat=seat).status_code == 303
    sentence = "No substitute is sought any more. A computer player acts for you until you are back."
    assert sentence in said(game, gone)
    assert f"No substitute is sought for {gone.name} any more. A computer player acts for the seat." in said(
        game, other
    )
    assert sum("run out of time" in line for line in said(game, other)) == 1


@pytest.mark.parametrize(("terms", "then"), [(DAYS, "A computer player acts"), (SUBSTITUTE, "A substitute is sought")])
def test_who_acts_for_a_seat_that_was_given_up_is_told(clock, terms, then):
    game = table(people(), terms)
    gone = asked(game)
    other = next(seat.player for seat in game.seats.select_related("player") if seat.player != gone)
    assert seats.give_up(game.pk, seat_of(game, gone))
    assert said(game, gone)[-1] == f"You leave the table. {then} for the seat."
    assert said(game, other)[-1] == f"{gone.name} leaves the table. {then} for the seat."


def test_that_nobody_came_as_a_substitute_is_told(clock):
    game = table(people(), SUBSTITUTE)
    gone = asked(game)
    other = next(seat.player for seat in game.seats.select_related("player") if seat.player != gone)
    for _ in range(2):
        clock.to(due(fresh(game)))
        work_at(clock.now)
    assert "Your time has run out. A substitute is sought for your seat." in said(game, gone)
    assert "Nobody has taken your seat. A computer player acts for you until you are back." in said(game, gone)
    assert f"Nobody has taken the seat of {gone.name}. A computer player acts for it." in said(game, other)


def test_every_event_about_time_has_its_sentence(clock):
    game = table(people(), Terms(Kind.DAYS, 2 * DAY, vacation=1))
    one, other = (seat.player for seat in game.seats.select_related("player")[:2])
    rest = [seat.number for seat in game.seats.all()][1:]
    by_seat = {seat.number: seat.player for seat in game.seats.select_related("player")}
    agreements.offer_live(game.pk, 0, request_id=request(), by=one)
    for number in rest:
        agreements.answer(game.pk, number, agree=True, request_id=request(), by=by_seat[number])
    agreements.end_live(game.pk, 1, request_id=request(), by=other)
    agreements.offer_live(game.pk, 0, request_id=request(), by=one)
    agreements.answer(game.pk, 0, agree=False, request_id=request(), by=one)
    agreements.propose_pause(game.pk, 0, clock.now + DAY, request_id=request(), by=one)
    agreements.answer(game.pk, 1, agree=False, request_id=request(), by=other)
    for _ in range(2):
        game = fresh(game)
        timing.time_out(game.pk, expected=game.number, now=game.deadline_at)
    assert set(texts(fresh(game))) >= {"live-offered", "live-begun", "live-ended", "vacation", "absent"}
    for viewer in (one, other, None):
        for language in ("en", "de"):
            lines = said(game, viewer, language=language)
            assert all(lines)
            assert not any("Something happens" in line or "%(" in line for line in lines)


def test_what_cannot_be_done_is_refused_in_words_and_changes_nothing(clock):
    game = table(people())
    player = asked(game)
    number = fresh(game).number
    assert post(game, player, do="more", seat=seat_of(game, player), seconds=86400).status_code == 422
    assert post(game, player, do="more", seat=99, seconds=86400).status_code == 422
    assert post(game, player, do="more", seat="x", seconds=86400).status_code == 400
    assert post(game, player, do="pause", until="tomorrow").status_code == 400
    assert post(game, player, do="pause", until="2027-01-01").status_code == 422
    assert post(game, player, do="resume").status_code == 422
    assert post(game, player, do="back").status_code == 422
    assert post(game, player, do="fly").status_code == 400
    assert post(game, person(), do="pause", until="2026-06-10").status_code == 403
    assert post(game, person(), do="substitute", seat=1).status_code == 422
    assert fresh(game).number == number
    with refuses("no-clock"):
        agreements.resume(laid(person()).pk, 0, request_id=request(), by=player)


def test_before_one_leaves_the_page_says_that_time_runs_on(clock):
    players = people()
    game = table(players)
    own = asked(game)
    other = next(player for player in players if player != own)
    leave = reverse("games:leave", args=[game.public_id])
    assert "your time runs on until Saturday 12:01 (Zurich time)." in browser(own).get(leave).content.decode()
    assert (
        "when it is your turn, your time runs even if you are not there." in browser(other).get(leave).content.decode()
    )


def test_a_proposal_says_who_has_agreed_and_whom_it_waits_for(clock):
    players = people()
    game = table(players)
    anna, beat, clau, duri = players
    agreements.propose_pause(game.pk, seat_of(game, beat), clock.now + DAY, request_id=request(), by=beat)
    agreements.answer(game.pk, seat_of(game, anna), agree=True, request_id=request(), by=anna)
    until = "until tomorrow 12:00 (Zurich time)"

    def proposed(viewer):
        return common.clock_proposal(table_selector.sight_of(fresh(game), viewer))

    assert proposed(anna) == f"Beat proposes a pause {until}. You have agreed. Waiting for Clau and Duri."
    assert proposed(beat) == f"You propose a pause {until}. Waiting for Clau and Duri."
    assert proposed(clau) == f"Beat proposes a pause {until}."
    for player in (clau, duri):
        agreements.answer(game.pk, seat_of(game, player), agree=True, request_id=request(), by=player)
    page = browser(clau).get(reverse("games:table", args=[game.public_id])).content.decode()
    assert "If you end the pause, it ends for everybody." in page


def test_a_live_table_counts_down_and_offers_no_pause(clock):
    game = table(people(), LIVE)
    player = asked(game)
    page = browser(player).get(reverse("games:table", args=[game.public_id])).content.decode()
    assert "data-until=" in page
    assert "then your reserve of 2 minutes." in page
    assert "Propose a pause" not in page
    assert common.table_line(table_selector.sight_of(game, None)) == f"{player.name}: 30 seconds"
    clock.on(seconds=100)
    assert common.table_line(table_selector.sight_of(game, None)) == f"{player.name}: 1:50 minutes"
    assert (
        common.table_line(table_selector.sight_of(game, player)) == "You are spending your reserve: 1:50 minutes left."
    )


def test_a_live_table_that_waits_for_a_substitute_says_until_when_and_counts_nothing_down(clock):
    game = table(people(), replace(LIVE, out=Out.SUBSTITUTE))
    gone = asked(game)
    clock.to(due(game))
    page = browser(person()).get(reverse("games:table", args=[game.public_id])).content.decode()
    assert f"If nobody takes the seat of {gone.name} by" in page
    assert "data-until=" not in page


def test_a_table_without_a_clock_shows_nothing_of_it():
    player = person()
    game = laid(player)
    page = browser(player).get(reverse("games:table", args=[game.public_id])).content.decode()
    assert re.search(r'<div class="clock inline-row gap-2" data-part="clock" data-key="\w+">\s*</div>', page)
    assert "clock-line" not in page
    act_page = browser(player).get(reverse("games:state", args=[game.public_id])).json()
    assert act_page["clock"] is None
