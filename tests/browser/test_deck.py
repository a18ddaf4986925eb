"""The deck's pictures in a real browser. The site of other browser tests shows blank paper in their place (`tests/live.py`)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from django.conf import settings

from tests.live import on_blank_paper

if TYPE_CHECKING:
    from playwright.sync_api import Page, Route

    from tests.live import LiveSite

DECK = settings.BASE_DIR / "static" / "deck" / "deck.svg"
CODES = ("F", "T1", "T21", "CK", "O2", "S10", "BJ", "back")
LAY = """(codes) => {
    const first = document.querySelector("svg.card");
    const row = document.createElement("main");
    for (const [place, code] of codes.entries()) {
        const card = first.cloneNode(true);
        const use = card.querySelector("use");
        use.setAttribute("href", use.getAttribute("href").replace(/#.*/, `#${code}`));
        card.id = `card-${code}`;
        Object.assign(card.style, { position: "fixed", top: "20px", left: `${20 + 160 * place}px`, width: "60px", height: "108px" });
        row.append(card);
    }
    document.body.replaceChildren(row);
}"""

pytestmark = pytest.mark.browser


def pictures(page: Page, site: LiveSite, deck: str) -> list[bytes]:
    """What a page of the site shows of some cards, if this is the deck's file."""
    asked: list[str] = []

    def answer(route: Route) -> None:
        asked.append(route.request.url)
        route.fulfill(body=deck, content_type="image/svg+xml")

    page.route("**/deck/deck.*.svg", answer)
    page.goto(f"{site.url}/en/")
    page.evaluate(LAY, list(CODES))
    page.wait_for_load_state("networkidle")
    assert asked
    shown = [page.locator(f"#card-{code}").screenshot() for code in CODES]
    page.unroute("**/deck/deck.*.svg")
    return shown


def test_the_pictures_are_drawn_within_the_policy(page: Page, live_site: LiveSite) -> None:
    drawn = pictures(page, live_site, DECK.read_text(encoding="utf-8"))
    assert len(set(drawn)) == len(CODES), "each is another one"


def test_blank_paper_has_every_card_and_nothing_on_it(page: Page, live_site: LiveSite) -> None:
    deck = DECK.read_text(encoding="utf-8")
    blank = on_blank_paper(deck)
    assert blank.count("<symbol ") == deck.count("<symbol ") == 79
    assert len(set(pictures(page, live_site, blank))) == 1
