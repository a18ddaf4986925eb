"""Taking back by consent: all people must agree, nothing may have been shown, and the log keeps what happened."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.core.management import call_command

from domain.bots.advice import choose
from domain.engine.hand import Hand
from games import projections
from games.exceptions import GameEnded, NotNow, Stale
from games.models import Game, PlayedSeat
from games.mygames import selectors
from games.plans.language import Plan, read_plan
from games.plans.models import Scheduled
from games.plans.tasks import do_due
from games.read_models import Sight
from games.selectors import log, replay
from games.selectors import table as table_selector
from games.services import agreements, computers, play, timing, undo
from games.services.rebuilding import rebuild
from games.table import notifications, tasks
from games.text import table as table_text
from games.text.log import log_line
from notices.models import Outbox
from tests.games.pace_kit import DAY, DAYS, LIVE, act, asked, due, fresh, people, request, table, turned, work_at
from tests.games.plans_kit import at_position, client_of
from tests.games.table_kit import advised, person, rush, seat_of, sit, submit
from tests.games.undo_kit import QUIET, ask, last_move, reply, same_as_never_made, undo_of, undone
from tests.refusals import refuses

pytestmark = pytest.mark.django_db


@pytest.fixture
def players():
    return people()


@pytest.fixture
def clock(monkeypatch):
    with turned(monkeypatch) as wall_clock:
        yield wall_clock


def in_the_middle(hand: Hand) -> bool:
    """One card lies there, and more will."""
    return hand.asked == "play" and len(hand.trick) == 1 and hand.hands[hand.turn].bit_count() > 3


def at_table(players, wanted=in_the_middle):
    """A table with a clock at which a wanted position has just been reached through the door."""
    return at_position(players, wanted, QUIET, last_through_the_door=True)


def actor(game):
    """Who made the last move."""
    return game.seats.get(number=last_move(game).seat).player


def others(players, who):
    return [player for player in players if player != who]


def event_names(record) -> list[str]:
    """What the record tells that happened at the table."""
    return [event["event"] for event in record.events]


def lines(seen: Sight) -> list[str]:
    return [log_line(line, seen) for line in seen.lines]


# what happens


def test_all_agree_and_the_card_is_back_in_hand(players):
    game = at_table(players)
    who, move = actor(game), last_move(game)
    assert undo_of(game, who).move == move.number
    ask(game, who)
    first, second, third = others(players, who)
    for other in (first, second):
        reply(game, other)
        assert fresh(game).to_act != seat_of(game, who)
    reply(game, third)
    game = fresh(game)
    assert game.to_act == seat_of(game, who)
    assert game.undo == {}
    assert [*game.actions.filter(number__gte=move.number).values_list("text", flat=True)] == [
        move.text, "undo-proposed", "undo-agreed", "undo-agreed", "undo-agreed", "undone",
    ]  # fmt: skip
    seen = table_selector.sight_of(game, who)
    assert seen.question.mine
    assert move.text.split()[1] in {card.code for card in seen.cards}
    assert seen.trick is None or all(card.code != move.text.split()[1] for card in seen.trick.cards)
    assert rebuild(game.pk) == []
    same_as_never_made(game)


def test_the_game_goes_on_with_another_card_and_the_record_has_only_that(players):
    game = at_table(players)
    who, move = actor(game), last_move(game)
    undone(game, who, players)
    seen = table_selector.sight_of(fresh(game), who)
    other = next(card.code for card in seen.cards if card.playable and f"play {card.code}" != move.text)
    submit(game, who, f"play {other}")
    assert [one.text for one in log.moves_of(game, 1)][-1] == f"play {other}"
    rush(game)
    assert rebuild(game.pk) == []
    record = replay.record(game)
    assert (
        move.text not in [text.partition(" ")[2] for text in record.hands[0].actions][: len(log.moves_of(game, 1)) - 76]
    )
    actions = [*record.hands[0].actions]
    assert actions == [f"{one.seat} {one.text}" for one in log.moves_of(game, 1)]
    place = actions.index(f"{seat_of(game, who)} play {other}")
    assert f"{seat_of(game, who)} {move.text}" not in actions[: place + 1], "it is played again only later in the hand"
    told = [name for name in event_names(record) if name.startswith("und")]
    assert told == ["undo-proposed", "undo-agreed", "undo-agreed", "undo-agreed", "undone"]
    replayed = replay.replay(game, 1, None, None)
    assert replayed.last_step == len(record.hands[0].actions)
    assert replayed.sheet.points == tuple(game.hands.get().points)
    same_as_never_made(game)


@pytest.mark.parametrize("agreed", [0, 1, 2])
def test_one_who_declines_is_enough_and_is_not_asked_again(players, agreed):
    game = at_table(players)
    who, position = actor(game), table_selector.sight_of(game, None)
    ask(game, who)
    rest = others(players, who)
    for other in rest[:agreed]:
        reply(game, other)
    reply(game, rest[2], agree=False)
    game = fresh(game)
    assert game.undo == {}
    assert table_selector.sight_of(game, None).trick == position.trick
    assert undo_of(game, who) is None
    with refuses("cannot-take-back"):
        ask(game, who)
    assert rebuild(game.pk) == []


def test_who_asked_may_leave_it_and_who_agreed_may_think_better_of_it(players):
    for withdraw in (True, False):
        game = at_table(players)
        who = actor(game)
        ask(game, who)
        other = others(players, who)[0]
        reply(game, other)
        reply(game, who if withdraw else other, agree=False)
        assert fresh(game).undo == {}
        assert last_move(game).number in {move.number for move in log.moves_of(game, 1)}
        kinds = [line.kind for line in table_selector.sight_of(fresh(game), None).lines]
        assert kinds[-1] == ("undo-withdrawn" if withdraw else "undo-declined")


def test_the_next_move_ends_it(players):
    game = at_table(players)
    who = actor(game)
    ask(game, who)
    following = asked(game)
    act(game)
    assert fresh(game).undo == {}
    assert undo_of(game, who) is None
    for other in others(players, who):
        with pytest.raises(NotNow):
            reply(game, other, move=last_move(game).number - 2)
    assert asked(game) != following
    assert rebuild(game.pk) == []


def test_after_a_taking_back_the_card_before_it_cannot_be_taken_back(players):
    """Its player has seen more since: the card that was taken back."""
    game = at_table(players, lambda hand: in_the_middle(hand) is False and len(hand.trick) == 2)
    who = actor(game)
    undone(game, who, players)
    before = log.moves_of(game, 1)[-1]
    earlier = game.seats.get(number=before.seat).player
    assert undo_of(game, earlier) is None
    with refuses("cannot-take-back"):
        ask(game, earlier, move=before.number)
    # The same seat, asked a second time, may take back a second card.
    act(game)
    undone(game, who, players)
    assert fresh(game).actions.filter(text="undone").count() == 2
    assert rebuild(game.pk) == []
    same_as_never_made(game)


def test_the_scart_can_be_taken_back_before_the_first_lead(players):
    def led(hand):
        return hand.asked == "play" and not hand.tricks and not hand.trick

    game = at_table(players, led)
    dealer, move = actor(game), last_move(game)
    assert move.text.startswith("scart ")
    assert undo_of(game, dealer).verb == "scart"
    undone(game, dealer, players)
    seen = table_selector.sight_of(fresh(game), dealer)
    assert seen.question.asked == "scart"
    assert set(move.text.split()[1:]) <= {card.code for card in seen.cards}
    assert rebuild(game.pk) == []
    same_as_never_made(game)
    act(game)
    first = asked(game)
    act(game)
    assert undo_of(game, dealer) is None
    assert undo_of(game, first) is not None


@pytest.mark.parametrize("verb", ["cut", "veto"])
def test_a_cut_and_a_word_stay(players, verb):
    game = at_position(
        players, lambda hand: bool(hand.history) and hand.history[-1][1].verb == verb, {"hands": 1, "throw_in": True},
        last_through_the_door=True,
    )  # fmt: skip
    who = actor(game)
    assert undo_of(game, who) is None
    with refuses("cannot-take-back"):
        ask(game, who)


def test_only_who_did_it_asks_and_only_about_the_last(players):
    game = at_table(players)
    who, move = actor(game), last_move(game)
    other = others(players, who)[0]
    number = fresh(game).number
    for player, how, refusal in (
        (other, {}, "cannot-take-back"),
        (who, {"move": move.number - 1}, "cannot-take-back"),
        (who, {"move": move.number + 1}, "cannot-take-back"),
        (who, {"by": person()}, "not-your-seat"),
    ):
        with refuses(refusal):
            ask(game, player, **how)
    for player in others(players, who):
        assert undo_of(game, player) is None
    with pytest.raises(NotNow):
        reply(game, other, move=move.number)
    assert fresh(game).number == number


def test_the_same_request_does_it_once_and_another_under_it_is_refused(players):
    game = at_table(players)
    who, one, two = actor(game), request(), request()
    move = last_move(game).number
    first = ask(game, who, request_id=one)
    assert ask(game, who, request_id=one) == first
    with refuses("request-reused"):
        ask(game, who, request_id=one, move=move - 1)
    other = others(players, who)[0]
    agreed = reply(game, other, request_id=two)
    number = fresh(game).number
    assert reply(game, other, request_id=two) == agreed
    with refuses("request-reused"):
        reply(game, other, request_id=two, agree=False)
    with pytest.raises(NotNow):
        reply(game, other)
    assert fresh(game).number == number


def test_after_the_end_nothing_can_be_taken_back(players):
    game = at_table(players, lambda hand: len(hand.tricks) == 18 and len(hand.trick) == 3)
    act(game)
    assert fresh(game).status == Game.Status.FINISHED
    who = actor(game)
    assert undo_of(game, who) is None
    with pytest.raises(GameEnded):
        ask(game, who)


def test_in_a_lesson_nothing_is_taken_back(players):
    game = at_table(players)
    Game.objects.filter(pk=game.pk).update(kind=Game.Kind.GUIDED)
    assert undo_of(game, actor(game)) is None
    with refuses("cannot-take-back"):
        ask(game, actor(game))


def test_without_a_clock_all_people_consent_just_the_same(players):
    game = at_table(players)
    Game.objects.filter(pk=game.pk).update(pace={})
    rebuild(game.pk)
    who = actor(game)
    undone(game, who, players)
    assert fresh(game).to_act == seat_of(game, who)
    assert rebuild(game.pk) == []


# computer players


def with_computers(count, **options):
    """People at a table with computer players: it is the last person's turn to play a card, and a computer player is next."""
    players = people(4 - count)
    game = play.start("troccas", [*players, *computers.computer_players(count)], options={**QUIET, **options})
    for player in players:
        sit(game, player)
    game, seat = fresh(game), seat_of(game, players[-1])
    rush(game, until=lambda hand: hand.turn == seat and hand.asked == "play" and len(hand.trick) < 3)
    return game, players


def test_computer_players_consent_and_wait_until_the_people_have(players):
    game, seated = with_computers(2)
    first, last = seated
    act(game)
    game = fresh(game)
    assert game.seats.get(number=game.to_act or 0).player.is_computer
    assert undo_of(game, last) is None, (
        "the computer player is about to act: no button that goes before it can be pressed"
    )
    ask(game, last)
    assert not computers.act_for(fresh(game))
    number = fresh(game).number
    tasks.do_due()
    assert fresh(game).number == number
    assert tasks.catch_up(fresh(game)).undo
    reply(game, first)
    assert fresh(game).to_act == seat_of(game, last)
    assert rebuild(game.pk) == []
    act(game)
    ask(game, last)
    reply(game, first, agree=False)
    game = fresh(game)
    assert game.due_at is not None
    assert rebuild(game.pk) == []
    assert computers.act_for(game)


def test_alone_with_computer_players_one_takes_back_as_much_as_one_likes():
    game, (player,) = with_computers(3)
    seat = seat_of(game, player)
    while len([move for move in log.moves_of(game, 1) if move.seat == seat and move.text.startswith("play")]) < 4:
        act(fresh(game))
    moves = log.moves_of(fresh(game), 1)
    own = [move for move in moves if move.seat == seat and not move.text.startswith("cut")]
    for move in reversed(own):
        offered = undo_of(game, player)
        assert (offered.move, offered.at_once) == (move.number, True), "also while a computer player thinks"
        number = fresh(game).number
        ask(game, player, move=move.number)
        assert fresh(game).number == number + 1
        assert fresh(game).to_act == seat
        assert log.moves_of(fresh(game), 1) == [one for one in moves if one.number < move.number]
        assert rebuild(game.pk) == []
        same_as_never_made(fresh(game))
    assert undo_of(game, player) is None, "nothing is left but the deal"
    assert not Outbox.objects.filter(event="game.asked").exists()
    assert "You take that back. This hand does not count in statistics." in lines(
        table_selector.sight_of(fresh(game), player)
    )


def test_the_page_of_somebody_alone_takes_a_card_back_with_one_press():
    game, (player,) = with_computers(3)
    act(game)
    client = client_of(player)
    page = client.get(f"/g/{game.public_id}/").content.decode()
    assert "Take my card back<" in page
    before = log.moves_of(fresh(game), 1)
    form = {"do": "ask", "move": undo_of(game, player).move, "seat": seat_of(game, player), "request_id": request()}
    assert client.post(f"/g/{game.public_id}/undo/", form).status_code == 303
    assert log.moves_of(fresh(game), 1) == before[:-1]


def test_a_hand_in_which_one_took_back_alone_is_marked_in_the_record_and_counts_in_no_statistics():
    game, (player,) = with_computers(3)
    act(game)
    ask(game, player)
    rush(game)
    assert game.status == Game.Status.FINISHED
    assert "undone" in event_names(replay.record(game))
    assert not PlayedSeat.objects.filter(hand__game=game).exists()
    assert rebuild(game.pk) == []


def test_what_is_taken_back_alone_is_asked_for_once():
    game, (player,) = with_computers(3)
    act(game)
    again = request()
    first = ask(game, player, request_id=again, move=undo_of(game, player).move)
    assert ask(game, player, request_id=again, move=last_move(game).number).number == first.number
    assert event_names(replay.record(fresh(game))).count("undone") == 1


def test_what_a_computer_player_did_is_nobodys_to_take_back():
    game, (player,) = with_computers(3)
    act(game)
    assert computers.act_for(fresh(game))
    move = last_move(game)
    assert move.player.is_computer
    with refuses("cannot-take-back"):
        ask(game, player)
    with refuses("cannot-take-back"):
        undo.propose(game.pk, move.seat, move.number, request_id=request(), by=move.player)


def test_what_a_computer_player_did_for_somebody_away_is_not_theirs(clock, players):
    game = table(players, options=QUIET)
    while fresh(game).asked != "play":
        act(game)
    who = asked(game)
    clock.to(fresh(game).deadline_at)
    work_at(clock.now)  # time is out
    work_at(clock.now)  # and a computer player acts
    assert actor(game) == who
    timing.come_back(game.pk, seat_of(game, who), request_id=request(), by=who)
    assert undo_of(game, who) is None
    with refuses("cannot-take-back"):
        ask(game, who)


# coming, going, and time


def test_who_is_away_need_not_consent_and_who_comes_or_goes_ends_it(clock, players):
    game = table(players, options=QUIET)
    away = asked(game)
    clock.to(fresh(game).deadline_at)
    work_at(clock.now)
    while fresh(game).asked != "play" or asked(game) == away:
        game = fresh(game)
        if asked(game) == away:
            work_at(clock.now + DAY / 24)
        else:
            act(game)
    who = act(game)
    while asked(game) == away:  # the computer player of who is away must not have acted
        work_at(clock.now + DAY / 24)
        while asked(game) == away:
            work_at(clock.now + DAY / 24)
        who = act(game)
    company = projections.consenting_seats(fresh(game))
    assert seat_of(game, away) not in company
    ask(game, who)
    timing.come_back(game.pk, seat_of(game, away), request_id=request(), by=away)
    game = fresh(game)
    assert game.undo == {}
    assert game.due_at is None
    with refuses("cannot-take-back"):
        ask(game, who)
    assert rebuild(game.pk) == []


def test_who_leaves_ends_it_and_the_computer_player_acts_on(players):
    game = at_table(players)
    who, following = actor(game), asked(game)
    ask(game, who)
    play.resign(game.pk, seat_of(game, following), request_id=request(), by=following)
    game = fresh(game)
    assert game.undo == {}
    assert game.due_at is not None
    assert rebuild(game.pk) == []
    assert computers.act_for(game)


def test_who_leaves_the_table_without_a_clock_ends_the_game(players):
    game = at_table(players)
    Game.objects.filter(pk=game.pk).update(pace={})
    rebuild(game.pk)
    who = actor(game)
    ask(game, who)
    play.resign(game.pk, seat_of(game, asked(game)), request_id=request(), by=asked(game))
    game = fresh(game)
    assert (game.status, game.undo, game.due_at) == (Game.Status.RESIGNED, {}, None)
    assert rebuild(game.pk) == []


def test_the_reserve_is_given_back_and_the_time_begins_anew(clock, players):
    game = table(players, options=QUIET)
    while fresh(game).asked != "play":
        act(game)
    who = asked(game)
    seat, whole = seat_of(game, who), projections.clock_of(fresh(game)).seats[seat_of(game, who)].bank
    clock.on(days=3)
    act(game)
    spent = whole - projections.clock_of(fresh(game)).seats[seat].bank
    assert spent > DAY / 2
    clock.on(hours=1)
    undone(game, who, players)
    own = projections.clock_of(fresh(game))
    assert own.seats[seat].bank == whole
    assert (own.running, own.since) == (seat, clock.now)
    assert fresh(game).deadline_at > clock.now + 2 * DAY
    assert rebuild(game.pk) == []
    clock.on(hours=1)
    act(game)
    assert projections.clock_of(fresh(game)).seats[seat].bank == whole


def test_events_about_time_may_stand_between(clock, players):
    game = table(players, options=QUIET)
    while fresh(game).asked != "play":
        act(game)
    who = act(game)
    other, giver = others(players, who)[:2]
    agreements.more_time(game.pk, seat_of(game, other), DAY, request_id=request(), by=giver)
    assert undo_of(game, who) is not None
    ask(game, who)
    agreements.propose_pause(game.pk, seat_of(game, other), clock.now + 2 * DAY, request_id=request(), by=other)
    for player in others(players, other):
        agreements.answer(game.pk, seat_of(game, player), agree=True, request_id=request(), by=player)
    assert projections.clock_of(fresh(game)).paused_until is not None
    for player in others(players, who):
        reply(game, player)
    game = fresh(game)
    assert game.to_act == seat_of(game, who)
    assert rebuild(game.pk) == []
    clock.on(days=3)
    work_at(clock.now)
    assert projections.clock_of(fresh(game)).paused_until is None
    assert rebuild(game.pk) == []


@pytest.mark.parametrize("pace", [DAYS, LIVE, None])
def test_it_lapses_before_the_time_of_who_is_asked_is_out(clock, players, pace):
    game = table(players, pace=pace or DAYS, options=QUIET)
    while fresh(game).asked != "play":
        act(game)
    who = act(game)
    if pace is None:
        Game.objects.filter(pk=game.pk).update(pace={}, clock={}, deadline_at=None, remind_at=None)
    ask(game, who)
    game = fresh(game)
    until = projections.undo_proposal_of(game).until
    assert clock.now < until < (game.deadline_at or clock.now + 2 * DAY)
    assert not undo.lapse(game.pk, expected=game.number)
    assert not undo.lapse(game.pk, expected=game.number - 1, now=until)
    clock.to(until)
    assert work_at(until) > 0
    game = fresh(game)
    assert game.undo == {}
    assert [line.kind for line in table_selector.sight_of(game, who).lines][-1] == "undo-lapsed"
    assert (game.to_act, game.due_at) == (seat_of(game, asked(game)), None)
    assert rebuild(game.pk) == []


def test_opening_the_page_lets_it_lapse_as_well(clock, players):
    game = table(players, options=QUIET)
    while fresh(game).asked != "play":
        act(game)
    who = act(game)
    ask(game, who)
    clock.to(projections.undo_proposal_of(fresh(game)).until + timedelta(seconds=1))
    assert tasks.catch_up(fresh(game)).undo == {}


# said ahead


def test_what_is_said_ahead_waits_and_gets_another_moment_afterwards(clock, players):
    game = table(players, options=QUIET)
    while fresh(game).asked != "play" or len(log.open_table(fresh(game)).hand.trick) != 1:
        act(game)
    following = asked(game)
    for player in players:
        player.forced_cards = "ask"
        player.save()
    plan(game, following)
    who = actor(game)
    ask(game, who)
    game = fresh(game)
    row = Scheduled.objects.get(game=game)
    clock.to(max(row.due_at, clock.now) + timedelta(seconds=1))
    number = game.number
    if projections.undo_proposal_of(game).until > clock.now:
        do_due(clock.now, 10)
        assert fresh(game).number == number
        assert Scheduled.objects.get(game=game).due_at == projections.undo_proposal_of(game).until
    reply(game, following, agree=False)
    row = Scheduled.objects.get(game=game)
    assert clock.now <= row.due_at
    assert row.due_at < due(fresh(game))
    clock.to(row.due_at)
    assert do_due(clock.now, 10) == 1
    assert last_move(game).seat == seat_of(game, following)
    assert rebuild(game.pk) == []


def plan(game, player):
    """A plan for every card of the hand: the lowest of the suit led, or some card."""
    from games.plans import services

    view = table_selector.view_for(fresh(game), seat_of(game, player))
    card = str(choose(view)).split()[1]
    lines = read_plan({"lines": [{"play": card}], "lasts": True})
    assert isinstance(lines, Plan)
    services.save_plan(game.pk, seat_of(game, player), lines, by=player)
    assert Scheduled.objects.filter(game=game).exists()


def test_what_was_noted_for_the_position_that_is_gone_is_not_done(clock, players):
    game = table(players, options=QUIET)
    while fresh(game).asked != "play" or len(log.open_table(fresh(game)).hand.trick) != 1:
        act(game)
    plan(game, asked(game))
    who = actor(game)
    undone(game, who, players)
    assert not Scheduled.objects.filter(game=game).exists()
    assert fresh(game).to_act == seat_of(game, who)


def test_the_same_position_a_second_time_is_done_a_second_time(clock, players):
    """A thing done for a player is a request; the second must not get the receipt of the first."""
    game = table(players, options=QUIET)
    while fresh(game).asked != "play" or len(log.open_table(fresh(game)).hand.trick) != 1:
        act(game)
    who = asked(game)
    plan(game, who)
    clock.to(Scheduled.objects.get(game=game).due_at)
    assert do_due(clock.now, 10) == 1
    first = last_move(game)
    assert first.player == who
    undone(game, who, players)
    assert not Scheduled.objects.filter(game=game).exists(), "who takes back chooses by themselves"
    plan(game, who)
    clock.to(Scheduled.objects.get(game=game).due_at)
    assert do_due(clock.now, 10) == 1
    second = last_move(game)
    assert (second.text, second.seat) == (first.text, first.seat)
    assert second.number > first.number
    assert rebuild(game.pk) == []


# what people are shown and told


def test_everybody_reads_what_is_asked_and_what_came_of_it(players):
    game = at_table(players)
    who = actor(game)
    rest = others(players, who)
    ask(game, who)
    reply(game, rest[0])
    waiting = f"Waiting for {rest[1].name} and {rest[2].name}."
    if seat_of(game, rest[1]) > seat_of(game, rest[2]):
        waiting = f"Waiting for {rest[2].name} and {rest[1].name}."
    sights = {player: table_selector.sight_of(fresh(game), player) for player in (*players, None)}
    prompts = {player: table_text.proposal_or_prompt(seen) for player, seen in sights.items()}
    assert prompts[who] == f"You ask to take your card back. {waiting}"
    assert prompts[rest[1]] == f"{who.name} asks to take a card back. Do you agree?"
    assert prompts[rest[0]] == prompts[None] == f"{who.name} asks to take a card back. {waiting}"
    for other in rest[1:]:
        reply(game, other)
    assert lines(table_selector.sight_of(fresh(game), who))[-1] == "All agree: you take your card back."
    assert lines(table_selector.sight_of(fresh(game), rest[0]))[-1] == f"All agree: {who.name} takes a card back."
    assert lines(table_selector.sight_of(fresh(game), rest[0]))[-4] == "You agree."


def test_the_question_of_the_game_stays_above_what_is_asked_about_taking_back(players):
    game = at_table(players)
    who, following = actor(game), asked(game)
    before = {player: table_text.prompt(table_selector.sight_of(fresh(game), player)) for player in players}
    ask(game, who)
    assert {p: table_text.prompt(table_selector.sight_of(fresh(game), p)) for p in players} == before
    page = client_of(following).get(f"/g/{game.public_id}/").content.decode()
    proposal = page.rindex(f"{who.name} asks to take a card back. Do you agree?")
    assert (
        page.rindex(before[following], 0, proposal)
        < proposal
        < page.index('value="agree" aria-describedby="undo-proposed"')
    )


def test_the_games_of_who_is_asked_say_so_and_those_of_the_others_that_they_wait(players):
    game = at_table(players)
    who = actor(game)
    rest = others(players, who)
    ask(game, who)
    reply(game, rest[0])
    counts = {player: selectors.waiting(player) for player in players}
    assert counts == {who: 0, rest[0]: 0, rest[1]: 1, rest[2]: 1}
    page = selectors.open_games(rest[1])
    (line,) = selectors.game_lines(page, rest[1])
    assert line.line == "May a card be taken back?"
    assert line.until == projections.undo_proposal_of(fresh(game)).until
    (line,) = selectors.game_lines(selectors.open_games(who), who)
    assert line.line == "The others are asked whether something may be taken back."
    for other in rest[1:]:
        reply(game, other)
    assert {player: selectors.waiting(player) for player in players} == {player: player == who for player in players}


def test_who_is_asked_gets_a_notice_that_holds_until_they_answer(players):
    game = at_table(players)
    who = actor(game)
    rest = others(players, who)
    ask(game, who)
    rows = Outbox.objects.filter(event="game.asked")
    assert {row.player for row in rows} == set(rest)
    row = rows.get(player=rest[0])
    told = notifications.words(row.event, row.params, rest[0], "en")
    assert told.line == f"{who.name} asks to take something back, and waits for your answer."
    assert notifications.still_true(row.event, row.params, rest[0])
    reply(game, rest[0])
    assert not notifications.still_true(row.event, row.params, rest[0])
    assert notifications.still_true(row.event, rows.get(player=rest[1]).params, rest[1])
    for other in rest[1:]:
        reply(game, other)
    assert not notifications.still_true(row.event, rows.get(player=rest[1]).params, rest[1])
    turn = Outbox.objects.filter(event="game.turn", player=who).order_by("pk").last()
    assert turn.params["number"] == fresh(game).number
    assert notifications.still_true("game.turn", turn.params, who)


def test_a_stale_page_cannot_play_over_what_was_taken_back(players):
    game = at_table(players)
    who, following = actor(game), asked(game)
    number, card = fresh(game).number, advised(game, following)
    undone(game, who, players)
    with pytest.raises(Stale):
        submit(game, following, card, expected=number)


def test_the_forms_work_without_script(players):
    game = at_table(players)
    who = actor(game)
    rest = others(players, who)
    address = f"/g/{game.public_id}/"
    clients = {player: client_of(player) for player in players}
    assert "Take my card back" in clients[who].get(address).content.decode()
    assert "Take my card back" not in clients[rest[0]].get(address).content.decode()

    def post(player, do, move=None):
        data = {"do": do, "move": move or last_move(game).number, "request_id": str(request())}
        return clients[player].post(f"{address}undo/", data)

    assert post(who, "ask").status_code == 303
    page = clients[rest[0]].get(address).content.decode()
    assert f"{who.name} asks to take a card back. Do you agree?" in page
    assert 'value="agree"' in page
    for player in players:  # who is asked for a card may play on, and is told what that means
        page = clients[player].get(address).content.decode()
        assert ("if you play on, it stays as it is" in page) is (player == asked(game))
    assert "Leave it as it is" in clients[who].get(address).content.decode()
    assert post(rest[0], "agree").status_code == 303
    assert "Decline after all" in clients[rest[0]].get(address).content.decode()
    assert post(rest[0], "agree").status_code == 422
    for other in rest[1:]:
        assert post(other, "agree").status_code == 303
    assert fresh(game).to_act == seat_of(game, who)
    for data in (
        {},
        {"do": "ask"},
        {"do": "dance", "move": 3},
        {"do": "ask", "move": "x"},
        {"do": "ask", "move": "9" * 12},
    ):
        answer = clients[who].post(f"{address}undo/", {"request_id": str(request()), **data})
        assert answer.status_code == 400
    watcher = client_of(person())
    assert watcher.post(f"{address}undo/", {"do": "ask", "move": 3, "request_id": str(request())}).status_code == 403
    assert watcher.get(f"{address}undo/").status_code == 405


def test_who_comes_back_reads_that_something_was_taken_back(players):
    game = at_table(players)
    who = actor(game)
    undone(game, who, players)
    page = client_of(others(players, who)[0]).get(f"/g/{game.public_id}/").content.decode()
    assert f"All agree: {who.name} takes a card back." in page


def test_a_substitute_reads_who_took_back_by_name(clock, players):
    game = at_table(players)
    who = actor(game)
    undone(game, who, players)
    seat = seat_of(game, who)
    play.resign(game.pk, seat, request_id=request(), by=who)
    timing.ask_substitute(game.pk, seat, request_id=request(), by=others(players, who)[0])
    newcomer = person(name="Gion")
    timing.substitute(game.pk, seat, request_id=request(), by=newcomer)
    told = lines(table_selector.sight_of(fresh(game), newcomer))
    assert f"All agree: {who.name} takes a card back." in told
    assert rebuild(game.pk) == []


def test_the_command_that_rebuilds_finds_nothing_to_mend(players, capsys):
    game = at_table(players)
    who = actor(game)
    undone(game, who, players)
    act(game)
    ask(game, who)
    call_command("rebuild")
    assert fresh(game).undo["move"] == last_move(game).number


def between_hands(hands: int = 2):
    """A person alone with computer players, whose first hand is over."""
    game, (player,) = with_computers(3, hands=hands, demands=False)
    rush(game)
    return game, player


def test_the_last_card_of_a_hand_is_taken_back_until_the_next_is_dealt():
    game, player = between_hands()
    moves, promise = log.moves_of(game, 1), game.hands.get(number=2).deal
    totals = game.totals
    own = next(move for move in reversed(moves) if move.seat == seat_of(game, player))
    assert undo_of(game, player).move == own.number
    assert PlayedSeat.objects.filter(hand__game=game).exists()
    ask(game, player, move=own.number)
    game = fresh(game)
    assert (game.hand_number, game.hands_played, game.totals) == (1, 0, [0] * 4)
    assert (game.to_act, game.asked) == (seat_of(game, player), "play")
    assert log.moves_of(game, 1) == [move for move in moves if move.number < own.number]
    assert not PlayedSeat.objects.filter(hand__game=game).exists()
    assert rebuild(game.pk) == []
    same_as_never_made(game)
    assert undo_of(game, player) is not None, "and the card before it"
    rush(game)
    assert game.hands.get(number=2).deal == promise, "the pack that was promised is the one that is dealt"
    assert game.totals == totals
    assert not PlayedSeat.objects.filter(hand__game=game).exists()
    assert rebuild(game.pk) == []


def test_once_the_next_hand_is_dealt_the_last_stays():
    game, player = between_hands()
    own = undo_of(game, player)
    sit(game, player)
    while fresh(game).asked != "play":
        offered = undo_of(game, player)
        assert offered is None or offered.move > own.move
        act(fresh(game))
    with refuses("cannot-take-back"):
        ask(game, player, move=own.move)


def test_the_card_that_ends_the_game_stays():
    game, player = between_hands(hands=1)
    assert game.status == Game.Status.FINISHED
    assert undo_of(game, player) is None


def test_the_hand_that_was_taken_up_again_is_closed_again():
    game, player = between_hands()
    client = client_of(player)
    address = f"/g/{game.public_id}/hand/1/"
    assert client.get(address).status_code == 200
    assert "Take my card back<" in client.get(f"/g/{game.public_id}/").content.decode()
    ask(game, player, move=undo_of(game, player).move)
    assert client.get(address).status_code == 404


@pytest.mark.parametrize(
    ("ruleset", "size", "pace"),
    [("troccas-3", 3, None), ("troggu", 5, None), ("troccas", 4, LIVE), ("troccas", 4, DAYS)],
)
@pytest.mark.slow(but="troccas-4-pace3")
def test_the_last_card_of_a_hand_is_taken_back_in_every_kind_of_game(ruleset, size, pace):
    player = person()
    options = {"hands": 3} | ({"throw_in": False, "demands": False} if ruleset == "troccas" else {})
    game = play.start(ruleset, [player, *computers.computer_players(size - 1)], options=options, pace=pace)
    if pace is None:
        sit(game, player)
    else:
        assert timing.begin(game.pk, expected=fresh(game).number, now=fresh(game).due_at)
    before = fresh(game).hand_number
    rush(game)
    game = fresh(game)
    if game.hands.get(number=before).status != "played":
        return  # everybody passed: no card was played
    assert game.hand_number == before + 1
    totals = game.totals
    for _ in range(2):
        ask(game, player, move=undo_of(game, player).move)
        game = fresh(game)
        assert (game.hand_number, game.hands_played, game.totals) == (before, 0, [0] * size)
        assert rebuild(game.pk) == []
        same_as_never_made(game)
    rush(game)
    game = fresh(game)
    assert (game.hand_number, game.totals) == (before + 1, totals)
    assert rebuild(game.pk) == []
    if pace is not None:
        assert timing.begin(game.pk, expected=game.number, now=game.due_at)
        assert fresh(game).asked
