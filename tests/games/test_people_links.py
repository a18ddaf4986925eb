"""From a table, a draw and a replay to the people who sit there; and the draw found again after the first hand."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.models import Player
from tests.games import pace_kit, table_kit
from tests.games.plans_kit import client_of

pytestmark = pytest.mark.django_db


def page_of(player: Player, address: str) -> str:
    answer = client_of(player).get(address)
    assert answer.status_code == 200
    return answer.content.decode()


def own_page(player: Player) -> str:
    return f'href="{reverse("accounts:person", args=[player.public_id])}"'


def test_names_at_the_table_lead_to_the_people_but_not_to_oneself():
    people = pace_kit.people()
    address = reverse("games:table", args=[pace_kit.table(people).public_id])
    shown = page_of(people[0], address)
    assert [own_page(player) in shown for player in people] == [False, True, True, True]
    watched = Client().get(address).content.decode()
    assert all(own_page(player) in watched for player in people)


def test_there_is_no_link_to_a_computer_player_nor_to_somebody_who_is_gone():
    people = pace_kit.people()
    game = pace_kit.table(people)
    Player.objects.filter(pk=people[1].pk).update(retired_at=timezone.now())
    shown = page_of(people[0], reverse("games:table", args=[game.public_id]))
    assert [own_page(player) in shown for player in people] == [False, False, True, True]
    alone = table_kit.laid(people[0])
    assert "/people/" not in page_of(people[0], reverse("games:table", args=[alone.public_id]))


def test_the_draw_is_found_from_later_hands_and_from_the_replay_and_names_the_people():
    anna = table_kit.person(name="Anna")
    # What the hand came to must not keep it closed.
    game = table_kit.laid(anna, draws_partners=True, options={"throw_in": False, "demands": False})
    table, draw = (reverse(f"games:{name}", args=[game.public_id]) for name in ("table", "draw"))
    assert f'href="{draw}"' not in page_of(anna, table), "nothing is drawn yet"
    table_kit.play_hand(game, anna)
    game.refresh_from_db()
    assert game.hand_number > 1
    assert f'href="{draw}"' in page_of(anna, table)
    assert f'href="{draw}"' in page_of(anna, reverse("games:replay", args=[game.public_id, 1]))
    assert own_page(anna) in Client().get(draw).content.decode()


def test_where_nobody_drew_there_is_no_way_to_a_draw():
    anna = table_kit.person(name="Anna")
    game = table_kit.laid(anna)
    table_kit.play_hand(game, anna)
    shown = page_of(anna, reverse("games:table", args=[game.public_id]))
    assert reverse("games:draw", args=[game.public_id]) not in shown
