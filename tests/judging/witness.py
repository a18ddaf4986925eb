"""Looking into the database while the site runs: what is to be told may be forgotten again before the end."""

from __future__ import annotations

from typing import Any, Final

from django.db.models import Count, Model, Q
from django.utils import timezone

_OUTBOX: Final = (
    "pk", "event", "kind", "topic", "player", "params", "created_at", "due_at", "expires_at", "attempts", "done_at",
    "error", "shown",
)  # fmt: skip
_DELIVERY: Final = (
    "pk",
    "outbox",
    "player",
    "channel",
    "subscription",
    "planned_for",
    "state",
    "attempts",
    "reason",
    "told_before",
)
_LATE: Final = 300
"""A key is given before its row is committed: so many rows back one may still appear."""
_AT_ONCE: Final = 900
Row = dict[str, Any]


class Witness:
    """Keeps the last that was seen of every notice and every delivery."""

    def __init__(self) -> None:
        self.notices: dict[int, Row] = {}
        self.deliveries: dict[int, Row] = {}
        self.planned: dict[int, set[Any]] = {}
        """Every moment for which a delivery was ever planned."""
        self.at_tables: dict[str, list[tuple[str, int]]] = {}
        """What was done at tables that wait, and by whom, by the request that did it."""
        self.guests: dict[str, int] = {}
        """Which player a guest's cookie was, by the digest of the cookie: with a guest who is let go it is forgotten."""
        self.lost: dict[str, list[int]] = {}
        """Of each lease that ran out the deliveries that were in a courier's hands; known in the end."""
        self.forgotten = 0
        """How many deliveries were ended and forgotten between two looks."""
        self._cookies: dict[int, Row] = {}
        self._events: dict[int, Row] = {}
        self._open: set[int] = set()
        self._on_their_way: set[int] = set()

    def settle(self) -> None:
        """Let the database write down what will be forgotten: call it once, before anything is told."""
        from tests.judging import register

        register.open_register()

    def look(self) -> None:
        """See what is new and what has changed."""
        from accounts.models import GuestToken
        from games.lobby.models import TableEvent
        from notices.models import Delivery, Outbox

        for row in _new_and_open(Outbox, _OUTBOX, self.notices, self._open):
            self.notices[row["pk"]] = row
            (self._open.discard if row["done_at"] else self._open.add)(row["pk"])
        for row in _new_and_open(Delivery, _DELIVERY, self.deliveries, self._on_their_way):
            self.deliveries[row["pk"]] = row
            self.planned.setdefault(row["pk"], set()).add(row["planned_for"])
            waits = row["state"] == Delivery.State.WAITING
            (self._on_their_way.add if waits else self._on_their_way.discard)(row["pk"])

        for row in _new_and_open(TableEvent, ("pk", "text", "actor", "request_id"), self._events, set()):
            if row["pk"] not in self._events and row["request_id"] is not None:
                self.at_tables.setdefault(str(row["request_id"]), []).append((row["text"], row["actor"]))
            self._events[row["pk"]] = row
        for row in _new_and_open(GuestToken, ("pk", "digest", "player"), self._cookies, set()):
            self._cookies[row["pk"]] = row
            self.guests[row["digest"]] = row["player"]

    def last_look(self) -> None:
        """After everything: how those ended that were told and forgotten between two looks."""
        from notices.models import Delivery, Outbox
        from tests.judging import register

        self.look()
        for notice in register.deleted(Outbox):
            self.notices[notice.pk] = _row_of(notice, _OUTBOX)
        for delivery in register.deleted(Delivery):
            row = _row_of(delivery, _DELIVERY)
            before = self.deliveries.get(delivery.pk)
            self.forgotten += before is None or before["state"] == Delivery.State.WAITING
            self.deliveries[delivery.pk] = row
            self.planned.setdefault(delivery.pk, set()).add(row["planned_for"])
        self.lost = register.lost_leases()

    def playing(self) -> int:
        """How many games go on."""
        from games.models import Game

        return Game.objects.filter(status=Game.Status.PLAYING).count()

    def behind(self) -> int:
        """How many games are due, and not seen to yet."""
        from games.models import Game

        now = timezone.now()
        late = Q(due_at__lte=now) | Q(deadline_at__lte=now)
        return Game.objects.filter(late, status=Game.Status.PLAYING).count()

    def games(self) -> int:
        """How many games have begun."""
        from games.models import Game

        return Game.objects.count()

    def waiting_tables(self) -> int:
        """How many tables wait for players."""
        from games.lobby.models import OpenTable

        return OpenTable.objects.filter(state=OpenTable.State.WAITING).count()

    def carried(self) -> dict[str, int]:
        """The leases of couriers that have something in hand, with how much that is."""
        from notices.models import Delivery

        held = Delivery.objects.filter(state=Delivery.State.WAITING, lease_until__gt=timezone.now())
        return dict(held.values_list("lease_by").annotate(Count("pk")))

    def untold(self) -> int:
        """How many notices and deliveries are still to be told."""
        from notices.models import Delivery, Outbox

        waiting = Delivery.objects.filter(state=Delivery.State.WAITING).count()
        return waiting + Outbox.objects.filter(done_at__isnull=True).count()


def _row_of(one: Model, fields: tuple[str, ...]) -> Row:
    return {name: one.pk if name == "pk" else getattr(one, one._meta.get_field(name).attname) for name in fields}


def _new_and_open(model: type[Model], fields: tuple[str, ...], known: dict[int, Row], waiting: set[int]) -> list[Row]:
    """Rows not known yet, and those that were not done when they were seen last."""
    newest = max(known, default=0) - _LATE
    found = list(model._default_manager.filter(pk__gt=newest).values(*fields))
    older = [pk for pk in waiting if pk <= newest]
    for at in range(0, len(older), _AT_ONCE):
        found += model._default_manager.filter(pk__in=older[at : at + _AT_ONCE]).values(*fields)
    return found
