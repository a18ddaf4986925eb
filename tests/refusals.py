"""What a test says of a refusal: its code."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from core.exceptions import Refusal


@contextmanager
def refuses(code: str, match: str | None = None) -> Iterator[pytest.ExceptionInfo[Refusal]]:
    """What is done in here is refused with this code, in words that `match`."""
    with pytest.raises(Refusal, match=match) as caught:
        yield caught
    assert caught.value.code == code
