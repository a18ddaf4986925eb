"""“We say it differently”: told by anybody, decided by one press, shown with its village."""

from __future__ import annotations

import json

import pytest
from django.test import Client
from django.utils import timezone

from accounts import sessions
from accounts.models import Player
from accounts.services import retire
from notices.models import Outbox
from rules.markup.lexicon import lexicon
from rules.models import Concept, Entry, Place
from rules.readers import privacy
from rules.readers.models import Saying
from tests.rules import door_kit as kit
from tests.rules.editing_kit import fields_of, signed_in

pytestmark = pytest.mark.django_db

FORM = "/en/words/scart/say-so/"


@pytest.fixture(autouse=True)
def world(db: None) -> None:
    kit.world()
    kit.from_files(("source", "readers", "", {"title": "Told by readers"}))


def tell(client: Client, text: str = "il scart", village: str = "Breil", **more: str):
    sent = {"text": text, "village": village, "sure": "own", "told_by": "", **more}
    return client.post(FORM, sent)


def press(do: str, by=None, **more: str):
    saying = Saying.objects.latest("pk")
    return signed_in(by or kit.editor()).post(f"/en/queue/told/{saying.pk}/", {"do": do, **more})


def terms() -> list[dict]:
    return Concept.objects.get(key="words.scart").document["terms"]


def test_a_stranger_tells_how_they_say_it_and_is_thanked():
    answer = tell(Client(), told_by="Maria")
    assert answer.status_code == 302
    saying = Saying.objects.get()
    assert (saying.text, saying.village, saying.place, saying.name) == ("il scart", "Breil", "breil", "Maria")
    assert (saying.language, saying.player, saying.state) == ("rm-sursilv", None, "open")


def test_only_editors_are_led_to_the_long_form_and_everybody_has_the_short_one():
    for client, is_editor in ((Client(), False), (signed_in(kit.member()), False), (signed_in(kit.editor()), True)):
        page = client.get("/en/words/scart/")
        assert ("/edit/concept/words.scart/" in page.content.decode()) is is_editor
        assert ("Report a mistake" in page.content.decode()) is not is_editor
        assert set(fields_of(page, "say-form")) >= {"text", "village", "sure", "told_by"}
    assert "/edit/place/breil/" in Client().get("/en/places/breil/").content.decode()


def test_an_editor_finds_what_waits_and_is_asked_where_a_new_place_lies():
    tell(Client(), text="la scartada", village="Vrin")
    gion, onna = signed_in(kit.editor()), signed_in(kit.member())
    assert "/en/queue/" in gion.get("/en/you/").content.decode()
    assert "/en/queue/" not in onna.get("/en/you/").content.decode()
    saying = Saying.objects.get()
    done = gion.post(f"/en/queue/told/{saying.pk}/", {"do": "accept"}, follow=True).content.decode()
    assert 'href="/en/edit/place/vrin/"' in done
    tell(Client(), text="il scartun", village="Breil")
    done = gion.post(
        f"/en/queue/told/{Saying.objects.latest('pk').pk}/", {"do": "accept"}, follow=True
    ).content.decode()
    assert "/en/edit/place/" not in done
    place = Client().get("/en/places/vrin/").content.decode()
    assert place.count("la scartada") == 1
    history = Client().get("/en/history/concept/words.scart/").content.decode()
    assert "accepted by" not in history  # no account told it: it is the editor's


def test_nothing_stands_in_the_entry_before_an_editor_has_pressed():
    tell(Client(), text="la scartada")
    assert "la scartada" not in Client().get("/en/words/scart/").content.decode()


def test_one_press_puts_the_word_into_the_entry_with_its_village_and_source():
    tell(Client(), text="la scartada")
    assert press("accept").status_code == 302
    (term,) = [each for each in terms() if each["text"] == "la scartada"]
    assert (term["lang"], term["place"], term["sources"]) == ("rm-sursilv", "breil", ["readers: Breil"])
    page = Client().get("/en/words/scart/").content.decode()
    assert "How it is said in the villages" in page
    assert "la scartada" in Client().get("/en/places/breil/").content.decode()


def test_a_word_that_stands_there_already_is_confirmed_and_not_doubled():
    before = terms()
    tell(Client(), text="Scart")
    press("accept")
    assert terms() == before
    assert Saying.objects.get().became is None
    assert ">Scart</a>" in Client().get("/en/places/breil/").content.decode()


def test_a_word_of_which_somebody_is_not_certain_is_a_proposal():
    tell(Client(), text="la scartada", sure="unsure")
    press("accept")
    assert terms()[-1]["status"] == "proposed"


def test_a_proposal_that_somebody_says_is_one_no_more():
    tell(Client(), text="la scartada", sure="unsure")
    press("accept")
    tell(Client(), text="la scartada", village="Trun")
    press("accept", by=kit.editor("vreni"))
    assert terms()[-1]["status"] == "admitted"
    assert terms()[-1]["sources"] == ["readers: Breil", "readers: Trun"]


def test_a_village_that_nobody_has_named_yet_becomes_a_place():
    tell(Client(), text="la scartada", village="Vrin")
    press("accept")
    assert Place.objects.get(key="vrin").names == {"": "Vrin"}
    assert "Vrin" in Client().get("/en/places/").content.decode()


def test_the_editor_may_correct_the_language():
    tell(Client(), text="ds Abgleite", village="Vrin")
    press("accept", language="gsw")
    assert terms()[-1]["lang"] == "gsw"


def test_a_member_is_thanked_by_a_notice_and_is_the_author():
    member = kit.member()
    tell(signed_in(member), text="la scartada")
    press("accept")
    assert kit.published(kit.entry("concept", "words.scart")).author == member
    notice = Outbox.objects.get(event="readers.saying-accepted")
    assert notice.player == member
    from rules.readers import notifications

    worded = notifications.words(notice.event, notice.params, member, "en")
    assert "la scartada" in worded.subject
    assert worded.url == "/en/words/scart/"


def test_what_is_declined_stays_off_the_page():
    tell(Client(), text="rubbish")
    press("decline")
    assert Saying.objects.get().state == "declined"
    assert "rubbish" not in Client().get("/en/words/scart/").content.decode()


def test_a_decision_is_made_once():
    tell(Client())
    press("decline")
    press("accept", by=kit.editor("vreni"))
    assert Saying.objects.get().state == "declined"


def test_nobody_but_an_editor_decides():
    tell(Client())
    number = Saying.objects.get().pk
    for client in (Client(), signed_in(kit.member())):
        assert client.post(f"/en/queue/told/{number}/", {"do": "accept"}).status_code == 403
    assert Saying.objects.get().state == "open"


def test_an_editor_of_another_language_does_not():
    tell(Client(), text="la scartada")
    press("accept", by=kit.editor(language="de"))
    assert Saying.objects.get().state == "open"


@pytest.mark.parametrize(
    "wrong", [{"text": ""}, {"village": " "}, {"text": "!!!"}, {"sure": "very"}, {"told_by": "https://spam.example"}]
)
def test_what_cannot_be_read_is_said_and_nothing_is_lost(wrong):
    answer = tell(Client(), **{"text": "la scartada", **wrong})
    assert answer.status_code == 422
    assert not Saying.objects.exists()
    if "text" not in wrong:
        assert 'value="la scartada"' in answer.content.decode()


def test_the_same_twice_is_told_once():
    tell(Client())
    assert tell(Client(), text="IL SCART", village="breil").status_code == 422
    assert Saying.objects.count() == 1


def test_a_stranger_cannot_send_without_end():
    answers = [tell(Client(), text=f"wort {number}").status_code for number in range(13)]
    assert answers == [302] * 12 + [429]


def test_where_only_tellings_wait_the_queue_says_of_nothing_else_that_it_does_not_wait():
    tell(Client(), text="la scartada")
    page = signed_in(kit.editor()).get("/en/queue/").content.decode()
    told, _heading, changes = page.partition("<h2>Changes to pages</h2>")
    assert "la scartada" in told
    assert "No suggestions are waiting" not in page
    assert "No change to a page is waiting." in changes


def test_the_queue_shows_what_was_told_and_counts_it():
    tell(Client(), text="la scartada")
    page = signed_in(kit.editor()).get("/en/queue/").content.decode()
    assert "la scartada" in page
    assert "Told by readers" in page


def test_the_form_on_the_page_asks_four_things():
    fields = {name for name in fields_of(Client().get(FORM), "say-form") if name != "csrfmiddlewaretoken"}
    assert fields == {"text", "village", "sure", "told_by"}


@pytest.mark.parametrize(
    ("text", "place", "language"),
    [
        ("scart", "breil", "rm-sursilv"),  # in the Surselva, which here lies in no canton: the entry's own word
        ("discard", "breil", "en"),
        ("Abgleiti", "visp", "gsw"),
        ("scart", "visp", "gsw"),
        ("discard", "visp", "en"),
        ("anything", "", "rm-sursilv"),
    ],
)
def test_the_language_is_guessed_from_the_place_and_the_entry(text, place, language):
    kit.from_files(
        ("place", "wallis", "", {"names": {"": "Wallis"}, "sort": "canton"}),
        ("place", "visp", "", {"names": {"": "Visp"}, "sort": "village", "parent": "wallis"}),
    )
    from rules.readers import services

    document = Concept.objects.get(key="words.scart").document
    assert services.language_of(document, text, Place.objects.filter(key=place).first()) == language


def tell_new(client: Client, text: str = "il tgau", **more: str):
    sent = {"text": text, "meaning": "the last trick", "village": "Breil", "sure": "own", "told_by": "", **more}
    return client.post("/en/new/word/", sent)


def test_a_word_that_the_glossary_lacks_is_told_by_a_stranger_in_five_fields():
    page = Client().get("/en/search/?q=tgaussa")
    assert "/en/new/word/?word=tgaussa" in page.content.decode()
    form = fields_of(Client().get("/en/new/word/?word=tgaussa"), "say-form")
    assert {name for name in form if name != "csrfmiddlewaretoken"} == {"text", "meaning", "village", "sure", "told_by"}
    assert form["text"] == "tgaussa"
    assert tell_new(Client()).status_code == 302
    saying = Saying.objects.get()
    assert (saying.text, saying.meaning, saying.meaning_language, saying.place) == (
        "il tgau", "the last trick", "en", "breil",
    )  # fmt: skip
    assert saying.entry.published is None
    assert "il tgau" not in Client().get("/en/words/list/").content.decode()


def test_one_press_gives_the_new_word_a_page_with_its_meaning_village_and_source():
    member = kit.member()
    tell_new(signed_in(member))
    queue = signed_in(kit.editor()).get("/en/queue/").content.decode()
    assert "the last trick" in queue
    assert "New word" in queue
    press("accept", by=kit.editor("vreni"), theme="counting")
    concept = Concept.objects.get(key="words.il-tgau")
    assert concept.document["theme"] == "counting"
    assert concept.document["definitions"] == {"en": {"text": "the last trick", "sources": ["readers: Breil"]}}
    (term,) = concept.document["terms"]
    assert (term["text"], term["lang"], term["status"], term["sources"]) == (
        "il tgau", "rm-sursilv", "admitted", ["readers: Breil"],
    )  # fmt: skip
    page = Client().get("/en/words/il-tgau/").content.decode()
    assert "the last trick" in page
    assert kit.published(concept.entry).author == member
    assert Outbox.objects.filter(event="readers.saying-accepted", player=member).exists()


def test_a_new_word_that_is_declined_has_no_page_and_its_teller_is_told():
    member = kit.member()
    tell_new(signed_in(member))
    press("decline")
    assert Client().get("/en/words/il-tgau/").status_code == 404
    notice = Outbox.objects.get(event="readers.saying-declined")
    from rules.readers import notifications

    worded = notifications.words(notice.event, notice.params, member, "en")
    assert worded is not None
    assert "il tgau" in worded.subject
    assert worded.url == "/en/words/"
    assert notifications.still_true(notice.event, notice.params, member)
    assert '"il tgau"' in json.dumps(privacy.export(member), default=str)


def test_nothing_is_left_of_a_new_word_that_is_declined_but_that_it_was():
    tell_new(Client())
    tell_new(Client(), village="Vrin")
    first, second = Saying.objects.order_by("pk")
    gion = signed_in(kit.editor())
    gion.post(f"/en/queue/told/{first.pk}/", {"do": "decline"})
    assert Entry.objects.filter(key="words.il-tgau").exists()  # the other one waits
    gion.post(f"/en/queue/told/{second.pk}/", {"do": "decline"})
    assert not Entry.objects.filter(key="words.il-tgau").exists()
    assert [(saying.state, saying.entry) for saying in Saying.objects.all()] == [("declined", None)] * 2
    for do in ("decline", "accept"):
        page = gion.post(f"/en/queue/told/{second.pk}/", {"do": do}, follow=True).content.decode()
        assert "has been decided in the meantime" in page
    tell_new(Client())
    press("accept", by=kit.editor("vreni"))
    assert Concept.objects.get(slug="il-tgau").key == "words.il-tgau"


def test_a_new_word_that_waits_goes_with_the_account_of_who_told_it():
    member = kit.member()
    tell_new(signed_in(member))
    privacy.release(member)
    assert not Saying.objects.exists()
    assert not Entry.objects.filter(key="words.il-tgau").exists()


def test_what_somebody_without_an_account_told_stays_when_their_games_are_forgotten():
    """As it does if they have never played: only who has an account has it deleted with it."""
    guest, browser = Player.objects.create(), Client()
    browser.cookies["guest"] = sessions.issue_guest_token(guest)
    tell_new(browser)
    assert Saying.objects.get().player == guest
    assert retire(guest, timezone.now())
    assert Saying.objects.get().player is None
    assert not Player.objects.filter(pk=guest.pk).exists()
    press("accept")
    assert Concept.objects.filter(slug="il-tgau").exists()


def test_a_word_that_is_written_like_another_one_is_taken_once_it_is_said_to_be_another():
    first = tell_new(Client(), text="scart")
    assert first.status_code == 422
    page = first.content.decode()
    assert "already" in page
    assert 'href="/en/words/scart/#say-so"' in page
    assert "other" not in fields_of(Client().get("/en/new/word/?word=tgaussa"), "say-form")
    form = fields_of(first, "say-form")
    assert (form["text"], form["meaning"], form["village"]) == ("scart", "the last trick", "Breil")
    assert 'name="other"' in page
    assert tell_new(Client(), text="scart", other="on").status_code == 302
    queue = signed_in(kit.editor("vreni")).get("/en/queue/").content.decode()
    assert "In the glossary already" in queue
    press("accept")
    made = Concept.objects.get(key="words.scart-2")
    assert made.document["terms"][0]["text"] == "scart"
    assert "the last trick" in Client().get(f"/en/words/{made.slug}/").content.decode()
    found = Client().get("/en/search/?q=scart&in=words").content.decode()
    assert '/en/words/scart/"' in found
    assert '/en/words/scart-2/"' in found


def test_two_who_tell_the_same_new_word_tell_it_of_one_entry():
    tell_new(Client())
    tell_new(Client(), meaning="the trick at the end", village="Vrin")
    assert tell_new(Client(), text="IL TGAU").status_code == 422
    for saying in Saying.objects.order_by("pk"):
        assert saying.entry.key == "words.il-tgau"
        signed_in(kit.editor(f"editor-{saying.pk}")).post(f"/en/queue/told/{saying.pk}/", {"do": "accept"})
    document = Concept.objects.get(key="words.il-tgau").document
    assert document["definitions"]["en"]["text"] == "the last trick"
    assert [each["sources"] for each in document["terms"]] == [["readers: Breil"]]
    assert [saying.village for saying in Saying.objects.filter(state="accepted")] == ["Breil", "Vrin"]


@pytest.mark.parametrize(
    "wrong", [{"meaning": " "}, {"meaning": "see https://spam.example"}, {"text": "Scart"}, {"village": ""}]
)
def test_a_new_word_that_cannot_be_taken_is_refused_and_nothing_is_lost(wrong):
    answer = tell_new(Client(), **wrong)
    assert answer.status_code == 422
    assert not Saying.objects.exists()
    if "village" in wrong:
        assert 'value="il tgau"' in answer.content.decode()


def test_a_new_word_whose_address_another_word_has_gets_a_number():
    kit.from_files(("concept", "words.tgau", "", {"theme": "play", "terms": [{"lang": "de", "text": "Strich"}]}))
    tell_new(Client(), text="tgau")
    press("accept")
    assert Concept.objects.get(key="words.tgau-2").document["terms"][0]["text"] == "tgau"


def test_texts_go_on_meaning_the_word_that_was_there_before():
    kit.from_files(
        (
            "concept",
            "words.zero",
            "",
            {"theme": "play", "terms": [{"lang": "rm-sursilv", "text": "tgau", "status": "proposed"}]},
        )
    )
    tell_new(Client(), text="tgau", other="on")
    press("accept")
    assert Concept.objects.filter(key="words.tgau").exists()
    found = lexicon("en").own_word("tgau", "troccas")
    assert found is not None
    assert found[0].key == "words.zero"


def test_only_editors_are_led_from_there_to_the_form_with_all_fields():
    for client, is_editor in ((Client(), False), (signed_in(kit.member()), False), (signed_in(kit.editor()), True)):
        assert ("/en/new/concept/" in client.get("/en/new/word/").content.decode()) is is_editor
