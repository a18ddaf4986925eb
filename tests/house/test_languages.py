"""The languages of the whole site, the same pages, and a switch that keeps you where you are."""

import re
from datetime import UTC, date, datetime
from urllib.parse import urlsplit

import pytest
from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.validators import MinValueValidator
from django.urls import reverse
from django.utils import formats, translation
from django.utils.translation import get_language_info, override

from accounts.choices import canton_choices
from clubs.forms.club import SearchForm

CODES = [code for code, _name in settings.INTERFACE_LANGUAGES]


@pytest.mark.parametrize("code", CODES)
@pytest.mark.django_db
def test_every_language_has_its_pages(client, code):
    response = client.get(f"/{code}/account/login/")
    assert response.status_code == 200
    written_in = "de" if code == "rm-sursilv" else code  # what is Sursilvan there is marked
    assert f'<html lang="{written_in}"' in response.content.decode()
    assert response["Content-Language"] == code


@pytest.mark.parametrize("code", [code for code, _name in settings.LANGUAGES])
@pytest.mark.django_db
def test_every_language_has_the_words_of_our_scripts(client, code):
    response = client.get(f"/{code}/jsi18n/")
    assert response.status_code == 200
    assert response["Content-Type"].startswith("text/javascript")
    assert b"gettext" in response.content
    assert "public" in response["Cache-Control"]
    assert client.get(f"/{code}/jsi18n/", headers={"if-none-match": response["ETag"]}).status_code == 304


@pytest.mark.django_db
def test_a_language_that_is_not_there_is_not_found(client):
    assert client.get("/es/account/login/").status_code == 404


def test_sursilvan_has_a_name():
    assert get_language_info("rm-sursilv")["name_local"] == "sursilvan"


@pytest.mark.django_db
@pytest.mark.parametrize("code", CODES)
def test_the_switch_keeps_the_page_and_its_question(client, code):
    response = client.post("/i18n/setlang/", {"language": code, "next": "/en/account/login/?next=/x"})
    assert response.status_code == 302
    assert response["Location"] == f"/{code}/account/login/?next=/x"


@pytest.mark.django_db
def test_the_switch_keeps_a_page_without_a_language_and_is_remembered(client):
    response = client.post("/i18n/setlang/", {"language": "de", "next": "/g/abc123/"})
    assert response["Location"] == "/g/abc123/"
    assert client.get("/g/abc123/")["Content-Language"] == "de"


def test_german_is_spelled_as_in_switzerland_whoever_wrote_the_words():
    with override("de"):
        with pytest.raises(ValidationError) as wrong:
            MinValueValidator(1)(0)
        assert wrong.value.messages == ["Dieser Wert muss grösser oder gleich 1 sein."]


@pytest.mark.django_db
def test_who_reads_in_a_language_goes_on_in_it_where_the_address_has_none(client):
    client.get("/de/account/login/")
    assert client.get("/g/abc123/")["Content-Language"] == "de"


@pytest.mark.django_db
def test_the_words_of_our_scripts_carry_no_cookie(client):
    assert not client.get("/de/jsi18n/").cookies


@pytest.mark.django_db
def test_the_switch_sends_nobody_elsewhere(client):
    response = client.post("/i18n/setlang/", {"language": "de", "next": "https://elsewhere.example/"})
    assert urlsplit(response["Location"]).netloc == ""


@pytest.mark.django_db
def test_the_switch_asks_for_a_post(client):
    client.get("/i18n/setlang/?language=de")
    assert "language" not in client.cookies


@pytest.mark.parametrize(
    ("code", "written_date", "written_number"),
    [
        ("en", "21 November 2026", "1,234.5"),
        ("de", "21. November 2026", "1’234.5"),
        ("rm-sursilv", "21.11.2026", "1’234.5"),
        ("fr", "21 novembre 2026", "1\u202f234,5"),
        ("it", "21.11.2026", "1’234.5"),
    ],
)
def test_dates_and_numbers_are_written_as_the_language_does(code, written_date, written_number):
    with translation.override(code):
        assert formats.date_format(date(2026, 11, 21)) == written_date
        assert formats.number_format(1234.5, use_l10n=True, force_grouping=True) == written_number


@pytest.mark.parametrize("code", ["en", "de", "rm-sursilv"])
def test_short_dates_are_written_alike_on_the_screen_and_on_paper(code):
    with translation.override(code):
        assert formats.date_format(date(2026, 10, 2), "SHORT_DATE_FORMAT") == "2.10.2026"
        assert (
            formats.date_format(datetime(2026, 10, 2, 9, 5, tzinfo=UTC), "SHORT_DATETIME_FORMAT") == "2.10.2026 09:05"
        )


def test_cantons_stand_in_the_order_of_their_names():
    with translation.override("de"):
        offered = [str(name) for _code, name in canton_choices()]
        asked = re.findall(r">([^<]+)</option>", str(SearchForm()["canton"]))
    assert offered[0] == "–"
    assert asked[1:] == offered[1:]
    assert offered[5:9] == ["Basel-Stadt", "Bern", "Freiburg", "Genf"]
    assert offered[-4:] == ["Waadt", "Wallis", "Zug", "Zürich"]


def test_addresses_follow_the_language():
    with translation.override("rm-sursilv"):
        assert reverse("account_login") == "/rm-sursilv/account/login/"
