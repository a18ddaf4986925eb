"""The form of the house rules: from a profile to groups of fields that a secretary understands, and back.

The fields come from the schema of the profile. The profile itself checks the values (`DomainError`), and its errors are
shown at the fields they name. Fields of a group have names such as `bye_points`, fields of lists `tie_0`,
`size_3_deals`, `penalty_0_title`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from django import forms
from django.core.exceptions import ValidationError
from django.forms.boundfield import BoundField
from django.forms.utils import ErrorDict
from django.utils.datastructures import MultiValueDict
from django.utils.text import slugify
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from clubs import text as club_text
from clubs.money import MoneyField, money_field
from clubs.services import common
from clubs.services.common import ELSEWHERE
from clubs.text import rule_label
from core.forms import NOT_OFFERED, NOT_WHOLE, Form
from core.http import whole_number
from core.sursilvan import capfirst
from domain.engine.ruleset import Option
from domain.engine.rulesets import ruleset
from domain.errors import DomainError
from domain.schema import Flag, Plain, Record, Shape, Text, Whole, Word
from domain.standings.criteria import CRITERIA
from domain.standings.profile import FIRST, ODD_NUMBERS, SHAPE, HouseRules, from_plain, to_plain
from domain.tournament.odd_numbers import FAIR_AT_THREE, made_fair
from games.forms import choice_words, words_of
from games.selectors import rulesets

SIZES: Final = range(2, 9)
USUAL: Final[Mapping[str, int]] = {"deals": 0, "percent": 100, "per_deal": 0}
"""The rules for a table of any size by default."""
QUESTIONS: Final = ("ruleset", "rounds", "deals", "tie_0", "odd_numbers", "fee")
SPARE: Final = 3
"""How many empty lines are added for further penalties."""
MOST_PENALTIES: Final = 50
FEWEST_TIES: Final = 6
GIVEN: Final = ("bye", "late", "absent")
"""The fields for what people get for a round that they did not play."""
LISTS: Final = {"tie_breaks": "tie", "table_sizes": "size", "penalties": "penalty"}
"""The lists of the profile, and the prefix of the fields of their lines."""
HELP: Final = {
    "match_places": _(
        "Only where everybody plays alone: a line for each size of table, the first place first, as 8 5 2 1 0."
    ),
    "dropped": _("0: every round counts."),
    "fewest_rounds": _("People who played fewer are listed without a rank. 0: no such rule."),
    "overdue": _("Only for rounds that are played online by correspondence."),
}
_PATH: Final = re.compile(r"(?P<name>\w*)(\[(?P<index>\d+)\])?(\.(?P<part>[^\[]+))?")


class PlacesField(forms.CharField):
    widget = forms.Textarea(attrs={"rows": 3})

    def clean(self, value: Any) -> Any:
        """The numbers, row by row. Raises ValidationError."""
        rows = [line.replace(",", " ").split() for line in super().clean(value).splitlines() if line.strip()]
        if not all(re.fullmatch(r"-?[0-9]{1,4}", each) for row in rows for each in row):
            raise ValidationError(NOT_WHOLE["invalid"])
        return [[int(each) for each in row] for row in rows]

    def prepare_value(self, value: Any) -> Any:
        return value if value is None or isinstance(value, str) else "\n".join(" ".join(map(str, row)) for row in value)


class RulesForm(Form):
    """The form of a profile: everything a club agrees on. `game` is the ruleset whose options it shows."""

    note = forms.CharField(
        label=_("What is new, and why"),
        required=False,
        max_length=200,
        help_text=_("One line, for everybody who compares this version with the one before."),
    )

    rules: HouseRules

    def __init__(self, rules: HouseRules, data: Mapping[str, Any] | None = None) -> None:
        super().__init__(data, initial=_flat(to_plain(rules)))
        chosen = str(data.get("ruleset", "")) if data is not None else rules.ruleset
        self.game = chosen if chosen in rulesets.ORDER else rules.ruleset
        self.fields["asked"] = forms.CharField(widget=forms.HiddenInput, initial=self.game, required=False)
        if data is not None and data.get("asked") != self.game:
            self._change_game(data)
        self.ties = self._count("tie_count", max(FEWEST_TIES, len(rules.tie_breaks) + 1), len(CRITERIA))
        self.lines = self._count("penalty_count", len(rules.penalties) + SPARE, MOST_PENALTIES)
        self._add_plain(rules)
        given = dict(rules.options) if rules.ruleset == self.game else {}
        for option in self._options():
            self.fields[f"option_{option.name}"] = _option_field(option, given.get(option.name, option.default))
        self._add_lists()

    # building the form

    def _count(self, name: str, usual: int, most: int) -> int:
        """The number of lines: as the form was shown (a hidden field), by default `usual`; at most `most`."""
        self.fields[name] = forms.IntegerField(widget=forms.HiddenInput, initial=min(usual, most), required=False)
        sent = self.data.get(name, "") if self.is_bound else ""
        number = whole_number(sent)
        return min(usual if number is None else number, most)

    def _add_plain(self, rules: HouseRules) -> None:
        for name, shape in SHAPE.fields.items():
            if name == "ruleset":
                games = [(game, rulesets.game_name(game)) for game in rulesets.ORDER]
                self.fields[name] = _choice(rule_label(name), games)
            elif isinstance(shape, Record):
                labels = {"method": rule_label(name), "points": _("Points"), "match": _("Match points")}
                for part, inner in shape.fields.items():
                    if (name, part) == ("match", "places"):
                        self.fields["match_places"] = PlacesField(required=False, label=rule_label(part))
                    else:
                        label = labels.get(part) or rule_label(part)
                        self._add(f"{name}_{part}", inner, label, "given", name == "match")
            elif name == "fee":
                label, help_text = rule_label(name), _("In francs; empty or 0: free. Prizes are set for each evening.")
                self.fields[name] = MoneyField(required=False, label=label, help_text=help_text)
            elif name == "odd_numbers":
                choices = leftover_choices(ODD_NUMBERS, rules, rules.odd_numbers)
                self.fields[name] = forms.ChoiceField(label=rule_label(name), choices=choices, widget=forms.RadioSelect)
            elif name not in ("version", "options", *LISTS):
                self._add(name, shape, rule_label(name), name)
        for name, text in HELP.items():
            self.fields[name].help_text = text

    def _add(self, name: str, shape: Shape, label: Any, choices: str, required: bool = True) -> None:
        """Add the field for a shape. `choices` is the name of its choices in `clubs.text`."""
        if isinstance(shape, Word):
            self.fields[name] = _choice(label, club_text.choices(choices))
        elif isinstance(shape, Whole):
            self.fields[name] = _whole(label, required=required)
        elif isinstance(shape, Flag):
            self.fields[name] = forms.BooleanField(required=False, label=label)
        elif isinstance(shape, Text):
            self.fields[name] = forms.CharField(max_length=shape.longest, label=label)

    def _options(self) -> list[Option]:
        return [option for option in ruleset(self.game).options if option.name not in ELSEWHERE]

    def _change_game(self, data: Mapping[str, Any]) -> None:
        """Fill in the default options of another game that was chosen: the form has not asked for them yet."""
        defaults = {f"option_{option.name}": _typed(option.default) for option in self._options()}
        filled = {**{name: data[name] for name in data}, **defaults, "asked": self.game}
        self.data = MultiValueDict({name: [text] for name, text in filled.items()})

    def show_only(self) -> None:
        """Show what was typed without errors: another game was chosen, and nothing is saved."""
        self._errors = ErrorDict()

    def _add_lists(self) -> None:
        named = [(code, club_text.criterion(code).name) for code in CRITERIA]
        for index in range(self.ties):
            choices = [("", _("nothing more")), *named] if index else [each for each in named if each[0] in FIRST]
            label = _("then") if index else _("What counts first")
            self.fields[f"tie_{index}"] = _choice(label, choices, required=not index)
        self.fields["tie_0"].help_text = _("In Troggu, points are Rappen.")
        titles = {"deals": _("Deals"), "percent": _("Points count for, in %"), "per_deal": _("Points for each deal")}
        for size in SIZES:
            at_table = _("at a table of %(size)d") % {"size": size}
            for part, title in titles.items():
                self.fields[f"size_{size}_{part}"] = _whole(f"{title}, {at_table}")
        for line in range(self.lines):
            number = {"number": line + 1}
            what_for = _("What for, line %(number)d") % number
            self.fields[f"penalty_{line}_title"] = forms.CharField(required=False, max_length=200, label=what_for)
            self.fields[f"penalty_{line}_points"] = _whole(_("Points taken, line %(number)d") % number)
            self.fields[f"penalty_{line}_match"] = _whole(_("Match points taken, line %(number)d") % number)
            self.fields[f"penalty_{line}_code"] = forms.CharField(required=False, widget=forms.HiddenInput)

    # the groups of fields, for templates

    def _row(self, prefix: str, parts: Iterable[object]) -> list[BoundField]:
        return [self[f"{prefix}_{part}"] for part in parts]

    def options(self) -> list[BoundField]:
        return self._row("option", [option.name for option in self._options()])

    def tie_fields(self) -> list[BoundField]:
        """The criteria after the first, for players who are equal so far."""
        return self._row("tie", range(1, self.ties))

    def wrong_in_more(self) -> bool:
        """Whether to show the fields outside the main questions: one has an error, or the reader asked for them."""
        return self.data.get("show") == "yes" or bool(self.errors.keys() - {*QUESTIONS, "note"})

    def given_rows(self) -> list[list[BoundField]]:
        """What people get for rounds that they did not play: method, points, match points."""
        return [self._row(name, ("method", "points", "match")) for name in GIVEN]

    def size_rows(self) -> list[tuple[int | BoundField, ...]]:
        """How tables of other sizes differ: the size, then its fields."""
        return [(size, *self._row(f"size_{size}", USUAL)) for size in SIZES]

    def penalty_rows(self) -> list[list[BoundField]]:
        """The club's penalties, followed by empty lines: title, points, match points, code."""
        return [self._row(f"penalty_{line}", ("title", "points", "match", "code")) for line in range(self.lines)]

    # back to a profile

    def clean(self) -> dict[str, Any]:
        """Make the profile `rules` of the data; an error is shown at the field it names."""
        data = super().clean() or {}
        if self.errors:
            return data
        try:
            rules = from_plain(self._read(data))
            chosen = rules.odd_numbers
            self.rules = made_fair(rules, chosen) if chosen != self.initial["odd_numbers"] else rules
            common.check_game(self.rules)
        except DomainError as error:
            self.add_error(self._field_at(error.field), club_text.standings_refusal(error))
        return data

    def _read(self, data: Mapping[str, Any]) -> dict[str, Plain]:
        plain: dict[str, Plain] = {}
        for name, shape in SHAPE.fields.items():
            if isinstance(shape, Record):
                parts = {part: data[f"{name}_{part}"] for part in shape.fields}
                plain[name] = {part: 0 if value is None else value for part, value in parts.items()}
            elif name in self.fields:
                plain[name] = data[name]
        options = {option.name: data[f"option_{option.name}"] for option in self._options()}
        usual = {option.name: option.default for option in self._options()}
        plain["options"] = {name: value for name, value in options.items() if value not in (None, usual[name])}
        ties = {index: data[f"tie_{index}"] for index in range(self.ties)}
        if ties[0] != self.initial["tie_0"]:  # a new first criterion is removed from the later ones
            ties |= {index: "" for index, code in ties.items() if index and code == ties[0]}
        sizes = {size: _line(data, f"size_{size}", USUAL) for size in SIZES}
        penalties = {line: _line(data, f"penalty_{line}", {"points": 0, "match": 0}) for line in range(self.lines)}
        filled = [line for line, each in penalties.items() if data[f"penalty_{line}_title"] or any(each.values())]
        self._written = {
            "tie_breaks": [index for index, code in ties.items() if code],
            "table_sizes": [size for size, line in sizes.items() if line != USUAL],
            "penalties": filled,
        }
        plain["tie_breaks"] = [ties[index] for index in self._written["tie_breaks"]]
        plain["table_sizes"] = [{"size": size, **sizes[size]} for size in self._written["table_sizes"]]
        codes = self._codes(data)
        plain["penalties"] = [
            {"code": next(codes), "title": data[f"penalty_{line}_title"].strip(), **penalties[line]}
            for line in self._written["penalties"]
        ]
        return plain

    def _codes(self, data: Mapping[str, Any]) -> Iterator[str]:
        """The codes of the penalties.

        A penalty keeps its code for good; a new one gets a code from its title: late, late-2, …
        """
        lines = self._written["penalties"]
        taken = {data[f"penalty_{line}_code"] for line in lines}
        for line in lines:
            code = data[f"penalty_{line}_code"].strip()
            if not code:
                stem = slugify(data[f"penalty_{line}_title"])[:30].strip("-_") or "penalty"
                numbered = (stem if number == 1 else f"{stem}-{number}" for number in range(1, MOST_PENALTIES + 2))
                code = next(each for each in numbered if each not in taken)
                taken.add(code)
            yield code

    _written: dict[str, list[int]]
    """For each list, the lines of the form that became its values."""

    def _field_at(self, path: str) -> str | None:
        """The field of this form for a path of the profile: ``bye.points``, ``tie_breaks[2]``, ``penalties[0].title``."""
        match = _PATH.match(path)
        assert match is not None
        name, part = match["name"], match["part"] or ""
        prefix = {"options": "option"}.get(name, name)
        if name in LISTS:
            lines = self._written[name] or [0]
            prefix = f"{LISTS[name]}_{lines[min(int(match['index'] or 0), len(lines) - 1)]}"
        shown = [field.name for field in self.visible_fields()]
        likely = (f"{prefix}_{part}", prefix, *(field for field in shown if field.startswith(f"{prefix}_")))
        return next((field for field in likely if field in shown), None)


def _choice(label: Any, choices: list[tuple[str, Any]], *, required: bool = True) -> forms.ChoiceField:
    return forms.ChoiceField(
        label=label, choices=choices, required=required, error_messages={"invalid_choice": NOT_OFFERED}
    )


def _whole(label: Any, *, required: bool = False) -> forms.IntegerField:
    return forms.IntegerField(label=label, required=required, error_messages=NOT_WHOLE)


def _typed(value: object) -> str:
    """A value as a browser would send it: "on" for a ticked box, "" for one that is not."""
    if isinstance(value, bool):
        return "on" if value else ""
    return str(value)


def _option_field(option: Option, value: object) -> forms.Field:
    """The field for an option of a game, with its label and help text."""
    label, help_text = words_of(option.name)
    if isinstance(option.default, bool):
        return forms.BooleanField(required=False, initial=value, label=label, help_text=help_text)
    if option.choices:
        labels = choice_words()
        choices = [(each, labels[each]) for each in option.choices]
        return forms.ChoiceField(choices=choices, initial=value, label=label, help_text=help_text)
    return forms.IntegerField(
        required=False, initial=value, min_value=option.low, max_value=option.high, label=label, help_text=help_text
    )


def _line(data: Mapping[str, Any], prefix: str, usual: Mapping[str, int]) -> dict[str, int]:
    """The numbers of a line; the usual ones for empty fields."""
    values = {part: data[f"{prefix}_{part}"] for part in usual}
    return {part: usual[part] if value is None else value for part, value in values.items()}


def _flat(plain: dict[str, Any]) -> dict[str, Any]:
    """The initial values of the form: a profile as one value for each field."""
    initial: dict[str, Any] = {"fee": money_field(plain.pop("fee"))}
    for name, value in plain.items():
        if isinstance(value, dict):
            initial |= {f"{name}_{part}": each for part, each in value.items()}
        elif name not in LISTS:
            initial[name] = value
    initial |= {f"tie_{index}": code for index, code in enumerate(plain["tie_breaks"])}
    for line in plain["table_sizes"]:
        unusual = {part: line[part] if line[part] != usual else None for part, usual in USUAL.items()}
        initial |= {f"size_{line['size']}_{part}": value for part, value in unusual.items()}
    for index, line in enumerate(plain["penalties"]):
        initial |= {f"penalty_{index}_{part}": value for part, value in line.items()}
    return initial


def leftover_choices(names: Iterable[str], rules: HouseRules, chosen: str) -> list[tuple[str, str]]:
    """Form choices for a number of players that does not fill the tables: each with a sentence on how fair it is.

    The sentence for `chosen` describes the rules as they are; the others describe them after `made_fair`.
    """
    choices = []
    for name in names:
        described = rules if name == chosen else made_fair(rules, name)
        label = capfirst(club_text.choice("odd_numbers", name))
        choices.append((name, f"{label}. {_fairness(described, name)}"))
    return choices


def _fairness(rules: HouseRules, answer: str) -> str:
    if answer == "larger":
        return gettext(
            "Fair: everybody plays the same number of deals; if there is one person too many, players take turns to look on."
        )
    if answer == "bye":
        if rules.bye.method == "own-average":
            return gettext(
                "Fair: a bye counts as the average of one’s own rounds, and goes to somebody else each time."
            )
        return gettext("It goes round, and brings: %(what)s.") % {"what": club_text.given_in_words(rules.bye)}
    if rules.at(3).per_deal == FAIR_AT_THREE:
        fair = gettext(
            "Fair: they get 10 extra points for each deal, because on average a deal brings 26 points there and 36 at a table of four."
        )
        uneven = gettext(
            "Where three cannot share the deals equally, those whom the draw seats first deal once more than the others."
        )
        return f"{fair} {uneven}"
    return gettext("A deal brings 26 points there and 36 at four, on average: 10 points more for each would be fair.")


class RulesFileForm(Form):
    """An upload of house rules that were saved as a file, here or elsewhere."""

    file = forms.FileField(label=_("File of house rules (JSON)"))
