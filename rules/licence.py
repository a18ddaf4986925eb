"""The licence of the texts and the data of the encyclopedia: chosen by the owner of the site, in one place (the settings).

Until one is chosen, everything that is given out says plainly that none is.
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
    """The licence that `CONTENT_LICENCE_NAME` and `CONTENT_LICENCE_URL` name; None while none is chosen."""
    name, address = settings.CONTENT_LICENCE_NAME, settings.CONTENT_LICENCE_URL
    return Licence(name, address) if name and address else None


def statement() -> str:
    """One sentence on the licence in the active language, for files and feeds; pages link it."""
    licence = chosen()
    if licence is None:
        return _(
            "No licence has been chosen for these texts and data yet. Please ask before you publish them elsewhere."
        )
    return _("Texts and data: %(name)s, %(address)s") % {"name": licence.name, "address": licence.address}
