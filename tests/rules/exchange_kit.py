"""Words to be exchanged: a few awkward ones, all of the program's own, and files made of them."""

from __future__ import annotations

import csv
import io
import os
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

from django.db import transaction
from lxml import etree
from rdflib import Graph
from rdflib.namespace import RDF, SKOS

from rules.documents import Document
from rules.exchange import publishing, records
from rules.exchange.records import Collection, Published, from_document
from tests.rules import content_kit, door_kit

SCHEMAS = Path(__file__).parent / "schemas"
ID = "http://127.0.0.1:8000/id/"
AWKWARD: Document = {
    "theme": "talk",
    "games": ["troccas"],
    "broader": "words.scart",
    "related": ["words.tapp"],
    "note": {"en": "Two\nlines, “quoted” & <marked>.", "de": "Literally: no."},
    "terms": [
        {"lang": "en", "text": "=HYPERLINK(\"x\")", "status": "preferred", "pos": "phrase", "look_up": ["a|b", "c\\d"]},
        {"lang": "en", "text": "+1", "status": "deprecated", "note": {"en": "Literally: not a gloss"}},
        {"lang": "de", "text": "'=1", "status": "admitted", "register": "jocular", "gloss": {"en": "x", "de": "y"}},
        {"lang": "gsw", "text": "Guppe", "status": "proposed", "place": "breil", "gender": "p", "ipa": "ˈkupə"},
        {"lang": "gsw", "text": "Guppe", "status": "proposed", "place": "surselva", "sources": ["lt", "pagat: A; B"]},
        {
            "lang": "rm-sursilv",
            "text": "scart, scart",
            "status": "preferred",
            "forms": {"plural": "scarts"},
            "examples": [{"text": "Jeu <scartel>.", "source": "lt", "meaning": {"en": "I discard."}}, {"text": "Gie!"}],
        },
    ],
    "definitions": {
        "en": {"text": "-2 “a”, b", "sources": ["lt", "pagat: The Deal"]},
        "fr": {"text": "Sans mot français."},
    },
}  # fmt: skip
PHRASE: Document = {
    "sort": "phrase",
    "theme": "talk",
    "games": ["troccas"],
    "strength": 3,
    "literal": {"en": "I am from Breil"},
    "tells": {"en": "has some trumps", "de": "hat Trümpfe"},
    "terms": [{"lang": "rm-sursilv", "text": "jeu sun da Breil", "status": "preferred", "pos": "phrase"}],
}


def world() -> None:
    """A few sources, places and words, among them awkward ones."""
    door_kit.world()
    door_kit.from_files(("concept", "words.awkward", "", AWKWARD), ("concept", "phrases.breil", "", PHRASE))


@contextmanager
def everything() -> Iterator[None]:
    """All that the files of the program hold, for as long as this lasts."""
    with transaction.atomic():
        content_kit.lay()
        yield
        transaction.set_rollback(True)


def file(name: str, game: str = "") -> bytes:
    """The file as it is given out now."""
    return publishing.FORMATS[name].make(records.collect(game)).encode()


def collection(*documents: Document) -> Collection:
    """A collection that is in no database: concepts words.0, words.1, …"""
    concepts = [
        Published(from_document(f"words.{n}", one, 1), one, str(n), datetime(2026, 11, 21, tzinfo=UTC))
        for n, one in enumerate(documents)
    ]
    return Collection(tuple(concepts), {}, {})


def address(slug: str) -> str:
    """Where a word's page would be."""
    return f"https://example.org/en/words/{slug}/"


def grammars() -> list[Path]:
    """Ours of TBX-Basic, and the published one where this machine has it (schemas/README.md)."""
    published = os.environ.get("TBX_SCHEMAS", "")
    return [SCHEMAS / "tbx-basic-dca.rng", *(sorted(Path(published).glob("*.rng")) if published else [])]


def what_is_wrong(tbx: bytes) -> list[str]:
    """What the grammars find in a TBX file."""
    tree = etree.fromstring(tbx)
    found = []
    for path in grammars():
        grammar = etree.RelaxNG(etree.parse(path))
        grammar.validate(tree)
        found += [f"{path.name}: {error}" for error in grammar.error_log]
    return found


def rows(table: bytes) -> list[dict[str, str]]:
    """The rows of a table, as a spreadsheet shows them."""
    return list(csv.DictReader(io.StringIO(table.decode("utf-8-sig"), newline="")))


def graph(name: str = "ttl", game: str = "") -> Graph:
    """The linked data as they are given out now, read back."""
    return Graph().parse(data=file(name, game), format={"ttl": "turtle", "jsonld": "json-ld"}[name])


def concepts(found: Graph) -> set[str]:
    """The keys of the concepts in a graph."""
    return {str(each).removeprefix(ID) for each in found.subjects(RDF.type, SKOS.Concept)}
