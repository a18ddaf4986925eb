"""A person's own page."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest
from django.test import Client

from tests.tournaments.live.kit import PhoneKit, evening
from tests.tournaments.services.kit import Night, member_player, words_stay
from tournaments.services import codes

pytestmark = pytest.mark.django_db


def page(night: Night, number: int = 0, more: str = "") -> str:
    """The address of somebody's page."""
    code = codes.person_code(night.tournament, night.people[number].public_id)
    return f"/e/{night.tournament.public_id}/p/{code}/{more}"


def look(night: Night, number: int = 0) -> str:
    """Somebody's page."""
    answer = Client().get(page(night, number))
    assert answer.status_code == 200
    return answer.content.decode()


def test_before_the_draw_it_says_that_the_table_will_stand_here_and_what_is_to_pay():
    night = Night.at(4)
    text = look(night)
    assert "you will find your table here" in text
    assert "CHF 10.00" in text


def test_it_says_table_seat_partner_and_opponents_and_leads_to_the_own_sheet(client):
    night = evening()
    table = night.table("1.1.1")
    place = table.people.index(night.people[0].public_id)
    partner = next(each for each in night.people if each.public_id == table.people[(place + 2) % 4])
    text = look(night)
    assert "Table 1" in text
    assert f">{place + 1}</dd>" in text
    assert f">{partner.first_name} {partner.last_name}</dd>" in text
    side = min(place, (place + 2) % 4)
    assert codes.table_code(night.tournament, night.state, "1.1.1", side) in text


def test_without_script_the_page_offers_to_look_again(client):
    assert 'no-script"><a class="button" href="?"' in client.get(page(evening())).content.decode()


def test_who_comes_after_the_first_draw_is_not_told_to_wait_for_it():
    night = evening()
    night.walk_in()
    text = look(night, len(night.people) - 1)
    assert "As soon as it is published" in text
    assert "It begins at" not in text


def test_who_has_gone_home_is_promised_no_table():
    night = evening()
    night.play_round("1.1")
    night.do("entrant.left", id="e1")
    text = look(night)
    assert "No table is drawn for you any more." in text
    assert "you will find your table here" not in text


def test_who_is_not_in_the_final_is_promised_no_table():
    night = evening(8)
    night.play_round("1.1")
    night.do("phase.finished", phase=1)
    night.begin("Final", after=1, entrants=["e1", "e2", "e3", "e4"])
    assert "As soon as it is published" in look(night)
    assert "No table is drawn for you any more." in look(night, 7)


def test_after_the_last_round_no_next_one_is_promised():
    night = evening(rules={"rounds": 1, "deals": 2})
    phone = PhoneKit(night, "1.1.1")
    night.play("1.1.1")
    assert "As soon as the next round is published" not in phone.look().content.decode()
    night.do("round.closed", round="1.1")
    text = look(night)
    assert "All rounds are drawn. If there is a final, you will find your table here." in text
    assert "As soon as it is published" not in text


def test_in_the_last_round_nobody_is_asked_to_say_something_before_the_next_draw():
    night = evening(rules={"rounds": 2, "deals": 2})
    assert "please tell the desk before the next draw" in look(night)
    night.play_round("1.1")
    assert "please tell the desk before the next draw" in look(night)
    night.draw()
    text = look(night)
    assert "the next draw" not in text
    assert "Going home early: please tell the desk." in text


def test_between_rounds_the_next_one_is_promised():
    night = evening(rules={"rounds": 2, "deals": 2})
    phone = PhoneKit(night, "1.1.1")
    night.play_round("1.1")
    night.draw(out=False)
    assert "As soon as the next round is published" in phone.look().content.decode()
    assert "As soon as it is published" in look(night)


def knock_out(pairs: int, **plan: Any) -> Night:
    """A knock-out of so many pairs for four rounds, its first round out."""
    night = Night.at(kind="pair", method="knock-out", rules={"rounds": 4, "deals": 1}, **plan)
    for _each in range(pairs):
        night.walk_in(pair=True)
    night.begin()
    night.draw()
    return night


def pages_of(night: Night, ids: Iterable[str]) -> list[str]:
    """The pages of the first person of these entrants."""
    persons = [member.public_id for member in night.people]
    return [look(night, persons.index(night.state.entrants[each].members[0])) for each in ids]


def test_who_is_out_of_a_knock_out_is_promised_no_table():
    night = knock_out(8)
    night.play("1.1.1")
    winner, loser = night.table("1.1.1").seats
    phones = {who: PhoneKit(night, "1.1.1", place) for place, who in enumerate((winner, loser))}
    assert "As soon as the next round is published" in phones[winner].look().content.decode()
    assert "As soon as the next round is published" not in phones[loser].look().content.decode()
    for number in (2, 3, 4):
        night.play(f"1.1.{number}")
    night.do("round.closed", round="1.1")
    (on,), (out,) = pages_of(night, [winner]), pages_of(night, [loser])
    assert "As soon as it is published" in on
    assert "Going home early: please tell the desk." in on
    assert "sitting out a round" not in on
    assert "No table is drawn for you any more." in out
    assert "before the next draw" not in out


def test_who_did_not_come_to_a_knock_out_is_promised_no_table():
    night = Night.at(kind="pair", method="knock-out")
    for _pair in range(2):
        night.walk_in(pair=True)
    night.do("entrant.added", members=[night.person().public_id, night.person().public_id])
    assert "you will find your table here" in look(night, 4)
    night.begin()
    night.draw()
    assert "No table is drawn for you any more." in look(night, 4)
    assert "you will find your table here" not in look(night, 4)


def test_who_loses_a_semi_final_is_promised_a_table_only_if_they_play_for_third_place():
    night = knock_out(4, third=True)
    night.play_round("1.1")
    losers = [night.table(f"1.1.{number}").seats[1] for number in (1, 2)]
    assert all("As soon as it is published" in page for page in pages_of(night, losers))
    night.draw()
    assert not any("the next draw" in page for page in pages_of(night, night.state.entrants))
    night.play_round("1.2")
    assert all("No table is drawn for you any more." in page for page in pages_of(night, night.state.entrants))


def test_who_has_no_opponent_for_third_place_does_not_go_on():
    night = knock_out(4, third=True)
    night.play_round("1.1")
    gone, third = (night.table(f"1.1.{number}").seats[1] for number in (1, 2))
    night.do("entrant.left", id=gone)
    night.draw()
    (page,) = pages_of(night, [third])
    assert "You have no opponent in this round." in page
    assert "you go on" not in page


def test_who_has_a_bye_in_a_knock_out_goes_on_whatever_the_house_rules_say():
    night = knock_out(3)
    (seen,) = pages_of(night, night.state.phases[0].rounds[0].byes)
    assert "you go on to the next one" in seen
    assert "The house rules" not in seen


def test_a_phone_counts_no_more_rounds_than_decide_a_knock_out():
    assert "Round 1 of 2" in PhoneKit(knock_out(3), "1.1.1").look().content.decode()


def test_a_draft_shows_nothing():
    night = Night.at(4)
    night.begin()
    night.draw(out=False)
    assert "Table 1" not in look(night)


def test_after_a_round_it_tells_points_and_rank():
    night = evening(rules={"rounds": 4, "deals": 2})
    night.play_round("1.1")
    text = look(night)
    assert "Rank for now" in text
    assert "My rounds" in text
    winner = night.table("1.1.1").people[0]
    number = [each.public_id for each in night.people].index(winner)
    assert ">74 <span" in look(night, number)  # twice 37


def test_who_sits_out_reads_so():
    night = evening(5, odd=["bye"])
    byes = night.state.phases[0].rounds[0].byes
    number = [each.public_id for each in night.people].index(night.state.entrants[byes[0]].members[0])
    assert "You sit out" in look(night, number)


def test_a_paid_fee_is_not_asked_for_again():
    night = Night.at(4)
    night.do("money.entered", kind="fee", amount=1000, who="e1")
    text = look(night)
    assert "is paid" in text
    assert "To pay" not in text


def test_what_both_paid_before_they_became_a_pair_is_paid_on_the_page_of_the_pair():
    night = Night.at(kind="pair", odd=[])
    for _each in range(2):
        night.do("money.entered", kind="fee", amount=1000, who=night.walk_in())
    night.do("pairs.made", pairs=[["e1", "e2"]])
    assert "To pay" not in look(night)


def test_who_does_not_come_is_asked_for_no_fee():
    night = Night.at(4)
    night.do("entrant.withdrawn", id="e1")
    assert "To pay" not in look(night)


def test_a_wrong_code_opens_nothing():
    night = Night.at(4)
    other = codes.person_code(night.tournament, night.people[1].public_id).rpartition("-")[2]
    mixed = f"{night.people[0].public_id}-{other}"
    assert Client().get(f"/e/{night.tournament.public_id}/p/{mixed}/").status_code == 404


def test_somebody_of_the_club_who_does_not_take_part_has_no_page():
    night = Night.at(4)
    code = codes.person_code(night.tournament, night.person().public_id)
    assert Client().get(f"/e/{night.tournament.public_id}/p/{code}/").status_code == 404


def test_who_is_expected_can_say_that_they_do_not_come():
    night = Night.at(4)
    night.do("entrant.added", members=[night.person().public_id])
    client = Client(enforce_csrf_checks=True)
    assert "I cannot come" in look(night, 4)
    assert client.post(page(night, 4, "withdraw/")).status_code == 303
    assert night.state.entrants["e5"].status == "withdrawn"


def test_who_is_here_is_not_withdrawn_by_a_code():
    night = Night.at(4)
    assert "I cannot come" not in look(night)
    Client().post(page(night, 0, "withdraw/"))
    assert night.state.entrants["e1"].status == "here"


def test_neither_a_substitute_nor_who_is_replaced_withdraws_a_pair():
    night = Night.at(kind="pair")
    night.do("entrant.added", members=[night.person().public_id, night.person().public_id])
    old, new = night.people[0].public_id, night.person().public_id
    night.do("entrant.substituted", id="e1", old=old, new=new)
    for number in (0, 2):
        assert "I cannot come" not in look(night, number)
        answer = Client().post(page(night, number, "withdraw/"))
        assert answer.status_code == 422
        assert "A substitute plays here." in answer.content.decode()
    assert night.state.entrants["e1"].status == "expected"
    assert "I cannot come" in look(night, 1)


def test_who_does_not_come_leaves_a_partner_whom_they_found_themselves_and_takes_along_another():
    night = Night.at(kind="pair")
    for _each in range(2):
        night.do("entrant.added", members=[night.person().public_id])
    night.do("pairs.made", pairs=[["e1", "e2"]])
    night.do("entrant.added", members=[night.person().public_id, night.person().public_id])
    assert "Vorname1 Nachname1 stays and needs somebody else." in look(night, 1)
    assert Client().post(page(night, 1, "withdraw/")).status_code == 303
    assert night.state.entrants["e1"].members == (night.people[0].public_id,)
    assert night.state.entrants["e1"].status == "expected"
    assert "Vorname4 Nachname4 does not come either." in look(night, 2)
    Client().post(page(night, 2, "withdraw/"))
    assert night.state.entrants["e3"].status == "withdrawn"


def test_with_an_account_one_finds_ones_own_page(client):
    night = Night.at(4)
    player = member_player("Maria")
    night.people[2].player = player
    night.people[2].save()
    me = f"/e/{night.tournament.public_id}/me/"
    assert "/login" in client.get(me)["Location"]
    client.force_login(player.user)
    assert client.get(me)["Location"] == page(night, 2)
    client.force_login(night.director.user)
    assert client.get(me).status_code == 404


def test_a_page_that_is_up_to_date_costs_next_to_nothing(django_assert_max_num_queries, monkeypatch):
    words_stay(monkeypatch)
    night = evening(8)
    client = Client()
    mark = look(night).partition("?mark=")[2].partition('"')[0]
    address = page(night, 0, f"since/?mark={mark}")
    # The tournament, and its log: in the transaction of a test no state is kept.
    with django_assert_max_num_queries(2):
        assert client.get(address).status_code == 204
    night.play_round("1.1")
    with django_assert_max_num_queries(3):
        assert client.get(address).status_code == 200


def test_who_pauses_is_told_before_the_draw_and_in_the_round_that_is_drawn_without_them():
    night = evening(5, rules={"rounds": 3, "deals": 2}, odd=["bye"])
    night.play_round("1.1")
    night.do("entrant.paused", id="e1")
    text = look(night)
    assert "You sit out the next round." in text
    assert "please tell the desk" not in text
    phone = PhoneKit(night, "1.1.1", night.table("1.1.1").owners.index("e1"))
    night.draw()
    text = look(night)
    assert '<p class="live-place">You sit out</p>' in text
    assert "This round is drawn without you." in text
    assert "This round you have a bye." not in text
    assert "You sit out the next round." not in text
    assert "Round 2, Vorname1 Nachname1: sits out" in phone.look().content.decode()


def test_a_corrected_sheet_is_marked_in_the_rounds_of_its_people():
    night = evening(8)
    night.play_round("1.1")
    corrected = night.table("1.1.1")
    lines = [{"deal": 1, "scores": [37, 35]}, {"deal": 2, "scores": [35, 37]}]
    night.do("table.settled", table="1.1.1", lines=lines, reason="the sides were exchanged")
    for number, member in enumerate(night.people):
        text = look(night, number)
        assert ("corrected" in text) == (member.public_id in corrected.people)


def test_after_the_tournament_nobody_is_sent_to_a_table_that_was_left_open():
    night = evening()
    night.do("tournament.closed", despite="the hall closes at midnight")
    assert "The tournament is over" in look(night)
