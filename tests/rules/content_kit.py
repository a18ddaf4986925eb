"""All that the program's own files say, in the database without being loaded each time, which takes seconds."""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any

from django.apps import apps
from django.db import connection

from rules import content_files, terms
from rules.models import Entry
from tests.live import alone, kept

Rows = dict[str, tuple[list[str], list[tuple[Any, ...]]]]
"""Of each table its columns and its rows."""


def lay() -> None:
    """Publish what the files have, where nothing is published yet.

    On SQLite the rows are those that loading has made once for the present state of the program, as the templates of
    `tests.live` are; triggers make the search index of them. Loading itself is what `test_loading` is about.
    """
    assert not Entry.objects.exists()
    if connection.vendor != "sqlite":
        content_files.load()
        return
    with alone("content"):
        made = kept("content", "prepared")
        if not made.exists():
            content_files.load()
            _write(made)
            return
        rows: Rows = pickle.loads(made.read_bytes())  # noqa: S301  # our own
    with connection.cursor() as cursor:
        for table, (columns, values) in rows.items():
            named, places = ", ".join(f'"{column}"' for column in columns), ", ".join(["%s"] * len(columns))
            cursor.executemany(f'INSERT INTO "{table}" ({named}) VALUES ({places})', values)  # noqa: S608
    terms.forget_last_look()


def _write(made: Path) -> None:
    rows: Rows = {}
    with connection.cursor() as cursor:
        for model in apps.get_app_config("rules").get_models(include_auto_created=True):
            table, columns = model._meta.db_table, [str(field.column) for field in model._meta.concrete_fields]
            # As they are stored: after a plus no column has a type that Python would make something else of.
            named = ", ".join(f'+"{column}"' for column in columns)
            cursor.execute(f'SELECT {named} FROM "{table}"')  # noqa: S608
            if values := cursor.fetchall():
                rows[table] = columns, values
    for old in made.parent.glob("content-*"):
        old.unlink()
    unfinished = made.with_suffix(".unfinished")
    unfinished.write_bytes(pickle.dumps(rows))
    unfinished.rename(made)
