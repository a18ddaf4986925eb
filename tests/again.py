"""Which tests are run again on PostgreSQL and Redis in a quick run: as few as say everything that is ever said to a database.

While the tests run on SQLite, what each says is written down in the folder that TROCCAS_STATEMENTS names. The run on
PostgreSQL and Redis reads it, and of the tests that say the same leaves out all but one.
"""

from __future__ import annotations

import heapq
import json
import os
import re
import sys
import time
from collections.abc import Callable, Generator, Iterable
from hashlib import sha256
from pathlib import Path
from typing import Any, Final
from uuid import uuid4

import pytest
from django.db.backends.signals import connection_created
from django.db.models.sql.compiler import SQLCompiler

OURS: Final = (
    "accounts",
    "clubs",
    "core",
    "games",
    "notices",
    "people",
    "ratings",
    "rules",
    "tournaments",
    "troccas_site",
)
NO_STATEMENT: Final = ("SAVEPOINT", "RELEASE", "ROLLBACK")
SAME: Final = (
    (re.compile(r"%s(?:, ?%s)+"), "%s"),  # lists of any length
    (re.compile(r"(\([^()]*%s[^()]*\))(?:, ?\([^()]*%s[^()]*\))+"), r"\1"),  # rows of any number
    (re.compile(r"\b\d+\b"), "0"),
)
COST: Final = 0.02  # seconds of any test, however little it does


def folder() -> Path | None:
    """Where it is written down; None when nobody asks."""
    named = os.environ.get("TROCCAS_STATEMENTS")
    return Path(named) if named else None


class Recorder:
    """A plugin of pytest that writes down what each test says to databases, and how many seconds of work it is."""

    def __init__(self, place: Path) -> None:
        self.place = place
        self.tests: dict[str, tuple[float, set[str]]] = {}
        self.now: set[str] = set()
        self.numbers: dict[str, str] = {}
        connection_created.connect(self._listen)
        executed: Any = SQLCompiler.execute_sql

        def execute_sql(compiler: SQLCompiler, *args: Any, **named: Any) -> Any:
            if (
                compiler.query.select_for_update
            ):  # which SQLite is not told, and which stands or falls with the transaction
                self.now.add(_caller())
            return executed(compiler, *args, **named)

        SQLCompiler.execute_sql = execute_sql  # type: ignore[assignment, method-assign]  # replaced on purpose, to write down what is said

    def _listen(self, connection: Any, **_named: object) -> None:
        if self._note not in connection.execute_wrappers:
            connection.execute_wrappers.append(self._note)

    def _note(self, execute: Callable[..., Any], sql: Any, params: Any, many: bool, context: Any) -> Any:
        text = str(sql)
        number = self.numbers.get(text)
        if number is None:
            number = self.numbers[text] = _number(text)
        self.now.add(number)
        return execute(sql, params, many, context)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Generator[None, object, object]:
        """Begin a new page for each test."""
        self.now, begun = set(), time.process_time()
        done = yield
        self.tests[item.nodeid] = (time.process_time() - begun, self.now)
        return done

    def pytest_sessionfinish(self) -> None:
        """Write it all down, each process in a file of its own."""
        self.place.mkdir(parents=True, exist_ok=True)
        listed = {test: [seconds, sorted(said)] for test, (seconds, said) in self.tests.items()}
        (self.place / f"{uuid4().hex}.json").write_text(json.dumps(listed), encoding="utf-8")


def _number(sql: str) -> str:
    if sql.startswith(NO_STATEMENT):
        return ""
    for pattern, one in SAME:
        sql = pattern.sub(one, sql)
    return sha256(sql.encode()).hexdigest()[:12]


def _caller() -> str:
    """The line of ours that asks."""
    frame = sys._getframe(2)
    while frame.f_back is not None and frame.f_globals.get("__name__", "").partition(".")[0] not in OURS:
        frame = frame.f_back
    return f"{frame.f_code.co_filename}:{frame.f_lineno}"


def chosen(tests: Iterable[str], place: Path) -> set[str]:
    """As few of `tests` as say all that any of them says, and those of which nothing was written down."""
    known: dict[str, list[Any]] = {}
    for file in sorted(place.glob("*.json")):
        known |= json.loads(file.read_text(encoding="utf-8"))
    asked = sorted(tests)
    kept = {test for test in asked if test not in known}
    left = {test: (known[test][0] + COST, set(known[test][1])) for test in asked if test in known}
    said: set[str] = set()
    heap = [(-len(new) / cost, test) for test, (cost, new) in left.items()]
    heapq.heapify(heap)
    while heap:
        _, test = heapq.heappop(heap)
        cost, own = left[test]
        worth = -len(own - said) / cost
        if worth == 0:
            continue
        if heap and worth > heap[0][0]:  # others have said most of it since
            heapq.heappush(heap, (worth, test))
        else:
            said |= own
            kept.add(test)
    return kept
