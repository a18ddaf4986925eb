"""The form that brings a record along: pasted, or as a file."""

from __future__ import annotations

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts.names import clean_line
from domain.engine import RecordError
from games.imports.models import TITLE_LENGTH
from games.imports.services import LARGEST, Read, read_record
from games.imports.text import trouble


class ImportForm(forms.Form):
    """`brought` is the record once the form is valid. `keeps` says whether its sender may keep it."""

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

    brought: Read

    def __init__(self, *args: object, keeps: bool, **named: object) -> None:
        super().__init__(*args, **{"label_suffix": "", **named})  # type: ignore[arg-type]  # what a form takes
        if not keeps:
            del self.fields["keep"], self.fields["title"]

    def clean_title(self) -> str:
        """One line of visible characters."""
        return clean_line(self.cleaned_data["title"])

    def clean(self) -> dict[str, object]:
        """Read the record by the rules; the file goes before what was pasted."""
        data = super().clean() or {}
        file = data.get("file")
        if file is not None and file.size > LARGEST:
            raise ValidationError(trouble(RecordError("too long", "large")))
        given = file.read() if file is not None else data.get("text", "")
        if not given.strip():
            raise ValidationError(_("Please choose a file, or paste a record."))
        try:
            self.brought = read_record(given)
        except RecordError as error:
            raise ValidationError(trouble(error)) from None
        return data
