"""Reliability: what ran out weighs, and is forgiven with time."""

from __future__ import annotations

from datetime import date, timedelta

from hypothesis import given
from hypothesis import strategies as st

from domain.pace import Level, Tally, level_of, reliability

TODAY = date(2026, 11, 20)


def figure_of(*tallies: Tally) -> float:
    """The figure of somebody of whom one can tell it."""
    figure = reliability(tallies, TODAY)
    assert figure is not None
    return figure


def ago(days: int, actions: int, timeouts: int = 0) -> Tally:
    return Tally(TODAY - timedelta(days=days), actions, timeouts)


def test_of_a_newcomer_nothing_is_said():
    assert reliability([ago(1, 9)], TODAY) is None
    assert level_of(reliability([], TODAY)) is Level.NEW


def test_who_always_plays_in_time_is_steady():
    assert reliability([ago(3, 10), ago(1, 30)], TODAY) == 1
    assert level_of(1) is Level.STEADY


def test_one_timeout_among_many_actions_is_no_disgrace_and_many_are():
    assert level_of(reliability([ago(2, 200), ago(1, 0, 1)], TODAY)) is Level.STEADY
    assert level_of(reliability([ago(2, 60), ago(1, 0, 1)], TODAY)) is Level.MOSTLY
    assert level_of(reliability([ago(2, 30), ago(1, 0, 3)], TODAY)) is Level.RARELY


def test_once_or_twice_is_not_often_however_little_somebody_has_played():
    assert level_of(reliability([ago(1, 0, 1), ago(2, 9)], TODAY)) is Level.MOSTLY
    assert level_of(reliability([ago(1, 1, 2), ago(2, 9)], TODAY)) is Level.MOSTLY
    assert level_of(reliability([ago(1, 1, 3), ago(2, 9)], TODAY)) is Level.RARELY


def test_it_is_forgiven_with_time_and_forgotten_after_ninety_days():
    fresh = [ago(d, 5) for d in range(20)]
    figures = [figure_of(*fresh, ago(days, 0, 3)) for days in (0, 45, 89, 90)]
    assert figures == sorted(figures)
    assert figures[0] < 0.8 < figures[2] < 1
    assert figures[3] == 1


@given(st.lists(st.tuples(st.integers(0, 100), st.integers(0, 50), st.integers(0, 5)), max_size=20))
def test_the_figure_stays_between_nothing_and_all_and_a_timeout_never_raises_it(found):
    tallies = [ago(*one) for one in found]
    figure = figure_of(*tallies, ago(0, 20))
    assert 0 <= figure <= 1
    assert figure_of(*tallies, ago(0, 20), ago(0, 0, 1)) <= figure
