"""What we ask of allauth beyond its settings: who is kept out and who is written to, names and codes of second factors."""

from __future__ import annotations

import io
import logging
import smtplib
from typing import Any, Final

import segno
from allauth.account.adapter import DefaultAccountAdapter
from allauth.mfa.adapter import DefaultMFAAdapter
from allauth.mfa.models import Authenticator
from django.contrib import messages
from django.http import HttpRequest
from django.utils.translation import gettext

from accounts.middleware import address_of
from accounts.models import User
from core import limits

logger = logging.getLogger(__name__)

SIGN_INS_AN_HOUR: Final = 100
"""Tries at one account, from wherever: far above what a person needs, far below what guessing a password needs."""
NO_ACCOUNT: Final = "account/email/unknown_account"


class AccountAdapter(DefaultAccountAdapter):
    """Nobody is kept out of their account by the wrong passwords of a stranger, nor sent one letter after another."""

    def pre_authenticate(self, request: HttpRequest, **credentials: Any) -> None:
        """Raise ValidationError where too many tries were made: at the account, or at it from this visitor's address."""
        super().pre_authenticate(request, **credentials)
        if not limits.take(f"sign-in to {credentials.get('email', '').lower()}", rate=SIGN_INS_AN_HOUR, per=3600):
            raise self.validation_error("too_many_login_attempts")

    def _get_login_attempts_cache_key(self, request: HttpRequest, **credentials: Any) -> str:
        """Failed tries are counted for each account and visitor; allauth would count all of one account together."""
        return f"{super()._get_login_attempts_cache_key(request, **credentials)}:{address_of(request)}"

    def send_mail(self, template_prefix: str, email: str, context: dict[str, Any]) -> None:
        """Send it; but say only once a day to an address that there is no account with it.

        Where the mail server cannot be reached what was asked for is done all the same, and the page says what to do.
        """
        if template_prefix == NO_ACCOUNT and not limits.take(f"no account: {email.lower()}", rate=1, per=86400):
            return
        try:
            super().send_mail(template_prefix, email, context)
        except (OSError, smtplib.SMTPException) as error:
            logger.error("a letter about an account could not be sent: %s", type(error).__name__)
            messages.error(
                self.request, gettext("The letter could not be sent just now. Ask for another one in a few minutes.")
            )


class SecurityAdapter(DefaultMFAAdapter):
    """Our names for keys; QR codes from the library that also prints them elsewhere."""

    def build_totp_svg(self, url: str) -> str:
        drawn = io.BytesIO()
        segno.make(url, error="m").save(
            drawn, kind="svg", scale=5, border=4, dark="black", light="white", xmldecl=False
        )
        return drawn.getvalue().decode()

    def generate_authenticator_name(self, user: User, type: Authenticator.Type) -> str:
        """What a new key is called until its owner says otherwise."""
        count = Authenticator.objects.filter(user_id=user.pk, type=type).count()
        return gettext("Passkey %(number)d") % {"number": count + 1}


def name_of(user: User) -> str:
    """What devices show beside a passkey, and letters in their greeting: the name at the table, else the address."""
    player = getattr(user, "player", None)
    return player.display_name if player is not None else user.email
