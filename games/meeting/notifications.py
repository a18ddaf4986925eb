"""The words of notices about wishes, appointments and new tables."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from functools import partial
from typing import Final

from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from accounts import permissions as account_permissions
from accounts.models import Player
from games.lobby.models import Invitation, OpenTable
from games.lobby.notifications import facts_of
from games.lobby.services import common as lobby
from games.meeting import selectors
from games.meeting.models import Appointment, Reply, StandingWish
from games.meeting.services import alerts, appointments, wishes
from games.selectors import rulesets
from games.text import common
from games.text.figures import variant_name
from notices.registry import Kind, Lookup, Params, Subject, Words

_PLANNED: Final = Appointment.State.PLANNED


kinds: Final = dict.fromkeys(
    (
        wishes.ENDING,
        appointments.PROPOSED,
        appointments.REMINDER,
        appointments.CANCELLED,
        appointments.OPENED,
        appointments.FEW,
        alerts.TABLE,
    ),
    Kind.MEETING,
)
"""The parameters of the events: `wish`, `appointment` or `table`, a public id; `until`, an ISO moment."""


def still_true(event: str, params: Params, player: Player) -> bool:
    """Whether the notice still concerns the player.

    A wish must be open and not renewed since, an appointment must still take place and concern them (or be
    cancelled, if that is the notice), and at a table they must be able to sit down.
    """
    if event == wishes.ENDING:
        wish = _wish(params, player)
        return wish is not None and wish.state == StandingWish.State.OPEN and _ends_then(wish, params)
    if event == alerts.TABLE:
        return _free_table(params, player) is not None
    standing = _appointment(params, player)
    return standing is not None and _concerns(event, standing)


def words(event: str, params: Params, player: Player, language: str) -> Words | None:
    if event == wishes.ENDING:
        wish = _wish(params, player)
        return _ending(wish, player) if wish is not None else None
    if event == alerts.TABLE:
        return _table_words(params)
    standing = _appointment(params, player)
    return _appointment_words(event, standing, player) if standing is not None else None


def _ends_then(wish: StandingWish, params: Params) -> bool:
    return wish.expires_at == common.moment_told(params.get("until")) and wish.expires_at > timezone.now()


def _ending(wish: StandingWish, player: Player) -> Words:
    return Words(
        subject=_("Your wish ends soon"),
        line=_(
            "Not enough people have been found for your table yet, and the search ends on %(when)s. You can extend it."
        )
        % {"when": common.moment_in_letter(wish.expires_at, player)},
        url=wishes.url_of(wish),
        tag=f"wish-{wish.public_id}",
        until=wish.expires_at,
    )


def _concerns(event: str, standing: selectors.AppointmentState) -> bool:
    row = standing.row
    to_come = row.state == _PLANNED and row.starts_at > timezone.now()
    if event == appointments.PROPOSED:
        return to_come and standing.own == Reply.Answer.ASKED
    if event == appointments.REMINDER:
        return to_come and standing.own == Reply.Answer.YES
    if event == appointments.CANCELLED:
        return row.state == Appointment.State.CANCELLED
    return row.state == Appointment.State.OPEN and standing.waits


def _appointment_words(event: str, standing: selectors.AppointmentState, player: Player) -> Words:
    row = standing.row
    fields = {
        "game": variant_name((row.ruleset, row.table_size)),
        "when": common.moment_in_letter(row.starts_at, player),
        "reason": row.reason,
        "name": row.proposer.display_name if row.proposer is not None else _("Somebody"),
    }
    url, until = reverse("meeting:appointment", args=[row.public_id]), row.starts_at
    if event == appointments.PROPOSED:
        subject = _("Enough people: %(game)s")
        line = _("As many as are needed want to play %(game)s on %(when)s. Say whether you are coming.")
    elif event == appointments.REMINDER:
        subject = _("Soon: %(game)s")
        line = _("You said that you are coming: %(game)s, %(when)s. The table opens ten minutes before.")
    elif event == appointments.CANCELLED:
        subject = _("Cancelled: %(game)s")
        line = _("%(name)s has cancelled the appointment of %(when)s.")
        if row.reason:
            line = _("%(name)s has cancelled the appointment of %(when)s: %(reason)s")
    elif event == appointments.OPENED:
        subject = _("The table is open: %(game)s")
        line = _("Your table is open, and the others are told. Take your seat.")
        url = lobby.url_of(row.table) if row.table is not None else url
    else:
        subject = _("Somebody is missing: %(game)s")
        line = ngettext(
            "%(there)d person of %(size)d is at the table. Begin with computer players, or wait a while.",
            "%(there)d people of %(size)d are at the table. Begin with computer players, or wait a while.",
            standing.sits,
        )
        line %= {"there": standing.sits, "size": row.table_size}
        url = lobby.url_of(row.table) if row.table is not None else url
        return Words(subject % fields, line, url, f"appointment-{row.public_id}", until)
    return Words(subject % fields, line % fields, url, f"appointment-{row.public_id}", until)


def _table_words(params: Params) -> Words:
    game = rulesets.game_name(str(params.get("ruleset") or ""), _("a game"))
    return Words(
        subject=_("A new table: %(game)s") % {"game": game},
        line=_("A table such as you asked for waits for players."),
        url=reverse("lobby:table", args=[str(params.get("table") or "")]),
        tag=f"table-{params.get('table') or ''}",
        more=partial(facts_of, str(params.get("table") or "")),
    )


def _free_table(params: Params, player: Player) -> OpenTable | None:
    """The table of an alert if `player` could sit down there now and is not there yet; otherwise None."""
    table = _table(params, player)
    if table is None or table.expires_at <= timezone.now() or not lobby.is_listed(table):
        return None
    chairs = list(table.chairs.all())
    people = [chair.player for chair in chairs if not chair.player.is_computer]
    invitations = list(table.invitations.all())
    kept_seats = {one.seat for one in invitations if one.state == Invitation.State.OPEN and one.seat is not None}
    me = player.current
    if len(chairs) + len(kept_seats - {chair.number for chair in chairs}) >= table.table_size:
        return None
    if any(person.pk == me.pk for person in people) or any(one.player_id == me.pk for one in invitations):
        return None
    if not lobby.may_find(table, me) or not account_permissions.may_meet(me, people):
        return None
    return table if alerts.asks(me, table) else None


def _waiting_tables(public_ids: Collection[str | int], _player: Player) -> Mapping[str | int, OpenTable]:
    rows = OpenTable.objects.filter(public_id__in=public_ids, state=OpenTable.State.WAITING)
    return {row.public_id: row for row in rows.prefetch_related("chairs__player__merged_into", "invitations")}


def find_subject(player: Player, topic: str) -> Subject | None:
    """The appointment or wish with this public id, if `player` proposed it or takes part in it; otherwise None."""
    standing = selectors.appointment_states([topic], player).get(topic)
    if standing is not None and (standing.own or standing.row.proposer_id == player.pk):
        game = variant_name((standing.row.ruleset, standing.row.table_size))
        return Subject(_("the appointment for %(game)s") % {"game": game}, reverse("meeting:appointment", args=[topic]))
    wish = selectors.open_wish_rows([topic], player).get(topic)
    return Subject(_("your wish for a table"), wishes.url_of(wish)) if wish is not None else None


_wish: Final = Lookup("wish", selectors.open_wish_rows)
_appointment: Final = Lookup("appointment", selectors.appointment_states)
_table: Final = Lookup("table", _waiting_tables)
