"""The door: taps by two helpers at once, walk-ins, fees, codes, pairs."""

from __future__ import annotations

import re
import uuid
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from clubs.models import Member
from domain.tournament.state import EXPECTED, HERE
from tests.clubs import kit
from tests.tournaments.services.kit import Night
from tournaments import permissions as tournaments_permissions
from tournaments.models import TournamentEvent
from tournaments.registration import selectors
from tournaments.services import codes
from tournaments.services import log as tournament_door

pytestmark = pytest.mark.django_db


def door_of(night: Night) -> str:
    return reverse("tournament:people", args=[night.tournament.public_id])


def helper_of(night: Night) -> str:
    code = codes.hall_code(night.tournament, night.state, codes.DOOR)
    return reverse("tournament:door-code", args=[night.tournament.public_id, code])


def tap(client: Client, address: str, do: str, **more: str) -> Any:
    """One tap, as the script sends it."""
    sent = {"do": do, "request_id": str(uuid.uuid4())} | more
    return client.post(address, sent, headers={"HX-Request": "true"})


def expect(night: Night, number: int = 1) -> list[str]:
    """So many who have entered and are not here."""
    ids = []
    for _each in range(number):
        night.do("entrant.added", members=[night.person().public_id])
        ids.append(f"e{len(night.state.entrants)}")
    return ids


def long_ago(night: Night) -> None:
    """What was tapped so far was tapped a minute ago."""
    TournamentEvent.objects.filter(tournament=night.tournament).update(at=timezone.now() - timedelta(minutes=1))


def test_one_tap_marks_somebody_as_here_and_another_takes_it_back(desk, night):
    (who,) = expect(night)
    assert tap(desk, door_of(night), f"here:{who}").status_code == 200
    assert night.state.entrants[who].status == HERE
    tap(desk, door_of(night), f"not-here:{who}")
    assert night.state.entrants[who].status == EXPECTED


def test_of_two_helpers_who_take_the_same_fee_at_once_only_one_writes_it_down(desk, night):
    (who,) = expect(night)
    tap(desk, door_of(night), f"here:{who}")
    request = str(uuid.uuid4())
    assert tap(desk, door_of(night), f"pay:{who}:1000", request_id=request).status_code == 200
    second = tap(Client(), helper_of(night), f"pay:{who}:1000")
    assert second.status_code == 409
    assert "paid in the meantime" in second.content.decode()
    assert tap(desk, door_of(night), f"pay:{who}:1000", request_id=request).status_code == 200
    assert [(each.who, each.amount) for each in night.state.money] == [(who, 1000)]


def test_after_ten_seconds_taking_back_asks_first(desk, night):
    (who,) = expect(night)
    tap(desk, door_of(night), f"here:{who}")
    long_ago(night)
    answer = tap(desk, door_of(night), f"not-here:{who}")
    assert 'id="ask"' in answer.content.decode()
    assert night.state.entrants[who].status == HERE
    tap(desk, door_of(night), f"not-here:{who}", sure="1")
    assert night.state.entrants[who].status == EXPECTED


def test_without_script_the_question_is_a_page_and_yes_twice_is_yes_once(desk, night):
    who = night.walk_in()
    sent = {"do": f"leave:{who}", "request_id": str(uuid.uuid4())}
    page = desk.post(door_of(night), sent)
    assert "Does Vorname1 Nachname1 leave the tournament?" in page.content.decode()
    before = TournamentEvent.objects.count()
    for _again in range(2):
        assert desk.post(door_of(night), sent | {"sure": "1"}).status_code == 303
    assert TournamentEvent.objects.count() == before + 1


def test_two_helpers_at_once_see_each_others_taps(desk, night, db):
    one, two = expect(night, 2)
    helper = Client()
    tap(desk, door_of(night), f"here:{one}")
    answer = tap(helper, helper_of(night), f"here:{two}")
    count = answer.context["count"]
    assert (count.here, count.expected) == (2, 2)
    again = tap(helper, helper_of(night), f"here:{one}")
    assert again.status_code == 200, "both meant the same"
    assert night.state.entrants[one].status == HERE


def test_one_form_holds_the_list_and_each_of_its_buttons_is_a_request_of_its_own(desk, night):
    one, two = expect(night, 2)
    same = str(uuid.uuid4())
    desk.post(door_of(night), {"do": f"here:{one}", "request_id": same})
    desk.post(door_of(night), {"do": f"here:{two}", "request_id": same})
    assert [night.state.entrants[who].status for who in (one, two)] == [HERE, HERE]


def test_a_walk_in_is_entered_here_and_paid_with_one_form(desk, night):
    answer = tap(desk, door_of(night), "walk-in-paid", first_name="Zita", last_name="Nova")
    assert answer.status_code == 200
    assert "Zita Nova: here, 10.– paid." in answer.content.decode()
    (entrant,) = night.state.entrants.values()
    assert entrant.status == HERE
    assert [(each.kind, each.amount, each.who) for each in night.state.money] == [("fee", 1000, entrant.id)]
    member = Member.objects.get(last_name="Nova")
    assert (member.kind, member.named, member.player) == (Member.Kind.GUEST, False, None)


def test_a_walk_in_of_just_now_is_taken_back_with_one_tap(desk, night):
    tap(desk, door_of(night), "walk-in", first_name="Zita", last_name="Nova")
    tap(desk, door_of(night), "not-here:e1")
    assert night.state.entrants["e1"].status == EXPECTED


def test_the_form_of_a_walk_in_sent_twice_enters_once(desk, night):
    sent = {"do": "walk-in-paid", "first_name": "Zita", "last_name": "Nova", "request_id": str(uuid.uuid4())}
    for _again in range(2):
        assert desk.post(door_of(night), sent).status_code == 303
    assert len(night.state.entrants) == 1
    assert len(night.state.money) == 1
    assert Member.objects.filter(last_name="Nova").count() == 1


def test_a_walk_in_of_a_known_name_asks_whether_it_is_the_same_person(desk, night):
    known = night.person()
    typed = {"first_name": known.first_name, "last_name": known.last_name}
    answer = tap(desk, door_of(night), "walk-in", **typed)
    assert answer.status_code == 409
    assert f'value="enter:{known.public_id}"' in answer.content.decode()
    assert not night.state.entrants
    tap(desk, door_of(night), f"enter:{known.public_id}")
    assert next(iter(night.state.entrants.values())).members == (known.public_id,)
    tap(desk, door_of(night), "walk-in", sure="1", **typed)
    assert len(night.state.entrants) == 2, "somebody else of that name"


def test_a_walk_in_without_a_name_is_refused_and_what_was_typed_stays(desk, night):
    answer = tap(desk, door_of(night), "walk-in", first_name="", last_name="", named="on")
    assert answer.status_code == 422
    assert "Write at least a first name or a last name." in answer.content.decode()
    assert answer.context["typed"]["named"] == "on"


def test_the_words_looked_for_stand_in_the_form_for_somebody_new(desk, night):
    page = desk.get(door_of(night), {"q": "Zita Nova"})
    assert page.context["typed"] == {"first_name": "Zita", "last_name": "Nova", "named": ""}


def test_people_of_one_name_are_told_apart_for_those_who_keep_the_list(desk, night):
    for year, groups in ((1961, ["Trun"]), (1999, []), (None, [])):
        member = night.person()
        member.first_name, member.last_name, member.birth_year, member.groups = "Maria", "Cadruvi", year, groups
        member.save()
        night.do("entrant.added", members=[member.public_id])
    other = night.person()
    other.birth_year = 1970
    other.save()
    night.do("entrant.added", members=[other.public_id])
    notes = {row.id: row.notes for row in desk.get(door_of(night)).context["rows"]}
    assert notes == {"e1": ("Trun, 1961",), "e2": ("1999",), "e3": (), "e4": ()}
    assert "Trun, 1961" in desk.get(door_of(night)).content.decode()
    code = codes.hall_code(night.tournament, night.state, codes.DOOR)
    helper = kit.told(Client(), reverse("tournament:door-code", args=[night.tournament.public_id, code]))
    assert "Maria Cadruvi" in helper
    assert "1961" not in helper


def test_who_is_found_is_said_to_those_who_do_not_see_the_list(desk, night):
    expect(night)
    night.person()
    name = night.people[0].first_name

    def said(**looked_for: str) -> str:
        page = desk.get(door_of(night), looked_for, headers={"HX-Request": "true"}).content.decode()
        found = re.search(r'data-said="([^"]*)"', page)
        assert found is not None
        return found[1].strip()

    assert said() == ""
    assert said(q=name) == f"{name} {night.people[0].last_name}, expected"
    assert said(q="Vorname2") == "From the club’s list: Vorname2 Nachname2"
    assert said(q="Xaver") == "Nobody with that name has entered."
    assert said(q="Vorname").startswith("Vorname1 Nachname1, expected From the club’s list")


def test_a_substitute_is_found_in_the_place_they_have_and_not_in_the_clubs_list(desk, night):
    (who,) = expect(night)
    new = Member.objects.create(club=night.club, first_name="Gion", last_name="Nuv")
    night.do("entrant.substituted", id=who, old=night.state.entrants[who].members[0], new=new.public_id)
    page = desk.get(door_of(night), {"q": "gion nuv"}).context
    assert [row.id for row in page["rows"]] == [who]
    assert page["found"] == []


def test_the_clubs_list_is_searched_only_for_two_letters_and_more(desk, night):
    night.person()
    assert desk.get(door_of(night), {"q": "v"}).context["found"] == []
    assert len(desk.get(door_of(night), {"q": "vor"}).context["found"]) == 1
    assert desk.get(door_of(night)).context["found"] == []


def test_a_fee_is_one_tap_and_its_undo_another(desk, night):
    who = night.walk_in()
    tap(desk, door_of(night), f"pay:{who}:1000")
    row = selectors.entrant_rows(night.state, selectors.names_of(night.tournament, night.state))[0]
    assert (row.paid, row.owed, row.offers) == (1000, 0, ())
    tap(desk, door_of(night), "unpay:m1")
    row = selectors.entrant_rows(night.state, selectors.names_of(night.tournament, night.state))[0]
    assert (row.paid, row.owed) == (0, 1000)


def test_who_pays_at_the_entrance_is_here_and_the_same_tap_taken_back_undoes_both(desk, night):
    who, other = expect(night, 2)
    assert "here, 10.– paid" in tap(desk, door_of(night), f"pay:{who}:1000").content.decode()
    assert night.state.entrants[who].status == HERE
    tap(desk, door_of(night), f"here:{other}")
    tap(desk, door_of(night), f"pay:{other}:1000")
    tap(desk, door_of(night), "unpay:m1")
    assert (night.state.entrants[who].status, night.state.money_cancelled.keys()) == (EXPECTED, {"m1"})
    tap(desk, door_of(night), "unpay:m2")
    assert night.state.entrants[other].status == HERE  # that was another tap


def test_a_payment_of_a_while_ago_is_cancelled_at_the_till_only(desk, night):
    who = night.walk_in()
    tap(desk, door_of(night), f"pay:{who}:1000")
    long_ago(night)
    answer = tap(desk, door_of(night), "unpay:m1")
    assert answer.status_code == 422
    assert "Cancel it at the till" in answer.content.decode()
    assert not night.state.money_cancelled


def test_a_helper_cancels_only_fees_that_were_tapped_just_now(desk, night):
    night.do("money.entered", kind="income", amount=5000)
    answer = tap(Client(), helper_of(night), "unpay:m1")
    assert answer.status_code == 422
    assert not night.state.money_cancelled


@pytest.mark.parametrize("do", ["withdraw:e1", "draw-pairs", "part:e1"])
def test_a_helper_cannot_do_what_is_the_desks(night, do):
    expect(night, 2)
    before = night.state
    answer = tap(Client(), helper_of(night), do, sure="1")
    assert answer.status_code in (403, 422)
    assert night.state == before


def test_a_helper_sees_no_page_of_the_desk(night):
    helper = Client()
    helper.get(helper_of(night))
    for name in ("till", "people", "codes"):
        assert helper.get(reverse(f"tournament:{name}", args=[night.tournament.public_id])).status_code == 403


def test_a_renewed_code_opens_nothing_any_more(desk, night):
    old = helper_of(night)
    assert Client().get(old).status_code == 200
    desk.post(reverse("tournament:renew", args=[night.tournament.public_id, "door"]), {})
    answer = Client().get(old)
    assert answer.status_code == 403
    assert "Ask the tournament director for the current one" in answer.content.decode()
    assert Client().get(helper_of(night)).status_code == 200


def test_another_code_of_the_hall_does_not_open_the_door(night):
    code = codes.hall_code(night.tournament, night.state, codes.SCREEN)
    address = reverse("tournament:door-code", args=[night.tournament.public_id, code])
    assert Client().get(address).status_code == 403


def test_codes_cannot_be_tried_out_for_long(night):
    stranger = Client()
    wrong = reverse("tournament:door-code", args=[night.tournament.public_id, "door-aaaaaaaaaa"])
    answers = [stranger.get(wrong).status_code for _each in range(25)]
    assert answers[0] == 403
    assert answers[-1] == 429
    assert stranger.get(helper_of(night)).status_code == 200, "the right code still opens"


def test_the_door_counts_who_is_here_and_the_tables_that_would_be(client):
    night = Night.at(odd=["five"])
    client.force_login(night.director.user)
    for _each in range(9):
        night.walk_in()
    expect(night)
    context = client.get(door_of(night)).context
    assert (context["count"].here, context["count"].expected) == (9, 10)
    assert context["tables"] == ("1 table of 4, 1 table of 5", 0)


def test_before_a_knock_out_the_tables_are_those_of_its_bracket(client):
    night = Night.at(0, kind="pair", method="knock-out", odd=["three-pairs"], rules={"rounds": 3, "deals": 1})
    client.force_login(night.director.user)
    for _each in range(5):
        night.walk_in(pair=True)
    assert client.get(door_of(night)).context["tables"] == ("1 table of 2 pairs", 3)
    night.begin()
    night.draw()
    found = night.state.round("1.1")
    assert found is not None
    assert (len(found.tables), len(found.byes)) == (1, 3)
    page = client.get(door_of(night)).content.decode()
    assert "tables if it began now" not in page, "who comes now is left out, and who is out stays here"


def test_who_sits_out_the_next_round_is_not_counted_for_its_tables(desk, night):
    ids = [night.walk_in() for _each in range(9)]
    tap(desk, door_of(night), f"pause:{ids[0]}")
    assert desk.get(door_of(night)).context["tables"] == ("2 tables of 4", 0)
    tap(desk, door_of(night), f"play:{ids[0]}")
    assert desk.get(door_of(night)).context["count"].ready == 9


def test_before_a_final_the_tables_are_those_of_its_people(client):
    night = Night.at(9, rules={"rounds": 1, "deals": 2}, odd=["bye"])
    client.force_login(night.director.user)
    night.begin()
    night.draw()
    night.play_round("1.1")
    night.do("phase.finished", phase=1)
    night.begin("Final", after=1, entrants=["e1", "e2", "e3", "e4"])
    answer = client.get(door_of(night))
    assert answer.context["tables"] == ("1 table of 4", 0)
    assert "Final: Seat everybody for round 1" in answer.content.decode()


def test_in_the_last_round_there_is_no_next_one_to_sit_out(client):
    night = Night.at(4, rules={"rounds": 2, "deals": 2})
    client.force_login(night.director.user)
    night.begin()
    for last in (False, True):
        night.draw()
        assert ("Sits out the next round" in client.get(door_of(night)).content.decode()) != last


def test_who_comes_late_is_told_from_which_round_they_play(desk, night):
    for _each in range(8):
        night.walk_in()
    (late,) = expect(night)
    night.begin()
    night.draw()
    tap(desk, door_of(night), f"here:{late}")
    assert "plays from round 2" in desk.get(door_of(night)).content.decode()


def test_who_has_played_is_not_made_absent_but_goes_home(desk, night):
    for _each in range(8):
        night.walk_in()
    night.begin()
    night.draw()
    page = desk.get(door_of(night)).content.decode()
    assert 'value="leave:e1"' in page
    assert 'value="not-here:e1"' not in page


def test_names_with_markup_stay_text(desk, night):
    tap(desk, door_of(night), "walk-in", first_name="<b>Zita</b>", last_name="Nova")
    assert "<b>Zita" not in desk.get(door_of(night)).content.decode()


def test_a_door_of_a_hundred_costs_few_queries(desk, night, django_assert_max_num_queries):
    people_of = [night.person().public_id for _each in range(100)]
    doings = [("entrant.added", {"members": [each], "here": True}) for each in people_of]
    by = tournaments_permissions.director(night.director)
    tournament_door.act(night.tournament.pk, doings, by=by, request_id=uuid.uuid4())
    desk.get(door_of(night))
    with django_assert_max_num_queries(14):
        desk.get(door_of(night), headers={"HX-Request": "true"})


class TestPairs:
    """A tournament of fixed pairs."""

    @pytest.fixture
    def night(self, db: None) -> Night:
        return Night.at(kind="pair", odd=["three-pairs"])

    def test_who_comes_alone_needs_a_partner_and_is_not_seated(self, desk, night):
        night.walk_in(pair=True)
        night.walk_in()
        context = desk.get(door_of(night)).context
        assert (context["count"].half, context["count"].ready) == (1, 1)
        assert "needs a partner" in desk.get(door_of(night), {"show": "partner"}).content.decode()

    def test_two_are_made_a_pair_and_parted_again(self, desk, night):
        one, two = night.walk_in(), night.walk_in()
        desk.post(door_of(night), {"do": "make-pair", "one": one, "two": two, "request_id": str(uuid.uuid4())})
        assert len(night.state.entrants[one].members) == 2
        tap(desk, door_of(night), f"part:{one}", sure="1")
        assert [len(night.state.entrants[who].members) for who in (one, two)] == [1, 1]

    @pytest.mark.parametrize("drawn", [True, False])
    def test_who_plays_for_somebody_alone_plays_in_their_pair_and_alone_again(self, desk, night, drawn):
        reserve = {night.walk_in(): night.person().public_id for _each in range(2)}
        for who, new in reserve.items():
            (old,) = night.state.entrants[who].members
            night.do("entrant.substituted", id=who, old=old, new=new)
        if drawn:
            tap(desk, door_of(night), "draw-pairs")
        else:
            desk.post(door_of(night), {"do": "make-pair", "one": "e1", "two": "e2", "request_id": str(uuid.uuid4())})
        assert night.state.entrants["e1"].people(1, 1) == tuple(reserve.values())
        tap(desk, door_of(night), "part:e1", sure="1")
        assert {each: night.state.entrants[each].people(1, 1) for each in reserve} == {
            who: (new,) for who, new in reserve.items()
        }

    def test_pairs_are_drawn_among_who_is_here(self, desk, night):
        for _each in range(5):
            night.walk_in()
        tap(desk, door_of(night), "draw-pairs")
        context = desk.get(door_of(night)).context
        assert (context["count"].half, context["count"].ready) == (1, 2)

    def test_a_pair_may_pay_each_for_themselves(self, desk, night):
        pair = night.walk_in(pair=True)
        row = selectors.entrant_rows(night.state, selectors.names_of(night.tournament, night.state))[0]
        assert row.offers == (2000, 1000)
        tap(desk, door_of(night), f"pay:{pair}:1000")
        row = selectors.entrant_rows(night.state, selectors.names_of(night.tournament, night.state))[0]
        assert row.offers == (1000,)

    def test_what_one_of_them_paid_before_they_were_a_pair_is_paid(self, desk, night):
        one, two = night.walk_in(), night.walk_in()
        tap(desk, door_of(night), f"pay:{two}:1000")
        night.do("pairs.made", pairs=[[one, two]])
        row = selectors.entrant_rows(night.state, selectors.names_of(night.tournament, night.state))[0]
        assert (row.fee, row.paid, row.owed) == (2000, 1000, 1000)


class TestOver:
    def test_the_code_of_the_door_ends_with_the_evening_the_desk_stays(self, client, night):
        who = night.walk_in()
        night.begin()
        night.do("tournament.closed", despite="a test")
        name = night.people[0].last_name
        code = codes.hall_code(night.tournament, night.state, codes.DOOR)
        by_code = reverse("tournament:door-code", args=[night.tournament.public_id, code])
        answer = client.get(by_code)
        assert answer.status_code == 410
        assert name not in answer.content.decode()
        answer = client.post(by_code, {"do": f"pay:{who}:1000", "request_id": str(uuid.uuid4())})
        assert answer.status_code == 410
        assert not night.state.money
        client.force_login(night.director.user)
        assert client.get(door_of(night)).status_code == 200

    def test_who_comes_in_from_the_list_pays_no_more_than_the_fee(self, desk, night):
        member = night.person()
        tap(desk, door_of(night), f"enter:{member.public_id}:99999995")
        assert not night.state.money
        assert not night.state.entrants


def test_it_is_noted_who_plays_for_whom_now_and_not_who_did_before(desk, night):
    one = night.walk_in()
    first = night.state.entrants[one].members[0]
    second, third = night.person().public_id, night.person().public_id

    def noted() -> list[str]:
        (row,) = (row for row in desk.get(door_of(night)).context["rows"] if row.id == one)
        return [note for note in row.notes if " from round " in note]

    night.do("entrant.substituted", id=one, old=first, new=second)
    night.do("entrant.substituted", id=one, old=second, new=third)
    original, _before, now = (f"{each.first_name} {each.last_name}" for each in night.people[-3:])
    assert noted() == [f"{now} for {original} from round 1"]
    night.do("entrant.substituted", id=one, old=third, new=first)
    assert noted() == []
