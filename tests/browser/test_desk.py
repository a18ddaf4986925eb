"""The director's desk in a real browser: every page is sound, what happens in the hall shows by itself, slips go fast."""

from __future__ import annotations

import uuid
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from clubs.models import Member
from tests.live import DESK, PHONE, press, serious, session_of
from tests.long import looks, pages
from tests.tournaments.services.kit import Night, step_aside
from tournaments import permissions as tournaments_permissions
from tournaments.models import Tournament
from tournaments.services import log

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from tests.live import LiveSite

pytestmark = pytest.mark.browser

PAGES = pages(
    "rounds/1.2/",
    "rounds/1.2/slips/",
    "tables/1.1.1/",
    "phases/",
    "phases/new/?after=1",
    "phases/1/plan/",
    "standings/",
    "standings/1/e1/",
    "penalties/",
    "prizes/",
    "prizes/read/",
    "why/1.2/e1/",
    "log/",
    "file/",
    later=("rounds/", "rounds/1.1/", "phases/new/?after=1&where=online", "corrections/", "prizes/plan/", "close/"),
)


def evening() -> tuple[str, str]:
    """A tournament in its second round; its id, and the session of its director."""
    step_aside()
    night = Night.at(9, rules={"rounds": 3, "deals": 2}, odd=["five-dealer-out"], minutes=60, last_deal=10)
    night.begin()
    night.draw()
    night.play_round("1.1")
    night.draw()
    night.play("1.2.1" if not night.table("1.2.1").in_turn else "1.2.2")
    night.do("clock.set", round="1.2", act="start", minutes=60)
    night.do("prizes.set", prizes=[{"code": "p1", "amount": 5000}, {"code": "p2", "thing": "a ham"}], ties="by-rank")
    night.walk_in()
    return night.tournament.public_id, session_of(night.director.user)


@pytest.mark.slow
def test_the_desk_is_sound_and_lives(page: Page, live_site: LiveSite) -> None:
    public_id, session = live_site.call(evening)
    page.context.add_cookies([{"name": "sessionid", "value": session, "url": live_site.url}])
    desk = f"{live_site.url}/e/{public_id}/"
    for viewport, theme in looks((PHONE, "light"), (DESK, "dark")):
        page.set_viewport_size(viewport)
        page.emulate_media(color_scheme="dark" if theme == "dark" else "light", reduced_motion="reduce")
        for path in PAGES:
            answer = page.goto(desk + path)
            assert answer is not None
            assert answer.status == 200, path
            assert serious(page) == [], path
            wide = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
            assert wide <= 0, f"{path} is {wide} px too wide"

    page.set_viewport_size(DESK)
    # A second window writes a slip; the radar in the first one sees it without being touched.
    page.goto(desk + "rounds/1.2/")
    expect(page.locator("[data-ends]").first).to_contain_text(":")
    other = page.context.new_page()
    other.goto(desk + "rounds/1.2/slips/")
    left = page.locator(".radar tr[data-state=confirmed]")
    confirmed = left.count()
    row = other.locator("li:has(form[data-slip])").first
    if row.count():
        fields = row.locator("input[name^=s]:not([type=hidden])")
        fields.nth(0).fill("80")
        expect(fields.nth(1)).to_have_value("64")
        expect(row.locator("output")).to_have_text("144 ✓")
        fields.nth(0).press("Enter")
        other.wait_for_url("**saved=*")
    else:  # the open table is the one where somebody looks on: deal by deal
        press(other.get_by_role("link", name="write every deal by itself"))
        for deal in range(1, other.locator(".deals li").count() + 1):
            other.locator(f"[name=d{deal}-0]").fill("40")
            other.locator(f"[name=d{deal}-1]").fill("32")
        press(other.get_by_role("button", name="Write it down: it counts"))
    expect(left).to_have_count(confirmed + 1)


SPACED = """() => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync("* { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important; }");
    document.adoptedStyleSheets = [sheet];
}"""
"""The spacing that readers may ask for (WCAG 1.4.12)."""


@pytest.mark.parametrize("viewport", [{"width": 320, "height": 256}])
def test_at_four_times_the_size_nothing_lies_on_the_focus_or_is_wider_than_the_page(
    page: Page, live_site: LiveSite, viewport: dict[str, int]
) -> None:
    public_id, session = live_site.call(evening)
    page.context.add_cookies([{"name": "sessionid", "value": session, "url": live_site.url}])
    page.goto(f"{live_site.url}/e/{public_id}/people/add/")
    kind = page.locator("#kind")
    for _press in range(60):
        page.keyboard.press("Tab")
        if kind.evaluate("(field) => field === document.activeElement"):
            break
    box = kind.bounding_box()
    assert box is not None
    middle = [box["x"] + box["width"] / 2, box["y"] + box["height"] / 2]
    assert page.evaluate("([x, y]) => document.elementFromPoint(x, y)?.id", middle) == "kind"
    for address in (f"/e/{public_id}/file/", "/en/sources/"):
        page.goto(live_site.url + address)
        page.evaluate(SPACED)
        wide = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
        assert wide <= 0, f"{address} is {wide} px too wide"


def somebody_comes(public_id: str) -> None:
    """Something happens at the door."""
    tournament = Tournament.objects.select_related("club").get(public_id=public_id)
    member = Member.objects.create(club=tournament.club, first_name="Zita", last_name="Nova")
    director = tournaments_permissions.director(tournament.club.created_by)
    log.act(tournament.pk, [("entrant.added", {"members": [member.public_id]})], by=director, request_id=uuid.uuid4())


def test_what_was_refused_stays_with_its_reason_while_the_evening_goes_on(page: Page, live_site: LiveSite) -> None:
    public_id, session = live_site.call(evening)
    page.context.add_cookies([{"name": "sessionid", "value": session, "url": live_site.url}])
    page.goto(f"{live_site.url}/e/{public_id}/prizes/plan/")
    things = page.get_by_label("Thing")
    things.nth(2).fill("a cake")
    page.get_by_label("Money 4").fill("lots")
    press(page.get_by_role("button", name="Keep these prizes"))
    reason = page.get_by_role("alert")
    expect(reason).to_contain_text("Write a sum in francs")
    expect(things.nth(2)).to_have_value("a cake")
    live_site.call(somebody_comes, public_id)
    with page.expect_response(lambda answer: answer.request.method == "GET" and answer.url.endswith("/prizes/plan/")):
        page.evaluate("htmx.trigger('#director', 'update')")
    page.wait_for_timeout(500)  # what came would long be in place
    expect(things.nth(2)).to_have_value("a cake", timeout=1_000)
    expect(reason).to_be_visible()
    page.get_by_label("Money 4").fill("20")
    press(page.get_by_role("button", name="Keep these prizes"))
    expect(reason).to_have_count(0)
    page.goto(f"{live_site.url}/e/{public_id}/prizes/plan/")
    expect(things.nth(2)).to_have_value("a cake")
