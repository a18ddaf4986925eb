"""How much stronger than beginners the other levels are, as it was measured on duplicate deals (`benchmarks/arena.py --write`).

`strength.json` is the one place of these figures: the site and the documents read them from here.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from typing import Final

_FILE: Final = Path(__file__).with_suffix(".json")

ENOUGH: Final = 20
"""With fewer deals a figure says nothing to those who choose a level."""


@dataclass(frozen=True, slots=True)
class Strength:
    """What `level` scores a hand above the mean of the table when beginners have the other seats.

    `gain` and `error` (half of the 95 % confidence interval over the deals) are points, in Troggu Rappen. `milliseconds` is the
    median processor time of a decision, compiled or not.
    """

    ruleset: str
    seats: int
    level: str
    gain: float
    error: float
    deals: int
    milliseconds: float
    compiled: bool

    @property
    def enough(self) -> bool:
        """Whether so many deals were played that the figure may be told."""
        return self.deals >= ENOUGH

    @property
    def proven(self) -> bool:
        """Whether the whole interval lies above nothing."""
        return self.gain - self.error > 0


@cache
def measured() -> tuple[Strength, ...]:
    """All that has been measured, by ruleset, size and level."""
    return tuple(Strength(**each) for each in json.loads(_FILE.read_text(encoding="utf-8")))


def keep(new: Strength) -> None:
    """Write a figure in place of the one there was of the same ruleset, size and level."""
    by = {(each.ruleset, each.seats, each.level): each for each in (*measured(), new)}
    kept = [asdict(by[key]) for key in sorted(by)]
    _FILE.write_text("[\n" + ",\n".join(f"  {json.dumps(each)}" for each in kept) + "\n]\n", encoding="utf-8")
    measured.cache_clear()
