"""Statistics tell nothing of a hand that is played: with its hidden cards exchanged, and played on, every page stays the same."""

from __future__ import annotations

import random

import pytest
from django.test import Client
from django.urls import reverse

from accounts import sessions
from accounts.models import Player
from domain.engine import ruleset
from games.models import Game, PlayedSeat
from games.services import rebuilding
from games.statistics.models import Audience
from tests.games.store_kit import exchange_stored, pack_of, random_hand, store, texts_of
from tests.games.test_secrets import CHANGING, exchanged
from tests.games.test_statistics import choose, laid
from tests.long import quick

pytestmark = pytest.mark.django_db


def outputs(players: list[Player], viewer: Player | None) -> dict[str, object]:
    """Every page of statistics of these players, as `viewer` gets it."""
    client = Client()
    if viewer is not None:
        client.cookies["guest"] = sessions.issue_guest_token(viewer)
    found: dict[str, object] = {}
    for shown in players:
        for name, more in (("person", ()), ("hands", ()), *(("pair", (other.public_id,)) for other in players)):
            answer = client.get(reverse(f"statistics:{name}", args=[shown.public_id, *more]))
            found[f"{name} {shown.pk} {more}"] = answer.status_code, CHANGING.sub("", answer.content.decode())
    return found


@pytest.mark.parametrize(("rules", "steps"), quick({"troggu-40"}, [("troccas", 45), ("troccas", 70), ("troggu", 40)]))
def test_hidden_cards_of_a_running_hand_change_no_statistics(rules: str, steps: int):
    chosen = ruleset(rules, None, 4)
    chance = random.Random(steps)
    compared = 0
    for seed in range(40):
        hand = random_hand(seed, steps, rules=chosen)
        twin, swaps = exchanged(hand, None, chance)
        if hand.over or not swaps:
            continue
        players = [Player.objects.create(name=f"P{number}") for number in range(4)]
        laid(players, [3, -8] * 6)
        for player in players:
            choose(player, Audience.EVERYBODY)
        game = store(hand, players)
        rows = PlayedSeat.objects.count()
        before = [outputs(players, viewer) for viewer in (players[1], None)]
        exchange_stored(game, pack_of(twin), texts_of(twin))
        rebuilding.rebuild(game.pk)
        assert Game.objects.get(pk=game.pk).status == Game.Status.PLAYING
        assert [outputs(players, viewer) for viewer in (players[1], None)] == before
        assert PlayedSeat.objects.count() == rows
        assert not PlayedSeat.objects.filter(hand__game=game).exists()
        compared += 1
        if compared == 2:
            break
    assert compared == 2
