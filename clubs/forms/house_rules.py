"""The form of the house rules: a profile in groups that a secretary understands, and back.

Its fields come from the schema of the profile; what is wrong is found by the profile itself (`DomainError`) and shown at the
field it names. Fields of a group are called `bye_points`, those of lists `tie_0`, `size_3_deals`, `penalty_0_title`.
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
"""What holds at a table of any size unless it is said otherwise."""
QUESTIONS: Final = ("ruleset", "rounds", "deals", "tie_0", "odd_numbers", "fee")
SPARE: Final = 3
"""Empty lines for more penalties than there are."""
MOST_PENALTIES: Final = 50
FEWEST_TIES: Final = 6
GIVEN: Final = ("bye", "late", "absent")
"""What a round brings to those who did not play it."""
LISTS: Final = {"tie_breaks": "tie", "table_sizes": "size", "penalties": "penalty"}
"""Lists of the profile, and how the fields of their lines begin."""
HELP: Final = {
    "match_places": _(
        "Only where everybody plays alone: a line for each size of table, the first place first, as 8 5 2 1 0."
    ),
    "dropped": _("0: every round counts."),
    "fewest_rounds": _("People who played fewer are listed without a rank. 0: no such rule."),
    "overdue": _("Only for rounds that are played online by correspondence."),
}
_CODE: Final = re.compile(r"[^a-z0-9-]+")
_PATH: Final = re.compile(r"(?P<name>\w*)(\[(?P<place>\d+)\])?(\.(?P<part>[^\[]+))?")


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
    """Everything a club agrees on. Made from a profile; `game` is the ruleset whose options are asked for."""

    note = forms.CharField(
        label=_("What is new, and why"),
        required=False,
        max_length=200,
        help_text=_("One line, for everybody who compares this version with the one before."),
    )

    rules: HouseRules

    def __init__(self, rules: HouseRules, data: Mapping[str, Any] | None = None) -> None:
        super().__init__(data, initial=_flat(to_plain(rules)))
        asked = str(data.get("ruleset", "")) if data is not None else rules.ruleset
        self.game = asked if asked in rulesets.ORDER else rules.ruleset
        self.fields["asked"] = forms.CharField(widget=forms.HiddenInput, initial=self.game, required=False)
        if data is not None and data.get("asked") != self.game:
            self._other_game(data)
        self.ties = self._count("tie_count", max(FEWEST_TIES, len(rules.tie_breaks) + 1), len(CRITERIA))
        self.lines = self._count("penalty_count", len(rules.penalties) + SPARE, MOST_PENALTIES)
        self._add_plain(rules)
        given = dict(rules.options) if rules.ruleset == self.game else {}
        for option in self._options():
            self.fields[f"option_{option.name}"] = _option_field(option, given.get(option.name, option.default))
        self._add_lists()

    # what it is made of

    def _count(self, name: str, usual: int, most: int) -> int:
        """How many lines there are; the form sends along how many it had."""
        self.fields[name] = forms.IntegerField(widget=forms.HiddenInput, initial=min(usual, most), required=False)
        sent = self.data.get(name, "") if self.is_bound else ""
        return min(int(sent), most) if sent.isascii() and sent.isdigit() else min(usual, most)

    def _add_plain(self, rules: HouseRules) -> None:
        for name, shape in SHAPE.fields.items():
            if name == "ruleset":
                games = [(known, rulesets.game_name(known)) for known in rulesets.ORDER]
                self.fields[name] = _choice(rule_label(name), games)
            elif isinstance(shape, Record):
                called = {"method": rule_label(name), "points": _("Points"), "match": _("Match points")}
                for part, inner in shape.fields.items():
                    if (name, part) == ("match", "places"):
                        self.fields["match_places"] = PlacesField(required=False, label=rule_label(part))
                    else:
                        label = called.get(part) or rule_label(part)
                        self._add(f"{name}_{part}", inner, label, "given", name == "match")
            elif name == "fee":
                label, about = rule_label(name), _("In francs; empty or 0: free. Prizes are set for each evening.")
                self.fields[name] = MoneyField(required=False, label=label, help_text=about)
            elif name == "odd_numbers":
                answers = odd_answers(ODD_NUMBERS, rules, rules.odd_numbers)
                self.fields[name] = forms.ChoiceField(label=rule_label(name), choices=answers, widget=forms.RadioSelect)
            elif name not in ("version", "options", *LISTS):
                self._add(name, shape, rule_label(name), name)
        for name, text in HELP.items():
            self.fields[name].help_text = text

    def _add(self, name: str, shape: Shape, called: Any, choices: str, required: bool = True) -> None:
        if isinstance(shape, Word):
            self.fields[name] = _choice(called, club_text.choices(choices))
        elif isinstance(shape, Whole):
            self.fields[name] = _whole(called, required=required)
        elif isinstance(shape, Flag):
            self.fields[name] = forms.BooleanField(required=False, label=called)
        elif isinstance(shape, Text):
            self.fields[name] = forms.CharField(max_length=shape.longest, label=called)

    def _options(self) -> list[Option]:
        return [option for option in ruleset(self.game).options if option.name not in ELSEWHERE]

    def _other_game(self, data: Mapping[str, Any]) -> None:
        """Another game was chosen: nobody was asked about its options yet, so they are as usual."""
        usual = {f"option_{option.name}": _typed(option.default) for option in self._options()}
        filled = {**{name: data[name] for name in data}, **usual, "asked": self.game}
        self.data = MultiValueDict({name: [text] for name, text in filled.items()})

    def show_only(self) -> None:
        """Show what was typed without judging it: another game was asked for, nothing is saved."""
        self._errors = ErrorDict()

    def _add_lists(self) -> None:
        named = [(code, club_text.criterion(code).name) for code in CRITERIA]
        for place in range(self.ties):
            choices = [("", _("nothing more")), *named] if place else [each for each in named if each[0] in FIRST]
            called = _("then") if place else _("What counts first")
            self.fields[f"tie_{place}"] = _choice(called, choices, required=not place)
        self.fields["tie_0"].help_text = _("In Troggu, points are Rappen.")
        titles = {"deals": _("Deals"), "percent": _("Points count for, in %"), "per_deal": _("Points for each deal")}
        for size in SIZES:
            about = _("at a table of %(size)d") % {"size": size}
            for part, title in titles.items():
                self.fields[f"size_{size}_{part}"] = _whole(f"{title}, {about}")
        for line in range(self.lines):
            number = {"number": line + 1}
            what = _("What for, line %(number)d") % number
            self.fields[f"penalty_{line}_title"] = forms.CharField(required=False, max_length=200, label=what)
            self.fields[f"penalty_{line}_points"] = _whole(_("Points taken, line %(number)d") % number)
            self.fields[f"penalty_{line}_match"] = _whole(_("Match points taken, line %(number)d") % number)
            self.fields[f"penalty_{line}_code"] = forms.CharField(required=False, widget=forms.HiddenInput)

    # what templates show, group by group

    def _row(self, begins: str, parts: Iterable[object]) -> list[BoundField]:
        return [self[f"{begins}_{part}"] for part in parts]

    def options(self) -> list[BoundField]:
        return self._row("option", [option.name for option in self._options()])

    def tie_fields(self) -> list[BoundField]:
        """The next criterion, for those who are equal in the first."""
        return self._row("tie", range(1, self.ties))

    def wrong_in_more(self) -> bool:
        """Whether something is wrong, or was asked for, outside the five questions."""
        return self.data.get("show") == "yes" or bool(self.errors.keys() - {*QUESTIONS, "note"})

    def given_rows(self) -> list[list[BoundField]]:
        """What rounds bring that are not played: method, points, match points."""
        return [self._row(name, ("method", "points", "match")) for name in GIVEN]

    def size_rows(self) -> list[tuple[int | BoundField, ...]]:
        """What is different at tables of other sizes."""
        return [(size, *self._row(f"size_{size}", USUAL)) for size in SIZES]

    def penalty_rows(self) -> list[list[BoundField]]:
        """The club's list of penalties, with empty lines after it: title, points, match points, code."""
        return [self._row(f"penalty_{line}", ("title", "points", "match", "code")) for line in range(self.lines)]

    # and back

    def clean(self) -> dict[str, Any]:
        """The profile of what was written, as `rules`; what it refuses is told at the field."""
        data = super().clean() or {}
        if self.errors:
            return data
        try:
            rules = from_plain(self._read(data))
            chosen = rules.odd_numbers
            self.rules = made_fair(rules, chosen) if chosen != self.initial["odd_numbers"] else rules
            common.check_game(self.rules)
        except DomainError as refused:
            self.add_error(self._field_at(refused.field), club_text.standings_refusal(refused))
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
        ties = {place: data[f"tie_{place}"] for place in range(self.ties)}
        if ties[0] != self.initial["tie_0"]:  # what counts first now is left out where it stood before
            ties |= {place: "" for place, code in ties.items() if place and code == ties[0]}
        sizes = {size: _line(data, f"size_{size}", USUAL) for size in SIZES}
        penalties = {line: _line(data, f"penalty_{line}", {"points": 0, "match": 0}) for line in range(self.lines)}
        filled = [line for line, each in penalties.items() if data[f"penalty_{line}_title"] or any(each.values())]
        self._written = {
            "tie_breaks": [place for place, code in ties.items() if code],
            "table_sizes": [size for size, line in sizes.items() if line != USUAL],
            "penalties": filled,
        }
        plain["tie_breaks"] = [ties[place] for place in self._written["tie_breaks"]]
        plain["table_sizes"] = [{"size": size, **sizes[size]} for size in self._written["table_sizes"]]
        codes = self._codes(data)
        plain["penalties"] = [
            {"code": next(codes), "title": data[f"penalty_{line}_title"].strip(), **penalties[line]}
            for line in self._written["penalties"]
        ]
        return plain

    def _codes(self, data: Mapping[str, Any]) -> Iterator[str]:
        """A penalty keeps its code for good; a new one gets one from its title: late, late-2, late-3, …"""
        lines = self._written["penalties"]
        taken = {data[f"penalty_{line}_code"] for line in lines}
        for line in lines:
            code = _CODE.sub("", data[f"penalty_{line}_code"])
            if not code:
                stem = slugify(data[f"penalty_{line}_title"].strip())[:30] or "penalty"
                numbered = (stem if number == 1 else f"{stem}-{number}" for number in range(1, MOST_PENALTIES + 2))
                code = next(each for each in numbered if each not in taken)
                taken.add(code)
            yield code

    _written: dict[str, list[int]]
    """Which lines of the form became the values of a list."""

    def _field_at(self, path: str) -> str | None:
        """The field of this form for a path of the profile: ``bye.points``, ``tie_breaks[2]``, ``penalties[0].title``."""
        found = _PATH.match(path)
        assert found is not None
        name, part = found["name"], found["part"] or ""
        begins = {"options": "option"}.get(name, name)
        if name in LISTS:
            lines = self._written[name] or [0]
            begins = f"{LISTS[name]}_{lines[min(int(found['place'] or 0), len(lines) - 1)]}"
        shown = [field.name for field in self.visible_fields()]
        likely = (f"{begins}_{part}", begins, *(field for field in shown if field.startswith(f"{begins}_")))
        return next((field for field in likely if field in shown), None)


def _choice(called: Any, choices: list[tuple[str, Any]], *, required: bool = True) -> forms.ChoiceField:
    return forms.ChoiceField(
        label=called, choices=choices, required=required, error_messages={"invalid_choice": NOT_OFFERED}
    )


def _whole(called: Any, *, required: bool = False) -> forms.IntegerField:
    return forms.IntegerField(label=called, required=required, error_messages=NOT_WHOLE)


def _typed(value: object) -> str:
    """A value as a browser would send it; a box that is not ticked sends nothing."""
    return ("on" if value else "") if isinstance(value, bool) else str(value)


def _option_field(option: Option, value: object) -> forms.Field:
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


def _line(data: Mapping[str, Any], begins: str, usual: Mapping[str, int]) -> dict[str, int]:
    """The numbers of a line; what is left empty is as usual."""
    sent = {part: data[f"{begins}_{part}"] for part in usual}
    return {part: usual[part] if value is None else value for part, value in sent.items()}


def _flat(plain: dict[str, Any]) -> dict[str, Any]:
    """What the form begins with: a profile as one value for each field."""
    found: dict[str, Any] = {"fee": money_field(plain.pop("fee"))}
    for name, value in plain.items():
        if isinstance(value, dict):
            found |= {f"{name}_{part}": each for part, each in value.items()}
        elif name not in LISTS:
            found[name] = value
    found |= {f"tie_{place}": code for place, code in enumerate(plain["tie_breaks"])}
    for line in plain["table_sizes"]:
        said = {part: line[part] if line[part] != usual else None for part, usual in USUAL.items()}
        found |= {f"size_{line['size']}_{part}": value for part, value in said.items()}
    for place, line in enumerate(plain["penalties"]):
        found |= {f"penalty_{place}_{part}": value for part, value in line.items()}
    return found


def odd_answers(names: Iterable[str], rules: HouseRules, chosen: str) -> list[tuple[str, str]]:
    """The answers to numbers that do not fit, each with what is fair about it by these rules, filled up for all but the one
    `chosen` already (`domain.tournament.odd_numbers.made_fair`)."""
    return [
        (
            name,
            f"{capfirst(club_text.choice('odd_numbers', name))}. {_fair(rules if name == chosen else made_fair(rules, name), name)}",
        )
        for name in names
    ]


def _fair(rules: HouseRules, answer: str) -> str:
    if answer == "larger":
        return gettext("Fair: everybody plays as many deals; whoever is one too many looks on in turn.")
    if answer == "bye":
        if rules.bye.method == "own-average":
            return gettext("Fair: it brings the average of one’s own rounds, and goes round.")
        return gettext("It goes round, and brings: %(what)s.") % {"what": club_text.given_in_words(rules.bye)}
    if rules.at(3).per_deal == FAIR_AT_THREE:
        fair = gettext("Fair: they get 10 points more for a deal, which brings 26 there and 36 at four, on average.")
        return f"{fair} {club_text.uneven_dealing(rules.at(3).deals, 3)}".strip()
    return gettext("A deal brings 26 points there and 36 at four, on average: 10 points more for each would be fair.")


class RulesFileForm(Form):
    """A file of house rules that somebody saved, here or elsewhere."""

    file = forms.FileField(label=_("File of house rules (JSON)"))
