"""Recompute all ratings from the logs and replace the stored ones.

How much luck is in each game is estimated once a year from the results of earlier years, and that estimate is kept.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime, timedelta
from typing import Any, Final

from django.db import transaction
from django.db.models import Max
from django.utils import timezone

from domain.rating.fitting import fit, prior
from domain.rating.rate import PairRating as Together
from domain.rating.rate import Pool, Rating, rate
from domain.rating.results import Model, Result
from games.models import BoardSet, PlayedSeat
from ratings import sources
from ratings.models import PairRating, PlayerRating, RatedPerson, RatingLuck, RatingPool, RatingRun
from ratings.sources import date_of, is_computer, player_id
from tournaments.models import TournamentEvent

EVERY: Final = timedelta(days=1)
"""After this time ratings are computed even if there is nothing new."""


def due_marks() -> dict[str, Any]:
    """How far the logs go, and when a choice to be shown last changed.

    Four queries, each on an index or a small table.
    """
    changed = RatedPerson.objects.aggregate(last=Max("changed_at"))["last"]
    opened = BoardSet.objects.aggregate(last=Max("opened_at"))["last"]
    return {
        "event": TournamentEvent.objects.aggregate(last=Max("pk"))["last"] or 0,
        "seat": PlayedSeat.objects.aggregate(last=Max("pk"))["last"] or 0,
        "opened": opened.isoformat() if opened else "",
        "people": changed.isoformat() if changed else "",
    }


def is_due(now: datetime) -> bool:
    """Whether the logs have grown, a choice to be shown has changed, or the last run is a day old."""
    row = RatingRun.objects.filter(pk=1).first()
    marks = due_marks()
    if row is None or row.at is None:
        return bool(marks["event"] or marks["seat"])
    return row.marks != marks or now - row.at >= EVERY


def models_for(results: Iterable[Result], *, anew: bool = False) -> dict[str, Model]:
    """The model of each game for the year of its last result. Games without a model have to be estimated as they are.

    Uses the stored estimate, unless `anew`. Otherwise the model is estimated from the results of earlier years or, in
    the first year, from those of computer players. A game without either has no model and is estimated from all its
    results until its first year is over. Only reads; `keep` writes.
    """
    kept = {} if anew else {(row.ruleset, row.year): model_of(row.data) for row in RatingLuck.objects.all()}
    models: dict[str, Model] = {}
    for ruleset, log in sorted(_by_game(results).items()):
        year = year_of(log)
        model = kept.get((ruleset, year)) or _estimated(ruleset, log, year)
        if model is not None:
            models[ruleset] = model
    return models


def keep(models: Mapping[str, Model], results: Iterable[Result]) -> list[str]:
    """Store the models of the year.

    Returns a line for each game whose model is new or has changed. Needs a transaction.
    """
    by_game, changed = _by_game(results), []
    for ruleset, model in sorted(models.items()):
        year = year_of(by_game[ruleset])
        before = [each for each in by_game[ruleset] if date_of(each.when).year < year]
        row = RatingLuck.objects.filter(ruleset=ruleset, year=year).first()
        if row is None or row.data != asdict(model):
            values = {"data": asdict(model), "results": len(before), "deals": sum(each.deals for each in before)}
            RatingLuck.objects.update_or_create(ruleset=ruleset, year=year, defaults=values)
            changed.append(f"{ruleset}: luck of {year} estimated from {len(before)} results")
    return changed


def _by_game(results: Iterable[Result]) -> dict[str, list[Result]]:
    found: dict[str, list[Result]] = defaultdict(list)
    for each in results:
        found[each.ruleset].append(each)
    return found


def model_of(data: Mapping[str, Any]) -> Model:
    return Model(**data)


def year_of(results: Sequence[Result]) -> int:
    return date_of(max(each.when for each in results)).year


def _estimated(ruleset: str, log: Sequence[Result], year: int) -> Model | None:
    before = [each for each in log if date_of(each.when).year < year]
    if before:
        return fit(before)
    return prior(ruleset, _usual_sides(log))


def _usual_sides(log: Sequence[Result]) -> int:
    """The number of sides with the most deals; the smaller one if equal."""
    deals: dict[int, int] = defaultdict(int)
    for each in log:
        deals[len(each.sides)] += each.deals
    return min(deals, key=lambda sides: (-deals[sides], sides))


_SMALLEST_CHANGE: Final = 0.005
"""In points per deal: smaller changes of a rating are not reported."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a run read, and what changed, in readable lines."""

    results: int
    deals: int
    people: int
    shown: int
    changes: tuple[str, ...]


def run(*, luck_anew: bool = False) -> Outcome:
    """Read all results, compute the ratings, and replace the stored ones, holding the `RatingRun` row locked.

    Only ratings of people who want to be shown are stored; whoever withdraws during the run is left out. The same logs
    give the same ratings.
    """
    marks = due_marks()  # before anything is read, so that the next run sees what is written during this one
    log = sources.results()
    models = models_for(log, anew=luck_anew)
    pools = rate(log, models)
    with transaction.atomic():
        RatingRun.objects.get_or_create(pk=1)
        row = RatingRun.objects.select_for_update().get(pk=1)
        shown = {player_id(each.player_id): each for each in RatedPerson.objects.select_for_update().order_by("pk")}
        before = _stored()
        changes = keep(models, log)
        for ruleset, pool in pools.items():
            _store(pool, [each for each in log if each.ruleset == ruleset], shown)
        RatingPool.objects.exclude(ruleset__in=pools).delete()
        row.at, row.marks = timezone.now(), marks
        row.save()
        changes += _changes(before, _stored())
    people = {who for each in log for who in each.players if not is_computer(who)}
    return Outcome(len(log), sum(each.deals for each in log), len(people), len(shown), tuple(changes))


def _store(pool: Pool, log: Sequence[Result], shown: Mapping[str, RatedPerson]) -> None:
    """Replace the stored ratings of one game."""
    people = {who for each in log for who in each.players if not is_computer(who)}
    row, _made = RatingPool.objects.update_or_create(
        ruleset=pool.ruleset,
        defaults={
            "kind": pool.kind,
            "model": asdict(pool.model),
            "computed_at": timezone.now(),
            "until": date_of(max(each.when for each in log)),
            "results": len(log),
            "deals": sum(each.deals for each in log),
            "people": len(people),
        },
    )
    PlayerRating.objects.filter(pool=row).delete()
    PairRating.objects.filter(pool=row).delete()
    ratings = [pool.players[who] for who in shown if who in pool.players]
    PlayerRating.objects.bulk_create([_player(row, each, shown) for each in ratings], batch_size=500)
    pairs = [each for each in pool.pairs.values() if set(each.players) <= shown.keys()]
    PairRating.objects.bulk_create([_pair(row, each, shown) for each in pairs], batch_size=500)


def _player(pool: RatingPool, rating: Rating, shown: Mapping[str, RatedPerson]) -> PlayerRating:
    always = sorted(shown[who].pk for who in rating.inseparable if who in shown)
    inseparable = {"people": always, "others": len(rating.inseparable) - len(always)}
    return PlayerRating(pool=pool, person=shown[rating.player], inseparable=inseparable, **_figures(rating))


def _pair(pool: RatingPool, pair: Together, shown: Mapping[str, RatedPerson]) -> PairRating:
    one, other = sorted((shown[who] for who in pair.players), key=lambda person: person.pk)
    return PairRating(pool=pool, one=one, other=other, inseparable=pair.inseparable, **_figures(pair))


def _figures(rating: Rating | Together) -> dict[str, Any]:
    return {name: getattr(rating, name) for name in ("mean", "variance", "cautious", "deals", "provisional")}


Stored = Mapping[tuple[str, str], tuple[float, int]]


def _stored() -> Stored:
    """Each stored rating and its number of deals, by game and public id."""
    rows = PlayerRating.objects.values_list("pool__ruleset", "person__public_id", "mean", "deals")
    return {(ruleset, person): (mean, deals) for ruleset, person, mean, deals in rows}


def _changes(before: Stored, after: Stored) -> list[str]:
    """What changed, person by person. Names only people who are shown."""
    lines = []
    for key in sorted({*before, *after}):
        old, new = before.get(key), after.get(key)
        where = f"{key[0]}: {key[1]}"
        if old is None and new is not None:
            lines.append(f"{where} {new[0]:+.2f} after {new[1]} deals, new")
        elif new is None and old is not None:
            lines.append(f"{where} is not there any more")
        elif old is not None and new is not None and (abs(new[0] - old[0]) >= _SMALLEST_CHANGE or new[1] != old[1]):
            lines.append(f"{where} {old[0]:+.2f} to {new[0]:+.2f}, {old[1]} to {new[1]} deals")
    return lines


def compute_if_due(now: datetime) -> None:
    """Run the computation if it is due. Called once an hour."""
    if is_due(now):
        run()
