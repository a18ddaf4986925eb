"""Making the projections of a game anew from its log alone: what `play` writes step by step, worked out in one go."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from django.db import transaction

from games import shelf
from games.engine import Match, parse_action
from games.models import Action, Game, GameHand, Seat

_ENDS = {"resigned": Game.Status.RESIGNED, "expired": Game.Status.EXPIRED}


@dataclass(slots=True)
class Projection:
    """What follows from a log: fields of the game, of each hand by its number, and the player (id) in each seat."""

    game: dict[str, Any]
    hands: dict[int, dict[str, Any]] = field(default_factory=dict)
    seats: dict[int, int] = field(default_factory=dict)


def project(game: Game) -> Projection:
    """Read the log of `game` from its beginning, with its deals' packs, and nothing else that `play` has written."""
    rows = {row.number: row for row in game.hands.select_related("deal")}
    match = Match(shelf.rules_of(game), game.options, dealer=rows[1].dealer)
    made = Projection({"status": Game.Status.PLAYING, "hand_number": 1, "ended_at": None})
    _expect(made, match, 1)
    computers: set[int] = set()
    ready: set[int] = set()
    for entry in game.actions.select_related("player__merged_into").order_by("number"):
        made.game["number"], made.game["acted_at"] = entry.number, entry.at
        if entry.kind == Action.Kind.MOVE:
            match.push(parse_action(entry.text))
            assert match.hand is not None
            if match.hand.result is not None:
                ready.clear()
                _close(made, match, entry)
        elif entry.text == "sat":
            assert entry.seat is not None
            assert entry.player is not None
            made.seats[entry.seat] = _now_sitting(game, entry)
            if entry.player.is_computer:
                computers.add(entry.player.pk)
        elif entry.text == "drawn":
            arrived = dict(made.seats)
            made.seats = {seat: arrived[person] for seat, person in enumerate(entry.data["seats"])}
        elif entry.text in _ENDS:
            made.game["status"], made.game["ended_at"] = _ENDS[entry.text], entry.at
        elif entry.text == "ready" and entry.player is not None:
            ready.add(_now_sitting(game, entry))
            if ready >= set(made.seats.values()) - computers:
                made.hands[entry.hand_number]["status"] = GameHand.Status.OPEN
                match.deal(shelf.pack_of(rows[entry.hand_number]))
    made.game["totals"], made.game["hands_played"] = match.totals, match.hands_played
    open_hand = match.hand is not None and not match.hand.over and made.game["status"] == Game.Status.PLAYING
    made.game["to_act"] = match.hand.turn if open_hand and match.hand is not None else None
    return made


def rebuild(game_id: int) -> list[str]:
    """Write the projections of a game anew from its log; the names of what was different. Takes the game's lock."""
    with transaction.atomic():
        game = Game.objects.select_for_update().get(pk=game_id)
        made = project(game)
        changed = _differences(game, made.game, "game")
        for row in game.hands.all():
            hand_changed = _differences(row, made.hands[row.number], f"hand {row.number}")
            if hand_changed:
                row.save()
            changed += hand_changed
        for seat in Seat.objects.filter(game=game):
            if seat.player_id != made.seats[seat.number]:
                seat.player_id = made.seats[seat.number]
                seat.save(update_fields=["player"])
                changed.append(f"seat {seat.number}: player")
        waits_for_computer = game.to_act is not None and game.seats.get(number=game.to_act).player.is_computer
        if waits_for_computer is not (game.due_at is not None):
            game.due_at = game.acted_at if waits_for_computer else None
            changed.append("game: due_at")
        if changed:
            game.save()
    return changed


def _now_sitting(game: Game, entry: Action) -> int:
    """The player an entry speaks of: a guest who became a member since is the member, unless both sit in this game."""
    assert entry.player is not None
    current = entry.player.current
    both = game.actions.filter(text="sat", player=current).exists() and current.pk != entry.player.pk
    return entry.player.pk if both else current.pk


def _expect(made: Projection, match: Match, number: int) -> None:
    made.game["hand_number"] = number
    made.hands[number] = {
        "dealer": match.dealer, "status": GameHand.Status.WAITING, "points": [], "scores": [], "parties": [],
    }  # fmt: skip


def _close(made: Projection, match: Match, entry: Action) -> None:
    result = match.results[-1]
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
