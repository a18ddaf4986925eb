"""Template filters about people: `{% load people %}`. `device_name` turns a user agent into the name of a browser."""

from __future__ import annotations

from typing import Final

from django import template
from django.utils.translation import gettext as _

_BROWSERS: Final = (
    # The order matters: each also claims to be some of those below it.
    ("Edg", "Edge"), ("OPR/", "Opera"), ("SamsungBrowser", "Samsung Internet"), ("Vivaldi", "Vivaldi"),
    ("Firefox", "Firefox"), ("FxiOS", "Firefox"), ("CriOS", "Chrome"), ("Chrome", "Chrome"), ("Chromium", "Chromium"),
    ("Safari", "Safari"),
)  # fmt: skip
_SYSTEMS: Final = (
    ("iPhone", "iPhone"), ("iPad", "iPad"), ("Android", "Android"), ("Windows", "Windows"), ("CrOS", "ChromeOS"),
    ("Macintosh", "Mac"), ("Linux", "Linux"),
)  # fmt: skip


def name_of(user_agent: str) -> str:
    """Browser and system, in the reader's language: "Firefox on Android", or "Unknown browser"."""
    browser = next((name for mark, name in _BROWSERS if mark in user_agent), "")
    system = next((name for mark, name in _SYSTEMS if mark in user_agent), "")
    if browser and system:
        return _("%(browser)s on %(system)s") % {"browser": browser, "system": system}
    return browser or system or _("Unknown browser")


register = template.Library()
register.filter("device_name", name_of)
