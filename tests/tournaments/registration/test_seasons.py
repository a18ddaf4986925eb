"""Choosing for which seasons a tournament counts."""

from __future__ import annotations

import uuid
from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from clubs.evenings import Evening
from clubs.models import Club, ClubEvent, HouseRulesVersion, Member, Season
from domain.standings.profile import HouseRules, to_plain
from domain.standings.season import SeasonRules, season
from tests.tournaments.services.kit import Night, member_player
from tournaments.club_evenings import past_evening
from tournaments.models import SeasonEvening, Tournament

pytestmark = pytest.mark.django_db


def choose(client: Client, night: Night, *seasons: Season, request_id: str = "") -> int:
    data = {"season": [each.public_id for each in seasons], "request_id": request_id or str(uuid.uuid4())}
    return client.post(f"/e/{night.tournament.public_id}/settings/seasons/", data).status_code


def counted(night: Night) -> set[str]:
    return set(SeasonEvening.objects.filter(tournament=night.tournament).values_list("season__name", flat=True))


@pytest.fixture
def night(client: Client) -> Night:
    """A tournament, its president signed in."""
    made = Night.at()
    client.force_login(made.director.user)
    return made


def test_seasons_are_chosen_and_taken_back(client: Client, night: Night):
    one, two = (Season.objects.create(club=night.club, name=name) for name in ("2026", "2027"))
    assert choose(client, night, one, two) == 303
    assert counted(night) == {"2026", "2027"}
    choose(client, night, two)
    assert counted(night) == {"2027"}
    assert ClubEvent.objects.filter(what="season.evenings").count() == 2


def test_the_same_request_is_done_once(client: Client, night: Night):
    one = Season.objects.create(club=night.club, name="2026")
    request_id = str(uuid.uuid4())
    choose(client, night, one, request_id=request_id)
    choose(client, night, one, request_id=request_id)
    assert ClubEvent.objects.filter(what="season.evenings").count() == 1


def test_a_season_of_another_club_counts_only_through_somebody_who_keeps_it(client: Client, night: Night):
    other = Club.objects.create(slug="other", name="Other")
    season = Season.objects.create(club=other, name="Surselva")
    assert choose(client, night, season) == 403
    Member.objects.create(club=other, player=night.director, first_name="Dora", role=Member.Role.SECRETARY)
    assert choose(client, night, season) == 303
    assert counted(night) == {"Surselva"}


def test_a_season_that_is_final_stays_as_it_is(client: Client, night: Night):
    ended = Season.objects.create(club=night.club, name="2025", ended_at=timezone.now())
    assert choose(client, night, ended) == 409
    SeasonEvening.objects.create(season=ended, tournament=night.tournament)
    assert choose(client, night) == 409
    assert counted(night) == {"2025"}


def test_a_director_does_not_choose_seasons(night: Night):
    player = member_player("Mengia")
    Member.objects.create(club=night.club, player=player, first_name="Mengia", role=Member.Role.DIRECTOR)
    client = Client()
    client.force_login(player.user)
    season = Season.objects.create(club=night.club, name="2026")
    assert choose(client, night, season) == 403
    assert choose(Client(), night, season) == 403
    assert counted(night) == set()


def test_without_a_season_the_settings_say_how_to_begin_one(client: Client, night: Night):
    HouseRulesVersion.objects.create(club=night.club, version=1, data=to_plain(HouseRules()))
    assert "no season yet" in client.get(f"/e/{night.tournament.public_id}/settings/").content.decode()


def test_both_of_a_pair_bring_the_points_of_its_place_into_the_season():
    night = Night.at(kind="pair", rules={"rounds": 1, "deals": 1})
    first, second = night.walk_in(pair=True), night.walk_in(pair=True)
    night.begin()
    night.draw()
    night.play("1.1.1", 50, 22)
    evening = past_evening(night.tournament, night.state)
    assert {each.entrant for each in evening.places} == {first, second}
    assert sorted(row.total for row in season([evening], SeasonRules())) == [20, 20, 25, 25]


def test_two_evenings_of_one_day_come_in_the_order_in_which_they_began(night: Night):
    later = Tournament(public_id="a", club=night.club, starts=night.tournament.starts + timedelta(hours=2))
    one, two = (past_evening(each, night.state) for each in (night.tournament, later))
    assert one.date < two.date
    assert Evening("Final", "/", two).label() == "Final (27.11.2026)"
