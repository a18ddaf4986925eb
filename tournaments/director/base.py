"""What the pages of the director share: who may look, how something is done, and what is shown where it is refused."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import Any, Concatenate, Final, ParamSpec, TypeAlias, TypeVar

from django.http import Http404, HttpResponse, HttpResponseBase
from django.utils.html import escape
from django.views.decorators.http import require_safe

from core.exceptions import Refusal
from core.http import require_safe_or_post
from domain.tournament.payload import Plain
from domain.tournament.state import Entrant, Phase, Round, State, Table
from games.exceptions import Malformed
from tournaments.exceptions import Refused
from tournaments.read_models import Names, everybody
from tournaments.services import log
from tournaments.services.log import Doing, Receipt
from tournaments.views import Page, Visit, page_for

P = ParamSpec("P")
T = TypeVar("T")
_NO_PART: Final = frozenset({"csrfmiddlewaretoken", "request_id"})
Action: TypeAlias = "Callable[..., str | HttpResponseBase]"
"""Does what a form asks for and says where to go then (an address), or answers itself. It is told what the address of the page
names, as a round or a table. Raises Refusal."""


class Desk(Visit):
    """One request of somebody who runs the tournament. `state` is how it stands; it is read again after a refusal."""

    def read_again(self) -> None:
        super().read_again()
        self.__dict__.pop("names", None)

    @cached_property
    def names(self) -> Names:
        return Names(self.tournament, "staff", more=everybody(self.state))

    def name(self, id: str) -> str:
        return self.names.entrant(self.state.entrants[id])

    def page(self, template: str, context: Mapping[str, Any] | None = None, *, status: int = 200) -> HttpResponse:
        return super().page(template, {"desk": self, **(context or {})}, status=status)

    def check_opens(self) -> None:
        """Raise ``account-needed``, ``not-allowed`` or Http404 for somebody who may not open the page."""
        self.check_runs()

    # what was sent

    def text(self, field: str, default: str = "") -> str:
        """A text of the form, without spaces around it."""
        return self.request.POST.get(field, default).strip()

    def texts(self, field: str) -> list[str]:
        return self.request.POST.getlist(field)

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
        """A phase. Raises Refused, as the next three do."""
        return _there(self.state.phase(number), "no-such-phase", "phase")

    def round(self, key: str) -> Round:
        return _there(self.state.round(key), "no-such-round", "round")

    def table(self, key: str) -> Table:
        return _there(self.state.table(key), "no-such-table", "table")

    def entrant(self, id: str) -> Entrant:
        return _there(self.state.entrants.get(id), "unknown-entrant", "id")

    # what is done

    def decide(self, make: Callable[[State], Sequence[Doing]]) -> Receipt:
        """What `make` says for the state as it is at that very moment (`log.decide`). Raises Refusal."""
        return log.decide(self.tournament, make, by=self.director, request_id=self.request_id, same=self._same())

    def _same(self) -> str:
        post = self.request.POST
        sent = sorted((name, post.getlist(name)) for name in post if name not in _NO_PART)
        return json.dumps([self.request.path, sent])


def director_page(
    template: str,
    context: Callable[Concatenate[Desk, P], Mapping[str, Any]],
    actions: Mapping[str, Action] | None = None,
    *,
    kind: type[Desk] = Desk,
) -> Page[P]:
    """A page of the director with its forms. A form names in `do` which action it asks for; done, the reader is led on, and where
    it is refused the page comes again with the reason at that form (`what` tells apart forms that do the same), what was typed
    still there. Context and actions are told what the address names. `kind` says who may look (`check_opens`).
    """

    address = f"tournaments/director/{template}.html"

    def view(desk: Desk, *args: P.args, **kwargs: P.kwargs) -> HttpResponseBase:
        if desk.sent is None:
            return desk.page(address, context(desk, *args, **kwargs))
        do = desk.text("do")
        action = (actions or {}).get(do)
        if action is None:
            raise Malformed(f"no action {do!r}")
        try:
            done = action(desk, *args, **kwargs)
            if desk.scripted and isinstance(done, str):
                return desk.told(next=done)
            return desk.done(done) if isinstance(done, str) else done
        except Refusal as refusal:
            if desk.scripted:
                return desk.told_why(refusal)
            desk.read_again()
            more = {
                "refusal": str(refusal.message),
                "refused_do": do,
                "refused_what": desk.text("what"),
                "refused_field": getattr(refusal, "field", ""),
                "refused_code": refusal.code,
                "typed": desk.sent,
            }
            try:
                found = context(desk, *args, **kwargs)
            except Http404:  # what the page is about has gone meanwhile: the reason alone is shown
                raise refusal from None
            answer = desk.page(address, {**found, **more}, status=refusal.status)
            if escape(str(refusal.message)) in answer.content.decode():
                return answer
            # Its form has gone from the page meanwhile: the reason stands at the head of it.
            return desk.page(address, {**found, **more, "homeless": True}, status=refusal.status)

    return (require_safe if actions is None else require_safe_or_post)(page_for(kind, kind.check_opens)(view))


def lets(kind: str, then: str, *texts: str, **fixed: Plain) -> Action:
    """An action that lets one thing happen to the round or table of the address, with these texts of the form, and leads on to
    the page `then`."""

    def action(desk: Desk, key: str) -> str:
        about = "table" if key.count(".") == 2 else "round"
        desk.act(kind, **{about: key}, **{name: desk.text(name) for name in texts}, **fixed)
        return desk.url(then, key)

    return action


def _there(found: T | None, code: str, field: str) -> T:
    if found is None:
        raise Refused(code, field)
    return found


def or_404(found: T | None) -> T:
    """What an address names. Raises Http404 where it names nothing."""
    if found is None:
        raise Http404
    return found
