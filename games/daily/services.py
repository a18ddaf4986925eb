"""The daily deal: the game and times of each day, creating the deal of a day, and beginning it.

Days are calendar days in Switzerland, also when clocks change. The deal of a day is created when somebody first looks
at it, and everybody can begin it once.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from typing import Final
from zoneinfo import ZoneInfo

from django.db import transaction
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from accounts import permissions as account_permissions
from accounts.models import Player
from core.exceptions import Refusal
from games.daily.models import DailyDay, DailyEntry
from games.models import BoardSet, Game
from games.services import boards, computers, play


class DailyError(Refusal):
    words = {
        "day-over": _("That day is over: its deal cannot be begun any more. This is the deal of today."),
        "begun-here": _("Somebody has begun this deal in this browser already. Nobody plays a deal twice."),
    }
    statuses = {409: ("day-over",)}


ZONE: Final = ZoneInfo("Europe/Zurich")
CLOSES: Final = time(3)
"""The time on the next morning until which a game can be finished."""


PLAYS: Final = 40
"""How many times computer players play the deal of a day for its par; a single game would say little."""
PLAYS_IN_ONE_LOOK: Final = 4
"""How many of them are played in one run of the worker. Each takes about 50 ms, in which the worker does nothing
else."""


@dataclass(frozen=True, slots=True)
class Choice:
    """A game and the size of its table."""

    ruleset: str
    size: int


_TROCCAS: Final = Choice("troccas", 4)

WEEK: Final[tuple[tuple[Choice, ...], ...]] = (
    (_TROCCAS,),
    (Choice("troggu", 4), Choice("troggu-st-niklaus", 4), Choice("troggu-graechen", 4)),
    (_TROCCAS,),
    (Choice("troccas-3", 3), Choice("troccas-5", 5), Choice("troccas-6", 6)),
    (_TROCCAS,),
    (_TROCCAS,),
    (_TROCCAS,),
)
"""The games of the week, Monday first. If a day has several games, they take turns from week to week."""


def choice_on(day: date) -> Choice:
    choices = WEEK[day.weekday()]
    return choices[(day.toordinal() - 1) // 7 % len(choices)]


def lane_on(day: date) -> int:
    """The cards that the person gets: those of the seat this many places after the dealer.

    It changes from day to day.
    """
    return day.toordinal() % choice_on(day).size


def dealer_for(lane: int, size: int) -> int:
    """The dealer with whom the person at seat 0 gets the cards of this lane."""
    return -lane % size


def day_at(moment: datetime) -> date:
    return moment.astimezone(ZONE).date()


def begins(day: date) -> datetime:
    return _at(day, time(0))


def ends(day: date) -> datetime:
    """The moment from which the deal of a day can no longer be begun: midnight."""
    return _at(day + timedelta(days=1), time(0))


def closes(day: date) -> datetime:
    """The moment at which the last games of a day are ended: three o'clock on the next morning."""
    return _at(day + timedelta(days=1), CLOSES)


def _at(day: date, clock: time) -> datetime:
    return datetime.combine(day, clock, tzinfo=ZONE).astimezone(UTC)


def today(now: datetime | None = None) -> DailyDay:
    """The deal of today, created with its commitment if nobody has looked at it before."""
    day = day_at(now or timezone.now())
    return DailyDay.objects.select_related("board_set").filter(date=day).first() or _lay(day)


def _lay(day: date) -> DailyDay:
    choice = choice_on(day)
    with transaction.atomic():
        board_set = boards.create_set(
            f"daily:{day.isoformat()}:{choice.ruleset}", choice.ruleset, size=choice.size, count=1
        )
        defaults = {"board_set": board_set, "lane": lane_on(day)}
        return DailyDay.objects.get_or_create(date=day, defaults=defaults)[0]


def entry_of(day: DailyDay, player: Player | None) -> DailyEntry | None:
    """The entry of this person for a day, also one of a guest merged into them; None if missing. One query."""
    if player is None:
        return None
    person = Q(player=player.current) | Q(player__merged_into=player.current)
    entries = DailyEntry.objects.filter(person, day=day).select_related("game", "player")
    return min(entries, key=lambda entry: (entry.player_id != player.current.pk, entry.begun_at), default=None)


def check_new_to_browser(day: DailyDay, begun_here: str, player: Player | None) -> None:
    """Raise ``begun-here`` if another player began the deal of `day` in this browser (the entry `begun_here`, a key).

    That is only allowed if both are members, who may share a device; a guest is likely the same person. One query at
    most.
    """
    if not begun_here.isdigit():
        return
    entry = DailyEntry.objects.filter(pk=int(begun_here), day=day).select_related("player__merged_into__user").first()
    if entry is None or (player is not None and player.is_member and entry.player.current.is_member):
        return
    if player is None or entry.player.current.pk != player.current.pk:
        raise DailyError("begun-here")


def begin(player: Player, day: date, now: datetime | None = None) -> DailyEntry:
    """Begin the deal of `day` for this person, with computer players.

    Returns their present entry if they have begun already. Takes the lock on the day's set, so that nobody begins
    twice. Raises ``day-over`` unless it is that day, MetAlready for somebody who knows the deal though they have not
    begun it, ``suspended``.
    """
    moment = now or timezone.now()
    if day_at(moment) != day:
        raise DailyError("day-over")
    row = today(moment)
    with transaction.atomic():
        board_set = BoardSet.objects.select_for_update().get(pk=row.board_set_id)
        entry = entry_of(row, player)
        if entry is not None:
            return entry
        account_permissions.check_not_suspended(player)
        game = _start(row, board_set, player)
        guest = not player.is_member
        return DailyEntry.objects.create(day=row, player=player, game=game, begun_at=moment, as_guest=guest)


def start_reference_game(day: DailyDay) -> Game | None:
    """Start a game of computer players only, one of whom holds the person's cards. None if it was started before."""
    with transaction.atomic():
        board_set = BoardSet.objects.select_for_update().get(pk=day.board_set_id)
        if DailyDay.objects.filter(pk=day.pk, computer__isnull=False).exists():
            return None
        game = _start(day, board_set, None)
        play.begin_alone(game.pk)
        DailyDay.objects.filter(pk=day.pk).update(computer=game)
        return game


def play_par(day: DailyDay) -> int:
    """Let computer players play the deal a few more times, up to `PLAYS` in all. Returns how many times they did.

    A play depends only on the cards and its number, so doing it a second time changes nothing.
    """
    numbers = range(day.par_plays, min(day.par_plays + PLAYS_IN_ONE_LOOK, PLAYS))
    if not numbers:
        return 0
    dealer = dealer_for(day.lane, day.board_set.table_size)
    results = [computers.scores_of(day.board_set, dealer, number)[0] for number in numbers]
    DailyDay.objects.filter(pk=day.pk, par_plays=day.par_plays).update(
        par_plays=day.par_plays + len(results),
        par_total=day.par_total + sum(results),
        par_squares=day.par_squares + sum(points * points for points in results),
    )
    return len(results)


def _start(day: DailyDay, board_set: BoardSet, player: Player | None) -> Game:
    """Start a game with the deal of the day.

    The person, or without one a computer player in their place, sits at seat 0.
    """
    size = board_set.table_size
    others = computers.computer_players(size - 1)
    first = player if player is not None else computers.stand_in()
    return play.start(
        board_set.ruleset,
        [first, *others],
        version=board_set.ruleset_version,
        board_set=board_set,
        dealer=dealer_for(day.lane, size),
    )
