"""Forced cards are played for who wishes it: by the worker, once, at a moment that tells nobody anything."""

from __future__ import annotations

import random
from datetime import datetime, timedelta

import pytest
from django.utils import timezone

from domain.engine import ruleset, shuffle
from domain.engine.claims import forced
from games import packs
from games.mygames import selectors
from games.plans import moments, services, tasks
from games.plans import selectors as plans
from games.plans.language import read_plan
from games.plans.models import Scheduled
from games.selectors import table as table_selector
from games.services import agreements, computers, play, timing
from games.services.rebuilding import rebuild
from games.table import notifications
from notices import outbox
from notices import selectors as notices_selectors
from notices.models import Outbox
from tests.games.pace_kit import DAY, Turned, act, asked, due, fresh, people, request, table, texts, turned, work_at
from tests.games.plans_kit import QUIET, client_of, noted, outputs, play_to_forced, view_of
from tests.games.table_kit import laid, person, seat_of, sit, submit

pytestmark = pytest.mark.django_db


@pytest.fixture
def players():
    found = people()
    found[0].forced_cards, found[0].small_cards = "always", "ask"
    found[0].save()
    return found


def later() -> datetime:
    return timezone.now() + timedelta(days=30)


def test_a_forced_card_is_noted_and_played_by_the_worker_when_it_is_due(players):
    game = play_to_forced(players, players[0])
    row, view = noted(game), view_of(game, players[0])
    assert row.player == players[0]
    assert timezone.now() < row.due_at < later()
    work_at(row.due_at - timedelta(seconds=1))
    assert fresh(game).number == game.number
    work_at(row.due_at)
    entry = game.actions.get(number=game.number + 1)
    assert (entry.text, entry.player, entry.seat) == (str(forced(view)), players[0], seat_of(game, players[0]))
    assert rebuild(game.pk) == []


def test_who_does_not_wish_it_is_asked(players):
    game = play_to_forced(players, players[1])
    assert noted(game) is None
    turn = Outbox.objects.filter(player=players[1], event="game.turn").last()
    assert turn.params["number"] == game.number


def test_nobody_is_called_for_a_card_that_plays_itself(players):
    game = play_to_forced(players, players[0])
    told = Outbox.objects.filter(player=players[0], event="game.turn")
    assert all(one.params["number"] < game.number for one in told)


def test_a_choice_is_never_taken_away(players):
    game = table(players, options=QUIET)
    seen = 0
    while fresh(game).hand_number == 1 and fresh(game).to_act is not None:
        if asked(game) == players[0]:
            row, only = noted(game), forced(view_of(game, players[0]))
            here = row is not None and row.after == len(view_of(game, players[0]).history)
            assert here == (only is not None)
            seen += 1
        act(game)
    assert seen > 15


def test_two_workers_and_a_second_look_play_it_once(players):
    game = play_to_forced(players, players[0])
    row = noted(game)
    assert tasks.carry_out(row)
    again = fresh(game).number
    assert not tasks.carry_out(row)
    assert fresh(game).number == again


def test_who_comes_first_plays_it_themselves(players):
    game = play_to_forced(players, players[0])
    row = noted(game)
    submit(game, players[0], str(forced(view_of(game, players[0]))))
    number = fresh(game).number
    tasks.do_due(row.due_at, 50)
    entries = game.actions.filter(number__gt=number, player=players[0])
    assert not entries.exists()


def test_who_changes_their_mind_is_asked(players):
    game = play_to_forced(players, players[0])
    players[0].forced_cards = "ask"
    players[0].save()
    Outbox.objects.all().delete()
    tasks.do_due(later(), 50)
    assert fresh(game).number == game.number
    assert noted(game) is None
    assert Outbox.objects.get(player=players[0], event="game.turn").params["number"] == game.number


def test_nothing_is_done_for_a_seat_left_to_a_computer_player(players):
    game = play_to_forced(players, players[0])
    row = noted(game)
    timing.time_out(game.pk, expected=game.number, now=due(game) + timedelta(seconds=1))
    assert texts(game)[-1] == "absent"
    assert not tasks.carry_out(Scheduled.objects.get(pk=row.pk))
    assert "returned" not in texts(game)


def test_a_pause_holds_it_up(players):
    game = play_to_forced(players, players[0])
    until = timezone.now() + 3 * DAY
    agreements.propose_pause(game.pk, 0, until, request_id=request(), by=players[0])
    for seat in (1, 2, 3):
        agreements.answer(game.pk, seat, agree=True, request_id=request(), by=players[seat])
    paused = fresh(game)
    assert noted(game).due_at > due(paused) == until
    tasks.do_due(noted(game).due_at, 50)
    assert fresh(game).number == paused.number


def test_more_time_given_in_between_does_not_stop_it(players):
    game = play_to_forced(players, players[0])
    agreements.more_time(game.pk, 0, DAY, request_id=request(), by=players[1])
    assert tasks.carry_out(noted(game))


def test_it_is_never_later_than_half_of_the_time_that_is_left():
    left = timedelta(seconds=5)
    chance = random.Random(1)
    assert all(moments.drawn(moments.Tempo.LIVE, left, chance) <= left / 2 for _ in range(500))


def test_the_wait_covers_its_whole_range_and_knows_nothing_of_the_cards():
    chance = random.Random(2)
    waits = sorted(moments.drawn(moments.Tempo.LIVE, None, chance) for _ in range(4000))
    assert timedelta(seconds=2) <= waits[0] < timedelta(seconds=2.1)
    assert timedelta(seconds=6.9) < waits[-1] <= timedelta(seconds=7)
    assert timedelta(seconds=3.5) < waits[2000] < timedelta(seconds=4)


def test_a_forced_card_and_a_planned_one_wait_alike(players, monkeypatch):
    """With the same chance the same wait, whatever is done and however many cards are held."""
    monkeypatch.setattr(timezone, "now", Turned())  # at night the wait is until a moment, and shrinks as time goes by
    game = play_to_forced(players, players[0])
    view = view_of(game, players[0])
    waits = []
    for lines in ([], [{"play": "lowest-trump"}, {"play": "highest"}, {"play": "lowest"}]):
        if lines:
            players[0].forced_cards = "ask"
            services.set_plan(game, players[0], read_plan({"lines": lines}), view.held.bit_count())
        if services.schedule(game, players[0], view, random.Random(3)):
            waits.append(noted(game).due_at - timezone.now())
    assert len(waits) == 2
    assert waits[0] == waits[1]


@pytest.mark.slow
def test_nobody_else_sees_that_it_is_noted_or_that_it_was_done_by_itself(players, monkeypatch):
    game = play_to_forced(players, players[0])
    with turned(monkeypatch, timezone.now()):
        for other in players[1:]:
            outputs(game, other)  # the first visit is told where the game stands
        with_note = [outputs(game, other) for other in players[1:]]
        row = noted(game)
        Scheduled.objects.all().delete()
        assert [outputs(game, other) for other in players[1:]] == with_note
    row.pk = None
    row.save()
    assert tasks.carry_out(row)
    entry = game.actions.get(number=game.number + 1)
    assert entry.data == {}, "the entry is that of a person"
    assert entry.player == players[0]
    assert set(table_selector.sight_of(fresh(game), players[1]).as_json()) == set(
        table_selector.sight_of(game, players[2]).as_json()
    )


@pytest.mark.parametrize(("speed", "least", "most"), [("at-once", 0, 0), ("quick", 0.28, 0.64), ("slow", 1.4, 3.2)])
def test_at_a_table_with_computer_players_it_is_played_as_fast_as_these_play(speed: str, least: float, most: float):
    player = person(forced_cards="always", bot_speed=speed)
    game = laid(player, options=QUIET)
    sit(game, player)
    while True:
        game = fresh(game)
        if game.to_act != seat_of(game, player):
            assert computers.act_for(game)
        elif noted(game) and noted(game).after == len(view_of(game, player).history):
            break
        else:
            submit(game, player, str(next(iter(view_of(game, player).legal))))
    waits = noted(game).due_at - game.acted_at
    assert timedelta(seconds=least) <= waits <= timedelta(seconds=most)


def test_a_broken_game_does_not_hold_up_the_others(players, monkeypatch):
    game = play_to_forced(players, players[0])

    def broken(*_args: object, **_how: object) -> None:
        raise RuntimeError("broken")

    monkeypatch.setattr(play, "submit", broken)
    before = later()
    assert tasks.do_due(before, 50) == 0
    assert noted(game).due_at == before + timedelta(minutes=1)


# what need not be done does not wait


def test_what_will_be_played_for_somebody_does_not_wait_for_them(players):
    game = play_to_forced(players, players[0])
    anna = players[0]
    assert noted(game) is not None
    assert fresh(game).waits_for >> seat_of(game, anna) & 1
    assert selectors.waiting(anna) == 0
    assert selectors.next_game(anna) is None
    (line,) = selectors.foremost(anna, 5)
    assert line.line == "It is your turn. Your move will be made for you."
    assert (line.yours, line.until) == (False, None)
    assert not notifications.still_true("game.turn", {"game": game.public_id}, anna)
    assert client_of(anna).get("/my-games/waiting.json").json() == {"waiting": 0, "games": []}


def test_what_will_be_played_is_of_no_concern_to_the_others(players):
    game = play_to_forced(players, players[0])
    before = [line.line for line in selectors.foremost(players[1], 5)]
    Scheduled.objects.all().delete()
    assert [line.line for line in selectors.foremost(players[1], 5)] == before == ["Anna is playing a card."]
    assert selectors.waiting(players[0]) == 1
    assert notifications.still_true("game.turn", {"game": game.public_id}, players[0])


def test_nobody_is_reminded_of_what_will_be_played_for_them(players):
    game = play_to_forced(players, players[0])
    assert game.remind_at is not None
    Outbox.objects.all().delete()
    assert not timing.remind(game.pk, expected=game.number, now=game.remind_at)
    assert not Outbox.objects.exists()
    Scheduled.objects.all().delete()
    again = fresh(game)
    assert timing.remind(game.pk, expected=game.number, now=again.remind_at)
    assert Outbox.objects.get(event="game.deadline").player == players[0]


def test_who_plans_after_being_asked_has_nothing_unread_about_it(players):
    game = play_to_forced(players, players[1])
    outbox.tell_due()
    assert notices_selectors.unread(players[1]) == 1
    players[1].forced_cards = "always"
    players[1].save()
    view = view_of(game, players[1])
    assert services.schedule(fresh(game), players[1], view)
    assert notices_selectors.unread(players[1]) == 0
    assert selectors.waiting(players[1]) == 0


def test_what_was_noted_for_an_earlier_card_hides_no_later_one(players):
    """Who played it themselves, and then does not wish it any more, is asked for the next card as everybody."""
    game = play_to_forced(players, players[0])
    assert noted(game) is not None
    submit(game, players[0], str(forced(view_of(game, players[0]))))
    players[0].forced_cards = "ask"
    players[0].save()
    while fresh(game).to_act is not None and asked(game) != players[0]:
        act(game)
    assert asked(game) == players[0]
    assert selectors.waiting(players[0]) == 1


def test_at_a_table_of_days_the_site_cuts_at_once_for_who_leaves_the_default():
    players = people()
    for player in players:
        player.forced_cards = "days"
        player.save()
    game = table(players)
    assert fresh(game).asked == "cut"
    seat = fresh(game).to_act
    row = noted(game)
    assert row is not None
    assert row.due_at <= fresh(game).acted_at + timedelta(seconds=3)
    assert not Outbox.objects.filter(event="game.turn").exists()
    work_at(row.due_at)
    cut = game.actions.get(kind="move")
    deal = game.hands.get().deal
    rules = ruleset("troccas")
    assert (cut.seat, cut.text) == (seat, f"cut {shuffle.cut(packs.seed_of(deal, rules), 78)}")
    assert rebuild(game.pk) == []


def test_elsewhere_the_default_is_to_be_asked():
    player = person()
    game = laid(player)
    assert player.forced_cards == "days"
    assert not plans.acts_by_itself(game, player)
