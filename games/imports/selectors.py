"""A record that somebody brought, looked back at: all its cards lie open, whatever its site may have hidden."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from domain.engine import Record
from domain.engine.hand import Hand
from domain.engine.record import hands_of, record_from
from games.imports.models import ImportedGame
from games.read_models import Chance, HandSheet, Overview, Replay, SittingThere
from games.selectors.replay import Opened, Sitter, part_of, replay_of

UNFINISHED = "unfinished"


def record_of(imported: ImportedGame) -> Record:
    return record_from(imported.record)


def record_of_hand(imported: ImportedGame, number: int) -> Record | None:
    """The record of one hand, with those before it that it hangs on; None for a hand the record does not have."""
    record = record_of(imported)
    return part_of(record, number) if 1 <= number <= len(record.hands) else None


def replay(imported: ImportedGame, number: int, step: int | None) -> Replay | None:
    """Hand `number` after `step` actions (None: its end); None for a hand the record does not have."""
    record = record_of(imported)
    if not 1 <= number <= len(record.hands):
        return None
    hands = hands_of(record)
    whole = hands[number - 1]
    proofs = record.proof if isinstance(record.proof, list) else []
    proof = proofs[number - 1] if number <= len(proofs) else None
    opened = Opened(
        public_id=imported.public_id,
        number=number,
        whole=whole,
        pack=record.hands[number - 1].pack,
        numbers=range(1, len(whole.history) + 1),
        sitters=[Sitter(name) for name in record.players],
        sheet=_sheet(number, whole),
        totals=tuple(_totals(hands[:number])),
        previous=number - 1 if number > 1 else None,
        following=number + 1 if number < len(hands) else None,
        chance=tuple(_chance(proof, record)) if isinstance(proof, dict) else (),
        proof=proof if isinstance(proof, dict) else None,
    )
    return replay_of(opened, step)


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
        sheets=tuple(_sheet(number, hand) for number, hand in enumerate(hands, 1)),
        totals=tuple(_totals(hands)),
        rappen="stake" in record.options,
        playing=False,
    )


def _sheet(number: int, hand: Hand) -> HandSheet:
    result, dealer = hand.result, hand.dealer
    if result is None:
        return HandSheet(number, dealer, UNFINISHED, (), (), open=True, parties=hand.parties)
    parties = result.parties or hand.parties
    return HandSheet(number, dealer, result.status, result.points, result.scores, open=True, parties=parties)


def _totals(hands: Sequence[Hand]) -> list[int]:
    totals = [0] * hands[0].seats
    for hand in hands:
        for seat, score in enumerate(hand.result.scores if hand.result is not None else ()):
            totals[seat] += score
    return totals


def _chance(proof: Mapping[str, object], record: Record) -> list[Chance]:
    """Whose browser added what; the record does not say who came to the table first, so seats are only counted."""
    given = proof.get("entropy")
    entropy = given.items() if isinstance(given, dict) else ()
    return [Chance(int(seat), str(int(seat) + 1), False, str(added)) for seat, added in entropy]
