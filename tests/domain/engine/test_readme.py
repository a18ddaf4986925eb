"""The README and the modules of the engine say only what is so: their examples run."""

from __future__ import annotations

import doctest
from pathlib import Path

import pytest

from domain.engine import actions

ROOT = Path(__file__).resolve().parents[3]


def test_the_readme_of_the_engine_is_true(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    failed, tried = doctest.testfile(str(ROOT / "domain/engine/README.md"), module_relative=False)
    assert (failed, tried > 20) == (0, True)


def test_the_examples_in_the_modules_are_true() -> None:
    failed, tried = doctest.testmod(actions)
    assert (failed, tried > 0) == (0, True)
