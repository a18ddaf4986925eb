"""What a table agrees on, when people are awake, and on which days nobody has to play."""

from __future__ import annotations

from datetime import date, timedelta

import pytest

from domain.pace.terms import BadTerms, Kind, Out, Rhythm, Terms, easter, holidays

DAY = timedelta(days=1)


@pytest.mark.parametrize(
    ("year", "month", "day"),
    [
        (1818, 3, 22),
        (1943, 4, 25),
        (2024, 3, 31),
        (2025, 4, 20),
        (2026, 4, 5),
        (2027, 3, 28),
        (2038, 4, 25),
        (2285, 3, 22),
    ],
)
def test_easter_falls_when_the_tables_say(year, month, day):
    assert easter(year) == date(year, month, day)


def test_the_holidays_of_the_two_cantons_in_2026():
    assert sorted(day.strftime("%d.%m.") for day in holidays("GR", 2026)) == sorted(
        ["01.01.", "03.04.", "05.04.", "06.04.", "14.05.", "24.05.", "25.05.", "01.08.", "25.12.", "26.12."]
    )
    assert sorted(day.strftime("%d.%m.") for day in holidays("VS", 2026)) == sorted(
        ["01.01.", "19.03.", "05.04.", "14.05.", "24.05.", "04.06.", "01.08.", "15.08.", "01.11.", "08.12.", "25.12."]
    )
    assert holidays("", 2026) == frozenset()


@pytest.mark.parametrize(
    "terms",
    [
        Terms(Kind.DAYS, 2 * DAY, 3 * DAY, weekends=False, holidays="VS", vacation=7, out=Out.SUBSTITUTE),
        Terms(Kind.LIVE, timedelta(seconds=45), timedelta(minutes=10)),
        Terms(Kind.DAYS, DAY / 2, 3 * DAY / 2, refills=True, announced=True),
    ],
)
def test_terms_come_back_from_json_as_they_went(terms):
    assert Terms.from_json(terms.to_json()) == terms


@pytest.mark.parametrize(
    "wrong",
    [
        {},
        {"kind": "weeks", "action": 60},
        {"kind": "live", "action": 2},
        {"kind": "live", "action": 60, "bank": 3 * 3600},
        {"kind": "live", "action": 60, "weekends": False},
        {"kind": "live", "action": 60, "vacation": 3},
        {"kind": "live", "action": 60, "announced": True},
        {"kind": "days", "action": 86400, "refills": "yes"},
        {"kind": "days", "action": 3600},
        {"kind": "days", "action": 15 * 86400},
        {"kind": "days", "action": 86400, "bank": 31 * 86400},
        {"kind": "days", "action": 86400, "holidays": "ZH"},
        {"kind": "days", "action": 86400, "vacation": 31},
        {"kind": "days", "action": 86400, "vacation": True},
        {"kind": "days", "action": "86400"},
        {"kind": "days", "action": -86400},
        {"kind": "days", "action": 86400, "out": "nobody"},
        {"kind": "days", "action": 86400, "speed": 1},
    ],
)
def test_terms_that_nobody_can_play_are_refused(wrong):
    with pytest.raises(BadTerms):
        Terms.from_json(wrong)


def test_a_rhythm_comes_back_from_json_as_it_went():
    rhythm = Rhythm("Asia/Kathmandu", (None, *((420, 1440),) * 6), ((date(2026, 7, 1), date(2026, 7, 14)),))
    assert Rhythm.from_json(rhythm.to_json()) == rhythm


@pytest.mark.parametrize(
    "wrong", [((480, 1320),) * 6, ((480, 500),) * 7, ((480, 1500),) * 7, ((1320, 480),) * 7, ((-60, 480),) * 7]
)
def test_hours_that_are_none_are_refused(wrong):
    with pytest.raises(ValueError, match=r"week|waking"):
        Rhythm(waking=wrong)


def test_a_day_of_absence_is_added_once():
    day = date(2026, 7, 2)
    once = Rhythm().away_on(day)
    assert once.absences == ((day, day),)
    assert once.away_on(day) == once


def test_absences_that_touch_are_one_and_what_is_past_stays_past():
    days = [date(2026, 7, day) for day in range(1, 11)]
    rhythm = Rhythm(absences=((days[4], days[5]), (days[0], days[1]), (days[2], days[2]), (days[1], days[1])))
    assert rhythm.absences == ((days[0], days[2]), (days[4], days[5]))
    assert rhythm.since(days[2]).absences == ((days[2], days[2]), (days[4], days[5]))
    told = Rhythm("Asia/Tokyo", absences=((days[0], days[0]), (days[7], days[8])))
    assert rhythm.replaced_by(told, days[2]) == Rhythm("Asia/Tokyo", absences=((days[0], days[1]), (days[7], days[8])))
