"""The desk in words: what a draw weighed, what a round shows, money; in the reader's language."""

from __future__ import annotations

from collections.abc import Callable

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from clubs import words
from clubs.evening.state import Phase, Plan
from clubs.planning.forms_online import online_lines
from clubs.seating.results import Term
from clubs.tournaments import wording


def term(found: Term, name: Callable[[str], str]) -> str:
    """One thing that was weighed, as a sentence: "Anna and Clau were partners before, twice"."""
    who = words.listed(map(name, found.who))
    times = ngettext("%(number)s time", "%(number)s times", found.times) % {"number": found.times}
    facts = {"who": who, "times": times, "number": found.times}
    return {
        "partner-again": _("%(who)s are partners again (%(times)s before)."),
        "opponent-again": _("%(who)s are opponents again (%(times)s before)."),
        "role-changed": _("%(who)s meet again, once as partners and once as opponents (%(times)s before)."),
        "season-partner": _("%(who)s were partners on earlier evenings (%(times)s)."),
        "season-opponent": _("%(who)s were opponents on earlier evenings (%(times)s)."),
        "same-group": _("%(who)s belong to the same club or family."),
        "apart": _("%(who)s were to be kept apart."),
        "score-apart": _("%(who)s do not have equal points (%(number)s groups between them)."),
        "standing-spread": _("%(who)s stand further apart in the ranking than necessary."),
        "standing-balance": _("The sides are not equally strong: %(who)s."),
        "odd-table": _("A table of unusual size: %(who)s sat at one, or sat out, %(times)s before.")
        if found.times
        else _("A table of unusual size: %(who)s never sat at one before, and never sat out."),
        "bye": _("Sitting out: %(who)s sat out, or at a table of unusual size, %(times)s before.")
        if found.times
        else _("Sitting out: %(who)s never did before, nor sat at a table of unusual size."),
    }[found.criterion] % facts


def phase_name(phase: Phase) -> str:
    """What a part of the tournament is called, by its own name or its number."""
    return phase.name or (_("Rounds") if phase.number == 1 else _("Part %(number)s") % {"number": phase.number})


def plan_lines(plan: Plan) -> list[tuple[str, str]]:
    """A plan as names and values, for a list."""
    rules = plan.rules
    lines = [
        (_("Seating"), wording.method(plan.method)),
        (_("Rounds"), str(rules.rounds)),
        (_("Deals in a round"), str(rules.deals)),
        (_("Odd numbers"), words.listed(wording.odd(each) for each in plan.odd) or "–"),
    ]
    if plan.minutes:
        time = ngettext("%(number)s minute", "%(number)s minutes", plan.minutes) % {"number": plan.minutes}
        last = _("%(time)s, no new deal in the last %(last)s") % {"time": time, "last": plan.last_deal}
        lines.append((_("Time of a round"), last if plan.last_deal else time))
    lines += [
        (_("Ranking"), words.listed(words.criterion(code).name for code in rules.tie_breaks)),
        (_("If a sum is wrong"), words.choice("wrong_sum", rules.wrong_sum)),
    ]
    if not plan.online:
        lines.append(
            (
                _("Sheets"),
                _("confirmed by the other side") if plan.confirm else _("count as soon as they are handed in"),
            )
        )
    lines += online_lines(plan)
    if rules.dropped:
        dropped = ngettext("the worst round does not count", "the %(number)s worst rounds do not count", rules.dropped)
        lines.append((_("Dropped"), dropped % {"number": rules.dropped}))
    return lines


def standing_status(status: str) -> str:
    """How somebody stands in the list (`clubs.standings.ranking`)."""
    return {
        "ranked": "",
        "after": _("left early: listed after all who stayed"),
        "out": _("not ranked: left early, or played too few rounds"),
    }[status]


def problem(code: str, facts: dict[str, int]) -> str:
    """What is wrong at a table (`clubs.standings.scores.Problem`)."""
    return {
        "wrong-sum": _("Deal %(deal)s adds up to %(found)s instead of %(expected)s: the table does not count yet."),
        "too-many-deals": _(
            "%(found)s deals are written, %(expected)s are to be played: the table does not count yet."
        ),
        "split": _("Deal %(deal)s adds up to %(found)s instead of %(expected)s: the difference is shared."),
        "struck": _("Deal %(deal)s adds up to %(found)s instead of %(expected)s: it counts for nobody."),
    }[code] % facts
