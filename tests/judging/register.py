"""What the database itself writes down for the judge: rows that are deleted, as they were in the end, and every lease of a
courier that ran out before it had said what became of a delivery.

Looking now and then (`witness`) cannot see these: with a turned clock a message may be sent and forgotten between two looks.
"""

from __future__ import annotations

from typing import Final, TypeVar

from django.db import connection
from django.db.models import Model

from notices.models import Delivery, Outbox

_Row = TypeVar("_Row", bound=Model)

_LOST: Final = "judging_lost"
_COURSE: Final = "judging_course"
"""The whole course of every delivery, read by nobody but who traces a finding."""
_STEP: Final = ("id", "channel", "state", "lease_by", "attempts", "planned_for", "due_at", "reason")
_RAN_OUT: Final = "old.lease_by <> '' AND new.lease_by <> '' AND old.lease_by <> new.lease_by"
"""Another courier takes a row that was never given back."""


def open_register() -> None:
    """Make the tables and the triggers. The site's tables exist, and nothing of this is in them."""
    with connection.cursor() as cursor:
        cursor.execute(f"CREATE TABLE {_LOST} (lease varchar(32) NOT NULL, delivery bigint NOT NULL)")
        types = "delivery bigint, channel text, state text, lease text, attempts int, planned_for text, due_at text, reason text"
        cursor.execute(f"CREATE TABLE {_COURSE} ({types}, at text)")
        moments = ("planned_for", "due_at")
        values = ", ".join(f"CAST(new.{name} AS text)" if name in moments else f"new.{name}" for name in _STEP)
        step = f"INSERT INTO {_COURSE} VALUES ({values}, {_now()});"  # noqa: S608
        for statement in _trigger("judging_follow", "UPDATE", Delivery._meta.db_table, "", step):
            cursor.execute(statement)
        for model in (Outbox, Delivery):
            table = model._meta.db_table
            cursor.execute(f"CREATE TABLE {_kept(model)} AS SELECT * FROM {table} WHERE 1 = 0")  # noqa: S608
            columns = [field.column for field in model._meta.concrete_fields]
            values = ", ".join(f"old.{column}" for column in columns)
            keep = f"INSERT INTO {_kept(model)} ({', '.join(columns)}) VALUES ({values});"  # noqa: S608
            for statement in _trigger(f"judging_keep_{table}", "DELETE", table, "", keep):
                cursor.execute(statement)
        note = f"INSERT INTO {_LOST} VALUES (old.lease_by, old.id);"  # noqa: S608
        for statement in _trigger("judging_lose", "UPDATE", Delivery._meta.db_table, _RAN_OUT, note):
            cursor.execute(statement)


def deleted(model: type[_Row]) -> list[_Row]:
    """The rows of `Outbox` or `Delivery` that are gone, as they were when they went."""
    return list(model._default_manager.raw(f"SELECT * FROM {_kept(model)} ORDER BY id"))  # noqa: S608


def lost_leases() -> dict[str, list[int]]:
    """The leases that ran out over deliveries, each with the keys of those: each was a courier that died or overslept, and
    had, of all it had taken, at most one on its way."""
    found: dict[str, list[int]] = {}
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT lease, delivery FROM {_LOST}")  # noqa: S608
        for lease, delivery in cursor.fetchall():
            found.setdefault(lease, []).append(delivery)
    # What was overtaken by later news ended with the lease of the courier that did not come back.
    for row in (*deleted(Delivery), *Delivery.objects.exclude(lease_by="")):
        if row.lease_by:
            found.setdefault(row.lease_by, []).append(row.pk)
    return found


def _now() -> str:
    """The moment, as the database has it: no clock of ours was turned there."""
    return (
        "strftime('%Y-%m-%d %H:%M:%f', 'now')" if connection.vendor == "sqlite" else "CAST(clock_timestamp() AS text)"
    )


def _kept(model: type[Model]) -> str:
    return f"judging_{model._meta.db_table}"


def _trigger(name: str, what: str, table: str, when: str, body: str) -> list[str]:
    """The statements that let `body` happen after each `what` of a row of `table`, if `when`."""
    condition = f" WHEN ({when})" if when else ""
    if connection.vendor == "sqlite":
        return [f"CREATE TRIGGER {name} AFTER {what} ON {table} FOR EACH ROW{condition} BEGIN {body} END"]
    return [
        f"CREATE FUNCTION {name}() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN {body} RETURN NULL; END $$",
        f"CREATE TRIGGER {name} AFTER {what} ON {table} FOR EACH ROW{condition} EXECUTE FUNCTION {name}()",
    ]
