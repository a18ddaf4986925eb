"""French and Italian are languages of reading: the encyclopedia is whole in them, and no page is half in one."""

import re
import tomllib
from dataclasses import replace
from gettext import NullTranslations

import pytest
from django.forms import ChoiceField
from django.test import Client
from django.utils.translation import override, trans_real

from core.reading_languages import PAGES, READING
from games.puzzles.views import show
from games.read_models import Line
from games.text.log import log_line
from rules.content_files import CONTENT
from rules.sitemaps import SITEMAPS
from rules.text import names
from tests.games.test_wording import SIGHT
from tests.rules import door_kit
from tests.rules.editing_kit import signed_in

FRENCH = {"Accept-Language": "fr-CH,fr;q=0.9,de;q=0.8,en;q=0.5"}
READ = (
    "rules/",
    "words/",
    "words/list/",
    "words/phrases/",
    "words/elsewhere/",
    "sources/",
    "places/",
    "search/",
    "search/?q=scart",
    "kept/",
)
pytestmark = pytest.mark.django_db


def html(client: Client, address: str, **headers: str) -> str:
    return client.get(address, headers=headers, follow=True).content.decode()


@pytest.fixture
def unsaid(monkeypatch) -> list[str]:
    """What was to be said in a language of reading and is not in its catalogue."""
    unsaid: list[str] = []

    class Silent(NullTranslations):
        def gettext(self, message: str) -> str:
            unsaid.append(message)
            return message

        def ngettext(self, singular: str, plural: str, number: int) -> str:
            unsaid.append(singular)
            return singular

    for language in READING:
        monkeypatch.setattr(trans_real.translation(language), "_fallback", Silent())
    return unsaid


def test_what_is_pressed_on_a_page_in_it_is_answered_in_it(client):
    door_kit.world()
    onna = signed_in(door_kit.member())
    number = door_kit.entry("concept", "words.scart").pk
    page = onna.post(f"/fr/follow/{number}/", {"do": "follow"}, follow=True)
    assert "On vous préviendra quand cette page changera." in page.content.decode()


@pytest.mark.parametrize("language", sorted(READING))
@pytest.mark.parametrize("page", READ)
def test_the_encyclopedia_is_read_in_it_and_nothing_is_left_in_english(client, unsaid, language, page):
    response = client.get(f"/{language}/{page}")
    assert response.status_code == 200
    assert f'<html lang="{language}"' in response.content.decode()
    assert response["Content-Language"] == language
    assert unsaid == []


@pytest.mark.parametrize("language", sorted(READING))
@pytest.mark.parametrize("page", ["words/scart/", "words/scart/say-so/", "words/scart/record/", "rules/deal/"])
def test_what_readers_tell_on_its_pages_is_asked_in_it(client, unsaid, language, page):
    door_kit.world()
    response = client.get(f"/{language}/{page}", follow=True)
    assert response.status_code == 200
    assert response["Content-Language"] == language
    assert unsaid == []


@pytest.mark.parametrize("language", sorted(READING))
def test_puzzles_in_its_articles_are_told_in_it(unsaid, language):
    named = [
        line.split()[2]
        for path in sorted((CONTENT / "articles" / language).glob("*.md"))
        for line in path.read_text(encoding="utf-8").splitlines()
        if line.startswith("::: puzzle ")
    ]
    assert len(named) == 5
    for name in named:
        assert show(name, language, language)
    assert unsaid == []


@pytest.mark.parametrize("page", ["", "games/", "clubs/", "account/login/", "daily/", "data/", "fair/", "puzzles/"])
def test_any_other_page_is_the_same_page_in_the_language_that_the_browser_likes_next(client, page):
    response = client.get(f"/fr/{page}?a=b", headers=FRENCH)
    assert (response.status_code, response["Location"]) == (302, f"/de/{page}?a=b")
    assert "Accept-Language" in response["Vary"]


def test_the_site_speaks_english_to_who_likes_only_french(client):
    assert client.get("/fr/games/", headers={"Accept-Language": "fr"})["Location"] == "/en/games/"


def test_what_is_posted_is_posted_again(client):
    response = client.post("/it/account/login/", {"login": "x"})
    assert (response.status_code, response["Location"]) == (307, "/en/account/login/")


def test_a_page_without_a_language_is_told_in_another(client):
    client.cookies["language"] = "fr"
    assert client.get("/g/abc123/", headers=FRENCH)["Content-Language"] == "de"
    assert client.get("/", headers=FRENCH)["Location"] == "/de/"


def test_an_address_of_the_encyclopedia_without_a_language_leads_to_it(client):
    assert client.get("/rules/", headers=FRENCH)["Location"] == "/fr/rules/"


def test_the_language_of_reading_is_kept_over_pages_that_are_not_in_it(client):
    client.get("/fr/rules/")
    page = html(client, "/fr/games/")
    assert client.cookies["language"].value == "fr"
    assert '<html lang="en"' in page
    assert 'href="/fr/rules/"' in page
    assert 'href="/en/clubs/"' in page
    client.get("/en/rules/")
    assert client.cookies["language"].value == "en"
    assert 'href="/fr/rules/"' not in html(client, "/en/games/")


def offered(page: str) -> list[str]:
    return re.findall(r'name="language" value="([^"]+)"', page)


def test_the_menu_offers_it_where_the_page_is_in_it(client):
    whole = ["en", "de", "rm-sursilv"]
    assert offered(html(client, "/en/words/")) == [*whole, "fr", "it"]
    assert offered(html(client, "/en/clubs/")) == whole


def test_the_sitemap_lists_it_for_what_is_read_only():
    listed = {(item.name, code) for item in SITEMAPS["pages"]().items() for code in item.languages}
    assert ("rules:words", "fr") in listed
    assert ("rules:contents", "it") in listed
    assert not [name for name, code in listed if code in READING and name not in PAGES]


def test_nobody_is_written_to_in_it():
    from clubs.forms.club import ClubForm
    from tournaments.registration.forms import TournamentForm

    for form in (ClubForm, TournamentForm):
        field = form.base_fields["language"]
        assert isinstance(field, ChoiceField)
        assert not {code for code in READING if field.valid_value(code)}


def test_forms_of_french_follow_its_rule():
    with override("fr"):
        from django.utils.translation import ngettext

        said = ngettext("%(total)s result", "%(total)s results", 0) % {"total": 0}
    assert said == "0 réponse"


def test_a_colon_after_a_label_is_set_as_french_sets_it(client):
    term = {"lang": "rm-sursilv", "text": "scart", "look_up": ["scarts"]}
    door_kit.from_files(("concept", "words.scart", "", {"theme": "discard", "terms": [term]}))
    for language, label in (("fr", "Se cherche aussi sous\N{NARROW NO-BREAK SPACE}: "), ("en", "Also looked up as: ")):
        assert label in re.sub(r"<[^>]+>", "", html(client, f"/{language}/words/scart/"))


@pytest.mark.parametrize(
    ("language", "sentence"),
    [
        ("fr", "Beat permet de redonner_: «_{}_» (une fleur_: un roi)."),
        ("it", "Beat permette di rifare le carte: «{}» (une fleur: un roi)."),
    ],
)
def test_what_is_said_in_a_puzzle_is_quoted_as_the_language_does(monkeypatch, language, sentence):
    phrase = replace(names.by_id("in-fluretg", language), lang=language, literal="une fleur", tells="un roi")
    monkeypatch.setattr(names, "by_id", lambda _id: phrase)
    with override(language):
        said = log_line(Line(1, "spoke", 1, verb="allow", phrases=("in-fluretg",)), SIGHT)
    assert said == sentence.format(phrase.romansh).replace("_", "\N{NARROW NO-BREAK SPACE}")


def test_no_trumps_left_are_not_taken_for_more_of_them_in_french():
    """ "Plus d’atouts" may be read as either."""
    told = tomllib.loads((CONTENT / "translations" / "fr.toml").read_text(encoding="utf-8"))
    assert told["concepts"]["phrases.dar-da-freid"]["tells"] == "plus aucun atout"
    assert "plus d’atouts" not in (CONTENT / "articles" / "fr" / "table-talk.md").read_text(encoding="utf-8")
