"""Finding people in a real browser: a wish by one press, an appointment, and pages that are sound in both sizes and languages."""

from __future__ import annotations

import os
import re
import uuid
from datetime import timedelta
from typing import TYPE_CHECKING

import pytest
from django.utils import timezone
from playwright.sync_api import expect

from games.meeting.services import alerts, appointments, wishes
from games.meeting.services.appointments import Plan
from games.meeting.services.wishes import WishTerms
from tests.games.lobby_kit import lay, member
from tests.live import DESK, PHONE, press, serious, session_of
from tests.long import looks

if TYPE_CHECKING:
    from playwright.sync_api import BrowserContext, Page

    from tests.live import LiveSite

pytestmark = pytest.mark.browser
PAGES = ("meeting/", "meeting/wish/", "meeting/appointments/new/", "meeting/alerts/", "", "tables/", "my-games/")


def crowd() -> tuple[str, str]:
    """Some who wait, an open table, an appointment; a session of somebody who wished, and the appointment's address."""
    anna, beat, carla = member("Anna"), member("Beat"), member("Carla")
    for player in (anna, beat):
        wishes.make(player, WishTerms(["troccas", "troccas-6"], ["day", "slow"], languages=["de", "rm-sursilv"]))
    wishes.make(carla, WishTerms(["troggu"], ["day"], sizes=[5]))
    alerts.make(anna, games=["troccas"], pace="days")
    lay(beat, language="de", note="With talk, please")
    at = (timezone.now() + timedelta(days=3)).replace(hour=19, minute=0, second=0, microsecond=0)
    plan = Plan("troccas", 4, 2, "live", at, "de", "Bring your own wine")
    planned = appointments.propose(beat, plan, request_id=uuid.uuid4())
    appointments.answer(carla, planned.public_id, comes=True)
    return session_of(anna.user), planned.public_id


def sign_in(context: BrowserContext, site: LiveSite, session: str) -> None:
    context.add_cookies([{"name": "sessionid", "value": session, "url": site.url}])


def picture(page: Page, name: str) -> None:
    if place := os.environ.get("PICTURES"):
        page.screenshot(path=f"{place}/{name}.png", full_page=True)


@pytest.mark.parametrize(("viewport", "theme"), looks((PHONE, "light"), (DESK, "dark")))
@pytest.mark.slow
def test_every_page_is_sound(page: Page, live_site: LiveSite, viewport: dict[str, int], theme: str) -> None:
    session, planned = live_site.call(crowd)
    sign_in(page.context, live_site, session)
    page.emulate_media(color_scheme="dark" if theme == "dark" else "light", reduced_motion="reduce")
    for language in ("en", "de"):
        for path in (*PAGES, f"meeting/appointments/{planned}/"):
            page.goto(f"{live_site.url}/{language}/{path}")
            picture(page, f"{viewport['width']}-{theme}-{language}-{path.replace('/', '_')}")
            assert serious(page) == []
            assert page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth") <= 0


@pytest.mark.parametrize("viewport", [PHONE])
def test_one_press_says_yes_and_one_makes_a_wish(page: Page, live_site: LiveSite, viewport: dict[str, int]) -> None:
    session, _planned = live_site.call(crowd)
    sign_in(page.context, live_site, session)
    page.goto(f"{live_site.url}/en/")
    press(page.get_by_role("button", name="I am coming"))
    expect(page.get_by_text("You said that you are coming. You are reminded")).to_be_visible()
    page.goto(f"{live_site.url}/en/")
    press(page.get_by_role("button", name="Find me a seat"))
    expect(page.get_by_text("Your wish is noted.")).to_be_visible()
    expect(page.get_by_text(re.compile("Troccas, 4 players: .* needed")).first).to_be_visible()
