"""The door of waiting tables: everything that changes one comes in here.

As at the door of games: the lock on the table's row first (SQLite: the one write lock), then the checks, everything in
one transaction, the ring after the commit; a refusal changes nothing, and a repeated request does nothing twice.
"""

from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Final

from django.db import transaction
from django.utils import timezone

from accounts import blocking, suspending
from accounts.models import Player
from games.chat_models import ChatMode
from games.engine.ruleset import OptionValue, Ruleset
from games.lobby import steps, waiting
from games.lobby.refusals import (
    CannotInvite,
    InvitedOnly,
    MembersOnly,
    NameNeeded,
    NoInvitation,
    NoSuchChair,
    NotHere,
    SentAway,
    TableFull,
    TooManyChairs,
    TooManyInvitations,
    TooManyTables,
)
from games.lobby_models import Chair, Invitation, OpenTable
from games.models import Game
from games.pace import Terms
from games.refusals import IsSuspended, MayNotMeet
from games.watching_models import Memory, WatchMode

MOST_TABLES: Final = 10
"""Tables of one person that may wait at a time."""
MOST_CHAIRS: Final = 30
"""Tables at which one person may wait at a time."""
MOST_INVITATIONS: Final = 20
"""Open invitations to one table."""
LONGEST_WAIT: Final = timedelta(days=30)


@dataclass(frozen=True, slots=True)
class Wish:
    """The table somebody wants. `rules` is at the table's size, `options` are settled; `pace` None hurries nobody.

    `computers` says how many computer players sit down at once, `at` at which seats (else wherever there is room).
    """

    rules: Ruleset
    options: Mapping[str, OptionValue]
    pace: Terms | None
    wait: timedelta
    entry: OpenTable.Entry = OpenTable.Entry.EVERYONE
    seating: OpenTable.Seating = OpenTable.Seating.CHOICE
    computers: int = 0
    at: Sequence[int] = ()
    language: str = ""
    note: str = ""
    host_starts: bool = False
    seat: int = 0
    first_dealer: int | None = None
    rematch_of: Game | None = None
    chat: str = ChatMode.BETWEEN
    watchers: str = WatchMode.LINK
    memory: str = Memory.LAST


@dataclass(frozen=True, slots=True)
class Seated:
    """How the table stands after a request: its `game` once it has begun."""

    table: OpenTable
    game: Game | None = field(default=None)


def lay(host: Player, wish: Wish, *, request_id: uuid.UUID) -> OpenTable:
    """A new table at which the host sits; it begins at once where computer players take all other seats.

    Raises NameNeeded (where people are awaited), TooManyTables, TooManyChairs, IsSuspended, TableFull, RequestReused.
    """
    with transaction.atomic():
        Player.objects.select_for_update(no_key=True).get(pk=host.pk)  # counting its tables must be exact
        before = steps.answered(None, host, request_id, "laid")
        if before is not None:
            return before.table
        size = wish.rules.seats
        if not 0 <= wish.computers < size:
            raise TableFull
        if wish.computers < size - 1:
            _check_name(host)
        others = OpenTable.objects.filter(state=steps.WAITING, expires_at__gt=timezone.now())
        if others.filter(host=host).count() >= MOST_TABLES:
            raise TooManyTables
        _check_chairs(host)
        table = OpenTable.objects.create(
            host=host,
            ruleset=wish.rules.id,
            ruleset_version=wish.rules.version,
            table_size=size,
            options=dict(wish.options),
            pace=wish.pace.to_json() if wish.pace is not None else {},
            entry=wish.entry,
            seating=wish.seating,
            language=wish.language,
            note=wish.note,
            host_starts=wish.host_starts,
            first_dealer=wish.first_dealer,
            rematch_of=wish.rematch_of,
            chat=wish.chat,
            watchers=wish.watchers,
            memory=wish.memory,
            expires_at=timezone.now() + min(wish.wait, LONGEST_WAIT),
        )
        Chair.objects.create(table=table, number=wish.seat, player=host)
        steps.log(table, "laid", actor=host, seat=wish.seat, request_id=request_id)
        steps.seat_computers(table, wish.computers, host, wish.at)
        if table.chairs.count() == size:
            steps.begin(table, host)
        else:
            waiting.remind(table)
        steps.done(table)
        return table


def join(table_id: int, player: Player, *, request_id: uuid.UUID, seat: int | None = None) -> Seated:
    """Sit down, at a chosen seat where seats are chosen. Whoever sits there already stays where they are.

    Raises TableGone, TableFull, ChairTaken, NoSuchChair, MembersOnly, InvitedOnly, SentAway, MayNotMeet, NameNeeded,
    TooManyChairs, IsSuspended, RequestReused.
    """
    with transaction.atomic():
        table = steps.locked(table_id)
        if steps.answered(table_id, player, request_id, "joined") is not None:
            return Seated(table, table.game)
        if table.chairs.filter(player=player).exists():
            return Seated(table, table.game)
        steps.check_waiting(table)
        invitation = table.invitations.filter(player=player).first()
        _check_entry(table, player, invitation)
        _check_name(player)
        _check_chairs(player)
        wanted = seat
        if wanted is None and invitation is not None and invitation.state == Invitation.State.OPEN:
            wanted = invitation.seat
        number = steps.free_seat(table, wanted, player)
        Chair.objects.create(table=table, number=number, player=player)
        if invitation is not None:
            _settle(invitation, Invitation.State.ACCEPTED)
        steps.log(table, "joined", actor=player, seat=number, request_id=request_id)
        steps.begin_if_full(table, player)
        if table.state == steps.WAITING and table.host_id != player.pk:
            steps.tell("table.joined", table, [table.host], player)
        steps.done(table)
        return Seated(table, table.game)


def move(table_id: int, player: Player, *, seat: int, request_id: uuid.UUID) -> OpenTable:
    """Change to another free seat. Raises TableGone, NotHere, NoSuchChair, ChairTaken, TableFull, RequestReused."""
    with transaction.atomic():
        table = steps.locked(table_id)
        if steps.answered(table_id, player, request_id, "moved") is not None:
            return table
        steps.check_waiting(table)
        chair = table.chairs.filter(player=player).first()
        if chair is None:
            raise NotHere
        if table.seating == OpenTable.Seating.DRAW:
            raise NoSuchChair
        chair.number = steps.free_seat(table, seat, player)
        chair.save(update_fields=["number"])
        steps.log(table, "moved", actor=player, seat=seat, request_id=request_id)
        steps.done(table)
        return table


def leave(table_id: int, player: Player, *, request_id: uuid.UUID) -> OpenTable:
    """Get up. The host's table passes on to the person who was there longest. Raises TableGone, NotHere, RequestReused."""
    with transaction.atomic():
        table = steps.locked(table_id)
        if steps.answered(table_id, player, request_id, "left") is not None:
            return table
        steps.check_waiting(table)
        chair = table.chairs.select_related("player").filter(player=player).first()
        if chair is None:
            raise NotHere
        before = table.host_id
        steps.log(table, "left", actor=player, seat=chair.number, request_id=request_id)
        steps.leave_chair(table, chair)
        if table.state == steps.WAITING and table.host_id != before:
            waiting.remind(table)
        steps.done(table)
        return table


def remove(table_id: int, host: Player, *, seat: int, request_id: uuid.UUID) -> OpenTable:
    """The host sends away who sits at `seat`; a person comes back only if invited anew.

    Raises TableGone, NotHost, NotHere (an empty seat, or the host's own), RequestReused.
    """
    with transaction.atomic():
        table = steps.locked(table_id)
        if steps.answered(table_id, host, request_id, "removed") is not None:
            return table
        steps.check_waiting(table)
        steps.check_host(table, host)
        chair = table.chairs.select_related("player").filter(number=seat).exclude(player=host).first()
        if chair is None:
            raise NotHere
        gone = chair.player
        chair.delete()
        if not gone.is_computer:
            Invitation.objects.update_or_create(
                table=table,
                player=gone,
                defaults={"state": Invitation.State.BARRED, "seat": None, "at": timezone.now()},
            )
            steps.tell("table.removed", table, [gone], host)
        steps.log(table, "removed", actor=host, player=gone, seat=seat, request_id=request_id)
        steps.done(table)
        return table


def add_computer(table_id: int, host: Player, *, request_id: uuid.UUID, seat: int | None = None) -> Seated:
    """The host lets a computer player sit down. Raises TableGone, NotHost, TableFull, ChairTaken, NoSuchChair, RequestReused."""
    with transaction.atomic():
        table = steps.locked(table_id)
        if steps.answered(table_id, host, request_id, "computer") is not None:
            return Seated(table, table.game)
        steps.check_waiting(table)
        steps.check_host(table, host)
        wanted = steps.free_seat(table, seat, None, kept=seat is None)
        table.invitations.filter(state=Invitation.State.OPEN, seat=wanted).update(seat=None)
        steps.seat_computers(table, 1, host, [wanted], request_id)
        steps.begin_if_full(table, host)
        steps.done(table)
        return Seated(table, table.game)


def start(table_id: int, host: Player, *, request_id: uuid.UUID) -> Seated:
    """The host begins now; computer players take the seats that are empty. Raises TableGone, NotHost, RequestReused."""
    with transaction.atomic():
        table = steps.locked(table_id)
        if steps.answered(table_id, host, request_id, "started") is not None:
            return Seated(table, table.game)
        steps.check_waiting(table)
        steps.check_host(table, host)
        steps.seat_computers(table, table.table_size - table.chairs.count(), host)
        steps.begin(table, host, request_id)
        steps.done(table)
        return Seated(table, table.game)


def close(table_id: int, host: Player, *, request_id: uuid.UUID) -> OpenTable:
    """The host takes the table away; who waited there is told. Raises TableGone, NotHost, RequestReused."""
    with transaction.atomic():
        table = steps.locked(table_id)
        if steps.answered(table_id, host, request_id, "closed") is not None:
            return table
        steps.check_waiting(table)
        steps.check_host(table, host)
        steps.end(table, OpenTable.State.CLOSED, host, request_id)
        steps.done(table)
        return table


def invite(
    table_id: int, host: Player, player: Player, *, request_id: uuid.UUID, seat: int | None = None
) -> Invitation:
    """The host asks somebody by name; `seat` is kept for them. Asking the same person again changes nothing.

    Raises TableGone, NotHost, CannotInvite, TooManyInvitations, NoSuchChair, ChairTaken, TableFull, RequestReused.
    """
    guest = player.current
    with transaction.atomic():
        table = steps.locked(table_id)
        if steps.answered(table_id, host, request_id, "invited") is not None:
            return table.invitations.get(player=guest)
        steps.check_waiting(table)
        steps.check_host(table, host)
        gone = guest.is_computer or guest.retired_at is not None or table.chairs.filter(player=guest).exists()
        if gone or not blocking.may_meet(guest, steps.people_of(table)):
            raise CannotInvite
        known = table.invitations.filter(player=guest).first()
        if known is not None and known.state == Invitation.State.OPEN:
            return known
        if table.invitations.filter(state=Invitation.State.OPEN).count() >= MOST_INVITATIONS:
            raise TooManyInvitations
        kept = None if seat is None or table.seating == OpenTable.Seating.DRAW else steps.free_seat(table, seat, guest)
        invitation, _made = Invitation.objects.update_or_create(
            table=table,
            player=guest,
            defaults={"state": Invitation.State.OPEN, "seat": kept, "at": timezone.now()},
        )
        steps.log(table, "invited", actor=host, player=guest, seat=kept, request_id=request_id)
        steps.tell("table.invited", table, [guest], host)
        steps.done(table)
        return invitation


def decline(table_id: int, player: Player, *, request_id: uuid.UUID) -> OpenTable:
    """Say no to an invitation; the host is told. Raises TableGone, NoInvitation, RequestReused."""
    with transaction.atomic():
        table = steps.locked(table_id)
        if steps.answered(table_id, player, request_id, "declined") is not None:
            return table
        steps.check_waiting(table)
        invitation = table.invitations.filter(player=player, state=Invitation.State.OPEN).first()
        if invitation is None:
            raise NoInvitation
        _settle(invitation, Invitation.State.DECLINED)
        steps.log(table, "declined", actor=player, request_id=request_id)
        steps.tell("table.declined", table, [table.host], player)
        steps.done(table)
        return table


def expire(table_id: int, now: datetime | None = None) -> bool:
    """End a table that has waited long enough; a full one begins instead. False if it has not, or is over already."""
    moment = now or timezone.now()
    with transaction.atomic():
        table = steps.locked(table_id)
        if table.state != steps.WAITING or table.expires_at > moment:
            return False
        if table.chairs.count() == table.table_size:
            steps.begin(table, None)
        else:
            steps.end(table, OpenTable.State.EXPIRED)
        steps.done(table)
        return True


def _settle(invitation: Invitation, state: Invitation.State) -> None:
    invitation.state, invitation.at = state, timezone.now()
    invitation.save(update_fields=["state", "at"])


def _check_entry(table: OpenTable, player: Player, invitation: Invitation | None) -> None:
    """Raise what keeps this person from sitting down."""
    state = invitation.state if invitation is not None else None
    if state == Invitation.State.BARRED:
        raise SentAway
    if not blocking.may_meet(player, steps.people_of(table)):
        raise MayNotMeet
    if state is not None:  # whoever was asked once may also think better of a no
        return
    if table.entry == OpenTable.Entry.INVITED:
        raise InvitedOnly
    if table.entry == OpenTable.Entry.MEMBERS and not player.is_member:
        raise MembersOnly


def _check_name(player: Player) -> None:
    if not player.name:
        raise NameNeeded


def _check_chairs(player: Player) -> None:
    """Raise what keeps this person from any table: too many of them already, or a suspension."""
    try:
        suspending.check(player)
    except suspending.Suspended as why:
        raise IsSuspended(why) from None
    waiting = Chair.objects.filter(player=player, table__state=steps.WAITING, table__expires_at__gt=timezone.now())
    if waiting.count() >= MOST_CHAIRS:
        raise TooManyChairs
