"""Discussion: members speak, question boxes are answered, editors hide with a reason, nothing typed is lost."""

from __future__ import annotations

import pytest
from django.test import Client

from rules.models import Remark
from tests.rules import door_kit as kit
from tests.rules.editing_kit import signed_in

pytestmark = pytest.mark.django_db

TALK = "/en/talk/article/deal/"


@pytest.fixture(autouse=True)
def world(db: None) -> None:
    kit.world()


def test_members_talk_and_guests_read():
    client = signed_in(kit.member())
    answer = client.post(TALK, {"text": "In Breil we cut first."})
    made = Remark.objects.get()
    assert answer.headers["Location"] == f"{TALK}#remark-{made.pk}"
    page = Client().get("/de/talk/article/deal/").content.decode()
    assert "In Breil we cut first." in page


def test_a_guest_keeps_the_text_over_signing_in():
    client = Client()
    answer = client.post(TALK, {"text": "We cut first."})
    assert answer.status_code == 403
    assert "We cut first." in answer.content.decode()
    assert not Remark.objects.exists()
    client.force_login(kit.member().user)
    assert "We cut first." in client.get(TALK).content.decode()
    client.post(TALK, {"text": "We cut first."})
    assert Remark.objects.count() == 1


def test_an_answer_to_a_question_box_names_it():
    document = kit.published(kit.entry("article", "deal", "en")).document
    question = '\n\n::: question who-cuts\ntitle = "Who cuts?"\nreading = "The left."\n:::\n'
    kit.publish({**document, "text": document["text"] + question}, kit.editor())
    client = signed_in(kit.member())
    page = client.get(f"{TALK}?question=who-cuts").content.decode()
    assert "Who cuts?" in page
    client.post(TALK, {"text": "The right, at ours.", "question": "who-cuts"})
    assert Remark.objects.get().question == "who-cuts"
    client.post(TALK, {"text": "Something else."})
    assert "Something else." not in client.get(f"{TALK}?question=who-cuts").content.decode()
    assert "Who cuts?" in client.get(TALK).content.decode()


def test_who_has_said_something_comes_to_the_page_on_which_it_stands(monkeypatch):
    monkeypatch.setattr("rules.views.history._REMARKS_EACH", 2)
    client = signed_in(kit.member())
    for number in range(1, 4):
        answer = client.post(TALK, {"text": f"This is number {number}."})
    assert answer.headers["Location"] == f"{TALK}?page=2#remark-{Remark.objects.latest('pk').pk}"
    assert "This is number 3." in client.get(answer.headers["Location"]).content.decode()


@pytest.mark.services
@pytest.mark.parametrize("text", ["", "x" * 4001, "zero\0byte", "\u202eturned", "[x](https://pills.example/)"])
def test_what_is_refused_stays_in_the_field(text):
    answer = signed_in(kit.member()).post(TALK, {"text": text})
    assert answer.status_code == 422
    assert not Remark.objects.exists()
    assert answer.context["text"] == text
    assert answer.context["said"]


def test_markup_in_a_remark_is_only_text():
    signed_in(kit.editor()).post(TALK, {"text": "<script>alert(1)</script> <b>bold</b> javascript:alert(1)"})
    page = Client().get(TALK).content.decode()
    assert "<script>alert" not in page
    assert "<b>" not in page
    assert 'href="javascript' not in page


def test_an_editor_hides_with_a_reason_and_the_text_is_kept():
    signed_in(kit.member()).post(TALK, {"text": "You are all fools."})
    made = Remark.objects.get()
    client = signed_in(kit.editor())
    assert client.post(f"/en/talk/remark/{made.pk}/hide/", {"why": ""}).status_code == 422
    assert client.post(f"/en/talk/remark/{made.pk}/hide/", {"why": "An insult"}).status_code == 302
    assert "all fools" not in Client().get(TALK).content.decode()
    assert "Hidden by gion: An insult" in Client().get(TALK).content.decode()
    assert "all fools" in client.get(TALK).content.decode()
    assert client.post(f"/en/talk/remark/{made.pk}/hide/", {"why": "Again"}).status_code == 409


def test_a_member_hides_nothing():
    signed_in(kit.member()).post(TALK, {"text": "Mine."})
    made = Remark.objects.get()
    assert signed_in(kit.member("other")).post(f"/en/talk/remark/{made.pk}/hide/", {"why": "x"}).status_code == 404
    made.refresh_from_db()
    assert made.hidden_at is None


def test_a_page_that_is_not_there_has_no_discussion():
    assert Client().get("/en/talk/article/nothing/").status_code == 404
