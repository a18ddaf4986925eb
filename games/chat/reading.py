"""How far somebody has read: what is unread, and notices that are settled by reading."""

from __future__ import annotations

from typing import Final

from django.utils import timezone

from accounts.models import Player
from games.chat import rights
from games.chat_models import ChatPlace, Message
from games.models import Game
from notices.kinds import Kind
from notices.models import Outbox

COUNTED: Final = 100
"""Unread messages are counted up to here."""


def place_of(game: Game, player: Player) -> ChatPlace:
    """How far the player has read; unsaved for who never did."""
    found = ChatPlace.objects.filter(game=game, player=player).first()
    return found or ChatPlace(game=game, player=player)


def unread(game: Game, player: Player | None, place: ChatPlace | None = None) -> int:
    """How many messages of others the player has not read, at most `COUNTED`; none where they closed the chat.

    `place` is how far they have read, if that is known.
    """
    if player is None:
        return 0
    place = place or place_of(game, player)
    if place.closed:
        return 0
    later = Message.objects.filter(game=game, pk__gt=place.read).exclude(author=player)
    if not later.exists():
        return 0  # as a rule: every step of a table asks this
    fresh = rights.readable(game, player).filter(pk__gt=place.read).exclude(author=player)
    authors = list(fresh.values_list("author", flat=True)[:COUNTED])
    unwanted = rights.unwanted_by(player, authors)
    return sum(author not in unwanted for author in authors)


def settle(player: Player, game: Game) -> None:
    """Notices that somebody wrote in this game say nothing new any more."""
    told = Outbox.objects.filter(player=player, topic=game.public_id, kind=Kind.TALK, read_at__isnull=True)
    told.update(read_at=timezone.now())
