"""What a player does: a small immutable value whose text form is that of game records (`docs/record-format.md`).

>>> str(parse_action("play CK CJ"))
'play CK CJ'
>>> parse_action("cut 40").number
40
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Final
from unicodedata import category

from domain.engine.cards import CODES, Card, cards_of

TALK_VERBS: Final = ("allow", "veto", "liber")
SAY: Final = "say"
"""Talk out of turn, at tables where the cards cannot be thrown in: it answers no question, and nobody waits for it."""
_CARD_VERBS: Final = ("arrange", "scart", "discard")
_BARE_VERBS: Final = ("go", "throw-in", "pass", "solo", "buob", "buob-sche", "quiet", "give", "keep")
_SIGNALS: Final = ("knock", "buob")
_LONGEST: Final = 600  # characters; an arranged pile of 78 cards has 307
_PHRASE = re.compile(r"[a-z][a-z0-9-]*")


class MalformedAction(ValueError):
    """The text is not an action of any game; `str()` says what is wrong with it."""


@dataclass(frozen=True, slots=True)
class Action:
    """One thing a player may do when asked, or say unasked (`SAY`).

    * `verb`: the word used in records.
    * `cards`: the cards played, discarded, arranged, called or taken back.
    * `number`: the cards lifted by a cut, or the rounds of the deal that are demanded.
    * `packets`: the sizes of the packets to be dealt.
    * `said`: the ids of phrases in the talk; `words`: free text, at tables that allow it.
    * `signal`: `knock` or `buob`, together with a card.
    """

    verb: str
    cards: tuple[Card, ...] = ()
    number: int = 0
    said: tuple[str, ...] = ()
    words: str = ""
    signal: str = ""
    packets: tuple[int, ...] = ()

    def __str__(self) -> str:
        parts = [self.verb]
        if self.verb in ("cut", "deal"):
            parts.append(str(self.number))
        parts += [CODES[card] for card in self.cards]
        parts += map(str, self.packets)
        parts += self.said
        if self.words:
            parts.append(json.dumps(self.words, ensure_ascii=False))
        if self.signal:
            parts.append(self.signal)
        return " ".join(parts)


PLAYS: Final[tuple[Action, ...]] = tuple(Action("play", (card,)) for card in range(78))
BARE: Final[dict[str, Action]] = {verb: Action(verb) for verb in (*_BARE_VERBS, *TALK_VERBS, "arrange", "take")}
_KNOWN: Final[dict[str, Action]] = {str(action): action for action in (*PLAYS, *BARE.values())}
_KNOWN_LINES: Final[dict[str, tuple[str, Action]]] = {
    f"{seat} {text}": (str(seat), action) for seat in range(8) for text, action in _KNOWN.items()
}


def parse_action(text: str) -> Action:
    """The action that a text means. Raises MalformedAction with a reason; never touches any game."""
    known = _KNOWN.get(text)
    if known is not None:
        return known
    if len(text) > _LONGEST:
        raise MalformedAction("too long to be an action")
    verb, _, rest = text.partition(" ")
    if verb in TALK_VERBS or verb == SAY:
        return _parse_talk(verb, rest)
    words = rest.split()
    if verb in ("cut", "deal"):
        if len(words) != 1 or not words[0].isascii() or not words[0].isdigit() or len(words[0]) > 3:
            raise MalformedAction(f"{verb} needs a number")
        return Action(verb, number=int(words[0]))
    if verb == "packets":
        if not words or not all(word.isascii() and word.isdigit() and len(word) <= 2 for word in words):
            raise MalformedAction("packets names the sizes of the packets")
        return Action(verb, packets=tuple(map(int, words)))
    if verb == "play":
        signal = words.pop() if words and words[-1] in _SIGNALS else ""
        if not 1 <= len(words) <= 2:
            raise MalformedAction("play needs one card, or king and jack")
        return Action(verb, _parse_cards(words), signal=signal)
    if verb in _CARD_VERBS:
        return Action(verb, _parse_cards(words))
    if verb in ("take", "call"):
        if len(words) > 1:
            raise MalformedAction(f"{verb} names one card")
        return Action(verb, _parse_cards(words))
    if verb in _BARE_VERBS:
        raise MalformedAction(f"{verb} stands alone")
    raise MalformedAction(f"no such action: {verb[:40]}")


def parse_line(text: str) -> tuple[str, Action]:
    """The seat (as text) and the action of one line of a record, such as `1 play CK`. Raises MalformedAction."""
    try:
        return _KNOWN_LINES[text]
    except KeyError:
        seat, _, rest = text.partition(" ")
        return seat, parse_action(rest)


def _parse_cards(words: list[str]) -> tuple[Card, ...]:
    try:
        return cards_of(words)
    except ValueError as error:
        raise MalformedAction(str(error)) from None


def _parse_talk(verb: str, rest: str) -> Action:
    phrases, quote, quoted = rest.partition('"')
    free = ""
    if quote:
        try:
            decoded = json.loads(quote + quoted)
        except ValueError:
            raise MalformedAction("free text must be one quoted string at the end") from None
        free = " ".join(decoded.split())
        # Control characters and halves of surrogate pairs do harm in databases and terminals.
        if any(category(sign) in ("Cc", "Cs") for sign in free):
            raise MalformedAction("free text is made of plain signs")
        if phrases and not phrases.endswith(" "):
            raise MalformedAction("free text stands apart from the phrases")
    said = tuple(phrases.split())
    for phrase in said:
        if not _PHRASE.fullmatch(phrase):
            raise MalformedAction(f"no such phrase: {phrase[:40]}")
    if verb == SAY and not said and not free:
        raise MalformedAction("say needs something that is said")
    return Action(verb, said=said, words=free)
