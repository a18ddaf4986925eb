"""Time at the table in a real browser: what is agreed on reaches the others' open pages, and seconds pass on a live table."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import TYPE_CHECKING

import pytest
from django.utils import timezone
from playwright.sync_api import expect

from accounts import sessions
from accounts.models import Player
from domain.pace import Kind, Terms
from games.models import Game
from games.selectors import table
from games.services import agreements, computers, ending, play, timing
from tests.browser.table_player import wait_until_somebody_is_asked
from tests.games import pace_kit
from tests.games.table_kit import rush, seat_of
from tests.live import PATIENCE, PHONE, serious, wait_until

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

    from tests.live import LiveSite

pytestmark = pytest.mark.browser


def lay(kind: Kind, action: int, bank: int) -> tuple[str, str, str]:
    """A table of two people and two computer players with a clock; its public id and the people's tokens."""
    people = [Player.objects.create(name=name, bot_speed="at-once") for name in ("Anna", "Beat")]
    pace = Terms(kind, timedelta(seconds=action), timedelta(seconds=bank))
    game = play.start("troccas", [*people, *computers.computer_players(2)], pace=pace)
    timing.begin(game.pk, expected=game.number, now=timezone.now() + timedelta(minutes=1))
    return game.public_id, sessions.issue_guest_token(people[0]), sessions.issue_guest_token(people[1])


def opened(browser: Browser, site: LiveSite, game: str, token: str, **how: object) -> Page:
    """The table as somebody sees it."""
    context = browser.new_context(locale="en-GB", reduced_motion="reduce", **how)
    context.set_default_timeout(PATIENCE * 1000)
    context.add_cookies([{"name": "guest", "value": token, "url": site.url}])
    page = context.new_page()
    page.goto(f"{site.url}/g/{game}/")
    return page


def together(*pages: Page) -> None:
    """Wait until every page knows that all are here: what it shows of that is not put in under a finger."""
    for page in pages:
        wait_until(
            page,
            """() => {
                document.dispatchEvent(new Event("visibilitychange"));  // then it asks
                return document.getElementById("table").dataset.here === "yes";
            }""",
        )


@pytest.mark.slow
def test_a_pause_is_proposed_in_one_browser_and_agreed_to_in_another(browser, live_site):
    game, first, second = live_site.call(lay, Kind.DAYS, 172_800, 259_200)
    anna = opened(browser, live_site, game, first)
    beat = opened(browser, live_site, game, second, viewport=PHONE)
    number = wait_until_somebody_is_asked(anna)["number"]
    for page in (anna, beat):
        expect(page.locator("#table")).to_have_attribute("data-number", str(number))
    together(anna, beat)
    anna.locator("#time-fold summary").click()
    anna.get_by_label("Propose a pause until the morning of").fill(
        anna.evaluate("new Date(Date.now() + 9 * 86400000).toISOString().slice(0, 10)")
    )
    anna.get_by_role("button", name="Propose", exact=True).click()
    beat.get_by_role("button", name="Agree").wait_for()
    assert not serious(beat)
    expect(beat.locator(".clock")).to_contain_text("Anna proposes a pause until")
    beat.get_by_role("button", name="Agree").click()
    for page in (anna, beat):
        page.get_by_text("Nobody’s time passes.").first.wait_for()
    anna.get_by_role("button", name="End the pause").click()
    beat.get_by_text("Anna ends the pause.").first.wait_for()
    for page in (anna, beat):
        assert not serious(page)
        page.context.close()


def test_the_question_how_to_be_told_leaves_the_hand_in_the_window_of_a_phone(browser, live_site):
    game, first, second = live_site.call(lay, Kind.DAYS, 172_800, 259_200)
    anna, beat = (opened(browser, live_site, game, token, viewport=PHONE) for token in (first, second))
    wait_until_somebody_is_asked(anna)
    together(anna, beat)  # then more is offered above the hand
    beat.goto(f"{beat.url}?from={game}")  # and the way back stands there, too
    expect(beat.locator(".came-from")).to_be_visible()
    for page in (anna, beat):
        asked = page.locator(".tell-how")
        cards = page.locator(".hand [data-card]")
        lowest = cards.evaluate_all("(all) => Math.max(...all.map((card) => card.getBoundingClientRect().bottom))")
        assert 0 < lowest <= PHONE["height"]
        expect(asked.get_by_role("button", name="Later")).to_be_hidden()
        asked.locator("summary").click()
        assert not serious(page)
        asked.get_by_role("button", name="Later").click()
        expect(asked).to_have_count(0)
        page.context.close()


def test_what_is_filled_in_stays_while_others_go_on(browser, live_site):
    game, first, second = live_site.call(lay, Kind.DAYS, 172_800, 259_200)
    anna, beat = (opened(browser, live_site, game, token) for token in (first, second))
    number = wait_until_somebody_is_asked(anna)["number"]
    together(anna, beat)
    for page in (anna, beat):
        expect(page.locator("#table")).to_have_attribute("data-number", str(number))
        page.locator("#time-fold summary").click()
    day = anna.evaluate("new Date(Date.now() + 9 * 86400000).toISOString().slice(0, 10)")
    anna.get_by_label("Propose a pause until the morning of").fill(day)
    amount = anna.locator("#time-amount")
    longest = amount.locator("option").last.get_attribute("value")
    amount.select_option(longest)
    anna.evaluate("document.getElementById('pause-until').dataset.old = 'yes'")
    beat.get_by_role("button", name="Give", exact=True).click()
    for page in (anna, beat):
        page.locator(f"#table:not([data-number='{number}'])").wait_for()
    expect(anna.locator("#pause-until:not([data-old])")).to_have_value(day)  # the part is a fresh one
    expect(amount).to_have_value(longest)

    number = anna.locator("#table").get_attribute("data-number")
    anna.route("**/since/**", lambda route: route.abort())  # what renews the page is the answer to the form
    anna.get_by_role("button", name="Give", exact=True).click()  # sends one form, not the other one
    anna.locator(f"#table:not([data-number='{number}'])").wait_for()
    anna.unroute("**/since/**")
    expect(anna.locator("#pause-until")).to_have_value(day)
    anna.get_by_role("button", name="Propose", exact=True).click()
    beat.get_by_role("button", name="Agree").wait_for()
    for page in (anna, beat):
        page.context.close()


def test_nobody_is_taken_away_from_a_day_they_fill_in_when_their_turn_comes(browser, live_site):
    def seated() -> tuple[Game, str]:
        game = pace_kit.table(pace_kit.people(), Terms(Kind.DAYS, timedelta(days=2), timedelta(days=3)))
        return pace_kit.until(game, player_at(game, 1)), sessions.issue_guest_token(player_at(game, 0))

    def player_at(game: Game, seat: int) -> Player:
        return game.seats.get(number=seat).player

    game, token = live_site.call(seated)
    page = opened(browser, live_site, game.public_id, token, viewport=PHONE | {"height": 400})
    page.locator("#time-fold summary").click()
    page.get_by_label("Propose a pause until the morning of").fill(f"{timezone.localdate() + timedelta(9)}")
    page.locator("#pause-until").evaluate("(field) => field.scrollIntoView({ block: 'center' })")
    assert page.evaluate("document.getElementById('prompt').getBoundingClientRect().bottom") < 0
    live_site.call(lambda: pace_kit.until(game, player_at(game, 0)))
    page.evaluate("htmx.trigger('#table', 'update')")
    expect(page.locator("#table")).to_have_attribute("data-yours", "yes")
    expect(page.locator("#pause-until")).to_be_focused()
    expect(page.locator("#pause-until")).to_be_in_viewport()
    page.context.close()


def test_cards_chosen_to_lay_away_stay_chosen_while_others_give_time(browser, live_site):
    def asked_to_lay_away() -> tuple[Game, Player, Player]:
        game = pace_kit.table(pace_kit.people(), pace_kit.DAYS, options={"throw_in": False})
        while table.view_for(pace_kit.fresh(game), pace_kit.fresh(game).to_act).asked != "scart":
            pace_kit.act(game)
        asked = pace_kit.asked(game)
        return game, asked, game.seats.exclude(player=asked).select_related("player").first().player

    def give_a_day(game: Game, to: Player, by: Player) -> int:
        agreements.more_time(game.pk, seat_of(game, to), pace_kit.DAY, request_id=pace_kit.request(), by=by)
        return pace_kit.fresh(game).number

    game, asked, other = live_site.call(asked_to_lay_away)
    page = opened(browser, live_site, game.public_id, live_site.call(sessions.issue_guest_token, asked))
    boxes = page.locator(".held input:not([aria-disabled])")
    chosen = boxes.nth(1)
    chosen.focus()
    page.keyboard.press("Enter")
    expect(chosen).to_be_checked()
    number = live_site.call(give_a_day, game, asked, other)
    page.evaluate("htmx.trigger('#table', 'update')")
    expect(page.locator("#table")).to_have_attribute("data-number", str(number))
    expect(chosen).to_be_checked()
    expect(chosen).to_be_focused()
    boxes.nth(2).press("Enter")
    page.get_by_role("button", name="Lay away", exact=True).click()
    expect(page.locator("#table")).to_have_attribute("data-yours", "no")
    page.context.close()


def test_until_when_somebody_has_time_lies_on_nothing_of_a_low_board(browser, live_site):
    def proposed() -> tuple[Game, list[Player]]:
        game = pace_kit.table(pace_kit.people(), pace_kit.DAYS, options={"throw_in": False})
        rush(game, until=lambda hand: len(hand.tricks) == 3 and len(hand.trick) == 2)
        players = [seat.player for seat in game.seats.select_related("player")]
        until = timezone.now() + 9 * pace_kit.DAY
        agreements.propose_pause(game.pk, 0, until, request_id=pace_kit.request(), by=players[0])
        ending.propose(game.pk, 1, counts=True, request_id=pace_kit.request(), by=players[1])
        return game, players

    game, players = live_site.call(proposed)
    for player in players:
        page = opened(
            browser, live_site, game.public_id, live_site.call(sessions.issue_guest_token, player), viewport=PHONE
        )
        expect(page.locator("#time-proposed")).to_be_visible()
        lies_on = page.evaluate(
            """() => {
                const box = (element) => element.getBoundingClientRect();
                const shown = (selector) => [...document.querySelectorAll(selector)].filter((one) => one.checkVisibility());
                return shown(".seat-clock").flatMap((line) => shown(".earlier > summary, .plate").filter((other) =>
                    Math.min(box(line).right, box(other).right) > Math.max(box(line).left, box(other).left) + 1
                    && Math.min(box(line).bottom, box(other).bottom) > Math.max(box(line).top, box(other).top) + 1
                ).map((other) => `${line.textContent} on ${other.textContent.trim()}`));
            }"""
        )
        assert lies_on == []
        page.context.close()


def test_whoever_proposes_a_pause_on_a_phone_sees_what_became_of_it(browser, live_site):
    game, first, _second = live_site.call(lay, Kind.DAYS, 172_800, 259_200)
    page = opened(browser, live_site, game, first, viewport=PHONE)
    wait_until_somebody_is_asked(page)
    page.locator("#time-fold summary").click()
    page.get_by_label("Propose a pause until the morning of").fill(f"{timezone.localdate() + timedelta(9)}")
    page.get_by_role("button", name="Propose", exact=True).click()
    proposed = page.locator("#time-proposed")
    expect(proposed).to_contain_text("You propose a pause until")
    expect(proposed).to_be_focused()
    expect(proposed).to_be_in_viewport()
    page.keyboard.press("Tab")
    expect(page.get_by_role("button", name="Take it back")).to_be_focused()
    page.context.close()


def test_who_takes_a_seat_and_who_gave_it_up_get_the_page_that_is_theirs(browser, live_site):
    def sought() -> tuple[Game, Player, Player]:
        game = pace_kit.table(pace_kit.people(), pace_kit.SUBSTITUTE)
        gone = pace_kit.asked(game)
        assert timing.time_out(game.pk, expected=game.number, now=pace_kit.due(game))
        return game, gone, Player.objects.create(name="Gieri")

    game, gone, newcomer = live_site.call(sought)
    one, other = (
        opened(browser, live_site, game.public_id, live_site.call(sessions.issue_guest_token, player))
        for player in (gone, newcomer)
    )
    expect(one.locator("#chat")).to_have_count(1)
    expect(other.locator("#chat")).to_have_count(0)
    other.get_by_role("button", name="Take this seat").click()
    expect(other.locator("#chat")).to_have_count(1)
    expect(other.locator(".log")).to_contain_text(f"You take the seat of {gone.name} as a substitute.")
    expect(one.locator("#chat")).to_have_count(0)
    expect(one.locator(".log")).to_contain_text(f"Gieri takes the seat of {gone.name} as a substitute.")
    for page in (one, other):
        page.context.close()


def test_whoever_asks_for_a_substitute_in_a_fold_stays_there(browser, live_site):
    def away() -> tuple[Game, Player, Player]:
        game = pace_kit.table(pace_kit.people(), pace_kit.DAYS)
        gone = pace_kit.asked(game)
        assert timing.time_out(game.pk, expected=game.number, now=pace_kit.due(game))
        return game, gone, game.seats.exclude(player=gone).select_related("player").first().player

    game, gone, other = live_site.call(away)
    page = opened(browser, live_site, game.public_id, live_site.call(sessions.issue_guest_token, other), viewport=PHONE)
    page.locator("#time-fold summary").click()
    page.get_by_role("button", name=f"Ask for a substitute for {gone.name}").click()
    expect(page.get_by_role("button", name=f"Go on with a computer player for {gone.name}")).to_be_visible()
    expect(page.locator("#time-fold summary")).to_be_focused()
    page.context.close()


@pytest.mark.slow
def test_two_people_end_their_game_together(browser, live_site):
    game, first, second = live_site.call(lay, Kind.DAYS, 86400, 86400)
    anna, beat = (opened(browser, live_site, game, token, viewport=PHONE) for token in (first, second))
    anna.goto(f"{live_site.url}/g/{game}/leave/")
    assert serious(anna) == []
    anna.get_by_role("button", name="Propose: the score stands as it is").click()
    expect(anna.locator("form[data-act='end']")).to_contain_text("You propose to end the game here")
    asked = beat.locator("form[data-act='end']")
    expect(asked).to_contain_text("Anna proposes to end the game here: the score stands as it is.")
    assert serious(beat) == []
    asked.get_by_role("button", name="Agree").click()
    for page in (anna, beat):
        expect(page.locator("#table")).to_have_attribute("data-status", "finished")
        page.context.close()


def test_who_still_looks_at_the_result_is_told_at_once_that_somebody_wants_to_play_again(browser, live_site):
    game, first, second = live_site.call(lay, Kind.DAYS, 86400, 86400)
    anna, beat = (opened(browser, live_site, game, token) for token in (first, second))
    anna.goto(f"{live_site.url}/g/{game}/leave/")
    anna.get_by_role("button", name="Propose: the game does not count").click()
    beat.locator("form[data-act='end']").get_by_role("button", name="Agree").press("Enter")
    expect(anna.get_by_role("button", name="Rematch")).to_be_visible()
    expect(beat.get_by_role("button", name="Rematch")).to_be_visible()
    result = beat.get_by_role("heading", name="The game ended early")
    expect(result).to_be_focused()  # one Enter too many opens no table
    anna.get_by_role("button", name="Rematch").click()
    anna.wait_for_url("**/t/**")
    told = beat.get_by_text("Anna would like to play again with you.")
    expect(told).to_be_visible(timeout=20_000)  # an open page asks by itself once a minute
    assert serious(beat) == []
    beat.get_by_role("button", name="Rematch").click()
    beat.wait_for_url(re.compile(rf"/[gt]/(?!{game})"))  # it begins, as all are there
    for page in (anna, beat):
        page.context.close()


def test_a_device_whose_clock_is_wrong_counts_down_by_the_clock_of_the_site(browser, live_site):
    game, first, second = live_site.call(lay, Kind.LIVE, 300, 600)
    lines = {}
    for token, ahead in ((first, timedelta(hours=-3)), (second, timedelta(hours=3))):
        page = opened(browser, live_site, "nowhere", token)
        page.clock.install(time=timezone.now() + ahead)
        page.goto(f"{live_site.url}/g/{game}/")
        wait_until_somebody_is_asked(page)
        page.wait_for_function(r"() => /\d:\d\d/.test(document.querySelector('.clock-line[data-until]')?.textContent)")
        lines[ahead] = page.locator(".clock-line").text_content()
        page.context.close()
    for line in lines.values():
        assert re.search(r"\b[56]:\d\d, then 10:00 in reserve", line)


def test_it_is_said_once_that_ones_own_time_is_running_out(browser, live_site):
    game, first, second = live_site.call(lay, Kind.LIVE, 300, 0)
    said = {}
    for token in (first, second):
        page = opened(browser, live_site, "nowhere", token)
        page.clock.install()
        page.goto(f"{live_site.url}/g/{game}/")
        wait_until_somebody_is_asked(page)
        line = page.locator(".clock-line")
        expect(line).to_contain_text(re.compile(r"\b[56]:\d\d"))
        own = line.get_attribute("data-name") is None
        low = page.locator("#said").get_by_text("Your time is running out: 0:")
        page.clock.fast_forward("04:00")
        expect(line).to_contain_text(re.compile(r"\b[12]:\d\d"))
        expect(low).to_have_count(0)
        while not re.search(r"\b0:[01]\d", line.inner_text()):
            page.clock.fast_forward("00:05")
        page.clock.run_for(2000)
        expect(low).to_have_count(1 if own else 0)
        said[own] = line.evaluate("(line) => getComputedStyle(line).color")
        page.context.close()
    assert said[True] != said[False]


def test_seconds_pass_on_a_live_table(browser, live_site):
    game, first, second = live_site.call(lay, Kind.LIVE, 300, 600)
    pages = [opened(browser, live_site, game, token) for token in (first, second)]
    number = wait_until_somebody_is_asked(pages[0])["number"]  # the computer players may act first
    for page in pages:
        expect(page.locator("#table")).to_have_attribute("data-number", str(number))
        page.locator(".clock-line[data-until]").wait_for()
    asked = [page for page in pages if not page.locator(".clock-line[data-name]").count()]
    others = [page for page in pages if page not in asked]
    assert [len(asked), len(others)] == [1, 1]
    assert others[0].locator(".clock-line").inner_text().startswith(("Anna: ", "Beat: "))
    line = asked[0].locator(".clock-line")
    before = line.text_content()
    expect(line).to_contain_text("then 10:00 in reserve")
    asked[0].wait_for_function("text => document.querySelector('.clock-line').textContent !== text", arg=before)
    for page in pages:
        page.context.close()
