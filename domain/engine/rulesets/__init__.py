"""Every ruleset that can be played, by id and version; older versions stay here as long as stored games use them."""

from __future__ import annotations

from functools import cache
from typing import Final

from domain.engine.ruleset import Ruleset
from domain.engine.rulesets import troccas, troggu

RULESETS: Final[dict[tuple[str, int], Ruleset]] = {
    (ruleset.id, ruleset.version): ruleset
    for ruleset in (
        troccas.TROCCAS,
        troccas.TROCCAS_6,
        troccas.TROCCAS_3,
        troccas.TROCCAS_3_SINGLES,
        troccas.TROCCAS_5,
        troccas.TROCCAS_OINKERS,
        troccas.TROCCAS_ONLINE,
        troggu.TROGGU,
        troggu.TROGGU_ST_NIKLAUS,
        troggu.TROGGU_GRAECHEN,
    )
}


class UnknownRuleset(LookupError):
    """There is no ruleset with this id and version for this many players; `str()` names what is missing."""


@cache
def ruleset(id: str, version: int | None = None, seats: int | None = None) -> Ruleset:
    """The ruleset `id` in `version` (by default the newest) for a table of `seats` (by default its usual size).

    Raises UnknownRuleset. The same arguments always give the same object.
    """
    versions = [known for known_id, known in RULESETS if known_id == id]
    if not versions:
        raise UnknownRuleset(f"no such ruleset: {id}")
    number = max(versions) if version is None else version
    if number not in versions:
        raise UnknownRuleset(f"ruleset {id} has no version {number}")
    rules = RULESETS[id, number]
    if seats is None or seats == rules.seats:
        return rules
    if seats not in rules.sizes:
        few, many = rules.sizes[0], rules.sizes[-1]
        players = str(few) if few == many else f"{few} to {many}"
        raise UnknownRuleset(f"{id} has {players} players, not {seats}")
    return _at_table(id, number, seats)


@cache
def _at_table(id: str, version: int, seats: int) -> Ruleset:
    return RULESETS[id, version].at(seats)
