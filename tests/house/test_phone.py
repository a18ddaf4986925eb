"""The site as an app: its manifest, its icons, and the worker whose script changes with whatever it keeps."""

import json
import re
from pathlib import Path

import pytest
from django.contrib.staticfiles import finders
from django.template.loader import get_template
from django.utils import translation

from core.sursilvan import page_language
from tools import app_icons
from troccas_site import views

pytestmark = pytest.mark.django_db  # which words are published is looked up once in a while
LANGUAGES = ("en", "de", "rm-sursilv")


def told(client) -> dict:
    """What the worker is told by the script the site serves."""
    first = client.get("/sw.js").content.decode().split("\n", 1)[0]
    found = re.fullmatch(r"const SHELL = (.*);", first)
    assert found is not None
    return json.loads(found[1])


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_manifest_speaks_the_language_of_its_address_and_is_one_app(client, language):
    answer = client.get(f"/{language}/app.webmanifest")
    assert answer["Content-Type"] == "application/manifest+json"
    assert "public" in answer["Cache-Control"]
    found = json.loads(answer.content)
    assert found["lang"] == language
    assert {found[part] for part in ("id", "scope", "start_url")} == {"/"}
    assert found["display"] == "standalone"
    assert {icon["purpose"] for icon in found["icons"]} == {"any", "maskable"}
    assert {icon["sizes"] for icon in found["icons"]} == {"192x192", "512x512"}
    for shortcut in found["shortcuts"]:
        assert shortcut["url"].startswith(f"/{language}/")
    assert not answer.cookies


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_ways_of_the_manifest_lead_somewhere(client, language):
    found = json.loads(client.get(f"/{language}/app.webmanifest").content)
    for address in [found["start_url"], *(shortcut["url"] for shortcut in found["shortcuts"])]:
        assert client.get(address, follow=True).status_code == 200, address
    for icon in found["icons"]:
        assert finders.find(icon["src"].removeprefix("/static/")), icon


@pytest.mark.parametrize("name", app_icons.WANTED)
def test_an_icon_is_what_the_tool_draws_and_as_large_as_it_says(name):
    data = (app_icons.ICONS / f"{name}.png").read_bytes()
    assert data == app_icons.drawn(name)
    side = app_icons.WANTED[name][0]
    assert (int.from_bytes(data[16:20]), int.from_bytes(data[20:24])) == (side, side)


def test_the_worker_is_asked_for_anew_each_time_and_may_answer_for_every_page(client):
    answer = client.get("/sw.js")
    assert answer["Content-Type"].startswith("text/javascript")
    assert answer["Service-Worker-Allowed"] == "/"
    assert "no-cache" in answer["Cache-Control"]
    assert client.get("/sw.js", headers={"if-none-match": answer["ETag"]}).status_code == 304


def test_the_shell_is_the_offline_page_with_its_files_and_no_page_of_anybody(client):
    shell = told(client)
    assert shell["pages"] == {language: f"/{language}/offline/" for language in LANGUAGES}
    assert {"/static/css/site.css", "/static/css/offline.css", "/static/js/offline.js"} <= set(shell["files"])
    for file in shell["files"]:
        assert file.startswith("/static/")
        assert finders.find(file.removeprefix("/static/")), file
    assert "/en/account/logout/" in shell["leaving"]
    assert "/de/you/delete/" in shell["leaving"]


def test_scripts_of_the_offline_page_import_nothing_that_is_not_kept(client):
    shell = told(client)
    for file in shell["files"]:
        if file.endswith(".js"):
            text = Path(finders.find(file.removeprefix("/static/"))).read_text(encoding="utf-8")
            assert not re.search(r"import\(", text), file
            wanted = re.findall(r'^import .*"\./(.+)";$', text, re.MULTILINE)
            assert {f"{file.rpartition('/')[0]}/{name}" for name in wanted} <= set(shell["files"]), file


def test_the_version_follows_the_words_of_the_page(monkeypatch):
    before = views._worker_script()
    assert views._worker_script() == before
    plain = views.offline_page
    monkeypatch.setattr(views, "offline_page", lambda language: plain(language) + "<!-- another word -->")
    assert views._worker_script() != before


def test_the_version_follows_the_names_of_the_files(monkeypatch):
    before = views._worker_script()
    page = views.offline_page("en").replace("css/offline.css", "css/offline.0123456789ab.css")
    monkeypatch.setattr(views, "offline_page", lambda language: page)
    after = views._worker_script()
    assert "/static/css/offline.0123456789ab.css" in after
    assert after.split("\n", 1)[0] != before.split("\n", 1)[0]


def test_the_offline_page_is_the_same_for_everybody_and_asks_who_it_is_of_nobody(
    client, django_assert_num_queries, monkeypatch
):
    from rules import terms
    from tests.games import plans_kit, table_kit

    monkeypatch.setattr(terms, "EVERY", 3600.0)  # so that no slow machine is due to look for new words in between
    somebody = plans_kit.client_of(table_kit.person(name="Anna"))
    client.get("/en/offline/")
    with django_assert_num_queries(0):
        pages = [each.get("/en/offline/") for each in (client, somebody)]
    assert pages[0].content == pages[1].content
    assert b"Anna" not in pages[1].content
    assert "csrftoken" not in pages[1].cookies
    assert "You cannot play" in pages[0].content.decode()


def test_it_is_whole_in_every_language():
    template = get_template("pages/offline.html")
    for language in LANGUAGES:
        with translation.override(language):
            page = template.render()
            assert f'<html lang="{page_language()}">' in page
        assert "data-silent=" in page
        assert page.count('id="last-seen"') == 1
