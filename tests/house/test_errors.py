"""Whatever breaks, nobody is shown more than that it broke."""

import logging
import re
import sqlite3
from secrets import token_hex

import pytest
from django.conf import settings
from django.core import mail
from django.db import OperationalError, connection
from django.db.utils import DatabaseErrorWrapper
from django.http import HttpRequest, HttpResponse
from django.test import Client
from django.urls import path, reverse

from troccas_site import urls as site_urls

CARDS = token_hex(16)
PASSWORD = token_hex(16)
COOKIE = token_hex(16)


def breaks(request: HttpRequest) -> HttpResponse:
    """A view with something in its hand when it stumbles."""
    hand = CARDS.upper().lower()
    raise RuntimeError(f"a hand of {len(hand)}")


def no_database(request: HttpRequest) -> HttpResponse:
    """The file of the database cannot be opened."""
    if connection.vendor == "sqlite":
        with DatabaseErrorWrapper(connection):
            sqlite3.connect("/nowhere/at/all.sqlite3")
    raise OperationalError("the server closed the connection")


def wrong_query(request: HttpRequest) -> HttpResponse:
    """On SQLite, OperationalError as well."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT * FROM games_nothing")
    return HttpResponse()


urlpatterns = [
    path("breaks", breaks),
    path("no-database", no_database),
    path("wrong-query", wrong_query),
    *site_urls.urlpatterns,
]
handler400, handler500 = site_urls.handler400, site_urls.handler500


@pytest.fixture
def broken(settings, caplog, db):
    """What is answered and what is logged when the view breaks, with or without debugging."""

    def answer(*, debug: bool):
        settings.ROOT_URLCONF = __name__
        settings.DEBUG = debug
        client = Client(raise_request_exception=False)
        client.cookies["guest"] = COOKIE
        with caplog.at_level(logging.DEBUG):
            response = client.post("/breaks", {"password": PASSWORD})
        formatter = logging.Formatter()
        return response, "\n".join(formatter.format(record) for record in caplog.records)

    return answer


@pytest.mark.parametrize("debug", [False, True])
def test_neither_page_nor_log_nor_mail_shows_local_variables_forms_or_cookies(broken, debug):
    response, log = broken(debug=debug)
    assert response.status_code == 500
    assert "RuntimeError" in log
    for secret in (CARDS, PASSWORD, COOKIE):
        assert secret not in response.content.decode()
        assert secret not in log
    assert mail.outbox == []


def test_while_debugging_the_page_shows_where_it_broke_but_no_settings(broken, settings):
    settings.REDIS_URL = "redis://:geheim@host"
    response, _log = broken(debug=True)
    page = response.content.decode()
    assert "RuntimeError" in page
    assert "breaks" in page
    assert "geheim" not in page
    assert settings.SECRET_KEY not in page


def test_in_real_life_the_page_says_only_that_it_broke(broken):
    response, _log = broken(debug=False)
    page = response.content.decode()
    assert "Something went wrong on our side" in page
    assert "RuntimeError" not in page


@pytest.mark.parametrize(("language", "told"), [("en", "Back in a moment"), ("de", "Gleich wieder da")])
def test_while_the_database_is_away_a_page_says_so_and_when_to_come_back(settings, db, language, told):
    settings.ROOT_URLCONF = __name__
    client = Client(raise_request_exception=False, headers={"accept-language": language})
    response = client.get("/no-database")
    assert (response.status_code, response["Retry-After"]) == (503, "10")
    assert told in response.content.decode()


def test_a_query_that_is_wrong_is_a_fault_of_ours(settings, db):
    settings.ROOT_URLCONF = __name__
    response = Client(raise_request_exception=False).get("/wrong-query")
    assert response.status_code == 500
    assert "Retry-After" not in response


def test_a_program_is_told_that_the_database_is_away(db, monkeypatch):
    def away(*_args, **_named):
        raise OperationalError("the server closed the connection")

    monkeypatch.setattr("games.api.rulesets._ruleset", away)
    response = Client(raise_request_exception=False).get("/api/v1/play/rulesets")
    assert (response.status_code, response.json()["code"], response["Retry-After"]) == (503, "away", "10")


def test_nothing_mails_error_pages():
    handlers = [
        handler for logger in ("", "django", "django.request") for handler in logging.getLogger(logger).handlers
    ]
    assert not [handler for handler in handlers if handler.__class__.__name__ == "AdminEmailHandler"]


@pytest.mark.parametrize("address", ["/nothing/here", "/de/nothing/here", "/g/nothing-here/"])
def test_an_unknown_address_gets_a_page_of_ours(client, db, address):
    response = client.get(address)
    assert response.status_code == 404
    assert 'href="/static/css/site.css"' in response.content.decode()


def test_a_form_from_elsewhere_gets_a_page_that_explains(db):
    response = Client(enforce_csrf_checks=True).post("/i18n/setlang/", {"language": "de"})
    assert response.status_code == 403
    assert "Please try that again" in response.content.decode()


def test_a_host_we_are_not_gets_a_page_without_the_reason(client, db):
    response = client.get("/en/account/login/", headers={"host": "elsewhere.example"})
    assert response.status_code == 400
    assert "We could not read that request" in response.content.decode()
    assert "ALLOWED_HOSTS" not in response.content.decode()


@pytest.mark.parametrize(("language", "told"), [("en", "another host"), ("de", "anderen Host")])
def test_a_program_that_names_another_host_is_told_so_in_its_own_form(client, db, language, told):
    headers = {"host": "elsewhere.example", "accept-language": language}
    response = client.get("/api/v1/play/rulesets", headers=headers)
    problem = response.json()
    assert (response.status_code, response["Content-Type"]) == (400, "application/problem+json; charset=utf-8")
    assert (problem["status"], problem["code"]) == (400, "unreadable")
    assert told in problem["detail"]
    assert [wrong["where"] for wrong in problem["errors"]] == ["Host"]
    assert response["Access-Control-Allow-Origin"] == "*"
    encyclopedia = client.get("/api/v1/", headers=headers)
    assert encyclopedia.status_code == 400
    assert told in encyclopedia.json()["detail"]


def unplugged(get_response):
    """A middleware that needs the database, while it is away."""

    def answer(request: HttpRequest) -> HttpResponse:
        raise OperationalError("the server closed the connection")

    return answer


def test_a_program_is_told_in_its_own_form_what_fails_before_its_view(settings, db):
    settings.MIDDLEWARE = [*settings.MIDDLEWARE, f"{__name__}.unplugged"]
    client = Client(raise_request_exception=False)
    response = client.get("/api/v1/play/rulesets")
    assert (response.status_code, response.json()["code"], response["Retry-After"]) == (503, "away", "10")
    assert "at its data" in client.get("/api/v1/").json()["detail"]
    assert "Back in a moment" in client.get("/en/").content.decode()


def test_error_pages_look_like_the_others():
    """They name their style sheets themselves, so as not to depend on the manifest; the list must be the same."""
    templates = settings.BASE_DIR / "templates"
    frame = (templates / "base.html").read_text(encoding="utf-8")
    ours = (templates / "error.html").read_text(encoding="utf-8")
    of_every_page = re.findall(r"static 'css/([\w-]+[.]css)'", frame.split("{% block head %}")[0])
    assert of_every_page
    assert re.findall(r'"/static/css/([\w-]+[.]css)"', ours) == [*of_every_page, "error.css"]


def test_an_address_that_only_takes_a_form_is_a_page_too(client, db):
    browser = {"accept": "text/html,*/*"}
    only_post = reverse("accounts:block", args=["abc"])
    response = client.get(only_post, headers={**browser, "referer": "http://testserver/en/people/?page=2"})
    assert response.status_code == 405
    assert 'href="/en/people/?page=2"' in response.content.decode()
    assert (
        "evil" not in client.get("/healthz", headers={**browser, "referer": "https://evil.example/"}).content.decode()
    )
    assert client.post("/healthz").content == b""  # a program reads the status


@pytest.mark.parametrize("before", [{}, {"referer": "http://testserver/g/abc/act/"}], ids=["opened again", "language"])
def test_what_a_refused_form_left_in_the_address_line_leads_to_its_page(client, db, before):
    response = client.get("/g/abc/act/", headers={"accept": "text/html,*/*", **before})
    assert (response.status_code, response["Location"]) == (302, "/g/abc/")


def test_where_no_page_stands_above_an_address_for_forms_that_is_said(client, db):
    assert client.get(reverse("games:play_now"), headers={"accept": "text/html,*/*"}).status_code == 405
