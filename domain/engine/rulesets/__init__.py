"""Every ruleset that can be played, by its id; older versions stay here as long as stored games use them."""

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
    """There is no ruleset of that id and version for that many players; `str()` says which was asked for."""


@cache
def ruleset(id: str, version: int | None = None, seats: int | None = None) -> Ruleset:
    """The ruleset `id` in `version`, by default its newest, for a table of `seats`, by default its usual size.

    Raises UnknownRuleset. The same question is always answered with the same object.
    """
    versions = [known for known_id, known in RULESETS if known_id == id]
    if not versions:
        raise UnknownRuleset(f"no such ruleset: {id}")
    wanted = max(versions) if version is None else version
    if wanted not in versions:
        raise UnknownRuleset(f"ruleset {id} has no version {wanted}")
    found = RULESETS[id, wanted]
    if seats is None or seats == found.seats:
        return found
    if seats not in found.sizes:
        few, many = found.sizes[0], found.sizes[-1]
        players = str(few) if few == many else f"{few} to {many}"
        raise UnknownRuleset(f"{id} has {players} players, not {seats}")
    return _at_table(id, wanted, seats)


@cache
def _at_table(id: str, version: int, seats: int) -> Ruleset:
    return RULESETS[id, version].at(seats)
