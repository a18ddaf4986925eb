"""How allauth's second factors speak of our people, and draw their codes."""

from __future__ import annotations

import io

import segno
from allauth.mfa.adapter import DefaultMFAAdapter
from allauth.mfa.models import Authenticator
from django.utils.translation import gettext

from accounts.models import User


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
