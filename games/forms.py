"""What the table's forms send, read into the record's words. Checks the form only; the rules are the engine's."""

from __future__ import annotations

import json
import uuid
from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

from django.http import QueryDict

from games.refusals import Malformed

_LONGEST = 600
_LONGEST_NAME = 80


@dataclass(frozen=True, slots=True)
class Request:
    """What every request to the door says: the number of the last action its sender saw, and an id of its own."""

    expected: int
    request_id: uuid.UUID


def read_request(data: QueryDict) -> Request:
    """The expected number and the request id. Raises Malformed."""
    expected = data.get("expected", "")
    if not (expected.isascii() and expected.isdigit() and len(expected) <= 9):
        raise Malformed("expected is the number of the last action seen")
    return Request(int(expected), read_request_id(data))


def read_request_id(data: QueryDict) -> uuid.UUID:
    """The request id. Raises Malformed."""
    try:
        return uuid.UUID(data.get("request_id", ""))
    except ValueError:
        raise Malformed("request_id is a UUID") from None


class Wanted(NamedTuple):
    """An example of the encyclopedia: the key of its article, the article's language, the example's own id."""

    article: str
    language: str
    example: str


def read_example(data: QueryDict) -> Wanted:
    """The example a practice table is wanted for; what is missing is an empty text, which names nothing."""
    return Wanted(*(data.get(name, "")[:_LONGEST_NAME] for name in Wanted._fields))


def read_action(data: QueryDict) -> str:
    """The action as text: `action` as it stands, or put together from `verb` and its parts. Raises Malformed."""
    text = data.get("action", "")
    if not text:
        text = " ".join(_parts(data))
    if not text or len(text) > _LONGEST:
        raise Malformed("an action is missing, or too long")
    if data.get("knock") and text.startswith("play ") and not text.endswith(" knock"):
        text += " knock"
    return text


def _parts(data: QueryDict) -> Iterable[str]:
    verb = data.get("verb", "")
    yield verb
    if verb in ("cut", "deal"):
        yield data.get("number", "").strip()
    elif verb in ("scart", "arrange", "discard", "play"):
        yield from data.getlist("card")
    elif verb in ("allow", "veto", "liber"):
        yield from (phrase for phrase in data.getlist("phrase") if phrase)
        words = " ".join(data.get("words", "").split())
        if words:
            yield json.dumps(words, ensure_ascii=False)
