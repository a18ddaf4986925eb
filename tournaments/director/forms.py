"""The plan of a part of the tournament: what may be different in a final, on top of the plan it follows."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any, Final

from django import forms
from django.utils.translation import gettext as _

from clubs import text as club_text
from domain.seating.seat import IN_TWOS, METHODS
from domain.standings.criteria import CRITERIA
from domain.tournament.directing import LONGEST_ONLINE, plan_to
from domain.tournament.payload import Plain
from domain.tournament.state import NOT_ONLINE, PAIR, Plan, odd_allowed
from tournaments import text
from tournaments.registration.forms import online_from, online_initial, paces_for, plan_fitted

TIES: Final = 6
ODD: Final = 3
"""Criteria and choices for odd numbers that are asked for; as many more as the plan has."""


ASKED_ONLINE: Final = ("pace", "days", "duplicate", "fill", "auto")


class PlanForm(forms.Form):
    """The fields of a plan, filled in from `plan`; `data_of` gives it as events want it. What is asked nowhere stays: so do
    time and pace of a part played online that has begun (unless `begins`)."""

    method = forms.ChoiceField()
    rounds = forms.IntegerField(min_value=1, max_value=100)
    deals = forms.IntegerField(min_value=1, max_value=200)
    minutes = forms.IntegerField(min_value=0, max_value=600)
    last_deal = forms.IntegerField(min_value=0, max_value=600)
    confirm = forms.BooleanField(required=False)
    avoid_season = forms.BooleanField(required=False)
    wrong_sum = forms.ChoiceField()
    unfinished = forms.ChoiceField()
    drawn = forms.ChoiceField()
    dropped = forms.IntegerField(min_value=0, max_value=99)
    bye = forms.ChoiceField()
    pace = forms.ChoiceField()
    days = forms.IntegerField(min_value=1, max_value=LONGEST_ONLINE)
    duplicate = forms.BooleanField(required=False)
    fill = forms.BooleanField(required=False)
    auto = forms.BooleanField(required=False)

    def __init__(self, plan: Plan, data: Mapping[str, Any] | None = None, *, begins: bool = False) -> None:
        rules = plan.rules
        initial = {
            "method": plan.method,
            "rounds": rules.rounds,
            "deals": rules.deals,
            "minutes": plan.minutes,
            "last_deal": plan.last_deal,
            "confirm": plan.confirm,
            "avoid_season": plan.avoid_season,
            "wrong_sum": rules.wrong_sum,
            "unfinished": rules.unfinished,
            "drawn": rules.drawn,
            "dropped": rules.dropped,
            "bye": rules.bye.method,
        }
        initial |= {f"odd_{place}": name for place, name in enumerate(plan.odd)}
        initial |= {f"tie_{place}": name for place, name in enumerate(rules.tie_breaks)}
        super().__init__(data, initial=initial, label_suffix="")
        self.plan = plan
        if plan.online:  # there is no clock of the hall, and nobody confirms what a game has counted
            for name in ("minutes", "last_deal", "confirm"):
                del self.fields[name]
        self.asks_online = begins and plan.online is not None
        if self.asks_online:
            self.initial = {**self.initial, **online_initial(plan)}
        else:
            for name in ASKED_ONLINE:
                del self.fields[name]
        self.ties, self.odds = max(TIES, len(rules.tie_breaks)), max(ODD, len(plan.odd))
        self._say()

    def _say(self) -> None:
        self._choose("method", _("Way of seating"), [(name, text.method(name)) for name in self._methods()])
        self._call("rounds", _("Rounds"))
        self._call("deals", _("Deals in a round"))
        if not self.plan.online:
            self._call("minutes", _("Minutes for a round"), _("0: no clock"))
            self._call("last_deal", _("No new deal in the last … minutes"))
            self._call("confirm", _("The other side confirms each sheet"))
        if self.asks_online:
            self._say_online()
        self._call("avoid_season", _("Remember who sat together on earlier evenings of the season"))
        for name, label in (
            ("wrong_sum", _("If a deal does not add up")),
            ("unfinished", _("If a round is cut short")),
            ("drawn", _("If a round ends in a draw")),
        ):
            self._choose(name, label, club_text.choices(name))
        self._call("dropped", _("Worst rounds that do not count"))
        self._choose("bye", _("What sitting out brings"), club_text.choices("given"))
        odd = [("", "–"), *((name, text.odd(name)) for name in self._odd())]
        for place in range(self.odds):
            self.fields[f"odd_{place}"] = forms.ChoiceField(required=False)
            self._choose(f"odd_{place}", _("If the number does not fit, choice %(n)s") % {"n": place + 1}, odd)
        ties = [("", "–"), *((name, club_text.criterion(name).name) for name in CRITERIA)]
        for place in range(self.ties):
            self.fields[f"tie_{place}"] = forms.ChoiceField(required=False)
            self._choose(f"tie_{place}", _("Ranking, criterion %(n)s") % {"n": place + 1}, ties)

    def _say_online(self) -> None:
        self._choose("pace", _("How fast one plays"), paces_for(self.plan))
        self._call("days", _("Days for a round"))
        self._call("duplicate", _("The same deals at every table (duplicate)"))
        self._call("fill", _("Computer players take the seats that are left over"))
        self._call("auto", _("The next round is drawn and published by itself"))

    def _methods(self) -> list[str]:
        pairs = self.plan.kind == PAIR
        return [name for name in METHODS if (name not in IN_TWOS or pairs) and not (pairs and name == "rotation")]

    def _odd(self) -> tuple[str, ...]:
        allowed = odd_allowed(self.plan.rules.ruleset, self.plan.kind)
        online = self.plan.online
        if online is None:
            return allowed
        return tuple(name for name in allowed if name not in NOT_ONLINE and (name == "bye" or not online.duplicate))

    def _call(self, field: str, label: str, help_text: str = "") -> None:
        self.fields[field].label, self.fields[field].help_text = label, help_text

    def _choose(self, field: str, label: str, choices: Iterable[tuple[str, str]]) -> None:
        one = self.fields[field]
        assert isinstance(one, forms.ChoiceField)
        one.label, one.choices = label, list(choices)

    def main_fields(self) -> Iterator[forms.BoundField]:
        """What a final usually has different."""
        names = ("method", "rounds", "deals", "minutes", "last_deal", "pace", "days", "duplicate")
        return (self[name] for name in names if name in self.fields)

    def other_fields(self) -> Iterator[forms.BoundField]:
        shown = {field.name for field in self.main_fields()}
        return (self[name] for name in self.fields if name not in shown)

    def data_of(self) -> dict[str, Plain]:
        """The plan as data; the form must be valid."""
        sent = self.cleaned_data
        plan = plan_to(self.plan)
        rules = plan["rules"]
        assert isinstance(rules, dict)
        bye = rules["bye"]
        assert isinstance(bye, dict)
        for name in ("rounds", "deals", "wrong_sum", "unfinished", "drawn", "dropped"):
            rules[name] = sent[name]
        rules["bye"] = {**bye, "method": sent["bye"]}
        rules["tie_breaks"] = [sent[f"tie_{place}"] for place in range(self.ties) if sent[f"tie_{place}"]]
        if "fewest_rounds" in rules and isinstance(rules["fewest_rounds"], int):
            rules["fewest_rounds"] = min(rules["fewest_rounds"], sent["rounds"])
        for name in ("method", "minutes", "last_deal", "confirm", "avoid_season"):
            if name in sent:
                plan[name] = sent[name]
        odd = dict.fromkeys(sent[f"odd_{place}"] for place in range(self.odds) if sent[f"odd_{place}"])
        if self.asks_online:
            online = online_from(self.plan, sent)
            plan["online"] = plan_to(replace(self.plan, online=online))["online"]
            odd = dict.fromkeys(plan_fitted(replace(self.plan, online=online), tuple(odd)).odd)
        plan["odd"] = list(odd)
        return plan
