"""Phones in the hall, and the big screen, in a real browser: two phones at a table, a dead network, a screen that follows."""

from __future__ import annotations

import os
import re
import time
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import expect

from tests.live import PATIENCE, PHONE, held_back, serious, wait_until
from tests.long import looks
from tests.tournaments.live.kit import nobodys
from tests.tournaments.services.kit import Night, step_aside
from tournaments.models import Tournament
from tournaments.selectors import state_of
from tournaments.services import codes

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page, Route

    from tests.live import LiveSite

pytestmark = pytest.mark.browser

INSECURE = "Object.defineProperty(window, 'isSecureContext', {value: false});"
KEEPS_NOTHING = """for (const name of ["indexedDB", "localStorage"])
    Object.defineProperty(window, name, {get() { throw new Error("kept from us"); }});"""
# The sheet, its styles, and every script it works by lie where the service worker looks for them.
KEPT = """async (path) => {
    const parts = performance.getEntriesByType("resource").map(({ name }) => new URL(name).pathname);
    const needed = /[.]css$|[/]jsi18n[/]$|[/]js[/](live_entry[/]|live|site)/;
    const wanted = [path, ...parts.filter((part) => needed.test(part))];
    const found = await Promise.all(wanted.map((part) => caches.match(part, {ignoreVary: true})));
    return found.every((answer) => answer !== undefined);
}"""
FULL = """() => {
    IDBObjectStore.prototype.put = () => { throw new DOMException("full", "QuotaExceededError"); };
}"""


@pytest.fixture
def evening(live_site: LiveSite) -> dict[str, Any]:
    """A round of two tables that is being played; the addresses of its pages."""
    return live_site.call(make, 8)


def make(people: int) -> dict[str, Any]:
    """An evening of its own."""
    step_aside()
    night = Night.at(people, rules={"rounds": 3, "deals": 4}, odd=["five-dealer-out"], minutes=60, last_deal=10)
    night.begin()
    night.draw()
    night.do("clock.set", round="1.1", act="start")
    tournament, state = night.tournament, night.state
    base = f"/e/{tournament.public_id}"
    sides = [side[0] for side in night.table("1.1.1").sides]
    digits = codes.confirm_codes(tournament, state, "1.1.1")
    return {
        "id": tournament.public_id,
        "sides": [f"{base}/s/{codes.table_code(tournament, state, '1.1.1', place)}/" for place in sides],
        "digits": [digits[place] for place in sides],
        "nobodys": nobodys(digits),
        "screen": f"{base}/k/{codes.hall_code(tournament, state, 'screen')}/",
        "arrive": f"{base}/k/{codes.hall_code(tournament, state, 'arrive')}/",
    }


def ask(site: LiveSite, evening: dict[str, Any]) -> dict[str, Any]:
    """What the site has of table 1."""

    def found() -> dict[str, Any]:
        tournament = Tournament.objects.get(public_id=evening["id"])
        table = state_of(tournament).table("1.1.1")
        assert table is not None
        return {
            "lines": [[number, list(line.scores)] for number, line in table.lines],
            "state": table.state,
            "entered": tournament.events.filter(kind="deal.entered").count(),
        }

    return site.call(found)


def sound(page: Page) -> None:
    """Nothing serious for axe, nothing wider than the page."""
    assert serious(page) == []
    assert page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth") <= 0


def write(page: Page, points: int) -> None:
    """Write the deal that the form asks for."""
    page.locator("#s0").fill(str(points))
    expect(page.locator("#s1")).to_have_value(str(72 - points))
    page.get_by_role("button", name="Write this deal").click()


def written(page: Page, deal: int, points: int) -> None:
    """Wait until this page shows that the site has the deal: after that nothing is renewed under a finger."""
    expect(page.locator(f'.deal[data-deal="{deal}"]')).to_contain_text(re.compile(rf"{points}.* by ", re.DOTALL))


def picture(page: Page, name: str) -> None:
    """Keep a picture where somebody wants to look at it."""
    if folder := os.environ.get("PICTURES"):
        page.screenshot(path=f"{folder}/{name}.png", full_page=True)


@pytest.mark.parametrize("viewport", [PHONE])
def test_without_a_network_deals_wait_survive_a_reload_and_are_sent_once_each(
    page: Page, live_site: LiveSite, evening: dict[str, Any], viewport: dict[str, int]
) -> None:
    page.goto(live_site.url + evening["sides"][0])
    expect(page.locator("#keeping")).to_contain_text("it opens again")
    wait_until(page, KEPT, evening["sides"][0])
    wait_until(page, "navigator.serviceWorker.controller !== null")
    page.context.set_offline(True)
    for deal, points in enumerate((40, 36, 30), 1):
        expect(page.locator("#entry-title")).to_have_text(f"Deal {deal}")
        write(page, points)
    expect(page.locator("#queue-line")).to_contain_text("3 deals wait to be sent.")
    expect(page.locator(".side[data-own] .total")).to_have_text("106")
    picture(page, "hall-offline")
    sound(page)
    page.reload()
    expect(page.locator("#queue-line")).to_contain_text("3 deals wait to be sent.")
    expect(page.locator('.deal[data-deal="2"]')).to_have_attribute("data-waits", "")
    write(page, 50)
    page.get_by_role("button", name="Hand in").first.click()
    expect(page.locator("#queue-line")).to_contain_text("1 more message waits.")
    assert ask(live_site, evening)["lines"] == []
    page.context.set_offline(False)
    page.evaluate("window.dispatchEvent(new Event('online'))")
    expect(page.locator("#queue-line")).to_be_hidden()
    expect(page.get_by_text("Handed in. The other side")).to_be_visible()
    assert ask(live_site, evening) == {
        "lines": [[1, [40, 32]], [2, [36, 36]], [3, [30, 42]], [4, [50, 22]]],
        "state": "handed-in",
        "entered": 4,
    }


@pytest.mark.parametrize("viewport", [PHONE])
def test_an_answer_that_got_lost_is_asked_for_again_and_nothing_is_done_twice(
    page: Page, live_site: LiveSite, evening: dict[str, Any], viewport: dict[str, int]
) -> None:
    page.goto(live_site.url + evening["sides"][0])
    lost: list[str] = []

    def lose(route: Any) -> None:
        if len(lost) < 2:
            route.fetch()
            lost.append(route.request.post_data)
            route.abort()
        else:
            route.continue_()

    page.route("**/write/", lose)
    write(page, 40)
    end = time.monotonic() + PATIENCE
    for count in (1, 2):  # before that the queue may be hidden because nothing lies in it yet
        while len(lost) < count:
            assert time.monotonic() < end
            page.wait_for_timeout(50)
        page.evaluate("window.dispatchEvent(new Event('online'))")
    expect(page.locator("#queue-line")).to_be_hidden()
    assert len(set(lost)) == 1
    assert ask(live_site, evening)["entered"] == 1


@pytest.mark.parametrize("viewport", [PHONE])
def test_two_phones_write_dispute_and_agree(
    page: Page, browser: Browser, live_site: LiveSite, evening: dict[str, Any], viewport: dict[str, int]
) -> None:
    other = browser.new_context(viewport=PHONE, locale="en-GB", reduced_motion="reduce", color_scheme="dark").new_page()
    page.goto(live_site.url + evening["sides"][0])
    other.goto(live_site.url + evening["sides"][1])
    sound(page)
    write(page, 40)
    expect(other.locator('.deal[data-deal="1"]')).to_contain_text("40")  # by itself
    expect(other.locator("#entry-title")).to_have_text("Deal 2")
    other.context.set_offline(True)
    write(other, 30)
    expect(other.locator("#queue-line")).to_contain_text("1 deal waits")
    write(page, 36)  # the same deal, from the other side
    written(page, 2, 36)
    other.context.set_offline(False)
    other.evaluate("window.dispatchEvent(new Event('online'))")
    refused = other.locator("#queue-refused")
    expect(refused).to_contain_text("Deal 2: 30 : 42")  # nothing is dropped silently
    expect(refused).to_contain_text("written here in the meantime")
    expect(other.locator('.deal[data-deal="2"]')).to_contain_text("36")
    picture(other, "hall-refused")
    sound(other)
    other.get_by_role("button", name="Send it again").click()
    expect(page.locator('.deal[data-deal="2"]')).to_contain_text("30")
    for deal in (3, 4):
        write(page, 40)
        written(page, deal, 40)
    page.get_by_role("button", name="Hand in").first.click()
    expect(other.get_by_text("is it right?")).to_be_visible()
    picture(other, "hall-confirm")
    other.get_by_text("That is not right").click()
    other.locator('[name="d4-0"]').fill("35")
    other.locator('[name="d4-1"]').fill("37")
    other.get_by_role("button", name="Send our version").click()
    expect(page.get_by_text("has a different result")).to_be_visible()
    expect(page.get_by_text("35 : 37")).to_be_visible()
    picture(page, "hall-dispute")
    sound(page)
    sound(other)
    page.locator("#digits").fill(evening["nobodys"])
    page.get_by_role("button", name="That is right").click()
    expect(page.locator(".digits-say")).to_contain_text("not the digits")
    page.locator("#digits").fill(evening["digits"][1])
    page.get_by_role("button", name="That is right").click()
    for each in (page, other):
        expect(each.get_by_text("The sheet is confirmed.")).to_be_visible()
        expect(each.get_by_text(re.compile("rank . for now")).first).to_be_visible()
    picture(page, "hall-confirmed")


@pytest.mark.parametrize("viewport", [PHONE])
def test_who_hands_in_or_takes_back_by_keys_goes_on_where_it_is_told(
    page: Page, live_site: LiveSite, evening: dict[str, Any], viewport: dict[str, int]
) -> None:
    page.goto(live_site.url + evening["sides"][0])
    for deal in range(1, 5):
        write(page, 40)
        written(page, deal, 40)
    page.get_by_role("button", name="Hand in", exact=True).press("Enter")
    news = page.locator('[data-part="news"]')
    expect(news).to_contain_text("Handed in.")
    expect(news).to_be_focused()
    page.get_by_role("button", name="Take it back").press("Enter")
    expect(page.get_by_role("button", name="Hand in", exact=True)).to_be_visible()
    expect(page.locator('[data-part="entry"]')).to_be_focused()


@pytest.mark.parametrize("viewport", [PHONE])
def test_what_is_typed_while_a_deal_is_put_away_belongs_to_the_next(
    page: Page, live_site: LiveSite, evening: dict[str, Any], viewport: dict[str, int]
) -> None:
    page.goto(live_site.url + evening["sides"][0])
    write(page, 40)
    expect(page.locator("#entry-title")).to_have_text("Deal 2")
    page.evaluate("""() => {
        for (const points of ["41", "42"]) {  // faster than any device keeps what it is given
            const field = document.getElementById("s0");
            field.value = points;
            field.dispatchEvent(new Event("input", { bubbles: true }));
            document.getElementById("entry-send").click();
        }
    }""")
    expect(page.locator("#queue-line")).to_be_hidden()
    for deal, points in ((1, 40), (2, 41), (3, 42)):
        written(page, deal, points)
    expect(page.locator("#entry-title")).to_have_text("Deal 4")


@pytest.mark.parametrize("viewport", [PHONE])
def test_a_late_answer_does_not_take_a_deal_off_the_sheet_that_was_sent_since(
    page: Page, live_site: LiveSite, evening: dict[str, Any], viewport: dict[str, int]
) -> None:
    page.goto(live_site.url + evening["sides"][0])
    held: list[Route] = []
    page.route("**/since/**", lambda way: held.append(way))
    write(page, 40)
    late = held_back(page, held)
    answer = late.fetch()
    with page.expect_response(lambda sent: sent.request.method == "POST"):
        write(page, 41)
    expect(page.locator("#queue-line")).to_be_hidden()
    late.fulfill(response=answer)
    held_back(page, held, 1)  # the first one is in place
    expect(page.locator('.deal[data-deal="2"]')).to_contain_text("41")
    expect(page.locator("#entry-title")).to_have_text("Deal 3")
    for each in held[1:]:
        each.continue_()
    written(page, 2, 41)


@pytest.mark.parametrize("viewport", [PHONE])
@pytest.mark.slow
def test_a_button_stays_under_the_finger_while_the_other_phone_writes(
    page: Page, browser: Browser, live_site: LiveSite, evening: dict[str, Any], viewport: dict[str, int]
) -> None:
    other = browser.new_context(viewport=PHONE, locale="en-GB", reduced_motion="reduce").new_page()
    page.goto(live_site.url + evening["sides"][0])
    write(page, 40)
    written(page, 1, 40)
    other.goto(live_site.url + evening["sides"][1])
    change = page.locator('.deal[data-deal="1"]').get_by_role("link", name="Change")
    change.hover()
    with page.expect_response(lambda answer: "/since/" in answer.url and answer.status == 200) as answered:
        page.mouse.down()
        write(other, 36)
    answered.value.finished()
    page.wait_for_timeout(500)  # what came would long be in place
    expect(page.locator('.deal[data-deal="2"]')).not_to_contain_text("36")
    page.mouse.up()
    written(page, 2, 36)
    expect(page.locator("#entry-title")).to_have_text("Deal 1")  # chosen, and it stays in the form while others write
    write(other, 32)
    written(page, 3, 32)
    page.keyboard.type("30")
    expect(page.locator("#s1")).to_have_value("42")
    page.get_by_role("button", name="Change this deal").click()
    written(other, 1, 30)
    expect(other.locator("#entry-title")).to_have_text("Deal 4")


@pytest.mark.parametrize("viewport", [PHONE])
def test_what_a_full_device_does_not_keep_waits_in_the_page_and_is_sent(
    page: Page, live_site: LiveSite, evening: dict[str, Any], viewport: dict[str, int]
) -> None:
    page.goto(live_site.url + evening["sides"][0])
    expect(page.locator("#keeping")).to_contain_text("it opens again")
    page.evaluate(FULL)
    page.context.set_offline(True)
    write(page, 40)
    expect(page.locator("#queue-line")).to_contain_text("leave the page open until they are sent")
    expect(page.locator('.deal[data-deal="1"]')).to_contain_text("40")
    page.context.set_offline(False)
    page.evaluate("window.dispatchEvent(new Event('online'))")
    expect(page.locator("#queue-line")).to_be_hidden()
    written(page, 1, 40)


@pytest.mark.parametrize("viewport", [PHONE])
@pytest.mark.parametrize(
    ("without", "words"), [(INSECURE, "is not secure"), (KEEPS_NOTHING, "would be lost on closing")]
)
def test_the_page_says_what_would_not_survive_closing_it_and_sends_all_the_same(
    page: Page, live_site: LiveSite, evening: dict[str, Any], viewport: dict[str, int], without: str, words: str
) -> None:
    page.add_init_script(without)
    page.goto(live_site.url + evening["sides"][0])
    expect(page.locator("#keeping")).to_contain_text(words)
    page.context.set_offline(True)
    write(page, 40)
    expect(page.locator("#queue-line")).to_contain_text("1 deal waits to be sent.")
    expect(page.locator("#queue-line")).to_contain_text("leave")
    page.context.set_offline(False)
    page.evaluate("window.dispatchEvent(new Event('online'))")
    expect(page.locator("#queue-line")).to_be_hidden()
    assert ask(live_site, evening)["lines"] == [[1, [40, 32]]]


@pytest.mark.parametrize("viewport", [PHONE])
def test_a_wrong_sum_is_seen_before_it_is_sent(
    page: Page, live_site: LiveSite, evening: dict[str, Any], viewport: dict[str, int]
) -> None:
    page.goto(live_site.url + evening["sides"][0])
    page.locator("#s0").fill("40")
    page.locator("#s1").fill("33")
    page.get_by_role("button", name="Write this deal").click()
    expect(page.locator("#entry-says")).to_contain_text("adds up to 73; it should be 72")
    page.locator("#s0").fill("99")
    page.locator("#s1").fill("-27")
    page.get_by_role("button", name="Write this deal").click()
    expect(page.locator("#entry-says")).to_contain_text("No side can have 99 of 72 points")
    assert ask(live_site, evening)["entered"] == 0


@pytest.mark.parametrize(("viewport", "theme"), looks((PHONE, "light"), (PHONE, "dark")))
@pytest.mark.slow
def test_the_entrance_and_ones_own_page_are_sound(
    page: Page, live_site: LiveSite, evening: dict[str, Any], viewport: dict[str, int], theme: str
) -> None:
    page.emulate_media(color_scheme="dark" if theme == "dark" else "light", reduced_motion="reduce")
    page.goto(live_site.url + evening["arrive"])
    sound(page)
    page.get_by_label("Your name").fill("vorname3")
    page.locator("#found").get_by_role("button", name="Vorname3 Nachname3").click()
    expect(page.get_by_role("heading", name="Vorname3 Nachname3")).to_be_visible()
    sound(page)
    page.get_by_role("link", name="Open my page").click()
    expect(page.locator(".live-place")).to_contain_text("Table")
    sound(page)
    page.goto(live_site.url + evening["sides"][0].replace("/s/1-1-1-0-", "/s/1-1-1-0-x"))
    expect(page.get_by_role("heading", name="This code does not open anything")).to_be_visible()
    sound(page)


@pytest.mark.parametrize("viewport", [{"width": 1920, "height": 1080}])
@pytest.mark.slow
def test_the_screen_follows_by_itself_and_pages_turn(
    page: Page, browser: Browser, live_site: LiveSite, viewport: dict[str, int]
) -> None:
    evening = live_site.call(make, 57)
    page.goto(live_site.url + evening["screen"])
    expect(page.get_by_role("heading", name=re.compile("Where do I sit"))).to_be_visible()
    page.keyboard.press(" ")  # it does not turn by itself while one measures
    expect(page.locator("[data-key=' ']")).to_have_attribute("aria-pressed", "true")
    page.keyboard.press("1")  # it may have turned before
    expect(page.locator('[data-slide="names"] [data-page]')).to_have_text("1/2")
    assert page.evaluate("document.documentElement.scrollHeight - window.innerHeight") <= 0
    assert serious(page) == []
    shown = page.locator('[data-slide="names"] li').evaluate_all(
        "all => all.filter(one => { const at = one.getBoundingClientRect(); return at.left >= 0 && at.right <= innerWidth; }).length"
    )
    page.keyboard.press("ArrowRight")
    expect(page.locator('[data-slide="names"] [data-page]')).to_have_text("2/2")
    rest = page.locator('[data-slide="names"] li').evaluate_all(
        "all => all.filter(one => { const at = one.getBoundingClientRect(); return at.left >= 0 && at.right <= innerWidth; }).length"
    )
    assert shown + rest == 57  # everybody stands on one of the pages, nobody on both
    phones = [browser.new_context(viewport=PHONE, locale="en-GB").new_page() for _side in range(2)]
    for phone, address in zip(phones, evening["sides"], strict=True):
        phone.goto(live_site.url + address)
    for deal in (1, 2, 3, 4):
        write(phones[0], 40)
        written(phones[0], deal, 40)
    phones[0].get_by_role("button", name="Hand in").first.click()
    phones[1].get_by_role("button", name="That is right").click()
    expect(page.locator(".screen-foot")).to_contain_text(re.compile(r"1 of \d+ tables done"))
    page.keyboard.press("5")
    expect(page.get_by_role("heading", name=re.compile("Ranking for now"))).to_be_visible()
    picture(page, "screen-ranking")
    for phone in phones:
        phone.context.close()
