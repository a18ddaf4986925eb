"""For which seasons a tournament counts: chosen by those who keep the seasons of the club, and of other clubs they belong to."""

from __future__ import annotations

import uuid

from django.db import transaction
from django.db.models import Q, QuerySet
from django.http import HttpResponseBase
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from accounts.models import Player
from clubs import permissions
from clubs.exceptions import NotAllowed
from clubs.models import Member, Season
from clubs.permissions import GRANTED, Act
from clubs.services import common
from tournaments.exceptions import TournamentError
from tournaments.models import SeasonEvening, Tournament
from tournaments.views import Visit, director_only


@require_POST
@director_only
def choose_seasons(visit: Visit) -> HttpResponseBase:
    if not visit.keeps_seasons:
        raise NotAllowed
    choose(visit.tournament, visit.member(), visit.request.POST.getlist("season"), visit.request_id)
    return visit.done(visit.url("settings"), _("Saved."))


def season_rows(visit: Visit) -> list[tuple[Season, bool, bool]]:
    """The seasons that may be chosen: whether the tournament counts for them, and whether that stays, since the season has
    ended or is another club's."""
    player = visit.member()
    linked = set(visit.tournament.seasons.values_list("season", flat=True))
    return [
        (season, season.pk in linked, bool(season.ended_at) or not permissions.may(player, season.club, Act.SEASONS))
        for season in choosable(player, visit.tournament)
    ]


def choosable(player: Player, tournament: Tournament) -> QuerySet[Season]:
    """Seasons of clubs whose seasons the player keeps, and those the tournament counts for already."""
    roles = [role for role, acts in GRANTED.items() if Act.SEASONS in acts]
    clubs = Member.objects.filter(
        player=player, role__in=roles, kind=Member.Kind.MEMBER, left_on__isnull=True, club__closed_at__isnull=True
    ).values("club")
    found = Season.objects.filter(Q(club__in=clubs) | Q(evenings__tournament=tournament))
    return found.select_related("club").distinct().order_by("-created_at", "-pk")


def choose(tournament: Tournament, player: Player, wanted: list[str], request_id: uuid.UUID) -> None:
    """Let the tournament count for these seasons (public ids) and no others of those the player may choose among.

    Takes the lock of the tournament's club. Raises ``not-allowed``, ``season-ended``, ``request-reused``. Logged in the
    club.
    """
    with transaction.atomic():
        club = common.locked(tournament.club_id)
        permissions.check_may(player, club, Act.SEASONS)
        if common.answered(club, player, request_id, "season.evenings") is not None:
            return
        seasons = {each.public_id: each for each in choosable(player, tournament)}
        if not set(wanted) <= set(seasons):
            raise NotAllowed
        linked = {row.season.public_id: row for row in tournament.seasons.select_related("season")}
        new, gone = set(wanted) - set(linked), set(linked) - set(wanted)
        mine = {id for id in new | gone if permissions.may(player, seasons[id].club, Act.SEASONS)}
        if any(seasons[id].ended_at for id in new) or any(seasons[id].ended_at for id in gone & mine):
            raise TournamentError("season-ended")
        SeasonEvening.objects.bulk_create(
            SeasonEvening(season=seasons[id], tournament=tournament) for id in sorted(new & mine)
        )
        SeasonEvening.objects.filter(pk__in=[linked[id].pk for id in gone & mine]).delete()
        data = {"tournament": tournament.public_id, "seasons": sorted(wanted)}
        common.log(club, "season.evenings", actor=player, data=data, request_id=request_id)
