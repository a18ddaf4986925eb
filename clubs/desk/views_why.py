"""Why am I at this table? What the draw weighed, and what an exchange with somebody else would have cost; for everybody."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import lru_cache
from typing import Any, cast

from django.http import Http404, HttpResponseBase
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_safe

from clubs.desk import words
from clubs.desk.kit import or_404
from clubs.evening.state import DRAFT, Round
from clubs.seating import files
from clubs.seating import why as reasons
from clubs.seating.files import Draw
from clubs.seating.refused import SeatingRefused
from clubs.seating.results import Seating
from clubs.seating.why import Exchange
from clubs.tournaments import wording
from clubs.tournaments.pages import Visit, at_tournament, shown
from clubs.tournaments.seen import Names


@require_safe
@at_tournament
def why(visit: Visit, key: str, id: str) -> HttpResponseBase:
    """One entrant in one round. A round that is not published is the desk's alone; so are names."""
    asked = visit.asked
    round = or_404(asked.state.round(key))
    entrant = or_404(asked.state.entrants.get(id))
    if not asked.runs_it and (round.status == DRAFT or not (asked.tournament.is_public or asked.standing.member)):
        raise Http404
    names = Names(asked.tournament, asked.standing.audience)
    seated = next((number for number, table in round.tables.items() if id in table.seats), 0)
    if not seated and id not in round.byes:
        raise Http404

    def name(who: str) -> str:
        found = asked.state.entrants.get(who)
        return names.entrant(found) if found else "?"

    phase = asked.state.phases[round.phase - 1]
    context = {
        "tab": "rounds" if asked.runs_it else "seating",
        "round": round,
        "phase_name": words.phase_name(phase),
        "several": len(asked.state.phases) > 1,
        "name": names.entrant(entrant),
        "table": seated,
        "method": wording.method(phase.plan.method),
        # What the desk wrote in its own words may name people: others are told how often, not why.
        "reasons": round.by_hand if asked.runs_it else (),
        "times_by_hand": len(round.by_hand),
        **_reasons(round, id, name),
    }
    return shown(visit, "clubs/desk/why.html", context)


def _reasons(round: Round, id: str, name: Any) -> Mapping[str, Any]:
    file = cast("Mapping[str, Any]", round.draw or {})
    draw, seating = _made(json.dumps([file["inputs"], file["seed"], file["hall"]]))
    drawn = seating.table_of(id)
    try:
        found = reasons.why(seating, draw.field, draw.settings, draw.seed, id, hall=draw.hall)
    except SeatingRefused:  # seated by hand after the draw
        return {"drawn": False}
    here = next((table.seats for table in round.tables.values() if id in table.seats), ())
    return {
        "drawn": True,
        "moved": set(drawn.seats if drawn else ()) != set(here),
        "drawn_table": found.table or 0,
        "planned": found.planned,
        "terms": [words.term(term, name) for term in found.terms],
        "exchanges": [(name(each.other), _exchange(each)) for each in found.exchanges],
    }


@lru_cache(maxsize=16)
def _made(text: str) -> tuple[Draw, Seating]:
    """A published draw, made once more. Kept, since a whole hall asks about the same one."""
    inputs, seed, hall = json.loads(text)
    draw = files.read(inputs, bytes.fromhex(seed), hall)
    return draw, draw.seating()


def _exchange(found: Exchange) -> str:
    """What taking places with somebody would have meant."""
    if found.burdens:
        return _("somebody would sit out, or at an unusual table, who did so more often than the other")
    if found.more_repeats > 0:
        text = ngettext("%(number)s repeat more", "%(number)s repeats more", found.more_repeats)
        return text % {"number": found.more_repeats}
    if found.more > 0:
        return ngettext("worse by %(number)s point", "worse by %(number)s points", found.more) % {"number": found.more}
    return _("just as good: the luck of the draw decided")
