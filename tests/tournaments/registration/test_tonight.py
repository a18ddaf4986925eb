"""Evening tonight: from the club's page to a published round in two presses beside one tap a person."""

from __future__ import annotations

import re
import uuid
from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.models import Player
from clubs.models import Club, Member, Season
from clubs.services import common
from clubs.services.common import Person
from domain.tournament.state import EXPECTED, HERE, OUT
from tests.tournaments.registration.test_announcing import filled
from tests.tournaments.services.kit import member_player
from tournaments.models import Tournament
from tournaments.selectors import state_of
from tournaments.services import codes

pytestmark = pytest.mark.django_db


@pytest.fixture
def president() -> Player:
    return member_player("Presidenta")


@pytest.fixture
def club(president: Player) -> Club:
    """A club with forty in its list, the president among them."""
    given = Club(name="Troccas Cuera", village="Chur", canton="GR", language="de")
    made = common.create_club(president, given, Person("Petra", "Presidenta", True), request_id=uuid.uuid4())
    for number in range(39):
        Member.objects.create(club=made, first_name=f"Anna {number}", last_name="Muster")
    Member.objects.create(club=made, first_name="Gast", last_name="Muster", kind=Member.Kind.GUEST)
    Member.objects.create(club=made, first_name="Weg", last_name="Muster", left_on=timezone.localdate())
    return made


@pytest.fixture
def browser(client: Client, president: Player) -> Client:
    client.force_login(president.user)
    return client


def press(browser: Client, club: Club, request: str = ""):
    return browser.post(
        reverse("club-tournaments:tonight", args=[club.slug]), {"request_id": request or str(uuid.uuid4())}
    )


@pytest.mark.slow
def test_two_presses_and_a_tap_a_person_from_the_clubs_page_to_a_published_round(browser, club):
    home = browser.get(reverse("club:home", args=[club.slug])).content.decode()
    assert reverse("club-tournaments:tonight", args=[club.slug]) in home
    answer = press(browser, club)
    evening = Tournament.objects.get()
    door = reverse("tournament:people", args=[evening.public_id])
    assert (answer.status_code, answer.url) == (303, door)
    assert timezone.localdate(evening.starts) == timezone.localdate()
    assert evening.name.startswith("Vereinsabend")
    state = state_of(evening)
    assert state.open
    assert [each.status for each in state.entrants.values()] == [EXPECTED] * 40
    page = browser.get(door).content.decode()
    for do in re.findall(r'<button class="tick[^>]*value="([^"]+)"', page):
        assert browser.post(door, {"do": do, "request_id": str(uuid.uuid4())}).status_code == 303
    assert "Seat everybody for round 1" in browser.get(door).content.decode()
    answer = browser.post(door, {"do": "seat", "what": "1.1", "request_id": str(uuid.uuid4())})
    evening.refresh_from_db()
    state = state_of(evening)
    (first,) = state.phases[0].rounds
    assert answer.url == reverse("tournament:round", args=[evening.public_id, first.key])
    assert first.status == OUT
    assert {each.status for each in state.entrants.values()} == {HERE}
    assert sum(len(table.seats) for table in first.tables.values()) == 40
    seats = Client().get(reverse("tournament:home", args=[evening.public_id]))
    assert seats.status_code == 200


def test_pressed_twice_it_is_one_evening_and_an_announced_one_is_taken(browser, club, president):
    request = str(uuid.uuid4())
    urls = {press(browser, club, request).url, press(browser, club, request).url, press(browser, club).url}
    assert len(urls) == 1
    assert Tournament.objects.count() == 1
    assert len(state_of(Tournament.objects.get()).entrants) == 40


def test_fee_and_place_are_those_of_the_last_evening_and_one_tap_pays(browser, club, president):
    press(browser, club)
    last = Tournament.objects.get()
    Tournament.objects.filter(pk=last.pk).update(starts=timezone.now() - timedelta(days=14), place="Calanda")
    with_fee = reverse("tournament:settings", args=[last.public_id])
    answer = browser.post(with_fee, filled(browser, with_fee, fee="10"))
    assert answer.status_code == 303, answer.context["form"].errors
    press(browser, club)
    evening = Tournament.objects.exclude(pk=last.pk).get()
    assert (evening.place, state_of(evening).fee) == ("Calanda", 1000)
    door = reverse("tournament:people", args=[evening.public_id])
    page = browser.get(door).content.decode()
    assert "One tap on a name: here, and 10.– paid." in page
    do = re.search(r'<button class="tick[^>]*value="([^"]+)"', page)
    assert do is not None
    browser.post(door, {"do": do[1], "request_id": str(uuid.uuid4())})
    evening.refresh_from_db()
    state = state_of(evening)
    assert [(each.amount, state.entrants[each.who].status) for each in state.money] == [(1000, HERE)]
    back = re.search(rf'<li data-row="{state.money[0].who}".*?<button class="tick[^>]*value="([^"]+)"', browser.get(door).content.decode(), re.DOTALL)  # fmt: skip
    assert back is not None
    browser.post(door, {"do": back[1], "request_id": str(uuid.uuid4())})
    evening.refresh_from_db()
    state = state_of(evening)
    assert state.entrants[state.money[0].who].status == EXPECTED
    assert len(state.money_cancelled) == 1


def test_too_few_for_a_table_are_told_so_and_nothing_has_begun(browser, club):
    press(browser, club)
    evening = Tournament.objects.get()
    door = reverse("tournament:people", args=[evening.public_id])
    answer = browser.post(door, {"do": "seat", "what": "1.1", "request_id": str(uuid.uuid4())})
    assert answer.status_code == 422
    evening.refresh_from_db()
    assert not state_of(evening).phases


def test_only_who_may_plan_can_press(client, club):
    other = member_player("Anders")
    client.force_login(other.user)
    assert press(client, club).status_code == 403
    assert not Tournament.objects.exists()


def test_helpers_with_a_code_do_not_seat(browser, club):
    press(browser, club)
    evening = Tournament.objects.get()
    code = codes.hall_code(evening, state_of(evening), codes.DOOR)
    address = reverse("tournament:door-code", args=[evening.public_id, code])
    page = Client().get(address).content.decode()
    assert "Seat everybody" not in page
    assert Client().post(address, {"do": "seat", "what": "1.1", "request_id": str(uuid.uuid4())}).status_code in (
        400,
        403,
        422,
    )


@pytest.mark.slow
def test_a_table_of_three_is_fair_by_default_and_the_draw_says_how(browser, club):
    Member.objects.filter(club=club, first_name__in=["Anna 0"]).delete()
    press(browser, club)
    evening = Tournament.objects.get()
    door = reverse("tournament:people", args=[evening.public_id])
    for who in state_of(evening).entrants:
        browser.post(door, {"do": f"here:{who}", "request_id": str(uuid.uuid4())})
    answer = browser.post(door, {"do": "seat", "what": "1.1", "request_id": str(uuid.uuid4())})
    page = browser.get(answer.url).content.decode()
    assert "At a table of 3: +10 points for each deal." in page
    assert (
        "8 deals cannot be shared equally among 3: the 2 people whom the draw seats first deal once more than the others."
        in page
    )
    evening.refresh_from_db()
    assert state_of(evening).plan.rules.match.places == ((2, 1, 0),)


def test_what_a_table_of_three_is_does_not_depend_on_a_number_that_is_typed_beside_it(browser, club):
    page = browser.get(reverse("club-tournaments:new", args=[club.slug])).content.decode()
    assert "those whom the draw seats first deal once more than the others." in page
    assert "8 deals" not in page


def test_where_everybody_plays_alone_points_count_first(browser, club):
    address = reverse("club-tournaments:new", args=[club.slug]) + "?game=troggu"
    form = browser.get(address).context["form"]
    assert form.plan.rules.tie_breaks[0] == "card-points"
    other = browser.get(reverse("club-tournaments:new", args=[club.slug])).context["form"]
    assert other.plan.rules.tie_breaks[0] == "match-points"


def test_an_evening_counts_for_the_running_season_and_one_finds_where_to_change_that(browser, club):
    season = Season.objects.create(club=club, name="2026/27")
    Season.objects.create(club=club, name="2025/26", ended_at=timezone.now())
    press(browser, club)
    evening = Tournament.objects.get()
    assert [each.season for each in evening.seasons.all()] == [season]
    settings = reverse("tournament:settings", args=[evening.public_id])
    listed = browser.get(reverse("club:season", args=[club.slug, season.public_id])).content.decode()
    assert f"{settings}#seasons" in listed
    page = browser.get(settings).content.decode()
    assert reverse("tournament:seasons", args=[evening.public_id]) in page
    assert "2026/27" in page


def test_an_evening_without_a_club_and_the_club_that_is_founded_from_it(browser, president):
    address = reverse("evening-without-club")
    assert "Begin the evening" in browser.get(address).content.decode()
    assert "Evening without a club" in browser.get(reverse("clubs:list")).content.decode()
    answer = browser.post(address, {"request_id": str(uuid.uuid4())})
    evening = Tournament.objects.get()
    door = reverse("tournament:people", args=[evening.public_id])
    assert answer.url == door
    names = [("Maria", "Cadruvi"), ("Gion", "Derungs"), ("Ursulina", "Solèr"), ("Beat", "Tuor")]
    for first, last in names:
        sent = {"do": "walk-in", "first_name": first, "last_name": last, "request_id": str(uuid.uuid4())}
        assert browser.post(door, sent).status_code == 303
    answer = browser.post(door, {"do": "seat", "what": "1.1", "request_id": str(uuid.uuid4())})
    assert answer.url.startswith(reverse("tournament:rounds", args=[evening.public_id]))
    assert "Maria" in browser.get(answer.url).content.decode()
    made = Club.objects.get()
    assert made.provisional
    assert made.name not in Client().get(reverse("clubs:list")).content.decode()
    again = browser.post(address, {"request_id": str(uuid.uuid4())})
    assert (again.url, Club.objects.count()) == (door, 1), "the evening goes on"
    edit = reverse("club:edit", args=[made.slug])
    assert "Found the club" in browser.get(edit).content.decode()
    answer = browser.post(edit, filled(browser, edit, club_name="Troccas Trun", village="Trun"))
    made.refresh_from_db()
    assert (made.provisional, made.slug, made.name) == (False, "troccas-trun", "Troccas Trun")
    assert answer.url == reverse("club:home", args=[made.slug])
    assert "Troccas Trun" in Client().get(reverse("clubs:list")).content.decode()
    assert Member.objects.filter(club=made).count() == 5


def test_a_guest_cannot_hold_an_evening(client):
    address = reverse("evening-without-club")
    assert client.get(address).status_code == 200
    assert client.post(address, {"request_id": str(uuid.uuid4())}).status_code == 403
    assert not Club.objects.exists()


@pytest.mark.parametrize(
    ("name", "heading"),
    [
        ("evening-without-club", "Evening without a club"),
        ("evening-from-file", "Open an evening from a file"),
        ("clubs:new", "Found a club"),
    ],
)
def test_who_has_no_account_reads_what_they_would_need_it_for(name: str, heading: str):
    page = Client().get(reverse(name)).content.decode()
    assert f"<h1>{heading}</h1>" in page
    assert "for that you need an account" in page
