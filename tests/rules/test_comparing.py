"""Comparisons: what was put in, taken out and changed, shown side by side, at a bounded price."""

from __future__ import annotations

import time

import pytest
from hypothesis import given

from rules.documents.comparing import How, Row, compare, compare_texts
from tests.rules import document_kit as kit


def said(pieces) -> str:
    return "".join(piece.text for piece in pieces)


def marked(pieces) -> list[str]:
    return [piece.text for piece in pieces if piece.differs]


def rows_of(before: str, after: str) -> list[Row]:
    return [row for row in compare_texts(before, after).rows if row.how not in (How.SAME, How.GAP)]


def test_a_changed_word_is_marked_and_nothing_else():
    (row,) = rows_of("Three cards are laid away.", "Two cards are laid away.")
    assert row.how is How.CHANGED
    assert (marked(row.before), marked(row.after)) == (["Three"], ["Two"])
    assert said(row.after) == "Two cards are laid away."


def test_words_that_change_beside_each_other_have_one_mark():
    (row,) = rows_of("It was the old dealer who deals.", "It was a new dealer who deals.")
    assert (marked(row.before), marked(row.after)) == (["the old"], ["a new"])


def test_a_line_that_says_something_else_is_marked_as_a_whole():
    (row,) = rows_of("Gion begins so.", "At the end, a count: nine.")
    assert (marked(row.before), marked(row.after)) == (["Gion begins so."], ["At the end, a count: nine."])


def test_a_line_put_in_pairs_with_no_other():
    rows = rows_of("The dealer deals.\nThe cut follows.", "The dealer deals.\nNobody speaks.\nThe cut follows.")
    assert [row.how for row in rows] == [How.ADDED]


def test_changed_lines_stand_beside_what_they_were():
    before = "The dealer deals five cards.\nThe fool loses."
    after = "Wholly new words here now!\nThe dealer deals ten cards.\nThe fool never loses."
    assert [row.how for row in rows_of(before, after)] == [How.ADDED, How.CHANGED, How.CHANGED]


def test_what_is_the_same_is_folded_but_for_its_nearest_lines():
    before = "\n".join(f"line {number}" for number in range(20))
    comparison = compare_texts(before, before.replace("line 10", "row 10"))
    assert [row.how for row in comparison.rows] == [
        How.GAP, How.SAME, How.SAME, How.CHANGED, How.SAME, How.SAME, How.GAP,
    ]  # fmt: skip
    assert comparison.rows[0].skipped == 8
    assert comparison.rows[-1].skipped == 7


def test_a_new_field_of_a_word_says_where_it_belongs():
    after = kit.scart()
    after["terms"][2]["gender"] = "f"
    (row,) = [row for row in compare("concept", kit.scart(), after).rows if row.how is How.CHANGED]
    assert row.label.endswith("German › Scart › gender")
    assert (said(row.before), said(row.after)) == ("masculine", "feminine")


@given(kit.CONCEPTS, kit.CONCEPTS)
def test_a_comparison_is_empty_only_where_both_say_the_same(before, after):
    from rules import documents

    comparison = compare("concept", before, after)
    assert comparison.is_empty == (documents.lines("concept", before) == documents.lines("concept", after))


@given(kit.ARTICLES, kit.ARTICLES)
def test_nothing_is_lost_in_a_comparison(before, after):
    comparison = compare("article", before, after)
    shown = [said(row.after) for row in comparison.rows if row.how in (How.SAME, How.CHANGED, How.ADDED)]
    skipped = sum(row.skipped for row in comparison.rows)
    from rules import documents

    assert len(shown) + skipped == len(documents.lines("article", after))


@pytest.mark.slow
def test_the_worst_texts_are_compared_in_bearable_time():
    """Texts of the most bytes an article may have: one line, all lines alike, all words alike."""
    hard = [
        ("a " * 30_000, "b " * 30_000),
        ("a\n" * 2999, "a\nb\n" * 1499),
        ("\n".join(f"{n % 7}" for n in range(2999)), "\n".join(f"{n % 5}" for n in range(2999))),
        (("a " * 149 + "\n") * 200, ("a " * 148 + "b\n") * 200),
    ]
    started = time.process_time()
    for before, after in hard:
        assert not compare_texts(before, after).is_empty
    assert time.process_time() - started < 12
