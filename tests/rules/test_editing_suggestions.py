"""Suggestions: shown against what is published now, decided by editors, seen only by those they concern."""

from __future__ import annotations

import pytest
from django.test import Client

from rules import services
from rules.models import Suggestion
from tests.rules import door_kit as kit
from tests.rules.editing_kit import fields_of, signed_in

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def world(db: None) -> None:
    kit.world()


def suggested(old: str = "One line", new: str = "A single line", *, by=None, language: str = "en") -> Suggestion:
    row = kit.entry("article", "deal", language)
    document = kit.changed_article(old, new, language=language)
    return services.suggest(row, document, by=by or kit.member(), base=row.published, comment="Clearer")


def text() -> str:
    return str(kit.published(kit.entry("article", "deal", "en")).document["text"])


def test_a_guest_is_asked_to_sign_in():
    for address in ("/en/suggestions/", "/en/queue/", "/en/queue/1/"):
        answer = Client().get(address)
        assert answer.status_code == 403
        assert "Sign in" in answer.content.decode()


def test_an_editor_accepts_in_the_name_of_the_author():
    made = suggested()
    client = signed_in(kit.editor())
    assert client.post(f"/en/queue/{made.pk}/", {"do": "accept", "answer": "Thanks"}).status_code == 302
    now = kit.published(kit.entry("article", "deal", "en"))
    assert (now.author.name, now.published_by.name) == ("onna", "gion")
    page = signed_in(made.author).get("/en/suggestions/").content.decode()
    assert "accepted" in page
    assert "gion answers: Thanks" in page


def test_an_editor_who_accepts_says_whether_translations_stay_valid():
    client = signed_in(kit.editor())
    author = kit.member()
    changes = [("One line", "A single line", {"minor": "1"}), ("third line", "last line", {})]
    for old, new, sent in changes:
        row = kit.entry("article", "deal", "en")
        document = {**row.published.document, "text": text().replace(old, new)}
        made = services.suggest(row, document, by=author, base=row.published, comment="Clearer")
        page = client.get(f"/en/queue/{made.pk}/").content.decode()
        assert "translations stay valid" in page
        assert client.post(f"/en/queue/{made.pk}/", {"do": "accept", **sent}).status_code == 302
        assert kit.published(kit.entry("article", "deal", "en")).minor is bool(sent)


def test_a_suggestion_that_is_changed_and_then_accepted_may_be_small_as_well():
    made = suggested()
    client = signed_in(kit.editor())
    page = client.get(f"/en/edit/article/deal/en/?suggestion={made.pk}")
    sent = {**fields_of(page), "minor": "1", "do": "publish"}
    assert client.post("/en/edit/article/deal/en/", sent).status_code == 302
    made.refresh_from_db()
    assert (made.state, made.became.minor) == ("accepted", True)


def test_declining_needs_an_answer():
    made = suggested()
    client = signed_in(kit.editor())
    refused = client.post(f"/en/queue/{made.pk}/", {"do": "decline", "answer": " ", "minor": "1"})
    assert refused.status_code == 422
    assert "Give a reason." in refused.content.decode()
    assert 'name="minor" value="1" checked' in refused.content.decode()
    assert client.post(f"/en/queue/{made.pk}/", {"do": "decline", "answer": "No source"}).status_code == 302
    made.refresh_from_db()
    assert (made.state, made.answer) == ("declined", "No source")


def test_a_translation_says_of_small_changes_what_its_form_says():
    made = suggested(language="de")
    page = signed_in(kit.editor()).get(f"/en/queue/{made.pk}/").content.decode()
    assert "A small change, such as a misprint" in page
    assert "translations stay valid" not in page


def test_a_suggestion_is_shown_against_what_is_published_now():
    made = suggested()
    kit.publish(kit.changed_article("third line", "last line"), kit.editor("maria"), comment="Other")
    page = signed_in(kit.editor()).get(f"/en/queue/{made.pk}/").content.decode()
    assert "has changed since" in page
    assert "A single line." in page
    assert page.count("<del>") == 1


def test_a_suggestion_that_clashes_is_changed_before_it_is_accepted():
    made = suggested()
    kit.publish(kit.changed_article("One line.", "The first line."), kit.editor("maria"), comment="Other")
    client = signed_in(kit.editor())
    page = client.get(f"/en/queue/{made.pk}/").content.decode()
    assert 'value="accept"' not in page
    own = signed_in(made.author).get(f"/en/queue/{made.pk}/").content.decode()
    for shown in (page, own):  # whoever reads it: an author accepts nothing
        assert "It must be changed before it can be accepted." in shown
    assert client.post(f"/en/queue/{made.pk}/", {"do": "accept"}).status_code == 409
    address = f"/en/edit/article/deal/en/?suggestion={made.pk}"
    form = fields_of(client.get(address))
    form["text"] = form["text"].replace("A single line.", "The first single line.")
    assert client.post(address, {**form, "do": "publish"}).status_code == 302
    made.refresh_from_db()
    assert (made.state, made.became.author.name) == ("accepted", "onna")
    assert "The first single line." in text()


def test_an_author_changes_and_takes_back_their_own():
    made = suggested()
    client = signed_in(made.author)
    address = f"/en/edit/article/deal/en/?suggestion={made.pk}"
    form = fields_of(client.get(address))
    assert "A single line." in form["text"]
    form["text"] = form["text"].replace("A single line", "Just one line")
    assert client.post(address, {**form, "do": "suggest"}).status_code == 302
    made.refresh_from_db()
    assert made.state == "withdrawn"
    newer = Suggestion.objects.get(state="open")
    assert "Just one line" in newer.document["text"]
    assert client.post(f"/en/queue/{newer.pk}/", {"do": "withdraw"}).status_code == 302
    assert not Suggestion.objects.filter(state="open").exists()


def test_another_member_neither_sees_nor_takes_up_a_suggestion():
    made = suggested()
    client = signed_in(kit.member("other"))
    assert client.get(f"/en/queue/{made.pk}/").status_code == 404
    form = fields_of(client.get(f"/en/edit/article/deal/en/?suggestion={made.pk}"))
    assert "A single line." not in form["text"]
    assert client.get("/en/queue/").status_code == 403


def test_a_member_does_not_decide():
    made = suggested()
    client = signed_in(made.author)
    assert client.post(f"/en/queue/{made.pk}/", {"do": "accept"}).status_code == 403
    assert client.post(f"/en/queue/{made.pk}/", {"do": "decline", "answer": "x"}).status_code == 403
    made.refresh_from_db()
    assert made.state == "open"


def test_what_was_decided_meanwhile_says_so():
    made = suggested()
    services.decline(made, by=kit.editor("maria"), answer="No")
    answer = signed_in(kit.editor()).post(f"/en/queue/{made.pk}/", {"do": "accept"})
    assert answer.status_code == 409
    assert "decided in the meantime" in answer.content.decode()


def test_the_queue_counts_by_language_and_narrows_down():
    suggested()
    suggested(by=kit.member("other"), language="de")
    row = kit.entry("source", "pagat")
    services.suggest(row, {**row.published.document, "year": "2026"}, by=kit.member("third"), base=row.published)
    client = signed_in(kit.editor())
    assert len(client.get("/en/queue/").context["rows"]) == 3
    assert [(str(words), count) for words, _address, count, _chosen in client.get("/en/queue/").context["filters"]] == [
        ("All", 3),
        ("English", 1),
        ("German", 1),
        ("several languages", 1),
    ]
    assert len(client.get("/en/queue/?language=de").context["rows"]) == 1
    assert len(client.get("/en/queue/?kind=source").context["rows"]) == 1
    assert len(client.get("/en/queue/?language=several").context["rows"]) == 1
    assert len(client.get("/en/queue/?language=x&kind=y&page=z").context["rows"]) == 3


def test_nothing_to_do_says_what_will_come():
    assert "No change to a page is waiting." in signed_in(kit.editor()).get("/en/queue/").content.decode()
    assert "not suggested anything yet" in signed_in(kit.member(accepted=0)).get("/en/suggestions/").content.decode()
