"""A position laid by hand, looked at: all its cards lie open. And how to write it down, for an article and as an
address: the record of its hand, packed into letters that may stand in a path."""

from __future__ import annotations

import base64
import json
import zlib
from random import Random
from typing import Final

from django.urls import reverse
from django.utils.http import urlencode

from domain.engine import CODES, Record, card_of, cards_in
from domain.engine.cards import SUITS
from domain.engine.record import FORMAT, VERSION, RecordedHand, hands_of, record_from
from domain.engine.rulesets import ruleset
from games.positions.layout import NAMES, BadPosition, Layout, layout_of, record_of
from games.read_models import Replay
from games.selectors.replay import replay_of_record
from rules.examples import Position

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


NUMBER: Final = 1
"""Which hand of its record a position is: it has no other."""


def replay(record: Record, step: int | None) -> Replay:
    """The hand of the position after `step` actions (None: the position itself)."""
    found = replay_of_record(record, NUMBER, step, address_of(record))
    assert found is not None
    return found


def record_at_position(at: Position) -> Record:
    """The record of the hand in which a position of an article comes up."""
    rules = ruleset(at.ruleset, None, at.seats)
    lines = tuple(f"{seat} {text}" for seat, text in at.actions)
    hand = RecordedHand(at.dealer, tuple(map(card_of, at.pack)), lines)
    return Record(rules, dict(at.options), NAMES[: rules.seats], (hand,))


def layout_at(record: Record, number: int, step: int | None) -> Layout:
    """What one would lay for a moment of hand `number` of a record (None: its end)."""
    hand = hands_of(record)[number - 1]
    return layout_of(hand, record.hands[number - 1].pack, len(hand.history) if step is None else step)


def example_of(record: Record) -> str:
    """The directive that asks readers of an article what may be played here; empty where no card is asked for.

    It holds what the player on turn knows: the other hands of the example are made up.
    """
    (hand,) = hands_of(record)
    if hand.over or hand.asked != "play":
        return ""
    rules = record.ruleset
    lines = {"kind": "play", "ruleset": rules.id, "title": ""}
    hold = " ".join(CODES[card] for card in sorted(cards_in(hand.hands[hand.turn]), reverse=True))
    lines["hold"] = hold
    plays = (
        [action for _seat, action in hand.history if action.verb == "play"][-len(hand.trick) :] if hand.trick else []
    )
    if plays:
        lines["trick"] = " ".join("+".join(CODES[card] for card in action.cards) for action in plays)
    now = hand.lane if hand.first_lead else -1
    lines["led_before"] = "".join(suit for lane, suit in enumerate(SUITS) if hand.led >> lane & 1 and lane != now)
    if hand.contract:
        lines["contract"] = hand.contract
    lines["why"] = ""
    text = [f'{name} = "{value}"' for name, value in lines.items()]
    if len(rules.sizes) > 1:
        text.insert(2, f"seats = {rules.seats}")
    return "\n".join(["::: example my-position", *text, ":::"])


def edit_address(record: Record, number: int, step: int | None) -> str:
    """Where a moment of hand `number` of a record can be laid otherwise: the editor, with what is needed to lay it as it is.

    What was said before the play is left out; before the last card is dealt, the rest is given out by chance.
    """
    layout = layout_at(record, number, step)
    editor = reverse("positions:edit")
    try:
        laid = record_of(layout, Random(0))
    except BadPosition:
        return f"{editor}?{urlencode({'table': f'{record.ruleset.id}:{record.ruleset.seats}'})}"
    return f"{editor}?{urlencode({'position': address_of(laid)})}"
