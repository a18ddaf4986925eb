"""`manage.py work`: run only a worker, beside web processes that run elsewhere."""

from __future__ import annotations

import gc
import logging
import os
import signal
import threading
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from prometheus_client import start_http_server

from games.table import tasks
from troccas_site import checks


class Command(BaseCommand):
    """Does the work of the site until stopped: computer players, notices, cleaning up."""

    help = "Do what is due (computer players, notices, cleaning up) until stopped."
    requires_system_checks = checks.RUNTIME_TAGS

    def handle(self, *args: Any, **options: Any) -> None:
        """Run the worker. SIGTERM and SIGINT end it after the current action.

        Raises CommandError if METRICS_LISTEN is no address where it can listen.
        """
        if settings.METRICS_LISTEN:
            host, _colon, port = settings.METRICS_LISTEN.rpartition(":")
            if not port.isdigit():
                raise CommandError("METRICS_LISTEN must look like 127.0.0.1:9101.")
            try:
                start_http_server(int(port), host.strip("[]") or "127.0.0.1")
            except (OSError, OverflowError) as error:
                raise CommandError(
                    f"Nothing can listen at METRICS_LISTEN={settings.METRICS_LISTEN}: {error}"
                ) from error
        stop = threading.Event()
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, lambda *_: stop.set())
        gc.freeze()  # all modules are loaded now: the garbage collector need never look through them
        self.stdout.write("Working.")
        tasks.run_supervised(stop)
        # Python would wait for the processes in which computer players think, and so for one that compiles.
        logging.shutdown()
        self.stdout.flush()
        os._exit(0)
