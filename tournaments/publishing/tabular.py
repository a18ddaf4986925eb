"""The results as tables for a spreadsheet: each as CSV, or all of them as one workbook.

Numbers stay numbers. Text that a program could take for a formula is made harmless (`clubs.spreadsheets`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from django.conf import settings
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from clubs import text as club_text
from clubs.money import short_money
from clubs.spreadsheets import Cell, write_csv, write_xlsx
from clubs.text import game_name
from domain.tournament.state import CONFIRMED, DRAFT, State
from tournaments import text as tournaments_text
from tournaments.publishing.travellers import travellers_of, two_places
from tournaments.read_models import Names, RoundSeen, entrants, phase_seen, ranking_seen, round_seen
from tournaments.registration.services import till_entries as money_of
from tournaments.selectors import awards, state_of


@dataclass(frozen=True, slots=True)
class Sheet:
    """A table: its title, the heads of its columns, and its rows."""

    title: str
    heads: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]


def ranking(state: State, names: Names) -> Sheet:
    """The ranking over all phases, with every criterion."""
    seen = ranking_seen(state, names)
    criteria = list(dict.fromkeys(code for phase in state.phases for code in phase.plan.rules.tie_breaks))
    heads = (_("Rank"), _("Name"), _("Part"), *(club_text.criterion(code).name for code in criteria))
    rows = [
        (
            *(each.rank or "–", each.name, phase_name(state, each.phase)),
            *(_value(code, dict(each.values).get(code)) for code in criteria),
        )
        for each in seen.places
    ]
    return Sheet(_("Ranking"), heads, tuple(rows))


def rounds(state: State, names: Names) -> Sheet:
    heads = (
        *(
            _("Part"),
            _("Round"),
            _("Name"),
            pgettext("game", "Table"),
            _("What"),
            _("Points"),
            _("Match points"),
            _("Difference"),
        ),
        *(_("Deals"), _("Deals won"), _("Dropped")),
    )
    rows = [
        (
            *(phase_name(state, phase.number), each.round, place.name, each.table or None),
            *(club_text.choice("kind", each.kind), each.points, each.match, each.difference),
            *(each.deals, each.deals_won, _("yes") if each.dropped else ""),
        )
        for phase in state.phases
        for place in phase_seen(state, phase, names).places
        for each in place.row.sheet.rounds
    ]
    return Sheet(_("Rounds"), heads, tuple(rows))


def deals(state: State, names: Names) -> Sheet:
    """Every line of every sheet: who played with whom, and the points of each side."""
    heads = (
        *(
            _("Part"),
            _("Round"),
            pgettext("game", "Table"),
            _("Game"),
            _("State"),
            _("Deal"),
            _("Dealer"),
            _("Deals in this line"),
        ),
        *(_("Side"), _("Points")),
    )
    rows = [
        (
            *(phase_name(state, round.phase), round.number, table.number, game_name(table.ruleset)),
            *(tournaments_text.table_state(table.state), deal.number, deal.dealer, deal.line.of),
            *(" & ".join(side), score),
        )
        for round in published(state, names)
        for table in round.tables
        for deal in table.sheet
        if deal.line is not None
        for side, score in zip(deal.sides, deal.line.scores, strict=True)
    ]
    return Sheet(_("Deals"), heads, tuple(rows))


def tables(state: State, names: Names) -> Sheet:
    """Every table of the online rounds: its game, its state and its deadline."""
    heads = (
        *(_("Part"), _("Round"), pgettext("game", "Table"), _("Who"), _("State"), _("Deadline"), _("Game")),
        _("Forfeited by"),
    )
    rows: list[tuple[Cell, ...]] = []
    for phase in state.phases:
        for round in phase.rounds:
            if round.status == DRAFT or phase.plan.online is None:
                continue
            for number, table in sorted(round.tables.items()):
                who = " & ".join(names.person(person) for person in state.named(table))
                stands = (
                    _("late") if table.late and table.state != CONFIRMED else tournaments_text.table_state(table.state)
                )
                game = settings.SITE_URL + reverse("games:table", args=[table.game]) if table.game else ""
                lost = ", ".join(names.entrant(state.entrants[id]) for id in table.forfeit)
                rows.append(
                    (phase_name(state, phase.number), round.number, number, who, stands, round.deadline, game, lost)
                )
    return Sheet(_("Online tables"), heads, tuple(rows))


def travellers(state: State, names: Names) -> Sheet:
    """The result of every table in each open deal, for rounds in which all tables play the same deals."""
    heads = (
        *(_("Part"), _("Round"), _("Deal"), pgettext("game", "Table"), _("Who"), _("Cards from the dealer")),
        *(_("Points"), _("Datum"), _("Gain"), _("Corrected")),
    )
    rows = [
        (
            *(phase_name(state, round.phase), round.number, traveller.deal, table.number),
            *(" & ".join(person.name for person in side.people), side.lane, side.score),
            *(two_places(traveller.datum[side.lane]), side.gain, _("yes") if table.corrected else ""),
        )
        for round, traveller in travellers_of(state_of(names.tournament), names)
        for table in traveller.tables
        for side in table.sides
    ]
    return Sheet(_("Travellers"), heads, tuple(rows))


def people(state: State, names: Names) -> Sheet:
    rows = [
        (each.id, names.entrant(each), tournaments_text.entrant_state(each.status), ", ".join(each.categories))
        for each in entrants(state)
    ]
    return Sheet(_("Entrants"), (_("Number"), _("Name"), _("State"), _("Categories")), tuple(rows))


def penalties(state: State, names: Names) -> Sheet:
    """The penalties that count; people who run the tournament also see the reasons."""
    heads = (_("Part"), _("Round"), _("Name"), _("Points"), _("Match points"), _("Reason"))
    rows = [
        (
            *(phase_name(state, state.penalty_phase[id]), each.round or None),
            *(names.entrant(state.entrants[each.entrant]), each.points, each.match),
            each.reason if names.own_words else each.code,
        )
        for id, each in state.penalties.items()
        if id not in state.penalties_cancelled
    ]
    return Sheet(_("Penalties"), heads, tuple(rows))


def prizes(state: State, names: Names) -> Sheet:
    rows = [
        (
            each.category,
            names.entrant(state.entrants[each.id]),
            short_money(each.amount) if each.amount else "",
            ", ".join(each.things),
        )
        for each in awards(state).given
    ]
    return Sheet(_("Prizes"), (_("Category"), _("Name"), _("Money"), _("Thing")), tuple(rows))


def till(state: State, names: Names) -> Sheet:
    """The treasurer's entries, also cancelled ones, for people who run the tournament."""
    heads = (_("Number"), _("What"), _("In (CHF)"), _("Out (CHF)"), _("Who"), _("Note"), _("Cancelled because"))
    rows: list[tuple[Cell, ...]] = []
    for each in money_of(state):
        who = state.entrants.get(each.who)
        amount = f"{each.amount // 100}.{each.amount % 100:02}"
        comes_in = each.kind in ("fee", "deposit", "income")
        rows.append(
            (
                *(each.id, club_text.choice("till", each.kind), amount if comes_in else "", "" if comes_in else amount),
                *(names.entrant(who) if who else each.who, each.note, state.money_cancelled.get(each.id, "")),
            )
        )
    return Sheet(_("Till"), heads, tuple(rows))


def all_sheets(state: State, names: Names) -> list[Sheet]:
    """All tables of the results, in the order of the workbook."""
    sheets = [make(state, names) for name, make in FILES.items() if name not in ONLINE]
    return sheets + [sheet for name in ONLINE if (sheet := FILES[name](state, names)).rows]


def as_csv(sheet: Sheet) -> bytes:
    """One table as CSV, in the form that spreadsheets here expect."""
    return write_csv([sheet.heads, *sheet.rows])


def as_xlsx(sheets: Iterable[Sheet]) -> bytes:
    return write_xlsx((each.title, [each.heads, *each.rows]) for each in sheets)


def phase_name(state: State, number: int) -> str:
    """The name of a part; empty if it is the only one and has no name."""
    phase = state.phases[number - 1]
    return tournaments_text.phase_name(phase) if phase.name or len(state.phases) > 1 else ""


def published(state: State, names: Names) -> list[RoundSeen]:
    """The published rounds, the first one first."""
    return [
        round_seen(state, round, names) for phase in state.phases for round in phase.rounds if round.status != DRAFT
    ]


def _value(code: str, number: int | None) -> Cell:
    """A number unchanged; an average, which is stored in thousandths, as people read it."""
    return club_text.criterion_value(code, number) if code in club_text.AVERAGES and number is not None else number


FILES: Final[Mapping[str, Callable[[State, Names], Sheet]]] = {
    "ranking": ranking,
    "rounds": rounds,
    "deals": deals,
    "entrants": people,
    "penalties": penalties,
    "prizes": prizes,
    "tables": tables,
    "travellers": travellers,
}
"""The tables that can be downloaded one by one, by the names of their files."""
ONLINE: Final = ("tables", "travellers")
"""The tables that only online rounds have: a workbook contains them only if they are not empty."""
