"""Random numbers that are the same on every machine, and can be committed to before they are used.

A draw must be repeatable by anyone, in any language, in twenty years. So nothing here uses Python's `random`, floats,
hashing of objects or the clock. The generator is SHA-256 in counter mode:

    key     = SHA-256("troccas-seating-1|" + label, as UTF-8, + "|" + seed)       seed: 32 bytes
    block i = SHA-256(key + i as 8 bytes, big-endian)                             i = 0, 1, 2, …
    words   = the blocks one after the other, read as 32-bit big-endian numbers

`below(n)` takes the next word w: if (w · n) mod 2³² < 2³² mod n, the word is skipped and the next one taken; the result
is (w · n) div 2³² (Lemire, "Fast Random Integer Generation in an Interval", 2019). All results are equally likely.
`shuffled` is Fisher–Yates from the last position down, each position drawn by `below`.
"""

from __future__ import annotations

import hashlib
import struct
from collections.abc import Callable, Iterator, Sequence
from typing import Final, TypeVar

from domain.errors import refuse_if

T = TypeVar("T")

SCHEME: Final = "troccas-seating-1"
SEED_BYTES: Final = 32
_WORDS: Final = 1 << 32
_BLOCKS: Final = 32
_READ: Final = struct.Struct(f">{_BLOCKS * 8}I")


class Chance:
    """The numbers that one seed gives for one purpose, named by `label`.

    Raises DomainError unless the seed has 32 bytes.
    """

    __slots__ = ("_next",)

    def __init__(self, seed: bytes, label: str) -> None:
        refuse_if(len(seed) != SEED_BYTES, "bad-seed", "seed", expected=SEED_BYTES, given=len(seed))
        key = hashlib.sha256(f"{SCHEME}|{label}|".encode() + seed).digest()
        self._next: Callable[[], int] = _words(key).__next__

    def word(self) -> int:
        """The next number from 0 to 2³² - 1."""
        return self._next()

    def below(self, bound: int) -> int:
        """A number from 0 to `bound` - 1, all equally likely. Raises ValueError unless 1 <= bound <= 2³²."""
        if not 1 <= bound <= _WORDS:
            raise ValueError(f"between 1 and {_WORDS} expected, not {bound}")
        product = self._next() * bound
        if product & 0xFFFFFFFF < bound:  # rare; only then the exact border has to be computed
            border = _WORDS % bound
            while product & 0xFFFFFFFF < border:
                product = self._next() * bound
        return product >> 32

    def shuffled(self, things: Sequence[T]) -> list[T]:
        """A new list with `things` in random order."""
        order = list(things)
        for last in range(len(order) - 1, 0, -1):
            chosen = self.below(last + 1)
            order[last], order[chosen] = order[chosen], order[last]
        return order


def _words(key: bytes) -> Iterator[int]:
    start = 0
    while True:
        blocks = (hashlib.sha256(key + i.to_bytes(8, "big")).digest() for i in range(start, start + _BLOCKS))
        yield from _READ.unpack(b"".join(blocks))
        start += _BLOCKS


def commitment(seed: bytes, inputs: bytes) -> str:
    """The commitment, published before the draw: 64 hex digits that fix the seed *and* the inputs (entries, settings).

    `inputs` is the canonical text of the draw (`files.canonical`). Without the seed nobody can compute the draw; once
    the commitment is published, nobody can pretend another seed or another list. It is the SHA-256 of
    "troccas-seating-1|commit|", the seed, and the SHA-256 of the inputs.
    """
    refuse_if(len(seed) != SEED_BYTES, "bad-seed", "seed", expected=SEED_BYTES, given=len(seed))
    return hashlib.sha256(f"{SCHEME}|commit|".encode() + seed + hashlib.sha256(inputs).digest()).hexdigest()
