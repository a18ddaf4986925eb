"""The published names that screens use, as this process knows them: looking up a name never asks the database.

`rules.termbase` replaces the snapshot when words were published; `rules.terms` looks here before it looks into the files.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import wraps
from typing import Any, ParamSpec, TypeVar

_P = ParamSpec("_P")
_R = TypeVar("_R")


@dataclass(frozen=True, slots=True)
class Name:
    """One name of a concept in one language, as its source prints it.

    `gender` is m, f, n, p (plural only) or empty. `source` names where it is attested, empty for plain English and German.
    `draft`: no source attests it in this sense. `gloss` says in English and German what a popular name means.
    """

    text: str
    lang: str
    gender: str = ""
    source: str = ""
    draft: bool = False
    note: str = ""
    bare: str = ""
    inflected: str = ""
    object: str = ""
    gloss: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Words:
    """One concept as it is published: its names by language, the one we use first, and its document for all else."""

    names: Mapping[str, tuple[Name, ...]]
    document: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Snapshot:
    """The words of one moment. `memo` is what was worked out from them, and from the files; it goes with them."""

    version: int = 0
    concepts: Mapping[str, Words] = field(default_factory=dict)
    memo: dict[tuple[object, ...], Any] = field(default_factory=dict)


_current = Snapshot()


def current() -> Snapshot:
    """The words as this process knows them."""
    return _current


def replace(snapshot: Snapshot) -> None:
    """From now on these are the words."""
    global _current
    _current = snapshot


def following(look: Callable[_P, _R]) -> Callable[_P, _R]:
    """Remember the answers of a function of names (positional, hashable arguments) until the snapshot is replaced."""

    @wraps(look)
    def remembered(*args: _P.args, **kwargs: _P.kwargs) -> _R:
        memo = _current.memo
        key = (look, *args)
        try:
            found: _R = memo[key]
        except KeyError:
            found = memo[key] = look(*args, **kwargs)
        return found

    return remembered
