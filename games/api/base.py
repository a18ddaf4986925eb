"""What all operations of the API share: authentication by token, rate limits, the reader's language, and responses.

Responses are JSON and private, not to be cached; problems follow RFC 9457, with a code. Pages of any site may send
requests (CORS without credentials): cookies are ignored, and each request must carry a token.
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
from django.core.exceptions import BadRequest, DisallowedHost, RequestDataTooBig, SuspiciousOperation
from django.core.paginator import Page
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.utils.cache import patch_vary_headers
from django.utils.translation import activate, gettext
from django.utils.translation import gettext_lazy as _
from ninja import Field, NinjaAPI
from ninja.errors import AuthenticationError, HttpError, ValidationError
from ninja.openapi.schema import OpenAPISchema
from ninja.security import HttpBearer

from accounts import tokens
from accounts.middleware import address_of, note_seen
from accounts.models import PersonalToken, Player
from accounts.tokens import CHAT, NOTICE, PEOPLE, PLAY, PROFILE, READ, TABLES
from core import limits
from core.exceptions import Refusal
from core.http import RETRY_AFTER, database_is_away
from core.schemas import Renderer, Schema
from games.api.schemas import GameOut, WhyOut
from games.exceptions import Forbidden, Malformed
from games.lobby.exceptions import LobbyError
from games.selectors import table
from games.text import table as table_text

A_MINUTE: Final = 300
"""How many requests one person may send in a minute, with all their tokens."""
BURST: Final = 120
"""How many of them may come at once."""
STRANGERS_A_MINUTE: Final = 60
"""How many requests without a valid token may come from one address in a minute."""
_SECONDS: Final = 60.0
_SOON: Final = 5


class ApiError(Refusal):
    """A request of a program that is refused; `retry_after`: the seconds to wait before trying again, None if that
    does not help."""

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
    """`Authorization: Bearer troccas_…`, with a token that has `scope`."""

    def __init__(self, scope: str) -> None:
        super().__init__()
        self.scope = scope

    def authenticate(self, request: HttpRequest, token: str) -> Asking | None:
        """The token and its player; None if the token is invalid. Raises ``scope-missing``, ``too-fast``."""
        row = tokens.find_token(token)
        if row is None:
            check_stranger(request)
            return None
        if not limits.take(f"api-player:{row.player_id}", rate=A_MINUTE, per=_SECONDS, burst=BURST):
            raise ApiError("too-fast", retry_after=_SOON)
        player = row.player
        if "Accept-Language" not in request.headers and player.language in dict(settings.LANGUAGES):
            activate(player.language)
        if self.scope not in row.scopes:
            raise ApiError("scope-missing", str(ApiError.words["scope-missing"]) % {"scope": self.scope})
        if request.method == "POST" and self.scope in (PLAY, TABLES) and not row.by_hand:
            tokens.mark_program(player)
        note_seen(player)
        return Asking(row, player)


def check_stranger(request: HttpRequest) -> None:
    """Count a request of somebody without a valid token. Raises ``too-fast``."""
    address = address_of(request)
    if not limits.take(f"api-stranger:{address}", rate=STRANGERS_A_MINUTE, per=_SECONDS, burst=STRANGERS_A_MINUTE):
        raise ApiError("too-fast", retry_after=_SOON)


class Limited:
    """Access without a token, limited by address."""

    def __call__(self, request: HttpRequest) -> bool:
        """Always true. Raises ``too-fast``."""
        check_stranger(request)
        return True


def limit(what: str, player: Player, *, rate: float, burst: int) -> None:
    """Raise ``too-often`` above `rate` an hour. Counted together with the player's requests on the pages."""
    if not limits.take(f"{what}:player {player.pk}", rate=rate, per=3600, burst=burst):
        raise ApiError("too-often", retry_after=math.ceil(3600 / rate))


def asking_of(request: Any) -> Asking:
    """The token and player of a request, in an operation that needs a token."""
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
_UNREADABLE: Final = _("The request cannot be read: see which parts are wrong. The description says how they look.")
_STATES_THE_TABLE: Final = 409


class Wrong(Schema):
    """One part of a request that cannot be used."""

    where: str = Field(description="the field, or the parameter")
    message: str = Field(
        description="what is wrong with it; in English if the request cannot be read (400): it is meant for programmers"
    )


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


class Description(OpenAPISchema):
    """Ninja's own description, but with each schema computed only once: every operation has several problems, each of
    which contains the schema of a game."""

    def __init__(self, api: NinjaAPI, path_prefix: str) -> None:
        self.computed: dict[Any, tuple[dict[str, Any], bool]] = {}
        super().__init__(api, path_prefix)

    def _create_schema_from_model(self, model: Any, *args: Any, **kwargs: Any) -> tuple[dict[str, Any], bool]:
        response = model.model_fields.get("response")
        key = (model if response is None else response.annotation, args, tuple(kwargs.items()))
        if key not in self.computed:
            self.computed[key] = super()._create_schema_from_model(model, *args, **kwargs)
        return self.computed[key]


class Api(NinjaAPI):
    """An API whose responses are private, and whose description says that problems are `application/problem+json`."""

    def create_response(
        self, request: HttpRequest, data: Any, *args: Any, status: int | None = None, **kwargs: Any
    ) -> HttpResponse:
        """The response as JSON, private to its reader."""
        response = super().create_response(request, data, *args, status=status, **kwargs)
        response.setdefault("Cache-Control", "private, no-store")
        return response

    def get_openapi_schema(self, *, path_prefix: str | None = None, path_params: Any = None) -> Any:
        """The description as kept in docs/openapi.json, because generating it takes seconds."""
        return kept_description()

    def make_description(self) -> dict[str, Any]:
        """Generate the description from the operations and their schemas; problems have a media type of their own."""
        described: dict[str, Any] = Description(self, PATH)
        for methods in described["paths"].values():
            for operation in methods.values():
                for status, response in operation["responses"].items():
                    if int(status) >= HTTPStatus.BAD_REQUEST and "application/json" in response.get("content", ()):
                        response["content"] = {PROBLEM_TYPE: response["content"]["application/json"]}
        return described


@cache
def kept_description() -> dict[str, Any]:
    """The description of the API in the repository (written by `manage.py openapi`), with the URL of this site."""
    described: dict[str, Any] = json.loads(DESCRIPTION.read_text(encoding="utf-8"))
    return described | {"servers": [{"url": settings.SITE_URL}]}


def paged(found: Page[Any], page: int, results: Sequence[Any]) -> dict[str, Any]:
    """A page of a list, for `Paged`; empty after the last page."""
    pages = found.paginator.num_pages
    return {"count": found.paginator.count, "page": page, "pages": pages, "results": results if page <= pages else []}


def problems(*statuses: int) -> dict[int, Any]:
    """The possible problems of an operation, for its `response`: `statuses`, and always 400 and 429."""
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
    """The response for a problem."""
    about = {"type": f"{settings.SITE_URL}/en/api/#problem-{code}", "title": HTTPStatus(status).phrase}
    details = {"status": status, "detail": detail, "code": code, "errors": list(errors), "why": why, "game": game}
    data = Problem.model_validate(about | details).model_dump(mode="json")
    content = Renderer().render(None, data, response_status=status)  # type: ignore[arg-type]  # ignores the request
    response = HttpResponse(content, status=status, content_type=f"{PROBLEM_TYPE}; charset=utf-8", headers=_PRIVATE)
    if status == HTTPStatus.UNAUTHORIZED:
        response["WWW-Authenticate"] = 'Bearer realm="troccas"'
    if status in (HTTPStatus.TOO_MANY_REQUESTS, HTTPStatus.SERVICE_UNAVAILABLE):
        response["Retry-After"] = str(retry_after or _RETRY)
    return response


def answer(data: Any) -> HttpResponse:
    """The response with data that needs no schema to be serialized."""
    content = Renderer().render(None, data, response_status=200)  # type: ignore[arg-type]  # ignores the request
    return HttpResponse(content, content_type="application/json; charset=utf-8", headers=_PRIVATE)


def refusal(error: Refusal, game: dict[str, Any] | None = None) -> HttpResponse:
    """The response for a refusal; `game` is the present state of the game, sent if the client's was out of date."""
    errors: list[dict[str, str]] = []
    why, detail = None, str(error.message)
    if isinstance(error, Forbidden):
        broken_rule = table.why_of(error.illegality)
        why = {name: getattr(broken_rule, name) for name in WhyOut.model_fields}
        detail = table_text.refusal(broken_rule)
    if isinstance(error, Malformed):
        errors = [{"where": error.where, "message": error.reason}]
        detail = str(_UNREADABLE)  # the sentence of the pages tells people to reload theirs
    if error.status != _STATES_THE_TABLE:
        game = None
    wait = getattr(error, "retry_after", None)
    return problem(error.status, error.code, detail, errors=errors, why=why, game=game, retry_after=wait)


def nothing_here(request: HttpRequest, rest: str = "") -> HttpResponse:
    """The response for an unknown URL of the API."""
    return problem(
        404, "not-found", gettext("There is nothing at this address. The description lists everything there is.")
    )


def add_handlers(api: NinjaAPI) -> None:
    """Report all errors in `api` as problems."""

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
        return problem(400, "unreadable", str(_UNREADABLE), errors=errors)

    @api.exception_handler(Http404)
    def missing(request: HttpRequest, error: Http404) -> HttpResponse:
        return nothing_here(request)

    @api.exception_handler(DisallowedHost)
    def elsewhere(request: HttpRequest, error: DisallowedHost) -> HttpResponse:
        detail = gettext("The request names another host: this site is at %(site)s.") % {"site": settings.SITE_URL}
        return _unread("Host", detail)

    @api.exception_handler(RequestDataTooBig)
    def too_large(request: HttpRequest, error: RequestDataTooBig) -> HttpResponse:
        most = (settings.DATA_UPLOAD_MAX_MEMORY_SIZE or 0) // 1024
        return _unread("body", gettext("The request is too large: at most %(most)d kB.") % {"most": most})

    @api.exception_handler(HttpError)
    @api.exception_handler(SuspiciousOperation)
    @api.exception_handler(BadRequest)
    @api.exception_handler(UnicodeDecodeError)
    def broken(request: HttpRequest, error: Exception) -> HttpResponse:
        if getattr(error, "status_code", None) == HTTPStatus.NOT_FOUND:
            return nothing_here(request)
        return _unread("body", gettext("The request cannot be read. It has to be JSON, in UTF-8."))

    @api.exception_handler(Exception)
    def failed(request: HttpRequest, error: Exception) -> HttpResponse:
        logger.error("the API failed", exc_info=error)
        if database_is_away(error):
            detail = gettext("The site cannot get at its data just now. Send the same request again in a moment.")
            return problem(HTTPStatus.SERVICE_UNAVAILABLE, "away", detail, retry_after=RETRY_AFTER)
        return problem(500, "failed", gettext("Something failed here. It has been noted; please try again later."))


def _unread(where: str, detail: str) -> HttpResponse:
    return problem(400, "unreadable", detail, errors=[{"where": where, "message": detail}])


def _where(location: Sequence[Any]) -> str:
    """The name of a field: `location` without the parts that name the source or our parameter for the body."""
    parts = [str(part) for part in location if part not in ("body", "query", "path", "data", "payload")]
    return ".".join(parts) or "body"


View = Callable[..., HttpResponseBase]


def open_to_pages(view: View) -> View:
    """Let pages of any site request a view with a token: OPTIONS says so, and an unknown method gets 405."""

    @wraps(view)
    def opened(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        if request.method == "OPTIONS":
            response: HttpResponseBase = HttpResponse(status=204, headers=_PREFLIGHT | {"Allow": _METHODS})
        else:
            is_head = request.method == "HEAD"
            if is_head:
                request.method = "GET"  # the server leaves out the body
            response = view(request, *args, **kwargs)
            if is_head and response.streaming:  # nobody would read the stream
                head = HttpResponse(content_type=response["Content-Type"])
                response.close()
                response = head
            if response.status_code == HTTPStatus.METHOD_NOT_ALLOWED:
                allowed = response["Allow"]
                detail = gettext("This address does not know that method.")
                response = problem(405, "wrong-method", detail)
                response["Allow"] = allowed
        response.setdefault("Cache-Control", _PRIVATE["Cache-Control"])
        if response.status_code == HTTPStatus.NO_CONTENT:
            del response["Content-Type"]  # Django says that nothing is a page
        response["Access-Control-Allow-Origin"] = "*"
        response["Access-Control-Expose-Headers"] = "Retry-After, X-Request-ID"
        patch_vary_headers(response, ("Authorization",))
        return response

    return opened
