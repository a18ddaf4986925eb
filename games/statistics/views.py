"""The pages of statistics: of one player, of two, and one's own hands to take along."""

from __future__ import annotations

import csv
from typing import Any

from django.http import Http404, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.cache import patch_cache_control
from django.views.decorators.http import require_safe

from accounts import rhythms
from accounts.models import Player
from accounts.visits import PlayerRequest
from games.statistics import belongings, pages, privacy
from games.statistics.forms import ScopeForm, key_of
from games.statistics.reading import Scope, variants


def _private(response: HttpResponseBase) -> HttpResponseBase:
    """What is made for one viewer is kept by nobody, and no search engine lists people."""
    patch_cache_control(response, private=True, no_store=True)
    response["X-Robots-Tag"] = "noindex, nofollow"
    return response


@require_safe
def own(request: PlayerRequest) -> HttpResponseBase:
    """One's own statistics; a stranger is sent to where one begins."""
    if request.player is None:
        return redirect("accounts:you")
    return redirect("statistics:person", request.player.public_id)


@require_safe
def person(request: PlayerRequest, public_id: str) -> HttpResponseBase:
    """What somebody's hands come to, for whom they let see it."""
    shown, viewer = _person(public_id), request.player
    if shown.public_id != public_id:
        return redirect("statistics:person", shown.public_id)
    context: dict[str, Any] = {"person": shown, "is_you": viewer is not None and viewer.pk == shown.pk}
    if not privacy.may_see(shown, viewer):
        return _private(render(request, "games/statistics/closed.html", context, status=403))
    played = variants(shown, Scope())
    form = ScopeForm(request.GET, list(played))
    context["form"] = form
    good = form.is_valid()
    if good:
        with timezone.override(rhythms.zone_of(viewer if viewer is not None else shown)):
            chosen = next((one for one in played if key_of(one) == form.cleaned_data["game"]), None)
            asked = request.GET.urlencode()
            context |= pages.of_person(shown, viewer, form.scope(timezone.now()), chosen, asked)
    return _private(render(request, "games/statistics/person.html", context, status=200 if good else 422))


@require_safe
def pair(request: PlayerRequest, public_id: str, other_id: str) -> HttpResponseBase:
    """What the hands of two come to, together and against each other. Who is one of them may always see it."""
    shown, other, viewer = _person(public_id), _person(other_id), request.player
    if shown.pk == other.pk:
        raise Http404
    if (shown.public_id, other.public_id) != (public_id, other_id):
        return redirect("statistics:pair", shown.public_id, other.public_id)
    context: dict[str, Any] = {"person": shown, "other": other}
    one_of_them = viewer is not None and viewer.pk in (shown.pk, other.pk)
    if not one_of_them and len(privacy.seen_by(viewer, [shown, other])) < 2:
        return _private(render(request, "games/statistics/closed.html", context, status=403))
    form = ScopeForm(request.GET, list(variants(shown, Scope())))
    context["form"] = form
    good = form.is_valid()
    if good:
        context |= pages.of_pair(shown, other, form.scope(timezone.now()))
    return _private(render(request, "games/statistics/pair.html", context, status=200 if good else 422))


@require_safe
def hands(request: PlayerRequest, public_id: str) -> HttpResponseBase:
    """One's own hands as a table for other programs (CSV, UTF-8, the first one first); nobody else's."""
    player = request.player
    if player is None or player.public_id != public_id:
        raise Http404
    response = HttpResponse(content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = 'attachment; filename="hands.csv"'
    columns = [belongings.NAMES.get(name, name) for name in belongings.COLUMNS]
    writer = csv.DictWriter(response, columns)
    writer.writeheader()
    for row in belongings.own_rows(player):
        at = row["at"]
        writer.writerow({**row, "at": at.isoformat()})  # type: ignore[attr-defined]  # it is a moment
    return _private(response)


def _person(public_id: str) -> Player:
    """The person with this id, or whom a guest became. Raises Http404 for computer players and those who are gone."""
    found = Player.objects.select_related("merged_into").filter(public_id=public_id).first()
    if found is None or not found.page:
        raise Http404
    return found.current
