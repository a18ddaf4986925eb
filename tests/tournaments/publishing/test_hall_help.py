"""The page about phones in the hall knows the address of this very site."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.test import Client

pytestmark = pytest.mark.django_db
DOCS = Path(__file__).resolve().parents[3] / "docs" / "hall.md"


@pytest.mark.parametrize(
    ("site", "https", "said"),
    [
        ("http://127.0.0.1:8000", False, "no phone can open it"),
        ("http://192.168.1.20:8000", False, "address without HTTPS"),
        ("https://troccas.example", True, "address with HTTPS"),
    ],
)
def test_the_page_says_whether_codes_will_work(client: Client, settings, site: str, https: bool, said: str):
    settings.SITE_URL, settings.HTTPS = site, https
    text = client.get("/en/clubs/hall/").content.decode()
    assert said in text
    assert site in text


def test_page_and_document_name_the_same_settings(client: Client):
    text = client.get("/en/clubs/hall/").content.decode()
    document = DOCS.read_text(encoding="utf-8")
    for name in ("HOST", "SITE_URL", "ALLOWED_HOSTS", "TRUSTED_PROXIES", "DATABASE_URL", "REDIS_URL"):
        assert name in text
        assert name in document
