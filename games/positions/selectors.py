"""A position that was set up by hand, with all cards open; and ways to write it down: as an example for an article, and
as an address, which is the record of its hand packed into characters that may be used in a path."""

from __future__ import annotations

import base64
import json
import zlib
from random import Random
from typing import Final

from django.urls import reverse
from django.utils.http import urlencode

from domain.engine import CODES, Record, card_of, cards_in
from domain.engine.cards import NO_LANE, SUITS
from domain.engine.record import FORMAT, VERSION, RecordedHand, hands_of, record_from
from domain.engine.rulesets import ruleset
from games.positions.layout import NAMES, BadPosition, Layout, layout_of, record_of
from games.read_models import Replay
from games.selectors.replay import replay_of_record
from rules.examples import Position

LONGEST: Final = 1600  # characters; a whole hand has about 700
_LARGEST: Final = 8000  # bytes when unpacked


def address_of(record: Record) -> str:
    """The only hand of this record, packed into characters, without the names of its players."""
    data = record.to_json()
    parts = [data[name] for name in _PARTS]
    text = json.dumps([*parts, record.ruleset.seats, data["hands"]], separators=(",", ":"))
    return base64.urlsafe_b64encode(zlib.compress(text.encode(), 9)).rstrip(b"=").decode()


def record_at(address: str) -> Record | None:
    """The record at this address, checked by playing it; None if the address is invalid."""
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
    ):  # RecordError and binascii.Error are ValueErrors
        return None
    return record


_PARTS: Final = ("ruleset", "ruleset_version", "options")


NUMBER: Final = 1
"""The number of a position's hand in its record, which has no other."""


def replay(record: Record, step: int | None) -> Replay:
    """The hand of the position after `step` actions (None: the position itself)."""
    whole = replay_of_record(record, NUMBER, step, address_of(record))
    assert whole is not None
    return whole


def record_at_position(at: Position) -> Record:
    """The record of the hand that leads to a position of an article."""
    rules = ruleset(at.ruleset, None, at.seats)
    lines = tuple(f"{seat} {text}" for seat, text in at.actions)
    hand = RecordedHand(at.dealer, tuple(map(card_of, at.pack)), lines)
    return Record(rules, dict(at.options), NAMES[: rules.seats], (hand,))


def layout_at(record: Record, number: int, step: int | None) -> Layout:
    """The layout that sets up hand `number` of a record after `step` actions (None: its end)."""
    hand = hands_of(record)[number - 1]
    return layout_of(hand, record.hands[number - 1].pack, len(hand.history) if step is None else step)


def example_of(record: Record) -> str:
    """The directive that asks readers of an article what may be played here; empty if no card is asked for.

    It contains what the player on turn knows; the other hands of the example are made up.
    """
    (hand,) = hands_of(record)
    if hand.over or hand.asked != "play":
        return ""
    rules = record.ruleset
    fields: dict[str, str | int] = {"kind": "play", "ruleset": rules.id}
    if len(rules.sizes) > 1:
        fields["seats"] = rules.seats
    fields["title"] = ""
    fields["hold"] = " ".join(CODES[card] for card in sorted(cards_in(hand.hands[hand.turn]), reverse=True))
    if hand.trick:
        plays = [action for _seat, action in hand.history if action.verb == "play"][-len(hand.trick) :]
        fields["trick"] = " ".join("+".join(CODES[card] for card in action.cards) for action in plays)
    led_now = hand.lane if hand.first_lead else NO_LANE  # `led` contains it already
    fields["led_before"] = "".join(suit for lane, suit in enumerate(SUITS) if hand.led >> lane & 1 and lane != led_now)
    if hand.contract:
        fields["contract"] = hand.contract
    fields["why"] = ""
    lines = [f"{name} = {value}" if isinstance(value, int) else f'{name} = "{value}"' for name, value in fields.items()]
    return "\n".join(["::: example my-position", *lines, ":::"])


def edit_address(record: Record, number: int, step: int | None) -> str:
    """The address of the editor, filled with the position of hand `number` of a record after `step` actions.

    What was said before the play is left out. If not all cards are dealt yet, the rest is dealt at random.
    """
    layout = layout_at(record, number, step)
    editor = reverse("positions:edit")
    try:
        position = record_of(layout, Random(0))
    except BadPosition:
        return f"{editor}?{urlencode({'table': f'{record.ruleset.id}:{record.ruleset.seats}'})}"
    return f"{editor}?{urlencode({'position': address_of(position)})}"
