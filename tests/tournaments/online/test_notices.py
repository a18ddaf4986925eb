"""What people are told of online rounds: worded in their language, true when it is told, at hours at which they are awake."""

from __future__ import annotations

import uuid
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from django.test import Client
from django.utils import translation

from games.text.common import moment_in_letter
from notices.models import Outbox
from tests.tournaments.online.kit import PASSING, League
from tests.tournaments.services.kit import member_player
from tournaments.models import OnlineRound
from tournaments.online import notifications
from tournaments.online.tasks import awake
from tournaments.read_models import Names
from tournaments.registration import by_oneself

pytestmark = pytest.mark.django_db
ZURICH = ZoneInfo("Europe/Zurich")


def test_everybody_is_told_their_table_their_partner_and_until_when():
    found = League.of(4)
    found.round()
    table = found.table("1.1.1")
    rows = {row.player: row for row in Outbox.objects.filter(event="tournament.round")}
    me = found.player(table.people[table.sides[0][0]])
    names = Names(found.tournament, "hall")
    partner, *others = (names.person(table.people[place]) for place in (table.sides[0][1], *table.sides[1]))
    row = rows[me]
    assert notifications.still_true(row.event, row.params, me)
    words = notifications.words(row.event, row.params, me, "en")
    assert words is not None
    assert words.url.endswith(f"/{table.game}/")
    assert f"with {partner} as your partner, against {others[0]} and {others[1]}." in words.line
    assert words.until == found.deadline("1.1")
    assert words.line.endswith(f"Until {moment_in_letter(words.until, me)}."), "as in all other letters"
    assert row.expires_at == found.deadline("1.1")
    with translation.override("de"):
        assert notifications.words(row.event, row.params, me, "de") is not None


def test_the_result_of_a_final_is_told_as_one_of_the_final():
    found = League.of(4)
    found.round()
    found.do("phase.finished", phase=1)
    found.begin("Final", after=1, entrants=["e1", "e2", "e3", "e4"])
    player = found.player(found.table("1.1.1").people[0])
    for key, line in (("1.1", "Round 1 is over."), ("2.1", "Final, round 1, is over.")):
        params = {"tournament": found.tournament.public_id, "round": key}
        words = notifications.words("tournament.result", params, player, "en")
        assert words is not None
        assert words.line == f"{line} See where you stand."


def test_computer_players_and_each_alone_are_named_too():
    found = League.of(3, rules=PASSING)
    found.round()
    row = Outbox.objects.filter(event="tournament.round").first()
    assert row is not None
    words = notifications.words(row.event, row.params, row.player, "en")
    assert words is not None
    assert "Gion (computer)" in words.line
    assert Outbox.objects.filter(event="tournament.round").count() == 3


def test_who_is_asked_is_reminded_once_when_a_fifth_of_the_time_is_left():
    found = League.of(4, rules=PASSING, online={"days": 1})
    found.round()
    entrant = found.asked("1.1.1")
    player = found.player(found.state.entrants[entrant].members[0])
    row = OnlineRound.objects.get()
    fifth = (row.deadline_at - row.published_at) / 5
    assert row.remind_at == row.deadline_at - fifth
    found.run(row.deadline_at - fifth - timedelta(minutes=1))
    assert not Outbox.objects.filter(event="tournament.deadline").exists()
    found.run(row.deadline_at - fifth)
    found.look(timedelta(minutes=5))
    told = Outbox.objects.get(event="tournament.deadline")
    assert told.player == player
    assert told.topic == found.table("1.1.1").game
    assert told.kind == "deadline"
    assert notifications.still_true(told.event, told.params, player)
    words = notifications.words(told.event, told.params, player, "en")
    assert words is not None
    assert words.until == row.deadline_at


def test_nobody_is_reminded_in_the_night():
    anna = member_player("Anna")
    night = datetime(2026, 12, 1, 23, 30, tzinfo=ZURICH)
    assert (awake(anna, night) - datetime(2026, 12, 2, 8, tzinfo=ZURICH)) < timedelta(seconds=1)
    assert awake(anna, night) >= datetime(2026, 12, 2, 8, tzinfo=ZURICH)
    noon = datetime(2026, 12, 1, 12, tzinfo=ZURICH)
    assert noon <= awake(anna, noon) < noon + timedelta(seconds=1)


def test_what_is_not_true_any_more_is_not_told():
    found = League.of(4, rules=PASSING, online={"days": 1})
    found.round()
    row = Outbox.objects.filter(event="tournament.round").first()
    assert row is not None
    found.asked("1.1.1")
    found.run(found.deadline("1.1"))
    late = Outbox.objects.filter(event="tournament.late").first()
    assert late is not None
    assert notifications.still_true(late.event, late.params, late.player)
    assert notifications.words(late.event, late.params, late.player, "en") is not None
    found.play_out("1.1.1")
    found.look()
    assert not notifications.still_true(row.event, row.params, row.player)
    assert not notifications.still_true(late.event, late.params, late.player)


def test_who_has_no_opponent_in_a_knock_out_is_told_that_they_go_on():
    found = League.of(0, kind="pair", method="knock-out", odd=["bye"], online={"fill": False})
    for pair in range(3):
        members = [found.stranger(f"{name}{pair}") for name in ("Ada", "Leo")]
        found.do("entrant.added", members=[each.public_id for each in members], here=True)
    found.round(begun=False)
    rows = Outbox.objects.filter(event=notifications.SITS_OUT).select_related("player")
    lines = [notifications.words(row.event, row.params, row.player, "en").line for row in rows]
    assert len(lines) == 2
    assert all("go on to the next one. It lasts until" in line for line in lines)


def test_who_has_no_opponent_for_third_place_is_not_told_that_they_go_on():
    plan = {"kind": "pair", "method": "knock-out", "odd": ["bye"], "third": True}
    found = League.of(0, **plan, online={"fill": False})
    for pair in range(4):
        members = [found.stranger(f"{name}{pair}") for name in ("Ada", "Leo")]
        found.do("entrant.added", members=[each.public_id for each in members], here=True)
    found.round(begun=False)
    for key in ("1.1.1", "1.1.2"):
        deals = found.table(key).deals
        found.do("table.settled", table=key, lines=[{"deal": 1, "scores": [72 * deals, 0], "of": deals}], reason="told")
    found.do("round.closed", round="1.1")
    found.do("entrant.left", id=found.table("1.1.1").seats[1])
    found.round(begun=False)
    rows = Outbox.objects.filter(event=notifications.SITS_OUT).select_related("player")
    lines = [notifications.words(row.event, row.params, row.player, "en").line for row in rows]
    assert len(lines) == 2
    assert all(line.startswith("You sit out this round. It lasts until") for line in lines)


def test_what_one_of_a_pair_does_with_their_entry_the_other_is_told():
    found = League.of(0, kind="pair", online={"fill": True})
    pairs = [[found.stranger(f"{name}{pair}") for name in ("Ada", "Leo")] for pair in range(2)]
    for pair in pairs:
        found.do("entrant.added", members=[member.public_id for member in pair], here=True)
    found.round()
    ada, leo = (member.player for member in pairs[0])
    assert ada is not None
    assert leo is not None
    for do, kept, line in (
        ("pause", "paused", "Ada0 Caduff lets you sit out the next round."),
        ("play-on", "plays-on", "Ada0 Caduff lets you play the next round after all."),
        (
            "leave",
            "left",
            "Ada0 Caduff has ended your part in it: rounds are drawn without you. What you have played counts.",
        ),
        ("return", "returned", "Ada0 Caduff has put you back in: you play from the next round on."),
    ):
        by_oneself.do_oneself(found.tournament, ada, do, request_id=uuid.uuid4())
        told = Outbox.objects.get(event=f"tournament.{kept}")
        assert told.player == leo
        assert notifications.still_true(told.event, told.params, leo)
        words = notifications.words(told.event, told.params, leo, "en")
        assert words is not None
        assert words.line == line
    left = Outbox.objects.get(event="tournament.left")
    assert not notifications.still_true(left.event, left.params, leo), "they are back"
    found.do("entrant.left", id="e1")
    last = Outbox.objects.filter(event="tournament.left").order_by("pk")[1:]
    assert {row.player for row in last} == {ada, leo}, "the desk did it"
    words = notifications.words("tournament.left", last[0].params, last[0].player, "en")
    assert words is not None
    assert words.line.startswith("Troccas Cuera has ended your part in it")
    browser = Client()
    browser.force_login(leo.user)
    page = browser.get(f"/e/{found.tournament.public_id}/enter/").content.decode()
    assert "You and Ada0 Caduff have left. What you have played counts." in page
    assert "Ada0 Caduff then plays again, too." in page


def test_who_is_taken_off_the_list_before_anything_was_played_is_not_told_that_it_counts():
    found = League.of(4)
    player = found.player(found.state.entrants["e1"].members[0])
    for kind in ("entrant.left", "entrant.withdrawn"):
        found.do(kind, id="e1")
        row = Outbox.objects.filter(event="tournament.left", player=player).latest("pk")
        assert notifications.still_true(row.event, row.params, player)
        words = notifications.words(row.event, row.params, player, "en")
        assert words is not None
        assert words.line == "Troccas Cuera has taken you off the list."
        found.do("entrant.arrived", id="e1")


def test_who_pauses_or_leaves_alone_is_not_told_what_they_did():
    found = League.of(4)
    found.round()
    player = found.player(found.state.entrants["e1"].members[0])
    for do in ("pause", "pause", "play-on", "leave"):
        by_oneself.do_oneself(found.tournament, player, do, request_id=uuid.uuid4())
    assert not Outbox.objects.filter(event__in=["tournament.paused", "tournament.plays-on", "tournament.left"]).exists()


def test_who_is_only_now_said_to_be_here_is_not_told_that_they_are_back():
    league = League.of(4)
    late = league.person()
    late.player = member_player("Late")
    late.save(update_fields=["player"])
    league.do("entrant.added", members=[late.public_id], here=False)
    league.do("entrant.arrived", id=max(league.state.entrants, key=lambda each: int(each[1:])))
    assert not Outbox.objects.filter(event=notifications.RETURNED).exists()
