"""Claiming the rest: who leads, and sees from their own cards that they win every trick that is left, need not play it out.

`proven` is sound and careful: it may miss a claim, it never makes a false one. `next_claimed` and `next_given` are the
plays that end the hand then; what the others hold makes no difference to its count.

Whether a seat has anything to decide at all. Read from its view alone, so that it may be asked for any player.
"""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

from domain.engine.actions import BARE, PLAYS
from domain.engine.cards import (
    FIRST_TRUMP,
    FOOL,
    FOOL_BIT,
    LANES,
    SUIT_CARDS,
    TRUMP_CARDS,
    TRUMPS,
    CardSet,
    Lane,
    cards_in,
)
from domain.engine.fool import Excuse, HighFool
from domain.engine.legal import LegalArrangement, LegalPlays, LegalWords
from domain.engine.tricks import playable_with_excuse, playable_with_high_fool

if TYPE_CHECKING:
    from domain.engine.actions import Action
    from domain.engine.view import View


def proven(view: View) -> bool:
    """Whether the viewer, who leads to the next trick, wins every trick that is left, whatever the others hold and do.

    The proof leads trumps from the top, then the suits, each from the top. A card wins if it is higher than all of its
    suit that is unseen, or if none is left: each lead before it drew at least one from whoever holds them (one lead less
    where a Fool may be played in place of following). Suits win only when no trump is left with others.
    """
    if view.seat is None or view.turn != view.seat or view.asked != "play" or view.trick or not view.held:
        return False
    if view.contract == "misere":
        return False  # nobody wants tricks there
    others = view.unseen
    excuses = 0
    held = view.held
    if isinstance(view.ruleset.play, HighFool):
        if others & FOOL_BIT or (held & FOOL_BIT and view.fool_withheld):
            return False
    else:
        rule = view.ruleset.fool  # where the last trick takes a Fool, it makes a difference when another plays it
        any_time = not others & FOOL_BIT or (isinstance(rule, Excuse) and not rule.captured_last)
        if held & FOOL_BIT or not any_time:
            return False
        excuses = int(bool(others & FOOL_BIT))
    own = held & (TRUMP_CARDS | FOOL_BIT)
    drawn = others & TRUMP_CARDS
    if not _all_win(own, drawn, excuses):
        return False
    if held == own:
        return True
    if drawn.bit_count() > max(0, own.bit_count() - excuses):
        return False
    return all(_all_win(held & LANES[lane], others & LANES[lane], excuses) for lane in range(TRUMPS))


def _all_win(own: CardSet, others: CardSet, excuses: int) -> bool:
    """Whether cards of one suit, led from the top, all win against what others may hold of it."""
    highest = others.bit_length() - 1
    left = others.bit_count() + (excuses if others else 0)
    from_the_top = sorted(cards_in(own), reverse=True)
    return all(card > highest or led >= left for led, card in enumerate(from_the_top))


def next_claimed(view: View) -> Action:
    """What who has claimed does next: leads trumps, then the suits, from the top, and calls for nothing."""
    if view.asked != "play":
        return BARE["quiet"]
    trumps = view.held & (TRUMP_CARDS | FOOL_BIT)
    return PLAYS[(trumps or view.held).bit_length() - 1]


def next_given(view: View) -> Action:
    """What another plays to a claimed trick: the Fool as soon as it excuses, else the lowest card allowed."""
    legal = [action for action in view.legal if not action.signal and len(action.cards) == 1]
    if not isinstance(view.ruleset.play, HighFool) and PLAYS[FOOL] in legal:
        return PLAYS[FOOL]
    # Where the Fool is the highest trump it has the highest number as well.
    return min(legal, key=lambda action: action.cards[0])


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


def last_card(view: View) -> Action | None:
    """The play of the viewer's last card, with nothing said; None if that is not what they are asked for."""
    if view.asked != "play" or view.turn != view.seat or view.held.bit_count() != 1:
        return None
    return next((action for action in view.legal if not action.signal), None)


def plainly_forced(view: View) -> bool:
    """Whether everybody at the table can see that the seat on turn has no choice: it plays its last card."""
    return view.asked == "play" and view.counts[view.turn] == 1


def playable_if_led(view: View, lane: Lane) -> CardSet:
    """The cards of the viewer's present hand that they could play to a trick where `lane` is led (-1: where they lead).

    At least those: a rule of the moment (a jack that is called, trumps in the first trick) may leave fewer of them.
    """
    suits, trumps = view.held & SUIT_CARDS, view.held >> FIRST_TRUMP
    if isinstance(view.ruleset.play, HighFool):
        suits, trumps = playable_with_high_fool(suits, trumps, lane, view.fool_withheld)
    else:
        suits, trumps = playable_with_excuse(suits, trumps, lane)
    return suits | trumps << FIRST_TRUMP
