"""The data of players at tables, for `accounts`: seats move to a member, games end when a player leaves, and games are
exported."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from functools import partial

from django.db import transaction
from django.db.models import Max, Prefetch, Q

from accounts.models import Player
from games import broadcast, projections
from games.models import Action, BoardSet, Game, Punctuality, Seat
from games.selectors import replay
from games.services import play


def merge(guest: Player, member: Player) -> None:
    """Give the guest's seats to the member, except in games in which the member sits too: such a seat is left (`_leave`).

    If the two sat at two tables with the same deals, they go on at one of them only (`_keep_one`).
    """
    _hold(guest, member)
    left = _keep_one(guest, member)
    taken = Seat.objects.filter(player=member).values("game")
    seats = Seat.objects.filter(player=guest).exclude(game__in=left)
    for seat in seats.filter(game__in=taken, game__status=Game.Status.PLAYING).order_by("game"):
        _leave(seat, guest)
    seats.exclude(game__in=taken).update(player=member)
    projections.give_punctuality(guest, member)


def release(player: Player) -> bool:
    """End the player's unfinished games: a guest's expire, a member's are resigned.

    True if the player is still in any game. If a clock runs and others play on, the seat is left to a computer
    player.
    """
    _hold(player)
    seats = Seat.objects.filter(player=player, game__status=Game.Status.PLAYING)
    for seat in seats.select_related("game").order_by("game"):
        if player.is_member or seat.game.pace:
            play.resign(seat.game_id, seat.number, request_id=uuid.uuid4(), by=player)
        else:
            play.expire(seat.game_id)
    return Seat.objects.filter(player=player).exists()


def export(player: Player) -> dict[str, object]:
    """The player's games: their seats and actions, and for games that are over the whole record; and their punctuality.

    What they did as a guest, and at a seat that somebody else has now, is theirs too.
    """
    people = [player.pk, *player.merged.values_list("pk", flat=True)]
    concerned = [model.objects.filter(player__in=people).values("game") for model in (Seat, Action)]
    games = Game.objects.filter(Q(pk__in=concerned[0]) | Q(pk__in=concerned[1])).order_by("created_at", "pk")
    days = Punctuality.objects.filter(player__in=people).order_by("day")
    return {
        "games": [_game(game, people) for game in games.iterator(chunk_size=200)],
        "punctuality": list(days.values("day", "actions", "timeouts")),
    }


def _hold(*players: Player) -> None:
    """Lock all unfinished games of these players, in order, before anything is written that belongs to a player.

    A command of a game locks the game and then writes about its players. Code that wrote about a player first and
    then locked the game could cause a deadlock with it.
    """
    games = Seat.objects.filter(player__in=players, game__status=Game.Status.PLAYING).values("game")
    list(Game.objects.select_for_update().filter(pk__in=games).order_by("pk").values_list("pk"))


def _keep_one(guest: Player, member: Player) -> list[int]:
    """Let the two, as one person, play sealed deals at one table only: the one where they have seen the most of them.

    They leave the other tables for good (`_leave`). Returns the keys of the games that were left.
    """
    two = (guest, member)
    met = BoardSet.objects.filter(opened_at=None, games__actions__player=guest).values("pk")
    sets = list(BoardSet.objects.select_for_update().filter(pk__in=met).order_by("pk"))
    left = []
    for boards in sets:
        games = list(
            boards.games.annotate(known=Max("actions__hand_number", filter=Q(actions__player__in=two)))
            .filter(known__isnull=False)
            .prefetch_related(Prefetch("seats", Seat.objects.filter(player__in=two).select_related("player")))
        )
        games.sort(key=_most_known)
        for game in games[1:]:
            if game.status != Game.Status.PLAYING:
                continue
            for seat in game.seats.all():
                _leave(seat, guest)
                left.append(game.pk)
            transaction.on_commit(partial(broadcast.ring_watching, game.public_id), robust=True)
    return left


def _leave(seat: Seat, guest: Player) -> None:
    """Leave a seat for good: if a clock runs and people play on, a computer player acts there, else the game ends.

    It is the guest's from then on, as whom nobody looks or acts any more.
    """
    play.resign(seat.game_id, seat.number, request_id=uuid.uuid4(), by=seat.player)
    Seat.objects.filter(pk=seat.pk).update(player=guest)


def _most_known(game: Game) -> tuple[int, bool, int, int]:
    """A sort key: first the game in which the person has seen the most deals; of equal ones, first a game that is
    over."""
    known = game.hand_number if game.seats.all() else game.known  # type: ignore[attr-defined]  # annotated by _keep_one
    return -known, game.status == Game.Status.PLAYING, -game.number, game.pk


def _game(game: Game, people: Sequence[int]) -> dict[str, object]:
    """One game for its player; `people` are the keys of the player and of the guests they were.

    While it goes on, only with their own actions: the record would show what is still hidden. Whoever has left the table
    does not get its totals then, as it may be closed to watchers, nor, while others still have to play its deals, its
    record.
    """
    seats = list(game.seats.filter(player__in=people).order_by("number").values_list("number", flat=True))
    own = Action.objects.filter(game=game, player__in=people)
    is_over = game.status != Game.Status.PLAYING
    may_see = bool(seats) or (is_over and not game.is_sealed)
    return {
        **{name: getattr(game, name) for name in ("public_id", "kind", "ruleset", "created_at", "status", "ended_at")},
        "seats": seats,
        "totals": game.totals if may_see else None,
        "actions": list(own.values("number", "hand_number", "seat", "text", "at")),
        "record": replay.record(game).to_json() if is_over and may_see else None,
    }
