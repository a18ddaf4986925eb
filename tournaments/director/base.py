"""What the director's pages share: access, actions of forms, and what is shown after a refusal."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import Any, Concatenate, Final, ParamSpec, TypeAlias, TypeVar

from django.http import Http404, HttpResponse, HttpResponseBase
from django.utils.html import escape
from django.views.decorators.http import require_safe

from core.exceptions import Refusal
from core.http import require_safe_or_post, typed_number
from domain.tournament.payload import Plain
from domain.tournament.state import Entrant, Phase, Round, State, Table
from games.exceptions import Malformed
from tournaments.exceptions import Refused
from tournaments.read_models import Names, everybody
from tournaments.services import log
from tournaments.services.log import NewEvent, Receipt
from tournaments.views import Page, Visit, page_for

P = ParamSpec("P")
T = TypeVar("T")
_NO_PART: Final = frozenset({"csrfmiddlewaretoken", "request_id"})
Action: TypeAlias = "Callable[..., str | HttpResponseBase]"
"""Carries out a form and returns the address to go to next, or a response. Raises Refusal.

It gets the arguments of the page's address, such as the key of a round or a table.
"""


class Desk(Visit):
    """A request of somebody who runs the tournament. `state` is read again after a refusal."""

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
        """Raise ``account-needed``, ``not-allowed`` or Http404 if the visitor may not open the page."""
        self.check_runs()

    # what was sent

    def text(self, field: str, default: str = "") -> str:
        """A text field of the form, without spaces around it."""
        return self.request.POST.get(field, default).strip()

    def texts(self, field: str) -> list[str]:
        return self.request.POST.getlist(field)

    def flag(self, field: str) -> bool:
        return self.text(field) in ("on", "yes", "1")

    def whole(self, field: str, default: int | None = None) -> int:
        """A whole number; the default for an empty field. Raises Refused."""
        text = self.text(field)
        if not text:
            if default is None:
                raise Refused("missing", field)
            return default
        number = typed_number(text)
        if number is None:
            raise Refused("no-number", field)
        return number

    # what is there

    def phase(self, number: int) -> Phase:
        """A phase. Raises Refused, as do `round`, `table` and `entrant`."""
        return _or_refused(self.state.phase(number), "no-such-phase", "phase")

    def round(self, key: str) -> Round:
        return _or_refused(self.state.round(key), "no-such-round", "round")

    def table(self, key: str) -> Table:
        return _or_refused(self.state.table(key), "no-such-table", "table")

    def entrant(self, id: str) -> Entrant:
        return _or_refused(self.state.entrants.get(id), "unknown-entrant", "id")

    # what is done

    def decide(self, make: Callable[[State], Sequence[NewEvent]]) -> Receipt:
        """Write to the log what `make` returns for the current state (`log.decide`). Raises Refusal."""
        return log.decide(self.tournament, make, by=self.director, request_id=self.request_id, same=self._same())

    def _same(self) -> str:
        """What identifies the request if its id is repeated: the address and the fields."""
        post = self.request.POST
        fields = sorted((name, post.getlist(name)) for name in post if name not in _NO_PART)
        return json.dumps([self.request.path, fields])


def director_page(
    template: str,
    context: Callable[Concatenate[Desk, P], Mapping[str, Any]],
    actions: Mapping[str, Action] | None = None,
    *,
    kind: type[Desk] = Desk,
) -> Page[P]:
    """A page of the director with its forms.

    The field `do` of a form names its action. After the action the director is redirected. If it is refused, the page
    is shown again with the reason at that form (`what` distinguishes forms with the same action) and with what was
    typed. `context` and the actions get the arguments of the address. `kind` decides who may open the page
    (`check_opens`).
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
            result = action(desk, *args, **kwargs)
            if desk.scripted and isinstance(result, str):
                return desk.json_done(next=result)
            return desk.done(result) if isinstance(result, str) else result
        except Refusal as refusal:
            if desk.scripted:
                return desk.json_refused(refusal)
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
                values = context(desk, *args, **kwargs)
            except Http404:  # the subject of the page is gone meanwhile: show the reason alone
                raise refusal from None
            response = desk.page(address, {**values, **more}, status=refusal.status)
            if escape(str(refusal.message)) in response.content.decode():
                return response
            # The form is no longer on the page: show the reason at its top.
            return desk.page(address, {**values, **more, "homeless": True}, status=refusal.status)

    return (require_safe if actions is None else require_safe_or_post)(page_for(kind, kind.check_opens)(view))


def event_action(kind: str, then: str, *texts: str, **fixed: Plain) -> Action:
    """An action that writes one event on the round or table of the address, and goes on to the page `then`.

    The data of the event are the fields `texts` of the form, and `fixed`.
    """

    def action(desk: Desk, key: str) -> str:
        about = "table" if key.count(".") == 2 else "round"
        desk.act(kind, **{about: key}, **{name: desk.text(name) for name in texts}, **fixed)
        return desk.url(then, key)

    return action


def _or_refused(value: T | None, code: str, field: str) -> T:
    if value is None:
        raise Refused(code, field)
    return value


def or_404(value: T | None) -> T:
    """The value. Raises Http404 if it is None."""
    if value is None:
        raise Http404
    return value
