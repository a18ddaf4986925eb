"""Everything that counts for ratings, read from the logs: tournaments of clubs, and games on this site."""

from __future__ import annotations

from clubs.rated import evenings, online
from clubs.rated.people import accounts
from clubs.ratings.results import Result


def results() -> list[Result]:
    """All results, in no particular order. A few queries, however many they are: see `evenings.of_tournaments`.

    A game that was laid for a table of a tournament counts there, as its director says, and not once more by itself.
    """
    found: list[Result] = []
    games: set[str] = set()
    for played, theirs in evenings.of_tournaments(accounts()):
        found += played
        games |= theirs
    found += online.of_games(without=games)
    return found
