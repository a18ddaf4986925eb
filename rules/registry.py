"""What apps above hand in for articles."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from django.utils.safestring import SafeString

from core.registry import Registry

puzzles: Final = Registry[Callable[[str, str, str], SafeString | None]]()
"""Each shows a puzzle by its name, in the language of the text, with links for the language of the reader; None for a name it
does not know."""
