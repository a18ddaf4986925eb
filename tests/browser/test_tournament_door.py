"""The door of a tournament in a real browser: two helpers at once, one tap each, a name that is new, a mistaken tap."""

from __future__ import annotations

import re
import uuid
from datetime import timedelta
from typing import TYPE_CHECKING, Final

import pytest
from django.db.models import F
from django.utils import timezone
from playwright.sync_api import expect

from accounts.models import Player, Session, User
from clubs.models import Club, HouseRulesVersion, Member
from domain.standings.profile import HouseRules, to_plain
from domain.tournament.payload import Plain
from tests.live import DESK, PHONE, held_back, serious, session_of
from tournaments import permissions as tournaments_permissions
from tournaments.models import Tournament, TournamentEvent
from tournaments.registration.selectors import UNDO_SECONDS
from tournaments.selectors import state_of
from tournaments.services import codes, draws, log

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page, Route

    from tests.live import LiveSite

pytestmark = pytest.mark.browser


def made() -> tuple[str, str]:
    """A tournament with three who have entered and one more in the list; its id, and the code of its door."""
    user = User.objects.create_user(email=f"{uuid.uuid4().hex}@example.org", password="sontga-onna")
    dora = Player.objects.create(user=user, name="Dora")
    club = Club.objects.create(slug=f"cuera-{uuid.uuid4().hex[:8]}", name="Troccas Cuera", created_by=dora)
    HouseRulesVersion.objects.create(club=club, version=1, data=to_plain(HouseRules()))
    Member.objects.create(club=club, player=dora, first_name="Dora", last_name="Director", role="president")
    starts = timezone.now() + timedelta(hours=2)
    tournament = Tournament.objects.create(club=club, name="Sera da troccas", starts=starts)
    by = tournaments_permissions.director(dora)
    planned: dict[str, Plain] = {"plan": {"odd": ["three", "five"]}, "fee": 1000}
    log.act(tournament.pk, [("tournament.planned", planned)], by=by, request_id=uuid.uuid4())
    names = [("Maria", "Cadruvi"), ("Gion", "Derungs"), ("Ursulina", "Solèr"), ("Beat", "Tuor")]
    people = [Member.objects.create(club=club, first_name=first, last_name=last) for first, last in names]
    for each in people[:3]:
        log.act(tournament.pk, [("entrant.added", {"members": [each.public_id]})], by=by, request_id=uuid.uuid4())
    draws.open_tournament(tournament, by=by, request_id=uuid.uuid4())
    tournament.refresh_from_db()
    return tournament.public_id, codes.hall_code(tournament, state_of(tournament), "door")


def lay(site: LiveSite) -> str:
    """The address of a tournament's door for helpers."""
    tournament, code = site.call(made)
    return f"{site.url}/e/{tournament}/door/{code}/"


def here(page: Page, text: str) -> None:
    """The page counts so many."""
    expect(page.locator(".figures dd").first).to_have_text(text)


def test_two_helpers_mark_who_comes_and_see_each_other(page: Page, browser: Browser, live_site: LiveSite) -> None:
    address = lay(live_site)
    page.set_viewport_size(PHONE)
    page.goto(address)
    assert serious(page) == []
    other = browser.new_context(viewport=DESK, locale="en-GB").new_page()
    other.goto(address)
    assert serious(other) == []

    page.get_by_role("button", name="Maria Cadruvi: here, not paid yet").click()
    here(page, "1 / 3")
    here(other, "1 / 3")  # told by the bell
    other.get_by_role("button", name="Maria Cadruvi: 10.– paid").click()
    expect(page.locator("li", has_text="Maria Cadruvi").locator(".money")).to_contain_text("10.– ✓")

    # A mistaken tap goes back with another one.
    page.get_by_role("button", name="Gion Derungs expected").click()
    here(other, "2 / 3")
    page.get_by_role("button", name="Gion Derungs here").click()
    here(other, "1 / 3")

    # Somebody of the club's list who had not entered: two letters and a tap.
    other.get_by_label("Find a name").fill("tu")
    other.get_by_role("button", name="Beat Tuor enters and is here").click()
    here(page, "2 / 4")

    # Somebody new: what was looked for stands in the form, one tap does the rest.
    page.get_by_label("Find a name").fill("Zita Nova")
    expect(page.get_by_label("Last name")).to_have_value("Nova")
    page.get_by_role("button", name="Here, 10.– paid", exact=True).click()
    here(other, "3 / 5")
    expect(page.get_by_label("Find a name")).to_have_value("")
    expect(page.locator("li", has_text="Zita Nova").locator(".money")).to_contain_text("10.– ✓")
    assert page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth") <= 0
    assert serious(page) == []


def test_what_is_under_way_is_not_lost_when_the_bell_renews_the_list_first(
    page: Page, browser: Browser, live_site: LiveSite
) -> None:
    address = lay(live_site)
    page.goto(address)
    other = browser.new_context(viewport=DESK, locale="en-GB").new_page()
    other.goto(address)
    under_way: list[Route] = []

    def hold_two(route: Route) -> None:
        if route.request.method == "POST" and len(under_way) < 2:
            under_way.append(route)
        else:
            route.continue_()

    page.route("**/door/**", hold_two)

    # It is written, and the list is renewed before the answer comes.
    page.get_by_label("Find a name").fill("Zita Nova")
    expect(page.get_by_label("Last name")).to_have_value("Nova")
    page.get_by_role("button", name="Here, 10.– paid", exact=True).click()
    written = held_back(page, under_way)
    answer = written.fetch()
    here(page, "1 / 4")
    written.fulfill(response=answer)
    expect(page.get_by_label("Find a name")).to_have_value("")
    assert page.locator("#door #door").count() == 0  # the answer was put in place part by part, like any other
    expect(page.locator(".door-list li", has_text="Gion Derungs")).to_have_count(1)

    # The connection breaks after the list was renewed: the entry waits in this browser and is sent by itself.
    page.get_by_label("Find a name").fill("Mina Nova")
    expect(page.get_by_label("First name")).to_have_value("Mina")
    page.get_by_role("button", name="Here, 10.– paid", exact=True).click()
    broken = held_back(page, under_way, 1)
    other.get_by_role("button", name="Maria Cadruvi: here, not paid yet").click()
    here(page, "2 / 4")
    broken.abort()
    here(page, "3 / 5")
    expect(page.locator(".door-list li", has_text="Mina Nova").locator(".money")).to_contain_text("10.– ✓")


def test_the_search_is_empty_again_after_each_tap_and_enter_takes_the_only_one(page: Page, live_site: LiveSite) -> None:
    page.goto(lay(live_site))
    search = page.get_by_label("Find a name")
    search.fill("mari")
    page.get_by_role("button", name="Maria Cadruvi expected").click()
    expect(page.locator("li", has_text="Maria Cadruvi").locator(".money")).to_contain_text("10.– ✓")
    here(page, "1 / 3")
    expect(search).to_have_value("")
    expect(search).to_be_focused()
    page.keyboard.type("derungs")
    page.keyboard.press("Enter")
    here(page, "2 / 3")
    expect(search).to_have_value("")
    page.keyboard.type("tuor")  # not entered yet, but in the list
    page.keyboard.press("Enter")
    here(page, "3 / 4")
    expect(search).to_have_value("")
    page.keyboard.type("cadruvi")  # here already: Enter sends nobody home
    page.keyboard.press("Enter")
    expect(page.locator(".door-list li[data-row]")).to_have_count(1)
    expect(search).to_have_value("cadruvi")
    here(page, "3 / 4")


def test_without_network_a_tap_that_cannot_wait_says_that_there_was_no_answer(page: Page, live_site: LiveSite) -> None:
    page.goto(lay(live_site))
    page.get_by_role("button", name="Maria Cadruvi expected").click()
    here(page, "1 / 3")
    page.context.set_offline(True)
    page.get_by_role("button", name="Maria Cadruvi here").click()  # a mistake: that is the site's to judge
    expect(page.get_by_role("alert")).to_have_text(
        "No answer, so perhaps nothing was written. Once the connection is back, look at the list before you try again."
    )
    page.context.set_offline(False)
    page.get_by_role("button", name="Maria Cadruvi here").click()
    here(page, "0 / 3")


def holding(page: Page, where: str, method: str) -> list[Route]:
    """The requests of this kind that the page sends from now on: each waits until the test lets it go."""
    held: list[Route] = []
    page.route(where, lambda way: held.append(way) if way.request.method == method else way.fallback())
    return held


def test_the_next_name_is_typed_while_the_tap_before_is_on_its_way(page: Page, live_site: LiveSite) -> None:
    page.goto(lay(live_site))
    held = holding(page, "**/door/**", "POST")
    search = page.get_by_label("Find a name")
    search.fill("mari")
    expect(page.locator(".door-list li[data-row]")).to_have_count(1)
    page.get_by_role("button", name="Maria Cadruvi expected").click()
    tapped = held_back(page, held)
    search.fill("deru")
    expect(page.get_by_role("button", name="Gion Derungs expected")).to_be_visible()
    tapped.continue_()
    here(page, "1 / 3")
    expect(page.locator(".door-list li", has_text="Maria Cadruvi")).to_have_count(0)
    expect(page.get_by_role("button", name="Gion Derungs expected")).to_be_visible()
    expect(search).to_have_value("deru")
    page.get_by_role("button", name="Gion Derungs expected").click()
    held_back(page, held, 1).continue_()
    here(page, "2 / 3")
    expect(search).to_have_value("")


def at_the_desk() -> tuple[str, str]:
    """The list of a tournament as its secretary opens it: its address, and their session."""
    tournament, _code = made()
    director = Tournament.objects.get(public_id=tournament).club.created_by
    assert director is not None
    assert director.user is not None
    return f"/e/{tournament}/people/", session_of(director.user)


def test_who_was_tapped_just_before_everybody_is_seated_has_a_seat(page: Page, live_site: LiveSite) -> None:
    address, session = live_site.call(at_the_desk)
    page.context.add_cookies([{"name": "sessionid", "value": session, "url": live_site.url}])
    page.goto(live_site.url + address)
    for number, name in enumerate(("Maria Cadruvi", "Gion Derungs"), 1):
        page.get_by_role("button", name=f"{name} expected").click()
        here(page, f"{number} / 3")
    held: list[Route] = []
    page.route("**/people/**", lambda route: held.append(route), times=1)
    page.get_by_role("button", name="Ursulina Solèr expected").click()
    tapped = held_back(page, held)
    page.get_by_role("button", name="Seat everybody for round 1").click()
    tapped.continue_()
    expect(page.get_by_text("Round 1 is drawn and published.")).to_be_visible()
    expect(page.locator("main")).to_contain_text("Ursulina Solèr")


def test_who_is_written_in_just_before_everybody_is_seated_has_a_seat(page: Page, live_site: LiveSite) -> None:
    address, session = live_site.call(at_the_desk)
    page.context.add_cookies([{"name": "sessionid", "value": session, "url": live_site.url}])
    page.goto(live_site.url + address)
    for number, name in enumerate(("Maria Cadruvi", "Gion Derungs"), 1):
        page.get_by_role("button", name=f"{name} expected").click()
        here(page, f"{number} / 3")
    held: list[Route] = []
    page.route("**/people/**", lambda route: held.append(route), times=1)
    page.get_by_label("First name").fill("Zita")
    page.get_by_label("Last name").fill("Nova")
    page.get_by_role("button", name="Here, 10.– paid", exact=True).click()
    written = held_back(page, held)
    page.get_by_role("button", name="Seat everybody for round 1").click()
    written.continue_()
    expect(page.get_by_text("Round 1 is drawn and published.")).to_be_visible()
    expect(page.locator("main")).to_contain_text("Zita Nova")


def test_everybody_is_seated_only_once_what_waits_in_this_browser_is_sent(page: Page, live_site: LiveSite) -> None:
    address, session = live_site.call(at_the_desk)
    page.context.add_cookies([{"name": "sessionid", "value": session, "url": live_site.url}])
    page.goto(live_site.url + address)
    for number, name in enumerate(("Maria Cadruvi", "Gion Derungs"), 1):
        page.get_by_role("button", name=f"{name} expected").click()
        here(page, f"{number} / 3")
    page.route("**/people/**", lambda way: way.abort() if way.request.method == "POST" else way.fallback())
    page.get_by_role("button", name="Ursulina Solèr expected").click()
    expect(page.locator("#desk-queue")).to_contain_text("Ursulina Solèr")
    page.get_by_role("button", name="Seat everybody for round 1").click()
    expect(page.get_by_role("alert")).to_have_text(
        "Entries still wait in this browser to be sent. Seat everybody once they are sent."
    )
    page.unroute("**/people/**")
    page.evaluate("dispatchEvent(new Event('online'))")  # the network is back: it is sent at once
    here(page, "3 / 3")
    page.get_by_role("button", name="Seat everybody for round 1").click()
    expect(page.locator("main")).to_contain_text("Ursulina Solèr")
    expect(page.get_by_text("Round 1 is drawn and published.")).to_be_visible()


def test_a_double_tap_is_one_tap(page: Page, live_site: LiveSite) -> None:
    page.goto(lay(live_site))
    held = holding(page, "**/door/**", "POST")
    page.get_by_role("button", name="Maria Cadruvi expected").dblclick()
    held_back(page, held).continue_()
    here(page, "1 / 3")
    page.get_by_role("button", name="Gion Derungs expected").click()
    held_back(page, held, 1).continue_()
    here(page, "2 / 3")
    assert len(held) == 2
    expect(page.locator('[data-part="refusal"] [role="alert"]')).to_have_count(0)


def test_a_late_answer_does_not_put_another_list_under_what_is_looked_for(page: Page, live_site: LiveSite) -> None:
    page.goto(lay(live_site))
    held = holding(page, re.compile("q=&"), "GET")
    page.evaluate("htmx.trigger('#door', 'update')")
    before = held_back(page, held)
    page.get_by_label("Find a name").fill("tu")
    expect(page.get_by_role("button", name="Beat Tuor enters and is here")).to_be_visible()
    with page.expect_response(re.compile("q=tu"), timeout=30_000):  # after a minute the page asks by itself
        before.continue_()
    expect(page.get_by_role("button", name="Beat Tuor enters and is here")).to_be_visible()
    expect(page.locator(".door-list li", has_text="Maria Cadruvi")).to_have_count(0)


def test_two_taps_that_ask_first_are_both_asked(page: Page, live_site: LiveSite) -> None:
    page.goto(lay(live_site))
    for number, name in enumerate(("Maria Cadruvi", "Gion Derungs"), 1):
        page.get_by_role("button", name=f"{name}: here, not paid yet").click()
        here(page, f"{number} / 3")
    # As if it had been longer ago: until then another tap takes it back.
    earlier = F("at") - timedelta(seconds=UNDO_SECONDS + 1)
    live_site.call(lambda: TournamentEvent.objects.update(at=earlier))
    held = holding(page, "**/door/**", "POST")
    question = page.locator("#question")
    page.get_by_role("button", name="Maria Cadruvi here").click()
    first = held_back(page, held)
    page.get_by_role("button", name="Gion Derungs here").click()
    first.continue_()
    expect(question).to_contain_text("Maria Cadruvi")
    held_back(page, held, 1).continue_()
    page.unroute("**/door/**")
    page.wait_for_load_state("networkidle")
    for name in ("Maria Cadruvi", "Gion Derungs"):
        expect(question).to_contain_text(name)
        question.get_by_role("button", name="Not here").click()
    here(page, "0 / 3")
    expect(question).to_be_hidden()


def test_the_question_about_somebody_new_stays_while_others_come_in(
    page: Page, browser: Browser, live_site: LiveSite
) -> None:
    address = lay(live_site)
    page.goto(address)
    other = browser.new_context(viewport=DESK, locale="en-GB").new_page()
    other.goto(address)
    page.get_by_label("First name").fill("Beat")
    page.get_by_label("Last name").fill("Tuor")
    page.get_by_role("button", name="Here, 10.– paid", exact=True).click()
    known = page.get_by_role("button", name="It is Beat Tuor of the list")
    expect(known).to_be_visible()
    other.get_by_role("button", name="Maria Cadruvi: here, not paid yet").click()
    here(page, "1 / 3")
    expect(known).to_be_visible(timeout=1_000)
    expect(page.get_by_label("First name")).to_have_value("Beat")
    known.click()
    here(other, "2 / 4")
    expect(page.get_by_label("First name")).to_have_value("")

    # Whoever looks for the next one has left the question.
    page.get_by_label("First name").fill("Gion")
    page.get_by_label("Last name").fill("Derungs")
    page.get_by_role("button", name="Here, 10.– paid", exact=True).click()
    expect(page.get_by_role("alert")).to_be_visible()
    page.get_by_label("Find a name").fill("Zita Nova")
    expect(page.get_by_label("First name")).to_have_value("Zita")
    page.get_by_role("button", name="Here, 10.– paid", exact=True).click()
    here(other, "3 / 5")


@pytest.mark.parametrize("overtaken", [False, True], ids=["then others come in", "others come in before the answer"])
def test_who_takes_a_fee_twice_is_told_so_while_others_come_in(
    page: Page, browser: Browser, live_site: LiveSite, overtaken: bool
) -> None:
    address = lay(live_site)
    page.goto(address)
    other = browser.new_context(viewport=DESK, locale="en-GB").new_page()
    other.goto(address)
    held: list[Route] = []
    page.route("**/door/**", lambda route: held.append(route), times=1)
    page.get_by_role("button", name="Maria Cadruvi expected").click()
    tapped = held_back(page, held)
    other.get_by_role("button", name="Maria Cadruvi expected").click()
    here(page, "1 / 3")
    answer = tapped.fetch()
    refusal = page.get_by_role("alert").get_by_text("That was paid in the meantime")
    if not overtaken:
        tapped.fulfill(response=answer)
        expect(refusal).to_be_visible()
    other.get_by_role("button", name="Gion Derungs expected").click()
    here(page, "2 / 3")
    if overtaken:
        tapped.fulfill(response=answer)
    expect(refusal).to_be_visible()
    here(page, "2 / 3")

    # What is tapped next has an answer of its own.
    page.get_by_role("button", name="Ursulina Solèr expected").click()
    here(page, "3 / 3")
    expect(refusal).to_have_count(0)


def sign_out() -> None:
    """Every session ends."""
    Session.objects.all().delete()


def test_a_tap_after_the_session_has_ended_leads_to_signing_in(page: Page, live_site: LiveSite) -> None:
    address, session = live_site.call(founded)
    page.context.add_cookies([{"name": "sessionid", "value": session, "url": live_site.url}])
    page.goto(live_site.url + address)
    page.get_by_role("button", name="Evening tonight").click()
    expect(page.get_by_text("The door is open.")).to_be_visible()
    page.wait_for_load_state("load")
    live_site.call(sign_out)
    page.locator(".door-list button.tick").first.click()
    expect(page.get_by_role("main").get_by_role("link", name="Sign in")).to_be_visible()


FORTY: Final = 40


def founded() -> tuple[str, str]:
    """A club of forty with a fee in its house rules; its address, and the session of its secretary."""
    user = User.objects.create_user(email=f"{uuid.uuid4().hex}@example.org", password="sontga-onna")
    dora = Player.objects.create(user=user, name="Dora")
    club = Club.objects.create(slug=f"mustér-{uuid.uuid4().hex[:8]}".replace("é", "e"), name="Troccas", created_by=dora)
    HouseRulesVersion.objects.create(club=club, version=1, data=to_plain(HouseRules(fee=1000)))
    Member.objects.create(club=club, player=dora, first_name="Dora", last_name="Aebi", role="secretary")
    for number in range(2, FORTY + 1):
        Member.objects.create(club=club, first_name=f"Vorname{number}", last_name=f"Nachname{number:02}")
    return f"/c/{club.slug}/", session_of(user)


@pytest.mark.slow
def test_the_secretarys_evening_is_two_presses_two_pages_and_a_tap_a_person(page: Page, live_site: LiveSite) -> None:
    """From the club's page to "round 1 is published", forty people, each here and paid."""
    address, session = live_site.call(founded)
    page.context.add_cookies([{"name": "sessionid", "value": session, "url": live_site.url}])
    page.goto(live_site.url + address)
    page.evaluate("sessionStorage.setItem('presses', '0')")
    page.add_init_script(
        "addEventListener('click', () => sessionStorage.setItem('presses', +sessionStorage.getItem('presses') + 1), true)"
    )
    pages: list[str] = []
    page.on("framenavigated", lambda frame: pages.append(frame.url))

    page.get_by_role("button", name="Evening tonight").click()  # one press
    expect(page.get_by_text("The door is open.")).to_be_visible()
    page.wait_for_load_state("load")  # a tap before the script is there would load the page once more
    for number in range(1, FORTY + 1):
        page.locator('.door-list button.tick[aria-pressed="false"]').first.click()
        here(page, f"{number} / {FORTY}")
    page.get_by_role("button", name="Seat everybody for round 1").click()  # and another
    expect(page.get_by_text("Round 1 is drawn and published.")).to_be_visible()
    expect(page.locator("body")).to_contain_text("Vorname40 Nachname40")
    taps = int(page.evaluate("sessionStorage.getItem('presses')"))
    assert taps + 1 == 2 + FORTY, "the first press was made on a page that did not count yet"
    assert len(pages) == 2
