"""The words as a table (CSV, RFC 4180): one row for each word, readable in any spreadsheet, and back.

UTF-8 with a byte order mark, since spreadsheets take it for something else without. A cell that a spreadsheet would read as a
formula begins with an apostrophe; one that began with apostrophes before it has one more. Lists stand in one cell, parted
by “|”. What a table does not hold (examples, related words, notes in other languages) is in TBX or in the API.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Final

from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy as _

from rules.exchange.files import BadFile, Flaw, decoded
from rules.exchange.records import Collection, Definition, Record, Word

MEDIA_TYPE: Final = "text/csv; charset=utf-8"
NOTES: Final = ("en", "de")
"""The languages in which a table carries notes and literal meanings."""
_TEXTS: Final = {
    "status": "status", "part_of_speech": "pos", "gender": "gender", "plural": "plural", "place": "place", "register": "register",
    "pronunciation": "ipa",
}  # fmt: skip
"""Columns with one text of a word, and what a record calls it."""
COLUMNS: Final = (
    "concept", "theme", "games", "language", "word", *_TEXTS, "derived_pronunciation", "standing", "reliability", "sources", "also_looked_up_as", *(f"literally_{code}" for code in NOTES),
    *(f"note_{code}" for code in NOTES), "definition", "definition_sources", "address", "revision", "licence",
)  # fmt: skip
NEEDED: Final = ("concept", "language", "word")
MOST_ROWS: Final = 50_000
_MOST_FLAWS: Final = 50
_BOM: Final = "\ufeff"
_FORMULA: Final = re.compile(r"'*[=+\-@\t\r]")
_GUARDED: Final = re.compile(r"''*[=+\-@\t\r]")
_ESCAPED: Final = re.compile(r"((?:\\.|[^\\|])*)(?:\||\Z)", re.DOTALL)


def write(collection: Collection, address: Callable[[str], str], *, licence: str) -> Iterator[str]:
    """The table, line by line; `address` gives the address of a word's page for its slug, `licence` what every row says of it."""
    yield _BOM + _line(COLUMNS)
    for published in collection.concepts:
        record = published.record
        for word in record.words:
            definition = record.definitions.get(word.language, Definition(""))
            yield _line(
                (
                    record.key,
                    record.theme,
                    _in_one_cell(record.games),
                    word.language,
                    word.text,
                    *(getattr(word, name) for name in _TEXTS.values()),
                    word.derived_ipa,
                    word.standing,
                    str(word.reliability),
                    _in_one_cell(word.sources),
                    _in_one_cell(word.look_up),
                    *(word.gloss.get(code, "") for code in NOTES),
                    *(word.note.get(code, "") for code in NOTES),
                    definition.text,
                    _in_one_cell(definition.sources),
                    address(published.slug),
                    str(record.revision),
                    licence,
                )
            )


def read(data: bytes) -> list[Record]:
    """The concepts of a table, in the order of their first rows. Columns may stand in any order; unknown ones are refused.

    The parting character may be a comma, a semicolon or a tab. Raises BadFile with the lines that cannot be read.
    """
    text = decoded(data).removeprefix(_BOM)
    flaws: list[Flaw] = []
    rows = csv.reader(io.StringIO(text, newline=""), delimiter=_delimiter(text), strict=True)
    made: dict[str, Record] = {}
    try:
        header = _header(next(rows, []))
        for number, cells in enumerate(rows):
            if number >= MOST_ROWS:
                raise BadFile([Flaw(rows.line_num, _too_many())])
            if any(cell.strip() for cell in cells):
                _row(dict(zip(header, cells, strict=False)), len(cells) - len(header), rows.line_num, made, flaws)
            if len(flaws) >= _MOST_FLAWS:
                break
    except csv.Error as error:
        flaws.append(Flaw(rows.line_num, format_lazy(_("This line is not a row of a table: {why}."), why=str(error))))
    if not made and not flaws:
        flaws.append(Flaw(0, _("There is no word in this file.")))
    if flaws:
        raise BadFile(flaws)
    return list(made.values())


def guarded(cell: str) -> str:
    """A cell that no spreadsheet takes for a formula."""
    return f"'{cell}" if _FORMULA.match(cell) else cell


def unguarded(cell: str) -> str:
    return cell[1:] if _GUARDED.match(cell) else cell


def _in_one_cell(values: tuple[str, ...]) -> str:
    return " | ".join(value.replace("\\", "\\\\").replace("|", "\\|") for value in values)


def unlisted(cell: str) -> tuple[str, ...]:
    found = (re.sub(r"\\(.)", r"\1", part, flags=re.DOTALL).strip() for part in _ESCAPED.findall(cell))
    return tuple(part for part in found if part)


def _line(cells: tuple[str, ...]) -> str:
    written = io.StringIO(newline="")
    csv.writer(written).writerow([guarded(cell) for cell in cells])
    return written.getvalue()


def _delimiter(text: str) -> str:
    first = text.partition("\n")[0]
    return max(",;\t", key=first.count)


def _header(cells: list[str]) -> list[str]:
    header = [cell.strip().lower() for cell in cells]
    unknown = [name for name in header if name not in COLUMNS]
    missing = [name for name in NEEDED if name not in header]
    if missing:
        raise BadFile([Flaw(1, format_lazy(_("The first line must name the columns; these are missing: {names}."), names=", ".join(missing)))])  # fmt: skip
    if unknown:
        raise BadFile([Flaw(1, format_lazy(_("These columns are unknown: {names}. Take them out."), names=", ".join(name or "–" for name in unknown)))])  # fmt: skip
    twice = sorted({name for name in header if header.count(name) > 1})
    if twice:
        raise BadFile([Flaw(1, format_lazy(_("These columns appear twice: {names}."), names=", ".join(twice)))])
    return header


def _row(cells: dict[str, str], more: int, line: int, made: dict[str, Record], flaws: list[Flaw]) -> None:
    """Add one row to the concepts; what is wrong with it goes to the flaws."""
    if more > 0:
        flaws.append(Flaw(line, _("This row has more cells than there are columns. Is a quotation mark missing?")))
        return
    said = {name: unguarded(cell).strip() for name, cell in cells.items()}
    empty = [name for name in NEEDED if not said.get(name)]
    revision = said.get("revision", "")
    if empty:
        flaws.append(Flaw(line, format_lazy(_("These cells must not be empty: {names}."), names=", ".join(empty))))
        return
    if revision and not (revision.isascii() and revision.isdigit() and len(revision) < 10):
        flaws.append(Flaw(line, _("The revision must be a number, or left empty.")))
        return
    key = said["concept"]
    before = made.get(key, Record(key, said.get("theme", ""), unlisted(said.get("games", "")), line=line, revision=int(revision or 0)))  # fmt: skip
    wrong = _contradicts(before, said, int(revision or 0))
    if wrong:
        flaws.append(Flaw(line, format_lazy(_("The {cell} of {key} differs from a row above. Make the two the same."), cell=wrong, key=key)))  # fmt: skip
        return
    definitions = dict(before.definitions)
    if said.get("definition"):
        sources = unlisted(said.get("definition_sources", ""))
        definitions[said["language"]] = Definition(said["definition"], sources)
    made[key] = replace(before, definitions=definitions, words=(*before.words, _word(said, line)))


def _contradicts(before: Record, said: dict[str, str], revision: int) -> str:
    """The column in which a row says something else of its concept than the rows before it; empty if none."""
    if before.theme != said.get("theme", ""):
        return "theme"
    if set(before.games) != set(unlisted(said.get("games", ""))):
        return "games"
    if before.revision != revision:
        return "revision"
    known = before.definitions.get(said["language"])
    text = said.get("definition", "")
    return "definition" if known and text and known.text != text else ""


def _word(said: dict[str, str], line: int) -> Word:
    return Word(
        said["language"],
        said["word"],
        standing=said.get("standing", ""),
        sources=unlisted(said.get("sources", "")),
        look_up=unlisted(said.get("also_looked_up_as", "")),
        gloss={code: said[f"literally_{code}"] for code in NOTES if said.get(f"literally_{code}")},
        note={code: said[f"note_{code}"] for code in NOTES if said.get(f"note_{code}")},
        line=line,
        **{name: said.get(column, "") for column, name in _TEXTS.items()},  # type: ignore[arg-type]  # texts all of them
    )


def _too_many() -> str:
    return str(format_lazy(_("At most {most} rows, please. Share the file out over several."), most=MOST_ROWS))
