"""The big screen in the hall: however many people there are and whatever their names, everybody stands on a page that comes."""

from __future__ import annotations

import re
import uuid
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from accounts.models import Player, User
from clubs.models import Club
from domain.tournament.directing import LONGEST_SCREEN_LINE
from tests.long import looks
from tests.tournaments.services.kit import Night
from tournaments.models import Tournament
from tournaments.services import codes

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from tests.live import LiveSite

pytestmark = pytest.mark.browser

SIZES = [1, 22, 36, 37, 40, 48, 73, 102, 160]
LONGEST = f"{'Maximiliana' * 5}Maria {'Zurbriggen' * 6}"  # 60 letters and 60
NAMES = {
    "usual": "Maria-Magdalena Cavegn {n}",
    "long": "Maria-Magdalena Zurbriggen-Imseng {n}",
    "longest": LONGEST + " {n}",
}
# As many lines as asked, each with its name and a table; what is shown then is measured as if the site had sent it.
FILL = """([slide, names]) => {
    const flow = document.querySelector(`[data-slide=${slide}] .flow`);
    const line = flow.firstElementChild;
    flow.replaceChildren(...names.map((name, at) => {
        const one = line.cloneNode(true);
        for (const part of one.querySelectorAll(".name, .team")) part.textContent = name;
        one.querySelector("strong").textContent = String(at + 1);
        return one;
    }));
    document.dispatchEvent(new CustomEvent("live:shown"));
}"""
# The lines of which name and number stand in the window of the list as a whole.
WHOLE = """(slide) => {
    const frame = document.querySelector(`[data-slide=${slide}]`).getBoundingClientRect();
    return [...document.querySelectorAll(`[data-slide=${slide}] .flow > li`)].filter((line) =>
        [line, ...line.querySelectorAll(".name, .team, strong")].every((part) => [...part.getClientRects()].every((at) =>
            at.left >= frame.left - 1 && at.right <= Math.min(frame.right, innerWidth) + 1
            && at.top >= frame.top - 1 && at.bottom <= Math.min(frame.bottom, innerHeight) + 1)))
        .map((line) => Number(line.querySelector("strong").textContent));
}"""


def make() -> dict[str, str]:
    """An evening of eight in its first round, with a club and a director of its own: its id and the screen's address."""
    mark = uuid.uuid4().hex[:8]
    Club.objects.filter(slug="troccas-cuera").update(slug=f"c-{mark}")
    User.objects.filter(email="dirigenta@example.org").update(email=f"{mark}@example.org")
    Player.objects.filter(name="Dirigenta").update(name=f"D{mark}")
    night = Night.at(8, rules={"rounds": 3, "deals": 1})
    night.begin()
    night.draw()
    code = codes.hall_code(night.tournament, night.state, "screen")
    return {"id": night.tournament.public_id, "screen": f"/e/{night.tournament.public_id}/k/{code}/"}


def next_round(public_id: str) -> None:
    """The first round is played to its end, and the second one published."""
    tournament = Tournament.objects.get(public_id=public_id)
    night = Night(tournament.club, tournament, Player.objects.get(name="Dirigenta"))
    night.play_round("1.1")
    night.draw()


def tell(public_id: str) -> None:
    """The longest line that can be, in the widest letters."""
    tournament = Tournament.objects.get(public_id=public_id)
    night = Night(tournament.club, tournament, Player.objects.get(name="Dirigenta"))
    night.do("screen.told", text="W" * LONGEST_SCREEN_LINE)


def everybody_is_seen(page: Page, names: list[str], slide: str = "names") -> int:
    """Each of these names stands whole on one of the pages that come; how many pages they are."""
    label = page.locator(f'[data-slide="{slide}"] [data-page]')
    page.keyboard.press({"names": "1", "tables": "2"}[slide])  # from its first page
    page.evaluate(FILL, [slide, names])
    pages = int((label.text_content() or "").partition("/")[2] or 1)
    seen: list[int] = []
    for number in range(1, pages + 1):
        if pages > 1:
            expect(label).to_have_text(f"{number}/{pages}")
        seen += page.evaluate(WHOLE, slide)
        if number < pages:
            page.keyboard.press("ArrowRight")
    assert sorted(seen) == list(range(1, len(names) + 1)), (names[0], len(names), pages)
    return pages


@pytest.mark.parametrize(
    "viewport", looks({"width": 1920, "height": 1080}, {"width": 1280, "height": 720}, {"width": 1366, "height": 768})
)
@pytest.mark.slow
def test_everybody_stands_on_one_page_of_the_screen(page: Page, live_site: LiveSite, viewport: dict[str, int]) -> None:
    evening = live_site.call(make)
    page.goto(live_site.url + evening["screen"])
    page.keyboard.press(" ")
    expect(page.locator("[data-key=' ']")).to_have_attribute("aria-pressed", "true")
    page.keyboard.press("1")
    for name in NAMES.values():
        for size in SIZES:
            everybody_is_seen(page, [name.format(n=n) for n in range(size)])
    # Forty people with ordinary names, and their ten tables, are read at one glance.
    assert everybody_is_seen(page, [f"Anna Maria Solèr {n}" for n in range(10, 50)]) == 1
    assert everybody_is_seen(page, [f"Gion D. & Ladina B. {n}" for n in range(10)], "tables") == 1
    for size in (1, 10, 40):
        short = LONGEST.partition(" ")[0] + " Z."  # at tables, surnames are a letter
        everybody_is_seen(page, [f"{short} & {short} {n}" for n in range(size)], "tables")
    assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
    # A line from the desk takes its place from the lists, and nobody's.
    live_site.call(tell, evening["id"])
    page.evaluate("htmx.trigger('#hall-live', 'update')")
    expect(page.get_by_text("W" * LONGEST_SCREEN_LINE)).to_be_visible()
    everybody_is_seen(page, [NAMES["long"].format(n=n) for n in range(40)])
    assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0


def test_a_round_that_is_published_shows_its_names_at_once(page: Page, live_site: LiveSite) -> None:
    page.set_viewport_size({"width": 1920, "height": 1080})
    evening = live_site.call(make)
    page.clock.install()
    page.goto(live_site.url + evening["screen"])
    expect(page.get_by_role("heading", name=re.compile("Where do I sit"))).to_be_visible()
    page.clock.run_for(11_000)
    expect(page.get_by_role("heading", name="Tables")).to_be_visible()  # slides take turns
    live_site.call(next_round, evening["id"])
    page.evaluate("htmx.trigger('#hall-live', 'update')")
    expect(page.locator('[data-slide="names"]')).to_have_attribute("data-round", "1.2")
    expect(page.get_by_role("heading", name=re.compile("Where do I sit"))).to_be_visible()
    page.clock.run_for(60_000)
    expect(page.get_by_role("heading", name=re.compile("Where do I sit"))).to_be_visible()
    page.clock.run_for(140_000)
    expect(page.locator(".screen-dots")).to_contain_text("●")
    shown = set()
    for _turn in range(4):
        shown.add(page.locator(".slide[data-shown]").get_attribute("data-slide"))
        page.clock.run_for(10_000)
    assert len(shown) > 1  # and then they take turns again


def test_what_there_is_nothing_of_cannot_be_chosen(page: Page, live_site: LiveSite) -> None:
    page.set_viewport_size({"width": 1920, "height": 1080})
    evening = live_site.call(make)
    page.goto(live_site.url + evening["screen"])
    ranking, turns = (page.locator(f"[data-key='{key}']") for key in "50")
    expect(ranking).to_be_disabled()
    page.keyboard.press("5")
    expect(turns).to_have_attribute("aria-pressed", "true")
    expect(ranking).to_have_attribute("aria-pressed", "false")
    page.keyboard.press("2")
    expect(page.get_by_role("heading", name="Tables")).to_be_visible()
    expect(turns).to_have_attribute("aria-pressed", "false")
    live_site.call(next_round, evening["id"])
    page.evaluate("htmx.trigger('#hall-live', 'update')")
    expect(ranking).to_be_enabled()
    page.keyboard.press("5")
    expect(page.get_by_role("heading", name=re.compile("Ranking"))).to_be_visible()
    expect(ranking).to_have_attribute("aria-pressed", "true")


def test_names_that_are_a_little_long_do_not_break_and_nothing_lies_over_the_address(
    page: Page, live_site: LiveSite
) -> None:
    page.set_viewport_size({"width": 1920, "height": 1080})
    evening = live_site.call(make)
    page.goto(live_site.url + evening["screen"])
    few = [f"Placi Derungs-Cathomas {n}" for n in range(5)]  # in four columns these would take two lines
    assert everybody_is_seen(page, [*few, *(f"Gion Nay {n}" for n in range(35))]) == 1
    assert len(set(page.locator(".flow.names > li").evaluate_all("all => all.map((one) => one.offsetHeight)"))) == 1
    for width, height in ((1920, 1080), (1440, 900)):
        page.set_viewport_size({"width": width, "height": height})
        page.mouse.move(5, height / 2)
        address = page.locator(".screen-qr span").bounding_box()
        bars = [bar.bounding_box() for bar in page.locator(".screen-controls .segmented").all()]
        assert address is not None
        assert all(bar is not None and address["y"] + address["height"] <= bar["y"] + 1 for bar in bars)
