"""The week of play with all faults at random (`tests.faults.week`), in small."""

from __future__ import annotations

import shutil
import subprocess
import sys

import pytest

from tests.faults.servers import programs_of_postgresql
from tests.faults.week import grouped
from tests.live import ROOT

SECONDS = 5000
"""Until a run that has hung is given up."""


@pytest.mark.long
@pytest.mark.skipif(programs_of_postgresql() is None, reason="PostgreSQL is not installed")
@pytest.mark.skipif(shutil.which("redis-server") is None, reason="redis-server is not installed")
def test_a_short_week_loses_and_doubles_nothing() -> None:
    command = [sys.executable, "-m", "tests.faults.week", "--minutes", "2", "--seed", "1"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=SECONDS, check=False)
    assert done.returncode == 0, done.stdout[-10_000:] + done.stderr[-3000:]
    assert "\nwrong: 0\n" in done.stdout


def test_findings_of_one_sort_stand_together_and_the_rarest_first() -> None:
    two = ["game fhwh8dsq6ss has not ended: asks 2", "game jcz4bvf2q3j has not ended: asks 0"]
    assert grouped([two[0], "verify: 3 differences.", two[1]]) == [["verify: 3 differences."], two]
    assert grouped([]) == []
