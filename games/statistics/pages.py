"""What the pages of statistics show, ready to be printed: tables, and the drawings beside them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from django.http import QueryDict
from django.urls import reverse
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from accounts.models import Player
from games.statistics import charts, privacy, reading, wording
from games.statistics.charts import Column, Interval, Words
from games.statistics.figures import FEW, Mean
from games.statistics.forms import key_of
from games.statistics.reading import NOTHING, Met, Scope, Variant
from games.statistics.wording import Line

_LISTED: Final = 20
_DRAWN: Final = 8
_MONTHS: Final = 24
"""The last ones; what was before is in the sum of all hands."""


def of_person(shown: Player, viewer: Player | None, scope: Scope, chosen: Variant | None, asked: str) -> dict[str, Any]:
    """The page of one player: all their games, and one of them in detail (the one played most, if none is chosen).

    `asked` is the query of the page, which its links to pairs take along.
    """
    found = reading.variants(shown, scope)
    context: dict[str, Any] = {
        "few": FEW,
        "hands": sum(result.points.hands for result in found.values()),
        "games": [
            wording.line(wording.variant_name(one), result, f"?{_with(asked, one)}") for one, result in found.items()
        ],
    }
    variant = chosen or next(iter(found), None)
    if variant is None or variant not in found:
        return context
    scope = Scope(variant, scope.since, scope.people_only)
    detail = reading.detail(shown, scope)
    every, scores = reading.course(shown, scope)
    months = dict(list(every.items())[-_MONTHS:])
    met = reading.company(shown, scope)
    lines, intervals = _company(met, shown, viewer, asked)
    spans = charts.bins(scores.items())
    return context | {
        "variant": wording.variant_name(variant),
        "rappen": wording.in_rappen(variant),
        "total": wording.line(_("all hands"), found[variant]),
        "dealing": wording.dealing(detail),
        "roles": wording.roles(detail),
        "happened": wording.happened(detail, variant),
        "months": [(wording.month_name(month), mean.hands, wording.mean(mean)) for month, mean in months.items()],
        "months_drawn": _course(months),
        "scores": [(_span(first, last), count) for first, last, count in spans],
        "scores_drawn": _columns(spans),
        "company": lines,
        "company_drawn": _rows(intervals),
    }


def of_pair(shown: Player, other: Player, scope: Scope) -> dict[str, Any]:
    """The page of two players: for each game what they scored together, and against each other."""
    tables = []
    for variant, between in reading.pair(shown, other, scope).items():
        names = {"one": shown.display_name, "other": other.display_name}
        lines = []
        if between.together.points.hands:
            lines.append(wording.line(_("%(one)s and %(other)s on one side") % names, between.together))
        if between.against.points.hands:
            lines += [
                wording.line(_("%(one)s against %(other)s") % names, between.against),
                wording.line(_("%(other)s against %(one)s") % names, between.against_other),
            ]
        tables.append((wording.variant_name(variant), wording.in_rappen(variant), lines))
    return {"few": FEW, "tables": tables}


def _company(
    met: Sequence[Met], shown: Player, viewer: Player | None, asked: str
) -> tuple[list[tuple[Line, Line]], list[Interval]]:
    """With whom the player has played, with them and against them, and the partners as intervals.

    Others than the player are told only of people who let them see it; the rest stands in one line, like computer players.
    """
    people = Player.objects.select_related("merged_into").in_bulk(
        [each.player for each in met if not each.computer][:_LISTED]
    )
    own = viewer is not None and viewer.pk == shown.pk
    named = set(people) if own else set(privacy.seen_by(viewer, people.values()))
    lines: list[tuple[Line, Line]] = []
    intervals: list[Interval] = []
    rest = {True: (NOTHING, NOTHING), False: (NOTHING, NOTHING)}
    for each in met:
        if each.computer or each.player not in named:
            together, against = rest[each.computer]
            rest[each.computer] = (together + each.together, against + each.against)
            continue
        person = people[each.player].current
        href = ""
        if person.page:
            href = reverse("statistics:pair", args=[shown.public_id, person.public_id]) + (f"?{asked}" if asked else "")
        name = person.display_name
        lines.append((wording.line(name, each.together, href), wording.line(name, each.against)))
        points = each.together.points
        if points.enough and len(intervals) < _DRAWN:
            intervals.append(Interval(name, points.mean, points.error))
    for computer, label in ((False, _("other people")), (True, _("computer players"))):
        together, against = rest[computer]
        if together.points.hands or against.points.hands:
            lines.append((wording.line(label, together), wording.line(label, against)))
    return lines, intervals


def _with(asked: str, variant: Variant) -> str:
    """The query of the page with another game."""
    query = QueryDict(asked, mutable=True)
    query["game"] = key_of(variant)
    return query.urlencode()


def _course(months: Mapping[int, Mean]) -> SafeString | str:
    if len(months) < 2:
        return ""
    words = Words(
        "months",
        _("Points per hand, month by month"),
        _("A dot for each month, its line the standard error either way. The table beside it says the same."),
    )
    return charts.course(
        words,
        [
            Interval(wording.month_name(month, short=True), mean.mean, mean.error, mean.enough)
            for month, mean in months.items()
        ],
    )


def _columns(spans: Sequence[tuple[int, int, int]]) -> SafeString | str:
    if sum(count for _first, _last, count in spans) < FEW:
        return ""
    words = Words(
        "scores",
        _("How often which score"),
        _("A column for each span of scores, its height the number of hands. The table beside it says the same."),
    )
    return charts.columns(words, [Column(_number(first), count, below=last < 0) for first, last, count in spans])


def _rows(intervals: Sequence[Interval]) -> SafeString | str:
    if not intervals:
        return ""
    words = Words(
        "partners",
        _("Points per hand by partner"),
        _("A dot for each partner, its line the standard error either way. The table beside it says the same."),
    )
    return charts.rows(words, intervals)


def _span(first: int, last: int) -> str:
    if first == last:
        return _number(first)
    return _("%(first)s to %(last)s") % {"first": _number(first), "last": _number(last)}


def _number(score: int) -> str:
    return f"−{-score}" if score < 0 else str(score)
