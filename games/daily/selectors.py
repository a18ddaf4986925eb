"""The results of days, which nobody may read before a day is open, except for how many people have begun.

Selectors about many people use one grouped query, or return a page of a list. Programs get the open days without names.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Final

from django.conf import settings
from django.core.paginator import Page, Paginator
from django.db.models import Count, F, QuerySet, Sum
from django.urls import reverse
from django.utils import timezone

from accounts import permissions as account_permissions
from accounts.models import Player
from core.prepared_queries import prepared
from games.charts import Mean
from games.daily import services
from games.daily.models import DailyDay, DailyEntry, DailyWishes
from games.models import Game
from games.read_models import Replay
from games.selectors import replay
from games.services import boards
from games.text import figures

BEST: Final = 5
"""How many of the best results are listed."""
A_PAGE: Final = 25
FED: Final = 60
"""The number of days in the feed."""


@dataclass(frozen=True, slots=True)
class Place:
    """The rank of a result among those of the `others`."""

    better_than: int
    equal: int
    others: int


@dataclass(frozen=True, slots=True)
class Line:
    """Somebody's result.

    `name` is empty unless they show it to this reader, `game` unless they show how they played.
    """

    points: int
    gain: int
    name: str = ""
    page: str = ""
    game: str = ""
    own: bool = False


@dataclass(frozen=True, slots=True)
class History:
    """A player's own days: how many they played, how many in a row up to now, and their gains in each game."""

    days: int
    running: int
    gains: dict[tuple[str, int], Mean]


def day_of(day: date) -> DailyDay | None:
    """The deal of a day; None if nobody has looked at it."""
    return DailyDay.objects.select_related("board_set", "computer").filter(date=day).first()


def promise_of(day: DailyDay) -> str:
    """The commitment to the day's pack."""
    return boards.promises(day.board_set)[0]


def par_of(day: DailyDay) -> Mean:
    """The results of computer players with the same cards, as many as they have played so far."""
    return Mean(day.par_plays, day.par_total, day.par_squares)


# an open day


def distribution(day: DailyDay, *, guests: bool = False) -> list[tuple[int, int]]:
    """For each result, how many people with an account (or guests) made it; the best first.

    One query for any number.
    """
    rows = day.entries.filter(points__isnull=False, as_guest=guests).order_by("-points")
    return list(rows.values_list("points").annotate(people=Count("pk")))


def place(counted: Iterable[tuple[int, int]], points: int, *, among: bool = True) -> Place:
    """The rank of a result in the distribution `counted`, which contains it itself if `among`."""
    rows = list(counted)
    return Place(
        better_than=sum(people for other, people in rows if other < points),
        equal=sum(people for other, people in rows if other == points) - among,
        others=sum(people for _other, people in rows) - among,
    )


def best(day: DailyDay, viewer: Player | None) -> list[Line]:
    """The best results of the day, as the viewer may see them. Three queries at most."""
    rows = _entries(day).order_by("-points", "begun_at", "pk")[:BEST]
    return _lines(day, list(rows), viewer)


def daily_ranking(day: DailyDay, viewer: Player | None, page: str) -> tuple[list[Line], Page[DailyEntry]]:
    """A page of the results of people who let others see how they played, the best first. Five queries at most."""
    rows = _entries(day).filter(player__daily_wishes__shows_name=True, player__daily_wishes__shows_play=True)
    if viewer is not None:
        rows = rows.exclude(player__in=account_permissions.strangers_to(viewer))
    rows = rows.filter(player__user__isnull=False, player__retired_at=None)
    listed = Paginator(rows.order_by("-points", "begun_at", "pk"), A_PAGE).get_page(page or "1")
    return _lines(day, list(listed.object_list), viewer), listed


def _entries(day: DailyDay) -> QuerySet[DailyEntry]:
    return day.entries.filter(points__isnull=False, as_guest=False).select_related("player", "game")


def _lines(day: DailyDay, entries: list[DailyEntry], viewer: Player | None) -> list[Line]:
    wishes = {row.player_id: row for row in DailyWishes.objects.filter(player__in=[each.player_id for each in entries])}
    strangers = account_permissions.strangers_to(viewer)
    own = viewer.pk if viewer is not None else None
    return [_line(day, each, wishes.get(each.player_id), strangers, own=each.player_id == own) for each in entries]


def _line(
    day: DailyDay, entry: DailyEntry, wishes: DailyWishes | None, strangers: frozenset[int], *, own: bool
) -> Line:
    assert entry.points is not None
    player, gain = entry.player, entry.points - (day.datum or 0)
    named = wishes is not None and wishes.shows_name and player.is_member and player.pk not in strangers
    if not (named and player.page) and not own:
        return Line(entry.points, gain)
    open_to_all = wishes is not None and wishes.shows_play and named
    game = entry.game.public_id if own or open_to_all else ""
    return Line(entry.points, gain, player.display_name, player.page, game, own)


def replay_of(day: DailyDay, entry: DailyEntry | None) -> Replay | None:
    """The end of a game with the pack of an open day, for its proof: the computer player's, or else the reader's own.

    None if neither was finished: other people's games are only shown if they wish it.
    """
    games = [day.computer, entry.game if entry is not None else None]
    for game in games:
        if game is not None and game.status == Game.Status.FINISHED:
            try:
                return replay.replay(game, 1, None, None)
            except replay.NotOpen:
                continue
    return None


# past days


def months() -> list[date]:
    """The first days of the months that have an open day, latest first. One query."""
    opened = DailyDay.objects.filter(opened_at__isnull=False)
    return list(opened.dates("date", "month", order="DESC"))


def days_in(month: date, player: Player | None) -> list[tuple[DailyDay, DailyEntry | None]]:
    """The open days of a month, latest first, with the player's entries. Two queries."""
    opened = DailyDay.objects.filter(opened_at__isnull=False, date__year=month.year, date__month=month.month)
    days = list(opened.select_related("board_set").order_by("-date"))
    own = {}
    if player is not None:
        own = {each.day_id: each for each in DailyEntry.objects.filter(player=player, day__in=days)}
    return [(day, own.get(day.pk)) for day in days]


def history(player: Player, now: datetime | None = None) -> History:
    """The history of a player's own days. Two queries."""
    gain = F("points") - F("day__datum")
    mine = DailyEntry.objects.filter(player=player)
    rows = (
        mine.filter(points__isnull=False, day__datum__isnull=False)
        .values_list("day__board_set__ruleset", "day__board_set__table_size")
        .annotate(days=Count("pk"), total=Sum(gain), squares=Sum(gain * gain))
        .order_by("-days", "day__board_set__ruleset")
    )
    gains = {(ruleset, size): Mean(days, total, squares) for ruleset, size, days, total, squares in rows}
    played = set(mine.values_list("day__date", flat=True))
    return History(len(played), _running(played, services.day_at(now or timezone.now())), gains)


def _running(played: set[date], today: date) -> int:
    """The number of days in a row up to today, or up to yesterday if today's deal is not played yet."""
    last = today if today in played else today - timedelta(days=1)
    count = 0
    while last - timedelta(days=count) in played:
        count += 1
    return count


def fed(before: date | None = None) -> list[tuple[DailyDay, list[tuple[int, int]]]]:
    """The latest open days (before a date) with the distributions of their results, latest first. Two queries."""
    opened = DailyDay.objects.filter(opened_at__isnull=False).select_related("board_set", "computer")
    if before is not None:
        opened = opened.filter(date__lt=before)
    days = list(opened.order_by("-date")[:FED])
    counted: dict[int, list[tuple[int, int]]] = {day.pk: [] for day in days}
    rows = DailyEntry.objects.filter(day__in=days, points__isnull=False, as_guest=False).order_by("-points")
    for key, points, people in rows.values_list("day", "points").annotate(people=Count("pk")):
        counted[key].append((points, people))
    return [(day, counted[day.pk]) for day in days]


# elsewhere on the site


@dataclass(frozen=True, slots=True)
class Card:
    """Today's deal as shown on the front page."""

    choice: services.Choice
    entry: DailyEntry | None

    @property
    def name(self) -> str:
        return figures.variant_name((self.choice.ruleset, self.choice.size))

    @property
    def playing(self) -> bool:
        return self.entry is not None and self.entry.game.status == Game.Status.PLAYING


def card(player: Player | None, now: datetime | None = None) -> Card:
    """Today's deal for the front page. One query at most, none for a stranger. Does not create the deal."""
    day = services.day_at(now or timezone.now())
    entry = None
    if player is not None:
        entry = next(iter(_entry(player.pk, day)), None)
    return Card(services.choice_on(day), entry)


@prepared
def _entry(player: int, day: date) -> QuerySet[DailyEntry]:
    return DailyEntry.objects.filter(player=player, day__date=day).select_related("game")


def at_table(game: Game) -> DailyDay | None:
    """The day whose deal a table with shared deals plays; None if it is not a daily deal."""
    return DailyDay.objects.select_related("board_set").filter(board_set=game.board_set_id).first()


def days(before: date | None) -> dict[str, object]:
    """Open days as JSON data, latest first; `next` is the address of earlier ones, None if there are none."""
    open_days = fed(before)
    more = None
    if len(open_days) == FED:
        more = f"{settings.SITE_URL}{reverse('daily-days')}?before={open_days[-1][0].date.isoformat()}"
    return {
        "format": "troccas-daily",
        "version": 1,
        "days": [
            {
                "day": day.date.isoformat(),
                "ruleset": day.board_set.ruleset,
                "ruleset_version": day.board_set.ruleset_version,
                "table_size": day.board_set.table_size,
                "players": day.players,
                "average": day.datum,
                "computer": day.computer_points,
                "par": {"plays": par.hands, "mean": round(par.mean, 2), "error": round(par.error, 2)}
                if (par := par_of(day)).hands
                else None,
                "results": [{"points": points, "people": people} for points, people in counted],
                "url": settings.SITE_URL + reverse("daily:day", args=[day.date]),
                "record": settings.SITE_URL + reverse("games:record", args=[day.computer.public_id])
                if day.computer_points is not None and day.computer
                else None,
            }
            for day, counted in open_days
        ],
        "next": more,
    }
