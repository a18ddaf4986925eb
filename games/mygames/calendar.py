"""The calendar of a player's deadlines (RFC 5545), at an address that only they know.

It has one event for each game in which the player must act by a deadline, and one for each appointment to which they
come. The UID of a game's event stays the same as long as the game lasts, and its SEQUENCE is the number of the game's
last action, since a deadline moves only with an entry of the log. It names no card.
"""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Final

from django.conf import settings
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.crypto import constant_time_compare, salted_hmac
from django.utils.translation import gettext as _

from accounts.models import Player
from core.calendars import new_calendar, new_event
from games.meeting import calendar as appointments
from games.models import Seat
from games.mygames import selectors, text
from games.mygames.models import CalendarAddress, new_nonce
from notices import preferences

if TYPE_CHECKING:
    from icalendar import Event

LASTS: Final = timedelta(minutes=30)
"""The length of an event. It ends at the deadline; without a length, a calendar would have nothing to show."""
MOST: Final = 500
READ_AGAIN: Final = timedelta(hours=1)
_SALT: Final = "games.mygames.calendar"


def address_of(player: Player) -> str | None:
    """The secret URL of the player's calendar; None if they have not asked for one."""
    row = CalendarAddress.objects.filter(player=player).first()
    if row is None:
        return None
    return settings.SITE_URL + reverse("my-calendar-feed", args=[player.public_id, _token(player, row.nonce)])


def renew(player: Player) -> None:
    """Give the calendar a new address. The old one, if any, no longer works."""
    CalendarAddress.objects.update_or_create(
        player=player, defaults={"nonce": new_nonce(), "created_at": timezone.now()}
    )


def switch_off(player: Player) -> None:
    """Delete the address of the calendar."""
    CalendarAddress.objects.filter(player=player).delete()


def player_of(public_id: str, token: str) -> Player | None:
    """The owner of the calendar at an address; None if the address is wrong or outdated."""
    row = CalendarAddress.objects.select_related("player").filter(player__public_id=public_id).first()
    if row is None or not constant_time_compare(token, _token(row.player, row.nonce)):
        return None
    return row.player


def feed(player: Player) -> bytes:
    """The present calendar in the player's language. The bytes are the same as long as nothing changes."""
    language = preferences.language_of(player)
    with translation.override(language):
        calendar = new_calendar("games", language, _("Troccas & Troggu: your turns"))
        calendar.add("refresh-interval", READ_AGAIN, parameters={"VALUE": "DURATION"})
        calendar.add("x-published-ttl", "PT1H")
        calendar.add("url", settings.SITE_URL + reverse("mine:list"))
        due = selectors.due_seats(player)
        for seat in selectors.urgent(selectors.with_tables(due))[:MOST]:
            calendar.add_component(_event(seat, player))
        for event in appointments.events_of(player):
            calendar.add_component(event)
        return calendar.to_ical()


def _event(seat: Seat, player: Player) -> Event:
    game, table = seat.game, list(seat.game.seats.all())
    assert game.deadline_at is not None
    address = settings.SITE_URL + reverse("games:table", args=[game.public_id])
    event = new_event(
        f"{game.public_id}-{player.public_id}",
        game.number,
        game.acted_at,
        starts=game.deadline_at - LASTS,
        ends=game.deadline_at,
        summary=_("Your turn: %(game)s") % {"game": text.title(game, table, seat.number)},
        description=f"{text.asked_of_you(game)}\n{address}",
        address=address,
    )
    event.add("transp", "TRANSPARENT")
    event.add("class", "PRIVATE")
    return event


def _token(player: Player, nonce: str) -> str:
    return salted_hmac(_SALT, f"{player.public_id}:{nonce}", algorithm="sha256").hexdigest()[:40]
