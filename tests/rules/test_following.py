"""Following pages, feeds of pages, definitions that lag behind, the word of the day, and what goes with an account."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Any

import feedparser
import pytest
from django.test import Client

from accounts import privacy
from notices.models import Outbox
from rules import services
from rules.models import Concept, Remark
from rules.readers import following, notifications, selectors
from rules.readers.models import FollowedPage, Saying
from tests.rules import door_kit as kit
from tests.rules.editing_kit import signed_in

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def world(db: None) -> None:
    kit.world()


def defined(by, **texts: str) -> None:
    """Publish the concept with these definitions changed."""
    row = kit.entry("concept", "words.scart")
    document = {**row.published.document}
    minor = texts.pop("minor", "") == "yes"
    document["definitions"] = {
        **document.get("definitions", {}),
        **{code: {"text": text} for code, text in texts.items()},
    }
    services.publish(row, document, by=by, base=row.published, minor=minor)


def outdated() -> dict[str, int]:
    return selectors.outdated_definitions(Concept.objects.select_related("entry").get(key="words.scart"))


def test_a_member_is_told_once_until_they_have_read_it():
    reader, editor = kit.member(), kit.editor()
    row = kit.entry("concept", "words.scart")
    assert signed_in(reader).post(f"/en/follow/{row.pk}/", {"do": "follow"}).status_code == 302
    defined(editor, en="First")
    defined(editor, en="Second")
    (notice,) = Outbox.objects.filter(event=following.CHANGED)
    assert notice.player == reader
    assert notifications.still_true(notice.event, notice.params, reader)
    assert "/history/concept/words.scart/compare/" in notifications.words(notice.event, notice.params, reader, "en").url
    Outbox.objects.update(read_at=notice.created_at)
    defined(editor, en="Third")
    assert Outbox.objects.filter(event=following.CHANGED).count() == 2


def test_nobody_is_told_of_their_own_change():
    editor = kit.editor()
    following.follow(kit.entry("concept", "words.scart"), by=editor)
    defined(editor, en="First")
    assert not Outbox.objects.exists()


def test_who_follows_a_translation_hears_of_its_english_page():
    reader, editor = kit.member(), kit.editor()
    following.follow(kit.entry("article", "deal", "de"), by=reader)
    kit.publish(kit.changed_article("One line", "A line"), editor)
    notice = Outbox.objects.get(event=following.CHANGED)
    assert notice.player == reader
    assert notifications.words(notice.event, notice.params, reader, "de").subject.endswith("(English)")
    assert notifications.words(notice.event, notice.params, reader, "en").subject == "Changed: The deal"


def test_following_ends_with_a_press_and_strangers_cannot():
    reader, row = kit.member(), kit.entry("concept", "words.scart")
    client = signed_in(reader)
    client.post(f"/en/follow/{row.pk}/", {"do": "follow"})
    assert "Stop following this page" in client.get("/en/words/scart/").content.decode()
    assert "/en/words/scart/" in client.get("/en/follow/").content.decode()
    client.post(f"/en/follow/{row.pk}/", {"do": "stop"})
    assert not FollowedPage.objects.exists()
    assert Client().post(f"/en/follow/{row.pk}/", {"do": "follow"}).status_code == 403


def test_each_page_has_a_feed_of_its_own():
    defined(kit.editor(), en="First")
    feed = feedparser.parse(Client().get("/changes.atom?page=concept:words.scart").content)
    other = feedparser.parse(Client().get("/changes.atom?page=article:deal:de").content)
    assert len(feed.entries) == 2
    assert "discard" in feed.feed.title
    assert len(other.entries) == 1


def test_a_definition_lags_behind_once_the_english_one_has_changed():
    editor = kit.editor()
    defined(editor, en="First", de="Erstens")
    assert outdated() == {}
    defined(editor, en="Second")
    assert outdated() == {"de": 1}
    defined(editor, en="Third")
    assert outdated() == {"de": 2}
    defined(editor, de="Drittens")
    assert outdated() == {}


def test_minor_changes_and_those_taken_back_leave_it_valid():
    editor = kit.editor()
    defined(editor, en="First", de="Erstens")
    defined(editor, en="First.", minor="yes")
    assert outdated() == {}
    defined(editor, en="Second")
    assert outdated() == {"de": 1}
    defined(editor, en="First.")
    assert outdated() == {}


def test_an_editor_finds_a_definition_still_true():
    editor = kit.editor()
    defined(editor, en="First", de="Erstens")
    defined(editor, en="Second")
    page = signed_in(editor).get("/en/words/scart/").content.decode()
    assert "the definition in German has not followed 1 change" in page
    assert "Mark as up to date" in page
    signed_in(editor).post("/en/words/scart/still-true/", {"language": "de"})
    assert outdated() == {}
    defined(editor, en="Third")
    assert outdated() == {"de": 1}


def test_only_editors_of_the_language_find_it_true():
    defined(kit.editor(), en="First", de="Erstens")
    defined(kit.editor("anna"), en="Second")
    signed_in(kit.editor("jean", "fr")).post("/en/words/scart/still-true/", {"language": "de"})
    assert signed_in(kit.member()).post("/en/words/scart/still-true/", {"language": "de"}).status_code == 403
    assert outdated() == {"de": 1}


def test_every_word_has_its_day_before_one_comes_again():
    for number in range(5):
        name = f"words.day-{number}"
        document = {"theme": "play", "terms": [{"lang": "gsw", "text": f"Wort {number}"}]}
        kit.from_files(("concept", name, "", {**document, "definitions": {"en": {"text": "A word."}}}))
    keys = selectors._keys_of_days()
    assert len(keys) >= 5
    first = date(2026, 11, 24)
    shown = [selectors.of_the_day(first + timedelta(days=day)).key for day in range(len(keys))]
    assert sorted(shown) == sorted(keys)
    assert selectors.of_the_day(first).key == shown[0]


def test_the_front_page_shows_it():
    defined(kit.editor(), en="Cards laid away.")
    page = Client().get("/en/").content.decode()
    assert "Word of the day" in page


def test_an_account_takes_along_what_it_wrote_here():
    member = kit.member()
    row = kit.entry("concept", "words.scart")
    services.suggest(row, {**row.published.document, "note": {"en": "A note."}}, by=member, base=row.published)
    services.remark("concept", "words.scart", "Is it so?", by=member)
    following.follow(row, by=member)
    Saying.objects.create(entry=row, language="rm-sursilv", text="il scart", village="Vrin", name="Onna", player=member)
    own: Any = privacy.export_of(member)["rules"]
    assert [each["entry"] for each in own["suggested"]][-1] == "concept words.scart"
    assert [each["text"] for each in own["remarks"]] == ["Is it so?"]
    assert [each["word"] for each in own["words_told"]] == ["il scart"]
    assert [each["page"] for each in own["followed_pages"]] == ["concept words.scart"]


def test_what_is_personal_goes_with_the_account_and_what_is_published_stays():
    member = kit.member(accepted=0)
    row = kit.entry("concept", "words.scart")
    open_one = services.suggest(row, {**row.published.document, "note": {"en": "A."}}, by=member, base=row.published)
    services.remark("concept", "words.scart", "My address is …", by=member)
    following.follow(row, by=member)
    told = {"entry": row, "language": "rm-sursilv", "village": "Vrin", "name": "Onna", "player": member}
    Saying.objects.create(text="la scart", state="accepted", **told)
    Saying.objects.create(text="ina scart", **told)
    privacy.erase(member.user)
    (saying,) = Saying.objects.all()
    assert (saying.text, saying.name, saying.player) == ("la scart", "", None)
    assert not FollowedPage.objects.exists()
    assert not type(open_one).objects.filter(pk=open_one.pk).exists()
    assert not Remark.objects.exists()
