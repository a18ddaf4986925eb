"""What apps that depend on `rules` register for articles."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from django.utils.safestring import SafeString

from core.registry import Registry

puzzles: Final = Registry[Callable[[str, str, str], SafeString | None]]()
"""Each renders a puzzle: called with its name, the language of the text, and the reader's language for links.

None if it does not know the name.
"""
