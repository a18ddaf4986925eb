"""The two commands are plain shell, and say what is missing."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SCRIPTS = ["run", "test", ".ci/run", "tools/environment.sh"]


@pytest.mark.parametrize("script", SCRIPTS)
@pytest.mark.parametrize("shell", ["sh", "dash", "bash"])
def test_a_script_is_understood_by_every_shell(script, shell):
    if shutil.which(shell) is None:
        pytest.skip(f"no {shell} on this machine")
    subprocess.run([shell, "-n", str(ROOT / script)], check=True)


@pytest.mark.parametrize("script", SCRIPTS[:3])
def test_a_command_may_be_executed(script):
    assert os.access(ROOT / script, os.X_OK)


@pytest.fixture
def clone(tmp_path):
    """A checkout with nothing installed, as far as the commands need it."""
    for name in ["run", "requirements.txt", "tools/environment.sh"]:
        (tmp_path / name).parent.mkdir(exist_ok=True)
        shutil.copy(ROOT / name, tmp_path / name)
    return tmp_path


def run(clone: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [str(clone / "run")], cwd="/", env={"PATH": os.environ["PATH"], **environment}, capture_output=True, text=True
    )


def python_that(clone: Path, body: str) -> str:
    """A stand-in for the machine's Python: a real one that lacks something."""
    path = clone / "python"
    path.write_text(f"#!/bin/sh\n{body}\n")
    path.chmod(0o755)
    return str(path)


def test_without_python_the_command_says_what_to_install(clone):
    done = run(clone, PYTHON="no-such-python")
    assert done.returncode == 1
    assert "apt install python3 python3-venv" in done.stderr


def test_an_old_python_is_refused_by_its_version(clone):
    body = 'case "$1" in --version) echo "Python 3.9.2";; *) exit 1;; esac'
    done = run(clone, PYTHON=python_that(clone, body))
    assert done.returncode == 1
    assert "Python 3.9.2" in done.stderr


def test_a_python_without_venv_says_what_to_install(clone):
    body = 'case "$1" in -c) exit 0;; *) exit 1;; esac'
    done = run(clone, PYTHON=python_that(clone, body))
    assert done.returncode == 1
    assert "apt install python3-venv" in done.stderr
    assert not list(clone.glob(".venv/.installed*"))


def extra(clone: Path, *, there: bool) -> subprocess.CompletedProcess[str]:
    """Ask for what only makes things faster, as ./run does, where pip finds it or does not."""
    (clone / ".venv/bin").mkdir(parents=True)
    python = clone / ".venv/bin/python"
    python.write_text(f"#!/bin/sh\necho pip >> asked\nexit {0 if there else 1}\n")
    python.chmod(0o755)
    shutil.copy(ROOT / "requirements-fast.txt", clone)
    line = next(line for line in (clone / "run").read_text().splitlines() if line.startswith("extra "))
    script = f"set -eu\n. tools/environment.sh\n{line}\n{line}\nsay goes on\n"
    return subprocess.run(["sh", "-c", script], cwd=clone, capture_output=True, text=True)


def test_what_cannot_be_installed_and_is_not_needed_is_said_in_one_line(clone):
    done = extra(clone, there=False)
    assert (done.returncode, done.stderr.splitlines()[-1]) == (0, "goes on")
    assert [line for line in done.stderr.splitlines() if "numba could not be installed" in line][1:]
    assert not list(clone.glob(".venv/.installed*"))


def test_what_is_not_needed_is_installed_once(clone):
    done = extra(clone, there=True)
    assert (done.returncode, done.stderr.splitlines()) == (0, ["Installing requirements-fast.txt ...", "goes on"])
    assert (clone / "asked").read_text() == "pip\n"
