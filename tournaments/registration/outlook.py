"""The evening beforehand, in words: the same plan for several numbers of people, side by side."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import time
from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from domain.seating.dryrun import Evening, Outlook, dry_run
from domain.seating.settings import tables_for
from domain.tournament.state import PAIR, Plan
from domain.tournament.tables import each_alone, settings_for
from tournaments import text

_DAY: Final = 24 * 60


@dataclass(frozen=True, slots=True)
class RoundShown:
    """A round: its number, from when to when, its tables, how many sit out, and repeats."""

    number: int
    starts: str
    ends: str
    tables: str
    out: int
    partners: int
    opponents: int


@dataclass(frozen=True, slots=True)
class Shown:
    """What would come with so many. `burdens`: lines such as "5 people: twice at an odd table or sitting out"."""

    number: int
    who: str
    ends: str
    rounds: tuple[RoundShown, ...]
    burdens: tuple[str, ...]
    warnings: tuple[str, ...]


def dry_runs(
    plan: Plan, numbers: Sequence[int], *, rounds: int, deals: int, minutes_per_deal: int, between: int, start: time
) -> list[Shown]:
    """The dry run of a plan for each of the numbers."""
    settings = settings_for(plan)
    found = []
    for number in numbers:
        evening = Evening(
            entrants=number,
            rounds=rounds,
            method=plan.method,
            deals=deals,
            minutes_per_deal=minutes_per_deal,
            between_rounds=between,
            start=start.hour * 60 + start.minute,
        )
        found.append(_in_words(plan, number, dry_run(evening, settings)))
    return found


def minutes_per_deal(plan: Plan) -> int:
    """How long a deal takes if the clock of the plan is right; six minutes where there is none."""
    return max(1, -(-plan.minutes // plan.rules.deals)) if plan.minutes else 6


def would_be(plan: Plan, entrants: int) -> tuple[str, int]:
    """The tables for so many entrants right now, in words, and how many would sit out."""
    shapes, out = tables_for(entrants, settings_for(plan))
    sizes: dict[int, int] = {}
    for shape in shapes:
        sizes[shape.size] = sizes.get(shape.size, 0) + 1
    return tables(plan, sizes), out


def tables(plan: Plan, sizes: Mapping[int, int]) -> str:
    """ "5 tables of 4, 1 table of 3"; of pairs, how many pairs sit there."""
    pairs = plan.kind == PAIR
    lines = []
    for size, number in sorted(sizes.items(), key=lambda each: (-each[1], each[0])):
        if pairs:
            line = ngettext("%(number)s table of %(size)s pairs", "%(number)s tables of %(size)s pairs", number)
        else:
            line = ngettext("%(number)s table of %(size)s", "%(number)s tables of %(size)s", number)
        lines.append(line % {"number": number, "size": size})
    return ", ".join(lines) if lines else _("no table")


def _in_words(plan: Plan, number: int, found: Outlook) -> Shown:
    pairs = plan.kind == PAIR
    who = ngettext("%(number)s pair", "%(number)s pairs", number) if pairs else ngettext(
        "%(number)s person", "%(number)s persons", number
    )  # fmt: skip
    alone = each_alone(plan.rules.ruleset)
    return Shown(
        number=number,
        who=who % {"number": number},
        ends=_clock(found.ends),
        rounds=tuple(
            RoundShown(
                number=each.number,
                starts=_clock(each.starts),
                ends=_clock(each.ends),
                tables=tables(plan, each.sizes),
                out=each.out,
                partners=0 if pairs or alone else each.partners,
                opponents=each.opponents,
            )
            for each in found.rounds
        ),
        burdens=tuple(_burden(times, people, pairs) for times, people in found.burdens.items()),
        warnings=tuple(text.warning(code) for code in found.warnings),
    )


def _burden(times: int, people: int, pairs: bool) -> str:
    who = (
        ngettext("%(people)s pair", "%(people)s pairs", people)
        if pairs
        else ngettext("%(people)s person", "%(people)s persons", people)
    )
    often = (
        ngettext("once at an odd table or sitting out", "%(times)s times at an odd table or sitting out", times)
        if times
        else _("never at an odd table, never sitting out")
    )
    return f"{who % {'people': people}}: {often % {'times': times}}"


def _clock(minutes: int) -> str:
    """Minutes after midnight as a time; the next day's are times of that day."""
    return f"{minutes % _DAY // 60}:{minutes % 60:02}"
