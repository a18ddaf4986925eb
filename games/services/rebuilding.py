"""Rebuilding the projections of a game from its log alone: what `play` writes step by step is computed in one go."""

from __future__ import annotations

from copy import copy
from dataclasses import dataclass, field
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

_ENDS = {"resigned": Game.Status.RESIGNED, "expired": Game.Status.EXPIRED, "called-off": Game.Status.EXPIRED}


@dataclass(slots=True)
class Projection:
    """What follows from a log: the fields of the game and of each hand (by its number), the player (id) in each seat,
    the clocks (None without a pace), and the result of each hand that was played."""

    game: dict[str, Any]
    hands: dict[int, dict[str, Any]] = field(default_factory=dict)
    seats: dict[int, int] = field(default_factory=dict)
    clock: Clock | None = None
    ended: dict[int, projections.EndedHand] = field(default_factory=dict)


def project(game: Game) -> Projection:
    """Compute the projection of `game` from its whole log and the packs of its deals, and nothing else that is
    stored."""
    rows = {row.number: row for row in game.hands.select_related("deal")}
    match = Match(log.rules_of(game), game.options, dealer=rows[1].dealer)
    projection = Projection({"status": Game.Status.PLAYING, "hand_number": 1, "ended_at": None})
    _expect(projection, match, 1)
    terms = projections.terms_of(game)
    projection.clock = Clock(terms) if terms is not None else None
    computers: set[int] = set()  # seats, as in `ready`
    ready: set[int] = set()
    undone = _undone(game)
    before_undone: dict[int, Match] = {}  # the game before each move that is taken back later
    proposal: projections.UndoProposal | None = None
    end: projections.EndProposal | None = None
    for entry in game.actions.select_related("player__merged_into").order_by("number"):
        projection.game["number"], projection.game["acted_at"] = entry.number, entry.at
        proposal = projections.advance_undo(proposal, entry)
        end = projections.advance_ending(end, entry)
        if entry.kind == Action.Kind.MOVE:
            if projection.hands[entry.hand_number]["status"] == GameHand.Status.WAITING:
                _deal(projection, match, rows[entry.hand_number])  # a table of computer players only logs no "ready"
            assert match.hand is not None
            if entry.number in undone:
                before_undone[entry.number] = _copy_of(match, match.hand)
            match.push(parse_action(entry.text))
            if match.hand.result is not None:
                ready.clear()
                _close(projection, match, entry)
        elif entry.kind == Action.Kind.SAID:
            assert entry.seat is not None
            for each in (match, *before_undone.values()):
                if len(each.results) == len(match.results):  # talk is never taken back
                    each.push_of(entry.seat, parse_action(entry.text))
        elif entry.text == log.UNDONE:
            first = min(log.taken_back(entry.data))
            match = before_undone[first]
            before_undone = {number: before for number, before in before_undone.items() if number < first}
            _reopen(projection, entry.hand_number)
        elif entry.text in ("sat", "substituted"):
            assert entry.seat is not None
            assert entry.player is not None
            projection.seats[entry.seat] = projections.person_of(game, entry.player).pk
            if entry.player.is_computer:
                computers.add(entry.seat)
        elif entry.text == "drawn":
            arrived, persons = dict(projection.seats), entry.data["seats"]
            projection.seats = {seat: arrived[person] for seat, person in enumerate(persons)}
            computers = {seat for seat, person in enumerate(persons) if person in computers}
        elif entry.text == projections.ENDED:
            counts = entry.data["counts"]
            projection.game["status"] = Game.Status.FINISHED if counts else Game.Status.ENDED
            projection.game["ended_at"] = entry.at
        elif entry.text in _ENDS:
            projection.game["status"], projection.game["ended_at"] = _ENDS[entry.text], entry.at
        elif entry.text == "ready" and entry.seat is not None:
            ready.add(entry.seat)
            if ready >= set(projection.seats) - computers:
                _deal(projection, match, rows[entry.hand_number])
        if projection.clock is not None:
            projections.advance_clock(projection.clock, entry, entry.player)
            projection.clock.ask(_asked(projection, match.hand), entry.at)
    projection.game["ending"] = end.to_json() if end is not None else {}
    projection.game["undo"] = proposal.to_json() if proposal is not None else {}
    projection.game["totals"], projection.game["hands_played"] = match.totals, match.hands_played
    projection.game["to_act"] = _asked(projection, match.hand)
    if projection.game["to_act"] is not None and match.hand is not None:
        # Whether somebody still looks at a trick is not in the log: keep that.
        is_looking = game.asked == projections.GO_ON and game.to_act == projection.game["to_act"]
        projection.game["asked"] = game.asked if is_looking else match.hand.asked
    return projection


def _copy_of(match: Match, hand: Hand) -> Match:
    """An independent copy of a game whose open hand is `hand`."""
    twin = copy(match)
    twin.totals, twin.results, twin.hand = list(match.totals), list(match.results), hand.copy()
    return twin


def _reopen(projection: Projection, number: int) -> None:
    """Let deal `number` go on after a move was taken back: remove its result and the next deal, if it was over."""
    if projection.ended.pop(number, None) is not None:
        projection.hands.pop(number + 1)
        projection.game["hand_number"] = number
        projection.hands[number] |= {"status": GameHand.Status.OPEN, "points": [], "scores": [], "parties": []}


def _undone(game: Game) -> set[int]:
    """The numbers of the moves that were taken back."""
    events = game.actions.filter(kind=Action.Kind.EVENT, text=log.UNDONE)
    return {number for data in events.values_list("data", flat=True) for number in log.taken_back(data)}


def _asked(projection: Projection, hand: Hand | None) -> int | None:
    """The seat that is asked after the entries read so far."""
    if hand is None or hand.over or projection.game["status"] != Game.Status.PLAYING:
        return None
    return hand.turn


def rebuild(game_id: int) -> list[str]:
    """Rewrite the projections of a game from its log.

    Returns a description of each that has changed. Takes the game's lock.
    """
    with transaction.atomic():
        game = Game.objects.select_for_update().get(pk=game_id)
        projection = project(game)
        changed = _set_fields(game, projection.game, "game")
        rows = list(game.hands.select_related("deal"))
        for row in rows:
            hand_changed = _set_fields(row, projection.hands[row.number], f"hand {row.number}")
            if hand_changed:
                row.save()
            changed += hand_changed
        for seat in Seat.objects.filter(game=game).select_related("player__merged_into"):
            if not _belongs_to(seat, projection.seats[seat.number]):
                seat.player_id = projection.seats[seat.number]
                seat.save(update_fields=["player"])
                changed.append(f"seat {seat.number}: player")
        changed += projections.rebuild_played_seats(game, rows, projection.ended)
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
    """When the worker has to act in this game; None if it has nothing to do.

    While a move is proposed to be taken back, when that proposal lapses. To act for a computer player or for somebody
    who is away, or to begin a deal: the stored moment, or at once if it is missing. None for a table that rests
    because nobody watches.
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


def _deal(projection: Projection, match: Match, row: GameHand) -> None:
    projection.hands[row.number]["status"] = GameHand.Status.OPEN
    match.deal(log.pack_of(row))


def _expect(projection: Projection, match: Match, number: int) -> None:
    projection.game["hand_number"] = number
    projection.hands[number] = {
        "dealer": match.dealer, "status": GameHand.Status.WAITING, "points": [], "scores": [], "parties": [],
    }  # fmt: skip


def _close(projection: Projection, match: Match, entry: Action) -> None:
    result = match.results[-1]
    assert match.hand is not None
    projection.ended[entry.hand_number] = projections.EndedHand(entry.at, tallies(match.hand))
    projection.hands[entry.hand_number] |= {
        "status": GameHand.Status(result.status), "points": list(result.points), "scores": list(result.scores),
        "parties": [list(party) for party in result.parties],
    }  # fmt: skip
    if match.over:
        projection.game["status"], projection.game["ended_at"] = Game.Status.FINISHED, entry.at
    else:
        _expect(projection, match, entry.hand_number + 1)


def _set_fields(row: Game | GameHand, values: dict[str, Any], label: str) -> list[str]:
    """Set the fields of `row` that differ from `values`. Returns a description of each."""
    changed = []
    for name, value in values.items():
        if getattr(row, name) != value:
            setattr(row, name, value)
            changed.append(f"{label}: {name}")
    return changed
