"""Entries: from the list, pairs, categories, families as marks, substitutes, entering by oneself."""

from __future__ import annotations

import json
import uuid
from dataclasses import replace

import pytest
from django.test import Client
from django.urls import reverse

from accounts import privacy
from accounts.models import User
from clubs.models import Member
from domain.tournament.state import EXPECTED, GONE, HERE, WITHDRAWN
from tests.tournaments.services.kit import Night, member_player
from tournaments.handover import services as handover
from tournaments.models import Participation, Tournament, TournamentEvent
from tournaments.registration import selectors, services

pytestmark = pytest.mark.django_db


def page_of(night: Night, name: str, *args: object) -> str:
    return reverse(f"tournament:{name}", args=[night.tournament.public_id, *args])


def sent(**fields: object) -> dict[str, object]:
    return {"request_id": str(uuid.uuid4()), **fields}


def open_to(night: Night, entry: str, most: int = 0) -> None:
    Tournament.objects.filter(pk=night.tournament.pk).update(entry=entry, most=most)


def test_many_are_entered_from_the_list_at_once(desk, night):
    chosen = [night.person().public_id for _each in range(5)]
    answer = desk.post(page_of(night, "add"), sent(do="enter", who=chosen))
    assert answer.status_code == 303
    assert [each.members for each in night.state.entrants.values()] == [(one,) for one in chosen]
    assert all(each.status == EXPECTED for each in night.state.entrants.values())


def test_who_has_entered_is_not_offered_again(desk, night):
    one, two = night.person(), night.person()
    Member.objects.filter(club=night.club).update(kind=Member.Kind.MEMBER)
    desk.post(page_of(night, "add"), sent(do="enter", who=[one.public_id]))
    offered = [member.public_id for member, _name in desk.get(page_of(night, "add")).context["people"]]
    assert two.public_id in offered
    assert one.public_id not in offered


def test_who_was_ticked_stays_ticked_while_one_looks_for_others(desk, night):
    one, two = night.person(), night.person()
    answer = desk.post(page_of(night, "add"), sent(do="find", q="nachname2", kind="", who=[one.public_id]))
    assert [member.pk for member, _name in answer.context["picked"]] == [one.pk]
    assert [member.pk for member, _name in answer.context["people"]] == [two.pk]


def test_nobody_ticked_is_told_and_nothing_happens(desk, night):
    answer = desk.post(page_of(night, "add"), sent(do="enter"))
    assert answer.status_code == 422
    assert "Tick the people first." in answer.content.decode()


def test_somebody_of_another_club_cannot_be_entered(desk, night):
    other = Member.objects.create(club=night.club, first_name="Anna", last_name="Alig")
    answer = desk.post(page_of(night, "add"), sent(do="enter", who=[other.public_id, "unknown"]))
    assert answer.status_code == 404
    assert not night.state.entrants


def test_two_enter_as_a_pair(client):
    night = Night.at(kind="pair", odd=["three-pairs"])
    client.force_login(night.director.user)
    chosen = [night.person().public_id for _each in range(3)]
    answer = client.post(page_of(night, "add"), sent(do="pair", who=chosen))
    assert answer.status_code == 422
    assert "exactly two" in answer.content.decode()
    client.post(page_of(night, "add"), sent(do="pair", who=chosen[:2]))
    assert next(iter(night.state.entrants.values())).members == tuple(chosen[:2])


def test_the_list_is_searched_and_filtered(desk, night):
    for _each in range(3):
        night.walk_in()
    night.do("entrant.added", members=[night.person().public_id])
    rows = desk.get(page_of(night, "people"), {"q": "name2"}).context["rows"]
    assert [row.name for row in rows] == ["Vorname2 Nachname2"]
    rows = desk.get(page_of(night, "people"), {"show": "expected"}).context["rows"]
    assert [row.id for row in rows] == ["e4"]
    night.do("entrant.withdrawn", id="e4")
    rows = desk.get(page_of(night, "people"), {"show": "not-coming"}).context["rows"]
    assert [row.id for row in rows] == ["e4"]
    assert desk.get(page_of(night, "people"), {"show": "left"}).context["rows"] == []


def test_juniors_are_found_by_their_year_of_birth(desk, night):
    young, old = night.walk_in(), night.walk_in()
    Member.objects.filter(pk=night.people[0].pk).update(birth_year=2010)
    Member.objects.filter(pk=night.people[1].pk).update(birth_year=1960)
    desk.post(page_of(night, "people"), sent(do="categorise", category="Juniors", born_from="2006"))
    assert night.state.entrants[young].categories == ("Juniors",)
    assert night.state.entrants[old].categories == ()
    shown = desk.get(page_of(night, "people"), {"show": "category:Juniors"}).context["rows"]
    assert [row.id for row in shown] == [young]
    desk.post(page_of(night, "people"), sent(do="clear-category", category="Juniors"))
    assert night.state.entrants[young].categories == ()


def test_a_category_that_changes_nobody_is_told_with_what_was_typed(desk, night):
    night.walk_in()
    answer = desk.post(page_of(night, "people"), sent(do="categorise", category="Juniors", born_from="2006"))
    assert answer.status_code == 422
    assert 'value="Juniors"' in answer.content.decode()


def test_a_fee_of_its_own_a_seed_and_categories(desk, night):
    who = night.walk_in()
    answer = desk.post(
        page_of(night, "entry", who), sent(do="change", fee="5.–", seed="3", categories="Juniors, Guests")
    )
    assert answer.status_code == 303
    entrant = night.state.entrants[who]
    assert (entrant.fee, entrant.seed, entrant.categories) == (500, 3, ("Juniors", "Guests"))


def test_not_coming_asks_once(desk, night):
    who = night.walk_in()
    address = page_of(night, "entry", who)
    assert "Is Vorname1 Nachname1 not coming?" in desk.post(address, sent(do="withdraw")).content.decode()
    desk.post(address, sent(do="withdraw", sure="1"))
    assert night.state.entrants[who].status == WITHDRAWN


def test_a_substitute_from_the_list_and_one_who_is_new(desk, night):
    who = night.walk_in()
    old, new = night.people[0].public_id, night.person().public_id
    desk.post(page_of(night, "entry", who), sent(do=f"substitute:{new}", old=old))
    assert night.state.entrants[who].people(1, 1) == (new,)
    two = sent(do="substitute-new", old=new, first_name="7 of hearts", last_name="Nova")
    refused = desk.post(page_of(night, "entry", who), two).content.decode()
    assert f'<option value="{new}" selected>' in refused
    assert 'value="7 of hearts"' in refused
    assert 'value="Nova"' in refused
    desk.post(page_of(night, "entry", who), sent(do="substitute-new", old=new, first_name="Zita", last_name="Nova"))
    zita = Member.objects.get(last_name="Nova")
    assert night.state.entrants[who].people(1, 1) == (zita.public_id,)


def test_while_a_substitute_is_looked_for_it_stays_chosen_who_is_replaced(client):
    night, desk = Night.at(0, kind="pair"), client
    desk.force_login(night.director.user)
    pair = night.walk_in(pair=True)
    _first, second = (member.public_id for member in night.people)
    new = night.person()
    page = page_of(night, "entry", pair)
    assert "formmethod" not in desk.get(page).content.decode(), "what a form knows stays out of the address"
    looked = desk.post(page, sent(do="look", old=second, q="Nachname3", first_name="Zita"))
    assert looked.status_code == 200
    text = looked.content.decode()
    assert f'<option value="{second}" selected>' in text
    assert f'value="substitute:{new.public_id}"' in text
    assert 'value="Zita"' in text
    assert night.state.entrants[pair].people(1, 1) == night.state.entrants[pair].members


def test_who_was_replaced_plays_again(desk, night):
    who = night.walk_in()
    own, new = night.people[0].public_id, night.person().public_id
    page = page_of(night, "entry", who)
    assert "plays again" not in desk.get(page).content.decode()
    desk.post(page, sent(do=f"substitute:{new}", old=own))
    seen = desk.get(page).content.decode()
    assert "Vorname1 Nachname1 plays again" in seen
    assert f'name="old" value="{new}"' in seen
    desk.post(page, sent(do=f"substitute:{own}", old=new))
    assert night.state.entrants[who].people(1, 1) == (own,)
    assert "plays again" not in desk.get(page).content.decode().partition("</h1>")[2]


def test_families_are_kept_apart_by_marks_that_name_nobody(desk, night):
    for _each in range(8):
        night.person()
    Member.objects.filter(pk__in=[each.pk for each in night.people[:2]]).update(groups=["Familia Cadruvi"])
    desk.post(page_of(night, "add"), sent(do="enter", who=[each.public_id for each in night.people]))
    first, second, third = list(night.state.entrants.values())[:3]
    assert first.groups == second.groups
    assert len(first.groups) == 1
    assert third.groups == ()
    log = json.dumps(list(TournamentEvent.objects.values_list("data", flat=True)))
    assert "Cadruvi" not in log
    assert "Familia Cadruvi" in desk.get(page_of(night, "apart")).content.decode()


def test_marks_of_another_tournament_are_others(night):
    member = Member(groups=["Familia Cadruvi"])
    other = Tournament.objects.create(club=night.club, name="Other", starts=night.tournament.starts)
    assert services.marks(night.tournament, [member]) != services.marks(other, [member])


def test_families_are_taken_over_anew(desk, night):
    who = night.walk_in()
    Member.objects.filter(pk=night.people[0].pk).update(groups=["Sezziun Surselva"])
    desk.post(page_of(night, "apart"), sent(do="families"))
    assert len(night.state.entrants[who].groups) == 1


def test_two_are_kept_apart_by_wish_and_taken_out_again(desk, night):
    one, two = night.walk_in(), night.walk_in()
    desk.post(page_of(night, "apart"), sent(do="add", one=two, two=one))
    assert night.state.apart == ((one, two),)
    answer = desk.post(page_of(night, "apart"), sent(do="add", one=one, two=one))
    assert answer.status_code == 422
    desk.post(page_of(night, "apart"), sent(do=f"remove:{one}:{two}"))
    assert night.state.apart == ()


class TestByOneself:
    """Somebody with an account enters themselves."""

    def test_with_the_club_alone_entering_nobody_does(self, night, client):
        client.force_login(member_player("Anna").user)
        answer = client.post(page_of(night, "enter"), sent(do="enter", first_name="Anna", last_name="Alig"))
        assert answer.status_code == 422
        assert not night.state.entrants

    def test_a_member_enters_with_one_button(self, night, client):
        anna = member_player("Anna")
        member = Member.objects.create(club=night.club, player=anna, first_name="Anna", last_name="Alig")
        open_to(night, "members")
        client.force_login(anna.user)
        assert "You enter as Anna Alig." in client.get(page_of(night, "enter")).content.decode()
        assert client.post(page_of(night, "enter"), sent(do="enter")).status_code == 303
        assert next(iter(night.state.entrants.values())).members == (member.public_id,)
        assert Participation.objects.get().member == member

    def test_a_stranger_is_no_member(self, night, client):
        open_to(night, "members")
        client.force_login(member_player("Anna").user)
        answer = client.post(page_of(night, "enter"), sent(do="enter", first_name="Anna", last_name="Alig"))
        assert answer.status_code == 403
        assert not Member.objects.filter(last_name="Alig").exists()

    def test_everybody_gives_a_name_and_says_whether_they_may_be_named(self, night, client):
        open_to(night, "everybody")
        anna = member_player("Anna")
        client.force_login(anna.user)
        client.post(page_of(night, "enter"), sent(do="enter", first_name="Anna", last_name="Alig", named="on"))
        member = Member.objects.get(last_name="Alig")
        assert (member.kind, member.named, member.player) == (Member.Kind.GUEST, True, anna)
        assert member.consent_by == anna
        assert len(night.state.entrants) == 1

    def test_sent_twice_it_is_done_once(self, night, client):
        open_to(night, "everybody")
        client.force_login(member_player("Anna").user)
        once = sent(do="enter", first_name="Anna", last_name="Alig")
        for _again in range(2):
            assert client.post(page_of(night, "enter"), once).status_code == 303
        assert len(night.state.entrants) == 1

    def test_a_name_is_asked_for_and_what_was_typed_stays(self, night, client):
        open_to(night, "everybody")
        client.force_login(member_player("Anna").user)
        answer = client.post(page_of(night, "enter"), sent(do="enter", first_name="", last_name="", named="on"))
        assert answer.status_code == 422
        assert "Write at least a first name or a last name." in answer.content.decode()
        assert "checked" in answer.content.decode()

    def test_when_all_places_are_taken_nobody_enters_but_the_door_still_can(self, night, client, django_user_model):
        open_to(night, "everybody", most=1)
        night.walk_in()
        client.force_login(member_player("Anna").user)
        answer = client.post(page_of(night, "enter"), sent(do="enter", first_name="Anna", last_name="Alig"))
        assert answer.status_code == 422
        assert "All places are taken." in answer.content.decode()
        night.walk_in()
        assert len(night.state.entrants) == 2

    def test_one_says_that_one_does_not_come_and_enters_again(self, night, client):
        open_to(night, "everybody")
        client.force_login(member_player("Anna").user)
        client.post(page_of(night, "enter"), sent(do="enter", first_name="Anna", last_name="Alig"))
        client.post(page_of(night, "enter"), sent(do="withdraw"))
        assert next(iter(night.state.entrants.values())).status == WITHDRAWN
        client.post(page_of(night, "enter"), sent(do="enter"))
        rows = selectors.entrant_rows(night.state, selectors.names_of(night.tournament, night.state))
        assert sorted(row.status for row in rows) == [EXPECTED, WITHDRAWN]

    def test_whose_account_is_deleted_no_longer_holds_a_place(self, night):
        open_to(night, "everybody", most=1)
        anna, beat = Client(), Client()
        for name, browser in (("Anna", anna), ("Beat", beat)):
            browser.force_login(member_player(name).user)
        anna.post(page_of(night, "enter"), sent(do="enter", first_name="Anna", last_name="Alig"))
        privacy.erase(User.objects.get(player__name="Anna"))
        assert [each.status for each in night.state.entrants.values()] == [WITHDRAWN]
        answer = beat.post(page_of(night, "enter"), sent(do="enter", first_name="Beat", last_name="Alig"))
        assert answer.status_code == 303

    def test_an_account_can_be_deleted_while_an_evening_is_on_another_computer(self, night):
        anna = member_player("Anna")
        night.do("entrant.added", members=[night.person().public_id])
        Member.objects.filter(pk=night.people[0].pk).update(player=anna)
        handover.hand_over(night.tournament, night.director)
        privacy.erase(anna.user)
        assert not User.objects.filter(player__name="Anna").exists()
        assert [each.status for each in night.state.entrants.values()] == [EXPECTED]

    def test_who_is_in_the_hall_stays_in_the_evening_without_a_name(self, night):
        anna = member_player("Anna")
        night.walk_in()
        Member.objects.filter(pk=night.people[0].pk).update(player=anna)
        privacy.erase(anna.user)
        assert [each.status for each in night.state.entrants.values()] == [HERE]

    def test_a_guest_of_the_site_is_asked_to_sign_in(self, night):
        open_to(night, "everybody")
        page = Client().get(page_of(night, "enter")).content.decode()
        assert "Sign in" in page
        assert Client().post(page_of(night, "enter"), sent(do="enter")).status_code == 403

    def test_a_tournament_of_members_only_is_hidden_from_others(self, night, client):
        Tournament.objects.filter(pk=night.tournament.pk).update(is_public=False, entry="everybody")
        client.force_login(member_player("Anna").user)
        assert client.get(page_of(night, "enter")).status_code == 404


def test_somebody_who_cannot_walk_far_keeps_a_table(desk, night):
    who, other = night.walk_in(), night.walk_in()
    desk.post(page_of(night, "entry", who), sent(do="change", fee="10.–", table="3"))
    assert night.state.entrants[who].table == 3
    assert "keeps table 3" in desk.get(page_of(night, "people")).content.decode()
    refused = desk.post(page_of(night, "entry", other), sent(do="change", fee="10.–", table="3"))
    assert refused.status_code == 422
    assert "Somebody else keeps table 3." in refused.content.decode()


def test_a_computer_player_whose_only_draw_was_undone_left_after_no_round(night):
    entrant = night.walk_in()
    state = night.state
    gone = replace(state.entrants[entrant], status=GONE, left=(1, 0))
    state = replace(state, entrants={**state.entrants, entrant: gone})
    (row,) = selectors.entrant_rows(state, selectors.names_of(night.tournament, state))
    assert (row.status, row.notes) == (GONE, ())
