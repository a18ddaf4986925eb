"""The form of a plan at the desk: what was not touched stays as it was."""

from __future__ import annotations

import pytest

from domain.standings.criteria import CRITERIA
from domain.tournament.directing import plan_to
from tests.tournaments.services.kit import Night
from tournaments.director.forms import PlanForm

pytestmark = pytest.mark.django_db


def test_a_plan_with_many_criteria_and_choices_comes_back_whole():
    ties = [*[name for name in CRITERIA if name != "lot"][:8], "lot"]
    odd = ["five-dealer-out", "three", "six", "bye"]
    plan = Night.at(rules={"rounds": 4, "deals": 2, "tie_breaks": ties}, odd=odd).state.plan
    shown = PlanForm(plan)
    sent = {name: value for name, value in shown.initial.items() if value is not False}
    form = PlanForm(plan, sent)
    assert form.is_valid(), form.errors
    assert form.data_of() == plan_to(plan)
