"""From a round that is out to its games, and from games to results."""

from __future__ import annotations

import pytest

from accounts.models import Player
from domain.tournament.registering import COMPUTER
from domain.tournament.state import CONFIRMED
from games.models import Game
from tests.tournaments.online.kit import PASSING, League
from tournaments.models import OnlineRound, OnlineTable
from tournaments.read_models import Names

pytestmark = pytest.mark.django_db


@pytest.mark.slow
def test_a_round_becomes_games_and_games_become_results():
    league = League.of(8)
    drawn = league.round()
    assert sorted(drawn.tables) == [1, 2]
    for number, table in drawn.tables.items():
        game = league.game(f"1.1.{number}")
        assert [seat.player for seat in game.seats.all()] == [league.player(person) for person in table.people]
        assert game.options["hands"] == 1
        assert game.pace["action"] == 86400
        assert not game.draws_partners
    league.play_out("1.1.1")
    league.look()
    table = league.table("1.1.1")
    hand = league.game("1.1.1").hands.get(status="played")  # one that was thrown in is dealt anew
    assert table.state == CONFIRMED
    assert table.confirmed_by == "site"
    assert list(table.sheet[1].scores) == hand.points
    assert sum(table.sheet[1].scores) == table.total
    assert league.table("1.1.2").state != CONFIRMED


def test_a_table_never_gets_two_games():
    league = League.of(4)
    league.round()
    before = set(Game.objects.values_list("pk", flat=True))
    OnlineRound.objects.update(due_at=league.now)
    league.look()
    OnlineRound.objects.update(due_at=league.now)
    league.look()
    assert set(Game.objects.values_list("pk", flat=True)) == before
    assert OnlineTable.objects.get().game == league.game("1.1.1")


def test_a_computer_player_has_the_same_name_at_the_table_and_in_the_tournament():
    found = League.of(5, rules=PASSING)
    found.round(begun=False)
    # Whoever has no account any more is played for by another computer player, who takes no place of theirs.
    Player.objects.filter(user__isnull=False).update(retired_at=found.now)
    found.look()
    names = Names(found.tournament, "hall")
    seated = set()
    for number in found.at_key("1.1").tables:
        table = found.table(f"1.1.{number}")
        players = {seat.number: seat.player for seat in found.game(f"1.1.{number}").seats.select_related("player")}
        for place, person in enumerate(table.people):
            if person.startswith(COMPUTER):
                assert names.person(person) == f"{players[place].display_name} (computer)"
                seated.add(person)
    assert len(seated) == 3
