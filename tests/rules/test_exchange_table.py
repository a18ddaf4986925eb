"""The table of words: readable by spreadsheets, harmless in them, and the same when it comes back."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules import documents
from rules.exchange import csv_table
from rules.exchange.files import BadFile
from rules.exchange.records import extended_document, from_document
from tests.rules import document_kit
from tests.rules import exchange_kit as kit


@pytest.mark.django_db
def test_it_begins_with_the_mark_that_spreadsheets_need():
    kit.world()
    assert kit.file("csv").startswith(b"\xef\xbb\xbfconcept,theme,games,language,word,status")


@pytest.mark.django_db
def test_no_cell_is_a_formula():
    kit.world()
    cells = [cell for row in kit.rows(kit.file("csv")) for cell in row.values()]
    assert not [cell for cell in cells if cell.startswith(("=", "+", "-", "@", "\t", "\r"))]
    assert {'\'=HYPERLINK("x")', "'+1", "''=1", "'-2 “a”, b"} <= set(cells)


@given(st.text())
def test_guarding_a_cell_can_be_undone(text):
    assert csv_table.unguarded(csv_table.guarded(text)) == text
    assert not csv_table.guarded(text).startswith(("=", "+", "-", "@", "\t", "\r"))


@given(st.lists(st.text(min_size=1).map(str.strip).filter(bool)))
def test_a_list_in_a_cell_can_be_taken_apart(values):
    assert csv_table.unlisted(csv_table._in_one_cell(tuple(values))) == tuple(values)


@given(st.lists(document_kit.CONCEPTS, min_size=1, max_size=4))
def test_a_table_that_comes_back_changes_no_concept(concepts):
    data = "".join(csv_table.write(kit.collection(*concepts), kit.address, licence="none")).encode()
    for record, before in zip(csv_table.read(data), concepts, strict=True):
        assert documents.check("concept", extended_document(record, before)) == before


@given(document_kit.CONCEPTS)
def test_a_record_put_back_changes_nothing(concept):
    assert documents.check("concept", extended_document(from_document("words.x", concept), concept)) == concept


@given(document_kit.CONCEPTS, document_kit.CONCEPTS)
def test_a_record_takes_nothing_away(concept, other):
    made = extended_document(from_document("words.x", other), concept)
    assert set(made) >= set(concept)
    for before, after in zip(concept["terms"], made["terms"], strict=False):
        assert (before["lang"], before["text"]) == (after["lang"], after["text"])
        assert set(after) >= set(before)
        assert set(after.get("sources", ())) >= set(before.get("sources", ()))


def test_a_table_as_swiss_spreadsheets_save_it_is_read():
    data = "\ufeffword;language;concept\r\nStich;de;words.trick\r\n\r\n".encode()
    (record,) = csv_table.read(data)
    assert [(word.language, word.text, word.line) for word in record.words] == [("de", "Stich", 2)]


DEFINED = "concept,language,word,definition,definition_sources\n"


def test_a_definition_that_stands_twice_keeps_its_sources():
    (record,) = csv_table.read(f"{DEFINED}words.a,de,x,Text,tresoldi\nwords.a,de,y,Text,\n".encode())
    assert record.definitions["de"].sources == ("tresoldi",)


HEADER = "concept,language,word,definition,theme,revision\n"


@pytest.mark.parametrize(
    ("text", "line", "says"),
    [
        ("", 0, "empty"),
        ("concept,word\na,b", 1, "missing: language"),
        ("concept,language,word,colour\n", 1, "unknown: colour"),
        ("concept,language,word,word\n", 1, "twice: word"),
        (HEADER, 0, "no word"),
        (f"{HEADER}words.a,de,,,,\n", 2, "must not be empty: word"),
        (f"{HEADER}words.a,de,x,,,,\n", 2, "more cells"),
        (f"{HEADER}words.a,de,x,One.,,\nwords.a,de,y,Another.,,\n", 3, "The definition of words.a differs"),
        (f"{HEADER}words.a,de,x,,play,\nwords.a,de,y,,talk,\n", 3, "The theme of words.a differs"),
        (f"{DEFINED}words.a,de,x,T,one\nwords.a,de,y,T,two\n", 3, "The definition_sources of words.a differs"),
        (f"{HEADER}words.a,de,x,,,first\n", 2, "revision must be a number"),
        (f'{HEADER}words.a,de,"x"y,,,\n', 2, "not a row"),
        (f"{HEADER}words.a,de,x\0,,,\n", 2, "does not occur in text"),
    ],
)
def test_a_table_that_cannot_be_read_says_where_and_why(text, line, says):
    with pytest.raises(BadFile) as refusal:
        csv_table.read(text.encode())
    (flaw, *_rest) = refusal.value.flaws
    assert flaw.line == line
    assert says in str(flaw.message)


def test_a_table_in_another_encoding_says_how_to_save_it():
    with pytest.raises(BadFile, match="line 2: This is not UTF-8"):
        csv_table.read("concept,language,word\nwords.a,gsw,Schwäärti".encode("latin-1"))


def test_all_that_is_wrong_is_said_at_once():
    with pytest.raises(BadFile) as refusal:
        csv_table.read(f"{HEADER}words.a,de,,,,\nwords.b,,x,,,\n".encode())
    assert [flaw.line for flaw in refusal.value.flaws] == [2, 3]
