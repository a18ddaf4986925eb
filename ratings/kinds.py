"""Which ratings a table belongs to: in what game, and whether sides or single players are compared.

By what ids people take part in the arithmetic. Nobody sees them, and none is stored with a rating.

Days as ratings count them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date, datetime
from typing import Final, NamedTuple
from zoneinfo import ZoneInfo

from django.conf import settings

from clubs.models import Member
from domain.engine.ruleset import Ruleset
from domain.engine.rulesets import UnknownRuleset, ruleset
from domain.rating.results import EACH, PARTNERS
from domain.tournament.tables import each_alone

AT: Final = "@"
"""Parts a game from the number of people, where it is played in a form that its rules do not describe."""


class Kind(NamedTuple):
    """The name of the ratings, and what is compared: one of `domain.rating.results.KINDS`."""

    name: str
    kind: str


def kind_of(ruleset_id: str, sides: Sequence[Sequence[object]]) -> Kind | None:
    """Where a deal with these sides counts; None where it does not.

    Games of partners with the sides their rules give them, games each alone at tables of any size, and a game of partners
    that was played each alone, which has ratings of its own (``troccas@5``). Ratings of one name are always of one kind.
    """
    try:
        rules = ruleset(ruleset_id)
    except UnknownRuleset:
        return None
    sizes = [len(side) for side in sides]
    alone = len(sides) > 1 and set(sizes) == {1}
    if each_alone(ruleset_id):
        return Kind(ruleset_id, EACH) if alone else None
    if alone:
        return Kind(f"{ruleset_id}{AT}{len(sides)}", EACH)
    if sizes == [rules.seats // 2] * 2 and sum(sizes) == rules.seats:
        return Kind(ruleset_id, PARTNERS)
    return None


def usual_stake(rules: Ruleset) -> int:
    """For how many Rappen this game is usually played; 0 where it is not played for money.

    Online a table may agree on another stake: its scores are brought to this one.
    """
    default = next((option.default for option in rules.options if option.name == "stake"), 0)
    return default if isinstance(default, int) else 0


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


_FIRST_DAY: Final = date(1970, 1, 1).toordinal()


def day_of(moment: datetime) -> int:
    """The day on the clocks of the hall, counted from 1970-01-01."""
    return moment.astimezone(ZoneInfo(settings.TIME_ZONE)).toordinal() - _FIRST_DAY


def date_of(day: int) -> date:
    """The date of a day that `day_of` counted."""
    return date.fromordinal(day + _FIRST_DAY)
