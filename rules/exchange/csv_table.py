"""The words as a table (CSV, RFC 4180): one row for each word, readable in any spreadsheet, and back.

UTF-8 with a byte order mark, without which spreadsheets assume another encoding. A cell that a spreadsheet would read
as a formula is prefixed with an apostrophe; if apostrophes precede the formula already, with one more. Lists are in one
cell, separated by “|”. What a table cannot hold (examples, related words, notes in other languages) is in TBX or in the
API.
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
"""Columns with one text of a word, and the field of `Word` for each."""
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
    """The table, line by line.

    `address` returns the address of a word's page for its slug; `licence` is in every row.
    """
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
    """The concepts of a table, in the order of their first rows. Columns may be in any order; unknown ones are refused.

    The delimiter may be a comma, a semicolon or a tab. Raises BadFile with the lines that cannot be read.
    """
    text = decoded(data).removeprefix(_BOM)
    flaws: list[Flaw] = []
    rows = csv.reader(io.StringIO(text, newline=""), delimiter=_delimiter(text), strict=True)
    records: dict[str, Record] = {}
    try:
        header = _header(next(rows, []))
        for number, cells in enumerate(rows):
            if number >= MOST_ROWS:
                raise BadFile([Flaw(rows.line_num, _too_many())])
            if any(cell.strip() for cell in cells):
                _row(dict(zip(header, cells, strict=False)), len(cells) - len(header), rows.line_num, records, flaws)
            if len(flaws) >= _MOST_FLAWS:
                break
    except csv.Error as error:
        flaws.append(Flaw(rows.line_num, format_lazy(_("This line is not a row of a table: {why}."), why=str(error))))
    if not records and not flaws:
        flaws.append(Flaw(0, _("There is no word in this file.")))
    if flaws:
        raise BadFile(flaws)
    return list(records.values())


def guarded(cell: str) -> str:
    """The cell, protected so that no spreadsheet takes it for a formula."""
    return f"'{cell}" if _FORMULA.match(cell) else cell


def unguarded(cell: str) -> str:
    return cell[1:] if _GUARDED.match(cell) else cell


def _in_one_cell(values: tuple[str, ...]) -> str:
    return " | ".join(value.replace("\\", "\\\\").replace("|", "\\|") for value in values)


def unlisted(cell: str) -> tuple[str, ...]:
    parts = (re.sub(r"\\(.)", r"\1", part, flags=re.DOTALL).strip() for part in _ESCAPED.findall(cell))
    return tuple(part for part in parts if part)


def _line(cells: tuple[str, ...]) -> str:
    output = io.StringIO(newline="")
    csv.writer(output).writerow([guarded(cell) for cell in cells])
    return output.getvalue()


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


def _row(cells: dict[str, str], surplus: int, line: int, records: dict[str, Record], flaws: list[Flaw]) -> None:
    """Add one row to `records`, or what is wrong with it to `flaws`.

    `surplus`: the number of cells beyond the header.
    """
    if surplus > 0:
        flaws.append(Flaw(line, _("This row has more cells than there are columns. Is a quotation mark missing?")))
        return
    row = {name: unguarded(cell).strip() for name, cell in cells.items()}
    empty = [name for name in NEEDED if not row.get(name)]
    revision = row.get("revision", "")
    if empty:
        flaws.append(Flaw(line, format_lazy(_("These cells must not be empty: {names}."), names=", ".join(empty))))
        return
    if revision and not (revision.isascii() and revision.isdigit() and len(revision) < 10):
        flaws.append(Flaw(line, _("The revision must be a number, or left empty.")))
        return
    key = row["concept"]
    before = records.get(key, Record(key, row.get("theme", ""), unlisted(row.get("games", "")), line=line, revision=int(revision or 0)))  # fmt: skip
    wrong = _contradicts(before, row, int(revision or 0))
    if wrong:
        flaws.append(Flaw(line, format_lazy(_("The {cell} of {key} differs from a row above. Make the two the same."), cell=wrong, key=key)))  # fmt: skip
        return
    definitions = dict(before.definitions)
    if row.get("definition"):
        earlier = definitions.get(row["language"])
        sources = unlisted(row.get("definition_sources", "")) or (earlier.sources if earlier else ())
        definitions[row["language"]] = Definition(row["definition"], sources)
    records[key] = replace(before, definitions=definitions, words=(*before.words, _word(row, line)))


def _contradicts(before: Record, row: dict[str, str], revision: int) -> str:
    """The column in which a row contradicts earlier rows of its concept; empty if none."""
    if before.theme != row.get("theme", ""):
        return "theme"
    if set(before.games) != set(unlisted(row.get("games", ""))):
        return "games"
    if before.revision != revision:
        return "revision"
    earlier = before.definitions.get(row["language"])
    if earlier is None or not row.get("definition"):
        return ""
    if earlier.text != row["definition"]:
        return "definition"
    sources = unlisted(row.get("definition_sources", ""))
    return "definition_sources" if sources and earlier.sources and set(sources) != set(earlier.sources) else ""


def _word(row: dict[str, str], line: int) -> Word:
    return Word(
        row["language"],
        row["word"],
        standing=row.get("standing", ""),
        sources=unlisted(row.get("sources", "")),
        look_up=unlisted(row.get("also_looked_up_as", "")),
        gloss={code: row[f"literally_{code}"] for code in NOTES if row.get(f"literally_{code}")},
        note={code: row[f"note_{code}"] for code in NOTES if row.get(f"note_{code}")},
        line=line,
        **{name: row.get(column, "") for column, name in _TEXTS.items()},  # type: ignore[arg-type]  # texts all of them
    )


def _too_many() -> str:
    return str(format_lazy(_("At most {most} rows, please. Share the file out over several."), most=MOST_ROWS))
