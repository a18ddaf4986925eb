"""The door of the daily deal: the deal of a day is laid when somebody first looks at it, and everybody begins it once."""

from __future__ import annotations

from datetime import date, datetime

from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from accounts import suspending
from accounts.models import Player
from games import boards, computers, play
from games.board_models import BoardSet
from games.daily import week
from games.daily.refusals import DayOver
from games.daily_models import DailyDay, DailyEntry
from games.models import Game
from games.refusals import IsSuspended


def today(now: datetime | None = None) -> DailyDay:
    """The deal of today, laid with its promise if nobody has looked at it before."""
    day = week.day_at(now or timezone.now())
    return DailyDay.objects.select_related("board_set").filter(date=day).first() or _lay(day)


def _lay(day: date) -> DailyDay:
    choice = week.choice_on(day)
    with transaction.atomic():
        board_set = boards.lay(f"daily:{day.isoformat()}:{choice.ruleset}", choice.ruleset, size=choice.size, count=1)
        defaults = {"board_set": board_set, "lane": week.lane_on(day)}
        return DailyDay.objects.get_or_create(date=day, defaults=defaults)[0]


def entry_of(day: DailyDay, player: Player | None) -> DailyEntry | None:
    """What this person has begun on a day, under whichever number. One query."""
    if player is None:
        return None
    person = Q(player=player.current) | Q(player__merged_into=player.current)
    found = DailyEntry.objects.filter(person, day=day).select_related("game", "player")
    return min(found, key=lambda entry: (entry.player_id != player.current.pk, entry.begun_at), default=None)


def begin(player: Player, day: date, now: datetime | None = None) -> DailyEntry:
    """Lay the deal of `day` for this person and computer players; what they have begun already if they have.

    Takes the lock on the day's set, so that nobody begins twice. Raises DayOver unless it is that day, MetAlready for who
    knows the deal though they have not begun it, IsSuspended.
    """
    moment = now or timezone.now()
    if week.day_at(moment) != day:
        raise DayOver
    found = today(moment)
    with transaction.atomic():
        board_set = BoardSet.objects.select_for_update().get(pk=found.board_set_id)
        entry = entry_of(found, player)
        if entry is not None:
            return entry
        try:
            suspending.check(player)
        except suspending.Suspended as why:
            raise IsSuspended(why) from None
        game = _start(found, board_set, player)
        return DailyEntry.objects.create(day=found, player=player, game=game, begun_at=moment)


def lay_yardstick(day: DailyDay) -> Game | None:
    """Let a computer player hold the person's cards, at a table of computer players alone; None where that is done already."""
    with transaction.atomic():
        board_set = BoardSet.objects.select_for_update().get(pk=day.board_set_id)
        if DailyDay.objects.filter(pk=day.pk, computer__isnull=False).exists():
            return None
        game = _start(day, board_set, None)
        play.begin_alone(game.pk)
        DailyDay.objects.filter(pk=day.pk).update(computer=game)
        return game


def _start(day: DailyDay, board_set: BoardSet, player: Player | None) -> Game:
    """A table of the day. The person sits at seat 0, and so does the computer player in their place."""
    size = board_set.table_size
    others = computers.computer_players(size - 1)
    first = player if player is not None else computers.stand_in()
    return play.start(
        board_set.ruleset,
        [first, *others],
        version=board_set.ruleset_version,
        board_set=board_set,
        dealer=week.dealer_for(day.lane, size),
    )
