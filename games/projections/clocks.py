"""The clocks of stored games: a projection of their logs (`domain.pace.Clock`), and how punctual players are.

The door tells every entry it writes to `note`, and closes each of its steps with `settle`; rebuilding does the same from
the log. Nothing here writes to the log or decides what happens when time is out: the door does.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, date, datetime, timedelta
from typing import Final

from django.db.models import F, QuerySet
from django.utils import timezone

from accounts import availability
from accounts.models import Player
from domain.pace import Clock, Kind, Level, Rhythm, SeatClock, State, Tally, Terms, level_of, reliability
from domain.pace.terms import WINDOW
from games.models import Action, Game, Punctuality
from notices import preferences

PROMISE_STANDS: Final = {Kind.LIVE: timedelta(seconds=45), Kind.DAYS: timedelta(seconds=10)}
"""How long the promise of the next pack stands, and a finished hand is looked at, before the next begins by itself."""
SILENT: Final = ("rhythm",)
"""What the log keeps for the clocks alone: it would tell others of somebody's days."""
TIMEOUTS: Final = ("absent", "substitute-asked")
"""The entries of the log with which a seat's time is out; with `by` in their data a person asked for it."""
AGAIN: Final = {"again": True}
"""In the log beside "absent": the seat's player was away already, and this counts against nobody."""


def terms_of(game: Game) -> Terms | None:
    """What was agreed about time; None where nobody is hurried."""
    return Terms.from_json(game.pace) if game.pace else None


def clock_of(game: Game) -> Clock | None:
    """The clocks of a game as they are stored; None without a pace."""
    terms = terms_of(game)
    if terms is None:
        return None
    return Clock.from_json(terms, game.clock) if game.clock else Clock(terms)


def seat_clock(game: Game, seat: int) -> SeatClock | None:
    """The clock of one seat; None without a pace."""
    clock = clock_of(game)
    return clock.seats[seat] if clock is not None else None


def state_of(game: Game, seat: int) -> State | None:
    """Who acts for a seat; None without a pace."""
    own = seat_clock(game, seat)
    return own.state if own is not None else None


# following the log


def note(game: Game, entry: Action, player: Player | None) -> None:
    """Take note of an entry of the log. Does not save the game."""
    clock = clock_of(game)
    if clock is not None:
        follow(clock, entry, player)
        game.clock = clock.to_json()


def follow(clock: Clock, entry: Action, player: Player | None) -> None:
    """Let the clocks follow one entry of the log."""
    event = "move" if entry.kind == Action.Kind.MOVE else entry.text
    computer = player is not None and player.is_computer
    clock.follow(event, entry.at, seat=entry.seat, data=entry.data, computer=computer)


def settle(game: Game) -> None:
    """After a step of the door: let the clock of the seat that is asked run, and write when it is due. Does not save."""
    clock = clock_of(game)
    if clock is None:
        return
    playing = game.status == Game.Status.PLAYING
    clock.ask(game.to_act if playing else None, game.acted_at)
    game.clock = clock.to_json()
    game.deadline_at = clock.deadline() if playing else None
    game.seeks = playing and _seeks(clock)
    coming = [moment for moment in clock.reminders() if moment > game.acted_at]
    game.remind_at = coming[0] if coming and playing else None


def _seeks(clock: Clock) -> bool:
    """Whether a substitute is asked for some seat."""
    return any(seat.state is State.SOUGHT for seat in clock.seats)


def differences(game: Game, clock: Clock, now: datetime) -> list[str]:
    """Set what `clock`, made anew from the log, says otherwise than the stored projection; the names of it.

    Which reminders were sent does not stand in the log: any of those to come is taken for right.
    """
    playing = game.status == Game.Status.PLAYING
    clock.ask(game.to_act if playing else None, game.acted_at)
    wanted: dict[str, object] = {
        "clock": clock.to_json(),
        "deadline_at": clock.deadline() if playing else None,
        "seeks": playing and _seeks(clock),
    }
    reminders = [moment for moment in clock.reminders() if moment > game.acted_at] if playing else []
    if game.remind_at is not None and game.remind_at not in reminders:
        wanted["remind_at"] = next((moment for moment in reminders if moment > now), None)
    changed = [name for name, value in wanted.items() if getattr(game, name) != value]
    for name in changed:
        setattr(game, name, wanted[name])
    return changed


# people's days


def rhythm_of(player: Player, since: datetime | None = None) -> Rhythm:
    """When a player may be expected to act, as the arithmetic of time wants it, absences from `since` on. Two queries."""
    found = availability.availability_of(player.current, since)
    return Rhythm(found.zone.key, found.waking, found.absences)


def news_of(game: Game, seat: int, player: Player) -> dict[str, object] | None:
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
    seats = game.seats.filter(number__in=here).select_related("player__merged_into")
    return len(here) > 1 and all(preferences.is_looking(seat.player.current, game.public_id) for seat in seats)


# what is due


def overdue(now: datetime, limit: int) -> QuerySet[Game]:
    """The games whose deadline has passed, the oldest first: one look into a partial index."""
    return Game.objects.filter(deadline_at__lte=now).order_by("deadline_at")[:limit]


def to_remind(now: datetime, limit: int) -> QuerySet[Game]:
    """The games in which somebody is to be reminded, the oldest first: one look into a partial index."""
    return Game.objects.filter(remind_at__lte=now).order_by("remind_at")[:limit]


# punctuality


def tally(player: Player, at: datetime, *, actions: int = 0, timeouts: int = 0) -> None:
    """Add to what is known of a player's punctuality. Call it in the transaction of the entry it counts."""
    day = at.astimezone(UTC).date()
    row = Punctuality.objects.filter(player=player.current, day=day)
    if not row.update(actions=F("actions") + actions, timeouts=F("timeouts") + timeouts):
        Punctuality.objects.get_or_create(player=player.current, day=day)
        row.update(actions=F("actions") + actions, timeouts=F("timeouts") + timeouts)


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


def reliability_of(player: Player, today: date | None = None) -> Level:
    """How far one can rely on a player to play in time, in one of four steps."""
    return level_of(punctuality_of([player], today)[player.current.pk])


def recount(player: Player) -> bool:
    """Count a player's punctuality anew from the logs; True if that was different from what was stored."""
    own = [player.pk, *player.merged.values_list("pk", flat=True)]
    timed = Action.objects.filter(player__in=own).exclude(game__pace={})
    counted: dict[date, tuple[int, int]] = {}
    moves = timed.filter(kind=Action.Kind.MOVE)
    out = timed.filter(kind=Action.Kind.EVENT, text__in=TIMEOUTS, data__by__isnull=True, data__again__isnull=True)
    for at in moves.values_list("at", flat=True):
        day = at.astimezone(UTC).date()
        counted[day] = (counted.get(day, (0, 0))[0] + 1, 0)
    for at in out.values_list("at", flat=True):
        day = at.astimezone(UTC).date()
        actions, timeouts = counted.get(day, (0, 0))
        counted[day] = (actions, timeouts + 1)
    rows = Punctuality.objects.filter(player=player)
    if {
        day: (actions, timeouts) for day, actions, timeouts in rows.values_list("day", "actions", "timeouts")
    } == counted:
        return False
    rows.delete()
    Punctuality.objects.bulk_create(
        Punctuality(player=player, day=day, actions=actions, timeouts=timeouts)
        for day, (actions, timeouts) in counted.items()
    )
    return True
