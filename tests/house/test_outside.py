"""What others look for at fixed addresses, what a browser keeps of pages, and the privacy notice, which says what holds."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from django.conf import settings as site
from django.test import Client
from django.urls import reverse

from accounts import sessions
from accounts.models import Player
from games.table import tasks
from people import tasks as people
from tests.accounts.conftest import PASSWORD
from troccas_site import backups

pytestmark = pytest.mark.django_db


def test_who_finds_a_hole_learns_where_to_write(client, settings):
    assert client.get("/.well-known/security.txt").status_code == 404
    settings.SECURITY_CONTACT = "mailto:security@example.org"
    answer = client.get("/.well-known/security.txt")
    assert answer["Content-Type"] == "text/plain; charset=utf-8"
    said = dict(line.split(": ", 1) for line in answer.content.decode().splitlines())
    assert said["Contact"] == "mailto:security@example.org"
    left = datetime.fromisoformat(said["Expires"]) - datetime.now(UTC)
    assert timedelta(days=170) < left < timedelta(days=365)
    assert said["Canonical"].endswith("/.well-known/security.txt")


def test_password_managers_find_where_a_password_is_changed(client):
    answer = client.get("/.well-known/change-password")
    assert answer.status_code == 302
    assert answer["Location"].endswith("/account/password/change/")


OWN_PAGES = ("/en/my-games/", "/en/notices/", "/en/account/sessions/", "/en/account/email/", "/en/people/")


def test_a_browser_keeps_no_page_of_a_person_and_none_with_a_name_for_somebody_else(client, django_user_model):
    """So signing out has nothing to clear, and waits for nothing."""
    user = django_user_model.objects.create_user("onna@example.org", PASSWORD)
    for known in (client, Client()):
        if known is client:
            known.force_login(user)
        else:
            known.cookies["guest"] = sessions.issue_guest_token(Player.objects.create())
        for path in OWN_PAGES:
            answer = known.get(path)
            assert answer.status_code == 302 or "no-store" in answer["Cache-Control"], path
        for path in ("/en/", "/en/words/", "/en/daily/"):
            answer = known.get(path)
            assert "no-store" in answer.get("Cache-Control", "") or "Cookie" in answer["Vary"], path
    answer = client.post(reverse("account_logout"))
    assert answer.status_code == 302
    assert "Clear-Site-Data" not in answer


@pytest.mark.parametrize("language", ["en", "de", "rm-sursilv"])
def test_every_page_leads_to_the_notice_and_it_names_who_runs_the_site(client, settings, language):
    settings.OPERATOR = "Uniun Troccas, Trun"
    address = f"/{language}/privacy/"
    assert f'href="{address}"' in client.get(f"/{language}/").content.decode()
    assert "Uniun Troccas, Trun" in client.get(address).content.decode()


def test_the_notice_says_what_the_program_does(client):
    text = " ".join(client.get("/en/privacy/").content.decode().split())
    assert (timedelta(days=30), timedelta(days=30)) == (tasks.IDLE_GUEST, tasks.IDLE_GAME)
    assert "does not come back for 30 days is forgotten" in text
    assert timedelta(seconds=site.SESSION_COOKIE_AGE) == timedelta(weeks=2)
    assert "two weeks after the sign-in" in text
    assert timedelta(days=2 * 365) == people.KEPT
    assert "two years" in text
    assert timedelta(weeks=2) == tasks.TOLD_KEPT
    assert max(age for age, _period in backups._KEPT) <= timedelta(days=366)
    assert "one year" in text


def test_every_test_that_the_list_of_security_names_is_there():
    root = Path(__file__).resolve().parents[2]
    named = re.findall(r"`(tests/[\w/.]+)(?:::(\w+))?`", (root / "docs" / "security.md").read_text(encoding="utf-8"))
    assert len(named) > 50
    missing = [
        (file, test)
        for file, test in named
        if not (root / file).exists() or (test and f"def {test}(" not in (root / file).read_text(encoding="utf-8"))
    ]
    assert missing == []
