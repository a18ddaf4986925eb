"""What waited in the browser of the desk or the door comes as a script sends it: once, and with an answer a script reads."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from tests.tournaments.director.conftest import DeskClient, desk
from tests.tournaments.services.kit import member_player
from tournaments.services import codes

__all__ = ["desk"]

SCRIPT = {"Accept": "application/json", "HX-Request": "true"}


def tell(client: Client, url: str, **data: Any) -> tuple[int, dict[str, Any]]:
    """What the site answers a script."""
    answer = client.post(url, data, headers=SCRIPT)
    return answer.status_code, answer.json()


def test_tap_that_is_sent_twice_is_done_once(desk: Callable[..., DeskClient]):
    at = desk(4)
    at.night.do("entrant.added", members=[at.night.person().public_id])
    sent = {"do": "pay:e5:1000", "request_id": str(uuid.uuid4())}
    first = tell(at.client, at.url("people"), **sent)
    number = at.night.state.number
    assert first == (200, {"done": True, "message": "Vorname5 Nachname5: here, 10.– paid."})
    assert tell(at.client, at.url("people"), **sent)[1]["done"]
    assert at.night.state.number == number


def test_guest_who_is_sent_twice_comes_in_once(desk: Callable[..., DeskClient]):
    at = desk(4)
    sent = {"do": "walk-in", "first_name": "Nova", "last_name": "Vegnida", "request_id": str(uuid.uuid4())}
    for _again in range(2):
        assert tell(at.client, at.url("people"), **sent)[1]["done"]
    assert len(at.night.state.entrants) == 5


@pytest.mark.parametrize(
    ("data", "words"),
    [
        ({"do": "leave:e1"}, "leave the tournament?"),
        ({"do": "walk-in", "first_name": "Vorname1", "last_name": "Nachname1"}, "Somebody of that name"),
        ({"do": "walk-in", "first_name": "", "last_name": ""}, "at least a first name"),
    ],
)
def test_what_needs_an_answer_is_refused_with_its_question(
    desk: Callable[..., DeskClient], data: dict[str, str], words: str
):
    at = desk(4)
    number = at.night.state.number
    status, told = tell(at.client, at.url("people"), **data)
    assert status >= 400
    assert not told["done"]
    assert words in told["message"]
    assert at.night.state.number == number


def test_code_that_opens_nothing_any_more_is_told(desk: Callable[..., DeskClient]):
    at = desk(4)
    code = codes.hall_code(at.night.tournament, at.night.state, codes.DOOR)
    at.night.do("hall-key.renewed", what="door")
    status, told = tell(Client(), at.url("door-code", code), do="here:e1")
    assert (status, told["done"]) == (403, False)
    assert "does not open the door" in told["message"]


def test_slip_that_is_sent_twice_counts_once(desk: Callable[..., DeskClient]):
    at = desk(8)
    at.night.begin()
    at.night.draw()
    sent = {
        "do": "slip",
        "what": "1",
        "s0": "80",
        "s1": "64",
        "of": "2",
        "mark": at.mark("slips", "1.1"),
        "request_id": str(uuid.uuid4()),
    }
    for _again in range(2):
        status, told = tell(at.client, at.url("slips", "1.1"), **sent)
        assert (status, told["done"]) == (200, True)
        assert "?saved=1" in told["next"]
    assert at.night.table("1.1.1").state == "confirmed"
    status, told = tell(at.client, at.url("slips", "1.1"), **sent | {"request_id": str(uuid.uuid4()), "s0": "90"})
    assert (status, told["done"]) == (409, False)


def test_stranger_is_told_no_more_by_a_script_than_by_a_page(desk: Callable[..., DeskClient]):
    at = desk(4)
    at.night.tournament.is_public = False
    at.night.tournament.save()
    stranger = Client()
    stranger.force_login(member_player("Stranger").user)
    assert stranger.post(at.url("people"), {"do": "here:e1"}, headers=SCRIPT).status_code == 404
