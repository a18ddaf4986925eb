"""What the pages of the director share: who may look, how something is done, and what is shown where it is refused."""

from __future__ import annotations

import json
import uuid
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import Any, Final, TypeAlias, TypeVar

from django.http import Http404, HttpResponse, HttpResponseBase
from django.utils.html import escape

from core.exceptions import Refusal
from domain.tournament.state import Entrant, Phase, Round, State, Table
from games.exceptions import Malformed
from tournaments import views
from tournaments.exceptions import Refused
from tournaments.models import Tournament
from tournaments.permissions import Actor
from tournaments.read_models import Names, everybody
from tournaments.selectors import state_of
from tournaments.services import log
from tournaments.services.log import Doing, Receipt
from tournaments.views import Asked, Visit

T = TypeVar("T")
_NO_PART: Final = frozenset({"csrfmiddlewaretoken", "request_id"})
Action: TypeAlias = "Callable[[Desk], str | HttpResponseBase]"
"""Does what a form asks for and says where to go then (an address), or answers itself. Raises Refusal."""

ActionAbout: TypeAlias = "Callable[[Desk, str], str | HttpResponseBase]"
"""The same for a page that is about one round or table: it is told its key."""


class Desk:
    """One request of somebody who runs the tournament. `state` is how it stands; it is read again after a refusal."""

    def __init__(self, visit: Visit) -> None:
        visit.check_runs()
        self.visit = visit
        self.state = visit.asked.state

    @property
    def asked(self) -> Asked:
        return self.visit.asked

    @property
    def tournament(self) -> Tournament:
        return self.visit.asked.tournament

    @property
    def actor(self) -> Actor:
        """The director, as the log names them."""
        return self.visit.asked.director

    @property
    def sent(self) -> uuid.UUID:
        return self.visit.sent

    @cached_property
    def names(self) -> Names:
        """Names as the director reads them."""
        return Names(self.tournament, "staff", more=everybody(self.state))

    def name(self, id: str) -> str:
        return self.names.entrant(self.state.entrants[id])

    def url(self, name: str, *args: object) -> str:
        return self.visit.url(name, *args)

    # what was sent

    def text(self, field: str, default: str = "") -> str:
        """A text of the form, without spaces around it."""
        return self.visit.request.POST.get(field, default).strip()

    def texts(self, field: str) -> list[str]:
        return self.visit.request.POST.getlist(field)

    def flag(self, field: str) -> bool:
        return self.text(field) in ("on", "yes", "1")

    def whole(self, field: str, default: int | None = None) -> int:
        """A whole number; an empty field is the default. Raises Refused."""
        text = self.text(field).replace("\u2212", "-").replace("\u2013", "-").replace("\u2019", "").replace("'", "")
        if not text:
            if default is None:
                raise Refused("missing", field)
            return default
        try:
            return int(text[:12])
        except ValueError:
            raise Refused("no-number", field) from None

    # what is there

    def phase(self, number: int) -> Phase:
        """A phase. Raises Refused."""
        found = self.state.phase(number)
        if found is None:
            raise Refused("no-such-phase", "phase")
        return found

    def round(self, key: str) -> Round:
        """A round. Raises Refused."""
        found = self.state.round(key)
        if found is None:
            raise Refused("no-such-round", "round")
        return found

    def table(self, key: str) -> Table:
        """A table. Raises Refused."""
        found = self.state.table(key)
        if found is None:
            raise Refused("no-such-table", "table")
        return found

    def entrant(self, id: str) -> Entrant:
        """An entrant. Raises Refused."""
        found = self.state.entrants.get(id)
        if found is None:
            raise Refused("unknown-entrant", "id")
        return found

    # what is done

    def act(self, kind: str, **data: Any) -> Receipt:
        """One thing happens. Raises Refusal."""
        return self.act_all([(kind, data)])

    def act_all(self, doings: Sequence[Doing]) -> Receipt:
        """Several things happen, or none. Raises Refusal."""
        return log.act(self.tournament.pk, doings, by=self.actor, request_id=self.sent)

    def decide(self, make: Callable[[State], Sequence[Doing]]) -> Receipt:
        """What `make` says for the state as it is at that very moment (`log.decide`). Raises Refusal."""
        return log.decide(self.tournament, make, by=self.actor, request_id=self.sent, same=self._same())

    def read_again(self) -> None:
        self.tournament.refresh_from_db()
        self.state = state_of(self.tournament)
        self.__dict__.pop("names", None)

    def _same(self) -> str:
        post = self.visit.request.POST
        sent = sorted((name, post.getlist(name)) for name in post if name not in _NO_PART)
        return json.dumps([self.visit.request.path, sent])


def page(
    desk: Desk, template: str, context: Callable[[], Mapping[str, Any]], actions: Mapping[str, Action]
) -> HttpResponseBase:
    """A page with its forms. A form names what it does in `do`; done, the reader is led on, and where it is refused the
    page comes again with the reason at that form (`what` tells apart forms that do the same), what was typed still there.
    """
    request = desk.visit.request
    if request.method != "POST":
        return show(desk, template, context())
    do = desk.text("do")
    action = actions.get(do)
    if action is None:
        raise Malformed(f"no action {do!r}")
    try:
        done = action(desk)
        return views.done(done) if isinstance(done, str) else done
    except Refusal as refusal:
        desk.read_again()
        more = {
            "refusal": str(refusal.message),
            "refused_do": do,
            "refused_what": desk.text("what"),
            "refused_field": getattr(refusal, "field", ""),
            "refused_code": refusal.code,
            "typed": request.POST,
        }
        try:
            found = context()
        except Http404:  # what the page is about has gone meanwhile: the reason alone is shown
            raise refusal from None
        answer = show(desk, template, {**found, **more}, status=refusal.status)
        if escape(str(refusal.message)) in answer.content.decode():
            return answer
        # Its form has gone from the page meanwhile: the reason stands at the head of it.
        return show(desk, template, {**found, **more, "homeless": True}, status=refusal.status)


def about(actions: Mapping[str, ActionAbout], key: str) -> Mapping[str, Action]:
    """The actions of a page that is about one round or table, which they are told."""

    def told(act: ActionAbout) -> Action:
        return lambda desk: act(desk, key)

    return {name: told(act) for name, act in actions.items()}


def show(desk: Desk, template: str, context: Mapping[str, Any], *, status: int = 200) -> HttpResponse:
    """A page of the director, with the state as it is now."""
    return views.tournament_page(
        desk.visit, template, {"state": desk.state, "desk": desk, "tab": "rounds", **context}, status=status
    )


def or_404(found: T | None) -> T:
    """What an address names. Raises Http404 where it names nothing."""
    if found is None:
        raise Http404
    return found
