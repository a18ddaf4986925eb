"""Stored games for tests: laying a table, sitting down, playing on as the computer players would."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from datetime import timedelta
from typing import Any

from django.db import transaction
from django.utils import timezone

from accounts.models import Player
from domain.bots import advice as bots
from domain.engine import Action, Hand
from games import packs
from games.models import Action as Entry
from games.models import Game
from games.selectors import log, table
from games.services import common, computers, play
from games.table import tasks

ENTROPY = "00112233445566778899aabbccddeeff"


def person(**fields: Any) -> Player:
    """A guest whose computer players do not pause."""
    return Player.objects.create(**{"bot_speed": "at-once"} | fields)


def laid(player: Player, **how: Any) -> Game:
    """A table with `player` as the first to come and three computer players."""
    return play.start("troccas", [player, *computers.computer_players(3)], **how)


def seat_of(game: Game, player: Player) -> int:
    """Where a player sits now."""
    return int(game.seats.get(player=player).number)


def sit(game: Game, player: Player, entropy: str = ENTROPY) -> play.Receipt:
    """Be ready for the deal that waits."""
    game.refresh_from_db()
    return play.ready(
        game.pk, seat_of(game, player), entropy=entropy, expected=game.number, request_id=uuid.uuid4(), by=player
    )


def wait(game: Game, player: Player) -> None:
    """Let the computer players act until `player` is asked, or the deal or the game is over: all in one transaction. Whoever
    wants each of their moves to pass through the worker takes `wait_for_worker`."""
    game.refresh_from_db()
    own = seat_of(game, player)
    if game.to_act not in (None, own):
        rush(game, until=lambda hand: hand.turn == own)


def wait_for_worker(game: Game, player: Player) -> None:
    """The same, each move as the worker makes it."""
    while True:
        game.refresh_from_db()
        if game.to_act is None or game.to_act == seat_of(game, player):
            return
        assert tasks.do_due(timezone.now() + timedelta(seconds=10)) > 0


def advised(game: Game, player: Player) -> str:
    """What a computer player would do in the player's place."""
    view = table.view_for(game, seat_of(game, player))
    assert view is not None
    return str(bots.choose(view))


def submit(game: Game, player: Player, action: str, **how: Any) -> play.Receipt:
    """Act through the door with the number the game has."""
    game.refresh_from_db()
    asked: dict[str, Any] = {"expected": game.number, "request_id": uuid.uuid4(), "by": player} | how
    return play.submit(game.pk, seat_of(game, player), action, **asked)


def step(game: Game, player: Player, wait: Callable[[Game, Player], None] = wait) -> None:
    """One step further: sit down, act, or wait for the others."""
    game.refresh_from_db()
    if game.to_act is None:
        sit(game, player)
    elif game.to_act == seat_of(game, player):
        submit(game, player, advised(game, player))
    wait(game, player)


def advice(hand: Hand) -> Action:
    """What a computer player does in a hand that nobody has stored."""
    return bots.choose(hand.view(hand.turn))


def rush(
    game: Game,
    moves: int = 1000,
    choose: Callable[[Hand], Action] = advice,
    until: Callable[[Hand], bool] | None = None,
) -> None:
    """So many moves of the deal that goes on, or all that are left, as computer players `choose` them: in one transaction of
    the service. It stops before a question at which `until` holds. Whoever wants each move to pass through the service takes
    `step`."""
    with transaction.atomic():
        locked = common.locked(game.pk)
        opened = log.open_table(locked)
        hand = opened.hand
        assert hand is not None
        while not hand.over and moves > 0 and not (until is not None and until(hand)):
            seat, move = hand.turn, choose(hand)
            hand.push(move)
            common.log(locked, Entry.Kind.MOVE, str(move), seat=seat, player=opened.seats[seat].player)
            if hand.needs_pack:
                packs.make_pack(opened.row.deal, opened.rules, hand)
            moves -= 1
        common.follow(opened, hand)
        common.done(locked)
    game.refresh_from_db()


def play_hand(game: Game, player: Player) -> None:
    """Play on until the next deal has come to its end."""
    game.refresh_from_db()
    if game.to_act is None:
        sit(game, player)
    rush(game)


def play_out(game: Game, player: Player) -> None:
    """Play to the end of the game."""
    game.refresh_from_db()
    while game.status == Game.Status.PLAYING:
        play_hand(game, player)
