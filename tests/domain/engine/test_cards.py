"""Cards and sets of cards."""

from domain.engine import CODES, card_of, set_of
from domain.engine.cards import LANE_OF, NO_LANE, in_hand_order, letter_of


def test_a_hand_is_held_by_suits_from_the_king_down_then_the_trumps_then_the_fool() -> None:
    in_order = ["CK", "C10", "O1", "O10", "S10", "S2", "BJ", "B1", "T21", "T3", "F"]
    held = set_of(map(card_of, sorted(in_order)))
    assert [CODES[card] for card in in_hand_order(held)] == in_order


def test_a_card_bears_the_letter_of_its_suit() -> None:
    assert all(letter_of(lane) == code[0] for lane, code in zip(LANE_OF, CODES, strict=True) if code != "F")
    assert letter_of(NO_LANE) == ""
