"""Players of every kind, and belongings as an upper room would register them."""

from collections.abc import Callable
from dataclasses import dataclass, field

import pytest
from django.contrib.auth import get_user_model
from django.test import Client

from accounts import protocols, tokens
from accounts.models import Player, User

MakeUser = Callable[..., User]
PASSWORD = "neun-und-dreissig"


@dataclass
class Chairs:
    """Seats kept by a room above accounts: game number -> player number; a finished game keeps its players."""

    seats: dict[int, list[int]] = field(default_factory=dict)
    finished: set[int] = field(default_factory=set)

    def merge(self, guest: Player, member: Player) -> None:
        for players in self.seats.values():
            if guest.pk in players and member.pk not in players:
                players[players.index(guest.pk)] = member.pk

    def release(self, guest: Player) -> bool:
        for game in [game for game, players in self.seats.items() if guest.pk in players and game not in self.finished]:
            self.seats[game].remove(guest.pk)
        return any(guest.pk in self.seats.get(game, ()) for game in self.finished)


@pytest.fixture
def chairs(monkeypatch: pytest.MonkeyPatch) -> Chairs:
    """Belongings that stand alone in the registry for the length of one test."""
    belongings = Chairs()
    monkeypatch.setattr(protocols, "_registered", [])
    protocols.register(belongings)
    return belongings


@pytest.fixture
def make_user(db: None) -> MakeUser:
    """Makes a user who can log in with `PASSWORD`, and the user's player."""

    def make(email: str = "onna@example.org", *, player: bool = True) -> User:
        user = get_user_model().objects.create_user(email, PASSWORD)
        if player:
            Player.objects.create(user=user)
        return user

    return make


@pytest.fixture
def guest(client: Client, db: None) -> Player:
    """A guest whose cookie the client holds."""
    player = Player.objects.create()
    client.cookies["guest"] = tokens.issue(player)
    return player
