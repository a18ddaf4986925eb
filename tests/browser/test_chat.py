"""Writing to each other in real browsers: live, without script, on a phone; notes that keep themselves."""

from __future__ import annotations

import re
import uuid
from datetime import timedelta
from typing import TYPE_CHECKING

import pytest
from django.utils import timezone
from playwright.sync_api import Route, expect

from accounts import permissions as account_permissions
from accounts import sessions
from accounts.models import Player, User
from games.chat.models import Message
from games.chat.selectors import SHOWN
from games.models import Game
from games.services import computers, play, timing
from tests.games import pace_kit
from tests.games.table_kit import rush
from tests.live import DESK, PHONE, held_back, press, serious, session_of

if TYPE_CHECKING:
    from playwright._impl._api_structures import SetCookieParam
    from playwright.sync_api import Browser, Page

    from tests.live import LiveSite

pytestmark = pytest.mark.browser


def somebody(name: str) -> tuple[Player, str]:
    """Somebody with an account of some age, and their session."""
    user = User.objects.create_user(f"{uuid.uuid4().hex}@example.org", "neun-und-dreissig")
    since = timezone.now() - timedelta(days=30)
    return Player.objects.create(user=user, name=name, bot_speed="at-once", created_at=since), session_of(user)


def lay(site: LiveSite, *, begun: bool = False) -> tuple[str, list[SetCookieParam]]:
    """A table of Anna and Beat with two computer players, and Clau who may watch: its public id, their cookies."""

    def made() -> tuple[str, list[str]]:
        people = [somebody(name) for name in ("Anna", "Beat", "Clau")]
        at_table = [player for player, _session in people[:2]]
        game = play.start("troccas", [*at_table, *computers.computer_players(2)])
        for player in at_table if begun else ():
            game.refresh_from_db()
            seat = game.seats.get(player=player).number
            play.ready(game.pk, seat, entropy="", expected=game.number, request_id=uuid.uuid4(), by=player)
        return game.public_id, [session for _player, session in people]

    game, sessions = site.call(made)
    return game, [{"name": "sessionid", "value": session, "url": site.url} for session in sessions]


def opened(browser: Browser, site: LiveSite, game: str, cookie: SetCookieParam | None, **how: object) -> Page:
    """The table as somebody sees it.

    Without a service worker: what goes out while one takes over the page is not told to who holds requests back (Playwright).
    """
    size = {"viewport": DESK} | how
    context = browser.new_context(locale="en-GB", reduced_motion="reduce", service_workers="block", **size)
    context.set_default_timeout(30_000)
    if cookie is not None:
        context.add_cookies([cookie])
    page = context.new_page()
    page.goto(f"{site.url}/g/{game}/")
    return page


def write(page: Page, text: str) -> None:
    """Type and send."""
    page.get_by_label("Your message").fill(text)
    page.get_by_role("button", name="Send", exact=True).click()


def test_a_message_appears_at_the_other_end_without_disturbing_what_is_typed_there(browser, live_site):
    game, (anna_key, beat_key, _clau) = lay(live_site)
    anna, beat = opened(browser, live_site, game, anna_key), opened(browser, live_site, game, beat_key, viewport=PHONE)
    expect(beat.locator("#chat")).to_contain_text("Nothing has been written yet.")
    beat.get_by_label("Your message").fill("halb getippt")
    write(anna, "Guten Abend <b>Beat</b> https://example.org")
    shown = beat.locator(".message-text")
    expect(shown).to_have_text("Guten Abend <b>Beat</b> https://example.org")
    expect(shown.locator("a, b")).to_have_count(0)
    expect(beat.get_by_label("Your message")).to_have_value("halb getippt")
    expect(anna.get_by_label("Your message")).to_have_value("")
    anna.locator(".chat-greetings summary").click()
    anna.get_by_role("button", name="Thank you").click()
    expect(beat.locator(".message-text")).to_have_count(2)
    for page in (anna, beat):
        assert not serious(page)
        page.context.close()


def test_what_is_typed_and_pressed_while_a_message_is_on_its_way_is_sent_after_it(browser, live_site):
    game, (anna_key, beat_key, _clau) = lay(live_site)
    anna, beat = opened(browser, live_site, game, anna_key), opened(browser, live_site, game, beat_key)
    beat.locator("#chat-agreed summary").click()
    beat.get_by_label("Propose to all: chat").select_option("open")
    beat.get_by_role("button", name="Propose", exact=True).click()
    agree = anna.get_by_role("button", name="Agree")
    expect(agree).to_be_visible()
    held: list[Route] = []
    slow = True
    anna.route("**/chat/", lambda way: held.append(way) if slow and way.request.method == "POST" else way.continue_())
    write(anna, "Guten Abend")
    first = held_back(anna, held)
    write(anna, "Gute Karten")
    anna.get_by_role("button", name="Send", exact=True).dblclick()
    agree.dblclick()
    anna.get_by_label("Your message").fill("Wer gi")
    slow = False
    first.continue_()
    for page in (anna, beat):
        expect(page.locator(".message-text")).to_have_text(["Guten Abend", "Gute Karten"])
        expect(page.locator("#chat")).to_contain_text("Agreed for the chat: at any time")
    expect(anna.get_by_label("Your message")).to_have_value("Wer gi")
    expect(anna.locator("#chat .refusal")).to_have_count(0)
    anna.get_by_label("Your message").fill("Wer gibt?")
    anna.get_by_label("Your message").press("Enter")
    expect(beat.locator(".message-text")).to_have_count(3)
    for page in (anna, beat):
        page.context.close()


def test_a_message_that_is_refused_stays_to_be_sent_with_what_was_typed_since(browser, live_site):
    game, (anna_key, beat_key, _clau) = lay(live_site)
    anna, beat = opened(browser, live_site, game, anna_key), opened(browser, live_site, game, beat_key)
    anna.locator("#chat-agreed summary").click()
    anna.get_by_label("Propose to all: chat").select_option("closed")
    anna.get_by_role("button", name="Propose", exact=True).click()
    agree = beat.get_by_role("button", name="Agree")
    expect(agree).to_be_visible()
    held: list[Route] = []
    anna.route("**/chat/", lambda way: way.continue_() if held else held.append(way))
    write(anna, "Bis morgen")
    late = held_back(anna, held)
    anna.get_by_label("Your message").press_sequentially("um acht")
    agree.click()
    expect(beat.locator("#chat")).to_contain_text("The chat is closed at this table.")
    late.continue_()
    expect(anna.locator("#chat .refusal")).to_contain_text("The chat is closed at this table.")
    expect(anna.get_by_label("Your message")).to_have_value("Bis morgen um acht")
    for page in (anna, beat):
        page.context.close()


@pytest.mark.slow
def test_who_signs_in_anew_in_another_tab_goes_on_here_and_nobody_else_does(whole_browser, live_site):
    game, (anna_key, beat_key, _clau) = lay(live_site)
    emails = live_site.call(lambda: dict(Player.objects.filter(computer="").values_list("name", "user__email")))
    anna, beat = opened(whole_browser, live_site, game, anna_key), opened(whole_browser, live_site, game, beat_key)

    def sign_in(email: str) -> None:
        other_tab = anna.context.new_page()
        other_tab.goto(f"{live_site.url}/en/account/logout/")
        press(other_tab.get_by_role("main").get_by_role("button", name="Sign out"))
        other_tab.goto(f"{live_site.url}/en/account/login/")
        other_tab.get_by_label("E-mail").fill(email)
        other_tab.get_by_label("Password").fill("neun-und-dreissig")
        press(other_tab.get_by_role("main").get_by_role("button", name="Sign in", exact=True))
        other_tab.close()

    sign_in(emails["Anna"])
    anna.locator("#notes summary").click()
    anna.get_by_label("About this game").fill("Beat redet viel")
    expect(anna.locator("#notes [data-note-state]").last).to_have_text("Kept")
    sign_in(emails["Anna"])
    write(anna, "Guten Abend")
    expect(beat.locator(".message-text")).to_have_text(["Guten Abend"])
    sign_in(emails["Beat"])
    with anna.expect_navigation():
        write(anna, "Das ist nicht Beat")
    expect(anna.locator(".message-text")).to_have_text(["Guten Abend"])
    for page in (anna, beat):
        page.context.close()


def test_the_way_to_earlier_messages_comes_with_the_message_that_makes_them_too_many(browser, live_site):
    game, (anna_key, _beat, _clau) = lay(live_site)

    def talk() -> None:
        table = Game.objects.get(public_id=game)
        author = table.seats.order_by("number").filter(player__computer="").first().player
        where = {"game": table, "channel": "table", "hand": 1, "number": 0, "at": timezone.now()}
        Message.objects.bulk_create(
            Message(pk=number, author=author, text=f"{number}", **where) for number in range(1, SHOWN + 1)
        )

    live_site.call(talk)
    anna = opened(browser, live_site, game, anna_key)
    earlier = anna.get_by_role("link", name="Earlier messages")
    expect(anna.locator(".message")).to_have_count(SHOWN)
    expect(earlier).to_have_count(0)
    write(anna, "Noch eine")
    expect(anna.locator(".message-text").last).to_have_text("Noch eine")
    expect(anna.locator(".message")).to_have_count(SHOWN)
    expect(earlier).to_be_visible()
    anna.context.close()


@pytest.mark.slow
def test_on_a_phone_the_mark_above_the_board_leads_to_the_chat_below_the_hand(browser, live_site):
    game, (anna_key, beat_key, _clau) = lay(live_site)
    anna, beat = opened(browser, live_site, game, anna_key), opened(browser, live_site, game, beat_key, viewport=PHONE)
    expect(beat.locator("#chat")).to_be_visible()
    write(anna, "Hallo")
    mark = beat.locator("[data-chat-mark]")
    expect(mark).to_contain_text("1")
    mark.click()
    expect(beat.locator(".message-text")).to_be_in_viewport()
    expect(mark).to_be_hidden()  # read
    beat.reload()
    expect(beat.locator("#chat")).to_contain_text("Hallo")
    expect(beat.locator("[data-chat-mark]")).to_be_hidden()
    for page in (anna, beat):
        page.context.close()


def test_what_is_written_during_a_hand_waits_until_it_is_over(browser, live_site):
    game, (anna_key, beat_key, _clau) = lay(live_site, begun=True)
    anna, beat = opened(browser, live_site, game, anna_key), opened(browser, live_site, game, beat_key)
    write(anna, "Gute Karten")
    expect(anna.locator(".message")).to_contain_text("The others read it when the hand is over.")
    anna.get_by_role("link", name="Leave the game").click()
    anna.locator("form[action$='/leave/'] button").click()
    expect(beat.locator(".message-text")).to_have_text("Gute Karten")
    for page in (anna, beat):
        page.context.close()


def test_what_has_been_written_stays_while_the_table_goes_on(browser, live_site):
    game, (anna_key, _beat, _clau) = lay(live_site, begun=True)
    anna = opened(browser, live_site, game, anna_key)
    write(anna, "Guten Abend")
    expect(anna.locator(".message-text")).to_have_text("Guten Abend")
    anna.route("**/chat/", lambda route: route.abort())  # it does not come again
    number = anna.locator("#table").get_attribute("data-number")
    live_site.call(lambda: rush(Game.objects.get(public_id=game)))
    anna.evaluate("htmx.trigger('#table', 'update')")
    anna.locator(f"#table:not([data-number='{number}'])").wait_for()
    expect(anna.locator(".message-text")).to_have_text("Guten Abend")
    expect(anna.get_by_label("Your message")).to_be_visible()
    anna.context.close()


def test_another_way_to_chat_is_proposed_in_one_browser_and_agreed_to_in_another(browser, live_site):
    game, (anna_key, beat_key, _clau) = lay(live_site)
    anna, beat = opened(browser, live_site, game, anna_key), opened(browser, live_site, game, beat_key)
    anna.locator("#chat-agreed summary").click()
    anna.get_by_label("Propose to all: chat").select_option("closed")
    anna.get_by_role("button", name="Propose", exact=True).click()
    told = beat.get_by_role("status").filter(has_text="Anna proposes for the chat: not at all.")
    expect(told.get_by_role("button", name="Agree")).to_have_accessible_description(re.compile("^Anna proposes"))
    beat.get_by_role("button", name="Agree").click()
    for page in (anna, beat):
        expect(page.locator("#chat")).to_contain_text("The chat is closed at this table.")
        expect(page.get_by_label("Your message")).to_have_count(0)
        assert not serious(page)
        page.context.close()


def test_who_mutes_somebody_by_keys_may_unmute_them_at_once(browser, live_site):
    game, (anna_key, beat_key, _clau) = lay(live_site)
    anna, beat = opened(browser, live_site, game, anna_key), opened(browser, live_site, game, beat_key)
    write(anna, "Guten Abend")
    expect(beat.locator(".message-text")).to_have_count(1)
    beat.locator("#chat-agreed summary").press("Enter")
    beat.get_by_role("button", name="Mute Anna", exact=True).press("Enter")
    expect(beat.get_by_role("button", name="Unmute Anna")).to_be_focused()
    beat.keyboard.press("Enter")
    expect(beat.get_by_role("button", name="Mute Anna", exact=True)).to_be_focused()
    for page in (anna, beat):
        page.context.close()


def test_those_who_watch_write_to_each_other_and_strangers_see_nothing(browser, live_site):
    game, (anna_key, _beat, clau_key) = lay(live_site)
    clau = opened(browser, live_site, game, clau_key)
    write(clau, "Ich schaue zu")
    expect(clau.locator(".message-text")).to_have_text("Ich schaue zu")
    assert not serious(clau)
    for cookie in (anna_key, None):
        page = opened(browser, live_site, game, cookie)
        expect(page.locator("#table")).to_be_visible()
        expect(page.get_by_text("Ich schaue zu")).to_have_count(0)
        page.context.close()
    clau.context.close()


@pytest.mark.slow
def test_everything_works_without_script(browser, live_site):
    game, (anna_key, beat_key, _clau) = lay(live_site)
    how = {"java_script_enabled": False, "viewport": PHONE}
    anna, beat = opened(browser, live_site, game, anna_key, **how), opened(browser, live_site, game, beat_key, **how)
    write(anna, "ohne Skript")
    expect(anna.locator(".message-text")).to_have_text("ohne Skript")
    write(anna, "  ")
    expect(anna.get_by_role("alert")).to_contain_text("There is nothing to send yet.")
    beat.reload()
    expect(beat.locator("[data-chat-mark]")).to_contain_text("1")
    beat.locator("#chat-agreed summary").click()
    beat.get_by_role("button", name="Mute Anna").click()
    expect(beat.locator(".message")).to_contain_text("You have muted this person.")
    expect(beat.get_by_text("ohne Skript")).to_have_count(0)
    beat.locator("#notes summary").click()
    beat.get_by_label("About this game").fill("Anna schreibt viel")
    beat.locator("#notes form").filter(has=beat.get_by_label("About this game")).get_by_role("button").click()
    beat.locator("#notes summary").click()
    expect(beat.get_by_label("About this game")).to_have_value("Anna schreibt viel")
    for page in (anna, beat):
        page.context.close()


@pytest.mark.slow
def test_notes_keep_themselves_and_move_on_with_the_hand(browser, live_site):
    game, (anna_key, beat_key, _clau) = lay(live_site)
    anna = opened(browser, live_site, game, anna_key)
    anna.locator("#notes summary").click()
    anna.get_by_label("Hand 1, before the play").fill("wer redet viel?")
    expect(anna.locator("#notes [data-note-here] [data-note-state]")).to_have_text("Kept")
    anna.reload()
    anna.locator("#notes summary").click()
    expect(anna.get_by_label("Hand 1, before the play")).to_have_value("wer redet viel?")
    # The table moves on, and comes back: each trick has a note of its own.
    expect(anna.locator("#table")).to_have_attribute("data-trick", "0")
    for trick, label, text in (("2", "Hand 1, trick 2", ""), ("0", "Hand 1, before the play", "wer redet viel?")):
        anna.evaluate(_MOVE_ON, trick)
        expect(anna.get_by_label(label)).to_have_value(text)
    # An answer that comes when the table has moved on again changes nothing.
    held: list[Route] = []
    anna.route("**/notes/?*trick=2", lambda route: held.append(route))
    anna.evaluate(_MOVE_ON, "2")
    late = held_back(anna, held)
    anna.evaluate(_MOVE_ON, "0")
    with anna.expect_event("requestfinished", lambda asked: "trick=2" in asked.url):
        late.continue_()
    anna.wait_for_timeout(100)  # for what the page would have done with it
    expect(anna.get_by_label("Hand 1, before the play")).to_have_value("wer redet viel?")
    # A refusal is no note: the one in the field stays, and would be written over otherwise.
    anna.unroute("**/notes/?*trick=2")
    anna.route("**/notes/?*trick=2", lambda route: route.fulfill(status=403, json={"refusal": "No."}))
    with anna.expect_event("requestfinished", lambda asked: "trick=2" in asked.url):
        anna.evaluate(_MOVE_ON, "2")
    anna.wait_for_timeout(100)
    expect(anna.get_by_label("Hand 1, before the play")).to_have_value("wer redet viel?")
    anna.evaluate(_MOVE_ON, "0")
    # Two texts on their way: the later one is sent when the first has arrived.
    first: list[Route] = []
    anna.route("**/notes/", lambda route: first.append(route))
    anna.get_by_label("Hand 1, before the play").fill("Beat")
    with anna.expect_request(lambda asked: asked.method == "POST"):
        anna.get_by_label("Hand 1, before the play").blur()
    anna.get_by_label("Hand 1, before the play").fill("Beat redet viel")
    anna.get_by_label("Hand 1, before the play").blur()
    held_back(anna, first)
    anna.wait_for_timeout(200)
    assert len(first) == 1
    first[0].continue_()
    held_back(anna, first, 1).continue_()
    expect(anna.locator("#notes [data-note-here] [data-note-state]")).to_have_text("Kept")
    anna.unroute("**/notes/")
    anna.get_by_label("Hand 1, before the play").fill("wer redet viel?")
    expect(anna.locator("#notes [data-note-here] [data-note-state]")).to_have_text("Kept")
    anna.goto(f"{live_site.url}/g/{game}/notes/")
    expect(anna.locator("textarea")).to_have_value("wer redet viel?")
    assert not serious(anna)
    beat = opened(browser, live_site, game, beat_key)
    beat.locator("#notes summary").click()
    expect(beat.get_by_label("Hand 1, before the play")).to_have_value("")
    for page in (anna, beat):
        page.context.close()


@pytest.mark.slow
def test_a_note_written_in_two_windows_keeps_both_texts(browser, live_site):
    game, (anna_key, _beat, _clau) = lay(live_site)
    first = opened(browser, live_site, game, anna_key)
    second = opened(browser, live_site, game, anna_key)
    for page in (first, second):
        page.locator("#notes summary").click()
    kept = "#notes [data-note-here] [data-note-state]"
    first.get_by_label("Hand 1, before the play").fill("wer redet viel?")
    expect(first.locator(kept)).to_have_text("Kept")
    field = second.get_by_label("Hand 1, before the play")
    field.press_sequentially("Beat")
    expect(second.locator(kept)).to_have_text(re.compile("^In another window you have changed this note"))
    expect(field).to_have_value("wer redet viel?\n\nBeat")
    field.press_sequentially(" redet")  # the caret has stayed where it was
    expect(second.locator(kept)).to_have_text("Kept")
    # What was kept although its answer was lost is no text of another window.
    second.route("**/notes/", lambda route: (route.fetch(), route.abort()))
    field.press_sequentially(" viel")
    expect(second.locator(kept)).to_have_text(re.compile("^Not kept yet"))
    second.unroute("**/notes/")
    field.press_sequentially(".")
    expect(second.locator(kept)).to_have_text("Kept")
    second.goto(f"{live_site.url}/g/{game}/notes/")
    expect(second.locator("textarea")).to_have_value("wer redet viel?\n\nBeat redet viel.")
    for page in (first, second):
        page.context.close()


def test_a_note_that_moves_on_is_called_by_the_number_of_the_hand(browser, live_site):
    def laid() -> tuple[str, str]:
        """A table whose first deal was thrown in, in the second."""
        players = pace_kit.people(4)
        game = pace_kit.table(players, options={"throw_in": True})
        rush(game)
        game = pace_kit.fresh(game)
        game.hands.update(status="thrown-in")  # by the cards it would be so seldom
        timing.begin(game.pk, expected=game.number, now=timezone.now() + timedelta(hours=1))
        return game.public_id, sessions.issue_guest_token(players[0])

    game, token = live_site.call(laid)
    anna = opened(browser, live_site, game, {"name": "guest", "value": token, "url": live_site.url})
    anna.locator("#notes summary").click()
    expect(anna.get_by_label("Hand 1, before the play")).to_be_visible()
    anna.evaluate(_MOVE_ON, "2")
    expect(anna.get_by_label("Hand 1, trick 2")).to_be_visible()
    anna.context.close()


@pytest.mark.slow
def test_a_message_is_reported_and_a_moderator_removes_it(browser, live_site):
    game, (anna_key, beat_key, clau_key) = lay(live_site)
    live_site.call(
        lambda: account_permissions.grant(
            Player.objects.filter(name="Clau").order_by("-pk")[0], account_permissions.MODERATOR
        )
    )
    anna, beat = opened(browser, live_site, game, anna_key), opened(browser, live_site, game, beat_key)
    write(beat, "böse Worte")
    anna.get_by_role("link", name="Report this message from Beat").click()
    anna.get_by_label("insults or threats").check()
    assert not serious(anna)
    anna.get_by_role("button", name="Send", exact=True).click()
    expect(anna.get_by_text("The moderators will look at it.")).to_be_visible()
    clau = opened(browser, live_site, game, clau_key)
    clau.goto(f"{live_site.url}/en/reports/")
    clau.get_by_role("link", name="Act on this message").last.click()
    expect(clau.locator("[data-reported]")).to_contain_text("böse Worte")
    assert not serious(clau)
    clau.get_by_label("Reason, for everybody to read").fill("Beleidigung")
    clau.get_by_role("button", name="Remove the message").click()
    expect(clau.get_by_role("button", name="Put it back")).to_be_visible()
    for page in (anna, beat):
        expect(page.locator(".message")).to_contain_text("Removed by a moderator: Beleidigung")
    beat.get_by_role("link", name="Ask for another look").click()
    expect(beat.get_by_text("böse Worte")).to_be_visible()
    assert not serious(beat)
    for page in (anna, beat, clau):
        page.context.close()


_MOVE_ON = """trick => {
    document.getElementById("table").dataset.trick = trick;
    document.getElementById("table").dispatchEvent(new Event("live:shown"));
}"""
