"""Cards and words in templates."""

from pathlib import Path

import pytest
from django.conf import settings as site
from django.contrib.staticfiles.storage import ManifestStaticFilesStorage
from django.template import engines
from django.utils import translation
from pytest_django import Settings

from rules.text.names import UnknownTerm


def render(source: str, **context: object) -> str:
    return engines["django"].from_string("{% load deck %}" + source).render(context)


def test_a_card_is_a_named_picture_from_the_sprite() -> None:
    assert render('{% card "CK" %}') == (
        '<svg class="card" viewBox="0 0 120 216" role="img" aria-label="King of cups">'
        '<use href="/static/deck/deck.svg#CK"></use></svg>'
    )


def test_a_decorative_card_is_hidden_from_screen_readers() -> None:
    assert render('{% card "CK" decorative=True css="is-led" %}') == (
        '<svg class="card is-led" viewBox="0 0 120 216" aria-hidden="true" focusable="false">'
        '<use href="/static/deck/deck.svg#CK"></use></svg>'
    )


def test_a_card_is_named_in_the_language_of_the_page() -> None:
    with translation.override("de"):
        assert 'aria-label="Becher-König"' in render("{% card code %}", code="CK")


def test_the_back_of_a_card_shows_nothing_but_that() -> None:
    back = render('{% card "back" %}')
    assert 'aria-label="Face-down card"' in back
    assert "deck.svg#back" in back


@pytest.mark.parametrize("code", ["XX", '"><script>', ""])
def test_what_is_no_card_is_not_drawn(code: str) -> None:
    with pytest.raises(UnknownTerm):
        render("{% card code %}", code=code)


def test_a_card_may_stand_in_a_variable() -> None:
    assert render('{% card "T21" as it %}[{{ it }}]').startswith("[<svg")


def test_classes_are_escaped() -> None:
    assert "&lt;b&gt;" in render("{% card 'CK' css=css %}", css="<b>")


def test_the_sprite_is_named_by_its_content_in_production(tmp_path: Path, settings: Settings) -> None:
    storage = ManifestStaticFilesStorage(location=tmp_path)
    (tmp_path / "deck").mkdir()
    (tmp_path / "deck" / "deck.svg").write_text("<svg/>", encoding="utf-8")
    assert list(storage.post_process({"deck/deck.svg": (storage, "deck/deck.svg")}))
    settings.STORAGES = {
        **site.STORAGES,
        "staticfiles": {
            "BACKEND": "django.contrib.staticfiles.storage.ManifestStaticFilesStorage",
            "OPTIONS": {"location": str(tmp_path)},
        },
    }
    hashed = Path(storage.stored_name("deck/deck.svg")).name
    assert hashed != "deck.svg"
    assert f'<use href="/static/deck/{hashed}#CK">' in render('{% card "CK" %}')


def test_the_games_own_word_is_marked_as_its_language_and_explained() -> None:
    with translation.override("de"):
        assert render('{% own_word "liber" %}') == (
            '<span lang="rm-sursilv" class="own-word" title="frei: Der Geber darf wählen, ob es weitergeht">liber</span>'
        )


def test_the_words_of_troggu_are_valais_german() -> None:
    assert render('{% own_word "tapp" %}').startswith('<span lang="gsw" class="own-word"')


def test_a_word_nobody_attests_is_marked_as_a_draft_or_german() -> None:
    with translation.override("rm-sursilv"):
        draft = render('{% word "card" %}')
        unattested = render('{% word "trick" %}')
    assert 'class="word draft"' in draft
    assert "carta" in draft
    assert "draft" not in render('{% word "card" %}')
    assert "Stich" in unattested
    assert "levada" not in unattested


def test_filters_name_cards_suits_and_ranks() -> None:
    source = '{{ "CK"|card_name }}; {{ "CK"|card_object }}; {{ "T9"|card_short }}; {{ "C"|suit_name }}; '
    assert render(source + '{{ "Q"|rank_name }}; {{ 4|trump_numeral }}') == (
        "King of cups; the king of cups; VIIII; cups; queen; IIII"
    )
