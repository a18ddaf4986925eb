"""Statistics in a real browser: sound on a phone and on a desk, in light and dark, by keyboard, from the preferences on."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from accounts import sessions
from benchmarks import played_hands
from games.analysis.models import Analysis, JudgedAction
from games.models import PlayedSeat
from tests.live import DESK, PHONE, press, serious
from tests.long import looks

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from tests.live import LiveSite

pytestmark = pytest.mark.browser


def lay() -> tuple[str, str]:
    """Anna has played some hundred hands; her token and her public id."""
    anna = played_hands.lay(240, 0)
    return sessions.issue_guest_token(anna), anna.public_id


def judge_all(anna: str) -> None:
    """Each hand of Anna's is analysed, with many decisions and a costly mistake."""
    for played in PlayedSeat.objects.filter(player__public_id=anna).select_related("hand"):
        analysis = Analysis.objects.create(hand=played.hand, status="done", players="1")
        JudgedAction.objects.bulk_create(
            JudgedAction(
                analysis=analysis, step=step, seat=played.seat, asked="play", trick=1, action="play C2", cost=123.4,
                error=0.1, exact=False, options=[],
            )
            for step in range(40)
        )  # fmt: skip


def sound(page: Page) -> None:
    assert serious(page) == []
    assert page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth") <= 0


@pytest.mark.usefixtures("whole_browser")
@pytest.mark.parametrize(("viewport", "theme"), looks((PHONE, "light"), (DESK, "dark")))
@pytest.mark.slow
def test_ones_statistics_are_chosen_read_and_kept_to_oneself(page: Page, live_site: LiveSite, viewport, theme) -> None:
    token, anna = live_site.call(lay)
    page.emulate_media(color_scheme=theme, reduced_motion="reduce")
    page.context.add_cookies([{"name": "guest", "value": token, "url": live_site.url}])
    page.goto(f"{live_site.url}/en/you/statistics/")
    expect(page.get_by_role("heading", level=1)).to_have_text("Your statistics")
    expect(page.get_by_role("img", name="Points per hand, month by month")).to_be_visible()
    expect(page.get_by_role("img", name="How often which score")).to_be_visible()
    sound(page)
    page.get_by_label("Time").select_option("quarter")
    press(page.get_by_role("button", name="Show"))
    expect(page).to_have_url(re.compile("period=quarter"))
    expect(page.get_by_label("Time")).to_have_value("quarter")
    press(page.get_by_role("region", name="With whom").get_by_role("link").first)
    expect(page).to_have_url(re.compile(f"/people/{anna}/statistics/with/.*period=quarter"))
    expect(page.get_by_role("region", name="Together and against each other").first).to_be_visible()
    sound(page)
    page.goto(f"{live_site.url}/en/you/preferences/#statistics")
    page.get_by_label("Who may see your statistics").select_option("only-me")
    press(page.get_by_role("region", name="Statistics").get_by_role("button", name="Save"))
    expect(page.get_by_label("Who may see your statistics")).to_have_value("only-me")
    page.context.clear_cookies()
    page.goto(f"{live_site.url}/en/people/{anna}/statistics/")
    expect(page.get_by_role("main")).to_contain_text("These statistics are not shown to you.")
    sound(page)


@pytest.mark.slow
def test_what_mistakes_cost_fits_the_narrowest_phone(page: Page, live_site: LiveSite) -> None:
    token, anna = live_site.call(lay)
    live_site.call(lambda: judge_all(anna))
    page.set_viewport_size({"width": 360, "height": 740})
    page.context.add_cookies([{"name": "guest", "value": token, "url": live_site.url}])
    for language in ("en", "de"):
        page.goto(f"{live_site.url}/{language}/you/statistics/")
        for region in page.locator(".table-scroll").all():
            wide = region.evaluate("(region) => region.scrollWidth - region.clientWidth")
            assert wide <= 0, f"{language}: {region.get_attribute('aria-label')} is {wide} px too wide"
