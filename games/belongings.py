"""What players own at tables, told to `accounts`: how seats move to a member, and what becomes of an idle guest's games."""

from __future__ import annotations

from accounts.models import Player
from games import play
from games.models import Game, Seat


class Seats:
    """A player's seats."""

    def merge(self, guest: Player, member: Player) -> None:
        """Seat the member where the guest sat, but not twice in one game: such a seat stays the guest's."""
        taken = Seat.objects.filter(player=member).values("game")
        Seat.objects.filter(player=guest).exclude(game__in=taken).update(player=member)

    def release(self, guest: Player) -> bool:
        """Let the guest's unfinished games expire. True if any game, finished or not, goes on naming the guest."""
        for game in Game.objects.filter(seats__player=guest, status=Game.Status.PLAYING):
            play.expire(game.pk)
        return Seat.objects.filter(player=guest).exists()


SEATS = Seats()
