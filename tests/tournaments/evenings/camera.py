"""A phone's camera: reads a QR code off a printed page, as far as a clean print needs it (no error is corrected)."""

from __future__ import annotations

import re
from typing import Any

import lxml.html
from segno import consts

Matrix = list[list[bool]]
_MASKS = (
    lambda i, j: (i + j) % 2 == 0,
    lambda i, j: i % 2 == 0,
    lambda i, j: j % 3 == 0,
    lambda i, j: (i + j) % 3 == 0,
    lambda i, j: (i // 2 + j // 3) % 2 == 0,
    lambda i, j: i * j % 2 + i * j % 3 == 0,
    lambda i, j: (i * j % 2 + i * j % 3) % 2 == 0,
    lambda i, j: ((i + j) % 2 + i * j % 3) % 2 == 0,
)
_LEVELS = {1: consts.ERROR_LEVEL_L, 0: consts.ERROR_LEVEL_M, 3: consts.ERROR_LEVEL_Q, 2: consts.ERROR_LEVEL_H}


def read(svg: lxml.html.HtmlElement) -> str:
    """What a code says. Raises ValueError for what is no code of this kind."""
    path = svg.xpath(".//*[local-name()='path']/@d")
    if not path:
        raise ValueError("no code in the picture")
    return _text(_matrix(str(path[0])))


def _matrix(path: str) -> Matrix:
    """The black squares, from strokes along the lines of the picture."""
    black: set[tuple[int, int]] = set()
    x, y = 0.0, 0.0
    for verb, numbers in re.findall(r"([Mmhv])([-\d. ]+)", path):
        values = [float(each) for each in numbers.replace("-", " -").split()]
        if verb == "M":
            x, y = values
        elif verb == "m":
            x, y = x + values[0], y + values[1]
        elif verb == "h":
            black |= {(int(y), int(x) + step) for step in range(int(values[0]))}
            x += values[0]
        else:
            raise ValueError(path[:40])
    top = min(row for row, _ in black)
    left = min(column for _, column in black)
    size = max(row for row, _ in black) - top + 1
    return [[(row + top, column + left) in black for column in range(size)] for row in range(size)]


def _text(matrix: Matrix) -> str:
    size = len(matrix)
    version = (size - 17) // 4
    shape = [(8, column) for column in range(6)] + [(8, 7), (8, 8), (7, 8)] + [(row, 8) for row in range(5, -1, -1)]
    kind = int("".join(str(int(matrix[row][column])) for row, column in shape), 2) ^ 0b101010000010010
    level, mask = _LEVELS[kind >> 13], _MASKS[kind >> 10 & 7]
    bits = [matrix[row][column] ^ mask(row, column) for row, column in _order(size, version)]
    codewords = [int("".join(str(int(bit)) for bit in bits[at : at + 8]), 2) for at in range(0, len(bits) - 7, 8)]
    data = _blocks(codewords, version, level)
    stream = "".join(f"{byte:08b}" for byte in data)
    if stream[:4] != "0100":
        raise ValueError("not written in bytes")
    wide = 8 if version < 10 else 16
    length = int(stream[4 : 4 + wide], 2)
    start = 4 + wide
    return bytes(int(stream[start + 8 * at : start + 8 * at + 8], 2) for at in range(length)).decode()


def _order(size: int, version: int) -> list[tuple[int, int]]:
    """The squares that hold data, in the order in which they are written: up and down in double columns from the right."""
    fixed = {(row, column) for row in range(9) for column in range(9)}
    fixed |= {(row, column) for row in range(9) for column in range(size - 8, size)}
    fixed |= {(row, column) for row in range(size - 8, size) for column in range(9)}
    fixed |= {(6, at) for at in range(size)} | {(at, 6) for at in range(size)}
    middles = consts.ALIGNMENT_POS[version - 2] if version > 1 else ()
    corners = {(6, 6), (6, size - 7), (size - 7, 6)}
    for row in middles:
        for column in middles:
            if (row, column) not in corners:
                fixed |= {(row + down, column + right) for down in range(-2, 3) for right in range(-2, 3)}
    if version >= 7:
        fixed |= {(row, column) for row in range(6) for column in range(size - 11, size - 8)}
        fixed |= {(row, column) for row in range(size - 11, size - 8) for column in range(6)}
    found = []
    up = True
    for right in (*range(size - 1, 6, -2), *range(5, 0, -2)):
        rows = range(size - 1, -1, -1) if up else range(size)
        found += [(row, column) for row in rows for column in (right, right - 1) if (row, column) not in fixed]
        up = not up
    return found


def _blocks(codewords: list[int], version: int, level: int) -> list[int]:
    """The data without what corrects it, its blocks put one after another again."""
    table: Any = consts.ECC
    sizes = [each.num_data for each in table[version][level] for _ in range(each.num_blocks)]
    blocks: list[list[int]] = [[] for _ in sizes]
    stream = iter(codewords)
    for at in range(max(sizes)):
        for block, size in zip(blocks, sizes, strict=True):
            if at < size:
                block.append(next(stream))
    return [byte for block in blocks for byte in block]
