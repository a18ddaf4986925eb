"""Rebuilding the projections of a game from its log alone: what `play` writes step by step is computed in one go."""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from datetime import datetime
from typing import Any

from django.db import transaction
from django.utils import timezone

from accounts.models import Player
from domain.engine import Hand, Match, parse_action
from domain.engine.counting import tallies
from domain.pace import Clock
from games import hooks, projections
from games.models import Action, Game, GameHand, Seat
from games.selectors import log
from games.services import computers


class Projection:
    """What follows from the log of a game, as far as it has been read.

    `game_fields` are the values that the row of the game must have, `hand_fields` those of each hand, by its number.
    `ended_hands` are the hands that are over, by number, `players` the ids of the players by seat. `clock` is None
    without a pace.
    """

    def __init__(self, game: Game) -> None:
        self.game = game
        self.rows = {row.number: row for row in game.hands.select_related("deal")}
        self.match = Match(log.rules_of(game), game.options, dealer=self.rows[1].dealer)
        self.game_fields: dict[str, Any] = {"status": Game.Status.PLAYING, "hand_number": 1, "ended_at": None}
        self.hand_fields: dict[int, dict[str, Any]] = {}
        self.ended_hands: dict[int, projections.EndedHand] = {}
        self.players: dict[int, int] = {}
        self.computer_seats: set[int] = set()
        self.ready_seats: set[int] = set()
        terms = projections.terms_of(game)
        self.clock = Clock(terms) if terms is not None else None
        self.undo: projections.UndoProposal | None = None
        self.ending: projections.EndProposal | None = None
        self.undone_moves = _undone_moves(game)  # known in advance, so that the match before each can be copied
        self.matches_before: dict[int, Match] = {}  # these copies, by the number of the move
        self._add_waiting_hand(1)

    @property
    def to_act(self) -> int | None:
        """The seat that is asked."""
        hand = self.match.hand
        if hand is None or hand.over or self.game_fields["status"] != Game.Status.PLAYING:
            return None
        return hand.turn

    def advance(self, entry: Action) -> None:
        """Advance by one entry of the log."""
        self.game_fields["number"], self.game_fields["acted_at"] = entry.number, entry.at
        self.undo = projections.advance_undo(self.undo, entry)
        self.ending = projections.advance_ending(self.ending, entry)
        if entry.kind == Action.Kind.MOVE:
            self._add_move(entry)
        elif entry.kind == Action.Kind.SAID:
            self._add_talk(entry)
        else:
            self._advance_by_event(entry)
        if self.clock is not None:
            projections.advance_clock(self.clock, entry, entry.player)
            self.clock.ask(self.to_act, entry.at)

    def settle(self) -> None:
        """Set the fields of the game that depend only on its state at the end of the log."""
        fields, match = self.game_fields, self.match
        self._deal_to_computers(fields["hand_number"])
        fields["ending"] = self.ending.to_json() if self.ending is not None else {}
        fields["undo"] = self.undo.to_json() if self.undo is not None else {}
        fields["totals"], fields["hands_played"] = match.totals, match.hands_played
        fields["to_act"] = self.to_act
        if self.to_act is not None and match.hand is not None:
            # Whether somebody still looks at a trick is not in the log: keep that.
            is_looking = self.game.asked == projections.GO_ON and self.game.to_act == self.to_act
            fields["asked"] = self.game.asked if is_looking else match.hand.asked

    def _add_move(self, entry: Action) -> None:
        if self.hand_fields[entry.hand_number]["status"] == GameHand.Status.WAITING:
            self._deal(entry.hand_number)  # a table of computer players only logs no "ready"
        assert self.match.hand is not None
        if entry.number in self.undone_moves:
            self.matches_before[entry.number] = _copy_of(self.match, self.match.hand)
        self.match.push(parse_action(entry.text))
        if self.match.hand.result is not None:
            self._end_hand(entry)

    def _add_talk(self, entry: Action) -> None:
        """Add talk to the open hand, also as it was before moves that are taken back later: talk never is."""
        assert entry.seat is not None
        for match in (self.match, *self.matches_before.values()):
            if len(match.results) == len(self.match.results):
                match.push_of(entry.seat, parse_action(entry.text))

    def _advance_by_event(self, entry: Action) -> None:
        match entry.text:
            case log.UNDONE:
                self._undo_moves(entry)
            case "sat" | "substituted":
                self._seat_player(entry)
            case "drawn":
                self._draw_seats(entry.data["seats"])
            case "ready" if entry.seat is not None:
                self._add_ready_seat(entry.seat, entry.hand_number)
            case projections.ENDED:
                self._end_game(Game.Status.FINISHED if entry.data["counts"] else Game.Status.ENDED, entry.at)
            case "resigned":
                self._end_game(Game.Status.RESIGNED, entry.at)
            case "expired" | "called-off":
                self._end_game(Game.Status.EXPIRED, entry.at)

    def _undo_moves(self, entry: Action) -> None:
        """Go back to the match before the first of the moves that the event takes back."""
        first = min(log.taken_back(entry.data))
        self.match = self.matches_before[first]
        self.matches_before = {number: match for number, match in self.matches_before.items() if number < first}
        if entry.hand_number in self.ended_hands:
            self._reopen_hand(entry.hand_number)

    def _seat_player(self, entry: Action) -> None:
        assert entry.seat is not None
        assert entry.player is not None
        self.players[entry.seat] = projections.person_of(self.game, entry.player).pk
        if entry.player.is_computer:
            self.computer_seats.add(entry.seat)

    def _draw_seats(self, persons: Sequence[int]) -> None:
        """Move the players to the seats they drew; `persons[seat]` is where the player of `seat` sat before."""
        self.players = {seat: self.players[person] for seat, person in enumerate(persons)}
        self.computer_seats = {seat for seat, person in enumerate(persons) if person in self.computer_seats}

    def _add_ready_seat(self, seat: int, hand_number: int) -> None:
        """Note that a seat is ready for the next deal, which begins once all people are ready."""
        self.ready_seats.add(seat)
        if self.ready_seats >= set(self.players) - self.computer_seats:
            self._deal(hand_number)

    def _end_game(self, status: Game.Status, at: datetime) -> None:
        self.game_fields["status"], self.game_fields["ended_at"] = status, at

    def _add_waiting_hand(self, number: int) -> None:
        self.game_fields["hand_number"] = number
        self.hand_fields[number] = {
            "dealer": self.match.dealer, "status": GameHand.Status.WAITING, "points": [], "scores": [], "parties": [],
        }  # fmt: skip

    def _deal(self, number: int) -> None:
        self.hand_fields[number]["status"] = GameHand.Status.OPEN
        self.match.deal(log.pack_of(self.rows[number]))

    def _deal_to_computers(self, number: int) -> None:
        """At a table of nobody but computer players, deal if the row says that it was done.

        Until the first move the log does not: nobody there gets ready.
        """
        row, is_waiting = self.rows.get(number), self.hand_fields[number]["status"] == GameHand.Status.WAITING
        if (
            row is not None
            and row.status == GameHand.Status.OPEN
            and is_waiting
            and self.computer_seats >= set(self.players)
        ):
            self._deal(number)

    def _end_hand(self, entry: Action) -> None:
        """Note the result of the hand that ended with this move, and what follows: the next deal, or the game's end."""
        number, result = entry.hand_number, self.match.results[-1]
        assert self.match.hand is not None
        self.ready_seats.clear()
        self.ended_hands[number] = projections.EndedHand(entry.at, tallies(self.match.hand))
        self.hand_fields[number] |= {
            "status": GameHand.Status(result.status), "points": list(result.points), "scores": list(result.scores),
            "parties": [list(party) for party in result.parties],
        }  # fmt: skip
        if self.match.over:
            self._end_game(Game.Status.FINISHED, entry.at)
        else:
            self._add_waiting_hand(number + 1)

    def _reopen_hand(self, number: int) -> None:
        """Remove the result of a hand, and the next deal."""
        del self.ended_hands[number], self.hand_fields[number + 1]
        self.game_fields["hand_number"] = number
        self.hand_fields[number] |= {"status": GameHand.Status.OPEN, "points": [], "scores": [], "parties": []}


def project(game: Game) -> Projection:
    """Compute the projection of `game` from its whole log and the packs of its deals, and nothing else stored."""
    projection = Projection(game)
    for entry in game.actions.select_related("player__merged_into").order_by("number"):
        projection.advance(entry)
    projection.settle()
    return projection


def _undone_moves(game: Game) -> set[int]:
    """The numbers of the moves that were taken back."""
    events = game.actions.filter(kind=Action.Kind.EVENT, text=log.UNDONE)
    return {number for data in events.values_list("data", flat=True) for number in log.taken_back(data)}


def _copy_of(match: Match, hand: Hand) -> Match:
    """An independent copy of a game whose open hand is `hand`."""
    twin = copy(match)
    twin.totals, twin.results, twin.hand = list(match.totals), list(match.results), hand.copy()
    return twin


def rebuild(game_id: int) -> list[str]:
    """Rewrite the projections of a game from its log.

    Returns a description of each that has changed. Takes the game's lock.
    """
    with transaction.atomic():
        game = Game.objects.select_for_update().get(pk=game_id)
        projection = project(game)
        changed = _set_fields(game, projection.game_fields, "game")
        rows = list(game.hands.select_related("deal"))
        for row in rows:
            hand_changed = _set_fields(row, projection.hand_fields[row.number], f"hand {row.number}")
            if hand_changed:
                row.save()
            changed += hand_changed
        for seat in Seat.objects.filter(game=game).select_related("player__merged_into"):
            if not _belongs_to(seat, projection.players[seat.number]):
                seat.player_id = projection.players[seat.number]
                seat.save(update_fields=["player"])
                changed.append(f"seat {seat.number}: player")
        changed += projections.rebuild_played_seats(game, rows, projection.ended_hands)
        if projection.clock is not None:
            changed += [f"game: {name}" for name in projections.rebuild_clock(game, projection.clock, timezone.now())]
        due_at = _due_at(game)
        if due_at != game.due_at:
            game.due_at = due_at
            changed.append("game: due_at")
        before = (game.asked, game.waits_for)
        projections.settle_turn(game)
        if (game.asked, game.waits_for) != before:
            changed.append("game: waits_for")
        if changed:
            game.save()
    return changed


def _belongs_to(seat: Seat, player_id: int) -> bool:
    """Whether the seat belongs to the player named by the log, or to the same person as guest or member.

    When a guest becomes a member, the member gets the guest's seat unless they already sit at the table
    (`games.privacy`). That is not in the log, so whichever of the two has the seat keeps it.
    """
    if seat.player_id == player_id:
        return True
    named = Player.objects.select_related("merged_into").get(pk=player_id)
    return named.current.pk == seat.player.current.pk


def _due_at(game: Game) -> datetime | None:
    """When the worker has to act next; None if it has nothing to do, or if the table rests because nobody watches.

    An open proposal to take a move back: when it lapses. A computer player, an absent player, or a deal that begins by
    itself: the stored moment or, if there is none, that of the last action.
    """
    proposal = projections.undo_proposal_of(game)
    if proposal is not None:
        return proposal.until
    is_resting = game.due_at is None and computers.is_alone(game, timezone.now())
    if game.asked == projections.GO_ON or is_resting:
        return None
    begins_by_itself = bool(game.pace) or game.kind == Game.Kind.COMPUTERS
    has_deal_to_begin = game.to_act is None and game.status == Game.Status.PLAYING and begins_by_itself
    has_to_act = projections.worker_acts(game) and not any(waits(game) for waits in hooks.waits)
    if has_deal_to_begin or has_to_act:
        return game.due_at or game.acted_at
    return None


def _set_fields(row: Game | GameHand, values: dict[str, Any], label: str) -> list[str]:
    """Set the fields of `row` that differ from `values`. Returns a description of each."""
    changed = []
    for name, value in values.items():
        if getattr(row, name) != value:
            setattr(row, name, value)
            changed.append(f"{label}: {name}")
    return changed
