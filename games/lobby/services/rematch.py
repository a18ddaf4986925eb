"""Once more: the same people, the same seats and agreements, the deal passing on to the next player."""

from __future__ import annotations

import uuid
from datetime import timedelta
from typing import Final

from django.db import transaction

from accounts import permissions as account_permissions
from accounts.models import Player
from domain.engine.rulesets import ruleset
from domain.pace import Kind, Terms
from games import permissions as watching
from games.exceptions import NotNow, NotYourSeat
from games.lobby.exceptions import CannotInvite
from games.lobby.models import OpenTable
from games.lobby.services import common, tables
from games.models import Game
from games.permissions import chat_mode_of

WAITS: Final = {Kind.DAYS: timedelta(days=7), Kind.LIVE: timedelta(minutes=30)}
WAITS_UNHURRIED: Final = timedelta(days=1)


def offered(game: Game, player: Player | None) -> bool:
    """Whether there is something to repeat: a game of other people, or one with a clock, that is over.

    Not where tables share their deals: who plays with whom there is for others to say.
    """
    if player is None or game.kind != Game.Kind.PLAY or game.status == Game.Status.PLAYING or game.board_set_id:
        return False
    seats = list(game.seats.select_related("player"))
    others = [seat for seat in seats if seat.player_id != player.pk and not seat.player.is_computer]
    return len(others) < len(seats) and any(seat.player_id == player.pk for seat in seats) and bool(others or game.pace)


def rematch(game_id: int, by: Player, *, request_id: uuid.UUID) -> OpenTable:
    """The table at which the same people play again: a new one, or the one that somebody of them has laid already.

    Computer players take their seats again, people are invited to theirs, and the game begins when all have come. At a
    table that is there already `by` sits down. Raises NotYourSeat, NotNow while the game goes on or where its deals are
    shared, and what `door.lay`
    and `door.join` raise.
    """
    with transaction.atomic():
        game = Game.objects.select_for_update().get(pk=game_id)
        seats = list(game.seats.select_related("player__merged_into").order_by("number"))
        own = next((seat for seat in seats if seat.player_id == by.pk), None)
        if own is None:
            raise NotYourSeat
        if game.status == Game.Status.PLAYING or game.kind != Game.Kind.PLAY or game.board_set_id is not None:
            raise NotNow
        going = OpenTable.objects.filter(rematch_of=game, state__in=("waiting", "started")).first()
        if going is not None and going.state == OpenTable.State.WAITING:
            going = None if tables.expire(going.pk) else going
        if going is not None:
            if going.state == OpenTable.State.WAITING:
                tables.join(going.pk, by, request_id=request_id)
            return OpenTable.objects.get(pk=going.pk)
        people = [seat for seat in seats if seat.number != own.number and not seat.player.is_computer]
        rules = ruleset(game.ruleset, game.ruleset_version, game.table_size)
        terms = Terms.from_json(game.pace) if game.pace else None
        wish = tables.Wish(
            rules,
            game.options,
            terms,
            WAITS[terms.kind] if terms is not None else WAITS_UNHURRIED,
            entry=OpenTable.Entry.INVITED,
            computers=sum(seat.player.is_computer for seat in seats),
            at=[seat.number for seat in seats if seat.player.is_computer],
            seat=own.number,
            first_dealer=_next_dealer(game),
            rematch_of=game,
            chat=chat_mode_of(game),
            watchers=watching.mode_of(game),
            memory=game.memory,
        )
        table = tables.lay(by, wish, request_id=request_id)
        for seat in people:
            _ask(table, by, seat.player.current, seat.number)
    return OpenTable.objects.get(pk=table.pk)


def _ask(table: OpenTable, by: Player, player: Player, seat: int) -> None:
    """Keep the seat for its player; who is gone or does not want to meet leaves it to others."""
    if not account_permissions.may_meet(by, [player]):
        return
    try:
        tables.invite(
            table.pk, by, player, request_id=uuid.uuid5(uuid.NAMESPACE_OID, f"rematch:{table.pk}:{seat}"), seat=seat
        )
    except CannotInvite:
        return


def _next_dealer(game: Game) -> int:
    """Who deals after the last hand that was dealt; the same again if it was thrown in or never ended."""
    last = game.hands.order_by("-number").first()
    assert last is not None
    ended = last.status in ("played", "passed")
    return int((last.dealer + 1) % game.table_size if ended else last.dealer)


def url_of(table: OpenTable) -> str:
    """Where one goes from there."""
    return common.url_of(table)
