"""When recurring tasks were last done, and how it went: for `/readyz`, metrics and alarms."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Final

from core.models import LastRun

WORKER: Final = "worker"
VERIFY: Final = "verify"
BACKUP: Final = "backup"
WORKER_EVERY: Final = timedelta(seconds=10)
"""How often a running worker reports that it is running."""


def note(name: str, now: datetime, *, problems: int = 0) -> None:
    """Note that a task was done now. At most two statements."""
    if not LastRun.objects.filter(name=name).update(at=now, problems=problems):
        LastRun.objects.get_or_create(name=name, defaults={"at": now, "problems": problems})
