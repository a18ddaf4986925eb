"""Lists of tables that wait: open ones by what somebody looks for, one's own, invitations; and people to invite."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Final

from django.core.paginator import Page, Paginator
from django.db.models import Exists, Max, OuterRef, Q, QuerySet
from django.utils import timezone

from accounts import permissions as account_permissions
from accounts.models import Player
from accounts.names import key_of
from domain.pace import Kind, State
from games import projections
from games.lobby import text
from games.lobby.models import Invitation, OpenTable
from games.models import Game, Seat, WatchMode
from games.selectors import rulesets
from games.services import boards

PER_PAGE: Final = 20
MOST_OWN: Final = 50
MOST_PEOPLE: Final = 8
_RECENT_SEATS: Final = 200
_LISTED: Final = (OpenTable.Entry.EVERYONE, OpenTable.Entry.MEMBERS)


@dataclass(frozen=True, slots=True)
class Sought:
    """What somebody looks for; an empty part takes everything. `pace` is live, days or none; `free` the fewest free seats."""

    game: str = ""
    pace: str = ""
    language: str = ""
    free: int = 1


@dataclass(frozen=True, slots=True)
class Row:
    """One table in a list."""

    public_id: str
    game: str
    pace: str
    pace_name: str
    hands: int
    size: int
    free: int
    names: tuple[str, ...]  # people, the host first
    computers: int
    language: str
    note: str
    members: bool  # only for people with an account
    expires_at: datetime
    waits: str  # until when, in words
    host: bool  # the viewer's own table


def open_tables(sought: Sought, viewer: Player | None, page: str = "1") -> Page[OpenTable]:
    """A page of the tables that anybody may find, the newest first; those of people one does not meet are left out."""
    rows = _waiting().filter(entry__in=_LISTED, free__gte=max(1, sought.free))
    if viewer is not None:
        rows = rows.exclude(chairs__player=viewer)
        strangers = account_permissions.strangers_to(viewer)
        if strangers:
            away = OpenTable.objects.filter(state=OpenTable.State.WAITING, chairs__player__in=strangers)
            rows = rows.exclude(pk__in=away.values("pk"))
    if sought.game:
        rows = rows.filter(ruleset=sought.game)
    if sought.pace == "none":
        rows = rows.filter(pace={})
    elif sought.pace:
        rows = rows.filter(pace__kind=sought.pace)
    if sought.language:
        rows = rows.filter(language=sought.language)
    return Paginator(rows.order_by("-created_at", "-pk"), PER_PAGE).get_page(page)


def own_tables(viewer: Player | None) -> list[OpenTable]:
    """The tables at which the viewer waits, or which wait for their word."""
    if viewer is None:
        return []
    mine = Q(pk__in=OpenTable.objects.filter(chairs__player=viewer).values("pk")) | Q(host=viewer)
    return list(_waiting().filter(mine).order_by("expires_at")[:MOST_OWN])


def invitations_of(viewer: Player | None) -> list[OpenTable]:
    """The tables to which the viewer is invited and has not answered."""
    if viewer is None:
        return []
    asked = Invitation.objects.filter(player=viewer, state=Invitation.State.OPEN)
    return list(_waiting().filter(pk__in=asked.values("table")).order_by("expires_at")[:MOST_OWN])


@dataclass(frozen=True, slots=True)
class Seeking:
    """A game in which a substitute is asked for a seat."""

    public_id: str
    game: str
    pace: str
    pace_name: str
    names: tuple[str, ...]  # the people who play on
    missing: tuple[str, ...]  # those whose seats can be taken
    offered: tuple[tuple[int, str], ...]  # those seats: their numbers, and whose they are
    sealed: bool  # nobody may look on before they sit there: others have still to play its deals


def games_seeking(viewer: Player | None) -> list[Seeking]:
    """Games that look for a substitute, those that wait longest first; none with people one does not meet, or with deals
    one knows from another table."""
    seeking = Game.objects.filter(seeks=True, kind=Game.Kind.PLAY).exclude(watching__mode=WatchMode.CLOSED)
    games = seeking.select_related("board_set").prefetch_related("seats__player__merged_into")
    if viewer is not None:
        games = games.exclude(Exists(boards.met_by(viewer).filter(game__board_set=OuterRef("board_set"))))
        away = Seat.objects.filter(player__in={viewer.pk, *account_permissions.strangers_to(viewer)})
        games = games.exclude(pk__in=away.values("game"))
    return [seeking_of(game) for game in games.order_by("acted_at")[:PER_PAGE]]


def seeking_of(game: Game) -> Seeking:
    """What is told of a game that looks for a substitute, to whoever may take the seat: nothing of what is played there."""
    clock = projections.clock_of(game)
    assert clock is not None
    seats = list(game.seats.all())
    states = {seat.number: clock.seats[seat.number].state for seat in seats}
    return Seeking(
        public_id=game.public_id,
        game=rulesets.game_name(game.ruleset),
        pace=text.pace_words(clock.terms),
        pace_name=text.pace_name(clock.terms),
        names=tuple(seat.player.display_name for seat in seats if states[seat.number] is State.HERE),
        missing=tuple(seat.player.display_name for seat in seats if states[seat.number] is State.SOUGHT),
        offered=tuple((seat.number, seat.player.display_name) for seat in seats if states[seat.number] is State.SOUGHT),
        sealed=game.is_sealed,
    )


def rows(tables: Page[OpenTable] | list[OpenTable], viewer: Player | None) -> list[Row]:
    """Tables as their lists show them."""
    return [_row(table, viewer) for table in tables]


def _waiting() -> QuerySet[OpenTable]:
    living = OpenTable.objects.filter(state=OpenTable.State.WAITING, expires_at__gt=timezone.now())
    return living.select_related("host__merged_into").prefetch_related("chairs__player__merged_into")


def _row(table: OpenTable, viewer: Player | None) -> Row:
    terms = text.terms_of(table)
    chairs = list(table.chairs.all())
    people = [chair.player for chair in chairs if not chair.player.is_computer]
    people.sort(key=lambda player: player.pk != table.host_id)
    return Row(
        public_id=table.public_id,
        game=rulesets.game_name(table.ruleset),
        pace=text.pace_words(terms),
        pace_name=text.pace_name(terms),
        hands=int(table.options.get("hands", 0)),
        size=table.table_size,
        free=table.free,
        names=tuple(player.display_name for player in people),
        computers=len(chairs) - len(people),
        language=text.language_name(table.language),
        note=table.note,
        members=table.entry == OpenTable.Entry.MEMBERS,
        expires_at=table.expires_at,
        waits=text.until(table.expires_at),
        host=viewer is not None and viewer.pk == table.host_id,
    )


_TO_THE_HOST: Final = frozenset({"table.joined", "table.left", "table.declined", "table.filled", "table.ending"})


def waits_until(public_id: str) -> datetime | None:
    """Until when a table waits, as it stands now; None for one that is gone."""
    return OpenTable.objects.filter(public_id=public_id).values_list("expires_at", flat=True).first()


def worth_telling(event: str, public_id: str, player: Player) -> bool:
    """Whether an event at a table still concerns `player`: the invitation is open, the table still waits for its host."""
    table = OpenTable.objects.filter(public_id=public_id).first()
    if table is None:
        return True
    waiting = table.state == OpenTable.State.WAITING
    if event == "table.invited":
        return waiting and table.invitations.filter(player=player.current, state=Invitation.State.OPEN).exists()
    return event not in _TO_THE_HOST or (waiting and table.host_id == player.current.pk)


# people to invite


def people_called(name: str, viewer: Player) -> list[Player]:
    """Members whose name looks like `name` or has it in it, those first who begin with it. Nobody one does not meet."""
    key = key_of(name)
    if len(key) < 2:
        return []
    known = _members(viewer).filter(name_key__contains=key)
    return sorted(known[:200], key=lambda player: (not player.name_key.startswith(key), player.name))[:MOST_PEOPLE]


def people_played_with(viewer: Player) -> list[Player]:
    """Members with whom the viewer has played, the latest first."""
    mine = Seat.objects.filter(player=viewer).order_by("-pk").values_list("game", flat=True)[:_RECENT_SEATS]
    together = _members(viewer).filter(seats__game__in=list(mine)).annotate(latest=Max("seats__game"))
    return list(together.order_by("-latest")[:MOST_PEOPLE])


def person_to_invite(public_id: str) -> Player | None:
    """The person with this public id."""
    return Player.objects.select_related("merged_into").filter(public_id=public_id, computer="").first()


def _members(viewer: Player) -> QuerySet[Player]:
    strangers = account_permissions.strangers_to(viewer)
    people = Player.objects.filter(user__isnull=False, computer="", retired_at__isnull=True).exclude(name="")
    return people.exclude(pk__in={viewer.pk, *strangers})


def paces() -> tuple[str, ...]:
    """The kinds of pace a table can have, as `Sought.pace` names them."""
    return (str(Kind.DAYS), str(Kind.LIVE), "none")


def among_friends(game: Game) -> bool:
    """Whether one comes to this table only by a link or an invitation: somebody has asked its guests to come."""
    return OpenTable.objects.filter(game=game, entry__in=(OpenTable.Entry.LINK, OpenTable.Entry.INVITED)).exists()
