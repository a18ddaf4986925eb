"""Building blocks of the commands of waiting tables: the lock, the checks, sitting down, beginning, waiting longer.

Each function expects the lock on the table's row to be held, unless it says that it takes it.
"""

from __future__ import annotations

import uuid
from collections.abc import Callable, Iterable
from datetime import datetime, timedelta
from typing import Final

from django.db import transaction
from django.db.models import Q
from django.urls import reverse
from django.utils import timezone

from accounts.models import Player
from core.commands import Answered, command
from core.exceptions import Refusal
from core.registry import Registry
from domain.engine.rulesets import ruleset
from domain.pace import Terms
from games import broadcast, hooks
from games.lobby.exceptions import LobbyError
from games.lobby.models import Chair, Invitation, OpenTable, TableEvent
from games.models import Game
from games.services import computers, play
from games.services.agreements import agree_at_start
from notices import outbox
from notices.preferences import is_looking

WAITING: Final = OpenTable.State.WAITING
_OVER_WITH_THE_TABLE: Final = frozenset({"table.invited", "table.joined", "table.filled", "table.ending"})
"""Events that are no longer worth a notice once the table's time is over."""


opened: Final = Registry[Callable[[OpenTable], None]]()
"""Functions called, in the same transaction, when somebody has opened a table that waits for people."""
begun: Final = Registry[Callable[[OpenTable], None]]()
"""Functions called, in the same transaction, when the game of a table begins."""


def is_listed(table: OpenTable) -> bool:
    """Whether people can find the table without its link or an invitation."""
    return table.entry in (OpenTable.Entry.EVERYONE, OpenTable.Entry.MEMBERS, OpenTable.Entry.CLUB)


def may_find(table: OpenTable, player: Player | None) -> bool:
    """False if the table is for the members of a club and `player` is not one of them."""
    if table.entry != OpenTable.Entry.CLUB:
        return True
    return player is not None and any(clubs.has(table.club, player) for clubs in hooks.clubs)


def locked(table_id: int) -> OpenTable:
    """The table, with its row locked."""
    return OpenTable.objects.select_for_update().get(pk=table_id)


def lock_tables_of(*players: Player) -> None:
    """Lock, in order, all tables where these players wait or are hosts. Call it before you change anything there."""
    theirs = Q(host__in=players) | Q(pk__in=Chair.objects.filter(player__in=players).values("table"))
    waiting = OpenTable.objects.select_for_update().filter(theirs, state=WAITING)
    list(waiting.order_by("pk").values_list("pk"))


def answered(table_id: int | None, actor: Player, request_id: uuid.UUID, text: str) -> TableEvent | None:
    """The event of a request that was accepted before; None for a new one.

    Raises ``request-reused`` if the id belongs to another request.
    """
    before = TableEvent.objects.select_related("table").filter(actor=actor, request_id=request_id).first()
    if before is not None and (before.text != text or (table_id is not None and before.table_id != table_id)):
        raise Refusal("request-reused")
    return before


def enter(
    table_id: int,
    actor: Player,
    request_id: uuid.UUID,
    text: str,
    *,
    host: bool = False,
    receipt: Callable[[OpenTable], object] = lambda table: table,
) -> OpenTable:
    """The table of a request, with its row locked. `text` is the event that the command will log.

    With `host`, only the host may do this. Raises Answered with the `receipt`, ``request-reused``, ``table-gone``,
    ``not-host``.
    """
    table = locked(table_id)
    if answered(table_id, actor, request_id, text) is not None:
        raise Answered(receipt(table))
    check_waiting(table)
    if host and table.host_id != actor.pk:
        raise LobbyError("not-host")
    return table


def check_waiting(table: OpenTable) -> None:
    """Raise ``table-gone`` unless the table is waiting and its time is not over."""
    if table.state != WAITING or table.expires_at <= timezone.now():
        raise LobbyError("table-gone")


def people_of(table: OpenTable) -> list[Player]:
    """The people at the table, those who have sat there longest first."""
    chairs = table.chairs.select_related("player").filter(player__computer="").order_by("since", "pk")
    return [chair.player for chair in chairs]


def kept_for_others(table: OpenTable, player: Player | None) -> frozenset[int]:
    """Seats that are kept for people who are invited, other than `player`."""
    kept = table.invitations.filter(state=Invitation.State.OPEN, seat__isnull=False)
    if player is not None:
        kept = kept.exclude(player=player)
    return frozenset(number for number in kept.values_list("seat", flat=True) if number is not None)


def free_seat(table: OpenTable, seat: int | None, player: Player | None, *, kept: bool = True) -> int:
    """The seat to sit down at: the wanted one, or the first free one. With `kept`, seats kept for others are not free.

    Raises ``no-such-chair``, ``chair-taken``, ``table-full``.
    """
    taken = set(table.chairs.values_list("number", flat=True))
    if kept:
        taken |= kept_for_others(table, player)
    free = [number for number in range(table.table_size) if number not in taken]
    if not free:
        raise LobbyError("table-full")
    if seat is None or table.seating == OpenTable.Seating.DRAW:
        return free[0]
    if not 0 <= seat < table.table_size:
        raise LobbyError("no-such-chair")
    if seat not in free:
        raise LobbyError("chair-taken")
    return seat


def log(
    table: OpenTable,
    text: str,
    *,
    actor: Player | None = None,
    player: Player | None = None,
    seat: int | None = None,
    request_id: uuid.UUID | None = None,
) -> None:
    """Write an event. Does not save the table."""
    table.number += 1
    TableEvent.objects.create(
        table=table,
        number=table.number,
        text=text,
        actor=actor,
        player=player,
        seat=seat,
        request_id=request_id,
        at=timezone.now(),
    )


def done(table: OpenTable) -> OpenTable:
    """Count the free seats, save the table and return it; after the commit, ring the pages that show it."""
    table.free = table.table_size - table.chairs.count()
    table.save()
    public_id, number = table.public_id, table.number
    transaction.on_commit(lambda: broadcast.ring_waiting(public_id, number), robust=True)
    return table


def notify_people(
    event: str,
    table: OpenTable,
    people: Iterable[Player],
    by: Player | None = None,
    *,
    due_at: datetime | None = None,
) -> None:
    """Write a notice for each of `people` but the computer players. `by` caused it; it is delivered at `due_at`."""
    params: dict[str, object] = {"table": table.public_id, "url": url_of(table), "ruleset": table.ruleset}
    if by is not None:
        params["by"] = by.public_id
    if table.game is not None:
        params["game"] = table.game.public_id
    if event in ("table.invited", "table.ending"):
        params["until"] = table.expires_at.isoformat()
    expires = table.expires_at if event in _OVER_WITH_THE_TABLE else None
    for player in people:
        if not player.is_computer:
            outbox.put(event, player, params, due_at=due_at, expires_at=expires)


def url_of(table: OpenTable) -> str:
    """The path of the table's page, or of its game's page once it has begun."""
    if table.game is not None:
        return reverse("games:table", args=[table.game.public_id])
    return reverse("lobby:table", args=[table.public_id])


def seat_computers(
    table: OpenTable,
    count: int,
    by: Player,
    seats: Iterable[int | None] = (),
    request_id: uuid.UUID | None = None,
) -> None:
    """Seat `count` computer players who are not at the table yet, at `seats` or wherever there is room.

    `request_id` is logged with the first of them.
    """
    sitting = set(table.chairs.values_list("player", flat=True))
    computer_players = computers.computer_players(len(computers.NAMES), table.level)
    free = [player for player in computer_players if player.pk not in sitting]
    wanted_seats = [*seats, *[None] * count][:count]
    if count > len(free):
        raise LobbyError("table-full")
    for player, seat in zip(free, wanted_seats, strict=False):
        number = free_seat(table, seat, None, kept=False)
        Chair.objects.create(table=table, number=number, player=player)
        log(table, "computer", actor=by, player=player, seat=number, request_id=request_id)
        request_id = None


def begin_if_full(table: OpenTable, by: Player) -> None:
    """Begin the game when the last seat is taken, or tell the host that it can begin."""
    if table.chairs.count() < table.table_size:
        return
    if not table.host_starts:
        begin(table, by)
        return
    log(table, "full")
    if by.pk != table.host_id:
        notify_people("table.filled", table, [table.host], by)


def begin(table: OpenTable, by: Player | None, request_id: uuid.UUID | None = None) -> Game:
    """Begin the game of a full table. Everybody who is not looking at the table is told, except `by`."""
    chairs = list(table.chairs.select_related("player").order_by("number"))
    rules = ruleset(table.ruleset, table.ruleset_version, table.table_size)
    draws = table.seating == OpenTable.Seating.DRAW
    host_sits = next((chair.number for chair in chairs if chair.player_id == table.host_id), 0)
    dealer = table.first_dealer if table.first_dealer is not None else host_sits
    game = play.start(
        rules.id,
        [chair.player for chair in chairs],
        options=table.options,
        draws_partners=draws,
        dealer=0 if draws else dealer,
        pace=Terms.from_json(table.pace) if table.pace else None,
        memory=table.memory,
        level=table.level,
    )
    agree_at_start(game, chat=table.chat, watching=table.watchers)
    table.game, table.state, table.ended_at = game, OpenTable.State.STARTED, timezone.now()
    log(table, "started", actor=by, request_id=request_id)
    end_invitations(table)
    for callback in begun:
        callback(table)
    # The page of the waiting table leads whoever looks at it to the game.
    absent = [chair.player for chair in chairs if not is_looking(chair.player.current, table.public_id)]
    notify_people("table.started", table, [player for player in absent if by is None or player.pk != by.pk])
    return game


def end(
    table: OpenTable, state: OpenTable.State, by: Player | None = None, request_id: uuid.UUID | None = None
) -> None:
    """Stop waiting. The people at the table are told, except `by`."""
    table.state, table.ended_at = state, timezone.now()
    log(table, str(state), actor=by, request_id=request_id)
    end_invitations(table)
    notify_people(
        f"table.{state}", table, [player for player in people_of(table) if by is None or player.pk != by.pk], by
    )


def end_invitations(table: OpenTable) -> None:
    table.invitations.filter(state=Invitation.State.OPEN).update(state=Invitation.State.DECLINED)
    table.letters.all().delete()


def leave_chair(table: OpenTable, chair: Chair) -> None:
    """Remove the chair of a person who leaves.

    The host's table passes to the person who has been there longest, and is closed when nobody is left.
    """
    gone = chair.player
    chair.delete()
    host_left = table.host_id == gone.pk
    if host_left:
        people = people_of(table)
        if not people:
            end(table, OpenTable.State.CLOSED, gone)
            return
        table.host = people[0]
        log(table, "host", player=table.host)
    notify_people("table.inherited" if host_left else "table.left", table, [table.host], gone)


ENDING: Final = "table.ending"
NEAR_THE_END: Final = 0.25
"""The part of a table's waiting time that is left when its host is reminded and may extend it."""
AT_MOST_BEFORE: Final = timedelta(days=1)
"""The host is never reminded earlier than this before the end."""


def remind_at(begun: datetime, end: datetime) -> datetime:
    """When the host of a table that waits from `begun` to `end` is reminded."""
    return end - min((end - begun) * NEAR_THE_END, AT_MOST_BEFORE)


def begun_at(table: OpenTable) -> datetime:
    """When the current wait of the table began: when it was opened or last extended. One query."""
    last = table.events.filter(text__in=("laid", "extended")).order_by("-number").values_list("at", flat=True).first()
    return last or table.created_at


def longer(table: OpenTable, now: datetime) -> datetime | None:
    """Until when the table would wait if its host extended it now, by the same time; None while it is too early."""
    begun = begun_at(table)
    if now < remind_at(begun, table.expires_at):
        return None
    return now + (table.expires_at - begun)


def remind(table: OpenTable) -> None:
    """Write a reminder for the host, delivered when the table's time is nearly over if it still waits.

    Needs the lock.
    """
    at = remind_at(begun_at(table), table.expires_at)
    notify_people(ENDING, table, [table.host], due_at=max(at, timezone.now()))


@command
def extend(table_id: int, host: Player, *, request_id: uuid.UUID) -> OpenTable:
    """Let the table wait for the same time again, counted from now.

    Raises ``table-gone``, ``not-host``, ``waits-long-enough`` (the end is not near), ``request-reused``.
    """
    table = enter(table_id, host, request_id, "extended", host=True)
    until = longer(table, timezone.now())
    if until is None:
        raise LobbyError("waits-long-enough")
    table.expires_at = until
    log(table, "extended", actor=host, request_id=request_id)
    remind(table)
    return done(table)
