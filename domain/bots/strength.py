"""How much stronger than beginners the other levels are, measured on duplicate deals (`benchmarks/arena.py --write`).

`strength.json` is the only place of these figures: the site and the documents read them from here.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from typing import Final

_FILE: Final = Path(__file__).with_suffix(".json")

ENOUGH: Final = 20
"""With fewer deals than this, a figure is not shown to people who choose a level."""


@dataclass(frozen=True, slots=True)
class Strength:
    """What `level` scores per hand above the mean of the table when beginners have the other seats.

    `gain` and `error` (half of the 95 % confidence interval over the deals) are in points, in Troggu in Rappen.
    `milliseconds` is the median processor time of a decision, `compiled` or not.
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
        """Whether enough deals were played for showing the figure."""
        return self.deals >= ENOUGH

    @property
    def proven(self) -> bool:
        """Whether the whole confidence interval lies above 0."""
        return self.gain - self.error > 0


@cache
def measured() -> tuple[Strength, ...]:
    """All measured figures, by ruleset, size and level."""
    return tuple(Strength(**each) for each in json.loads(_FILE.read_text(encoding="utf-8")))


def keep(new: Strength) -> None:
    """Write a figure to the file, replacing an older one for the same ruleset, size and level."""
    by_key = {(each.ruleset, each.seats, each.level): each for each in (*measured(), new)}
    lines = [f"  {json.dumps(asdict(by_key[key]))}" for key in sorted(by_key)]
    _FILE.write_text("[\n" + ",\n".join(lines) + "\n]\n", encoding="utf-8")
    measured.cache_clear()
