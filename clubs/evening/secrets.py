"""What a tournament promises before it begins: all its luck comes from one secret, whose fingerprint is published first.

    commitment = SHA-256("troccas-tournament-1|commit|" + secret)                        when the tournament opens
    seed       = HMAC-SHA-256(secret, "draw|" + phase + "|" + round + "|" + attempt)      a draw
    seed       = HMAC-SHA-256(secret, "plan|" + phase + "|" + attempt)                    a plan for a whole phase
    seed       = HMAC-SHA-256(secret, "lot|" + label)                                     a lot

`secret` has 32 bytes and is published when the tournament is closed. So nobody can choose a seed on the evening: neither
the director nor the site after the opening; and how often a round was drawn is counted in the seed itself.
"""

from __future__ import annotations

import hashlib
import hmac
from typing import Final

from clubs.seating.seat import PLANNED

SCHEME: Final = "troccas-tournament-1"


def commitment(secret: bytes) -> str:
    """64 hex digits that fix all draws of a tournament."""
    return hashlib.sha256(f"{SCHEME}|commit|".encode() + secret).hexdigest()


def draw_seed(secret: bytes, method: str, phase: int, round: int, attempt: int) -> bytes:
    """The seed of one draw; of a phase with one plan, the same for all its rounds."""
    label = f"plan|{phase}|{attempt}" if method in PLANNED else f"draw|{phase}|{round}|{attempt}"
    return _seed(secret, label)


def lot_seed(secret: bytes, label: str) -> bytes:
    """The seed of a lot among those who are equal."""
    return _seed(secret, f"lot|{label}")


def pairs_seed(secret: bytes, attempt: int) -> bytes:
    """The seed by which single entrants are made into pairs."""
    return _seed(secret, f"pairs|{attempt}")


def _seed(secret: bytes, label: str) -> bytes:
    return hmac.new(secret, label.encode(), hashlib.sha256).digest()
