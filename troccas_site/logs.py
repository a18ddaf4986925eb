"""How a line of the log is written: for people, or as JSON for a program that collects logs; and what is no error of ours."""

from __future__ import annotations

import json
import logging
from datetime import UTC, datetime


class JsonFormatter(logging.Formatter):
    """One JSON object a line: `time` (UTC), `level`, `logger`, `request_id`, `message`, and `exception` where there is one.

    Nothing else that libraries attach to a record is written: a request or a form may hang there.
    """

    def format(self, record: logging.LogRecord) -> str:
        said = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname,
            "logger": record.name,
            "request_id": getattr(record, "request_id", "-"),
            "message": record.getMessage(),
        }
        if record.exc_info:
            said["exception"] = self.formatException(record.exc_info)
        return json.dumps(said, ensure_ascii=False)


class DatabaseAwayFilter(logging.Filter):
    """What failed because the database is away is a warning in one line: it is tried again, and nothing in the program is broken."""

    def filter(self, record: logging.LogRecord) -> bool:
        from core.http import database_is_away  # noqa: PLC0415  # the log is set up before what it imports

        error = record.exc_info[1] if record.exc_info else None
        if database_is_away(error):
            record.levelno, record.levelname = logging.WARNING, logging.getLevelName(logging.WARNING)
            record.msg, record.args = f"{record.getMessage()}: the database is away ({type(error).__name__})", None
            record.exc_info = record.exc_text = None
        return True
