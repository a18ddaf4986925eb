"""One hand, from the first question to the count: whose turn it is, what is legal, apply, result.

Used like a chess board: `hand.turn`, `hand.legal`, `hand.push(action)`, `hand.why_illegal(action)`, `hand.view(seat)`,
`hand.result`; `hand.push_of(seat, action)` also takes talk out of turn. The questions themselves are the stages of the
ruleset's course.
"""

from __future__ import annotations

import copy
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final

from domain.engine import talk
from domain.engine.actions import SAY, Action
from domain.engine.cards import Card, CardSet, set_of
from domain.engine.errors import IllegalAction, Illegality, Rule
from domain.engine.legal import NOTHING_LEGAL, Legal, LegalWords
from domain.engine.ruleset import OptionValue, Ruleset, Stage
from domain.engine.state import NOBODY, Happening, Result, Spoken, Trick

if TYPE_CHECKING:
    from domain.engine.match import Gathered
    from domain.engine.view import View

_LISTS: Final = (
    "hands", "start", "history", "happenings", "face_up", "spoken", "bids", "trick", "tricks", "side_cards",
    "side_tricks",
)  # fmt: skip


class Hand:
    """The state of one hand.

    `pack` is given top first, as it lies before the cut; it may be given later (`lay`), while the losing side still
    chooses the deal. `options` that are not given take the ruleset's defaults. `running` are the totals per seat before
    the hand; `gathered` are the cards of the previous hand, if it was played. Raises ValueError for a wrong pack,
    OptionError for a wrong option.
    """

    __slots__ = (
        "arranged", "bids", "called", "caller", "contract", "cut", "dealer", "dealt", "demander", "face_up",
        "first_lead", "fool_winner", "fool_withheld",
        "gathered", "hands", "happenings", "history", "lane", "leader", "led", "option", "owed_by", "owed_to",
        "pack", "packets", "pair_at", "partner", "partner_known", "result", "rounds", "ruleset", "running", "scart",
        "scartist", "seats", "side_cards", "side_tricks", "sides", "spoken", "stage", "start", "step", "talk_vetoed",
        "tapp", "tappist", "trick", "tricks", "turn", "_playable",
    )  # fmt: skip

    def __init__(
        self,
        ruleset: Ruleset,
        dealer: int,
        pack: Sequence[Card] | None = None,
        *,
        options: Mapping[str, object] | None = None,
        running: Sequence[int] | None = None,
        gathered: Gathered | None = None,
    ) -> None:
        seats = ruleset.seats
        self.ruleset = ruleset
        self.option: Mapping[str, OptionValue] = ruleset.settled_options(options or {})
        self.dealer = dealer
        self.seats = seats
        self.running = tuple(running) if running is not None else (0,) * seats
        self.gathered = gathered
        self.pack: tuple[Card, ...] | None = None
        self.hands: list[CardSet] = [0] * seats
        self.start: list[CardSet] = [0] * seats  # the cards dealt to each seat, shown at the end
        self.history: list[tuple[int, Action]] = []
        self.happenings: list[Happening] = []
        self.turn = NOBODY
        self.step = -1
        self.result: Result | None = None
        # the deal
        self.rounds = max(ruleset.batches)
        self.demander = NOBODY
        self.arranged: dict[int, tuple[Card, ...]] = {}
        self.cut = 0
        self.dealt = 0
        self.face_up: list[Card | None] = [None] * seats
        self.spoken: list[Spoken] = []
        self.talk_vetoed = False
        self.scart: CardSet = 0  # the discarded cards
        self.scartist = dealer  # the seat that discards
        self.packets: tuple[int, ...] = ()  # the rounds of the deal, if the dealer has chosen them
        # the Tapp and who plays for it
        self.tapp: CardSet = 0  # as it was dealt
        self.bids: list[tuple[int, str]] = []
        self.contract = ""  # `normal`, `solo` or `misere` once the bidding is over
        self.tappist = NOBODY  # the seat that has taken the game so far, or plays solo
        self.called: Card | None = None
        self.partner = NOBODY  # the seat that holds the called card, if it is not the Tappist's
        self.partner_known = False  # whether everybody has seen where the called card was
        # the play
        self.trick: list[Card] = []
        self.leader = NOBODY
        self.lane = -1
        self.first_lead = False
        self.led = 0
        self.pair_at = NOBODY
        self.caller = NOBODY  # the seat that called the jack in this trick, in games where that is done while playing
        self.fool_withheld = False
        self.tricks: list[Trick] = []
        self.take_sides(ruleset.sides)
        self.fool_winner = NOBODY
        self.owed_by = NOBODY
        self.owed_to = NOBODY
        self._playable = -1
        self.stage: Stage = ruleset.course[0]
        if pack is not None:
            self.lay(pack)
        self.advance()

    def lay(self, pack: Sequence[Card]) -> None:
        """Put the pack on the table, top first. Raises ValueError unless it holds each card of the ruleset once."""
        if len(pack) != self.ruleset.pack.bit_count() or set_of(pack) != self.ruleset.pack:
            raise ValueError("the pack does not hold every card of the game once")
        self.pack = tuple(pack)

    # what is asked

    @property
    def over(self) -> bool:
        return self.result is not None

    @property
    def legal(self) -> Legal:
        """The legal actions of the player on turn: set-like, with a description in the words of records."""
        return self.stage.legal(self) if self.result is None else NOTHING_LEGAL

    @property
    def asked(self) -> str:
        """The kind of the open question, such as `play` or `cut`; empty when the hand is over."""
        return self.legal.asked

    def why_illegal(self, action: Action) -> Illegality | None:
        """The rule that forbids `action` to the player on turn; None if it is legal."""
        if self.result is not None:
            return Illegality(Rule.HAND_OVER)
        return self.stage.why_illegal(self, action)

    def push(self, action: Action) -> None:
        """Apply `action` for the player on turn. Raises IllegalAction without changing anything."""
        if self.result is not None:
            raise IllegalAction(Illegality(Rule.HAND_OVER))
        seat = self.turn
        history = self.history
        history.append((seat, action))
        try:
            self.stage.act(self, action)
        except IllegalAction:
            history.pop()
            raise

    def push_of(self, seat: int, action: Action) -> None:
        """Apply one action of a record: either `seat` says something unasked, or the player on turn acts.

        Raises IllegalAction without changing anything.
        """
        if action.verb != SAY:
            self.push(action)
            return
        broken = self.why_unsayable(seat, action)
        if broken is not None:
            raise IllegalAction(broken)
        self.history.append((seat, action))
        self.spoken.append(Spoken(self.dealt, seat, action))

    def sayable(self, seat: int) -> LegalWords:
        """What `seat` may say unasked, no matter whose turn it is; empty for nothing.

        In games without a throw-in players do not answer in turn: everybody, including the dealer, may speak from the
        deal until their own first card, at most once for each round of the deal; silent players hold nobody up
        (docs/adr/0020-talk-without-a-throw-in.md).
        """
        return NOTHING_LEGAL if self._barred_from_talk(seat) is not None else talk.unasked(self._unasked_talk)

    def why_unsayable(self, seat: int, action: Action) -> Illegality | None:
        """The rule that forbids `seat` to say this unasked; None if it may."""
        barred = self._barred_from_talk(seat)
        if barred is not None:
            return barred
        legal = talk.unasked(self._unasked_talk)
        if action in legal:
            return None
        broken = talk.not_sayable(action, legal) if action.verb == SAY else None
        return broken or Illegality(Rule.NOT_ASKED, asked=SAY)

    @property
    def _unasked_talk(self) -> str:
        return self.ruleset.speaks_unasked(self.option)

    def _barred_from_talk(self, seat: int) -> Illegality | None:
        if self.over:
            return Illegality(Rule.HAND_OVER)
        has_played = (seat - self.leader) % self.seats < len(self.trick)
        if self.tricks or not self.dealt or has_played or not self._unasked_talk:
            return Illegality(Rule.NO_TALK_NOW)
        rounds = len(self.ruleset.batches[self.rounds])
        said = sum(spoken.seat == seat for spoken in self.spoken)
        return Illegality(Rule.SAID_ENOUGH, number=rounds) if said >= rounds else None

    def view(self, seat: int | None) -> View:
        """What the player at `seat` may know; None for someone who only watches."""
        from domain.engine.view import view_of  # noqa: PLC0415  # the view knows the hand, not the other way round

        return view_of(self, seat)

    def copy(self) -> Hand:
        """An independent hand in the same state."""
        twin = copy.copy(self)
        for name in _LISTS:
            setattr(twin, name, list(getattr(self, name)))
        twin.arranged = dict(self.arranged)
        return twin

    # for the stages

    def take_sides(self, sides: tuple[int, ...]) -> None:
        """Set the side of each seat, before the first trick."""
        self.sides = sides
        self.side_cards: list[CardSet] = [0] * (max(sides) + 1)
        self.side_tricks: list[int] = [0] * (max(sides) + 1)

    def advance(self) -> None:
        """Go on to the next stage of the course that has something to ask."""
        course = self.ruleset.course
        while self.result is None:
            self.step += 1
            self.stage = course[self.step]
            if self.stage.enter(self):
                return

    def after(self, seat: int, steps: int = 1) -> int:
        """The seat `steps` further in the order of play."""
        return (seat + steps) % self.seats

    def happen(self, kind: str, seat: int, card: Card | None = None, back: Card | None = None) -> None:
        """Record something everyone sees. The action that caused it is already in the history."""
        self.happenings.append(Happening(len(self.history), kind, seat, card, back))

    @property
    def out(self) -> CardSet:
        """The cards of all gathered tricks."""
        gathered = 0
        for cards in self.side_cards:
            gathered |= cards
        return gathered

    @property
    def needs_pack(self) -> bool:
        """Whether the next question is the cut and the pack is missing."""
        return self.pack is None and self.result is None and self.stage.legal(self).asked == "cut"

    @property
    def parties(self) -> tuple[tuple[int, ...], ...]:
        return self.ruleset.parties(self.sides)

    def close(self, status: str) -> None:
        """End the hand before the play: `thrown-in` or `passed`."""
        scores = (0,) * self.seats if status == "passed" else ()
        self.result = Result(status, scores=scores)
        self.turn = NOBODY

    def count(self) -> None:
        """End the hand after the last trick: pay for the Fool, count the cards and settle the scores."""
        self.ruleset.fool.finish(self)
        self.ruleset.laid_away.award(self)
        winners = tuple([trick.winner for trick in self.tricks])
        points = self.ruleset.count.points(self)
        self.result = Result("played", self.parties, points, self.ruleset.settlement.scores(self, points), winners)
        self.turn = NOBODY
