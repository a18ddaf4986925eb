"""Computer players that think in a process of their own choose what they would choose here."""

from __future__ import annotations

import os
import signal
from concurrent.futures import ProcessPoolExecutor

import pytest

from domain.bots.advice import choose
from domain.bots.fast.warming import warm
from domain.bots.worker_processes import WorkerProcess
from tests.domain.bots.test_evaluating import near_the_end


def test_apart_they_choose_the_same_and_after_a_failure_too() -> None:
    apart = WorkerProcess()
    hand = near_the_end(4, 3)
    view = hand.view(hand.turn)
    try:
        chosen = apart.choose(view, level="club", seed=b"a")
        assert chosen == choose(view, level="club", seed=b"a")
        pool = apart._plain
        assert isinstance(pool, ProcessPoolExecutor)
        for process in pool._processes.values():
            process.kill()
            process.join()
        assert apart.choose(view, level="club", seed=b"a") == chosen
    finally:
        apart.close()


def test_control_c_ends_the_asker_and_not_the_process_that_thinks_for_it() -> None:
    """It is meant for all programs of the terminal at once, and only one should say something."""
    told: list[str] = []
    apart = WorkerProcess(told=told.append)
    hand = near_the_end(4, 3)
    view = hand.view(hand.turn)
    try:
        apart.choose(view, level="club", seed=b"a")
        pool = apart._plain
        assert isinstance(pool, ProcessPoolExecutor)
        for number in pool._processes:
            os.kill(number, signal.SIGINT)
        apart.choose(view, level="club", seed=b"a")
        assert told == ["plain", "plain"]
    finally:
        apart.close()


def test_a_late_answer_is_thought_here_and_ends_no_process_before_the_third(monkeypatch) -> None:
    """The process that compiles goes on: on a busy machine it would never be ready otherwise."""
    apart = WorkerProcess()
    hand = near_the_end(4, 3)
    view = hand.view(hand.turn)
    told: list[str] = []
    apart._told = told.append
    try:
        chosen = apart.choose(view, level="club", seed=b"a")
        pool = apart._plain
        monkeypatch.setattr("domain.bots.worker_processes.LONGEST", 0)
        for _time in range(2):
            assert apart.choose(view, level="club", seed=b"a") == chosen
            assert apart._plain is pool
        assert apart.choose(view, level="club", seed=b"a") == chosen
        assert apart._plain is None
        assert told == ["plain", "here", "here", "here"]
    finally:
        apart.close()


def test_what_is_compiled_first_is_a_hand_that_can_be_played() -> None:
    assert -36 * 256 <= warm() <= 36 * 256


@pytest.mark.long
def test_the_compiled_process_takes_over_and_chooses_the_same(tmp_path) -> None:
    pytest.importorskip("numba")
    apart = WorkerProcess(str(tmp_path))
    hand = near_the_end(4, 3)
    view = hand.view(hand.turn)
    try:
        told: list[str] = []
        apart._told = told.append
        chosen = choose(view, level="club", seed=b"a")
        assert apart.choose(view, level="club", seed=b"a") == chosen
        assert apart._warm is not None
        assert not apart._warm.result(600), "nothing was kept from before"
        assert apart.choose(view, level="club", seed=b"a") == chosen
        assert apart._warm is not None
        assert apart._warm.result(600), "a second process reads what the first has compiled"
        assert apart.choose(view, level="club", seed=b"a") == chosen
        assert apart._plain is None
        assert told == ["plain", "plain", "compiled"]
    finally:
        apart.close()
