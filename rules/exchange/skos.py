"""The words as linked data: SKOS and SKOS-XL, in Turtle and in JSON-LD.

One `skos:Concept` for each concept, with at most one preferred label for each language tag: the first word that is
still used and that a source attests. If that word is preferred for another concept, too, its theme is added: "buob
(calls)". If a language has no attested word, its first word is the `rdfs:label`, so that no concept is without a name.
Other words are alternative labels. Hidden labels, which can be found but are not shown, are words no longer used, near
equivalents, words that no source has yet (`_HIDDEN`), plurals, and forms that are only looked up.

Each word is a SKOS-XL label as well, with its certainty (`id/terms#standing`, `id/terms#reliability`), its sources, and
its pronunciation in IPA (`id/terms#pronunciation`, or `id/terms#derivedPronunciation` if it is only derived from the
spelling). SKOS has nothing for the place, register and gender of a word: they are in TBX and in the API. Language tags
are BCP 47, as in our documents (`rm-sursilv` and `rm-rumgr` are registered variants of Romansh).
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Set
from typing import Any, Final

from django.utils.translation import gettext, override
from rdflib import Graph, Literal, Namespace, URIRef
from rdflib.namespace import DCTERMS, RDF, RDFS, SKOS, XSD

from rules.documents import standing
from rules.documents.kinds import THEMES, source_of
from rules.documents.standing import ATTESTED
from rules.exchange.records import Collection, Published, Word, literal_of
from rules.licence import Licence

TITLE: Final = {"en": "Words of Troccas and Troggu", "de": "Die Wörter von Troccas und Troggu"}
XL: Final = Namespace("http://www.w3.org/2008/05/skos-xl#")
_HIDDEN: Final = frozenset({"near", "proposed"})
"""The standings of words that tools should not show as names of the concept."""
_CONTEXT: Final = {"skos": str(SKOS), "skosxl": str(XL), "dcterms": str(DCTERMS), "xsd": str(XSD)}


def graph(
    collection: Collection,
    *,
    site: str,
    word: Callable[[str], str],
    source: Callable[[str], str],
    licence: Licence | None,
    statement: str,
) -> Graph:
    """The words as a graph. Identifiers of concepts are permanent: `site`/id/KEY, whatever their page is called.

    `word` returns the address of a concept's page for its slug, `source` that of a source's page for its key.
    `statement` describes the `licence`, or says that none is chosen.
    """
    graph = Graph()
    names = Namespace(f"{site}/id/")
    graph.bind("skos", SKOS)
    graph.bind("dcterms", DCTERMS)
    graph.bind("id", names)
    graph.bind("skosxl", XL)
    own = Namespace(f"{names['terms']}#")
    graph.bind("term", own)
    scheme = names["words"]
    graph.add((scheme, RDF.type, SKOS.ConceptScheme))
    for code, title in TITLE.items():
        graph.add((scheme, DCTERMS.title, Literal(title, lang=code)))
    graph.add((scheme, DCTERMS.rights, Literal(statement, lang="en")))
    if licence:
        graph.add((scheme, DCTERMS.license, URIRef(licence.address)))
    _explained(graph, own)
    wider = _wider(collection)
    shared = _shared(collection)
    for published in collection.concepts:
        _concept(graph, published, wider, names, scheme, shared)
        _long_labels(graph, published, names, own, lambda key: source(key) if key in collection.sources else "", shared)
        concept = names[published.key]
        graph.add((concept, DCTERMS.isReferencedBy, URIRef(word(published.slug))))
        for key in _cited(published) & collection.sources.keys():
            graph.add((concept, DCTERMS.source, URIRef(source(key))))
    _themes(graph, collection, names)
    return graph


def turtle(graph: Graph) -> str:
    return graph.serialize(format="turtle")


def json_ld(graph: Graph) -> str:
    """The graph in JSON-LD, including its context; the same graph always gives the same text."""
    return json.dumps(
        _sorted(json.loads(graph.serialize(format="json-ld", context=_CONTEXT))), ensure_ascii=False, indent=1
    )


def labels(
    words: tuple[Word, ...], theme: str = "", shared: Set[tuple[str, str]] = frozenset()
) -> Iterator[tuple[URIRef, str, str, Word]]:
    """The labels of a concept: (property, language, text, word), no text twice in a language (SKOS, S13 and S14).

    A preferred label is the first attested word of its language; if its text is in `shared`, because several concepts
    would have it, the `theme` is added to tell them apart.
    """
    for language in dict.fromkeys(word.language for word in words):
        mine = [word for word in words if word.language == language]
        used = [word for word in mine if word.status != "deprecated" and word.standing not in _HIDDEN]
        hidden = [(word, word.text) for word in mine if word not in used]
        hidden += [(word, form) for word in mine for form in (*word.look_up, word.plural) if form]
        best = next((word for word in used if word.standing == ATTESTED), None)
        listed: set[str] = set()
        for word in sorted(used, key=lambda word: word is not best):
            is_preferred = word is best
            is_shared = is_preferred and (language, word.text) in shared
            text = f"{word.text} ({_theme(theme, language)})" if is_shared else word.text
            if text not in listed:
                listed.add(text)
                yield (SKOS.prefLabel if is_preferred else SKOS.altLabel), language, text, word
            if is_shared and word.text not in listed:
                listed.add(word.text)
                yield SKOS.altLabel, language, word.text, word
        for word, text in hidden:
            if text not in listed:
                listed.add(text)
                yield SKOS.hiddenLabel, language, text, word


def _shared(collection: Collection) -> frozenset[tuple[str, str]]:
    """The texts that would be the preferred label of several concepts: (language, text)."""
    counts = Counter(
        (language, text)
        for published in collection.concepts
        for kind, language, text, _word in labels(published.record.words)
        if kind == SKOS.prefLabel
    )
    return frozenset(each for each, times in counts.items() if times > 1)


def _theme(theme: str, language: str) -> str:
    with override("en" if language in ("en", "fr", "it") else "de"):
        return str(THEMES.get(theme, theme))


_LONG: Final = {SKOS.prefLabel: XL.prefLabel, SKOS.altLabel: XL.altLabel, SKOS.hiddenLabel: XL.hiddenLabel}


def _long_labels(
    graph: Graph,
    published: Published,
    names: Namespace,
    own: Namespace,
    source: Callable[[str], str],
    shared: Set[tuple[str, str]],
) -> None:
    """Add each label as a resource of its own, with the certainty and the sources of its word."""
    record = published.record
    for number, (kind, language, text, word) in enumerate(labels(record.words, record.theme, shared), start=1):
        label = names[f"{record.key}#label-{number}"]
        graph.add((label, RDF.type, XL.Label))
        graph.add((label, XL.literalForm, Literal(text, lang=language)))
        graph.add((names[record.key], _LONG[kind], label))
        if kind == SKOS.hiddenLabel and word.text != text:
            continue  # nothing is said about a form that is only looked up
        graph.add((label, own.standing, own[word.standing]))
        graph.add((label, own.reliability, Literal(word.reliability)))
        for sense, ipa in ((own.pronunciation, word.ipa), (own.derivedPronunciation, word.derived_ipa)):
            if ipa:
                graph.add((label, sense, Literal(ipa, lang=f"{language}-fonipa")))
        for key in {source_of(citation) for citation in word.sources}:
            if source(key):
                graph.add((label, DCTERMS.source, URIRef(source(key))))


def _explained(graph: Graph, own: Namespace) -> None:
    """Add the meanings of the standings, the reliability and the two pronunciations, in both languages."""
    graph.add((own.derivedPronunciation, RDFS.subPropertyOf, own.pronunciation))
    for code, name in standing.NAMES.items():
        for language in TITLE:
            with override(language):
                graph.add((own[code], RDFS.label, Literal(str(name), lang=language)))
                graph.add((own[code], RDFS.comment, Literal(str(standing.MEANS[code]), lang=language)))
    for language in TITLE:
        with override(language):
            levels = "; ".join(f"{level}: {means}" for level, means in standing.RELIABILITIES.items())
            graph.add((own.reliability, RDFS.comment, Literal(levels, lang=language)))
            graph.add((own.pronunciation, RDFS.label, Literal(gettext("pronunciation"), lang=language)))
            derived = gettext("pronunciation derived from the spelling")
            graph.add((own.derivedPronunciation, RDFS.label, Literal(derived, lang=language)))


def _concept(
    graph: Graph,
    published: Published,
    wider: Mapping[str, list[str]],
    names: Namespace,
    scheme: URIRef,
    shared: Set[tuple[str, str]],
) -> None:
    record, document = published.record, published.document
    concept = names[record.key]
    graph.add((concept, RDF.type, SKOS.Concept))
    graph.add((concept, SKOS.inScheme, scheme))
    graph.add((concept, SKOS.notation, Literal(record.key)))
    graph.add((concept, DCTERMS.modified, Literal(published.at.date().isoformat(), datatype=XSD.date)))
    named: set[str] = set()
    for kind, language, text, _label in labels(record.words, record.theme, shared):
        graph.add((concept, kind, Literal(text, lang=language)))
        if kind == SKOS.altLabel and language not in named:
            # No word of this language is attested: tools show the first one instead.
            graph.add((concept, RDFS.label, Literal(text, lang=language)))
        named.add(language)
    for language, definition in record.definitions.items():
        graph.add((concept, SKOS.definition, Literal(definition.text, lang=language)))
    for language, note in record.note.items():
        graph.add((concept, SKOS.scopeNote, Literal(note, lang=language)))
    for language, literal in literal_of(document).items():
        graph.add((concept, SKOS.note, Literal(literal, lang=language)))
    for game in record.games:
        graph.add((concept, DCTERMS.subject, Literal(game)))
    if wider[record.key]:
        broader = names[wider[record.key][0]]
        graph.add((concept, SKOS.broader, broader))
        graph.add((broader, SKOS.narrower, concept))
    else:
        graph.add((concept, SKOS.topConceptOf, scheme))
        graph.add((scheme, SKOS.hasTopConcept, concept))
    for key in document.get("related", ()):
        # A wider concept, at any distance, may not be a related one as well (SKOS, S27).
        if key in wider and key != record.key and key not in wider[record.key] and record.key not in wider[key]:
            graph.add((concept, SKOS.related, names[key]))
            graph.add((names[key], SKOS.related, concept))


def _wider(collection: Collection) -> dict[str, list[str]]:
    """The wider concepts of each concept, the nearest first, as far as they are in the collection."""
    next_wider = {published.key: published.document.get("broader", "") for published in collection.concepts}
    chains: dict[str, list[str]] = {}
    for key, step in next_wider.items():
        chain: list[str] = []
        while step in next_wider and step not in chain and step != key:
            chain.append(step)
            step = next_wider[step]
        chains[key] = chain
    return chains


def _sorted(value: Any) -> Any:
    """The JSON value with everything sorted, so that it does not depend on the order of sets."""
    if isinstance(value, dict):
        return {key: _sorted(value[key]) for key in sorted(value)}
    if isinstance(value, list):
        return sorted((_sorted(each) for each in value), key=lambda each: json.dumps(each, ensure_ascii=False))
    return value


def _themes(graph: Graph, collection: Collection, names: Namespace) -> None:
    """Add each theme as a collection of its concepts."""
    for theme in dict.fromkeys(published.record.theme for published in collection.concepts):
        group = names[f"theme-{theme}"]
        graph.add((group, RDF.type, SKOS.Collection))
        for language in TITLE:
            with override(language):
                graph.add((group, SKOS.prefLabel, Literal(str(THEMES[theme]), lang=language)))
        for published in collection.concepts:
            if published.record.theme == theme:
                graph.add((group, SKOS.member, names[published.key]))


def _cited(published: Published) -> set[str]:
    record = published.record
    cited = {citation for definition in record.definitions.values() for citation in definition.sources}
    cited |= {citation for word in record.words for citation in word.sources}
    return {source_of(citation) for citation in cited}
