"""Standings at the desk: values, reasons, lots, penalties, a person's evening; parts and finals."""

from __future__ import annotations

import re
import uuid
from dataclasses import replace

import pytest

from clubs.models import HouseRulesVersion, Member
from domain.standings.profile import HouseRules, MatchPoints, to_plain
from domain.tournament.scoring import ranking
from tests.tournaments.director.conftest import chosen, text


@pytest.fixture
def played(desk):
    """A tournament of eight after one round."""

    def made(number: int = 8, *, rounds: int = 1, **plan):
        here = desk(number, **plan)
        here.night.begin()
        for each in range(1, rounds + 1):
            here.night.draw()
            here.night.play_round(f"1.{each}")
        return here

    return made


def test_the_list_shows_every_value_and_says_that_it_is_provisional(played):
    here = played()
    page = here.get("standings")
    assert "provisional" in page
    assert "Nachname1" in page
    assert "The most points in one round." in page


def test_the_list_is_found_by_name(played):
    here = played()
    page = here.client.get(here.url("standings") + "?find=nachname3").content.decode()
    table = page[page.index("<tbody>") : page.index("</tbody>")]
    assert table.count("<tr") == 1
    assert "Nobody in the list has that name" in here.get("standings", query="?find=zzz")


def test_why_one_stands_before_the_other_is_a_sentence(played):
    here = played()
    table = here.night.table("1.1.1")
    page = here.get("standings", query=f"?one={table.seats[1]}&other={table.seats[0]}")
    assert re.search(r"Nachname\d stands before \w+ Nachname\d by “Match points”: 2 against 0\.", page)


def test_the_comparison_begins_with_the_first_two_of_the_list(played):
    here = played()
    page = here.client.get(here.url("standings")).content.decode()
    first, second = re.findall(r'<option value="(e\d+)" selected>', page)
    assert [first, second] == [place.row.entrant for place in ranking(here.night.state)[0][:2]]
    table = here.night.table("1.1.1")
    chosen_two = here.client.get(
        f"{here.url('standings')}?one={table.seats[1]}&other={table.seats[0]}"
    ).content.decode()
    assert re.findall(r'<option value="(e\d+)" selected>', chosen_two) == [table.seats[1], table.seats[0]]


def test_a_persons_evening_says_with_whom_and_against_whom(played):
    here = played()
    seats = here.night.table("1.1.1").seats
    page = here.get("entrant-sheet", 1, seats[0])
    assert "74" in page
    assert f"Vorname{seats[2][1:]} N" in page
    assert "Round by round" in page
    assert here.client.get(here.url("entrant-sheet", 1, "e99")).status_code == 404


def test_lots_are_drawn_from_the_promise(played):
    here = played(4, rules={"rounds": 1, "deals": 2})
    assert "Equal in everything" in here.get("standings")
    here.post("standings-of", 1, do="lots", phase=1)
    assert all(lot.seed for _, lot in here.night.state.lots)
    page = here.get("standings")
    assert "Equal in everything" not in page
    assert "final" in page


def test_no_lots_are_offered_while_tables_play(played):
    here = played(4, rules={"rounds": 2, "deals": 2})
    assert "Draw the lots" in here.get("standings")
    here.night.draw()
    assert "Draw the lots" not in here.get("standings")


def test_while_rounds_are_to_come_the_ranking_stands_before_the_lots(played):
    here = played(4, rules={"rounds": 2, "deals": 2})
    page = here.client.get(here.url("standings")).content.decode()
    assert page.index('data-part="ranking"') < page.index('id="lots"')
    assert "2 groups are equal in everything now. Rounds are still to come." in text(
        here.client.get(here.url("standings"))
    )
    here.night.draw()
    here.night.play_round("1.2")
    page = here.client.get(here.url("standings")).content.decode()
    assert page.index('id="lots"') < page.index('data-part="ranking"')


def test_cards_that_were_cut_are_written_down_in_their_order(played):
    here = played(4, rules={"rounds": 1, "deals": 2})
    one, other = here.night.table("1.1.1").seats[::2]
    cut = {"do": "cut", "phase": 1, "what": one, "who": [one, other]}
    refused = here.post("standings-of", 1, **cut, **{f"lot-{one}": 1, f"lot-{other}": 1}, status=422)
    assert "Number them from 1 to 2" in text(refused)
    here.post("standings-of", 1, **cut, **{f"lot-{one}": 2, f"lot-{other}": 1})
    assert here.night.state.lots[0][1].order == (other, one)
    again = here.post("standings-of", 1, **cut, **{f"lot-{one}": 1, f"lot-{other}": 2}, status=422)
    assert "Nobody is tied, so there are no lots to draw" in text(again)


def test_a_penalty_of_the_list_is_given_and_cancelled_with_a_reason(played):
    penalties = [{"code": "late", "title": "Too late", "points": 10, "match": 1}]
    here = played(rules={"rounds": 4, "deals": 2, "penalties": penalties})
    who = here.night.table("1.1.1").seats[0]
    assert "Too late (10 points, 1 match points)" in here.get("penalties")
    here.post("penalties", do="give", entrant=who, kind="1:late", reason="a quarter of an hour")
    assert "a quarter of an hour" in here.get("entrant-sheet", 1, who)
    assert "Match 2 → 1" in here.get("corrections")
    here.post("penalties", do="cancel", what="p1", reason="the train")
    assert "cancelled: the train" in here.get("penalties")
    assert "cancelled: the train" in here.get("entrant-sheet", 1, who)
    assert here.night.state.penalties_cancelled == {"p1": "the train"}


def test_a_free_penalty_needs_a_reason(played):
    penalties = [{"code": "late", "title": "Too late", "points": 10, "match": 1}]
    here = played(rules={"rounds": 4, "deals": 2, "penalties": penalties})
    who = here.night.table("1.1.1").seats[0]
    refused = here.post("penalties", do="give", entrant=who, kind="1:", points=5, reason="", status=422)
    assert "Please fill it in" in text(refused)
    assert chosen(refused, "kind") == "something else, as below"
    here.post("penalties", do="give", entrant=who, kind="1:", points=5, reason="talked")
    assert here.night.state.penalties["p1"].points == 5


def test_the_first_ones_play_a_final_and_their_points_count_on(played):
    here = played(12, rounds=2, rules={"rounds": 2, "deals": 2})
    page = here.client.get(here.url("new-phase") + "?after=1&first=1&last=4").content.decode()
    chosen = re.findall(r'name="who" value="(e\d+)" checked', page)
    assert len(chosen) == 4
    form = _form(page) | {"do": "start", "name": "Final", "who": chosen, "carry": "on"}
    answer = here.client.post(here.url("new-phase") + "?after=1", form)
    assert answer.status_code == 303, text(answer)
    final = here.night.state.phases[1]
    assert (final.name, final.carry, final.after, len(final.entrants)) == ("Final", True, 1, 4)
    assert here.night.state.phases[0].finished
    here.post("rounds", do="draw", phase=2)
    here.post("round", "2.1", do="publish")
    here.night.play_round("2.1")
    values = [place.row.sheet.rounds for place in _standing(here, 2).places]
    assert all(len(rounds) == 3 for rounds in values)
    overall = here.get("standings")
    assert "The whole tournament" in overall
    assert overall.index("Final") > 0
    assert "Round by round" in here.get("entrant-sheet", 2, chosen[0])


def test_with_the_part_its_played_rounds_end_and_with_the_tournament_all_others(desk):
    here = desk(8, rules={"rounds": 2, "deals": 2})
    here.night.begin()
    for key in ("1.1", "1.2"):
        here.night.draw()
        for number in (1, 2):
            here.night.play(f"{key}.{number}")
    page = here.client.get(here.url("new-phase") + "?after=1&first=1&last=4").content.decode()
    form = _form(page) | {"do": "start", "name": "Final", "who": re.findall(r'name="who" value="(e\d+)" checked', page)}
    form["request_id"] = str(uuid.UUID(int=2))
    for _press in range(2):  # the second one is the same request
        assert here.client.post(here.url("new-phase") + "?after=1", form).status_code == 303
    assert len(here.night.state.phases) == 2
    assert [each.status for each in here.night.state.phases[0].rounds] == ["closed", "closed"]
    here.night.draw(2)
    here.night.play("2.1.1")
    for _press in range(2):
        here.post("closing", do="close", despite="the lots are left out", request_id=str(uuid.UUID(int=1)))
    assert here.night.state.closed
    assert [each.status for each in here.night.state.phases[1].rounds] == ["closed"]


def test_a_second_final_does_not_take_who_plays_in_the_first(played):
    here = played(8, rounds=1, rules={"rounds": 1, "deals": 2})
    here.night.do("phase.finished", phase=1)
    here.night.begin("A", after=1, entrants=["e1", "e2", "e3", "e4"])
    page = here.client.get(here.url("new-phase") + "?after=1&first=1&last=8").content.decode()
    assert page.count("disabled") == 4
    refused = here.post(
        "new-phase", query="?after=1", **_form(page), do="start", name="B", who=["e1", "e5", "e6", "e7"], status=422
    )
    assert "plays in another part" in text(refused)


def test_a_final_with_everybody_in_it_by_mistake_is_taken_away_from_the_pages(played):
    here = played(8, rounds=1, rules={"rounds": 1, "deals": 2})
    page = here.client.get(here.url("new-phase") + "?after=1").content.decode()
    everybody = re.findall(r'name="who" value="(e\d+)" checked', page)
    here.post("new-phase", query="?after=1", **_form(page), do="start", name="Final", who=everybody)
    assert "Everybody plays in another part" in here.get("new-phase", query="?after=1")
    refused = here.post("new-phase", query="?after=1", **_form(page), do="start", name="B", status=422)
    assert "Choose at least two" in text(refused)
    assert here.get("phases").count("take it away") == 1
    here.post("phases", do="drop", phase=2)
    assert len(here.night.state.phases) == 1
    assert "Everybody plays" not in here.get("new-phase", query="?after=1")
    assert "taken away again" in here.get("log")
    assert "take it away" not in here.get("phases")


def test_parts_of_a_closed_tournament_are_not_offered_to_be_changed(desk):
    here = desk(8)
    here.night.begin()
    assert "Change its plan" in here.get("phases")
    here.night.do("tournament.closed", despite="it was a test")
    page = here.get("phases")
    assert "its plan stays as it was played" in page
    assert "Change its plan" not in page
    assert "Start a final" not in page
    assert "Finish this part" not in page


def test_a_range_written_backwards_is_turned_round(played):
    here = played(8, rounds=1, rules={"rounds": 1, "deals": 2})
    page = here.client.get(here.url("new-phase") + "?after=1&first=5&last=3").content.decode()
    assert len(re.findall(r'name="who" value="(e\d+)" checked', page)) == 3


def test_a_part_goes_on_after_it_was_finished(played):
    here = played()
    here.post("phases", do="finish", phase=1)
    assert here.night.state.phases[0].finished
    here.post("phases", do="go-on", phase=1)
    assert not here.night.state.phases[0].finished


def test_the_plan_of_a_part_is_changed_with_a_reason(played):
    here = played()
    page = here.client.get(here.url("phase-plan", 1)).content.decode()
    form = _form(page) | {"do": "change", "rounds": "6"}
    refused = here.post("phase-plan", 1, **(form | {"rounds": "0"}), reason="more time", status=422)
    assert "not filled in" in text(refused)
    here.post("phase-plan", 1, **form, reason="more time")
    assert here.night.state.phases[0].plan.rules.rounds == 6


def test_what_is_refused_of_a_plan_says_of_which_field(played):
    here = played(rounds=2)
    form = _form(here.client.get(here.url("phase-plan", 1)).content.decode()) | {"do": "change", "reason": "late"}
    before = here.night.state.phases
    for changed, words in (
        ({"rounds": "1"}, "Rounds: A number from 2 to 100, please."),
        ({"dropped": "9"}, "Worst rounds that do not count: At least one round must count"),
        ({"minutes": "5", "last_deal": "7"}, "No new deal in the last … minutes: A number from 0 to 4, please."),
    ):
        assert words in text(here.post("phase-plan", 1, **form | changed, status=422))
    assert here.night.state.phases == before


def test_rounds_that_were_drawn_otherwise_become_no_knock_out(desk):
    here = desk(kind="pair", method="swiss", odd=["bye"], rules={"rounds": 3, "deals": 1})
    for _pair in range(4):
        here.night.walk_in(pair=True)
    here.night.begin()
    form = _form(here.client.get(here.url("phase-plan", 1)).content.decode()) | {"do": "change", "reason": "late"}
    here.post("phase-plan", 1, **form | {"method": "knock-out"})
    here.post("phase-plan", 1, **form)
    here.night.draw()
    refused = here.post("phase-plan", 1, **form | {"method": "knock-out"}, status=422)
    assert "Finish this part, and start the knock-out as a final." in text(refused)
    assert here.night.state.phases[0].plan.method == "swiss"
    here.post("round", "1.1", do="undo", reason="as a knock-out")
    here.post("phase-plan", 1, **form | {"method": "knock-out"})
    here.night.draw()
    for method in ("swiss", "knock-out"):
        here.post("phase-plan", 1, **form | {"method": method})


def test_a_part_that_is_played_takes_over_the_newer_house_rules_of_the_club(played):
    here = played()
    club, rules = here.night.club, HouseRules(rounds=5, deals=8)
    HouseRulesVersion.objects.create(club=club, version=1, data=to_plain(rules))
    assert "Use the current ones" not in here.get("phase-plan", 1)
    newer = replace(rules, match=MatchPoints(3, 1, 0))
    HouseRulesVersion.objects.create(club=club, version=2, data=to_plain(newer))
    assert "house rules are now at version 2" in here.get("phase-plan", 1)
    page = here.client.get(here.url("phase-plan", 1) + "?rules=latest").content.decode()
    assert "Use the current ones" not in page
    here.post("phase-plan", 1, query="?rules=latest", **_form(page) | {"do": "change"}, reason="agreed tonight")
    plan = here.night.state.phases[0].plan
    assert (plan.rules.version, plan.rules.match.win) == (2, 3)
    assert (plan.rules.rounds, plan.rules.deals) == (4, 2), "how long it is played stays as it was"
    assert "house rules are now at" not in here.get("phase-plan", 1)
    longer = replace(rules, rounds=9, dropped=4)
    HouseRulesVersion.objects.create(club=club, version=3, data=to_plain(longer))
    assert 'name="rounds" value="9"' in here.client.get(here.url("phase-plan", 1) + "?rules=latest").content.decode()


def test_a_final_begins_with_what_was_changed_in_the_settings_since(played):
    here = played()
    HouseRulesVersion.objects.create(club=here.night.club, version=1, data=to_plain(HouseRules()))
    final = "?after=1&first=1&last=4"
    here.night.do("phase.changed", phase=1, plan={"rules": {"rounds": 4, "deals": 3}}, reason="more time")
    here.night.do("tournament.planned", plan={"rules": {"rounds": 4, "deals": 2}}, fee=500)
    assert 'name="deals" value="3"' in here.client.get(here.url("new-phase") + final).content.decode(), "only the fee"
    here.night.do("tournament.planned", plan={"rules": {"rounds": 4, "deals": 5}}, fee=500)
    assert 'name="deals" value="5"' in here.client.get(here.url("new-phase") + final).content.decode()
    here.night.do("phase.changed", phase=1, plan={"rules": {"rounds": 4, "deals": 6}}, reason="more time")
    assert 'name="deals" value="6"' in here.client.get(here.url("new-phase") + final).content.decode()


def _standing(here, number):
    from tournaments import read_models

    return read_models.phase_seen(
        here.night.state, here.night.state.phases[number - 1], read_models.Names(here.night.tournament, "staff")
    )


def _form(page: str) -> dict[str, str]:
    """What a browser would send of the plan's fields as they are."""
    found = dict(re.findall(r'<input type="number" name="(\w+)" value="(\d+)"', page))
    for name, options in re.findall(r'<select name="(\w+)"[^>]*>(.*?)</select>', page, re.DOTALL):
        chosen = re.search(r'<option value="([^"]*)" selected', options)
        found[name] = chosen[1] if chosen else ""
    if 'name="confirm" id="id_confirm" checked' in page:
        found["confirm"] = "on"
    return found


def test_the_next_one_moves_up_where_somebody_has_gone_home(played):
    here = played(8, rounds=1, rules={"rounds": 1, "deals": 2})
    first = _standing(here, 1).places[0].entrant
    here.night.do("entrant.left", id=first)
    page = here.client.get(here.url("new-phase") + "?after=1&first=1&last=4").content.decode()
    ticked = re.findall(r'name="who" value="(e\d+)" checked', page)
    assert len(ticked) == 4
    assert first not in ticked


def test_those_who_share_a_rank_stand_by_last_name(desk):
    here = desk()
    for first, last in (("Anna", "Zoller"), ("Zita", "Aebi"), ("Beat", "Moser"), ("Gion", "Berther")):
        one = Member.objects.create(club=here.night.club, first_name=first, last_name=last)
        here.night.do("entrant.added", members=[one.public_id], here=True)
    here.night.begin()
    here.night.draw()
    page = here.get("standings")
    table = page[page.index("Rank Name") :]
    assert sorted(("Aebi", "Berther", "Moser", "Zoller"), key=table.index) == ["Aebi", "Berther", "Moser", "Zoller"]
