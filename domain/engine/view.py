"""What one seat may know about a hand, as an immutable value: computer players and pages never get anything else.

The value contains nothing that the viewer cannot see, so exchanging hidden cards leaves it equal.

Whether the last action of a hand may be taken back is computed from everybody's views before and after it, and not from
a list of actions: so a new game cannot be forgotten. The result does not depend on hidden cards, so that the offer to
take back reveals nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from domain.engine.actions import SAY, Action
from domain.engine.cards import BIT, FOOL_BIT, Card, CardSet, set_of
from domain.engine.hand import Hand
from domain.engine.legal import NOTHING_LEGAL, Legal
from domain.engine.ruleset import OptionValue, Ruleset
from domain.engine.state import NOBODY, Happening, Result, Spoken, Trick

UNKNOWN: Final = -1
_HIDDEN_CARDS: Final = ("scart", "arrange", "discard")
_MAYBE_HIDDEN: Final = frozenset({*_HIDDEN_CARDS, "cut"})


@dataclass(frozen=True, slots=True)
class View:
    """A hand as `seat` sees it (None: a watcher, who sees what lies on the table).

    `held` are the viewer's own cards, `counts` the number of cards of each seat. `asked` is the open question and
    `turn` the seat that must answer it; `legal` is filled only for the seat on turn. `history` leaves out what only the
    actor knows. When the hand is over, `opened` has the cards dealt to each seat (before the scart), else it is empty.

    `sayable` is what the viewer may say unasked: nothing (""), `phrases` or `free`.

    `best` is the position of the card that takes the current trick so far, -1 if the trick is empty. `caller` is the
    seat that called the jack in that trick while playing the king.

    Troggu: `contract` is `normal`, `solo` or `misere` once the bidding is over; `tappist` is the seat that has taken
    the game so far. `sides` and `partner` are as the viewer knows them: while a partner is secret, a seat whose side
    the viewer cannot know has the side -1 (`UNKNOWN`), and `side_tricks` counts only the tricks of known seats. `tapp`
    has the cards of the Tapp for viewers who have seen them; only the holder of the Fool sees `fool_withheld`.
    """

    ruleset: Ruleset
    options: tuple[tuple[str, OptionValue], ...]
    seat: int | None
    dealer: int
    sides: tuple[int, ...]
    running: tuple[int, ...]
    turn: int
    asked: str
    legal: Legal
    held: CardSet
    counts: tuple[int, ...]
    rounds: int
    dealt: int
    demander: int
    cut_card: Card | None
    face_up: tuple[Card | None, ...]
    spoken: tuple[Spoken, ...]
    scart: CardSet | None
    leader: int
    lane: int
    first_lead: bool
    trick: tuple[Card, ...]
    pair_at: int
    tricks: tuple[Trick, ...]
    side_tricks: tuple[int, ...]
    happenings: tuple[Happening, ...]
    fool_owed: bool
    history: tuple[tuple[int, Action], ...]
    opened: tuple[CardSet, ...]
    result: Result | None
    best: int = NOBODY
    caller: int = NOBODY
    bids: tuple[tuple[int, str], ...] = ()
    contract: str = ""
    tappist: int = NOBODY
    called: Card | None = None
    partner: int = NOBODY
    tapp: CardSet | None = None
    fool_withheld: bool = False
    sayable: str = ""

    @property
    def acted(self) -> int:
        """The number of actions so far, without what was said unasked."""
        return sum(action.verb != SAY for _, action in self.history)

    @property
    def over(self) -> bool:
        return self.result is not None

    @property
    def unseen(self) -> CardSet:
        """The cards that others may hold as far as the viewer knows; it includes all that they do hold."""
        gone = self.held | (self.scart or 0) | set_of(self.trick)
        for trick in self.tricks:
            gone |= set_of(trick.cards)
        return self.ruleset.pack & ~gone

    def seat_of(self, place: int) -> int:
        """The seat that played the card at position `place` of the current trick."""
        return (self.leader + place) % len(self.counts)

    def partners(self) -> tuple[int, ...]:
        """The other seats of the viewer's side."""
        if self.seat is None:
            return ()
        side = self.sides[self.seat]
        return tuple(seat for seat, other in enumerate(self.sides) if other == side and seat != self.seat)


def view_of(hand: Hand, seat: int | None) -> View:
    """The view of `seat` on `hand`; None for a watcher. Raises IndexError for a seat that does not exist."""
    if seat is not None and not 0 <= seat < hand.seats:
        raise IndexError(f"no seat {seat} at this table")
    over = hand.over
    secret = _secret_from(hand, seat)
    sides = _sides_known(hand, seat) if secret else hand.sides
    return View(
        ruleset=hand.ruleset,
        options=tuple(hand.option.items()),
        seat=seat,
        dealer=hand.dealer,
        sides=sides,
        running=hand.running,
        turn=hand.turn,
        asked="" if over else hand.legal.asked,
        legal=hand.legal if not over and seat == hand.turn else NOTHING_LEGAL,
        held=hand.hands[seat] if seat is not None else 0,
        counts=tuple(held.bit_count() for held in hand.hands),
        rounds=hand.rounds,
        dealt=hand.dealt,
        demander=hand.demander,
        cut_card=_cut_card(hand, seat),
        face_up=tuple(hand.face_up),
        spoken=tuple(hand.spoken),
        scart=hand.scart if over or seat == hand.scartist else None,
        leader=hand.leader,
        lane=hand.lane,
        first_lead=hand.first_lead,
        trick=tuple(hand.trick),
        pair_at=hand.pair_at,
        tricks=tuple(hand.tricks),
        side_tricks=_tricks_by_side(hand, sides) if secret else tuple(hand.side_tricks),
        happenings=tuple(hand.happenings),
        fool_owed=hand.owed_by >= 0,
        history=_history_seen(hand, seat),
        opened=tuple(hand.start) if over else (),
        result=hand.result,
        best=hand.ruleset.play.winning(hand) if hand.trick else NOBODY,
        caller=hand.caller,
        bids=tuple(hand.bids),
        contract=hand.contract,
        tappist=hand.tappist,
        called=hand.called,
        partner=NOBODY if secret else hand.partner,
        tapp=hand.tapp if over or (hand.contract == "normal" and seat == hand.tappist) else None,
        sayable=hand.sayable(seat).talk if seat is not None else "",
        fool_withheld=hand.fool_withheld and (over or (seat is not None and bool(hand.hands[seat] & FOOL_BIT))),
    )


def _secret_from(hand: Hand, seat: int | None) -> bool:
    """Whether `seat` cannot know all sides: a partner may have been called, whom only the card's holder knows."""
    rule = hand.ruleset.bidding
    if rule is None or hand.contract != "normal" or hand.seats < rule.partner_from or hand.over or hand.partner_known:
        return False
    if hand.called is None:
        return True
    if hand.partner == NOBODY:
        return seat != hand.tappist
    return seat != hand.partner


def _sides_known(hand: Hand, seat: int | None) -> tuple[int, ...]:
    known = [UNKNOWN] * hand.seats
    if seat is not None and hand.called is not None:
        known[seat] = hand.sides[seat]
    known[hand.tappist] = hand.sides[hand.tappist]
    return tuple(known)


def _tricks_by_side(hand: Hand, sides: tuple[int, ...]) -> tuple[int, ...]:
    won = [0] * len(hand.side_tricks)
    for trick in hand.tricks:
        if sides[trick.winner] != UNKNOWN:
            won[sides[trick.winner]] += 1
    return tuple(won)


def unshuffled(hand: Hand) -> bool:
    """Whether this hand is dealt from the cards as the previous hand left them; then its cut must stay hidden."""
    return hand.rounds == 1 and hand.gathered is not None


def _cut_card(hand: Hand, seat: int | None) -> Card | None:
    """The card seen at the cut, the bottom card of the cut pack (our reading); None if the viewer has not seen it.

    All players but the dealer see it. The dealer and watchers see it after the second of three rounds, or before
    dealing starts if there are fewer rounds (pagat, "The Deal").
    """
    if not hand.cut or hand.pack is None or not hand.ruleset.cut_card_shown:
        return None
    if seat in (hand.dealer, None) and hand.rounds == 3 and hand.dealt < 2:
        return None
    return hand.pack[-1]


def _history_seen(hand: Hand, seat: int | None) -> tuple[tuple[int, Action], ...]:
    if hand.over:
        return tuple(hand.history)
    return tuple(
        (actor, action) if action.verb not in _MAYBE_HIDDEN or actor == seat else (actor, _seen(hand, action))
        for actor, action in hand.history
    )


def _seen(hand: Hand, action: Action) -> Action:
    """What the other players see of an action while the hand goes on."""
    if action.verb in _HIDDEN_CARDS and action.cards:
        return Action(action.verb)
    if action.verb == "cut" and unshuffled(hand):
        return Action("cut")
    return action


def can_be_taken_back(before: Hand, after: Hand) -> bool:
    """Whether the action that led from `before` to `after` revealed nothing but the cards it laid down itself.

    An action cannot be taken back if it ends the hand (which opens all cards), if it comes before the first cards are
    dealt (the pack and the deal depend on it), or if it says something.
    """
    seat, action = after.history[-1]
    if after.over or not before.dealt or says_something(action):
        return False
    if action.verb == "play" and len(after.happenings) == len(before.happenings):
        return True  # by far the most frequent action: nothing else has happened, so nobody sees another card
    laid = set_of(action.cards) & before.hands[seat]
    return all(
        not cards_in_sight(after.view(viewer)) & ~(cards_in_sight(before.view(viewer)) | laid)
        for viewer in (None, *range(before.seats))
    )


def says_something(action: Action) -> bool:
    """Whether an action says something and does not only lay down cards: a bid, talk, a call or its answer, a knock."""
    return not action.cards or action.verb == "call" or bool(action.said or action.words or action.signal)


def cards_in_sight(view: View) -> CardSet:
    """Every card whose location, now or before, a view shows: in hand, on the table, opened, or in a happening.

    The cut card and the cards dealt face up are shown until the first trick is gathered.
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
        if action.verb != "call":  # a call names a card but does not show it
            seen |= set_of(action.cards)
    for held in view.opened:
        seen |= held
    return seen
