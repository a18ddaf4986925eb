"""Being told, in a real browser: the pages, the service worker that shows a message, and whoever looks at a table."""

from __future__ import annotations

import json
import time
from typing import TYPE_CHECKING
from uuid import uuid4

import pytest
from playwright.sync_api import expect

from accounts.models import Player
from notices import outbox
from notices.models import Outbox, PushSubscription
from tests.live import DESK, PATIENCE, PHONE, press, serious
from tests.long import looks

if TYPE_CHECKING:
    from playwright.sync_api import BrowserContext, Page

    from tests.live import LiveSite

pytestmark = pytest.mark.browser


def fill(name: str) -> None:
    """Somebody has three notices and a device."""
    player = Player.objects.get(name=name)
    for at in range(3):
        said = {"table": f"t{at}", "url": "/en/games/", "ruleset": "troccas", "who": "Beat"}
        outbox.put("table.invited", player, said)
    PushSubscription.objects.create(
        player=player, endpoint="https://push.example.net/x", digest=uuid4().hex, device="Firefox, Android"
    )
    outbox.tell_due()
    for _ in range(1200):  # the site's own worker may have taken one up, and be about it
        if not Outbox.objects.filter(player=player, done_at=None).exists():
            break
        time.sleep(0.05)


def sign_up(page: Page, site: LiveSite, name: str) -> None:
    page.goto(site.url + "/en/account/signup/")
    page.get_by_label("E-mail").fill(f"{name.lower().replace(' ', '.')}@example.ch")
    page.get_by_label("Password").fill("seventy-eight cards")
    page.get_by_label("Your name at the table").fill(name)
    press(page.get_by_role("main").get_by_role("button", name="Make an account"))


def sound(page: Page) -> None:
    assert serious(page) == []
    wide = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
    assert wide <= 0, f"{page.url} is {wide} px too wide"


@pytest.mark.parametrize(("viewport", "theme"), looks((PHONE, "light"), (DESK, "dark")))
def test_the_pages_of_notices_are_sound(page: Page, live_site: LiveSite, viewport: dict[str, int], theme: str) -> None:
    page.emulate_media(color_scheme="dark" if theme == "dark" else "light", reduced_motion="reduce")
    name = f"Anna {theme}"
    sign_up(page, live_site, name)
    live_site.call(fill, name)
    page.goto(live_site.url + "/en/notices/")
    expect(page.locator(".note.unread")).to_have_count(3)
    sound(page)
    press(page.get_by_role("button", name="Mark all as read"))
    expect(page.locator(".note.unread")).to_have_count(0)
    page.goto(live_site.url + "/en/notices/preferences/")
    sound(page)
    page.get_by_label("By mail – My turn").select_option("each")
    press(page.get_by_role("button", name="Save"))
    expect(page.get_by_label("By mail – My turn")).to_have_value("each")
    page.goto(live_site.url + "/de/notices/preferences/")
    sound(page)


DELIVERED_AGAIN = 10  # seconds


@pytest.mark.usefixtures("whole_browser")
def test_a_message_is_shown_and_replaced_by_a_newer_one(context: BrowserContext, live_site: LiveSite) -> None:
    context.grant_permissions(["notifications"])
    page = context.new_page()
    page.goto(live_site.url + "/en/fair/")
    page.evaluate("navigator.serviceWorker.register('/sw.js', {scope: '/'})")
    # A worker that is only about to be active is ready, too, and what is delivered to it may be lost.
    page.wait_for_function("navigator.serviceWorker.ready.then((there) => there.active.state === 'activated')")
    devtools = context.new_cdp_session(page)
    registrations: list[str] = []
    devtools.on(
        "ServiceWorker.workerRegistrationUpdated",
        lambda event: registrations.extend(entry["registrationId"] for entry in event["registrations"]),
    )
    devtools.send("ServiceWorker.enable")
    end = time.monotonic() + PATIENCE
    while not registrations and time.monotonic() < end:
        page.wait_for_timeout(50)

    def push(**told: str) -> None:
        """Deliver a message, and wait until it is shown: two at once may be shown in either order.

        What the tools of the browser deliver to a worker that is just being stopped may be lost; it is delivered again, and the
        one of the same tag takes its place.
        """
        delivered = {"origin": live_site.url, "registrationId": registrations[-1], "data": json.dumps(told)}
        shown = (
            "title => navigator.serviceWorker.ready.then(r => r.getNotifications())"
            ".then(list => list.some(each => each.title === title))"
        )
        end, again = time.monotonic() + PATIENCE, 0.0
        while not page.evaluate(shown, told["title"]):
            assert time.monotonic() < end, f"{told['title']!r} was never shown"
            if time.monotonic() > again:
                devtools.send("ServiceWorker.deliverPushMessage", delivered)
                again = time.monotonic() + DELIVERED_AGAIN
            page.wait_for_timeout(50)

    push(title="Your turn", body="Half of your time for this move is over.", url="/g/bcdf/", tag="game-bcdf", lang="en")
    push(title="Your time is running out", body="Until eight.", url="/g/bcdf/", tag="game-bcdf", lang="en")
    push(title="Over", body="", url="https://evil.example/", tag="game-ghjk", lang="en")
    shown = page.evaluate(
        "navigator.serviceWorker.ready.then(r => r.getNotifications())"
        ".then(list => list.map(n => [n.title, n.body, n.tag, n.data.address]))"
    )
    assert sorted(shown) == [
        ["Over", "", "game-ghjk", live_site.url + "/"],
        ["Your time is running out", "Until eight.", "game-bcdf", live_site.url + "/g/bcdf/"],
    ]


def test_a_browser_that_is_not_allowed_to_show_messages_says_so(page: Page, live_site: LiveSite) -> None:
    sign_up(page, live_site, "Clau")
    page.goto(live_site.url + "/en/notices/preferences/")
    page.wait_for_selector("#allow:not([hidden]), #push-state:not([hidden])")
    if page.locator("#allow").is_visible():
        page.locator("#allow").click()
    page.wait_for_selector("#push-state:not([hidden])")
    assert page.locator("#push-state").inner_text()
    assert page.locator("#disallow").is_hidden()


def test_an_open_table_in_focus_says_that_it_is_looked_at(page: Page, live_site: LiveSite) -> None:
    sign_up(page, live_site, "Duri")
    said: list[str] = []
    page.on("request", lambda request: said.append(request.post_data or "") if "/looking/" in request.url else None)
    page.clock.install()
    page.goto(live_site.url + "/en/fair/")
    script = page.evaluate(
        "fetch('/static/js/live.js', {method: 'HEAD'}).then(answer => answer.ok ? '/static/js/live.js' : '')"
    )
    assert script
    page.bring_to_front()
    with page.expect_response(lambda answer: "/looking/" in answer.url):
        page.evaluate(
            """async (script) => {
                const { keepLooking } = await import(script);
                const shown = document.createElement("div");
                Object.assign(shown.dataset, { looking: "/notices/looking/", topic: "bcdf" });
                document.body.append(shown);
                keepLooking(shown);
            }""",
            script,
        )
    assert set(said) == {"topic=bcdf"}
    page.clock.run_for(40_000)  # no line hears it: it is posted again
    assert len(said) == 2
    page.evaluate(
        "document.querySelector('[data-looking]').addEventListener('live:say', (event) => event.preventDefault())"
    )
    page.clock.run_for(80_000)  # a line that hears it
    assert len(said) == 2
    page.evaluate("window.dispatchEvent(new Event('pagehide'))")  # still in sight, and yet it goes
    assert said[2:] == ["topic=bcdf&away=1"]
    answers = page.evaluate("fetch('/notices/bell.json').then(answer => answer.json())")
    assert answers == {"unread": 0, "newest": []}
