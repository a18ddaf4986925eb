"""What clubs need to know about tournaments: dates, what counts for a season, who was there (`clubs.evenings`)."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from datetime import date, datetime
from typing import Final
from zoneinfo import ZoneInfo

from django.conf import settings
from django.db.models import Max, QuerySet
from django.urls import reverse
from django.utils import timezone

from clubs.evenings import Entry, Evening
from clubs.models import Club, Season
from domain.standings.season import PastEvening, Place
from domain.tournament.scoring import ranking
from domain.tournament.state import State
from tournaments.models import Participation, SeasonEvening, Tournament, TournamentEvent
from tournaments.selectors import states_of
from tournaments.services import log
from tournaments.services.log import NewEvent

CLUB_CLOSED: Final = "the club was closed"
"""Why a tournament ended, as recorded in its log."""


def dates(club: Club) -> Sequence[Entry]:
    """Every public tournament of the club: planned, running, over or cancelled. One query."""
    return _entries(Tournament.objects.filter(club=club, is_public=True))


def all_of(club: Club) -> Sequence[Entry]:
    """Every tournament of the club, also those that only its members see. One query."""
    return _entries(Tournament.objects.filter(club=club))


def of_season(season: Season) -> Sequence[Evening]:
    """The finished tournaments linked to the season, by their start. Two queries."""
    rows = SeasonEvening.objects.filter(season=season, tournament__status=Tournament.Status.CLOSED)
    linked = rows.select_related("tournament__club").order_by("tournament__starts", "tournament")
    tournaments = [row.tournament for row in linked]
    states = states_of(tournaments)
    return [
        Evening(
            each.name, home(each), past_evening(each, states[each.pk]), only_for=0 if each.is_public else each.club_id
        )
        for each in tournaments
    ]


def counting(season: Season) -> Collection[str]:
    """The tournaments linked to the season, over or not. One query."""
    return set(SeasonEvening.objects.filter(season=season).values_list("tournament__public_id", flat=True))


def named(members: Collection[int]) -> Collection[int]:
    """Which of these entries take part in a tournament or have played in one. One query."""
    return set(Participation.objects.filter(member__in=members).values_list("member", flat=True))


def last_seen(members: Collection[int]) -> Mapping[int, date]:
    """The day of the last tournament of each of these entries. One query."""
    rows = Participation.objects.filter(member__in=members).exclude(tournament__status=Tournament.Status.CANCELLED)
    last = rows.values("member").annotate(last=Max("tournament__starts")).values_list("member", "last")
    return {member: day_of(moment) for member, moment in last}


def keeps_results(club: Club) -> bool:
    """Whether a round was drawn in a tournament of the club, or a member takes part in another club's."""
    played = TournamentEvent.objects.filter(tournament__club=club, kind="round.drawn")
    elsewhere = Participation.objects.filter(member__club=club).exclude(tournament__club=club)
    return played.exists() or elsewhere.exists()


def closing(club: Club) -> None:
    """Cancel tournaments that have not begun and end those that are running.

    If nothing was ever played, delete them all.

    Runs in the transaction that closes the club and holds its lock. Takes the locks of its tournaments.
    """
    tournaments = Tournament.objects.filter(club=club)
    # Lock before reading: a round that is being drawn at this moment is either there already or comes too late.
    rows = list(tournaments.select_for_update().order_by("pk"))
    if not keeps_results(club):
        tournaments.delete()
        return
    for tournament in rows:
        if tournament.status in (Tournament.Status.PLANNED, Tournament.Status.RUNNING):
            _end_or_cancel(tournament)


def home(tournament: Tournament) -> str:
    return reverse("tournament:home", args=[tournament.public_id])


def day_of(moment: datetime) -> date:
    """The day in local time (`settings.TIME_ZONE`)."""
    return timezone.localdate(moment, ZoneInfo(settings.TIME_ZONE))


def _entries(tournaments: QuerySet[Tournament]) -> list[Entry]:
    return [entry_of(each) for each in tournaments.order_by("starts", "pk")]


def entry_of(tournament: Tournament) -> Entry:
    """A tournament as a line of a calendar."""
    return Entry(
        id=tournament.public_id,
        title=tournament.name,
        starts=tournament.starts,
        ends=tournament.ends,
        place=tournament.place,
        text=tournament.text,
        url=home(tournament),
        cancelled=tournament.status == Tournament.Status.CANCELLED,
        sequence=tournament.sequence,
        changed_at=tournament.changed_at,
        tournament=True,
        over=tournament.status == Tournament.Status.CLOSED,
    )


def past_evening(tournament: Tournament, state: State) -> PastEvening:
    """Everybody's place in a tournament, for a season; both members of a pair get its place.

    Reads `tournament.club`.
    """
    places: dict[str, Place] = {}
    for each in ranking(state)[0]:
        result = each.row.values[0][1] or 0
        for person in state.entrants[each.row.entrant].members:
            places.setdefault(person, Place(person, each.rank, result, each.row.entrant))
    began = timezone.localtime(tournament.starts, ZoneInfo(settings.TIME_ZONE)).replace(tzinfo=None)
    return PastEvening(
        tournament.public_id, began.isoformat(timespec="minutes"), tournament.club.name, tuple(places.values())
    )


def _end_or_cancel(tournament: Tournament) -> None:
    """End the tournament if a phase has begun, else cancel it. Its lock must be held."""
    state = states_of([tournament])[tournament.pk]
    if state.phases:
        doing: NewEvent = ("tournament.closed", {"despite": CLUB_CLOSED})
        log.act_as_site(tournament.pk, [doing])
        return
    tournament.status = Tournament.Status.CANCELLED
    tournament.sequence += 1
    tournament.changed_at = timezone.now()
    tournament.save(update_fields=["status", "sequence", "changed_at"])
