"""Messages: who may write to whom, what is told, what a refused form keeps."""

from __future__ import annotations

import uuid
from datetime import timedelta

import pytest
from django.core import mail
from django.urls import reverse
from django.utils import timezone

from accounts import permissions as account_permissions
from accounts import registry
from accounts.models import Report
from core import limits
from core.exceptions import Refusal
from games.chat import moderation as chat_moderation
from games.table import tasks as worker
from notices import delivery, outbox
from notices import selectors as notice_selectors
from notices.models import Outbox, Preference
from people import moderation, notifications, privacy, selectors, services, tasks
from people.exceptions import PeopleError
from people.models import MESSAGE_LENGTH, Message, Thread
from tests.people.kit import browser, friends, guest, member, told, write

pytestmark = pytest.mark.django_db


def page_of(reader, other) -> str:
    return browser(reader).get(reverse("people:thread", args=[other.public_id])).content.decode()


def test_two_who_follow_each_other_write_in_one_thread():
    anna, beat = friends("Anna", "Beat")
    client, page = browser(anna), reverse("people:thread", args=[beat.public_id])
    answer = client.post(page, {"text": "Tgau Beat\nspielst du?", "request_id": str(uuid.uuid4())})
    assert answer.status_code == 303
    write(beat, anna, "Gern")
    assert Thread.objects.count() == 1
    assert "Tgau Beat\nspielst du?" in page_of(beat, anna)
    assert "Gern" in page_of(anna, beat)


@pytest.mark.parametrize("how", ["one-way", "blocked", "suspended", "chat-ban", "unfollowed"])
def test_nobody_else_may_write(how: str):
    anna, beat = friends("Anna", "Beat")
    judge = member("Richterin")
    if how == "one-way":
        services.unfollow(beat, anna)
    elif how == "unfollowed":
        services.unfollow(anna, beat)
    elif how == "blocked":
        account_permissions.block(beat, anna)
    elif how == "suspended":
        account_permissions.suspend(anna, timedelta(days=1), "spam", by=judge)
    else:
        chat_moderation.suspend(anna, judge, timedelta(days=1), "spam")
    with pytest.raises(Refusal) as refused:
        write(anna, beat)
    assert refused.value.status == 403
    assert not Message.objects.exists()


def test_who_is_blocked_reads_the_same_as_who_is_not_followed_any_more():
    anna, beat, carla = friends("Anna", "Beat", "Carla")
    write(anna, beat)
    write(anna, carla)
    account_permissions.block(beat, anna)
    services.unfollow(carla, anna)
    said = [selectors.conversation(anna, other).refusal for other in (beat, carla)]
    assert said[0] == said[1] != ""


def test_a_guest_has_no_messages():
    beat = member("Beat")
    with pytest.raises(PeopleError):
        write(guest(), beat)
    assert browser(beat).get(reverse("people:thread", args=[guest().public_id])).status_code == 404


def test_unfollowing_stops_new_messages_and_keeps_the_old():
    anna, beat = friends("Anna", "Beat")
    write(anna, beat, "Alles Gute")
    services.unfollow(beat, anna)
    for reader, other in ((anna, beat), (beat, anna)):
        page = page_of(reader, other)
        assert "Alles Gute" in page
        assert "while both of you follow each other" in page
        assert "<textarea" not in page


@pytest.mark.parametrize(("text", "status"), [("", 422), (" \n ", 422), ("x" * (MESSAGE_LENGTH + 1), 422)])
def test_a_refused_message_stays_in_the_field(text: str, status: int):
    anna, beat = friends("Anna", "Beat")
    answer = browser(anna).post(reverse("people:thread", args=[beat.public_id]), {"text": text, "request_id": "1"})
    assert answer.status_code == status
    page = answer.content.decode()
    assert "errorlist" in page
    assert text.strip() in page
    assert not Message.objects.exists()


def test_what_was_typed_stays_when_writing_is_stopped_or_too_fast():
    anna, beat = friends("Anna", "Beat")
    page = reverse("people:thread", args=[beat.public_id])
    for _again in range(services.BURST):
        limits.take(f"message by {anna.pk}", rate=services.A_MINUTE, per=60, burst=services.BURST)
    answer = browser(anna).post(page, {"text": "Ein langer Brief", "request_id": str(uuid.uuid4())})
    assert answer.status_code == 429
    assert "Ein langer Brief" in answer.content.decode()
    services.unfollow(beat, anna)
    answer = browser(anna).post(page, {"text": "Ein langer Brief", "request_id": str(uuid.uuid4())})
    assert answer.status_code == 403
    assert "Ein langer Brief" in answer.content.decode()


def test_a_repeated_request_writes_once_and_another_text_is_refused():
    anna, beat = friends("Anna", "Beat")
    request_id = uuid.uuid4()
    first = services.write(anna, beat, "Hallo", request_id=request_id)
    assert services.write(anna, beat, "Hallo", request_id=request_id) == first
    with pytest.raises(Refusal, match="two different answers"):
        services.write(anna, beat, "Anderes", request_id=request_id)
    assert Message.objects.count() == 1


def test_reading_is_noted_and_shown_to_the_author():
    anna, beat = friends("Anna", "Beat")
    write(anna, beat)
    write(anna, beat)
    assert selectors.unread_messages(beat) == 2
    assert selectors.unread_messages(anna) == 0
    assert "2 new" in browser(beat).get(reverse("people:threads")).content.decode()
    page_of(beat, anna)
    assert selectors.unread_messages(beat) == 0
    assert "· read" in page_of(anna, beat)


def test_several_messages_make_one_notice_and_reading_them_takes_it_back():
    anna, beat = friends("Anna", "Beat")
    write(anna, beat, "Eins")
    write(anna, beat, "Zwei")
    (row,) = told(beat, services.WROTE)
    later = timezone.now() + services.GRACE
    outbox.tell_due(later)
    row.refresh_from_db()
    assert row.kind == "message"
    lines = [line.words for line in notice_selectors.lines(beat)[0] if line.kind == "message"]
    assert [words.line for words in lines] == ["Anna has written you 2 messages."]
    assert "Eins" not in lines[0].line + lines[0].subject
    page_of(beat, anna)
    row.refresh_from_db()
    assert row.read_at is not None
    write(anna, beat, "Drei")
    assert len(told(beat, services.WROTE)) == 2


def test_the_letter_has_the_words_and_comes_as_the_preferences_say(settings):
    anna, beat = friends("Anna", "Beat")
    now = timezone.now().replace(hour=12)
    write(anna, beat, "Kommst du am Mittwoch?")
    outbox.tell_due(now + timedelta(days=1))
    delivery.deliver_due(now + timedelta(days=1, hours=2))
    (letter,) = [one for one in mail.outbox if "Kommst du am Mittwoch?" in str(one.body)]
    assert "Anna" in letter.subject
    assert "Mittwoch" not in letter.subject


def test_messages_have_a_row_of_their_own_in_the_preferences():
    anna, beat = friends("Anna", "Beat")
    assert "message_mail" in browser(beat).get(reverse("notices:preferences")).content.decode()
    Preference.objects.create(player=beat, message_mail="never", message_push=False)
    write(anna, beat)
    outbox.tell_due(timezone.now() + services.GRACE)
    assert not Outbox.objects.get(player=beat, event=services.WROTE).deliveries.exists()


def test_the_list_costs_no_more_for_many_threads(django_assert_max_num_queries):
    anna = member("Anna")
    for name in ("Beat", "Carla", "Dario", "Eva"):
        other = member(name)
        services.follow(anna, other)
        services.follow(other, anna)
        write(other, anna, f"Gruss von {name}")
    client = browser(anna)
    client.get(reverse("people:threads"))
    with django_assert_max_num_queries(16):
        page = client.get(reverse("people:threads")).content.decode()
    assert page.index("Gruss von Eva") < page.index("Gruss von Beat")


def test_nobody_else_reads_a_thread():
    anna, beat = friends("Anna", "Beat")
    carla = member("Carla")
    message = write(anna, beat, "Unter uns")
    for other in (anna, beat):
        assert "Unter uns" not in page_of(carla, other)
    assert browser(carla).get(reverse("people:report", args=[message.pk])).status_code == 404
    assert browser(anna).get(reverse("people:report", args=[message.pk])).status_code == 404


def test_a_message_is_reported_to_moderators_who_read_what_stands_around_it():
    anna, beat = friends("Anna", "Beat")
    judge = member("Richterin")
    account_permissions.grant(judge, account_permissions.MODERATOR)
    write(beat, anna, "Was soll das?")
    bad = write(anna, beat, "Du Hund")
    page = reverse("people:report", args=[bad.pk])
    assert "Du Hund" in browser(beat).get(page).content.decode()
    for words in ("Er beleidigt mich", "Er beleidigt mich sehr"):
        answer = browser(beat).post(page, {"reason": "words", "text": words})
        assert answer["Location"] == reverse("people:thread", args=[anna.public_id])
    row = Report.objects.get()
    assert (row.about, row.by, row.text) == (anna, beat, "Er beleidigt mich sehr")
    evidence = registry.evidence_of(row.subject, judge)
    assert [(said.text, said.reported) for said in evidence.lines] == [("Was soll das?", False), ("Du Hund", True)]
    account_permissions.grant(anna, account_permissions.MODERATOR)
    assert registry.evidence_of(row.subject, anna) is None
    assert "Du Hund" in browser(judge).get(reverse("accounts:reports")).content.decode()


def test_moderators_remove_one_message_from_a_report_and_put_it_back():
    anna, beat = friends("Anna", "Beat")
    judge = member("Richterin")
    account_permissions.grant(judge, account_permissions.MODERATOR)
    bad, good = write(anna, beat, "Du Hund"), write(anna, beat, "Entschuldigung")
    page = reverse("people:moderate", args=[bad.pk])
    assert browser(judge).get(page).status_code == 404, "nobody has reported it"
    browser(beat).post(reverse("people:report", args=[bad.pk]), {"reason": "words", "text": ""})
    assert page in browser(judge).get(reverse("accounts:reports")).content.decode()
    assert browser(anna).get(page).status_code == browser(beat).get(page).status_code == 404
    assert browser(judge).get(reverse("people:moderate", args=[good.pk])).status_code == 404
    refused = browser(judge).post(page, {"do": "remove", "reason": " "})
    assert (refused.status_code, "both of them read it" in refused.content.decode()) == (422, True)
    browser(judge).post(page, {"do": "remove", "reason": "An insult"})
    for reader, other in ((anna, beat), (beat, anna)):
        told = browser(reader).get(reverse("people:thread", args=[other.public_id])).content.decode()
        assert "Du Hund" not in told
        assert "Removed by a moderator: An insult" in told
        assert "Entschuldigung" in told
    assert "Du Hund" in browser(judge).get(page).content.decode(), "moderators still see what it was about"
    browser(judge).post(page, {"do": "restore"})
    assert "Du Hund" in browser(beat).get(reverse("people:thread", args=[anna.public_id])).content.decode()


def test_a_removed_message_stands_in_no_list_letter_or_export_of_its_reader():
    anna, beat = friends("Anna", "Beat")
    judge = member("Richterin")
    bad = write(anna, beat, "Du Hund")
    moderation.remove(bad, judge, "An insult")
    assert "Du Hund" not in browser(beat).get(reverse("people:threads")).content.decode()
    assert "Du Hund" not in str(privacy.export(beat))
    assert "Du Hund" in str(privacy.export(anna)), "it is still what she wrote"
    row = Outbox.objects.get(event="people.wrote")
    assert not notifications.still_true(row.event, row.params, beat)


def test_whoever_wrote_a_removed_message_is_told_why_and_can_ask_for_another_look():
    anna, beat = friends("Anna", "Beat")
    judge = member("Richterin")
    account_permissions.grant(judge, account_permissions.MODERATOR)
    bad = write(anna, beat, "Du Hund")
    moderation.report(bad, beat, reason="words", text="")
    page = reverse("people:appeal", args=[bad.pk])
    assert browser(anna).get(page).status_code == 404, "it is not removed"
    moderation.remove(bad, judge, "An insult")
    moderation.remove(bad, judge, "A gross insult")
    (row,) = told(anna, "people.removed")
    words = notifications.words(row.event, row.params, anna, "en")
    assert "The reason: A gross insult. You can ask for another look." in words.line
    assert words.url == page
    assert "Du Hund" not in words.line + words.subject
    assert notifications.words(row.event, row.params, beat, "en") is None
    assert page in page_of(anna, beat)
    assert page not in page_of(beat, anna)
    assert "Du Hund" in browser(anna).get(page).content.decode()
    assert browser(beat).get(page).status_code == 404
    answer = browser(anna).post(page, {"text": "Er hat so ein Hündchen."})
    assert answer["Location"] == reverse("people:thread", args=[beat.public_id])
    report = Report.objects.get(by=anna)
    assert (report.about, report.text, report.subject) == (anna, "Er hat so ein Hündchen.", moderation.subject_of(bad))
    reports = browser(judge).get(reverse("accounts:reports")).content.decode()
    assert "asks for another look at a removed message" in reports
    browser(judge).post(reverse("accounts:settle", args=[report.pk]), {"outcome": "Looked again"})
    (upheld,) = told(anna, "people.upheld")
    assert notifications.still_true(upheld.event, upheld.params, anna)
    assert "stays removed" in browser(anna).get(page).content.decode()
    assert browser(anna).post(page, {"text": "Bitte!"}).status_code == 422
    moderation.restore(bad, judge)
    moderation.restore(bad, judge)
    (restored,) = told(anna, "people.restored")
    assert notifications.still_true(restored.event, restored.params, anna)
    assert not notifications.still_true(upheld.event, upheld.params, anna)
    words = notifications.words(restored.event, restored.params, anna, "en")
    assert words.subject == "Your message stands again"
    shown = browser(anna).get(words.url).content.decode()
    assert f'id="m{bad.pk}"' in shown
    assert "Du Hund" in shown
    assert "stands again" in browser(anna).get(page).content.decode()
    assert not told(beat, "people.restored")


def test_a_wrong_report_keeps_what_was_written():
    anna, beat = friends("Anna", "Beat")
    bad = write(anna, beat, "Du Hund")
    answer = browser(beat).post(reverse("people:report", args=[bad.pk]), {"reason": "", "text": "Ein Satz"})
    assert answer.status_code == 422
    assert "Ein Satz" in answer.content.decode()
    assert not Report.objects.exists()


def test_messages_are_kept_for_two_years_but_not_taken_from_moderators():
    anna, beat, carla = friends("Anna", "Beat", "Carla")
    old, reported, new = write(anna, beat, "Alt"), write(anna, carla, "Bös"), write(beat, carla, "Neu")
    moderation.report(reported, carla, reason="words", text="")
    long_ago = timezone.now() - tasks.KEPT - timedelta(days=1)
    Message.objects.filter(pk__in=(old.pk, reported.pk)).update(at=long_ago)
    Thread.objects.exclude(pk=new.thread_id).update(written_at=long_ago)
    worker.clean()
    assert {message.text for message in Message.objects.all()} == {"Bös", "Neu"}
    assert Thread.objects.count() == 2


def test_whoever_has_blocked_somebody_unblocks_them_where_they_wrote():
    anna, beat = friends("Anna", "Beat")
    write(beat, anna)
    account_permissions.block(anna, beat)
    block, unblock = (reverse(f"accounts:{what}", args=[beat.public_id]) for what in ("block", "unblock"))
    page = browser(anna).get(reverse("people:thread", args=[beat.public_id])).content.decode()
    assert unblock in page
    assert block not in page
    other = browser(beat).get(reverse("people:thread", args=[anna.public_id])).content.decode()
    assert "unblock" not in other
