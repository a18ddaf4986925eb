"""Signing up and in: the guest of this browser becomes the member. Connected by `AccountsConfig.ready`."""

from __future__ import annotations

from typing import Any

from allauth.account.signals import user_signed_up
from django.contrib.auth.signals import user_logged_in, user_logged_out
from django.dispatch import receiver
from django.http import HttpRequest

from accounts import claims
from accounts.models import Player, User
from accounts.visits import Visit


# Django's own signal rather than allauth's: it is sent for every way of logging in.
@receiver([user_signed_up, user_logged_in])
def welcome_member(request: HttpRequest, user: User, **_arguments: Any) -> None:
    """Merge the guest of this browser, if any, into the member, and delete the guest cookie."""
    # A login outside of a page (a script, a test's force_login) brings a request that no middleware has seen.
    visit: Visit | None = getattr(request, "visit", None)
    guest = visit.guest() if visit else None
    player: Player = claims.welcome(user, guest)
    if visit:
        visit.forget()
        request.player = player  # type: ignore[attr-defined]  # set by our middleware on every request


@receiver(user_logged_out)
def forget_player(request: HttpRequest, **_arguments: Any) -> None:
    """After logging out nobody is here: the guest cookie went when the member logged in."""
    if hasattr(request, "visit"):
        request.player = None  # type: ignore[attr-defined]  # set by our middleware on every request
