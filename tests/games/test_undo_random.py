"""Whatever people ask to take back, agree to and decline, at random and in every game: the log alone says how it stands, and
what was taken back might as well never have been done."""

from __future__ import annotations

import random

import pytest

from accounts.models import Player
from core.exceptions import Refusal
from domain.engine.actions import BARE
from games import projections
from games.models import Game
from games.selectors import log
from games.selectors import table as table_selector
from games.services import agreements, computers, play, timing
from games.services.rebuilding import rebuild
from tests.domain.engine.tables import EVERY, NAMES, any_action
from tests.games.pace_kit import DAY, DAYS, LIVE, fresh, request, turned, work_at
from tests.games.table_kit import sit
from tests.games.undo_kit import ask, last_move, reply, same_as_never_made
from tests.long import LONG, quick

pytestmark = pytest.mark.django_db
SEEDS = range(6 if LONG else 1)
COMPARED = 40 if LONG else 2
"""How many takings back of each game are compared with the game in which the move was never made, and rebuilt at each answer."""
PACES = (DAYS, None, LIVE)


class Company:
    """People who think better of what they have done, and others who mostly let them."""

    def __init__(self, rules, seed: int) -> None:
        self.chance = random.Random(seed * 100 + EVERY.index(rules))
        self.pace = PACES[(seed + EVERY.index(rules)) % len(PACES)]
        bots = self.chance.randrange(3) if rules.seats > 3 else 0
        self.people = [
            Player.objects.create(name=f"P{seat}", bot_speed="at-once") for seat in range(rules.seats - bots)
        ]
        seats = [*self.people, *computers.computer_players(bots)]
        self.game = play.start(rules.id, seats, pace=self.pace, options={"hands": 1})
        self.undone = 0

    def begin(self, now) -> None:
        """The deal that waits begins."""
        game = fresh(self.game)
        if self.pace is not None:
            assert timing.begin(game.pk, expected=game.number, now=now + DAY)
            return
        for player in self.people:
            sit(game, player)

    def act(self) -> None:
        """Whoever is asked does anything that is allowed; a computer player's move is done in its name."""
        game = fresh(self.game)
        table = log.open_table(game)
        assert table.hand is not None
        by = table.seats[table.hand.turn].player
        action = str(any_action(table.hand, self.chance))
        if action == "pass" and BARE["take"] in table.hand.legal:
            action = "take"  # a hand that is passed has no cards to take back
        if by.is_computer and game.undo:
            assert not computers.act_for(game)
            return
        play.submit(game.pk, table.hand.turn, action, expected=game.number, request_id=request(), by=by)

    def think_again(self) -> bool:
        """Whoever did the last thing asks to take it back; the others agree, decline, or play on. Whether all agreed."""
        game = fresh(self.game)
        if len(self.people) == 1:
            return self.think_again_alone()
        move = last_move(game)
        who = move.player
        assert who is not None
        if self.pace is not None and self.chance.random() < 0.3 and len(self.people) > 1:
            other = self.chance.choice([player for player in self.people if player != who])
            seat = game.seats.get(player=who).number
            if not who.is_computer:
                agreements.more_time(
                    game.pk, seat, max(DAY / 2880, DAY * (self.pace is DAYS)), request_id=request(), by=other
                )
        offered = {player: table_selector.sight_of(fresh(game), player).undo for player in self.people}
        try:
            ask(game, who)
        except Refusal:
            assert not any(offered.values()), "what is offered is allowed"
            assert fresh(game).undo == {}
            return False
        assert [player for player in self.people if offered[player]] in ([], [who]), "it is offered to who did it alone"
        while fresh(game).undo:
            if self.undone < COMPARED:
                assert rebuild(game.pk) == []
            waiting = projections.undo_waits_for(fresh(game))
            lot = self.chance.random()
            if lot < 0.06:
                self.act()
                if fresh(game).undo:  # a computer player is asked, and waits
                    assert projections.undo_waits_for(fresh(game)) == waiting
                    continue
            else:
                seat = self.chance.choice(waiting)
                reply(game, game.seats.select_related("player").get(number=seat).player, agree=lot < 0.95)
        return last_move(game).number == move.number and move.number not in {
            one.number for one in log.moves_of(game, move.hand_number)
        }

    def think_again_alone(self) -> bool:
        """The only person takes back what they did last, if it was done with cards, and what computer players did since."""
        (person,) = self.people
        offered = table_selector.sight_of(fresh(self.game), person).undo
        if offered is None:
            return False
        ask(self.game, person, move=offered.move)
        assert fresh(self.game).to_act == self.game.seats.get(player=person).number
        return all(one.number < offered.move for one in log.moves_of(self.game, fresh(self.game).hand_number))


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("rules", quick({"troccas-at-4", "troccas-3-at-3", "troggu-graechen-at-4"}, EVERY, NAMES))
@pytest.mark.slow
def test_it_is_as_if_the_move_had_never_been_made(rules, seed, monkeypatch):
    # The packs are the system's own chance: a hand that all pass may end before anybody thought again.
    assert any(undone_in_a_game(rules, seed + 1000 * again, monkeypatch) for again in range(6))


def undone_in_a_game(rules, seed, monkeypatch) -> int:
    """Play a game in which moves are taken back now and then, compared each time; how many were."""
    with turned(monkeypatch) as clock:
        company = Company(rules, seed)
        compared, verbs = 0, set()
        while fresh(company.game).status == Game.Status.PLAYING:
            if fresh(company.game).to_act is None:
                company.begin(clock.now)
                continue
            clock.on(seconds=company.chance.choice([1, 1, 20]))
            company.act()
            game = fresh(company.game)
            if game.status != Game.Status.PLAYING or game.to_act is None or company.chance.random() > 0.14:
                continue
            verb = last_move(game).text.partition(" ")[0]
            if company.think_again():
                company.undone += 1
                verbs.add(verb)
                assert rebuild(game.pk) == []
                if compared < COMPARED and company.chance.random() < 0.5:
                    same_as_never_made(fresh(game))
                    compared += 1
        work_at(clock.now)
        game = fresh(company.game)
        assert rebuild(game.pk) == []
        same_as_never_made(game)
        assert verbs <= {"play", "scart", "discard", "take"}
        return company.undone
