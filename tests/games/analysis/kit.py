"""Analyses made at once, in this process, with few worlds."""

from __future__ import annotations

from typing import Final

from django.utils import timezone

from games.analysis import services
from games.analysis.models import Analysis
from games.analysis.parts import Answer, Part, work
from games.analysis.services import Task
from games.models import Game

FEW: Final = 4


def begun(game: Game, number: int = 1, worlds: int = FEW) -> tuple[Analysis, Task]:
    """The analysis of a hand, and its first part, taken by a worker."""
    asked = services.ask(game, number)
    Analysis.objects.filter(pk=asked.pk).update(worlds=worlds)
    task = services.take(timezone.now())
    assert task is not None
    return asked, task


_KNOWN: dict[tuple[str, Part, int], Answer] = {}


def answer(task: Task) -> Answer:
    """What is found about a part; the same part of the same hand is worked out once."""
    key = str([*task.pack, *map(str, task.whole.history)]), task.part, task.worlds
    if key not in _KNOWN:
        _KNOWN[key] = work(task.whole, task.pack, task.part, task.worlds)
    return _KNOWN[key]


def analysed(game: Game, number: int = 1, worlds: int = FEW) -> Analysis:
    """The analysis of a hand, made from beginning to end."""
    asked, first = begun(game, number, worlds)
    task: Task | None = first
    while task is not None:
        task = services.write(task, answer(task), timezone.now())
    asked.refresh_from_db()
    return asked
