"""What watchers write, what is held back, and notes change not a byte of what others get: pages, fragments, JSON, notices."""

from __future__ import annotations

import uuid
from datetime import timedelta

import pytest
from django.db import transaction
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts import privacy, sessions
from accounts.models import Player
from games.chat import moderation
from games.chat import selectors as chat_selectors
from games.chat import services as chat_services
from games.chat.models import Message, Note
from games.models import Game
from games.selectors import table as table_selector
from games.table import notifications
from notices import selectors as notices_selectors
from notices.models import Outbox
from tests.games.chat_kit import TABLE, WATCHERS, agreed, begin, member, read_by, say, table
from tests.games.pace_kit import DAYS
from tests.games.test_secrets import CHANGING

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def one_moment(monkeypatch: pytest.MonkeyPatch) -> None:
    """Time stands still: what is looked at before and after is not to differ by the clock of the table, or by midnight."""
    moment = timezone.now()
    monkeypatch.setattr(timezone, "now", lambda: moment)


def all_outputs(game: Game, viewer: Player | None) -> dict[str, object]:
    """Everything the site gives this viewer of this game and of its chats."""
    client = Client()
    if viewer is not None and viewer.is_member:
        client.force_login(viewer.user)
    elif viewer is not None:
        client.cookies["guest"] = sessions.issue_guest_token(viewer)
    found: dict[str, object] = {"sight": table_selector.sight_of(Game.objects.get(pk=game.pk), viewer).as_json()}
    fetch = {"HTTP_HX_REQUEST": "true"}
    for name, more in (
        ("table", ()),
        ("state", ()),
        ("since", (0,)),
        ("why", ()),
        ("record", ()),
        ("chat", ()),
        ("notes", ()),
    ):
        address = reverse(f"games:{name}", args=[game.public_id, *more])
        for headers in ({}, fetch):
            answer = client.get(address, **headers)
            found[f"{name} {bool(headers)}"] = (answer.status_code, CHANGING.sub("", answer.content.decode()))
            assert "no-store" in answer["Cache-Control"]
    for name in ("mine:list", "notices:list"):
        found[name] = CHANGING.sub("", client.get(reverse(name)).content.decode())
    found["waiting"] = client.get(reverse("my-waiting")).json()
    found["for the replay"] = chat_selectors.messages_of(game, 1, viewer)
    found["notes"] = chat_selectors.notes_of(game, 1, viewer)
    found["panel"] = chat_selectors.chats_of(game, viewer)
    if viewer is not None:
        found["unread"] = chat_selectors.unread(game, viewer)
        found["remark"] = notifications.still_true("game.remark", {"game": game.public_id}, viewer)
        found["inbox"] = (notices_selectors.unread(viewer), notices_selectors.lines(viewer))
        found["outbox"] = Outbox.objects.filter(player=viewer).count()
        export = privacy.export_of(viewer)
        for part in ("made_at", "account", "player"):
            export.pop(part)
        found["export"] = str(export)
    return found


@pytest.fixture
def game():
    anna, beat = member("Anna"), Player.objects.create(name="Gast")
    laid = table(anna, beat, pace=DAYS)
    begin(laid, anna, beat)
    return laid


def of(game: Game, name: str) -> Player:
    return game.seats.get(player__name=name).player


def test_what_watchers_write_changes_nothing_for_players_and_strangers_before_the_end(game):
    viewers = [of(game, "Anna"), of(game, "Gast"), None, Player.objects.create(name="Fremd")]
    before = [all_outputs(game, viewer) for viewer in viewers]
    clau, duri = member("Clau"), member("Duri")
    message = say(game, clau, "Anna hat den XXI", WATCHERS)
    chat_services.greet(game.pk, duri, WATCHERS, "hello", request_id=Message.objects.get().request_id)
    moderation.report(message, duri, reason="cheating", text="")
    assert [all_outputs(game, viewer) for viewer in viewers] == before


@pytest.mark.slow
def test_what_is_held_back_changes_nothing_for_others_before_the_hand_is_over(game):
    anna, guest, clau = of(game, "Anna"), of(game, "Gast"), member("Clau")
    viewers = [guest, clau, None]
    before = [all_outputs(game, viewer) for viewer in viewers]
    say(game, anna, "Ich habe den XXI und den Narren")
    chat_services.greet(game.pk, anna, TABLE, "hello", request_id=None)
    assert [all_outputs(game, viewer) for viewer in viewers] == before


@pytest.mark.slow
def test_ones_own_messages_do_not_tell_by_their_keys_that_something_is_held_back(game, monkeypatch):
    anna, guest, clau, duri = of(game, "Anna"), of(game, "Gast"), member("Clau"), member("Duri")
    moment, first, second = timezone.now(), uuid.uuid4(), uuid.uuid4()

    def seen(*, between: bool) -> list[dict[str, object]]:
        """What those get who write before and after Anna does, or does not."""
        with transaction.atomic():
            for number, request_id in enumerate((first, second)):
                monkeypatch.setattr(timezone, "now", lambda number=number: moment + timedelta(seconds=2 * number))
                chat_services.greet(game.pk, guest, TABLE, "hello", request_id=request_id)
                chat_services.greet(game.pk, clau, WATCHERS, "hello", request_id=request_id)
                monkeypatch.setattr(timezone, "now", lambda: moment + timedelta(seconds=1))
                if between and not number:
                    say(game, anna, "Ich habe den XXI")
            monkeypatch.setattr(timezone, "now", lambda: moment + timedelta(seconds=3))
            found = [all_outputs(game, viewer) for viewer in (guest, clau, duri)]
            transaction.set_rollback(True)
        return found

    assert seen(between=True) == seen(between=False)


def test_a_key_that_is_taken_or_a_clock_that_was_set_back_keeps_the_order_of_what_was_written(game, monkeypatch):
    anna, moment = of(game, "Anna"), timezone.now()
    other = table(anna, member("Beat"))
    written = [say(game, anna, "eins"), say(other, anna, "eins"), say(game, anna, "zwei")]
    monkeypatch.setattr(timezone, "now", lambda: moment - timedelta(days=300))
    written.append(say(game, anna, "drei"))
    assert len({message.pk for message in written}) == 4
    assert read_by(game, anna) == ["eins", "zwei", "drei"]


def test_what_is_said_at_the_table_changes_nothing_for_those_who_watch(game):
    agreed(game, "open")
    viewers = [member("Clau"), None]
    before = [all_outputs(game, viewer) for viewer in viewers]
    say(game, of(game, "Anna"), "unter uns")
    assert [all_outputs(game, viewer) for viewer in viewers] == before


def test_notes_change_nothing_for_anybody_else(game):
    viewers = [of(game, "Gast"), member("Clau"), None]
    before = [all_outputs(game, viewer) for viewer in viewers]
    chat_services.write(game, of(game, "Anna"), "Gast hat den XXI", hand=1, trick=0)
    assert Note.objects.exists()
    assert [all_outputs(game, viewer) for viewer in viewers] == before


@pytest.mark.slow
def test_the_comparison_would_notice(game):
    """The other way round: what may be read does change what its readers get."""
    agreed(game, "open")
    anna, guest, clau = of(game, "Anna"), of(game, "Gast"), member("Clau")
    before = [all_outputs(game, viewer) for viewer in (guest, clau)]
    say(game, anna, "offen gesagt")
    say(game, member("Duri"), "wir schauen zu", WATCHERS)
    after = [all_outputs(game, viewer) for viewer in (guest, clau)]
    assert all(one != other for one, other in zip(before, after, strict=True))
