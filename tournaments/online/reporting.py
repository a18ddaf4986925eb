"""What games brought, told to their tournament: deal by deal, as soon as a game is over and its deals are open."""

from __future__ import annotations

import logging
import uuid
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Final

from django.db import transaction
from django.db.models import Q, QuerySet

from domain.tournament.online import FORFEITED
from domain.tournament.payload import Plain
from domain.tournament.state import State, Table
from games.models import Game, GameHand
from games.services import seats
from tournaments import permissions as tournaments_permissions
from tournaments.exceptions import Refused
from tournaments.models import OnlineTable, Tournament
from tournaments.selectors import state_of
from tournaments.services import log

logger = logging.getLogger(__name__)

AT_ONCE: Final = 50
AGAIN: Final = timedelta(hours=1)
"""After a refusal that nobody foresaw, it is tried again so much later."""
COUNTED: Final = (GameHand.Status.PLAYED, GameHand.Status.PASSED)


def report_due(now: datetime) -> int:
    """Report the games that are over; how many were. One query where there are none."""
    done = 0
    for tournament_id, key in _due(now)[:AT_ONCE]:
        try:
            done += report_table(tournament_id, key, now)
        except Exception:  # one table in disorder must not hold up the others
            logger.exception("could not report table %s of tournament %s", key, tournament_id)
            OnlineTable.objects.filter(tournament=tournament_id, key=key).update(again_at=now + AGAIN)
    return done


def report_table(tournament_id: int, key: str, now: datetime) -> bool:
    """Report one table, if its game is over and its deals are open. Takes the lock on the tournament's row."""
    with transaction.atomic():
        tournament = Tournament.objects.select_for_update().get(pk=tournament_id)
        state = state_of(tournament)
        table = state.table(key)
        if tournament.status != Tournament.Status.RUNNING or table is None or not table.game:
            return False
        game = Game.objects.select_related("board_set").get(public_id=table.game)
        if game.status == Game.Status.PLAYING or game.is_sealed:
            return False
        return report(tournament, state, key, table, game, now)


def report(
    tournament: Tournament,
    state: State,
    key: str,
    table: Table,
    game: Game,
    now: datetime,
) -> bool:
    """Tell the tournament what a game that is over brought. Expects the lock on the tournament's row.

    Where not one deal was finished, those forfeit the table for whom it waited, or all its people. False where it was decided
    meanwhile: what the director says stays.
    """
    if table.touched or table.game != game.public_id:
        return False
    lines = lines_of(game, table)
    doing: log.Doing
    if lines:
        doing = (
            "table.reported",
            {"table": key, "game": game.public_id, "lines": lines, "short": _is_short(table, lines)},
        )
    else:
        people = [id for id in table.seats if not state.entrants[id].house]
        who: list[Plain] = list(who_keeps_waiting(state, table, game) or people)
        doing = ("table.overdue", {"table": key, "how": FORFEITED, "who": who})
    try:
        log.act(tournament.pk, [doing], by=tournaments_permissions.SITE_ITSELF, request_id=uuid.uuid4(), at=now)
    except Refused as why:
        logger.warning("table %s of tournament %s: %s", key, tournament.public_id, why.code)
        OnlineTable.objects.filter(tournament=tournament, key=key).update(again_at=now + AGAIN)
        return False
    return True


def lines_of(game: Game, table: Table) -> list[Plain]:
    """The deals of a game that came to their end, numbered as the table's sheet has them.

    `scores` in order of the table's sides: card points where a deal has a sum of them to check, else what each side won.
    """
    rows = list(game.hands.filter(status__in=COUNTED).order_by("number"))
    lines: list[Plain] = []
    for number, row in enumerate(rows, 1):
        deal = row.number if game.board_set_id is not None else number
        lines.append({"deal": deal, "scores": _scores(row, table)})
    return lines


def _scores(row: GameHand, table: Table) -> list[Plain]:
    by_party = {frozenset(party): points for party, points in zip(row.parties, row.points, strict=False)}
    if table.total and all(frozenset(side) in by_party for side in table.sides):
        return [by_party[frozenset(side)] for side in table.sides]
    return [row.scores[side[0]] for side in table.sides]


def _is_short(table: Table, lines: Sequence[Plain]) -> bool:
    return len(lines) < table.deals


def who_keeps_waiting(state: State, table: Table, game: Game) -> list[str]:
    """The entrants for whom a table waits, or waited when its game ended: whose person is asked, has gone, or is replaced by a
    computer player."""
    owners = [table.owners[seat] for seat in seats.waiting_seats(game)]
    return [id for id in dict.fromkeys(owners) if not state.entrants[id].house]


def _due(now: datetime) -> QuerySet[OnlineTable, tuple[int, str]]:
    """Tables whose game is over and whose deals are open, and that do not count yet."""
    over = OnlineTable.objects.filter(reported_at__isnull=True, game__isnull=False).exclude(
        game__status=Game.Status.PLAYING
    )
    opened = over.filter(Q(game__board_set__isnull=True) | Q(game__board_set__opened_at__isnull=False))
    again = Q(again_at__isnull=True) | Q(again_at__lte=now)
    running = opened.filter(again, tournament__status=Tournament.Status.RUNNING)
    return running.order_by("pk").values_list("tournament", "key")
