"""Reading words in: what would change, conflicts with what people published meanwhile, and going ahead."""

import io

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import CommandError, call_command

from rules import services
from rules.exchange import importing
from rules.exchange.importing import Outcome
from rules.models import Concept, Entry, Revision
from tests.rules import door_kit
from tests.rules import exchange_kit as kit

pytestmark = pytest.mark.django_db
HEADER = "concept,language,word,gender,definition,sources,place,theme,revision\n"


def plan(*rows: str) -> importing.Plan:
    return importing.plan(importing.FORMATS["csv"]((HEADER + "\n".join(rows)).encode()))


def facts(step: importing.Step) -> tuple[list[str], list[str]]:
    return [str(line) for line in step.added], [str(line) for line in step.removed]


@pytest.fixture(autouse=True)
def _world():
    kit.world()


def test_a_new_concept_and_a_new_word_are_shown():
    found = plan("words.trick,de,Stich,m,,,,play,", "words.scart,fr,écart,m,,,,discard,")
    assert [(step.key, step.outcome, step.line) for step in found.steps] == [
        ("words.trick", Outcome.NEW, 2),
        ("words.scart", Outcome.CHANGED, 3),
    ]
    assert facts(found.steps[1]) == (
        ["words › French › écart › status: proposed", "words › French › écart › gender: masculine"],
        [],
    )


def test_a_changed_fact_is_shown_before_and_after():
    (step,) = plan("words.scart,rm-sursilv,scart,f,,,,discard,").steps
    assert facts(step) == (
        ["words › Sursilvan › scart › gender: feminine"],
        ["words › Sursilvan › scart › gender: masculine"],
    )


def test_what_a_file_leaves_empty_stays():
    found = plan("words.scart,rm-sursilv,scart,,,,,discard,")
    assert (found.steps, found.unchanged) == ((), 1)


@pytest.mark.parametrize(
    ("row", "says"),
    [
        ("words.scart,fr,écart,m,,nobody: 3,,discard,", "no source nobody"),
        ("words.scart,gsw,Scart,m,,,atlantis,discard,", "no place atlantis"),
        ("words.scart,tlh,qach,m,,,,discard,", "Choose one of: en, de"),
        ("words.scart,fr,écart,x,,,,discard,", "gender: Choose one of"),
        ("words.new,fr,écart,m,,,,sport,", "theme: Choose one of"),
        ("words.new,fr,écart,m,,,,,", "theme: Choose one of"),
        ("words.scart,fr,écart,m,,,,discard,99", "no revision 99"),
        (f"words.scart,fr,{'x' * 121},m,,,,discard,", "too long"),
        ("words.scart,fr,a\u202eb,m,,,,discard,", "direction of reading"),
    ],
)
def test_what_cannot_be_taken_is_said_and_left_alone(row, says):
    (step,) = plan(row).steps
    assert step.outcome is Outcome.WRONG
    assert says in " ".join(map(str, step.problems))
    assert importing.apply(plan(row), by=door_kit.editor(), comment="").done == []


def published_meanwhile(text: str) -> Revision:
    entry = door_kit.entry("concept", "words.scart")
    assert entry.published is not None
    changed = {**entry.published.document, "definitions": {"en": {"text": text}}}
    return services.publish(entry, changed, by=door_kit.editor("meanwhile"), base=entry.published)


def test_a_file_made_from_an_older_revision_is_merged():
    first = door_kit.entry("concept", "words.scart").published.number
    published_meanwhile("Said anew.")
    (step,) = plan(f"words.scart,fr,écart,m,,,,discard,{first}").steps
    assert step.outcome is Outcome.CHANGED
    done = importing.apply(importing.Plan((step,)), by=door_kit.editor(), comment="French")
    document = done.done[0].document
    assert document["definitions"]["en"]["text"] == "Said anew."
    assert document["terms"][-1]["text"] == "écart"


def test_where_both_changed_the_same_it_is_a_conflict_and_nothing_is_written():
    first = door_kit.entry("concept", "words.scart").published.number
    published_meanwhile("Said anew.")
    found = plan(f"words.scart,en,discard,,Said otherwise.,,,discard,{first}")
    (step,) = found.steps
    assert step.outcome is Outcome.CONFLICT
    (conflict,) = step.conflicts
    assert (conflict.mine, conflict.theirs) == ("Said otherwise.", "Said anew.")
    assert importing.apply(found, by=door_kit.editor(), comment="").done == []


def test_applying_publishes_in_the_editors_name_and_a_second_time_changes_nothing():
    rows = ("words.trick,de,Stich,m,Was eine Runde bringt.,lt,,play,", "words.scart,fr,écart,m,,,,discard,")
    editor = door_kit.editor()
    done = importing.apply(plan(*rows), by=editor, comment="from a list")
    assert [(row.entry.key, row.author, row.comment) for row in done.done] == [
        ("words.trick", editor, "from a list"),
        ("words.scart", editor, "from a list"),
    ]
    assert Concept.objects.get(key="words.trick").definitions.get(language="de").text == "Was eine Runde bringt."
    again = plan(*rows)
    assert (again.steps, again.unchanged) == ((), 2)


def test_the_door_still_asks_for_the_role():
    found = plan("words.scart,fr,écart,m,,,,discard,")
    german = importing.apply(found, by=door_kit.editor("german", "de"), comment="")
    assert german.done == []
    ((key, why),) = german.refused
    assert key == "words.scart"
    assert "editors of this language" in str(why)


def test_whoever_sends_too_much_is_stopped_and_goes_on_later(monkeypatch):
    monkeypatch.setattr(services, "EDITORS", 2)
    rows = [f"words.w{n},de,Wort{n},n,,,,play," for n in range(4)]
    editor = door_kit.editor()
    first = importing.apply(plan(*rows), by=editor, comment="")
    assert (len(first.done), len(first.refused), first.left) == (2, 1, 1)
    assert plan(*rows).counts[Outcome.NEW] == 2


def test_planning_takes_as_many_queries_for_many_concepts_as_for_one(django_assert_max_num_queries):
    rows = [f"words.w{n},de,Wort{n},n,,,,play," for n in range(200)]
    with django_assert_max_num_queries(5):
        assert plan(*rows, "words.scart,fr,écart,m,,,,discard,1").counts[Outcome.NEW] == 200


# --- The command ------------------------------------------------------------------------------------------------------


def run(path, *options: str) -> str:
    said = io.StringIO()
    call_command("import_terms", str(path), *options, stdout=said, stderr=said)
    return said.getvalue()


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "new.csv"
    path.write_text(f"{HEADER}words.trick,de,Stich,m,,,,play,\nwords.scart,rm-sursilv,scart,f,,,,discard,\n")
    return path


def test_the_command_shows_and_changes_nothing(file):
    before = Revision.objects.count()
    said = run(file)
    assert "new: words.trick (line 2)" in said
    assert "  - words › Sursilvan › scart › gender: masculine\n  + words › Sursilvan › scart › gender: feminine" in said
    assert "1 new, 1 changed, 0 conflict, 0 wrong, 0 unchanged." in said
    assert "Nothing has been changed" in said
    assert Revision.objects.count() == before


def test_the_command_publishes_as_the_editor_it_is_told(file):
    editor = door_kit.editor("gion")
    assert "2 published." in run(file, "--apply", "--as", "gion@example.org")
    revision = Entry.objects.get(key="words.trick").published
    assert (revision.author, revision.comment) == (editor, "from the file new.csv")


def test_the_command_reads_tbx(tmp_path):
    path = tmp_path / "words.tbx"
    path.write_bytes(kit.file("tbx").replace(b"<term>discard</term>", b"<term>laid away</term>"))
    assert "+ words › English › laid away" in run(path)


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (("--apply",), "Say in whose name"),
        (("--apply", "--as", "nobody@example.org"), "No player logs in with nobody@example.org"),
        (("--format", "tbx"), "not well-formed XML"),
    ],
)
def test_the_command_says_what_is_missing(file, options, says):
    with pytest.raises(CommandError, match=says):
        run(file, *options)


def test_the_command_says_which_line_is_wrong(tmp_path):
    path = tmp_path / "bad.csv"
    path.write_text(f"{HEADER}words.a,de,,,,,,,\n")
    with pytest.raises(CommandError, match="line 2: These cells must not be empty: word"):
        run(path)
    with pytest.raises(CommandError, match="cannot be read: No such file"):
        run(tmp_path / "none.csv")
    (tmp_path / "words.xls").write_bytes(b"x")
    with pytest.raises(CommandError, match=r"end with \.csv or \.tbx"):
        run(tmp_path / "words.xls")


# --- The page ---------------------------------------------------------------------------------------------------------

PAGE = "/en/data/import/"


def upload(text: str, name: str = "new.csv") -> dict[str, SimpleUploadedFile]:
    return {"file": SimpleUploadedFile(name, text.encode())}


@pytest.fixture
def as_editor(client):
    client.force_login(door_kit.editor().user)
    return client


def test_the_page_is_for_editors(client):
    assert client.get(PAGE).status_code == 403
    client.force_login(door_kit.member().user)
    response = client.post(PAGE, upload(f"{HEADER}words.trick,de,Stich,m,,,,play,"))
    assert response.status_code == 403
    assert "Only editors" in response.text


def test_on_the_page_one_looks_then_publishes(as_editor):
    assert as_editor.get(PAGE).status_code == 200
    looked = as_editor.post(PAGE, upload(f"{HEADER}words.trick,de,Stich,m,,,,play,"))
    assert "Stich" in looked.text
    assert not Entry.objects.filter(key="words.trick").exists()
    done = as_editor.post(PAGE, {"token": looked.context["token"], "comment": "a list"})
    assert "1 concept of new.csv is published" in done.text
    assert Entry.objects.get(key="words.trick").published.comment == "a list"


def test_nobody_publishes_what_another_one_sent(as_editor, client):
    token = as_editor.post(PAGE, upload(f"{HEADER}words.trick,de,Stich,m,,,,play,")).context["token"]
    client.force_login(door_kit.editor("other").user)
    for sent in (token, "", "x" * 32, "../../etc"):
        response = client.post(PAGE, {"token": sent})
        assert response.status_code == 422
        assert "no longer here" in response.text
    assert not Entry.objects.filter(key="words.trick").exists()


@pytest.mark.parametrize(
    ("text", "name", "says"),
    [
        (f"{HEADER}words.a,de,,,,,,,", "a.csv", "line 2: These cells must not be empty: word"),
        ("<tbx>", "a.tbx", "line 1: This is not well-formed XML"),
        ("x", "a.docx", "end with .csv or .tbx"),
        ("x" * 1_000_001, "a.csv", "too large"),
        ("", "a.csv", "empty"),
    ],
)
def test_the_page_says_what_is_wrong_with_a_file(as_editor, text, name, says):
    response = as_editor.post(PAGE, upload(text, name))
    assert response.status_code == 422
    assert says in response.text
    assert "Nothing has been changed." in response.text


def test_the_page_asks_for_a_file(as_editor):
    response = as_editor.post(PAGE, {})
    assert response.status_code == 422
    assert "Choose a file first." in response.text


def test_what_a_file_holds_is_shown_as_text(as_editor):
    shown = as_editor.post(PAGE, upload(f"{HEADER}words.trick,de,<script>alert(1)</script>,m,,,,play,"))
    assert "<script>alert" not in shown.text
    assert "&lt;script&gt;alert(1)" in shown.text
