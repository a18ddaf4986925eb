"""What people report about each other, for those who look after it."""

from __future__ import annotations

from dataclasses import dataclass

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.core.paginator import Paginator
from django.db import transaction
from django.db.models import Count
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_POST

from accounts import protocols, roles, suspending
from accounts.models import Player, Report
from accounts.moderating_forms import SettleForm
from accounts.suspension_models import Suspension
from accounts.visits import PlayerRequest

PAGE = 30


@dataclass(frozen=True, slots=True)
class Shown:
    """A report as moderators see it: what was said, the form to settle it, what else is known of the person."""

    report: Report
    evidence: protocols.Evidence | None
    form: SettleForm
    others: int
    """How many other reports there are about the same person, settled or not."""
    suspension: Suspension | None


@never_cache
@require_GET
def reports(request: PlayerRequest) -> HttpResponse:
    """The open reports, the oldest first; with `?settled=1` those that are settled, the newest first."""
    return _listed(request, _moderator(request))


@never_cache
@require_POST
def settle(request: PlayerRequest, report: int) -> HttpResponse:
    """Settle a report: with a measure, if one is chosen, and a word about what was done."""
    moderator = _moderator(request)
    row = get_object_or_404(Report, pk=report)
    form = SettleForm(request.POST)
    if not form.is_valid():
        return _listed(request, moderator, wrong=(row.pk, form))
    try:
        with transaction.atomic():
            done = Report.objects.filter(pk=row.pk, settled_at__isnull=True).update(
                settled_at=timezone.now(), settled_by=moderator, outcome=form.cleaned_data["outcome"]
            )
            if done:
                _act(row.about, form, moderator)
    except suspending.NotSuspendable:
        form.add_error("measure", _("Moderators, computer players and you yourself cannot be suspended."))
        return _listed(request, moderator, wrong=(row.pk, form))
    if done:
        messages.success(request, _("Settled."))
    else:
        messages.error(request, _("Somebody else has settled it already."))
    return redirect("accounts:reports")


@never_cache
@require_GET
def suspended(request: PlayerRequest) -> HttpResponse:
    """Who is suspended now, and why."""
    _moderator(request)
    rows = Suspension.objects.filter(lifted_at__isnull=True, until__gt=timezone.now())
    page = Paginator(rows.select_related("player", "by__merged_into").order_by("-at", "-pk"), PAGE).get_page(
        request.GET.get("page")
    )
    return render(request, "account/suspended.html", {"page": page, "tab": "suspended"})


@never_cache
@require_POST
def lift(request: PlayerRequest, public_id: str) -> HttpResponse:
    """End a suspension before its time."""
    moderator = _moderator(request)
    person = get_object_or_404(Player, public_id=public_id)
    if suspending.lift(person, by=moderator):
        messages.success(request, _("%(name)s is no longer suspended.") % {"name": person.display_name})
    return redirect("accounts:suspended")


def _act(person: Player, form: SettleForm, moderator: Player) -> None:
    if form.cleaned_data["measure"] == SettleForm.TAKE_DOWN:
        suspending.take_down(person)
    elif form.length is not None:
        suspending.suspend(person, form.length, form.cleaned_data["told"], by=moderator)


def _listed(request: PlayerRequest, moderator: Player, wrong: tuple[int, SettleForm] | None = None) -> HttpResponse:
    """The page of reports; `wrong` is a form that could not be taken, by the key of its report."""
    settled = request.GET.get("settled") == "1"
    rows = Report.objects.filter(settled_at__isnull=not settled).select_related(
        "about__merged_into", "by__merged_into", "settled_by__merged_into"
    )
    page = Paginator(rows.order_by("-settled_at" if settled else "created_at", "pk"), PAGE).get_page(
        request.GET.get("page")
    )
    held = suspending.standing(row.about for row in page)
    before = dict(
        Report.objects.filter(about__in={row.about_id for row in page})
        .values_list("about")
        .annotate(number=Count("pk"))
        .order_by()
    )
    shown = [
        Shown(
            row,
            protocols.evidence_of(row.subject, moderator) if row.subject else None,
            wrong[1] if wrong is not None and wrong[0] == row.pk else SettleForm(auto_id=f"id_{row.pk}_%s"),
            before[row.about_id] - 1,
            held.get(row.about.current.pk),
        )
        for row in page
    ]
    context = {"page": page, "shown": shown, "settled": settled, "tab": "settled" if settled else "open"}
    return render(request, "account/reports.html", context, status=422 if wrong is not None else 200)


def _moderator(request: PlayerRequest) -> Player:
    """The player, who is a moderator. Raises PermissionDenied for everybody else."""
    player = request.player
    if player is None or not roles.may(player, roles.MODERATOR):
        raise PermissionDenied
    return player
