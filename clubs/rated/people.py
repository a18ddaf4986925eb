"""By what ids people take part in the arithmetic. Nobody sees them, and none is stored with a rating."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from clubs.room_models import Member

_PLAYER: Final = "player:"
_MEMBER: Final = "member:"
_COMPUTER: Final = "computer:"

Accounts = Mapping[str, int]
"""For the public id of an entry in a club's list, the key of the account of whose person it is."""


def player_id(key: int) -> str:
    """Somebody with an account, or a guest: one id, wherever they play."""
    return f"{_PLAYER}{key}"


def player_key(id: str) -> int | None:
    """The key of the player with this id; None for others."""
    return int(id.removeprefix(_PLAYER)) if id.startswith(_PLAYER) else None


def computer_id(name: str) -> str:
    """A computer player of this strength."""
    return f"{_COMPUTER}{name}"


def is_computer(person: str) -> bool:
    """Whether a tournament means a computer player by this."""
    return person.startswith(_COMPUTER)


def entry_id(person: str, accounts: Accounts) -> str:
    """Who stands in a tournament by this id: an entry of a club's list, whose person may have an account."""
    if is_computer(person):
        return person
    key = accounts.get(person)
    return f"{_MEMBER}{person}" if key is None else player_id(key)


def accounts() -> dict[str, int]:
    """The accounts of all entries of all clubs. One query."""
    rows = Member.objects.filter(player__isnull=False).values_list("public_id", "player", "player__merged_into")
    return {public_id: merged or player for public_id, player, merged in rows}
