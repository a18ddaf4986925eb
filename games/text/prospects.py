"""What comes of the better of two actions and of the other (`domain.bots.prospects`), in the reader's words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from django.utils.translation import gettext as _

from domain.bots.prospects import Prospects
from games.text import figures

FAR_APART: Final = 5
"""Shares in hundredths, and numbers of tricks in hundredths, that differ by less are not told,"""
A_POINT: Final = 30
"""and neither are card points, in hundredths, that differ by less than this."""


def compared(both: Sequence[Prospects], name: str = "", *, fewer: bool = False) -> Iterator[str]:
    """What speaks for the better of the two: where the trick and the I end, what the trick brings, and how many tricks follow
    (`fewer`: tricks and points hurt, as in a Misere). It speaks to whoever decides, or of the player `name`."""
    if not both:
        return
    best, other = both
    told: list[tuple[str, str, object, object]] = []
    if _more(best.trick, other.trick, fewer=fewer):
        own = _("With the better choice this trick goes to your side in %(best)s %% of the cases, with the other in %(other)s %%.")  # fmt: skip
        theirs = _("With the better choice this trick goes to the side of %(name)s in %(best)s %% of the cases, with the other in %(other)s %%.")  # fmt: skip
        told.append((own, theirs, best.trick, other.trick))
    elif _more(best.points, other.points, A_POINT, fewer=fewer):  # who takes more tricks takes their points, too
        own = _("With the better choice this trick brings your side %(best)s card points on average, with the other %(other)s.")  # fmt: skip
        theirs = _("With the better choice this trick brings the side of %(name)s %(best)s card points on average, with the other %(other)s.")  # fmt: skip
        told.append((own, theirs, figures.decimal(best.points / 100), figures.decimal(other.points / 100)))
    if _more(best.bagat, other.bagat, fewer=fewer):
        own = _("With the better choice the I ends with your side in %(best)s %% of the cases, with the other in %(other)s %%.")  # fmt: skip
        theirs = _("With the better choice the I ends with the side of %(name)s in %(best)s %% of the cases, with the other in %(other)s %%.")  # fmt: skip
        told.append((own, theirs, best.bagat, other.bagat))
    if _more(best.tricks, other.tricks, fewer=fewer):
        own = _("With the better choice your side takes %(best)s tricks from this one on, on average, with the other %(other)s.")  # fmt: skip
        theirs = _("With the better choice the side of %(name)s takes %(best)s tricks from this one on, on average, with the other %(other)s.")  # fmt: skip
        told.append((own, theirs, figures.decimal(best.tricks / 100, 2), figures.decimal(other.tricks / 100, 2)))
    for own, theirs, more, less in told:
        yield (theirs if name else own) % {"name": name, "best": more, "other": less}


def _more(best: int, other: int, least: int = FAR_APART, *, fewer: bool) -> bool:
    return (other - best if fewer else best - other) >= least
