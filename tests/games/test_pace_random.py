"""Whatever people do about time, at random, every game ends, and its log alone says how its clocks stand."""

from __future__ import annotations

import random
from datetime import timedelta

import pytest

from accounts.models import Player
from core.exceptions import Refusal
from domain.bots.advice import choose
from domain.engine.rulesets import ruleset
from domain.pace import Kind, Out, Terms
from games import projections
from games.models import Action, Game
from games.selectors import table
from games.services import agreements, computers, play, timing
from games.services.rebuilding import rebuild
from tests.games.pace_kit import DAY, fresh, request, turned, work_at
from tests.long import LONG

pytestmark = pytest.mark.django_db
SEEDS = range(60 if LONG else 2)
TABLES = (("troccas", 4), ("troccas-3", 3), ("troggu", 5), ("troccas-oinkers", 4))
PACES = (
    Terms(Kind.DAYS, DAY, 2 * DAY, weekends=False, holidays="VS", vacation=2),
    Terms(Kind.DAYS, DAY / 2, DAY, out=Out.SUBSTITUTE, vacation=1),
    Terms(Kind.LIVE, timedelta(seconds=30), timedelta(minutes=1)),
    Terms(Kind.LIVE, timedelta(seconds=10), out=Out.SUBSTITUTE),
)


class Company:
    """People at one table who come and go by chance."""

    def __init__(self, seed: int) -> None:
        self.chance = random.Random(seed)
        name, size = TABLES[seed % len(TABLES)]
        self.people = [Player.objects.create(name=f"P{number}", bot_speed="at-once") for number in range(size - 1)]
        self.spare = [Player.objects.create(name=f"S{number}", bot_speed="at-once") for number in range(6)]
        seats = [*self.people, *computers.computer_players(1)]
        pace = PACES[(seed // len(TABLES) + seed) % len(PACES)]
        drawn = name.startswith("troccas") and ruleset(name).seats == 4
        self.game = play.start(name, seats, pace=pace, options={"hands": 1}, draws_partners=drawn)

    def step(self, now) -> None:
        """Something happens, or is refused, which changes nothing."""
        game = fresh(self.game)
        seats = list(game.seats.select_related("player"))
        seat = self.chance.choice(seats)
        before = game.number
        try:
            self.attempt(self.chance.random(), seat.number, seat.player, now)
        except Refusal:
            assert fresh(game).number == before

    def attempt(self, chance: float, seat: int, player: Player, now) -> None:
        """One of the things people do: mostly they play."""
        how = {"request_id": request(), "by": player}
        game = fresh(self.game)
        if chance < 0.75:
            if game.to_act is not None:
                self.act(game)
        elif chance < 0.79:
            agreements.more_time(game.pk, self.chance.randrange(len(self.people) + 1), DAY, **how)
        elif chance < 0.83:
            agreements.propose_pause(game.pk, seat, now + self.chance.choice([1, 5, 70]) * DAY, **how)
        elif chance < 0.89:
            agreements.answer(game.pk, seat, agree=self.chance.random() < 0.9, **how)
        elif chance < 0.90:
            agreements.resume(game.pk, seat, **how)
        elif chance < 0.92:
            agreements.offer_live(game.pk, seat, **how)
        elif chance < 0.94:
            timing.come_back(game.pk, seat, **how)
        elif chance < 0.95:
            timing.ask_substitute(game.pk, self.chance.randrange(len(self.people) + 1), **how)
        elif chance < 0.98:
            timing.substitute(game.pk, seat, request_id=request(), by=self.chance.choice(self.spare))
        elif chance < 0.985:
            play.resign(game.pk, seat, **how)

    def act(self, game: Game) -> None:
        """The person who is asked acts, as a computer player would."""
        assert game.to_act is not None
        player = game.seats.select_related("player").get(number=game.to_act).player
        view = table.view_for(game, game.to_act)
        if player.is_computer or view is None:
            return
        play.submit(game.pk, game.to_act, str(choose(view)), expected=game.number, request_id=request(), by=player)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.slow
def test_every_game_ends_and_is_rebuilt_as_it_stands(seed, monkeypatch):
    with turned(monkeypatch) as wall_clock:
        company = Company(seed)
        game = company.game
        for step in range(3000):
            game = fresh(game)
            if game.status != Game.Status.PLAYING:
                break
            company.step(wall_clock.now)
            if company.chance.random() < 0.1:
                wall_clock.on(hours=company.chance.choice([0.01, 1, 12, 60]))
            work_at(wall_clock.now)
            if step % 10 == 0:
                assert rebuild(game.pk) == []
        assert game.status in (Game.Status.FINISHED, Game.Status.RESIGNED)
        assert rebuild(game.pk) == []
        assert (game.deadline_at, game.remind_at, game.due_at) == (None, None, None)
        check(game)


def check(game: Game) -> None:
    """What must hold of every log with a clock."""
    numbers = list(game.actions.order_by("number").values_list("number", flat=True))
    assert numbers == list(range(1, len(numbers) + 1))
    moments = list(game.actions.order_by("number").values_list("at", flat=True))
    assert moments == sorted(moments)
    clock = projections.clock_of(game)
    assert clock is not None
    assert all(seat.bank >= timedelta(0) for seat in clock.seats)
    # A computer player acted for a person only while that person was away.
    away: set[int] = set()
    for entry in game.actions.select_related("player").order_by("number"):
        seat = entry.seat or 0
        if entry.text == "drawn":
            away = {number for number, person in enumerate(entry.data["seats"]) if person in away}
        elif entry.text == "absent" or (entry.text == "sat" and entry.player.is_computer):
            away.add(seat)
        elif entry.text in ("returned", "substituted", "substitute-asked"):
            away.discard(seat)
        elif entry.kind == Action.Kind.MOVE:
            assert entry.player.is_computer == (seat in away)
