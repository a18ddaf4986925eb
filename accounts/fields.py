"""Form fields for what people write: nothing that one cannot see gets in."""

from __future__ import annotations

from typing import Any

from django import forms

from accounts.names import clean_line, clean_text


class LineField(forms.CharField):
    """A text on one line, with single spaces."""

    def to_python(self, value: Any) -> str:
        """The text. Raises ValidationError for characters that one cannot see."""
        return clean_line(super().to_python(value) or "")


class LinesField(forms.CharField):
    """A text of several lines."""

    widget = forms.Textarea

    def to_python(self, value: Any) -> str:
        """The text. Raises ValidationError for characters that one cannot see."""
        return clean_text(super().to_python(value) or "")
