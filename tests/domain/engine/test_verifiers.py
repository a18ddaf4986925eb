"""The two verifiers that share no code with the engine: the stand-alone script and the browser's module.

The module in a browser: `tests/browser/test_verifying.py`.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[3]
SCRIPT = ROOT / "docs" / "verify_shuffle.py"
MODULE = ROOT / "static" / "js" / "verify.js"
RUNNER = Path(__file__).parent / "verify_vectors.mjs"
VECTORS_FILE = Path(__file__).parent / "shuffle_vectors.json"
VECTORS = json.loads(VECTORS_FILE.read_text(encoding="utf-8"))


def record(*vectors: dict[str, Any]) -> dict[str, Any]:
    """An exported game of these deals, with just enough actions to carry the arrangements."""
    hands = [
        {
            "dealer": 0,
            "pack": vector["pack"],
            "actions": [f"{seat} arrange {order}" for seat, order in enumerate(vector["arrangements"])]
            + [f"3 cut {vector.get('lifted', 40)}"],
        }
        for vector in vectors
    ]
    proofs = [vector["proof"] for vector in vectors]
    return {"format": "troccas-record", "version": 1, "ruleset": "troccas", "hands": hands, "proof": proofs}


def run_script(folder: Path, exported: object) -> subprocess.CompletedProcess[str]:
    file = folder / "game.json"
    file.write_text(json.dumps(exported), encoding="utf-8")
    return subprocess.run([sys.executable, "-I", str(SCRIPT), str(file)], capture_output=True, text=True, check=False)


def test_script_accepts_every_good_deal_of_a_record(tmp_path: Path) -> None:
    good = [vector for vector in VECTORS["deals"] if not vector["problems"]]
    done = run_script(tmp_path, record(*good))
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.count(": fair\n") == len(good)
    assert done.stdout.endswith(f"packs checked: {len(good)}, of them wrong: 0\n")


@pytest.mark.slow
def test_script_rejects_every_bad_deal(tmp_path: Path) -> None:
    for vector in VECTORS["deals"]:
        if vector["problems"]:
            done = run_script(tmp_path, record(vector))
            assert done.returncode == 1, vector["name"]
            assert ": fair\n" not in done.stdout


def test_script_says_that_a_contribution_was_used_before(tmp_path: Path) -> None:
    good = {vector["name"]: vector for vector in VECTORS["deals"]}
    done = run_script(tmp_path, record(good["two of four contributed"], good["one-round deal, as gathered"]))
    assert done.stdout.count("(the same as in hand 1: it adds nothing new)") == 2


def test_script_checks_the_draw_for_partners(tmp_path: Path) -> None:
    good = {vector["name"]: vector for vector in VECTORS["deals"]}
    draw = good["the draw for partners"]
    done = run_script(tmp_path, {**record(), "draw": {"pack": draw["pack"], "proof": draw["proof"]}})
    assert done.returncode == 0
    assert "draw for partners: fair" in done.stdout


def test_script_does_not_call_a_record_without_proofs_fair(tmp_path: Path) -> None:
    exported = record(VECTORS["deals"][0])
    for without in ({"proof": [None]}, {"proof": None}):
        done = run_script(tmp_path, {**exported, **without})
        assert done.returncode == 2
        assert "hand 1: no proof" in done.stdout


@pytest.mark.parametrize(
    "exported",
    [
        [],
        {},
        {"hands": 3},
        {"hands": [{"pack": "CK", "actions": ["x"]}], "proof": [{}]},
        {"hands": [{"pack": "CK", "actions": []}], "proof": [None, None]},
    ],
)
def test_script_answers_what_is_no_record_with_one_line(tmp_path: Path, exported: object) -> None:
    done = run_script(tmp_path, exported)
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert "cannot be read as a game record" in done.stderr


@pytest.mark.skipif(shutil.which("node") is None, reason="node is not installed; the browser runs the same vectors")
def test_module_agrees_with_every_vector_in_node(tmp_path: Path) -> None:
    module = tmp_path / "verify.mjs"  # without a package.json, node tells modules by their ending
    shutil.copy(MODULE, module)
    done = subprocess.run(
        ["node", str(RUNNER), str(module), str(VECTORS_FILE)], capture_output=True, text=True, check=True, timeout=240
    )
    assert json.loads(done.stdout) == []


def test_specification_prints_the_vectors_as_they_are() -> None:
    specification = (ROOT / "docs" / "fair-packs.md").read_text(encoding="utf-8")
    first, second = VECTORS["deals"][:2]
    for part in (first["pack"], first["seed"], first["proof"]["commitment"], first["proof"]["secret"]):
        assert f"`{part}`" in specification
    for part in (second["seed"], second["proof"]["commitment"], *second["proof"]["entropy"].values()):
        assert f"`{part}`" in specification
    assert f"begins `{second['pack'][:29]} …`" in specification
    shared = next(vector for vector in VECTORS["deals"] if vector["name"] == "a deal that several tables share")
    for part in (shared["seed"], shared["proof"]["commitment"], shared["proof"]["secret"]):
        assert f"`{part}`" in specification
    assert f"| cut | {shared['lifted']} |" in specification
