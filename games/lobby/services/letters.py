"""Inviting somebody by e-mail address, and sitting down by the link in the mail.

A host who invites an address never learns whether it belongs to an account: what the table shows, and every response,
is the same. If it does, the account is invited and notified as usual; any other address gets a mail with a link for one
person.
"""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from datetime import timedelta
from typing import Final

from django.core import signing
from django.db import transaction
from django.utils import timezone

from accounts import permissions as account_permissions
from accounts.models import Player
from core.commands import command
from core.limits import take
from games.lobby.exceptions import LobbyError
from games.lobby.models import AddressInvitation, Invitation, OpenTable
from games.lobby.services import common, tables
from notices import mail

A_DAY: Final = 10
"""Addresses that one person may invite in a day, to all tables together."""
A_WEEK: Final = 3
"""Invitations that one address gets in a week, from all people together."""
_WEEK: Final = timedelta(days=7).total_seconds()
_SALT: Final = "lobby.letter"
_LONGEST: Final = 200


@command
def invite_address(table_id: int, host: Player, address: str, *, language: str, request_id: uuid.UUID) -> OpenTable:
    """Invite whoever reads mail at `address`. Inviting the same address again changes nothing.

    Raises ``table-gone``, ``not-host``, ``letters-need-account``, ``too-many-invitations``, ``too-many-letters``,
    Suspended, ``request-reused``: none of them depends on whose address it is.
    """
    table = common.enter(table_id, host, request_id, "letter", host=True)
    if not mail.address_of(host):
        raise LobbyError("letters-need-account")
    account_permissions.check_not_suspended(host)
    digest = mail.digest_of(address)
    if table.letters.filter(digest=digest).exists():
        return table
    if table.letters.count() >= tables.MOST_INVITATIONS:
        raise LobbyError("too-many-invitations")
    if not take(f"letters by {host.pk}", rate=A_DAY, per=86_400):
        raise LobbyError("too-many-letters")
    may_reach = take(f"letters to {digest}", rate=A_WEEK, per=_WEEK)
    reader = mail.reader_of(address)
    if reader is not None and may_reach:
        _ask(table, host, reader)
    sends_mail = may_reach and reader is None and not mail.is_stopped_address(digest)
    AddressInvitation.objects.create(
        table=table, by=host, address=address.strip() if sends_mail else "", digest=digest, language=language
    )
    common.log(table, "letter", actor=host, request_id=request_id)
    return common.done(table)


def _ask(table: OpenTable, host: Player, reader: Player) -> None:
    """Invite the account behind an address, unless it is at the table, invited already, or may not meet its people."""
    if table.chairs.filter(player=reader).exists() or not account_permissions.may_meet(reader, common.people_of(table)):
        return
    _invitation, created = Invitation.objects.get_or_create(table=table, player=reader, defaults={"by_address": True})
    if created:
        common.notify_people("table.invited", table, [reader], host)


def token_of(letter: AddressInvitation) -> str:
    """The token in the link of an invitation mail."""
    return signing.dumps([letter.table.public_id, letter.public_id], salt=_SALT)


@dataclass(frozen=True, slots=True)
class LinkTarget:
    """Where the link of a mail leads: the table, if it still exists, and the letter while it lets somebody sit down."""

    table: OpenTable | None
    letter: AddressInvitation | None


def find_letter(token: str) -> LinkTarget:
    """Where a link leads; nowhere if we did not sign its token."""
    try:
        table_id, letter_id = signing.loads(token, salt=_SALT) if len(token) <= _LONGEST else ("", "")
    except (signing.BadSignature, ValueError, TypeError):
        return LinkTarget(None, None)
    table = OpenTable.objects.select_related("game").filter(public_id=table_id).first()
    unused = AddressInvitation.objects.filter(public_id=letter_id, table=table, used_at__isnull=True)
    waiting = unused.filter(table__state=common.WAITING, table__expires_at__gt=timezone.now())
    return LinkTarget(table, waiting.select_related("table", "by__merged_into").first())


@transaction.atomic
def join_by_invitation(letter: AddressInvitation, player: Player, *, request_id: uuid.UUID) -> OpenTable:
    """Join the table through the link in an invitation mail. A link works once. Locks the table's row.

    Raises ``letter-over``, and whatever `tables.join` raises; then the link can still be used.
    """
    table = common.locked(letter.table_id)
    if table.chairs.filter(player=player).exists():
        return table
    common.check_waiting(table)
    if not AddressInvitation.objects.filter(pk=letter.pk, used_at__isnull=True).update(used_at=timezone.now()):
        raise LobbyError("letter-over")
    Invitation.objects.get_or_create(table=table, player=player, defaults={"by_address": True})
    return tables.join(table.pk, player, request_id=request_id)
