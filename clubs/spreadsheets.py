"""Tables in files: CSV and xlsx, read with suspicion, and written so that no program takes a cell for a formula.

This module knows nothing about clubs: it takes and returns rows of texts.
"""

from __future__ import annotations

import codecs
import csv
import io
import threading
import zipfile
import zlib
from collections.abc import Iterable, Sequence
from datetime import date, datetime
from typing import Any, Final, TypeAlias

from django.utils.translation import gettext as _

from clubs.exceptions import BadFile

Cell: TypeAlias = str | int | float | None
MOST_BYTES: Final = 1024 * 1024
MOST_UNPACKED: Final = 6 * 1024 * 1024
MOST_TAGS: Final = 400_000
"""The most XML tags in a workbook, since each becomes an object: 2,000 lines of 20 texts have about 320,000."""
MOST_STYLES: Final = 40_000
"""The most tags in the part with the styles: each costs far more than a tag of a cell."""
MOST_PARTS: Final = 200
MOST_ROWS: Final = 2000
MOST_COLUMNS: Final = 40
MOST_CHARACTERS: Final = 500
"""The most characters in one cell."""
_SEPARATORS: Final = (";", ",", "\t")
_FORMULA: Final = ("=", "+", "-", "@", "\t", "\r")
"""Characters that spreadsheets may take for the beginning of a formula."""
XLSX: Final = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
CSV: Final = "text/csv; charset=utf-8"
_one_workbook = threading.Lock()
"""Reading a workbook takes much memory, so a process reads one at a time."""


def read_lines(name: str, data: bytes) -> list[tuple[int, list[str]]]:
    """The rows of a file, each with its line number as spreadsheets show it. The first row holds the headings.

    Empty rows are left out. Raises BadFile.
    """
    if len(data) > MOST_BYTES:
        raise BadFile(_("This file is too large: at most 1 MB."))
    if not data.strip():
        raise BadFile(_("This file is empty."))
    rows = _read_xlsx(data) if data[:2] == b"PK" or name.lower().endswith(".xlsx") else _read_csv(data)
    rows = [(number, row) for number, row in rows if any(row)]
    if not rows:
        raise BadFile(_("There is no line in this file."))
    return rows


def write_csv(rows: Iterable[Sequence[Cell]]) -> bytes:
    """The rows as CSV for Swiss spreadsheets: UTF-8 with a byte order mark, semicolons, and `harmless` cells."""
    text = io.StringIO()
    writer = csv.writer(text, delimiter=";", lineterminator="\r\n")
    writer.writerows([harmless(_printable(cell)) if isinstance(cell, str) else cell for cell in row] for row in rows)
    return text.getvalue().encode("utf-8-sig")


def write_xlsx(sheets: Iterable[tuple[str, Iterable[Sequence[Cell]]]]) -> bytes:
    """Sheets (each a title and rows) as a workbook. The headings are bold and always in sight; numbers stay numbers."""
    from openpyxl import Workbook  # noqa: PLC0415  # large, and seldom asked for
    from openpyxl.cell import WriteOnlyCell  # noqa: PLC0415  # large, and seldom asked for
    from openpyxl.styles import Font  # noqa: PLC0415  # large, and seldom asked for

    book = Workbook(write_only=True)
    for title, rows in sheets:
        sheet = book.create_sheet("".join(char for char in title if char not in r"[]:*?/\'")[:31] or "1")
        sheet.freeze_panes = "A2"
        for number, row in enumerate(rows):
            cells = []
            for value in row:
                cell = WriteOnlyCell(sheet, value=harmless(_printable(value)) if isinstance(value, str) else value)
                if isinstance(value, str):
                    cell.data_type = "s"
                if number == 0:
                    cell.font = Font(bold=True)
                cells.append(cell)
            sheet.append(cells)
    stream = io.BytesIO()
    book.save(stream)
    return stream.getvalue()


def harmless(text: str) -> str:
    """The text, with an apostrophe in front if a spreadsheet would take it for a formula."""
    return f"'{text}" if text.startswith(_FORMULA) else text


def _plain(text: str) -> str:
    """A cell as it was before `harmless`, on one line and stripped."""
    text = text.strip(" ")
    if text.startswith("'") and text[1:].startswith(_FORMULA):
        text = text[1:]
    return " ".join(text.split())


def _printable(text: str) -> str:
    text = text.replace("\u00a0", " ")
    return "".join(char for char in text if char.isprintable() or char in "\n\t")


def _read_csv(data: bytes) -> list[tuple[int, list[str]]]:
    try:
        unicode_text = data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))  # spreadsheets call UTF-16 that
        text = data.decode("utf-16" if unicode_text else "utf-8-sig")
    except UnicodeDecodeError:
        if b"\x00" in data:
            raise BadFile(_("This is neither CSV nor a workbook (xlsx).")) from None
        text = data.decode("cp1252", errors="replace")  # old spreadsheets still write it
    if "\x00" in text:
        raise BadFile(_("This is neither CSV nor a workbook (xlsx)."))
    text = text.replace("\r\n", "\n").replace("\r", "\n")  # some spreadsheets still end lines with \r alone
    head = text.lstrip().split("\n", 1)[0]
    separator = max(_SEPARATORS, key=lambda each: head.count(each))
    rows: list[tuple[int, list[str]]] = []
    reader = csv.reader(io.StringIO(text), delimiter=separator, strict=True)
    line = 1
    try:
        for row in reader:
            _check_size(len(rows), len(row))
            rows.append((line, [_cell(cell) for cell in row]))
            line = reader.line_num + 1
    except csv.Error:
        raise BadFile(_("Line %(line)d cannot be read: look for a quotation mark too many.") % {"line": line}) from None
    return rows


def _read_xlsx(data: bytes) -> list[tuple[int, list[str]]]:
    with _one_workbook:
        _check_parts(data)
        return _read_sheet(data)


def _read_sheet(data: bytes) -> list[tuple[int, list[str]]]:
    from openpyxl import load_workbook  # noqa: PLC0415  # large, and seldom asked for

    rows: list[tuple[int, list[str]]] = []
    try:
        book = load_workbook(io.BytesIO(data), read_only=True, data_only=True)
        try:
            sheet = book.worksheets[0]
            sheet.reset_dimensions()  # do not believe what a file says about its own size
            for row in sheet.iter_rows(values_only=True):
                cells = [_cell(_text(value)) for value in row]
                while cells and not cells[-1]:
                    cells.pop()
                _check_size(len(rows), len(cells))
                rows.append((len(rows) + 1, cells))
        finally:
            book.close()
    except BadFile:
        raise
    except Exception as error:  # a broken or crafted file can make the reader fail in any way
        raise BadFile(_("This workbook cannot be read. Save it as CSV, and send that.")) from error
    return rows


def _check_parts(data: bytes) -> None:
    """Refuse data that is not an archive, and an archive that unpacks to far too much or to more than it says."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            parts = archive.infolist()
            if len(parts) > MOST_PARTS or sum(part.file_size for part in parts) > MOST_UNPACKED:
                raise BadFile(_("This workbook holds far more than a list of members."))
            tags = 0
            for part in parts:
                # The sizes in an archive need not be true: unpack each part, up to the size it claims.
                with archive.open(part) as stream:
                    unpacked = stream.read(part.file_size + 1)
                here = unpacked.count(b"<")
                tags += here
                styles = here > MOST_STYLES and b"styleSheet" in unpacked.replace(b"\0", b"")  # in UTF-16, too
                if len(unpacked) > part.file_size or tags > MOST_TAGS or styles:
                    raise BadFile(_("This workbook holds far more than a list of members."))
    except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError, RuntimeError, EOFError, zlib.error) as error:
        raise BadFile(_("This is neither CSV nor a workbook (xlsx).")) from error


def _check_size(rows: int, columns: int) -> None:
    if rows > MOST_ROWS:
        raise BadFile(_("There are too many lines: at most %(most)d in one file.") % {"most": MOST_ROWS})
    if columns > MOST_COLUMNS:
        raise BadFile(_("There are too many columns: at most %(most)d.") % {"most": MOST_COLUMNS})


def _cell(text: str) -> str:
    plain = _plain(text)
    if len(plain) > MOST_CHARACTERS:
        raise BadFile(_("There is a cell with more than %(most)d characters in it.") % {"most": MOST_CHARACTERS})
    return plain


def _text(value: Any) -> str:
    """A cell's value as one would type it."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    if isinstance(value, datetime):
        return value.date().isoformat()
    if isinstance(value, date):
        return value.isoformat()
    return str(value)
