"""Makes the sprite small: joins what is drawn in the same ink, and writes every longer path only once."""

from __future__ import annotations

import re
from collections import Counter

from tools.deck.palette import INK

__all__ = ["join_ink", "join_lines", "share_parts", "share_paths"]

_INKED = f'<path fill="{INK}" stroke="none" d="'
_SHORTEST = 320
"""Paths with fewer characters stay where they are: every reference costs the browser a small tree."""


def join_ink(text: str) -> str:
    """Join neighbouring paths that are nothing but ink into one; they have the same winding, so nothing cancels out."""
    run = re.compile(f'(?:{re.escape(_INKED)}[^"]*"/>){{2,}}')
    return run.sub(lambda match: _INKED + match[0][len(_INKED) : -3].replace(f'"/>{_INKED}', "") + '"/>', text)


def join_lines(text: str) -> str:
    """Join neighbouring lines of the same width and without a colour of their own into one path."""
    run = re.compile(r'<path stroke-width="([^"]+)" d="[^"]*"/>(?:<path stroke-width="\1" d="[^"]*"/>)+')
    return run.sub(lambda match: match[0].replace(f'"/><path stroke-width="{match[1]}" d="', ""), text)


def share_parts(text: str) -> tuple[str, str]:
    """Return the drawing with repeated units (plain groups, not nested) as references, and their definitions."""
    pattern = re.compile(r"<g>((?:(?!</?g[ >]).|<g transform=[^>]*>(?:(?!</?g[ >]).)*</g>)*)</g>", re.DOTALL)
    counts = Counter(match[1] for match in pattern.finditer(text))
    names = {unit: f"g{index}" for index, unit in enumerate(unit for unit, count in counts.items() if count > 1)}

    def refer(match: re.Match[str]) -> str:
        name = names.get(match[1])
        return match[1] if name is None else f'<use href="#{name}"/>'

    return pattern.sub(refer, text), "".join(f'<g id="{name}">{unit}</g>' for unit, name in names.items())


def share_paths(text: str) -> tuple[str, str]:
    """Return the drawing with long repeated paths replaced by references, and the definitions they refer to.

    A path's own colours stay at the reference and are inherited; the definition carries the outline alone.
    """
    pattern = re.compile(r'<path( [^<>]*?)? d="([^"]+)"/>')
    counts = Counter(match[2] for match in pattern.finditer(text) if len(match[2]) >= _SHORTEST)
    names = {data: f"p{index}" for index, data in enumerate(data for data, count in counts.items() if count > 1)}

    def refer(match: re.Match[str]) -> str:
        name = names.get(match[2])
        return match[0] if name is None else f'<use{match[1] or ""} href="#{name}"/>'

    return pattern.sub(refer, text), "".join(f'<path id="{name}" d="{data}"/>' for data, name in names.items())
