"""The door of tournaments."""

from __future__ import annotations

import uuid

import pytest

from domain.tournament.payload import Plain
from domain.tournament.state import State
from tests.refusals import refuses
from tests.tournaments.services.kit import Night
from tournaments import permissions as tournaments_permissions
from tournaments import selectors
from tournaments.exceptions import Moved, Refused
from tournaments.models import Participation, Tournament, TournamentEvent
from tournaments.services import draws, log
from tournaments.services.log import NewEvent, rebuild

pytestmark = pytest.mark.django_db


def test_a_whole_evening_is_played_and_its_ranking_is_final():
    night = Night.at(9, rules={"rounds": 2, "deals": 2}, odd=["five-dealer-out"])
    night.begin()
    for number in (1, 2):
        night.draw()
        night.play_round(f"1.{number}")
    night.do("tournament.closed", despite="the lots are left out")
    night.tournament.refresh_from_db()
    assert night.tournament.status == Tournament.Status.CLOSED
    assert sorted(len(table.people) for table in night.state.phases[0].rounds[0].tables.values()) == [4, 5]


def test_a_refusal_changes_nothing():
    night = Night.at(8)
    night.begin()
    before = TournamentEvent.objects.count()
    with pytest.raises(Refused) as why:
        night.do("round.published", round="1.1")
    assert why.value.code == "no-such-round"
    assert TournamentEvent.objects.count() == before


def test_of_several_things_all_happen_or_none():
    night = Night.at()
    person = night.person().public_id
    doings = [("entrant.added", {"members": [person]}), ("entrant.arrived", {"id": "e99"})]
    with pytest.raises(Refused):
        log.act(
            night.tournament.pk, doings, by=tournaments_permissions.director(night.director), request_id=uuid.uuid4()
        )
    assert not night.state.entrants


def test_a_repeated_request_is_done_once():
    night = Night.at()
    person = night.person().public_id
    request = uuid.uuid4()
    for _time in range(2):
        receipt = log.act(
            night.tournament.pk,
            [("entrant.added", {"members": [person], "here": True}), ("entrant.paused", {"id": "e1"})],
            by=tournaments_permissions.director(night.director),
            request_id=request,
        )
    assert receipt.repeated
    assert [event.kind for event in receipt.events] == ["entrant.added", "entrant.paused"]
    assert len(night.state.entrants) == 1


def test_the_same_request_id_for_something_else_is_refused():
    night = Night.at()
    request = uuid.uuid4()
    by = tournaments_permissions.director(night.director)
    log.act(night.tournament.pk, [("hall-key.renewed", {"what": "door"})], by=by, request_id=request)
    with refuses("request-reused"):
        log.act(night.tournament.pk, [("hall-key.renewed", {"what": "screen"})], by=by, request_id=request)


def test_a_draw_that_is_asked_for_twice_is_drawn_once():
    night = Night.at(8)
    night.begin()
    request = uuid.uuid4()
    by = tournaments_permissions.director(night.director)
    first = draws.draw(night.tournament, 1, by=by, request_id=request)
    again = draws.draw(night.tournament, 1, by=by, request_id=request)
    assert again.repeated
    assert again.state.number == first.state.number


def test_what_was_seen_earlier_is_not_acted_upon():
    night = Night.at(4)
    with pytest.raises(Moved):
        log.act(
            night.tournament.pk,
            [("entrant.left", {"id": "e1"})],
            by=tournaments_permissions.director(night.director),
            request_id=uuid.uuid4(),
            expected=1,
        )


def test_a_table_acts_for_itself_and_for_its_own_side_only():
    night = Night.at(8)
    night.begin()
    night.draw()
    mine = tournaments_permissions.at_table("1.1.1", frozenset({0}))
    wrong: tuple[dict[str, Plain], ...] = (
        {"table": "1.1.2", "deal": 1, "place": 0, "scores": [40, 32]},
        {"table": "1.1.1", "deal": 1, "place": 1, "scores": [40, 32]},
    )
    for data in wrong:
        with refuses("not-allowed"):
            log.act(night.tournament.pk, [("deal.entered", data)], by=mine, request_id=uuid.uuid4())
    data = {"table": "1.1.1", "deal": 1, "place": 0, "scores": [40, 32]}
    log.act(night.tournament.pk, [("deal.entered", data)], by=mine, request_id=uuid.uuid4())
    assert night.table("1.1.1").played == 1


def test_a_helper_at_the_door_takes_fees_but_pays_nothing_out():
    night = Night.at(4)
    helper = tournaments_permissions.helper()
    fee: dict[str, Plain] = {"kind": "fee", "amount": 1000, "who": "e1"}
    log.act(night.tournament.pk, [("money.entered", fee)], by=helper, request_id=uuid.uuid4())
    with refuses("not-allowed"):
        log.act(
            night.tournament.pk,
            [("money.entered", fee | {"kind": "payout"})],
            by=helper,
            request_id=uuid.uuid4(),
        )


def test_nothing_happens_in_a_tournament_that_is_cancelled():
    night = Night.at()
    Tournament.objects.update(status=Tournament.Status.CANCELLED)
    with refuses("cancelled"):
        night.walk_in()


def test_the_log_read_from_its_beginning_gives_the_same_state():
    night = Night.at(9, odd=["three", "bye"])
    night.begin()
    night.draw()
    night.play("1.1.1")
    kept = night.state
    selectors._kept.clear()
    assert night.state == kept


def test_who_takes_part_is_found_from_the_person():
    night = Night.at(4)
    assert Participation.objects.filter(member=night.people[0], entrant="e1").exists()
    night.do("entrant.withdrawn", id="e1")
    assert not Participation.objects.filter(member=night.people[0]).exists()


def test_what_follows_from_the_log_can_be_made_anew():
    night = Night.at(8)
    night.begin()
    night.draw()
    assert rebuild(night.tournament.pk) == []
    Participation.objects.all().delete()
    Tournament.objects.update(status=Tournament.Status.PLANNED)
    assert rebuild(night.tournament.pk) == ["status", "who takes part"]
    assert Participation.objects.count() == 8
    assert rebuild(night.tournament.pk) == []


def test_a_cancelled_tournament_stays_cancelled_when_it_is_made_anew():
    night = Night.at(4)
    Tournament.objects.update(status=Tournament.Status.CANCELLED)
    assert rebuild(night.tournament.pk) == []


def test_an_announcement_that_is_saved_late_leaves_the_log_alone():
    night = Night.at(4)
    old = Tournament.objects.get(pk=night.tournament.pk)
    night.walk_in()
    old.place = "Casa da scola"
    old.save()
    night.walk_in()
    assert night.state.number == TournamentEvent.objects.count()
    assert Tournament.objects.get(pk=old.pk).place == "Casa da scola"


def test_what_the_hall_throws_in_counts_for_its_own_round():
    night = Night.at(8)
    night.begin()
    by = tournaments_permissions.director(night.director)
    for number, thrown in enumerate(("4 6 1", "2 2 5"), 1):
        draws.draw(night.tournament, 1, hall=f" {thrown} ", by=by, request_id=uuid.uuid4())
        night.do("round.published", round=f"1.{number}")
        assert (night.state.phases[0].rounds[-1].draw or {})["hall"] == thrown


def test_what_the_hall_throws_in_for_a_plan_counts_for_all_its_rounds():
    night = Night.at(8, method="rotation")
    night.begin()
    by = tournaments_permissions.director(night.director)
    for number, thrown in enumerate(("", "2 2 5"), 1):
        draws.draw(night.tournament, 1, hall=thrown, by=by, request_id=uuid.uuid4())
        night.do("round.published", round=f"1.{number}")
        assert (night.state.phases[0].rounds[-1].draw or {})["hall"] == ""


@pytest.mark.services
def test_what_is_stored_is_what_is_read_without_what_no_line_holds():
    night = Night.at(8)
    night.begin(name="Final\x0bof\x00the best")
    event = TournamentEvent.objects.get(tournament=night.tournament, kind="phase.started")
    assert event.data["name"] == night.state.phases[0].name == "Final of the best"


def test_nobody_is_sent_away_because_others_always_come_first():
    night = Night.at()
    asked = 0

    def make(state: State) -> list[NewEvent]:
        """Something comes between whenever one may come between, as when a whole hall writes at once."""
        nonlocal asked
        asked += 1
        if asked <= log.TRIES:
            night.do("entrant.added", members=[night.person().public_id])
        return [("entrant.added", {"members": [person]})]

    person = night.person().public_id
    request = uuid.uuid4()
    by = tournaments_permissions.director(night.director)
    receipt = log.decide(night.tournament, make, by=by, request_id=request, same="one more")
    assert asked == log.TRIES + 1
    assert len(night.state.entrants) == log.TRIES + 1
    assert log.decide(night.tournament, make, by=by, request_id=request, same="one more").events == receipt.events
    assert asked == log.TRIES + 1
