"""Messages that only one browser can open: RFC 8291 (Web Push encryption) over RFC 8188 (aes128gcm). Pure."""

from __future__ import annotations

import base64
import os
from typing import Final

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

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
    """A public key as browsers write it: the uncompressed point, 65 bytes."""
    return key.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)


def check_keys(receiver: bytes, auth: bytes) -> None:
    """Raises ValueError unless these can be a browser's keys: a point on P-256 and a secret of 16 bytes."""
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
    """`text` as the body of a push request, for the browser with the public key `receiver` and the secret `auth`.

    It is padded to a multiple of 512 bytes, so that its length tells nothing. `sender` and `salt` are fresh for every
    message; only a test gives them. Raises ValueError for a text over `LONGEST` or for impossible keys.
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
