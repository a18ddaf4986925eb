"""What search engines and other sites are told: addresses, translations, descriptions, structured data, the sitemap."""

import json
import re

import pytest
from lxml import etree, html

from rules import services
from rules.models import Article, Concept
from tests.rules import door_kit, entries
from tests.rules import exchange_kit as kit

pytestmark = pytest.mark.django_db
SITE = "http://127.0.0.1:8000"
MAP = {"m": "http://www.sitemaps.org/schemas/sitemap/0.9", "x": "http://www.w3.org/1999/xhtml"}


@pytest.fixture(autouse=True)
def _world():
    kit.world()


def head(client, path: str):
    response = client.get(path)
    assert response.status_code == 200
    return html.fromstring(response.content).find("head")


def links(found, rel: str) -> dict[str, str]:
    return {link.get("hreflang") or rel: link.get("href") for link in found.iterfind(f"link[@rel='{rel}']")}


def properties(found) -> dict[str, str]:
    return {meta.get("property") or meta.get("name"): meta.get("content") for meta in found.iterfind("meta[@content]")}


def data(found) -> dict:
    (block,) = found.findall("script[@type='application/ld+json']")
    return json.loads(block.text)


def test_an_article_names_its_address_and_the_translations_that_exist(client):
    for language in ("en", "de"):
        found = head(client, f"/{language}/rules/deal/")
        assert links(found, "canonical") == {"canonical": f"{SITE}/{language}/rules/deal/"}
        assert links(found, "alternate") == {
            "en": f"{SITE}/en/rules/deal/",
            "de": f"{SITE}/de/rules/deal/",
            "x-default": f"{SITE}/rules/deal/",
        }


def test_an_article_that_is_not_translated_has_the_address_of_the_text_that_is_shown(client):
    found = head(client, "/rm-sursilv/rules/deal/")
    assert links(found, "canonical") == {"canonical": f"{SITE}/de/rules/deal/"}
    assert "rm-sursilv" not in links(found, "alternate")


def test_the_address_without_a_language_leads_every_reader_to_theirs(client):
    response = client.get("/rules/deal/", headers={"accept-language": "de-CH,de;q=0.9"})
    assert (response.status_code, response["Location"]) == (302, "/de/rules/deal/")


def test_an_article_is_described_for_who_passes_it_on(client):
    entries.article("fool", "## Play {#play}\n\nText.", summary="What the “Fool” may & may not.", ruleset="troccas")
    found = head(client, "/en/rules/fool/")
    told = properties(found)
    assert told["description"] == told["og:description"] == "What the “Fool” may & may not."
    assert (told["og:title"], told["og:type"], told["og:url"]) == ("Fool", "article", f"{SITE}/en/rules/fool/")
    assert told["og:locale"] == "en_GB"
    about = data(found)
    assert (about["@type"], about["headline"], about["inLanguage"]) == ("Article", "Fool", "en")
    assert about["about"]["@type"] == "Game"


def test_a_word_is_a_defined_term(client):
    about = data(head(client, "/en/words/scart/"))
    assert about["@context"] == "https://schema.org"
    assert (about["@type"], about["name"], about["termCode"]) == ("DefinedTerm", "discard", "words.scart")
    assert about["@id"] == f"{SITE}/id/words.scart"
    assert about["alternateName"] == ["scart", "Scart"]
    assert about["description"] == "Three cards laid away."
    assert about["inDefinedTermSet"]["@type"] == "DefinedTermSet"


def test_a_word_exists_in_the_languages_that_say_what_it_is(client):
    assert set(links(head(client, "/en/words/scart/"), "alternate")) == {"en", "x-default"}
    german = head(client, "/de/words/scart/")
    assert links(german, "canonical") == {"canonical": f"{SITE}/en/words/scart/"}
    assert set(links(head(client, "/de/words/phrases-breil/"), "alternate")) == {"en", "de", "x-default"}


def test_nothing_written_ends_the_block_of_data(client):
    hostile = "</script><script>alert(1)</script><!-- & \u2028"
    entries.word("words.bad", {"lang": "en", "text": "x"}, definitions={"en": {"text": hostile.replace("\u2028", "")}})
    entries.article("bad", "## A {#a}\n\nText.", title="</script><img src=x onerror=alert(1)>", summary=hostile[:-1])
    for path in ("/en/words/bad/", "/en/rules/bad/"):
        found = head(client, path)
        assert "alert" in json.dumps(data(found))
        assert not [script for script in found.iter("script") if (script.text or "").startswith("alert")]
        assert not list(found.iter("img"))


def test_the_policy_lets_no_script_in_for_the_sake_of_data(client):
    policy = client.get("/en/words/scart/")["Content-Security-Policy"]
    assert "unsafe-inline" not in policy
    assert "default-src 'self'" in policy


def locations(client) -> dict[str, etree._Element]:
    response = client.get("/sitemap.xml")
    assert response["Content-Type"] == "application/xml"
    root = etree.fromstring(response.content)
    return {url.findtext("m:loc", namespaces=MAP): url for url in root.iterfind("m:url", MAP)}


def test_the_sitemap_has_every_article_and_word_in_the_languages_they_exist_in(client):
    found = locations(client)
    for article in Article.objects.all():
        assert f"{SITE}/{article.language}/rules/{article.slug}/" in found
    for concept in Concept.objects.all():
        assert f"{SITE}/en/words/{concept.slug}/" in found
    assert f"{SITE}/rm-sursilv/rules/deal/" not in found
    assert f"{SITE}/de/words/scart/" not in found
    assert {f"{SITE}/de/", f"{SITE}/en/sources/pagat/", f"{SITE}/rm-sursilv/places/breil/"} <= set(found)


@pytest.mark.slow
def test_every_page_of_the_sitemap_is_there_and_names_its_translations(client):
    for location, url in locations(client).items():
        response = client.get(location.removeprefix(SITE))
        assert response.status_code == 200, location
        others = {link.get("hreflang"): link.get("href") for link in url.iterfind("x:link", MAP)}
        assert location in others.values()
        canonical = re.search(r'<link rel="canonical" href="([^"]*)"', response.text)
        assert canonical is None or canonical[1] == location
        if canonical:
            assert links(html.fromstring(response.content).find("head"), "alternate") == others


def test_a_renamed_page_leaves_the_sitemap_for_its_new_address(client):
    services.rename(door_kit.entry("concept", "words.scart"), "laid-away", by=door_kit.administrator())
    found = locations(client)
    assert f"{SITE}/en/words/laid-away/" in found
    assert f"{SITE}/en/words/scart/" not in found
    old = client.get("/en/words/scart/")
    assert (old.status_code, old["Location"]) == (301, "/en/words/laid-away/")
    assert client.get("/id/words.scart", headers={"accept-language": "en"})["Location"] == "/en/words/laid-away/"


def test_robots_find_the_sitemap_and_leave_forms_alone(client):
    said = client.get("/robots.txt").text.splitlines()
    assert f"Sitemap: {SITE}/sitemap.xml" in said
    assert {"Disallow: /g/", "Disallow: /de/edit/", "Disallow: /rm-sursilv/history/"} <= set(said)
    assert "Disallow: /" not in said


def test_the_pages_about_the_data_name_every_file_and_address(client):
    page = client.get("/en/data/").text
    for name in ("/words.tbx", "/words-v2.tbx", "/words.ttl", "/words.jsonld", "/words.csv"):
        assert f'href="{name}"' in page
        assert f'href="{name}?game=troggu"' in page
    told = client.get("/en/data/api/").text
    for path in client.get("/api/v1/openapi.json").json()["paths"]:
        assert f"<code>{path}</code>" in told
