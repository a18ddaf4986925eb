"""For which seasons a tournament counts: chosen by who keeps the seasons of the club, and of others they belong to."""

from __future__ import annotations

import uuid

from django.db import transaction
from django.db.models import Q, QuerySet
from django.http import HttpResponseBase
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_http_methods

from accounts.models import Player
from clubs.paper.kit import Reading, for_staff, shown
from clubs.room import rights, steps
from clubs.room.refusals import NotAllowed
from clubs.room.rights import GRANTED, Act
from clubs.room_models import Member, Season
from clubs.tournament_models import SeasonEvening, Tournament
from clubs.tournaments import pages
from games.refusals import Refusal


class Ended(Refusal):
    """A season that is declared final takes no evening and gives none away."""

    status = 409
    code = "season-ended"
    message = _("One of these seasons was declared final meanwhile. Open it again in the club first.")


@require_http_methods(["GET", "HEAD", "POST"])
@for_staff
def page(reading: Reading) -> HttpResponseBase:
    """The seasons that may be chosen, those chosen ticked; ended ones, and other clubs', are shown and stay."""
    visit = reading.visit
    player = visit.asked.player
    assert player is not None  # asked by for_staff
    if not visit.asked.standing.may(Act.SEASONS):
        raise NotAllowed
    if visit.request.method == "POST":
        choose(reading.tournament, player, visit.request.POST.getlist("season"), visit.sent)
        return pages.done(visit.url("seasons"))
    linked = set(reading.tournament.seasons.values_list("season", flat=True))
    rows = [
        (season, season.pk in linked, bool(season.ended_at) or not rights.may(player, season.club, Act.SEASONS))
        for season in choosable(player, reading.tournament)
    ]
    return shown(reading, "clubs/paper/seasons.html", {"rows": rows, "tab": "paper"})


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

    Takes the lock of the tournament's club. Raises NotAllowed, Ended, RequestReused. Logged in the club.
    """
    with transaction.atomic():
        club = steps.locked(tournament.club_id)
        rights.check(player, club, Act.SEASONS)
        if steps.answered(club, player, request_id, "season.evenings") is not None:
            return
        seasons = {each.public_id: each for each in choosable(player, tournament)}
        if not set(wanted) <= set(seasons):
            raise NotAllowed
        linked = {row.season.public_id: row for row in tournament.seasons.select_related("season")}
        new, gone = set(wanted) - set(linked), set(linked) - set(wanted)
        mine = {id for id in new | gone if rights.may(player, seasons[id].club, Act.SEASONS)}
        if any(seasons[id].ended_at for id in new) or any(seasons[id].ended_at for id in gone & mine):
            raise Ended
        SeasonEvening.objects.bulk_create(
            SeasonEvening(season=seasons[id], tournament=tournament) for id in sorted(new & mine)
        )
        SeasonEvening.objects.filter(pk__in=[linked[id].pk for id in gone & mine]).delete()
        data = {"tournament": tournament.public_id, "seasons": sorted(wanted)}
        steps.log(club, "season.evenings", actor=player, data=data, request_id=request_id)
