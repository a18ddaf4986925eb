"""Records, positions, tables, workbooks, files of words and of the encyclopedia, altered in any way."""

from __future__ import annotations

import base64
import io
import json
import shutil
import zipfile
import zlib
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from django.test import Client
from hypothesis import given
from hypothesis import strategies as st

from accounts.models import Player
from clubs import spreadsheets
from clubs.exceptions import BadFile as BadTable
from clubs.services import importing
from domain.engine.record import Record, RecordError, parse_record, replay
from games.imports.forms import record_error_text
from games.imports.services import read_record
from games.positions.selectors import record_at
from rules import content_files, documents
from rules.exchange import csv_table, tbx
from rules.exchange.files import BadFile as BadWords
from tests.clubs import kit as clubs
from tests.fuzz.altered import CAREFULLY, data, in_time, octets
from tests.rules import document_kit, exchange_kit

RECORDS = Path(__file__).resolve().parents[1] / "records"
GOOD: dict[str, Any] = json.loads((RECORDS / "troccas-3.json").read_text(encoding="utf-8"))
ONE_HAND = GOOD | {"hands": GOOD["hands"][:1]}


def written(value: object) -> bytes:
    return json.dumps(value).encode()


@CAREFULLY
@given(
    st.one_of(data(GOOD).map(written), data(ONE_HAND).map(written), octets(written(ONE_HAND)), st.binary(max_size=40))
)
def test_a_record_is_read_or_refused_in_words(given_bytes):
    read = in_time(lambda: read_record(given_bytes), RecordError)
    if read is not None:
        assert read_record(written(read.record.to_json())).digest == read.digest
        return
    with pytest.raises(RecordError) as refused:
        read_record(given_bytes)
    assert record_error_text(refused.value)


@CAREFULLY
@given(data(ONE_HAND))
def test_the_engine_alone_replays_a_record_or_refuses_it(altered):
    in_time(lambda: replay(parse_record(written(altered))), RecordError)


def address_of(value: object) -> str:
    return base64.urlsafe_b64encode(zlib.compress(written(value), 9)).rstrip(b"=").decode()


POSITION = ["troccas-3", 1, {}, 3, [ONE_HAND["hands"][0] | {"actions": ONE_HAND["hands"][0]["actions"][:9]}]]
ADDRESSES = st.one_of(
    data(POSITION).map(address_of),
    octets(address_of(POSITION).encode()).map(lambda made: made.decode("latin-1")),
    octets(zlib.compress(written(POSITION))).map(lambda made: base64.urlsafe_b64encode(made).decode()),
    st.text(max_size=30),
)


@CAREFULLY
@given(ADDRESSES)
def test_an_address_is_a_position_or_none(address):
    found = in_time(lambda: record_at(address))
    assert found is None or isinstance(found, Record)


def test_the_address_that_is_altered_is_one():
    assert record_at(address_of(POSITION)) is not None


HEADS = ["First name", "Last name", "E-mail", "Year of birth", "Kind", "Groups", "May be named", "Member since"]
ROWS = [HEADS, ["Anna", "Alig", "anna@example.org", "1960", "member", "A, B", "yes", "2020-01-31"], ["Beat", "Bass"]]
CSV = spreadsheets.write_csv(ROWS)
XLSX = spreadsheets.write_xlsx([("Members", ROWS)])


def parts_of(workbook: bytes) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(workbook)) as opened:
        return {name: opened.read(name) for name in opened.namelist()}


@st.composite
def workbooks(draw: st.DrawFn) -> bytes:
    """A workbook in which one part is altered: a broken archive would hide what is in it."""
    parts = parts_of(XLSX)
    name = draw(st.sampled_from(sorted(parts)))
    parts[name] = draw(octets(parts[name]))
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        for each, content in parts.items():
            archive.writestr(each, content)
    return made.getvalue()


TABLES = st.one_of(
    st.tuples(st.just("list.csv"), octets(CSV)),
    st.tuples(st.just("list.xlsx"), octets(XLSX)),
    st.tuples(st.just("list.xlsx"), workbooks()),
    st.tuples(st.text(max_size=8), st.binary(max_size=60)),
)


@pytest.mark.django_db
def test_a_list_of_members_is_planned_or_refused_in_words():
    club = clubs.club_of(clubs.person())

    @CAREFULLY
    @given(TABLES)
    def reads(table: tuple[str, bytes]) -> None:
        lines = in_time(lambda: spreadsheets.read_lines(*table), BadTable)
        if lines is not None:
            in_time(lambda: importing.plan_import(club, lines), BadTable)

    reads()


@pytest.mark.django_db
@pytest.mark.parametrize(("form", "read"), [("csv", csv_table.read), ("tbx", tbx.read)])
def test_a_file_of_words_is_read_or_refused_line_by_line(form, read):
    exchange_kit.world()
    good = exchange_kit.file(form)
    assert read(good)

    @CAREFULLY
    @given(octets(good))
    def reads(altered: bytes) -> None:
        in_time(lambda: read(altered), BadWords)

    reads()


CONTENT = content_files.CONTENT
ARTICLE = (CONTENT / "articles" / "en" / "known-errors.md").read_bytes()
FILES = {
    "articles/en/known-errors.md": ARTICLE,
    **{
        name: (CONTENT / name).read_bytes()[:4000].rpartition(b"\n[")[0]
        for name in ("places.toml", "sources.toml", "words.toml")
    },
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "content"
    for name, good in FILES.items():
        (made / name).parent.mkdir(parents=True, exist_ok=True)
        (made / name).write_bytes(good)
    for name in ("cards.toml", "phrases.toml", "merged.toml"):
        shutil.copy(CONTENT / name, made / name)
    return made


@pytest.mark.slow
def test_content_that_is_broken_is_told_and_the_rest_is_read(folder):
    @CAREFULLY
    @given(st.sampled_from(sorted(FILES)).flatmap(lambda name: st.tuples(st.just(name), octets(FILES[name]))))
    def reads(changed: tuple[str, bytes]) -> None:
        name, altered = changed
        (folder / name).write_bytes(altered)
        try:
            found = in_time(lambda: content_files.read_files(folder))
        finally:
            (folder / name).write_bytes(FILES[name])
        assert found is not None
        assert found.entries
        assert all(str(flaw) for flaw in found.flaws)

    reads()


@pytest.mark.parametrize(("kind", "good"), [("concept", document_kit.SCART), ("article", document_kit.ARTICLE)])
def test_a_document_is_checked_or_refused_in_words(kind, good):
    @CAREFULLY
    @given(data(good))
    def reads(altered: Any) -> None:
        found = in_time(lambda: documents.check(kind, altered), documents.BadDocument)
        assert found is None or documents.check(kind, found) == found

    reads()


@pytest.mark.django_db
def test_pages_answer_any_address_of_a_position():
    client = Client()

    @CAREFULLY
    @given(ADDRESSES)
    def reads(address: str) -> None:
        answer = client.get(f"/p/{quote(address, safe='', errors='replace')}/")
        assert answer.status_code in (200, 301, 302, 400, 404)

    reads()
    assert not Player.objects.exists()
