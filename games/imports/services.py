"""Reading an imported record: its limits, and whether all of it follows the rules; and storing it. Records are only
written and deleted here."""

from __future__ import annotations

import hashlib
import json
import unicodedata
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Final

from django.db import IntegrityError, transaction
from django.db.models import QuerySet
from django.utils import timezone

from accounts.models import Player
from domain.engine import Record, RecordError
from domain.engine.actions import SAY, parse_line
from domain.engine.hand import Hand
from domain.engine.record import Json, RecordedHand, hands_of, record_from
from domain.engine.shuffle import Proof
from games.imports.models import ImportedGame

LARGEST: Final = 128 * 1024  # bytes; a game of four hands has about eight thousand
DEEPEST: Final = 12
MOST_VALUES: Final = 20_000
MOST_HANDS: Final = 40
MOST_ACTIONS: Final = 400  # of one hand; the longest possible has about two hundred
LONGEST_NAME: Final = 40

_UNSEEN: Final = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})


@dataclass(frozen=True, slots=True)
class ValidRecord:
    """A valid record in the form in which it is stored, with its digest and its hands at their end."""

    record: Record
    digest: str
    hands: tuple[Hand, ...]


def read_record(text: str | bytes) -> ValidRecord:
    """Parse and check a record. Raises RecordError, which names the hand and the action at fault.

    Whatever is not part of the format is left out, and also the free words of players, which were meant for their own
    table.
    """
    content = text.encode(errors="surrogatepass") if isinstance(text, str) else text
    if len(content) > LARGEST:
        raise RecordError("the record is too long", "large")
    try:
        data = json.loads(text, parse_constant=_no_number)
    except (ValueError, RecursionError) as error:
        raise RecordError(f"not JSON: {error}", "json") from None
    _measure(data)
    record = record_from(data)
    if not record.hands:
        raise RecordError("the record has no hand", "empty")
    if len(record.hands) > MOST_HANDS:
        raise RecordError(f"more than {MOST_HANDS} hands", "many", what=str(MOST_HANDS))
    for number, hand in enumerate(record.hands, 1):
        if len(hand.actions) > MOST_ACTIONS:
            raise RecordError(f"hand {number}: more than {MOST_ACTIONS} actions", "long", hand=number)
    hands = tuple(hands_of(record))
    cleaned = replace(
        record,
        players=tuple(_name(name, seat) for seat, name in enumerate(record.players)),
        hands=tuple(replace(hand, actions=_without_words(hand)) for hand in record.hands),
        events=None,
        proof=_proofs(record),
        extra={},
    )
    return ValidRecord(cleaned, _digest(cleaned.to_json()), hands)


def _without_words(hand: RecordedHand) -> tuple[str, ...]:
    """The actions without free words; the fixed phrases stay."""
    lines = (_silent(line) if '"' in line else line for line in hand.actions)
    return tuple(line for line in lines if line)


def _silent(line: str) -> str:
    """The line without its free words; empty if it had nothing else."""
    seat, action = parse_line(line)
    if action.verb == SAY and not action.said:
        return ""
    return f"{seat} {replace(action, words='')}"


def _proofs(record: Record) -> Json:
    """One proof for each hand, None for hands without a valid one; None if no hand has one."""
    data = record.proof if isinstance(record.proof, list) else []
    proofs = [_proof(data[index]) if index < len(data) else None for index in range(len(record.hands))]
    return list(proofs) if any(proof is not None for proof in proofs) else None


def _proof(data: Json) -> Json:
    try:
        proof: dict[str, Json] = Proof.from_json(data).to_json()
    except ValueError:
        return None
    return proof


def _no_number(text: str) -> float:
    raise ValueError(f"{text} is no number")


def _measure(data: object) -> None:
    """Raise RecordError for data that is nested too deeply or has too many parts.

    Called before anything else reads it.
    """
    waiting = [(data, 1)]
    values = 0
    while waiting:
        part, depth = waiting.pop()
        values += 1
        if depth > DEEPEST or values > MOST_VALUES:
            raise RecordError("the record is nested too deeply or has too many parts", "large")
        if isinstance(part, dict):
            waiting += [(value, depth + 1) for value in part.values()]
        elif isinstance(part, list):
            waiting += [(value, depth + 1) for value in part]


def _name(name: str, seat: int) -> str:
    """A player's name made fit for a page: one line of visible characters, or a number if nothing is left."""
    visible = "".join(" " if unicodedata.category(letter) in _UNSEEN else letter for letter in name[: LONGEST_NAME * 4])
    return " ".join(visible.split())[:LONGEST_NAME] or str(seat + 1)


def _digest(record: dict[str, Json]) -> str:
    return hashlib.sha256(json.dumps(record, sort_keys=True).encode()).hexdigest()


KEPT_AT_MOST: Final = 200
"""The greatest number of records that one player can keep."""
LOOKED_AT_FOR: Final = timedelta(days=1)
"""How long a record is stored that its owner does not keep."""


class TooMany(Exception):
    """The player already keeps as many records as allowed."""


def store(
    owner: Player, brought: ValidRecord, *, title: str = "", keep: bool, now: datetime | None = None
) -> ImportedGame:
    """Store a record at an address of its own, for good or for a day. Raises TooMany.

    The same record is only stored once: importing it again leads to the same address, and keeps it with `keep`.
    """
    moment = now or timezone.now()
    existing = _existing(owner, brought.digest)
    if existing is None and keep and kept_records(owner).count() >= KEPT_AT_MOST:
        raise TooMany
    until = None if keep else moment + LOOKED_AT_FOR
    if existing is None:
        try:
            with transaction.atomic():
                return ImportedGame.objects.create(
                    owner=owner,
                    title=title,
                    ruleset=brought.record.ruleset.id,
                    record=brought.record.to_json(),
                    digest=brought.digest,
                    hands=len(brought.hands),
                    keep_until=until,
                )
        except IntegrityError:  # imported twice at the same moment
            existing = ImportedGame.objects.get(owner=owner, digest=brought.digest)
    if existing.keep_until is not None:
        existing.keep_until = until
    existing.title = title or existing.title
    existing.save(update_fields=["keep_until", "title"])
    return existing


def keep(imported: ImportedGame) -> None:
    """Keep a record that would expire. Raises TooMany."""
    if imported.keep_until is not None:
        if kept_records(imported.owner).count() >= KEPT_AT_MOST:
            raise TooMany
        ImportedGame.objects.filter(pk=imported.pk).update(keep_until=None)


def delete(imported: ImportedGame) -> None:
    """Delete a record. Practice games that were begun from it stay."""
    imported.delete()


def forget(now: datetime) -> int:
    """Delete the records that have expired. Returns how many."""
    deleted, _by_model = ImportedGame.objects.filter(keep_until__lte=now).delete()
    return deleted


def kept_records(owner: Player) -> QuerySet[ImportedGame]:
    """The records that the player keeps, latest first."""
    return ImportedGame.objects.filter(owner=owner, keep_until__isnull=True).order_by("-created_at", "-pk")


def record_of(public_id: str, now: datetime | None = None) -> ImportedGame | None:
    """The record at this address; None if missing or expired."""
    imported = ImportedGame.objects.filter(public_id=public_id).select_related("owner").first()
    if imported is None or (imported.keep_until is not None and imported.keep_until <= (now or timezone.now())):
        return None
    return imported


def _existing(owner: Player, digest: str) -> ImportedGame | None:
    return ImportedGame.objects.filter(owner=owner, digest=digest).first()
