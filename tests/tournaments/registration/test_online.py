"""Planning rounds that are played online: what the form offers, what it leaves out, what it says."""

from __future__ import annotations

import pytest
from django import forms

from domain.standings.profile import HouseRules
from domain.tournament.state import Plan
from games.lobby import text as lobby_text
from tournaments.registration.forms import TournamentForm, online_lines, start_plan

RULES = HouseRules()


def sent(form: TournamentForm, **fields: str) -> dict[str, str]:
    """What a browser would send of a form, with these fields filled in; "" for a box that is not ticked."""
    found = {}
    for field in form:
        value = field.value()
        if value is True:
            found[field.html_name] = "on"
        elif value not in (None, False):
            found[field.html_name] = str(value)
    found |= {"title": "Liga", "starts": "2036-11-27T19:30"} | fields
    return {name: value for name, value in found.items() if value}


def plan_of(plan: Plan | None = None, rules: HouseRules = RULES, **fields: str) -> Plan:
    start = plan or start_plan(rules)
    form = TournamentForm(sent(TournamentForm(plan=start), **fields), plan=start)
    assert form.is_valid(), form.errors
    made = form.cleaned_data["plan"]
    assert isinstance(made, Plan)
    return made


def test_in_the_hall_nothing_of_it_is_read():
    assert plan_of(where="hall", pace="slow", days="3", duplicate="on").online is None


def test_a_form_without_the_question_is_of_the_hall():
    assert plan_of(where="").online is None


def test_days_with_reserve_and_two_weeks_are_as_usual():
    online = plan_of(where="online").online
    day = lobby_text.pace_of("day")
    assert online is not None
    assert day is not None
    assert dict(online.pace) == day.terms.to_json()
    assert (online.days, online.duplicate, online.fill) == (14, False, True)


def test_only_paces_with_days_for_a_move_are_offered():
    form = TournamentForm(plan=start_plan(RULES))
    pace = form.fields["pace"]
    assert isinstance(pace, forms.ChoiceField)
    assert [value for value, _words in pace.widget.choices] == ["day", "slow", "brisk"]


def test_what_only_a_hall_has_is_left_out_whatever_is_typed():
    plan = plan_of(
        where="online", minutes="90", last_deal="100", odd_single="larger",
    )  # fmt: skip
    assert (plan.minutes, plan.last_deal, plan.odd) == (0, 0, ("six", "three"))


def test_a_clock_that_is_no_number_is_overlooked_online_and_refused_in_the_hall():
    start = start_plan(RULES)
    typed = sent(TournamentForm(plan=start), minutes="soon")
    assert TournamentForm(typed | {"where": "online"}, plan=start).is_valid()
    assert not TournamentForm(typed | {"where": "hall"}, plan=start).is_valid()


def test_with_the_same_deals_all_tables_have_one_size():
    plan = plan_of(where="online", duplicate="on", odd_single="bye")
    assert plan.online is not None
    assert plan.online.duplicate
    assert plan.odd == ("bye",)
    assert plan_of(where="online", duplicate="on", odd_single="threes").odd == ()


@pytest.mark.parametrize(
    ("fields", "field", "says"),
    [
        ({"deals": "17"}, "deals", "A number from 1 to 16, please."),
        ({"days": ""}, "days", "Write how many days a round lasts."),
        ({"days": "91"}, "days", "90"),
        ({"pace": "live"}, "pace", "Choose one of the options in the list."),
    ],
)
def test_what_cannot_be_is_said_at_its_field(fields, field, says):
    start = start_plan(RULES)
    form = TournamentForm(sent(TournamentForm(plan=start), where="online", **fields), plan=start)
    assert not form.is_valid()
    assert says in str(form.errors[field])


def test_the_form_begins_with_what_was_chosen_and_keeps_a_pace_of_its_own():
    plan = plan_of(where="online", pace="slow", days="30", fill="")
    again = plan_of(plan)
    assert again == plan
    assert again.online is not None
    own = {**again.online.pace, "action": 5 * 86400}
    special = plan_of(start_plan(RULES, before=Plan(online=type(again.online)(pace=own, days=9))))
    assert special.online is not None
    assert (dict(special.online.pace), special.online.days) == (own, 9)
    said = dict(online_lines(special))
    assert said["How fast one plays"] == "120 hours for each move, 3 days in reserve"
    assert said["Time of a round"] == "9 days"


def test_what_happens_at_the_deadline_stands_beside_it():
    rules = HouseRules(overdue="forfeit")
    assert "forfeits" in TournamentForm(plan=start_plan(rules)).at_the_deadline
    assert "forfeits" in dict(online_lines(plan_of(rules=rules, where="online")))["At the deadline"]
