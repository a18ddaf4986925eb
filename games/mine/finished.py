"""A player's games that are over: searched by person, ruleset, date and result. They stay, whoever goes."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from typing import Final
from zoneinfo import ZoneInfo

from django.core.paginator import Page, Paginator
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.urls import reverse

from accounts import rhythms
from accounts.models import Player
from accounts.names import key_of
from games.board_models import sealed
from games.mine import my_games, wording
from games.models import Game, GameHand, Seat

RESULTS: Final = ("won", "lost", "draw", "unfinished")


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is looked for; an empty part takes everything. Days are those of the player, both included."""

    person: str = ""
    ruleset: str = ""
    first: date | None = None
    last: date | None = None
    result: str = ""


@dataclass(frozen=True, slots=True)
class FinishedLine:
    """One game that is over, in words."""

    url: str
    title: str
    result: str
    won: bool
    total: str
    ended_at: datetime | None
    hands: str
    replay: str  # the first hand, all cards open; empty if none was played


def found(player: Player, wanted: Wanted, page: str | int | None = 1) -> Page[Seat]:
    """A page of the player's seats in games that are over, the latest first."""
    seats = _over(player)
    if wanted.ruleset:
        seats = seats.filter(game__ruleset=wanted.ruleset)
    zone = rhythms.zone_of(player)
    if wanted.first is not None:
        seats = seats.filter(game__ended_at__gte=_midnight(wanted.first, zone))
    if wanted.last is not None:
        seats = seats.filter(game__ended_at__lt=_midnight(wanted.last + timedelta(days=1), zone))
    if wanted.person.strip():
        seats = seats.filter(_with_somebody_called(wanted.person.strip()))
    if wanted.result:
        seats = seats.filter(pk__in=_ended_so(seats, wanted.result))
    ordered = seats.order_by("-game__ended_at", "-pk")
    return Paginator(my_games.with_tables(ordered), my_games.PER_PAGE).get_page(page)


def lines(seats: Page[Seat]) -> list[FinishedLine]:
    """The page in the reader's language. One query, for the hands that can be looked back at."""
    first = dict(
        GameHand.objects.filter(game__in=[seat.game_id for seat in seats], status=GameHand.Status.PLAYED)
        .exclude(sealed())
        .order_by("-number")
        .values_list("game", "number")
    )
    return [_line(seat, first.get(seat.game_id)) for seat in seats]


def rulesets_of(player: Player) -> list[tuple[str, str]]:
    """The rulesets of the player's finished games, with their names."""
    played = _over(player).order_by().values_list("game__ruleset", flat=True).distinct()
    return sorted(((known, wording.game_name(known)) for known in played), key=lambda pair: pair[1])


def _over(player: Player) -> QuerySet[Seat]:
    over = Seat.objects.filter(player=player, game__kind=Game.Kind.PLAY)
    return over.exclude(game__status=Game.Status.PLAYING)


def _with_somebody_called(person: str) -> Exists:
    """Whether somebody else at the table has such a name, or, without one, such a number."""
    key = key_of(person)
    named = Q(pk__in=[])
    if key:
        # Names are compared as they look: without case and accents.
        named |= Q(player__name_key__contains=key) | Q(player__merged_into__name_key__contains=key)
        named |= Q(player__name__icontains=person)
    if person.isdecimal() and len(person) <= 4:
        named |= Q(player__name="", player__number=int(person))
    others = Seat.objects.filter(game=OuterRef("game")).exclude(pk=OuterRef("pk"))
    return Exists(others.filter(named))


def _ended_so(seats: QuerySet[Seat], result: str) -> list[int]:
    """Those of the seats whose games ended with such a result; totals are compared here, since the database cannot."""
    wanted = ("left", "closed") if result == "unfinished" else (result,)
    rows = seats.order_by().values_list("pk", "number", "game__status", "game__totals")
    return [key for key, number, status, totals in rows if wording.result_key(status, totals, number) in wanted]


def _midnight(day: date, zone: ZoneInfo) -> datetime:
    return datetime.combine(day, time(), zone)


def _line(seat: Seat, replay: int | None) -> FinishedLine:
    game = seat.game
    key = wording.result_key(game.status, game.totals, seat.number)
    return FinishedLine(
        url=reverse("games:table", args=[game.public_id]),
        title=wording.title(game, list(game.seats.all()), seat.number),
        result=wording.result_of(game, seat.number),
        won=key == "won",
        total=wording.total_of(game, seat.number),
        ended_at=game.ended_at,
        hands=wording.hands_played(game),
        replay=reverse("games:replay", args=[game.public_id, replay]) if replay is not None else "",
    )
