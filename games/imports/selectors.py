"""The replay of an imported record, with all cards open, whatever its site may have hidden."""

from __future__ import annotations

from domain.engine import Record
from domain.engine.record import hands_of, record_from
from games.imports.models import ImportedGame
from games.read_models import Overview, Replay, SittingThere
from games.selectors.replay import part_of, replay_of_record, sheets_of_recorded, totals_of


def record_of(imported: ImportedGame) -> Record:
    return record_from(imported.record)


def record_of_hand(imported: ImportedGame, number: int) -> Record | None:
    """The record of one hand, with the earlier hands on which it depends; None if the record has no such hand."""
    record = record_of(imported)
    return part_of(record, number) if 1 <= number <= len(record.hands) else None


def replay(imported: ImportedGame, number: int, step: int | None) -> Replay | None:
    """Hand `number` after `step` actions (None: its end); None if the record has no such hand."""
    return replay_of_record(record_of(imported), number, step, imported.public_id)


def overview(imported: ImportedGame) -> Overview:
    """All hands of the record with their scores."""
    record = record_of(imported)
    hands = hands_of(record)
    return Overview(
        public_id=imported.public_id,
        ruleset=record.ruleset.id,
        viewer=None,
        seats=tuple(SittingThere(seat, name) for seat, name in enumerate(record.players)),
        parties=record.ruleset.parties(record.ruleset.sides),
        sheets=sheets_of_recorded(hands),
        totals=tuple(totals_of(hands)),
        rappen="stake" in record.options,
        playing=False,
    )
