"""The file of an evening over HTTP: saved at the desk, opened by anybody with an account, brought back."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from tests.tournaments.director.conftest import DeskClient, desk, text
from tests.tournaments.handover.kit import another_computer, opened, saved
from tests.tournaments.services.kit import member_player
from tournaments.models import Tournament

__all__ = ["desk"]

OPEN = "/evening/from-file/"


def sent(data: bytes) -> SimpleUploadedFile:
    return SimpleUploadedFile("evening.json", data, content_type="application/json")


def test_desk_saves_the_file_and_says_what_it_holds(desk: Callable[..., DeskClient]):
    at = desk(4)
    shown = at.get("file")
    assert "The file also holds names, the secret of the draws and all codes" in shown
    answer = at.client.get(at.url("file-download"))
    assert answer["Content-Disposition"].startswith(f'attachment; filename="evening-{at.night.tournament.public_id}-')
    assert "no-store" in answer["Cache-Control"]
    assert answer.content.startswith(b'{"format":"troccas-evening"')


@pytest.mark.parametrize("name", ["file", "file-download"])
def test_nobody_else_gets_the_file(desk: Callable[..., DeskClient], name: str):
    at = desk(4)
    stranger = Client()
    assert stranger.get(at.url(name)).status_code in (302, 403)
    stranger.force_login(member_player("Stranger").user)
    assert stranger.get(at.url(name)).status_code == 403


def test_everybody_sees_that_it_goes_on_elsewhere(desk: Callable[..., DeskClient]):
    at = desk(4)
    at.post("file", do="hand-over")
    assert "has been run on another computer since" in text(Client().get(at.url("home")))
    assert "has been run on another computer since" in at.get("rounds")
    answer = at.post("people", do="leave:e1", sure="1", status=409)
    assert "another computer" in text(answer)
    at.post("file", do="take-back")
    assert "has been run on another computer since" not in text(Client().get(at.url("home")))


def test_file_is_opened_by_somebody_with_an_account_only(desk: Callable[..., DeskClient]):
    data = saved(desk(4).night)
    with another_computer() as by:
        assert Client().post(OPEN, {"file": sent(data)}).status_code == 403
        client = Client()
        client.force_login(by.user)
        answer = client.post(OPEN, {"file": sent(data)})
        assert answer.status_code == 303
        shown = text(client.get(answer["Location"]))
        assert "This evening continues here: it was opened" in shown
        assert client.get(reverse("tournament:people", args=[Tournament.objects.get().public_id])).status_code == 200


@pytest.mark.parametrize("data", [None, b"not a file of ours"])
def test_wrong_file_is_refused_with_its_reason(desk: Callable[..., DeskClient], data: bytes | None):
    at = desk(4)
    given = {"file": sent(data)} if data else {}
    answer = at.post("file", do="open", status=422, **given)
    assert ("not the file of an evening" if data else "Choose the file") in text(answer)
    assert at.client.post(OPEN, given).status_code == 422


def test_damaged_file_is_refused_in_a_clear_sentence(desk: Callable[..., DeskClient]):
    at = desk(4)
    answer = at.post("file", do="open", status=422, file=sent(saved(at.night)[:-200]))
    assert "This file is not whole" in text(answer)


def test_file_of_another_evening_is_not_mixed_in(desk: Callable[..., DeskClient]):
    at = desk(4)
    other = Tournament.objects.create(club=at.night.club, name="other", starts=at.night.tournament.starts)
    at.night.tournament, mine = other, at.night.tournament
    data = saved(at.night)
    at.night.tournament = mine
    assert "another evening" in text(at.post("file", do="open", status=409, file=sent(data)))


@pytest.mark.parametrize("own_page", [True, False])
def test_where_both_went_on_it_is_shown_what_differs(desk: Callable[..., DeskClient], own_page: bool):
    at = desk(4)
    data = saved(at.night)
    with another_computer() as by:
        copy = opened(data, by)
        copy.do("entrant.left", id="e2")
        back = saved(copy)
    at.night.do("entrant.left", id="e3")
    if own_page:
        shown = text(at.post("file", do="open", status=409, file=sent(back)))
    else:
        answer = at.client.post(OPEN, {"file": sent(back)})
        assert answer.status_code == 409
        shown = text(answer)
    assert "continued on both computers separately" in shown
    assert "Here: 1 entry since then" in shown
    assert "In the file: 1 entry since then" in shown
    assert "Vorname3 Nachname3" in shown.split("In the file")[0].split("Here: 1")[1]
    assert "Vorname2 Nachname2" in shown.split("In the file")[1]


def test_returning_file_is_taken_over_on_the_evenings_page(desk: Callable[..., DeskClient]):
    at = desk(4)
    at.post("file", do="hand-over")
    data = saved(at.night)
    with another_computer() as by:
        copy = opened(data, by)
        copy.do("entrant.left", id="e2")
        back = saved(copy)
    at.post("file", do="open", file=sent(back))
    assert "1 entry of its log was taken over" in at.get("file")
    assert at.night.state.entrants["e2"].status == "withdrawn"
