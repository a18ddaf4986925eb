"""docs/standings.md names everything a club can choose."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from domain.standings.criteria import CRITERIA
from domain.standings.prizes import TIES
from domain.standings.profile import (
    DRAWN,
    FORMAT,
    GIVEN,
    HEAD_TO_HEAD,
    LEAVERS,
    OVERDUE,
    SHAPE,
    TALK,
    UNFINISHED,
    WRONG_SUM,
    from_plain,
)

TEXT = (Path(__file__).parents[3] / "docs" / "standings.md").read_text()
WORDS = (FORMAT, *DRAWN, *GIVEN, *HEAD_TO_HEAD, *LEAVERS, *OVERDUE, *TALK, *UNFINISHED, *WRONG_SUM, *TIES)


@pytest.mark.parametrize("word", [*WORDS, *SHAPE.fields, *CRITERIA])
def test_every_field_choice_and_criterion_is_explained(word):
    assert f"`{word}`" in TEXT


def test_every_criterion_has_its_line_and_no_other_has():
    part = TEXT.split("## The criteria")[1].split("\n\n**")[0]
    assert re.findall(r"^\| `([a-z-]+)`", part, re.MULTILINE) == list(CRITERIA)


def test_the_example_of_a_table_size_is_one():
    example = re.search(r"`(\{\"size\".*?\})`", TEXT)
    assert example
    size = from_plain({"table_sizes": [json.loads(example[1])]}).at(3)
    assert (size.deals, size.per_deal) == (6, 10)
