"""The table in words: every question, rule and line has a sentence, to its reader and about another, in every language."""

from __future__ import annotations

import random
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest
from django.utils import translation

from accounts.models import HandOrder, Player
from core.sursilvan import in_a_row
from domain.engine import Rule
from games.read_models import CardSeen, Choice, ClockSeen, HandSheet, Line, Question, SeatSeen, Sight, Why
from games.selectors import lines, table
from games.table.templatetags import table as tags
from games.text import table as table_text
from games.text.common import signed, table_line
from games.text.log import log_line
from tests.games.store_kit import random_action, random_hand
from tests.games.table_kit import laid, person, sit, step

ASKED = ("deal", "arrange", "cut", "talk", "free", "decide", "scart", "play", "call", "fool", "take")


def seat(number: int, name: str) -> SeatSeen:
    return SeatSeen(
        number=number, place=number, side=number % 2, name=name, player=f"p{number}", computer=number > 0,
        own=number == 0, partner=number == 2, dealer=number == 3, turn=False, ready=number > 0, tricks=0, cards=19,
        total=0, face_up="", saying=(),
    )  # fmt: skip


SIGHT = Sight(
    public_id="abc", number=7, status="playing", kind="play", ruleset="troccas", clockwise=False, options=(),
    hands=4, hands_played=1, viewer=0, created_at=datetime(2026, 1, 1, tzinfo=UTC), parties=((0, 2), (1, 3)),
    seats=tuple(seat(number, name) for number, name in enumerate(("Anna", "Beat", "Clau", "Dora"))), hand=2,
    dealer=3, rounds=3, dealt=3, question=Question("play", 0, mine=True, reason="lead"), cards=(), trick=None,
    last_trick=None, trick_count=0, cut_card="", scart=(), fool_owed=False, totals=(4, -4, 4, -4), sheets=(),
    last_result=None, sealed=None,
)  # fmt: skip
"""A table at which Anna looks on; her partner is Clau, and Beat and Dora play against them."""


def held(*codes: str) -> tuple[CardSeen, ...]:
    return tuple(CardSeen(code, "F" if code == "F" else code[0], playable=True) for code in codes)


def asked(question: Question, **changes: Any) -> str:
    return table_text.prompt(replace(SIGHT, question=question, **changes))


def play(reason: str, suit: str = "C", *, fool: bool = False) -> str:
    return asked(Question("play", 0, mine=True, suit=suit, reason=reason, fool=fool))


# what is asked


def test_the_prompt_says_what_may_be_played():
    assert play("lead", "") == "Your turn: lead any card."
    assert play("follow") == "Your turn: follow cups."
    assert play("follow", fool=True) == "Your turn: follow cups, or play the Fool."
    assert play("follow", "T") == "Your turn: play a trump."
    assert play("trump", fool=True) == "Your turn: you have no cups, so play a trump or the Fool."
    assert play("anything") == "Your turn: you have neither cups nor trumps, so play any card."
    assert play("anything", "T") == "Your turn: you have no trump, so play any card."
    assert play("free", "") == "Your turn: the Fool was led, so play any card. It sets the suit."


@pytest.mark.parametrize("question", ASKED)
def test_every_question_has_words_for_who_is_asked_and_for_the_others(question):
    mine = asked(Question(question, 0, mine=True, suit="C", reason="follow", choose=2))
    other = asked(Question(question, 1, mine=False, suit="C"))
    assert mine not in ("Your turn.", other)
    assert other.startswith("Beat ")
    assert other != "Beat is thinking."


def test_between_two_hands_the_prompt_says_who_is_waited_for():
    assert asked(Question("sit", None, mine=True), hand=1) == "Take your seat to begin."
    assert asked(Question("sit", None, mine=True)) == "The hand is over. Begin the next one when you are ready."
    sleepy = replace(SIGHT.seats[2], ready=False)
    seats = (*SIGHT.seats[:2], sleepy, SIGHT.seats[3])
    assert asked(Question("sit", None, mine=False), seats=seats) == "Waiting for Clau to begin the hand."


def test_where_a_hand_begins_by_itself_nobody_is_told_to_sit_down_first():
    clock = ClockSeen(
        kind="days", action=86400, bank=0, weekends=True, holidays="", vacation=0, out="computer", zone="Europe/Zurich",
    )  # fmt: skip
    for mine in (True, False):
        for hand in (1, 2):
            said = asked(Question("sit", None, mine=mine), hand=hand, clock=clock)
            assert "seat" not in said
            assert "Waiting" not in said
    first = replace(SIGHT, question=Question("sit", None, mine=True), hand=1, clock=clock)
    assert table_text.prompt(first) == "You can begin at once, or wait."
    assert table_line(first) == "The first hand begins by itself in a moment."
    assert table_line(replace(first, hand=2)) == "The next hand begins by itself in a moment."
    assert asked(Question("sit", None, mine=False), clock=clock) == "You are ready."


# why not


@pytest.mark.parametrize("rule", list(Rule))
def test_every_rule_of_the_engine_has_a_sentence(rule):
    text = table_text.refusal(Why(str(rule), card="CK", suit="C", number=2, asked="play", phrase="in-fluretg"))
    assert text != "The rules do not allow that now."
    assert "%(" not in text


def test_the_end_of_a_game_tells_the_sides_apart():
    over = replace(SIGHT, status="finished", totals=(-11, 11, -11, 11))
    assert log_line(Line(9, "game-finished"), over) == "The game is over: You and Clau −11; Beat and Dora +11."


def test_who_has_left_is_not_asked_and_reads_who_acts():
    away = (replace(SIGHT.seats[0], away="away"), *SIGHT.seats[1:])
    sight = replace(SIGHT, seats=away, question=Question("play", 0, mine=False))
    assert table_text.prompt(sight) == "A computer player acts for your seat."
    why = table_text.why_card(CardSeen("CK", "C", playable=False), sight)
    assert why == "Nobody asks for a card now: a computer player acts for your seat."


def test_a_refusal_names_the_suit_and_what_to_do():
    assert table_text.refusal(Why("must-follow", card="CK", suit="S")) == ("You hold swords and must follow.")
    assert (
        table_text.refusal(Why("must-follow", card="CK", suit="T"))
        == "Trumps were led and you hold some: play one of them."
    )
    assert "the king of cups" in table_text.refusal(Why("honour-laid-away", card="CK"))


def test_a_card_is_explained_by_what_is_asked():
    follow = replace(SIGHT, question=Question("play", 0, mine=True, suit="C", reason="follow"))
    assert table_text.why_card(held("CK")[0], follow) == "It follows cups."
    assert "together with the jack of cups" in table_text.why_card(
        CardSeen("CK", "C", playable=True, pair="CJ"), follow
    )
    waiting = replace(SIGHT, question=Question("play", 1, mine=False))
    assert table_text.why_card(held("CK")[0], waiting) == "Nobody asks for a card now: it is the turn of Beat."


# the log


def told(kind: str, seat: int | None = 1, **fields: Any) -> str:
    return log_line(Line(7, kind, seat, 2, **fields), SIGHT)


def test_a_line_speaks_to_its_reader_and_about_the_others():
    assert told("trick-led", 0, cards=("CK", "CJ")) == "You lead the king of cups and the jack of cups."
    assert told("played", 1, cards=("T21",)) == "Beat plays the XXI (the World)."
    assert told("played", 1, cards=("T5",), verb="knock") == "Beat plays the V (Jupiter) and knocks."
    assert (
        told("jack-given", 3, cards=("CJ", "C7"))
        == "Dora puts the jack of cups into the trick and takes back the 7 of cups."
    )
    assert told("scart-laid", 1) == "Beat lays cards away."
    assert told("cut", 1) == "Beat cuts the pack."
    assert told("asked-deal", 1, count=1) == "Beat asks for the deal in 1 round."
    assert told("hand-played", None, points=(40, 32)) == "Hand over: You and Clau 40 points, Beat and Dora 32."


def test_a_phrase_stands_alone_in_a_line_whose_language_has_no_sense_of_it():
    with translation.override("rm-sursilv"):
        text = told("spoke", 1, verb="allow", phrases=("in-fluretg",))
    assert "in fluretg" in text
    assert "flower" not in text
    assert "Blümchen" not in text


def test_what_is_said_is_told_in_romansh_and_in_the_readers_words():
    text = told("spoke", 1, verb="allow", phrases=("in-fluretg",))
    assert text == "Beat allows a throw-in: “in fluretg” (a small flower: one king)."


def test_a_percent_sign_that_somebody_typed_stays_one():
    assert told("spoke", 1, verb="veto", words="100 % %(name)s") == "Beat says veto: “100 % %(name)s”."


@pytest.mark.parametrize("language", ["en", "de", "rm-sursilv"])
def test_every_line_of_random_hands_has_a_sentence(language):
    strange = log_line(Line(1, "no-such-kind", 1), SIGHT)
    kinds = set()
    with translation.override(language):
        for seed in range(30):
            hand = random_hand(seed, 400, {"throw_in": seed % 2 == 0})
            for viewer in (None, 0):
                company = replace(SIGHT, viewer=viewer)
                for entry in lines.hand_entries(hand.view(viewer), list(range(len(hand.history))), 1):
                    for line in entry.lines:
                        kinds.add(line.kind)
                        text = log_line(line, company)
                        assert text
                        assert text != strange
                        assert "%" not in text
    assert {"trick-won", "called", "scart-laid", "spoke", "fool-owed"} <= kinds


@pytest.mark.django_db
def test_a_stored_game_has_words_at_every_moment():
    player = person()
    game = laid(player, draws_partners=True)
    sit(game, player)
    for _ in range(12):
        step(game, player)
        seen = table.sight_of(game, player)
        sentences = [log_line(line, seen) for line in seen.lines]
        assert all(sentence and "%" not in sentence for sentence in sentences)
        assert table_text.prompt(seen)
        assert table_text.title(seen) == "Hand 1 of 4"
        assert all(table_text.why_card(card, seen) for card in seen.cards)


# choices and results


def test_a_choice_carries_the_games_own_word_and_its_meaning():
    with translation.override("de"):
        buob = table_text.choice(Choice("buob", "buob"))
    assert (buob.label, buob.lang, buob.meaning_lang) == ("Buob", "rm-sursilv", "de")
    assert table_text.choice(Choice("take C7", "take", card="C7")).label == "7 of cups"
    assert table_text.choice(Choice("deal 2", "deal", number=2)).label == "In 2 rounds"


@pytest.mark.parametrize("question", [question for question in ASKED if question != "play"])
def test_every_panel_has_a_title(question):
    heading = table_text.panel(Question(question, 0, mine=True))
    assert heading is not None
    assert heading.label
    assert table_text.panel(Question("play", 0, mine=True)) is None


def test_a_result_is_told_from_the_viewers_side():
    sheet = HandSheet(1, 1, 0, "played", (40, 32), (4, -4, 4, -4), open=True)
    assert table_text.hand_result(sheet, SIGHT) == "Your side took 40 of the 72 points: +4."
    assert table_text.hand_result(sheet, replace(SIGHT, viewer=1)) == "Your side took 32 of the 72 points: −4."
    assert table_text.hand_result(sheet, replace(SIGHT, viewer=None)) == "Anna and Clau took 40 of the 72 points: +4."
    thrown = HandSheet(1, 0, 0, "thrown-in", (), (), open=True)
    assert "thrown in" in table_text.hand_result(thrown, SIGHT)


def test_the_end_of_a_game_names_the_winners_or_a_draw():
    won = replace(SIGHT, status="finished", winners=(0, 2))
    assert table_text.game_result(won) == "Your side wins the game with +4."
    assert table_text.game_result(replace(won, viewer=1)) == "The other side, Anna and Clau, wins the game with +4."
    assert table_text.game_result(replace(won, winners=())) == "Nobody is ahead: the game is a draw."
    assert table_text.game_result(SIGHT) == ""


def test_scores_have_a_sign_and_lists_an_and():
    assert [signed(score) for score in (4, 0, -4)] == ["+4", "0", "−4"]
    assert [in_a_row(items) for items in ([], ["a"], ["a", "b"], ["a", "b", "c"])] == ["", "a", "a and b", "a, b and c"]


# places and rows


def test_the_next_player_sits_on_the_right_and_on_the_left_when_the_play_is_clockwise():
    assert [tags.where(place, SIGHT) for place in range(4)] == ["bottom", "right", "top", "left"]
    clockwise = replace(SIGHT, clockwise=True)
    assert [tags.where(place, clockwise) for place in range(4)] == ["bottom", "left", "top", "right"]


def codes_of(cards: tuple[CardSeen, ...], player: Player | None = None) -> list[list[list[str]]]:
    rows = tags.hand_rows(replace(SIGHT, cards=cards), player)
    return [[[card.code for card in group.cards] for group in row] for row in rows]


def test_the_hand_lies_in_the_games_order():
    cards = held("C10", "C1", "CK", "CJ", "S1", "S10", "SQ", "T1", "T21", "F")
    assert codes_of(cards) == [
        [["CK", "CJ", "C1", "C10"]],
        [["SQ", "S10", "S1"]],
        [["T21", "T1"], ["F"]],
    ]


def test_a_player_may_like_the_lowest_first():
    player = Player(hand_order=HandOrder.LOW_FIRST)
    assert codes_of(held("C10", "C1", "CK"), player) == [[["C10", "C1", "CK"]]]


def test_every_row_fits_a_phone_whatever_is_dealt():
    chance = random.Random(1)
    pack = [f"{suit}{rank}" for suit in "COSB" for rank in (*range(1, 11), *"JNQK")]
    pack += [f"T{number}" for number in range(1, 22)] + ["F"]
    hands = [chance.sample(pack, size) for size in (19, 21, 28) for _ in range(40)]
    hands += [[f"T{number}" for number in range(1, 22)], [code for code in pack if code[0] in "CO"]]
    for codes in hands:
        rows = codes_of(held(*codes))
        assert sorted(code for row in rows for group in row for code in group) == sorted(codes)
        assert all(sum(map(len, row)) <= (12 if row[0][0][0] == "T" else 13) for row in rows)
        assert len(rows) <= 6


def test_a_large_hand_lies_in_two_lines_at_a_desk_broken_between_two_suits():
    def lines(*codes: str) -> list[str]:
        rows = tags.hand_rows(replace(SIGHT, cards=held(*codes)), None)
        return [group.suit for row in rows for group in row if group.ends_line]

    suits = [f"{suit}{rank}" for suit in "COS" for rank in range(1, 6)]
    assert lines(*suits[:14]) == []
    assert lines(*suits) in (["C"], ["O"])
    assert lines(*suits, *(f"T{number}" for number in range(1, 14))) == ["S"]
    assert lines(*(f"T{number}" for number in range(1, 22)), "F") == ["T"]


def test_random_actions_reach_every_question_of_the_hand():
    """The random hands above would prove little if they never came to the calls."""
    found = set()
    for seed in range(60):
        chance = random.Random(seed)
        hand = random_hand(seed, 0)
        while not hand.over:
            found.add(hand.asked)
            hand.push(random_action(hand, chance))
    assert {"cut", "talk", "free", "decide", "scart", "play", "call"} <= found


def test_the_words_of_a_game_are_those_that_it_has():
    """Before, Troccas for three had the talk and the call, and Grächen a Misere."""

    def words(game: str) -> set[str]:
        return {term.text for term in tags.game_words(game)}

    talk, call = {"tschintschar", "liber"}, {"buob, sche"}
    assert talk | call | {"scart"} <= words("troccas")
    assert not words("troccas-3") & (talk | call)
    assert not words("troccas-6") & (talk | {"scart"})
    assert words("troccas-6") >= call
    assert not words("troccas-oinkers") & (call | {"liber"})
    assert not words("troccas-online") & (talk | call)
    assert "Misäär" in words("troggu-st-niklaus")
    assert "Misäär" not in words("troggu-graechen")


def test_what_a_misere_is_holds_also_where_the_fewest_points_win():
    """In St. Niklaus nobody pays for most points."""
    (misere,) = (term for term in tags.game_words("troggu-st-niklaus") if term.text == "Misäär")
    assert "most points pays" not in misere.meaning


def test_the_trump_that_was_called_falls_with_its_article():
    assert told("partner-shown", 1, cards=("T20",)) == "The XX (Judgement) falls: Beat is the partner."
    with translation.override("de"):
        assert told("partner-shown", 1, cards=("T20",)) == "Die XX (das Gericht) fällt: Beat spielt mit."
        assert told("no-jack", 1, cards=("CJ",)) == "Der Becher-Bube kommt nicht."
