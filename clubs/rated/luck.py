"""How much luck is in each game: estimated once a year from the results of earlier years, and kept."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from datetime import date
from typing import Any

from clubs.rated.days import date_of
from clubs.rating_models import RatingLuck
from clubs.ratings.fitting import fit, prior
from clubs.ratings.model import Model
from clubs.ratings.results import Result


def models_for(results: Iterable[Result], *, anew: bool = False) -> dict[str, Model]:
    """The model of each game for the year of its last result; games that are missing have to be estimated as they stand.

    What was estimated before is taken, unless `anew`. Else it rests on the results of the years before, in the first year
    on what computer players showed; a game nothing is known of is estimated from all there is until its first year is
    over. Reads only; `keep` writes.
    """
    by_game: dict[str, list[Result]] = defaultdict(list)
    for each in results:
        by_game[each.ruleset].append(each)
    kept = {} if anew else {(row.ruleset, row.year): model_of(row.data) for row in RatingLuck.objects.all()}
    found: dict[str, Model] = {}
    for ruleset, log in sorted(by_game.items()):
        year = year_of(log)
        known = kept.get((ruleset, year)) or _estimated(ruleset, log, year)
        if known is not None:
            found[ruleset] = known
    return found


def keep(models: Mapping[str, Model], results: Iterable[Result]) -> list[str]:
    """Store what was estimated for the year; says of which games it is new or another. Call it in a transaction."""
    by_game: dict[str, list[Result]] = defaultdict(list)
    for each in results:
        by_game[each.ruleset].append(each)
    changed = []
    for ruleset, model in sorted(models.items()):
        year = year_of(by_game[ruleset])
        before = [each for each in by_game[ruleset] if date_of(each.when).year < year]
        row = RatingLuck.objects.filter(ruleset=ruleset, year=year).first()
        if row is None or row.data != asdict(model):
            values = {"data": asdict(model), "results": len(before), "deals": sum(each.deals for each in before)}
            RatingLuck.objects.update_or_create(ruleset=ruleset, year=year, defaults=values)
            changed.append(f"{ruleset}: luck of {year} estimated from {len(before)} results")
    return changed


def model_of(data: Mapping[str, Any]) -> Model:
    """A model that was stored."""
    return Model(**data)


def year_of(results: Sequence[Result]) -> int:
    """The year of the last result."""
    last: date = date_of(max(each.when for each in results))
    return last.year


def _estimated(ruleset: str, log: Sequence[Result], year: int) -> Model | None:
    before = [each for each in log if date_of(each.when).year < year]
    if before:
        return fit(before)
    return prior(ruleset, _usual_sides(log))


def _usual_sides(log: Sequence[Result]) -> int:
    """The number of sides with the most deals; of equals the smaller."""
    deals: dict[int, int] = defaultdict(int)
    for each in log:
        deals[len(each.sides)] += each.deals
    return min(deals, key=lambda sides: (-deals[sides], sides))
