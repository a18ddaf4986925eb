"""A table at the desk: paper slips, sums by the house rules, disputes, corrections with their difference, substitutes."""

from __future__ import annotations

import pytest

from clubs.models import Member
from tests.tournaments.director.conftest import chosen, text
from tournaments.services import codes


@pytest.fixture
def playing(desk):
    """A tournament of eight whose first round is out, by a plan."""

    def made(number: int = 8, **plan):
        here = desk(number, **plan)
        here.night.begin()
        here.night.draw()
        return here

    return made


def test_a_paper_slip_is_typed_in_as_one_sum(playing):
    here = playing()
    mark = here.mark("slips", "1.1")
    answer = here.post("slips", "1.1", do="slip", what="1", mark=mark, s0="80", s1="64", of="2")
    assert answer["Location"].endswith("?saved=1")
    table = here.night.table("1.1.1")
    assert (table.state, table.played, table.lines[0][1].scores) == ("confirmed", 2, (80, 64))
    assert "1 table is not confirmed yet" in here.get("slips", "1.1")


def test_a_refused_slip_says_which_field_is_wrong_and_reads_the_reason_with_it(playing):
    here = playing()
    slip = {"do": "slip", "what": "1", "mark": here.mark("slips", "1.1"), "of": "2"}
    page = here.post("slips", "1.1", **slip, s0="80", s1="abc", status=422).content.decode()
    assert 'role="alert" id="refusal"' in page
    assert '<input name="s0" aria-describedby="refusal" inputmode' in page
    assert '<input name="s1" aria-describedby="refusal" aria-invalid="true"' in page
    assert page.count('aria-invalid="true"') == 1  # other tables have fields of the same names
    sheet = {"do": "settle", "what": "deals", "mode": "deals", "mark": here.mark("table", "1.1.1")}
    page = here.post("table", "1.1.1", **sheet, **{"d1-0": "80", "d1-1": ""}, status=422).content.decode()
    assert '<input id="d1-1" name="d1-1" aria-describedby="refusal" aria-invalid="true"' in page
    assert page.count('aria-invalid="true"') == 1


def test_points_that_no_side_can_have_are_not_taken_from_a_slip_but_from_the_director(playing):
    here = playing()
    sums = {"mark": here.mark("slips", "1.1"), "s0": "170", "s1": "-26", "of": "2"}
    refused = here.post("slips", "1.1", do="slip", what="1", **sums, status=422)
    assert "No side can have 170 of 144 points" in text(refused)
    assert here.night.table("1.1.1").lines == ()
    here.post("table", "1.1.1", do="settle", mode="sum", **sums)
    assert here.night.table("1.1.1").lines[0][1].scores == (170, -26)


def test_a_wrong_sum_is_counted_again_where_the_rules_say_so(playing):
    here = playing()
    mark = here.mark("slips", "1.1")
    refused = here.post("slips", "1.1", do="slip", what="1", mark=mark, s0="80", s1="63", of="2", status=422)
    assert "The 2 deals together add up to 143; it should be 144. Count the cards again." in text(refused)
    assert 'value="63"' in refused.content.decode()
    assert "stays so" not in text(refused)
    assert here.night.table("1.1.1").lines == ()


@pytest.mark.parametrize(("rule", "words"), [("split", "the difference is shared"), ("strike", "counts for nobody")])
def test_a_wrong_sum_that_stays_is_dealt_with_by_the_house_rules(playing, rule, words):
    here = playing(rules={"rounds": 4, "deals": 1, "wrong_sum": rule})
    mark = here.mark("slips", "1.1")
    slip = {"do": "slip", "what": "1", "mark": mark, "s0": "40", "s1": "31", "of": "1"}
    assert "stays so" in text(here.post("slips", "1.1", **slip, status=422))
    here.post("slips", "1.1", **slip, wrong="on")
    assert words in here.get("table", "1.1.1")
    standing = here.get("standings")
    assert ("32" in standing) == (rule == "split")


def test_what_the_table_wrote_is_confirmed_by_the_slip(playing):
    here = playing()
    here.night.write("1.1.1")
    here.post("slips", "1.1", do="slip", what="1", mark=here.mark("slips", "1.1"), as_written="yes")
    assert here.night.table("1.1.1").state == "confirmed"


def test_a_slip_is_not_written_over_what_came_from_the_table_meanwhile(playing):
    here = playing()
    mark = here.mark("slips", "1.1")
    here.night.write("1.1.1")
    slip = {"do": "slip", "what": "1", "mark": mark, "s0": "80", "s1": "64", "of": "2"}
    answer = here.post("slips", "1.1", **slip, status=409)
    assert "Something has happened in the meantime" in text(answer)
    assert here.night.table("1.1.1").state == "playing"


def test_a_table_whose_dealer_looks_on_is_written_deal_by_deal(playing):
    here = playing(9, odd=["five-dealer-out"], rules={"rounds": 2, "deals": 4})
    key = next(f"1.1.{n}" for n, table in here.night.state.round("1.1").tables.items() if table.in_turn)
    assert "write every deal by itself" in here.get("slips", "1.1")
    fields = {f"d{deal}-{side}": points for deal in range(1, 6) for side, points in enumerate(("40", "32"))}
    here.post("table", key, do="settle", what="deals", mode="deals", mark=here.mark("table", key), **fields)
    assert here.night.table(key).played == 5


def test_a_disputed_sheet_shows_both_versions_and_one_is_chosen_with_a_reason(playing):
    here = playing()
    here.night.write("1.1.1", 40, 32)
    here.night.do("table.handed-in", table="1.1.1", place=0)
    other = [{"deal": 1, "scores": [40, 32]}, {"deal": 2, "scores": [32, 40]}]
    here.night.do("table.disputed", table="1.1.1", place=1, lines=other, note="the last deal was ours")
    page = here.get("table", "1.1.1")
    assert "the last deal was ours" in page
    assert page.count("differs") == 1
    mark = here.mark("table", "1.1.1")
    choice = {"do": "choose", "version": "other", "mark": mark}
    assert "Say why" in text(here.post("table", "1.1.1", **choice, reason="", status=422))
    here.post("table", "1.1.1", **choice, reason="both counted the tricks again")
    table = here.night.table("1.1.1")
    assert (table.state, table.lines[1][1].scores) == ("confirmed", (32, 40))


def test_a_correction_shows_its_difference_before_it_is_done_and_after(playing):
    here = playing(4)
    here.night.play("1.1.1", 40, 32)
    best = here.night.table("1.1.1").seats[0]
    mark = here.mark("table", "1.1.1")
    typed = {"do": "settle", "what": "sum", "mode": "sum", "mark": mark, "s0": "60", "s1": "84", "of": "2"}
    shown = here.post("table", "1.1.1", **typed, reason="written on the wrong side", status=200)
    assert "This is what the correction would change" in text(shown)
    assert '<h2 id="preview" tabindex="-1" autofocus>' in shown.content.decode()
    assert "Match 2 → 0" in text(shown)
    assert here.night.table("1.1.1").sheet[1].scores == (40, 32)
    done = here.post("table", "1.1.1", **typed, reason="written on the wrong side", agreed="yes")
    page = text(here.client.get(done["Location"]))
    assert "What this changed" in page
    assert "Match 2 → 0" in page
    assert "written on the wrong side" in here.get("corrections")
    assert "Match 2 → 0" in here.get("corrections")
    name = here.night.people[int(best[1:]) - 1].last_name
    assert name in page


def test_a_correction_needs_a_reason(playing):
    here = playing(4)
    here.night.play("1.1.1", 40, 32)
    typed = {"do": "settle", "what": "sum", "mode": "sum", "mark": here.mark("table", "1.1.1"), "s0": "60", "s1": "84"}
    assert "Say why" in text(here.post("table", "1.1.1", **typed, reason="", status=422))


def test_what_nobody_typed_right_is_kept_in_the_form(playing):
    here = playing()
    fields = {"d1-0": "40", "d1-1": "x", "d2-0": "", "d2-1": ""}
    mark = here.mark("table", "1.1.1")
    refused = here.post("table", "1.1.1", do="settle", what="deals", mode="deals", mark=mark, **fields, status=422)
    assert "Write a whole number" in text(refused)
    assert 'value="x"' in refused.content.decode()
    fields["d1-1"] = ""
    refused = here.post("table", "1.1.1", do="settle", what="deals", mode="deals", mark=mark, **fields, status=422)
    assert "Every side needs its points" in text(refused)


def test_a_table_may_write_again_and_everything_is_kept(playing):
    here = playing()
    here.night.play("1.1.1")
    here.post("table", "1.1.1", do="reopen", reason="a deal was forgotten")
    assert here.night.table("1.1.1").state == "playing"
    page = here.get("table", "1.1.1")
    assert "a deal was forgotten" in page
    assert "was handed in" in page


def test_a_substitute_from_the_list_sits_down_at_once(playing):
    here = playing()
    member = here.night.person()
    assert member.last_name in here.get("table", "1.1.1", query=f"?find={member.last_name}")
    table = here.night.table("1.1.1")
    here.post("table", "1.1.1", do="substitute", place="2", new=member.public_id)
    after = here.night.table("1.1.1")
    assert after.people[2] == member.public_id
    assert after.seats == table.seats


def test_a_table_that_has_begun_says_who_plays_from_the_next_round_on(playing):
    here = playing()
    table = here.night.table("1.1.1")
    here.night.do("deal.entered", table="1.1.1", deal=1, place=0, scores=[40, 32])
    old = next(each for each in here.night.people if each.public_id == table.people[2])
    for new in (here.night.person(), here.night.person()):
        here.post("table", "1.1.1", do="substitute", place="2", new=new.public_id)
        told = f"{new.first_name} {new.last_name} for {old.first_name} {old.last_name} from round 2"
        assert told in here.get("table", "1.1.1")
    assert here.night.table("1.1.1").people == table.people


def test_a_pair_that_went_home_plays_on_by_its_substitutes_and_goes_on_in_a_knock_out(desk):
    here = desk(0, kind="pair", method="knock-out", odd=["bye"], rules={"rounds": 2, "deals": 1})
    for _pair in range(4):
        here.night.walk_in(pair=True)
    here.night.begin()
    here.night.draw()
    gone = here.night.table("1.1.1").seats[0]
    here.night.do("entrant.left", id=gone)
    assert "has gone home, and table 1 is still playing. Somebody steps in" in here.get("round", "1.1")
    here.post("table", "1.1.1", do="substitute", place="0", new=here.night.person().public_id)
    here.post("table", "1.1.1", do="substitute", place="2", first_name="Gion", last_name="Nuv")
    assert "has gone home" not in here.get("round", "1.1")
    people = here.night.table("1.1.1").people
    here.night.play_round("1.1")
    here.night.draw()
    final = here.night.table("1.2.1")
    assert gone in final.seats
    assert {people[0], people[2]} <= set(final.people)


def test_a_guest_plays_for_somebody_and_a_refusal_leaves_no_guest_behind(playing):
    here = playing()
    before = Member.objects.count()
    refused = here.post("table", "1.1.1", do="substitute", place="9", first_name="Gion", last_name="Nuv", status=422)
    assert "Gion" in refused.content.decode()
    assert Member.objects.count() == before
    here.post("table", "1.1.1", do="substitute", place="0", first_name="Gion", last_name="Nuv")
    assert "Gion Nuv" in here.get("table", "1.1.1")


def test_a_guest_of_whom_no_name_can_be_made_is_refused_with_what_was_typed(playing):
    here = playing()
    before = Member.objects.count()
    replaced = here.night.table("1.1.1").people[2]
    for first in ("x" * 61, "7 of hearts", "Gion\u202eNuv"):
        refused = here.post("table", "1.1.1", do="substitute", place="2", first_name=first, last_name="Nuv", status=422)
        assert "Nuv" in refused.content.decode()
        assert Member.objects.get(public_id=replaced).last_name in chosen(refused, "place")
    assert Member.objects.count() == before


def test_renewed_codes_of_a_table_end(playing):
    here = playing()
    code = codes.table_code(here.night.tournament, here.night.state, "1.1.1", 0)
    here.post("table", "1.1.1", do="renew")
    assert codes.read_table(here.night.tournament, here.night.state, code) is None
