"""Who really sat where at tables of tournaments that were played on this site, deal by deal."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping
from typing import Final, NamedTuple

from clubs.evening.state import State
from clubs.rated.days import day_of
from clubs.rated.people import computer_id, player_id
from games.board_models import SHARED
from games.models import GameHand
from games.statistics_models import PlayedSeat

_COUNTED: Final = (GameHand.Status.PLAYED, GameHand.Status.PASSED)
"""The hands that stand on the sheet of a table; deals that were thrown in do not (`clubs.online.reporting`)."""


class Lineup(NamedTuple):
    """A deal: who played each place (nobody: it does not count), the day, and whether its cards are at other tables, too."""

    people: tuple[str, ...]
    when: int
    shared: bool


Seated = Mapping[str, Mapping[int, Lineup]]
"""By the public id of a game, and the number of the deal on the sheet of its table."""


def games_of(state: State) -> set[str]:
    """The games that were laid for tables of a tournament, those that were let go among them."""
    tables = [table for phase in state.phases for each in phase.rounds for table in each.tables.values()]
    found = {table.game for table in tables} | {change.game for table in tables for change in table.changes}
    return found - {""}


def seated(games: Collection[str]) -> Seated:
    """Who sat where in the games with these public ids. Two queries, none without games.

    A deal does not count that was passed, that is sealed, or where somebody else made part of a seat's moves.
    """
    if not games:
        return {}
    found: dict[str, dict[int, Lineup]] = {}
    hands = GameHand.objects.filter(game__public_id__in=games, status__in=_COUNTED).select_related("game", "deal")
    seats: dict[int, list[tuple[str, bool]]] = defaultdict(list)
    days: dict[int, int] = {}
    rows = PlayedSeat.objects.filter(hand__game__public_id__in=games).order_by("hand", "seat").values_list(
        "hand", "at", "player", "player__merged_into", "player__computer", "player__name", "shared"
    )  # fmt: skip
    for hand, at, player, merged, computer, name, shared in rows:
        days[hand] = day_of(at)
        seats[hand].append((computer_id(f"{computer} {name}") if computer else player_id(merged or player), shared))
    for row in hands.order_by("game", "number"):
        of_game = found.setdefault(row.game.public_id, {})
        number = row.number if row.game.board_set_id is not None else len(of_game) + 1
        there = seats.get(row.pk, [])
        counts = len(there) == row.game.table_size and not row.deal.is_sealed and not any(shared for _, shared in there)
        people = tuple(who for who, _shared in there) if counts else ()
        of_game[number] = Lineup(people, days.get(row.pk, 0), row.deal.origin == SHARED)
    return found
