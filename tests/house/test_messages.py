"""The catalogues: what is found in the source, what survives, what is complained about."""

import gettext

import polib
import pytest

from tools import messages
from tools.messages import Message, merged, problems

PYTHON = """
from django.utils.translation import gettext as _, ngettext, pgettext
# Translators: said when the table opens
a = _("Welcome")
b = ngettext("%(n)s card", "%(n)s cards", 2)
c = pgettext("of a tree", "trunk")
"""
TEMPLATE = """{% load i18n %}
    {# Translators: to the player who is to act #}
    {% if x %}{% translate "It's your turn" %}{% endif %}
  {% blocktranslate trimmed count n=n %}
      one "hand"
    {% plural %}
      {{ n }} hands
  {% endblocktranslate %}
{{ value|default:_("nobody") }}
"""
SCRIPT = 'const a = gettext("Connection lost"); const b = ngettext("a ring", "%s rings", n); `${a} · ${gettext("Your turn")}`;'


@pytest.fixture
def project(tmp_path, monkeypatch):
    """A small source tree with a message of every kind."""
    files = {"games/a.py": PYTHON, "templates/a.html": TEMPLATE, "static/js/a.js": SCRIPT}
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    monkeypatch.setattr(messages, "ROOT", tmp_path)
    return tmp_path


def catalogue(**texts: str) -> polib.POFile:
    made = polib.POFile()
    made.metadata = {"Plural-Forms": messages.PLURALS}
    for number, (singular, translation) in enumerate(texts.items()):
        made.append(polib.POEntry(msgid=singular, msgstr=translation, tcomment=f"attested: page {number}"))
    return made


def found(*singulars: str) -> dict[messages.Key, Message]:
    return {("", singular): Message("", singular, "") for singular in singulars}


def test_messages_of_python_and_templates_are_found(project):
    all_found = messages.extracted("django")
    assert {key: message.plural for key, message in all_found.items()} == {
        ("", "Welcome"): "",
        ("", "%(n)s card"): "%(n)s cards",
        ("of a tree", "trunk"): "",
        ("", "It's your turn"): "",
        ("", 'one "hand"'): "%(n)s hands",
        ("", "nobody"): "",
    }
    assert all_found["", "Welcome"].comments == ["said when the table opens"]
    assert all_found["", "It's your turn"].comments == ["to the player who is to act"]
    assert all_found["", "Welcome"].files == ["games/a.py"]


def test_messages_of_scripts_are_found(project):
    assert set(messages.extracted("djangojs")) == {("", "Connection lost"), ("", "a ring"), ("", "Your turn")}


def test_extracting_twice_changes_nothing(project):
    messages.command_extract()
    paths = sorted(project.glob("locale/*/LC_MESSAGES/*.po"))
    before = [path.read_bytes() for path in paths]
    assert len(paths) == 2 * len(messages.LOCALES)
    messages.command_extract()
    assert [path.read_bytes() for path in paths] == before
    assert b"POT-Creation-Date" not in b"".join(before)


def test_a_compiled_catalogue_is_what_gettext_reads(project):
    messages.command_extract()
    path = messages.catalogue_path("de", "django")
    po = polib.pofile(str(path))
    for entry in po:
        if entry.msgid == "Welcome":
            entry.msgstr = "Willkommen"
        if entry.msgid_plural == "%(n)s cards":
            entry.msgstr_plural = {0: "%(n)s Karte", 1: "%(n)s Karten"}
    po.save()
    messages.command_compile()
    with path.with_suffix(".mo").open("rb") as file:
        compiled = gettext.GNUTranslations(file)
    assert compiled.gettext("Welcome") == "Willkommen"
    assert compiled.ngettext("%(n)s card", "%(n)s cards", 5) == "%(n)s Karten"
    assert compiled.gettext("nobody") == "nobody"


def test_a_catalogue_is_compiled_again_only_when_it_changed(project):
    messages.command_extract()
    messages.command_compile()
    target = messages.catalogue_path("de", "django").with_suffix(".mo")
    before = target.stat()
    messages.command_compile()
    assert target.stat().st_ino == before.st_ino
    source = target.with_suffix(".po")
    source.write_text(source.read_text() + "\n")
    messages.command_compile()
    assert target.stat().st_ino != before.st_ino


def test_a_language_of_reading_holds_what_the_pages_of_the_encyclopedia_say():
    said = found("Chips", "Sources")
    said["", "Chips"].files = ["templates/games/table.html"]
    said["", "Sources"].files = ["templates/games/table.html", "templates/rules/source.html"]
    assert set(messages.wanted(said, "fr", catalogue())) == {("", "Sources")}
    assert set(messages.wanted(said, "de", catalogue())) == {*said}


def test_a_language_of_reading_holds_of_the_table_what_is_translated_for_puzzles_in_articles():
    said = found("Pass.", "Chips", "Play.")
    said["", "Pass."].files = said["", "Play."].files = ["games/text/advice.py"]
    said["", "Chips"].files = ["templates/games/table.html"]
    known = catalogue(**{"Pass.": "Passez.", "Play.": "", "Chips": "Jetons"})
    assert set(messages.wanted(said, "fr", known)) == {("", "Pass.")}


def test_french_counts_nothing_as_one():
    made = catalogue(Welcome="Bienvenue")
    assert "Plural-Forms" in next(problems(made, found("Welcome"), "fr"))
    made.metadata = {"Plural-Forms": messages.plurals("fr")}
    assert list(problems(made, found("Welcome"), "fr")) == []


def test_every_file_of_the_pages_that_are_read_is_there():
    for pattern in messages.READ:
        assert list(messages.ROOT.glob(pattern)), pattern


def test_merging_keeps_translations_and_their_comments():
    new = merged(catalogue(Welcome="Willkommen"), found("Welcome", "Goodbye"), "de")
    assert [(entry.msgid, entry.msgstr, entry.tcomment) for entry in new] == [
        ("Welcome", "Willkommen", "attested: page 0"),
        ("Goodbye", "", ""),
    ]


def test_merging_keeps_what_is_no_longer_used_for_when_it_comes_back():
    without = merged(catalogue(Welcome="Willkommen"), found("Goodbye"), "de")
    assert [(entry.msgid, entry.obsolete) for entry in without] == [("Goodbye", False), ("Welcome", True)]
    again = merged(without, found("Goodbye", "Welcome"), "de")
    assert [(entry.msgid, entry.msgstr) for entry in again if not entry.obsolete] == [
        ("Goodbye", ""),
        ("Welcome", "Willkommen"),
    ]


def test_a_complete_catalogue_has_no_problems():
    assert list(problems(catalogue(Welcome="Willkommen"), found("Welcome"), "de")) == []


@pytest.mark.parametrize(
    ("old", "source", "locale", "complaint"),
    [
        (catalogue(), found("New"), "de", "not in the catalogue"),
        (catalogue(Old="Alt"), found(), "de", "no longer in the source"),
        (catalogue(Welcome=""), found("Welcome"), "de", "not translated"),
        (catalogue(**{"%(n)s left": "noch %(m)s"}), found("%(n)s left"), "de", "placeholders differ"),
        (catalogue(**{"%(n)s left": "einige"}), found("%(n)s left"), "rm_Sursilv", "placeholders differ"),
    ],
)
def test_what_is_wrong_is_said(old, source, locale, complaint):
    assert [problem for problem in problems(old, source, locale) if complaint in problem]


def test_a_gap_in_sursilvan_is_allowed():
    assert list(problems(catalogue(Welcome=""), found("Welcome"), "rm_Sursilv")) == []


def test_a_sursilvan_word_says_where_it_comes_from():
    made = catalogue(Welcome="Beinvegni")
    made[0].tcomment = "looks right"
    assert "needs a comment" in next(problems(made, found("Welcome"), "rm_Sursilv"))
    made[0].tcomment = "draft: to be read by a speaker"
    assert list(problems(made, found("Welcome"), "rm_Sursilv")) == []


def test_a_fuzzy_german_entry_is_not_a_translation():
    made = catalogue(Welcome="Willkommen")
    made[0].flags.append("fuzzy")
    assert "fuzzy" in next(problems(made, found("Welcome"), "de"))


def test_a_singular_may_spell_out_its_number():
    made = catalogue()
    made.append(
        polib.POEntry(
            msgid="%(n)s card", msgid_plural="%(n)s cards", msgstr_plural={0: "eine Karte", 1: "%(n)s Karten"}
        )
    )
    source = {("", "%(n)s card"): Message("", "%(n)s card", "%(n)s cards")}
    assert list(problems(made, source, "de")) == []
    made[0].msgstr_plural[1] = "viele Karten"
    assert "placeholders differ" in next(problems(made, source, "de"))
