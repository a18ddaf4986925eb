"""Asking for the analysis of a hand, and making it part by part, whoever of the workers does it."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
import time
from datetime import timedelta
from pathlib import Path

import pytest
from django.utils import timezone

from domain.bots.reviewing import TALK
from domain.engine import ruleset
from domain.engine.record import rewound
from games import broadcast
from games.analysis import services
from games.analysis.exceptions import AnalysisError
from games.analysis.models import Analysis, JudgedAction, Outlook
from games.analysis.parts import parts_of
from games.analysis.tasks import Calculator
from games.models import GameHand
from games.selectors.replay import NotOpen
from tests.games.analysis.kit import analysed, answer, begun
from tests.games.replay_kit import stored
from tests.games.store_kit import pack_of, random_hand
from tests.games.table_kit import laid, person, sit
from tests.live import PATIENCE, ROOT

pytestmark = pytest.mark.django_db


@pytest.fixture
def game():
    return stored("troggu")


def test_a_hand_that_is_still_played_is_not_analysed():
    player = person()
    running = laid(player)
    sit(running, player)
    with pytest.raises(NotOpen):
        services.ask(running, 1)
    assert not Analysis.objects.exists()


def test_a_hand_that_was_not_played_is_refused(game):
    GameHand.objects.filter(game=game).update(status=GameHand.Status.PASSED)
    with pytest.raises(AnalysisError, match="was not played"):
        services.ask(game, 1)


def test_who_asks_for_what_is_there_gets_it(game):
    first = services.ask(game, 1)
    assert services.ask(game, 1) == first
    assert Analysis.objects.count() == 1


def test_too_many_are_not_taken_on(game, monkeypatch):
    monkeypatch.setattr(services, "WAITING_AT_MOST", 1)
    services.ask(game, 1)
    with pytest.raises(AnalysisError, match="Ask again in a few minutes"):
        services.ask(stored("troggu", 2), 1)


def test_it_is_made_part_by_part_and_kept(game):
    made = analysed(game)
    assert (made.status, made.parts_done) == (Analysis.Status.DONE, made.parts)
    judged = list(JudgedAction.objects.all())
    assert judged
    assert all(each.cost >= 0 for each in judged)
    assert all(each.action in [option[0] for option in each.options] for each in judged)
    tricks = [each.trick for each in Outlook.objects.filter(trick__gt=0)]
    assert tricks == sorted(set(tricks))
    assert services.take(timezone.now()) is None


def test_the_talk_is_judged_and_computer_players_play_on_only_once_all_cards_are_dealt():
    hand = next(hand for seed in range(50) if (hand := random_hand(seed, 1000, rules=ruleset("troccas"))).tricks)
    pack = pack_of(hand)
    parts = parts_of(hand, pack)
    asked = {part: rewound(hand, pack, part.step) for part in parts}
    assert any(before.asked in TALK for part, before in asked.items() if not part.outlook)
    for part, before in asked.items():
        if part.outlook and not part.trick:
            assert sum(held.bit_count() for held in before.hands) == len(pack)
    assert [part.trick for part in parts if part.outlook] == list(range(len(hand.tricks)))  # the last leaves no choice


def test_two_workers_never_have_the_same_part(game):
    begun(game)
    assert services.take(timezone.now()) is None


def test_a_part_that_is_written_twice_counts_once(game):
    asked, task = begun(game)
    services.write(task, answer(task), timezone.now())
    assert services.write(task, answer(task), timezone.now()) is None
    asked.refresh_from_db()
    assert asked.parts_done == 1
    assert Outlook.objects.count() == 1


def test_what_a_worker_left_behind_is_taken_up_where_it_was(game):
    _asked, task = begun(game)
    following = services.write(task, answer(task), timezone.now())
    later = timezone.now() + services.LEASE + timedelta(seconds=1)
    again = services.take(later)
    assert again is not None
    assert again.part == following.part


def test_what_a_worker_took_while_the_clock_was_wrong_is_free_again(game):
    asked, task = begun(game)
    Analysis.objects.filter(pk=asked.pk).update(lease_until=timezone.now() + timedelta(days=400))
    again = services.take(timezone.now())
    assert again is not None
    assert again.part == task.part


def test_what_fails_again_and_again_is_given_up_and_can_be_asked_for_once_more(game):
    asked, task = begun(game)
    for _attempt in range(services.ATTEMPTS):
        services.count_failure(task, timezone.now())
        task = services.take(timezone.now()) or task
    asked.refresh_from_db()
    assert asked.status == Analysis.Status.FAILED
    assert services.take(timezone.now()) is None
    assert services.ask(game, 1).status == Analysis.Status.WAITING


@pytest.mark.django_db(transaction=True)
def test_the_worker_has_it_made_in_another_process(game):
    begun(game)
    Analysis.objects.update(lease_until=None)
    calculator = Calculator()
    try:
        calculator.look(timezone.now())
        calculator.wait()
        assert calculator.look(timezone.now()) == 1
        calculator.wait()
    finally:
        calculator.end()
    assert Analysis.objects.get().parts_done == 1


@pytest.mark.django_db(transaction=True)
def test_a_finished_part_has_the_worker_look_at_everything_at_once(game, monkeypatch):
    """Else each of some eighty parts would wait for the next round of the worker."""
    monkeypatch.setattr(broadcast, "_rung", {})  # this process has a worker
    begun(game)
    assert None in broadcast.take_rung().values(), "asked for"
    Analysis.objects.update(lease_until=None)
    calculator = Calculator()
    try:
        calculator.look(timezone.now())
        assert broadcast.worker_wakeup.wait(PATIENCE)
    finally:
        calculator.end()
    assert None in broadcast.take_rung().values(), "finished"


@pytest.mark.django_db(transaction=True)
@pytest.mark.skipif(importlib.util.find_spec("numba") is None, reason="numba is not installed")
@pytest.mark.slow
def test_it_is_made_compiled_once_the_computer_players_are(game, settings, tmp_path):
    begun(game)
    settings.COMPILED_DIR = str(tmp_path)
    for compiled in (False, True):
        Analysis.objects.update(lease_until=None)
        calculator = Calculator()
        try:
            calculator.look(timezone.now())
            assert calculator._pool is not None
            assert calculator._pool.submit(os.getenv, "TROCCAS_COMPILED").result() == ("1" if compiled else None)
        finally:
            calculator.end()
        (tmp_path / "kept.nbc").touch()


@pytest.mark.slow
def test_the_process_ends_when_the_one_that_asked_is_killed():
    """It must not wait for ever for a part that nobody will ask for."""
    with subprocess.Popen([sys.executable, "-c", ASKER], cwd=ROOT, stdout=subprocess.PIPE, text=True) as asker:
        assert asker.stdout is not None
        apart = int(asker.stdout.readline())
        asker.kill()
    end = time.monotonic() + 60
    while lives(apart) and time.monotonic() < end:
        time.sleep(0.1)
    assert not lives(apart)


def lives(process: int) -> bool:
    """Whether this process does anything still; one that nobody has buried yet does not."""
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


ASKER = """
import os, time, django
os.environ["DJANGO_SETTINGS_MODULE"] = "tests.settings"
if __name__ == "__main__":
    django.setup()
    from games.analysis import services
    from games.analysis.tasks import Calculator
    calculator = Calculator()
    calculator._begin(services.Task(0, 0, None, (), None, 1))
    print(calculator._pool.submit(os.getpid).result(), flush=True)
    time.sleep(600)
"""
