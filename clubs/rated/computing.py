"""Computing all ratings anew from the logs, and putting them in the place of those that are stored."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Final

from django.db import transaction
from django.utils import timezone

from clubs.rated import due, luck, sources
from clubs.rated.days import date_of
from clubs.rated.people import is_computer, player_id
from clubs.rating_models import PairRating, PlayerRating, RatedPerson, RatingPool, RatingRun
from clubs.ratings.rate import PairRating as Together
from clubs.ratings.rate import Pool, Rating, rate
from clubs.ratings.results import Result

_TOLD: Final = 0.005
"""From so many points per deal on a change of a rating is told."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a run read, and what is different now, in lines that can be read."""

    results: int
    deals: int
    people: int
    shown: int
    changes: tuple[str, ...]


def run(*, luck_anew: bool = False) -> Outcome:
    """Read everything, compute, and replace what is stored in one transaction that holds the row of `RatingRun`.

    Only ratings of those who want to be shown are stored; whoever says no meanwhile is left out. The same logs give the
    same ratings.
    """
    marks = due.marks()  # before anything is read: what comes meanwhile is seen by the next run
    log = sources.results()
    models = luck.models_for(log, anew=luck_anew)
    pools = rate(log, models)
    with transaction.atomic():
        RatingRun.objects.get_or_create(pk=1)
        row = RatingRun.objects.select_for_update().get(pk=1)
        shown = {player_id(each.player_id): each for each in RatedPerson.objects.select_for_update().order_by("pk")}
        before = _stored()
        changes = luck.keep(models, log)
        for ruleset, pool in pools.items():
            _store(pool, [each for each in log if each.ruleset == ruleset], shown)
        RatingPool.objects.exclude(ruleset__in=pools).delete()
        row.at, row.marks = timezone.now(), marks
        row.save()
        changes += _changes(before, _stored())
    people = {who for each in log for who in each.players if not is_computer(who)}
    return Outcome(len(log), sum(each.deals for each in log), len(people), len(shown), tuple(changes))


def _store(pool: Pool, log: Sequence[Result], shown: Mapping[str, RatedPerson]) -> None:
    """Put the ratings of one game in the place of those before."""
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
    return PlayerRating(
        pool=pool,
        person=shown[rating.player],
        mean=rating.mean,
        variance=rating.variance,
        cautious=rating.cautious,
        deals=rating.deals,
        provisional=rating.provisional,
        inseparable={"people": always, "others": len(rating.inseparable) - len(always)},
    )


def _pair(pool: RatingPool, pair: Together, shown: Mapping[str, RatedPerson]) -> PairRating:
    one, other = sorted((shown[who] for who in pair.players), key=lambda person: person.pk)
    return PairRating(
        pool=pool,
        one=one,
        other=other,
        mean=pair.mean,
        variance=pair.variance,
        cautious=pair.cautious,
        deals=pair.deals,
        provisional=pair.provisional,
        inseparable=pair.inseparable,
    )


Stored = Mapping[tuple[str, str], tuple[float, int]]


def _stored() -> Stored:
    """Everybody's number and deals, by game and public id."""
    rows = PlayerRating.objects.values_list("pool__ruleset", "person__public_id", "mean", "deals")
    return {(ruleset, person): (mean, deals) for ruleset, person, mean, deals in rows}


def _changes(before: Stored, after: Stored) -> list[str]:
    """What is different, person by person; nobody is named who is not shown."""
    lines = []
    for key in sorted({*before, *after}):
        old, new = before.get(key), after.get(key)
        where = f"{key[0]}: {key[1]}"
        if old is None and new is not None:
            lines.append(f"{where} {new[0]:+.2f} after {new[1]} deals, new")
        elif new is None and old is not None:
            lines.append(f"{where} is not there any more")
        elif old is not None and new is not None and (abs(new[0] - old[0]) >= _TOLD or new[1] != old[1]):
            lines.append(f"{where} {old[0]:+.2f} to {new[0]:+.2f}, {old[1]} to {new[1]} deals")
    return lines
