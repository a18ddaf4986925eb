"""What the pages of a tournament share: which one, who looks, what they may do; what is refused, and how a page is shown."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import wraps
from typing import Any, Concatenate, Final, ParamSpec

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.cache import patch_cache_control
from django.utils.http import urlencode

from accounts.middleware import PlayerRequest
from accounts.models import Player
from clubs.exceptions import AccountNeeded, NotAllowed
from clubs.permissions import Act, Standing, standing
from core.exceptions import Refusal
from domain.tournament.state import State
from tournaments import permissions
from tournaments.exceptions import TournamentError
from tournaments.models import Tournament
from tournaments.permissions import Actor
from tournaments.selectors import state_of

P = ParamSpec("P")
NOT_FOUND: Final = "noindex, nofollow"


@dataclass(frozen=True, slots=True)
class Asked:
    """A tournament as one request sees it."""

    tournament: Tournament
    state: State
    player: Player | None
    standing: Standing

    @property
    def runs_it(self) -> bool:
        return self.standing.may(Act.RUN_TOURNAMENTS)

    @property
    def plans_it(self) -> bool:
        """Whether this person may change the announcement."""
        return self.standing.may(Act.PLAN_TOURNAMENTS)

    @property
    def director(self) -> Actor:
        """This person, acting as director. Ask `runs_it` before."""
        assert self.player is not None
        assert self.runs_it
        return permissions.director(self.player)


def asked(request: PlayerRequest, public_id: str) -> Asked:
    """The tournament of an address. Raises Http404 where there is none."""
    tournament = Tournament.objects.select_related("club").filter(public_id=public_id).first()
    if tournament is None:
        raise Http404
    player = request.visit.player
    return Asked(tournament, state_of(tournament), player, standing(tournament.club, player))


def request_id(request: HttpRequest) -> uuid.UUID:
    """The id the form carries, so that sending it twice does nothing twice; a new one where it carries none that is valid."""
    try:
        return uuid.UUID(request.POST.get("request_id", ""))
    except ValueError:
        return uuid.uuid4()


@dataclass(frozen=True, slots=True)
class Visit:
    request: PlayerRequest
    asked: Asked

    @property
    def data(self) -> Mapping[str, str]:
        return self.request.POST

    @property
    def sent(self) -> uuid.UUID:
        """The id of the request (`request_id`)."""
        return request_id(self.request)

    @property
    def may_read(self) -> bool:
        """Whether the visitor may know of this tournament: everybody, or members of the club where it is not public."""
        return self.asked.tournament.is_public or self.asked.standing.member is not None

    def check_runs(self) -> None:
        """Raise ``account-needed`` or ``not-allowed`` unless the visitor runs the tournament."""
        self._check(self.asked.runs_it)

    def check_plans(self) -> None:
        """Raise ``account-needed`` or ``not-allowed`` unless the visitor may change the announcement."""
        self._check(self.asked.plans_it)

    def _check(self, may: bool) -> None:
        if self.asked.player is None or not self.asked.player.is_member:
            raise AccountNeeded
        if self.asked.tournament.club.closed_at is not None:
            raise TournamentError("club-closed")
        if not may:
            raise NotAllowed

    def url(self, name: str, *args: object) -> str:
        """A page of this tournament: `visit.url("door")`."""
        return reverse(f"tournament:{name}", args=[self.asked.tournament.public_id, *args])


def at_tournament(
    view: Callable[Concatenate[Visit, P], HttpResponseBase],
) -> Callable[Concatenate[HttpRequest, str, P], HttpResponseBase]:
    """A page of a tournament: finds it, catches refusals, and tells times by the clock in the hall."""

    @wraps(view)
    def page(request: HttpRequest, public_id: str, *args: P.args, **kwargs: P.kwargs) -> HttpResponseBase:
        visited: PlayerRequest = request  # type: ignore[assignment]  # the middleware made it one
        visit = Visit(visited, asked(visited, public_id))
        with timezone.override(settings.TIME_ZONE):
            try:
                return view(visit, *args, **kwargs)
            except Refusal as refusal:
                return refused(visit, refusal)

    return page


def tournament_page(
    visit: Visit, template: str, context: Mapping[str, Any] | None = None, *, status: int = 200
) -> HttpResponse:
    """A page of the tournament, for nobody's cache and no search engine. The template extends `tournaments/base_tournament.html`."""
    whole = {
        "asked": visit.asked,
        "tournament": visit.asked.tournament,
        "club": visit.asked.tournament.club,
        "state": visit.asked.state,
        "player": visit.asked.player,
        "request_id": uuid.uuid4(),
        **(context or {}),
    }
    response = render(visit.request, template, whole, status=status)
    response["X-Robots-Tag"] = NOT_FOUND
    patch_cache_control(response, private=True, no_store=True)
    return response


def refused(visit: Visit, refusal: Refusal) -> HttpResponse:
    """Why something cannot be done, and the way on.

    Of a tournament that only the club sees, strangers read nothing, not even its name: they sign in, or get a 404.
    """
    if (isinstance(refusal, AccountNeeded | NotAllowed) or refusal.code == "club-closed") and not visit.may_read:
        if not isinstance(refusal, AccountNeeded):
            raise Http404
        return HttpResponseRedirect(f"{reverse('account_login')}?{urlencode({'next': visit.request.get_full_path()})}")
    sign_in = isinstance(refusal, AccountNeeded) and visit.asked.player is None
    context = {"refusal": str(refusal.message), "sign_in": sign_in, "next": visit.request.get_full_path()}
    return tournament_page(visit, "clubs/refused.html", context, status=refusal.status)


def done(url: str) -> HttpResponseRedirect:
    """On to the page that shows what was done."""
    return HttpResponseRedirect(url, status=303)
