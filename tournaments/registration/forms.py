"""The forms of registration: announcing and planning a tournament, in the hall or online; one entrant; the till.

Settings that make no sense online are left out of the plan here, whatever is in their (hidden) fields. The fields keep
what was typed, for users who change their mind before saving.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date, datetime
from typing import Any, Final, cast

from django import forms
from django.conf import settings
from django.core.exceptions import ValidationError
from django.utils import timezone
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from accounts.names import LineField, LinesField, clean_line
from clubs import money
from clubs import text as club_text
from clubs.forms.house_rules import leftover_choices
from core.forms import Form, LocalTimeField, ModelForm
from domain.errors import DomainError
from domain.pace.terms import BadTerms, Kind, Terms
from domain.standings.profile import HouseRules
from domain.standings.till import COINS
from domain.tournament.directing import LONGEST_ONLINE, LONGEST_ROUND, plan_from, plan_to
from domain.tournament.odd_numbers import answers_for, made_fair, odd_of
from domain.tournament.payload import Given, Plain
from domain.tournament.registering import MOST_GROUPS, MOST_TABLES
from domain.tournament.state import NOT_ONLINE, PAIR, SINGLE, Entrant, Online, Plan, each_alone, game_of, odd_allowed
from games.lobby import text as lobby_text
from games.lobby.text import Pace
from games.selectors.rulesets import ORDER, game_name
from tournaments import text
from tournaments.models import Tournament
from tournaments.registration.services import ANNOUNCED_FIELDS

HALL: Final = "hall"
ONLINE: Final = "online"
AS_IT_IS: Final = "as-it-is"
"""The current pace of a plan, if it is not among those offered."""
USUAL_DAYS: Final = 14


def offered_paces() -> list[Pace]:
    """The paces of the lobby with days for each move, in the words of tournaments: a hand is called a deal there."""
    sentences = {
        "day": gettext("Half a day for each move, and a day and a half in reserve for each deal: nobody waits long."),
        "slow": gettext("Two days for each move, and three in reserve for each deal: for people with much else to do."),
        "brisk": gettext(
            "Half a day for each move, and half a day in reserve for each deal: for people who look in often."
        ),
    }
    days = (pace for pace in lobby_text.offered_paces() if pace.kind is Kind.DAYS)
    return [replace(pace, sentence=sentences.get(pace.id, pace.sentence)) for pace in days]


def terms_of(online: Online) -> Terms | None:
    """The pace of a plan; None if it is invalid."""
    try:
        return Terms.from_json(online.pace)
    except BadTerms:
        return None


def pace_of(online: Online) -> Pace | None:
    """The offered pace that a plan has; None if it has another."""
    terms = terms_of(online)
    return next((pace for pace in offered_paces() if pace.terms == terms), None)


def pace_words(online: Online) -> str:
    """The pace of a plan as a sentence."""
    terms, pace = terms_of(online), pace_of(online)
    if pace is not None:
        return f"{pace.name}: {pace.sentence}"
    if terms is None:
        return gettext("a pace of its own")
    hours, reserve = int(terms.action.total_seconds()) // 3600, terms.bank.days
    first = ngettext("%(hours)s hour for each move", "%(hours)s hours for each move", hours) % {"hours": hours}
    then = ngettext("%(days)s day in reserve", "%(days)s days in reserve", reserve) % {"days": reserve}
    return f"{first}, {then}"


def days_words(days: int) -> str:
    return ngettext("%(days)s day", "%(days)s days", days) % {"days": days}


def online_lines(plan: Plan) -> list[tuple[str, str]]:
    """The settings for playing online, line by line."""
    online = plan.online
    if online is None:
        return []
    return [
        (gettext("Where it is played"), gettext("online, by correspondence")),
        (gettext("How fast one plays"), pace_words(online)),
        (gettext("Time of a round"), days_words(online.days)),
        (
            gettext("Deals"),
            gettext("the same at every table (duplicate)") if online.duplicate else gettext("each table plays its own"),
        ),
        *([(gettext("Seats left over"), gettext("computer players take them"))] if online.fill else []),
        (gettext("At the deadline"), club_text.choice("overdue", plan.rules.overdue)),
        (gettext("Next round"), gettext("by itself") if online.auto else gettext("as soon as the desk draws it")),
    ]


def online_initial(plan: Plan) -> dict[str, Any]:
    online = plan.online
    usual = {"days": USUAL_DAYS, "duplicate": False, "fill": True, "auto": True}
    if online is None:
        return {"where": HALL, "pace": lobby_text.USUAL, **usual}
    pace = pace_of(online)
    chosen = {name: getattr(online, name) for name in usual}
    return {"where": ONLINE, "pace": pace.id if pace else AS_IT_IS, **chosen}


def paces_for(plan: Plan) -> list[tuple[str, str]]:
    """The paces to choose from, with explanations; always including that of the plan."""
    choices = [(pace.id, f"{pace.name}. {pace.sentence}") for pace in offered_paces()]
    if plan.online is not None and pace_of(plan.online) is None:
        choices.append((AS_IT_IS, pace_words(plan.online)))
    return choices


def online_from(plan: Plan, data: Mapping[str, Any]) -> Online:
    """The settings for playing online from a form; its current pace comes from `plan`."""
    if data.get("pace") == AS_IT_IS and plan.online is not None:
        terms: dict[str, Plain] = dict(plan.online.pace)
    else:
        pace = next((each for each in offered_paces() if each.id == data.get("pace")), offered_paces()[0])
        assert pace.terms is not None  # a pace of days has some
        terms = cast("dict[str, Plain]", pace.terms.to_json())
    return Online(
        pace=terms,
        days=data.get("days") or USUAL_DAYS,
        duplicate=bool(data.get("duplicate")),
        fill=bool(data.get("fill")),
        auto=bool(data.get("auto")),
    )


def plan_moved(plan: Plan, where: str) -> Plan:
    """The plan moved to `HALL` or `ONLINE`, as for a final; unchanged if it is played there already."""
    if where == HALL and plan.online is not None:
        return replace(plan, online=None, confirm=True)
    if where == ONLINE and plan.online is None:
        online = online_from(plan, {"pace": lobby_text.USUAL, "fill": True})
        return plan_fitted(replace(plan, online=online), plan.odd)
    return plan


class OnlineFields(Form):
    """The fields for playing online. A base of the form of a plan, which sets `plan` and the choices of paces."""

    where = forms.ChoiceField(
        label=_("Where it is played"),
        required=False,
        choices=[(HALL, _("in the hall")), (ONLINE, _("online, by correspondence"))],
        widget=forms.RadioSelect,
    )
    pace = forms.ChoiceField(label=_("How fast one plays"), required=False, widget=forms.RadioSelect)
    days = forms.IntegerField(
        label=_("Days for a round"),
        required=False,
        min_value=1,
        max_value=LONGEST_ONLINE,
        help_text=_(
            "The deadline: from the moment a round is published. Two weeks leave everybody time for a deal or two."
        ),
    )
    duplicate = forms.BooleanField(
        label=_("The same deals at every table (duplicate)"),
        required=False,
        help_text=_(
            "What counts is what one makes of the cards compared with the other tables, not the cards themselves; a deal"
            " stays sealed until every table has played it."
        ),
    )
    fill = forms.BooleanField(
        label=_("Computer players take the seats that are left over"),
        required=False,
        help_text=_("So that nobody has to sit out. They are ranked nowhere."),
    )
    auto = forms.BooleanField(
        label=_("The next round is drawn and published by itself"),
        required=False,
        help_text=_("A day after all tables are decided or the deadline has passed, at nine in the morning."),
    )

    plan: Plan

    @property
    def online_fields(self) -> list[forms.BoundField]:
        """The fields that only a tournament played online needs."""
        return [self[name] for name in ("pace", "days", "duplicate", "fill", "auto")]

    @property
    def at_the_deadline(self) -> str:
        """What happens to a table that is not finished in time, by the house rules."""
        return club_text.choice("overdue", self.plan.rules.overdue)

    def forget_the_hall(self) -> None:
        """Ignore errors in the fields of the hall, which are hidden."""
        for name in ("minutes", "last_deal"):
            self.errors.pop(name, None)
            self.cleaned_data.setdefault(name, 0)


def plan_fitted(plan: Plan, odd: Sequence[str]) -> Plan:
    """The plan with `odd`; online without a clock, and without table forms that are impossible there."""
    if plan.online is None:
        return replace(plan, odd=tuple(odd))
    kept = [name for name in odd if name not in NOT_ONLINE and (name == "bye" or not plan.online.duplicate)]
    return replace(plan, odd=tuple(kept), minutes=0, last_deal=0)


METHODS_OF: Final = {
    SINGLE: ("draw", "rotation", "standing"),
    PAIR: ("draw", "round-robin", "swiss", "standing", "knock-out"),
}
"""Ways of seating, the usual one first."""
ALONE: Final = ("draw", "standing")
"""The ways of seating if nobody has a partner."""


def offered_games() -> list[tuple[str, str]]:
    """The games that a tournament can be played in: those for four with partners, and those in which all play alone."""
    return [(game, game_name(game)) for game in ORDER if game_of(game).seats == 4 or each_alone(game)]


def start_plan(rules: HouseRules, before: Plan | None = None) -> Plan:
    """The plan that a form begins with: `before` with these rules, as far as the game allows."""
    plan = replace(before or Plan(), rules=rules)
    alone = each_alone(rules.ruleset)
    kind = SINGLE if alone else plan.kind
    sizes = game_of(rules.ruleset).sizes
    usual = plan.usual if plan.usual in sizes else max(sizes, key=lambda size: (size <= 5, size))
    methods = ALONE if alone else METHODS_OF[kind]
    allowed = odd_allowed(rules.ruleset, kind)
    kept = tuple(name for name in plan.odd if name in allowed) if before else ()
    odd = kept or odd_of(rules, kind)
    return replace(
        plan,
        kind=kind,
        method=plan.method if plan.method in methods else methods[0],
        odd=odd,
        usual=usual,
        forms=plan.forms if before and before.rules.ruleset == rules.ruleset else (),
    )


_STILL_ANNOUNCED: Final = {"name", "starts", "ends", "place", "text", "language", "is_public"}
"""The fields that still mean something once a tournament is closed or cancelled."""


class TournamentForm(OnlineFields, ModelForm[Tournament]):
    """The announcement and the plan. It begins with `plan`; `kind_stays` once people have entered.

    `plan_stays`: plan and fee stay, and only what is announced can be changed.
    """

    fee = money.MoneyField(label=_("Fee for each person"), required=False, help_text=_("In francs; empty or 0: free."))
    language = forms.ChoiceField(
        label=_("Language of paper and big screen"),
        required=False,
        choices=[("", _("as the club")), *settings.INTERFACE_LANGUAGES],
    )
    most = forms.IntegerField(
        label=_("Maximum number of people"),
        required=False,
        min_value=0,
        max_value=2000,
        help_text=_("Who may enter by themselves; 0: as many as wish. The door can always add more."),
    )
    kind = forms.ChoiceField(
        label=_("Who enters"),
        choices=[(SINGLE, _("single players; partners change")), (PAIR, _("fixed pairs"))],
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
    third = forms.BooleanField(
        label=_("Knock-out: a match for third place"),
        required=False,
        help_text=_("The losers of the semi-finals meet while the final is played."),
    )
    avoid_season = forms.BooleanField(
        label=_("Earlier evenings of the season count a little"),
        required=False,
        help_text=_("People who have often sat together this season are seated apart where it costs nothing else."),
    )
    confirm = forms.BooleanField(
        label=_("The other side confirms each sheet"),
        required=False,
        help_text=_("Otherwise what one side hands in counts at once."),
    )

    past = forms.BooleanField(
        label=_("Announce it all the same"),
        required=False,
        help_text=_("As for an evening whose results are written down afterwards."),
    )

    sent_as = {"name": "title"}

    class Meta:
        model = Tournament
        fields = ANNOUNCED_FIELDS
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
            "name": {"required": _("Write the name of the evening.")},
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
        plan_stays: bool = False,
    ) -> None:
        self.plan, self.fee_before, self.plan_stays = plan, fee, plan_stays
        self.alone = each_alone(plan.rules.ruleset)
        paid = {"fee": money.money_field(fee if instance is not None else plan.rules.fee)}
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
        if instance is not None:
            del self.fields["past"]
        for kind in (SINGLE, PAIR):
            if f"method_{kind}" in self.fields:
                ways = ALONE if self.alone else METHODS_OF[kind]
                self.offer(f"method_{kind}", [(name, text.method(name, kind)) for name in ways])
                self._ask_for_odd(kind)
        if plan_stays:
            for name in self.fields.keys() - _STILL_ANNOUNCED:
                del self.fields[name]

    def _ask_for_odd(self, kind: str) -> None:
        """Add the choice for odd numbers: the ready answers and, if it is not among them, that of the plan."""
        answers = answers_for(self.plan.rules.ruleset, kind)
        choices = leftover_choices(answers, self.plan.rules, self.initial[f"odd_{kind}"])
        if kind == self.plan.kind and self.plan.odd and self.plan.odd not in answers.values():
            choices.append((AS_IT_IS, "; ".join(text.odd(name) for name in self.plan.odd)))
        if choices:
            label = club_text.rule_label("odd_numbers")
            self.fields[f"odd_{kind}"] = forms.ChoiceField(
                label=label, required=False, choices=choices, widget=forms.RadioSelect
            )

    @property
    def folds(self) -> list[tuple[str, list[forms.BoundField], bool]]:
        """The parts that are seldom needed: heading, fields, and whether one of them has an error."""
        parts = [
            (gettext("Who may come"), ("is_public", "entry", "most")),
            (gettext("Time"), ("minutes", "last_deal", "ends")),
            (gettext("More"), ("text", "language", "strict", "third", "avoid_season", "confirm")),
        ]
        folds = [(title, list(self.part(*names))) for title, names in parts]
        return [(title, fields, any(field.errors for field in fields)) for title, fields in folds if fields]

    def clean_name(self) -> str:
        name = str(self.cleaned_data["name"])
        if not any(letter.isalnum() for letter in name):
            raise ValidationError(_("A name needs at least one letter or digit."))
        return name

    def clean_most(self) -> int:
        return self.cleaned_data["most"] or 0

    def clean(self) -> dict[str, Any]:
        """Check that the end is after the beginning, and that the plan can be played."""
        data = super().clean() or {}
        if data.get("where") == ONLINE:
            self.forget_the_hall()
            if data.get("days") is None and "days" not in self.errors:
                self.add_error("days", _("Write how many days a round lasts."))
        starts, ends = data.get("starts"), data.get("ends")
        if starts and ends and ends < starts:
            self.add_error("ends", _("It cannot end before it begins."))
        if starts and "past" in self.fields and not data.get("past") and _day(starts) < timezone.localdate():
            self.add_error("past", _("This date is over. Is it meant so?"))
        if self.plan_stays:
            return data | {"plan": self.plan, "fee": self.fee_before}
        if not self.errors:
            data["plan"] = self._plan(data)
        return data

    def _plan(self, data: Mapping[str, Any]) -> Plan | None:
        kind = SINGLE if self.alone else data.get("kind") or self.plan.kind
        chosen = data.get(f"odd_{kind}") or AS_IT_IS
        own = self.plan.odd if kind == self.plan.kind else odd_of(self.plan.rules, kind)
        odd = answers_for(self.plan.rules.ruleset, kind).get(chosen, own)
        try:
            rules = replace(self.plan.rules, rounds=data["rounds"], deals=data["deals"])
            if odd != self.plan.odd and chosen != AS_IT_IS:
                rules = made_fair(rules, chosen)
        except DomainError as error:
            self.add_error("rounds", club_text.standings_refusal(error))
            return None
        plan = replace(
            self.plan,
            rules=rules,
            kind=kind,
            method=data.get(f"method_{kind}") or METHODS_OF[kind][0],
            odd=odd,
            usual=data.get("usual") or self.plan.usual,
            minutes=data.get("minutes") or 0,
            last_deal=data.get("last_deal") or 0,
            strict=data["strict"],
            third=data["third"],
            avoid_season=data["avoid_season"],
            confirm=data["confirm"],
            online=online_from(self.plan, data) if data.get("where") == ONLINE else None,
        )
        plan = plan_fitted(plan, odd)
        try:
            return plan_from(Given(plan_to(plan)), self.plan if self.kind_stays else None)
        except DomainError as error:
            fields = {"method": f"method_{kind}", "odd": f"odd_{kind}", "rules.deals": "deals"}
            field = fields.get(error.field, error.field)
            message = str(text.refusal(error.code, error.field, error.facts))
            if error.code == "out-of-range" and field == "last_deal":
                message = gettext("This must be less than the minutes of a round.")
            self.add_error(field if field in self.fields else None, message)
            return None


def _day(moment: datetime) -> date:
    return timezone.localtime(moment).date()


def _plan_initial(plan: Plan) -> dict[str, Any]:
    initial: dict[str, Any] = {name: getattr(plan.rules, name) for name in ("rounds", "deals")}
    for name in ("kind", "usual", "minutes", "last_deal", "strict", "third", "avoid_season", "confirm"):
        initial[name] = getattr(plan, name)
    for kind in (SINGLE, PAIR):
        methods = METHODS_OF[kind]
        initial[f"method_{kind}"] = plan.method if kind == plan.kind and plan.method in methods else methods[0]
        odd = plan.odd if kind == plan.kind else odd_of(plan.rules, kind)
        answers = answers_for(plan.rules.ruleset, kind)
        initial[f"odd_{kind}"] = next((name for name, answer in answers.items() if answer == odd), AS_IT_IS)
    return initial | online_initial(plan)


class OutlookForm(Form):
    """The input of a dry run: several numbers of entrants side by side, and how long things take."""

    numbers = forms.CharField(
        label=_("How many come"),
        max_length=60,
        help_text=_("Up to five numbers, as 22, 23, 24; for pairs, how many pairs."),
    )
    rounds = forms.IntegerField(label=_("Rounds"), min_value=1, max_value=20)
    deals = forms.IntegerField(label=_("Deals in a round"), min_value=1, max_value=100)
    minutes_per_deal = forms.IntegerField(label=_("Minutes for a deal"), min_value=1, max_value=120)
    between = forms.IntegerField(label=_("Minutes between rounds"), min_value=0, max_value=240)
    start = forms.TimeField(label=_("Begins at"), widget=forms.TimeInput(attrs={"type": "time"}, format="%H:%M"))

    MOST_NUMBERS: Final = 5
    MOST_ENTRANTS: Final = 400

    def clean_numbers(self) -> list[int]:
        parts = self.cleaned_data["numbers"].replace(",", " ").replace(";", " ").split()
        if not parts or not all(part.isdecimal() and 2 <= int(part) <= self.MOST_ENTRANTS for part in parts):
            raise ValidationError(
                _("Write numbers from 2 to %(most)s, with commas between them.") % {"most": self.MOST_ENTRANTS}
            )
        numbers = sorted({int(part) for part in parts})
        if len(numbers) > self.MOST_NUMBERS:
            raise ValidationError(
                ngettext("At most %(most)s number at once.", "At most %(most)s numbers at once.", self.MOST_NUMBERS)
                % {"most": self.MOST_NUMBERS}
            )
        return numbers


class CategoryForm(Form):
    """A category for everybody born in certain years."""

    category = LineField(
        label=_("Category"), max_length=40, help_text=_("Your own word, as “Juniors”; prizes can be given by it.")
    )
    born_from = forms.IntegerField(label=_("Born in or after"), required=False, min_value=1900, max_value=2100)
    born_until = forms.IntegerField(label=_("Born in or before"), required=False, min_value=1900, max_value=2100)

    def fits(self, years: list[int | None]) -> bool:
        """Whether everybody in an entrant is known to be born in these years. Only for a valid form."""
        low, high = self.cleaned_data["born_from"], self.cleaned_data["born_until"]
        if low is None and high is None:
            return True
        return bool(years) and all(
            year is not None and (low is None or year >= low) and (high is None or year <= high) for year in years
        )


class EntrantForm(Form):
    fee = money.MoneyField(
        label=_("Fee"), required=False, help_text=_("In francs; 0: free. For a pair, of both together.")
    )
    seed = forms.IntegerField(
        label=_("Seed"),
        required=False,
        min_value=0,
        max_value=2000,
        help_text=_("1 for the strongest; 0 for none. Knock-outs and the first Swiss round use it."),
    )
    categories = forms.CharField(
        label=_("Categories"), required=False, max_length=200, help_text=_("With commas between them.")
    )
    table = forms.IntegerField(
        label=_("Keeps a table"),
        required=False,
        min_value=0,
        max_value=MOST_TABLES,
        help_text=_(
            "The number of the table, for somebody who cannot walk far: they sit there in every round. 0 for none."
        ),
    )

    def __init__(self, data: Mapping[str, Any] | None = None, *, entrant: Entrant) -> None:
        initial = {
            "fee": money.money_field(entrant.fee),
            "seed": entrant.seed,
            "categories": ", ".join(entrant.categories),
            "table": entrant.table,
        }
        super().__init__(data, initial=initial)

    def clean_categories(self) -> list[str]:
        names = [clean_line(part) for part in self.cleaned_data["categories"].split(",")]
        categories = list(dict.fromkeys(name for name in names if name))
        if len(categories) > MOST_GROUPS or any(len(name) > 40 for name in categories):
            raise ValidationError(_("At most ten categories, of 40 characters each."))
        return categories

    def changes(self) -> dict[str, Plain]:
        """The data of the event. Only for a valid form."""
        data = self.cleaned_data
        return {
            "fee": data["fee"],
            "seed": data["seed"] or 0,
            "table": data["table"] or 0,
            "categories": list(data["categories"]),
        }


class TillForm(Form):
    """Money that came in or went out, other than fees and refunds."""

    kind = forms.ChoiceField(
        label=_("What it is"),
        choices=[
            ("expense", _("expense: rent, food, cards")),
            ("income", _("income: sold, donated")),
            ("deposit", _("from the club’s purse into the till")),
            ("payout", _("from the till to the club’s purse")),
        ],
        widget=forms.RadioSelect,
    )
    amount = money.MoneyField(label=_("Amount in francs"))
    note = LineField(
        label=_("What for"),
        required=False,
        max_length=200,
        help_text=_("So that the treasurer knows it next year."),
    )

    def clean_amount(self) -> int:
        amount = int(self.cleaned_data["amount"])
        if amount < 1:
            raise ValidationError(_("Write how much."))
        return amount


class CountForm(Form):
    """The number of each coin and note in the till, and the amount that was in it at the start."""

    opening = money.MoneyField(label=_("In the till before the evening"), required=False, help_text=_("In francs."))

    def __init__(
        self, data: Mapping[str, Any] | None = None, *, opening: int, counted: Mapping[int, int] | None
    ) -> None:
        initial: dict[str, Any] = {"opening": money.money_field(opening)}
        initial |= {f"coin_{coin}": number for coin, number in (counted or {}).items()}
        super().__init__(data, initial=initial)
        for coin in COINS:
            self.fields[f"coin_{coin}"] = forms.IntegerField(
                label=money.money_text(coin) if coin < 100 else f"CHF {coin // 100}",
                required=False,
                min_value=0,
                max_value=10_000,
                widget=forms.NumberInput(attrs={"inputmode": "numeric"}),
            )

    @property
    def coins(self) -> list[forms.BoundField]:
        """The fields of the coins and notes, smallest first."""
        return [self[name] for name in self.fields if name.startswith("coin_")]

    def counted(self) -> dict[str, Plain]:
        """The data of the event; without coins if nothing was counted. Only for a valid form."""
        numbers = {coin: self.cleaned_data.get(f"coin_{coin}") for coin in COINS}
        data: dict[str, Plain] = {"opening": self.cleaned_data["opening"]}
        if any(number is not None for number in numbers.values()):
            coins: list[Plain] = [{"coin": coin, "number": number or 0} for coin, number in numbers.items()]
            data["coins"] = coins
        return data
