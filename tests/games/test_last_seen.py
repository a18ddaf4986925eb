"""The list of games that a device may keep: only the reader's, without a card, and worded so that it stays true."""

from __future__ import annotations

import random
import re
from datetime import UTC, datetime

import pytest
from django.test import Client
from django.urls import reverse

from domain.engine import CODES, cards_in
from games.mygames import since
from tests.games import pace_kit, table_kit
from tests.games.plans_kit import at_position, client_of, view_of
from tests.games.store_kit import exchange_stored, pack_of, random_hand, store, texts_of
from tests.games.test_secrets import exchanged

pytestmark = pytest.mark.django_db
SATURDAY = datetime(2026, 11, 21, 19, 14, tzinfo=UTC)  # 20:14 in Zurich


def test_a_stranger_is_told_that_they_are_nobody():
    answer = Client().get(reverse("my-last-seen"))
    assert answer.json() == {"player": None}
    assert answer["Cache-Control"] == "private, no-store"


def test_it_says_when_it_was_seen_and_until_when_in_full(monkeypatch):
    with pace_kit.turned(monkeypatch, SATURDAY):
        people = pace_kit.people()
        game = pace_kit.table(people)
        asked = pace_kit.asked(game)
        told = since.games_as_data(asked)
    assert told["heading"] == "Your games as last seen on Saturday, 21 November, 20:14"
    assert told["at"] == SATURDAY.isoformat()
    assert told["player"] == asked.public_id
    assert (told["waiting"], told["played"], told["more"]) == (1, 1, 0)
    (line,) = told["games"]
    assert line["group"] == 0
    assert "today" not in line["until"]
    assert line["until"].startswith("until ")
    assert line["until"].count(",") == 2
    assert datetime.fromisoformat(line["until_at"]) == pace_kit.due(pace_kit.fresh(game))


def test_whose_turn_it_is_not_has_no_time_running():
    people = pace_kit.people()
    game = pace_kit.table(people)
    other = next(player for player in people if player != pace_kit.asked(game))
    (line,) = since.games_as_data(other)["games"]
    assert (line["group"], line["until"], line["until_at"]) == (1, "", None)


def test_times_are_those_of_the_player(monkeypatch):
    anna = table_kit.person(name="Anna", time_zone="Asia/Tokyo")
    with pace_kit.turned(monkeypatch, SATURDAY):
        assert since.games_as_data(anna)["heading"].endswith("Sunday, 22 November, 04:14")


def test_nobody_gets_the_list_of_another():
    anna, beat = table_kit.person(name="Anna"), table_kit.person(name="Beat")
    game = table_kit.laid(anna)
    assert since.games_as_data(beat)["games"] == []
    assert "<li" not in client_of(beat).get(reverse("my-last-seen")).json()["html"]
    told = client_of(anna).get(reverse("my-last-seen"))
    assert told.json()["html"].count("<li") == 1
    assert told["Cache-Control"] == "private, no-store"
    assert game.public_id not in told.content.decode()  # it is read, not opened


def test_no_card_is_in_it_neither_another_s_nor_the_player_s_own():
    """Exchange even the player's own cards: the list stays the same."""
    players = pace_kit.people()
    compared = 0
    for seed in range(12):
        hand = random_hand(seed, 10 + 6 * seed)
        twin, pairs = (hand, 0) if hand.over else exchanged(hand, None, random.Random(seed))
        if not pairs:
            continue
        game = store(hand, players)
        before = [since.games_as_data(player, SATURDAY) for player in players]
        assert all(told["games"] for told in before)
        exchange_stored(game, pack_of(twin), texts_of(twin))
        assert [since.games_as_data(player, SATURDAY) for player in players] == before
        compared += 1
    assert compared > 5


def test_for_a_reader_of_sursilvan_it_is_in_the_language_of_the_page_it_is_put_into():
    client = client_of(table_kit.person())
    kept = client.get(reverse("my-last-seen"), headers={"accept-language": "rm-sursilv"}).json()
    assert kept["language"] == "de"
    assert kept["heading"].startswith("Deine Spiele")


def test_where_the_player_chose_so_their_own_hand_is_in_it_and_no_other_s():
    """Exchange what one of the players cannot see: their list with its hand stays the same, and it is their hand."""
    players = pace_kit.people()
    compared = 0
    for seed in range(12):
        hand = random_hand(seed, 10 + 6 * seed)
        twin, pairs = (hand, 0) if hand.over else exchanged(hand, 0, random.Random(seed))
        if not pairs:
            continue
        game = store(hand, players)
        before = since.games_as_data(players[0], SATURDAY, hands=True)
        (line,) = before["games"][:1]
        held = [CODES[card] for card in cards_in(hand.view(0).held)]
        assert sorted(card["code"] for card in line["table"]["hand"]) == sorted(held)
        exchange_stored(game, pack_of(twin), texts_of(twin))
        assert since.games_as_data(players[0], SATURDAY, hands=True) == before
        game.delete()
        compared += 1
    assert compared > 3


def test_only_who_asks_for_hands_gets_them_and_only_their_own_turn_may_be_played():
    people = pace_kit.people()
    game = at_position(people, lambda hand: hand.turn == 0 and hand.asked == "play" and len(hand.trick) == 2)
    address = reverse("my-last-seen")
    assert "table" not in since.games_as_data(people[0])["games"][0]
    assert "kept-table" not in client_of(people[0]).get(address).json()["html"]
    told = client_of(people[0]).get(address, {"hands": ""}).json()
    table = since.games_as_data(people[0], hands=True)["games"][0]["table"]
    assert (told["hands"], table["game"], table["number"]) == (True, game.public_id, game.number)
    assert f'data-game="{game.public_id}" data-number="{game.number}"' in told["html"]
    assert len(table["trick"]) == 2
    assert all(f"<li>{text}</li>" in told["html"] for text in table["trick"])
    view = view_of(game, people[0])
    playable = {card["code"] for card in table["hand"] if card["playable"]}
    assert playable == {CODES[card] for card in cards_in(view.legal.cards)}
    assert set(re.findall(r'data-code="(\w+)"', told["html"])) == playable
    other = since.games_as_data(people[1], hands=True)["games"][0]["table"]
    assert not any(card["playable"] for card in other["hand"])
    html = client_of(people[1]).get(address, {"hands": ""}).json()["html"]
    assert "data-code" not in html
    assert all(card["name"] in html for card in other["hand"])
