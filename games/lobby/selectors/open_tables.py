"""Lists of waiting tables and of games that seek a substitute, for one viewer; the state of a table, for notices; and
the people and tables for an invitation."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Final

from django.core.paginator import Page, Paginator
from django.db.models import Exists, Max, OuterRef, Q, QuerySet, prefetch_related_objects
from django.utils import timezone

from accounts import permissions as account_permissions
from accounts.models import Player
from accounts.names import key_of
from core.prepared_queries import prepared
from domain.pace import State
from games import hooks, projections
from games.lobby import text
from games.lobby.models import Invitation, OpenTable
from games.models import Game, Seat, WatchMode
from games.selectors import rulesets
from games.services import boards
from people.selectors import findable_by, people_followed

PER_PAGE: Final = 20
MOST_OWN: Final = 50
_COUNTED: Final = 1000
_PEOPLE: Final = "chairs__player__merged_into"
_LISTED: Final = (OpenTable.Entry.EVERYONE, OpenTable.Entry.MEMBERS)


@dataclass(frozen=True, slots=True)
class TableSearch:
    """A search; empty fields match everything. `pace` is live, days or none; `free` is the fewest free seats."""

    game: str = ""
    pace: str = ""
    language: str = ""
    free: int = 1


@dataclass(frozen=True, slots=True)
class Row:
    public_id: Annotated[str, "names the table in addresses"]
    game: Annotated[str, "what the game is called in your language"]
    pace: str
    pace_name: str
    hands: Annotated[int, "how many hands are played"]
    size: Annotated[int, "how many play"]
    free: Annotated[int, "how many seats are free"]
    names: Annotated[tuple[str, ...], "people who sit there, the host first"]
    computers: Annotated[int, "how many computer players sit there"]
    language: Annotated[str, "in which people talk there; empty: any"]
    note: Annotated[str, "what the host says about it"]
    members: Annotated[bool, "only for people with an account"]
    club: Annotated[str, "the club to whose members it is open; empty for all others"]
    expires_at: Annotated[datetime, "until when it waits"]
    waits: str  # until when, in words
    host: Annotated[bool, "whether it is your table"]


def open_tables(sought: TableSearch, viewer: Player | None, page: str = "1") -> Page[OpenTable]:
    """A page of the tables listed for the viewer, newest first; tables of people they may not meet are left out."""
    return _page(sought, viewer, page, _clubs_of(viewer), account_permissions.strangers_to(viewer))


def _page(
    sought: TableSearch, viewer: Player | None, page: str, clubs: Collection[str], strangers: Collection[int]
) -> Page[OpenTable]:
    rows = _without(strangers, _waiting().filter(_listed_for(clubs), free__gte=max(1, sought.free)))
    if viewer is not None:
        rows = rows.exclude(chairs__player=viewer)
    if sought.game:
        rows = rows.filter(ruleset=sought.game)
    if sought.pace:
        rows = rows.filter(pace_kind="" if sought.pace == "none" else sought.pace)
    if sought.language:
        rows = rows.filter(language=sought.language)
    return Paginator(rows.order_by("-created_at", "-pk"), PER_PAGE).get_page(page)


def newest_tables(viewer: Player | None, most: int) -> tuple[list[OpenTable], int]:
    """The first `most` of `open_tables`, and how many there are in all (counted up to `_COUNTED`)."""
    clubs, strangers = _clubs_of(viewer), account_permissions.strangers_to(viewer)
    if clubs or strangers:
        page = _page(TableSearch(), viewer, "1", clubs, strangers)
        return list(page.object_list[:most]), page.paginator.count
    keys = _newest(viewer.pk if viewer is not None else 0, timezone.now())
    first = _with_people(OpenTable.objects.filter(pk__in=keys[:most])).order_by("-created_at", "-pk")
    return list(first) if keys else [], len(keys)


@prepared
def _newest(but: int, moment: datetime) -> QuerySet[OpenTable, int]:
    rows = _waiting(moment).filter(entry__in=_LISTED, free__gte=1).exclude(chairs__player=but)
    return rows.order_by("-created_at", "-pk").values_list("pk", flat=True)[:_COUNTED]


def _listed_for(clubs: Collection[str]) -> Q:
    """The tables that are listed for a member of these clubs."""
    listed = Q(entry__in=_LISTED)
    return listed | Q(entry=OpenTable.Entry.CLUB, club__in=clubs) if clubs else listed


def _clubs_of(viewer: Player | None) -> list[str]:
    if viewer is None or not viewer.is_member:
        return []
    return [club.slug for clubs in hooks.clubs for club in clubs.of(viewer)]


def tables_of_club(slug: str, viewer: Player | None) -> list[OpenTable]:
    """The tables that wait for members of a club, newest first; none for a viewer who is not a member."""
    if slug not in _clubs_of(viewer):
        return []
    rows = _waiting().filter(entry=OpenTable.Entry.CLUB, club=slug, free__gte=1)
    return list(_without(account_permissions.strangers_to(viewer), rows).order_by("-created_at", "-pk")[:PER_PAGE])


def _without(strangers: Collection[int], rows: QuerySet[OpenTable]) -> QuerySet[OpenTable]:
    """The rows without the tables at which these people sit."""
    if not strangers:
        return rows
    away = OpenTable.objects.filter(state=OpenTable.State.WAITING, chairs__player__in=strangers)
    return rows.exclude(pk__in=away.values("pk"))


def own_tables(viewer: Player | None) -> list[OpenTable]:
    """The waiting tables at which the viewer sits or which they host."""
    if viewer is None:
        return []
    return _joined_by_people(_own(viewer.pk, timezone.now()))


@prepared
def _own(viewer: int, moment: datetime) -> QuerySet[OpenTable]:
    mine = Q(pk__in=OpenTable.objects.filter(chairs__player=viewer).values("pk")) | Q(host=viewer)
    return _waiting(moment).filter(mine).order_by("expires_at")[:MOST_OWN]


def invitations_of(viewer: Player | None) -> list[OpenTable]:
    """The waiting tables to which the viewer has an open invitation."""
    if viewer is None:
        return []
    return _joined_by_people(_inviting(viewer.pk, timezone.now()))


@prepared
def _inviting(viewer: int, moment: datetime) -> QuerySet[OpenTable]:
    asked = Invitation.objects.filter(player=viewer, state=Invitation.State.OPEN)
    return _waiting(moment).filter(pk__in=asked.values("table")).order_by("expires_at")[:MOST_OWN]


@dataclass(frozen=True, slots=True)
class Seeking:
    """A game that seeks a substitute."""

    public_id: str
    game: str
    pace: str
    pace_name: str
    names: tuple[str, ...]  # the people who play on
    missing: tuple[str, ...]  # those whose seats can be taken
    offered: tuple[tuple[int, str], ...]  # those seats: number and player
    sealed: bool  # nobody may watch before they sit down, because others have yet to play its deals


def games_seeking(viewer: Player | None) -> list[Seeking]:
    """Games that seek a substitute, those that have waited longest first.

    Games with people whom the viewer may not meet are left out, and games whose deals they know from another table.
    """
    seeking = Game.objects.filter(seeks=True, kind=Game.Kind.PLAY).exclude(watching__mode=WatchMode.CLOSED)
    games = seeking.select_related("board_set").prefetch_related("seats__player__merged_into")
    if viewer is not None:
        games = games.exclude(Exists(boards.met_by(viewer).filter(game__board_set=OuterRef("board_set"))))
        away = Seat.objects.filter(player__in={viewer.pk, *account_permissions.strangers_to(viewer)})
        games = games.exclude(pk__in=away.values("game"))
    return [seeking_of(game) for game in games.order_by("acted_at")[:PER_PAGE]]


def seeking_of(game: Game) -> Seeking:
    """A game that seeks a substitute, as shown to people who may take the seat: nothing about its play."""
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
    """The tables as rows of a list."""
    shown = list(tables)
    clubs = text.club_names(shown)
    return [_row(table, viewer, clubs) for table in shown]


def row_of(public_id: str, *, begun: bool = False) -> Row | None:
    """A waiting table as a row of a list, or with `begun` one whose game has begun; None if it is in another state."""
    tables = _with_people(OpenTable.objects.filter(state=OpenTable.State.STARTED)) if begun else _waiting()
    table = tables.filter(public_id=public_id).first()
    return rows([table], None)[0] if table is not None else None


def _waiting(moment: datetime | None = None) -> QuerySet[OpenTable]:
    rows = OpenTable.objects.filter(state=OpenTable.State.WAITING, expires_at__gt=moment or timezone.now())
    return _with_people(rows)


def _with_people(tables: QuerySet[OpenTable]) -> QuerySet[OpenTable]:
    return tables.select_related("host__merged_into").prefetch_related(_PEOPLE)


def _joined_by_people(tables: list[OpenTable]) -> list[OpenTable]:
    prefetch_related_objects(tables, _PEOPLE)
    return tables


def _row(table: OpenTable, viewer: Player | None, clubs: Mapping[str, str]) -> Row:
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
        club=clubs.get(table.club, ""),
        expires_at=table.expires_at,
        waits=text.until(table.expires_at, viewer),
        host=viewer is not None and viewer.pk == table.host_id,
    )


_TO_THE_HOST: Final = frozenset(
    {"table.joined", "table.left", "table.inherited", "table.declined", "table.filled", "table.ending"}
)


@dataclass(frozen=True, slots=True)
class TableState:
    """The present state of a table, for notices to one person; `invited` if they have an open invitation."""

    waiting: bool
    waits_until: datetime | None
    host: int
    invited: bool

    def concerns(self, event: str, player: Player) -> bool:
        """Whether an event still concerns `player`: an invitation while open, news for the host while it waits."""
        if event == "table.invited":
            return self.waiting and self.invited
        return event not in _TO_THE_HOST or (self.waiting and self.host == player.current.pk)


def table_states(public_ids: Collection[str | int], player: Player) -> dict[str | int, TableState]:
    """The present state of the tables that still exist, by public id. One query."""
    open_to_them = Invitation.objects.filter(table=OuterRef("pk"), player=player.current, state=Invitation.State.OPEN)
    rows = OpenTable.objects.filter(public_id__in=public_ids).annotate(invited=Exists(open_to_them))
    return {
        row.public_id: TableState(row.state == OpenTable.State.WAITING, row.expires_at, row.host_id, row.invited)
        for row in rows
    }


MOST_PEOPLE: Final = 8
_RECENT_SEATS: Final = 200


def people_called(name: str, viewer: Player) -> list[Player]:
    """Members whose name looks like `name`; a part of their name is enough if the viewer may find them by it.

    Names that begin with it come first. People whom the viewer may not meet are left out.
    """
    key = key_of(name)
    if len(key) < 2:
        return []
    open_to = Q(name_key=key) | Q(pk__in=findable_by(viewer))
    matches = _members(viewer).filter(open_to, name_key__contains=key)
    return sorted(matches[:200], key=lambda player: (not player.name_key.startswith(key), player.name))[:MOST_PEOPLE]


def people_to_ask(table: OpenTable, viewer: Player) -> list[Player]:
    """People whom the host follows and who are neither at this table nor invited to it by name, in order of names."""
    return list(people_followed(viewer).exclude(pk__in=_asked_to(table)))


def _asked_to(table: OpenTable) -> set[int]:
    """The primary keys of the people who are at this table or invited to it by name."""
    there = table.chairs.values_list("player", flat=True)
    invited = table.invitations.filter(state=Invitation.State.OPEN, by_address=False).values_list("player", flat=True)
    return {*there, *invited}


def tables_to_ask_to(viewer: Player, person: Player) -> list[OpenTable]:
    """The waiting tables that the viewer hosts, with a free seat and without the person."""
    mine = _waiting().filter(host=viewer, free__gte=1).exclude(chairs__player=person)
    return list(mine.order_by("expires_at")[:MOST_OWN])


def people_played_with(table: OpenTable, viewer: Player) -> list[Player]:
    """Members with whom the host has played and who are neither at this table nor invited to it by name, most recent
    first."""
    mine = Seat.objects.filter(player=viewer).order_by("-pk").values_list("game", flat=True)[:_RECENT_SEATS]
    others = _members(viewer).exclude(pk__in=_asked_to(table))
    together = others.filter(seats__game__in=list(mine)).annotate(latest=Max("seats__game"))
    return list(together.order_by("-latest")[:MOST_PEOPLE])


def person_to_invite(public_id: str) -> Player | None:
    return Player.objects.select_related("merged_into").filter(public_id=public_id, computer="").first()


def _members(viewer: Player) -> QuerySet[Player]:
    strangers = account_permissions.strangers_to(viewer)
    people = Player.objects.filter(user__isnull=False, computer="", retired_at__isnull=True).exclude(name="")
    return people.exclude(pk__in={viewer.pk, *strangers})
