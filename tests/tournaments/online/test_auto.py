"""Rounds that come by themselves: in the morning, a day after the last one is over, until all are played."""

from __future__ import annotations

from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from domain.tournament.state import CLOSED, OUT
from notices.models import Outbox
from tests.tournaments.online.kit import PASSING, League
from tournaments.models import Tournament
from tournaments.online.tasks import next_morning

pytestmark = pytest.mark.django_db
ZURICH = ZoneInfo("Europe/Zurich")


def league(people: int = 4, *, overdue: str = "postpone", rounds: int = 2) -> League:
    """The first round is out, by the director; the others come by themselves."""
    rules = PASSING | {"deals": 1, "overdue": overdue, "rounds": rounds}
    found = League.of(people, rules=rules, online={"auto": True, "days": 2})
    found.round()
    return found


def test_a_morning_is_at_nine_by_the_clock_of_the_site_also_when_clocks_change():
    assert next_morning(datetime(2026, 3, 28, 10, tzinfo=ZURICH)) == datetime(2026, 3, 29, 9, tzinfo=ZURICH)
    assert next_morning(datetime(2026, 3, 29, 9, tzinfo=ZURICH)) == datetime(2026, 3, 29, 9, tzinfo=ZURICH)


def test_the_next_round_comes_in_the_morning_a_day_after_the_last_table_counts():
    found = league()
    found.play_out("1.1.1")
    found.look()
    over = found.now
    due = next_morning(over + timedelta(days=1))
    found.run(due - timedelta(seconds=30))
    assert len(found.state.phases[0].rounds) == 1
    found.run(due)
    rounds = found.state.phases[0].rounds
    assert [each.status for each in rounds] == [CLOSED, OUT]
    assert found.game("1.2.1").number > 0
    drawn = found.tournament.events.filter(kind="round.drawn").order_by("number").last()
    assert drawn is not None
    assert drawn.by == "site"
    assert found.deadline("1.2") - due >= timedelta(days=2)
    before = found.state.number
    found.look()
    assert found.state.number == before


def test_it_comes_after_the_deadline_too_with_late_tables():
    found = league(8)
    found.play_out("1.1.1")
    found.asked("1.1.2")
    found.run(found.deadline("1.1"))
    assert len(found.state.phases[0].rounds) == 1
    found.run(next_morning(found.deadline("1.1") + timedelta(days=1)))
    assert [each.status for each in found.state.phases[0].rounds] == [CLOSED, OUT]
    # The same person may have two games of the tournament at once.
    late = found.game("1.1.2")
    assert late.status == "playing"
    people = {seat.player for seat in late.seats.all()}
    again = {seat.player for number in (1, 2) for seat in found.game(f"1.2.{number}").seats.all()}
    assert people <= again


def test_after_the_last_round_the_phase_ends_and_the_tournament_is_closed():
    found = league(rounds=1)
    found.play_out("1.1.1")
    found.look()
    found.run(next_morning(found.now + timedelta(days=1)))
    assert found.state.phases[0].finished
    assert found.state.closed


def test_a_knock_out_whose_final_is_drawn_waits_for_the_director():
    online = {"auto": True, "days": 2}
    found = League.of(0, kind="pair", method="knock-out", odd=["bye"], rules={"rounds": 1}, online=online)
    for pair in range(2):
        members = [found.stranger(f"{name}{pair}") for name in ("Ada", "Leo")]
        found.do("entrant.added", members=[each.public_id for each in members], here=True)
    found.round()
    level = {"deal": 1, "scores": [36, 36]}
    found.do("table.settled", table="1.1.1", lines=[level], reason="told us")
    found.run(next_morning(found.deadline("1.1") + timedelta(days=1)))
    assert not found.state.phases[0].finished
    more = {"deal": 2, "scores": [40, 32], "extra": True}
    found.do("table.settled", table="1.1.1", lines=[level, more], reason="one more deal")
    found.run(next_morning(found.now + timedelta(days=1)))
    assert found.state.closed


def test_a_director_who_goes_on_by_hand_is_not_overtaken():
    found = league()
    found.play_out("1.1.1")
    found.look()
    found.round(out=False, begun=False)
    found.run(next_morning(found.now + timedelta(days=2)))
    assert [each.status for each in found.state.phases[0].rounds][-1] == "draft"


@pytest.mark.slow
def test_who_has_lost_their_account_sits_out_and_holds_up_nobody():
    found = league(5)
    assert sum(each.house for each in found.state.entrants.values()) == 3
    found.play_out("1.1.1")
    found.play_out("1.1.2")
    found.look()
    member = found.people[0]
    member.player = None
    member.save()
    found.run(next_morning(found.now + timedelta(days=1)))
    assert len(found.state.phases[0].rounds) == 2
    assert "1.2" in found.state.entrants["e1"].pauses


def test_without_it_nothing_comes_by_itself():
    found = League.of(4, rules=PASSING, online={"days": 1})
    found.round()
    found.play_out("1.1.1")
    found.look()
    found.run(found.now + timedelta(days=10))
    assert len(found.state.phases[0].rounds) == 1


def test_people_are_told_of_rounds_and_of_the_end():
    found = league(rounds=1)
    people = {found.player(person) for person in found.table("1.1.1").people}
    assert {row.player for row in Outbox.objects.filter(event="tournament.round")} == people
    found.play_out("1.1.1")
    found.look()
    found.run(next_morning(found.now + timedelta(days=1)))
    assert {row.player for row in Outbox.objects.filter(event="tournament.result")} == people
    found.tournament.refresh_from_db()
    assert found.tournament.status == Tournament.Status.CLOSED
    assert {row.player for row in Outbox.objects.filter(event="tournament.over")} == people
