"""A tournament as data to download: results with every criterion, and everything that was drawn, for anybody to check.

The format is JSON, described by `results.schema.json` and in docs/results.md. Everybody gets the same data except
names, which are as the reader may see them. The director's own words (reasons, remarks) are only in the file for people
who run the tournament, because they can name people.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, cast

from django.conf import settings
from django.urls import reverse

from domain.seating import files
from domain.standings import profile
from domain.standings.ranking import Row
from domain.tournament import drawing
from domain.tournament.events import Event, apply
from domain.tournament.payload import Plain
from domain.tournament.scoring import standing_of
from domain.tournament.state import DRAFT, HERE, Entrant, Phase, Round, State, Table, dealer_of, sides_of
from tournaments.models import Tournament, TournamentEvent
from tournaments.online.selectors import shared_deals_of
from tournaments.publishing import base
from tournaments.publishing.travellers import travellers_of, two_places
from tournaments.read_models import Names, entrants, ranking_seen, sums_of
from tournaments.selectors import awards, event_of, state_of

FORMAT: Final = "troccas-results"
VERSION: Final = 2
OF_A_ROUND: Final = (
    "round", "kind", "table", "points", "match", "difference", "deals", "deals_won", "won", "dropped",
)  # fmt: skip
SCHEMA: Final = Path(__file__).with_name("results.schema.json")
FIRST_SCHEMA: Final = Path(__file__).with_name("results-1.schema.json")
"""The schema of version 1, which has no rounds played online."""


def results_as_data(tournament: Tournament, state: State, names: Names) -> dict[str, Plain]:
    """The whole tournament as `names.to` may see it, without unpublished rounds."""
    private = names.own_words
    return {
        "$schema": settings.SITE_URL + reverse("results-schema"),
        "format": FORMAT,
        "version": VERSION,
        "names": names.to,
        "tournament": _tournament(tournament, state),
        "entrants": [_entrant(each, names) for each in entrants(state)],
        "phases": [_phase(state, phase) for phase in state.phases],
        "rounds": [
            _round(state, round, names, private)
            for phase in state.phases
            for round in phase.rounds
            if round.status != DRAFT
        ],
        "ranking": _ranking(state, names),
        "penalties": _penalties(state, private),
        "lots": _lots(state, private),
        "prizes": [
            {**_fields(each, "code", "category", "amount", "thing"), "from_the_end": each.last} for each in state.prizes
        ],
        "awards": _awards(state),
        "travellers": _travellers(tournament, names),
    }


def results_as_json(tournament: Tournament, state: State, names: Names) -> bytes:
    return json.dumps(results_as_data(tournament, state, names), ensure_ascii=False, indent=1).encode()


def _fields(row: object, *names: str) -> dict[str, Plain]:
    found = {name: getattr(row, name) for name in names}
    return {name: list(value) if isinstance(value, tuple) else value for name, value in found.items()}


def _lots(state: State, private: bool) -> list[Plain]:
    return [
        {
            **_fields(lot, "seed"),
            "phase": phase,
            **_fields(lot, "order"),
            "label": lot.label if lot.seed or private else "",
        }
        for phase, lot in state.lots
    ]


def _tournament(tournament: Tournament, state: State) -> dict[str, Plain]:
    return {
        "id": tournament.public_id,
        "name": tournament.name,
        "club": tournament.club.name,
        "place": tournament.place,
        "starts": tournament.starts.isoformat(),
        "ends": tournament.ends.isoformat() if tournament.ends else None,
        "status": str(tournament.status),
        "url": base.absolute("home", tournament),
        "commitment": state.commitment,
        "event": state.number,
    }


def _entrant(entrant: Entrant, names: Names) -> dict[str, Plain]:
    return {
        "id": entrant.id,
        "name": names.entrant(entrant),
        "people": [names.person(person) for person in entrant.members],
        **_fields(entrant, "status", "categories", "house"),
    }


def _phase(state: State, phase: Phase) -> dict[str, Plain]:
    standing = standing_of(state, phase)
    return {
        **_fields(phase, "number", "name", "after"),
        "carries_on": phase.carry,
        "finished": phase.finished,
        "final": standing.final or phase.finished or (state.closed and not standing.open),
        **_fields(phase.plan, "kind", "method"),
        "rules": profile.to_plain(phase.plan.rules),
        "criteria": list(phase.plan.rules.tie_breaks),
        "standings": [_row(row) for row in standing.rows],
        "online": _fields(phase.plan.online, "days", "duplicate", "fill") if phase.plan.online else None,
    }


def _row(row: Row) -> dict[str, Plain]:
    return {
        **_fields(row, "rank", "shared", "entrant", "status"),
        **_fields(row.sheet, "penalty_points", "penalty_match"),
        "values": dict(row.values),
        "rounds": [_fields(each, *OF_A_ROUND) for each in row.sheet.rounds],
    }


def _round(state: State, round: Round, names: Names, private: bool) -> dict[str, Plain]:
    return {
        **_fields(round, "key", "phase", "number", "status", "byes"),
        "changed_by_hand": len(round.by_hand),
        "reasons": list(round.by_hand) if private else [],
        "tables": [_table(state, table, names, private) for _, table in sorted(round.tables.items())],
        "deadline": round.deadline or None,
        "boards": [
            {"number": each.number, "commitment": each.commitment, "open": each.is_open}
            for each in (shared_deals_of(round).deals if round.board_set else ())
        ],
    }


def _table(state: State, table: Table, names: Names, private: bool) -> dict[str, Plain]:
    return {
        **_fields(table, "number", "ruleset", "state"),
        "deal_total": table.total,
        "deals_planned": table.deals,
        "cut_short": table.short,
        "seats": [
            {
                "place": place,
                "entrant": owner,
                "name": names.person(person),
                "substitute": person not in state.entrants[owner].members,
            }
            for place, (person, owner) in enumerate(zip(state.named(table), table.owners, strict=True))
        ],
        "sides": [list(side) for side in table.sides],
        "sums": list(sums_of(table)),
        "deals": [
            {
                "number": number,
                "dealer": dealer_of(table, number),
                "sides": [list(side) for side in sides_of(table, number)],
                "scores": list(line.scores),
                "of": line.of,
                "extra": line.extra,
            }
            for number, line in table.lines
        ],
        "corrections": [
            {"at": each.at, "kind": each.kind, "reason": each.reason if private else ""} for each in table.changes
        ],
        "game": settings.SITE_URL + reverse("games:table", args=[table.game]) if table.game else "",
        **_fields(table, "late", "forfeit"),
    }


def _ranking(state: State, names: Names) -> dict[str, Plain]:
    ranking = ranking_seen(state, names)
    return {
        "final": ranking.final,
        "places": [
            {**_fields(each, "rank", "shared", "entrant", "name", "phase", "status"), "values": dict(each.values)}
            for each in ranking.places
        ],
    }


def _penalties(state: State, private: bool) -> list[Plain]:
    return [
        {
            **_fields(each, "round", "entrant", "code", "points", "match"),
            "id": id,
            "phase": state.penalty_phase[id],
            "reason": each.reason if private else "",
            "cancelled": id in state.penalties_cancelled,
        }
        for id, each in state.penalties.items()
    ]


def _awards(state: State) -> list[Plain]:
    return [
        {
            "category": each.category,
            "entrant": each.id,
            **_fields(each, "codes", "amount", "things", "shared_with"),
        }
        for each in awards(state).given
    ]


def _travellers(tournament: Tournament, names: Names) -> list[Any]:
    """Open deals, even those whose tables have not reported yet: plain values, averages with two decimal places."""
    state = state_of(tournament)
    return [
        {
            "round": round.key,
            "deal": traveller.deal,
            "datum": [{"lane": lane, "points": two_places(mean)} for lane, mean in sorted(traveller.datum.items())],
            "tables": [
                {
                    "table": table.number,
                    "corrected": table.corrected,
                    "sides": [
                        {
                            "lane": side.lane,
                            "entrants": list(dict.fromkeys(person.entrant for person in side.people)),
                            "points": side.score,
                            "gain": side.gain,
                        }
                        for side in table.sides
                    ],
                }
                for table in traveller.tables
            ],
        }
        for round, traveller in travellers_of(state, names)
    ]


_PROMISED = ("format", "version", "engine", "commitment", "inputs")


@dataclass
class DrawMade:
    """A draw in the log. `file` contains only what is public: for a draft, only the promise."""

    phase: int
    round: int
    attempt: int
    promised_at: str
    drawn_at: str
    file: dict[str, Plain]
    status: str = DRAFT
    undone: dict[str, Plain] | None = None

    @property
    def key(self) -> str:
        """``1.2-1``: phase, round and attempt, as in file names."""
        return f"{self.phase}.{self.round}-{self.attempt}"

    def seen(self, *, private: bool) -> dict[str, Plain]:
        """The file; `private`: including the people whom the organiser wants to keep apart."""
        return self.file if private else files.without_wishes(self.file)

    @property
    def withheld(self) -> bool:
        """Whether the public file leaves something out."""
        return "withheld" in self.seen(private=False)

    @property
    def revealed(self) -> bool:
        """Whether the file can be checked."""
        return "seed" in self.file


@dataclass
class _DrawsOfLog:
    draws: list[DrawMade] = field(default_factory=list)
    pairs: list[Plain] = field(default_factory=list)
    promised: dict[int, str] = field(default_factory=dict)


def draws_as_data(tournament: Tournament, state: State, *, private: bool = False) -> dict[str, Plain]:
    """All draws in the form that `domain.tournament.drawing` checks, with the secret once the tournament is closed.

    `private`: including the director's own words, which can name people, and the people whom they want to keep apart.
    """
    log = _read(tournament, state)
    draws: list[Plain] = [
        {
            **_fields(each, "phase", "round", "attempt", "promised_at", "drawn_at", "status"),
            "file": each.seen(private=private),
            "undone": _undone(each, private),
        }
        for each in log.draws
    ]
    return {
        "format": drawing.FORMAT,
        "version": drawing.VERSION,
        "tournament": tournament.public_id,
        "commitment": state.commitment,
        "secret": bytes(tournament.draw_secret).hex() if state.closed else None,
        "draws": draws,
        "pairs": log.pairs,
        "lots": [
            {"phase": phase, "label": lot.label if lot.seed or private else "", **_fields(lot, "order", "seed")}
            for phase, lot in state.lots
        ],
    }


def draws_of(tournament: Tournament, state: State) -> list[DrawMade]:
    """All draws in the order in which they were made, including those that were undone."""
    return _read(tournament, state).draws


def _undone(draw: DrawMade, private: bool) -> Plain:
    if draw.undone is None:
        return None
    return {"at": draw.undone["at"], "reason": draw.undone["reason"] if private else ""}


def _read(tournament: Tournament, state: State) -> _DrawsOfLog:
    rows = TournamentEvent.objects.filter(tournament=tournament, number__lte=state.number).order_by("number")
    log = _walk(event_of(row) for row in rows.iterator(chunk_size=2000))
    for each in log.draws:
        phase = state.phases[each.phase - 1]
        round = phase.round(each.round)
        if each.undone is None and round is not None:
            each.status = round.status
        if each.undone is None and each.status == DRAFT:
            each.file = {name: each.file[name] for name in _PROMISED}
    return log


def _walk(events: Iterable[Event]) -> _DrawsOfLog:
    log, state = _DrawsOfLog(), State()
    for event in events:
        data = event.data
        if event.kind == "round.promised":
            log.promised[cast("int", data["phase"])] = event.at
        elif event.kind == "round.drawn":
            phase = cast("int", data["phase"])
            log.draws.append(
                DrawMade(
                    phase=phase,
                    round=cast("int", data["round"]),
                    attempt=cast("int", data["attempt"]),
                    promised_at=log.promised.get(phase, event.at),
                    drawn_at=event.at,
                    file=dict(cast("dict[str, Plain]", data["file"])),
                )
            )
        elif event.kind == "draw.undone":
            last = next(
                each
                for each in reversed(log.draws)
                if (each.phase, each.round) == (data["phase"], data["round"]) and each.undone is None
            )
            last.undone, last.status = {"at": event.at, "reason": data["reason"]}, "undone"
        elif event.kind == "pairs.made" and "attempt" in data:
            single: list[Plain] = [
                each.id for each in state.entrants.values() if each.status == HERE and len(each.members) == 1
            ]
            log.pairs.append({"attempt": data["attempt"], "at": event.at, "single": single, "pairs": data["pairs"]})
        state = apply(state, event)
    return log
