"""The licence of the encyclopedia's texts and data: chosen by the owner of the site, in one place (the settings).

Until one is chosen, everything that is exported says plainly that there is none.
"""

from __future__ import annotations

from dataclasses import dataclass

from django.conf import settings
from django.utils.translation import gettext as _


@dataclass(frozen=True, slots=True)
class Licence:
    """A licence by its name and the address of its text."""

    name: str
    address: str


def chosen() -> Licence | None:
    """The licence named by `CONTENT_LICENCE_NAME` and `CONTENT_LICENCE_URL`; None until one is chosen."""
    name, address = settings.CONTENT_LICENCE_NAME, settings.CONTENT_LICENCE_URL
    return Licence(name, address) if name and address else None


def statement() -> str:
    """One sentence about the licence in the active language, for files and feeds; pages link to the licence."""
    licence = chosen()
    if licence is None:
        return _(
            "No licence has been chosen for these texts and data yet. Please ask before you publish them elsewhere."
        )
    return _("Texts and data: %(name)s, %(address)s") % {"name": licence.name, "address": licence.address}
