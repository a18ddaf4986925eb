"""The site on a phone without a network, in a real browser with the real service worker: it opens, and tells the truth."""

from __future__ import annotations

import json
import os
import re
import time
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import expect

from domain.engine import CODES
from games.models import Action, Game
from tests.browser.table_player import act_by_mouse, seat, wait_for_turn
from tests.browser.test_mine import lay
from tests.browser.test_push import sign_up
from tests.games import table_kit
from tests.live import PATIENCE, PHONE, press, serious, wait_until
from tests.long import looks

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from tests.live import LiveSite

pytestmark = [pytest.mark.browser, pytest.mark.parametrize("viewport", [PHONE])]

LIST = "/my-games/last-seen.json"
IS_KEPT = f"async () => Boolean(await caches.match('{LIST}', {{ignoreVary: true}}))"
WORKS = "() => navigator.serviceWorker.controller !== null"
# Every cache with every address and text in it; files of letters and pictures by their addresses alone.
ALL = """async () => {
    const all = [];
    for (const name of await caches.keys()) {
        const cache = await caches.open(name);
        for (const request of await cache.keys()) {
            const answer = await cache.match(request, {ignoreVary: true});
            const kind = answer.headers.get("Content-Type");
            const text = /font|image/.test(kind) ? "" : await answer.text();
            all.push({cache: name, path: new URL(request.url).pathname, text});
        }
    }
    return all;
}"""


def kept(page: Page) -> list[dict[str, Any]]:
    """All that the worker and the pages have put away on this device."""
    found: list[dict[str, Any]] = page.evaluate(ALL)
    return found


def until_kept(page: Page) -> None:
    """Wait until this device has the list."""
    wait_until(page, IS_KEPT)


def without_network(page: Page, address: str) -> None:
    """Open an address when there is no network."""
    page.context.set_offline(True)
    page.goto(address)
    expect(page.get_by_role("heading", level=1)).to_have_text("You are offline")


@pytest.mark.parametrize("theme", looks("light", "dark"))
def test_without_a_network_the_app_opens_and_says_what_it_knows_and_since_when(
    page: Page, live_site: LiveSite, viewport, theme
) -> None:
    page.emulate_media(color_scheme=theme, reduced_motion="reduce")
    lay(page, live_site)
    page.goto(live_site.url + "/en/my-games/")
    until_kept(page)
    titles = page.locator("#my-games .title").all_inner_texts()
    for path in ("/", "/en/rules/"):
        without_network(page, live_site.url + path)
        expect(page.locator("#seen-at")).to_have_text(
            re.compile(r"^Your games as last seen on \w+, \d+ \w+, \d\d:\d\d$")
        )
        expect(page.locator("#last-seen .title")).to_have_text(titles)
        expect(page.get_by_text("You cannot play, write or read anything new just now.")).to_be_visible()
        expect(page.locator("#last-seen a")).to_have_count(0)
        assert serious(page) == []
        assert page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth") <= 0
        # Its letters and its mark came from this device, too.
        assert page.evaluate("document.fonts.ready.then(() => document.fonts.check('1em \"Troccas Serif\"'))")
    if folder := os.environ.get("PICTURES"):
        page.screenshot(path=f"{folder}/offline-{theme}.png", full_page=True)
    page.goto(live_site.url + "/de/rules/")
    expect(page.locator("html")).to_have_attribute("lang", "de")
    page.goto(live_site.url + "/en/rules/")
    page.context.set_offline(False)
    expect(page.get_by_role("heading", level=1)).not_to_have_text("You are offline")  # it goes on by itself
    expect(page.locator(".site-header .my-games")).to_be_visible()


@pytest.mark.slow
def test_where_the_site_is_down_it_does_not_say_that_the_phone_is(page: Page, fresh_site: LiveSite, viewport) -> None:
    lay(page, fresh_site)
    page.goto(fresh_site.url + "/en/my-games/")
    until_kept(page)
    fresh_site.kill()
    page.goto(fresh_site.url + "/en/my-games/")
    expect(page.get_by_role("heading", level=1)).to_have_text("The site does not answer")
    expect(page.locator("#last-seen .title")).to_have_count(3)
    fresh_site.start()
    expect(page.get_by_role("heading", name="My games")).to_be_visible(timeout=2 * PATIENCE * 1000)


def test_no_card_is_ever_kept_on_the_device(page: Page, live_site: LiveSite, viewport) -> None:
    table = seat(page, live_site)
    after = -1
    hand: set[str] = set()
    for _trick in range(2):
        asked = wait_for_turn(page, after)
        hand |= set(page.locator("[data-card]").evaluate_all("parts => parts.map(part => part.dataset.card)"))
        act_by_mouse(page)
        after = asked.number
    assert hand, "somebody was dealt cards"
    until_kept(page)
    page.goto(live_site.url + "/en/my-games/")
    page.goto(table)
    wait_for_turn(page)
    found = kept(page)
    assert {entry["cache"].partition("-")[0] for entry in found} == {"shell", "last"}
    places = {entry["path"] for entry in found}
    assert not [path for path in places if not re.fullmatch(r"/static/.*|/[\w-]+/offline/|" + re.escape(LIST), path)]
    assert not [path for path in places if "deck" in path]
    told = next(json.loads(entry["text"]) for entry in found if entry["path"] == LIST)
    words = set(re.findall(r"\w+", told["html"]))
    assert not words & set(CODES)
    held = page.locator("button.held .visually-hidden").all_text_contents()
    names = {name.partition(",")[0].strip() for name in held} - {""}
    assert names
    texts = " ".join(entry["text"] for entry in found if entry["path"] == LIST or entry["path"].endswith("/offline/"))
    # A trump's name may be its number alone, and "X" or "V" stands in any text: those are whole words or nothing.
    assert not [name for name in names if len(name) > 4 and re.search(rf"(?<!\w){re.escape(name)}(?!\w)", texts)]
    # Without a network the table itself is not shown either, but that there is none.
    without_network(page, table)
    expect(page.locator("#table")).to_have_count(0)
    expect(page.locator("#last-seen .title")).to_have_count(1)


HANDS = "async () => (await (await caches.match('%s', {ignoreVary: true}))?.json())?.hands === %s"


def keep_games(page: Page, site: LiveSite) -> None:
    """Choose under “My games” that hands are kept on this device, and wait until they are."""
    page.goto(site.url + "/en/my-games/")
    until_kept(page)
    page.get_by_label("Keep my games on this device").check()
    wait_until(page, HANDS % (LIST, "true"))


def moves_of(site: LiveSite, table: str) -> int:
    """How many cards its person has played in a game."""
    public_id = table.rstrip("/").rpartition("/")[2]
    return site.call(lambda: Action.objects.filter(game__public_id=public_id, player__computer="", kind="move").count())


def lay_ahead(page: Page, site: LiveSite) -> str:
    """Without a network read the hand, and lay its first card that may be played; its name."""
    without_network(page, site.url + "/en/my-games/")
    page.get_by_text("Your hand and the table").click()
    assert serious(page) == []
    assert page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth") <= 0
    button = page.locator(".own-cards button").first
    name = button.inner_text()
    button.click()
    expect(page.locator(".laid")).to_contain_text(f"Laid, and not sent yet: {name}")
    if folder := os.environ.get("PICTURES"):
        page.screenshot(path=f"{folder}/laid.png", full_page=True)
    page.goto(site.url + "/en/rules/")  # it stays when another page is tried
    expect(page.locator(".laid")).to_contain_text(name)
    return name


@pytest.mark.slow
def test_where_it_was_chosen_the_hand_is_read_without_a_network_and_a_card_laid_there_is_played_once(
    page: Page, live_site: LiveSite, viewport
) -> None:
    table = seat(page, live_site)
    keep_games(page, live_site)
    before = moves_of(live_site, table)
    name = lay_ahead(page, live_site)
    page.context.set_offline(False)
    told = page.locator(".laid-told")
    expect(told).to_have_text(f"{name}, which you laid without a connection, was played.", timeout=2 * PATIENCE * 1000)
    assert moves_of(live_site, table) == before + 1
    page.goto(table)
    wait_for_turn(page)
    expect(told).to_have_count(0)
    assert moves_of(live_site, table) == before + 1


@pytest.mark.slow
def test_where_the_table_has_moved_on_a_card_laid_without_a_network_is_not_played_and_it_says_so(
    page: Page, live_site: LiveSite, viewport
) -> None:
    table = seat(page, live_site)
    public_id = table.rstrip("/").rpartition("/")[2]
    keep_games(page, live_site)
    name = lay_ahead(page, live_site)

    def play_elsewhere() -> None:
        game = Game.objects.get(public_id=public_id)
        player = game.seats.get(player__computer="").player
        table_kit.submit(game, player, table_kit.advised(game, player))

    live_site.call(play_elsewhere)
    before = moves_of(live_site, table)
    page.context.set_offline(False)
    expect(page.locator(".laid-told")).to_contain_text(
        f"The table has moved on since you laid {name} without a connection, so nothing was played.",
        timeout=2 * PATIENCE * 1000,
    )
    assert moves_of(live_site, table) == before


def test_the_choice_is_taken_back_and_the_hands_go(page: Page, live_site: LiveSite, viewport) -> None:
    seat(page, live_site)
    keep_games(page, live_site)
    page.get_by_label("Keep my games on this device").uncheck()
    wait_until(page, HANDS % (LIST, "false"))
    without_network(page, live_site.url + "/en/my-games/")
    expect(page.locator("#last-seen .title")).to_have_count(1)
    expect(page.get_by_text("Your cards are not kept on this device")).to_be_visible()
    expect(page.get_by_text("Your hand and the table")).to_be_hidden()


@pytest.mark.usefixtures("whole_browser")
@pytest.mark.slow
def test_who_signs_out_leaves_nothing_on_the_device(page: Page, live_site: LiveSite, viewport) -> None:
    sign_up(page, live_site, "Gieri")
    page.goto(live_site.url + "/en/fair/")
    until_kept(page)
    wait_until(page, WORKS)
    page.goto(live_site.url + "/en/my-games/")
    assert "Gieri" in page.content()
    page.goto(live_site.url + "/en/account/logout/")
    press(page.get_by_role("main").get_by_role("button", name="Sign out"))
    wait_until(page, f"async () => !(await ({IS_KEPT})())")
    assert "Gieri" not in str(kept(page))
    for _page in range(3):
        page.go_back()
        page.wait_for_load_state()
        assert "Gieri" not in page.content(), page.url
    without_network(page, live_site.url + "/en/my-games/")
    expect(page.get_by_text("No games of yours are kept on this device.")).to_be_visible()
    expect(page.locator("#last-seen")).to_be_hidden()
    if folder := os.environ.get("PICTURES"):
        page.screenshot(path=f"{folder}/nothing-kept.png", full_page=True)


@pytest.mark.usefixtures("whole_browser")
@pytest.mark.slow
def test_who_signs_out_gets_no_messages_on_this_device_any_more(page: Page, live_site: LiveSite, viewport) -> None:
    """A browser of a test gets no messages from anywhere: so the worker is given a subscription that says whether it ended."""
    sign_up(page, live_site, "Gion")
    page.goto(live_site.url + "/en/fair/")
    wait_until(page, WORKS)
    page.goto(live_site.url + "/en/account/logout/")
    (worker,) = page.context.service_workers
    subscribed = (
        "PushManager.prototype.getSubscription = async () => ({ unsubscribe: async () => (self.ended = true) })"
    )
    worker.evaluate(f"() => {{ self.ended = false; {subscribed}; }}")
    press(page.get_by_role("main").get_by_role("button", name="Sign out"))
    end = time.monotonic() + PATIENCE
    while not worker.evaluate("() => self.ended"):
        assert time.monotonic() < end, "messages go on"
        page.wait_for_timeout(50)


@pytest.mark.usefixtures("whole_browser")
@pytest.mark.slow
def test_who_was_signed_out_elsewhere_leaves_nothing_after_the_next_page(
    page: Page, live_site: LiveSite, viewport
) -> None:
    lay(page, live_site)
    page.goto(live_site.url + "/en/my-games/")
    until_kept(page)
    page.context.clear_cookies()
    page.goto(live_site.url + "/en/fair/")
    wait_until(page, f"async () => !(await ({IS_KEPT})())")


@pytest.mark.usefixtures("whole_browser")
@pytest.mark.slow
def test_another_player_on_the_same_device_never_sees_the_list_before(
    page: Page, live_site: LiveSite, viewport
) -> None:
    lay(page, live_site)
    page.goto(live_site.url + "/en/my-games/")
    until_kept(page)
    before = page.evaluate(f"async () => (await (await caches.match('{LIST}', {{ignoreVary: true}})).json()).player")
    page.context.clear_cookies()
    lay(page, live_site)
    page.goto(live_site.url + "/en/my-games/")
    wait_until(
        page,
        f"""async (before) => {{
            const kept = await caches.match('{LIST}', {{ignoreVary: true}});
            return kept && (await kept.json()).player !== before;
        }}""",
        arg=before,
    )


@pytest.mark.usefixtures("whole_browser")
def test_the_icon_says_how_many_games_wait_and_nothing_after_signing_out(
    page: Page, live_site: LiveSite, viewport
) -> None:
    page.add_init_script(
        """navigator.setAppBadge = async (count) => { window.badge = count; };
        navigator.clearAppBadge = async () => { window.badge = 0; };"""
    )
    lay(page, live_site)
    page.goto(live_site.url + "/en/fair/")
    wait_until(page, "window.badge === 3")
    until_kept(page)
    page.context.clear_cookies()
    page.goto(live_site.url + "/en/fair/")
    wait_until(page, "window.badge === 0")


def test_a_message_brings_the_number_on_the_icon_up_to_date(browser, live_site: LiveSite, viewport) -> None:
    context = browser.new_context(viewport=PHONE, locale="en-GB", permissions=["notifications"])
    try:
        page = context.new_page()
        lay(page, live_site)
        page.goto(live_site.url + "/en/fair/")
        until_kept(page)
        (worker,) = context.service_workers
        worker.evaluate("() => { navigator.setAppBadge = async (count) => { self.badge = count; }; }")
        devtools = context.new_cdp_session(page)
        known: list[str] = []
        devtools.on(
            "ServiceWorker.workerRegistrationUpdated",
            lambda event: known.extend(entry["registrationId"] for entry in event["registrations"]),
        )
        devtools.send("ServiceWorker.enable")
        end = time.monotonic() + PATIENCE
        while not known and time.monotonic() < end:
            page.wait_for_timeout(50)
        told = {"origin": live_site.url, "registrationId": known[-1], "data": json.dumps({"title": "Your turn"})}
        devtools.send("ServiceWorker.deliverPushMessage", told)
        while worker.evaluate("() => self.badge ?? 0") != 3:
            assert time.monotonic() < end
            page.wait_for_timeout(100)
    finally:
        context.close()


def test_the_offline_page_itself_leads_on_to_the_site(page: Page, live_site: LiveSite, viewport) -> None:
    page.goto(live_site.url + "/en/offline/", wait_until="commit")
    page.wait_for_url(live_site.url + "/en/")


def offered(page: Page) -> None:
    """What a browser does that could install the site."""
    page.evaluate(
        """() => {
            const event = new Event("beforeinstallprompt", {cancelable: true});
            event.prompt = async () => { window.prompted = true; };
            event.userChoice = Promise.resolve({outcome: "accepted"});
            window.dispatchEvent(event);
            return event.defaultPrevented;
        }"""
    )


def test_the_home_screen_is_offered_on_the_second_day_and_never_again_to_who_declines(
    page: Page, live_site: LiveSite, viewport
) -> None:
    page.goto(live_site.url + "/en/fair/")
    hint = page.locator("#install")
    offered(page)
    wait_until(page, "JSON.parse(localStorage.getItem('install'))?.days === 1")
    expect(hint).to_be_hidden()
    page.evaluate("localStorage.setItem('install', JSON.stringify({day: '2020-01-01', days: 1}))")
    page.reload()
    wait_until(page, "JSON.parse(localStorage.getItem('install'))?.days === 2")
    expect(hint).to_be_hidden()  # a browser that cannot
    offered(page)
    expect(hint).to_be_visible()
    expect(hint.get_by_text("In Safari")).to_be_hidden()
    assert serious(page) == []
    box = hint.bounding_box()
    assert box is not None
    assert 8 <= box["x"] <= box["x"] + box["width"] <= PHONE["width"] - 8
    if folder := os.environ.get("PICTURES"):
        hint.scroll_into_view_if_needed()
        page.screenshot(path=f"{folder}/install.png")
    page.get_by_role("button", name="No, do not ask again").click()
    expect(hint).to_be_hidden()
    page.reload()
    offered(page)
    assert page.evaluate("JSON.parse(localStorage.getItem('install')).never") is True
    expect(hint).to_be_hidden()


def test_an_iphone_is_told_in_words(browser, live_site: LiveSite, viewport) -> None:
    agent = (
        "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Version/18.0 Mobile Safari/604.1"
    )
    context = browser.new_context(viewport=PHONE, locale="en-GB", user_agent=agent)
    try:
        context.add_init_script("Object.defineProperty(navigator, 'standalone', {value: window.name === 'app'});")
        page = context.new_page()
        page.goto(live_site.url + "/en/fair/")
        wait_until(page, "localStorage.getItem('install') !== null")
        expect(page.locator("#install")).to_be_hidden()
        page.evaluate("localStorage.setItem('install', JSON.stringify({day: '', days: 0, push: true}))")
        page.reload()
        expect(page.locator("#install").get_by_text("In Safari, tap")).to_be_visible()
        expect(page.locator("#install").get_by_role("button", name="Install")).to_be_hidden()
        page.evaluate("window.name = 'app'")
        page.reload()
        page.wait_for_load_state("networkidle")
        expect(page.locator("#install")).to_be_hidden()  # it is one
    finally:
        context.close()


@pytest.mark.slow
def test_a_new_version_waits_while_somebody_sits_at_a_table(page: Page, live_site: LiveSite, viewport) -> None:
    page.add_init_script(
        """const register = navigator.serviceWorker.register.bind(navigator.serviceWorker);
        navigator.serviceWorker.register = async (...how) => {
            const made = await register(...how);
            window.registered = true;
            return made;
        };"""
    )
    table = seat(page, live_site)
    page.goto(live_site.url + "/en/fair/")
    wait_until(page, WORKS)
    page.goto(table)
    wait_until(page, "window.registered")
    # For a browser, another address is another version.
    page.evaluate("navigator.serviceWorker.register('/sw.js?newer', {scope: '/'})")
    waits = "async () => (await navigator.serviceWorker.getRegistration('/')).waiting !== null"
    wait_until(page, waits)
    page.evaluate("navigator.serviceWorker.getRegistration('/').then(made => made.waiting.postMessage('step-in'))")
    wait_for_turn(page)
    assert page.evaluate(waits), "the table keeps the worker it began with"
    page.goto(live_site.url + "/en/fair/")
    wait_until(page, f"async () => !(await ({waits})())")
