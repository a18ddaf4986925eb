"""How well computer players play: chosen where a table is laid, seen at the table, and kept for the next one."""

from __future__ import annotations

import re
import uuid

import pytest
from django.test import Client
from django.urls import reverse

from accounts import sessions
from accounts.models import Player
from domain.bots.advice import LEVELS
from domain.bots.strength import ENOUGH, measured
from games.lobby.services import tables
from games.models import Game
from games.selectors import table as sights
from games.services import computers
from games.table import services as practice
from games.text.figures import decimal, signed
from tests.games import lobby_kit
from tests.games.api_kit import Program, member
from tests.games.table_kit import person, sit
from troccas_site import settings as site_settings

pytestmark = pytest.mark.django_db


def browser(player: Player) -> Client:
    client = Client()
    client.cookies["guest"] = sessions.issue_guest_token(player)
    return client


def choose(player: Player, **fields) -> Game:
    answer = browser(player).post(reverse("choose"), {"game": "troccas", "hands": 4, "talk": "phrases", **fields})
    assert answer.status_code == 303
    return Game.objects.latest("pk")


def levels(game: Game) -> set[str]:
    return {seat.player.computer for seat in game.seats.all() if seat.player.is_computer}


def test_who_chooses_a_level_meets_computer_players_of_it():
    player = person()
    game = choose(player, level="strong")
    assert levels(game) == {"strong"}
    sit(game, player)
    text = browser(player).get(reverse("games:table", args=[game.public_id])).text
    assert len(re.findall(r'<span class="count-level"[^>]*>strong</span>', text)) == 3


def test_a_level_that_there_is_not_lays_nothing():
    answer = browser(person()).post(reverse("choose"), {"game": "troggu", "size": 5, "level": "perfect"})
    assert answer.status_code == 422
    assert not Game.objects.exists()


def test_the_level_is_proposed_the_next_time():
    player = person()
    choose(player, level="club")
    assert '<option value="club" selected>' in browser(player).get(reverse("choose")).text
    assert levels(practice.new_table(player, Game.Kind.PLAY)) == {"club"}


def test_who_has_chosen_nothing_yet_meets_club_players(settings):
    """Most tests let beginners play, which take a millisecond; the site itself says otherwise."""
    assert site_settings.COMPUTERS_LEVEL == "club"
    settings.COMPUTERS_LEVEL = site_settings.COMPUTERS_LEVEL
    player = person()
    assert '<option value="club" selected>' in browser(player).get(reverse("choose")).text
    assert levels(practice.new_table(player, Game.Kind.PLAY)) == {"club"}
    assert levels(choose(person())) == {"club"}
    choose(player, level="beginner")
    assert '<option value="beginner" selected>' in browser(player).get(reverse("choose")).text


def test_how_strong_they_are_is_told_where_they_are_chosen():
    text = " ".join(browser(person()).get(reverse("choose")).text.split())
    told = [each for each in measured() if each.level in LEVELS[1:] and each.enough]
    assert told
    assert all(each.deals >= ENOUGH for each in told)
    for each in told:
        assert f"{signed(each.gain)} ± {decimal(each.error)}" in text
        assert f"({each.deals} deal" in text


def test_another_level_is_another_table():
    player = person()
    first, second = choose(player, level="club"), choose(player, level="strong")
    assert first != second
    assert choose(player, level="strong") == second


def test_a_seat_says_the_level_of_its_computer_player_and_none_of_a_person():
    player = person()
    seen = sights.sight_of(choose(player, level="club"), player)
    assert [seat.level for seat in seen.seats if seat.own] == [""]
    assert {seat.level for seat in seen.seats if seat.computer} == {"club"}


def test_computer_players_at_a_table_of_the_lobby_play_as_was_agreed():
    host = lobby_kit.member()
    table = lobby_kit.lay(host, computers=1, level="strong")
    table = tables.add_computer(table.pk, host, request_id=uuid.uuid4())
    assert levels_at(table) == ["strong", "strong"]
    game = tables.start(table.pk, host, request_id=uuid.uuid4()).game
    assert game is not None
    assert game.level == "strong"
    assert levels(game) == {"strong"}


def levels_at(table) -> list[str]:
    return [chair.player.computer for chair in table.chairs.select_related("player") if chair.player.is_computer]


def test_who_acts_for_people_that_are_away_plays_as_was_agreed():
    assert computers.stand_in("club").computer == "club"
    assert computers.stand_in("club") == computers.stand_in("club") != computers.stand_in("strong")


def test_a_program_says_the_level():
    program = Program(member())
    game = program.send("/games", 201, {"ruleset": "troccas", "level": "club"})
    assert {seat["level"] for seat in game["seats"]} == {"", "club"}
