"""Registries for what the apps above own about a player.

Seats, entries, notices and the like belong to apps that accounts may not import. Each registers here, in its
`AppConfig.ready`, how its belongings move when a guest becomes a member, what happens to them when a player leaves for
good, and which of them are in the export of a person's data.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any, Final, NamedTuple, Protocol

from accounts.models import Player, Suspension
from core.registry import Registry

if TYPE_CHECKING:
    from django.forms import BaseForm
    from django.utils.functional import _StrOrPromise


class PlayerBelongings(Protocol):
    """The module `privacy` of an app: what the app keeps for players.

    `merge` and `release` run in a transaction that has locked the players' rows.

    Other code locks a table first, and then writes what belongs to its players. So `merge` and `release` first lock all
    tables concerned, ordered by their keys, before they write anything. The players' rows are locked with `no_key`, so
    that writing a row that refers to a player does not wait for them.
    """

    __name__: str

    def merge(self, guest: Player, member: Player) -> None:
        """Give everything of `guest` to `member`.

        If both own the same thing (two seats in one game), the app decides. A seat that it leaves with the guest stays
        readable, since the guest's row is kept. Must do nothing if there is nothing left to move.
        """

    def release(self, player: Player) -> bool:
        """Release what belongs to a player who will not come back: an idle guest, or a member whose account is deleted.

        Seats in unfinished games are given up or handed on, everything personal is deleted, and what others need
        (finished games) is kept. During the call a member is still one (`player.is_member`). Returns True if something
        must keep referring to the player, so that the row has to be kept.
        """

    def export(self, player: Player) -> Mapping[str, object]:
        """What the app stores about this player, for the player: plain data (dates and times are allowed).

        Never includes what the player may not know yet, such as the cards of others in a hand that is still being
        played.
        """


class Fact(NamedTuple):
    """One line about a player on their page, in the reader's language. `href` is a page with more about it."""

    label: str
    text: str
    href: str = ""


belongings: Final = Registry[PlayerBelongings]()
blocked: Final = Registry[Callable[[Player, Player], None]]()
"""Called in the transaction in which the first person blocks the second: each ends something between the two."""
suspended: Final = Registry[Callable[[Suspension], object]]()
"""Called in the transaction in which somebody is suspended: tells them."""
taken_down: Final = Registry[Callable[[Player, str], object]]()
"""Called in the transaction in which somebody's name and page are taken down, with the reason or "": tells them."""
ways_in: Final = Registry[Callable[[Player], object]]()
"""Called when an owner takes an account back: each ends something that others may use (devices, feeds)."""
facts: Final = Registry[Callable[[Player, Player | None], list[Fact]]]()
"""What an app says about the first player on their page (how good, how many hands) to the second (None: a stranger).

Only what that viewer may know, and only pages that they may open.
"""


def facts_about(player: Player, viewer: Player | None) -> list[Fact]:
    """What all apps say about `player` to `viewer`, in the order in which they were registered."""
    return [fact for of in facts for fact in of(player, viewer)]


class Loss(NamedTuple):
    """Something that others lose, or that passes to others, when a player's account is deleted: a sentence, and more
    about it. With a `key`, the player must have agreed to it before (`key` differs from those of other losses).
    """

    text: str
    more: Sequence[str] = ()
    key: str = ""


losses: Final = Registry[Callable[[Player], list[Loss]]]()
"""What becomes of something that others share when `release` is called for this player."""


def losses_of(player: Player) -> list[Loss]:
    """All losses, in the order in which the apps were registered."""
    return [loss for of in losses for loss in of(player)]


suit_names: Final = Registry[Callable[[str], str]]()
"""Functions from the letter of a suit to its name in the reader's language."""


class Section(NamedTuple):
    """A section of the preferences that belongs to an app above.

    `name` is its key in the page and the form. `form` makes the form from the data of the request (None if it was not
    sent) for a player; the form has a method `write` that saves it if it is valid.
    """

    name: str
    title: _StrOrPromise
    form: Callable[[Any, Player], BaseForm]


sections: Final = Registry[Section]()


class Said(NamedTuple):
    """One line of what a report is about, or a line around it."""

    name: str
    text: str
    at: datetime
    reported: bool
    """Whether this is the line that was reported."""


class Evidence(NamedTuple):
    """What a report is about, for moderators: the lines as they were written, and the page on which to act."""

    lines: Sequence[Said]
    url: str


EvidenceFinder = Callable[[str, Player], "Evidence | None"]
"""A function from the part of `Report.subject` after the colon, and the moderator, to the evidence.

None if it is gone, or if this moderator may not see it (because they play in that game) and another one has to deal
with it.
"""

evidence: Final[dict[str, EvidenceFinder]] = {}
"""The functions that find the evidence for reports with the subject `what:…`, by `what`."""


answers: Final[dict[str, Callable[[str], object]]] = {}
"""By the same `what`: tells the author of a removed text that a moderator has looked at it again, if it stays removed.

Called with the part after the colon, in the transaction in which the author's appeal is settled.
"""


def evidence_of(subject: str, moderator: Player) -> Evidence | None:
    """What a report with this subject is about; None if it is gone or `moderator` may not see it."""
    what, _colon, key = subject.partition(":")
    finder = evidence.get(what)
    return finder(key, moderator) if finder is not None else None
