"""The layer that tells the sockets of one process: what it looks through does not grow with every message."""

import time

import pytest
from channels.layers import InMemoryChannelLayer

from core import channel_layers


async def test_it_looks_for_what_has_expired_every_few_seconds_and_not_at_every_message(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    looked = []
    monkeypatch.setattr(InMemoryChannelLayer, "_clean_expired", lambda layer: looked.append(layer))
    layer = channel_layers.Layer()
    await layer.group_add("group", "one")
    for number in range(50):
        await layer.group_send("group", {"type": "ring", "number": number})
        assert await layer.receive("one") == {"type": "ring", "number": number}
    assert len(looked) == 1
    now = time.monotonic()
    monkeypatch.setattr("core.channel_layers.time.monotonic", lambda: now + 2 * channel_layers.EVERY)
    await layer.group_send("group", {"type": "ring"})
    assert len(looked) == 2


async def test_what_nobody_takes_expires(monkeypatch: pytest.MonkeyPatch) -> None:
    layer = channel_layers.Layer(expiry=0.01)
    await layer.group_add("group", "one")
    await layer.group_send("group", {"type": "ring"})
    time.sleep(0.02)
    now = time.monotonic()
    monkeypatch.setattr("core.channel_layers.time.monotonic", lambda: now + 2 * channel_layers.EVERY)
    await layer.group_send("group", {"type": "ring"})
    assert "one" not in layer.groups["group"]
