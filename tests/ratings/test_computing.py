"""From what was played at a club and on this site to the ratings that are stored, worked out a second time."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from django.core.management import call_command

from accounts.models import Player
from clubs.models import Member
from domain.rating.fitting import prior
from domain.rating.results import PARTNERS, Result
from games.models import Game, GameHand, Seat
from ratings import privacy, services, sources
from ratings import services as ratings_services
from ratings.models import PairRating, PlayerRating, RatedPerson, RatingLuck, RatingPool, RatingRun
from ratings.sources import player_id
from tests.domain.rating.kit import Bayes
from tests.ratings import kit
from tests.tournaments.services.kit import Night
from tournaments.models import Tournament, TournamentEvent

pytestmark = pytest.mark.django_db


def stored() -> dict[str, tuple[float, float, int]]:
    """Everybody's name with mean, variance and deals."""
    rows = PlayerRating.objects.select_related("person__player")
    return {row.person.player.name: (row.mean, row.variance, row.deals) for row in rows}


def second_reading() -> list[Result]:
    """All results of Troccas among four, from the rows of the logs themselves, without what the product reads them with:
    who sat where by the published draws, points by what was written last."""
    found = []
    accounts = {entry.public_id: entry.player for entry in Member.objects.select_related("player")}
    for tournament in Tournament.objects.all():
        day = (tournament.starts.date() - datetime(1970, 1, 1, tzinfo=UTC).date()).days
        written: dict[str, dict[int, list[int]]] = {}
        confirmed = set()
        for event in tournament.events.order_by("number"):
            if event.kind == "deal.entered":
                written.setdefault(event.data["table"], {})[event.data["deal"]] = event.data["scores"]
            elif event.kind == "table.settled":
                lines = {line["deal"]: line["scores"] for line in event.data["lines"]}
                written[event.data["table"]] = lines
                confirmed.add(event.data["table"])
            elif event.kind == "table.confirmed":
                confirmed.add(event.data["table"])
        state = Night(tournament.club, tournament, tournament.created_by).state
        for key in sorted(confirmed):
            table = state.table(key)
            who = [player_id(accounts[person].pk) if accounts[person] else f"?{person}" for person in table.people]
            first, second = (sum(scores[side] for scores in written[key].values()) for side in (0, 1))
            sides = (((who[0], who[2]), first), ((who[1], who[3]), second))
            found.append(Result(f"{tournament.pk}-{key}", day, "troccas", PARTNERS, len(written[key]), sides))
    for game in Game.objects.all():
        seats = [player_id(seat.player_id) for seat in Seat.objects.filter(game=game).order_by("number")]
        hands = list(GameHand.objects.filter(game=game, status=GameHand.Status.PLAYED))
        day = (kit.STARTS.date() - datetime(1970, 1, 1, tzinfo=UTC).date()).days + 1
        totals = [sum(hand.points[side] for hand in hands) for side in (0, 1)]
        sides = (((seats[0], seats[2]), totals[0]), ((seats[1], seats[3]), totals[1]))
        found.append(Result(f"game {game.pk}", day, "troccas", PARTNERS, len(hands), sides))
    return sorted(found, key=lambda each: each.when)


@pytest.fixture
def played() -> Night:
    """Three rounds of an evening of eight, six of whom have accounts, and two games on this site among them."""
    night = kit.first_evening(8, rules={"rounds": 3, "deals": 4})
    kit.people(night, *kit.NAMES[:6])
    night.begin()
    for number, margins in enumerate([(12, -4), (2, 8), (-6, 10)], 1):
        night.draw()
        kit.play_round(night, f"1.{number}", *margins)
    four = [Player.objects.get(name=name) for name in kit.NAMES[:4]]
    kit.stored_game(four, 1)
    kit.stored_game([four[0], four[2], four[1], four[3]], 4)
    return night


@pytest.mark.slow
def test_the_stored_ratings_are_those_of_a_second_computation_from_the_rows(played: Night):
    everybody = [Player.objects.get(name=name) for name in kit.NAMES[:6]]
    kit.online(everybody[2:])
    kit.shown(*everybody)
    log = second_reading()
    assert sum(each.deals for each in log) == 2 * 3 * 4 + 3
    model = prior("troccas")
    second = Bayes(log, model)
    first = stored()
    assert set(first) == set(kit.NAMES[:6])
    for player in everybody:
        mean, variance = second.of(player_id(player.pk))
        assert first[player.name][0] == pytest.approx(mean, abs=1e-6)
        assert first[player.name][1] == pytest.approx(variance, rel=1e-6)
        deals = sum(each.deals for each in log if player_id(player.pk) in each.players)
        assert first[player.name][2] == deals
    for pair in PairRating.objects.select_related("one", "other"):
        mean, variance = second.of(player_id(pair.one.player_id), player_id(pair.other.player_id))
        assert pair.mean == pytest.approx(mean, abs=1e-6)
        assert pair.variance == pytest.approx(variance, rel=1e-6)
    together = {
        frozenset(two)
        for each in log
        for side, _points in each.sides
        for two in [side]
        if all(who.startswith("player:") for who in two)
    }
    assert PairRating.objects.count() == len(together)


@pytest.mark.slow
def test_the_same_logs_give_the_same_ratings(played: Night):
    kit.shown(*[Player.objects.get(name=name) for name in kit.NAMES[:6]])
    first = stored()
    assert services.run().changes == ()
    assert stored() == first
    RatingPool.objects.all().delete()
    RatingLuck.objects.all().delete()
    RatingRun.objects.all().delete()
    services.run()
    assert stored() == first


@pytest.mark.slow
def test_a_corrected_result_corrects_the_ratings_and_the_command_says_so(played: Night, capsys):
    ada = Player.objects.get(name="Ada")
    (row,) = kit.shown(ada)
    before = stored()["Ada"]
    state = played.state
    entry = next(person for person in played.people if person.__class__.objects.get(pk=person.pk).player == ada)
    table = next(each for each in state.phases[0].rounds[0].tables.values() if entry.public_id in each.people)
    side = next(at for at, places in enumerate(table.sides) if table.people.index(entry.public_id) in places)
    # Little enough that no result is so far out that the product takes it as less: `Bayes` knows no such bound.
    better = {deal: line.scores[side] + 4 for deal, line in table.lines}
    lines = [
        {"deal": deal, "scores": [own, 72 - own] if side == 0 else [72 - own, own]} for deal, own in better.items()
    ]
    played.do("table.settled", table=f"1.1.{table.number}", lines=lines, reason="The slip says otherwise.")
    call_command("rate")
    told = capsys.readouterr().out
    assert f"troccas: {row.public_id} " in told
    assert "1 changes" in told
    after = stored()["Ada"]
    assert after[0] > before[0]
    second = Bayes(second_reading(), prior("troccas"))
    assert after[0] == pytest.approx(second.of(player_id(ada.pk))[0], abs=1e-6)


@pytest.mark.slow
def test_nothing_is_stored_of_anybody_who_has_not_asked(played: Night):
    services.run()
    assert RatingPool.objects.get().people == 8
    assert not PlayerRating.objects.exists()
    assert not PairRating.objects.exists()
    kit.shown(Player.objects.get(name="Ada"))
    assert [row.person.player.name for row in PlayerRating.objects.all()] == ["Ada"]
    assert not PairRating.objects.exists()


def test_who_hides_is_gone_at_once_also_as_the_partner_of_others():
    night = kit.first_evening(0, kind="pair", odd=["bye"], rules={"rounds": 1, "deals": 4})
    for _pair in range(2):
        night.walk_in(pair=True)
    ada, beat, clau = kit.people(night, "Ada", "Beat", "Clau")
    night.begin()
    night.draw()
    kit.play_round(night, "1.1", 8)
    kit.shown(ada, beat, clau)
    row = PlayerRating.objects.get(person__player=ada)
    assert row.inseparable == {"people": [RatedPerson.objects.get(player=beat).pk], "others": 0}
    assert PlayerRating.objects.get(person__player=clau).inseparable == {"people": [], "others": 1}
    assert PairRating.objects.get().inseparable
    privacy.hide(beat)
    assert sorted(stored()) == ["Ada", "Clau"]
    assert not PairRating.objects.exists()
    row.refresh_from_db()
    assert row.inseparable == {"people": [], "others": 1}
    assert not RatedPerson.objects.filter(player=beat).exists()


@pytest.mark.slow
def test_luck_is_kept_for_the_year_and_estimated_from_earlier_years(played: Night):
    services.run()
    luck = RatingLuck.objects.get()
    assert (luck.ruleset, luck.year, luck.results) == ("troccas", 2025, 0)
    later = kit.evening(played, 365)
    kit.play_round(later, "1.1", 4, 6)
    TournamentEvent.objects.filter(tournament=later.tournament).update(at=kit.STARTS + timedelta(days=365))
    services.run()
    rows = {row.year: row for row in RatingLuck.objects.all()}
    assert set(rows) == {2025, 2026}
    before = [each for each in sources.results() if not each.id.startswith(f"e/{later.tournament.public_id}")]
    assert rows[2026].results == len(before)
    assert RatingPool.objects.get().model == rows[2026].data
    kept = rows[2026].data
    entry = later.state.table("1.1.1")
    lines = [{"deal": deal, "scores": [72, 0]} for deal in range(1, entry.deals + 1)]
    played.do("table.settled", table="1.1.1", lines=lines, reason="Only to see.")
    services.run()
    assert RatingPool.objects.get().model == kept
    call_command("rate", luck=True)
    assert RatingPool.objects.get().model != kept


@pytest.mark.slow
def test_the_worker_computes_when_something_ended_and_not_again(played: Night):
    now = datetime.now(UTC)
    assert ratings_services.is_due(now)
    ratings_services.compute_if_due(now)
    first = RatingRun.objects.get().at
    ratings_services.compute_if_due(datetime.now(UTC))
    assert RatingRun.objects.get().at == first
    assert first is not None
    assert ratings_services.is_due(first + timedelta(days=1))
    privacy.show_player(Player.objects.get(name="Ada"))
    assert ratings_services.is_due(datetime.now(UTC))
    ratings_services.compute_if_due(datetime.now(UTC))
    assert sorted(stored()) == ["Ada"]
    kit.evening(played, 7)
    assert ratings_services.is_due(datetime.now(UTC))


def test_where_nothing_was_ever_played_there_is_nothing_to_do():
    assert not ratings_services.is_due(datetime.now(UTC))
    assert services.run().results == 0
    assert not RatingPool.objects.exists()


@pytest.mark.slow
def test_a_run_costs_few_queries_however_many_games_there_are(played: Night, django_assert_max_num_queries):
    kit.shown(*[Player.objects.get(name=name) for name in kit.NAMES[:6]])
    with django_assert_max_num_queries(40):
        services.run()
