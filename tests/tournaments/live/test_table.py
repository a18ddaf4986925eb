"""The table on a phone, without script."""

from __future__ import annotations

import re
import uuid

import pytest

from tests.tournaments.live.kit import PhoneKit, evening, nobodys
from tests.tournaments.services.kit import Night, words_stay
from tournaments.models import TournamentEvent
from tournaments.services import codes

pytestmark = pytest.mark.django_db


def two(night: Night, key: str = "1.1.1") -> tuple[PhoneKit, PhoneKit]:
    """The phones of both sides."""
    return PhoneKit(night, key, 0), PhoneKit(night, key, night.table(key).sides[1][0])


def test_the_page_says_which_table_who_sits_there_and_whose_side_this_is():
    night = evening()
    phone, other = two(night)
    text = phone.look().content.decode()
    assert "Table 1" in text
    assert "Round 1 of 4" in text
    assert all(f"Vorname{number} Nachname{number}" in text for number in range(1, 5))
    own = [
        re.findall(r'<li class="side[^"]*" data-own>.*?</li>', page, re.DOTALL)
        for page in (text, other.look().content.decode())
    ]
    assert [len(each) for each in own] == [1, 1]
    assert all("your side" in each for (each,) in own)
    named = [set(re.findall(r"Vorname\d", each)) for (each,) in own]
    assert [len(each) for each in named] == [2, 2]
    assert not named[0] & named[1]


def test_without_script_the_page_offers_to_look_again():
    assert 'no-script"><a class="button" href="?"' in two(evening())[0].look().content.decode()


def test_a_deal_is_written_and_stands_on_both_phones():
    night = evening()
    phone, other = two(night)
    assert phone.write(1, 40, 32).status_code == 303
    line = night.table("1.1.1").sheet[1]
    assert (line.scores, line.writer) == ((40, 32), 0)
    assert 'data-seen="40,32"' in other.look().content.decode()


def test_a_wrong_sum_is_refused_and_what_was_typed_stays():
    night = evening()
    phone, _other = two(night)
    answer = phone.write(1, 40, 33)
    assert answer.status_code == 422
    text = answer.content.decode()
    assert text.count("adds up to 73") == 1
    assert 'value="33"' in text
    assert not night.table("1.1.1").lines


@pytest.mark.parametrize("rule", ["recount", "split"])
def test_points_that_no_side_can_have_are_refused_though_they_add_up(rule):
    night = evening(rules={"rounds": 4, "deals": 2, "wrong_sum": rule})
    phone, other = two(night)
    for one, two_ in ((99, -27), (-3, 75), (73, -1)):
        refused = phone.write(1, one, two_, wrong="1")
        assert refused.status_code == 422
        assert f"No side can have {one if one > 72 or one < 0 else two_} of 72 points" in refused.content.decode()
    assert not night.table("1.1.1").lines
    assert phone.write(1, 72, 0).status_code == 303
    night.do("deal.entered", table="1.1.1", deal=2, place=0, scores=[40, 32])
    phone.do("hand-in", seen=phone.seen)
    own = {"d1-0": 75, "d1-1": -3, "d2-0": 40, "d2-1": 32}
    disputed = other.do("dispute", seen=other.seen, **own)
    assert "No side can have 75 of 72 points" in disputed.content.decode()


def test_where_the_house_rules_share_a_difference_the_table_can_say_that_it_is_meant():
    night = evening(rules={"rounds": 4, "deals": 2, "wrong_sum": "split"})
    phone, _other = two(night)
    refused = phone.write(1, 40, 33)
    assert refused.status_code == 422
    assert 'name="wrong"' in refused.content.decode()
    assert phone.write(1, 40, 33, wrong="1").status_code == 303
    assert "the difference is shared" in phone.look().content.decode()


@pytest.mark.parametrize("typed", ["", "acht", "4.5", "12345678", "²"])
def test_what_is_no_number_is_refused(typed):
    night = evening()
    assert PhoneKit(night, "1.1.1").write(1, typed, 32).status_code == 422
    assert not night.table("1.1.1").lines


def test_a_minus_may_be_typed_as_phones_do():
    night = Night.at(4, rules={"rounds": 2, "deals": 2, "ruleset": "troggu"})
    night.begin()
    night.draw()
    phone = PhoneKit(night, "1.1.1")
    assert phone.write(1, "−30", "10", "10", "10").status_code == 303
    assert night.table("1.1.1").sheet[1].scores == (-30, 10, 10, 10)
    assert "in Rappen" in phone.look().content.decode()


def test_the_last_one_who_writes_a_deal_wins_if_they_saw_what_was_there():
    night = evening()
    phone, other = two(night)
    phone.write(1, 40, 32)
    stale = other.write(1, 36, 36)
    assert stale.status_code == 409
    text = stale.content.decode()
    assert 'value="36"' in text  # what was typed
    assert 'data-seen="40,32"' in text  # what stands there
    assert night.table("1.1.1").sheet[1].scores == (40, 32)
    assert other.write(1, 36, 36, seen="40,32").status_code == 303
    assert night.table("1.1.1").sheet[1].scores == (36, 36)
    text = phone.look().content.decode()
    assert f"by {other_name(night, other)}" in text
    assert [event.by for event in TournamentEvent.objects.filter(kind="deal.entered")] == [
        "table:1.1.1/0",
        f"table:1.1.1/{other.place}",
    ]


def other_name(night: Night, phone: PhoneKit) -> str:
    """The short name of a place."""
    person = night.table(phone.key).people[phone.place]
    member = next(each for each in night.people if each.public_id == person)
    return f"{member.first_name} N."


def test_writing_what_stands_there_already_is_no_second_event():
    night = evening()
    phone, other = two(night)
    phone.write(1, 40, 32)
    assert other.write(1, 40, 32).status_code == 303
    assert TournamentEvent.objects.filter(kind="deal.entered").count() == 1


def test_a_repeated_request_is_done_once_even_after_the_other_side_wrote_over_it():
    night = evening()
    phone, other = two(night)
    request = uuid.uuid4()
    assert phone.write(1, 40, 32, scripted=True, request_id=request).json()["done"]
    other.write(1, 36, 36, seen="40,32")
    assert phone.write(1, 40, 32, scripted=True, request_id=request).json()["done"]
    assert night.table("1.1.1").sheet[1].scores == (36, 36)


def test_a_deal_can_be_erased_until_the_sheet_is_handed_in():
    night = evening()
    phone, _other = two(night)
    phone.write(1, 40, 32)
    assert 'id="erase"' in phone.look("?deal=1").content.decode()
    assert phone.do("erase", deal=1, seen="36,36").status_code == 409
    assert phone.do("erase", deal=1, seen="40,32").status_code == 303
    assert not night.table("1.1.1").lines


def test_a_whole_sheet_is_handed_in_and_confirmed_by_the_other_side():
    night = evening()
    phone, other = two(night)
    phone.fill(40, 32)
    assert "Handed in" in phone.look().content.decode()
    assert "is it right?" in other.look().content.decode()
    assert phone.do("confirm", seen=phone.seen).status_code == 422
    assert other.do("confirm", seen=other.seen).status_code == 303
    assert night.table("1.1.1").state == "confirmed"
    assert "rank 1 for now" in phone.look().content.decode()


def test_nobody_confirms_a_sheet_they_did_not_see():
    night = evening()
    phone, other = two(night)
    phone.fill(40, 32)
    seen = other.seen
    phone.do("take-back")
    phone.write(1, 41, 31, seen="40,32")
    phone.do("hand-in", seen=phone.seen)
    assert other.do("confirm", seen=seen).status_code == 409
    assert night.table("1.1.1").state == "handed-in"


def test_only_who_handed_in_takes_back():
    night = evening()
    phone, other = two(night)
    phone.fill(40, 32)
    assert other.do("take-back").status_code == 403
    assert phone.do("take-back").status_code == 303
    assert night.table("1.1.1").state == "playing"


def test_a_short_round_has_to_be_said():
    night = evening()
    phone, _other = two(night)
    phone.write(1, 40, 32)
    assert phone.do("hand-in", seen=phone.seen).status_code == 422
    assert phone.do("hand-in", seen=phone.seen, short="1").status_code == 303
    assert night.table("1.1.1").short


def test_the_other_side_confirms_with_the_digits_of_its_slip():
    night = evening()
    phone, other = two(night)
    phone.fill(40, 32)
    digits = codes.confirm_codes(night.tournament, night.state, "1.1.1")
    own, right = digits[phone.place], digits[other.place]
    assert "your own digits" in phone.do("digits", digits=own, seen=phone.seen).content.decode()
    assert phone.do("digits", digits=right, seen=phone.seen).status_code == 303
    table = night.table("1.1.1")
    assert (table.state, table.confirmed_by) == ("confirmed", f"table:1.1.1/{other.place}")


def test_no_two_sides_of_a_table_have_the_same_digits(monkeypatch):
    night = Night.at(10, odd=["five-dealer-out"], rules={"deals": 5})
    night.begin()
    night.draw()
    monkeypatch.setattr(codes, "CODE_DIGITS", 1)  # so that they would meet again and again
    for number in range(100):
        night.tournament.key_secret = bytes([number]) * 32
        for key in ("1.1.1", "1.1.2"):
            digits = codes.confirm_codes(night.tournament, night.state, key)
            assert set(digits) == {min(side) for side in night.table(key).sides}
            assert len(set(digits.values())) == len(night.table(key).sides)
            assert {len(each) for each in digits.values()} == {1}


def test_digits_are_not_guessed():
    night = evening()
    phone, other = two(night)
    phone.fill(40, 32)
    digits = codes.confirm_codes(night.tournament, night.state, "1.1.1")
    right = digits[other.place]
    wrong = nobodys(digits)
    for _time in range(5):
        assert phone.do("digits", digits=wrong, seen=phone.seen).status_code == 422
    assert phone.do("digits", digits=right, seen=phone.seen).status_code == 429
    assert night.table("1.1.1").state == "handed-in"
    assert other.do("confirm", seen=phone.seen).status_code == 303


def test_two_versions_are_a_dispute_that_both_see_until_one_gives_in():
    night = evening()
    phone, other = two(night)
    phone.fill(40, 32)
    same = {"d1-0": 40, "d1-1": 32, "d2-0": 40, "d2-1": 32}
    assert other.do("dispute", seen=other.seen, **same).status_code == 422
    wrong = other.do("dispute", seen=other.seen, **same | {"d2-0": 10})
    assert wrong.status_code == 422
    assert "42" in wrong.content.decode(), "what it adds up to"
    assert night.table("1.1.1").state == "handed-in"
    assert other.do("dispute", seen=other.seen, **same | {"d2-0": 30, "d2-1": 42}, note="deal two").status_code == 303
    form = other.look().content.decode()
    assert re.findall(r'name="d2-[01]"[^>]*value="(\d+)"', form) == ["30", "42"]
    assert night.table("1.1.1").state == "disputed"
    for each in (phone, other):
        text = each.look().content.decode()
        assert "30 : 42" in text
        assert "deal two" in text
    assert other.do("confirm", seen=other.seen).status_code == 303
    assert night.table("1.1.1").state == "confirmed"


def test_a_closed_round_takes_nothing_any_more():
    night = evening()
    phone, other = two(night)
    phone.fill(40, 32)
    other.do("confirm", seen=other.seen)
    night.do("round.closed", round="1.1")
    answer = phone.write(1, 36, 36, seen="40,32", scripted=True)
    assert (answer.status_code, answer.json()["code"]) == (422, "round-closed")


def test_of_a_pair_both_look_on():
    night = Night.at(kind="pair", odd=["three-pairs"], rules={"rounds": 2, "deals": 3})
    for _pair in range(3):
        night.walk_in(pair=True)
    night.begin()
    night.draw()
    text = PhoneKit(night, "1.1.1").look().content.decode()
    assert " &amp; " in text
    assert "look on." in text
    assert "looks on" not in text


def test_who_looks_on_is_named_and_each_plays_for_themselves():
    night = evening(5, odd=["five-dealer-out"], rules={"rounds": 2, "deals": 4})
    phone = PhoneKit(night, "1.1.1")
    text = phone.look().content.decode()
    assert "looks on." in text
    assert text.count('class="points-field"') == 2
    assert phone.write(1, 40, 32).status_code == 303
    text = phone.look().content.decode()
    assert [text.count(f">{points}</span>") for points in (40, 32)] == [3, 3]  # two players, and the line of the deal


def test_at_a_table_of_three_everybody_has_a_field():
    night = evening(3, odd=["three"])
    phone = PhoneKit(night, "1.1.1")
    assert phone.look().content.decode().count('class="points-field"') == 3


def test_an_equal_round_has_an_extra_deal_where_the_house_rules_say_so():
    night = evening(rules={"rounds": 2, "deals": 2, "drawn": "extra-deal"})
    phone, _other = two(night)
    phone.write(1, 40, 32)
    phone.write(2, 32, 40)
    assert "The extra deal" in phone.look().content.decode()
    assert phone.write(3, 30, 42, extra="1").status_code == 303
    table = night.table("1.1.1")
    assert (table.played, table.sheet[3].extra) == (2, True)
    assert "one more deal decides" not in phone.look().content.decode()


# codes


def test_a_code_of_another_table_opens_nothing_here():
    night = evening(8)
    phone, other = PhoneKit(night, "1.1.1"), PhoneKit(night, "1.1.2")
    mixed = "1-1-2-0-" + phone.code.rpartition("-")[2]
    assert phone.client.get(f"/e/{night.tournament.public_id}/s/{mixed}/").status_code == 404
    assert other.look().status_code == 200
    assert phone.client.get(f"/e/{night.tournament.public_id}/s/garbage/").status_code == 404


def test_a_code_ends_with_its_draw():
    night = evening()
    phone = PhoneKit(night, "1.1.1")
    night.do("draw.undone", phase=1, round=1, reason="somebody came")
    assert phone.look().status_code == 404
    night.draw()
    answer = phone.look()
    assert answer.status_code == 404
    assert "Scan the code on the slip" in answer.content.decode()
    late = phone.write(1, 40, 32, scripted=True)
    assert (late.status_code, late.json()["code"]) == (410, "code-ended")
    assert not night.table("1.1.1").lines


def test_a_renewed_code_opens_nothing():
    night = evening()
    phone = PhoneKit(night, "1.1.1")
    night.do("key.renewed", table="1.1.1")
    assert phone.write(1, 40, 32).status_code == 404
    assert PhoneKit(night, "1.1.1").look().status_code == 200


def test_wrong_codes_are_limited():
    night = evening()
    client = PhoneKit(night, "1.1.1").client
    found = {client.get(f"/e/{night.tournament.public_id}/s/1-1-1-0-aaaaaaaaaa/").status_code for _ in range(70)}
    assert found == {404, 429}


def test_a_round_that_is_a_draft_only_says_so():
    night = Night.at(4)
    night.begin()
    night.draw(out=False)
    phone = PhoneKit(night, "1.1.1")
    assert "not published yet" in phone.look().content.decode()
    assert phone.write(1, 40, 32).status_code == 422


# live


def test_a_page_that_is_up_to_date_gets_nothing_and_costs_two_queries(django_assert_max_num_queries, monkeypatch):
    words_stay(monkeypatch)
    night = evening(8)
    phone = PhoneKit(night, "1.1.1")
    text = phone.look().content.decode()
    mark = text.partition("?mark=")[2].partition('"')[0]
    PhoneKit(night, "1.1.2").write(1, 40, 32)
    with django_assert_max_num_queries(2):
        answer = phone.look(f"since/?mark={mark}")
    assert (answer.status_code, answer["X-Number"]) == (204, str(night.state.number))
    PhoneKit(night, "1.1.1", night.table("1.1.1").sides[1][0]).write(1, 40, 32)
    with django_assert_max_num_queries(4):
        answer = phone.look(f"since/?mark={mark}")
    assert 'data-seen="40,32"' in answer.content.decode()


def test_the_clock_says_until_when_a_deal_may_begin():
    night = evening(minutes=40, last_deal=10)
    night.do("clock.set", round="1.1", act="start")
    text = PhoneKit(night, "1.1.1").look().content.decode()
    assert "No new deal after" in text
    night.do("clock.set", round="1.1", act="pause")
    assert "stands still" in PhoneKit(night, "1.1.1").look().content.decode()


def test_after_confirming_the_page_says_where_everybody_sits_next():
    night = evening(8)
    for key in ("1.1.1", "1.1.2"):
        phone, other = two(night, key)
        phone.fill(40, 32)
        other.do("confirm", seen=other.seen)
    assert "As soon as the next round is published" in phone.look().content.decode()
    night.do("round.closed", round="1.1")
    night.draw()
    assert "Round 2, Vorname" in phone.look().content.decode()


def test_a_deal_that_the_director_left_as_it_was_is_still_by_who_wrote_it():
    night = evening(rules={"rounds": 2, "deals": 3})
    night.play_round("1.1")
    phone = PhoneKit(night, "1.1.1")
    lines = [{"deal": 1, "scores": [37, 35]}, {"deal": 2, "scores": [35, 37]}, {"deal": 3, "scores": [37, 35]}]
    night.do("table.settled", table="1.1.1", lines=lines, reason="the sides were exchanged")
    text = phone.look().content.decode()
    assert (text.count("by Vorname"), text.count("by the desk")) == (2, 1)
    lines[2]["scores"] = [36, 36]
    night.do("table.settled", table="1.1.1", lines=lines, reason="counted again")
    text = phone.look().content.decode()
    assert (text.count("by Vorname"), text.count("by the desk")) == (1, 2)
