"""A look of the worker at which nothing is due: few queries, each one look into an index, however much is stored."""

from __future__ import annotations

import re
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import pytest
from django.db import connection

from games.models import Game, TableWatching, WatchMode
from games.table import tasks
from games.watching import selectors
from tests.games.table_kit import laid, person

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

pytestmark = pytest.mark.django_db

Asked = tuple[str, Any]


@pytest.fixture
def asked() -> list[Asked]:
    """What a whole look asks the database, with its parameters, where games are stored and nothing is due."""
    laid(person())
    Game.objects.bulk_create(
        (Game(ruleset="troccas", ruleset_version=1, options={}, totals=[0] * 4) for _ in range(500)), batch_size=250
    )
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")
    while tasks.do_due():
        pass
    with noted() as found:
        assert tasks.do_due() == 0
    return found


@contextmanager
def noted() -> Iterator[list[Asked]]:
    """What the database is asked within, with its parameters."""
    found: list[Asked] = []

    def note(execute: Callable[..., Any], sql: str, params: Sequence[Any], many: bool, context: dict[str, Any]) -> Any:
        found.append((sql, params))
        return execute(sql, params, many, context)

    with connection.execute_wrapper(note):
        yield found


def plan_of(sql: str, params: Any) -> str:
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute("SET LOCAL enable_seqscan = off")  # what is read so all the same can be found by no index
            cursor.execute(f"EXPLAIN {sql}", params)
        else:
            cursor.execute(f"EXPLAIN QUERY PLAN {sql}", params)
        return "\n".join(str(row[-1]) for row in cursor.fetchall())


def test_a_look_takes_few_queries_and_writes_nothing(asked):
    assert len(asked) <= 13, "\n".join(sql for sql, _params in asked)
    assert all(sql.startswith("SELECT") for sql, _params in asked)


def test_no_query_of_a_look_reads_a_whole_table(asked):
    plans = {sql: plan_of(sql, params) for sql, params in asked}
    scans = {sql: plan for sql, plan in plans.items() if re.search(r"SCAN \w+(?! USING)\b(?! USING)|Seq Scan", plan)}
    assert not scans
    sorted_anew = [sql for sql, plan in plans.items() if "TEMP B-TREE" in plan]
    assert not sorted_anew


def test_what_reads_a_whole_table_is_found_out():
    plan = plan_of(*Game.objects.filter(memory="all").order_by().query.sql_with_params())
    assert re.search(r"SCAN \w+(?! USING)\b(?! USING)|Seq Scan", plan)


def test_what_may_be_watched_is_not_looked_for_among_all_that_is_over():
    over = (
        Game(ruleset="troccas", ruleset_version=1, options={}, totals=[0] * 4, status=Game.Status.FINISHED)
        for _ in range(500)
    )
    Game.objects.bulk_create(over, batch_size=250)
    game = laid(person())
    TableWatching.objects.all().delete()
    TableWatching.objects.bulk_create(TableWatching(game=each, mode=WatchMode.OPEN) for each in Game.objects.all())
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")
    with noted() as found:
        _page, [line] = selectors.tables(selectors.WatchSearch(), None)
    assert line.public_id == game.public_id
    listed = [(sql, params) for sql, params in found if "games_tablewatching" in sql]
    assert len(listed) == 3  # how many there are, those that are live or watched, and a page of the others
    for sql, params in listed:
        plan = plan_of(sql, params)
        assert not re.search(r"SCAN games_(?:game|tablewatching)\b|Seq Scan on games_(?:game|tablewatching)\b", plan)


def test_the_cleaning_of_each_hour_reads_no_game_that_is_over():
    over = (
        Game(ruleset="troccas", ruleset_version=1, options={}, totals=[0] * 4, status=Game.Status.FINISHED)
        for _ in range(500)
    )
    Game.objects.bulk_create(over, batch_size=250)
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")
    with noted() as found:
        tasks.clean()
    selects = [(sql, params) for sql, params in found if sql.startswith("SELECT")]
    assert [sql for sql, params in selects if 'FROM "games_game"' in sql]
    grown = r"games_(?:game|seat|gamehand|action|playedseat|deal)\b"  # the tables that grow with what is played
    scans = rf"SCAN {grown}(?! USING)|Seq Scan on {grown}"
    plans = {sql: plan_of(sql, params) for sql, params in selects}
    assert not {sql[-200:]: plan for sql, plan in plans.items() if re.search(scans, plan)}
