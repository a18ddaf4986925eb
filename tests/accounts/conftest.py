"""Players of every kind, and belongings as an upper room would register them."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import cast

import pytest
from django.contrib.auth import get_user_model
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse

from accounts import registry, sessions
from accounts.models import Player, User
from core.registry import Registry

MakeUser = Callable[..., User]
PASSWORD = "neun-und-dreissig"


@dataclass
class Chairs:
    """Seats kept by a room above accounts: game number -> player number; a finished game keeps its players."""

    __name__ = "chairs.privacy"  # other rooms register a module

    seats: dict[int, list[int]] = field(default_factory=dict)
    finished: set[int] = field(default_factory=set)

    def merge(self, guest: Player, member: Player) -> None:
        for players in self.seats.values():
            if guest.pk in players and member.pk not in players:
                players[players.index(guest.pk)] = member.pk

    def release(self, player: Player) -> bool:
        for game in [each for each, sat in self.seats.items() if player.pk in sat and each not in self.finished]:
            self.seats[game].remove(player.pk)
        return any(player.pk in self.seats.get(game, ()) for game in self.finished)

    def export(self, player: Player) -> dict[str, object]:
        return {"chairs": [game for game, players in self.seats.items() if player.pk in players]}


@pytest.fixture
def chairs(monkeypatch: pytest.MonkeyPatch) -> Chairs:
    """Belongings that stand alone in the registry for the length of one test."""
    belongings = Chairs()
    monkeypatch.setattr(registry, "belongings", Registry([belongings]))
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
    client.cookies["guest"] = sessions.issue_guest_token(player)
    return player


def sign_in(client: Client, email: str = "onna@example.org", password: str = PASSWORD, **fields: str) -> HttpResponse:
    """Sign in by the form, as a browser without scripts does."""
    data = {"login": email, "password": password, **fields}
    return cast("HttpResponse", client.post(reverse("account_login"), data))


def confirm_password(client: Client, password: str = PASSWORD) -> None:
    """Give the password once more, as the pages that change something important want it."""
    assert client.post(reverse("account_reauthenticate"), {"password": password}).status_code == 302
