"""The list of members: founding, entering, roles, leaving; nothing done twice, always a president."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import IntegrityError, transaction

from accounts.privacy import erase, export_of
from clubs.exceptions import AccountNeeded
from clubs.models import Club, ClubEvent, HouseRulesVersion, Member
from clubs.services import common, members
from clubs.services.common import Person
from clubs.services.members import Details, MemberSearch
from notices.models import Outbox
from tests.clubs import kit
from tests.games import lobby_kit
from tests.refusals import refuses

pytestmark = pytest.mark.django_db


def test_whoever_founds_a_club_is_its_president_and_it_has_house_rules():
    player = kit.person("Anna Alig")
    club = kit.club_of(player)
    entry = Member.objects.get(club=club)
    assert (entry.player, entry.role, entry.first_name, entry.last_name) == (player, "president", "Anna", "Alig")
    assert HouseRulesVersion.objects.get(club=club).version == 1
    assert club.slug == "troccas-trun"


def test_a_second_club_of_that_name_gets_another_address():
    club_a, club_b = kit.club_of(kit.person()), kit.club_of(kit.person(), village="Laax")
    club_c = kit.club_of(kit.person())
    assert [club_a.slug, club_b.slug, club_c.slug] == ["troccas-trun", "troccas-trun-laax", "troccas-trun-2"]


def test_a_name_without_latin_letters_is_an_address_too():
    assert kit.club_of(kit.person(), "Übername’s Clüb", village="").slug == "ubername-s-club"
    assert kit.club_of(kit.person(), "Клуб", village="").slug == "club"


def test_the_same_request_founds_one_club():
    player, request_id = kit.person(), kit.rid()
    first = common.create_club(player, Club(name="Once"), Person("A", "B"), request_id=request_id)
    assert common.create_club(player, Club(name="Once"), Person("A", "B"), request_id=request_id) == first
    assert Club.objects.count() == 1
    with refuses("request-reused"):
        members.enter(first, player, Details("C", "D"), request_id=request_id)


def test_guests_of_the_site_found_no_clubs():
    with pytest.raises(AccountNeeded):
        kit.club_of(lobby_kit.guest("Gast"))


def test_one_person_presides_over_five_clubs_at_most():
    player = kit.person()
    for number in range(5):
        kit.club_of(player, f"Club {number}")
    with refuses("too-many-clubs"):
        kit.club_of(player, "Club 6")


def test_a_suspended_person_founds_nothing():
    from datetime import timedelta

    from accounts import permissions as account_permissions

    player = kit.person()
    account_permissions.suspend(player, timedelta(days=1), "shouting", by=kit.person("Mod"))
    with refuses("suspended"):
        kit.club_of(player)


def test_an_entry_needs_a_name(people):
    with refuses("name-needed"):
        members.enter(people.club, people.secretary, Details("", ""), request_id=kit.rid())


def test_entering_the_same_request_twice_enters_one_person(people):
    request_id = kit.rid()
    first = members.enter(people.club, people.secretary, Details("A", "B"), request_id=request_id)
    assert members.enter(people.club, people.secretary, Details("A", "B"), request_id=request_id) == first
    assert Member.objects.filter(club=people.club, first_name="A").count() == 1


def test_the_page_asks_before_a_second_person_of_a_name_is_entered(people):
    kit.enter(people.club, people.secretary, "Maria", "Cadruvi")
    client, path = kit.browser(people.secretary), f"/c/{people.club.slug}/members/new/"
    asked = kit.post(client, path, first_name="María", last_name="CADRUVI", kind="member")
    assert asked.status_code == 422
    assert "Somebody of that name is in the list already" in asked.content.decode()
    assert kit.post(client, path, first_name="María", last_name="CADRUVI", kind="member", sure="yes").status_code == 303
    assert Member.objects.filter(club=people.club, sort_key="cadruvi, maria").count() == 2


def test_the_page_does_not_ask_about_the_person_it_has_just_entered(people):
    client, path, same = kit.browser(people.secretary), f"/c/{people.club.slug}/members/new/", str(kit.rid())
    fields = {"first_name": "Maria", "last_name": "Cadruvi", "kind": "member", "request_id": same}
    answers = [kit.post(client, path, **fields) for _tap in range(2)]
    assert [answer.status_code for answer in answers] == [303, 303]
    assert Member.objects.filter(club=people.club, sort_key="cadruvi, maria").count() == 1


def test_the_list_is_sorted_and_found_without_accents(people):
    for first, last in (("Zita", "Élan"), ("Ada", "Zumthor"), ("Bea", "elan")):
        kit.enter(people.club, people.secretary, first, last, groups=("Elan",) if last == "Élan" else ())
    names = [member.first_name for member in members.members_list(people.club, MemberSearch(name="élan"))]
    assert names == ["Bea", "Zita"]
    assert [member.first_name for member in members.members_list(people.club, MemberSearch(group="Elan"))] == ["Zita"]
    assert members.groups_of(people.club) == ["Elan"]


def test_the_last_president_neither_leaves_nor_is_demoted(people):
    own = people.entries["president"]
    for way in (
        lambda: members.leave(people.club, people.president, request_id=kit.rid()),
        lambda: members.give_role(people.club, people.president, own.public_id, "member", request_id=kit.rid()),
        lambda: members.end(people.club, people.president, own.public_id, request_id=kit.rid()),
        lambda: members.remove(people.club, people.president, own.public_id, request_id=kit.rid()),
    ):
        with refuses("last-president"):
            way()
    other = people.entries["secretary"].public_id
    members.give_role(people.club, people.president, other, "president", request_id=kit.rid())
    members.leave(people.club, people.president, request_id=kit.rid())
    own.refresh_from_db()
    assert own.left_on is not None
    assert own.role == "member"
    assert kit.browser(people.president).get(f"/c/{people.club.slug}/me/leave/").status_code == 404


def test_the_last_president_is_not_asked_whether_they_want_to_go(people):
    client, own = kit.browser(people.president), people.entries["president"].public_id
    for page in ("me/leave/", f"members/{own}/remove/"):
        answer = client.get(f"/c/{people.club.slug}/{page}")
        assert answer.status_code == 422
        assert "Make somebody else president first." in answer.content.decode()


def test_giving_away_ones_own_presidency_is_asked_first(people):
    client, own = kit.browser(people.president), people.entries["president"]
    path = f"/c/{people.club.slug}/members/{own.public_id}/role/"
    assert "Make somebody else president first." in kit.post(client, path, role="member").content.decode()
    members.give_role(
        people.club, people.president, people.entries["secretary"].public_id, "president", request_id=kit.rid()
    )
    page = kit.post(client, path, role="member").content.decode()
    assert "Only another president can give it back to you." in page
    own.refresh_from_db()
    assert own.role == "president"
    assert kit.post(client, path, role="member", sure="yes").status_code == 303
    own.refresh_from_db()
    assert own.role == "member"


def test_a_refused_form_leads_back_to_its_page(people):
    gone = f"/c/{people.club.slug}/members/bcdfghjk/end/"
    before = f"/c/{people.club.slug}/members/?page=2"
    client = kit.browser(people.secretary)

    def answer(referer):
        return client.post(gone, {"request_id": str(kit.rid())}, headers={"referer": referer}).content.decode()

    back = answer(f"http://testserver{before}")
    assert f'href="{before}"' in back
    assert "elsewhere.example" not in answer("http://elsewhere.example/c/")
    assert "Reload" not in back


def test_the_list_says_who_is_invited(people):
    entry = kit.enter(people.club, people.secretary, "Gion", "Giger")
    client, path = kit.browser(people.secretary), f"/c/{people.club.slug}/members/"
    tag = '<span class="tag">invited</span>'
    assert tag not in client.get(path).content.decode()
    kit.post(client, f"/c/{people.club.slug}/requests/invite/", entry=entry.public_id, holds="14")
    assert client.get(path).content.decode().count(tag) == 1


def test_roles_are_for_people_with_an_account(people):
    entry = kit.enter(people.club, people.secretary, "Gion", "Giger")
    with refuses("no-account-no-role"):
        members.give_role(people.club, people.president, entry.public_id, "director", request_id=kit.rid())
    other, guest = people.entries["secretary"].public_id, Details("Sep", "Seeli", kind="guest")
    with refuses("no-account-no-role"):
        members.change(people.club, people.president, other, guest, request_id=kit.rid())


def test_whoever_gets_a_role_is_told(people):
    members.give_role(
        people.club, people.president, people.entries["member"].public_id, "director", request_id=kit.rid()
    )
    assert Outbox.objects.filter(event="club.role", player=people.member).exists()


def test_the_database_itself_knows_no_guest_with_a_role(people):
    entry = people.entries["secretary"]
    with pytest.raises(IntegrityError), transaction.atomic():
        Member.objects.filter(pk=entry.pk).update(kind="guest")


def test_nobody_writes_down_consent_for_somebody_with_an_account(people):
    entry = people.entries["member"]
    details = Details("Mia", "Maissen", named=True)
    with refuses("own-affair"):
        members.change(people.club, people.secretary, entry.public_id, details, request_id=kit.rid())
    page = kit.browser(people.secretary).get(f"/c/{people.club.slug}/members/{entry.public_id}/").content.decode()
    assert 'name="named"' not in page


def test_consent_on_paper_is_written_down_with_who_did_it(people):
    entry = kit.enter(people.club, people.secretary, "Gion", "Giger", named=True)
    assert entry.named
    assert entry.consent_by == people.secretary
    assert entry.consent_at is not None


def test_an_entry_of_another_club_is_not_touched(people):
    other = kit.club_of(kit.person("Otto Other"), "Other")
    with refuses("no-such-member"):
        members.remove(
            other, Member.objects.get(club=other).player, people.entries["member"].public_id, request_id=kit.rid()
        )


def test_leaving_and_coming_back(people):
    entry = people.entries["member"]
    members.leave(people.club, people.member, request_id=kit.rid())
    assert Outbox.objects.filter(event="club.left", player=people.secretary).exists()
    members.take_back(people.club, people.secretary, entry.public_id, request_id=kit.rid())
    entry.refresh_from_db()
    assert entry.left_on is None


# when an account goes


def test_an_account_that_goes_takes_its_name_along(people):
    erase(people.member.user)
    assert not Member.objects.filter(pk=people.entries["member"].pk).exists()
    assert "Maissen" not in kit.browser(people.secretary).get(f"/c/{people.club.slug}/members/").content.decode()


def test_an_entry_the_club_had_made_stays_without_account_and_consent(people):
    from clubs.services import joining

    entry = kit.enter(people.club, people.secretary, "Gion", "Giger")
    gion = kit.person("gion")
    link = joining.invite(
        people.club, people.secretary, holds=joining.HOLDS[0], entry=entry.public_id, request_id=kit.rid()
    )
    joining.follow(people.club, gion, link.token, Person("", "", named=True), request_id=kit.rid())
    erase(gion.user)
    entry.refresh_from_db()
    assert (entry.first_name, entry.player, entry.named) == ("Gion", None, False)


def test_the_only_president_who_goes_is_followed_by_the_secretary(people):
    erase(people.president.user)
    entry = Member.objects.get(club=people.club, player=people.secretary)
    assert entry.role == "president"
    assert Outbox.objects.filter(event="club.role", player=people.secretary).exists()


def test_a_club_without_anybody_to_look_after_it_is_closed():
    player = kit.person()
    club = kit.club_of(player)
    kit.enter(club, player, "Gion", "Giger")
    erase(player.user)
    assert not Club.objects.filter(pk=club.pk).exists()
    assert not Member.objects.exists()


def test_people_get_what_clubs_keep_about_them(people):
    export: Any = export_of(people.member)["clubs"]
    assert export["memberships"][0]["last_name"] == "Maissen"
    assert export["requests_to_join"][0]["state"] == "accepted"
    assert {"club": people.club.slug, "what": "request.made"}.items() <= export["done_for_clubs"][0].items()


def test_events_name_nobody(people):
    kit.enter(people.club, people.secretary, "Maria", "Cadruvi")
    assert not any("Cadruvi" in str(event.data) for event in ClubEvent.objects.all())


def test_two_who_found_a_club_of_one_name_at_once_get_two_addresses(monkeypatch):
    first = kit.club_of(kit.person("Ada Alig"), "Troccas Vella", village="")
    found = common._free_slug
    answers = iter([first.slug])  # what was free a moment ago
    monkeypatch.setattr(common, "_free_slug", lambda words: next(answers, None) or found(words))
    second = kit.club_of(kit.person("Bea Berther"), "Troccas Vella", village="")
    assert second.slug != first.slug
    assert Club.objects.count() == 2


def test_only_members_are_offered_letters_on_their_entry(people):
    client, page = kit.browser(people.member), f"/c/{people.club.slug}/me/"
    assert "E-mails from the club" in client.get(page).content.decode()
    members.leave(people.club, people.member, request_id=kit.rid())
    left = client.get(page).content.decode()
    assert "You left on" in left
    assert "E-mails from the club" not in left
