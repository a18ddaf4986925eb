"""Who acts in a tournament, and what they may do: people with a role in the club, and whoever holds a code."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from accounts.models import Player
from domain.tournament.payload import Plain
from tournaments.exceptions import TournamentError

DESK: Final = "desk"
DOOR: Final = "door"
TABLE: Final = "table"
PERSON: Final = "person"
SITE: Final = "site"

AT_THE_DOOR: Final = frozenset(
    {
        "entrant.added", "entrant.arrived", "entrant.not-arrived", "entrant.left", "entrant.paused", "money.entered",
        "money.cancelled",
    }
)  # fmt: skip
"""What a helper at the entrance may do; everything else is up to the director or a table.

In the till, helpers enter only fees. Which entry they cancel is checked by the page at the entrance, against the number
of the log it has seen.
"""
AT_A_TABLE: Final = frozenset(
    {"deal.entered", "deal.erased", "table.handed-in", "table.taken-back", "table.confirmed", "table.disputed"}
)
BY_ONESELF: Final = frozenset(
    {
        "entrant.added",
        "entrant.arrived",
        "entrant.withdrawn",
        "entrant.left",
        "entrant.paused",
        "pairs.made",
        "pair.parted",
    }
)
"""What people may do for themselves: enter, say that they are here, leave, pause, say that they do not come, and be a
pair with whoever asked them, or no longer.
"""


@dataclass(frozen=True, slots=True)
class Actor:
    """Who acts: in the role `what`, recorded in the log as `name`.

    A table acts only for `table`, at the `places` of its code.
    """

    what: str
    name: str
    player: Player | None = None
    table: str = ""
    places: frozenset[int] = frozenset()


def director(player: Player) -> Actor:
    """The director. The caller has checked RUN_TOURNAMENTS with `clubs.permissions`."""
    return Actor(DESK, f"player:{player.public_id}", player)


def helper(player: Player | None = None) -> Actor:
    return Actor(DOOR, f"door:{player.public_id}" if player else "door", player)


def at_table(table: str, places: frozenset[int], player: Player | None = None) -> Actor:
    """Whoever holds codes of a table."""
    return Actor(TABLE, f"table:{table}/{min(places)}", player, table, places)


def oneself(player: Player | None, member: str) -> Actor:
    """A person acting for themselves. The caller has checked that the action concerns that person."""
    return Actor(PERSON, f"person:{member}", player)


SITE_ITSELF: Final = Actor(SITE, "site")


def check_may(actor: Actor, kind: str, data: dict[str, Plain]) -> None:
    """Raise ``not-allowed`` unless this actor may do this."""
    if actor.what in (DESK, SITE):
        return
    if actor.what == DOOR and kind in AT_THE_DOOR:
        if kind != "money.entered" or data.get("kind") == "fee":
            return
    elif actor.what == PERSON and kind in BY_ONESELF:
        return
    elif actor.what == TABLE and kind in AT_A_TABLE and data.get("table") == actor.table:
        place = data.get("place", min(actor.places))
        if place in actor.places:
            return
    raise TournamentError("not-allowed")
