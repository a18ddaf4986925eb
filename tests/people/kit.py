"""People who know each other, for tests."""

from __future__ import annotations

import uuid

from django.test import Client

from accounts.models import Player
from notices.models import Outbox
from people import services
from people.models import Message
from tests.games.lobby_kit import guest, member

__all__ = ["browser", "friends", "guest", "member", "told", "write"]


def friends(*names: str) -> tuple[Player, ...]:
    """Members who all follow each other."""
    people = tuple(member(name) for name in names)
    for one in people:
        for other in people:
            if one is not other:
                services.follow(one, other)
    return people


def browser(player: Player) -> Client:
    """A browser in which the member is signed in."""
    client = Client()
    assert player.user is not None
    client.force_login(player.user)
    return client


def write(author: Player, reader: Player, text: str = "Allegra") -> Message:
    return services.write(author, reader, text, request_id=uuid.uuid4())


def told(player: Player, event: str) -> list[Outbox]:
    return list(Outbox.objects.filter(player=player, event=event).order_by("pk"))
