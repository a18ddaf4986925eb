"""Tasks of the worker for waiting tables: end those whose time is over, delete old ones, send invitations by mail."""

from __future__ import annotations

import logging
from datetime import datetime, timedelta
from typing import Final

from django.conf import settings
from django.core.mail import EmailMultiAlternatives, get_connection
from django.db.models import F
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.translation import gettext as _

from core.http import own_host
from core.models import first_rows
from games.lobby.models import AddressInvitation, OpenTable
from games.lobby.notifications import facts_of
from games.lobby.services import letters, tables
from notices import leases, mail
from notices.leases import LEASE, WAITS, Never, Undelivered

logger = logging.getLogger(__name__)

AT_ONCE: Final = 50
KEPT: Final = timedelta(days=30)


def do_due(moment: datetime) -> int:
    """End the tables whose time is over. Returns how many.

    A broken one blocks no others and is tried again in an hour.
    """
    waiting = OpenTable.objects.filter(state=OpenTable.State.WAITING, expires_at__lte=moment).order_by("expires_at")
    ended = 0
    for table in first_rows(waiting, AT_ONCE):
        try:
            ended += tables.expire(table.pk, moment)
        except Exception:
            logger.exception("could not end table %s", table.public_id)
            OpenTable.objects.filter(pk=table.pk).update(expires_at=moment + timedelta(hours=1))
    return ended


def catch_up(table: OpenTable) -> OpenTable:
    """The table, ended first if its time is over, so that nobody sees it waiting any longer."""
    if table.state != OpenTable.State.WAITING or table.expires_at > timezone.now():
        return table
    tables.expire(table.pk)
    return OpenTable.objects.select_related("game", "host__merged_into").get(pk=table.pk)


def forget(moment: datetime) -> int:
    """Delete tables that ended without a game more than `KEPT` ago. Returns how many."""
    over = (OpenTable.State.EXPIRED, OpenTable.State.CLOSED)
    _total, deleted = OpenTable.objects.filter(state__in=over, ended_at__lt=moment - KEPT).delete()
    return deleted.get("games.OpenTable", 0)


# mails to addresses without an account


def send_letters(now: datetime | None = None, limit: int = AT_ONCE) -> int:
    """Send the invitations that are due, in the thread that sends all mail. Returns how many were sent.

    An address is deleted as soon as its mail is sent, given up, or no longer wanted.
    """
    moment = now or timezone.now()
    free = leases.free(moment)
    due = AddressInvitation.objects.filter(free, due_at__lte=moment).exclude(address="").order_by("due_at", "pk")
    keys = list(due.values_list("pk", flat=True)[: min(limit, AT_ONCE)])
    if not keys:
        return 0
    sent = 0
    connection = get_connection(fail_silently=False)
    try:
        for key in keys:
            # The lease is taken by a conditional update: only one of several workers changes the row.
            row = AddressInvitation.objects.filter(free, pk=key)
            if not row.update(lease_until=moment + LEASE, attempts=F("attempts") + 1):
                continue
            letter = AddressInvitation.objects.select_related("table", "by__merged_into").filter(pk=key).first()
            if letter is None or letter.address == "":
                continue
            waits = letter.table.state == OpenTable.State.WAITING and letter.table.expires_at > moment
            if not waits or mail.is_stopped_address(letter.digest):
                _forget_address(letter)
                continue
            try:
                mail.send(letter_to(letter), connection)
            except Undelivered as error:
                if isinstance(error, Never) or letter.attempts > len(WAITS):
                    _forget_address(letter)
                else:
                    again = moment + WAITS[letter.attempts - 1]
                    AddressInvitation.objects.filter(pk=key).update(due_at=again, lease_until=None)
            else:
                _forget_address(letter)
                sent += 1
    finally:
        connection.close()
    return sent


def _forget_address(letter: AddressInvitation) -> None:
    AddressInvitation.objects.filter(pk=letter.pk).update(address="", lease_until=None)


def letter_to(letter: AddressInvitation) -> EmailMultiAlternatives:
    """The invitation as a mail, in the language that was chosen for it."""
    with translation.override(letter.language):
        stop = mail.stop_link(letter.address)
        context = {
            "name": letter.by.display_name,
            "facts": facts_of(letter.table.public_id),
            "link": settings.SITE_URL + reverse("lobby:letter", args=[letters.token_of(letter)]),
            "stop": stop,
            "site": own_host(),
        }
        message = EmailMultiAlternatives(
            _("%(name)s invites you to a game of cards") % {"name": letter.by.display_name},
            render_to_string("games/lobby/mail/invitation.txt", context).strip() + "\n",
            to=[letter.address],
            headers={
                "Message-ID": mail.message_id(f"letter-{letter.public_id}"),
                "List-Unsubscribe": f"<{stop}>",
                "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
                "Auto-Submitted": "auto-generated",
            },
        )
        message.attach_alternative(render_to_string("games/lobby/mail/invitation.html", context), "text/html")
    return message
