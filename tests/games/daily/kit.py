"""Days of the daily deal for tests: played for real, or laid with results of our own."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

from django.contrib.auth import get_user_model
from django.test import Client
from django.utils import timezone

from accounts import sessions
from accounts.models import Player
from games.daily import services as daily_services
from games.daily import tasks
from games.daily.models import DailyDay, DailyEntry
from games.models import BoardSet, Deal, Game, GameHand
from games.services import boards
from tests.games.table_kit import person

LONG = timedelta(hours=30)


def member(name: str, **fields: Any) -> Player:
    """Somebody with an account."""
    user = get_user_model().objects.create_user(f"{name.lower()}@example.org", "neun-und-dreissig")
    return person(user=user, name=name, **fields)


def browser(player: Player | None) -> Client:
    """A browser of this person, or of a stranger."""
    client = Client()
    if player is not None and player.user is not None:
        client.force_login(player.user)
    elif player is not None:
        client.cookies["guest"] = sessions.issue_guest_token(player)
    return client


def text_of(client: Client, path: str) -> str:
    """A page that is there."""
    answer = client.get(path)
    assert answer.status_code == 200, (path, answer.status_code)
    return answer.content.decode()


def begun(player: Player, now: datetime) -> DailyEntry:
    """Somebody has begun the deal of the day that `now` lies in."""
    return daily_services.begin(player, daily_services.day_at(now), now)


def bring(entry: DailyEntry, points: int, at: datetime | None = None) -> None:
    """The game of an entry is over and has brought so many points; what was played is not told."""
    size = entry.game.table_size
    scores = [points, *([0] * (size - 1))]
    GameHand.objects.filter(game=entry.game).update(status=GameHand.Status.PLAYED, scores=scores)
    moment = at or timezone.now()
    Game.objects.filter(pk=entry.game_id).update(
        status=Game.Status.FINISHED, ended_at=moment, totals=scores, hands_played=1
    )
    entry.game.refresh_from_db()


def played(player: Player, now: datetime, points: int) -> DailyEntry:
    """Somebody has played the deal of the day, within the minute."""
    entry = begun(player, now)
    bring(entry, points, now + timedelta(minutes=1))
    return entry


def opened(day: DailyDay, computer: int | None = None) -> DailyDay:
    """The day is over, closed and open; its computer player's table is laid but for its moves."""
    after = daily_services.closes(day.date)
    until = daily_services.ends(day.date)
    tasks.do_due(until)
    day.refresh_from_db()
    if day.computer is not None:
        size = day.computer.table_size
        scores = [computer or 0, *([0] * (size - 1))]
        status = Game.Status.FINISHED if computer is not None else Game.Status.EXPIRED
        if computer is not None:
            GameHand.objects.filter(game=day.computer).update(status=GameHand.Status.PLAYED, scores=scores)
        Game.objects.filter(daily_yardstick=day).update(
            status=status, ended_at=until, totals=scores, to_act=None, due_at=None
        )
    while DailyDay.objects.get(pk=day.pk).closed_at is None:
        assert tasks.do_due(after) > 0
    # What `unsealing` does, without the statistics of hands whose moves are not told.
    Deal.objects.filter(table=day.board_set.public_id).update(opened_at=after)
    BoardSet.objects.filter(pk=day.board_set_id).update(opened_at=after, changed=False)
    assert tasks.do_due(after) > 0
    day.refresh_from_db()
    return day


def play_par() -> None:
    """As if computer players had played what was begun as often as they do: the worker has no more to do for the par."""
    DailyDay.objects.update(par_plays=daily_services.PLAYS)


def run_to_the_end(day: DailyDay) -> DailyDay:
    """Everything that the worker does for a day, the computer player's game move by move."""
    from games.services import computers

    tasks.do_due(daily_services.ends(day.date))
    day.refresh_from_db()
    assert day.computer is not None
    while True:
        game = Game.objects.get(daily_yardstick=day)
        if game.status != Game.Status.PLAYING:
            break
        assert computers.act_for(game)
    after = daily_services.closes(day.date)
    tasks.do_due(after)
    boards.open_due(10, after)
    tasks.do_due(after)
    day.refresh_from_db()
    return day
