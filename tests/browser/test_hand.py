"""The hand of cards at the table: every card keeps its own strip, whatever else is lifted, and its index can be read.

The page is the real one, its template, styles and scripts, around a hand of any size; no server stands behind it, and the
cards are blank: where their indexes end is known from how they are drawn.
"""

from __future__ import annotations

import mimetypes
import random
from dataclasses import dataclass, replace
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import pytest
from django.conf import settings
from django.template.loader import render_to_string
from django.test import RequestFactory
from django.urls import reverse
from django.utils import translation
from playwright.sync_api import expect

from domain.engine import CODES
from games.read_models import CardSeen, Line, Question, Sight, TrickCard, TrickSeen
from rules.readers import selectors as readers
from tests.games.test_wording import SIGHT, seat
from tests.live import DESK, PATIENCE, PHONE
from tools.deck.letters import additive_roman, big_width

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from playwright.sync_api import Browser, Page, Route

pytestmark = pytest.mark.browser

SITE = "http://table.test"
WINDOWS = {
    "desk": DESK,
    "phone": PHONE,
    "1024": {"width": 1024, "height": 768},
    "1280": {"width": 1280, "height": 720},
    "1366": {"width": 1366, "height": 768},
    "1920": {"width": 1920, "height": 1080},
    "360": {"width": 360, "height": 740},
}
SIZES = range(6, 29)
ASKED = {"play": 0, "scart": 2, "discard": 8}  # and how many cards are to be chosen
TROUBLESOME = (
    (
        "T19",
        "T18",
        "T14",
        "T13",
        "T12",
        "T9",
        "T8",
        "T7",
        "T6",
        "T5",
        "T2",
        "T1",
        "F",
        *(f"C{rank}" for rank in "KQNJ"),
    ),
    (*(f"T{number}" for number in range(10, 22)), "F", "SK", "S10", "BK", "B10"),
    tuple(f"T{number}" for number in range(1, 22)),
    (*(f"{suit}{rank}" for suit in "CO" for rank in (*"KQNJ", *range(1, 11))),),
    (*(f"{suit}{rank}" for suit in "COSB" for rank in (10, *"KQNJ", 9)), "T21", "T20", "F", "T1"),
)
"""Hands that are hard to show: long rows of wide numbers, one long suit, no trumps at all, a little of everything."""

AT = """const at = (x, y) => document.elementFromPoint(x, y)?.closest(".held")?.dataset.card ?? "nothing";"""
PROBE = f"""() => {{
    {AT}
    return [...document.querySelectorAll(".held")].map((held) => {{
        const {{ left, top, right, bottom, width }} = held.querySelector(".card").getBoundingClientRect();
        const code = held.dataset.card, unit = width / 120;
        let wide = 0;
        while (left + wide + 1 < right && at(left + wide + 1, top + 20 * unit) === code) wide += 1;
        const deep = (x) => {{
            let tall = 0;
            while (top + tall + 1 < bottom && at(x, top + tall + 1) === code) tall += 1;
            return tall;
        }};
        const tall = Math.min(...[0.05, 0.5, 0.95].map((across) => deep(left + wide * across)));
        return {{ code, left, top, right, bottom, unit, wide, tall }};
    }});
}}"""
"""Where each card lies, and how much of it, from its upper left corner, is its own to the pointer: a rectangle of nothing else."""
WRONG = f"""(points) => {{
    {AT}
    return points.filter(([code, x, y]) => at(x, y) !== code).map(([code, x, y]) => `${{at(x, y)}} where ${{code}} lay`);
}}"""
"""What does not lie any more where it lay."""
COVERED = f"""(points) => [...document.querySelectorAll(".held")].flatMap((held) => {{
    const box = held.querySelector("input");
    if (box === null) held.setAttribute("aria-pressed", "true"); else box.checked = true;
    const wrong = ({WRONG})(points);
    if (box === null) held.removeAttribute("aria-pressed"); else box.checked = false;
    return wrong.map((text) => `${{held.dataset.card}} lifted: ${{text}}`);
}})"""
"""The same with every card lifted in turn."""
LISTEN = """() => {
    window.heard = new Promise((hear) => {
        addEventListener("click", () => setTimeout(hear), { once: true });
        setTimeout(hear, 5000); // a press that nothing has heard
    });
}"""
RENEW = """(text) => {
    const fresh = new DOMParser().parseFromString(text, "text/html").getElementById("table");
    document.getElementById("table").dispatchEvent(new CustomEvent("live:renew", { cancelable: true, detail: { fresh } }));
}"""
"""What the page does with a table that the server sends."""


@dataclass(frozen=True, slots=True)
class Spot:
    """A card as it lies: its corners, the size of one unit of its drawing, and how much of it can be pressed."""

    code: str
    left: float
    top: float
    right: float
    bottom: float
    unit: float
    wide: float
    tall: float

    @property
    def middle(self) -> tuple[float, float]:
        """The middle of what is seen of it."""
        return self.left + self.wide / 2, self.top + self.tall / 2


def index_ends(code: str) -> tuple[float, float]:
    """Where the number or letter in the corner of a card ends, to the right and below, in units of its drawing."""
    if code == "F":
        return 36, 34
    if code[0] == "T":
        return 9.4 + min(big_width(additive_roman(int(code[1:]))) * 26 / 24, 54), 33
    return 9.6 + min(big_width(code[1:], -0.6) * 26 / 24, 24.5), 33


def hand_of(codes: Sequence[str], asked: str) -> Sight:
    """A table at which these cards are held in the middle of a hand, with a long log."""
    lines = tuple(Line(number, "trick-won", seat=number % 4, count=number) for number in range(1, 31))
    laid = tuple(
        TrickCard(place, place, code, place == 1, place == 1) for place, code in ((1, "O2"), (2, "O9"), (3, "O7"))
    )
    return replace(
        SIGHT,
        seats=tuple(seat(number, name) for number, name in enumerate(("Anna", "Beat", "Clau", "Dora"))),
        question=Question(asked, 0, mine=True, reason="anything", choose=ASKED[asked]),
        cards=tuple(CardSeen(code, "F" if code == "F" else code[0], playable=True) for code in codes),
        trick=TrickSeen(3, "O", laid, None) if asked == "play" else None,
        lines=lines,
        draws=False,
    )


class Table:
    """A page that shows the table with any hand."""

    def __init__(self, page: Page, *, blank: bool = True) -> None:
        self.page = page
        self.blank = blank
        self.body = ""
        self.sent: list[str] = []
        page.route(f"{SITE}/**", self._answer)

    def show(self, codes: Sequence[str], asked: str) -> list[Spot]:
        """Lay out this hand, with no card lifted or ticked that was in the one before; the cards as they lie."""
        self.page.keyboard.press("Escape")
        self.page.evaluate("document.querySelectorAll('.held input:checked').forEach((box) => box.click())")
        self.lay(hand_of(codes, asked))
        return self.spots()

    def lay(self, sight: Sight, lang: str = "en", **context: Any) -> None:
        """Show the table like this in a language; a page that shows one already goes on with its script."""
        request = RequestFactory().get("/")
        request.visit = SimpleNamespace(player=None)  # type: ignore[attr-defined]
        given = {
            "sight": sight,
            "player": None,
            "request_id": "1",
            "beside": {"chat": None},
            "chat_unread": 0,
        } | context
        # No site stands behind these pages, so nobody has recorded a phrase.
        with translation.override(lang), pytest.MonkeyPatch.context() as without:
            without.setattr(readers, "_heard", dict)
            self.body = render_to_string("games/table.html", given, request)
        if self.page.url.startswith(SITE):
            self.page.evaluate(RENEW, self.body)
        else:
            self.page.goto(f"{SITE}/en/g/abc/")
            if sight.cards:
                self.page.locator(".held:is([tabindex='0'], :has([tabindex='0']))").first.wait_for()
        self.page.evaluate("document.fonts.ready")

    def spots(self) -> list[Spot]:
        """The cards as they lie now."""
        return [Spot(**found) for found in self.page.evaluate(PROBE)]

    def press(self, spot: Spot, *, finger: bool) -> None:
        """Press the middle of what is seen of a card, and wait until the press has been heard (a tap is, a little later)."""
        self.page.evaluate(LISTEN)
        (self.page.touchscreen.tap if finger else self.page.mouse.click)(*spot.middle)
        self.page.evaluate("window.heard")

    def lifted(self) -> set[str]:
        """The cards that are lifted or ticked."""
        found: list[str] = self.page.evaluate(
            "[...document.querySelectorAll('.held:is([aria-pressed=true], :has(:checked))')].map((one) => one.dataset.card)"
        )
        return set(found)

    def _answer(self, route: Route) -> None:
        path = urlsplit(route.request.url).path
        file = settings.BASE_DIR / path.lstrip("/")
        if route.request.method != "GET":
            self.sent.append(path)
            route.abort()
        elif path == "/en/g/abc/":
            route.fulfill(body=self.body, content_type="text/html; charset=utf-8")
        elif "/g/abc/" in path:
            route.fulfill(status=204)  # nothing has changed, whenever the page compares
        elif path.endswith("/deck.svg") and self.blank:
            route.fulfill(body='<svg xmlns="http://www.w3.org/2000/svg"/>', content_type="image/svg+xml")
        elif path.startswith("/static/") and file.is_file():
            route.fulfill(path=file, content_type=mimetypes.guess_type(path)[0])
        elif path == reverse("javascript-catalog"):
            route.fulfill(body="window.gettext = (text) => text", content_type="text/javascript")
        else:
            route.fulfill(status=404)


@pytest.fixture(params=["desk"])
def table(browser: Browser, request: pytest.FixtureRequest) -> Iterator[Table]:
    """A page of the named window, for a mouse and for a finger."""
    size = WINDOWS[request.param]
    context = browser.new_context(
        viewport=size, locale="en-GB", reduced_motion="reduce", has_touch=True, service_workers="block"
    )
    context.set_default_timeout(PATIENCE * 1000)
    yield Table(context.new_page())
    context.close()


def assert_sound(table: Table, spots: list[Spot], asked: str) -> None:
    """All cards lie in the window, can be read and pressed, and stay so whichever is lifted."""
    size = table.page.viewport_size
    assert size is not None
    for spot in spots:
        right, below = index_ends(spot.code)
        assert spot.wide >= right * spot.unit, f"{spot.code} is cut after {spot.wide / spot.unit:.0f} of {right:.0f}"
        assert spot.tall >= below * spot.unit, f"{spot.code} is cut below"
        assert spot.wide >= 24, spot
        assert spot.tall >= 44, spot
        assert spot.left >= 0, spot
        assert spot.right <= size["width"], spot
        assert spot.bottom <= size["height"], spot
    if asked == "play" and size["width"] >= 1024:
        assert table.page.evaluate("document.documentElement.scrollHeight") == size["height"]
    assert table.page.evaluate(COVERED, points_of(spots)) == []


def points_of(spots: list[Spot]) -> list[tuple[str, float, float]]:
    """Points all over what can be pressed of each card at least: a finger's height of its strip."""
    places = [(0.5, 2), (0.5, 22), (0.5, 43), (0.05, 22), (0.05, 43), (0.95, 22), (0.95, 43)]
    return [(spot.code, spot.left + spot.wide * across, spot.top + down) for spot in spots for across, down in places]


def assert_pressed(table: Table, spots: list[Spot], asked: str, *, finger: bool) -> None:
    """Every card, pressed with the one before still lifted, is the one that is lifted or ticked by it."""
    before = ""
    for spot in spots:
        table.press(spot, finger=finger)
        now = table.lifted()
        assert spot.code in now, f"{spot.code} pressed after {before}: {now}"
        if asked == "play":
            assert now == {spot.code}
        elif before:
            assert before in now
        before = spot.code
    assert table.sent == []


def random_hand(size: int, chance: random.Random) -> list[str]:
    """A hand of that many cards."""
    return chance.sample(list(CODES), size)


@pytest.mark.parametrize("table", ["desk", "phone", "1024"], indirect=True)
@pytest.mark.slow
def test_no_lifted_card_covers_another_and_every_index_can_be_read(table: Table) -> None:
    chance = random.Random(5)
    hands = [("play", random_hand(size, chance)) for size in (6, 14, 19)]
    hands += [("scart", random_hand(28, chance)), ("discard", random_hand(26, chance))]
    hands += [("play", list(codes)) for codes in TROUBLESOME]
    for asked, codes in hands:
        assert_sound(table, table.show(codes, asked), asked)


@pytest.mark.parametrize("table", ["desk", "phone"], indirect=True)
@pytest.mark.parametrize(("asked", "size"), [("play", 19), ("scart", 21), ("discard", 26)])
@pytest.mark.slow(but="discard-26-desk")
def test_the_card_that_is_pressed_is_the_one_that_is_lifted(table: Table, asked: str, size: int) -> None:
    spots = table.show(random_hand(size, random.Random(size)), asked)
    for finger in (False, True):
        assert_pressed(table, spots, asked, finger=finger)


def test_the_card_under_the_mouse_does_not_make_the_page_roll(table: Table) -> None:
    for spot in table.show(random_hand(19, random.Random(7)), "play"):
        table.page.mouse.move(*spot.middle)
        assert table.page.evaluate("document.documentElement.scrollHeight") == DESK["height"], spot.code


@pytest.mark.parametrize("table", ["desk", "phone"], indirect=True)
@pytest.mark.parametrize("asked", ["play", "discard"])
@pytest.mark.slow(but="discard-phone")
def test_the_card_under_the_keys_covers_no_other(table: Table, asked: str) -> None:
    spots = table.show(random_hand(26, random.Random(3)), asked)
    table.page.locator(".held[tabindex='0'], .held [tabindex='0']").focus()
    table.page.keyboard.press("Home")
    for spot in spots:
        code = table.page.evaluate("document.activeElement.closest('.held').dataset.card")
        assert code == spot.code
        table.page.keyboard.press("Enter")
        assert spot.code in table.lifted()
        assert table.page.evaluate(WRONG, points_of(spots)) == []
        table.page.keyboard.press("ArrowRight")
    assert table.sent == []


def test_what_is_laid_away_is_said_where_a_card_makes_room_for_another_or_one_is_missing(table: Table) -> None:
    table.show(["C3", "C2", "B7", "B5", "T8", "T4"], "scart")
    page = table.page
    button = page.get_by_role("button", name="Lay away", exact=True)
    button.press("Enter")
    expect(page.get_by_role("alert")).to_have_text(page.locator("#prompt").inner_text())
    for code in ("C3", "B7"):
        page.locator(f"#card-{code}").press("Space")
    expect(page.locator("#said")).to_be_empty()
    page.locator("#card-T4").press("Space")
    expect(page.locator("#said")).to_have_text("Lay away: 7 of batons; IIII, the Emperor")
    assert table.sent == []


@pytest.mark.long
@pytest.mark.parametrize("table", list(WINDOWS), indirect=True)
@pytest.mark.parametrize("asked", list(ASKED))
def test_hands_of_every_size_in_every_window(table: Table, asked: str) -> None:
    chance = random.Random(f"{asked} {table.page.viewport_size}")
    for size in SIZES:
        for codes in (random_hand(size, chance), random_hand(size, chance)):
            assert_sound(table, table.show(codes, asked), asked)
        for finger in (False, True):
            assert_pressed(table, table.show(codes, asked), asked, finger=finger)


@pytest.mark.long
@pytest.mark.parametrize("table", list(WINDOWS), indirect=True)
def test_hands_that_are_hard_to_show_in_every_window(table: Table) -> None:
    for codes in TROUBLESOME:
        for count in (len(codes), len(codes) - 3):
            assert_sound(table, table.show(codes[:count], "play"), "play")
