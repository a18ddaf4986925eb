"""Positions are real positions of the engine, and what is said about them is what the engine says."""

from __future__ import annotations

import random
import time

import pytest
from django.utils.translation import override

from domain.engine import CODES, Hand, cards_in, parse_action, ruleset
from domain.engine.cards import FOOL_BIT
from domain.engine.rulesets import RULESETS
from rules.examples import BadExample, position, read, showing
from rules.examples.answering import Event, what_a_call_does, what_may_be_played, what_was_played, who_wins, why_wins
from rules.examples.position import reach
from rules.examples.reading import PlayExample
from tests.games.store_kit import random_action
from tests.sursilvan_kit import Reading, faults

TABLES = [(game, seats) for (game, _version), rules in RULESETS.items() for seats in rules.sizes]


def ask(text: str, game: str = "troccas", seats: int | None = None):
    return read(text, ruleset=game, seats=seats)


def play(hold: str, trick: str = "", more: str = "", **game):
    return what_may_be_played(ask(f'kind = "play"\nhold = "{hold}"\ntrick = "{trick}"\n{more}', **game))


def legal(hold: str, trick: str = "", more: str = "", **game) -> str:
    return " ".join(sorted(card.code for card in play(hold, trick, more, **game).cards if card.why is None))


def trick(cards: str, more: str = "", **game):
    return who_wins(ask(f'kind = "trick"\ntrick = "{cards}"\n{more}', **game))


def call(cards: str, jack: object, more: str = "", **game):
    return what_a_call_does(ask(f'kind = "call"\ntrick = "{cards}"\njack = {jack}\n{more}', **game))


def wrong(text: str, game: str = "troccas", seats: int | None = None) -> str:
    with pytest.raises(BadExample) as refused:
        reach(ask(text, game, seats))
    return refused.value.message


# --- What may be played --------------------------------------------------------------------------------------------------


def test_a_suit_is_followed():
    assert legal("CK C4 OJ T7 F", "C9 C2") == "C4 CK F"


def test_who_cannot_follow_plays_a_trump():
    assert legal("OJ S3 T7 T2", "C9 C2") == "T2 T7"


def test_who_has_neither_plays_anything():
    answer = play("OJ S3 B4", "C9 C2")
    assert all(card.why is None for card in answer.cards)
    assert answer.reason == "anything"


def test_after_a_led_fool_the_card_is_free():
    assert play("OJ S3 T4", "F").reason == "free"


def test_king_and_jack_go_together_only_to_the_first_lead():
    first = play("CK CJ C4 OJ S3", "C9 C2")
    again = play("CK CJ C4 OJ S3", "C9 C2", 'led_before = "C"')
    assert [card.pair for card in first.cards if card.code == "CK"] == ["CJ"]
    assert [card.pair for card in again.cards if card.code == "CK"] == [""]


def test_the_first_lead_of_the_house_rules_is_a_trump():
    hold = "CK CJ C4 C3 O3 O4 O5 S2 S3 S4 S5 B1 B2 B3 B4 T7 T3 T2 F"
    answer = play(hold, game="troccas-oinkers")
    assert legal(hold, game="troccas-oinkers") == "F T2 T3 T7"
    assert answer.reason == "lead-trump"


def test_without_a_trump_after_a_led_fool_a_suit_may_still_win():
    assert play("CK CQ O3 S4", "F", game="troccas-oinkers").reason == "no-trump"


def test_the_fool_of_troggu_may_be_withheld():
    assert play("F CK C3 O2 B8", "T10 T18", game="troggu", seats=4).reason == "withhold"
    assert legal("F CK C3 O2 B8", "T10 T18", "withheld = true", game="troggu", seats=4) == "B8 C3 CK O2"


def test_a_withheld_fool_is_led_to_the_last_trick():
    assert legal("F", "", "withheld = true", game="troggu", seats=5) == "F"


def test_online_the_king_may_be_called_with():
    answer = play("CK C4 OJ S3", "C9 C2", game="troccas-online")
    assert [card.code for card in answer.cards if card.call] == ["CK"]


# --- Positions -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("game", "seats"), TABLES)
def test_positions_of_random_games_are_found_again_with_the_same_answers(game, seats):
    """Any position that a game has come to can be said as an example, and then the very same cards may be played."""
    found = 0
    for seed in range(12):
        hand = _somewhere(game, seats, seed)
        if hand is None:
            continue
        seat = hand.turn
        led = hand.led & ~(1 << hand.lane) if hand.first_lead else hand.led
        example = PlayExample(
            ruleset=game,
            seats=seats,
            hold=tuple(cards_in(hand.hands[seat])),
            trick=tuple((card,) for card in hand.trick),
            led_before=frozenset(suit for suit in range(4) if led >> suit & 1),
            contract=hand.contract or "",
            withheld=hand.fool_withheld and bool(hand.hands[seat] & FOOL_BIT),
        )
        if len(example.hold) < 3:
            continue  # the last tricks are not always found; articles show them from records
        again = reach(example).hand
        assert again.hands[again.turn] == hand.hands[seat]
        assert (again.legal.cards, again.legal.pairs) == (hand.legal.cards, hand.legal.pairs)
        found += 1
    assert found >= 3


def _somewhere(game: str, seats: int, seed: int) -> Hand | None:
    """A hand somewhere in a random game, asking for a card; None if it never came so far."""
    rules = ruleset(game, None, seats)
    chance = random.Random(f"{game} {seats} {seed}")
    pack = list(cards_in(rules.pack))
    chance.shuffle(pack)
    hand = Hand(rules, chance.randrange(seats), pack)
    wanted = chance.randrange(1, seats * 14)
    while not hand.over:
        if hand.asked == "play":
            wanted -= 1
            if wanted <= 0 and hand.pair_at < 0 and hand.caller < 0:
                return hand
        hand.push(random_action(hand, chance))
    return None


@pytest.mark.parametrize(("game", "seats"), TABLES)
def test_the_way_to_a_position_is_legal_from_the_first_card(game, seats):
    hold = "CK C2 OJ S8 T7 T3"
    example = ask(f'kind = "play"\nhold = "{hold}"\ntrick = "C4 CQ"', game, seats)
    found = position(example)
    rules = ruleset(game, None, seats)
    hand = Hand(rules, found.dealer, [_card(code) for code in found.pack], options=found.options)
    for seat, text in found.actions:
        assert hand.turn == seat
        hand.push(parse_action(text))
    assert (hand.turn, hand.asked) == (found.seat, "play")
    assert {CODES[card] for card in cards_in(hand.hands[hand.turn])} == set(hold.split())
    assert [CODES[card] for card in hand.trick] == ["C4", "CQ"]


def _card(code: str) -> int:
    return CODES.index(code)


def test_a_full_hand_is_the_first_trick():
    hold = "CK CJ C4 C3 O3 O4 O5 S2 S3 S4 S5 B1 B2 B3 B4 T7 T3 T2 F"
    reached = reach(ask(f'kind = "play"\nhold = "{hold}"\ntrick = "O9 O2 O1"'))
    assert not reached.hand.tricks
    assert reached.hand.turn == reached.hand.dealer


def test_the_same_example_comes_up_the_same_whatever_it_is_called():
    text = 'kind = "play"\nhold = "CK C4 OJ T7"\ntrick = "C9 C2"'
    first, second = position(ask(text)), position(ask(f'{text}\ntitle = "Sonst"'))
    assert first == second


def test_a_misere_of_seven_leaves_the_fool_in_the_tapp():
    reached = reach(ask('kind = "play"\nhold = "CK C4 OJ T7"\ncontract = "misere"', "troggu", 7))
    assert reached.hand.contract == "misere"
    assert reached.hand.tapp & FOOL_BIT


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('kind = "call"\ntrick = "C9 CK C3 T2"\njack = 4', "player 4 would hold the jack of cups"),
        ('kind = "call"\ntrick = "C9 CK CJ C2"\njack = 3', "lies in the trick"),
        ('kind = "play"\nhold = "CK"\nled_before = "CS"\ntrick = "F F"', "twice"),
        ('kind = "trick"\ntrick = "C9 CK+CJ C3 C2"\nled_before = "C"', "player 2 cannot play"),
    ],
)
def test_what_cannot_have_come_so_is_refused(text, said):
    assert said in wrong(text)


def test_suits_cannot_have_been_led_before_the_first_trick():
    hold = "CK CJ C4 C3 O3 O4 O5 S2 S3 S4 S5 B1 B2 B3 B4 T7 T3 T2 F"
    assert "no trick has been played" in wrong(f'kind = "play"\nhold = "{hold}"\nled_before = "C"')


def test_an_impossible_position_is_refused_in_time():
    # In the first trick three of four hold no trump: so many trumps do not fit into the hand that is left.
    hold = "S1 S2 S3 S4 S5 S6 S7 S8 S9 S10 B1 B2 B3 B4 B5 B6 B7 B8 B9"
    started = time.process_time()
    assert "no deal was found" in wrong(f'kind = "play"\nhold = "{hold}"\ntrick = "C9 O2 O3"')
    assert time.process_time() - started < 2


# --- Who wins --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("cards", "game", "seats", "kind", "place"),
    [
        ("C9 CK C3 C2", "troccas", None, "suit", 1),
        ("C9 CK T3 C2", "troccas", None, "only-trump", 2),
        ("C9 T5 T3 C2", "troccas", None, "highest-trump", 1),
        ("T9 T5 C3 T20", "troccas", None, "trumps-led", 3),
        ("C9 O2 S3 F", "troccas", None, "alone-in-suit", 0),
        ("T21 T5 F T14", "troggu", 4, "high-fool", 2),
    ],
)
def test_who_wins_and_why(cards, game, seats, kind, place):
    won = trick(cards, game=game, seats=seats).won
    assert (won.kind, won.place) == (kind, place)


def test_in_cups_and_coins_fewer_pips_win():
    assert trick("C9 C2 C7 C4").won.low_wins
    assert not trick("S9 S2 S7 S4").won.low_wins
    assert not trick("CK C2 C7 C4").won.low_wins


def test_after_a_led_fool_the_next_card_counts():
    answer = trick("F C9 CK O3")
    assert answer.won.fool_led
    assert answer.won.place == 2


def test_what_a_led_fool_asks_for_is_said_as_the_game_has_it():
    with override("en"):
        assert "asks for nothing" in showing.why_wins(trick("F C9 CK O3").won)
        assert "called for trumps. None fell" in showing.why_wins(trick("F C9 CK O3", game="troccas-oinkers").won)
        assert showing.why_wins(trick("F C9 T4 O3", game="troccas-oinkers").won).endswith("called for trumps.")


def test_the_fool_comes_home_or_is_owed_for():
    assert trick("C9 CK C3 F").fool == "own"
    assert trick("C9 C8 CK F").fool == "owed"
    assert trick("C9 C8 CK F").points == 7  # the Fool's five are not in it
    assert trick("C9 C8 CK F", game="troccas-oinkers").fool == "owed"
    assert trick("C6 C5 F C4", game="troggu", seats=4).fool == "wins"


def test_a_lost_fool_is_not_said_to_be_of_the_side_that_was_named_last():
    with override("en"):
        assert showing.event(Event("fool-lost", 0)).startswith("The Fool’s side has won no trick")


def test_king_and_jack_bring_a_numeral_back():
    answer = trick("C9 CK+CJ C3 C2", 'takes = "C2"')
    assert {put.code for put in answer.gathered} == {"C9", "CK", "CJ", "C3"}
    assert [event.back for event in answer.events if event.kind == "taken-back"] == ["C2"]


def test_the_reason_names_the_card_that_the_engine_lets_win():
    """Over thousands of random tricks of every game, what is said and what is done are the same."""
    seen = 0
    for (game, _version), rules in RULESETS.items():
        for seats in {rules.sizes[0], rules.sizes[-1]}:
            table = ruleset(game, None, seats)
            chance = random.Random(f"{game} {seats}")
            for _ in range(8):
                pack = list(cards_in(table.pack))
                chance.shuffle(pack)
                hand = Hand(table, chance.randrange(seats), pack)
                firsts: list[int] = []
                while not hand.over:
                    before, leader = len(hand.tricks), hand.leader
                    action = random_action(hand, chance)
                    if hand.asked == "play":
                        firsts = [*hand.trick, action.cards[0]]
                    withheld = hand.fool_withheld
                    hand.push(action)
                    if len(hand.tricks) > before:
                        gathered = hand.tricks[-1]
                        won = why_wins(table, firsts, gathered.lane, withheld=withheld)
                        assert (leader + won.place) % seats == gathered.winner
                        assert won.card == firsts[won.place]
                        seen += 1
    assert seen > 1500


# --- Calls -------------------------------------------------------------------------------------------------------------------


def test_the_jack_comes_for_the_card_its_holder_played():
    answer = call("C9 CK C3 C2", 3)
    assert answer.caller == 1
    assert {put.code for put in answer.trick.gathered} == {"C9", "CK", "CJ", "C2"}


def test_after_buob_sche_a_queen_may_stay():
    answer = call("C9 CK CQ C2", 3, 'call = "buob-sche"')
    assert [event.kind for event in answer.trick.events] == ["jack-kept"]


@pytest.mark.parametrize(("reply", "kind"), [("give", "jack-given"), ("keep", "no-jack")])
def test_who_played_the_fool_may_choose(reply, kind):
    answer = call("C9 CK F C2", 3, f'answer = "{reply}"')
    assert kind in [event.kind for event in answer.trick.events]


def test_a_jack_in_the_scart_does_not_come():
    assert [event.kind for event in call("C9 CK C3 C2", '"scart"').trick.events] == ["no-jack"]


def test_a_jack_that_was_played_is_not_called():
    assert call("C9 CK C3 C2", '"played"').caller is None


def test_the_winner_calls_even_with_a_trump():
    assert call("C9 CK C3 T2", 3).caller == 3


def test_the_house_rules_call_the_cavalier():
    answer = call("C9 CK C3 C2", 3, game="troccas-oinkers")
    assert "CN" in {put.code for put in answer.trick.gathered}


def test_online_a_jack_yet_to_be_played_must_be_played():
    answer = call("C9 CK C3 CJ", 4, game="troccas-online")
    assert answer.caller == 1
    assert answer.trick.won.place == 1


def test_online_a_jack_held_by_one_who_has_played_is_exchanged():
    answer = call("C9 CK C3 C2", 1, game="troccas-online")
    assert [(event.kind, event.back) for event in answer.trick.events] == [("buob", ""), ("jack-given", "C9")]


# --- Records -----------------------------------------------------------------------------------------------------------------


def test_a_recorded_trick_is_told_as_it_was_played():
    answer = what_was_played(
        ask('kind = "record"\nrecord = "troccas-F-taken-back-and-CJ-given-when-called"\nhand = 1\ntrick = 3')
    )
    (told,) = answer.tricks
    assert [event.back for event in told.events if event.kind == "jack-given"] == ["F"]
    assert not answer.points


def test_the_last_recorded_trick_brings_the_result():
    answer = what_was_played(ask('kind = "record"\nrecord = "every-trick-and-the-scart"\nhand = 1\nfrom = 18\nto = 19'))
    assert len(answer.tricks) == 2
    assert sorted(answer.points) == [0, 72]
    assert sorted(answer.scores) == [-36, -36, 36, 36]


def test_a_recorded_hand_can_be_played_on_from_unless_its_deal_was_asked_for():
    assert position(ask('kind = "record"\nrecord = "troccas"\nhand = 1\ntrick = 4')) is not None
    assert position(ask('kind = "record"\nrecord = "troccas"\nhand = 4\ntrick = 1')) is None


@pytest.mark.django_db
@pytest.mark.parametrize(
    "text", ['kind = "play"\nhold = "F C5 C9"\ntrick = "CK"', 'kind = "trick"\ntrick = "CK C2 T3 C4"']
)
def test_an_example_in_sursilvan_says_what_of_it_is_in_german(text):
    html = showing.show(ask(f'{text}\ntitle = "Prender ora"'), "rm-sursilv", id="x")
    page = f'<div lang="rm-sursilv">{html}</div>'
    assert faults(page) == []
    said = dict(Reading(page).texts)
    assert said["Prender ora"] == "rm-sursilv"
    assert "de" in said.values()
