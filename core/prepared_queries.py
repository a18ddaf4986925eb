"""Queries that are put together once, where each request asks the same ones: for those, Django takes longer than the database."""

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
    """The rows that `query` finds. In each thread it is called once, with stand-ins; after that only the values are others.

    Values are numbers, texts, days and moments (no None), and may stand only where SQL compares a column with them as
    they are. What else the query says stays as it is said the first time: a time that it looks up itself, too. What is
    prefetched is left out. Raises TypeError for other values, and for one that the SQL does not hold as it is.
    """
    made = threading.local()

    @wraps(query)
    def found(*values: _Values.args, **named: _Values.kwargs) -> list[_Row_co]:
        ready: _Query[_Model_co, _Row_co] | None = getattr(made, "query", None)
        if ready is None or not ready.fits():
            made.query = ready = _Query(query, values)
        return ready.rows(values)

    return found


def prepared_update(
    change: Callable[_Values, tuple[QuerySet[_Model_co], Mapping[str, object]]],
) -> Callable[_Values, int]:
    """In the same way how many rows are changed, where `change` says which, and what becomes of their columns (of one table)."""
    made = threading.local()

    @wraps(change)
    def changed(*values: _Values.args, **named: _Values.kwargs) -> int:
        ready: _Update | None = getattr(made, "update", None)
        if ready is None or not ready.fits():
            made.update = ready = _Update(change, values)
        return ready.do(values)

    return changed


_INT: Final = 32_000
"""What no query says by itself, and still fits into the smallest column: Django asks nothing where a number cannot."""


def _stand_in(place: int, value: object) -> object:
    if type(value) is int:
        return _INT + place
    if type(value) is str:
        return f"<{place}>"
    if type(value) is float:
        return _INT + place + 0.5
    if type(value) is datetime:
        return datetime(1901, 1, 1 + place, tzinfo=UTC)
    if type(value) is date:
        return date(1901, 2, 1 + place)
    raise TypeError(f"a prepared query takes numbers, texts, days and moments, not {type(value).__name__}")


class _Statement:
    """SQL that is known. For one thread, as its connection is."""

    def __init__(self, values: Sequence[object]) -> None:
        self.marks = [_stand_in(place, value) for place, value in enumerate(values)]
        self.types = [type(value) for value in values]

    def keep(self, using: str, compiler: Any) -> None:  # type: ignore[explicit-any]  # its attributes have no types
        """Note what `compiler` makes of the stand-ins."""
        self.using, self.connection = using, compiler.connection
        self.sql, self.params = compiler.as_sql()
        marks = [self._adapted(mark) for mark in self.marks]
        self.places = [marks.index(each) if each in marks else None for each in self.params]
        if not set(range(len(marks))) <= set(self.places):
            raise TypeError("a prepared query must compare something with each of its values as it is")

    def fits(self) -> bool:
        """Whether it is of the connection that this thread has now."""
        return self.connection is connections[self.using]

    def filled(self, values: Sequence[object]) -> tuple[str, tuple[object, ...]]:
        """What is sent to the database for these values."""
        if [type(value) for value in values] != self.types:
            raise TypeError("a prepared query takes values of the same types each time")
        given = [self._adapted(value) for value in values]
        params = zip(self.params, self.places, strict=True)
        return self.sql, tuple(each if place is None else given[place] for each, place in params)

    def _adapted(self, value: object) -> object:
        """As the database's driver takes it."""
        if type(value) is datetime:
            return self.connection.ops.adapt_datetimefield_value(value)
        return self.connection.ops.adapt_datefield_value(value) if type(value) is date else value


class _Query(_Statement, Generic[_Model_co, _Row_co]):
    """A queryset whose SQL is known."""

    def __init__(self, query: Callable[..., QuerySet[_Model_co, _Row_co]], values: Sequence[object]) -> None:  # type: ignore[explicit-any]  # whatever it takes
        super().__init__(values)
        self.queryset = query(*self.marks)
        compiler: Any = self.queryset.query.get_compiler(self.queryset.db)  # type: ignore[explicit-any]  # its attributes have no types
        self.keep(self.queryset.db, compiler)
        converters = compiler.get_converters([column[0] for column in compiler.select[: compiler.col_count]])
        self.values: Sequence[object] = ()
        compiler.as_sql = lambda *_args, **_named: self.filled(self.values)
        compiler.get_converters = lambda _columns: converters
        self.queryset.query.get_compiler = lambda *_args, **_named: compiler  # type: ignore[method-assign]

    def rows(self, values: Sequence[object]) -> list[_Row_co]:
        self.values = values
        found: list[_Row_co] = [*self.queryset._iterable_class(self.queryset)]  # type: ignore[arg-type, misc]  # a queryset would keep them
        return found


_Change: TypeAlias = "Callable[..., tuple[QuerySet[Model], Mapping[str, object]]]"  # type: ignore[explicit-any]  # whatever it takes


class _Update(_Statement):
    """An update whose SQL is known."""

    def __init__(self, change: _Change, values: Sequence[object]) -> None:
        super().__init__(values)
        rows, columns = change(*self.marks)
        query: Any = rows.query.chain(UpdateQuery)  # type: ignore[explicit-any]  # the stubs leave out what it adds
        query.add_update_values(columns)
        self.keep(rows.db, query.get_compiler(rows.db))

    def do(self, values: Sequence[object]) -> int:
        with transaction.mark_for_rollback_on_error(self.using), self.connection.cursor() as cursor:
            cursor.execute(*self.filled(values))
            return int(cursor.rowcount)
