"""Slips typed in at the desk: one number for a table, and the cursor goes on by itself."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect
from pypdf import PdfReader

from tests.live import held_back, session_of
from tests.tournaments.services.kit import Night, step_aside

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page, Route

    from tests.live import LiveSite

pytestmark = pytest.mark.browser


def evening() -> tuple[str, str]:
    """A round of four tables and one where each of three is alone; its id, and the session of its director."""
    step_aside()
    night = Night.at(19, rules={"rounds": 1, "deals": 8}, odd=["three"])
    night.begin()
    night.draw()
    return night.tournament.public_id, session_of(night.director.user)


def test_slips_are_typed_with_one_number_each_and_no_mouse(page: Page, live_site: LiveSite) -> None:
    public_id, session = live_site.call(evening)
    page.context.add_cookies([{"name": "sessionid", "value": session, "url": live_site.url}])
    page.goto(f"{live_site.url}/e/{public_id}/rounds/1.1/slips/")
    for number in range(1, 5):
        field = page.locator(f"#slip-{number} input[name=s0]")
        expect(field).to_be_focused()
        page.keyboard.type("300")
        expect(page.locator(f"#slip-{number} input[name=s1]")).to_have_value("276")
        page.keyboard.press("Enter")
        page.wait_for_url(f"**saved={number}")
    expect(page.locator("#slip-5 input[name=s0]")).to_be_focused()
    page.keyboard.type("200")
    page.keyboard.press("Tab")
    page.keyboard.type("190")
    expect(page.locator("#slip-5 input[name=s2]")).not_to_have_value("")
    expect(page.locator("#slip-5 output")).to_contain_text("✓")
    # Somebody has typed all sides: nothing is filled any more, and the wrong sum is seen.
    page.locator("#slip-5 input[name=s2]").fill("1")
    expect(page.locator("#slip-5 output")).to_contain_text("≠")
    # What is refused comes back to be typed anew, not to be added to.
    page.keyboard.press("Enter")
    expect(page.locator(".slips").get_by_role("alert")).to_contain_text("624")
    expect(page.locator("#slip-5 input[name=s0]")).to_be_focused()
    for points in ("200", "190", "234"):
        page.keyboard.type(points)
        page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    page.wait_for_url("**saved=5")
    # On paper the browser puts two of them on a sheet of A4.
    page.goto(f"{live_site.url}/e/{public_id}/paper/slips/")
    sheets = PdfReader(io.BytesIO(page.pdf(prefer_css_page_size=True))).pages
    assert len(sheets) == 3
    assert [round(float(side) / 72 * 25.4) for side in sheets[0].mediabox[2:]] == [297, 210]


def test_slips_that_follow_each_other_on_a_slow_network_are_all_kept(page: Page, live_site: LiveSite) -> None:
    public_id, session = live_site.call(evening)
    page.context.add_cookies([{"name": "sessionid", "value": session, "url": live_site.url}])
    page.goto(f"{live_site.url}/e/{public_id}/rounds/1.1/slips/")
    held: list[Route] = []
    slow = True

    def answer(way: Route) -> None:
        if slow and way.request.method == "POST":
            held.append(way)
        else:
            way.continue_()

    page.route("**/slips/**", answer)

    def field(table: int, name: str = "s0") -> Locator:
        return page.locator(f"#slip-{table} input[name={name}]")

    def points(table: int) -> Locator:
        return page.locator(f"#slip-{table} .result")

    # Two are on their way and the third is half typed when the first one is answered.
    for number in (1, 2):
        field(number).fill("300")
        page.keyboard.press("Enter")
        held_back(page, held, number - 1)
    field(3).fill("31")
    held[0].continue_()
    expect(points(1)).to_contain_text("300")
    expect(field(3)).to_be_focused()
    page.keyboard.type("0")
    held[1].continue_()
    expect(points(2)).to_contain_text("300")
    expect(field(3)).to_have_value("310")

    # One that is refused comes with the reason, and takes nothing with it.
    field(4).fill("100")
    field(4, "s1").fill("100")
    page.keyboard.press("Enter")
    refused = held_back(page, held, 2)
    field(5).fill("20")
    slow = False
    refused.continue_()
    expect(page.locator("#slip-4").get_by_role("alert")).to_contain_text("200")
    expect(field(3)).to_have_value("310")
    expect(field(5)).to_be_focused()
    expect(field(5)).to_have_value("20")
    field(3).press("Enter")
    expect(points(3)).to_contain_text("310")
    field(4).fill("276")
    field(4, "s1").fill("300")
    field(4, "s1").press("Enter")
    expect(points(4)).to_contain_text("276")
    expect(field(5)).to_be_focused()
    expect(field(5)).to_have_value("20")
