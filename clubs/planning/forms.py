"""The form by which a tournament is announced and planned: what is told, and how it is played."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

from django import forms
from django.conf import settings
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

from accounts.names import clean_line, clean_text
from clubs import words
from clubs.evening.desk import LONGEST_ROUND, plan_from, plan_to
from clubs.evening.given import Given
from clubs.evening.refused import EveningRefused
from clubs.evening.shapes import each_alone, game_of, odd_allowed
from clubs.evening.state import PAIR, SINGLE, Plan
from clubs.planning.announcing import Words
from clubs.planning.forms_online import OnlineFields, fitted, initial_of
from clubs.standings.profile import HouseRules
from clubs.standings.refused import StandingsRefused
from clubs.tournament_models import Tournament
from clubs.tournaments import money, wording
from games.choosing import ORDER, game_name

LOCAL: Final = "%Y-%m-%dT%H:%M"
METHODS_OF: Final = {
    SINGLE: ("draw", "rotation", "standing"),
    PAIR: ("draw", "round-robin", "swiss", "standing", "knock-out"),
}
"""Ways of seating, the usual one first."""
ALONE: Final = ("draw", "standing")
"""… where nobody has a partner."""


class MoneyField(forms.Field):
    """An amount in francs; its value is in Rappen, 0 for an empty field."""

    widget = forms.TextInput(attrs={"inputmode": "decimal", "maxlength": 20})

    def to_python(self, value: Any) -> int:
        """Rappen. Raises ValidationError."""
        text = str(value or "").strip()
        try:
            return money.read(text) if text else 0
        except ValueError:
            raise ValidationError(
                _("Write an amount in francs, such as 10 or 12.50. The smallest coin is five Rappen.")
            ) from None

    def validate(self, value: Any) -> None:
        """0 is an answer."""


def games() -> list[tuple[str, str]]:
    """The games a tournament can be played in: for tables of four with partners, or everybody alone."""
    return [(known, game_name(known)) for known in ORDER if game_of(known).seats == 4 or each_alone(known)]


def start_plan(rules: HouseRules, before: Plan | None = None) -> Plan:
    """The plan that a form begins with: by these rules, what else was chosen kept where the game allows it."""
    plan = replace(before or Plan(), rules=rules)
    alone = each_alone(rules.ruleset)
    kind = SINGLE if alone else plan.kind
    sizes = game_of(rules.ruleset).sizes
    usual = plan.usual if plan.usual in sizes else max(sizes, key=lambda size: (size <= 5, size))
    methods = ALONE if alone else METHODS_OF[kind]
    allowed = odd_allowed(rules.ruleset, kind)
    odd = tuple(name for name in plan.odd if name in allowed) or (() if alone else allowed[:2])
    return replace(
        plan,
        kind=kind,
        method=plan.method if plan.method in methods else methods[0],
        odd=odd,
        usual=usual,
        forms=plan.forms if before and before.rules.ruleset == rules.ruleset else (),
    )


class TournamentForm(OnlineFields):
    """What is announced, and the plan. `plan` is what it begins with; `kind_stays` once people have entered."""

    title = forms.CharField(max_length=100)
    starts = forms.DateTimeField(
        widget=forms.DateTimeInput(attrs={"type": "datetime-local"}, format=LOCAL),
        input_formats=[LOCAL, "%Y-%m-%dT%H:%M:%S"],
    )
    ends = forms.DateTimeField(
        required=False,
        widget=forms.DateTimeInput(attrs={"type": "datetime-local"}, format=LOCAL),
        input_formats=[LOCAL, "%Y-%m-%dT%H:%M:%S"],
    )
    place = forms.CharField(required=False, max_length=120)
    fee = MoneyField(required=False)
    text = forms.CharField(required=False, max_length=2000, widget=forms.Textarea(attrs={"rows": 4}))
    language = forms.ChoiceField(required=False)
    is_public = forms.BooleanField(required=False)
    entry = forms.ChoiceField(widget=forms.RadioSelect)
    most = forms.IntegerField(required=False, min_value=0, max_value=2000)
    kind = forms.ChoiceField(widget=forms.RadioSelect)
    method_single = forms.ChoiceField(required=False, widget=forms.RadioSelect)
    method_pair = forms.ChoiceField(required=False, widget=forms.RadioSelect)
    usual = forms.TypedChoiceField(required=False, coerce=int)
    rounds = forms.IntegerField(min_value=1, max_value=100)
    deals = forms.IntegerField(min_value=1, max_value=200)
    minutes = forms.IntegerField(required=False, min_value=0, max_value=LONGEST_ROUND)
    last_deal = forms.IntegerField(required=False, min_value=0, max_value=LONGEST_ROUND)
    strict = forms.BooleanField(required=False)
    avoid_season = forms.BooleanField(required=False)
    confirm = forms.BooleanField(required=False)

    def __init__(
        self,
        data: Mapping[str, Any] | None = None,
        *,
        plan: Plan,
        initial: Mapping[str, Any] | None = None,
        kind_stays: bool = False,
    ) -> None:
        self.plan = plan
        self.alone = each_alone(plan.rules.ruleset)
        self.kind_stays = kind_stays
        super().__init__(data, initial={**_plan_initial(plan), **(initial or {})})

    def say(self) -> None:
        """Put the words on the fields."""
        self.call("title", _("Name"), _("As “Club evening” or “Autumn tournament”."))
        self.fields["title"].error_messages["required"] = _("Write what the evening is called.")
        self.call("starts", _("Date and time"))
        self.fields["starts"].error_messages["required"] = _("Write when it begins.")
        self.call("ends", _("End"), _("Only if it is sure, or if it takes several days."))
        self.call("place", _("Place"))
        self.call("fee", _("Fee for each person"), _("In francs; empty or 0: free."))
        self.call("text", _("What people should know"), _("Meal, parking, who is welcome."))
        self.call("language", _("Language of paper and big screen"))
        self.choose("language", [("", _("as the club")), *settings.LANGUAGES])
        self.call(
            "is_public",
            _("Everybody may see it"),
            _("In the calendar, with its results. Otherwise only members of the club do."),
        )
        self.call("entry", _("Who may enter by themselves"))
        self.choose("entry", Tournament.Entry.choices)
        self.call(
            "most",
            _("Most persons"),
            _("Who may enter by themselves; 0: as many as wish. The door can always add more."),
        )
        self.call("rounds", _("Rounds"))
        self.call("deals", _("Deals in a round"))
        self.call("minutes", _("Minutes for a round"), _("0: no clock; a round ends when its deals are played."))
        self.call("last_deal", _("No new deal in the last … minutes"))
        self.call(
            "strict",
            _("By standing: strictly in the order of the list"),
            _("Even if the same people meet again. Otherwise neighbours in the list are exchanged."),
        )
        self.call(
            "avoid_season",
            _("Earlier evenings of the season count a little"),
            _("Who has often sat together this season is seated apart where it costs nothing else."),
        )
        self.call(
            "confirm",
            _("The other side confirms each sheet"),
            _("Otherwise what one side hands in counts at once."),
        )
        self.say_online()
        self._kind()
        self._odd()

    def _kind(self) -> None:
        ways = ALONE if self.alone else METHODS_OF[SINGLE]
        self.call("kind", _("Who enters"))
        self.choose("kind", [(SINGLE, _("single persons; partners change")), (PAIR, _("fixed pairs"))])
        self.call("method_single", _("How tables are made"))
        self.choose("method_single", [(name, wording.method(name)) for name in ways])
        self.call("method_pair", _("How pairs meet"))
        self.choose("method_pair", [(name, wording.method(name)) for name in METHODS_OF[PAIR]])
        sizes = game_of(self.plan.rules.ruleset).sizes
        self.call("usual", _("People at a table"), _("If they do not fit, some tables have one more or one less."))
        self.choose("usual", [(size, str(size)) for size in sizes])
        if self.alone:
            del self.fields["kind"], self.fields["method_pair"]
        else:
            del self.fields["usual"]
            if self.kind_stays:
                del self.fields["kind"], self.fields[f"method_{PAIR if self.plan.kind == SINGLE else SINGLE}"]

    def _odd(self) -> None:
        for kind in (SINGLE, PAIR):
            if f"method_{kind}" not in self.fields:
                continue
            allowed = odd_allowed(self.plan.rules.ruleset, kind)
            for place in range(len(allowed)):
                name = f"odd_{kind}_{place + 1}"
                self.fields[name] = forms.ChoiceField(required=False)
                self.call(name, _("best of all") if place == 0 else _("else"))
                self.choose(name, [("", _("nothing else")), *((each, wording.odd(each)) for each in allowed)])
                self.fields[name].initial = self.initial.get(name, "")

    def odd_fields(self, kind: str) -> list[forms.BoundField]:
        """What is welcome for numbers that do not fit, in order."""
        return [self[name] for name in self.fields if name.startswith(f"odd_{kind}_")]

    @property
    def odd_single(self) -> list[forms.BoundField]:
        """For persons."""
        return self.odd_fields(SINGLE)

    @property
    def odd_pair(self) -> list[forms.BoundField]:
        """For pairs."""
        return self.odd_fields(PAIR)

    @property
    def folds(self) -> list[tuple[str, list[forms.BoundField], bool]]:
        """The parts that are seldom needed: a heading, its fields, whether one of them is wrong."""
        parts = [
            (_("Who may come"), ("is_public", "entry", "most")),
            (_("Time"), ("minutes", "last_deal", "ends")),
            (_("More"), ("text", "language", "strict", "avoid_season", "confirm")),
        ]
        found = [(title, list(self.part(*names))) for title, names in parts]
        return [(title, fields, any(field.errors for field in fields)) for title, fields in found]

    def clean_title(self) -> str:
        """On one line, with a letter or a figure in it."""
        name = clean_line(self.cleaned_data["title"])
        if not any(letter.isalnum() for letter in name):
            raise ValidationError(_("A name needs at least one letter or digit."))
        return name

    def clean_place(self) -> str:
        """On one line."""
        return clean_line(self.cleaned_data["place"])

    def clean_text(self) -> str:
        """Without what one cannot see."""
        return clean_text(self.cleaned_data["text"])

    def clean(self) -> dict[str, Any]:
        """The end after the beginning, and a plan that can be played."""
        data = super().clean() or {}
        if self.is_online(data):
            self.forget_the_hall()
            if data.get("days") is None and "days" not in self.errors:
                self.add_error("days", _("Write how many days a round lasts."))
        starts, ends = data.get("starts"), data.get("ends")
        if starts and ends and ends < starts:
            self.add_error("ends", _("It cannot end before it begins."))
        if not self.errors:
            data["plan"] = self._plan(data)
        return data

    def _plan(self, data: Mapping[str, Any]) -> Plan | None:
        kind = SINGLE if self.alone else data.get("kind") or self.plan.kind
        chosen = [data.get(field.name, "") for field in self.odd_fields(kind)]
        odd = [name for name in chosen if name]
        if len(set(odd)) != len(odd):
            self.add_error(f"odd_{kind}_1", _("The same thing is named twice here."))
            return None
        try:
            rules = replace(self.plan.rules, rounds=data["rounds"], deals=data["deals"])
        except StandingsRefused as why:
            self.add_error("rounds", words.refusal(why))
            return None
        plan = replace(
            self.plan,
            rules=rules,
            kind=kind,
            method=data.get(f"method_{kind}") or METHODS_OF[kind][0],
            odd=tuple(odd),
            usual=data.get("usual") or self.plan.usual,
            minutes=data.get("minutes") or 0,
            last_deal=data.get("last_deal") or 0,
            strict=data["strict"],
            avoid_season=data["avoid_season"],
            confirm=data["confirm"],
            online=self.online_of(data),
        )
        plan = fitted(plan, odd)
        try:
            return plan_from(Given(plan_to(plan)), self.plan if self.kind_stays else None)
        except EveningRefused as why:
            fields = {"method": f"method_{kind}", "odd": f"odd_{kind}_1", "rules.deals": "deals"}
            named = fields.get(why.field, why.field)
            text = str(wording.refusal(why.code, why.field, why.facts))
            if why.code == "out-of-range" and named == "last_deal":
                text = _("This must be less than the minutes of a round.")
            self.add_error(named if named in self.fields else None, text)
            return None

    def words(self) -> Words:
        """What is announced. Only for a valid form."""
        data = self.cleaned_data
        return Words(
            name=data["title"],
            starts=data["starts"],
            ends=data["ends"],
            place=data["place"],
            text=data["text"],
            language=data["language"],
            is_public=data["is_public"],
            entry=data["entry"],
            most=data["most"] or 0,
        )

    @staticmethod
    def initial_of(tournament: Tournament, fee: int) -> dict[str, Any]:
        """What the form begins with for a tournament that is announced."""
        return {
            "title": tournament.name,
            "starts": tournament.starts,
            "ends": tournament.ends,
            "place": tournament.place,
            "fee": money.field(fee),
            "text": tournament.text,
            "language": tournament.language,
            "is_public": tournament.is_public,
            "entry": tournament.entry,
            "most": tournament.most,
        }


def _plan_initial(plan: Plan) -> dict[str, Any]:
    found: dict[str, Any] = {
        "is_public": True,
        "entry": Tournament.Entry.DESK,
        "most": 0,
        "fee": "",
        "kind": plan.kind,
        "usual": plan.usual,
        "rounds": plan.rules.rounds,
        "deals": plan.rules.deals,
        "minutes": plan.minutes,
        "last_deal": plan.last_deal,
        "strict": plan.strict,
        "avoid_season": plan.avoid_season,
        "confirm": plan.confirm,
    }
    for kind in (SINGLE, PAIR):
        methods = METHODS_OF[kind]
        found[f"method_{kind}"] = plan.method if kind == plan.kind and plan.method in methods else methods[0]
        odd = plan.odd if kind == plan.kind else ("three-pairs",) if kind == PAIR else ("three", "five")
        found |= {f"odd_{kind}_{place}": name for place, name in enumerate(odd, 1)}
    return found | initial_of(plan)
