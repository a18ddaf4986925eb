"""The options that several games share: what a table may agree on before it plays."""

from __future__ import annotations

from typing import Final

from domain.engine.ruleset import Option

HANDS: Final = Option("hands", 4, low=1, high=16, one_per_player=True)
KNOCK: Final = Option("knock", False)
DEMANDS: Final = Option("demands", True)
TALK: Final = Option("talk", "phrases", choices=("phrases", "silent", "free"))
THROW_IN: Final = Option("throw_in", True)
