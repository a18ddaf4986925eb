"""Who we are to push services (RFC 8292): a key made once and kept beside the data, and short signed statements."""

from __future__ import annotations

import json
import os
import time
from email.utils import parseaddr
from functools import lru_cache
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    load_pem_private_key,
)
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured

from notices.sealing import from_base64url, public_bytes, to_base64url

_LIVES: Final = 12 * 3600  # seconds; services refuse more than a day
_RENEWED: Final = 3600


def private_key() -> ec.EllipticCurvePrivateKey:
    """The site's key: `VAPID_PRIVATE_KEY` (the 32 bytes in base64url), else that of the data folder, made on first use."""
    return _loaded(settings.VAPID_PRIVATE_KEY, str(settings.DATA_DIR / "vapid.pem"))


def public_key() -> str:
    """The key browsers subscribe with, in base64url."""
    return to_base64url(public_bytes(private_key().public_key()))


def subject() -> str:
    """How a push service reaches us: the site's https address, else the sender of its mails. Apple refuses anything else."""
    if settings.SITE_URL.startswith("https://"):
        return settings.SITE_URL
    return f"mailto:{parseaddr(settings.DEFAULT_FROM_EMAIL)[1]}"


def authorization(endpoint: str) -> str:
    """The Authorization header for a message to `endpoint`. One statement serves an hour for each push service."""
    parts = urlsplit(endpoint)
    now = int(time.time())
    return _stated(f"{parts.scheme}://{parts.netloc}", now - now % _RENEWED, subject(), public_key())


@lru_cache(maxsize=64)
def _stated(audience: str, since: int, who: str, public: str) -> str:
    claims = {"aud": audience, "exp": since + _LIVES, "sub": who}
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
    key = load_pem_private_key(_kept(Path(path)), password=None)
    if not isinstance(key, ec.EllipticCurvePrivateKey) or not isinstance(key.curve, ec.SECP256R1):
        raise ImproperlyConfigured(f"{path} holds no P-256 key")
    return key


def _kept(path: Path) -> bytes:
    """What `path` holds; a new key if there is none, readable by its owner only. Of two that start at once, one wins."""
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        made = ec.generate_private_key(ec.SECP256R1())
        draft = path.with_name(f"{path.name}.{os.getpid()}")
        with open(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
            file.write(made.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
        try:
            os.link(draft, path)
        except FileExistsError:
            pass
        finally:
            draft.unlink()
    return path.read_bytes()
