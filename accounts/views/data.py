"""One's own data: take them along, or take them away."""

from __future__ import annotations

from allauth.account.decorators import reauthentication_required
from django.contrib import messages
from django.contrib.auth import logout
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from accounts import exporting, limits
from accounts.erasing import erase
from accounts.forms import TOO_OFTEN
from accounts.guests import ensure_player
from accounts.models import User
from accounts.visits import PlayerRequest


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
@reauthentication_required
def export(request: PlayerRequest) -> HttpResponse:
    """Say what is in the file; on request, make it and send it."""
    if request.method != "POST":
        return render(request, "account/export.html")
    player = ensure_player(request)
    if not limits.take(f"export of {player.pk}", rate=5, per=3600, burst=5):
        messages.error(request, TOO_OFTEN)
        return redirect("accounts:export")
    name, kind, content = exporting.as_file(exporting.export_of(player))
    response = HttpResponse(content, content_type=kind)
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    return response


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
@reauthentication_required
def delete(request: PlayerRequest) -> HttpResponse:
    """Say what will be lost, then delete the account."""
    if request.method != "POST":
        return render(request, "account/delete.html", {"player": ensure_player(request)})
    # Not the lazy object of the request, which would go on saying who it was.
    erase(User.objects.get(email=request.user.get_username()))
    logout(request)
    request.player = None
    messages.success(request, _("Your account is deleted. Thank you for having played here."))
    return redirect("home")
