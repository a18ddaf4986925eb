"""Lists of tables that wait and of games that seek a substitute, for one viewer; how a table stands, for notices; and
whom one may ask to a table, and to which."""

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
class Sought:
    """What somebody looks for; an empty part takes everything. `pace` is live, days or none; `free` the fewest free seats."""

    game: str = ""
    pace: str = ""
    language: str = ""
    free: int = 1


@dataclass(frozen=True, slots=True)
class Row:
    public_id: str
    game: Annotated[str, "what the game is called in your language"]
    pace: str
    pace_name: str
    hands: int
    size: int
    free: int
    names: Annotated[tuple[str, ...], "people who sit there, the host first"]
    computers: int
    language: str
    note: str
    members: Annotated[bool, "only for people with an account"]
    club: Annotated[str, "the club to whose members it is open; empty for all others"]
    expires_at: datetime
    waits: str  # until when, in words
    host: Annotated[bool, "whether it is your table"]


def open_tables(sought: Sought, viewer: Player | None, page: str = "1") -> Page[OpenTable]:
    """A page of the tables that anybody may find, the newest first; those of people one does not meet are left out."""
    return _page(sought, viewer, page, _clubs_of(viewer), _strangers_to(viewer))


def _page(
    sought: Sought, viewer: Player | None, page: str, clubs: Collection[str], strangers: Collection[int]
) -> Page[OpenTable]:
    rows = _without(strangers, _waiting().filter(_found_in(clubs), free__gte=max(1, sought.free)))
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
    """The first of `open_tables`, and how many there are in all (at most `_COUNTED`)."""
    clubs, strangers = _clubs_of(viewer), _strangers_to(viewer)
    if clubs or strangers:
        page = _page(Sought(), viewer, "1", clubs, strangers)
        return list(page.object_list[:most]), page.paginator.count
    found = _newest(viewer.pk if viewer is not None else 0, timezone.now())
    first = _with_people(OpenTable.objects.filter(pk__in=found[:most])).order_by("-created_at", "-pk")
    return list(first) if found else [], len(found)


@prepared
def _newest(but: int, moment: datetime) -> QuerySet[OpenTable, int]:
    rows = _waiting(moment).filter(entry__in=_LISTED, free__gte=1).exclude(chairs__player=but)
    return rows.order_by("-created_at", "-pk").values_list("pk", flat=True)[:_COUNTED]


def _found_in(clubs: Collection[str]) -> Q:
    """The tables that are listed for somebody of these clubs."""
    found = Q(entry__in=_LISTED)
    return found | Q(entry=OpenTable.Entry.CLUB, club__in=clubs) if clubs else found


def _clubs_of(viewer: Player | None) -> list[str]:
    if viewer is None or not viewer.is_member:
        return []
    return [club.slug for clubs in hooks.clubs for club in clubs.of(viewer)]


def _strangers_to(viewer: Player | None) -> frozenset[int]:
    return account_permissions.strangers_to(viewer) if viewer is not None else frozenset()


def tables_of_club(slug: str, viewer: Player | None) -> list[OpenTable]:
    """The tables that wait for members of a club, the newest first; none for who may not sit down there."""
    if slug not in _clubs_of(viewer):
        return []
    rows = _waiting().filter(entry=OpenTable.Entry.CLUB, club=slug, free__gte=1)
    return list(_without(_strangers_to(viewer), rows).order_by("-created_at", "-pk")[:PER_PAGE])


def _without(strangers: Collection[int], rows: QuerySet[OpenTable]) -> QuerySet[OpenTable]:
    """Without the tables of these people."""
    if not strangers:
        return rows
    away = OpenTable.objects.filter(state=OpenTable.State.WAITING, chairs__player__in=strangers)
    return rows.exclude(pk__in=away.values("pk"))


def own_tables(viewer: Player | None) -> list[OpenTable]:
    """The tables at which the viewer waits, or which wait for their word."""
    if viewer is None:
        return []
    return _joined_by_people(_own(viewer.pk, timezone.now()))


@prepared
def _own(viewer: int, moment: datetime) -> QuerySet[OpenTable]:
    mine = Q(pk__in=OpenTable.objects.filter(chairs__player=viewer).values("pk")) | Q(host=viewer)
    return _waiting(moment).filter(mine).order_by("expires_at")[:MOST_OWN]


def invitations_of(viewer: Player | None) -> list[OpenTable]:
    """The tables to which the viewer is invited and has not answered."""
    if viewer is None:
        return []
    return _joined_by_people(_inviting(viewer.pk, timezone.now()))


@prepared
def _inviting(viewer: int, moment: datetime) -> QuerySet[OpenTable]:
    asked = Invitation.objects.filter(player=viewer, state=Invitation.State.OPEN)
    return _waiting(moment).filter(pk__in=asked.values("table")).order_by("expires_at")[:MOST_OWN]


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
    """A game that looks for a substitute, as those see it who may take the seat: nothing of its play."""
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
    listed = list(tables)
    clubs = text.club_names(listed)
    return [_row(table, viewer, clubs) for table in listed]


def row_of(public_id: str, *, begun: bool = False) -> Row | None:
    """A table as lists show it; None for one that no longer waits, or, if that is wanted, has not `begun`."""
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
        waits=text.until(table.expires_at),
        host=viewer is not None and viewer.pk == table.host_id,
    )


_TO_THE_HOST: Final = frozenset({"table.joined", "table.left", "table.declined", "table.filled", "table.ending"})


@dataclass(frozen=True, slots=True)
class StandingTable:
    """A table as it stands now, for notices about it to one person; `invited`: their invitation is open."""

    waiting: bool
    waits_until: datetime | None
    host: int
    invited: bool

    def concerns(self, event: str, player: Player) -> bool:
        """Whether an event still concerns `player`: the invitation is open, the table still waits for its host."""
        if event == "table.invited":
            return self.waiting and self.invited
        return event not in _TO_THE_HOST or (self.waiting and self.host == player.current.pk)


def tables_as_they_stand(public_ids: Collection[str | int], player: Player) -> dict[str | int, StandingTable]:
    """The tables that are not gone, by their public ids: one query."""
    open_to_them = Invitation.objects.filter(table=OuterRef("pk"), player=player.current, state=Invitation.State.OPEN)
    rows = OpenTable.objects.filter(public_id__in=public_ids).annotate(invited=Exists(open_to_them))
    return {
        row.public_id: StandingTable(row.state == OpenTable.State.WAITING, row.expires_at, row.host_id, row.invited)
        for row in rows
    }


MOST_PEOPLE: Final = 8
_RECENT_SEATS: Final = 200


def people_called(name: str, viewer: Player) -> list[Player]:
    """Members whose name looks like `name`; of those who agreed to be found, and those one follows or is followed by, also who has
    it in their name, first who begins with it. Nobody one does not meet."""
    key = key_of(name)
    if len(key) < 2:
        return []
    open_to = Q(name_key=key) | Q(pk__in=findable_by(viewer))
    known = _members(viewer).filter(open_to, name_key__contains=key)
    return sorted(known[:200], key=lambda player: (not player.name_key.startswith(key), player.name))[:MOST_PEOPLE]


def people_to_ask(table: OpenTable, viewer: Player) -> list[Player]:
    """Whom the host follows and has not asked to this table by name, nor sits there; by name."""
    there = table.chairs.values_list("player", flat=True)
    asked = table.invitations.filter(state=Invitation.State.OPEN, by_address=False).values_list("player", flat=True)
    return list(people_followed(viewer).exclude(pk__in={*there, *asked}))


def tables_to_ask_to(viewer: Player, person: Player) -> list[OpenTable]:
    """The tables of which the viewer is the host, with a free seat, and at which the person does not sit."""
    mine = _waiting().filter(host=viewer, free__gte=1).exclude(chairs__player=person)
    return list(mine.order_by("expires_at")[:MOST_OWN])


def people_played_with(viewer: Player) -> list[Player]:
    """Members with whom the viewer has played, the latest first."""
    mine = Seat.objects.filter(player=viewer).order_by("-pk").values_list("game", flat=True)[:_RECENT_SEATS]
    together = _members(viewer).filter(seats__game__in=list(mine)).annotate(latest=Max("seats__game"))
    return list(together.order_by("-latest")[:MOST_PEOPLE])


def person_to_invite(public_id: str) -> Player | None:
    return Player.objects.select_related("merged_into").filter(public_id=public_id, computer="").first()


def _members(viewer: Player) -> QuerySet[Player]:
    strangers = account_permissions.strangers_to(viewer)
    people = Player.objects.filter(user__isnull=False, computer="", retired_at__isnull=True).exclude(name="")
    return people.exclude(pk__in={viewer.pk, *strangers})
