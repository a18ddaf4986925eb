"""The pages of planning: announcing and changing a tournament, its seasons, the dry run, cancelling, and codes."""

from __future__ import annotations

import uuid
from dataclasses import replace
from typing import Any

from django.conf import settings
from django.contrib import messages
from django.http import HttpResponseBase, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_POST

from accounts.middleware import PlayerRequest
from clubs.exceptions import ClubError, NotAllowed
from clubs.models import Member, Season
from clubs.permissions import Act, may
from clubs.services import common
from clubs.views.base import Visit as ClubVisit
from clubs.views.base import at_club
from core import qr
from core.exceptions import Refusal
from core.http import private, require_safe_or_post, unlisted
from core.limits import take
from domain.errors import DomainError
from domain.tournament.state import EXPECTED, HERE, PAIR, Plan, each_alone
from games import forms as game_forms
from tournaments import text as tournaments_text
from tournaments.models import Tournament
from tournaments.registration import selectors, services
from tournaments.registration.forms import OutlookForm, TournamentForm, offered_games, start_plan
from tournaments.services import codes as keys
from tournaments.views import Visit, director_only, planner_only


@require_safe_or_post
@at_club
def new(visit: ClubVisit) -> HttpResponseBase:
    visit.check(Act.PLAN_TOURNAMENTS)
    version = common.current_rules(visit.club)
    plan = _plan_for(common.rules_of(version), visit.request.GET.get("game", ""))
    form = TournamentForm(visit.sent, plan=plan)

    def save() -> HttpResponseBase:
        planned, fee = form.cleaned_data["plan"], form.cleaned_data["fee"]
        tournament = services.announce(
            visit.club, visit.member(), form.instance, planned, fee, rules=version, request_id=visit.request_id
        )
        url = reverse("tournament:people", args=[tournament.public_id])
        return visit.done(url, _("The tournament is announced. Next: who comes?"))

    context = {"games": offered_games(), "game": plan.rules.ruleset, "alone": form.alone, "version": version}
    return visit.form_page("tournaments/registration/new.html", form, save, context)


@require_POST
@at_club
def tonight(visit: ClubVisit) -> HttpResponseBase:
    """Open the evening of today with one press: the door is open, and all members are expected."""
    visit.check(Act.PLAN_TOURNAMENTS)
    version = common.current_rules(visit.club)
    tournament = services.tonight(
        visit.club,
        visit.member(),
        start_plan(common.rules_of(version)),
        rules=version,
        request_id=visit.request_id,
    )
    return visit.done(
        reverse("tournament:people", args=[tournament.public_id]), _("The door is open. Mark who arrives.")
    )


@require_safe_or_post
def without_club(request: PlayerRequest) -> HttpResponseBase:
    """Start an evening without a club, for anybody with an account. They can found a club from it later."""
    player = request.visit.player
    if player is None or not player.is_member:
        words = {"evening": _("Evening without a club")}
        return unlisted(render(request, "clubs/sign_in.html", words, status=200 if request.method == "GET" else 403))
    refusal: Refusal | None = None
    if request.method == "POST":
        try:
            if not take(f"found-club:{player.pk}", rate=5, per=86400, burst=5):
                raise ClubError("too-often")
            request_id = game_forms.read_request_id(request.POST)
            club = common.evenings_without_club(player, request_id=uuid.uuid5(request_id, "club"))
            version = common.current_rules(club)
            with timezone.override(settings.TIME_ZONE):
                plan = start_plan(common.rules_of(version))
                tournament = services.tonight(club, player, plan, rules=version, request_id=request_id)
            messages.success(request, _("The door is open. Mark who arrives."))
            return HttpResponseRedirect(reverse("tournament:people", args=[tournament.public_id]), status=303)
        except Refusal as refused:
            refusal = refused
    context = {"request_id": uuid.uuid4(), "refusal": refusal.message if refusal else ""}
    status = refusal.status if refusal else 200
    return unlisted(render(request, "tournaments/registration/without_club.html", context, status=status))


def _plan_for(rules: Any, game: str, before: Plan | None = None) -> Plan:
    """The plan by these rules, in another game if `game` is one.

    It then has the default options of that game and, if everybody plays alone, points count before tables won.
    """
    if game and game != rules.ruleset and game in dict(offered_games()):
        if each_alone(game) and not each_alone(rules.ruleset):
            others = tuple(code for code in rules.tie_breaks if code != "card-points")
            rules = replace(rules, tie_breaks=("card-points", *others), table_sizes=())
        rules = replace(rules, ruleset=game, options=())
    return start_plan(rules, before)


@require_safe_or_post
@planner_only
def change(visit: Visit) -> HttpResponseBase:
    tournament, state = visit.tournament, visit.state
    version, before = tournament.house_rules, state.plan
    plan_stays = state.closed or tournament.status == Tournament.Status.CANCELLED
    latest = common.current_rules(tournament.club)
    game = visit.request.GET.get("game", "")
    newer = visit.request.GET.get("rules") == "latest" and not plan_stays
    rules = common.rules_of(latest) if newer else before.rules
    entered = any(each.members for each in state.entrants.values())
    start = before if plan_stays else _plan_for(rules, game if newer else game or before.rules.ruleset, before)
    form = TournamentForm(
        visit.sent, plan=start, instance=tournament, fee=state.fee, kind_stays=entered, plan_stays=plan_stays
    )

    def save() -> HttpResponseBase:
        services.change_announcement(
            tournament,
            visit.member(),
            form.instance,
            form.cleaned_data["plan"],
            form.cleaned_data["fee"],
            rules=latest if newer else version,
            request_id=visit.request_id,
        )
        return visit.done(visit.url("settings"), _("Saved."))

    context = {
        "games": [] if plan_stays else offered_games(),
        "game": start.rules.ruleset,
        "alone": form.alone,
        "begun": bool(state.phases),
        "latest": latest if latest.version != before.rules.version and not (newer or plan_stays) else None,
        "query": visit.request.GET.urlencode(),
        "seasons": _season_rows(visit) if visit.keeps_seasons else [],
        "can_delete": services.can_delete_tournament(state),
        "can_cancel": not state.closed and not any(phase.rounds for phase in state.phases),
        "cancelled": tournament.status == Tournament.Status.CANCELLED,
    }
    return visit.form_page("tournaments/registration/settings.html", form, save, context)


@require_POST
@director_only
def choose_seasons(visit: Visit) -> HttpResponseBase:
    if not visit.keeps_seasons:
        raise NotAllowed
    seasons = visit.request.POST.getlist("season")
    services.choose_seasons(visit.tournament, visit.member(), seasons, request_id=visit.request_id)
    return visit.done(visit.url("settings"), _("Saved."))


def _season_rows(visit: Visit) -> list[tuple[Season, bool, bool]]:
    """The seasons to choose from, whether the tournament counts for each, and whether that is fixed.

    It is fixed if the season has ended, or if the visitor does not manage the seasons of its club.
    """
    player = visit.member()
    linked = set(visit.tournament.seasons.values_list("season", flat=True))
    return [
        (season, season.pk in linked, bool(season.ended_at) or not may(player, season.club, Act.SEASONS))
        for season in services.choosable_seasons(player, visit.tournament)
    ]


@require_GET
@director_only
def dry_run(visit: Visit) -> HttpResponseBase:
    """What the evening would be like with several numbers of entrants, side by side."""
    plan, state = visit.state.plan, visit.state
    ready = [
        each
        for each in state.entrants.values()
        if each.status in (HERE, EXPECTED) and (plan.kind != PAIR or len(each.members) == 2)
    ]
    # As long as hardly anybody has entered, start from the number of members.
    members = Member.objects.filter(club=visit.club, kind=Member.Kind.MEMBER, left_on__isnull=True).count()
    expected = members // 2 if plan.kind == PAIR else members
    coming = len(ready) if len(ready) > 3 else expected
    middle = min(max(coming, 8), OutlookForm.MOST_ENTRANTS - 1)
    starts = timezone.localtime(visit.tournament.starts)
    initial = {
        "numbers": f"{middle - 1}, {middle}, {middle + 1}",
        "rounds": min(plan.rules.rounds, 20),
        "deals": min(plan.rules.deals, 100),
        "minutes_per_deal": selectors.minutes_per_deal(plan),
        "between": 10,
        "start": starts.time().strftime("%H:%M"),
    }
    form = OutlookForm(visit.request.GET if "numbers" in visit.request.GET else initial)
    outlooks: list[selectors.OutlookShown] = []
    status = 200
    if form.is_valid():
        visit.limit("dry-run", rate=60, per=600, burst=20)
        try:
            outlooks = selectors.dry_runs(plan, **form.cleaned_data)
        except DomainError as error:
            form.add_error(None, str(tournaments_text.refusal(error.code, error.field, error.facts)))
    if form.errors:
        status = 422
    alone = each_alone(plan.rules.ruleset)
    context = {"form": form, "outlooks": outlooks, "partners": plan.kind != PAIR and not alone}
    return visit.page("tournaments/registration/dry_run.html", context, status=status)


@require_safe_or_post
@planner_only
def cancel(visit: Visit) -> HttpResponseBase:
    """Cancel the tournament after a confirmation, or hold it after all."""
    tournament = visit.tournament
    again = tournament.status == Tournament.Status.CANCELLED
    if visit.sent is not None:
        services.cancel_tournament(tournament, visit.member(), cancelled=not again, request_id=visit.request_id)
        message = _("The tournament takes place after all.") if again else _("The tournament is cancelled.")
        return visit.done(visit.url("settings"), message)
    entered = sum(len(each.members) for each in visit.state.entrants.values())
    lost = [
        _("The calendar of the club says that it does not take place; calendars that took it over are told."),
        _("Nobody can enter or be drawn any more. Whoever has entered (%(count)d) stays in the list.")
        % {"count": entered},
        _("You can take it back later."),
    ]
    context = {
        "title": _("Hold it after all?") if again else _("Cancel this tournament?"),
        "lost": [] if again else lost,
        "button": _("It takes place") if again else _("Cancel the tournament"),
        "back": visit.url("settings"),
    }
    return visit.page("tournaments/registration/confirm.html", context)


@require_safe_or_post
@planner_only
def delete(visit: Visit) -> HttpResponseBase:
    """Delete the tournament after a confirmation. Possible only while nothing has happened."""
    if visit.sent is not None:
        services.delete_tournament(visit.tournament, visit.member(), request_id=visit.request_id)
        return visit.done(reverse("club:home", args=[visit.club.slug]), _("The tournament is deleted."))
    context = {
        "title": _("Delete this tournament?"),
        "lost": [_("What was announced and planned, and its line in the calendar, as if it had never been.")],
        "button": _("Delete it"),
        "back": visit.url("settings"),
    }
    return visit.page("tournaments/registration/confirm.html", context)


# codes


@require_GET
@director_only
def codes(visit: Visit) -> HttpResponseBase:
    """The codes of the hall: for helpers, the big screen, and people who arrive. Each can be renewed."""
    kinds = {
        keys.DOOR: (
            _("Helpers at the door"),
            _("Whoever has this address marks who is here and takes fees, without an account."),
        ),
        keys.ARRIVE: (_("The entrance"), _("People say on their own phone that they are here.")),
        keys.SCREEN: (_("The big screen"), _("For the computer at the projector: seating, clock, ranking.")),
    }
    rows = [
        {"what": what, "title": title, "text": text, "address": _hall_address(visit, what)}
        for what, (title, text) in kinds.items()
    ]
    context = {"codes": rows, "help_url": reverse("hall-help")}
    return visit.page("tournaments/registration/codes.html", context)


@require_POST
@director_only
def renew(visit: Visit, what: str) -> HttpResponseBase:
    """Renew a code; the old one stops working."""
    visit.act("hall-key.renewed", what=what)
    return visit.done(visit.url("codes"), _("There is a new code. The old one no longer opens anything."))


@require_GET
@director_only
def code_picture(visit: Visit, what: str) -> HttpResponseBase:
    return private(qr.code_picture(_hall_address(visit, what)))


def _hall_address(visit: Visit, what: str) -> str:
    """The full address for a code of the hall, the same short form for all three kinds."""
    code = keys.hall_code(visit.tournament, visit.state, what)
    return settings.SITE_URL + visit.url("hall-code", code)
