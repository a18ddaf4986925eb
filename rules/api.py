"""The JSON API, version 1: everything published, for programs to read. It is described at /api/v1/openapi.json.

Read-only and open to everybody: pages of any site may call it (CORS), nobody logs in, and responses carry an ETag. The
number of requests from one address is limited. Errors are reported as JSON. Within version 1, fields are added but
never removed.
"""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Callable, Sequence
from functools import cache, wraps
from html import unescape
from typing import Annotated, Any, Final, TypeVar

from django.conf import settings
from django.core.exceptions import BadRequest, DisallowedHost, SuspiciousOperation
from django.core.paginator import Paginator
from django.db.models import Model, QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import URLPattern, URLResolver, path
from django.utils.cache import get_conditional_response
from django.utils.html import strip_tags
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, override
from django.views.decorators.csrf import csrf_exempt
from ninja import NinjaAPI, Path, Query
from ninja.errors import HttpError, Throttled, ValidationError
from ninja.throttling import BaseThrottle

from accounts.middleware import address_of
from core import limits
from core.http import RETRY_AFTER, database_is_away
from core.schemas import Renderer
from rules import api_schemas as shapes
from rules import licence, selectors
from rules.api_schemas import Failure, Game, Language, Status, Theme
from rules.markup.page import Links
from rules.models import Article, Concept, Place, Source, Term
from rules.search import lookup

logger = logging.getLogger(__name__)
M = TypeVar("M", bound=Model)

A_MINUTE: Final = 120
MOST_A_PAGE: Final = 200
_SECONDS: Final = 60.0
_FRESH: Final = "public, max-age=60"
_METHODS: Final = "GET, HEAD, OPTIONS"
_NOT_HERE: Final = {404: Failure}


class ByAddress(BaseThrottle):
    """Limit the requests of each address per minute."""

    def allow_request(self, request: HttpRequest) -> bool:
        return limits.take(f"api:{address_of(request)}", rate=A_MINUTE, per=_SECONDS)

    def wait(self) -> float:
        return _SECONDS / A_MINUTE + 1


class Api(NinjaAPI):
    """An API whose responses any page may show and any cache may keep."""

    def get_root_path(self, path_params: Any) -> str:
        return "/api/v1/"

    def create_response(
        self, request: HttpRequest, data: Any, *args: Any, status: int | None = None, **kwargs: Any
    ) -> HttpResponse:
        """The response as JSON; 304 if the client has it already."""
        response = super().create_response(request, data, *args, status=status, **kwargs)
        if response.status_code == 200:
            etag = f'"{hashlib.sha256(response.content).hexdigest()[:24]}"'
            response["ETag"] = etag
            response["Cache-Control"] = _FRESH
            conditional = get_conditional_response(request, etag=etag, response=response)
            assert isinstance(conditional, HttpResponse)  # as it was passed one
            response = conditional
        else:
            response["Cache-Control"] = "no-store"
        return response


api = Api(
    title="Troccas and Troggu",
    version="1.0.0",
    description=__doc__ or "",
    docs_url=None,  # its page would load scripts from elsewhere; /en/data/api/ says the same
    openapi_url="/openapi.json",
    urls_namespace="api",
    renderer=Renderer(),
    servers=[{"url": settings.SITE_URL, "description": "this site"}],
    throttle=ByAddress(),
)

Slug = Annotated[str, Path(max_length=80, description="the key, which never changes")]
Number = Annotated[int, Query(ge=1, le=10_000, description="which page of the list")]
PerPage = Annotated[int, Query(ge=1, le=MOST_A_PAGE, description="how many to a page")]
Asked = Annotated[str, Query(max_length=100, description="what to look for; accents and small mistakes are forgiven")]
Needed = Annotated[str, Query(..., min_length=1, max_length=100, description="what to look for, in any language")]
InLanguage = Annotated[Language | None, Query(description="only what has a word in this language")]


@api.get("/", response=shapes.Index, summary="Where everything is")
def index(request: HttpRequest) -> dict[str, Any]:
    """Links to the lists, and to this description."""
    here = f"{settings.SITE_URL}/api/v1"
    names = ("concepts", "terms", "phrases", "sources", "places", "articles", "search")
    return {
        "title": api.title,
        "description": "What is published in the encyclopedia of two Swiss tarot games.",
        "openapi": f"{here}/openapi.json",
        "licence": licence.statement(),
        "links": {name: f"{here}/{name}" for name in names},
    }


@api.get("/concepts", response=shapes.Concepts, summary="Concepts: words and phrases")
def concepts(
    request: HttpRequest,
    game: Annotated[Game | None, Query(description="only those of this game")] = None,
    theme: Annotated[Theme | None, Query(description="only those of this theme")] = None,
    language: InLanguage = None,
    q: Asked = "",
    page: Number = 1,
    per_page: PerPage = 50,
) -> dict[str, Any]:
    """In the order of the word lists; with q, the best matches first, at most 100."""
    rows = Concept.objects.all()
    if game:
        rows = rows.filter(**{game: True})
    if theme:
        rows = rows.filter(theme=theme)
    if language:
        rows = rows.filter(terms__language=language).distinct()
    if q:
        keys = _keys_found(q, language or "en")
        by_key = {row.key: row for row in rows.filter(key__in=keys)}
        return _page([by_key[key] for key in keys if key in by_key], page, per_page, _short)
    return _page(rows.order_by("theme", "order", "key"), page, per_page, _short)


@api.get("/concepts/{key}", response={200: shapes.ConceptOut, **_NOT_HERE}, summary="One concept")
def concept(request: HttpRequest, key: Slug) -> dict[str, Any]:
    """All that is published about it: definitions, words, notes, sources."""
    row = _one(Concept.objects.select_related("entry__published"), key)
    return shapes.concept_whole(row, site=settings.SITE_URL, url=_url("rules:word", row.slug))


@api.get("/terms", response=shapes.Terms, summary="Words, one by one")
def terms(
    request: HttpRequest,
    language: InLanguage = None,
    game: Annotated[Game | None, Query(description="only those of this game")] = None,
    status: Annotated[Status | None, Query(description="only those of this status")] = None,
    place: Annotated[str, Query(max_length=80, description="only those said there: a place’s key")] = "",
    q: Asked = "",
    page: Number = 1,
    per_page: PerPage = 50,
) -> dict[str, Any]:
    """Ordered by language, then by text; with q, only the words of matching concepts."""
    rows = Term.objects.select_related("concept")
    filters = {
        "language": language,
        "status": status,
        "place__key": place,
        "concept__key__in": _keys_found(q) if q else None,
    }
    rows = rows.filter(**{name: value for name, value in filters.items() if value is not None and value != ""})
    if game:
        rows = rows.filter(**{f"concept__{game}": True})
    rows = rows.order_by("language", "text", "pk")
    return _page(rows, page, per_page, lambda row: shapes.term_of_concept(row, _url("rules:word", row.concept.slug)))


@api.get("/phrases", response=shapes.Phrases, summary="The phrase book of the talk")
def phrases(
    request: HttpRequest,
    strength: Annotated[int | None, Query(ge=0, le=5, description="only those of this strength")] = None,
) -> dict[str, Any]:
    """All phrases of the tschintschar, in the order of the book."""
    rows = Concept.objects.filter(sort=Concept.Sort.PHRASE).select_related("entry__published").order_by("order", "key")
    found = [
        shapes.concept_whole(row, site=settings.SITE_URL, url=_url("rules:word", row.slug))
        for row in rows
        if strength is None or row.document.get("strength") == strength
    ]
    return {"count": len(found), "results": found}


@api.get("/sources", response=list[shapes.SourceOut], summary="The works that facts are taken from")
def sources(request: HttpRequest) -> list[dict[str, Any]]:
    """All of them, by key."""
    rows = Source.objects.select_related("entry").order_by("key")
    return [shapes.source(row, _url("rules:source", row.entry.slug)) for row in rows]


@api.get("/sources/{key}", response={200: shapes.SourceOut, **_NOT_HERE}, summary="One work")
def source(request: HttpRequest, key: Slug) -> dict[str, Any]:
    """What is known about it, and where it can be read."""
    row = _one(Source.objects.select_related("entry"), key)
    return shapes.source(row, _url("rules:source", row.entry.slug))


@api.get("/places", response=list[shapes.PlaceOut], summary="Places where words are said")
def places(request: HttpRequest) -> list[dict[str, Any]]:
    """All of them, by key."""
    rows = Place.objects.select_related("entry", "parent").order_by("key")
    return [shapes.place(row, _url("rules:place", row.entry.slug)) for row in rows]


@api.get("/places/{key}", response={200: shapes.PlaceOut, **_NOT_HERE}, summary="One place")
def place(request: HttpRequest, key: Slug) -> dict[str, Any]:
    """Its names, and the larger place it lies in."""
    row = _one(Place.objects.select_related("entry", "parent"), key)
    return shapes.place(row, _url("rules:place", row.entry.slug))


@api.get("/articles", response=list[shapes.ArticleShort], summary="Articles")
def articles(
    request: HttpRequest,
    language: Annotated[str, Query(max_length=12, description="only those in this language")] = "",
) -> list[dict[str, Any]]:
    """In the order of the contents page, one row for each language."""
    rows = Article.objects.order_by("section", "order", "key", "language")
    return [shapes.article(row, _article_url(row)) for row in (rows.filter(language=language) if language else rows)]


@api.get("/articles/{key}", response={200: shapes.ArticleOut, **_NOT_HERE}, summary="One article")
def article(
    request: HttpRequest,
    key: Slug,
    language: Annotated[str, Query(max_length=12, description="in which language")] = "en",
) -> dict[str, Any]:
    """Its text, in its source form and as HTML."""
    rows = {row.language: row for row in Article.objects.filter(key=key).select_related("entry__published")}
    if not rows:
        raise HttpError(404, _("There is no article %(key)s.") % {"key": key})
    row = rows.get(language)
    if row is None:
        text = _("This article is not there in this language. Ask for one of: %(languages)s.")
        raise HttpError(404, text % {"languages": ", ".join(sorted(rows))})
    revision = row.entry.published
    assert revision is not None  # an article has a row only while it is published
    published = tuple(rows[code] for code, _name in settings.LANGUAGES if code in rows)
    shown = selectors.Shown(row, row.entry, revision, language, published)
    return {
        **shapes.article(row, _article_url(row)),
        "languages": [each.language for each in published],
        "text": revision.document["text"],
        "html": selectors.html_of(shown).html,
        "revision": revision.number,
        "changed": revision.at,
    }


@api.get("/search", response=shapes.Answers, summary="Look something up")
def search(
    request: HttpRequest,
    q: Needed,
    language: Annotated[str, Query(max_length=12, description="the reader’s language")] = "en",
    limit: Annotated[int, Query(ge=1, le=lookup.MOST, description="how many answers")] = 20,
) -> dict[str, Any]:
    """Articles, words, phrases, places and sources in all languages at once, the best match first."""
    codes = {code for code, _name in settings.LANGUAGES}
    with override(language if language in codes else "en"):
        answer = lookup.look_up(q, language=language, limit=limit)
        results = [
            {
                "kind": each.kind,
                "key": each.key,
                "title": unescape(strip_tags(each.title)),
                "language": each.language,
                "url": settings.SITE_URL + each.address,
                "where": str(each.where),
                "excerpt": str(each.excerpt),
                "score": each.score,
            }
            for each in answer.found
        ]
    return {"count": answer.total, "results": results}


# --- Errors -----------------------------------------------------------------------------------------------------------


def _failure(request: HttpRequest, detail: str, status: int) -> HttpResponse:
    return api.create_response(request, {"detail": detail, "errors": []}, status=status)


@api.exception_handler(HttpError)
def refused(request: HttpRequest, error: HttpError) -> HttpResponse:
    response = _failure(request, error.message, error.status_code)
    if isinstance(error, Throttled):
        response["Retry-After"] = str(int(error.wait or _SECONDS))
    return response


@api.exception_handler(ValidationError)
def unreadable(request: HttpRequest, error: ValidationError) -> HttpResponse:
    errors = [{"parameter": str(each["loc"][-1]), "message": str(each["msg"])} for each in error.errors]
    detail = _("Some parameters cannot be read. They are described at /api/v1/openapi.json.")
    return api.create_response(request, {"detail": detail, "errors": errors}, status=422)


@api.exception_handler(Http404)
def missing(request: HttpRequest, error: Http404) -> HttpResponse:
    return nothing_here(request)


@api.exception_handler(SuspiciousOperation)
@api.exception_handler(BadRequest)
def refused_early(request: HttpRequest, error: Exception) -> HttpResponse:
    """What is refused before it comes to a parameter: the name of another host, for example."""
    detail = _("The request cannot be read.")
    if isinstance(error, DisallowedHost):
        detail = _("The request names another host: this site is at %(site)s.") % {"site": settings.SITE_URL}
    return _failure(request, detail, 400)


@api.exception_handler(Exception)
def failed(request: HttpRequest, error: Exception) -> HttpResponse:
    """Log a fault of ours. The response says that something failed, but not what."""
    logger.error("the API failed", exc_info=error)
    if not database_is_away(error):
        return _failure(request, _("Something failed here. It has been noted."), 500)
    detail = _("The site cannot get at its data just now. Send the same request again in a moment.")
    response = _failure(request, detail, 503)
    response["Retry-After"] = str(RETRY_AFTER)
    return response


def nothing_here(request: HttpRequest, rest: str = "") -> HttpResponse:
    """The response for every address under /api/ that does not exist."""
    detail = _("There is nothing at this address. /api/v1/ says where everything is.")
    return _failure(request, detail, 404)


# --- Addresses --------------------------------------------------------------------------------------------------------

View = Callable[..., HttpResponse]


def open_to_all(view: View) -> View:
    """Let pages of any site call a view: with GET and HEAD, and OPTIONS for preflight. Other methods get 405."""

    @wraps(view)
    def opened(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if request.method in ("GET", "HEAD"):
            request.method = "GET"  # for HEAD, the server leaves out the body
            response = view(request, *args, **kwargs)
        elif request.method == "OPTIONS":
            response = HttpResponse(status=204, headers={"Access-Control-Allow-Methods": _METHODS, "Allow": _METHODS})
        else:
            detail = _("Here everything can be read, and nothing changed.")
            response = _failure(request, detail, 405)
            response["Allow"] = _METHODS
        response["Access-Control-Allow-Origin"] = "*"
        response["Access-Control-Expose-Headers"] = "ETag, Retry-After"
        return response

    return opened


def _addresses() -> list[URLPattern | URLResolver]:
    patterns, app_name, namespace = api.urls
    for pattern in patterns:
        assert isinstance(pattern, URLPattern)
        pattern.callback = csrf_exempt(open_to_all(pattern.callback))
    return [
        path("v1/", (patterns, app_name, namespace)),
        path("", csrf_exempt(open_to_all(nothing_here))),
        path("<path:rest>", csrf_exempt(open_to_all(nothing_here))),
    ]


urlpatterns: Final = _addresses()

# --- From rows to responses -------------------------------------------------------------------------------------------


_MISSING: Final = {
    Concept: gettext_lazy("There is no concept %(key)s."),
    Source: gettext_lazy("There is no source %(key)s."),
    Place: gettext_lazy("There is no place %(key)s."),
}


def _one(rows: QuerySet[M], key: str) -> M:
    row = rows.filter(key=key).first()
    if row is None:
        raise HttpError(404, str(_MISSING[rows.model]) % {"key": key})
    return row


def _page(rows: QuerySet[Any] | Sequence[Any], page: int, per_page: int, shown: Any) -> dict[str, Any]:
    """One page of a list; empty beyond the last one."""
    pages = Paginator(rows, per_page)
    results = pages.page(page).object_list if page <= pages.num_pages else []
    return {"count": pages.count, "page": page, "pages": pages.num_pages, "results": [shown(row) for row in results]}


def _short(row: Concept) -> dict[str, Any]:
    return shapes.concept_short(row, site=settings.SITE_URL, url=_url("rules:word", row.slug))


def _keys_found(q: str, language: str = "en") -> list[str]:
    """The keys of the concepts that match `q`, the best first."""
    found = lookup.find(q, language=language, limit=lookup.MOST, kinds=("word", "phrase"))
    return [each.key for each in found]


def _url(name: str, slug: str, language: str = "en") -> str:
    return settings.SITE_URL + _links(language).to(name.removeprefix("rules:"), slug)


def _article_url(row: Article) -> str:
    return _url("rules:article", row.slug, row.language)


@cache
def _links(language: str) -> Links:
    return Links(language)
