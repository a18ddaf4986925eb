"""A small week: all faults at random while people play, hold an evening and edit. Longer ones: `python -m tests.faults.week`."""

from __future__ import annotations

import shutil
import subprocess
import sys

import pytest

from tests.faults.servers import programs_of_postgresql
from tests.live import ROOT

SECONDS = 5000
"""Until a run that has hung is given up; one takes some minutes on an idle machine."""
SERVERS = pytest.mark.skipif(
    programs_of_postgresql() is None or shutil.which("redis-server") is None,
    reason="PostgreSQL's and Redis's own programs are not installed",
)


@pytest.mark.long
@pytest.mark.parametrize(
    "where", [pytest.param((), marks=SERVERS, id="postgresql"), pytest.param(("--sqlite",), id="sqlite")]
)
def test_nothing_that_was_answered_is_lost_or_doubled(where: tuple[str, ...]):
    given = ("--minutes", "1", "--games", "4", "--seed", "5", "--every", "10", "--threads", "2", *where)
    done = subprocess.run(
        [sys.executable, "-m", "tests.faults.week", *given], cwd=ROOT, capture_output=True, text=True, timeout=SECONDS
    )
    assert done.returncode == 0, done.stdout[-6000:] + done.stderr[-3000:]
    assert "\nwrong: 0" in done.stdout
