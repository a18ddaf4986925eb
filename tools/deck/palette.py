"""The colours of the deck: CSS custom properties, each with the value used where no style sheet sets it.

Presentation attributes carry them (``fill="var(--card-red,#b8351f)"``): they are inherited through an external
``<use>`` and are not inline style, so that a strict content security policy has nothing to forbid.
"""

from __future__ import annotations

__all__ = ["BACK", "BLUE", "FLESH", "GREEN", "INK", "LINE", "OCHRE", "PAPER", "RED"]

PAPER = "var(--card-paper,#fbf6e9)"
INK = "currentColor"
"""The line: every symbol sets its `color` to LINE once."""
LINE = "var(--card-ink,#221c17)"
RED = "var(--card-red,#b9351f)"
OCHRE = "var(--card-ochre,#e2a233)"
BLUE = "var(--card-blue,#35608f)"
GREEN = "var(--card-green,#5b8142)"
FLESH = "var(--card-flesh,#f3cda6)"
BACK = "var(--card-back,#35608f)"
