"""TBX: files that hold to the standard, say everything that is published, and come back as they went."""

from pathlib import Path

import pytest
from lxml import etree

from rules.exchange import importing, tbx
from rules.exchange.files import BadFile
from rules.models import Concept
from tests.rules import exchange_kit as kit

SCHEMAS = Path(__file__).parent / "schemas"
TBX = f"{{{tbx.NAMESPACE}}}"
LANG = "{http://www.w3.org/XML/1998/namespace}lang"
pytestmark = pytest.mark.django_db


def test_awkward_words_are_tbx_basic():
    kit.world()
    assert kit.what_is_wrong(kit.file("tbx")) == []


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        (b'type="TBX-Basic"', b'type="TBX-Min"'),
        (b'type="subjectField"', b'type="domain"'),
        (b"preferredTerm-admn-sts", b"preferred"),
        (b'<termNote type="partOfSpeech">other', b'<termNote type="partOfSpeech">phrase'),
        (b'target="S-pagat"', b'target="S-nowhere"'),
        (b"<term>discard</term>", b"<term></term>"),
        (b"urn:iso:std:iso:30042:ed-2", b"urn:iso:std:iso:30042:ed:3.0"),
        (b'<descrip type="context">', b'<descrip type="definition">'),
    ],
)
def test_the_grammar_finds_what_the_standard_forbids(right, wrong):
    kit.world()
    data = kit.file("tbx")
    assert right in data
    assert kit.what_is_wrong(data.replace(right, wrong)) != []


@pytest.mark.parametrize("name", ["tbx", "tbx-v2", "csv"])
def test_awkward_words_come_back_as_they_went(name):
    kit.world()
    found = importing.plan(importing.FORMATS["csv" if name == "csv" else "tbx"](kit.file(name)))
    assert found.steps == ()
    assert found.unchanged == Concept.objects.count()


def test_a_word_points_to_the_pages_of_its_relatives():
    kit.world()
    root = etree.fromstring(kit.file("tbx"))
    entry = next(row for row in root.iter(f"{TBX}conceptEntry") if row.get("id") == "words.awkward")
    pointers = {row.text: row.get("target") for row in entry.iter(f"{TBX}xref")}
    assert pointers["words.scart"].endswith("/en/words/scart/")
    assert pointers["words.tapp"].endswith("/en/words/tapp/")
    assert not list(root.iter(f"{TBX}ref"))


def test_version_2_is_made_of_the_elements_of_version_2():
    kit.world()
    root = etree.fromstring(kit.file("tbx-v2"))
    assert root.tag == "martif"
    entry = next(row for row in root.iter("termEntry") if row.get("id") == "words.scart")
    assert [section.get(LANG) for section in entry.iter("langSet")] == ["en", "de", "rm-sursilv"]
    assert entry.findtext(".//langSet/tig/term") == "discard"
    ids = {element.get("id") for element in root.iter() if element.get("id")}
    assert all(element.get("target") in ids for element in root.iter("ref"))


def test_a_term_base_from_elsewhere_is_read():
    kit.world()
    data = b"""<?xml version="1.0"?>
<!DOCTYPE martif SYSTEM "TBXcoreStructV02.dtd">
<martif type="TBX" xml:lang="en"><text><body>
 <termEntry id="words.trick"><descrip type="subjectField">play</descrip>
  <langSet xml:lang="de"><descrip type="definition">Was in einer Runde gespielt wird.</descrip>
   <tig><term>St<hi type="bold">ich</hi></term><termNote type="partOfSpeech">noun</termNote>
    <termNote type="grammaticalGender">masculine</termNote><note>Auch im Jass.</note></tig></langSet>
 </termEntry></body></text></martif>"""
    (record,) = tbx.read(data)
    assert (record.key, record.theme, record.definitions["de"].text) == (
        "words.trick",
        "play",
        "Was in einer Runde gespielt wird.",
    )
    (word,) = record.words
    assert (word.language, word.text, word.pos, word.gender, word.status) == ("de", "Stich", "noun", "m", "")
    assert word.note == {"en": "Auch im Jass."}
    assert word.line == 6


@pytest.mark.parametrize(
    ("data", "line", "says"),
    [
        (b"", 0, "empty"),
        (b"no xml at all", 1, "not well-formed"),
        *((f'<?xml version="1.0" encoding="{name}"?><tbx/>'.encode(), 1, "UTF-8") for name in ("TF-8", "big5", "hex")),
        (b"<tbx>\n<text>\n</tbx>", 3, "not well-formed"),
        (b"<html/>", 1, "not TBX"),
        (b'<tbx xmlns="urn:iso:std:iso:30042:ed-2" style="dct"/>', 1, "DCA"),
        (b'<tbx xmlns="urn:iso:std:iso:30042:ed-2"/>', 1, "no word"),
        (b"<tbx>\n<conceptEntry>\n</conceptEntry></tbx>", 2, "key"),
        (b'<tbx><conceptEntry id="a"/>\n<conceptEntry id="a"/></tbx>', 2, "twice"),
        (b'<tbx><conceptEntry id="a">\n<langSec xml:lang="tlh"/></conceptEntry></tbx>', 2, "tlh"),
        (
            b'<tbx><conceptEntry id="a"><langSec xml:lang="de">\n<termSec/></langSec></conceptEntry></tbx>',
            2,
            "no word here",
        ),
    ],
)
def test_a_file_that_cannot_be_read_says_where_and_why(data, line, says):
    with pytest.raises(BadFile) as refusal:
        tbx.read(data)
    (flaw, *_rest) = refusal.value.flaws
    assert flaw.line == line
    assert says in str(flaw.message)


@pytest.mark.parametrize(
    ("kind", "text", "says"),
    [
        ("partOfSpeech", "pronoun", "must be one of"),
        ("administrativeStatus", "good", "must be one of"),
        ("geographicalUsage", "Atlantis", "no place called Atlantis"),
    ],
)
def test_values_that_are_none_are_named(kind, text, says):
    kit.world()
    data = (
        f'<tbx><conceptEntry id="a"><langSec xml:lang="de"><termSec><term>x</term>'
        f'<termNote type="{kind}">{text}</termNote></termSec></langSec></conceptEntry></tbx>'
    )
    with pytest.raises(BadFile, match=says):
        tbx.read(data.encode())


LAUGHS = "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">' for n in range(1, 10))


@pytest.mark.parametrize(
    "data",
    [
        f'<!DOCTYPE tbx [<!ENTITY l0 "ha">{LAUGHS}]><tbx>&l9;</tbx>',
        '<!DOCTYPE tbx [<!ENTITY x SYSTEM "file:///etc/passwd">]><tbx>&x;</tbx>',
        '<!DOCTYPE tbx [<!ENTITY % p SYSTEM "http://127.0.0.1:9/x.dtd"> %p;]><tbx/>',
        '<!DOCTYPE tbx SYSTEM "http://127.0.0.1:9/x.dtd"><tbx>&made-there;</tbx>',
        f"<!DOCTYPE tbx [<!ATTLIST tbx a CDATA '{'a' * 1000}'>]><tbx/>",
    ],
)
def test_entities_and_document_types_are_refused(data):
    with pytest.raises(BadFile, match="declares entities"):
        tbx.read(data.encode())


def test_trees_too_deep_and_files_too_large_are_refused():
    with pytest.raises(BadFile, match="nested too deeply"):
        tbx.read(b"<a>" * 100_000 + b"</a>" * 100_000)
    with pytest.raises(BadFile, match="too large"):
        tbx.read(b" " * 5_000_001)
