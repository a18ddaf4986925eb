"""The form of the house rules: a profile in groups that a secretary understands, and back.

What is wrong is found by the profile itself (`StandingsRefused`) and shown at the field it names.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

from django import forms
from django.forms.boundfield import BoundField
from django.forms.utils import ErrorDict
from django.utils.datastructures import MultiValueDict
from django.utils.text import slugify
from django.utils.translation import gettext as _

from clubs import words
from clubs.room import house_rules
from clubs.room.house_rules import ELSEWHERE
from clubs.room.rules_form_parts import (
    GIVEN,
    MOST_PENALTIES,
    PLAIN,
    at_place,
    initial_of,
    numbered,
    option_field,
    places_of,
    typed,
)
from clubs.room.rules_words import label
from clubs.standings.criteria import CRITERIA
from clubs.standings.profile import HouseRules, from_plain
from clubs.standings.refused import StandingsRefused
from games import choosing
from games.engine.ruleset import Option
from games.engine.rulesets import ruleset

SIZES: Final = range(2, 9)
SPARE: Final = 3
"""Empty lines for more penalties than there are."""
FEWEST_TIES: Final = 6
_CODE: Final = re.compile(r"[^a-z0-9-]+")


class RulesForm(forms.Form):
    """Everything a club agrees on. Made from a profile; `game` is the ruleset whose options are asked for."""

    name = forms.CharField(max_length=100)
    ruleset = forms.ChoiceField()
    talk = forms.ChoiceField()
    rounds = forms.IntegerField()
    deals = forms.IntegerField()
    match_win = forms.IntegerField()
    match_draw = forms.IntegerField()
    match_loss = forms.IntegerField()
    match_places = forms.CharField(required=False, widget=forms.Textarea(attrs={"rows": 3}))
    drawn = forms.ChoiceField()
    dropped = forms.IntegerField()
    drop_missed = forms.BooleanField(required=False)
    wrong_sum = forms.ChoiceField()
    unfinished = forms.ChoiceField()
    head_to_head = forms.ChoiceField()
    leavers = forms.ChoiceField()
    fewest_rounds = forms.IntegerField()
    overdue = forms.ChoiceField()
    note = forms.CharField(required=False, max_length=200)

    def __init__(self, rules: HouseRules, data: Mapping[str, Any] | None = None) -> None:
        super().__init__(data, label_suffix="", initial=initial_of(rules))
        asked = str(data.get("ruleset", "")) if data is not None else rules.ruleset
        self.game = asked if asked in choosing.ORDER else rules.ruleset
        self.fields["asked"] = forms.CharField(widget=forms.HiddenInput, initial=self.game, required=False)
        if data is not None and data.get("asked") != self.game:
            self._other_game(data)
        self.ties = self._count("tie_count", max(FEWEST_TIES, len(rules.tie_breaks) + 1), len(CRITERIA))
        self.lines = self._count("penalty_count", len(rules.penalties) + SPARE, MOST_PENALTIES)
        self._say()
        self._add_options(rules)
        self._add_given()
        self._add_ties()
        self._add_sizes()
        self._add_penalties()

    # what it is made of

    def _count(self, name: str, usual: int, most: int) -> int:
        """How many lines there are; the form sends along how many it had."""
        self.fields[name] = forms.IntegerField(widget=forms.HiddenInput, initial=min(usual, most), required=False)
        sent = self.data.get(name, "") if self.is_bound else ""
        return min(int(sent), most) if sent.isascii() and sent.isdigit() else min(usual, most)

    def _say(self) -> None:
        for field in PLAIN:
            self.fields[field].label = label(field)
        for field in ("win", "draw", "loss"):
            self.fields[f"match_{field}"].label = label(field)
        self.fields["match_places"].label = label("places")
        self.fields["match_places"].help_text = _(
            "Only where everybody plays alone: a line for each size of table, the first place first, as 8 5 2 1 0."
        )
        self.fields["dropped"].help_text = _("0: every round counts.")
        self.fields["fewest_rounds"].help_text = _("Who played fewer is listed without a rank. 0: no such rule.")
        self.fields["overdue"].help_text = _("Only for rounds that are played online by correspondence.")
        self.fields["note"].label = _("What is new, and why")
        self.fields["note"].help_text = _("One line, for everybody who compares this version with the one before.")
        for field in ("talk", "drawn", "wrong_sum", "unfinished", "head_to_head", "leavers", "overdue"):
            self._choose(field, words.choices(field))
        self._choose("ruleset", [(known, choosing.game_name(known)) for known in choosing.ORDER])
        for each in self.fields.values():
            if isinstance(each, forms.IntegerField):
                each.error_messages["invalid"] = _("Write a whole number.")

    def _choose(self, name: str, choices: list[tuple[str, str]]) -> None:
        field = self.fields[name]
        assert isinstance(field, forms.ChoiceField)
        field.choices = choices
        field.error_messages["invalid_choice"] = _("Choose one of the ways in the list.")

    def _options(self) -> list[Option]:
        return [option for option in ruleset(self.game).options if option.name not in ELSEWHERE]

    def _add_options(self, rules: HouseRules) -> None:
        given = dict(rules.options) if rules.ruleset == self.game else {}
        for option in self._options():
            self.fields[f"option_{option.name}"] = option_field(option, given.get(option.name, option.default))

    def _other_game(self, data: Mapping[str, Any]) -> None:
        """Another game was chosen: nobody was asked about its options yet, so they are as usual."""
        usual = {f"option_{option.name}": typed(option.default) for option in self._options()}
        self.data = MultiValueDict(
            {name: [data[name]] for name in data} | {name: [text] for name, text in usual.items()}
        )
        self.data["asked"] = self.game

    def show_only(self) -> None:
        """Show what was typed without judging it: another game was asked for, nothing is saved."""
        self._errors = ErrorDict()

    def _add_given(self) -> None:
        for name in GIVEN:
            self.fields[f"{name}_method"] = forms.ChoiceField(choices=words.choices("given"), label=label(name))
            self.fields[f"{name}_points"] = forms.IntegerField(label=_("Points"), required=False)
            self.fields[f"{name}_match"] = forms.IntegerField(label=_("Match points"), required=False)

    def _add_ties(self) -> None:
        named = [(code, words.criterion(code).name) for code in CRITERIA]
        for place in range(self.ties):
            called = _("First") if place == 0 else _("then")
            choices = named if place == 0 else [("", _("nothing more")), *named]
            self.fields[f"tie_{place}"] = forms.ChoiceField(choices=choices, required=place == 0, label=called)

    def _add_sizes(self) -> None:
        for size in SIZES:
            for part, called in (
                ("deals", _("Deals")),
                ("percent", _("Points count for, in %")),
                ("per_deal", _("Points for each deal")),
            ):
                about = _("at a table of %(size)d") % {"size": size}
                self.fields[f"size_{size}_{part}"] = forms.IntegerField(required=False, label=f"{called}, {about}")

    def _add_penalties(self) -> None:
        for line in range(self.lines):
            number = {"number": line + 1}
            self.fields[f"penalty_{line}_code"] = forms.CharField(required=False, widget=forms.HiddenInput)
            self.fields[f"penalty_{line}_title"] = forms.CharField(
                required=False, max_length=200, label=_("What for, line %(number)d") % number
            )
            self.fields[f"penalty_{line}_points"] = forms.IntegerField(
                required=False, label=_("Points taken, line %(number)d") % number
            )
            self.fields[f"penalty_{line}_match"] = forms.IntegerField(
                required=False, label=_("Match points taken, line %(number)d") % number
            )

    # what templates show, group by group

    def options(self) -> list[BoundField]:
        """What is asked of the game."""
        return [self[f"option_{option.name}"] for option in self._options()]

    def tie_fields(self) -> list[BoundField]:
        """The criteria in order."""
        return [self[f"tie_{place}"] for place in range(self.ties)]

    def given_rows(self) -> list[tuple[BoundField, BoundField, BoundField]]:
        """What rounds bring that are not played."""
        return [(self[f"{name}_method"], self[f"{name}_points"], self[f"{name}_match"]) for name in GIVEN]

    def size_rows(self) -> list[tuple[int, BoundField, BoundField, BoundField]]:
        """What is different at tables of other sizes."""
        return [
            (size, self[f"size_{size}_deals"], self[f"size_{size}_percent"], self[f"size_{size}_per_deal"])
            for size in SIZES
        ]

    def penalty_rows(self) -> list[tuple[BoundField, BoundField, BoundField, BoundField]]:
        """The club's list of penalties, with empty lines after it."""
        return [
            (
                self[f"penalty_{line}_title"],
                self[f"penalty_{line}_points"],
                self[f"penalty_{line}_match"],
                self[f"penalty_{line}_code"],
            )
            for line in range(self.lines)
        ]

    # and back

    def clean(self) -> dict[str, Any]:
        """The profile of what was written, as `rules`; what it refuses is told at the field."""
        data = super().clean() or {}
        if self.errors:
            return data
        try:
            self.rules = self._read(data)
        except StandingsRefused as refused:
            self.add_error(self._field_at(refused.field), words.refusal(refused))
        return data

    rules: HouseRules

    def _read(self, data: Mapping[str, Any]) -> HouseRules:
        plain: dict[str, Any] = {field: data[field] for field in PLAIN}
        plain["match"] = {
            "win": data["match_win"],
            "draw": data["match_draw"],
            "loss": data["match_loss"],
            "places": places_of(data["match_places"]),
        }
        for name in GIVEN:
            plain[name] = {
                "method": data[f"{name}_method"],
                "points": data[f"{name}_points"] or 0,
                "match": data[f"{name}_match"] or 0,
            }
        plain["options"] = {
            option.name: value
            for option in self._options()
            if (value := data[f"option_{option.name}"]) not in (None, option.default)
        }
        self._tie_places = [place for place in range(self.ties) if data[f"tie_{place}"]]
        plain["tie_breaks"] = [data[f"tie_{place}"] for place in self._tie_places]
        self._sizes = [size for size in SIZES if self._differs(data, size)]
        plain["table_sizes"] = [
            {
                "size": size,
                "deals": data[f"size_{size}_deals"] or 0,
                "percent": 100 if data[f"size_{size}_percent"] is None else data[f"size_{size}_percent"],
                "per_deal": data[f"size_{size}_per_deal"] or 0,
            }
            for size in self._sizes
        ]
        self._penalty_lines = [line for line in range(self.lines) if self._is_filled(data, line)]
        plain["penalties"] = self._penalties(data)
        rules = from_plain(plain)
        house_rules.check_game(rules)
        return rules

    def _differs(self, data: Mapping[str, Any], size: int) -> bool:
        percent = data[f"size_{size}_percent"]
        return bool(data[f"size_{size}_deals"] or data[f"size_{size}_per_deal"]) or percent not in (None, 100)

    def _is_filled(self, data: Mapping[str, Any], line: int) -> bool:
        return bool(data[f"penalty_{line}_title"] or data[f"penalty_{line}_points"] or data[f"penalty_{line}_match"])

    def _penalties(self, data: Mapping[str, Any]) -> list[dict[str, Any]]:
        """A penalty keeps its code for good; a new one gets one from its title."""
        rows: list[dict[str, Any]] = []
        taken = {data[f"penalty_{line}_code"] for line in self._penalty_lines}
        for line in self._penalty_lines:
            title = data[f"penalty_{line}_title"].strip()
            code = _CODE.sub("", data[f"penalty_{line}_code"])
            if not code:
                stem = slugify(title)[:30] or "penalty"
                code = next(each for each in numbered(stem) if each not in taken)
                taken.add(code)
            rows.append(
                {
                    "code": code,
                    "title": title,
                    "points": data[f"penalty_{line}_points"] or 0,
                    "match": data[f"penalty_{line}_match"] or 0,
                }
            )
        return rows

    def _field_at(self, path: str) -> str | None:
        """The field of this form for a path of the profile: ``bye.points``, ``tie_breaks[2]``, ``penalties[0].title``."""
        head, _dot, rest = path.partition(".")
        name, _bracket, index = head.partition("[")
        place = int(index.rstrip("]")) if index else 0
        found = path
        if name == "match":
            found = "match_places" if rest.startswith("places") else f"match_{rest or 'win'}"
        elif name in GIVEN:
            found = f"{name}_{rest or 'method'}"
        elif name == "options":
            found = f"option_{rest}"
        elif name == "tie_breaks":
            found = f"tie_{at_place(self._tie_places, place)}"
        elif name == "table_sizes":
            found = f"size_{at_place(self._sizes, place)}_{rest or 'deals'}"
        elif name == "penalties":
            found = f"penalty_{at_place(self._penalty_lines, place)}_{rest if rest in ('points', 'match') else 'title'}"
        return found if found in self.fields else None

    _tie_places: list[int]
    _sizes: list[int]
    _penalty_lines: list[int]


class RulesFileForm(forms.Form):
    """A file of house rules that somebody saved, here or elsewhere."""

    file = forms.FileField()

    def __init__(self, data: Any = None, files: Any = None) -> None:
        super().__init__(data, files, label_suffix="")
        self.fields["file"].label = _("File of house rules (JSON)")
