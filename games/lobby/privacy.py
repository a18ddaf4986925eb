"""Data of players at waiting tables, for `accounts`; and the name of such a table, for `notices`."""

from __future__ import annotations

from uuid import uuid4

from django.utils.translation import gettext as _

from accounts.models import Player
from core.exceptions import Refusal
from games.lobby.models import AddressInvitation, Chair, Invitation, OpenTable, TableEvent
from games.lobby.services import common, tables
from games.selectors import rulesets
from notices.registry import Subject


def merge(guest: Player, member: Player) -> None:
    """Give the member the guest's chairs, tables and invitations.

    Where both sit at a table, the guest's chair becomes free; where both are invited, the member's invitation counts.
    """
    common.lock_tables_of(guest, member)
    waiting = Chair.objects.filter(player=guest, table__state=OpenTable.State.WAITING)
    both = list(waiting.filter(table__chairs__player=member).values_list("table", flat=True))
    for table_id in both:
        common.locked(table_id)
    waiting.filter(table__in=both).delete()
    taken = Chair.objects.filter(player=member).values("table")
    Chair.objects.filter(player=guest).exclude(table__in=taken).update(player=member)
    OpenTable.objects.filter(host=guest).update(host=member)
    invited = Invitation.objects.filter(player=member).values("table")
    Invitation.objects.filter(player=guest).exclude(table__in=invited).update(player=member)
    Invitation.objects.filter(player=guest).delete()
    open_to_them = Invitation.objects.filter(player=member, state=Invitation.State.OPEN)
    open_to_them.filter(table__chairs__player=member).update(state=Invitation.State.ACCEPTED)
    for table_id in both:
        common.done(common.locked(table_id))
    AddressInvitation.objects.filter(by=guest).update(by=member)


def release(player: Player) -> bool:
    """Leave every waiting table and delete the player's invitations, notes and tables that never began.

    A table that has begun still names its host. Returns whether there is such a table.
    """
    common.lock_tables_of(player)
    OpenTable.objects.filter(host=player).exclude(note="").update(note="")
    for table_id in Chair.objects.filter(player=player, table__state=OpenTable.State.WAITING).values_list(
        "table", flat=True
    ):
        try:
            tables.leave(table_id, player, request_id=uuid4())
        except Refusal:  # its time has run out, or it has just begun
            continue
    Invitation.objects.filter(player=player).delete()
    AddressInvitation.objects.filter(by=player).delete()
    OpenTable.objects.filter(host=player, state__in=(OpenTable.State.EXPIRED, OpenTable.State.CLOSED)).delete()
    return OpenTable.objects.filter(host=player).exists()


def export(player: Player) -> dict[str, object]:
    """The tables that the player opened or waited at, with what they did there, and their invitations."""
    own = TableEvent.objects.filter(actor=player).select_related("table").order_by("at", "pk")
    return {
        "tables": list(OpenTable.objects.filter(host=player).order_by("created_at").values(*_EXPORTED)),
        "at_tables": [{"table": one.table.public_id, "what": one.text, "at": one.at} for one in own],
        "invitations": [
            {"table": one.table.public_id, "state": one.state, "at": one.at}
            for one in Invitation.objects.filter(player=player).select_related("table").order_by("at")
        ],
        "invited_by_letter": [
            {"table": one.table.public_id, "at": one.at}
            for one in AddressInvitation.objects.filter(by=player).select_related("table").order_by("at")
        ],
    }


_EXPORTED = ("public_id", "ruleset", "options", "pace", "entry", "language", "note", "state", "created_at")


def find_subject(player: Player, topic: str) -> Subject | None:
    """The name and address of a table ("a table of Troccas"); None unless `player` waits there or is invited."""
    table = OpenTable.objects.filter(public_id=topic).select_related("game").first()
    if table is None:
        return None
    mine = table.chairs.filter(player=player).exists() or table.invitations.filter(player=player).exists()
    if not mine:
        return None
    return Subject(_("a table of %(game)s") % {"game": rulesets.game_name(table.ruleset)}, common.url_of(table))
