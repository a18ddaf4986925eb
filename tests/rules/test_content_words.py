"""The words that come with the program: complete, sourced, and as the sources print them."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Mapping
from functools import cache
from typing import Any

import pytest

from core.reading_languages import READING
from domain.engine.talk import phrase_book
from rules import content_files as filing
from rules.documents import Document, standing
from rules.terms import content
from rules.wordbook import naming

OWN = {"Surselva": "rm-sursilv", "Wallis": "gsw", "French cards": "fr"}


@cache
def _files() -> filing.Files:
    return filing.read_files()


@cache
def _concepts() -> Mapping[str, Document]:
    return {entry.key: entry.document for entry in _files().entries if entry.kind == "concept"}


@cache
def _words() -> Mapping[str, Document]:
    return {key: document for key, document in _concepts().items() if document.get("sort") != "phrase"}


def _terms(document: Document, language: str) -> list[dict[str, Any]]:
    return [term for term in document["terms"] if term["lang"] == language]


def test_words_sources_and_places_are_sound_and_point_to_what_exists() -> None:
    flaws = [str(flaw) for flaw in _files().flaws if not flaw.file.startswith("articles/")]
    assert not flaws


def test_a_title_that_is_a_description_is_in_the_language_of_its_source() -> None:
    sources = {entry.key: entry.document for entry in _files().entries if entry.kind == "source"}
    described = {key: each["title"] for key, each in sources.items()
                 if each.get("language") == "de" and "title is a description" in each.get("note", {}).get("en", "")}  # fmt: skip
    assert len(described) > 5
    english = re.compile(r"\b(of|the|on|at|report|reports|rules|evening)\b", re.IGNORECASE)
    assert not {key: title for key, title in described.items() if english.search(title)}


def test_every_word_is_defined_in_english_and_german_with_its_source() -> None:
    for key, document in _words().items():
        defined = document.get("definitions", {})
        assert {"en", "de"} <= {*defined}, key
        assert defined["en"]["text"] != defined["de"]["text"], key
        assert defined["en"].get("sources") == defined["de"].get("sources"), key
    general = [key for key, document in _words().items() if not document["definitions"]["en"].get("sources")]
    assert general == ["words.bye"], "said by no source we have"


PARTS: Mapping[str, frozenset[str]] = {
    source: frozenset(parts.split("; "))
    for source, parts in {
        "pagat": "Introduction; Players and Cards; The Deal; The Discard; The Play; Scoring; Tschintschar; Variations; "
        "Troccas for Six Players; Troccas for Three Players; Troccas for Five Players; More Romansh Terminology",
        "pagat-troggu": "Introduction; The Cards; Players and deal; The Bidding; The Exchange; The Play; Scoring; Misere; "
        "Special rules for 7 or 8 players; Calling a partner; Variations",
        "oinkers": "Introduction; Choosing partners; The deal; The first trick; Knight-if; Booy; Scoring; End of the game; Note",
        "troccas-online": "Introduction; Quick Core Summary; Teams, Seats, and Start Conditions; Deal Flow; Scart Rule; "
        "Trick Play Core Rules; Trick Winner Rule; BUOB Trigger Conditions; BUOB Resolution Modes; "
        "Fool (Narr) Debt Handling; Scoring Formula; Round End and Regame; Rules FAQ",
        "article-troggu": "Introduction; Discovering Troggu; The Cards; The Players & the Deal; The Bidding; The Play; "
        "Scoring in the Game; Misere; Rules for 7 or 8 Players; Calling on a Partner",
    }.items()
}
"""The parts of the main sources, as citations name them: one name for each, and no other."""


def _cited(value: Any) -> list[str]:
    """Every citation of an article, a question in it, a word or a definition."""
    text = value if isinstance(value, str) else repr(value)
    marks = [each for found in re.findall(r"\[(@[^\]]+)\]", text) for each in found.split(";")]
    said = re.findall(r'^source = "([^"]+)"$', text, re.MULTILINE)
    return [mark.strip().removeprefix("@") for mark in marks] + said


def test_a_citation_names_a_part_that_the_source_has() -> None:
    cited = defaultdict(set)
    for entry in _files().entries:
        if entry.kind == "article":
            for citation in _cited(entry.document["text"]):
                cited[citation].add(entry.file)
        elif entry.kind == "concept":
            rows = [*entry.document.get("definitions", {}).values(), *entry.document["terms"]]
            for citation in (each for row in rows for each in row.get("sources", ())):
                cited[citation].add(entry.key)
    named = {each.partition(": ")[::2]: where for each, where in cited.items() if ": " in each}
    assert {source for source, _part in named} > {*PARTS}
    assert not {
        f"{source}: {part}": sorted(where)
        for (source, part), where in named.items()
        if source in PARTS and part not in PARTS[source]
    }


def test_every_word_has_a_part_of_speech_and_is_a_word_somebody_says() -> None:
    for key, document in _concepts().items():
        for term in document["terms"]:
            assert term.get("pos"), f"{key}: {term['text']}"
            assert "*" not in term["text"], f"{key}: {term['text']}"


def test_a_word_that_no_source_has_in_this_sense_is_not_said_to_be_in_use() -> None:
    for key, document in _concepts().items():
        for term in document["terms"]:
            if standing.of(term) == "proposed":
                assert term["status"] == "proposed", f"{key}: {term['text']}"


def test_a_french_or_italian_noun_has_a_gender_and_a_verb_is_no_noun() -> None:
    titles = {"How To Play Troccas!", "Troccas Online"}
    for key, document in _concepts().items():
        for term in document["terms"]:
            if term["lang"] in ("fr", "it") and term["pos"] == "noun" and term["text"] not in titles:
                assert term.get("gender"), f"{key}: {term['text']}"


def test_an_english_definition_is_of_the_part_of_speech_of_its_words() -> None:
    """What is defined as "To …" is no noun, and no adjective has the gender of one of its forms."""
    for key, document in _words().items():
        to_do = document["definitions"]["en"]["text"].startswith("To ")
        for term in document["terms"]:
            assert not (to_do and term["lang"] == "en" and term["pos"] == "noun"), f"{key}: {term['text']}"
            assert term["pos"] == "noun" or not term.get("gender"), f"{key}: {term['text']}"


@pytest.mark.parametrize(("language", "ban"), [("fr", "ne doit pas|ne doivent pas"), ("it", "non deve|non devono")])
@pytest.mark.parametrize("key", ["words.must-trump", "words.talk", "words.bluff"])
def test_what_nobody_has_to_do_is_not_said_to_be_forbidden(key: str, language: str, ban: str) -> None:
    """Neither language says "need not" by denying "must": "non deve" and "ne doit pas" forbid."""
    assert not re.search(ban, _concepts()[key]["definitions"][language]["text"], re.IGNORECASE)


@pytest.mark.parametrize(
    ("key", "text"),
    [
        ("words.called-trump", "called trump"),
        ("words.secret-partner", "secret partner"),
        ("words.face-up-card", "face-up card"),
        ("words.first-lead", "first lead of a suit"),
        ("words.double-threshold", "threshold for doubling"),
        ("words.graechen-rules", "Grächen rules"),
        ("trumps.17", "the Star"),
        ("words.fool-debt", "Fool debt"),
    ],
)
def test_a_word_that_its_source_does_not_print_is_ours(key: str, text: str) -> None:
    (term,) = [term for term in _concepts()[key]["terms"] if term["text"] == text]
    assert standing.of(term) == "ours"


@pytest.mark.parametrize(
    ("key", "language", "text", "citation"),
    [
        ("phrases.liber", "rm-sursilv", "liber", "pagat: The Deal"),
        ("words.anticlockwise", "en", "anticlockwise", "pagat: Players and Cards"),
        ("words.card-value", "en", "card value", "pagat: Troccas for Three Players"),
        ("words.opponents", "en", "opponents", "pagat: The Play"),
        ("words.soloist", "en", "soloist", "pagat-troggu: The Exchange"),
        ("words.swiss-tarot", "en", "Swiss Tarot", "pagat: Introduction"),
        ("words.tappist", "gsw", "Tappist", "pagat-troggu: The Bidding"),
        ("words.withhold-fool", "en", "withhold the Fool", "pagat-troggu: The Play"),
        ("words.deal", "rm-sursilv", "dar", "pagat: Tschintschar"),
        ("words.hand", "en", "hand", "pagat: The Deal"),
    ],
)
def test_a_word_is_cited_from_the_part_that_prints_it(key: str, language: str, text: str, citation: str) -> None:
    (term,) = [term for term in _terms(_concepts()[key], language) if term["text"] == text]
    assert [source for source in term["sources"] if source.startswith("pagat")] == [citation]


@pytest.mark.parametrize(
    ("key", "text"),
    [
        ("words.dealer", "scartist"),
        ("words.scart", "scart"),
        ("words.tapp", "Tapp"),
        ("words.tappist", "Tappist"),
        ("ranks.jack", "page"),
        ("words.card", "card"),
        ("words.suit", "suit"),
        ("words.player", "player"),
        ("trumps.3", "the Empress"),
        ("trumps.4", "the Emperor"),
        ("trumps.12", "the Hanged Man"),
        ("words.buob", "call for the jack"),
        ("words.called-trump", "called card"),
        ("words.secret-partner", "called partner"),
        ("words.secret-partner", "temporary partner"),
        ("words.highest-trump-out", "highest outstanding trump"),
    ],
)
def test_what_a_source_calls_a_thing_in_english_is_an_english_word(key: str, text: str) -> None:
    (term,) = [term for term in _terms(_concepts()[key], "en") if term["text"] == text]
    assert standing.of(term) == standing.ATTESTED


@pytest.mark.parametrize("language", ["en", "de", *sorted(READING)])
@pytest.mark.parametrize("key", ["suits.cups", "suits.swords", "suits.batons", "words.long-suits", "words.ace"])
def test_the_lowest_card_of_a_suit_is_told_for_both_packs(key: str, language: str) -> None:
    """Troggu leaves cards out, so that another one is the lowest."""
    defined = _concepts()[key]["definitions"][language]
    assert "Troggu" in defined["text"]
    assert "pagat-troggu: The Cards" in defined["sources"]


def test_what_is_said_of_both_games_rests_on_sources_for_both() -> None:
    alike = {
        "words.additive-numeral",
        "words.throw-off",
    }  # what the cards print, and what follows from the duty to trump
    for key, document in _words().items():
        cited = document["definitions"]["en"].get("sources", ())
        of_troccas = any(source.startswith("pagat: ") for source in cited)
        of_troggu = any(source.startswith("pagat-troggu: ") or source == "jv: Troggu" for source in cited)
        if {*document.get("games", ())} == {"troccas", "troggu"} and of_troccas and document["theme"] != "tournament":
            assert of_troggu or key in alike, key


def test_a_word_of_ours_is_said_nowhere() -> None:
    for key, document in _concepts().items():
        for term in document["terms"]:
            assert standing.of(term) not in ("ours", "proposed") or not term.get("place"), f"{key}: {term['text']}"


def test_a_word_is_cited_from_a_text_in_its_language() -> None:
    """But for the words of the players and the titles on the cards, which the sources quote."""
    written = {entry.key: entry.document.get("language", "") for entry in _files().entries if entry.kind == "source"}
    for key, document in _concepts().items():
        for term in document["terms"]:
            if term["lang"] in ("en", "de", *READING) and term.get("register") != "printed on the cards":
                cited = [source.partition(": ")[::2] for source in term.get("sources", ())]
                known = [part.endswith(" version") or written[work] == term["lang"] for work, part in cited]
                assert any(known) or not known, f"{key}: {term['text']}"


def test_a_definition_rests_on_no_word_list() -> None:
    for key, document in _words().items():
        assert "pg" not in document["definitions"]["en"].get("sources", ()), key


@pytest.mark.parametrize(
    ("kind", "wider"),
    [
        ("trumps.", {"words.trump"}),
        ("ranks.", {"words.court-cards"}),
        ("suits.", {"words.round-suits", "words.long-suits"}),
    ],
)
def test_a_card_says_what_kind_of_card_it_is(kind: str, wider: set[str]) -> None:
    assert {document.get("broader") for key, document in _concepts().items() if key.startswith(kind)} == wider


def test_a_name_has_no_label_of_use_that_no_source_gives() -> None:
    """Which of the popular names are said in jest, none of the sources tells."""
    used = {term.get("register", "") for document in _concepts().values() for term in document["terms"]}
    assert used == {"", "printed on the cards", "popular", "historical"}


@pytest.mark.parametrize("text", ["la Cadi", "il da Cuoz"])
def test_a_place_that_a_name_speaks_of_is_not_where_it_is_said(text: str) -> None:
    (term,) = [term for document in _concepts().values() for term in document["terms"] if term["text"] == text]
    assert not term.get("place")


def test_every_word_has_a_name_in_english_and_german() -> None:
    for key, document in _words().items():
        assert _terms(document, "en"), key
        assert _terms(document, "de"), key


def test_a_word_of_the_players_that_no_source_attests_is_only_proposed() -> None:
    for key, document in _concepts().items():
        for term in document["terms"]:
            is_ours = term["lang"] in READING and term.get("standing") == "ours"
            if term["lang"] not in ("en", "de") and not is_ours and not term.get("sources"):
                assert term["status"] == "proposed", f"{key}: {term['text']}"
                assert term.get("note"), f"{key}: {term['text']} is proposed without a reason"


def test_a_form_that_only_word_lists_have_is_not_taken_for_the_word_of_the_game() -> None:
    for key, document in _concepts().items():
        for term in document["terms"]:
            if term.get("sources") == ["pg"]:
                assert term["status"] == "proposed", f"{key}: {term['text']}"


def test_only_a_word_with_a_source_is_preferred() -> None:
    for key, document in _concepts().items():
        for term in document["terms"]:
            if term["status"] == "preferred":
                assert standing.of(term) == "attested", f"{key}: {term['text']}"


def test_no_word_is_the_first_of_two_things_but_where_they_are_named_alike_in_play() -> None:
    """One thing, one entry: what has the same first word in a language is one thing, or a homonym that is listed here."""
    firsts = Counter(
        (language, _terms(document, language)[0]["text"].casefold())
        for document in _concepts().values()
        for language in {term["lang"] for term in document["terms"]}
    )
    alike = {(language, text) for (language, text), times in firsts.items() if times > 1}
    assert alike <= {
        ("rm-sursilv", "buob"),  # the jack, and the call for it
        ("en", "trump"),  # the card, and playing it
        ("en", "hand"),  # the cards somebody holds, and what is played with them
        ("de", "hand"),
        ("it", "mano"),
        ("gsw", "troggu"),  # the game, and playing it
        ("fr", "tarot"),  # the family of games, and the French one
    }


def test_first_word_of_a_language_is_the_preferred_one_and_the_only() -> None:
    for key, document in _concepts().items():
        by_language = defaultdict(list)
        for term in document["terms"]:
            by_language[term["lang"]].append(term["status"])
        for language, statuses in by_language.items():
            assert statuses.count("preferred") <= 1, f"{key}: {language}"
            if "preferred" in statuses:
                assert statuses[0] == "preferred", f"{key}: {language}"


@pytest.mark.parametrize("number", range(1, 22))
def test_every_trump_has_the_title_on_its_card_among_its_french_words(number: int) -> None:
    document = _concepts()[f"trumps.{number}"]
    titles = [term for term in _terms(document, "fr") if term.get("register") == "printed on the cards"]
    assert [term["text"] for term in titles] == [content("cards")["trumps"][str(number)]["title"]]


def test_every_popular_name_says_what_it_means_or_why_nobody_knows() -> None:
    for number in range(1, 22):
        names = _terms(_concepts()[f"trumps.{number}"], "rm-sursilv")
        for name in names[1:] if len(names) > 1 else ():
            assert name.get("gloss") or name.get("note"), name["text"]


def test_every_phrase_of_the_talk_is_explained_in_english_and_german() -> None:
    for phrase in phrase_book():
        document = _concepts()[f"phrases.{phrase}"]
        assert {*document.get("literal", {})} in ({"en", "de", *READING}, set()), phrase
        assert {"en", "de"} <= {*document["tells"]}, phrase
        printed = "The Deal" if phrase == "liber" else "Tschintschar"
        assert document["terms"][0]["sources"][0] == f"pagat: {printed}", phrase


@pytest.mark.parametrize(
    ("key", "printed"),
    [
        ("trumps.19", "la sulegl"),
        ("trumps.14", "il aunghel"),
        ("trumps.5", "il da Cuoz"),
        ("trumps.6", "ils amurai"),
        ("trumps.16", "la Cadi"),
        ("trumps.15", "il bab dallas femnas"),
    ],
)
def test_doubtful_names_stand_as_printed_with_a_note(key: str, printed: str) -> None:
    (term,) = [term for term in _concepts()[key]["terms"] if term["text"] == printed]
    assert {"en", "de"} <= {*term["note"]}


@pytest.mark.parametrize("phrase", ["clavau-dalla-claustra", "in-paletg", "jeu-sun-da-medel", "paset"])
def test_doubtful_phrases_have_a_note(phrase: str) -> None:
    assert {"en", "de"} <= {*_concepts()[f"phrases.{phrase}"]["note"]}


@pytest.mark.parametrize(
    ("words", "language"),
    [
        ("Goppe Guppe Roosä Roose Schwäärti Schwärte Schtächnä Stäcke Kinig Frouwwi Ritti Büob", "gsw"),
        ("Bättler Narr Mat Gschgüser Mund Bagatt Bagatji Bagat Trogge Tapp Tappist Misäär Solo", "gsw"),
        ("Troggu Trogga Tappä Tappu Tappen", "gsw"),
        (
            "cuppas rosas spadas bastuns retg regina femna cavagl caval cavalier buob narr lecra lecras figuras",
            "rm-sursilv",
        ),
        ("trocca troccas honors juhe scartina scart scartist tschintschar cantar liber", "rm-sursilv"),
        (
            "Tarocke Rosen Kelche Münzen Stöcke Ritter Zahlenkarte Figurenkarten Standblatt Passe Vorrunde Wanderpokal",
            "de",
        ),
        ("chien écart preneur excuse petit atouts levée coupes deniers épées bâtons valet", "fr"),
        ("coppe denari spade bastoni fante cavallo scarto mazziere tarocchi", "it"),
    ],
)
def test_words_of_the_sources_are_all_in(words: str, language: str) -> None:
    found = [term for document in _concepts().values() for term in _terms(document, language)]
    known = {word for term in found for word in (term["text"], *term.get("forms", {}).values())}
    known |= {naming.Naming.of(term).head for term in found}
    assert not {*words.split()} - known


def test_walliser_words_say_where_they_were_heard() -> None:
    for key, document in _concepts().items():
        for term in _terms(document, "gsw"):
            if term["status"] != "proposed":
                assert term.get("place"), f"{key}: {term['text']}"


@pytest.mark.parametrize(
    "row", ["cards laid away", "who lays cards away", "the game", "Fool", "king", "lowest trump", "cups"]
)
def test_same_word_elsewhere_has_words_of_the_surselva_of_the_valais_and_of_france(row: str) -> None:
    found = [document for document in _words().values() if document.get("elsewhere") == row]
    for place, language in OWN.items():
        assert any(_terms(document, language) for document in found), f"{row}: nothing from {place}"


def test_no_two_words_share_an_address() -> None:
    slugs = Counter(entry.slug for entry in _files().entries if entry.kind == "concept")
    assert [slug for slug, times in slugs.items() if times > 1] == []


def test_german_is_written_as_in_switzerland() -> None:
    for key, document in _concepts().items():
        said = [
            part[lang]
            for part in (document.get("note", {}), document.get("tells", {}))
            for lang in part
            if lang == "de"
        ]
        said += [document["definitions"]["de"]["text"]] if "definitions" in document else []
        said += [term["text"] for term in _terms(document, "de")]
        assert not [text for text in said if "ß" in text], key


def test_words_to_look_up_are_not_so_plain_that_articles_would_link_them_wrongly() -> None:
    """Looked-up forms are also linked in running text: "pages" or "gibt" would be, in every second sentence."""
    plain = {
        "en": {"pages", "half", "takes", "played", "final", "season"},
        "de": {"gibt", "spielt", "nimmt", "zahlen", "zeigen", "Bilder"},
    }
    for key, document in _words().items():
        for language, everyday in plain.items():
            for term in _terms(document, language):
                assert not {term["text"], *term.get("look_up", ())} & everyday, f"{key}: {term['text']}"


@pytest.mark.parametrize("language", sorted(READING))
def test_every_concept_is_whole_in_a_language_of_reading(language: str) -> None:
    """What is said of it in English is said of it there; and it has a name, though it be ours."""
    missing = []
    for key, document in _concepts().items():
        texts = [("definition", document.get("definitions", {}))]
        texts += [(part, document.get(part, {})) for part in ("meaning", "literal", "tells", "note")]
        texts += [
            (f"{part} of {term['text']}", term.get(part, {}))
            for term in document["terms"]
            for part in ("gloss", "note")
        ]
        missing += [f"{key}: {part}" for part, said in texts if "en" in said and language not in said]
        if document.get("sort") != "phrase" and not _terms(document, language):
            missing.append(f"{key}: name")
    assert missing == []


@pytest.mark.parametrize("language", sorted(READING))
def test_a_near_equivalent_is_not_the_first_word(language: str) -> None:
    """The page would be headed by it. But for the words that our own texts in that language use."""
    first = {
        document_terms[0]["text"]
        for document in _concepts().values()
        if (document_terms := _terms(document, language)) and document_terms[0].get("standing") == "near"
    }
    assert first <= {"onori", "preneur"}


@pytest.mark.parametrize("language", sorted(READING))
def test_a_translated_definition_cites_what_the_english_one_cites(language: str) -> None:
    for key, document in _concepts().items():
        defined = document.get("definitions", {})
        if "en" in defined:
            assert defined[language].get("sources") == defined["en"].get("sources"), key


@pytest.mark.parametrize("language", sorted(READING))
def test_the_articles_that_are_read_there_keep_sources_examples_and_addresses(language: str) -> None:
    entries = {(entry.key, entry.language): entry.document for entry in _files().entries if entry.kind == "article"}
    for name in ("overview", "the-pack", "table-talk", "troccas", "troggu"):
        english, translated = (entries[name, written]["text"] for written in ("en", language))
        for kept in (
            r"\[@[^\]]*\]",
            r"\{#[\w-]+\}",
            r"^::: .+$",
            r"\((?:rules|words|sources):[^)]*\)",
            r"^(?:source|quote|hold|trick|cards|record) = .*$",
        ):
            found = [sorted(re.findall(kept, text, re.MULTILINE)) for text in (english, translated)]
            assert found[0] == found[1], f"{name}: {kept}"


def test_french_and_italian_are_set_as_in_switzerland() -> None:
    for entry in _files().entries:
        if entry.kind == "article" and entry.language in READING:
            assert not re.search(r"\w'\w", entry.document["text"]), entry.file
        if entry.kind == "article" and entry.language == "fr":
            assert not re.search(r"« | »|\w [;!?]", entry.document["text"]), entry.file


def test_french_keeps_its_marks_with_the_word_before_them() -> None:
    content = filing.CONTENT
    files = [content / "translations" / "fr.toml", *(content / "articles" / "fr").glob("*.md")]
    loose = re.compile(r" [:;!?»](?=[\s\"]|$)|« ", re.MULTILINE)
    texts = {
        file.name: re.sub(r"^#.*$|^:::.*$", "", file.read_text(encoding="utf-8"), flags=re.MULTILINE) for file in files
    }
    assert {name: loose.findall(text) for name, text in texts.items() if loose.search(text)} == {}
