"""Whether a seat has anything to decide at all. Read from its view alone, so that it may be asked for any player."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

from games.engine.legal import LegalArrangement, LegalPlays, LegalWords

if TYPE_CHECKING:
    from games.engine.actions import Action
    from games.engine.view import View


def forced(view: View) -> Action | None:
    """The only thing the viewer can do; None if it is not their turn or there is a choice.

    Two actions that come to the same are still a choice: a card with a knock and without, a word with a phrase and
    without.
    """
    legal = view.legal
    if len(legal) != 1:
        return None
    if isinstance(legal, LegalPlays) and legal.knocks:
        return None
    if isinstance(legal, LegalWords) and legal.talk:
        return None
    if isinstance(legal, LegalArrangement) and len(legal.pile) > 1:
        return None
    return next(islice(legal, 1))


def plainly_forced(view: View) -> bool:
    """Whether everybody at the table can see that the seat on turn has no choice: it plays its last card."""
    return view.asked == "play" and view.counts[view.turn] == 1
