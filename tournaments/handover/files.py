"""The file of an evening: what it holds, how it is written, and how it is read again.

JSON in UTF-8. `head` says what stands beside the log: the announcement, the club, its list of people, both secrets. `events` is
the log. `chain` is what shows that nothing is missing and nothing was changed:

    chain = SHA-256(canonical head)
    chain = SHA-256(chain, as bytes, + canonical event)        for each event in order

and in the end its hex digits. Canonical: keys in order, no spaces, UTF-8. This guards against damage and against figures that
somebody puts right in an editor; a secret it is not, since whoever has the file has all there is to make it with.
"""

from __future__ import annotations

import hashlib
import json
import uuid
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final, NoReturn

from domain.errors import DomainError
from domain.tournament.events import Event
from domain.tournament.payload import Given, Plain
from tournaments.exceptions import FileError
from tournaments.services.log import Told

FORMAT: Final = "troccas-evening"
VERSION: Final = 1
MOST_BYTES: Final = 6_000_000
"""A hundred people and five rounds are about one million; a site takes no larger request."""
MOST_EVENTS: Final = 50_000
MOST_PEOPLE: Final = 10_000
_KIND_LENGTH: Final = 40
_BY_LENGTH: Final = 60


@dataclass(frozen=True, slots=True)
class EveningFile:
    """A file that is whole. What its head says is checked by whoever opens it."""

    head: Given
    events: tuple[Told, ...]

    @property
    def public_id(self) -> str:
        """Which tournament it is."""
        return self.head.group("tournament").text("id", most=40)


def canonical(value: object) -> bytes:
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


def event_as_data(told: Told) -> dict[str, Plain]:
    """An event as it stands in the file; two that are the same give the same."""
    event = told.event
    return {
        "number": event.number,
        "at": event.at,
        "kind": event.kind,
        "data": dict(event.data),
        "by": event.by,
        "request": str(told.request_id) if told.request_id else None,
        "digest": told.digest,
    }


def write(head: Mapping[str, Plain], events: Iterable[Told]) -> bytes:
    """The file, one event a line."""
    rows = [event_as_data(each) for each in events]
    lines = ",\n".join(canonical(row).decode() for row in rows)
    parts = (
        f'{{"format":"{FORMAT}","version":{VERSION},',
        f'"head":{canonical(head).decode()},',
        f'"events":[\n{lines}\n],',
        f'"chain":"{_chain(head, rows)}"}}\n',
    )
    return "\n".join(parts).encode()


def read(data: bytes) -> EveningFile:
    """The file again. Raises FileError: ``no-evening``, ``newer-file``, ``file-damaged``, ``file-too-large``."""
    if len(data) > MOST_BYTES:
        raise FileError("file-too-large")
    try:
        found = json.loads(data.decode("utf-8-sig"), parse_constant=_refuse, parse_float=_refuse)
    except (ValueError, RecursionError):
        # It began as ours: then it was cut off, or touched.
        raise FileError("file-damaged" if FORMAT.encode() in data[:100] else "no-evening") from None
    if not isinstance(found, dict) or found.get("format") != FORMAT:
        raise FileError("no-evening")
    if found.get("version") != VERSION:
        raise FileError("newer-file")
    try:
        head, rows = Given(found).group("head"), Given(found).groups("events", most=MOST_EVENTS)
        if found.get("chain") != _chain(head.data, [row.data for row in rows]):
            raise FileError("file-damaged")
        events = tuple(_told(row, place) for place, row in enumerate(rows, 1))
    except (DomainError, ValueError, RecursionError):
        raise FileError("file-damaged") from None
    asked = [each.request_id for each in events if each.request_id]
    if len(set(asked)) != len(asked):
        raise FileError("file-damaged")
    return EveningFile(head, events)


def same_until(ours: Sequence[Told], theirs: Sequence[Told]) -> int:
    """The number of the last event up to which two logs are the same."""
    number = 0
    for one, other in zip(ours, theirs, strict=False):
        if canonical(event_as_data(one)) != canonical(event_as_data(other)):
            break
        number += 1
    return number


def _chain(head: Mapping[str, Plain], rows: Iterable[Mapping[str, Plain]]) -> str:
    digest = hashlib.sha256(canonical(head)).digest()
    for row in rows:
        digest = hashlib.sha256(digest + canonical(row)).digest()
    return digest.hex()


def _told(row: Given, number: int) -> Told:
    """Raises DomainError, ValueError."""
    at = row.moment("at")
    if datetime.fromisoformat(at).astimezone(UTC).isoformat() != at:
        raise ValueError(at)
    event = Event(
        row.whole("number", number, number),
        at,
        row.text("kind", most=_KIND_LENGTH),
        row.group("data").data,
        row.text("by", "", most=_BY_LENGTH),
    )
    request_id = uuid.UUID(row.text("request")) if row.has("request") else None
    return Told(event, request_id, row.text("digest", "", most=64))


def _refuse(number: str) -> NoReturn:
    raise ValueError(number)
