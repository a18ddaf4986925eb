"""Evenings of a club and games on this site for tests of ratings."""

from __future__ import annotations

import random
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

from accounts.models import Player
from clubs.models import Member
from domain.engine import CODES, Hand, cards_in
from domain.engine import ruleset as rules_of
from games.models import Game, PlayedSeat
from games.services import play
from ratings import privacy, services
from ratings.models import RatedPerson
from tests.games.store_kit import random_action, store
from tests.games.table_kit import rush, sit
from tests.tournaments.services.kit import Night, member_player
from tournaments.models import Tournament

STARTS = datetime(2025, 3, 7, 18, 30, tzinfo=UTC)
"""When the first evening was; hands are of the day after."""
NAMES = ("Ada", "Beat", "Clau", "Duri", "Ella", "Flurin", "Gion", "Ursin")


def first_evening(people: int = 8, **plan: Any) -> Night:
    """The first evening of a club, some time ago, with so many people here."""
    night = Night.at(people, **plan)
    Tournament.objects.filter(pk=night.tournament.pk).update(starts=STARTS)
    return night


def people(night: Night, *names: str) -> list[Player]:
    """Accounts for the first people of an evening."""
    found = [member_player(name) for name in names]
    for entry, player in zip(night.people, found, strict=False):
        Member.objects.filter(pk=entry.pk).update(player=player)
    return found


def evening(night: Night, days: int = 0, **plan: Any) -> Night:
    """One more evening of the same club with the same people, so many days later, drawn and published."""
    tournament = Tournament.objects.create(club=night.club, name=f"Day {days}", starts=STARTS + timedelta(days=days))
    other = Night(night.club, tournament, night.director)
    other.do("tournament.planned", plan={"rules": {"rounds": 3, "deals": 4}} | plan)
    other.do("tournament.opened", commitment="0" * 64)
    for person in night.people:
        other.do("entrant.added", members=[person.public_id], here=True)
    other.begin()
    other.draw()
    return other


def play_round(night: Night, key: str, *margins: int) -> None:
    """All tables of a round are played; every deal of table n has the margin `margins[n]` for its first side."""
    found = night.state.round(key)
    assert found is not None
    for number, margin in zip(found.tables, margins, strict=True):
        total = found.tables[number].total or 0
        night.play(f"{key}.{number}", (total + margin) // 2, (total - margin) // 2)
    night.do("round.closed", round=key)


def online(players: Sequence[Player]) -> Game:
    """A game of one deal of Troccas among these people, each of them acting as a computer player would.

    Its pack is one that brings 38 against 34: one random pack in forty is won so high that the product takes it as less, and
    `Bayes` knows no such bound.
    """
    pack = list(cards_in(rules_of("troccas").pack))
    random.Random(1).shuffle(pack)
    codes = [CODES[card] for card in pack]
    game = play.start("troccas", list(players), options={"hands": 1, "throw_in": False}, pack=codes)
    for player in players:
        sit(game, player)
    rush(game)
    _date(game)
    return game


def stored_game(players: Sequence[Player], seed: int, ruleset: str = "troccas", **options: Any) -> Game:
    """A game whose first deal was played at random, as the door would have stored it."""
    rules = rules_of(ruleset, seats=len(players))
    for attempt in range(seed * 100, seed * 100 + 100):
        chance = random.Random(attempt)
        pack = list(cards_in(rules.pack))
        chance.shuffle(pack)
        hand = Hand(rules, chance.randrange(rules.seats), pack, options=rules.settled_options(options))
        while not hand.over:
            hand.push(random_action(hand, chance))
        if hand.result is not None and hand.result.status == "played":
            game = store(hand, players)
            _date(game)
            return game
    raise AssertionError("no hand was played in a hundred")


def _date(game: Game) -> None:
    PlayedSeat.objects.filter(hand__game=game).update(at=STARTS + timedelta(days=1))


def shown(*players: Player) -> list[RatedPerson]:
    """These want to be shown, and the ratings are computed."""
    found = [privacy.show_player(player) for player in players]
    services.run()
    return found
