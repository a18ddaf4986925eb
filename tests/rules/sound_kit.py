"""Recordings as browsers make them, written byte by byte."""

from __future__ import annotations

import struct


def _element(identity: int, content: bytes, *, unknown: bool = False) -> bytes:
    name = identity.to_bytes((identity.bit_length() + 7) // 8)
    size = b"\x01" + b"\xff" * 7 if unknown else (len(content) | 1 << 56).to_bytes(8)
    return name + size + content


def webm(seconds: float = 1.0, *, codec: bytes = b"A_OPUS", kind: int = 2, size: int = 40) -> bytes:
    """A WebM file of one track, its segment and clusters of unknown size, as `MediaRecorder` writes them."""
    head = _element(0x1A45DFA3, _element(0x4282, b"webm"))
    track = _element(0xAE, _element(0x83, bytes([kind])) + _element(0x86, codec))
    blocks = b"".join(
        _element(0xA3, b"\x81" + struct.pack(">h", milliseconds) + b"\x80" + bytes(size))
        for milliseconds in range(0, round(seconds * 1000) + 1, 20)
    )
    cluster = _element(0x1F43B675, _element(0xE7, b"\x00") + blocks, unknown=True)
    info = _element(0x1549A966, _element(0x2AD7B1, (1_000_000).to_bytes(3)))
    return head + _element(0x18538067, info + _element(0x1654AE6B, track) + cluster, unknown=True)


def ogg(seconds: float = 1.0) -> bytes:
    """An Ogg file of one Opus stream."""
    head = b"OpusHead" + struct.pack("<BBHIhB", 1, 1, 312, 48_000, 0, 0)
    pages = [(2, 0, head), (0, 0, b"OpusTags" + bytes(8)), (4, round(seconds * 48_000) + 312, bytes(200))]
    return b"".join(
        struct.pack("<4sBBqIIIB", b"OggS", 0, flags, position, 77, number, 0, 1) + bytes([len(content)]) + content
        for number, (flags, position, content) in enumerate(pages)
    )
