"""Forms about people. Those of allauth get our words and one more field: what a new member wants to be called."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from allauth.account import forms as allauth_forms
from allauth.account.models import EmailAddress
from django import forms
from django.db import transaction
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from accounts import claims
from accounts.models import NAME_LENGTH, Player, User
from accounts.names import clean_name
from accounts.visits import PlayerRequest


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

    def clean_name(self) -> str:
        """The name as it is stored, or nothing."""
        name: str = self.cleaned_data["name"]
        return clean_name(name) if name else ""

    def save(self, request: PlayerRequest) -> User:
        """Save the user and its player, under the chosen name."""
        user: User = super().save(request)
        player = claims.welcome(user, request.visit.guest())
        if self.cleaned_data["name"]:
            player.name = self.cleaned_data["name"]
            player.save(update_fields=["name"])
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


if TYPE_CHECKING:
    _PlayerForm = forms.ModelForm[Player]
else:
    _PlayerForm = forms.ModelForm


class YouForm(_PlayerForm):
    """What a player may set about themselves: members a name, everybody how the table behaves."""

    class Meta:
        model = Player
        fields = ("name", "hand_order", "one_tap", "bot_pause")
        labels: ClassVar = {"name": _("Your name at the table")}
        help_texts: ClassVar = {
            "one_tap": _("Otherwise the first tap lifts a card and the second plays it."),
            "bot_pause": _("Without it they play at once."),
        }
        widgets: ClassVar = {"name": forms.TextInput(attrs={"autocomplete": "nickname"})}

    def __init__(self, data: Any = None, *, instance: Player) -> None:
        super().__init__(data, instance=instance, label_suffix="")
        if not instance.is_member:
            del self.fields["name"]

    def clean_name(self) -> str:
        """The name as it is stored; nothing brings back the number the site gave."""
        name: str = self.cleaned_data["name"]
        return clean_name(name) if name else ""

    def write(self) -> Player:
        """Save only what this form holds: the row may have changed elsewhere (a guest just claimed) meanwhile."""
        player = self.save(commit=False)
        player.save(update_fields=list(self.fields))
        return player
