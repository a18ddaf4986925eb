"""What really happened: a game read from its log, and what at each of its numbers nobody at a seat may know."""

from __future__ import annotations

from functools import cached_property

from domain.engine import CODES, Hand, parse_action, set_of
from domain.engine.actions import SAY
from games.models import Action, Game
from games.selectors import log
from tests.games.unseen import unseen_by

WATCHER = -1


class Reading:
    """The log of one game, read once from its beginning."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.entries = list(game.actions.order_by("number").select_related("player__merged_into"))
        self.table = log.open_table(game)
        self.seats = self.table.rules.seats
        self.hidden: list[list[int]] = [[0] * (self.seats + 1)]
        """For each number, for each seat and (last) a watcher: the cards they cannot have seen, as a set."""
        self.sitting: list[list[int]] = [[0] * self.seats]
        """For each number, who sits where (keys of players)."""
        self.open: list[bool] = [False]
        """For each number, whether a hand was being played."""
        self.asked: list[int | None] = [None]
        """For each number, the seat whose turn it was."""
        self.drawn: frozenset[str] = frozenset()
        """The codes of the cards with which partners were drawn; where that is told of, they are no secret."""
        self._read()

    @cached_property
    def requests(self) -> dict[str, list[Action]]:
        """The entries by the request that made them."""
        found: dict[str, list[Action]] = {}
        for entry in self.entries:
            if entry.request_id is not None:
                found.setdefault(str(entry.request_id), []).append(entry)
        return found

    def seats_of(self, players: set[int], number: int) -> set[int]:
        """Where these players sat at a number. Somebody may sit twice, as a guest and as a member: the site cannot know."""
        sitting = self.sitting[min(number, len(self.sitting) - 1)]
        return {seat for seat, player in enumerate(sitting) if player in players}

    def forbidden(self, number: int, seat: int) -> set[str]:
        """The codes of the cards that nobody at the seat may be shown at a number."""
        mask = self.hidden[number][seat]
        return {code for card, code in enumerate(CODES) if mask >> card & 1}

    def _read(self) -> None:
        rows = {row.number: row for row in self.table.hands}
        hand: Hand | None = None
        moves: list[tuple[int, int, str]] = []
        own = [0] * self.seats  # what somebody laid away or arranged themselves
        shown = 0  # what was laid open and taken back
        sitting, computers, ready = [0] * self.seats, set[int](), set[int]()
        for entry in self.entries:
            assert entry.number == len(self.hidden), (
                f"game {self.game.public_id}: number {entry.number} is out of order"
            )
            if entry.kind in (Action.Kind.MOVE, Action.Kind.SAID):  # what is said unasked stands among the moves
                assert hand is not None, f"game {self.game.public_id}: a move at {entry.number} without a hand"
                assert entry.seat is not None
                move = parse_action(entry.text)
                assert (move.verb == SAY) == (entry.kind == Action.Kind.SAID), (
                    f"{self.game.public_id}: {entry} is of another kind"
                )
                hand.push_of(entry.seat, move)
                moves.append((entry.number, entry.seat, entry.text))
                if move.verb in ("arrange", "scart", "discard"):
                    own[entry.seat] |= set_of(move.cards)
                if hand.over:
                    hand, moves, own, shown, ready = None, [], [0] * self.seats, 0, set()
            elif entry.text == "undone":
                gone = log.taken_back(entry.data)
                for number, _seat, text in moves:
                    if number in gone and text.startswith("play"):
                        shown |= set_of(parse_action(text).cards)
                moves = [move for move in moves if move[0] not in gone]
                hand = log.replay_hand(self.table, rows[entry.hand_number], [])
                for _number, seat, text in moves:
                    hand.push_of(seat, parse_action(text))
            elif entry.text in ("sat", "substituted"):
                assert entry.seat is not None
                assert entry.player is not None
                sitting[entry.seat] = entry.player.pk
                if entry.player.is_computer:
                    computers.add(entry.seat)
            elif entry.text == "ready" and entry.seat is not None:
                ready.add(entry.seat)
                if hand is None and ready >= set(range(self.seats)) - computers:
                    hand = log.replay_hand(self.table, rows[entry.hand_number], [])
            elif entry.text == "drawn":
                persons = entry.data["seats"]
                arrived, was = list(sitting), set(computers)
                sitting = [arrived[person] for person in persons]
                computers = {seat for seat, person in enumerate(persons) if person in was}
                self.drawn = frozenset([entry.data["middle"], *(code for _person, code in entry.data["drawn"])])
            self._note(hand, sitting, own, shown)

    def _note(self, hand: Hand | None, sitting: list[int], own: list[int], shown: int) -> None:
        hidden = [0] * (self.seats + 1)
        # Before its pack lies ready nothing of a deal can be known, and what is seen is of the deal before.
        if hand is not None and hand.pack is not None:
            for seat in range(self.seats):
                hidden[seat] = set_of(unseen_by(hand, seat)) & ~own[seat] & ~shown
            if hand.asked == "arrange" and hand.gathered is not None:  # a losing player looks at their own tricks
                hidden[hand.turn] &= ~set_of(hand.gathered.pile(hand.turn))
            hidden[WATCHER] = set_of(unseen_by(hand, None)) & ~shown
        self.hidden.append(hidden)
        self.sitting.append(list(sitting))
        self.open.append(hand is not None)
        self.asked.append(hand.turn if hand is not None else None)
