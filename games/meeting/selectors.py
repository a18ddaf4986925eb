"""Wishes, appointments and alerts as one viewer may see them. Of the wishes of others, only their number is shown."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from django.db.models import QuerySet, prefetch_related_objects
from django.utils import timezone

from accounts import permissions as account_permissions
from accounts.models import Player
from core.prepared_queries import prepared
from games.lobby.models import OpenTable
from games.lobby.selectors import open_tables
from games.lobby.text import language_name
from games.meeting import text
from games.meeting.matching import Blocks, Candidate, most_with
from games.meeting.models import Alert, Appointment, Reply, StandingWish
from games.meeting.services import appointments, wishes
from games.text.common import moment_for

MOST_APPOINTMENTS: Final = 50
_COMPANY: Final = "replies__player__merged_into"
SHOWN_AFTER: Final = timedelta(hours=2)
"""How long after its time an appointment is still listed."""


@dataclass(frozen=True, slots=True)
class WishSeen:
    """A wish of the viewer. `missing` says for each game how many people are still needed, in words."""

    public_id: str
    state: str
    games: str
    details: tuple[str, ...]
    missing: tuple[str, ...]
    expires_at: datetime
    ends: str
    game: str  # public id of the game that came of it
    appointment: str


@dataclass(frozen=True, slots=True)
class Crowd:
    """How many people are waiting for a game, and how many it needs."""

    game: str
    count: int
    size: int
    words: str


def wishes_of(viewer: Player) -> list[WishSeen]:
    """The viewer's open wishes, and those that were fulfilled or expired in the last seven days. Six queries."""
    moment = timezone.now()
    recent = StandingWish.objects.filter(player=viewer).exclude(state=StandingWish.State.WITHDRAWN)
    rows = list(recent.select_related("game", "appointment").order_by("-created_at")[:20])
    shown = [
        row for row in rows if _is_open(row, moment) or (row.ended_at and row.ended_at > moment - timedelta(days=7))
    ]
    candidates = _candidates(moment) if any(_is_open(row, moment) for row in shown) else {}
    blocks = wishes.blocks_among({viewer.pk, *(each.player for each in candidates.values())})
    return [_wish(row, candidates, blocks, moment) for row in shown]


def wish_seen(wish: StandingWish, viewer: Player) -> WishSeen:
    """One wish of the viewer, as in `wishes_of`."""
    moment = timezone.now()
    candidates = _candidates(moment)
    blocks = wishes.blocks_among({viewer.pk, *(each.player for each in candidates.values())})
    return _wish(wish, candidates, blocks, moment)


def _is_open(row: StandingWish, moment: datetime) -> bool:
    return row.state == StandingWish.State.OPEN and row.expires_at > moment


@prepared
def _open_wishes(moment: datetime) -> QuerySet[StandingWish]:
    return wishes.open_wishes(moment)


def _candidates(moment: datetime) -> dict[int, Candidate]:
    return {candidate.key: candidate for candidate in wishes.candidates(_open_wishes(moment), moment)}


def _wish(row: StandingWish, candidates: dict[int, Candidate], blocks: Blocks, moment: datetime) -> WishSeen:
    own = candidates.get(row.pk)
    missing: dict[str, int] = {}
    if own is not None:
        others = [each for each in candidates.values() if each.key != row.pk]
        for offer in own.offers:
            name = text.seats_of(offer.ruleset, offer.size)
            needed = offer.size - most_with(own, others, offer, blocks)
            missing[name] = min(needed, missing.get(name, needed))
    return WishSeen(
        public_id=row.public_id,
        state=row.state if row.state != StandingWish.State.OPEN or _is_open(row, moment) else "expired",
        games=text.games_of(row),
        details=tuple(text.details_of(row)),
        missing=tuple(
            text.missing_words(name, max(1, needed)) for name, needed in sorted(missing.items(), key=_fewest)
        ),
        expires_at=row.expires_at,
        ends=text.day_of(row.expires_at),
        game=row.game.public_id if row.game is not None else "",
        appointment=row.appointment.public_id if row.appointment is not None else "",
    )


def _fewest(line: tuple[str, int]) -> tuple[int, str]:
    return line[1], line[0]


def tables_wished(viewer: Player) -> list[open_tables.Row]:
    """The waiting tables of days that fulfil a wish of the viewer, newest first."""
    own = list(wishes.open_wishes(timezone.now()).filter(player=viewer))
    tables = open_tables.open_tables(open_tables.TableSearch(pace=Alert.Pace.DAYS), viewer) if own else []
    return open_tables.rows([table for table in tables if any(wishes.fits_table(wish, table) for wish in own)], viewer)


def crowds(viewer: Player | None) -> list[Crowd]:
    """How many other people wish for each game, without people whom the viewer may not meet. Three queries."""
    away = account_permissions.strangers_to(viewer)
    waiting: dict[tuple[str, int], set[int]] = {}
    for wish in _open_wishes(timezone.now()):
        if wish.player_id in away or (viewer is not None and wish.player_id == viewer.pk):
            continue
        for variant in wishes.variants_of(wish):
            waiting.setdefault(variant, set()).add(wish.player_id)
    fewest_missing_first = sorted(waiting.items(), key=lambda line: (line[0][1] - len(line[1]), line[0]))
    return [
        Crowd(
            text.seats_of(*variant), len(people), variant[1], text.waiting_words(text.seats_of(*variant), len(people))
        )
        for variant, people in fewest_missing_first
    ]


# appointments


@dataclass(frozen=True, slots=True)
class AppointmentSeen:
    """An appointment as its viewer sees it; `own` is their answer, empty if they have not been asked or answered."""

    public_id: str
    state: str
    game: str
    size: int
    hands: int
    pace: str
    language: str
    note: str
    reason: str
    starts_at: datetime
    when: str
    proposer: str
    names: tuple[str, ...]  # people who said yes: the proposer, then in the order of their answers
    asked: int  # how many were asked and have not answered
    own: str
    is_proposer: bool
    late: bool  # the viewer said yes when all seats were taken
    table: str  # public id of its table
    there: int  # how many players sit at the table
    waits: bool  # whether the table still waits

    @property
    def coming(self) -> int:
        return len(self.names)

    @property
    def missing(self) -> int:
        return max(0, self.size - self.coming)

    @property
    def planned(self) -> bool:
        return self.state == Appointment.State.PLANNED


def coming_appointments(viewer: Player | None, most: int = MOST_APPOINTMENTS) -> list[AppointmentSeen]:
    """The appointments to come, earliest first, without those of people whom the viewer may not meet. Four queries."""
    since = timezone.now() - SHOWN_AFTER
    away = account_permissions.strangers_to(viewer)
    if not away:
        rows = _coming(since)[:most]
        prefetch_related_objects(rows, _COMPANY)
        return [seen_by(row, viewer) for row in rows]
    comes = Reply.objects.filter(player__in=away).exclude(answer=Reply.Answer.NO)
    allowed = _all_coming(since).exclude(proposer__in=away).exclude(pk__in=comes.values("appointment"))
    return [seen_by(row, viewer) for row in allowed[:most]]


@prepared
def _coming(since: datetime) -> QuerySet[Appointment]:
    return _all_coming(since)[:MOST_APPOINTMENTS]


def _all_coming(since: datetime) -> QuerySet[Appointment]:
    return _rows().filter(state__in=(Appointment.State.PLANNED, Appointment.State.OPEN), starts_at__gt=since)


def appointment_of(public_id: str, viewer: Player | None) -> AppointmentSeen | None:
    """An appointment, even if it is over; None if missing.

    Also None if the viewer may not meet its people, unless they proposed it or have a reply to it.
    """
    row = _rows().filter(public_id=public_id).first()
    if row is None:
        return None
    mine = viewer is not None and (
        row.proposer_id == viewer.pk or any(r.player_id == viewer.pk for r in row.replies.all())
    )
    if viewer is not None and not mine and not account_permissions.may_meet(viewer, appointments.company_of(row)):
        return None
    return seen_by(row, viewer)


def _rows() -> QuerySet[Appointment]:
    return Appointment.objects.select_related("proposer__merged_into", "table").prefetch_related(_COMPANY)


def seen_by(row: Appointment, viewer: Player | None) -> AppointmentSeen:
    replies = list(row.replies.all())
    own = next((reply.answer for reply in replies if viewer is not None and reply.player_id == viewer.pk), "")
    yes = [reply for reply in replies if reply.answer == Reply.Answer.YES]
    yes.sort(key=lambda reply: (reply.player_id != row.proposer_id, reply.at))
    coming = [reply.player_id for reply in yes]
    table = row.table
    return AppointmentSeen(
        public_id=row.public_id,
        state=row.state,
        game=text.game_of(row.ruleset, row.table_size),
        size=row.table_size,
        hands=row.hands,
        pace=text.pace_name(row.pace),
        language=language_name(row.language),
        note=row.note,
        reason=row.reason,
        starts_at=row.starts_at,
        when=moment_for(row.starts_at, viewer),
        proposer=row.proposer.display_name if row.proposer is not None else "",
        names=tuple(reply.player.display_name for reply in yes),
        asked=sum(reply.answer == Reply.Answer.ASKED for reply in replies),
        own=own,
        is_proposer=viewer is not None and row.proposer_id == viewer.pk,
        late=viewer is not None and viewer.pk in coming[row.table_size :],
        table=table.public_id if table is not None else "",
        there=table.table_size - table.free if table is not None else 0,
        waits=table is not None and table.state == OpenTable.State.WAITING and table.expires_at > timezone.now(),
    )


def agreed_by(player: Player, since: datetime) -> list[Appointment]:
    """The appointments to which the player comes, earliest first, for calendars. One query."""
    yes = Reply.objects.filter(player=player, answer=Reply.Answer.YES)
    rows = Appointment.objects.filter(pk__in=yes.values("appointment"), starts_at__gt=since)
    return list(rows.exclude(state=Appointment.State.FAILED).order_by("starts_at")[:MOST_APPOINTMENTS])


def alerts_of(viewer: Player) -> list[tuple[int, str]]:
    """The key of each alert, and the kind of table that it asks for."""
    return [(alert.pk, text.alert_words(alert)) for alert in Alert.objects.filter(player=viewer)]


# for notices


def open_wish_rows(public_ids: Collection[str | int], player: Player) -> dict[str | int, StandingWish]:
    return {row.public_id: row for row in StandingWish.objects.filter(public_id__in=public_ids, player=player.current)}


@dataclass(frozen=True, slots=True)
class AppointmentState:
    """An appointment with the reader's answer and the state of its table, for notices."""

    row: Appointment
    own: str
    sits: int
    waits: bool


def appointment_states(public_ids: Collection[str | int], player: Player) -> dict[str | int, AppointmentState]:
    """Two queries."""
    rows = Appointment.objects.filter(public_id__in=public_ids).select_related("table", "proposer__merged_into")
    own = dict(Reply.objects.filter(player=player.current, appointment__in=rows).values_list("appointment", "answer"))
    moment = timezone.now()
    return {
        row.public_id: AppointmentState(
            row,
            own.get(row.pk, ""),
            row.table.table_size - row.table.free if row.table is not None else 0,
            row.table is not None and row.table.state == OpenTable.State.WAITING and row.table.expires_at > moment,
        )
        for row in rows
    }


# the short block of other pages


@dataclass(frozen=True, slots=True)
class Glance:
    """What the viewer can join: open tables, how many people have wishes, and the next appointment."""

    tables: Sequence[open_tables.Row]
    more_tables: int
    waiting: int
    next: AppointmentSeen | None


def glance(viewer: Player | None) -> Glance:
    """Without people whom the viewer may not meet. Fewer than fifteen queries."""
    first, count = open_tables.newest_tables(viewer, 2)
    left_out = {viewer.pk, *account_permissions.strangers_to(viewer)} if viewer is not None else set()
    people = {wish.player_id for wish in _open_wishes(timezone.now())} - left_out
    coming = coming_appointments(viewer, 1)
    return Glance(open_tables.rows(first, viewer), count - len(first), len(people), coming[0] if coming else None)
