"""Finding what is due is one look into an index, however many games there are."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.db import connection, transaction
from django.db.models import QuerySet
from django.utils import timezone

from games import projections
from games.models import Game
from games.table import tasks
from tests.games.pace_kit import DAYS

pytestmark = pytest.mark.django_db
GAMES = 20_000


@pytest.fixture(scope="module")
def many(django_db_setup, django_db_blocker):
    """Many games, made once for this module: every twentieth has a clock, of which a few are due."""
    with django_db_blocker.unblock(), transaction.atomic():
        yield lay_many()
        transaction.set_rollback(True)


def lay_many():
    now = timezone.now()
    made = []
    for number in range(GAMES):
        game = Game(ruleset="troccas", ruleset_version=1, options={}, totals=[0] * 4)
        if number % 20 == 0:
            game.pace = DAYS.to_json()
            game.deadline_at = now + timedelta(minutes=number - 100)
            game.remind_at = now + timedelta(minutes=number - 200)
        made.append(game)
    Game.objects.bulk_create(made, batch_size=500)
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE games_game" if connection.vendor == "postgresql" else "ANALYZE")
    return now


def plan(query: QuerySet[Game]) -> str:
    return str(query.explain())


@pytest.mark.parametrize(
    ("by", "index"),
    [("due_at", "game_due"), ("deadline_at", "game_deadline"), ("remind_at", "game_remind")],
)
def test_what_is_due_is_found_by_its_index_alone(many, by, index):
    found = plan(projections.due_games(by, many, tasks.AT_ONCE))
    assert index in found
    assert "SCAN games_game" not in found.replace("SCAN games_game USING INDEX", "")
    assert "Seq Scan" not in found
    assert "TEMP B-TREE" not in found


def test_only_what_is_due_is_found_the_oldest_first_and_in_one_query(many, django_assert_num_queries):
    with django_assert_num_queries(1):
        due = list(projections.due_games("deadline_at", many, tasks.AT_ONCE))
    assert [game.deadline_at - many for game in due] == [timedelta(minutes=late) for late in range(-100, 1, 20)]
    assert len(projections.due_games("remind_at", many, 3)) == 3
