"""Appointments: proposing one, saying yes or no, cancelling, and opening the table when its hour has come."""

from __future__ import annotations

import logging
import uuid
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from django.db import transaction
from django.utils import timezone

from accounts import permissions as account_permissions
from accounts.models import Player
from core.exceptions import Refusal
from games.lobby.models import OpenTable
from games.lobby.services import tables
from games.lobby.services.tables import Wish
from games.meeting.exceptions import MeetingError
from games.meeting.models import Appointment, Reply
from games.meeting.services import common
from notices import outbox
from notices.models import Outbox

logger = logging.getLogger(__name__)

MOST: Final = 5
"""Appointments of one proposer that are still to come."""
OPENS_BEFORE: Final = timedelta(minutes=10)
REMINDED_BEFORE: Final = timedelta(hours=1)
COUNTED_AFTER: Final = timedelta(minutes=5)
"""The host is told that somebody is missing this long after the appointed time."""
KEPT: Final = timedelta(days=30)
AT_ONCE: Final = 20
PLANNED: Final = Appointment.State.PLANNED

PROPOSED: Final = "meeting.proposed"
REMINDER: Final = "meeting.reminder"
CANCELLED: Final = "meeting.cancelled"
OPENED: Final = "meeting.opened"
FEW: Final = "meeting.few"


@dataclass(frozen=True, slots=True)
class Plan:
    """A proposed live game: how many players (`size`), how many hands, and one of the offered paces."""

    game: str
    size: int
    hands: int
    pace: str
    starts_at: datetime
    language: str = ""
    note: str = ""


def propose(player: Player, plan: Plan, *, request_id: uuid.UUID) -> Appointment:
    """Make an appointment, to which its proposer comes. A repeated request returns the first one.

    Raises ``account-needed``, ``name-needed``, ``too-many-appointments``, Suspended. Locks the player's row.
    """
    common.check_person(player)
    with transaction.atomic():
        Player.objects.select_for_update(no_key=True).get(pk=player.pk)
        before = Appointment.objects.filter(proposer=player, request_id=request_id).first()
        if before is not None:
            return before
        if Appointment.objects.filter(proposer=player, state=PLANNED).count() >= MOST:
            raise MeetingError("too-many-appointments")
        table = common.wish_for_table(plan.game, plan.size, plan.pace, plan.language, plan.hands)
        appointment = _create(table, plan.pace, plan.starts_at, note=plan.note, proposer=player, request_id=request_id)
        _set_reply(appointment, player, Reply.Answer.YES)
        return appointment


def ask(people: Sequence[Player], table: Wish, pace: str, at: datetime) -> Appointment:
    """Make an appointment that fits the wishes of all these people, and ask them to come. Needs a transaction."""
    appointment = _create(table, pace, at)
    for player in people:
        Reply.objects.create(appointment=appointment, player=player, answer=Reply.Answer.ASKED)
    _tell(PROPOSED, appointment, people, expires_at=at)
    return appointment


def _create(table: Wish, pace: str, at: datetime, **more: object) -> Appointment:
    return Appointment.objects.create(
        ruleset=table.rules.id,
        ruleset_version=table.rules.version,
        table_size=table.rules.seats,
        hands=int(str(table.options["hands"])),
        pace=pace,
        language=table.language,
        starts_at=at,
        **more,
    )


def answer(player: Player, public_id: str, *, comes: bool) -> Appointment:
    """Say yes or no. An answer may be changed any number of times; the same answer again changes nothing.

    Raises ``account-needed``, ``name-needed``, Suspended, ``appointment-over``, ``may-not-meet``, ``proposer-comes``.
    """
    if comes:
        common.check_person(player)
    with transaction.atomic():
        appointment = _locked(public_id)
        if appointment.proposer_id == player.pk and not comes:
            raise MeetingError("proposer-comes")
        if comes and not account_permissions.may_meet(player, company_of(appointment)):
            raise MeetingError("may-not-meet")
        reply = Reply.Answer.YES if comes else Reply.Answer.NO
        before = appointment.replies.filter(player=player).first()
        if (before is not None and before.answer == reply) or (before is None and not comes):
            return appointment
        _set_reply(appointment, player, reply)
        _save_change(appointment)
        return appointment


def cancel(player: Player, public_id: str, reason: str) -> Appointment:
    """Cancel an appointment as its proposer. Everybody who said yes or was asked is told why.

    Raises ``appointment-over``, ``not-proposer``.
    """
    with transaction.atomic():
        appointment = _locked(public_id)
        if appointment.proposer_id != player.pk:
            raise MeetingError("not-proposer")
        _call_off(appointment, reason, but=player)
        return appointment


def leave(player: Player) -> None:
    """Cancel the appointments proposed by a player who leaves for good, and delete their replies.

    Needs a transaction.
    """
    for appointment in Appointment.objects.select_for_update().filter(proposer=player, state=PLANNED).order_by("pk"):
        _call_off(appointment, "", but=player)
    Reply.objects.filter(player=player).delete()


def _call_off(appointment: Appointment, reason: str, *, but: Player) -> None:
    appointment.state, appointment.reason = Appointment.State.CANCELLED, reason
    _save_change(appointment)
    _tell(CANCELLED, appointment, [player for player in company_of(appointment) if player.pk != but.pk])


def _locked(public_id: str) -> Appointment:
    """The appointment, with its row locked. Raises ``appointment-over``."""
    row = Appointment.objects.select_for_update().filter(public_id=public_id, state=PLANNED).first()
    if row is None or row.starts_at <= timezone.now():
        raise MeetingError("appointment-over")
    return row


def _save_change(appointment: Appointment) -> None:
    appointment.number += 1
    appointment.changed_at = timezone.now()
    appointment.save()


def _set_reply(appointment: Appointment, player: Player, reply: Reply.Answer) -> None:
    Reply.objects.update_or_create(
        appointment=appointment, player=player, defaults={"answer": reply, "at": timezone.now()}
    )
    due_at = appointment.starts_at - REMINDED_BEFORE
    waiting = Outbox.objects.filter(event=REMINDER, player=player, topic=appointment.public_id, done_at=None)
    if reply == Reply.Answer.YES and due_at > timezone.now() and not waiting.exists():
        _tell(REMINDER, appointment, [player], due_at=due_at, expires_at=appointment.starts_at)


def company_of(appointment: Appointment) -> list[Player]:
    """The proposer, and everybody who comes or is asked: the people whom anybody who joins will meet."""
    replies = appointment.replies.exclude(answer=Reply.Answer.NO).select_related("player__merged_into")
    people = {reply.player_id: reply.player for reply in replies}
    if appointment.proposer is not None:
        people.setdefault(appointment.proposer.pk, appointment.proposer)
    return list(people.values())


def _tell(
    event: str,
    appointment: Appointment,
    people: Iterable[Player],
    *,
    due_at: datetime | None = None,
    expires_at: datetime | None = None,
) -> None:
    params = {"appointment": appointment.public_id}
    for player in people:
        outbox.put(event, player, params, due_at=due_at, expires_at=expires_at, topic=appointment.public_id)


# opening the table


def do_due(moment: datetime) -> int:
    """Open the tables of appointments that are due. Returns how many. One query if there is none."""
    due = Appointment.objects.filter(state=PLANNED, starts_at__lte=moment + OPENS_BEFORE).order_by("starts_at")
    opened = 0
    for key in list(due.values_list("pk", flat=True)[:AT_ONCE]):
        try:
            opened += open_table(key, moment)
        except Exception:  # a broken one does not block others, and is tried again until its time is well past
            logger.exception("could not open the table of appointment %s", key)
            late = Appointment.objects.filter(pk=key, state=PLANNED, starts_at__lt=moment - COUNTED_AFTER)
            late.update(state=Appointment.State.FAILED)
    return opened


def open_table(key: int, moment: datetime) -> bool:
    """Open the table of an appointment. Returns whether it was time.

    The host is the proposer, or whoever said yes first. A seat is kept for each of the others who said yes, in that
    order. If nobody comes, no table is opened.
    """
    with transaction.atomic():
        appointment = Appointment.objects.select_for_update().get(pk=key)
        if appointment.state != PLANNED or appointment.starts_at - OPENS_BEFORE > moment:
            return False
        yes = appointment.replies.filter(answer=Reply.Answer.YES).select_related("player__merged_into")
        coming = sorted((reply.player for reply in yes), key=lambda player: player.pk != appointment.proposer_id)
        table = _open_for(appointment, coming)
        appointment.table = table
        appointment.state = Appointment.State.OPEN if table is not None else Appointment.State.FAILED
        _save_change(appointment)
        if table is not None:
            _tell(OPENED, appointment, [table.host], expires_at=table.expires_at)
            due_at = max(moment, appointment.starts_at + COUNTED_AFTER)
            _tell(FEW, appointment, [table.host], due_at=due_at, expires_at=table.expires_at)
        return True


def _open_for(appointment: Appointment, coming: list[Player]) -> OpenTable | None:
    """A new table, opened by the first of these people who can, with the others invited; None if nobody can."""
    wish = common.wish_for_table(
        appointment.ruleset, appointment.table_size, appointment.pace, appointment.language, appointment.hands
    )
    for host in coming:
        try:
            with transaction.atomic():
                table = tables.open_table(
                    host, wish, request_id=uuid.uuid5(uuid.NAMESPACE_OID, f"lay:{appointment.pk}")
                )
        except Refusal:  # suspended since, or at too many tables
            continue
        for player in coming:
            if player.pk != host.pk:
                _invite(appointment, table, host, player)
        return OpenTable.objects.get(pk=table.pk)
    return None


def _invite(appointment: Appointment, table: OpenTable, host: Player, player: Player) -> None:
    request_id = uuid.uuid5(uuid.NAMESPACE_OID, f"invite:{appointment.pk}:{player.pk}")
    try:
        with transaction.atomic():
            tables.invite(table.pk, host, player, request_id=request_id, keeping=True)
    except Refusal:  # gone, blocked since, or no seat is left
        logger.info("no seat was kept for player %s at table %s", player.pk, table.public_id)


def forget(moment: datetime) -> int:
    """Delete appointments that began more than `KEPT` ago. Returns how many."""
    over = Appointment.objects.filter(starts_at__lt=moment - KEPT)
    return over.delete()[1].get("meeting.Appointment", 0)
