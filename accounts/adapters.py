"""What we change in allauth beyond its settings: limits for signing in and mails, a few of its sentences, names of second
factors, QR codes."""

from __future__ import annotations

import io
import logging
import smtplib
from typing import Any, ClassVar, Final

import segno
from allauth.account.adapter import DefaultAccountAdapter
from allauth.mfa.adapter import DefaultMFAAdapter
from allauth.mfa.models import Authenticator
from django.conf import settings
from django.contrib import messages
from django.http import HttpRequest
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts.middleware import address_of
from accounts.models import User
from core import limits

logger = logging.getLogger(__name__)

SIGN_INS_AN_HOUR: Final = 100
"""How many tries at one account are allowed, from any address: far more than a person needs, too few for guessing."""
NO_ACCOUNT: Final = "account/email/unknown_account"


class AccountAdapter(DefaultAccountAdapter):
    """Limits so that a stranger's wrong passwords lock nobody out of an account, and nobody is flooded with mails."""

    error_messages: ClassVar = {
        **DefaultAccountAdapter.error_messages,
        "email_password_mismatch": _("The e-mail address or the password is not right."),
        "email_taken": _("There is already an account with this e-mail address."),
    }

    def pre_authenticate(self, request: HttpRequest, **credentials: Any) -> None:
        """Raise ValidationError after too many tries: at the account, or at the account from this visitor's address."""
        super().pre_authenticate(request, **credentials)
        if not limits.take(f"sign-in to {credentials.get('email', '').lower()}", rate=SIGN_INS_AN_HOUR, per=3600):
            raise self.validation_error("too_many_login_attempts")

    def _get_login_attempts_cache_key(self, request: HttpRequest, **credentials: Any) -> str:
        """A key for each account and visitor. Allauth would count all failed tries at an account together."""
        return f"{super()._get_login_attempts_cache_key(request, **credentials)}:{address_of(request)}"

    def send_mail(self, template_prefix: str, email: str, context: dict[str, Any]) -> None:
        """Send a mail, with whom to write to. Tell an address only once a day that there is no account with it.

        If the mail server cannot be reached, the request succeeds anyway, and the page says what to do.
        """
        if template_prefix == NO_ACCOUNT and not limits.take(f"no account: {email.lower()}", rate=1, per=86400):
            return
        try:
            contact = settings.SECURITY_CONTACT.removeprefix("mailto:") or settings.OPERATOR
            super().send_mail(template_prefix, email, {"contact": contact, **context})
        except (OSError, smtplib.SMTPException) as error:
            logger.error("a letter about an account could not be sent: %s", type(error).__name__)
            messages.error(
                self.request, gettext("The e-mail could not be sent just now. Ask for another one in a few minutes.")
            )


class SecurityAdapter(DefaultMFAAdapter):
    """Our default names for keys, and QR codes from the library that the site also uses elsewhere."""

    def build_totp_svg(self, url: str) -> str:
        svg = io.BytesIO()
        segno.make(url, error="m").save(svg, kind="svg", scale=5, border=4, dark="black", light="white", xmldecl=False)
        return svg.getvalue().decode()

    def generate_authenticator_name(self, user: User, type: Authenticator.Type) -> str:
        """The name of a new key until its owner chooses another."""
        count = Authenticator.objects.filter(user_id=user.pk, type=type).count()
        return gettext("Passkey %(number)d") % {"number": count + 1}


def name_of(user: User) -> str:
    """The name for a passkey on devices and for the greeting in mails: the name at the table, else the address."""
    player = getattr(user, "player", None)
    return player.display_name if player is not None else user.email
