"""Messages to a person's devices by web push: subscribing, encrypting and sending.

A subscription's endpoint comes from a browser, so it may be any address, even one inside our network. It must be https,
its host must be on the public internet, and the connection goes to the address that was checked, so that the name
cannot resolve to another one in between. Redirects are not followed.

Only one browser can read a message: RFC 8291 (Web Push encryption) over RFC 8188 (aes128gcm). We identify ourselves to
push services by RFC 8292: a key that is created once and kept beside the data, and short signed statements.
"""

from __future__ import annotations

import base64
import contextlib
import hashlib
import http.client
import ipaddress
import json
import os
import socket
import ssl
import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from email.utils import parseaddr
from functools import lru_cache
from pathlib import Path
from typing import Final
from urllib.parse import SplitResult, urlsplit

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    PublicFormat,
    load_pem_private_key,
)
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.db import transaction
from django.utils import timezone

from accounts.models import Player
from core.files import read_or_create
from core.http import whole_number
from notices.leases import Never, NotNow, Unreachable
from notices.models import Delivery, PushSubscription
from notices.registry import Words

_TIMEOUT: Final = 10.0  # seconds without a byte
_WHOLE: Final = 20.0  # seconds for the whole request: a server that sends a byte now and then would block us for ever
_LONGEST: Final = 1000


class Refused(ValueError):
    """An address to which nothing is posted."""


@dataclass(frozen=True, slots=True)
class PushResponse:
    """The response of a push service. Header names are in lower case."""

    status: int
    headers: Mapping[str, str]


def check_endpoint(endpoint: str) -> SplitResult:
    """The parts of an endpoint. Raises Refused unless it is an https address of a public-looking host, without a user.

    Names are not resolved here, but when something is posted. With `PUSH_TO_LOOPBACK` (for tests) plain http to this
    machine is accepted too.
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


_INSIDE: Final = (ipaddress.ip_network("192.0.0.0/24"), ipaddress.ip_network("fec0::/10"))
"""Special-purpose and site-local networks (RFC 6890, RFC 3879), parts of which pass Python's `is_global`; metadata
services of clouds may be there."""


def is_public(address: ipaddress.IPv4Address | ipaddress.IPv6Address) -> bool:
    """Whether an address belongs to one host on the internet: not local, private, reserved or multicast.

    For an IPv6 address that wraps an IPv4 one (mapped, 6to4, NAT64), the wrapped address decides.
    """
    if isinstance(address, ipaddress.IPv6Address):
        wrapped = address.ipv4_mapped or address.sixtofour
        if wrapped is None and address in ipaddress.ip_network("64:ff9b::/96"):
            wrapped = ipaddress.IPv4Address(int(address) & 0xFFFFFFFF)
        if wrapped is not None:
            return is_public(wrapped)
    if any(address in network for network in _INSIDE if network.version == address.version):
        return False
    return address.is_global and not address.is_multicast and not address.is_reserved


def post(endpoint: str, body: bytes, headers: Mapping[str, str]) -> PushResponse:
    """POST `body` and return the response, whatever its status.

    Raises Never for an address that is refused, Unreachable if there is no response.
    """
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
        response = connection.getresponse()
        return PushResponse(response.status, {name.lower(): value for name, value in response.getheaders()})
    except (OSError, http.client.HTTPException) as error:
        raise Unreachable(f"no answer ({type(error).__name__})") from None
    finally:
        watch.cancel()
        connection.close()


def _resolve(name: str, port: int) -> str:
    """The IP address to connect to. Every address of the name must be public, not only the first.

    Raises Never or NotNow.
    """
    try:
        addresses = [str(entry[4][0]) for entry in socket.getaddrinfo(name, port, type=socket.SOCK_STREAM)]
    except (OSError, UnicodeError):
        raise NotNow("unknown host") from None
    if not (settings.PUSH_TO_LOOPBACK and name == "127.0.0.1"):
        for address in addresses:
            if not is_public(ipaddress.ip_address(address.partition("%")[0])):
                raise Never("not a public host")
    return addresses[0]


class _Pinned(http.client.HTTPConnection):
    """A connection to an address that was checked, with the name and the certificate of the host."""

    def __init__(self, name: str, port: int, address: str, *, secure: bool) -> None:
        super().__init__(name, port, timeout=_TIMEOUT)
        self._address = address
        self._secure = secure

    def connect(self) -> None:
        """Connect to the checked address. Over TLS, the certificate must be that of the host."""
        self.sock = socket.create_connection((self._address, self.port), self.timeout)
        if self._secure:
            self.sock = ssl.create_default_context().wrap_socket(self.sock, server_hostname=self.host)

    def cut(self) -> None:
        """End the connection from another thread, so that a read from it fails at once."""
        sock: socket.socket | None = self.sock
        if sock is not None:
            with contextlib.suppress(OSError):
                sock.shutdown(socket.SHUT_RDWR)


KEY_BYTES: Final = 65  # an uncompressed point on P-256
AUTH_BYTES: Final = 16
_RECORD: Final = 4096
LONGEST: Final = _RECORD - 16 - 1 - 86  # so that header, text, mark and tag fit into the 4096 bytes every service takes
_STEP: Final = 512


def from_base64url(text: str) -> bytes:
    """The bytes of base64url text, with or without padding. Raises ValueError for anything else."""
    if not text.isascii() or set(text) - set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_="):
        raise ValueError("not base64url")
    return base64.urlsafe_b64decode(text + "=" * (-len(text.rstrip("=")) % 4))


def to_base64url(data: bytes) -> str:
    """Base64url without padding."""
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode("ascii")


def public_bytes(key: ec.EllipticCurvePublicKey) -> bytes:
    """A public key in the form that browsers use: the uncompressed point, 65 bytes."""
    return key.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)


def check_keys(receiver: bytes, auth: bytes) -> None:
    """Raise ValueError unless these can be a browser's keys: a point on P-256 and a secret of 16 bytes."""
    if len(auth) != AUTH_BYTES or len(receiver) != KEY_BYTES:
        raise ValueError("the keys have the wrong length")
    ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), receiver)


def seal(
    text: bytes,
    receiver: bytes,
    auth: bytes,
    *,
    sender: ec.EllipticCurvePrivateKey | None = None,
    salt: bytes | None = None,
    pad: bool = True,
) -> bytes:
    """Encrypt `text` for the browser with the public key `receiver` and the secret `auth`.

    Returns the body of a push request. The text is padded to a multiple of 512 bytes, so that its length reveals
    nothing. `sender` and `salt` are new for every message; only tests pass them. Raises ValueError for a text longer
    than `LONGEST` or for invalid keys.
    """
    if len(text) > LONGEST:
        raise ValueError("the message is too long")
    check_keys(receiver, auth)
    own = sender or ec.generate_private_key(ec.SECP256R1())
    fresh = salt or os.urandom(16)
    own_public = public_bytes(own.public_key())
    shared = own.exchange(ec.ECDH(), ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), receiver))
    secret = _derive(shared, auth, b"WebPush: info\0" + receiver + own_public, 32)
    key = _derive(secret, fresh, b"Content-Encoding: aes128gcm\0", 16)
    nonce = _derive(secret, fresh, b"Content-Encoding: nonce\0", 12)
    padding = min(-(len(text) + 1) % _STEP, LONGEST - len(text)) if pad else 0
    record = AESGCM(key).encrypt(nonce, text + b"\x02" + bytes(padding), None)
    return fresh + _RECORD.to_bytes(4, "big") + bytes([len(own_public)]) + own_public + record


def _derive(secret: bytes, salt: bytes, info: bytes, length: int) -> bytes:
    return HKDF(algorithm=hashes.SHA256(), length=length, salt=salt, info=info).derive(secret)


_LIVES: Final = 12 * 3600  # seconds; services refuse more than a day
_RENEWED: Final = 3600


def private_key() -> ec.EllipticCurvePrivateKey:
    """The site's key: `VAPID_PRIVATE_KEY` (the 32 bytes in base64url), else a file that is created on first use."""
    return _loaded(settings.VAPID_PRIVATE_KEY, str(settings.DATA_DIR / "vapid.pem"))


def public_key() -> str:
    """The key that browsers subscribe with, in base64url."""
    return to_base64url(public_bytes(private_key().public_key()))


def subject() -> str:
    """How a push service can contact us: the site's https address, else the sender of its mails.

    Apple refuses anything else.
    """
    if settings.SITE_URL.startswith("https://"):
        return settings.SITE_URL
    return f"mailto:{parseaddr(settings.DEFAULT_FROM_EMAIL)[1]}"


def authorization(endpoint: str) -> str:
    """The Authorization header for a message to `endpoint`.

    The signed statement is reused for an hour for each push service.
    """
    parts = urlsplit(endpoint)
    now = int(time.time())
    return _statement(f"{parts.scheme}://{parts.netloc}", now - now % _RENEWED, subject(), public_key())


@lru_cache(maxsize=64)
def _statement(audience: str, since: int, contact: str, public: str) -> str:
    claims = {"aud": audience, "exp": since + _LIVES, "sub": contact}
    unsigned = ".".join(to_base64url(json.dumps(part).encode()) for part in ({"typ": "JWT", "alg": "ES256"}, claims))
    r, s = decode_dss_signature(private_key().sign(unsigned.encode(), ec.ECDSA(hashes.SHA256())))
    signature = to_base64url(r.to_bytes(32, "big") + s.to_bytes(32, "big"))
    return f"vapid t={unsigned}.{signature}, k={public}"


@lru_cache(maxsize=4)
def _loaded(given: str, path: str) -> ec.EllipticCurvePrivateKey:
    if given:
        try:
            return ec.derive_private_key(int.from_bytes(from_base64url(given), "big"), ec.SECP256R1())
        except ValueError:
            raise ImproperlyConfigured("VAPID_PRIVATE_KEY must be the 32 bytes of a P-256 key in base64url") from None
    key = load_pem_private_key(read_or_create(Path(path), _new_key), password=None)
    if not isinstance(key, ec.EllipticCurvePrivateKey) or not isinstance(key.curve, ec.SECP256R1):
        raise ImproperlyConfigured(f"{path} holds no P-256 key")
    return key


def _new_key() -> bytes:
    key = ec.generate_private_key(ec.SECP256R1())
    return key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())


MOST_DEVICES: Final = 5
_DAY: Final = 24 * 3600
_BODY_LENGTH: Final = 300


def subscribe(player: Player, endpoint: str, p256dh: str, auth: str, *, language: str, device: str) -> PushSubscription:
    """Save a browser's subscription. An existing one is renewed and given to the player who asked last.

    A player has at most five devices: the one that has not been used for longest makes room. Locks the player. Raises
    ValueError for an endpoint or keys that cannot be a browser's.
    """
    check_endpoint(endpoint)
    check_keys(from_base64url(p256dh), from_base64url(auth))
    with transaction.atomic():
        Player.objects.select_for_update(no_key=True).get(pk=player.pk)
        row, _created = PushSubscription.objects.update_or_create(
            digest=digest_of(endpoint),
            defaults={
                "player": player,
                "endpoint": endpoint,
                "p256dh": p256dh,
                "auth": auth,
                "language": language,
                "device": device[:60],
                "used_at": timezone.now(),
            },
        )
        others = PushSubscription.objects.filter(player=player).exclude(pk=row.pk).order_by("-used_at", "-pk")
        PushSubscription.objects.filter(pk__in=list(others.values_list("pk", flat=True)[MOST_DEVICES - 1 :])).delete()
    return row


def unsubscribe(player: Player, endpoint: str) -> bool:
    """Delete a browser's subscription. Returns whether the player had one."""
    deleted, _rows = PushSubscription.objects.filter(player=player, digest=digest_of(endpoint)).delete()
    return deleted > 0


def service_of(device: PushSubscription) -> str:
    return urlsplit(device.endpoint).netloc


def digest_of(endpoint: str) -> str:
    return hashlib.sha256(endpoint.encode()).hexdigest()


def payload(words: Words, language: str) -> bytes:
    """The message as the device gets it, in JSON: a few words and the page they lead to."""
    content = {
        "title": words.subject[:120],
        "body": words.line[:_BODY_LENGTH],
        "url": words.url,
        "tag": words.tag,
        "lang": language,
    }
    return json.dumps(content, ensure_ascii=False).encode()


def send(delivery: Delivery, words: Words, language: str, moment: datetime, *, urgent: bool) -> None:
    """Post a message to its device's push service. A subscription that the service no longer knows is deleted.

    Raises Never, NotNow or Unreachable.
    """
    device = delivery.subscription
    if device is None:
        raise Never("no device")
    body = seal(payload(words, language), from_base64url(device.p256dh), from_base64url(device.auth))
    until = delivery.outbox.expires_at
    lives = _DAY if until is None else max(60, min(_DAY, int((until - moment).total_seconds())))
    response = post(
        device.endpoint,
        body,
        {
            "Authorization": authorization(device.endpoint),
            "Content-Encoding": "aes128gcm",
            "Content-Type": "application/octet-stream",
            "TTL": str(lives),
            "Urgency": "high" if urgent else "normal",
            # A message about the same thing that the service still holds is replaced. At most 32 base64url characters.
            "Topic": to_base64url(hashlib.sha256(words.tag.encode()).digest())[:32],
        },
    )
    if 200 <= response.status < 300:
        return
    if response.status in (404, 410):
        device.delete()  # and with it its other waiting deliveries
        raise Never("the device is gone")
    if response.status == 429 or response.status >= 500:
        raise NotNow(f"the push service is busy ({response.status})", _wait(response))
    raise Never(f"the push service refused ({response.status})")


def note_use(device: PushSubscription, moment: datetime) -> None:
    PushSubscription.objects.filter(pk=device.pk).update(used_at=moment)


def _wait(response: PushResponse) -> timedelta | None:
    """How long the service asks us to wait (Retry-After), at most a day; None if it does not, or gives a date."""
    seconds = whole_number(response.headers.get("retry-after", ""))
    return timedelta(seconds=min(seconds, _DAY)) if seconds is not None else None
