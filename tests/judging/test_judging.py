"""The judge in a small version, and whether it would notice what it looks for."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import uuid
from collections import Counter
from datetime import UTC, datetime, timedelta
from pathlib import Path
from types import SimpleNamespace

import pytest

from accounts.models import Player
from games import sight
from games.engine import CODES
from games.models import Game
from tests.games.store_kit import random_hand, store
from tests.games.table_kit import advised, laid, person, sit, submit, wait
from tests.judging import checks, scanning
from tests.judging.clock import SharedClock
from tests.judging.truth import WATCHER, Reading
from tests.judging.wire import Entry, Ledger
from tests.live import ROOT, site_environment

SECONDS = 5000
"""Until a run that has hung is given up; one takes about a minute on an idle machine."""


def judge(*more: str) -> None:
    """The real thing, small: `python -m tests.judging` with its default of 200 games is the large one."""
    size = ["--games", "8", "--people", "9", "--threads", "4", "--minutes", "0.4", "--kill-every", "8", "--seed", "4"]
    done = subprocess.run(
        [sys.executable, "-m", "tests.judging", *size, *more],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=SECONDS,
    )
    assert done.returncode == 0, done.stdout[-6000:] + done.stderr[-3000:]
    assert "\nwrong: 0" in done.stdout
    games = re.search(r"\n  games: (\d+)\n", done.stdout)
    assert games
    assert int(games[1]) >= 8


def test_eight_games_at_once_through_deaths_and_turned_clocks():
    judge()


@pytest.mark.services
@pytest.mark.long
def test_the_same_with_two_servers_and_two_workers():
    if "DATABASE_URL" not in os.environ or "REDIS_URL" not in os.environ:
        pytest.skip("several processes need PostgreSQL and Redis")
    addresses = (f"--postgres={os.environ['DATABASE_URL']}", f"--redis={os.environ['REDIS_URL']}")
    judge("--servers", "2", "--workers", "2", *addresses)


# the clock


def told_by(settings: str, clock: Path, data: Path) -> datetime:
    """What a program with these settings says the time is."""
    extra = {"DJANGO_SETTINGS_MODULE": settings, "JUDGING_CLOCK": str(clock), "DATABASE_URL": ""}
    line = (
        "from django.utils import timezone; from notices.models import Outbox; print(Outbox().created_at.isoformat())"
    )
    done = subprocess.run(
        [sys.executable, str(ROOT / "manage.py"), "shell", "--no-imports", "-c", line],
        env=site_environment(data, extra),
        check=True,
        capture_output=True,
        text=True,
    )
    return datetime.fromisoformat(done.stdout.strip())


def test_only_a_site_with_the_judges_settings_follows_its_clock(tmp_path: Path):
    clock = SharedClock(tmp_path / "clock")
    clock.turn_on(timedelta(days=400))
    soon = datetime.now(UTC) + timedelta(days=1)
    assert told_by("troccas_site.settings", tmp_path / "clock", tmp_path) < soon
    assert told_by("tests.judging.settings", tmp_path / "clock", tmp_path) > soon + timedelta(days=300)


def test_the_clock_does_not_go_back(tmp_path: Path):
    with pytest.raises(ValueError, match="forward"):
        SharedClock(tmp_path / "clock").turn_on(timedelta(seconds=-1))


# cards


@pytest.mark.parametrize(
    ("text", "cards"),
    [
        ('<button data-card="CK" value="play CK">', {"CK"}),
        ('<svg><use href="/static/deck/deck.svg#T21"></use></svg>', {"T21"}),
        ('<input id="card-F" value="F">', {"F"}),
        ("<p>Anna plays the king of cups.</p>", {"CK"}),
        ("<p>Anna spielt den Becher-König.</p>", {"CK"}),
        ("<p>Anna &amp; Beat have <b>5</b> points; C-major, SOS, B52.</p>", set()),
        ('<input name="csrfmiddlewaretoken" value="aCKb-CK-T5">', set()),
    ],
)
@pytest.mark.django_db
def test_cards_are_found_by_code_and_by_name(text: str, cards: set[str]):
    assert scanning.in_page(text) == cards


def test_cards_are_found_in_data():
    data = {"cards": [{"code": "CK"}], "choices": [{"action": "play T5 buob"}], "words": "CQ", "number": 3}
    assert scanning.in_data(data) == {"CK", "T5"}


@pytest.mark.django_db
@pytest.mark.parametrize("seed", [0, 1, 2, 4])
def test_what_one_seat_sees_would_be_noticed_at_another(seed: int):
    hand = random_hand(seed, 30)
    players = [Player.objects.create(name=f"P{number}") for number in range(4)]
    game = store(hand, players)
    reading = Reading(game)
    for seat, player in enumerate(players):
        seen = scanning.in_data(sight.of(game, player).as_json())
        assert reading.seat_of({player.pk}, game.number) == seat
        assert not seen & reading.forbidden(game.number, seat)
        held = {code for card, code in enumerate(CODES) if hand.hands[seat] >> card & 1}
        for other in (*(one for one in range(4) if one != seat), WATCHER):
            assert held & reading.forbidden(game.number, other)


# actions


def judged(game: Game, players: set[int], entries: list[Entry]) -> list[str]:
    """What the check of actions finds wrong."""
    village = SimpleNamespace(ledger=Ledger(entries))
    found = SimpleNamespace(numbers=Counter())
    return list(checks._actions(village, {game.public_id: Reading(game)}, {7: players}, found))


def sent(game: Game, text: str, status: int, request_id: uuid.UUID) -> Entry:
    return Entry(7, f"/g/{game.public_id}/act/", {}, str(request_id), "act", status=status, sent=1, text=text)


@pytest.mark.django_db
def test_an_action_that_is_lost_invented_or_somebody_elses_would_be_noticed():
    player = person(name="Anna")
    game = laid(player)
    sit(game, player)
    wait(game, player)
    given = uuid.uuid4()
    action = advised(game, player)
    submit(game, player, action, request_id=given)
    game.refresh_from_db()
    mine = {player.pk}
    good = sent(game, action, 303, given)
    others = [row for row in game.actions.exclude(request_id=None) if row.player == player and row.request_id != given]
    rest = [sent(game, row.text, 303, row.request_id) for row in others]
    for entry in rest:
        entry.path = entry.path.replace("act", "ready")
    assert judged(game, mine, [good, *rest]) == []
    assert judged(game, mine, [sent(game, action, 422, given), *rest])  # refused, and done all the same
    assert judged(game, mine, [good, sent(game, action, 303, uuid.uuid4()), *rest])  # accepted, and lost
    assert judged(game, mine, [sent(game, "cut 1", 303, given), *rest])  # done otherwise than it was said
    assert judged(game, mine, rest)  # nobody had sent it
    assert judged(game, {0}, [good, *rest])  # somebody else had
