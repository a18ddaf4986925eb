"""What every operation of the API shares: the player whose token comes with the request, how often they may ask, in which
language they read; and answers: JSON for one reader, kept by nobody, problems as RFC 9457 has them, with a code.

Pages of any site may ask (CORS without credentials): cookies count for nothing here, a token must be given with each request.
"""

from __future__ import annotations

import json
import logging
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache, wraps
from http import HTTPStatus
from typing import Any, Final

from django.conf import settings
from django.core.exceptions import BadRequest, RequestDataTooBig, SuspiciousOperation
from django.core.paginator import Page
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.utils.cache import patch_vary_headers
from django.utils.translation import activate, gettext
from django.utils.translation import gettext_lazy as _
from ninja import Field, NinjaAPI
from ninja.errors import AuthenticationError, HttpError, ValidationError
from ninja.openapi.schema import OpenAPISchema
from ninja.renderers import JSONRenderer
from ninja.security import HttpBearer

from accounts import tokens
from accounts.middleware import address_of, note_seen
from accounts.models import PersonalToken, Player
from accounts.tokens import CHAT, NOTICE, PEOPLE, PLAY, PROFILE, READ, TABLES
from core import limits
from core.exceptions import Refusal
from core.http import RETRY_AFTER, database_is_away
from core.schemas import Schema
from games.api.schemas import GameOut, WhyOut
from games.exceptions import Forbidden, Malformed
from games.lobby.exceptions import LobbyError
from games.selectors import table
from games.text import table as table_text

A_MINUTE: Final = 300
"""Requests of one person in a minute, with all their tokens."""
BURST: Final = 120
"""As many of them at once."""
STRANGERS_A_MINUTE: Final = 60
"""Requests without a valid token from one address in a minute."""
_SECONDS: Final = 60.0
_SOON: Final = 5


class ApiError(Refusal):
    """A request of a program that is not answered; `retry_after`: in so many seconds it may be, None where that helps
    nothing."""

    words = {
        "scope-missing": _("This token may not do that: it lacks “%(scope)s”. Make one that has it on your own page."),
        "too-fast": _("Too many requests in a short time. Wait as long as Retry-After says, then go on."),
        "too-often": LobbyError.words["too-often"],
        "too-many-streams": _(
            "Eight streams of yours are open already. Close one of them; one that broke off is free after a minute."
        ),
    }
    statuses = {403: ("scope-missing",), 429: ("too-fast", "too-often", "too-many-streams")}

    def __init__(self, code: str, message: str = "", *, retry_after: int | None = None) -> None:
        super().__init__(code, message)
        self.retry_after = retry_after


@dataclass(frozen=True, slots=True)
class Asking:
    token: PersonalToken
    player: Player


class PersonalTokenAuth(HttpBearer):
    """`Authorization: Bearer troccas_…`. The operation needs `scope`; one that is only for reading, none in particular."""

    def __init__(self, scope: str) -> None:
        super().__init__()
        self.scope = scope

    def authenticate(self, request: HttpRequest, token: str) -> Asking | None:
        """The asking player. Raises ``scope-missing``, ``too-fast``; None for a token that is not valid."""
        found = tokens.find_token(token)
        if found is None:
            check_stranger(request)
            return None
        if not limits.take(f"api-player:{found.player_id}", rate=A_MINUTE, per=_SECONDS, burst=BURST):
            raise ApiError("too-fast", retry_after=_SOON)
        player = found.player
        if player.language and "Accept-Language" not in request.headers and player.language in dict(settings.LANGUAGES):
            activate(player.language)
        if self.scope not in found.scopes:
            raise ApiError("scope-missing", str(ApiError.words["scope-missing"]) % {"scope": self.scope})
        if request.method == "POST" and self.scope in (PLAY, TABLES) and not found.by_hand:
            tokens.mark_program(player)
        note_seen(player)
        return Asking(found, player)


def check_stranger(request: HttpRequest) -> None:
    """Count a request of somebody without a valid token. Raises ``too-fast``."""
    address = address_of(request)
    if not limits.take(f"api-stranger:{address}", rate=STRANGERS_A_MINUTE, per=_SECONDS, burst=STRANGERS_A_MINUTE):
        raise ApiError("too-fast", retry_after=_SOON)


class Limited:
    """Lets everybody in without a token, but not too often from one address."""

    def __call__(self, request: HttpRequest) -> bool:
        """Always true. Raises ``too-fast``."""
        check_stranger(request)
        return True


def limit(what: str, player: Player, *, rate: float, burst: int) -> None:
    """Raise ``too-often`` above `rate` an hour: the same counts as those of the pages."""
    if not limits.take(f"{what}:player {player.pk}", rate=rate, per=3600, burst=burst):
        raise ApiError("too-often", retry_after=math.ceil(3600 / rate))


def asking_of(request: Any) -> Asking:
    """The person whose token asks, in an operation that needs one."""
    asking = request.auth
    assert isinstance(asking, Asking)
    return asking


def player_of(request: Any) -> Player:
    return asking_of(request).player


READS: Final = PersonalTokenAuth(READ)
PLAYS: Final = PersonalTokenAuth(PLAY)
LAYS: Final = PersonalTokenAuth(TABLES)
CHATS: Final = PersonalTokenAuth(CHAT)
NOTICES: Final = PersonalTokenAuth(NOTICE)
OWN: Final = PersonalTokenAuth(PROFILE)
MEETS: Final = PersonalTokenAuth(PEOPLE)


logger = logging.getLogger(__name__)

PATH: Final = "/api/v1/play/"
DESCRIPTION: Final = settings.BASE_DIR / "docs" / "openapi.json"
PROBLEM_TYPE: Final = "application/problem+json"
_METHODS: Final = "GET, HEAD, POST, PATCH, OPTIONS"
_PREFLIGHT: Final = {
    "Access-Control-Allow-Methods": _METHODS,
    "Access-Control-Allow-Headers": "Authorization, Content-Type, Accept-Language, Last-Event-ID",
    "Access-Control-Max-Age": "86400",
}
_PRIVATE: Final = {"Cache-Control": "private, no-store"}
_RETRY: Final = 60
_STATES_THE_TABLE: Final = 409


class Wrong(Schema):
    """One part of a request that cannot be used."""

    where: str = Field(description="the field, or the parameter")
    message: str


class Problem(Schema):
    """Why a request was not carried out; nothing has changed then."""

    type: str = Field(description="the address of what is said about this kind of problem")
    title: str
    status: int
    detail: str = Field(description="what happened and what to do, as a sentence in your language")
    code: str = Field(description="the same for programs; it never changes")
    errors: list[Wrong] = Field(description="the fields that cannot be used, where it is about fields")
    why: WhyOut | None = Field(description="the rule of the game that forbids the action (illegal)")
    game: GameOut | None = Field(description="the present table (stale): decide again")


class Renderer(JSONRenderer):
    """JSON in which words stand as they are written."""

    json_dumps_params = {"ensure_ascii": False}


class Description(OpenAPISchema):
    """Ninja's own. But a shape is worked out once: every operation has several problems, and in each of them stands a table."""

    def __init__(self, api: NinjaAPI, path_prefix: str) -> None:
        self.known: dict[Any, tuple[dict[str, Any], bool]] = {}
        super().__init__(api, path_prefix)

    def _create_schema_from_model(self, model: Any, *args: Any, **how: Any) -> tuple[dict[str, Any], bool]:
        answer = model.model_fields.get("response")
        key = (model if answer is None else answer.annotation, args, tuple(how.items()))
        if key not in self.known:
            self.known[key] = super()._create_schema_from_model(model, *args, **how)
        return self.known[key]


class Api(NinjaAPI):
    """An API whose answers are private, and whose description says that problems are `application/problem+json`."""

    def create_response(
        self, request: HttpRequest, data: Any, *args: Any, status: int | None = None, **kwargs: Any
    ) -> HttpResponse:
        """The answer as JSON, for whoever asked and nobody else."""
        response = super().create_response(request, data, *args, status=status, **kwargs)
        response.setdefault("Cache-Control", "private, no-store")
        return response

    def get_openapi_schema(self, *, path_prefix: str | None = None, path_params: Any = None) -> Any:
        """The description as it is kept in docs/openapi.json: to make it takes a processor for seconds."""
        return kept_description()

    def make_description(self) -> dict[str, Any]:
        """The description, made anew of the operations and their shapes; problems have a media type of their own."""
        described: dict[str, Any] = Description(self, PATH)
        for methods in described["paths"].values():
            for operation in methods.values():
                for status, answer in operation["responses"].items():
                    if int(status) >= HTTPStatus.BAD_REQUEST and "application/json" in answer.get("content", ()):
                        answer["content"] = {PROBLEM_TYPE: answer["content"]["application/json"]}
        return described


@cache
def kept_description() -> dict[str, Any]:
    """The description of the API as the repository keeps it (`manage.py openapi`), with the address of this site."""
    described: dict[str, Any] = json.loads(DESCRIPTION.read_text(encoding="utf-8"))
    return described | {"servers": [{"url": settings.SITE_URL}]}


def paged(found: Page[Any], page: int, results: Sequence[Any]) -> dict[str, Any]:
    """A page of a list, for `Paged`; beyond the last one it is empty."""
    pages = found.paginator.num_pages
    return {"count": found.paginator.count, "page": page, "pages": pages, "results": results if page <= pages else []}


def problems(*statuses: int) -> dict[int, Any]:
    """The problems an operation may answer with, for its `response`; 429 and those of reading a request always."""
    return dict.fromkeys(sorted({400, 429, *statuses}), Problem)


def problem(
    status: int,
    code: str,
    detail: str,
    *,
    errors: Sequence[dict[str, str]] = (),
    why: dict[str, Any] | None = None,
    game: dict[str, Any] | None = None,
    retry_after: int | None = None,
) -> HttpResponse:
    """An answer that says what went wrong."""
    about = {"type": f"{settings.SITE_URL}/en/api/#problem-{code}", "title": HTTPStatus(status).phrase}
    said = {"status": status, "detail": detail, "code": code, "errors": list(errors), "why": why, "game": game}
    whole = Problem.model_validate(about | said).model_dump(mode="json")
    content = Renderer().render(None, whole, response_status=status)  # type: ignore[arg-type]  # it looks at no request
    response = HttpResponse(content, status=status, content_type=f"{PROBLEM_TYPE}; charset=utf-8", headers=_PRIVATE)
    if status == HTTPStatus.UNAUTHORIZED:
        response["WWW-Authenticate"] = 'Bearer realm="troccas"'
    if status in (HTTPStatus.TOO_MANY_REQUESTS, HTTPStatus.SERVICE_UNAVAILABLE):
        response["Retry-After"] = str(retry_after or _RETRY)
    return response


def answer(data: Any) -> HttpResponse:
    """Data that has its shape already, as an answer."""
    content = Renderer().render(None, data, response_status=200)  # type: ignore[arg-type]  # it looks at no request
    return HttpResponse(content, content_type="application/json; charset=utf-8", headers=_PRIVATE)


def refusal(error: Refusal, game: dict[str, Any] | None = None) -> HttpResponse:
    """A refusal as a problem; `game` is the table as it stands, where the caller's was an older one."""
    errors: list[dict[str, str]] = []
    why, detail = None, str(error.message)
    if isinstance(error, Forbidden):
        broken = table.why_of(error.illegality)
        why = {name: getattr(broken, name) for name in WhyOut.model_fields}
        detail = table_text.refusal(broken)
    if isinstance(error, Malformed):
        errors = [{"where": "action", "message": error.reason}]
    given = game if error.status == _STATES_THE_TABLE else None
    wait = getattr(error, "retry_after", None)
    return problem(error.status, error.code, detail, errors=errors, why=why, game=given, retry_after=wait)


def nothing_here(request: HttpRequest, rest: str = "") -> HttpResponse:
    """The answer for every address of the API that there is not."""
    return problem(
        404, "not-found", gettext("There is nothing at this address. The description lists everything there is.")
    )


def add_handlers(api: NinjaAPI) -> None:
    """Say what goes wrong anywhere in `api` as a problem."""

    @api.exception_handler(Refusal)
    def refused(request: HttpRequest, error: Refusal) -> HttpResponse:
        return refusal(error)

    @api.exception_handler(AuthenticationError)
    def unknown(request: HttpRequest, error: AuthenticationError) -> HttpResponse:
        detail = gettext("The token is missing or no longer valid. Make one under “Programs” on your own page.")
        return problem(401, "no-token", detail)

    @api.exception_handler(ValidationError)
    def unreadable(request: HttpRequest, error: ValidationError) -> HttpResponse:
        errors = [{"where": _where(each["loc"]), "message": str(each["msg"])} for each in error.errors]
        detail = gettext("The request cannot be read: see which parts are wrong. The description says how they look.")
        return problem(400, "unreadable", detail, errors=errors)

    @api.exception_handler(Http404)
    def missing(request: HttpRequest, error: Http404) -> HttpResponse:
        return nothing_here(request)

    @api.exception_handler(HttpError)
    def http(request: HttpRequest, error: HttpError) -> HttpResponse:
        if error.status_code == HTTPStatus.NOT_FOUND:
            return nothing_here(request)
        detail = gettext("The request cannot be read. It has to be JSON, in UTF-8.")
        return problem(400, "unreadable", detail)

    @api.exception_handler(RequestDataTooBig)
    @api.exception_handler(SuspiciousOperation)
    @api.exception_handler(BadRequest)
    @api.exception_handler(UnicodeDecodeError)
    def broken(request: HttpRequest, error: Exception) -> HttpResponse:
        detail = gettext("The request cannot be read. It has to be JSON, in UTF-8.")
        return problem(400, "unreadable", detail)

    @api.exception_handler(Exception)
    def failed(request: HttpRequest, error: Exception) -> HttpResponse:
        logger.error("the API failed", exc_info=error)
        if database_is_away(error):
            detail = gettext("The site cannot get at its data just now. Send the same request again in a moment.")
            return problem(HTTPStatus.SERVICE_UNAVAILABLE, "away", detail, retry_after=RETRY_AFTER)
        return problem(500, "failed", gettext("Something failed here. It has been noted; please try again later."))


def _where(place: Sequence[Any]) -> str:
    """The name of a field: without the parts that only say where bodies and parameters come from."""
    named = [str(part) for part in place if part not in ("body", "query", "path", "data")]
    return ".".join(named) or "body"


View = Callable[..., HttpResponseBase]


def open_to_pages(view: View) -> View:
    """A view that pages of any site may ask with a token; OPTIONS says so, a method that is not there gets 405."""

    @wraps(view)
    def opened(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        if request.method == "OPTIONS":
            response: HttpResponseBase = HttpResponse(status=204, headers=_PREFLIGHT | {"Allow": _METHODS})
        else:
            asked = request.method
            if asked == "HEAD":
                request.method = "GET"  # the server leaves out the body
            response = view(request, *args, **kwargs)
            if asked == "HEAD" and response.streaming:  # nobody would read the stream
                head = HttpResponse(content_type=response["Content-Type"])
                response.close()
                response = head
            if response.status_code == HTTPStatus.METHOD_NOT_ALLOWED:
                allowed = response["Allow"]
                detail = gettext("This address does not know that method.")
                response = problem(405, "wrong-method", detail)
                response["Allow"] = allowed
        response["Access-Control-Allow-Origin"] = "*"
        response["Access-Control-Expose-Headers"] = "Retry-After, X-Request-ID"
        patch_vary_headers(response, ("Authorization",))
        return response

    return opened
