"""The pages of statistics: of one player, of two, and the download of one's own hands."""

from __future__ import annotations

import csv
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, Final

from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpResponse, HttpResponseBase, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from accounts import availability
from accounts.middleware import PlayerRequest
from accounts.models import Player
from accounts.views import person_or_404
from core.http import unlisted
from games import charts
from games.charts import FEW, Column, Interval, Mean, Variant, Words
from games.statistics import permissions as statistics_permissions
from games.statistics import privacy, selectors, text
from games.statistics.forms import ScopeForm, key_of
from games.statistics.selectors import NOTHING, Met, Scope, variants
from games.text import figures
from games.text.figures import Line

_LISTED: Final = 20
_DRAWN: Final = 8
_MONTHS: Final = 24
"""How many of the latest months are shown; earlier ones are only in the sum of all hands."""


def of_person(shown: Player, viewer: Player | None, scope: Scope, chosen: Variant | None, query: str) -> dict[str, Any]:
    """The context of one player's page: all their games, and one in detail (the most played one if none is chosen).

    `query` is the query string of the page, which its links to pairs keep.
    """
    results = selectors.variants(shown, scope)
    context: dict[str, Any] = {
        "few": FEW,
        "hands": sum(result.points.hands for result in results.values()),
        "games": [
            figures.line(figures.variant_name(one), result, f"?{_with(query, one)}") for one, result in results.items()
        ],
    }
    variant = chosen or next(iter(results), None)
    if variant is None or variant not in results:
        return context
    scope = Scope(variant, scope.since, scope.people_only)
    detail = selectors.detail(shown, scope)
    every, scores = selectors.course(shown, scope)
    months = dict(list(every.items())[-_MONTHS:])
    met = selectors.company(shown, scope)
    lines, intervals = _company(met, shown, viewer, query)
    spans = charts.bins(scores.items())
    judged = selectors.accuracy(shown, scope) if viewer is not None and viewer.pk == shown.pk else {}
    return context | {
        "variant": figures.variant_name(variant),
        "rappen": figures.in_rappen(variant),
        "total": figures.line(_("all hands"), results[variant]),
        "dealing": text.dealing(detail),
        "roles": text.roles(detail),
        "happened": text.happened(detail, variant),
        "months": [(figures.month_name(month), mean.hands, figures.mean(mean)) for month, mean in months.items()],
        "months_drawn": _course(months),
        "accuracy": [
            (
                figures.month_name(month),
                each.hands,
                each.decisions,
                each.mistakes,
                figures.decimal(each.cost / each.hands),
            )
            for month, each in list(judged.items())[-_MONTHS:]
        ],
        "scores": [(_span(first, last), count) for first, last, count in spans],
        "scores_drawn": _columns(spans),
        "company": lines,
        "company_drawn": _rows(intervals),
    }


def of_pair(shown: Player, other: Player, scope: Scope) -> dict[str, Any]:
    """The context of the page of two players: for each game, their results together and against each other."""
    tables = []
    for variant, between in selectors.pair(shown, other, scope).items():
        names = {"one": shown.display_name, "other": other.display_name}
        lines = []
        if between.together.points.hands:
            lines.append(figures.line(_("%(one)s and %(other)s on one side") % names, between.together))
        if between.against.points.hands:
            lines += [
                figures.line(_("%(one)s against %(other)s") % names, between.against),
                figures.line(_("%(other)s against %(one)s") % names, between.against_other),
            ]
        tables.append((figures.variant_name(variant), figures.in_rappen(variant), lines))
    return {"few": FEW, "tables": tables}


def _company(
    met: Sequence[Met], shown: Player, viewer: Player | None, query: str
) -> tuple[list[tuple[Line, Line]], list[Interval]]:
    """The results together with and against other players, as lines, and those with partners as intervals.

    Viewers other than the player only see people whose statistics they may see; the rest share one line, and so do
    computer players.
    """
    people = Player.objects.select_related("merged_into").in_bulk(
        [each.player for each in met if not each.computer][:_LISTED]
    )
    own = viewer is not None and viewer.pk == shown.pk
    named = set(people) if own else set(statistics_permissions.seen_by(viewer, people.values()))
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
            href = reverse("statistics:pair", args=[shown.public_id, person.public_id]) + (f"?{query}" if query else "")
        name = person.display_name
        lines.append((figures.line(name, each.together, href), figures.line(name, each.against)))
        points = each.together.points
        if points.enough and len(intervals) < _DRAWN:
            intervals.append(Interval(name, points.mean, points.error))
    for computer, label in ((False, _("other people")), (True, _("computer players"))):
        together, against = rest[computer]
        if together.points.hands or against.points.hands:
            lines.append((figures.line(label, together), figures.line(label, against)))
    return lines, intervals


def _with(query: str, variant: Variant) -> str:
    """The query string of the page for another game."""
    data = QueryDict(query, mutable=True)
    data["game"] = key_of(variant)
    return data.urlencode()


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
            Interval(figures.month_name(month, short=True), mean.mean, mean.error, mean.enough)
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
    return charts.columns(
        words, [Column(figures.with_minus(first), count, below=last < 0) for first, last, count in spans]
    )


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
        return figures.with_minus(first)
    return _("%(first)s to %(last)s") % {"first": figures.with_minus(first), "last": figures.with_minus(last)}


_unlisted = partial(unlisted, robots="noindex, nofollow")


@require_safe
def own(request: PlayerRequest) -> HttpResponseBase:
    """Redirect to the viewer's own statistics, or a stranger to the page where they can begin."""
    if request.visit.player is None:
        return redirect_to_login(request.path, reverse("accounts:you"))
    return redirect("statistics:person", request.visit.player.public_id)


@require_safe
def person(request: PlayerRequest, public_id: str) -> HttpResponseBase:
    """The statistics of a player, for viewers who may see them."""
    shown, viewer = person_or_404(public_id), request.visit.player
    if shown.public_id != public_id:
        return redirect("statistics:person", shown.public_id)
    context: dict[str, Any] = {"person": shown, "is_you": viewer is not None and viewer.pk == shown.pk}
    if not statistics_permissions.may_see(shown, viewer):
        return _unlisted(render(request, "games/statistics/closed.html", context, status=403))
    played = variants(shown, Scope())
    form = ScopeForm(request.GET, list(played))
    context["form"] = form
    valid = form.is_valid()
    if valid:
        with timezone.override(availability.zone_of(viewer if viewer is not None else shown)):
            chosen = next((one for one in played if key_of(one) == form.cleaned_data["game"]), None)
            query = request.GET.urlencode()
            context |= of_person(shown, viewer, form.scope(timezone.now()), chosen, query)
    return _unlisted(render(request, "games/statistics/person.html", context, status=200 if valid else 422))


@require_safe
def pair(request: PlayerRequest, public_id: str, other_id: str) -> HttpResponseBase:
    """The results of two players together and against each other. Either of them may always see this page."""
    shown, other, viewer = person_or_404(public_id), person_or_404(other_id), request.visit.player
    if shown.pk == other.pk:
        raise Http404
    if (shown.public_id, other.public_id) != (public_id, other_id):
        return redirect("statistics:pair", shown.public_id, other.public_id)
    context: dict[str, Any] = {"person": shown, "other": other}
    one_of_them = viewer is not None and viewer.pk in (shown.pk, other.pk)
    if not one_of_them and len(statistics_permissions.seen_by(viewer, [shown, other])) < 2:
        return _unlisted(render(request, "games/statistics/closed.html", context, status=403))
    form = ScopeForm(request.GET, list(variants(shown, Scope())))
    context["form"] = form
    valid = form.is_valid()
    if valid:
        context |= of_pair(shown, other, form.scope(timezone.now()))
    return _unlisted(render(request, "games/statistics/pair.html", context, status=200 if valid else 422))


@require_safe
def hands(request: PlayerRequest, public_id: str) -> HttpResponseBase:
    """The viewer's own hands as a table for other programs (CSV, UTF-8, oldest first)."""
    player = request.visit.player
    if player is None or player.public_id != public_id:
        raise Http404
    response = HttpResponse(content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = 'attachment; filename="hands.csv"'
    columns = [privacy.NAMES.get(name, name) for name in privacy.COLUMNS]
    writer = csv.DictWriter(response, columns)
    writer.writeheader()
    for row in privacy.own_rows(player):
        at = row["at"]
        writer.writerow({**row, "at": at.isoformat()})  # type: ignore[attr-defined]  # it is a moment
    return _unlisted(response)
