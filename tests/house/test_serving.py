"""The real server: it starts, serves files, tells who may open a socket, and comes back from the dead."""

import asyncio
import http.client
import json
import os
import re
import signal
import socket
import sqlite3
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request
from collections.abc import AsyncIterator, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing, suppress
from http.cookies import SimpleCookie
from pathlib import Path
from typing import Any, Final, NoReturn

import pytest
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse

from core.channel_layers import Layer
from games import broadcast
from tests.live import PATIENCE, ROOT, START_SECONDS, STOP_SECONDS, LiveSite, Sites, free_port, site_environment
from troccas_site.handler import THREADS, Handler


@pytest.fixture(scope="module")
def live_site(sites: Sites) -> Iterator[LiveSite]:
    """A server with the settings of the site as they are."""
    site = sites.start(DJANGO_SETTINGS_MODULE="troccas_site.settings")
    yield site
    sites.close(site)


def get(address: str, body: bytes | None = None, **headers: str) -> tuple[int, dict[str, str], bytes]:
    request = urllib.request.Request(address, body, headers)  # noqa: S310  # our own server
    try:
        with urllib.request.urlopen(request, timeout=PATIENCE) as answer:  # noqa: S310  # our own server
            return answer.status, dict(answer.headers), answer.read()
    except urllib.error.HTTPError as answer:
        with answer:
            return answer.code, dict(answer.headers), answer.read()


def test_static_files_are_served_under_names_that_may_be_kept_for_ever(live_site):
    _status, _headers, page = get(f"{live_site.url}/en/account/login/")
    address = re.search(rb"/static/css/site\.[0-9a-f]{12}\.css", page)
    assert address, "the page links the file by its content"
    status, headers, body = get(live_site.url + address.group().decode())
    assert status == 200
    assert "immutable" in headers["Cache-Control"]
    assert b"--paper:" in body, "what it imports stands in it"
    assert b"@import" not in body
    assert b"/*" not in body


@pytest.mark.skipif(not Path("/proc/self/maps").exists(), reason="only Linux says which libraries a process holds")
def test_what_programs_and_files_need_is_not_held_until_somebody_asks_for_it(live_site):
    libraries = Path(f"/proc/{live_site.process.pid}/maps").read_text()
    assert "nh3" in libraries  # the encyclopedia's, which is always there
    held = {name for name in ("lxml", "numba", "numpy", "pydantic_core", "rapidfuzz", "rustworkx") if name in libraries}
    assert not held
    status, _headers, _body = get(f"{live_site.url}/api/v1/play/")
    assert status == 200
    assert "pydantic_core" in Path(f"/proc/{live_site.process.pid}/maps").read_text()


def test_codes_and_letters_lead_to_the_port_that_was_asked_for(live_site):
    assert f"Sitemap: {live_site.url}/".encode() in get(f"{live_site.url}/robots.txt")[2]


def test_unknown_addresses_and_hosts_get_pages_that_tell_nothing(live_site):
    status, headers, page = get(f"{live_site.url}/g/nothing/")
    assert status == 404
    assert "default-src 'self'" in headers["Content-Security-Policy"]
    assert b"Traceback" not in page
    assert get(f"{live_site.url}/en/account/login/", Host="elsewhere.example")[0] == 400


def test_the_server_comes_back_on_the_same_data_after_a_sudden_death(fresh_site):
    key = (fresh_site.data / "secret_key").read_text()
    fresh_site.kill()
    with pytest.raises((urllib.error.URLError, ConnectionError)):
        get(f"{fresh_site.url}/healthz")
    fresh_site.restart()
    assert get(f"{fresh_site.url}/healthz")[2] == b"ok"
    assert (fresh_site.data / "secret_key").read_text() == key
    assert fresh_site.stop() == 0, "it stops when it is asked"
    assert "Traceback" not in fresh_site.log, fresh_site.log


@pytest.mark.slow
def test_a_taken_port_is_said_in_words(live_site):
    done = subprocess.run(
        [sys.executable, str(ROOT / "manage.py"), "serve", "--port", str(live_site.port)],
        env=site_environment(live_site.data, live_site.extra),
        capture_output=True,
        text=True,
        timeout=2 * PATIENCE,
    )
    assert done.returncode != 0
    assert str(live_site.port) in done.stderr
    assert "PORT=" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.slow
@pytest.mark.parametrize(
    ("option", "value", "reason"),
    [("--port", "99999", "port must be 0-65535"), ("--host", "192.0.2.1", "Cannot assign requested address")],
)
def test_an_address_where_nothing_can_listen_is_not_called_taken(live_site, option, value, reason):
    done = subprocess.run(
        [sys.executable, str(ROOT / "manage.py"), "serve", option, value],
        env=site_environment(live_site.data, live_site.extra),
        check=False,
        capture_output=True,
        text=True,
        timeout=2 * PATIENCE,
    )
    assert done.returncode == 1
    assert value in done.stderr
    assert reason in done.stderr
    assert "taken" not in done.stderr
    assert "Traceback" not in done.stderr


def handshake(site: LiveSite, origin: str) -> str:
    """The status line for opening a table's socket from a page of this origin."""
    lines = [
        "GET /ws/g/nothing/ HTTP/1.1",
        f"Host: 127.0.0.1:{site.port}",
        "Upgrade: websocket",
        "Connection: Upgrade",
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
        "Sec-WebSocket-Version: 13",
        *([f"Origin: {origin}"] if origin else []),
    ]
    with socket.create_connection(("127.0.0.1", site.port), timeout=PATIENCE) as connection:
        connection.sendall(("\r\n".join(lines) + "\r\n\r\n").encode())
        return connection.recv(4096).decode(errors="replace").split("\r\n")[0]


@pytest.mark.parametrize("origin", ["https://elsewhere.example", "null", ""])
def test_a_page_from_elsewhere_may_not_open_our_socket(live_site, origin):
    assert " 403 " in handshake(live_site, origin)


MB = 1024 * 1024


def memory(site: LiveSite) -> int:
    """The most memory the server has held so far, in bytes."""
    assert site.process
    status = Path(f"/proc/{site.process.pid}/status").read_text(encoding="ascii")
    found = re.search(r"VmHWM:\s+(\d+) kB", status)
    assert found
    return int(found.group(1)) * 1024


def send_body(site: LiveSite, head: str, pieces: Iterator[bytes]) -> tuple[int, bytes]:
    """How many bytes of a body could be sent, and what was answered."""
    sent = 0
    answer = b""
    with socket.create_connection(("127.0.0.1", site.port), timeout=PATIENCE) as connection:
        connection.sendall(f"POST /g/play/ HTTP/1.1\r\nHost: 127.0.0.1:{site.port}\r\n{head}\r\n\r\n".encode())
        try:
            for piece in pieces:
                connection.sendall(piece)
                sent += len(piece)
        except OSError:
            pass
        with suppress(ConnectionResetError):
            answer = connection.recv(65_536)
    return sent, answer


@pytest.mark.parametrize("chunked", [False, True], ids=["said", "chunked"])
@pytest.mark.slow
def test_a_body_of_three_hundred_megabytes_is_refused_at_once_and_kept_nowhere(live_site, chunked):
    get(f"{live_site.url}/en/")
    before = memory(live_site)
    head = "Transfer-Encoding: chunked" if chunked else f"Content-Length: {300 * MB}"
    piece = b"a" * MB
    pieces = (b"%x\r\n%b\r\n" % (MB, piece) if chunked else piece for _number in range(300))
    sent, answer = send_body(live_site, head, pieces)
    assert sent < 60 * MB, "nobody reads it"
    assert b"413" in answer.split(b"\r\n")[0]
    assert "höchstens".encode() in answer
    assert get(f"{live_site.url}/healthz")[0] == 200
    assert memory(live_site) - before < 40 * MB


def test_a_body_of_the_usual_size_is_read(live_site):
    status, _headers, _body = get(f"{live_site.url}/g/play/", b"a" * 5 * MB)
    assert status == 403, "without a cookie it is refused, but it is read"


def test_a_form_that_cannot_be_read_is_refused_by_the_site(fresh_site):
    """And not by the server below it, which has no words for that."""
    kind = {"Content-Type": "multipart/form-data"}
    status, headers, body = get(f"{fresh_site.url}/api/v1/play/games", b"a", **kind)
    assert (status, headers["Access-Control-Allow-Origin"], json.loads(body)["code"]) == (401, "*", "no-token")
    status, headers, _body = get(f"{fresh_site.url}/en/account/login/", b"a", **kind)
    assert (status, "X-Request-Id" in headers) == (403, True)


HURRIED: Final = (
    "import sys, troccas_site.serving as serving; serving.RECEIVE_SECONDS = 2\n"
    "from django.core.management import execute_from_command_line\n"
    "execute_from_command_line(['manage.py', 'serve', '--no-worker', '--port', sys.argv[1]])"
)
"""The server, but that a request has to be there within two seconds."""


@pytest.fixture
def hurried(live_site) -> Iterator[int]:
    """The port of such a server."""
    port = free_port()
    environment = site_environment(live_site.data, live_site.extra)
    with subprocess.Popen([sys.executable, "-c", HURRIED, str(port)], env=environment, cwd=ROOT) as process:
        end = time.monotonic() + START_SECONDS
        while time.monotonic() < end:
            with suppress(OSError):
                get(f"http://127.0.0.1:{port}/healthz")
                break
            time.sleep(0.1)
        yield port
        process.kill()


@pytest.mark.parametrize(
    "begun",
    ["GET /en/ HTTP/1.1\r\n", "POST /g/play/ HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 100000\r\n\r\n"],
    ids=["head", "body"],
)
@pytest.mark.slow
def test_a_request_that_dribbles_in_is_cut_off_and_others_are_answered_meanwhile(hurried, begun):
    """Thirty at once, each with one more line of its head, or one more byte of its body, again and again."""
    dribble = b"X-More: 1\r\n" if begun.startswith("GET") else b"a"
    address = f"http://127.0.0.1:{hurried}/healthz"
    with ExitStack() as stack:
        lines = [
            stack.enter_context(socket.create_connection(("127.0.0.1", hurried), timeout=PATIENCE)) for _ in range(30)
        ]
        for line in lines:
            line.sendall(begun.encode())
        open_ones, end = set(lines), time.monotonic() + PATIENCE
        while open_ones and time.monotonic() < end:
            assert get(address)[2] == b"ok"
            for line in list(open_ones):
                try:
                    line.sendall(dribble)
                except OSError:
                    open_ones.discard(line)
            time.sleep(0.1)
    assert not open_ones


def test_whether_it_answers_is_said_without_the_database_and_only_to_who_reads(live_site):
    before = live_site.log
    status, headers, page = get(f"{live_site.url}/healthz")
    assert (status, page) == (200, b"ok")
    assert "no-store" in headers["Cache-Control"]
    connection = http.client.HTTPConnection("127.0.0.1", live_site.port, timeout=PATIENCE)
    with closing(connection):
        connection.request("POST", "/healthz", b"x=1", {"Host": "elsewhere.example"})
        assert connection.getresponse().status == 405
    assert "Traceback" not in live_site.log.removeprefix(before)


async def test_whether_it_answers_is_asked_of_no_thread_and_no_database():
    sent: list[dict[str, object]] = []

    async def send(message: dict[str, object]) -> None:
        sent.append(message)

    async def receive() -> NoReturn:
        raise AssertionError("nothing is read of it")

    scope = {"type": "http", "method": "GET", "path": "/healthz", "headers": [], "query_string": b""}
    await Handler()(scope, receive, send)
    assert [message["type"] for message in sent] == ["http.response.start", "http.response.body"]
    assert (sent[0]["status"], sent[1]["body"]) == (200, b"ok")


async def test_a_ring_goes_through_the_loop_of_the_server_before_anybody_opens_a_socket(monkeypatch):
    """Without that loop each ring starts a thread with a loop of its own."""
    loops: list[asyncio.AbstractEventLoop] = []

    class Layer:
        async def group_send(self, group: str, message: dict[str, Any]) -> None:
            loops.append(asyncio.get_running_loop())

    async def unread(*_message: object) -> None:
        pass

    monkeypatch.setattr(broadcast, "_loop", None)
    monkeypatch.setattr(broadcast, "get_channel_layer", Layer)
    await Handler()(
        {"type": "http", "method": "GET", "path": "/healthz", "headers": [], "query_string": b""}, unread, unread
    )
    await asyncio.to_thread(broadcast.ring_player, "somebody")
    await asyncio.sleep(0)
    assert loops == [asyncio.get_running_loop()]


async def test_a_ring_goes_out_only_where_somebody_listens(monkeypatch):
    sent: list[str] = []

    class Telling(Layer):
        async def group_send(self, group: str, message: dict[str, Any]) -> None:
            sent.append(group)

    layer = Telling()
    monkeypatch.setattr(broadcast, "_loop", None)
    monkeypatch.setattr(broadcast, "get_channel_layer", lambda: layer)
    await asyncio.to_thread(broadcast.ring, "anna", 1)
    assert not sent
    channel = await layer.new_channel()
    await layer.group_add(broadcast.group_of("anna"), channel)
    await asyncio.to_thread(broadcast.ring, "anna", 2)
    await asyncio.to_thread(broadcast.ring, "beat", 1)
    assert sent == [broadcast.group_of("anna")]
    await layer.group_discard(broadcast.group_of("anna"), channel)
    await asyncio.to_thread(broadcast.ring, "anna", 3)
    assert len(sent) == 1


async def test_requests_are_answered_in_a_few_threads_that_stay():
    """Where each request had a thread of its own, each opened a connection to the database of its own."""

    class Telling(Handler):
        def get_response(self, request: HttpRequest) -> HttpResponse:
            time.sleep(0.01)
            return HttpResponse(threading.current_thread().name)

    handler = Telling()

    async def ask() -> str:
        sent: list[dict[str, Any]] = []

        async def send(message: dict[str, Any]) -> None:
            sent.append(message)

        async def receive() -> dict[str, Any]:
            return {"type": "http.request", "body": b""}

        await handler({"type": "http", "method": "GET", "path": "/", "headers": [], "query_string": b""}, receive, send)
        return sent[1]["body"].decode()

    answered: set[str] = set()
    for _round in range(3):
        answered |= set(await asyncio.gather(*(ask() for _request in range(2 * THREADS))))
        answered.add(await ask())  # by any of them: on a busy machine one may have had nothing to do before
    assert len(answered) <= THREADS


async def test_who_leaves_a_stream_ends_it():
    ended, left = asyncio.Event(), asyncio.Event()

    class Streaming(Handler):
        def get_response(self, request: HttpRequest) -> StreamingHttpResponse:
            async def lines() -> AsyncIterator[bytes]:
                try:
                    while True:
                        yield b"still here"
                        left.set()
                        await asyncio.sleep(0)
                finally:
                    ended.set()

            return StreamingHttpResponse(lines())

    told = iter([{"type": "http.request", "body": b""}])

    async def send(message: dict[str, Any]) -> None:
        pass

    async def receive() -> dict[str, Any]:
        if (first := next(told, None)) is not None:
            return first
        await left.wait()
        return {"type": "http.disconnect"}

    scope = {"type": "http", "method": "GET", "path": "/", "headers": [], "query_string": b""}
    await asyncio.wait_for(Streaming()(scope, receive, send), PATIENCE)
    assert ended.is_set()


def presser(site: LiveSite) -> Callable[[], int]:
    """A newcomer on the front page; calling it presses "Play now" and gives the status of the answer."""
    connection = http.client.HTTPConnection("127.0.0.1", site.port, timeout=PATIENCE)
    connection.request("GET", "/en/")
    with connection.getresponse() as page:
        page.read()
        token = SimpleCookie(page.headers["Set-Cookie"])["csrftoken"].value

    def press() -> int:
        connection.request("POST", "/g/play/", b"", {"Cookie": f"csrftoken={token}", "X-CSRFToken": token})
        with closing(connection), connection.getresponse() as answer:
            return answer.status

    return press


@pytest.mark.skipif(bool(os.environ.get("DATABASE_URL")), reason="holds up the only writer, which SQLite alone has")
@pytest.mark.slow
def test_what_is_in_flight_when_the_server_is_stopped_is_answered_first(fresh_site):
    """Four people's actions wait for the only writer, held up from outside, until the server has been told to stop."""
    people = [presser(fresh_site) for _person in range(4)]
    writer = sqlite3.connect(fresh_site.data / "site.sqlite3", isolation_level=None)
    with ThreadPoolExecutor(5) as pool, closing(writer):
        writer.execute("BEGIN IMMEDIATE")
        try:
            asked = [pool.submit(press) for press in people]
            wait_until(lambda: sockets(fresh_site) >= len(people))
            get(f"{fresh_site.url}/healthz")  # who is answered after them: so all of them are in
            stopped = pool.submit(fresh_site.stop)
            wait_until(lambda: not listens(fresh_site))
        finally:
            writer.execute("ROLLBACK")
        assert [each.result() for each in asked] == [303] * len(people)
        assert stopped.result() == 0
    assert "Traceback" not in fresh_site.log, fresh_site.log


@pytest.fixture
def control_c() -> Iterator[None]:
    """Ctrl-C ends what this test starts, even where the tests themselves were started to run behind a shell, which ignores it."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("control_c")
def test_control_c_leaves_no_words_of_the_processes_that_think_and_none_of_them(sites):
    site = sites.start(DJANGO_SETTINGS_MODULE="troccas_site.settings")
    site.call(ask_strong_players)
    wait_until(lambda: thinkers(site))
    server = site.process
    assert server is not None
    os.killpg(server.pid, signal.SIGINT)
    assert server.wait(STOP_SECONDS) == 0
    wait_until(lambda: not thinkers(site))
    log = site.log
    sites.close(site)
    assert "Traceback" not in log, log
    assert "Warning" not in log, log


def ask_strong_players() -> None:
    """A game in which a computer player is asked that thinks in a process of its own."""
    from games.services import computers, play
    from tests.games import table_kit

    person = table_kit.person()
    game = play.start("troccas", [person, *computers.computer_players(3, "strong")], options={"throw_in": False})
    table_kit.sit(game, person)
    own = table_kit.seat_of(game, person)
    table_kit.rush(game, until=lambda hand: hand.turn != own and bool(hand.tricks))


def thinkers(site: LiveSite) -> list[str]:
    """The processes that the server of a site has started to think for it."""
    assert site.process is not None
    found = []
    for place in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            group = place.joinpath("stat").read_text().rpartition(")")[2].split()[2]
            if int(group) == site.process.pid and b"multiprocessing.spawn" in place.joinpath("cmdline").read_bytes():
                found.append(place.name)
    return found


def wait_until(true: Callable[[], object]) -> None:
    end = time.monotonic() + PATIENCE
    while not true():
        assert time.monotonic() < end
        time.sleep(0.02)


def sockets(site: LiveSite, state: str = "01") -> int:
    """How many connections the server has, as the system counts; with state 0A, how many ears."""
    lines = Path("/proc/net/tcp").read_text(encoding="ascii").splitlines()[1:]
    return sum(line.split()[1].endswith(f":{site.port:04X}") and line.split()[3] == state for line in lines)


def listens(site: LiveSite) -> bool:
    return sockets(site, "0A") > 0


def test_nobody_else_on_the_machine_can_read_the_data(live_site):
    presser(live_site)()
    written = [path for path in live_site.data.iterdir() if path.name != "serve.log"]  # by the shell that started it
    assert written
    for path in (live_site.data, *written):
        assert path.stat().st_mode & 0o077 == 0, path


def test_what_is_logged_of_a_request_after_all_middleware_has_its_id_too(live_site):
    """A page that there is not is logged by Django itself, when the answer is done."""
    status, headers, _page = get(f"{live_site.url}/g/nothing/")
    assert status == 404
    number = next(value for name, value in headers.items() if name.lower() == "x-request-id")
    assert f"WARNING django.request [{number}] Not Found: /g/nothing/" in live_site.log
