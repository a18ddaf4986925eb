"""What is called and what comes of it stands at its seat until the next lead; the draw, the Tapp, and a card that all know."""

from __future__ import annotations

import random
import re
from dataclasses import replace
from typing import TYPE_CHECKING, get_args, get_type_hints

import pytest
from django.template.loader import render_to_string

from domain.bots.common import Reason
from domain.engine import UNKNOWN, Action, Hand, ruleset
from games.models import Game
from games.read_models import Happened, Question
from games.selectors import log, table
from games.selectors.lines import hand_entries, happened_of, owes, tapp_of
from games.services import computers, play
from games.table.templatetags.table import bar_sides
from games.text.advice import because, doing
from games.text.log import log_line
from games.text.table import asked_of_other, asked_of_you, choice, in_short, panel
from tests.domain.engine.kit import do, position
from tests.games.store_kit import random_action, random_hand
from tests.games.table_kit import laid, person, play_hand, rush, sit, submit, wait
from tests.games.test_wording import SIGHT

if TYPE_CHECKING:
    from collections.abc import Iterator

KINDS = frozenset(re.findall(r"[a-z-]+", get_args(get_type_hints(Happened, include_extras=True)["kind"])[1])) - {
    "before", "the", "first", "lead",
}  # fmt: skip


def at_seats(hand: Hand, viewer: int | None = None) -> dict[int, list[tuple[str, ...]]]:
    """What stands at each seat where something does, as kind and cards."""
    told = happened_of(hand.view(viewer))
    return {seat: [(one.kind, *one.cards) for one in found] for seat, found in enumerate(told) if found}


def test_a_call_stands_at_its_callers_and_the_jack_at_its_holders_seat_until_the_next_lead():
    hand = do(position("CK S1", "C2 CJ", "C3 S3", "C4 S4"), "play CK", "play C2", "play C3", "play C4")
    assert at_seats(hand) == {}
    do(hand, "buob")
    assert at_seats(hand) == {0: [("trick-won",), ("buob",)], 1: [("jack-given", "CJ", "C2")]}
    do(hand, "play S1")
    assert at_seats(hand) == {}


def test_a_jack_that_does_not_come_is_told_where_it_was_called():
    hand = do(
        position("CK S1", "C2 S2", "C3 S3", "C4 S4", scart="CJ O2"), "play CK", "play C2", "play C3", "play C4", "buob"
    )
    assert at_seats(hand) == {0: [("trick-won",), ("buob",), ("no-jack", "CJ")]}


def test_a_jack_that_does_not_come_is_told_where_it_was_called_also_when_somebody_was_asked_about_the_fool():
    hand = do(
        position("CK S1", "F S2", "C3 S3", "C4 S4", scart="CJ O2"), "play CK", "play F", "play C3", "play C4", "buob"
    )
    assert hand.asked == "fool"
    do(hand, "keep")
    told = at_seats(hand)
    assert told[0] == [("trick-won",), ("buob",), ("no-jack", "CJ")]
    assert told[1] == [("fool",), ("keep",), ("fool-owed",)]


def test_king_and_jack_together_stand_there_and_then_what_is_taken_back():
    hand = do(position("CK CJ", "C2 S2", "C3 S3", "C4 S4"), "play CK CJ")
    assert at_seats(hand) == {0: [("pair", "CK", "CJ")]}
    do(hand, "play C2", "play C3", "play C4", "take C4")
    assert at_seats(hand) == {0: [("trick-won",), ("pair", "CK", "CJ"), ("taken-back", "CJ", "C4")]}


def test_a_debt_for_the_fool_stays_at_the_seat_until_it_is_paid():
    hand = do(position("CQ S1", "F T1", "C3 S3", "C4 S4"), "play CQ", "play F", "play C3", "play C4")
    assert at_seats(hand)[1] == [("fool",), ("fool-owed",)]
    assert owes(hand.view(None)) == 1
    do(hand, "play S1", "play T1")
    assert at_seats(hand) == {}
    assert owes(hand.view(0)) == 1
    do(hand, "play S3", "play S4")
    assert at_seats(hand) == {0: [("fool-paid",)], 1: [("trick-won",)]}
    assert owes(hand.view(0)) is None


def test_a_debt_for_the_fool_that_is_paid_at_once_is_told_as_paid_alone():
    hand = position("C10 S1 B1", "C1 S2 B2", "C9 SQ B3", "C8 F B4")
    do(hand, "play C10", "play C1", "play C9", "play C8", "play S2", "play SQ", "play F", "play S1")
    assert at_seats(hand) == {2: [("trick-won",), ("fool-paid",)], 3: [("fool",)]}


@pytest.mark.parametrize(
    "known", ["troccas", "troccas-3", "troccas-online", "troccas-oinkers", "troggu", "troggu-graechen"]
)
@pytest.mark.slow(but="troccas-oinkers")
def test_all_that_happens_has_words_and_is_the_same_for_everybody_at_the_table(known: str):
    rules = ruleset(known)
    for seed in range(8):
        hand, chance = random_hand(seed, 0, rules=rules), random.Random(seed)
        while not hand.over:
            hand.push(random_action(hand, chance))
            told = happened_of(hand.view(None))
            assert {one.kind for at_seat in told for one in at_seat} <= KINDS
            assert all(in_short(one).label for at_seat in told for one in at_seat)
            assert all(happened_of(hand.view(seat)) == told for seat in range(rules.seats))


def test_what_happens_at_a_seat_is_said_to_who_sits_there_in_the_second_person():
    given = Happened("jack-given", ("CJ", "C2"))
    assert in_short(given).label == "the jack for the 2"
    assert in_short(given, own=True).label == "your jack for the 2"
    for kind in KINDS - {
        "buob",
        "buob-sche",
        "buob-cavalier",
        "pass",
        "take",
        "solo",
        "throw-in",
        "pair",
        "no-jack",
        "jack-back",
    }:
        told = Happened(kind, ("CJ", "C2"), 2)
        assert in_short(told, own=True).label.startswith("you"), kind
        assert not in_short(told).label.startswith("you"), kind
    must = Happened("must-play", ("F",))
    assert (in_short(must).label, in_short(must, own=True).label) == (
        "holds the Fool and must play",
        "you hold the Fool and must play",
    )
    owed = (Happened("fool-owed"),)
    assert "you owe a card for the Fool" in render_to_string("games/_seat.html", {"happened": owed, "own": True})
    assert "owes a card for the Fool" in render_to_string("games/_seat.html", {"happened": owed, "own": False})


def told_at(hand: Hand) -> Iterator[str]:
    """All that is said where somebody may call, answer or take a card back: to them, to the others, and as advice."""
    view = hand.view(hand.turn)
    own, other = (
        table.question_of(view, hand.turn),
        table.question_of(hand.view((hand.turn + 1) % 4), (hand.turn + 1) % 4),
    )
    yield from (asked_of_you(own), asked_of_other(other, "Beat"))
    worded = [*(choice(given) for given in own.choices), panel(own)]
    yield from (text for words in worded if words is not None for text in (words.label, words.meaning))
    yield from (doing(action, hand.ruleset.id) for action in view.legal)


def test_where_the_cavalier_is_called_nobody_is_told_of_a_jack():
    """But of one that lies there as a card."""
    rules, asked, said = ruleset("troccas-oinkers"), set(), set()
    for seed in range(40):
        hand, chance = random_hand(seed, 0, rules=rules), random.Random(seed)
        while not hand.over:
            if hand.asked in ("call", "fool", "take"):
                asked.add(hand.asked)
                said |= set(told_at(hand))
            hand.push(random_action(hand, chance))
            if hand.history[-1][1].verb != "play":
                told = [one for at_seat in happened_of(hand.view(None)) for one in at_seat]
                said |= {in_short(one, own).label for one in told for own in (True, False)}
        entries = hand_entries(hand.view(None), range(len(hand.history)), 1)
        lines = [line for entry in entries for line in entry.lines if line.kind != "spoke"]
        said |= {log_line(line, replace(SIGHT, viewer=viewer)) for line in lines for viewer in (line.seat, None)}
    said |= {because(reason, rules.id) for reason in set(Reason) - {Reason.LEAVE_THE_COURT}}  # there is no buob-sche
    assert asked == {"call", "fool", "take"}
    assert said >= {"Call the cavalier", "Give the cavalier", "Cavalier!", "You call the cavalier."}
    a_card = re.compile(r"(?i)jack of \w+|takes? the jack|\w+ for the jack")
    assert [text for text in said if re.search("(?i)jack|buob|numeral|seven", a_card.sub("", text))] == []


def test_the_tapp_lies_there_but_while_its_cards_are_in_a_hand_and_opens_at_the_end():
    rules = ruleset("troggu", None, 5)
    seen: set[tuple[str, int, bool, bool]] = set()
    for seed in range(30):
        hand, chance = random_hand(seed, 0, rules=rules), random.Random(seed)
        while not hand.over:
            hand.push(random_action(hand, chance))
            view = hand.view(None)
            lies = tapp_of(view)
            assert (lies is None) == (view.asked == "discard" or not view.dealt)
            if lies is not None:
                assert not lies.cards or hand.over
                seen.add((view.contract, lies.size, lies.laid_away, bool(lies.cards)))
    assert {
        ("", 7, False, False),
        ("normal", 7, True, False),
        ("normal", 7, True, True),
        ("solo", 7, False, True),
    } <= seen


def test_the_pack_lies_there_until_the_first_cards_are_dealt():
    waiting = replace(SIGHT, dealt=0, trick=None, last_trick=None, tapp_seen=None)
    for asked in ("sit", "deal", "arrange", "cut", "packets"):
        sight = replace(waiting, question=Question(asked, 0, mine=True))
        assert " pack" in render_to_string("games/_board.html", {"sight": sight}), asked
    dealt = replace(waiting, dealt=1, question=Question("talk", 0, mine=True))
    assert " pack" not in render_to_string("games/_board.html", {"sight": dealt})


pytestmark = pytest.mark.django_db


def test_before_the_draw_no_side_no_partner_and_no_dealer_is_told():
    player = person()
    game = laid(player, draws_partners=True)
    seen = table.sight_of(game, player)
    assert not seen.drawn
    assert {(one.side, one.team, one.partner, one.dealer) for one in seen.seats} == {(UNKNOWN, "", False, False)}
    assert bar_sides(seen) == ()
    sit(game, player)
    game.refresh_from_db()
    after = table.sight_of(game, player)
    assert after.drawn
    assert len(bar_sides(after)) == 2
    assert sorted(one.team for one in after.seats) == ["A", "A", "B", "B"]
    assert [one.dealer for one in after.seats].count(True) == [one.partner for one in after.seats].count(True) == 1


def test_after_a_throw_in_its_seat_says_so_until_the_next_deal_begins():
    for number in range(40):
        player = person(name=f"P{number}")
        game = laid(player)
        sit(game, player)
        wait(game, player)
        while game.to_act is not None and game.hand_number == 1 and game.status == Game.Status.PLAYING:
            seen = table.sight_of(game, player)
            verbs = [choice.verb for choice in seen.question.choices]
            if seen.question.asked == "play":
                break
            said = next((verb for verb in ("throw-in", "allow", "liber") if verb in verbs), None)
            submit(game, player, said or ("cut 30" if seen.question.asked == "cut" else _scart(seen)))
            wait(game, player)
        if game.hands.first().status == "thrown-in":
            told = [one.kind for at in table.sight_of(game, player).seats for one in at.happened]
            assert told == ["throw-in"]
            return
    raise AssertionError("no deal was thrown in")


def _scart(seen) -> str:
    return "scart " + " ".join([card.code for card in seen.cards if card.playable and not card.known][:2])


def test_ones_own_card_that_lay_face_up_is_marked_until_the_first_trick_is_gathered():
    player = person()
    game = laid(player)
    marked: set[str] = set()
    while not marked:
        sit(game, player)
        wait(game, player)
        while (seen := table.sight_of(game, player)).question.asked not in ("play", "sit"):
            step = {"cut": "cut 30", "talk": "veto", "free": "veto", "decide": "go"}.get(seen.question.asked) or _scart(
                seen
            )
            submit(game, player, step)
            wait(game, player)
        marked = {card.code for card in seen.cards if card.known}
        own = next(one for one in seen.seats if one.own)
        if seen.question.asked == "play" and not seen.trick_count:
            assert marked == {own.face_up}
        game.refresh_from_db()
    play_hand(game, player)
    assert not any(card.known for card in table.sight_of(game, player).cards)


@pytest.mark.django_db
@pytest.mark.parametrize("bid", ["take", "solo"])
def test_who_was_tappist_and_who_the_partner_stands_at_the_seats_until_the_next_hand_begins(bid):
    chance, me = random.Random(5), person()
    game = play.start("troggu", [me, *computers.computer_players(6)])

    def choose(hand: Hand) -> Action:
        if hand.asked == "bid":
            return Action(bid if hand.tappist < 0 else "pass")
        return random_action(hand, chance)

    def roles() -> tuple[list[int], list[int], str]:
        seen = table.sight_of(game, None)
        tappists = [seat.number for seat in seen.seats if seat.tappist]
        return tappists, [seat.number for seat in seen.seats if seat.called], seen.contract

    sit(game, me)
    assert roles() == ([], [], "")
    rush(game, choose=choose, until=lambda hand: hand.asked == "play" and len(hand.tricks) == 1)
    hand = log.open_table(game).hand
    assert hand is not None
    called = [hand.partner] if hand.partner >= 0 else []
    assert called or bid == "solo"
    assert roles() == ([hand.tappist], called if hand.partner_known else [], "normal" if bid == "take" else "solo")
    rush(game, choose=choose)
    assert roles() == ([hand.tappist], called, "normal" if bid == "take" else "solo")
    sit(game, me)
    assert roles() == ([], [], "")
