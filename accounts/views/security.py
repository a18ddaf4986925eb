"""Signing in and staying safe: what allauth's pages lack.

Signing up: allauth's page, which also bears that the same form comes twice at once.

One's own data: take them along, or take them away.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from allauth.account.decorators import reauthentication_required
from allauth.account.models import EmailAddress
from allauth.account.views import SignupView
from allauth.usersessions.adapter import get_adapter
from allauth.usersessions.models import UserSession
from django.conf import settings
from django.contrib import messages
from django.contrib.auth import logout
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST

from accounts import privacy
from accounts.forms.signing_in import TOO_OFTEN, AddressTaken, SignupForm
from accounts.middleware import PlayerRequest
from accounts.models import User
from accounts.privacy import erase
from accounts.services import ensure_player
from core import limits
from core.http import require_safe_or_post

View = Callable[..., HttpResponseBase]


@never_cache
@login_required
@require_POST
def end_session(request: HttpRequest, session: int) -> HttpResponseBase:
    """Sign out another browser."""
    row = get_object_or_404(UserSession, pk=session, user_id=request.user.pk)
    if row.is_current():
        return redirect("account_logout")
    get_adapter().end_sessions([row])
    messages.success(request, _("That browser is signed out."))
    return redirect("usersessions_list")


def with_confirmed_address(view: View) -> View:
    """Let a passkey or an app be added only where the address is confirmed, if the site can confirm any.

    Else somebody could sign up with an address that is not theirs and lock its owner out for good.
    """

    @wraps(view)
    def checked(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        asks = settings.ACCOUNT_EMAIL_VERIFICATION != "none" and request.user.is_authenticated
        if asks and not EmailAddress.objects.filter(user_id=request.user.pk, verified=True).exists():
            messages.warning(request, _("Please confirm your e-mail address first."))
            return redirect("account_email")
        return view(request, *args, **kwargs)

    return checked


class SignUp(SignupView):
    """Makes the account, or shows the form again with what is wrong."""

    def form_valid(self, form: SignupForm) -> HttpResponse:
        """Make the account. If somebody else has made it since the form was checked, say so on the form."""
        try:
            response: HttpResponse = super().form_valid(form)
        except AddressTaken:
            response = self.form_invalid(form)
        return response


sign_up = SignUp.as_view()


@never_cache
@login_required
@require_safe_or_post
@reauthentication_required
def export(request: PlayerRequest) -> HttpResponse:
    """Say what is in the file; on request, make it and send it."""
    if request.method != "POST":
        return render(request, "account/export.html")
    player = ensure_player(request)
    if not limits.take(f"export of {player.pk}", rate=5, per=3600, burst=5):
        messages.error(request, TOO_OFTEN)
        return redirect("accounts:export")
    name, kind, content = privacy.as_file(privacy.export_of(player))
    response = HttpResponse(content, content_type=kind)
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    return response


@never_cache
@login_required
@require_safe_or_post
@reauthentication_required
def delete(request: PlayerRequest) -> HttpResponse:
    """Say what will be lost, then delete the account."""
    if request.method != "POST":
        return render(request, "account/delete.html", {"player": ensure_player(request)})
    # Not the lazy object of the request, which would go on saying who it was.
    erase(User.objects.get(email=request.user.get_username()))
    logout(request)
    request.visit.player = None
    messages.success(request, _("Your account is deleted. Thank you for having played here."))
    return redirect("home")
