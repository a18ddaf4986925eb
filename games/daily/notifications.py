"""The reminder of the daily deal, once a day at an hour that the player chooses, and its words."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from datetime import date, datetime
from typing import Final

from django.db import transaction
from django.db.models import Q
from django.urls import reverse
from django.utils.dateparse import parse_date
from django.utils.translation import gettext as _

from accounts import availability
from accounts.models import Player
from games.daily import services
from games.daily.models import DailyEntry, DailyWishes
from games.text import figures as statistics_text
from notices import outbox, preferences
from notices.registry import Key, Kind, Lookup, Params, Subject, Words

TOPIC: Final = "daily"
AT_ONCE: Final = 50


def do_due(now: datetime) -> int:
    """Remind the players whose hour has come. Returns how many rows were handled. One query if there is none."""
    keys = DailyWishes.objects.filter(remind_at__lte=now).order_by("remind_at").values_list("pk", flat=True)
    return sum(_remind(key, now) for key in keys[:AT_ONCE])


def _remind(key: int, now: datetime) -> int:
    """Write the notice and the moment of the next one, in one transaction. Takes the lock on the row of wishes."""
    with transaction.atomic():
        wishes = DailyWishes.objects.select_for_update().filter(pk=key, remind_at__lte=now).first()
        if wishes is None or wishes.remind_hour is None:
            return 0
        player, day = Player.objects.get(pk=wishes.player_id), services.day_at(now)
        wishes.remind_at = preferences.next_digest(now, wishes.remind_hour, availability.zone_of(player))
        wishes.save(update_fields=["remind_at"])
        if not _begun([day.isoformat()], player):
            params = {"day": day.isoformat()}
            outbox.put("daily.reminder", player, params, expires_at=services.ends(day), topic=TOPIC, due_at=now)
        return 1


def _begun(days: Collection[Key], player: Player) -> Mapping[Key, bool]:
    """True for each of these days (ISO) whose deal this person has begun; others are missing."""
    person = Q(player=player) | Q(player__merged_into=player)
    dates = [date for day in days if isinstance(day, str) and (date := _date(day)) is not None]
    begun = DailyEntry.objects.filter(person, day__date__in=dates).values_list("day__date", flat=True)
    return {date.isoformat(): True for date in begun}


def _date(day: str) -> date | None:
    try:
        return parse_date(day)
    except ValueError:
        return None


def _reminded(days: Collection[Key], player: Player) -> Mapping[Key, bool]:
    """True for each of these days of which the player still wishes to be reminded; others are missing."""
    if not DailyWishes.objects.filter(player=player, remind_hour__isnull=False).exists():
        return {}
    begun = _begun(days, player)
    return {day: True for day in days if isinstance(day, str) and _date(day) is not None and day not in begun}


_still_reminds: Final = Lookup("day", _reminded)


kinds: Final = {"daily.reminder": Kind.OTHER}
"""Its parameter is `day`, an ISO date."""


def still_true(event: str, params: Params, player: Player) -> bool:
    """True while the player has not begun the deal and still wishes to be reminded."""
    return event == "daily.reminder" and _still_reminds(params, player) is not None


def words(event: str, params: Params, player: Player, language: str) -> Words | None:
    text = params.get("day")
    day = parse_date(text) if isinstance(text, str) else None
    if event != "daily.reminder" or day is None:
        return None
    choice = services.choice_on(day)
    game = statistics_text.variant_name((choice.ruleset, choice.size))
    return Words(
        subject=_("Today’s deal: %(game)s") % {"game": game},
        line=_("One deal, the same for everybody. It can be begun until midnight in Switzerland."),
        url=reverse("daily:today"),
        tag=TOPIC,
        until=services.ends(day),
    )


def find_subject(player: Player, topic: str) -> Subject | None:
    """The subject of the reminders, for lists of notices."""
    return Subject(_("The daily deal"), reverse("daily:today")) if topic == TOPIC else None
