"""What was done is told of who did it, also when somebody else sits there by now."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.urls import reverse

from accounts.models import Player
from games import projections
from games.analysis import selectors as analysis
from games.analysis import text
from games.models import Game
from games.selectors import replay
from games.selectors import table as table_selector
from games.services import seats, timing
from games.text.log import log_line
from tests.games.analysis.kit import analysed
from tests.games.pace_kit import SUBSTITUTE, act, asked, due, fresh, people, request, table, turned, work_at
from tests.games.plans_kit import QUIET, client_of
from tests.games.table_kit import rush, seat_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def handed_over():
    """A table at which Emma has taken Anna's seat within a trick: the game, Anna, Beat, Emma, the number of the change."""
    anna, beat, clau, duri, emma = people(5)
    game = table([anna, beat, clau, duri], SUBSTITUTE, options=QUIET)
    while not (game.asked == "play" and asked(game) == anna and own_moves(game, anna) >= 4):
        act(game)
        game = fresh(game)
    seat = seat_of(game, anna)
    timing.time_out(game.pk, expected=game.number, now=due(game) + timedelta(seconds=1))
    receipt = timing.substitute(game.pk, seat, request_id=request(), by=emma)
    return fresh(game), anna, beat, emma, receipt.number


def own_moves(game: Game, player: Player) -> int:
    return game.actions.filter(kind="move", player=player).count()


def told(game: Game, viewer: Player | None) -> list[tuple[int, str]]:
    seen = table_selector.sight_of(fresh(game), viewer)
    return [(line.number, log_line(line, seen)) for line in seen.lines]


def test_the_log_names_who_played_and_not_who_sits_there_now(handed_over):
    game, anna, beat, _emma, number = handed_over
    act(game)
    game = fresh(game)
    lines = told(game, beat)
    own = {row.number for row in game.actions.filter(kind="move", player=anna)}
    before = [text for at, text in lines if at in own]
    assert before
    assert not any("Emma" in text for at, text in lines if at < number)
    assert any(text.startswith("Anna ") for text in before)
    assert any(text.startswith("Emma ") for at, text in lines if at > number)
    assert [text for at, text in lines if at == number] == ["Emma takes the seat of Anna as a substitute."]


def test_a_substitute_is_not_told_that_they_did_what_another_did(handed_over):
    game, _anna, _beat, emma, number = handed_over
    act(game)
    lines = told(game, emma)
    assert not any(text.startswith("You ") for at, text in lines if at < number)
    assert any(text.startswith("Anna ") for at, text in lines if at < number)
    assert any(text.startswith("You ") for at, text in lines if at > number)


def test_what_a_computer_player_did_meanwhile_is_not_told_as_ones_own(monkeypatch):
    with turned(monkeypatch) as clock:
        game = table(people(), options=QUIET)
        gone = asked(game)
        assert game.asked == "cut"
        clock.to(due(game) + timedelta(seconds=1))
        while asked(game) == gone:
            assert work_at(clock.now)
            clock.on(seconds=10)
        other = asked(game)
        own = [text for _at, text in told(game, gone)]
        assert any(text.startswith("A computer player (for you) cuts, lifting ") for text in own)
        for_them = f"A computer player (for {gone.name}) cuts, lifting "
        assert any(text.startswith(for_them) for _at, text in told(game, other))
        act(game)  # the other's own
        assert any(text.startswith("You lay ") for _at, text in told(game, other))


def test_the_replay_shows_at_each_step_who_sat_there(handed_over):
    game, _anna, beat, emma, number = handed_over
    rush(game)
    seat = seat_of(game, emma)
    moves = list(game.actions.filter(kind="move").order_by("number").values_list("number", flat=True))
    changed = next(step for step, at in enumerate(moves, 1) if at > number)
    for step, name, viewer in ((0, "Anna", None), (changed - 1, "Anna", None), (changed, "Emma", seat)):
        seen = replay.replay(game, 1, step, emma)
        assert (seen.seats[seat].name, seen.viewer) == (name, viewer)
    seen = replay.replay(game, 1, 0, beat)
    texts = [log_line(line, seen) for step in seen.steps for line in step.lines if line.number in moves[: changed - 1]]
    assert not any("Emma" in text for text in texts)
    later = [log_line(line, seen) for step in seen.steps[changed - 1 :] for line in step.lines]
    assert any("Emma" in text for text in later)
    page = client_of(emma).get(reverse("games:replay", args=[game.public_id, 1]) + "?step=0").content.decode()
    assert "Anna" in page


def test_two_substitutes_in_one_seat_are_told_apart(handed_over):
    game, _anna, _beat, emma, number = handed_over
    seat = seat_of(game, emma)
    if asked(game) != emma:
        act(game)
    game = fresh(game)
    timing.time_out(game.pk, expected=game.number, now=due(game) + timedelta(seconds=1))
    flurin = Player.objects.create(name="Flurin", bot_speed="at-once")
    second = timing.substitute(game.pk, seat, request_id=request(), by=flurin).number
    sat = projections.sitters_of(fresh(game), list(fresh(game).seats.select_related("player")))
    names = [sat.at(at)[0].name for at in (number - 1, number, second - 1, second, second + 9)]
    assert names == ["Anna", "Emma", "Emma", "Flurin", "Flurin"]
    assert [sat.at(at)[0].present for at in (1, second)] == [False, True]


@pytest.fixture
def stood_in(monkeypatch):
    """A hand in which a computer player led for Anna, who was away, and Emma sits by now: the game, Anna, Beat, Emma, and
    the step and the number of that lead."""
    anna, beat, clau, duri, emma = people(5)
    with turned(monkeypatch) as clock:
        game = table([anna, beat, clau, duri], options=QUIET)
        while not (game.asked == "play" and asked(game) == anna and own_moves(game, anna) >= 3):
            act(game)
            game = fresh(game)
        clock.to(due(game) + timedelta(seconds=1))
        while asked(game) == anna:
            assert work_at(clock.now)
            clock.on(seconds=10)
        game = fresh(game)
        number = game.number
        seats.appoint(game.pk, seat_of(game, anna), emma)
        rush(game)
    moves = list(game.actions.filter(kind="move").order_by("number").values_list("number", flat=True))
    return fresh(game), anna, beat, emma, moves.index(number), number


def test_all_are_told_alike_what_a_computer_player_did_for_somebody_who_left(stood_in):
    game, anna, beat, emma, step, number = stood_in
    for viewer in (anna, beat, emma):
        seen = replay.replay(game, 1, step + 1, viewer)
        (line, *_results) = seen.steps[step].lines
        assert line.number == number
        assert log_line(line, seen).startswith("A computer player (for Anna) ")


def test_what_a_computer_player_decided_is_nobodys_mistake(stood_in):
    game, _anna, beat, _emma, step, _number = stood_in
    made = analysed(game)
    judged = made.judged.get(step=step)
    judged.options = [["lead TI", 9.0, 0.1], [judged.action, 1.0, 0.1]]
    judged.options[0][0] = next(other.action for other in made.judged.all() if other.action != judged.action)
    judged.cost, judged.error, judged.reason, judged.exact = 8.0, 0.1, "lead-low", False
    judged.save()
    row = game.hands.get(number=1)
    seen, whole = analysis.analysis_of(row, 4), replay.replay(game, 1, None, beat)
    remark = text.turning_points(seen, whole)[0]
    assert remark.at == step + 1
    assert remark.told.startswith("A computer player (for Anna) ")
    assert remark.better
    assert (remark.advice, remark.you) == ("", False)
    own = [each for each in seen.decisions if each.seat == judged.seat and each.clear and each.step != step]
    assert seen.seats[judged.seat].mistakes == len(own)
    assert [line.name for line in text.seat_lines(seen, whole)].count("Anna") == 1
    assert "Emma" in [line.name for line in text.seat_lines(seen, whole)]


def test_the_record_names_all_who_sat_there(stood_in):
    game, *_ = stood_in
    assert "Anna / Emma" in replay.record_of_hand(game, 1).players
    assert "Anna / Emma" in replay.record(game).players


def test_who_has_deleted_their_account_is_a_former_player_there(handed_over):
    game, anna, beat, _emma, number = handed_over
    Player.objects.filter(pk=anna.pk).update(name="", was_member=True)
    anna.refresh_from_db()
    before = [text for at, text in told(game, beat) if at < number]
    assert not any("Anna" in text for text in before)
    assert any(anna.display_name in text for text in before)


def test_where_nobody_was_replaced_nothing_is_said_of_it():
    game = table(people(), options=QUIET)
    act(game)
    assert all(line.then == () for line in table_selector.sight_of(fresh(game), None).lines)
