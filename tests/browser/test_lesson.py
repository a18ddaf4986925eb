"""The guided hands in a real browser: played to the end by the teacher's suggestions, on phones, and without script."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.browser.table_player import SOON, hurry, reload_until_turn
from tests.live import PHONE, press, serious
from tests.long import looks, quick

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

    from tests.live import LiveSite

SMALL = {"width": 360, "height": 740}
pytestmark = [pytest.mark.browser, pytest.mark.parametrize("viewport", [PHONE])]

# What is looked at whenever the learner has something to do: in one step, as there are forty such moments.
LOOK = """() => {
    const { number, status, yours } = document.getElementById("table").dataset;
    const lesson = document.querySelector(".lesson");
    const low = (found) => Math.max(0, ...[...document.querySelectorAll(found)].map((one) => one.getBoundingClientRect().bottom));
    const hint = lesson.querySelector(".lesson-hint form");
    return {
        number, status, yours, topic: lesson.dataset.topic,
        waits: Boolean(document.querySelector(".lesson-go-on")),
        hidden: !hint || !hint.checkVisibility(),
        wide: document.documentElement.scrollWidth,
        low: low(".held"), answers: low(".ask-panel:not(:has([data-many])) .answer"), told: low(".lesson form, .lesson-go-on"),
    };
}"""
CUT_CARD_COVERS = """() => {
    const parts = (found) => [...document.querySelectorAll(found)]
        .filter((one) => one.checkVisibility() && getComputedStyle(one).clipPath === "none").map((one) => [one, one.getBoundingClientRect()]);
    const others = parts(".board :is(.plate, .counts, .face-up)");
    return parts(".cut-card :is(.card, figcaption)").flatMap(([, at]) => others
        .filter(([, other]) => Math.min(at.right, other.right) - Math.max(at.left, other.left) > 1
            && Math.min(at.bottom, other.bottom) - Math.max(at.top, other.top) > 1).map(([one]) => one.className + one.textContent));
}"""
# The page may hear that it is our turn before it has the answer to what we did last; until then it takes nothing new.
TO_DO = """(number) => {
    const table = document.getElementById("table");
    const asked = table.dataset.yours === "yes" || table.dataset.status !== "playing" || table.querySelector(".lesson-go-on");
    return asked && table.dataset.number !== number && table.getAttribute("aria-busy") !== "true";
}"""


def begin(page: Page, site: LiveSite, game: str = "Troccas") -> None:
    page.goto(f"{site.url}/en/")
    press(page.get_by_role("button", name=f"Learn {game} in one hand"))
    page.get_by_role("heading", name=f"Learn {game} by playing it").wait_for()
    hurry(site)
    page.get_by_role("button", name="Begin", exact=True).click()
    page.get_by_role("heading", name="You cut the pack").wait_for()


def follow(page: Page) -> None:
    """Ask for the suggestion and do it."""
    page.locator(".lesson-hint > summary").click()
    assert page.locator(".lesson-hint b").inner_text().strip()
    page.get_by_role("button", name="Do that").click()


def played_to_the_end(page: Page, size: dict[str, int], looked_at: tuple[str, ...] = ()) -> list[str]:
    """Play by the suggestions, reading what stands there; its topics. All cards are in view whenever one is asked."""
    told: list[str] = []
    number = ""
    while True:
        page.wait_for_function(TO_DO, arg=number, polling=SOON)
        seen = page.evaluate(LOOK)
        number, topic = seen["number"], seen["topic"]
        if seen["status"] != "playing":
            return told
        if topic in looked_at:
            assert serious(page) == [], topic
        if topic != "own":
            assert topic not in told, "nothing is explained twice"
        assert seen["hidden"], "the suggestion waits to be asked for"
        assert seen["wide"] <= size["width"]
        assert max(seen["low"], seen["answers"], seen["told"]) <= size["height"], topic
        told.append(topic)
        if seen["waits"]:
            page.get_by_role("button", name="Go on", exact=True).click()
        else:
            follow(page)


@pytest.mark.slow
def test_the_lesson_is_played_to_its_end_by_its_suggestions(page: Page, live_site: LiveSite) -> None:
    begin(page, live_site)
    assert serious(page) == []
    told = played_to_the_end(page, PHONE, looks("follow", "dealing", "talk", "pair", "call"))
    assert {"dealing", "scart-watch", "follow", "trump", "excuse", "pair", "smear", "jack-came"} <= set(told)
    assert page.locator(".lesson-count dd").last.inner_text().startswith("+")
    assert serious(page) == []
    press(page.get_by_role("button", name="Now play a whole game"))
    page.get_by_role("button", name="Draw and begin").wait_for()
    page.goto(f"{live_site.url}/en/")
    expect(page.get_by_role("button", name="Show me how")).to_have_count(0)


def test_on_a_small_phone_the_first_text_is_whole_and_no_card_lies_on_another_or_on_a_name(
    page: Page, live_site: LiveSite
) -> None:
    page.set_viewport_size({"width": SMALL["width"], "height": SMALL["height"]})
    page.goto(f"{live_site.url}/de/")
    press(page.get_by_role("button", name="Troccas in einer Hand lernen"))
    page.get_by_role("heading", name="Troccas lernen beim Spielen").wait_for()
    hurry(live_site)
    text = page.locator(".lesson-text")
    assert text.evaluate("(one) => one.scrollHeight - one.clientHeight") <= 1
    page.get_by_role("button", name="Anfangen", exact=True).click()
    page.get_by_role("heading", name="Du hebst ab").wait_for()
    number, topic = "", ""
    while topic != "scart-watch":
        page.wait_for_function(TO_DO, arg=number, polling=SOON)
        seen = page.evaluate(LOOK)
        number, topic = seen["number"], seen["topic"]
        assert page.evaluate(CUT_CARD_COVERS) == [], topic
        if seen["waits"]:
            page.get_by_role("button", name="Weiter", exact=True).click()
        else:
            page.locator(".lesson-hint > summary").click()
            page.locator(".lesson-hint form button").click()


@pytest.mark.slow
@pytest.mark.parametrize("size", quick({"small"}, ["small", "phone"]))
def test_the_lesson_of_troggu_is_played_to_its_end_by_its_suggestions(
    page: Page, live_site: LiveSite, size: str
) -> None:
    window = {"small": SMALL, "phone": PHONE}[size]
    page.set_viewport_size({"width": window["width"], "height": window["height"]})
    begin(page, live_site, "Troggu")
    told = played_to_the_end(page, window, looks("partner", "bidding", "bid"))
    assert {"bidding", "bid", "discard", "partner", "high-fool", "partner-shown"} <= set(told)
    assert page.locator(".lesson-count dd").last.inner_text().startswith("+")


def test_by_keys_the_suggestion_takes_the_focus_of_what_asked_for_it(page: Page, live_site: LiveSite) -> None:
    begin(page, live_site)
    page.locator(".lesson-hint > summary").press("Enter")
    expect(page.get_by_role("button", name="Do that")).to_be_focused()
    expect(page.get_by_role("button", name="Do that")).to_have_accessible_description(re.compile("Lift"))


@pytest.mark.slow
def test_the_lesson_works_without_script(browser: Browser, viewport: dict[str, int], live_site: LiveSite) -> None:
    context = browser.new_context(viewport=viewport, java_script_enabled=False, locale="en-GB")
    page = context.new_page()
    begin(page, live_site)
    follow(page)
    page.get_by_role("heading", name="Cards and talk").wait_for()
    press(page.get_by_role("button", name="Go on", exact=True))
    assert reload_until_turn(page).yours
    assert page.get_attribute(".lesson", "data-topic") in ("talk", "follow")
    context.close()
