"""Tables of people at which something is done for them, for tests."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Mapping

from django.test import Client
from django.urls import reverse

from accounts import sessions
from accounts.models import Player
from domain.engine import Hand, Match, View
from domain.engine.claims import forced, plainly_forced
from games.models import Game
from games.plans.models import Scheduled
from games.selectors import table
from games.services import play
from games.services.rebuilding import rebuild
from tests.domain.engine.kit import TROCCAS, random_action, random_pack
from tests.games.pace_kit import DAYS, fresh, request
from tests.games.store_kit import pack_of, replayed, store
from tests.games.table_kit import seat_of

QUIET = {"throw_in": False, "hands": 1}


def view_of(game: Game, player: Player) -> View:
    """What a player sees of the open hand."""
    view = table.view_for(fresh(game), seat_of(game, player))
    assert view is not None
    return view


def noted(game: Game) -> Scheduled | None:
    """What is noted to be done at a table."""
    return Scheduled.objects.filter(game=game).first()


def at_position(
    players: list[Player],
    wanted: Callable[[Hand], bool],
    options: Mapping[str, bool | int | str] = QUIET,
    seed: int = 0,
    last_through_the_door: bool = False,
) -> Game:
    """A table with a clock at the first position of random play that is `wanted`.

    The action that leads to it may be done through the door, so that all that follows from it follows.
    """
    for number in range(seed, seed + 500):
        rng = random.Random(number)
        match = Match(TROCCAS, dict(options), dealer=rng.randrange(4))
        hand = match.deal(random_pack(rng, match.dealer))
        while not hand.over:
            if wanted(hand) and (hand.history or not last_through_the_door):
                return _stored(players, hand, last_through_the_door)
            hand.push(random_action(hand, rng))
    raise AssertionError("no such position")


def _stored(players: list[Player], hand: Hand, last_through_the_door: bool) -> Game:
    texts = [str(action) for _seat, action in hand.history]
    before = replayed(hand, pack_of(hand), texts[:-1]) if last_through_the_door else hand
    assert before is not None
    game = store(before, players)
    game.pace = DAYS.to_json()
    game.save()
    rebuild(game.pk)
    if last_through_the_door:
        seat = before.turn
        play.submit(game.pk, seat, texts[-1], expected=fresh(game).number, request_id=request(), by=players[seat])
    return fresh(game)


def play_to_forced(players: list[Player], who: Player) -> Game:
    """A table at which `who` is asked, holds several cards, and can play only one of them."""

    def wanted(hand: Hand) -> bool:
        if players[hand.turn] != who or hand.asked != "play" or not hand.trick:
            return False
        view = hand.view(hand.turn)
        return forced(view) is not None and not plainly_forced(view)

    return at_position(players, wanted, last_through_the_door=True)


CHANGING = re.compile(
    r'[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}|csrfmiddlewaretoken" value="[^"]+|X-CSRFToken[^}]+'
)


def client_of(player: Player) -> Client:
    """The browser of a guest."""
    client = Client()
    client.cookies["guest"] = sessions.issue_guest_token(player)
    return client


def outputs(game: Game, player: Player) -> list[str]:
    """All that the site shows a player of a game, without what changes with every request."""
    client = client_of(player)
    names = ("table", "state", "why", "record", "plans")
    pages = [client.get(reverse(f"games:{name}", args=[game.public_id])).content.decode() for name in names]
    return [CHANGING.sub("", page) for page in pages]
