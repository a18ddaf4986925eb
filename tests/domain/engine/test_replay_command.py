"""`manage.py replay`, as docs/record-format.md promises it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import call_command

from tests.domain.engine.kit import RECORDS

ROOT = Path(__file__).resolve().parents[3]
GOOD = str(RECORDS / "troccas.json")
OTHER = str(RECORDS / "troccas-b.json")


def run(*arguments: str) -> tuple[int, str, str]:
    """Exit status, standard output and standard error. The tests' database is closed to this test, so to the command."""
    out, err = StringIO(), StringIO()
    try:
        call_command("replay", *arguments, stdout=out, stderr=err)
    except SystemExit as ended:
        return int(ended.code or 0), out.getvalue(), err.getvalue()
    return 0, out.getvalue(), err.getvalue()


def expected(name: str, *, legal: bool) -> object:
    data = json.loads((RECORDS / f"{name}.expected.json").read_text(encoding="utf-8"))
    for hand in data["hands"]:
        if not legal:
            del hand["decisions"]
    return data


def illegal(folder: Path) -> str:
    data = json.loads(Path(GOOD).read_text(encoding="utf-8"))
    data["hands"][0]["actions"][0] = "3 cut 99"
    path = folder / "illegal.json"
    path.write_text(json.dumps(data), encoding="utf-8")
    return str(path)


def test_one_file_is_one_object() -> None:
    status, out, err = run("--json", GOOD)
    assert (status, json.loads(out), err) == (0, expected("troccas", legal=False), "")


def test_legal_adds_every_decision() -> None:
    status, out, _ = run("--json", "--legal", GOOD)
    assert (status, json.loads(out)) == (0, expected("troccas", legal=True))


def test_several_files_are_a_list() -> None:
    status, out, _ = run("--json", GOOD, OTHER)
    assert (status, json.loads(out)) == (0, [expected("troccas", legal=False), expected("troccas-b", legal=False)])


def test_an_illegal_record_is_one_line_on_standard_error(tmp_path: Path) -> None:
    path = illegal(tmp_path)
    for arguments in (["--json", path], [path], ["--json", "--legal", path]):
        assert run(*arguments) == (1, "", f'{path}: hand 1, action 1 "3 cut 99": a cut lifts 1 to 77 cards\n')


def test_a_bad_file_does_not_keep_the_others_from_being_printed(tmp_path: Path) -> None:
    status, out, err = run("--json", GOOD, illegal(tmp_path), str(tmp_path / "none.json"), OTHER)
    assert status == 1
    assert json.loads(out) == [expected("troccas", legal=False), expected("troccas-b", legal=False)]
    assert len(err.splitlines()) == 2
    assert err.splitlines()[1] == f"{tmp_path / 'none.json'}: No such file or directory"


@pytest.mark.parametrize(
    "content", [b"", b"{", b"\xff\xff", b"[]", b'{"format": "troccas\\n-record\\u001b[31m"}', b"[" * 99999]
)
def test_whatever_a_file_holds_the_answer_is_one_printable_line(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "bad.json"
    path.write_bytes(content)
    status, out, err = run("--json", str(path))
    assert (status, out, err.count("\n")) == (1, "", 1)
    assert err[:-1].isprintable()
    assert len(err) < 400 + len(str(path))


def test_an_action_with_a_line_break_stays_on_one_line(tmp_path: Path) -> None:
    data = json.loads(Path(GOOD).read_text(encoding="utf-8"))
    data["hands"][0]["actions"][0] = "3 cut\n" + "9" * 5000
    path = tmp_path / "long.json"
    path.write_text(json.dumps(data), encoding="utf-8")
    status, out, err = run("--json", str(path))
    assert (status, out, err.count("\n")) == (1, "", 1)


def test_a_folder_is_no_file(tmp_path: Path) -> None:
    assert run(str(tmp_path)) == (1, "", f"{tmp_path}: Is a directory\n")


def test_without_json_there_is_a_summary_for_the_eye() -> None:
    status, out, _ = run(GOOD)
    assert status == 0
    assert out.splitlines() == [
        f"{GOOD}: troccas",
        "  hand 1, seat 0 deals: played, seats 0+2: 48 (+12), 1+3: 24 (-12)",
        "  hand 2, seat 1 deals: played, seats 0+2: 54 (+18), 1+3: 18 (-18)",
        "  hand 3, seat 2 deals: thrown-in",
        "  hand 4, seat 2 deals: played, seats 0+2: 48 (+12), 1+3: 24 (-12)",
        "  hand 5, seat 3 deals: played, seats 0+2: 24 (-12), 1+3: 48 (+12)",
        "  totals: P0 +30, P1 -30, P2 +30, P3 -30",
    ]


def test_the_summary_lists_decisions_too() -> None:
    _, out, _ = run("--legal", str(RECORDS / "troccas-dealer-without-trumps.json"))
    assert "    1: cut 1..77" in out.splitlines()
    assert any(line.startswith("    2: 2 of B1 B10") and line.endswith(", or throw-in") for line in out.splitlines())


def test_the_command_runs_where_the_database_cannot_be_opened(tmp_path: Path) -> None:
    """As somebody types it, with a database address behind which there is nothing."""
    environment = {**os.environ, "DATA_DIR": str(tmp_path), "DATABASE_URL": "postgres://nobody@127.0.0.1:1/none"}
    environment.pop("DJANGO_SETTINGS_MODULE", None)
    done = subprocess.run(
        [sys.executable, "manage.py", "replay", "--json", GOOD, illegal(tmp_path)],
        cwd=ROOT, env=environment, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 1
    assert json.loads(done.stdout) == [expected("troccas", legal=False)]
    assert len(done.stderr.splitlines()) == 1
