"""Notices as mail, read from a real mail server."""

from __future__ import annotations

import re
import time
from datetime import datetime, timedelta
from email.utils import parsedate_to_datetime
from unittest.mock import Mock

import pytest
from allauth.account.models import EmailAddress
from django.db import InterfaceError
from django.test import Client
from django.utils import timezone

from notices import delivery as couriers
from notices import leases, outbox, preferences, push, selectors
from notices.models import Delivery, Preference
from notices.registry import TurnMail, Wish
from tests.live import free_port
from tests.notices import post_office
from tests.notices.post_office import member

pytestmark = pytest.mark.django_db
NOON = datetime.fromisoformat("2026-11-24T12:00+01:00")
NIGHT = datetime.fromisoformat("2026-11-24T23:30+01:00")
MORNING = datetime.fromisoformat("2026-11-25T07:00+01:00")
LATER = timedelta(minutes=5)


@pytest.fixture
def reader():
    """Somebody who wants a letter at each turn."""
    return each_turn("Mengia")


def each_turn(name):
    player = member(name)
    Preference.objects.create(player=player, turn_mail=TurnMail.EACH, language="en")
    return player


def happen(event, player, moment=NOON, game="bcdf", expires_at=None, topic=None, **params):
    row = outbox.put(event, player, {"game": game, **params}, due_at=moment, expires_at=expires_at, topic=topic)
    outbox.tell_due(moment)
    return row


def texts(letter) -> tuple[str, str]:
    return tuple(letter.get_body((kind,)).get_content() for kind in ("plain", "html"))


def test_a_turn_arrives_as_a_letter_of_text_and_html(village, mail_server, reader):
    happen("game.turn", reader)
    assert couriers.deliver_due(NOON) == 0
    assert couriers.deliver_due(NOON + LATER) == 1
    assert couriers.deliver_due(NOON + LATER) == 0
    (letter,) = mail_server.letters
    plain, html = texts(letter)
    assert letter["To"] == "Mengia <mengia@example.org>"
    assert letter["Subject"] == "Your turn bcdf"
    assert "http://127.0.0.1:8000/g/bcdf/" in plain
    assert "In en: <game.turn> & more." in plain
    assert "In en: &lt;game.turn&gt; &amp; more." in html
    assert 'href="http://127.0.0.1:8000/g/bcdf/"' in html
    assert [part.get_content_type() for part in letter.iter_parts()] == ["text/plain", "text/html"]
    assert letter["Auto-Submitted"] == "auto-generated"


def test_the_letter_speaks_the_language_of_its_reader(village, mail_server, reader):
    reader.language = "de"
    reader.save()
    happen("game.turn", reader)
    couriers.deliver_due(NOON + LATER)
    plain, html = texts(mail_server.letters[0])
    assert "In de:" in plain
    assert '<html lang="de">' in html
    assert "/de/notices/preferences/" in plain


def test_a_letter_can_be_stopped_with_one_click_from_the_mail_program(village, mail_server, reader):
    happen("game.turn", reader)
    couriers.deliver_due(NOON + LATER)
    letter = mail_server.letters[0]
    address = letter["List-Unsubscribe"].strip(" <>")
    assert letter["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    assert address in texts(letter)[0]
    path = address.removeprefix("http://127.0.0.1:8000")
    strict = Client(enforce_csrf_checks=True)
    assert strict.get(path).status_code == 200
    happen("game.turn", reader, NOON + LATER)
    assert couriers.deliver_due(NOON + 2 * LATER) == 1  # opening the page, as scanners of mail do, changed nothing
    answer = strict.post(path, "List-Unsubscribe=One-Click", content_type="application/x-www-form-urlencoded")
    assert answer.status_code in (200, 302)
    happen("game.turn", reader, NOON + 2 * LATER)
    assert couriers.deliver_due(NOON + 3 * LATER) == 0
    happen("game.deadline", reader, NOON + 3 * LATER)
    happen("table.invited", reader, NOON + 3 * LATER)
    assert couriers.deliver_due(NOON + 4 * LATER) == 2  # only that kind was stopped
    page = strict.get(path).text
    assert "your turn" in page
    assert "Turn it on again" in page
    Client().post(path, {"what": "kinds", "undo": "1"})
    assert Preference.objects.get().turn_mail == TurnMail.HOUR


def test_a_letter_within_the_hour_is_not_written_where_a_device_has_shown_it(village, mail_server, push_service):
    player, browser = member(), push_service.browser()
    push.subscribe(player, browser.endpoint, browser.p256dh, browser.auth, language="en", device="")
    happen("game.turn", player)
    assert couriers.deliver_due(NOON) == 1
    assert couriers.deliver_due(NOON + timedelta(hours=1)) == 0
    push_service.status = 500
    happen("game.turn", player, NOON + timedelta(hours=2))
    assert couriers.deliver_due(NOON + timedelta(hours=3)) == 1  # the device could not
    assert len(mail_server.letters) == 1


def test_a_reminder_planned_between_messages_and_letters_of_one_round_comes_once(
    village, mail_server, push_service, monkeypatch
):
    player, browser = member(), push_service.browser()
    push.subscribe(player, browser.endpoint, browser.p256dh, browser.auth, language="en", device="")
    happen("game.deadline", player, share="half")
    with monkeypatch.context() as patch:
        patch.setattr(couriers, "_messages", lambda now: 0)  # they went out a moment before
        assert couriers.deliver_due(NOON) == 0
    assert couriers.deliver_due(NOON + LATER) == 1
    assert (len(browser.bodies), len(mail_server.letters)) == (1, 0)


def test_a_letter_that_says_whose_turn_it_is_need_not_say_that_the_game_has_begun(village, mail_server):
    player = member()
    for game in ("bcdf", "ghjk"):
        outbox.put("table.started", player, {"table": f"t-{game}", "game": game}, due_at=NOON)
    happen("game.turn", player)
    assert couriers.deliver_due(NOON + preferences.COLLECTED) == 1
    text = mail_server.letters[0].get_body(("plain",)).get_content()
    assert text.count("/g/bcdf/") == 1
    assert text.count("/g/ghjk/") == 1
    assert couriers.deliver_due(NOON + timedelta(days=1)) == 0


def test_what_is_looked_at_goes_without_the_letter_and_later_under_another_name(village, mail_server):
    player = member()
    happen("game.turn", player)
    happen("game.turn", player, game="ghjk")
    preferences.note_looking(player, "bcdf")
    assert couriers.deliver_due(NOON + preferences.COLLECTED) == 1
    preferences.forget_looking(player, "bcdf")
    assert couriers.deliver_due(NOON + preferences.COLLECTED + couriers.LOOKING_AGAIN) == 1
    first, second = mail_server.letters
    assert (first["Subject"], second["Subject"]) == ("Your turn ghjk", "Your turn bcdf")
    assert first["Message-ID"] != second["Message-ID"]


def test_what_was_read_on_the_site_makes_no_letter_unless_it_asks_one_to_act(village, mail_server, daily):
    happen("game.finished", daily, game="over")
    happen("game.turn", daily)
    selectors.note_visit(daily, "over")
    selectors.note_visit(daily, "bcdf")
    assert selectors.unread(daily) == 1
    assert couriers.deliver_due(MORNING) == 1
    assert mail_server.letters[0]["Subject"] == "Your turn bcdf"


def test_a_letter_already_on_its_way_is_stopped_too(village, mail_server, reader):
    row = happen("game.turn", reader)
    Preference.objects.update(mail_off=True)
    assert couriers.deliver_due(NOON + LATER) == 0
    assert row.deliveries.get().reason == "not wanted"


def test_a_turn_that_was_played_meanwhile_makes_no_letter(village, mail_server, reader):
    row = happen("game.turn", reader)
    village.over.add("bcdf")
    assert couriers.deliver_due(NOON + LATER) == 0
    assert row.deliveries.get().state == Delivery.State.DROPPED


def test_who_looks_at_the_very_table_is_not_written_to_but_not_forgotten_either(village, mail_server, reader):
    happen("game.turn", reader)
    happen("game.turn", reader, game="ghjk")
    preferences.note_looking(reader, "bcdf")
    assert couriers.deliver_due(NOON + LATER) == 1
    assert mail_server.letters[0]["Subject"] == "Your turn ghjk"
    preferences.forget_looking(reader, "bcdf")
    assert couriers.deliver_due(NOON + LATER) == 0
    assert couriers.deliver_due(NOON + LATER + couriers.LOOKING_AGAIN) == 1


def test_at_night_nothing_is_sent_until_the_morning(village, mail_server, reader):
    row = happen("game.turn", reader, NIGHT)
    assert couriers.deliver_due(NIGHT + LATER) == 0
    delivery = row.deliveries.get()
    assert (delivery.due_at, delivery.attempts) == (MORNING, 0)
    assert couriers.deliver_due(MORNING) == 1


def test_a_letter_that_would_come_too_late_in_the_morning_is_sent_by_night(village, mail_server, reader):
    happen("game.deadline", reader, NIGHT, expires_at=MORNING - LATER)
    assert couriers.deliver_due(NIGHT) == 1


def test_a_server_that_is_away_is_tried_again_later_and_later(village, settings, reader):
    row = happen("game.deadline", reader)
    post_office.use(settings, post_office.MailServer(free_port()))
    Preference.objects.update(quiet_from=None, quiet_to=None)
    moment, waits = NOON, []
    for _try in range(10):
        assert couriers.deliver_due(moment) == 0
        delivery = row.deliveries.get()
        if delivery.state != Delivery.State.WAITING:
            break
        waits.append(delivery.due_at - moment)
        moment = delivery.due_at
    assert waits == list(leases.WAITS)
    assert delivery.state == Delivery.State.GIVEN_UP
    assert delivery.reason == "no mail server (ConnectionRefusedError)"
    row.refresh_from_db()
    assert row.shown  # it stands in the list all the same


def test_a_server_that_is_away_costs_the_others_no_try(village, settings, reader):
    for name in ("Anna", "Beat", "Clau"):
        happen("game.deadline", member(name))
    post_office.use(settings, post_office.MailServer(free_port()))
    couriers.deliver_due(NOON)
    assert sorted(Delivery.objects.values_list("attempts", flat=True)) == [0, 0, 1]
    with post_office.mail_server() as server:
        post_office.use(settings, server)
        assert couriers.deliver_due(NOON + LATER) == 3


def test_an_address_the_server_refuses_for_good_is_given_up_and_the_next_one_served(village, mail_server, reader):
    mail_server.refused["anna@example.org"] = "550 nobody here"
    mail_server.refused["beat@example.org"] = "450 mailbox busy"
    rows = [happen("game.deadline", member(name)) for name in ("Anna", "Beat", "Clau")]
    assert couriers.deliver_due(NOON) == 1
    anna, beat, clau = (row.deliveries.get() for row in rows)
    assert (anna.state, anna.reason) == ("given-up", "the address was refused (550)")
    assert (beat.state, beat.due_at) == ("waiting", NOON + leases.WAITS[0])
    assert clau.state == "sent"


@pytest.mark.parametrize(("answer", "state"), [("554 no spam", "given-up"), ("451 try again", "waiting")])
def test_a_letter_the_server_refuses(village, mail_server, reader, answer, state):
    mail_server.answer = answer
    row = happen("game.deadline", reader)
    assert couriers.deliver_due(NOON) == 0
    assert row.deliveries.get().state == state


def test_a_letter_has_the_date_at_which_it_was_written_however_long_those_before_it_took(village, mail_server):
    for name in ("Anna", "Berta"):
        player = each_turn(name)
        Preference.objects.filter(player=player).update(quiet_from=None, quiet_to=None)  # at whatever hour this runs
        happen("game.turn", player, timezone.now() - LATER, game=name)
    mail_server.before_answer = lambda: time.sleep(1.2)
    begun = timezone.now()
    assert couriers.deliver_due() == 2
    first, second = (parsedate_to_datetime(letter["Date"]) for letter in mail_server.letters)
    assert begun - timedelta(seconds=1) <= first < second <= timezone.now()


def test_many_letters_share_a_connection(village, mail_server):
    for number in range(20):
        happen("game.deadline", member(f"M{number}"))
    assert couriers.deliver_due(NOON) == 20
    assert mail_server.connections == 1
    assert len({letter["Message-ID"] for letter in mail_server.letters}) == 20


def test_who_never_confirmed_the_address_gets_no_letters_once_there_is_a_server(village, mail_server, settings, reader):
    settings.ACCOUNT_EMAIL_VERIFICATION = "optional"
    row = happen("game.deadline", reader)
    assert couriers.deliver_due(NOON) == 0
    assert row.deliveries.get().reason == "no confirmed address"
    EmailAddress.objects.create(user=reader.user, email="m@example.net", verified=True, primary=True)
    happen("game.deadline", reader, NOON + LATER)
    assert couriers.deliver_due(NOON + LATER) == 1
    assert "m@example.net" in mail_server.letters[0]["To"]


def test_a_line_break_cannot_add_a_header(village, mail_server, reader):
    happen("game.deadline", reader, game="x\r\nBcc: all@example.org", topic="bcdf")
    assert couriers.deliver_due(NOON) == 1
    assert mail_server.letters[0]["Bcc"] is None


# the daily letter


@pytest.fixture
def daily():
    """Somebody who wants one letter a day, at seven."""
    player = member()
    Preference.objects.create(player=player, turn_mail=TurnMail.DIGEST, game_mail=Wish.DIGEST)
    return player


def test_a_day_makes_one_letter_most_urgent_first(village, mail_server, daily):
    happen("game.turn", daily, game="later", until="2026-11-27T12:00+01:00")
    happen("game.finished", daily, game="over")
    happen("game.turn", daily, game="soon", until="2026-11-25T12:00+01:00")
    assert couriers.deliver_due(MORNING - LATER) == 0
    assert couriers.deliver_due(MORNING) == 1
    plain = texts(mail_server.letters[0])[0]
    assert re.findall(r"/g/(\w+)/", plain) == ["soon", "later", "over"]
    assert mail_server.letters[0]["Subject"] == "Your turn soon – and 2 more"


def test_a_day_without_news_makes_no_letter(village, mail_server, daily):
    happen("game.turn", daily)
    assert couriers.deliver_due(MORNING) == 1
    assert couriers.deliver_due(MORNING + timedelta(days=1)) == 0
    happen("game.finished", daily, MORNING + timedelta(days=1, hours=1), game="other")
    assert couriers.deliver_due(MORNING + timedelta(days=2)) == 1
    plain = texts(mail_server.letters[1])[0]
    assert re.findall(r"/g/(\w+)/", plain) == ["other", "bcdf"]
    assert plain.index("Told before") < plain.index("bcdf")


def test_what_was_seen_to_during_the_day_is_not_in_the_letter(village, mail_server, daily):
    happen("game.turn", daily)
    happen("game.turn", daily, game="ghjk")
    village.over.add("bcdf")
    assert couriers.deliver_due(MORNING) == 1
    assert "/g/bcdf/" not in texts(mail_server.letters[0])[0]  # the signed address below may hold "bcdf" by chance


def test_nothing_left_to_say_makes_no_letter(village, mail_server, daily):
    happen("game.turn", daily)
    village.over.add("bcdf")
    assert couriers.deliver_due(MORNING) == 0


def test_the_daily_letter_comes_at_the_hour_of_its_reader(village, mail_server, daily):
    daily.time_zone = "America/Toronto"
    daily.save()
    Preference.objects.update(digest_hour=18)
    happen("game.turn", daily)
    evening = datetime.fromisoformat("2026-11-24T18:00-05:00")
    assert couriers.deliver_due(evening - LATER) == 0
    assert couriers.deliver_due(evening) == 1


def test_a_letter_that_waits_for_the_database_is_no_failed_one(village, mail_server, reader, monkeypatch):
    happen("game.turn", reader)
    with monkeypatch.context() as patch:
        patch.setattr(couriers, "_words_if_due", Mock(side_effect=InterfaceError("connection already closed")))
        assert couriers.deliver_due(NOON + LATER) == 0
    assert Delivery.objects.get().attempts == 0
    assert couriers.deliver_due(NOON + LATER + leases.WAITS[0]) == 1


def test_a_daily_letter_that_failed_has_the_same_name_when_it_is_tried_again(village, mail_server, daily, monkeypatch):
    happen("game.turn", daily)
    happen("game.turn", daily, game="ghjk")

    def power_cut(delivery, at):
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(leases, "again", power_cut)
        with pytest.raises(KeyboardInterrupt):
            couriers.deliver_due(MORNING)
    village.over.add("ghjk")
    assert couriers.deliver_due(MORNING + LATER) == 0  # still leased
    assert couriers.deliver_due(MORNING + leases.LEASE + timedelta(seconds=1)) == 1
    first, second = mail_server.letters
    assert first["Message-ID"] == second["Message-ID"]


def test_changing_the_hour_moves_what_waits(village, mail_server, daily, client, monkeypatch):
    monkeypatch.setattr(timezone, "now", lambda: NOON)
    happen("game.turn", daily)
    client.force_login(daily.user)
    page = client.get("/en/notices/preferences/")
    given = {name: field.value() for name, field in ((bound.name, bound) for bound in page.context["form"])}
    given = {name: value for name, value in given.items() if value not in (None, False)} | {"digest_hour": "18"}
    assert client.post("/en/notices/preferences/", given).status_code == 302
    moved = Delivery.objects.get()
    assert moved.due_at == datetime.fromisoformat("2026-11-24T18:00+01:00")


def test_two_letters_of_the_same_minute_have_names_of_their_own(village, mail_server, reader):
    for second in (0, 20):  # a mail program would show only the first of two that are called alike
        at = NOON + timedelta(seconds=second)
        outbox.put("table.started", reader, {"table": f"t{second}"}, due_at=at)
        outbox.tell_due(at)
        couriers.deliver_due(at + preferences.GRACE)
    assert len({letter["Message-ID"] for letter in mail_server.letters}) == len(mail_server.letters) == 2


def test_a_courier_whose_clock_is_a_little_behind_takes_nothing_out_of_anothers_hands(village, mail_server, reader):
    row = happen("game.deadline", reader)
    moment = NOON + timedelta(hours=1)
    (taken,) = leases.take(Delivery.Channel.MAIL, moment + timedelta(seconds=1), 10)
    assert leases.take(Delivery.Channel.MAIL, moment, 10) == []
    leases.sent(taken)
    assert row.deliveries.get().state == Delivery.State.SENT


def test_what_a_clock_that_was_wrong_has_leased_is_taken_when_it_is_set_back(village, mail_server, reader):
    happen("game.deadline", reader)
    assert leases.take(Delivery.Channel.MAIL, NOON + timedelta(days=3), 10)
    assert leases.take(Delivery.Channel.MAIL, NOON + timedelta(hours=1), 10)
