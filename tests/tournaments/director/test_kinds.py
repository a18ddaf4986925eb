"""The desk for fixed pairs, and for Troggu, where everybody plays alone for Rappen."""

from __future__ import annotations

from tests.tournaments.director.conftest import text


def test_pairs_are_drawn_written_and_ranked(desk):
    here = desk(0, kind="pair", method="swiss", odd=["bye"])
    for _pair in range(5):
        here.night.walk_in(pair=True)
    here.post("rounds", do="begin")
    here.post("rounds", do="draw", phase=1)
    page = here.get("round", "1.1")
    assert "Sitting out, with a bye" in page
    here.post("round", "1.1", do="publish")
    mark = here.mark("slips", "1.1")
    here.post("slips", "1.1", do="slip", what="1", mark=mark, s0="100", s1="44", of="2")
    seats = here.night.table("1.1.1").seats
    assert " & " in here.get("standings")
    assert "before" in here.get("standings", query=f"?one={seats[0]}&other={seats[1]}")
    assert "What was weighed" in here.get("why", "1.1", here.night.state.round("1.1").byes[0])


def test_a_sheet_of_troggu_has_losses_and_adds_up_to_nothing(desk):
    here = desk(8, rules={"ruleset": "troggu", "rounds": 2, "deals": 4, "tie_breaks": ["card-points", "lot"]}, odd=[])
    here.night.begin()
    here.night.draw()
    table = here.night.table("1.1.1")
    assert table.total == 0
    sides = len(table.sides)
    sums = {f"s{place}": "0" for place in range(sides)} | {"s0": "150", "s1": "-150"}
    slip = {"do": "slip", "what": "1", "mark": here.mark("slips", "1.1"), "of": "4"}
    refused = here.post("slips", "1.1", **slip, **(sums | {"s1": "−140"}), status=422)
    assert "add up to 10; it should be 0" in text(refused)
    here.post("slips", "1.1", **slip, **(sums | {"s1": "−150"}))
    assert here.night.table("1.1.1").lines[0][1].scores[:2] == (150, -150)
    assert "150 : −150" in here.get("round", "1.1")
