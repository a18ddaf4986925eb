"""Watching in a real browser: the list, the number of watchers live on both sides, a table that closes itself, all tricks."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from accounts import sessions
from games.services.agreements import agree_at_start
from tests.browser.table_player import act_by_mouse, moment
from tests.games import pace_kit, table_kit
from tests.live import DESK, PATIENCE, PHONE, held_back, press, serious
from tests.long import looks

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Locator, Page, Route

    from tests.live import LiveSite

pytestmark = pytest.mark.browser


def lay(site: LiveSite, memory: str = "last") -> tuple[str, list[str]]:
    """A listed table of days, in the middle of a hand; its address, and the tokens of its four people and a watcher.

    Nobody acts by themselves, so it stands still.
    """

    def made() -> tuple[str, list[str]]:
        people = pace_kit.people(5)
        game = pace_kit.table(people[:4], options={"throw_in": False}, memory=memory)
        table_kit.rush(game, until=lambda hand: len(hand.tricks) == 3 and len(hand.trick) == 2)
        agree_at_start(game, chat="between", watching="open")
        return game.public_id, [sessions.issue_guest_token(player) for player in people]

    game, keys = site.call(made)
    return f"{site.url}/g/{game}/", keys


def opened(browser: Browser, site: LiveSite, token: str, **how: object) -> Page:
    """A page of somebody."""
    context = browser.new_context(**({"viewport": DESK, "locale": "en-GB", "reduced_motion": "reduce"} | how))
    context.set_default_timeout(PATIENCE * 1000)
    if token:
        context.add_cookies([{"name": "guest", "value": token, "url": site.url}])
    return context.new_page()


def sound(page: Page) -> None:
    assert serious(page) == []
    assert page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth") <= 0


COUNTS_OUTSIDE = """() => {
  const board = document.querySelector(".board").getBoundingClientRect();
  return [...document.querySelectorAll(".counts > span")].filter((count) => count.checkVisibility()).filter((count) => {
    const box = count.getBoundingClientRect();
    return box.bottom > board.bottom || box.left < board.left || box.height > 1.5 * parseFloat(getComputedStyle(count).lineHeight);
  }).map((count) => count.textContent);
}"""
"""What stands beside a name of cards and tricks, and runs out of the board or breaks its line."""


@pytest.mark.parametrize(("viewport", "theme"), looks((PHONE, "dark"), (DESK, "light")))
def test_the_pages_are_sound(page: Page, live_site: LiveSite, viewport, theme) -> None:
    page.emulate_media(color_scheme=theme, reduced_motion="reduce")
    page.goto(f"{live_site.url}/en/watch/?game=troccas-6")
    sound(page)
    address, _keys = lay(live_site, "all")
    page.goto(f"{live_site.url}/en/watch/")
    sound(page)
    page.goto(address)
    assert page.evaluate(COUNTS_OUTSIDE) == []
    page.locator("#tricks-fold summary").click()
    expect(page.locator(".gathered > li")).to_have_count(3)
    page.locator("#watching summary").click()
    sound(page)


def test_somebody_finds_a_table_watches_and_is_counted_and_named_as_they_wish(browser, live_site) -> None:
    address, keys = lay(live_site)
    anna = opened(browser, live_site, keys[0])
    anna.goto(address)
    anna.locator("#watching summary").click()
    expect(anna.get_by_text("Nobody watches just now.")).to_be_visible()
    watcher = opened(browser, live_site, keys[4], viewport=PHONE)
    watcher.goto(f"{live_site.url}/en/watch/")
    press(watcher.locator(f'.row h2 a[href="{address.removeprefix(live_site.url)}"]'))
    assert watcher.url == address
    expect(watcher.locator(".held")).to_have_count(0)
    expect(anna.get_by_text("1 person watches.")).to_be_visible()
    expect(anna.locator("[data-watchers]")).to_have_text("1")
    watcher.locator("#watching summary").click()
    watcher.get_by_role("button", name="Let the table see my name").click()
    expect(anna.get_by_text("Among them: Emma.")).to_be_visible()
    watcher.context.close()
    expect(anna.get_by_text("Nobody watches just now.")).to_be_visible()
    anna.context.close()


@pytest.mark.slow
def test_a_table_closes_itself_by_agreement_and_the_watcher_is_told(browser, live_site) -> None:
    address, keys = lay(live_site)
    people = [opened(browser, live_site, token) for token in keys[:4]]
    stranger = opened(browser, live_site, "")
    for page in (*people, stranger):
        page.goto(address)
    people[0].locator("#watching summary").click()
    people[0].get_by_label("Propose who may watch").select_option("closed")
    people[0].locator("#watching").get_by_role("button", name="Propose").click()
    expect(people[0].locator("#watching").get_by_role("button", name="Take it back")).to_be_visible()
    expect(people[0].get_by_label("Propose who may watch")).to_have_count(0)
    for page in people[1:]:
        page.locator("#watching").get_by_role("button", name="Agree").click()
    expect(stranger.get_by_role("heading", name="This table is closed")).to_be_visible()
    sound(stranger)
    press(stranger.get_by_role("link", name="Watch another table"))
    expect(stranger.locator(f'a[href="{address.removeprefix(live_site.url)}"]')).to_have_count(0)
    people[0].reload()
    expect(people[0].locator("#table")).to_be_visible()
    for page in (*people, stranger):
        page.context.close()


def test_what_is_proposed_about_watching_is_said_where_one_looks_and_what_came_of_it_too(browser, live_site) -> None:
    address, keys = lay(live_site)
    anna, beat = (opened(browser, live_site, token, viewport=PHONE) for token in keys[:2])
    anna.goto(address)
    beat.goto(address)
    beat.get_by_role("button", name="To the table").click()
    expect(beat.locator("#prompt")).to_be_in_viewport()
    anna.locator("#watching summary").click()
    anna.get_by_label("Propose who may watch").select_option("closed")
    anna.locator("#watching").get_by_role("button", name="Propose").click()
    question = beat.locator("#watching-question")
    expect(question).to_be_in_viewport()
    expect(question).to_contain_text("Anna proposes who may watch: nobody but those who play.")
    sound(beat)
    beat.reload()
    expect(question).to_contain_text("Anna proposes who may watch: nobody but those who play.")
    decline = beat.locator("#watching").get_by_role("button", name="Decline")
    expect(decline).to_have_accessible_description(re.compile("^Anna proposes who may watch"))
    question.get_by_role("link").click()
    expect(decline).to_be_in_viewport()
    decline.click()
    expect(question).to_have_text("")
    expect(anna.locator("#watching-question")).to_have_text("")
    for page in (anna, beat):
        expect(page.locator("#said")).to_contain_text(
            "Who may watch: everybody: the table is in the list of tables to watch."
        )
        page.context.close()


def test_what_was_proposed_while_the_line_was_down_is_asked_when_it_is_back(browser, live_site) -> None:
    address, keys = lay(live_site)
    anna, beat = (opened(browser, live_site, token) for token in keys[:2])
    down = True
    beat.route_web_socket(
        re.compile("/ws/g/"), lambda line: line.close(code=1012) if down else line.connect_to_server()
    )
    for page in (anna, beat):
        page.goto(address)
    anna.locator("#watching summary").click()
    anna.get_by_label("Propose who may watch").select_option("closed")
    anna.locator("#watching").get_by_role("button", name="Propose").click()
    expect(anna.locator("#watching").get_by_role("button", name="Take it back")).to_be_visible()
    down = False
    expect(beat.locator("#watching").get_by_role("button", name="Agree")).to_be_visible()
    for page in (anna, beat):
        page.context.close()


def test_what_is_pressed_while_the_panel_is_on_its_way_is_sent(browser, live_site) -> None:
    address, keys = lay(live_site)
    anna, stranger = opened(browser, live_site, keys[0]), opened(browser, live_site, "")
    held: list[Route] = []
    slow = True

    def answer(way: Route) -> None:
        if slow and way.request.method == "GET":
            held.append(way)
        else:
            way.continue_()

    anna.route(re.compile("/watching/$"), answer)
    anna.goto(address)
    anna.locator("#watching summary").click()
    stranger.goto(address)
    expect(anna.locator("[data-watchers]")).to_have_text("1")
    anna.get_by_label("Propose who may watch").select_option("closed")
    anna.locator("#watching").get_by_role("button", name="Propose").click()
    held_back(anna, held)
    slow = False
    for way in held:
        way.continue_()
    expect(anna.get_by_text("You propose who may watch: nobody but those who play.")).to_be_visible()
    for page in (anna, stranger):
        page.context.close()


def test_what_is_pressed_is_sent_although_the_table_moves_on_meanwhile(browser, live_site) -> None:
    address, keys = lay(live_site)
    people = [opened(browser, live_site, token) for token in keys[:4]]
    held: list[Route] = []
    slow = True

    def answer(way: Route) -> None:
        if slow and way.request.method == "GET":
            held.append(way)
        else:
            way.continue_()

    for page in people:
        page.goto(address)
    plays = next(page for page in people if moment(page).yours)
    proposes, presses = [page for page in people if page != plays][:2]
    presses.route(re.compile("/watching/$"), answer)
    proposes.locator("#watching summary").click()
    proposes.get_by_label("Propose who may watch").select_option("closed")
    proposes.locator("#watching").get_by_role("button", name="Propose").click()
    held_back(presses, held).continue_()
    agree = presses.locator("#watching").get_by_role("button", name="Agree")
    expect(agree).to_be_visible()
    held_back(presses, held, 1)  # the panel opened, and asks once more
    agree.click()
    number = str(moment(presses).number)
    act_by_mouse(plays)
    expect(presses.locator("#table")).not_to_have_attribute("data-number", number)
    slow = False
    for way in held[1:]:
        way.continue_()
    expect(agree).to_have_count(0)
    expect(presses.locator("#watching").get_by_role("button", name="Decline")).to_be_visible()
    for page in people:
        page.context.close()


def test_the_panel_that_opened_with_a_question_can_be_closed(browser, live_site) -> None:
    address, keys = lay(live_site)
    anna, beat = (opened(browser, live_site, token) for token in keys[:2])
    for page in (anna, beat):
        page.goto(address)
    anna.locator("#watching summary").click()
    anna.get_by_label("Propose who may watch").select_option("closed")
    anna.locator("#watching").get_by_role("button", name="Propose").click()
    panel = beat.locator("#watching")
    decline = panel.get_by_role("button", name="Decline")

    def close() -> None:
        with beat.expect_event("requestfinished", lambda asked: asked.url.endswith("/watching/")):
            panel.locator("summary").click()
        beat.wait_for_timeout(100)  # for what the page would do with the answer
        expect(panel).not_to_have_attribute("open", "")

    expect(decline).to_be_visible()
    close()
    panel.locator("summary").click()
    decline.click()
    expect(decline).to_have_count(0)
    close()
    anna.get_by_label("Propose who may watch").select_option("link")
    anna.locator("#watching").get_by_role("button", name="Propose").click()
    expect(decline).to_be_visible()  # asked anew
    for page in (anna, beat):
        page.context.close()


@pytest.mark.slow
def test_what_somebody_chooses_and_presses_is_not_lost_to_who_comes_meanwhile(browser, live_site) -> None:
    address, keys = lay(live_site)
    anna, beat = (opened(browser, live_site, token) for token in keys[:2])
    strangers = [opened(browser, live_site, token) for token in ("", keys[4])]  # of one address, so one is known
    for page in (anna, beat):
        page.goto(address)
    anna.locator("#watching summary").click()
    mode = anna.get_by_label("Propose who may watch")
    mode.select_option("closed")
    strangers[0].goto(address)
    expect(anna.get_by_text("1 person watches.")).to_be_visible()
    expect(mode).to_have_value("closed")
    anna.locator("#watching").get_by_role("button", name="Propose").click()
    agree = beat.locator("#watching").get_by_role("button", name="Agree")
    agree.hover()
    beat.mouse.down()
    strangers[1].goto(address)
    expect(beat.get_by_text("2 people watch.")).to_be_visible()
    beat.mouse.up()
    expect(agree).to_have_count(0)
    expect(beat.locator("#watching").get_by_role("button", name="Decline")).to_be_visible()
    for page in (anna, beat, *strangers):
        page.context.close()


def by_key(page: Page, button: Locator) -> None:
    """Press what leads to another page by Enter.

    Chromium's raster thread stops now and then on a page without script that lies still (seen with 156: the pending tree of the
    compositor is never ready); then nothing is drawn any more, and a click waits for a frame. Keys need none.
    """
    with page.expect_navigation(timeout=PATIENCE * 1000):
        button.press("Enter")


def test_without_script_it_is_proposed_and_declined_by_forms(browser, live_site) -> None:
    address, keys = lay(live_site)
    anna = opened(browser, live_site, keys[0], java_script_enabled=False)
    anna.goto(address)
    anna.locator("#watching summary").press("Enter")
    anna.get_by_label("Propose who may watch").select_option("link")
    by_key(anna, anna.locator("#watching").get_by_role("button", name="Propose"))
    expect(anna.get_by_text("You propose who may watch: whoever has the link.")).to_be_attached()
    beat = opened(browser, live_site, keys[1], java_script_enabled=False)
    beat.goto(address)
    by_key(beat, beat.locator("#watching").get_by_role("button", name="Decline"))
    expect(beat.get_by_text("You propose:")).to_have_count(0)
    anna.reload()
    expect(anna.get_by_text("You propose:")).to_have_count(0)
    for page in (anna, beat):
        page.context.close()
