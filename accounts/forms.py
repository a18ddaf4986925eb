"""Forms about people: profile, table preferences, absences, tokens, reports; and allauth's forms for signing up and in.

To allauth's forms we add our words, our limits, and one more field: the name at the table.
"""

from __future__ import annotations

from datetime import date, timedelta
from itertools import permutations
from typing import Any, ClassVar, Final

from allauth.account import forms as allauth_forms
from allauth.account.adapter import get_adapter
from allauth.account.models import EmailAddress
from allauth.core import context
from allauth.mfa.base import forms as mfa_forms
from allauth.mfa.totp.forms import ActivateTOTPForm
from allauth.mfa.webauthn.forms import AddWebAuthnForm, EditWebAuthnForm
from django import forms
from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.validators import MaxLengthValidator
from django.db import IntegrityError, transaction
from django.http import HttpRequest, HttpResponseBase
from django.urls import reverse
from django.utils.dates import WEEKDAYS
from django.utils.html import format_html, format_html_join
from django.utils.translation import gettext, ngettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from accounts import availability, names, services, tokens
from accounts import permissions as account_permissions
from accounts.choices import LANGUAGES_SPOKEN, canton_choices, time_zone_choices, time_zones
from accounts.middleware import PlayerRequest, address_of
from accounts.models import NAME_LENGTH, SUITS, TOKEN_NAME_LENGTH, Player, Profile, Report, User
from accounts.names import LineField, LinesField
from accounts.registry import suit_names
from core import limits
from core.forms import Form, LanguageSelect, ModelForm
from core.sursilvan import joined

STEP: Final = 30
"""Waking hours are chosen in steps of this many minutes."""

SHOWN_PARTS: Final = (
    ("languages", _("languages")),
    ("village", _("village or town")),
    ("canton", _("canton")),
    ("text", _("what you write about yourself")),
    ("time", _("what time it is where you are")),
)


class _OneSection(ModelForm[Player]):
    """A section of the preferences.

    It only saves its own fields, since the row may have changed elsewhere in the meantime.
    """

    def write(self) -> Player:
        player = self.save(commit=False)
        player.save(update_fields=list(self.fields))
        return player


def _suit_orders() -> list[tuple[str, str]]:
    """Every order of the four suits, in words."""
    names_of_suits = {letter: name(letter) for name in suit_names for letter in SUITS}
    orders = permutations(SUITS)
    return [("".join(order), joined(", ", [names_of_suits[letter] for letter in order])) for order in orders]


class TableForm(_OneSection):
    suit_order = forms.ChoiceField(
        label=_("Order of the suits in your hand"), required=False, choices=_suit_orders, initial=SUITS
    )

    def clean_suit_order(self) -> str:
        return self.cleaned_data["suit_order"] or self.instance.suit_order

    def clean_forced_cards(self) -> str:
        return self.cleaned_data["forced_cards"] or self.instance.forced_cards

    class Meta:
        model = Player
        fields = (
            "bot_speed", "waits_after_trick", "forced_cards", "small_cards", "one_tap", "hand_order", "suit_order", "trumps_first",
            "sounds", "vibrates", "confirm_plays", "next_game",
        )  # fmt: skip
        help_texts: ClassVar = {
            "one_tap": _("Otherwise the first tap lifts a card and the second plays it."),
            "confirm_plays": _("At tables with days for each card, where a slip of the finger costs more."),
            "waits_after_trick": _("Alone with computer players: a finished trick lies there until you go on."),
            "forced_cards": _(
                "If the rules leave exactly one card, and for the last card of a hand. With other people at the"
                " table, the site waits as long as you usually do, so that nobody learns anything from it. "
                "Where a move may take days, it also cuts for you."
            ),
            "small_cards": _(
                "If none of your cards takes the trick and all are worth the same, the lowest is played for you"
                " after as long as you usually take, unless you want to be asked for forced cards. Slow games "
                "are over sooner that way."
            ),
            "sounds": _("For your turn, for cards, for a trick and for a call."),
            "vibrates": _("On phones that can."),
            "next_game": _("Otherwise you stay at the table where you have just played."),
        }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["forced_cards"].required = False  # if it is not sent, it stays as it was


def _usual_zone() -> str:
    """The label for choosing no time zone. The message is outside of the f-string, where it would not be extracted."""
    usual = gettext("the usual one here")
    return f"{settings.TIME_ZONE} ({usual})"


class PlaceForm(_OneSection):
    """The language in which we write to the player, and their time zone."""

    language = forms.ChoiceField(
        label=_("Language of e-mails and messages"),
        required=False,
        choices=lambda: [("", gettext("the one I last used here")), *settings.INTERFACE_LANGUAGES],
        widget=LanguageSelect,
    )
    time_zone = forms.ChoiceField(
        label=_("Time zone"),
        required=False,
        choices=lambda: [("", _usual_zone()), *time_zone_choices()],
        help_text=_("Times and deadlines are told in it, and your waking hours are counted in it."),
    )

    class Meta:
        model = Player
        fields = ("language", "time_zone")


class WakingHoursForm(Form):
    """The waking hours on each day of the week. A day without hours is off."""

    def __init__(self, data: Any = None, *, player: Player) -> None:
        self.player = player
        super().__init__(data)
        choices = [
            ("", gettext("off")),
            *((str(minute), clock(minute)) for minute in range(0, availability.DAY + 1, STEP)),
        ]
        for day, span in enumerate(availability.availability_of(player).waking):
            start, end = span or ("", "")
            for part, value, label in (("from", start, _("from")), ("to", end, pgettext_lazy("hour", "to"))):
                self.fields[f"{part}_{day}"] = forms.ChoiceField(
                    label=label, required=False, choices=choices, initial=str(value)
                )

    def days(self) -> list[tuple[str, forms.BoundField, forms.BoundField]]:
        return [(str(WEEKDAYS[day]), self[f"from_{day}"], self[f"to_{day}"]) for day in range(7)]

    def clean(self) -> dict[str, Any]:
        """Make the `week`. Raises ValidationError for a day with only a beginning or an end, or for hours that
        `availability.check_week` refuses."""
        cleaned = super().clean() or {}
        if self.errors:
            return cleaned
        week: list[availability.Span | None] = []
        for day in range(7):
            start, end = cleaned[f"from_{day}"], cleaned[f"to_{day}"]
            if (start == "") != (end == ""):
                raise ValidationError(_("A day needs both a beginning and an end, or neither."), code="half")
            week.append((int(start), int(end)) if start else None)
        availability.check_week(week)
        cleaned["week"] = tuple(week)
        return cleaned

    def write(self) -> None:
        availability.keep_week(self.player, self.cleaned_data["week"])


class AbsenceForm(Form):
    use_required_attribute = False  # on the page it is in one form with all other preferences
    first_day = forms.DateField(label=_("First day away"), widget=forms.DateInput({"type": "date"}, format="%Y-%m-%d"))
    last_day = forms.DateField(label=_("Last day away"), widget=forms.DateInput({"type": "date"}, format="%Y-%m-%d"))

    def __init__(self, data: Any = None, *, player: Player, today: date) -> None:
        self.player = player
        super().__init__(data)
        for name in self.fields:
            self.fields[name].widget.attrs |= {"min": str(today), "max": str(today + availability.AHEAD)}

    def write(self) -> None:
        """Plan the absence. Raises the ValidationError of `availability.plan`, which is also added to the form."""
        try:
            availability.plan(self.player, self.cleaned_data["first_day"], self.cleaned_data["last_day"])
        except ValidationError as error:
            self.add_error(None, error)
            raise


class NameField(forms.CharField):
    """The name at the table; may be empty."""

    def __init__(self, help_text: Any) -> None:
        widget = forms.TextInput(attrs={"autocomplete": "nickname"})
        label = _("Your name at the table")
        super().__init__(label=label, required=False, max_length=NAME_LENGTH, help_text=help_text, widget=widget)

    def clean(self, value: Any) -> str:
        """The name as it is stored. Raises ValidationError for a name that nobody may have."""
        name: str = super().clean(value)
        return names.clean_name(name) if name else ""


class ProfileForm(ModelForm[Profile]):
    name = NameField(_("Everybody at the table sees it. Without one you are called by your number."))
    languages = forms.MultipleChoiceField(
        label=_("Languages you speak"),
        required=False,
        choices=LANGUAGES_SPOKEN,
        widget=forms.CheckboxSelectMultiple,
    )
    canton = forms.ChoiceField(label=_("Canton"), required=False, choices=canton_choices)
    shows = forms.MultipleChoiceField(
        label=_("What others may see"),
        required=False,
        choices=SHOWN_PARTS,
        widget=forms.CheckboxSelectMultiple,
    )

    class Meta:
        model = Profile
        fields = ("languages", "village", "canton", "text", "shows", "audience")
        labels: ClassVar = {
            "village": _("Village or town"),
            "text": _("About you"),
            "audience": _("Who may open your page"),
        }
        help_texts: ClassVar = {"text": _("Five hundred characters at most.")}
        field_classes: ClassVar = {"village": LineField, "text": LinesField}
        widgets: ClassVar = {
            "text": forms.Textarea(attrs={"rows": 4}),
            "village": forms.TextInput(attrs={"autocomplete": "address-level2"}),
            "audience": forms.RadioSelect,
        }

    field_order = ["name", "languages", "village", "canton", "text", "shows", "audience"]

    def __init__(self, data: Any = None, *, instance: Profile) -> None:
        super().__init__(data, instance=instance, initial={"name": instance.player.name})

    def write(self) -> Profile:
        profile: Profile = self.save()
        names.give(profile.player, self.cleaned_data["name"])
        return profile


class ReportForm(ModelForm[Report]):
    class Meta:
        model = Report
        fields = ("reason", "text", "context")
        labels: ClassVar = {"reason": _("What is the matter?"), "text": _("What happened?")}
        help_texts: ClassVar = {"text": _("A few sentences are enough; say where and when.")}
        widgets: ClassVar = {
            "reason": forms.RadioSelect,
            "text": forms.Textarea(attrs={"rows": 5}),
            "context": forms.HiddenInput,
        }

    def __init__(self, data: Any = None, *, context: str = "") -> None:
        super().__init__(data, initial={"context": context})
        self.offer("reason", Report.Reason.choices)  # no "---------" among the reasons

    def clean_text(self) -> str:
        """The text, of visible characters.

        Raises ValidationError if the reason is "something else" and there is no text.
        """
        text = names.clean_text(self.cleaned_data["text"])
        if not text and self.cleaned_data.get("reason") == Report.Reason.OTHER:
            raise ValidationError(_("Please say what happened."), code="required")
        return text

    def clean_context(self) -> str:
        path: str = self.cleaned_data["context"]
        return path if path.startswith("/") and not path.startswith("//") and path.isprintable() else ""


def clock(minute: int) -> str:
    """Minutes after midnight as a time: 480 is 08:00, 1440 is 24:00."""
    return f"{minute // 60:02}:{minute % 60:02}"


class TokenForm(Form):
    """The form for a new token: the name of the program, what it may do, and for how long."""

    name = LineField(
        label=_("Name of the program"),
        help_text=_("So that you know later which one it is."),
        max_length=TOKEN_NAME_LENGTH,
        error_messages={"required": _("Write a name, for example what the program does.")},
    )
    scopes = forms.MultipleChoiceField(
        label=_("What it may do"),
        help_text=_("It may always see what you see: your games, the open tables, games that may be watched."),
        required=False,
        choices=[(scope, words) for scope, words in tokens.SCOPES.items() if scope != tokens.READ],
        widget=forms.CheckboxSelectMultiple,
    )
    by_hand = forms.BooleanField(
        label=_("It is an app in which I play myself"),
        help_text=_(
            "Leave it empty for a program that decides what is played. As soon as such a program sits down or acts, everybody reads “Program” before your name, and that stays: give it an account of its own."
        ),
        required=False,
    )
    days = forms.TypedChoiceField(
        label=_("How long"),
        required=False,
        coerce=int,
        empty_value=None,
        initial=90,
        choices=lambda: [
            *((n, ngettext("%(n)d day", "%(n)d days", n) % {"n": n}) for n in tokens.LIFETIMES),
            ("", gettext("until I revoke it")),
        ],
    )


class SettleForm(Form):
    """A moderator's answer to a report: a measure, a reason for the person, and a note for other moderators."""

    TAKE_DOWN = "take-down"

    measure = forms.ChoiceField(
        label=_("Measure"),
        required=False,
        choices=lambda: [
            ("", _("none")),
            (SettleForm.TAKE_DOWN, _("take down the name and what the page tells")),
            *(
                (str(each), ngettext("suspend for %(n)d day", "suspend for %(n)d days", each) % {"n": each})
                for each in (length.days for length in account_permissions.LENGTHS)
            ),
        ],
    )
    told = LineField(
        label=_("Reason, as the person reads it"),
        help_text=_("Needed for a suspension. They also read until when it holds."),
        max_length=300,
        required=False,
    )
    outcome = LineField(
        label=_("What was done"),
        help_text=_("For moderators only."),
        max_length=300,
        error_messages={"required": _("Please say in a few words what was done.")},
    )

    @property
    def length(self) -> timedelta | None:
        """How long to suspend the person; None for not at all. Only for a valid form."""
        measure = self.cleaned_data["measure"]
        return timedelta(days=int(measure)) if measure.isdecimal() else None

    def clean(self) -> None:
        """Refuse a suspension without a reason for the person, and a reason that they would not read."""
        data = self.cleaned_data
        if "measure" not in data or "told" not in data:
            return
        if data["measure"].isdecimal() and not data["told"]:
            self.add_error("told", _("Please write why: the person reads it."))
        if not data["measure"] and data["told"]:
            self.add_error(
                "told", _("The person reads this only with a measure. Choose one, or write it under “What was done”.")
            )


KEY_NAME_LENGTH: Final = 60
SIGN_UPS_AN_HOUR: Final = 60
SIGN_UP_TRIES_AN_HOUR: Final = 120
"""How many accounts may be created or tried from one IP address: a whole club may use one router."""
CODES_AN_HOUR: Final = 30
"""How many mails with codes or links one visitor may request in an hour."""
CODES_TO_ONE: Final = 5
"""How many mails with codes or links one address gets in an hour."""
TOO_OFTEN: Final = _("That was too often. Please wait a while, and try again.")


class _OwnWords:
    """Puts our labels on the fields of an allauth form, and removes placeholders, which only repeat the label."""

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


def _labelled(form: type[Any], **labels: Any) -> type[Any]:
    """An allauth form with our labels."""
    return type(form.__name__, (_OwnWords, form), {"labels": labels})


_CODE: Final = _("Code")
_ADDRESS: Final = _("E-mail address")
_PASSWORD: Final = _("Password")
_SAME_TWICE: Final = _("You must type the same password each time.")
"""A sentence of allauth's, which is here so that our catalogues have it in better German."""
_NEW_PASSWORDS: Final = {"password1": _("New password"), "password2": _("New password once more")}
LoginForm = _labelled(allauth_forms.LoginForm, login=_ADDRESS, password=_PASSWORD)
ResetPasswordKeyForm = _labelled(allauth_forms.ResetPasswordKeyForm, **_NEW_PASSWORDS)
ReauthenticateForm = _labelled(allauth_forms.ReauthenticateForm, password=_PASSWORD)
ConfirmCodeForm = _labelled(allauth_forms.ConfirmLoginCodeForm, code=_CODE)
# The second factor, by an app or a recovery code: when signing in, before a change, and for the first code of an app.
AuthenticateForm = _labelled(mfa_forms.AuthenticateForm, code=_CODE)
ReauthenticateCodeForm = _labelled(mfa_forms.ReauthenticateForm, code=_CODE)
ActivateAppForm = _labelled(ActivateTOTPForm, code=_("The code that the app shows now"))


class ChangePasswordForm(_OwnWords, allauth_forms.ChangePasswordForm):
    labels: ClassVar = {"oldpassword": _("Present password"), **_NEW_PASSWORDS}
    end_tokens = forms.BooleanField(
        label=_("End the tokens of my programs, too"),
        required=False,
        help_text=_("Other browsers are signed out in any case."),
    )
    """Read by `accounts.security.after_change`."""


class AddressTaken(Exception):
    """An account with the address was created after the form had been checked."""


def _with_ways(error: ValidationError) -> ValidationError:
    """The same error; if it says that there is already an account, with links to what its owner can do."""
    if error.code != "email_taken":
        return error
    ways = (("account_login", gettext("Sign in")), ("account_reset_password", gettext("Choose a new password")))
    links = format_html_join(" · ", '<a href="{}">{}</a>', ((reverse(view), words) for view, words in ways))
    return ValidationError(format_html("{} {}", error.message, links), code=error.code)


class SignupForm(_OwnWords, allauth_forms.SignupForm):
    """The form for a new account. The guest of this browser becomes its player."""

    labels: ClassVar = {"email": _ADDRESS, "password1": _PASSWORD}
    field_order: ClassVar = ["email", "password1", "name"]

    name = NameField(_("Others see it. You can choose it later, and change it whenever you like."))
    time_zone = forms.CharField(required=False, max_length=64, widget=forms.HiddenInput(attrs={"data-time-zone": ""}))
    """Filled in by the page's script, if scripts are enabled."""

    def clean_time_zone(self) -> str:
        """The time zone of the device; empty if it is unknown."""
        zone: str = self.cleaned_data["time_zone"]
        return zone if zone in time_zones() else ""

    def clean_email(self) -> str:
        """The address.

        Raises ValidationError if it has an account, or after too many tries: each visitor is told only a limited number
        of times an hour, so that nobody can find out who has an account by trying addresses.
        """
        visitor = address_of(context.request)
        if not limits.take(f"sign-up tried from {visitor}", rate=SIGN_UP_TRIES_AN_HOUR, per=3600):
            raise forms.ValidationError(TOO_OFTEN, code="limit")
        try:
            email: str = super().clean_email()
        except ValidationError as error:
            raise _with_ways(error) from None
        return email

    def clean(self) -> dict[str, Any]:
        """Raise ValidationError if too many accounts were created from one IP address."""
        cleaned: dict[str, Any] = super().clean()
        visitor = address_of(context.request)
        if not self.errors and not limits.take(f"sign-up from {visitor}", rate=SIGN_UPS_AN_HOUR, per=3600):
            raise forms.ValidationError(TOO_OFTEN, code="limit")
        return cleaned

    def try_save(self, request: PlayerRequest) -> tuple[User | None, HttpResponseBase | None]:
        """Save everything or nothing.

        Raises AddressTaken, with an error on the form, if the same address has just signed up, for example because
        somebody pressed the button twice.
        """
        try:
            with transaction.atomic():
                result: tuple[User | None, HttpResponseBase | None] = super().try_save(request)
                return result
        except IntegrityError:
            self.add_error("email", _with_ways(get_adapter().validation_error("email_taken")))
            raise AddressTaken from None

    def save(self, request: PlayerRequest) -> User:
        user: User = super().save(request)
        player = services.welcome(user, request.visit.guest())
        if self.cleaned_data["name"]:
            names.give(player, self.cleaned_data["name"])
        if self.cleaned_data["time_zone"] and not player.time_zone:
            player.time_zone = self.cleaned_data["time_zone"]
            player.save(update_fields=["time_zone"])
        return user


class ChangeEmailForm(_OwnWords, allauth_forms.AddEmailForm):
    """The form for a new address.

    It replaces the present one when it is confirmed, or at once if the present one never was.
    """

    labels: ClassVar = {"email": _("New e-mail address")}

    def clean_email(self) -> str:
        """The address in lower case. Raises `ValidationError` if another account signs in with it."""
        address: str = super().clean_email()
        if User.objects.filter(email=address).exclude(pk=self.user.pk).exists():
            raise forms.ValidationError(_("There is already an account with this e-mail address."), code="taken")
        return address

    def save(self, request: HttpRequest) -> EmailAddress:
        if EmailAddress.objects.filter(user=self.user, verified=True).exists():
            waiting: EmailAddress = super().save(request)
            return waiting
        # allauth would delete the only address and leave the account without one until the link is opened. But an
        # address that was never confirmed protects nobody, so the new one replaces it at once.
        with transaction.atomic():
            EmailAddress.objects.filter(user=self.user).delete()
            address = EmailAddress.objects.create(user=self.user, email=self.cleaned_data["email"], primary=True)
            self.user.email = address.email
            self.user.save(update_fields=["email"])
        address.send_confirmation(request)
        return address


class _SendsMail(_OwnWords):
    """A form that sends a mail to whatever address is typed."""

    labels: ClassVar = {"email": _ADDRESS}

    def clean_email(self) -> str:
        """The address. Raises ValidationError after too many mails, requested by this visitor or for this address."""
        address: str = super().clean_email()  # type: ignore[misc]  # every form that has this as a base has allauth's beside it
        visitor = address_of(context.request)
        if not (
            limits.take(f"code from {visitor}", rate=CODES_AN_HOUR, per=3600)
            and limits.take(f"code to {address.lower()}", rate=CODES_TO_ONE, per=3600)
        ):
            raise forms.ValidationError(TOO_OFTEN, code="limit")
        return address


class RequestCodeForm(_SendsMail, allauth_forms.RequestLoginCodeForm):
    pass


class ResetPasswordForm(_SendsMail, allauth_forms.ResetPasswordForm):
    pass


class AddPasskeyForm(_OwnWords, AddWebAuthnForm):
    """The form for a new passkey and its name.

    Every accepted key has verified its user (finger, face, PIN) and works without typing an address. So there is one
    kind of passkey here, which is enough to sign in and also serves as the second factor.
    """

    labels: ClassVar = {"name": _("What you call it")}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        del self.fields["passwordless"]
        self.fields["name"].widget.attrs["maxlength"] = KEY_NAME_LENGTH
        self.fields["name"].help_text = _("So that you know it again: the phone, the key on your key ring.")

    def clean_name(self) -> str:
        """The name, cut to 60 characters. It is not refused, because the key exists already."""
        name: str = super().clean_name()
        return " ".join(name.split())[:KEY_NAME_LENGTH]

    def clean(self) -> dict[str, Any]:
        """The credential, checked by allauth. Raises ValidationError for a key that is not enough to sign in."""
        cleaned: dict[str, Any] = super().clean()
        credential = cleaned.get("credential") or {}
        properties = (credential.get("clientExtensionResults") or {}).get("credProps") or {}
        if properties.get("rk") is False:
            raise forms.ValidationError(_("This key cannot hold a passkey. Please try another one."), code="plain")
        return cleaned


class RenamePasskeyForm(_OwnWords, EditWebAuthnForm):
    labels: ClassVar = {"name": _("What you call it")}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["name"].widget.attrs["maxlength"] = KEY_NAME_LENGTH
        self.fields["name"].validators.append(MaxLengthValidator(KEY_NAME_LENGTH))
