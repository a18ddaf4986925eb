"""Plans, claiming, being asked once more, adding chance in passing: in a real browser, with script and without."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING
from urllib.parse import urljoin

import pytest

from accounts import sessions
from domain.engine.cards import LANES
from domain.engine.claims import proven
from domain.engine.hand import Hand
from games.models import Game
from games.selectors import log
from games.services import promises
from tests.games.pace_kit import people
from tests.games.plans_kit import at_position
from tests.live import DESK, PHONE, serious
from tests.long import looks

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

    from tests.live import LiveSite

pytestmark = pytest.mark.browser

Wanted = Callable[[Hand], bool]
QUIET = {"throw_in": False}


def is_asked(hand: Hand) -> bool:
    return hand.turn == 0 and hand.asked == "play" and len(hand.trick) > 0 and len(hand.legal) > 3


def is_waiting(hand: Hand) -> bool:
    return hand.turn == 1 and hand.asked == "play" and not hand.trick and len(hand.tricks) > 2


def takes_it_so_far(hand: Hand) -> bool:
    """Anna's card is the highest of a trick to which two others still play."""
    if hand.turn == 0 or hand.asked != "play" or len(hand.trick) != 2 or hand.hands[0].bit_count() < 4:
        return False
    view = hand.view(0)
    return view.seat_of(view.best) == 0


def has_cups(hand: Hand) -> bool:
    return is_waiting(hand) and bool(hand.hands[0] & LANES[0])


def is_proven(hand: Hand) -> bool:
    return hand.turn == 0 and hand.asked == "play" and len(hand.tricks) < 16 and bool(proven(hand.view(0)))


def lay(site: LiveSite, wanted: Wanted, *, confirm: bool = False, hands: int = 1) -> tuple[str, str, str]:
    """A table of four people at a position: its address, and the tokens of Anna and Beat."""

    def made() -> tuple[str, str, str]:
        who = people()
        who[0].confirm_plays = confirm
        who[0].save()
        game = at_position(who, wanted, QUIET | {"hands": hands})
        return game.public_id, sessions.issue_guest_token(who[0]), sessions.issue_guest_token(who[1])

    game, anna, beat = site.call(made)
    return f"{site.url}/g/{game}/", anna, beat


def opened(browser: Browser, address: str, token: str, **how: object) -> Page:
    """A page as the holder of a token sees it, past the account of what they have missed."""
    context = browser.new_context(**{"locale": "en-GB", "reduced_motion": "reduce", "viewport": PHONE} | how)
    context.set_default_timeout(30_000)
    context.add_cookies([{"name": "guest", "value": token, "url": urljoin(address, "/")}])
    page = context.new_page()
    page.goto(address)
    return page


def sound(page: Page) -> None:
    """Nothing serious for axe, and nothing runs out of the page."""
    assert serious(page) == []
    assert page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth") <= 0


@pytest.mark.parametrize(("viewport", "scheme"), looks((PHONE, "light"), (DESK, "dark")))
def test_a_plan_is_made_read_by_its_owner_alone_and_taken_back(browser, live_site, viewport, scheme):
    from playwright.sync_api import expect

    address, anna, beat = lay(live_site, is_waiting)
    page = opened(browser, address + "plans/", anna, viewport=viewport, color_scheme=scheme)
    sound(page)
    expect(page.locator("fieldset.plan-line:visible")).to_have_count(1)
    page.get_by_label("or choose").select_option(label="your card worth least")
    expect(page.locator("#plan-preview")).to_contain_text("In any case: your card worth least. That is")
    page.get_by_label("I lead", exact=True).check()
    expect(page.locator("#plan-preview")).to_contain_text("This cannot be kept: Somebody else leads this trick.")
    page.get_by_label("whatever is led").first.check()
    expect(page.locator("#plan-preview")).not_to_contain_text("This cannot be kept")
    page.get_by_label("at once").check()
    sound(page)
    page.get_by_role("button", name="Keep the plan").click()
    fold = page.locator("#plans-fold")
    expect(fold).to_contain_text("In any case: your card worth least.")
    expect(fold).to_contain_text("It is played at once when your turn comes.")
    sound(page)
    other = opened(browser, address, beat)
    expect(other.locator("#plans-fold")).not_to_contain_text("your card worth least")
    page.goto(address + "plans/")
    expect(page.locator(".plan-said li")).to_have_count(1)
    page.get_by_role("button", name="Cancel the plan").click()
    expect(page.locator("#plans-fold")).not_to_contain_text("your card worth least")
    for one in (page, other):
        one.context.close()


@pytest.mark.parametrize("script", [True, False], ids=["script", "no-script"])
def test_on_a_phone_three_presses_at_the_table_say_if_this_is_led_play_that(browser, live_site, script):
    from playwright.sync_api import expect

    address, anna, _beat = lay(live_site, has_cups)
    page = opened(browser, address, anna, java_script_enabled=script)
    page.get_by_role("link", name="Plan your card …").click()
    page.locator(".plan-led label", has_text="cups").click()
    page.locator('.plan-card[value^="C"]').first.click()
    expect(page.locator("#table")).to_be_visible()
    expect(page.locator("#plans-fold")).to_contain_text("If cups are led:")
    page.context.close()


@pytest.mark.parametrize("script", [True, False], ids=["script", "no-script"])
def test_a_proven_rest_is_claimed_with_one_button_and_the_hand_is_over(browser, live_site, script):
    from playwright.sync_api import expect

    address, anna, _beat = lay(live_site, is_proven)
    page = opened(browser, address, anna, java_script_enabled=script)
    button = page.get_by_role("button", name="Every trick that is left is mine")
    expect(button).to_be_visible()
    if script:
        sound(page)
    button.click()
    expect(page.locator("#table")).to_have_attribute("data-status", "finished")
    expect(page.locator("#log-fold")).to_contain_text("You show your cards: every trick that is left is yours.")
    page.context.close()


def test_who_wishes_it_is_asked_once_more_and_may_put_the_card_back(browser, live_site):
    from playwright.sync_api import expect

    address, anna, _beat = lay(live_site, is_asked, confirm=True)
    page = opened(browser, address, anna)
    card = page.locator("button.held:not([aria-disabled=true])").first
    code = card.get_attribute("data-card")
    number = page.locator("#table").get_attribute("data-number")
    card.click()
    expect(card).to_have_attribute("aria-pressed", "true")
    card.click()
    question = page.get_by_role("group", name=re.compile(r"^Play .*\?$"))
    expect(question).to_be_visible()
    expect(question.get_by_role("button", name="Play")).to_be_focused()
    sound(page)
    page.keyboard.press("Escape")
    expect(question).to_have_count(0)
    expect(page.locator(f'[data-card="{code}"]')).to_be_focused()
    expect(page.locator("#table")).to_have_attribute("data-number", number)
    page.keyboard.press("Enter")
    page.keyboard.press("Enter")
    expect(question.get_by_role("button", name="Play")).to_be_focused()
    question.get_by_role("link", name="Put back").click()
    expect(question).to_have_count(0)
    card.click()
    card.click()
    question.get_by_role("button", name="Play").click()
    expect(page.locator(f'[data-card="{code}"]')).to_have_count(0)
    expect(page.locator("#table")).not_to_have_attribute("data-number", number)
    page.context.close()


def test_without_script_it_is_asked_on_a_page_of_its_own(browser, live_site):
    from playwright.sync_api import expect

    address, anna, _beat = lay(live_site, is_asked, confirm=True)
    page = opened(browser, address, anna, java_script_enabled=False)
    card = page.locator("button.held:not([aria-disabled=true])").first
    code = card.get_attribute("data-card")
    card.click()
    question = page.get_by_role("group", name=re.compile(r"^Play .*\?$"))
    expect(question).to_be_visible()
    question.get_by_role("link", name="Put back").click()
    expect(page.locator(".confirm")).to_have_count(0)
    page.locator(f'[data-card="{code}"]').click()
    question.get_by_role("button", name="Play").click()
    expect(page.locator(f'[data-card="{code}"]')).to_have_count(0)
    page.context.close()


def test_a_browser_adds_chance_to_the_coming_pack_without_a_tap(browser, live_site):
    from playwright.sync_api import expect

    address, anna, _beat = lay(live_site, is_waiting, hands=2)
    public_id = address.rstrip("/").rpartition("/")[2]
    live_site.call(lambda: promises.seal_ahead(log.open_table(Game.objects.get(public_id=public_id))))
    context = browser.new_context(locale="en-GB", reduced_motion="reduce", viewport=PHONE)
    context.add_cookies([{"name": "guest", "value": anna, "url": urljoin(address, "/")}])
    page = context.new_page()
    with page.expect_response(lambda answer: answer.url.endswith("/chance/")) as caught:
        page.goto(address)
    assert caught.value.status == 204
    page.goto(address)
    page.locator("#sealed-fold summary").click()
    expect(page.locator("#sealed-fold")).to_contain_text("Your browser has done so.")
    sound(page)
    context.close()


@pytest.mark.parametrize(("viewport", "scheme"), looks((PHONE, "light"), (DESK, "dark")))
def test_what_to_lead_after_the_trick_is_said_in_two_presses_on_the_first_screen(browser, live_site, viewport, scheme):
    from playwright.sync_api import expect

    address, anna, _beat = lay(live_site, takes_it_so_far)
    page = opened(browser, address, anna, viewport=viewport, color_scheme=scheme)
    page.get_by_role("main").get_by_text("To the table", exact=True).click()  # what has happened meanwhile is read
    fold = page.locator("#lead-fold")
    summary = fold.locator("summary")
    expect(summary).to_have_text("If you take this trick, lead …")
    box = summary.bounding_box()
    assert box is not None
    assert box["y"] + box["height"] <= viewport["height"], "seen without scrolling"
    mark = summary.evaluate("node => getComputedStyle(node, '::before').content")
    assert mark != "none", "marked as the other folds are"
    expect(fold.locator("form")).to_be_hidden()
    summary.click()
    sound(page)
    cards = fold.locator(".plan-card")
    expect(cards).to_have_count(page.locator("[data-own-hand] [data-card]").count())
    for edge in (cards.first, cards.last):
        box = edge.bounding_box()
        assert box is not None
        assert 0 <= box["y"] <= viewport["height"] - box["height"]
    cards.last.click()
    expect(page.locator("#lead-fold")).to_have_count(0)
    expect(page.locator('[data-part="plan"]')).to_contain_text("If you lead: ")
    expect(page.locator("#plans-fold")).to_contain_text("It is played at once when your turn comes.")
    sound(page)
    page.context.close()
