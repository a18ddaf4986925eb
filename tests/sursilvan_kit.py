"""A Sursilvan page as a screen reader has it: each text with its language, and what is wrong with that."""

from __future__ import annotations

import re
from functools import cache
from html.parser import HTMLParser

import polib

from core.sursilvan import without_marks
from rules.terms import content, names_of
from tools.messages import load

VOID = {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"}
ATTRIBUTES = ("aria-label", "aria-valuetext", "title", "placeholder", "alt")
UNSAID = {"script", "style", "code", "kbd"}


class Reading(HTMLParser):
    """The texts of a page, and those of its attributes, with the language each is said to be in."""

    def __init__(self, html: str, language: str = "de") -> None:
        super().__init__()
        self.open: list[tuple[str, str]] = [("", language)]
        self.texts: list[tuple[str, str]] = []
        self.labels: list[str] = []
        self.said: list[tuple[str, str, str]] = []
        """The texts of attributes, with the language and the tag of their element."""
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        language = given.get("lang") or self.open[-1][1]
        found = [text for name in ATTRIBUTES if (text := given.get(name))]
        self.labels += found
        self.said += [(text, language, tag) for text in found]
        if tag not in VOID:
            self.open.append((tag, language))

    def handle_endtag(self, tag: str) -> None:
        while len(self.open) > 1 and self.open.pop()[0] != tag:
            pass

    def handle_data(self, data: str) -> None:
        text = " ".join(data.split())
        if text and self.open[-1][0] not in UNSAID:
            self.texts.append((text, self.open[-1][1]))


def _entries(locale: str) -> list[polib.POEntry]:
    return [entry for entry in load(locale, "django") if entry.translated()]


def _forms(entry: polib.POEntry) -> list[str]:
    return list(entry.msgstr_plural.values()) if entry.msgid_plural else [entry.msgstr]


def _sources(entry: polib.POEntry) -> list[str]:
    return [text for text in (entry.msgid, entry.msgid_plural) if text]


_FIELD = re.compile(r"%\(\w+\)[sd]|%%")
_MARKUP = re.compile(r"<[^>]*>")


def _told(text: str) -> str:
    return " ".join(_MARKUP.sub("", text).split())


@cache
def german() -> frozenset[str]:
    return frozenset(_told(text) for entry in _entries("de") for text in _forms(entry))


@cache
def own() -> frozenset[str]:
    """What only Sursilvan says so."""
    return frozenset(_told(text) for entry in _entries("rm_Sursilv") for text in _forms(entry)) - german()


@cache
def english() -> frozenset[str]:
    """What only English says so."""
    said = frozenset(_told(text) for entry in _entries("de") for text in _sources(entry))
    sursilvan = {_told(text) for entry in _entries("rm_Sursilv") for text in _forms(entry)}
    return frozenset(text for text in said - german() - sursilvan - _words() if len(text) > 2)


def _pattern(texts: frozenset[str]) -> re.Pattern[str]:
    """The texts with fields, whatever stands in these; only where enough is left that it can be told by."""
    long = [text for text in texts if _FIELD.search(text) and len(re.sub(r"\W", "", _FIELD.sub("", text))) > 7]
    fields = ("".join(".+" if _FIELD.fullmatch(part) else re.escape(part) for part in _split(text)) for text in long)
    return re.compile("|".join(f"(?:{text})" for text in fields))


def _split(text: str) -> list[str]:
    return re.split(f"({_FIELD.pattern})", text)


@cache
def _english_sentences() -> re.Pattern[str]:
    return _pattern(english())


@cache
def _own_sentences() -> re.Pattern[str]:
    return _pattern(own())


OWN_CARDS = re.compile(
    r"\b(?:il|la|igl|\d+|retg|dama|cavalier?|buob) da (?:cuppas|rosas|spadas|bastuns)\b|\bil narr\b", re.IGNORECASE
)
GERMAN_CARDS = re.compile(r"\b(?:Becher|Münzen|Schwerter|Stäbe)\b")


def faults(html: str) -> list[str]:
    """Every text of a page that is English, or in another language than it says."""
    reading = Reading(html)
    assert without_marks(html) == html
    found = [f"English: {text}" for text, lang in reading.texts if lang != "en" and _is_english(text)]
    found += [f"English label: {text}" for text in reading.labels if _is_english(text)]
    for text, language in reading.texts:
        if language == "de" and (text in own() or _own_sentences().fullmatch(text) or OWN_CARDS.search(text)):
            found.append(f"Sursilvan, not marked: {text}")
        if language == "rm-sursilv" and (GERMAN_CARDS.search(text) or text in german() - _both()):
            found.append(f"German, marked as Sursilvan: {text}")
    for text, language, tag in reading.said:
        if language == "rm-sursilv" and (GERMAN_CARDS.search(text) or text in german() - _both()):
            found.append(f"German label, marked as Sursilvan: {text}")
        if language == "de" and tag in VOID and (text in own() or _own_sentences().fullmatch(text)):
            found.append(f"Sursilvan label, not marked: {text}")
    found += [f"mixed label: {text}" for text in reading.labels if OWN_CARDS.search(text) and GERMAN_CARDS.search(text)]
    return sorted(set(found))


@cache
def _both() -> frozenset[str]:
    sursilvan = {_told(text) for entry in _entries("rm_Sursilv") for text in _forms(entry)}
    return german() & (sursilvan | _words())


@cache
def _words() -> frozenset[str]:
    """The words of the game in Sursilvan, as they stand in a sentence and alone."""
    words = {name.text for concept in content("words")["words"] for name in names_of(f"words.{concept}", "rm-sursilv")}
    return frozenset(words | {word.capitalize() for word in words})


def _is_english(text: str) -> bool:
    return text in english() or bool(_english_sentences().fullmatch(text))
