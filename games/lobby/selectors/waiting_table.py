"""A waiting table as one viewer sees it: who sits where, who is invited, why the viewer may not sit down; and the draw
for partners with which its game began."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime
from typing import Annotated, Final

from django.urls import reverse
from django.utils import timezone

from accounts import permissions as account_permissions
from accounts.models import Player
from domain.engine.ruleset import Ruleset
from domain.engine.rulesets import ruleset
from domain.pace import Kind, level_of
from games import projections
from games.lobby import text
from games.lobby.models import Chair, Invitation, OpenTable
from games.lobby.services import common
from games.models import Action, ChatMode, Game, Level, Memory, WatchMode
from games.selectors import rulesets
from games.text import common as times

MOST_LINES: Final = 40


@dataclass(frozen=True, slots=True)
class ChairSeen:
    """One seat, free if nobody has it. `kept` names the person it is kept for; `open`: the viewer may take it."""

    number: Annotated[int, "seats count in the order of play, from 0"]
    team: Annotated[str, "A or B at a table of two sides where seats are chosen, else empty"]
    name: Annotated[str, "who sits there, or empty"] = ""
    player: Annotated[str, "public id, empty if nobody sits there"] = ""
    computer: Annotated[bool, "a computer player sits there"] = False
    own: Annotated[bool, "it is yours"] = False
    host: Annotated[bool, "the host sits there"] = False
    kept: Annotated[str, "for whom it is kept"] = ""
    open: Annotated[bool, "whether you may take it"] = False
    removable: bool = False
    deals: Annotated[bool, "they deal first"] = False
    reliable: str = ""  # how far one can rely on them to play in time, in words

    @property
    def free(self) -> bool:
        return not self.name


@dataclass(frozen=True, slots=True)
class Guest:
    name: Annotated[str, "who it is"]
    state: Annotated[str, "what became of the invitation"]


@dataclass(frozen=True, slots=True)
class TableSeen:
    """A table as its viewer sees it at event `number`.

    `closed_to` says why the viewer may not sit down, and is empty if they may: members, club, invited, away (they were
    sent away, or may not meet somebody there), full.
    """

    public_id: str
    number: int
    state: str
    game: str  # the name of the game
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
    level: str
    host: str
    expires_at: datetime
    waits: str  # until when, in words; empty once it no longer waits
    longer: str  # until when it waits if the host extends it; empty for others, and while it is too early
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
    """The table as `viewer` sees it (None: somebody without an account or guest session)."""
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
        level=str(Level(table.level).label),
        host=table.host.display_name,
        expires_at=table.expires_at,
        waits=text.until(table.expires_at, viewer) if waiting else "",
        longer=text.until(longer, viewer) if longer is not None else "",
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
    kept_seats = {one.seat: one for one in invitations if one.state == Invitation.State.OPEN and one.seat is not None}
    chosen = table.seating == OpenTable.Seating.CHOICE
    host_sits = next((chair.number for chair in chairs if chair.player_id == table.host_id), 0)
    dealer = None
    if chosen:
        dealer = table.first_dealer if table.first_dealer is not None else host_sits
    places = []
    for number in range(table.table_size):
        team = "AB"[rules.sides[number]] if chosen and _has_sides(rules) else ""
        chair, invitation = sitting.get(number), kept_seats.get(number)
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
    levels = {number: str(level_of(figures[player.pk])) for number, player in people.items()}
    return tuple(replace(place, reliable=times.reliability(levels.get(place.number, ""))) for place in places)


def _closed_to(table: OpenTable, viewer: Player | None, chairs: list[Chair], mine: Invitation | None) -> str:
    """Why the viewer may not sit down, for the same reasons as in `join`; empty if they may."""
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


def among_friends(game: Game) -> bool:
    """Whether people come to this table only by a link or an invitation, so that somebody asked them to come."""
    return OpenTable.objects.filter(game=game, entry__in=(OpenTable.Entry.LINK, OpenTable.Entry.INVITED)).exists()


@dataclass(frozen=True, slots=True)
class Drawn:
    """One person at the draw: the cards they turned up, of which the last is the trump that decided."""

    name: str
    own: bool
    cards: tuple[str, ...]
    seat: int
    team: str  # A or B
    deals: bool
    page: str  # public id of their page; empty if they have none


@dataclass(frozen=True, slots=True)
class DrawSeen:
    """The draw: the card in the middle, and the people in the order in which they sat down at the table."""

    middle: str
    people: tuple[Drawn, ...]


def rematch_host(game: Game, player: Player | None) -> str:
    """The name of whoever has invited `player` to play a game that is over once more, and waits; empty if nobody does. One
    query."""
    if player is None:
        return ""
    waiting = OpenTable.objects.filter(
        rematch_of=game,
        state=OpenTable.State.WAITING,
        expires_at__gt=timezone.now(),
        invitations__player=player,
        invitations__state=Invitation.State.OPEN,
    )
    table = waiting.select_related("host__merged_into").first()
    return table.host.display_name if table is not None else ""


def draw_of(game: Game, viewer: Player | None) -> DrawSeen | None:
    """The draw of a game; None if there was none (yet)."""
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
