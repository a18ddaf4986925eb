"""The table in its window: in every state of every game, all that is played with is in view, and nothing covers an index.

The states are played in the engine and laid out by the real page, as for `test_hand`; this page measures them.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from domain.engine import Ruleset, ruleset
from games.read_models import Line, Question
from games.table.services import Hint
from tests.browser.table_states import AHEAD, accounts, states
from tests.browser.test_hand import WINDOWS, Table, index_ends
from tests.domain.engine.tables import EVERY, NAMES
from tests.live import PATIENCE
from tests.long import LONG, quick

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Browser


pytestmark = pytest.mark.browser

SHOWN = [("desk", "en"), ("phone", "en"), ("360", "de")]
if LONG:
    SHOWN += [(window, "en") for window in WINDOWS if window not in ("desk", "phone")] + [("phone", "de")]
HINT = {
    "en": Hint(
        doing="Play the king of batons and the jack of batons together.",
        because="The best card so far is your side’s and could still be beaten; this one holds the trick.",
        action="play BK BJ",
    ),
    "de": Hint(
        doing="Spiele den König der Stäbe und den Buben der Stäbe zusammen.",
        because="Die bisher beste Karte gehört deiner Seite und könnte noch überboten werden; diese hält den Stich.",
        action="play BK BJ",
    ),
}
MEASURE = """(ends) => {
    const box = (element) => element.getBoundingClientRect();
    const visible = (element) => element.checkVisibility({ visibilityProperty: true }) && box(element).width > 1;
    const name = (element) => `${element.className || element.tagName} “${element.textContent.trim().replace(/\\s+/g, " ").slice(0, 40)}”`;
    const overlap = (one, other) => Math.min(one.right, other.right) - Math.max(one.left, other.left) > 1
        && Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top) > 1;
    const table = document.getElementById("table"), faults = [];
    const prompt = table.querySelector("#prompt"), board = table.querySelector(".board");
    const held = [...table.querySelectorAll(".held")];
    const answers = [...table.querySelectorAll(".slot :is(button, summary, input:not([type=hidden]), label, .quiet, p)")]
        .filter((one) => visible(one) && !one.closest(".pile, .phrase-sheet, .visually-hidden"));
    const inner = (one) => {
        const { left, top, right, bottom } = box(one);
        if (left < -0.5 || top < -0.5 || right > innerWidth + 0.5 || bottom > innerHeight + 0.5) {
            faults.push(`${name(one)} out of the window: ${[left, top, right, bottom].map(Math.round)}`);
        }
    };
    [prompt, board, ...held, ...answers, ...table.querySelectorAll(".bar *")].filter(visible).forEach(inner);
    if (box(table.querySelector(".play")).bottom > innerHeight + 0.5) faults.push("the table is higher than the window");
    if (innerWidth >= 1024 && document.documentElement.scrollHeight > innerHeight) faults.push("the page rolls");
    if (document.documentElement.scrollWidth > innerWidth) faults.push("the page rolls sideways");
    for (const one of table.querySelectorAll(".slot, .slot *:not(.visually-hidden, .pile, .phrase-sheet *)")) {
        const { overflowX, overflowY } = getComputedStyle(one);
        const rolls = visible(one) && !one.closest(".visually-hidden, .pile")
            && (overflowY !== "visible" && one.scrollHeight > one.clientHeight + 1 || overflowX !== "visible" && one.scrollWidth > one.clientWidth + 1);
        if (rolls && !(one.matches(".over, .over .table-scroll, .meaning"))) faults.push(`${name(one)} is cut or rolls: ${one.scrollHeight} of ${one.clientHeight}`);
    }
    for (const one of answers) {
        const below = one.closest(".hint") ? held : [prompt, ...held]; // a hint lies on the line that asks
        const other = table.dataset.status === "playing" && below.find((other) => overlap(box(one), box(other)));
        if (other) faults.push(`${name(one)} lies on ${name(other)}`);
        const result = one.closest(".helps") && table.querySelector(".over");
        if (result && overlap(box(one), box(result))) faults.push(`${name(one)} lies on the result`);
        const { left, top, right, bottom } = box(one);
        const hit = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
        if (one.matches("button, summary, a") && one.scrollWidth > one.clientWidth + 1) faults.push(`${name(one)} is wider than it may be`);
        if (one.matches("button, summary") && !one.contains(hit)) faults.push(`${name(one)} is covered by ${hit && name(hit)}`);
    }
    for (const one of table.querySelectorAll(".led")) {
        if (visible(one) && one.scrollWidth > one.clientWidth) faults.push(`${name(one)} is cut: ${one.scrollWidth} of ${one.clientWidth}`);
    }
    const plates = [...table.querySelectorAll(".plate, .counts, .bubble, .led, .taken, .board figcaption, .earlier > summary")]
        .filter((one) => visible(one) && getComputedStyle(one).clipPath === "none");
    for (const card of table.querySelectorAll(".board :is(.laid, .face-up, .aside-card) .card")) {
        if (!visible(card) || card.closest(".earlier, .slot") || card.matches(".scart-cards *")) continue;
        const code = card.closest("[data-laid]")?.dataset.laid ?? card.querySelector("use")?.getAttribute("href")?.split("#").at(-1) ?? "";
        if (code === "back") continue;
        const [right, below] = ends[code.replace(/^card-/, "")] ?? [36, 34];
        const { left, top, width, height } = box(card), unit = card.clientWidth / 120; // it may be turned a little
        const turned = new DOMMatrix(getComputedStyle(card.closest(".laid") ?? card).transform);
        for (const across of [0.3, 0.6, 0.9]) for (const down of [0.3, 0.6, 0.9]) {
            const from = [(6 + (right - 6) * across - 60) * unit, (6 + (below - 6) * down - 108) * unit];
            const x = left + width / 2 + turned.a * from[0] + turned.c * from[1], y = top + height / 2 + turned.b * from[0] + turned.d * from[1];
            const hit = document.elementsFromPoint(x, y).find((one) => !one.matches(".seat, .middle, .trick, .board"));
            if (hit === undefined || card.contains(hit) || card.parentElement === hit || table.querySelector(".slot").contains(hit)) continue;
            faults.push(`${code}: its index is covered by ${name(hit)} ${hit.closest("[data-laid]")?.dataset.laid ?? ""}`);
            break;
        }
        if (!plates.length) break;
    }
    const texts = plates.filter((one) => one.matches(".plate, .bubble, .led, .taken, .counts, .board figcaption, .earlier > summary"));
    texts.forEach((one, at) => texts.slice(at + 1).forEach((other) => {
        if (!one.contains(other) && overlap(box(one), box(other))) faults.push(`${name(one)} on ${name(other)}`);
    }));
    const frame = box(board);
    for (const one of texts.filter((one) => one.matches(".plate, .bubble"))) {
        const { left, top, right, bottom } = box(one);
        if (left < frame.left || top < frame.top || right > frame.right || bottom > frame.bottom) faults.push(`${name(one)} hangs over the frame`);
    }
    const aside = [...table.querySelectorAll(".board .aside-card")].filter((one) => getComputedStyle(one).zIndex !== "-1");
    for (const card of aside.flatMap((one) => [...one.querySelectorAll(".card")]).filter(visible)) {
        const under = texts.find((one) => one.matches(".plate, .counts, .bubble") && overlap(box(card), box(one)));
        if (under) faults.push(`${name(card.closest(".aside-card"))} is on ${name(under)}`);
    }
    const { left, top, width, height } = box(board);
    return { faults: [...new Set(faults)], board: [left, top, width, height].map((one) => Math.round(one * 10) / 10) };
}"""
"""What is out of view, cut, or covered; and where the board lies. `ends`: where the index of each card ends (`index_ends`)."""
ROLLS = """(whole) => {
    const sheets = [...document.querySelectorAll(":is(.over, .side) .table-scroll:has(.sheet)")];
    const found = sheets.filter((one) => one.scrollWidth > one.clientWidth).map((one) => `sideways: ${one.scrollWidth} of ${one.clientWidth}`);
    const result = document.querySelector(".over");
    if (whole && result.scrollHeight > result.clientHeight) found.push(`the result: ${result.scrollHeight} of ${result.clientHeight}`);
    return found;
}"""
"""Which score sheets are wider than their place; and whether the result is higher than there is room for, where it must not be."""
ENDS = {
    code: index_ends(code) for code in (f"{suit}{rank}" for suit in "COSB" for rank in (*"KQNJ", *range(1, 11)))
} | {code: index_ends(code) for code in ("F", *(f"T{number}" for number in range(1, 22)))}


@pytest.fixture
def table(browser: Browser) -> Iterator[Table]:
    """A page whose window changes its size."""
    context = browser.new_context(locale="en-GB", reduced_motion="reduce", has_touch=True, service_workers="block")
    context.set_default_timeout(PATIENCE * 1000)
    yield Table(context.new_page())
    context.close()


def measured(table: Table, rules: Ruleset) -> dict[str, Any]:
    """By state and window, what is wrong; and of each window all places of the board."""
    faults: dict[str, Any] = {}
    boards: dict[tuple[str, str], set[tuple[float, ...]]] = {}
    shown = [(name, sight, False) for name, sight in states(rules).items()]
    shown += [(f"{state}, with a hint,", sight, True) for state, sight, _ in shown if sight.may_hint]
    for state, sight, hinted in shown:
        for window, lang in SHOWN:
            table.page.set_viewport_size(WINDOWS[window])
            table.lay(sight, lang, plans=AHEAD, hint=HINT[lang] if hinted else None)
            found = table.page.evaluate(MEASURE, ENDS)
            boards.setdefault((window, lang), set()).add(tuple(found["board"]))
            if found["faults"]:
                faults[f"{state} {window} {lang}"] = found["faults"]
    return faults | {f"board {look}": places for look, places in boards.items() if len(places) > 1}


def test_what_was_called_twice_in_a_deal_is_in_view_beside_its_account(table: Table) -> None:
    sight = states(ruleset("troccas"), 1)["sit counted"]
    assert sight.counted is not None
    told = tuple(Line(number, "jack-given", seat=number, cards=("BJ", "B7")) for number in (1, 2))
    for lang in ("en", "de"):
        table.page.set_viewport_size(WINDOWS["desk"])
        table.lay(replace(sight, counted=replace(sight.counted, told=told)), lang, plans=AHEAD)
        assert table.page.evaluate(MEASURE, ENDS)["faults"] == []


@pytest.mark.parametrize("rules", quick({"troggu-at-6", "troggu-st-niklaus-at-7"}, EVERY, NAMES))
def test_the_account_of_a_hand_is_in_the_window_when_it_is_opened(table: Table, rules: Ruleset) -> None:
    faults: dict[tuple[Any, ...], Any] = {}
    for sides, sight in accounts(rules).items():
        for window, lang in SHOWN:
            if window == "360" and rules.seats > 5:  # where the longest names of six and more stand, it rolls
                continue
            table.page.set_viewport_size(WINDOWS[window])
            table.lay(sight, lang, plans=AHEAD)
            table.page.evaluate("document.querySelector('.sit .account').open = false")
            faults[sides, window, lang, "closed"] = table.page.evaluate(MEASURE, ENDS)["faults"]
            table.page.evaluate("document.querySelector('.sit .account').open = true")
            assert table.page.locator(".sit .deal-count").is_visible()
            faults[sides, window, lang] = table.page.evaluate(MEASURE, ENDS)["faults"]
    assert {looked: found for looked, found in faults.items() if found} == {}


@pytest.mark.parametrize("rules", quick({"troggu-at-7", "troggu-at-8"}, EVERY, NAMES))
def test_a_score_sheet_does_not_roll(table: Table, rules: Ruleset) -> None:
    faults: dict[tuple[Any, ...], Any] = {}
    for sides, sight in accounts(rules).items():
        over = replace(sight, status="finished", question=Question("", None, mine=False))
        for window, lang in SHOWN:
            table.page.set_viewport_size(WINDOWS[window])
            table.lay(over, lang, plans=AHEAD)
            table.page.evaluate("document.querySelector('#sheet-fold').open = true")
            faults[sides, window, lang] = table.page.evaluate(ROLLS, window != "360")
    assert {looked: found for looked, found in faults.items() if found} == {}


@pytest.mark.parametrize("rules", quick({"troccas-at-4"}, EVERY, NAMES))
@pytest.mark.slow
def test_all_is_in_the_window_in_every_state_and_covers_no_index(table: Table, rules: Ruleset) -> None:
    assert measured(table, rules) == {}
