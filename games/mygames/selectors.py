"""A player's games from their projections. The number of queries does not grow with the games, and no game's log is
read.

Finished games can be searched by person, ruleset, date and result; they remain even if players delete their accounts.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, time, timedelta
from functools import lru_cache
from typing import Any, Final
from zoneinfo import ZoneInfo

from django.core.paginator import Page, Paginator
from django.db.models import (
    Case,
    CharField,
    DateTimeField,
    Exists,
    F,
    IntegerField,
    OuterRef,
    Prefetch,
    Q,
    QuerySet,
    TextField,
    Value,
    When,
    prefetch_related_objects,
)
from django.db.models.fields.json import KeyTextTransform, KeyTransform
from django.db.models.functions import Cast
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts import availability
from accounts.models import Player
from accounts.names import key_of
from core.prepared_queries import prepared
from core.sursilvan import joined
from games import projections
from games.models import Action, Game, GameHand, Seat, sealed
from games.mygames import services, text
from games.plans.models import Scheduled
from games.selectors import rulesets

PER_PAGE: Final = 25
MOST_COUNTED: Final = 99
"""A larger number of waiting games is shown as "99+"."""
_MOST_URGENT: Final = 20
"""The greatest number of games in `most_urgent`."""

MINE, OTHERS, PRACTICE = 0, 1, 2
"""The groups of the list, in their order."""


_NAMED_BY: Final = ("name", "number", "computer", "user", "was_member", "retired_at", "merged_into", "program_since")
"""The fields that `Player.display_name` needs, so that nothing else of a hundred players is read."""


@dataclass(frozen=True, slots=True)
class GameLine:
    public_id: str
    url: str
    title: str
    group: int
    line: str  # what is asked of whom
    time: str  # until when; empty if no clock is running
    until: datetime | None  # that moment, while the player is asked
    hand: str  # which hand of how many
    total: str  # the player's score
    occasion: str = ""  # what the game belongs to, such as a tournament

    @property
    def yours(self) -> bool:
        return self.group == MINE

    @property
    def is_shared(self) -> bool:
        return self.group != PRACTICE


def open_games(player: Player, page: str | int | None = 1) -> Page[Seat]:
    """A page of the player's seats in unfinished games by urgency, each with its `group`.

    Games that wait for the player come first: those due soonest, then those without a deadline, longest waiting first.
    Then come games that wait for others, latest first, then lessons and practice. Two queries and one for each
    relation.
    """
    count = Seat.objects.filter(player=player, game__status=Game.Status.PLAYING).count()
    indexes = Paginator(range(count), PER_PAGE).get_page(page)
    seats = _first_by_urgency(player, indexes.start_index() - 1, PER_PAGE) if count else []
    return Page(seats, indexes.number, indexes.paginator)  # type: ignore[arg-type]  # as long as its list of indexes


def foremost(player: Player, most: int) -> list[GameLine]:
    """The first games of `open_games` in words, at most `most`. One query and one for each relation."""
    zone = availability.zone_of(player).key
    return [_line(seat, zone) for seat in _first_by_urgency(player, 0, most)]


def _first_by_urgency(player: Player, start: int, most: int) -> list[Seat]:
    seats = _some_by_urgency(start, most)(player.pk, _now())
    prefetch_related_objects(seats, _everybody())
    return seats


@lru_cache(16)  # hardly anybody has that many pages
def _some_by_urgency(start: int, most: int) -> Callable[[int, str], list[Seat]]:
    return prepared(lambda player, now: _by_urgency(player, now).select_related("game")[start : start + most])


def _by_urgency(player: int, now: str) -> QuerySet[Seat]:
    mine = When(group=MINE, then=F("game__deadline_at"))
    return _unfinished(player, now).order_by(  # type: ignore[misc]  # annotated by _unfinished
        "group",
        Case(mine, default=None, output_field=DateTimeField()).asc(nulls_last=True),
        Case(When(group=MINE, then=F("game__acted_at")), default=None, output_field=DateTimeField()).asc(
            nulls_last=True
        ),
        "-game__acted_at",
        "-pk",
    )


def game_lines(seats: Page[Seat], player: Player) -> list[GameLine]:
    """The page in the reader's language and the player's time zone. Only queries the occasions of the games."""
    zone = availability.zone_of(player).key
    occasions = services.occasions_of([seat.game for seat in seats])
    return [replace(_line(seat, zone), occasion=occasions.get(seat.game_id, "")) for seat in seats]


def game_line(seat: Seat, player: Player) -> GameLine:
    """One of `waiting_seats` in words."""
    return _line(seat, availability.zone_of(player).key)


def waiting(player: Player) -> int:
    """The number of games that wait for the player, counted up to `MOST_COUNTED` + 1. One query."""
    return len(_waiting_beside(player.pk, _now(), ""))


@prepared
def _waiting_beside(player: int, now: str, but: str) -> QuerySet[Seat, int]:
    return _waiting(player, now).exclude(game__public_id=but).values_list("pk", flat=True)[: MOST_COUNTED + 1]


def other_seats(player: Player, here: Game) -> QuerySet[Seat]:
    """The player's seats in unfinished games other than `here`.

    Most people have none, so `others_waiting` can be skipped.
    """
    return Seat.objects.filter(player=player, game__status=Game.Status.PLAYING).exclude(game=here)


def others_waiting(player: Player, here: str) -> int:
    """The number of games that wait for the player, without the game `here` (a public id). Counted as in `waiting`."""
    return len(_waiting_beside(player.pk, _now(), here))


def next_game(player: Player, after: Game | None = None) -> str | None:
    """The public id of the most urgent game that waits for the player, other than `after`; None if there is none."""
    public_ids = _most_urgent(player.pk, _now(), after.public_id if after is not None else "")
    return public_ids[0] if public_ids else None


@prepared
def _most_urgent(player: int, now: str, but: str) -> QuerySet[Seat, str]:
    seats = urgent(_waiting(player, now).exclude(game__public_id=but))
    return seats.values_list("game__public_id", flat=True)[:1]


def most_urgent(player: Player, but: str) -> list[Seat]:
    """The most urgent of `waiting_seats` with their tables, without the game `but` (a public id). Two queries."""
    seats = _urgent_beside(player.pk, _now(), but)
    prefetch_related_objects(seats, _everybody())
    return seats


@prepared
def _urgent_beside(player: int, now: str, but: str) -> QuerySet[Seat]:
    return urgent(_waiting(player, now).exclude(game__public_id=but)).select_related("game")[:_MOST_URGENT]


def urgent(seats: QuerySet[Seat]) -> QuerySet[Seat]:
    """Order `waiting_seats`: those due soonest first, those without a deadline last, longest waiting first."""
    return seats.order_by(F("game__deadline_at").asc(nulls_last=True), "game__acted_at", "pk")


def next_address(player: Player, after: Game) -> str | None:
    """The address of the next game that waits for a player who has acted in `after`.

    For players with `Player.next_game`. None while `after` still asks them or will soon: if a computer player is about
    to move, or the game is live.
    """
    if after.kind != Game.Kind.PLAY:
        return None
    if after.status == Game.Status.PLAYING:
        live = after.pace.get("kind") == "live" or after.clock.get("live")
        if live or after.due_at is not None or waiting_seats(player).filter(game=after).exists():
            return None
    following = next_game(player, after)
    return address_after(following, after) if following is not None else None


def address_after(game: str, before: Game | None) -> str:
    """The address of the table of `game` (a public id), with a way back to the table of `before`."""
    address = reverse("games:table", args=[game])
    return f"{address}?from={before.public_id}" if before is not None else address


@dataclass(frozen=True, slots=True)
class CameFrom:
    url: str
    title: str


def came_from(player: Player | None, public_id: str) -> CameFrom | None:
    """The way back to one of the player's own tables; None for anything else. No query without a `public_id`."""
    if player is None or not public_id:
        return None
    seat = with_tables(Seat.objects.filter(player=player, game__public_id=public_id[:20])).first()
    if seat is None:
        return None
    title = text.title(seat.game, list(seat.game.seats.all()), seat.number)
    return CameFrom(reverse("games:table", args=[seat.game.public_id]), title)


def with_tables(seats: QuerySet[Seat]) -> QuerySet[Seat]:
    """The seats with their games and all players of these games."""
    return seats.select_related("game").prefetch_related(_everybody())


def _everybody() -> Prefetch[Any]:
    fields = [f"{row}{name}" for row in ("player__", "player__merged_into__") for name in _NAMED_BY]
    everybody = Seat.objects.select_related("player__merged_into").only("game", "number", *fields).order_by("number")
    return Prefetch("game__seats", queryset=everybody)


def _now() -> str:
    """The present moment in the format in which clocks of games are stored, so that they can be compared."""
    return timezone.now().astimezone(UTC).isoformat()


def _unfinished(player: int, now: str) -> QuerySet[Seat]:
    playing = Seat.objects.filter(player=player, game__status=Game.Status.PLAYING)
    asked = F("game__waits_for").bitrightshift(F("number")).bitand(1)  # type: ignore[arg-type]  # takes expressions, too
    # A game in which an action is scheduled for the player does not wait for them. Only they may know it, so it does not
    # change `waits_for`. While a request to take back is open, nothing is carried out.
    scheduled = Scheduled.objects.filter(game=OuterRef("game"), player=OuterRef("player"))
    done_for = Exists(scheduled.filter(game__undo={}))
    proposal = KeyTransform("proposal", "game__clock")
    agreed = Cast(KeyTransform("agreed", proposal), TextField())
    until = Cast(KeyTextTransform("until", proposal), TextField())
    # A proposal waits for everybody who has not agreed. Seat numbers have one digit, so a text search finds them.
    unanswered = Q(agreed__isnull=False, proposed_until__gt=now)
    unanswered &= ~Q(agreed__contains=Cast("number", CharField()))
    ending = Cast(KeyTransform("agreed", "game__ending"), TextField())
    unanswered |= Q(ending__isnull=False) & ~Q(ending__contains=Cast("number", CharField()))
    return playing.annotate(
        asked=asked, done_for=done_for, agreed=agreed, proposed_until=until, ending=ending
    ).annotate(
        group=Case(
            When(~Q(game__kind=Game.Kind.PLAY), then=Value(PRACTICE)),
            When(asked=1, done_for=False, then=Value(MINE)),
            When(unanswered, then=Value(MINE)),
            default=Value(OTHERS),
            output_field=IntegerField(),
        )
    )


def due_seats(player: Player) -> QuerySet[Seat]:
    """Those of `waiting_seats` that must act by a deadline."""
    asked = _unfinished(player.pk, _now()).filter(group=MINE, asked=1, done_for=False)  # type: ignore[misc]  # annotated by _unfinished
    return asked.filter(game__deadline_at__isnull=False)


def waiting_seats(player: Player) -> QuerySet[Seat]:
    """The player's seats that are asked something, except in lessons and practice, or if the site will act for them."""
    return _waiting(player.pk, _now())


def _waiting(player: int, now: str) -> QuerySet[Seat]:
    return _unfinished(player, now).filter(group=MINE)  # type: ignore[misc]  # annotated by _unfinished


def is_asked_about_proposal(seat: Seat) -> bool:
    """Whether there is an open proposal in a running game that the person at `seat` has yet to answer."""
    game = seat.game
    if game.status != Game.Status.PLAYING:
        return False
    clock, end = projections.clock_of(game), projections.end_proposal_of(game)
    if end is not None and seat.number not in end.agreed:
        return True
    proposal = clock.proposal if clock is not None else None
    return (
        proposal is not None
        and proposal.until is not None
        and proposal.until > timezone.now()
        and seat.number not in proposal.agreed
    )


def _line(seat: Seat, zone: str) -> GameLine:
    game, group = seat.game, seat.group  # type: ignore[attr-defined]  # annotated by _unfinished
    table = list(game.seats.all())
    done_for = seat.done_for  # type: ignore[attr-defined]  # annotated by _unfinished
    is_asked = game.waits_for_seat(seat.number)
    own = is_asked and not done_for
    proposal = projections.undo_proposal_of(game)
    until = proposal.until if proposal is not None else game.deadline_at
    if own:
        line = text.asked_of_you(game)
    elif is_asked:
        line = _("It is your turn. Your move will be made for you.")
    else:
        line = text.asked_of_others(game, table, seat.number)
    proposed = text.proposal_of(game, table, seat.number, zone)
    return GameLine(
        public_id=game.public_id,
        url=reverse("games:table", args=[game.public_id]),
        title=text.title(game, table, seat.number),
        group=group,
        line=joined(" ", [proposed, line]) if proposed else line,
        time="" if group == MINE and not own else text.time_left(game, zone),
        until=until if own else None,
        hand=text.hand_of(game),
        total=text.total_of(game, seat.number) if game.hands_played else "",
    )


@dataclass(frozen=True, slots=True)
class FinishedSearch:
    """A search; empty fields match everything. Days are in the player's time zone, both included."""

    person: str = ""
    ruleset: str = ""
    first: date | None = None
    last: date | None = None
    result: str = ""


@dataclass(frozen=True, slots=True)
class FinishedLine:
    url: str
    title: str
    result: str
    won: bool
    total: str
    ended_at: datetime | None
    hands: str
    replay: str  # address of the first hand that can be replayed; empty if there is none


def finished_games(player: Player, search: FinishedSearch, page: str | int | None = 1) -> Page[Seat]:
    """A page of the player's seats in finished games, latest first."""
    seats = _over(player)
    if search.ruleset:
        seats = seats.filter(game__ruleset=search.ruleset)
    zone = availability.zone_of(player)
    if search.first is not None:
        seats = seats.filter(game__ended_at__gte=_midnight(search.first, zone))
    if search.last is not None:
        seats = seats.filter(game__ended_at__lt=_midnight(search.last + timedelta(days=1), zone))
    if search.person.strip():
        seats = seats.filter(_with_somebody_called(search.person.strip()))
    if search.result:
        seats = seats.filter(pk__in=_with_result(seats, search.result))
    ordered = seats.order_by("-game__ended_at", "-pk")
    return Paginator(with_tables(ordered), PER_PAGE).get_page(page)


def finished_lines(seats: Page[Seat]) -> list[FinishedLine]:
    """The page in the reader's language. One query, for the hands that can be replayed."""
    first = dict(
        GameHand.objects.filter(game__in=[seat.game_id for seat in seats], status=GameHand.Status.PLAYED)
        .exclude(sealed())
        .order_by("-number")
        .values_list("game", "number")
    )
    return [_finished_line(seat, first.get(seat.game_id)) for seat in seats]


@dataclass(frozen=True, slots=True)
class LeftLine:
    """A game in which somebody else has taken over the player's seat."""

    url: str
    title: str
    by: str  # who has it
    at: datetime
    playing: bool


def left_games(player: Player) -> list[LeftLine]:
    """The games in which a substitute took the player's seat, latest first, at most one page. A few queries."""
    selves = [player.pk, *Player.objects.filter(merged_into=player).values_list("pk", flat=True)]
    own_ids = Player.objects.filter(pk__in=selves).values_list("public_id", flat=True)
    sat = Action.objects.filter(player__in=selves, kind=Action.Kind.EVENT, text__in=("sat", "substituted"))
    games = Game.objects.filter(pk__in=sat.values("game"), kind=Game.Kind.PLAY).exclude(seats__player__in=selves)
    taken = Action.objects.filter(
        game__in=games, kind=Action.Kind.EVENT, text="substituted", data__of__in=list(own_ids)
    )
    rows = taken.select_related("game", "player__merged_into").prefetch_related("game__seats__player__merged_into")
    latest: dict[int, LeftLine] = {}
    for row in rows.order_by("-at")[:PER_PAGE]:
        title = text.title(row.game, list(row.game.seats.all()), None)
        name = row.player.display_name if row.player is not None else ""
        address = reverse("games:table", args=[row.game.public_id])
        playing = row.game.status == Game.Status.PLAYING
        latest.setdefault(row.game_id, LeftLine(address, title, name, row.at, playing))
    return list(latest.values())


def rulesets_of(player: Player) -> list[tuple[str, str]]:
    """The rulesets of the player's finished games, with their names."""
    played = _over(player).order_by().values_list("game__ruleset", flat=True).distinct()
    return sorted(((ruleset, rulesets.game_name(ruleset, ruleset)) for ruleset in played), key=lambda pair: pair[1])


def _over(player: Player) -> QuerySet[Seat]:
    over = Seat.objects.filter(player=player, game__kind=Game.Kind.PLAY)
    return over.exclude(game__status=Game.Status.PLAYING)


def _with_somebody_called(person: str) -> Exists:
    """Whether somebody else at the table has such a name or, if they have no name, such a number."""
    key = key_of(person)
    named = Q(pk__in=[])
    if key:
        # Names are compared without case and accents.
        named |= Q(player__name_key__contains=key) | Q(player__merged_into__name_key__contains=key)
        named |= Q(player__name__icontains=person)
    if person.isdecimal() and len(person) <= 4:
        named |= Q(player__name="", player__number=int(person))
    others = Seat.objects.filter(game=OuterRef("game")).exclude(pk=OuterRef("pk"))
    return Exists(others.filter(named))


def _with_result(seats: QuerySet[Seat], result: str) -> list[int]:
    """The keys of the seats whose games have this result. Totals are compared here, since the database cannot."""
    results = text.UNFINISHED if result == "unfinished" else (result,)
    rows = seats.order_by().values_list("pk", "number", "game__status", "game__totals")
    return [key for key, number, status, totals in rows if text.result_key(status, totals, number) in results]


def _midnight(day: date, zone: ZoneInfo) -> datetime:
    return datetime.combine(day, time(), zone)


def _finished_line(seat: Seat, replay: int | None) -> FinishedLine:
    game = seat.game
    key = text.result_key(game.status, game.totals, seat.number)
    return FinishedLine(
        url=reverse("games:table", args=[game.public_id]),
        title=text.title(game, list(game.seats.all()), seat.number),
        result=text.result_of(game, seat.number),
        won=key == "won",
        total=text.total_of(game, seat.number),
        ended_at=game.ended_at,
        hands=text.hands_played(game),
        replay=reverse("games:replay", args=[game.public_id, replay]) if replay is not None else "",
    )
