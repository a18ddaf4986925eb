"""Announcing a tournament, changing it, cancelling and deleting it."""

from __future__ import annotations

import uuid
from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.models import Player
from clubs.models import Club, HouseRulesVersion, Member
from clubs.services import common as room_door
from clubs.services.common import Person
from core.exceptions import Refusal
from domain.standings.profile import HouseRules, to_plain
from notices.models import Outbox
from tests.tournaments.services.kit import Night, member_player
from tournaments.models import Tournament
from tournaments.online import notifications
from tournaments.registration import services
from tournaments.selectors import state_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def president() -> Player:
    """Somebody who has founded a club."""
    return member_player("Presidenta")


@pytest.fixture
def club(president: Player) -> Club:
    """The club, with its house rules."""
    given = Club(name="Troccas Cuera", village="Chur", canton="GR")
    return room_door.create_club(president, given, Person("Petra", "Presidenta", True), request_id=uuid.uuid4())


@pytest.fixture
def browser(client: Client, president: Player) -> Client:
    """The president's browser."""
    client.force_login(president.user)
    return client


def filled(client: Client, address: str, **fields: str) -> dict[str, str]:
    """What a browser would send of the form that stands there, with these fields filled in."""
    form = client.get(address).context["form"]
    sent = {"request_id": str(uuid.uuid4())}
    for field in form:
        value = field.value()
        if value is True:
            sent[field.html_name] = "on"
        elif value not in (None, False):
            widget = field.field.widget
            sent[field.html_name] = str(widget.format_value(value) if not isinstance(value, str) else value)
            if isinstance(widget.format_value(value), list):
                sent[field.html_name] = str(value)
    return sent | fields


def new_address(club: Club) -> str:
    return reverse("club-tournaments:new", args=[club.slug])


def test_a_name_and_a_date_are_enough(browser, club):
    address = new_address(club)
    answer = browser.post(address, filled(browser, address, title="Club evening", starts="2036-11-27T19:30"))
    made = Tournament.objects.get()
    assert answer.status_code == 303
    assert answer["Location"] == reverse("tournament:people", args=[made.public_id])
    plan = state_of(made).plan
    assert (plan.rules.rounds, plan.rules.deals, plan.kind, plan.method) == (5, 8, "single", "draw")
    assert plan.odd == ("three",)
    assert made.starts.isoformat() == "2036-11-27T18:30:00+00:00", "the clock in the hall, not of the server"


def test_the_same_form_sent_twice_announces_once(browser, club):
    address = new_address(club)
    sent = filled(browser, address, title="Club evening", starts="2036-11-27T19:30")
    first, second = browser.post(address, sent), browser.post(address, sent)
    assert Tournament.objects.count() == 1
    assert first["Location"] == second["Location"]


def test_what_was_typed_stays_where_something_is_missing(browser, club):
    address = new_address(club)
    answer = browser.post(address, filled(browser, address, title="Sera da troccas", starts="", fee="12.50"))
    assert answer.status_code == 422
    text = answer.content.decode()
    assert "Sera da troccas" in text
    assert "12.50" in text
    assert "Write when it begins." in text
    assert not Tournament.objects.exists()


def test_a_date_that_is_over_is_asked_about(browser, club):
    address = new_address(club)
    today, yesterday = (timezone.localtime() - timedelta(days=days) for days in (0, 1))
    sent = filled(browser, address, title="Sera da troccas", starts=yesterday.strftime("%Y-%m-%dT%H:%M"))
    answer = browser.post(address, sent)
    assert answer.status_code == 422
    assert "This date is over." in answer.content.decode()
    assert 'name="past"' in answer.content.decode()
    assert not Tournament.objects.exists()
    assert browser.post(address, sent | {"past": "on"}).status_code == 303
    sent = filled(browser, address, title="Today", starts=today.strftime("%Y-%m-%dT00:00"))
    assert browser.post(address, sent).status_code == 303
    made = Tournament.objects.get(name="Sera da troccas")
    settings = reverse("tournament:settings", args=[made.public_id])
    assert browser.post(settings, filled(browser, settings, title="Sera da troccas da ier")).status_code == 303


@pytest.mark.parametrize("fee", ["ten", "-5", "10.03"])
def test_a_fee_that_is_no_swiss_money_is_refused_with_words(browser, club, fee):
    address = new_address(club)
    sent = filled(browser, address, title="Club evening", starts="2036-11-27T19:30", fee=fee)
    answer = browser.post(address, sent)
    assert answer.status_code == 422
    assert "smallest coin is five Rappen" in answer.content.decode()


def test_a_tournament_of_pairs_takes_its_own_way_of_seating(browser, club):
    address = new_address(club)
    sent = filled(
        browser, address, title="Pairs", starts="2036-11-27T19:30", kind="pair", method_pair="swiss", fee="20"
    )
    browser.post(address, sent)
    state = state_of(Tournament.objects.get())
    assert (state.plan.kind, state.plan.method, state.plan.odd) == ("pair", "swiss", ("three-pairs",))
    assert state.fee == 2000


def test_in_troggu_everybody_plays_alone_and_the_size_of_table_is_chosen(browser, club):
    address = new_address(club) + "?game=troggu"
    sent = filled(browser, address, title="Troggu", starts="2036-11-27T19:30", usual="4")
    browser.post(address, sent)
    plan = state_of(Tournament.objects.get()).plan
    assert (plan.rules.ruleset, plan.kind, plan.usual, plan.odd) == ("troggu", "single", 4, ())


def test_minutes_without_a_new_deal_are_fewer_than_those_of_the_round(browser, club):
    address = new_address(club)
    sent = filled(browser, address, title="x1", starts="2036-11-27T19:30", minutes="40", last_deal="40")
    answer = browser.post(address, sent)
    assert "This must be less than the minutes of a round." in answer.content.decode()


def test_only_who_plans_for_the_club_announces(client, club):
    member = member_player("Commembra")
    Member.objects.create(club=club, player=member, first_name="Carla", last_name="Commembra", role="director")
    client.force_login(member.user)
    assert client.get(new_address(club)).status_code == 403
    client.logout()
    assert client.get(new_address(club)).status_code == 403


def test_a_change_is_kept_and_told_to_calendars(browser, club):
    address = new_address(club)
    browser.post(address, filled(browser, address, title="Club evening", starts="2036-11-27T19:30"))
    made = Tournament.objects.get()
    settings = reverse("tournament:settings", args=[made.public_id])
    answer = browser.post(settings, filled(browser, settings, place="Hotel Marsöl", rounds="4", fee="5"))
    assert answer.status_code == 303, answer.context["form"].errors
    made.refresh_from_db()
    assert (made.place, made.sequence) == ("Hotel Marsöl", 1)
    assert (state_of(made).plan.rules.rounds, state_of(made).fee) == (4, 500)


def test_a_new_fee_is_for_everybody_who_has_paid_nothing_and_owes_the_usual_one(desk, night):
    HouseRulesVersion.objects.create(club=night.club, version=1, data=to_plain(night.state.plan.rules))
    for _each in range(3):
        night.do("entrant.added", members=[night.person().public_id])
    night.do("money.entered", kind="fee", amount=1000, who="e1")
    night.do("entrant.changed", id="e2", fee=500)
    address = reverse("tournament:settings", args=[night.tournament.public_id])
    assert desk.post(address, filled(desk, address, fee="15")).status_code == 303
    assert [each.fee for each in night.state.entrants.values()] == [1000, 500, 1500]
    night.walk_in()
    assert night.state.entrants["e4"].fee == 1500


def test_who_is_expected_in_the_hall_is_here_online_and_the_other_way_round(desk, night):
    HouseRulesVersion.objects.create(club=night.club, version=1, data=to_plain(night.state.plan.rules))
    night.do("entrant.added", members=[night.person().public_id])
    address = reverse("tournament:settings", args=[night.tournament.public_id])
    for where, status in (("online", "here"), ("hall", "expected")):
        assert desk.post(address, filled(desk, address, where=where)).status_code == 303
        assert night.state.entrants["e1"].status == status
    assert not Outbox.objects.exists()


def test_once_people_have_entered_it_stays_a_tournament_of_persons(desk, night):
    night.walk_in()
    HouseRulesVersion.objects.create(club=night.club, version=1, data=to_plain(night.state.plan.rules))
    address = reverse("tournament:settings", args=[night.tournament.public_id])
    fields = desk.get(address).context["form"].fields
    assert "kind" not in fields
    assert "method_pair" not in fields


def test_a_tournament_in_which_nothing_has_happened_can_be_deleted(browser, club):
    address = new_address(club)
    browser.post(address, filled(browser, address, title="Club evening", starts="2036-11-27T19:30"))
    made = Tournament.objects.get()
    delete = reverse("tournament:delete", args=[made.public_id])
    assert "as if it had never been" in browser.get(delete).content.decode()
    browser.post(delete, {"request_id": str(uuid.uuid4())})
    assert not Tournament.objects.exists()


def test_a_request_to_delete_that_comes_twice_deletes_once_and_one_tournament_only(browser, president, club):
    address = new_address(club)
    for title in ("First", "Second"):
        browser.post(address, filled(browser, address, title=title, starts="2036-11-27T19:30"))
    first, second = (Tournament.objects.get(name=title) for title in ("First", "Second"))
    request_id = uuid.uuid4()
    for _time in range(2):
        services.delete_tournament(first, president, request_id=request_id)
    with pytest.raises(Refusal) as refused:
        services.delete_tournament(second, president, request_id=request_id)
    assert refused.value.code == "request-reused"
    assert list(Tournament.objects.all()) == [second]


def test_one_that_was_opened_stays(desk, night):
    answer = desk.post(reverse("tournament:delete", args=[night.tournament.public_id]), {})
    assert answer.status_code == 422
    assert Tournament.objects.exists()


def test_who_has_entered_is_told_when_it_is_cancelled_or_held_after_all(desk, night):
    anna = member_player("Anna")
    member = Member.objects.create(club=night.club, player=anna, first_name="Anna", last_name="Alig")
    night.do("entrant.added", members=[member.public_id])
    Tournament.objects.filter(pk=night.tournament.pk).update(starts=timezone.now() + timedelta(days=2))
    cancel = reverse("tournament:cancel", args=[night.tournament.public_id])
    for event, title in (("tournament.cancelled", "Cancelled: "), ("tournament.held", "After all: ")):
        desk.post(cancel, {"request_id": str(uuid.uuid4())})
        notice = Outbox.objects.get(player=anna, event=event)
        assert notifications.still_true(event, notice.params, anna)
        told = notifications.words(event, notice.params, anna, "en")
        assert told is not None
        assert told.subject == f"{title}Sera da troccas"
    assert not notifications.still_true("tournament.cancelled", notice.params, anna), "it is held after all"
    assert not Outbox.objects.filter(player=night.director).exists(), "who did it knows"


def test_a_cancelled_tournament_takes_nobody_in_and_can_be_held_after_all(desk, night):
    cancel = reverse("tournament:cancel", args=[night.tournament.public_id])
    desk.post(cancel, {"request_id": str(uuid.uuid4())})
    night.tournament.refresh_from_db()
    assert night.tournament.status == Tournament.Status.CANCELLED
    door = reverse("tournament:people", args=[night.tournament.public_id])
    answer = desk.post(door, {"do": "walk-in", "first_name": "Anna", "last_name": "Alig"})
    assert answer.status_code == 410
    assert not Member.objects.filter(last_name="Alig").exists(), "a refusal leaves nothing behind"
    desk.post(cancel, {"request_id": str(uuid.uuid4())})
    night.tournament.refresh_from_db()
    assert night.tournament.status == Tournament.Status.RUNNING


def test_what_has_been_drawn_is_not_cancelled(client):
    night = Night.at(8)
    night.begin()
    night.draw()
    client.force_login(night.director.user)
    answer = client.post(reverse("tournament:cancel", args=[night.tournament.public_id]), {})
    assert answer.status_code == 422
    assert "Close the tournament instead" in answer.content.decode()


def test_opening_publishes_what_all_draws_come_from(browser, club):
    address = new_address(club)
    browser.post(address, filled(browser, address, title="Club evening", starts="2036-11-27T19:30"))
    made = Tournament.objects.get()
    people = reverse("tournament:people", args=[made.public_id])
    assert "secret number" in browser.get(people).content.decode()
    browser.post(people, {"request_id": str(uuid.uuid4()), "do": "open"})
    made.refresh_from_db()
    commitment = state_of(made).commitment
    assert len(commitment) == 64
    assert commitment in browser.get(reverse("tournament:draws", args=[made.public_id])).content.decode()


def test_the_dry_run_shows_several_numbers_side_by_side(desk, night):
    address = reverse("tournament:dry-run", args=[night.tournament.public_id])
    fields = {"numbers": "22, 23, 24", "rounds": "3", "deals": "4", "minutes_per_deal": "5", "between": "10"}
    answer = desk.get(address, fields | {"start": "20:00"})
    found = answer.context["outlooks"]
    assert [one.number for one in found] == [22, 23, 24]
    assert found[2].rounds[0].tables == "6 tables of 4"
    assert found[2].rounds[0].starts == "20:00"
    assert found[2].ends == "21:20", "three rounds of 20 minutes and two breaks of 10"
    assert found[1].warnings


@pytest.mark.parametrize("numbers", ["", "many", "1", "401", "1 2 3 4 5 6 7 8"])
def test_a_dry_run_of_nonsense_says_what_to_write(desk, night, numbers):
    address = reverse("tournament:dry-run", args=[night.tournament.public_id])
    fields = {"rounds": "3", "deals": "4", "minutes_per_deal": "5", "between": "10", "start": "20:00"}
    answer = desk.get(address, fields | {"numbers": numbers})
    assert answer.status_code == 422
    assert answer.context["form"].errors["numbers"]


def test_staff_pages_are_closed_to_strangers(client, night):
    for name in (
        "settings",
        "dry-run",
        "cancel",
        "delete",
        "codes",
        "add",
        "apart",
        "people",
        "till",
    ):
        answer = client.get(reverse(f"tournament:{name}", args=[night.tournament.public_id]))
        assert answer.status_code == 403, name
        assert night.state.commitment not in answer.content.decode()


def test_strangers_read_nothing_of_a_tournament_that_only_the_club_sees(client):
    night = Night.at()
    Tournament.objects.update(is_public=False, name="Sera zuppada")
    for page in ("settings/", "till/", "people/"):
        client.logout()
        answer = client.get(f"/e/{night.tournament.public_id}/{page}")
        assert answer.status_code == 302
        assert "/login" in answer["Location"]
        client.force_login(member_player(f"Jester{page[:2]}").user)
        answer = client.get(f"/e/{night.tournament.public_id}/{page}")
        assert answer.status_code == 404
        assert "zuppada" not in answer.content.decode()


def test_settings_of_a_closed_tournament_promise_no_next_part_and_move_nobody(desk, night):
    HouseRulesVersion.objects.create(club=night.club, version=1, data=to_plain(HouseRules()))
    night.do("tournament.planned", plan={"rules": {"rounds": 4, "deals": 2}, "odd": ["three"]}, fee=1000)
    night.walk_in()
    member = night.people[0]
    member.player = member_player("Entrant")
    member.save()
    night.begin()
    address = f"/e/{night.tournament.public_id}/settings/"
    begun = "holds from its next part on"
    assert begun in desk.get(address).content.decode()
    night.do("tournament.closed", despite="it was a test")
    seen = desk.get(address).content.decode()
    assert begun not in seen
    assert "its plan stays as it was played" in seen
    later = (timezone.localtime() + timedelta(days=9)).strftime("%Y-%m-%dT%H:%M")
    assert desk.post(address, filled(desk, address, starts=later)).status_code == 303
    assert not Outbox.objects.filter(event=notifications.MOVED).exists()


@pytest.mark.parametrize("over", ["closed", "cancelled"])
def test_what_can_no_longer_be_changed_is_not_offered_and_the_announcement_still_is(desk, night, over):
    HouseRulesVersion.objects.create(club=night.club, version=1, data=to_plain(HouseRules()))
    address = f"/e/{night.tournament.public_id}/settings/"
    before = filled(desk, address)
    if over == "closed":
        night.begin()
        night.do("tournament.closed", despite="it was a test")
    else:
        services.cancel_tournament(night.tournament, night.director, cancelled=True, request_id=uuid.uuid4())
    plan, number = night.state.plan, night.state.number
    answer = desk.get(address)
    assert {field.html_name for field in answer.context["form"]} == {
        "title", "starts", "ends", "place", "text", "language", "is_public",
    }  # fmt: skip
    assert 'href="?game' not in answer.content.decode()
    assert 'href="?rules' not in answer.content.decode()
    sent = before | {"title": "Autumn evening", "rounds": "9", "fee": "90", "request_id": str(uuid.uuid4())}
    assert desk.post(f"{address}?game=troggu-graechen", sent).status_code == 303
    night.tournament.refresh_from_db()
    assert night.tournament.name == "Autumn evening"
    assert (night.state.plan, night.state.number) == (plan, number)
