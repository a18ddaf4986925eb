"""Claiming the rest, and whether a seat has a choice.

A leader whose own cards are certain to win every remaining trick need not play them out. `proven` is sound and careful:
it may miss a claim, but never makes a false one. `next_claimed` and `next_given` are the plays that then end the hand;
the cards of the others make no difference to its count.

Everything here depends only on the view of a seat, so it may be computed for any player.
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
    """Whether the viewer, who leads to the next trick, wins every remaining trick, whatever the others hold and do.

    The proof leads trumps from the top, then each suit from the top. A card wins if it is higher than all unseen cards
    of its suit, or if none of them is left: each earlier lead drew at least one of them (one lead less if a Fool may be
    played instead of following suit). Suits win only when the others have no trump left.
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
        rule = view.ruleset.fool  # if the last trick captures the Fool, it matters when another player plays it
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
    """Whether one's own cards of a suit, led from the top, all win against the cards of it that others may hold."""
    highest = others.bit_length() - 1
    left = others.bit_count() + (excuses if others else 0)
    from_the_top = sorted(cards_in(own), reverse=True)
    return all(card > highest or led >= left for led, card in enumerate(from_the_top))


def next_claimed(view: View) -> Action:
    """The next action of the player who has claimed: lead trumps, then the suits, from the top, and make no call."""
    if view.asked != "play":
        return BARE["quiet"]
    trumps = view.held & (TRUMP_CARDS | FOOL_BIT)
    return PLAYS[(trumps or view.held).bit_length() - 1]


def next_given(view: View) -> Action:
    """What another player plays to a claimed trick: the Fool if it is a legal excuse, else the lowest legal card."""
    legal = [action for action in view.legal if not action.signal and len(action.cards) == 1]
    if not isinstance(view.ruleset.play, HighFool) and PLAYS[FOOL] in legal:
        return PLAYS[FOOL]
    # Where the Fool is the highest trump it has the highest number as well.
    return min(legal, key=lambda action: action.cards[0])


def forced(view: View) -> Action | None:
    """The only action the viewer can take; None if it is not their turn or there is a choice.

    A card with or without a knock is a choice, and so is a word with or without a phrase.
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
    """The play of the viewer's last card, without a signal; None if that is not the open question."""
    if view.asked != "play" or view.turn != view.seat or view.held.bit_count() != 1:
        return None
    return next((action for action in view.legal if not action.signal), None)


def plainly_forced(view: View) -> bool:
    """Whether everybody at the table can see that the seat on turn has no choice, because it plays its last card."""
    return view.asked == "play" and view.counts[view.turn] == 1


def playable_if_led(view: View, lane: Lane) -> CardSet:
    """The cards of the viewer's present hand that they could play to a trick in which `lane` is led (-1: they lead).

    A rule of the moment (a called jack, trumps in the first trick) may allow fewer of them.
    """
    suits, trumps = view.held & SUIT_CARDS, view.held >> FIRST_TRUMP
    if isinstance(view.ruleset.play, HighFool):
        suits, trumps = playable_with_high_fool(suits, trumps, lane, view.fool_withheld)
    else:
        suits, trumps = playable_with_excuse(suits, trumps, lane)
    return suits | trumps << FIRST_TRUMP
