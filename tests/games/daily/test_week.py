"""Which game on which day, and when days begin, end and close, also when clocks change."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from itertools import pairwise

import pytest

from domain.engine.rulesets import ruleset
from games.daily import services
from games.services import boards

DAYS = [date(2026, 1, 1) + timedelta(days=number) for number in range(400)]


def utc(year: int, month: int, day: int, hour: int) -> datetime:
    return datetime(year, month, day, hour, tzinfo=UTC)


@pytest.mark.parametrize(
    ("day", "begins", "ends", "closes"),
    [
        (date(2026, 11, 22), utc(2026, 11, 21, 23), utc(2026, 11, 22, 23), utc(2026, 11, 23, 2)),
        (date(2026, 7, 1), utc(2026, 6, 30, 22), utc(2026, 7, 1, 22), utc(2026, 7, 2, 1)),
        # Clocks go forward on 29 March 2026: the night before closes at once after two, that day has 23 hours.
        (date(2026, 3, 28), utc(2026, 3, 27, 23), utc(2026, 3, 28, 23), utc(2026, 3, 29, 1)),
        (date(2026, 3, 29), utc(2026, 3, 28, 23), utc(2026, 3, 29, 22), utc(2026, 3, 30, 1)),
        # Clocks go back on 25 October 2026: from midnight to three are four hours, that day has 25.
        (date(2026, 10, 24), utc(2026, 10, 23, 22), utc(2026, 10, 24, 22), utc(2026, 10, 25, 2)),
        (date(2026, 10, 25), utc(2026, 10, 24, 22), utc(2026, 10, 25, 23), utc(2026, 10, 26, 2)),
    ],
)
def test_a_day_is_that_of_switzerland(day, begins, ends, closes):
    assert (services.begins(day), services.ends(day), services.closes(day)) == (begins, ends, closes)
    assert services.day_at(begins) == day
    assert services.day_at(begins - timedelta(microseconds=1)) == day - timedelta(days=1)
    assert services.day_at(ends - timedelta(microseconds=1)) == day
    assert services.day_at(ends) == day + timedelta(days=1)


def test_days_follow_each_other_without_a_gap():
    assert all(services.ends(day) == services.begins(day + timedelta(days=1)) for day in DAYS)


def test_it_is_troccas_on_most_days_and_every_game_has_its_turn():
    chosen = [services.choice_on(day) for day in DAYS[:84]]
    assert sum(choice.ruleset == "troccas" for choice in chosen) == 60
    assert {choice.ruleset for choice in chosen} == {
        "troccas", "troggu", "troggu-st-niklaus", "troggu-graechen", "troccas-3", "troccas-5", "troccas-6",
    }  # fmt: skip
    assert services.choice_on(date(2026, 11, 23)).ruleset == "troccas"
    assert services.choice_on(date(2026, 11, 24)).ruleset.startswith("troggu")
    # The turns go on where a year ends.
    tuesdays = [services.choice_on(day).ruleset for day in DAYS if day.weekday() == 1]
    assert all(one != other for one, other in pairwise(tuesdays))
    assert tuesdays[:3] == tuesdays[3:6]


def test_every_game_of_the_week_can_be_dealt_as_one_shared_deal():
    for offered in services.WEEK:
        for choice in offered:
            rules = ruleset(choice.ruleset, None, choice.size)
            assert rules.seats == choice.size
            assert boards.options_for(rules, 1)["hands"] == 1


def test_the_person_holds_other_cards_from_day_to_day():
    troccas = [services.lane_on(day) for day in DAYS if services.choice_on(day).size == 4]
    assert set(troccas) == {0, 1, 2, 3}
    for size in (3, 4, 5, 6):
        for lane in range(size):
            # Seat 0 stands so many places after the dealer.
            assert -services.dealer_for(lane, size) % size == lane
