"""What the worker does for a day: once the first person has begun, it starts the computer player's game and plays the
par; at three o'clock it ends unfinished games; once the deal is open, it writes the results. Everything can be done
twice, or late, with the same outcome.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from fractions import Fraction
from typing import Final

from django.db import transaction
from django.db.models import Exists, OuterRef, Q

from accounts.models import Player
from games.daily import services as daily_services
from games.daily.models import DailyDay, DailyEntry
from games.models import BoardSet, Game, GameHand
from games.services import boards, play

AT_ONCE: Final = 50
"""How many games are ended in one run, so that no other game waits for long."""
PATIENCE: Final = timedelta(hours=1)
"""How long after the end of a day its comparison waits for the computer player."""
_COUNTED: Final = (GameHand.Status.PLAYED, GameHand.Status.PASSED)


def do_due(now: datetime) -> int:
    """Do what is due for days that are not open yet. Returns how much was done. One query if nothing is due."""
    today = daily_services.day_at(now)
    not_open = DailyDay.objects.filter(opened_at=None, date__lte=today).values_list("date", "par_plays")
    if not any(day < today or plays < daily_services.PLAYS for day, plays in not_open):
        return 0
    begun = Exists(DailyEntry.objects.filter(day=OuterRef("pk")))
    due = Q(date__lt=today) | Q(date=today, par_plays__lt=daily_services.PLAYS) & Q(begun)
    days = DailyDay.objects.filter(due, opened_at=None).select_related("board_set").order_by("date")
    return sum(_look_after(day, now) for day in days)


def _look_after(day: DailyDay, now: datetime) -> int:
    if day.computer_id is None and day.closed_at is None:
        return _start_reference_game_or_delete(day)
    if day.closed_at is None:
        return _close(day, now) if now >= daily_services.closes(day.date) else daily_services.play_par(day)
    if day.board_set.opened_at is not None:
        return open_day(day, now)
    if now >= day.closed_at + PATIENCE:
        return _give_up_reference_game(day)
    return 0


def _start_reference_game_or_delete(day: DailyDay) -> int:
    """Start the computer player's game if somebody has begun; delete a day that is over and that nobody played."""
    with transaction.atomic():
        BoardSet.objects.select_for_update().get(pk=day.board_set_id)  # somebody may begin at the last moment
        if day.entries.exists():
            return int(daily_services.start_reference_game(day) is not None)
        day.delete()
        boards.delete_unplayed(day.board_set)
    return 1


def _close(day: DailyDay, now: datetime) -> int:
    """End the unfinished games.

    When none is left, mark the day as closed and its set as complete, so that the deal may open.
    """
    playing = Game.objects.filter(board_set=day.board_set_id, status=Game.Status.PLAYING, daily_yardstick=None)
    left = list(playing.order_by("pk").values_list("pk", flat=True)[:AT_ONCE])
    for key in left:
        play.expire(key)
    if len(left) < AT_ONCE:
        with transaction.atomic():
            DailyDay.objects.filter(pk=day.pk, closed_at=None).update(closed_at=now)
            boards.complete(day.board_set)
    return len(left) + 1


def _give_up_reference_game(day: DailyDay) -> int:
    """End the computer player's game if it does not finish, so that nobody waits for it forever."""
    game = Game.objects.filter(daily_yardstick=day, status=Game.Status.PLAYING).first()
    if game is None:
        return 0
    play.expire(game.pk)
    return 1


def open_day(day: DailyDay, now: datetime) -> int:
    """Write everybody's results, the computer player's and the average of people with an account, and open the day.

    Returns 1, or 0 if it was open already. Takes the lock on the day's row.
    """
    with transaction.atomic():
        day = DailyDay.objects.select_for_update().get(pk=day.pk)
        if day.opened_at is not None:
            return 0
        until = daily_services.closes(day.date)
        over = Game.objects.filter(board_set=day.board_set_id, status=Game.Status.FINISHED, ended_at__lt=until)
        hands = GameHand.objects.filter(game__in=over, number=1, status__in=_COUNTED)
        results = {game: scores[0] if scores else 0 for game, scores in hands.values_list("game", "scores")}
        counted = [entry for entry in day.entries.all() if entry.game_id in results]
        for entry in counted:
            entry.points = results[entry.game_id]
        DailyEntry.objects.bulk_update(counted, ["points"], batch_size=500)
        compared = [results[entry.game_id] for entry in counted if not entry.as_guest]
        day.players = len(compared)
        day.datum = datum(compared)
        reference_hand = GameHand.objects.filter(game=day.computer_id, number=1, status__in=_COUNTED).first()
        if reference_hand is not None:
            day.computer_points = reference_hand.scores[0] if reference_hand.scores else 0
        day.opened_at = now
        day.save(update_fields=["players", "datum", "computer_points", "opened_at"])
        return 1


def datum(points: list[int]) -> int | None:
    """The mean of these points, rounded to a whole point, half to even; None if there are none."""
    return round(Fraction(sum(points), len(points))) if points else None


def merged(guest: Player, member: Player) -> None:
    """Give the member the guest's entries, after the guest became a member.

    If both have begun the same day and it is not open yet, the earlier entry counts, and the other is deleted. Entries
    of days that are open already stay as they are.
    """
    own = {entry.day_id: entry for entry in DailyEntry.objects.filter(player=member)}
    for entry in DailyEntry.objects.filter(player=guest).select_related("day"):
        other = own.get(entry.day_id)
        if other is not None and entry.day.opened_at is not None:
            continue
        if other is not None:
            later = max(entry, other, key=lambda each: (each.begun_at, each.pk))
            later.delete()
            if later is entry:
                continue
        DailyEntry.objects.filter(pk=entry.pk).update(player=member)
