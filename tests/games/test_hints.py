"""A hint at a table against computer players: what one of these would do, from what its asker may know, and marked in the log."""

from __future__ import annotations

import random
import re
import uuid
from dataclasses import asdict, replace

import pytest
from django.db.models import CharField
from django.db.models.functions import Cast
from django.test import Client
from django.urls import reverse
from django.utils import translation

from accounts import sessions, tokens
from accounts.models import Player
from domain.bots.advice import advise
from domain.bots.common import Advice, Reason
from domain.bots.reviewing import FactKind
from domain.engine import parse_action, ruleset
from games.exceptions import NotNow
from games.models import Game, PlayedSeat
from games.selectors import replay, rulesets, table
from games.services import computers, play
from games.services.rebuilding import rebuild
from games.table import services
from games.text import advice as advice_text
from games.text.advice import FactSeen
from tests.games.api_kit import Program, member
from tests.games.store_kit import exchange_stored, pack_of, random_hand, store, texts_of
from tests.games.table_kit import laid, person, play_out, rush, seat_of, sit, submit, wait
from tests.games.test_going_on import QUICK
from tests.games.test_secrets import exchanged, outputs
from tests.games.test_undo import event_names
from tests.long import LONG

pytestmark = pytest.mark.django_db


def ask(game, player, **how):
    game.refresh_from_db()
    asked = {"expected": game.number, "request_id": uuid.uuid4(), "by": player} | how
    receipt = play.hint(game.pk, seat_of(game, player), **asked)
    game.refresh_from_db()
    return receipt


def on_turn(**how):
    player = person()
    game = laid(player, options=QUICK, **how)
    sit(game, player)
    wait(game, player)
    return game, player


def test_a_hint_says_what_to_do_and_why_and_is_gone_with_the_next_move():
    game, player = on_turn()
    asked = set()
    while game.status == Game.Status.PLAYING:
        seen = table.sight_of(game, player)
        assert (seen.may_hint, seen.hinted, services.hint_of(game, seen)) == (True, False, None)
        ask(game, player)
        seen = table.sight_of(game, player)
        assert (seen.may_hint, seen.hinted) == (False, True)
        hint = services.hint_of(game, seen)
        assert hint.doing
        assert hint.because
        asked.add(parse_action(hint.action).verb)
        submit(game, player, hint.action)
        wait(game, player)
    assert "play" in asked
    assert rebuild(game.pk) == []
    assert event_names(replay.record(game)).count("hinted") > 15
    assert not PlayedSeat.objects.filter(hand__game=game).exists()


def test_the_button_that_does_what_a_hint_says_is_read_with_it():
    game, player = on_turn()
    ask(game, player)
    client = Client()
    client.cookies["guest"] = sessions.issue_guest_token(player)
    page = client.get(reverse("games:table", args=[game.public_id])).content.decode()
    button = re.search(r'<button[^>]* aria-describedby="([^"]+)">Do that', page)
    assert button is not None
    assert re.search(rf'id="{button[1]}"><b>\w', page) is not None


def test_a_hint_is_in_the_words_of_its_game(monkeypatch):
    game, player = on_turn()
    ask(game, player)
    seen = table.sight_of(game, player)
    given = Advice(advise(table.view_for(game, seen.viewer)).action, Reason.PARTNER_WINS_LOW)
    monkeypatch.setattr(services, "advise", lambda view: given)
    assert services.hint_of(game, seen).because.startswith("Your partner is winning already")
    # In Troggu one does not always know who one's partner is.
    assert services.hint_of(game, replace(seen, ruleset="troggu")).because.startswith("Your side is winning already")


@pytest.mark.parametrize("known", rulesets.ORDER)
def test_there_are_words_for_whatever_is_asked_in_any_game(known):
    for seed in range(3 if LONG else 1):
        hand = random_hand(seed, 0, rules=ruleset(known))
        while not hand.over:
            given = advise(hand.view(hand.turn))
            assert advice_text.doing(given.action, known).endswith((".", "?")), given.action
            assert advice_text.because(given.reason, known)
            hand.push(given.action)


def test_the_same_request_is_written_once():
    game, player = on_turn()
    again = uuid.uuid4()
    first = ask(game, player, request_id=again)
    assert ask(game, player, request_id=again).number == first.number


def test_a_hand_without_a_hint_counts():
    game, player = on_turn()
    ask(game, player)
    play_out(game, player)
    assert not PlayedSeat.objects.exists()
    game, player = on_turn()
    play_out(game, player)
    assert PlayedSeat.objects.filter(hand__game=game).count() == 4


def test_there_is_none_in_the_lesson_among_people_and_out_of_turn():
    game, player = on_turn(kind=Game.Kind.GUIDED)
    with pytest.raises(NotNow):
        ask(game, player)
    two = [person(), person()]
    game = play.start("troccas", [*two, *computers.computer_players(2)], options=QUICK)
    for one in two:
        sit(game, one)
    assert not any(table.sight_of(game, one).may_hint for one in two)
    for one in two:
        with pytest.raises(NotNow):
            ask(game, one)
    game, player = on_turn()
    rush(game, 1)
    while game.to_act == seat_of(game, player):
        rush(game, 1)
    with pytest.raises(NotNow):
        ask(game, player)


def test_others_read_that_a_hint_was_asked_for_but_not_what_it_said():
    game, player = on_turn()
    ask(game, player)
    client = Client()
    client.cookies["guest"] = sessions.issue_guest_token(player)
    address = reverse("games:table", args=[game.public_id])
    assert 'class="hint' in client.get(address).content.decode()
    other = Client().get(address).content.decode()
    assert "asks for a hint. This hand does not count in statistics." in other
    assert 'class="hint' not in other


def test_by_forms_alone():
    game, player = on_turn()
    client = Client()
    client.cookies["guest"] = sessions.issue_guest_token(player)
    form = {"expected": game.number, "request_id": str(uuid.uuid4())}
    answer = client.post(reverse("games:hint", args=[game.public_id]), form)
    assert answer.status_code == 303
    assert table.sight_of(Game.objects.get(pk=game.pk), player).hinted


def test_a_program_asks_as_the_page_does():
    player = member()
    game = laid(player, options=QUICK)
    sit(game, player)
    wait(game, player)
    program, address = Program(player, scopes=(tokens.PLAY,)), f"/games/{game.public_id}"
    before = program.ask(address)
    assert (before["may_hint"], before["hinted"], before["hint"]) == (True, False, None)
    told = program.say(f"{address}/hint", expected=before["number"])["game"]
    assert (told["may_hint"], told["hinted"]) == (False, True)
    game.refresh_from_db()
    assert told["hint"] == asdict(services.hint_of(game, table.sight_of(game, player)))
    assert program.ask(address)["hint"] == told["hint"]
    assert event_names(replay.record(game)).count("hinted") == 1
    after = program.say(f"{address}/act", action=told["hint"]["action"], expected=told["number"])["game"]
    assert after["hint"] is None
    if not after["may_hint"]:
        program.say(f"{address}/hint", 422, expected=after["number"])


@pytest.mark.slow
def test_a_hint_is_the_same_whatever_the_others_hold():
    compared = 0
    for seed in range(60):
        hand = random_hand(seed, 30 + seed)
        if hand.over:
            continue
        twin, pairs = exchanged(hand, hand.turn, random.Random(seed))
        if not pairs:
            continue
        players = [person() for _ in range(hand.seats)]
        viewer = players[hand.turn]
        game = store(hand, players)
        named = Cast("pk", CharField())  # no two computer players of a level are called alike
        Player.objects.exclude(pk=viewer.pk).update(computer=computers.LEVEL, name=named)
        ask(game, viewer)
        raw = sessions.issue_guest_token(viewer)
        before = outputs(game, viewer, raw)
        assert 'class="hint' in str(before["table"])
        exchange_stored(game, pack_of(twin), texts_of(twin))
        assert outputs(game, viewer, raw) == before
        compared += 1
        if compared == (12 if LONG else 2):
            break
    assert compared


def test_where_somebody_has_two_partners_a_hint_does_not_speak_of_the_one_opposite_who_is_a_foe():
    with translation.override("de"):
        for reason in (Reason.LEAD_TO_PARTNER, Reason.PARTNER_WINS_SMEAR, Reason.PARTNER_WINS_LOW, Reason.HELP_PARTNER):
            assert "egenüber" in advice_text.because(reason, "troccas")
            assert "egenüber" not in advice_text.because(reason, "troccas-6")


@pytest.mark.parametrize("reason", [Reason.LEAD_LOW, Reason.WIN_CHEAPLY, Reason.WIN_HIGH])
def test_in_german_a_reason_fits_a_card_of_either_gender(reason):
    """Before, it went on with "Sie" after "Spiele den Reiter"."""
    with translation.override("de"):
        assert advice_text.because(reason, "troccas").startswith("Diese Karte ")
        assert advice_text.because(Reason.TAKE_THE_BEST, "troccas-oinkers").startswith("Diese Karte ")


def test_to_allow_a_throw_in_is_what_one_does_not_a_word_to_say():
    assert advice_text.doing(parse_action("allow"), "troccas") == "Allow a throw-in."
    assert advice_text.doing(parse_action("allow pasun"), "troccas") == "Allow a throw-in, with “pasun”."


def test_of_a_trump_it_is_said_that_no_trump_could_beat_it_not_that_no_card_of_its_suit_could():
    def said(card: str, suit: str) -> str:
        return advice_text.fact(FactSeen(FactKind.HIGHEST_LEFT, seat=-1, card=card, suit=suit, number=0), company)

    game, player = on_turn()
    company = table.sight_of(game, player)
    assert said("T17", "T") == "No trump could beat the XVII (the Star) any more."
    with translation.override("de"):
        assert said("F", "T") == "Kein Trumpf konnte den Narren mehr schlagen."
        assert said("B9", "B") == "Keine Karte der gleichen Farbe konnte die Stäbe 9 mehr schlagen."
