"""The player's own page."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from accounts.forms import YouForm
from accounts.guests import ensure_player, retire
from accounts.models import Player
from accounts.visits import PlayerRequest


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def you(request: PlayerRequest) -> HttpResponse:
    """Show and change name and preferences. A stranger sees how to begin, and nothing is made for them."""
    player = _player(request)
    if player is None:
        return render(request, "account/you.html", {"player": None})
    form = YouForm(request.POST if request.method == "POST" else None, instance=player)
    if request.method == "POST" and form.is_valid():
        form.write()
        messages.success(request, _("Saved."))
        return redirect("accounts:you")
    if form.errors:
        # The form has put what was typed on its instance; the page's head shows what is stored.
        request.player = Player.objects.get(pk=player.pk)
    return render(request, "account/you.html", {"player": player, "form": form}, status=422 if form.errors else 200)


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


def _player(request: PlayerRequest) -> Player | None:
    """The player; for a member without one (made on the command line) a new one."""
    return ensure_player(request) if request.user.is_authenticated else request.player
