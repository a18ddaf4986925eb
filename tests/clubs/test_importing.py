"""Lists of members in files: read with suspicion, shown line by line, applied as shown, written harmlessly."""

from __future__ import annotations

import csv
import io
import re
import zipfile
from datetime import timedelta

import pytest
from django.conf import settings
from django.core.files.uploadedfile import SimpleUploadedFile
from django.utils import translation
from openpyxl import Workbook, load_workbook

from clubs import spreadsheets
from clubs.exceptions import BadFile
from clubs.models import ImportDraft, Member
from clubs.services import importing as services_importing
from clubs.services import joining, members
from clubs.services.common import Person
from clubs.services.importing import Outcome
from tests.clubs import kit
from tests.refusals import refuses

LIST = "Vorname;Name;E-Mail;Jahrgang;Gruppen;Art;Einwilligung\n"


def look(people, text, name="liste.csv"):
    data = text if isinstance(text, bytes) else text.encode("utf-8")
    kept = services_importing.read_file(people.club, people.secretary, name, data)
    return kept.token, services_importing.draft(people.club, people.secretary, kept.token)[1]


def apply(people, token, also=()):
    return services_importing.apply_draft(
        people.club, people.secretary, token, also=frozenset(also), request_id=kit.rid()
    )


def everybody(people):
    return {f"{each.first_name} {each.last_name}".strip() for each in Member.objects.filter(club=people.club)}


# reading, without a club


def read_rows(name, data):
    return [row for _line, row in spreadsheets.read_lines(name, data)]


@pytest.mark.parametrize("separator", [";", ",", "\t"])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_every_usual_separator_and_the_byte_order_mark_are_understood(separator, mark):
    text = (
        mark
        + separator.join(("Vorname", "Name"))
        + "\r\n"
        + separator.join(('"Gion, ""der Lange"""', "Giger"))
        + "\r\n"
    )
    if separator == ";":
        assert read_rows("a.csv", text.encode())[1] == ['Gion, "der Lange"', "Giger"]
    else:
        assert len(read_rows("a.csv", text.encode())[1]) == 2


def test_what_old_spreadsheets_write_is_read():
    assert read_rows("a.csv", "Vorname;Name\nRené;Solèr\n".encode("cp1252"))[1] == ["René", "Solèr"]


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_every_usual_end_of_a_line_is_understood(end):
    text = end.join(["Name;Vorname", "Müller;Jörg", '"Meier";Eva', ""])
    rows = [(1, ["Name", "Vorname"]), (2, ["Müller", "Jörg"]), (3, ["Meier", "Eva"])]
    assert spreadsheets.read_lines("list.csv", text.encode()) == rows


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"", "empty"),
        (b"\n \n", "empty"),
        (b"a" * (spreadsheets.MOST_BYTES + 1), "too large"),
        (b"Vorname;Name\n" + b"A;B\n" * (spreadsheets.MOST_ROWS + 1), "too many lines"),
        (b";".join([b"x"] * 50) + b"\n", "too many columns"),
        (b'Vorname;Name\n"A;B\n', "quotation mark"),
        (b"PK\x03\x04 nothing", "neither CSV nor"),
        (b"\x00\x01\x02\xff", "neither CSV nor"),
        (b"Name\n" + b"x" * 600 + b"\n", "more than 500"),
    ],
)
def test_files_that_cannot_be_read_are_refused_with_a_reason(data, said):
    with pytest.raises(BadFile, match=said):
        read_rows("a.csv", data)


def workbook(rows):
    book = Workbook()
    for row in rows:
        book.active.append(row)
    stream = io.BytesIO()
    book.save(stream)
    return stream.getvalue()


def test_a_workbook_is_read_as_one_sees_it():
    rows = read_rows("a.xlsx", workbook([["Vorname", "Name", "Jahrgang"], ["Gion", "Giger", 1961], [None, None, None]]))
    assert rows == [["Vorname", "Name", "Jahrgang"], ["Gion", "Giger", "1961"]]


def test_an_archive_that_unpacks_to_too_much_is_refused():
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("xl/workbook.xml", b"0" * (spreadsheets.MOST_UNPACKED + 1))
    with pytest.raises(BadFile, match="far more"):
        read_rows("a.xlsx", stream.getvalue())


def test_an_archive_with_a_thousand_parts_is_refused():
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        for number in range(spreadsheets.MOST_PARTS + 1):
            archive.writestr(str(number), b"")
    with pytest.raises(BadFile, match="far more"):
        read_rows("a.xlsx", stream.getvalue())


def test_a_workbook_with_entities_that_grow_is_refused():
    stream = io.BytesIO(workbook([["Name"], ["Giger"]]))
    bomb = b'<?xml version="1.0"?><!DOCTYPE a [<!ENTITY b "bbbb"><!ENTITY c "&b;&b;&b;">]><worksheet>&c;</worksheet>'
    made = io.BytesIO()
    with zipfile.ZipFile(stream) as old, zipfile.ZipFile(made, "w") as new:
        for part in old.infolist():
            new.writestr(part.filename, bomb if part.filename == "xl/worksheets/sheet1.xml" else old.read(part))
    with pytest.raises(BadFile):
        read_rows("a.xlsx", made.getvalue())


ROW_OF_MILLIONS = b"<worksheet><sheetData><row>" + b"<c/>" * 500_000 + b"</row></sheetData></worksheet>"
EMPTY_ROWS = b"<worksheet><sheetData>" + b"<row/>" * 500_000 + b"</sheetData></worksheet>"
FONTS = b"<styleSheet><fonts>" + b"<font/>" * 100_000 + b"</fonts></styleSheet>"


@pytest.mark.parametrize(
    ("name", "part"),
    [
        ("xl/worksheets/sheet1.xml", ROW_OF_MILLIONS),
        ("xl/worksheets/sheet1.xml", EMPTY_ROWS),
        ("xl/styles.xml", FONTS),
        ("xl/styles.xml", FONTS.decode().encode("utf-16")),
    ],
    ids=["one row", "empty rows", "fonts", "fonts in UTF-16"],
)
def test_a_small_workbook_that_would_cost_minutes_is_refused_before_it_is_read(name, part, monkeypatch):
    def unread(*_args, **_options):
        raise AssertionError("the workbook was read")

    monkeypatch.setattr("openpyxl.load_workbook", unread)
    made = io.BytesIO()
    with (
        zipfile.ZipFile(io.BytesIO(workbook([["Name"], ["Giger"]]))) as old,
        zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as new,
    ):
        for each in old.namelist():
            new.writestr(each, part if each == name else old.read(each))
    with pytest.raises(BadFile, match="far more"):
        read_rows("a.xlsx", made.getvalue())


def test_a_workbook_that_is_damaged_inside_is_refused_or_read_whatever_byte_it_is():
    whole = spreadsheets.write_xlsx([("Members", [["Vorname", "Nachname"], ["Anna", "Alig"]])])
    refused = 0
    for place in range(0, len(whole), 29):
        try:
            read_rows("members.xlsx", whole[:place] + bytes([whole[place] ^ 0x55]) + whole[place + 1 :])
        except BadFile:
            refused += 1
    assert refused > 20


def test_a_full_list_of_twenty_columns_is_read():
    rows = [[f"{column} {line}" for column in range(20)] for line in range(spreadsheets.MOST_ROWS)]
    assert read_rows("a.xlsx", workbook(rows)) == rows


def test_the_unicode_text_of_a_spreadsheet_is_read():
    text = "Vorname\tName\r\nGion\tSolèr\r\n"
    assert read_rows("a.txt", text.encode("utf-16")) == [["Vorname", "Name"], ["Gion", "Solèr"]]


@pytest.mark.parametrize("evil", ["=1+1", "+41 81", "-1", "@SUM(A1)", "\tx"])
def test_no_cell_we_write_is_a_formula_and_all_of_them_come_back(evil):
    rows = [["Name"], [evil]]
    written = list(csv.reader(io.StringIO(spreadsheets.write_csv(rows).decode("utf-8-sig")), delimiter=";"))
    assert written[1][0].startswith("'")
    assert read_rows("a.csv", spreadsheets.write_csv(rows))[1] == [evil.strip()]
    data = spreadsheets.write_xlsx([("a/b: [list]", rows)])
    cell = load_workbook(io.BytesIO(data)).worksheets[0]["A2"]
    assert cell.data_type == "s"
    assert read_rows("a.xlsx", data)[1] == [evil.strip()]


@pytest.mark.parametrize(
    "heads",
    [
        ("First name", "Last name", "E-mail", "Birth year"),
        ("Vorname", "Nachname", "E-Mail", "Jahrgang"),
        ("VORNAME", "Name", "Mail", "Geburtsjahr"),
        ("Prenum", "Num", "email", "annada"),
    ],
)
def test_columns_are_recognised_in_several_languages(heads):
    found, strange = services_importing.recognised_columns([*heads, "Schuhgrösse"])
    assert list(found) == ["first_name", "last_name", "email", "birth_year"]
    assert strange == ["Schuhgrösse"]


@pytest.mark.parametrize("language", [code for code, _name in settings.INTERFACE_LANGUAGES])
def test_our_own_columns_are_recognised(language):
    with translation.override(language):
        heads = [services_importing.column_title(field) for field in services_importing.COLUMNS]
    found, strange = services_importing.recognised_columns(heads)
    assert tuple(found) == services_importing.COLUMNS
    assert not strange


def test_a_file_without_names_is_refused():
    with pytest.raises(BadFile, match="what the columns are"):
        services_importing.recognised_columns(["Ort", "Strasse"])


@pytest.mark.parametrize(
    ("field", "text"),
    [
        ("email", "maria at home"),
        ("birth_year", "61"),
        ("birth_year", "1850"),
        ("kind", "president"),
        ("named", "perhaps"),
        ("joined_on", "31.2.2020"),
        ("first_name", "=cmd"),
        ("first_name", "1Gion"),
        ("last_name", "x" * 61),
        ("groups", ",".join("abcdefgh")),
    ],
)
def test_a_cell_that_makes_no_sense_is_told(field, text):
    values, wrong = services_importing.read_line(
        ["Gion", text], {"last_name" if field != "last_name" else "first_name": 0, field: 1}
    )
    assert len(wrong) == 1
    assert field not in values


# what a file would do


pytestmark = pytest.mark.django_db


def test_a_dry_run_says_of_each_line_what_it_would_do_and_does_nothing(people):
    kit.enter(people.club, people.secretary, "Maria", "Cadruvi", birth_year=1961)
    kit.enter(people.club, people.secretary, "Gion", "Giger", email="gion@example.ch")
    before = everybody(people)
    _token, plan = look(
        people,
        LIST
        + "Mária;CADRUVI;;1961;;;\n"  # the accent is a change of spelling, not another person
        + "Gion;Giger;gion@example.ch;1970;Trun;;\n"
        + "Ursina;Neu;;;;Gast;ja\n"
        + "Gion;Giger;andrer@example.ch;;;;\n"
        + ";;;;;;nein\n"
        + "Ursina;Neu;;;;;\n",
    )
    assert [line.outcome for line in plan.lines] == [
        Outcome.CHANGED, Outcome.CHANGED, Outcome.NEW, Outcome.DOUBTFUL, Outcome.WRONG, Outcome.WRONG,
    ]  # fmt: skip
    assert plan.lines[1].differences() == [("Birth year", "–", "1970"), ("Groups", "–", "Trun")]
    assert plan.lines[2].entered() == [("Kind", "guest"), ("May be named", "yes")]
    assert "line 4" in plan.lines[5].why[0]
    assert everybody(people) == before


def test_a_day_is_shown_as_the_reader_writes_it():
    assert services_importing.value_shown("joined_on", "2019-03-01") == "1 March 2019"
    with translation.override("de"):
        assert services_importing.value_shown("joined_on", "2019-03-01") == "1. März 2019"


def test_applying_does_what_was_shown_and_only_once(people):
    token, _plan = look(people, LIST + "Ursina;Neu;u@example.ch;1980;Trun, Neu;Gast;ja\n")
    done = apply(people, token)
    assert (done.entered, done.changed, done.left) == (1, 0, ())
    entry = Member.objects.get(club=people.club, last_name="Neu")
    assert (entry.kind, entry.named, entry.groups, entry.consent_by) == (
        "guest",
        True,
        ["Trun", "Neu"],
        people.secretary,
    )
    assert apply(people, token) == done
    assert Member.objects.filter(club=people.club, last_name="Neu").count() == 1


def test_an_empty_cell_leaves_what_is_there(people):
    entry = kit.enter(people.club, people.secretary, "Gion", "Giger", email="gion@example.ch", birth_year=1970)
    token, _plan = look(people, LIST + "Gion;Giger;;;Trun;;\n")
    apply(people, token)
    entry.refresh_from_db()
    assert (entry.email, entry.birth_year, entry.groups) == ("gion@example.ch", 1970, ["Trun"])


def test_a_line_whose_entry_changed_meanwhile_is_left_alone(people):
    entry = kit.enter(people.club, people.secretary, "Gion", "Giger", birth_year=1970)
    token, _plan = look(people, LIST + "Gion;Giger;;;Trun;;\nUrs;Neu;;;;;\n")
    members.change(
        people.club,
        people.president,
        entry.public_id,
        members.Details("Gion", "Giger", groups=("Laax",)),
        request_id=kit.rid(),
    )
    kit.enter(people.club, people.president, "Urs", "Neu")
    done = apply(people, token)
    assert done.left == (2, 3)
    entry.refresh_from_db()
    assert entry.groups == ["Laax"]
    assert Member.objects.filter(club=people.club, last_name="Neu").count() == 1


def test_somebody_who_may_be_another_person_is_entered_only_if_ticked(people):
    kit.enter(people.club, people.secretary, "Gion", "Giger", birth_year=1970)
    text = LIST + "Gion;Giger;;1990;;;\n"
    token, plan = look(people, text)
    assert plan.lines[0].outcome == Outcome.DOUBTFUL
    assert apply(people, token).entered == 0
    token, _plan = look(people, text)
    assert apply(people, token, also=(2,)).entered == 1


def test_a_file_does_not_decide_for_somebody_with_an_account(people):
    _token, plan = look(people, LIST + "Mia;Maissen;;;;;ja\n")
    assert plan.lines[0].outcome == Outcome.WRONG
    assert "decides alone" in plan.lines[0].why[0]


def test_a_draft_is_for_who_sent_it_and_for_a_day(people):
    token, _plan = look(people, LIST + "Urs;Neu;;;;;\n")
    with refuses("draft-gone"):
        services_importing.draft(people.club, people.president, token)
    ImportDraft.objects.update(at=ImportDraft.objects.get().at - timedelta(days=1, seconds=1))
    with refuses("draft-gone"):
        apply(people, token)


def test_nothing_of_the_file_stays_beside_the_list(people):
    token, _plan = look(people, LIST + "Urs;Geheim;;;;;\n")
    apply(people, token)
    assert "Geheim" not in str(ImportDraft.objects.get().data)


@pytest.mark.parametrize("language", [code for code, _name in settings.INTERFACE_LANGUAGES])
@pytest.mark.parametrize("form", ["csv", "xlsx"])
def test_the_list_goes_out_and_comes_back_without_any_change(people, form, language):
    kit.enter(
        people.club, people.secretary, "Maria", "Cadruvi", email="m@example.ch", birth_year=1961, groups=("A", "B")
    )
    kit.enter(people.club, people.secretary, "D'Artagnan", "", kind="guest", named=True)
    with translation.override(language):
        data = services_importing.export_members(people.club, people.secretary, form)
    token, plan = look(people, data, f"list.{form}")
    assert {line.outcome for line in plan.lines} == {Outcome.SAME}
    assert len(plan.lines) == Member.objects.filter(club=people.club).count()
    assert apply(people, token) == services_importing.Done(0, 0, ())


def test_a_german_reader_sees_german_heads_in_the_example_and_in_the_file(people):
    client = kit.browser(people.secretary)
    client.cookies[settings.LANGUAGE_COOKIE_NAME] = "de"
    page = client.get(f"/c/{people.club.slug}/members/import/").content.decode()
    heads = re.findall(r'<th scope="col">([^<]*)</th>', page)
    assert heads == [
        "Id",
        "Nachname",
        "Vorname",
        "E-Mail",
        "Jahrgang",
        "Gruppen",
        "Art",
        "Darf genannt werden",
        "Eintritt",
    ]
    assert "<td>Mitglied</td><td>ja</td>" in page
    sent = client.get(f"/c/{people.club.slug}/members/members.csv").content
    rows = read_rows("a.csv", sent)
    assert rows[0] == heads
    assert {row[6] for row in rows[1:]} == {"Mitglied"}


def test_a_changed_name_is_found_again_by_its_id(people):
    entry = kit.enter(people.club, people.secretary, "Maria", "Cadruvi")
    text = (
        services_importing.export_members(people.club, people.secretary, "csv")
        .decode("utf-8-sig")
        .replace("Cadruvi", "Solèr")
    )
    token, plan = look(people, text)
    assert plan.counts[Outcome.CHANGED] == 1
    apply(people, token)
    entry.refresh_from_db()
    assert (entry.last_name, entry.sort_key) == ("Solèr", "soler, maria")


def test_who_has_left_is_neither_exported_nor_brought_back_by_a_file(people):
    members.end(people.club, people.secretary, people.entries["member"].public_id, request_id=kit.rid())
    assert b"Maissen" not in services_importing.export_members(people.club, people.secretary, "csv")
    _token, plan = look(people, LIST + "Mia;Maissen;;;;;\n")
    assert "has left" in plan.lines[0].why[0]


def test_the_whole_way_by_the_pages(people):
    client, path = kit.browser(people.secretary), f"/c/{people.club.slug}/members/import/"
    kit.enter(people.club, people.secretary, "Gion", "Giger", birth_year=1970)
    sent = SimpleUploadedFile("liste.csv", (LIST + "Urs;Neu;;;;;\nGion;Giger;;1990;;;\n").encode())
    answer = client.post(path, {"file": sent})
    assert answer.status_code == 303
    page = client.get(answer["Location"]).content.decode()
    assert "Would be new" in page
    assert 'name="also" value="3"' in page
    assert kit.post(client, answer["Location"], also="3").status_code == 303
    assert Member.objects.filter(club=people.club, last_name__in=("Neu", "Giger")).count() == 3
    again = client.get(answer["Location"])
    assert again.status_code == 303


def test_a_file_that_cannot_be_read_is_told_at_the_field(people):
    client, path = kit.browser(people.secretary), f"/c/{people.club.slug}/members/import/"
    answer = client.post(path, {"file": SimpleUploadedFile("x.csv", b"Ort;Strasse\nTrun;Via\n")})
    assert answer.status_code == 422
    assert "what the columns are" in answer.content.decode()


def test_doing_nothing_keeps_nothing(people):
    token, _plan = look(people, LIST + "Urs;Neu;;;;;\n")
    client = kit.browser(people.secretary)
    assert kit.post(client, f"/c/{people.club.slug}/members/import/{token}/", away="yes").status_code == 303
    assert not ImportDraft.objects.exists()


def test_lines_that_could_not_be_taken_are_counted_when_it_is_done(people):
    token, plan = look(people, LIST + "Urs;Neu;;;;;\nIda;Neu;;19;;;\n;;;;;;nein\n")
    assert plan.counts["wrong"] == 2
    client = kit.browser(people.secretary)
    answer = kit.post(client, f"/c/{people.club.slug}/members/import/{token}/")
    page = client.get(answer["Location"]).content.decode()
    assert "1 person entered, 0 entries changed." in page
    assert "2 lines of the file could not be taken." in page
    token, _plan = look(people, LIST + "Eva;Neu;;;;;\n")
    answer = kit.post(client, f"/c/{people.club.slug}/members/import/{token}/")
    assert "could not be taken" not in client.get(answer["Location"]).content.decode()


def test_consent_given_by_the_person_themselves_is_exported_as_it_is(people):
    link = joining.invite(people.club, people.secretary, holds=joining.HOLDS[0], request_id=kit.rid())
    joining.follow(people.club, people.stranger, link.token, Person("Stina", "Solèr", True), request_id=kit.rid())
    rows = read_rows("a.csv", services_importing.export_members(people.club, people.secretary, "csv"))
    at = rows[0].index("May be named")
    assert {row[at] for row in rows if "Solèr" in row} == {"yes"}


def test_twins_and_broken_lines_of_a_file_are_asked_about(people):
    token, plan = look(
        people,
        "Vorname;Name;Jahrgang;E-Mail;Gruppe\n"
        "Maria;Cadruvi;1961;;Trun\n"
        "Nur ein Name\n"
        "Maria;Cadruvi;1961;maria@example.ch;\n"
        "Maria;Cadruvi;1990;;\n",
    )
    assert [line.outcome for line in plan.lines] == ["new", "doubtful", "doubtful", "new"]
    assert "only one name" in plan.lines[1].why[0]
    assert "Line 2 has the same name" in plan.lines[2].why[0]
    client = kit.browser(people.secretary)
    page = client.get(f"/c/{people.club.slug}/members/import/{token}/").content.decode()
    assert "Trun" in page
    assert "In doubt" in page
    assert apply(people, token).entered == 2


def test_lines_are_numbered_as_the_file_has_them_also_after_empty_ones():
    text = 'Vorname;Name\n\nAnna;Nay\n"Gion\nAntoni";Tuor\nEva;Bundi\n'
    assert [number for number, _row in spreadsheets.read_lines("a.csv", text.encode())] == [1, 3, 4, 6]
