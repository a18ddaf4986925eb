"""The bracket of a knock-out: everybody's way to the final, and the match for third place."""

from __future__ import annotations

import html
import re

import pytest
from django.test import Client

from tests.tournaments.services.kit import Night
from tournaments.publishing.selectors import bracket_seen
from tournaments.read_models import Names

pytestmark = pytest.mark.django_db


def knock_out(pairs: int, rounds: int) -> Night:
    night = Night.at(method="knock-out", kind="pair", odd=["bye"], third=True, rules={"rounds": rounds, "deals": 1})
    for _pair in range(pairs):
        night.walk_in(pair=True)
    night.begin()
    return night


def page(night: Night) -> str:
    answer = Client().get(f"/e/{night.tournament.public_id}/bracket/1/")
    assert answer.status_code == 200
    return " ".join(html.unescape(re.sub(r"<[^>]*>", " ", answer.content.decode())).split())


def test_it_grows_with_the_rounds_and_ends_with_the_match_for_third_place():
    night = knock_out(7, 3)
    assert "No round is published yet" in page(night)
    night.draw(out=False)
    assert "No round is published yet" in page(night)
    night.do("round.published", round="1.1")
    first = page(night)
    assert "Quarter-finals" in first
    assert "no opponent" in first
    assert "Final Not drawn yet." in first
    night.play_round("1.1")
    night.draw()
    night.play_round("1.2")
    night.draw()
    night.play("1.3.1")
    assert "For third place" in page(night)
    names = Names(night.tournament, "hall")
    quarter, semi, final = bracket_seen(night.state, night.state.phases[0], names)
    assert [len(each.matches) for each in (quarter, semi, final)] == [4, 2, 2]
    assert [match.free for match in quarter.matches].count(True) == 1
    # Each meeting stands beside the two it comes from.
    for before, after in ((quarter, semi), (semi, final)):
        went_on = [side.name for match in before.matches for side in match.sides if side.won]
        there = [{side.name for side in match.sides} for match in after.matches if not match.third]
        assert [set(went_on[at : at + 2]) for at in range(0, len(went_on), 2)] == there
    assert [(match.third, match.open) for match in final.matches] == [(False, False), (True, True)]
    assert [side.points for side in final.matches[1].sides] == [None, None]


def test_the_ranking_leads_to_it_and_other_parts_have_none():
    night = knock_out(4, 2)
    night.draw()
    ranking = Client().get(f"/e/{night.tournament.public_id}/standings/").content.decode()
    assert f"/e/{night.tournament.public_id}/bracket/1/" in ranking
    assert Client().get(f"/e/{night.tournament.public_id}/bracket/2/").status_code == 404


def test_the_winner_of_the_final_goes_on_nowhere():
    night = knock_out(3, 2)
    night.draw()
    night.play_round("1.1")
    assert page(night).count("(goes on)") == 1, "without an opponent"
    assert page(night).count("(won)") == 1
    night.draw()
    night.play_round("1.2")
    assert page(night).count("(goes on)") == 1
    assert page(night).count("(won)") == 2


def test_a_tournament_without_a_knock_out_has_no_bracket():
    night = Night.at(8)
    night.begin()
    assert Client().get(f"/e/{night.tournament.public_id}/bracket/1/").status_code == 404


def test_the_desk_chooses_a_match_for_third_place_for_a_final():
    night = Night.at(kind="pair", odd=["bye"], method="swiss", rules={"rounds": 1, "deals": 1})
    for _pair in range(4):
        night.walk_in(pair=True)
    night.begin()
    night.draw()
    night.play_round("1.1")
    client = Client()
    client.force_login(night.director.user)
    address = f"/e/{night.tournament.public_id}/phases/1/plan/"
    assert "Knock-out: a match for third place" in client.get(address).content.decode()


def test_who_was_knocked_out_is_not_absent_from_the_rounds_after():
    night = knock_out(5, 3)
    night.draw()
    night.play_round("1.1")
    out = night.table("1.1.1").seats[1]
    night.draw()
    client = Client()
    client.force_login(night.director.user)
    for address in (f"entrant/{out}/", f"standings/1/{out}/"):
        seen = client.get(f"/e/{night.tournament.public_id}/{address}").content.decode()
        assert seen.count('<th scope="row">') == 1
        assert "absent" not in seen
