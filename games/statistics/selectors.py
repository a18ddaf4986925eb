"""Reading the rows of hands that are over: what they come to for one player, and for two. The database adds up.

Every function is one query over the index of the player's own rows (`accuracy` also over what was found of each of these hands); none
reads a log or a card.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from django.db.models import Case, Count, F, Q, QuerySet, Sum, Value, When

from accounts.models import Player
from games.charts import LEAST, SURE, Mean, Result, Share, Variant
from games.models import PlayedSeat

"""A ruleset's id, and how many sit at the table: only within these are points comparable."""

_SUMS: Final = {
    "hands": Count("pk"),
    "total": Sum("score"),
    "squares": Sum(F("score") * F("score")),
    "won": Count("pk", filter=Q(outcome=1)),
}
_HAPPENED: Final = ("tricks", "honours", "calls", "calls_met", "jacks_called")
_FATES: Final = ("fool", "bagat")


@dataclass(frozen=True, slots=True)
class Scope:
    """Which hands are counted: of one variant, since a moment, only those among people; None and False leave it open."""

    variant: Variant | None = None
    since: datetime | None = None
    people_only: bool = False


@dataclass(frozen=True, slots=True)
class Happened:
    """What happened in so many hands. `per_hand` are sums; `fates` how often a card was saved, of how often it was played."""

    per_hand: Mapping[str, int]
    fates: Mapping[str, Share]
    hands: int


@dataclass(frozen=True, slots=True)
class Detail:
    """A player's hands of one variant, by whether they dealt and by whose game it was."""

    by_dealer: Mapping[bool, Result]
    by_role: Mapping[str, Result]
    happened: Happened


@dataclass(frozen=True, slots=True)
class Met:
    """What a player's hands with another came to: on the same side, and on different ones."""

    player: int
    computer: bool
    together: Result
    against: Result

    @property
    def hands(self) -> int:
        return self.together.points.hands + self.against.points.hands


NOTHING: Final = Result(Mean(), 0)


def variants(player: Player, scope: Scope) -> dict[Variant, Result]:
    """What the player's hands of each variant came to, most played first."""
    rows = _summed(_rows(player, scope), "ruleset", "table_size")
    rows.sort(key=lambda row: (-row["hands"], row["ruleset"], row["table_size"]))
    return {(row["ruleset"], row["table_size"]): _result(row) for row in rows}


def detail(player: Player, scope: Scope) -> Detail:
    """What happened in the player's hands, taken apart."""
    more: dict[str, Any] = {f"sum_{name}": Sum(name) for name in _HAPPENED}
    for name in _FATES:
        more[f"{name}_saved"] = Count("pk", filter=Q(**{name: "saved"}))
        more[f"{name}_played"] = Count("pk", filter=~Q(**{name: ""}))
    by_dealer, by_role = {False: NOTHING, True: NOTHING}, dict[str, Result]()
    sums, fates, hands = dict.fromkeys(_HAPPENED, 0), {name: Share() for name in _FATES}, 0
    for row in _summed(_rows(player, scope), "dealer", "role", **more):
        result = _result(row)
        by_dealer[row["dealer"]] += result
        by_role[row["role"]] = by_role.get(row["role"], NOTHING) + result
        hands += row["hands"]
        for name in _HAPPENED:
            sums[name] += row[f"sum_{name}"]
        for name in _FATES:
            fate = fates[name]
            fates[name] = Share(fate.count + row[f"{name}_saved"], fate.of + row[f"{name}_played"])
    return Detail(by_dealer, by_role, Happened(sums, fates, hands))


def course(player: Player, scope: Scope) -> tuple[dict[int, Mean], dict[int, int]]:
    """The points per hand of each month (as 202611), oldest first; and how often each score came."""
    months: dict[int, Mean] = {}
    scores: dict[int, int] = {}
    rows = _rows(player, scope).values_list("month", "score").annotate(hands=Count("pk")).order_by("month", "score")
    for month, score, hands in rows:
        months[month] = months.get(month, Mean()) + Mean(hands, score * hands, score * score * hands)
        scores[score] = scores.get(score, 0) + hands
    return months, scores


@dataclass(frozen=True, slots=True)
class Accuracy:
    """How somebody decided in hands that were analysed: how often, how often clearly wrong, and what these mistakes cost in all."""

    hands: int
    decisions: int
    mistakes: int
    cost: float


def accuracy(player: Player, scope: Scope) -> dict[int, Accuracy]:
    """By month (as 202611), oldest first, how the player decided in hands whose analysis is done."""
    judged = "hand__analysis__judged"
    clear = Q(**{f"{judged}__cost__gte": LEAST}) & (
        Q(**{f"{judged}__exact": True}) | Q(**{f"{judged}__cost__gt": SURE * F(f"{judged}__error")})
    )
    rows = (
        _rows(player, scope)
        .filter(**{"hand__analysis__status": "done", f"{judged}__seat": F("seat")})
        .values("month")
        .annotate(
            hands=Count("pk", distinct=True),
            decisions=Count(judged),
            mistakes=Count(judged, filter=clear),
            lost=Sum(f"{judged}__cost", filter=clear, default=0.0),
        )
        .order_by("month")
    )
    return {row["month"]: Accuracy(row["hands"], row["decisions"], row["mistakes"], row["lost"]) for row in rows}


def company(player: Player, scope: Scope) -> list[Met]:
    """With whom the player has played these hands, most of them first; computer players too."""
    other = "hand__played_seats"
    # One condition names the other seats, so that all that follows speaks of the same rows.
    others = _rows(player, scope).filter(
        Q(**{f"{other}__seat__gt": F("seat")}) | Q(**{f"{other}__seat__lt": F("seat")})
    )
    named = others.annotate(
        who=F(f"{other}__player"),
        computer=F(f"{other}__player__computer"),
        together=Case(When(**{f"{other}__party": F("party")}, then=Value(1)), default=Value(0)),
    )
    rows = _summed(named, "who", "computer", "together")
    found: dict[int, Met] = {}
    for row in rows:
        met = found.get(row["who"]) or Met(row["who"], row["computer"] != "", NOTHING, NOTHING)
        result = _result(row)
        together, against = (result, met.against) if row["together"] else (met.together, result)
        found[row["who"]] = Met(met.player, met.computer, together, against)
    return sorted(found.values(), key=lambda met: (-met.hands, met.player))


@dataclass(frozen=True, slots=True)
class Between:
    """Two players in one variant: what the first scored with the second, and what both scored against each other."""

    together: Result
    against: Result
    against_other: Result


def pair(player: Player, other: Player, scope: Scope) -> dict[Variant, Between]:
    """What the hands that both have played came to, by variant, most played first."""
    both = "hand__played_seats"
    shared = (
        _rows(player, scope)
        .filter(**{f"{both}__player": other})
        .annotate(together=Case(When(**{f"{both}__party": F("party")}, then=Value(1)), default=Value(0)))
    )
    rows = _summed(
        shared,
        *("ruleset", "table_size", "together"),
        their_total=Sum(f"{both}__score"),
        their_squares=Sum(F(f"{both}__score") * F(f"{both}__score")),
        their_won=Count("pk", filter=Q(**{f"{both}__outcome": 1})),
    )
    found: dict[Variant, Between] = {}
    for row in rows:
        variant = row["ruleset"], row["table_size"]
        known = found.get(variant, Between(NOTHING, NOTHING, NOTHING))
        own = _result(row)
        if row["together"]:
            found[variant] = Between(own, known.against, known.against_other)
        else:
            theirs = Result(Mean(row["hands"], row["their_total"], row["their_squares"]), row["their_won"])
            found[variant] = Between(known.together, own, theirs)
    by_hands = sorted(
        found.items(), key=lambda item: (-item[1].together.points.hands - item[1].against.points.hands, item[0])
    )
    return dict(by_hands)


def _rows(player: Player, scope: Scope) -> QuerySet[PlayedSeat]:
    rows = PlayedSeat.objects.filter(player=player)
    if scope.variant is not None:
        rows = rows.filter(ruleset=scope.variant[0], table_size=scope.variant[1])
    if scope.since is not None:
        rows = rows.filter(at__gte=scope.since)
    if scope.people_only:
        rows = rows.filter(people_only=True)
    return rows


def _summed(rows: QuerySet[PlayedSeat], *by: str, **more: Any) -> list[dict[str, Any]]:
    """Hands, scores and wins of the rows (and `more`), for each difference in `by`."""
    grouped: Any = rows.values(*by)  # which sums a row will have, no type can say
    return list(grouped.annotate(**_SUMS, **more).order_by())


def _result(row: Mapping[str, Any]) -> Result:
    return Result(Mean(row["hands"], row["total"], row["squares"]), row["won"])
