"""People in a real browser: two find and follow each other, write, and one invites the other and an address."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from uuid import uuid4

import pytest
from django.utils import timezone
from playwright.sync_api import expect

from accounts import reports
from accounts.models import Report
from people import moderation
from tests.live import PHONE, press, serious, session_of
from tests.people.kit import friends, write

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

    from tests.live import LiveSite

pytestmark = pytest.mark.browser


def sound(page: Page) -> None:
    """Nothing serious for axe, nothing wider than the page."""
    assert serious(page) == []
    assert page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth") <= 0


def sign_up(page: Page, site: LiveSite, name: str) -> str:
    """Make an account. Returns its address."""
    address = f"{uuid4().hex[:10]}@example.ch"
    page.goto(f"{site.url}/en/account/signup/")
    page.get_by_label("E-mail").fill(address)
    page.get_by_label("Password").fill("seventy-eight cards")
    page.get_by_label("Your name at the table").fill(name)
    press(page.get_by_role("main").get_by_role("button", name="Make an account"))
    return address


@pytest.mark.parametrize("viewport", [PHONE])
@pytest.mark.slow
def test_two_find_each_other_write_and_invite(
    page: Page, browser: Browser, live_site: LiveSite, viewport: dict[str, int]
) -> None:
    name = f"Mengia {uuid4().hex[:6]}"
    sign_up(page, live_site, "Anna")
    other = browser.new_page(viewport=viewport)
    try:
        sign_up(other, live_site, name)
        other.goto(f"{live_site.url}/en/people/")
        sound(other)
        press(other.get_by_role("button", name="Yes, people may find me"))
        sound(other)
        # Anna finds and follows her without leaving the page.
        page.goto(f"{live_site.url}/en/people/")
        page.get_by_role("searchbox", name="Name").fill(name[:9])
        press(page.get_by_role("main").get_by_role("button", name="Search"))
        found = page.get_by_role("region", name="Find somebody")
        found.get_by_role("button", name=f"Follow {name}").click()
        expect(found.get_by_role("button", name=f"Unfollow {name}")).to_be_focused()
        sound(page)
        press(found.get_by_role("link", name=name, exact=True))
        person = page.url
        # Mengia follows back from her page; now they can write.
        other.goto(f"{live_site.url}/en/people/")
        other.get_by_role("button", name="Follow Anna").click()
        expect(other.get_by_role("button", name="Unfollow Anna").first).to_be_visible()
        press(other.get_by_role("link", name="Write – Anna").first)
        other.get_by_label("Your message").fill("Allegra Anna\nspielst du mit?")
        press(other.get_by_role("button", name="Send"))
        sound(other)
        page.goto(person)
        sound(page)
        press(page.get_by_role("link", name="Write a message"))
        expect(page.get_by_text("spielst du mit?")).to_be_visible()
        # What comes meanwhile appears, and what is being typed stays.
        page.get_by_label("Your message").fill("Gern, ")
        other.get_by_label("Your message").fill("Am Mittwoch um acht")
        press(other.get_by_role("button", name="Send"))
        page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
        expect(page.get_by_text("Am Mittwoch um acht")).to_be_visible()
        expect(page.get_by_label("Your message")).to_have_value("Gern, ")
        # Inviting from the page of a person, to a table that is opened for it.
        page.goto(person)
        press(page.get_by_role("link", name="Invite to a table"))
        sound(page)
        press(page.get_by_role("link", name=f"Open a table and invite {name}"))
        press(page.get_by_role("button", name=re.compile(r"^Troccas \d")))
        press(page.get_by_role("button", name=re.compile("^A few cards a day")))
        press(page.get_by_role("button", name="Open the table"))
        expect(page.get_by_text(f"{name} is invited.")).to_be_visible()
        page.locator("#by-letter summary").click()
        sound(page)
        page.get_by_label("E-mail address").fill("somebody@example.ch")
        press(page.get_by_role("button", name="Send the invitation"))
        expect(page.get_by_text("The invitation goes to this address")).to_be_visible()
        expect(page.locator("#by-letter summary")).to_contain_text("1 invited")
    finally:
        other.close()


@pytest.mark.parametrize("viewport", [PHONE])
@pytest.mark.slow
def test_whoever_wrote_a_removed_message_asks_for_another_look_and_reads_the_answer(
    page: Page, live_site: LiveSite, viewport: dict[str, int]
) -> None:
    def laid() -> tuple[str, int]:
        anna, beat = friends("Anna", "Beat")
        message = write(anna, beat, "Du Hund")
        moderation.remove(message, beat, "An insult")
        return session_of(anna.user), message.pk

    def settled() -> None:
        appeal = Report.objects.get(subject=f"letter:{key}")
        Report.objects.filter(pk=appeal.pk).update(settled_at=timezone.now())
        reports.tell_answer(appeal)

    session, key = live_site.call(laid)
    page.context.add_cookies([{"name": "sessionid", "value": session, "url": live_site.url}])
    page.goto(f"{live_site.url}/en/people/messages/")
    press(page.get_by_role("link", name="Beat"))
    sound(page)
    press(page.get_by_role("link", name="Ask for another look"))
    expect(page.get_by_text("Du Hund")).to_be_visible()
    sound(page)
    asked = page.url
    page.get_by_label("If you think that is wrong").fill("It was about a dog.")
    press(page.get_by_role("button", name="Ask for another look"))
    expect(page.get_by_text("A moderator will look at it again.")).to_be_visible()
    page.goto(asked)
    expect(page.get_by_text("No moderator has answered yet")).to_be_visible()
    sound(page)
    live_site.call(settled)
    page.reload()
    expect(page.get_by_text("and your message stays removed")).to_be_visible()
    sound(page)


@pytest.mark.usefixtures("whole_browser")
def test_signed_out_elsewhere_what_is_being_written_stays_and_can_be_sent_after_signing_in(
    page: Page, browser: Browser, live_site: LiveSite
) -> None:
    other = browser.new_page()
    try:
        name = f"Mengia {uuid4().hex[:6]}"
        sign_up(other, live_site, name)
        other.goto(f"{live_site.url}/en/people/")
        press(other.get_by_role("button", name="Yes, people may find me"))
        address = sign_up(page, live_site, "Anna")
        page.goto(f"{live_site.url}/en/people/?find={name}")
        page.get_by_role("button", name=f"Follow {name}").click()
        expect(page.get_by_role("button", name=f"Unfollow {name}").first).to_be_visible()
        other.goto(f"{live_site.url}/en/people/")
        other.get_by_role("button", name="Follow Anna").first.click()
        expect(other.get_by_role("button", name="Unfollow Anna").first).to_be_visible()
        page.goto(f"{live_site.url}/en/people/")
        press(page.get_by_role("link", name=f"Write – {name}").first)
        page.get_by_label("Your message").fill("Gern, am Mittwoch")
        page.context.clear_cookies()
        page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
        notice = page.get_by_role("alert").filter(has_text="You are signed out.")
        expect(notice).to_be_visible()
        expect(page.get_by_label("Your message")).to_have_value("Gern, am Mittwoch")
        tab, login = page.context.request, f"{live_site.url}/en/account/login/"
        (token, *_others) = re.findall(r'csrfmiddlewaretoken" value="(\w+)"', tab.get(login).text())
        signing_in = {"login": address, "password": "seventy-eight cards", "csrfmiddlewaretoken": token}
        assert tab.post(login, form=signing_in, headers={"Referer": login}).url != login
        page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
        expect(notice).to_have_count(0)
        press(page.get_by_role("button", name="Send"))
        expect(page.get_by_role("listitem").filter(has_text="Gern, am Mittwoch")).to_be_visible()
    finally:
        other.close()
