"""Ratings in a real browser: every page is sound, on the phone as at a desk, light and dark."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from clubs.models import Member
from ratings import privacy, services
from ratings.models import PlayerRating
from tests.games.lobby_kit import member
from tests.live import DESK, PHONE, press, serious
from tests.long import looks, pages
from tests.ratings import kit

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from tests.live import LiveSite

pytestmark = pytest.mark.browser


def make() -> list[str]:
    """A rated evening of four people with accounts; the public ids of the first two."""
    night = kit.first_evening(8, rules={"rounds": 2, "deals": 24})
    people = [member(name) for name in ("Ada Alig", "Beat Beeli", "Clau Cadruvi", "Maria Madlena Cathomas-Candreja")]
    for entry, player in zip(night.people, people, strict=False):
        Member.objects.filter(pk=entry.pk).update(player=player)
    night.begin()
    for number, margins in ((1, (4, -2)), (2, (2, 6))):
        night.draw()
        kit.play_round(night, f"1.{number}", *margins)
    kit.stored_game(people, 2, "troggu")
    for player in people:
        privacy.show_player(player, "Steinbock" if player == people[2] else "")
    services.run()
    rated = PlayerRating.objects.filter(pool__ruleset="troccas").order_by("pk")
    return list(rated.values_list("person__public_id", flat=True)[:2])


@pytest.fixture(scope="module")
def rated(live_site: LiveSite) -> list[str]:
    """Two who are rated."""
    return live_site.call(make)


def sound(page: Page) -> None:
    assert serious(page) == [], page.url
    wide = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
    assert wide <= 0, f"{page.url} is {wide} px too wide"


@pytest.mark.parametrize(
    ("viewport", "theme"), looks((PHONE, "light"), (PHONE, "dark"), (DESK, "light"), (DESK, "dark"))
)
@pytest.mark.slow
def test_every_page_of_ratings_is_sound(
    page: Page, live_site: LiveSite, rated: list[str], viewport: dict[str, int], theme: str
) -> None:
    page.emulate_media(color_scheme="dark" if theme == "dark" else "light", reduced_motion="reduce")
    one, two = rated
    for path in pages(
        "", "how/", "you/", "troccas/", "troccas/?who=zzz", "troccas/pairs/", f"troccas/{one}/",
        f"troccas/chances/?a1={one}&b1={two}", f"troccas/chances/?a1={one}&a2={one}", "troccas-6/",
        later=(f"troccas/{two}/", "troccas/chances/", "troggu/", f"troggu/chances/?a1={one}&b1={two}"),
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
