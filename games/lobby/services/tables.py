"""The commands of waiting tables: every change to one is made here. A rematch is a table like any other.

As in the commands of a game, each takes the lock on the table's row first (SQLite: the one write lock), then checks,
does everything in one transaction, and rings after the commit. A refusal changes nothing, and a repeated request does
nothing twice.
"""

from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts import permissions as account_permissions
from accounts.models import Player
from core.commands import command
from domain.engine.ruleset import OptionValue, Ruleset
from domain.engine.rulesets import ruleset
from domain.pace import Kind, Terms
from games import broadcast
from games import permissions as game_permissions
from games.exceptions import MayNotMeet, NotNow, NotYourSeat
from games.lobby.exceptions import CannotInvite, LobbyError
from games.lobby.models import Chair, Invitation, OpenTable
from games.lobby.services import common
from games.models import ChatMode, Game, Level, Memory, WatchMode
from games.permissions import chat_mode_of

CORRESPONDENCE: Final[dict[str, object]] = {"hands": 2, "throw_in": False}
"""Usual options of a game that takes days: it ends within weeks, and nobody is asked after each round of the deal."""
MOST_TABLES: Final = 10
"""Tables of one person that may wait at a time."""
MOST_CHAIRS: Final = 30
"""Tables at which one person may wait at a time."""
MOST_INVITATIONS: Final = 20
"""Open invitations to one table."""
LONGEST_WAIT: Final = timedelta(days=30)


@dataclass(frozen=True, slots=True)
class Wish:
    """The table somebody wants. `rules` is at the table's size, `options` are settled; a `pace` of None means no clock.

    `computers` is the number of computer players who sit down at once, `at` their seats (otherwise wherever there is
    room).
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
    club: str = ""
    chat: str = ChatMode.BETWEEN
    watchers: str = WatchMode.LINK
    memory: str = Memory.LAST
    level: str = Level.BEGINNER


_AS_WISHED: Final = (
    "entry", "seating", "language", "note", "host_starts", "first_dealer", "rematch_of", "club", "chat", "watchers",
    "memory", "level",
)  # fmt: skip
"""Fields that a table copies from its wish, under the same names."""


@transaction.atomic
def open_table(host: Player, wish: Wish, *, request_id: uuid.UUID) -> OpenTable:
    """Open a new table, with the host seated. It begins at once if computer players take all other seats.

    Raises ``name-needed`` (if the table waits for people), ``too-many-tables``, ``too-many-chairs``, ``suspended``,
    ``table-full``, ``request-reused``.
    """
    Player.objects.select_for_update(no_key=True).get(pk=host.pk)  # the count of the host's tables must be exact
    before = common.answered(None, host, request_id, "laid")
    if before is not None:
        return before.table
    size = wish.rules.seats
    if not 0 <= wish.computers < size:
        raise LobbyError("table-full")
    if wish.computers < size - 1:
        _check_name(host)
    others = OpenTable.objects.filter(state=common.WAITING, expires_at__gt=timezone.now())
    if others.filter(host=host).count() >= MOST_TABLES:
        raise LobbyError("too-many-tables")
    _check_chairs(host)
    table = _create(host, wish)
    Chair.objects.create(table=table, number=wish.seat, player=host)
    common.log(table, "laid", actor=host, seat=wish.seat, request_id=request_id)
    common.seat_computers(table, wish.computers, host, wish.at)
    if table.chairs.count() == size:
        common.begin(table, host)
    else:
        common.remind(table)
        for callback in common.opened:
            callback(table)
    return common.done(table)


@transaction.atomic
def seat_all(people: Sequence[Player], wish: Wish) -> OpenTable:
    """Open a table with all these people seated. Its game begins at once; people who are not looking are told.

    The caller has checked that these people agreed to the game and may meet. Raises ValueError unless there is exactly
    one person for each seat.
    """
    if len(people) != wish.rules.seats:
        raise ValueError(f"{wish.rules.id} is not played by {len(people)}")
    table = _create(people[0], wish)
    for number, player in enumerate(people):
        Chair.objects.create(table=table, number=number, player=player)
        common.log(table, "joined", actor=player, seat=number)
    common.begin(table, None)
    return common.done(table)


def _create(host: Player, wish: Wish) -> OpenTable:
    """Create the row of a new table, at which nobody sits yet."""
    return OpenTable.objects.create(
        host=host,
        ruleset=wish.rules.id,
        ruleset_version=wish.rules.version,
        table_size=wish.rules.seats,
        options=dict(wish.options),
        pace=wish.pace.to_json() if wish.pace is not None else {},
        expires_at=timezone.now() + min(wish.wait, LONGEST_WAIT),
        **{name: getattr(wish, name) for name in _AS_WISHED},
    )


@transaction.atomic
def join(table_id: int, player: Player, *, request_id: uuid.UUID, seat: int | None = None) -> OpenTable:
    """Sit down, at the chosen `seat` if seats are chosen. A player who is at the table already stays in their seat.

    Raises ``table-gone``, ``table-full``, ``chair-taken``, ``no-such-chair``, ``members-only``, ``invited-only``,
    ``sent-away``, MayNotMeet, ``name-needed``, ``too-many-chairs``, ``suspended``, ``request-reused``.
    """
    table = common.locked(table_id)
    before = common.answered(table_id, player, request_id, "joined")
    if before is not None or table.chairs.filter(player=player).exists():
        return table
    common.check_waiting(table)
    invitation = table.invitations.filter(player=player).first()
    _check_entry(table, player, invitation)
    _check_name(player)
    _check_chairs(player)
    chosen_seat = seat
    if chosen_seat is None and invitation is not None and invitation.state == Invitation.State.OPEN:
        chosen_seat = invitation.seat
    number = common.free_seat(table, chosen_seat, player)
    Chair.objects.create(table=table, number=number, player=player)
    if invitation is not None:
        _settle(invitation, Invitation.State.ACCEPTED)
    common.log(table, "joined", actor=player, seat=number, request_id=request_id)
    common.begin_if_full(table, player)
    if table.state == common.WAITING and table.host_id != player.pk:
        common.notify_people("table.joined", table, [table.host], player)
    return common.done(table)


@command
def move(table_id: int, player: Player, *, seat: int, request_id: uuid.UUID) -> OpenTable:
    """Change to another free seat.

    Raises ``table-gone``, ``not-here``, ``no-such-chair``, ``chair-taken``, ``table-full``, ``request-reused``.
    """
    table = common.enter(table_id, player, request_id, "moved")
    chair = table.chairs.filter(player=player).first()
    if chair is None:
        raise LobbyError("not-here", _("You do not sit at this table."))
    if table.seating == OpenTable.Seating.DRAW:
        raise LobbyError("no-such-chair")
    chair.number = common.free_seat(table, seat, player)
    chair.save(update_fields=["number"])
    common.log(table, "moved", actor=player, seat=seat, request_id=request_id)
    return common.done(table)


@command
def leave(table_id: int, player: Player, *, request_id: uuid.UUID) -> OpenTable:
    """Leave the table. A host's table passes to the person who has been there longest.

    Raises ``table-gone``, ``not-here``, ``request-reused``.
    """
    table = common.enter(table_id, player, request_id, "left")
    chair = table.chairs.select_related("player").filter(player=player).first()
    if chair is None:
        raise LobbyError("not-here", _("You do not sit at this table."))
    before = table.host_id
    common.log(table, "left", actor=player, seat=chair.number, request_id=request_id)
    common.leave_chair(table, chair)
    if table.state == common.WAITING and table.host_id != before:
        common.remind(table)
    return common.done(table)


@command
def remove(table_id: int, host: Player, *, seat: int, request_id: uuid.UUID) -> OpenTable:
    """Send away whoever sits at `seat`. A person can come back only if invited again.

    Raises ``table-gone``, ``not-host``, ``not-here`` (an empty seat, or the host's own), ``request-reused``.
    """
    table = common.enter(table_id, host, request_id, "removed", host=True)
    chair = table.chairs.select_related("player").filter(number=seat).exclude(player=host).first()
    if chair is None:
        raise LobbyError("not-here")
    player = chair.player
    chair.delete()
    if not player.is_computer:
        Invitation.objects.update_or_create(
            table=table, player=player, defaults={"state": Invitation.State.BARRED, "seat": None, "at": timezone.now()}
        )
        common.notify_people("table.removed", table, [player], host)
    common.log(table, "removed", actor=host, player=player, seat=seat, request_id=request_id)
    return common.done(table)


@command
def add_computer(table_id: int, host: Player, *, request_id: uuid.UUID, seat: int | None = None) -> OpenTable:
    """Let a computer player sit down.

    Raises ``table-gone``, ``not-host``, ``table-full``, ``chair-taken``, ``no-such-chair``, ``request-reused``.
    """
    table = common.enter(table_id, host, request_id, "computer", host=True)
    number = common.free_seat(table, seat, None, kept=seat is None)
    table.invitations.filter(state=Invitation.State.OPEN, seat=number).update(seat=None)
    common.seat_computers(table, 1, host, [number], request_id)
    common.begin_if_full(table, host)
    return common.done(table)


@command
def start(table_id: int, host: Player, *, request_id: uuid.UUID) -> OpenTable:
    """Begin the game now; computer players take the empty seats.

    Raises ``table-gone``, ``not-host``, ``request-reused``.
    """
    table = common.enter(table_id, host, request_id, "started", host=True)
    common.seat_computers(table, table.table_size - table.chairs.count(), host)
    common.begin(table, host, request_id)
    return common.done(table)


@command
def close(table_id: int, host: Player, *, request_id: uuid.UUID) -> OpenTable:
    """Close the table. The people who waited there are told.

    Raises ``table-gone``, ``not-host``, ``request-reused``.
    """
    table = common.enter(table_id, host, request_id, "closed", host=True)
    common.end(table, OpenTable.State.CLOSED, host, request_id)
    return common.done(table)


@command
def invite(
    table_id: int,
    host: Player,
    player: Player,
    *,
    request_id: uuid.UUID,
    seat: int | None = None,
    keeping: bool = False,
) -> Invitation:
    """Invite somebody by name. Inviting the same person again changes nothing.

    `seat` is kept for them; with `keeping`, any free seat is kept, even if partners are drawn.

    Raises ``table-gone``, ``not-host``, ``cannot-invite``, ``too-many-invitations``, ``no-such-chair``,
    ``chair-taken``, ``table-full``, ``request-reused``.
    """
    guest = player.current
    table = common.enter(
        table_id, host, request_id, "invited", host=True, receipt=lambda table: table.invitations.get(player=guest)
    )
    if guest.is_computer or guest.retired_at is not None or table.chairs.filter(player=guest).exists():
        raise CannotInvite
    if not account_permissions.may_meet(guest, common.people_of(table)):
        raise CannotInvite
    earlier = table.invitations.filter(player=guest).first()
    if earlier is not None and earlier.state == Invitation.State.OPEN and not earlier.by_address:
        return earlier
    if table.invitations.filter(state=Invitation.State.OPEN, by_address=False).count() >= MOST_INVITATIONS:
        raise LobbyError("too-many-invitations")
    kept_seat = None
    if keeping or (seat is not None and table.seating != OpenTable.Seating.DRAW):
        kept_seat = common.free_seat(table, seat, guest)
    invitation, _created = Invitation.objects.update_or_create(
        table=table,
        player=guest,
        defaults={"state": Invitation.State.OPEN, "seat": kept_seat, "at": timezone.now(), "by_address": False},
    )
    common.log(table, "invited", actor=host, player=guest, seat=kept_seat, request_id=request_id)
    common.notify_people("table.invited", table, [guest], host)
    common.done(table)
    return invitation


@command
def decline(table_id: int, player: Player, *, request_id: uuid.UUID) -> OpenTable:
    """Decline an invitation. The host is told, unless they invited an e-mail address.

    Raises ``table-gone``, ``no-invitation``, ``request-reused``.
    """
    table = common.enter(table_id, player, request_id, "declined")
    invitation = table.invitations.filter(player=player).first()
    if invitation is not None and invitation.by_address and invitation.state == Invitation.State.DECLINED:
        return table
    if invitation is None or invitation.state != Invitation.State.OPEN:
        raise LobbyError("no-invitation")
    _settle(invitation, Invitation.State.DECLINED)
    if invitation.by_address:  # a host who invited an address does not learn whose it is
        return table
    common.log(table, "declined", actor=player, request_id=request_id)
    common.notify_people("table.declined", table, [table.host], player)
    return common.done(table)


def expire(table_id: int, now: datetime | None = None) -> bool:
    """End a table whose time is over; a full one begins instead.

    False if its time is not over or it waits no longer.
    """
    moment = now or timezone.now()
    with transaction.atomic():
        table = common.locked(table_id)
        if table.state != common.WAITING or table.expires_at > moment:
            return False
        if table.chairs.count() == table.table_size:
            common.begin(table, None)
        else:
            common.end(table, OpenTable.State.EXPIRED)
        common.done(table)
        return True


def _settle(invitation: Invitation, state: Invitation.State) -> None:
    invitation.state, invitation.at = state, timezone.now()
    invitation.save(update_fields=["state", "at"])


def _check_entry(table: OpenTable, player: Player, invitation: Invitation | None) -> None:
    """Raise the reason why this person may not sit down, if there is one."""
    state = invitation.state if invitation is not None else None
    if state == Invitation.State.BARRED:
        raise LobbyError("sent-away")
    if not account_permissions.may_meet(player, common.people_of(table)):
        raise MayNotMeet
    if state is not None:  # whoever was invited once may still come after saying no
        return
    if table.entry == OpenTable.Entry.INVITED:
        raise LobbyError("invited-only")
    if table.entry == OpenTable.Entry.MEMBERS and not player.is_member:
        raise LobbyError("members-only")
    if not common.may_find(table, player):
        raise LobbyError("club-only")


def _check_name(player: Player) -> None:
    if not player.name:
        raise LobbyError("name-needed")


def _check_chairs(player: Player) -> None:
    """Raise ``too-many-chairs`` if this person waits at too many tables already, or the error of a suspension."""
    account_permissions.check_not_suspended(player)
    waiting = Chair.objects.filter(player=player, table__state=common.WAITING, table__expires_at__gt=timezone.now())
    if waiting.count() >= MOST_CHAIRS:
        raise LobbyError("too-many-chairs")


WAITS: Final = {Kind.DAYS: timedelta(days=7), Kind.LIVE: timedelta(minutes=30)}
WAITS_UNHURRIED: Final = timedelta(days=1)


def offers_rematch(game: Game, player: Player | None) -> bool:
    """Whether the game can be repeated: it is over, `player` played in it, and it had other people or a clock.

    Never if tables share their deals: others decide who plays together there.
    """
    if player is None or game.kind != Game.Kind.PLAY or game.status == Game.Status.PLAYING or game.board_set_id:
        return False
    seats = list(game.seats.select_related("player"))
    others = [seat for seat in seats if seat.player_id != player.pk and not seat.player.is_computer]
    return len(others) < len(seats) and any(seat.player_id == player.pk for seat in seats) and bool(others or game.pace)


def rematch(game_id: int, by: Player, *, request_id: uuid.UUID) -> OpenTable:
    """The table at which the same people play again: a new one, or the one that one of them has opened already.

    Computer players take their seats again, people are invited to theirs, and the game begins when all have come. If
    the table exists already, `by` sits down there. Raises NotYourSeat, NotNow while the game goes on or if its deals
    are shared, and whatever `open_table` and `join` raise.
    """
    with transaction.atomic():
        game = Game.objects.select_for_update().get(pk=game_id)
        seats = list(game.seats.select_related("player__merged_into").order_by("number"))
        own = next((seat for seat in seats if seat.player_id == by.pk), None)
        if own is None:
            raise NotYourSeat
        if game.status == Game.Status.PLAYING or game.kind != Game.Kind.PLAY or game.board_set_id is not None:
            raise NotNow
        existing = OpenTable.objects.filter(rematch_of=game, state__in=("waiting", "started")).first()
        if existing is not None and existing.state == OpenTable.State.WAITING and expire(existing.pk):
            existing = None
        if existing is not None:
            if existing.state == OpenTable.State.WAITING:
                join(existing.pk, by, request_id=request_id)
            return OpenTable.objects.get(pk=existing.pk)
        people = [seat for seat in seats if seat.number != own.number and not seat.player.is_computer]
        rules = ruleset(game.ruleset, game.ruleset_version, game.table_size)
        terms = Terms.from_json(game.pace) if game.pace else None
        wish = Wish(
            rules,
            game.options,
            terms,
            WAITS[terms.kind] if terms is not None else WAITS_UNHURRIED,
            entry=OpenTable.Entry.INVITED,
            computers=sum(seat.player.is_computer for seat in seats),
            at=[seat.number for seat in seats if seat.player.is_computer],
            seat=own.number,
            first_dealer=_next_dealer(game),
            rematch_of=game,
            chat=chat_mode_of(game),
            watchers=game_permissions.mode_of(game),
            memory=game.memory,
            level=game.level,
        )
        table = open_table(by, wish, request_id=request_id)
        for seat in people:
            _ask(table, by, seat.player.current, seat.number)
        transaction.on_commit(lambda: broadcast.ring_rematch(game.public_id), robust=True)
    return OpenTable.objects.get(pk=table.pk)


def _ask(table: OpenTable, by: Player, player: Player, seat: int) -> None:
    """Invite a player to their seat. If they cannot be invited or may not meet `by`, the seat stays free for others."""
    if not account_permissions.may_meet(by, [player]):
        return
    try:
        invite(table.pk, by, player, request_id=uuid.uuid5(uuid.NAMESPACE_OID, f"rematch:{table.pk}:{seat}"), seat=seat)
    except CannotInvite:
        return


def _next_dealer(game: Game) -> int:
    """The seat that deals after the last hand of the game; its dealer again if it was thrown in or never ended."""
    last = game.hands.order_by("-number").first()
    assert last is not None
    ended = last.status in ("played", "passed")
    return int((last.dealer + 1) % game.table_size if ended else last.dealer)
