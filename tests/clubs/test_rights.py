"""Who may do what: the whole table, and the same at the doors and on the pages."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.utils import timezone

from accounts.models import Grant, Player
from accounts.permissions import MODERATOR
from clubs import permissions as clubs_permissions
from clubs.exceptions import AccountNeeded, NotAllowed
from clubs.models import Club, ClubDate, Member
from clubs.permissions import Act
from clubs.services import calendar, common, importing, members, seasons
from clubs.services import calendar as clubs_services_calendar
from clubs.services.members import Details
from domain.standings.profile import HouseRules
from domain.standings.season import SeasonRules
from tests.clubs import kit

pytestmark = pytest.mark.django_db

ROLES = ("president", "secretary", "director", "member", "stranger", "nobody")
MAY = {
    Act.EDIT: {"president"},
    Act.CLOSE: {"president"},
    Act.GIVE_ROLES: {"president"},
    Act.KEEP_MEMBERS: {"president", "secretary"},
    Act.CALENDAR: {"president", "secretary"},
    Act.NEWS: {"president", "secretary"},
    Act.HOUSE_RULES: {"president", "secretary"},
    Act.SEASONS: {"president", "secretary"},
    Act.PLAN_TOURNAMENTS: {"president", "secretary"},
    Act.SEE_MEMBERS: {"president", "secretary", "director"},
    Act.ENTER_GUESTS: {"president", "secretary", "director"},
    Act.RUN_TOURNAMENTS: {"president", "secretary", "director"},
}
PAGES = {
    "edit/": Act.EDIT,
    "close/": Act.CLOSE,
    "members/": Act.SEE_MEMBERS,
    "members/new/": Act.KEEP_MEMBERS,
    "members/import/": Act.KEEP_MEMBERS,
    "members/members.csv": Act.KEEP_MEMBERS,
    "members/members.xlsx": Act.KEEP_MEMBERS,
    "requests/": Act.KEEP_MEMBERS,
    "rules/edit/": Act.HOUSE_RULES,
    "calendar/new/": Act.CALENDAR,
    "news/new/": Act.NEWS,
    "seasons/new/": Act.SEASONS,
}
PUBLIC = ("", "rules/", "rules/compare/", "rules/rules.json", "calendar/", "calendar/past/", "news/", "seasons/")


def test_the_table_speaks_of_every_act():
    assert set(MAY) == set(Act)


def test_each_role_may_what_the_table_says(people):
    for role in ROLES:
        player = people.of(role)
        found = {act for act in Act if clubs_permissions.may(player, people.club, act)}
        assert found == {act for act, able in MAY.items() if role in able}, role


@pytest.mark.parametrize("act", list(Act))
def test_checking_refuses_whoever_may_not(people, act):
    for role in ROLES:
        if role in MAY[act]:
            assert clubs_permissions.check_may(people.of(role), people.club, act).member is not None
            continue
        with pytest.raises(AccountNeeded if role == "nobody" else NotAllowed):
            clubs_permissions.check_may(people.of(role), people.club, act)


def test_members_read_the_list_where_the_club_lets_them(people):
    Club.objects.filter(pk=people.club.pk).update(list_for=Club.ListFor.MEMBERS)
    people.club.refresh_from_db()
    assert clubs_permissions.may(people.member, people.club, Act.SEE_MEMBERS)
    assert not clubs_permissions.may(people.stranger, people.club, Act.SEE_MEMBERS)
    assert clubs_permissions.standing(people.club, people.member).audience == "hall"
    assert clubs_permissions.standing(people.club, people.stranger).audience == "public"


@pytest.mark.parametrize("path", PAGES)
@pytest.mark.slow(but="rules/edit/")
def test_a_page_opens_for_whom_its_act_is(people, path):
    for role in ROLES:
        answer = kit.browser(people.of(role)).get(f"/c/{people.club.slug}/{path}")
        assert answer.status_code == (200 if role in MAY[PAGES[path]] else 403), role


@pytest.mark.parametrize("path", PUBLIC)
@pytest.mark.slow(but="rules/")
def test_public_pages_open_for_everybody(people, path):
    for role in ROLES:
        assert kit.browser(people.of(role)).get(f"/c/{people.club.slug}/{path}").status_code == 200


def doors(club: Club, by: Player, other: Member) -> dict[Act, list[Callable[[], object]]]:
    """Everything that can be done, by what it takes."""
    details = Details("Gion", "Giger")
    return {
        Act.EDIT: [lambda: common.edit(club, by, Club(name="Other"), request_id=kit.rid())],
        Act.GIVE_ROLES: [lambda: members.give_role(club, by, other.public_id, "director", request_id=kit.rid())],
        Act.KEEP_MEMBERS: [
            lambda: members.enter(club, by, details, request_id=kit.rid()),
            lambda: members.change(club, by, other.public_id, details, request_id=kit.rid()),
            lambda: members.end(club, by, other.public_id, request_id=kit.rid()),
            lambda: members.remove(club, by, other.public_id, request_id=kit.rid()),
            lambda: importing.read_file(club, by, "x.csv", b"Vorname;Name\nGion;Giger\n"),
            lambda: importing.export_members(club, by, "csv"),
        ],
        Act.NEWS: [lambda: clubs_services_calendar.publish(club, by, "A", "B", request_id=kit.rid())],
        Act.CALENDAR: [
            lambda: calendar.add(club, by, ClubDate(title="A", starts=timezone.now()), request_id=kit.rid())
        ],
        Act.HOUSE_RULES: [
            lambda: common.publish_rules(club, by, HouseRules(rounds=4), "", expected=1, request_id=kit.rid())
        ],
        Act.SEASONS: [lambda: seasons.begin(club, by, "Winter", SeasonRules(), request_id=kit.rid())],
        Act.CLOSE: [lambda: common.close(club, by, request_id=kit.rid())],
    }


@pytest.mark.parametrize("role", ["secretary", "director", "member", "stranger"])
def test_doors_stay_shut_for_who_may_not_and_nothing_changes(people, role):
    before = Member.objects.filter(club=people.club).count()
    refused = 0
    for act, ways in doors(people.club, people.of(role), people.entries["member"]).items():
        if role in MAY[act]:
            continue
        for way in ways:
            with pytest.raises(NotAllowed):
                way()
            refused += 1
    assert refused >= 3
    assert Member.objects.filter(club=people.club).count() == before
    assert Club.objects.get(pk=people.club.pk).name == "Troccas Trun"


def test_all_doors_open_for_the_president(people):
    for ways in doors(people.club, people.president, people.entries["member"]).values():
        for way in ways:
            way()
    assert not Club.objects.filter(pk=people.club.pk).exists()


def test_a_director_enters_guests_but_no_members(people):
    guest = members.enter(people.club, people.director, Details("Gion", "", kind="guest"), request_id=kit.rid())
    assert guest.kind == "guest"
    with pytest.raises(NotAllowed):
        members.enter(people.club, people.director, Details("Gion", "Giger"), request_id=kit.rid())


def test_who_left_may_nothing_any_more(people):
    members.end(people.club, people.president, people.entries["secretary"].public_id, request_id=kit.rid())
    assert clubs_permissions.standing(people.club, people.secretary).acts == frozenset()


def test_a_moderator_may_close_a_club_and_nothing_else(people):
    Grant.objects.create(player=people.stranger, role=MODERATOR)
    assert clubs_permissions.standing(people.club, people.stranger).acts == {Act.CLOSE}


def test_a_secretary_does_not_put_out_a_president(people):
    with pytest.raises(NotAllowed):
        members.end(people.club, people.secretary, people.entries["president"].public_id, request_id=kit.rid())


def test_members_who_may_read_the_list_read_of_members_and_not_of_guests(people):
    kit.enter(people.club, people.secretary, "Gion", "Guest", kind="guest")
    kit.enter(people.club, people.secretary, "Maria", "Cadruvi")
    people.club.list_for = "members"
    people.club.save()
    path = f"/c/{people.club.slug}/members/"
    page = kit.browser(people.member).get(path).content.decode()
    assert "Maria Cadruvi" in page
    assert "Gion Guest" not in page
    assert "Gion Guest" in kit.browser(people.director).get(path).content.decode()


def test_who_was_signed_out_comes_back_to_the_form_they_had_filled_in():
    club = kit.club_of(kit.person())
    form = f"/c/{club.slug}/news/new/"
    headers = {"referer": f"http://testserver{form}"}
    answer = kit.browser(None).post(form, {"request_id": str(kit.rid()), "title": "Sera", "text": "…"}, headers=headers)
    assert answer.status_code == 403
    assert f"/account/login/?next={form}" in answer.content.decode()
