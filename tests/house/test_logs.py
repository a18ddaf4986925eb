"""Lines of the log as JSON: each stands by itself, carries the request's id, and nothing that libraries attach."""

from __future__ import annotations

import json
import logging
import sqlite3
import sys

import pytest
from django.core.exceptions import ImproperlyConfigured
from django.db import OperationalError

from troccas_site import env
from troccas_site.logs import DatabaseAwayFilter, JsonFormatter


def record(message: str, *arguments: object, **more: object) -> logging.LogRecord:
    made = logging.LogRecord("django.request", logging.WARNING, __file__, 1, message, arguments, None)
    for name, value in more.items():
        setattr(made, name, value)
    return made


def test_a_line_is_one_object_with_the_id_of_its_request():
    line = JsonFormatter().format(record("Not Found: %s", "/g/\n„x“/", request_id="abc", status_code=404))
    assert "\n" not in line
    said = json.loads(line)
    assert said.pop("time").endswith("+00:00")
    assert said == {
        "level": "WARNING",
        "logger": "django.request",
        "request_id": "abc",
        "message": "Not Found: /g/\n„x“/",
    }


def test_what_hangs_at_a_record_is_not_written():
    assert "S1 T21" not in JsonFormatter().format(record("x", request="POST hand=S1 T21"))


def test_where_it_broke_is_in_it():
    try:
        raise ValueError("broken")
    except ValueError:
        said = json.loads(JsonFormatter().format(record("x", exc_info=sys.exc_info())))
    assert "test_logs.py" in said["exception"]


def test_an_unknown_format_is_refused(monkeypatch):
    monkeypatch.setenv("LOG_FORMAT", "xml")
    with pytest.raises(ImproperlyConfigured, match="line, json"):
        env.choice("LOG_FORMAT", ("line", "json"))


def raised(code: int) -> logging.LogRecord:
    """The record of a job that failed on SQLite with this error."""
    cause = sqlite3.OperationalError("database is locked")
    cause.sqlite_errorcode = code
    try:
        raise OperationalError("database is locked") from cause
    except OperationalError:
        failed = logging.LogRecord("x", logging.ERROR, __file__, 1, "job %s failed", (7,), sys.exc_info())
    assert DatabaseAwayFilter().filter(failed)
    return failed


def test_what_failed_because_the_database_is_away_is_a_warning_in_one_line():
    away = raised(sqlite3.SQLITE_BUSY)
    assert away.levelno == logging.WARNING
    line = logging.Formatter("{levelname} {message}", style="{").format(away)
    assert line == "WARNING job 7 failed: the database is away (OperationalError)"


def test_any_other_error_stays_an_error_with_its_traceback():
    broken = raised(sqlite3.SQLITE_ERROR)
    assert broken.levelno == logging.ERROR
    assert "Traceback" in logging.Formatter().format(broken)
