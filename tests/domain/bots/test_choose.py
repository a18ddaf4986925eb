"""The computer players as a whole: always legal, always the same, never more than the seat may see, and not weak."""

from __future__ import annotations

import ast
import inspect
import typing
from collections import Counter
from pathlib import Path
from random import Random
from statistics import fmean

import pytest

from benchmarks.bots import at_random, duplicate, player_of
from domain.bots.advice import LEVELS, STRATEGIES, advise, choose
from domain.engine import Action, Match, View, card_of
from tests.domain.bots.table import TROCCAS, cards, composed, dealt, play

FOLDER = Path(inspect.getfile(choose)).parent

ELSEWHERE = {"packets", "bid", "discard", "partner", "demand"}  # asked in other games only


def _random_games(games: int) -> typing.Iterator[tuple[Match, View]]:
    """Every question of random games, before it is answered at random."""
    for seed in range(games):
        luck = Random(seed)
        talk = ("phrases", "silent", "free")[seed % 3]
        match = Match(TROCCAS, {"knock": seed % 2 == 0, "talk": talk, "hands": 4}, dealer=seed % 4)
        if seed % 2:
            match.totals = [-20, 20, -20, 20] if seed % 4 == 1 else [12, -12, 12, -12]
        while not match.over:
            hand = match.deal(_shuffled(luck))
            while not hand.over:
                view = hand.view(hand.turn)
                yield match, view
                match.push(at_random(view, luck))


def _shuffled(luck: Random) -> list[int]:
    pack = list(range(78))
    luck.shuffle(pack)
    return pack


@pytest.mark.slow
def test_every_choice_is_legal_and_every_kind_of_question_is_answered() -> None:
    asked: Counter[str] = Counter()
    for _, view in _random_games(16):
        assert choose(view, seed=b"seed") in view.legal
        asked[view.asked] += 1
    assert sum(asked.values()) > 4000
    assert set(asked) == set(STRATEGIES) - ELSEWHERE


def test_the_same_view_and_seed_give_the_same_choice() -> None:
    for _, view in _random_games(1):
        assert choose(view, seed=b"a") == choose(view, seed=b"a")
        assert advise(view, seed=b"a").action == choose(view, seed=b"a")


def test_the_seed_moves_the_cut() -> None:
    view = Match(TROCCAS).deal(_shuffled(Random(1))).view(3)
    assert len({choose(view, seed=b"%d" % at) for at in range(20)}) > 5


def test_who_is_not_on_turn_is_not_asked() -> None:
    hand = composed({}, dealer=3)
    with pytest.raises(ValueError, match="not on turn"):
        choose(hand.view(1))
    with pytest.raises(ValueError, match="not on turn"):
        choose(hand.view(None))


def test_an_unknown_level_is_refused() -> None:
    with pytest.raises(ValueError, match="level-99"):
        choose(composed({}, dealer=3).view(0), level="level-99")


@pytest.mark.slow
def test_hidden_cards_that_change_places_change_no_choice() -> None:
    for seed in range(40):
        luck = Random(seed)
        pack = _shuffled(luck)
        hands = [pack[seat * 19 : seat * 19 + 19] for seat in range(4)]
        away = cards("C9 C10")
        hands = [[card for card in held if card not in away] for held in hands]
        spare = [card for card in pack[76:] if card not in away]
        for held in hands:
            while len(held) < 19:
                held.append(spare.pop())
        one = dealt(hands, away, 3, throw_in=False)
        # all that seats 1 to 3 hold, but for the cards turned up and the dealer's (whose honours may not be laid away)
        hidden = hands[1][:18] + hands[2][:18]
        luck.shuffle(hidden)
        two = dealt(
            [hands[0], [*hidden[:18], hands[1][18]], [*hidden[18:], hands[2][18]], hands[3]], away, 3, throw_in=False
        )
        assert one.hands != two.hands
        for hand in (one, two):
            hand.push(Action("scart", tuple(away)))
        assert one.view(0) == two.view(0)
        assert choose(one.view(0)) == choose(two.view(0))
        if not seed:
            assert choose(one.view(0), level="club") == choose(two.view(0), level="club")


def test_computer_players_are_given_a_view_and_import_nothing_that_knows_more() -> None:
    assert typing.get_type_hints(choose)["view"] is View
    assert typing.get_type_hints(advise)["view"] is View
    for file in FOLDER.glob("*.py"):
        if file.name == "reviewing.py":
            continue  # it chooses nothing: it judges hands that are over
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith("games"):
                assert node.module.startswith(("domain.bots", "domain.engine."))
                assert node.module not in ("domain.engine.hand", "domain.engine.match", "domain.engine.record")
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import | ast.ImportFrom) else []
            assert not {"Hand", "Match", "django"} & set(names)


@pytest.mark.slow
def test_level_one_beats_random_play_clearly() -> None:
    assert fmean(duplicate(TROCCAS, 60, player_of("beginner"), at_random)) >= 6


def test_against_itself_no_side_is_better() -> None:
    itself = player_of("beginner")
    assert fmean(duplicate(TROCCAS, 4, itself, itself)) == 0


def test_the_levels_are_named() -> None:
    assert LEVELS == ("beginner", "club", "strong")


def test_what_a_level_was_called_once_is_still_played() -> None:
    for _, view in _random_games(1):
        assert choose(view, level="level-1", seed=b"a") == choose(view, level="beginner", seed=b"a")


def test_a_hand_can_be_played_to_its_end() -> None:
    hand = composed({}, dealer=2)
    while not hand.over:
        hand.push(choose(hand.view(hand.turn)))
    assert hand.result is not None
    assert sum(hand.result.points) == 72
    assert card_of("F") in [card for trick in hand.tricks for card in trick.cards]
    assert play(composed({}, dealer=2)).turn == 3
