"""The form by which a tournament is announced and planned: what is told, and how it is played."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from django import forms
from django.conf import settings
from django.core.exceptions import ValidationError
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts.names import LineField, LinesField
from clubs.text import standings
from core.forms import NOT_OFFERED, LocalTimeField, ModelForm
from domain.errors import DomainError
from domain.standings.profile import HouseRules
from domain.tournament.directing import LONGEST_ROUND, plan_from, plan_to
from domain.tournament.payload import Given
from domain.tournament.state import PAIR, SINGLE, Plan
from domain.tournament.tables import each_alone, game_of, odd_allowed
from games.selectors.rulesets import ORDER, game_name
from tournaments import money
from tournaments import text as tournaments_text
from tournaments.models import Tournament
from tournaments.registration.announcing import FIELDS
from tournaments.registration.forms.online import OnlineFields, fitted, initial_of, paces_for

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
            return money.read_money(text) if text else 0
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


class TournamentForm(OnlineFields, ModelForm[Tournament]):
    """What is announced, and the plan. `plan` is what it begins with; `kind_stays` once people have entered."""

    fee = MoneyField(label=_("Fee for each person"), required=False, help_text=_("In francs; empty or 0: free."))
    language = forms.ChoiceField(
        label=_("Language of paper and big screen"),
        required=False,
        choices=[("", _("as the club")), *settings.LANGUAGES],
    )
    most = forms.IntegerField(
        label=_("Most persons"),
        required=False,
        min_value=0,
        max_value=2000,
        help_text=_("Who may enter by themselves; 0: as many as wish. The door can always add more."),
    )
    kind = forms.ChoiceField(
        label=_("Who enters"),
        choices=[(SINGLE, _("single persons; partners change")), (PAIR, _("fixed pairs"))],
        widget=forms.RadioSelect,
    )
    method_single = forms.ChoiceField(label=_("How tables are made"), required=False, widget=forms.RadioSelect)
    method_pair = forms.ChoiceField(label=_("How pairs meet"), required=False, widget=forms.RadioSelect)
    usual = forms.TypedChoiceField(
        label=_("People at a table"),
        required=False,
        coerce=int,
        help_text=_("If they do not fit, some tables have one more or one less."),
    )
    rounds = forms.IntegerField(label=_("Rounds"), min_value=1, max_value=100)
    deals = forms.IntegerField(label=_("Deals in a round"), min_value=1, max_value=200)
    minutes = forms.IntegerField(
        label=_("Minutes for a round"),
        required=False,
        min_value=0,
        max_value=LONGEST_ROUND,
        help_text=_("0: no clock; a round ends when its deals are played."),
    )
    last_deal = forms.IntegerField(
        label=_("No new deal in the last … minutes"), required=False, min_value=0, max_value=LONGEST_ROUND
    )
    strict = forms.BooleanField(
        label=_("By standing: strictly in the order of the list"),
        required=False,
        help_text=_("Even if the same people meet again. Otherwise neighbours in the list are exchanged."),
    )
    avoid_season = forms.BooleanField(
        label=_("Earlier evenings of the season count a little"),
        required=False,
        help_text=_("Who has often sat together this season is seated apart where it costs nothing else."),
    )
    confirm = forms.BooleanField(
        label=_("The other side confirms each sheet"),
        required=False,
        help_text=_("Otherwise what one side hands in counts at once."),
    )

    sent_as = {"name": "title"}

    class Meta:
        model = Tournament
        fields = FIELDS
        field_classes = {
            "name": LineField,
            "starts": LocalTimeField,
            "ends": LocalTimeField,
            "place": LineField,
            "text": LinesField,
        }
        labels = {
            "name": _("Name"),
            "starts": _("Date and time"),
            "ends": _("End"),
            "place": _("Place"),
            "text": _("What people should know"),
            "is_public": _("Everybody may see it"),
            "entry": _("Who may enter by themselves"),
        }
        help_texts = {
            "name": _("As “Club evening” or “Autumn tournament”."),
            "ends": _("Only if it is sure, or if it takes several days."),
            "text": _("Meal, parking, who is welcome."),
            "is_public": _("In the calendar, with its results. Otherwise only members of the club do."),
        }
        error_messages = {
            "name": {"required": _("Write what the evening is called.")},
            "starts": {"required": _("Write when it begins.")},
        }
        widgets = {"text": forms.Textarea(attrs={"rows": 4}), "entry": forms.RadioSelect}

    def __init__(
        self,
        data: Mapping[str, Any] | None = None,
        *,
        plan: Plan,
        instance: Tournament | None = None,
        fee: int = 0,
        kind_stays: bool = False,
    ) -> None:
        self.plan = plan
        self.alone = each_alone(plan.rules.ruleset)
        paid = {"fee": money.field(fee) if instance is not None else ""}
        super().__init__(data, instance=instance, initial=_plan_initial(plan) | paid)
        self.offer("pace", paces_for(plan))
        if self.alone:
            self.offer("usual", [(size, str(size)) for size in game_of(plan.rules.ruleset).sizes])
            del self.fields["kind"], self.fields["method_pair"]
        else:
            del self.fields["usual"]
            if kind_stays:
                del self.fields["kind"], self.fields[f"method_{PAIR if plan.kind == SINGLE else SINGLE}"]
        self.kind_stays = kind_stays
        for kind in (SINGLE, PAIR):
            if f"method_{kind}" in self.fields:
                ways = ALONE if self.alone else METHODS_OF[kind]
                self.offer(f"method_{kind}", [(name, tournaments_text.method(name)) for name in ways])
                self._ask_for_odd(kind, odd_allowed(plan.rules.ruleset, kind))

    def _ask_for_odd(self, kind: str, allowed: Sequence[str]) -> None:
        choices = [("", _("nothing else")), *((each, tournaments_text.odd(each)) for each in allowed)]
        for place in range(1, len(allowed) + 1):
            self.fields[f"odd_{kind}_{place}"] = forms.ChoiceField(
                label=_("best of all") if place == 1 else _("else"),
                required=False,
                choices=choices,
                error_messages={"invalid_choice": NOT_OFFERED},
            )

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
            (gettext("Who may come"), ("is_public", "entry", "most")),
            (gettext("Time"), ("minutes", "last_deal", "ends")),
            (gettext("More"), ("text", "language", "strict", "avoid_season", "confirm")),
        ]
        found = [(title, list(self.part(*names))) for title, names in parts]
        return [(title, fields, any(field.errors for field in fields)) for title, fields in found]

    def clean_name(self) -> str:
        """With a letter or a figure in it."""
        name = str(self.cleaned_data["name"])
        if not any(letter.isalnum() for letter in name):
            raise ValidationError(_("A name needs at least one letter or digit."))
        return name

    def clean_most(self) -> int:
        """0 if nothing is said."""
        return self.cleaned_data["most"] or 0

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
        except DomainError as why:
            self.add_error("rounds", standings.refusal(why))
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
        except DomainError as why:
            fields = {"method": f"method_{kind}", "odd": f"odd_{kind}_1", "rules.deals": "deals"}
            named = fields.get(why.field, why.field)
            text = str(tournaments_text.refusal(why.code, why.field, why.facts))
            if why.code == "out-of-range" and named == "last_deal":
                text = gettext("This must be less than the minutes of a round.")
            self.add_error(named if named in self.fields else None, text)
            return None


def _plan_initial(plan: Plan) -> dict[str, Any]:
    found: dict[str, Any] = {name: getattr(plan.rules, name) for name in ("rounds", "deals")}
    for name in ("kind", "usual", "minutes", "last_deal", "strict", "avoid_season", "confirm"):
        found[name] = getattr(plan, name)
    for kind in (SINGLE, PAIR):
        methods = METHODS_OF[kind]
        found[f"method_{kind}"] = plan.method if kind == plan.kind and plan.method in methods else methods[0]
        odd = plan.odd if kind == plan.kind else ("three-pairs",) if kind == PAIR else ("three", "five")
        found |= {f"odd_{kind}_{place}": name for place, name in enumerate(odd, 1)}
    return found | initial_of(plan)
