"""Strategies: something good, changed in a few places. What is only noise is refused at the door and tries nothing behind it."""

from __future__ import annotations

import copy
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from typing import Any, Final, TypeVar

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

from tests.long import LONG

R = TypeVar("R")
SECONDS: Final = 10
"""Of the processor, for one example; each takes a hundredth of that as a rule."""
CAREFULLY: Final = settings(
    max_examples=1000 if LONG else 60,
    derandomize=not LONG,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.function_scoped_fixture],
)

_STRANGE: Final = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(10**30), 10**30),
    st.sampled_from([0, -1, 1, 2**31, 2**63, 10**400, 1e308, float("nan"), float("inf")]),
    st.text(max_size=12),
    st.sampled_from(["", "\0", "\ud800", "T99", "é" * 3000, "-1", "٣", "../x", "=1+1", "\u202e", "0x10", "1e5"]),
    st.recursive(
        st.none() | st.integers() | st.text(max_size=4),
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
        max_leaves=6,
    ),
    st.sampled_from([5, 20, 200]).map(lambda depth: _nested(depth)),
)


def _nested(depth: int) -> object:
    made: object = 0
    for _level in range(depth):
        made = [made]
    return made


def _places(data: object, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    if path:
        yield path
    if isinstance(data, Mapping):
        for key, value in data.items():
            yield from _places(value, (*path, key))
    elif isinstance(data, list):
        for at, value in enumerate(data):
            yield from _places(value, (*path, at))


@st.composite
def data(draw: st.DrawFn, good: Any) -> Any:
    """Plain data that was good, with one to three values changed, taken away, doubled or put elsewhere."""
    made = copy.deepcopy(good)
    for _change in range(draw(st.integers(1, 3))):
        places = list(_places(made))
        if not places:
            break
        *way, last = draw(st.sampled_from(places))
        inside: Any = made
        for step in way:
            inside = inside[step]
        what = draw(st.sampled_from(["put", "put", "put", "take", "double", "move"]))
        if what == "put":
            inside[last] = draw(_STRANGE)
        elif what == "take":
            del inside[last]
        elif what == "double" and isinstance(inside, list):
            inside.append(copy.deepcopy(inside[last]))
        else:
            *other_way, other = draw(st.sampled_from(places))
            with suppress(LookupError, TypeError):  # it lay in what is gone by now
                there: Any = made
                for step in other_way:
                    there = there[step]
                there[other] = copy.deepcopy(inside[last])
    return made


@st.composite
def octets(draw: st.DrawFn, good: bytes) -> bytes:
    """Bytes that were good, with a few parts changed, taken away, doubled, or cut off at the end."""
    made = good
    for _change in range(draw(st.integers(1, 4))):
        begin = draw(st.integers(0, len(made)))
        end = min(len(made), begin + draw(st.integers(0, 40)))
        part = draw(
            st.one_of(st.binary(max_size=8), st.text(max_size=8).map(lambda text: text.encode("utf-8", "replace")))
        )
        what = draw(st.sampled_from(["put", "put", "insert", "double", "cut"]))
        if what == "put":
            made = made[:begin] + part + made[end:]
        elif what == "insert":
            made = made[:begin] + part + made[begin:]
        elif what == "double":
            made = made[:end] + made[begin:]
        else:
            made = made[:begin]
    return made


def in_time(read: Callable[[], R], *refusals: type[Exception]) -> R | None:
    """What `read` gives; None for one of these refusals, each with words. Any other exception goes on to the test."""
    begun = time.thread_time()
    found, why = None, "read"
    try:
        found = read()
    except refusals as refused:
        why = str(refused)
    assert time.thread_time() - begun < SECONDS
    assert why, "a refusal says why"
    return found
