"""What a process keeps of the tables it has read: always what the log says, nothing that was not committed, never too much."""

from __future__ import annotations

import random
from collections import OrderedDict
from typing import TYPE_CHECKING

import pytest
from django.db import connection, transaction
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from accounts import sessions
from domain.engine import CODES, card_of, cards_in
from games import projections
from games.models import Game, GameHand
from games.selectors import log
from games.selectors.table import sight_of
from games.services import play
from tests.domain.engine.tables import any_action
from tests.games.pace_kit import fresh, people, request
from tests.games.table_kit import advised, rush, sit, submit
from tests.games.test_views import _without_chance
from tests.games.undo_kit import ask, last_move, reply
from tests.long import quick

if TYPE_CHECKING:
    from accounts.models import Player
    from domain.engine import Hand

pytestmark = pytest.mark.django_db(transaction=True)


def begun(rules: str = "troccas", size: int = 4, **options: object) -> tuple[Game, list[Player]]:
    """A table of people that everybody has sat down at; nobody takes time."""
    seated = people(size)
    game = play.start(rules, seated, options={"hands": 2, **options})
    for player in seated:
        sit(game, player)
    return fresh(game), seated


def open_hand(game: Game) -> Hand:
    hand = log.open_table(fresh(game)).hand
    assert hand is not None
    return hand


def act(game: Game, players: list[Player], chance: random.Random) -> None:
    """Whoever is asked does anything that is allowed, or all of them sit down."""
    game = fresh(game)
    if game.to_act is None:
        for player in players:
            sit(game, player)
        return
    player = log.open_table(game).seats[game.to_act].player
    submit(game, player, str(any_action(open_hand(game), chance)))


def from_the_log(game: Game, viewer: Player | None) -> object:
    """What a process sees that has kept nothing; what is kept stays."""
    held = OrderedDict(log._kept)
    log.forget()
    seen = sight_of(fresh(game), viewer)
    log._kept.clear()
    log._kept.update(held)
    return seen


@pytest.mark.parametrize(("rules", "size"), quick({"troccas-4"}, [("troccas", 4), ("troggu", 3)]))
@pytest.mark.slow
def test_a_table_is_kept_as_the_log_has_it_whatever_is_done_and_taken_back(rules, size):
    game, players = begun(rules, size)
    chance, used, undone = random.Random(f"kept {rules}"), 0, 0
    for _step in range(260):
        game = fresh(game)
        if game.status != Game.Status.PLAYING:
            break
        opened = log.open_table(game)
        taken = projections.takeable_move(opened) if chance.random() < 0.2 else None
        if taken is not None and not game.undo:
            ask(game, opened.seats[taken.seat].player, move=taken.number, seat=taken.seat)
            for player in players:
                if player != opened.seats[taken.seat].player and fresh(game).undo:
                    reply(game, player, agree=chance.random() < 0.9)
            undone += not fresh(game).undo
        else:
            act(game, players, chance)
        game = fresh(game)
        used += log.read_of(game) is not None
        for viewer in (chance.choice(players), None):
            assert sight_of(fresh(game), viewer) == from_the_log(game, viewer)
    assert used > 100
    assert undone > 5


def test_the_next_step_reads_no_log():
    game, _players = begun(throw_in=False)
    rush(game, 20)
    sight_of(fresh(game), None)
    game = fresh(game)
    table = log.open_table(game)
    assert game.to_act is not None
    player, action = table.seats[game.to_act].player, advised(game, table.seats[game.to_act].player)
    with CaptureQueriesContext(connection) as asked:
        done = play.submit(
            game.pk, game.to_act, action, expected=game.number, request_id=request(), by=player, known=table.game
        )
        assert done.table is not None
        sight_of(done.table.game, player, done.table)
        sight_of(fresh(game), None)
    assert not [
        query["sql"] for query in asked if query["sql"].startswith("SELECT") and '"games_action"."text"' in query["sql"]
    ]


def test_what_was_not_committed_is_not_kept():
    game, _players = begun(throw_in=False)
    rush(game, 12)
    before = sight_of(fresh(game), None)

    game = fresh(game)
    assert game.to_act is not None
    player = log.open_table(game).seats[game.to_act].player
    moves = [str(action) for action in list(open_hand(game).legal)[:2]]
    with transaction.atomic():
        submit(game, player, moves[0])
        sight_of(fresh(game), player)
        transaction.set_rollback(True)
    assert sight_of(fresh(game), None) == before
    submit(game, player, moves[-1])
    assert last_move(game).text == moves[-1]
    for viewer in (player, None):
        assert sight_of(fresh(game), viewer) == from_the_log(game, viewer)


@pytest.mark.slow
def test_processes_that_act_in_turn_each_keep_what_the_log_says(monkeypatch):
    game, players = begun(throw_in=False)
    chance = random.Random("processes")
    processes = [OrderedDict[str, log.Read]() for _ in range(3)]
    for _step in range(120):
        monkeypatch.setattr(log, "_kept", chance.choice(processes))
        game = fresh(game)
        if game.status != Game.Status.PLAYING:
            break
        act(game, players, chance)
        monkeypatch.setattr(log, "_kept", chance.choice(processes))
        viewer = chance.choice(players)
        assert sight_of(fresh(game), viewer) == from_the_log(game, viewer)
    assert all(processes)


def test_rows_that_are_mended_beside_the_log_are_seen_at_once():
    """As `manage.py rebuild` does: the game's number stays as it is."""
    game, players = begun(throw_in=False, demands=False)  # whatever the score is, the same is asked
    rush(game)
    for player in players:
        sit(game, player)
    rush(game, until=lambda hand: hand.asked == "play")
    sight_of(fresh(game), None)
    assert log.read_of(fresh(game)) is not None
    GameHand.objects.filter(game=game, number=1).update(scores=[-2, 2, -2, 2])
    hand = open_hand(game)
    assert hand.running == (-2, 2, -2, 2)
    one, other = (CODES[next(iter(cards_in(hand.hands[seat])))] for seat in (0, 1))
    deal = GameHand.objects.select_related("deal").get(game=game, number=2).deal
    assert deal.pack is not None
    changed = {one: other, other: one}
    deal.pack = " ".join(changed.get(code, code) for code in deal.pack.split())
    deal.save()
    assert card_of(other) in cards_in(open_hand(game).hands[0])
    assert card_of(one) in cards_in(open_hand(game).hands[1])


def test_a_hand_that_is_lent_is_not_the_one_that_is_kept():
    game, _players = begun(throw_in=False)
    rush(game, 12)
    sight_of(fresh(game), None)
    first = log.open_table(fresh(game))
    assert first.hand is not None
    first.hand.push(next(iter(first.hand.legal)))
    first.moves.clear()
    second = log.open_table(fresh(game))
    assert second.hand is not None
    assert len(second.hand.history) + 1 == len(first.hand.history)
    assert second.moves


def test_only_so_many_games_are_kept_those_that_were_looked_at_last(monkeypatch):
    monkeypatch.setattr(log, "MOST_KEPT", 2)
    games = [begun()[0] for _ in range(3)]
    for game in (games[0], games[1], games[0], games[2]):
        rush(game, 1)
        sight_of(fresh(game), None)
    assert [log.read_of(fresh(game)) is not None for game in games] == [True, False, True]


def test_an_older_look_does_not_replace_a_newer_one():
    game, _players = begun(throw_in=False)
    rush(game, 6)
    sight_of(fresh(game), None)
    older = log.read_of(fresh(game))
    assert older is not None
    rush(game, 1)
    sight_of(fresh(game), None)
    log.keep(game.public_id, older)
    assert log.read_of(fresh(game)) is not None


def test_pages_of_kept_tables_are_those_of_fresh_ones_whoever_looks_in_whatever_order():
    game, players = begun(throw_in=False)
    rush(game, 25)
    chance = random.Random("pages")
    clients: list[tuple[Player | None, Client]] = [(None, Client())]
    for player in players:
        clients.append((player, Client()))
        clients[-1][1].cookies["guest"] = sessions.issue_guest_token(player)
    for _step in range(12):
        act(game, players, chance)
        url = reverse("games:since", args=[game.public_id, 1])
        order = chance.sample(clients, len(clients))
        shown = [client.get(url, headers={"HX-Request": "true"}) for _player, client in order]
        assert log.read_of(fresh(game)) is not None
        for (viewer, client), page in zip(order, shown, strict=True):
            log.forget()
            alone = client.get(url, headers={"HX-Request": "true"})
            assert _without_chance(page) == _without_chance(alone)
            codes = {card.code for card in sight_of(fresh(game), viewer).cards}
            assert all(f'id="card-{code}"'.encode() in page.content for code in codes)
