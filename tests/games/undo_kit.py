"""Taking back in tests: who asks, who answers, and the same game as if what was taken back had never been done."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from accounts.models import Player
from games import projections
from games.models import Action, Game, GameHand, Seat
from games.read_models import Sight, UndoSeen
from games.selectors import log, replay, table
from games.services import play, undo
from games.services.rebuilding import rebuild
from tests.games.pace_kit import fresh, request
from tests.games.table_kit import seat_of

QUIET = {"throw_in": False, "hands": 1}
ABOUT_IT = ("undo-proposed", "undo-agreed", "undo-declined", "undone")


def undo_of(game: Game, player: Player | None) -> UndoSeen | None:
    """What a player sees about taking back."""
    return table.sight_of(fresh(game), player).undo


def last_move(game: Game) -> Action:
    """The last move of the log, whether it counts or not."""
    move = game.actions.filter(kind=Action.Kind.MOVE).order_by("number").last()
    assert move is not None
    return move


def ask(game: Game, player: Player, **how: Any) -> play.Receipt:
    """The player asks to take back the last move of the log."""
    asked: dict[str, Any] = {"request_id": request(), "by": player} | how
    move = asked.pop("move", None) or last_move(game).number
    return undo.propose(game.pk, asked.pop("seat", None) or seat_of(game, player), move, **asked)


def reply(game: Game, player: Player, *, agree: bool = True, **how: Any) -> play.Receipt:
    """The player answers what is proposed."""
    proposal = projections.undo_proposal_of(fresh(game))
    asked: dict[str, Any] = {"request_id": request(), "by": player} | how
    move = asked.pop("move", None) or (proposal.move if proposal is not None else 0)
    return undo.answer(game.pk, seat_of(game, player), move, agree=agree, **asked)


def undone(game: Game, player: Player, players: list[Player]) -> None:
    """The player's last move is taken back, all agreeing."""
    ask(game, player)
    for other in players:
        if other != player:
            reply(game, other)


def never_made(game: Game) -> Game:
    """The same game, as its log would be if nothing had ever been taken back, or asked to be."""
    entries = list(game.actions.order_by("number"))
    gone = {number for entry in entries if entry.text == "undone" for number in log.taken_back(entry.data)}
    twin = Game.objects.create(
        kind=game.kind, ruleset=game.ruleset, ruleset_version=game.ruleset_version, options=game.options,
        table_size=game.table_size, draws_partners=game.draws_partners, pace=game.pace, totals=[0] * game.table_size,
        created_at=game.created_at,
    )  # fmt: skip
    for row in game.hands.all():
        GameHand.objects.create(game=twin, number=row.number, deal=row.deal, dealer=row.dealer)
    for seat in game.seats.all():
        Seat.objects.create(game=twin, number=seat.number, player=seat.player)
    kept = [entry for entry in entries if entry.number not in gone and entry.text not in ABOUT_IT]
    for number, entry in enumerate(kept, 1):
        entry.pk, entry.game, entry.number = None, twin, number
    Action.objects.bulk_create(kept)
    rebuild(twin.pk)
    return fresh(twin)


def without_time(seen: Sight) -> Sight:
    """What is seen of a game but its name, its log, its clocks, what could be taken back, and the promise of the next pack,
    which a table keeps by its name."""
    return replace(seen, public_id="", number=0, lines=(), clock=None, undo=None, coming=None, adds_to=0)


def same_as_never_made(game: Game) -> None:
    """Everybody sees what they would see if it had never been done; so does a watcher, and the record says the same."""
    twin = never_made(game)
    for viewer in (None, *(seat.player for seat in game.seats.select_related("player"))):
        assert without_time(table.sight_of(fresh(game), viewer)) == without_time(table.sight_of(twin, viewer))
    own, other = replay.record(fresh(game)), replay.record(twin)
    assert (own.hands, own.options, own.players, own.proof) == (other.hands, other.options, other.players, other.proof)
