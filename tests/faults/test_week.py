"""The week of play with all faults at random (`tests.faults.week`): three minutes of it, and how it tells what it found."""

from __future__ import annotations

import shutil
import subprocess
import sys

import pytest

from tests.faults.servers import programs_of_postgresql
from tests.faults.week import grouped
from tests.live import ROOT

own_servers = pytest.mark.skipif(
    programs_of_postgresql() is None or shutil.which("redis-server") is None,
    reason="needs PostgreSQL's programs and redis-server",
)


@pytest.mark.long
@pytest.mark.parametrize(
    "where", [pytest.param([], id="postgresql", marks=own_servers), pytest.param(["--sqlite"], id="sqlite")]
)
def test_nothing_is_lost_in_a_week_with_all_faults(where: list[str]) -> None:
    command = [sys.executable, "-m", "tests.faults.week", "--minutes", "3", "--seed", "1", *where]
    week = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert week.returncode == 0, week.stdout[-5000:] + week.stderr[-5000:]
    assert "wrong: 0" in week.stdout


def test_findings_of_one_sort_stand_together_and_the_rarest_first() -> None:
    two = ["game fhwh8dsq6ss has not ended: asks 2", "game jcz4bvf2q3j has not ended: asks 0"]
    assert grouped([two[0], "verify: 3 differences.", two[1]]) == [["verify: 3 differences."], two]
    assert grouped([]) == []
