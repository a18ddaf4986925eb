"""Greetings, which everybody reads in their own language."""

from __future__ import annotations

from collections.abc import Mapping

from django.utils.translation import gettext as _


def greetings() -> Mapping[str, str]:
    """The greetings by their id, in the reader's language, in the order in which they are offered."""
    return {
        "hello": _("Hello everybody"),
        "have-fun": _("Have a good game"),
        "well-played": _("Well played"),
        "thanks": _("Thank you"),
        "sorry": _("Sorry"),
        "one-moment": _("One moment, please"),
        "back": _("I am back"),
        "goodbye": _("Goodbye"),
    }


def text_of(greeting: str) -> str:
    """A greeting in the reader's language; its id for one that is no longer offered."""
    return greetings().get(greeting, greeting)
