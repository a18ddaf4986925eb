"""`manage.py move postgres://…`: move the site from SQLite to PostgreSQL.

Every row of every table is copied, and both databases are proved to contain the same.
"""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
from argparse import ArgumentParser
from collections.abc import Iterator
from datetime import datetime
from typing import Any, Final

from django.apps import apps
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.core.management.base import BaseCommand, CommandError
from django.core.management.color import no_style
from django.core.serializers.json import DjangoJSONEncoder
from django.db import DatabaseError, connections, models, transaction
from django.db.models import sql

from troccas_site import env, monitoring

TARGET: Final = "target"
_AT_ONCE: Final = 500


class MoveError(Exception):
    """The site cannot be moved; the message says what to do. Nothing is lost: the site is still where it was."""


class Command(BaseCommand):
    """Copies all rows into an empty database, compares every row of both, and says what to set.

    The SQLite file is not changed.
    """

    help = "Move the site from SQLite into an empty database of PostgreSQL, and prove that both hold the same."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("address", metavar="postgres://user:password@host:5432/name")

    def handle(self, *args: Any, address: str, **options: Any) -> None:
        """Move the site. Raises CommandError if that fails; the site then stays where it was."""
        try:
            tables = move(address)
        except MoveError as error:
            raise CommandError(str(error)) from error
        rows = sum(tables.values())
        self.stdout.write(f"The same in both: {rows} rows in {len(tables)} tables.")
        self.stdout.write("Set DATABASE_URL to that address and start the site. The SQLite file is left as it was.")


def move(address: str) -> dict[str, int]:
    """Copy the site's data into the empty database at `address` (postgres://…).

    Returns the number of rows of each table. Nothing can be written to the site meanwhile. At the end, every row of
    both databases is read and compared. Raises MoveError; then the copies are rolled back, and only empty tables are
    left.
    """
    if connections["default"].vendor != "sqlite":
        raise MoveError("The site does not use SQLite: there is nothing to move.")
    try:
        monitoring.check_migrations()
    except monitoring.NotReady as error:
        raise MoveError(f"These data are of an older version: {error} first.") from None
    open_target(address)
    try:
        if connections[TARGET].introspection.table_names():
            raise MoveError("There are tables in that database already. Make an empty one, and name that.")
        _make_tables(address)
        with transaction.atomic(), transaction.atomic(using=TARGET):  # the first keeps writers of SQLite away
            tables = list(moved_models())
            for model in tables:
                model._base_manager.using(TARGET).all()._raw_delete(TARGET)  # rows that migrations inserted
            for model in tables:
                _copy(model)
            with connections[TARGET].cursor() as cursor:
                for statement in connections[TARGET].ops.sequence_reset_sql(no_style(), tables):
                    cursor.execute(statement)
                cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
            differing = [model._meta.label for model in tables if digest(model, "default") != digest(model, TARGET)]
            if differing:
                raise MoveError(f"Not the same in both: {', '.join(differing)}.")
            return {model._meta.db_table: model._base_manager.using(TARGET).count() for model in tables}
    except DatabaseError as error:
        raise MoveError(f"PostgreSQL says: {str(error).strip()}") from error
    finally:
        connections[TARGET].close()


def open_target(address: str) -> None:
    """Add the other database to Django's connections. Raises MoveError for an invalid address."""
    try:
        database = env.postgres(address)
    except ImproperlyConfigured as error:
        raise MoveError(str(error).replace("DATABASE_URL", "The address")) from None
    if database is None:
        raise MoveError("Name the new database: postgres://user:password@host:5432/name")
    connections.databases[TARGET] = connections["default"].settings_dict | {"TEST": {}, "OPTIONS": {}} | database


def moved_models() -> Iterator[type[models.Model]]:
    """The models of all tables of the site, except Django's list of migrations and the cache."""
    for model in apps.get_models(include_auto_created=True):
        if model._meta.managed and not model._meta.proxy:
            yield model


def digest(model: type[models.Model], using: str) -> tuple[int, str]:
    """The number of rows, and an order-independent hash of their contents (hexadecimal)."""
    count, total = 0, 0
    names = sorted(field.attname for field in model._meta.concrete_fields)
    for row in model._base_manager.using(using).order_by().values(*names).iterator(_AT_ONCE):
        text = json.dumps(row, cls=_Exact, sort_keys=True, ensure_ascii=False)
        total += int.from_bytes(hashlib.sha256(text.encode()).digest())
        count += 1
    return count, f"{total % 2**256:064x}"


class _Exact(DjangoJSONEncoder):
    """Encodes datetimes with their microseconds, which Django's encoder cuts to milliseconds; and bytes."""

    def default(self, o: Any) -> Any:
        if isinstance(o, datetime):
            return o.timestamp()
        return o.hex() if isinstance(o, (bytes, memoryview)) else super().default(o)


def _make_tables(address: str) -> None:
    """Create empty tables, in a process of its own that knows no other database."""
    for command in ("migrate", "createcachetable"):
        done = subprocess.run(  # noqa: S603  # our own command
            [sys.executable, str(settings.BASE_DIR / "manage.py"), command, "--verbosity", "0"],
            env=os.environ | {"DATABASE_URL": address, "DATA_DIR": str(settings.DATA_DIR)},
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode:
            raise MoveError(f"The tables could not be made: {(done.stderr or done.stdout).strip()[-500:]}")


def _copy(model: type[models.Model]) -> None:
    """Copy the rows of a table unchanged, without anything that `save` would add."""
    fields = [field for field in model._meta.local_concrete_fields if not field.generated]
    rows: list[models.Model] = []
    for row in model._base_manager.order_by().iterator(_AT_ONCE):
        rows.append(row)
        if len(rows) == _AT_ONCE:
            _insert(model, fields, rows)
            rows = []
    _insert(model, fields, rows)


def _insert(model: type[models.Model], fields: list[Any], rows: list[models.Model]) -> None:
    if rows:
        query = sql.InsertQuery(model)
        query.insert_values(fields, rows, raw=True)
        query.get_compiler(using=TARGET).execute_sql()
