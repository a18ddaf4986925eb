"""What the club's room and accounts hear of tournaments; what a draw remembers of the season."""

from __future__ import annotations

import uuid
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from accounts import registry
from accounts.models import User
from accounts.privacy import erase
from clubs import evenings as room
from clubs.models import Club, Member, Season
from clubs.services import calendar, retention
from tests.clubs import kit as clubs_kit
from tests.tournaments.services.kit import STARTS, Night, member_player
from tournaments import club_evenings, privacy, selectors
from tournaments import permissions as tournaments_permissions
from tournaments.models import Participation, SeasonEvening, Tournament
from tournaments.services import log
from tournaments.services.log import evenings_before

pytestmark = pytest.mark.django_db


def evening(night: Night, weeks: int, people: list[Member]) -> Night:
    """An earlier evening of the same club with these people, one round of it played."""
    tournament = Tournament.objects.create(
        club=night.club, name=f"{weeks} weeks before", starts=STARTS - timedelta(weeks=weeks)
    )
    other = Night(night.club, tournament, night.director)
    other.do("tournament.planned", plan={"rules": {"rounds": 1, "deals": 2}})
    other.do("tournament.opened", commitment="0" * 64)
    for person in people:
        other.do("entrant.added", members=[person.public_id], here=True)
    other.begin()
    other.draw()
    other.play_round("1.1")
    return other


def close(night: Night) -> None:
    night.do("tournament.closed", despite="it was a test")


def test_tournaments_speak_to_the_club_and_to_accounts():
    assert room.source() is club_evenings
    assert privacy in registry.belongings


def test_public_tournaments_stand_in_the_clubs_calendar():
    night = Night.at()
    Tournament.objects.create(club=night.club, name="Only for us", starts=STARTS, is_public=False)
    (entry,) = [each for each in calendar.entries(night.club) if each.tournament]
    assert (entry.title, entry.url, entry.cancelled) == (
        "Sera da troccas",
        f"/e/{night.tournament.public_id}/",
        False,
    )


def test_a_tournament_that_was_closed_is_over_at_once():
    night = Night.at(8, rules={"rounds": 1, "deals": 2})
    Tournament.objects.update(starts=timezone.now())
    assert len(calendar.upcoming(calendar.entries(night.club))) == 1
    night.begin()
    night.draw()
    night.play_round("1.1")
    night.do("tournament.closed", despite="the lots are left out")
    assert calendar.upcoming(calendar.entries(night.club)) == []
    assert len(calendar.past(calendar.entries(night.club))) == 1


def test_only_evenings_that_are_over_count_for_a_season():
    night = Night.at(8, rules={"rounds": 1, "deals": 2})
    season = Season.objects.create(club=night.club, name="2026/27")
    SeasonEvening.objects.create(season=season, tournament=night.tournament)
    night.begin()
    night.draw()
    night.play_round("1.1")
    assert club_evenings.of_season(season) == []
    close(night)
    (found,) = club_evenings.of_season(season)
    assert found.past.date == "2026-11-27T19:30"
    assert {place.person for place in found.past.places} == {person.public_id for person in night.people}
    assert min(place.rank for place in found.past.places) == 1


def test_a_pairs_place_in_the_season_is_that_of_both():
    night = Night.at(kind="pair", odd=["bye"], rules={"rounds": 1, "deals": 2})
    for _pair in range(2):
        night.walk_in(pair=True)
    season = Season.objects.create(club=night.club, name="2026/27")
    SeasonEvening.objects.create(season=season, tournament=night.tournament)
    night.begin()
    night.draw()
    night.play_round("1.1")
    close(night)
    (found,) = club_evenings.of_season(season)
    assert sorted(place.rank for place in found.past.places) == [1, 1, 2, 2]


def test_a_season_of_many_evenings_costs_two_queries_however_cold():
    night = Night.at(8)
    season = Season.objects.create(club=night.club, name="2026/27")
    for weeks in (1, 2, 3):
        other = evening(night, weeks, night.people)
        close(other)
        SeasonEvening.objects.create(season=season, tournament=other.tournament)
    selectors._kept.clear()
    with CaptureQueriesContext(connection) as queries:
        assert len(club_evenings.of_season(season)) == 3
    assert len(queries) == 2


def test_who_takes_part_cannot_be_deleted_and_is_reduced_to_initials():
    night = Night.at(4)
    stays, goes = night.people[0], night.person()
    assert club_evenings.named([stays.pk, goes.pk]) == {stays.pk}
    retention.delete_or_reduce([stays, goes])
    assert not Member.objects.filter(pk=goes.pk).exists()
    stays.refresh_from_db()
    assert (stays.first_name, stays.last_name) == ("V.", "N.")


def test_the_last_evening_of_somebody_is_told():
    night = Night.at(4)
    evening(night, 3, [*night.people])
    found = club_evenings.last_seen([night.people[0].pk, night.person().pk])
    assert found == {night.people[0].pk: STARTS.date()}


def test_a_club_that_closes_ends_what_runs_and_cancels_what_has_not_begun():
    night = Night.at(8)
    night.begin()
    night.draw()
    planned = Tournament.objects.create(club=night.club, name="Next", starts=STARTS + timedelta(days=30))
    club_evenings.closing(night.club)
    night.tournament.refresh_from_db()
    planned.refresh_from_db()
    assert night.tournament.status == Tournament.Status.CLOSED
    assert (planned.status, planned.sequence) == (Tournament.Status.CANCELLED, 1)
    assert club_evenings.keeps_results(night.club)


@pytest.mark.parametrize("is_helped", [False, True])
def test_results_of_evenings_without_a_club_do_not_keep_the_name_of_whoever_held_them(is_helped):
    """Such evenings are called after their director: "Evenings of Dirigenta"."""
    night = Night.at(8)
    if is_helped:  # somebody who goes on with them
        Member.objects.create(club=night.club, player=member_player("Gida"), first_name="Gida", kind=Member.Kind.MEMBER)
    Club.objects.filter(pk=night.club.pk).update(slug="evenings-of-dirigenta", provisional=True, language="de")
    Club.objects.get(pk=night.club.pk).save()
    night.begin()
    night.draw()
    erase(User.objects.get(player=night.director))
    kept = Club.objects.get(pk=night.club.pk)
    assert (kept.closed_at is None) == is_helped
    assert (kept.name, kept.slug) == ("Abend ohne Verein", "abend-ohne-verein")


def test_of_a_club_in_which_nobody_ever_played_nothing_is_left():
    night = Night.at(4)
    club_evenings.closing(night.club)
    assert not Tournament.objects.exists()
    assert not club_evenings.keeps_results(night.club)
    night.club.delete()
    assert not Club.objects.exists()


def test_earlier_evenings_are_remembered_the_latest_the_most():
    night = Night.at(8)
    for weeks in (1, 2, 3, 4, 5):
        evening(night, weeks, night.people)
    found = evenings_before(night.tournament)
    assert [each["weight"] for each in found] == [4, 3, 2, 1, 1]
    tables: Any = found[0]["tables"]
    assert sorted(person for table in tables for person in table) == sorted(person.public_id for person in night.people)


def test_with_a_season_only_its_evenings_are_remembered():
    night = Night.at(8)
    counted, other = evening(night, 2, night.people), evening(night, 1, night.people)
    season = Season.objects.create(club=night.club, name="2026/27")
    for each in (night, counted):
        SeasonEvening.objects.create(season=season, tournament=each.tournament)
    found = evenings_before(night.tournament)
    table = counted.state.phases[0].rounds[0].tables[1]
    assert len(found) == 1
    tables: Any = found[0]["tables"]
    assert list(table.people) in tables
    assert other.tournament.pk


def test_a_phase_that_avoids_the_season_begins_with_its_memory():
    night = Night.at(8, avoid_season=True)
    before = evening(night, 1, night.people)
    night.begin()
    state = night.state
    assert [dict(each) for each in state.season] == evenings_before(night.tournament)
    night.draw()
    old = {frozenset(pair) for table in before.state.phases[0].rounds[0].tables.values() for pair in _partners(table)}
    new = {frozenset(pair) for table in night.state.phases[0].rounds[0].tables.values() for pair in _partners(table)}
    assert not old & new


def _partners(table) -> list[tuple[str, ...]]:
    return [tuple(table.people[place] for place in side) for side in table.sides]


def test_a_phase_that_does_not_care_loads_nothing():
    night = Night.at(8)
    evening(night, 1, night.people)
    night.begin()
    assert night.state.season == ()


def test_pairs_remember_whom_they_met_on_evenings_of_single_players():
    night = Night.at(kind="pair", odd=["bye"], avoid_season=True)
    for _pair in range(4):
        night.walk_in(pair=True)
    evening(night, 1, night.people)
    night.begin()
    night.draw()
    assert sum(len(table.seats) for table in night.state.phases[0].rounds[0].tables.values()) == 4


def test_a_repeated_beginning_of_a_phase_gets_its_first_answer():
    night = Night.at(8, avoid_season=True)
    evening(night, 1, night.people)
    request = uuid.uuid4()
    receipts = [
        log.act(
            night.tournament.pk,
            [("phase.started", {"name": ""})],
            by=tournaments_permissions.director(night.director),
            request_id=request,
        )
        for _time in range(2)
    ]
    assert receipts[1].repeated
    assert [event.kind for event in receipts[0].events] == ["season.loaded", "phase.started"]
    assert receipts[0].events == receipts[1].events


def test_ones_export_tells_the_evenings_one_played_and_what_one_did():
    night = Night.at(8, rules={"rounds": 1, "deals": 2})
    player = member_player("Mengia")
    Member.objects.filter(pk=night.people[0].pk).update(player=player)
    night.begin()
    night.draw()
    night.play_round("1.1")
    exported: Any = privacy.export(player)["tournaments"]
    (told,) = exported
    assert told["entrant"] == "e1"
    assert told["rank"] > 0
    assert [each["kind"] for each in told["rounds"]] == ["played"]
    done: Any = privacy.export(night.director)["done_in_tournaments"]
    assert len(done) == night.state.number


def test_who_goes_leaves_the_log_as_it_is():
    night = Night.at(4)
    before = night.state
    assert privacy.release(night.director) is False
    assert not Tournament.objects.filter(created_by=night.director).exists()
    selectors._kept.clear()
    assert night.state == before
    assert Participation.objects.count() == 4


def test_the_clubs_own_evenings_are_listed_for_a_season_with_those_that_count():
    night = Night.at(4)
    season = Season.objects.create(club=night.club, name="2026/27")
    private = Tournament.objects.create(club=night.club, name="Only for us", starts=STARTS, is_public=False)
    SeasonEvening.objects.create(season=season, tournament=private)
    assert {each.title for each in club_evenings.all_of(night.club)} == {"Sera da troccas", "Only for us"}
    assert club_evenings.counting(season) == {private.public_id}
    browser = clubs_kit.browser(night.director)
    page = browser.get(reverse("club:season", args=[night.club.slug, season.public_id])).content.decode()
    assert page.count('<span class="tag">counts for this season</span>') == 1
    assert f'counts for this season</span> <a href="/e/{private.public_id}/settings/' in page
