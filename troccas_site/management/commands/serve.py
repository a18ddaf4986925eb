"""`manage.py serve`: run the site and its worker in one process, on one machine."""

from __future__ import annotations

import errno
import gc
import logging
import os
import threading
from argparse import ArgumentParser
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from games import broadcast
from games.table import tasks
from troccas_site import checks


class Command(BaseCommand):
    """Serves pages and sockets with daphne, and runs the worker in a thread of the same process."""

    help = "Serve the site and run its worker, in one process."
    requires_system_checks = checks.RUNTIME_TAGS

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--host", default=settings.HOST)
        parser.add_argument("--port", type=int, default=settings.PORT)
        parser.add_argument("--no-worker", action="store_true", help="leave the work to `manage.py work`")

    def handle(self, *args: Any, host: str, port: int, no_worker: bool, **options: Any) -> None:
        """Serve until stopped; requests in flight are answered first. Raises CommandError if it cannot listen there."""
        import troccas_site.urls  # noqa: F401  # so that the first request need not wait until all pages are imported
        from troccas_site.asgi import application
        from troccas_site.serving import Server

        if not os.environ.get("SITE_URL"):
            settings.SITE_URL = f"http://127.0.0.1:{port}"  # so that codes and mails lead to where it listens

        stop = threading.Event()
        worker = threading.Thread(target=tasks.run_supervised, args=(stop,), name="worker", daemon=True)

        def stopping() -> None:
            stop.set()
            broadcast.worker_wakeup.set()

        interface = host.strip("[]").replace(":", "\\:")
        server = Server(
            application,
            stopping=stopping,
            endpoints=[f"tcp:port={port}:interface={interface}"],
            verbosity=0,
            ready_callable=lambda: self.stdout.write(f"The table is laid: http://{host}:{port}/", ending="\n\n"),
        )
        gc.freeze()  # all modules are loaded now: the garbage collector need never look through them
        if not no_worker:
            worker.start()
        try:
            server.run()
        finally:
            stopping()
            if worker.is_alive():
                worker.join(timeout=5)
        if not server.listening_addresses:
            reason = getattr(server.refusal, "socketError", server.refusal)
            if getattr(reason, "errno", None) == errno.EADDRINUSE:
                raise CommandError(
                    f"Port {port} on {host} is taken. Stop what runs there, or choose another: PORT=8001 ./run"
                )
            raise CommandError(f"Nothing can listen on port {port} of {host}: {reason}. PORT and HOST say where.")
        # Python would wait for threads that wait for the event loop, which no longer runs.
        logging.shutdown()
        self.stdout.flush()
        os._exit(0)
