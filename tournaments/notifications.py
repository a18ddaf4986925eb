"""How notices of tournaments are told: to people with an account who have entered, when what was announced changes."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Final

from django.conf import settings
from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from accounts.models import Player
from notices import outbox
from notices.registry import Key, Kind, Lookup, Params, Words
from tournaments.models import Participation, Tournament

CANCELLED: Final = "tournament.cancelled"
HELD: Final = "tournament.held"
MOVED: Final = "tournament.moved"


def notify_entrants(event: str, tournament: Tournament, *, by: Player) -> None:
    """Write a notice for everybody with an account who takes part, but the one who did it. Within the transaction."""
    params = {"tournament": tournament.public_id, "by": by.public_id}
    for player in _entered(tournament):
        if player.pk != by.pk:
            outbox.put(event, player, params, topic=f"tournament:{tournament.public_id}", expires_at=tournament.starts)


class Tournaments:
    """Speaks for the events `tournament.…`. Parameters: `tournament`, its public id; `by`, the public id of who did it."""

    kinds: Final = dict.fromkeys((CANCELLED, HELD, MOVED), Kind.OTHER)

    def still_true(self, event: str, params: Params, player: Player) -> bool:
        """Whether it stands as the event says, and has not begun."""
        tournament = tournament_of(params, player)
        if tournament is None or tournament.starts < timezone.now():
            return False
        cancelled = tournament.status == Tournament.Status.CANCELLED
        return cancelled == (event == CANCELLED)

    def words(self, event: str, params: Params, player: Player, language: str) -> Words | None:
        """The event in the player's language; times are those of the hall."""
        tournament = tournament_of(params, player)
        if tournament is None:
            return None
        with timezone.override(settings.TIME_ZONE):
            when = date_format(timezone.localtime(tournament.starts), "DATETIME_FORMAT")
        facts = {"name": tournament.name, "when": when, "place": tournament.place}
        told = {
            CANCELLED: (_("Cancelled: %(name)s"), _("It does not take place on %(when)s.")),
            HELD: (_("After all: %(name)s"), _("It takes place after all, on %(when)s.")),
            MOVED: (
                _("Moved: %(name)s"),
                _("It is now on %(when)s, %(place)s.") if tournament.place else _("It is now on %(when)s."),
            ),
        }.get(event)
        if told is None:
            return None
        title, line = told
        url = reverse("tournament:home", args=[tournament.public_id])
        return Words(title % facts, line % facts, url, f"tournament-{tournament.public_id}")


def _entered(tournament: Tournament) -> Iterable[Player]:
    rows = Participation.objects.filter(tournament=tournament, member__player__isnull=False)
    return [row.member.player for row in rows.select_related("member__player") if row.member.player is not None]


def _tournaments(public_ids: Collection[Key], player: Player) -> Mapping[Key, Tournament]:
    return {row.public_id: row for row in Tournament.objects.filter(public_id__in=public_ids)}


tournament_of: Final = Lookup("tournament", _tournaments)


TOURNAMENTS: Final = Tournaments()
