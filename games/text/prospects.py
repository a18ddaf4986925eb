"""What comes of the better of two actions and of the other (`domain.bots.prospects`), in the reader's words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from django.utils.translation import gettext as _

from domain.bots.prospects import Prospects
from games.text import figures

FAR_APART: Final = 5
"""Shares in hundredths, and numbers of tricks in hundredths, that differ by less are not told."""


def compared(both: Sequence[Prospects], name: str = "") -> Iterator[str]:
    """As far as the two differ: where the trick and the I end, and how many tricks follow. It speaks to whoever decides, or of
    the player `name`."""
    if not both:
        return
    best, other = both
    told = []
    if abs(best.trick - other.trick) >= FAR_APART:
        own = _("With the better choice this trick goes to your side in %(best)s %% of the cases, with the other in %(other)s %%.")  # fmt: skip
        theirs = _("With the better choice this trick goes to the side of %(name)s in %(best)s %% of the cases, with the other in %(other)s %%.")  # fmt: skip
        told.append((own, theirs, best.trick, other.trick))
    if abs(best.bagat - other.bagat) >= FAR_APART:
        own = _("With the better choice the I ends with your side in %(best)s %% of the cases, with the other in %(other)s %%.")  # fmt: skip
        theirs = _("With the better choice the I ends with the side of %(name)s in %(best)s %% of the cases, with the other in %(other)s %%.")  # fmt: skip
        told.append((own, theirs, best.bagat, other.bagat))
    if abs(best.tricks - other.tricks) >= FAR_APART:
        own = _("With the better choice your side takes %(best)s tricks from this one on, on average, with the other %(other)s.")  # fmt: skip
        theirs = _("With the better choice the side of %(name)s takes %(best)s tricks from this one on, on average, with the other %(other)s.")  # fmt: skip
        told.append((own, theirs, _tricks(best), _tricks(other)))
    for own, theirs, more, less in told:
        yield (theirs if name else own) % {"name": name, "best": more, "other": less}


def _tricks(found: Prospects) -> str:
    return figures.decimal(found.tricks / 100, 2)
