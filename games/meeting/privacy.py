"""Wishes, appointments and alerts of a player, for `accounts`."""

from __future__ import annotations

from accounts.models import Player
from games.meeting.models import Alert, Appointment, Reply, StandingWish
from games.meeting.services import appointments


def merge(guest: Player, member: Player) -> None:
    """Give the member the guest's rows, should there be any: guests normally have none."""
    StandingWish.objects.filter(player=guest).update(player=member)
    Appointment.objects.filter(proposer=guest).update(proposer=member)
    Alert.objects.filter(player=guest).update(player=member)
    answered = Reply.objects.filter(player=member).values("appointment")
    Reply.objects.filter(player=guest).exclude(appointment__in=answered).update(player=member)


def release(player: Player) -> bool:
    """Delete wishes, replies and alerts.

    Cancel the appointments that the player proposed and delete their texts.
    """
    StandingWish.objects.filter(player=player).delete()
    Alert.objects.filter(player=player).delete()
    appointments.leave(player)
    Appointment.objects.filter(proposer=player).update(proposer=None, note="", reason="")
    return False


def export(player: Player) -> dict[str, object]:
    replies = Reply.objects.filter(player=player).select_related("appointment").order_by("at")
    return {
        "standing_wishes": list(StandingWish.objects.filter(player=player).values(*_WISH)),
        "appointments_proposed": list(Appointment.objects.filter(proposer=player).values(*_APPOINTMENT)),
        "appointments_answered": [
            {
                "appointment": reply.appointment.public_id,
                "starts_at": reply.appointment.starts_at,
                "answer": reply.answer,
                "at": reply.at,
            }
            for reply in replies
        ],
        "alerts": list(Alert.objects.filter(player=player).values("games", "pace", "language", "created_at")),
    }


_WISH = (
    "public_id", "games", "sizes", "paces", "weekdays", "hour", "languages", "state", "created_at", "expires_at",
    "ended_at",
)  # fmt: skip
_APPOINTMENT = (
    "public_id", "ruleset", "table_size", "hands", "pace", "language", "note", "starts_at", "state", "reason",
    "created_at",
)  # fmt: skip
