"""The texts of the director’s pages, in the reader's language: what a draw weighed, plans, problems at tables.

Also the log of a tournament in sentences: what was done, at which table or to whom, and by whom.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any, Final

from django.utils import timezone
from django.utils.formats import date_format
from django.utils.functional import Promise
from django.utils.translation import gettext, ngettext, ngettext_lazy
from django.utils.translation import gettext_lazy as _

from clubs import money
from clubs import text as club_text
from core.sursilvan import in_a_row
from domain.seating.field import Term
from domain.tournament.state import Plan, State
from games.text.figures import with_minus
from tournaments import text
from tournaments.models import TournamentEvent
from tournaments.read_models import Names
from tournaments.registration.forms import online_lines


def term(weighed: Term, name: Callable[[str], str]) -> str:
    """A term that the draw weighed, as a sentence: "Anna and Clau were partners before, twice"."""
    who = in_a_row(map(name, weighed.who))
    times = ngettext("%(number)s time", "%(number)s times", weighed.times) % {"number": weighed.times}
    facts = {"who": who, "times": times, "number": weighed.times}
    return {
        "partner-again": gettext("%(who)s are partners again (%(times)s before)."),
        "opponent-again": gettext("%(who)s are opponents again (%(times)s before)."),
        "role-changed": gettext("%(who)s meet again, once as partners and once as opponents (%(times)s before)."),
        "season-partner": gettext("%(who)s were partners on earlier evenings (%(times)s)."),
        "season-opponent": gettext("%(who)s were opponents on earlier evenings (%(times)s)."),
        "same-group": gettext("%(who)s belong to the same club or family."),
        "apart": gettext("%(who)s were to be kept apart."),
        "keeps-table": gettext("%(who)s each keep a table of their own: one of them has to move."),
        "score-apart": gettext("%(who)s do not have equal points (%(number)s groups between them)."),
        "standing-spread": gettext("%(who)s stand further apart in the ranking than necessary."),
        "standing-balance": gettext("The sides are not equally strong: %(who)s."),
        "odd-table": gettext("A table of unusual size: %(who)s sat at one, or sat out, %(times)s before.")
        if weighed.times
        else gettext("A table of unusual size: %(who)s never sat at one before, and never sat out."),
        "bye": gettext("Sitting out: %(who)s sat out, or at a table of unusual size, %(times)s before.")
        if weighed.times
        else gettext("Sitting out: %(who)s never did before, nor sat at a table of unusual size."),
    }[weighed.criterion] % facts


def plan_lines(plan: Plan) -> list[tuple[str, str]]:
    """A plan as a list of names and values."""
    rules = plan.rules
    lines = [
        (gettext("Seating"), text.method_of(plan)),
        (gettext("Rounds"), str(rules.rounds)),
        (gettext("Deals in a round"), str(rules.deals)),
    ]
    if not (plan.online and plan.online.fill) and plan.method != "knock-out":
        lines.append((gettext("Odd numbers"), in_a_row(text.odd(each) for each in plan.odd) or "–"))
    if plan.third:
        lines.append((gettext("Third place"), gettext("the losers of the semi-finals play for it")))
    if plan.minutes:
        time = ngettext("%(number)s minute", "%(number)s minutes", plan.minutes) % {"number": plan.minutes}
        last = gettext("%(time)s, no new deal in the last %(last)s") % {"time": time, "last": plan.last_deal}
        lines.append((gettext("Time of a round"), last if plan.last_deal else time))
    lines += [
        (gettext("Ranking"), in_a_row(club_text.criterion(code).name for code in rules.tie_breaks)),
        (gettext("If a sum is wrong"), club_text.choice("wrong_sum", rules.wrong_sum)),
    ]
    if not plan.online:
        lines.append(
            (
                gettext("Sheets"),
                gettext("confirmed by the other side")
                if plan.confirm
                else gettext("count as soon as they are handed in"),
            )
        )
    lines += online_lines(plan)
    if rules.dropped:
        dropped = ngettext("the worst round does not count", "the %(number)s worst rounds do not count", rules.dropped)
        lines.append((gettext("Dropped"), dropped % {"number": rules.dropped}))
    return lines


def standing_status(status: str) -> str:
    """The status of an entrant in the ranking (`domain.standings.ranking`), in words."""
    return {
        "ranked": "",
        "after": gettext("left early: listed after all who stayed"),
        "out": gettext("not ranked: left early, or played too few rounds"),
    }[status]


def problem(code: str, facts: dict[str, int]) -> str:
    """A problem at a table (`domain.standings.rounds.Problem`), in words."""
    return {
        "wrong-sum": gettext(
            "Deal %(deal)s adds up to %(found)s instead of %(expected)s: the table does not count yet."
        ),
        "too-many-deals": gettext(
            "%(found)s deals are written, %(expected)s are to be played: the table does not count yet."
        ),
        "split": gettext("Deal %(deal)s adds up to %(found)s instead of %(expected)s: the difference is shared."),
        "struck": gettext("Deal %(deal)s adds up to %(found)s instead of %(expected)s: it counts for nobody."),
    }[code] % facts


Data = Mapping[str, Any]


class Teller:
    """Puts the events of a tournament into sentences, with names and tables as in `state`."""

    def __init__(self, state: State, names: Names) -> None:
        self.state, self.names = state, names

    def told(self, row: TournamentEvent) -> str:
        sentence = _SENTENCES.get(row.kind)
        if sentence is None:
            return row.kind
        if isinstance(sentence, tuple):
            usual, field, other = sentence
            sentence = other if row.data.get(field) else usual
        elif callable(sentence):
            sentence = sentence(self, row.data)
        return sentence % _Facts(self, row.data)

    def by(self, row: TournamentEvent) -> str:
        what, _colon, rest = row.by.partition(":")
        if what == "table":
            return gettext("at the table")
        if what == "person":
            return self.names.person(rest)
        if row.player is not None:
            name = row.player.display_name
            return gettext("%(name)s, at the door") % {"name": name} if what == "door" else name
        return {"door": gettext("at the door"), "site": gettext("the site")}.get(
            what, gettext("somebody who has no account here")
        )

    # what events name

    def entrant(self, data: Data, field: str = "id") -> str:
        entrant = self.state.entrants.get(str(data.get(field, "")))
        return self.names.entrant(entrant) or self._merged(entrant.merged_into) if entrant else "?"

    def _merged(self, id: str) -> str:
        entrant = self.state.entrants.get(id)
        return self.names.entrant(entrant) if entrant else "?"

    def round(self, key: str) -> str:
        """ "round 3", with its phase if there are several."""
        phase, _dot, number = key.partition(".")
        part = self.state.phase(int(phase)) if phase.isdecimal() else None
        if part is None or len(self.state.phases) == 1:
            return gettext("round %(number)s") % {"number": number}
        return gettext("round %(number)s of “%(phase)s”") % {"number": number, "phase": text.phase_name(part)}

    def table(self, data: Data) -> str:
        """ "table 4, round 2"."""
        round, _dot, number = str(data.get("table", "")).rpartition(".")
        return gettext("table %(table)s, %(round)s") % {"table": number, "round": self.round(round)}

    def phase(self, data: Data) -> str:
        phase = self.state.phase(int(data.get("phase", 0)))
        return text.phase_name(phase) if phase else "?"


class _Facts(dict[str, Any]):
    """The placeholders of a sentence: entrants, table, round, phase and scores in words, else the data of the event."""

    def __init__(self, teller: Teller, data: Data) -> None:
        super().__init__()
        self.teller, self.data = teller, data

    def __missing__(self, name: str) -> Any:
        in_words = _FACTS.get(name)
        return in_words(self.teller, self.data) if in_words else self.data.get(name, "")


def _who(teller: Teller, data: Data) -> str:
    if "amount" in data:
        return teller.entrant(data, "who") if data.get("who") else str(data.get("note", ""))
    if "who" in data:
        return in_a_row(teller.entrant({"id": id}) for id in data["who"])
    if "members" in data and "id" not in data:
        return in_a_row(map(teller.names.person, data["members"]))
    penalty = teller.state.penalties.get(str(data.get("id", "")))
    return teller.entrant({"id": penalty.entrant} if penalty else data, "entrant" if "entrant" in data else "id")


def _round(teller: Teller, data: Data) -> str:
    round = data.get("round")
    return teller.round(round if isinstance(round, str) else f"{data.get('phase')}.{round}")


def _when(teller: Teller, data: Data) -> str:
    return date_format(timezone.localtime(datetime.fromisoformat(str(data["deadline"]))), "DATETIME_FORMAT")


def _of_penalty(name: str) -> Callable[[Teller, Data], object]:
    """The points or match points that a penalty takes: as given, else by the house rules."""

    def value(teller: Teller, data: Data) -> object:
        phase = teller.state.phase(int(data["phase"]))
        kinds = phase.plan.rules.penalties if phase else ()
        kind = next((each for each in kinds if data.get("code") and each.code == data["code"]), None)
        return data.get(name, getattr(kind, name, 0))

    return value


def _scores(scores: Any) -> str:
    return " : ".join(map(with_minus, scores))


_FACTS: Final[Mapping[str, Callable[[Teller, Data], object]]] = {
    "who": _who,
    "table": Teller.table,
    "round": _round,
    "phase": Teller.phase,
    "scores": lambda teller, data: _scores(data.get("scores", ())),
    "lines": lambda teller, data: ", ".join(_scores(each.get("scores", ())) for each in data.get("lines", ())),
    "reason": lambda teller, data: data.get("reason", data.get("despite", "")),
    "new": lambda teller, data: teller.names.person(data["new"]),
    "old": lambda teller, data: teller.names.person(data["old"]),
    "pairs": lambda teller, data: "; ".join(teller.entrant({"id": pair[0]}) for pair in data["pairs"]),
    "order": lambda teller, data: ", ".join(teller.entrant({"id": each}) for each in data["order"]),
    "number": lambda teller, data: len(data.get("prizes", ())),
    "when": _when,
    "points": _of_penalty("points"),
    "match": _of_penalty("match"),
    "what": lambda teller, data: club_text.choice("till", str(data["kind"])),
    "amount": lambda teller, data: money.money_text(int(data["amount"])),
}
"""The placeholders that are not just a field of the event."""


def _money(teller: Teller, data: Data) -> Promise | str:
    who = data.get("who") or data.get("note")
    return _("Till: %(what)s, %(amount)s, %(who)s.") if who else _("Till: %(what)s, %(amount)s.")


def _clock(teller: Teller, data: Data) -> Promise | str:
    return {
        "start": _("The clock of %(round)s was started."),
        "pause": _("The clock of %(round)s was stopped for a while."),
        "go-on": _("The clock of %(round)s goes on."),
        "add": _("The time of %(round)s was changed by %(minutes)s minutes."),
        "stop": _("The clock of %(round)s was taken away."),
    }[str(data["act"])]


def _overdue(teller: Teller, data: Data) -> Promise | str:
    if data.get("how") == "postponed":
        return _("%(table)s is late; it counts when it comes.")
    return _("%(table)s is forfeited by %(who)s.")


Sentence = Promise | str
_SENTENCES: Final[Mapping[str, Sentence | tuple[Sentence, str, Sentence] | Callable[[Teller, Data], Sentence]]] = {
    "tournament.planned": _("The plan was written."),
    "tournament.opened": _("The door was opened, and all draws were promised."),
    "tournament.reopened": _("The tournament was opened again: %(reason)s."),
    "season.loaded": _("Earlier evenings were loaded, for who sat with whom."),
    "entrant.changed": _("Something about %(who)s was changed."),
    "entrant.arrived": _("%(who)s is here."),
    "entrant.not-arrived": _("%(who)s is not here after all."),
    "entrant.left": _("%(who)s has left."),
    "entrant.withdrawn": _("%(who)s is not coming."),
    "entrant.paused": (_("%(who)s sits out the next round."), "off", _("%(who)s plays the next round after all.")),
    "pair.parted": _("The pair of %(who)s was parted."),
    "apart.set": _("It was changed who is to be kept apart."),
    "phase.changed": _("The plan of “%(phase)s” was changed: %(reason)s."),
    "phase.finished": (_("“%(phase)s” is finished."), "off", _("“%(phase)s” goes on after all.")),
    "phase.dropped": _("A part in which nothing had been drawn was taken away again."),
    "round.promised": _("The draw of %(round)s was promised."),
    "round.drawn": _("The draw of %(round)s was made."),
    "draw.undone": _("The draw of %(round)s was undone: %(reason)s."),
    "round.arranged": _("Seats of %(round)s were changed by hand: %(reason)s."),
    "round.published": _("The seating of %(round)s was published."),
    "round.closed": (_("Closed: %(round)s."), "off", _("Opened again: %(round)s.")),
    "boards.laid": _("The deals of %(round)s were promised."),
    "table.begun": _("The game of %(table)s was set up."),
    "table.abandoned": _("The game of %(table)s was called off: %(reason)s."),
    "table.reported": _("The game of %(table)s is over: %(lines)s."),
    "deal.entered": _("Deal %(deal)s, %(table)s: %(scores)s."),
    "deal.erased": _("Deal %(deal)s, %(table)s, was erased."),
    "table.handed-in": _("The sheet of %(table)s was handed in."),
    "table.taken-back": _("The sheet of %(table)s was taken back."),
    "table.confirmed": _("The sheet of %(table)s was confirmed."),
    "table.disputed": _("The sheet of %(table)s is disputed; the other side has: %(lines)s. %(note)s"),
    "table.reopened": _("The sheet of %(table)s was opened again: %(reason)s."),
    "key.renewed": _("The codes of %(table)s were renewed."),
    "table.noted": _("Remark on %(table)s: %(note)s"),
    "money.cancelled": _("An entry of the till was cancelled: %(reason)s."),
    "till.counted": _("The till was counted."),
    "prize.handed": (_("%(who)s got a prize."), "off", _("The prize of %(who)s was taken back.")),
    "screen.told": (_("The line on the screen was taken away."), "text", _("The screen says: %(text)s")),
    "hall-key.renewed": _("A code of the hall was renewed."),
    "tournament.closed": (
        _("The tournament was closed; the ranking is final."),
        "despite",
        _("The tournament was closed all the same: %(reason)s."),
    ),
    "entrant.added": (_("%(who)s entered."), "here", _("%(who)s came in and entered.")),
    "entrant.substituted": _("%(new)s plays for %(old)s."),
    "pairs.made": _("Pairs were made: %(pairs)s."),
    "phase.started": (_("The rounds began."), "name", _("“%(name)s” began.")),
    "clock.set": _clock,
    "deadline.set": _("The deadline of %(round)s is %(when)s now: %(reason)s."),
    "table.overdue": _overdue,
    "house.filled": ngettext_lazy(
        "%(count)s computer player fills up the tables.", "%(count)s computer players fill up the tables.", "count"
    ),
    "table.settled": (
        _("The desk wrote %(table)s: %(lines)s."),
        "reason",
        _("The desk wrote %(table)s: %(lines)s (%(reason)s)."),
    ),
    "penalty.given": _("%(who)s: penalty of %(points)s points and %(match)s match points: %(reason)s."),
    "penalty.cancelled": _("The penalty of %(who)s was cancelled: %(reason)s."),
    "lot.drawn": (_("Cut by hand: %(order)s."), "seed", _("Lots were drawn; the order is: %(order)s.")),
    "money.entered": _money,
    "prizes.set": ngettext_lazy("%(number)s prize was set.", "%(number)s prizes were set.", "number"),
}
"""The sentence for each kind of event.

A triple is a sentence, a field, and the sentence if the event has that field.
"""
KINDS: Final = frozenset(_SENTENCES)
"""Every kind of event, since all have a sentence."""
