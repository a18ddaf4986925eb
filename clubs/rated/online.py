"""What games on this site bring: hands that people played to the end at tables that count."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from datetime import datetime
from itertools import groupby
from operator import attrgetter
from typing import NamedTuple

from clubs.rated.days import day_of
from clubs.rated.kinds import Kind, kind_of, usual_stake
from clubs.rated.lineups import Deal, results
from clubs.rated.people import player_id
from clubs.ratings.results import EACH, Result
from games.board_models import SHARED, sealed
from games.engine.ruleset import Ruleset
from games.engine.rulesets import UnknownRuleset, ruleset
from games.models import Game
from games.statistics_models import PlayedSeat


class Seat(NamedTuple):
    """A seat in a hand: who played it, and what came of it."""

    game: str
    options: object
    hand: int
    dealer: int
    shared_deal: str
    seat: int
    player: int
    party: int
    points: int
    score: int
    ruleset: str
    size: int
    at: datetime


def of_games(without: Collection[str] = ()) -> Iterator[Result]:
    """What was played in all games that count, but not in those with these public ids. One query.

    A hand counts when it was played by people only, each seat by one person alone; of deals that other tables have too,
    when they are open.
    """
    for game, seats in groupby(_seats(), key=attrgetter("game")):
        if game not in without:
            hands = [list(hand) for _number, hand in groupby(seats, key=attrgetter("hand"))]
            yield from results(f"g/{game}", [deal for hand in hands if (deal := _deal(hand)) is not None])


def _seats() -> Iterator[Seat]:
    """All seats of hands that may count, by game, hand and seat."""
    rows = (
        PlayedSeat.objects.filter(hand__game__kind=Game.Kind.PLAY, people_only=True, shared=False)
        .exclude(sealed("hand__deal"))
        .order_by("hand__game", "hand__number", "seat")
        .values_list(
            "hand__game__public_id", "hand__game__options", "hand__number", "hand__dealer", "hand__deal__origin",
            "hand__deal__table", "hand__deal__ordinal", "seat", "player", "player__merged_into", "party", "points",
            "score", "ruleset", "table_size", "at",
        )
    )  # fmt: skip
    for row in rows.iterator(2000):
        game, options, hand, dealer, origin, table, ordinal, seat, player, merged, *_played = row
        board = f"{table}/{ordinal}" if origin == SHARED else ""
        yield Seat(game, options, hand, dealer, board, seat, merged or player, *row[10:])


def _deal(hand: Sequence[Seat]) -> Deal | None:
    """A hand; None for one in which a seat is missing (somebody else made some of its moves), or that counts nowhere."""
    first = hand[0]
    if len(hand) != first.size:
        return None
    try:
        rules = ruleset(first.ruleset, seats=first.size)
    except UnknownRuleset:
        return None
    parties = rules.parties(rules.sides)
    kind = kind_of(first.ruleset, parties)
    if kind is None:
        return None
    if first.shared_deal:  # everywhere in the order of the cards, from the dealer on
        parties = tuple(sorted(parties, key=lambda party: min((seat - first.dealer) % first.size for seat in party)))
    return Deal(
        number=first.hand,
        kind=kind,
        sides=tuple(tuple(player_id(hand[seat].player) for seat in party) for party in parties),
        scores=tuple(_score(hand[party[0]], kind, rules) for party in parties),
        when=day_of(first.at),
        board=first.shared_deal,
    )


def _score(seat: Seat, kind: Kind, rules: Ruleset) -> int:
    """What a side made: card points; in games for money Rappen, as if it had been for the usual stake."""
    usual = usual_stake(rules)
    if kind.kind != EACH or not usual:
        return seat.points
    options = seat.options if isinstance(seat.options, dict) else {}
    stake = int(options.get("stake", usual)) or usual
    return seat.score // stake * usual
