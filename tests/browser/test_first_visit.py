"""What the first visit of a table brings over the line, with nothing kept from before: docs/scale.md."""

from __future__ import annotations

import time
from operator import itemgetter
from typing import TYPE_CHECKING, Any, Final

import pytest

from tests.browser.table_player import seat
from tests.live import DESK, PATIENCE, PHONE

if TYPE_CHECKING:
    from playwright.sync_api import Browser

    from tests.live import LiveSite

pytestmark = pytest.mark.browser

QUIET: Final = 2.5  # seconds without anything asked for or come: some of it waits until the page is there
MOST_REQUESTS: Final = 30
MOST_BYTES: Final = 250_000


@pytest.mark.parametrize("viewport", [PHONE, DESK], ids=["phone", "desk"])
@pytest.mark.slow
def test_the_first_visit_of_a_table_is_light(browser: Browser, fresh_site: LiveSite, viewport: dict[str, int]) -> None:
    at_home = browser.new_context(viewport=viewport, locale="de-CH")
    address = seat(at_home.new_page(), fresh_site)
    context = browser.new_context(viewport=viewport, locale="de-CH")  # the same person's, where nobody has been here
    context.set_default_timeout(PATIENCE * 1000)
    context.add_cookies(at_home.cookies())
    at_home.close()
    page = context.new_page()
    devtools = context.new_cdp_session(page)
    devtools.send("Network.enable")
    named: dict[str, str] = {}
    came: dict[str, int] = {}
    under_way: set[str] = set()

    def asked(told: dict[str, Any]) -> None:
        named[told["requestId"]] = told["request"]["url"]
        under_way.add(told["requestId"])

    def answered(told: dict[str, Any]) -> None:
        # The end of what a script fetches and does not read is told when its answer is forgotten, which may be never.
        # (So "networkidle" may never come.)
        if told["type"] == "Fetch":
            under_way.discard(told["requestId"])

    def ended(told: dict[str, Any]) -> None:
        came[told["requestId"]] = int(told.get("encodedDataLength", 0))
        under_way.discard(told["requestId"])

    devtools.on("Network.requestWillBeSent", asked)
    devtools.on("Network.responseReceived", answered)
    devtools.on("Network.loadingFinished", ended)
    devtools.on("Network.loadingFailed", ended)
    page.goto(address)
    assert page.locator("#table").count() == 1
    end, since, seen = time.monotonic() + PATIENCE, time.monotonic(), 0
    while under_way or time.monotonic() - since < QUIET:
        assert time.monotonic() < end, f"it asks on and on: {[named[key] for key in under_way]}"
        page.wait_for_timeout(100)
        if len(named) != seen:
            since, seen = time.monotonic(), len(named)

    sizes: dict[str, int] = {}  # what is asked for again, because it has changed meanwhile, counts once
    for key, url in named.items():
        if url.startswith("http"):
            sizes[url] = max(sizes.get(url, 0), came.get(key, 0))
    told = "\n".join(f"{size:8} {url}" for url, size in sorted(sizes.items(), key=itemgetter(1), reverse=True))
    context.close()
    assert sum("/last-seen.json" in url for url in named.values()) == 1, "the list of games is kept once"
    print(f"{len(sizes)} requests, {sum(sizes.values())} bytes\n{told}")
    assert any("/deck/deck." in url and size > 50_000 for url, size in sizes.items()), "the cards are drawn"
    assert len(sizes) <= MOST_REQUESTS, told
    assert sum(sizes.values()) <= MOST_BYTES, told
