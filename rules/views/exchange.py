"""What leaves the encyclopedia: files of the words, permanent names of concepts, and the pages that describe them.

Editors can also import a file of words on a page: they first see what it would change, then confirm it or not.
"""

from __future__ import annotations

from secrets import token_hex
from typing import Any, Final

from django.conf import settings
from django.contrib.sitemaps.views import sitemap
from django.core.cache import cache
from django.core.files.uploadedfile import UploadedFile
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBadRequest, HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.cache import get_conditional_response
from django.utils.text import format_lazy
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import cache_control, never_cache
from django.views.decorators.http import require_safe

from accounts import permissions as account_permissions
from accounts.middleware import PlayerRequest, address_of
from accounts.models import Player
from core import limits
from core.exceptions import Refusal
from core.http import require_safe_or_post
from rules import terms
from rules.documents import standing
from rules.documents.kinds import THEMES
from rules.exceptions import RulesError
from rules.exchange import publishing
from rules.exchange.files import BadFile, Flaw
from rules.exchange.importing import FORMATS, Outcome, Plan, apply, format_of, plan
from rules.exchange.records import GAMES
from rules.models import COMMENT_LENGTH, Concept, Definition, Term
from rules.sitemaps import SITEMAPS
from rules.wordbook.naming import GAMES as GAME_NAMES

FILES_A_MINUTE: Final = 30
_SECONDS: Final = 60.0


@require_safe
def words_file(request: HttpRequest, name: str) -> HttpResponseBase:
    """The words as a file in the format `name`; `?game=` filters them. Open to everybody, from pages of any site."""
    game = request.GET.get("game", "")
    if name not in publishing.FORMATS:
        raise Http404
    if game and game not in GAMES:
        text = _("There is no such game here. Ask for one of: %(games)s.") % {"games": ", ".join(GAMES)}
        return _open(HttpResponseBadRequest(text, content_type="text/plain; charset=utf-8"))
    etag = publishing.tag(name, game)
    not_modified = get_conditional_response(request, etag=etag)
    if not_modified is not None:
        return _open(not_modified, etag)
    if (too_fast := _too_fast(request)) is not None:
        return _open(too_fast)
    response = HttpResponse(publishing.file(name, game), content_type=publishing.FORMATS[name].media_type)
    response["Content-Disposition"] = f'attachment; filename="{publishing.file_name(name, game)}"'
    return _open(response, etag)


def _too_fast(request: HttpRequest) -> HttpResponse | None:
    """The refusal for an address that requests many files in a short time, since each of them is work; else None."""
    if limits.take(f"words-file:{address_of(request)}", rate=FILES_A_MINUTE, per=_SECONDS):
        return None
    text = _("You have asked for many files in a short time. Wait a minute, then ask again.")
    too_fast = HttpResponse(text, status=429, content_type="text/plain; charset=utf-8")
    too_fast["Retry-After"] = "60"
    return too_fast


def _open(response: HttpResponseBase, etag: str = "") -> HttpResponseBase:
    """Add the headers that let pages of other sites, and caches, use the response."""
    response["Access-Control-Allow-Origin"] = "*"
    if etag:
        response["ETag"] = etag
        response["Cache-Control"] = "public, max-age=300"
    return response


@require_safe
def identifier(request: HttpRequest, key: str) -> HttpResponseBase:
    """A permanent name, as linked data uses it: redirect to the page, in the visitor's language.

    Besides concepts, there are names for all of them together (`words`), for each theme, and for our vocabulary of
    statements about words (`terms`).
    """
    if key == "words":
        return _see_other("rules:words")
    if key == "terms":
        return _see_other("rules:data")
    if key.removeprefix("theme-") in THEMES and key not in THEMES:
        response = _see_other("rules:word-list")
        response["Location"] += f"?theme={key.removeprefix('theme-')}"
        return response
    keys = (key, terms.merged().get(key, key))
    slugs = dict(Concept.objects.filter(key__in=keys).values_list("key", "slug"))
    slug = next((slugs[each] for each in keys if each in slugs), None)
    if slug is None:
        raise Http404
    return _see_other("rules:word", slug)


def _see_other(name: str, *arguments: str) -> HttpResponse:
    """A 303: the requested name stands for an idea, and this is a page about it."""
    response = redirect(name, *arguments)
    response.status_code = 303
    response["Access-Control-Allow-Origin"] = "*"
    return response


@require_safe
def data(request: PlayerRequest) -> HttpResponse:
    """The download page: formats, counts and meanings of the codes."""
    context: dict[str, Any] = {
        "formats": _formats(),
        "site": settings.SITE_URL,
        "can_import": bool(account_permissions.languages(request.visit.player)),
        "concepts": Concept.objects.count(),
        "terms": Term.objects.count(),
        "definitions": Definition.objects.count(),
        "languages": Term.objects.values("language").distinct().count(),
        "games": [{"key": game, "name": GAME_NAMES[game]} for game in GAMES],
        "standings": [(code, name, standing.MEANS[code]) for code, name in standing.NAMES.items()],
        "reliabilities": standing.RELIABILITIES.items(),
    }
    return render(request, "rules/exchange/data.html", context)


def _formats() -> list[dict[str, str]]:
    listed = (
        ("csv", _("Table (CSV)"), _("For every spreadsheet: one row for each word.")),
        (
            "tbx",
            _("Term base (TBX 3)"),
            _("ISO 30042, dialect TBX-Basic: for term bases, with definitions, sources and places."),
        ),
        ("tbx-v2", _("Term base (TBX 2)"), _("The same for older tools, and for glossaries of translation programs.")),
        ("ttl", _("Linked data (SKOS, Turtle)"), _("Concepts, their names and how they belong together, as RDF.")),
        ("jsonld", _("Linked data (SKOS, JSON-LD)"), _("The same graph for programs that read JSON.")),
    )
    return [
        {"name": name, "description": description, "address": reverse(f"words-{key}")}
        for key, name, description in listed
    ]


@require_safe
def api_description(request: HttpRequest) -> HttpResponse:
    """The JSON API as a page, made from its OpenAPI description."""
    from rules.api import A_MINUTE, api  # noqa: PLC0415  # large, and rarely needed

    schema = api.get_openapi_schema()
    operations = [
        {
            "path": path,
            "summary": operation.get("summary", ""),
            "description": operation.get("description", ""),
            "parameters": [_parameter(each) for each in operation.get("parameters", ())],
        }
        for path, methods in schema["paths"].items()
        for operation in methods.values()
    ]
    context = {"operations": operations, "a_minute": A_MINUTE}
    return render(request, "rules/exchange/api.html", context)


def _parameter(described: dict[str, Any]) -> dict[str, Any]:
    schema = described["schema"]
    options = schema.get("enum") or next((each["enum"] for each in schema.get("anyOf", ()) if "enum" in each), ())
    return {
        "name": described["name"],
        "is_needed": described.get("required", False),
        "description": described.get("description") or schema.get("description", ""),
        "options": [option for option in options if option],
        "default": schema.get("default", ""),
    }


@require_safe
def site_map(request: HttpRequest) -> HttpResponseBase:
    """The sitemap of all pages, which any cache may keep for an hour."""
    view = cache_control(public=True, max_age=3600)(sitemap)
    return _too_fast(request) or view(request, sitemaps={**SITEMAPS}, template_name="rules/exchange/sitemap.xml")


@require_safe
@cache_control(public=True, max_age=3600)
def robots(request: HttpRequest) -> HttpResponse:
    """Tell crawlers what to leave alone (tables, accounts, forms, histories) and where the sitemap is."""
    disallowed = ("g/", "healthz", "i18n/", "api/", "recordings/")
    per_language = (
        "account/", "you/", "new/", "edit/", "history/", "talk/", "manage/", "roles/", "queue/", "suggestions/", "follow/",
        "search/", "words/*/say-so/", "words/*/record/",
    )  # fmt: skip
    lines = [
        "User-agent: *",
        *(f"Disallow: /{path}" for path in disallowed),
        *(f"Disallow: /{code}/{path}" for code, _name in settings.LANGUAGES for path in per_language),
        "",
        f"Sitemap: {settings.SITE_URL}{reverse('sitemap')}",
        "",
    ]
    return HttpResponse("\n".join(lines), content_type="text/plain; charset=utf-8")


MOST_BYTES: Final = 1_000_000
"""Larger files must be imported on the command line, since files are cached between the two steps."""
FILES_AN_HOUR: Final = 30
STEPS_SHOWN: Final = 300
_HOUR: Final = 3600.0
_TEMPLATE: Final = "rules/exchange/import.html"


@never_cache
@require_safe_or_post
def import_words(request: PlayerRequest) -> HttpResponse:
    """The import form; then what the file would change; then, confirmed with the file's token, what it has changed."""
    player = request.visit.player
    if player is None or not account_permissions.languages(player):
        return render(request, _TEMPLATE, {"is_editor": False}, status=403)
    if request.method != "POST":
        return render(request, _TEMPLATE, _empty())
    try:
        if not limits.take(f"import:{player.pk}", rate=FILES_AN_HOUR, per=_HOUR):
            raise RulesError("too-fast")
        if "token" in request.POST:
            return _import(request, player)
        return _preview(request, player)
    except BadFile as refusal:
        return render(request, _TEMPLATE, _empty() | {"flaws": refusal.flaws}, status=refusal.status)
    except Refusal as refusal:
        return render(request, _TEMPLATE, _empty() | {"flaws": [Flaw(0, refusal.message)]}, status=refusal.status)


def _preview(request: HttpRequest, player: Player) -> HttpResponse:
    """Show what the file would change, and keep it for an hour. Raises BadFile."""
    upload = request.FILES.get("file")
    if not isinstance(upload, UploadedFile) or not upload.name:
        raise BadFile([Flaw(0, gettext_lazy("Choose a file first."))])
    if (upload.size or 0) > MOST_BYTES:
        raise BadFile(
            [Flaw(0, format_lazy(gettext_lazy("This file is too large: at most {most} MB, please."), most=1))]
        )
    data, form = upload.read(), format_of(upload.name)
    changes = plan(FORMATS[form](data))
    token = token_hex(16)
    cache.set(_cache_key(player, token), (form, data, upload.name[-80:]), timeout=int(_HOUR))
    return render(request, _TEMPLATE, _empty() | _plan_context(changes) | {"token": token, "name": upload.name[-80:]})


def _import(request: HttpRequest, player: Player) -> HttpResponse:
    """Import the file that was previewed, and show what it has changed. Raises BadFile, Refusal."""
    cached = cache.get(_cache_key(player, request.POST.get("token", "")))
    if cached is None:
        raise BadFile([Flaw(0, gettext_lazy("This file is no longer here. Send it again."))])
    form, data, name = cached
    comment = " ".join(request.POST.get("comment", "").split())[:COMMENT_LENGTH] or f"{name}"
    done = apply(plan(FORMATS[form](data)), by=player, comment=comment)
    return render(request, _TEMPLATE, _empty() | {"done": done, "name": name})


def _empty() -> dict[str, Any]:
    return {"is_editor": True, "comment_length": COMMENT_LENGTH}


def _plan_context(changes: Plan) -> dict[str, Any]:
    words = {
        Outcome.NEW: gettext_lazy("new"),
        Outcome.CHANGED: gettext_lazy("changed"),
        Outcome.CONFLICT: gettext_lazy("changed here in the meantime: left alone"),
        Outcome.WRONG: gettext_lazy("cannot be taken"),
    }
    return {
        "plan": changes,
        "steps": [(step, words[step.outcome]) for step in changes.steps[:STEPS_SHOWN]],
        "more": max(0, len(changes.steps) - STEPS_SHOWN),
        "to_do": changes.counts[Outcome.NEW] + changes.counts[Outcome.CHANGED],
        "counts": changes.counts,
    }


def _cache_key(player: Player, token: str) -> str:
    """The key of a file in the cache. Only the player who uploaded the file can form it."""
    is_valid = token.isascii() and token.isalnum() and len(token) == 32
    return f"import:{player.pk}:{token if is_valid else 'none'}"
