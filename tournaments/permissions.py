"""Who does something in a tournament: people with a role in the club, and whoever holds a code."""

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
"""What a helper at the entrance does; everything else is the director's, or a table's. Of the till only fees: which entry they
cancel is for the page at the entrance to look at, under the number of the log it has seen."""
AT_A_TABLE: Final = frozenset(
    {"deal.entered", "deal.erased", "table.handed-in", "table.taken-back", "table.confirmed", "table.disputed"}
)
BY_ONESELF: Final = frozenset(
    {"entrant.added", "entrant.arrived", "entrant.withdrawn", "entrant.left", "entrant.paused"}
)
"""What somebody does for themselves: enter, say that they are here, or that they do not come."""


@dataclass(frozen=True, slots=True)
class Actor:
    """`what` they act as, `name` as the log holds it. A table acts for `table` only, at `places` it has codes for."""

    what: str
    name: str
    player: Player | None = None
    table: str = ""
    places: frozenset[int] = frozenset()


def director(player: Player) -> Actor:
    """The director. The caller has asked `clubs.permissions` for RUN_TOURNAMENTS."""
    return Actor(DESK, f"player:{player.public_id}", player)


def helper(player: Player | None = None) -> Actor:
    return Actor(DOOR, f"door:{player.public_id}" if player else "door", player)


def at_table(table: str, places: frozenset[int], player: Player | None = None) -> Actor:
    """Whoever holds codes of a table."""
    return Actor(TABLE, f"table:{table}/{min(places)}", player, table, places)


def oneself(player: Player | None, member: str) -> Actor:
    """Somebody for themselves; the caller has seen to whom it concerns."""
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
