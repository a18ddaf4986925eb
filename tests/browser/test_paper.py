"""Public pages and paper of a tournament in a real browser: sound for axe, live, and of the right size when printed."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect
from pypdf import PdfReader

from tests.live import DESK, PHONE, serious
from tests.long import looks
from tests.tournaments.services.kit import Night
from tournaments.models import Tournament

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from tests.live import LiveSite

pytestmark = pytest.mark.browser


def evening() -> str:
    """An evening whose first round is half played; its id."""
    night = Night.at(9, rules={"rounds": 3, "deals": 2}, odd=["five-dealer-out"])
    night.begin()
    night.draw()
    night.play("1.1.1")
    return night.tournament.public_id


def go_on(public_id: str) -> None:
    """The round ends, and the next one is drawn."""
    tournament = Tournament.objects.get(public_id=public_id)
    president = tournament.club.members.get(role="president").player
    assert president is not None
    night = Night(tournament.club, tournament, president)
    night.play("1.1.2")
    night.do("round.closed", round="1.1")
    night.draw()


def sound(page: Page) -> None:
    """Nothing serious for axe, nothing wider than the page."""
    assert serious(page) == []
    assert page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth") <= 0


@pytest.mark.slow
def test_pages_are_sound_follow_the_evening_and_print(page: Page, live_site: LiveSite) -> None:
    tournament = live_site.call(evening)
    base = f"{live_site.url}/e/{tournament}/"
    for viewport, theme in looks((PHONE, "light"), (DESK, "dark")):
        page.set_viewport_size(viewport)
        page.emulate_media(color_scheme="dark" if theme == "dark" else "light", reduced_motion="reduce")
        for path in ("", "?who=v", "standings/", "entrant/e1/", "draws/", "paper/ranking/", "paper/seating/"):
            page.goto(f"{base}{path}")
            sound(page)
    page.goto(base)
    expect(page.get_by_role("heading", name="Round 1")).to_be_visible()
    live_site.call(go_on, tournament)
    # Another process wrote it, whose bell this one does not hear: the page compares when it comes into view.
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    expect(page.get_by_role("heading", name="Round 2")).to_be_visible(timeout=90_000)
    page.goto(f"{base}paper/seating/?by=table")
    made = PdfReader(io.BytesIO(page.pdf(prefer_css_page_size=True)))
    assert len(made.pages) == 1
    text = made.pages[0].extract_text()
    assert "Round 2" in text
    assert "Print" not in text
