"""The analysis of a hand by the API."""

from __future__ import annotations

import pytest

from games.analysis.models import Analysis
from tests.games.analysis.kit import analysed
from tests.games.api_kit import Program, member
from tests.games.replay_kit import stored
from tests.games.table_kit import laid, sit

pytestmark = pytest.mark.django_db


@pytest.mark.slow
def test_a_program_asks_for_it_and_reads_it():
    player = member()
    game = stored("troggu", player=player)
    program, path = Program(player), f"/games/{game.public_id}/hands/1/analysis"
    assert program.ask(path)["status"] == "none"
    assert program.say(path, 202)["status"] == "waiting"
    made = analysed(game)
    found = program.ask(path)
    assert (found["status"], found["share"]) == ("done", 100)
    assert [each["step"] for each in found["decisions"]] == [each.step for each in made.judged.all()]
    assert all(len(each["means"]) == game.table_size for each in found["outlooks"])


def test_a_hand_whose_cards_are_secret_has_none():
    player = member()
    game = laid(player)
    sit(game, player)
    program, path = Program(player), f"/games/{game.public_id}/hands/1/analysis"
    assert program.ask(path, 404)["code"] == "hand-closed"
    assert program.say(path, 404)["code"] == "hand-closed"
    assert not Analysis.objects.exists()
