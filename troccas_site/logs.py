"""How a line of the log is written: for people, or as JSON for a program that collects logs; and what is no error of ours."""

from __future__ import annotations

import json
import logging
import re
from contextvars import ContextVar
from datetime import UTC, datetime
from typing import Final

NO_REQUEST: Final = "-"
request_id: ContextVar[str] = ContextVar("request_id", default=NO_REQUEST)
"""The id of the request or the socket that is being answered."""


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


class RequestIdFilter(logging.Filter):
    """Adds `request_id` to a log record: the current request's, or `-` outside of requests."""

    def filter(self, record: logging.LogRecord) -> bool:
        record.request_id = request_id.get()
        return True


class WithoutCodesFilter(logging.Filter):
    """Takes what opens something out of the addresses in a log record: whoever reads the log must not be able to use it.

    Codes of a club evening, invitations, calendars, links of letters.
    """

    _CODE: Final = re.compile(
        r"(/e/[^/\s]+/(?:s|p|k|door)/|/t/letter/|/c/[^/\s]+/invitation/|/calendar/[^/\s]+/|/confirm-email/|"
        r"/password/reset/key/|/notices/(?:no-letters|unsubscribe)/|/members/import/)[^\s?\"']+"
    )

    def filter(self, record: logging.LogRecord) -> bool:
        if isinstance(record.args, tuple):
            record.args = tuple(self._CODE.sub(r"\1…", each) if isinstance(each, str) else each for each in record.args)
        return True
