"""The stage: whatever is called or happens stands at its seat, and covers no name and no index of a card.

The page is the real one around a table that is made up, as in `test_hand`; no server stands behind it.
"""

from __future__ import annotations

import os
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import pytest

from accounts.models import Player
from domain.engine import UNKNOWN
from games.lobby.selectors.waiting_table import Drawn, DrawSeen
from games.read_models import CardSeen, Happened, Line, Question, Said, Sight, TappSeen, TrickCard, TrickSeen, Why
from tests.browser.test_hand import WINDOWS, Table, index_ends
from tests.browser.test_table_settings import HEAR
from tests.games.test_wording import SIGHT, seat
from tests.live import PATIENCE, serious
from tests.long import looks

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Browser

pytestmark = pytest.mark.browser

NAMES = ("Anna", "Mengia", "Toni", "Flurina", "Clau", "Barla", "Duri", "Gion")
ON_TOP = """([selector, points]) => [...document.querySelectorAll(selector)].flatMap((one, at) => {
    const box = one.getBoundingClientRect();
    if (!box.width) return [];
    const wrong = (points[at] ?? points[0]).filter(([x, y]) => {
        const there = document.elementFromPoint(box.left + x * box.width, box.top + y * box.height);
        return there !== one && !one.contains(there) && !there?.contains(one);
    });
    return wrong.length ? [`${one.closest("[id], [data-laid]").id || one.closest("[data-laid]")?.dataset.laid}: ${wrong}`] : [];
})"""
"""What of these elements is covered by something else, at points in parts of their boxes."""
ON_LED = """() => [...document.querySelectorAll(".led")].flatMap((led) => {
    const { left, top, right, bottom } = led.getBoundingClientRect();
    return [...document.querySelectorAll(".bubble")].filter((one) => {
        const box = one.getBoundingClientRect();
        return box.left < right - 1 && left < box.right - 1 && box.top < bottom - 1 && top < box.bottom - 1;
    }).map((one) => `what says who led is under ${one.textContent.trim()}`);
})"""
INDEX = """(ends) => [...document.querySelectorAll(".board .laid")].flatMap((laid) => {
    const box = laid.querySelector(".card").getBoundingClientRect(), unit = box.width / 126;
    const [right, below] = ends[laid.dataset.laid];
    const covered = [];
    for (const x of [0.2, 0.5, 0.95]) for (const y of [0.3, 0.6, 0.95]) {
        const there = document.elementFromPoint(box.left + 3 * unit + x * right * unit, box.top + 3 * unit + y * below * unit);
        if (there?.closest(".laid") !== laid || there.closest(".led")) covered.push([x, y, there?.className?.baseVal ?? there?.className]);
    }
    return covered.length ? [`${laid.dataset.laid} of seat ${laid.dataset.seat}: ${JSON.stringify(covered)}`] : [];
})"""
"""The cards on the table whose upper left corner is covered; their boxes are a little larger, as they lie askew."""
OUTSIDE = """() => [...document.querySelectorAll(".board :is(.plate, .laid .card, .bubble, .counts, .aside-card)")].flatMap((one) => {
    const box = one.getBoundingClientRect(), board = one.closest(".board").getBoundingClientRect();
    const cut = one.matches(".bubble") && one.scrollHeight > one.clientHeight + 1;
    const out = box.left < board.left || box.right > board.right || box.top < board.top || box.bottom > board.bottom;
    return (out || cut) && box.width > 0 ? [`${cut ? "cut" : "outside"}: ${one.className.baseVal ?? one.className} ${one.textContent.trim()}`] : [];
})"""
"""What reaches beyond the board, and words that are longer than their bubble."""
ACROSS = [[(x, 0.5) for x in (0.04, 0.25, 0.5, 0.75, 0.96)]]


@dataclass(frozen=True, slots=True)
class Moment:
    """What lies on the table, seat by seat in the order of play from `leader`, and what happens at the seats."""

    seats: int
    cards: tuple[str, ...]
    happened: dict[int, tuple[Happened, ...]]
    leader: int = 0
    pair: int | None = None
    gathered: bool = False
    changes: dict[str, Any] | None = None


def table_at(moment: Moment, **changes: Any) -> Sight:
    """The table at that moment, with the longest that can stand at each seat."""
    order = [(moment.leader + at) % moment.seats for at in range(moment.seats)]
    placed = list(zip(order, moment.cards, strict=False))
    if moment.pair is not None:
        at = next(at for at, (whose, _) in enumerate(placed) if whose == moment.pair)
        king = placed[at][1]
        placed.insert(at + 1, (moment.pair, king[0] + "J"))
    laid = tuple(TrickCard(whose, whose, code, at == 0, at == 1) for at, (whose, code) in enumerate(placed))
    gathered = TrickSeen(2, laid[0].code[0], laid, order[1])
    seats = tuple(
        replace(
            seat(number, NAMES[number]),
            side=number % 2, team="AB"[number % 2] if moment.seats == 4 else "", tricks=number, page="abc" if number else "",
            happened=moment.happened.get(number, ()), dealer=number == moment.seats - 1, partner=False,
            owes=number == 2,
        )
        for number in range(moment.seats)
    )  # fmt: skip
    return replace(
        SIGHT,
        seats=seats,
        parties=((0, 2), (1, 3)) if moment.seats == 4 else tuple((number,) for number in range(moment.seats)),
        totals=(0,) * moment.seats,
        question=Question("play", 1, mine=False),
        trick=None if moment.gathered else replace(gathered, number=3, winner=None),
        last_trick=gathered,
        trick_count=3,
        draws=False,
        cards=tuple(CardSeen(code, code[0], playable=True) for code in ("C2", "O4", "S5", "B9", "T19", "T3")),
        **changes,
    )


LONGEST = (Happened("jack-given", ("BJ", "BN")), Happened("fool-paid"))
CALLS = {
    1: (Happened("trick-won"), Happened("buob-sche")),
    2: LONGEST,
    3: (Happened("fool"), Happened("fool-owed")),
    0: (Happened("no-jack", ("BJ",)),),
}
MOMENTS = {
    "calls": Moment(4, ("T18", "B7", "F", "BK"), CALLS, leader=1, gathered=True),
    "own call": Moment(4, ("OK", "O5", "O9", "O2"), {0: (Happened("trick-won"), Happened("buob"), Happened("taken-back", ("OJ", "O10")))},
                       leader=0, pair=0, gathered=True),
    "given": Moment(4, ("BK", "BQ", "T19", "B10"), dict.fromkeys(range(4), LONGEST), leader=2),
    **{
        f"pair of {whose} at {at}": Moment(4, (*("B9", "B8", "T19", "B7")[:at], "BK", *("T18", "B4", "B3")[:3 - at]),
                                   {whose: (Happened("pair", ("BK", "BJ")),)}, leader=(whose - at) % 4, pair=whose)
        for whose in range(4) for at in (0, 3)
    },
    "three": Moment(3, ("OK", "T18", "O5"), {at: (Happened("taken-back", ("OJ", "O5")),) for at in range(3)}, pair=0),
    **{
        f"{seats} players": Moment(seats, ("T18", "T19", "T14", "T13", "T9", "T16", "T17", "T8")[:seats],
                                   {at: (Happened("trick-won"),) if at == 1 else (Happened("partner-shown"),) for at in range(seats)},
                                   changes={"tapp_seen": TappSeen(6, laid_away=True), "contract": "normal", "called": "T14"})
        for seats in (5, 6, 7, 8)
    },
    "six call": Moment(6, ("BK", "BQ", "T19", "B10", "F", "B3"), {at: LONGEST if at == 2 else (Happened("buob"),) for at in range(6)}),
}  # fmt: skip


class Stage(Table):
    """A page that shows any table."""

    def covered(self) -> list[str]:
        """The names, the words at seats and the indexes of cards that are not all to be seen."""
        codes = self.page.locator(".board .laid").evaluate_all("all => all.map((one) => one.dataset.laid)")
        found: list[str] = self.page.evaluate(INDEX, {code: index_ends(code) for code in codes})
        for selector in (".plate .name > span", ".seat .bubble p"):
            found += self.page.evaluate(ON_TOP, [selector, ACROSS])
        return found + self.page.evaluate(ON_LED) + self.page.evaluate(OUTSIDE)

    def picture(self, name: str) -> None:
        """Keep what is seen, where somebody wants to look at it."""
        if folder := os.environ.get("PICTURES"):
            size = self.page.viewport_size
            assert size is not None
            self.page.screenshot(path=f"{folder}/{name.replace(' ', '-')}-{size['width']}.png")


@pytest.fixture(params=["desk"])
def stage(browser: Browser, request: pytest.FixtureRequest) -> Iterator[Stage]:
    """A page of the named window."""
    context = browser.new_context(
        viewport=WINDOWS[request.param], locale="en-GB", reduced_motion="reduce", service_workers="block"
    )
    context.set_default_timeout(PATIENCE * 1000)
    yield Stage(context.new_page(), blank="PICTURES" not in os.environ)
    context.close()


@pytest.mark.parametrize("stage", looks("360", "phone", "desk"), indirect=True)
def test_what_happens_covers_no_name_and_no_index(stage: Stage) -> None:
    found = {}
    for name, moment in MOMENTS.items():
        for lang in ("en", "de"):
            stage.lay(table_at(moment, **(moment.changes or {})), lang)
            stage.picture(f"{name} {lang}")
            if wrong := stage.covered():
                found[f"{name} {lang}"] = wrong
    assert found == {}


@pytest.mark.parametrize("stage", looks("desk", "phone", "360"), indirect=True)
def test_the_level_of_who_owes_a_card_covers_no_index(stage: Stage) -> None:
    """Opposite, above the card that is laid there."""
    sight = table_at(Moment(4, ("T9", "T18", "T1", "T7"), {}))
    for lang in ("en", "de"):
        stage.lay(replace(sight, seats=tuple(replace(one, level="beginner") for one in sight.seats)), lang)
        stage.picture(f"level {lang}")
        assert stage.page.locator(".seat[data-edge=top] .count-owes").is_visible()
        assert stage.covered() == []


PHRASES = ("jeu-sun-da-medel", "bi-e-bein-in")


def talking(*asked: int) -> Sight:
    """The talk after the second round; the seats named have spoken, with what is longest to explain."""
    said = {at: (Said(1, at, "veto"), Said(2, at, "allow", PHRASES)) for at in asked}
    sight = table_at(MOMENTS["calls"])
    seats = tuple(
        replace(one, saying=said.get(one.number, ()), happened=(), tricks=0, face_up="C9", owes=False)
        for one in sight.seats
    )
    return replace(
        sight,
        seats=seats,
        question=Question("talk", 1, mine=False),
        dealt=2,
        cut_card="B2",
        trick=None,
        last_trick=None,
        trick_count=0,
    )


@pytest.mark.parametrize("stage", looks("360", "phone", "desk"), indirect=True)
def test_what_is_said_tells_what_it_means_and_stays_at_the_seat(stage: Stage) -> None:
    stage.lay(talking(0, 1, 2, 3))
    stage.picture("talk")
    assert stage.covered() == []
    bubble = stage.page.locator("#seat-1 .bubble")
    assert "has some trumps" in bubble.inner_text()
    assert bubble.get_by_role("link").first.get_attribute("href").endswith("/id/phrases.jeu-sun-da-medel")
    sight = talking(0, 1, 2, 3)
    stage.lay(replace(sight, question=Question("play", 1, mine=False), trick=table_at(MOMENTS["calls"]).last_trick))
    stage.picture("said")
    assert stage.page.locator(".bubble:visible").count() == 0
    for at in range(4):
        mark = stage.page.locator(f"#seat-{at} .sayings")
        mark.locator("summary").click()
        panel = mark.locator(".sayings-panel")
        assert "has some trumps" in panel.inner_text()
        assert "Round 1" in panel.inner_text()
        box, size = panel.bounding_box(), stage.page.viewport_size
        assert box is not None
        assert size is not None
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= size["width"]
        stage.picture(f"sayings {at}")
        mark.locator("summary").click()
    assert stage.covered() == []
    assert serious(stage.page) == []


@pytest.mark.parametrize("stage", ["phone"], indirect=True)
def test_nobody_who_reads_sursilvan_is_told_a_phrase_in_english(stage: Stage) -> None:
    stage.lay(talking(1), "rm-sursilv")
    tells = stage.page.locator("#seat-1 .bubble .tells").first
    assert tells.get_attribute("lang") == "de"
    assert "has some trumps" not in stage.page.locator("#table").inner_text()


@pytest.mark.parametrize("stage", looks("desk", "phone"), indirect=True)
def test_the_tricks_that_a_table_remembers_lie_in_one_row_each(stage: Stage) -> None:
    sight = table_at(MOMENTS["calls"])
    assert sight.last_trick is not None
    stage.lay(replace(sight, gathered=(sight.last_trick,) * 3))
    stage.page.locator("#tricks-fold > summary").click()
    stage.picture("tricks")
    tops = stage.page.locator(".gathered > li").evaluate_all(
        "(tricks) => tricks.map((one) => [...one.querySelectorAll('li')].map((card) => card.getBoundingClientRect().top))"
    )
    assert [len(trick) for trick in tops] == [4, 4, 4]
    assert all(len(set(trick)) == 1 for trick in tops)


PILE = tuple(f"{suit}{rank}" for suit in "COSB" for rank in (*"KQNJ", *range(1, 8)))


@pytest.mark.parametrize("stage", looks("phone", "desk"), indirect=True)
def test_who_arranges_cards_has_them_on_a_sheet_over_the_board(stage: Stage) -> None:
    stage.lay(replace(talking(), dealt=0, cards=(), question=Question("arrange", 0, mine=True, pile=PILE)))
    page = stage.page
    page.locator("#pile > summary").click()
    stage.picture("arrange")
    assert serious(page) == []
    sheet, above = page.locator("#pile .over-board").bounding_box(), page.locator("#pile > summary").bounding_box()
    window = page.viewport_size
    assert sheet
    assert above
    assert window
    assert 0 <= sheet["x"] <= sheet["x"] + sheet["width"] <= window["width"]
    assert 0 <= sheet["y"] <= sheet["y"] + sheet["height"] <= above["y"]
    assert page.locator(".pile-scroll").evaluate("(one) => one.scrollWidth <= one.clientWidth")
    page.get_by_role("button", name="Lay King of coins on top").click()
    page.get_by_role("button", name="Move King of cups down").click()
    page.get_by_role("button", name="Move 7 of batons up").click()
    order = page.locator(".pile select").evaluate_all("(all) => all.map((one) => one.value)")
    assert (order[:3], order[-2:]) == (["OK", "CQ", "CK"], ["B7", "B6"])
    page.keyboard.press("Escape")
    assert not page.locator("#pile .over-board").is_visible()


DRAW = DrawSeen("C4", tuple(
    Drawn(NAMES[at], at == 0, ("O2", f"T{number}"), at, "AB"[at % 2], at == 3, "") for at, number in enumerate((3, 18, 5, 9))
))  # fmt: skip


@pytest.mark.parametrize("stage", looks("phone", "desk"), indirect=True)
def test_before_the_draw_nobody_has_a_seat_and_after_it_the_cards_lie_in_the_middle(stage: Stage) -> None:
    waiting = replace(
        talking(), hand=1, draws=True, drawn=False, dealt=0, cards=(), question=Question("sit", None, mine=True)
    )
    waiting = replace(waiting, seats=tuple(replace(one, side=UNKNOWN, team="", dealer=False) for one in waiting.seats))
    stage.lay(waiting)
    stage.picture("undrawn")
    assert stage.page.locator(".board .seat").count() == 0
    assert stage.page.locator(".undrawn .plate").all_inner_texts() == ["You", "Mengia", "Toni", "Flurina"]
    drawn = replace(waiting, drawn=True, seats=talking().seats, question=Question("cut", 2, mine=False))
    stage.lay(drawn, draw=DRAW)
    stage.picture("drawn")
    assert stage.page.locator(".board .drawn .laid").count() == 4
    assert stage.covered() == []
    assert serious(stage.page) == []
    stage.lay(replace(drawn, seats=talking(1).seats, dealt=1), draw=DRAW)
    assert stage.page.locator(".board .drawn").count() == 0


@pytest.mark.parametrize("stage", ["phone"], indirect=True)
def test_the_tapp_lies_on_the_table_and_a_card_that_all_know_is_marked(stage: Stage) -> None:
    bidding = replace(
        table_at(MOMENTS["6 players"]), ruleset="troggu", trick=None, last_trick=None, trick_count=0,
        question=Question("bid", 1, mine=False), tapp_seen=TappSeen(8, laid_away=False),
    )  # fmt: skip
    bidding = replace(bidding, seats=tuple(replace(one, happened=(Happened("pass"),)) for one in bidding.seats))
    stage.lay(bidding)
    stage.picture("bidding")
    assert "Tapp: 8 cards" in stage.page.locator(".tapp-lies").inner_text()
    assert stage.covered() == []
    shown = table_at(MOMENTS["calls"])
    own = replace(shown.seats[0], face_up="S5", happened=())
    cards = tuple(replace(card, known=card.code == "S5") for card in shown.cards)
    stage.lay(replace(shown, seats=(own, *shown.seats[1:]), cards=cards))
    stage.picture("known")
    assert "everybody knows this card" in stage.page.locator("#card-S5").inner_text()
    assert stage.covered() == []


@pytest.mark.parametrize("stage", ["phone"], indirect=True)
def test_the_opened_tapp_covers_no_name_and_no_index(stage: Stage) -> None:
    for seats in (4, 5, 6, 7, 8):
        moment = replace(MOMENTS["8 players"], seats=seats, cards=MOMENTS["8 players"].cards[:seats], gathered=True)
        opened = TappSeen(10, laid_away=True, cards=("C1", "C2", "C3", "C4", "O1", "O2", "O3", "O4", "S5", "S6"))
        for at in range(seats):
            stage.lay(replace(table_at(replace(moment, happened={at: (Happened("trick-won"),)})), tapp_seen=opened))
            stage.picture(f"opened {seats} {at}")
            assert stage.page.locator(".tapp-lies .card").count() == 10
            assert stage.covered() == []


@pytest.mark.parametrize("stage", ["phone"], indirect=True)
def test_on_the_smallest_board_the_cards_at_its_corners_cover_no_name(stage: Stage) -> None:
    stage.page.set_viewport_size({"width": 320, "height": 256})
    for seats in (3, 4):
        sight = table_at(Moment(seats, ("T9", "T18"), {}), scart=("C5", "B6", "B7")[: 6 - seats], cut_card="T1")
        for lang in ("en", "de"):
            stage.lay(replace(sight, seats=tuple(replace(one, dealer=one.number == 0) for one in sight.seats)), lang)
            stage.page.locator(".board").scroll_into_view_if_needed()
            stage.picture(f"corners {seats} {lang}")
            assert stage.page.locator(".scart-cards").is_visible()
            assert stage.page.evaluate(ON_TOP, [".plate .name > span", ACROSS]) == []


ON_LINK = """() => {
    const link = document.querySelector("#earlier > summary").getBoundingClientRect();
    return [...document.querySelectorAll(".seat :is(.bubble, .plate, .counts)")].filter((one) => {
        const box = one.getBoundingClientRect();
        return box.width && box.left < link.right - 1 && link.left < box.right - 1 && box.top < link.bottom - 1;
    }).filter((one) => link.top < one.getBoundingClientRect().bottom - 1).map((one) => one.textContent.trim());
}"""
"""What at a seat lies where the last trick is asked for."""


@pytest.mark.parametrize("stage", ["360", "phone"], indirect=True)
def test_a_tappist_who_deals_and_takes_the_last_trick_leaves_the_way_to_it_free(stage: Stage) -> None:
    for seats in (5, 6, 7, 8):
        for at in (1, 2, seats - 1):
            moment = replace(MOMENTS[f"{seats} players"], gathered=True, happened={at: (Happened("trick-won"),)})
            sight = table_at(moment, contract="normal")
            people = tuple(
                replace(one, tappist=one.number == at, dealer=one.number == at, called=one.number == (at + 1) % seats)
                for one in sight.seats
            )
            stage.lay(replace(sight, seats=people, question=Question("sit", None, mine=True)), "de")
            stage.picture(f"tappist {seats} {at}")
            assert stage.covered() == []
            assert stage.page.evaluate(ON_LINK) == [], (seats, at)


IN_BAR = """() => {
    const boxes = [...document.querySelectorAll(".bar :is(h1, .team dt, .team dd, .count, .explain)")]
        .map((one) => [one.textContent.trim(), one.getBoundingClientRect()]).filter(([, box]) => box.width);
    return boxes.flatMap(([words, box], at) => [
        ...(box.left < 0 || box.right > innerWidth ? [`${words} reaches out`] : []),
        ...boxes.slice(at + 1).filter(([, other]) => box.left < other.right - 1 && other.left < box.right - 1
            && box.top < other.bottom - 1 && other.top < box.bottom - 1).map(([other]) => `${words} on ${other}`),
    ]);
}"""
"""What in the bar above the board lies on something else there."""


@pytest.mark.parametrize("stage", ["360", "phone", "desk"], indirect=True)
def test_in_the_bar_above_the_board_nothing_lies_on_anything_else(stage: Stage) -> None:
    sight = replace(table_at(MOMENTS["calls"]), totals=(-118, 118, -118, 118), hands=12)
    size = stage.page.viewport_size
    assert size is not None
    for width in {size["width"], min(size["width"], 320)}:
        stage.page.set_viewport_size({**size, "width": width})
        for viewer in (0, None):
            for waiting, unread in ((0, 0), (12, 0), (12, 12)):
                stage.lay(replace(sight, viewer=viewer), "de", others_waiting=waiting, chat_unread=unread)
                stage.picture(f"bar {viewer} {waiting} {unread}")
                assert stage.page.evaluate(IN_BAR) == [], (width, viewer, waiting, unread)


HIDDEN = """() => [...document.querySelectorAll(".earlier-panel :is(.card, span, p)")].filter((one) => {
    const { left, top, right, bottom } = one.getBoundingClientRect();
    return [[left + 1, top + 1], [right - 1, bottom - 1]].some(([x, y]) => !document.elementFromPoint(x, y)?.closest(".earlier-panel"));
}).map((one) => `${one.getAttribute("class") ?? one.tagName} ${one.textContent.trim()}`)"""
"""What of the last trick is out of the window or covered."""


@pytest.mark.parametrize("stage", looks("360", "phone", "1024", "desk"), indirect=True)
def test_the_last_trick_is_shown_whole_however_many_play(stage: Stage) -> None:
    for name in ("calls", "three", "5 players", "six call", "7 players", "8 players"):
        moment = replace(MOMENTS[name], cards=("BK", *MOMENTS[name].cards[1:]), leader=0, pair=0, gathered=False)
        stage.lay(table_at(moment))
        stage.page.locator("#earlier > summary").click()
        stage.picture(f"last {name}")
        assert stage.page.locator(".earlier-panel .card").count() == moment.seats + 1
        assert stage.page.evaluate(HIDDEN) == [], name
        stage.page.keyboard.press("Escape")


@pytest.mark.parametrize("stage", ["phone"], indirect=True)
def test_what_was_refused_is_no_longer_said_when_something_else_is_chosen(stage: Stage) -> None:
    sight = table_at(MOMENTS["calls"])
    king = CardSeen("SK", "S", playable=False, why=Why("honour-laid-away", "SK"))
    stage.lay(replace(sight, cards=(*sight.cards, king), question=Question("scart", 0, mine=True, choose=2)))
    stage.page.locator("label.held[data-card=SK]").click(position={"x": 8, "y": 20}, force=True)
    assert "king of swords" in stage.page.get_by_role("alert").inner_text()
    stage.page.locator("label.held[data-card=C2]").click(position={"x": 8, "y": 20})
    assert stage.page.get_by_role("alert").count() == 0


def test_a_card_a_trick_a_call_and_ones_own_turn_sound_each_in_its_way(browser: Browser) -> None:
    context = browser.new_context(viewport=WINDOWS["desk"], reduced_motion="reduce", service_workers="block")
    context.set_default_timeout(PATIENCE * 1000)
    context.add_init_script(HEAR)
    stage = Stage(context.new_page())

    def heard(sight: Sight, *, sounds: bool = True) -> list[float]:
        stage.page.evaluate("window.heard.length = 0")
        stage.lay(sight, player=Player(name="Ursina", sounds=sounds))
        found: list[float] = stage.page.evaluate("window.heard")
        return found

    led = table_at(Moment(4, ("BK", "BQ"), {}))
    whole = table_at(Moment(4, ("BK", "BQ", "T19", "B10"), {}, gathered=True))
    stage.lay(led, player=Player(name="Ursina", sounds=True))
    stage.page.mouse.click(5, 5)  # browsers keep still before the first press
    assert heard(table_at(Moment(4, ("BK", "BQ", "T19"), {}))) == [190]
    assert heard(whole) == [330, 247]
    called = replace(whole, lines=(*whole.lines, Line(99, "called", seat=1, verb="buob")))
    assert heard(called) == [523, 659, 784]
    assert heard(replace(called, question=Question("play", 0, mine=True))) == [659, 880]
    assert heard(called, sounds=False) == []
    assert heard(table_at(Moment(4, ("BK", "BQ", "T9"), {})), sounds=False) == []
    context.close()
