"""A club from its founding to its house rules in a real browser: every page is sound, on the phone as at a desk."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

import pytest
from django.utils import timezone
from playwright.sync_api import expect

from tests.clubs import kit
from tests.live import DESK, PHONE, press, serious, session_of
from tests.long import looks, pages

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from tests.live import LiveSite

pytestmark = pytest.mark.browser


def sound(page: Page) -> None:
    assert serious(page) == []
    wide = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
    assert wide <= 0, f"{page.url} is {wide} px too wide"


@pytest.mark.parametrize(("viewport", "theme"), looks((PHONE, "light"), (DESK, "dark")))
def test_a_club_is_founded_and_looked_after(
    page: Page, live_site: LiveSite, viewport: dict[str, int], theme: str
) -> None:
    page.emulate_media(color_scheme="dark" if theme == "dark" else "light", reduced_motion="reduce")
    page.goto(live_site.url + "/en/account/signup/?next=/en/clubs/new/")
    page.get_by_label("E-mail").fill(f"{theme}@example.ch")
    page.get_by_label("Password").fill("seventy-eight cards")
    press(page.get_by_role("main").get_by_role("button", name="Make an account"))
    page.wait_for_url("**/en/clubs/new/")  # so the address before ended, too
    sound(page)
    page.get_by_label("Name of the club").fill("Troccas Trun")
    page.get_by_label("First name").fill("Petra")
    press(page.get_by_role("button", name="Found the club"))
    page.wait_for_url("**/c/troccas-trun*/")
    home = page.url
    sound(page)

    page.goto(home + "members/new/")
    page.get_by_label("First name").fill("Maria")
    page.get_by_label("Last name").fill("Cadruvi")
    press(page.get_by_role("button", name="Enter"))
    page.wait_for_url("**/members/")
    press(page.get_by_role("link", name="Maria Cadruvi"))
    page.wait_for_url("**/members/*/")
    sound(page)

    page.goto(home + "calendar/new/")
    page.get_by_label("What", exact=True).fill("Club evening")
    page.get_by_label("Begins").fill((timezone.now() + timedelta(days=3)).strftime("%Y-%m-%dT19:30"))
    press(page.get_by_role("button", name="Save"))
    expect(page.get_by_role("heading", name="Club evening")).to_be_visible()

    page.goto(home + "rules/edit/")
    sound(page)
    page.get_by_label("Rounds", exact=True).fill("0")
    press(page.get_by_role("button", name="Save as a new version"))
    expect(page.locator(".errorlist")).to_contain_text("1 to 100")
    sound(page)
    page.get_by_label("Rounds", exact=True).fill("4")
    press(page.get_by_role("button", name="Save as a new version"))
    page.wait_for_url("**/rules/")

    for path in pages(
        "edit/", "me/", "members/", "members/import/", "rules/", "rules/compare/", "calendar/", "news/", "seasons/",
        later=("close/", "requests/", "news/new/", "seasons/new/"),
    ):  # fmt: skip
        page.goto(home + path)
        sound(page)


def presided() -> tuple[str, str, list[str]]:
    """A club: where its news are written, its president's session, and the addresses of that one and of a secretary."""
    petra, sep = kit.person("Petra Pfister"), kit.person("Sep Seeli")
    club = kit.club_of(petra)
    kit.join(club, petra, sep, "secretary")
    users = [person.user for person in (petra, sep) if person.user is not None]
    for user in users:
        user.set_password("seventy-eight cards")
        user.save()
    return f"/c/{club.slug}/news/new/", session_of(users[0]), [user.email for user in users]


def sign_in(page: Page, address: str) -> None:
    page.get_by_label("E-mail").fill(address)
    page.get_by_label("Password").fill("seventy-eight cards")
    press(page.get_by_role("main").get_by_role("button", name="Sign in", exact=True))


@pytest.mark.parametrize("form", ["news", "profile"])
def test_what_was_written_stands_in_the_form_after_signing_in(page: Page, live_site: LiveSite, form: str) -> None:
    news, session, (address, _other) = live_site.call(presided)
    page.context.add_cookies([{"name": "sessionid", "value": session, "url": live_site.url}])
    page.goto(live_site.url + (news if form == "news" else "/en/you/profile/"))
    written, sends = page.locator("main textarea"), page.locator("main form button").last
    written.fill("A story that nobody writes twice.")
    page.context.clear_cookies(name="sessionid")
    press(sends)
    if form == "news":  # a page that says why
        press(page.get_by_role("main").get_by_role("link", name="Sign in"))
    sign_in(page, address)
    expect(written).to_have_value("A story that nobody writes twice.")
    press(sends)
    page.goto(live_site.url + news)
    expect(written).to_have_value("")


def test_what_one_person_wrote_does_not_stand_in_the_form_of_another(page: Page, live_site: LiveSite) -> None:
    news, session, (_address, other) = live_site.call(presided)
    page.context.add_cookies([{"name": "sessionid", "value": session, "url": live_site.url}])
    page.goto(live_site.url + news)
    written = page.locator("main textarea")
    written.fill("A story that nobody writes twice.")
    page.context.clear_cookies(name="sessionid")
    press(page.get_by_role("button", name="Publish"))
    press(page.get_by_role("main").get_by_role("link", name="Sign in"))
    sign_in(page, other)
    expect(written).to_have_value("")
