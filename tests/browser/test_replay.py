"""Looking back at a hand in a real browser: by buttons, slider, keys and by itself; the check of the pack; without script."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

import pytest
from django.db import transaction
from playwright.sync_api import expect

from tests.games.table_kit import laid, person, play_hand
from tests.live import DESK, PHONE, held_back, serious
from tests.long import looks

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page, Route

    from tests.live import LiveSite

pytestmark = pytest.mark.browser


@transaction.atomic  # the site's worker would play along
def play() -> str:
    """A game whose first hand was played to its end; its public id."""
    player = person(name="Ursina")
    game = laid(player, options={"throw_in": False, "demands": False}, draws_partners=True)
    play_hand(game, player)
    return game.public_id


@pytest.fixture(scope="module")
def hand(live_site: LiveSite) -> str:
    """The address of a hand that was played to its end on a running site."""
    return f"{live_site.url}/g/{live_site.call(play)}/hand/1/"


def open_at(page: Page, hand: str, step: int) -> None:
    page.goto(f"{hand}?step={step}")
    page.evaluate("window.sameDocument = true")


def expect_step(page: Page, step: int) -> None:
    """The board, the slider, the address and the account all show `step`, and the page was not loaded anew."""
    page.wait_for_selector(f'[data-part=board][data-step="{step}"]')
    page.wait_for_url(re.compile(rf"\?step={step}$"))
    assert page.locator("#step").input_value() == str(step)
    current = page.locator(".moves a[aria-current=step]")
    assert [link.get_attribute("data-step") for link in current.all()] == ([str(step)] if step else [])
    assert page.evaluate("window.sameDocument") is True


def last_of(page: Page) -> int:
    return int(page.locator("#step").get_attribute("max") or 0)


def held(page: Page) -> int:
    return page.locator(".open-hand svg").count()


@pytest.mark.parametrize("viewport", looks(PHONE, DESK))
@pytest.mark.parametrize("theme", looks("light", "dark"))
@pytest.mark.slow
def test_nothing_serious_is_found_and_nothing_runs_out_of_the_page(page, hand, viewport, theme):
    page.emulate_media(color_scheme=theme)
    for step in (4, 20):
        open_at(page, hand, step)
        assert serious(page) == []
        assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
        cut_off = page.evaluate(
            "[...document.querySelectorAll('.open-hand svg')].filter("
            "(card) => card.getBoundingClientRect().right > document.documentElement.clientWidth).length"
        )
        assert cut_off == 0


@pytest.mark.parametrize("viewport", looks(PHONE, DESK))
@pytest.mark.parametrize("theme", looks("light", "dark"))
def test_the_page_on_fair_packs_is_sound(page, hand, viewport, theme):
    page.emulate_media(color_scheme=theme)
    page.goto(hand.split("/g/")[0] + "/en/fair/")
    assert serious(page) == []
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")


def test_keys_step_through_the_hand(page, hand):
    open_at(page, hand, 20)
    page.keyboard.press("ArrowRight")
    expect_step(page, 21)
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowLeft")
    expect_step(page, 19)
    page.keyboard.press("Home")
    expect_step(page, 0)
    assert held(page) == 0
    page.keyboard.press("ArrowLeft")
    expect_step(page, 0)
    page.keyboard.press("End")
    expect_step(page, last_of(page))
    assert held(page) == 0


def test_cards_that_stay_are_not_drawn_anew(page, hand):
    open_at(page, hand, 20)
    pictures = page.locator("[data-part=board] svg.card")
    for step in (21, 22):
        pictures.evaluate_all("(pictures) => pictures.forEach((one) => { one.drawnFor = one.innerHTML; })")
        page.keyboard.press("ArrowRight")
        expect_step(page, step)
        stay = pictures.evaluate_all("(pictures) => pictures.filter((one) => one.drawnFor === one.innerHTML).length")
        assert held(page) > 20
        assert stay >= held(page)


def test_the_slider_moves_by_one_step_a_key_and_says_what_happened(page, hand):
    open_at(page, hand, 20)
    slider = page.get_by_role("slider", name="Position in the hand")
    slider.focus()
    page.keyboard.press("ArrowRight")
    expect_step(page, 21)
    line = page.locator("#told-21").inner_text()
    assert slider.get_attribute("aria-valuetext") == f"21/{last_of(page)}: {line}"
    assert slider.evaluate("(each) => each === document.activeElement")


def test_buttons_and_lines_lead_to_their_positions(page, hand):
    open_at(page, hand, 20)
    page.get_by_role("link", name="One step on").click()
    expect_step(page, 21)
    page.get_by_role("link", name="To the beginning").click()
    expect_step(page, 0)
    page.locator('.moves a[data-step="30"]').click()
    expect_step(page, 30)
    assert page.locator("[data-part=now]").inner_text() == page.locator("#told-30").inner_text()
    page.locator("#told-29").click(position={"x": 3, "y": 12})  # a sentence leads there too
    expect_step(page, 29)
    page.get_by_role("link", name="5", exact=True).click()
    page.locator(".which", has_text="Trick 5, to ").wait_for()


def test_the_sentence_of_the_moment_is_announced(page, hand):
    open_at(page, hand, 20)
    page.get_by_role("link", name="One step on").click()
    expect_step(page, 21)
    expect(page.locator("#replay-said")).to_have_text(page.locator("#told-21").inner_text())
    assert page.locator("#replay-said").get_attribute("role") == "status"


def test_the_current_line_of_the_account_can_be_seen(page, hand):
    open_at(page, hand, 60)
    for step in (60, 61):
        line = page.locator(f'.moves a[data-step="{step}"]').bounding_box()
        box = page.locator(".moves").bounding_box()
        assert box["y"] <= line["y"]
        assert line["y"] + line["height"] <= box["y"] + box["height"]
        page.keyboard.press("ArrowRight")
        expect_step(page, step + 1)


@pytest.mark.slow
def test_the_hand_plays_by_itself_until_one_stops_it_or_it_ends(page, hand):
    open_at(page, hand, 20)
    play = page.get_by_role("button", name="Play", exact=True)
    play.click()
    page.wait_for_function("() => Number(document.querySelector('[data-part=board]').dataset.step) >= 22")
    page.get_by_role("button", name="Pause").click()
    play.wait_for()
    page.wait_for_load_state("networkidle")  # a step that was asked for before may still come
    step = int(page.locator("#step").input_value())
    page.wait_for_timeout(1800)
    expect_step(page, step)

    open_at(page, hand, last_of(page) - 1)
    play.click()
    expect_step(page, last_of(page))
    play.wait_for()


def test_a_position_can_be_sent_to_somebody(page, hand, browser):
    open_at(page, hand, 20)
    page.keyboard.press("ArrowRight")
    expect_step(page, 21)
    other = browser.new_context(locale="en-GB")
    there = other.new_page()
    there.goto(page.url)
    assert there.locator("[data-part=now]").inner_text() == page.locator("[data-part=now]").inner_text()
    assert held(there) == held(page)
    other.close()


def test_where_the_board_cannot_be_fetched_the_page_itself_is_asked(page, hand):
    open_at(page, hand, 20)
    page.route("**/*fragment=1", lambda route: route.abort())
    with page.expect_navigation():
        page.keyboard.press("End")
    page.wait_for_selector(f'[data-part=board][data-step="{last_of(page)}"]')


def test_a_pause_on_a_slow_line_leaves_one_step_after_the_other(page, hand):
    page.clock.install()
    open_at(page, hand, 20)
    late: list[Route] = []
    page.route("**/?step=21&fragment=1", lambda route: late.append(route))
    page.get_by_role("button", name="Play", exact=True).click()
    page.clock.run_for(2000)
    board = held_back(page, late)
    page.get_by_role("button", name="Pause").click()
    page.get_by_role("button", name="Play", exact=True).click()
    board.continue_()
    page.wait_for_selector('[data-part=board][data-step="21"]')
    page.get_by_role("button", name="Pause").click()
    page.clock.run_for(5000)
    expect_step(page, 21)


def test_a_board_that_could_not_be_fetched_does_not_lead_back_who_has_gone_on(page, hand):
    open_at(page, hand, 20)
    late: list[Route] = []
    page.route("**/?step=21&fragment=1", lambda route: late.append(route))
    page.keyboard.press("ArrowRight")
    board = held_back(page, late)
    page.keyboard.press("ArrowRight")
    expect_step(page, 22)
    board.abort()
    page.wait_for_timeout(500)  # for the page that would be asked for
    expect_step(page, 22)


def test_the_browser_finds_the_pack_fair(page, hand):
    open_at(page, hand, 0)
    page.get_by_role("button", name="Check this pack in your browser").click()
    page.wait_for_selector('[data-proof-state="good"]')
    assert "it is the pack that was committed to" in page.locator("[data-proof-result]").inner_text()
    assert serious(page) == []


def test_the_browser_finds_a_pack_that_was_changed(page, hand):
    open_at(page, hand, 0)
    proof = page.locator("[data-proof]")
    data = json.loads(proof.get_attribute("data-proof") or "")
    cards = data["pack"].split()
    data["pack"] = " ".join([cards[-1], *cards[1:-1], cards[0]])
    proof.evaluate("(each, data) => each.setAttribute('data-proof', data)", json.dumps(data))
    page.get_by_role("button", name="Check this pack in your browser").click()
    page.wait_for_selector('[data-proof-state="bad"]')
    assert "another pack" in page.locator("[data-proof-result]").inner_text()


def test_without_script_every_position_can_be_reached(browser: Browser, hand: str):
    context = browser.new_context(java_script_enabled=False, locale="en-GB", viewport=PHONE)
    page = context.new_page()
    page.goto(f"{hand}?step=20")
    page.get_by_role("link", name="One step on").click()
    page.wait_for_url(re.compile(r"\?step=21$"))
    assert page.get_by_role("button", name="Play", exact=True).count() == 0
    page.get_by_role("slider").focus()
    page.keyboard.press("ArrowRight")
    page.get_by_role("button", name="Go there").click()
    page.wait_for_url(re.compile(r"\?step=22$"))
    assert page.locator("[data-part=board]").get_attribute("data-step") == "22"
    page.locator('.moves a[data-step="3"]').click()
    page.wait_for_url(re.compile(r"\?step=3$"))
    context.close()
