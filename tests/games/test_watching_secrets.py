"""Watchers learn nothing of hidden cards while a hand runs: not from the panel, nor from the list, nor from the socket."""

from __future__ import annotations

import random

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts import sessions
from accounts.models import Player
from domain.engine import CODES, Hand, ruleset
from games.models import Game
from games.selectors import table
from games.services.agreements import agree_at_start
from games.watching import selectors as watching_selectors
from games.watching import services as watching_services
from tests.games.pace_kit import turned
from tests.games.store_kit import exchange_stored, pack_of, random_hand, store, texts_of
from tests.games.test_secrets import CHANGING, codes_in, exchanged, outputs
from tests.games.unseen import unseen_by

pytestmark = pytest.mark.django_db

GAMES = [ruleset("troccas"), ruleset("troccas-5"), ruleset("troggu", None, 7)]


@pytest.fixture(autouse=True)
def clock(monkeypatch):
    """Time stands still: "today" must not become "yesterday" between the two looks that are compared."""
    with turned(monkeypatch, timezone.now()) as wall_clock:
        yield wall_clock


def watched(hand: Hand) -> tuple[Game, Player]:
    """A listed table at this position, and somebody who watches it by name."""
    game = store(hand, [Player.objects.create(name=f"P{number}") for number in range(hand.seats)])
    watcher = Player.objects.create(name="Duri")
    agree_at_start(game, chat="between", watching="open")
    watching_services.show_name(game, watcher, shown=True)
    watching_services.open_page(game.pk, f"socket {game.pk}", watcher)
    return game, watcher


def given(game: Game, watcher: Player, raw: str) -> dict[str, object]:
    """All that the site gives a watcher, and what it tells a player of the watchers."""
    client = Client()
    client.cookies["guest"] = raw
    found = outputs(game, watcher, raw)
    for name, address, headers in (
        ("list", "/en/watch/", {}),
        ("panel", reverse("games:watching", args=[game.public_id]), {}),
        ("fragment", reverse("games:watching", args=[game.public_id]), {"HTTP_HX_REQUEST": "true"}),
    ):
        found[name] = CHANGING.sub("", client.get(address, **headers).content.decode())
    player = game.seats.get(number=0).player
    found["rows"] = watching_selectors.tables(watching_selectors.WatchSearch(), watcher)[1]
    found["seen"] = [watching_selectors.watching_of(game, viewer) for viewer in (watcher, None, player)]
    return found


@pytest.mark.parametrize("rules", GAMES, ids=lambda rules: rules.id)
@pytest.mark.slow(but="troccas")
def test_hidden_cards_change_nothing_a_watcher_gets(rules):
    compared = 0
    for seed in range(60):
        hand = random_hand(seed, 10 + seed % 70, rules=rules)
        if hand.over or compared == 3:
            continue
        twin, pairs = exchanged(hand, None, random.Random(seed))
        if not pairs:
            continue
        game, watcher = watched(hand)
        raw = sessions.issue_guest_token(watcher)
        before = given(game, watcher, raw)
        exchange_stored(game, pack_of(twin), texts_of(twin))
        assert given(game, watcher, raw) == before
        compared += 1
    assert compared == 3


def test_no_card_in_a_hand_is_named_to_a_watcher_even_where_all_tricks_are_remembered():
    for seed in range(8):
        hand = random_hand(seed, 50)
        if hand.over:
            continue
        game, watcher = watched(hand)
        Game.objects.filter(pk=game.pk).update(memory="all")
        game.refresh_from_db()
        hidden = {CODES[card] for card in unseen_by(hand, None)}
        assert hidden
        assert not hidden & set(codes_in(table.sight_of(game, watcher).as_json()))
