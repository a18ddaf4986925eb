"""The models of the shared code, and helpers for queries."""

from __future__ import annotations

from typing import TypeVar

from django.db import models

Row = TypeVar("Row", bound=models.Model)


def only(rows: models.QuerySet[Row]) -> Row | None:
    """The row of a query that finds one at most, or None.

    `first()` would sort, which costs more than finding the row.
    """
    return next(iter(rows.order_by()[:1]), None)


def first_rows(rows: models.QuerySet[Row], most: int) -> list[Row]:
    """The first rows of a query, at most `most`, in their order.

    For queries that usually find nothing: the keys are read first, from an index, and the whole rows only for those
    keys.
    """
    keys = list(rows.values_list("pk", flat=True)[:most])
    by_key = rows.in_bulk(keys) if keys else {}
    return [by_key[key] for key in keys if key in by_key]


def existence_query(
    anything: models.Model, *rows: models.QuerySet[models.Model]
) -> models.QuerySet[models.Model, tuple[bool, ...]]:
    """A query for one row that says for each of `rows` whether it finds anything.

    It selects from the row `anything`, which must exist.
    """
    checks = [models.Exists(each.order_by()) for each in rows]
    return type(anything)._default_manager.filter(pk=anything.pk).order_by().values_list(*checks)


class TokenBucket(models.Model):
    """A rate limit's bucket, which is full again at `full_at`, in seconds since the epoch. A missing one is full.

    Written by `core.limits`.
    """

    key = models.CharField(max_length=64, primary_key=True)
    full_at = models.FloatField(db_index=True)

    def __str__(self) -> str:
        return self.key


class LastRun(models.Model):
    """When a recurring task was last done, and how many problems it found. Written by `core.last_runs`."""

    name = models.CharField(max_length=20, primary_key=True)
    at = models.DateTimeField()
    problems = models.PositiveIntegerField(default=0)

    def __str__(self) -> str:
        return self.name
