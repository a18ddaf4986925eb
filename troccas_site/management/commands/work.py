"""`manage.py work`: a worker by itself, beside web processes that run elsewhere."""

from __future__ import annotations

import signal
import threading
from typing import Any

from django.core.management.base import BaseCommand

from games.table import tasks


class Command(BaseCommand):
    """Work until stopped: computer players, notices, cleaning up."""

    help = "Do what is due (computer players, notices, cleaning up) until stopped."

    def handle(self, *args: Any, **options: Any) -> None:
        """Run the worker; SIGTERM and SIGINT end it after the action at hand."""
        stop = threading.Event()
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, lambda *_: stop.set())
        self.stdout.write("Working.")
        tasks.run_supervised(stop)
