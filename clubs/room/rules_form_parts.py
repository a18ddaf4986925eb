"""What the form of the house rules is made of: fields for options, what it begins with, lines of numbers read."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any, Final

from django import forms

from clubs.standings.profile import HouseRules
from clubs.standings.refused import StandingsRefused
from games.engine.ruleset import Option
from games.table_form import choice_words, words_of

GIVEN: Final = ("bye", "late", "absent")
"""What a round brings to who did not play it."""
PLAIN: Final = (
    "name", "ruleset", "talk", "rounds", "deals", "drawn", "dropped", "drop_missed", "wrong_sum", "unfinished",
    "head_to_head", "leavers", "fewest_rounds", "overdue",
)  # fmt: skip
"""Fields of the profile that are one field of the form each."""
MOST_PENALTIES: Final = 50


def places_of(text: str) -> list[list[int]]:
    """The lines of numbers. Raises StandingsRefused."""
    rows = [line.replace(",", " ").split() for line in text.splitlines() if line.strip()]
    for place, row in enumerate(rows):
        if not all(re.fullmatch(r"-?[0-9]{1,4}", each) for each in row):
            raise StandingsRefused("not-a-number", f"match.places[{place}]")
    return [[int(each) for each in row] for row in rows]


def typed(value: object) -> str:
    """A value as a browser would send it; a box that is not ticked sends nothing."""
    return ("on" if value else "") if isinstance(value, bool) else str(value)


def option_field(option: Option, value: object) -> forms.Field:
    """The field for an option of a game, in its words."""
    called, about = words_of(option.name)
    if isinstance(option.default, bool):
        return forms.BooleanField(required=False, initial=value, label=called, help_text=about)
    if option.choices:
        said = choice_words()
        choices = [(each, said[each]) for each in option.choices]
        return forms.ChoiceField(choices=choices, initial=value, label=called, help_text=about)
    return forms.IntegerField(
        required=False, initial=value, min_value=option.low, max_value=option.high, label=called, help_text=about
    )


def initial_of(rules: HouseRules) -> dict[str, Any]:
    """What the form begins with."""
    found: dict[str, Any] = {field: getattr(rules, field) for field in PLAIN}
    found |= {"match_win": rules.match.win, "match_draw": rules.match.draw, "match_loss": rules.match.loss}
    found["match_places"] = "\n".join(" ".join(map(str, row)) for row in rules.match.places)
    for name in GIVEN:
        each = getattr(rules, name)
        found |= {f"{name}_method": each.method, f"{name}_points": each.points, f"{name}_match": each.match}
    found |= {f"tie_{place}": code for place, code in enumerate(rules.tie_breaks)}
    for size in rules.table_sizes:
        found[f"size_{size.size}_deals"] = size.deals or None
        found[f"size_{size.size}_percent"] = size.percent if size.percent != 100 else None
        found[f"size_{size.size}_per_deal"] = size.per_deal or None
    for line, kind in enumerate(rules.penalties):
        found |= {
            f"penalty_{line}_code": kind.code,
            f"penalty_{line}_title": kind.title,
            f"penalty_{line}_points": kind.points,
            f"penalty_{line}_match": kind.match,
        }
    return found


def numbered(stem: str) -> Iterable[str]:
    """Codes that begin alike: late, late-2, late-3, …"""
    yield stem
    for number in range(2, MOST_PENALTIES + 2):
        yield f"{stem}-{number}"


def at_place(places: list[int], index: int) -> int:
    """The line of the form in which the value with this index of the profile was written."""
    return places[index] if index < len(places) else (places[-1] if places else 0)
