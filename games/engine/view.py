"""What one seat may know of a hand, as an immutable value: the only thing computer players and pages ever get.

Whatever a viewer cannot see is not in the value at all, so that exchanging hidden cards leaves it equal.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from games.engine.actions import Action
from games.engine.cards import Card, CardSet
from games.engine.hand import Hand, Happening, Result, Spoken, Trick
from games.engine.legal import Legal, NothingLegal
from games.engine.ruleset import OptionValue, Ruleset

_HIDDEN_CARDS: Final = ("scart", "arrange", "discard")


@dataclass(frozen=True, slots=True)
class View:
    """A hand as `seat` sees it (None: a watcher, who sees what lies on the table).

    `held` are the viewer's own cards, `counts` how many each seat holds. `asked` is the open question and `turn` whom it
    is put to; `legal` is filled only for the seat on turn. `history` leaves out what only the actor knows. When the hand
    is over, `opened` holds what each seat had been dealt by then (before the scart), else it is empty.
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

    @property
    def over(self) -> bool:
        """Whether the hand is over."""
        return self.result is not None

    def seat_of(self, place: int) -> int:
        """The seat whose card lies at `place` of the trick on the table."""
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
    scart = hand.scart if over or seat == hand.dealer else None
    return View(
        ruleset=hand.ruleset,
        options=tuple(hand.option.items()),
        seat=seat,
        dealer=hand.dealer,
        sides=hand.sides,
        running=hand.running,
        turn=hand.turn,
        asked="" if over else hand.legal.asked,
        legal=hand.legal if not over and seat == hand.turn else NothingLegal(),
        held=hand.hands[seat] if seat is not None else 0,
        counts=tuple(held.bit_count() for held in hand.hands),
        rounds=hand.rounds,
        dealt=hand.dealt,
        demander=hand.demander,
        cut_card=_cut_card(hand, seat),
        face_up=tuple(hand.face_up),
        spoken=tuple(hand.spoken),
        scart=scart,
        leader=hand.leader,
        lane=hand.lane,
        first_lead=hand.first_lead,
        trick=tuple(hand.trick),
        pair_at=hand.pair_at,
        tricks=tuple(hand.tricks),
        side_tricks=tuple(hand.side_tricks),
        happenings=tuple(hand.happenings),
        fool_owed=hand.owed_by >= 0,
        history=tuple((actor, _seen(hand, action, own=actor == seat)) for actor, action in hand.history),
        opened=tuple(hand.start) if over else (),
        result=hand.result,
    )


def unshuffled(hand: Hand) -> bool:
    """Whether this hand is dealt from the cards as the hand before left them: then its cut is nobody's business."""
    return hand.rounds == 1 and hand.gathered is not None


def _cut_card(hand: Hand, seat: int | None) -> Card | None:
    """The card seen at the cut: by all at the table but the dealer, who sees it after the second of three rounds, or
    before dealing starts where there are fewer (pagat, "The Deal"). Our reading: it is the bottom card of the cut pack.
    """
    if not hand.cut or hand.pack is None:
        return None
    if seat in (hand.dealer, None) and hand.rounds == 3 and hand.dealt < 2:
        return None
    return hand.pack[-1]


def _seen(hand: Hand, action: Action, *, own: bool) -> Action:
    if own or hand.over:
        return action
    if action.verb in _HIDDEN_CARDS and action.cards:
        return Action(action.verb)
    if action.verb == "cut" and unshuffled(hand):
        return Action("cut")
    return action
