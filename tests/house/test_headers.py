"""What every answer carries so that browsers guard its reader."""

import logging

import pytest
from django.test import Client
from django.utils import timezone

from games.daily.services import day_at
from troccas_site.logs import RequestIdFilter

pytestmark = pytest.mark.django_db


def policy(response) -> dict[str, list[str]]:
    directives = (part.split() for part in response["Content-Security-Policy"].split(";"))
    return {name: sources for name, *sources in directives}


@pytest.mark.parametrize("address", ["/en/account/login/", "/healthz", "/nothing/here"])
def test_the_policy_allows_our_own_files_and_sockets_only(client, address):
    found = policy(client.get(address, headers={"host": "localhost:8123"}))
    assert found["default-src"] == ["'self'"]
    assert found["connect-src"] == ["'self'", "ws://localhost:8123"]
    assert found["object-src"] == found["base-uri"] == found["frame-ancestors"] == ["'none'"]
    assert "unsafe-inline" not in str(found)
    assert "unsafe-eval" not in str(found)


def test_over_https_the_socket_is_a_safe_one(client):
    found = policy(client.get("/en/account/login/", secure=True, headers={"host": "localhost"}))
    assert "wss://localhost" in found["connect-src"]
    assert "ws://localhost" not in found["connect-src"]


def test_answers_are_not_framed_sniffed_or_told_to_others(client):
    response = client.get("/en/account/login/")
    assert response["X-Frame-Options"] == "DENY"
    assert response["X-Content-Type-Options"] == "nosniff"
    assert response["Referrer-Policy"] == "same-origin"
    assert response["Cross-Origin-Opener-Policy"] == "same-origin"


def test_cookies_are_out_of_reach_of_scripts_and_other_sites(client):
    client.get("/en/account/login/")
    client.post("/i18n/setlang/", {"language": "de", "next": "/en/account/login/"})
    client.post("/en/daily/play/", {"day": f"{day_at(timezone.now())}"})
    member = Client()
    member.post("/en/account/signup/", {"email": "a@example.org", "password1": "neun-und-dreissig", "name": "A"})
    found = [*client.cookies.items(), *member.cookies.items()]
    assert {"csrftoken", "language", "guest", "daily", "sessionid"} <= {name for name, _cookie in found}
    for name, cookie in found:
        assert cookie["httponly"], name
        assert cookie["samesite"] == "Lax", name


def test_pages_ask_for_nothing_of_a_device_and_pages_of_an_account_are_not_kept(client):
    page = client.get("/en/account/login/")
    assert "camera=()" in page["Permissions-Policy"]
    assert page["Cross-Origin-Resource-Policy"] == "same-origin"
    assert "no-store" in page["Cache-Control"]
    assert "no-store" not in client.get("/en/").get("Cache-Control", "")


def test_each_request_has_an_id_of_our_own(client):
    first = client.get("/healthz", headers={"x-request-id": "forged"})["X-Request-ID"]
    assert first != client.get("/healthz")["X-Request-ID"]
    assert "forged" not in first


def test_a_log_line_outside_of_requests_has_no_id():
    record = logging.LogRecord("x", logging.INFO, __file__, 1, "message", (), None)
    assert RequestIdFilter().filter(record)
    assert vars(record)["request_id"] == "-"


def test_a_healthy_site_says_so_and_is_not_remembered(client):
    response = client.get("/healthz")
    assert response.content == b"ok"
    assert "no-store" in response["Cache-Control"]
    assert client.post("/healthz").status_code == 405
