"""The player's own page, and what it says about them to others."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from accounts import names, roles, suspending
from accounts.guests import ensure_player, retire
from accounts.models import Player, Profile
from accounts.visits import PlayerRequest
from accounts.you_forms import ProfileForm


@never_cache
@require_http_methods(["GET", "HEAD"])
def you(request: PlayerRequest) -> HttpResponse:
    """Where one's own pages begin. A stranger sees how to begin, and nothing is made for them."""
    player = own_player(request)
    row = suspending.of(player) if player is not None else None
    context = {
        "player": player,
        "moderates": roles.may(player, roles.MODERATOR),
        "suspended": str(suspending.Suspended(row)) if row is not None else "",
    }
    return render(request, "account/you.html", context)


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
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
        request.player = Player.objects.get(pk=player.pk)
    return render(request, "account/profile.html", {"player": player, "form": form}, status=422 if form.errors else 200)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def forget(request: PlayerRequest) -> HttpResponse:
    """Ask a guest whether this device shall forget them, then do it: the token ends, open games are given up."""
    player = request.player
    if player is None or not player.is_guest:
        return redirect("accounts:you")
    if request.method != "POST":
        return render(request, "account/forget.html", {"player": player})
    retire(player, timezone.now())
    request.player = None
    request.visit.forget()
    messages.success(request, _("This device no longer knows you."))
    return redirect("home")


def own_player(request: PlayerRequest) -> Player | None:
    """The player; for a member without one (made on the command line) a new one."""
    return ensure_player(request) if request.user.is_authenticated else request.player
