"""How fast notices travel: taken up, as letters over real SMTP on loopback, as messages to a real HTTP server, as daily letters.

    .venv/bin/python benchmarks/notices.py [--number 10000]

Uses a database of its own in a temporary folder, with the site's settings (SQLite, synchronous=FULL: every letter is
noted durably before the next one goes out). The mail server is a process of its own.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import socket
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))


def free_port() -> int:
    """A port nobody listens on just now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def listen_to_mail(port: int) -> None:
    """A mail server that takes and forgets, until its process is ended."""
    from aiosmtpd.controller import Controller
    from aiosmtpd.handlers import Sink

    Controller(Sink(), hostname="127.0.0.1", port=port).start()
    while True:
        time.sleep(3600)


def listen_to_messages(port: int) -> None:
    """A push service that takes and forgets."""
    import http.server

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            self.rfile.read(int(self.headers["Content-Length"]))
            self.send_response(201)
            self.end_headers()

        def log_message(self, *args: object) -> None:
            pass

    http.server.ThreadingHTTPServer(("127.0.0.1", port), Handler).serve_forever()


@contextmanager
def beside(target: object, port: int) -> Iterator[None]:
    """A server in a process of its own."""
    process = multiprocessing.get_context("spawn").Process(target=target, args=(port,), daemon=True)
    process.start()
    for _try in range(200):
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                break
        time.sleep(0.05)
    try:
        yield
    finally:
        process.terminate()
        process.join()


def main() -> None:
    """Measure, and print a line for each part."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--number", type=int, default=10_000, help="notices of each sort")
    number = parser.parse_args().number
    mail_port, push_port = free_port(), free_port()
    with (
        tempfile.TemporaryDirectory() as folder,
        beside(listen_to_mail, mail_port),
        beside(listen_to_messages, push_port),
    ):
        os.environ |= {
            "DATA_DIR": folder,
            "EMAIL_URL": f"smtp://127.0.0.1:{mail_port}",
            "PUSH_TO_LOOPBACK": "1",
            "LOG_LEVEL": "CRITICAL",
            "DJANGO_SETTINGS_MODULE": "troccas_site.settings",
        }
        import django

        django.setup()
        measure(number, push_port)


def measure(number: int, push_port: int) -> None:
    """The measurements proper, on an empty database."""
    from datetime import timedelta

    from allauth.account.models import EmailAddress
    from cryptography.hazmat.primitives.asymmetric import ec
    from django.core.management import call_command
    from django.utils import timezone

    from accounts.models import Player, User
    from games.models import Game
    from games.services import computers, play
    from notices import delivery, outbox, push
    from notices import push as sealing
    from notices.models import Delivery, Outbox, Preference

    call_command("migrate", verbosity=0)
    call_command("createcachetable")
    people = min(200, number)
    games = []
    for at in range(people):
        user = User.objects.create(email=f"p{at}@example.org")
        EmailAddress.objects.create(user=user, email=user.email, verified=True, primary=True)
        player = Player.objects.create(user=user, name=f"Player {at}")
        Preference.objects.create(player=player, turn_mail="each", quiet_from=None, quiet_to=None)
        key = sealing.public_bytes(ec.generate_private_key(ec.SECP256R1()).public_key())
        push.subscribe(
            player,
            f"http://127.0.0.1:{push_port}/{at}",
            sealing.to_base64url(key),
            sealing.to_base64url(os.urandom(16)),
            language="en",
            device="",
        )
        first, second = computers.computer_players(2)
        other = Player.objects.create()
        game = play.start("troccas", [player, first, other, second])
        Game.objects.filter(pk=game.pk).update(to_act=0)
        games.append((player, game))
    Outbox.objects.all().delete()

    moment = timezone.now()
    rows = []
    for at in range(number):
        player, game = games[at % people]
        # A topic of its own for each, as if everybody had fifty games: nothing supersedes anything.
        rows.append(
            Outbox(event="game.turn", kind="turn", topic=f"t{at}", player=player, params={"game": game.public_id})
        )
    Outbox.objects.bulk_create(rows, batch_size=500)

    def timed(what: str, wanted: int, step: Callable[[], int]) -> None:
        began, busy, done = time.perf_counter(), time.process_time(), 0
        while done < wanted:
            some = step()
            if not some:
                break
            done += some
        took, busy = time.perf_counter() - began, time.process_time() - busy
        rate = f"{done / took:6.0f}/s, {1000 * busy / done:5.1f} ms of one processor each" if done else ""
        print(f"{what:<36}{done:>6}  in {took:6.1f} s  {rate}", flush=True)
        assert done == wanted, f"{what}: {done} of {wanted}"

    timed("taken up (letter and message each)", number, lambda: outbox.tell_due(moment + timedelta(seconds=1)))
    later = moment + timedelta(minutes=5)
    timed("letters over SMTP", number, lambda: delivery._letters(later, 100))
    timed("messages over HTTP, sealed", number, lambda: delivery._messages(later, 200))

    Delivery.objects.all().delete()
    Preference.objects.update(turn_mail="digest")
    Outbox.objects.update(done_at=None, lease_until=None, due_at=moment, attempts=0)
    while outbox.tell_due(moment + timedelta(seconds=1)):
        pass
    Delivery.objects.filter(channel="push").delete()
    timed(
        f"daily letters ({number // people} notices each)",
        people,
        lambda: delivery._digests(moment + timedelta(days=2), 100),
    )
    began = time.perf_counter()
    for _ in range(100):
        delivery.deliver_due(later)
    print(f"a look at {number} deliveries, nothing due: {(time.perf_counter() - began) * 10:.2f} ms")


if __name__ == "__main__":
    main()
