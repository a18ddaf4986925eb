"""Posting to an address that somebody else chose: never into our own network.

A subscription's endpoint comes from a browser, so it may be any address. It must be https, its host must lie on the
public internet, and the connection goes to the very address that was checked, so that a name cannot change its mind in
between. Redirects are not followed.
"""

from __future__ import annotations

import contextlib
import http.client
import ipaddress
import socket
import ssl
import threading
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final
from urllib.parse import SplitResult, urlsplit

from django.conf import settings

from notices.leases import Never, NotNow, Unreachable

_TIMEOUT: Final = 10.0  # seconds without a byte
_WHOLE: Final = 20.0  # seconds for all of it: whoever sends a byte now and then would hold a courier for ever
_LONGEST: Final = 1000


class Refused(ValueError):
    """An address nothing is posted to."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What a push service said; header names are in lower case."""

    status: int
    headers: Mapping[str, str]


def check_endpoint(endpoint: str) -> SplitResult:
    """The parts of an endpoint. Raises Refused unless it is an https address without user, of a public-looking host.

    Names are not looked up here: that is done when something is posted. With `PUSH_TO_LOOPBACK` (for tests) plain http
    to this machine is taken too.
    """
    if len(endpoint) > _LONGEST or not endpoint.isascii() or not endpoint.isprintable() or " " in endpoint:
        raise Refused("not an address")
    try:
        parts = urlsplit(endpoint)
        port = parts.port
    except ValueError:
        raise Refused("not an address") from None
    if not parts.hostname or parts.username is not None or parts.password is not None or parts.fragment:
        raise Refused("not an address")
    if settings.PUSH_TO_LOOPBACK and parts.scheme == "http" and parts.hostname == "127.0.0.1":
        return parts
    if parts.scheme != "https" or port not in (None, 443):
        raise Refused("not https")
    try:
        literal = ipaddress.ip_address(parts.hostname)
    except ValueError:
        if "." not in parts.hostname or parts.hostname.rpartition(".")[2].isdigit():
            raise Refused("not a public host") from None
    else:
        if not is_public(literal):
            raise Refused("not a public host")
    return parts


def is_public(address: ipaddress.IPv4Address | ipaddress.IPv6Address) -> bool:
    """Whether an address is somebody's on the internet: not ours, not private, not reserved, not many at once.

    An IPv6 address that wraps an IPv4 one (mapped, 6to4, NAT64) is judged by what it wraps.
    """
    if isinstance(address, ipaddress.IPv6Address):
        wrapped = address.ipv4_mapped or address.sixtofour
        if wrapped is None and address in ipaddress.ip_network("64:ff9b::/96"):
            wrapped = ipaddress.IPv4Address(int(address) & 0xFFFFFFFF)
        if wrapped is not None:
            return is_public(wrapped)
    return address.is_global and not address.is_multicast and not address.is_reserved


def post(endpoint: str, body: bytes, headers: Mapping[str, str]) -> Answer:
    """POST `body` and return the answer, whatever its status. Raises Never for an address that is refused, Unreachable
    if nobody answers there."""
    try:
        parts = check_endpoint(endpoint)
    except Refused as error:
        raise Never(str(error)) from None
    assert parts.hostname is not None
    port = parts.port or (443 if parts.scheme == "https" else 80)
    connection = _Pinned(parts.hostname, port, _resolve(parts.hostname, port), secure=parts.scheme == "https")
    watch = threading.Timer(_WHOLE, connection.cut)
    watch.daemon = True
    watch.start()
    try:
        connection.request("POST", parts._replace(scheme="", netloc="").geturl() or "/", body, dict(headers))
        answer = connection.getresponse()
        return Answer(answer.status, {name.lower(): value for name, value in answer.getheaders()})
    except (OSError, http.client.HTTPException) as error:
        raise Unreachable(f"no push service ({type(error).__name__})") from None
    finally:
        watch.cancel()
        connection.close()


def _resolve(name: str, port: int) -> str:
    """The address to connect to. Every address of the name must be public, not only the first."""
    try:
        found = [str(entry[4][0]) for entry in socket.getaddrinfo(name, port, type=socket.SOCK_STREAM)]
    except (OSError, UnicodeError):
        raise NotNow("unknown host") from None
    if not (settings.PUSH_TO_LOOPBACK and name == "127.0.0.1"):
        for address in found:
            if not is_public(ipaddress.ip_address(address.partition("%")[0])):
                raise Never("not a public host")
    return found[0]


class _Pinned(http.client.HTTPConnection):
    """A connection to one checked address, under the name (and the certificate) of the host."""

    def __init__(self, name: str, port: int, address: str, *, secure: bool) -> None:
        super().__init__(name, port, timeout=_TIMEOUT)
        self._address = address
        self._secure = secure

    def connect(self) -> None:
        """Connect to the checked address; over TLS the certificate must be that of the host."""
        self.sock = socket.create_connection((self._address, self.port), self.timeout)
        if self._secure:
            self.sock = ssl.create_default_context().wrap_socket(self.sock, server_hostname=self.host)

    def cut(self) -> None:
        """End the connection from another thread; whoever reads from it gets an error at once."""
        sock: socket.socket | None = self.sock
        if sock is not None:
            with contextlib.suppress(OSError):
                sock.shutdown(socket.SHUT_RDWR)
