"""What the pages of a club share: whose club, who looks, what they may do; what is refused; what search engines may keep."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import wraps
from typing import Any, Concatenate, Final, ParamSpec

from django.conf import settings
from django.forms import BaseForm
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase, HttpResponseRedirect, QueryDict
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.cache import patch_cache_control
from django.utils.translation import gettext as _

from accounts.middleware import PlayerRequest
from accounts.models import Player
from clubs import permissions
from clubs.exceptions import AccountNeeded, ClubError
from clubs.models import Club
from clubs.permissions import Act, Standing
from clubs.services import joining
from core.exceptions import Refusal
from core.limits import take
from games import forms as game_forms

P = ParamSpec("P")
NOT_FOUND: Final = "noindex, nofollow"


@dataclass(frozen=True, slots=True)
class Visit:
    request: PlayerRequest
    club: Club
    standing: Standing

    @property
    def player(self) -> Player | None:
        return self.request.visit.player

    @property
    def sent(self) -> QueryDict | None:
        """What a form has sent; None for a page that is only looked at."""
        return self.request.POST if self.request.method == "POST" else None

    def member(self) -> Player:
        """The player who acts. Raises ``account-needed``."""
        player = self.request.visit.player
        if player is None or not player.is_member:
            raise AccountNeeded
        return player

    def check(self, act: Act) -> None:
        """Raise ``account-needed`` or ``not-allowed`` unless the visitor may do this."""
        permissions.check_may(self.request.visit.player, self.club, act)

    def url(self, name: str, *args: object) -> str:
        """A page of this club: `visit.url("members")`."""
        return reverse(f"club:{name}", args=[self.club.slug, *args])


@dataclass(frozen=True, slots=True)
class Tab:
    """A part of the club's pages. `within`: the beginning of the addresses that belong to it."""

    name: str
    url: str
    count: int = 0


def at_club(
    view: Callable[Concatenate[Visit, P], HttpResponseBase],
) -> Callable[Concatenate[HttpRequest, str, P], HttpResponseBase]:
    """A page of a club: finds it, catches refusals, and tells times by the clock in the hall."""

    @wraps(view)
    def page(request: HttpRequest, slug: str, *args: P.args, **kwargs: P.kwargs) -> HttpResponseBase:
        visited: PlayerRequest = request  # type: ignore[assignment]  # the middleware made it one
        club = Club.objects.filter(slug=slug).first()
        if club is None:
            raise Http404
        visit = Visit(visited, club, permissions.standing(club, visited.visit.player))
        with timezone.override(settings.TIME_ZONE):
            try:
                if club.closed_at is not None:
                    return shown(visit, "clubs/closed.html", status=410)
                response = view(visit, *args, **kwargs)
            except Refusal as refusal:
                response = refused(visit, refusal)
        return response

    return page


def shown(
    visit: Visit, template: str, context: Mapping[str, Any] | None = None, *, status: int = 200, public: bool = False
) -> HttpResponse:
    """A page of the club. `public` ones may be kept by search engines, if the club says so; no other ever."""
    found = public and visit.club.found_by_search
    whole = {
        "club": visit.club,
        "standing": visit.standing,
        "may": {str(act).replace("-", "_"): True for act in visit.standing.acts},
        "player": visit.player,
        "tabs": tabs(visit),
        "found": found,
        **(context or {}),
    }
    response = render(visit.request, template, whole, status=status)
    if not found:
        response["X-Robots-Tag"] = NOT_FOUND
    patch_cache_control(response, private=True, no_store=True)
    return response


def refused(visit: Visit, refusal: Refusal) -> HttpResponse:
    sign_in = isinstance(refusal, AccountNeeded) and visit.player is None
    context = {"refusal": str(refusal.message), "sign_in": sign_in, "back": visit.url("home")}
    return shown(visit, "clubs/refused.html", context, status=refusal.status)


def tabs(visit: Visit) -> list[Tab]:
    """The parts of the club's pages that the visitor can open."""
    may = visit.standing.may
    found = [
        Tab(_("Club"), visit.url("home")),
        Tab(_("Calendar"), visit.url("calendar")),
        Tab(_("News"), visit.url("news")),
        Tab(_("House rules"), visit.url("rules")),
        Tab(_("Seasons"), visit.url("seasons")),
    ]
    if visit.club.closed_at is not None:
        return []
    if may(Act.SEE_MEMBERS):
        found.append(Tab(_("Members"), visit.url("members")))
    if may(Act.KEEP_MEMBERS):
        waiting = joining.open_requests(visit.club).count()
        found.append(Tab(_("Coming in"), visit.url("requests"), waiting))
    if visit.standing.member is not None:
        found.append(Tab(_("Your entry"), visit.url("me")))
    return found


def request_id(data: QueryDict) -> uuid.UUID:
    """The id of the form that was sent. Raises Malformed."""
    return game_forms.read_request_id(data)


def tried(visit: Visit, form: BaseForm, save: Callable[[uuid.UUID], str]) -> tuple[HttpResponseRedirect | None, int]:
    """What comes of a form: the way on, if it was sent and could be saved; else the status of the page that shows it.

    `save` gets the id of the form, and gives the address of what was saved; what it refuses stands in the form.
    """
    if not form.is_bound:
        return None, 200
    if not form.is_valid():
        return None, 422
    try:
        return done(save(request_id(visit.request.POST))), 303
    except Refusal as refusal:
        form.add_error(None, str(refusal.message))
        return None, refusal.status


def limit(visit: Visit, what: str, *, rate: float, burst: int) -> None:
    """Raise ``too-often`` above `rate` an hour for one person."""
    if not take(f"club-{what}:{visit.member().pk}", rate=rate, per=3600, burst=burst):
        raise ClubError("too-often")


def done(url: str) -> HttpResponseRedirect:
    """On to the page that shows what was done."""
    return HttpResponseRedirect(url, status=303)


def asked(
    visit: Visit, *, title: str, lost: Sequence[str], button: str, back: str, hidden: Mapping[str, str] | None = None
) -> HttpResponse:
    """Ask once before something goes for good, and say what is lost."""
    context = {"title": title, "lost": lost, "button": button, "back": back, "hidden": dict(hidden or {})}
    return shown(visit, "clubs/confirm.html", context)
