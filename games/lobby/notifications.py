"""The words of notices about tables that have not begun. Nobody has cards there."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from functools import partial
from typing import Final

from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from accounts.models import Player
from core.sursilvan import in_a_row
from games.lobby.selectors import open_tables
from games.selectors import rulesets
from games.text import common
from notices.registry import Kind, Lookup, Params, Words, doer

_WORDINGS: Final[Mapping[str, tuple[Promise, Promise]]] = {
    "table.invited": (_("An invitation: %(game)s"), _("%(name)s invites you to a table.")),
    "table.joined": (_("Somebody came: %(game)s"), _("%(name)s has sat down at your table.")),
    "table.filled": (_("The table is full: %(game)s"), _("Everybody is there; it can begin.")),
    "table.started": (_("It begins: %(game)s"), _("The game you were waiting for has begun.")),
    "table.ending": (
        _("Not long now: %(game)s"),
        _("Not everybody is there yet. You can let your table wait longer, or begin with computer players."),
    ),
    "table.expired": (
        _("Not enough players: %(game)s"),
        _("They did not come in time. Nothing is lost; you can open another table."),
    ),
    "table.closed": (_("The table was closed: %(game)s"), _("%(name)s is no longer waiting for players.")),
    "table.removed": (_("Without you: %(game)s"), _("%(name)s has given your seat at the table to others.")),
    "table.declined": (_("Somebody cannot come: %(game)s"), _("%(name)s cannot come to your table.")),
    "table.inherited": (
        _("The table is yours now: %(game)s"),
        _("%(name)s is no longer waiting; you are the host now, and can begin the game or close the table."),
    ),
    "table.left": (_("Somebody left: %(game)s"), _("%(name)s is no longer waiting at your table.")),
}
"""The subject and the line of each event.

The parameters of the events: `table`, a public id; `url`, its page; `ruleset`; if somebody caused it, `by`, their public
id, or `who`, their name; `until`, an ISO moment, if the event says how long the table waits.
"""
kinds: Final = dict.fromkeys(_WORDINGS, Kind.TABLE)


def still_true(event: str, params: Params, player: Player) -> bool:
    """An invitation is true until it is answered or the table's time is over; news for the host while the table
    waits; that it ends soon, until it is given more time. All other events stay true."""
    table = _table(params, player)
    if table is not None and not table.concerns(event, player):
        return False
    until = _waits_until(params, player)
    if event == "table.ending" and until != common.moment_told(params.get("until")):
        return False  # it has been given more time since
    return event not in ("table.invited", "table.ending") or until is None or until > timezone.now()


def words(event: str, params: Params, player: Player, language: str) -> Words | None:
    """The event in the player's language and time zone."""
    texts = _WORDINGS.get(event)
    url = str(params.get("url") or "")
    if texts is None or not url.startswith("/") or url.startswith("//"):
        return None
    title, line = texts
    until = _waits_until(params, player)
    fields = {
        "game": rulesets.game_name(str(params.get("ruleset") or ""), gettext("a game")),
        "name": doer(params, player),
    }
    text = line % fields
    if event in ("table.invited", "table.ending") and until is not None:
        waits = gettext("The table waits until %(time)s.") % {"time": common.moment_in_letter(until, player)}
        text = f"{text} {waits}"
    facts = partial(facts_of, str(params.get("table") or ""), begun=event == "table.started")
    more = facts if event in ("table.invited", "table.started") else None
    return Words(title % fields, text, url, f"table-{params.get('table') or ''}", until, more)


def facts_of(public_id: str, *, begun: bool = False) -> Sequence[str]:
    """Facts about the table to which somebody is invited, or about one that has `begun`, as lines."""
    row = open_tables.row_of(public_id, begun=begun)
    if row is None:
        return ()
    hands = ngettext("%(number)d hand", "%(number)d hands", row.hands) % {"number": row.hands}
    fields = {
        "game": f"{row.game}, {hands}",
        "pace": row.pace,
        "names": in_a_row(row.names),
        "note": row.note,
    }
    lines = [
        gettext("Game: %(game)s"),
        gettext("Pace: %(pace)s"),
        gettext("At the table: %(names)s"),
        gettext("Note of the host: %(note)s"),
    ]
    return [line % fields for line in lines[: 4 if row.note else 3]]


def _waits_until(params: Params, player: Player) -> datetime | None:
    """Until when the table waits now (its host may have extended it since the notice), or what the notice says."""
    table = _table(params, player)
    now = table.waits_until if table is not None else None
    return now or common.moment_told(params.get("until"))


_table: Final = Lookup("table", open_tables.table_states)
