"""The pages of ratings: all games, a list, pairs, a person, how it is worked out, and one's own choice."""

from __future__ import annotations

from math import sqrt
from typing import Any, Final

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import Http404, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.utils.cache import patch_cache_control
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from accounts import roles
from accounts.visits import PlayerRequest
from clubs.rated import consent, drawing, reading, told_apart, wording
from clubs.rated.forms import ConsentForm
from clubs.rated.luck import model_of
from clubs.rating_models import PlayerRating, RatedPerson, RatingPool
from clubs.ratings.rate import PROVISIONAL_BELOW
from clubs.ratings.results import PARTNERS

PER_PAGE: Final = 50
_EXAMPLE: Final = "troccas"


def page(
    request: PlayerRequest, template: str, context: dict[str, Any], *, named: bool = True, status: int = 200
) -> HttpResponse:
    """A page of ratings: made for its reader, and where people are `named` no matter for search engines."""
    context["few"] = PROVISIONAL_BELOW
    response = render(request, f"clubs/ratings/{template}.html", context, status=status)
    patch_cache_control(response, private=True, no_store=True)
    if named:
        response["X-Robots-Tag"] = "noindex, nofollow"
    return response


def game(ruleset: str) -> tuple[str, RatingPool | None]:
    """What the game of a list is called, and the list; None before anything was played. Raises Http404 for no game."""
    try:
        name = wording.pool_name(ruleset)
    except KeyError:
        raise Http404 from None
    pool = RatingPool.objects.filter(ruleset=ruleset).first()
    if pool is None and "@" in ruleset:
        raise Http404
    return name, pool


@require_safe
def index(request: PlayerRequest) -> HttpResponseBase:
    """All games in which somebody is rated, and one's own numbers."""
    own = consent.of(request.player)
    context = {"games": reading.games(), "own": own, "ratings": _own_lines(own) if own else []}
    return page(request, "index", context, named=own is not None)


@require_safe
def listed(request: PlayerRequest, ruleset: str) -> HttpResponseBase:
    """Everybody who wants to be shown, by what they bring almost certainly; one's own line first."""
    name, pool = game(ruleset)
    lines = reading.listed(pool, request.player) if pool else []
    return page(request, "list", _list_context(request, name, ruleset, pool, lines) | {"tab": "people"})


@require_safe
def paired(request: PlayerRequest, ruleset: str) -> HttpResponseBase:
    """Two who have played together, both of whom want to be shown."""
    name, pool = game(ruleset)
    if pool is None or pool.kind != PARTNERS:
        raise Http404
    lines = reading.pairs(pool, request.player)
    return page(request, "pairs", _list_context(request, name, ruleset, pool, lines) | {"tab": "pairs"})


@require_safe
def person(request: PlayerRequest, ruleset: str, public_id: str) -> HttpResponseBase:
    """One person's rating, what it rests on, and with whom they have played."""
    name, pool = game(ruleset)
    row = reading.person(pool, public_id, request.player) if pool else None
    if pool is None or row is None:
        raise Http404
    lines = reading.listed(pool, request.player)
    line = next(each for each in lines if each.ids == (public_id,))
    rappen = wording.in_rappen(ruleset)
    always, others = row.inseparable.get("people", []), row.inseparable.get("others", 0)
    inseparable = RatedPerson.objects.filter(pk__in=always).select_related("player").order_by("pk")
    context = {
        "name": name,
        "ruleset": ruleset,
        "pool": pool,
        "rappen": rappen,
        "line": line,
        "said": wording.with_unit(line.mean, line.spread, rappen=rappen),
        "low": wording.signed(line.mean - 2 * line.spread),
        "high": wording.signed(line.mean + 2 * line.spread),
        "bar": _bar(line, rappen=rappen),
        "account": "" if row.person.pseudonym else row.person.player.page,
        "pairs": reading.pairs(pool, request.player, row.person) if pool.kind == PARTNERS else [],
        "inseparable": [each.shown_name for each in inseparable],
        "others": others,
        "elsewhere": [
            (each.pool.ruleset, wording.pool_name(each.pool.ruleset), reading.shown(each, None))
            for each in reading.of_person(row.person)
            if each.pool_id != pool.pk
        ],
        "model": model_of(pool.model),
        "luck": told_apart.luck_of(model_of(pool.model)) if pool.kind == PARTNERS else None,
        "moderates": roles.may(request.player, roles.MODERATOR),
        "tab": "people",
    }
    return page(request, "person", context)


@require_safe
def how(request: PlayerRequest) -> HttpResponseBase:
    """How it is worked out, in plain words, with how much luck there is in each game of partners."""
    pools = RatingPool.objects.filter(kind=PARTNERS).order_by("-deals", "ruleset")
    lucks = [(wording.pool_name(pool.ruleset), told_apart.luck_of(model_of(pool.model))) for pool in pools]
    known = told_apart.usual(_EXAMPLE)
    if not lucks and known is not None:
        lucks = [(wording.pool_name(_EXAMPLE), told_apart.luck_of(known))]
    return page(request, "how", {"lucks": lucks, "tables": told_apart.TABLES + 1}, named=False)


@require_http_methods(["GET", "HEAD", "POST"])
def you(request: PlayerRequest) -> HttpResponseBase:
    """Whether one is shown, under what name; and one's own numbers."""
    player = request.player
    if player is None:
        return page(request, "you", {"form": None, "ratings": []})
    form = ConsentForm(request.POST if request.method == "POST" else None, player)
    if request.method == "POST" and form.is_valid():
        form.write()
        messages.success(request, _("Saved."))
        return redirect("ratings:you")
    own = consent.of(player)
    context = {"form": form, "own": own, "ratings": _own_lines(own) if own else [], "is_member": player.is_member}
    return page(request, "you", context, status=422 if form.errors else 200)


def _own_lines(own: RatedPerson) -> list[tuple[str, str, str, PlayerRating]]:
    return [
        (
            each.pool.ruleset,
            wording.pool_name(each.pool.ruleset),
            wording.with_unit(each.mean, sqrt(each.variance), rappen=wording.in_rappen(each.pool.ruleset)),
            each,
        )
        for each in reading.of_person(own)
    ]


def _list_context(
    request: PlayerRequest, name: str, ruleset: str, pool: RatingPool | None, lines: list[reading.Shown]
) -> dict[str, Any]:
    """What lists of people and of pairs have in common: the lines that were asked for, page by page."""
    wanted = request.GET.get("who", "")[:100].strip()
    query = request.GET.copy()
    query.pop("page", None)
    return {
        "name": name,
        "ruleset": ruleset,
        "pool": pool,
        "partners": pool is not None and pool.kind == PARTNERS,
        "rappen": wording.in_rappen(ruleset),
        "who": wanted,
        "all": len(lines),
        "mine": [] if wanted else [line for line in lines if line.mine],
        "page": Paginator(reading.matching(lines, wanted), PER_PAGE).get_page(request.GET.get("page", "1")),
        "query": query.urlencode(),
    }


def _bar(line: reading.Shown, *, rappen: bool) -> str:
    figures = {
        "said": wording.with_unit(line.mean, line.spread, rappen=rappen),
        "low": wording.signed(line.mean - 2 * line.spread),
        "high": wording.signed(line.mean + 2 * line.spread),
    }
    text = (
        _("%(said)s. The true value lies between %(low)s and %(high)s nineteen times of twenty; 0 is average.")
        % figures
    )
    return drawing.bar("rating", _("The number and how sure it is"), text, drawing.Interval(line.mean, line.spread))
