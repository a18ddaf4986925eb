"""The table in a real browser: whole hands by mouse and by keys, plain forms, what is said to whom, and bad moments."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import expect

from accounts.models import Player
from tests.browser.table_player import (
    EDGE,
    act_by_form,
    act_by_keys,
    act_by_mouse,
    moment,
    move_to,
    play_until,
    playable,
    reload_until_turn,
    seat,
    sit_down,
    skip_to,
    state,
    tab_to,
    wait_for_turn,
    wait_until_somebody_is_asked,
)
from tests.live import DESK, PATIENCE, PHONE, held_back, press, serious
from tests.long import looks

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Browser, Page

    from tests.live import LiveSite

pytestmark = pytest.mark.browser


UNTIL_QUIET = 1_000  # milliseconds until nothing moves any more and nothing is asked for


def play_a_hand(page: Page, site: LiveSite, act: Any) -> None:
    """From the draw to the result of a hand that was played; of its play, the first trick and the last two."""
    play_until(page, "play", act)
    act(page)
    skip_to(page, site, cards=2)
    seen = wait_for_turn(page)
    while not page.locator(".deal-count").count():
        assert not seen.over
        act(page)
        seen = wait_for_turn(page, seen.number)


# a whole hand


@pytest.mark.parametrize("viewport", [PHONE])
def test_a_hand_is_played_by_keys_alone_on_a_phone(page, live_site):
    sit_down(page, live_site)
    play_a_hand(page, live_site, act_by_keys)
    sheet = next(sheet for sheet in state(page)["sheets"] if sheet["points"])
    assert sum(sheet["points"]) == 72
    expect(page.get_by_role("heading", name="Hand over")).to_be_visible()
    assert page.get_by_role("link", name="Look back at this hand").is_visible() == sheet["open"]


def test_a_hand_is_played_by_mouse_at_a_desk(page, live_site):
    seat(page, live_site, cards=3)
    page.evaluate("window.sameDocument = true")
    seen = wait_for_turn(page)
    while not page.locator(".deal-count").count():
        assert not seen.over
        act_by_mouse(page)
        seen = wait_for_turn(page, seen.number)
    assert page.evaluate("window.sameDocument"), "the page was loaded anew"
    expect(page.get_by_role("button", name="Next hand")).to_be_visible()


# without script


@pytest.fixture
def plain_page(browser: Browser) -> Iterator[Page]:
    """A page in a browser that runs no script."""
    context = browser.new_context(viewport=PHONE, locale="en-GB", java_script_enabled=False)
    context.set_default_timeout(PATIENCE * 1000)
    yield context.new_page()
    context.close()


def sit_down_by_form(page: Page, site: LiveSite) -> None:
    """Without script: from the front page to a new table whose computer players answer at once."""
    page.goto(f"{site.url}/en/")
    press(page.get_by_role("button", name="Play now"))
    press(page.locator(".bar").get_by_role("link", name="Settings"))
    page.get_by_label("How fast computer players play").select_option("at-once")
    press(page.get_by_role("button", name="Save"))


@pytest.mark.slow
def test_without_script_the_table_is_played_by_forms(plain_page, live_site):
    page = plain_page
    sit_down_by_form(page, live_site)
    plays = 0
    while plays < 2:
        seen = reload_until_turn(page)
        assert not seen.over
        plays += seen.asked == "play"
        act_by_form(page)
        assert moment(page).number > seen.number
    assert page.locator(".log li").count() > plays


def test_without_script_a_card_that_may_not_be_played_says_why(plain_page, live_site):
    page = plain_page
    seat(page, live_site)
    forbidden = page.locator("button.held[data-why]:not(.waiting)")
    while not forbidden.count():
        assert not reload_until_turn(page).over
        if not forbidden.count():
            act_by_form(page)
    number, why = moment(page).number, forbidden.first.get_attribute("data-why")
    with page.expect_navigation() as answered:
        forbidden.first.click(position=EDGE, force=True)
    assert answered.value.status == 422
    assert page.get_by_role("alert").inner_text() == why
    assert moment(page).number == number


def test_a_stale_page_gets_a_clear_message_and_the_present_table(plain_page, live_site):
    page = plain_page
    sit_down_by_form(page, live_site)
    other = page.context.new_page()
    other.goto(page.url)
    stale = moment(page).number
    act_by_form(other)
    with page.expect_response("**/ready/") as answered:
        act_by_form(page)
    assert answered.value.status == 409
    expect(page.get_by_role("alert")).to_contain_text("moved on")
    assert stale < moment(page).number <= state(other)["number"]  # the computers go on meanwhile


# taps and keys


def test_one_tap_lifts_a_card_and_escape_puts_it_back(page, live_site):
    seat(page, live_site)
    seen = wait_for_turn(page)
    card = playable(page).first
    card.click(position=EDGE)
    expect(card).to_have_attribute("aria-pressed", "true")
    page.keyboard.press("Escape")
    expect(card).to_have_attribute("aria-pressed", "false")
    assert state(page)["number"] == seen.number


def test_a_player_may_choose_to_play_with_one_tap(page, live_site):
    seat(page, live_site)
    live_site.call(lambda: Player.objects.filter(computer="").update(one_tap=True))
    page.reload()
    seen = wait_for_turn(page)
    playable(page).first.click(position=EDGE)
    assert wait_for_turn(page, seen.number).number > seen.number


def actions_sent(page: Page) -> list[str]:
    """A list that grows with every action the page sends from now on."""
    sent: list[str] = []
    page.on("request", lambda request: sent.append(request.url) if request.url.endswith("/act/") else None)
    return sent


def test_a_faded_card_says_why_and_is_not_sent(page, live_site):
    seat(page, live_site)
    forbidden = page.locator("button.held[data-why]:not(.waiting)")
    seen = wait_for_turn(page)
    while not forbidden.count():
        act_by_mouse(page)
        seen = wait_for_turn(page, seen.number)
    assert not seen.over
    sent = actions_sent(page)
    forbidden.first.click(position=EDGE, force=True)
    assert page.get_by_role("alert").inner_text() == forbidden.first.get_attribute("data-why")
    assert sent == []
    playable(page).first.click(position=EDGE)
    expect(page.get_by_role("alert")).to_have_count(0)


def test_the_question_mark_explains_the_cards_and_gives_the_focus_back(page, live_site):
    seat(page, live_site)
    tab_to(page, "[data-explain]")
    page.keyboard.press("Enter")
    dialog = page.get_by_role("dialog", name="What can I do now?")
    dialog.wait_for()
    expect(dialog.locator(".why-cards svg")).to_have_count(len(state(page)["cards"]))
    page.keyboard.press("Escape")
    dialog.wait_for(state="detached")
    expect(page.locator("[data-explain]")).to_be_focused()


def test_the_hand_is_on_the_way_of_tab_after_a_visit_to_anything_else(page, live_site):
    seat(page, live_site)
    for elsewhere in ("[data-explain]", "#notes summary"):
        tab_to(page, elsewhere)
        expect(page.locator("button.held[tabindex='0']")).to_have_count(1)
        tab_to(page, "button.held")


def test_keys_in_a_field_beside_the_table_are_the_writers_own(page, live_site):
    seat(page, live_site)
    page.locator("#notes summary").click()
    note = page.locator("#notes textarea").first
    note.click()
    for key in ("b", "d", "ArrowLeft", "c", "Home", "a", "End", "e"):
        page.keyboard.press(key)
    expect(note).to_have_value("abcde")
    expect(note).to_be_focused()


# what is said to whom


def test_a_screen_reader_finds_cards_by_name_and_hears_what_happens(page, live_site):
    url = seat(page, live_site)
    seen = wait_for_turn(page)
    assert page.title().startswith("● Your turn")
    prompt = page.locator("#prompt")
    assert prompt.get_attribute("role") == "status"
    assert prompt.inner_text().startswith("Your turn")
    for code in [card["code"] for card in state(page)["cards"]]:
        button = page.locator(f"#card-{code}")
        name = button.inner_text().strip()
        assert name
        assert page.get_by_role("button", name=name, exact=True).count() == 1
    card = playable(page).first
    spoken = card.inner_text().strip()
    assert page.locator("#said").get_attribute("aria-live") == "polite"
    card.click(position=EDGE)
    card.click(position=EDGE)
    wait_for_turn(page, seen.number)
    said = page.locator("#said").inner_text()
    assert "You play" in said or "You lead" in said
    short = spoken.split(",")[0].lower().removeprefix("the ")
    assert short in said.lower()
    assert page.url == url


def test_landmarks_and_headings_are_there(page, live_site):
    seat(page, live_site)
    assert page.get_by_role("main").count() == 1
    assert page.get_by_role("heading", level=1).inner_text() == "Hand 1 of 4"
    for name in ("The table", "Your hand"):
        assert page.get_by_role("region", name=name).is_visible()
    assert page.get_by_role("complementary", name="Log, scores and tools").is_visible()


@pytest.mark.parametrize("viewport", looks(PHONE, DESK))
@pytest.mark.parametrize("theme", looks("light", "dark"))
def test_nothing_serious_is_found_at_any_question(page, live_site, viewport, theme):
    page.emulate_media(color_scheme=theme)
    sit_down(page, live_site)
    looked: set[str] = set()
    seen = wait_for_turn(page)
    while "play" not in looked:  # a hand may be thrown in, and one after it
        assert not seen.over
        if seen.asked not in looked:
            looked.add(seen.asked)
            assert serious(page) == [], seen.asked
            assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth"), seen.asked
        act_by_mouse(page)
        seen = wait_for_turn(page, seen.number)
    assert {"sit", "play"} <= looked


@pytest.mark.parametrize("viewport", [PHONE])
def test_a_full_hand_fits_a_phone_and_every_card_can_be_tapped(page, live_site):
    seat(page, live_site)
    measured = page.evaluate(
        """() => [...document.querySelectorAll("button.held")].map((card) => {
            const box = card.getBoundingClientRect();
            let wide = 0, tall = 0;
            const ours = (x, y) => document.elementFromPoint(x, y)?.closest("button.held") === card;
            for (let x = box.left + 0.5; x < box.right + 40; x += 1) wide += ours(x, box.top + 20) ? 1 : 0;
            for (let y = box.top + 0.5; y < box.bottom; y += 1) tall += ours(box.left + 8, y) ? 1 : 0;
            return {wide, tall, bottom: box.bottom, right: box.right};
        })"""
    )
    assert len(measured) >= 18
    for card in measured:
        assert card["wide"] >= 24
        assert card["tall"] >= 44
        assert card["bottom"] <= PHONE["height"]
        assert card["right"] <= PHONE["width"]


# bad moments


@pytest.mark.slow
def test_after_a_sudden_death_the_page_goes_on_where_it_was(page, fresh_site):
    seat(page, fresh_site)
    seen = wait_for_turn(page)
    held = len(state(page)["cards"])
    fresh_site.kill()
    card = playable(page).first
    code = card.get_attribute("data-card")
    card.click(position=EDGE)
    card.click(position=EDGE)
    page.locator("#connection", has_text="Sending again").wait_for()
    page.wait_for_timeout(2_500)  # by then the lost line is noticed, too: what one did oneself comes first
    expect(page.locator("#connection")).to_contain_text("Sending again")
    fresh_site.start()
    after = wait_for_turn(page, seen.number)
    assert not after.over
    page.locator("#connection").wait_for(state="hidden", timeout=2 * PATIENCE * 1000)  # it waits longer each time
    cards = [one["code"] for one in state(page)["cards"]]
    assert code not in cards
    assert len(cards) == held - 1
    act_by_mouse(page)
    assert wait_for_turn(page, after.number).number > after.number


def test_two_tabs_that_send_the_same_card_make_one_action(page, live_site):
    url = seat(page, live_site)
    other = page.context.new_page()
    # The other tab must not hear of the first before it acts.
    other.route_web_socket("**/ws/**", lambda socket: None)
    other.route("**/since/**", lambda route: route.fulfill(status=204))
    other.goto(url)
    held = len(state(page)["cards"])
    code = playable(page).first.get_attribute("data-card")
    for tab in (page, other):
        tab.locator(f"#card-{code}").click(position=EDGE)
    page.locator(f"#card-{code}").click(position=EDGE)
    page.wait_for_function("(code) => document.getElementById(`card-${code}`) === null", arg=code)
    with other.expect_response("**/act/") as answered:
        other.locator(f"#card-{code}").click(position=EDGE)
    assert answered.value.status == 409
    expect(other.get_by_role("alert")).to_contain_text("moved on")
    expect(other.locator(f"#card-{code}")).to_have_count(0)
    assert len(state(page)["cards"]) == held - 1


def test_a_double_tap_on_a_lifted_card_is_one_action(page, live_site):
    seat(page, live_site)
    seen = wait_for_turn(page)
    sent = actions_sent(page)
    held = len(state(page)["cards"])
    card = playable(page).first
    card.click(position=EDGE)
    card.evaluate("(card) => { card.click(); card.click(); card.click(); }")
    wait_for_turn(page, seen.number)
    assert len(sent) == 1
    assert len(state(page)["cards"]) == held - 1


@pytest.mark.slow
def test_a_card_that_the_network_swallows_without_a_word_is_sent_again(page, live_site):
    seat(page, live_site)
    seen = wait_for_turn(page)
    held = len(state(page)["cards"])
    swallowed: list[Any] = []
    page.route("**/act/", lambda route: swallowed.append(route), times=1)
    act_by_mouse(page)
    expect(page.locator("#connection")).to_contain_text("Sending again")
    wait_for_turn(page, seen.number)
    expect(page.locator("#connection")).to_be_hidden()
    assert len(swallowed) == 1
    assert len(state(page)["cards"]) == held - 1


@pytest.mark.slow
def test_a_page_goes_on_asking_when_the_network_swallows_what_it_asks(page, live_site):
    url = seat(page, live_site)
    other = page.context.new_page()
    other.goto(url)
    seen = wait_for_turn(other)
    swallowed: list[Any] = []
    page.route("**/since/**", lambda route: swallowed.append(route), times=1)
    page.evaluate("htmx.trigger('#table', 'update')")
    held_back(page, swallowed)
    act_by_mouse(other)
    seen = wait_for_turn(other, seen.number)
    expect(page.locator("#table")).to_have_attribute("data-number", str(seen.number))


def test_a_refusal_is_told_although_a_newer_table_came_before_it(page, live_site):
    heard = False
    sent: list[tuple[Any, Any]] = []
    page.route_web_socket("**/ws/**", lambda socket: None)
    page.route("**/since/**", lambda route: route.continue_() if heard else route.fulfill(status=204))
    page.route("**/act/", lambda route: sent.append((route, route.fetch())))
    url = seat(page, live_site)
    other = page.context.new_page()
    other.goto(url)
    seen = wait_for_turn(other)
    act_by_mouse(other)
    seen = wait_for_turn(other, seen.number)
    act_by_mouse(page)
    action, refused = held_back(page, sent)
    assert refused.status == 409
    act_by_mouse(other)
    seen = wait_for_turn(other, seen.number)
    heard = True
    page.evaluate("htmx.trigger('#table', 'update')")
    expect(page.locator("#table")).to_have_attribute("data-number", str(seen.number))
    action.fulfill(response=refused)
    expect(page.get_by_role("alert")).to_contain_text("moved on")


def test_what_is_pressed_when_the_answer_to_a_card_comes_is_pressed(page, live_site):
    seat(page, live_site)
    seen = wait_for_turn(page)
    sent: list[tuple[Any, Any]] = []
    page.route("**/act/", lambda route: sent.append((route, route.fetch())))
    page.route("**/since/**", lambda route: route.fulfill(status=204))
    act_by_mouse(page)
    action, done = held_back(page, sent)
    fold = page.locator("#log-fold")
    fold.locator("summary").hover()
    page.mouse.down()
    with page.expect_event("requestfinished", lambda asked: asked.url.endswith("/act/")):
        action.fulfill(response=done)
    page.wait_for_timeout(300)  # for what the page would do with it
    page.mouse.up()
    expect(fold).not_to_have_attribute("open", "")
    expect(page.locator("#table")).not_to_have_attribute("data-number", str(seen.number))


def test_a_key_that_is_held_too_long_lifts_one_card_and_plays_none(page, live_site):
    seat(page, live_site)
    seen = wait_for_turn(page)
    sent = actions_sent(page)
    tab_to(page, "button.held")
    move_to(page, "button.held:not([aria-disabled=true])")
    for _ in range(6):
        page.keyboard.down("Enter")
    page.keyboard.up("Enter")
    page.wait_for_timeout(300)
    assert sent == []
    expect(page.locator("button.held[aria-pressed=true]")).to_be_focused()
    page.keyboard.press("Enter")
    wait_for_turn(page, seen.number)
    assert len(sent) == 1


def test_another_open_page_follows_without_being_loaded_anew(page, live_site):
    url = sit_down(page, live_site)
    other = page.context.new_page()
    other.goto(url)
    other.evaluate("window.sameDocument = true")
    sitting = moment(page)
    act_by_mouse(page)
    seen = wait_for_turn(page, sitting.number)
    other.wait_for_function(
        "(number) => Number(document.getElementById('table').dataset.number) >= number", arg=seen.number
    )
    assert other.evaluate("window.sameDocument")
    expect(other.locator("#prompt")).to_have_text(page.locator("#prompt").inner_text())


def test_what_rings_while_an_answer_is_on_its_way_is_fetched_after_it(page, live_site):
    seat(page, live_site)
    seen = wait_for_turn(page)
    before = page.request.get(f"{page.url}since/0/", headers={"HX-Request": "true"})
    sent: list[tuple[Any, Any]] = []
    asked: list[Any] = []
    page.wait_for_timeout(3_000)  # until it has asked by itself whether all are here
    page.route("**/act/", lambda route: sent.append((route, route.fetch())))
    page.route("**/since/**", lambda route: route.continue_() if asked else asked.append(route))
    act_by_mouse(page)
    action, done = held_back(page, sent)
    since = held_back(page, asked)
    wait_until_somebody_is_asked(page)
    page.wait_for_timeout(1_000)  # until all of that has rung
    action.fulfill(response=done)
    page.wait_for_function(
        "(number) => Number(document.getElementById('table').dataset.number) > number", arg=seen.number
    )
    since.fulfill(response=before)
    page.wait_for_function(  # long before the page asks by itself
        "() => document.getElementById('table').dataset.yours === 'yes'", timeout=20_000
    )


DIFFERENT = """async () => {
  const table = document.getElementById("table");
  const answer = await fetch(`${table.dataset.base}since/0/`, { headers: { "HX-Request": "true" } });
  const fresh = new DOMParser().parseFromString(await answer.text(), "text/html").getElementById("table");
  if (fresh.dataset.number !== table.dataset.number) return ["moved on"];
  const keyOf = (root, name) => root.querySelector(`[data-part="${name}"]`)?.dataset.key;
  const stale = [...table.querySelectorAll('[name="expected"]')].filter(({ value }) => value !== table.dataset.number);
  return [...fresh.querySelectorAll("[data-part]")].map(({ dataset }) => dataset.part)
    .filter((name) => keyOf(table, name) !== keyOf(fresh, name)).concat(stale.map(({ form }) => form.action));
}"""
"""The parts of a page that are other than a fresh page has them, and its forms that belong to another number."""


def test_a_page_that_is_told_only_what_changed_is_as_a_fresh_one(page, live_site):
    seat(page, live_site)
    answers: list[str] = []
    page.on(
        "response",
        lambda answer: answers.append(answer.text()) if "/act/" in answer.url or "/since/" in answer.url else None,
    )
    for _step in range(3):
        seen = wait_for_turn(page)
        act_by_mouse(page)
        wait_for_turn(page, seen.number)
        assert page.evaluate(DIFFERENT) == []
    assert sum("data-same" in answer for answer in answers) >= 3


MARKED = """() => document.querySelectorAll("#table :is(.held, .laid)").forEach((card) => {
  card.querySelector("svg").drawnFor = card.dataset.card ?? card.dataset.laid;
})"""
DRAWN_ANEW = """() => [...document.querySelectorAll("#table :is(.held, .laid)")]
  .filter((card) => card.querySelector("svg").drawnFor !== (card.dataset.card ?? card.dataset.laid))
  .map((card) => card.dataset.card ?? card.dataset.laid)"""
"""The cards whose picture is another than the one that was marked: a browser draws each from hundreds of lines, which takes
a phone longer than all the rest of a renewal."""
LAID_ANEW = """() => {
  window.drawn = [];
  const watch = (changes) => changes.flatMap(({ addedNodes }) => [...addedNodes])
    .flatMap((node) => node.matches?.(".laid") ? [node] : [...(node.querySelectorAll?.(".laid") ?? [])])
    .forEach((card) => drawn.push(card.dataset.laid));
  new MutationObserver(watch).observe(document.getElementById("table"), { childList: true, subtree: true });
}"""


def test_cards_that_stay_where_they_lie_are_not_drawn_anew(page, live_site):
    seat(page, live_site)
    page.evaluate(LAID_ANEW)
    for _trick in range(2):
        seen = wait_for_turn(page)
        page.evaluate(MARKED)
        hand = page.locator(".held[data-card]").count()
        act_by_mouse(page)
        wait_for_turn(page, seen.number)
        assert page.locator(".held[data-card]").count() == hand - 1
        laid = page.locator(".laid").evaluate_all("(cards) => cards.map((card) => card.dataset.laid)")
        assert set(page.evaluate(DRAWN_ANEW)) <= set(laid)
    drawn = page.evaluate("drawn")
    assert sorted(drawn) == sorted(set(drawn))


STYLED_ANEW = ["devtools.timeline", "disabled-by-default-devtools.timeline.invalidationTracking"]


@pytest.mark.parametrize("part", ["#prompt", '[data-part="ask"]', '[data-part="hint"]', '[data-part="refusal"]'])
@pytest.mark.slow(but="#prompt")
def test_what_changes_under_the_board_leaves_the_cards_alone(page, live_site, part):
    """Where a rule with `:has()` may be about anything, a browser styles anew all that stands beside, each line of each card."""
    seat(page, live_site)
    wait_for_turn(page)
    page.wait_for_timeout(UNTIL_QUIET)
    page.context.browser.start_tracing(page=page, categories=STYLED_ANEW)
    page.locator(part).evaluate("(part) => { part.textContent = 'Other'; document.body.getBoundingClientRect(); }")
    page.wait_for_timeout(100)
    traced = json.loads(page.context.browser.stop_tracing())["traceEvents"]
    assert any(event["name"] == "UpdateLayoutTree" for event in traced)
    anew = [event["args"]["data"] for event in traced if event["name"].endswith("InvalidationTracking")]
    assert {data["nodeName"] for data in anew} - {"#text"}
    assert [data["nodeName"] for data in anew if data.get("reason") == "Invalidation set invalidates subtree"] == []
    styled = [
        event["args"]["data"]["nodeName"] for event in traced if event["name"] == "StyleRecalcInvalidationTracking"
    ]
    assert [node for node in styled if "class='card" in node] == []


def test_what_a_page_shows_otherwise_than_it_came_is_sent_anew(page, live_site):
    seat(page, live_site)
    seen = wait_for_turn(page)
    shown = page.locator('[data-part="tools"]').inner_html()
    page.locator('[data-part="tools"]').evaluate("(part) => part.replaceChildren()")
    page.locator('[data-part="sheet"]').evaluate("(part) => { part.dataset.key = 'another'; }")
    act_by_mouse(page)
    wait_for_turn(page, seen.number)
    assert page.locator('[data-part="tools"]').inner_html() == shown
    assert page.evaluate(DIFFERENT) == []


REPLACED = """() => {
  const table = document.getElementById("table");
  document.addEventListener("htmx:beforeSwap", () => {
    const part = document.querySelector('[data-part="sheet"]');
    part.dataset.key = "another";
    part.append("another");
  }, { once: true });
  table.setAttribute("hx-get", `${table.dataset.base}since/${table.dataset.number - 1}/`);
  htmx.trigger(table, "update");
}"""
"""The table is asked for as of the action before: while the answer is under way, a part becomes another than it was."""


def test_a_part_that_was_replaced_while_the_answer_was_under_way_is_fetched(page, live_site):
    seat(page, live_site)
    wait_for_turn(page)  # until this person acts, nobody else does: no other answer comes in between
    with page.expect_response("**/since/0/**"):
        page.evaluate(REPLACED)
    page.wait_for_function("() => !document.querySelector('[data-part=\"sheet\"]').textContent.includes('another')")
    assert page.evaluate(DIFFERENT) == []


def test_a_stranger_sees_the_table_and_no_hand(page, browser, live_site):
    url = seat(page, live_site)
    stranger = browser.new_context(locale="en-GB")
    try:
        view = stranger.new_page()
        view.goto(url)
        assert view.locator(".held").count() == 0
        assert view.get_by_role("region", name="The table").is_visible()
        assert view.locator("form[data-act]").count() == 0
        assert serious(view) == []
    finally:
        stranger.close()
