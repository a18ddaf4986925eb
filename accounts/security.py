"""The security log, and ending access that somebody else has set up with a player's address.

The log names players by their public id and visitors by a digest of their address, never by the address itself.
"""

from __future__ import annotations

import logging
from typing import Any

from allauth.account import signals as allauth_signals
from allauth.account.models import EmailAddress
from allauth.usersessions.models import UserSession
from django.contrib import messages
from django.contrib.auth.models import AbstractBaseUser
from django.contrib.auth.signals import user_logged_in, user_logged_out, user_login_failed
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.dispatch import receiver
from django.http import HttpRequest
from django.utils.crypto import salted_hmac
from django.utils.translation import gettext as _

from accounts import permissions, registry, tokens
from accounts.middleware import address_of
from accounts.models import Player, User

logger = logging.getLogger("security")
MINE = "mine"
"""A field of the form that confirms an address: "yes" means that its owner created the account in another browser."""


def note(event: str, request: HttpRequest | None, player: Player | None = None, **more: object) -> None:
    """Log an event about the rights of an account. `more` must not contain names or secrets."""
    fields = {"player": player.public_id if player is not None else "-", "from": _visitor(request)} | more
    logger.info("%s %s", event, " ".join(f"{name}={value}" for name, value in fields.items()))


def end_access(user: User, *, keeps_password: bool = False) -> None:
    """End every way into the account: sessions, the password, tokens, and what apps above have registered.

    Second factors are kept: none can be added before the address is confirmed, and a mailed code must not replace one.
    """
    with transaction.atomic():
        if not keeps_password:
            user.set_unusable_password()
            user.save(update_fields=["password"])
        for session in UserSession.objects.filter(user=user):
            session.end()
        player = Player.objects.filter(user=user).first()
        if player is not None:
            tokens.revoke_programs(player)
            for end in registry.ways_in:
                end(player)


@receiver(allauth_signals.email_confirmed)
def end_access_of_others(request: HttpRequest, email_address: EmailAddress, **_arguments: Any) -> None:
    """When an address is confirmed for the first time, end the access that others may have set up with it.

    Except if this browser is signed in to the account already, or its owner says that they created it elsewhere
    (`MINE`).
    """
    user = email_address.user
    note("address confirmed", request, _player(user))
    others = EmailAddress.objects.filter(user=user, verified=True).exclude(pk=email_address.pk)
    visitor = getattr(request, "user", None)
    if others.exists() or (visitor is not None and visitor.pk == user.pk) or request.POST.get(MINE) == "yes":
        return
    end_access(user)
    note("access of others ended", request, _player(user))
    messages.warning(
        request,
        _(
            "This is the first proof that the address is yours. To be safe, everything begun with it before has ended: the "
            "password, other sessions and tokens of programs. Under “Signing in” you can choose a new password."
        ),
    )


@receiver(allauth_signals.password_reset)
def after_reset(request: HttpRequest, user: User, **_arguments: Any) -> None:
    """Revoke the tokens of programs, because a password that had to be reset may have been stolen.

    If the reset also confirms the address for the first time, end all other access that was set up with it.
    """
    address = EmailAddress.objects.filter(user=user, email=user.email).first()
    if address is not None and not address.verified:
        address.verified = True
        address.save(update_fields=["verified"])
        end_access(user, keeps_password=True)
    elif (player := _player(user)) is not None:
        tokens.revoke_programs(player)
    note("password reset", request, _player(user))


@receiver([allauth_signals.password_changed, allauth_signals.password_set])
def after_change(request: HttpRequest, user: User, **_arguments: Any) -> None:
    player = _player(user)
    if player is not None and request.POST.get("end_tokens"):
        tokens.revoke_programs(player)
    note("password changed", request, player)


@receiver(allauth_signals.user_signed_up)
def signed_up(request: HttpRequest, user: User, **_arguments: Any) -> None:
    note("signed up", request, _player(user))


@receiver(user_logged_in)
def signed_in(request: HttpRequest, user: User, **_arguments: Any) -> None:
    player = _player(user)
    note("signed in", request, player)
    if player is not None and permissions.role_rests(player):
        messages.warning(
            request,
            _("You have a role here. It rests until you have set up a passkey or an app under “Signing in”."),
            fail_silently=True,
        )


@receiver(user_logged_out)
def signed_out(request: HttpRequest, user: User | None, **_arguments: Any) -> None:
    if user is not None:
        note("signed out", request, _player(user))


@receiver(user_login_failed)
def sign_in_failed(request: HttpRequest | None = None, **_arguments: Any) -> None:
    note("sign-in failed", request)


@receiver([allauth_signals.email_changed, allauth_signals.email_added])
def address_changed(request: HttpRequest, user: User, **_arguments: Any) -> None:
    note("address changed", request, _player(user))


def _player(user: AbstractBaseUser) -> Player | None:
    return Player.objects.filter(user_id=user.pk).first()


def _visitor(request: HttpRequest | None) -> str:
    try:
        return salted_hmac("visitor", address_of(request)).hexdigest()[:12] if request is not None else "-"
    except PermissionDenied:
        return "-"
