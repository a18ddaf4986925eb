"""SKOS: read back by rdflib, and counted against what is published."""

import json

import pytest
from rdflib import Literal, URIRef
from rdflib.namespace import DCTERMS, SKOS

from tests.rules import exchange_kit as kit

pytestmark = pytest.mark.django_db
LABELS = (SKOS.prefLabel, SKOS.altLabel, SKOS.hiddenLabel)
ID = "http://127.0.0.1:8000/id/"


def test_deprecated_words_and_looked_up_forms_are_hidden_labels():
    kit.world()
    found = kit.graph()
    awkward = URIRef(f"{kit.ID}words.awkward")
    hidden = set(found.objects(awkward, SKOS.hiddenLabel))
    assert {Literal("+1", lang="en"), Literal("a|b", lang="en"), Literal("c\\d", lang="en")} == {
        label for label in hidden if isinstance(label, Literal) and label.language == "en"
    }
    assert Literal("scart, scart", lang="rm-sursilv") in hidden, "no source has it"
    assert Literal("scarts", lang="rm-sursilv") in hidden, "its plural"


def test_concepts_have_permanent_names_that_lead_to_their_pages(client):
    kit.world()
    found = kit.graph()
    scart = URIRef(f"{kit.ID}words.scart")
    assert str(found.value(scart, SKOS.notation)) == "words.scart"
    assert found.value(scart, SKOS.inScheme) == URIRef(f"{kit.ID}words")
    page = str(found.value(scart, DCTERMS.isReferencedBy))
    assert page == "http://127.0.0.1:8000/en/words/scart/"
    response = client.get("/id/words.scart", headers={"accept-language": "de"})
    assert (response.status_code, response["Location"]) == (303, "/de/words/scart/")
    assert client.get("/id/words.nothing").status_code == 404


def test_every_name_of_ours_in_the_graph_leads_to_a_page(client):
    kit.world()
    found = kit.graph()
    names = {str(each).partition("#")[0] for each in found.all_nodes() | set(found.predicates())}
    ours = {name.removeprefix(kit.ID) for name in names if name.startswith(kit.ID)}
    assert {"words", "terms", "words.scart"} < ours
    assert {name: client.get(f"/id/{name}").status_code for name in ours} == dict.fromkeys(ours, 303)
    theme = next(name for name in ours if name.startswith("theme-"))
    listed = client.get(f"/id/{theme}", headers={"accept-language": "en"})
    assert listed["Location"] == f"/en/words/list/?theme={theme.removeprefix('theme-')}"
    assert client.get("/id/theme-nothing").status_code == client.get("/id/discard").status_code == 404
    assert "a source has this word in this sense" in client.get("/en/data/").content.decode()


def test_json_ld_holds_its_context_and_is_always_the_same_text():
    kit.world()
    once = kit.file("jsonld")
    assert json.loads(once)["@context"]["skos"] == str(SKOS)
    assert kit.file("jsonld") == once
