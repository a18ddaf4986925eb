"""A player's own games in a real browser: lists that are sound and keep themselves up to date, and coming back to a table."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import TYPE_CHECKING

import pytest
from django.utils import timezone
from playwright.sync_api import expect

from accounts import sessions
from accounts.models import Player
from games.models import Game
from games.mygames.models import Seen
from tests.games import pace_kit, table_kit
from tests.live import DESK, PHONE, press, serious
from tests.long import looks

if TYPE_CHECKING:
    from playwright.sync_api import Page, Response

    from tests.live import LiveSite

pytestmark = pytest.mark.browser


def made() -> tuple[str, list[str]]:
    """Anna sits at three tables with a clock; at the first she was last three weeks ago. Her token, and the tables."""
    people = pace_kit.people()
    tables = [pace_kit.table(people, options={"throw_in": False}) for _ in range(3)]
    assert tables[0].to_act is not None
    anna = people[tables[0].to_act]
    for game in tables:
        before = None
        for _ in range(60):
            game.refresh_from_db()
            player = pace_kit.asked(game)
            if game is not tables[0] and player == anna:
                break
            # Who has just won a trick leads the next one, and nobody tells them that it is their turn.
            if game is tables[0] and game.number > 24 and player == anna != before and game.asked == "play":
                break
            table_kit.submit(game, player, table_kit.advised(game, player))
            before = player
    at = timezone.now() - timedelta(weeks=3)
    Seen.objects.create(game=tables[0], player=anna, number=6, since=6, until=6, at=at)
    return sessions.issue_guest_token(anna), [game.public_id for game in tables]


def act(public_id: str) -> None:
    """Whoever is asked at a table acts."""
    game = Game.objects.get(public_id=public_id)
    player = pace_kit.asked(game)
    table_kit.submit(game, player, table_kit.advised(game, player))


def lay(page: Page, site: LiveSite) -> list[str]:
    """Anna's browser, and her tables."""
    token, tables = site.call(made)
    page.context.add_cookies([{"name": "guest", "value": token, "url": site.url}])
    return tables


def told_with(answer: Response) -> str:
    """What the page had sent for this answer."""
    return answer.request.post_data or ""


def titled(page: Page, waiting: int) -> None:
    """Wait until the window's title says so many."""
    expect(page).to_have_title(re.compile(rf"^\({waiting}\) "))


def sound(page: Page) -> None:
    assert serious(page) == []
    assert page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth") <= 0


@pytest.mark.parametrize(("viewport", "theme"), looks((PHONE, "light"), (DESK, "dark")))
def test_every_page_of_ones_games_is_sound(page: Page, live_site: LiveSite, viewport, theme) -> None:
    page.emulate_media(color_scheme=theme, reduced_motion="reduce")
    for path in ("/en/my-games/", "/en/my-games/finished/", "/en/my-games/calendar/"):
        page.goto(live_site.url + path)  # a stranger's
        sound(page)
    tables = lay(page, live_site)
    for path in ("/en/my-games/", "/en/my-games/finished/?person=nobody", "/en/my-games/calendar/"):
        page.goto(live_site.url + path)
        sound(page)
    press(page.get_by_role("button", name="Make an address"))
    expect(page.get_by_label("Address of your calendar")).to_have_value(re.compile("^http"))
    sound(page)
    page.goto(f"{live_site.url}/g/{tables[0]}/")
    assert page.get_by_role("heading", name="Since you were here").is_visible()
    sound(page)


@pytest.mark.parametrize("viewport", [PHONE])
def test_who_comes_back_is_told_on_one_screen_and_goes_on_to_the_table(
    page: Page, live_site: LiveSite, viewport
) -> None:
    tables = lay(page, live_site)
    page.goto(f"{live_site.url}/g/{tables[0]}/")
    told = page.locator("#since")
    assert "3 weeks" in told.inner_text().replace("\xa0", " ")
    assert told.evaluate("part => part.getBoundingClientRect().height") <= PHONE["height"]
    assert page.locator(".since-question").inner_text().startswith("Your turn")
    button = told.get_by_role("button", name="To the table")
    assert button.evaluate("part => part.getBoundingClientRect().bottom") <= PHONE["height"]
    # The page tells by itself, too, that the table was in view: not that answer, but the one to the button.
    with page.expect_response(
        lambda answer: answer.url.endswith("/seen/") and "done=1" in told_with(answer)
    ) as answered:
        button.click()
    assert answered.value.status == 204
    expect(told).to_have_count(0)
    page.reload()
    expect(page.locator("#table")).to_be_visible()
    expect(told).to_have_count(0)


def test_without_a_script_it_is_dismissed_by_its_form(browser, live_site: LiveSite) -> None:
    context = browser.new_context(viewport=PHONE, locale="en-GB", java_script_enabled=False)
    page = context.new_page()
    tables = lay(page, live_site)
    address = f"{live_site.url}/g/{tables[0]}/"
    page.goto(address)
    page.goto(address)
    assert page.locator("#since").is_visible(), "opening the page is not yet having seen it"
    press(page.get_by_role("button", name="To the table"))
    assert page.url == address
    expect(page.locator("#since")).to_have_count(0)
    context.close()


def test_the_list_and_the_number_in_the_title_follow_what_happens(page: Page, live_site: LiveSite) -> None:
    tables = lay(page, live_site)
    page.goto(live_site.url + "/en/my-games/")
    titled(page, 3)
    mine = page.locator("section:has(#mine) .game-list li")
    expect(mine).to_have_count(3)
    live_site.call(act, tables[1])  # she plays on another device
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    titled(page, 2)
    expect(mine).to_have_count(2)
    expect(page.locator("section:has(#others) .game-list li")).to_have_count(1)


def test_the_front_page_marks_a_turn_at_the_same_place_with_and_without_a_clock(
    page: Page, live_site: LiveSite
) -> None:
    lay(page, live_site)
    token = next(cookie["value"] for cookie in page.context.cookies() if cookie["name"] == "guest")
    live_site.call(lambda: table_kit.laid(sessions.find_guest_token(token).player))
    page.goto(f"{live_site.url}/en/")
    games = page.locator(".your-games li")
    expect(games.locator(".time").first).to_be_visible()
    assert games.filter(has_not=page.locator(".time")).count() == 1
    places = games.locator(".tag").evaluate_all("all => all.map((one) => one.getBoundingClientRect().left)")
    assert len(places) > 1
    assert len(set(places)) == 1


def test_the_next_game_is_one_click_away_and_opens_by_itself_for_who_wishes_so(page: Page, live_site: LiveSite) -> None:
    tables = lay(page, live_site)
    page.goto(f"{live_site.url}/g/{tables[1]}/")
    titled(page, 2)
    page.get_by_role("link", name="Next game").first.click()
    page.wait_for_url(lambda url: f"/g/{tables[1]}/" not in url)  # the way back is named behind it
    assert any(f"/g/{game}/" in page.url for game in (tables[0], tables[2]))
    live_site.call(lambda: Player.objects.filter(computer="").update(next_game=True))
    page.goto(f"{live_site.url}/g/{tables[1]}/")
    answer = page.locator("#table .ask form[data-act] button:visible, #table .held:not([aria-disabled=true])").first
    lifts = answer.evaluate("each => each.matches('.held')")
    answer.click()
    if lifts:  # the first tap only lifts a card
        page.locator(".held[aria-pressed=true]").click()
    page.wait_for_url(lambda url: f"/g/{tables[1]}/" not in url)  # the way back is named behind it


def test_what_is_asked_now_stays_true_above_a_table_that_goes_on(page: Page, live_site: LiveSite) -> None:
    first, *_others = lay(page, live_site)
    page.goto(f"{live_site.url}/g/{first}/")
    question = page.locator(".since-question")
    before = page.locator("#prompt").inner_text()
    expect(question).to_have_text(before)
    live_site.call(act, first)  # on another device of hers
    page.evaluate("htmx.trigger('#table', 'update')")
    expect(page.locator("#prompt")).not_to_have_text(before)
    expect(question).to_have_text(page.locator("#prompt").inner_text())
    expect(page.locator(".since-time")).to_have_text(page.locator(".clock-line").inner_text())
