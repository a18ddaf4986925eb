"""The desk without a network, in a real browser: taps and slips wait and arrive once, and the evening's file is at hand."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from accounts.models import Player
from clubs.models import Member
from domain.tournament.scoring import ranking
from tests.live import DESK, PHONE, serious, session_of, wait_until
from tests.tournaments.services.kit import Night, member_player
from tournaments.handover import files
from tournaments.models import Tournament, TournamentEvent
from tournaments.selectors import state_of

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

    from tests.live import LiveSite, Sites

pytestmark = pytest.mark.browser
KEPT = "path => caches.match(path, {cacheName: 'hall-pages', ignoreVary: true}).then(Boolean)"


def evening() -> tuple[str, str]:
    """A tournament whose first round is out, and two people who are still expected; its id, and its director's session."""
    night = Night.at(8, rules={"rounds": 3, "deals": 2})
    for _late in range(2):
        night.do("entrant.added", members=[night.person().public_id])
    night.begin()
    night.draw()
    return night.tournament.public_id, session_of(night.director.user)


def happened(public_id: str) -> tuple[Counter[str], int, list[str]]:
    """What the log says, by kind; how many people the club has; and who is here."""
    tournament = Tournament.objects.get(public_id=public_id)
    kinds = Counter(TournamentEvent.objects.filter(tournament=tournament).values_list("kind", flat=True))
    here = [each.id for each in state_of(tournament).entrants.values() if each.status == "here"]
    return kinds, Member.objects.filter(club=tournament.club).count(), here


@pytest.mark.slow
def test_desk_without_a_network_loses_nothing_and_doubles_nothing(
    page: Page, live_site: LiveSite, tmp_path: Path
) -> None:
    public_id, session = live_site.call(evening)
    page.context.add_cookies([{"name": "sessionid", "value": session, "url": live_site.url}])
    page.set_viewport_size(PHONE)
    desk = f"{live_site.url}/e/{public_id}/"

    # The page of the file: it keeps the evening by itself, and is sound.
    page.goto(desk + "file/")
    expect(page.locator("#kept-files")).to_contain_text("Round 1 is published")
    assert serious(page) == []
    wait_until(page, KEPT, f"/e/{public_id}/file/")
    page.goto(desk + "rounds/1.1/slips/")
    wait_until(page, KEPT, f"/e/{public_id}/rounds/1.1/slips/")
    page.goto(desk + "people/")
    wait_until(page, KEPT, f"/e/{public_id}/people/")
    wait_until(page, "navigator.serviceWorker.controller !== null")
    before, people, here = live_site.call(happened, public_id)

    page.context.set_offline(True)
    waits = page.locator("#desk-queue [data-line]")
    page.get_by_label("Find a name").fill("name9")
    expect(page.locator(".door-list [data-row]:visible")).to_have_count(1)
    page.get_by_role("button", name="Vorname9 Nachname9 expected").click()
    expect(page.locator(".door-list [data-row]:visible")).to_have_count(10)
    expect(waits).to_contain_text("1 entry waits in this browser")
    expect(page.locator("li", has_text="Vorname9")).to_contain_text("waits to be sent")
    page.get_by_label("First name").fill("Nova")
    page.get_by_label("Last name").fill("Vegnida")
    page.get_by_role("button", name="Here, 10.– paid", exact=True).click()
    expect(waits).to_contain_text("2 entries wait in this browser")
    expect(waits).to_contain_text("Nova Vegnida, paid")
    assert serious(page) == []
    page.goto(desk + "rounds/1.1/slips/")  # opens without a network
    row = page.locator("#slip-1")
    row.locator("input[name^=s]").nth(0).fill("80")
    row.locator("input[name^=s]").nth(1).fill("64")
    row.get_by_role("button", name="Save").click()
    expect(waits).to_contain_text("3 entries wait in this browser")
    expect(row).to_contain_text("waits to be sent")
    expect(page.locator("#slip-2 input[name^=s]").nth(0)).to_be_focused()
    page.goto(desk + "file/")
    with page.expect_download() as download:
        page.locator("#kept-files a").first.click()
    kept = tmp_path / "evening.json"
    download.value.save_as(kept)
    assert files.read(kept.read_bytes()).public_id == public_id
    assert json.loads(kept.read_text())["head"]["round"] == "1.1"
    assert live_site.call(happened, public_id) == (before, people, here)

    page.goto(desk + "people/")
    expect(waits).to_contain_text("3 entries wait in this browser")
    page.context.set_offline(False)
    page.evaluate("window.dispatchEvent(new Event('online'))")
    expect(page.locator("#desk-queue")).to_be_hidden()
    expect(page.locator("li", has_text="Nova Vegnida").locator(".money")).to_contain_text("10.– ✓")
    expect(page.locator("li", has_text="Vorname9")).to_contain_text("here")
    after, people_then, here_then = live_site.call(happened, public_id)
    assert after - before == {"money.entered": 2, "entrant.arrived": 1, "entrant.added": 1, "table.settled": 1}
    assert people_then == people + 1
    assert here_then == [*here, "e9", "e11"]
    page.set_viewport_size(DESK)
    page.emulate_media(color_scheme="dark")
    page.goto(desk + "file/")
    assert serious(page) == []

    # A slip that somebody else has typed meanwhile: the page shows what counts, and does not offer to send its own for ever.
    assert page.context.browser is not None
    other = page.context.browser.new_context()
    other.add_cookies([{"name": "sessionid", "value": session, "url": live_site.url}])
    second = other.new_page()
    for at in (page, second):
        at.goto(desk + "rounds/1.1/slips/")
    page.context.set_offline(True)
    for at, points in ((page, ("80", "64")), (second, ("74", "70"))):
        row = at.locator("#slip-2")
        for number, typed in enumerate(points):
            row.locator("input[name^=s]").nth(number).fill(typed)
        row.get_by_role("button", name="Save").click()
    expect(page.locator("#slip-2 h2")).to_contain_text("waits to be sent: 80 : 64")
    expect(second.locator("#slip-2 .result")).to_contain_text("74")
    other.close()
    page.context.set_offline(False)
    page.evaluate("window.dispatchEvent(new Event('online'))")
    refused = page.locator("#desk-queue [data-refused]")
    expect(refused).to_contain_text("Something has happened in the meantime")
    expect(page.locator("#slip-2 .result")).to_contain_text("74")
    expect(refused.get_by_role("button", name="Send it again")).to_be_hidden()
    refused.get_by_role("button", name="Throw it away").click()
    expect(page.locator("#desk-queue")).to_be_hidden()


def in_round_three() -> tuple[str, str]:
    """A tournament in its third round, of which one table has written; its id, and its director's session."""
    night = Night.at(8, rules={"rounds": 3, "deals": 2})
    night.begin()
    for key in ("1.1", "1.2"):
        night.draw()
        night.play_round(key)
    night.draw()
    night.write("1.3.1")
    return night.tournament.public_id, session_of(night.director.user)


def somebody() -> str:
    """The session of somebody with an account."""
    return session_of(member_player("Laptop").user)


def finish(public_id: str) -> list[tuple[int, str]]:
    """Round three is played to its end, and the tournament closed; the ranking."""
    tournament = Tournament.objects.select_related("club").get(public_id=public_id)
    night = Night(tournament.club, tournament, Player.objects.get(name="Laptop"))
    night.do("table.handed-in", table="1.3.1", place=0)
    night.do("table.confirmed", table="1.3.1", place=night.table("1.3.1").sides[1][0])
    night.play("1.3.2", 50, 22)
    night.do("round.closed", round="1.3")
    night.do("tournament.closed", despite="it was late")
    return standing(public_id)


def standing(public_id: str) -> list[tuple[int, str]]:
    """Everybody's rank."""
    state = state_of(Tournament.objects.get(public_id=public_id))
    return [(place.rank, place.row.entrant) for place in ranking(state)[0]]


@pytest.mark.slow
def test_server_that_dies_in_round_three_gets_the_end_of_the_evening_back(
    browser: Browser, sites: Sites, tmp_path: Path
) -> None:
    first, laptop = sites.start(), sites.start()
    public_id, session = first.call(in_round_three)
    desk = browser.new_context(locale="en-GB", viewport=DESK).new_page()
    desk.context.add_cookies([{"name": "sessionid", "value": session, "url": first.url}])
    page = f"{first.url}/e/{public_id}/file/"
    desk.goto(page)
    expect(desk.locator("#kept-files")).to_contain_text("Round 3 is published")
    wait_until(desk, KEPT, f"/e/{public_id}/file/")
    wait_until(desk, "navigator.serviceWorker.controller !== null")
    first.kill()
    desk.reload()  # the page opens without its server
    with desk.expect_download() as kept:
        desk.locator("#kept-files a").first.click()
    kept.value.save_as(tmp_path / "kept.json")

    there = browser.new_context(locale="en-GB", viewport=DESK).new_page()
    there.context.add_cookies([{"name": "sessionid", "value": laptop.call(somebody), "url": laptop.url}])
    there.goto(f"{laptop.url}/evening/from-file/")
    assert serious(there) == []
    there.get_by_label("File of the evening").set_input_files(tmp_path / "kept.json")
    there.get_by_role("button", name="Open the file").click()
    expect(there.get_by_text("This evening continues here: it was opened")).to_be_visible()
    end = laptop.call(finish, public_id)
    there.reload()
    there.get_by_role("button", name="Hand the evening over").click()
    expect(there.get_by_text("This evening has been run on another computer since")).to_be_visible()
    with there.expect_download() as back:
        there.get_by_role("link", name="Save the evening as a file").click()
    back.value.save_as(tmp_path / "back.json")

    first.restart()
    desk.goto(page)
    desk.get_by_label("File of the evening").set_input_files(tmp_path / "back.json")
    desk.get_by_role("button", name="Open the file").click()
    expect(desk.get_by_text("of its log were taken over.")).to_be_visible()
    assert first.call(standing, public_id) == end
    desk.goto(f"{first.url}/e/{public_id}/standings/")
    expect(desk.get_by_role("main")).to_contain_text("over")
    desk.context.close()
    there.context.close()
    for site in (first, laptop):
        sites.close(site)
