"""Every reading of ours, **R** in docs/rules.md, has a box of its own in an article, in English and in German."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

import pytest

from rules.content_files import CONTENT

RULES: Final = (Path(__file__).resolve().parents[2] / "docs" / "rules.md").read_text(encoding="utf-8")
MARK: Final = "**R**"
EXPLAINED: Final = "the reading marked **R** is ours"
BOX: Final = re.compile(r"^::: question ([a-z0-9-]+)$", re.MULTILINE)

READINGS: Final = {
    # of all games, and of four
    "**R** the card seen at the cut is the bottom card": "troccas#cut-card",
    "The Fool is no trump here (**R**)": "troccas#fool-in-the-draw",
    "**R** the highest sits at seat 1": "troccas#seat-of-the-highest",
    'the source\'s "21 each" is a slip). **R** "losing by 9"': "troccas#losing-by-nine troccas#cards-in-one-round",
    "the pack is shuffled as usual, **R**.)": "troccas#pack-after-a-throw-in",
    "**R** a trick is gathered in an order nobody notes": "troccas#order-of-gathered-cards",
    "**R** a turn is one of these": "troccas#one-thing-in-a-turn",
    "holds no trump at all (the Fool does not count, **R**)": "troccas#dealer-without-trumps",
    "may not be said (**R** but for the XXI and the Fool)": "table-talk#what-may-be-named",
    "that suit then counts as led, **R**": "troccas#fool-led-and-first-lead",
    "**R** if at the end the side has tricks but no low card": "troccas#fool-without-a-low-card troccas#fool-without-a-trick",
    "**R** with three and five players too": "troccas-3#three-fool-without-a-trick troccas-5#five-fool-without-a-trick",
    "the **winner of the trick** (**R**": "troccas#who-calls troccas-6#six-who-calls",
    "(**R**) if its holder is the player of the king": "troccas#jack-behind-the-king",
    "**R** if there is none, the jack goes back to hand": "troccas#pair-without-a-numeral troccas-3#three-nothing-to-take",
    "0 is a draw (**R**)": "troccas#even-score",
    "**R** with `throw_in` off nobody is asked": "troccas#talk-without-throwing-in",
    # of six, three and five
    "no demands (**R**)": "troccas-6#six-demands",
    "the sides are as one sits down (**R**)": "troccas-6#six-partners",
    "**R** a numeral of that suit, as with four": "troccas-3#three-what-comes-back",
    "**R** three hands": "troccas-3#three-hands troccas-3-singles#three-hands",
    "**R** the dealer sees the cut card at once": "troccas-3#three-cut-card",
    "**R** five hands": "troccas-5#five-hands",
    "**R** the dealer sees the cut card after the second": "troccas-5#five-cut-card",
    # of the leaflet with house rules
    "clockwise (**R**": "troccas-oinkers#oinkers-direction",
    "all 78 cards (**R**": "troccas-oinkers#oinkers-pack",
    "(at once) or `veto` (**R**": "troccas-oinkers#oinkers-redeal",
    "who has none leads any card (**R**)": "troccas-oinkers#oinkers-no-trump",
    "**R** a Fool that is led calls for trumps": "troccas-oinkers#oinkers-fool-led",
    "**R** it is no slip for the jack": "troccas-oinkers#oinkers-knight",
    "the winner of the trick calls (**R**)": "troccas-oinkers#oinkers-who-calls",
    "played by another (**R**), the winning one too": "troccas-oinkers#oinkers-take-back",
    "**R** the two cards laid away are free to choose": (
        "troccas-oinkers#oinkers-two-highest troccas-oinkers#oinkers-cut"
    ),
    "score = points − 65 (**R**": "troccas-oinkers#oinkers-count",
    # of Troccas Online
    "(**R** where the source says nothing": (
        "troccas-online#online-cut troccas-online#online-hands troccas-online#online-fool-debt"
        " troccas-online#online-who-calls"
    ),
    "led for the first time (**R**": "troccas-online#online-which-king",
    "nothing happens; **R**)": "troccas-online#online-self-call",
    # of Troggu
    "**R** three may play too": "troggu#three-players",
    "**R** dealt by the general table": "troggu-st-niklaus#how-st-niklaus-deals",
    "**R** 3–6; only 4 and 5 are described": "troggu-graechen#how-many-play troggu-graechen#three-and-six",
    "the first to say it has it, **R**": "troggu#several-solos",
    "the Tappist then (**R**: after the discard)": "troggu#call-after-the-discard",
    "**R** no low card: the least valuable": "troggu#fool-no-low-card troggu#fool-no-trick",
    "whatever the Tapp counts (**R**)": "troggu#no-trick-with-the-tapp",
    "pays no debt of the Fool (**R**)": "troggu#discard-pays-no-debt",
    "**R** without a partner every opponent one stake": "troggu#alone-against-six",
    "**R** the Fool's points are its holder's": "troggu#misere-fool",
    "**R** tied players each pay": "troggu#misere-tie troggu-st-niklaus#fewest-tie",
    "**R** a game is as many hands as players": "troggu#length-of-a-game troggu-graechen#passed-hand",
    "**R** 30 points exactly": "troggu#double-limit",
}
"""A few words round each mark, and the boxes that explain it."""

OTHER_QUESTIONS: Final = {
    "history#how-it-came": "about the past",
    "history#is-troggu-dying": "about the present",
    "table-talk#medel-how-many": "what a phrase promises: no rule",
    "table-talk#cellar-or-barn": "what a phrase says: no rule",
    "tournaments#pairs-or-singles": "tournaments have no rules here yet",
    "tournaments#what-ten-means": "tournaments have no rules here yet",
    "counting#two-good-cards": "one source says it plainly, the other shortens it",
    "troccas-3#three-two-ways": "both ways are attested, and both are games here",
    "troccas-3-singles#singles-two-ways": "both ways are attested, and both are games here",
    "troccas-online#online-score": "as its source has it; it only differs from the others",
    "troggu#wrong-card": "the engine takes no such card",
}
"""Boxes that stand for no reading of the engine, and why."""


def marks() -> list[int]:
    """Where a reading is marked in the rules, but for the sentence that explains the mark."""
    explained = RULES.index(EXPLAINED) + EXPLAINED.index(MARK)
    return [found.start() for found in re.finditer(re.escape(MARK), RULES) if found.start() != explained]


def boxes(language: str) -> set[str]:
    """The questions of all articles in a language, as `article#id`."""
    return {
        f"{path.stem}#{box}"
        for path in (CONTENT / "articles" / language).glob("*.md")
        for box in BOX.findall(path.read_text(encoding="utf-8"))
    }


def told() -> set[str]:
    return {box for each in READINGS.values() for box in each.split()}


def test_every_reading_of_the_rules_is_known_here_once() -> None:
    known = []
    for words in READINGS:
        assert (RULES.count(words), words.count(MARK)) == (1, 1), words
        known.append(RULES.index(words) + words.index(MARK))
    unknown = [RULES[at - 60 : at + 60] for at in marks() if at not in known]
    assert unknown == [], "a new reading: write its box and name it here"
    assert sorted(known) == marks()


@pytest.mark.parametrize("language", ["en", "de"])
def test_every_reading_has_its_box(language: str) -> None:
    assert told() - boxes(language) == set()


def test_every_box_stands_for_a_reading_or_has_a_reason_not_to() -> None:
    assert boxes("en") == boxes("de")
    assert boxes("en") - told() == set(OTHER_QUESTIONS)
