"""An evening leaves one computer as a file and goes on at another; it comes back, or both have gone on."""

from __future__ import annotations

import json
import uuid
from typing import Any

import pytest
from django.conf import settings

from clubs.exceptions import NotAllowed
from clubs.models import Club, Member, Season
from domain.tournament.drawing import verify
from domain.tournament.events import Event
from domain.tournament.payload import Given
from domain.tournament.scoring import ranking, standing_of
from tests.tournaments.handover.kit import another_computer, opened, saved
from tests.tournaments.online.kit import PACE
from tests.tournaments.services.kit import Night, member_player
from tournaments import permissions
from tournaments.exceptions import BothWentOn, FileError, TournamentError
from tournaments.handover import files, services
from tournaments.models import SeasonEvening, Tournament, TournamentEvent
from tournaments.publishing.exports import draws_as_data
from tournaments.registration.services import WalkIn, change_announcement, walk_in
from tournaments.services import codes, draws, log
from tournaments.services.log import LoggedEvent

pytestmark = pytest.mark.django_db


def in_round_three(**plan: Any) -> Night:
    """Eight people; two rounds are over, the third is out and one of its tables has written."""
    night = Night.at(8, **plan)
    night.begin()
    for key in ("1.1", "1.2"):
        night.draw()
        night.play_round(key)
    night.draw()
    night.write("1.3.1")
    night.do("money.entered", kind="fee", amount=1000, who="e1")
    return night


def finish(night: Night) -> None:
    """The third round is played, a guest comes in, the fourth round ends it."""
    for number in (1, 2):
        if not night.table(f"1.3.{number}").lines:
            night.write(f"1.3.{number}")
        night.do("table.settled", table=f"1.3.{number}", lines=_lines(night, f"1.3.{number}"), wrong=False)
    night.do("round.closed", round="1.3")
    who = WalkIn("Nova", "Vegnida", pay=1000)
    walk_in(night.tournament, who, by=permissions.director(night.director), request_id=uuid.uuid4())
    night.draw()
    night.play_round("1.4")
    if standing_of(night.state, night.state.phases[0]).lots_needed:
        draws.draw_lots(night.tournament, 1, by=permissions.director(night.director), request_id=uuid.uuid4())
    night.do("tournament.closed")


def _lines(night: Night, key: str) -> list[dict[str, Any]]:
    return [{"deal": deal, "scores": list(line.scores)} for deal, line in night.table(key).lines]


def told(night: Night) -> list[Any]:
    """The whole ranking, as plain data."""
    return [(place.rank, place.row.entrant, place.row.values) for place in ranking(night.state)[0]]


def test_evening_opened_elsewhere_stands_as_it_stood():
    night = in_round_three()
    night.do("tournament.planned", plan={"rules": {"rounds": 4, "deals": 2}}, fee=1200)
    before, state, people = told(night), night.state, [each.first_name for each in night.people]
    slip = codes.table_code(night.tournament, state, "1.3.1", 0)
    page = codes.person_code(night.tournament, night.people[0].public_id)
    data = saved(night)
    with another_computer() as by:
        copy = opened(data, by)
        assert copy.state == state
        assert told(copy) == before
        assert codes.read_table(copy.tournament, copy.state, slip) == codes.Place("1.3.1", 0)
        assert codes.read_person(copy.tournament, page) == night.people[0].public_id
        assert [each.first_name for each in Member.objects.filter(kind="guest").order_by("pk")] == people
        assert copy.club.provisional
        assert copy.club.name == "Troccas Cuera"
        assert copy.tournament.opened_from == settings.SITE_URL


def test_evening_is_ended_elsewhere_without_the_first_site_and_returns():
    night = in_round_three()
    data = saved(night)  # the machine dies right after
    with another_computer() as by:
        copy = opened(data, by)
        finish(copy)
        end, back = told(copy), saved(copy)
        assert not verify(draws_as_data(copy.tournament, copy.state, private=True)).problems
    assert not Member.objects.filter(first_name="Nova").exists()
    result = services.open_evening(files.read(back), night.director)
    assert result.taken > 10
    assert told(night) == end
    assert night.state.closed
    assert Member.objects.get(first_name="Nova").club == night.club
    assert not verify(draws_as_data(night.tournament, night.state, private=True)).problems
    assert log.rebuild(night.tournament.pk) == []


def test_opening_the_same_file_again_doubles_nothing():
    night = in_round_three()
    data = saved(night)
    with another_computer() as by:
        copy = opened(data, by)
        finish(copy)
        back = saved(copy)
        assert services.open_evening(files.read(back), by).taken == 0
    services.open_evening(files.read(back), night.director)
    number, people = night.state.number, Member.objects.count()
    assert services.open_evening(files.read(back), night.director).taken == 0
    assert (night.state.number, Member.objects.count()) == (number, people)


def test_draw_made_elsewhere_is_the_one_that_would_have_been_made_here():
    night = Night.at(8)
    night.begin()
    night.draw()
    night.play_round("1.1")
    data = saved(night)
    with another_computer() as by:
        copy = opened(data, by)
        copy.draw()
        there = copy.state.round("1.2")
    night.draw()
    here = night.state.round("1.2")
    assert there is not None
    assert here is not None
    assert [each.people for each in there.tables.values()] == [each.people for each in here.tables.values()]


def test_who_met_on_earlier_evenings_is_remembered_elsewhere():
    night = Night.at(8, avoid_season=True)
    season = Season.objects.create(club=night.club, name="2026")
    first = Tournament.objects.create(club=night.club, name="before", starts=night.tournament.starts.replace(month=10))
    for each in (night.tournament, first):
        SeasonEvening.objects.create(season=season, tournament=each)
    other = Night(night.club, first, night.director)
    other.do("tournament.planned", plan={"rules": {"rounds": 1, "deals": 2}})
    other.do("tournament.opened", commitment="0" * 64)
    for person in night.people:
        other.do("entrant.added", members=[person.public_id], here=True)
    other.begin()
    other.draw()
    remembered = log.evenings_before(night.tournament)
    assert remembered
    data = saved(night)
    with another_computer() as by:
        copy = opened(data, by)
        copy.begin()
        assert [dict(each) for each in copy.state.season] == remembered


def test_nothing_is_written_here_while_it_is_elsewhere():
    night = in_round_three()
    services.hand_over(night.tournament, night.director)
    number = night.state.number
    with pytest.raises(TournamentError, match="another computer"):
        night.do("entrant.left", id="e1")
    given = Tournament(name="Another name", starts=night.tournament.starts)
    with pytest.raises(TournamentError, match="another computer"):
        change_announcement(
            night.tournament, night.director, given, night.state.plan, 0, rules=None, request_id=uuid.uuid4()
        )
    assert night.state.number == number
    services.take_back(night.tournament, night.director)
    night.do("entrant.left", id="e1")


def test_file_that_returns_ends_the_time_elsewhere():
    night = in_round_three()
    services.hand_over(night.tournament, night.director)
    data = saved(night)
    with another_computer() as by:
        copy = opened(data, by)
        copy.do("entrant.left", id="e2")
        services.hand_over(copy.tournament, by)
        with pytest.raises(TournamentError, match="another computer"):
            copy.do("entrant.left", id="e3")
        back = saved(copy)
    services.open_evening(files.read(back), night.director)
    night.do("entrant.left", id="e3")


def test_both_went_on_and_nothing_is_mixed():
    night = in_round_three()
    data = saved(night)
    with another_computer() as by:
        copy = opened(data, by)
        copy.do("entrant.left", id="e2")
        back = saved(copy)
    same = night.state.number
    night.do("entrant.left", id="e3")
    before = list(TournamentEvent.objects.values_list("number", "kind"))
    with pytest.raises(BothWentOn) as refused:
        services.open_evening(files.read(back), night.director)
    assert refused.value.same == same
    assert list(TournamentEvent.objects.values_list("number", "kind")) == before


def test_older_file_changes_nothing():
    night = in_round_three()
    data = saved(night)
    night.do("entrant.left", id="e3")
    with pytest.raises(FileError, match="older"):
        services.open_evening(files.read(data), night.director)


def test_second_evening_of_the_same_people_goes_into_the_same_club():
    night = in_round_three()
    data = saved(night)
    later = Tournament.objects.create(club=night.club, name="later", starts=night.tournament.starts)
    second = services.file_of(later)
    with another_computer() as by:
        opened(data, by)
        copy = opened(second, by)
        assert Club.objects.count() == 1
        assert copy.club.tournaments.count() == 2


def test_people_of_somebody_elses_club_are_not_taken():
    night = in_round_three()
    data = json.loads(saved(night))
    data["head"]["tournament"]["id"] = "another22"
    again = files.write(data["head"], files.read(saved(night)).events)
    with pytest.raises(FileError) as refused:
        services.open_evening(files.read(again), member_player("Stranger"))
    assert refused.value.code == "people-elsewhere"


def test_only_who_runs_the_evening_brings_it_back():
    night = in_round_three()
    data = saved(night)
    for act in (
        lambda by: services.open_evening(files.read(data), by),
        lambda by: services.hand_over(night.tournament, by),
        lambda by: services.take_back(night.tournament, by),
    ):
        with pytest.raises(NotAllowed):
            act(member_player(f"Stranger{uuid.uuid4().hex[:6]}"))


def test_request_that_was_made_before_is_known_elsewhere():
    night = Night.at(4)
    sent, by = uuid.uuid4(), permissions.director(night.director)
    log.act(night.tournament.pk, [("entrant.left", {"id": "e1"})], by=by, request_id=sent)
    data = saved(night)
    with another_computer() as other:
        copy = opened(data, other)
        again = log.act(copy.tournament.pk, [("entrant.left", {"id": "e1"})], by=by, request_id=sent)
        assert again.repeated


def test_tournament_that_is_played_online_stays_here():
    night = Night.at(0, online={"pace": PACE, "days": 7})
    with pytest.raises(FileError) as refused:
        saved(night)
    assert refused.value.code == "played-online"


def _changed(data: bytes, change: Any) -> bytes:
    found = json.loads(data)
    change(found)
    return json.dumps(found).encode()


def test_cut_or_altered_file_is_refused():
    night = in_round_three()
    data = saved(night)
    events = json.loads(data)["events"]
    scores = next(place for place, each in enumerate(events) if each["kind"] == "deal.entered")
    broken = [
        data[:-30],
        data[: len(data) // 2],
        _changed(data, lambda file: file["events"].pop()),
        _changed(data, lambda file: file["events"].pop(3)),
        _changed(data, lambda file: file["events"][scores]["data"]["scores"].reverse()),
        _changed(data, lambda file: file["head"]["people"][0].update(last_name="Other")),
        _changed(data, lambda file: file.update(chain="0" * 64)),
        _changed(data, lambda file: file.update(events={})),
    ]
    for each in broken:
        with pytest.raises(FileError) as refused:
            files.read(each)
        assert refused.value.code == "file-damaged"


@pytest.mark.parametrize("data", [b"", b"\x00\xff", b"[]", b"{}", b'{"format":"troccas-draw"}', b"[" * 100_000])
def test_file_of_something_else_is_refused(data):
    with pytest.raises(FileError) as refused:
        files.read(data)
    assert refused.value.code == "no-evening"


@pytest.mark.parametrize(
    "change",
    [
        lambda head: head["tournament"].update(draw_secret="00"),
        lambda head: head["tournament"].update(draw_secret="00" * 32),
        lambda head: head["tournament"].update(name="x" * 500),
        lambda head: head["tournament"].update(entry="nobody-knows"),
        lambda head: head["tournament"].update(starts="yesterday"),
        lambda head: head["tournament"].pop("id"),
        lambda head: head["people"][0].update(kind="king"),
        lambda head: head["people"][0].update(id="not a slug!"),
        lambda head: head["house_rules"].update(data={"rounds": "many"}) if head["house_rules"] else head.clear(),
        lambda head: head["club"].update(keeps_months=-1),
        lambda head: head.pop("club"),
    ],
)
@pytest.mark.slow(but="<lambda>1")
def test_head_that_makes_no_sense_is_refused_though_its_chain_is_right(change):
    night = in_round_three()
    whole = files.read(saved(night))
    head = json.loads(json.dumps(whole.head.data))
    change(head)
    data = files.write(head, whole.events)
    with another_computer() as by, pytest.raises(FileError):
        services.open_evening(files.read(data), by)
    with another_computer():
        assert not Tournament.objects.exists()


def test_log_that_cannot_have_happened_is_refused_though_its_chain_is_right():
    night = in_round_three()
    whole = files.read(saved(night))
    events = [each for each in whole.events if each.event.kind != "round.published"]
    numbered = json.loads(files.write(whole.head.data, events))["events"]
    for place, each in enumerate(numbered, 1):
        each["number"] = place
    rows = [files._event_of(Given(each), number) for number, each in enumerate(numbered, 1)]
    data = files.write(whole.head.data, rows)
    with another_computer() as by, pytest.raises(FileError) as refused:
        services.open_evening(files.read(data), by)
    assert refused.value.code == "file-impossible"


@pytest.mark.parametrize("plan", [5, {"rules": 5}, {"rules": {"rounds": "many"}}, {"rules": {}, "odd": [None]}])
def test_plan_that_makes_no_sense_is_refused_with_a_reason(plan: Any):
    night = Night.at(4)
    whole = files.read(saved(night))
    first = whole.events[0]
    event = Event(1, first.event.at, "tournament.planned", {"plan": plan}, first.event.by)
    data = files.write(whole.head.data, [LoggedEvent(event, first.request_id, first.digest), *whole.events[1:]])
    with another_computer() as by, pytest.raises(FileError) as refused:
        services.open_evening(files.read(data), by)
    assert refused.value.code == "file-impossible"


def test_file_holds_no_addresses_and_no_years_of_birth():
    night = in_round_three()
    Member.objects.filter(pk=night.people[0].pk).update(email="secret@example.org", birth_year=1951)
    data = saved(night)
    assert b"secret@example.org" not in data
    assert b"birth" not in data
