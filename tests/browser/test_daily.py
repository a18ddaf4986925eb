"""The daily deal in a real browser: begun with one button, looked back at the next day, sound on a phone and on a desk."""

from __future__ import annotations

import random
import re
from datetime import date, timedelta
from time import sleep
from typing import TYPE_CHECKING

import pytest
from django.db import transaction
from django.utils import timezone
from playwright.sync_api import expect

from accounts import sessions
from accounts.models import Player, User
from games.daily import services, tasks
from games.daily.models import DailyDay, DailyWishes
from tests.live import DESK, PHONE, press, serious, within_a_day
from tests.long import looks

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from tests.live import LiveSite

pytestmark = pytest.mark.browser


def lay() -> tuple[date, str]:
    """An open day with a dozen results, some named; the day, and the token of a guest who reads it."""
    then = timezone.now() - timedelta(days=2)
    while services.choice_on(services.day_at(then)).ruleset != "troccas":
        then -= timedelta(days=1)
    user = User.objects.create_user("anna-daily@example.org", "neun-und-dreissig")
    anna = Player.objects.create(user=user, name="Anna")
    people = [anna, *(Player.objects.create() for _number in range(3))]
    for number in range(4, 12):
        other = User.objects.create_user(f"daily{number}@example.org", "neun-und-dreissig")
        people.append(Player.objects.create(user=other, name=f"Clau {number}"))
        DailyWishes.objects.create(player=people[-1], shows_name=True, shows_play=number % 2 == 0)
    with transaction.atomic():  # before the worker looks after a day that is over
        for player in people:
            day = services.begin(player, services.day_at(then), then).day
    # From here on the site's own worker does everything: the computer player's table, its game, the end, the opening.
    for _second in range(300):  # a few, unless the machine has much else to do
        day.refresh_from_db()
        if day.opened_at is not None:
            break
        sleep(1)
    chance = random.Random(1)
    scores = [chance.choice((-12, -5, -3, 0, 2, 4, 4, 9, 15)) for _player in people]
    for entry, points in zip(day.entries.order_by("pk"), scores, strict=True):
        entry.points = points
        entry.save()
    DailyDay.objects.filter(pk=day.pk).update(players=len(people), datum=tasks.datum(scores))
    assert day.computer_points is not None
    return day.date, sessions.issue_guest_token(Player.objects.create())


def sound(page: Page) -> None:
    assert serious(page) == []
    assert page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth") <= 0


@pytest.mark.parametrize(("viewport", "theme"), looks((PHONE, "light"), (DESK, "dark")))
def test_todays_deal_is_begun_with_one_button(page: Page, live_site: LiveSite, viewport, theme) -> None:
    within_a_day("Europe/Zurich")  # the deal that was begun is today's only until midnight
    page.emulate_media(color_scheme=theme, reduced_motion="reduce")
    page.goto(f"{live_site.url}/en/")
    sound(page)
    press(page.get_by_role("region", name="Today’s deal").get_by_role("link"))
    expect(page.get_by_role("heading", level=1)).to_have_text("Today’s deal")
    page.get_by_text("What is promised about the cards").click()
    expect(page.locator(".promise")).to_have_text(re.compile("^[0-9a-f]{64}$"))
    sound(page)
    press(page.get_by_role("button", name="Play today’s deal"))
    expect(page).to_have_url(re.compile("/g/"))
    table = page.url
    page.goto(f"{live_site.url}/en/daily/")
    expect(page.get_by_text(re.compile(r"person has begun it|people have begun it"))).to_be_visible()
    press(page.get_by_role("button", name="Go on with today’s deal"))
    expect(page).to_have_url(table)


@pytest.mark.slow
def test_an_open_day_is_read_on_a_phone_and_on_a_desk(page: Page, live_site: LiveSite) -> None:
    day, token = live_site.call(lay)
    page.context.add_cookies([{"name": "guest", "value": token, "url": live_site.url}])
    for size, theme in looks((PHONE, "dark"), (DESK, "light")):
        page.set_viewport_size(size)
        page.emulate_media(color_scheme=theme, reduced_motion="reduce")
        page.goto(f"{live_site.url}/en/daily/{day}/")
        expect(page.get_by_role("img", name="How many made which result")).to_be_visible()
        expect(page.get_by_role("region", name="Results of the day").get_by_role("row")).not_to_have_count(1)
        expect(page.get_by_role("region", name="The best results").get_by_role("row")).to_have_count(6)
        sound(page)
        page.locator("[data-proof-check]").click()
        expect(page.locator("[data-proof-state=good]")).to_be_visible()
        page.goto(f"{live_site.url}/en/daily/archive/")
        expect(page.get_by_role("table").get_by_role("row")).not_to_have_count(1)
        sound(page)
    page.goto(f"{live_site.url}/en/daily/{day}/")
    press(page.get_by_role("link", name=re.compile("^See how a computer player played it")))
    expect(page).to_have_url(re.compile(r"/g/\w+/hand/1/"))
