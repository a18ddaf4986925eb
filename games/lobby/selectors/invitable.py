"""People whom one may ask to a table, and the tables to which one may ask."""

from __future__ import annotations

from typing import Final

from django.db.models import Max, Q, QuerySet

from accounts import permissions as account_permissions
from accounts.models import Player
from accounts.names import key_of
from games.lobby.models import Invitation, OpenTable
from games.lobby.selectors.listed import MOST_OWN, _waiting
from games.models import Seat
from people.selectors import findable_by, people_followed

MOST_PEOPLE: Final = 8
_RECENT_SEATS: Final = 200


def people_called(name: str, viewer: Player) -> list[Player]:
    """Members whose name looks like `name`; of those who agreed to be found, and those one follows or is followed by, also who has
    it in their name, first who begins with it. Nobody one does not meet."""
    key = key_of(name)
    if len(key) < 2:
        return []
    open_to = Q(name_key=key) | Q(pk__in=findable_by(viewer))
    known = _members(viewer).filter(open_to, name_key__contains=key)
    return sorted(known[:200], key=lambda player: (not player.name_key.startswith(key), player.name))[:MOST_PEOPLE]


def people_to_ask(table: OpenTable, viewer: Player) -> list[Player]:
    """Whom the host follows and has not asked to this table by name, nor sits there; by name."""
    there = table.chairs.values_list("player", flat=True)
    asked = table.invitations.filter(state=Invitation.State.OPEN, by_address=False).values_list("player", flat=True)
    return list(people_followed(viewer).exclude(pk__in={*there, *asked}))


def tables_to_ask_to(viewer: Player, person: Player) -> list[OpenTable]:
    """The tables of which the viewer is the host, with a free seat, and at which the person does not sit."""
    mine = _waiting().filter(host=viewer, free__gte=1).exclude(chairs__player=person)
    return list(mine.order_by("expires_at")[:MOST_OWN])


def people_played_with(viewer: Player) -> list[Player]:
    """Members with whom the viewer has played, the latest first."""
    mine = Seat.objects.filter(player=viewer).order_by("-pk").values_list("game", flat=True)[:_RECENT_SEATS]
    together = _members(viewer).filter(seats__game__in=list(mine)).annotate(latest=Max("seats__game"))
    return list(together.order_by("-latest")[:MOST_PEOPLE])


def person_to_invite(public_id: str) -> Player | None:
    return Player.objects.select_related("merged_into").filter(public_id=public_id, computer="").first()


def _members(viewer: Player) -> QuerySet[Player]:
    strangers = account_permissions.strangers_to(viewer)
    people = Player.objects.filter(user__isnull=False, computer="", retired_at__isnull=True).exclude(name="")
    return people.exclude(pk__in={viewer.pk, *strangers})
