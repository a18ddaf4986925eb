"""Finding cards in what was sent: by their codes in data and pages, and by their names in all languages."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Set
from functools import cache
from typing import Any, Final

from domain.engine import CODES

_TOKENS: Final = re.compile(
    r'name="csrfmiddlewaretoken" value="[^"]+"|X-CSRFToken[^}]*|[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}'
    r'|<script[^>]*src[^>]*></script>|<link [^>]*>|data-commitment="[^"]*"'
)
# What lists every card there is, whoever looks: the cards a plan may wait for, and the phrase book of the talk.
_FOR_ALL: Final = re.compile(
    r'<select id="fallen-\d+".*?</select>|<div class="phrase-list".*?</details>|<details class="phrases .*?</details>',
    re.DOTALL,
)
_CODE: Final = re.compile(r"(?<![\w.-])((?:[COSB](?:10|[1-9JNQK]))|T(?:2[01]|1[0-9]|[1-9]))(?![\w.])")
_CODE_OF_ID: Final = re.compile(r'(?:card-|data-card="|#|value="(?:play )?)(F)"')
_CALL: Final = re.compile(r'<button[^>]*value="call (T\d+)"[^>]*>.*?</button>', re.DOTALL)
_EVERY_CALL: Final = frozenset(CODES[56:76])
"""Who calls a partner may name each of the trumps I to XX, also their own: the list says nothing, as long as it is whole."""
_DRAW: Final = re.compile(
    r'<details class="fold" id="draw-fold".*?</details>|<ol class="trick no-margin drawn".*?</ol>', re.DOTALL
)
"""Where the draw for partners is told of, and where its cards lie in the middle of the table before the first deal."""
_ADDRESSES: Final = re.compile(r"(?:https?|mailto):[^\s\"<>]+")
_TAGS: Final = re.compile(r"<[^>]+>")
_KNOWN: Final = frozenset(CODES)


def in_data(data: Any, drawn: Set[str] = frozenset()) -> set[str]:
    """Every card's code in JSON: as a text of its own, or as a word of an action.

    Cards that were `drawn` for partners are no secret where the draw is told of: it was another pack, shuffled before the
    first deal, and all saw it; the log of the game tells of it to the end.
    """
    found: set[str] = set()
    stack = [data]
    while stack:
        one = stack.pop()
        if isinstance(one, dict) and one.get("kind") == "drawn":
            found |= in_data(one | {"kind": ""}) - drawn
        elif isinstance(one, dict):
            stack.extend(value for key, value in one.items() if key != "words")
        elif isinstance(one, list) and _names_every_trump(one):
            continue
        elif isinstance(one, list):
            stack.extend(one)
        elif isinstance(one, str) and len(one) < 700:
            found |= _KNOWN.intersection(one.split())
    return found


def _names_every_trump(offered: list[Any]) -> bool:
    """Whether these are the answers to who shall be partner, and nothing else."""
    actions = {one.get("action") if isinstance(one, dict) else None for one in offered}
    return actions == {f"call {code}" for code in _EVERY_CALL}


def in_letter(text: str) -> set[str]:
    """Every card that a letter or message names, in words or by code; addresses are only letters in a row."""
    plain = _ADDRESSES.sub(" ", text)
    return named(plain) | set(_CODE.findall(plain))


def in_page(text: str, drawn: Set[str] = frozenset()) -> set[str]:
    """Every card on a page: by code in its markup, by name in its text; where the draw is shown, but those `drawn`."""
    return _on_page(_DRAW.sub(" ", text)) | {card for shown in _DRAW.findall(text) for card in _on_page(shown)} - drawn


def _on_page(text: str) -> set[str]:
    plain = _FOR_ALL.sub(" ", _TOKENS.sub(" ", text))
    if set(_CALL.findall(plain)) == _EVERY_CALL:
        plain = _CALL.sub(" ", plain)
    found = set(_CODE.findall(plain.replace("card-", " "))) | set(_CODE_OF_ID.findall(plain))
    return found | named(html.unescape(_TAGS.sub(" ", plain)))


def named(text: str) -> set[str]:
    """Every card of the four suits that is called by its name in some language."""
    pattern, codes = _names()
    return {codes[match.casefold()] for match in pattern.findall(text)}


@cache
def _names() -> tuple[re.Pattern[str], dict[str, str]]:
    from django.conf import settings

    from rules.text import names

    codes: dict[str, str] = {}
    for language, _name in settings.LANGUAGES:
        for code in CODES[:56]:
            for name in (
                names.card_name(code, language), names.card_name(code, language, in_sentence=True),
                names.card_short(code, language), names.card_object(code, language),
            ):  # fmt: skip
                codes[" ".join(name.split()).casefold()] = code
    ordered = sorted(codes, key=len, reverse=True)
    return re.compile(r"(?<!\w)(" + "|".join(map(re.escape, ordered)) + r")(?!\w)", re.IGNORECASE), codes


def number_of(text: str, kind: str) -> int | None:
    """The number of the game that a table, as data or as a page, says it shows; None for something else."""
    if kind.startswith("application/json"):
        data = json.loads(text)
        return data.get("number") if isinstance(data, dict) and "question" in data else None
    found = re.search(r'<div id="table"[^>]* data-number="(\d+)"', text)
    return int(found[1]) if found else None
