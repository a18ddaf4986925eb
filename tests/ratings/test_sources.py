"""What counts: who really sat there, in which ratings, and what does not."""

from __future__ import annotations

import uuid
from datetime import UTC, datetime

import pytest

from accounts import services
from accounts.models import Player
from clubs.models import Member
from domain.rating.rate import rate
from domain.rating.results import EACH, PARTNERS
from domain.seating.field import Settings
from domain.tournament.state import CONFIRMED, Line, Phase, Plan, Round, State, Table
from games.models import Deal, Game, GameHand, PlayedSeat
from games.selectors import table as game_table
from games.services import computers, ending, play, undo
from games.services.computers import computer_players
from games.statistics.selectors import Scope, variants
from ratings import sources
from ratings import sources as evenings
from ratings import sources as online
from ratings.sources import Kind, SeatedLineup, day_of, games_of, kind_of, player_id, seated
from tests.games.lobby_kit import guest, member
from tests.games.table_kit import advised, rush, seat_of, sit, submit
from tests.ratings import kit
from tournaments.models import Tournament

PAIRS = ((0, 2), (1, 3))


@pytest.mark.parametrize(
    ("ruleset", "sides", "wanted"),
    [
        ("troccas", ((0, 2), (1, 3)), Kind("troccas", PARTNERS)),
        ("troccas", ((1, 3), (2, 4)), Kind("troccas", PARTNERS)),
        ("troccas", ((0,), (1,), (2,), (3,), (4,)), Kind("troccas@5", EACH)),
        ("troccas", ((0, 1, 2), (3, 4)), None),
        ("troccas-6", ((0, 2, 4), (1, 3, 5)), Kind("troccas-6", PARTNERS)),
        ("troccas-3", ((0,), (1,), (2,)), Kind("troccas-3", EACH)),
        ("troccas-5", ((0,), (1,), (2,), (3,), (4,)), Kind("troccas-5", EACH)),
        ("troggu", ((0,), (1,), (2,)), Kind("troggu", EACH)),
        ("troggu", tuple((seat,) for seat in range(8)), Kind("troggu", EACH)),
        ("troggu", ((0, 2), (1, 3)), None),
        ("jass", ((0, 2), (1, 3)), None),
    ],
)
def test_a_name_of_ratings_has_one_kind(ruleset, sides, wanted):
    assert kind_of(ruleset, sides) == wanted


def table(*lines: tuple[int, Line], **fields) -> Table:
    return Table(
        **{
            "number": 1,
            "seats": ("e1", "e2", "e3", "e4"),
            "people": ("a", "b", "c", "d"),
            "owners": ("e1", "e2", "e3", "e4"),
            "sides": PAIRS,
            "ruleset": "troccas",
            "total": 72,
            "deals": 4,
            "lines": lines,
            "state": CONFIRMED,
        }
        | fields
    )


def state_with(*tables: Table, board_set: str = "") -> State:
    rows = {each.number: each for each in tables}
    played = Round(1, 1, status="out", tables=rows, board_set=board_set)
    return State(phases=(Phase(1, "", Plan(), Settings(), rounds=(played,)),))


def results_of(*tables: Table, online=None, board_set: str = ""):
    return evenings.of_state("t", state_with(*tables, board_set=board_set), 100, {"a": 7}, online or {})


def test_deals_of_the_same_four_are_one_result_and_accounts_are_players():
    (found,) = results_of(table((1, Line((40, 32))), (2, Line((30, 42))), (3, Line((80, 64), of=2))))
    assert (found.id, found.when, found.deals, found.board) == ("e/t/1.1.001/001", 100, 4, "")
    assert found.sides == ((("player:7", "member:c"), 150), (("member:b", "member:d"), 138))


def test_what_is_not_confirmed_extra_or_adds_up_to_something_else_does_not_count():
    assert results_of(table((1, Line((40, 32))), state="handed-in")) == []
    assert results_of(table((1, Line((40, 33))))) == []
    assert results_of(table((1, Line((40, 32), extra=True)))) == []


def test_where_the_dealer_looks_on_every_lineup_is_a_result_of_its_own():
    five = table(
        *[(deal, Line((40, 32))) for deal in range(1, 6)],
        seats=("e1", "e2", "e3", "e4", "e5"),
        people=("a", "b", "c", "d", "e"),
        owners=("e1", "e2", "e3", "e4", "e5"),
        sides=tuple((place,) for place in range(5)),
        in_turn="dealer",
    )
    found = results_of(five)
    assert [(each.ruleset, each.kind, each.deals) for each in found] == [("troccas", PARTNERS, 1)] * 5
    assert found[0].sides == ((("member:b", "member:d"), 40), (("member:c", "member:e"), 32))
    assert all(sum(who in each.players for each in found) == 4 for who in ("player:7", "member:b", "member:e"))


def test_a_table_of_five_each_alone_has_ratings_of_its_own():
    five = table(
        (1, Line((10, 20, 30, 5, 7))),
        people=("a", "b", "c", "d", "e"),
        sides=tuple((place,) for place in range(5)),
        total=None,
    )
    (found,) = results_of(five)
    assert (found.ruleset, found.kind) == ("troccas@5", EACH)


def test_of_a_table_on_this_site_they_count_who_played_with_the_lines_of_the_director():
    online = {"g1": {1: SeatedLineup(("player:1", "computer:level-1 Toni", "player:3", "player:4"), 120, False)}}
    online["g1"][2] = SeatedLineup((), 0, False)
    there = table((1, Line((50, 22))), (2, Line((10, 62))), (3, Line((40, 32))), game="g1")
    first, second = results_of(there, online=online)
    assert first.sides == ((("player:1", "player:3"), 50), (("computer:level-1 Toni", "player:4"), 22))
    assert (first.when, first.deals) == (120, 1)
    # The third deal was written by the director only: then those count who were to sit there.
    assert second.sides == ((("player:7", "member:c"), 40), (("member:b", "member:d"), 32))


def test_shared_deals_are_results_with_the_first_side_holding_the_same_cards():
    seats = {deal: SeatedLineup(("player:1", "player:2", "player:3", "player:4"), 120, True) for deal in (1, 2)}
    other = {deal: SeatedLineup(("player:5", "player:6", "player:8", "player:9"), 121, True) for deal in (1, 2)}
    one = table((1, Line((50, 22))), (2, Line((30, 42))), game="g1", turn=0)
    two = table((1, Line((20, 52))), (2, Line((40, 32))), game="g2", turn=1, number=2)
    found = {each.id: each for each in results_of(one, two, online={"g1": seats, "g2": other}, board_set="set")}
    assert [each.board for each in found.values()] == ["t/1.1/1", "t/1.1/2"] * 2
    # In the first deal of table 1 place 0 deals, of table 2 place 1: its side held the dealer's cards.
    assert found["e/t/1.1.001/001"].sides[0] == (("player:1", "player:3"), 50)
    assert found["e/t/1.1.002/001"].sides[0] == (("player:6", "player:9"), 52)
    assert found["e/t/1.1.001/002"].sides[0] == (("player:2", "player:4"), 42)
    pool = rate(found.values())["troccas"]
    assert pool.players["player:1"].mean < 0.05  # 50 against 52 of the same cards is nothing to be proud of


def four(*names: str) -> list[Player]:
    return [member(name) for name in names or ("Anna", "Beat", "Clau", "Duri")]


@pytest.mark.django_db
def test_hands_among_people_count_with_card_points():
    people = four()
    game = kit.stored_game(people, 1)
    (found,) = sources.results()
    hand = GameHand.objects.get(game=game)
    ids = [player_id(each.pk) for each in people]
    assert found.sides == (((ids[0], ids[2]), hand.points[0]), ((ids[1], ids[3]), hand.points[1]))
    assert found.when == day_of(kit.STARTS) + 1
    assert found.deals == 1


@pytest.mark.django_db
def test_troggu_counts_in_rappen_for_the_usual_stake():
    people = four()
    game = kit.stored_game(people, 1, "troggu", stake=50)
    (found,) = sources.results()
    scores = GameHand.objects.get(game=game).scores
    assert any(scores)
    assert [points for _who, points in found.sides] == [score // 5 for score in scores]
    assert found.kind == EACH


@pytest.mark.django_db
def test_a_hand_with_a_computer_player_or_with_two_at_one_seat_does_not_count():
    first = kit.stored_game(four(), 1)
    PlayedSeat.objects.filter(hand__game=first).update(people_only=False)
    assert sources.results() == []
    second = kit.stored_game(four("Ella", "Flurin", "Gion", "Ursin"), 2)
    assert len(sources.results()) == 1
    PlayedSeat.objects.filter(hand__game=second, seat=1).update(shared=True)
    assert sources.results() == []


@pytest.mark.django_db
def test_who_sat_at_two_places_under_two_names_does_not_count():
    visitor, anna = guest(), member()
    kit.stored_game([visitor, *four("Beat", "Clau")[:2], anna], 1)
    assert len(sources.results()) == 1
    services.claim(visitor, anna)
    assert sources.results() == []


@pytest.mark.django_db
def test_what_somebody_played_as_a_guest_is_the_members():
    visitor, anna = guest(), member()
    kit.stored_game([visitor, *four("Beat", "Clau", "Duri")[:3]], 1)
    services.claim(visitor, anna)
    (found,) = sources.results()
    assert player_id(anna.pk) in found.players


@pytest.mark.django_db
def test_a_sealed_deal_counts_when_it_is_open_and_then_among_the_other_tables():
    game = kit.stored_game(four(), 1)
    other = kit.stored_game(four("Ella", "Flurin", "Gion", "Ursin"), 1)
    Deal.objects.filter(table__in=(game.public_id, other.public_id)).update(origin=Deal.Origin.SHARED, table="set")
    assert sources.results() == []
    Deal.objects.update(opened_at=datetime.now(UTC))
    first, second = sources.results()
    assert first.board == second.board == "set/1"
    hand = GameHand.objects.get(game=game)
    dealer = hand.dealer % 2
    assert first.sides[0][1] == hand.points[dealer]


@pytest.mark.django_db
@pytest.mark.parametrize("kind", [Game.Kind.PRACTICE, Game.Kind.GUIDED])
def test_practice_and_lessons_do_not_count(kind):
    game = kit.stored_game(four(), 1)
    Game.objects.filter(pk=game.pk).update(kind=kind)
    assert sources.results() == []


@pytest.mark.django_db
def test_a_game_of_a_tournaments_table_counts_there_only_and_from_its_rows():
    people = four()
    game = kit.stored_game(people, 1)
    known = seated({game.public_id})
    ids = tuple(player_id(each.pk) for each in people)
    assert known == {game.public_id: {1: SeatedLineup(ids, day_of(kit.STARTS) + 1, False)}}
    PlayedSeat.objects.filter(seat=0).update(player=computers.stand_in())
    assert seated({game.public_id})[game.public_id][1].people[0] == "computer:beginner "
    PlayedSeat.objects.filter(seat=0).update(shared=True)
    assert seated({game.public_id})[game.public_id][1].people == ()
    there = state_with(table((1, Line((40, 32))), game=game.public_id))
    assert games_of(there) == {game.public_id}
    PlayedSeat.objects.update(shared=False)
    PlayedSeat.objects.filter(seat=0).update(player=people[0])
    assert len(list(online.of_games())) == 1
    assert list(online.of_games(without={game.public_id})) == []


@pytest.mark.django_db
def test_one_person_in_two_clubs_is_one_player_and_slips_of_the_calendar_move_nothing():
    night = kit.first_evening(4, rules={"rounds": 1, "deals": 2})
    (ada,) = kit.people(night, "Ada")
    night.begin()
    night.draw()
    kit.play_round(night, "1.1", 4)
    Tournament.objects.update(starts=datetime(2099, 1, 1, tzinfo=UTC))
    (found,) = sources.results()
    assert player_id(ada.pk) in found.players
    assert found.when <= day_of(datetime.now(UTC))
    Member.objects.filter(player=ada).update(player=None)
    (found,) = sources.results()
    assert player_id(ada.pk) not in found.players
    Tournament.objects.update(status=Tournament.Status.CANCELLED)
    assert sources.results() == []


@pytest.mark.django_db
def test_reading_costs_a_few_queries_however_many_there_are(django_assert_num_queries):
    for number in range(6):
        names = [f"{uuid.uuid4().hex[:8]} {seat}" for seat in range(4)]
        kit.stored_game(four(*names), number)
    with django_assert_num_queries(3):
        assert len(sources.results()) == 6


@pytest.mark.django_db
def test_a_game_that_its_people_ended_without_the_score_counts_nowhere():
    people = four()
    kept, dropped = kit.stored_game(people, 1, hands=2), kit.stored_game(people, 2, hands=2)
    assert len(sources.results()) == 2
    for game, counts in ((kept, True), (dropped, False)):
        own = list(game.seats.select_related("player").order_by("number"))
        ending.propose(game.pk, 0, counts=counts, request_id=uuid.uuid4(), by=own[0].player)
        for seat in own[1:]:
            ending.answer(game.pk, seat.number, agree=True, request_id=uuid.uuid4(), by=seat.player)
    dropped.refresh_from_db()
    assert dropped.status == Game.Status.ENDED
    assert len(sources.results()) == 1
    for player in people:
        assert sum(result.points.hands for result in variants(player, Scope()).values()) == 1


@pytest.mark.django_db
def test_what_one_person_tried_in_more_than_one_way_counts_nowhere():
    player = member("Anna")
    game = play.start("troccas", [player, *computer_players(3)], options={"hands": 1, "throw_in": False})
    sit(game, player)
    rush(game, until=lambda hand: hand.turn == seat_of(game, player) and len(hand.tricks) > 1)
    submit(game, player, advised(game, player))
    found = game_table.sight_of(Game.objects.get(pk=game.pk), player).undo
    assert found is not None
    undo.propose(game.pk, seat_of(game, player), found.move, request_id=uuid.uuid4(), by=player)
    rush(game)
    assert game.status == Game.Status.FINISHED
    assert sources.results() == []
    assert variants(player, Scope()) == {}
