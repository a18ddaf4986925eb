"""What people report about each other, for those who look after it."""

from __future__ import annotations

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_POST

from accounts import protocols, roles
from accounts.models import Player, Report
from accounts.visits import PlayerRequest
from accounts.you_forms import SettleForm

PAGE = 30


@never_cache
@require_GET
def reports(request: PlayerRequest) -> HttpResponse:
    """The open reports, the oldest first; with `?settled=1` those that are settled, the newest first."""
    moderator = _moderator(request)
    settled = request.GET.get("settled") == "1"
    rows = Report.objects.filter(settled_at__isnull=not settled).select_related(
        "about__merged_into", "by__merged_into", "settled_by__merged_into"
    )
    page = Paginator(rows.order_by("-settled_at" if settled else "created_at", "pk"), PAGE).get_page(
        request.GET.get("page")
    )
    shown = [(row, protocols.evidence_of(row.subject, moderator) if row.subject else None) for row in page]
    return render(
        request,
        "account/reports.html",
        {"page": page, "shown": shown, "settled": settled, "form": SettleForm(label_suffix="")},
    )


@never_cache
@require_POST
def settle(request: PlayerRequest, report: int) -> HttpResponse:
    """Settle a report with a word about what was done."""
    moderator = _moderator(request)
    form = SettleForm(request.POST)
    row = get_object_or_404(Report, pk=report)
    if not form.is_valid():
        messages.error(request, _("Please say in a few words what was done."))
    elif Report.objects.filter(pk=row.pk, settled_at__isnull=True).update(
        settled_at=timezone.now(), settled_by=moderator, outcome=form.cleaned_data["outcome"]
    ):
        messages.success(request, _("Settled."))
    else:
        messages.error(request, _("Somebody else has settled it already."))
    return redirect("accounts:reports")


def _moderator(request: PlayerRequest) -> Player:
    """The player, who is a moderator. Raises PermissionDenied for everybody else."""
    player = request.player
    if player is None or not roles.may(player, roles.MODERATOR):
        raise PermissionDenied
    return player
