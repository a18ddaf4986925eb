"""Editing in a browser: two people at once, a text that survives, a preview that follows, and pages that are sound."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from allauth.account.models import EmailAddress
from django.core.management import call_command
from playwright.sync_api import expect

from tests.games.lobby_kit import member
from tests.live import DESK, PATIENCE, PHONE, press, serious, session_of
from tests.long import looks, pages

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Browser, Page

    from tests.live import LiveSite, Sites

pytestmark = pytest.mark.browser

DEAL = "/en/edit/article/counting/en/"
WORD = "/en/edit/concept/words.scart/"
PASSWORD = "seventy-eight cards"


@pytest.fixture(scope="module")
def wiki(sites: Sites) -> Iterator[LiveSite]:
    """A site of this module's own: what is published on it would stay on the one that all modules share."""
    site = sites.start()
    yield site
    sites.close(site)


def sign_up(page: Page, site: LiveSite, name: str, *grant: str) -> str:
    """Make an account with a role, and sign this browser in; its address."""

    def made() -> tuple[str, str]:
        user = member(name.title()).user
        user.set_password(PASSWORD)
        user.save()
        EmailAddress.objects.create(user=user, email=user.email, verified=True, primary=True)
        if grant:
            call_command("grant", user.email, *grant, verbosity=0)
        return user.email, session_of(user)

    email, session = site.call(made)
    page.context.add_cookies([{"name": "sessionid", "value": session, "url": site.url}])
    return email


def another(browser: Browser, **options: object) -> Page:
    """The browser of somebody else."""
    context = browser.new_context(viewport=DESK, locale="en-GB", reduced_motion="reduce", **options)
    context.set_default_timeout(PATIENCE * 1000)
    return context.new_page()


def change(page: Page, old: str, new: str, why: str) -> None:
    text = page.locator("#f-text")
    before = text.input_value()
    assert old in before
    text.fill(before.replace(old, new, 1))
    page.get_by_label("What did you change, and why?").fill(why)


@pytest.mark.slow
def test_two_people_edit_the_same_page_at_once(page: Page, browser: Browser, wiki: LiveSite) -> None:
    sign_up(page, wiki, "gion", "editor")
    other = another(browser)
    sign_up(other, wiki, "maria", "editor")
    for each in (page, other):
        each.goto(wiki.url + DEAL)
    first = page.locator("#f-text").input_value().split("\n")[0]
    change(page, first, "Gion begins so.", "A better beginning")
    press(page.get_by_role("button", name="Publish", exact=True))
    page.get_by_text("Published.").wait_for()

    change(other, first, "Maria begins so.", "Another beginning")
    other.get_by_label("Title").fill("How to count")
    press(other.get_by_role("button", name="Publish", exact=True))
    other.get_by_role("heading", name="Where both of you changed something").wait_for()
    shown = other.locator(".clashes").inner_text()
    assert "Gion begins so." in shown
    assert "Maria begins so." in shown
    assert serious(other) == []
    assert other.locator("#f-text").input_value().startswith("Maria begins so.")
    change(other, "Maria begins so.", "Gion begins so, and so does Maria.", "Both")
    press(other.get_by_role("button", name="Publish", exact=True))
    other.get_by_text("Published.").wait_for()
    other.goto(f"{wiki.url}/en/rules/counting/")
    assert other.get_by_role("heading", level=1).inner_text() == "How to count"
    assert "Gion begins so, and so does Maria." in other.locator(".article-text").inner_text()
    other.context.close()


@pytest.mark.slow
def test_what_was_typed_is_offered_back_and_goes_once_it_has_arrived(page: Page, wiki: LiveSite) -> None:
    sign_up(page, wiki, "onna")
    page.goto(wiki.url + DEAL)
    change(page, "\n", "\n\nKept on this device.\n", "Kept")
    page.wait_for_function("() => Object.keys(localStorage).some((key) => key.startsWith('draft:'))")
    page.goto(f"{wiki.url}/en/rules/")
    page.goto(wiki.url + DEAL)
    assert "Kept on this device." not in page.locator("#f-text").input_value()
    press(page.get_by_role("button", name="Take it up again"))
    expect(page.locator("#f-text")).to_have_value(re.compile("Kept on this device."))
    page.get_by_role("button", name="Suggest", exact=True).click()
    page.wait_for_url("**/en/queue/*/")
    page.goto(wiki.url + DEAL)
    assert page.locator("#draft-offer").is_hidden()
    assert page.evaluate("Object.keys(localStorage).filter((key) => key.startsWith('draft:')).length") == 0


def test_a_guest_writes_signs_in_and_sends(page: Page, browser: Browser, wiki: LiveSite) -> None:
    other = another(browser)
    email = sign_up(other, wiki, "onna")
    other.context.close()
    page.goto(wiki.url + DEAL)
    change(page, "\n", "\n\nWritten before signing in.\n", "Why not")
    press(page.get_by_role("button", name="Suggest", exact=True))
    press(page.locator("#refusal").get_by_role("link", name="Sign in"))
    page.get_by_label("E-mail").fill(email)
    page.get_by_label("Password").fill(PASSWORD)
    press(page.get_by_role("main").get_by_role("button", name="Sign in", exact=True))
    page.wait_for_url(f"**{DEAL}")  # so the address before ended, too
    assert "Written before signing in." in page.locator("#f-text").input_value()
    page.get_by_role("button", name="Suggest", exact=True).click()
    page.wait_for_url("**/en/queue/*/")


@pytest.mark.parametrize("viewport", looks(PHONE, DESK))
def test_the_preview_follows_and_leads_to_the_line(page: Page, live_site: LiveSite, viewport: dict[str, int]) -> None:
    page.goto(live_site.url + DEAL)
    page.locator("#f-text").fill("Hello *there*.\n\nMore.\n\n::: nonsense\n:::\n")
    page.locator("#preview em", has_text="there").wait_for()
    page.locator("#preview a[data-line]").first.click()
    page.wait_for_function(
        """() => {
            const text = document.querySelector("#f-text");
            return text.value.slice(text.selectionStart, text.selectionEnd) === "::: nonsense";
        }"""
    )


def test_rows_come_and_go_without_loading_the_page(page: Page, live_site: LiveSite) -> None:
    page.goto(live_site.url + WORD)
    page.evaluate("window.here = true")
    count = page.locator("#f-terms > .row").count()
    page.locator("[id='f-terms.0'] > details > summary").click()
    page.locator("input[id='f-terms.0.text']").fill("changed")
    page.locator("#f-terms > .actions button[name=add]").click()
    page.locator(f"[id='f-terms.{count}']").wait_for()
    expect(page.locator("input[id='f-terms.0.text']")).to_have_value("changed")
    expect(page.locator(f"[id='f-terms.{count}.lang']")).to_be_focused()
    page.locator("button[name=take-out][value='terms.0']").click()
    expect(page.locator("#f-terms > .row")).to_have_count(count)
    assert page.evaluate("window.here") is True


@pytest.mark.slow
def test_everything_works_without_script(browser: Browser, wiki: LiveSite) -> None:
    page = another(browser, java_script_enabled=False)
    sign_up(page, wiki, "gion", "editor")
    page.goto(wiki.url + DEAL)
    change(page, "\n", "\n\nWritten *without* script.\n", "To try")
    press(page.get_by_role("button", name="Preview"))
    expect(page.locator("#preview em", has_text="without")).to_have_count(1)
    press(page.get_by_role("button", name="Show what I changed"))
    expect(page.locator(".comparison ins").first).to_contain_text("Written *without* script.")
    press(page.get_by_role("button", name="Publish", exact=True))
    page.goto(f"{wiki.url}/en/rules/counting/")
    assert "Written without script." in page.locator(".article-text").inner_text()
    page.goto(wiki.url + WORD)
    count = page.locator("#f-terms > .row").count()
    press(page.locator("#f-terms > .actions button[name=add]"))
    expect(page.locator("#f-terms > .row")).to_have_count(count + 1)
    page.context.close()


PAGES = pages(
    WORD,
    "/en/edit/article/counting/de/",
    "/en/history/article/counting/en/",
    "/en/history/article/counting/en/compare/?to=1",
    "/en/history/concept/words.scart/1/",
    "/en/queue/",
    "/en/talk/article/troccas/",
    "/en/manage/article/counting/en/",
    "/en/roles/",
    "/en/changes/?files=1",
    later=(DEAL, "/en/edit/place/surselva/", "/en/new/concept/", "/en/new/source/", "/en/suggestions/"),
)


@pytest.mark.parametrize(("viewport", "theme"), looks((PHONE, "dark"), (DESK, "light")))
@pytest.mark.slow
def test_every_page_is_sound(page: Page, wiki: LiveSite, viewport: dict[str, int], theme: str) -> None:
    page.emulate_media(color_scheme="dark" if theme == "dark" else "light", reduced_motion="reduce")
    sign_up(page, wiki, "ursula", "administrator")
    for path in PAGES:
        page.goto(wiki.url + path)
        assert not re.search("not found", page.title(), re.IGNORECASE), path
        assert serious(page) == [], path
        wide = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
        assert wide <= 0, f"{path} is {wide} px too wide"


def test_a_box_stands_beside_its_words_and_a_filter_is_as_wide_as_its_fields(page: Page, live_site: LiveSite) -> None:
    page.goto(f"{live_site.url}/en/new/concept/")
    choice = page.locator(".edit-form .choice", has_text="Troccas")
    line, box = choice.bounding_box(), choice.locator("input").bounding_box()
    assert line
    assert box
    assert abs(line["y"] + line["height"] / 2 - box["y"] - box["height"] / 2) < 1
    page.goto(f"{live_site.url}/en/changes/")
    for label in ("Language", "Kind"):
        select = page.get_by_label(label, exact=True)
        field, control = select.locator("..").bounding_box(), select.bounding_box()
        assert field
        assert control
        assert field["x"] + field["width"] - control["x"] - control["width"] < 1, label
