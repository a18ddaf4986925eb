"""The talk at tables where nothing is thrown in: said by anybody before their own first card, and nobody waits for it."""

import json
import uuid

import pytest
from django.urls import reverse

from accounts.models import Player
from domain.engine.record import parse_record, replay
from games.exceptions import Forbidden, GameError, NotYourSeat, Stale
from games.imports.services import read_record
from games.lobby.services.tables import CORRESPONDENCE
from games.lobby.text import agreed
from games.models import Action, Game, Punctuality
from games.plans import services as plans
from games.plans.language import read_plan
from games.selectors import replay as replays
from games.selectors import table
from games.services import play, undo
from games.services.rebuilding import rebuild
from games.table.templatetags.replay import spoken
from games.text.log import log_line
from notices.models import Outbox
from tests.games import pace_kit
from tests.games.pace_kit import fresh, request
from tests.games.plans_kit import client_of, noted
from tests.games.table_kit import advised, laid, person, rush, seat_of, sit, step, submit

PHRASE = "say ina-flur"
OPTIONS = {**CORRESPONDENCE, "hands": 1}

pytestmark = pytest.mark.django_db


@pytest.fixture
def players():
    return pace_kit.people()


def say(game: Game, player: Player, text: str = PHRASE, **how):
    how = {"expected": fresh(game).number, "request_id": request(), "by": player} | how
    return play.submit(game.pk, seat_of(game, player), text, **how)


def at_scart(players):
    game = pace_kit.table(players, options=OPTIONS)
    pace_kit.act(game)
    assert fresh(game).asked == "scart"
    return fresh(game)


def at_first_lead(players):
    game = at_scart(players)
    pace_kit.act(game)
    return fresh(game)


def lead(game, **how):
    """The leader plays; the number of it."""
    leader = pace_kit.asked(game)
    card = next(card.code for card in table.sight_of(fresh(game), leader).cards if card.playable)
    how = {"expected": fresh(game).number, "request_id": request(), "by": leader} | how
    return play.submit(game.pk, seat_of(game, leader), f"play {card}", **how).number


def others(game, players):
    return [player for player in players if player != pace_kit.asked(game)]


def test_everybody_may_speak_at_a_table_of_days_while_the_dealer_lays_away(players):
    game = at_scart(players)
    for player in players:
        assert table.sight_of(fresh(game), player).sayable == "phrases"
        say(game, player)
    sight = table.sight_of(fresh(game), players[0])
    assert [said.phrases for seat in sight.seats for said in seat.saying] == [("ina-flur",)] * 4
    assert sight.question.asked == "scart"


def test_watchers_hear_it_and_may_say_nothing(players):
    game = at_scart(players)
    say(game, players[1])
    sight = table.sight_of(fresh(game), None)
    assert sight.sayable == ""
    spoke = next(line for line in sight.lines if line.kind == "spoke")
    assert "ina flur" in log_line(spoke, sight)
    with pytest.raises(NotYourSeat):
        play.submit(game.pk, 1, PHRASE, expected=fresh(game).number, request_id=request(), by=person(name="Eva"))


def test_it_is_no_turn_no_clock_and_no_notice(players):
    game = at_scart(players)
    before = fresh(game)
    told = Outbox.objects.count()
    counted = list(Punctuality.objects.values_list("player", "actions"))
    say(game, others(game, players)[0])
    after = fresh(game)
    assert (after.to_act, after.asked, after.deadline_at, after.waits_for) == (
        before.to_act, before.asked, before.deadline_at, before.waits_for,
    )  # fmt: skip
    assert after.clock == before.clock
    assert (after.due_at, after.remind_at) == (before.due_at, before.remind_at)
    assert Outbox.objects.count() == told
    assert list(Punctuality.objects.values_list("player", "actions")) == counted


def test_a_page_read_before_somebody_spoke_still_acts(players):
    game = at_first_lead(players)
    number = fresh(game).number
    say(game, others(game, players)[0])
    lead(game, expected=number)
    with pytest.raises(Stale):
        lead(game, expected=number)


def test_two_who_speak_at_once_are_both_heard_but_not_in_another_deal(players):
    game = at_scart(players)
    number = fresh(game).number
    for player in players[:2]:
        say(game, player, expected=number)
    for wrong in (0, number + 20):
        with pytest.raises(Stale):
            say(game, players[2], expected=wrong)


def test_the_same_request_is_said_once(players):
    game = at_scart(players)
    asked = uuid.uuid4()
    first = say(game, players[1], request_id=asked)
    again = say(game, players[1], request_id=asked)
    assert first.number == again.number
    assert game.actions.filter(kind=Action.Kind.SAID).count() == 1


def test_after_ones_own_first_card_it_is_too_late_and_nothing_changes(players):
    game = at_first_lead(players)
    leader, rest = pace_kit.asked(game), others(game, players)
    number = lead(game)
    with pytest.raises(Forbidden):
        say(game, leader)
    assert fresh(game).number == number
    assert table.sight_of(fresh(game), leader).sayable == ""
    assert all(table.sight_of(fresh(game), other).sayable for other in rest)


def test_the_projections_made_anew_are_the_same(players):
    game = at_first_lead(players)
    say(game, others(game, players)[0])
    assert rebuild(game.pk) == []


def test_what_was_said_stands_when_a_card_is_taken_back(players):
    game = at_first_lead(players)
    leader, rest = pace_kit.asked(game), others(game, players)
    number = lead(game)
    say(game, rest[0])
    undo.propose(game.pk, seat_of(game, leader), number, request_id=request(), by=leader)
    say(game, rest[1])
    for player in rest:
        undo.answer(game.pk, seat_of(game, player), number, agree=True, request_id=request(), by=player)
    sight = table.sight_of(fresh(game), leader)
    assert sight.trick is None
    assert sum(len(one.saying) for one in sight.seats) == 2
    assert rebuild(game.pk) == []


def test_a_plan_that_waits_for_its_moment_does_not_lapse(players):
    game = at_first_lead(players)
    leader = pace_kit.asked(game)
    code = next(card.code for card in table.sight_of(fresh(game), leader).cards if card.playable)
    wanted = read_plan({"lines": [{"play": code}]})
    plans.save_plan(game.pk, seat_of(game, leader), wanted, by=leader)
    say(game, others(game, players)[0])
    row = noted(game)
    assert row is not None
    pace_kit.work_at(row.due_at)
    assert game.actions.filter(kind=Action.Kind.MOVE, text=f"play {code}").exists()


def test_the_record_has_it_and_can_be_read(players):
    game = at_scart(players)
    say(game, players[1])
    rush(game)
    record = replays.record(fresh(game))
    assert f"{seat_of(game, players[1])} say ina-flur" in record.hands[0].actions
    assert replay(parse_record(json.dumps(record.to_json()))).over
    kept = read_record(json.dumps(record.to_json()))
    assert kept.record.hands[0].actions == record.hands[0].actions
    seen = replays.replay(fresh(game), 1, 2, players[0])
    assert [spoken(seat, seen).word for seat in seen.seats if spoken(seat, seen)] == ["says"]


def test_own_words_are_no_part_of_what_is_brought(players):
    game = pace_kit.table(players, options=OPTIONS | {"talk": "free"})
    pace_kit.act(game)
    for text in ('say "bien di"', 'say ina-flur "bien di"'):
        say(game, players[1], text)
    with pytest.raises(GameError) as refused:
        say(game, players[1], 'say "ace of cups"')
    assert refused.value.code == "card-named"
    rush(game)
    read = read_record(json.dumps(replays.record(fresh(game)).to_json()))
    assert [line.partition(" ")[2] for line in read.record.hands[0].actions if "say" in line] == ["say ina-flur"]


def test_a_computer_players_company_is_undone_without_what_was_said():
    own = person(name="Anna")
    game = laid(own, options={"throw_in": False, "hands": 1})
    sit(game, own)
    while fresh(game).asked != "play" or fresh(game).to_act != seat_of(game, own):
        step(game, own)
    say(game, own)
    submit(game, own, advised(game, own))
    found = table.sight_of(fresh(game), own).undo
    assert found is not None
    undo.propose(game.pk, seat_of(game, own), found.move, request_id=request(), by=own)
    sight = table.sight_of(fresh(game), own)
    assert (sight.question.mine, sight.question.asked) == (True, "play")
    assert [len(seat.saying) for seat in sight.seats if seat.own] == [1]
    assert rebuild(game.pk) == []


def test_the_page_offers_it_and_the_form_says_it(players):
    game = at_scart(players)
    here = client_of(others(game, players)[0])
    page = here.get(reverse("games:table", args=[game.public_id])).content.decode()
    assert "Say something about your cards" in page
    data = {"verb": "say", "phrase": ["ina-flur", "autras"], "expected": fresh(game).number, "request_id": request()}
    assert here.post(reverse("games:act", args=[game.public_id]), data).status_code == 303
    assert game.actions.get(kind=Action.Kind.SAID).text == "say ina-flur autras"
    assert "ina flur" in here.get(reverse("games:table", args=[game.public_id])).content.decode()


def test_to_say_nothing_with_the_form_says_what_to_do(players):
    game = at_scart(players)
    data = {"verb": "say", "expected": fresh(game).number, "request_id": request()}
    answer = client_of(players[0]).post(reverse("games:act", args=[game.public_id]), data)
    assert answer.status_code == 422
    assert "Choose at least one phrase" in answer.content.decode()
    assert not game.actions.filter(kind=Action.Kind.SAID).exists()


def test_a_table_where_nothing_is_said_offers_nothing(players):
    game = pace_kit.table(players, options=OPTIONS | {"talk": "silent"})
    pace_kit.act(game)
    assert table.sight_of(game, players[1]).sayable == ""
    with pytest.raises(Forbidden):
        say(game, players[1])


def test_the_lobby_says_that_one_may_speak():
    told = dict(agreed({"talk": "phrases", "throw_in": False}))
    assert told["What may be said"] == "phrases of the phrase book"
