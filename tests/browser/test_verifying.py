"""The browser's verifier of packs, which shares no code with the engine."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.domain.engine.test_verifiers import MODULE, RUNNER, VECTORS

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page, Route

pytestmark = pytest.mark.browser

ORIGIN = "http://localhost:8150"


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """A page in a real browser, served from the files of this checkout (localhost, where browsers offer WebCrypto)."""
    good = VECTORS["deals"][1]
    shown = json.dumps({"proof": good["proof"], "pack": good["pack"]})
    exchanged = json.dumps({"proof": good["proof"], "pack": " ".join(reversed(good["pack"].split()))})
    document = (
        '<!doctype html><html lang="en"><title>Packs</title>'
        f"<section id='good' data-proof='{shown}'><button data-proof-check>Check</button></section>"
        f"<section id='bad' data-proof='{exchanged}'></section>"
        "<section id='torn' data-proof='{'></section>"
        '<script src="/catalog.js"></script><script type="module" src="/verify.js"></script></html>'
    )
    files = {
        "/": (document, "text/html"),
        "/verify.js": (MODULE.read_text(encoding="utf-8"), "text/javascript"),
        "/site.js": (MODULE.with_name("site.js").read_text(encoding="utf-8"), "text/javascript"),
        "/vectors.mjs": (RUNNER.read_text(encoding="utf-8"), "text/javascript"),
        "/catalog.js": ("globalThis.gettext = (text) => text;", "text/javascript"),
    }

    def serve(route: Route) -> None:
        body, kind = files.get(route.request.url.removeprefix(ORIGIN), ("", "text/plain"))
        route.fulfill(body=body, content_type=kind)

    page = browser.new_page()
    page.route("**/*", serve)
    page.goto(f"{ORIGIN}/")
    yield page
    page.close()


def test_module_agrees_with_every_vector_in_the_browser(page: Page) -> None:
    check = """async (vectors) => {
        const { failures } = await import("/vectors.mjs");
        return failures(await import("/verify.js"), vectors);
    }"""
    assert page.evaluate(check, VECTORS) == []


def test_page_checks_a_pack_when_its_button_is_pressed(page: Page) -> None:
    section = page.locator("#good")
    section.get_by_role("button", name="Check").click()
    expect(section.get_by_role("status")).to_contain_text("the pack that was committed to")
    expect(section).to_have_attribute("data-proof-state", "good")


def test_page_without_a_button_says_at_once_that_a_pack_is_wrong(page: Page) -> None:
    expect(page.locator("#bad")).to_have_attribute("data-proof-state", "bad")
    expect(page.locator("#bad").get_by_role("status")).to_contain_text("another pack")


def test_page_says_that_a_proof_is_damaged(page: Page) -> None:
    expect(page.locator("#torn").get_by_role("status")).to_contain_text("damaged")


def test_browser_contributes_sixteen_bytes_that_differ(page: Page) -> None:
    drawn = page.evaluate("""async () => {
        const { newEntropy } = await import("/site.js");
        return [newEntropy(), newEntropy()];
    }""")
    assert len({*drawn}) == 2
    assert [len(bytes.fromhex(text)) for text in drawn] == [16, 16]
