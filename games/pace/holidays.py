"""Public holidays of the two cantons where these games are at home, by rule. No table of years runs out here.

Grisons: the days of rest of its law (Ruhetagsgesetz), Good Friday with them. Valais: the nine days of its cantonal law.
Both as listed by the Federal Office of Justice (Gesetzliche Feiertage in der Schweiz) and by the canton of Valais; feasts
that only some parishes keep are left out. Easter and Whit Sunday are added: nobody should have to play then.
"""

from __future__ import annotations

from datetime import date, timedelta
from functools import lru_cache
from typing import Final

CANTONS: Final = ("GR", "VS")
"""The cantons whose holidays a table can agree on."""

_FIXED: Final = {
    "GR": ((1, 1), (8, 1), (12, 25), (12, 26)),
    "VS": ((1, 1), (3, 19), (8, 1), (8, 15), (11, 1), (12, 8), (12, 25)),
}
_AFTER_EASTER: Final = {
    # Good Friday, Easter, Easter Monday, Ascension, Whit Sunday, Whit Monday
    "GR": (-2, 0, 1, 39, 49, 50),
    # Easter, Ascension, Whit Sunday, Corpus Christi
    "VS": (0, 39, 49, 60),
}


def easter(year: int) -> date:
    """Easter Sunday in the Gregorian calendar (the rule of Meeus, Jones and Butcher)."""
    golden = year % 19
    century, rest = divmod(year, 100)
    leap, leap_rest = divmod(century, 4)
    correction = (century - (century + 8) // 25 + 1) // 3
    moon = (19 * golden + century - leap - correction + 15) % 30
    quarter, single = divmod(rest, 4)
    weekday = (32 + 2 * leap_rest + 2 * quarter - moon - single) % 7
    late = (golden + 11 * moon + 22 * weekday) // 451
    month, day = divmod(moon + weekday - 7 * late + 114, 31)
    return date(year, month, day + 1)


@lru_cache(maxsize=256)
def holidays(canton: str, year: int) -> frozenset[date]:
    """The holidays of a canton in a year. Empty for "", which is no canton. Raises KeyError for any other."""
    if not canton:
        return frozenset()
    sunday = easter(year)
    fixed = {date(year, month, day) for month, day in _FIXED[canton]}
    return frozenset(fixed | {sunday + timedelta(days=after) for after in _AFTER_EASTER[canton]})
