"""What each run does, and what only the slow and the long one: see docs/testing.md."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable
from typing import Any, Final, TypeVar

import pytest
from _pytest.mark import ParameterSet

T = TypeVar("T")
LONG: Final = os.environ.get("TROCCAS_LONG") == "1"
QUICK: Final = os.environ.get("TROCCAS_QUICK") == "1"


def quick(kept: Collection[str], cases: Iterable[Any], names: Iterable[str] | None = None) -> list[ParameterSet]:
    """All cases for `parametrize`, marked `long` but for those whose names are kept. Without `names` a case is its own name,
    or several joined by "-". Raises ValueError if there is no case of a kept name."""
    listed = [case if isinstance(case, tuple) else (case,) for case in cases]
    called = ["-".join(map(str, case)) for case in listed] if names is None else list(names)
    if missing := set(kept) - set(called):
        raise ValueError(f"no such cases: {sorted(missing)}")
    return [
        pytest.param(*case, id=name, marks=[] if name in kept else [pytest.mark.long])
        for case, name in zip(listed, called, strict=True)
    ]


def looks(first: T, *others: T) -> tuple[T, ...]:
    """The ways to look at a page: all of them in the long run, otherwise the first."""
    return (first, *others) if LONG else (first,)


def pages(*every: str, later: Iterable[str] = ()) -> tuple[str, ...]:
    """The pages to look at in every run, and after them those that only the long run looks at: others of the same templates."""
    return (*every, *later) if LONG else every


def slow_tests(items: Collection[pytest.Item]) -> set[pytest.Item]:
    """What is marked `slow`, but for the cases that it names. Raises UsageError where there is no such case."""
    slow = [(item, mark.kwargs.get("but")) for item in items if (mark := item.get_closest_marker("slow"))]
    kept = {(_function(item), but) for item, but in slow if but is not None and _case(item) == but}
    if missing := {(_function(item), but) for item, but in slow if but is not None} - kept:
        raise pytest.UsageError(f"slow but for a case that is not there: {sorted(missing)}")
    return {item for item, but in slow if but is None or _case(item) != but}


def _function(item: pytest.Item) -> str:
    return item.nodeid.partition("[")[0]


def _case(item: pytest.Item) -> str:
    return item.nodeid.partition("[")[2].removesuffix("]")
