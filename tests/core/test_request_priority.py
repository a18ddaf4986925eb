"""While requests are answered, computer players wait a moment; a request that stays does not hold them up for good."""

from __future__ import annotations

import threading

import pytest

from core.request_priority import answering, let_requests_go_first
from games.models import Game
from games.services import computers
from tests.games.table_kit import advised, laid, person, seat_of, sit, submit
from tests.live import PATIENCE


def test_the_worker_waits_until_all_that_is_being_answered_is() -> None:
    went = threading.Event()

    def work() -> None:
        let_requests_go_first(PATIENCE)
        went.set()

    with answering():
        with answering():
            worker = threading.Thread(target=work)
            worker.start()
        assert not went.wait(0.05)
    assert went.wait(PATIENCE)
    worker.join()


def test_it_does_not_wait_for_ever() -> None:
    with answering():
        let_requests_go_first(0.01)
    let_requests_go_first(PATIENCE)


@pytest.mark.django_db
def test_a_computer_player_acts_after_the_requests_that_are_being_answered(monkeypatch: pytest.MonkeyPatch) -> None:
    player = person()
    game = laid(player, options={"throw_in": False})
    sit(game, player)
    game.refresh_from_db()
    while game.to_act == seat_of(game, player):
        submit(game, player, advised(game, player))
        game.refresh_from_db()
    numbers: list[int] = []

    def note(most: float) -> None:
        assert most == computers.REQUESTS_FIRST
        numbers.append(Game.objects.get(pk=game.pk).number)

    monkeypatch.setattr(computers, "let_requests_go_first", note)
    assert computers.act_for(game)
    assert numbers == [game.number]
