"""A player's own games: in which order they stand, how many wait, and that a list costs the same however long it is."""

from __future__ import annotations

import uuid
from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts import privacy, sessions
from accounts.models import Player, User
from games.models import Game
from games.mygames import selectors as mygames_selectors
from games.mygames.selectors import FinishedSearch
from games.services import agreements, play, timing
from games.services.rebuilding import rebuild
from tests.games import pace_kit, table_kit
from tests.games.plans_kit import CHANGING

pytestmark = pytest.mark.django_db


def browser_of(player: Player) -> Client:
    client = Client()
    client.cookies["guest"] = sessions.issue_guest_token(player)
    return client


def asked_seat(game: Game) -> int:
    assert game.to_act is not None
    return game.to_act


def rows(player: Player) -> list[mygames_selectors.GameLine]:
    return mygames_selectors.game_lines(mygames_selectors.open_games(player), player)


def names(player: Player) -> list[str]:
    return [line.public_id for line in rows(player)]


def waits_for(game: Game) -> set[int]:
    game.refresh_from_db()
    return {seat for seat in range(game.table_size) if game.waits_for >> seat & 1}


# of whom something is wanted


def test_a_game_waits_for_who_has_not_sat_down_then_for_who_is_asked():
    anna = table_kit.person(name="Anna")
    game = table_kit.laid(anna)
    assert waits_for(game) == {0}
    assert game.asked == "sit"
    table_kit.sit(game, anna)
    table_kit.wait(game, anna)
    assert waits_for(game) == {table_kit.seat_of(game, anna)}
    assert game.asked not in ("", "sit")


def test_a_game_in_which_a_computer_player_is_asked_waits_for_nobody():
    people = pace_kit.people(1)
    game = table_kit.laid(people[0])
    table_kit.sit(game, people[0])
    game.refresh_from_db()
    while game.to_act == table_kit.seat_of(game, people[0]):
        table_kit.submit(game, people[0], table_kit.advised(game, people[0]))
        game.refresh_from_db()
    assert game.to_act is not None
    assert waits_for(game) == set()


def test_a_game_that_is_over_waits_for_nobody():
    anna = table_kit.person()
    game = table_kit.laid(anna)
    play.resign(game.pk, 0, request_id=uuid.uuid4(), by=anna)
    assert waits_for(game) == set()
    assert game.asked == ""


def test_a_paused_game_waits_for_nobody_and_then_for_the_same_again():
    people = pace_kit.people()
    game = pace_kit.table(people)
    before = waits_for(game)
    assert before
    until = timezone.now() + timedelta(days=2)
    agreements.propose_pause(game.pk, 0, until, request_id=uuid.uuid4(), by=people[0])
    for seat in (1, 2, 3):
        agreements.answer(game.pk, seat, agree=True, request_id=uuid.uuid4(), by=people[seat])
    assert waits_for(game) == set()
    agreements.resume(game.pk, 1, request_id=uuid.uuid4(), by=people[1])
    assert waits_for(game) == before


def test_a_seat_whose_time_is_out_is_waited_for_no_more():
    people = pace_kit.people()
    game = pace_kit.table(people)
    assert game.deadline_at is not None
    assert timing.time_out(game.pk, expected=game.number, now=game.deadline_at)
    assert waits_for(game) == set()


def test_what_is_asked_and_of_whom_is_made_anew_from_the_log():
    people = pace_kit.people()
    game = pace_kit.table(people)
    Game.objects.filter(pk=game.pk).update(asked="sit", waits_for=15)
    assert set(rebuild(game.pk)) == {"game: asked", "game: waits_for"}
    game.refresh_from_db()
    assert game.waits_for == 1 << asked_seat(game)
    assert rebuild(game.pk) == []


# the list


def test_what_is_due_soonest_stands_first_then_what_is_not_due_then_the_others_turn():
    people = pace_kit.people()
    anna, others = people[0], people[1:]
    games = [pace_kit.table(people) for _ in range(3)]
    now = timezone.now()
    for game, seat, days in zip(games, (0, 0, 1), (2, 1, None), strict=True):
        deadline = now + timedelta(days=days) if days else None
        Game.objects.filter(pk=game.pk).update(to_act=seat, waits_for=1 << seat, deadline_at=deadline, asked="play")
    alone = table_kit.laid(anna)  # waits for her without an end
    practice = table_kit.laid(anna, kind=Game.Kind.PRACTICE)
    found = rows(anna)
    assert [line.public_id for line in found] == [
        game.public_id for game in (games[1], games[0], alone, games[2], practice)
    ]
    assert [line.group for line in found] == [0, 0, 0, 1, 2]
    assert mygames_selectors.waiting(anna) == 3
    assert found[0].line == "Play a card."
    assert found[0].time == "until " + found[0].time.removeprefix("until ") != "until "
    assert found[3].line == "Beat is playing a card."
    assert found[0].title == "Troccas with Beat, Clau and Duri"
    assert mygames_selectors.next_game(anna) == games[1].public_id
    assert mygames_selectors.next_game(anna, games[1]) == games[0].public_id
    assert mygames_selectors.waiting(others[0]) == 1


def test_the_list_goes_on_on_further_pages_and_every_game_stands_there_once():
    anna = table_kit.person()
    made = {table_kit.laid(anna).public_id for _ in range(mygames_selectors.PER_PAGE + 3)}
    pages = [mygames_selectors.open_games(anna, number) for number in (1, 2)]
    found = [seat.game.public_id for page in pages for seat in page]
    assert len(found) == len(set(found))
    assert set(found) == made


@pytest.mark.parametrize("path", ["list", "finished"])
def test_a_page_asks_the_database_as_often_for_many_games_as_for_two(path, django_assert_num_queries):
    def asked(count: int) -> int:
        anna = table_kit.person(name="Anna")
        for _ in range(count):
            game = table_kit.laid(anna)
            if path == "finished":
                play.expire(game.pk)
        client = browser_of(anna)
        client.get("/en/")  # the first request of a guest writes
        from django.db import connection
        from django.test.utils import CaptureQueriesContext

        with CaptureQueriesContext(
            connection,
        ) as queries:
            page = client.get(reverse(f"mine:{path}"))
        assert page.status_code == 200
        return len(queries)

    assert asked(12) == asked(2)


def test_a_stranger_sees_an_empty_list_and_no_numbers():
    for name in ("list", "finished", "calendar"):
        assert Client().get(reverse(f"mine:{name}")).status_code == 200
    assert Client().get(reverse("mine:list")).content.decode().count("Wishes and appointments") == 1
    assert Client().get(reverse("my-waiting")).json() == {"waiting": 0, "games": []}
    assert Client().get(reverse("my-next-game"))["Location"] == reverse("mine:list")


def test_the_number_stands_in_the_title_and_in_what_programs_read():
    anna = table_kit.person(name="Anna")
    game, other = table_kit.laid(anna), table_kit.laid(anna)
    client = browser_of(anna)
    assert "<title>(2) My games" in client.get(reverse("mine:list")).content.decode()
    told = client.get(reverse("my-waiting")).json()
    assert told["waiting"] == 2
    assert [line["game"] for line in told["games"]] == [game.public_id, other.public_id]
    assert client.get(reverse("my-waiting"), {"but": game.public_id}).json()["waiting"] == 1
    page = client.get(reverse("games:table", args=[game.public_id])).content.decode()
    assert "<title>(1) " in page
    on = client.get(reverse("my-next-game"), {"after": game.public_id})["Location"]
    assert on.endswith(f"/g/{other.public_id}/?from={game.public_id}")


# on to the next


def two_slow_games() -> tuple[Player, Game, Game]:
    people = pace_kit.people()
    games = [pace_kit.table(people), pace_kit.table(people)]
    return people[asked_seat(games[0])], games[0], games[1]


@pytest.mark.parametrize("wished", [True, False])
def test_who_wishes_so_goes_on_to_the_next_game_after_acting(wished):
    player, game, other = two_slow_games()
    Player.objects.filter(pk=player.pk).update(next_game=wished)
    action = table_kit.advised(game, player)
    sent = {"action": action, "expected": game.number, "request_id": uuid.uuid4()}
    answer = browser_of(player).post(reverse("games:act", args=[game.public_id]), sent)
    game.refresh_from_db()
    if game.waits_for >> table_kit.seat_of(game, player) & 1:
        pytest.fail("the same seat was asked twice: lay another table")
    assert answer.status_code == 303
    here = reverse("games:table", args=[game.public_id])
    assert answer["Location"] == (mygames_selectors.address_after(other.public_id, game) if wished else here)
    page = browser_of(player).get(answer["Location"]).content.decode()
    assert (f'<p class="came-from sans no-margin centered"><a href="{here}">' in page) is wished


def test_the_way_back_leads_to_ones_own_tables_only():
    anna = table_kit.person()
    game, other = table_kit.laid(anna), table_kit.laid(table_kit.person())
    assert mygames_selectors.came_from(anna, game.public_id).url == reverse("games:table", args=[game.public_id])
    assert mygames_selectors.came_from(anna, other.public_id) is None
    assert mygames_selectors.came_from(anna, "") is None
    assert mygames_selectors.came_from(None, game.public_id) is None


def test_nobody_is_led_away_where_a_computer_player_answers_at_once():
    anna = table_kit.person(next_game=True)
    game = table_kit.laid(anna)
    table_kit.laid(anna)
    table_kit.sit(game, anna)
    table_kit.wait(game, anna)
    game.refresh_from_db()
    assert mygames_selectors.next_address(anna, game) is None
    table_kit.submit(game, anna, table_kit.advised(game, anna))
    game.refresh_from_db()
    assert mygames_selectors.next_address(anna, game) is None


# what is over


def ended(players: list[Player], totals: list[int], days_ago: int = 0, status: str = "finished", **how: str) -> Game:
    game = play.start(how.pop("ruleset", "troccas"), players)
    moment = timezone.now() - timedelta(days=days_ago)
    Game.objects.filter(pk=game.pk).update(totals=totals, status=status, ended_at=moment, waits_for=0, **how)
    return game


def ids(player: Player, **wanted: object) -> list[str]:
    return [seat.game.public_id for seat in mygames_selectors.finished_games(player, FinishedSearch(**wanted))]


def test_finished_games_are_found_by_person_ruleset_date_and_result():
    people = pace_kit.people(6)
    anna, beat, clau, duri, emma, flurin = people
    Player.objects.filter(pk=emma.pk).update(name="Élise")
    from accounts import names as naming

    elise = Player.objects.get(pk=emma.pk)
    Player.objects.filter(pk=emma.pk).update(name_key=naming.key_of(elise.name))
    won = ended([anna, beat, clau, duri], [8, -8, 8, -8], 1)
    lost = ended([beat, anna, clau, elise], [8, -8, 8, -8], 10)
    drawn = ended([anna, beat, clau, duri], [0, 0, 0, 0], 20)
    left = ended([anna, beat, clau, duri], [2, -2, 2, -2], 30, status="resigned")
    three = ended([anna, flurin, clau], [5, -3, -2], 40, ruleset="troccas-3")
    table_kit.laid(anna)  # goes on
    everything = [game.public_id for game in (won, lost, drawn, left, three)]
    assert ids(anna) == everything
    assert ids(anna, person="elise") == ids(anna, person="ÉLISE") == [lost.public_id]
    assert ids(anna, person="Anna") == []
    assert ids(anna, ruleset="troccas-3") == [three.public_id]
    assert ids(anna, result="won") == [won.public_id, three.public_id]
    assert ids(anna, result="lost") == [lost.public_id]
    assert ids(anna, result="draw") == [drawn.public_id]
    assert ids(anna, result="unfinished") == [left.public_id]
    today = timezone.localdate()
    assert ids(anna, first=today - timedelta(days=12), last=today - timedelta(days=9)) == [lost.public_id]
    assert ids(anna, person="Flurin", result="lost") == []


def test_games_that_ended_early_are_found_however_they_ended():
    people = pace_kit.people()
    unfinished = [
        ended(people, [2, -2, 2, -2], day, status=how) for day, how in enumerate(("resigned", "ended", "expired"))
    ]
    ended(people, [2, -2, 2, -2], 9)
    assert ids(people[0], result="unfinished") == [game.public_id for game in unfinished]


def test_the_search_is_a_page_that_says_what_is_wrong_with_it():
    anna, beat, clau, duri = pace_kit.people()
    game = ended([anna, beat, clau, duri], [8, -8, 8, -8])
    client = browser_of(anna)
    address = reverse("mine:finished")
    assert f"/g/{game.public_id}/" in client.get(address, {"person": "beat", "result": "won"}).content.decode()
    assert (
        "None of your games matches. Change what you are looking for."
        in client.get(address, {"result": "lost"}).content.decode()
    )
    wrong = client.get(address, {"first": "2026-03-02", "last": "2026-03-01"})
    assert wrong.status_code == 422
    assert "must not come before" in wrong.content.decode()
    for bad in (
        {"first": "soon"},
        {"first": "0001-01-01"},
        {"last": "9999-12-31"},
        {"ruleset": "chess"},
        {"result": "x"},
        {"page": "-7"},
        {"person": "'; --"},
    ):
        assert client.get(address, bad).status_code in (200, 422)


def test_a_finished_game_stays_when_another_player_deletes_the_account():
    anna = table_kit.person(name="Anna")
    user = User.objects.create_user("beat@example.ch", "seventy-eight cards")
    beat = Player.objects.create(user=user, name="Beat")
    people = [anna, beat, *pace_kit.people(4)[2:]]
    game = ended(people, [8, -8, 8, -8])
    privacy.erase(user)
    page = CHANGING.sub("", browser_of(anna).get(reverse("mine:finished")).content.decode())  # a token may spell a name
    assert f"/g/{game.public_id}/" in page
    assert f"Former player {beat.number}" in page
    assert "Beat" not in page
    assert ids(anna, person=str(beat.number)) == [game.public_id]
