"""A registry in which apps above restrict who may write, without being known here."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from accounts.models import Player
from core.registry import Registry

may_write: Final[Registry[Callable[[Player], None]]] = Registry()
"""Functions that raise a Refusal if this person may not write to others now."""
