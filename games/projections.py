"""Projections of the log of a game, written in the same transaction: clocks and punctuality, proposals to take back
or to end the game, whose turn it is, who sat where, and what each seat did in a hand.

The services pass every entry they write to `update_clock`, `update_undo` and `update_ending`, and finish each step
with `settle_clock` and `settle_turn`; `manage.py rebuild` rebuilds the same from the log. Nothing here writes to the
log or decides what happens when time runs out: the services do. docs/adr/0004-undo.md says what can be taken back,
and why.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import UTC, date, datetime, timedelta
from typing import Any, Final

from django.db.models import Count, F, Max, Q, QuerySet
from django.utils import timezone

from accounts import availability
from accounts.models import Player
from core.prepared_queries import prepared_update
from domain.engine import parse_action
from domain.engine.counting import SeatTally
from domain.engine.view import can_be_taken_back
from domain.pace import Clock, Kind, Rhythm, State, Tally, Terms, reliability
from domain.pace.terms import WINDOW
from games.models import Action, Game, GameHand, PlayedSeat, Punctuality, Seat
from games.read_models import Sat
from games.selectors import log
from notices import preferences

PROMISE_STANDS: Final = {Kind.LIVE: timedelta(seconds=45), Kind.DAYS: timedelta(seconds=10)}
"""How long the next pack is promised, and a finished hand shown, before the next deal begins by itself."""
SILENT: Final = ("rhythm", "read")
"""Entries of the log that are shown to nobody: "rhythm", for the clocks, would reveal a player's days to others;
"read" is what a learner has read."""
TIMEOUTS: Final = ("absent", "substitute-asked")
"""The entries of the log that are written when a seat's time has run out; with `by` in their data a person asked for
it."""
AGAIN: Final = {"again": True}
"""In the log with "absent": the seat's player was away already, and this does not count against their punctuality."""


def terms_of(game: Game) -> Terms | None:
    """What was agreed about time; None for a game without a clock."""
    return Terms.from_json(game.pace) if game.pace else None


def clock_of(game: Game) -> Clock | None:
    """The stored clocks of a game; None without a pace. A copy: changes to it are not stored."""
    clock = _stored_clock(game)
    return clock.copy() if clock is not None else None


def _stored_clock(game: Game) -> Clock | None:
    """Like `clock_of`, but for reading alone: the same object each time, which must not be changed."""
    if not game.pace:
        return None
    if game.clock_read is None or game.clock_read[0] is not game.clock:
        terms = Terms.from_json(game.pace)
        game.clock_read = game.clock, Clock.from_json(terms, game.clock) if game.clock else Clock(terms)
    return game.clock_read[1]


def state_of(game: Game, seat: int) -> State | None:
    """The state of a seat, which says who acts for it; None without a pace."""
    clock = _stored_clock(game)
    return clock.seats[seat].state if clock is not None else None


# following the log


def update_clock(game: Game, entry: Action, player: Player | None) -> None:
    """Update the clocks of a game with an entry of the log. Does not save the game."""
    clock = clock_of(game)
    if clock is not None:
        advance_clock(clock, entry, player)
        game.clock = clock.to_json()


def advance_clock(clock: Clock, entry: Action, player: Player | None) -> None:
    """Advance the clocks by one entry of the log."""
    event = "move" if entry.kind == Action.Kind.MOVE else entry.text
    computer = player is not None and player.is_computer
    clock.follow(event, entry.at, seat=entry.seat, data=entry.data, computer=computer)


def settle_clock(game: Game) -> None:
    """Start the clock of the seat that is asked, and set when the game is due.

    For the end of a command. Does not save.
    """
    clock = clock_of(game)
    if clock is None:
        return
    playing = game.status == Game.Status.PLAYING
    for name, value in _clock_fields(game, clock, playing=playing).items():
        setattr(game, name, value)
    coming = [moment for moment in clock.reminders() if moment > game.acted_at]
    game.remind_at = coming[0] if coming and playing else None


def _clock_fields(game: Game, clock: Clock, *, playing: bool) -> dict[str, object]:
    """Start the clock of the seat that is asked. Returns the fields of the game that follow from its clocks."""
    clock.ask(game.to_act if playing else None, game.acted_at)
    return {
        "clock": clock.to_json(),
        "deadline_at": clock.deadline() if playing else None,
        "seeks": playing and any(seat.state is State.SOUGHT for seat in clock.seats),
    }


def rebuild_clock(game: Game, clock: Clock, now: datetime) -> list[str]:
    """Set the fields of the game that differ from `clock`, which was rebuilt from the log.

    Returns the names of these fields.

    The log does not say which reminders were sent, so any of the coming ones is accepted as the stored one. Does not
    save.
    """
    playing = game.status == Game.Status.PLAYING
    fields = _clock_fields(game, clock, playing=playing)
    reminders = [moment for moment in clock.reminders() if moment > game.acted_at] if playing else []
    if game.remind_at is not None and game.remind_at not in reminders:
        fields["remind_at"] = next((moment for moment in reminders if moment > now), None)
    changed = [name for name, value in fields.items() if getattr(game, name) != value]
    for name in changed:
        setattr(game, name, fields[name])
    return changed


# people's days


def rhythm_of(player: Player, since: datetime | None = None) -> Rhythm:
    """When a player may be expected to act, in the form that clocks compute with, with absences from `since` on.

    One query.
    """
    available = availability.availability_of(player.current, since)
    return Rhythm(available.zone.key, available.waking, available.absences)


def rhythm_change(game: Game, seat: int, player: Player) -> dict[str, object] | None:
    """The data of a `rhythm` entry if the days of the player at `seat` have changed since they were last logged.

    None if they have not, or without a clock in days. `since` is the day from which the new rhythm holds: that on which
    the player was asked to act if they are on turn, else today.
    """
    clock = _stored_clock(game)
    if clock is None or clock.terms.kind is Kind.LIVE:
        return None
    asked_at = clock.since if clock.running == seat else None
    rhythm = rhythm_of(player, asked_at)
    day = clock.calendar(seat).day_at(asked_at or timezone.now())
    if rhythm.since(day) == clock.seats[seat].rhythm.since(day):
        return None
    return {"rhythm": rhythm.to_json(), "since": day.isoformat()}


def everybody_here(game: Game) -> bool:
    """Whether all people at a table with days to move are looking at it now, if they are two or more.

    Somebody for whom others act is not here.
    """
    clock = _stored_clock(game)
    if clock is None or clock.terms.kind is Kind.LIVE or game.status != Game.Status.PLAYING:
        return False
    people = [seat.player.current for seat in game.read_seats() if not seat.player.is_computer]
    return len(people) == len(clock.here()) > 1 and preferences.all_look(people, game.public_id)


DUE_BY: Final = ("due_at", "deadline_at", "remind_at")


def is_any_game_due(now: datetime) -> bool:
    """Whether any game is due by any of its moments. Reads three partial indexes."""
    return Game.objects.filter(Q(due_at__lte=now) | Q(deadline_at__lte=now) | Q(remind_at__lte=now)).exists()


def due_games(by: str, now: datetime, limit: int) -> QuerySet[Game]:
    """The games that are due by the field `by` (one of `DUE_BY`), the longest overdue first.

    Reads one partial index.
    """
    return Game.objects.filter(**{f"{by}__lte": now}).order_by(by)[:limit]


# punctuality


def count_punctuality(player: Player, at: datetime, *, actions: int = 0, timeouts: int = 0) -> None:
    """Add to a player's counts of punctuality. Call it in the transaction of the entry that is counted."""
    counted = player.current.pk, at.astimezone(UTC).date(), actions, timeouts
    if not _count(*counted):
        Punctuality.objects.get_or_create(player=player.current, day=counted[1])
        _count(*counted)


@prepared_update
def _count(player: int, day: date, actions: int, timeouts: int) -> tuple[QuerySet[Punctuality], Mapping[str, object]]:
    more = {"actions": F("actions") + actions, "timeouts": F("timeouts") + timeouts}
    return Punctuality.objects.filter(player=player, day=day), more


def give_punctuality(guest: Player, member: Player) -> None:
    """Move a guest's counts of punctuality to the member. Does nothing if that was done before."""
    for row in Punctuality.objects.filter(player=guest):
        own, _created = Punctuality.objects.get_or_create(player=member, day=row.day)
        own.actions, own.timeouts = own.actions + row.actions, own.timeouts + row.timeouts
        own.save()
        row.delete()


def punctuality_of(players: Iterable[Player], today: date | None = None) -> dict[int, float | None]:
    """The reliability of each player, by key (`domain.pace.reliability`). One query."""
    now = today or timezone.now().astimezone(UTC).date()
    tallies_of: dict[int, list[Tally]] = {player.current.pk: [] for player in players}
    rows = Punctuality.objects.filter(player__in=tallies_of, day__gt=now - timedelta(days=WINDOW))
    for key, day, actions, timeouts in rows.values_list("player", "day", "actions", "timeouts"):
        tallies_of[key].append(Tally(day, actions, timeouts))
    return {key: reliability(tallies, now) for key, tallies in tallies_of.items()}


def recount_punctuality(player: Player) -> bool:
    """Recount a player's punctuality from the logs. Returns whether the stored counts were different."""
    own = [player.pk, *player.merged.values_list("pk", flat=True)]
    timed = Action.objects.filter(player__in=own).exclude(game__pace={})
    counted: dict[date, tuple[int, int]] = {}
    moves = timed.filter(kind=Action.Kind.MOVE)
    out = timed.filter(kind=Action.Kind.EVENT, text__in=TIMEOUTS, data__by__isnull=True, data__again__isnull=True)
    for entries, in_time, late in ((moves, 1, 0), (out, 0, 1)):
        for at in entries.values_list("at", flat=True):
            day = at.astimezone(UTC).date()
            actions, timeouts = counted.get(day, (0, 0))
            counted[day] = (actions + in_time, timeouts + late)
    rows = Punctuality.objects.filter(player=player)
    if counted == {
        day: (actions, timeouts) for day, actions, timeouts in rows.values_list("day", "actions", "timeouts")
    }:
        return False
    rows.delete()
    Punctuality.objects.bulk_create(
        Punctuality(player=player, day=day, actions=actions, timeouts=timeouts)
        for day, (actions, timeouts) in counted.items()
    )
    return True


UNDO_PROPOSED: Final = "undo-proposed"
UNDO_AGREED: Final = "undo-agreed"
UNDO_DECLINED: Final = "undo-declined"
_ABOUT_TIME: Final = frozenset(
    {
        "rhythm", "vacation", "more-time", "pause-proposed", "pause-agreed", "pause-declined", "paused", "resumed",
        "live-offered", "live-agreed", "live-declined", "live-begun", "live-ended", "end-proposed", "end-agreed",
        "end-declined",
    }
)  # fmt: skip
"""The events that may follow a move that is taken back: with them nobody has acted, come or left. Any other event,
even a future one, prevents it."""


@dataclass(frozen=True, slots=True)
class UndoProposal:
    """Seat `by` proposes to take back its move number `move`, with this `verb`.

    It lapses at `until` if not all have answered.
    """

    move: int
    verb: str
    by: int
    agreed: tuple[int, ...]
    until: datetime

    def to_json(self) -> dict[str, Any]:
        return asdict(self) | {"agreed": list(self.agreed), "until": self.until.isoformat()}


def undo_proposal_of(game: Game) -> UndoProposal | None:
    """The stored proposal to take back a move; None if there is none."""
    return _read_undo(game.undo) if game.undo else None


def _read_undo(data: Mapping[str, Any]) -> UndoProposal:
    until = datetime.fromisoformat(data["until"])
    return UndoProposal(data["move"], data["verb"], data["by"], tuple(data["agreed"]), until)


def advance_undo(proposal: UndoProposal | None, entry: Action) -> UndoProposal | None:
    """The proposal after an entry of the log. Events about time and talk leave it as it is; anything else ends it."""
    if entry.kind == Action.Kind.SAID:
        return proposal
    if entry.kind == Action.Kind.EVENT:
        if entry.text == UNDO_PROPOSED:
            return _read_undo({**entry.data, "by": entry.seat, "agreed": (entry.seat,)})
        if entry.text == UNDO_AGREED and proposal is not None and entry.seat is not None:
            return replace(proposal, agreed=(*proposal.agreed, entry.seat))
        if entry.text in _ABOUT_TIME:
            return proposal
    return None


def update_undo(game: Game, entry: Action) -> None:
    """Update the proposal to take back a move with an entry of the log, after `update_clock`. Does not save the game.

    While something is proposed the game is due when that lapses; afterwards, at once if a computer player has to act.
    """
    before = undo_proposal_of(game)
    after = advance_undo(before, entry)
    if after is not None:
        game.undo, game.due_at = after.to_json(), after.until
    elif before is not None:
        game.undo = {}
        game.due_at = game.acted_at if worker_acts(game) else None


def worker_acts(game: Game) -> bool:
    """Whether it is the turn of a computer player, in its own seat or for somebody who is away. One query at most."""
    if game.to_act is None:
        return False
    player = game.seats.select_related("player").get(number=game.to_act).player
    return player.is_computer or state_of(game, game.to_act) is State.AWAY


END_PROPOSED: Final = "end-proposed"
END_AGREED: Final = "end-agreed"
END_DECLINED: Final = "end-declined"
ENDED: Final = "ended"
"""The event of an end to which all have agreed; `counts` in its data says whether the score counts."""


@dataclass(frozen=True, slots=True)
class EndProposal:
    """Seat `by` proposes to end the game, with the present score (`counts`) or as a game that does not count."""

    by: int
    counts: bool
    agreed: tuple[int, ...]

    def to_json(self) -> dict[str, Any]:
        return asdict(self) | {"agreed": list(self.agreed)}


def end_proposal_of(game: Game) -> EndProposal | None:
    """The stored proposal to end the game; None if there is none."""
    data = game.ending
    return EndProposal(data["by"], data["counts"], tuple(data["agreed"])) if data else None


def advance_ending(proposal: EndProposal | None, entry: Action) -> EndProposal | None:
    """The proposal after an entry of the log.

    It is open until all have answered; a substitute has not agreed to anything.
    """
    if entry.kind != Action.Kind.EVENT:
        return proposal
    if entry.text == END_PROPOSED and entry.seat is not None:
        return EndProposal(entry.seat, bool(entry.data["counts"]), (entry.seat,))
    if entry.text in (END_DECLINED, ENDED):
        return None
    if proposal is not None and entry.seat is not None:
        if entry.text == END_AGREED:
            return replace(proposal, agreed=(*proposal.agreed, entry.seat))
        if entry.text == "substituted":
            return replace(proposal, agreed=tuple(seat for seat in proposal.agreed if seat != entry.seat))
    return proposal


def update_ending(game: Game, entry: Action) -> None:
    """Update the proposal to end the game with an entry of the log. Does not save the game."""
    after = advance_ending(end_proposal_of(game), entry)
    game.ending = after.to_json() if after is not None else {}


# whose consent is needed


def consenting_seats(game: Game, seats: Iterable[Seat] | None = None) -> tuple[int, ...]:
    """The seats whose people play, who must all consent. Computer players always consent: they know only what they see.

    `seats` are those of the game with their players, if they have been read; then this takes no query.
    """
    clock = _stored_clock(game)
    if clock is not None:
        return clock.here()
    if seats is not None:
        return tuple(sorted(seat.number for seat in seats if not seat.player.is_computer))
    return tuple(game.seats.filter(player__computer="").order_by("number").values_list("number", flat=True))


def undo_waits_for(game: Game) -> tuple[int, ...]:
    """The seats that have not answered the proposal to take back yet; empty if nothing is proposed."""
    proposal = undo_proposal_of(game)
    return tuple(seat for seat in consenting_seats(game) if seat not in proposal.agreed) if proposal is not None else ()


# what can be taken back

WITH_CARDS: Final = frozenset({"play", "scart", "discard", "buob", "buob-sche", "quiet", "give", "keep", "take"})
"""The verbs of actions that come after all cards are dealt, from the scart on."""


def lone_seat(table: log.Table) -> int | None:
    """The seat of the person who is alone with computer players; None at any other table."""
    people = [seat.number for seat in table.seats if not seat.player.is_computer]
    return people[0] if len(people) == 1 else None


def takeable_move(table: log.Table, happened: Sequence[Action] | None = None) -> log.Move | None:
    """The move that its player may now propose to take back; None if there is none.

    A person alone with computer players may take back their own last move in the open hand, or in the one that has
    just ended until the next is dealt, whatever has happened since; not where other tables play the same deal. Among
    people it is the last action of the open hand, if a person made it for their own seat, nobody has acted, come or
    left since, it was not proposed before and declined, and it revealed no hidden card (`domain.engine.view`).

    `happened` is the log from that action on, or more of it, without moves that were taken back; without it, one
    query more.
    """
    game = table.game
    if game.kind == Game.Kind.GUIDED or game.status != Game.Status.PLAYING or game.undo:
        return None
    seat = lone_seat(table)
    if seat is not None:
        return _own_last_move(table, seat, happened or ()) if game.board_set_id is None else None
    last = last_asked(table)
    if game.kind != Game.Kind.PLAY or table.hand is None or last is None:
        return None
    if happened is None:
        happened = list(game.actions.filter(number__gte=last.number).select_related("player__merged_into"))
    entry, *since = (one for one in happened if one.number >= last.number)
    if any(
        one.kind == Action.Kind.MOVE or one.text not in _ABOUT_TIME for one in since if one.kind != Action.Kind.SAID
    ):
        return None
    seated = table.seats[last.seat].player
    is_own = entry.player is not None and not entry.player.is_computer and entry.player.current.pk == seated.current.pk
    if not is_own or state_of(game, last.seat) not in (None, State.HERE):
        return None
    before, after = log.hand_before(table, last), table.hand
    if table.moves[-1] != last:  # something was said since
        after = before.copy()
        after.push(parse_action(last.text))
    return last if can_be_taken_back(before, after) else None


def last_asked(table: log.Table) -> log.Move | None:
    """The last move of the open hand that answered a question, not unprompted talk; None before the first."""
    return next((move for move in reversed(table.moves) if not move.said), None)


def latest_moves(table: log.Table) -> list[log.Move]:
    """The moves of the open hand, or, while the next deal waits, of the last one played (then with one query)."""
    if table.hand is None and len(table.hands) > 1 and table.hands[-2].status == GameHand.Status.PLAYED:
        return log.moves_of(table.game, table.hands[-2].number)
    return table.moves


def _own_last_move(table: log.Table, seat: int, happened: Sequence[Action]) -> log.Move | None:
    """The last move in the latest hand of the person at `seat`, alone with computer players, if it is one
    `WITH_CARDS`. None of those that lead to the position of a practice game."""
    last = next((move for move in reversed(latest_moves(table)) if move.seat == seat and not move.said), None)
    if last is None or last.text.partition(" ")[0] not in WITH_CARDS:
        return None
    if last.number <= table.game.practice.get("number", 0):
        return None
    entry = next((one for one in happened if one.number == last.number), None)
    entry = entry or table.game.actions.select_related("player__merged_into").get(number=last.number)
    seated = table.seats[seat].player
    return last if entry.player is not None and entry.player.current.pk == seated.current.pk else None


HINTED: Final = "hinted"
"""The event of a hint: a person alone with computer players asked what one of these would do."""


def hintable_seat(table: log.Table) -> int | None:
    """The seat that may ask for a hint now: of a person alone with computer players, if it is their turn; else None.

    None in the lesson, which has hints of its own, and where other tables play the same deal.
    """
    game, hand = table.game, table.hand
    if hand is None or hand.over or game.status != Game.Status.PLAYING or game.kind == Game.Kind.GUIDED:
        return None
    seat = lone_seat(table)
    return seat if seat is not None and hand.turn == seat and game.board_set_id is None else None


@dataclass(frozen=True, slots=True)
class SeatChange:
    """With entry `number` of the log, `seat` passed from `before` to another player."""

    number: int
    seat: int
    before: Player


@dataclass(frozen=True, slots=True)
class Sitters:
    """Who sat in the seats of one game, over its whole log.

    `now` holds each seat that changed hands with its latest player, `absences` each seat for which a computer player
    acted, with the number of the entry from which on and that of the one with which somebody was back (None: not yet).
    """

    changes: tuple[SeatChange, ...] = ()
    now: tuple[tuple[int, Player], ...] = ()
    absences: tuple[tuple[int, int, int | None], ...] = ()

    def at(self, number: int) -> tuple[Sat, ...]:
        """Who sat, when entry `number` was written, in each of the seats that ever changed hands."""
        return tuple(
            Sat(seat, (then := self._player_at(seat, last, number)).display_name, then == last, then.page)
            for seat, last in self.now
        )

    def was_away(self, seat: int | None, number: int) -> bool:
        """Whether a computer player acted for `seat` when entry `number` was written."""
        return any(
            away == seat and left < number and (back is None or number < back) for away, left, back in self.absences
        )

    def _player_at(self, seat: int, last: Player, number: int) -> Player:
        """Who had the seat at entry `number`: the player who gave it up in the next change, or else `last`."""
        return next((change.before for change in self.changes if change.seat == seat and change.number > number), last)


def sitters_of(game: Game, seats: Sequence[Seat], events: Sequence[Action] | None = None) -> Sitters:
    """Who sat in `seats`, the seats of `game`, over time. `events` are those of its log, if they were read.

    No query without a clock, as then no seat changes hands; at most two with one.
    """
    if not game.pace:
        return Sitters()
    if events is None:
        events = list(game.actions.filter(kind=Action.Kind.EVENT, text__in=_COMES_AND_GOES).order_by("number"))
    absences = tuple(_absences(events))
    entries = [event for event in events if event.text == "substituted"]
    if not entries:
        return Sitters(absences=absences)
    public_ids = {str(entry.data["of"]) for entry in entries}
    people = Player.objects.filter(public_id__in=public_ids).select_related("merged_into")
    by_public_id = {player.public_id: player.current for player in people}
    changes = tuple(
        SeatChange(entry.number, entry.seat, by_public_id[str(entry.data["of"])])
        for entry in entries
        if entry.seat is not None and str(entry.data["of"]) in by_public_id
    )
    changed = {change.seat for change in changes}
    now = tuple((seat.number, seat.player.current) for seat in seats if seat.number in changed)
    return Sitters(changes, now, absences)


_COMES_AND_GOES: Final = ("absent", "returned", "substituted")


def _absences(events: Iterable[Action]) -> Iterator[tuple[int, int, int | None]]:
    left: dict[int, int] = {}
    for event in events:
        if event.seat is None or event.text not in _COMES_AND_GOES:
            continue
        if event.text == "absent":
            left.setdefault(event.seat, event.number)
        elif event.seat in left:
            yield event.seat, left.pop(event.seat), event.number
    yield from ((seat, number, None) for seat, number in left.items())


def person_of(game: Game, player: Player) -> Player:
    """The present player for one named in the log of `game`: for a guest who has become a member, the member, unless
    both sat in this game. No query for anybody else."""
    current = player.current
    if current.pk == player.pk:
        return player
    seated = game.actions.filter(text__in=("sat", "substituted"), player=current)
    return player if seated.exists() else current


SIT = "sit"
"""What is asked between two deals: to sit down for the next one."""
GO_ON: Final = "go-on"
"""What is asked of a person alone with computer players who looks at a trick: to go on. Meanwhile the next to lead
waits."""


def settle_turn(game: Game) -> None:
    """Set what is asked (`asked`) and of which seats (`waits_for`), after a command or a rebuild. Does not save.

    `to_act` and `due_at` must be up to date, and so must `asked` while a seat is asked.
    """
    if game.status != Game.Status.PLAYING:
        game.asked, game.waits_for = "", 0
    elif game.to_act is None:
        game.asked, game.waits_for = SIT, _not_sitting(game)
    elif game.undo:
        # The player on turn may play, but is not waited for until everybody has answered.
        game.waits_for = sum(1 << seat for seat in undo_waits_for(game))
    elif game.kind == Game.Kind.GUIDED:
        game.waits_for = _people(game) if game.due_at is None else 0
    elif game.asked == GO_ON:
        game.waits_for = sum(1 << seat for seat in consenting_seats(game))
    else:
        game.waits_for = 1 << game.to_act if _is_left_to_a_person(game, game.to_act) else 0


def _is_left_to_a_person(game: Game, seat: int) -> bool:
    """Whether the seat's player has to act in person: nothing is due for the worker, no substitute is sought and
    there is no pause. Never at a table of computer players only."""
    clock = _stored_clock(game)
    if clock is not None and (clock.paused_until is not None or clock.seats[seat].state is State.SOUGHT):
        return False
    return game.due_at is None and game.kind != Game.Kind.COMPUTERS


def _not_sitting(game: Game) -> int:
    """The seats, as bits, whose people have not sat down yet; 0 at a table with a pace, where deals begin by
    themselves."""
    if game.pace:
        return 0
    events = game.actions.filter(hand_number=game.hand_number, kind=Action.Kind.EVENT, text="ready")
    ready = set(events.values_list("seat", flat=True))
    return _people(game) & ~sum(1 << seat for seat in ready if seat is not None)


def _people(game: Game) -> int:
    """The seats of people, as bits."""
    return sum(1 << seat for seat in game.seats.filter(player__computer="").values_list("number", flat=True))


@dataclass(frozen=True, slots=True)
class EndedHand:
    """A hand that was played: the time of its last action, and what each seat did."""

    at: datetime
    tallies: tuple[SeatTally, ...]


def write_played(game: Game, row: GameHand, ended: EndedHand) -> None:
    """Write the played seats of a hand that has just ended.

    Call it with the game's lock, after the last action is logged.

    Three queries, one fewer if the hand does not count. Writes nothing while the deal is sealed:
    `games.services.boards` does that when it opens.
    """
    PlayedSeat.objects.bulk_create(_played_rows(game, row, ended))


def rebuild_played_seats(game: Game, hands: Sequence[GameHand], ended: dict[int, EndedHand]) -> list[str]:
    """Rewrite the played seats of every hand where they differ from the log.

    Returns a description of each hand that changed.

    `hands` are all hands of the game, `ended` those that the log has ended, by number. Call it with the game's lock.
    """
    stored: dict[int, list[PlayedSeat]] = {hand.number: [] for hand in hands}
    for row in PlayedSeat.objects.filter(hand__game=game).select_related("hand").order_by("hand", "seat"):
        stored[row.hand.number].append(row)
    changed = []
    for hand in hands:
        rebuilt = _played_rows(game, hand, ended[hand.number]) if hand.number in ended else []
        if [_values(row) for row in stored[hand.number]] != [_values(row) for row in rebuilt]:
            PlayedSeat.objects.filter(hand=hand).delete()
            PlayedSeat.objects.bulk_create(rebuilt)
            changed.append(f"hand {hand.number}: played seats")
    return changed


_FIELDS: Final = tuple(field.attname for field in PlayedSeat._meta.concrete_fields if not field.primary_key)


def _values(row: PlayedSeat) -> tuple[Any, ...]:
    return tuple(getattr(row, name) for name in _FIELDS)


def _played_rows(game: Game, row: GameHand, ended: EndedHand) -> list[PlayedSeat]:
    if game.kind != Game.Kind.PLAY or game.status == Game.Status.ENDED or not ended.tallies or row.deal.is_sealed:
        return []
    helped = Q(text=log.UNDONE, data__has_key="moves") | Q(text=HINTED)
    if game.actions.filter(helped, hand_number=row.number).exists():
        return []  # somebody alone tried more than one way, or took a hint
    players = _hand_players(game, row.number)
    people_only = not any(
        player.is_computer or (player.program_since is not None and player.program_since <= ended.at)
        for player, _shared in players.values()
    )
    moment = ended.at.astimezone(UTC)
    return [
        PlayedSeat(
            hand=row,
            seat=seat,
            player=players[seat][0],
            shared=players[seat][1],
            at=ended.at,
            month=moment.year * 100 + moment.month,
            ruleset=game.ruleset,
            table_size=game.table_size,
            people_only=people_only,
            **asdict(tally),
        )
        for seat, tally in enumerate(ended.tallies)
    ]


def _hand_players(game: Game, number: int) -> dict[int, tuple[Player, bool]]:
    """The player credited with each seat in a hand, and whether others made some of its moves.

    It is the player who made the most of its moves, and of several the one who made the last: not the one who sat
    there at the end. So a hand that a substitute saved is theirs, and leaving a bad one does not help the player who
    has played most of it. The moves that a claim makes for other seats count for nobody. A seat without moves of its
    own is credited to its present player.
    """
    moves = game.actions.filter(
        kind=Action.Kind.MOVE, hand_number=number, seat__isnull=False, player__isnull=False
    ).order_by()
    counted = list(moves.values("seat", "player").annotate(moves=Count("pk"), last=Max("number")))
    keys = {each["player"] for each in counted}
    people = Player.objects.select_related("merged_into").in_bulk(keys)
    persons = {key: person_of(game, player) for key, player in people.items()}
    shares_of: dict[int, dict[int, list[int]]] = {}  # by seat and person: the number of moves, and the last one
    for each in counted:
        assert each["seat"] is not None
        own = shares_of.setdefault(each["seat"], {}).setdefault(persons[each["player"]].pk, [0, 0])
        own[0] += each["moves"]
        own[1] = max(own[1], each["last"])
    by_key = {person.pk: person for person in persons.values()}
    sitting = {seat.number: (seat.player.current, False) for seat in game.seats.select_related("player__merged_into")}
    return sitting | {
        seat: (by_key[max(shares, key=shares.__getitem__)], len(shares) > 1)  # the most moves, then the last one
        for seat, shares in shares_of.items()
    }
