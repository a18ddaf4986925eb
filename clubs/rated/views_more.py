"""What chances somebody has, lists for programs, and what moderators do about a pseudonym."""

from __future__ import annotations

import json
from typing import Any, Final

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect
from django.utils.cache import patch_cache_control
from django.utils.translation import gettext as _
from django.views.decorators.http import conditional_page, require_POST, require_safe

from accounts import limits, roles
from accounts.models import Report
from accounts.visits import PlayerRequest
from clubs.rated import consent, reading, wording
from clubs.rated.forms import MOST_ALONE, ChancesForm
from clubs.rated.views import game, page
from clubs.rating_models import RatedPerson, RatingPool
from clubs.ratings.results import PARTNERS
from games.engine.rulesets import ruleset as rules_of

FORMAT: Final = "troccas-ratings"
VERSION: Final = 1
_REPORTS_A_DAY: Final = 10


@require_safe
def chances(request: PlayerRequest, ruleset: str) -> HttpResponseBase:
    """How likely each side is ahead after so many deals."""
    name, pool = game(ruleset)
    if pool is None:
        raise Http404
    lines = reading.listed(pool, request.player)
    partners = pool.kind == PARTNERS
    size = rules_of(ruleset).seats // 2 if partners else MOST_ALONE
    form = ChancesForm(request.GET or None, pool.kind, size, lines)
    context: dict[str, Any] = {
        "name": name, "ruleset": ruleset, "pool": pool, "partners": partners, "form": form, "tab": "chances",
        "people": len(lines),
    }  # fmt: skip
    if form.is_bound and form.is_valid():
        sides = form.sides()
        found = reading.arithmetic(pool, lines).chances(sides, form.deals(), form.tables())
        called = [_together([form.names.get(who, _("somebody average")) for who in side]) for side in sides]
        context["chances"] = [
            {"who": who, "percent": wording.percent(share), "share": round(share * 100)}
            for who, share in zip(called, found, strict=True)
        ]
        context |= {"deals": form.deals(), "tables": form.tables()}
    return page(request, "chances", context, status=422 if form.errors else 200)


def _together(names: list[str]) -> str:
    """ "Anna, Clau and Mia"."""
    if len(names) == 1:
        return names[0]
    return _("%(names)s and %(last)s") % {"names": ", ".join(names[:-1]), "last": names[-1]}


@require_safe
@conditional_page
def as_json(request: HttpRequest, ruleset: str) -> HttpResponse:
    """A list for programs, the same for everybody. May be kept, but who keeps it asks each time whether it still holds:
    whoever hides themselves is gone at once."""
    pool = RatingPool.objects.filter(ruleset=ruleset).first()
    if pool is None:
        raise Http404
    body = {
        "format": FORMAT,
        "version": VERSION,
        "ruleset": pool.ruleset,
        "kind": pool.kind,
        "unit": "rappen per deal" if wording.in_rappen(pool.ruleset) else "points per deal",
        "computed_at": pool.computed_at.isoformat(),
        "until": pool.until.isoformat(),
        "results": pool.results,
        "deals": pool.deals,
        "model": pool.model,
        "ratings": [
            {"id": line.ids[0], "name": line.names[0], **_figures(line)} for line in reading.listed(pool, None)
        ],
        "pairs": [
            {"ids": list(line.ids), "names": list(line.names), **_figures(line), "inseparable": line.together}
            for line in (reading.pairs(pool, None) if pool.kind == PARTNERS else [])
        ],
    }
    response = HttpResponse(json.dumps(body, ensure_ascii=False, indent=1), content_type="application/json")
    patch_cache_control(response, public=True, no_cache=True)
    response["X-Robots-Tag"] = "noindex, nofollow"
    return response


def _figures(line: reading.Shown) -> dict[str, object]:
    return {
        "place": line.place,
        "mean": round(line.mean, 4),
        "spread": round(line.spread, 4),
        "cautious": round(line.mean - 2 * line.spread, 4),
        "deals": line.deals,
        "provisional": line.provisional,
    }


@require_POST
def report(request: PlayerRequest, public_id: str) -> HttpResponseBase:
    """Tell the moderators about a pseudonym; nobody learns whose it is."""
    row = RatedPerson.objects.filter(public_id=public_id).exclude(pseudonym="").select_related("player").first()
    if row is None:
        raise Http404
    by = request.player
    if by is None:
        return redirect("account_login")
    if not limits.take(f"report by {by.pk}", rate=_REPORTS_A_DAY, per=86_400, burst=5):
        messages.error(request, _("You have reported a lot today. Please try again tomorrow."))
    elif by.pk != row.player_id:
        said = _("The pseudonym in the ratings: %(name)s") % {"name": row.pseudonym}
        Report.objects.create(about=row.player, by=by, reason=Report.Reason.NAME, text=said)
        messages.success(request, _("Thank you. The moderators will look at it."))
    return redirect("ratings:index")


@require_POST
def take_down(request: PlayerRequest, public_id: str) -> HttpResponseBase:
    """A moderator takes a pseudonym down: its person is not shown any more, until they choose again."""
    if not roles.may(request.player, roles.MODERATOR):
        raise PermissionDenied
    row = RatedPerson.objects.filter(public_id=public_id).exclude(pseudonym="").select_related("player").first()
    if row is None:
        raise Http404
    consent.hide(row.player)
    messages.success(request, _("The pseudonym is gone, and its person is not shown any more."))
    return redirect("ratings:index")
