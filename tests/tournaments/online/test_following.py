"""What stays true around online rounds: projections made anew, seasons of both kinds, clubs that close, accounts that go."""

from __future__ import annotations

import uuid
from datetime import timedelta

import pytest
from django.core.management import call_command

from accounts import privacy
from clubs.models import Club, Season
from domain.tournament.scoring import ranking
from domain.tournament.state import CONFIRMED
from games.models import Game
from games.services.rebuilding import rebuild as rebuild_game
from tests.tournaments.online.kit import PASSING, League
from tests.tournaments.services.kit import Night
from tournaments import club_evenings
from tournaments import permissions as tournaments_permissions
from tournaments.club_evenings import past_evening
from tournaments.models import OnlineRound, OnlineTable, SeasonEvening, Tournament, TournamentEvent
from tournaments.online import tasks
from tournaments.services import log
from tournaments.services.log import rebuild

pytestmark = pytest.mark.django_db


def rows() -> list[object]:
    """What is kept for the worker."""
    tables = OnlineTable.objects.order_by("key").values_list(
        "key", "game", "board_set", "deadline_at", "begun_at", "reported_at", "late", "late_at"
    )
    rounds = OnlineRound.objects.order_by("key").values_list("key", "published_at", "deadline_at", "remind_at")
    return [*tables, *rounds]


def test_projections_are_made_anew_from_the_log():
    found = League.of(8, rules=PASSING | {"deals": 1}, online={"days": 1, "duplicate": True})
    found.round()
    found.asked("1.1.2")
    found.run(found.deadline("1.1"))
    found.play_out("1.1.1")
    found.play_out("1.1.2")
    found.look()
    before = rows()
    assert rebuild(found.tournament.pk) == []
    assert rows() == before
    OnlineTable.objects.all().delete()
    OnlineRound.objects.all().delete()
    assert rebuild(found.tournament.pk) == ["online tables"]
    assert [row for row in rows() if len(row) == 8] == [row for row in before if len(row) == 8]
    call_command("rebuild_tournaments")


def test_a_game_that_was_called_off_is_made_anew_from_its_log():
    found = League.of(4, rules=PASSING | {"overdue": "forfeit"}, online={"days": 1})
    found.round()
    found.asked("1.1.1")
    found.run(found.deadline("1.1"))
    game = found.game("1.1.1")
    assert game.status == Game.Status.EXPIRED
    assert rebuild_game(game.pk) == []


def test_a_season_counts_evenings_and_online_rounds_together_without_computer_players():
    online = League.of(7, rules=PASSING | {"deals": 1, "rounds": 1})
    online.round()
    assert sum(each.house for each in online.state.entrants.values()) == 1
    for number in online.at_key("1.1").tables:
        lines = [{"deal": 1, "scores": [30, -10, -10, -10]}]
        online.do("table.settled", table=f"1.1.{number}", lines=lines, reason="for the test")
    online.do("tournament.closed", despite="for the test")
    evening = Tournament.objects.create(club=online.club, name="In sala", starts=online.now)
    hall = Night(online.club, evening, online.director, list(online.people))
    hall.do("tournament.planned", plan={"rules": {"rounds": 1, "deals": 1}, "odd": []}, fee=0)
    hall.do("tournament.opened", commitment="0" * 64)
    for person in online.people[:4]:
        hall.do("entrant.added", members=[person.public_id], here=True)
    hall.begin()
    hall.draw()
    hall.play_round("1.1")
    hall.do("tournament.closed", despite="for the test")
    season = Season.objects.create(club=online.club, name="2026/27", rules={})
    for each in (online.tournament, evening):
        SeasonEvening.objects.create(season=season, tournament=each)
    both = club_evenings.of_season(season)
    people = {person.public_id for person in online.people}
    by_id = {each.past.id: {place.person for place in each.past.places} for each in both}
    assert by_id[online.tournament.public_id] == people
    assert by_id[evening.public_id] == {person.public_id for person in online.people[:4]}
    online.tournament.refresh_from_db()
    ranks = sorted(place.rank for place in past_evening(online.tournament, online.state).places)
    assert ranks[0] == 1
    assert len(ranking(online.state)[0]) == 7


def test_when_a_club_closes_its_games_go_on_as_games():
    found = League.of(4, rules=PASSING | {"overdue": "forfeit"}, online={"days": 1})
    found.round()
    found.asked("1.1.1")
    club_evenings.closing(Club.objects.get(pk=found.club.pk))
    assert found.state.closed
    ends = found.deadline("1.1")
    found.run(ends + timedelta(hours=1))
    game = found.game("1.1.1")
    assert game.status == Game.Status.PLAYING
    found.play_out("1.1.1")
    found.look()
    assert found.table("1.1.1").state != CONFIRMED


def test_an_account_that_goes_leaves_a_table_that_plays_on():
    found = League.of(4, rules=PASSING | {"deals": 1}, online={"days": 1})
    found.round()
    entrant = found.asked("1.1.1")
    player = found.player(found.state.entrants[entrant].members[0])
    assert player.user is not None
    privacy.erase(player.user)
    found.look(timedelta(minutes=1))
    game = found.game("1.1.1")
    assert game.status == Game.Status.PLAYING
    found.play_out("1.1.1")
    found.look()
    assert found.table("1.1.1").state == CONFIRMED


def test_where_nothing_is_due_a_look_costs_two_queries(django_assert_num_queries):
    found = League.of(4, rules=PASSING)
    found.round()
    with django_assert_num_queries(2):
        tasks.do_due(found.now)


def test_what_fails_in_one_tournament_does_not_stop_another(caplog: pytest.LogCaptureFixture):
    found = League.of(4, rules=PASSING)
    found.round(begun=False)
    broken = Tournament.objects.create(club=found.club, name="Auter", starts=found.now, status="running", number=1)
    TournamentEvent.objects.create(tournament=broken, number=1, kind="nonsense", by="nobody")
    early = found.now - timedelta(days=1)
    OnlineRound.objects.create(tournament=broken, key="1.1", published_at=early, deadline_at=found.now, due_at=early)
    found.look()
    assert "could not look after online round" in caplog.text
    assert found.table("1.1.1").game


def test_a_repeated_publication_is_answered_as_the_first_one():
    found = League.of(4, rules=PASSING)
    found.round(out=False, begun=False)
    asked = {"round": "1.1", "deadline": "2027-01-01T12:00:00+01:00"}
    request = uuid.uuid4()
    by = tournaments_permissions.director(found.director)
    first = log.act(found.tournament.pk, [("round.published", dict(asked))], by=by, request_id=request)
    again = log.act(found.tournament.pk, [("round.published", dict(asked))], by=by, request_id=request)
    assert again.repeated
    assert again.events == first.events
