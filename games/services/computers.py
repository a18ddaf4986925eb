"""Computer players at stored games: who they are, and acting for the seat that is due. Called by the worker."""

from __future__ import annotations

import hashlib
import hmac
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from django.conf import settings
from django.utils import timezone

from accounts.models import Player
from core import metrics
from core.exceptions import Refusal
from core.request_priority import let_requests_go_first
from domain.bots import advice
from domain.bots.common import Dice, Reason
from domain.bots.worker_processes import WorkerProcess
from domain.engine import Action as Move
from domain.engine import Hand, View, card_of, ruleset
from domain.engine.actions import parse_action
from domain.pace import State
from games import projections
from games.models import Action, BoardSet, Game
from games.selectors import log, table
from games.selectors.lines import codes_of
from games.services import boards, play

LEVEL: Final = "beginner"
"""The level in lessons, in practice from a hand that was played, and for people at tables without an agreed level."""
REQUESTS_FIRST: Final = 0.05
"""How many seconds a computer player waits at most, before each action, for requests that are being answered."""
NAMES: Final = ("Gion", "Mengia", "Toni", "Flurina", "Clau", "Barla", "Duri")
"""First names heard in the Surselva; a table marks these players as computers."""


def name_of(number: int) -> str:
    """The name of the computer player of this number, from 1; after the last one they begin again."""
    return NAMES[(number - 1) % len(NAMES)]


def computer_players(count: int, level: str = LEVEL) -> list[Player]:
    """The first `count` computer players of a level, created when first needed.

    The level of a seat is that of its player.

    Raises ValueError for more players than there are, or for an unknown level.
    """
    if count > len(NAMES):
        raise ValueError(f"there are {len(NAMES)} computer players")
    return _players_named(NAMES[:count], level)


def _players_named(names: Sequence[str], level: str) -> list[Player]:
    if level not in advice.LEVELS:
        raise ValueError(f"no computer player of level {level}")
    players = {player.name: player for player in Player.objects.filter(computer=level, name__in=names)}
    for name in sorted({*names} - players.keys()):  # always in this order, as several processes may create them at once
        players[name] = Player.objects.get_or_create(computer=level, name=name)[0]
    return [players[name] for name in names]


def company_like(names: Sequence[str], seat: int) -> list[Player]:
    """Computer players for all seats but `seat`, in order of the seats; `names` are the names of the players at each
    seat.

    A seat whose name is that of a computer player keeps it, so that the talk of the hand belongs to the same player.
    The others get names that nobody has at the table, as far as possible.
    """
    kept: dict[int, str] = {}
    for number, name in enumerate(names):
        if number != seat and name in NAMES and name not in kept.values():
            kept[number] = name
    unused = iter(sorted((name for name in NAMES if name not in kept.values()), key=lambda name: name in names))
    return _players_named([kept.get(number) or next(unused) for number in range(len(names)) if number != seat], LEVEL)


def stand_in(level: str = LEVEL) -> Player:
    """The nameless computer player of a level, which acts for people who are away."""
    return Player.objects.get_or_create(computer=level, name="")[0]


def level_of(player: Player | None) -> str:
    """The level of the computer players with whom `player` played last; the default level if they never did.

    One query.
    """
    if player is None:
        return settings.COMPUTERS_LEVEL
    computers = Player.objects.filter(computer__in=advice.LEVELS, seats__game__seats__player=player).exclude(name="")
    latest = computers.filter(seats__game__kind=Game.Kind.PLAY, seats__game__board_set=None).order_by(
        "-seats__game__pk"
    )
    return latest.values_list("computer", flat=True).first() or settings.COMPUTERS_LEVEL


def act_for(game: Game) -> bool:
    """Let the computer player on turn, or the one for a person who is away, submit its action.

    Returns False if there was nothing to do any more, and while somebody asks to take back a move or looks at a trick.
    """
    if game.to_act is None or game.undo or game.asked == projections.GO_ON:
        return False
    player = game.seats.select_related("player").get(number=game.to_act).player
    if projections.state_of(game, game.to_act) is State.AWAY:
        player = stand_in(game.level)
    let_requests_go_first(REQUESTS_FIRST)
    view = table.view_for(game, game.to_act)
    if not player.is_computer or view is None or view.turn != game.to_act:
        return False
    with metrics.computer_seconds.time():
        action = _choose(view, player.computer, _seed(game, game.number, game.to_act))
    # The same position always has the same request id, so that two workers, or one that died, cannot act twice.
    request_id = uuid.uuid5(uuid.NAMESPACE_URL, f"computer:{game.public_id}:{game.number}")
    try:
        play.submit(game.pk, game.to_act, str(action), expected=game.number, request_id=request_id, by=player)
    except Refusal:
        return False
    return True


def _choose(view: View, level: str, seed: bytes) -> Move:
    """The action of a computer player.

    Levels that look ahead compute it in a process of their own, so that no page waits.
    """
    if level in advice.WORLDS and settings.COMPUTERS_APART:
        return _worker_process.choose(view, level=level, seed=seed)
    return advice.choose(view, level=level, seed=seed)


_worker_process: Final = WorkerProcess(settings.COMPILED_DIR, lambda by: metrics.computer_answers.labels(by).inc())


OTHERWISE: Final = 16
"""When computer players play a deal repeatedly, they play any legal card once in this many times."""


def scores_of(board_set: BoardSet, dealer: int, number: int) -> tuple[int, ...]:
    """The score of each seat when computer players alone play the first deal of a set.

    They would always play it the same way, so each `number` makes them play a few cards differently. Nothing is stored.
    """
    deal = boards.deals(board_set)[0]
    rules = ruleset(board_set.ruleset, board_set.ruleset_version, board_set.table_size)
    pack = [card_of(code) for code in (deal.pack or "").split()]
    hand = Hand(rules, dealer, pack, options=board_set.options)
    seed = _digest(f"{deal.table}|{deal.ordinal}|play {number}")
    while not hand.over:
        hand.push(boards.dealt_move(deal, hand) or _varied(hand.view(hand.turn), seed))
    assert hand.result is not None
    return tuple(hand.result.scores) or (0,) * rules.seats


def _varied(view: View, seed: bytes) -> Move:
    dice = Dice(seed, view)
    if view.asked == "play" and dice.below(OTHERWISE) == 0:
        return dice.one_of(list(view.legal))
    return advice.choose(view, level=LEVEL, seed=seed)


def is_alone(game: Game, now: datetime) -> bool:
    """Whether only computer players sit at the table and nobody watches them."""
    if game.kind != Game.Kind.COMPUTERS or game.practice.get("until", "") > now.isoformat():
        return False
    return not game.watchers.filter(until__gt=now).exists()


def rests(game: Game, now: datetime) -> bool:
    """Pause a table of computer players that nobody watches, until somebody does. Returns whether it rests."""
    if not is_alone(game, now):
        return False
    Game.objects.filter(pk=game.pk, number=game.number).update(due_at=None)
    return True


def wake(game_id: int) -> None:
    """Let a resting table of computer players play on, because somebody watches it. Does nothing to any other game."""
    resting = Game.objects.filter(pk=game_id, kind=Game.Kind.COMPUTERS, status=Game.Status.PLAYING, due_at=None)
    resting.update(due_at=timezone.now())


SHOWN: Final = 12
"""The number of latest actions for which reasons are given."""


@dataclass(frozen=True, slots=True)
class OpenHands:
    """All hands by seat, and the reasons for the latest actions by their number in the log."""

    hands: tuple[tuple[int, tuple[str, ...]], ...]
    reasons: Mapping[int, Reason]


def open_hands(game: Game) -> OpenHands | None:
    """The hands and reasons at a table of computer players only, while a hand is played; None at any other table."""
    if game.kind != Game.Kind.COMPUTERS or game.status != Game.Status.PLAYING:
        return None
    at = log.steady_table(game)
    if at.hand is None or not all(seat.player.is_computer for seat in at.seats):
        return None
    reasons: dict[int, Reason] = {}
    hand = log.replay_hand(at, at.row, at.moves[:-SHOWN])
    for move in at.moves[-SHOWN:]:  # computer players never talk unprompted
        action = parse_action(move.text)
        advised = advice.advise(hand.view(move.seat), seed=_seed(game, move.number - 1, move.seat))
        if advised.action == action:
            reasons[move.number] = advised.reason
        hand.push(action)
    return OpenHands(tuple((seat, codes_of(held)) for seat, held in enumerate(hand.hands)), reasons)


def _seed(game: Game, number: int, seat: int) -> bytes:
    """The seed for a computer player's random choices after action `number` of the game.

    It is fixed for the position, unknown outside, and independent of the secret of any pack. Where tables share a
    deal it is the same for the same cards after the same number of moves, because their results are compared.
    """
    position = f"{game.public_id}|{number}"
    row = game.hands.select_related("deal").get(number=game.hand_number) if game.board_set_id is not None else None
    if row is not None:
        seat = (seat - row.dealer) % game.table_size
        moves = game.actions.filter(kind=Action.Kind.MOVE, hand_number=row.number).count()
        position = f"{row.deal.table}|{row.deal.ordinal}|{seat}|{moves}"
    return _digest(position)


def _digest(position: str) -> bytes:
    message = f"computer-player|{position}".encode()
    return hmac.digest(settings.SECRET_KEY.encode(), message, hashlib.sha256)
