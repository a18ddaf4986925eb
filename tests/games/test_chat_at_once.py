"""Several at once: a request that comes twice is written once, an agreement holds once, notes stay one for each place."""

from __future__ import annotations

import threading
import uuid
from collections.abc import Callable

import pytest
from django.db import connections

from core.exceptions import Refusal
from games.chat import services as chat_services
from games.chat.models import Message, Note
from games.models import ChatMode, TableChat
from tests.games.chat_kit import TABLE, member, table

pytestmark = pytest.mark.django_db(transaction=True)


def at_once(*doing: Callable[[], object]) -> list[object]:
    """Do all of it in threads that start together; what each returned or refused."""
    found: list[object] = []
    gate = threading.Barrier(len(doing))

    def one(what: Callable[[], object]) -> None:
        try:
            gate.wait(60)
            try:
                found.append(what())
            except Refusal as refusal:
                found.append(refusal)
        finally:
            connections.close_all()

    threads = [threading.Thread(target=one, args=[what]) for what in doing]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(120)
    assert len(found) == len(doing)
    return found


def test_one_request_sent_four_times_at_once_is_one_message():
    anna, beat = member("Anna"), member("Beat")
    game, request_id = table(anna, beat), uuid.uuid4()
    found = at_once(*[lambda: chat_services.say(game.pk, anna, TABLE, "einmal", request_id=request_id)] * 4)
    assert {message.pk for message in found if isinstance(message, Message)} == {Message.objects.get().pk}
    assert not [one for one in found if isinstance(one, Refusal)]


def test_two_who_propose_and_agree_at_once_agree_once():
    anna, beat = member("Anna"), member("Beat")
    game = table(anna, beat)
    at_once(
        lambda: chat_services.propose(game.pk, anna, ChatMode.OPEN),
        lambda: chat_services.propose(game.pk, beat, ChatMode.OPEN),
    )
    assert TableChat.objects.get().mode == ChatMode.OPEN
    assert Message.objects.filter(kind="mode").count() == 1


def test_a_note_written_by_two_pages_at_once_is_one_note():
    anna, beat = member("Anna"), member("Beat")
    game = table(anna, beat)
    texts = ("von hier", "von dort", "von da")
    at_once(*[lambda text=text: chat_services.write(game, anna, text, hand=1) for text in texts])
    assert Note.objects.get().text in texts
