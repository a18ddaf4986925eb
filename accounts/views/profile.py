"""The player's own page, and what it says about them to others.

The tokens by which one's programs act: made, shown once, revoked.

How the table behaves, which language and clock are one's own, when one plays, and when one is away.
"""

from __future__ import annotations

from typing import Any

from allauth.account.decorators import reauthentication_required
from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from accounts import availability, names, registry, tokens
from accounts import permissions as account_permissions
from accounts.forms.people import AbsenceForm, PlaceForm, ProfileForm, TableForm, TokenForm, WakingHoursForm
from accounts.forms.signing_in import TOO_OFTEN
from accounts.middleware import PlayerRequest
from accounts.models import Absence, PersonalToken, Player, Profile
from accounts.services import ensure_player, retire
from core import limits
from core.http import require_safe_or_post


@never_cache
@require_http_methods(["GET", "HEAD"])
def you(request: PlayerRequest) -> HttpResponse:
    """Where one's own pages begin. A stranger sees how to begin, and nothing is made for them."""
    player = own_player(request)
    row = account_permissions.suspension_of(player) if player is not None else None
    context = {
        "player": player,
        "moderates": account_permissions.may(player, account_permissions.MODERATOR),
        "suspended": str(account_permissions.Suspended(row)) if row is not None else "",
    }
    return render(request, "account/you.html", context)


@never_cache
@login_required
@require_safe_or_post
def profile(request: PlayerRequest) -> HttpResponse:
    """Show and change name and profile."""
    player = ensure_player(request)
    row = Profile.objects.filter(player=player).first() or Profile(player=player)
    row.player = player
    form = ProfileForm(request.POST if request.method == "POST" else None, instance=row)
    if request.method == "POST" and form.is_valid():
        form.write()
        messages.success(request, _("Saved."))
        if names.looks_taken(player):
            messages.warning(
                request,
                _("Somebody else here has a name that looks like yours. You may keep it, but others may mix you up."),
            )
        return redirect("accounts:profile")
    if form.errors:
        # The form may have put what was typed on its instances; the page's head shows what is stored.
        request.visit.player = Player.objects.get(pk=player.pk)
    return render(request, "account/profile.html", {"player": player, "form": form}, status=422 if form.errors else 200)


@never_cache
@require_safe_or_post
def forget(request: PlayerRequest) -> HttpResponse:
    """Ask a guest whether this device shall forget them, then do it: the token ends, open games are given up."""
    player = request.visit.player
    if player is None or not player.is_guest:
        return redirect("accounts:you")
    if request.method != "POST":
        return render(request, "account/forget.html", {"player": player})
    retire(player, timezone.now())
    request.visit.player = None
    request.visit.forget()
    messages.success(request, _("This device no longer knows you."))
    return redirect("home")


def own_player(request: PlayerRequest) -> Player | None:
    """The player; for a member without one (made on the command line) a new one."""
    return ensure_player(request) if request.user.is_authenticated else request.visit.player


@never_cache
@login_required
@require_safe_or_post
@reauthentication_required
def programs(request: PlayerRequest) -> HttpResponse:
    """One's tokens; a new one (POST) is shown on the page that answers, and nowhere again."""
    player = ensure_player(request)
    if request.method != "POST":
        return _page(request, player, TokenForm())
    form = TokenForm(request.POST)
    if not form.is_valid():
        return _page(request, player, form, status=422)
    if not limits.take(f"token:{player.pk}", rate=20, per=3600, burst=20):
        form.add_error(None, TOO_OFTEN)
        return _page(request, player, form, status=429)
    wanted = form.cleaned_data
    try:
        token, raw = tokens.issue_token(player, wanted["name"], wanted["scopes"], days=wanted["days"])
    except tokens.TooManyTokens:
        form.add_error(None, _("You have twenty tokens already. Revoke one that you do not use any more."))
        return _page(request, player, form, status=422)
    return _page(request, player, TokenForm(), made=token, raw=raw)


@never_cache
@login_required
@require_POST
def revoke(request: PlayerRequest, token: int) -> HttpResponse:
    """End one of one's tokens."""
    gone = tokens.revoke_token(ensure_player(request), token)
    if gone is not None:
        messages.success(request, _("The token is revoked: the program can do nothing here any more."))
    return redirect("accounts:programs")


def _page(
    request: PlayerRequest,
    player: Player,
    form: TokenForm,
    *,
    made: PersonalToken | None = None,
    raw: str = "",
    status: int = 200,
) -> HttpResponse:
    rows = [
        {"token": token, "may": [tokens.SCOPES[scope] for scope in token.scopes]} for token in tokens.living(player)
    ]
    context = {"rows": rows, "form": form, "made": made, "raw": raw}
    return render(request, "account/programs.html", context, status=status)


SECTIONS = ("table", "place", "hours", "absence")


@never_cache
@require_safe_or_post
def preferences(request: PlayerRequest) -> HttpResponse:
    """All preferences on one page; each section is saved by itself. A stranger is sent to where one begins."""
    player = own_player(request)
    if player is None:
        return redirect("accounts:you")
    sent = request.POST.get("section") if request.method == "POST" else None
    sections = _sections(request, player, sent)
    if request.method == "POST" and sent in sections:
        form = sections[sent]
        if form.is_valid():
            if not isinstance(form, AbsenceForm):
                form.write()  # type: ignore[attr-defined]  # the other sections all have it
            messages.success(request, _("Saved."))
            return redirect(f"{reverse('accounts:preferences')}#{sent}")
        # The form may have put what was typed on the player; the page's head shows what is stored.
        request.visit.player = Player.objects.get(pk=player.pk)
    today = availability.today_of(player)
    context: dict[str, Any] = {
        "player": player,
        "forms": sections,
        "more": [(section, sections[section.name]) for section in registry.sections],
        "sent": sent,
        "absences": Absence.objects.filter(player=player, last_day__gte=today),
        "year": str(today.year),
        "vacation_left": availability.vacation_left(player, today.year),
        "vacation_days": availability.VACATION_DAYS,
        "zone": availability.zone_of(player).key,
    }
    failed = sent in sections and bool(sections[sent].errors)
    return render(request, "account/preferences.html", context, status=422 if failed else 200)


@never_cache
@require_POST
def come_back(request: PlayerRequest, absence: int) -> HttpResponse:
    """End an absence, or take back one that is planned."""
    player = own_player(request)
    if player is not None and availability.come_back(player, absence):
        messages.success(request, _("You are back."))
    else:
        messages.error(request, _("This absence is over already."))
    return redirect(f"{reverse('accounts:preferences')}#absence")


def _sections(request: PlayerRequest, player: Player, sent: str | None) -> dict[str | None, forms.BaseForm]:
    """The forms of the page by section; the one that was sent holds what was sent."""

    def data(section: str) -> Any:
        return request.POST if sent == section else None

    # Each form of the player's row gets a copy: what was typed in one must not be saved with another.
    own: dict[str | None, forms.BaseForm] = {
        "table": TableForm(data("table"), instance=Player.objects.get(pk=player.pk)),
        "place": PlaceForm(data("place"), instance=Player.objects.get(pk=player.pk)),
        "hours": WakingHoursForm(data("hours"), player=player),
        "absence": AbsenceForm(data("absence"), player=player, today=availability.today_of(player)),
    }
    return own | {section.name: section.form(data(section.name), player) for section in registry.sections}
