"""The form to import a record, and the messages that say what is wrong with a record and what to do about it."""

from __future__ import annotations

from typing import Final

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts.names import clean_line
from core.forms import Form
from domain.engine import IllegalAction, RecordError
from domain.engine.record import PackError
from games.imports.models import TITLE_LENGTH
from games.imports.services import LARGEST, MOST_HANDS, ValidRecord, read_record
from games.selectors import rulesets
from games.selectors.table import why_of
from games.text import table
from rules.text import names

_QUOTED: Final = 80


def record_error_text(error: RecordError) -> str:
    """What is wrong with a record, in one or two sentences: which hand, which action, which rule."""
    if error.code in ("rule", "form", "seat", "ended"):
        return _("Hand %(hand)d, action %(place)d, “%(action)s”: %(why)s") % {
            "hand": error.hand,
            "place": error.place,
            "action": _shortened(error.text),
            "why": _why_illegal(error),
        }
    if error.code == "pack" and isinstance(error.why, PackError):
        return _("Hand %(hand)d: %(why)s") % {"hand": error.hand, "why": _why_no_pack(error.why)}
    template = _ABOUT_HAND.get(error.code) or _ABOUT_ALL.get(error.code)
    if template is None:
        return _("This is not a record of a game that we can read.")
    what = _shortened(error.what)
    about = {"hand": error.hand, "seat": what, "what": what, "games": ", ".join(rulesets.ORDER), "number": MOST_HANDS}
    return str(template) % about


def _why_illegal(error: RecordError) -> str:
    if isinstance(error.why, IllegalAction):
        return table.refusal(why_of(error.why.illegality))
    if error.code == "seat":
        return _("It is the turn of seat %(seat)s. Seats are counted from 0.") % {"seat": error.what}
    if error.code == "ended":
        return _("The hand is over already: nothing can follow here.")
    return _("This is not an action as records write it, such as “1 play CK”.")


_ABOUT_PACK: Final = {
    "double": gettext_lazy("%(card)s (%(code)s) is in the pack twice."),
    "missing": gettext_lazy("%(card)s (%(code)s) is missing from the pack."),
    "foreign": gettext_lazy("%(card)s (%(code)s) does not belong to the pack of this game."),
}


def _why_no_pack(error: PackError) -> str:
    card = _shortened(error.card)
    if error.kind == "unknown":
        return _("“%(card)s” in the pack is not a card. Cards are written as CK, T21 or F.") % {"card": card}
    named = {"card": names.card_short(error.card), "code": card}
    return str(_ABOUT_PACK[error.kind]) % named


_ABOUT_HAND: Final = {
    "hand": gettext_lazy("Hand %(hand)d is not written as in a record: it needs a dealer, a pack and the actions."),
    "dealer": gettext_lazy("Hand %(hand)d names no dealer: that is the number of a seat, counted from 0."),
    "pack": gettext_lazy("Hand %(hand)d has no pack: that is all cards in one line, top first."),
    "actions": gettext_lazy("Hand %(hand)d has no list of actions."),
    "short": gettext_lazy("Hand %(hand)d ends before its last card. Only the last hand of a record may be unfinished."),
    "over": gettext_lazy("Hand %(hand)d comes after the end: the game had all its hands before."),
    "deals": gettext_lazy(
        "Hand %(hand)d is dealt by the wrong player: it is the turn of seat %(seat)s, counted from 0."
    ),
    "long": gettext_lazy("Hand %(hand)d has more actions than any hand can have."),
}
_ABOUT_ALL: Final = {
    "json": gettext_lazy(
        "This is not JSON, so it is not a record. Copy the whole text, from the first brace to the last, or choose the file."
    ),
    "object": gettext_lazy("A record is one JSON object, between braces."),
    "format": gettext_lazy("This is JSON, but not the record of a game: its “format” has to be “troccas-record”."),
    "version": gettext_lazy("The record has a version that this site does not know. It reads version 1."),
    "ruleset": gettext_lazy("The record is of a game that this site does not know. It knows: %(games)s."),
    "ruleset-version": gettext_lazy(
        "The record follows a version of the rules of “%(what)s” that this site does not know."
    ),
    "options": gettext_lazy("The options of the record are not written as a JSON object."),
    "option": gettext_lazy("The option “%(what)s” does not exist in this game, or cannot have this value."),
    "players": gettext_lazy("The record names no players: they are a list of names."),
    "size": gettext_lazy("This game is not played by %(what)s players."),
    "hands": gettext_lazy("The record has no list of hands."),
    "empty": gettext_lazy("There is no hand in this record, so there is nothing to look at."),
    "many": gettext_lazy("A record may have at most %(number)d hands here. Please divide it."),
    "large": gettext_lazy("The record is too long or too deeply nested. A whole game is far smaller than 128 kB."),
}


def _shortened(text: str) -> str:
    """A quotation from the input, shortened to one line of visible characters."""
    line = "".join(letter if letter.isprintable() else " " for letter in text[:_QUOTED])
    return line + ("…" if len(text) > _QUOTED else "")


class ImportForm(Form):
    """The import of a record.

    `brought` is the record once the form is valid; `keeps` says whether its owner may keep it.
    """

    file = forms.FileField(
        label=gettext_lazy("Choose a file"),
        required=False,
        allow_empty_file=True,
        widget=forms.FileInput(attrs={"accept": ".json,application/json"}),
    )
    text = forms.CharField(
        label=gettext_lazy("Or paste the record"),
        required=False,
        strip=True,
        widget=forms.Textarea(
            attrs={"rows": 8, "spellcheck": "false", "autocomplete": "off", "autocapitalize": "off", "class": "record"}
        ),
    )
    title = forms.CharField(
        label=gettext_lazy("A name for it"),
        help_text=gettext_lazy("For your list. You can leave it empty."),
        required=False,
        max_length=TITLE_LENGTH,
    )
    keep = forms.BooleanField(label=gettext_lazy("Keep it among my records"), required=False, initial=True)

    brought: ValidRecord

    def __init__(self, *args: object, keeps: bool, **kwargs: object) -> None:
        super().__init__(*args, **kwargs)
        if not keeps:
            del self.fields["keep"], self.fields["title"]

    def clean_title(self) -> str:
        """The title as one line of visible characters."""
        return clean_line(self.cleaned_data["title"])

    def clean(self) -> dict[str, object]:
        """Read and check the record. A file takes precedence over pasted text."""
        data = super().clean() or {}
        file = data.get("file")
        if file is not None and file.size > LARGEST:
            raise ValidationError(record_error_text(RecordError("too long", "large")))
        content = file.read() if file is not None else data.get("text", "")
        if not content.strip():
            raise ValidationError(_("Please choose a file, or paste a record."))
        try:
            self.brought = read_record(content)
        except RecordError as error:
            raise ValidationError(record_error_text(error)) from None
        return data
