"""Presses at the visible middle of every card in random states of every game, while another card is lifted or ticked.

The states are played in the engine and laid out by the real page, as for `test_window`. A mouse presses at a desk, a finger on
a phone.
"""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import pytest

from games.read_models import Sight
from tests.browser.table_states import AHEAD, random_states
from tests.browser.test_hand import WINDOWS, Table
from tests.domain.engine.tables import EVERY
from tests.live import PATIENCE
from tests.long import LONG

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Browser

pytestmark = pytest.mark.browser

STATES = 500 if LONG else 10
WITH = {False: ("desk", "1024", "1280", "1366", "1920"), True: ("phone", "360")}
"""The windows in which one presses with a mouse, and with a finger."""
HEAR = """() => addEventListener("click", ({ target }) => {
    window.pressed = target.closest(".held")?.dataset.card ?? target.className;
}, { capture: true })"""
HEARD = """() => ["pressed", "refused", "why"].map((which) => ({
    pressed: () => window.pressed,
    refused: () => document.querySelector("[data-part=refusal]").textContent.trim(),
    why: () => {
        const card = document.querySelector(`.held[data-card="${window.pressed}"]`);
        const waits = card?.matches(".waiting") ? document.getElementById("prompt").textContent.trim() : "";
        return card?.dataset.why ?? waits;
    },
})[which]())"""
"""Which card the last press reached, what is refused now, and why that card may not be chosen."""


def sights(chance: random.Random, number: int) -> Iterator[Sight]:
    """So many random states of random games."""
    while number > 0:
        for sight in random_states(chance.choice(EVERY), chance)[:number]:
            number -= 1
            yield sight


def assert_every_card_answers(table: Table, sight: Sight, chance: random.Random, *, finger: bool) -> int:
    """Each card, pressed in random order, is the one that is lifted, ticked or refused; how many were pressed."""
    table.page.keyboard.press("Escape")  # what was lifted in the state before
    table.lay(sight, lang=chance.choice(("en", "de")), plans=AHEAD)
    table.page.evaluate("scrollTo(0, 0)")
    may = {card.code for card in sight.cards if card.playable}
    choosing = sight.question.mine and sight.question.asked in ("play", "scart", "discard")
    several = choosing and sight.question.choose > 1
    spots = table.spots()
    first = chance.choice([spot for spot in spots if choosing and spot.code in may] or [None])
    if first is not None:
        table.press(first, finger=finger)
    rest = [spot for spot in spots if spot != first]
    for spot in chance.sample(rest, len(rest)):
        before = table.lifted()
        table.page.evaluate("window.pressed = 'nothing'")
        table.press(spot, finger=finger)
        pressed, refused, why = table.page.evaluate(HEARD)
        now = table.lifted()
        told = f"{sight.ruleset} {len(sight.seats)} {sight.question.asked} {table.page.viewport_size}: {spot}, lifted {before} {now}"
        assert pressed == spot.code, f"{pressed} heard it: {told}"
        if choosing and spot.code in may:
            assert spot.code in now, told
            assert refused == "", told
            assert len(now) == min(len(before) + 1, sight.question.choose if several else 1), told
        else:
            assert now == before, told
            assert refused == why != "", told
    assert table.sent == []
    return len(spots)


@pytest.mark.parametrize(("finger", "windows"), WITH.items(), ids=["mouse", "finger"])
@pytest.mark.slow
def test_the_card_that_is_pressed_answers_in_random_states(
    browser: Browser, finger: bool, windows: tuple[str, ...]
) -> None:
    chance = random.Random(f"presses {finger}")
    context = browser.new_context(
        locale="en-GB", reduced_motion="reduce", has_touch=finger, is_mobile=finger, service_workers="block"
    )
    context.set_default_timeout(PATIENCE * 1000)
    context.add_init_script(f"({HEAR})()")
    table = Table(context.new_page())
    presses = 0
    for sight in sights(chance, STATES // 2):
        table.page.set_viewport_size(WINDOWS[chance.choice(windows)])
        presses += assert_every_card_answers(table, sight, chance, finger=finger)
    print(f"{STATES // 2} states, {presses} presses")
