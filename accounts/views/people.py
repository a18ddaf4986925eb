"""A player as others see them; blocking and reporting."""

from __future__ import annotations

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import Http404, HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from accounts import blocking, limits, protocols, rhythms
from accounts.choices import CANTONS, LANGUAGES_SPOKEN
from accounts.forms import TOO_OFTEN
from accounts.models import Block, Player, Profile
from accounts.visits import PlayerRequest
from accounts.you_forms import ReportForm

REPORTS_A_DAY = 10
"""Reports one player may make; five of them at once."""


@never_cache
@require_GET
def person(request: PlayerRequest, public_id: str) -> HttpResponse:
    """What somebody tells about themselves, for whom they tell it. Search engines stay away."""
    shown = _person(public_id)
    if shown.public_id != public_id:
        return redirect("accounts:person", shown.public_id)
    viewer = request.player
    known = viewer is not None and viewer.pk != shown.pk
    context = {
        "person": shown,
        "parts": _parts(shown, viewer),
        "facts": protocols.facts_about(shown),
        "is_you": viewer is not None and viewer.pk == shown.pk,
        "can_act": known,
        "blocked": known and viewer is not None and blocking.has_blocked(viewer, shown),
    }
    response = render(request, "account/person.html", context)
    response["X-Robots-Tag"] = "noindex, nofollow"
    return response


@never_cache
@require_POST
def block(request: PlayerRequest, public_id: str) -> HttpResponse:
    """Block somebody."""
    other, player = _person(public_id), request.player
    if player is None:
        return redirect("account_login")
    try:
        blocking.block(player, other)
    except ValidationError as refused:
        messages.error(request, " ".join(refused.messages))
    else:
        messages.success(request, _("%(name)s is blocked.") % {"name": other.display_name})
    return redirect("accounts:person", other.public_id)


@never_cache
@require_POST
def unblock(request: PlayerRequest, public_id: str) -> HttpResponse:
    """Take a block back."""
    other, player = _person(public_id), request.player
    if player is not None and blocking.unblock(player, other):
        messages.success(request, _("%(name)s is no longer blocked.") % {"name": other.display_name})
    if request.POST.get("back") == "list":
        return redirect("accounts:blocked")
    return redirect("accounts:person", other.public_id)


@never_cache
@require_GET
def blocked(request: PlayerRequest) -> HttpResponse:
    """Whom one has blocked."""
    if request.player is None:
        return redirect("accounts:you")
    rows = Block.objects.filter(player=request.player).select_related("blocked__merged_into").order_by("-created_at")
    return render(request, "account/blocked.html", {"player": request.player, "blocks": rows})


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def report(request: PlayerRequest, public_id: str) -> HttpResponse:
    """Tell the moderators about somebody."""
    about, by = _person(public_id), request.player
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
        "time": timezone.now().astimezone(rhythms.zone_of(shown)),
    }
    return {name: every[name] for name in profile.shows if every.get(name)}
