#!/usr/bin/env python
"""The catalogues of the site, without the gettext programs.

    python tools/messages.py extract   collect what is to be translated from the source into locale/*/LC_MESSAGES/*.po
    python tools/messages.py compile   write the .mo files that Django reads, where they are older than their .po
    python tools/messages.py check     say what is wrong with the catalogues; exit 1 if anything is
    python tools/messages.py status    how complete each language is

The same source always gives the same files: no dates, no line numbers.
"""

import argparse
import io
import os
import re
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

import polib

ROOT = Path(__file__).resolve().parent.parent
LOCALES = {"de": "de", "rm_Sursilv": "rm-sursilv", "fr": "fr", "it": "it"}
# Languages that must be whole; the others may have gaps: those of Sursilvan show as German (`core.sursilvan`).
WHOLE = {"de", "fr", "it"}
# Languages of reading (`core.reading_languages`): their catalogues hold what stands in the files of the pages that are read.
READING = {"fr", "it"}
READ = (
    "core/exceptions.py",
    "core/sursilvan.py",
    "rules/documents/kinds.py",
    "rules/documents/standing.py",
    "rules/examples/answering.py",
    "rules/examples/composing.py",
    "rules/examples/position.py",
    "rules/examples/showing.py",
    "rules/exceptions.py",
    "rules/licence.py",
    "rules/markup/page.py",
    "rules/markup/render.py",
    "rules/markup/resolving.py",
    "rules/markup/trumps.py",
    "rules/models.py",
    "rules/readers/forms.py",
    "rules/readers/models.py",
    "rules/readers/services.py",
    "rules/readers/views.py",
    "rules/search/*.py",
    "rules/selectors.py",
    "rules/sitemaps.py",
    "rules/templatetags/*.py",
    "rules/text/*.py",
    "rules/views/reading.py",
    "rules/wordbook/*.py",
    "static/js/app.js",
    "static/js/example.js",
    "static/js/kept.js",
    "static/js/my_games.js",
    "static/js/reading.js",
    "static/js/recorder.js",
    "static/js/search.js",
    "static/js/site.js",
    "templates/40?.html",
    "templates/base.html",
    "templates/error.html",
    "templates/includes/*.html",
    "templates/games/mygames/_count.html",
    "templates/rules/*.html",
    "templates/rules/examples/*.html",
    "templates/rules/readers/_[fhs]*.html",
    "templates/rules/readers/_outdated.html",
    "templates/rules/readers/new_word.html",
    "templates/rules/readers/record.html",
    "templates/rules/readers/say_so.html",
    "templates/rules/readers/villages.html",
    "templates/rules/words/*.html",
)
# Puzzles in articles speak with the words of a table. Of these files a catalogue of reading holds what is translated in it;
# tests/house/test_reading_languages.py shows that nothing an article says is missing.
PARTLY_READ = (
    "games/puzzles/*.py",
    "games/text/*.py",
    "rules/text/*.py",
    "games/selectors/*.py",
    "templates/games/puzzles/_*.html",
)
# Languages in which each translation must say where it comes from.
SOURCED = {"rm_Sursilv"}
SOURCE = re.compile(r"^(attested: \S|draft\b)", re.MULTILINE)
# In French a narrow no-break space stands there.
LOOSE = re.compile(r" [:;!?»](?:\s|$)|« ")
DOMAINS = ("django", "djangojs")
PACKAGES = (
    "accounts",
    "clubs",
    "core",
    "domain",
    "games",
    "notices",
    "people",
    "ratings",
    "rules",
    "tournaments",
    "troccas_site",
)
PLURALS = "nplurals=2; plural=(n != 1);"
OTHER_PLURALS = {"fr": "nplurals=2; plural=(n > 1);"}
PLACEHOLDER = re.compile(r"%(?:\(\w+\))?[sdif]|\{\w*\}")
COMMENT_TAG = "Translators:"
KEYWORDS: dict[str, tuple[int | tuple[int, str], ...] | None] = {
    "_": None,
    "gettext": None,
    "gettext_lazy": None,
    "gettext_noop": None,
    "ngettext": (1, 2),
    "ngettext_lazy": (1, 2),
    "pgettext": ((1, "c"), 2),
    "pgettext_lazy": ((1, "c"), 2),
    "npgettext": ((1, "c"), 2, 3),
    "npgettext_lazy": ((1, "c"), 2, 3),
}

Key = tuple[str, str]


@dataclass(slots=True)
class Message:
    """Something to translate: where it stands and what its writer says about it."""

    context: str
    singular: str
    plural: str
    files: list[str] = field(default_factory=list)
    comments: list[str] = field(default_factory=list)

    @property
    def key(self) -> Key:
        return self.context, self.singular


def sources(domain: str) -> Iterator[tuple[Path, str]]:
    """The files that hold messages of the domain, with the kind of each, in a fixed order."""
    if domain == "djangojs":
        for path in sorted((ROOT / "static" / "js").rglob("*.js")):
            yield path, "javascript"
        return
    for package in PACKAGES:
        for path in sorted((ROOT / package).rglob("*.py")):
            if "migrations" not in path.parts:
                yield path, "python"
    for folder in ("templates", *PACKAGES):
        for path in sorted((ROOT / folder).rglob("*")):
            if path.suffix in {".html", ".txt"} and "templates" in path.parts:
                yield path, "template"


def extracted(domain: str) -> dict[Key, Message]:
    """Every message of the domain, in the order of the source. Raises ValueError if a text has two plurals."""
    from babel.messages.extract import extract  # compile must work without it
    from django.utils.translation.template import templatize

    found: dict[Key, Message] = {}
    for path, kind in sources(domain):
        text = path.read_text(encoding="utf-8")
        name = path.relative_to(ROOT).as_posix()
        if kind == "template":
            # What is left of a template is a line of calls here and there: no indentation that means anything.
            text = "\n".join(line.strip() for line in templatize(text, origin=name).splitlines())
        stream = io.BytesIO(text.encode())
        language = "javascript" if kind == "javascript" else "python"
        for _line, texts, comments, context in extract(
            language,
            stream,
            keywords=KEYWORDS,
            comment_tags=(COMMENT_TAG,),
            options={"encoding": "utf-8", "parse_template_string": True},
            strip_comment_tags=True,
        ):
            singular, plural = texts if isinstance(texts, tuple) else (texts, "")
            message = found.setdefault((context or "", singular), Message(context or "", singular, plural))
            if plural and message.plural and plural != message.plural:
                raise ValueError(f"{name}: {singular!r} has two plurals")
            message.plural = message.plural or plural
            if name not in message.files:
                message.files.append(name)
            message.comments += [comment.strip() for comment in comments if comment.strip() not in message.comments]
    return found


def wanted(messages: dict[Key, Message], locale: str, catalogue: polib.POFile) -> dict[Key, Message]:
    """What this catalogue holds: everything, or in a language of reading what the pages of the encyclopedia say."""
    if locale not in READING:
        return messages
    known = {key_of(entry) for entry in catalogue if entry.translated()}
    return {
        key: message
        for key, message in messages.items()
        if any(is_in(READ, name) or (key in known and is_in(PARTLY_READ, name)) for name in message.files)
    }


def is_in(patterns: tuple[str, ...], name: str) -> bool:
    """Whether a file of the source, by its name from the root, is one of those that are meant."""
    return any(PurePosixPath(name).match(pattern) for pattern in patterns)


def plurals(language: str) -> str:
    return OTHER_PLURALS.get(language, PLURALS)


def catalogue_path(locale: str, domain: str) -> Path:
    return ROOT / "locale" / locale / "LC_MESSAGES" / f"{domain}.po"


def key_of(entry: polib.POEntry) -> Key:
    return entry.msgctxt or "", entry.msgid


def merged(old: polib.POFile, messages: dict[Key, Message], language: str) -> polib.POFile:
    """The catalogue with exactly these messages; keeps translations, their comments, and unused ones as obsolete."""
    new = polib.POFile(wrapwidth=120)
    new.metadata = {
        "Project-Id-Version": "troccas",
        "Language": language,
        "MIME-Version": "1.0",
        "Content-Type": "text/plain; charset=UTF-8",
        "Content-Transfer-Encoding": "8bit",
        "Plural-Forms": plurals(language),
    }
    new.header = old.header
    known = {key_of(entry): entry for entry in old}
    for message in messages.values():
        before = known.pop(message.key, None)
        entry = polib.POEntry(
            msgctxt=message.context or None,
            msgid=message.singular,
            msgid_plural=message.plural,
            occurrences=[(name, "") for name in message.files],
            comment="\n".join(message.comments),
        )
        if PLACEHOLDER.search(message.singular) and "%" in message.singular:
            entry.flags.append("python-format")
        if before is not None:
            entry.tcomment = before.tcomment
            if before.fuzzy:
                entry.flags.insert(0, "fuzzy")
            if message.plural:
                entry.msgstr_plural = before.msgstr_plural
            else:
                entry.msgstr = before.msgstr
        if message.plural and not entry.msgstr_plural:
            entry.msgstr_plural = {0: "", 1: ""}
        new.append(entry)
    for entry in sorted(known.values(), key=key_of):
        if entry.translated() or entry.obsolete:
            entry.obsolete = True
            new.append(entry)
    return new


def load(locale: str, domain: str) -> polib.POFile:
    path = catalogue_path(locale, domain)
    return polib.pofile(str(path)) if path.exists() else polib.POFile()


def command_extract() -> int:
    """Bring every catalogue up to date with the source."""
    for domain in DOMAINS:
        messages = extracted(domain)
        for locale, language in LOCALES.items():
            path = catalogue_path(locale, domain)
            path.parent.mkdir(parents=True, exist_ok=True)
            catalogue = load(locale, domain)
            text = str(merged(catalogue, wanted(messages, locale, catalogue), language)).rstrip("\n") + "\n"
            if not path.exists() or path.read_text(encoding="utf-8") != text:
                path.write_text(text, encoding="utf-8")
                print(f"wrote {path.relative_to(ROOT)}")
    return 0


def command_compile() -> int:
    """Write the .mo files. One carries the time of the .po it was made from, so any other time means it is stale."""
    for source in sorted((ROOT / "locale").glob("*/LC_MESSAGES/*.po")):
        target = source.with_suffix(".mo")
        changed = source.stat().st_mtime_ns
        if target.exists() and target.stat().st_mtime_ns == changed:
            continue
        draft = target.with_suffix(f".mo.{os.getpid()}")
        draft.write_bytes(polib.pofile(str(source)).to_binary())
        os.utime(draft, ns=(changed, changed))
        draft.replace(target)
    return 0


def problems(catalogue: polib.POFile, messages: dict[Key, Message], locale: str) -> Iterator[str]:
    """What is wrong with one catalogue, a line each."""
    entries = {key_of(entry): entry for entry in catalogue if not entry.obsolete}
    for key in messages.keys() - entries.keys():
        yield f"not in the catalogue (run extract): {key[1]!r}"
    for key in entries.keys() - messages.keys():
        yield f"no longer in the source (run extract): {key[1]!r}"
    if catalogue.metadata.get("Plural-Forms") != plurals(locale):
        yield f"Plural-Forms must be {plurals(locale)}"
    for key, entry in entries.items():
        if key in messages and messages[key].plural != (entry.msgid_plural or ""):
            yield f"another plural in the source (run extract): {entry.msgid!r}"
        if locale in WHOLE and not entry.translated():
            yield f"{'fuzzy' if entry.fuzzy else 'not translated'}: {entry.msgid!r}"
        if locale in SOURCED and entry.translated() and not SOURCE.search(entry.tcomment):
            yield f"needs a comment 'attested: <source>' or 'draft': {entry.msgid!r}"
        if locale == "fr" and any(map(LOOSE.search, [entry.msgstr, *entry.msgstr_plural.values()])):
            yield f"a space that may break before a mark (French wants U+202F): {entry.msgid!r}"
        yield from placeholder_problems(entry)


def placeholder_problems(entry: polib.POEntry) -> Iterator[str]:
    """Translations that lose or invent a placeholder. A singular may spell out its number."""
    if not entry.translated():
        return
    if not entry.msgid_plural:
        if Counter(PLACEHOLDER.findall(entry.msgstr)) != Counter(PLACEHOLDER.findall(entry.msgid)):
            yield f"placeholders differ: {entry.msgid!r}"
        return
    wanted = set(PLACEHOLDER.findall(entry.msgid_plural))
    for form, text in sorted(entry.msgstr_plural.items()):
        found = set(PLACEHOLDER.findall(text))
        if found - wanted or (form > 0 and found != wanted):
            yield f"placeholders differ: {entry.msgid_plural!r}"


def command_check() -> int:
    """Exit status 1 if a catalogue is out of date, incomplete where it must be whole, or would break a sentence."""
    bad = 0
    for domain in DOMAINS:
        messages = extracted(domain)
        for locale in LOCALES:
            catalogue = load(locale, domain)
            for problem in sorted(set(problems(catalogue, wanted(messages, locale, catalogue), locale))):
                print(f"{catalogue_path(locale, domain).relative_to(ROOT)}: {problem}")
                bad += 1
    print(f"catalogues: {bad} problem(s)" if bad else "catalogues: up to date")
    return 1 if bad else 0


def command_status() -> int:
    """A table: language, domain, translated, fuzzy, drafts, all."""
    print(f"{'language':<12}{'domain':<10}{'translated':>11}{'fuzzy':>7}{'draft':>7}{'all':>6}")
    for locale, language in LOCALES.items():
        for domain in DOMAINS:
            entries = [entry for entry in load(locale, domain) if not entry.obsolete]
            translated = sum(entry.translated() for entry in entries)
            fuzzy = sum(entry.fuzzy for entry in entries)
            drafts = sum(entry.translated() and entry.tcomment.startswith("draft") for entry in entries)
            print(f"{language:<12}{domain:<10}{translated:>11}{fuzzy:>7}{drafts:>7}{len(entries):>6}")
    return 0


COMMANDS = {"extract": command_extract, "compile": command_compile, "check": command_check, "status": command_status}


def main(arguments: list[str] | None = None) -> int:
    """Run one command; returns its exit status."""
    parser = argparse.ArgumentParser(description="Catalogues of the site.")
    parser.add_argument("command", choices=COMMANDS)
    return COMMANDS[parser.parse_args(arguments).command]()


if __name__ == "__main__":
    sys.exit(main())
