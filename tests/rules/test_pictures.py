"""The picture of each page of rules and words: named in its head, drawn once, and a real picture."""

from __future__ import annotations

import re
import struct
from unittest.mock import patch

import pytest
from django.core.cache import caches
from django.test import Client

from rules.pictures import png
from rules.views import pictures
from tests.rules import door_kit as kit

pytestmark = pytest.mark.django_db

PICTURE = re.compile(r'property="og:image" content="http://[^/"]+(/[^"]+)"')


@pytest.fixture(autouse=True)
def world(db: None) -> None:
    kit.world()
    caches[pictures.CACHE].clear()


@pytest.mark.parametrize(
    ("page", "address"),
    [
        ("/en/words/scart/", "/pictures/en/word/scart.png"),
        ("/de/rules/deal/", "/pictures/de/article/deal.png"),
        ("/en/words/", "/pictures/en/page/troccas.png"),
        ("/en/places/breil/", "/pictures/en/page/troccas.png"),
        ("/en/sources/", "/pictures/en/page/troccas.png"),
        ("/de/", "/pictures/de/page/troccas.png"),
        ("/en/daily/", "/pictures/en/page/troccas.png"),
        ("/en/puzzles/", "/pictures/en/page/troccas.png"),
    ],
)
def test_every_page_names_its_picture(page, address):
    assert PICTURE.findall(Client().get(page).content.decode()) == [address]


@pytest.mark.parametrize("page", ["/de/", "/en/daily/", "/en/puzzles/", "/en/words/scart/"])
def test_a_link_that_is_passed_on_says_what_it_leads_to(page):
    html = Client().get(page).content.decode()
    for name in ("og:title", "og:description"):
        assert re.search(rf'property="{name}" content="[^"]+"', html), name


def test_a_picture_is_drawn_once_until_the_page_changes():
    address = "/pictures/en/word/scart.png"
    with patch("rules.views.pictures.png", wraps=png) as drawn:
        first = Client().get(address)
        again = Client().get(address)
        assert drawn.call_count == 1
    assert first.content == again.content
    assert first["Content-Type"] == "image/png"
    assert struct.unpack(">II", first.content[16:24]) == (1200, 630)
    assert "public" in first["Cache-Control"]


@pytest.mark.parametrize(
    "address",
    [
        "/pictures/en/word/nothing.png",
        "/pictures/xx/word/scart.png",
        "/pictures/en/article/nothing.png",
        "/pictures/en/strange/scart.png",
    ],
)
def test_what_is_not_there_has_none(address):
    assert Client().get(address).status_code == 404


def test_robots_are_kept_from_the_forms_that_there_are():
    text = Client().get("/robots.txt").content.decode()
    for path in ("/en/new/", "/en/suggestions/", "/de/edit/", "/de/queue/"):
        assert f"Disallow: {path}\n" in text
    assert "/suggest\n" not in text
