"""What tournaments bring: the confirmed tables of their rounds, as the state of the log has them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from django.db.models import Max

from clubs.evening.duplicate import lane_of
from clubs.evening.shapes import sides_of
from clubs.evening.state import CONFIRMED, DRAFT, Line, State, Table
from clubs.rated.days import day_of
from clubs.rated.kinds import kind_of
from clubs.rated.lineups import Deal, results
from clubs.rated.people import Accounts, entry_id
from clubs.rated.seated import Seated, games_of, seated
from clubs.ratings.results import Result
from clubs.tournament_models import Tournament
from clubs.tournaments.reading import states_of

AT_ONCE: Final = 50
"""So many tournaments are read together."""


def of_tournaments(accounts: Accounts) -> Iterator[tuple[list[Result], set[str]]]:
    """What was played at every tournament, with the games on this site that belong to it.

    Two queries for each `AT_ONCE` of them, two more where some were played on this site. The day of a tournament is that
    of its announcement; but what was written before that day (by a slip in the date) was played by then.
    """
    rows = Tournament.objects.filter(status__in=(Tournament.Status.RUNNING, Tournament.Status.CLOSED))
    keys = list(rows.order_by("pk").values_list("pk", flat=True))
    for start in range(0, len(keys), AT_ONCE):
        found = list(rows.filter(pk__in=keys[start : start + AT_ONCE]).annotate(last=Max("events__at")).order_by("pk"))
        states = states_of(found)
        games = {each.pk: games_of(states[each.pk]) for each in found}
        online = seated({game for some in games.values() for game in some})
        for each in found:
            day = day_of(min(each.starts, each.last))
            yield of_state(each.public_id, states[each.pk], day, accounts, online), games[each.pk]


def of_state(tournament: str, state: State, day: int, accounts: Accounts, online: Seated) -> list[Result]:
    """What was played at the tables of a tournament (by its public id)."""
    found: list[Result] = []
    for played in [each for phase in state.phases for each in phase.rounds if each.status != DRAFT]:
        board = f"{tournament}/{played.key}" if played.board_set else ""
        for number, table in sorted(played.tables.items()):
            deals = of_table(table, day, accounts, online, board)
            found += results(f"e/{tournament}/{played.key}.{number:03}", deals)
    return found


def of_table(table: Table, day: int, accounts: Accounts, online: Seated, board: str = "") -> Iterator[Deal]:
    """The deals of a confirmed table, with the people who sat there. `board` is what the deals of the round are called where
    all its tables play the same ones.

    A deal that decided a drawn round is none of them, nor one whose sum is wrong, nor one of this site that does not count.
    """
    if table.state != CONFIRMED:
        return
    game = online.get(table.game, {})
    for number, line in table.lines:
        if line.extra or not _adds_up(table, line):
            continue
        places = sides_of(table, number)
        kind = kind_of(table.ruleset, places)
        sat = game.get(number)
        if kind is None or (sat is not None and not sat.people):
            continue
        people = sat.people if sat else tuple(entry_id(person, accounts) for person in table.people)
        sides = [
            (tuple(people[place] for place in side), score) for side, score in zip(places, line.scores, strict=True)
        ]
        same = board if sat is not None and sat.shared and line.of == 1 else ""
        if same:  # in the order of the cards, so that the first side of every table held the same ones
            order = sorted(range(len(sides)), key=lambda at: lane_of(table, at, number))
            sides = [sides[at] for at in order]
        yield Deal(
            number=number,
            kind=kind,
            sides=tuple(players for players, _score in sides),
            scores=tuple(score for _players, score in sides),
            when=sat.when if sat else day,
            of=line.of,
            board=f"{same}/{number}" if same else "",
        )


def _adds_up(table: Table, line: Line) -> bool:
    return table.total is None or sum(line.scores) == table.total * line.of
