"""Chats for tests: a table of people, somebody who watches, writing with fresh request ids."""

from __future__ import annotations

import uuid
from datetime import timedelta

from django.contrib.auth import get_user_model
from django.utils import timezone

from accounts import names
from accounts.models import Player
from domain.pace import Terms
from games.chat import selectors, services
from games.chat.models import Message
from games.models import Game, GameHand
from games.services import computers, play

TABLE, WATCHERS = Message.Channel.TABLE, Message.Channel.WATCHERS


def member(name: str = "Anna", *, days: int = 30) -> Player:
    """Somebody with an account since so many days, and a name."""
    user = get_user_model().objects.create_user(f"{uuid.uuid4().hex}@example.org", "neun-und-dreissig")
    since = timezone.now() - timedelta(days=days)
    player = Player.objects.create(user=user, bot_speed="at-once", created_at=since)
    names.give(player, name)
    return player


def table(*people: Player, pace: Terms | None = None, game: str = "troccas") -> Game:
    """A game of these people, computer players on the other seats of four; the first hand waits."""
    return play.start(game, [*people, *computers.computer_players(4 - len(people))], pace=pace)


def begin(game: Game, *people: Player) -> None:
    """All people sit down: a hand is played from now on."""
    for player in people:
        game.refresh_from_db()
        seat = game.seats.get(player=player).number
        play.ready(game.pk, seat, entropy="", expected=game.number, request_id=uuid.uuid4(), by=player)
    game.refresh_from_db()
    assert game.hands.get(number=game.hand_number).status == GameHand.Status.OPEN


def end(game: Game, player: Player) -> None:
    """The game is over: `player` leaves it."""
    game.refresh_from_db()
    play.resign(game.pk, game.seats.get(player=player).number, request_id=uuid.uuid4(), by=player)
    game.refresh_from_db()
    assert game.status != Game.Status.PLAYING


def say(game: Game, player: Player, words: str, channel: str = TABLE) -> Message:
    """Write."""
    return services.say(game.pk, player, channel, words, request_id=uuid.uuid4())


def greet(game: Game, player: Player, greeting: str = "hello", channel: str = TABLE) -> Message:
    """Greet."""
    return services.greet(game.pk, player, channel, greeting, request_id=uuid.uuid4())


def agreed(game: Game, mode: str) -> None:
    """What the people at the table have agreed on."""
    for number, player in enumerate(person for person in _people(game)):
        services.propose(game.pk, player, mode) if number == 0 else services.answer(game.pk, player, agree=True)


def _people(game: Game) -> list[Player]:
    return [seat.player for seat in game.seats.select_related("player") if not seat.player.is_computer]


def read_by(game: Game, viewer: Player | None, channel: str | None = None) -> list[str]:
    """The words that a viewer reads, in order; `channel` None: of all chats they have."""
    game.refresh_from_db()
    chat = selectors.chats_of(game, viewer)
    shown = chat.channels if chat is not None else ()
    return [message.text for one in shown if channel in (None, one.name) for message in one.messages]
