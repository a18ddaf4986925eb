"""A player as others see them; blocking and reporting.

What people report about each other, for those who look after it.
"""

from __future__ import annotations

from dataclasses import dataclass

from django.contrib import messages
from django.core.exceptions import PermissionDenied, ValidationError
from django.db import transaction
from django.db.models import Count
from django.http import Http404, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_POST

from accounts import availability, registry
from accounts import permissions as account_permissions
from accounts.choices import CANTONS, LANGUAGES_SPOKEN
from accounts.forms.people import ReportForm, SettleForm
from accounts.forms.signing_in import TOO_OFTEN
from accounts.middleware import PlayerRequest
from accounts.models import Block, Player, Profile, Report, Suspension
from core import limits
from core.http import page_of, require_safe_or_post

REPORTS_A_DAY = 10
"""Reports one player may make; five of them at once."""


@never_cache
@require_GET
def person(request: PlayerRequest, public_id: str) -> HttpResponse:
    """What somebody tells about themselves, for whom they tell it. Search engines stay away."""
    shown = _person(public_id)
    if shown.public_id != public_id:
        return redirect("accounts:person", shown.public_id)
    viewer = request.visit.player
    known = viewer is not None and viewer.pk != shown.pk
    context = {
        "person": shown,
        "parts": _parts(shown, viewer),
        "facts": registry.facts_about(shown),
        "is_you": viewer is not None and viewer.pk == shown.pk,
        "can_act": known,
        "blocked": known and viewer is not None and account_permissions.has_blocked(viewer, shown),
    }
    response = render(request, "account/person.html", context)
    response["X-Robots-Tag"] = "noindex, nofollow"
    return response


@never_cache
@require_POST
def block(request: PlayerRequest, public_id: str) -> HttpResponse:
    """Block somebody."""
    other, player = _person(public_id), request.visit.player
    if player is None:
        return redirect("account_login")
    try:
        account_permissions.block(player, other)
    except ValidationError as refused:
        messages.error(request, " ".join(refused.messages))
    else:
        messages.success(request, _("%(name)s is blocked.") % {"name": other.display_name})
    return redirect("accounts:person", other.public_id)


@never_cache
@require_POST
def unblock(request: PlayerRequest, public_id: str) -> HttpResponse:
    """Take a block back."""
    other, player = _person(public_id), request.visit.player
    if player is not None and account_permissions.unblock(player, other):
        messages.success(request, _("%(name)s is no longer blocked.") % {"name": other.display_name})
    if request.POST.get("back") == "list":
        return redirect("accounts:blocked")
    return redirect("accounts:person", other.public_id)


@never_cache
@require_GET
def blocked(request: PlayerRequest) -> HttpResponse:
    """Whom one has blocked."""
    if request.visit.player is None:
        return redirect("accounts:you")
    rows = (
        Block.objects.filter(player=request.visit.player).select_related("blocked__merged_into").order_by("-created_at")
    )
    return render(request, "account/blocked.html", {"player": request.visit.player, "blocks": rows})


@never_cache
@require_safe_or_post
def report(request: PlayerRequest, public_id: str) -> HttpResponse:
    """Tell the moderators about somebody."""
    about, by = _person(public_id), request.visit.player
    if by is None:
        return redirect("account_login")
    if by.pk == about.pk or about.is_computer:
        return redirect("accounts:person", about.public_id)
    if request.method != "POST":
        form = ReportForm(context=request.GET.get("from", "")[:200])
        return render(request, "account/report.html", {"person": about, "form": form})
    form = ReportForm(request.POST)
    status = 422
    if form.is_valid():
        if limits.take(f"report by {by.pk}", rate=REPORTS_A_DAY, per=86_400, burst=5):
            row = form.save(commit=False)
            row.about, row.by = about, by
            row.save()
            messages.success(request, _("Thank you. The moderators will look at it."))
            return HttpResponseRedirect(row.context or about_url(about))
        form.add_error(None, TOO_OFTEN)
        status = 429
    return render(request, "account/report.html", {"person": about, "form": form}, status=status)


def about_url(player: Player) -> str:
    """The address of somebody's page."""
    return str(redirect("accounts:person", player.public_id).url)


def _person(public_id: str) -> Player:
    """The person with this id: the member a guest became. Raises Http404 for computer players and those who are gone."""
    found = Player.objects.select_related("merged_into", "profile").filter(public_id=public_id).first()
    if found is None or not found.page:
        raise Http404
    return found.current


def _parts(shown: Player, viewer: Player | None) -> dict[str, object]:
    """What the person shows to this viewer, by the names in `Profile.shows`, ready to be printed."""
    profile = Profile.objects.filter(player=shown).first()
    if profile is None:
        return {}
    is_you = viewer is not None and viewer.pk == shown.pk
    signed_in = viewer is not None and viewer.is_member
    if not (is_you or profile.audience == Profile.Audience.EVERYBODY or signed_in):
        return {"hidden": True}
    names, cantons = dict(LANGUAGES_SPOKEN), dict(CANTONS)
    every: dict[str, object] = {
        "languages": [str(names[code]) for code in profile.languages if code in names],
        "village": profile.village,
        "canton": str(cantons.get(profile.canton, "")),
        "text": profile.text,
        "time": timezone.now().astimezone(availability.zone_of(shown)),
    }
    return {name: every[name] for name in profile.shows if every.get(name)}


PAGE = 30


@dataclass(frozen=True, slots=True)
class Shown:
    """A report as moderators see it: what was said, the form to settle it, what else is known of the person."""

    report: Report
    evidence: registry.Evidence | None
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
    except account_permissions.NotSuspendable:
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
    page = page_of(request, rows.select_related("player", "by__merged_into").order_by("-at", "-pk"), PAGE)
    return render(request, "account/suspended.html", {"page": page, "tab": "suspended"})


@never_cache
@require_POST
def lift(request: PlayerRequest, public_id: str) -> HttpResponse:
    """End a suspension before its time."""
    moderator = _moderator(request)
    person = get_object_or_404(Player, public_id=public_id)
    if account_permissions.lift(person, by=moderator):
        messages.success(request, _("%(name)s is no longer suspended.") % {"name": person.display_name})
    return redirect("accounts:suspended")


def _act(person: Player, form: SettleForm, moderator: Player) -> None:
    if form.cleaned_data["measure"] == SettleForm.TAKE_DOWN:
        account_permissions.take_down(person)
    elif form.length is not None:
        account_permissions.suspend(person, form.length, form.cleaned_data["told"], by=moderator)


def _listed(request: PlayerRequest, moderator: Player, wrong: tuple[int, SettleForm] | None = None) -> HttpResponse:
    """The page of reports; `wrong` is a form that could not be taken, by the key of its report."""
    settled = request.GET.get("settled") == "1"
    rows = Report.objects.filter(settled_at__isnull=not settled).select_related(
        "about__merged_into", "by__merged_into", "settled_by__merged_into"
    )
    page = page_of(request, rows.order_by("-settled_at" if settled else "created_at", "pk"), PAGE)
    held = account_permissions.standing(row.about for row in page)
    before = dict(
        Report.objects.filter(about__in={row.about_id for row in page})
        .values_list("about")
        .annotate(number=Count("pk"))
        .order_by()
    )
    shown = [
        Shown(
            row,
            registry.evidence_of(row.subject, moderator) if row.subject else None,
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
    player = request.visit.player
    if player is None or not account_permissions.may(player, account_permissions.MODERATOR):
        raise PermissionDenied
    return player
