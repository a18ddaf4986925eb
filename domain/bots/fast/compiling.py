"""Running the functions of the fast core as plain Python, or compiled with numba.

Compiling takes seconds and some 150 MB, so it never happens automatically: a process that wants it sets
TROCCAS_COMPILED=1 in its environment before it imports the core. Everything else, including tests, runs the same source
interpreted. The results are the same, because only whole numbers below 2**63 are used.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, ParamSpec, TypeAlias, TypeVar

COMPILED: Final = os.environ.get("TROCCAS_COMPILED") == "1"

P = ParamSpec("P")
T = TypeVar("T")
State: TypeAlias = list[int]
"""Ints by index: a list, or, compiled, an array of 64-bit ints. Only indexing, slices and `copy` are used."""
Table: TypeAlias = list[State]
"""Rows of ints: a list of lists, or an array of two dimensions."""


def _as_it_is(function: Callable[P, T]) -> Callable[P, T]:
    return function


def _ones(word: int) -> int:
    """The number of bits that are set in a non-negative word below 2**63."""
    word = word - (word >> 1 & 0x5555555555555555)
    word = (word & 0x3333333333333333) + (word >> 2 & 0x3333333333333333)
    word = word + (word >> 4) & 0x0F0F0F0F0F0F0F0F
    word = word + (word >> 8)
    word = word + (word >> 16)
    return word + (word >> 32) & 127


def _highest(word: int) -> int:
    """One more than the position of the highest bit; 0 for an empty word."""
    place = 0
    if word >> 32:
        place += 32
        word >>= 32
    if word >> 16:
        place += 16
        word >>= 16
    if word >> 8:
        place += 8
        word >>= 8
    if word >> 4:
        place += 4
        word >>= 4
    if word >> 2:
        place += 2
        word >>= 2
    if word >> 1:
        place += 1
        word >>= 1
    return place + word


def numbers(size: int) -> State:
    """`size` zeros."""
    return [0] * size


def table(rows: int, size: int) -> Table:
    """`rows` rows of `size` zeros."""
    return [[0] * size for _ in range(rows)]


def put(to: State, source: State) -> None:
    """Overwrite the row `to` with `source`, which must be as long."""
    to[:] = source


jit = _as_it_is
ones = int.bit_count
length = int.bit_length

if COMPILED and not TYPE_CHECKING:
    # numba checks only the file of a function for changes, not the functions that it calls. So each version of all
    # files has its own folder.
    _sources = b"".join(path.read_bytes() for path in sorted(Path(__file__).parent.glob("*.py")))
    os.environ["NUMBA_CACHE_DIR"] = os.path.join(
        os.environ.get("NUMBA_CACHE_DIR") or str(Path.home() / ".cache" / "troccas"),
        hashlib.sha256(_sources).hexdigest()[:16],
    )
    import numba
    import numpy
    from numba.extending import intrinsic

    # The compiled functions create no arrays, so they need not count references to them, which took half of the time.
    jit = numba.njit(nogil=True, cache=True, _nrt=False, error_model="numpy")

    @jit
    def put(to: State, source: State) -> None:
        """Overwrite the row `to` with `source`."""
        for at in range(len(to)):
            to[at] = source[at]

    @intrinsic
    def ones(_typing: object, _word: object) -> tuple[object, object]:
        """The number of bits that are set in a word, with one instruction if the processor has it."""

        def generate(_context: object, builder: Any, _signature: object, args: Any) -> object:
            return builder.ctpop(args[0])

        return numba.types.int64(numba.types.int64), generate

    @intrinsic
    def length(_typing: object, _word: object) -> tuple[object, object]:
        """One more than the position of the highest bit; 0 for an empty word."""

        def generate(_context: object, builder: Any, _signature: object, args: Any) -> object:
            zeros = builder.ctlz(args[0], numba.core.cgutils.false_bit)
            return builder.sub(args[0].type(64), zeros)

        return numba.types.int64(numba.types.int64), generate

    def numbers(size: int) -> State:
        """`size` zeros."""
        return numpy.zeros(size, dtype=numpy.int64)

    def table(rows: int, size: int) -> Table:
        """`rows` rows of `size` zeros."""
        return numpy.zeros((rows, size), dtype=numpy.int64)
