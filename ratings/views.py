"""The pages of ratings: lists, a person, chances, the method, one’s own choice; and lists for programs."""

from __future__ import annotations

import json
from math import sqrt
from typing import Any, Final

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.cache import patch_cache_control
from django.utils.translation import gettext as _
from django.views.decorators.http import conditional_page, require_POST, require_safe

from accounts import permissions as account_permissions
from accounts.middleware import PlayerRequest
from accounts.models import Report
from core.http import page_of, private, require_safe_or_post, unlisted
from core.sursilvan import in_a_row
from domain.engine.rulesets import ruleset as rules_of
from domain.rating.fitting import prior
from domain.rating.rate import PROVISIONAL_BELOW
from domain.rating.results import PARTNERS
from games.text.figures import signed
from ratings import privacy, selectors, text
from ratings.forms import MOST_ALONE, ChancesForm, ConsentForm
from ratings.models import PlayerRating, RatedPerson, RatingPool
from ratings.services import model_of

PER_PAGE: Final = 50
_EXAMPLE: Final = "troccas"


def page(
    request: PlayerRequest, template: str, context: dict[str, Any], *, named: bool = True, status: int = 200
) -> HttpResponse:
    """A page of ratings: private to its reader and, if people are `named`, hidden from search engines."""
    context["few"] = PROVISIONAL_BELOW
    response = render(request, f"ratings/{template}.html", context, status=status)
    return unlisted(response, "noindex, nofollow") if named else private(response)


def game(ruleset: str) -> tuple[str, RatingPool | None]:
    """The name of a list's game, and the list (None before anything was played). Raises Http404 for an unknown game."""
    try:
        name = text.pool_name(ruleset)
    except KeyError:
        raise Http404 from None
    pool = RatingPool.objects.filter(ruleset=ruleset).first()
    if pool is None and "@" in ruleset:
        raise Http404
    return name, pool


@require_safe
def index(request: PlayerRequest) -> HttpResponseBase:
    """All games with ratings, and the visitor's own numbers."""
    own = privacy.consent_of(request.visit.player)
    context = {"games": selectors.games(), "own": own, "ratings": _own_lines(own) if own else []}
    return page(request, "index", context, named=own is not None)


@require_safe
def rating_list(request: PlayerRequest, ruleset: str) -> HttpResponseBase:
    """Everybody who wants to be shown, ordered by their cautious rating; the visitor's own line comes first."""
    name, pool = game(ruleset)
    lines = selectors.ranking(pool, request.visit.player) if pool else []
    return page(request, "list", _list_context(request, name, ruleset, pool, lines) | {"tab": "people"})


@require_safe
def paired(request: PlayerRequest, ruleset: str) -> HttpResponseBase:
    """Pairs who have played together, if both want to be shown."""
    name, pool = game(ruleset)
    if pool is None or pool.kind != PARTNERS:
        raise Http404
    lines = selectors.pairs(pool, request.visit.player)
    return page(request, "pairs", _list_context(request, name, ruleset, pool, lines) | {"tab": "pairs"})


@require_safe
def person(request: PlayerRequest, ruleset: str, public_id: str) -> HttpResponseBase:
    """One person's rating, what it rests on, and who they have played with."""
    name, pool = game(ruleset)
    row = selectors.person(pool, public_id, request.visit.player) if pool else None
    if pool is None or row is None:
        raise Http404
    lines = selectors.ranking(pool, request.visit.player)
    line = next(each for each in lines if each.ids == (public_id,))
    rappen = text.in_rappen(ruleset)
    inseparable, others = selectors.inseparable_from(row, request.visit.player)
    context = {
        "name": name,
        "ruleset": ruleset,
        "pool": pool,
        "rappen": rappen,
        "line": line,
        **_interval(line, rappen=rappen),
        "bar": _bar(line, rappen=rappen),
        "account": "" if row.person.pseudonym else row.person.player.page,
        "pairs": selectors.pairs(pool, request.visit.player, row.person) if pool.kind == PARTNERS else [],
        "inseparable": inseparable,
        "others": others,
        "elsewhere": [
            (each.pool.ruleset, text.pool_name(each.pool.ruleset), selectors.rating_line(each, None))
            for each in selectors.of_person(row.person)
            if each.pool_id != pool.pk
        ],
        "model": model_of(pool.model),
        "luck": text.luck_of(model_of(pool.model)) if pool.kind == PARTNERS else None,
        "moderates": account_permissions.may(request.visit.player, account_permissions.MODERATOR),
        "tab": "people",
    }
    return page(request, "person", context)


@require_safe
def how(request: PlayerRequest) -> HttpResponseBase:
    """How ratings are worked out, in plain words, and how much luck is in each game with partners."""
    pools = RatingPool.objects.filter(kind=PARTNERS).order_by("-deals", "ruleset")
    lucks = [(text.pool_name(pool.ruleset), text.luck_of(model_of(pool.model))) for pool in pools]
    example = prior(_EXAMPLE)
    if not lucks and example is not None:
        lucks = [(text.pool_name(_EXAMPLE), text.luck_of(example))]
    return page(request, "how", {"lucks": lucks, "tables": text.TABLES + 1}, named=False)


@require_safe_or_post
def you(request: PlayerRequest) -> HttpResponseBase:
    """The visitor's choice to be shown, under what name, and their own numbers."""
    player = request.visit.player
    if player is None:
        return page(request, "you", {"form": None, "ratings": []})
    form = ConsentForm(request.POST if request.method == "POST" else None, player)
    if request.method == "POST" and form.is_valid():
        form.write()
        messages.success(request, _("Saved."))
        return redirect("ratings:you")
    own = privacy.consent_of(player)
    context = {"form": form, "own": own, "ratings": _own_lines(own) if own else [], "is_member": player.is_member}
    return page(request, "you", context, status=422 if form.errors else 200)


def _own_lines(own: RatedPerson) -> list[tuple[str, str, str, PlayerRating]]:
    return [
        (
            each.pool.ruleset,
            text.pool_name(each.pool.ruleset),
            text.with_unit(each.mean, sqrt(each.variance), rappen=text.in_rappen(each.pool.ruleset)),
            each,
        )
        for each in selectors.of_person(own)
    ]


def _list_context(
    request: PlayerRequest, name: str, ruleset: str, pool: RatingPool | None, lines: list[selectors.Shown]
) -> dict[str, Any]:
    """What lists of people and of pairs have in common: the lines that match the search, page by page."""
    typed = request.GET.get("who", "")[:100].strip()
    return {
        "name": name,
        "ruleset": ruleset,
        "pool": pool,
        "partners": pool is not None and pool.kind == PARTNERS,
        "rappen": text.in_rappen(ruleset),
        "who": typed,
        "all": len(lines),
        "mine": [] if typed else [line for line in lines if line.mine],
        "page": page_of(request, selectors.matching(lines, typed), PER_PAGE),
    }


def _interval(line: selectors.Shown, *, rappen: bool) -> dict[str, str]:
    """A rating in words, and the ends of the interval in which it lies in nineteen cases out of twenty."""
    return {
        "rating": text.with_unit(line.mean, line.spread, rappen=rappen),
        "low": signed(line.mean - 2 * line.spread),
        "high": signed(line.mean + 2 * line.spread),
    }


def _bar(line: selectors.Shown, *, rappen: bool) -> str:
    description = _(
        "%(rating)s. In nineteen cases out of twenty the true value lies between %(low)s and %(high)s; 0 is average."
    ) % _interval(line, rappen=rappen)
    return text.bar("rating", _("The number and how sure it is"), description, text.Interval(line.mean, line.spread))


FORMAT: Final = "troccas-ratings"
VERSION: Final = 1


@require_safe
def chances(request: PlayerRequest, ruleset: str) -> HttpResponseBase:
    """How likely each side is to be ahead after a given number of deals."""
    name, pool = game(ruleset)
    if pool is None:
        raise Http404
    lines = selectors.ranking(pool, request.visit.player)
    partners = pool.kind == PARTNERS
    size = rules_of(ruleset).seats // 2 if partners else MOST_ALONE
    form = ChancesForm(request.GET or None, pool.kind, size, lines)
    context: dict[str, Any] = {
        "name": name, "ruleset": ruleset, "pool": pool, "partners": partners, "form": form, "tab": "chances",
        "people": len(lines),
    }  # fmt: skip
    if form.is_bound and form.is_valid():
        sides = form.sides()
        shares = selectors.arithmetic(pool, lines).chances(sides, form.deals(), form.tables())
        names = [in_a_row(form.names.get(who, _("somebody average")) for who in side) for side in sides]
        context["chances"] = [
            {"who": who, "percent": text.percent(share), "share": round(share * 100)}
            for who, share in zip(names, shares, strict=True)
        ]
        context |= {"deals": form.deals(), "tables": form.tables()}
    return page(request, "chances", context, status=422 if form.errors else 200)


@require_safe
@conditional_page
def as_json(request: HttpRequest, ruleset: str) -> HttpResponse:
    """A list for programs, the same for everybody.

    May be cached, but every use has to be revalidated: somebody who hides must be gone at once.
    """
    pool = get_object_or_404(RatingPool, ruleset=ruleset)
    body = {
        "format": FORMAT,
        "version": VERSION,
        "ruleset": pool.ruleset,
        "kind": pool.kind,
        "unit": "rappen per deal" if text.in_rappen(pool.ruleset) else "points per deal",
        "computed_at": pool.computed_at.isoformat(),
        "until": pool.until.isoformat(),
        "results": pool.results,
        "deals": pool.deals,
        "model": pool.model,
        "ratings": [
            {"id": line.ids[0], "name": line.names[0], **_figures(line)} for line in selectors.ranking(pool, None)
        ],
        "pairs": [
            {"ids": list(line.ids), "names": list(line.names), **_figures(line), "inseparable": line.together}
            for line in (selectors.pairs(pool, None) if pool.kind == PARTNERS else [])
        ],
    }
    response = HttpResponse(json.dumps(body, ensure_ascii=False, indent=1), content_type="application/json")
    patch_cache_control(response, public=True, no_cache=True)
    response["X-Robots-Tag"] = "noindex, nofollow"
    return response


def _figures(line: selectors.Shown) -> dict[str, object]:
    return {
        "place": line.place,
        "mean": round(line.mean, 4),
        "spread": round(line.spread, 4),
        "cautious": round(line.mean - 2 * line.spread, 4),
        "deals": line.deals,
        "provisional": line.provisional,
    }


_UNDER_A_PSEUDONYM: Final = RatedPerson.objects.exclude(pseudonym="").select_related("player")


@require_POST
def report(request: PlayerRequest, public_id: str) -> HttpResponseBase:
    """Report a pseudonym to the moderators; nobody else learns whose it is."""
    row = get_object_or_404(_UNDER_A_PSEUDONYM, public_id=public_id)
    by = request.visit.player
    if by is None:
        return redirect("account_login")
    if not account_permissions.may_report(by):
        messages.error(request, _("You have reported a lot today. Please try again tomorrow."))
    elif by.pk != row.player_id:
        subject = _("The pseudonym in the ratings: %(name)s") % {"name": row.pseudonym}
        Report.objects.create(about=row.player, by=by, reason=Report.Reason.NAME, text=subject)
        # The same words whoever it is: that no moderator may settle it would tell that it is the only one.
        messages.success(request, _("Thank you. The moderators will look at it."))
    return redirect("ratings:index")


@require_POST
def take_down(request: PlayerRequest, public_id: str) -> HttpResponseBase:
    """Take a pseudonym down, as a moderator: its person is not shown any more until they choose to be."""
    if not account_permissions.may(request.visit.player, account_permissions.MODERATOR):
        raise PermissionDenied
    row = get_object_or_404(_UNDER_A_PSEUDONYM, public_id=public_id)
    privacy.take_down(row)
    messages.success(request, _("The pseudonym is gone, and its person is not shown any more."))
    return redirect("ratings:index")
