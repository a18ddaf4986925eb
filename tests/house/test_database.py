"""The database's options are not only written down: they hold."""

import os
import subprocess
import sys
import threading
from contextlib import closing

import pytest
from django.core.cache import cache
from django.db import connection, connections, transaction

from troccas_site.settings import BASE_DIR, SQLITE_OPTIONS

sqlite_only = pytest.mark.skipif(connection.vendor != "sqlite", reason="an option of SQLite")


@sqlite_only
@pytest.mark.django_db
@pytest.mark.parametrize(
    ("pragma", "value"), [("journal_mode", "wal"), ("synchronous", 2), ("busy_timeout", 20000), ("foreign_keys", 1)]
)
def test_sqlite_runs_with_its_options(tmp_path, pragma, value):
    site = type(connections["default"])(
        connection.settings_dict | {"NAME": tmp_path / "site.sqlite3", "OPTIONS": SQLITE_OPTIONS}
    )
    with closing(site), site.cursor() as cursor:
        cursor.execute(f"PRAGMA {pragma}")
        assert cursor.fetchone()[0] == value


@sqlite_only
@pytest.mark.django_db(transaction=True)
def test_sqlite_takes_the_write_lock_at_the_start_of_a_transaction():
    import sqlite3

    other = sqlite3.connect(connection.settings_dict["NAME"], timeout=0)
    try:
        with transaction.atomic(), pytest.raises(sqlite3.OperationalError, match="locked"):
            other.execute("BEGIN IMMEDIATE")
        other.execute("BEGIN IMMEDIATE")
        other.rollback()
    finally:
        other.close()


@pytest.mark.slow
def test_a_command_that_gets_at_no_database_says_so_without_a_traceback(tmp_path):
    done = subprocess.run(
        [sys.executable, "manage.py", "verify", "--skip-checks"],
        env={
            "PATH": os.environ["PATH"],
            "DATA_DIR": str(tmp_path),
            "DATABASE_URL": "postgres://anna:geheim@127.0.0.1:1/troccas",
        },
        cwd=BASE_DIR,
        check=False,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 1
    assert done.stderr.startswith("The database cannot be used: ")
    assert "Traceback" not in done.stderr
    assert "geheim" not in done.stderr


@pytest.mark.django_db(transaction=True)
def test_what_one_thread_counts_another_sees():
    def count() -> None:
        cache.incr("counted")
        connection.close()

    cache.set("counted", 3)
    thread = threading.Thread(target=count)
    thread.start()
    thread.join()
    assert cache.get("counted") == 4
