"""Queries whose SQL is built once, because every request runs them and building takes longer than the query itself."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, date, datetime
from functools import wraps
from typing import Any, Final, Generic, ParamSpec, TypeAlias, TypeVar

from django.db import connections, transaction
from django.db.models import Model, QuerySet
from django.db.models.sql import UpdateQuery

_Values = ParamSpec("_Values")
_Model_co = TypeVar("_Model_co", bound=Model, covariant=True)
_Row_co = TypeVar("_Row_co", covariant=True)


def prepared(query: Callable[_Values, QuerySet[_Model_co, _Row_co]]) -> Callable[_Values, list[_Row_co]]:
    """Make `query` a function that returns its rows.

    In each thread `query` is called once, with placeholders; after that only the values change. Values are numbers,
    texts, dates and datetimes (not None), and may only be used where SQL compares a column with them unchanged.
    Everything else in the query stays as in the first call, even a time that it looks up itself. Prefetches are
    ignored. Raises TypeError for other values, and for a value that the SQL does not contain unchanged.
    """
    local = threading.local()

    @wraps(query)
    def rows(*values: _Values.args, **named: _Values.kwargs) -> list[_Row_co]:
        ready: _Query[_Model_co, _Row_co] | None = getattr(local, "query", None)
        if ready is None or not ready.fits():
            local.query = ready = _Query(query, values)
        return ready.rows(values)

    return rows


def prepared_update(
    change: Callable[_Values, tuple[QuerySet[_Model_co], Mapping[str, object]]],
) -> Callable[_Values, int]:
    """Make `change` a function that updates rows and returns how many, prepared like a query of `prepared`.

    `change` returns the rows and the new values of their columns (all of one table).
    """
    local = threading.local()

    @wraps(change)
    def update(*values: _Values.args, **named: _Values.kwargs) -> int:
        ready: _Update | None = getattr(local, "update", None)
        if ready is None or not ready.fits():
            local.update = ready = _Update(change, values)
        return ready.do(values)

    return update


_INT: Final = 32_000
"""A number that no query contains by itself and that still fits into the smallest column: Django does not even run a
query with a number that does not fit."""


def _placeholder(index: int, value: object) -> object:
    """A value of the same type that can be found again in the parameters of the SQL."""
    if type(value) is int:
        return _INT + index
    if type(value) is str:
        return f"<{index}>"
    if type(value) is float:
        return _INT + index + 0.5
    if type(value) is datetime:
        return datetime(1901, 1, 1 + index, tzinfo=UTC)
    if type(value) is date:
        return date(1901, 2, 1 + index)
    raise TypeError(f"a prepared query takes numbers, texts, days and moments, not {type(value).__name__}")


class _Statement:
    """SQL that has been built. It belongs to one thread, like its connection."""

    def __init__(self, values: Sequence[object]) -> None:
        self.placeholders = [_placeholder(index, value) for index, value in enumerate(values)]
        self.types = [type(value) for value in values]

    def keep(self, using: str, compiler: Any) -> None:  # type: ignore[explicit-any]  # its attributes have no types
        """Keep the SQL of `compiler`, and note which of its parameters are placeholders."""
        self.using, self.connection = using, compiler.connection
        self.sql, self.params = compiler.as_sql()
        adapted = [self._adapted(each) for each in self.placeholders]
        self.value_indexes = [adapted.index(each) if each in adapted else None for each in self.params]
        if not set(range(len(adapted))) <= set(self.value_indexes):
            raise TypeError("a prepared query must compare something with each of its values as it is")

    def fits(self) -> bool:
        """Whether it belongs to the connection that this thread has now."""
        return self.connection is connections[self.using]

    def filled(self, values: Sequence[object]) -> tuple[str, tuple[object, ...]]:
        """The SQL and its parameters for these values."""
        if [type(value) for value in values] != self.types:
            raise TypeError("a prepared query takes values of the same types each time")
        adapted = [self._adapted(value) for value in values]
        params = zip(self.params, self.value_indexes, strict=True)
        return self.sql, tuple(each if index is None else adapted[index] for each, index in params)

    def _adapted(self, value: object) -> object:
        """The value as the driver of the database takes it."""
        if type(value) is datetime:
            return self.connection.ops.adapt_datetimefield_value(value)
        return self.connection.ops.adapt_datefield_value(value) if type(value) is date else value


class _Query(_Statement, Generic[_Model_co, _Row_co]):
    """A queryset whose SQL has been built."""

    def __init__(self, query: Callable[..., QuerySet[_Model_co, _Row_co]], values: Sequence[object]) -> None:  # type: ignore[explicit-any]  # whatever it takes
        super().__init__(values)
        self.queryset = query(*self.placeholders)
        compiler: Any = self.queryset.query.get_compiler(self.queryset.db)  # type: ignore[explicit-any]  # its attributes have no types
        self.keep(self.queryset.db, compiler)
        converters = compiler.get_converters([column[0] for column in compiler.select[: compiler.col_count]])
        self.values: Sequence[object] = ()
        compiler.as_sql = lambda *_args, **_named: self.filled(self.values)
        compiler.get_converters = lambda _columns: converters
        self.queryset.query.get_compiler = lambda *_args, **_named: compiler  # type: ignore[method-assign]

    def rows(self, values: Sequence[object]) -> list[_Row_co]:
        self.values = values
        rows: list[_Row_co] = [*self.queryset._iterable_class(self.queryset)]  # type: ignore[arg-type, misc]  # a queryset would cache them
        return rows


_Change: TypeAlias = "Callable[..., tuple[QuerySet[Model], Mapping[str, object]]]"  # type: ignore[explicit-any]  # whatever it takes


class _Update(_Statement):
    """An update whose SQL has been built."""

    def __init__(self, change: _Change, values: Sequence[object]) -> None:
        super().__init__(values)
        rows, columns = change(*self.placeholders)
        query: Any = rows.query.chain(UpdateQuery)  # type: ignore[explicit-any]  # the stubs leave out what it adds
        query.add_update_values(columns)
        self.keep(rows.db, query.get_compiler(rows.db))

    def do(self, values: Sequence[object]) -> int:
        with transaction.mark_for_rollback_on_error(self.using), self.connection.cursor() as cursor:
            cursor.execute(*self.filled(values))
            return int(cursor.rowcount)
