"""The form of the plan of a part of the tournament, such as a final, based on the plan of the part it follows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any, Final

from django import forms
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from clubs import text as club_text
from core.forms import Form
from domain.seating.seat import IN_TWOS, METHODS
from domain.standings.criteria import CRITERIA
from domain.tournament.directing import LONGEST_ONLINE, plan_to
from domain.tournament.payload import Plain
from domain.tournament.state import NOT_ONLINE, PAIR, Plan, odd_allowed
from tournaments import text
from tournaments.registration.forms import online_from, online_initial, paces_for, plan_fitted

TIES: Final = 6
ODD: Final = 3
"""The number of fields for criteria (`TIES`) and for choices for odd numbers (`ODD`); more if the plan has more."""


ASKED_ONLINE: Final = ("pace", "days", "duplicate", "fill", "auto")
ONLY_IN_THE_HALL: Final = ("minutes", "last_deal", "confirm")
OF_PLAN: Final = ("method", "minutes", "last_deal", "confirm", "third", "avoid_season")
OF_RULES: Final = ("rounds", "deals", "wrong_sum", "unfinished", "drawn", "dropped")


class PlanForm(Form):
    """The fields of a plan, filled in from `plan`; `data_of` returns it as data for events.

    Settings without a field stay as in `plan`. The time and pace of a part played online only have fields if it
    `begins`.
    """

    method = forms.ChoiceField(label=_("Way of seating"))
    rounds = forms.IntegerField(label=_("Rounds"), min_value=1, max_value=100)
    deals = forms.IntegerField(label=_("Deals in a round"), min_value=1, max_value=200)
    minutes = forms.IntegerField(label=_("Minutes for a round"), help_text=_("0: no clock"), min_value=0, max_value=600)
    last_deal = forms.IntegerField(label=_("No new deal in the last … minutes"), min_value=0, max_value=600)
    confirm = forms.BooleanField(label=_("The other side confirms each sheet"), required=False)
    third = forms.BooleanField(label=_("Knock-out: a match for third place"), required=False)
    avoid_season = forms.BooleanField(
        label=_("Remember who sat together on earlier evenings of the season"), required=False
    )
    wrong_sum = forms.ChoiceField(label=_("If a deal does not add up"), choices=lambda: club_text.choices("wrong_sum"))
    unfinished = forms.ChoiceField(label=_("If a round is cut short"), choices=lambda: club_text.choices("unfinished"))
    drawn = forms.ChoiceField(label=_("If a round ends in a draw"), choices=lambda: club_text.choices("drawn"))
    dropped = forms.IntegerField(label=_("Worst rounds that do not count"), min_value=0, max_value=99)
    bye = forms.ChoiceField(label=_("What sitting out brings"), choices=lambda: club_text.choices("given"))
    pace = forms.ChoiceField(label=_("How fast one plays"))
    days = forms.IntegerField(label=_("Days for a round"), min_value=1, max_value=LONGEST_ONLINE)
    duplicate = forms.BooleanField(label=_("The same deals at every table (duplicate)"), required=False)
    fill = forms.BooleanField(label=_("Computer players take the seats that are left over"), required=False)
    auto = forms.BooleanField(label=_("The next round is drawn and published by itself"), required=False)

    def __init__(self, plan: Plan, data: Mapping[str, Any] | None = None, *, begins: bool = False) -> None:
        rules = plan.rules
        initial = {name: getattr(plan, name) for name in OF_PLAN} | {name: getattr(rules, name) for name in OF_RULES}
        initial |= {"bye": rules.bye.method}
        initial |= {f"odd_{place}": name for place, name in enumerate(plan.odd)}
        initial |= {f"tie_{place}": name for place, name in enumerate(rules.tie_breaks)}
        self.asks_online = begins and plan.online is not None
        super().__init__(data, initial=initial | (online_initial(plan) if self.asks_online else {}))
        self.plan = plan
        # Online there is no clock of the hall, and nobody has to confirm what a game has counted.
        for name in (*(ONLY_IN_THE_HALL if plan.online else ()), *(() if self.asks_online else ASKED_ONLINE)):
            del self.fields[name]
        if "knock-out" not in self._methods():
            del self.fields["third"]
        self.offer("method", [(name, text.method(name, plan.kind)) for name in self._methods()])
        if self.asks_online:
            self.offer("pace", paces_for(plan))
        self.odds = self._ask_in_order(
            "odd", _("If the number does not fit, choice %(n)s"), max(ODD, len(plan.odd)),
            [(name, text.odd(name)) for name in self._odd()],
        )  # fmt: skip
        self.ties = self._ask_in_order(
            "tie", _("Ranking, criterion %(n)s"), max(TIES, len(rules.tie_breaks)),
            [(name, club_text.criterion(name).name) for name in CRITERIA],
        )  # fmt: skip

    def _ask_in_order(self, name: str, label: Promise | str, count: int, choices: list[tuple[str, str]]) -> int:
        for place in range(count):
            self.fields[f"{name}_{place}"] = forms.ChoiceField(
                label=label % {"n": place + 1}, choices=[("", "–"), *choices], required=False
            )
        return count

    def _chosen(self, name: str, count: int) -> list[str]:
        return [self.cleaned_data[f"{name}_{place}"] for place in range(count) if self.cleaned_data[f"{name}_{place}"]]

    def _methods(self) -> list[str]:
        pairs = self.plan.kind == PAIR
        return [name for name in METHODS if (name not in IN_TWOS or pairs) and not (pairs and name == "rotation")]

    def _odd(self) -> tuple[str, ...]:
        allowed = odd_allowed(self.plan.rules.ruleset, self.plan.kind)
        online = self.plan.online
        if online is None:
            return allowed
        return tuple(name for name in allowed if name not in NOT_ONLINE and (name == "bye" or not online.duplicate))

    def main_fields(self) -> Iterator[forms.BoundField]:
        """The fields that usually differ in a final."""
        return self.part("method", "third", "rounds", "deals", "minutes", "last_deal", "pace", "days", "duplicate")

    def other_fields(self) -> Iterator[forms.BoundField]:
        shown = {field.name for field in self.main_fields()}
        return (self[name] for name in self.fields if name not in shown)

    def data_of(self) -> dict[str, Plain]:
        """The plan as data for events. Only for a valid form."""
        values = self.cleaned_data
        plan = plan_to(self.plan)
        rules = plan["rules"]
        assert isinstance(rules, dict)
        bye = rules["bye"]
        assert isinstance(bye, dict)
        for name in OF_RULES:
            rules[name] = values[name]
        rules["bye"] = {**bye, "method": values["bye"]}
        rules["tie_breaks"] = list[Plain](self._chosen("tie", self.ties))
        if "fewest_rounds" in rules and isinstance(rules["fewest_rounds"], int):
            rules["fewest_rounds"] = min(rules["fewest_rounds"], values["rounds"])
        for name in OF_PLAN:
            if name in values:
                plan[name] = values[name]
        odd = dict.fromkeys(self._chosen("odd", self.odds))
        if self.asks_online:
            online = online_from(self.plan, values)
            plan["online"] = plan_to(replace(self.plan, online=online))["online"]
            odd = dict.fromkeys(plan_fitted(replace(self.plan, online=online), tuple(odd)).odd)
        plan["odd"] = list(odd)
        return plan
