"""Statistics of finished hands, for one player and for two. The database does the sums.

Every function is one query over the index of the player's own rows (`accuracy` also reads the analyses of these hands).
None reads a log or a card.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from django.db.models import Case, Count, F, Q, QuerySet, Sum, Value, When

from accounts.models import Player
from games.charts import CLEAR_ERRORS, LEAST_COST, Mean, Result, Share, Variant
from games.models import PlayedSeat

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
    """Which hands are counted: of one variant, since a moment, only those among people.

    None and False mean no restriction. A variant is a ruleset's id with a table size; points are only comparable within
    one.
    """

    variant: Variant | None = None
    since: datetime | None = None
    people_only: bool = False


@dataclass(frozen=True, slots=True)
class Happened:
    """What happened in that number of `hands`.

    `per_hand` are sums; `fates` say how often a card was saved when played.
    """

    per_hand: Mapping[str, int]
    fates: Mapping[str, Share]
    hands: int


@dataclass(frozen=True, slots=True)
class Detail:
    """A player's hands of one variant, by whether they dealt and by their role."""

    by_dealer: Mapping[bool, Result]
    by_role: Mapping[str, Result]
    happened: Happened


@dataclass(frozen=True, slots=True)
class Met:
    """The results of a player's hands with another player: on the same side, and on different sides."""

    player: int
    computer: bool
    together: Result
    against: Result

    @property
    def hands(self) -> int:
        return self.together.points.hands + self.against.points.hands


NOTHING: Final = Result(Mean(), 0)


def variants(player: Player, scope: Scope) -> dict[Variant, Result]:
    """The results of the player's hands by variant, most played first."""
    rows = _summed(_rows(player, scope), "ruleset", "table_size")
    rows.sort(key=lambda row: (-row["hands"], row["ruleset"], row["table_size"]))
    return {(row["ruleset"], row["table_size"]): _result(row) for row in rows}


def detail(player: Player, scope: Scope) -> Detail:
    """The player's hands in detail: by dealer, by role, and what happened in them."""
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
    """The points per hand of each month (as 202611), oldest first, and how often each score occurred."""
    months: dict[int, Mean] = {}
    scores: dict[int, int] = {}
    rows = _rows(player, scope).values_list("month", "score").annotate(hands=Count("pk")).order_by("month", "score")
    for month, score, hands in rows:
        months[month] = months.get(month, Mean()) + Mean(hands, score * hands, score * score * hands)
        scores[score] = scores.get(score, 0) + hands
    return months, scores


@dataclass(frozen=True, slots=True)
class Accuracy:
    """A player's decisions in analysed hands: how many, how many clear mistakes, and the total cost of these."""

    hands: int
    decisions: int
    mistakes: int
    cost: float


def accuracy(player: Player, scope: Scope) -> dict[int, Accuracy]:
    """The player's accuracy in analysed hands by month (as 202611), oldest first."""
    judged = "hand__analysis__judged"
    clear = Q(**{f"{judged}__cost__gte": LEAST_COST}) & (
        Q(**{f"{judged}__exact": True}) | Q(**{f"{judged}__cost__gt": CLEAR_ERRORS * F(f"{judged}__error")})
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
    """The players with whom the player has played these hands, most hands first, including computer players."""
    other = "hand__played_seats"
    # A single filter selects the other seats, so that all annotations below refer to the same rows.
    others = _rows(player, scope).filter(
        Q(**{f"{other}__seat__gt": F("seat")}) | Q(**{f"{other}__seat__lt": F("seat")})
    )
    named = others.annotate(
        who=F(f"{other}__player"),
        computer=F(f"{other}__player__computer"),
        together=Case(When(**{f"{other}__party": F("party")}, then=Value(1)), default=Value(0)),
    )
    rows = _summed(named, "who", "computer", "together")
    by_player: dict[int, Met] = {}
    for row in rows:
        met = by_player.get(row["who"]) or Met(row["who"], row["computer"] != "", NOTHING, NOTHING)
        result = _result(row)
        together, against = (result, met.against) if row["together"] else (met.together, result)
        by_player[row["who"]] = Met(met.player, met.computer, together, against)
    return sorted(by_player.values(), key=lambda met: (-met.hands, met.player))


@dataclass(frozen=True, slots=True)
class Between:
    """Two players in one variant: the first's results with the second, and both players' results against each other."""

    together: Result
    against: Result
    against_other: Result


def pair(player: Player, other: Player, scope: Scope) -> dict[Variant, Between]:
    """The results of the hands that both have played, by variant, most played first."""
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
    by_variant: dict[Variant, Between] = {}
    for row in rows:
        variant = row["ruleset"], row["table_size"]
        between = by_variant.get(variant, Between(NOTHING, NOTHING, NOTHING))
        own = _result(row)
        if row["together"]:
            by_variant[variant] = Between(own, between.against, between.against_other)
        else:
            theirs = Result(Mean(row["hands"], row["their_total"], row["their_squares"]), row["their_won"])
            by_variant[variant] = Between(between.together, own, theirs)
    by_hands = sorted(
        by_variant.items(), key=lambda item: (-item[1].together.points.hands - item[1].against.points.hands, item[0])
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
    """Hands, scores and wins of the rows (and `more`), grouped by the fields `by`."""
    grouped: Any = rows.values(*by)  # no type can express which sums a row will have
    return list(grouped.annotate(**_SUMS, **more).order_by())


def _result(row: Mapping[str, Any]) -> Result:
    return Result(Mean(row["hands"], row["total"], row["squares"]), row["won"])
