"""What the apps above own about a player, seen from below.

Seats, entries, notices and the like belong to apps that accounts may not import. Each registers here, from its
`AppConfig.ready`, how its belongings move when a guest becomes a member, what happens to them when a player goes, and
what of them belongs in the export of a person's data.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any, Final, NamedTuple, Protocol

from accounts.models import Player
from core.registry import Registry

if TYPE_CHECKING:
    from django.forms import BaseForm
    from django.utils.functional import _StrOrPromise


class PlayerBelongings(Protocol):
    """What one app keeps for players. `merge` and `release` run in a transaction that holds the rows of the players.

    Who works at a table holds the table, and then touches what belongs to its players: so `merge` and `release` first take
    the locks of all tables concerned, in the order of their keys, before they write anything. The players' rows are locked
    with `no_key`: whoever writes a row that names a player does not wait for them.
    """

    def merge(self, guest: Player, member: Player) -> None:
        """Give what is `guest`'s to `member`.

        Where both own the same thing (two seats in one game) the app decides; a seat it leaves with the guest stays
        readable, since the guest's row is kept. Must do nothing when there is nothing left to move.
        """

    def release(self, player: Player) -> bool:
        """Let go of what a player leaves behind who will not come back: an idle guest, or a member who deletes the account.

        Seats in unfinished games are given up or handed on, whatever is personal is deleted, and what others need
        (finished games) stays. A member still is one (`player.is_member`) during the call. Returns True when something
        must keep naming the player, so that the row has to stay.
        """

    def export(self, player: Player) -> Mapping[str, object]:
        """What the app keeps about this player, for the player: plain data (dates and times are allowed).

        Never what the player may not know yet, as the cards of others in a hand that is still played.
        """


class Fact(NamedTuple):
    """One line about a player on their page, in the reader's language. `href` leads to where there is more."""

    label: str
    text: str
    href: str = ""


belongings: Final = Registry[PlayerBelongings]()
blocked: Final = Registry[Callable[[Player, Player], None]]()
"""What ends when the first person blocks the second: called in the transaction of the block."""
ways_in: Final = Registry[Callable[[Player], object]]()
"""Called when an owner takes an account back: each ends something that others may use (devices with notices, feeds)."""
facts: Final = Registry[Callable[[Player], list[Fact]]]()
"""What an app can say about a player on the player's page (how reliable, how many games); public knowledge only."""


def facts_about(player: Player) -> list[Fact]:
    """What all apps say about `player`, in the order in which they were registered."""
    return [fact for of in facts for fact in of(player)]


suit_names: Final = Registry[Callable[[str], str]]()
"""What a suit is called in the reader's language, by its letter."""


class Section(NamedTuple):
    """A part of the preferences that belongs to an app above.

    `name` is its key in the page and the form; `form` makes the form from what was sent (None: nothing) for a player, with
    a method `write` that stores what a valid one says.
    """

    name: str
    title: _StrOrPromise
    form: Callable[[Any, Player], BaseForm]


sections: Final = Registry[Section]()


class Said(NamedTuple):
    """One line of what a report is about, or of what stood around it."""

    name: str
    text: str
    at: datetime
    reported: bool
    """Whether this is the line that was reported."""


class Evidence(NamedTuple):
    """What a report is about, for moderators: the lines as they were written, and the page where one acts on it."""

    lines: Sequence[Said]
    url: str


EvidenceFinder = Callable[[str, Player], "Evidence | None"]
"""From the part of `Report.subject` after the colon, and the moderator who reads, to what it is about.

None for what is gone, and for what this moderator may not see (they play in that game): another one looks after it.
"""

evidence: Final[dict[str, EvidenceFinder]] = {}
"""The functions that show what reports with the subject `what:…` are about, by `what`."""


def evidence_of(subject: str, moderator: Player) -> Evidence | None:
    """What a report with this subject is about, as far as `moderator` may see it."""
    what, _colon, key = subject.partition(":")
    finder = evidence.get(what)
    return finder(key, moderator) if finder is not None else None
