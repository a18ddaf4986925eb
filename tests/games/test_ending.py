"""Ending a game by consent: all who play have to agree; the score stands, or the game does not count."""

from __future__ import annotations

import pytest
from django.urls import reverse

from games.exceptions import GameEnded, NotNow, NotYourSeat
from games.models import Game, PlayedSeat
from games.mygames.selectors import foremost, waiting
from games.mygames.text import result_key
from games.selectors import table as table_selector
from games.services import ending, play, timing
from games.services.rebuilding import rebuild
from games.table import notifications
from games.text.log import log_line
from notices.models import Outbox
from tests.games.boards import kit
from tests.games.pace_kit import DAYS, act, due, fresh, people, request, table, texts, turned, work_at
from tests.games.plans_kit import QUIET, client_of
from tests.games.table_kit import laid, person, play_hand, seat_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def clock(monkeypatch):
    with turned(monkeypatch) as wall_clock:
        yield wall_clock


def sitting(game: Game) -> list:
    return [seat.player for seat in game.seats.select_related("player").order_by("number")]


def propose(game: Game, seat: int = 0, *, counts: bool = True) -> None:
    ending.propose(game.pk, seat, counts=counts, request_id=request(), by=sitting(game)[seat])


def answer(game: Game, seat: int, *, agree: bool = True) -> None:
    ending.answer(game.pk, seat, agree=agree, request_id=request(), by=sitting(game)[seat])


@pytest.mark.parametrize(("counts", "status"), [(True, "finished"), (False, "ended")])
@pytest.mark.parametrize("pace", [DAYS, None])
def test_it_ends_when_the_last_who_plays_has_agreed(counts, status, pace):
    game = table(people()) if pace else play.start("troccas", people())
    propose(game, counts=counts)
    for seat in (1, 2):
        answer(game, seat)
        assert fresh(game).status == "playing"
    answer(game, 3)
    game = fresh(game)
    assert (game.status, game.to_act, game.deadline_at) == (status, None, None)
    assert texts(game)[-1] == "ended"
    assert game.actions.last().data == {"counts": counts}
    assert rebuild(game.pk) == []
    with pytest.raises(GameEnded):
        propose(game)


def test_everybody_is_asked_and_hears_of_the_end():
    game = table(people())
    propose(game)
    asked = Outbox.objects.filter(event="game.asked")
    assert {row.player for row in asked} == set(sitting(game)[1:])
    for seat in (1, 2, 3):
        answer(game, seat)
    told = Outbox.objects.filter(event="game.finished")
    assert {row.player for row in told} == set(sitting(game))
    assert {row.params["status"] for row in told} == {"ended"}


def test_when_it_has_ended_in_a_hand_nobody_is_asked_for_anything_and_nothing_is_said():
    players = people()
    game = table(players, options={"throw_in": False})
    act(game)  # the cut
    assert table_selector.sight_of(fresh(game), players[0]).sayable
    propose(game)
    for seat in (1, 2, 3):
        answer(game, seat)
    sight = table_selector.sight_of(fresh(game), players[0])
    assert not sight.sayable
    assert not any(seat.turn for seat in sight.seats)
    page = client_of(players[0]).get(reverse("games:table", args=[game.public_id])).content.decode()
    assert "Nobody is ahead" in page
    assert (
        f'{reverse("account_signup")}?next={reverse("games:table", args=[game.public_id])}"' in page
    )  # then back here
    assert "hand-form" not in page


def test_one_who_declines_takes_it_off_the_table():
    game = table(people())
    propose(game)
    answer(game, 1)
    with pytest.raises(NotNow):
        answer(game, 1)
    with pytest.raises(NotNow):
        propose(game, 2)
    answer(game, 2, agree=False)
    with pytest.raises(NotNow):
        answer(game, 3)
    propose(game, 3, counts=False)
    answer(game, 3, agree=False)  # taken back
    three = sitting(game)[3]
    own, others = (table_selector.sight_of(fresh(game), sitting(game)[seat]) for seat in (3, 0))
    assert log_line(own.lines[-1], own) == "You take back your proposal to end the game."
    assert log_line(others.lines[-1], others) == f"{three.name} takes back the proposal to end the game."
    assert fresh(game).status == "playing"
    assert rebuild(game.pk) == []


def test_whoever_is_away_is_not_waited_for_and_going_away_decides_nothing_else(clock):
    game = table(people())
    missing = fresh(game).to_act
    assert missing is not None
    others = [seat for seat in range(4) if seat != missing]
    propose(game, others[0])
    answer(game, others[1])
    answer(game, others[2])
    assert fresh(game).status == "playing"
    clock.to(due(fresh(game)))
    work_at(clock.now)
    assert texts(game)[-2:] == ["absent", "ended"]
    assert fresh(game).status == "finished"
    assert rebuild(game.pk) == []


def test_who_leaves_decides_with_that_what_only_they_had_not_agreed_to():
    game = table(people())
    propose(game, 0)
    answer(game, 1)
    answer(game, 2)
    play.resign(game.pk, 3, request_id=request(), by=sitting(game)[3])
    assert fresh(game).status == "finished"


def test_a_stranger_proposes_nothing_nor_who_sits_elsewhere():
    game = table(people())
    with pytest.raises(NotYourSeat):
        ending.propose(game.pk, 0, counts=True, request_id=request(), by=person())


def test_where_other_tables_play_the_same_deals_nobody_ends_one():
    game = kit.table(kit.laid(1), 0)
    with pytest.raises(NotNow):
        propose(game)


def test_hands_of_a_game_that_does_not_count_leave_the_statistics():
    player = person()
    game = laid(player, options=QUIET | {"hands": 2})
    seat = seat_of(game, player)
    play_hand(game, player)
    game.refresh_from_db()
    assert game.hands_played == 1
    assert PlayedSeat.objects.filter(hand__game=game).exists()
    ending.propose(game.pk, seat, counts=False, request_id=request(), by=player)
    game = fresh(game)
    assert game.status == "ended"
    assert not PlayedSeat.objects.filter(hand__game=game).exists()
    assert rebuild(game.pk) == []
    assert result_key(game.status, game.totals, 0) == "ended"


def test_the_pages_offer_it_and_ask_those_who_have_not_answered():
    game = table(people(), options=QUIET)
    first, second = sitting(game)[:2]
    leave = client_of(first).get(reverse("games:leave", args=[game.public_id])).content.decode()
    assert "Propose: the score stands as it is" in leave
    answered = client_of(first).post(
        reverse("games:end", args=[game.public_id]), {"do": "drop", "request_id": str(request())}
    )
    assert answered.status_code == 303
    own = client_of(first).get(reverse("games:table", args=[game.public_id])).content.decode()
    assert "You propose to end the game here: it does not count." in own
    assert "it does not count. Waiting for " in own
    assert "Take it back" in own
    other = client_of(second).get(reverse("games:table", args=[game.public_id])).content.decode()
    assert "proposes to end the game here: it does not count." in other
    for player in sitting(game)[1:]:
        client_of(player).post(
            reverse("games:end", args=[game.public_id]), {"do": "agree", "request_id": str(request())}
        )
        if player == second:
            agreed = client_of(second).get(reverse("games:table", args=[game.public_id])).content.decode()
            assert "it does not count. You have agreed. Waiting for " in agreed
    over = client_of(second).get(reverse("games:table", args=[game.public_id])).content.decode()
    assert "All agreed to end the game here. It does not count." in over
    assert table_selector.sight_of(fresh(game), second).ending is None
    assert not timing.time_out(game.pk, expected=fresh(game).number)


# where one is told of it


@pytest.mark.parametrize(("counts", "said"), [(True, "the score stands as it is."), (False, "it does not count.")])
@pytest.mark.parametrize("pace", [DAYS, None])
def test_a_proposal_stands_in_the_list_of_everybody_who_has_to_answer(counts, said, pace):
    game = table(people()) if pace else play.start("troccas", people())
    anna, beat, *_ = sitting(game)
    propose(game, counts=counts)
    line = foremost(beat, 5)[0]
    assert line.yours
    assert f"Anna proposes to end the game here: {said}" in line.line
    assert "A proposal to end the game is open; not everybody has answered yet." in foremost(anna, 5)[0].line
    answer(game, 1)
    assert "not everybody has answered yet" in foremost(beat, 5)[0].line
    answer(game, 2, agree=False)
    assert "end the game" not in foremost(beat, 5)[0].line
    assert "end the game" not in foremost(anna, 5)[0].line


def test_the_list_of_who_is_not_on_turn_says_that_it_waits_for_them():
    game = table(people())
    seat = next(number for number in range(4) if number not in (0, fresh(game).to_act))
    who = sitting(game)[seat]
    assert waiting(who) == 0
    propose(game)
    assert waiting(who) == 1
    answer(game, seat)
    assert waiting(who) == 0
    other = next(number for number in (1, 2, 3) if number != seat)
    assert "Anna proposes to end the game" in client_of(sitting(game)[other]).get(reverse("mine:list")).content.decode()


def test_the_notice_says_who_proposes_what_and_holds_until_one_has_answered():
    game = table(people())
    propose(game, counts=False)
    notice = Outbox.objects.get(event="game.asked", player=sitting(game)[1])
    words = notifications.words(notice.event, notice.params, notice.player, "en")
    assert words is not None
    assert words.line.startswith("Anna proposes to end the game here: it does not count.")
    assert notifications.still_true(notice.event, notice.params, notice.player)
    answer(game, 1)
    assert not notifications.still_true(notice.event, notice.params, notice.player)


def test_what_is_proposed_is_made_anew_from_the_log():
    game = table(people())
    propose(game)
    answer(game, 1)
    Game.objects.filter(pk=game.pk).update(ending={})
    assert rebuild(game.pk) == ["game: ending"]
    assert fresh(game).ending == {"by": 0, "counts": True, "agreed": [0, 1]}
