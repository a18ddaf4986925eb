"""`manage.py serve`: the site and its worker in one process, for one machine."""

from __future__ import annotations

import threading
from argparse import ArgumentParser
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from games import broadcast
from games.table import tasks

SOCKET_BYTES = 4096  # nobody has more to say to a doorbell


class Command(BaseCommand):
    """Serve pages and sockets with daphne, and run the worker in a thread beside it."""

    help = "Serve the site and run its worker, in one process."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--host", default=settings.HOST)
        parser.add_argument("--port", type=int, default=settings.PORT)
        parser.add_argument("--no-worker", action="store_true", help="leave the work to `manage.py work`")

    def handle(self, *args: Any, host: str, port: int, no_worker: bool, **options: Any) -> None:
        """Serve until stopped. Raises CommandError when the address is taken."""
        from daphne.server import Server

        from troccas_site.asgi import application

        stop = threading.Event()
        worker = threading.Thread(target=tasks.run_supervised, args=(stop,), name="worker", daemon=True)
        interface = host.strip("[]").replace(":", "\\:")
        server = Server(
            application,
            endpoints=[f"tcp:port={port}:interface={interface}"],
            websocket_max_message_size=SOCKET_BYTES,
            websocket_max_frame_size=SOCKET_BYTES,
            verbosity=0,
            ready_callable=lambda: self.stdout.write(f"The table is laid: http://{host}:{port}/", ending="\n\n"),
        )
        if not no_worker:
            worker.start()
        try:
            server.run()
        finally:
            stop.set()
            broadcast.worker_wakeup.set()
            if worker.is_alive():
                worker.join(timeout=5)
        if not server.listening_addresses:
            raise CommandError(
                f"Port {port} on {host} is taken. Stop what runs there, or choose another: PORT=8001 ./run"
            )
