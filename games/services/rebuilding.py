"""Making the projections of a game anew from its log alone: what `play` writes step by step, worked out in one go."""

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
    """What follows from a log: fields of the game, of each hand by its number, the player (id) in each seat, the clocks
    (None without a pace), and what was done in each hand that was played."""

    game: dict[str, Any]
    hands: dict[int, dict[str, Any]] = field(default_factory=dict)
    seats: dict[int, int] = field(default_factory=dict)
    clock: Clock | None = None
    ended: dict[int, projections.EndedHand] = field(default_factory=dict)


def project(game: Game) -> Projection:
    """Read the log of `game` from its beginning, with its deals' packs, and nothing else that `play` has written."""
    rows = {row.number: row for row in game.hands.select_related("deal")}
    match = Match(log.rules_of(game), game.options, dealer=rows[1].dealer)
    made = Projection({"status": Game.Status.PLAYING, "hand_number": 1, "ended_at": None})
    _expect(made, match, 1)
    terms = projections.terms_of(game)
    made.clock = Clock(terms) if terms is not None else None
    computers: set[int] = set()  # seats; so are those who are ready
    ready: set[int] = set()
    undone = _undone(game)
    taken_back: dict[int, Match] = {}  # the game before each move that is taken back later
    proposal: projections.UndoProposal | None = None
    end: projections.EndProposal | None = None
    for entry in game.actions.select_related("player__merged_into").order_by("number"):
        made.game["number"], made.game["acted_at"] = entry.number, entry.at
        proposal = projections.advance_undo(proposal, entry)
        end = projections.advance_ending(end, entry)
        if entry.kind == Action.Kind.MOVE:
            if made.hands[entry.hand_number]["status"] == GameHand.Status.WAITING:
                _deal(made, match, rows[entry.hand_number])  # computer players alone: nobody said to be ready
            assert match.hand is not None
            if entry.number in undone:
                taken_back[entry.number] = _as_it_stands(match, match.hand)
            match.push(parse_action(entry.text))
            if match.hand.result is not None:
                ready.clear()
                _close(made, match, entry)
        elif entry.kind == Action.Kind.SAID:
            assert entry.seat is not None
            for stands in (match, *taken_back.values()):
                if len(stands.results) == len(match.results):  # what was said stands, whatever is taken back
                    stands.push_of(entry.seat, parse_action(entry.text))
        elif entry.text == log.UNDONE:
            first = min(log.taken_back(entry.data))
            match = taken_back[first]
            taken_back = {number: before for number, before in taken_back.items() if number < first}
            _reopen(made, entry.hand_number)
        elif entry.text in ("sat", "substituted"):
            assert entry.seat is not None
            assert entry.player is not None
            made.seats[entry.seat] = projections.person_of(game, entry.player).pk
            if entry.player.is_computer:
                computers.add(entry.seat)
        elif entry.text == "drawn":
            arrived, persons = dict(made.seats), entry.data["seats"]
            made.seats = {seat: arrived[person] for seat, person in enumerate(persons)}
            computers = {seat for seat, person in enumerate(persons) if person in computers}
        elif entry.text == projections.ENDED:
            counts = entry.data["counts"]
            made.game["status"] = Game.Status.FINISHED if counts else Game.Status.ENDED
            made.game["ended_at"] = entry.at
        elif entry.text in _ENDS:
            made.game["status"], made.game["ended_at"] = _ENDS[entry.text], entry.at
        elif entry.text == "ready" and entry.seat is not None:
            ready.add(entry.seat)
            if ready >= set(made.seats) - computers:
                _deal(made, match, rows[entry.hand_number])
        if made.clock is not None:
            projections.advance_clock(made.clock, entry, entry.player)
            made.clock.ask(_asked(made, match.hand), entry.at)
    made.game["ending"] = end.to_json() if end is not None else {}
    made.game["undo"] = proposal.to_json() if proposal is not None else {}
    made.game["totals"], made.game["hands_played"] = match.totals, match.hands_played
    made.game["to_act"] = _asked(made, match.hand)
    if made.game["to_act"] is not None and match.hand is not None:
        waits = game.asked == projections.GO_ON and game.to_act == made.game["to_act"]  # what the log cannot tell
        made.game["asked"] = game.asked if waits else match.hand.asked
    return made


def _as_it_stands(match: Match, hand: Hand) -> Match:
    """The same game, which does not change when the other goes on."""
    twin = copy(match)
    twin.totals, twin.results, twin.hand = list(match.totals), list(match.results), hand.copy()
    return twin


def _reopen(made: Projection, number: int) -> None:
    """Deal `number` goes on: what followed if it was over is gone."""
    if made.ended.pop(number, None) is not None:
        made.hands.pop(number + 1)
        made.game["hand_number"] = number
        made.hands[number] |= {"status": GameHand.Status.OPEN, "points": [], "scores": [], "parties": []}


def _undone(game: Game) -> set[int]:
    """The numbers of the moves that were taken back."""
    events = game.actions.filter(kind=Action.Kind.EVENT, text=log.UNDONE)
    return {number for data in events.values_list("data", flat=True) for number in log.taken_back(data)}


def _asked(made: Projection, hand: Hand | None) -> int | None:
    """The seat that is asked after what has been read so far."""
    if hand is None or hand.over or made.game["status"] != Game.Status.PLAYING:
        return None
    return hand.turn


def rebuild(game_id: int) -> list[str]:
    """Write the projections of a game anew from its log; the names of what was different. Takes the game's lock."""
    with transaction.atomic():
        game = Game.objects.select_for_update().get(pk=game_id)
        made = project(game)
        changed = _differences(game, made.game, "game")
        rows = list(game.hands.select_related("deal"))
        for row in rows:
            hand_changed = _differences(row, made.hands[row.number], f"hand {row.number}")
            if hand_changed:
                row.save()
            changed += hand_changed
        for seat in Seat.objects.filter(game=game).select_related("player__merged_into"):
            if not _is_theirs(seat, made.seats[seat.number]):
                seat.player_id = made.seats[seat.number]
                seat.save(update_fields=["player"])
                changed.append(f"seat {seat.number}: player")
        changed += projections.played_differences(game, rows, made.ended)
        if made.clock is not None:
            changed += [f"game: {name}" for name in projections.clock_differences(game, made.clock, timezone.now())]
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


def _is_theirs(seat: Seat, player_id: int) -> bool:
    """Whether the seat belongs to the player whom the log names, or to the same person under their other number.

    A guest's seat becomes the member's unless they sit at the table already (`belongings`): who sat there when the two
    became one is not in the log, and whoever has the seat since shall keep it.
    """
    if seat.player_id == player_id:
        return True
    named = Player.objects.select_related("merged_into").get(pk=player_id)
    return named.current.pk == seat.player.current.pk


def _due_at(game: Game) -> datetime | None:
    """When the worker has to act: when what is proposed lapses; for a computer player or a seat whose player is away, or to
    begin a deal, when it is stored, and at once if that is missing, but for a table that rests because nobody looks."""
    proposal = projections.undo_proposal_of(game)
    if proposal is not None:
        return proposal.until
    rests = game.due_at is None and computers.is_alone(game, timezone.now())
    if game.asked == projections.GO_ON or rests:
        return None
    by_itself = bool(game.pace) or game.kind == Game.Kind.COMPUTERS
    begins = game.to_act is None and game.status == Game.Status.PLAYING and by_itself
    acts = projections.worker_acts(game) and not any(waits(game) for waits in hooks.waits)
    return game.due_at or game.acted_at if begins or acts else None


def _deal(made: Projection, match: Match, row: GameHand) -> None:
    made.hands[row.number]["status"] = GameHand.Status.OPEN
    match.deal(log.pack_of(row))


def _expect(made: Projection, match: Match, number: int) -> None:
    made.game["hand_number"] = number
    made.hands[number] = {
        "dealer": match.dealer, "status": GameHand.Status.WAITING, "points": [], "scores": [], "parties": [],
    }  # fmt: skip


def _close(made: Projection, match: Match, entry: Action) -> None:
    result = match.results[-1]
    assert match.hand is not None
    made.ended[entry.hand_number] = projections.EndedHand(entry.at, tallies(match.hand))
    made.hands[entry.hand_number] |= {
        "status": GameHand.Status(result.status), "points": list(result.points), "scores": list(result.scores),
        "parties": [list(party) for party in result.parties],
    }  # fmt: skip
    if match.over:
        made.game["status"], made.game["ended_at"] = Game.Status.FINISHED, entry.at
    else:
        _expect(made, match, entry.hand_number + 1)


def _differences(row: Game | GameHand, wanted: dict[str, Any], name: str) -> list[str]:
    """Set the fields of `row` that differ from `wanted`; says which did."""
    changed = []
    for key, value in wanted.items():
        if getattr(row, key) != value:
            setattr(row, key, value)
            changed.append(f"{name}: {key}")
    return changed
