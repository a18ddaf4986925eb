"""What follows from the log of a game, written in the same transaction: clocks and punctuality, what is asked to be taken
back, whose turn it is and who sat where, and what each seat did in a hand.

The services tell every entry they write to `update_clock` and `update_undo`, and close each step with `settle_clock` and
`settle_turn`; `manage.py rebuild` makes the same from the log. Nothing here writes to the log or decides what happens when
time is out: the services do. docs/adr/0004-undo.md says what can be taken back, and why.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
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
from games.read_models import Line, Sat
from games.selectors import log
from notices import preferences

PROMISE_STANDS: Final = {Kind.LIVE: timedelta(seconds=45), Kind.DAYS: timedelta(seconds=10)}
"""How long the promise of the next pack stands, and a finished hand is looked at, before the next begins by itself."""
SILENT: Final = ("rhythm", "read")
"""What the log keeps for the clocks alone: it would tell others of somebody's days. And what a learner has read."""
TIMEOUTS: Final = ("absent", "substitute-asked")
"""The entries of the log with which a seat's time is out; with `by` in their data a person asked for it."""
AGAIN: Final = {"again": True}
"""In the log beside "absent": the seat's player was away already, and this counts against nobody."""


def terms_of(game: Game) -> Terms | None:
    """What was agreed about time; None where nobody is hurried."""
    return Terms.from_json(game.pace) if game.pace else None


def clock_of(game: Game) -> Clock | None:
    """The clocks of a game as they are stored; None without a pace. They are the caller's: what becomes of them is not stored."""
    if not game.pace:
        return None
    if game.clock_read is None or game.clock_read[0] is not game.clock:
        terms = Terms.from_json(game.pace)
        game.clock_read = game.clock, Clock.from_json(terms, game.clock) if game.clock else Clock(terms)
    return game.clock_read[1].copy()


def state_of(game: Game, seat: int) -> State | None:
    """Who acts for a seat; None without a pace."""
    clock = clock_of(game)
    return clock.seats[seat].state if clock is not None else None


# following the log


def update_clock(game: Game, entry: Action, player: Player | None) -> None:
    """Take note of an entry of the log. Does not save the game."""
    clock = clock_of(game)
    if clock is not None:
        advance_clock(clock, entry, player)
        game.clock = clock.to_json()


def advance_clock(clock: Clock, entry: Action, player: Player | None) -> None:
    """Let the clocks follow one entry of the log."""
    event = "move" if entry.kind == Action.Kind.MOVE else entry.text
    computer = player is not None and player.is_computer
    clock.follow(event, entry.at, seat=entry.seat, data=entry.data, computer=computer)


def settle_clock(game: Game) -> None:
    """At the end of a command: let the clock of the seat that is asked run, and write when it is due. Does not save."""
    clock = clock_of(game)
    if clock is None:
        return
    playing = game.status == Game.Status.PLAYING
    for name, value in _settled(game, clock, playing=playing).items():
        setattr(game, name, value)
    coming = [moment for moment in clock.reminders() if moment > game.acted_at]
    game.remind_at = coming[0] if coming and playing else None


def _settled(game: Game, clock: Clock, *, playing: bool) -> dict[str, object]:
    """What the game keeps of its clocks, once that of the seat that is asked runs."""
    clock.ask(game.to_act if playing else None, game.acted_at)
    return {
        "clock": clock.to_json(),
        "deadline_at": clock.deadline() if playing else None,
        "seeks": playing and any(seat.state is State.SOUGHT for seat in clock.seats),
    }


def clock_differences(game: Game, clock: Clock, now: datetime) -> list[str]:
    """Set what `clock`, made anew from the log, says otherwise than the stored projection; the names of it.

    Which reminders were sent does not stand in the log: any of those to come is taken for right.
    """
    playing = game.status == Game.Status.PLAYING
    wanted = _settled(game, clock, playing=playing)
    reminders = [moment for moment in clock.reminders() if moment > game.acted_at] if playing else []
    if game.remind_at is not None and game.remind_at not in reminders:
        wanted["remind_at"] = next((moment for moment in reminders if moment > now), None)
    changed = [name for name, value in wanted.items() if getattr(game, name) != value]
    for name in changed:
        setattr(game, name, wanted[name])
    return changed


# people's days


def rhythm_of(player: Player, since: datetime | None = None) -> Rhythm:
    """When a player may be expected to act, as the arithmetic of time wants it, absences from `since` on. One query."""
    found = availability.availability_of(player.current, since)
    return Rhythm(found.zone.key, found.waking, found.absences)


def rhythm_news(game: Game, seat: int, player: Player) -> dict[str, object] | None:
    """What the log has to be told of the days of the player at `seat`, at a table that counts in days; None if nothing.

    `rhythm`, and the day (of the player) `since` which it is another than the log knows: the one on which they were asked.
    """
    clock = clock_of(game)
    if clock is None or clock.terms.kind is Kind.LIVE:
        return None
    asked_at = clock.since if clock.running == seat else None
    told = rhythm_of(player, asked_at)
    day = clock.calendar(seat).day_at(asked_at or timezone.now())
    if told.since(day) == clock.seats[seat].rhythm.since(day):
        return None
    return {"rhythm": told.to_json(), "since": day.isoformat()}


def everybody_here(game: Game) -> bool:
    """Whether, at a table of days, all people who play look at it just now, and they are two or more."""
    clock = clock_of(game)
    if clock is None or clock.terms.kind is Kind.LIVE or game.status != Game.Status.PLAYING:
        return False
    here = clock.here()
    if len(here) < 2:
        return False
    people = [seat.player.current for seat in game.read_seats() if seat.number in here]
    return preferences.all_look(people, game.public_id)


DUE_BY: Final = ("due_at", "deadline_at", "remind_at")


def is_any_game_due(now: datetime) -> bool:
    """Whether a game is due by any of its moments: one look into three partial indexes."""
    return Game.objects.filter(Q(due_at__lte=now) | Q(deadline_at__lte=now) | Q(remind_at__lte=now)).exists()


def due_games(by: str, now: datetime, limit: int) -> QuerySet[Game]:
    """The games that are due by their `due_at`, `deadline_at` or `remind_at`, the oldest first: one look into a partial index."""
    return Game.objects.filter(**{f"{by}__lte": now}).order_by(by)[:limit]


# punctuality


def count_punctuality(player: Player, at: datetime, *, actions: int = 0, timeouts: int = 0) -> None:
    """Add to what is known of a player's punctuality. Call it in the transaction of the entry it counts."""
    counted = player.current.pk, at.astimezone(UTC).date(), actions, timeouts
    if not _count(*counted):
        Punctuality.objects.get_or_create(player=player.current, day=counted[1])
        _count(*counted)


@prepared_update
def _count(player: int, day: date, actions: int, timeouts: int) -> tuple[QuerySet[Punctuality], Mapping[str, object]]:
    more = {"actions": F("actions") + actions, "timeouts": F("timeouts") + timeouts}
    return Punctuality.objects.filter(player=player, day=day), more


def give_punctuality(guest: Player, member: Player) -> None:
    """What is known of a guest's punctuality is the member's from now on. Does nothing when it is done already."""
    for row in Punctuality.objects.filter(player=guest):
        own, _made = Punctuality.objects.get_or_create(player=member, day=row.day)
        own.actions, own.timeouts = own.actions + row.actions, own.timeouts + row.timeouts
        own.save()
        row.delete()


def punctuality_of(players: Iterable[Player], today: date | None = None) -> dict[int, float | None]:
    """For each player (by key) the figure of `domain.pace.terms`. One query."""
    now = today or timezone.now().astimezone(UTC).date()
    found: dict[int, list[Tally]] = {player.current.pk: [] for player in players}
    rows = Punctuality.objects.filter(player__in=found, day__gt=now - timedelta(days=WINDOW))
    for key, day, actions, timeouts in rows.values_list("player", "day", "actions", "timeouts"):
        found[key].append(Tally(day, actions, timeouts))
    return {key: reliability(tallies, now) for key, tallies in found.items()}


def recount_punctuality(player: Player) -> bool:
    """Count a player's punctuality anew from the logs; True if that was different from what was stored."""
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
"""What may happen after a move that is taken back: nobody has acted with that, or come or gone. Anything else is too much,
also what nobody has thought of yet."""


@dataclass(frozen=True, slots=True)
class UndoProposal:
    """Somebody asks to take back their move number `move`, a `verb`. `until`: when it lapses if not all have answered."""

    move: int
    verb: str
    by: int
    agreed: tuple[int, ...]
    until: datetime

    def to_json(self) -> dict[str, Any]:
        return asdict(self) | {"agreed": list(self.agreed), "until": self.until.isoformat()}


def undo_proposal_of(game: Game) -> UndoProposal | None:
    """What is proposed in a game as it is stored; None for nothing."""
    return _read_undo(game.undo) if game.undo else None


def _read_undo(data: Mapping[str, Any]) -> UndoProposal:
    until = datetime.fromisoformat(data["until"])
    return UndoProposal(data["move"], data["verb"], data["by"], tuple(data["agreed"]), until)


def advance_undo(proposal: UndoProposal | None, entry: Action) -> UndoProposal | None:
    """What is proposed after an entry of the log. Time may pass, and somebody may speak; whatever else happens ends it."""
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
    """Take note of an entry of the log, after the clocks have. Does not save the game.

    While something is proposed the worker waits for its end; after that, for what it waited for before.
    """
    before = undo_proposal_of(game)
    after = advance_undo(before, entry)
    if after is not None:
        game.undo, game.due_at = after.to_json(), after.until
    elif before is not None:
        game.undo = {}
        game.due_at = game.acted_at if worker_acts(game) else None


def worker_acts(game: Game) -> bool:
    """Whether a computer player is asked, in its own seat or for somebody who is away. One query at most."""
    if game.to_act is None:
        return False
    player = game.seats.select_related("player").get(number=game.to_act).player
    return player.is_computer or state_of(game, game.to_act) is State.AWAY


END_PROPOSED: Final = "end-proposed"
END_AGREED: Final = "end-agreed"
END_DECLINED: Final = "end-declined"
ENDED: Final = "ended"
"""All have agreed; `counts` in its data says whether the score stands."""


@dataclass(frozen=True, slots=True)
class EndProposal:
    """Seat `by` proposes to end the game; `counts`: the score stands as it is."""

    by: int
    counts: bool
    agreed: tuple[int, ...]

    def to_json(self) -> dict[str, Any]:
        return asdict(self) | {"agreed": list(self.agreed)}


def end_proposal_of(game: Game) -> EndProposal | None:
    """What is proposed about ending a game, as it is stored; None for nothing."""
    data = game.ending
    return EndProposal(data["by"], data["counts"], tuple(data["agreed"])) if data else None


def advance_ending(proposal: EndProposal | None, entry: Action) -> EndProposal | None:
    """What is proposed after an entry of the log. It stands until all have answered; who takes a seat over has agreed to
    nothing."""
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
    """Take note of an entry of the log. Does not save the game."""
    after = advance_ending(end_proposal_of(game), entry)
    game.ending = after.to_json() if after is not None else {}


# whose consent is wanted


def consenting_seats(game: Game, seats: Iterable[Seat] | None = None) -> tuple[int, ...]:
    """The seats whose people play, and who must all consent. Computer players consent always: they know but what they see.

    `seats` are those of the game with their players, where they have been read: then this takes no query."""
    clock = clock_of(game)
    if clock is not None:
        return clock.here()
    if seats is not None:
        return tuple(sorted(seat.number for seat in seats if not seat.player.is_computer))
    return tuple(game.seats.filter(player__computer="").order_by("number").values_list("number", flat=True))


def undo_waits_for(game: Game) -> tuple[int, ...]:
    """The seats that have not answered yet; none while nothing is proposed."""
    proposal = undo_proposal_of(game)
    return tuple(seat for seat in consenting_seats(game) if seat not in proposal.agreed) if proposal is not None else ()


# what can be taken back

WITH_CARDS: Final = frozenset({"play", "scart", "discard", "buob", "buob-sche", "quiet", "give", "keep", "take"})
"""What is done once all cards are dealt, from the scart on."""


def lone_seat(table: log.Table) -> int | None:
    """The seat of the only person at a table of computer players; None elsewhere."""
    people = [seat.number for seat in table.seats if not seat.player.is_computer]
    return people[0] if len(people) == 1 else None


def takeable_move(table: log.Table, happened: Sequence[Action] | None = None) -> log.Move | None:
    """The move that may be proposed to be taken back now, by who made it; None if there is none.

    Whoever is alone with computer players takes back their own last move of the open hand, or of the one just over until the
    next is dealt, whatever has happened since, but not where other tables play the same deal. Among
    people it is the last action of the open hand, done by a person for their own seat; nobody has acted, come or gone since; it has
    not been asked before and declined; and nothing that was hidden was seen by it (`domain.engine.view`). `happened` is the log from
    that action on, or more of it, without moves that were taken back; one query without it.
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
    own = entry.player is not None and not entry.player.is_computer and entry.player.current.pk == seated.current.pk
    if not own or state_of(game, last.seat) not in (None, State.HERE):
        return None
    before, after = log.hand_before(table, last), table.hand
    if table.moves[-1] != last:  # something was said since
        after = before.copy()
        after.push(parse_action(last.text))
    return last if can_be_taken_back(before, after) else None


def last_asked(table: log.Table) -> log.Move | None:
    """The last move of the open hand that answered a question; None before the first."""
    return next((move for move in reversed(table.moves) if not move.said), None)


def latest_moves(table: log.Table) -> list[log.Move]:
    """The moves of the open hand, or, while the next deal waits, of the one that was played last. One query then."""
    if table.hand is None and len(table.hands) > 1 and table.hands[-2].status == GameHand.Status.PLAYED:
        return log.moves_of(table.game, table.hands[-2].number)
    return table.moves


def _own_last_move(table: log.Table, seat: int, happened: Sequence[Action]) -> log.Move | None:
    """What the person at `seat`, alone with computer players, did last in the latest hand, if it was done with cards."""
    last = next((move for move in reversed(latest_moves(table)) if move.seat == seat and not move.said), None)
    if last is None or last.text.partition(" ")[0] not in WITH_CARDS:
        return None
    entry = next((one for one in happened if one.number == last.number), None)
    entry = entry or table.game.actions.select_related("player__merged_into").get(number=last.number)
    seated = table.seats[seat].player
    return last if entry.player is not None and entry.player.current.pk == seated.current.pk else None


HINTED: Final = "hinted"
"""The event that tells of a hint: who is alone with computer players asked what one of these would do."""


def hintable_seat(table: log.Table) -> int | None:
    """The seat that may be given a hint now: of who is alone with computer players and on turn; None if there is none.

    Not in the lesson, which has its own, nor where other tables play the same deal.
    """
    game, hand = table.game, table.hand
    if hand is None or hand.over or game.status != Game.Status.PLAYING or game.kind == Game.Kind.GUIDED:
        return None
    seat = lone_seat(table)
    return seat if seat is not None and hand.turn == seat and game.board_set_id is None else None


@dataclass(frozen=True, slots=True)
class SeatChange:
    """From entry `number` of the log on, `seat` is another's than before."""

    number: int
    seat: int
    before: Player


@dataclass(frozen=True, slots=True)
class Sitters:
    """The people of the seats of one game, over its whole log. `now` holds whom each seat that changed hands has at last."""

    changes: tuple[SeatChange, ...] = ()
    now: tuple[tuple[int, Player], ...] = ()

    def at(self, number: int) -> tuple[Sat, ...]:
        """Who sat, when entry `number` was written, in the seats that ever changed hands; nothing for all the others."""
        return tuple(
            Sat(seat, (then := self._at(seat, last, number)).display_name, then == last, then.page)
            for seat, last in self.now
        )

    def told(self, line: Line) -> Line:
        """A line of the log with the people of its own time."""
        return replace(line, then=self.at(line.number)) if self.now else line

    def _at(self, seat: int, last: Player, number: int) -> Player:
        """The person of a seat: whoever gave it away next, or who has it still."""
        return next((change.before for change in self.changes if change.seat == seat and change.number > number), last)


def sitters_of(game: Game, seats: Sequence[Seat], events: Sequence[Action] | None = None) -> Sitters:
    """Who sat in `seats`, which are those of `game`; `events` are those of its log, if they were read.

    No query without a clock, where no seat changes hands; two at most with it.
    """
    if not game.pace:
        return Sitters()
    if events is None:
        events = list(game.actions.filter(kind=Action.Kind.EVENT, text="substituted").order_by("number"))
    entries = [event for event in events if event.text == "substituted"]
    if not entries:
        return Sitters()
    wanted = {str(entry.data["of"]) for entry in entries}
    people = Player.objects.filter(public_id__in=wanted).select_related("merged_into")
    known = {player.public_id: player.current for player in people}
    changes = tuple(
        SeatChange(entry.number, entry.seat, known[str(entry.data["of"])])
        for entry in entries
        if entry.seat is not None and str(entry.data["of"]) in known
    )
    changed = {change.seat for change in changes}
    return Sitters(changes, tuple((seat.number, seat.player.current) for seat in seats if seat.number in changed))


def person_of(game: Game, player: Player) -> Player:
    """Who somebody named in the log of `game` is now: a guest who became a member since is the member, unless both sat in
    this game. No query for anybody else.
    """
    current = player.current
    if current.pk == player.pk:
        return player
    seated = game.actions.filter(text__in=("sat", "substituted"), player=current)
    return player if seated.exists() else current


SIT = "sit"
"""Asked between two deals: to sit down for the next."""
GO_ON: Final = "go-on"
"""Asked of who is alone with computer players and looks at a trick: to go on. The seat that leads next waits meanwhile."""


def settle_turn(game: Game) -> None:
    """At the end of a command, or from what was read of the log: write what is asked, and of which seats. Does not save.

    `to_act` and `due_at` must be right, and, while a seat is asked, `asked`.
    """
    if game.status != Game.Status.PLAYING:
        game.asked, game.waits_for = "", 0
    elif game.to_act is None:
        game.asked, game.waits_for = SIT, _not_sitting(game)
    elif game.undo:
        # Whoever is asked for a card may lay it, but is not waited for before everybody has answered.
        game.waits_for = sum(1 << seat for seat in undo_waits_for(game))
    elif game.kind == Game.Kind.GUIDED:
        game.waits_for = _people(game) if game.due_at is None else 0
    elif game.asked == GO_ON:
        game.waits_for = sum(1 << seat for seat in consenting_seats(game))
    else:
        game.waits_for = 1 << game.to_act if _is_left_to_a_person(game, game.to_act) else 0


def _is_left_to_a_person(game: Game, seat: int) -> bool:
    """Whether the seat's player has to act: nothing is due for the worker, no substitute is sought, and there is no pause; at a
    table of computer players alone nobody has."""
    clock = clock_of(game)
    if clock is not None and (clock.paused_until is not None or clock.seats[seat].state is State.SOUGHT):
        return False
    return game.due_at is None and game.kind != Game.Kind.COMPUTERS


def _not_sitting(game: Game) -> int:
    """The seats whose people have not sat down yet; none at a table with a pace, where hands begin by themselves."""
    if game.pace:
        return 0
    said = game.actions.filter(hand_number=game.hand_number, kind=Action.Kind.EVENT, text="ready")
    ready = set(said.values_list("seat", flat=True))
    return _people(game) & ~sum(1 << seat for seat in ready if seat is not None)


def _people(game: Game) -> int:
    """The seats that are no computer players', bit by bit."""
    return sum(1 << seat for seat in game.seats.filter(player__computer="").values_list("number", flat=True))


@dataclass(frozen=True, slots=True)
class EndedHand:
    """A hand that was played: when its last action was, and what each seat did."""

    at: datetime
    tallies: tuple[SeatTally, ...]


def write_played(game: Game, row: GameHand, ended: EndedHand) -> None:
    """Write the rows of a hand that has just ended. Call it with the game's lock, after the last action is logged.

    Three queries, one less where nothing counts; nothing while the deal is sealed (`games.services.boards` writes it then).
    """
    PlayedSeat.objects.bulk_create(_played_rows(game, row, ended))


def played_differences(game: Game, rows: Sequence[GameHand], ended: dict[int, EndedHand]) -> list[str]:
    """Make the rows of all hands of a game anew where they differ; says of which hands they did."""
    wanted = {row.number: _played_rows(game, row, ended[row.number]) if row.number in ended else [] for row in rows}
    stored: dict[int, list[PlayedSeat]] = {row.number: [] for row in rows}
    for found in PlayedSeat.objects.filter(hand__game=game).select_related("hand").order_by("hand", "seat"):
        stored[found.hand.number].append(found)
    changed = []
    for row in rows:
        if [_values(one) for one in stored[row.number]] != [_values(one) for one in wanted[row.number]]:
            PlayedSeat.objects.filter(hand=row).delete()
            PlayedSeat.objects.bulk_create(wanted[row.number])
            changed.append(f"hand {row.number}: played seats")
    return changed


_FIELDS: Final = tuple(field.attname for field in PlayedSeat._meta.concrete_fields if not field.primary_key)


def _values(row: PlayedSeat) -> tuple[Any, ...]:
    return tuple(getattr(row, name) for name in _FIELDS)


def _played_rows(game: Game, row: GameHand, ended: EndedHand) -> list[PlayedSeat]:
    if game.kind != Game.Kind.PLAY or game.status == Game.Status.ENDED or not ended.tallies or row.deal.is_sealed:
        return []
    helped = Q(text=log.UNDONE, data__has_key="moves") | Q(text=HINTED)
    if game.actions.filter(helped, hand_number=row.number).exists():
        return []  # somebody alone tried it in more than one way, or was told what to do
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
    """Who played each seat in a hand, and whether others made some of its moves: who made the most, or else the last.

    Not who sat there at the end: a hand that a substitute saved is theirs, and going away from a bad one does not help
    whoever has played most of it. What a claim plays for the others, nobody made; a seat without a move of its own has
    whoever sits there.
    """
    moves = game.actions.filter(
        kind=Action.Kind.MOVE, hand_number=number, seat__isnull=False, player__isnull=False
    ).order_by()
    counted = list(moves.values("seat", "player").annotate(moves=Count("pk"), last=Max("number")))
    keys = {each["player"] for each in counted}
    people = Player.objects.select_related("merged_into").in_bulk(keys)
    persons = {key: person_of(game, player) for key, player in people.items()}
    found: dict[int, dict[int, list[int]]] = {}
    for each in counted:
        assert each["seat"] is not None
        own = found.setdefault(each["seat"], {}).setdefault(persons[each["player"]].pk, [0, 0])
        own[0] += each["moves"]
        own[1] = max(own[1], each["last"])
    by_key = {person.pk: person for person in persons.values()}
    sitting = {seat.number: (seat.player.current, False) for seat in game.seats.select_related("player__merged_into")}
    return sitting | {
        seat: (by_key[max(shares, key=shares.__getitem__)], len(shares) > 1)  # the most moves, then the last one
        for seat, shares in found.items()
    }
