"""What the pages of a club share: the club, the visitor and their permissions, refusals, headers for search engines."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, wraps
from typing import Any, Concatenate, Final, ParamSpec

from django.conf import settings
from django.contrib import messages
from django.forms import BaseForm
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase, HttpResponseRedirect, QueryDict
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext as _

from accounts.middleware import PlayerRequest
from accounts.models import Player
from clubs import permissions
from clubs.exceptions import AccountNeeded, ClubError, RoleRests
from clubs.models import Club
from clubs.permissions import Act, Standing
from clubs.services import joining
from core.exceptions import Refusal
from core.http import page_before, private, unlisted
from core.limits import take
from games import forms as game_forms

P = ParamSpec("P")
NOT_FOUND: Final = "noindex, nofollow"


class Visit:
    """A request to a page of a club, with its club and its player."""

    def __init__(self, request: PlayerRequest, club: Club) -> None:
        self.request = request
        self.club = club
        self.player = request.visit.player
        """Looked up at once, since that sets the time zone to the player's, before pages set it to that of the hall."""

    @cached_property
    def standing(self) -> Standing:
        """The visitor's entry in the club and what they may do there."""
        return permissions.standing(self.club, self.player)

    @property
    def sent(self) -> QueryDict | None:
        """The data of a form that was sent; None for a GET request."""
        return self.request.POST if self.request.method == "POST" else None

    @property
    def request_id(self) -> uuid.UUID:
        """The id of the form that was sent. Raises Malformed."""
        return game_forms.read_request_id(self.request.POST)

    def member(self) -> Player:
        """The visitor, who must have an account. Raises ``account-needed``."""
        player = self.player
        if player is None or not player.is_member:
            raise AccountNeeded
        return player

    def check(self, act: Act) -> None:
        """Raise ``account-needed`` or ``not-allowed`` unless the visitor may do this."""
        permissions.check_may(self.player, self.club, act)

    def limit(self, what: str, *, rate: float, burst: int, per: float = 3600) -> None:
        """Raise ``too-often`` above `rate` in `per` seconds for one person."""
        if not take(f"{what}:{self.member().pk}", rate=rate, per=per, burst=burst):
            raise ClubError("too-often")

    def url(self, name: str, *args: object) -> str:
        """The address of a page of this club: `visit.url("members")`."""
        return reverse(f"club:{name}", args=[self.club.slug, *args])

    def tabs(self) -> list[Tab]:
        """The parts of the club's pages that the visitor can open."""
        if self.club.closed_at is not None:
            return []
        may = self.standing.may
        own = (Tab(_("Your entry"), "me consent leave"),) if self.standing.member is not None else ()
        news = Tab(_("News"), "news news-new news-item news-edit news-remove")
        dates = "calendar new date-new date date-edit date-cancel date-remove"
        tabs = [
            Tab(_("Club"), row=(Tab(_("Club"), "home edit close ask"), news, *own)),
            Tab(_("Evenings"), row=(Tab(_("Coming up"), dates), Tab(_("What has been"), "calendar-past"))),
            Tab(_("Seasons"), "seasons season season-new season-edit season-remove"),
            Tab(_("House rules"), "rules rules-version rules-edit rules-compare"),
        ]
        if may(Act.SEE_MEMBERS):
            row = [
                Tab(_("Members"), "members member member-new member-end member-remove import import-draft export-csv")
            ]
            waiting = 0
            if may(Act.KEEP_MEMBERS):
                waiting = joining.open_requests(self.club).count()
                row.append(Tab(_("Requests and invitations"), "requests invitation", count=waiting))
            tabs.insert(2, Tab(_("Members"), row=tuple(row), count=waiting))
        return tabs

    def page(self, template: str, context: Mapping[str, Any] | None = None, *, status: int = 200) -> HttpResponse:
        """A page that is neither cached nor indexed by search engines."""
        return unlisted(self._rendered(template, context, status), NOT_FOUND)

    def public_page(self, template: str, context: Mapping[str, Any]) -> HttpResponse:
        """A page that search engines may index, if the club allows it."""
        if not self.club.found_by_search:
            return self.page(template, context)
        return private(self._rendered(template, {"is_indexable": True, **context}, 200))

    def _rendered(self, template: str, context: Mapping[str, Any] | None, status: int) -> HttpResponse:
        full_context = {
            "club": self.club,
            "standing": self.standing,
            "may": {str(act).replace("-", "_"): True for act in self.standing.acts},
            "player": self.player,
            "menu": menu(self),
            "request_id": uuid.uuid4(),
            **(context or {}),
        }
        return render(self.request, template, full_context, status=status)

    def form_page(
        self,
        template: str,
        form: BaseForm,
        save: Callable[[], HttpResponseBase],
        context: Mapping[str, Any] | None = None,
        *,
        field: str | None = None,
    ) -> HttpResponseBase:
        """The page of a form, or the response of `save` once the form is valid.

        A refusal by `save` is shown as an error of the form, or of its `field`.
        """
        status = 422 if form.is_bound else 200
        if form.is_valid():
            try:
                return save()
            except Refusal as refusal:
                form.add_error(field, str(refusal.message))
                status = refusal.status
        return self.page(template, {"form": form, **(context or {})}, status=status)

    def refused(self, refusal: Refusal) -> HttpResponseBase:
        is_sent = self.request.method == "POST"
        back = page_before(self.request) if is_sent else ""
        context = {
            "refusal": str(refusal.message),
            "sign_in": isinstance(refusal, AccountNeeded) and self.player is None,
            "then": (back or self.url("home")) if is_sent else self.request.get_full_path(),
            "rests": isinstance(refusal, RoleRests),
            "back": back,
        }
        return self.page("clubs/refused.html", context, status=refusal.status)

    def done(self, url: str, said: str | Promise = "") -> HttpResponseRedirect:
        """Redirect to the page that shows what was done, with the message `said`."""
        if said:
            messages.success(self.request, str(said))
        return HttpResponseRedirect(url, status=303)


@dataclass(frozen=True, slots=True)
class Tab:
    """A tab of the menu, or a page in the row below it.

    `pages` are the names of the URLs that belong to it, its own first.
    """

    name: str
    pages: str = ""
    row: tuple[Tab, ...] = ()
    count: int = 0

    @property
    def names(self) -> list[str]:
        return [*self.pages.split(), *(name for each in self.row for name in each.names)]


def menu(visit: Visit) -> list[dict[str, Any]]:
    """The tabs as `includes/menu.html` shows them, with the row of the current one."""
    match = visit.request.resolver_match
    here = match.url_name if match else ""

    def line(tab: Tab) -> dict[str, Any]:
        names = tab.names
        current = here in names
        row = [line(each) for each in tab.row] if current and len(tab.row) > 1 else []
        return {"name": tab.name, "url": visit.url(names[0]), "current": current, "count": tab.count, "row": row}

    return [line(tab) for tab in visit.tabs()]


def at_club(
    view: Callable[Concatenate[Visit, P], HttpResponseBase],
) -> Callable[Concatenate[HttpRequest, str, P], HttpResponseBase]:
    """Make a view of a page of a club: find the club, catch refusals, and use the time zone of the hall."""

    @wraps(view)
    def page(request: HttpRequest, slug: str, *args: P.args, **kwargs: P.kwargs) -> HttpResponseBase:
        visited: PlayerRequest = request  # type: ignore[assignment]  # the middleware made it one
        club = Club.objects.filter(slug=slug).first()
        if club is None:
            raise Http404
        visit = Visit(visited, club)
        with timezone.override(settings.TIME_ZONE):
            try:
                if club.closed_at is not None:
                    return visit.page("clubs/closed.html", status=410)
                return view(visit, *args, **kwargs)
            except Refusal as refusal:
                return visit.refused(refusal)

    return page


def confirm_page(
    visit: Visit, *, title: str, lost: Sequence[str], button: str, back: str, hidden: Mapping[str, str] | None = None
) -> HttpResponse:
    """A page that asks for confirmation before something is deleted for good, and says what will be lost."""
    context = {"title": title, "lost": lost, "button": button, "back": back, "hidden": dict(hidden or {})}
    return visit.page("clubs/confirm.html", context)
