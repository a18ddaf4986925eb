"""What a seat can prove from its own cards and everything that has happened in public.

Nothing here is a guess. A player counts as void in a lane only after having failed to follow it. A card counts as
located only if it was seen going to that hand (face up, taken back, shown by a call or a knock) or can be nowhere else.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from domain.bots.common import fool_is_high
from domain.engine.cards import (
    BAGAT,
    BIT,
    FOOL,
    FOOL_BIT,
    HONOURS,
    KING,
    LANE_OF,
    LANE_SIZE,
    LANES,
    NO_LANE,
    TRUMP_CARDS,
    TRUMPS,
    Card,
    CardSet,
    Lane,
    cards_in,
    set_of,
)
from domain.engine.jack import EarlyCall
from domain.engine.state import NOBODY
from domain.engine.tricks import TrumpsFirst
from domain.engine.view import View

_CALLED_UP: Final = ("buob", "buob-sche")


@dataclass(frozen=True, slots=True)
class Knowledge:
    """What the viewer knows about the cards.

    * `unseen`: the cards that are neither in the viewer's hand, nor on the table, nor in a trick, nor in the viewer's
      scart.
    * `located[seat]`: the unseen cards proven to be in that hand; `may_hold[seat]`: all that can be there, including
      those. The viewer's own entries are his held cards.
    * `slots[seat]`: the number of cards of a hand that are not located.
    * `resting`: the number of cards in a scart or Tapp that the viewer has not seen; `resting_honours`: whether honours
      may be among them.
    * `voids[seat]`: the lanes that a seat has failed to follow, a bit each; `led`: the suits that have been led.
    * `high_fool`: whether the Fool is the highest trump.
    """

    seat: int
    unseen: CardSet
    located: tuple[CardSet, ...]
    may_hold: tuple[CardSet, ...]
    slots: tuple[int, ...]
    resting: int
    voids: tuple[int, ...]
    led: int
    high_fool: bool = False
    resting_honours: bool = False

    def trumps_at(self, seat: int) -> CardSet:
        """The cards that are trumps for `seat`: also a high Fool, unless `seat` could hold it only withheld."""
        if self.high_fool and not self.voids[seat] >> TRUMPS & 1:
            return TRUMP_CARDS | FOOL_BIT
        return TRUMP_CARDS

    def is_void(self, seat: int, lane: Lane) -> bool:
        """Whether `seat` is proven to hold no card of `lane` (a suit, or 4 for the trumps)."""
        return not self.may_hold[seat] & LANES[lane]


def know(view: View) -> Knowledge:
    """All that the viewer of `view` can prove. Raises ValueError for a watcher's view."""
    me = view.seat
    if me is None:
        raise ValueError("a watcher has no hand to know from")
    seats = len(view.counts)
    gone = set_of(view.trick)
    for trick in view.tricks:
        gone |= set_of(trick.cards)
    if 0 <= view.pair_at < len(view.trick) and view.ruleset.pair is not None:
        gone |= BIT[view.trick[view.pair_at] - view.ruleset.pair.below_king]
    high_fool = fool_is_high(view.ruleset)
    hidden_scart = view.ruleset.scart + view.ruleset.tapp if view.scart is None else 0
    unseen = view.ruleset.pack & ~gone & ~view.held & ~(view.scart or 0)
    in_tapp = bool(hidden_scart and view.ruleset.tapp)
    # The honours that may be discarded as a whole may have been, if the viewer has seen none of them.
    together = view.ruleset.together
    resting_honours = in_tapp and (view.contract != "normal" or (together > 0 and unseen & together == together))

    voids, led = _voids(view)
    absent = _proven_absent(view)
    seen_at = _seen_going_to(view)
    for seat, seen in enumerate(seen_at):  # the card may have been played or discarded since, but nobody else has it
        for other in range(seats):
            if other != seat:
                absent[other] |= seen
    # A dealer's card that may be discarded proves nothing after the scart.
    located = [view.held if seat == me else 0 for seat in range(seats)]
    for seat in set(range(seats)) - {me}:
        sure = seen_at[seat] & unseen
        if seat == view.dealer and view.ruleset.scart:
            sure &= HONOURS | _taken_up(view, seat)
        if seat == view.tappist:
            sure |= _must_have(view) & unseen
        located[seat] = sure
    may_hold = [view.held if seat == me else unseen & ~absent[seat] for seat in range(seats)]
    for seat in range(seats):
        for lane in range(5):
            if seat != me and voids[seat] >> lane & 1:
                may_hold[seat] &= ~LANES[lane]
    _conclude(me, 0 if resting_honours else unseen & HONOURS, located, may_hold, list(view.counts))
    slots = tuple(0 if seat == me else max(0, view.counts[seat] - located[seat].bit_count()) for seat in range(seats))
    return Knowledge(
        me, unseen, tuple(located), tuple(may_hold), slots, hidden_scart, voids, led, high_fool, resting_honours
    )


def _conclude(
    me: int, never_resting: CardSet, located: list[CardSet], may_hold: list[CardSet], counts: list[int]
) -> None:
    """Draw the simple conclusions, changing `located` and `may_hold`.

    Nobody else has a located card. A seat whose cards are all located holds no others. A card that cannot have been
    discarded (`never_resting`) and has only one possible holder is there.
    """
    taken = 0
    for seat, cards in enumerate(located):
        if seat != me:
            taken |= cards
    for seat in range(len(located)):
        if seat == me:
            continue
        may_hold[seat] = may_hold[seat] & ~taken | located[seat]
        if located[seat].bit_count() >= counts[seat]:
            may_hold[seat] = located[seat]
    for card in cards_in(never_resting & ~taken):
        holders = [seat for seat in range(len(located)) if seat != me and may_hold[seat] & BIT[card]]
        if len(holders) == 1 and located[holders[0]].bit_count() < counts[holders[0]]:
            located[holders[0]] |= BIT[card]


def _must_have(view: View) -> CardSet:
    """The honours that a Tappist who was forced to play is proven to hold.

    He plays because he had the Fool; or, if the Fool lay in the Tapp, because he had the I, and then he has taken up
    the Fool as well. For honours that may be discarded together this proves nothing.
    """
    shown = set_of(
        happening.card for happening in view.happenings if happening.kind == "must-play" and happening.card is not None
    )
    if shown & BIT[BAGAT]:
        shown |= FOOL_BIT
    return shown & ~view.ruleset.together


def _voids(view: View) -> tuple[tuple[int, ...], int]:
    """The lanes that each seat has failed to follow (bit 4: trumps), and the suits that have been led."""
    voids = [0] * len(view.counts)
    led = 0
    high_fool = fool_is_high(view.ruleset)
    fool_leads_trumps = isinstance(view.ruleset.play, TrumpsFirst)

    def note(lane: Lane, seat: int, card: Card) -> None:
        if LANE_OF[card] == lane or (card == FOOL and not high_fool):
            return
        if card == FOOL:  # a trump, unless it was withheld to the end
            if lane != TRUMPS and view.counts[seat]:
                voids[seat] |= 1 << lane
            return
        voids[seat] |= 1 << lane
        if lane != TRUMPS and LANE_OF[card] != TRUMPS:
            voids[seat] |= 1 << TRUMPS

    for trick in view.tricks:
        if trick.lane == NO_LANE:
            continue
        lane = trick.lane
        if fool_leads_trumps and trick.cards[0] == FOOL and trick.seats[0] == trick.leader:
            lane = TRUMPS  # whatever suit won, trumps had to be played
        led |= 1 << lane
        for card, seat in zip(trick.cards, trick.seats, strict=True):
            note(lane, seat, card)
    if view.lane != NO_LANE:
        led |= 1 << view.lane
        for index, card in enumerate(view.trick):
            note(view.lane, view.seat_of(index), card)
    if fool_leads_trumps:
        first = next(((seat, action) for seat, action in view.history if action.verb == "play"), None)
        if first is not None and LANE_OF[first[1].cards[0]] not in (TRUMPS, NO_LANE):
            voids[first[0]] |= 1 << TRUMPS  # a leader who has a trump must lead one to the first trick
    return tuple(voids), led & 0b1111


def _taken_up(view: View, seat: int) -> CardSet:
    """The cards that `seat` was seen to take or to have in its hand during the play: these cannot be in the scart."""
    seen = _knocked(view, seat)
    for happening in view.happenings:
        card = None
        if happening.kind in ("jack-given", "taken-back") and happening.back is not None:
            if happening.seat == seat:
                card = happening.back
            else:
                seen &= ~BIT[happening.back]  # played, and now in another hand
        elif happening.seat == seat and happening.kind in ("jack-kept", "jack-back"):
            card = happening.card
        seen |= 0 if card is None else BIT[card]
    return seen


def _seen_going_to(view: View) -> list[CardSet]:
    """The cards of each seat that everyone, or the viewer, saw go into that hand or stay there."""
    taken_up = [_taken_up(view, seat) for seat in range(len(view.counts))]
    later = 0  # cards that were played and taken back after they were dealt face up, perhaps by somebody else
    for happening in view.happenings:
        if happening.kind in ("jack-given", "taken-back") and happening.back is not None:
            later |= BIT[happening.back]
    seen = taken_up.copy()
    for seat, card in enumerate(view.face_up):
        if card is not None:
            seen[seat] |= BIT[card] & ~later
    if view.cut_card is not None and view.face_up[view.dealer] is not None:
        seen[view.dealer] |= BIT[view.cut_card] & ~later
    return seen


def _knocked(view: View, seat: int) -> CardSet:
    """The trumps that `seat` has shown by knocking: each was the highest that was still out when trumps were led."""
    shown = 0
    for happening in view.happenings:
        if happening.kind != "knock" or happening.seat != seat:
            continue
        plays = sum(action.verb == "play" for _, action in view.history[: happening.after])
        before = view.tricks[: (plays - 1) // len(view.counts)]
        out = TRUMP_CARDS
        for trick in before:
            out &= ~set_of(trick.cards)
        if out:
            shown |= BIT[out.bit_length() - 1]
    return shown


def _seats_without_jack(view: View, jack: Card) -> set[int]:
    """The seats that cannot hold `jack`, which was called in vain: all but that of the king's player.

    With `EarlyCall`, a player who had put down the Fool before the call may hold it, too: there the Fool is not exchanged
    for the jack. After the call the jack had to be played.
    """
    king = jack // LANE_SIZE * LANE_SIZE + KING
    trick = next((each for each in view.tricks if king in each.cards), None)
    if trick is None:
        return set()
    at = trick.cards.index(king)
    may_hold = {trick.seats[at]}
    if isinstance(view.ruleset.play, EarlyCall) and FOOL in trick.cards[:at]:
        may_hold.add(trick.seats[trick.cards.index(FOOL)])
    return set(range(len(view.counts))) - may_hold


def _proven_absent(view: View) -> list[CardSet]:
    """The cards that each seat has shown not to hold: jacks that were called and did not come."""
    absent = [0] * len(view.counts)
    for happening in view.happenings:
        if happening.kind == "no-jack" and happening.card is not None:
            for seat in _seats_without_jack(view, happening.card):
                absent[seat] |= BIT[happening.card]
    # Whoever has played after the call in this trick did not have the jack.
    if view.caller != NOBODY and view.ruleset.call is not None:
        called = BIT[view.lane * LANE_SIZE + KING - view.ruleset.call.below_king]
        for index in range((view.caller - view.leader) % len(absent) + 1, len(view.trick)):
            absent[view.seat_of(index)] |= called
    # The answer `keep` shows nothing: a player with the jack may keep it, too.
    for at, (seat, action) in enumerate(view.history):
        if action.verb == "keep" and at and view.history[at - 1][1].verb in _CALLED_UP:
            for happening in view.happenings:
                if happening.kind == "no-jack" and happening.card is not None and happening.after == at + 1:
                    absent[seat] &= ~BIT[happening.card]
    return absent
