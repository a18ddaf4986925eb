"""What the pages of a tournament share: the visit (who is there, and what they may do), refusals, and rendering."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property, wraps
from typing import Any, Concatenate, ParamSpec, TypeVar

from django.conf import settings
from django.core.exceptions import ValidationError
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase, HttpResponseRedirect, JsonResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.http import urlencode
from django.utils.translation import gettext as _

from accounts.middleware import PlayerRequest
from clubs.exceptions import AccountNeeded, NotAllowed, RoleRests
from clubs.permissions import Act
from clubs.views import base
from clubs.views.base import Tab
from core.exceptions import Refusal
from core.http import private
from domain.tournament.state import State
from tournaments import permissions
from tournaments.exceptions import AskFirst, TournamentError
from tournaments.models import Tournament
from tournaments.permissions import Actor
from tournaments.selectors import state_of
from tournaments.services import log
from tournaments.services.log import NewEvent, Receipt

P = ParamSpec("P")


class Visit(base.Visit):
    """A request to a page of a tournament, with the visitor and their rights."""

    def __init__(self, request: PlayerRequest, tournament: Tournament) -> None:
        super().__init__(request, tournament.club)
        self.tournament = tournament

    @cached_property
    def state(self) -> State:
        """The state of the tournament. Call `read_again` after changing it."""
        return state_of(self.tournament)

    def read_again(self) -> None:
        self.tournament.refresh_from_db()
        self.__dict__.pop("state", None)

    @cached_property
    def request_id(self) -> uuid.UUID:
        """The id in the form, so that sending it twice does nothing twice; a new one if it is missing or invalid."""
        try:
            return uuid.UUID(self.request.POST.get("request_id", ""))
        except ValueError:
            return uuid.uuid4()

    @property
    def scripted(self) -> bool:
        """Whether the request comes from a script, which expects JSON instead of a page."""
        return "application/json" in self.request.headers.get("Accept", "")

    def json_done(self, **facts: str | bool) -> HttpResponse:
        """The response to a script whose request was carried out."""
        return private(JsonResponse({"done": True, **facts}))

    def json_refused(self, refusal: Refusal) -> HttpResponse:
        """The response to a script whose request was refused: the reason as `message`."""
        facts = {"done": False, "message": str(refusal.message)}
        return private(JsonResponse(facts, status=refusal.status))

    @property
    def runs_it(self) -> bool:
        return self.standing.may(Act.RUN_TOURNAMENTS)

    @property
    def plans_it(self) -> bool:
        """Whether the visitor may change the announcement."""
        return self.standing.may(Act.PLAN_TOURNAMENTS)

    @property
    def keeps_seasons(self) -> bool:
        """Whether the visitor may choose the seasons of the club it counts for."""
        return self.standing.may(Act.SEASONS)

    @property
    def director(self) -> Actor:
        """The visitor, acting as director. Check `runs_it` first."""
        assert self.runs_it
        return permissions.director(self.member())

    @property
    def may_read(self) -> bool:
        """Whether the visitor may know of this tournament: everybody or, if it is not public, members of the club."""
        return self.tournament.is_public or self.standing.member is not None

    def check_reads(self) -> None:
        """Raise Http404 unless the visitor may know of this tournament."""
        if not self.may_read:
            raise Http404

    def check_runs(self) -> None:
        """Raise ``account-needed`` or ``not-allowed`` unless the visitor runs the tournament."""
        self._check(Act.RUN_TOURNAMENTS)

    def check_plans(self) -> None:
        """Raise ``account-needed`` or ``not-allowed`` unless the visitor may change the announcement."""
        self._check(Act.PLAN_TOURNAMENTS)

    def _check(self, act: Act) -> None:
        self.member()
        if self.club.closed_at is not None:
            raise TournamentError("club-closed")
        self.standing.check(act)

    def url(self, name: str, *args: object) -> str:
        """The address of a page of this tournament: `visit.url("people")`."""
        return reverse(f"tournament:{name}", args=[self.tournament.public_id, *args])

    @property
    def online(self) -> bool:
        """Whether it is played online now, or will be, so that there is no door."""
        return (self.state.current.plan if self.state.current else self.state.plan).online is not None

    def tabs(self) -> list[Tab]:
        page = "home seating-round enter draws boards board boards-of-table"
        if not self.runs_it:
            title = _("Tournament") if self.online else _("Evening")
            return [Tab(title, f"{page} why"), Tab(_("Standings"), "standings standings-of entrant bracket")]
        settings = [Tab(_("Settings"), "settings cancel delete")] if self.plans_it else []
        hall = [] if self.online else [Tab(_("The evening as a file"), "file"), Tab(_("Codes"), "codes")]
        return [
            Tab(_("People"), "people add paste entry apart invite"),
            Tab(
                _("Rounds"),
                row=(
                    Tab(_("Rounds"), "rounds round slips table why"),
                    Tab(_("Parts and finals"), "phases new-phase phase-plan"),
                ),
            ),
            Tab(
                _("Standings"),
                row=(
                    Tab(_("Ranking"), "standings standings-of entrant-sheet entrant bracket"),
                    Tab(_("Penalties"), "penalties"),
                ),
            ),
            Tab(_("Money"), row=(Tab(_("Till"), "till"), Tab(_("Prizes"), "prizes prize-plan prizes-read"))),
            Tab(
                _("More"),
                row=(
                    *settings,
                    *([] if self.online else [Tab(_("Dry run"), "dry-run")]),
                    Tab(_("Paper and files"), "paper"),
                    *hall,
                    Tab(_("Corrections"), "corrections"),
                    Tab(_("What was done"), "log"),
                    Tab(_("Closing"), "closing"),
                    Tab(_("Public page"), page),
                ),
            ),
        ]

    def act(self, kind: str, /, **data: Any) -> Receipt:
        """Write one event to the log, as director. Raises Refusal."""
        return self.act_all([(kind, data)])

    def act_all(self, doings: Sequence[NewEvent], *, same: str = "") -> Receipt:
        """Write several events to the log or, if one is refused, none. Raises Refusal.

        `same` identifies the request if what is written depends on how the tournament stands.
        """
        return log.act(self.tournament.pk, doings, by=self.director, request_id=self.request_id, same=same)

    def act_or_page(
        self, act: Callable[[], HttpResponseBase | None], template: str, context: Callable[[], Mapping[str, Any]]
    ) -> HttpResponseBase:
        """Call `act` if a form was sent, and return its response.

        If there is none, or it is refused, return the page, with the reason as `refusal`.
        """
        refusal, status = "", 200
        if self.sent is not None:
            try:
                response = act()
                if response is not None:
                    return response
            except Refusal as why:
                refusal, status = str(why.message), why.status
            except ValidationError as error:
                refusal, status = " ".join(error.messages), 422
        return self.page(template, {"refusal": refusal, **context()}, status=status)

    def ask_again(self, ask: AskFirst, back: str, template: str = "confirm") -> HttpResponse:
        """Ask for confirmation. The question keeps the request id, so that answering yes twice acts only once."""
        context: dict[str, Any] = {
            "title": str(ask.message),
            "lost": [],
            "button": ask.button,
            "back": back,
            "action": back,
            "hidden": {"do": ask.do, "sure": "1", **ask.fields},
        }
        return self.page(f"tournaments/registration/{template}.html", context)

    def _rendered(self, template: str, context: Mapping[str, Any] | None, status: int) -> HttpResponse:
        """Render a template that extends `tournaments/base_tournament.html`."""
        whole = {
            "visit": self,
            "tournament": self.tournament,
            "club": self.club,
            "state": self.state,
            "player": self.player,
            "menu": base.menu(self),
            "request_id": uuid.uuid4(),
            **(context or {}),
        }
        return render(self.request, template, whole, status=status)

    def refused(self, refusal: Refusal) -> HttpResponseBase:
        """The page that says why something cannot be done, and where to go on.

        Strangers learn nothing of a tournament that only the club may see, not even its name: they sign in, or get a
        404.
        """
        address = self.request.get_full_path()
        if (isinstance(refusal, AccountNeeded | NotAllowed) or refusal.code == "club-closed") and not self.may_read:
            if not isinstance(refusal, AccountNeeded):
                raise Http404
            return HttpResponseRedirect(f"{reverse('account_login')}?{urlencode({'next': address})}")
        if self.scripted and self.sent is not None:
            return self.json_refused(refusal)
        sign_in = isinstance(refusal, AccountNeeded) and self.player is None
        context = {
            "refusal": str(refusal.message),
            "sign_in": sign_in,
            "rests": isinstance(refusal, RoleRests),
            "next": address,
            "back": reverse("club:home", args=[self.club.slug]),
        }
        return Visit.page(self, "clubs/refused.html", context, status=refusal.status)


V = TypeVar("V", bound=Visit)
View = Callable[Concatenate[V, P], HttpResponseBase]
Page = Callable[Concatenate[HttpRequest, str, P], HttpResponseBase]


def page_for(kind: type[V], check: Callable[[V], None] | None = None) -> Callable[[View[V, P]], Page[P]]:
    """A decorator that makes a page of a tournament from a view of a `kind` of visit.

    The page finds the tournament, calls `check`, shows refusals, and gives times in the time zone of the site.
    """

    def decorate(view: View[V, P]) -> Page[P]:
        @wraps(view)
        def page(request: HttpRequest, public_id: str, *args: P.args, **kwargs: P.kwargs) -> HttpResponseBase:
            visited: PlayerRequest = request  # type: ignore[assignment]  # the middleware made it one
            tournament = Tournament.objects.select_related("club").filter(public_id=public_id).first()
            if tournament is None:
                raise Http404
            visit = kind(visited, tournament)
            with timezone.override(settings.TIME_ZONE):
                try:
                    if check is not None:
                        check(visit)
                    return view(visit, *args, **kwargs)
                except Refusal as refusal:
                    return visit.refused(refusal)

        return page

    return decorate


at_tournament = page_for(Visit)
director_only = page_for(Visit, Visit.check_runs)
planner_only = page_for(Visit, Visit.check_plans)
