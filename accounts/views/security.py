"""Signing in and staying safe: what allauth's pages lack."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from allauth.account.models import EmailAddress
from allauth.usersessions.adapter import get_adapter
from allauth.usersessions.models import UserSession
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import get_object_or_404, redirect
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST

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
