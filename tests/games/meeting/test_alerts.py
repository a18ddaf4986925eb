"""Alerts: who asked hears once of each new table, and not of one at which they cannot sit down any more."""

from __future__ import annotations

import uuid

import pytest
from django.utils import timezone

from accounts import permissions
from games.lobby.models import OpenTable
from games.lobby.services.tables import leave
from games.meeting import notifications
from games.meeting.services import alerts, wishes
from games.meeting.services.wishes import WishTerms
from notices import outbox
from notices.models import Outbox
from tests.games.lobby_kit import LIVE, guest, join, lay, member
from tests.refusals import refuses

pytestmark = pytest.mark.django_db


def told() -> list[str]:
    return sorted(row.player.name for row in Outbox.objects.filter(event="meeting.table"))


def holds(player) -> bool:
    row = Outbox.objects.get(event="meeting.table", player=player)
    return notifications.still_true(row.event, row.params, player)


def test_who_asked_for_such_a_table_is_told_once_however_many_alerts_fit():
    anna, beat, carla, dario = (member(name) for name in ("Anna", "Beat", "Carla", "Dario"))
    alerts.make(anna, games=["troccas"])
    alerts.make(anna)
    alerts.make(beat, games=["troggu"])
    alerts.make(carla, pace="live")
    alerts.make(dario, pace="days", language="de")
    lay(member("Host"), language="de")
    assert told() == ["Anna", "Dario"]
    lay(member("Another"), pace=LIVE)
    assert told() == ["Anna", "Anna", "Carla", "Dario"]


def test_whoever_wishes_for_such_a_table_hears_of_it_as_if_they_had_asked():
    anna, beat, carla, dario, eva = (member(name) for name in ("Anna", "Beat", "Carla", "Dario", "Eva"))
    wishes.make(anna, WishTerms(["troccas", "troggu"], ["day"], sizes=[4]))
    alerts.make(anna)
    wishes.make(beat, WishTerms(["troccas"], ["slow"]))
    wishes.make(carla, WishTerms(["troccas"], ["day"], languages=["rm-sursilv"]))
    withdrawn = wishes.make(dario, WishTerms(["troccas"], ["day"]))
    wishes.withdraw(dario, withdrawn.public_id)
    wishes.make(eva, WishTerms(["troccas"], ["day"], languages=["de", "en"]))
    table = lay(guest("Gieri"), language="de")
    assert told() == ["Anna", "Eva"]
    assert holds(eva)
    join(table, eva)
    assert not holds(eva)


def test_tables_that_nobody_can_find_and_people_who_do_not_meet_are_told_to_nobody():
    anna, beat, host = member("Anna"), member("Beat"), member("Host")
    alerts.make(anna)
    alerts.make(beat)
    alerts.make(host)
    permissions.block(beat, host)
    lay(host, entry=OpenTable.Entry.INVITED)
    lay(host, entry=OpenTable.Entry.LINK)
    assert told() == []
    lay(host)
    assert told() == ["Anna"]


def test_a_letter_says_what_is_played_there_and_with_whom():
    anna = member("Anna")
    alerts.make(anna)
    lay(member("Host"), note="Without haste.")
    row = Outbox.objects.get(event="meeting.table")
    words = notifications.words(row.event, row.params, anna, "en")
    assert words is not None
    assert words.more is not None
    assert words.more()[0] == "Game: Troccas, 1 hand"
    assert words.more()[2:] == ["At the table: Host", "Note of the host: Without haste."]


def test_it_holds_while_one_could_sit_down():
    anna = member("Anna")
    alert = alerts.make(anna)
    host, others = member("Host"), [member(name) for name in ("Beat", "Carla", "Dario")]
    table = lay(host, host_starts=True)
    assert holds(anna)
    for player in others:
        join(table, player)
    assert not holds(anna)  # full
    leave(table.pk, others[0], request_id=uuid.uuid4())
    assert holds(anna)
    permissions.block(others[1], anna)
    assert not holds(anna)
    permissions.unblock(others[1], anna)
    alerts.remove(anna, alert.pk)
    assert not holds(anna)


def test_who_sits_there_already_is_not_told():
    anna = member("Anna")
    alerts.make(anna)
    table = lay(member("Host"))
    join(table, anna)
    outbox.tell_due(timezone.now())
    assert not Outbox.objects.get(event="meeting.table").shown


def test_five_are_enough_the_same_twice_is_one_and_guests_have_none():
    anna = member()
    assert alerts.make(anna, pace="live") == alerts.make(anna, pace="live")
    for game in ("troccas", "troggu", "troccas-3", "troccas-5"):
        alerts.make(anna, games=[game])
    with refuses("too-many-alerts"):
        alerts.make(anna)
    with refuses("account-needed"):
        alerts.make(guest())
    with refuses("no-such-alert"):
        alerts.remove(member("Beat"), anna.pk)
