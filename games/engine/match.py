"""A game: hands after each other, the dealer going round, running totals, the end."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from games.engine.actions import Action
from games.engine.cards import Card
from games.engine.gathering import Gathered, gathered_from
from games.engine.hand import Hand, Result
from games.engine.ruleset import OptionValue, Ruleset


class Match:
    """A whole game of one ruleset: `deal` starts the next hand, `push` acts in it, `totals` add up, `over` ends it.

    A game is as many hands as the option `hands` says, counting those that were played or passed; a thrown-in hand is
    dealt again by the same dealer.
    """

    def __init__(self, ruleset: Ruleset, options: Mapping[str, object] | None = None, *, dealer: int = 0) -> None:
        self.ruleset = ruleset
        self.options: dict[str, OptionValue] = ruleset.settled_options(options or {})
        if not 0 <= dealer < ruleset.seats:
            raise ValueError(f"no seat {dealer} at this table")
        self.dealer = dealer
        self.totals: list[int] = [0] * ruleset.seats
        self.results: list[Result] = []
        self.hand: Hand | None = None
        self.gathered: Gathered | None = None

    @property
    def hands_played(self) -> int:
        """How many of the game's hands are over (thrown-in ones do not count)."""
        return sum(result.status != "thrown-in" for result in self.results)

    @property
    def over(self) -> bool:
        """Whether all hands of the game have been played."""
        return self.hands_played >= int(self.options.get("hands", self.ruleset.seats))

    @property
    def winners(self) -> tuple[int, ...]:
        """The seats with the best total once the game is over; nobody in a draw of all."""
        best = max(self.totals)
        if not self.over or best == min(self.totals):
            return ()
        return tuple(seat for seat, total in enumerate(self.totals) if total == best)

    def deal(self, pack: Sequence[Card] | None = None) -> Hand:
        """Start the next hand. Raises ValueError while one is open, after the end, or for a wrong pack."""
        if self.hand is not None and not self.hand.over:
            raise ValueError("the hand before is not finished")
        if self.over:
            raise ValueError("the game is over")
        self.hand = Hand(
            self.ruleset, self.dealer, pack, options=self.options, running=self.totals, gathered=self.gathered
        )
        return self.hand

    def push(self, action: Action) -> None:
        """Apply `action` for the player on turn and settle the hand when it ends. Raises IllegalAction."""
        hand = self.hand
        if hand is None:
            raise ValueError("no hand has been dealt")
        hand.push(action)
        if hand.result is not None:
            self._settle(hand, hand.result)

    def _settle(self, hand: Hand, result: Result) -> None:
        self.results.append(result)
        self.gathered = gathered_from(hand)
        if result.status == "thrown-in":
            return
        for seat, score in enumerate(result.scores):
            self.totals[seat] += score
        self.dealer = (self.dealer + 1) % self.ruleset.seats
