"""The desk in words: what a draw weighed, what a round shows, money; in the reader's language.

The log of a tournament in sentences: what was done, at which table or to whom, by whom; in the reader's language.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any, Final

from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from clubs import text as club_text
from domain.seating.field import Term
from domain.tournament.state import Phase, Plan, State
from tournaments import text
from tournaments.models import TournamentEvent
from tournaments.read_models import Names
from tournaments.registration.forms import online_lines


def term(found: Term, name: Callable[[str], str]) -> str:
    """One thing that was weighed, as a sentence: "Anna and Clau were partners before, twice"."""
    who = club_text.names_in_a_row(map(name, found.who))
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
        (_("Seating"), text.method(plan.method)),
        (_("Rounds"), str(rules.rounds)),
        (_("Deals in a round"), str(rules.deals)),
        (_("Odd numbers"), club_text.names_in_a_row(text.odd(each) for each in plan.odd) or "–"),
    ]
    if plan.minutes:
        time = ngettext("%(number)s minute", "%(number)s minutes", plan.minutes) % {"number": plan.minutes}
        last = _("%(time)s, no new deal in the last %(last)s") % {"time": time, "last": plan.last_deal}
        lines.append((_("Time of a round"), last if plan.last_deal else time))
    lines += [
        (_("Ranking"), club_text.names_in_a_row(club_text.criterion(code).name for code in rules.tie_breaks)),
        (_("If a sum is wrong"), club_text.choice("wrong_sum", rules.wrong_sum)),
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
    """How somebody stands in the list (`domain.standings.ranking`)."""
    return {
        "ranked": "",
        "after": _("left early: listed after all who stayed"),
        "out": _("not ranked: left early, or played too few rounds"),
    }[status]


def problem(code: str, facts: dict[str, int]) -> str:
    """What is wrong at a table (`domain.standings.rounds.Problem`)."""
    return {
        "wrong-sum": _("Deal %(deal)s adds up to %(found)s instead of %(expected)s: the table does not count yet."),
        "too-many-deals": _(
            "%(found)s deals are written, %(expected)s are to be played: the table does not count yet."
        ),
        "split": _("Deal %(deal)s adds up to %(found)s instead of %(expected)s: the difference is shared."),
        "struck": _("Deal %(deal)s adds up to %(found)s instead of %(expected)s: it counts for nobody."),
    }[code] % facts


Data = Mapping[str, Any]


class Teller:
    """Tells events of one tournament; names and tables as they are at the end of `state`."""

    def __init__(self, state: State, names: Names) -> None:
        self.state, self.names = state, names

    def told(self, row: TournamentEvent) -> str:
        """What happened, as a sentence."""
        teller = _TELLERS.get(row.kind)
        return teller(self, row.data) if teller else row.kind

    def by(self, row: TournamentEvent) -> str:
        what, _colon, rest = row.by.partition(":")
        if what == "table":
            return _("at the table")
        if what == "person":
            return self.names.person(rest)
        if row.player is not None:
            name = row.player.display_name
            return _("%(name)s, at the door") % {"name": name} if what == "door" else name
        return {"door": _("at the door"), "site": _("the site")}.get(what, _("somebody who has gone"))

    # what events name

    def entrant(self, data: Data, field: str = "id") -> str:
        found = self.state.entrants.get(str(data.get(field, "")))
        return self.names.entrant(found) or self._merged(found.merged_into) if found else "?"

    def _merged(self, id: str) -> str:
        found = self.state.entrants.get(id)
        return self.names.entrant(found) if found else "?"

    def people(self, data: Data, field: str = "members") -> str:
        return club_text.names_in_a_row(map(self.names.person, data.get(field, ())))

    def round(self, key: str) -> str:
        """ "round 3", with its phase where there are several."""
        phase, _dot, number = key.partition(".")
        found = self.state.phase(int(phase)) if phase.isdecimal() else None
        if found is None or len(self.state.phases) == 1:
            return _("round %(number)s") % {"number": number}
        return _("round %(number)s of “%(phase)s”") % {"number": number, "phase": phase_name(found)}

    def table(self, data: Data) -> str:
        """ "table 4, round 2"."""
        round, _dot, number = str(data.get("table", "")).rpartition(".")
        return _("table %(table)s, %(round)s") % {"table": number, "round": self.round(round)}

    def phase(self, data: Data) -> str:
        found = self.state.phase(int(data.get("phase", 0)))
        return phase_name(found) if found else "?"


def _scores(scores: Any) -> str:
    return " : ".join(str(each).replace("-", "−") for each in scores)


def _sheet(data: Data) -> str:
    return ", ".join(_scores(each.get("scores", ())) for each in data.get("lines", ()))


def _plain(text: Callable[[], str]) -> Callable[[Teller, Data], str]:
    return lambda _teller, _data: text()


def _about(text: Callable[[], str], field: str = "id") -> Callable[[Teller, Data], str]:
    return lambda teller, data: text() % {"who": teller.entrant(data, field), "reason": data.get("reason", "")}


def _table(text: Callable[[], str]) -> Callable[[Teller, Data], str]:
    def told(teller: Teller, data: Data) -> str:
        facts = {
            "table": teller.table(data),
            "deal": data.get("deal", ""),
            "scores": _scores(data.get("scores", ())),
            "lines": _sheet(data),
            "reason": data.get("reason", ""),
            "note": data.get("note", ""),
        }
        return text() % facts

    return told


def _round(text: Callable[[], str], off: Callable[[], str] | None = None) -> Callable[[Teller, Data], str]:
    def told(teller: Teller, data: Data) -> str:
        key = data["round"] if isinstance(data.get("round"), str) else f"{data.get('phase')}.{data.get('round')}"
        chosen = off if off is not None and data.get("off") else text
        return chosen() % {"round": teller.round(key), "reason": data.get("reason", ""), "hall": data.get("hall", "")}

    return told


def _phase(text: Callable[[], str], off: Callable[[], str] | None = None) -> Callable[[Teller, Data], str]:
    def told(teller: Teller, data: Data) -> str:
        chosen = off if off is not None and data.get("off") else text
        return chosen() % {"phase": teller.phase(data), "reason": data.get("reason", "")}

    return told


def _money(teller: Teller, data: Data) -> str:
    facts = {
        "what": club_text.choice("till", str(data["kind"])),
        "amount": text.money_text(int(data["amount"])),
        "who": teller.entrant(data, "who") if data.get("who") else str(data.get("note", "")),
    }
    return (_("Till: %(what)s, %(amount)s, %(who)s.") if facts["who"] else _("Till: %(what)s, %(amount)s.")) % facts


def _clock(teller: Teller, data: Data) -> str:
    text = {
        "start": _("The clock of %(round)s was started."),
        "pause": _("The clock of %(round)s was stopped for a while."),
        "go-on": _("The clock of %(round)s goes on."),
        "add": _("The time of %(round)s was changed by %(minutes)s minutes."),
        "stop": _("The clock of %(round)s was taken away."),
    }[str(data["act"])]
    return text % {"round": teller.round(str(data["round"])), "minutes": data.get("minutes", "")}


def _penalty(teller: Teller, data: Data) -> str:
    text = _("%(who)s: penalty of %(points)s points and %(match)s match points: %(reason)s.")
    phase = teller.state.phase(int(data["phase"]))
    kinds = phase.plan.rules.penalties if phase else ()
    kind = next((each for each in kinds if data.get("code") and each.code == data["code"]), None)
    given = {
        "who": teller.entrant(data, "entrant"),
        "points": data.get("points", kind.points if kind else 0),
        "match": data.get("match", kind.match if kind else 0),
        "reason": data["reason"],
    }
    return text % given


def _forgiven(teller: Teller, data: Data) -> str:
    found = teller.state.penalties.get(str(data["id"]))
    who = teller.entrant({"id": found.entrant}) if found else "?"
    return _("The penalty of %(who)s was cancelled: %(reason)s.") % {"who": who, "reason": data["reason"]}


def _lot(teller: Teller, data: Data) -> str:
    order = ", ".join(teller.entrant({"id": each}) for each in data["order"])
    text = _("Lots were drawn; the order is: %(order)s.") if data.get("seed") else _("Cut by hand: %(order)s.")
    return text % {"order": order}


def _pairs(teller: Teller, data: Data) -> str:
    pairs = "; ".join(teller.entrant({"id": pair[0]}) for pair in data["pairs"])
    return _("Pairs were made: %(pairs)s.") % {"pairs": pairs}


def _substitute(teller: Teller, data: Data) -> str:
    return _("%(new)s plays for %(old)s.") % {
        "new": teller.names.person(data["new"]),
        "old": teller.names.person(data["old"]),
    }


def _begun(teller: Teller, data: Data) -> str:
    return _("“%(name)s” began.") % {"name": data["name"]} if data.get("name") else _("The rounds began.")


def _prizes(teller: Teller, data: Data) -> str:
    number = len(data.get("prizes", ()))
    return ngettext("%(number)s prize was set.", "%(number)s prizes were set.", number) % {"number": number}


def _deadline(teller: Teller, data: Data) -> str:
    when = timezone.localtime(datetime.fromisoformat(str(data["deadline"])))
    facts = {
        "round": teller.round(str(data["round"])),
        "when": date_format(when, "j F Y, H:i"),
        "reason": data.get("reason", ""),
    }
    return _("The deadline of %(round)s is %(when)s now: %(reason)s.") % facts


def _overdue(teller: Teller, data: Data) -> str:
    facts = {
        "table": teller.table(data),
        "who": club_text.names_in_a_row(teller.entrant({"id": id}) for id in data.get("who", ())),
    }
    if data.get("how") == "postponed":
        return _("Nobody waits any longer for %(table)s; it counts when it comes.") % facts
    return _("%(table)s is forfeited by %(who)s.") % facts


def _handed(teller: Teller, data: Data) -> str:
    text = _("The prize of %(who)s was taken back.") if data.get("off") else _("%(who)s got a prize.")
    return text % {"who": teller.entrant(data, "entrant")}


def _entered(teller: Teller, data: Data) -> str:
    text = _("%(who)s came in and entered.") if data.get("here") else _("%(who)s entered.")
    return text % {"who": teller.people(data)}


_TELLERS: Final[Mapping[str, Callable[[Teller, Data], str]]] = {
    "tournament.planned": _plain(lambda: _("The plan was written.")),
    "tournament.opened": _plain(lambda: _("The door was opened, and all draws were promised.")),
    "tournament.closed": lambda teller, data: (
        _("The tournament was closed all the same: %(reason)s.") % {"reason": data["despite"]}
        if data.get("despite")
        else _("The tournament was closed; the ranking is final.")
    ),
    "tournament.reopened": lambda teller, data: _("The tournament was opened again: %(reason)s.") % data,
    "season.loaded": _plain(lambda: _("Earlier evenings were loaded, for who sat with whom.")),
    "entrant.added": _entered,
    "entrant.changed": _about(lambda: _("Something about %(who)s was changed.")),
    "entrant.arrived": _about(lambda: _("%(who)s is here.")),
    "entrant.not-arrived": _about(lambda: _("%(who)s is not here after all.")),
    "entrant.left": _about(lambda: _("%(who)s has left.")),
    "entrant.withdrawn": _about(lambda: _("%(who)s does not come.")),
    "entrant.paused": lambda teller, data: (
        (_("%(who)s plays the next round after all.") if data.get("off") else _("%(who)s sits out the next round."))
        % {"who": teller.entrant(data)}
    ),
    "entrant.substituted": _substitute,
    "pairs.made": _pairs,
    "pair.parted": _about(lambda: _("The pair of %(who)s was parted.")),
    "apart.set": _plain(lambda: _("It was changed who is to be kept apart.")),
    "phase.started": _begun,
    "phase.changed": _phase(lambda: _("The plan of “%(phase)s” was changed: %(reason)s.")),
    "phase.finished": _phase(lambda: _("“%(phase)s” is finished."), lambda: _("“%(phase)s” goes on after all.")),
    "round.promised": _round(lambda: _("The draw of %(round)s was promised.")),
    "round.drawn": _round(lambda: _("The %(round)s was drawn.")),
    "draw.undone": _round(lambda: _("The draw of %(round)s was undone: %(reason)s.")),
    "round.arranged": _round(lambda: _("Seats of %(round)s were changed by hand: %(reason)s.")),
    "round.published": _round(lambda: _("The seating of %(round)s was published.")),
    "round.closed": _round(lambda: _("The %(round)s was closed."), off=lambda: _("The %(round)s was opened again.")),
    "clock.set": _clock,
    "deadline.set": _deadline,
    "boards.laid": _round(lambda: _("The deals of %(round)s were promised.")),
    "table.begun": _table(lambda: _("The game of %(table)s was laid.")),
    "table.abandoned": _table(lambda: _("The game of %(table)s was let go: %(reason)s.")),
    "table.reported": _table(lambda: _("The game of %(table)s is over: %(lines)s.")),
    "table.overdue": _overdue,
    "house.filled": lambda teller, data: (
        ngettext(
            "%(count)s computer player fills up the tables.",
            "%(count)s computer players fill up the tables.",
            int(data["count"]),
        )
        % {"count": data["count"]}
    ),
    "deal.entered": _table(lambda: _("Deal %(deal)s, %(table)s: %(scores)s.")),
    "deal.erased": _table(lambda: _("Deal %(deal)s, %(table)s, was erased.")),
    "table.handed-in": _table(lambda: _("The sheet of %(table)s was handed in.")),
    "table.taken-back": _table(lambda: _("The sheet of %(table)s was taken back.")),
    "table.confirmed": _table(lambda: _("The sheet of %(table)s was confirmed.")),
    "table.disputed": _table(lambda: _("The sheet of %(table)s is disputed; the other side has: %(lines)s. %(note)s")),
    "table.settled": lambda teller, data: _table(
        (lambda: _("The desk wrote %(table)s: %(lines)s (%(reason)s)."))
        if data.get("reason")
        else (lambda: _("The desk wrote %(table)s: %(lines)s."))
    )(teller, data),
    "table.reopened": _table(lambda: _("The sheet of %(table)s was opened again: %(reason)s.")),
    "key.renewed": _table(lambda: _("The codes of %(table)s were renewed.")),
    "table.noted": _table(lambda: _("Remark on %(table)s: %(note)s")),
    "penalty.given": _penalty,
    "penalty.cancelled": _forgiven,
    "lot.drawn": _lot,
    "money.entered": _money,
    "money.cancelled": lambda teller, data: _("An entry of the till was cancelled: %(reason)s.") % data,
    "till.counted": _plain(lambda: _("The till was counted.")),
    "prizes.set": _prizes,
    "prize.handed": _handed,
    "hall-key.renewed": _plain(lambda: _("A code of the hall was renewed.")),
}
KINDS: Final = frozenset(_TELLERS)
"""Every kind of event that has words: all there are."""
