"""Pace and help at a table against computers, in a real browser: settings, looking at a trick, a hint, what was played, sounds."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from accounts import sessions
from accounts.models import Player
from games.models import Action, Game
from games.services import computers, play
from tests.browser.table_player import act_by_mouse, play_until, wait_for_turn
from tests.browser.test_pace import opened
from tests.games.table_kit import advised, seat_of, submit
from tests.games.test_going_on import at_rest
from tests.live import DESK, PHONE, press, serious, wait_until

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

    from tests.live import LiveSite

pytestmark = pytest.mark.browser


def lay_at_rest() -> tuple[str, str]:
    """A table where a trick is looked at; its public id, and the token of who looks."""
    game, player = at_rest(forced_cards="ask")
    return game.public_id, sessions.issue_guest_token(player)


def lay_on_turn(**fields: object) -> tuple[str, str]:
    """A table in the middle of a hand where a person is asked for a card."""
    game, player = at_rest(**fields)
    Player.objects.filter(pk=player.pk).update(waits_after_trick=False)
    seat = seat_of(game, player)
    play.go_on(game.pk, seat, by=player)
    while game.to_act != seat or game.asked != "play":
        if game.to_act == seat:
            submit(game, player, advised(game, player))
        else:
            computers.act_for(game)
        game = Game.objects.get(pk=game.pk)
    return game.public_id, sessions.issue_guest_token(player)


def open_settings(page: Page) -> None:
    page.locator(".bar").get_by_role("link", name="Settings").click()
    expect(page.get_by_role("dialog").get_by_role("heading", name="Settings")).to_be_visible()


@pytest.mark.parametrize("viewport", [PHONE, DESK])
@pytest.mark.slow(but="viewport0")
def test_settings_are_a_sheet_over_the_table_and_renew_it(
    browser: Browser, live_site: LiveSite, viewport: dict[str, int]
) -> None:
    page = opened(browser, live_site, *live_site.call(lay_on_turn), viewport=viewport)
    held = page.locator("[data-own-hand] button.held")
    first = held.first.get_attribute("data-card") or ""
    open_settings(page)
    assert serious(page) == []
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Trumps before the suits").check()
    dialog.get_by_label("One tap plays a card").check()
    dialog.get_by_role("button", name="Save").click()
    expect(dialog).to_be_hidden()
    expect(page.locator("#table")).to_have_attribute("data-one-tap", "yes")
    expect(held.first).not_to_have_attribute("data-card", first)
    assert (held.first.get_attribute("data-card") or "")[0] in "TF" or first[0] in "TF"
    open_settings(page)
    expect(dialog.get_by_label("Trumps before the suits")).to_be_checked()
    page.keyboard.press("Escape")
    expect(dialog).to_be_hidden()
    page.context.close()


def test_without_script_settings_are_a_page_that_leads_back(browser: Browser, live_site: LiveSite) -> None:
    page = opened(browser, live_site, *live_site.call(lay_on_turn), viewport=PHONE, java_script_enabled=False)
    table = page.url
    press(page.locator(".bar").get_by_role("link", name="Settings"))
    page.get_by_label("Order of the cards in your hand").select_option("low")
    press(page.get_by_role("button", name="Save"))
    assert page.url == table


@pytest.mark.parametrize("script", [True, False])
@pytest.mark.slow(but="False")
def test_a_trick_lies_there_until_one_goes_on(browser: Browser, live_site: LiveSite, script: bool) -> None:
    page = opened(browser, live_site, *live_site.call(lay_at_rest), viewport=PHONE, java_script_enabled=script)
    number = page.get_attribute("#table", "data-number")
    expect(page.locator("#prompt")).to_have_text("Look at the trick, then go on.")
    expect(page.locator(".trick[data-winner] .laid")).to_have_count(4)
    if script:
        page.wait_for_timeout(700)  # the worker looks twice a second
        assert page.get_attribute("#table", "data-number") == number
        assert serious(page) == []
        page.locator(".board .middle").click(position={"x": 5, "y": 5})
        expect(page.locator("#table")).not_to_have_attribute("data-number", number or "")
    else:
        press(page.get_by_role("button", name="Go on"))
    expect(page.get_by_role("button", name="Go on")).to_have_count(0)
    page.context.close()


@pytest.mark.parametrize("viewport", [PHONE, DESK])
@pytest.mark.slow(but="viewport0")
def test_a_hint_names_a_card_and_the_reason(browser: Browser, live_site: LiveSite, viewport: dict[str, int]) -> None:
    game, token = live_site.call(lay_on_turn)
    page = opened(browser, live_site, game, token, viewport=viewport)
    page.get_by_role("button", name="Hint").click()
    hint = page.locator(".hint")
    expect(hint.locator("b")).not_to_be_empty()
    assert serious(page) == []
    expect(page.locator(".log li").first).to_contain_text("You ask for a hint.")
    action = hint.get_by_role("button").get_attribute("value") or ""
    hint.get_by_role("button", name="Do that").click()
    expect(hint).to_have_count(0)
    # Not that the card has left the hand: somebody may call the jack, for which one takes the card back.
    assert live_site.call(Action.objects.filter(game__public_id=game, seat__isnull=False, text=action).exists)
    page.context.close()


def test_what_has_been_played_and_the_last_trick_are_one_press_away(browser: Browser, live_site: LiveSite) -> None:
    page = opened(browser, live_site, *live_site.call(lay_at_rest), viewport=PHONE)
    page.locator("#earlier > summary").click()
    expect(page.locator("#earlier .card")).to_have_count(4)
    page.locator("#played-fold > summary").click()
    expect(page.locator("#played-fold dd").first).to_be_visible()
    assert serious(page) == []
    page.context.close()


HEAR = """
window.heard = [];
window.AudioContext = class {
  currentTime = 0;
  destination = {};
  resume() { return Promise.resolve(); }
};
const node = { gain: { setValueAtTime() {}, exponentialRampToValueAtTime() {} }, start() {}, stop() {}, connect: (to) => to };
window.GainNode = class { constructor() { return node; } };
window.OscillatorNode = class { constructor(context, { frequency }) { window.heard.push(frequency); return node; } };
navigator.vibrate = (length) => window.heard.push(`shaken ${length}`);
"""


@pytest.mark.slow
def test_sounds_and_vibration_are_for_who_asked_for_them(browser: Browser, live_site: LiveSite) -> None:
    game, token = live_site.call(lay_on_turn)
    page = opened(browser, live_site, game, token, viewport=PHONE)
    page.add_init_script(HEAR)
    page.reload()
    play_one(page)
    assert page.evaluate("window.heard") == []
    live_site.call(lambda: Player.objects.filter(computer="").update(sounds=True, vibrates=True))
    page.reload()
    for _ in range(3):  # what is asked next may be about the same trick
        play_one(page)
    wait_until(page, "window.heard.includes(190)")
    wait_until(page, "window.heard.includes('shaken 80')")
    wait_until(page, "window.heard.includes(659)")
    page.context.close()


def test_whoever_switches_sounds_on_hears_at_once_what_they_are_like(browser: Browser, live_site: LiveSite) -> None:
    game, token = live_site.call(lay_on_turn)
    page = opened(browser, live_site, game, token, viewport=PHONE)
    page.add_init_script(HEAR)
    page.reload()
    for on, heard in ((True, [659, 880]), (False, []), (True, [659, 880])):
        page.evaluate("window.heard = []")
        open_settings(page)
        dialog = page.get_by_role("dialog")
        dialog.get_by_label("Sounds").set_checked(on)
        dialog.get_by_role("button", name="Save").click()
        expect(page.locator("#table")).to_have_attribute("data-sounds", "yes" if on else "no")
        wait_until(page, f"window.heard.length === {len(heard)}")
        assert page.evaluate("window.heard") == heard
    page.context.close()


def play_one(page: Page) -> None:
    """Play a card, and wait until one is asked again."""
    seen = play_until(page, "play")
    act_by_mouse(page)
    wait_for_turn(page, seen.number)
