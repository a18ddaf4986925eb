"""A table in Sursilvan: while a hand is played, and looked back at."""

from __future__ import annotations

import re

import pytest
from django.test import Client

from accounts import sessions
from core.sursilvan import SURSILVAN
from games.services import computers, play
from tests.games.table_kit import person, rush, sit, step, wait
from tests.long import LONG, quick
from tests.sursilvan_kit import Reading, faults

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("name", "size"), quick({"troccas-4"}, [("troccas", 4), ("troggu", 5), ("troggu-graechen", 4)])
)
def test_each_sentence_of_a_table_is_in_one_language_and_says_in_which(name: str, size: int) -> None:
    player = person()
    # More hands than so many steps can end, however short the deals are.
    game = play.start(name, [player, *computers.computer_players(size - 1)], options={"hands": 16})
    client = Client(headers={"accept-language": SURSILVAN})
    client.cookies["guest"] = sessions.issue_guest_token(player)
    found: dict[str, str] = {}

    def look(*parts: str) -> str:
        html = ""
        for part in parts:
            answer = client.get(f"/g/{game.public_id}/{part}")
            assert answer.status_code == 200, part
            html = answer.content.decode()
            found.update(dict.fromkeys(faults(html), part))
        return html

    look("")
    sit(game, player)
    wait(game, player)
    look("", "why/")
    for _ in range(60 if LONG else 12):
        step(game, player)
        look("")
    while game.to_act is None:  # no deal goes on just now
        step(game, player)
    texts = Reading(look("")).texts
    look("why/", "plans/", "chat/", "notes/", "leave/")
    rush(game)
    look("", "hands/", "hand/1/")
    replay = Reading(look("hand/1/?step=20"))
    (slider,) = ((text, language) for text, language, _tag in replay.said if re.match(r"\d+/\d+: ", text))
    assert (slider[0].partition(": ")[2], slider[1]) in replay.texts  # the sentence, as the page says it elsewhere
    assert found == {}
    assert any(lang == SURSILVAN and " da " in text for text, lang in texts)
    assert any(lang == "de" and "Stich" in text for text, lang in texts)
