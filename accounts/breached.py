"""Refuse passwords from lists of breached ones.

Django refuses the 20,000 most common passwords. `breached_passwords.bloom` is a Bloom filter of 4.2 million that people
have chosen, of ten characters or more. It is made by `tools/breached_passwords.py`, which names their source. The
filter never misses one of the list, and mistakes three in a thousand other passwords for one.
"""

from __future__ import annotations

import mmap
from collections.abc import Iterator
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Final

from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

FILE: Final = Path(__file__).with_name("breached_passwords.bloom")
HASHES: Final = 8


def bits_of(password: str, size: int) -> Iterator[int]:
    """The positions of the bits for this password in a filter of `size` bits."""
    digest = sha256(password.encode("utf-8", "surrogatepass")).digest()
    first, step = int.from_bytes(digest[:8]), int.from_bytes(digest[8:16]) | 1
    return ((first + number * step) % size for number in range(HASHES))


@cache
def _filter() -> mmap.mmap:
    with FILE.open("rb") as file:
        return mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)


def is_breached(password: str) -> bool:
    """Whether the password is in the list, as far as the filter can tell."""
    data = _filter()
    return all(data[bit >> 3] >> (bit & 7) & 1 for bit in bits_of(password, 8 * len(data)))


class BreachedPasswordValidator:
    """Refuses breached passwords (`AUTH_PASSWORD_VALIDATORS`)."""

    def validate(self, password: str, user: object = None) -> None:
        """Raise ValidationError if the password, or its lower case, is in the list."""
        if is_breached(password) or is_breached(password.lower()):
            raise ValidationError(
                _("This password stands in lists of passwords that were stolen elsewhere. Choose another one."),
                code="password_breached",
            )

    def get_help_text(self) -> str:
        return _("Your password must not be one that was stolen elsewhere.")
