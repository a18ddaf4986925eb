"""The real server: it starts, serves files, tells who may open a socket, and comes back from the dead."""

import re
import socket
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Iterator

import pytest

from tests.live import PATIENCE, ROOT, LiveSite, Sites, site_environment


@pytest.fixture(scope="module")
def live_site(sites: Sites) -> Iterator[LiveSite]:
    """A server with the settings of the site as they are."""
    site = sites.start(DJANGO_SETTINGS_MODULE="troccas_site.settings")
    yield site
    sites.close(site)


def get(address: str, **headers: str) -> tuple[int, dict[str, str], bytes]:
    request = urllib.request.Request(address, headers=headers)  # noqa: S310  # our own server
    try:
        with urllib.request.urlopen(request, timeout=PATIENCE) as answer:  # noqa: S310
            return answer.status, dict(answer.headers), answer.read()
    except urllib.error.HTTPError as answer:
        with answer:
            return answer.code, dict(answer.headers), answer.read()


def test_static_files_are_served_under_names_that_may_be_kept_for_ever(live_site):
    _status, _headers, page = get(f"{live_site.url}/en/account/login/")
    address = re.search(rb"/static/css/tokens\.[0-9a-f]{12}\.css", page)
    assert address, "the page links the file by its content"
    status, headers, body = get(live_site.url + address.group().decode())
    assert status == 200
    assert "immutable" in headers["Cache-Control"]
    assert body


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


def test_the_server_stops_when_asked(fresh_site):
    fresh_site.stop()
    assert "Traceback" not in fresh_site.log


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
