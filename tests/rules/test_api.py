"""The JSON API and the files of the words: what they answer, to whom, how often, and what they say when something is wrong."""

import json

import pytest
from openapi_spec_validator import validate

from rules import api as api_module
from rules.models import Concept, Revision, Term
from rules.search import lookup
from rules.views import exchange
from tests.rules import door_kit
from tests.rules import exchange_kit as kit

pytestmark = pytest.mark.django_db
API = "/api/v1"


@pytest.fixture(autouse=True)
def _world():
    kit.world()


@pytest.fixture
def ask(client):
    def asked(path: str, status: int = 200, /, **parameters):
        response = client.get(f"{API}{path}", parameters)
        assert response.status_code == status, response.text
        assert response["Content-Type"].startswith("application/json")
        assert response["Access-Control-Allow-Origin"] == "*"
        return response.json()

    return asked


def test_its_description_is_valid_openapi_and_loads_nothing(ask):
    described = ask("/openapi.json")
    validate(described)
    assert set(described["paths"]) >= {f"{API}/{name}" for name in ("concepts", "terms", "sources", "search")}
    assert all(set(methods) == {"get"} for methods in described["paths"].values())


def test_the_index_leads_to_lists_that_are_there(client, ask):
    links = ask("/")["links"]
    assert set(links) == {"concepts", "terms", "phrases", "sources", "places", "articles", "search"}
    for name, link in links.items():
        path = link.removeprefix("http://127.0.0.1:8000")
        assert client.get(path, {"q": "scart"} if name == "search" else {}).status_code == 200


def test_concepts_come_in_pages(ask):
    everything = ask("/concepts")
    assert everything["count"] == Concept.objects.count() == 4
    pages = [ask("/concepts", per_page=3, page=number) for number in (1, 2, 3)]
    assert [len(page["results"]) for page in pages] == [3, 1, 0]
    assert pages[0]["pages"] == 2
    assert [row["key"] for page in pages for row in page["results"]] == [row["key"] for row in everything["results"]]


@pytest.mark.parametrize(
    ("parameters", "keys"),
    [
        ({"game": "troccas"}, {"words.scart", "words.awkward", "phrases.breil"}),
        ({"game": "troggu"}, set()),
        ({"theme": "discard"}, {"words.scart", "words.tapp"}),
        ({"language": "gsw"}, {"words.tapp", "words.awkward"}),
        ({"q": "tapp"}, {"words.tapp"}),
        ({"q": "SCÀRT", "theme": "discard"}, {"words.scart"}),
        ({"q": "???"}, set()),
    ],
)
def test_concepts_are_narrowed_down(ask, parameters, keys):
    assert {row["key"] for row in ask("/concepts", **parameters)["results"]} == keys


def test_a_concept_tells_all_that_is_published(ask):
    told = ask("/concepts/words.awkward")
    assert told["id"] == "http://127.0.0.1:8000/id/words.awkward"
    assert told["url"] == "http://127.0.0.1:8000/en/words/awkward/"
    assert (told["broader"], told["related"]) == ("words.scart", ["words.tapp"])
    assert told["definitions"][0] == {"language": "en", "text": "-2 “a”, b", "sources": ["lt", "pagat: The Deal"]}
    assert [term["text"] for term in told["terms"]] == [term["text"] for term in kit.AWKWARD["terms"]]
    last = told["terms"][-1]
    assert last["examples"][0]["meaning"] == {"en": "I discard."}
    assert told["names"]["en"] == '=HYPERLINK("x")'  # what is no longer used is no name
    assert told["revision"] == 1


def test_a_phrase_tells_its_strength(ask):
    assert [row["key"] for row in ask("/phrases")["results"]] == ["phrases.breil"]
    (phrase,) = ask("/phrases", strength=3)["results"]
    assert (phrase["strength"], phrase["tells"]["de"]) == (3, "hat Trümpfe")
    assert ask("/phrases", strength=4)["count"] == 0


def test_terms_are_listed_and_narrowed_down(ask):
    assert ask("/terms")["count"] == Term.objects.count()
    rows = ask("/terms", language="gsw", place="breil")["results"]
    assert [(row["concept"], row["text"], row["status"], row["place"]) for row in rows] == [
        ("words.awkward", "Guppe", "proposed", "breil")
    ]
    assert {row["status"] for row in ask("/terms", status="deprecated")["results"]} == {"deprecated"}
    assert {row["concept"] for row in ask("/terms", q="tapp")["results"]} == {"words.tapp"}
    assert ask("/terms", game="troggu")["count"] == 0


def test_sources_and_places(ask):
    assert [row["key"] for row in ask("/sources")] == ["lt", "pagat"]
    assert ask("/sources/pagat")["address"] == "https://www.pagat.com/tarot/troccas.html"
    breil = ask("/places/breil")
    assert (breil["names"], breil["parent"]) == ({"": "Breil", "de": "Brigels"}, "surselva")


def test_articles_with_their_text_and_html(ask):
    assert [(row["key"], row["language"]) for row in ask("/articles")] == [("deal", "de"), ("deal", "en")]
    assert [row["language"] for row in ask("/articles", language="de")] == ["de"]
    told = ask("/articles/deal", language="de")
    assert told["languages"] == ["en", "de"]
    assert told["text"].startswith("## Deal")
    assert '<h2 id="deal"' in told["html"]
    assert told["url"] == "http://127.0.0.1:8000/de/rules/deal/"


def test_search_finds_in_the_readers_language(ask):
    found = ask("/search", q="scart", language="de")
    assert found["results"][0]["key"] == "words.scart"
    assert found["results"][0]["url"].startswith("http://127.0.0.1:8000/de/")
    assert "<" not in found["results"][0]["title"]


@pytest.mark.parametrize(
    ("path", "parameters", "status", "says"),
    [
        ("/concepts/words.nothing", {}, 404, "There is no concept words.nothing."),
        ("/sources/nothing", {}, 404, "There is no source nothing."),
        ("/places/nothing", {}, 404, "There is no place nothing."),
        ("/articles/nothing", {}, 404, "There is no article nothing."),
        ("/articles/deal", {"language": "rm-sursilv"}, 404, "Ask for one of: de, en"),
        ("/nothing/here", {}, 404, "There is nothing at this address"),
        ("/concepts", {"game": "jass"}, 422, "Some parameters cannot be read"),
        ("/concepts", {"page": "0"}, 422, "Some parameters cannot be read"),
        ("/concepts", {"per_page": "1000000"}, 422, "Some parameters cannot be read"),
        ("/terms", {"language": "' OR 1=1 --"}, 422, "Some parameters cannot be read"),
        ("/search", {}, 422, "Some parameters cannot be read"),
        ("/search", {"q": "x" * 101}, 422, "Some parameters cannot be read"),
    ],
)
def test_what_is_wrong_is_said_in_json(ask, path, parameters, status, says):
    assert says in ask(path, status, **parameters)["detail"]


def test_a_parameter_that_cannot_be_read_is_named(ask):
    (error,) = ask("/concepts", 422, game="jass")["errors"]
    assert error["parameter"] == "game"
    assert "troccas" in error["message"]


def test_a_fault_of_ours_is_logged_and_said_in_json(ask, monkeypatch, caplog):
    def broken(*_arguments, **_named):
        raise RuntimeError("the database is on fire")

    monkeypatch.setattr(lookup, "look_up", broken)
    told = ask("/search", 500, q="scart")
    assert "fire" not in json.dumps(told)
    assert "the database is on fire" in caplog.text


def test_nothing_can_be_changed(client):
    before = Revision.objects.count()
    for method in (client.post, client.put, client.patch, client.delete):
        response = method(f"{API}/concepts/words.scart", {}, content_type="application/json")
        assert (response.status_code, response["Allow"]) == (405, "GET, HEAD, OPTIONS")
        assert "nothing changed" in response.json()["detail"]
    assert Revision.objects.count() == before


def test_pages_of_other_sites_may_ask(client):
    asked = client.options(f"{API}/concepts", headers={"origin": "https://example.org"})
    assert (asked.status_code, asked["Access-Control-Allow-Methods"]) == (204, "GET, HEAD, OPTIONS")
    assert client.head(f"{API}/concepts").status_code == 200
    assert "Access-Control-Allow-Credentials" not in client.get(f"{API}/concepts")


def test_an_answer_that_has_not_changed_is_not_sent_again(client):
    first = client.get(f"{API}/concepts/words.scart")
    again = {"if-none-match": first["ETag"]}
    assert client.get(f"{API}/concepts/words.scart", headers=again).status_code == 304
    door_kit.from_files(("concept", "words.scart", "", {**kit.PHRASE, "strength": 1}))
    assert client.get(f"{API}/concepts/words.scart", headers=again).status_code == 200


def test_answers_set_no_cookie_and_may_be_kept(client):
    for path in (f"{API}/concepts", "/words.csv"):
        response = client.get(path)
        assert not response.cookies
        assert response["Cache-Control"].startswith("public")


def test_one_address_may_ask_so_often_and_another_still_may(client, monkeypatch):
    monkeypatch.setattr(api_module, "A_MINUTE", 3)
    answers = [client.get(f"{API}/").status_code for _ in range(4)]
    assert answers == [200, 200, 200, 429]
    refused = client.get(f"{API}/")
    assert refused.json()["detail"] == "Too many requests."
    assert int(refused["Retry-After"]) > 0
    assert client.get(f"{API}/", REMOTE_ADDR="192.0.2.7").status_code == 200


# --- The files --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("path", "kind", "name"),
    [
        ("/words.tbx", "application/x-tbx+xml", "words.tbx"),
        ("/words-v2.tbx", "application/x-tbx+xml", "words-v2.tbx"),
        ("/words.ttl", "text/turtle; charset=utf-8", "words.ttl"),
        ("/words.jsonld", "application/ld+json", "words.jsonld"),
        ("/words.csv", "text/csv; charset=utf-8", "words.csv"),
        ("/words.csv?game=troggu", "text/csv; charset=utf-8", "words-troggu.csv"),
    ],
)
def test_the_words_are_there_as_files(client, path, kind, name):
    response = client.get(path)
    assert (response.status_code, response["Content-Type"]) == (200, kind)
    assert response["Content-Disposition"] == f'attachment; filename="{name}"'
    assert response["Access-Control-Allow-Origin"] == "*"
    assert ("scart" in response.text) == ("troggu" not in path)


def test_a_file_is_sent_again_only_when_words_were_published(client):
    tag = {"if-none-match": client.get("/words.tbx")["ETag"]}
    assert client.get("/words.tbx", headers=tag).status_code == 304
    assert client.get("/words.tbx?game=troccas", headers=tag).status_code == 200
    door_kit.from_files(("concept", "words.new", "", {"theme": "play", "terms": [{"lang": "de", "text": "Neuwort"}]}))
    anew = client.get("/words.tbx", headers=tag)
    assert anew.status_code == 200
    assert "Neuwort" in anew.text


def test_words_of_no_game_are_refused_in_the_readers_language(client):
    response = client.get("/words.ttl?game=jass")
    assert response.status_code == 400
    assert "Ask for one of: troccas, troggu." in response.text


def test_one_address_may_take_so_many_files(client, monkeypatch):
    monkeypatch.setattr(exchange, "FILES_A_MINUTE", 2)
    assert [client.get(path).status_code for path in ("/words.csv", "/sitemap.xml", "/words.csv")] == [200, 200, 429]
    assert client.get("/sitemap.xml").status_code == 429
