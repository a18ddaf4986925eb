"""Computer players of each level at stored games: who they are, and that they act."""

from __future__ import annotations

import threading
from collections import Counter
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import connection, transaction

from accounts.models import Player
from domain.bots.advice import LEVELS
from games.services import computers, play
from games.services.rebuilding import rebuild
from tests.games.table_kit import person, seat_of, sit
from tests.live import PATIENCE

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("level", LEVELS)
def test_the_level_of_a_seat_is_that_of_who_sits_there(level):
    names = [player.name for player in computers.computer_players(3, level)]
    assert names == list(computers.NAMES[:3])
    assert {player.computer for player in computers.computer_players(3, level)} == {level}
    assert computers.computer_players(3, level) == computers.computer_players(3, level)


@pytest.mark.django_db(transaction=True)
def test_several_that_need_the_same_computer_players_at_once_make_each_once():
    """Each in its transaction, as a game is begun; others may have made them since it looked."""
    ready = threading.Barrier(4)

    def make(seat: int) -> list[int]:
        try:
            ready.wait(PATIENCE)
            with transaction.atomic():
                made = computers.company_like(computers.NAMES[seat : seat + 4], seat)
                return [player.pk for player in (*made, computers.stand_in())]
        finally:
            connection.close()

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(make, range(4)))
    made = Counter(Player.objects.exclude(computer="").values_list("computer", "name"))
    assert set(made.values()) == {1}
    assert ("beginner", "") in made


def test_there_is_no_player_of_an_unknown_level():
    with pytest.raises(ValueError, match="of level grandmaster"):
        computers.computer_players(1, "grandmaster")


@pytest.mark.parametrize("level", [*LEVELS[:2], "level-1"])
def test_computer_players_of_a_level_act_for_their_seats(level):
    """Those of a level that was called otherwise once, too."""
    player = person()
    three = computers.computer_players(3) if level == "level-1" else computers.computer_players(3, level)
    game = play.start("troccas", [player, *three], options={"throw_in": False, "hands": 1})
    if level == "level-1":
        Player.objects.filter(computer="beginner").update(computer=level)
    sit(game, player)
    acted = 0
    game.refresh_from_db()
    while game.to_act is not None and game.to_act != seat_of(game, player) and acted < 8:
        assert computers.act_for(game)
        game.refresh_from_db()
        acted += 1
    assert acted
    assert rebuild(game.pk) == []
