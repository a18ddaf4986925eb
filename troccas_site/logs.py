"""The format of the log (lines for people, or JSON for programs that collect logs), and its filters."""

from __future__ import annotations

import json
import logging
import re
from contextvars import ContextVar
from datetime import UTC, datetime
from typing import Final

NO_REQUEST: Final = "-"
request_id: ContextVar[str] = ContextVar("request_id", default=NO_REQUEST)
"""The id of the request or socket that is being handled."""


class JsonFormatter(logging.Formatter):
    """One JSON object per line: `time` (UTC), `level`, `logger`, `request_id`, `message`, and maybe `exception`.

    Other attributes that libraries attach to a record are left out, since they may include a request or a form.
    """

    def format(self, record: logging.LogRecord) -> str:
        entry = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname,
            "logger": record.name,
            "request_id": getattr(record, "request_id", "-"),
            "message": record.getMessage(),
        }
        if record.exc_info:
            entry["exception"] = self.formatException(record.exc_info)
        return json.dumps(entry, ensure_ascii=False)


class DatabaseAwayFilter(logging.Filter):
    """Turns errors because the database is away into one-line warnings: nothing is broken, and it is tried again."""

    def filter(self, record: logging.LogRecord) -> bool:
        from core.http import database_is_away  # noqa: PLC0415  # logging is set up before the modules that it imports

        error = record.exc_info[1] if record.exc_info else None
        if database_is_away(error):
            record.levelno, record.levelname = logging.WARNING, logging.getLevelName(logging.WARNING)
            record.msg, record.args = f"{record.getMessage()}: the database is away ({type(error).__name__})", None
            record.exc_info = record.exc_text = None
        return True


class RequestIdFilter(logging.Filter):
    """Adds `request_id` to a log record: that of the current request, or `-` outside of requests."""

    def filter(self, record: logging.LogRecord) -> bool:
        record.request_id = request_id.get()
        return True


class WithoutCodesFilter(logging.Filter):
    """Removes secret codes from the addresses in a log record, so that nobody who reads the log can use them.

    These are the codes of club evenings, of invitations and calendars, and of links in mails.
    """

    _CODE: Final = re.compile(
        r"(/e/[^/\s]+/(?:s|p|k|door)/|/t/letter/|/c/[^/\s]+/invitation/|/calendar/[^/\s]+/|/confirm-email/|"
        r"/password/reset/key/|/notices/(?:no-letters|unsubscribe)/|/members/import/)[^\s?\"']+"
    )

    def filter(self, record: logging.LogRecord) -> bool:
        if isinstance(record.args, tuple):
            record.args = tuple(self._CODE.sub(r"\1…", each) if isinstance(each, str) else each for each in record.args)
        return True
