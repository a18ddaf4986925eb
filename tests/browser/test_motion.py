"""A gathered trick moves to who took it, long enough to be seen and no longer; nothing moves for those who asked for it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from accounts.models import Player
from tests.browser.table_player import act_by_mouse, moment, seat, wait_for_turn
from tests.live import DESK, PHONE
from tests.long import looks

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from tests.live import LiveSite

pytestmark = pytest.mark.browser

HELD = """() => {
    const animate = Element.prototype.animate;
    window.begun = 0;
    Element.prototype.animate = function (...how) {
        const begun = animate.apply(this, how);
        window.begun += 1;
        begun.pause();
        return begun;
    };
}"""
"""Whatever begins to move is held at its beginning, so that it can be looked at."""
FLIGHTS = """() => document.getAnimations().filter((one) => one.effect.target.matches(".flying")).map((one) => {
    const flying = one.effect.target.getBoundingClientRect(), found = { lasts: one.effect.getTiming().duration };
    const middle = (box) => [box.left + box.width / 2, box.top + box.height / 2];
    found.from = middle(flying);
    one.currentTime = found.lasts;
    found.to = middle(one.effect.target.getBoundingClientRect());
    return found;
})"""
"""Each card that flies: how many milliseconds it takes, and where its middle is at the beginning and at the end."""
ASKED = """(after) => {
    const table = document.getElementById("table"), goOn = table.querySelector("[data-act=go-on]") !== null;
    const asked = goOn || table.dataset.yours === "yes";
    return asked && Number(table.dataset.number) > after && table.getAttribute("aria-busy") !== "true";
}"""
MIDDLE = """(selector) => {
    const box = document.querySelector(selector).getBoundingClientRect();
    return [box.left + box.width / 2, box.top + box.height / 2];
}"""  # found and measured at once: a seat may be renewed at any time


def to_a_whole_trick(page: Page, site: LiveSite) -> str:
    """Play until a whole trick lies on the table and waits for us; the selector of who took it."""
    seat(page, site, cards=4)
    site.call(lambda: Player.objects.filter(computer="").update(waits_after_trick=True))
    page.reload()
    whole, number = page.locator(".trick[data-winner]"), wait_for_turn(page).number
    while not whole.count():  # after our own card we may be asked whether we call
        act_by_mouse(page)
        page.wait_for_function(ASKED, arg=number)
        number = moment(page).number
    return f"#seat-{whole.get_attribute('data-winner')} .plate"


def gather(page: Page) -> None:
    """Go on, or lead to the next trick: the one that lies there is gathered. The next may be whole before anybody looks."""
    gathered = page.locator("#table").get_attribute("data-trick") or ""
    onward = page.locator("[data-act=go-on] button")
    if onward.count():
        onward.click()
    else:
        act_by_mouse(page)
    expect(page.locator("#table")).not_to_have_attribute("data-trick", gathered)


@pytest.mark.parametrize("viewport", [size for size, _theme in looks((PHONE, "light"), (DESK, "light"))])
def test_the_cards_of_a_trick_go_to_who_took_it(page: Page, live_site: LiveSite, viewport: dict[str, int]) -> None:
    page.set_viewport_size(viewport)
    page.emulate_media(reduced_motion="no-preference")
    taker = to_a_whole_trick(page, live_site)
    page.evaluate(HELD)
    gather(page)
    expect(page.locator("svg.flying")).to_have_count(4)
    goal, flights = page.evaluate(MIDDLE, taker), page.evaluate(FLIGHTS)
    assert len(flights) == 4
    for flight in flights:
        assert 150 <= flight["lasts"] <= 300
        assert flight["to"] == pytest.approx(goal, abs=12)
        assert flight["from"] != pytest.approx(goal, abs=12)
    page.evaluate("document.getAnimations().forEach((one) => one.finish())")
    expect(page.locator("svg.flying")).to_have_count(0)


def test_nothing_moves_for_who_asked_for_it(page: Page, live_site: LiveSite) -> None:
    page.emulate_media(reduced_motion="reduce")
    to_a_whole_trick(page, live_site)
    page.evaluate(HELD)
    gather(page)
    assert page.evaluate("[window.begun, document.querySelectorAll('.flying').length]") == [0, 0]
