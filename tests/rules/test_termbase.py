"""Names on screens follow what is published, and never ask the database."""

from __future__ import annotations

from typing import Any

import pytest
from django.core.management import call_command
from django.test import Client

from rules import content_files, services, terms
from rules.content_files import Loaded
from rules.models import Catalogue, Term
from rules.text import names
from tests.rules import door_kit
from tests.rules.door_kit import entry, published

USED = ("suits.cups", "ranks.king", "ranks.cavalier", "ranks.jack", "words.card", "phrases.dar-da-freid")


@pytest.fixture
def loaded(db: None) -> None:
    """The concepts these tests change, as the files have them."""
    files = content_files.read_files().entries
    content_files.publish_files([filed for filed in files if filed.key in USED or filed.kind == "source"], Loaded())
    terms.refresh(force=True)


def change(key: str, lang: str, said: str, **fields: Any) -> None:
    """Publish a change of one term of a concept."""
    row = entry("concept", key)
    document = published(row).document
    assert any((term["lang"], term["text"]) == (lang, said) for term in document["terms"])
    changed = [
        {**term, **fields} if (term["lang"], term["text"]) == (lang, said) else term for term in document["terms"]
    ]
    services.publish(row, {**document, "terms": changed}, by=door_kit.editor(key.replace(".", "-")), base=row.published)


def all_names() -> dict[str, Any]:
    """Everything the screens call by name, in every language of the pages."""
    found: dict[str, Any] = {}
    for lang in ("en", "de", "rm-sursilv"):
        for code in ("CK", "OQ", "SN", "BJ", "B10", "T1", "T21", "F"):
            forms = [names.card_term(code, lang, form) for form in ("label", "running", "object")]
            found[f"{code} {lang}"] = [(form.text, form.lang) for form in forms]
            found[f"{code} short {lang}"] = names.card_short(code, lang)
        words = {word: names.word(word, lang) for word in terms.content("words")["words"]}
        found |= {f"{word} {lang}": (term.text, term.lang, term.meaning) for word, term in words.items()}
        found |= {f"{phrase.id} {lang}": (phrase,) for phrase in names.phrases(lang)}
    return found


@pytest.mark.django_db
@pytest.mark.slow
def test_what_is_published_from_the_files_says_the_same_as_the_short_files() -> None:
    from_files = all_names()
    call_command("content", verbosity=0)
    assert terms.refresh(force=True)
    assert terms.version() > 0
    # Where the short files fall back to another language, those of content/terms may know a word.
    others = {"en": (), "de": ("en",), "rm-sursilv": ("en", "de")}
    known = {key: name for key, name in from_files.items() if not {*others[key.split()[-1]]} & {*map(str, name[1:2])}}
    assert len(known) > 300
    assert {key: name for key, name in all_names().items() if key in known} == known
    # ... and the snapshot says what the rows say.
    for key in terms.concept_keys():
        for lang in ("en", "de", "rm-sursilv", "gsw"):
            rows = Term.objects.filter(concept__key=key, language=lang).exclude(status="deprecated")
            assert [name.text for name in terms.names(key, lang) or ()] == [row.text for row in rows]


@pytest.mark.django_db
def test_a_published_word_is_the_name_on_screen_after_the_next_look(loaded: None) -> None:
    assert names.card_name("CK", "de") == "Becher-König"
    before = terms.version()
    change("suits.cups", "de", "Becher", text="Kelch")
    assert names.card_name("CK", "de") == "Becher-König"
    assert terms.refresh(force=True)
    assert terms.version() > before
    assert names.card_name("CK", "de") == "Kelch-König"
    assert names.suit_name("C", "de") == "Kelch"
    assert [name.text for name in terms.names("suits.cups", "de") or ()][:1] == ["Kelch"]


@pytest.mark.django_db
def test_forms_and_drafts_are_followed(loaded: None) -> None:
    change("ranks.jack", "de", "Bube", forms={"inflected": "Bubens"}, status="proposed")
    terms.refresh(force=True)
    assert names.card_object("CJ", "de") == "den Becher-Bubens"
    assert names.card_term("CJ", "de").draft


@pytest.mark.django_db
def test_a_deprecated_word_is_no_name(loaded: None) -> None:
    change("ranks.cavalier", "de", "Reiter", status="deprecated")
    terms.refresh(force=True)
    assert names.rank_name("N", "de") == "Ritter"


@pytest.mark.django_db
def test_where_every_word_is_deprecated_the_english_one_stands_but_never_nothing(loaded: None) -> None:
    row = entry("concept", "words.card")
    document = published(row).document
    gone = [{**term, "status": "deprecated"} for term in document["terms"]]
    services.publish(row, {**document, "terms": gone}, by=door_kit.editor(), base=row.published)
    terms.refresh(force=True)
    assert names.word("card", "de").text == "card"
    assert names.word("card", "en").text == "card"


@pytest.mark.django_db
def test_a_language_that_is_not_published_falls_back_to_the_file(loaded: None) -> None:
    row = entry("concept", "words.card")
    document = published(row).document
    only_english = [term for term in document["terms"] if term["lang"] == "en"]
    services.publish(row, {**document, "terms": only_english}, by=door_kit.editor(), base=row.published)
    terms.refresh(force=True)
    assert names.word("card", "de").text == "Karte"


@pytest.mark.django_db
def test_the_phrase_book_follows_what_is_published(loaded: None) -> None:
    row = entry("concept", "phrases.dar-da-freid")
    document = published(row).document
    told = {**document, "tells": {**document["tells"], "de": "kein einziger Trumpf"}, "strength": 1}
    services.publish(row, told, by=door_kit.editor(), base=row.published)
    change("phrases.dar-da-freid", "rm-sursilv", "dar da freid", status="proposed")
    terms.refresh(force=True)
    phrase = names.by_id("dar-da-freid", "de")
    assert (phrase.tells, phrase.strength, phrase.draft) == ("kein einziger Trumpf", 1, True)
    assert phrase.romansh == "dar da freid"


@pytest.mark.django_db
def test_a_refresh_asks_once_and_then_waits(loaded: None, django_assert_num_queries) -> None:
    terms.forget_last_look()
    with django_assert_num_queries(1):
        assert not terms.refresh()
    with django_assert_num_queries(0):
        assert not terms.refresh()


@pytest.mark.django_db
def test_pages_bring_the_names_up_to_date(loaded: None, client: Client) -> None:
    change("suits.cups", "en", "cups", text="goblets")
    terms.forget_last_look()
    client.get("/en/")
    assert names.suit_name("C", "en") == "goblets"


@pytest.mark.django_db(transaction=True)
@pytest.mark.slow
def test_whoever_publishes_sees_it_at_once(loaded: None) -> None:
    terms.refresh(force=True)
    assert not terms.refresh()
    change("suits.cups", "en", "cups", text="goblets")
    assert terms.refresh()
    assert names.suit_name("C", "en") == "goblets"


def test_names_need_no_database() -> None:
    assert names.card_name("CK", "en") == "King of cups"
    assert terms.names("suits.cups", "en") is None
    assert terms.version() == 0


@pytest.mark.django_db
def test_a_site_without_published_words_speaks_from_its_files() -> None:
    Catalogue.objects.all().delete()
    assert not terms.refresh(force=True)
    assert names.suit_name("C", "en") == "cups"
