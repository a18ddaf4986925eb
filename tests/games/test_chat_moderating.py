"""Reports about messages, with what stood around them; removing, putting back, keeping somebody from writing."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from accounts import permissions as account_permissions
from accounts import registry
from accounts.models import Report
from games.chat import moderation, notifications, privacy, selectors
from games.chat import permissions as chat_permissions
from games.chat.exceptions import NoSuchMessage
from games.chat.models import ChatBan, Message
from games.exceptions import Malformed, NotNow
from games.models import ChatMode
from notices import outbox
from notices import selectors as notice_selectors
from notices.models import Outbox
from tests.games.chat_kit import WATCHERS, agreed, begin, end, member, read_by, say, table
from tests.refusals import refuses

pytestmark = pytest.mark.django_db


@pytest.fixture
def people():
    return member("Anna"), member("Beat")


@pytest.fixture
def moderator():
    player = member("Moni")
    account_permissions.grant(player, account_permissions.MODERATOR)
    return player


@pytest.fixture
def reported(people):
    anna, beat = people
    game = table(anna, beat)
    for words in ("eins", "zwei"):
        say(game, anna, words)
    message = say(game, beat, "böse Worte")
    say(game, anna, "drei")
    moderation.report(message, anna, reason="words", text="Das verletzt mich.")
    return message


def signed_in(client, player):
    client.force_login(player.user)
    return client


def test_a_report_goes_to_the_moderators_with_the_messages_around_it(reported, people, moderator, client):
    row = Report.objects.get()
    assert (row.about, row.by, row.subject) == (people[1], people[0], f"message:{reported.pk}")
    evidence = registry.evidence_of(row.subject, moderator)
    assert [(said.text, said.reported) for said in evidence.lines] == [
        ("eins", False), ("zwei", False), ("böse Worte", True), ("drei", False),
    ]  # fmt: skip
    page = signed_in(client, moderator).get(reverse("accounts:reports")).content.decode()
    assert "böse Worte" in page
    assert reverse("games:moderate", args=[reported.game.public_id, reported.pk]) in page


def test_moderators_read_what_was_agreed_in_words(people, moderator):
    anna, beat = people
    game = table(anna, beat)
    agreed(game, ChatMode.OPEN)
    message = say(game, beat, "böse Worte")
    moderation.report(message, anna, reason="words", text="")
    evidence = registry.evidence_of(Report.objects.get().subject, moderator)
    assert [said.text for said in evidence.lines] == [
        "Agreed for the chat: at any time, also while a hand is played.", "böse Worte",
    ]  # fmt: skip


def test_reporting_twice_changes_the_first_report(reported, people):
    moderation.report(reported, people[0], reason="other", text="Nochmals")
    assert [(row.reason, row.text) for row in Report.objects.all()] == [("other", "Nochmals")]


def test_one_reports_only_what_others_wrote_and_one_can_read(reported, people):
    anna, beat = people
    game = reported.game
    with pytest.raises(NotNow):
        moderation.report(reported, beat, reason="words", text="")
    with pytest.raises(Malformed):
        moderation.report(reported, anna, reason="boredom", text="")
    with pytest.raises(NoSuchMessage):
        moderation.find_message(game, reported.pk, member("Clau"))
    begin(game, anna, beat)
    held = say(game, beat, "zurückgehalten")
    with pytest.raises(NoSuchMessage):
        moderation.find_message(game, held.pk, anna)


def test_nobody_looks_at_messages_without_a_report(people, moderator, client):
    anna, beat = people
    message = say(table(anna, beat), anna, "privat")
    assert moderation.evidence(str(message.pk), moderator) is None
    page = signed_in(client, moderator).get(reverse("games:moderate", args=[message.game.public_id, message.pk]))
    assert page.status_code == 404


@pytest.mark.parametrize("key", ["", "x", "-1", "9" * 30, "99999"])
def test_evidence_of_nothing_is_nothing(moderator, key):
    assert registry.evidence_of(f"message:{key}", moderator) is None
    assert registry.evidence_of(f"nonsense:{key}", moderator) is None


def test_a_moderator_who_plays_there_sees_nothing_of_the_watchers_before_the_end(people, moderator):
    anna, _beat = people
    game = table(anna, moderator)
    clau, duri = member("Clau"), member("Duri")
    message = say(game, clau, "böse Worte", WATCHERS)
    moderation.report(message, duri, reason="words", text="")
    assert moderation.evidence(str(message.pk), moderator) is None
    end(game, anna)
    assert moderation.evidence(str(message.pk), moderator) is not None


def test_nobody_moderates_what_they_wrote(people, moderator):
    anna, _beat = people
    message = say(table(anna, moderator), moderator, "mein Wort")
    moderation.report(message, anna, reason="words", text="")
    assert not moderation.may_moderate(message, moderator)


def test_a_removed_message_shows_the_reason_and_its_author_is_told(reported, people, moderator):
    anna, beat = people
    moderation.remove(reported, moderator, "Beleidigung")
    (mine,) = [one for one in selectors.messages_of(reported.game, 1, beat) if one.id == reported.pk]
    (theirs,) = [one for one in selectors.messages_of(reported.game, 1, anna) if one.id == reported.pk]
    assert (theirs.text, theirs.state, theirs.reason) == ("", "removed", "Beleidigung")
    assert (mine.text, mine.state) == ("böse Worte", "removed")
    notice = Outbox.objects.get(event="talk.removed")
    assert (notice.player, notice.kind) == (beat, "other")
    words = notifications.words(notice.event, notice.params, beat, "en")
    assert "Beleidigung" in words.line
    assert "böse" not in words.line + words.subject
    assert notifications.words(notice.event, notice.params, anna, "en") is None
    assert "böse Worte" in [said.text for said in moderation.evidence(str(reported.pk), moderator).lines]


def test_a_message_put_back_is_read_again(reported, people, moderator):
    moderation.remove(reported, moderator, "Irrtum")
    moderation.restore(reported, moderator)
    assert "böse Worte" in read_by(reported.game, people[0])
    assert not notifications.still_true("talk.removed", {"message": reported.pk}, people[1])
    with pytest.raises(NotNow):
        moderation.restore(reported, moderator)


def test_removing_needs_a_reason_and_words(reported, people, moderator):
    with refuses("reason-needed"):
        moderation.remove(reported, moderator, "\u200b ")
    agreed(reported.game, ChatMode.OPEN)
    with pytest.raises(NotNow):
        moderation.remove(Message.objects.get(kind="mode"), moderator, "Grund")
    privacy.release(people[1])
    with pytest.raises(NotNow):
        moderation.remove(reported, moderator, "Grund")


def test_the_author_can_ask_for_another_look(reported, people, moderator, client):
    anna, beat = people
    address = reverse("games:appeal", args=[reported.game.public_id, reported.pk])
    assert signed_in(client, beat).get(address).status_code == 404
    moderation.remove(reported, moderator, "Beleidigung")
    assert "böse Worte" in client.get(address).content.decode()
    assert client.post(address, {"text": "Das war ein Zitat."}).status_code == 303
    appeal = Report.objects.get(by=beat)
    assert (appeal.about, appeal.text, appeal.subject) == (beat, "Das war ein Zitat.", moderation.subject_of(reported))
    assert signed_in(client, anna).get(address).status_code == 404


def answered(client, moderator, report):
    """The moderator settles the report; what its author then finds among their notices, the newest first."""
    signed_in(client, moderator).post(reverse("accounts:settle", args=[report.pk]), {"outcome": "Looked again"})
    report.refresh_from_db()
    assert report.settled_at is not None
    outbox.tell_due()
    lines, _onward = notice_selectors.lines(report.by)
    return [line.words for line in lines]


def test_whoever_asked_for_another_look_is_told_that_the_message_stays_removed(reported, people, moderator, client):
    beat = people[1]
    address = reverse("games:appeal", args=[reported.game.public_id, reported.pk])
    moderation.remove(reported, moderator, "Beleidigung")
    signed_in(client, beat).post(address, {"text": "Das war ein Zitat."})
    waiting = client.get(address).content.decode()
    assert "No moderator has answered yet" in waiting
    assert "Das war ein Zitat." in waiting
    (told, _removed) = answered(client, moderator, Report.objects.get(by=beat))
    assert (told.subject, told.url) == ("Your message stays removed", address)
    assert "The reason: Beleidigung." in told.line
    page = signed_in(client, beat).get(told.url).content.decode()
    assert "and your message stays removed" in page
    assert "<textarea" not in page
    assert client.post(address, {"text": "Nochmals"}).status_code == 422
    assert not Report.objects.filter(settled_at=None, by=beat).exists()
    moderation.restore(reported, moderator)
    moderation.remove(reported, moderator, "Doch nicht")
    assert "<textarea" in client.get(address).content.decode(), "another removal is another matter"


def test_whoever_asked_for_another_look_is_told_that_the_message_stands_again(reported, people, moderator, client):
    beat = people[1]
    address = reverse("games:appeal", args=[reported.game.public_id, reported.pk])
    moderation.remove(reported, moderator, "Irrtum")
    signed_in(client, beat).post(address, {"text": "Das war ein Zitat."})
    moderation.restore(reported, moderator)
    (told,) = answered(client, moderator, Report.objects.get(by=beat))
    assert told.subject == "Your message stands again"
    page = signed_in(client, beat).get(address).content.decode()
    assert "Your message stands again" in page
    assert "<textarea" not in page
    assert f'id="message-{reported.pk}"' in client.get(told.url).content.decode()


def test_nobody_else_is_told_what_became_of_a_report(reported, people, moderator, client):
    assert answered(client, moderator, Report.objects.get()) == []
    assert not Outbox.objects.exists()


def test_a_suspension_is_told_with_its_reason_and_ends(people, moderator):
    anna, _beat = people
    with pytest.raises(Malformed):
        moderation.suspend(anna, moderator, timedelta(days=1000), "x")
    with refuses("reason-needed"):
        moderation.suspend(anna, moderator, timedelta(days=1), " ")
    moderation.suspend(anna, moderator, timedelta(days=7), "Drohungen")
    notice = Outbox.objects.get(event="talk.suspended")
    line = notifications.words(notice.event, notice.params, anna, "en").line
    assert "You cannot write in chats" in line
    assert "Drohungen" in line
    ChatBan.objects.update(until=timezone.now())
    assert not notifications.still_true(notice.event, notice.params, anna)
    assert not moderation.lift(anna)


def test_the_moderators_page_does_what_its_buttons_say(reported, people, moderator, client):
    address = reverse("games:moderate", args=[reported.game.public_id, reported.pk])
    signed_in(client, moderator)
    assert client.post(address, {"do": "remove", "reason": ""}).status_code == 422
    assert client.post(address, {"do": "dance"}).status_code == 400
    assert client.post(address, {"do": "suspend", "days": 3, "reason": "x"}).status_code == 400
    for sent in (
        {"do": "remove", "reason": "Beleidigung"},
        {"do": "restore"},
        {"do": "suspend", "days": 7, "reason": "x"},
    ):
        assert client.post(address, sent).status_code == 303
    reported.refresh_from_db()
    assert reported.removed_at is None
    assert ChatBan.objects.get().player == people[1]
    assert "They cannot write until" in client.get(address).content.decode()
    client.post(address, {"do": "lift"})
    assert chat_permissions.ban_of(people[1]) is None
    client.logout()
    assert client.post(address, {"do": "remove", "reason": "x"}).status_code == 404


def test_reporting_over_the_page(reported, people, client):
    anna, beat = people
    other = say(reported.game, beat, "noch mehr")
    address = reverse("games:report", args=[reported.game.public_id, other.pk])
    signed_in(client, anna)
    assert "noch mehr" in client.get(address).content.decode()
    assert client.post(address, {"reason": "other", "text": ""}).status_code == 422
    assert client.post(address, {"reason": "words", "text": "bitte"}).status_code == 303
    assert Report.objects.get(subject=moderation.subject_of(other)).context == reverse(
        "games:table", args=[reported.game.public_id]
    )
    signed_in(client, member("Clau"))
    assert client.get(address).status_code == 404
