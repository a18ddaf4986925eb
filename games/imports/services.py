"""Reading a record that somebody brought: how much may be in it, and whether the rules agree with all of it. And keeping it: the only
place where records are written and deleted."""

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
class Read:
    """A record that can be looked at: as it will be kept, its digest, and its hands as they ended."""

    record: Record
    digest: str
    hands: tuple[Hand, ...]


def read_record(text: str | bytes) -> Read:
    """The record in what somebody pasted or sent. Raises RecordError, which names the hand and the action at fault.

    What is no part of the format is left out, and so are words that people said: they were said at their own table.
    """
    if len(text.encode(errors="surrogatepass") if isinstance(text, str) else text) > LARGEST:
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
    kept = replace(
        record,
        players=tuple(_name(name, seat) for seat, name in enumerate(record.players)),
        hands=tuple(replace(hand, actions=_without_words(hand)) for hand in record.hands),
        events=None,
        proof=_proofs(record),
        extra={},
    )
    return Read(kept, _digest(kept.to_json()), hands)


def _without_words(hand: RecordedHand) -> tuple[str, ...]:
    """The actions without what was said in free words; the phrases of the book stay."""
    return tuple(kept for line in hand.actions if (kept := line if '"' not in line else _silent(line)))


def _silent(line: str) -> str:
    """The line without its free words; empty if nothing is left."""
    seat, action = parse_line(line)
    if action.verb == SAY and not action.said:
        return ""
    return f"{seat} {replace(action, words='')}"


def _proofs(record: Record) -> Json:
    """One proof for each hand, None where there is none that can be checked; None if there is none at all."""
    given = record.proof if isinstance(record.proof, list) else []
    proofs = [_proof(given[at]) if at < len(given) else None for at in range(len(record.hands))]
    return list(proofs) if any(proof is not None for proof in proofs) else None


def _proof(given: Json) -> Json:
    try:
        proof: dict[str, Json] = Proof.from_json(given).to_json()
    except (ValueError, TypeError, KeyError, AttributeError):
        return None
    return proof


def _no_number(text: str) -> float:
    raise ValueError(f"{text} is no number")


def _measure(data: object) -> None:
    """Refuse what is nested too deeply or has too many parts, before anything looks into it. Raises RecordError."""
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
    """A player's name as it may stand on a page: one line of visible characters; a number where nothing is left."""
    seen = "".join(" " if unicodedata.category(letter) in _UNSEEN else letter for letter in name[: LONGEST_NAME * 4])
    return " ".join(seen.split())[:LONGEST_NAME] or str(seat + 1)


def _digest(record: dict[str, Json]) -> str:
    return hashlib.sha256(json.dumps(record, sort_keys=True).encode()).hexdigest()


KEPT_AT_MOST: Final = 200
"""Records of one player; who wants more deletes some."""
LOOKED_AT_FOR: Final = timedelta(days=1)
"""How long a record stays that is only looked at."""


class TooMany(Exception):
    """The player keeps as many records as one may."""


def bring(owner: Player, brought: Read, *, title: str = "", keep: bool, now: datetime | None = None) -> ImportedGame:
    """The record, at an address of its own: kept, or there for a day to be looked at. Raises TooMany.

    The same record is kept once: bringing it again leads to the same address, and keeps it if that is asked for now.
    """
    moment = now or timezone.now()
    known = _known(owner, brought.digest)
    if known is None and keep and kept(owner).count() >= KEPT_AT_MOST:
        raise TooMany
    until = None if keep else moment + LOOKED_AT_FOR
    if known is None:
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
        except IntegrityError:  # brought twice at the same moment
            known = ImportedGame.objects.get(owner=owner, digest=brought.digest)
    if known.keep_until is not None:
        known.keep_until = until
    known.title = title or known.title
    known.save(update_fields=["keep_until", "title"])
    return known


def keep(imported: ImportedGame) -> None:
    """Keep what was only to be looked at. Raises TooMany."""
    if imported.keep_until is not None:
        if kept(imported.owner).count() >= KEPT_AT_MOST:
            raise TooMany
        ImportedGame.objects.filter(pk=imported.pk).update(keep_until=None)


def forget(now: datetime) -> int:
    """Delete what was only to be looked at and has had its time; returns how many."""
    deleted, _by_model = ImportedGame.objects.filter(keep_until__lte=now).delete()
    return deleted


def kept(owner: Player) -> QuerySet[ImportedGame]:
    """What the player keeps, the latest first."""
    return ImportedGame.objects.filter(owner=owner, keep_until__isnull=True).order_by("-created_at", "-pk")


def record_of(public_id: str, now: datetime | None = None) -> ImportedGame | None:
    """The record at this address, while it is there."""
    imported = ImportedGame.objects.filter(public_id=public_id).select_related("owner").first()
    if imported is None or (imported.keep_until is not None and imported.keep_until <= (now or timezone.now())):
        return None
    return imported


def _known(owner: Player, digest: str) -> ImportedGame | None:
    return ImportedGame.objects.filter(owner=owner, digest=digest).first()
