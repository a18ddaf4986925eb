"""All the words of the program’s own files, as they leave: complete, valid, and the same when they come back."""

from collections import Counter
from functools import cache

import pytest
from lxml import etree
from rdflib import Literal, Namespace, URIRef
from rdflib.namespace import DCTERMS, RDF, RDFS, SKOS

from rules.exchange import csv_table, importing, tbx
from rules.exchange.skos import XL
from rules.models import Concept, Definition, Term
from tests.rules import exchange_kit as kit

TBX = f"{{{tbx.NAMESPACE}}}"
LANG = "{http://www.w3.org/XML/1998/namespace}lang"
LABELS = (SKOS.prefLabel, SKOS.altLabel, SKOS.hiddenLabel)
pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("everything")]


@pytest.fixture(scope="module")
def everything(django_db_setup, django_db_blocker):
    """All that the files of the program hold: loaded once, since that takes seconds."""
    with django_db_blocker.unblock(), kit.everything():
        yield


@pytest.fixture(scope="module")
def file(everything):
    """`kit.file`, which makes each file of all the words once. No test changes a word."""
    return cache(kit.file)


@pytest.fixture(scope="module")
def graph(everything):
    """`kit.graph`, which reads each file once. No test changes what it gets."""
    return cache(kit.graph)


def test_everything_we_publish_is_tbx_basic(file):
    for game in ("", "troccas", "troggu"):
        assert kit.what_is_wrong(file("tbx", game)) == []


def test_every_word_and_definition_is_in_the_file(file):
    root = etree.fromstring(file("tbx"))
    terms = {
        (entry.get("id"), section.get(LANG), term.text)
        for entry in root.iter(f"{TBX}conceptEntry")
        for section in entry.iter(f"{TBX}langSec")
        for term in section.iter(f"{TBX}term")
    }
    assert terms == set(Term.objects.values_list("concept__key", "language", "text"))
    definitions = [each.text for each in root.iter(f"{TBX}descrip") if each.get("type") == "definition"]
    assert sorted(definitions) == sorted(
        [
            *Definition.objects.values_list("text", flat=True),
            *(
                text
                for concept in Concept.objects.filter(sort="phrase")
                for code, text in concept.document["tells"].items()
                if code not in concept.document.get("definitions", {})
            ),
        ]
    )


def test_a_word_says_its_status_gender_place_and_source(file):
    root = etree.fromstring(file("tbx"))
    cups = next(entry for entry in root.iter(f"{TBX}conceptEntry") if entry.get("id") == "suits.cups")
    word = next(row for row in cups.iter(f"{TBX}termSec") if row.findtext(f"{TBX}term") == "Goppe")
    notes = {note.get("type"): note.text for note in word.iter(f"{TBX}termNote")}
    assert notes["administrativeStatus"] == "preferredTerm-admn-sts"
    assert notes["geographicalUsage"] == "Oberwallis"
    source = word.find(f"{TBX}admin")
    assert source.text == "pagat-troggu: The Cards"
    work = next(each for each in root.iter(f"{TBX}refObject") if each.get("id") == source.get("target"))
    assert "John McLeod" in "".join(work.itertext())


def test_the_words_of_one_game_leave_out_those_of_the_other(file):
    troggu = etree.fromstring(file("tbx", "troggu"))
    keys = {entry.get("id") for entry in troggu.iter(f"{TBX}conceptEntry")}
    assert keys == set(Concept.objects.filter(troggu=True).values_list("key", flat=True))
    assert "words.scart" not in keys


@pytest.mark.parametrize("name", ["tbx", "tbx-v2", "csv"])
def test_what_went_out_changes_nothing_when_it_comes_in(name, file):
    form = "csv" if name == "csv" else "tbx"
    found = importing.plan(importing.FORMATS[form](file(name)))
    assert [(step.key, step.outcome, step.added, step.removed, step.problems) for step in found.steps] == []
    assert found.unchanged == Concept.objects.count() > 0


def test_every_concept_definition_and_word_is_there(graph):
    found = graph()
    assert kit.concepts(found) == set(Concept.objects.values_list("key", flat=True))
    tells = sum(
        len(set(document.get("tells", {})) - set(document.get("definitions", {})))
        for document in Concept.objects.filter(sort="phrase").values_list("document", flat=True)
    )
    assert len(list(found.subject_objects(SKOS.definition))) == Definition.objects.count() + tells
    labelled = {
        (str(concept).removeprefix(kit.ID), getattr(label, "language", None), str(label))
        for kind in LABELS
        for concept, label in found.subject_objects(kind)
        if (concept, RDF.type, SKOS.Concept) in found
    }
    assert labelled >= set(Term.objects.values_list("concept__key", "language", "text"))


@pytest.mark.filterwarnings("ignore:ConjunctiveGraph is deprecated")  # rdflib’s own reader of JSON-LD
@pytest.mark.slow
def test_both_writings_are_the_same_graph(graph):
    assert set(graph()) == set(graph("jsonld"))


def test_a_concept_has_at_most_one_preferred_label_in_a_language_and_no_label_twice(graph):
    found = graph()
    for concept in found.subjects(RDF.type, SKOS.Concept):
        preferred = Counter(getattr(label, "language", None) for label in found.objects(concept, SKOS.prefLabel))
        assert set(preferred.values()) <= {1}, concept
        labels = Counter(label for kind in LABELS for label in found.objects(concept, kind))
        assert set(labels.values()) == {1}, concept


@pytest.mark.slow
def test_every_file_says_that_no_licence_is_chosen_until_one_is(file, settings):
    missing = "No licence has been chosen"
    for name in ("tbx", "tbx-v2", "ttl", "jsonld", "csv"):
        assert missing in file(name).decode(), name
    settings.CONTENT_LICENCE_NAME, settings.CONTENT_LICENCE_URL = "CC BY 4.0", "https://example.org/by"
    for name in ("tbx", "tbx-v2", "ttl", "jsonld", "csv"):
        text = kit.file(name, "troggu").decode()
        assert missing not in text, name
        assert "https://example.org/by" in text, name
    found = kit.graph(game="troggu")
    scheme = found.value(predicate=RDF.type, object=SKOS.ConceptScheme)
    assert str(found.value(scheme, DCTERMS.license)) == "https://example.org/by"


def test_every_word_says_how_sure_it_is_in_the_table_and_in_tbx(file):
    rows = {(row["language"], csv_table.unguarded(row["word"])): row for row in kit.rows(file("csv"))}
    said = {word: (rows[word]["standing"], rows[word]["reliability"]) for word in rows}
    assert said["rm-sursilv", "levada"] == ("proposed", "1")
    assert said["rm-sursilv", "scart"] == ("attested", "3")
    assert said["de", "Fünfer"] == ("ours", "1")
    assert said["fr", "garde sans le chien"] == ("near", "2")
    assert said["rm-sursilv", "la sulegl"] == ("doubtful", "1")
    assert rows["de", "Fünfer"]["status"] == "admitted", "only an attested word is preferred"
    notes = [note.text for note in etree.fromstring(file("tbx")).iter(f"{TBX}note")]
    assert notes.count("Standing: doubtful") == sum(row["standing"] == "doubtful" for row in rows.values())
    assert "Reliability (1 to 4): 4" in notes


def test_a_phrase_says_what_it_is_word_for_word_and_where_its_sense_stands(file, graph):
    """A literal sense that is our own translation leaves in no file: none has room to say that it is ours."""
    rows = {row["concept"]: row for row in kit.rows(file("csv")) if row["language"] == "rm-sursilv"}
    assert rows["phrases.in-tec-carn"]["literally_en"] == "a little meat"
    assert rows["phrases.jeu-sun-da-medel"]["literally_en"] == ""
    root = etree.fromstring(file("tbx"))
    meat, medel = (
        next(entry for entry in root.iter(f"{TBX}conceptEntry") if entry.get("id") == f"phrases.{phrase}")
        for phrase in ("in-tec-carn", "jeu-sun-da-medel")
    )
    assert "Literally: a little meat" in [note.text for note in meat.iter(f"{TBX}note")]
    assert not any((note.text or "").startswith("Literally") for note in medel.iter(f"{TBX}note"))
    senses = meat.findall(f"{TBX}descripGrp")
    assert {admin.text for sense in senses for admin in sense.iter(f"{TBX}admin")} == {"pagat: Tschintschar"}
    found = graph()
    assert [str(note) for note in found.objects(URIRef(f"{kit.ID}phrases.jeu-sun-da-medel"), SKOS.note)] == []


def test_what_is_not_the_word_of_the_players_is_no_label_to_be_shown(graph):
    """Near equivalents and words that no source has yet can be found, but no tool takes them for names of the thing."""
    found = graph()
    hidden = {(str(label), getattr(label, "language", "")) for label in found.objects(None, SKOS.hiddenLabel)}
    shown = {
        (str(label), getattr(label, "language", ""))
        for kind in (SKOS.prefLabel, SKOS.altLabel)
        for label in found.objects(None, kind)
    }
    for word in (("garde sans le chien", "fr"), ("levada", "rm-sursilv")):
        assert word in hidden - shown


def test_every_file_says_how_a_word_sounds_and_whether_that_only_follows_from_its_spelling(file, graph):
    rows = kit.rows(file("csv"))
    derived = {(row["language"], row["word"]): row["derived_pronunciation"] for row in rows}
    assert derived["rm-sursilv", "troccas"] == "ˈtrɔkas"
    assert derived["gsw", "Goppe"] == "ɡopːe"
    assert derived["en", "trick"] == ""
    assert not [row for row in rows if row["pronunciation"] and row["derived_pronunciation"]]
    marked = [row["derived_pronunciation"] for row in rows if row["derived_pronunciation"]]
    notes = [note.text for note in etree.fromstring(file("tbx")).iter(f"{TBX}note")]
    mark = tbx.MARKS["derived_ipa"]
    assert sorted(note.removeprefix(mark) for note in notes if note.startswith(mark)) == sorted(marked)
    found, terms = graph(), Namespace(f"{kit.ID}terms#")
    label = next(found.subjects(XL.literalForm, Literal("troccas", lang="rm-sursilv")))
    assert found.value(label, terms.derivedPronunciation) == Literal("ˈtrɔkas", lang="rm-sursilv-fonipa")
    assert found.value(label, terms.pronunciation) is None
    assert (terms.derivedPronunciation, RDFS.subPropertyOf, terms.pronunciation) in found


def test_no_two_concepts_have_the_same_preferred_label(graph):
    found = graph()
    concepts = found.subjects(RDF.type, SKOS.Concept)
    labels = Counter(label for concept in concepts for label in found.objects(concept, SKOS.prefLabel))
    assert {label for label, times in labels.items() if times > 1} == set()
    assert Literal("buob (Rufe)", lang="rm-sursilv") in labels


def test_only_an_attested_word_is_a_preferred_label(graph):
    found = graph()
    terms = Namespace(f"{kit.ID}terms#")
    standings = {str(found.value(label, terms.standing)) for label in found.objects(None, XL.prefLabel)}
    assert standings == {str(terms.attested)}
    levada = next(label for label in found.subjects(XL.literalForm, Literal("levada", lang="rm-sursilv")))
    assert found.value(levada, terms.standing) == terms.proposed
    assert found.value(levada, terms.reliability) == Literal(1)


def test_no_concept_is_without_a_name_to_be_shown(graph):
    """Tools show the preferred label, or else rdfs:label: here of a word that is ours and no preferred one."""
    found = graph()
    for concept in found.subjects(RDF.type, SKOS.Concept):
        labels = [label for kind in (RDFS.label, SKOS.prefLabel) for label in found.objects(concept, kind)]
        named = {label.language for label in labels if isinstance(label, Literal)}
        assert {"en", "de"} <= named or named == {"rm-sursilv"}, concept
    assert (URIRef(f"{kit.ID}words.par"), RDFS.label, Literal("Schnitt", lang="de")) in found
    assert not list(found.objects(URIRef(f"{kit.ID}words.trick"), RDFS.label))


@pytest.mark.slow
def test_long_labels_say_the_same_as_the_short_ones(graph):
    """SKOS-XL, S55 to S57, and S53: a label has one literal form."""
    found = graph()
    for short, long in (
        (SKOS.prefLabel, XL.prefLabel),
        (SKOS.altLabel, XL.altLabel),
        (SKOS.hiddenLabel, XL.hiddenLabel),
    ):
        said = {(concept, found.value(label, XL.literalForm)) for concept, label in found.subject_objects(long)}
        concepts = set(found.subjects(RDF.type, SKOS.Concept))
        assert said == {(concept, text) for concept, text in found.subject_objects(short) if concept in concepts}
    for label in found.subjects(RDF.type, XL.Label):
        assert len(list(found.objects(label, XL.literalForm))) == 1


def test_classes_and_properties_of_skos_are_kept_apart(graph):
    """S9, S37: no concept is a scheme or a collection; S13: no label is preferred, alternative and hidden at once."""
    found = graph()
    concepts = set(found.subjects(RDF.type, SKOS.Concept))
    assert not concepts & (
        set(found.subjects(RDF.type, SKOS.ConceptScheme)) | set(found.subjects(RDF.type, SKOS.Collection))
    )
    for concept in concepts:
        preferred, other, hidden = (set(found.objects(concept, kind)) for kind in LABELS)
        assert len(preferred) + len(other) + len(hidden) == len(preferred | other | hidden), concept


def test_relations_go_both_ways_and_never_along_a_hierarchy(graph):
    found = graph()
    assert len(list(found.subject_objects(SKOS.related))) > 100
    for one, other in found.subject_objects(SKOS.related):
        assert (other, SKOS.related, one) in found
        assert other not in set(found.transitive_objects(one, SKOS.broader))
    for one, other in found.subject_objects(SKOS.broader):
        assert (other, SKOS.narrower, one) in found
    for concept in found.subjects(RDF.type, SKOS.Concept):
        top = (concept, SKOS.topConceptOf, None) in found
        assert top != ((concept, SKOS.broader, None) in found), concept


@pytest.mark.slow
def test_the_words_of_one_game_point_to_nothing_outside(graph):
    found = graph(game="troggu")
    assert kit.concepts(found) == set(Concept.objects.filter(troggu=True).values_list("key", flat=True))
    for kind in (SKOS.broader, SKOS.related, SKOS.member):
        assert {str(each).removeprefix(kit.ID) for each in found.objects(None, kind)} <= kit.concepts(found)


@pytest.mark.django_db
def test_there_is_one_row_for_each_word(file):
    found = [(row["concept"], row["language"], csv_table.unguarded(row["word"])) for row in kit.rows(file("csv"))]
    assert sorted(found) == sorted(Term.objects.values_list("concept__key", "language", "text"))
