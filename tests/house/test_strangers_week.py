"""Somebody signs up on a Monday with nobody there, and what has happened by Sunday.

People look in a few times a day, by turns of a clock; the worker comes every ten minutes. The cards are always the same. Every letter of the week is read: it is
in the reader's language, true when it goes out, and comes once. `pytest -s` prints them all.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.core import mail
from django.core.cache import cache
from django.test import Client
from django.utils import timezone

from accounts.models import Player
from domain.engine import shuffle
from games.models import Game
from games.table import tasks
from notices import delivery
from tests.games import pace_kit
from tests.games.table_kit import advised, seat_of

pytestmark = pytest.mark.django_db

TICK = timedelta(minutes=10)
WEEK = timedelta(days=7)
ENGLISH = re.compile(r"\b(the|your|you|turn|until|time|game|table|waits?|plays?|leads?)\b", re.IGNORECASE)


@dataclass(slots=True)
class Person:
    """Somebody with a browser in German, who looks in at these hours of Zurich."""

    name: str
    comes: datetime
    hours: tuple[int, ...]
    client: Any = field(default_factory=lambda: Client(headers={"accept-language": "de"}))
    acted: int = 0

    @property
    def address(self) -> str:
        return f"{self.name.lower()}@example.org"

    @property
    def player(self) -> Player:
        return Player.objects.get(user__email=self.address)


def monday(hour: int, day: int = 0) -> datetime:
    return pace_kit.MONDAY.replace(hour=hour - 2) + timedelta(days=day)  # Zurich is two hours ahead in June


def people() -> list[Person]:
    return [
        Person("Seraina", monday(9), (7, 12, 18, 21)),
        Person("Gion", monday(20), (8, 13, 20)),
        Person("Nina", monday(12, 1), (9, 12, 17, 22)),
        Person("Luzi", monday(18, 1), (10, 18, 20)),
    ]


def signs_up(person: Person) -> None:
    sent = {"email": person.address, "password1": "neun-und-dreissig-Karten", "name": person.name}
    assert person.client.post("/de/account/signup/", sent).status_code == 302
    assert person.client.post("/de/meeting/wish/", {"games": "troccas", "paces": "day"}).status_code == 303


def looks_in(person: Person) -> None:
    """See what waits, and do what is asked of them."""
    player = person.player
    assert person.client.get("/de/my-games/").status_code == 200
    for game in Game.objects.filter(seats__player=player, status=Game.Status.PLAYING):
        assert person.client.get(f"/g/{game.public_id}/").status_code == 200
        for _turn in range(4):
            game.refresh_from_db()
            sent = {"expected": game.number, "request_id": str(uuid4())}
            if game.asked == "sit":
                person.client.post(f"/g/{game.public_id}/ready/", sent | {"entropy": "00" * 16})
                break
            if game.to_act != seat_of(game, player):
                break
            answer = person.client.post(f"/g/{game.public_id}/act/", sent | {"action": advised(game, player)})
            assert answer.status_code in (200, 303), answer.text
            person.acted += 1


def works() -> None:
    """What a worker and a courier do that look in now."""
    while tasks.do_due():
        pass
    delivery.deliver_due()


def is_true(letter: Any, person: Person) -> bool:
    """Whether what a letter of a turn says is so while it goes out."""
    if not re.search(r"du bist( noch)? dran|immer noch dran", letter.subject, re.IGNORECASE):
        return True
    games = Game.objects.filter(seats__player=person.player, status=Game.Status.PLAYING)
    return any(game.to_act == seat_of(game, person.player) for game in games)


@pytest.mark.slow
@pytest.mark.one_course  # how often each is asked in a week hangs on who sits where
def test_a_stranger_who_signs_up_on_monday_has_played_with_people_by_sunday(monkeypatch: pytest.MonkeyPatch) -> None:
    cache.clear()
    monkeypatch.setattr(shuffle, "seed", lambda *_facts, **_of_the_deal: b"a week of Troccas by four people")
    everybody = people()
    letters: list[tuple[datetime, Person, Any]] = []
    read = 0
    with pace_kit.turned(monkeypatch, monday(9) - TICK) as clock:
        while clock.now < monday(9) + WEEK:
            clock.now += TICK
            here = timezone.localtime(clock.now)
            for person in everybody:
                if person.comes == clock.now:
                    signs_up(person)
                elif person.comes < clock.now and here.hour in person.hours and here.minute == 0:
                    looks_in(person)
            works()
            for letter in mail.outbox[read:]:
                person = next(one for one in everybody if one.address in str(letter.to))
                letters.append((clock.now, person, letter))
                assert is_true(letter, person), (letter.subject, letter.body)
            read = len(mail.outbox)
        for moment, person, letter in letters:
            print(f"{timezone.localtime(moment):%a %H:%M} {person.name}: {letter.subject}\n{letter.body}\n----")
        games = Game.objects.filter(kind=Game.Kind.PLAY)
        print(
            [(game.status, game.number, game.hands.count()) for game in games], [(p.name, p.acted) for p in everybody]
        )
    assert len(games) == 1
    assert all(person.acted > 5 for person in everybody)
    once = Counter((person.name, letter.subject, letter.body) for _moment, person, letter in letters)
    assert not [each for each, times in once.items() if times > 1]
    said = [re.sub(r"https?://\S+", "", f"{letter.subject}\n{letter.body}") for _moment, _person, letter in letters]
    assert not [text for text in said if ENGLISH.search(text)]
