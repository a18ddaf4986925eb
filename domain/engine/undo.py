"""Whether the last action of a hand may still be taken back: only what was no word, and showed nobody a hidden card.

This is worked out from the views of everybody, before and after, and not from a list of what may be taken back: so a new
game cannot be forgotten. It comes out the same whatever hidden cards anybody holds, so that being offered it tells nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from domain.engine.cards import BIT, CardSet, set_of

if TYPE_CHECKING:
    from domain.engine.actions import Action
    from domain.engine.hand import Hand
    from domain.engine.view import View


def can_be_taken_back(before: Hand, after: Hand) -> bool:
    """Whether the action that led from `before` to `after` revealed nothing but the cards it laid down itself.

    Whatever ends the hand opens it; what is done before the first cards are dealt, the pack and the deal rest on; and what
    was said cannot be unsaid.
    """
    seat, action = after.history[-1]
    if after.over or not before.dealt or says_something(action):
        return False
    laid = set_of(action.cards) & before.hands[seat]
    return all(
        not cards_in_sight(after.view(viewer)) & ~(cards_in_sight(before.view(viewer)) | laid)
        for viewer in (None, *range(before.seats))
    )


def says_something(action: Action) -> bool:
    """Whether an action is a word and not cards laid down: a bid, the talk, a call or the answer to one, a knock."""
    return not action.cards or action.verb == "call" or bool(action.said or action.words or action.signal)


def cards_in_sight(view: View) -> CardSet:
    """Every card that stands in a view with the place where it lies or lay: in hand, on the table, opened, told of.

    The cut card, and those that were dealt face up, are shown until the first trick is gathered.
    """
    seen = view.held | (view.scart or 0) | (view.tapp or 0)
    shown = () if view.tricks else (view.cut_card, *view.face_up)
    for card in (*shown, *view.trick):
        if card is not None:
            seen |= BIT[card]
    for trick in view.tricks:
        seen |= set_of(trick.cards)
    for event in view.happenings:
        for card in (event.card, event.back):
            if card is not None:
                seen |= BIT[card]
    for _, action in view.history:
        if action.verb != "call":  # it names a card, and shows none
            seen |= set_of(action.cards)
    for held in view.opened:
        seen |= held
    return seen
