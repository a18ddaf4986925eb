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


def test_json_ld_holds_its_context_and_is_always_the_same_text():
    kit.world()
    once = kit.file("jsonld")
    assert json.loads(once)["@context"]["skos"] == str(SKOS)
    assert kit.file("jsonld") == once
