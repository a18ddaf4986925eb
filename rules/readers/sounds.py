"""What a recording may be: speech in Opus, in WebM or Ogg, short and small. Pure; goes by content, never by file name.

Browsers write both with `MediaRecorder`. WebM is parsed as EBML (RFC 8794), Ogg page by page (RFC 3533); a file must
consist of these from the first byte to the last.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass
from typing import Final

MOST_BYTES: Final = 200_000
MOST_SECONDS: Final = 10
_SLACK: Final = 1.0
"""Seconds: browsers stop a little late."""
_LEAST: Final = 0.2

TYPES: Final = {"webm": "audio/webm", "ogg": "audio/ogg"}


class NotASound(ValueError):
    """The data is not an acceptable recording; `code` says why: `kind`, `large`, `long` or `short`."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


@dataclass(frozen=True, slots=True)
class Sound:
    """`kind` is one of `TYPES`; `seconds` is the duration."""

    kind: str
    seconds: float


def read(data: bytes) -> Sound:
    """Check a recording, and return its kind and duration. Raises NotASound."""
    if len(data) > MOST_BYTES:
        raise NotASound("large")
    try:
        if data.startswith(b"\x1aE\xdf\xa3"):
            sound = Sound("webm", _webm(data))
        elif data.startswith(b"OggS"):
            sound = Sound("ogg", _ogg(data))
        else:
            raise NotASound("kind")
    except (IndexError, struct.error):
        raise NotASound("kind") from None
    if sound.seconds > MOST_SECONDS + _SLACK:
        raise NotASound("long")
    if sound.seconds < _LEAST:
        raise NotASound("short")
    return sound


# --- WebM -------------------------------------------------------------------------------------------------------------

_EBML, _DOC_TYPE = 0x1A45DFA3, 0x4282
_SEGMENT, _INFO, _TRACKS, _TRACK, _CLUSTER, _GROUP = 0x18538067, 0x1549A966, 0x1654AE6B, 0xAE, 0x1F43B675, 0xA0
_SCALE, _TRACK_TYPE, _CODEC, _TIME, _SIMPLE, _BLOCK = 0x2AD7B1, 0x83, 0x86, 0xE7, 0xA3, 0xA1
_MASTERS: Final = frozenset({_EBML, _SEGMENT, _INFO, _TRACKS, _TRACK, _CLUSTER, _GROUP})
_AUDIO: Final = 2


def _webm(data: bytes) -> float:
    """The duration of a WebM file with one Opus track, by its blocks: recorders write no length. Raises NotASound."""
    at, scale, cluster, last = 0, 1_000_000, 0, 0
    kinds: list[int] = []
    codecs: list[bytes] = []
    doc_type = b""
    while at < len(data):
        identity, at = _number(data, at, keep_marker=True)
        size, at = _number(data, at)
        if identity in _MASTERS:
            continue  # its content comes next; recorders often do not know its size
        content = data[at : at + size]
        if len(content) != size:
            raise NotASound("kind")
        at += size
        if identity == _DOC_TYPE:
            doc_type = content.rstrip(b"\0")
        elif identity == _TRACK_TYPE:
            kinds.append(int.from_bytes(content))
        elif identity == _CODEC:
            codecs.append(content.rstrip(b"\0"))
        elif identity == _SCALE:
            scale = int.from_bytes(content)
        elif identity == _TIME:
            cluster = int.from_bytes(content)
        elif identity in (_SIMPLE, _BLOCK):
            _track, begin = _number(content, 0)
            last = max(last, cluster + struct.unpack_from(">h", content, begin)[0])
    if doc_type != b"webm" or kinds != [_AUDIO] or codecs != [b"A_OPUS"]:
        raise NotASound("kind")
    return last * scale / 1e9


def _number(data: bytes, at: int, *, keep_marker: bool = False) -> tuple[int, int]:
    """A number of variable length, and the offset after it. Raises NotASound for more than eight bytes."""
    first = data[at]
    length = 9 - first.bit_length()
    if length > 8:
        raise NotASound("kind")
    whole = data[at : at + length]
    if len(whole) != length:
        raise NotASound("kind")
    value = int.from_bytes(whole)
    return (value if keep_marker else value & ~(1 << (7 * length))), at + length


# --- Ogg --------------------------------------------------------------------------------------------------------------

_RATE: Final = 48_000  # Opus always counts at this rate, whatever was recorded
_PAGE: Final = struct.Struct("<4sBBqIIIB")


def _ogg(data: bytes) -> float:
    """The duration of an Ogg file with one Opus stream. Raises NotASound."""
    at, samples, skipped = 0, 0, 0
    streams: set[int] = set()
    while at < len(data):
        magic, version, _flags, position, serial, _number, _sum, segments = _PAGE.unpack_from(data, at)
        sizes = data[at + _PAGE.size : at + _PAGE.size + segments]
        begin = at + _PAGE.size + segments
        content = data[begin : begin + sum(sizes)]
        if magic != b"OggS" or version != 0 or len(sizes) != segments or len(content) != sum(sizes):
            raise NotASound("kind")
        if not streams:
            if not content.startswith(b"OpusHead"):
                raise NotASound("kind")
            skipped = struct.unpack_from("<H", content, 10)[0]
        streams.add(serial)
        samples = max(samples, position)
        at = begin + len(content)
    if len(streams) != 1:
        raise NotASound("kind")
    return (samples - skipped) / _RATE
