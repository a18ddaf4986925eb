"""The words as linked data: SKOS, in Turtle and in JSON-LD.

One `skos:Concept` for each concept, with one preferred label for each language tag: the first word of the language that is
still used. Other words are alternative labels; forms that are only looked up, and words no longer used, are hidden ones.
Place, register and gender of a word have no room in SKOS: they are in TBX and in the API. Language tags are BCP 47 as they
stand in our documents (`rm-sursilv` and `rm-rumgr` are registered variants of Romansh).
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

from django.utils.translation import override
from rdflib import Graph, Literal, Namespace, URIRef
from rdflib.namespace import DCTERMS, RDF, SKOS, XSD

from rules.documents.kinds import THEMES, source_of
from rules.exchange.records import Collection, Published, Word

TITLE: Final = {"en": "Words of Troccas and Troggu", "de": "Die Wörter von Troccas und Troggu"}
_CONTEXT: Final = {"skos": str(SKOS), "dcterms": str(DCTERMS), "xsd": str(XSD)}


def graph(collection: Collection, *, site: str, word: Callable[[str], str], source: Callable[[str], str]) -> Graph:
    """The words as a graph. Names of concepts are permanent: `site`/id/KEY, whatever their page is called.

    `word` gives the address of a concept's page for its slug, `source` that of a source's page for its key.
    """
    made = Graph()
    names = Namespace(f"{site}/id/")
    made.bind("skos", SKOS)
    made.bind("dcterms", DCTERMS)
    made.bind("id", names)
    scheme = names["words"]
    made.add((scheme, RDF.type, SKOS.ConceptScheme))
    for code, title in TITLE.items():
        made.add((scheme, DCTERMS.title, Literal(title, lang=code)))
    wider = _wider(collection)
    for published in collection.concepts:
        _concept(made, published, wider, names, scheme)
        concept = names[published.key]
        made.add((concept, DCTERMS.isReferencedBy, URIRef(word(published.slug))))
        for key in _cited(published) & collection.sources.keys():
            made.add((concept, DCTERMS.source, URIRef(source(key))))
    _themes(made, collection, names)
    return made


def turtle(made: Graph) -> str:
    return made.serialize(format="turtle")


def json_ld(made: Graph) -> str:
    """The graph in JSON-LD, with its context in it; the same graph is always the same text."""
    return json.dumps(
        _sorted(json.loads(made.serialize(format="json-ld", context=_CONTEXT))), ensure_ascii=False, indent=1
    )


def labels(words: tuple[Word, ...]) -> Iterator[tuple[URIRef, str, str]]:
    """The labels of a concept: (property, language, text), no text twice in a language (SKOS, S13 and S14)."""
    for language in dict.fromkeys(word.language for word in words):
        mine = [word for word in words if word.language == language]
        used = [word.text for word in mine if word.status != "deprecated"]
        hidden = [word.text for word in mine if word.status == "deprecated"]
        hidden += [form for word in mine for form in word.look_up]
        said: set[str] = set()
        for number, text in enumerate(used):
            if text not in said:
                said.add(text)
                yield (SKOS.altLabel if number else SKOS.prefLabel), language, text
        for text in hidden:
            if text not in said:
                said.add(text)
                yield SKOS.hiddenLabel, language, text


def _concept(
    made: Graph, published: Published, wider: Mapping[str, list[str]], names: Namespace, scheme: URIRef
) -> None:
    record, document = published.record, published.document
    concept = names[record.key]
    made.add((concept, RDF.type, SKOS.Concept))
    made.add((concept, SKOS.inScheme, scheme))
    made.add((concept, SKOS.notation, Literal(record.key)))
    made.add((concept, DCTERMS.modified, Literal(published.at.date().isoformat(), datatype=XSD.date)))
    for kind, language, text in labels(record.words):
        made.add((concept, kind, Literal(text, lang=language)))
    for language, definition in record.definitions.items():
        made.add((concept, SKOS.definition, Literal(definition.text, lang=language)))
    for language, note in record.note.items():
        made.add((concept, SKOS.scopeNote, Literal(note, lang=language)))
    for language, literal in document.get("literal", {}).items():
        made.add((concept, SKOS.note, Literal(literal, lang=language)))
    for game in record.games:
        made.add((concept, DCTERMS.subject, Literal(game)))
    if wider[record.key]:
        broader = names[wider[record.key][0]]
        made.add((concept, SKOS.broader, broader))
        made.add((broader, SKOS.narrower, concept))
    else:
        made.add((concept, SKOS.topConceptOf, scheme))
        made.add((scheme, SKOS.hasTopConcept, concept))
    for key in document.get("related", ()):
        # A wider word is not a related one as well, at whatever distance (SKOS, S27).
        if key in wider and key != record.key and key not in wider[record.key] and record.key not in wider[key]:
            made.add((concept, SKOS.related, names[key]))
            made.add((names[key], SKOS.related, concept))


def _wider(collection: Collection) -> dict[str, list[str]]:
    """The wider concepts of each, the next one first, as far as they are in the collection."""
    next_wider = {published.key: published.document.get("broader", "") for published in collection.concepts}
    found: dict[str, list[str]] = {}
    for key, above in next_wider.items():
        chain: list[str] = []
        step = above
        while step in next_wider and step not in chain and step != key:
            chain.append(step)
            step = next_wider[step]
        found[key] = chain
    return found


def _sorted(value: Any) -> Any:
    """JSON in which nothing depends on the order in which a set was gone through."""
    if isinstance(value, dict):
        return {key: _sorted(value[key]) for key in sorted(value)}
    if isinstance(value, list):
        return sorted((_sorted(each) for each in value), key=lambda each: json.dumps(each, ensure_ascii=False))
    return value


def _themes(made: Graph, collection: Collection, names: Namespace) -> None:
    """Each theme as a collection of its concepts."""
    for theme in dict.fromkeys(published.record.theme for published in collection.concepts):
        group = names[f"theme-{theme}"]
        made.add((group, RDF.type, SKOS.Collection))
        for language in TITLE:
            with override(language):
                made.add((group, SKOS.prefLabel, Literal(str(THEMES[theme]), lang=language)))
        for published in collection.concepts:
            if published.record.theme == theme:
                made.add((group, SKOS.member, names[published.key]))


def _cited(published: Published) -> set[str]:
    record = published.record
    cited = {citation for definition in record.definitions.values() for citation in definition.sources}
    cited |= {citation for word in record.words for citation in word.sources}
    return {source_of(citation) for citation in cited}
