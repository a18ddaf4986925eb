"""Computer players at stored games: who they are, and acting for the seat that is due. Called by the worker."""

from __future__ import annotations

import hashlib
import hmac
import uuid
from typing import Final

from django.conf import settings

from accounts.models import Player
from core.exceptions import Refusal
from domain.bots import advice
from domain.pace import State
from games import projections
from games.models import Action, Game
from games.selectors import table
from games.services import play

LEVEL: Final = "level-1"
NAMES: Final = ("Gion", "Mengia", "Toni", "Flurina", "Clau", "Barla", "Duri")
"""First names heard in the Surselva; a table shows beside them that nobody of flesh and blood sits there."""


def computer_players(count: int) -> list[Player]:
    """The first `count` computer players, made on first need. Raises ValueError for more than there are."""
    if count > len(NAMES):
        raise ValueError(f"there are {len(NAMES)} computer players")
    found = {player.name: player for player in Player.objects.filter(computer=LEVEL, name__in=NAMES)}
    return [
        found.get(name) or Player.objects.get_or_create(computer=LEVEL, name=name, user=None)[0]
        for name in NAMES[:count]
    ]


def stand_in() -> Player:
    """The computer player without a name who acts for people that are away."""
    return Player.objects.filter(computer=LEVEL, name="").order_by("pk").first() or Player.objects.create(
        computer=LEVEL
    )


def act_for(game: Game) -> bool:
    """Let the computer player on turn, or the one for a person who is away, act like everybody.

    False when there was nothing to do any more, and while somebody asks to take back, or looks at a trick.
    """
    if game.to_act is None or game.undo or game.asked == projections.GO_ON:
        return False
    player = game.seats.select_related("player").get(number=game.to_act).player
    if projections.state_of(game, game.to_act) is State.AWAY:
        player = stand_in()
    view = table.view_for(game, game.to_act)
    if not player.is_computer or view is None or view.turn != game.to_act:
        return False
    action = advice.choose(view, level=player.computer, seed=_seed(game))
    # The same position always asks with the same request: two workers, or one that died, cannot act twice.
    request_id = uuid.uuid5(uuid.NAMESPACE_URL, f"computer:{game.public_id}:{game.number}")
    try:
        play.submit(game.pk, game.to_act, str(action), expected=game.number, request_id=request_id, by=player)
    except Refusal:
        return False
    return True


def _seed(game: Game) -> bytes:
    """Chance for a computer player's whims: fixed for the position, unknown outside, and apart from any pack's secret.

    Where tables share a deal it is the same for the same cards after as many moves: what they make of it is compared.
    """
    place = f"{game.public_id}|{game.number}"
    row = game.hands.select_related("deal").get(number=game.hand_number) if game.board_set_id is not None else None
    if row is not None:
        seat = ((game.to_act or 0) - row.dealer) % game.table_size
        moves = game.actions.filter(kind=Action.Kind.MOVE, hand_number=row.number).count()
        place = f"{row.deal.table}|{row.deal.ordinal}|{seat}|{moves}"
    message = f"computer-player|{place}".encode()
    return hmac.digest(settings.SECRET_KEY.encode(), message, hashlib.sha256)
