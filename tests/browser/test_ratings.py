"""Ratings in a real browser: every page is sound, on the phone as at a desk, light and dark."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.live import DESK, PHONE, press, serious

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from tests.live import LiveSite

pytestmark = pytest.mark.browser

MAKE = """
from tests.clubs.rated import kit
from tests.games.lobby_kit import member
from clubs.rated import computing, consent
from clubs.rating_models import PlayerRating
if not PlayerRating.objects.exists():
    night = kit.first_evening(8, rules={"rounds": 2, "deals": 24})
    people = [member(name) for name in ("Ada Alig", "Beat Beeli", "Clau Cadruvi", "Maria Madlena Cathomas-Candreja")]
    for entry, player in zip(night.people, people):
        kit.Member.objects.filter(pk=entry.pk).update(player=player)
    night.begin()
    for number, margins in ((1, (4, -2)), (2, (2, 6))):
        night.draw()
        kit.play_round(night, f"1.{number}", *margins)
    kit.stored_game(people, 2, "troggu")
    for player in people:
        consent.show(player, "Steinbock" if player == people[2] else "")
    computing.run()
print(" ".join(PlayerRating.objects.filter(pool__ruleset="troccas").order_by("pk").values_list("person__public_id", flat=True)))
"""


def sound(page: Page) -> None:
    assert serious(page) == [], page.url
    wide = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
    assert wide <= 0, f"{page.url} is {wide} px too wide"


@pytest.mark.parametrize(
    ("viewport", "theme"), [(PHONE, "light"), (PHONE, "dark"), (DESK, "light"), (DESK, "dark")], ids=str
)
def test_every_page_of_ratings_is_sound(page: Page, live_site: LiveSite, viewport: dict[str, int], theme: str) -> None:
    page.emulate_media(color_scheme="dark" if theme == "dark" else "light", reduced_motion="reduce")
    one, two, *_others = live_site.manage("shell", "-v", "0", "-c", MAKE).split()[-4:]
    for path in (
        "", "how/", "you/", "troccas/", "troccas/?who=zzz", "troccas/pairs/", f"troccas/{one}/", f"troccas/{two}/",
        "troccas/chances/", f"troccas/chances/?a1={one}&b1={two}", f"troccas/chances/?a1={one}&a2={one}", "troggu/",
        f"troggu/chances/?a1={one}&b1={two}", "troccas-6/",
    ):  # fmt: skip
        page.goto(f"{live_site.url}/en/ratings/{path}")
        sound(page)
    page.goto(f"{live_site.url}/en/ratings/troccas/{one}/")
    expect(page.get_by_role("img", name="The number and how sure it is")).to_be_visible()


def test_somebody_decides_to_be_shown_under_a_pseudonym_and_takes_it_back(page: Page, live_site: LiveSite) -> None:
    page.goto(live_site.url + "/en/account/signup/?next=/en/ratings/you/")
    page.get_by_label("E-mail").fill("shown@example.ch")
    page.get_by_label("Password").fill("seventy-eight cards")
    press(page.get_by_role("main").get_by_role("button", name="Make an account"))
    page.wait_for_url("**/en/ratings/you/")  # so the address before ended, too
    sound(page)
    page.get_by_label("Show my ratings to everybody").check()
    page.get_by_label("Pseudonym").fill("Computer")
    press(page.get_by_role("button", name="Save"))
    expect(page.locator(".errorlist")).to_be_visible()
    sound(page)
    page.get_by_label("Pseudonym").fill("Murmeltier")
    press(page.get_by_role("button", name="Save"))
    expect(page.get_by_role("heading", name="Shown as “Murmeltier”")).to_be_visible()
    sound(page)
    page.get_by_label("Show my ratings to everybody").uncheck()
    press(page.get_by_role("button", name="Save"))
    expect(page.get_by_role("heading", name="You are not shown")).to_be_visible()
