"""Appointments: proposed, answered, cancelled, told of, in calendars, and opened by themselves at their hour."""

from __future__ import annotations

import uuid
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone
from icalendar import Calendar

from accounts import permissions
from accounts.models import Player
from games.lobby.models import Invitation, OpenTable
from games.lobby.services import tables
from games.meeting import calendar, notifications, selectors
from games.meeting.models import Appointment, Reply
from games.meeting.services import appointments, common
from games.meeting.services.appointments import Plan
from games.mygames import calendar as mygames_calendar
from notices import outbox
from notices.models import Outbox
from tests.games.lobby_kit import guest, join, member
from tests.refusals import refuses

pytestmark = pytest.mark.django_db


def plan(**how) -> Plan:
    fields = {"game": "troccas", "size": 4, "hands": 2, "pace": "live", "starts_at": timezone.now() + timedelta(days=2)}
    return Plan(**fields | how)


def proposed(player: Player, **how) -> Appointment:
    return appointments.propose(player, plan(**how), request_id=uuid.uuid4())


def come(player: Player, appointment: Appointment) -> Appointment:
    return appointments.answer(player, appointment.public_id, comes=True)


def read(data: bytes) -> list[Any]:
    return list(Calendar.from_ical(data).walk("VEVENT"))


def told(event: str) -> set[str]:
    return {row.player.name for row in Outbox.objects.filter(event=event)}


@pytest.fixture
def four() -> list[Player]:
    return [member(name) for name in ("Anna", "Beat", "Carla", "Dario")]


def at_the_hour(appointment: Appointment) -> Appointment:
    """The worker looks when the table opens."""
    moment = timezone.now()
    Appointment.objects.filter(pk=appointment.pk).update(starts_at=moment + timedelta(minutes=9))
    appointments.do_due(moment)
    return Appointment.objects.select_related("table").get(pk=appointment.pk)


def test_who_proposes_comes_and_a_repeated_request_proposes_nothing_twice(four):
    request_id, wanted = uuid.uuid4(), plan()
    first = appointments.propose(four[0], wanted, request_id=request_id)
    assert appointments.propose(four[0], wanted, request_id=request_id) == first
    seen = selectors.coming_appointments(four[1])[0]
    assert (seen.names, seen.coming, seen.missing, seen.own) == (("Anna",), 1, 3, "")


def test_one_says_yes_and_no_as_often_as_one_likes(four):
    appointment = proposed(four[0])
    come(four[1], appointment)
    come(four[1], appointment)
    assert selectors.appointment_of(appointment.public_id, four[1]).names == ("Anna", "Beat")
    appointments.answer(four[1], appointment.public_id, comes=False)
    assert selectors.appointment_of(appointment.public_id, four[1]).names == ("Anna",)
    assert Reply.objects.filter(player=four[1]).count() == 1
    with refuses("proposer-comes"):
        appointments.answer(four[0], appointment.public_id, comes=False)


def test_guests_the_suspended_and_the_nameless_do_not_come(four):
    appointment = proposed(four[0])
    with refuses("account-needed"):
        come(guest(), appointment)
    with refuses("name-needed"):
        come(member(""), appointment)
    permissions.suspend(four[1], timedelta(days=1), "reason", by=four[2])
    with refuses("suspended"):
        come(four[1], appointment)


def test_who_does_not_meet_somebody_there_neither_sees_it_nor_comes(four):
    anna, beat, carla, dario = four
    appointment = proposed(anna)
    come(beat, appointment)
    permissions.block(carla, beat)
    assert selectors.coming_appointments(carla) == []
    assert selectors.appointment_of(appointment.public_id, carla) is None
    with refuses("may-not-meet"):
        come(carla, appointment)
    assert len(selectors.coming_appointments(dario)) == 1


def test_only_the_proposer_cancels_and_who_said_yes_reads_why(four):
    anna, beat, carla, dario = four
    appointment = proposed(anna)
    come(beat, appointment)
    come(carla, appointment)
    appointments.answer(carla, appointment.public_id, comes=False)
    with refuses("not-proposer"):
        appointments.cancel(beat, appointment.public_id, "no")
    appointments.cancel(anna, appointment.public_id, "I am ill")
    assert told("meeting.cancelled") == {"Beat"}
    notice = Outbox.objects.get(event="meeting.cancelled")
    assert notifications.still_true(notice.event, notice.params, beat)
    assert "I am ill" in notifications.words(notice.event, notice.params, beat, "en").line
    with refuses("appointment-over"):
        come(dario, appointment)


def test_who_said_yes_is_reminded_an_hour_before_and_who_said_no_is_not(four):
    anna, beat, carla, _dario = four
    appointment = proposed(anna)
    for player in (beat, carla):
        come(player, appointment)
    appointments.answer(carla, appointment.public_id, comes=False)
    reminders = Outbox.objects.filter(event="meeting.reminder")
    assert {row.due_at for row in reminders} == {appointment.starts_at - timedelta(hours=1)}
    outbox.tell_due(appointment.starts_at - timedelta(minutes=59))
    assert {row.player.name for row in reminders.filter(shown=True)} == {"Anna", "Beat"}


def test_the_table_opens_by_itself_with_a_seat_for_each_who_said_yes(four):
    anna, beat, carla, dario = four
    appointment = proposed(anna)
    for player in (beat, carla, dario):
        come(player, appointment)
    opened = at_the_hour(appointment)
    assert opened.state == Appointment.State.OPEN
    table = opened.table
    assert table.host == anna
    assert table.options["hands"] == 2
    assert table.pace["kind"] == "live"
    assert told("table.invited") == {"Beat", "Carla", "Dario"}
    assert told("meeting.opened") == {"Anna"}
    with refuses("table-full"):  # all seats are kept
        join(table, member("Eva"))
    for player in (dario, carla, beat):
        join(table, player)
    table.refresh_from_db()
    assert table.state == OpenTable.State.STARTED
    appointments.do_due(timezone.now())
    assert OpenTable.objects.count() == 1


def test_more_who_said_yes_than_seats_come_in_their_order(four):
    appointment = proposed(four[0])
    crowd = [*four[1:], member("Eva")]
    for player in crowd:
        come(player, appointment)
    assert selectors.appointment_of(appointment.public_id, crowd[-1]).late
    table = at_the_hour(appointment).table
    assert Invitation.objects.filter(table=table, player=crowd[-1]).count() == 0
    assert Invitation.objects.filter(table=table).count() == 3


def test_too_few_are_told_what_they_can_do_and_others_may_sit_down(four):
    anna, beat, carla, _dario = four
    appointment = proposed(anna)
    come(beat, appointment)
    table = at_the_hour(appointment).table
    few = Outbox.objects.get(event="meeting.few")
    assert few.player == anna
    assert notifications.still_true(few.event, few.params, anna)
    assert "1 person of 4" in notifications.words(few.event, few.params, anna, "en").line
    join(table, carla)
    assert "2 people of 4" in notifications.words(few.event, few.params, anna, "en").line
    tables.start(table.pk, anna, request_id=uuid.uuid4())
    assert not notifications.still_true(few.event, few.params, anna)


def test_where_nobody_comes_there_is_no_table(four):
    appointment = appointments.ask(
        four, common.wish_for_table("troccas", 4, "live"), "live", timezone.now() + timedelta(days=1)
    )
    assert at_the_hour(appointment).state == Appointment.State.FAILED
    assert not OpenTable.objects.exists()


def test_it_stands_in_the_calendar_of_who_comes_and_as_a_file(four):
    anna, beat, _carla, dario = four
    appointment = proposed(anna)
    come(beat, appointment)
    event = read(calendar.as_file(appointment))[0]
    assert event["dtstart"].dt == appointment.starts_at.replace(microsecond=0)
    assert str(event["summary"]) == "Troccas"
    mine = read(mygames_calendar.feed(beat))
    assert [str(each["uid"]) for each in mine] == [str(event["uid"])]
    assert read(mygames_calendar.feed(dario)) == []
    appointments.cancel(anna, appointment.public_id, "ill")
    after = read(mygames_calendar.feed(beat))[0]
    assert str(after["status"]) == "CANCELLED"
    assert after["sequence"] > event["sequence"]


def test_five_that_are_to_come_are_enough(four):
    for day in range(1, 6):
        proposed(four[0], starts_at=timezone.now() + timedelta(days=day))
    with refuses("too-many-appointments"):
        proposed(four[0], starts_at=timezone.now() + timedelta(days=9))


def test_long_over_ones_are_forgotten(four):
    appointment = proposed(four[0])
    appointments.forget(appointment.starts_at + timedelta(days=29))
    assert Appointment.objects.count() == 1
    appointments.forget(appointment.starts_at + timedelta(days=31))
    assert not Appointment.objects.exists()
