"""A finished game of every ruleset is read, stepped, shared, exported, imported and continued in a real browser."""

from __future__ import annotations

import json
import random
import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from accounts import sessions
from domain.bots import advice
from domain.engine import Hand, cards_in, parse_action, ruleset
from tests.domain.engine.tables import EVERY, NAMES
from tests.games.replay_kit import stored
from tests.games.store_kit import store
from tests.games.table_kit import person
from tests.live import DESK, PHONE, serious
from tests.long import LONG, looks, quick

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

    from domain.engine import Ruleset
    from tests.live import LiveSite

pytestmark = pytest.mark.browser

RULESETS = (
    "troccas", "troccas-3", "troccas-3-singles", "troccas-5", "troccas-6", "troccas-oinkers", "troccas-online",
    "troggu", "troggu-st-niklaus", "troggu-graechen",
)  # fmt: skip


def make() -> dict[str, str]:
    """A finished game of every ruleset: their public ids, and the token of who played them."""
    player = person(name="Ursina")
    games = {ruleset: stored(ruleset, player=player).public_id for ruleset in RULESETS}
    return games | {
        "eight": stored("troggu", seats=8, player=player).public_id,
        "token": sessions.issue_guest_token(player),
    }


@pytest.fixture(scope="module")
def made(live_site: LiveSite) -> tuple[str, dict[str, str]]:
    """A site with a finished game of every ruleset: its address, and the games by ruleset."""
    return live_site.url, live_site.call(make)


def open_hand(page: Page, made: tuple[str, dict[str, str]], id: str, step: int = 20) -> str:
    """The replay of a game; its address without the step."""
    url, games = made
    page.context.add_cookies([{"name": "guest", "value": games["token"], "url": url}])
    address = f"{url}/g/{games[id]}/hand/1/"
    page.goto(f"{address}?step={step}")
    return address


@pytest.mark.parametrize("id", RULESETS if LONG else RULESETS[::4])
@pytest.mark.slow(but="troccas")
def test_a_finished_game_is_read_stepped_shared_exported_imported_and_continued(page, made, id, tmp_path):
    address = open_hand(page, made, id)
    # read: sentences, with terms that say what they mean
    expect(page.locator("#told-20")).not_to_be_empty()
    page.locator(".moves a.term").first.focus()
    # stepped
    page.locator("h1").click()
    page.keyboard.press("ArrowRight")
    expect(page.locator('[data-part=board][data-step="21"]')).to_be_visible()
    expect(page.locator("[data-part=now]")).to_have_text(page.locator("#told-21").inner_text())
    # shared: the link and the picture are those of the step that is shown
    expect(page.locator("[data-link]")).to_have_value(f"{address}?step=21")
    picture = page.request.get(page.locator("a[data-picture=svg]").evaluate("(link) => link.href"))
    assert picture.ok
    assert picture.headers["content-type"] == "image/svg+xml"
    # exported
    with page.expect_download() as kept:
        page.get_by_role("link", name="Record of this hand").click()
    record = Path(tmp_path) / "record.json"
    kept.value.save_as(record)
    assert json.loads(record.read_text())["ruleset"] == id
    # continued, from here …
    with page.expect_navigation(url=re.compile(r"/g/\w+/$")):
        page.locator("[data-from-here]").click()
    expect(page.locator(".practice-of")).to_contain_text("hand 1 of another game, step 21")
    # … and imported
    page.goto(f"{made[0]}/en/records/")
    page.get_by_label("Choose a file").set_input_files(record)
    with page.expect_navigation(url=re.compile(r"/r/\w+/hand/1/")):
        page.get_by_role("button", name="Look at it").click()
    expect(page.locator(".about-record")).to_contain_text("A record that somebody uploaded")
    page.get_by_role("link", name="To the beginning").click()
    expect(page.locator('[data-part=board][data-step="0"]')).to_be_visible()
    page.keyboard.press("ArrowRight")
    expect(page.locator("[data-part=now]")).to_have_text(page.locator("#told-1").inner_text())
    with page.expect_navigation(url=re.compile(r"/g/\w+/$")):
        page.locator("[data-from-here]").click()
    expect(page.locator(".practice-of")).to_contain_text("step 1")


def test_what_is_shared_is_the_step_pointed_at_though_its_board_is_still_on_the_way(page, made):
    address = open_hand(page, made, "troccas")
    page.route("**/*fragment=1", lambda route: None)  # the boards never come
    page.locator("h1").click()
    page.keyboard.press("ArrowRight")
    expect(page.locator("[data-part=now]")).to_have_text(page.locator("#told-21").inner_text())
    expect(page.locator("[data-part=board]")).to_have_attribute("data-step", "20")
    assert page.locator("[data-link]").input_value() == f"{address}?step=21"
    assert page.locator("[data-step-field]").input_value() == "21"


@pytest.mark.parametrize("viewport", looks(PHONE, DESK))
@pytest.mark.parametrize("theme", looks("light", "dark"))
@pytest.mark.slow
def test_axe_finds_nothing_serious_and_nothing_runs_out_of_the_page(page, made, viewport, theme):
    page.emulate_media(color_scheme=theme)
    url, games = made
    for game in ("troccas-3", "eight"):
        open_hand(page, made, game)
        assert serious(page) == []
        assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    for address in (f"/g/{games['troggu']}/hands/", "/en/records/", "/en/positions/?table=troggu:8"):
        page.goto(url + address)
        assert serious(page) == []
        assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")


def make_misere(seats: int) -> str:
    """The public id of a finished hand of Troggu that everybody has passed, in which so many people with long names play."""
    rules = ruleset("troggu", None, seats)
    pack = list(cards_in(rules.pack))
    random.Random(1).shuffle(pack)
    hand = Hand(rules, 0, pack, options=rules.settled_options({"hands": 1}))
    while not hand.over:
        hand.push(parse_action("pass") if hand.asked == "bid" else advice.choose(hand.view(hand.turn)))
    assert hand.contract == "misere"
    return store(hand, [person(name="Maximilian Zenhäusern-Ruppen") for _ in range(seats)]).public_id


LIES_ON = """() => {
    const box = (one) => one.getBoundingClientRect();
    const meet = (one, other) => Math.min(one.right, other.right) + 4 > Math.max(one.left, other.left)
        && Math.min(one.bottom, other.bottom) > Math.max(one.top, other.top);
    const words = [...document.querySelectorAll(".sides li")].map((one) => {
        const range = document.createRange();
        range.selectNodeContents(one);
        return box(range);
    });
    const cards = [...document.querySelectorAll(".middle .card")].map(box);
    return words.flatMap((one, at) => [...words.slice(at + 1), ...cards].filter((other) => meet(one, other))).length;
}"""
"""How often what a side has gathered lies on that of another or on the trick, or right beside it."""


@pytest.mark.parametrize("seats", [3, 4, 6])
def test_on_a_phone_what_each_has_gathered_in_a_misere_lies_on_nothing(page, live_site, seats):
    game = live_site.call(make_misere, seats)
    page.set_viewport_size(PHONE)
    page.goto(f"{live_site.url}/g/{game}/hand/1/?step={4 * seats}")
    expect(page.locator(".sides li")).to_have_count(seats)
    assert page.evaluate(LIES_ON) == 0


def make_table(rules: Ruleset) -> tuple[str, str, int]:
    """A finished game at this table, of somebody with a long name: its public id, that player's token, its steps."""
    player = person(name="Maria Catrina Deplazes-Cadalb")
    game = stored(rules.id, seats=rules.seats, player=player)
    return game.public_id, sessions.issue_guest_token(player), game.actions.count()


UNDER_THE_STEPS = """() => {
    const dock = document.querySelector(".dock").getBoundingClientRect().top;
    const out = (selector) => [...document.querySelectorAll(selector)].filter((one) => {
        const { left, top, right, bottom } = one.getBoundingClientRect();
        return top < 0 || left < 0 || right > innerWidth || bottom > dock;
    }).map((one) => `${one.closest("section").ariaLabel ?? one.closest("section").innerText} ${one.textContent.trim()}`);
    return { trick: out(".open-trick .card, .which"), hands: out(".open-hand .card") };
}"""


@pytest.mark.parametrize("viewport", [PHONE, {"width": 360, "height": 740}], ids=["phone", "360"])
@pytest.mark.parametrize("rules", quick({"troccas-at-4", "troccas-3-singles-at-3", "troggu-at-7"}, EVERY, NAMES))
@pytest.mark.slow(but="troccas-at-4-360")
def test_on_a_phone_the_steps_cover_neither_the_trick_nor_a_hand(page, live_site, rules, viewport):
    """Also under a sentence of two lines."""
    game, token, last = live_site.call(make_table, rules)
    page.context.add_cookies([{"name": "guest", "value": token, "url": live_site.url}])
    for step in {18, 21, 24, last // 2, last * 2 // 3, last - 4, last}:
        page.goto(f"{live_site.url}/g/{game}/hand/1/?step={step}")
        assert page.evaluate(UNDER_THE_STEPS) == {"trick": [], "hands": []}


def test_what_is_wrong_with_a_record_is_said_in_the_form(page, made):
    page.goto(f"{made[0]}/en/records/")
    page.get_by_label("Or paste the record").fill('{"format": "troccas-record", "version": 1, "ruleset": "skat"}')
    page.get_by_role("button", name="Look at it").click()
    expect(page.get_by_role("alert")).to_contain_text("a game that this site does not know")
    expect(page.get_by_label("Or paste the record")).to_have_value(re.compile("skat"))
    assert serious(page) == []


def test_at_the_end_there_is_nothing_to_play_on_from(page, made):
    open_hand(page, made, "troccas", 20)
    expect(page.locator("[data-from-here]")).to_be_enabled()
    page.keyboard.press("End")
    expect(page.locator("[data-from-here]")).to_be_disabled()
    expect(page.locator("[data-nothing-left]")).to_be_visible()
    page.keyboard.press("Home")
    expect(page.locator("[data-from-here]")).to_be_enabled()


def test_the_link_can_be_copied(page, made):
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    address = open_hand(page, made, "troggu")
    page.evaluate("window.setTimeout = () => 0")  # the button says so for two seconds only: here for ever
    page.get_by_role("button", name="Copy the link").click()
    expect(page.get_by_role("button", name="Copied")).to_be_visible()
    assert page.evaluate("navigator.clipboard.readText()") == f"{address}?step=20"


def test_all_of_it_works_without_script(browser: Browser, made: tuple[str, dict[str, str]]):
    url, games = made
    context = browser.new_context(java_script_enabled=False, locale="en-GB", viewport=PHONE)
    page = context.new_page()
    page.goto(f"{url}/g/{games['troccas']}/hands/")
    page.get_by_role("link", name=re.compile("^Look")).first.click()
    page.wait_for_url(re.compile(r"/hand/1/$"))
    page.locator('.moves a[data-step="30"]').click()
    page.wait_for_url(re.compile(r"\?step=30$"))
    expect(page.locator("[data-link]")).to_have_value(re.compile(r"step=30$"))
    page.locator("[data-from-here]").click()
    page.wait_for_url(re.compile(r"/g/\w+/$"))
    expect(page.locator(".practice-of")).to_contain_text("step 30")
    context.close()
