"""Who may write and read what and when in the chats of a game."""

from __future__ import annotations

import re
import time
import uuid
from datetime import timedelta
from types import SimpleNamespace

import pytest
from django.urls import reverse
from django.utils import timezone

from accounts import permissions as account_permissions
from accounts.models import Player
from core import limits
from games import broadcast
from games import permissions as game_permissions
from games.chat import moderation
from games.chat import selectors as chat_selectors
from games.chat import services as chat_services
from games.chat.models import Message
from games.exceptions import Malformed, NotNow, NotYourSeat
from games.lobby.models import OpenTable
from games.lobby.services import tables
from games.models import Action, ChatMode, TableChat
from games.services import common, timing
from notices.models import Outbox
from tests.games import lobby_kit
from tests.games.chat_kit import TABLE, WATCHERS, agreed, begin, end, greet, member, read_by, say, table
from tests.games.pace_kit import DAYS, LIVE
from tests.refusals import refuses

pytestmark = pytest.mark.django_db


@pytest.fixture
def people():
    return member("Anna"), member("Beat")


# the table's chat


def test_those_who_sit_there_read_what_is_written_before_the_hand(people):
    anna, beat = people
    game = table(anna, beat)
    say(game, anna, "Guten Abend")
    assert read_by(game, beat) == ["Guten Abend"]
    assert read_by(game, member("Clau")) == []
    assert read_by(game, None) == []


def test_what_is_written_while_a_hand_is_played_is_read_when_it_is_over(people):
    anna, beat = people
    game = table(anna, beat)
    begin(game, anna, beat)
    message = say(game, anna, "Ich habe alle Tarocke")
    assert message.held
    assert read_by(game, anna) == ["Ich habe alle Tarocke"]
    assert read_by(game, beat) == []
    assert chat_selectors.unread(game, beat) == 0
    end(game, anna)
    assert read_by(game, beat) == ["Ich habe alle Tarocke"]
    assert chat_selectors.unread(game, beat) == 1


def test_a_held_message_rings_nobody(people, monkeypatch, django_capture_on_commit_callbacks):
    rung = []
    monkeypatch.setattr(broadcast, "ring_chat", lambda public_id, *, watchers: rung.append(watchers))
    anna, beat = people
    game = table(anna, beat)
    with django_capture_on_commit_callbacks(execute=True):
        say(game, anna, "vorher")
    begin(game, anna, beat)
    assert rung == [False]
    with django_capture_on_commit_callbacks(execute=True):
        say(game, anna, "während")
    assert rung == [False]


def test_at_an_open_table_one_talks_during_the_hand_but_names_no_card(people):
    anna, beat = people
    game = table(anna, beat)
    agreed(game, ChatMode.OPEN)
    say(game, anna, "Der König von Schwertern war schön")  # no hand is played yet
    begin(game, anna, beat)
    say(game, anna, "Das Wetter ist schön")
    assert read_by(game, beat)[-1] == "Das Wetter ist schön"
    with refuses("card-named"):
        say(game, anna, "Ich habe den König")
    assert Message.objects.filter(kind="said").count() == 2


def test_where_the_chat_is_closed_nothing_is_written_and_the_old_words_stay(people):
    anna, beat = people
    game = table(anna, beat)
    say(game, anna, "vorher")
    agreed(game, ChatMode.CLOSED)
    for write in (say, greet):
        with refuses("chat-closed"):
            write(game, beat, "hello")
    assert "vorher" in read_by(game, beat)


def test_alone_with_computer_players_there_is_nobody_to_write_to(people):
    anna, _beat = people
    game = table(anna)
    with refuses("nobody-there"):
        say(game, anna, "Hallo?")
    assert chat_selectors.chats_of(game, anna) is None


def test_a_substitute_reads_what_was_written_since_they_came(people):
    anna, beat = people
    game = table(anna, beat, pace=DAYS)
    agreed(game, ChatMode.OPEN)
    say(game, anna, "unter uns")
    clau = member("Clau")
    _substitute(game, beat, clau)
    say(game, anna, "willkommen")
    assert read_by(game, clau) == ["willkommen"]
    assert read_by(game, beat) == []


def _substitute(game, gone: Player, comes: Player) -> None:
    """`comes` takes the seat of `gone`, whose time is out."""
    assert timing.begin(game.pk, expected=game.number, now=timezone.now() + timedelta(minutes=1))
    game.refresh_from_db()
    seat = game.seats.get(player=gone).number
    locked = common.locked(game.pk)
    common.log(locked, Action.Kind.EVENT, "substitute-asked", seat=seat, player=gone)
    locked.save()
    timing.substitute(game.pk, seat, request_id=uuid.uuid4(), by=comes)


# the chat of those who watch


def test_members_who_watch_write_to_each_other_and_players_read_it_after_the_end(people):
    anna, beat = people
    clau, duri = member("Clau"), member("Duri")
    game = table(anna, beat)
    begin(game, anna, beat)
    say(game, clau, "Anna spielt gut", WATCHERS)
    assert read_by(game, duri) == ["Anna spielt gut"]
    assert read_by(game, anna) == []
    assert read_by(game, None) == []
    end(game, beat)
    for viewer in (anna, beat, duri, None):
        assert read_by(game, viewer, WATCHERS) == ["Anna spielt gut"]
    with refuses("chat-over"):
        say(game, clau, "noch etwas", WATCHERS)


def test_players_guests_and_strangers_write_nothing_among_those_who_watch(people):
    anna, beat = people
    game = table(anna, beat)
    with refuses("not-for-you"):
        say(game, anna, "Hallo", WATCHERS)
    with refuses("members-only"):
        say(game, Player.objects.create(), "Hallo", WATCHERS)
    with refuses("not-for-you"):
        say(game, member("Clau"), "Hallo", TABLE)


def test_who_watched_and_then_sits_down_loses_the_watchers_chat(people):
    anna, beat = people
    game = table(anna, beat, pace=DAYS)
    clau = member("Clau")
    say(game, clau, "ich schaue zu", WATCHERS)
    assert read_by(game, clau) == ["ich schaue zu"]
    _substitute(game, beat, clau)
    assert read_by(game, clau) == []
    with refuses("not-for-you"):
        say(game, clau, "ich sitze hier", WATCHERS)


def test_who_has_left_the_table_reads_what_watchers_write_only_after_the_end(people):
    anna, beat = people
    game = table(anna, beat, pace=DAYS)
    _substitute(game, beat, member("Clau"))
    say(game, member("Duri"), "spannend", WATCHERS)
    assert read_by(game, beat) == []
    with refuses("not-for-you"):
        say(game, beat, "ich kenne die Karten", WATCHERS)


def test_a_guest_who_sat_here_reads_nothing_more_after_signing_in(people):
    anna, _beat = people
    guest = Player.objects.create(name="Gast")
    game = table(anna, guest, pace=DAYS)
    _substitute(game, guest, member("Clau"))
    say(game, member("Duri"), "spannend", WATCHERS)
    emma = member("Emma")
    Player.objects.filter(pk=guest.pk).update(merged_into=emma)
    assert read_by(game, emma) == []


# guests, newcomers, limits


def test_a_guest_greets_at_an_open_table_and_writes_where_they_were_asked_to_come(people):
    anna, _beat = people
    guest = Player.objects.create(name="Gast")
    game = table(anna, guest)
    with refuses("guests-greet"):
        say(game, guest, "Hallo")
    greet(game, guest)
    assert read_by(game, anna) == ["Hello everybody"]
    OpenTable.objects.create(
        host=anna, ruleset="troccas", ruleset_version=1, table_size=4, state="started", game=game,
        entry=OpenTable.Entry.LINK, expires_at=timezone.now(),
    )  # fmt: skip
    say(game, guest, "Danke für den Link")
    assert read_by(game, anna)[-1] == "Danke für den Link"


def test_a_greeting_is_read_in_the_language_of_the_reader(people):
    anna, beat = people
    game = table(anna, beat)
    greet(game, anna, "thanks")
    assert Message.objects.get().text == "thanks"
    with pytest.raises(Malformed):
        greet(game, anna, "cup king")


@pytest.mark.parametrize(("days", "limit"), [(30, 400), (1, 200)])
def test_length_is_limited_more_for_newcomers(days, limit):
    anna, beat = member("Anna", days=days), member("Beat")
    game = table(anna, beat)
    say(game, anna, "x" * limit)
    with refuses("too-long") as refused:
        say(game, anna, "x" * (limit + 7))
    assert str(limit) in str(refused.value.message)
    assert "7" in str(refused.value.message)
    assert Message.objects.count() == 1


def test_nothing_that_can_be_seen_is_nothing_written(people):
    anna, beat = people
    game = table(anna, beat)
    for words in ("", "   ", "\u200b\u202e", "\n"):
        with refuses("empty"):
            say(game, anna, words)


def test_too_many_at_once_have_to_wait_newcomers_sooner(people, monkeypatch):
    moment = time.time()  # three seconds later one may write again, and a slow machine takes as long
    monkeypatch.setattr(limits, "time", SimpleNamespace(time=lambda: moment, sleep=time.sleep))
    anna, _beat = people
    newcomer = member("Neu", days=0)
    game = table(anna, newcomer)
    for number in range(chat_services.NEWCOMERS_BURST):
        say(game, newcomer, f"{number}")
    with refuses("too-fast"):
        say(game, newcomer, "noch eins")
    for number in range(chat_services.BURST):
        say(game, anna, f"{number}")
    with refuses("too-fast"):
        say(game, anna, "noch eins")
    assert Message.objects.count() == chat_services.BURST + chat_services.NEWCOMERS_BURST


def test_a_repeated_request_writes_once_and_another_text_is_refused(people):
    anna, beat = people
    game, request_id = table(anna, beat), uuid.uuid4()
    first = chat_services.say(game.pk, anna, TABLE, "einmal", request_id=request_id)
    assert chat_services.say(game.pk, anna, TABLE, " einmal ", request_id=request_id) == first
    with refuses("request-reused"):
        chat_services.say(game.pk, anna, TABLE, "anders", request_id=request_id)
    with pytest.raises(Malformed):
        chat_services.say(game.pk, anna, "both", "anders", request_id=uuid.uuid4())
    assert Message.objects.count() == 1


def test_whoever_is_suspended_writes_nowhere_until_it_is_over(people):
    anna, beat = people
    game, other = table(anna, beat), table(member("Clau"), member("Duri"))
    moderation.suspend(anna, member("Mod"), timedelta(days=1), "Beleidigungen")
    for where, channel in ((game, TABLE), (other, WATCHERS)):
        with refuses("suspended") as refused:
            say(where, anna, "Hallo", channel)
        assert "Beleidigungen" in str(refused.value.message)
    moderation.lift(anna)
    say(game, anna, "Entschuldigung")


# not wanting to read somebody


@pytest.mark.parametrize("how", [chat_services.mute, account_permissions.block])
def test_words_one_does_not_want_are_not_given_out_nor_counted(people, how):
    anna, beat = people
    game = table(anna, beat)
    say(game, beat, "unangenehm")
    how(anna, beat)
    assert read_by(game, anna) == [""]
    assert chat_selectors.unread(game, anna) == 0
    say(game, anna, "Beat merkt nichts davon")
    assert read_by(game, beat) == ["unangenehm", "Beat merkt nichts davon"]


def test_muting_is_taken_back(people):
    anna, beat = people
    game = table(anna, beat)
    say(game, beat, "Hallo")
    chat_services.mute(anna, beat)
    chat_services.mute(anna, beat)
    chat_services.unmute(anna, beat)
    assert read_by(game, anna) == ["Hallo"]
    with pytest.raises(NotNow):
        chat_services.mute(anna, anna)


def test_what_was_agreed_is_read_also_by_who_mutes_whoever_proposed_it(people):
    anna, beat = people
    game = table(anna, beat)
    chat_services.propose(game.pk, anna, ChatMode.OPEN)
    chat_services.answer(game.pk, beat, agree=True)
    told = read_by(game, beat)
    assert told == [str(ChatMode.OPEN.label)]
    chat_services.mute(beat, anna)
    assert read_by(game, beat) == told


# agreeing


def test_another_mode_holds_when_everybody_has_agreed(people):
    anna, beat = people
    game = table(anna, beat)
    chat_services.propose(game.pk, anna, ChatMode.OPEN)
    assert TableChat.objects.get().mode == ChatMode.BETWEEN
    wish = chat_selectors.chats_of(game, beat).wish
    assert (wish.by, wish.own, wish.asks) == ("Anna", False, True)
    chat_services.answer(game.pk, beat, agree=True)
    row = TableChat.objects.get()
    assert (row.mode, row.wish, row.agreed) == (ChatMode.OPEN, "", [])
    assert [message.kind for message in Message.objects.all()] == ["mode"]


def test_whoever_declines_takes_the_proposal_off_the_table(people):
    anna, beat = people
    game = table(anna, beat)
    chat_services.propose(game.pk, anna, ChatMode.OPEN)
    with pytest.raises(NotNow):
        chat_services.propose(game.pk, beat, ChatMode.CLOSED)
    chat_services.answer(game.pk, beat, agree=False)
    assert TableChat.objects.get().wish == ""
    with pytest.raises(NotNow):
        chat_services.answer(game.pk, anna, agree=True)
    with pytest.raises(NotNow):
        chat_services.propose(game.pk, beat, ChatMode.BETWEEN)


def test_who_answers_a_proposal_that_has_changed_meanwhile_answers_nothing(people, client):
    anna, beat = people
    game = table(anna, beat)
    address = reverse("games:chat", args=[game.public_id])
    chat_services.propose(game.pk, anna, ChatMode.OPEN)
    client.force_login(beat.user)
    page = client.get(address).content.decode()
    assert '<input type="hidden" name="mode" value="open">' in page
    chat_services.answer(game.pk, anna, agree=False)
    chat_services.propose(game.pk, anna, ChatMode.CLOSED)
    for do in ("agree", "decline"):
        assert client.post(address, {"do": do, "mode": "open"}).status_code == NotNow().status
    assert (TableChat.objects.get().mode, TableChat.objects.get().wish) == (ChatMode.BETWEEN, ChatMode.CLOSED)


def test_who_has_closed_the_chat_for_themselves_can_still_answer_what_needs_their_consent(people, client):
    anna, beat = people
    game = table(anna, beat)
    chat_services.close_for_me(game, beat, closed=True)
    chat_services.propose(game.pk, anna, ChatMode.CLOSED)
    client.force_login(beat.user)
    page = client.get(reverse("games:chat", args=[game.public_id])).content.decode()
    assert "You have closed the chat" in page
    assert "Anna proposes for the chat: not at all." in page
    assert 'value="agree"' in page


def test_only_those_who_sit_there_agree(people):
    anna, beat = people
    game = table(anna, beat)
    with pytest.raises(NotYourSeat):
        chat_services.propose(game.pk, member("Clau"), ChatMode.OPEN)
    with pytest.raises(Malformed):
        chat_services.propose(game.pk, anna, "loud")


def test_a_held_message_stays_held_when_the_chat_is_opened_during_the_hand(people):
    anna, beat = people
    game = table(anna, beat)
    begin(game, anna, beat)
    say(game, anna, "zurückgehalten")
    agreed(game, ChatMode.OPEN)
    assert "zurückgehalten" not in read_by(game, beat)


@pytest.mark.parametrize("mode", ChatMode.values)
def test_what_was_chosen_when_the_table_was_laid_holds_in_its_game_and_in_the_rematch(people, mode):
    anna, beat = people
    laid = lobby_kit.lay(anna, chat=mode, pace=None, computers=2)
    game = lobby_kit.join(laid, beat).game
    assert game_permissions.chat_mode_of(game) == mode
    end(game, anna)
    again = tables.rematch(game.pk, anna, request_id=uuid.uuid4())
    assert again.chat == mode


# being told


def test_at_a_table_of_days_whoever_is_not_there_is_told_once(people):
    anna, beat = people
    game = table(anna, beat, pace=DAYS)
    say(game, anna, "Hallo")
    say(game, anna, "Bist du da?")
    told = Outbox.objects.filter(event="game.remark")
    assert [(row.player, row.topic, row.kind) for row in told] == [(beat, game.public_id, "talk")]
    assert "Hallo" not in str(told.get().params)
    chat_services.mark_read(game, beat, Message.objects.last().pk)
    assert told.get().read_at is not None
    say(game, anna, "Und jetzt?")
    assert told.all().count() == 2


def test_a_held_message_is_told_when_the_hand_is_over(people):
    anna, beat = people
    game = table(anna, beat, pace=DAYS)
    assert timing.begin(game.pk, expected=game.number, now=timezone.now() + timedelta(minutes=1))
    game.refresh_from_db()
    say(game, anna, "bis bald")
    assert not Outbox.objects.filter(event="game.remark").exists()
    chat_services.hand_over(game)
    assert Outbox.objects.filter(event="game.remark").get().player == beat


def test_live_closed_and_muted_tell_nothing(people):
    anna, beat = people
    say(table(anna, beat, pace=LIVE), anna, "Hallo")
    closed = table(anna, beat, pace=DAYS)
    chat_services.close_for_me(closed, beat, closed=True)
    say(closed, anna, "Hallo")
    chat_services.mute(beat, anna)
    say(table(anna, beat, pace=DAYS), anna, "Hallo")
    assert not Outbox.objects.filter(event="game.remark").exists()


def test_what_is_unread_is_counted_until_it_is_read(people):
    anna, beat = people
    game = table(anna, beat)
    for words in ("eins", "zwei"):
        say(game, anna, words)
    assert chat_selectors.unread(game, beat) == 2
    chat_services.mark_read(game, beat, Message.objects.first().pk)
    assert chat_selectors.unread(game, beat) == 1
    chat_services.mark_read(game, beat, 10**16)
    assert chat_selectors.unread(game, beat) == 0
    say(game, anna, "drei")
    assert chat_selectors.unread(game, beat) == 1
    chat_services.close_for_me(game, beat, closed=True)
    assert chat_selectors.unread(game, beat) == 0


# for the replay


def test_messages_of_a_deal_carry_the_number_of_the_action_after_which_they_stand(people):
    anna, beat = people
    game = table(anna, beat)
    say(game, anna, "vor der Hand")
    begin(game, anna, beat)
    say(game, beat, "in der Hand")
    end(game, anna)
    found = chat_selectors.messages_of(game, 1, anna)
    assert [(one.text, one.own) for one in found] == [("vor der Hand", True), ("in der Hand", False)]
    assert found[0].number < found[1].number <= game.number
    assert chat_selectors.messages_of(game, 2, anna) == ()
    assert chat_selectors.messages_of(game, 1, member("Clau")) == ()


def test_who_has_no_time_zone_is_told_by_which_time_something_was_written(client):
    anna, beat = member("Anna"), member("Beat")
    game = table(anna, beat)
    begin(game, anna, beat)
    say(game, anna, "Bravo", TABLE)
    address = reverse("games:chat", args=[game.public_id])
    client.force_login(anna.user)
    assert re.search(r", \d\d:\d\d \(Zurich time\)</time>", client.get(address).content.decode())
    anna.time_zone = "Europe/Zurich"
    anna.save()
    assert re.search(r", \d\d:\d\d</time>", client.get(address).content.decode())
