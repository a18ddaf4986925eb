"""Tables that wait, as one viewer may know them: one of them, the lists of them, seats that are sought in running games, and the
draw for partners. Plain data: the only input of their pages."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Annotated, Final

from django.core.paginator import Page, Paginator
from django.db.models import Exists, Max, OuterRef, Q, QuerySet
from django.urls import reverse
from django.utils import timezone

from accounts import permissions as account_permissions
from accounts.models import Player
from accounts.names import key_of
from domain.engine.ruleset import Ruleset
from domain.engine.rulesets import ruleset
from domain.pace import Kind, State, level_of
from games import hooks, projections
from games.lobby import text
from games.lobby.models import Chair, Invitation, OpenTable
from games.lobby.services import common
from games.models import Action, ChatMode, Game, Memory, Seat, WatchMode
from games.selectors import rulesets
from games.services import boards
from games.text import common as times
from people.selectors import findable_by, people_followed

MOST_LINES: Final = 40


@dataclass(frozen=True, slots=True)
class ChairSeen:
    """One place. Free if nobody has it; `kept` names for whom it is kept; `open` says whether the viewer may take it."""

    number: int
    team: str  # A or B at a table of two sides where seats are chosen, else empty
    name: str = ""
    player: Annotated[str, "public id, empty if nobody sits there"] = ""
    computer: bool = False
    own: bool = False
    host: bool = False
    kept: Annotated[str, "for whom it is kept"] = ""
    open: Annotated[bool, "whether you may take it"] = False
    removable: bool = False
    deals: bool = False
    reliable: str = ""  # how far one can rely on them to play in time, in words

    @property
    def free(self) -> bool:
        return not self.name


@dataclass(frozen=True, slots=True)
class Guest:
    name: str
    state: str


@dataclass(frozen=True, slots=True)
class TableSeen:
    """A table as its viewer sees it at event `number`. `closed_to` says why the viewer may not sit down, empty if they may:
    members, club, invited, away (sent away, or somebody there is not to be met), full."""

    public_id: str
    number: int
    state: str
    game: str  # what the game is called
    ruleset: str
    size: int
    draws: bool
    partners: bool  # there are two fixed sides
    pace: str
    pace_name: str
    pace_details: tuple[str, ...]
    days: bool
    options: tuple[tuple[str, str], ...]
    entry: str
    language: str
    note: str
    chat: str
    watchers: str
    memory: str
    host: str
    expires_at: datetime
    waits: str  # until when, in words; empty once it does not wait
    longer: str  # until when the host may let it wait instead; empty for others, and while it is too early
    chairs: tuple[ChairSeen, ...]
    free: int
    sits: bool
    is_host: bool
    invited: bool
    closed_to: str
    needs_name: bool
    host_starts: bool
    rematch: bool
    by_link: bool  # whoever has the address may sit down
    guests: tuple[Guest, ...]
    lines: tuple[str, ...]
    game_url: str

    @property
    def waiting(self) -> bool:
        """Whether one can still join or change something."""
        return self.state == OpenTable.State.WAITING

    @property
    def full(self) -> bool:
        return self.free == 0


def waiting_table_of(table: OpenTable, viewer: Player | None) -> TableSeen:
    """What `viewer` (None: a stranger) sees of the table."""
    rules = ruleset(table.ruleset, table.ruleset_version, table.table_size)
    terms = text.terms_of(table)
    chairs = list(table.chairs.select_related("player__merged_into").order_by("number"))
    invitations = list(table.invitations.select_related("player__merged_into").order_by("at"))
    expired = table.state == OpenTable.State.WAITING and table.expires_at <= timezone.now()
    state = str(OpenTable.State.EXPIRED if expired else table.state)
    own = next((chair for chair in chairs if viewer is not None and chair.player_id == viewer.pk), None)
    is_host = viewer is not None and table.host_id == viewer.pk
    mine = next((one for one in invitations if viewer is not None and one.player_id == viewer.pk), None)
    invited = mine is not None and mine.state == Invitation.State.OPEN and own is None
    closed_to = "" if own is not None else _closed_to(table, viewer, chairs, mine)
    waiting = state == OpenTable.State.WAITING
    places = _places(table, rules, chairs, invitations, viewer, own, may=waiting and not closed_to)
    if terms is not None and waiting:
        places = _with_reliability(places, chairs)
    latest = table.events.select_related("actor__merged_into", "player__merged_into").order_by("-number")[:MOST_LINES]
    lines = [text.event_line(event) for event in reversed(latest)]
    longer = common.longer(table, timezone.now()) if waiting and is_host else None
    return TableSeen(
        public_id=table.public_id,
        number=table.number,
        state=state,
        game=rulesets.game_name(table.ruleset),
        ruleset=table.ruleset,
        size=table.table_size,
        draws=table.seating == OpenTable.Seating.DRAW,
        partners=_has_sides(rules),
        pace=text.pace_words(terms),
        pace_name=text.pace_name(terms),
        pace_details=tuple(text.pace_details(terms)),
        days=terms is not None and terms.kind is Kind.DAYS,
        options=tuple(text.agreed(table.options)),
        entry=text.entry_words(table),
        language=text.language_name(table.language),
        note=table.note,
        chat=str(ChatMode(table.chat).label),
        watchers=str(WatchMode(table.watchers).label),
        memory=str(Memory(table.memory).label),
        host=table.host.display_name,
        expires_at=table.expires_at,
        waits=text.until(table.expires_at) if waiting else "",
        longer=text.until(longer) if longer is not None else "",
        chairs=places,
        free=sum(place.free for place in places),
        sits=own is not None,
        is_host=is_host,
        invited=invited,
        closed_to=closed_to,
        needs_name=viewer is None or not viewer.name,
        host_starts=table.host_starts,
        by_link=table.entry != OpenTable.Entry.INVITED,
        rematch=table.rematch_of_id is not None,
        guests=tuple(
            Guest(one.player.display_name, one.state)
            for one in invitations
            if one.state in (Invitation.State.OPEN, Invitation.State.DECLINED) and not one.by_address
        ),
        lines=tuple(line for line in lines if line),
        game_url=reverse("games:table", args=[table.game.public_id]) if table.game is not None else "",
    )


def _has_sides(rules: Ruleset) -> bool:
    return len(set(rules.sides)) == 2


def _places(
    table: OpenTable,
    rules: Ruleset,
    chairs: list[Chair],
    invitations: list[Invitation],
    viewer: Player | None,
    own: Chair | None,
    *,
    may: bool,
) -> tuple[ChairSeen, ...]:
    sitting = {chair.number: chair for chair in chairs}
    kept = {one.seat: one for one in invitations if one.state == Invitation.State.OPEN and one.seat is not None}
    chosen = table.seating == OpenTable.Seating.CHOICE
    host_sits = next((chair.number for chair in chairs if chair.player_id == table.host_id), 0)
    dealer = (table.first_dealer if table.first_dealer is not None else host_sits) if chosen else None
    places = []
    for number in range(table.table_size):
        team = "AB"[rules.sides[number]] if chosen and _has_sides(rules) else ""
        chair, invitation = sitting.get(number), kept.get(number)
        deals = number == dealer
        if chair is None:
            for_other = invitation is not None and (viewer is None or invitation.player_id != viewer.pk)
            name = invitation.player.display_name if invitation is not None and for_other else ""
            free = may and not for_other and (own is None or chosen)
            places.append(ChairSeen(number, team, kept=name, open=free, deals=deals))
            continue
        mine, is_host = chair is own, viewer is not None and table.host_id == viewer.pk
        places.append(
            ChairSeen(
                number,
                team,
                name=chair.player.display_name,
                player=chair.player.current.public_id,
                computer=chair.player.is_computer,
                own=mine,
                host=chair.player_id == table.host_id,
                removable=is_host and not mine,
                deals=deals,
            )
        )
    return tuple(places)


def _with_reliability(places: tuple[ChairSeen, ...], chairs: list[Chair]) -> tuple[ChairSeen, ...]:
    people = {chair.number: chair.player.current for chair in chairs if not chair.player.is_computer}
    figures = projections.punctuality_of(people.values())
    said = {number: str(level_of(figures[player.pk])) for number, player in people.items()}
    return tuple(replace(place, reliable=times.reliability(said.get(place.number, ""))) for place in places)


def _closed_to(table: OpenTable, viewer: Player | None, chairs: list[Chair], mine: Invitation | None) -> str:
    """Why the viewer may not sit down, as `join` would say it."""
    if viewer is not None:
        people = [chair.player for chair in chairs if not chair.player.is_computer]
        barred = mine is not None and mine.state == Invitation.State.BARRED
        if barred or not account_permissions.may_meet(viewer, people):
            return "away"
    if mine is None and table.entry == OpenTable.Entry.INVITED:
        return "invited"
    if mine is None and table.entry == OpenTable.Entry.MEMBERS and (viewer is None or not viewer.is_member):
        return "members"
    if mine is None and not common.may_find(table, viewer):
        return "club"
    taken = {chair.number for chair in chairs} | common.kept_for_others(table, viewer)
    return "full" if len(taken) >= table.table_size else ""


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
    rows = _waiting().filter(_found_by(viewer), free__gte=max(1, sought.free))
    if viewer is not None:
        rows = _without_strangers(rows.exclude(chairs__player=viewer), viewer)
    if sought.game:
        rows = rows.filter(ruleset=sought.game)
    if sought.pace:
        rows = rows.filter(pace_kind="" if sought.pace == "none" else sought.pace)
    if sought.language:
        rows = rows.filter(language=sought.language)
    return Paginator(rows.order_by("-created_at", "-pk"), PER_PAGE).get_page(page)


def _found_by(viewer: Player | None) -> Q:
    """The tables that are listed for the viewer."""
    found = Q(entry__in=_LISTED)
    if viewer is not None and viewer.is_member:
        for clubs in hooks.clubs:
            found |= Q(entry=OpenTable.Entry.CLUB, club__in=[club.slug for club in clubs.of(viewer)])
    return found


def tables_of_club(slug: str, viewer: Player | None) -> list[OpenTable]:
    """The tables that wait for members of a club, the newest first; none for who may not sit down there."""
    rows = _waiting().filter(_found_by(viewer), entry=OpenTable.Entry.CLUB, club=slug, free__gte=1)
    return list(_without_strangers(rows, viewer).order_by("-created_at", "-pk")[:PER_PAGE])


def _without_strangers(rows: QuerySet[OpenTable], viewer: Player | None) -> QuerySet[OpenTable]:
    """Without the tables of people whom the viewer does not meet."""
    strangers = account_permissions.strangers_to(viewer) if viewer is not None else frozenset()
    if not strangers:
        return rows
    away = OpenTable.objects.filter(state=OpenTable.State.WAITING, chairs__player__in=strangers)
    return rows.exclude(pk__in=away.values("pk"))


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
    listed = list(tables)
    clubs = text.club_names(listed)
    return [_row(table, viewer, clubs) for table in listed]


def row_of(public_id: str) -> Row | None:
    """A table as lists show it; None for one that no longer waits."""
    table = _waiting().filter(public_id=public_id).first()
    return rows([table], None)[0] if table is not None else None


def _waiting() -> QuerySet[OpenTable]:
    living = OpenTable.objects.filter(state=OpenTable.State.WAITING, expires_at__gt=timezone.now())
    return living.select_related("host__merged_into").prefetch_related("chairs__player__merged_into")


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


# people to invite


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


def among_friends(game: Game) -> bool:
    """Whether one comes to this table only by a link or an invitation: somebody has asked its guests to come."""
    return OpenTable.objects.filter(game=game, entry__in=(OpenTable.Entry.LINK, OpenTable.Entry.INVITED)).exists()


@dataclass(frozen=True, slots=True)
class Drawn:
    """One person at the draw: the cards they turned up, the last of them the trump that decided."""

    name: str
    own: bool
    cards: tuple[str, ...]
    seat: int
    team: str  # A or B
    deals: bool
    page: str  # public id of their page; empty where there is none


@dataclass(frozen=True, slots=True)
class DrawSeen:
    """The draw: the card in the middle, and the people in the order in which they came."""

    middle: str
    people: tuple[Drawn, ...]


def draw_of(game: Game, viewer: Player | None) -> DrawSeen | None:
    """The draw of a game; None where none was made (yet)."""
    if not game.draws_partners:
        return None
    events = game.actions.filter(kind=Action.Kind.EVENT, text__in=("sat", "drawn"))
    rows = list(events.select_related("player__merged_into"))
    drawn = next((row for row in rows if row.text == "drawn"), None)
    if drawn is None:
        return None
    rules = ruleset(game.ruleset, game.ruleset_version, game.table_size)
    came = {row.seat: row.player for row in rows if row.text == "sat"}
    dealer = game.hands.get(number=1).dealer
    people = []
    for seat, person in sorted(enumerate(drawn.data["seats"]), key=lambda pair: pair[1]):
        player, cards = came[person], tuple(code for whose, code in drawn.data["drawn"] if whose == person)
        name, page = (player.display_name, player.page) if player is not None else ("", "")
        own = player is not None and viewer is not None and player.current.pk == viewer.current.pk
        people.append(Drawn(name, own, cards, seat, "AB"[rules.sides[seat]], seat == dealer, page))
    return DrawSeen(str(drawn.data["middle"]), tuple(people))
