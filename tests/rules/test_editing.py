"""Editing: everybody suggests, editors publish, and whatever happens the text that was typed is still on the page."""

from __future__ import annotations

import pytest
from django.test import Client

from rules import documents, services
from rules.models import Entry, Revision, Suggestion
from tests.rules import door_kit as kit
from tests.rules.editing_kit import fields_of, filled, signed_in

pytestmark = pytest.mark.django_db

DEAL = "/en/edit/article/deal/en/"
SCART = "/en/edit/concept/words.scart/"


@pytest.fixture(autouse=True)
def world(db: None) -> None:
    kit.world()


def deal() -> Revision:
    return kit.published(kit.entry("article", "deal", "en"))


# --- The form ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("address", "kind", "key", "language"),
    [
        (DEAL, "article", "deal", "en"),
        (SCART, "concept", "words.scart", ""),
        ("/en/edit/source/pagat/", "source", "pagat", ""),
        ("/en/edit/place/breil/", "place", "breil", ""),
    ],
)
def test_a_form_that_nobody_touched_changes_nothing(address, kind, key, language):
    client = signed_in(kit.editor())
    before = kit.published(kit.entry(kind, key, language))
    answer = client.post(address, {**filled(client, address, comment="nothing"), "do": "publish"})
    assert answer.status_code == 422
    assert "Nothing would be changed" in answer.content.decode()
    assert kit.published(kit.entry(kind, key, language)) == before


@pytest.mark.slow
def test_the_form_of_every_entry_of_the_files_says_what_the_entry_says(settings):
    """For each word, source and place the program comes with: what its form sends is what is published."""
    from django.http import QueryDict

    from rules import content_files as filing
    from rules import forms
    from rules.forms import Choices

    choices = Choices("en")
    read = filing.read_files(filing.CONTENT)
    assert len(read.entries) > 300
    for each in read.entries:
        parts, more = forms.parts_of(each.kind, each.document, choices)
        data = QueryDict(mutable=True)
        for part in (*parts, *more):
            _send(part, data)
        assert documents.check(each.kind, forms.document_of(each.kind, data)) == each.document, each.key


def _send(part, data) -> None:
    from rules.forms import Widget

    if part.widget in (Widget.GROUP, Widget.ROWS, Widget.LIST):
        for inner in (*part.parts, *part.more):
            _send(inner, data)
    elif part.widget is Widget.CITATION:
        data[f"{part.path}.key"], data[f"{part.path}.at"] = part.value, part.at
    elif part.widget is Widget.CHECKS:
        data.setlist(part.path, [value for value, _words, chosen in part.checks if chosen])
    elif part.widget is Widget.CHECK:
        if part.value:
            data[part.path] = "1"
    else:
        data[part.path] = str(part.value)


def test_an_editor_publishes_at_once():
    client = signed_in(kit.editor())
    text = deal().document["text"].replace("One line", "A single line")
    answer = client.post(DEAL, {**filled(client, DEAL, text=text, comment="Clearer"), "do": "publish"})
    assert answer.status_code == 302
    assert "A single line." in deal().document["text"]
    assert (deal().comment, deal().author.name) == ("Clearer", "gion")


def test_a_member_suggests_and_the_page_stays_as_it_is():
    client = signed_in(kit.member())
    before = deal()
    page = client.get(DEAL).content.decode()
    assert 'value="suggest"' in page
    assert 'value="publish"' not in page
    text = before.document["text"].replace("One line", "A single line")
    answer = client.post(DEAL, {**filled(client, DEAL, text=text, comment="Clearer"), "do": "suggest"})
    made = Suggestion.objects.get(state="open")
    assert answer.headers["Location"] == f"/en/queue/{made.pk}/"
    assert deal() == before
    assert "A single line." in client.get(answer.headers["Location"]).content.decode()


def test_a_member_who_asks_to_publish_is_refused_and_keeps_the_text():
    client = signed_in(kit.member())
    answer = client.post(DEAL, {**filled(client, DEAL, text="Mine.", comment="Why"), "do": "publish"})
    assert answer.status_code == 403
    assert fields_of(answer)["text"] == "Mine."


def test_a_change_needs_a_reason_unless_it_is_small():
    client = signed_in(kit.editor())
    sent = filled(client, DEAL, text="## Deal {#deal}\n\nNew.")
    answer = client.post(DEAL, {**sent, "do": "publish"})
    assert answer.status_code == 422
    assert "what you changed, and why" in answer.content.decode()
    asked = "What did you change, and why?"
    assert f'<a href="#f-comment">{asked}</a> Say in a few words' in answer.content.decode(), "as its field is called"
    assert f'<label for="f-comment" class="below-1">{asked}' in answer.content.decode()
    assert fields_of(answer)["text"] == "## Deal {#deal}\n\nNew."
    assert client.post(DEAL, {**sent, "minor": "1", "do": "publish"}).status_code == 302
    assert deal().minor


def test_what_is_wrong_stands_at_its_field_and_nothing_is_lost():
    client = signed_in(kit.editor())
    sent = filled(client, SCART, terms__0__text="", definitions__en__text="Other words.", comment="Why")
    answer = client.post(SCART, {**sent, "do": "publish"})
    page = answer.content.decode()
    assert answer.status_code == 422
    assert 'href="#f-terms.0.text"' in page
    assert 'aria-describedby="f-terms.0.text-wrong' in page
    assert fields_of(answer)["definitions.en.text"] == "Other words."


def test_a_text_that_cannot_be_shown_is_told_by_its_line_and_kept_only_on_purpose():
    client = signed_in(kit.editor())
    sent = filled(client, DEAL, text="## Deal {#deal}\n\n::: example one\nkind = \n:::\n", comment="Try")
    answer = client.post(DEAL, {**sent, "do": "publish"})
    assert answer.status_code == 422
    assert 'data-line="4"' in answer.content.decode() or 'data-line="3"' in answer.content.decode()
    assert deal().number == 1
    assert client.post(DEAL, {**sent, "anyway": "1", "do": "publish"}).status_code == 302


def test_the_buttons_beside_rows_work_without_script():
    client = signed_in(kit.editor())
    sent = filled(client, SCART)
    more = client.post(SCART, {**sent, "add": "terms"})
    assert "terms.3.text" in fields_of(more)
    moved = client.post(SCART, {**fields_of(more), "terms.3.lang": "fr", "terms.3.text": "écart", "up": "terms.3"})
    assert fields_of(moved)["terms.2.text"] == "écart"
    fewer = client.post(SCART, {**fields_of(moved), "take-out": "terms.0"})
    assert [fields_of(fewer)[f"terms.{n}.text"] for n in range(3)] == ["scart", "écart", "Scart"]
    assert client.post(SCART, {**fields_of(fewer), "comment": "Order", "do": "publish"}).status_code == 302
    words = kit.published(kit.entry("concept", "words.scart")).document["terms"]
    assert [word["text"] for word in words] == ["scart", "écart", "Scart"]


@pytest.mark.parametrize(
    "path", ["terms.x", "terms.²", "terms.99", "nothing", "terms.0.lang", "terms.0.examples.7", "." * 40]
)
@pytest.mark.parametrize("button", ["add", "take-out", "up"])
@pytest.mark.slow(but="take-out-terms.0.examples.7")
def test_a_button_that_names_no_row_does_nothing(button, path):
    client = signed_in(kit.editor())
    sent = filled(client, SCART)
    answer = client.post(SCART, {**sent, button: path})
    assert answer.status_code == 200
    assert {name: value for name, value in fields_of(answer).items() if name.startswith("terms.")} == {
        name: value for name, value in sent.items() if name.startswith("terms.")
    }


def test_sources_and_places_are_chosen_from_those_there_are():
    client = signed_in(kit.editor())
    page = client.get(SCART).content.decode()
    assert '<option value="lt">lt – Lebendige Traditionen</option>' in page
    assert '<option value="breil">Breil (Surselva)</option>' in page
    sent = filled(
        client, SCART, definitions__en__sources__1__key="lt", definitions__en__sources__1__at="2", comment="Cite"
    )
    assert client.post(SCART, {**sent, "do": "publish"}).status_code == 302
    definition = kit.published(kit.entry("concept", "words.scart")).document["definitions"]["en"]
    assert definition["sources"] == ["pagat: The Scart", "lt: 2"]


def test_the_comparison_shows_the_change_before_it_is_sent():
    client = signed_in(kit.editor())
    answer = client.post(DEAL, {**filled(client, DEAL, title="The packets"), "do": "compare"})
    page = answer.content.decode()
    assert "<ins>" in page
    assert "packets" in page
    assert deal().number == 1


# --- Nothing is lost --------------------------------------------------------------------------------------------------


def test_a_guest_writes_first_signs_in_then_sends():
    member = kit.member()
    client = Client()
    assert "You need an account" in client.get(DEAL).content.decode()
    sent = filled(client, DEAL, text="Written by a guest.", comment="Why")
    answer = client.post(DEAL, {**sent, "do": "suggest"})
    assert answer.status_code == 403
    assert fields_of(answer)["text"] == "Written by a guest."
    assert "/account/login/?next=/en/edit/article/deal/en/" in answer.content.decode()
    client.force_login(member.user)
    back = client.get(DEAL)
    assert "before you signed in" in back.content.decode()
    assert fields_of(back)["text"] == "Written by a guest."
    assert client.post(DEAL, {**fields_of(back), "do": "suggest"}).status_code == 302
    assert Suggestion.objects.get(state="open").document["text"] == "Written by a guest."
    assert "before you signed in" not in client.get(DEAL).content.decode()


def test_a_kept_text_can_be_thrown_away():
    client = Client()
    client.post(DEAL, {**filled(client, DEAL, text="Mine."), "do": "suggest"})
    client.force_login(kit.member().user)
    back = client.get(DEAL)
    assert 'name="do" value="drop"' in back.content.decode()
    assert client.post(DEAL, {**fields_of(back), "do": "drop"}).status_code == 302
    assert fields_of(client.get(DEAL))["text"] == deal().document["text"]


def test_a_form_from_before_a_login_comes_back_whole_and_does_nothing():
    client = signed_in(kit.editor(), enforce_csrf_checks=True)
    sent = filled(client, DEAL, text="Mine.", comment="Why")
    sent["csrfmiddlewaretoken"] = "x" * 64
    answer = client.post(DEAL, {**sent, "do": "publish"}, headers={"origin": "http://testserver"})
    assert answer.status_code == 403
    assert "press the button once more" in answer.content.decode()
    assert deal().number == 1
    again = fields_of(answer)
    assert again["text"] == "Mine."
    done = client.post(DEAL, {**again, "do": "publish"}, headers={"origin": "http://testserver"})
    assert done.status_code == 302


@pytest.mark.parametrize("origin", ["https://elsewhere.example", None])
def test_a_form_from_another_site_is_not_shown_again(origin):
    client = signed_in(kit.editor(), enforce_csrf_checks=True)
    sent = {**filled(client, DEAL, text="Theirs."), "csrfmiddlewaretoken": "x" * 64, "do": "publish"}
    answer = client.post(DEAL, sent, headers={"origin": origin} if origin else {})
    assert answer.status_code == 403
    assert "Theirs." not in answer.content.decode()


def test_too_many_changes_are_refused_and_the_text_stays():
    client = signed_in(kit.member("new", days=0, accepted=0))
    for number in range(6):
        sent = filled(client, DEAL, text=f"Number {number}.", comment="Why")
        assert client.post(DEAL, {**sent, "do": "suggest"}).status_code == 302
    answer = client.post(DEAL, {**filled(client, DEAL, text="One more.", comment="Why"), "do": "suggest"})
    assert answer.status_code == 429
    assert fields_of(answer)["text"] == "One more."


def test_what_arrived_is_told_to_the_page_so_that_its_copy_can_go():
    client = signed_in(kit.editor())
    sent = filled(client, DEAL, title="The packets", comment="Why")
    client.post(DEAL, {**sent, "do": "publish"})
    assert f'data-sent="{sent["form"]}"' in client.get(DEAL).content.decode()


# --- Two people at once -----------------------------------------------------------------------------------------------


def test_changes_in_different_places_are_joined():
    one, other = signed_in(kit.editor("gion")), signed_in(kit.editor("maria"))
    first = filled(one, DEAL, text=deal().document["text"].replace("One line", "Line one"), comment="First")
    second = filled(other, DEAL, text=deal().document["text"].replace("third line", "last line"), comment="Second")
    assert one.post(DEAL, {**first, "do": "publish"}).status_code == 302
    assert other.post(DEAL, {**second, "do": "publish"}).status_code == 302
    assert "Line one." in deal().document["text"]
    assert "A last line." in deal().document["text"]


def test_a_clash_shows_both_texts_and_keeps_mine_in_the_form():
    one, other = signed_in(kit.editor("gion")), signed_in(kit.editor("maria"))
    text = deal().document["text"]
    first = filled(one, DEAL, text=text.replace("One line.", "Gion’s line."), title="Giving", comment="First")
    second = filled(other, DEAL, text=text.replace("One line.", "Maria’s line."), comment="Second")
    one.post(DEAL, {**first, "do": "publish"})
    answer = other.post(DEAL, {**second, "do": "publish"})
    page = answer.content.decode()
    assert answer.status_code == 409
    assert "Where both of you changed something" in page
    assert "Gion" in page
    form = fields_of(answer)
    assert "Maria’s line." in form["text"]
    assert form["title"] == "Giving"
    assert deal().document["text"].count("Gion’s line.") == 1
    assert other.post(DEAL, {**form, "do": "publish"}).status_code == 302
    assert "Maria’s line." in deal().document["text"]
    assert deal().document["title"] == "Giving"


@pytest.mark.services
def test_a_base_that_is_none_of_this_page_is_not_believed():
    client = signed_in(kit.editor())
    other = kit.published(kit.entry("concept", "words.scart")).pk
    for base in (str(other), "999999999", "x", "-1", "9" * 40):
        sent = filled(client, DEAL, text="Mine.", base=base, comment="Why")
        answer = client.post(DEAL, {**sent, "do": "publish"})
        assert answer.status_code == 422
        assert fields_of(answer)["text"] == "Mine."
    assert deal().number == 1


# --- Translations -----------------------------------------------------------------------------------------------------


GERMAN = "/en/edit/article/deal/de/"


def outdated() -> None:
    kit.publish(kit.changed_article("One line", "A new line"), kit.editor("flurin"), comment="Newer")


def test_a_translator_sees_what_changed_since_and_says_that_the_translation_follows():
    outdated()
    client = signed_in(kit.editor(language="de"))
    page = client.get(GERMAN).content.decode()
    assert "lags behind by 1 change" in page
    assert "<ins>" in page
    newest = deal()
    sent = filled(client, GERMAN, comment="It says so already", says=str(newest.pk))
    assert client.post(GERMAN, {**sent, "do": "publish"}).status_code == 302
    german = kit.entry("article", "deal", "de")
    assert german.published.follows == newest
    assert services.staleness(german) is None


def test_a_small_change_leaves_translations_valid():
    client = signed_in(kit.editor())
    sent = filled(client, DEAL, title="The Deal", minor="1")
    client.post(DEAL, {**sent, "do": "publish"})
    assert services.staleness(kit.entry("article", "deal", "de")) is None


def test_an_editor_of_german_publishes_german_only():
    client = signed_in(kit.editor(language="de"))
    assert 'value="publish"' in client.get(GERMAN).content.decode()
    assert 'value="publish"' not in client.get(DEAL).content.decode()
    sent = filled(client, DEAL, title="Mine", comment="Why")
    assert client.post(DEAL, {**sent, "do": "publish"}).status_code == 403
    assert client.post(DEAL, {**sent, "do": "suggest"}).status_code == 302


def test_a_new_translation_begins_with_the_source_and_is_not_taken_as_it_stands():
    address = "/en/edit/article/deal/rm-sursilv/"
    client = signed_in(kit.editor())
    sent = filled(client, address, comment="Emprema translaziun")
    assert sent["text"] == deal().document["text"]
    answer = client.post(address, {**sent, "do": "publish"})
    assert answer.status_code == 422
    assert "still the text in English" in answer.content.decode()
    assert not Entry.objects.filter(language="rm-sursilv").exists()
    text = sent["text"].replace("One line", "Ina lingia")
    assert client.post(address, {**sent, "text": text, "do": "publish"}).status_code == 302
    assert kit.entry("article", "deal", "rm-sursilv").published.follows == deal()


# --- New pages --------------------------------------------------------------------------------------------------------


def test_a_new_word_gets_its_short_name_from_the_word():
    client = signed_in(kit.member())
    sent = filled(
        client,
        "/en/new/concept/",
        theme="play",
        terms__0__lang="de",
        terms__0__text="Schwätzer",
        comment="Said in Trun",
    )
    answer = client.post("/en/new/concept/", {**sent, "do": "suggest"})
    assert answer.status_code == 302
    made = Suggestion.objects.get(state="open")
    assert (made.entry.key, made.entry.slug) == ("words.schwatzer", "schwatzer")
    assert made.document["terms"] == [{"lang": "de", "text": "Schwätzer", "status": "admitted"}]


def test_a_suggestion_that_was_declined_keeps_no_short_name():
    client = signed_in(kit.member())
    for number in range(2):
        sent = filled(
            client, "/en/new/concept/", theme="play", terms__0__lang="de", terms__0__text="Schwätzer", comment="Trun"
        )
        assert client.post("/en/new/concept/", {**sent, "do": "suggest"}).status_code == 302
        made = Suggestion.objects.get(state="open")
        assert (made.entry.key, made.entry.slug) == ("words.schwatzer", "schwatzer")
        services.decline(made, by=kit.editor(f"editor-{number}"), answer="Nobody knows it")


def test_a_word_that_was_looked_for_waits_alone_and_unfolded_for_its_language():
    page = Client().get("/en/new/concept/?word=tgaussa").content.decode()
    before, _value, _rest = page.partition('value="tgaussa"')
    assert 'name="terms.0.lang"' in before
    assert '<details class="fold whole-row"' not in page
    assert 'name="terms.1.lang"' not in page


def test_a_choice_that_is_missing_is_named_as_the_list_names_it():
    client = signed_in(kit.member())
    form = fields_of(client.get("/en/new/concept/?word=Stichelstock"))
    page = client.post("/en/new/concept/", {**form, "do": "suggest", "comment": "New"}).content.decode()
    assert page.count("Choose one of the options in the list.") == 4  # two fields, and the list of what is wrong
    assert "rm-sursilv, rm-rumgr" not in page
    assert "Words › Stichelstock › language" in page


def test_a_refused_new_page_leaves_no_trace():
    client = signed_in(kit.member())
    sent = filled(client, "/en/new/source/", title="A book", author="Onna Caduff", year="1999", comment="")
    answer = client.post("/en/new/source/", {**sent, "do": "suggest"})
    assert answer.status_code == 422
    assert fields_of(answer)["title"] == "A book"
    assert not Entry.objects.filter(key="caduff-1999").exists()
    assert client.post("/en/new/source/", {**sent, "comment": "A find", "do": "suggest"}).status_code == 302
    assert Entry.objects.filter(key="caduff-1999").exists()


def test_a_new_page_may_not_take_the_name_of_another():
    client = signed_in(kit.editor())
    sent = filled(client, "/en/new/place/", key="breil", names__all="Breil", sort="village", comment="Again")
    answer = client.post("/en/new/place/", {**sent, "do": "publish"})
    assert answer.status_code == 422
    assert fields_of(answer)["key"] == "breil"


def test_a_phrase_has_its_own_form():
    client = signed_in(kit.editor())
    sent = filled(
        client,
        "/en/new/concept/?sort=phrase",
        terms__0__lang="rm-sursilv",
        terms__0__text="Ina buna",
        tells__en="a good hand",
        literal__en="a good one",
        strength="4",
        comment="Heard",
    )
    answer = client.post("/en/new/concept/", {**sent, "do": "publish"})
    assert answer.status_code == 302
    document = kit.published(kit.entry("concept", "phrases.ina-buna")).document
    assert (document["sort"], document["strength"], document["tells"]) == ("phrase", 4, {"en": "a good hand"})


# --- Protection -------------------------------------------------------------------------------------------------------


def test_a_protected_page_says_so_and_keeps_the_text():
    services.protect(kit.entry("article", "deal", "en"), "editors", by=kit.administrator())
    client = signed_in(kit.member())
    assert "protected at the moment" in client.get(DEAL).content.decode()
    sent = filled(client, DEAL, text="Mine.", comment="Why")
    answer = client.post(DEAL, {**sent, "do": "suggest"})
    assert answer.status_code == 403
    assert fields_of(answer)["text"] == "Mine."


def test_spam_is_refused_in_words_and_the_text_stays():
    client = signed_in(kit.member())
    sent = filled(client, DEAL, text="See [this](https://pills.example/buy).", comment="Why")
    answer = client.post(DEAL, {**sent, "do": "suggest"})
    assert answer.status_code == 422
    assert "pills.example" in answer.content.decode()
    assert fields_of(answer)["text"] == "See [this](https://pills.example/buy)."


# --- The preview ------------------------------------------------------------------------------------------------------

PREVIEW = f"{DEAL}preview/"


def test_the_preview_shows_the_text_and_what_is_wrong_with_it():
    answer = signed_in(kit.member()).post(PREVIEW, {"text": "Hello *there*.\n\n::: nonsense\n:::\n", "title": "x"})
    page = answer.content.decode()
    assert "<em>there</em>" in page
    assert 'data-line="3"' in page


def test_previews_are_limited_and_say_so():
    client = signed_in(kit.member())
    codes = [client.post(PREVIEW, {"text": "x"}).status_code for _number in range(45)]
    assert codes[0] == 200
    assert codes[-1] == 429
    assert "rests for a moment" in client.post(PREVIEW, {"text": "x"}).content.decode()
    answer = client.post(DEAL, {**filled(client, DEAL, text="Mine."), "do": "compare"})
    assert answer.status_code == 429
    assert fields_of(answer)["text"] == "Mine."


def test_the_preview_works_without_script_too():
    client = signed_in(kit.member())
    answer = client.post(DEAL, {**filled(client, DEAL, text="Hello *there*."), "do": "preview"})
    assert answer.status_code == 200
    assert "<em>there</em>" in answer.content.decode()
    assert fields_of(answer)["text"] == "Hello *there*."


# --- Addresses --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "address",
    [
        "/en/edit/article/nothing/en/",
        "/en/edit/article/deal/gsw/",
        "/en/edit/concept/words.scart/en/",
        "/en/edit/concept/nothing/",
        "/en/edit/nothing/deal/",
        "/en/new/nothing/",
    ],
)
def test_there_is_no_form_for_what_cannot_be(address):
    assert signed_in(kit.editor()).get(address).status_code == 404


def test_an_article_without_a_language_is_edited_in_that_of_the_page():
    answer = signed_in(kit.editor()).get("/de/edit/article/deal/")
    assert answer.headers["Location"] == "/de/edit/article/deal/de/"
