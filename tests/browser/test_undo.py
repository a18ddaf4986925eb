"""Taking back in real browsers: one asks, the others are asked on their open pages, and the card lies in the hand again."""

from __future__ import annotations

import re
import uuid
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from accounts import sessions
from accounts.models import Player
from domain.bots import advice
from games.selectors import table
from games.services import play
from tests.browser.test_pace import opened
from tests.games.table_kit import laid, person, play_hand
from tests.live import DESK, PHONE, press, serious
from tests.long import looks

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.browser


def lay() -> tuple[str, list[str], list[str]]:
    """A table of four people, one of whom is asked for a card of several; the names and tokens begin with them."""
    people = [Player.objects.create(name=name, bot_speed="at-once") for name in ("Anna", "Beat", "Clau", "Duri")]
    game = play.start("troccas", people, options={"throw_in": False, "hands": 1})
    for seat, player in enumerate(people):
        game.refresh_from_db()
        play.ready(game.pk, seat, expected=game.number, request_id=uuid.uuid4(), by=player)
    while True:
        game.refresh_from_db()
        view = table.view_for(game, game.to_act)
        if view.asked == "play" and len(view.trick) == 1 and len(view.tricks) > 1 and len(view.legal) > 1:
            break
        assert game.to_act is not None
        card, asked = str(advice.choose(view)), people[game.to_act]
        play.submit(game.pk, game.to_act, card, expected=game.number, request_id=uuid.uuid4(), by=asked)
    assert game.to_act is not None
    order = [people[(game.to_act + step) % 4] for step in range(4)]
    return game.public_id, [player.name for player in order], [sessions.issue_guest_token(player) for player in order]


def play_a_card(page: Page) -> str:
    """Play the first card that may be played; which it was."""
    card = page.locator("button.held:not([aria-disabled=true])").first
    code = card.get_attribute("data-card") or ""
    card.focus()
    page.keyboard.press("Enter")
    page.keyboard.press("Enter")
    expect(page.locator(f'.laid[data-laid="{code}"]')).to_be_visible()
    return code


@pytest.mark.slow
def test_a_card_is_taken_back_when_all_agree(browser, live_site):
    game, names, keys = live_site.call(lay)
    pages = [
        opened(browser, live_site, game, token, **({"viewport": PHONE} if place % 2 else {}))
        for place, token in enumerate(keys)
    ]
    who, *others = pages
    code = play_a_card(who)
    for page in others:
        expect(page.locator(f'.laid[data-laid="{code}"]')).to_be_visible()
        expect(page.get_by_role("button", name="Take my card back")).to_have_count(0)
    assert not serious(who)
    who.get_by_role("button", name="Take my card back").click()
    expect(who.locator("#undo-proposed")).to_contain_text("You ask to take your card back.")
    expect(who.locator("#undo-proposed")).to_be_focused()
    for place, page in enumerate(others):
        expect(page.locator("#undo-proposed")).to_contain_text(f"{names[0]} asks to take a card back. Do you agree?")
        asked = page.locator(".proposal").get_by_role("button", name="Agree", exact=True)
        expect(asked).to_have_accessible_description(re.compile("asks to take a card back"))
        assert not serious(page)
        page.get_by_role("button", name="Agree", exact=True).click()
        if place < 2:
            expect(page.get_by_role("button", name="Decline after all")).to_be_visible()
    for page in pages:
        expect(page.locator(f'.laid[data-laid="{code}"]')).to_have_count(0)
        expect(page.locator(".log li").first).to_contain_text("All agree:")
    expect(who.locator(f'button.held[data-card="{code}"]:not([aria-disabled=true])')).to_have_count(1)
    expect(who.locator("#table")).to_have_attribute("data-yours", "yes")
    for page in pages:
        assert not serious(page)
        page.context.close()


def test_without_script_one_asks_and_another_declines(browser, live_site):
    game, names, keys = live_site.call(lay)
    who, other = (
        opened(browser, live_site, game, token, java_script_enabled=False, viewport=PHONE) for token in keys[:2]
    )
    card = who.locator("button.held:not([aria-disabled=true])").first
    code = card.get_attribute("data-card") or ""
    card.click(position={"x": 8, "y": 20})
    who.get_by_role("button", name="Take my card back").click()
    expect(who.get_by_role("button", name="Leave it as it is")).to_be_visible()
    other.reload()
    expect(other.locator("#undo-proposed")).to_contain_text(f"{names[0]} asks to take a card back. Do you agree?")
    press(other.get_by_role("button", name="Decline", exact=True))  # it was their turn before, too
    expect(other.locator("#table")).to_have_attribute("data-yours", "yes")
    who.reload()
    expect(who.locator(".log li").first).to_have_text(f"{names[1]} does not agree: it stays as it is.")
    expect(who.locator(f'.laid[data-laid="{code}"]')).to_be_visible()
    expect(who.get_by_role("button", name="Take my card back")).to_have_count(0)
    for page in (who, other):
        page.context.close()


def lay_alone() -> tuple[str, str]:
    """A table of one person and computer players, whose first hand is over; the person's token."""
    player = person(name="Ursina")
    game = laid(player, options={"throw_in": False, "demands": False})
    play_hand(game, player)
    return game.public_id, sessions.issue_guest_token(player)


@pytest.mark.parametrize("viewport", looks(PHONE, DESK))
@pytest.mark.slow
def test_after_a_hand_its_points_are_told_and_the_last_card_can_still_be_taken_back(browser, live_site, viewport):
    game, key = live_site.call(lay_alone)
    page = opened(browser, live_site, game, key, viewport=viewport)
    page.reload()  # without what happened since the last visit
    expect(page.locator("h1")).to_have_text("Hand 1 of 4")
    table = page.get_by_role("table", name="How the points came together")
    if viewport == PHONE:  # a fold there, so that the last trick can be seen; opened, all of it is in view
        expect(table).to_be_hidden()
        page.locator("#account > summary").click()
        assert page.locator(".ask-panel").evaluate("(panel) => panel.scrollHeight - panel.clientHeight") <= 1
        assert (
            page.locator("#account").evaluate("(account) => account.getBoundingClientRect().bottom") <= PHONE["height"]
        )
    expect(table.get_by_role("row", name="Less par")).to_contain_text("−36")
    assert not serious(page)
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    page.get_by_role("button", name="Take my card back").click()
    expect(page.locator("#table")).to_have_attribute("data-yours", "yes")
    expect(table).to_have_count(0)
    held = page.locator("button.held:not([aria-disabled=true])")
    expect(held).to_have_count(1)
    play_a_card(page)
    expect(page.get_by_role("heading", name="Hand over")).to_be_visible()
    expect(table).to_be_visible(visible=viewport == DESK)
    page.get_by_role("button", name="Next hand").click()
    expect(page.locator("h1")).to_have_text("Hand 2 of 4")
    page.context.close()
