"""What people at a table agree on: more time for others, pauses, playing on live, and how consent is asked for.

The locking rules are those of `play`.
"""

from __future__ import annotations

import uuid
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final, Generic, TypeVar

from django.db import transaction
from django.db.models import TextChoices, prefetch_related_objects
from django.utils import timezone

from accounts.models import Player
from core.commands import command
from domain.pace import Kind
from domain.pace.clock import Proposal
from games import projections
from games.exceptions import GameError, Malformed, NotNow, NotYourSeat
from games.models import Action, Game, TableChat, TableWatching
from games.selectors import log
from games.services import common
from games.services.common import Receipt
from notices import outbox

Row = TypeVar("Row", TableChat, TableWatching)


def agree_at_start(game: Game, *, chat: str, watching: str) -> None:
    """Store what was agreed before the game began. Call it in the transaction that creates the game."""
    if chat != TableChat().mode:
        TableChat.objects.create(game=game, mode=chat)
    if watching != TableWatching().mode:
        TableWatching.objects.create(game=game, mode=watching)


@dataclass(frozen=True, slots=True)
class Consent(Generic[Row]):
    """How the people of a game agree on a mode: `rows` store it, `modes` are the possible values, `what` names a
    proposal in the notices of those who have to agree.

    `check` raises any further reason why the player may not propose or answer, `check_proposal` why they may not
    propose. `changed` is called with a mode that has been agreed and the player who proposed it; `ring` tells open
    pages after the commit. All are called with the lock held.
    """

    what: str
    rows: type[Row]
    modes: type[TextChoices]
    ring: Callable[[Game], None]
    check: Callable[[Game], None] = lambda _game: None
    check_proposal: Callable[[Game], None] = lambda _game: None
    changed: Callable[[Game, str, Player], object] = lambda _game, _mode, _by: None

    def propose(self, game_id: int, player: Player, mode: str) -> Row:
        """Propose another mode.

        It is in force once everybody who plays in the game has agreed; at once if `player` plays alone.

        Proposing what somebody else has proposed counts as agreeing. Locks the game's row. Raises Malformed for an
        unknown mode, NotYourSeat, what the checks raise, NotNow if the mode is in force already or another one is
        proposed.
        """
        if mode not in self.modes.values:
            raise Malformed("mode is one of those that are offered", where="mode")
        with transaction.atomic():
            game, row = self._locked(game_id, player)
            self.check_proposal(game)
            if row.mode == mode or row.wish not in ("", mode):
                raise NotNow
            if not row.wish:
                row.wish, row.wished_by, row.agreed = mode, player, []
                self._ask(game, player, mode)
            return self._agree(game, row, player)

    def _ask(self, game: Game, by: Player, mode: str) -> None:
        data = {"game": game.public_id, "what": self.what, "mode": mode, "by": by.public_id}
        data["at"] = timezone.now().isoformat()
        for seat in game.seats.select_related("player").filter(player__in=voters(game) - {by.pk}):
            outbox.put("game.asked", seat.player, data)

    def answer(self, game_id: int, player: Player, *, agree: bool, mode: str = "") -> Row:
        """Agree to the proposal or decline it; declining withdraws it. `mode` is the proposal that the player saw.

        Locks the game's row. Raises NotYourSeat, what `check` raises, NotNow if nothing is proposed or the proposal has
        changed in the meantime.
        """
        with transaction.atomic():
            game, row = self._locked(game_id, player)
            if not row.wish or mode not in ("", row.wish):
                raise NotNow
            if agree:
                return self._agree(game, row, player)
            row.wish, row.wished_by, row.agreed = "", None, []
            return self._save(game, row)

    def _locked(self, game_id: int, player: Player) -> tuple[Game, Row]:
        game = Game.objects.select_for_update().get(pk=game_id)
        if not game.seats.filter(player=player).exists():
            raise NotYourSeat
        self.check(game)
        row, _created = self.rows.objects.get_or_create(game=game)
        return game, row

    def _agree(self, game: Game, row: Row, player: Player) -> Row:
        if player.pk not in row.agreed:
            row.agreed = [*row.agreed, player.pk]
        if not voters(game) - set(row.agreed):
            row.mode, by = row.wish, row.wished_by or player
            row.wish, row.wished_by, row.agreed = "", None, []
            self.changed(game, row.mode, by)
        return self._save(game, row)

    def _save(self, game: Game, row: Row) -> Row:
        row.save()
        self.ring(game)
        return row


@dataclass(frozen=True, slots=True)
class Wish:
    """A mode that is proposed: its name, the name of the proposer, whether that is the viewer (`own`), and whether
    the viewer has still to answer (`asks`)."""

    mode: str
    label: str
    by: str
    own: bool
    asks: bool


def wish_of(
    row: TableChat | TableWatching, modes: type[TextChoices], viewer: Player | None, somebody: str
) -> Wish | None:
    """The proposal as `viewer` sees it; None if there is none. A proposer who is gone is called `somebody`.

    Everybody is asked once those who had not agreed have gone: any answer puts it into force then.
    """
    if not row.wish or viewer is None:
        return None
    by = row.wished_by.display_name if row.wished_by is not None else somebody
    asks = viewer.pk not in row.agreed or voters(row.game) <= set(row.agreed)
    return Wish(row.wish, str(modes(row.wish).label), by, row.wished_by_id == viewer.pk, asks)


def merge_consent(rows: type[Row], guest: Player, member: Player) -> None:
    """Let the member have proposed and agreed to what the guest has, where their games store it in `rows`."""
    for row in rows.objects.filter(wish__gt="", game__seats__player__in=[guest, member]).distinct():
        row.agreed = [member.pk if key == guest.pk else key for key in row.agreed]
        row.wished_by = member if row.wished_by_id == guest.pk else row.wished_by
        row.save(update_fields=["agreed", "wished_by"])


def voters(game: Game) -> set[int]:
    """The keys of the players who have to agree: the people of the game, without those who are away while it goes
    on."""
    clock = projections.clock_of(game) if game.status == Game.Status.PLAYING else None
    seats = list(game.seats.all())
    prefetch_related_objects(seats, "player")
    people = {seat.number: seat.player_id for seat in seats if not seat.player.is_computer}
    return {person for number, person in people.items() if clock is None or number in clock.here()}


CHAT_PROPOSED: Final = "chat-proposed"
WATCHING_PROPOSED: Final = "watching-proposed"
EVENT: Final = Action.Kind.EVENT
MORE_TIME: Final = {
    Kind.LIVE: (timedelta(seconds=30), timedelta(minutes=10)),
    Kind.DAYS: (timedelta(days=1), timedelta(days=7)),
}
"""The least and the most time that can be given at once."""
MOST_BANK: Final = timedelta(days=60)
SHORTEST_PAUSE: Final = timedelta(hours=1)
LONGEST_PAUSE: Final = timedelta(days=60)
OFFER_STANDS: Final = timedelta(minutes=10)
"""How long an offer to play on live waits for the others."""


@command
def more_time(game_id: int, seat: int, amount: timedelta, *, request_id: uuid.UUID, by: Player) -> Receipt:
    """Give `seat` more time, from another player of the table: it is added to the reserve, in whole seconds.

    Raises ``own-time``, ``too-much-time``, NotYourSeat if `by` does not play here, NotNow if nobody plays at the seat,
    GameEnded, ``no-clock``, ``request-reused``.
    """
    game, clock = common.clocked(game_id)
    table = log.open_table(game)
    giver = common.seat_here(table, clock, by)
    data = {"seconds": amount // timedelta(seconds=1), "giver": giver}
    common.check_new(game, seat, request_id, ("more-time", data))
    common.check_playing(game)
    if seat == giver:
        raise GameError("own-time")
    if seat not in clock.here():
        raise NotNow
    least, most = MORE_TIME[clock.terms.kind]
    if not least <= amount <= most or clock.seats[seat].bank + amount > MOST_BANK:
        raise GameError("too-much-time")
    entry = common.log(game, EVENT, "more-time", seat=seat, player=by, request_id=request_id, data=data)
    return common.receipt(table, entry)


@command
def propose_pause(game_id: int, seat: int, until: datetime, *, request_id: uuid.UUID, by: Player) -> Receipt:
    """Propose to stop all clocks until a moment, or until somebody ends the pause.

    The pause begins when every person at the table has agreed. Raises ``too-much-time``, NotNow while something else is
    proposed or the game is paused, NotYourSeat, GameEnded, ``no-clock``, ``request-reused``.
    """
    data = {"until": until.isoformat()}
    game, _clock = common.clocked(game_id)
    table = common.enter(game, seat, by, request_id, ("pause-proposed", data))
    if not SHORTEST_PAUSE <= until - (game.moment or timezone.now()) <= LONGEST_PAUSE:
        raise GameError("too-much-time")
    return _propose(table, seat, "pause-proposed", data, request_id, by)


@command
def offer_live(game_id: int, seat: int, *, request_id: uuid.UUID, by: Player) -> Receipt:
    """Propose to play on live, at a table with days to move, for as long as everybody stays.

    Raises NotNow if the table is live anyway, nobody else plays, something else is proposed or the game is paused;
    NotYourSeat, GameEnded, ``no-clock``, ``request-reused``.
    """
    game, clock = common.clocked(game_id)
    table = common.enter(game, seat, by, request_id, ("live-offered", None))
    if clock.terms.kind is Kind.LIVE or clock.live or len(clock.here()) < 2:
        raise NotNow
    moment = game.moment or timezone.now()
    return _propose(table, seat, "live-offered", {"until": (moment + OFFER_STANDS).isoformat()}, request_id, by)


@command
def answer(game_id: int, seat: int, *, agree: bool, request_id: uuid.UUID, by: Player) -> Receipt:
    """Agree to the proposal or decline it. Declining withdraws it; so the proposer can take it back.

    Raises NotNow if nothing is proposed or the player has agreed already, NotYourSeat, GameEnded, ``no-clock``,
    ``request-reused``.
    """
    game, clock = common.clocked(game_id)
    word = "agreed" if agree else "declined"
    table = common.enter(game, seat, by, request_id, (f"pause-{word}", {}), (f"live-{word}", {}), part=True)
    proposal = clock.proposal
    if proposal is None or seat not in clock.here():
        raise NotNow
    if agree and (seat in proposal.agreed or _has_lapsed(proposal, game)):
        raise NotNow
    data = common.WITHDRAWN if not agree and seat == proposal.by else {}
    entry = common.log(game, EVENT, f"{proposal.what}-{word}", seat=seat, player=by, request_id=request_id, data=data)
    if not agree and proposal.what == "pause":
        common.notify_declined(table, proposal.by, seat, f"pause-{word}")
    _carry_out(table)
    return common.receipt(table, entry)


@command
def resume(game_id: int, seat: int, *, request_id: uuid.UUID, by: Player) -> Receipt:
    """End a pause early.

    Raises NotNow if there is none, NotYourSeat, GameEnded, ``no-clock``, ``request-reused``.
    """
    game, clock = common.clocked(game_id)
    table = common.enter(game, seat, by, request_id, ("resumed", None))
    if clock.paused_until is None:
        raise NotNow
    entry = common.log(game, EVENT, "resumed", seat=seat, player=by, request_id=request_id)
    common.notify_table(table, "game.resumed", but=seat)
    common.reschedule(table)
    return common.receipt(table, entry)


@command
def end_live(game_id: int, seat: int, *, request_id: uuid.UUID, by: Player) -> Receipt:
    """Go back from live play to days.

    Raises NotNow if the game is not played live, NotYourSeat, GameEnded, ``no-clock``, ``request-reused``.
    """
    game, clock = common.clocked(game_id)
    table = common.enter(game, seat, by, request_id, ("live-ended", None))
    if not clock.live:
        raise NotNow
    entry = common.log(game, EVENT, "live-ended", seat=seat, player=by, request_id=request_id)
    common.reschedule(table)
    return common.receipt(table, entry)


def _propose(
    table: log.Table, seat: int, event: str, data: dict[str, str], request_id: uuid.UUID, by: Player
) -> Receipt:
    game, clock = table.game, projections.clock_of(table.game)
    assert clock is not None
    is_pending = clock.proposal is not None and not _has_lapsed(clock.proposal, game)
    if seat not in clock.here() or clock.paused_until is not None or is_pending:
        raise NotNow
    entry = common.log(game, EVENT, event, seat=seat, player=by, request_id=request_id, data=data)
    until = data["until"]
    params: dict[str, str | int] = {"what": event, "number": entry.number, "by": by.public_id, "until": until}
    common.notify_table(table, "game.asked", but=seat, expires_at=datetime.fromisoformat(until), **params)
    _carry_out(table)
    return common.receipt(table, entry)


def _has_lapsed(proposal: Proposal, game: Game) -> bool:
    return proposal.until is not None and proposal.until <= (game.moment or timezone.now())


def _carry_out(table: log.Table) -> None:
    """Carry out the proposal if everybody has agreed."""
    game = table.game
    clock = projections.clock_of(game)
    if clock is None or clock.proposal is None or clock.needs_consent():
        return
    until = clock.proposal.until
    if clock.proposal.what == "live":
        common.log(game, EVENT, "live-begun")
    elif until is not None:
        common.log(game, EVENT, "paused", data={"until": until.isoformat()})
        common.notify_table(table, "game.paused", until=until.isoformat())
    common.reschedule(table)
