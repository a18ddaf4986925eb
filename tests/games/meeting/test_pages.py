"""The pages: what is sent is done once and checked, what is wrong is said and changes nothing."""

from __future__ import annotations

import uuid
from datetime import timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts import privacy
from accounts.models import Player
from games.meeting.models import Alert, Appointment, Reply, StandingWish
from games.meeting.services import alerts, appointments, wishes
from games.meeting.services.appointments import Plan
from games.meeting.services.wishes import WishTerms
from games.models import Game
from notices.models import Outbox
from tests.games.lobby_kit import lay, member

pytestmark = pytest.mark.django_db
OVERVIEW, WISH, PROPOSE, ALERT = (
    "/en/meeting/", "/en/meeting/wish/", "/en/meeting/appointments/new/", "/en/meeting/alerts/",
)  # fmt: skip


def browser(player: Player | None) -> Any:
    client = Client()
    if player is not None:
        client.force_login(player.user)
    return client


def proposal(**how) -> dict:
    at = timezone.localtime() + timedelta(days=2)
    fields = {"game": "troccas:4", "starts_at": at.strftime("%Y-%m-%dT20:00"), "hands": "2", "pace": "live"}
    return fields | {"request_id": str(uuid.uuid4())} | how


def coming(proposer: Player, **how) -> Appointment:
    at = timezone.now() + timedelta(days=2)
    fields = {"game": "troccas", "size": 4, "hands": 2, "pace": "live", "starts_at": at} | how
    return appointments.propose(proposer, Plan(**fields), request_id=uuid.uuid4())


@pytest.mark.parametrize("address", [OVERVIEW, "/en/", "/en/tables/", "/en/my-games/"])
def test_everybody_sees_the_pages_that_lead_there(address):
    coming(member("Anna"))
    lay(member("Host"))
    for player in (None, member("Beat")):
        answer = browser(player).get(address)
        assert answer.status_code == 200
        assert OVERVIEW in answer.text or address == OVERVIEW


@pytest.mark.parametrize("address", [WISH, PROPOSE, ALERT])
def test_strangers_are_asked_to_sign_in(address):
    answer = browser(None).get(address)
    assert answer.status_code == 302
    assert "/account/login/" in answer.url


def test_four_presses_on_the_front_page_make_a_game():
    people = [member(name) for name in ("Anna", "Beat", "Carla", "Dario")]
    for player in people:
        assert "Find me a seat" in browser(player).get("/en/").text
        answer = browser(player).post(WISH, {"games": "troccas", "paces": "day"})
        assert answer.status_code == 303
    assert answer.url == reverse("games:table", args=[Game.objects.get().public_id])
    assert reverse("games:table", args=[Game.objects.get().public_id]) in browser(people[0]).get(OVERVIEW).text


def test_who_wishes_for_what_waits_already_is_led_to_it():
    anna = member("Anna")
    table = lay(member("Gieri"))
    lay(member("Host"), "troggu")
    assert "waits already" not in browser(anna).get(OVERVIEW).text
    wishes.make(anna, WishTerms(["troccas"], ["day"]))
    page = browser(anna).get(OVERVIEW).text
    assert "Such a table waits already: Troccas with Gieri, 3 seats are free." in page
    assert reverse("lobby:table", args=[table.public_id]) in page
    assert page.count("waits already") == 1


@pytest.mark.parametrize(
    ("data", "says"),
    [
        ({"paces": ["day"]}, "Tick at least one game."),
        ({"games": ["troccas"]}, "Tick at least one pace."),
        ({"games": ["troccas"], "paces": ["live"]}, "Tick the evenings on which you can play live."),
        ({"games": ["troggu-graechen"], "sizes": ["8"], "paces": ["day"]}, "Tick how many should play"),
        ({"games": ["poker"], "paces": ["day"]}, "errorlist"),
        ({"games": ["troccas"], "paces": ["none"]}, "errorlist"),
        ({"games": ["troccas"], "paces": ["live"], "weekdays": ["9"]}, "errorlist"),
        ({"games": ["troccas"], "paces": ["day"], "hour": "99"}, "errorlist"),
        ({"games": ["troccas"], "paces": ["day"], "languages": ["xx"]}, "errorlist"),
    ],
)
def test_a_wish_that_makes_no_sense_is_explained_and_not_kept(data, says):
    answer = browser(member()).post(WISH, data)
    assert answer.status_code == 422
    assert says in answer.text
    assert not StandingWish.objects.exists()


@pytest.mark.parametrize(
    ("how", "says"),
    [
        ({"starts_at": "2020-01-01T20:00"}, "at least half an hour away"),
        ({"starts_at": "2099-01-01T20:00"}, "within the next two months"),
        ({"starts_at": "tonight"}, "Write day and time"),
        ({"hands": "99"}, "Write a number from"),
        ({"hands": "many"}, "Write a whole number"),
        ({"game": "troccas:9"}, "errorlist"),
        ({"game": "poker:4"}, "errorlist"),
        ({"pace": "day"}, "errorlist"),
        ({"note": "x" * 201}, "errorlist"),
    ],
)
def test_an_appointment_that_makes_no_sense_is_explained_and_not_kept(how, says):
    answer = browser(member()).post(PROPOSE, proposal(**how))
    assert answer.status_code == 422
    assert says in answer.text
    assert not Appointment.objects.exists()


def test_an_appointment_from_the_proposal_to_the_cancellation():
    anna, beat = member("Anna"), member("Beat")
    answer = browser(anna).post(PROPOSE, proposal(note="With talk"))
    assert answer.status_code == 303
    page = browser(beat).get(answer.url).text
    assert "With talk" in page
    assert "I am coming" in page
    assert "Cancel the appointment" not in page
    browser(beat).post(answer.url + "answer/", {"comes": "yes"})
    assert Reply.objects.get(player=beat).answer == "yes"
    assert "You said that you are coming" in browser(beat).get(answer.url).text
    ics = browser(beat).get(answer.url + "appointment.ics")
    assert ics["Content-Type"].startswith("text/calendar")
    empty = browser(anna).post(answer.url + "cancel/", {"reason": " "})
    assert empty.status_code == 422
    assert "Say in a few words why" in empty.text
    browser(beat).post(answer.url + "cancel/", {"reason": "mine"})
    assert Appointment.objects.get().state == "planned"
    browser(anna).post(answer.url + "cancel/", {"reason": "I am ill"})
    assert "This appointment is cancelled: I am ill" in browser(beat).get(answer.url).text


def test_the_hour_is_that_of_who_proposes_and_is_shown_in_that_of_who_reads():
    anna, beat = member("Anna"), member("Beat")
    Player.objects.filter(pk=anna.pk).update(time_zone="America/New_York")
    Player.objects.filter(pk=beat.pk).update(time_zone="Europe/Zurich")
    answer = browser(anna).post(PROPOSE, proposal())
    local = Appointment.objects.get().starts_at.astimezone(ZoneInfo("America/New_York"))
    assert (local.hour, local.minute) == (20, 0)
    assert "20:00" in browser(anna).get(answer.url).text
    assert "02:00</time>" in browser(beat).get(answer.url).text
    assert "02:00 (Zurich time)</time>" in browser(member("Carla")).get(answer.url).text, "who has not chosen one"


def test_what_is_gone_or_never_was_is_no_error_of_the_site():
    anna = browser(member())
    assert anna.get("/en/meeting/appointments/nothing/").status_code == 404
    assert anna.get("/en/meeting/appointments/nothing/appointment.ics").status_code == 404
    for address in ("appointments/nothing/answer/", "wish/nothing/", "alerts/17/"):
        assert anna.post(f"/en/meeting/{address}").status_code in (302, 303)
    assert anna.post("/en/meeting/appointments/nothing/cancel/", {"reason": "x"}).status_code in (302, 404)


def test_wishes_and_alerts_go_by_one_press():
    anna = member()
    wish = wishes.make(anna, WishTerms(["troccas"], ["day"]))
    alert = alerts.make(anna)
    page = browser(anna)
    assert "3 more people are needed" in page.get(OVERVIEW).text
    page.post(f"/en/meeting/wish/{wish.public_id}/", {"do": "withdraw"})
    page.post(f"/en/meeting/alerts/{alert.pk}/")
    assert StandingWish.objects.get().state == "withdrawn"
    assert not Alert.objects.exists()
    page.post(ALERT, {"games": ["troggu"], "pace": "days", "language": ""})
    assert Alert.objects.get().games == ["troggu"]
    assert page.post(ALERT, {"pace": "none"}).status_code == 422


def test_who_asks_too_often_has_to_wait():
    page = browser(member())
    for _time in range(30):
        page.post(ALERT, {"pace": "live"})
    answer = page.post(ALERT, {"pace": "days"})
    assert answer.status_code == 429
    assert Alert.objects.count() == 1


def test_everything_is_in_the_export_and_goes_with_the_account():
    anna, beat = member("Anna"), member("Beat")
    wishes.make(anna, WishTerms(["troccas"], ["day"]))
    alerts.make(anna, pace="live")
    own = coming(anna, note="Bring wine")
    appointments.answer(beat, own.public_id, comes=True)
    other = coming(beat)
    appointments.answer(anna, other.public_id, comes=True)
    export: Any = privacy.export_of(anna)["games"]
    assert export["standing_wishes"][0]["games"] == ["troccas"]
    assert export["appointments_proposed"][0]["note"] == "Bring wine"
    assert {row["answer"] for row in export["appointments_answered"]} == {"yes"}
    assert export["alerts"][0]["pace"] == "live"
    privacy.erase(anna.user)
    assert not StandingWish.objects.exists()
    assert not Alert.objects.exists()
    own.refresh_from_db()
    assert (own.state, own.note, own.proposer) == ("cancelled", "", None)
    assert {row.player for row in Reply.objects.all()} == {beat}
    assert Outbox.objects.filter(event="meeting.cancelled", player=beat).exists()


def test_the_front_page_takes_no_more_queries_for_more_people(django_assert_max_num_queries):
    client = browser(member("Anna"))
    client.get("/en/")
    for name in ("Beat", "Carla", "Dario"):
        player = member(name)
        wishes.make(player, WishTerms(["troggu"], ["day"], sizes=[7]))
        coming(player)
        lay(player)
    with django_assert_max_num_queries(36):
        client.get("/en/")
