"""Saying at the entrance that one is here."""

from __future__ import annotations

import re
import time
import uuid
from types import SimpleNamespace

import pytest
from django.test import Client
from django.urls import reverse

from clubs.models import Member
from core import limits
from tests.tournaments.services.kit import STARTS, Night
from tournaments.models import Tournament
from tournaments.services import codes

pytestmark = pytest.mark.django_db


@pytest.fixture
def night() -> Night:
    """A tournament with three who are expected."""
    night = Night.at(4)
    for first, last in (("Ursulina", "Solèr"), ("Ursin", "Tuor"), ("Beat", "Urech")):
        member = Member.objects.create(club=night.club, first_name=first, last_name=last)
        night.people.append(member)
        night.do("entrant.added", members=[member.public_id])
    return night


def base(night: Night, what: str = codes.ARRIVE) -> str:
    """The address of a code of the hall."""
    return f"/e/{night.tournament.public_id}/k/{codes.hall_code(night.tournament, night.state, what)}/"


def find(night: Night, typed: str) -> str:
    """What is found."""
    return Client().get(base(night) + "find/", {"q": typed}).content.decode()


def post(night: Night, what: str, **data: str):
    """Post as a phone does, without cookies."""
    return Client(enforce_csrf_checks=True).post(base(night) + what + "/", {"request_id": str(uuid.uuid4()), **data})


def test_nobody_is_named_before_two_letters_are_typed(night):
    assert "Ursulina" not in Client().get(base(night)).content.decode()
    assert "Ursulina" not in find(night, "u")
    assert "Ursulina" not in find(night, "*%")


def test_letters_find_the_beginnings_of_names_without_accents(night):
    text = find(night, "ur")
    assert all(name in text for name in ("Ursulina Solèr", "Ursin Tuor", "Beat Urech"))
    assert "Vorname1" not in text
    assert "Solèr" in find(night, "soler urs")


def test_members_of_the_club_who_have_not_entered_are_named_to_nobody(night):
    Member.objects.create(club=night.club, first_name="Ursula", last_name="Ursprung")
    assert "Ursprung" not in find(night, "urs")


def test_one_tap_and_one_is_in_and_reads_what_to_pay(night):
    answer = post(night, "arrive", entrant="e5")
    assert answer.status_code == 303
    assert night.state.entrants["e5"].status == "here"
    text = Client().get(answer["Location"]).content.decode()
    assert "CHF 10.00" in text
    assert codes.look_code(night.tournament, night.people[4].public_id) in text


def test_nobody_gets_at_the_entrance_by_what_to_act_for_somebody_whose_name_they_tap(night):
    """The first to tap a name need not be that person: a code from the entrance lets one look, not act."""
    person = night.people[4].public_id
    answer = post(night, "arrive", entrant="e5")
    welcome = Client().get(answer["Location"]).content.decode()
    own = codes.person_code(night.tournament, person)
    assert own not in answer["Location"] + welcome
    for address in set(re.findall(r"/e/[^\"\s]+/p/[^\"\s/]+/", welcome)):
        assert Client().post(f"{address}withdraw/").status_code == 404
    night.begin()
    night.draw()
    look = Client().get(f"/e/{night.tournament.public_id}/p/{codes.look_code(night.tournament, person)}/")
    assert "/s/" not in look.content.decode(), "no way to the sheet"


def test_a_substitute_finds_their_own_name_and_their_own_page(night):
    new = Member.objects.create(club=night.club, first_name="Gion", last_name="Nuv")
    night.do("entrant.substituted", id="e5", old=night.people[4].public_id, new=new.public_id)
    assert "Gion Nuv" in find(night, "gion")
    assert "Ursulina" not in find(night, "ursu")
    for way in ({"what": "arrive", "entrant": "e5"}, {"what": "come-in", "first_name": "Gion", "last_name": "Nuv"}):
        answer = post(night, **way)
        assert answer.status_code == 303
        assert night.state.entrants["e5"].status == "here"
        welcome = Client().get(answer["Location"]).content.decode()
        assert "Gion Nuv" in welcome
        assert codes.look_code(night.tournament, new.public_id) in welcome
        assert codes.look_code(night.tournament, night.people[4].public_id) not in welcome


def test_who_is_here_already_is_let_in_once_and_that_tap_sent_again_leads_to_the_own_page(night):
    request = str(uuid.uuid4())
    first = post(night, "arrive", entrant="e5", request_id=request)
    before = night.state.number
    assert post(night, "arrive", entrant="e5", request_id=request)["Location"] == first["Location"]
    assert night.state.number == before


def test_nobody_gets_at_the_entrance_by_what_to_write_for_somebody_who_is_here(night):
    night.begin()
    night.draw()
    person = night.state.entrants["e1"].members[0]
    own = codes.person_code(night.tournament, person)
    name = {"first_name": "Vorname1", "last_name": "Nachname1"}
    for answer in (post(night, "arrive", entrant="e1"), post(night, "come-in", **name)):
        welcome = Client().get(answer["Location"]).content.decode()
        look = codes.look_code(night.tournament, person)
        assert answer.status_code == 303
        assert own not in welcome
        page = Client().get(f"/e/{night.tournament.public_id}/p/{look}/")
        assert "Table 1" in page.content.decode()
        assert "/s/" not in page.content.decode()
        # As a word: the three letters alone may stand in the random token of the form for the language.
        assert not re.search(r"\bCHF\b", welcome + page.content.decode())
    refused = Client().post(f"/e/{night.tournament.public_id}/p/{look}/withdraw/")
    assert refused.status_code == 404


def test_who_is_not_on_the_list_comes_in_with_a_name(night):
    answer = post(night, "come-in", first_name="Curdin", last_name="Caviezel")
    assert answer.status_code == 303
    entrant = night.state.entrants["e8"]
    assert (entrant.status, entrant.by_phone) == ("expected", True)
    member = Member.objects.get(public_id=entrant.members[0])
    assert (member.first_name, member.kind, member.named) == ("Curdin", "guest", False)
    assert "as soon as somebody there has seen you" in Client().get(answer["Location"]).content.decode()
    again = post(night, "come-in", first_name="Curdin", last_name="Caviezel")
    post(night, "arrive", entrant="e8")
    assert again.status_code == 303
    assert night.state.entrants["e8"].status == "expected", "nobody has seen them yet"
    director = Client()
    director.force_login(night.director.user)
    door = reverse("tournament:people", args=[night.tournament.public_id])
    assert "by phone, not seen yet" in director.get(door).content.decode()
    director.post(door, {"do": "here:e8", "request_id": str(uuid.uuid4())})
    assert (night.state.entrants["e8"].status, night.state.entrants["e8"].by_phone) == ("here", False)
    assert "as soon as somebody there has seen you" not in Client().get(answer["Location"]).content.decode()


def test_sent_twice_one_comes_in_once(night):
    request = str(uuid.uuid4())
    for _time in range(2):
        answer = post(night, "come-in", first_name="Curdin", last_name="Caviezel", request_id=request)
        assert answer.status_code == 303
    assert Member.objects.filter(last_name="Caviezel").count() == 1
    assert len(night.state.entrants) == 8


def test_a_name_the_club_knows_is_no_second_entry_in_its_list(night):
    known = Member.objects.create(club=night.club, first_name="Curdin", last_name="Caviezel")
    post(night, "come-in", first_name="curdin", last_name="caviezel")
    assert night.state.entrants["e8"].members == (known.public_id,)
    post(night, "come-in", first_name="Ursulina", last_name="Soler")
    assert night.state.entrants["e5"].status == "here"
    assert Member.objects.filter(last_name__startswith="Sol").count() == 1


def test_two_of_a_name_are_for_the_desk(night):
    for _time in range(2):
        Member.objects.create(club=night.club, first_name="Curdin", last_name="Caviezel")
    answer = post(night, "come-in", first_name="Curdin", last_name="Caviezel")
    assert answer.status_code == 422
    assert "tell the desk" in answer.content.decode()


@pytest.mark.parametrize(
    ("first", "last"), [("", "Caviezel"), ("Curdin", ""), ("7", "Caviezel"), ("x" * 90, "Caviezel")]
)
def test_a_name_that_is_none_is_refused_and_stays_typed(night, first, last):
    answer = post(night, "come-in", first_name=first, last_name=last)
    assert answer.status_code == 422
    assert f'value="{last}"' in answer.content.decode()
    assert len(night.state.entrants) == 7


def test_coming_in_is_limited_by_address(night, monkeypatch):
    # Every minute lets one more in: where sixty take longer than that, the next one would not be too many.
    monkeypatch.setattr(limits, "time", SimpleNamespace(time=lambda: 0.0, sleep=time.sleep))
    for number in range(60):
        post(
            night,
            "come-in",
            first_name="A" + "bcdefghijk"[number % 10] * 3,
            last_name="B" + "abcdefgh"[number // 10] * 3,
        )
    answer = post(night, "come-in", first_name="Curdin", last_name="Caviezel")
    assert answer.status_code == 429


def test_before_the_door_opens_nobody_comes_in():
    night = Night.at()
    shut = Tournament.objects.create(club=night.club, name="Damaun", starts=STARTS)
    later = Night(night.club, shut, night.director)
    assert "not open yet" in Client().get(base(later)).content.decode()
    assert post(later, "come-in", first_name="Curdin", last_name="Caviezel").status_code == 422
    assert not Member.objects.filter(last_name="Caviezel").exists()


def test_before_it_opens_and_once_it_is_over_nobody_is_named(night):
    night.begin()
    night.do("tournament.closed", despite="a test")
    assert "Ursulina" not in find(night, "urs")
    assert "Ursulina" not in Client().get(base(night), {"q": "urs"}).content.decode()
    night.do("tournament.reopened", reason="a test")
    assert "Ursulina" in find(night, "urs")


def test_a_renewed_code_lets_nobody_in(night):
    old = base(night)
    night.do("hall-key.renewed", what="arrive")
    assert Client().get(old).status_code == 404
    assert Client().get(old + "find/", {"q": "ursu"}).status_code == 404
    assert Client().post(old + "arrive/", {"entrant": "e5"}).status_code == 404
    assert night.state.entrants["e5"].status == "expected"


def test_the_code_of_the_screen_lets_nobody_in(night):
    assert Client().post(base(night, codes.SCREEN) + "arrive/", {"entrant": "e5"}).status_code == 404


def test_the_code_of_the_door_leads_to_the_helpers_page(night):
    answer = Client().get(base(night, codes.DOOR))
    assert answer.status_code == 302
    assert "/door/" in answer["Location"]
