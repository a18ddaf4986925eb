"""A game read from its log alone: its deals in the engine, who sat and acted, what each deal brought."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass, field
from datetime import datetime

from domain.bots import advice
from domain.engine import Result, parse_action, ruleset
from domain.engine.cards import card_of
from domain.engine.hand import Hand
from domain.engine.match import Match
from games.models import Action, Deal, Game, GameHand

ENDS = ("resigned", "expired", "called-off")
HERE, AWAY, SOUGHT = "here", "away", "sought"


@dataclass(slots=True)
class Played:
    """A deal that came to its end, as its moves say. `actors`: of each seat, how often whom."""

    number: int
    result: Result
    at: datetime
    dealer: int
    deal: int
    actors: dict[int, Counter[int]]
    sitting: tuple[int, ...]

    def scores(self, sides: tuple[tuple[int, ...], ...]) -> tuple[int, ...]:
        """Card points of these sides; where the deal has other parties, what their seats won."""
        points = {
            frozenset(party): points for party, points in zip(self.result.parties, self.result.points, strict=True)
        }
        if all(frozenset(side) in points for side in sides):
            return tuple(points[frozenset(side)] for side in sides)
        return tuple(self.result.scores[side[0]] for side in sides)


@dataclass
class Replay:
    """Reads on from where it was at each `read`."""

    game: Game
    match: Match = field(init=False)
    number: int = 0
    hands: list[Played] = field(default_factory=list)
    sitting: list[int] = field(init=False)
    first: list[int] = field(default_factory=list)
    """Who sat down at first, seat by seat (keys of players)."""
    state: list[str] = field(init=False)
    ended: str = ""
    """How the game ended before its last deal; empty otherwise."""
    stood: tuple[tuple[str, ...], int | None] = ((), None)
    """When it was called off: the state of each seat, and the seat that was asked."""
    entries: list[Action] = field(default_factory=list)
    _deal: int = 0
    _actors: dict[int, Counter[int]] = field(default_factory=lambda: defaultdict(Counter))

    def __post_init__(self) -> None:
        game = self.game
        rules = ruleset(game.ruleset, game.ruleset_version, game.table_size)
        self.match = Match(rules, game.options, dealer=GameHand.objects.get(game=game, number=1).dealer)
        self.sitting = [0] * game.table_size
        self.state = [HERE] * game.table_size

    @property
    def over(self) -> bool:
        """Whether nothing more is played here."""
        return self.match.over or bool(self.ended)

    @property
    def counted(self) -> list[Played]:
        """The deals that stand on a sheet."""
        return [each for each in self.hands if each.result.status != "thrown-in"]

    def read(self) -> Replay:
        """Everything that is new in the log."""
        for entry in Action.objects.filter(game=self.game, number__gt=self.number).order_by("number"):
            assert entry.number == self.number + 1, (
                f"{self.game.public_id}: {self.number} is followed by {entry.number}"
            )
            self.number = entry.number
            self.entries.append(entry)
            if entry.kind == Action.Kind.MOVE:
                self._move(entry)
            else:
                self._event(entry)
        return self

    def _event(self, entry: Action) -> None:
        seat = entry.seat
        if entry.text in ("sat", "substituted"):
            assert seat is not None
            assert entry.player_id is not None
            self.sitting[seat] = entry.player_id
            self.state[seat] = HERE
            if entry.text == "sat":
                self.first.append(entry.player_id)
        elif entry.text in ("absent", "substitute-asked"):
            assert seat is not None
            self.state[seat] = AWAY if entry.text == "absent" else SOUGHT
        elif entry.text == "returned":
            assert seat is not None
            self.state[seat] = HERE
        elif entry.text in ENDS:
            self.ended = entry.text
            hand = self.match.hand
            asked = hand.turn if hand is not None and not hand.over else None
            self.stood = tuple(self.state), asked
        assert entry.text not in ("undone", "drawn"), f"nobody takes back or draws partners here: {entry.text}"

    def _move(self, entry: Action) -> None:
        hand = self.hand(entry.hand_number)
        assert hand.turn == entry.seat, f"{self.game.public_id} {entry.number}: {entry.seat} moved, not {hand.turn}"
        dealer = hand.dealer
        if entry.player_id is not None:
            self._actors[hand.turn][entry.player_id] += 1
        self.match.push(parse_action(entry.text))
        if hand.over:
            assert hand.result is not None
            actors = {seat: Counter(them) for seat, them in self._actors.items()}
            self._actors.clear()
            self.hands.append(
                Played(entry.hand_number, hand.result, entry.at, dealer, self._deal, actors, tuple(self.sitting))
            )

    def hand(self, number: int) -> Hand:
        """The deal of this number, being played; its pack is laid as soon as it lies ready."""
        hand = self.match.hand
        if hand is None or hand.over:
            hand = self.match.deal()
            self._deal = GameHand.objects.values_list("deal", flat=True).get(game=self.game, number=number)
        if hand.needs_pack:
            pack = Deal.objects.get(pk=self._deal).pack
            if pack is not None:
                hand.lay([card_of(code) for code in pack.split()])
        return hand

    def advice(self, game: Game) -> str:
        """What a computer player would do for whoever is asked now."""
        assert game.to_act is not None
        return str(advice.choose(self.hand(game.hand_number).view(game.to_act)))


def keeps_waiting(states: tuple[str, ...], asked: int | None) -> set[int]:
    """The seats for which others wait: those whose people are away or sought, and who is asked."""
    return {seat for seat, state in enumerate(states) if state != HERE} | ({asked} if asked is not None else set())
