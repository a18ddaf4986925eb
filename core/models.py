"""What is kept for the shared machinery."""

from __future__ import annotations

from typing import TypeVar

from django.db import models

Row = TypeVar("Row", bound=models.Model)


def only(rows: models.QuerySet[Row]) -> Row | None:
    """The row of a query that finds one at most; None for none. `first()` would order it, which costs more than finding it."""
    return next(iter(rows.order_by()[:1]), None)


def first_rows(rows: models.QuerySet[Row], most: int) -> list[Row]:
    """At most so many of these rows, in their order. Where as a rule there is none: first come their keys, one look into an
    index, and the rest is put together only for those."""
    keys = list(rows.values_list("pk", flat=True)[:most])
    found = rows.in_bulk(keys) if keys else {}
    return [found[key] for key in keys if key in found]


def which_find(
    anything: models.Model, *rows: models.QuerySet[models.Model]
) -> models.QuerySet[models.Model, tuple[bool, ...]]:
    """Of each of some sets of rows whether there is one: a query of one row. `anything` is a row that is there, to hang it on."""
    asked = [models.Exists(found.order_by()) for found in rows]
    return type(anything)._default_manager.filter(pk=anything.pk).order_by().values_list(*asked)


class TokenBucket(models.Model):
    """How much somebody has done lately: the bucket is full again at `full_at`, in seconds since the epoch.

    One that is missing is full. `core.limits` writes it.
    """

    key = models.CharField(max_length=64, primary_key=True)
    full_at = models.FloatField(db_index=True)

    def __str__(self) -> str:
        return self.key


class LastRun(models.Model):
    """When something that is done again and again was last done, and how many problems it found. `core.last_runs` writes it."""

    name = models.CharField(max_length=20, primary_key=True)
    at = models.DateTimeField()
    problems = models.PositiveIntegerField(default=0)

    def __str__(self) -> str:
        return self.name
