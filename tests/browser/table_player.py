"""Somebody at the table in a browser: sits down, sees what is asked, answers by mouse, by keys, or by plain forms."""

from __future__ import annotations

import json
import re
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from accounts.middleware import GUEST_COOKIE
from accounts.models import Player
from accounts.sessions import issue_guest_token
from games.models import Game
from games.mygames.services import note
from tests.games import table_kit
from tests.live import PATIENCE, press

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

    from domain.engine import Hand
    from tests.live import LiveSite

MANY_KEYS = 80
SOON = 30  # milliseconds between two looks at a page: a look at each frame would keep the browser drawing
EDGE = {"x": 8, "y": 20}  # of a card: the part that no other card covers


@dataclass(frozen=True, slots=True)
class Moment:
    """What the table shows: the number of the last action, the question, and whether it is ours."""

    number: int
    asked: str
    yours: bool
    status: str

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.status != "playing"


def moment(page: Page) -> Moment:
    """The table as the page shows it, read at once."""
    seen = page.locator("#table").evaluate("(table) => ({...table.dataset})")
    return Moment(int(seen["number"]), seen["asked"], seen["yours"] == "yes", seen["status"])


def hurry(site: LiveSite) -> None:
    """Let computer players play at once, for everybody who has come to the site."""
    site.call(lambda: Player.objects.filter(computer="").update(bot_speed="at-once"))


def sit_down(page: Page, site: LiveSite, *, pause: bool = False) -> str:
    """From the front page to a new table whose computer players answer at once (unless `pause`); its address."""
    page.goto(f"{site.url}/en/")
    press(page.get_by_role("button", name="Play now"))
    page.wait_for_url(re.compile(r"/g/\w+/$"))
    if not pause:
        hurry(site)
    return page.url


def seat(page: Page, site: LiveSite, asked: str = "play", *, cards: int = 99) -> str:
    """Open a table of one person, whose computer players answer at once, and at which all has been done until that person is
    asked this with at most so many `cards` in hand; its address."""

    def made() -> tuple[str, str]:
        player = table_kit.person()
        game = table_kit.laid(player)
        _play_on(game, asked, cards)
        note(game, player, game.number, done=True)
        return game.public_id, issue_guest_token(player)

    game, token = site.call(made)
    page.context.add_cookies([{"name": GUEST_COOKIE, "value": token, "url": site.url}])
    page.goto(f"{site.url}/g/{game}/")
    return page.url


def skip_to(page: Page, site: LiveSite, *, cards: int) -> None:
    """Let all play on, without this page, until the one person at its table is to play with so many cards in hand."""
    public_id = page.url.rstrip("/").rsplit("/", 1)[1]
    site.call(lambda: _play_on(Game.objects.get(public_id=public_id), "play", cards))
    page.reload()


def _play_on(game: Game, asked: str, cards: int) -> None:
    own = game.seats.get(player__computer="")

    def reached(hand: Hand) -> bool:
        return hand.turn == own.number and hand.asked == asked and hand.view(own.number).held.bit_count() <= cards

    while True:
        game.refresh_from_db()
        if game.to_act is None:
            table_kit.sit(game, own.player)
        table_kit.rush(game, until=reached)
        if game.to_act is not None:
            return  # a hand may have been thrown in: then the next one is played


def wait_for_turn(page: Page, after: int = -1) -> Moment:
    """Wait until the table asks us something that stands after action `after`, or the game is over.

    The page may hear that it is our turn before it has the answer to what we did last; until then it takes nothing new.
    """
    page.wait_for_function(
        """(after) => {
            const table = document.getElementById("table");
            const { status, yours, number } = table.dataset;
            const asked = status !== "playing" || (yours === "yes" && Number(number) > after);
            return asked && table.getAttribute("aria-busy") !== "true";
        }""",
        arg=after,
        timeout=2 * PATIENCE * 1000,
        polling=SOON,
    )
    return moment(page)


def state(page: Page) -> dict[str, Any]:
    """The same as the page should show, as the server tells it."""
    answer = page.request.get(page.url + "state.json")
    assert answer.ok
    seen: dict[str, Any] = json.loads(answer.text())
    return seen


def playable(page: Page) -> Locator:
    """The cards that may be played now."""
    return page.locator("button.held:not([aria-disabled=true])")


def answer(page: Page, asked: str) -> Locator:
    """A button that answers a question other than for cards, in a way that lets the hand go on."""
    value = {"sit": "", "cut": "cut", "talk": "veto", "free": "veto", "demand": "veto", "decide": "go"}.get(asked)
    if asked == "sit":
        return page.locator(".sit button.primary")
    if value is not None:
        return page.locator(f".ask-panel button[value={value}]")
    return page.locator(".ask-panel button:visible:not([aria-disabled=true])").first


def act_by_mouse(page: Page) -> None:
    """Answer what is asked with the mouse: a card is lifted by the first click and played by the second."""
    asked = moment(page).asked
    if asked == "play":
        card = playable(page).first
        card.click(position=EDGE)
        card.click(position=EDGE)
    elif asked in ("scart", "discard"):
        boxes = page.locator("label.held:not([data-why])")
        for place in range(int(page.locator("#table").get_attribute("data-choose") or 0)):
            boxes.nth(-1 - place).click(position=EDGE)
        page.locator(f".ask-panel button[value={asked}]").click()
    else:
        answer(page, asked).click()


def tab_to(page: Page, target: str) -> None:
    """Press Tab until what matches `target` has the focus."""
    for _ in range(MANY_KEYS):
        if page.evaluate("(target) => document.activeElement.matches(target)", target):
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"no way to {target} by Tab")


def move_to(page: Page, target: str) -> None:
    """Inside the hand: press arrows until a card that matches `target` has the focus."""
    page.keyboard.press("Home")
    for _ in range(MANY_KEYS):
        if page.evaluate("(target) => document.activeElement.matches(target)", target):
            return
        page.keyboard.press("ArrowRight")
    raise AssertionError(f"no card {target} in the hand")


def act_by_keys(page: Page) -> None:
    """Answer what is asked with Tab, arrows and Enter alone."""
    asked = moment(page).asked
    if asked == "play":
        tab_to(page, "button.held")
        move_to(page, "button.held:not([aria-disabled=true])")
        page.keyboard.press("Enter")
        page.keyboard.press("Enter")
    elif asked == "scart":
        for _ in range(2):
            tab_to(page, ".held input")
            move_to(page, ".held input:not([aria-disabled=true], :checked)")
            page.keyboard.press("Enter")
        page.keyboard.press("Shift+Tab")
        tab_to(page, ".ask-panel button[value=scart]")
        page.keyboard.press("Enter")
    else:
        page.evaluate("document.activeElement.blur()")
        value = answer(page, asked).get_attribute("value") or ""
        tab_to(page, f'.ask-panel button[value="{value}"]' if value else ".sit button.primary")
        page.keyboard.press("Enter")


def act_by_form(page: Page) -> None:
    """Answer what is asked without script: one press on a button sends its form, and a page comes back."""
    asked = moment(page).asked
    if asked == "play":
        with page.expect_navigation():
            playable(page).first.click(position=EDGE)
    elif asked == "scart":
        boxes = page.locator("label.held:not([data-why]) input")
        for place in (-1, -2):
            boxes.nth(place).check(force=True)
        press(page.get_by_role("button", name="Lay away"))
    else:
        press(answer(page, asked))


def reload_until_turn(page: Page) -> Moment:
    """Without script: look again, by the link that stands there, until we are asked."""
    end = time.monotonic() + 2 * PATIENCE
    while time.monotonic() < end:
        seen = moment(page)
        if seen.yours or seen.over:
            return seen
        page.wait_for_timeout(50)
        press(page.get_by_role("link", name="Look again"))
    raise AssertionError("never asked")


def wait_until_somebody_is_asked(page: Page) -> dict[str, Any]:
    """Wait until the computer players have done what is theirs, and the table waits for one of the people; the state."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        seen = state(page)
        at = seen["question"]["seat"]
        if at is not None and not next(one["computer"] for one in seen["seats"] if one["number"] == at):
            return seen
        page.wait_for_timeout(50)
    raise AssertionError("none of the people was asked")


def play_until(page: Page, asked: str, act: Any = act_by_mouse) -> Moment:
    """Go on until the table asks us this."""
    seen = wait_for_turn(page)
    while seen.asked != asked:
        assert not seen.over
        act(page)
        seen = wait_for_turn(page, seen.number)
    return seen
