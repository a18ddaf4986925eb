"""The log of signing in and out, and the end of access that somebody else began with a player's address.

Lines of the log name a player by their public id and a visitor by a digest of their address, never by the address itself.
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
"""Sent with the confirmation of an address by somebody who began the account themselves, in another browser."""


def note(event: str, request: HttpRequest | None, player: Player | None = None, **more: object) -> None:
    """Write that something happened with the rights of an account. `more` must name nobody and hold no secret."""
    said = {"player": player.public_id if player is not None else "-", "from": _visitor(request)} | more
    logger.info("%s %s", event, " ".join(f"{name}={value}" for name, value in said.items()))


def end_access(user: User, *, keeps_password: bool = False) -> None:
    """End every way into the account: sessions, the password, tokens, and what apps above registered.

    Second factors stay: none can be added before the address is confirmed, and a mailed code must not replace one.
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
def begin_anew(request: HttpRequest, email_address: EmailAddress, **_arguments: Any) -> None:
    """The first proof of an address ends what others may have begun with it.

    Not so where the browser is signed in to the account already, or where its owner says that they began it elsewhere.
    """
    user = email_address.user
    note("address confirmed", request, _player(user))
    others = EmailAddress.objects.filter(user=user, verified=True).exclude(pk=email_address.pk)
    known = getattr(request, "user", None)
    if others.exists() or (known is not None and known.pk == user.pk) or request.POST.get(MINE) == "yes":
        return
    end_access(user)
    note("access of others ended", request, _player(user))
    messages.warning(
        request,
        _(
            "This is the first proof that the address is yours. To be safe, everything begun with it before has ended: the "
            "password, other sessions and tokens of programs. Under Security you can choose a new password."
        ),
    )


@receiver(allauth_signals.password_reset)
def after_reset(request: HttpRequest, user: User, **_arguments: Any) -> None:
    """Ends the tokens of programs, for a password that had to be reset may have been stolen.

    Where the reset is the first proof of the address, everything else that was begun with it ends too.
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
