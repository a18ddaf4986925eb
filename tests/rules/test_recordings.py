"""Recordings: looked at by content, decided by one press, heard by those who may, and gone with their speaker."""

from __future__ import annotations

from uuid import uuid4

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from accounts import privacy
from rules.readers import selectors, sounds
from rules.readers.models import Recording, Sound
from tests.rules import door_kit as kit
from tests.rules.editing_kit import signed_in
from tests.rules.sound_kit import ogg, webm

FORM = "/en/words/scart/record/"


@pytest.mark.parametrize(("data", "kind"), [(webm(2), "webm"), (ogg(2), "ogg")])
def test_what_browsers_record_is_read(data, kind):
    found = sounds.read(data)
    assert (found.kind, round(found.seconds, 1)) == (kind, 2.0)


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"", "kind"),
        (b"<script>alert(1)</script>", "kind"),
        (b"\x1aE\xdf\xa3", "kind"),
        (b"OggS", "kind"),
        (b"\x1aE\xdf\xa3<html>" + b"x" * 100, "kind"),
        (webm(codec=b"A_VORBIS"), "kind"),
        (webm(codec=b"V_VP8", kind=1), "kind"),
        (webm() + b"<html>", "kind"),
        (webm()[:-5], "kind"),
        (ogg() + b"<html>" * 9, "kind"),
        (ogg().replace(b"OpusHead", b"\x01vorbis "), "kind"),
        (ogg()[:-5], "kind"),
        (webm(12), "long"),
        (ogg(60), "long"),
        (webm(0.02), "short"),
        (webm(9, size=600), "large"),
    ],
)
def test_anything_else_is_refused(data, code):
    with pytest.raises(sounds.NotASound) as refused:
        sounds.read(data)
    assert refused.value.code == code


@pytest.fixture
def world(db: None) -> None:
    kit.world()


WORD = "scart"


def send(client: Client, data: bytes | None = None, **more: str):
    file = SimpleUploadedFile("evil.html", webm() if data is None else data, content_type="text/html")
    return client.post(FORM, {"text": WORD, "sound": file, "village": "Breil", "agreed": "on", "told_by": "", **more})


def press(do: str, by=None):
    recording = Recording.objects.latest("pk")
    return signed_in(by or kit.editor()).post(f"/en/queue/heard/{recording.pk}/", {"do": do})


def test_a_stranger_sends_a_recording_that_nobody_hears_yet(world):
    assert send(Client()).status_code == 302
    recording = Recording.objects.get()
    assert (recording.state, recording.kind, recording.place) == ("open", "webm", "breil")
    assert Client().get(recording.address).status_code == 404
    assert signed_in(kit.editor()).get(recording.address).status_code == 200
    assert "data-play" not in Client().get("/en/words/scart/").content.decode()


def test_one_press_lets_everybody_hear_it_and_nothing_in_it_can_act(world):
    send(Client())
    press("accept")
    recording = Recording.objects.get()
    assert f'href="{recording.address}" data-play' in Client().get("/en/words/scart/").content.decode()
    answer = Client().get(recording.address)
    assert answer.content == webm()
    assert answer["Content-Type"] == "audio/webm"
    assert answer["Content-Security-Policy"] == "default-src 'none'; sandbox"
    assert answer["X-Content-Type-Options"] == "nosniff"


def test_a_phrase_is_heard_in_the_phrase_book_too(world):
    kit.from_files(
        (
            "concept",
            "phrases.vitas",
            "",
            {
                "sort": "phrase",
                "tells": {"en": "trumps"},
                "theme": "talk",
                "terms": [{"lang": "rm-sursilv", "text": "vitas", "status": "preferred"}],
            },
        )
    )
    file = SimpleUploadedFile("a.webm", webm(), content_type="audio/webm")
    Client().post(
        "/en/words/phrases-vitas/record/", {"text": "vitas", "sound": file, "village": "Breil", "agreed": "on"}
    )
    press("accept")
    page = Client().get("/en/words/phrases/").content.decode()
    assert f'href="{Recording.objects.get().address}" data-play' in page
    assert "js/sounds" in page


@pytest.mark.parametrize(
    ("asked", "status", "part"),
    [
        ("bytes=0-1", 206, slice(0, 2)),
        ("bytes=10-", 206, slice(10, None)),
        ("bytes=-4", 206, slice(-4, None)),
        ("bytes=0-", 200, slice(None)),
        ("bytes=999999-", 200, slice(None)),
        ("lines=1-2", 200, slice(None)),
        ("bytes=-0", 200, slice(None)),
        ("bytes=5-2", 200, slice(None)),
        ("bytes=0-0,5-6", 200, slice(None)),
        ("bytes=-999999999", 200, slice(None)),
        ("bytes=-" + "9" * 5000, 200, slice(None)),
    ],
)
@pytest.mark.slow(but="bytes=-4-206-part2")
def test_players_that_ask_for_a_part_get_it(world, asked, status, part):
    send(Client())
    press("accept")
    answer = Client().get(Recording.objects.get().address, headers={"range": asked})
    assert (answer.status_code, answer.content) == (status, webm()[part])


@pytest.mark.parametrize(
    "address",
    [
        "/recordings/../../manage.webm",
        "/recordings/%2e%2e/%2e%2e/manage.webm",
        "/recordings/{id}.html",
        "/recordings/{id}.webm/../x",
        "/recordings/{id}.webm%00.html",
        "/recordings/{other}.webm",
    ],
)
def test_no_other_address_gives_a_recording_or_a_file(world, address):
    send(Client())
    press("accept")
    found = Client().get(address.format(id=Recording.objects.get().public_id, other=uuid4()))
    assert found.status_code == 404


def test_what_is_declined_is_deleted(world):
    send(Client())
    press("decline")
    assert not Sound.objects.exists()
    assert signed_in(kit.editor("vreni")).get(Recording.objects.get().address).status_code == 404


def test_an_accepted_one_can_be_taken_away_again(world):
    send(Client())
    press("accept")
    press("decline", by=kit.editor("vreni"))
    assert not Sound.objects.exists()
    assert selectors.heard_of("words.scart") == ()


@pytest.mark.parametrize("wrong", [{"agreed": ""}, {"village": ""}, {"text": "something else"}])
def test_without_agreement_village_or_word_it_is_not_taken(world, wrong):
    assert send(Client(), **wrong).status_code == 422
    assert not Recording.objects.exists()


def test_what_is_no_recording_is_said(world):
    answer = send(Client(), b"<html>" * 20)
    assert answer.status_code == 422
    assert "no recording that we can take" in answer.content.decode()


def test_only_its_own_page_may_use_the_microphone(world):
    page = Client().get(FORM)
    assert "microphone=(self)" in page["Permissions-Policy"]
    assert "media-src 'self' blob:" in page["Content-Security-Policy"]
    other = Client().get("/en/words/scart/")
    assert "microphone=()" in other["Permissions-Policy"]
    assert "blob:" not in other["Content-Security-Policy"]


def test_a_voice_goes_with_its_account(world):
    member = kit.member(accepted=0)
    send(signed_in(member))
    press("accept")
    own = privacy.export_of(member)["rules"]
    assert isinstance(own, dict)
    assert [row["word"] for row in own["recordings"]] == [WORD]
    privacy.erase(member.user)
    assert not Recording.objects.exists()
    assert not Sound.objects.exists()
    assert selectors.heard_of("words.scart") == ()


def test_a_stranger_cannot_send_without_end(world):
    answers = [send(Client()).status_code for _number in range(13)]
    assert answers == [302] * 12 + [429]
