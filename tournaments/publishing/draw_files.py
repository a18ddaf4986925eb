"""What was drawn in a tournament, as files that anybody can check: one for each draw, and one for the whole evening."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import cast

from domain.tournament.events import Event, apply
from domain.tournament.payload import Plain
from domain.tournament.state import DRAFT, HERE, State
from domain.tournament.verify import FORMAT, VERSION
from tournaments.models import Tournament, TournamentEvent
from tournaments.selectors import event_of

_PROMISED = ("format", "version", "engine", "commitment", "inputs")


@dataclass
class DrawMade:
    """A draw of the log. `file` holds no more than may be known: of a draft the promise only."""

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
        """``1.2-1``: phase, round, attempt, as file names have it."""
        return f"{self.phase}.{self.round}-{self.attempt}"

    @property
    def revealed(self) -> bool:
        """Whether the file can be checked."""
        return "seed" in self.file


@dataclass
class _Made:
    draws: list[DrawMade] = field(default_factory=list)
    pairs: list[Plain] = field(default_factory=list)
    promised: dict[int, str] = field(default_factory=dict)


def whole(tournament: Tournament, state: State, *, private: bool = False) -> dict[str, Plain]:
    """Everything, as `domain.tournament.verify` checks it; the secret is in it once the tournament is closed.

    `private`: with what the desk wrote in its own words, which may name people.
    """
    made = _read(tournament, state)
    draws: list[Plain] = [
        {
            "phase": each.phase,
            "round": each.round,
            "attempt": each.attempt,
            "promised_at": each.promised_at,
            "drawn_at": each.drawn_at,
            "status": each.status,
            "undone": _undone(each, private),
            "file": each.file,
        }
        for each in made.draws
    ]
    return {
        "format": FORMAT,
        "version": VERSION,
        "tournament": tournament.public_id,
        "commitment": state.commitment,
        "secret": bytes(tournament.draw_secret).hex() if state.closed else None,
        "draws": draws,
        "pairs": made.pairs,
        "lots": [
            {
                "phase": phase,
                "label": lot.label if lot.seed or private else "",
                "order": list(lot.order),
                "seed": lot.seed,
            }
            for phase, lot in state.lots
        ],
    }


def draws_of(tournament: Tournament, state: State) -> list[DrawMade]:
    """Every draw in the order in which it was made, those that were undone among them."""
    return _read(tournament, state).draws


def _undone(draw: DrawMade, private: bool) -> Plain:
    if draw.undone is None:
        return None
    return {"at": draw.undone["at"], "reason": draw.undone["reason"] if private else ""}


def _read(tournament: Tournament, state: State) -> _Made:
    rows = TournamentEvent.objects.filter(tournament=tournament, number__lte=state.number).order_by("number")
    made = _walk(event_of(row) for row in rows.iterator(chunk_size=2000))
    for each in made.draws:
        phase = state.phases[each.phase - 1]
        round = phase.round(each.round)
        if each.undone is None and round is not None:
            each.status = round.status
        if each.undone is None and each.status == DRAFT:
            each.file = {name: each.file[name] for name in _PROMISED}
    return made


def _walk(events: Iterable[Event]) -> _Made:
    made, state = _Made(), State()
    for event in events:
        data = event.data
        if event.kind == "round.promised":
            made.promised[cast("int", data["phase"])] = event.at
        elif event.kind == "round.drawn":
            phase = cast("int", data["phase"])
            made.draws.append(
                DrawMade(
                    phase=phase,
                    round=cast("int", data["round"]),
                    attempt=cast("int", data["attempt"]),
                    promised_at=made.promised.get(phase, event.at),
                    drawn_at=event.at,
                    file=dict(cast("dict[str, Plain]", data["file"])),
                )
            )
        elif event.kind == "draw.undone":
            last = next(
                each
                for each in reversed(made.draws)
                if (each.phase, each.round) == (data["phase"], data["round"]) and each.undone is None
            )
            last.undone, last.status = {"at": event.at, "reason": data["reason"]}, "undone"
        elif event.kind == "pairs.made" and "attempt" in data:
            single: list[Plain] = [
                each.id for each in state.entrants.values() if each.status == HERE and len(each.members) == 1
            ]
            made.pairs.append({"attempt": data["attempt"], "at": event.at, "single": single, "pairs": data["pairs"]})
        state = apply(state, event)
    return made
