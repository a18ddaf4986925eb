"""The file of an evening: its contents, and how it is written and read.

JSON in UTF-8. `head` has everything besides the log: the announcement, the club, its list of people, both secrets.
`events` is the log. `chain` shows that nothing is missing or was changed:

    chain = SHA-256(canonical head)
    chain = SHA-256(chain, as bytes, + canonical event)        for each event in order

and at the end its hex digits. Canonical: keys in order, no spaces, UTF-8. This protects against damage, and against
numbers edited by hand. It is not a signature: whoever has the file can compute the chain.
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
from tournaments.services.log import LoggedEvent

FORMAT: Final = "troccas-evening"
VERSION: Final = 1
MOST_BYTES: Final = 6_000_000
"""A hundred people and five rounds take about one million bytes; the site accepts no larger request than this."""
MOST_EVENTS: Final = 50_000
MOST_PEOPLE: Final = 10_000
_KIND_LENGTH: Final = 40
_BY_LENGTH: Final = 60


@dataclass(frozen=True, slots=True)
class EveningFile:
    """An undamaged file. The contents of its head are checked when it is opened."""

    head: Given
    events: tuple[LoggedEvent, ...]

    @property
    def public_id(self) -> str:
        """The public id of the tournament."""
        return self.head.group("tournament").text("id", most=40)


def canonical(value: object) -> bytes:
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


def event_as_data(logged: LoggedEvent) -> dict[str, Plain]:
    """An event as in the file; equal events give equal data."""
    event = logged.event
    return {
        "number": event.number,
        "at": event.at,
        "kind": event.kind,
        "data": dict(event.data),
        "by": event.by,
        "request": str(logged.request_id) if logged.request_id else None,
        "digest": logged.digest,
    }


def write(head: Mapping[str, Plain], events: Iterable[LoggedEvent]) -> bytes:
    """The contents of the file, with one event per line."""
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
    """Read a file. Raises FileError: ``no-evening``, ``newer-file``, ``file-damaged``, ``file-too-large``."""
    if len(data) > MOST_BYTES:
        raise FileError("file-too-large")
    try:
        content = json.loads(data.decode("utf-8-sig"), parse_constant=_refuse, parse_float=_refuse)
    except (ValueError, RecursionError):
        # If it begins like one of our files, it was cut off or edited.
        raise FileError("file-damaged" if FORMAT.encode() in data[:100] else "no-evening") from None
    if not isinstance(content, dict) or content.get("format") != FORMAT:
        raise FileError("no-evening")
    if content.get("version") != VERSION:
        raise FileError("newer-file")
    try:
        head, rows = Given(content).group("head"), Given(content).groups("events", most=MOST_EVENTS)
        if content.get("chain") != _chain(head.data, [row.data for row in rows]):
            raise FileError("file-damaged")
        events = tuple(_event_of(row, number) for number, row in enumerate(rows, 1))
    except (DomainError, ValueError, RecursionError):
        raise FileError("file-damaged") from None
    request_ids = [each.request_id for each in events if each.request_id]
    if len(set(request_ids)) != len(request_ids):
        raise FileError("file-damaged")
    return EveningFile(head, events)


def same_until(ours: Sequence[LoggedEvent], theirs: Sequence[LoggedEvent]) -> int:
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


def _event_of(row: Given, number: int) -> LoggedEvent:
    """The event in a row of the file. Raises DomainError, ValueError."""
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
    return LoggedEvent(event, request_id, row.text("digest", "", most=64))


def _refuse(number: str) -> NoReturn:
    raise ValueError(number)
