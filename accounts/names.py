"""What a player may be called."""

from __future__ import annotations

import unicodedata

from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

from accounts.models import NAME_LENGTH

MARKS_IN_A_ROW = 2
"""Combining marks one letter may carry; more would climb out of the line."""


def clean_name(raw: str) -> str:
    """Return `raw` as it is stored: NFC, trimmed, single spaces, at most 40 characters.

    Raises `ValidationError`, in the reader's language, for an empty or too long name, and for characters that one cannot
    see or that turn the line around (controls, direction overrides, unassigned and private ones).
    """
    composed = unicodedata.normalize("NFC", raw)
    # Judged before trimming: str.split would silently swallow the separators among the controls.
    if any(_is_unseen(character) for character in composed.strip(" ")):
        raise ValidationError(_("Please use only characters that can be seen."), code="unseen")
    name = " ".join(composed.split())
    if not any(unicodedata.category(character)[0] in "LN" for character in name):
        raise ValidationError(_("A name needs at least one letter or digit."), code="empty")
    if _longest_run_of_marks(name) > MARKS_IN_A_ROW:
        raise ValidationError(_("There are too many accents on one letter."), code="marks")
    if len(name) > NAME_LENGTH:
        raise ValidationError(
            _("A name has at most %(limit)d characters; this one has %(length)d."),
            code="long",
            params={"limit": NAME_LENGTH, "length": len(name)},
        )
    return name


def _is_unseen(character: str) -> bool:
    """Whether this is a control, format (bidi, zero width), surrogate, private, unassigned or line-separating one."""
    return unicodedata.category(character) in {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}


def _longest_run_of_marks(name: str) -> int:
    longest = run = 0
    for character in name:
        run = run + 1 if unicodedata.category(character) in {"Mn", "Me"} else 0
        longest = max(longest, run)
    return longest
