"""Every ruleset that can be played, by its id; older versions stay here as long as stored games use them."""

from __future__ import annotations

from typing import Final

from games.engine.ruleset import Ruleset
from games.engine.rulesets.troccas import TROCCAS

RULESETS: Final[dict[tuple[str, int], Ruleset]] = {(ruleset.id, ruleset.version): ruleset for ruleset in (TROCCAS,)}


class UnknownRuleset(LookupError):
    """There is no ruleset of that id and version; `str()` says which was asked for."""


def ruleset(id: str, version: int | None = None) -> Ruleset:
    """The ruleset `id` in `version`, by default its newest. Raises UnknownRuleset."""
    versions = [known for known_id, known in RULESETS if known_id == id]
    if not versions:
        raise UnknownRuleset(f"no such ruleset: {id}")
    wanted = max(versions) if version is None else version
    if wanted not in versions:
        raise UnknownRuleset(f"ruleset {id} has no version {wanted}")
    return RULESETS[id, wanted]
