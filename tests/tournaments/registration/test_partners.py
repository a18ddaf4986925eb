"""Two people become a pair by themselves: one sends the other a link."""

from __future__ import annotations

import re
import uuid
from html import unescape
from urllib.parse import urlsplit

import pytest
from django.core.signing import Signer
from django.test import Client

from accounts.models import Player, User
from accounts.privacy import erase
from clubs.models import Member
from domain.tournament.state import EXPECTED, MERGED, WITHDRAWN
from notices.models import Outbox
from tests.tournaments.services.kit import Night, member_player
from tournaments.models import Tournament
from tournaments.online import notifications
from tournaments.registration import by_oneself

pytestmark = pytest.mark.django_db


@pytest.fixture
def night() -> Night:
    """A tournament of pairs that everybody with an account may enter."""
    found = Night.at(kind="pair", odd=["bye"])
    open_to(found, Tournament.Entry.EVERYBODY)
    return found


def open_to(night: Night, entry: str, most: int = 0) -> None:
    Tournament.objects.filter(pk=night.tournament.pk).update(entry=entry, most=most)


def browser_of(player: Player) -> Client:
    browser = Client()
    browser.force_login(player.user)
    return browser


def address(night: Night) -> str:
    return f"/e/{night.tournament.public_id}/enter/"


def press(browser: Client, where: str, do: str, **fields: str) -> str:
    """The page that comes when somebody presses this button."""
    answer = browser.post(where, {"request_id": str(uuid.uuid4()), "do": do, **fields}, follow=True)
    return unescape(answer.content.decode())


def entered(night: Night, first: str) -> Client:
    """The browser of somebody who has entered alone."""
    browser = browser_of(member_player(first))
    press(browser, address(night), "enter", first_name=first, last_name="Caduff")
    return browser


def link_of(browser: Client, night: Night) -> str:
    """The link for the partner on one's own page, without the host; "" if none is offered."""
    found = re.search(r'data-copy="([^"]+)"', browser.get(address(night)).content.decode())
    if found is None:
        return ""
    parts = urlsplit(unescape(found[1]))
    return f"{parts.path}?{parts.query}"


def token_in(page: str) -> str:
    found = re.search(r'name="partner" value="([^"]+)"', page)
    assert found is not None
    return found[1]


def follow(browser: Client, link: str, do: str, **fields: str) -> str:
    """The page that comes when somebody opens the link and presses this button."""
    page = unescape(browser.get(link).content.decode())
    return press(browser, link, do, partner=token_in(page), **fields)


def pairs_of(night: Night) -> list[tuple[str, ...]]:
    """The first names of those who play together, or alone."""
    names = {member.public_id: member.first_name for member in Member.objects.filter(club=night.club)}
    return [
        tuple(names[person] for person in each.members)
        for each in night.state.entrants.values()
        if each.status not in (MERGED, WITHDRAWN)
    ]


def test_whoever_enters_by_the_link_is_the_partner(night):
    gion = entered(night, "Gion")
    link = link_of(gion, night)
    anna = browser_of(member_player("Anna"))
    page = unescape(anna.get(link).content.decode())
    assert "Gion Caduff asks you to play as a pair." in page
    assert "Enter with Gion Caduff" in page
    seen = follow(anna, link, "enter", first_name="Anna", last_name="Derungs")
    assert "You play with Gion Caduff." in seen
    assert pairs_of(night) == [("Gion", "Anna")]
    assert night.state.entrants["e1"].status == EXPECTED
    assert "You play with Anna Derungs." in unescape(gion.get(address(night)).content.decode())
    assert link_of(gion, night) == ""


def test_two_who_have_entered_already_become_a_pair(night):
    link = link_of(entered(night, "Gion"), night)
    anna = entered(night, "Anna")
    assert "Play with Gion Caduff" in anna.get(link).content.decode()
    assert "You play with Gion Caduff." in follow(anna, link, "play-with")
    assert pairs_of(night) == [("Gion", "Anna")]


def test_a_link_is_for_one_partner(night):
    link = link_of(entered(night, "Gion"), night)
    anna, beat, carla = entered(night, "Anna"), entered(night, "Beat"), browser_of(member_player("Carla"))
    token = token_in(unescape(beat.get(link).content.decode()))
    follow(anna, link, "play-with")
    assert "has a partner by now" in press(beat, link, "play-with", partner=token)
    assert "has a partner by now" in press(carla, link, "enter", partner=token, first_name="Carla", last_name="Imhof")
    assert pairs_of(night) == [("Gion", "Anna"), ("Beat",)]
    assert not Member.objects.filter(first_name="Carla").exists()
    page = carla.get(link).content.decode()
    assert "has a partner by now" in page
    assert "Gion" not in page
    assert "has a partner by now" in beat.get(link).content.decode()
    assert "has a partner by now" not in anna.get(link).content.decode()


def test_ones_own_link_is_nothing_to_follow(night):
    gion = entered(night, "Gion")
    link = link_of(gion, night)
    page = gion.get(link).content.decode()
    assert "asks you" not in page
    assert "has a partner by now" not in page
    token = by_oneself.token_of(night.tournament, night.state.entrants["e1"].members[0])
    press(gion, link, "play-with", partner=token)
    assert pairs_of(night) == [("Gion",)]


@pytest.mark.parametrize("token", ["", "x", "a:b", "é:ü", "x" * 5000])
def test_a_token_that_is_not_ours_leads_to_nobody(night, token):
    gion = entered(night, "Gion")
    anna = browser_of(member_player("Anna"))
    answer = anna.get(address(night), {"partner": token})
    assert answer.status_code == 200
    assert "Caduff" not in answer.content.decode()
    press(gion, address(night), "play-with", partner=token)
    assert pairs_of(night) == [("Gion",)]


def test_a_token_of_another_tournament_leads_to_nobody(night):
    entered(night, "Gion")
    person = night.state.entrants["e1"].members[0]
    other = Tournament(public_id="another")
    for token in (by_oneself.token_of(other, person), Signer().sign(person), person):
        assert by_oneself.asking(night.tournament, night.state, token) is None


def test_who_has_no_account_comes_back_to_the_link(night):
    link = link_of(entered(night, "Gion"), night)
    page = unescape(Client().get(link).content.decode())
    assert "Gion Caduff asks you to play as a pair." in page
    signup = re.search(r'href="(/[^"]*account/signup/\?next=[^"]+)"', page)
    assert signup is not None
    assert "partner%3D" in signup[1]


def test_who_does_not_come_leaves_the_partner_who_entered_by_themselves(night):
    gion, anna = entered(night, "Gion"), entered(night, "Anna")
    follow(anna, link_of(gion, night), "play-with")
    assert "Anna Caduff stays and needs somebody else." in unescape(gion.get(address(night)).content.decode())
    press(gion, address(night), "withdraw")
    assert pairs_of(night) == [("Anna",)]
    assert "You need a partner." in anna.get(address(night)).content.decode()
    follow(entered(night, "Beat"), link_of(anna, night), "play-with")
    assert pairs_of(night) == [("Anna", "Beat")]


def test_an_account_that_is_deleted_leaves_a_partner_who_entered_by_themselves(night):
    gion, anna = entered(night, "Gion"), entered(night, "Anna")
    follow(anna, link_of(gion, night), "play-with")
    erase(User.objects.get(player__name="Gion"))
    assert pairs_of(night) == [("Anna",)]


def test_an_account_that_is_deleted_does_not_take_a_partner_away_whom_the_club_entered(night):
    people = [night.person(), night.person()]
    gion = member_player("Gion")
    Member.objects.filter(pk=people[0].pk).update(player=gion)
    night.do("entrant.added", members=[each.public_id for each in people])
    erase(gion.user)
    assert night.state.entrants["e1"].status == EXPECTED


def test_who_was_entered_as_a_pair_is_told_that_both_do_not_come(night):
    gion, anna = member_player("Gion"), member_player("Anna")
    people = [night.person(), night.person()]
    for person, player in zip(people, (gion, anna), strict=True):
        Member.objects.filter(pk=person.pk).update(player=player)
    night.do("entrant.added", members=[each.public_id for each in people])
    page = unescape(browser_of(gion).get(address(night)).content.decode())
    assert "does not come either" in page
    assert "We do not play together" not in page
    assert "cannot part this pair" in press(browser_of(gion), address(night), "part")
    press(browser_of(gion), address(night), "withdraw")
    assert pairs_of(night) == []


def test_who_is_replaced_does_not_take_off_the_list_who_comes_for_them(night):
    gion = entered(night, "Gion")
    own = night.state.entrants["e1"].members[0]
    night.do("entrant.substituted", id="e1", old=own, new=night.person().public_id)
    assert "I am not coming after all" not in gion.get(address(night)).content.decode()
    assert "A substitute plays here." in press(gion, address(night), "withdraw")
    assert pairs_of(night) == [("Gion",)]


def test_the_partner_is_whoever_plays(night):
    gion, anna = entered(night, "Gion"), entered(night, "Anna")
    follow(anna, link_of(gion, night), "play-with")
    new = night.person()
    night.do("entrant.substituted", id="e1", old=night.state.entrants["e1"].members[0], new=new.public_id)
    partner = f"{new.first_name} {new.last_name}"
    for address_of, words in (("enter/", f"You play with {partner}."), ("me/", f"Pair with {partner}")):
        page = anna.get(f"/e/{night.tournament.public_id}/{address_of}", follow=True)
        assert words in unescape(page.content.decode())


def test_a_pair_that_found_itself_parts_until_it_is_in_the_hall(night):
    gion, anna = entered(night, "Gion"), entered(night, "Anna")
    follow(anna, link_of(gion, night), "play-with")
    assert "Each of you needs a partner now." in press(anna, address(night), "part")
    assert pairs_of(night) == [("Gion",), ("Anna",)]
    follow(anna, link_of(gion, night), "play-with")
    night.do("entrant.arrived", id="e1")
    assert "We do not play together" not in anna.get(address(night)).content.decode()
    assert "cannot part this pair" in press(anna, address(night), "part")
    assert pairs_of(night) == [("Gion", "Anna")]


def test_a_repeated_press_changes_nothing_twice(night):
    link = link_of(entered(night, "Gion"), night)
    anna = entered(night, "Anna")
    token = token_in(unescape(anna.get(link).content.decode()))
    once = {"request_id": str(uuid.uuid4()), "do": "play-with", "partner": token}
    number = [anna.post(link, once).status_code and night.state.number for _press in range(2)]
    assert number[0] == number[1]
    assert pairs_of(night) == [("Gion", "Anna")]


def test_no_link_where_nobody_can_enter_by_it(night):
    gion = entered(night, "Gion")
    open_to(night, Tournament.Entry.DESK)
    assert link_of(gion, night) == ""


def test_where_partners_change_nobody_is_asked_for_one():
    found = Night.at()
    open_to(found, Tournament.Entry.EVERYBODY)
    gion = entered(found, "Gion")
    assert link_of(gion, found) == ""
    assert "You need a partner" not in gion.get(address(found)).content.decode()


def test_both_are_told_unless_they_did_it_themselves(night):
    gion, anna = entered(night, "Gion"), entered(night, "Anna")
    follow(anna, link_of(gion, night), "play-with")
    press(anna, address(night), "withdraw")
    told = list(Outbox.objects.order_by("pk").values_list("event", "player__name"))
    assert told == [("tournament.partner", "Gion"), ("tournament.alone", "Gion")]


def test_what_they_are_told_holds_until_it_changes(night):
    gion, anna = entered(night, "Gion"), entered(night, "Anna")
    player = Player.objects.get(name="Gion")
    follow(anna, link_of(gion, night), "play-with")
    joined = Outbox.objects.get(event="tournament.partner")
    told = notifications.words(joined.event, joined.params, player, "en")
    assert told is not None
    assert (told.subject, told.line) == ("You have a partner: Sera da troccas", "You play with Anna Caduff.")
    assert told.url == address(night)
    assert notifications.still_true(joined.event, joined.params, player)
    press(anna, address(night), "part")
    alone = Outbox.objects.get(event="tournament.alone")
    told = notifications.words(alone.event, alone.params, player, "en")
    assert told is not None
    assert told.line == "Anna Caduff does not play with you any more."
    assert not notifications.still_true(joined.event, joined.params, player)
    assert notifications.still_true(alone.event, alone.params, player)
    follow(anna, link_of(gion, night), "play-with")
    assert not notifications.still_true(alone.event, alone.params, player)
    press(gion, address(night), "withdraw")
    assert not notifications.still_true(alone.event, alone.params, player)


def test_what_one_tap_pays_for_a_pair_is_said_for_each_person(client):
    night = Night.at(kind="pair")
    client.force_login(night.director.user)
    night.walk_in(pair=True)
    page = client.get(f"/e/{night.tournament.public_id}/people/").content.decode()
    assert "One tap on a name: here, and 10.– paid for each person." in page
