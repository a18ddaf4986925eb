"""What readers tell, in a real browser: three presses, and a voice that is recorded, sent, decided and played."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from accounts import permissions as account_permissions
from accounts.models import Player
from rules.readers import sounds
from rules.readers.models import Recording, Saying
from tests.live import DESK, PHONE, serious, session_of, wait_until

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

    from tests.live import LiveSite

pytestmark = pytest.mark.browser

WORD = "words/ranks-king/"


def editor(site: LiveSite) -> str:
    """The session of an editor."""
    from django.contrib.auth import get_user_model

    def made() -> str:
        user = get_user_model().objects.create_user("editor@example.org")
        player = Player.objects.create(user=user, name="gion")
        account_permissions.grant(player, account_permissions.EDITOR)
        return session_of(user)

    return site.call(made)


def told(model: type[Saying | Recording]) -> Saying | Recording:
    return model.objects.latest("pk")


def no_more_than_it_may(page: Page) -> None:
    assert serious(page) == []
    assert page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth") <= 0


@pytest.mark.parametrize("viewport", [PHONE])
def test_we_say_it_so_takes_three_presses(page: Page, live_site: LiveSite, viewport: dict[str, int]) -> None:
    page.goto(f"{live_site.url}/en/{WORD}")
    page.get_by_text("We say it differently: tell us").click()
    no_more_than_it_may(page)
    page.get_by_label("How you say it").fill("il retg vegl")
    page.get_by_label("Village", exact=True).fill("Trun")
    page.locator(".say-form").get_by_role("button", name="Send").click()
    expect(page.get_by_text("Thank you! An editor reads it")).to_be_visible()
    saying = live_site.call(told, Saying)
    assert (saying.text, saying.place, saying.language) == ("il retg vegl", "trun", "rm-sursilv")


@pytest.mark.slow
def test_a_voice_is_recorded_sent_decided_and_played(
    browser: Browser, whole_browser: Browser, live_site: LiveSite
) -> None:
    context = whole_browser.new_context(viewport=DESK, permissions=["microphone"])
    page = context.new_page()
    page.goto(f"{live_site.url}/en/{WORD}record/")
    no_more_than_it_may(page)
    page.get_by_role("button", name="Speak").click()
    expect(page.get_by_text("Speak now.")).to_be_visible()
    page.wait_for_timeout(600)  # somebody speaks: half a second that nothing can take the place of
    page.get_by_role("button", name="Stop").click()
    expect(page.get_by_text("Listen to it, then send it.")).to_be_visible()
    wait_until(page, "document.querySelector('.recorder audio').readyState > 0")
    page.get_by_label("Village", exact=True).fill("Trun")
    page.get_by_label("My voice may be published").check()
    page.get_by_role("button", name="Send").click()
    expect(page.get_by_text("Thank you! An editor listens")).to_be_visible()
    recording = live_site.call(told, Recording)
    assert isinstance(recording, Recording)
    assert recording.kind in sounds.TYPES
    assert 0.2 < recording.seconds < sounds.MOST_SECONDS

    desk = browser.new_context(viewport=DESK)
    desk.add_cookies([{"name": "sessionid", "value": editor(live_site), "url": live_site.url}])
    queue = desk.new_page()
    queue.goto(f"{live_site.url}/en/queue/")
    no_more_than_it_may(queue)
    queue.get_by_role("button", name="Accept the recording").click()
    expect(queue.get_by_text("Published.")).to_be_visible()

    page.goto(f"{live_site.url}/en/{WORD}")
    with page.expect_response(lambda answer: "/recordings/" in answer.url) as heard:
        page.locator("a[data-play]").first.click()
    assert heard.value.headers["content-type"].startswith("audio/")
    assert page.url.endswith(WORD)
    no_more_than_it_may(page)


@pytest.mark.parametrize("viewport", [PHONE])
@pytest.mark.slow
def test_rules_and_words_are_kept_read_searched_and_removed(
    page: Page, live_site: LiveSite, viewport: dict[str, int]
) -> None:
    page.goto(f"{live_site.url}/en/kept/")
    page.get_by_role("button", name="Keep on this device").click()
    state = page.locator("[data-state]")
    expect(state).to_contain_text("MB")
    wait_until(page, "navigator.serviceWorker.controller !== null")
    no_more_than_it_may(page)
    page.context.set_offline(True)
    page.goto(f"{live_site.url}/en/words/trumps-21/")
    expect(page.locator("[data-page] h1")).to_have_text("the World")
    no_more_than_it_may(page)
    page.get_by_label("Search what is kept").fill("vacca")
    expect(page.locator("[data-results] a").first).to_have_text("the World")
    page.goto(f"{live_site.url}/en/search/?q=what+does+tec+carn+mean")
    expect(page.locator("[data-results] a").first).to_have_text("in tec carn")
    page.goto(f"{live_site.url}/en/rules/troccas/")
    expect(page.locator("[data-page] .article-text h2").first).to_be_visible()
    page.goto(f"{live_site.url}/en/")  # who opens the site at its front door is shown the way
    page.get_by_role("link", name="rules and words kept on this device").click()
    page.get_by_label("Search what is kept").fill("vacca")
    expect(page.locator("[data-results] a").first).to_have_text("the World")
    page.context.set_offline(False)
    page.goto(f"{live_site.url}/en/kept/")
    page.get_by_role("button", name="Remove").click()
    expect(state).to_have_text("Nothing is kept on this device.")
    assert page.evaluate("caches.has('reading')") is False
