"""The talk answered ahead: for a round, a deal, or all deals; done by the worker, known to nobody else."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from games.exceptions import NotNow, NotYourSeat
from games.plans import selectors, services, tasks
from games.plans.language import NoTalk, Talk, answer, read_talk
from games.plans.models import Plans
from notices.models import Outbox
from tests.domain.engine.kit import do, position
from tests.games.pace_kit import asked, fresh, people, table, turned
from tests.games.plans_kit import QUIET, at_position, client_of, noted, outputs, view_of
from tests.games.table_kit import advised, seat_of, submit

pytestmark = pytest.mark.django_db

SILENT = {"hands": 1, "talk": "silent"}


@pytest.fixture
def players():
    return people()


def later():
    return timezone.now() + timedelta(days=30)


def _talk_of(rounds):
    def wanted(hand):
        return hand.asked == "talk" and hand.dealt == rounds

    return wanted


def to_talk(players):
    return at_position(
        players, lambda hand: hand.asked == "talk" and not hand.spoken, SILENT, last_through_the_door=True
    )


def test_each_round_has_its_own_word_and_the_last_holds_for_the_rest(players):
    talk = Talk(("allow", "veto"))
    for rounds, word in ((1, "allow"), (2, "veto"), (3, "veto")):
        game = at_position(players, _talk_of(rounds), SILENT)
        view = view_of(game, asked(game))
        assert view.dealt == rounds
        assert str(answer(talk, view)) == word


def test_veto_unless_the_hand_is_weak(players):
    game = to_talk(players)
    view = view_of(game, asked(game))
    trumps = sum(1 for card in range(56, 77) if view.held >> card & 1)
    assert str(answer(Talk(("unless",), trumps), view)) == "veto"
    assert str(answer(Talk(("unless",), trumps + 1), view)) == "allow"


def test_consent_is_the_word_that_is_asked_for_and_no_more(players):
    free = at_position(players, lambda hand: hand.asked == "free", SILENT)
    assert str(answer(Talk(("allow",)), view_of(free, asked(free)))) == "liber"
    assert str(answer(Talk(("veto",)), view_of(free, asked(free)))) == "veto"
    decide = at_position(people(), lambda hand: hand.asked == "decide", SILENT)
    view = view_of(decide, asked(decide))
    assert answer(Talk(("allow",)), view) is None, "to throw in is not to consent: the dealer is asked"
    assert str(answer(Talk(("veto",)), view)) == "go"


def test_who_is_not_asked_and_who_plays_cards_says_nothing():
    hand = position("C1 S1", "C2 S2", "C3 S3", "C4 S4", leader=0)
    assert answer(Talk(("veto",)), hand.view(0)) is None
    assert answer(Talk(("veto",)), do(hand, "play C1").view(0)) is None


def test_what_is_said_while_one_is_asked_is_said_a_while_later(players):
    game = to_talk(players)
    who = asked(game)
    services.save_talk_plan(game.pk, seat_of(game, who), Talk(("veto",)), every_deal=False, by=who)
    assert fresh(game).number == game.number, "nothing goes into the log before it is done"
    tasks.do_due(later(), 50)
    assert game.actions.get(number=game.number + 1).text == "veto"


def test_a_whole_deal_passes_without_a_visit_to_the_talk(players):
    game = table(players, options=SILENT)
    for player in players:
        services.save_talk_plan(game.pk, seat_of(game, player), Talk(("veto",)), every_deal=True, by=player)
    Outbox.objects.all().delete()
    while view_of(game, asked(game)).asked in ("cut", "talk", "free", "decide"):
        if view_of(game, asked(game)).asked == "cut":
            submit(game, asked(game), advised(game, asked(game)))
        else:
            assert tasks.do_due(later(), 50) > 0
    assert view_of(game, asked(game)).asked == "scart"
    assert Outbox.objects.filter(event="game.turn").count() == 1, "only the dealer is called, to lay cards away"


def test_what_was_said_for_one_deal_is_not_said_in_the_next(players):
    game = to_talk(players)
    who = asked(game)
    services.save_talk_plan(game.pk, seat_of(game, who), Talk(("veto",)), every_deal=False, by=who)
    row = Plans.objects.get(player=who)
    assert selectors.talk_of(row, game.hand_number)
    assert not selectors.talk_of(row, game.hand_number + 1)
    services.save_talk_plan(game.pk, seat_of(game, who), Talk(("veto",)), every_deal=True, by=who)
    row.refresh_from_db()
    assert selectors.talk_of(row, game.hand_number + 1)


def test_nothing_said_asks_again(players):
    game = to_talk(players)
    who = asked(game)
    services.save_talk_plan(game.pk, seat_of(game, who), Talk(("veto",)), every_deal=False, by=who)
    assert noted(game) is not None
    services.save_talk_plan(game.pk, seat_of(game, who), Talk(), every_deal=False, by=who)
    assert noted(game) is None


def test_who_does_not_sit_there_and_a_table_without_talk_are_refused(players):
    game = to_talk(players)
    with pytest.raises(NotYourSeat):
        services.save_talk_plan(game.pk, 0, Talk(("veto",)), every_deal=False, by=people(1)[0])
    silent = at_position(players, lambda hand: hand.asked == "play", QUIET)
    with pytest.raises(NotNow):
        services.save_talk_plan(silent.pk, 0, Talk(("veto",)), every_deal=False, by=players[0])
    assert not Plans.objects.exists()


@pytest.mark.parametrize(
    "data", [{"rounds": ["no"]}, {"rounds": "veto"}, {"fewer": 99}, {"fewer": True}, {"rounds": [""] * 10}]
)
def test_what_is_no_talk_is_refused(data):
    with pytest.raises(NoTalk):
        read_talk(data)


@pytest.mark.slow
def test_it_is_said_on_a_page_and_shown_to_its_owner_alone(players, monkeypatch):
    game = to_talk(players)
    who = asked(game)
    others = [player for player in players if player != who]
    address = reverse("games:plans", args=[game.public_id])
    with turned(monkeypatch, timezone.now()):
        for player in others:
            outputs(game, player)
        before = [outputs(game, player) for player in others]
        client = client_of(who)
        assert client.get(address).status_code == 200
        sent = {"do": "talk", "round": ["allow", "veto", "unless"], "fewer": "4", "every": "1"}
        assert client.post(address, sent).status_code == 303
        assert read_talk(Plans.objects.get(player=who).talk) == Talk(("allow", "veto", "unless"), 4)
        page = client.get(reverse("games:table", args=[game.public_id])).content.decode()
        assert "Round 3: veto, unless you hold fewer than 4 trumps." in page
        assert [outputs(game, player) for player in others] == before
    assert client.post(address, {"do": "talk", "round": ["nonsense"]}).status_code == 400
    assert client.post(address, {"do": "other"}).status_code == 400
    assert client_of(people(1)[0]).get(address).status_code == 403
