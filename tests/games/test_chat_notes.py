"""Private notes: kept where they were written, read by nobody else, exported, and gone with the account."""

from __future__ import annotations

import re

import pytest
from django.test import Client
from django.urls import reverse

from accounts import privacy, sessions
from accounts.models import Player
from games.chat import privacy as chat_privacy
from games.chat import selectors, services
from games.chat.models import Note
from games.chat.selectors import notes_at
from games.exceptions import Malformed
from tests.games.chat_kit import begin, member, say, table
from tests.refusals import refuses

pytestmark = pytest.mark.django_db


@pytest.fixture
def anna():
    return member("Anna")


@pytest.fixture
def game(anna):
    laid = table(anna, member("Beat"))
    begin(laid, *(seat.player for seat in laid.seats.all() if not seat.player.is_computer))
    return laid


def test_a_note_stays_where_it_was_begun_when_it_is_changed(game, anna):
    services.write(game, anna, "wer hat XXI?", hand=1, trick=2, number=3)
    services.write(game, anna, "Beat hat XXI", hand=1, trick=2)
    (note,) = selectors.notes_of(game, 1, anna)
    assert (note.text, note.trick, note.number) == ("Beat hat XXI", 2, 3)
    assert notes_at(game, anna, 1, 2) == ("", "Beat hat XXI")
    assert notes_at(game, anna, 1, 3) == ("", "")


def test_a_new_note_stands_after_the_last_action(game, anna):
    services.write(game, anna, "eins\r\n\r\nzwei\u202e", hand=1)
    (note,) = selectors.notes_of(game, 1, anna)
    assert (note.text, note.number) == ("eins\n\nzwei", game.number)


def test_an_emptied_note_is_deleted(game, anna):
    services.write(game, anna, "Notiz")
    services.write(game, anna, " \n ")
    assert not Note.objects.exists()


def test_notes_are_their_owners_alone(game, anna):
    services.write(game, anna, "geheim", hand=1)
    beat = game.seats.get(player__name="Beat").player
    assert selectors.notes_of(game, 1, beat) == ()
    assert selectors.notes_of(game, 1, None) == ()
    assert services.all_notes(game, beat) == []
    client = Client()
    client.cookies["guest"] = sessions.issue_guest_token(Player.objects.create(name="Gast"))
    for name in ("table", "notes", "chat", "state", "record"):
        assert "geheim" not in client.get(reverse(f"games:{name}", args=[game.public_id])).content.decode()


@pytest.mark.parametrize("place", [(2, 0), (1, 31), (0, 1), (-1, 0)])
def test_a_place_the_game_has_not_reached_is_refused(game, anna, place):
    with pytest.raises(Malformed):
        services.write(game, anna, "x", hand=place[0], trick=place[1])
    with pytest.raises(Malformed):
        services.write(game, anna, "x", number=game.number + 1)
    assert not Note.objects.exists()


def test_what_another_window_has_written_meanwhile_is_not_lost(game, anna):
    services.write(game, anna, "eins", known=[""])
    with refuses("note-changed"):
        services.write(game, anna, "zwei", known=[""])
    with refuses("note-changed"):
        services.write(game, anna, "", known=[""])
    assert notes_at(game, anna, 0, 0)[0] == "eins"
    services.write(game, anna, "eins", known=[""])  # sent again, because the answer was lost
    services.write(game, anna, "eins, zwei", known=["", "eins\r\n"])  # and written on meanwhile
    assert notes_at(game, anna, 0, 0)[0] == "eins, zwei"
    services.write(game, anna, "", known=["eins, zwei"])
    services.write(game, anna, "drei", known=["eins, zwei"])  # nothing is lost where nothing stands
    assert notes_at(game, anna, 0, 0)[0] == "drei"


@pytest.mark.services
def test_length_and_number_are_limited(game, anna, monkeypatch):
    with refuses("too-long"):
        services.write(game, anna, "x" * 2001)
    monkeypatch.setattr(services, "MOST", 1)
    services.write(game, anna, "x" * 2000)
    with refuses("too-many-notes"):
        services.write(game, anna, "y", hand=1)
    assert Note.objects.count() == 1


def test_the_script_keeps_and_fetches_a_note_and_is_told_why_not():
    guest = Player.objects.create(name="Gast")
    game = table(guest)
    client = Client()
    client.cookies["guest"] = sessions.issue_guest_token(guest)
    address, fetch = reverse("games:notes", args=[game.public_id]), {"HTTP_HX_REQUEST": "true"}
    assert client.post(address, {"hand": 1, "trick": 0, "text": "meins"}, **fetch).status_code == 204
    answer = client.get(address, {"hand": 1, "trick": 0}, **fetch)
    assert answer.json() == {"text": "meins", "ordinal": 1}
    assert "no-store" in answer["Cache-Control"]
    refused = client.post(address, {"hand": 9, "trick": 0, "text": "x"}, **fetch)
    assert refused.status_code == 400
    assert "Reload" in refused.json()["refusal"]
    assert Client().post(address, {"hand": 0, "trick": 0, "text": "x"}, **fetch).status_code == 403


def test_a_page_that_did_not_know_the_note_gets_it_and_may_then_replace_it(client):
    guest = Player.objects.create(name="Gast")
    game = table(guest)
    client.cookies["guest"] = sessions.issue_guest_token(guest)
    address = reverse("games:notes", args=[game.public_id])
    here = {"hand": 0, "trick": 0, "known": ""}
    client.post(address, here | {"text": "eins"})
    answer = client.post(address, here | {"text": "zwei"}, HTTP_HX_REQUEST="true")
    assert (answer.status_code, answer.json()["text"]) == (409, "eins")
    page = client.post(address, here | {"text": "zwei"})
    assert page.status_code == 409
    (again,) = re.findall(r'<form(?:(?!</form>).)*id="note-again".*?</form>', page.content.decode(), re.DOTALL)
    assert 'name="known" value="eins"' in again
    client.post(address, here | {"text": "eins, zwei", "known": "eins"})
    assert notes_at(game, guest, 0, 0)[0] == "eins, zwei"


def test_without_script_a_refused_note_is_shown_to_be_mended(client):
    guest = Player.objects.create(name="Gast")
    game = table(guest)
    client.cookies["guest"] = sessions.issue_guest_token(guest)
    address = reverse("games:notes", args=[game.public_id])
    answer = client.post(address, {"hand": 0, "trick": 0, "text": "lang" * 501})
    assert answer.status_code == 422
    assert "lang" * 501 in answer.content.decode()
    assert "About this game" in answer.content.decode()
    assert "Thrown in" not in answer.content.decode()
    done = client.post(address, {"hand": 0, "trick": 0, "text": "<b>kurz</b>", "page": 1})
    assert (done.status_code, done["Location"]) == (303, address)
    assert "&lt;b&gt;kurz" in client.get(address).content.decode()


def test_export_holds_what_one_wrote_and_release_takes_it_away(game, anna):
    beat = game.seats.get(player__name="Beat").player
    say(game, anna, "meine Worte")
    say(game, beat, "fremde Worte")
    services.write(game, anna, "meine Notiz", hand=1, trick=1)
    kept = str(privacy.export_of(anna))
    assert "meine Worte" in kept
    assert "meine Notiz" in kept
    assert "fremde Worte" not in kept
    assert chat_privacy.release(anna)
    assert not Note.objects.exists()
    assert "meine" not in str(chat_privacy.export(anna))
    assert [(one.text, one.state) for one in selectors.messages_of(game, 1, anna)] == [("", "gone")]


def test_what_a_guest_wrote_is_the_members_afterwards(game, anna):
    guest = Player.objects.create(name="Gast")
    services.write(game, guest, "vom Gast", hand=1)
    services.write(game, guest, "auch vom Gast")
    services.write(game, anna, "vom Mitglied", hand=1)
    chat_privacy.merge(guest, anna)
    chat_privacy.merge(guest, anna)
    assert [note.text for note in services.all_notes(game, anna)] == ["auch vom Gast", "vom Mitglied\n\nvom Gast"]
