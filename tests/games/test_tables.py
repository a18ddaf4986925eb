"""Every game at every size of table: stored, seen at each moment by everybody, looked back at, rebuilt and exported."""

from __future__ import annotations

import json
import random
import uuid

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts import sessions
from accounts.models import Player
from domain.engine import record as records
from domain.engine.rulesets import RULESETS, ruleset
from games.models import Game, GameHand
from games.selectors import log, rulesets, table
from games.services import computers, play, rebuilding
from games.text import table as table_text
from tests.games import table_kit
from tests.games.store_kit import random_action
from tests.long import quick

pytestmark = pytest.mark.django_db

TABLES = [(rules.id, size) for rules in RULESETS.values() for size in rules.sizes]
CHOSEN = [*((name, ruleset(name).seats) for name in rulesets.ORDER), ("troggu", 7)]


def seated(name: str, size: int, **how: object) -> tuple[Game, list[Player]]:
    """A game of people only, and who they are in the order of the seats."""
    players = [Player.objects.create(name=f"P{number}") for number in range(size)]
    return play.start(name, players, **how), players


def play_a_hand(game: Game, players: list[Player], chance: random.Random) -> None:
    """Everybody sits down and plays at random until the deal is over."""
    for seat, player in enumerate(players):
        game.refresh_from_db()
        play.ready(game.pk, seat, expected=game.number, request_id=uuid.uuid4(), by=player)
    table_kit.rush(game, choose=lambda hand: random_action(hand, chance))


def page(game: Game, name: str, player: Player | None, *more: object) -> str:
    client = Client()
    if player is not None:
        client.cookies["guest"] = sessions.issue_guest_token(player)
    answer = client.get(reverse(f"games:{name}", args=[game.public_id, *more]))
    assert answer.status_code == 200
    return answer.content.decode()


@pytest.mark.parametrize(
    ("name", "size"), quick({"troccas-4", "troccas-3-3", "troggu-5", "troggu-graechen-4", "troccas-online-4"}, TABLES)
)
def test_a_game_of_every_ruleset_and_size_is_played_to_its_end(name: str, size: int) -> None:
    game, players = seated(name, size, options={"hands": 1})
    chance = random.Random(f"{name} {size}")
    for _ in range(20):
        play_a_hand(game, players, chance)
        if game.status == Game.Status.FINISHED:
            break
    assert game.status == Game.Status.FINISHED
    assert len(game.totals) == size
    assert rebuilding.rebuild(game.pk) == []
    seen = table.sight_of(game, players[1])
    assert len(seen.seats) == size
    assert "%(" not in table_text.game_result(seen)
    for viewer in (players[0], None):
        assert "Something happens" not in page(game, "table", viewer)
        told = page(game, "replay", viewer, game.hand_number)
        assert "Something happens" not in told
    exported = json.loads(page(game, "record", None))
    assert exported["ruleset"] == name
    assert len(exported["players"]) == size
    assert _replayed(exported) == [(row.status, list(row.points), list(row.scores)) for row in game.hands.all()]


@pytest.mark.parametrize(("name", "size"), quick({"troggu-7"}, CHOSEN))
def test_computer_players_play_every_game_that_can_be_chosen(name: str, size: int) -> None:
    player = table_kit.person()
    game = play.start(name, [player, *computers.computer_players(size - 1)], options={"hands": 1})
    while game.status == Game.Status.PLAYING:
        table_kit.step(game, player, table_kit.wait_for_worker)
        game.refresh_from_db()
    assert game.status == Game.Status.FINISHED


def _replayed(exported: dict[str, object]) -> list[tuple[str, list[int], list[int]]]:
    """What the engine makes of an exported record by itself."""
    match = records.replay(records.record_from(exported))
    return [(result.status, list(result.points), list(result.scores)) for result in match.results]


@pytest.mark.parametrize(
    ("name", "size"),
    quick({"troggu-graechen-5"}, [("troggu", 7), ("troggu-graechen", 5), ("troccas-3", 3), ("troccas-online", 4)]),
)
@pytest.mark.slow
def test_every_question_is_put_and_every_moment_worded_for_all(name: str, size: int) -> None:
    """Somebody else looks on at each moment; nobody gets a sentence with a hole or an answer without words."""
    chance = random.Random(size)
    asked = set()
    for _ in range(4):
        game, players = seated(name, size)
        for seat, player in enumerate(players):
            game.refresh_from_db()
            play.ready(game.pk, seat, expected=game.number, request_id=uuid.uuid4(), by=player)
        game.refresh_from_db()
        while game.hand_number == 1:
            hand = log.open_table(game).hand
            assert hand is not None
            seat = hand.turn
            own = table.sight_of(game, players[seat])
            other = table.sight_of(game, players[(seat + 1) % size])
            if own.question.asked not in asked:
                page(game, "table", players[seat])
                page(game, "why", players[seat])
            asked.add(own.question.asked)
            assert table_text.prompt(own) not in ("Your turn.", table_text.prompt(other))
            assert "is thinking" not in table_text.prompt(other)
            for given in own.question.choices:
                assert table_text.choice(given).label
            action = str(random_action(hand, chance))
            if own.question.asked == "bid":  # a Solo would leave out the questions of the exchange
                action = "take" if hand.tappist < 0 and chance.random() < 0.4 else "pass"
            play.submit(game.pk, seat, action, expected=game.number, request_id=uuid.uuid4(), by=players[seat])
            game.refresh_from_db()
    expected = {"troggu": {"bid", "discard", "partner"}, "troggu-graechen": {"packets", "bid", "discard"}}
    assert asked >= expected.get(name, {"scart"}) | {"cut", "play"}


def test_a_table_of_a_wrong_size_is_not_laid() -> None:
    with pytest.raises(ValueError, match="not played by 8"):
        seated("troggu-graechen", 8)


def test_the_parties_of_a_deal_are_kept_with_it() -> None:
    game, players = seated("troggu", 4)
    play_a_hand(game, players, random.Random(3))
    row = game.hands.get(number=1)
    assert row.status == GameHand.Status.PLAYED
    assert sorted(seat for party in row.parties for seat in party) == [0, 1, 2, 3]
    assert len(row.parties) == len(row.points)
    assert sum(row.scores) == 0
    assert game.acted_at <= timezone.now()


def test_a_ruleset_keeps_its_size_when_a_game_is_taken_up_again() -> None:
    game, _ = seated("troggu", 8)
    game = Game.objects.get(pk=game.pk)
    assert log.rules_of(game) is ruleset("troggu", 1, 8)
