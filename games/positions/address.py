"""A position in its own address: the record of its hand, packed into letters that may stand in a path."""

from __future__ import annotations

import base64
import json
import zlib
from typing import Final

from domain.engine import Record
from domain.engine.record import FORMAT, VERSION, hands_of, record_from
from games.positions.layout import NAMES

LONGEST: Final = 1600  # letters; a whole hand has about 700
_LARGEST: Final = 8000  # bytes when unpacked


def address_of(record: Record) -> str:
    """The letters that stand for the only hand of this record, without the names of its players."""
    written = record.to_json()
    parts = [written[name] for name in _PARTS]
    text = json.dumps([*parts, record.ruleset.seats, written["hands"]], separators=(",", ":"))
    return base64.urlsafe_b64encode(zlib.compress(text.encode(), 9)).rstrip(b"=").decode()


def record_at(address: str) -> Record | None:
    """The record at this address, played by the rules once more; None for what is no position."""
    if len(address) > LONGEST:
        return None
    try:
        unpacker = zlib.decompressobj()
        packed = base64.urlsafe_b64decode(address + "=" * (-len(address) % 4))
        text = unpacker.decompress(packed, _LARGEST)
        *parts, seats, hands = json.loads(text)
        players = list(NAMES[: int(seats)])
        whole = {"format": FORMAT, "version": VERSION, "players": players, "hands": hands}
        record = record_from(whole | dict(zip(_PARTS, parts, strict=True)))
        if len(record.hands) != 1:
            return None
        hands_of(record)
    except (
        ValueError,
        TypeError,
        OverflowError,
        zlib.error,
        RecursionError,
    ):  # RecordError and binascii.Error are values
        return None
    return record


_PARTS: Final = ("ruleset", "ruleset_version", "options")
