"""The part of the plan's form that says where a tournament is played: in the hall, or online by correspondence.

What makes no sense online is left out of the plan here, whatever stands in its (hidden) fields: they keep what was typed for
whoever changes their mind before saving.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Final, cast

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from clubs.text import standings
from core.forms import Form
from domain.pace.terms import BadTerms, Kind, Terms
from domain.tournament.directing import LONGEST_ONLINE
from domain.tournament.payload import Plain
from domain.tournament.state import Online, Plan
from domain.tournament.tables import NOT_ONLINE
from games.lobby import text
from games.lobby.text import Pace

HALL: Final = "hall"
ONLINE: Final = "online"
AS_IT_IS: Final = "as-it-is"
"""The pace a plan has already, where it is none of those offered."""
USUAL_DAYS: Final = 14


def offered() -> list[Pace]:
    """The paces of the lobby in which one has days for a move."""
    return [pace for pace in text.offered_paces() if pace.terms.kind is Kind.DAYS]


def pace_of(online: Online) -> Pace | None:
    """Which of the offered paces a plan has; None for another."""
    try:
        terms = Terms.from_json(online.pace)
    except BadTerms:
        return None
    return next((pace for pace in offered() if pace.terms == terms), None)


def pace_words(online: Online) -> str:
    """The pace of a plan as a sentence."""
    found = pace_of(online)
    if found is not None:
        return f"{found.name}: {found.sentence}"
    try:
        terms = Terms.from_json(online.pace)
    except BadTerms:
        return _("a pace of its own")
    hours, reserve = int(terms.action.total_seconds()) // 3600, terms.bank.days
    first = ngettext("%(hours)s hour for each move", "%(hours)s hours for each move", hours) % {"hours": hours}
    then = ngettext("%(days)s day in reserve", "%(days)s days in reserve", reserve) % {"days": reserve}
    return f"{first}, {then}"


def days_words(days: int) -> str:
    """How long a round lasts."""
    return ngettext("%(days)s day", "%(days)s days", days) % {"days": days}


def online_lines(plan: Plan) -> list[tuple[str, str]]:
    """What was chosen for playing online, line by line."""
    online = plan.online
    if online is None:
        return []
    lines = [
        (_("Where it is played"), _("online, by correspondence")),
        (_("How fast one plays"), pace_words(online)),
        (_("Time of a round"), days_words(online.days)),
        (
            _("Deals"),
            _("the same at every table (duplicate)") if online.duplicate else _("each table plays its own"),
        ),
        (_("Seats left over"), _("computer players take them") if online.fill else _("somebody sits out")),
        (_("At the deadline"), standings.choice("overdue", plan.rules.overdue)),
    ]
    lines.append((_("Next round"), _("by itself") if online.auto else _("as soon as the desk draws it")))
    return lines


def initial_of(plan: Plan) -> dict[str, Any]:
    """What these fields begin with."""
    online = plan.online
    if online is None:
        return {"where": HALL, "pace": text.USUAL, "days": USUAL_DAYS, "duplicate": False, "fill": True, "auto": True}
    pace = pace_of(online)
    return {
        "where": ONLINE,
        "pace": pace.id if pace else AS_IT_IS,
        "days": online.days,
        "duplicate": online.duplicate,
        "fill": online.fill,
        "auto": online.auto,
    }


def paces_for(plan: Plan) -> list[tuple[str, str]]:
    """The paces to choose from, with what they mean; the one the plan has is among them."""
    choices = [(pace.id, f"{pace.name}. {pace.sentence}") for pace in offered()]
    if plan.online is not None and pace_of(plan.online) is None:
        choices.append((AS_IT_IS, pace_words(plan.online)))
    return choices


def online_from(plan: Plan, data: Mapping[str, Any]) -> Online:
    """What was chosen for playing online, in place of what `plan` says of it."""
    if data.get("pace") == AS_IT_IS and plan.online is not None:
        terms: dict[str, Plain] = dict(plan.online.pace)
    else:
        pace = next((each for each in offered() if each.id == data.get("pace")), offered()[0])
        terms = cast("dict[str, Plain]", pace.terms.to_json())
    return Online(
        pace=terms,
        days=data.get("days") or USUAL_DAYS,
        duplicate=bool(data.get("duplicate")),
        fill=bool(data.get("fill")),
        auto=bool(data.get("auto")),
    )


def moved(plan: Plan, where: str) -> Plan:
    """The plan for the other place, as a final may be played: `HALL` or `ONLINE`; the same plan if it is there already."""
    if where == HALL and plan.online is not None:
        return replace(plan, online=None, confirm=True)
    if where == ONLINE and plan.online is None:
        usual = next((pace for pace in offered() if pace.id == text.USUAL), offered()[0])
        terms = cast("dict[str, Plain]", usual.terms.to_json())
        online = Online(pace=terms, days=USUAL_DAYS, duplicate=False, fill=True, auto=False)
        return fitted(replace(plan, online=online), plan.odd)
    return plan


class OnlineFields(Form):
    """The fields; part of the form of a plan, which has `plan` and offers the paces for it."""

    where = forms.ChoiceField(
        label=gettext_lazy("Where it is played"),
        required=False,
        choices=[(HALL, gettext_lazy("in the hall")), (ONLINE, gettext_lazy("online, by correspondence"))],
        widget=forms.RadioSelect,
    )
    pace = forms.ChoiceField(label=gettext_lazy("How fast one plays"), required=False, widget=forms.RadioSelect)
    days = forms.IntegerField(
        label=gettext_lazy("Days for a round"),
        required=False,
        min_value=1,
        max_value=LONGEST_ONLINE,
        help_text=gettext_lazy(
            "The deadline: from the moment a round is published. Two weeks leave everybody time for a deal or two."
        ),
    )
    duplicate = forms.BooleanField(
        label=gettext_lazy("The same deals at every table (duplicate)"),
        required=False,
        help_text=gettext_lazy(
            "What counts is what one makes of the cards compared with the other tables, not the cards themselves; a deal"
            " stays sealed until every table has played it."
        ),
    )
    fill = forms.BooleanField(
        label=gettext_lazy("Computer players take the seats that are left over"),
        required=False,
        help_text=gettext_lazy("So that nobody has to sit out. They are ranked nowhere."),
    )
    auto = forms.BooleanField(
        label=gettext_lazy("The next round is drawn and published by itself"),
        required=False,
        help_text=gettext_lazy(
            "A day after all tables are decided or the deadline has passed, at nine in the morning."
        ),
    )

    plan: Plan

    @property
    def online_fields(self) -> list[forms.BoundField]:
        """What is asked only of a tournament that is played online."""
        return [self[name] for name in ("pace", "days", "duplicate", "fill", "auto")]

    @property
    def at_the_deadline(self) -> str:
        """What the house rules say happens to a table that is not over in time."""
        return standings.choice("overdue", self.plan.rules.overdue)

    def is_online(self, data: Mapping[str, Any]) -> bool:
        """Whether it is to be played online."""
        return bool(data.get("where") == ONLINE)

    def forget_the_hall(self) -> None:
        """Overlook what is wrong in fields that nobody sees."""
        for name in ("minutes", "last_deal"):
            self.errors.pop(name, None)
            self.cleaned_data.setdefault(name, 0)

    def online_of(self, data: Mapping[str, Any]) -> Online | None:
        """What was chosen; None in the hall."""
        if not self.is_online(data):
            return None
        return online_from(self.plan, data)


def fitted(plan: Plan, odd: Sequence[str]) -> Plan:
    """The plan without what only a hall has: a clock, somebody who looks on in turn, tables of another size in a duplicate."""
    if plan.online is None:
        return replace(plan, odd=tuple(odd))
    kept = [name for name in odd if name not in NOT_ONLINE and (name == "bye" or not plan.online.duplicate)]
    return replace(plan, odd=tuple(kept), minutes=0, last_deal=0)
