"""Other people by the API: following, finding, messages, wishes, appointments, alerts, tables of clubs."""

from __future__ import annotations

import uuid
from datetime import timedelta

import pytest
from django.utils import timezone

from accounts.permissions import block
from accounts.tokens import CHAT, PEOPLE, PLAY, TABLES
from clubs.models import Club
from games.lobby.models import OpenTable
from games.meeting.models import Alert, Appointment, StandingWish
from people.models import Follow, Message
from tests.clubs import kit as clubs
from tests.games.api_kit import Program
from tests.games.chat_kit import member

pytestmark = pytest.mark.django_db
ALL = (PLAY, TABLES, PEOPLE)
SPARE_TIME = {"games": ["troccas"], "paces": ["day"]}


@pytest.fixture
def anna():
    return Program(member("Anna"), ALL)


@pytest.fixture
def beat():
    return Program(member("Beat"), ALL)


def acquainted(*programs):
    for one in programs:
        for other in programs:
            if one is not other:
                one.send(f"/people/{other.player.public_id}/follow", 200, {})


@pytest.mark.parametrize(
    ("method", "path", "body", "missing"),
    [
        ("get", "/people?name=An", None, PEOPLE), ("get", "/following", None, PEOPLE), ("get", "/followers", None, PEOPLE),
        ("get", "/messages", None, PEOPLE), ("get", "/people/preferences", None, PEOPLE),
        ("patch", "/people/preferences", {}, PEOPLE),
        ("post", "/wishes", SPARE_TIME, TABLES), ("post", "/alerts", {}, TABLES),
    ],
)  # fmt: skip
def test_each_needs_its_scope(method, path, body, missing):
    program = Program(member("Anna"), (PLAY, CHAT))
    told = program.ask(path, 403) if method == "get" else program.send(path, 403, body, method)
    assert told["code"] == "scope-missing"
    assert missing in told["detail"]


def test_who_agreed_is_found_by_name_and_others_are_not(anna, beat):
    assert anna.ask("/people", name="bea") == []
    assert beat.send("/people/preferences", 200, {"found_by_name": True}, "patch")["found_by_name"]
    assert [one["name"] for one in anna.ask("/people", name="bea")] == ["Beat"]
    assert anna.ask("/people", 400, name="b")["code"] == "unreadable"


def test_following_is_seen_from_both_sides_and_undone(anna, beat):
    address = f"/people/{beat.player.public_id}"
    assert anna.send(f"{address}/follow", 200, {})["follows"]
    assert [one["name"] for one in anna.ask("/following")["results"]] == ["Beat"]
    assert [one["followed"] for one in beat.ask("/followers")["results"]] == [True]
    assert not anna.send(f"{address}/unfollow", 200, {})["follows"]
    assert not Follow.objects.exists()
    assert anna.send(f"/people/{anna.player.public_id}/follow", 403, {})["code"] == "cannot-follow"
    anna.send("/people/nobody/follow", 404, {})


def test_messages_go_between_people_who_follow_each_other_once_for_each_request(anna, beat):
    address = f"/messages/{beat.player.public_id}"
    assert anna.say(address, 403, text="Ciao")["code"] == "not-mutual"
    acquainted(anna, beat)
    sent = {"request_id": str(uuid.uuid4()), "text": "Ciao Beat"}
    anna.send(address, 200, sent)
    told = anna.send(address, 200, sent)
    assert [one["text"] for one in told["messages"]] == ["Ciao Beat"]
    assert anna.send(address, 422, sent | {"text": "Other"})["code"] == "request-reused"
    assert anna.say(address, 422, text="x" * 2100)["code"] == "too-long"
    assert Message.objects.count() == 1


def test_reading_is_said_and_not_guessed(anna, beat):
    acquainted(anna, beat)
    anna.say(f"/messages/{beat.player.public_id}", text="Ciao")
    own = f"/messages/{anna.player.public_id}"
    told = beat.ask(own)
    assert beat.ask("/messages")["unread"] == 1
    assert not anna.ask(f"/messages/{beat.player.public_id}")["messages"][0]["read"]
    answer = beat.client.post(
        f"/api/v1/play{own}/read", {"up_to": told["messages"][-1]["id"]}, "application/json", headers=beat.headers
    )
    assert answer.status_code == 204
    (line,) = beat.ask("/messages")["results"]
    assert (line["player"], line["unread"], line["last"]) == (anna.player.public_id, 0, "Ciao")
    assert anna.ask(f"/messages/{beat.player.public_id}")["messages"][0]["read"]


def test_a_third_person_reads_nothing_of_it(anna, beat):
    acquainted(anna, beat)
    anna.say(f"/messages/{beat.player.public_id}", text="Only for you")
    third = Program(member("Clau"), ALL)
    assert third.ask("/messages")["results"] == []
    for player in (anna.player, beat.player):
        assert third.ask(f"/messages/{player.public_id}")["messages"] == []


def test_who_was_blocked_is_not_told_so(anna, beat):
    acquainted(anna, beat)
    block(beat.player, anna.player)
    assert anna.say(f"/messages/{beat.player.public_id}", 403, text="Ciao")["code"] == "not-mutual"


def test_four_wishes_that_fit_are_seated(anna, beat):
    others = [Program(member(name), ALL) for name in ("Clau", "Duri")]
    first = anna.send("/wishes", 201, SPARE_TIME)
    assert (first["state"], first["game"]) == ("open", "")
    assert beat.ask("/wishes")["waiting"][0]["count"] == 1
    for one in (beat, others[0]):
        one.send("/wishes", 201, SPARE_TIME)
    last = others[1].send("/wishes", 201, SPARE_TIME)
    assert last["state"] == "seated"
    assert anna.ask(f"/games/{last['game']}")["viewer"] is not None


def test_a_wish_is_kept_and_withdrawn_by_its_owner_alone(anna, beat):
    made = anna.send("/wishes", 201, SPARE_TIME)
    assert beat.send(f"/wishes/{made['public_id']}/withdraw", 409, {})["code"] == "wish-over"
    anna.send(f"/wishes/{made['public_id']}/keep", 200, {})
    assert anna.send(f"/wishes/{made['public_id']}/withdraw", 200, {})["wishes"] == []
    assert StandingWish.objects.get().state == "withdrawn"


def test_a_wish_that_cannot_be_is_refused_field_by_field(anna):
    told = anna.send("/wishes", 422, {"games": ["whist"], "paces": ["live"]})
    assert {one["where"] for one in told["errors"]} == {"games", "weekdays"}
    assert not StandingWish.objects.exists()


def appointment(program, status=201, **wanted):
    at = (timezone.now() + timedelta(days=2)).isoformat()
    return program.say(
        "/appointments", status, **({"game": "troccas", "size": 4, "hands": 2, "starts_at": at} | wanted)
    )


def test_an_appointment_is_proposed_answered_and_cancelled_with_a_reason(anna, beat):
    made = appointment(anna, note="With cake")
    address = f"/appointments/{made['public_id']}"
    assert (made["names"], made["own"]) == (["Program Anna"], "yes")
    assert [one["public_id"] for one in beat.ask("/appointments")] == [made["public_id"]]
    assert beat.send(f"{address}/answer", 200, {"comes": True})["names"] == ["Program Anna", "Program Beat"]
    assert anna.send(f"{address}/answer", 422, {"comes": False})["code"] == "proposer-comes"
    assert beat.send(f"{address}/cancel", 403, {"reason": "No"})["code"] == "not-proposer"
    assert anna.send(f"{address}/cancel", 200, {"reason": "Snow"})["state"] == "cancelled"
    assert beat.ask(address)["reason"] == "Snow"
    assert beat.send(f"{address}/answer", 409, {"comes": True})["code"] == "appointment-over"


@pytest.mark.parametrize(
    ("wanted", "where"),
    [({"starts_at": "2026-01-01T20:00:00"}, "starts_at"), ({"size": 7}, "game"), ({"hands": 999}, "hands")],
)
def test_an_appointment_that_cannot_be_says_why(anna, wanted, where):
    assert [one["where"] for one in appointment(anna, 422, **wanted)["errors"]] == [where]
    assert not Appointment.objects.exists()


@pytest.mark.parametrize("at", ["9999-12-31T23:59:59+00:00", "0001-01-01T00:00:00+14:00"])
def test_an_appointment_at_the_end_of_the_calendar_is_refused_in_words(anna, at):
    problem = anna.say("/appointments", 422, game="troccas", size=4, hands=1, starts_at=at)
    assert [error["where"] for error in problem["errors"]] == ["starts_at"]


def test_alerts_are_made_once_and_removed_by_their_owner(anna, beat):
    (made,) = anna.send("/alerts", 200, {"games": ["troccas"], "pace": "days"})
    assert anna.send("/alerts", 200, {"games": ["troccas"], "pace": "days"}) == [made]
    beat.send(f"/alerts/{made['id']}/remove", 404, {})
    assert anna.send(f"/alerts/{made['id']}/remove", 200, {}) == []
    assert not Alert.objects.exists()


def test_a_table_for_the_members_of_a_club(anna, beat):
    club = clubs.club_of(anna.player)
    assert [one["slug"] for one in anna.ask("/clubs")] == [club.slug]
    assert beat.ask("/clubs") == []
    table = anna.say("/tables", 201, ruleset="troccas", pace="day", club=club.slug)
    assert (table["entry"], table["club"]) == ("club", club.slug)
    assert beat.ask("/tables")["results"] == []
    assert beat.say(f"/tables/{table['public_id']}/join", 403)["code"] == "club-only"
    assert beat.say("/tables", 422, ruleset="troccas", pace="day", club=club.slug)["errors"][0]["where"] == "entry"
    told = anna.say("/tables", 400, ruleset="troccas", club=club.slug, entry="link")
    assert (told["code"], told["errors"][0]["where"]) == ("malformed", "entry")
    assert OpenTable.objects.count() == 1
    assert Club.objects.count() == 1
