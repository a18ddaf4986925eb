"""People with accounts who play in the games of a tournament: most actions through the door, every tenth over HTTP."""

from __future__ import annotations

import random
import uuid
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from accounts.models import Player, User
from core.exceptions import Refusal
from games.models import Game
from games.services import play
from tests.tournaments.leagues.browsing import Inside
from tests.tournaments.leagues.mishaps import Died, Plug
from tests.tournaments.leagues.replay import AWAY, SOUGHT, Replay

EVERY = 10
"""Every so many actions one goes over HTTP."""


@dataclass
class Person:
    """Somebody. `away_until`: does nothing before; `dawdles_until`: acts once in `rest` hours until then."""

    first: str
    last: str
    user: User
    player: Player
    browser: Inside
    away_until: datetime | None = None
    dawdles_until: datetime | None = None
    rest: timedelta = timedelta(hours=8)  # more would take the reserve, and then a substitute the seat
    acted_at: datetime | None = None
    gone: bool = False
    """Has no account any more."""

    @property
    def full(self) -> str:
        """As in the club's list."""
        return f"{self.first} {self.last}"

    def comes(self, now: datetime, chance: random.Random) -> bool:
        """Whether they look in at this moment."""
        if self.gone or (self.away_until is not None and now < self.away_until):
            return False
        if self.dawdles_until is not None and now < self.dawdles_until:
            return self.acted_at is None or now - self.acted_at >= self.rest
        return chance.random() < 0.75


@dataclass
class Acting:
    """Everybody's actions. `known`: who is who, by the key of the player; `heard` keeps what came over HTTP."""

    chance: random.Random
    plug: Plug
    known: dict[int, Person] = field(default_factory=dict)
    heard: list[tuple[int, str, str]] = field(default_factory=list)
    """(player, public id, what the table told them as data)"""
    wrong: list[str] = field(default_factory=list)
    acted: int = 0
    over_http: int = 0
    again: int = 0

    def burst(self, replay: Replay, now: datetime, most: int) -> int:
        """People at one table act, one after the other, as long as who is asked looks in; how many actions."""
        done, looked = 0, {}
        while done < most:
            game = Game.objects.get(pk=replay.game.pk)
            replay.read()
            if game.status != Game.Status.PLAYING or game.to_act is None:
                break
            person = self.known.get(replay.sitting[game.to_act])
            if person is None or replay.state[game.to_act] == SOUGHT:
                break
            if person.player.pk not in looked:
                looked[person.player.pk] = person.comes(now, self.chance)
            if not looked[person.player.pk] or (replay.state[game.to_act] == AWAY and person.away_until):
                break
            if not self._act(person, game, replay):
                break
            done += 1
            if person.dawdles_until is not None and now < person.dawdles_until:
                looked[person.player.pk] = False
        return done

    def _act(self, person: Person, game: Game, replay: Replay) -> bool:
        """One action, and the very same again if the process has died over it."""
        seat, action, sent = game.to_act, replay.advice(game), uuid.UUID(int=self.chance.getrandbits(128), version=4)
        assert seat is not None
        self.acted += 1
        http = self.acted % EVERY == 0
        for attempt in range(5):
            try:
                with self.plug.in_danger():
                    if http:
                        self._by_http(person, game, action, sent)
                    else:
                        play.submit(game.pk, seat, action, expected=game.number, request_id=sent, by=person.player)
                break
            except Died:
                self.again += 1
                assert attempt < 4, "died five times"
            except Refusal as why:
                self.wrong.append(f"{game.public_id} at {game.number}: {action} by {person.full} refused: {why.code}")
                return False
        person.acted_at = Game.objects.values_list("acted_at", flat=True).get(pk=game.pk)
        return True

    def _by_http(self, person: Person, game: Game, action: str, sent: uuid.UUID) -> None:
        self.over_http += 1
        fields = {"action": action, "expected": str(game.number), "request_id": str(sent), "sure": "1"}
        answer = person.browser.client.post(f"/g/{game.public_id}/act/", fields, headers={"Accept": "application/json"})
        if answer.status_code >= 400:
            text = answer.content.decode()[:200]
            self.wrong.append(f"/g/{game.public_id}/act/ {action} by {person.full}: {answer.status_code} {text}")
            return
        state = person.browser.client.get(f"/g/{game.public_id}/state.json")
        self.heard.append((person.player.pk, game.public_id, state.content.decode()))
