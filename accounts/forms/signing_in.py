"""Forms of signing up and in. They are allauth's, with our words, our limits, and one more field: the name at the table."""

from __future__ import annotations

from typing import Any, ClassVar, Final

from allauth.account import forms as allauth_forms
from allauth.account.adapter import get_adapter
from allauth.account.models import EmailAddress
from allauth.core import context
from allauth.mfa.base import forms as mfa_forms
from allauth.mfa.totp.forms import ActivateTOTPForm
from allauth.mfa.webauthn.forms import AddWebAuthnForm, EditWebAuthnForm
from django import forms
from django.core.validators import MaxLengthValidator
from django.db import IntegrityError, transaction
from django.http import HttpRequest, HttpResponseBase
from django.utils.translation import gettext_lazy as _

from accounts import names, services
from accounts.choices import time_zones
from accounts.middleware import PlayerRequest, address_of
from accounts.models import NAME_LENGTH, User
from core import limits

KEY_NAME_LENGTH: Final = 60
SIGN_UPS_AN_HOUR: Final = 60
"""Accounts from one address: a club may gather around one router."""
CODES_AN_HOUR: Final = 30
"""Letters with codes that one visitor may cause."""
CODES_TO_ONE: Final = 5
"""Letters with codes that one address gets in an hour."""
TOO_OFTEN: Final = _("That was too often. Please wait a while, and try again.")


class _OwnWords:
    """Puts our labels on the fields of an allauth form, and takes away placeholders, which only repeat the label."""

    labels: ClassVar[dict[str, Any]] = {}
    fields: dict[str, forms.Field]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        kwargs["label_suffix"] = ""
        super().__init__(*args, **kwargs)
        for name, field in self.fields.items():
            field.widget.attrs.pop("placeholder", None)
            if name in self.labels:
                field.label = self.labels[name]
            if name == "password1":
                field.help_text = _("At least eight characters, and not a password that many people use.")


class LoginForm(_OwnWords, allauth_forms.LoginForm):
    """E-mail address and password."""

    labels: ClassVar = {"login": _("E-mail address"), "password": _("Password")}


class AddressTaken(Exception):
    """An account with the address was made after the form had been checked."""


class SignupForm(_OwnWords, allauth_forms.SignupForm):
    """A new account; the guest of this browser becomes its player."""

    labels: ClassVar = {"email": _("E-mail address"), "password1": _("Password")}
    field_order: ClassVar = ["email", "password1", "name"]

    name = forms.CharField(
        label=_("Your name at the table"),
        required=False,
        max_length=NAME_LENGTH,
        help_text=_("Others see it. You can choose it later, and change it whenever you like."),
        widget=forms.TextInput(attrs={"autocomplete": "nickname"}),
    )

    time_zone = forms.CharField(required=False, max_length=64, widget=forms.HiddenInput(attrs={"data-time-zone": ""}))
    """Filled in by the page's script, where there is one."""

    def clean_name(self) -> str:
        """The name as it is stored, or nothing."""
        name: str = self.cleaned_data["name"]
        return names.clean_name(name) if name else ""

    def clean_time_zone(self) -> str:
        """The time zone of the device; nothing where it names none that we know."""
        zone: str = self.cleaned_data["time_zone"]
        return zone if zone in time_zones() else ""

    def clean(self) -> dict[str, Any]:
        """Raises ValidationError where too many accounts were made from one address."""
        cleaned: dict[str, Any] = super().clean()
        visitor = address_of(context.request)
        if not self.errors and not limits.take(
            f"sign-up from {visitor}", rate=SIGN_UPS_AN_HOUR, per=3600, burst=SIGN_UPS_AN_HOUR
        ):
            raise forms.ValidationError(TOO_OFTEN, code="limit")
        return cleaned

    def try_save(self, request: PlayerRequest) -> tuple[User | None, HttpResponseBase | None]:
        """Save all of it or nothing. Raises ``address-taken``, with an error on the form, if the same address has just
        signed up: somebody has pressed the button twice."""
        try:
            with transaction.atomic():
                saved: tuple[User | None, HttpResponseBase | None] = super().try_save(request)
                return saved
        except IntegrityError:
            self.add_error("email", get_adapter().validation_error("email_taken"))
            raise AddressTaken from None

    def save(self, request: PlayerRequest) -> User:
        """Save the user and its player, under the chosen name."""
        user: User = super().save(request)
        player = services.welcome(user, request.visit.guest())
        if self.cleaned_data["name"]:
            names.give(player, self.cleaned_data["name"])
        if self.cleaned_data["time_zone"] and not player.time_zone:
            player.time_zone = self.cleaned_data["time_zone"]
            player.save(update_fields=["time_zone"])
        return user


class ChangePasswordForm(_OwnWords, allauth_forms.ChangePasswordForm):
    """The present password and, twice, a new one."""

    labels: ClassVar = {
        "oldpassword": _("Present password"),
        "password1": _("New password"),
        "password2": _("New password once more"),
    }


class ResetPasswordForm(_OwnWords, allauth_forms.ResetPasswordForm):
    """The address to which a link is sent."""

    labels: ClassVar = {"email": _("E-mail address")}


class ResetPasswordKeyForm(_OwnWords, allauth_forms.ResetPasswordKeyForm):
    """A new password, twice."""

    labels: ClassVar = {"password1": _("New password"), "password2": _("New password once more")}


class ReauthenticateForm(_OwnWords, allauth_forms.ReauthenticateForm):
    """The password once more."""

    labels: ClassVar = {"password": _("Password")}


class ChangeEmailForm(_OwnWords, allauth_forms.AddEmailForm):
    """The address that takes the place of the present one: once confirmed, or at once if that never was confirmed."""

    labels: ClassVar = {"email": _("New e-mail address")}

    def clean_email(self) -> str:
        """The address in lower case. Raises `ValidationError` if another account signs in with it."""
        address: str = super().clean_email()
        if User.objects.filter(email=address).exclude(pk=self.user.pk).exists():
            raise forms.ValidationError(_("There is already an account with this e-mail address."), code="taken")
        return address

    def save(self, request: HttpRequest) -> EmailAddress:
        """Note the new address and send a link to it."""
        if EmailAddress.objects.filter(user=self.user, verified=True).exists():
            waiting: EmailAddress = super().save(request)
            return waiting
        # allauth would delete the only address there is and leave the account without any until the link is opened;
        # but an address that was never confirmed protects nobody, so the new one takes its place.
        with transaction.atomic():
            EmailAddress.objects.filter(user=self.user).delete()
            address = EmailAddress.objects.create(user=self.user, email=self.cleaned_data["email"], primary=True)
            self.user.email = address.email
            self.user.save(update_fields=["email"])
        address.send_confirmation(request)
        return address


class RequestCodeForm(_OwnWords, allauth_forms.RequestLoginCodeForm):
    """The address to which a code is sent."""

    labels: ClassVar = {"email": _("E-mail address")}

    def clean_email(self) -> str:
        """The address. Raises ValidationError where too many codes were asked for, by this visitor or for this address."""
        address: str = super().clean_email()
        visitor = address_of(context.request)
        if not (
            limits.take(f"code from {visitor}", rate=CODES_AN_HOUR, per=3600, burst=CODES_AN_HOUR)
            and limits.take(f"code to {address.lower()}", rate=CODES_TO_ONE, per=3600, burst=CODES_TO_ONE)
        ):
            raise forms.ValidationError(TOO_OFTEN, code="limit")
        return address


class ConfirmCodeForm(_OwnWords, allauth_forms.ConfirmLoginCodeForm):
    """The code from the letter."""

    labels: ClassVar = {"code": _("Code")}


class AuthenticateForm(_OwnWords, mfa_forms.AuthenticateForm):
    """The second factor when signing in: a code of the app, or a recovery code."""

    labels: ClassVar = {"code": _("Code")}


class ReauthenticateCodeForm(_OwnWords, mfa_forms.ReauthenticateForm):
    """The second factor once more, before something is changed."""

    labels: ClassVar = {"code": _("Code")}


class ActivateAppForm(_OwnWords, ActivateTOTPForm):
    """The first code that an authenticator app shows."""

    labels: ClassVar = {"code": _("The code that the app shows now")}


class AddPasskeyForm(_OwnWords, AddWebAuthnForm):
    """A new passkey, and what its owner calls it.

    Every key that is accepted has checked who holds it (a finger, a face, a PIN) and can be found without typing an
    address: there is one kind of passkey here, which signs in by itself and also serves as the second factor.
    """

    labels: ClassVar = {"name": _("What you call it")}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        del self.fields["passwordless"]
        self.fields["name"].widget.attrs["maxlength"] = KEY_NAME_LENGTH
        self.fields["name"].help_text = _("So that you know it again: the phone, the key on your key ring.")

    def clean_name(self) -> str:
        """The name, at most 60 characters; the key exists already, so that a bad name is not refused but made to fit."""
        name: str = super().clean_name()
        return " ".join(name.split())[:KEY_NAME_LENGTH]

    def clean(self) -> dict[str, Any]:
        """The credential, checked by allauth. Raises ValidationError for a key that cannot sign in by itself."""
        cleaned: dict[str, Any] = super().clean()
        credential = cleaned.get("credential") or {}
        properties = (credential.get("clientExtensionResults") or {}).get("credProps") or {}
        if properties.get("rk") is False:
            raise forms.ValidationError(_("This key cannot hold a passkey. Please try another one."), code="plain")
        return cleaned


class RenamePasskeyForm(_OwnWords, EditWebAuthnForm):
    """A passkey's name."""

    labels: ClassVar = {"name": _("What you call it")}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["name"].widget.attrs["maxlength"] = KEY_NAME_LENGTH
        self.fields["name"].validators.append(MaxLengthValidator(KEY_NAME_LENGTH))
