"""Lots: drawn from the seed of the tournament so that anybody can draw them again, or by hand and written down."""

from __future__ import annotations

from collections.abc import Iterable

from clubs.seating.chance import Chance
from clubs.standings.refused import StandingsRefused
from clubs.standings.sheets import Lot


def draw(group: Iterable[str], seed: bytes, label: str) -> Lot:
    """A lot among the group, from a seed of 32 bytes and a label used once (``evening 12, after round 5``).

    The ids in order of their code points are shuffled as `clubs.seating.chance` says, with the label ``lot|LABEL``.
    Raises StandingsRefused for a group of fewer than two or with an id twice, and SeatingRefused for a bad seed.
    """
    ids = sorted(group)
    if len(ids) < 2:
        raise StandingsRefused("too-few", "group", low=2)
    if len(set(ids)) != len(ids):
        raise StandingsRefused("twice", "group")
    return Lot(tuple(Chance(seed, f"lot|{label}").shuffled(ids)), label, seed.hex())


def is_true(lot: Lot) -> bool:
    """Whether a lot is what its seed gives. Of one drawn by hand nothing can be said: False."""
    try:
        return bool(lot.seed) and draw(lot.order, bytes.fromhex(lot.seed), lot.label) == lot
    except ValueError:
        return False
